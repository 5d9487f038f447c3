#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What 001 reports of Virtual ADAPT comes out, asked for in a fraction of a second each instead of the 20 s of its experiment
# (tools/adapt_figures.sh has those): the inverter delivers 120 V RMS within 1 %, the fan settles between 77 and 81 rad/s, because it
# speeds up at the one and slows down at the other, the phase of its current is near 0.148 rad, and the mode changes about 76 000
# times a second. The whole testbed has the structure that is claimed for it.
# needs: test
set -eu

model=$HBG_SOURCE_DIR/examples/adapt-experiment-2/adapt-experiment-2.hbg
failed=0

# go SPEED: 0.2 s from this speed on, rows in rows.csv, words in words
go() {
    "$HBG" run "$model" -I "$HBG_SOURCE_DIR/lib" -p "motor.speed=$1" --stop 0.2 --record v_inverter,i_inverter,speed \
        --every 0.1ms -o rows.csv --no-ledger >words
}

# within WHAT VALUE LEAST MOST
within() {
    echo "$1: $2"
    awk "BEGIN { exit !($2 >= $3 && $2 <= $4) }" || { echo "that is not between $3 and $4" >&2; failed=1; }
}

# over the last three mains cycles: name, then value, of root mean square, phase and mean speed; and of the speed three cycles before
numbers() {
    awk -F, '
        BEGIN { turn = 120 * 3.14159265358979 }
        NR > 1 && $1 >= 0.0999999 && $1 < 0.1499999 { early += $4; n++ }
        NR > 1 && $1 >= 0.1499999 && $1 < 0.1999999 { late += $4; m++; square += $2^2
            vs += $2 * sin(turn * $1); vc += $2 * cos(turn * $1); is += $3 * sin(turn * $1); ic += $3 * cos(turn * $1) }
        END { print "rms", sqrt(square / m); print "phase", atan2(vc, vs) - atan2(ic, is); print "gain", late / m - early / n }' rows.csv
}
value() {
    sed -n "s/^$1 //p" values
}

go 79.15
numbers >values
within 'voltage of the inverter, V RMS' "$(value rms)" 118.8 121.2
within 'phase of the current of the fan, rad' "$(value phase)" 0.143 0.153
within 'mode changes a second' "$(awk "BEGIN { print $(sed -n 's/.* \([0-9]*\) mode changes.*/\1/p' words) / 0.2 }")" 72000 82000
go 77
numbers >values
within 'rad/s gained in 50 ms from 77 rad/s on' "$(value gain)" 0.001 1
go 81
numbers >values
within 'rad/s gained in 50 ms from 81 rad/s on' "$(value gain)" -1 -0.001

# the whole testbed: no junction of its inverters needs a reassignment, every mode is valid, no storage is ever dependent
testbed=$HBG_SOURCE_DIR/examples/adapt-testbed/adapt-testbed.hbg
"$HBG" causality "$testbed" -I "$HBG_SOURCE_DIR/lib" --integral | grep 'inverter\.j' >junctions
within 'junctions of the inverters' "$(wc -l <junctions)" 20 20
within 'those that switch without reassignment' "$(grep -c 'switches without reassignment' junctions)" 12 12
within 'those that are fixed' "$(grep -c 'fixed' junctions)" 8 8
"$HBG" causality "$testbed" -I "$HBG_SOURCE_DIR/lib" --all >all
grep -q 'every mode that can exist has a valid causal assignment: proved' all || { cat all >&2; failed=1; }
grep -q 'storages that no mode makes dependent: 51 of 51' all || { cat all >&2; failed=1; }
switches=$("$HBG" list "$testbed" -I "$HBG_SOURCE_DIR/lib" | grep -cE '(latch|armature) +.*(closed|released)')
within 'relays and breakers' "$switches" 51 60

# its loads and charges, by hand (readme.md of the example); `row NAME` is a cell of the table of a sweep of one run
"$HBG" sweep "$testbed" -I "$HBG_SOURCE_DIR/lib" -p charger_b.resistance=0.5 -q -o row.csv --record \
    i_battery_1,i_battery_2,i_battery_3,battery_1.battery.charge.q,charger_a.inner.f,bank_1.lamp_4.i
row() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next } { print $column }' row.csv
}
calc() {
    awk "BEGIN { printf \"%.9g\", $1 }"
}
given=$(calc "1000 * (106360 * 25 - $(row 'battery_1.battery.charge.q final'))")
within 'mC out of battery 1 that are not in its current' "$(calc "$given - 20 * $(row 'i_battery_1 mean')")" 0.9999 1.0001
within 'A that battery 2 takes at first' "$(calc "-($(row 'i_battery_2 min'))")" 9.999999 10.000001
within 'A that battery 3 takes at first' "$(calc "-($(row 'i_battery_3 min'))")" 47.999999 48.000001
within 'mC that charger a gives' "$(calc "20 * $(row 'charger_a.inner.f mean')")" 54.31 54.33
within 'A in a lamp that is off' "$(calc "$(row 'bank_1.lamp_4.i max') - ($(row 'bank_1.lamp_4.i min'))")" 0 0
within 'J that the balance lacks' "$(row residual)" -1e-5 1e-5

"$HBG" run "$testbed" -I "$HBG_SOURCE_DIR/lib" --stop 60ms --every 0.1ms --record v_1,v_2 -o rows.csv --no-ledger --quiet
for column in 2 3; do
    rms=$(awk -F, -v c=$column 'NR > 1 && $1 >= 0.00999999 && $1 < 0.0599999 && $1 != t { n++; s += $c^2; t = $1 } END { print sqrt(s / n) }' rows.csv)
    within 'voltage of an inverter of the testbed, V RMS' "$rms" 118.8 121.2
done
exit "$failed"
