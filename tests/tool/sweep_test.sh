#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg sweep: the table, the same bytes for any number of threads, chosen rows, resuming after Ctrl-C and after
# a kill, errors before anything runs, exit codes, progress on a terminal.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >rc.hbg <<'END'
model Rc {
    param V = 10 [V], R1 = 1 [kOhm], C1 = 10 [uF];
    input bool on = true;
    Se supply(V);
    R series(R1);
    C cap(C1);
    1 loop when relay;
    supply -> loop -> series;
    loop -> cap;
    automaton relay {
        on closed -> open when !on;
        off open -> closed when on;
    }
    sensor meter = cap.e every 5 [ms] noise(0 [V], 0.01 [V2]);
    output v = cap.e, shown = meter;
    experiment charge {
        stop 50 [ms];
        at 20 [ms]: on = false;
        at 30 [ms]: on = true;
    }
}
END
printf 'at,until,target,kind,value\n10 [ms],,R1,abrupt,50 [%%]\n5 [ms],15 [ms],relay,stuck,off\n' >faults.csv

# sweep ARGUMENT...: plain, for background work of the test
sweep() {
    exec "$HBG" sweep "$@" >/dev/null 2>&1
}

# the table on the standard output, messages elsewhere
run 0 sweep rc.hbg -p R1=1kOhm:2kOhm:500 -p C1=1uF,10uF
[ "$(wc -l <out)" -eq 7 ] || fail 'rows are missing'
[ "$(head -n 1 out)" = 'run,R1,C1,seed,v final,v min,v max,v mean,shown final,shown min,shown max,shown mean,end,mode changes,stored before,stored after,supplied,dissipated,by modulation,by parameters,lost in jumps,residual,verdict,reason' ] ||
    { fail 'the head'; cat out >&2; }
[ "$(sed -n 7p out | cut -d, -f1-4)" = '5,2000,1e-05,6' ] || { fail 'the last row'; cat out >&2; }
says err '6 runs; 0 did not get to the end'
run 0 sweep rc.hbg -p V=1,2 -q
silent err
run 0 sweep rc.hbg -p V=5
says err '1 run; 0 did not get to the end'
[ "$(wc -l <out)" -eq 2 ] || fail 'one run'

# the same bytes for any number of threads; a campaign of faults with and without the nominal run
sweep_all() {
    run 0 sweep rc.hbg -p R1=1kOhm:2kOhm:500 -p 'C1~lognormal(10uF, 0.1)' --runs 4 --faults faults.csv --seed 7 "$@"
}
sweep_all -j 1 -o one.csv
says out 'wrote one.csv'
[ "$(wc -l <one.csv)" -eq 25 ] || fail '3 points, 2 faults, 4 draws'
[ "$(cut -d, -f4 one.csv | sort -u | tr '\n' ';')" = 'at 0.005 [s] until 0.015 [s]: relay stuck off;at 0.01 [s]: R1 abrupt 50 [%];fault;' ] || { fail 'faults'; cat one.csv >&2; }
sweep_all -j2 -o two.csv
sweep_all --jobs=4 -o four.csv
cmp -s one.csv two.csv && cmp -s one.csv four.csv || fail 'threads make a difference'
sweep_all --nominal -o nominal.csv
[ "$(wc -l <nominal.csv)" -eq 37 ] || fail 'no runs without a fault'
absent one.csv.partial one.csv.resume

# compiled code makes the same bytes; it is made once, in a private folder of the user
export XDG_CACHE_HOME="$PWD/cache"
fixed='-p R1=1kOhm:2kOhm:500 --faults faults.csv --nominal --solver rk4 --step 20us'
# shellcheck disable=SC2086
run 0 sweep rc.hbg $fixed --engine native -j2 -o native.csv
[ "$(find cache/hbg -name '*.so' | wc -l)" -eq 1 ] || fail 'compiled code is made once'
# shellcheck disable=SC2086
run 0 sweep rc.hbg $fixed --engine interpreter -o interpreted.csv
cmp -s native.csv interpreted.csv || fail 'engines make a difference'
mkdir -p open/hbg
chmod 0755 open/hbg
XDG_CACHE_HOME=$PWD/open HOME=$PWD run 2 sweep rc.hbg -p V=1,2 --engine native --solver rk4 --step 19us -o x.csv
says err '--engine interpreter'

# a fault of the command line is in every run
run 0 sweep rc.hbg -p V=10,20 --fault 'at 0 [s]: relay stuck off'
[ "$(cut -d, -f4 out | tr '\n' ' ')" = 'v final 0 0 ' ] || { fail 'a fault in every run'; cat out >&2; }

# rows of chosen runs are those of hbg run
run 0 sweep rc.hbg -p V=1:5:1 --trace 1,3-4 -o t.csv
[ "$(cd t-traces && echo *)" = 'run-000001.csv run-000003.csv run-000004.csv' ] || fail "traces: $(ls t-traces)"
run 0 run rc.hbg -p V=4 --seed 4 -o alone.csv
cmp -s alone.csv t-traces/run-000003.csv || fail 'the rows of a run differ'
run 0 sweep rc.hbg -p V=1,2 --trace all --trace-folder kept
[ "$(cd kept && echo *)" = 'run-000000.csv run-000001.csv' ] || fail 'all traces'

# errors are reported before anything is written
run 2 sweep rc.hbg -p R1=1:2 -o x.csv
says err 'write `R1=FROM:TO:STEP`'
run 2 sweep rc.hbg -p 'Rx=1:2:1' -o x.csv
says err 'did you mean `R1`?'
run 2 sweep rc.hbg -p 'R1=1V:2V:1V' -o x.csv
says err 'E0403'
run 2 sweep rc.hbg -p 'C1~normal(1uF, 1uF)' --runs 50 -o x.csv
says err 'lognormal'
run 2 sweep rc.hbg -p V=1,2 --faults no.csv -o x.csv
says err 'no.csv'
printf 'at,target,kind,value\n1 [ms],Rx,abrupt,1\n' >wrong.csv
run 2 sweep rc.hbg --faults wrong.csv -o x.csv
says err 'wrong.csv:2:8'
run 2 sweep rc.hbg -p V=1,2 --runs 0 -o x.csv
says err 'not a whole number from 1 on'
run 2 sweep rc.hbg -p V=1,2 -j none -o x.csv
run 2 sweep rc.hbg -p V=1,2 --trace some -o x.csv
says err '`--trace 0,3,10-20`'
run 2 sweep rc.hbg -p V=1,2 --trace 0
says err '--trace-folder'
# rows that do not say what they belong to
printf 'run,V\n0,1\n' >x.csv.partial
run 2 sweep rc.hbg -p V=1,2 --resume -o x.csv
says err 'x.csv.resume'
rm x.csv.partial
run 2 sweep rc.hbg -p V=1,2 -o x.csv -o y.csv
run 2 sweep rc.hbg -p V=1,2 -o /dev/full
says err 'there is no space left'
printf 'at,target,kind,value\n' >none.csv
run 2 sweep rc.hbg --faults none.csv -o x.csv
says err 'the table of faults has no rows'
run 2 sweep rc.hbg -p V=1,2 -o x.h5
says err 'the table of a sweep is CSV: write `-o x.csv`'
absent x.h5
# a resistor that only some of the runs, or only a fault in some of them, would make negative; the step of a
# grid is not a value
run 2 sweep rc.hbg -p R1=-1kOhm:1kOhm:1kOhm -o x.csv
says err 'the resistance of `series` negative: -1000'
run 2 check rc.hbg -p R1=-1kOhm
says err 'the resistance of `series` negative: -1000'
run 2 sweep rc.hbg -p R1=1kOhm:3kOhm:1kOhm --fault 'at 10 [ms]: R1 abrupt -1.5 [kOhm]' -o x.csv
says err 'in run 0 the fault `R1 abrupt -1.5 [kOhm]` makes the resistance of `series` negative at 0.01 s: -500'
run 0 sweep rc.hbg -p R1=2kOhm:3kOhm:1kOhm --fault 'at 10 [ms]: R1 abrupt -1.5 [kOhm]' -q
sed 's/C cap(C1)/C cap(C1 - 2e-6 [F])/' rc.hbg >less.hbg
run 0 sweep less.hbg -p 'C1~normal(10uF, 1uF)' -p V=9:10:0.5 -q
run 2 sweep less.hbg -p C1=1uF,10uF -o x.csv
says err 'this makes the value of `cap` -1e-06'
says err '`cap` is `C1 - 2e-06 [F]`, which hangs on `C1`'
run 2 sweep rc.hbg -p V=1,2 --json
says err 'unknown option'
absent x.csv y.csv

run 2 sweep rc.hbg -p V=1,2 --trace all --trace-folder rc.hbg -o x.csv
says err 'something else has this name'
run 2 sweep rc.hbg -p V=1,2 -o /dev/full
says err 'cannot be written to `/dev/full`'
run 0 sweep rc.hbg -p V=1,2 -o /dev/null
absent x.csv
[ ! -e /dev/full.resume ] && [ ! -e /dev/null.resume ] || fail "a file in /dev"
run 0 help sweep
says out 'NAME~normal(MEAN, DEVIATION)'

# a row of a campaign has the bits of the same run by itself, whatever else is in the table
printf 'at,until,target,kind,value\n10 [ms],,R1,incipient,50 [Ohm/s]\n5 [ms],,series,incipient,100 [%%/s]\n10 [ms],,R1,abrupt,5 [%%]\n' >creep.csv
for how in '' '--solver rk4 --step 0.1ms --engine native'; do
    # shellcheck disable=SC2086
    run 0 sweep rc.hbg --faults creep.csv --nominal $how -o campaign.csv
    # shellcheck disable=SC2086
    run 0 sweep rc.hbg $how -o alone.csv
    # shellcheck disable=SC2086
    run 0 sweep rc.hbg $how --seed 2 --fault 'at 10 [ms]: R1 incipient 50 [Ohm/s]' -o one_creeps.csv
    [ "$(sed -n 2p campaign.csv | cut -d, -f 3-)" = "$(sed -n 2p alone.csv | cut -d, -f 2-)" ] ||
        fail "other faults of a campaign change the nominal row $how"
    [ "$(sed -n 3p campaign.csv | cut -d, -f 3-)" = "$(sed -n 2p one_creeps.csv | cut -d, -f 2-)" ] ||
        fail "a creeping fault in a campaign is not what it is alone $how"
done
# row by row those of hbg run, also where a mode changes on its way
cat >modes.hbg <<'END'
model Modes {
    param res = 50 [Ohm];
    Se s(12 [V]);
    R w(10 [Ohm]);
    1 j when relay;
    0 n;
    C c(10 [mF], e = 1 [V]);
    R r(res);
    R r2(2*res);
    1 x when a;
    I l(0.1 [H]);
    s -> j -> w;
    j -> l;
    j -> n;
    n -> c;
    n -> r;
    n -> x -> r2;
    automaton a {
        on shut -> open when n.e > 100 [V];
        off open -> shut when n.e < 50 [V];
    }
    automaton relay {
        on closed -> open when n.e > 8 [V];
        off open -> closed when n.e < 4 [V];
    }
    output v = n.e;
    experiment e {
        stop 4 [s];
        solver rk4 step 1 [ms];
    }
}
END
printf 'at,target,kind,value\n0.5,res,incipient,1\n' >modes.csv
for how in '' '--solver bdf' '--engine native'; do
    rm -rf kept
    # shellcheck disable=SC2086
    run 0 sweep modes.hbg --faults modes.csv --nominal $how --trace all --trace-folder kept -q
    # shellcheck disable=SC2086
    run 0 run modes.hbg $how -q -o nominal.csv
    # shellcheck disable=SC2086
    run 0 run modes.hbg $how -q -o faulty.csv --fault 'at 0.5 [s]: res incipient 1'
    cmp -s nominal.csv kept/run-000000.csv || fail "the nominal run of a campaign is not the run by itself $how"
    cmp -s faulty.csv kept/run-000001.csv || fail "the faulty run of a campaign is not the run by itself $how"
done
# also if an incipient fault is on a storage, is differentiated, or alone selects a formula, and if only that
# could be located
cat >derived.hbg <<'END'
model Derived {
    param C1 = 2 [F], C2 = 1 [F], turn = 4, low = 1, high = 3, most = max(low, high);
    Se s(10 [V]);
    R r(turn > 5.5 ? 3 [Ohm] : 2 [Ohm]);
    C a(C1, e = 1 [V]);
    C b(C2*most);
    1 j;
    0 node;
    s -> j -> r;
    j -> node;
    node -> a;
    node -> b;
    output o = node.e, d = der(C1*node.e);
    experiment run { stop 3 [s]; solver rk4 step 1 [ms]; }
}
END
derived=('1 [s],,C1,incipient,5 [%/s]' '1 [s],,turn,incipient,1 [1/s]' '1 [s],2 [s],low,incipient,3 [1/s]' '1 [s],,b,abrupt,10 [%]')
printf '%s\n' at,until,target,kind,value "${derived[@]}" >derived.csv
for how in '' '--solver erk' '--solver bdf' '--engine native'; do
    # shellcheck disable=SC2086
    run 0 sweep derived.hbg --faults derived.csv --nominal $how -o campaign.csv
    # shellcheck disable=SC2086
    run 0 sweep derived.hbg $how -o alone.csv
    [ "$(sed -n 2p campaign.csv | cut -d, -f 4-)" = "$(sed -n 2p alone.csv | cut -d, -f 3-)" ] ||
        fail "faults of a campaign that creep change the nominal row $how"
    for i in 0 1 2 3; do
        printf '%s\n' at,until,target,kind,value "${derived[i]}" >one.csv
        # shellcheck disable=SC2086
        run 0 sweep derived.hbg --faults one.csv $how -o alone.csv
        [ "$(sed -n $((i + 3))p campaign.csv | cut -d, -f 4-)" = "$(sed -n 2p alone.csv | cut -d, -f 4-)" ] ||
            fail "${derived[i]} in a campaign is not what it is alone $how"
    done
done

# a run that does not reach its end: exit code 3, and the others are in the table
printf 'model Boom {\n    param x0 = 1;\n    state x = x0 : der = x*x/(1 [s]);\n    output y = x;\n    experiment e { stop 0.7 [s]; }\n}\n' >boom.hbg
run 3 sweep boom.hbg -p x0=0.5,1.5,1 -o boom.csv
says out '3 runs; 1 did not get to the end'
[ "$(wc -l <boom.csv)" -eq 4 ] || fail 'rows of boom'

# Ctrl-C: the rows so far are kept, and resuming gives the same bytes. There are far too many runs to finish,
# so it arrives in their midst; a shell starts background commands with SIGINT ignored.
many='-p R1=1kOhm:2kOhm:1 -p V~normal(10V,1V) --runs 2000000'
# shellcheck disable=SC2086
interrupted() {
    code=0
    rm -f many.csv.*
    env --default-signal=INT "$HBG" sweep rc.hbg $many -j2 -o many.csv >out 2>err &
    sweeping=$!
    waits test -s many.csv.partial
    kill "-$1" $sweeping
    wait $sweeping || code=$?
    [ "$code" -eq "$2" ] || { fail "exit code $code, not $2"; cat err >&2; }
    [ ! -e many.csv ] && [ -s many.csv.partial ] || fail 'no partial table'
}
interrupted INT 130
says err '2002000000 runs; Ctrl-C ends them'
says err 'interrupted after'
says err 'the rows so far are in `many.csv.partial`, and --resume goes on with them'
# shellcheck disable=SC2086
run 2 sweep rc.hbg $many --seed 2 --resume -o many.csv
says err 'belongs to another model, or to other options'
interrupted KILL 137
[ -s many.csv.resume ] || fail 'nothing says what the rows belong to'

# Ctrl-C works while a compiler runs, which ends with the sweep, and nothing is left behind
mkdir -p slow
printf '#!/bin/sh\necho $$ >compiler\nexec sleep 100\n' >slow/cc
chmod +x slow/cc
for engine in native auto; do
    code=0
    rm -f compiler
    PATH=$PWD/slow:$PATH XDG_CACHE_HOME=$PWD/compiling env --default-signal=INT "$HBG" sweep rc.hbg -p 'R1~normal(1kOhm,1)' \
        --runs 200000 --solver rk4 --step 1us --engine $engine -j1 -o slow.csv >out 2>err &
    sweeping=$!
    waits test -s compiler
    kill -INT $sweeping
    wait $sweeping || code=$?
    [ "$code" -eq 130 ] || { fail "exit code $code, not 130"; cat err >&2; }
    says err 'interrupted after 0 of 200000 runs'
    ! kill -0 "$(cat compiler)" 2>/dev/null || grep -q '^State:.Z' "/proc/$(cat compiler)/status" || fail 'the compiler goes on'
    absent slow.csv
done
[ -z "$(find compiling -type f -name '*.part')" ] || fail 'half of an object is left'

# a sweep that was killed in the middle of a row is resumed to the same bytes
few='-p R1=1kOhm:2kOhm:50 -p V~normal(10V,1V) --runs 5'
# shellcheck disable=SC2086
run 0 sweep rc.hbg $few -o whole.csv
# shellcheck disable=SC2086
sweep rc.hbg $few -j1 -o cut.csv &
sweeping=$!
while kill -0 "$sweeping" 2>/dev/null && [ ! -e cut.csv.resume ]; do :; done
kill -KILL "$sweeping" 2>/dev/null || true
wait "$sweeping" 2>/dev/null || true
if [ -e cut.csv.resume ]; then
    cp cut.csv.resume key
    { head -n 12 whole.csv; printf '11,broken off'; } >cut.csv.partial
    # shellcheck disable=SC2086
    run 0 sweep rc.hbg $few --resume -j 3 -o cut.csv
    says out '105 runs, 11 of them earlier'
    absent cut.csv.partial cut.csv.resume
fi
cmp -s whole.csv cut.csv || fail 'a resumed table differs'

# one that was killed before its first row cannot be resumed: all is made again, with a message
again() {
    # shellcheck disable=SC2086
    run 0 sweep rc.hbg $few --resume -o cut.csv
    says out '105 runs; 0 did not get to the end'
    says out '`cut.csv.partial` had no rows to go on with: all runs were made anew'
    cmp -s whole.csv cut.csv || fail 'a table made anew differs'
    absent cut.csv.partial cut.csv.resume
    rm cut.csv
}
rm -f cut.csv
: >cut.csv.partial
again
# the same without any file, and for a complete one
for _ in first second; do
    # shellcheck disable=SC2086
    run 0 sweep rc.hbg $few --resume -o cut.csv
    says out 'there was no `cut.csv.partial` to go on with: all runs were made anew'
    cmp -s whole.csv cut.csv || fail 'a table made anew differs'
    absent cut.csv.partial cut.csv.resume
done
rm cut.csv
# a link in the place of FILE.resume is replaced, not followed
echo precious >victim
ln -s victim cut.csv.resume
# shellcheck disable=SC2086
interrupted_at_once() {
    env --default-signal=INT "$HBG" sweep rc.hbg $many -j1 -o cut.csv >out 2>err &
    sweeping=$!
    waits test -s cut.csv.partial
    kill -INT $sweeping
    wait $sweeping || true
}
interrupted_at_once
[ "$(cat victim)" = precious ] || fail 'FILE.resume followed a link'
[ ! -L cut.csv.resume ] && [ -s cut.csv.resume ] || fail 'no FILE.resume'
rm -f cut.csv.*
if [ -s key ]; then
    for size in 0 5 100; do
        cp key cut.csv.resume
        head -c $size whole.csv >cut.csv.partial
        again
    done
    # rows of a run that was made before cannot be kept any more
    cp key cut.csv.resume
    head -n 12 whole.csv >cut.csv.partial
    # shellcheck disable=SC2086
    run 2 sweep rc.hbg $few --resume --trace 10-12 -o cut.csv
    says err 'run 10 was made before, without keeping its rows in `cut-traces/run-000010.csv`'
    [ "$(wc -l <cut.csv.partial)" -eq 12 ] || fail 'rows of a sweep that was refused are gone'
    : >cut-traces/run-000010.csv
    # shellcheck disable=SC2086
    run 0 sweep rc.hbg $few --resume --trace 10-12 -o cut.csv
    [ "$(cd cut-traces && echo *)" = 'run-000010.csv run-000011.csv run-000012.csv' ] || fail "traces: $(ls cut-traces)"
    cmp -s whole.csv cut.csv || fail 'a resumed table with traces differs'
fi
rm -f many.csv.*

# progress on a terminal, cleared at the end
: >seen
{ waits grep -q ' left' seen; printf '\003'; sleep 1; } |
    script -fqec "$HBG sweep rc.hbg -p R1=1kOhm:2kOhm:0.001 -o far.csv" seen >/dev/null || true
tr '\r' '\n' <seen >out
grep -qE '^[0-9]+ of 1000001 runs, .* left' out || { fail 'no progress'; cat out >&2; }
says out 'interrupted after'

# with very many runs, the sample checked in advance covers all of them: here half a million are right, and an
# eighth of all is wrong
sed 's/cap(C1)/cap(C1*(1.5 - p - q))/; s/param V/param p = 0, q = 0, V/' rc.hbg >late.hbg
run 2 sweep late.hbg -p p=0:1:0.001 -p q=0:1:0.001 -o late.csv
says err 'the parameters make the value of `cap` '
absent late.csv

# -p takes precedence over `set`, with one value and with several
printf 'model S {\n    param A = 1 [V];\n    Se s(A);\n    R r(1 [Ohm]);\n    s -> r;\n    output i = r.f;\n    experiment e {\n        stop 0;\n        set A = 5 [V];\n    }\n}\n' >set.hbg
run 0 sweep set.hbg -p A=2,3
[ "$(cut -d, -f 4 out)" = "$(printf 'i final\n2\n3')" ] || { fail "a sweep is overruled by set:"; cat out >&2; }
run 0 sweep set.hbg -p A=2
[ "$(cut -d, -f 3 out)" = "$(printf 'i final\n2')" ] || { fail "-p is overruled by set:"; cat out >&2; }

# numbers of an axis follow another one, in whatever order they are given; the draw is mean + deviation times
# the same number
row() { # ROW: swept values there
    sed -n "$(($1 + 2))p" out | cut -d, -f 2-3
}
run 0 sweep rc.hbg -p R1=1kOhm,2kOhm -p 'V=R1*1e-3 [A],R1*2e-3 [A]'
[ "$(row 0) $(row 1) $(row 2) $(row 3)" = '1000,1 1000,2 2000,2 2000,4' ] || { fail 'a list that follows'; cat out >&2; }
run 0 sweep rc.hbg -p 'V=R1*1e-3 [A],R1*2e-3 [A]' -p R1=1kOhm,2kOhm
[ "$(row 0) $(row 1) $(row 2) $(row 3)" = '1,1000 2,2000 2,1000 4,2000' ] || { fail 'a list that follows what comes later'; cat out >&2; }
run 0 sweep rc.hbg -p R1=1kOhm,2kOhm -p 'V~normal(R1*1e-3 [A], 1mV)'
[ "$(cut -d, -f 3 out | cut -c 1-3 | tr '\n' ' ')" = 'V 0.9 2.0 ' ] || { fail 'a distribution that follows'; cat out >&2; }
cut -d, -f 3 out >follows
run 0 sweep rc.hbg -p 'V~normal(1V, 1mV)' -p R1=1kOhm,2kOhm
[ "$(sed -n 2p out | cut -d, -f 2)" = "$(sed -n 2p follows)" ] || fail 'another number is drawn where it follows'
run 2 sweep rc.hbg -p R1=1kOhm,2kOhm -p 'V=R1*1e-3 [A]:5:1' -o x.csv
says err 'the grid of `V` follows `R1`, which is swept too'
run 2 sweep rc.hbg -p 'R1~normal(V*1e3 [1/A], 1)' -p 'V~normal(R1*1e-3 [A], 1)' -o x.csv
says err 'the values of `R1` follow those of `V`, and these follow `R1` again'
run 0 sweep rc.hbg -p 'V=V/2:V:V/2' -p 'R1~normal(R1, 1)'
[ "$(sed 1d out | cut -d, -f 2 | tr '\n' ' ')" = '5 10 ' ] || { fail 'a parameter in its own numbers'; cat out >&2; }
run 2 sweep rc.hbg -p 'V=1/(V-V):V:1' -o x.csv
says err 'is not a finite number'
# an error that only one run has is reported for that run
run 2 sweep rc.hbg -p R1=1kOhm,2kOhm -p 'V=1/(R1-2000 [Ohm])*1 [V.Ohm],1' -o x.csv
says err 'in run 2 the value of `V` is not a finite number'
# a fault with a swept time is reported with that of its run
printf 'at,until,target,kind,value\nV*1e-3 [s/V],20 [ms],R1,abrupt,5 [%%]\n' >moves.csv
run 0 sweep rc.hbg -p V=1,2 --faults moves.csv
[ "$(cut -d, -f 3 out | sed -n 3p)" = 'at 0.002 [s] until 0.02 [s]: R1 abrupt 5 [%]' ] || { fail 'a time that moves'; cat out >&2; }
absent x.csv

# times and variances that follow swept parameters are judged as in a single run: none of these is valid
cat >times.hbg <<'END'
model Times {
    param tf = 1 [s], tu = 2 [s], x = 1, ta = 1 [s], T = 1 [s];
    input real u [V] = 1 [V];
    Se s(u);
    R r(1 [Ohm]);
    C c(1 [F]);
    1 j;
    s -> j -> r;
    j -> c;
    output v = c.e;
    sensor m = c.e every 100 [ms] noise(0 [V], x*0.01 [V2]);
    experiment short {
        stop 4*T;
        at ta: u = 2 [V];
        fault at tf until tu: r abrupt 10 [%];
    }
    experiment long {
        stop 10 [s];
        fault at tf until tu: r abrupt 10 [%];
        fault at 1: m noise(0 [V], x*0.1 [V2]);
    }
    experiment sets {
        stop 4 [s];
        set tf = -1 [s];
        fault at tf: r abrupt 10 [%];
    }
}
END
run 2 sweep times.hbg -p tf=1,-1,5 -p tu=20 -o x.csv
says err 'in run 1 the time of a fault in experiment `short` is -1, but has to be 0 or more'
run 2 sweep times.hbg -p tf=1,5 -p tu=20 -o x.csv
says err 'in run 1 a fault at 5 s comes after experiment `short` has stopped, at 4 s'
run 2 sweep times.hbg -p tu=2,0.5 -o x.csv
says err 'in run 1 this fault ends before it begins'
run 2 sweep times.hbg -x long -p x=1,-1 -o x.csv
says err 'in run 1 the noise variance of `m` is -0.01'
run 2 sweep times.hbg -p ta=1,-1 -o x.csv
says err 'in run 1 the time of an action in experiment `short` is -1'
run 2 sweep times.hbg -p ta=1,5 -o x.csv
says err 'in run 1 an action at 5 s comes after experiment `short` has stopped, at 4 s'
run 2 sweep times.hbg -p T=1,0.2 -o x.csv
says err 'in run 1 an action at 1 s comes after experiment `short` has stopped, at 0.8 s'
run 2 sweep times.hbg -p 'tf~normal(1, 1)' -p tu=20 --runs 100 -o x.csv
says err 'has to be 0 or more'
says err 'tf~lognormal'
run 2 sweep times.hbg -p 'tf~normal(3, 1)' -p tu=20 --runs 100 -o x.csv
says err 'comes after experiment `short` has stopped'
! grep -q lognormal err || fail 'a distribution of positive values does not help here'
printf 'at,until,target,kind,value\n1 [s],tu,r,abrupt,10 [%%]\n' >until.csv
run 2 sweep times.hbg -x long -p tu=3,0.5 -p tf=0.1 --faults until.csv -o x.csv
says err 'in run 1 this fault ends before it begins'
run 2 run times.hbg -x sets -o x.csv
says err 'the time of a fault in experiment `sets` is -1'
absent x.csv
# but a declared value that no run has does not matter
run 0 sweep times.hbg -p tf=0.1,0.2 -p tu=0.5 -q
run 0 sweep times.hbg -x sets -p tf=1,2 -q
# nor is another experiment
run 0 run times.hbg -x long -p tf=5 -p tu=7 -q
run 0 sweep times.hbg -x long -p tf=5,6 -p tu=7 -q
run 2 run times.hbg -x short -p tf=5 -p tu=7
says err 'a fault at 5 s comes after experiment `short` has stopped, at 4 s'
run 2 check times.hbg -p tf=5 -p tu=7
says err 'a fault at 5 s comes after experiment `short` has stopped, at 4 s'

# a wait cannot be swept; the message names what can
printf 'model W {\n    param D = 1 [s];\n    Se s(1 [V]);\n    R r(1 [Ohm]);\n    1 j when a;\n    s -> j -> r;\n    automaton a {\n        on x -> y after D;\n        off y;\n    }\n}\n' >wait.hbg
run 2 sweep wait.hbg --stop 2 -p D=1,2
says err 'guards look at the time, `when time%Ts < D*Ts`'
finish
