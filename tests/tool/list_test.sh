#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg list: text, JSON, and no output without a model.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

run 0 list good.hbg
says out 'Good: 4 elements'
says out 'a small circuit'
says out 'R1  330 Ohm'
says out 'supply -> loop'
silent err

run 0 list good.hbg --json
says out '"model": "Good"'
says out '"unit": "Ohm"'
says out '0.005'
silent err

run 0 list warned.hbg
says err 'warning[W0704]'
says out 'Warned'
run 0 list warned.hbg --json
says err 'warning[W0704]'
grep -qF warning out && fail 'a warning among the JSON'

run 2 list wrong.hbg
silent out
says err 'E0301'
run 2 list wrong.hbg --json
says out '"code": "E0301"'
run 2 list nowhere.hbg
silent out


# a unit is printed as written, or as its domain names it, if its dimension has several names
cat >shaft.hbg <<'END'
model Shaft {
    param K = 0.1 [N.m/A], w_ref = 900 [rpm];
    input real load [kN.m] = 0 [kN.m];
    Se drive(load);
    I rotor(K*1 [A.s2]);
    1 shaft;
    drive -> shaft -> rotor;
    output tau = drive.e, error = w_ref - shaft.f;
}
END
run 0 list shaft.hbg
says out 'K      0.1 N·m/A'
says out 'w_ref  900 rpm    = 94.2477796076938 rad/s'
says out 'load [N·m]'
says out 'tau [N·m]'
says out 'error [rad/s]'
run 0 list shaft.hbg --json
says out '"unit": "N·m/A"'
run 0 run shaft.hbg --stop 0 --record load
says out '0 N·m'
sed 's/rotor(/friction(5 [N.m]); shaft -> friction; I rotor(/; s/ I friction/ R friction/' shaft.hbg >wrong_shaft.hbg
run 2 check wrong_shaft.hbg
says err '`5 [N·m]` is in N·m'
finish
