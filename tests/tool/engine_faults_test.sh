#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run --engine native --fault: a fault is an override, without separate code. Objects in the cache are
# counted, and both engines give the same bits.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"

# ---- that jump, and that creep ----------------------------------------------------------------------------------------

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
# elements that are modulated and faulty are examined in every step, by separate code
for fault in 'warm abrupt 10 [%]' 'warm stuck 2'; do
    agree "$fault" --fault "$at $fault"
done
[ "$(objects)" -eq 3 ] || fail "$(objects) objects with faults on a modulated element"
# incipient faults are moved by the run: one object for all parameters, elements and sensors, also for
# storages
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
# also if values are differentiated, by dependent storages and der(…), and if only parameters select a formula
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

# ---- faults on what the system modulates -----------------------------------------------------------------------------

# What is looked at with every step does not depend on which of these elements is faulty, and by what: parameters that jump, or are
# asked for, elements that do, and what creeps have an object each. One of them has no finite value while its branch is off.
printf 'time,ohm\n0,2\n2,3\n4,3\n' >wear.csv
cat >watched.hbg <<'END'
model Watched {
    param gain = 0.5, other = 0.2, base = 3 [Ohm], slope = 1 [Ohm], lift = 4 [Ohm], minus = -gain, share = 1;
    Se s(10 [V]);
    1 j;
    R r(4 [Ohm]);
    0 n;
    C c(2 [F], e = 1 [V]);
    R warm(base*(1 + gain*c.e/(1 [V])));
    R warmer((5 [Ohm])*(1 + other*c.e/(1 [V])));
    R cold((2 [Ohm])*(3 - minus*c.e/(1 [V])));
    R late(lift + slope*sin(time/(1 [s])));
    R worn(table("wear.csv", "ohm")*(1 [Ohm])*share);
    C soft((1 [F])*(1 + c.e*c.e/(100 [V2])));
    R damp(1 [Ohm]);
    1 k;
    1 path when door;
    R odd(share*(1 [V])/path.f);
    R shut(1 [Ohm]);
    s -> j -> n -> c;
    j -> r;
    j -> warm;
    n -> warmer;
    n -> cold;
    n -> late;
    n -> worn;
    n -> k -> damp;
    k -> soft;
    n -> path -> shut;
    path -> odd;
    automaton door {
        off shut -> open when time > 10 [s];
        on open -> shut when time > 20 [s];
    }
    output o = c.e;
    experiment run { stop 3 [s]; solver rk4 step 1 [ms]; record o every 10 [ms]; }
}
END
rm -rf faulty
watched() { # OPTION...: both engines, with the same bits
    compare "$*" "$PWD/watched.hbg" --no-ledger "$@"
    [ "$(cat compiled/code)" -eq 0 ] || { fail "$* does not run"; cat compiled/words >&2; }
}
for fault in 'gain abrupt 10 [%]' 'other stuck 0.3' 'base abrupt 1 [Ohm]' 'slope abrupt -10 [%]' 'minus abrupt 10 [%]' \
    'share abrupt 10 [%]'; do
    watched --fault "$at $fault"
done
watched -p other=0.25
watched -p base=2 --fault "$at lift abrupt 10 [%]"
[ "$(objects)" -eq 1 ] || fail "$(objects) objects for parameters of what is modulated"
for fault in 'warm abrupt 10 [%]' 'warmer stuck 2' 'cold abrupt 1 [Ohm]' 'late abrupt 10 [%]' 'worn abrupt 10 [%]' 'soft abrupt 10 [%]' \
    'odd abrupt 10 [%]'; do
    watched --fault "$at $fault"
done
watched --fault "$at warm abrupt 10 [%]" --fault "$at other abrupt 10 [%]" --fault "$at r stuck 3" -p gain=0.6
[ "$(objects)" -eq 2 ] || fail "$(objects) objects for elements that are modulated"
for fault in 'gain incipient 10 [%/s]' 'minus incipient -0.1 [1/s]' 'slope incipient 1 [Ohm/s]' 'share incipient 1 [%/s]' \
    'warm incipient 10 [%/s]' 'soft incipient 0.1 [F/s]' 'worn incipient 1 [%/s]'; do
    watched --fault "$at $fault"
done
watched --fault "$at cold incipient 10 [%/s]" --fault "$at warm stuck 2" --fault "$at lift abrupt 1 [%]"
[ "$(objects)" -eq 3 ] || fail "$(objects) objects for what creeps and is modulated"

# ---- faults of what others are defined by ----------------------------------------------------------------------------

# The sign of a definition, and terms it shares with others, stay out of the code.
cat >negated.hbg <<'END'
model Negated {
    param k = 3 [Ohm], m = -k, twin = k, half = -m/2, drive = 10 [V], back = -drive, ratio = m/k;
    Se s(drive);
    Se b(back/4);
    1 j;
    R r(-m);
    R q(half - m);
    R twins(twin*2 - k);
    R last(k - ratio*(2 [Ohm]));
    I i(1 [H]);
    C c(1 [F]);
    s -> j -> r;
    b -> j -> q;
    j -> twins;
    j -> last;
    j -> i;
    j -> c;
    output o = i.f, away = m*i.f;
    experiment run { stop 3 [s]; solver rk4 step 1 [ms]; record o, away every 10 [ms]; }
}
END
rm -rf faulty
negated() { # FAULT...: both engines, with the same bits
    local options=()
    for fault in "$@"; do options+=(--fault "$at $fault"); done
    compare "$*" "$PWD/negated.hbg" "${options[@]}"
    [ "$(cat compiled/code)" -eq 0 ] || { fail "$* does not run"; cat compiled/words >&2; }
}
negated
for fault in 'k abrupt 1 [%]' 'k stuck 2' 'm abrupt 1 [Ohm]' 'twin abrupt 1 [%]' 'half abrupt 1 [%]' 'drive stuck -1' 'back abrupt 1 [%]'; do
    negated "$fault"
done
[ "$(objects)" -eq 1 ] || fail "$(objects) objects for parameters others are defined by"
negated 'r abrupt 1 [%]'
negated 'q abrupt 1 [%]' 'k abrupt 1 [%]' 'm abrupt 1 [%]'
[ "$(objects)" -eq 2 ] || fail "$(objects) objects for these and elements"
for fault in 'k incipient 1 [%/s]' 'm incipient 0.1 [Ohm/s]' 'half incipient 1 [%/s]' 'drive incipient 1 [V/s]' 'r incipient 1 [%/s]'; do
    negated "$fault"
done
[ "$(objects)" -eq 3 ] || fail "$(objects) objects for these and what creeps"

finish
