#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every example that a run accepts as an FMU of both versions; EXAMPLES names some of them, WAYS some of: fixed variable sampled strict. An example
# whose own experiment ends with a verdict is not for the rules of the importer.
. "$HBG_SOURCE_DIR/tests/fmu/examples.sh"

for path in "$examples"/*/; do
    name=$(basename "$path")
    [ -z "${EXAMPLES:-}" ] || case " $EXAMPLES " in *" $name "*) ;; *) continue ;; esac
    for version in 2 3; do
        for way in ${WAYS:-fixed}; do
            case $way in
            fixed) fixed "$version" "$name" ;;
            variable) variable "$version" "$name" 0 ;;
            sampled) [ -z "$(step_of "$name")" ] || sampled "$version" "$name" "$(step_of "$name")" ;;
            strict)
                if ! wanted "$name"; then
                    echo "$name does not run: $(head -n 1 said)"
                elif ! exported "$version" "$name"; then
                    echo "$name is not exported: $(head -n 1 said)"
                else
                    strict "$version" "$name"
                fi
                ;;
            esac
        done
    done
    echo "$name: $failed"
    rm -f "$name.fmu"
done
exit "$failed"
