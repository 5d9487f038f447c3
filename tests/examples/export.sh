# shellcheck shell=sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Shared by the tests of exported C: exports a model, compiles it, runs it beside `hbg run` and compares. The engine is the same in every
# export and compiled once.
set -eu

# shellcheck disable=SC2034 # for the tests
examples=$HBG_SOURCE_DIR/examples
strict='-std=c11 -Wall -Wextra -Wconversion -Werror -ffp-contract=off'
fma=
! grep -qw fma /proc/cpuinfo || fma=-mfma
failed=0

fail() {
    echo "$*" >&2
    # shellcheck disable=SC2034
    failed=1
}

# compile_engine COMPILER FOLDER FLAG...: the engine of the export in FOLDER, as engine.COMPILER.a, in this folder
compile_engine() {
    compiler=$1 from=$2
    shift 2
    mkdir -p "engine.$compiler"
    # shellcheck disable=SC2086 # flags, one per word
    (cd "engine.$compiler" && for file in "../$from"/rt_*.c "../$from"/base_*.c; do echo "$file"; done |
        xargs -n 8 -P 2 "$compiler" $strict "$@" -c) || { fail "the engine does not compile with $compiler"; return; }
    ar rc "engine.$compiler.a" "engine.$compiler"/*.o
}

# compile_model COMPILER FOLDER FLAG...: its program is FOLDER/program
compile_model() {
    compiler=$1 from=$2
    shift 2
    # shellcheck disable=SC2086
    for file in "$from"/*.c; do
        case ${file##*/} in rt_* | base_*) continue ;; esac
        plain=
        case $file in *_code.c) plain="-fno-builtin -fno-math-errno -fno-trapping-math $fma" ;; esac
        "$compiler" $strict "$@" $plain -c "$file" -o "${file%.c}.o" || { fail "$file does not compile with $compiler"; return; }
    done
    "$compiler" "$@" -o "$from/program" "$from"/*.o "engine.$compiler.a" -lm
}

# run_both FOLDER MODEL OPTION...: rows of the program in FOLDER/found.csv, of `hbg run` in FOLDER/wanted.csv; exit codes have to be equal.
# False: `hbg run` takes longer than LONGEST seconds, 20 unless said.
run_both() {
    from=$1 model=$2
    shift 2
    wanted=0 found=0
    timeout "${LONGEST:-20}" "$HBG" run "$model" -I "$HBG_SOURCE_DIR/lib" -q -o - "$@" >"$from/wanted.csv" 2>"$from/wanted.err" </dev/null || wanted=$?
    [ "$wanted" -lt 124 ] || return 1
    timeout 600 "$from/program" >"$from/found.csv" 2>"$from/found.err" </dev/null || found=$?
    [ "$wanted" = "$found" ] || { fail "$model $*: exit code $found, not $wanted"; cat "$from/found.err" >&2; }
    return 0
}

# apart FILE FILE TOLERANCE: what keeps two results apart at their end: another time, or a value that differs by more than a share of
# the largest its column ever has
apart() {
    awk -F, -v tolerance="$3" '
        FNR == 1 { columns = NF; next }
        FNR == NR { for (i = 2; i <= NF; i++) { size = $i < 0 ? -$i : $i + 0; if (size > most[i]) most[i] = size; last[i] = $i } end = $1; next }
        { for (i = 2; i <= NF; i++) final[i] = $i; other = $1 }
        END {
            if (end != other) print "the runs end at " end " and " other
            for (i = 2; i <= columns; i++) {
                off = final[i] - last[i]; off = off < 0 ? -off : off
                if (!(off <= tolerance * most[i] + 1e-300)) print "column " i ": " final[i] " instead of " last[i]
            }
        }' "$1" "$2"
}

# export_and_compile COMPILER FOLDER MODEL OPTION...: false where `hbg export` refuses; why is in FOLDER.refused
export_and_compile() {
    compiler=$1 into=$2 model=$3
    shift 3
    rm -rf "$into" "$into.refused"
    "$HBG" export c "$model" -I "$HBG_SOURCE_DIR/lib" -o "$into" "$@" >"$into.report" 2>"$into.refused" || return 1
    [ -f "engine.$compiler.a" ] || compile_engine "$compiler" "$into" -O1
    compile_model "$compiler" "$into" -O1
}
