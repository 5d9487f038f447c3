#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg sweep --slurm with a real Slurm on this machine: munged, slurmctld and three slurmd, one of which is killed in the middle with all it
# runs. The merged table has the bytes of one machine.
# needs: build test soak
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
[ "$(id -u)" -eq 0 ] || { echo 'skipped: a cluster of its own needs root'; exit 0; }
optimised

here=$(mktemp -d) # sockets have short names
started=
victim=
end_all() {
    # shellcheck disable=SC2086
    kill -9 $started $victim 2>/dev/null || :
    pkill -9 -f "slurmstepd.*$here" 2>/dev/null || :
    rm -rf "$here"
}
trap end_all EXIT

cat >"$here/slurm.conf" <<END
ClusterName=hbg
SlurmctldHost=localhost
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$here/munge.socket
CredType=cred/munge
SlurmctldPort=$((20000 + $$ % 10000))
SlurmctldPidFile=$here/ctld.pid
SlurmdPidFile=$here/%n.pid
SlurmdSpoolDir=$here/spool-%n
StateSaveLocation=$here/state
SlurmctldLogFile=$here/ctld.log
SlurmdLogFile=$here/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=5
MinJobAge=5
KillWait=2
JobRequeue=0
MpiDefault=none
NodeName=one NodeHostname=localhost Port=$((30000 + $$ % 10000)) CPUs=1 State=UNKNOWN
NodeName=two NodeHostname=localhost Port=$((40000 + $$ % 10000)) CPUs=1 State=UNKNOWN
NodeName=three NodeHostname=localhost Port=$((50000 + $$ % 10000)) CPUs=1 State=UNKNOWN
PartitionName=short Nodes=ALL Default=YES MaxTime=10:00 State=UP
END
export SLURM_CONF=$here/slurm.conf
mkdir "$here/state"
(umask 077; head -c 1024 /dev/urandom >"$here/munge.key")
munged --force --foreground --key-file="$here/munge.key" --socket="$here/munge.socket" --pid-file="$here/munged.pid" \
    --log-file="$here/munged.log" --seed-file="$here/munged.seed" 2>munged.txt &
started="$started $!"
for _ in $(seq 100); do [ ! -S "$here/munge.socket" ] || break; sleep 0.1; done
slurmctld-wlm -D >ctld.txt 2>&1 &
started="$started $!"
for node in one two three; do
    mkdir "$here/spool-$node"
    slurmd-wlm -D -N $node >$node.txt 2>&1 &
    started="$started $!"
    [ $node != two ] || two=$!
done
for _ in $(seq 300); do [ "$(timeout 10 sinfo -h -t idle -o %D 2>/dev/null)" != 3 ] || break; sleep 0.2; done
[ "$(sinfo -h -t idle -o %D)" = 3 ] || { cat ctld.txt two.txt >&2; echo 'the cluster does not start' >&2; exit 1; }

cp "$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg" coil.hbg
sweep() {
    "$hbg" sweep coil.hbg -p 'R1~normal(330 [Ohm], 10 [Ohm])' --runs 100000 -q "$@"
}
sweep -o whole.csv

# a node dies with its shard as soon as that runs: the shard is held, so that it cannot end before
shard_of_node_two() {
    local pid
    for pid in $(pgrep -f -- "--shard [0-9]+/9 .*coil.hbg"); do
        ! grep -qzx SLURMD_NODENAME=two "/proc/$pid/environ" 2>/dev/null || { echo "$pid"; return; }
    done
}
sweep --slurm partition=short,time=00:05:00,shards=9 -o table.csv 2>err &
following=$!
for _ in $(seq 3000); do
    victim=$(shard_of_node_two)
    [ -z "$victim" ] || break
    sleep 0.02
done
[ -n "$victim" ] || fail 'nothing ran on the second node'
kill -STOP "$victim" || fail 'the shard was over before it could be held'
task=$(sed -z -n '/^--shard$/{n;s|/9$||p}' "/proc/$victim/cmdline" | tr -d '\0')
[ ! -e "table-shards/shard-$task.csv" ] || fail 'the shard was complete before it was killed'
keeper=$(awk '{ print $4 }' "/proc/$victim/stat")
kill -9 "$two" "$keeper" "$victim"
for _ in $(seq 100); do [ -e "/proc/$victim" ] || break; sleep 0.05; done
[ ! -e "table-shards/shard-$task.csv" ] || fail 'the shard was not killed'
victim=
code=0
wait $following || code=$?
[ $code -eq 0 ] || { fail "exit code $code"; cat err >&2; }
cmp -s whole.csv table.csv || fail 'another table than that of one machine'
[ ! -e table-shards ] || fail 'the folder of the shards was left'
[ "$(grep -c 'submit_batch_job: JobId=' "$here/ctld.log")" -gt 1 ] || fail 'the shard was not submitted again'

# a name that is a pattern to Slurm
sweep --runs 100 -o few.csv
sweep --runs 100 --slurm partition=short,shards=2 -o '50%a %%.csv' 2>err || { fail 'a table with a percent sign is not made'; cat err >&2; }
cmp -s few.csv '50%a %%.csv' || fail 'another table under a name with a percent sign'

# a refusal of the scheduler is reported with its reason
code=0
sweep --slurm partition=nowhere,shards=2 -o refused.csv 2>err || code=$?
[ $code -eq 2 ] || fail "exit code $code"
says err 'nvalid partition'
finish
