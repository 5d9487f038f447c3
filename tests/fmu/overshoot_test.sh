#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# In four examples steps that go past each switching bring the more modes the shorter they are: exactly as many as the equations tell, worked out by
# hand, in `hbg run` by forward Euler and in an importer's. An importer whose steps end at the switching has as many as a run that locates it.
# It takes long to compile the FMUs of two of them: these are for soak.
. "$HBG_SOURCE_DIR/tests/fmu/examples.sh"
export HBG="$HBG_OPTIMISED"
hastened
[ -z "${HBG_SOAK:-}" ] || LONGEST=300

for name in lossy-switches pile resonant-charger six-pulse-overlap; do
    wanted "$name" --solver erk --rtol 1e-10 || { fail "$name: $(cat said)"; continue; }
    stop=$(tail -n 1 wanted.csv | cut -d, -f1) located=$(modes)
    for steps in 1300 7000; do
        step=$(awk -v stop="$stop" -v steps="$steps" 'BEGIN { printf "%.17g", stop / steps }')
        by_hand=$(overshot "$name" "$steps")
        [ "$by_hand" -gt $((2 * located)) ] || fail "$name, $steps steps: $by_hand modes are hardly more than $located"
        wanted "$name" --solver euler --step "${step}s" || { fail "$name: $(cat said)"; continue; }
        [ "$(modes)" = "$by_hand" ] || fail "$name, a run with $steps steps: $(modes) modes became real, not $by_hand"
    done
    case ${HBG_SOAK:+soak}$name in resonant-charger | six-pulse-overlap) continue ;; esac
    wanted "$name" --solver erk --rtol 1e-10 && exported 3 "$name" --solver erk --rtol 1e-10 || { fail "$name: $(cat said)"; continue; }
    for steps in 1300 7000; do
        step=$(awk -v stop="$stop" -v steps="$steps" 'BEGIN { printf "%.17g", stop / steps }')
        found "$name" --interface me --locate --step "$step" --stop "$stop" && same_modes "$name, located, $steps steps"
        found "$name" --interface me --step "$step" --stop "$stop" && euler_modes "$name, $steps steps" "$steps"
    done
done
exit "$failed"
