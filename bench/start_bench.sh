#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# How long one call of the command takes on a small model, from its start to its end: what an editor or a script that
# calls hbg on every change waits for.
set -euo pipefail

runs=20
bar=50     # ms, to check a model
run_bar=15 # ms, to run one
model=$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg

# best_of NAME COMMAND...: one row of the table; the shortest of the runs
best=0
best_of() {
    local name=$1 start time
    shift
    best=1000000000
    for _ in $(seq $runs); do
        start=${EPOCHREALTIME/[.,]/}
        "$@" >output
        time=$((${EPOCHREALTIME/[.,]/} - start))
        [ "$time" -ge "$best" ] || best=$time
    done
    printf '| %s | %d.%01d |\n' "$name" $((best / 1000)) $((best % 1000 / 100))
}

cat <<END
## Starting

One call of the command, best of $runs, with everything it starts. Bars: \`hbg check\` on a model of seven elements within $bar ms, a
run of it from the start of the command to the finished CSV within $run_bar ms.

| command | ms |
|---|--:|
END
best_of '`hbg --version`' "$HBG" --version
best_of '`hbg check diode-inductor.hbg`' "$HBG" check "$model"
checked=$best
best_of '`hbg run diode-inductor.hbg -o x.csv`' "$HBG" run "$model" -o x.csv
ran=$best
best_of '`hbg compile diode-inductor.hbg -o x.hbi`' "$HBG" compile "$model" -o x.hbi
best_of '`hbg run x.hbi -o x.csv`' "$HBG" run x.hbi -o x.csv
best_of '`hbg list --json diode-inductor.hbg`' "$HBG" list --json "$model"
best_of '`hbg draw diode-inductor.hbg -o x.svg`' "$HBG" draw "$model" -o x.svg
[ "$checked" -le $((bar * 1000)) ] && [ "$ran" -le $((run_bar * 1000)) ]
