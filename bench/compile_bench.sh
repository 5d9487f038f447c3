#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What comes before the first step: a model is read and checked, its equations are compiled, the first instant is passed. Counted in
# instructions, which do not depend on how busy a machine is, without those that start and end the program.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"

export HBG_PATH=$HBG_SOURCE_DIR/lib
testbed=$HBG_SOURCE_DIR/examples/adapt-testbed/adapt-testbed.hbg
met=0

# count OPTION...: instructions of a command, in `counted`
count() {
    valgrind --tool=callgrind --callgrind-out-file=callgrind.out "$HBG" "$@" >output 2>messages </dev/null
    counted=$(sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' messages)
}
count --version
start=$counted

cat <<END
## Reading and compiling

Millions of instructions by callgrind, beyond those of \`hbg --version\`: reading and checking a model, and a run of it that stops at 0.
The testbed of 001 has 70 switching junctions; the bank has 1000 circuits with a switch each. Bars: what the same texts took before there
were images (commit 5e11629a).

| model | command | found | bar | met |
|---|---|--:|--:|---|
END
# row NAME BAR COMMAND...
row() {
    local name=$1 bar=$2 verdict=yes found
    shift 2
    count "$@"
    found=$(calc "($counted - $start) / 1e6" %.2f)
    holds "$found <= $bar" || verdict='**missed**' met=1
    echo "| $name | $1 | $found | $bar | $verdict |"
}
to_start=(-q --no-ledger --engine interpreter --stop 0)
bank 1000 >bank.hbg
row testbed 14.32 check "$testbed"
row testbed 73.60 run "$testbed" "${to_start[@]}"
row 'bank of 1000' 180.50 check -W no-bare-number bank.hbg # a thousand resistances have no unit, and to say so is no part of it
row 'bank of 1000' 537.63 run -W no-bare-number bank.hbg "${to_start[@]}"
exit $met
