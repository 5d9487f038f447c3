#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: a motor under PI control that begins at the limit of its supply leaves it without chattering, with
# every solver. At rest the motor has the desired speed, w = 200 rad/s, and takes constant*w +
# resistance*friction*w/constant = 20 + 0.2 V.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
export HBG_PATH="$HBG_SOURCE_DIR/lib"

cat >speed.hbg <<'END'
import "electrical.hbg";
import "electromechanical.hbg";
import "rotational.hbg";
import "control.hbg";
model Speed {
    param wanted = 200 [rad/s], gain = 0.5 [V.s/rad];
    ControlledVoltageSource drive(v = pi_.u);
    PID pi_(gain = gain, integral_time = 0.1 [s], lower = 0 [V], upper = 24 [V], error = wanted - motor.w);
    DCMotor motor;
    Inertia load(inertia = 5e-3 [kg.m2]);
    Ground earth;
    0 neutral;
    drive.p -> motor.a;
    motor.k -> neutral -> drive.n;
    neutral -> earth.p;
    motor.shaft -> load.p;
    output w = motor.w, u = pi_.u;
    experiment go { stop 5 [s]; record w, u; }
}
END
for solver in erk rk4 adams bdf; do
    step=
    [ "$solver" != rk4 ] || step='--step 1e-4'
    # shellcheck disable=SC2086 # two words, or none
    run 0 run speed.hbg --solver "$solver" $step -q -o speed.csv
    awk -F, '
        /^[0-9]/ { w = $2; u = $3; if (u > 24 || u < 0) beyond++; if (u == 24) held++; if ($1 > 2) settled += (w - 200)^2 > 0.25 }
        END { exit !(!beyond && held > 10 && !settled && (w - 200)^2 < 1e-6 && (u - 20.2)^2 < 1e-6) }' speed.csv ||
        fail "$solver: $(tail -n 1 speed.csv)"
done
finish
