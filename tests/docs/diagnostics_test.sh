#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The manual knows every diagnostic: docs/language.md has the table that diagnostics.awk makes of the list in the source,
# docs/diagnostics.md a section for each, in order, with its meaning and an example that gives it.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# sections PAGE: code and first line of each section, and codes of its examples, a line each
sections() {
    awk '/^### [EWN][0-9]+$/ { code = $2; getline; getline; print "meaning", code, $0; next }
         /^#/ { code = "" }
         /^```hbg.* (error|warning|note) [EWN][0-9]+/ { match($0, /[EWN][0-9][0-9][0-9][0-9]/); print "example", code, substr($0, RSTART, 5) }
         /^(error|warning|note)\[[EWN][0-9]+\]/ { match($0, /[EWN][0-9][0-9][0-9][0-9]/); print "example", code, substr($0, RSTART, 5) }' "$1"
}

check_tree() {
    awk -f "$HBG_SOURCE_DIR/tests/docs/diagnostics.awk" "$1/src/base/diagnostic_list_impl.h" >table
    awk '/^<!-- end of table/ { on = 0 } on { print } /^<!-- made by tests\/docs\/diagnostics.awk/ { on = 1 }' "$1/docs/language.md" >shown
    diff table shown >difference || echo "docs/language.md: the table of diagnostics is another: $(cat difference)"

    awk -F ' [|] ' 'NR > 2 { code = substr($1, 4, 5); sub(/ [|]$/, "", $3); print "meaning", code, $3 }' table >wanted
    sections "$1/docs/diagnostics.md" >found
    grep '^meaning ' found | diff wanted - >difference ||
        echo "docs/diagnostics.md: its sections are not those of the list: $(cat difference)"
    awk '$1 == "example" && $2 != $3 { print "docs/diagnostics.md: under " $2 " stands an example of " $3 }' found
    while read -r _ code _; do
        grep -q "^example $code $code\$" found || echo "docs/diagnostics.md: $code has no example"
    done <wanted
}

accept "$HBG_SOURCE_DIR"

# tree NAME LINE...: a list of one diagnostic, its table, and a page with these lines
tree() {
    tree_name=$1
    shift
    put "$tree_name/src/base/diagnostic_list_impl.h" "    X(E_ONE, \"E0001\", HBG_ERROR, \"\",   \\" '      "one thing is wrong")'
    put "$tree_name/docs/language.md" '<!-- made by tests/docs/diagnostics.awk -->' '| code | name | meaning |' '|---|---|---|' \
        '| [E0001](diagnostics.md#e0001) |  | one thing is wrong |' '<!-- end of table -->'
    put "$tree_name/docs/diagnostics.md" "$@"
}

tree good '### E0001' '' 'one thing is wrong' '' '```hbg error E0001' '```'
accept good
tree other '### E0001' '' 'another thing is wrong' '' '```hbg error E0001' '```'
reject other 'its sections are not those of the list'
tree missing '# Diagnostics'
reject missing 'its sections are not those of the list'
tree bare '### E0001' '' 'one thing is wrong'
reject bare 'E0001 has no example'
tree wrong '### E0001' '' 'one thing is wrong' '' '```hbg error E0002' '```' '```hbg error E0001' '```'
reject wrong 'under E0001 stands an example of E0002'
tree stale '### E0001' '' 'one thing is wrong' '' '```hbg error E0001' '```'
put stale/src/base/diagnostic_list_impl.h 'X(E_ONE, "E0001", HBG_ERROR, "", "one thing is wrong")' 'X(W_TWO, "W0002", HBG_WARNING, "two", "a second thing")'
reject stale 'the table of diagnostics is another'
