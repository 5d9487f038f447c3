#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# A model repaired with the line suggested by `hbg verify` still works: in a run, states that could be left
# still are.
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
optimised # verify_test.sh and tests/verify prove with the sanitizers

# A body falls on the floor and is lifted off again at 2 s by 5 N on 1 kg: 1 s later it is 2.5 m high. It is
# on the floor only with x <= 0, so x > 0 would keep it there forever.
cat >floor.hbg <<'END'
model Floor "A body that lies on the floor until it is lifted" {
    input real u = -9.8;
    1 v;
    I m(1, p = -1);
    Se g(u);
    Sf floor(0);
    0 c when t;
    v -> m;
    g -> v;
    floor -> c -> v;
    state x = 1 : der = v.f;
    automaton t {
        off above -> down when x <= 0 && v.f <= 0;
        on down -> above when c.e <= 0;
    }
    experiment lift {
        stop 3;
        at 2: u = 5;
        record x, v.f, t;
    }
}
END
run 1 verify floor.hbg
line=$(sed -n 's/^    to mend it, write in floor.hbg:\([0-9]*\)$/\1/p' out)
[ -n "$line" ] || fail "no line to write"
sed -n '/^    to mend it, write in /{n;p;q;}' out >written
sed -i -e "${line:-1}r written" -e "${line:-1}d" floor.hbg
run 0 verify floor.hbg
run 0 run floor.hbg -o mended.csv
awk -F, 'END { exit !($1 == 3 && $2 > 2.499999 && $2 < 2.500001) }' mended.csv || fail "it is not lifted: $(tail -n 1 mended.csv)"

finish
