# shellcheck shell=bash
# shellcheck disable=SC2034 # used by those who read this
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Read by the benchmarks of runs: processor time of commands, numbers out of what they print, and arithmetic.
# Processor time and not the clock, because peers are compared by ratios and a busy machine must not decide them.
set -euo pipefail

peers=$HBG_SOURCE_DIR/bench/peers
python=/usr/bin/python3 # Debian's own: another one on the PATH may not see its packages
TIMEFORMAT='%3U %3S'
# one thread: processor time would count those that wait for work
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

# cpu RUNS COMMAND...: least processor time of the runs, in seconds, in `seconds`; what it prints is in the file output
seconds=0
cpu() {
    local runs=$1
    shift
    : >times.txt
    for _ in $(seq "$runs"); do
        { time "$@" >output 2>messages </dev/null; } 2>>times.txt || {
            cat messages >&2
            echo "failed: $*" >&2
            return 1
        }
    done
    seconds=$(awk '{ t = $1 + $2; if (NR == 1 || t < best) best = t } END { print best }' times.txt)
}

# mean RUNS COMMAND...: mean processor time, printed
mean() {
    local runs=$1
    shift
    { time for _ in $(seq "$runs"); do "$@" >output 2>messages </dev/null || return 1; done; } 2>&1 |
        awk -v runs="$runs" '{ print ($1 + $2) / runs }'
}

# calc EXPRESSION [FORMAT]
calc() {
    awk "BEGIN { printf \"${2:-%.6g}\", ($1) }"
}

# holds CONDITION: a comparison of numbers
holds() {
    awk "BEGIN { exit !($1) }"
}

# statistic NAME: of the last run with --json
statistic() {
    sed -n "s/^ *\"$1\": \([0-9]*\),*\$/\1/p" output
}

# exponent Y1 Y2 X1 X2: d log y / d log x
exponent() {
    calc "log($2 / $1) / log($4 / $3)" %.2f
}

# ladder KIND SECTIONS: a line of series resistors or coils and capacitors to ground behind 1 V, all of 1
ladder() {
    awk -v kind="$1" -v n="$2" 'BEGIN {
        series = kind == "rc" ? "R" : "I"; unit = kind == "rc" ? "Ohm" : "uH"
        print "model Ladder {\n    Se source(1 [V]);\n    source -> s1;"
        for (i = 1; i <= n; i++) {
            printf "    1 s%d;\n    %s z%d(1 [%s]);\n    0 n%d;\n    C c%d(1 [uF]);\n", i, series, i, unit, i, i
            printf "    s%d -> z%d;\n    s%d -> n%d -> c%d;\n", i, i, i, i, i
            if (i < n) printf "    n%d -> s%d;\n", i, i + 1
        }
        if (kind == "lc") printf "    R load(1 [Ohm]);\n    n%d -> load;\n", n
        print "    experiment step {\n        stop 1 [s];\n        record n1.e;\n    }\n}"
    }'
}

# bank CIRCUITS: capacitors charged through resistors, all different, and discharged by a switch between two voltages
bank() {
    awk -v n="$1" 'BEGIN {
        print "model Bank {\n    param V = 10 [V], c = 1 [uF], top = 6 [V], bottom = 2 [V];"
        for (i = 1; i <= n; i++) {
            printf "    Se s%d(V);\n    1 a%d;\n    R r%d(%.6f);\n", i, i, i, 900 + 200 * (i * 0.6180339887 % 1)
            printf "    0 n%d;\n    C c%d(c, e = %.6f);\n    1 d%d when w%d;\n    R q%d(100);\n", i, i,
                2 + 4 * (i * 0.7548776662 % 1), i, i, i
            printf "    s%d -> a%d -> n%d -> c%d;\n    a%d -> r%d;\n    n%d -> d%d -> q%d;\n", i, i, i, i, i, i, i, i, i
            printf "    automaton w%d {\n        off shut -> open when c%d.e > top;\n", i, i
            printf "        on open -> shut when c%d.e < bottom;\n    }\n", i
        }
        print "    experiment run {\n        stop 1 [ms];\n        record c1.e;\n    }\n}"
    }'
}
