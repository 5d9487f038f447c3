#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What a user waits for with a small model, by the clock; and a run that is long because it has many steps: a spring
# that stiffens, without damping, whose energy shows how much of the errors of 10^5 periods adds up.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"

runs=20
bar=50 # ms
met=0

cat <<END
## Small models

From the command to the finished CSV file, by the clock, best of $runs. Bar: each within $bar ms.

| model | rows | ms |
|---|--:|--:|
END
# clock NAME MODEL
clock() {
    local start time best=1000000000
    for _ in $(seq $runs); do
        start=${EPOCHREALTIME/[.,]/}
        "$HBG" run "$2" -q -o small.csv >output
        time=$((${EPOCHREALTIME/[.,]/} - start))
        [ "$time" -ge "$best" ] || best=$time
    done
    printf '| %s | %d | %d.%01d |\n' "$1" $(($(wc -l <small.csv) - 1)) $((best / 1000)) $((best % 1000 / 100))
    [ "$best" -le $((bar * 1000)) ] || met=1
}
for name in mass-spring-damper rlc diode-inductor ball-restitution; do
    clock $name "$HBG_SOURCE_DIR/examples/$name/$name.hbg"
done
clock "boost converter" "$peers/converter.hbg"

cat <<END

## A spring over 10^5 periods

Mass on a spring that stiffens (examples/nonlinear-spring), without damping: processor time, and the largest change of
the energy, which is constant. Bar: the energy is as constant as the tolerance times the number of periods.

| rtol | solver | steps | s | ns a step | change of energy | periods a second |
|--:|---|--:|--:|--:|--:|--:|
END
period=1.06616213752896
for rtol in 1e-6 1e-9; do
    cpu 1 "$HBG" run "$HBG_SOURCE_DIR/examples/nonlinear-spring/nonlinear-spring.hbg" -q --json --no-ledger \
        --stop "$(calc "1e5 * $period" %.10f)" --rtol $rtol --record energy \
        --every "$(calc "100.3 * $period")" -o spring.csv
    change=$(awk -F, 'NR == 2 { e = $2 } NR > 1 { d = $2 / e - 1; if (d < 0) d = -d; if (d > most) most = d }
        END { printf "%.1e", most }' spring.csv)
    solver=$(sed -n '/"solver"/,/}/s/.*"name": "\(.*\)",*$/\1/p' output)
    steps=$(statistic steps)
    echo "| $rtol | $solver | $steps | $seconds | $(calc "1e9 * $seconds / $steps" %.0f) |" \
        "$change | $(calc "1e5 / $seconds" %.0f) |"
    holds "$change <= $rtol * 1e5" || met=1
done
exit $met
