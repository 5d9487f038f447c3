#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every example that a run accepts as an FMU of both versions; EXAMPLES names some of them, WAYS some of: fixed variable strict. Where forward
# Euler or CVODE cannot follow, the reason stands here.
. "$HBG_SOURCE_DIR/tests/fmu/examples.sh"

for path in "$examples"/*/; do
    name=$(basename "$path")
    [ -z "${EXAMPLES:-}" ] || case " $EXAMPLES " in *" $name "*) ;; *) continue ;; esac
    for version in 2 3; do
        for way in ${WAYS:-fixed}; do
            case $way in
            fixed) fixed "$version" "$name" ;;
            variable) variable "$version" "$name" 0 ;;
            strict) exported "$version" "$name" && strict "$version" "$name" ;;
            esac
        done
    done
    echo "$name: $failed"
    rm -f "$name.fmu"
done
exit "$failed"
