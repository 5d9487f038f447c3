#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run and sweep: changes of values, in percent and in degrees.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >amount.hbg <<'END'
model Amount {
    param Rb = 50 [Ohm], k = 2, Ta = 295.15 [K];
    Se supply(1 [V]);
    R bulb(Rb);
    supply -> bulb;
    sensor meter = bulb.e;
    sensor warm = Ta every 1 [s] noise(0 [K], 0 [K2]);
    output r = bulb.e/bulb.f, shown = meter, gain = k, T = Ta, y = warm;
    experiment e { stop 10 [s]; }
}
END
# becomes VALUE OUTPUT FAULT: the output at the end
becomes() {
    run 0 run amount.hbg -q -o x.csv --record "$2" --fault "at 0 [s]: $3"
    last=$(tail -n 1 x.csv | cut -d, -f2)
    awk -v a="$last" -v b="$1" 'BEGIN { exit !(a - b < 1e-9 && b - a < 1e-9) }' || fail "$last, not $1: $3"
}

# a percentage in any notation: 30 % of 50 Ohm are 15 Ohm
for value in '30 [%]' '(1 + 2)*10 [%]' '10 [%]*3' '0.3*100 [%]' '60 [%]/2' '40 [%] - 10 [%]' '30 [percent]' '30 [ % ]'; do
    becomes 65 r "Rb abrupt $value"
    becomes 35 r "bulb abrupt -($value)"
done
becomes 1.1 shown 'meter bias 2*5 [%]'
becomes 2.2 gain 'k abrupt 10 [percent]'
for value in '10 [%/s]' '10 [% / s]' '600 [%/min]' '10 [%]' '5*2 [%/s]' '10 [percent/s]'; do
    becomes 4 gain "k incipient $value"
done
becomes 2 shown 'meter drift 300*2 [%/min]'
becomes 1.5 gain 'k stuck 150 [%]'
for value in '1 + 10 [%]' 'k*10 [%]' 'abs(-10 [%])' '10 [%]/1 [s]' '10 [%2]'; do
    run 2 run amount.hbg --fault "at 1: k abrupt $value"
    says err 'this has `%` in it, but is no percentage'
done
run 2 run amount.hbg --fault 'at 1: meter drift 1 + 10 [%]'
run 2 run amount.hbg --fault 'at 1: k abrupt 2*10 [%/s]'
says err 'this changes with time, and the fault comes at once'
run 2 run amount.hbg --fault 'at 1: Rb stuck 2*10 [%]'
run 2 run amount.hbg -p 'Rb=2*10 [%]'
run 2 sweep amount.hbg -p 'Rb=50,2*10 [%]'
run 0 run amount.hbg -p 'k=2*10 [%]'

# a difference of temperatures is not a temperature on a scale
becomes 300.15 T 'Ta abrupt 5 [K]'
becomes 300.15 T 'Ta abrupt 25 [degC] - 20 [degC]'
becomes 278.15 T 'Ta stuck 5 [degC]'
becomes 275.15 T 'Ta abrupt 2 [degC] - Ta'
for fault in 'Ta abrupt 5 [degC]' 'Ta abrupt -5 [degC]' 'Ta abrupt 9 [degF]' 'Ta abrupt 2*5 [degC]' 'warm bias 5 [degC]' \
    'warm noise(5 [degC], 0 [K2])'; do
    run 2 run amount.hbg --fault "at 1: $fault"
    says err 'a difference of temperatures is in K'
done
run 2 sweep amount.hbg -p 'Ta~normal(22 [degC], 1 [degC])' --runs 2
says err 'a deviation is a difference'
run 2 sweep amount.hbg -p 'Ta=20 [degC]:30 [degC]:5 [degC]'
says err 'the step of a grid is a difference'
run 0 sweep amount.hbg -p 'Ta=20 [degC]:30 [degC]:5 [K]'
says out '1,298.15,'
sed 's/0 \[K\], 0 \[K2\]/5 [degC], 0 [K2]/' amount.hbg >declared.hbg
run 2 check declared.hbg
says err 'the mean of noise is a difference'

# messages about wrong numbers
run 2 run amount.hbg --fault 'at 1: warm noise(0 [K], 1 [K])'
says err 'K^2'
sed 's/k = 2/k = 0/' amount.hbg >nothing.hbg
run 2 run nothing.hbg --fault 'at 1: k abrupt 50 [%]'
says err 'this has no effect: the nominal value of `k` is 0'
run 0 run nothing.hbg --fault 'at 1: k abrupt 0.5'
run 0 sweep nothing.hbg -p k=1,2 --fault 'at 1: k abrupt 50 [%]'
run 2 run amount.hbg --seed 18446744073709551615
says err 'is too large: 9223372036854775807 is the most'
run 0 sweep amount.hbg -p k=1,2 --seed 9223372036854775806
says out '1,2,9223372036854775807,'
run 2 sweep amount.hbg -p k=1,2 --seed 9223372036854775807
says err 'each of 2 runs has a seed of its own'
run 2 run amount.hbg --seed 1x
says err 'is not a whole number'
set --
for i in $(seq 257); do set -- "$@" --fault "at 1: k abrupt $i"; done
run 2 run amount.hbg "$@"
says err '`--faults FILE` takes a table of any length'
cat >coils.hbg <<'END'
model Coils {
    param M = 0.5 [H];
    Se s(1 [V]);
    R r(1 [Ohm]);
    I pair[2]([[1 [H], M], [M, 1 [H]]]);
    1 j;
    s -> j -> r;
    j -> pair[1];
    R q(1 [Ohm]);
    pair[2] -> q;
    output i = r.f;
    experiment e { stop 1 [s]; }
}
END
run 2 run coils.hbg -p M=-1.5
says err 'is -1.5, and has to stay below 1 in size'
run 2 run coils.hbg -p M=1.0000001
says err 'is 1.0000001, and has to stay below 1,'

finish
