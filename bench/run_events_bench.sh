#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Cost of events: a ball, masses in a box that collide, a converter, and banks of circuits that switch independently of one another.
# The time until the first step is measured with a run that stops at 0 and taken away.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"

error_bar=1e-6 row_bar=5
met=0

# events_of MODEL STOP OPTION...: seconds beyond the start in `net`, what happened in `commits`
events_of() {
    local model=$1 stop=$2 start
    shift 2
    cpu 3 "$HBG" run "$model" -q --json --no-ledger --stop 0 "$@"
    start=$seconds
    cpu 2 "$HBG" run "$model" -q --json --no-ledger --stop "$stop" "$@"
    # a thousandth of a second is what the clock can tell
    net=$(calc "$seconds - $start > 0.001 ? $seconds - $start : 0.001")
    commits=$(statistic commits)
}

# instructions MODEL STOP OPTION...: that a run executes, in `executed`; changes of mode in `moves`
instructions() {
    local model=$1 stop=$2
    shift 2
    valgrind --tool=callgrind --callgrind-out-file=callgrind.out "$HBG" run "$model" -q --json --no-ledger \
        --engine interpreter --stop "$stop" "$@" >output 2>messages
    executed=$(sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' messages)
    moves=$(statistic crossings)
}

# looks: how often the last run of `instructions` has looked at all relations that are watched, at trial times and at instants
looks() {
    awk '/^c?fn=/ {
            called = $0
            sub(/^c?fn=/, "", called)
            name = called
            sub(/\).*/, ")", called)
            if (sub(/^\([0-9]+\) /, "", name)) names[called] = name
        }
        /^calls=/ { sub(/calls=/, "", $1); if (names[called] == "hbg_rt_indicators") sum += $1 }
        END { print sum + 0 }' callgrind.out
}

# box MASSES [shuttle]: equal masses between two walls, elastic; velocities without a pattern, so that no three meet. Of a shuttle
# the first alone collides, with the wall and with the second, which is too heavy to notice; the others draw apart. After two
# collisions no mode is new.
box() {
    awk -v n="$1" -v shuttle="${2:+1}" 'BEGIN {
        seed = 12345
        print "model Box {\n    Sf left(0 [m/s]);\n    Sf right(0 [m/s]);"
        for (i = 1; i <= n; i++) {
            seed = seed * 16807 % 2147483647
            v = shuttle ? (i == 1 ? 20 : (i - 2) / 1000 / n) : 2 * seed / 2147483647 - 1
            printf "    1 body_%d;\n    I mass_%d(%s [kg], f = %.10f [m/s]);\n", i, i, shuttle && i == 2 ? "1e9" : "1", v
            printf "    body_%d -> mass_%d;\n", i, i
            printf "    state x_%d = %d [m] : der = body_%d.f;\n", i, i, i
        }
        for (i = 0; i <= n; i++) {
            a = i ? "body_" i : "left"; b = i < n ? "body_" i + 1 : "right"
            printf "    0 contact_%d when touch_%d restitution 1;\n    %s -> contact_%d -> %s;\n", i, i, a, i, b
            gap = (i < n ? "x_" i + 1 : n + 1 " [m]") (i ? " - x_" i : "")
            speeds = (i ? "body_" i ".f" : "0 [m/s]") " %s " (i < n ? "body_" i + 1 ".f" : "0 [m/s]")
            printf "    automaton touch_%d {\n        off apart -> collide when %s <= 0 && " speeds ";\n", i, gap, ">"
            printf "        on collide -> apart when " speeds ";\n    }\n", "<"
        }
        print "    experiment run {\n        stop 1 [s];\n        record x_1;\n    }\n}"
    }'
}

# box_error MASSES: of the last row. Equal masses exchange velocities, so that their places are those of masses that
# pass through one another, sorted; walls mirror them.
box_error() {
    tail -n 1 box.csv | tr , '\n' | awk -v n="$1" 'NR == 1 { t = $1; next } { x[NR - 1] = $1 } END {
        wide = n + 1; seed = 12345
        for (i = 1; i <= n; i++) {
            seed = seed * 16807 % 2147483647
            v = sprintf("%.10f", 2 * seed / 2147483647 - 1)
            y = (i + v * t) % (2 * wide); if (y < 0) y += 2 * wide; if (y > wide) y = 2 * wide - y
            for (k = i; k > 1 && place[k - 1] > y; k--) place[k] = place[k - 1]
            place[k] = y
        }
        for (i = 1; i <= n; i++) { d = x[i] - place[i]; if (d < 0) d = -d; if (d > most) most = d }
        printf "%.1e", most
    }'
}

cat <<END
## Events

Processor time of whole runs at rtol 1e-6 without the time until the first step. A bounce or collision is two changes of
mode at one instant: contact, and away. The ball falls from 1 m and keeps 0.999 of its velocity; masses move between two
walls. The error is that of the time of the last bounce (s) and of the places at the end (m), against closed forms. Bars:
errors at most $error_bar; a collision of 1000 masses costs at most $row_bar times one of 10.

| model | collisions | s | collisions per second | us a collision | error |
|---|--:|--:|--:|--:|--:|
END
ball=$HBG_SOURCE_DIR/examples/ball-restitution/ball-restitution.hbg
events_of "$ball" 600 -p epsilon=0.999 --record height,velocity -o ball.csv
error=$(awk -F, 'NR > 2 && $1 == t && $1 != last { n++; last = t } { t = $1 }
    END { fall = sqrt(2 / 9.8); s = fall; v = 1
        for (k = 1; k < n; k++) { v *= 0.999; s += 2 * fall * v }
        printf "%.1e", (last > s ? last - s : s - last) }' ball.csv)
# row NAME
row() {
    echo "| $1 | $((commits / 2)) | $net | $(calc "$commits / 2 / $net" %.0f) |" \
        "$(calc "2e6 * $net / $commits" %.0f) | $error |"
    holds "$error <= $error_bar" || met=1
}
row ball
for masses in 2 10 100 1000; do
    box $masses >box.hbg
    events_of box.hbg "$(calc "$masses < 1000 ? 2000 / $masses : 1")" \
        --record "$(seq -s, -f 'x_%.0f' $masses)" -o box.csv
    error=$(box_error $masses)
    row "$masses masses"
    cost=$(calc "2e6 * $net / $commits")
    [ $masses -ne 10 ] || ten=$cost
done
echo
echo "A collision of 1000 masses costs $(calc "$cost / $ten" %.1f) times one of 10."
holds "$cost <= $row_bar * $ten" || met=1

# between MODEL FROM TO: instructions a change of mode between these times
between() {
    local before moves_before
    instructions "$1" "$2"
    before=$executed moves_before=$moves
    instructions "$1" "$3"
    calc "($executed - $before) / ($moves - $moves_before)" %.0f
}

cat <<END

Instructions by callgrind: of the start, of a collision in a mode that is met for the first time and compiled, and of one in a mode
that has been met. For the latter one mass runs to and fro between the wall and a heavy neighbour. Bar: the latter at most $row_bar times that of 10 masses.

| masses | start | collision in a new mode | collision in a known mode |
|--:|--:|--:|--:|
END
for masses in 10 100 1000; do
    box $masses >box.hbg
    box $masses shuttle >shuttle.hbg
    instructions box.hbg 0
    start=$executed
    case $masses in # in which 1 to 7, 3 to 14 and 5 to 21 pairs meet
    10) first=0.9 last=2 ;;
    100) first=0.6 last=1 ;;
    *) first=0.55 last=0.62 ;;
    esac
    new=$(between box.hbg $first $last)
    known=$(between shuttle.hbg 1 3)
    echo "| $masses | $start | $new | $known |"
    [ $masses -ne 10 ] || ten=$known
done
echo
echo "In a known mode a collision of 1000 masses costs $(calc "$known / $ten" %.1f) times one of 10."
holds "$known <= $row_bar * $ten" || met=1

# ---- a converter -----------------------------------------------------------------------------------------------------

cat >boost.hbg <<'END'
import "electrical.hbg";

model Boost {
    param V = 100 [V], T = 50 [us], D = 0.5;
    signal command = time%T < D*T;
    VoltageSource supply(voltage = V);
    Inductor coil(inductance = 1 [mH]);
    Switch switch(closed = command);
    Diode diode(forward_drop = 0 [V]);
    Capacitor smoothing(capacitance = 100 [uF]);
    Resistor load(resistance = 20 [Ohm]);
    Ground ground;
    0 earth;
    0 node;
    0 plus;
    earth -> supply.n;
    supply.p -> coil.a;
    coil.k -> node;
    node -> switch.a;
    switch.k -> earth;
    node -> diode.a;
    diode.k -> plus;
    plus -> smoothing.a;
    smoothing.k -> earth;
    plus -> load.a;
    load.k -> earth;
    earth -> ground.p;
    output v = smoothing.v;
    experiment run {
        stop 10 [ms];
        record v;
    }
}
END
event_bar=120000 voltage=211.143595 run_bar=6 further_bar=15
cat <<END

## A converter

A boost converter with ideal switch and diode: 100 V, 1 mH, 100 uF, 20 Ohm, 20 kHz, duty 0.5, 10 ms. Edges of the switch are planned, those
of the diode are located. Instructions by callgrind: beyond the start of the program, and for each further event of a run of
twice the length. Times: processor time, means of 20 runs, beyond the start, and for each further event of a run of eleven times the length.
Bars: at most $run_bar ms, $event_bar instructions and $further_bar us for each further event; the voltage at the end within 1e-6 of $voltage V.

| events | steps | ms beyond the start | us a further event | instructions beyond the start | instructions a further event | voltage |
|--:|--:|--:|--:|--:|--:|--:|
END
converted() { # STOP
    "$HBG" run boost.hbg -q --json --no-ledger --stop "$1" -o boost.csv
}
start=$(mean 20 converted 0)
longer=$(mean 20 converted 0.11)
converted 0.11 >output
further_changes=$(statistic commits)
short=$(mean 20 converted 0.01)
converted 0.01 >output
changes=$(statistic commits) steps=$(statistic steps) converter=$(tail -n 1 boost.csv | cut -d, -f2)
beyond=$(calc "1000 * ($short - $start)" %.1f)
each=$(calc "1e6 * ($longer - $short) / ($further_changes - $changes)" %.1f)
instructions boost.hbg 0
start=$executed
instructions boost.hbg 0.01
whole=$(calc "$executed - $start" %.0f) first=$executed before=$moves
instructions boost.hbg 0.02
further=$(calc "($executed - $first) / ($moves - $before)" %.0f)
echo "| $changes | $steps | $beyond | $each | $whole | $further | $converter |"
holds "$beyond <= $run_bar && $each <= $further_bar && $further <= $event_bar && ($converter - $voltage)^2 <= 1e-12 * $voltage^2" || met=1

# ---- looks -----------------------------------------------------------------------------------------------------------

cat <<END

## Looks

How often all relations that are watched are looked at, in steps and at instants, by the interpreter at default tolerances: what it takes to find
events. The rotor is that of [events](events.md#finding-events), whose contact is a sine of its angle; the thermostat has two thresholds.

| model | events | steps | looks | looks a step | looks an event |
|---|--:|--:|--:|--:|--:|
END
cat >rotor.hbg <<'END'
model Rotor {
    I rotor(0.01 [kg.m2], f = 100 [rad/s]);
    R air(1e-9 [N.m.s/rad]);
    1 shaft;
    shaft -> rotor;
    shaft -> air;
    state phi = 0 [rad] : der = shaft.f;
    automaton contact {
        off open -> closed when sin(3*phi) > 0.5;
        on closed -> open when sin(3*phi) < 0.5;
    }
    experiment run {
        stop 10 [s];
        record phi;
    }
}
END
cat >thermostat.hbg <<'END'
model Thermostat {
    automaton heater {
        on heats -> waits when T > 21;
        off waits -> heats when T < 20;
    }
    state T = 15 : der = ((heater.heats ? 30 : 10) - T)/10;
    experiment run {
        stop 200;
        record T;
    }
}
END
# looks_of NAME MODEL STOP OPTION...
looks_of() {
    local name=$1 model=$2 stop=$3 found steps
    shift 3
    instructions "$model" "$stop" "$@"
    found=$(looks) steps=$(statistic steps)
    holds "$found > 0 && $moves > 0" || met=1
    echo "| $name | $moves | $steps | $found | $(calc "$found / $steps" %.1f) | $(calc "$found / $moves" %.1f) |"
}
looks_of ball "$ball" 80 -p epsilon=0.99
box 10 >box.hbg
looks_of "10 masses" box.hbg 20
looks_of converter boost.hbg 0.01
bank 10 >bank.hbg
looks_of "10 circuits" bank.hbg 0.006
looks_of thermostat thermostat.hbg 200
looks_of rotor rotor.hbg 10

# ---- many events -----------------------------------------------------------------------------------------------------

# memory COMMAND...: largest memory of the command, MB, in `most`
memory() {
    most=$($python -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print("%.1f" % (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024))' "$@")
}

many_bar=20 bounce_bar=2 grow_bar=1.1
cat <<END

## Many events

Processor time. The converter above with a log of its events, $(calc 1e6 %.0f) of them; its memory beside that of a tenth of the run. Of the ball
220 bounces, two changes of mode each: mean of 50 runs, beyond the start of the program. Bars: at most $many_bar s, memory at most $grow_bar times, and at most $bounce_bar ms.

| run | events | s | ms beyond the start | MB | MB, a tenth |
|---|--:|--:|--:|--:|--:|
END
memory "$HBG" run boost.hbg -q --no-ledger --stop 2.5 --every 1ms --events log.jsonl -o boost.csv
tenth=$most
memory "$HBG" run boost.hbg -q --no-ledger --stop 25 --every 1ms --events log.jsonl -o boost.csv
cpu 1 "$HBG" run boost.hbg -q --json --no-ledger --stop 25 --every 1ms --events log.jsonl -o boost.csv
echo "| converter | $(statistic commits) | $seconds | | $most | $tenth |"
holds "$seconds <= $many_bar && $most <= $grow_bar * $tenth && $(statistic commits) >= 1000000" || met=1
rm -f log.jsonl
bouncing_ball() { # STOP
    "$HBG" run "$ball" -q --json --no-ledger -p epsilon=0.999 --every 1s --stop "$1" -o ball.csv
}
start=$(mean 50 bouncing_ball 0)
beyond=$(calc "1000 * ($(mean 50 bouncing_ball 178.3) - $start)" %.2f)
echo "| ball | $(statistic commits) | | $beyond | | |"
holds "$beyond <= $bounce_bar && $(statistic commits) == 440" || met=1

# ---- banks -----------------------------------------------------------------------------------------------------------

# longer STOP OPTION...: the same for the second half of a run of twice the length
longer() {
    local stop=$1 half half_moves
    shift
    instructions bank.hbg "$stop" "$@"
    half=$executed half_moves=$moves
    instructions bank.hbg "$(calc "2 * $stop")" "$@"
    executed=$(calc "$executed - $half" %.0f) moves=$((moves - half_moves))
}

growth_bar=0.1
cat <<END

## Banks of switching circuits

Independent circuits that switch at instants of their own: time, and instructions by callgrind, that a change of mode costs.
With variable steps each circuit has its own, and all there is beyond the start is counted: equations of the circuits,
their steps, their changes, each 14 or so in 6 ms, for instructions 4 or so in 2 ms. With a fixed step, what a change adds
to a run in which nothing switches. Growth is the exponent from the smallest to the largest bank: 0 is flat. Bar: at most
$growth_bar.

| circuits | variable step, changes of mode | steps | us a change | instructions a change | fixed step, changes | instructions a change |
|--:|--:|--:|--:|--:|--:|--:|
END
fixed_step=(--solver rk4 --step 5e-6 --every 1)
never=(-p top=1000 -p bottom=-1000)
for circuits in 10 100 1000; do
    bank $circuits >bank.hbg
    events_of bank.hbg 0.006
    variable=$(calc "1e6 * $net / $commits" %.4g)
    changes=$commits
    steps=$(statistic steps)
    instructions bank.hbg 0
    start=$executed
    instructions bank.hbg 0.002
    costs=$(calc "($executed - $start) / $moves" %.0f)
    longer "$(calc "0.25 / $circuits")" "${fixed_step[@]}" "${never[@]}"
    quiet=$executed
    longer "$(calc "0.25 / $circuits")" "${fixed_step[@]}"
    added=$(calc "($executed - $quiet) / $moves" %.0f)
    [ $circuits != 10 ] || first_fixed=$added first_variable=$costs
    echo "| $circuits | $changes | $steps | $variable | $costs | $moves | $added |"
done
# verdict GROWTH: what the bar says to it
verdict() {
    holds "$1 <= $growth_bar" && echo met || echo '**missed**'
}
variable_growth=$(exponent "$first_variable" "$costs" 10 1000)
fixed_growth=$(exponent "$first_fixed" "$added" 10 1000)
echo "| growth | | | | $variable_growth, $(verdict "$variable_growth") | | $fixed_growth, $(verdict "$fixed_growth") |"
holds "$variable_growth <= $growth_bar && $fixed_growth <= $growth_bar" || met=1
exit $met
