#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every example as exported C: with a fixed-step method its program writes the same bytes as `hbg run`, at the end of every step and at a
# pace of its own, or, where a run has a sparse solver, ends within rounding; with the embedded pair its values end within tolerance. What `hbg run`
# refuses is not exported; what is refused for its size says so.
# Compiled by clang, too, with sanitizers, the program is without a finding and writes those bytes. EXAMPLES names some of them.
. "$HBG_SOURCE_DIR/tests/examples/export.sh"

sanitized='-fsanitize=address,undefined -fno-sanitize-recover=all'

# first_case NAME: experiment, step of a three-hundredth and stop of its recorded run with rk4
first_case() {
    awk -F: -v name="$1" '$1 == "run" && $2 == name && $4 == "rk4" && $6 == "steps" {
        split($3, at, "@"); print at[1], $5, at[2]; exit }' "$HBG_SOURCE_DIR/tests/recorded/sums"
}

# checked NAME: what was exported and run last, compiled by clang with sanitizers
checked() {
    # shellcheck disable=SC2086 # flags, one per word
    [ -f engine.clang.a ] || compile_engine clang "$1" -O1 $sanitized
    # shellcheck disable=SC2086
    compile_model clang "$1" -O1 $sanitized
    found=0
    timeout 600 "$1/program" >"$1/found.csv" 2>"$1/found.err" </dev/null || found=$?
    [ "$found" != 124 ] || { echo "long $1 with sanitizers"; return 0; }
    ! grep -e Sanitizer -e 'runtime error' "$1/found.err" >&2 || fail "$1: a sanitizer's finding"
    cmp "$1/wanted.csv" "$1/found.csv" || fail "$1: other bytes with clang and sanitizers"
}

# same NAME WHAT OPTION...: byte by byte
same() {
    name=$1 what=$2
    shift 2
    if ! export_and_compile gcc "$name" "$examples/$name/$name.hbg" "$@"; then
        "$HBG" run "$examples/$name/$name.hbg" -I "$HBG_SOURCE_DIR/lib" -q "$@" >/dev/null 2>&1 || return 0
        echo "refused $name: $(cat "$name.refused")"
        [ "$name" = adapt-testbed ] || fail "$name is refused, and a run accepts it" # too many modes in one part
        return
    fi
    run_both "$name" "$examples/$name/$name.hbg" "$@" || { echo "long $name $what"; return; }
    if grep -q 'agree within rounding' "$name.report"; then # a sparse solver is not shipped
        off=$(apart "$name/wanted.csv" "$name/found.csv" 1e-9)
        if [ -z "$off" ]; then echo "near $name $what"; else fail "$name $what: $off"; fi
    elif cmp -s "$name/wanted.csv" "$name/found.csv"; then
        echo "same $name $what, $(wc -l <"$name/found.csv") rows"
        [ "$what" != rk4 ] || ! command -v clang >/dev/null || checked "$name"
    else
        fail "$name $what: not the same bytes"
        diff "$name/wanted.csv" "$name/found.csv" | head -4 >&2 || :
    fi
}

near() {
    name=$1
    shift
    export_and_compile gcc "$name" "$examples/$name/$name.hbg" "$@" --solver erk || return 0
    run_both "$name" "$examples/$name/$name.hbg" "$@" --solver erk || { echo "long $name erk"; return; }
    cmp -s "$name/wanted.csv" "$name/found.csv" && { echo "same $name erk"; return; }
    off=$(apart "$name/wanted.csv" "$name/found.csv" 1e-3)
    if [ -z "$off" ]; then echo "near $name erk"; else fail "$name erk: $off"; fi
}

for path in "$examples"/*/; do
    name=$(basename "$path")
    [ -z "${EXAMPLES:-}" ] || case " $EXAMPLES " in *" $name "*) ;; *) continue ;; esac
    case=$(first_case "$name")
    [ -n "$case" ] || { echo "not run $name"; continue; }
    # shellcheck disable=SC2086 # words
    set -- $case
    options=
    [ "$1" = - ] || options="-x $1"
    [ -z "${3:-}" ] || options="$options --stop $3"
    # shellcheck disable=SC2086
    {
        same "$name" rk4 $options --solver rk4 --step "$2"
        same "$name" 'trapezoidal, paced' $options --solver trapezoidal --step "$2" --every "$(awk -v step="$2" 'BEGIN { print 7 * step }')"
        near "$name" $options
    }
    rm -rf "$name"
done
exit "$failed"
