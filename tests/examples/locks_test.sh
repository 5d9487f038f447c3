#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# FrictionClutch and Brake of the library lock with a fixed step as with a variable one, though the end of a slip is then seen up to a
# step late and locking takes a pulse; and a pulse that friction cannot take, from a collision elsewhere, still makes them slip.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
export HBG_PATH=$HBG_SOURCE_DIR/lib

# changes LEAST MOST: at so many instants automata change their states in events.jsonl, the start not counted
changes() {
    local found
    found=$(sed 1d events.jsonl | grep -c '"changed":{"') || true
    [ "$found" -ge "$1" ] && [ "$found" -le "$2" ] || fail "$found changes of mode, not $1 to $2"
}

# row TIME: what rows.csv has at that time, last row of it, without the time
row() {
    awk -F, -v t="$1" 'NR > 1 && ($1 - t)^2 < 1e-18 { sub(/^[^,]*,/, ""); last = $0 } END { print last }' rows.csv
}

# near WHAT ROW EXPECTED TOLERANCE: the same columns, each within the tolerance
near() {
    awk -F, -v row="$2" -v expected="$3" -v tolerance="$4" 'BEGIN {
        n = split(row, a, ","); if (n < 1 || n != split(expected, b, ",")) exit 1
        for (i = 1; i <= n; i++) if (!((a[i] - b[i])^2 <= tolerance^2)) exit 1 }' || fail "$1: $2, not $3 within $4"
}

# The hoist, clutch locked at 3 s and brake at 4.5 s: torques and modes are those of the locks, at the times of the readme
hoist=$HBG_SOURCE_DIR/examples/hoist-with-clutch/hoist-with-clutch.hbg
for how in '--rtol 1e-9' '--solver euler --step 1ms' '--solver rk4 --step 5ms' '--solver rk4 --step 1ms' '--solver rk4 --step 0.1ms'; do
    # shellcheck disable=SC2086
    run 0 run "$hoist" $how --every 0.5 --quiet --events events.jsonl -o rows.csv \
        --record 'torque, brake.torque, clutch.disc.locked, brake.shoe.locked, engine_speed, drum_speed, height'
    changes 4 4
    # locked, the clutch gives 19.62 + 0.1*0.38/2.1 N.m
    near "clutch, $how" "$(row 3 | cut -d, -f1-4)" 19.6380952381,0,1,0 1e-9
    near "brake, $how" "$(row 4.5 | cut -d, -f1-4)" 0,-98.1,0,1 1e-9
    near "end, $how" "$(row 6 | cut -d, -f5-6)" 115.780952381,0 1e-6
    row 6 | cut -d, -f7 >"height${how##* }"
done
# A slip that goes on for d too long, and is then taken back, moves the load by half its acceleration times d^2: 4.2 m/s2 for the
# clutch, 31.8 m/s2 for the brake. d is a step at most.
for step in 5:4.5e-4 1:1.8e-5 0.1:1.8e-7; do near "height, ${step%:*} ms" "$(cat "height${step%:*}ms")" 9.94088695882 "${step#*:}"; done

cat >series.hbg <<'END'
import "rotational.hbg";

model Series "A clutch that comes to rest on a shaft that a brake holds: its lock has a pulse for both" {
    input real pressed = 1;
    TorqueSource drive(torque = 5.3 [Nm]);
    Inertia engine(inertia = 1 [kg.m2], speed = 10 [rad/s]);
    Inertia drum(inertia = 0.7 [kg.m2]);
    FrictionClutch clutch(max_torque = 10 [Nm], pressure = pressed);
    Brake brake(max_torque = 30 [Nm], pressure = 1);
    1 a;
    1 b;
    drive.p -> a;
    a -> engine.p;
    a -> clutch.a;
    clutch.b -> b;
    b -> drum.p;
    b -> brake.p;
    experiment stops {
        stop 3 [s];
        set clutch.disc = forward;
        record engine.w, clutch.torque, brake.torque, clutch.disc.locked, brake.shoe.locked every 1 [s];
    }
    experiment eased "with the step in which the end of the slip, at 10/4.7 s, is seen where steps are of 1 ms" {
        stop 3 [s];
        set clutch.disc = forward;
        at 2.128 [s]: pressed = 0.1;
        record engine.w, clutch.torque, brake.torque, clutch.disc.forward, brake.shoe.locked every 1 [s];
    }
}
END
cat >hit.hbg <<'END'
import "rotational.hbg";

model Hit "A dog clutch joins a third body, at its own speed, to one behind a friction clutch" {
    param w_2 = 0 [rad/s], w_3 = 100 [rad/s];
    input bool shut = false;
    Inertia j1(inertia = 1 [kg.m2]);
    Inertia j2(inertia = 1 [kg.m2], speed = w_2);
    Inertia j3(inertia = 1 [kg.m2], speed = w_3);
    FrictionClutch clutch(max_torque = 10 [Nm], pressure = 1);
    DogClutch dog(engaged = shut);
    1 a;
    1 b;
    1 c;
    a -> j1.p;
    a -> clutch.a;
    clutch.b -> b;
    b -> j2.p;
    b -> dog.a;
    dog.b -> c;
    c -> j3.p;
    output locked = clutch.disc.locked, w1 = j1.w, w2 = j2.w;
    experiment held { stop 3 [s]; at 1 [s]: shut = true; record w1, w2, locked every 0.5 [s]; }
    experiment turned {
        stop 3 [s];
        set w_2 = -20 [rad/s], clutch.disc = forward;
        at 0.3 [s]: shut = true;
        record w1, w2, locked every 0.5 [s];
    }
    experiment wrong "starts in the state of the other slip" {
        stop 3 [s];
        set w_2 = -20 [rad/s], clutch.disc = backward;
        record w1, w2, locked every 0.5 [s];
    }
}
END
for how in '--rtol 1e-10' '--solver rk4 --step 5ms' '--solver rk4 --step 1ms' '--solver rk4 --step 0.1ms'; do
    # shellcheck disable=SC2086
    {
        run 0 run series.hbg -x stops $how --quiet --events events.jsonl -o rows.csv
        changes 1 1
        near "two locks, $how" "$(row 3)" 0,5.3,5.3,1,1 1e-9
        # a lock that is pulled back by what is left of the slip, and by the drive beyond its capacity: forward, from rest at 2.128 s
        run 0 run series.hbg -x eased $how --quiet -o rows.csv
        near "eased, $how" "$(row 3)" 3.7496,1,1,1,1 1e-8

        # the pulse breaks the lock: 50 rad/s of two bodies, then 10 rad/s2 and -5 rad/s2 for 2 s
        run 0 run hit.hbg -x held $how --quiet -o rows.csv
        near "hit, $how" "$(row 3)" 20,40,0 1e-8
        # it turns a slip round, which does not lock then: from -3 and (100 - 17)/2 rad/s for 2.7 s
        run 0 run hit.hbg -x turned $how --quiet -o rows.csv
        near "turned, $how" "$(row 3)" 24,28,0 1e-8
        # a start in the wrong state is none in a lock: both come to -10 rad/s after 1 s, and are on their way at 0.5 s
        run 0 run hit.hbg -x wrong $how --quiet -o rows.csv
        near "wrong state, $how" "$(row 0.5)" -5,-15,0 1e-8
        near "wrong state, $how" "$(row 3)" -10,-10,1 1e-8

        # 0.1 N.m.s are taken in 10 ms: the lock holds w_3/3, a third of the momentum, or breaks and is locked again within 20 ms
        run 0 run hit.hbg -x held -p w_3=0.29 $how --quiet -o rows.csv --events events.jsonl
        changes 1 1
        near "small pulse, $how" "$(row 3)" 0.0966666666667,0.0966666666667,1 1e-9
        run 0 run hit.hbg -x held -p w_3=0.31 $how --quiet -o rows.csv --events events.jsonl
        changes 2 2
        near "greater pulse, $how" "$(row 3)" 0.103333333333,0.103333333333,1 1e-9
    }
done
finish
