#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run --input: constants, functions of time and files instead of the experiment's settings of an input.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >rc.hbg <<'END'
model Rc {
    input real u [V] = 10 [V];
    input bool on = true;
    input event tick;
    Se s(u);
    R r(1 [kOhm]);
    C c(1 [uF]);
    1 j when relay;
    s -> j -> r;
    j -> c;
    output v = c.e;
    automaton relay {
        off open -> closed when on;
        on closed -> open when !on || tick;
    }
    experiment e {
        stop 1 [ms];
        at 0.5 [ms]: u = 0 [V];
        record v;
    }
}
END
# ends VALUE ARGUMENT...: v at the end of a run of $circuit, to 1e-5
circuit=rc.hbg
ends() {
    local value=$1
    shift
    run 0 run "$circuit" -q -o rows.csv --rtol 1e-8 "$@"
    tail -n 1 rows.csv | awk -F, -v value="$value" '{ d = $2 - value; exit !(d*d < 1e-10) }' ||
        fail "$*: v ends at $(tail -n 1 rows.csv), not $value"
}
ends 2.386512 # 10·(1 - exp(-0.5))·exp(-0.5)
ends 3.160603 --input 'u=5 [V]' # 5·(1 - 1/e); the experiment's settings of u are dropped
ends 3.160603 --input u=5V
ends 0.367879 --input 'u=1000 [V/s]*time' # 1000·T/e
printf 'time,u,on\n0,0,1\n1,1000,1\n' >u.csv
ends 0.367879 --input u=u.csv
ends 3.160603 --input u=5 --input on=u.csv
ends 0 --input on=false
run 0 run rc.hbg -q --input 'u=2*sin(1000*time)' --solver bdf -o rows.csv

# a sine that is as slow as the circuit: v' = (5*sin(t) - v)/(1 s), v = 2.5*(sin(t) - cos(t) + exp(-t)), at 2 s
sed -e 's/1 \[uF\]/1 [mF]/' -e 's/stop 1 \[ms\]/stop 2 [s]/' rc.hbg >slow.hbg
circuit=slow.hbg
ends 3.651949 --input 'u=5*sin(time)' # the unit of t may be left out, with a warning
says err 'warning[W0708]: `sin` is a function of a pure number, but `time` is in s'
says err '--> the command line:1:9'
says err 'multiply it by a rate, as in `(1 [rad/s])*time`'
ends 3.651949 --input 'u=5 [V]*sin((1 [rad/s])*time)'
silent err

run 2 run rc.hbg --input v=5
says err '`v` is not an input'
run 2 run rc.hbg --input w=5
says err 'nothing here is called `w`'
run 2 run rc.hbg --input tick=1
says err 'it happens and has no value'
run 2 run rc.hbg --input u
says err 'gives no value'
run 2 run rc.hbg --input 'u=5 [A]'
says err 'E0403'
run 2 run rc.hbg --input on=5
says err 'E0401'
printf 'time,u\n0,0\n0.5,\n1,1000\n' >holes.csv
run 2 run rc.hbg --input u=holes.csv
says err 'holes.csv'
says err 'line 3'
run 2 run rc.hbg --input u=nowhere.csv
says err 'nowhere.csv'
run 0 compile rc.hbg --input 'u=5 [V]' -o rc.hbi
run 0 run rc.hbi -q -o image.csv
tail -n 1 image.csv | grep -q '^0.001,3.1606' || fail "image: $(tail -n 1 image.csv)"
run 2 run rc.hbi --input u=5
says err 'hbg compile'

# an error message quotes the argument
run 2 run rc.hbg --input w=5
says err '1 | w=5'
run 2 run rc.hbg --input 'u v=5'
says err 'expected `=`, found `v`'
# the unit of an input that is declared without one is judged by its readers: the argument is at fault,
# reported once, and not the component; -5 and 5 are treated alike, and a unit that fits is accepted
cat >press.hbg <<'END'
component Brake(most = 5 [V]) {
    port p : electrical;
    port in press "0 to 1";
    signal held = most*press;
    Se source(held);
    1 way;
    source -> way -> p;
}
model Press {
    input real press = 0, free = 0;
    Brake brake(press = press);
    Se other(free);
    R r(2 [Ohm]);
    1 loop;
    brake.p -> loop -> r;
    other -> loop;
    output i = r.f;
    experiment e {
        stop 1 [s];
        record i;
    }
}
END
for value in '0.5 [A]' '-0.5 [A]'; do
    run 2 run press.hbg --input "press=$value"
    says err 'the command line:1:7'
    says err '`press` cannot be in A'
    says err 'declared here, without a unit'
    [ "$(grep -c 'error\[' err)" = 1 ] || { fail "$value: more than one error"; cat err >&2; }
done
# (5·0.5 + 4)/2
run 0 run press.hbg -q --input 'press=50 [%]' --input 'free=4 [V]' -o rows.csv
[ "$(tail -n 1 rows.csv)" = 1,3.25 ] || fail "units that fit: $(tail -n 1 rows.csv)"
run 2 run press.hbg --input 'press=50 [%]' --input 'free=4 [m]'
says err '`free` cannot be in m'
finish
