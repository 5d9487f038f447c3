#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Random small graphs: circuits with a relay that has hysteresis and a timed switch, and rows of masses that
# collide. The run of each is a behaviour of its process, and exploring stays within the possible results of a
# collision, and reaches their ends. Seeded; more of them if HBG_SOAK is set.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
# judge MODEL...: its exit code is the answer
judge() {
    timeout 120 "$hbg" "hypa" --check "$@" >out 2>err </dev/null
}

optimised # many small runs; the sanitized one judges runs in api/hypa_check

count=40
[ -z "${HBG_SOAK:-}" ] || count=2000
cat >make.py <<'END'
import random, sys
def circuit(r):
    low = r.uniform(0.5, 3); high = low + r.uniform(0.5, 3)
    parts = ["Se source(%.4g [V]);" % r.uniform(8, 20), "R series(%.4g [Ohm]);" % r.uniform(1, 20), "1 loop;", "0 node;",
             "C cap(%.4g [F], e = %.4g [V]);" % (r.uniform(0.01, 0.1), r.uniform(0, 5)), "1 drain when relay;",
             "R load(%.4g [Ohm]);" % r.uniform(0.1, 2), "source -> loop -> series;", "loop -> node -> cap;", "node -> drain -> load;"]
    if r.random() < 0.5: parts += ["I coil(%.4g [H], f = 0);" % r.uniform(0.05, 1), "loop -> coil;"]
    if r.random() < 0.5: parts += ["1 second when late;", "R more(%.4g [Ohm]);" % r.uniform(1, 9), "node -> second -> more;",
             "automaton late { off early -> open when time >= %.4g [s]; on open -> early when time < 0 [s]; }" % r.uniform(0.1, 0.9)]
    if r.random() < 0.3: parts += ["GY turn(%.4g);" % r.uniform(0.5, 3), "1 shaft;", "C spring(%.4g);" % r.uniform(0.1, 1), "R loss(1);",
             "node -> turn -> shaft -> spring;", "shaft -> loss;"]
    parts += ["automaton relay { off idle -> busy when node.e >= %.4g [V]; on busy -> idle when node.e <= %.4g [V]; }" % (high, low)]
    return parts + ["experiment e { stop 1 [s]; record node.e; }"]
def masses(r):
    n = r.choice((2, 2, 3)); speed = sorted((r.uniform(-1, 3) for _ in range(n)), reverse=True)
    parts = []
    for i in range(n):
        parts += ["1 b%d;" % i, "I m%d(%.4g [kg], f = %.4g [m/s]);" % (i, r.uniform(0.2, 2), speed[i]), "b%d -> m%d;" % (i, i)]
    for i in range(n - 1):
        eps = r.choice(("0", "1", "%.3g" % r.uniform(0.1, 0.9)))
        parts += ["0 c%d when t%d restitution %s;" % (i, i, eps), "b%d -> c%d -> b%d;" % (i, i, i + 1),
                  "state g%d = %.4g [m] : der = b%d.f - b%d.f;" % (i, r.uniform(0.05, 0.6), i + 1, i),
                  "automaton t%d { off apart -> hit when g%d <= 0 && b%d.f > b%d.f; on hit -> apart when b%d.f < b%d.f; }" % (i, i, i, i + 1, i, i + 1)]
    if r.random() < 0.4: parts += ["Se push(%.4g [N]);" % r.uniform(0, 3), "push -> b0;"]
    return parts + ["experiment e { stop 1 [s]; record b0.f; }"]
for seed in range(1, int(sys.argv[1]) + 1):
    with open("m%d.hbg" % seed, "w") as out:
        print("model M {\n    " + "\n    ".join((circuit if seed % 2 else masses)(random.Random(seed))) + "\n}", file=out)
END
accepted=0
python3 make.py "$count"
for seed in $(seq "$count"); do
    code=0
    judge "m$seed.hbg" || code=$?
    case $code in
    0) accepted=$((accepted + 1)) ;;
    4) grep -q 'broke off\|not decided' out || fail "seed $seed: $(cat out err)" ;;
    *) fail "seed $seed: $(head -4 out err)" ;;
    esac
done
[ "$accepted" -ge $((count * 8 / 10)) ] || fail "only $accepted of $count runs are accepted"

# extremes of exploring are the ends of the exact set, which is reported with the event: both are linear in
# the coefficient
for seed in $(seq $((count / 10))); do
    python3 - "$seed" >m.hbg <<'END'
import random, sys
r = random.Random(int(sys.argv[1]))
low = r.uniform(0, 0.5); high = r.uniform(0.5, 1)
print("""model M {
    1 a; 1 b; I m1(%.4g [kg], f = %.4g [m/s]); I m2(%.4g [kg], f = 0);
    0 c when t restitution %.4g .. %.4g;
    a -> m1; a -> c -> b; b -> m2;
    state g = 0 [m] : der = b.f - a.f;
    automaton t { off apart -> hit when g <= 0 && a.f > b.f; on hit -> apart when a.f < b.f; }
    experiment e { stop 1 [ms]; record a.f, b.f; }
}""" % (r.uniform(0.1, 2), r.uniform(0.1, 3), r.uniform(0.1, 2), low, high))
END
    run 0 run m.hbg -q --events events
    run 0 run m.hbg --explore --json --points 3 --zeno rest
    python3 - <<'END' || fail "seed $seed: exploring and the exact set differ"
import json
ranges = next(v["outcomes"]["ranges"] for line in open("events") for v in json.loads(line)["trace"] if "outcomes" in v)
for value in json.load(open("out"))["instants"][0]["values"]:
    if value["name"] == "time": continue
    low, high = ranges[value["name"]]
    size = max(abs(low), abs(high))
    assert abs(value["least"]["value"] - low) < 1e-9*size and abs(value["greatest"]["value"] - high) < 1e-9*size, (value, low, high)
END
done
finish
