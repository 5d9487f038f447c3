#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# A struct is one idea and has at most 40 fields. Larger ones stand in tests/arch/fields with their number of fields,
# which only goes down.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

limit=40

check_tree() (
    cd "$1"
    list=tests/arch/fields
    [ -f "$list" ] || list=/dev/null
    find src include -name '*.[ch]' -exec awk -f "$HBG_SOURCE_DIR/tests/arch/fields.awk" {} + |
        awk -v limit="$limit" '
        FILENAME != "-" { sub(/#.*/, ""); if (NF) allowed[$1] = $2; next }
        {
            most = $2 in allowed ? allowed[$2] : limit
            if ($1 > most) print $3 ": the struct " $2 " has " $1 " fields, at most " most
            if ($2 in allowed) { seen[$2] = 1; if ($1 > largest[$2]) largest[$2] = $1 }
        }
        END {
            for (name in allowed) {
                if (!(name in seen)) print "tests/arch/fields: there is no struct " name
                else if (largest[name] <= limit) print "tests/arch/fields: " name " needs no allowance now"
                else if (largest[name] < allowed[name]) print "tests/arch/fields: " name " is down to " largest[name] " fields"
            }
        }' "$list" -
)

accept "$HBG_SOURCE_DIR"

# fields COUNT: declarations of so many fields, two on a line
fields() {
    i=0
    while [ $((i += 2)) -le "$1" ]; do echo "    int f$i, *g$i; /* a, b; c */"; done
}

# structure TREE TEXT FIELD-COUNT TEXT: a tree with one struct between the texts
structure() {
    mkdir -p "$1/include"
    put "$1/src/base/a_impl.h" "$2 {" "$(fields "$3")" "} $4;"
}

structure good 'typedef struct' 40 fine
accept good
structure large 'typedef struct' 42 wide
reject large 'src/base/a_impl.h: the struct wide has 42 fields, at most 40'
structure tagged 'struct wide' 42 ''
reject tagged 'the struct wide has 42 fields'
structure inner 'typedef struct { int a; struct' 42 'b; } outer'
reject inner 'the struct b has 42 fields'
mkdir -p outer/include
put outer/src/base/a_impl.h 'typedef struct {' "$(fields 38)" '    struct { int a, b; } c;' \
    '    int (*call)(int a, int b);' '    union { int d; } e;' '} outer;'
reject outer 'the struct outer has 41 fields'
put large/tests/arch/fields '# why' 'wide 42'
accept large
put large/tests/arch/fields 'wide 43'
reject large 'wide is down to 42 fields'
put good/tests/arch/fields 'fine 41'
reject good 'fine needs no allowance now'
put good/tests/arch/fields 'gone 41'
reject good 'there is no struct gone'
