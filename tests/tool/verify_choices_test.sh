#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Proofs over open choices of a model: consistency for all choices, properties of all jumps, and witnesses
# that a run replays.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
optimised # verify_test.sh and tests/verify prove with the sanitizers

# With p before a collision it bounces with -e·p; the pulse is (1 + e)·|p|, and (1 - e²)·p²/2 is lost.
ball() { # RESTITUTION GUARD SENTENCES
    cat <<END
model Ball {
    1 ball;
    I mass(1 [kg], p = -5 [N.s]);
    Se gravity(-10 [N]);
    Sf floor(0 [m/s]);
    0 contact when touch restitution $1;
    gravity -> ball -> mass;
    floor -> contact -> ball;
    state x = 0 [m] : der = ball.f;
    automaton touch {
        off flying -> bouncing when x <= 0 && mass.p < 0;
        on bouncing -> flying when mass.p > $2;
    }
    verify { range mass.p in [-5, 5]; $3 }
    experiment fall { stop 0.1 [s]; record ball.f; }
}
END
}
# value NAME: of the example of the first finding
value() {
    python3 - "$1" <<'END'
import json, sys
finding = json.load(open("out"))["groups"][0]["findings"][0]
print(next(v["value"] for v in finding["values"] if v["name"] == sys.argv[1]))
END
}
# jump MOMENTUM COEFFICIENT: p after the first collision of a run that starts with it
jump() {
    sed "s/p = -5 \[N.s\]/p = $1/" ball.hbg >replay.hbg
    run 0 run replay.hbg -q --events events --choose "contact=$2"
    python3 -c 'import json
print(next(v["jump"]["mass.p"][1] for line in open("events") for v in json.loads(line)["trace"] if v["jump"]))'
}
# is EXPRESSION: true, with numbers
is() {
    python3 -c "import sys; sys.exit(not ($1))" || fail "not so: $1"
}

# consistent for all of them, also of a loss, whose ends are roots
ball '0.5 .. 0.9' 0 '' >ball.hbg
run 0 verify ball.hbg
says out 'whatever is chosen for `contact`'
ball 'loss 10 .. 60 [%]' 0 '' >ball.hbg
run 0 verify ball.hbg

# consistent with 0.7, but with less than 0.6 a ball that comes with 5 N·s does not leave: a collision would go on
ball 0.7 '3 [N.s]' 'assume mass.p <= -5 || mass.p >= 0;' >ball.hbg
run 0 verify ball.hbg
ball '0.5 .. 0.9' '3 [N.s]' 'assume mass.p <= -5 || mass.p >= 0;' >ball.hbg
run 1 verify ball.hbg --json
says out '"lost pinnacle"'
coefficient=$(value contact)
is "0.5 <= $coefficient <= 0.6"
run 3 run ball.hbg --choose "contact=$coefficient"
says err 'lost-pinnacle'
run 0 run ball.hbg --choose contact=0.61 -q

# 5·1.9 = 9.5 N·s and 0.75·12.5 = 9.375 J are the most: bounds just above are proved, just below refuted, with numbers that a run confirms
ball '0.5 .. 0.9' 0 'always impulse(contact.e) <= 9.5; always lost(contact) <= 9.375 [J];' >ball.hbg
run 0 verify ball.hbg
ball '0.5 .. 0.9' 0 'always impulse(contact.e) <= 9.4;' >ball.hbg
run 1 verify ball.hbg
says out 'at some jump something does not hold that always should'
says out '`impulse(contact.e) <= 9.4`'
run 1 verify ball.hbg --json
momentum=$(value mass.p) coefficient=$(value contact)
is "$(jump "$momentum" "$coefficient") - ($momentum) > 9.4"
ball '0.5 .. 0.9' 0 'always lost(contact) < 9.375 [J];' >ball.hbg
run 1 verify ball.hbg --json
momentum=$(value mass.p) coefficient=$(value contact)
is "abs($momentum + 5) < 1e-9 and abs($coefficient - 0.5) < 1e-9"
is "abs(($momentum)**2 - $(jump "$momentum" "$coefficient")**2 - 18.75) < 1e-6"

# an unknown parameter is one, too: with g·h of 5·1.25 to 20·1.25 a contact takes no more than m·(1 + e)·sqrt(2·25) = 13.44 N·s
ball '0.5 .. 0.9' 0 'assume mass.p^2 <= 2.5[m]*g*1[kg2]; always impulse(contact.e) <= BOUND;' |
    sed 's/1 ball;/param g in 5 .. 20 [m\/s2] = 10 [m\/s2];\n    1 ball;/; s/range mass.p in \[-5, 5\];//; s/-10 \[N\]/-1[kg]*g/' >open.hbg
sed 's/BOUND/13.5/' open.hbg >ball.hbg
run 0 verify ball.hbg
sed 's/BOUND/13.4/' open.hbg >ball.hbg
run 1 verify ball.hbg --json
is "($(value mass.p))**2 > 2.5*19.8"

# Each commit of an instant chooses anew. Three masses in a row: after the first pair has met twice its relative velocity is
# e3·((1 - e1)/2 - (1 + e1)·(1 - e2)/4), 0.19125 with 0.5, 0.9, 0.9, and 0.10625 at most if e3 were e1; after others it is 0.1875 at
# most, or 0.5 at least.
sed 's/restitution epsilon/restitution 0.5 .. 0.9/; /param epsilon/d; /set epsilon/d; s/param m = 1.*/param m = 1 [kg], v = 1 [m\/s], d = 0 [m];/' \
    "$HBG_SOURCE_DIR/examples/three-masses-bouncing/three-masses-bouncing.hbg" >three.hbg
sed -i 's/^    experiment elastic/    verify { range mass_1.p in [1, 1]; range mass_2.p in [0, 0]; range mass_3.p in [0, 0]; range gap_12 in [0, 0];\n range gap_23 in [0, 0]; always mass_2.p - mass_1.p <= 0.19 || mass_2.p - mass_1.p >= 0.45; }\n&/' three.hbg
run 1 verify three.hbg --json
python3 - <<'END' || fail 'a junction that is struck twice at an instant does not choose twice'
import json, sys
for group in json.load(open("out"))["groups"]:
    for finding in group["findings"]:
        values = {v["name"]: v["value"] for v in finding["values"]}
        if "contact_12'3" not in values: continue
        e1, e2, e3 = values["contact_12"], values["contact_23'2"], values["contact_12'3"]
        print(f"--choose contact_12={e1},{e3} --choose contact_23={e2}", file=open("witness", "w"))
        sys.exit(not 0.19 < e3 * ((1 - e1) / 2 - (1 + e1) * (1 - e2) / 4) < 0.192)
sys.exit(1)
END
# shellcheck disable=SC2046
run 0 run three.hbg -q --stop 0 --events events $(cat witness)
python3 - <<'END' || fail 'a run does not replay it'
import json, sys
jumps = [v["jump"] for line in open("events") for v in json.loads(line)["trace"] if v["kind"] != "mythical" and v["jump"]]
last = {name: pair[1] for jump in jumps[:3] for name, pair in jump.items()}
sys.exit(not 0.19 < last["mass_2.p"] - last["mass_1.p"] < 0.192)
END

# senseless requests
ball 0.7 0 'always lost(touch) <= 3 [J];' >ball.hbg
run 2 verify ball.hbg
says err 'is no junction with restitution'
ball 0.7 0 'always lost(contact) <= 3 [W];' >ball.hbg
run 2 verify ball.hbg
says err 'J'
ball 0.7 0 'always lost(contact) <= -1 [J];' >ball.hbg
run 2 verify ball.hbg
says err 'has to be 0 or more'
ball 0.7 0 'always lost(contact) >= 3 [J];' >ball.hbg
run 2 verify ball.hbg
says err '`<=` and the most that may be lost'
ball 0.7 0 'always mass.p;' >ball.hbg
run 2 verify ball.hbg
says err 'what always holds in `verify`'
finish
