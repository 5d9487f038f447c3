#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every example as exported C for a target of 32 bits: compiled without a warning, and with a fixed step its values end within 1e-9 of the
# largest of a run, though that machine adds with other rounding. EXAMPLES names some of them. Without a compiler for it the script says so.
. "$HBG_SOURCE_DIR/tests/examples/export.sh"

if ! echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o narrow -lm 2>/dev/null || ! ./narrow; then
    echo 'no compiler for 32 bits, or nothing that runs what it makes: not compiled for them (Debian: gcc-multilib)'
    exit 0
fi

for path in "$examples"/*/; do
    name=$(basename "$path")
    [ -z "${EXAMPLES:-}" ] || case " $EXAMPLES " in *" $name "*) ;; *) continue ;; esac
    case=$(awk -F: -v name="$name" '$1 == "run" && $2 == name && $4 == "rk4" && $6 == "steps" {
        split($3, at, "@"); print at[1], $5, at[2]; exit }' "$HBG_SOURCE_DIR/tests/recorded/sums")
    [ -n "$case" ] || { echo "not run $name"; continue; }
    # shellcheck disable=SC2086 # words
    set -- $case
    options="--solver rk4 --step $2"
    [ "$1" = - ] || options="$options -x $1"
    [ -z "${3:-}" ] || options="$options --stop $3"
    rm -rf out
    # shellcheck disable=SC2086
    if ! "$HBG" export c "$path/$name.hbg" -I "$HBG_SOURCE_DIR/lib" -q --name model -o out $options >said 2>&1; then
        echo "refused $name: $(head -n 1 said)"
        continue
    fi
    # shellcheck disable=SC2086
    [ -d engine ] || { # the same in every export
        mkdir engine && (cd engine && gcc -m32 -O1 $strict -c ../out/rt_*.c ../out/base_*.c) || fail 'the engine does not compile'
    }
    rm out/rt_*.c out/base_*.c
    # shellcheck disable=SC2086
    (cd out && gcc -m32 -O1 $strict -o program ./*.c ../engine/*.o -lm) || fail "$name does not compile"
    # shellcheck disable=SC2086
    run_both out "$path/$name.hbg" $options || { echo "long $name"; continue; }
    off=$(apart out/wanted.csv out/found.csv 1e-9)
    if [ -z "$off" ]; then echo "near $name"; else fail "$name: $off"; fi
done
exit "$failed"
