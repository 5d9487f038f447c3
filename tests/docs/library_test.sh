#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The tables of docs/library.md are those of `hbg list --library`: every component with its ports, parameters with defaults, and an example
# that uses it. HBG_REFRESH=1 writes them anew.
# needs: test
set -eu

page=$HBG_SOURCE_DIR/docs/library.md

# users: a line for each component that an example uses: its name, and the first example in which an instance of it stands
for model in "$HBG_SOURCE_DIR"/examples/*/*.hbg; do
    sed -nE 's/^ +([A-Z][A-Za-z]*) [a-z][A-Za-z0-9_]*(\[[^]]*\])?[(; ].*/\1/p' "$model" | sort -u |
        sed "s|\$| $(basename "${model%/*}")|"
done >users
# what only other components use: the example of these
for library in "$HBG_SOURCE_DIR"/lib/*.hbg; do
    awk 'FNR == NR { if (!($1 in user)) user[$1] = $2; next }
        /^component / { split($2, name, "("); inside = name[1] }
        /^    [A-Z][A-Za-z]* [a-z]/ && inside in user { print $1, user[inside] }' users "$library"
done >parts
cat parts >>users

HBG_PATH='' "$HBG" list --library --json -I "$HBG_SOURCE_DIR/lib" >answer
awk '
    function value(line) { sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line); gsub(/\\"/, "\"", line); gsub(/\|/, "\\|", line); return line }
    function comma(list, item) { return list (list == "" ? "" : "<br>") item }
    function tell_entry() {
        if (part == "ports") {
            ports = comma(ports, "`" entry "` " kind (unit == "" ? "" : " [" unit "]") (def == "" ? "" : " = " def))
        } else {
            parameters = comma(parameters, "`" entry "`" (unit == "" ? "" : " [" unit "]") (def == "" ? "" : " = " def) (doc == "" ? "" : ": " doc))
        }
    }
    function tell() {
        if (file != last) printf "%s## %s\n\n| component | ports | parameters | example |\n|---|---|---|---|\n", last == "" ? "" : "\n", "[" file "](../lib/" file ")"
        last = file
        printf "| **%s**: %s | %s | %s | %s |\n", name, line, ports, parameters, name in user ? "[" user[name] "](../examples/" user[name] "/readme.md)" : ""
    }
    FNR == NR { if (!($1 in user)) user[$1] = $2; next }
    /^      "file": / { file = value($0); ports = parameters = "" }
    /^      "name": / { name = value($0) }
    /^      "doc": / { line = value($0) }
    /^      "(ports|parameters)": / { part = $1; gsub(/[":]/, "", part) }
    /^          "name": / { entry = value($0); kind = "" }
    /^          "kind": / { kind = value($0) }
    /^          "unit": / { unit = value($0) }
    /^          "default": / { def = value($0) }
    /^          "doc": / { doc = value($0); tell_entry() }
    /^    \}/ { tell() }' users answer >tables

awk '
    FNR == NR { table = table $0 "\n"; next }
    /^<!-- end of tables -->$/ { inside = 0 }
    !inside { print }
    /^<!-- made by tests\/docs\/library_test.sh -->$/ { printf "\n%s\n", table; inside = 1 }' tables "$page" >library.md
[ -z "${HBG_REFRESH:-}" ] || cp library.md "$page"
diff -u "$page" library.md || { echo 'docs/library.md is not in step: HBG_REFRESH=1 writes its tables anew' >&2; exit 1; }

# the comparison sees tables at all, and a component without an example
count=$(grep -c '^| \*\*' tables)
[ "$count" -ge 90 ] || { echo "only $count components" >&2; exit 1; }
! grep '^| \*\*.*|  |$' tables || { echo 'no example uses these' >&2; exit 1; }
