#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# gallery.sh [FOLDER]: makes docs/gallery.md and its pictures in FOLDER (default: docs) from the examples of the papers:
# every bundle with automata whose readme says `Source: 000` to `Source: 004`, but for the constructs of the language. What the
# system is comes from the readme, the model from `hbg draw`, plot and story from a run of the first experiment. HBG is the
# command, otherwise the one that `make` built.
# needs: test
. "$(dirname "$0")/common.sh"

hbg=${HBG:-build/hbg}
folder=${1:-docs}
most=30 # lines of a story
mkdir -p "$folder/pictures"

# bundles: their names, those of the papers in the order of the list in examples/readme.md, then the others
bundles() {
    { grep -o '^| \[[a-z0-9-]*\]' examples/readme.md | tr -d '|[] '; ls examples; } | awk '!seen[$0]++' | while read -r name; do
        [ -f "examples/$name/$name.hbg" ] && [ -f "examples/$name/readme.md" ] || continue
        case $name in construct-*) continue ;; esac
        grep -q '^Source: 00[0-4]' "examples/$name/readme.md" || continue
        grep -q '^    automaton ' "examples/$name/$name.hbg" || continue
        echo "$name"
    done
}

# system README: title and first paragraph
system() {
    awk 'NR == 1 { print "#" $0; next } /^Source:/ { exit } NF { print; text = 1; next } text { exit } { print }' "$1" |
        sed 's|](\.\./|](../examples/|g'
}

# story NAME: the events of the first experiment in words
story() {
    local model=examples/$1/$1.hbg picture=$folder/pictures/gallery-$1.svg
    local status=0
    "$hbg" run "$model" -I lib --quiet --explain --plot "$picture" 2>"$work/said" >"$work/events" || status=$?
    if [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then # 3: a verdict ended the run, which may be what the example shows
        cat "$work/said" >&2
        return 1
    fi
    [ ! -e "$picture.partial" ] || mv "$picture.partial" "$picture"
    head -n "$most" "$work/events"
    [ "$(wc -l <"$work/events")" -le "$most" ] || echo '…'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# adapt: the case study of 001, whose automata are those of lib/power.hbg; its pictures are those of tools/adapt_figures.sh
adapt() {
    printf '\n'
    system examples/adapt-experiment-1/readme.md
    cat <<'END'

Model: [adapt-experiment-1.hbg](../examples/adapt-experiment-1/adapt-experiment-1.hbg); more in its
[readme](../examples/adapt-experiment-1/readme.md), where the numbers stand beside those of the paper.

What Fig. 22 of 001 shows, 20 s nominal and with less resistance in the bulb from 3 s on. The inverter delivers the same
voltage whatever it has to feed; the fault is seen in the currents, and in the voltage of the battery. Where only orange shows, the
faulty run lies beneath the nominal one.

![Voltages, currents and the speed of the fan over 20 s](pictures/adapt-experiment-1.svg)

What Fig. 23 shows, the moments before and after the fault. The battery feels twice the frequency of the mains, and every
switching of the boost stage.

![Currents and voltage around the fault](pictures/adapt-experiment-1-fault.svg)

Some mains cycles with the fan:

![Voltage and current of the fan](pictures/adapt-experiment-1-phase.svg)
END
    printf '\n'
    system examples/adapt-testbed/readme.md
    cat <<'END'

Model: [adapt-testbed.hbg](../examples/adapt-testbed/adapt-testbed.hbg); more in its
[readme](../examples/adapt-testbed/readme.md).

![Bond graph of the testbed](pictures/gallery-adapt-testbed-graph.svg)

![Voltages and currents while loads come on](pictures/gallery-adapt-testbed.svg)
END
    local testbed=examples/adapt-testbed/adapt-testbed.hbg
    "$hbg" draw "$testbed" -I lib --no-automata --no-values -o "$folder/pictures/gallery-adapt-testbed-graph.svg" >"$work/said"
    "$hbg" run "$testbed" -I lib --quiet --plot "$folder/pictures/gallery-adapt-testbed.svg" >&2
    adapt_run adapt-experiment-2 'Voltages, currents and the speed of the fan over 50 ms'
    adapt_run adapt-plain-relay 'Voltage and currents, which jump when the relay opens'
    "$hbg" run examples/adapt-plain-relay/adapt-plain-relay.hbg -I lib --quiet --explain=all >"$work/events"
    printf '\nThe instant at which the relay opens, among thousands of the inverter:\n\n```text\n'
    awk '/^t = / { told = /fan_on becomes false/ } told' "$work/events"
    printf '```\n'
}

# sets NAME: what a choice may make of it, where there is one; the pictures are those of docs/processes.md, which says how they are made
sets() {
    case $1 in
    uncertain-impact)
        printf '\nVelocities of head and board after an impact at 0.45 m/s, over all restitutions; [how it is drawn](processes.md#drawn):\n'
        printf '\n![Velocities after the impact over the restitution](pictures/uncertain-strike.svg)\n'
        ;;
    ball-restitution)
        printf '\nWhat a restitution from 0.5 to 0.9 makes of such a ball; [how it is drawn](processes.md#drawn):\n'
        printf '\n![A fan of trajectories that part at the first collision](pictures/uncertain-fan.svg)\n'
        ;;
    esac
}

# adapt_run NAME CAPTION: system, model and a run of one of the systems that are too large to be drawn here
adapt_run() {
    printf '\n'
    system "examples/$1/readme.md"
    printf '\nModel: [%s.hbg](../examples/%s/%s.hbg); more in its [readme](../examples/%s/readme.md).\n' "$1" "$1" "$1" "$1"
    printf '\n![%s](pictures/gallery-%s.svg)\n' "$2" "$1"
    "$hbg" run "examples/$1/$1.hbg" -I lib --quiet --plot "$folder/pictures/gallery-$1.svg" >&2
}

page() {
    cat <<'END'
# Gallery

The models of the papers that hybrid bond graphs come from, as they are in [examples](../examples/readme.md): the system,
its bond graph in the start mode, a run of the first experiment, and what happened in it as `hbg run --explain` tells it
([events.md](events.md)). `tools/gallery.sh` made this page.
END
    bundles | while read -r name; do
        "$hbg" draw "examples/$name/$name.hbg" -I lib -o "$folder/pictures/gallery-$name-graph.svg" >"$work/said" 2>&1 </dev/null || {
            cat "$work/said" >&2
            exit 1
        }
        printf '\n'
        system "examples/$name/readme.md"
        printf '\nModel: [%s.hbg](../examples/%s/%s.hbg); more in its [readme](../examples/%s/readme.md).\n' "$name" "$name" "$name" "$name"
        printf '\n![Bond graph of %s](pictures/gallery-%s-graph.svg)\n' "$name" "$name"
        story "$name" >"$work/told" </dev/null
        printf '\n![A run of %s](pictures/gallery-%s.svg)\n\n```text\n' "$name" "$name"
        cat "$work/told"
        printf '```\n'
        sets "$name"
    done
    adapt
}

page >"$work/gallery.md"
mv "$work/gallery.md" "$folder/gallery.md"
