#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Experiment 2 of Virtual ADAPT on a CUDA device: scenario-seconds per second of a sweep, behind what its first second costs. Says so where
# there is no device.
set -euo pipefail

model=$HBG_SOURCE_DIR/examples/adapt-experiment-2/adapt-experiment-2.hbg
runs=65536
declare -A bar=([start_euler]=150000 [start]=45000)

# sweep EXPERIMENT SECONDS RUNS: the sweep, without the energy balance
sweep() {
    "$HBG" sweep "$model" -I "$HBG_SOURCE_DIR/lib" -x "$1" --stop "$2 [s]" --runs "$3" --engine cuda --no-ledger \
        --record v_battery,speed -p 'motor.Rs~normal(163 [Ohm], 2 [Ohm])' -o cuda.csv
}

# spent COMMAND...: wall time in ms
spent() {
    local begin
    begin=$(date +%s%N)
    "$@" >/dev/null
    echo $((($(date +%s%N) - begin) / 1000000))
}

echo "## CUDA"
echo
if ! sweep start_euler 0.01 64 | grep -q ' steps on NVIDIA'; then
    echo "There is no CUDA device here, or no nvcc: nothing was measured."
    exit 0
fi
echo "$runs runs of experiment 2 of Virtual ADAPT with a random resistance, without the energy balance; the first second is taken away."
echo
echo "| experiment | scenario-seconds per second | bar |"
echo "|---|--:|--:|"
met=0
for experiment in start_euler start; do
    sweep $experiment 0.01 64 >/dev/null # compiles
    first=$(spent sweep $experiment 1 $runs)
    all=$(spent sweep $experiment 9 $runs)
    speed=$((runs * 8 * 1000 / (all - first)))
    echo "| $experiment | $speed | ${bar[$experiment]} |"
    [ "$speed" -ge "${bar[$experiment]}" ] || met=1
done
exit $met
