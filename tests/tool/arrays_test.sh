#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Arrays, loops and conditions: a model with them equals the model written out, to the last bit; sizes come
# from parameters, also on the command line; members can be set, recorded, and made faulty.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cell='component Cell(R1 = 100 [Ohm], C1 = 1 [uF]) {
    port a : electrical;
    port b : electrical;
    R r(R1);
    C c(C1);
    1 j;
    0 n;
    a -> j -> n -> b;
    j -> r;
    n -> c;
    port out v = c.e;
}'

cat >array.hbg <<END
$cell
model Ladder {
    param n = 3, U = 10 [V];
    Se s(U);
    Cell cell[n](R1 = 50 [Ohm]);
    s -> cell[1].a;
    for i in 1 .. n - 1 {
        cell[i].b -> cell[i + 1].a;
    }
    cell[n].b -> load;
    R load(1 [kOhm]);
    if n > 2 {
        C extra(n*1 [uF]);
        0 node;
    }
    experiment charge {
        stop 2 [ms];
        set cell[2].C1 = 2 [uF];
        fault at 1 [ms]: cell[n].R1 abrupt 100 [%];
        record cell.v, cell[n].r.f;
    }
}
END
sed -i '/C extra/d; /0 node/d; s/if n > 2 {/if n > 2 { output last = cell[n].v;/' array.hbg

cat >written.hbg <<END
$cell
model Ladder {
    param U = 10 [V];
    Se s(U);
    Cell c1(R1 = 50 [Ohm]);
    Cell c2(R1 = 50 [Ohm]);
    Cell c3(R1 = 50 [Ohm]);
    s -> c1.a;
    c1.b -> c2.a;
    c2.b -> c3.a;
    c3.b -> load;
    R load(1 [kOhm]);
    output last = c3.v;
    experiment charge {
        stop 2 [ms];
        set c2.C1 = 2 [uF];
        fault at 1 [ms]: c3.R1 abrupt 100 [%];
        record c1.v, c2.v, c3.v, c3.r.f;
    }
}
END

for solver in erk bdf 'rk4 --step 1e-5'; do
    # shellcheck disable=SC2086 # a solver and its step
    run 0 run array.hbg -q --solver $solver -o array.csv
    # shellcheck disable=SC2086
    run 0 run written.hbg -q --solver $solver -o written.csv
    [ "$(head -n 1 array.csv)" = 'time,cell[1].v,cell[2].v,cell[3].v,cell[3].r.f' ] || fail "columns: $(head -n 1 array.csv)"
    tail -n +2 array.csv >a && tail -n +2 written.csv >b
    cmp -s a b || fail "$solver: the array differs from what is written out"
    [ "$(wc -l <a)" -gt 10 ] || fail "$solver: no rows"
done

# sizes and members on the command line
run 0 run array.hbg -q -p n=5 -p 'cell[5].C1=3uF' --record 'cell[5].c.q,cell[5].v,last' -o five.csv
[ "$(head -n 1 five.csv)" = 'time,cell[5].c.q,cell[5].v,last' ] || fail "$(head -n 1 five.csv)"
tail -n 1 five.csv | awk -F, '{ d = $2 - 3e-6*$3; exit !($3 > 0 && d*d < 1e-24) }' || fail "q is not 3 µF times v"
run 0 check array.hbg -p n=2
says out '2 signals' # v of both cells, and no `last`
run 2 run array.hbg -p n=0
says err 'array `cell` has the size 0'
run 2 run array.hbg -p 'cell[9].R1=1'
says err 'there are `cell[1]` to `cell[3]`'
run 2 sweep array.hbg -p n=2:4:1
says err 'decides what parts the model has'

# states are in the order of their indices, followed by other plotted columns
cat >many.hbg <<'END'
model Many {
    for i in 1 .. 11 { Se s[i](1 [V]); R r[i](1 [Ohm]); C c[i](1 [F]); 1 j[i]; s[i] -> j[i] -> r[i]; j[i] -> c[i]; }
    experiment e { stop 1 [s]; plot r[2].f, c[1].q; }
    experiment f { stop 1 [s]; record c[3].e; plot r[2].f; }
}
END
run 0 run many.hbg -x e -q -o many.csv
[ "$(head -n 1 many.csv)" = "time,$(seq -s, -f 'c[%g].q' 11),r[2].f" ] || fail "columns: $(head -n 1 many.csv)"
run 0 run many.hbg -x f -q -o many.csv
[ "$(head -n 1 many.csv)" = 'time,c[3].e,r[2].f' ] || fail "columns: $(head -n 1 many.csv)"
# 1 V through 1 Ohm into 1 F: exp(-1) A after 1 s
tail -n 1 many.csv | awk -F, '{ exit !(($3 - exp(-1))^2 < 1e-10 && ($2 + $3 - 1)^2 < 1e-10) }' || fail "$(tail -n 1 many.csv)"
run 0 run many.hbg -x f -q --record 'c[4].q' -o many.csv
[ "$(head -n 1 many.csv)" = 'time,c[4].q' ] || fail "what is asked for is not all: $(head -n 1 many.csv)"

# the parts of an image are fixed
run 0 compile array.hbg -o array.hbi
run 0 run array.hbi -q -o image.csv
run 0 run array.hbg -q -o model.csv
cmp -s image.csv model.csv || fail 'the image gives other rows'
run 0 run array.hbi -q -p 'cell[1].R1=60' --record 'cell[3].v' -o other.csv
run 2 run array.hbi -p n=4
says err 'compile the model again'

# formatting keeps blocks, and is idempotent
run 0 fmt -o once.hbg array.hbg
run 0 fmt -o twice.hbg once.hbg
cmp -s once.hbg twice.hbg || fail 'formatting twice changes something'
says once.hbg '    for i in 1 .. n - 1 {'
finish
