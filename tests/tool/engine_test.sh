#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run --engine: every experiment of every example has the same rows, events, verdicts and energies, byte by byte, whether
# it is interpreted or compiled.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"

runs=0
for bundle in "$HBG_SOURCE_DIR"/examples/*/; do
    name=$(basename "$bundle")
    file=$bundle$name.hbg
    short=()
    case $name in # converters at some microseconds a step
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
        compare "$name $experiment in strides" "$file" "${options[@]}" "${short[@]}" # nobody listens to events
    done
done
[ "$runs" -ge 100 ] || fail "only $runs experiments gave rows"

finish
