#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: what instants do to energies, waits and the log, on small models whose answers are known.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

# two storages are joined, one of them empty: its law has no slope there, and still there is one answer
join() { # CHARGE LAW LAW
    cat >join.hbg <<END
model Join {
    C c1(q = $1) : e = $2;
    C c2(q = 0) : e = $3;
    0 a;
    0 b;
    1 j when s;
    a -> c1;
    b -> c2;
    a -> j -> b;
    input bool close = false;
    automaton s { off open -> closed when close; on closed -> open when !close; }
    output q1 = c1.q, q2 = c2.q;
    experiment e { stop 2; at 1: close = true; }
}
END
    run 0 run join.hbg
}
join 8 'cbrt(q)' 'cbrt(q)' # half of it each
says out 'q1            4'
says out 'q2            4'
join 9 'sqrt(q)' 'sqrt(q)'
says out 'q2            4.5'
join 9 'q^0.5' 'q^0.5'
says out 'q2            4.5'
join 1 q 'cbrt(q)' # q^3 + q = 1
says out 'q1            0.682328'
says out 'q2            0.317672'

# three of them: 8 = q + q + q/2
cat >three.hbg <<'END'
model Three {
    C c1(q = 8) : e = cbrt(q);
    C c2(q = 0) : e = cbrt(q);
    C c3(q = 0) : e = cbrt(2*q);
    0 a;
    0 b;
    0 c;
    1 j when s;
    1 k when s;
    a -> c1;
    b -> c2;
    c -> c3;
    a -> j -> b -> k -> c;
    input bool close = false;
    automaton s { off open -> closed when close; on closed -> open when !close; }
    output q1 = c1.q, q3 = c3.q;
    experiment e { stop 2; at 1: close = true; }
}
END
run 0 run three.hbg
says out 'q1            3.2'
says out 'q3            1.6'

finish
