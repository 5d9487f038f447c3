#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg steady: an operating point, or none.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

# 10 V over 330 Ohm
run 0 steady good.hbg --record coil.f
says out 'coil.f        0.030303 A'
run 0 steady good.hbg --json
says out '"found": true'
printf 'model Up {\n    state x = 0 : der = 1 [1/s];\n    output y = x;\n}\n' >up.hbg
run 3 steady up.hbg
says out 'no point was found'
says err 'up.hbg: '
# near a turning point the field does not show its rest: a pendulum on its side finally hangs down
cat >pendulum.hbg <<'END'
model Pendulum {
    I body(1 [kg.m2], f = 0 [rad/s]);
    C weight : e = 9.81 [N.m]*sin(q);
    R air(0.1 [N.m.s/rad]);
    1 axis;
    axis -> body;
    axis -> weight;
    axis -> air;
    output angle = weight.q;
    experiment e { stop 1 [s]; set weight.q = 90 [deg]; }
}
END
run 0 steady pendulum.hbg
awk '$1 == "angle" { found = $2*$2 < 1e-18 } END { exit !found }' out || fail "the pendulum: $(cat out)"
# it comes back as exp(-t*0.1/2); upside down s^2 + 0.1*s - 9.81 = 0 has the root 3.0825, and without air it
# swings forever
says out 'stable: what deviates a little comes back, with a time constant of 20 s'
run 0 steady pendulum.hbg --json
says out '"stability": "stable"'
sed 's/90 .deg./180 [deg]/' pendulum.hbg >upright.hbg
run 0 steady upright.hbg
says out 'not stable: what deviates a little grows, with a time constant of 0.3244 s'
sed '/air/d' pendulum.hbg >swinging.hbg
run 0 steady swinging.hbg
says out 'neither stable nor unstable'
# a controller at its limit comes to rest within it: 20 K over 20 K/kW take 1 kW
cat >room.hbg <<'END'
import "control.hbg";
model Room {
    C room(1 [MJ/K], e = 273 [K]);
    R wall(20 [K/kW]);
    Se outside(273 [K]);
    PID pid(error = 293 [K] - room.e, gain = 500 [W/K], integral_time = 600 [s], derivative_time = 10 [s], lower = 0 [W], upper = 1500 [W]);
    Sf heater(pid.u);
    0 air;
    0 sky;
    1 leak;
    heater -> air -> room;
    air -> leak -> sky;
    leak -> wall;
    outside -> sky;
    output T = room.e, power = heater.f;
}
END
run 0 steady room.hbg
grep -Eq '^ *T +293 K$' out && grep -Eq '^ *power +1000 W$' out || fail "the room: $(cat out)"
# a missing integral of a controller cannot fail to return: 1 MJ/K over 50 + 500 W/K
sed 's/, integral_time.*upper = 1500 .W.)/)/' room.hbg >proportional.hbg
run 0 steady proportional.hbg
says out 'stable: what deviates a little comes back, with a time constant of 1818 s'
run 2 steady wrong.hbg
run 2 steady good.hbg -x e
says err 'the model has none'
# a slow part next to a fast one is not mistaken for a constant one: eigenvalues -0.001 or 0.001, and -1e9,
# 1/s
cat >stiff.hbg <<'END'
model Stiff {
    param k = -0.001;
    state slow = 0 : der = k*slow*1 [1/s];
    state fast = 0 : der = (slow - fast)*1e9 [1/s];
    output y = fast;
}
END
run 0 steady stiff.hbg
says out 'stable: what deviates a little comes back, with a time constant of 1000 s'
run 0 steady stiff.hbg -p k=0.001
says out 'not stable: what deviates a little grows, with a time constant of 1000 s'
finish
