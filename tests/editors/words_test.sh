#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Colours of editors know every word of the language: those of the parser, the elements, domains, kinds of faults and solvers.
set -euo pipefail
cd "$HBG_SOURCE_DIR"

words() {
    sed -n '/^#define HBG_RESERVED_LIST/,/^typedef/p' src/lang/parser_impl.h | grep -oE 'X\([A-Za-z]+\)' | sed 's/^X(//; s/)$//' | grep -vx X
    sed -n '/^#define HBG_ELEMENT_LIST/,/^typedef/p; /^#define HBG_DOMAIN_LIST/,/^typedef/p; /^#define HBG_FAULT_LIST/,/^typedef/p; /^#define HBG_SOLVER_LIST/,/^typedef/p' \
        src/model/kinds_impl.h | grep -oE 'X\([A-Z0-9_]+, "[A-Za-z0-9]+"' | sed 's/.*"\(.*\)"/\1/' | grep -vE '^[01]$'
}

count=$(words | sort -u | wc -l)
[ "$count" -gt 60 ] || { echo "only $count words found: has the list moved?" >&2; exit 1; }
words | sort -u | while read -r word; do
    for file in vscode/syntaxes/hbg.tmLanguage.json emacs/hbg-mode.el kate/hbg.xml; do
        grep -qE "(^|[^A-Za-z0-9_])$word([^A-Za-z0-9_]|\$)" "editors/$file" || { echo "editors/$file does not know $word" >&2; exit 1; }
    done
done
