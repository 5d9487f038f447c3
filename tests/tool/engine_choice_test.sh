#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run --engine: strides and single steps agree, names of the model are no code, what happens where there is no compiler or
# no place to keep code, and a long run that is compiled on its way.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"

# ---- strides -------------------------------------------------------------------------------------------------------

# Without a log of events a run goes in strides, with it one step at a time. Rows, final values and modes are the same; sums of
# energies are formed in another order, and what was counted on the way differs.
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

# nothing that a model is called gets into the text; in the cache there is no name of it
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

# ---- faults ----------------------------------------------------------------------------------------------------------

# A fault is an override: values that jump, held automata and sensors leave the code as it is. There is one object for runs with
# faults on parameters or none, whatever parameters and settings are, and one for those with faults on elements and sensors.
cat >faulty.hbg <<'END'
model Faulty {
    param V = 10 [V], resistance = 4 [Ohm], size = 2 [F], high = 6 [V], gain = 0.5;
    Se s(V);
    1 j;
    R r(resistance);
    0 n;
    C c(size, e = 1 [V]);
    R leak(1 [Ohm]);
    R warm((3 [Ohm])*(1 + gain*c.e/(1 [V])));
    1 path when door;
    s -> j -> n -> c;
    j -> r;
    n -> warm;
    n -> path -> leak;
    automaton door {
        off shut -> open when c.e > high;
        on open -> shut when c.e < 2 [V];
    }
    sensor seen = 2*c.e;
    sensor sampled = c.e every 0.1 [s];
    output o = c.e + sampled;
    experiment run { stop 3 [s]; solver rk4 step 1 [ms]; record o, seen every 10 [ms]; }
    experiment other { set size = 3 [F]; set c.e = 2 [V]; stop 3 [s]; solver rk4 step 1 [ms]; record o, seen every 10 [ms]; }
}
END
export XDG_CACHE_HOME=$PWD/faulty
objects() { find faulty/hbg -name '*.so' | wc -l; }
at='at 1 [s]:'
agree() { # NAME OPTION...: both engines run it, with the same bits
    compare "$1" "$PWD/faulty.hbg" "${@:2}"
    [ "$(cat compiled/code)" -eq 0 ] || { fail "$1 does not run"; cat compiled/words >&2; }
}
agree "no fault"
agree "another value" -p resistance=5
agree "another experiment" -x other
for fault in 'resistance abrupt -30 [%]' 'resistance abrupt 1 [Ohm]' 'size stuck 1' 'V abrupt 2 [V]' 'door stuck on' \
    'sampled bias 1' 'sampled noise(0 [V], 0.01 [V2])'; do
    agree "$fault" --fault "$at $fault"
done
agree "several" --fault "$at size abrupt 1 [%]" --fault "$at V stuck 9" --fault "$at door stuck off"
[ "$(objects)" -eq 1 ] || fail "$(objects) objects for faults on parameters, automata and samples"
for fault in 'leak abrupt -30 [%]' 'leak stuck 2' 'r abrupt 1 [Ohm]' 'seen bias 1' 'c abrupt 1 [%]' \
    's abrupt 1 [V]'; do
    agree "$fault" --fault "$at $fault"
done
agree "all of these" --fault "$at leak abrupt 5 [%]" --fault "$at r stuck 3" --fault "$at seen stuck 3" \
    --fault "$at size abrupt 1 [%]" --fault "$at door stuck on"
[ "$(objects)" -eq 2 ] || fail "$(objects) objects for all faults that jump"
# what the system modulates and faults act on is looked at in every row, by code of its own
for fault in 'warm abrupt 10 [%]' 'warm stuck 2'; do
    agree "$fault" --fault "$at $fault"
done
[ "$(objects)" -eq 3 ] || fail "$(objects) objects with faults on a modulated element"
# what creeps is moved by the run: one object for all parameters, elements and sensors, also for what stores
rm -rf faulty
for fault in 'resistance incipient 1 [Ohm/s]' 'V incipient -5 [%/s]' 'high incipient 0.5 [V/s]'; do
    agree "$fault" --fault "$at $fault"
done
agree "creeping and jumping" --fault "$at resistance incipient 5 [%/s]" --fault "at 2 [s] until 2.5 [s]: V incipient 1 [V/s]" \
    --fault "at 1.5 [s] until 2 [s]: resistance stuck 3" --fault "at 2 [s]: door stuck on"
for fault in 'leak incipient 10 [%/s]' 'r incipient 1 [Ohm/s]' 's incipient 1 [V/s]' 'seen drift 1 [V/s]' \
    'size incipient 5 [%/s]' 'c incipient -0.1 [F/s]'; do
    agree "$fault" --fault "$at $fault"
done
[ "$(objects)" -eq 1 ] || fail "$(objects) objects for all that creeps"
# and where values are derived, by dependent storages and der(…), and where parameters alone decide which formula holds
cat >derived.hbg <<'END'
model Derived {
    param C1 = 2 [F], C2 = 1 [F], L1 = 1 [H], n = 2, low = 1, high = 3, turn = 4, most = max(low, n), steps = floor(turn);
    Se s(10 [V]);
    R r(3 [Ohm]);
    C a(C1, e = 1 [V]);
    C b(C2*most/(2));
    1 j;
    0 node;
    s -> j -> r;
    j -> node;
    node -> a;
    node -> b;
    1 k;
    I coil(L1);
    R load(high > turn ? 5 [Ohm] : 6 [Ohm]);
    TF gear(n);
    1 far;
    I far_coil(0.5 [H]);
    node -> k;
    k -> coil;
    k -> load;
    k -> gear -> far -> far_coil;
    signal change = der(n*node.e*steps);
    automaton late {
        off early -> done when turn > 5.5;
        on done -> early when turn < 0;
    }
    output o = node.e, d = change, i = coil.f, is_late = late;
    experiment run { stop 3 [s]; solver rk4 step 1 [ms]; record o, d, i, is_late every 10 [ms]; }
}
END
rm -rf faulty
derived() { # FAULT...: both engines, with the same bits
    local options=()
    for fault in "$@"; do options+=(--fault "$at $fault"); done
    compare "$*" "$PWD/derived.hbg" "${options[@]}"
    [ "$(cat compiled/code)" -eq 0 ] || { fail "$* does not run"; cat compiled/words >&2; }
}
for fault in 'C1 incipient 5 [%/s]' 'C2 incipient 0.1 [F/s]' 'L1 incipient 3 [%/s]' 'n incipient 0.2 [1/s]' 'low incipient 1 [1/s]' \
    'high incipient 1 [1/s]' 'turn incipient 1 [1/s]' 'a incipient 2 [%/s]' 'b incipient 0.1 [F/s]' 'coil incipient 2 [%/s]' \
    'far_coil incipient -0.1 [H/s]' 'gear incipient 10 [%/s]' 'r incipient 1 [Ohm/s]' 's incipient -1 [V/s]' 'most incipient 1 [1/s]' \
    'steps incipient 1 [1/s]'; do
    derived "$fault"
done
derived 'C1 incipient 5 [%/s]' 'turn incipient 1 [1/s]' 'far_coil abrupt 10 [%]' 'late stuck off'
[ "$(objects)" -eq 1 ] || fail "$(objects) objects for what creeps where it is derived or decides"

# ---- no compiler, no cache -----------------------------------------------------------------------------------------

cp "$HBG_SOURCE_DIR/examples/rlc/rlc.hbg" .
mkdir empty
run_bare() { # CODE ARGUMENT...: `run` with no program to be found
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
says err 'auto, native, interpreter'

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
run 0 run rlc.hbg --stop 3s --solver rk4 --step 1us --every 1ms --json --engine interpreter -o interpreter.csv
says out '"engine": "interpreter"'
cmp auto.csv interpreter.csv || fail 'a run that changed its engine on the way has other rows'
run 0 run rlc.hbg --json
says out '"engine": "interpreter"'

finish
