#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The possible results of a collision with choices: centre, generators and exact ranges in the log of events.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

# ranges NAME LOW HIGH ...: of the first jump with choices, to 1e-9 of the larger end; `lost` is the energy
ranges() {
    python3 - "$@" <<'END' || fail "ranges are not $*"
import json, sys
sets = [visit["outcomes"] for line in open("events") for visit in json.loads(line)["trace"] if "outcomes" in visit]
found = sets[0]["ranges"] | {"lost": sets[0]["lost"]}
words, bad = sys.argv[1:], []
for name, low, high in zip(words[0::3], words[1::3], words[2::3]):
    low, high = eval(low), eval(high)
    if any(abs(a - b) > 1e-9 * max(abs(low), abs(high)) for a, b in zip(found[name], (low, high))): bad.append((name, found[name]))
    if name == "lost": continue
    centre, reach = sets[0]["centre"][name], sum(map(abs, sets[0]["generators"][name]))
    if abs(centre - reach - low) > 1e-8 or abs(centre + reach - high) > 1e-8: bad.append((name, centre, reach))
print(bad)
sys.exit(bool(bad) or not sets[0]["exact"])
END
}

# 003, section 6.1: the head comes with sqrt(2·100 m/s²·1 mm) = sqrt(0.2) m/s. Momentum is kept and the
# relative velocity afterwards is between 0 and all of it, so that the head keeps a third of its speed or
# loses two of them, and at most u²/2·m_s·m_p/(m_s + m_p) is lost.
cat >impact.hbg <<'END'
model Impact {
    param m_s = 50 [g], m_p = 100 [g];
    1 head;
    1 board;
    I mass_s(m_s, f = 0);
    I mass_p(m_p, f = 0);
    Se push(5 [N]);
    0 contact when touch restitution 0 .. 1;
    push -> head -> mass_s;
    head -> contact -> board -> mass_p;
    state q_1 = 0 [m] : der = head.f;
    state q_5 = 1 [mm] : der = board.f;
    automaton touch {
        off apart -> hit when q_1 >= q_5 && head.f > board.f;
        on hit -> apart when head.f <= board.f;
    }
    output v_s = head.f, v_p = board.f;
    experiment fall { stop 4.6 [ms]; }
}
END
run 0 run impact.hbg --explain -q --events events
ranges v_s '-0.2**0.5/3' '0.2**0.5/3' v_p '0.2**0.5/3' '2*0.2**0.5/3' mass_s.p '-0.05*0.2**0.5/3' '0.05*0.2**0.5/3' lost 0 '0.1/30'
says out 'v_s from -0.149071 m/s to 0.149071 m/s, v_p from 0.149071 m/s to 0.298142 m/s; from 0 J to 3.33333 mJ lost'
# the report does not change the run, and the choice does not change the set
run 0 run impact.hbg -q -o quiet.csv
run 0 run impact.hbg -q -o told.csv --events events --explain
cmp -s quiet.csv told.csv || fail 'a run that tells its outcomes is another one'
run 0 run impact.hbg --choose least -q --events events
ranges v_s '-0.2**0.5/3' '0.2**0.5/3' lost 0 '0.1/30'

# A body of 1 kg strikes two at rest with 1 m/s. From 3·v0 + e1 + e2 = 1 follow v1 = (1 + 2·e1 - e2)/3 and v2
# = (1 - e1 + 2·e2)/3; the loss is (1 - e1² - e2² + e1·e2)/3, which with e2 = 0.5 is greatest at e1 = 0.25:
# between the corners.
cat >fork.hbg <<'END'
model Fork {
    param reach = 1 [m];
    1 striker;
    1 left;
    1 right;
    0 a when touch restitution 0 .. 1;
    0 b when touch restitution 0.5 .. 1;
    I m0(1 [kg], f = 1 [m/s]);
    I m1(1 [kg], f = 0);
    I m2(1 [kg], f = 0);
    striker -> m0;
    left -> m1;
    right -> m2;
    striker -> a -> left;
    striker -> b -> right;
    state x = 0 [m] : der = striker.f;
    automaton touch {
        off apart -> hit when x >= reach && striker.f > left.f;
        on hit -> apart when striker.f <= left.f || striker.f <= right.f;
    }
    output v0 = striker.f, v1 = left.f, v2 = right.f;
    experiment push { stop 1.01 [s]; }
}
END
run 0 run fork.hbg -q --events events --explain
ranges v0 -1/3 1/6 v1 0 5/6 v2 1/3 1 lost 0 13/48
says out 'it might be, with a 0 .. 1, b 0.5 .. 1: '

# with a nonlinear law the set is not a zonotope, and that is reported: with f = p + p³ and e from 0 to 1 a
# mass that arrives with p = -1 leaves with -f from 0 to 2, so with p from 0 to 1, but not with the middle in
# the middle
cat >bent.hbg <<'END'
model Bent {
    1 ball;
    I mass(p = -1 [N.s]) : f = p/1[kg] + p^3*1[1/(kg.N2.s2)];
    Sf floor(0 [m/s]);
    0 contact when touch restitution 0 .. 1;
    ball -> mass;
    floor -> contact -> ball;
    state x = 1 [m] : der = ball.f;
    automaton touch {
        off flying -> bouncing when x <= 0 && mass.p < 0;
        on bouncing -> flying when mass.p > 0;
    }
    experiment drop { stop 0.6 [s]; record mass.p; }
}
END
run 0 run bent.hbg -q --events events --explain
says out 'mass.p from 0 N·s to 1 N·s'
says out 'ends of what was tried, since a law bends'
says events '"exact":false'
finish
