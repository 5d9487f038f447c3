#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Large continuous models. How the cost of a step grows with size; and ladders of 10^4 sections beside ngspice: both
# tools go through their settings from coarse to fine until the error against the closed form is small enough, and the
# whole commands are compared, from the text of the model to the file of results.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"

growth_bar=1.25
met=0

# cost_of_steps KIND SOLVER STATES STEPS: microseconds in `step_us`; the same run cut short is taken away
cost_of_steps() {
    local solver=$2 steps=$4 few runs=2 model=$1$3.hbg
    [ "$3" -lt 100000 ] || runs=1
    local options=(-q --json --no-ledger --solver "$solver" --rtol 1e-4 --atol 1e-10 --step 0.2us --every 1)
    cpu $runs "$HBG" run "$model" "${options[@]}" --stop 0.2us
    local start=$seconds
    few=$(statistic steps)
    cpu $runs "$HBG" run "$model" "${options[@]}" --stop "$(calc "0.2 * $steps")us"
    step_us=$(calc "1e6 * ($seconds - $start) / ($(statistic steps) - $few)" %.4g)
    start_s=$start
}

cat <<END
## Cost of a step

Ladders of resistors or coils and capacitors, processor time of one step of a variable-step solver, all a step brings
with it; and the time until the first step, from the text of the model on. Growth is the exponent from the smallest to
the largest: 1 is linear, caches account for the rest. Bar: growth of a step at most $growth_bar.

| ladder | states | solver | us a step | ns a step and state | s to the first step |
|---|--:|---|--:|--:|--:|
END
for kind in rc lc; do
    for states in 1000 10000 100000; do
        sections=$states
        [ $kind = rc ] || sections=$((states / 2))
        ladder $kind "$sections" >$kind$states.hbg
    done
    for solver in erk bdf; do
        for states in 1000 10000 100000; do
            cost_of_steps $kind $solver $states $((8000000 / states))
            [ $states != 1000 ] || { first=$step_us first_start=$start_s; }
            echo "| $kind | $states | $solver | $step_us | $(calc "1000 * $step_us / $states" %.3g) | $start_s |"
        done
        growth=$(exponent "$first" "$step_us" 1000 100000)
        echo "| $kind | growth | $solver | $growth | | $(exponent "$first_start" "$start_s" 1000 100000) |"
        holds "$growth <= $growth_bar" || met=1
    done
done

# ---- beside ngspice --------------------------------------------------------------------------------------------------

sections=10000

# netlist KIND SETTINGS TRAN NODE...
netlist() {
    local kind=$1 settings=$2 tran=$3
    shift 3
    awk -v kind="$kind" -v n="$sections" -v settings="$settings" -v tran="$tran" -v nodes="$*" 'BEGIN {
        print "ladder\nvin n0 0 dc 1"
        for (i = 1; i <= n; i++) {
            if (kind == "rc") printf "r%d n%d n%d 1\n", i, i - 1, i
            else printf "l%d n%d n%d 1u ic=0\n", i, i - 1, i
            printf "c%d n%d 0 1u ic=0\n", i, i
        }
        if (kind == "lc") printf "rload n%d 0 1\n", n
        count = split(nodes, node, " ")
        for (i = 1; i <= count; i++) list = list " v(n" node[i] ")"
        printf ".options %s\n.save%s\n.tran %s uic\n.control\nrun\n", settings, list, tran
        printf "set wr_singlescale\nset wr_vecnames\nset numdgt=15\nwrdata ladder.data%s\nquit 0\n.endc\n.end\n", list
    }'
}

# error_of KIND FILE NODE...
error_of() {
    local kind=$1 file=$2
    shift 2
    "$python" "$peers/ladder_error.py" "$kind" "$sections" "$file" "$@"
}

# ngspice_ladder KIND STOP SETTING NODE...: setting is reltol:parts, of which the largest step is one
ngspice_ladder() {
    local kind=$1 stop=$2 reltol=${3%:*} parts=${3#*:} step
    shift 3
    step=$(calc "$stop / $parts")
    netlist "$kind" "reltol=$reltol abstol=1e-15 vntol=$(calc "$reltol / 1000") chgtol=1e-18 noacct" \
        "$(calc "$step / 1000") $stop 0 $step" "$@" >ladder.cir
    rm -f ladder.data
    cpu 1 ngspice -b ladder.cir
    error=$(error_of "$kind" ladder.data "$@")
    steps=$(awk 'END { print NR - 2 }' ladder.data)
}

# hbg_ladder KIND STOP RTOL NODE...
hbg_ladder() {
    local kind=$1 stop=$2 rtol=$3 model=ladder_$1.hbg
    shift 3
    [ -f "$model" ] || ladder "$kind" "$sections" >"$model"
    cpu 2 "$HBG" run "$model" -q --json --no-ledger --stop "$stop" --rtol "$rtol" --atol "$(calc "$rtol * 1e-6")" \
        --record "$(printf 'n%s.e,' "$@" | sed 's/,$//')" -o ladder.csv
    error=$(error_of "$kind" ladder.csv "$@")
    steps=$(statistic steps)
}

# reach TOOL TARGET KIND STOP SETTINGS NODE...: one row; the first setting that reaches the target
reach() {
    local tool=$1 target=$2 kind=$3 stop=$4 settings=$5 setting note=
    shift 5
    for setting in $settings; do
        "${tool}_ladder" "$kind" "$stop" "$setting" "$@"
        ! holds "$error <= $target" || break
    done
    holds "$error <= $target" || note=' (not reached)'
    echo "| $kind | $target$note | $tool | $setting | $(calc "$error" %.1e) | $steps | $seconds |"
}

cat <<END

## Ladders beside ngspice

$sections sections, 1 V switched on; whole commands, processor time. The error is the largest of three nodes over all
rows, against the closed form of the ladder. Each tool takes the coarsest of its settings that reaches the error asked for:
hbg rtol; ngspice reltol and into how many parts at least the run is divided. Bar: hbg is faster but where 1e-3 V is
enough.

| ladder | error asked for, V | tool | setting | error, V | steps | s |
|---|--:|---|---|--:|--:|--:|
END
# compare KIND STOP TARGET HBG_SETTINGS NGSPICE_SETTINGS NODE...: `ratio` is ngspice's time over ours
ratio=0
compare() {
    local kind=$1 stop=$2 target=$3 ours=$4 theirs=$5 own
    shift 5
    reach hbg "$target" "$kind" "$stop" "$ours" "$@"
    own=$seconds
    reach ngspice "$target" "$kind" "$stop" "$theirs" "$@"
    ratio=$(calc "$seconds / $own" %.2f)
    echo "| $kind | $target | ngspice / hbg | | | | $ratio |"
}
# the line as a whole: a time constant of 100 s, with parts of 1 us
line=(1000 5000 10000)
compare rc 50 1e-3 "1e-2 1e-3 1e-4" "1e-2:50 1e-3:50 1e-4:50" "${line[@]}"
compare rc 50 1e-4 "1e-3 1e-4 1e-5" "1e-3:50 1e-4:50 1e-5:50" "${line[@]}"
holds "$ratio > 1" || met=1
compare rc 50 1e-5 "1e-5 1e-6 1e-7" "1e-6:50 1e-7:50" "${line[@]}"
holds "$ratio > 1" || met=1
# a front that passes 200 sections, as sharp as the ladder lets it be
compare lc 200e-6 1e-2 "1e-4 1e-5 1e-6 1e-7" "1e-3:1500 1e-4:3500" 50 100 150
holds "$ratio > 1" || met=1
exit $met
