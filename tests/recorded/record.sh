#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# record.sh [HBG [MODEL...]]: writes the file sums, a line for each case (measure.sh says what is in it): every example and every
# model of the tests, with every solver, engine and tolerance. Takes minutes. With models, these only: those that are new or have
# changed. changes.md says what differs from the first record, and why. record.sh --cases MODEL... prints the cases of models, --missing the models that are not recorded, or gone.
# needs: test
. "$(dirname "$0")/common.sh"

# lasts EXPERIMENT[@STOP] SOLVER: whether it takes more than a second
lasts() {
    HBG_CPU=1 "$recorded/measure.sh" "run:$model:$1:$2:1e-6:steps:interpreter" | grep -q ' left-out$'
}

# shorter EXPERIMENT: the experiment, or where that takes too long with an earlier stop
shorter() {
    local stop
    lasts "$1" own || { echo "$1" && return; }
    for stop in 10 3 1 0.3 0.1 0.03 0.01; do
        lasts "$1@$stop" own || break
    done
    echo "$1@$stop"
}

# step_of EXPERIMENT[@STOP]: a three-hundredth of the run
step_of() {
    local file=$model named=()
    [ "${model%/*}" != "$model" ] || file=examples/$model/$model.hbg
    [ "${1%@*}" = - ] || named=(-x "${1%@*}")
    [ "${1%@*}" = "$1" ] || { awk -v stop="${1#*@}" 'BEGIN { printf "%.3g\n", stop/300 }' && return; }
    { (cd "$top" && "$HBG" run "$file" -I lib "${named[@]}" --json --engine interpreter 2>/dev/null) || :; } |
        awk '$1 == "\"stop\":" && $2 + 0 > 0 { printf "%.3g\n", $2/300 }'
}

# cases_of EXPERIMENT
cases_of() {
    local experiment solver engine when step
    experiment=$(shorter "$1")
    echo "tell:$model:$experiment"
    step=$(step_of "$experiment")
    [ -n "$step" ] || return 0 # nothing runs: what is told is all
    [ "$experiment" = "$1" ] || echo "long:$model:$1:own:-:steps:interpreter"
    echo "run:$model:$experiment:own:-:steps:interpreter"
    for engine in interpreter native; do
        for solver in euler ode3 rk4 trapezoidal; do
            for when in steps every; do
                echo "run:$model:$experiment:$solver:$step:$when:$engine"
            done
        done
    done
    cases_with_tolerances "$experiment"
}

# cases_with_tolerances EXPERIMENT[@STOP]: few of them where events without end take their time
cases_with_tolerances() {
    local solver accuracy engine long=0
    ! lasts "$1" auto || long=1
    for solver in auto bdf adams erk; do
        if [ "$long" = 1 ]; then
            echo "long:$model:$1:$solver:1e-6:steps:interpreter"
            continue
        fi
        for accuracy in 1e-3 1e-6 1e-9; do
            for engine in interpreter native; do
                echo "run:$model:$1:$solver:$accuracy:steps:$engine"
            done
        done
    done
}

# cases MODEL
cases() {
    local experiment command file=$top/$1 names
    model=$1
    if [ "${model%/*}" = "$model" ]; then
        file=$top/examples/$model/$model.hbg
        for command in equations causality linearize steady; do echo "say:$command:$model"; done
        echo "verify:$model"
    fi
    names=$(sed -nE 's/^ *experiment ([A-Za-z_][A-Za-z_0-9]*).*/\1/p' "$file")
    for experiment in ${names:--}; do cases_of "$experiment"; done
}

if [ "${1:-}" = --cases ]; then
    shift
    for model in "$@"; do cases "$model"; done
    exit
fi
if [ "${1:-}" = --missing ]; then
    awk -F '[: ]' '/^(run|tell|verify):/ { print $2 }' "$sums" | sort -u >"$work/found"
    models | sort | comm -3 - "$work/found" | tr -d '\t'
    exit
fi
choose_hbg "${1:-}"
if [ $# -gt 1 ]; then
    shift
    printf '%s\n' "$@" >"$work/models"
    awk -F '[: ]' 'FNR == NR { drop[$0] = 1; next } !/^#/ && !((($1 == "say") ? $3 : $2) in drop)' "$work/models" "$sums" >"$work/sums"
else
    models >"$work/models"
    sed 's/ .*//; s/^/sweep:/' "$recorded/sweeps" >"$work/cases"
    : >"$work/sums"
fi
while read -r model; do # one that is gone has no cases
    [ ! -e "$top/$model" ] && [ ! -e "$top/examples/$model" ] || echo "$model"
done <"$work/models" | parallel 1 "$recorded/record.sh" --cases >>"$work/cases"
sort -u "$work/cases" >"$work/sorted"
{ grep -v '^long:' "$work/sorted" || :; } | HBG_CPU=3 measure_all >>"$work/sums"
{ grep '^long:' "$work/sorted" || :; } | HBG_CPU=30 measure_all >>"$work/sums"
{ echo "# platform: $(platform)" && sort "$work/sums"; } >"$sums"
echo "recorded $(wc -l <"$work/sorted") cases in $SECONDS s; $(grep -c left-out "$sums") of $(grep -c : "$work/sums") are left out"
