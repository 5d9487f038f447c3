#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run --engine: strides and single steps agree, names of the model do not become code, runs without a
# compiler or a place to keep code, and a long run that is compiled while it runs.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"

# ---- strides -------------------------------------------------------------------------------------------------------

# Without a log of events a run goes in strides, with it one step at a time. Rows, final values and modes are
# the same; sums of energies are formed in another order, and counts of steps differ.
example=$HBG_SOURCE_DIR/examples/adapt-experiment-2/adapt-experiment-2.hbg
essence() {
    sed -n '/"final"/,/}/p; /"modes"/,/}/p; /"commits"/p; /"steps"/p' "$1/json"
}
for solver in euler ode3; do
    for engine in interpreter native; do
        rm -rf strides steps
        answers strides "$engine" "$example" --stop 12ms --solver $solver --every 0.1ms
        answers steps "$engine" "$example" --stop 12ms --solver $solver --every 0.1ms --events events
        cmp strides/rows.csv steps/rows.csv || fail "$solver, $engine: rows depend on strides"
        essence strides >one
        essence steps >two
        [ -s one ] || fail "nothing to compare in the JSON"
        cmp one two || fail "$solver, $engine: results depend on strides"
    done
    compare "$solver in strides" "$example" --stop 12ms --solver $solver --every 0.1ms
    compare "$solver in strides without a ledger" "$example" --stop 12ms --solver $solver --every 0.1ms --no-ledger
    compare "$solver, rows off the grid" "$example" --stop 3.1234567ms --solver $solver --every 0.0123456ms
done

# ---- names are no code ---------------------------------------------------------------------------------------------

# no name of a model gets into the text; the cache has no name of it
cat >hostile.hbg <<'END'
model Zaunkoenig "*/ int zaunkoenig = %s%n; #include ä ; system(1) /*" {
    param zaunkoenig_p = 2 [Ohm];
    Se zaunkoenig_s(1 [V]);
    R zaunkoenig_r(zaunkoenig_p);
    C zaunkoenig_c(1 [F]);
    1 zaunkoenig_j;
    zaunkoenig_s -> zaunkoenig_j;
    zaunkoenig_j -> zaunkoenig_r;
    zaunkoenig_j -> zaunkoenig_c;
    output zaunkoenig_o = zaunkoenig_c.e;
    experiment zaunkoenig_x { stop 1 [s]; solver euler step 1 [ms]; record zaunkoenig_o; }
}
END
export XDG_CACHE_HOME=$PWD/hostile
compare hostile "$PWD/hostile.hbg"
[ "$(cat compiled/code)" -eq 0 ] || { fail 'the hostile model does not run'; cat compiled/words >&2; }
grep -rq zaunkoenig hostile/hbg && fail 'a name of the model is in the cache'
[ "$(find hostile/hbg -name '*.c' | wc -l)" -eq 1 ] || fail 'one text should be in the cache'

# ---- no compiler, no cache -----------------------------------------------------------------------------------------

cp "$HBG_SOURCE_DIR/examples/rlc/rlc.hbg" .
mkdir empty
run_bare() { # CODE ARGUMENT...: `run` without any program in PATH
    local wanted=$1 code=0
    shift
    PATH=$PWD/empty "$HBG" "$@" >out 2>err </dev/null || code=$?
    [ "$code" -eq "$wanted" ] || { fail "exit code $code, not $wanted: hbg $*"; cat out err >&2; }
}
run_bare 2 run rlc.hbg --engine native -p resistance=3.25 -o rows.csv
says err 'rlc.hbg'
says err '`cc`'
says err 'gcc' # what to install
says err '--engine interpreter'
absent rows.csv
run_bare 0 run rlc.hbg --engine auto --json
says out '"engine": "interpreter"'

run 2 run rlc.hbg --engine fast
says err 'auto, native or interpreter'

unset XDG_CACHE_HOME
run 2 run rlc.hbg --engine native
says err 'XDG_CACHE_HOME'
run 0 run rlc.hbg --engine auto -q

mkdir -m 0755 open
XDG_CACHE_HOME=$PWD/open run 0 run rlc.hbg --engine native -q # the folder hbg inside is ours alone
[ "$(stat -c %a open/hbg)" = 700 ] || fail 'the cache is open to others'
chmod 0770 open/hbg
XDG_CACHE_HOME=$PWD/open run 2 run rlc.hbg --engine native
says err '0700'

# ---- a long run is compiled on its way -----------------------------------------------------------------------------

export XDG_CACHE_HOME=$PWD/late
run 0 run rlc.hbg --stop 3s --solver rk4 --step 1us --every 1ms --json --engine auto -o auto.csv
says out '"engine": "native"'
optimised # interpreting many steps is tested elsewhere
run 0 run rlc.hbg --stop 3s --solver rk4 --step 1us --every 1ms --json --engine interpreter -o interpreter.csv
says out '"engine": "interpreter"'
sanitized
cmp auto.csv interpreter.csv || fail 'a run that changed its engine on the way has other rows'
run 0 run rlc.hbg --json
says out '"engine": "interpreter"'

finish
