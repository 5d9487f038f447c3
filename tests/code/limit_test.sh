#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Conflicts and floating parts (semantics, section 3a): circuits of ideal sources, switches and diodes against their closed forms.
# needs: test
set -u

failures=0 total=0

# fail TEXT: one more
fail() {
    echo "$*"
    failures=$((failures + 1))
}

# value FILE COLUMN: of the last row
value() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print $column }' "$1"
}

# near COLUMN WANTED SHARE: of the last row of rows.csv
near() {
    total=$((total + 1))
    found=$(value rows.csv "$1")
    awk -v a="$found" -v b="$2" -v share="$3" \
        'BEGIN { d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; if (s < 1e-3) s = 1e-3; exit !(a != "" && d <= share * s) }' ||
        fail "$model: $1 is $found instead of $2"
}

# run MODEL OPTION...: the rows to rows.csv, the log to events.jsonl
run() {
    model=$1
    shift
    rm -f rows.csv events.jsonl
    "$HBG" run "$model.hbg" -q -o rows.csv --events events.jsonl --rtol 1e-9 "$@" >out.txt 2>&1 || fail "$model: $(cat out.txt)"
}

# logs TEXT: the log has it
logs() {
    total=$((total + 1))
    grep -qF -- "$1" events.jsonl || fail "$model: the log has no $1"
}

# stops MODEL TEXT: its run ends with exit 3 and this text
stops() {
    total=$((total + 1))
    "$HBG" run "$1.hbg" -q >out.txt 2>&1
    status=$?
    if [ $status -ne 3 ] || ! grep -qF -- "$2" out.txt; then fail "$1: exit $status: $(cat out.txt)"; fi
}

diode='off blocking -> conducting when'

# Buck: the coil of 1 mH between a node and 6 V. With a duty of 1/4 it gains 18 V for 12.5 µs and loses 6 V for 37.5 µs: at whole periods
# it is where it began, 1 A, and the diode carries 1.225 A when it takes over. Starting from 0 with a duty of 1/5 the current is gone
# 40 µs after the beginning of a period of 50 µs.
for duty in 0.25 0.2; do
    cat >buck-$duty.hbg <<END
model Buck {
    Se supply(24 [V]); Se ground(0 [V]); Se back(6 [V]); I coil(1 [mH], f = $([ $duty = 0.25 ] && echo 1 || echo 0) [A]);
    1 sw when s; 1 fw when d; 0 node; 1 series; 0 out;
    supply -> sw -> node; ground -> fw -> node; node -> series -> out; series -> coil; back -> out;
    automaton s { on closed -> open after $duty*50 [us]; off open -> closed after 50 [us] - $duty*50 [us]; }
    automaton d { $diode -node.e > 0 [V]; on conducting -> blocking when fw.f < 0 [A]; }
    state charge = 0 : der = fw.f;
    output i = coil.f, v = node.e, q = charge;
    experiment e { stop 1 [ms]; record i, v, q; }
}
END
done
run buck-0.25
near i 1 1e-8
near q 8.34375e-4 1e-6 # 20 times the mean of 1.225 and 1 A over 37.5 µs
logs '"t":0.00025'
total=$((total + 1))
grep -cF '"kind":"mythical"' events.jsonl | grep -qx 40 || fail "buck: not every commutation leads through a mythical mode"
run buck-0.2
near q 5.4e-5 1e-6 # 20 times half of 0.18 A over 30 µs
run buck-0.25 --engine native
near i 1 1e-8
total=$((total + 1))
cp rows.csv native.csv
"$HBG" compile buck-0.25.hbg --rtol 1e-9 -q -o buck.hbi >out.txt 2>&1 && rm -f rows.csv && "$HBG" run buck.hbi -q -o rows.csv >out.txt 2>&1 ||
    fail "image: $(cat out.txt)"
cmp -s rows.csv native.csv || fail "image: other rows"

# Boost on a current source: 1 A charges 10 µF through the diode for half of the time, and 10 Ω discharge it always. In the steady state
# it is 5 V in the mean; the voltage at the end of a charge, from v' = (1 - v/10)/C and v' = -v/(10·C) over 25 µs each, is
# 10·(1 - a)/(1 - a²) with a = exp(-1/4).
cat >boost.hbg <<END
model Boost {
    Sf feed(1 [A]); Se ground(0 [V]); C cap(10 [uF]); R load(10 [Ohm]);
    0 node; 0 out; 1 sw when s; 1 dd when d;
    feed -> node -> sw -> ground; node -> dd -> out -> cap; out -> load;
    automaton s { on closed -> open after 25 [us]; off open -> closed after 25 [us]; }
    automaton d { $diode node.e - out.e > 0 [V]; on conducting -> blocking when dd.f < 0 [A]; }
    output v = cap.e;
    experiment e { stop 4 [ms]; record v; }
}
END
run boost
near v 5.621765009 1e-8
logs '"kind":"mythical"'

# Junctions that are off the other way, each with a parasite at every bond. A node between an open switch at 10 V and such a junction:
# 10 - e = e gives 5 V; with two of them 10 - e = 2·e; behind a transformer of 2, which has e/2 and twice the flow,
# 10 - e = e/4. A current between a closed switch beside 10 A and a junction that is off with no effort, the dual: 5 A.
# leaks VALUE PARTS...
leaks() {
    wanted=$1
    shift
    echo "model Leaks { automaton a { on c -> o after 1 [ms]; off o; } $* experiment e { stop 2 [ms]; record y; } }" >leaks.hbg
    run leaks
    near y "$wanted" 1e-9
}
switch='Se v(10 [V]); 1 s when a; 0 n; v -> s -> n; output y = n.e; R q(1 [Ohm]);'
leaks 5 "$switch 0 j when a off flow; n -> j -> q;"
leaks 3.333333333333 "$switch 0 j when a off flow; n -> j -> q; 0 k when a off flow; R q2(1 [Ohm]); n -> k -> q2;"
leaks 8 "$switch TF t(2); 0 j when a off flow; n -> t -> j -> q;"
leaks 5 "Sf v(10 [A]); 0 s when a; 1 n; v -> s -> n; output y = n.f; R q(1 [Ohm]); 1 j when a off effort; n -> j -> q;"

# Such junctions give way themselves where nothing else can, and so do those that cut a source. A node between an open switch with 6 V and a
# current that it cuts, and another to earth: 6 - e = e. A current of 2 A into a junction that lets nothing in has nowhere to go; a
# diode to 5 V takes it.
leaks 3 "Sf i(2 [A]); Se v(6 [V]); 1 s when a; 1 t when a; 0 n; 0 g; Se z(0 [V]); i -> s; v -> s -> n -> t -> g -> z; output y = n.e;"
current='Sf i(2 [A]); 1 j; 0 m; 0 k when a off flow; R r(3 [Ohm]); i -> j -> m -> k -> r;'
leaks 2 "$current 1 d when c; 0 w; Se u(5 [V]); x: m -> d; z: d -> w; w -> u; output y = d.f;
    automaton c { $diode x.e - z.e > 0 [V]; on conducting -> blocking when d.f < 0 [A]; }"
echo "model Closed { automaton a { on c -> o after 1 [ms]; off o; } $current output y = r.f; experiment e { stop 2 [ms]; } }" >closed.hbg
stops closed 'a flow source has nowhere to go: `i`, `k`: an unbounded effort of 2/η'

# Two sources across the same two nodes, with nothing between: no junction can give way.
cat >rivals.hbg <<'END'
model Rivals {
    0 a; 0 b; 1 v; 1 w; Se one(12 [V]); Se other(24 [V]); R r(1 [Ohm]); R q(1 [Ohm]);
    a -> v -> b; one -> v; a -> w -> b; other -> w; a -> r; b -> q;
    output i = r.f;
    experiment e { stop 1 [s]; }
}
END
stops rivals 'sources contradict each other'

# Six-pulse bridge on ideal sources: the mean voltage is 3·√3·V/π.
six_pulse() {
    echo "model Six { param w = 100 [rad/s]*pi; 0 p; 0 n; 1 load; R r(10 [Ohm]); p -> load -> n; load -> r;"
    for k in 0 1 2; do
        echo "Se v$k(100 [V]*sin(w*time - $k*2*pi/3)); 0 a$k; v$k -> a$k;"
        echo "1 u$k when qu$k; a$k -> u$k -> p; 1 l$k when ql$k; n -> l$k -> a$k;"
        echo "automaton qu$k { $diode a$k.e - p.e > 0 [V]; on conducting -> blocking when u$k.f < 0 [A]; }"
        echo "automaton ql$k { $diode n.e - a$k.e > 0 [V]; on conducting -> blocking when l$k.f < 0 [A]; }"
    done
    echo "state flux = 0 : der = r.e; output m = flux; experiment e { stop 20 [ms]; record m; } }"
}
six_pulse >six.hbg
run six
near m 3.30797337253 1e-8
total=$((total + 1))
grep -cF '"trace":[{' events.jsonl | grep -qx 7 || fail "six: $(grep -cF '"trace":[{' events.jsonl) instants instead of 6 commutations and the start"

# Current-source inverter: 2 A go through the upper and the lower switch that are on, and the load of 10 Ω sees them in turns. Where both
# upper ones are on for a moment they share.
cat >inverter.hbg <<END
model Inverter {
    Sf feed(2 [A]); 1 loop; 0 p; 0 n; 0 a; 0 b; 1 load; R r(10 [Ohm]); Se ground(0 [V]);
    n -> loop -> p; feed -> loop; ground -> n; a -> load -> b; load -> r;
    1 u1 when s1; 1 u2 when s2; 1 l1 when s2; 1 l2 when s1;
    p -> u1 -> a; p -> u2 -> b; a -> l1 -> n; b -> l2 -> n;
    automaton s1 { on yes -> no after 2 [ms]; off no -> yes when time > 9 [ms]; }
    automaton s2 { off no -> yes after 1 [ms]; on yes; }
    output v = r.e, i = u2.f;
    experiment forward { stop 0.5 [ms]; record v, i; }
    experiment overlap { stop 1.5 [ms]; record v, i; }
    experiment back { stop 3 [ms]; record v, i; }
}
END
run inverter -x forward
near v 20 1e-12
run inverter -x overlap
near v 0 1e-12
near i 1 1e-12
run inverter -x back
near v -20 1e-12

# What floats reads the mean of what open switches lead to, and closed switches in parallel share; so does a switch with its body diode.
cat >share.hbg <<END
model Share {
    Se v(10 [V]); Se w(4 [V]); 0 a; 0 b; 0 c; 0 mid; R r(5 [Ohm]); v -> a; w -> c; b -> r;
    1 s1 when s; 1 s2 when s; a -> s1 -> b; a -> s2 -> b;
    1 t1 when t; 1 t2 when t; a -> t1 -> mid -> t2 -> c;
    automaton s { off open -> closed after 1 [ms]; on closed; }
    automaton t { off open -> closed when time > 9 [s]; on closed; }
    output i1 = s1.f, i2 = s2.f, m = mid.e;
    experiment e { stop 2 [ms]; record i1, i2, m; }
}
END
run share
near i1 1 1e-12
near i2 1 1e-12
near m 7 1e-12

# Two supplies that agree until one of them rises, 1 ms after the start: the switch between them opens there.
cat >part.hbg <<END
model Part {
    Se one(12 [V]); Se two(12 [V] + max(0 [V], 1 [V/ms]*(time - 1 [ms]))); 0 a; 0 b; 1 sw when s; one -> a -> sw -> b; two -> b;
    automaton s { on closed -> open when sw.f < 0 [A]; off open; }
    state since = 0 : der = s.open ? 1 : 0;
    output t = since;
    experiment e { stop 3 [ms]; record t; }
}
END
run part
near t 2e-3 1e-5

# Nothing lets go: a verdict, with what is in conflict and how it came to that.
cat >short.hbg <<END
model Short {
    Se one(24 [V]); Se two(12 [V]); 0 a; 0 b; 1 sw when s; one -> a -> sw -> b; two -> b;
    automaton s { off open -> closed after 1 [ms]; on closed -> open when sw.f < 0 [A]; }
    experiment e { stop 2 [ms]; }
}
END
stops short 'sources are short-circuited: `one`, `sw`, `two`: an unbounded flow of 12/η; taken: `s` open -> closed; verdict short-circuit'
cat >open.hbg <<END
model Open {
    Sf feed(1 [A]); Se ground(0 [V]); 0 node; 1 sw when s; feed -> node -> sw -> ground;
    automaton s { on closed -> open after 1 [ms]; off open -> closed when node.e < 0 [V]; }
    experiment e { stop 2 [ms]; }
}
END
stops open '`feed`, `sw`: an unbounded effort of 1/η; taken: `s` closed -> open; verdict open-flow-source'

# No switch lies between them: that is no limit.
printf 'model M { Se a(1); Se b(2); 0 n; 1 s when x; R r(1); a -> n; b -> n -> s -> r; automaton x { on y -> z after 1; off z; } }\n' >none.hbg
total=$((total + 1))
"$HBG" run none.hbg --stop 2 -q >out.txt 2>&1 && fail "none: a run"
grep -qF 'has no valid causal assignment' out.txt || fail "none: $(cat out.txt)"

# A product of an unbounded value and anything but a parameter has no meaning, nor has a function of it; a multiple has one.
printf 'x,y\n0,0\n1,1\n' >points.csv
for guard in 'sw.f*sw.f > 1' 'floor(sw.f/1 [A]) > 1' 'table("points.csv", "y", sw.f/1 [A]) > 1' '-2*sw.f/3 + 1 [A] < 0'; do
    cat >product.hbg <<END
model Product {
    Se one(24 [V]); Se two(12 [V]); 0 a; 0 b; 1 sw when s; one -> a -> sw -> b; two -> b;
    automaton s { off open -> closed after 1 [ms]; on closed -> open when $guard; }
    experiment e { stop 2 [ms]; }
}
END
    total=$((total + 1))
    "$HBG" run product.hbg -q >out.txt 2>&1 && fail "$guard: a run"
    wanted='has no meaning'
    [ "${guard#-}" = "$guard" ] || wanted='verdict'
    grep -qF "$wanted" out.txt || fail "$guard: $(cat out.txt)"
done

# refuses NAME GUARD VALUE PARTS EXPRESSION: a switch closes between 24 V and a source of this value, and the run ends with the expression
refuses() {
    cat >"$1.hbg" <<END
model M {
    input bool close = false; input real step = 1;
    Se one(24); Se two($3); 0 a; 0 b; 1 sw when c; 1 load when d; R r(1); $4
    one -> a -> sw -> b; two -> b -> load -> r;
    automaton c { off open -> shut when close; on shut -> open when !close; }
    automaton d { on yes -> no when $2; off no; }
    experiment e { stop 2; at 1: close = true; at 1: step = 2; }
}
END
    total=$((total + 1))
    "$HBG" run "$1.hbg" -q >out.txt 2>&1 && fail "$1: a run"
    grep -qF -- "$5" out.txt || fail "$1: $(cat out.txt)"
}
refuses sine 'sin(sw.f) > 0.5' 10 '' '`sin(sw.f)` has no meaning'
refuses mixed 'sw.f*r.e > 1' 10 '' '`sw.f*r.e` has no meaning'
# Sources that what is unbounded modulates, in the conflict and beside it, and one that pulses in it.
refuses droop 'sw.f > 1' '10 - 0.5*sw.f' '' '`10 - 0.5*a>sw.f` as the value of `two`'
refuses through 'sw.f > 1' 'x.q' 'C x(1); Sf gain(current); signal current = 2*sw.f; 0 n; gain -> n -> x;' 'as the value of `gain`'
refuses pulse 'sw.f > 1' '10 + der(k.e)' 'C x(1); Se y(step); 0 k; y -> k -> x;' 'as the value of `two`'

# A switch that cuts a current source lies at a node that floats behind a gyrator of 1/2: with b the flow into the gyrator, the node is at
# b/2, and so is what the open switch sums. The junction n3, whose effort is 0, gives up b - 1 to the gyrator and 3 to the coil: 1·(b - 1 + 3) + 1/2·b/2 = 0.
cat >behind.hbg <<'END'
model M {
    0 n0; 0 n1; 0 n2; 0 n3 when a; 1 n4 when a; GY g(0.5); Sf s0(1); Sf s1(4); Sf s2(-4); Sf s4(-6); I coil(2, p = 6);
    b: n0 -> g; g -> n1; n2 -> n1; n3 -> n0; n1 -> n4; s0 -> n0; s1 -> n1; s2 -> n2; n3 -> coil; s4 -> n4;
    automaton a { off no; on yes; }
    output flow = b.f, level = n1.e;
    experiment e { stop 1; }
}
END
run behind
near flow -1.6 1e-9
near level -0.8 1e-9

# Two junctions in a row that switch together float nowhere: while one does not sum, the other sets what it would. They switch by a
# select, and a run with a fixed step goes in strides (001, section 6).
cat >together.hbg <<'END'
model M {
    Se source(25); I coil(2 [mH]); C link(7 [mF], e = 190); R load(100);
    1 a; 0 b when !boost; 1 c when !boost; 0 d;
    source -> a -> coil; a -> b -> c -> d -> link; d -> load;
    automaton boost { off no -> yes when coil.f < 2; on yes -> no when coil.f > 3; }
    experiment e { stop 50 [ms]; solver euler step 5 [us]; record coil.f, link.e every 1 [ms]; }
}
END
total=$((total + 1))
mkdir -p own && chmod 700 own
HOME=$PWD XDG_CACHE_HOME=$PWD/own "$HBG" run together.hbg -q --engine native -o rows.csv >out.txt 2>&1 || fail "together: $(cat out.txt)"
grep -q 'static void stride' own/hbg/*.c || fail "together: the run goes step by step"

echo "$((total - failures)) of $total"
exit $((failures > 0))
