#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# A ball and a converter beside other tools. Each goes through its settings from coarse to fine until its error is
# small enough, or to the last of them; its script in bench/peers follows the tool's own practice for events. Two
# times: of the whole command, and of the run alone, without starting an interpreter or reading a model.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"

met=0
ball=$HBG_SOURCE_DIR/examples/ball-restitution/ball-restitution.hbg

# Every *_TOOL SETTING runs it and leaves `seconds`, `alone` and a file answer: `event TIME`, or `final CURRENT VOLTAGE`.

# hbg_run STOP MODEL OPTION...
hbg_run() {
    local starts=() whole=() stop=$1
    shift
    # the start is most of it: means of batches in turn, and how far their differences scatter
    for _ in 1 2 3 4 5 6; do
        starts+=("$(mean 15 "$HBG" run "$@" -q --no-ledger --stop 0 -o start.csv)")
        whole+=("$(mean 15 "$HBG" run "$@" -q --no-ledger --stop "$stop" -o run.csv)")
    done
    read -r seconds alone spread < <(paste <(printf '%s\n' "${starts[@]}") <(printf '%s\n' "${whole[@]}") | awk '
        { d = $2 - $1; all += $2; sum += d; squares += d * d }
        END { m = sum / NR; s = squares / NR - m * m
            printf "%.6g %.6g %.6g\n", all / NR, (m > 1e-6 ? m : 1e-6), sqrt((s > 0 ? s : 0) / (NR - 1)) }')
}

ball_hbg() {
    hbg_run 80 "$ball" -p epsilon=0.99 --record height,velocity --rtol "$1"
    # an instant with a pinnacle has three rows
    awk -F, 'NR > 2 && $1 == t && t != told { print "event", t; told = t } { t = $1 }' run.csv >answer
}

converter_hbg() {
    hbg_run 0.01 "$peers/converter.hbg" --rtol "$1"
    tail -n 1 run.csv | tr , ' ' | awk '{ print "final", $2, $3 }' >answer
}

# script RUNS COMMAND...: a script that prints its own processor time and the answer
script() {
    cpu "$@"
    alone=$(awk '$1 == "cpu" { print $2 }' output)
    grep -E '^(event|final)' output >answer || true
}

ball_scipy() { script 3 "$python" "$peers/ball_scipy.py" "$1"; }
converter_scipy() { script 3 "$python" "$peers/converter_scipy.py" "$1"; }
ball_octave() { script 1 octave-cli -q "$peers/ball_octave.m" "$1"; }
converter_octave() { script 1 octave-cli -q "$peers/converter_octave.m" "$1"; }
ball_scilab() { script 3 env RTOL="$1" scilab-cli -nb -quit -f "$peers/ball_scilab.sce"; }
converter_scilab() { script 3 env RTOL="$1" scilab-cli -nb -quit -f "$peers/converter_scilab.sce"; }
ball_siconos() { script 3 "$python" "$peers/ball_siconos.py" "$1"; }
converter_siconos() { script 3 "$python" "$peers/converter_siconos.py" "$1"; }

# the only one that is a program for this circuit and nothing else
converter_cvode() {
    [ -x converter_cvode ] ||
        gcc -O2 "$peers/converter_cvode.c" -o converter_cvode -lsundials_cvode -lsundials_nvecserial -lm
    script 3 ./converter_cvode "$1"
}

# setting is stiffness:step
ball_ngspice() {
    sed "s/STIFFNESS/${1%:*}/; s/STEP/${1#*:}/g" "$peers/ball_ngspice.cir" >run.cir
    cpu 1 ngspice -b run.cir
    alone=$seconds
    # a bounce is where the velocity turns upwards
    awk 'NR > 2 && v < 0 && $3 >= 0 { print "event", $1 } { v = $3 }' ball.data >answer
}

# setting is reltol:step
converter_ngspice() {
    sed "s/RELTOL/${1%:*}/; s/STEP/${1#*:}/g" "$peers/converter_ngspice.cir" >run.cir
    cpu 3 ngspice -b run.cir
    alone=$seconds
    tail -n 1 converter.data | awk '{ print "final", $2, $3 }' >answer
}

# Every *_error leaves `error` and what else can be wrong in `right`.

ball_error() {
    read -r error right < <(awk 'BEGIN { fall = sqrt(2 / 9.8); exact = fall; v = 1 }
        { d = $2 - exact; if (d < 0) d = -d; if (d > most) most = d; v *= 0.99; exact += 2 * fall * v }
        END { printf "%.1e %d of 220 bounces\n", most, NR }' answer)
}

exact=$("$python" "$peers/converter_exact.py" | awk '$1 == "final" { print $2, $3 }')
converter_error() {
    read -r error right < <(awk -v i="${exact% *}" -v v="${exact#* }" '
        { a = $2 / i - 1; b = $3 / v - 1; if (a < 0) a = -a; if (b < 0) b = -b
          printf "%.1e %.4f A, %.4f V\n", (a > b ? a : b), $2, $3 }' answer)
}

# row CASE TOOL TARGET SETTING...
row() {
    local name=$1 tool=$2 target=$3 setting scatter note=
    shift 3
    for setting; do
        "${name}_$tool" "$setting"
        "${name}_error"
        ! holds "$error <= $target" || break
    done
    holds "$error <= $target" || note=' (not reached)'
    scatter=
    if [ "$tool" = hbg ]; then
        scatter=" ± $(calc "1000 * $spread" %.1f)"
        own=$seconds own_alone=$alone
        [ -z "$note" ] || met=1
    fi
    printf '| %s | %s | %s%s | %s | %.0f | %.1f | %.1f%s | %.1f |\n' "$tool" "$setting" "$error" "$note" "$right" \
        "$(calc "1000 * $seconds")" "$(calc "$seconds / $own")" "$(calc "1000 * $alone")" "$scatter" "$(calc "$alone / $own_alone")"
    # only what gives the same answer can be ahead, and only what reads a model
    [ -n "$note" ] || [ "$tool" = cvode ] || holds "$seconds >= $own" || met=1
}

table() {
    echo
    echo '| tool | setting | error | answer | ms in all | times hbg | ms of the run | times hbg |'
    echo '|---|---|--:|---|--:|--:|--:|--:|'
}

cat <<END
## A bouncing ball beside other tools

A ball falls from 1 m, the floor returns 0.99 of its velocity, 80 s: 220 bounces, ever faster. The error is the
largest of the times of the bounces, in s; 1e-6 is asked for, and each tool takes the coarsest of its settings that
reaches it, or its finest. Settings: tolerance; largest step (Octave, which interpolates events linearly); interval of
observation (Siconos, event-driven); stiffness of the floor and largest step (ngspice, which has no jumps: its floor is
a spring, and the error is that of such a floor as well). Processor time, of the whole command and of the run without
its start (hbg: less runs that stop at 0; ngspice: the whole command again). Bar: no tool that reaches the error is
faster than hbg in all.
END
table
row ball hbg 1e-6 1e-4 1e-6 1e-8
row ball scipy 1e-6 1e-3 1e-6 1e-9
row ball octave 1e-6 3e-3
row ball scilab 1e-6 1e-6 1e-9 1e-10 1e-11 1e-12
row ball siconos 1e-6 1
row ball ngspice 1e-6 1e6:0.3m 1e7:0.1m

cat <<END

## A boost converter beside other tools

100 V, 1 mH, 100 uF, 20 Ohm, 20 kHz with half of the time closed, from 0, for 10 ms; ideal switch and diode, which
stops conducting in some periods. The error is the larger relative one of current and voltage at the end, against
exponentials with bisected instants (${exact% *} A, ${exact#* } V); 1e-6 is asked for.
Settings as above; Siconos, time stepping: steps in a position of the switch; ngspice: reltol and largest step, with a
switch and a diode that are nearly ideal and edges of 1 ns, which its error includes; CVODE: a program in C, written by hand for
this circuit and compiled before. Bar as above, but for CVODE.
END
table
row converter hbg 1e-6 1e-4 1e-6 1e-8
row converter scipy 1e-6 1e-4 1e-6 1e-8
row converter octave 1e-6 1e-6
row converter scilab 1e-6 1e-6 1e-8 1e-10 1e-12
row converter siconos 1e-6 10 100 300
row converter cvode 1e-6 1e-4 1e-6 1e-8
row converter ngspice 1e-6 1e-3:5u 1e-6:5u 1e-6:0.5u
exit $met
