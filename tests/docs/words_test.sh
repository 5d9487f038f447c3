#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# docs/language.md is in step with the lists the parser is made of: its grammar has every word, element, domain, solver
# and fault, no word of its own, its tables have every function, and the limits are those of the source.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# list NAME FILE: the entries X(…) of the list #define NAME(X) …, one a line, without quotes
list() {
    awk -v start="#define $1(X)" 'index($0, start) { on = 1; sub(/^#define [A-Z_]*[(]X[)]/, "") }
        on { line = $0; more = sub(/\\$/, "", line); text = text line; if (!more) exit }
        END { while (match(text, /X[(][^()]*([(][^()]*[)][^()]*)*[)]/)) {
                  print substr(text, RSTART + 2, RLENGTH - 3); text = substr(text, RSTART + RLENGTH) } }' "$2" | tr -d '"'
}

# column N: of a list with commas
column() {
    awk -F ', *' -v column="$1" '{ print $column }'
}

check_tree() {
    kinds=$1/src/model/kinds_impl.h
    parser=$1/src/lang/parser_impl.h
    awk '/^```ebnf/ { on = 1; next } /^```/ { on = 0 } on' "$1/docs/language.md" >grammar
    grep -o '"[A-Za-z0-9]*"' grammar | tr -d '"' | sort -u >in_grammar
    {
        list HBG_RESERVED_LIST "$parser"
        list HBG_CONTEXT_LIST "$parser"
        list HBG_ELEMENT_LIST "$kinds" | column 2
        list HBG_DOMAIN_LIST "$kinds" | column 2
        list HBG_SOLVER_LIST "$kinds" | column 2
        list HBG_FAULT_LIST "$kinds" | column 2
        printf '%s\n' true false e f q p # names with a meaning of their own; E is the exponent of a number
    } | sort -u >in_source
    {
        list HBG_RESERVED_LIST "$parser"
        printf '%s\n' true false pi time in # beside the list, in parser.c
    } | sort >reserved
    awk '/^## Text/ { on = 1; next } /^## / { on = 0 } on && /^    / { for (k = 1; k <= NF; k++) print $k }' "$1/docs/language.md" | sort |
        diff reserved - >difference || echo "docs/language.md: the words that are no names are others: $(cat difference)"
    comm -13 in_grammar in_source | sed 's|.*|docs/language.md: the grammar lacks `&`|'
    comm -23 in_grammar in_source | grep -vx E | sed 's|.*|docs/language.md: the grammar has `&`, the parser does not|'

    awk '/^## Expressions/ { on = 1; next } /^## / { on = 0 } on && /^[|]/' "$1/docs/language.md" >tables
    list HBG_OPERATOR_LIST "$1/src/rt/operator_list_impl.h" | awk -F ', *' '$3 > 0 && $4 == 0 { print $2 }' | while read -r name; do
        grep -qE "[\` ]${name}[\` (]" tables || echo "docs/language.md: no table has the function \`$name\`"
    done
    check_limits "$1"
}

# limits: name and file, below src
limits='NESTING_LIMIT lang/parse_expression.c  HBG_LANG_LOWER_LIMIT lang/elaborate_impl.h
    HBG_LANG_DEPTH_LIMIT lang/elaborate_impl.h  HBG_LANG_OBJECT_LIMIT lang/elaborate_impl.h
    HBG_LANG_UNFOLD_LIMIT lang/elaborate_impl.h  HBG_LANG_UNFOLD_ALL lang/elaborate_impl.h
    HBG_LEXER_NAME_LIMIT lang/lexer_impl.h
    IMPORT_DEPTH_LIMIT lang/files.c  HBG_UNIT_TEXT_LIMIT lang/unit_impl.h  HBG_DECIMAL_DIGITS base/double_text_impl.h
    HBG_DECIMAL_EXPONENT base/base.h  HBG_DIAGNOSTICS_KEPT base/base.h  HBG_DIAGRAM_NODES emit/emit.h'

check_limits() {
    awk '/^## Limits/ { on = 1; next } /^## / { on = 0 } on && /^[|]/' "$1/docs/language.md" >shown
    # shellcheck disable=SC2086
    printf '%s %s\n' $limits | while read -r name file; do
        value=$(sed -n "s/^#define $name  *\([0-9]*\).*/\1/p" "$1/src/$file")
        grep -qE "[| ]${value:-none}[; ]" shown || echo "docs/language.md: the limits do not show $name, ${value:-which is nowhere}"
    done
}

accept "$HBG_SOURCE_DIR"

# the lists are read at all
[ "$(wc -l <in_source)" -gt 70 ] || { echo "the lists of the source were not found" >&2; exit 1; }

# copy NAME: our page and headers, to be broken
copy() {
    mkdir -p "$1/docs" "$1/src"
    cp "$HBG_SOURCE_DIR/docs/language.md" "$1/docs"
    for folder in base rt lang model emit; do
        mkdir -p "$1/src/$folder"
        cp "$HBG_SOURCE_DIR/src/$folder"/*.[ch] "$1/src/$folder"
    done
}

copy word && sed 's/X(verify)/X(verify) X(prove)/' "$HBG_SOURCE_DIR/src/lang/parser_impl.h" >word/src/lang/parser_impl.h
reject word 'the grammar lacks `prove`'
reject word 'the words that are no names are others'
copy solver && sed 's/X(ERK, "erk", false)/X(ERK, "dopri", false)/' "$HBG_SOURCE_DIR/src/model/kinds_impl.h" >solver/src/model/kinds_impl.h
reject solver 'the grammar lacks `dopri`'
reject solver 'the grammar has `erk`, the parser does not'
copy function && sed 's/X(CBRT, "cbrt"/X(CBRT, "cuberoot"/' "$HBG_SOURCE_DIR/src/rt/operator_list_impl.h" >function/src/rt/operator_list_impl.h
reject function 'no table has the function `cuberoot`'
copy limit && sed 's/NESTING_LIMIT 200/NESTING_LIMIT 300/' "$HBG_SOURCE_DIR/src/lang/parse_expression.c" >limit/src/lang/parse_expression.c
reject limit 'the limits do not show NESTING_LIMIT, 300'
