#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg sweep --slurm, with a scheduler of a few lines that can fail on purpose: the merged table has the bytes
# of one machine; lost shards are submitted again, and those that always fail are reported; finished work is
# kept. sweep_slurm_soak.sh has a real Slurm.
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
    experiment charge { stop 20 [ms]; }
}
END_MODEL

# the scheduler: tasks run at once, one after the other; `lost` names tasks that vanish once, `broken` those that always fail
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
echo "$*" >>"$SCHEDULER/asked"
log_of() { # as Slurm reads patterns
    echo "$log" | sed "s|%%|//|g; s/%a/$1/; s|//|%|g"
}
[ ! -e "$SCHEDULER/refuses" ] || { echo 'sbatch: error: invalid partition specified: nowhere' >&2; exit 1; }
for word in "$@"; do
    case $word in
    --array=*) tasks=$(echo "${word#--array=}" | tr ',' '\n' | awk -F- '{ for (i = $1; i <= (NF > 1 ? $2 : $1); i++) print i }') ;;
    --output=*) log=${word#--output=} ;;
    esac
    script=$word
done
for task in $tasks; do
    if grep -qx "$task" "$SCHEDULER/lost" 2>/dev/null; then
        sed -i "/^$task\$/d" "$SCHEDULER/lost"
    elif grep -qx "$task" "$SCHEDULER/broken" 2>/dev/null; then
        echo 'the disk is full' >"$(log_of "$task")"
    elif grep -qx "$task" "$SCHEDULER/slow" 2>/dev/null; then
        echo "77_$task R" >>"$SCHEDULER/queue"
    else
        SLURM_ARRAY_TASK_ID=$task sh "$script" >"$(log_of "$task")" 2>&1
    fi
done
echo '77;cluster'
END
cat >bin/squeue <<'END'
#!/bin/sh
[ -s "$SCHEDULER/queue" ] || { echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; }
cat "$SCHEDULER/queue"
END
cat >bin/scancel <<'END'
#!/bin/sh
echo "$*" >>"$SCHEDULER/cancelled"
END
chmod +x bin/*
SCHEDULER=$PWD/scheduler PATH=$PWD/bin:$PATH
export SCHEDULER
mkdir scheduler

sweep() {
    code=$1
    shift
    run "$code" sweep rc.hbg -p 'R1~normal(1 [kOhm], 10 [Ohm])' --runs 12 "$@"
}
sweep 0 -o whole.csv

# the normal case: options of sbatch are passed on, nothing is left
sweep 0 --slurm 'partition=short,time=00:10:00,shards=5' -o "it's here.csv"
says out '12 runs of 5 shards; 0 did not get to the end'
cmp -s whole.csv "it's here.csv" || fail 'another table than that of one machine'
says scheduler/asked '--partition=short --time=00:10:00 --array=1-5'
[ ! -e "it's here-shards" ] || fail 'the folder of the shards was left'

# an empty request has only the defaults
sweep 0 --slurm '' -o usual.csv
cmp -s whole.csv usual.csv || fail 'another table than that of one machine after an empty request'
says scheduler/asked '--array=1-32'

# shards that are lost are submitted again, alone
printf '2\n4\n' >scheduler/lost
sweep 0 --slurm shards=5 -o lost.csv
cmp -s whole.csv lost.csv || fail 'another table after shards were lost'
says scheduler/asked '--array=2,4'

# a shard that always fails ends the sweep after three times; the others are kept, and can be resumed
echo 3 >scheduler/broken
sweep 2 --slurm shards=4 -o broken.csv
says err 'shard 3 of 4 failed 3 times'
says err 'the disk is full'
[ -e broken-shards/shard-1.csv ] && [ ! -e broken.csv ] || fail 'what was done is not kept'
rm scheduler/broken scheduler/asked
sweep 2 --slurm shards=4 -o broken.csv
says err '--resume goes on with it'
sweep 2 --slurm shards=7 --resume -o broken.csv
says err 'another number of shards'
run 2 sweep rc.hbg -p 'R1~normal(1 [kOhm], 20 [Ohm])' --runs 12 --slurm shards=4 --resume -o broken.csv
says err 'is a shard of another model, of other options or of another version'
sweep 0 --slurm shards=4 --resume -o broken.csv
cmp -s whole.csv broken.csv || fail 'another table after going on'
[ "$(grep -c . scheduler/asked)" -eq 1 ] && says scheduler/asked '--array=3' # finished shards are not made again

# an interruption without a terminal leaves the shards alone; --resume finds their jobs, and does not submit them again
echo 2 >scheduler/slow
"$hbg" sweep rc.hbg -p 'R1~normal(1 [kOhm], 10 [Ohm])' --runs 12 --slurm shards=3 -o slow.csv </dev/null 2>err &
pid=$!
for _ in $(seq 200); do [ ! -s scheduler/queue ] || break; sleep 0.05; done
sleep 0.3
kill -TERM "$pid"
code=0
wait "$pid" || code=$?
[ "$code" -eq 143 ] || fail "exit code $code after SIGTERM"
says err 'the shards go on. --resume follows them again'
[ ! -e scheduler/cancelled ] || fail 'the shards were cancelled'
[ -e slow-shards/shard-3.csv ] || fail 'a shard that was done is gone'
rm scheduler/slow scheduler/asked
(sleep 1; SLURM_ARRAY_TASK_ID=2 sh slow-shards/sweep.sh; : >scheduler/queue) &
sweep 0 --slurm shards=3 --resume -o slow.csv
wait
cmp -s whole.csv slow.csv || fail 'another table after an interruption'
[ ! -e scheduler/asked ] || fail 'a shard in the queue was submitted again'

# on a terminal it tells what the queue has, and asks after Ctrl-C: y cancels what waits or runs, n and a second Ctrl-C leave it; what is done is
# kept
for answer in 'y\n' 'n\n' '\x03'; do
    rm -rf scheduler/* asked-shards
    echo 2 >scheduler/slow
    : >out
    code=0
    { waits grep -qF '2 of 3 shards; 1 running' out; printf '\003'; waits grep -qF '[y/N]' out; printf '%b' "$answer"; sleep 1; } |
        script -fqec "'$hbg' sweep rc.hbg -p 'R1~normal(1 [kOhm], 10 [Ohm])' --runs 12 --slurm shards=3 -o asked.csv" out \
            >/dev/null || code=$?
    [ "$code" -eq 130 ] || fail "exit code $code after Ctrl-C and $answer"
    says out 'Cancel the shards that wait or run? Else they go on. [y/N]'
    [ -e asked-shards/shard-1.csv ] && [ -e asked-shards/shard-3.csv ] || fail "a shard that was done is gone after $answer"
    case $answer in
    y*) says out 'the shards were cancelled'; says scheduler/cancelled 77 ;;
    n*) says out 'the shards go on. --resume follows them again'; absent scheduler/cancelled ;;
    *) absent scheduler/cancelled ;;
    esac
done
rm -rf scheduler/*

# a name that is a pattern to Slurm: logs are next to the tables
echo 2 >scheduler/broken
sweep 2 --slurm shards=2 -o '50%a %%j.csv'
says err 'the disk is full'
[ "$(cat '50%a %%j-shards/shard-2.log')" = 'the disk is full' ] || fail 'the log is not where the shards are'
rm scheduler/broken
sweep 0 --slurm shards=2 --resume -o '50%a %%j.csv'
cmp -s whole.csv '50%a %%j.csv' || fail 'another table under a name with a percent sign'

# what cannot be
: >scheduler/refuses
sweep 2 --slurm partition=nowhere,shards=2 -o x.csv
says err 'invalid partition specified: nowhere'
[ ! -e x-shards ] || fail 'a sweep that was never submitted left its folder'
rm -r scheduler/refuses scheduler/asked
sweep 2 --slurm shards=0 -o x.csv
says err 'the number of shards is a whole number from 1 to 100000'
sweep 2 --slurm 'short; rm -rf x' -o x.csv
says err 'no list of NAME=VALUE'
sweep 2 --slurm 'partition=,shards=2' -o x.csv
says err '`partition=` has no value'
sweep 2 --slurm shards=2 -o 'x\y.csv'
says err 'Slurm cannot write logs beside it'
sweep 2 --slurm array=1-9 -o x.csv
says err '`array` is for hbg to choose'
sweep 2 --slurm shards=2
says err 'read the model from a file and write files'
sweep 2 --slurm shards=2 --shard 1/2 -o x.csv
says err 'neither --shard, --merge nor --trace'
run 2 sweep rc.hbg -p 'R1~normal(1 [V], 10 [Ohm])' --slurm shards=2 -o x.csv # found before anything is submitted
[ ! -e scheduler/asked ] || fail 'a sweep that cannot be was submitted'
PATH=/usr/bin:/bin
if ! command -v sbatch >/dev/null; then
    sweep 2 --slurm shards=2 -o y.csv
    says err 'sbatch'
    says err 'slurm-client'
fi
absent x.csv
finish
