#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Exploring choices beside a sweep of as many runs: what the tree, the values after each instant and the stories cost.
set -euo pipefail

runs=10000
bar=2 # times the processor time of the sweep
cat >ball.hbg <<'END'
model Ball {
    1 ball;
    I mass(1 [kg]);
    Se gravity(-10 [N]);
    Sf floor(0 [m/s]);
    0 contact when touch restitution 0.5 .. 0.9;
    gravity -> ball -> mass;
    floor -> contact -> ball;
    state x = 1.25 [m] : der = ball.f;
    automaton touch {
        off flying -> bouncing when x <= 0 && mass.p < 0;
        on bouncing -> flying when mass.p > 0;
    }
    experiment drop { stop 2 [s]; record x, ball.f; }
}
END

# spent COMMAND...: its processor time in ms; runs of both commands may end where bounces accumulate
spent() {
    local TIMEFORMAT='%U %S'
    { time { "$@" >output || [ $? -eq 3 ]; }; } 2>&1 | awk '{ printf "%d", 1000 * ($1 + $2) }'
}

swept=$(spent "$HBG" sweep ball.hbg --choose random --runs $runs -j 1 -q -o table.csv)
explored=$(spent "$HBG" run ball.hbg --explore --runs $runs --depth 100 -j 1 --json)
cat <<END
## Exploring

$runs runs of a ball whose restitution is between 0.5 and 0.9, one thread, processor time: a sweep with random choices, and a tree of
runs with the values after each instant and the stories. Bar: at most $bar times the sweep.

| command | s |
|---|--:|
END
printf '| %s | %d.%03d |\n' "\`hbg sweep --choose random --runs $runs\`" $((swept / 1000)) $((swept % 1000)) \
    "\`hbg run --explore --runs $runs\`" $((explored / 1000)) $((explored % 1000))
[ "$explored" -le $((bar * swept)) ]
