#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Experiment 2 of paper 001 (battery, inverter, fan; 7.5 us a step): hbg's native engine beside a program written by
# hand (adapt_rival.c) and beside the interpreter. Runs of all are taken in turns and the least processor time of each
# counts; a shorter run is taken away from a longer one, so that reading the model, compiling and starting do not count.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"

turns=${ADAPT_TURNS:-5}
model=$HBG_SOURCE_DIR/examples/adapt-experiment-2/adapt-experiment-2.hbg
paper=58.30 # s for one simulated second with ode3, in 001
met=0 bars=
export HBG_PATH=$HBG_SOURCE_DIR/lib XDG_CACHE_HOME=$PWD/cache

# The rival as hbg compiles its own code (src/emit/native.c), but for functions of libm, which it may replace by what the
# compiler knows better; and once more without further flags. The faster of the two counts.
flags=(-O2 -std=gnu11 -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize)
! grep -qw fma /proc/cpuinfo || flags+=(-mfma)
gcc "${flags[@]}" -o rival "$HBG_SOURCE_DIR/bench/adapt_rival.c" -lm
gcc -O2 -o plain "$HBG_SOURCE_DIR/bench/adapt_rival.c" -lm

# the commands, and the simulated times of their shorter and longer runs
names=(rival native interpreter "native, rows" "native, ledger" "rival, only -O2")
short=(0.2 0.2 0.1 0.2 0.2 0.2)
long=(8.2 8.2 1.1 8.2 4.2 8.2)
command_of() { # NUMBER SOLVER SECONDS: in `words`
    local hbg=("$HBG" run "$model" -q --solver "$2" --stop "$3 [s]")
    case $1 in
    0) words=(./rival "$3" "$2") ;;
    1) words=("${hbg[@]}" --engine native --no-ledger --every 1000) ;;
    2) words=("${hbg[@]}" --engine interpreter --no-ledger --every 1000) ;;
    3) words=("${hbg[@]}" --engine native --no-ledger --every 1ms -o rows.csv) ;;
    4) words=("${hbg[@]}" --engine native --every 1000) ;;
    5) words=(./plain "$3" "$2") ;;
    esac
}

# measure SOLVER: seconds of processor time for a simulated second, by number, in `cost`; for all that comes before, in
# `start`
measure() {
    local i low=() high=()
    cost=() start=()
    for i in "${!names[@]}"; do
        command_of "$i" "$1" "${short[i]}"
        cpu 1 "${words[@]}" # the first of all compiles
        low[i]=1e9 high[i]=1e9
    done
    for _ in $(seq "$turns"); do
        for i in "${!names[@]}"; do
            command_of "$i" "$1" "${short[i]}"
            cpu 1 "${words[@]}"
            low[i]=$(calc "${low[i]} < $seconds ? ${low[i]} : $seconds")
            command_of "$i" "$1" "${long[i]}"
            cpu 1 "${words[@]}"
            high[i]=$(calc "${high[i]} < $seconds ? ${high[i]} : $seconds")
        done
    done
    for i in "${!names[@]}"; do
        cost[i]=$(calc "(${high[i]} - ${low[i]}) / (${long[i]} - ${short[i]})")
        start[i]=$(calc "${low[i]} - ${cost[i]} * ${short[i]}")
    done
}

# instructions NUMBER SOLVER: of a step, by callgrind: 40000 steps more, of the interpreter 8000
instructions() {
    local counts=() seconds steps=40000
    [ "$1" != 2 ] || steps=8000
    for seconds in 0.003 "$(calc "0.003 + 7.5e-6 * $steps" %.3f)"; do
        command_of "$1" "$2" "$seconds"
        valgrind --tool=callgrind --callgrind-out-file=callgrind.out "${words[@]}" >output 2>messages </dev/null
        counts+=("$(sed -n 's/^.*Collected : *\([0-9]*\).*/\1/p' messages)")
    done
    calc "(${counts[1]} - ${counts[0]}) / $steps" %.0f
}

# judge WHAT VALUE BAR SIGN: a line
judge() {
    local verdict=yes
    holds "$2 $4 $3" || verdict='**missed**'
    echo "| $1 | $2 | $4 $3 | $verdict |"
}

cat <<END
## ADAPT: native engine

Experiment 2 of 001, 7.5 us a step, without rows and energies unless said: processor time for one simulated second,
least of $turns runs in turns, time to start taken away and shown beside it; instructions of one step by callgrind. The
rival is bench/adapt_rival.c, compiled with the flags of hbg's own code (\`${flags[*]}\`) and with \`-O2\` alone: ratios
are against the faster of them. The paper needed $paper s for a second with ode3. Bars
of instructions: what the same steps took before there were images (commit 5e11629a), by gcc 12.2, and 0.2 % for what the
environment changes in the counts.

| solver | who | ms a simulated second | times the rival | faster than the paper | start, ms | instructions a step |
|---|---|--:|--:|--:|--:|--:|
END
for solver in ode3 euler; do
    measure $solver
    best=$(calc "${cost[0]} < ${cost[5]} ? ${cost[0]} : ${cost[5]}")
    counted=()
    for i in "${!names[@]}"; do
        count=
        [[ $i != [0125] ]] || count=$(instructions "$i" $solver)
        counted[i]=$count
        echo "| $solver | ${names[i]} | $(calc "1000 * ${cost[i]}" %.1f) | $(calc "${cost[i]} / $best" %.2f) |" \
            "$(calc "$paper / ${cost[i]}" %.0f) | $(calc "1000 * ${start[i]}" %.0f) | $count |"
    done
    wanted=1500 most=(1948 13290)
    [ $solver = ode3 ] || wanted=3500 most=(793 6090)
    bars+=$(
        judge "$solver: native, times the rival" "$(calc "${cost[1]} / $best" %.3f)" 1.2 '<='
        judge "$solver: interpreter, times native" "$(calc "${cost[2]} / ${cost[1]}" %.1f)" 15 '<='
        judge "$solver: native, faster than the paper" "$(calc "$paper / ${cost[1]}" %.0f)" $wanted '>='
        judge "$solver: rows every 1 ms, % more" "$(calc "100 * (${cost[3]} / ${cost[1]} - 1)" %.1f)" 5 '<='
        judge "$solver: native, instructions a step" "${counted[1]}" "${most[0]}" '<='
        judge "$solver: interpreter, instructions a step" "${counted[2]}" "${most[1]}" '<='
        echo "| $solver: ledger, % more | $(calc "100 * (${cost[4]} / ${cost[1]} - 1)" %.1f) | | |"
        echo .
    )
    bars=${bars%.}
done

printf '\n| ratio | found | bar | met |\n|---|--:|--:|---|\n%s' "$bars"
! grep -qF '**missed**' <<<"$bars" || met=1
exit $met
