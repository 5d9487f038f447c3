#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg sweep with runs side by side: tables and rows have the bytes of runs one after the other, with
# parameters, abrupt and incipient faults, stuck automata, elementary functions of every kind of argument, and
# runs that fail midway.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
export XDG_CACHE_HOME="$PWD/cache"
mkdir -p cache

cat >side.hbg <<'END'
model M {
    param R1 = 20 [Ohm], k = 1, y = 1.5;
    input bool shut = true;
    Se source(10 [V]); R r(R1); I coil(0.1 [H]); C c(1 [mF]); R load(50 [Ohm]); R lamp(100 [Ohm]);
    1 m; 0 b when !u; 1 a when !u; 0 n; 1 relay when k1;
    source -> m; m -> r; m -> coil; m -> b -> a -> n; n -> c; n -> load; n -> relay -> lamp;
    automaton u { off no -> yes when coil.f < 0.1; on yes -> no when coil.f > 0.3; }
    automaton k1 { on closed -> open when !shut; off open -> closed when shut; }
    state s = 1 : der = (sin(k*s) + cos(3*k)*exp(-k*abs(s)) + log(k*k + 0.1) - (abs(s) + 0.1)^y + tanh(s) + min(s, k)
        + max(-s, k) + sign(s) + floor(2*s) % 3 + sqrt(abs(s)) + (s > 0.5 && k < 2 ? 1 : -1)) * 1 [1/s];
    output v = c.e, i = coil.f, z = s;
    experiment e { stop 8 [ms]; solver heun step 20 [us]; record v, i, z every 1 [ms]; at 4 [ms]: shut = false; }
}
END
printf 'at,until,target,kind,value\n2 [ms],,R1,abrupt,50 [%%]\n3 [ms],6 [ms],k1,stuck,off\n1 [ms],5 [ms],R1,incipient,50 [%%]\n' >faults.csv

# side LANES THREADS: the sweep with this many runs side by side; the table is t-LANES.csv. Runs with y = 4000
# are not finite.
side() {
    run 3 sweep side.hbg --engine native --lanes "$1" -j "$2" -p R1=10:20:10 -p k=-2,0.7,1000 -p y=0.5,-4097,4000 \
        --faults faults.csv --nominal --trace 1-3 -o "t-$1.csv"
}

side 1 1
[ "$(grep -c 'static uint32_t lanes' cache/hbg/*.c)" -eq 0 ] || fail "code for lanes that nobody asked for"
[ "$(grep -c ',not finished,' t-1.csv)" -ge 8 ] || fail "no run fails"
side 8 2 # as many as the processor has
grep -q 'static uint32_t lanes' cache/hbg/*.c || fail "no code for lanes"
cmp t-1.csv t-8.csv || fail "tables differ"
diff -r t-1-traces t-8-traces || fail "rows differ"

side 2 1 # as many as any processor has
grep -q '^#define WIDTH 2$' cache/hbg/*.c || fail "no code for two lanes"
cmp t-1.csv t-2.csv || fail "tables differ with two lanes"
diff -r t-1-traces t-2-traces || fail "rows differ with two lanes"

# less than the processor has, with the optimised command and a converter that searches now and then
optimised
adapt() {
    run 0 sweep "$HBG_SOURCE_DIR/examples/adapt-experiment-2/adapt-experiment-2.hbg" -I "$HBG_SOURCE_DIR/lib" -x start_euler --stop '0.1 [s]' \
        --engine native --lanes "$1" -j 1 --runs 5 -p 'motor.Rs~normal(163 [Ohm], 2 [Ohm])' -o "a-$1.csv"
}
adapt 1
adapt 4
cmp a-1.csv a-4.csv || fail "tables of ADAPT differ"

# by itself where so many steps are to be made that the compiler's time comes back, and not before
cat >coil.hbg <<'END'
model Coil {
    param R1 = 20 [Ohm];
    Se source(10 [V]); R r(R1); I coil(0.1 [H]); 1 m;
    source -> m; m -> r; m -> coil;
    experiment e { stop 100 [ms]; solver heun step 20 [us]; record coil.f; }
}
END
export XDG_CACHE_HOME="$PWD/own"
coils() { # RUNS TABLE OPTION...
    runs=$1 table=$2
    shift 2
    run 0 sweep coil.hbg -p 'R1~normal(20 [Ohm], 1 [Ohm])' -j 1 --runs "$runs" -o "$table" "$@"
}
coils 40 few.csv
! ls own/hbg/*.c >/dev/null 2>&1 || fail "a sweep of a few runs waited for the compiler"
coils 4000 many.csv
grep -q 'static uint32_t lanes' own/hbg/*.c || fail "a sweep of many runs goes without lanes"
coils 4000 alone.csv --engine native --lanes 1
cmp many.csv alone.csv || fail "tables of coils differ"

run 2 sweep side.hbg --lanes 0
says err '`--lanes 0`'
finish
