#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Ideal switches that commutate: what the limit of a mode in which sources fight costs, beside a circuit with small resistances
# and beside a guard that is only located. The time until the first step is measured with a run that stops at 0 and taken away.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"

buck_bar=1.3   # times the buck with 10 mΩ, in time and in steps
guard_bar=2    # times a located guard, for each commutation
growth_bar=1.1 # exponent of the time in the commutations
ideal=$HBG_SOURCE_DIR/bench/ideal
met=0

# measure FILE MODEL STOP: seconds beyond the start in `net`, and `steps` and `commits` of the run
measure() {
    local start
    cpu 3 "$HBG" run "$1" -m "$2" -q --json --no-ledger --solver erk --stop 0
    start=$seconds
    cpu 3 "$HBG" run "$1" -m "$2" -q --json --no-ledger --solver erk --stop "$3"
    # a thousandth of a second is what the clock can tell
    net=$(calc "$seconds - $start > 0.001 ? $seconds - $start : 0.001")
    steps=$(statistic steps)
    commits=$(statistic commits)
}

cat <<END
## Ideal switches

A buck converter of 100 kHz over 20 ms whose switch and diode are ideal, beside one in which each has 10 mΩ; processor time without
the time until the first step. Bar: within $buck_bar times in time and in steps.

| buck | steps | mode changes | s |
|---|--:|--:|--:|
END
measure "$ideal/buck.hbg" Lossy 0.02
lossy_steps=$steps lossy_net=$net
echo "| 10 mΩ | $steps | $commits | $net |"
measure "$ideal/buck.hbg" Ideal 0.02
echo "| ideal | $steps | $commits | $net |"
echo "| ratio | $(calc "$steps / $lossy_steps" %.2f) | | $(calc "$net / $lossy_net" %.2f) |"
holds "$steps <= $buck_bar * $lossy_steps && $net <= $buck_bar * $lossy_net" || met=1

cat <<END

A six-pulse bridge of ideal diodes on ideal sources of 50 Hz, six commutations in a period; beside it the
same bridge with switches of 10 mΩ that guards on the sources turn on and off at the same instants. Bars: the time grows with the commutations, exponent at most $growth_bar; a commutation costs
at most $guard_bar times a located guard.

| circuit | periods | commutations | s | µs each |
|---|--:|--:|--:|--:|
END
# each_of NAME MODEL PERIODS: a row, and microseconds for each commutation in `each`
each_of() {
    measure "$ideal/bridge.hbg" "$2" "$(calc "$3 / 50")"
    each=$(calc "1e6 * $net / (6 * $3)" %.3g)
    echo "| $1 | $3 | $((6 * $3)) | $net | $each |"
}
each_of guard Guard 2000
guard=$each
each_of bridge Bridge 500
first=$net
each_of bridge Bridge 2000
growth=$(exponent "$first" "$net" 500 2000)
echo "| growth | | | $growth | $(calc "$each / $guard" %.2f) guards |"
holds "$growth <= $growth_bar && $each <= $guard_bar * $guard" || met=1
exit $met
