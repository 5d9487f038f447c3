#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg export spaceex: refusals with place and reason, before anything is written; the report; names of any
# kind. tests/emit/spaceex_test.c checks that runs are runs of the automata.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models
diode=$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg

nothing() { [ ! -e out.xml ] && [ ! -e out.cfg ] || fail "something was written: $*"; }

# refuses WORDS PLACE DECLARATION...: a model with these declarations is refused, with this reason and this line and column
refuses() {
    reason=$1 place=$2
    shift 2
    { echo "model Refused {"; printf '    %s\n' "$@"; echo "    experiment e { stop 1 [s]; record body.f; }"; echo "}"; } >refused.hbg
    run 2 export spaceex refused.hbg -o out.xml
    says err 'error[E0901]'
    says err "$reason"
    says err "refused.hbg:$place"
    nothing "$reason"
}

# ---- what is not affine, where it stands ----------------------------------------------------------------------------

body='I body(1 [kg], f = 1 [m/s]); 1 motion; motion -> body;'
refuses 'multiplies two values that move' 3:17 "$body" 'R air : e = 2 [N.s2/m2]*f*abs(f); motion -> air;'
refuses '`sin(time/1)` is not affine: a function of what moves' 3:19 "$body" 'Se push(1 [N]*sin(time/1 [s])); push -> motion;'
refuses 'divides by a value that moves' 3:13 "$body" 'Se push(1 [W]/body.f); push -> motion;'
refuses 'it moves, and multiplies an effort or a flow' 3:11 "$body" 'R air(1 [N.s/m]*(1 + time/1 [s])); motion -> air;'
refuses 'a power is a product of what moves' 3:29 "$body" 'state w = 0 [J] : der = body.power;'
refuses 'an energy is a square' 3:35 "$body" 'automaton a { off x -> y when body.energy > 1 [J]; on y -> x when body.f > 9 [m/s]; }' \
    'R r(1 [N.s/m]); 1 brake when a; 0 n; motion -> n; n -> brake -> r;'
refuses 'the noise of a sensor is not affine' 3:12 "$body" 'sensor s = body.f every 10 [ms] noise(0 [m/s], 1e-4 [m2/s2]);' \
    'automaton a { off x -> y when s > 2 [m/s]; on y -> x when s < 1 [m/s]; }' 'R r(1 [N.s/m]); 1 brake when a; 0 n; motion -> n; n -> brake -> r;'
run 2 export spaceex "$HBG_SOURCE_DIR/examples/table-input/table-input.hbg" -o out.xml
says err 'the value `table("voltage.csv", "u")` is not affine'
says err 'table-input.hbg:6:24'
refuses 'faults change the model' 4: "$body" 'param R1 = 1 [N.s/m]; R air(R1); motion -> air;' \
    'experiment first { stop 1 [s]; record body.f; fault at 0.5 [s]: air.R abrupt 50 [%]; }'

# ---- other refusals -------------------------------------------------------------------------------------------------

run 2 export spaceex "$diode"
says err 'export needs a file to write to: `-o FILE.xml`'
run 2 export spaceex "$diode" -o missing/out.xml
says err 'cannot be written'
run 2 export spaceex "$diode" -o /proc/out.xml # where not even root makes files
says err 'the system lets no file be made in its folder'
run 2 export spaceex wrong.hbg -o out.xml
says err 'wrong.hbg'
nothing a wrong model
run 2 export spaceex "$diode" -x nowhere -o out.xml
says err 'there is no experiment `nowhere`'
mkdir out.xml # the second of the two files: the first is removed
run 2 export spaceex "$diode" -o out.xml
[ ! -e out.cfg ] || fail "the settings were left"
rmdir out.xml
awk 'BEGIN {
    print "model Many { C c(1 [F], e = 1 [V]); 0 n; n -> c;"
    for (i = 1; i <= 24; i++) printf "1 j%d when a%d; R r%d(1 [ohm]); n -> j%d -> r%d; automaton a%d { off x -> y when n.e < 0.%d [V]; on y -> x when n.e > 2 [V]; }\n", i, i, i, i, i, i, i
    print "experiment e { stop 1 [s]; record n.e; } }" }' >many.hbg
run 2 export spaceex many.hbg -o out.xml
says err 'its 24 automata have 1.68e+07 modes together'
nothing too many modes
awk 'BEGIN {
    print "model Many { Se s(1 [V]); 0 n; s -> n;"
    for (i = 0; i < 100000; i++) printf "R r%d(1 [ohm]); n -> r%d;\n", i, i
    print "experiment e { stop 1 [s]; record r0.f; } }" }' >large.hbg
run 2 export spaceex large.hbg -o out.xml
says err 'it has 100002 elements, and an analysis of all that can be reached takes no more than 5000'
nothing too many elements

# a remainder that is not a sawtooth: it begins below 0, or depends on something other than time
refuses 'is no saw of time' 3: "$body" 'automaton a { off x -> y when (time - 0.1 [s]) % (1 [s]) > 0.5 [s]; on y -> x when body.f > 9 [m/s]; }' \
    'R r(1 [N.s/m]); 1 brake when a; 0 n; motion -> n; n -> brake -> r;'
refuses 'it is the remainder of a value that not time alone moves' 3: "$body" \
    'automaton a { off x -> y when body.f % (1 [m/s]) > 0.5 [m/s]; on y -> x when body.f > 9 [m/s]; }' \
    'R r(1 [N.s/m]); 1 brake when a; 0 n; motion -> n; n -> brake -> r;'

# ---- the report -----------------------------------------------------------------------------------------------------

run 0 export spaceex "$diode" -o out.xml --json
says out '"target": "spaceex"'
says out '"variables": 2'
says out '"locations": 5'
says out 'strictness is lost'
says out.xml 'Strictness is lost'
says out.cfg 'time-horizon = 0.0006'
cp out.xml first.xml
run 0 export spaceex "$diode" -o out.xml --quiet
silent out
cmp out.xml first.xml || fail "the same model gives another file"
# the coil falls by R/L = 330/5e-3 1/s, with another coil by 330/4e-3 1/s
says out.xml "<flow>coil_p' == -66000*coil_p + 10 &amp; time' == 1</flow>"
run 0 export spaceex "$diode" -p 'L=4 [mH]' --quiet -o other.xml
says other.xml "<flow>coil_p' == -82500*coil_p + 10 &amp; time' == 1</flow>"
rm other.xml other.cfg

# the second file does not replace another file
cp "$diode" input.cfg
run 2 export spaceex input.cfg -o input.xml
says err '`input.cfg`, beside `input.xml`, is read for this model'
cmp "$diode" input.cfg || fail "the model was lost"
echo 'mine = 1' >other.cfg
run 2 export spaceex "$diode" -o other.xml
says err '`other.cfg`, which goes beside `other.xml`, is there and has no settings of SpaceEx'
[ "$(cat other.cfg)" = 'mine = 1' ] && [ ! -e other.xml ] || fail "something was written"

# ---- names ----------------------------------------------------------------------------------------------------------

printf '%s\n' 'component Box { C loc(1 [F], e = 1 [V]); R r(1 [ohm]); 0 n; n -> loc; n -> r; }' \
    'model true_ { Box a_b; C x(1 [F], e = 2 [V]); R r(1 [ohm]); 0 n; n -> x; n -> r; state a_b_loc_q = 3 [V.s] : der = -n.e;' \
    '    experiment e { stop 1 [s]; record n.e; } }' >named.hbg
run 0 export spaceex named.hbg -o named.xml
says named.xml 'variable a_b_loc_q: a_b.loc.q [C]'
says named.xml 'variable a_b_loc_q_2: a_b_loc_q'
[ "$(grep -c '<component' named.xml)" -eq 3 ] || fail "two parts and their network"

cat >hostile.hbg <<'END'
model Hostile "<b>of</b> & 'all' kinds -- ]]> --> */ `id` $HOME" {
    param k = 2 [ohm] "--> & <k>"; C c(1 [F], e = 1 [V]); R r(k); 0 n; n -> c; n -> r;
    experiment e "-- ]]> -->" { stop 1 [s]; record n.e, 1 [A] - -r.f, n.e < 1 [V] && r.f > 0 [A] ? 2 : 3; }
}
END
run 0 export spaceex hostile.hbg -q -o hostile.xml
xmllint --noout hostile.xml 2>err || { fail 'a hostile description breaks the file'; cat err >&2; }

# ---- choices --------------------------------------------------------------------------------------------------------

sed 's/restitution 0.8/restitution 0.7 .. 0.9/' >chosen.hbg <<'END'
model M {
    1 a; I m(1 [kg], f = -1 [m/s]); Sf wall(0 [m/s]); 0 c when touch restitution 0.8;
    a -> m; wall -> c -> a; state x = 1 [m] : der = a.f;
    automaton touch { off i -> o when x <= 0 [m] && a.f < 0 [m/s]; on o -> i when a.f > 0 [m/s]; }
    experiment main { stop 3 [s]; record x; }
}
END
run 0 export spaceex chosen.hbg -o chosen.xml
says out 'what the model leaves open has its default in the file'
finish
