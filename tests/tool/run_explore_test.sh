#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run --explore: what runs with other choices reach, least and greatest with a witness that --choose
# takes, and the stories.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
optimised # threads and 300 runs; the sanitized one makes some of them below

# Down after 0.5 s at 5 m/s; after the k-th collision it is up with 5·e1·…·ek.
ball() { # HEAD
    cat <<END
model Ball {
    param g $1;
    1 ball;
    I mass(1 [kg]);
    Se gravity(-1 [kg]*g);
    Sf floor(0 [m/s]);
    0 contact when touch restitution 0.5 .. 0.9;
    gravity -> ball -> mass;
    floor -> contact -> ball;
    state x = 1.25 [m] : der = ball.f;
    automaton touch {
        off flying -> bouncing when x <= 0 && mass.p < 0;
        on bouncing -> flying when mass.p > 0;
    }
    output speed = ball.f, off = (ball.f - 3.3 [m/s])^2;
    experiment drop { stop 2.3 [s]; record speed, off; }
}
END
}
ball '= 10 [m/s2]' >ball.hbg
ball 'in 5 .. 20 [m/s2] = 10 [m/s2]' >unknown.hbg

# found NAME INSTANT LEAST GREATEST: after this instant, in the report `out`; the witnesses go to low and high, as arguments of hbg run
found() {
    python3 - "$@" <<'END' || fail "not after instant $2: $1 from $3 to $4"
import json, sys
name, instant, wanted = sys.argv[1], int(sys.argv[2]), [eval(text) for text in sys.argv[3:]]
report = json.load(open("out"))
value = next(v for v in report["instants"][instant - 1]["values"] if v["name"] == name)
for key, file in (("least", "low"), ("greatest", "high")):
    with open(file, "w") as out:
        for text in value[key]["choose"]: print("--choose", text, file=out)
        if "seed" in value[key]: print("--seed", value[key]["seed"], file=out)
values = [value["least"]["value"], value["greatest"]["value"]]
print(values, wanted)
assert report["inner_estimate"] is True
sys.exit(any(abs(a - b) > 1e-7 for a, b in zip(values, wanted)))
END
}
# again MODEL FILE NAME INSTANT VALUE: the witness in the file gives this value again
again() {
    # shellcheck disable=SC2046
    run 0 run "$1" --zeno rest -q --events events $(cat "$2")
    python3 - "$3" "$4" "$5" <<'END' || fail "the witness in $2 does not give $5 again"
import json, sys
events = [json.loads(line) for line in open("events")]
jumps = [visit["jump"]["mass.p"][1] for event in events for visit in event["trace"] if "mass.p" in visit["jump"]]
sys.exit(abs(jumps[int(sys.argv[2]) - 1] - eval(sys.argv[3])) > 1e-7)
END
}

run 0 run ball.hbg --explore --zeno rest --json --points 0 --depth 4 --runs 300 -j 1
cp out one
for k in 1 2 3; do
    found speed $k "5*0.5**$k" "5*0.9**$k"
    again ball.hbg low speed $k "5*0.5**$k"
    again ball.hbg high speed $k "5*0.9**$k"
    cp one out
done
# three ways at each choice: 81 runs of which none occurs twice; those whose fourth collision comes too late have no choice there
python3 - <<'END' || fail 'sequences are missing or made twice'
import itertools, json
report = json.load(open("one"))
def times(es):
    speed, t = 5, 0.5
    for e in es:
        speed *= e
        yield t
        t += 2 * speed / 10
wanted = set()
for es in itertools.product((0.5, 0.7, 0.9), repeat=4):
    wanted.add(es[:sum(t < 2.3 for t in times(es))])
assert report["runs"] == len(wanted), (report["runs"], len(wanted))
assert sum(story["runs"] for story in report["stories"]) == report["runs"]
END

# random points: off is least where a speed is closest to 3.3 m/s, which no end reaches; the witness has a
# seed
run 0 run ball.hbg --explore --zeno rest --json --points 3 --depth 2 --runs 60 -j 3
cp out three
least=$(python3 - <<'END'
import json
value = next(v for v in json.load(open("three"))["instants"][0]["values"] if v["name"] == "off")["least"]
print("--choose", *value["choose"], "--seed", value["seed"], file=open("low", "w"))
print(value["value"])
END
)
says low 'contact=random'
# shellcheck disable=SC2046
run 0 run ball.hbg --zeno rest -q --events events $(cat low)
python3 - "$least" <<'END' || fail "a random witness does not give $least again"
import json, sys
jump = next(v["jump"]["mass.p"][1] for line in open("events") for v in json.loads(line)["trace"])
sys.exit(abs((jump - 3.3) ** 2 - float(sys.argv[1])) > 1e-9)
END
run 0 run ball.hbg --explore --zeno rest --json --points 3 --depth 2 --runs 60 -j 1
cmp -s out three || fail 'another number of threads gives another report'

# an unknown parameter is the first choice: from 1.25 m a ball is down with sqrt(2.5·g)
run 0 run unknown.hbg --explore --json --stop 0.9 --points 0
found speed 1 '0.5*12.5**0.5' '0.9*50**0.5'
says low 'g=least'
says high 'contact=greatest'
says high 'g=greatest'

# two junctions that choose at one instant choose independently: the ends are those of the exact set
# (tests/tool/run_outcomes_test.sh)
cat >fork.hbg <<'END'
model Fork {
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
        off apart -> hit when x >= 1 [m] && striker.f > left.f;
        on hit -> apart when striker.f <= left.f || striker.f <= right.f;
    }
    output v0 = striker.f, v1 = left.f, v2 = right.f;
    experiment push { stop 1.01 [s]; }
}
END
sanitized
run 0 run fork.hbg --explore --json --points 2 -j 2
found v0 1 -1/3 1/6
found v1 1 0 5/6
found v2 1 1/3 1

# the report for people is the same
run 0 run ball.hbg --explore --stop 1.2 --runs 7
says out 'an inner estimate'
says out 'speed from 2.5 m/s (contact=least) to 4.5 m/s (contact=greatest)'
says out 'time 0.5 s, always the same'
says out '--runs allows no more'
says out '2 stories'
run 0 run ball.hbg --explore --stop 1.6 --depth 1 --zeno rest
says out 'choices after the first 1 go on as the one before them'

run 2 run ball.hbg --explore --choose least
says err 'exploring decides all that is left open'
run 2 run ball.hbg --explore -o x.csv
says err 'hbg run --choose'
run 2 run ball.hbg --runs 10
says err 'are for `hbg run --explore`'
run 2 run ball.hbg --explore --depth 0
says err 'not a whole number from 1 on'
sed 's/0.5 .. 0.9/0.8/' ball.hbg >fixed.hbg
run 2 run fixed.hbg --explore
says err 'this run has nothing to choose'

# a run that is refused, here for a mass of 2 - 2.5 kg, which neither value gives alone, does not mention the
# run before it, with any threads
cat >refused.hbg <<'END'
model Refused {
    param m in 2 .. 4 [kg], n in 0 .. 2.5 [kg];
    I mass(m - n, f = -1 [m/s]);
    Sf floor(0 [m/s]);
    1 body;
    0 contact when touch restitution 0.2 .. 0.5;
    body -> mass;
    floor -> contact -> body;
    state x = 0.5 [m] : der = body.f;
    automaton touch {
        off up -> down when x <= 0 [m] && body.f < 0 [m/s];
        on down -> up when body.f > 0 [m/s];
    }
    output v = body.f;
    experiment e { stop 1 [s]; }
}
END
run 3 run refused.hbg --explore --points 2 -j 1
says out '2 stories'
says out '0 instants, refused'
mv out one
run 3 run refused.hbg --explore --points 2 -j 3
cmp -s one out || fail 'the threads change what refused runs tell'
finish
