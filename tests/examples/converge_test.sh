#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The detailed stiff models of the papers run beside the abstract ones and converge to them as stiffness grows: the collision of
# two bodies (003, Fig. 6) to the one at a point in time, the impact of a rod (004, Fig. 13) to parameter abstraction and not
# to time scale abstraction (Fig. 15). What is compared are the runs themselves, at their ends.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
examples=$HBG_SOURCE_DIR/examples

# final FILE EXAMPLE EXPERIMENT NAME...: the values of these columns at the end, one a line
final() {
    local file=$1 example=$2 experiment=$3
    shift 3
    run 0 run "$examples/$example/$example.hbg" --experiment "$experiment" --rtol 1e-10 --quiet -o rows.csv
    awk -F, -v names="$*" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } { last = $0 }
        END { split(last, value, ","); n = split(names, name, " ")
              for (i = 1; i <= n; i++) printf "%s %.17g\n", name[i], value[column[name[i]]] }' rows.csv >"$file"
}

# shrinks WHAT FACTOR SLACK FILE ABSTRACT FILE...: column by column, each file is nearer to the abstract one than that before, by the
# factor; where both are there within 1e-8 nothing is to be told
shrinks() {
    local what=$1 factor=$2 slack=$3 abstract=$4 before=
    shift 4
    for file in "$@"; do
        paste -d' ' "$abstract" "$file" ${before:+"$before"} >beside
        [ -z "$before" ] || awk -v factor="$factor" -v slack="$slack" '
            function distance(a, b) { return a > b ? a - b : b - a }
            { now = distance($4, $2); last = distance($6, $2)
              if (now > 1e-8 && (now*factor > last*slack || now*factor*slack < last)) { print $1, last, now; bad = 1 } }
            END { exit bad }' beside >far || fail "$what, $file: $(cat far)"
        before=$file
    done
}

# differs WHAT FILE FILE LEAST: all columns are at least so far apart
differs() {
    paste -d' ' "$2" "$3" | awk -v least="$4" '{ d = $2 - $4; if (d*d < least*least) exit 1 }' || fail "$1"
}

# 1e4, 1e6, 1e8 N/m: what the positions lack goes with the time of contact, as 1/sqrt(k); velocities are the same at any k
final at_a_point elastic-pair heavier velocity_1 velocity_2 x_1 x_2
for experiment in soft stiff stiffer; do final $experiment collision-detailed $experiment velocity_1 velocity_2 x_1 x_2; done
shrinks collision 10 1.01 at_a_point soft stiff stiffer
paste -d' ' at_a_point stiffer | awk '{ d = $2 - $4; if (d*d > 1.1e-4^2) exit 1 }' || fail 'the stiffest is not near'

# 750, 7500, 75000 N.s/m: as 1/R
final mythical rod-abstractions parameter v_x v_y omega
final pinnacle rod-abstractions point_in_time v_x v_y omega
for damper in 750 7500 75000; do final damper_$damper rod-detailed damper_$damper v_x v_y omega; done
shrinks rod 10 1.02 mythical damper_750 damper_7500 damper_75000
paste -d' ' mythical damper_75000 | awk '{ d = $2 - $4; if (d*d > 1.2e-5^2) exit 1 }' || fail 'the stiffest pad is not near'
differs 'the rod tends to time scale abstraction' pinnacle damper_75000 5e-4
finish
