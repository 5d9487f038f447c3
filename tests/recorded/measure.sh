#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# measure.sh CASE...: runs the command HBG for each case and prints a line about it:
#
#     CASE CODE ROWS EVENTS ANSWER WORDS NUMBER-OF-ROWS INSTANTS FINAL/LARGEST...
#
# CODE is the exit code. The next four are sums of the results file, the event log, the standard output and the standard error
# output, `-` for what is empty. FINAL is the last value of a column, LARGEST its largest size: of the first two columns. A case
# that takes more than HBG_CPU seconds or writes more than 16 MB is `left-out`. Results files stay in the folder HBG_KEEP, if said.
#
#     run:MODEL:EXPERIMENT[@STOP]:SOLVER:ACCURACY:WHEN:ENGINE
#     long:…                    the same for a run that takes longer
#     tell:MODEL:EXPERIMENT[@STOP]   as text, with every event in words
#     verify:MODEL   say:COMMAND:MODEL   sweep:NAME (a line of the file sweeps)
#
# MODEL is an example, or a file. ACCURACY is the relative tolerance, or the step. WHEN there are rows: `steps` (events are logged
# then, too), or `every` tenth step, which lets fixed steps go in strides. measure.sh --print CASE prints the command.
# needs: test
set -euo pipefail
recorded=$(cd "$(dirname "$0")" && pwd)
top=${recorded%/*/*}

# describe CASE: fills command, the arguments of hbg, and model; the results file is rows.csv, the log of events is events
describe() {
    local kind=${1%%:*} fields
    IFS=: read -r -a fields <<<"${1#*:}"
    case $kind in
    run | long) describe_run "${fields[@]}" ;;
    tell) describe_start run "${fields[@]}" && command+=(--ledger --explain=all --engine interpreter) ;;
    verify) describe_start verify "${fields[0]}" - && command+=(--json) ;;
    say) describe_start "${fields[0]}" "${fields[1]}" - ;;
    sweep) describe_sweep "${fields[0]}" ;;
    *) echo "measure.sh: what is $1?" >&2 && return 2 ;;
    esac
}

# describe_start COMMAND MODEL EXPERIMENT[@STOP]
describe_start() {
    model=$2
    [ "${model%/*}" != "$model" ] || model=examples/$model/$model.hbg
    command=("$1" "$model" -I lib)
    [ "${3%@*}" = - ] || command+=(-x "${3%@*}")
    [ "${3%@*}" = "$3" ] || command+=(--stop "${3#*@}")
}

# describe_run MODEL EXPERIMENT[@STOP] SOLVER ACCURACY WHEN ENGINE
describe_run() {
    describe_start run "$1" "$2"
    case $3 in
    own) ;;
    auto | bdf | adams | erk) command+=(--solver "$3" --rtol "$4") ;;
    *) command+=(--solver "$3" --step "$4") ;;
    esac
    command+=(-o rows.csv --ledger --json --engine "$6")
    if [ "$5" = every ]; then command+=(--every "10*$4"); else command+=(--events events); fi
}

describe_sweep() {
    local name name_model line
    while read -r name name_model line; do
        [ "$name" = "$1" ] || continue
        describe_start sweep "$name_model" -
        eval "command+=($line)" # words as a shell would split them
        command+=(-j 2 -o rows.csv)
        return
    done <"$recorded/sweeps"
    echo "measure.sh: no sweep $1" >&2 && return 2
}

# count: number of rows, of instants, and final and largest values of two columns (of a sweep: final values), of the files rows
# and events
count() {
    awk -F, '
        FILENAME == "events" { instants++; next }
        FNR == 1 {
            for (i = 2; i <= NF && columns < 2; i++) if ($i ~ / final$/) column[++columns] = i
            if (!columns) for (i = 2; i <= NF && i <= 3; i++) column[++columns] = i
            next
        }
        {
            rows++
            for (k = 1; k <= columns; k++) {
                last[k] = $column[k]
                size = last[k] < 0 ? -last[k] : last[k] + 0
                if (size > largest[k]) largest[k] = size
            }
        }
        END {
            printf "%d %d", rows, instants
            for (k = 1; k <= columns; k++) if (last[k] ~ /^-?[0-9][0-9.e+-]*$/) printf " %.7g/%.3g", last[k], largest[k]
            print ""
        }' rows events
}

# measure CASE
measure() {
    local code=0 name sums='' sum file
    describe "$1"
    name=${model//\//_}
    rm -rf rows* events answer words
    [ -d "$cache/$name" ] || mkdir -p "$cache/$name"
    { # the shell would tell which limit ended it
        (
            ulimit -S -t "${HBG_CPU:-120}" -f 16384
            XDG_CACHE_HOME=$cache/$name exec "$HBG" "${command[@]}"
        ) >answer 2>words </dev/null || code=$?
    } 2>/dev/null
    case $code in 152 | 153) echo "$1 left-out" && return ;; esac
    for file in rows.csv events; do # what a run that was not finished leaves
        [ ! -e "$file.partial" ] || mv "$file.partial" "$file"
        [ -e "$file" ] || : >"$file"
    done
    mv rows.csv rows
    [ ! -s words ] || sed -i -E 's|, in `/[^`]*`||' words # the library beside the command, wherever that is
    [ "${1%%:*}" != verify ] || sed -i '/^ *"seconds": /d' answer
    [ -z "${HBG_KEEP:-}" ] || cp rows "$HBG_KEEP/${1//\//_}"
    # few processes: there are ten thousand cases
    sha256sum rows events answer words >sums
    while read -r sum file; do
        [ -s "$file" ] || sum=-
        sums="$sums ${sum:0:8}"
    done <sums
    echo "$1 $code$sums $(count)"
}

if [ "$1" = --print ]; then
    describe "$2"
    printf 'hbg'
    printf ' %q' "${command[@]}"
    echo
    exit
fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/hbg-recorded
export LC_ALL=C.UTF-8 HBG_PATH=
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
ln -s "$top/examples" "$top/lib" "$top/tests" .
for case in "$@"; do
    measure "$case"
done
