#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Old models give old results: every component in tests/docs/kept still lies in its file of the library, with the ports, parameters and
# defaults that stand there. What is new is recorded by HBG_REFRESH=1, which takes nothing back: a line that may go is deleted by hand.
# needs: test
set -eu

kept=$HBG_SOURCE_DIR/tests/docs/kept
HBG_PATH='' "$HBG" list --library --json -I "$HBG_SOURCE_DIR/lib" >answer

# facts ANSWER: a line for each component, `FILE NAME`, and for each of its ports and parameters, `FILE NAME: what it is`
facts() {
    awk '
    function value(line) { sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line); return line }
    function tell() { print file " " name ": " part " " entry (kind == "" ? "" : " " kind) (unit == "" ? "" : " [" unit "]") (def == "" ? "" : " = " def) }
    /^      "file": / { file = value($0) }
    /^      "name": / { name = value($0); print file " " name }
    /^      "(ports|parameters)": / { part = $1 ~ /ports/ ? "port" : "param" }
    /^          "name": / { entry = value($0); kind = "" }
    /^          "kind": / { kind = value($0) }
    /^          "unit": / { unit = value($0) }
    /^          "default": / { def = value($0) }
    /^          "doc": / { tell() }' "$1" | LC_ALL=C sort -u
}

# differences KEPT ANSWER
differences() {
    facts "$2" >now
    LC_ALL=C comm -23 "$1" now | sed 's/^/no longer so: /'
    LC_ALL=C comm -13 "$1" now | sed 's/^/not recorded: /'
}

if [ -n "${HBG_REFRESH:-}" ]; then
    facts answer >now
    LC_ALL=C sort -u "$kept" now >both
    cp both "$kept"
fi
differences "$kept" answer >found
if [ -s found ]; then
    cat found
    echo 'old models lean on what is no longer so; what is new: HBG_REFRESH=1 tools/test.sh -R docs/kept'
    exit 1
fi

# it sees a component, a port, a kind and a default that have changed, and what is new
# changed SED TEXT
changed() {
    sed "$1" answer >other
    ! cmp -s answer other && differences "$kept" other | grep -qxF "$2" || { echo "$1 is not seen as: $2"; exit 1; }
}
changed 's/"name": "Resistor"/"name": "Resistance"/' 'no longer so: electrical.hbg Resistor'
changed 's/"name": "Resistor"/"name": "Resistance"/' 'not recorded: electrical.hbg Resistance'
changed 's/"default": "0.6 \[V\]"/"default": "0.7 [V]"/' 'no longer so: electrical.hbg Diode: param forward_drop = 0.6 [V]'
changed 's/"name": "closed"/"name": "shut"/' 'no longer so: electrical.hbg Switch: port closed in bool'
