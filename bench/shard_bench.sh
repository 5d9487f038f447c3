#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What a shard costs beside its runs: a shard with one run at most, of a sweep of 10^5, and its share of putting the tables together.
set -euo pipefail

bar=50 # ms
rounds=5
shards=50
met=0

# spent COMMAND...: milliseconds of processor time, the least of some rounds, with all it starts
spent() {
    local TIMEFORMAT='%U %S'
    for _ in $(seq $rounds); do
        { time "$@" >output 2>err; } 2>>rounds.txt || { cat err >&2; exit 1; }
    done
    awk '{ t = 1000 * ($1 + $2); if (NR == 1 || t < least) least = t } END { printf "%.0f", least }' rounds.txt
    rm rounds.txt
}

cat <<END
## Shards

Processor time, the best of $rounds: of a shard with one run, from the start of the command to its table, in a sweep of 10^5 runs; and of merging
$shards tables, for each. Bar: both together at most $bar ms.

| model | ms of a shard | ms of merging, each | together |
|---|--:|--:|--:|
END
# shard MODEL PARAMETER
shard() {
    local model=$HBG_SOURCE_DIR/examples/$1/$1.hbg one merged each
    local of=("$HBG" sweep "$model" -p "$2" -j 1 -q --engine interpreter --stop '0.1 [ms]')
    one=$(spent "${of[@]}" --runs 100000 --shard 1/100000 -o one.csv)
    for k in $(seq $shards); do "${of[@]}" --runs $shards --shard "$k/$shards" -o "shard-$k.csv" >output; done
    merged=$(spent "$HBG" sweep --merge shard-*.csv -o all.csv)
    each=$(awk "BEGIN { printf \"%.1f\", $merged / $shards }")
    echo "| $1 | $one | $each | $(awk "BEGIN { printf \"%.0f\", $one + $each }") |"
    awk "BEGIN { exit !($one + $each <= $bar) }" || met=1
    rm -f ./*.csv
}
shard diode-inductor 'R1~normal(330 [Ohm], 10 [Ohm])'
shard adapt-experiment-2 'motor.Rs~normal(163 [Ohm], 2 [Ohm])'
exit $met
