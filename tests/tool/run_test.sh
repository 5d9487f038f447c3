#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: what is printed where, which files are written, exit codes, and a clean end at an interrupt.
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

# rows on the standard output, words beside them
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

# the same run, the same bytes
run 0 run rc.hbg -o first.csv
run 0 run rc.hbg -o second.csv
cmp -s first.csv second.csv || fail 'two runs differ'

# what is wrong is said before anything is written
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
says err 'no positive number'
run 2 run rc.hbg --rtol 5
run 2 run rc.hbg -o x.svg
says err '`--plot x.svg`'
run 2 run rc.hbg -o x.txt
says err '.csv'
run 2 run rc.hbg --plot x.csv
says err '.svg or .png'
run 2 run rc.hbg -o no/such/folder.csv
says err 'its folder does not exist'
run 2 run rc.hbg --json -o -
run 2 run rc.hbg --ledger --no-ledger
run 2 run nowhere.hbg

# a run that cannot go on
run 3 run boom.hbg -o boom.csv --plot boom.svg
says err 'boom.hbg: at t = '
says err '`boom.csv.partial`'
[ ! -e boom.csv ] && [ -s boom.csv.partial ] || fail 'boom.csv.partial'
[ ! -e boom.svg ] && [ -s boom.svg.partial ] || fail 'boom.svg.partial'

# Ctrl-C
code=0
timeout --preserve-status --signal=INT --kill-after=20 2 "$HBG" run ever.hbg -o ever.csv >out 2>err || code=$?
[ "$code" -eq 130 ] || fail "exit code $code after an interrupt"
says err 'interrupted at t = '
says err '`ever.csv.partial`'
[ ! -e ever.csv ] && [ -s ever.csv.partial ] || fail 'ever.csv.partial'
[ "$(head -n 1 ever.csv.partial)" = 'time,y' ] || fail 'the rows of ever.csv.partial'
finish
