#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Exported C and an FMU of experiment 2 of paper 001 beside hbg's native engine: instructions by callgrind, which do not depend on how busy a machine is; those of
# a shorter run are taken away from a longer one's. The time to export, and what it takes of a machine: code and constants, and memory.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"

model=$HBG_SOURCE_DIR/examples/adapt-experiment-2/adapt-experiment-2.hbg
met=0
export HBG_PATH=$HBG_SOURCE_DIR/lib XDG_CACHE_HOME=$PWD/cache

# exported SECONDS: the program of a run that long
exported() {
    "$HBG" export c "$model" --quiet --no-ledger --stop "$1 [s]" --every 1000 -o "run-$1"
    make -s -C "run-$1" CC=gcc >/dev/null
}
exported 0.02
exported 0.12
# the FMU in co-simulation, driven by the smallest importer there is
"$HBG" export fmu "$model" --quiet --no-ledger --stop '8.2 [s]' -o adapt.fmu
mkdir fmu && (cd fmu && unzip -q ../adapt.fmu)
gcc -O2 -I fmu/sources -o driver "$HBG_SOURCE_DIR/tests/tool/fmu_driver.c" -ldl -lm
guid=$(sed -n 's/.* guid="\([^"]*\)".*/\1/p' fmu/modelDescription.xml)
library=$(find "$PWD/fmu/binaries" -name '*.so')
# count COMMAND...: its instructions
count() {
    valgrind --tool=callgrind --callgrind-out-file=callgrind.out "$@" 2>&1 >output </dev/null | sed -n 's/^.*Collected : *\([0-9]*\).*/\1/p'
}
# difference COMMAND...: between runs of 0.12 s and of 0.02 s, which take the place of @
difference() {
    calc "$(count "${@//@/0.12}") - $(count "${@//@/0.02}")" %.0f
}
native=("$HBG" run "$model" -q --engine native --no-ledger --stop '@ [s]' --every 1000)
"${native[@]//@/0.02}" >output # its code is compiled and kept
by_engine=$(difference "${native[@]}")
ratio=$(calc "$(difference run-@/adapt_experiment2) / $by_engine" %.3f)
fmu_ratio=$(calc "$(difference ./driver "$library" "$guid" cs 7.5e-3 @ 0 0 0) / $by_engine" %.3f)
close_ratio=$(calc "$(difference ./driver "$library" "$guid" cs 7.5e-4 @ 0 0 0) / $by_engine" %.3f)
cpu 3 sh -c '"$0" export fmu "$1" --quiet --no-binary -o again.fmu' "$HBG" "$model"
fmu_time=$seconds

cpu 3 sh -c 'rm -rf again && "$0" export c "$1" --quiet -o again' "$HBG" "$model"
export_time=$seconds
gcc -Os -std=c11 -ffp-contract=off -DNDEBUG -ffunction-sections -fdata-sections -Wl,--gc-sections -o small run-0.12/*.c -lm
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

Experiment 2 of 001 with ode3, 7.5 us a step, without rows and energies: instructions by callgrind of 0.1 s from 0.02 s on. Sizes are those of a program made for size (\`-Os\`, nothing that is not called): ROM is code and constants, RAM an instance.

| ratio | found | bar | met |
|---|--:|--:|---|
END
judge 'exported C, times the native engine' "$ratio" 1.1
judge 'FMU in co-simulation, 7.5 ms a communication step, times the native engine' "$fmu_ratio" 1.3
judge 'FMU in co-simulation, 0.75 ms a communication step, times the native engine' "$close_ratio" 1.3
judge 'time to export C, s' "$(calc "$export_time" %.2f)" 2
judge 'time to export an FMU without its binary, s' "$(calc "$fmu_time" %.2f)" 2
echo "| ROM, bytes | $rom | | |"
echo "| RAM, bytes | $ram | | |"
exit $met
