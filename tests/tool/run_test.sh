#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: its output, the files it writes, exit codes, and a clean end at an interrupt.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >rc.hbg <<'END'
model Rc {
    param V = 10 [V], R1 = 1 [kOhm], C1 = 10 [uF];
    Se supply(V);
    R series(R1);
    C cap(C1);
    1 loop;
    supply -> loop -> series;
    loop -> cap;
    output v = cap.e;
    experiment charge { stop 50 [ms]; }
    experiment longer { stop 100 [ms]; record loop.f; }
    experiment slow { stop 20 [ms]; set R1 = 4 [kOhm]; }
}
END
printf 'model Boom {\n    state x = 1 : der = x*x/(1 [s]);\n    output y = x;\n    experiment e { stop 2 [s]; }\n}\n' >boom.hbg
printf 'model Ever {\n    state x = 0 : der = cos(time*1e3);\n    output y = x;\n    experiment e { stop 1e9 [s]; }\n}\n' >ever.hbg

# without files there is a summary
run 0 run rc.hbg
says out 'Rc, experiment charge: 0 to 0.05 s'
says out '9.9326'
says out 'residual'
silent err
run 0 run rc.hbg -x longer --stop 20ms -p 'R1=2 [kOhm]' --record 'v, 2*v' --no-ledger
says out 'longer: 0 to 0.02 s'
says out '2*v'
says out '6.3212'
grep -qF residual out && fail 'a ledger nobody wants'

# settings of an experiment, and of the command line: V*(1 - exp(-t/(R1*C1)))
run 0 run rc.hbg -x slow
says out '3.9346'
run 0 run rc.hbg -x slow -p 'R1=2 [kOhm]'
says out '6.3212'

# rows on the standard output, the report elsewhere
run 0 run rc.hbg -o - --every 25ms
[ "$(head -n 1 out)" = 'time,v' ] || fail 'no header'
[ "$(wc -l <out)" -eq 4 ] || fail 'rows are missing'
says err 'residual'
run 0 run rc.hbg -o - --every 25ms --quiet
silent err

# files, by their names
run 0 run rc.hbg -o a.csv -o a.h5 -o a.mat --plot a.svg
says out 'wrote a.csv'
says out 'wrote a.mat'
says out 'wrote a.svg'
says a.svg '<svg'
[ -s a.h5 ] && [ -s a.mat ] || fail 'an empty file'
run 0 run rc.hbg --plot a.png -q
silent out
[ "$(od -An -tx1 -N4 a.png | tr -d ' ')" = 89504e47 ] || fail 'a.png is no PNG'
rm -f a.*
run 0 run rc.hbg --json
says out '"end": "finished"'

# a picture may go to several files
run 0 run rc.hbg --plot a.svg --plot=b.png --plot c.svg
says out 'wrote a.svg'
says out 'wrote b.png'
says out 'wrote c.svg'
cmp -s a.svg c.svg || fail 'two pictures of one run differ'
[ -s b.png ] || fail 'no b.png'
rm -f a.* b.* c.*
run 2 run rc.hbg --plot a.svg --plot a.svg
says err '`a.svg` twice'
run 2 run rc.hbg -o a.csv -o a.csv
says err '`a.csv` twice'
run 2 run rc.hbg --events a.svg --plot a.svg
absent a.svg a.csv

# times without rounding errors
run 0 run rc.hbg --every 0.1 --stop 0.3 -q -o -
[ "$(cut -d, -f1 out | tr '\n' ' ')" = 'time 0 0.1 0.2 0.3 ' ] || { fail 'times of rows'; cat out >&2; }

# values with units need no brackets, and --stop is enough of an experiment
run 0 run rc.hbg -p C1=1nF -p 'R1=2 kOhm' --stop 2us --no-ledger
says out '6.3212'
printf 'model N {\n    C cap(1 [F], q = 1);\n    R r(1 [Ohm]);\n    cap -> r;\n    experiment e { record cap.q; }\n}\n' >nostop.hbg
run 0 run nostop.hbg --stop 1 --no-ledger
says out 'N, experiment e: 0 to 1 s'
says out '0.367879'
run 2 run nostop.hbg
says err 'E0508'

# the same run, the same bytes
run 0 run rc.hbg -o first.csv
run 0 run rc.hbg -o second.csv
cmp -s first.csv second.csv || fail 'two runs differ'

# errors are reported before anything is written
run 2 run rc.hbg -x lnger
says err 'did you mean `longer`?'
run 2 run rc.hbg --stop '1 [V]' -o x.csv
says err 'E0403'
absent x.csv
run 2 run rc.hbg --record 'v, capp.e'
says err 'the command line:1:4'
run 2 run rc.hbg --solver rk4
says err 'write `--step'
run 2 run rc.hbg --solver rungekutta
run 2 run rc.hbg --rtol 0
says err 'not a positive number'
run 2 run rc.hbg --rtol 5
run 2 run rc.hbg -o x.svg
says err '`--plot x.svg`'
run 2 run rc.hbg -o x.txt
says err '.csv'
run 2 run rc.hbg --plot x.csv
says err '.svg, .png or .pdf'
run 2 run rc.hbg -o no/such/folder.csv
says err 'its folder does not exist'
run 2 run rc.hbg --plot no/such/folder.svg
says err 'its folder does not exist'
mkdir taken.csv taken.svg
run 2 run rc.hbg -o taken.csv
says err 'it is a directory'
run 2 run rc.hbg --plot taken.svg
says err 'it is a directory'
run 2 run rc.hbg -o /dev/full
says err 'no space left'
run 2 run rc.hbg -p C1=4k
[ "$(grep -c '^error' err)" -eq 1 ] || { fail 'one slip, one error'; cat err >&2; }
run 2 run rc.hbg --solver rungekutta
says err '`erk`, `euler`'
run 2 run rc.hbg -x nothing
says err 'the model has `charge`, `longer`'
run 2 run rc.hbg -m Other
says err 'there is `Rc`'
run 2 run rc.hbg --record vv
says err 'did you mean `v`?'

# requests that would never end
for option in --rtol=1e-30 --rtol=nan --rtol=inf --rtol=-1 --atol=-1 --atol=nan --atol=inf; do
    run 2 run rc.hbg $option
    says err "${option%%=*}"
done
says err 'not a positive number'
run 2 run rc.hbg --rtol 1e-30
says err '1e-14 is the least'
for option in --every --step '--solver=rk4 --step' '--solver=trapezoidal --step'; do
    # shellcheck disable=SC2086 # two words are meant
    run 2 run rc.hbg $option 1e-30 -o never.csv
    says err '5e-11 s is the least that works'
    grep -q 'see the diagnostics' err && fail 'a line that says nothing'
done
absent never.csv
run 3 run rc.hbg --stop 1e300
run 0 run rc.hbg --rtol 1e-14 -q

# files that are not models, and a faulty model
: >empty.hbg
run 2 run empty.hbg
says err 'declares no model'
run 2 run taken.csv
says err 'it is a directory'
printf 'model X { Se a(1 [V]); Se b(2 [V]); 0 n; a -> n; b -> n; experiment e { stop 1 [s]; } }\n' >conflict.hbg
run 2 run conflict.hbg
says err 'in conflict: `a>n`, `b>n`'
[ "$(grep -o 'no valid causal assignment' err | wc -l)" -eq 1 ] || { fail 'said twice'; cat err >&2; }

# inputs without a value
printf 'model I {\n    input real u [V];\n    Se s(u);\n    R r(1 [Ohm]);\n    s -> r;\n    output i = r.f;\n' >input.hbg
printf '    experiment e { stop 1 [s]; }\n    experiment f { stop 1 [s]; at 0: u = 2 [V]; }\n}\n' >>input.hbg
run 2 run input.hbg
says err 'input.hbg:2:16'
says err 'or write `at 0: u = 1 [V];`'
run 0 run input.hbg -x f
says out 'i             2 A'

run 2 run rc.hbg --json -o -
run 2 run rc.hbg --ledger --no-ledger
run 2 run nowhere.hbg

# a run that cannot continue
run 3 run boom.hbg -o boom.csv --plot boom.svg
says err 'boom.hbg: at t = '
says err '`boom.csv.partial`'
[ ! -e boom.csv ] && [ -s boom.csv.partial ] || fail 'boom.csv.partial'
[ ! -e boom.svg ] && [ -s boom.svg.partial ] || fail 'boom.svg.partial'
says err '`boom.svg.partial`'
run 3 run ever.hbg -q -o /dev/full
says err 's: results cannot be written to `/dev/full`: there is no space left'
grep -qF '/dev/full.partial' err && fail 'a file that does not exist'

# the limit of a file's size is an error like a full disk: whole rows of text are kept, other formats need
# their end
limited() {
    wanted=$1
    shift
    code=0
    (ulimit -f 64 && exec timeout 60 "$HBG" "$@") >out 2>err </dev/null || code=$?
    [ "$code" -eq "$wanted" ] || { fail "exit code $code, not $wanted, beyond a file's size: hbg $*"; cat err >&2; }
    says err 'it would become too large'
}
limited 3 run ever.hbg -q -o big.csv
says err 'the rows so far are in `big.csv.partial`'
[ "$(tail -c 1 big.csv.partial | od -An -tx1 | tr -d ' ')" = 0a ] || fail 'half a row'
limited 3 run ever.hbg -q -o big.h5
limited 2 run ever.hbg -q --stop 100 -o big.mat
absent big.h5 big.mat

# Ctrl-C
code=0
timeout --preserve-status --signal=INT --kill-after=20 2 "$HBG" run ever.hbg -o ever.csv >out 2>err || code=$?
[ "$code" -eq 130 ] || fail "exit code $code after an interrupt"
says err 'interrupted at t = '
says err '`ever.csv.partial`'
[ ! -e ever.csv ] && [ -s ever.csv.partial ] || fail 'ever.csv.partial'
[ "$(head -n 1 ever.csv.partial)" = 'time,y' ] || fail 'the rows of ever.csv.partial'

# 1 ms in 4 s is stiff, unless edges in time alone interrupt a run repeatedly
cat >edges.hbg <<'END'
model Edges {
    param T = 0.1 [s]; C c(1, q = 1); R r(0.001); 0 n; 1 j when s; n -> c; n -> j -> r;
    automaton s { on a -> b when time % T >= T/2; off b -> a when time % T < T/2; }
    experiment e { stop 4 [s]; record c.q; }
}
END
run 0 run edges.hbg -o edges.csv
says out 'solver: erk, chosen because 80 instants known in advance: restarts have to be cheap'
run 0 run edges.hbg -p 'T = 4 [s]' -o edges.csv
says out 'chosen because stiff'

# rounding is not energy, and zero has no sign
printf 'model Z {\n    I mass(1 [kg], f = 1 [m/s]);\n    R drag(1 [N.s/m]);\n    1 j;\n    j -> mass;\n    j -> drag;\n    output v = -mass.f*0;\n}\n' >zero.hbg
run 0 run zero.hbg --stop 100
says out 'v             0'
says out 'stored after     mass      0 J'
# a junction that joins nothing reads 0, not adjacent memory
printf 'model L { 0 alone; C c(1 [F], q = 7 [C]); R r(1 [Ohm]); 0 n; n -> c; n -> r; 1 other; output v = alone.e, i = other.f, w = n.e; }\n' >lonely.hbg
run 0 run lonely.hbg --stop 0 -o lonely.csv
[ "$(tail -n 1 lonely.csv)" = 0,0,0,7 ] || fail "a lonely junction: $(tail -n 1 lonely.csv)"
finish
