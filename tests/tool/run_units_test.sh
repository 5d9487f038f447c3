#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Units as people read them: outputs are given out in the unit after `in`, with that unit in the first line of CSV; parameters are
# listed as written; a name in an expression stays SI; a torque is no energy.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >cup.hbg <<'END'
model Cup {
    param room = 20 [degC], hot = 80 [degC];
    C cup(500 [J/K], e = hot);
    R wall(2 [K/W]);
    Se air(room);
    1 way;
    0 body;
    air -> way -> body -> cup;
    way -> wall;
    output T = cup.e in [degC], F = cup.e in [degF], P = wall.f in [mW] "in", T_si = cup.e;
    signal twice = 2*T;
    experiment cool {
        stop 1000 [s];
        record T, F, P, T_si, twice;
    }
    experiment outputs {
        stop 1000 [s];
    }
}
END
# after one time constant, 2 K/W times 500 J/K: 20 + 60/e degrees Celsius, and -30/e W into the cup's wall
run 0 run cup.hbg -o rows.csv --plot cup.svg
says out 'T             42.0728 degC'
[ "$(head -n 1 rows.csv)" = 'time,T [degC],F [degF],P [mW],T_si,twice' ] || fail "$(head -n 1 rows.csv)"
tail -n 1 rows.csv | awk -F, 'function far(a, b) { return (a - b)^2 > 1e-12*b^2 } {
    c = 20 + 60*exp(-1)
    exit far($2, c) || far($3, 1.8*c + 32) || far($4, -30000*exp(-1)) || far($5, c + 273.15) || far($6, 2*(c + 273.15)) }' ||
    fail "the last row: $(tail -n 1 rows.csv)"
grep -q '>°C<' cup.svg || fail 'the plot has no degrees Celsius'
run 0 run cup.hbg -x outputs -q -o all.csv
[ "$(head -n 1 all.csv)" = 'time,T [degC],F [degF],P [mW],T_si' ] || fail "$(head -n 1 all.csv)"
run 0 compile cup.hbg -o cup.hbi
run 0 run cup.hbi -q -o image.csv
cmp -s rows.csv image.csv || fail 'the image gives other rows'
run 0 sweep cup.hbg -p 'room=0 [degC]' -q -o swept.csv
head -n 1 swept.csv | grep -qF ',T final [degC],T min [degC],' || fail "$(head -n 1 swept.csv)"
run 0 list cup.hbg
says out '  room  20 degC  = 293.15 K'
says out 'output  T [degC]'
run 0 list cup.hbg --json
grep -q '"written_value": 20.0,$' out || fail 'no value as written'
grep -q '"shown_in": *"degC"' out || fail 'no unit to be shown in'
# what comes back from CSV: units of those that have one, and the others by their names
run 0 plot rows.csv -o again.svg
grep -q '>°C<' again.svg || fail 'the plot of the file has no degrees Celsius'
run 0 fmt --check cup.hbg

cat >motor.hbg <<'END'
model Motor {
    param k = 50 [mN.m/A], n = 3000 [rpm], load = 2 [N.m];
    GY machine(k);
    Se brake(-load);
    Sf drive(n);
    R shaft(1 [N.m.s/rad]);
    R coil(1 [Ohm]);
    0 axle;
    1 wire;
    wire -> machine -> axle;
    wire -> coil;
    drive -> axle -> shaft;
    output torque = shaft.e, speed = drive.f in [rpm];
    1 other;
    R drag(1 [N.m.s/rad]);
    brake -> other -> drag;
    experiment e { stop 1 [ms]; }
}
END
run 0 run motor.hbg
grep -q 'torque .* N·m$' out || fail 'the torque is not in N·m'
grep -q 'speed  *3000 rpm$' out || fail 'the speed is not in rpm'
run 0 list motor.hbg
says out '  k     50 mN.m/A  = 0.05 N·m/A'
says out '  n     3000 rpm   = 314.1592653589793 rad/s'
says out '  load  2 N·m'
finish
