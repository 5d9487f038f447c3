# shellcheck shell=sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Shared by the tests of exported examples: an FMU runs beside `hbg run`. By co-simulation with the fixed step of the engine every row is the
# same in every bit; with the embedded pair, by CVODE and by forward Euler its values end within a share of the largest its column ever has.
# As many modes become real as the log of events has, and in model exchange each jump and its pulses are the same.
. "$HBG_SOURCE_DIR/tests/fmu/fmu.sh"
examples=$HBG_SOURCE_DIR/examples
export XDG_CACHE_HOME="$PWD/cache"
sanitized_importer=$importer plain_importer=${importer}_plain

# choose_importer NUMBER: the sanitized one for every fifth example, and in a soak for each
choose_importer() {
    importer=$sanitized_importer
    [ -n "${HBG_SOAK:-}" ] || [ $(($1 % 5)) -eq 0 ] || [ ! -x "$plain_importer" ] || importer=$plain_importer
}

# fixed_case NAME: experiment, step of a three-hundredth and stop of its recorded run with rk4, the first that finished; a tenth of the step if none did
fixed_case() {
    awk -F: -v name="$1" '$1 == "run" && $2 == name && $4 == "rk4" && $6 == "steps" {
        split($3, at, "@"); split($7, word, " ")
        if (!found || word[2] == 0) found = at[1] " " (word[2] == 0 ? $5 : $5 / 10) " " at[2]
        if (word[2] == 0) exit } END { print found }' "$HBG_SOURCE_DIR/tests/recorded/sums"
}

# these end with a verdict before their stop, or cannot be exported (adapt-testbed)
refused='adapt-testbed ball-printed-guards bang-bang-oven inconsistent-relay inelastic-collapse lively-ball stuck-contact'
# with the embedded pair, which finds the time of each switch, these do too: their controllers have no hysteresis
chattering='adapt-experiment-1 adapt-experiment-2 adapt-plain-relay boost-buck-inverter'

# skipped NAME WHAT CODE NAMES: which example is not tried, and why. How long something takes depends on what else the machine does; what is refused has to
# be among NAMES.
skipped() {
    echo "skipped: $1, $2: $([ "$3" = 124 ] && echo 'takes too long' || head -n 1 said)"
    case " $4 " in *" $1 "*) return 0 ;; esac
    [ "$3" = 124 ] || fail "$1, $2: refused"
}

# wanted NAME OPTION...: rows in wanted.csv, log in wanted.log; false: the run fails or takes long
wanted() {
    model=$examples/$1/$1.hbg
    shift
    timeout "${LONGEST:-20}" "$HBG" run "$model" -I "$HBG_SOURCE_DIR/lib" -q -o wanted.csv --events wanted.log "$@" >said 2>&1 </dev/null
}

# step_of NAME: of its experiment, where that is fixed
step_of() {
    sed -n 's/.*solver \(euler\|heun\|ode3\|rk4\) step \([0-9.]*\) \[us\].*/\2e-6/p' "$examples/$1/$1.hbg" | head -n 1
}

# exported FMI NAME OPTION...: NAME.fmu; false: it is refused
exported() {
    fmi=$1 name=$2
    shift 2
    rm -f "$name.fmu"
    timeout $((6 * ${LONGEST:-20})) "$HBG" export fmu "$examples/$name/$name.hbg" -I "$HBG_SOURCE_DIR/lib" -q --fmi "$fmi" -o "$name.fmu" "$@" >said 2>&1 </dev/null
}

# found NAME OPTION...: rows of the FMU in found.csv, its outputs first
found() {
    name=$1
    shift
    timeout $((6 * ${LONGEST:-20})) "$importer" run "$name.fmu" "$@" >found.csv 2>told || { fail "$name $*: the FMU does not run"; grep ^rule found.csv >&2 || :; return 1; }
}

# modes: how many of the log become real: those of the start that change a state too, but none that is mythical
modes() {
    grep -o '"changed":{"[^}]*},"kind":"[a-z]*"' wanted.log | grep -vc '"mythical"' || :
}

# Parts that switch at one time do so in one mode, or one by one, in a run too, a rounding error apart: at least as many modes as such times become
# real, at most as many as automata move.
least_modes() {
    sed 's/"changed":{[^}]*},"kind":"mythical"//g' wanted.log | grep '"changed":{"[^}]*},"kind":"' |
        awk -F'[:,]' '!count || $2 - last > 1e-9 * $2 { count++ } { last = $2 } END { print count + 0 }'
}
most_modes() {
    grep -o '"changed":{"[^}]*}' wanted.log | grep -o '":"' | wc -l
}

# counted: how many the FMU counts
counted() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "events.modes") column = i; next } { last = $column } END { print column ? last : "none" }' found.csv
}

# same_modes WHAT: the FMU counts as many
same_modes() {
    case " ${tied:-} " in
    *" ${1%%,*} "*)
        { [ "$(counted)" -ge "$(least_modes)" ] && [ "$(counted)" -le "$(most_modes)" ]; } ||
            fail "$1: $(counted) modes became real, not $(least_modes) to $(most_modes)"
        ;;
    *) [ "$(counted)" = "$(modes)" ] || fail "$1: $(counted) modes became real, not $(modes)" ;;
    esac
}

# same_rows WHAT [but-the-last]: wherever both have a row at a time, the last one there is the same in every bit; and both end at one time
same_rows() {
    awk -F, -v but_the_last="${2:+1}" '
        FNR == 1 { if (NR == 1) columns = NF; next }
        FNR == NR { row[$1 + 0] = $0; end = $1 + 0; next }
        { mine[$1 + 0] = $0; last = $1 + 0 }
        END {
            for (t in mine) if (t in row && !(but_the_last && t + 0 == end)) {
                n = split(row[t], a, ","); split(mine[t], b, ","); matched++
                for (i = 2; i <= columns; i++) if (a[i] + 0 != b[i] + 0 && !off) { off = 1; print "at " t " s column " i " is " b[i] ", not " a[i] }
            }
            if ((end - last)^2 > 1e-18 * end^2) print "the runs end at " end " and " last
            if (matched < 2) print "only " matched + 0 " rows are at the same times"
        }' wanted.csv found.csv >apart
    [ ! -s apart ] || fail "$1: $(cat apart)"
}

# near_end WHAT BOUND: the last rows
near_end() {
    awk -F, -v bound="$2" '
        FNR == 1 { if (NR == 1) columns = NF; next }
        FNR == NR { for (i = 2; i <= columns; i++) { size = $i < 0 ? -$i : $i + 0; if (size > most[i]) most[i] = size; last[i] = $i } end = $1; next }
        { for (i = 2; i <= columns; i++) final[i] = $i; other = $1 }
        END {
            if ((end - other)^2 > 1e-18 * end^2) print "the runs end at " end " and " other
            for (i = 2; i <= columns; i++) {
                off = final[i] - last[i]; off = off < 0 ? -off : off
                if (!(off <= bound * most[i] + 1e-12)) print "column " i ": " final[i] " instead of " last[i] ", largest " most[i]
            }
        }' wanted.csv found.csv >apart
    [ ! -s apart ] || fail "$1: $(cat apart)"
}

# same_jumps WHAT: of model exchange, which has a row at each instant
same_jumps() {
    case " $tied " in *" ${1%%,*} "*) return 0 ;; esac
    python3 "$HBG_SOURCE_DIR/tests/fmu/jumps.py" wanted.log found.csv 1e-4 >apart || fail "$1: $(cat apart)"
}

# the last bits differ here
settled='adapt-plain-relay forward'
# the end of a run settles its dependent storages, but communication points, the last one too, do not
unsettled='adapt-experiment-1 charge-sharing pendulum'

# fixed FMI NAME: co-simulation with the step of the engine, to the bit but for these
fixed() {
    # shellcheck disable=SC2046 # words
    set -- "$1" "$2" $(fixed_case "$2")
    fmi=$1 name=$2 step=$4
    [ -n "${step:-}" ] || { fail "no run of $name is recorded"; return 0; }
    options="--solver rk4 --step $step"
    [ "$3" = - ] || options="$options -x $3"
    [ -z "${5:-}" ] || options="$options --stop $5"
    # shellcheck disable=SC2086
    wanted "$name" $options || { skipped "$name" "a run with $options" $? "$refused $stiff"; return 0; }
    # shellcheck disable=SC2086
    exported "$fmi" "$name" $options || { skipped "$name" "an export with $options" $? "$refused"; return 0; }
    found "$name" --interface cs --step "$step" || return 0
    case " $settled " in
    *" $name "*) near_end "$name, FMI $fmi, fixed step" 1e-11 ;;
    *)
        case " $unsettled " in
        *" $name "*)
            near_end "$name, FMI $fmi, fixed step" 1e-11
            same_rows "$name, FMI $fmi, fixed step" but-the-last
            ;;
        *) same_rows "$name, FMI $fmi, fixed step" ;;
        esac
        ;;
    esac
    same_modes "$name, FMI $fmi, fixed step"
}

# two parts that are alike switch at one time: whether in one mode or in two is decided by rounding, in `hbg run` too, where another stop changes it
tied='bridge-c bridges zener-and-fuse'

# overshot NAME STEPS: as many as it has to have
overshot() {
    awk -v what="$1" -v steps="$2" -f "$HBG_SOURCE_DIR/tests/fmu/overshoot.awk"
}

# euler_modes WHAT STEPS: the FMU counts as many as steps that go past each switching have to bring
euler_modes() {
    name=${1%%,*}
    case $name in
    lossy-switches | pile | resonant-charger | six-pulse-overlap) # they switch again and again
        [ "$(counted)" = "$(overshot "$name" "$2")" ] || fail "$1: $(counted) modes became real, not $(overshot "$name" "$2")"
        ;;
    # d1 comes on while d3 conducts without a current, at 54 and at 74 ms: late by a part of a step, with a pulse that blocks d3, whose own end at the crest
    # is no mode then
    voltage-multiplier) [ "$(counted)" = $(($(modes) - 2)) ] || fail "$1: $(counted) modes became real, not two fewer than $(modes)" ;;
    # at 0.25 s two parts of the model switch, each late by a step or two
    play-and-stops) tied="$tied $name" same_modes "$1" ;;
    *) same_modes "$1" ;;
    esac
}

# variable FMI NAME STEPS [OPTION...]: the embedded pair with communication steps of several lengths, CVODE, and STEPS steps of Euler, which end where
# the importer's grid has it, or where an indicator crosses
variable() {
    fmi=$1 name=$2 steps=$3
    shift 3
    wanted "$name" --solver erk --rtol 1e-10 "$@" || { skipped "$name" 'a run by the embedded pair' $? "$refused $chattering"; return 0; }
    exported "$fmi" "$name" --solver erk --rtol 1e-10 "$@" || { skipped "$name" 'an export with the embedded pair' $? "$refused"; return 0; }
    stop=$(tail -n 1 wanted.csv | cut -d, -f1)
    for way in '' --vary; do
        # shellcheck disable=SC2086
        found "$name" --interface cs --step "$(awk -v stop="$stop" 'BEGIN { print stop / 97 }')" --stop "$stop" $way || return 0
        near_end "$name, FMI $fmi, co-simulation $way" 1e-6
        same_modes "$name, FMI $fmi, co-simulation $way"
    done
    found "$name" --interface me --solver cvode --tolerance 1e-9 --step "$(awk -v stop="$stop" 'BEGIN { print stop / 97 }')" --stop "$stop" || return 0
    near_end "$name, FMI $fmi, CVODE" 1e-4
    same_modes "$name, FMI $fmi, CVODE"
    same_jumps "$name, FMI $fmi, CVODE"
    step=$(awk -v stop="$stop" -v steps="$steps" 'BEGIN { print stop / steps }')
    found "$name" --interface me --step "$step" --stop "$stop" --locate || return 0
    near_end "$name, FMI $fmi, located Euler" 2e-2
    same_modes "$name, FMI $fmi, located Euler"
    found "$name" --interface me --step "$step" --stop "$stop" || return 0
    euler_modes "$name, FMI $fmi, Euler" "$steps"
    # at the end these switch at every few steps, and a force or a voltage with them: as in a run with those steps
    case $name in pile | resonant-charger | six-pulse-overlap) wanted "$name" --solver euler --step "${step}s" || fail "$name: $(head -n 1 said)" ;; esac
    near_end "$name, FMI $fmi, Euler" 2e-2
}

# sampled FMI NAME STEP [OPTION...]: model exchange of an experiment with a fixed step looks at guards where steps end; with the same method, forward
# Euler, all is as in a run
sampled() {
    fmi=$1 name=$2 step=$3
    shift 3
    wanted "$name" --solver euler --step "$step" "$@" || { skipped "$name" 'a run by forward Euler' $? "$refused"; return 0; }
    exported "$fmi" "$name" --solver euler --step "$step" "$@" || { skipped "$name" 'an export with forward Euler' $? "$refused"; return 0; }
    stop=$(tail -n 1 wanted.csv | cut -d, -f1)
    found "$name" --interface me --step "$step" --stop "$stop" || return 0
    near_end "$name, FMI $fmi, sampled guards" 1e-9
    same_modes "$name, FMI $fmi, sampled guards"
    wanted "$name" --solver rk4 --step "$step" "$@" && exported "$fmi" "$name" --solver rk4 --step "$step" "$@" || return 0
    found "$name" --interface me --solver cvode --tolerance 1e-9 --step "$step" --stop "$stop" || return 0
    near_end "$name, FMI $fmi, sampled guards, CVODE" 2e-2
}

# its shortest time constant is a microsecond, its run 3000 s: no fixed step does
stiff="stiff-network"

# stiff FMI NAME: co-simulation, and CVODE, of an experiment that a run solves implicitly; neither the embedded pair alone nor forward Euler would end in
# time
stiff() {
    wanted "$2" --solver bdf --rtol 1e-9 || { skipped "$2" 'an implicit run' $? "$refused"; return 0; }
    exported "$1" "$2" --rtol 1e-7 || { skipped "$2" 'an export for an implicit run' $? "$refused"; return 0; }
    stop=$(tail -n 1 wanted.csv | cut -d, -f1)
    found "$2" --interface cs --step "$(awk -v stop="$stop" 'BEGIN { print stop / 7 }')" --stop "$stop" || return 0
    near_end "$2, FMI $1, stiff" 1e-5
    found "$2" --interface me --solver cvode --tolerance 1e-9 --step "$(awk -v stop="$stop" 'BEGIN { print stop / 7 }')" --stop "$stop" || return 0
    near_end "$2, FMI $1, stiff, CVODE" 1e-4
}

# euler_steps NAME: with so many forward Euler ends within its bound
euler_steps() {
    case $1 in
    ball-elastic | lead-acid-battery | limited-force | pendulum | torsion-pendulum) echo 200000 ;;
    nonlinear-spring) echo 1000000 ;; # these swing for long, hardly damped
    bilinear-spring | pendulum-rod) echo 1500000 ;;
    *) echo 20000 ;;
    esac
}

# strict FMI NAME: every rule of the importer, the schema among them. Where forward Euler with its 200 steps does not follow, with a hundred times as many.
strict() {
    # it is stiff: of its 1200 s Euler follows only with steps far too short for all of it, so the first load has to do
    case $2 in
    lead-acid-battery) part='--step 0.05 --stop 70' ;;
    stiff-network) part='--step 5e-7 --stop 1e-4' ;; # its shortest time constant is a microsecond
    *) part='' ;;
    esac
    # of long runs the first milliseconds, but in a soak
    case ${HBG_SOAK:+soak}$2 in adapt-* | boost-buck-inverter | capacitor-motor) part='--stop 4e-3' ;; esac
    case " $tied " in *" $2 "*) part='--except events.modes' ;; esac
    case " ${HBG_SOAK:+soak} $dear $large " in " soak "*) ;; *" $2 "*) part=--description ;; esac
    unzip -p "$2.fmu" modelDescription.xml >description.xml
    validate "$1" description.xml || fail "$2, FMI $1: the description is not valid"
    # shellcheck disable=SC2086 # words
    timeout 300 "$importer" check "$2.fmu" $part >violated 2>&1 ||
        timeout 900 "$importer" check "$2.fmu" $part --step "$(sed -n 's/.*stopTime="\([^"]*\)".*/\1/p' description.xml | awk '{ printf "%.9g", $1 / 20000 }')" >violated 2>&1 ||
        { fail "$2, FMI $1"; cat violated >&2; }
}

# own FMI NAME: its own experiment under every rule of the importer; by co-simulation it ends where a run does, with as many modes
own() {
    wanted "$2" || { skipped "$2" 'its own experiment' $? "$refused"; return 0; }
    exported "$1" "$2" || { skipped "$2" 'its export' $? "$refused"; return 0; }
    case " $refused " in *" $2 "*) fail "$2 is tried, and need not be among those that are refused" ;; esac
    tried=$((${tried:-0} + 1))
    choose_importer "$tried"
    strict "$1" "$2"
    stop=$(tail -n 1 wanted.csv | cut -d, -f1) fixed=$(step_of "$2")
    found "$2" --interface cs --step "$(awk -v fixed="${fixed:-0}" -v stop="$stop" 'BEGIN { print fixed ? 100*fixed : stop/50 }')" --stop "$stop" || return 0
    near_end "$2, FMI $1, its own experiment" 1e-5
    if [ -n "$fixed" ]; then # to the bit, wherever a communication step ends
        case " $settled " in *" $2 "*) ;; *) same_rows "$2, FMI $1, its own experiment" but-the-last ;; esac
    fi
    # with another solver and a loose tolerance one instant may be two
    case " $tied " in *" $2 "*) ;; *) same_modes "$2, FMI $1, its own experiment" ;; esac
    case " $exchanged " in *" $2 "*) in_exchange "$1" "$2" ;; esac
}

# cheap ones with switches, jumps and clocks, which `make test` runs in model exchange, too; all of them: exchange_soak.sh
exchanged='ball-combined ball-nonelastic boost buck-boost bulb-and-breaker bullet-and-block cam-valve clamped-cradle construct-automaton-states construct-every
    dog-clutch elastic-pair'

# in_exchange FMI NAME: with FMI 2 by forward Euler, with FMI 3 by CVODE
in_exchange() {
    if [ "$1" = 2 ]; then
        found "$2" --interface me --step "$(awk -v stop="$stop" 'BEGIN { print stop / 2000 }')" --stop "$stop" || return 0
        near_end "$2, FMI 2, Euler" 2e-2
    else
        found "$2" --interface me --solver cvode --tolerance 1e-9 --step "$(awk -v stop="$stop" 'BEGIN { print stop / 97 }')" --stop "$stop" || return 0
        near_end "$2, FMI 3, CVODE" 1e-4
        same_jumps "$2, FMI 3, CVODE"
    fi
    same_modes "$2, FMI $1, model exchange"
}

# more than a second each, which is half the time of all: these are run, but the rules about behaviour and model exchange are for soak
dear='adapt-experiment-1 adapt-experiment-2 adapt-plain-relay bearing-friction boost-buck-inverter bridge-rectifier bridge-rl check-valves
    construct-sensors controllers falling-rod forward hydraulic-press nonlinear-charge-sharing one-way-clutches pendulum pile pmsm-drive radiator
    rod-abstractions running-circuit sliding-bodies three-level-leg thyristor-bridge zener-and-fuse'
# these have so much code that to compile it takes seconds, and are for soak altogether
large='bridges current-source-inverter full-bridge h-bridge resonant-charger six-pulse-bridge six-pulse-overlap three-phase-inverter'

# one blank between names, as they are looked for
# shellcheck disable=SC2086,SC2116 # words
dear=$(echo $dear) exchanged=$(echo $exchanged)

# hastened: from here on binaries are compiled without optimisation, which is soon done where runs are short
hastened() {
    compiler=$(command -v cc)
    mkdir -p hasty
    cat >hasty/cc <<END
#!/bin/sh
for word; do
    shift
    case \$word in -O*) ;; *) set -- "\$@" "\$word" ;; esac
done
exec $compiler -O0 "\$@"
END
    chmod +x hasty/cc
    PATH=$PWD/hasty:$PATH
}

# every_other FMI: one half of all examples with FMI 2, the other one with FMI 3
every_other() {
    turn=2
    [ -n "${HBG_SOAK:-}" ] || hastened
    for path in "$examples"/*/; do
        name=$(basename "$path") turn=$((5 - turn))
        [ "$turn" = "$1" ] || continue
        [ -z "${EXAMPLES:-}" ] || case " $EXAMPLES " in *" $name "*) ;; *) continue ;; esac
        [ -n "${HBG_SOAK:-}" ] || case " $dear $large " in *" $name "*) continue ;; esac
        own "$1" "$name"
        rm -f "$name.fmu"
    done
    [ -n "${EXAMPLES:-}" ] || [ "${tried:-0}" -ge 45 ] || fail "only ${tried:-0} examples are run"
}

# dear_ones: in turn with FMI 3 and FMI 2; in a soak the above has them all
dear_ones() {
    [ -z "${HBG_SOAK:-}" ] || return 0
    turn=2 count=0
    hastened
    for name in $dear; do
        turn=$((5 - turn)) count=$((count + 1))
        [ -z "${EXAMPLES:-}" ] || case " $EXAMPLES " in *" $name "*) ;; *) continue ;; esac
        own "$turn" "$name"
        rm -f "$name.fmu"
    done
    [ -n "${EXAMPLES:-}" ] || [ "${tried:-0}" = "$count" ] || fail "${tried:-0} of $count examples are run"
}

# soaked WAYS: every example with both versions
soaked() {
    HBG=$HBG_RELEASE # what is tried is the FMU
    LONGEST=300
    for path in "$examples"/*/; do
        name=$(basename "$path")
        [ -z "${EXAMPLES:-}" ] || case " $EXAMPLES " in *" $name "*) ;; *) continue ;; esac
        for version in 2 3; do
            for way in $1; do
                case $way in
                fixed) fixed "$version" "$name" ;;
                variable)
                    case " $stiff " in
                    *" $name "*) stiff "$version" "$name" ;;
                    *) variable "$version" "$name" "$(euler_steps "$name")" ;;
                    esac
                    ;;
                sampled) [ -z "$(step_of "$name")" ] || sampled "$version" "$name" "$(step_of "$name")" ;;
                strict)
                    wanted "$name" || { skipped "$name" 'its own experiment' $? "$refused"; continue; }
                    exported "$version" "$name" || { skipped "$name" 'its export' $? "$refused"; continue; }
                    strict "$version" "$name"
                    ;;
                esac
            done
        done
        echo "$name: $failed"
        rm -f "$name.fmu"
    done
}
