#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Exported C and an FMU of experiment 2 of paper 001 beside hbg's native engine: runs of both are taken in turns and the least processor time of each
# counts; a shorter run is taken away from a longer one. The time to export, and what it takes of a machine: code and constants, and memory.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"

turns=${ADAPT_TURNS:-5}
model=$HBG_SOURCE_DIR/examples/adapt-experiment-2/adapt-experiment-2.hbg
met=0
export HBG_PATH=$HBG_SOURCE_DIR/lib XDG_CACHE_HOME=$PWD/cache

# exported SECONDS: the program of a run that long
exported() {
    "$HBG" export c "$model" --quiet --no-ledger --stop "$1 [s]" --every 1000 -o "run-$1"
    make -s -C "run-$1" CC=gcc >/dev/null
}
exported 0.2
exported 8.2
# the FMU in co-simulation, driven by the smallest importer there is
"$HBG" export fmu "$model" --quiet --no-ledger --stop '8.2 [s]' -o adapt.fmu
mkdir fmu && (cd fmu && unzip -q ../adapt.fmu)
gcc -O2 -I fmu/sources -o driver "$HBG_SOURCE_DIR/tests/tool/fmu_driver.c" -ldl -lm
guid=$(sed -n 's/.* guid="\([^"]*\)".*/\1/p' fmu/modelDescription.xml)
library=$(find "$PWD/fmu/binaries" -name '*.so')
drive() { ./driver "$library" "$guid" cs 7.5e-3 "$1" 0 0 0 >/dev/null 2>&1; }
low=(1e9 1e9 1e9) high=(1e9 1e9 1e9)
least() { calc "$1 < $2 ? $1 : $2"; }
for _ in $(seq "$turns"); do
    for seconds_of_run in 0.2 8.2; do
        cpu 1 "run-$seconds_of_run/adapt_experiment2"
        one=$seconds
        cpu 1 drive "$seconds_of_run"
        three=$seconds
        cpu 1 "$HBG" run "$model" -q --engine native --no-ledger --stop "$seconds_of_run [s]" --every 1000
        if [ "$seconds_of_run" = 0.2 ]; then
            low=("$(least "${low[0]}" "$one")" "$(least "${low[1]}" "$seconds")" "$(least "${low[2]}" "$three")")
        else
            high=("$(least "${high[0]}" "$one")" "$(least "${high[1]}" "$seconds")" "$(least "${high[2]}" "$three")")
        fi
    done
done
ratio=$(calc "(${high[0]} - ${low[0]}) / (${high[1]} - ${low[1]})" %.3f)
fmu_ratio=$(calc "(${high[2]} - ${low[2]}) / (${high[1]} - ${low[1]})" %.3f)
cpu 3 sh -c '"$0" export fmu "$1" --quiet --no-binary -o again.fmu' "$HBG" "$model"
fmu_time=$seconds

cpu 3 sh -c 'rm -rf again && "$0" export c "$1" --quiet -o again' "$HBG" "$model"
export_time=$seconds
gcc -Os -std=c11 -ffp-contract=off -DNDEBUG -ffunction-sections -fdata-sections -Wl,--gc-sections -o small run-8.2/*.c -lm
rom=$(size small | awk 'NR == 2 { print $1 + $2 }')
ram=$("$HBG" export c "$model" --json -o sizes | sed -n 's/.*"instance_bytes": \([0-9]*\).*/\1/p')

# judge WHAT VALUE BAR: a line
judge() {
    local verdict=yes
    holds "$2 <= $3" || { verdict='**missed**' && met=1; }
    echo "| $1 | $2 | <= $3 | $verdict |"
}
cat <<END
## ADAPT: exported C and FMU

Experiment 2 of 001 with ode3, 7.5 us a step, without rows and energies: processor time for a simulated second, least of $turns runs in turns, time to
start taken away. Sizes are those of a program made for size (\`-Os\`, nothing that is not called): ROM is code and constants, RAM an instance.

| ratio | found | bar | met |
|---|--:|--:|---|
END
judge 'exported C, times the native engine' "$ratio" 1.1
judge 'FMU in co-simulation, 7.5 ms a communication step, times the native engine' "$fmu_ratio" 1.3
judge 'time to export C, s' "$(calc "$export_time" %.2f)" 2
judge 'time to export an FMU without its binary, s' "$(calc "$fmu_time" %.2f)" 2
echo "| ROM, bytes | $rom | | |"
echo "| RAM, bytes | $ram | | |"
exit $met
