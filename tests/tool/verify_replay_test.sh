#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Examples of flaws from `hbg verify` are flaws in a run, too: set in an experiment, or met by the existing
# experiment.
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
optimised # verify_test.sh and tests/verify prove with the sanitizers
export HBG_PATH="$HBG_SOURCE_DIR/lib"

# number NAME: the value of the example in the finding at time 0
number() {
    awk -v name="\"$1\"" '/"values":/ { value = "" } /"name":/ { found = index($0, name) } /"value":/ && found { sub(/.*: /, ""); sub(/,$/, ""); value = $0 }
        /"name": "time"/ { time = 1; next } time && /"value":/ { if ($2 + 0 == 0) { print kept; exit } time = 0 } { kept = value }' answer
}

# switches of a leg overlap by 20 us: the supply is short-circuited where the second closes, at half the period
example="$HBG_SOURCE_DIR/examples/h-bridge/h-bridge.hbg"
run 1 verify "$example" -p 'dead=-20 [us]'
grep -q '^  short circuit: ' out || fail "no short circuit is found"
grep -q 'for example at .*time = 0.001 s' out || fail "the example is not where the second switch closes"
run 3 run "$example" -p 'dead=-20 [us]'
grep -q 'at t = 0.001 s: sources are short-circuited.*verdict short-circuit' err || fail "the run does not meet it"

# two halves of a period, each with its own remainder, exclude each other up to a duty of 1; above that they
# overlap, first at the start
cat >leg.hbg <<'EOF'
import "electrical.hbg";
model Leg {
    param T = 10 [us], D = 0.9;
    VoltageSource supply(voltage = 48 [V]);
    Switch upper(closed = time%T < D*T/2);
    Switch lower(closed = (time + T/2)%T < D*T/2);
    Resistor load(resistance = 10 [Ohm]);
    Ground ground;
    0 earth; 0 plus; 0 out;
    earth -> supply.n; supply.p -> plus -> upper.a; upper.k -> out -> lower.a; lower.k -> earth; out -> load.a; load.k -> earth; earth -> ground.p;
    experiment e { stop 2*T; }
}
EOF
run 0 verify leg.hbg
run 0 run leg.hbg
run 1 verify leg.hbg -p D=1.1
grep -q '^  short circuit: ' out || fail "overlapping halves are not found"
run 3 run leg.hbg -p D=1.1
grep -q 'at t = 0 s: sources are short-circuited' err || fail "the run does not meet the overlap"

# clutches between speed sources: the guard of one reads a speed that the other one sets for no time
example="$HBG_SOURCE_DIR/examples/one-way-clutches/one-way-clutches.hbg"
run 1 verify "$example" --json
cp out answer
momentum=$(number flywheel.body.p)
[ -n "$momentum" ] || fail "no example is at time 0"
sed "\$d" "$example" >replay.hbg
cat >>replay.hbg <<EOF
    experiment replay {
        stop 0;
        set flywheel.body.p = $momentum, clutch_1.sprag = overrunning, clutch_2.sprag = locked;
        record w;
    }
}
EOF
run 3 run replay.hbg -x replay
grep -q 'verdict forbidden-guard' err || fail "a run that begins at p = $momentum does not meet the forbidden guard"
finish
