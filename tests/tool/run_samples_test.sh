#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: samples and sensors that tick together take their values in the order in which they read each
# other, at the start also, with every engine and kind of step; a controller with an ideal sensor acts as
# without one.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"
optimised # rows are compared; tests/api and tests/rt take samples with the sanitizers

# is TIME COLUMN VALUE: in the last row of this time, to 1e-5
is() {
    awk -F, -v time="$1" -v column="$2" -v b="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) k = i }
        $1 == time { a = $k } END { d = a - b; exit !(k && a != "" && d*d <= 1e-10*(1 + b*b)) }' interpreted/rows.csv ||
        fail "$steps: $2 at $1 is not $3: $(grep "^$1," interpreted/rows.csv)"
}

# q falls by 1.5·q over each second: q(n) = (-1/2)^n, through a sensor, a signal and a sample that reads both
cat >tank.hbg <<'END'
model Tank {
    C tank(1 [F], q = 1 [C]);
    Sf pump(u);
    pump -> tank;
    sample u [A] every 1 [s] = -(1.5 [1/s])*read;
    signal read = meter;
    sensor meter = tank.q every 1 [s];
    sample now every 1 [s] = time, seen every 1 [s] = now, last every 1 [s] = pre(now), slow every 2 [s] = seen;
    sample behind every 1 [s] = slow;
    output v = tank.e;
    automaton full { off no -> yes when u < -1 [A]; on yes -> no when u > 0.5 [A]; }
    experiment e { stop 4 [s]; record tank.q, u, meter, now, seen, last, slow, behind every 1 [s]; }
}
END
# a room at its set point stays there: the first reading is taken before the first duty
cat >room.hbg <<'END'
model Room {
    C room(1 [kJ/K], e = 20 [degC]);
    Sf heater(duty*1 [kW]);
    heater -> room;
    sensor thermo = room.e every 10 [s];
    sample duty every 10 [s] = max(0, min(1, (0.1 [1/K])*(20 [degC] - thermo)));
    experiment e { stop 20 [s]; record room.e, duty every 10 [s]; }
}
END
sed '/automaton/d' tank.hbg >calm.hbg
for steps in '--rtol 1e-9' '--solver bdf --rtol 1e-9' '--solver rk4 --step 0.1'; do
    for model in tank calm; do
        # shellcheck disable=SC2086
        compare "$model, $steps" "$PWD/$model.hbg" $steps
        for n in 0 1 2 3 4; do
            q=$(awk -v n=$n 'BEGIN { print (-0.5)^n }')
            is $n tank.q "$q"
            is $n meter "$q"
            is $n u "$(awk -v q="$q" 'BEGIN { print -1.5*q }')"
            is $n seen $n
            is $n last $((n > 0 ? n - 1 : 0))
            is $n behind $((n / 2 * 2))
        done
    done
    # shellcheck disable=SC2086
    compare "room, $steps" "$PWD/room.hbg" $steps
    for t in 0 10 20; do
        is $t duty 0
        is $t room.e 293.15
    done
done

# on until 4.5 µs of each period: 5 steps, or ticks, of 1 µs. The remainder of time is 0 at the wrap, on either grid
chop() {
    cat >chop.hbg <<END
model Chop {
    param T = 10 [us];
    signal v = pwm ? 12 : 0;
    state area = 0 [s] : der = v;
    automaton pwm $1 { on a -> b when time%T >= 0.45*T; off b -> a when time%T < 0.45*T; }
    experiment e { stop 200 [us]; record area every 200 [us]; }
}
END
}
steps='--solver rk4 --step 1us'
chop ''
compare chop "$PWD/chop.hbg" --solver rk4 --step 1us
awk -F, 'END { exit !($2 > 0.00119999 && $2 < 0.00120001) }' interpreted/rows.csv || fail "a grid: $(tail -1 interpreted/rows.csv)"
compare chop "$PWD/chop.hbg"
awk -F, 'END { exit !($2 > 0.00107999 && $2 < 0.00108001) }' interpreted/rows.csv || fail "located: $(tail -1 interpreted/rows.csv)"
chop 'every 1 [us]'
compare chop "$PWD/chop.hbg"
awk -F, 'END { exit !($2 > 0.00119999 && $2 < 0.00120001) }' interpreted/rows.csv || fail "a clock: $(tail -1 interpreted/rows.csv)"

# Pulses of 20 kHz on grids of 1, 2.5 and 7.5 µs, by laws, signals, guards and waits, their ends on a step or between two. In
# quarters of a microsecond: how many steps begin in a pulse. A law of rk4 is read in the middle and at the end of a step too
cat >pulses.hbg <<'END'
model Pulses {
    param T = 50 [us];
    signal phase = time%T;
    state law = 0 [s] : der = time%T < 0.5*T ? 1 : 0;
    state until = 0 [s] : der = phase <= 0.45*T ? 1 : 0;
    state part = 0 [s] : der = time/T - floor(time/T) < 0.3 ? 1 : 0;
    state guard = 0 [s] : der = a ? 1 : 0;
    state third = 0 [s] : der = b ? 1 : 0;
    state step = 0 [s] : der = c ? 1 : 0;
    state strict = 0 [s] : der = d ? 1 : 0;
    automaton a { on yes -> no when time%T >= 0.5*T; off no -> yes when time%T < 0.5*T; }
    automaton b { on yes -> no when time/T - floor(time/T) >= 0.3; off no -> yes when time/T - floor(time/T) < 0.3; }
    automaton c { off no -> yes when time >= 30 [us]; on yes; }
    automaton d { off no -> yes when time > 30 [us]; on yes; }
    experiment e { stop 6 [ms]; record law, until, part, guard, third, step, strict every 6 [ms]; }
}
END
# pulses METHOD STEP QUARTERS [OPTION...]
pulses() {
    local method=$1 step=$2 quarters=$3
    shift 3
    compare "pulses, $method, $step $*" "$PWD/pulses.hbg" --solver "$method" --step "$step" "$@"
    awk -F, -v method="$method" -v h="$quarters" '
        function on(t, share) { t %= 200; return share == "until" ? t <= 90 : t < 200*share }
        function area(share, sampled,   n, sum) {
            for (n = 0; n < 24000/h; n++) {
                sum += sampled || method == "euler" ? 6*on(n*h, share) : 0
                if (!sampled && method == "rk4") sum += on(n*h, share) + 4*on((n + 0.5)*h, share) + on((n + 1)*h, share)
            }
            return sum/6*h
        }
        function differs(what, value, quarters) {
            if ((value*4e6 - quarters)^2 > 1e-8) { print what " is " value*4e6 ", not " quarters; bad = 1 }
        }
        END {
            differs("law", $2, area(0.5)); differs("until", $3, area("until")); differs("part", $4, area(0.3))
            differs("guard", $5, area(0.5, 1)); differs("third", $6, area(0.3, 1))
            differs("step", $7, 24000 - 120); differs("strict", $8, 24000 - 120 - h)
            exit bad
        }' interpreted/rows.csv || fail "pulses, $method, $step $*"
}
pulses euler 1us 4
pulses rk4 2.5us 10
pulses euler 7.5us 30
pulses euler 1us 4 --events events

# a circle is refused, with a way to break it
echo 'model M { sample a every 1 [s] = b; sample b every 1 [s] = a; experiment e { stop 1 [s]; } }' >circle.hbg
run 2 check circle.hbg
says err 'E0407'
says err 'pre(a)'
finish
