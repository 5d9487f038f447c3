#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every component of tests/docs/catalogue is in the library, says its equations, ports and parameters with defaults, and stands in an
# example whose facts say something of it; a component without one does not count. Facts themselves are tested with the examples.
# needs: test
set -eu

HBG_PATH='' "$HBG" list --library --json -I "$HBG_SOURCE_DIR/lib" >library
# a line for each component: name, whether it has a comment with what it does, or an equation in its line; parameters without a default
awk '
    function value(line) { sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line); return line }
    /^      "name": / { name = value($0); bare = 0; said = "" }
    /^      "equations": / && value($0) != "" { said = "yes" }
    /^      "doc": / && value($0) ~ /[=<>]/ { said = "yes" }
    /^          "kind": / { port = 1 }
    /^          "default": / { if (!port && value($0) == "") bare++; port = 0 }
    /^    \}/ { print name, said == "" ? "silent" : "said", bare; port = 0 }' library >told

! grep ' silent ' told || { echo 'no comment says what these do'; exit 1; }
wrong=0
complain() {
    echo "$*"
    wrong=$((wrong + 1))
}
# holds COMPONENT EXAMPLE VALUE
holds() {
    folder=$HBG_SOURCE_DIR/examples/$2
    line=$(grep "^$1 " told) || { complain "the library has no $1" && return; }
    [ "$line" = "$1 said 0" ] || complain "$1 has no equations, or a parameter without a default: $line"
    grep -qE "^ +$1 [a-z][A-Za-z0-9_]*(\[[^]]*\])?[(; ]" "$folder/$2.hbg" || complain "$2 has no $1"
    awk -v value="$3" '$1 == "run" && ($4 == value || $5 == value) { found = 1 } END { exit !found }' "$folder/facts" ||
        complain "no fact of $2 says anything of $3, which $1 decides"
}

sed 's/#.*//' "$HBG_SOURCE_DIR/tests/docs/catalogue" | awk 'NF >= 4 { print $(NF - 2), $(NF - 1), $NF }' >wanted
while read -r component example value; do holds "$component" "$example" "$value"; done <wanted
[ "$(wc -l <wanted)" -ge 50 ] || complain 'the catalogue was not read'
[ "$wrong" -eq 0 ] || exit 1

# it sees what is missing
holds Nonsense waveforms i_sine >said
holds OpAmp waveforms nothing >>said
[ "$(wc -l <said)" -eq 3 ] || { echo 'what is missing is not seen:' && cat said && exit 1; }
