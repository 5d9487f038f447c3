#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every `run` line in the facts of an example holds when the experiment is run with tight tolerances: to its own tolerance, and
# to RELATIVE of what is expected. A line that ends in `limit` is exempt from the latter: its value is one the model comes near
# to, or one that was measured by another route.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

RTOL=1e-12
RELATIVE=1e-9

# value KIND NAME: time and value of a column in a results file; of `at` in the first row of the last time (before an event), of
# `final` in the last row
value() {
    awk -F, -v kind="$1" -v name="$2" '
        NR == 1 { for (i = 2; i <= NF; i++) if ($i == name) column = i; if ($1 != "time" || !column) exit; next }
        NR == 2 || $1 != time { first = $column }
        { time = $1; last = $column; rows++ }
        END { if (!rows) exit 1; print time, kind == "at" ? first : last }'
}

# judge TIME-FOUND FOUND TIME EXPECTED TOLERANCE [limit]: what is wrong, or nothing; an empty TIME is not looked at
judge() {
    awk -v at="$1" -v found="$2" -v time="$3" -v expected="$4" -v tolerance="$5" -v limit="${6:-}" -v relative="$RELATIVE" 'BEGIN {
        size = expected < 0 ? -expected : expected + 0
        if (limit == "" && size > 0 && relative * size < tolerance) tolerance = relative * size
        if (found !~ /^-?[0-9]/) print "not a number: " found
        else if (time != "" && at + 0 != time + 0) print "the run ends at " at
        else if (!((found - expected)^2 <= tolerance^2)) {
            printf "%s, off by %.3g (tolerance %s)\n", found, found - expected, tolerance }
    }'
}

# events BUNDLE EXPERIMENT: runs it once; the log is in the file events, its instants in found, the exit code in code
events() {
    if [ "$(cat ran 2>/dev/null)" != "$1 $2" ]; then
        code=0
        "$HBG" run "$1/$(basename "$1").hbg" -I lib -x "$2" --rtol "$RTOL" --events - --quiet >events 2>messages || code=$?
        echo "$code" >code
        instants >found
        echo "$1 $2" >ran
    fi
}

# instants: of the log in the file events, a line for each instant: its number, time, and its modes. Instants are counted
# where an automaton changes its state; the start is 0. Every other one has no number.
instants() {
    awk '
        function put(object,    i, n, parts, pair) {
            n = split(object, parts, ",")
            for (i = 1; i <= n; i++) {
                split(parts[i], pair, ":")
                gsub(/"/, "", pair[1]); gsub(/"/, "", pair[2])
                if (!(pair[1] in state)) names[++count] = pair[1]
                state[pair[1]] = pair[2]
            }
        }
        {
            line = $0; modes = ""; moved = NR == 1
            match(line, /"t":[^,]*/); time = substr(line, RSTART + 4, RLENGTH - 4)
            if (match(line, /"states":\{[^}]*\}/)) put(substr(line, RSTART + 10, RLENGTH - 11))
            while (match(line, /"changed":\{[^}]*\},"kind":"[a-z]*"/)) {
                entry = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
                kind = entry; sub(/.*"kind":"/, "", kind); sub(/"$/, "", kind)
                sub(/^"changed":\{/, "", entry); sub(/\}.*/, "", entry)
                if (entry != "") { put(entry); moved = 1 }
                mode = ""
                for (i = 1; i <= count; i++) mode = mode (i > 1 ? "," : "") names[i] "=" state[names[i]]
                modes = modes (modes != "" ? "; " : "") mode " " kind
            }
            print (moved ? number++ : "-"), time, modes
        }' events
}

# jump N STATE: what the state is before and after the jumps of instant N, of the log in the file events
jump() {
    line=$(awk -v n="$1" '$1 == n { print NR; exit }' found)
    [ -n "$line" ] && sed -n "${line}p" events | awk -v state="$2" '
        {
            rest = $0
            while (match(rest, /"kind":"[a-z]*","jump":\{[^}]*\}/)) {
                entry = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
                if (entry ~ /^"kind":"mythical"/) continue
                if ((place = index(entry, "\"" state "\":[")) == 0) continue
                entry = substr(entry, place + length(state) + 4)
                sub(/\].*/, "", entry); split(entry, pair, ",")
                if (!seen++) before = pair[1]
                after = pair[2]
            }
        }
        END { if (seen) print before, after }'
}

# event_fact BUNDLE EXPERIMENT event N TIME TOLERANCE, … jump N STATE BEFORE AFTER TOLERANCE, … modes N: MODES, … verdict NAME:
# tries one
event_fact() {
    events "$1" "$2"
    claim="$1: $2 $3 $4"
    said=$(sed -n 's/.*"verdict":"\([a-z-]*\)".*/\1/p' events | tail -n 1)
    # a verdict that ends the run, or a warning, is no failure of the run
    if [ "$(cat code)" != 0 ] && { [ "$(cat code)" != 3 ] || [ -z "$said" ]; }; then
        echo "$claim: the run failed: $(tail -n 3 messages | tr '\n' ' ')"
        return
    fi
    case $3 in
    event)
        found=$(awk -v n="$4" '$1 == n { print $2 }' found)
        wrong=$(judge "" "${found:-none}" "" "$5" "$6" "${7:-}")
        [ -z "$wrong" ] || echo "$claim: $wrong"
        ;;
    jump)
        found=$(jump "$4" "$5") || found=
        [ -n "$found" ] || { echo "$claim: $5 does not jump there"; return; }
        wrong=$(judge "" "${found% *}" "" "$6" "$8" "${9:-}")
        [ -z "$wrong" ] || echo "$claim: $5 before: $wrong"
        wrong=$(judge "" "${found#* }" "" "$7" "$8" "${9:-}")
        [ -z "$wrong" ] || echo "$claim: $5 after: $wrong"
        ;;
    modes)
        number=${4%:}
        found=$(sed -n "s/^$number [^ ]* //p" found)
        shift 4
        [ "$found" = "$*" ] || echo "$claim: not \"$*\" but \"$found\""
        ;;
    verdict) [ "${said:-none}" = "$4" ] || echo "$claim: the verdict is ${said:-none}: $(tail -n 1 messages)" ;;
    *) echo "$claim: what is this?" ;;
    esac
}

# names BUNDLE EXPERIMENT KIND [TIME]: what the facts of that run ask for, as a list
names() {
    awk -v experiment="$2" -v kind="$3" -v time="${4:-}" '
        $1 == "run" && $2 == experiment && $3 == kind && (kind == "final" || $4 == time) {
            name = kind == "final" ? $4 : $5
            if (!seen[name]++) list = list (list == "" ? "" : ",") name
        }
        END { print list }' "$1/facts"
}

# rows BUNDLE EXPERIMENT KIND [TIME]: runs it once for all facts of that time; the results are in the file rows, the exit code in
# status
rows() {
    [ "$(cat made 2>/dev/null)" != "$*" ] || return 0
    echo "$*" >made
    list=$(names "$@")
    set -- "$1/$(basename "$1").hbg" -I lib -x "$2" --rtol "$RTOL" -o - ${4:+--stop "$4"}
    status=0
    "$HBG" run "$@" --record "$list" >rows 2>messages || status=$?
    echo "$status" >status
}

# fact BUNDLE EXPERIMENT KIND [TIME] NAME EXPECTED TOLERANCE [limit]: tries one
fact() {
    bundle=$1 experiment=$2 kind=$3 time=
    shift 3
    [ "$kind" = final ] || { time=$1; shift; }
    claim="$bundle: $experiment${time:+ at $time}: $1 is $2"
    rows "$bundle" "$experiment" "$kind" ${time:+"$time"}
    if [ "$(cat status)" != 0 ]; then
        echo "$claim: the run failed: $(tail -n 3 messages | tr '\n' ' ')"
    elif ! found=$(value "$kind" "$1" <rows); then
        echo "$claim: no column $1 in the results"
    else
        wrong=$(judge "${found% *}" "${found#* }" "$time" "$2" "$3" "${4:-}")
        [ -z "$wrong" ] || echo "$claim: $wrong"
    fi
}

# check_tree TOP: problems on the standard output; facts tried are listed in the file `tried`
check_tree() {
    rm -rf tree tried
    mkdir tree
    : >tried
    cp -r "$1/examples" tree
    [ ! -d "$1/lib" ] || cp -r "$1/lib" tree
    cd tree
    for bundle in examples/*/; do
        bundle=${bundle%/}
        # HBG_FACTS: the examples to look at, for mutations
        case " ${HBG_FACTS-${bundle##*/}} a " in *" ${bundle##*/} "*) ;; *) continue ;; esac
        # those of one run side by side
        grep '^run ' "$bundle/facts" | sort -s -k 2,4 | while read -r _ experiment kind rest; do
            echo "$bundle $experiment $kind $rest" >>../tried
            try=event_fact
            case $kind in at | final) try=fact ;; esac
            # shellcheck disable=SC2086 # the words of a fact
            "$try" "$bundle" "$experiment" "$kind" $rest </dev/null
        done
    done
    cd ..
}

accept "$HBG_SOURCE_DIR"
tried=$(wc -l <tried)
echo "facts tried: $tried"
[ -n "${HBG_FACTS-}" ] || [ "$tried" -ge 400 ] || { echo "facts are missing: only $tried were tried" >&2; exit 1; }

# one TOP FACT [MODEL LINE]: a tree with one example
one() {
    put "$1/examples/a/a.hbg" 'model M {' '    Se supply(1 [V]);' '    R load(2 [Ohm]);' '    C store(1 [F], e = 0 [V]);' '    1 loop;' \
        '    supply -> loop -> load;' '    loop -> store;' ${3+"$3"} '    experiment e {' '        stop 2 [s];' '        record load.f;' '    }' '}'
    put "$1/examples/a/facts" 'automata 0' "$2"
}

# charging with 2 s: v = 1 - exp(-t/2)
one right 'run e final store.e 0.632120558828558 1e-8'
accept right
one earlier 'run e at 1 store.e 0.393469340287367 1e-8'
accept earlier
one wrong 'run e final store.e 0.632120578 1e-8'
reject wrong 'a: e: store.e is 0.632120578: 0.6321205'
# 1.3e-9 too much, with a tolerance of 1e-8: the tolerance does not matter
one loose 'run e final store.e 0.63212056 1e-8'
reject loose 'off by -1.17e-09'
one limit 'run e final store.e 0.63212056 1e-8 limit'
accept limit
one late 'run e at 1 store.e 0.632120558828558 1e-8'
reject late 'off by -0.239'
one missing 'run e final nothing.e 1 1e-8'
reject missing 'the run failed'
one broken 'run e final store.e 0.6 1' '    oops'
reject broken 'the run failed'

# switching TOP FACT...: a tree with one example whose switch closes at 0.25 s; with the opening a diode takes over at once
switching() {
    top=$1
    shift
    put "$top/examples/a/a.hbg" 'model M {' '    input bool sw = false;' '    Se supply(10 [V]);' '    R series(5 [Ohm]);' \
        '    I coil(1 [H], p = 0 [Wb]);' '    Se drop(-1 [V]);' '    1 j_sw when manual;' '    0 node;' '    1 j_d when diode;' \
        '    supply -> j_sw -> node -> coil;' '    j_sw -> series;' '    j_d -> node;' '    drop -> j_d;' \
        '    automaton manual { off open -> closed when sw; on closed -> open when !sw; }' \
        '    automaton diode { off blocking -> conducting when node.e <= -1 [V]; on conducting -> blocking when j_d.f < limit; }' \
        '    param limit = 0 [A];' \
        '    experiment e { stop 1 [s]; at 0.25 [s]: sw = true; at 0.5 [s]: sw = false; record coil.f; }' \
        '    experiment never { stop 1 [s]; set limit = 9 [A]; at 0.25 [s]: sw = true; at 0.5 [s]: sw = false; record coil.f; }' '}'
    put "$top/examples/a/facts" 'automata 2' "$@"
}

switching told 'run e event 1 0.25 1e-9' 'run e event 2 0.5 1e-9' 'run e verdict none' 'run never verdict divergence' \
    'run e modes 2: diode=blocking,manual=open mythical; diode=conducting,manual=open continuous'
accept told
switching early 'run e event 2 0.4 1e-9'
reject early 'a: e event 2: 0.5, off by 0.1'
switching more 'run e event 9 0.9 1e-9'
reject more 'a: e event 9: not a number'
switching order 'run e modes 2: diode=conducting,manual=open continuous'
reject order 'but "diode=blocking,manual=open mythical; diode=conducting,manual=open continuous"'
switching fine 'run never verdict none'
reject fine 'the verdict is divergence'
switching unknown 'run e colour 1'
reject unknown 'what is this'

# onto a voltage source: 0 V to 2 V, at once
put jumps/examples/a/a.hbg 'model M {' '    input bool sw = false;' '    Se supply(2 [V]);' '    C store(1.5 [F]);' \
    '    Sf none(0 [A]);' '    0 node;' '    1 j_sw when manual;' '    supply -> j_sw -> node -> store;' '    none -> node;' \
    '    automaton manual { off open -> closed when sw; on closed -> open when !sw; }' \
    '    experiment e { stop 1 [s]; at 0.25 [s]: sw = true; record store.q; }' '}'
put jumps/examples/a/facts 'run e jump 1 store.q 0 3 1e-12'
accept jumps
put jumps/examples/a/facts 'run e jump 1 store.q 0 3.1 1e-12'
reject jumps 'a: e jump 1: store.q after: 3, off by -0.1'
put jumps/examples/a/facts 'run e jump 1 none.p 0 3.1 1e-12'
reject jumps 'none.p does not jump there'
