#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg stats against values derived by hand: spread, worst runs, yield, rank correlation, indices of Sobol of a
# sum and of Ishigami's function, signatures of faults; and impossible requests.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

# ranks of R: 1 2 3 4 5; of `v final`: 1 2.5 2.5 4 5, so that with deviations from 3 the sums are 9.5, 10, 9.5: 9.5/sqrt(95) = 0.97468;
# Q does not vary
cat >t.csv <<'END_TABLE'
run,R,Q,seed,v final,v min,v max,end,verdict,reason
0,1,7,1,10,-1,1,1,finished,
1,2,7,2,20,-2,2,1,finished,
2,3,7,3,20,-3,3,1,finished,
3,4,7,4,30,-4,4,1,finished,
4,9,7,5,40,-5,5,1,finished,
5,10,7,6,,,99,1,Zeno,"it ends, early"
END_TABLE
run 0 stats t.csv
says out '6 runs; 1 did not get to the end'
says out 'v max: 3 ± 1.58; 1, 1.2, 3, 4.8, 5'
run 0 stats t.csv --correlate
says out 'v final: R 0.975, Q none'
says out 'v min: R -1.000, Q none'
run 2 stats t.csv --count 2
says err '--count does nothing without --worst'
run 2 stats t.csv --threshold 5
says err '--threshold does nothing without --signatures'
run 0 stats t.csv --worst v.min --count 2
[ "$(sed -n 3,9p out)" = "$(printf '  run 4: -5, -p R=9 -p Q=7 --seed 5\n  run 3: -4, -p R=4 -p Q=7 --seed 4')" ] || { fail 'the worst'; cat out >&2; }
run 0 stats t.csv --worst 'v max' --count 1
says out 'run 4: 5,'
# 3 of 6: Wilson's interval is symmetric about 1/2, half its width z/(2 sqrt(6 + z²)) = 0.31238
run 0 stats t.csv --limit 'v.max <= 4' --limit 'v min < -1'
says out 'yield 50 % (3 of 6 runs; with 95 % confidence 18.76 to 81.24 %)'
says out 'v.max <= 4: missed by 1'
says out 'v min < -1: missed by 1'
run 0 stats t.csv --limit 'R>=3' --json
says out '"good": 3'

# a sum a + 2 b of equal uniform variables: shares 1/5 and 4/5, first and total. Ishigami's function with a = 7, b = 0.1: V1 = (1 + b pi^4/5)^2/2,
# V2 = a^2/8, V13 = b^2 pi^8 (1/18 - 1/50), first V1/V, V2/V, 0, total (V1 + V13)/V, V2/V, V13/V
cat >sobol.hbg <<'END_MODEL'
model Two {
    param a = 0, b = 0, x1 = 0, x2 = 0, x3 = 0;
    Se one((a + 2*b)*1 [V]);
    Se two((sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1))*1 [V]);
    R r1(1 [Ohm]);
    R r2(1 [Ohm]);
    one -> r1;
    two -> r2;
    output sum = r1.e, ishigami = r2.e;
    experiment look {
        stop 1 [s];
    }
}
END_MODEL
optimised
# indices COLUMN NAME FIRST TOTAL: within 4 standard errors, and these are below 0.1
indices() {
    grep -A 9 "^  $1," out | grep -m 1 "^    $2:" | tr -d ',' | awk -v first="$3" -v total="$4" '
        function off(a, b) { return a > b ? a - b : b - a }
        { exit !($4 < 0.1 && $7 < 0.1 && off($2, first) < 4*$4 + 1e-9 && off($5, total) < 4*$7 + 1e-9) }
        END { if (NR != 1) exit 1 }' || { fail "indices of $1 by $2: $(grep -A 9 "^  $1," out)"; }
}
run 0 sweep sobol.hbg -p 'a~uniform(0, 1)' -p 'b~uniform(0, 1)' --plan sobol --runs 300 -o sum.csv
says out '1200 runs'
run 0 stats sum.csv --sobol
says out 'sum final, 300 samples'
indices 'sum final' a 0.2 0.2
indices 'sum final' b 0.8 0.8
says out 'a: the result does not vary'
pi=3.141592653589793
run 0 sweep sobol.hbg -p "x1~uniform(-$pi, $pi)" -p "x2~uniform(-$pi, $pi)" -p "x3~uniform(-$pi, $pi)" --plan sobol --runs 400 -o i.csv
run 0 stats i.csv --sobol
indices 'ishigami max' x1 0.3139 0.5576
indices 'ishigami max' x2 0.4424 0.4424
indices 'ishigami max' x3 0 0.2437
sanitized
# the plan in shards
run 0 sweep sobol.hbg -p 'a~uniform(0, 1)' --plan sobol --runs 2 -o plan.csv
for k in 1 2; do run 0 sweep sobol.hbg -p 'a~uniform(0, 1)' --plan sobol --runs 2 --shard $k/2 -o p$k.csv; done
run 0 sweep --merge p1.csv p2.csv
cmp -s out plan.csv || fail 'a plan in shards'
run 2 sweep --merge p1.csv t.csv

# signatures: after the supply falls by 2.4 V the current falls at once, the voltage by 2 V (1 - exp(-t/0.8333 s)): beyond 2 % of 10 V after
# 87.8 ms, at the row of 5.09 s; a bulb of less resistance draws more current from a voltage that falls
cat >lamp.hbg <<'END_MODEL'
model Lamp {
    param Rw = 10 [Ohm], Rb = 50 [Ohm], V = 12 [V];
    Se battery(V);
    R wire(Rw);
    R bulb(Rb);
    C buffer(100 [mF]);
    1 feed;
    0 node;
    battery -> feed -> wire;
    feed -> node;
    node -> bulb;
    node -> buffer;
    output v = node.e, i = wire.f;
    experiment light {
        stop 8 [s];
    }
}
END_MODEL
printf 'at,target,kind,value\n5 [s],V,abrupt,-20 [%%]\n5 [s],Rw,abrupt,50 [%%]\n5 [s],Rb,abrupt,-30 [%%]\n5 [s],Rb,abrupt,-0.01 [%%]\n' >faults.csv
run 0 sweep lamp.hbg --faults faults.csv --nominal --every '10 [ms]' --trace all -o c.csv
run 0 stats c.csv --signatures
says out '  at 5 [s]: V abrupt -20 [%]: v - at 5.09 s, i - at 5 s'
grep -q 'Rw abrupt 50 \[%\]: v - at 5.[0-9]* s, i - at 5 s$' out || { fail 'a wire'; cat out >&2; }
grep -q 'Rb abrupt -30 \[%\]: v - at 5.[0-9]* s, i + at 5.[0-9]* s$' out || { fail 'a bulb'; cat out >&2; }
says out '  at 5 [s]: Rb abrupt -0.01 [%]: nothing deviates'
[ "$(grep -A 9 '^cannot' out | sed 1d)" = '  at 5 [s]: V abrupt -20 [%] | at 5 [s]: Rw abrupt 50 [%]' ] || { fail 'which are alike'; cat out >&2; }
run 0 stats c.csv --signatures --threshold 5
says out 'V abrupt -20 [%]: nothing deviates'
rm c-traces/run-000003.csv
run 2 stats c.csv --signatures
says err '`hbg sweep … --trace all` keeps them'
sed 2d c.csv >alone.csv
run 2 stats alone.csv --signatures --traces c-traces
says err '`hbg sweep … --nominal` makes one'

# what it cannot answer
run 2 stats t.csv --signatures
says err 'no run has a fault'
run 2 stats t.csv --sobol
says err 'was not made by such a plan'
run 2 stats t.csv --worst v.mux
says err 'did you mean `v max`?'
run 2 stats t.csv --worst verdict
says err 'has no numbers'
for limit in v.max 'v.max = 3' 'v.max <= x' '<= 3' 'v.max <='; do
    run 2 stats t.csv --limit "$limit"
done
run 2 stats t.csv --limit 'w <= 3'
says err 'there is no column `w`'
printf 'time,v\n0,1\n' >run.csv
run 2 stats run.csv
says err 'it is no table of a sweep'
run 2 stats no.csv
run 2 sweep sobol.hbg -p 'a=1,2' -p 'b~uniform(0, 1)' --plan sobol -o x.csv
says err '`a` is a grid or a list'
run 2 sweep sobol.hbg -p 'b~uniform(0, 1)' --plan lattice -o x.csv
says err 'there is no plan `lattice`'
run 2 sweep sobol.hbg -p b=1 --plan sobol -o x.csv
says err '--plan sobol needs what is drawn'
run 2 sweep lamp.hbg -p 'V~uniform(1, 2)' --plan sobol --faults faults.csv -o x.csv
says err 'do not go together'
absent x.csv
# a parameter in a unit that is not of SI is repeated with its unit: without one it would be refused, or read as kelvin
cat >warm.hbg <<'END'
model Warm {
    param T = 20 [degC], u [mV] = 5 [mV], n = 3000 [rpm];
    Se a(T);
    R wall(1 [K/W]);
    1 x;
    a -> x -> wall;
    Se b(u);
    R r(1 [Ohm]);
    1 y;
    b -> y -> r;
    Sf c(n);
    R d(1 [N.m.s/rad]);
    0 z;
    c -> z -> d;
    output t = a.e, v = r.e, w = d.f;
    experiment e { stop 1 [ms]; }
}
END
run 0 sweep warm.hbg -p 'T=10degC,20degC' -p 'u=1mV,2mV' -p 'n=1000rpm,3000rpm' -q -o warm.csv
head -n 1 warm.csv | grep -q '^run,T \[K\],u \[V\],n,seed,' || fail "$(head -n 1 warm.csv)"
run 0 stats warm.csv --worst v.max --count 1
says out "-p 'T=283.15 [K]' -p 'u=0.002 [V]' -p n=104.71975511965978 --seed 3"
# a column without a unit is in SI, and its number as well
run 0 run warm.hbg -W no-bare-number -p 'T=283.15 [K]' -p 'u=0.002 [V]' -p n=104.71975511965978 --seed 3
silent err
says out 'v             0.002 V'
# a run without a number
printf 'run,R,seed,v final,verdict,reason\nnan,1,1,2,finished,\n' >unnumbered.csv
run 2 stats unnumbered.csv
says err 'no whole number'

# limits with units: of a column in degC, one in mA, and one without a unit, which is in SI. 260 K is -13.15 degC, 0.25 A is 250 mA
cat >u.csv <<'END_TABLE'
run,R,seed,T final [degC],i max [mA],v max,end,verdict,reason
0,1,1,-20,200,0.4,1,finished,
1,2,2,-13,250,0.45,1,finished,
2,3,3,5,450,0.46,1,finished,
END_TABLE
run 0 stats u.csv --limit 'T.final > 260 [K]' --limit 'i.max < 0.25 [A]' --limit 'v max <= 450 [mV]' --limit 'i max <= 250 [mA]' --limit 'i max <= 200'
says out 'T.final > 260 [K]: missed by 1'
says out 'i.max < 0.25 [A]: missed by 2'
says out 'v max <= 450 [mV]: missed by 1'
says out 'i max <= 250 [mA]: missed by 1'
says out 'i max <= 200: missed by 2'
run 2 stats u.csv --limit 'T final > 260 [W]'
says err '`T final` is in degC, and `260 [W]` is not'
run 2 stats u.csv --limit 'T final > 260 [foo]'
says err 'there is no unit'
run 2 stats u.csv --limit 'T final > x'
says err 'is no limit'
finish
