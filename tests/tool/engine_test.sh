#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run --engine: every experiment of every example has the same rows, events, verdicts and energies, byte by byte, whether
# it is interpreted or compiled. One example of four, all of them in a soak.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"
optimised # ledger_test.sh of the examples interprets them with the sanitizers, engine_choice and engine_faults compile with them

share=4
[ -z "${HBG_SOAK:-}" ] || share=1
examples=0
runs=0
for bundle in "$HBG_SOURCE_DIR"/examples/*/; do
    examples=$((examples + 1))
    [ $((examples % share)) -eq 0 ] || continue
    name=$(basename "$bundle")
    file=$bundle$name.hbg
    short=()
    case $name in # converters with steps of some microseconds
    adapt-experiment-1) # in a soak past the relay and the fault
        short=(--stop "$([ -n "${HBG_SOAK:-}" ] && echo 3.05s || echo 20ms)")
        ;;
    adapt-experiment-2 | adapt-plain-relay | boost-buck-inverter) short=(--stop 10ms) ;;
    capacitor-motor | fan-coast-down) short=(--stop 100ms) ;;
    esac
    experiments=$(sed -n 's/^ *experiment \([A-Za-z0-9_]*\).*/\1/p' "$file")
    for experiment in ${experiments:--}; do
        options=()
        [ "$experiment" != jump ] || short=() # of adapt-plain-relay: the start alone
        [ "$experiment" = - ] || options=(-x "$experiment")
        compare "$name $experiment" "$file" "${options[@]}" "${short[@]}" --events events
        [ ! -s compiled/rows.csv ] || runs=$((runs + 1))
        grep -q 'solver \(euler\|heun\|ode3\|rk4\)' "$file" || continue
        compare "$name $experiment in strides" "$file" "${options[@]}" "${short[@]}" # events are not observed
    done
done
# independent parts have their own steps with either engine: two that flash, one of them stiff, and one that
# is smooth
cat >parts.hbg <<'END'
component Lamp(series = 1 [kOhm]) {
    Se battery(12 [V]);
    1 charging;
    R resistor(series);
    0 node;
    C store(47 [uF]);
    1 flash when lamp;
    R bulb(20 [Ohm]);
    battery -> charging -> node -> store;
    charging -> resistor;
    node -> flash -> bulb;
    automaton lamp {
        off dark -> lit when store.e > 8 [V];
        on lit -> dark when store.e < 3 [V];
    }
}
model Parts {
    Lamp fast;
    Lamp slow(series = 3 [kOhm]);
    Se s(1 [V]);
    R r(1 [Ohm]);
    R tiny(1 [uOhm]);
    I i(1 [H]);
    C c(1 [uF]);
    1 j;
    0 n;
    s -> j -> r;
    j -> i;
    j -> n;
    n -> c;
    n -> tiny;
    experiment night {
        stop 0.2 [s];
        record fast.store.e, slow.store.e, c.e;
    }
}
END
parts() {
    compare "independent parts $*" "$PWD/parts.hbg" "$@" --events events
    [ "$(cat compiled/code)" -eq 0 ] || { fail "independent parts $* do not run"; cat compiled/words >&2; }
    grep -q 'independent parts' compiled/json || fail "the model does not fall into parts: $*"
}
parts
parts --solver bdf
parts --every 1ms
parts --fault 'at 5 [ms]: fast.bulb abrupt 50 [%]'

[ "$((share * runs))" -ge 100 ] || fail "only $runs experiments gave rows"

finish
