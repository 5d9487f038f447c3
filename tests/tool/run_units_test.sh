#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Units for display: outputs are given in the unit after `in`, with that unit in the first line of CSV;
# parameters are listed as written; a name in an expression stays SI; a torque is not an energy.
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
# the unit of every column if requested, and readers of the file understand it
run 0 run cup.hbg -q --units -o units.csv
[ "$(head -n 1 units.csv)" = 'time [s],T [degC],F [degF],P [mW],T_si [K],twice [K]' ] || fail "$(head -n 1 units.csv)"
[ "$(tail -n +2 units.csv | cksum)" = "$(tail -n +2 rows.csv | cksum)" ] || fail 'units change the rows'
run 0 plot units.csv --columns T_si -o units.svg
grep -q '>K<' units.svg || fail 'the plot of the file has no kelvin'
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
# read back from CSV: columns with units, and the others by their names
run 0 plot rows.csv -o again.svg
grep -q '>°C<' again.svg || fail 'the plot of the file has no degrees Celsius'
run 0 fmt --check cup.hbg
# 1 kW for an hour is 1 kWh: the balance is in the unit in which the model shows an energy, and in J for programs
cat >kettle.hbg <<'END'
model Kettle {
    Se mains(100 [V]);
    R element(10 [Ohm]);
    1 wire;
    mains -> wire -> element;
    state used = 0 [J] : der = element.power;
    output consumption = used in [kWh];
    experiment hour { stop 1 [h]; }
}
END
run 0 run kettle.hbg
grep -Eq '^ *consumption +1 kWh$' out || fail "the consumption: $(cat out)"
grep -Eq '^ *supplied +mains +1 kWh$' out && grep -Eq '^ *dissipated +element +1 kWh$' out || fail "the balance: $(cat out)"
run 0 run kettle.hbg --json
awk '/"work": [0-9]/ { n++; d = ($2 + 0)/3.6e6 - 1; if (d*d > 1e-12) exit 1 } END { exit n != 2 }' out || fail 'JSON is not in J'

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
# a doubled torque constant is still one, and times a current it is a torque; other bare factors may have any
# unit
cat >twice.hbg <<'END'
model Twice {
    param k = 50 [mN.m/A], both = 2*k, half = k/2, other = 9.81*k;
    Se u(1 [V]);
    R coil(1 [Ohm]);
    GY machine(k);
    R shaft(1 [N.m.s/rad]);
    1 wire;
    1 axle;
    u -> wire -> coil;
    wire -> machine -> axle -> shaft;
    output torque = k*wire.f, double = 2*machine[2].e, quarter = axle.f/4, any = other, both_again = both + half;
    experiment e { stop 1 [ms]; }
}
END
run 0 list twice.hbg
for text in 'both   0.1 N·m/A' 'half   0.025 N·m/A' 'torque [N·m]' 'double [N·m]' 'quarter [rad/s]' 'other  0.49050000000000005  '; do says out "$text"; done
run 0 run twice.hbg -q --units -o twice.csv
[ "$(head -n 1 twice.csv)" = 'time [s],torque [N·m],double [N·m],quarter [rad/s],any,both_again [N·m/A]' ] || fail "$(head -n 1 twice.csv)"

# a bare number for a parameter declared in a unit outside SI keeps its meaning, with a warning
run 0 run cup.hbg -q -p hot=-80 -p room=0 --stop 1
says err 'W0718'
says err '-80 without a unit is -80 K, but `hot` is declared in degC'
says err 'write `-80 [degC]`, or `-80 [K]`'
says err '0 without a unit is 0 K, but `room`'
run 0 run cup.hbg -q -p 'hot=-80 [K]' -p room=0K --stop 1
[ ! -s err ] || { fail 'a unit is told of'; cat err >&2; }
# for a sweep once for each parameter; a step is a difference, independent of any zero
run 0 sweep cup.hbg -q -p room=-20,-10 -p 'hot=300 [K]' -o table.csv
[ "$(grep -c W0718 err)" = 1 ] || { fail 'a list'; cat err >&2; }
says err 'write `-20 [degC]`, or `-20 [K]`'
run 0 sweep cup.hbg -q -p 'room=0 [degC]:10 [degC]:5' -o table.csv
[ ! -s err ] || { fail 'a step is told of'; cat err >&2; }
run 0 run cup.hbg -q -W no-bare-number -p hot=80 --stop 1
[ ! -s err ] || fail '-W no-bare-number'
# a circuit without ground: that first, and once that the loop has no solution
cat >adrift.hbg <<'END'
import "electrical.hbg";
model Adrift {
    VoltageSource v(voltage = 3 [V]);
    Resistor r(resistance = 5 [Ohm]);
    0 n;
    0 m;
    v.p -> n;
    n -> r.a;
    r.k -> m;
    m -> v.n;
    experiment e {
        stop 1 [s];
    }
}
END
run 3 run adrift.hbg -q
says err 'has no ground: `hbg check` tells more; at t = 0 s: a linear loop has no unique solution; its variables are'
[ "$(grep -o 'unique solution' err | wc -l)" = 1 ] || { fail 'said twice'; cat err >&2; }
finish
