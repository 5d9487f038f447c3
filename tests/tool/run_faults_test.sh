#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: faults on the command line and in tables, and the seed of the noise.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

# q = exp(-t) without faults
cat >model.hbg <<'END'
model Drain {
    C tank(1 [F], q = 1 [C]);
    R pipe(1 [Ohm]);
    tank -> pipe;
    sensor level = tank.e every 0.1 [s] noise(0 [V], 1 [mV2]);
    output q = tank.q, shown = level;
    experiment first { stop 2 [s]; record q, shown every 0.5 [s]; }
    experiment second { stop 3 [s]; record q; }
}
END

run 0 run model.hbg --fault 'at 1 [s]: pipe.R abrupt 100 [%]' --fault 'at 1.5: level stuck 7 [V]' --explain
says out 'fault at 1 s: pipe.R abrupt 100 [%]'
says out 'noise: seed 1'
says out 't = 1 s: fault: pipe.R abrupt 100 [%]'
says out 't = 1.5 s: fault: level stuck 7 [V]'
says out 'shown         7'
says out 'q             0.22313' # exp(-1.5)

printf 'at,until,target,kind,value\n1,,pipe.R,abrupt,100 [%%]\n' >faults.csv
run 0 run model.hbg --faults faults.csv --json
says out '"text": "pipe.R abrupt 100 [%]"'
says out '"seed": 1'

# the same bits for one seed, others for another
run 0 run model.hbg -q -o one.csv
run 0 run model.hbg -q -o again.csv --seed 1
run 0 run model.hbg -q -o two.csv --seed 2
cmp one.csv again.csv || fail 'the same seed gives other noise'
cmp -s one.csv two.csv && fail 'another seed gives the same noise'

# nothing runs if a fault is wrong
run 2 run model.hbg -o x.csv --fault 'at 1 [s]: pip.R abrupt 1'
says err 'the command line:1:11'
says err 'did you mean `pipe`?'
run 2 run model.hbg -o x.csv --fault 'at 2.5 [s]: pipe.R abrupt 1'
says err 'comes after the run has stopped'
run 0 run model.hbg -x second --fault 'at 2.5 [s]: pipe.R abrupt 1'
run 0 run model.hbg --stop 4 --fault 'at 2.5 [s]: pipe.R abrupt 1'
run 2 run model.hbg -o x.csv --fault 'at 1 [s]: tank stuck 0'
says err 'needs a positive one'
printf 'at,target,kind,value\n1,pipe.R,abrupt,1\n1,pipe.R,abrupt,1 [V]\n' >faults.csv
run 2 run model.hbg -o x.csv --faults faults.csv
says err 'faults.csv:3:17'
run 2 run model.hbg -o x.csv --faults nowhere.csv
says err 'cannot read the faults `nowhere.csv`'
run 2 run model.hbg -o x.csv --seed -1
says err '`--seed -1` is not a whole number'
run 2 run model.hbg -o x.csv --seed 99999999999999999999
absent x.csv

# a boost stage that is stuck draws more than the battery has: the reason names the battery, and a breaker saves it
export HBG_PATH="$HBG_SOURCE_DIR/lib"
adapt=$HBG_SOURCE_DIR/examples
run 3 run "$adapt/adapt-experiment-1/adapt-experiment-1.hbg" --fault 'at 3 [ms]: inverter.boost stuck on'
says err 'log(battery.depth_of_charge = -'
says err 'the battery is overloaded, or flat'
run 0 run "$adapt/adapt-testbed/adapt-testbed.hbg" --fault 'at 5 [ms]: bank_1.inverter.boost stuck on'
says out 'i_battery_1   0 A'

# an element changed by a parameter on the command line is judged against its declaration
cat >drag.hbg <<'END'
model Drag {
    param c = 0.01 [N.s2/m2], L1 = 1 [kg];
    I ball(L1, f = 1 [m/s]);
    R drag : e = c*f*abs(f);
    1 motion;
    motion -> ball;
    motion -> drag;
    output v = ball.f;
    experiment throw { stop 4 [s]; }
}
END
run 2 run drag.hbg -p 'c=-1 [N.s2/m2]'
says err 'this makes `drag`, which takes power, give some: for f = 1 it has e = -1'
run 0 run drag.hbg -p 'c=0 [N.s2/m2]'
run 2 run drag.hbg --fault 'at 1 [s]: c incipient -50 [%/s]'
says err 'it gets there at 3 s'
run 2 sweep drag.hbg -p 'c=-0.01:0.01:0.01'
says err 'which takes power, give some'

# ten waits of 0.2 s are a bit less than 2 s, but the end is exact: a fault that reaches 0 there is a short
# circuit
cat >creep.hbg <<'END'
model Creep {
    param Rs = 1 [Ohm], w = 0.2 [s];
    Se s(1 [V]);
    R r(Rs);
    s -> r;
    Se other(1 [V]);
    R load(1 [Ohm]);
    1 joint when a;
    other -> joint -> load;
    automaton a { off x -> y after w; on y -> x after w; }
    output i = r.f, at = time;
    experiment e { stop 2 [s]; }
}
END
for how in '--solver erk' '--solver rk4 --step 10ms'; do
    # shellcheck disable=SC2086
    run 3 run creep.hbg $how --fault 'at 1 [s]: Rs incipient -1 [Ohm/s]'
    says err 'is infinite because the value of `r` is 0: 1 / 0'
    # shellcheck disable=SC2086
    run 0 run creep.hbg -q -o creep.csv $how
    [ "$(tail -n 1 creep.csv)" = 2,1,2 ] || { fail 'the end is not where it was asked for'; tail -n 1 creep.csv >&2; }
done

# a modulated faulty value is examined in every step, whatever the rows: 0.5 + cos(t) < 0 from 2*pi/3 on
cat >wave.hbg <<'END'
model Wave {
    param k = 1 [Ohm];
    C c(1 [F], e = 1 [V]);
    I l(1 [H]);
    1 j;
    c -> j -> l;
    Se s(1 [V]);
    R r(k*(1.5 + c.e/(1 [V])));
    s -> r;
    output v = c.e;
    experiment e { stop 12.566370614359172 [s]; }
}
END
for how in '' '--every 6.283185307179586' '--every 6.283185307179586 --solver rk4 --step 10ms --engine interpreter' \
    '--every 6.283185307179586 --solver rk4 --step 10ms --engine native'; do
    # shellcheck disable=SC2086
    run 3 run wave.hbg $how --fault 'at 1 [s]: r abrupt -1 [Ohm]'
    says err 's: the value of `r` has become -'
    case $how in
    *rk4*) says err 'at t = 2.1' ;; # the end of a step
    *) says err 'at t = 2.0943951 s' ;;
    esac
done
run 3 sweep wave.hbg -p k=1,2 --every 6.283185307179586 --fault 'at 1 [s]: r abrupt -1 [Ohm]'
says out 'the value of `r` has become'
says err '2 runs; 1 did not get to the end'
# at 0 up to rounding is not less than 0
run 0 run wave.hbg --fault 'at 1 [s]: r abrupt -0.5 [Ohm]' --rtol 1e-4

# the balance names incipient faults of storages, and no others
cat >stores.hbg <<'END'
model Stores {
    Se s(1 [V]);
    R r(1 [Ohm]);
    C c(1 [F]);
    I l(1 [H]);
    1 j;
    s -> j -> r;
    j -> c;
    j -> l;
    output v = c.e;
    experiment e { stop 1 [s]; }
}
END
run 0 run stores.hbg --fault 'at 0 [s]: r incipient 1 [Ohm/s]'
grep -q 'by modulation' out && fail 'a storage that stays is said to be modulated'
run 0 run stores.hbg --fault 'at 0 [s]: l incipient 1 [H/s]'
says out 'by modulation    l '

# an incipient fault that makes an element invalid and then valid again, between the places judged before the
# run
cat >narrow.hbg <<'END'
model Narrow {
    param x = 1, L1 = 1 [Ohm];
    Se s(1 [V]);
    R r((1 [Ohm])*((x - 1.53)^2 - 1e-4));
    R line(L1);
    1 j;
    s -> j -> r;
    j -> line;
    I coil(1 [H]);
    j -> coil;
    output i = r.f;
    experiment e { stop 1 [s]; }
}
END
run 0 run narrow.hbg --step 1ms
run 2 run narrow.hbg --step 1ms --every 1 --fault 'at 0 [s]: x incipient 1 [1/s]'
says err 'makes the resistance of `r` negative at 0.52 s' # 1.53 - 0.01
run 0 run narrow.hbg --step 1ms --fault 'at 0 [s]: L1 incipient -50 [%/s]'

# -p is watched like faults: 2 - 0.5*2 = 1 Ohm as declared, 2 - 2*2 = -2 Ohm with a = 2
cat >asked.hbg <<'END'
model Asked {
    param k = 1 [Ohm], a = 0.5, b = a;
    C c(1 [F], e = 2 [V]);
    R r(k*(1 - b*c.e/(1 [V])) + 1 [Ohm]);
    c -> r;
    output v = c.e;
    experiment e { stop 1 [s]; }
}
END
run 0 run asked.hbg
run 0 run asked.hbg -p a=0.7
run 3 run asked.hbg -p a=2
says err 'the value of `r` has become -2, with the parameters of this run: it has to stay 0 or more'
run 3 run asked.hbg --every 1 -p b=2
run 3 sweep asked.hbg -p a=0.5,2,0.7
says err '3 runs; 1 did not get to the end'
says out 'the value of `r` has become -2'

# the declared value may be NaN
sed 's/a = 0.5/a = 0/; s/b\*c.e/c.e\/b\/4/' asked.hbg >endless.hbg
run 0 run endless.hbg -p a=2

# an element that sometimes gives power may do so with other parameters and faults, too
cat >oscillator.hbg <<'END'
model Oscillator {
    param mu = 1 [Ohm], L1 = 1 [H];
    C c(1 [F], q = 0.1 [C]);
    I l(L1);
    R r(mu*((c.q/(1 [C]))^2 - 1));
    1 j;
    j -> c;
    j -> l;
    j -> r;
    output q = c.q;
    experiment e { stop 20 [s]; }
}
END
run 0 run oscillator.hbg
run 0 run oscillator.hbg -p mu=2
run 0 run oscillator.hbg --fault 'at 5 [s]: mu abrupt 50 [%]'
run 0 sweep oscillator.hbg -p mu=1,2
run 3 run oscillator.hbg --fault 'at 5 [s]: mu abrupt -150 [%]'
says err 'with the faults of this run'

# a restitution stays between 0 and 1: 0.8 and half of it are 1.2
ball=$HBG_SOURCE_DIR/examples/ball-restitution/ball-restitution.hbg
run 2 run "$ball" --fault 'at 0.1 [s]: epsilon stuck -1'
says err 'this makes the restitution of `contact` -1: it has to stay between 0 and 1'
run 2 run "$ball" --fault 'at 0.1 [s]: epsilon abrupt 50 [%]'
says err 'this makes the restitution of `contact` 1.2'
run 0 run "$ball" --fault 'at 0.1 [s]: epsilon abrupt 20 [%]' --stop 1
run 3 sweep "$ball" -p epsilon=1.2,0.8 --stop 1

# units in faults on the command line need no brackets, as in its times and parameters
run 0 run oscillator.hbg --fault 'at 5s until 6s: mu abrupt 50%'
says out 'fault at 5 s until 6 s: mu abrupt 50 [%]'
run 0 run oscillator.hbg --fault 'at 0.001h: L1 stuck 2e3mH'
says out 'fault at 3.6 s: L1 stuck 2e3 [mH]'
run 2 run oscillator.hbg -p L1=1e-300
says err 'the value of `l` 1e-300, which is rounding: an inertia'

# a guard is reported as written in the model, whatever can be faulty in it, and so is a parameter that
# follows one
cat >told.hbg <<'END'
component Limit(high = 5 [V], scale = 1) {
    port in v : real;
    param low = 0.4*high;
    automaton a { off lower -> upper when v > high*scale; on upper -> lower when v < low - 0.1 [V]; }
    port out up = a.upper ? 1 : 0;
}
model Told {
    param k = 2;
    C c(1 [F], q = 0 [C]);
    Sf s(1 [A]*sin(time/(1 [s])));
    0 n;
    s -> n -> c;
    Limit limit(v = 5*c.e, scale = k/2);
    output v = c.e, up = limit.up;
    experiment e { stop 7 [s]; }
}
END
run 0 run told.hbg --quiet --explain --events told.jsonl --fault 'at 0.1 [s]: limit.high abrupt 10 [%]' \
    --fault 'at 0.1 [s]: k incipient 0.001 [1/s]' --fault 'at 0.2 [s]: limit.scale abrupt 1 [%]'
says out 'limit.a: lower -> upper, when limit.v > limit.high*limit.scale (at'
says out 'limit.a: upper -> lower, when limit.v < limit.low - 0.1 (at'
says told.jsonl '"cause":["limit.v > limit.high*limit.scale"]'
says told.jsonl '"cause":["limit.v < limit.low - 0.1"]'
finish
