#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg sweep --shard and --merge: the merged table has the bytes of the whole sweep, for any number of shards;
# resuming a shard that was killed; and tables that cannot be merged.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >rc.hbg <<'END_MODEL'
model Rc {
    param V = 10 [V], R1 = 1 [kOhm];
    Se supply(V);
    R series(R1);
    C cap(10 [uF]);
    1 loop;
    supply -> loop -> series;
    loop -> cap;
    output v = cap.e;
    experiment charge {
        stop 20 [ms];
    }
}
END_MODEL
printf 'at,until,target,kind,value\n10 [ms],,R1,abrupt,50 [%%]\n5 [ms],,V,abrupt,"-20 [%%]"\n' >faults.csv

# sweep ARGUMENT...: 2 points, 3 cases, 2 draws: 12 runs
sweep() {
    run 0 sweep rc.hbg -p V=5,10 -p 'R1~normal(1 [kOhm], 10 [Ohm])' --runs 2 --faults faults.csv --nominal "$@"
}
sweep -o whole.csv

for shards in 1 3 13; do
    [ $shards -eq 3 ] || optimised
    files=
    for k in $(seq $shards -1 1); do
        sweep --shard "$k/$shards" -j 1 -o "$shards-$k.csv"
        files="$files $shards-$k.csv"
    done
    # shellcheck disable=SC2086
    run 0 sweep --merge $files -o "merged-$shards.csv"
    says out "12 runs of $shards shard"
    says out "wrote merged-$shards.csv"
    cmp -s whole.csv "merged-$shards.csv" || fail "$shards shards make a difference"
    sanitized
done
sweep --shard 2/3
says err '4 runs of 12, shard 2 of 3; 0 did not get to the end'
[ "$(sed 1,2d out | cut -d, -f1 | tr '\n' ' ')" = '4 5 6 7 ' ] || fail 'the runs of a shard'
run 0 sweep --merge 3-1.csv 3-2.csv 3-3.csv
cmp -s whole.csv out || fail 'on the standard output'
# a shard is a table like others
run 0 plot 3-2.csv --columns 'v max' -o x.svg

# a shard that was killed can be resumed, only as the same shard
head -c "$(($(wc -c <3-2.csv) - 7))" 3-2.csv >half.csv.partial
sweep --shard 2/3 -o other.csv # leaves no key; make one as a kill would
printf 'hbg sweep %s\n' "$(sed -n '1s/.*sweep \([0-9a-f]*\),.*/\1/p' 3-2.csv)" >half.csv.resume
for option in '--seed 3' '-p V=5' '--rtol 1e-3' '--jobs 2'; do
    # shellcheck disable=SC2086 # two words
    run 2 sweep --merge 3-1.csv 3-2.csv 3-3.csv -o x.csv $option
    says err '--merge makes no runs'
done
run 2 sweep --merge 3-1.csv half.csv 3-3.csv -o x.csv
says err '`half.csv` is not complete: its sweep goes on with --resume'
run 2 sweep rc.hbg -p V=5,10 -p 'R1~normal(1 [kOhm], 10 [Ohm])' --runs 2 --faults faults.csv --nominal --shard 3/3 --resume -o half.csv
says err 'do not fit this run'
sweep --shard 2/3 --resume -o half.csv
says out '4 runs of 12, shard 2 of 3, 3 of them earlier'
cmp -s half.csv 3-2.csv || fail 'a shard that went on'

# tables that do not belong together
run 2 sweep --merge 3-1.csv 3-3.csv -o x.csv
says err 'of 3 shards 1 is missing: 2'
run 2 sweep --merge 3-1.csv 3-2.csv half.csv 3-3.csv -o x.csv
says err 'it is shard 2 of 3, and so is `3-2.csv`'
run 2 sweep --merge 3-1.csv 13-2.csv -o x.csv
says err 'it is one of 13 shards, `3-1.csv` one of 3'
sed 's/10 \[uF\]/11 [uF]/' rc.hbg >other.hbg
run 0 sweep other.hbg -p V=5,10 -p 'R1~normal(1 [kOhm], 10 [Ohm])' --runs 2 --faults faults.csv --nominal --shard 2/3 -o model.csv
run 2 sweep --merge 3-1.csv model.csv 3-3.csv -o x.csv
says err '`model.csv` cannot be merged: it belongs to another model, or to other options, than `3-1.csv`'
sweep --seed 9 --shard 2/3 -o seed.csv
run 2 sweep --merge 3-1.csv seed.csv 3-3.csv -o x.csv
says err 'to other options'
sed '1s/, hbg .*/, hbg 0.0.0/' 3-2.csv >version.csv
run 2 sweep --merge 3-1.csv version.csv 3-3.csv -o x.csv
says err 'it was made by hbg 0.0.0, `3-1.csv` by hbg '
sed 4d 3-2.csv >hole.csv
run 2 sweep --merge 3-1.csv hole.csv 3-3.csv -o x.csv
says err '`hole.csv` cannot be merged: the row of run 5 is missing'
sed '$d' 3-2.csv >short.csv
run 2 sweep --merge 3-1.csv short.csv 3-3.csv -o x.csv
says err 'it ends before the row of run 7'
head -c "$(($(wc -c <3-2.csv) - 7))" 3-2.csv >cut.csv
run 2 sweep --merge 3-1.csv cut.csv 3-3.csv -o x.csv
says err 'the row of run 7 is not whole'
sed '4s/,finished//' 3-2.csv >cells.csv
run 2 sweep --merge 3-1.csv cells.csv 3-3.csv -o x.csv
says err 'the row of run 5 is not whole'
cat 3-2.csv 3-3.csv >long.csv
run 2 sweep --merge 3-1.csv long.csv 3-3.csv -o x.csv
says err 'something follows its last row'
head -n 1 3-2.csv >bare.csv
run 2 sweep --merge bare.csv -o x.csv
says err 'it ends before its first row'
run 2 sweep --merge whole.csv -o x.csv
says err '`whole.csv` cannot be merged: it is no shard'
run 2 sweep --merge no.csv -o x.csv
says err 'no.csv'
run 2 sweep --merge . -o x.csv
run 2 sweep --merge 3-1.csv 3-2.csv 3-3.csv -o 3-2.csv
says err 'would be written over it'
cmp -s half.csv 3-2.csv || fail 'a shard was overwritten'
run 2 sweep --merge 3-1.csv 3-2.csv 3-3.csv -p V=1 -o x.csv
says err '--merge makes no runs'
optimised
for share in 0/3 4/3 1 1/ /3 1/3x -1/3 1/0 x; do
    run 2 sweep rc.hbg -p V=1,2 --shard "$share" -o x.csv
    says err "\`--shard $share\` is no share"
done
absent x.csv

# a run that did not finish counts as in the whole sweep
sed 's/,finished,$/,Zeno,/' 3-2.csv >zeno.csv
run 3 sweep --merge 3-1.csv zeno.csv 3-3.csv -o z.csv
says out '12 runs of 3 shards; 4 did not get to the end'
mkfifo pipe
run 2 sweep --merge pipe -o merged.csv
says err 'not a regular file'
finish
