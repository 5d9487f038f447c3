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

# numbers are judged here: the optimised command does, while ledger_test.sh runs every experiment with the sanitized one;
# mutations bring a command of their own
hbg=$HBG_OPTIMISED
[ -z "${HBG_FACTS-}" ] || hbg=$HBG

# what is wrong with a number that was found, or nothing; an empty time is not looked at
judge='
    function judge(at, found, time, expected, tolerance, limit,    size) {
        size = expected < 0 ? -expected : expected + 0
        if (limit == "" && size > 0 && relative * size < tolerance) tolerance = relative * size
        if (found !~ /^-?[0-9]/) return "not a number: " found
        if (time != "" && at + 0 != time + 0) return "the run ends at " at
        if (!((found - expected)^2 <= tolerance^2))
            return sprintf("%s, off by %.3g (tolerance %s)", found, found - expected, tolerance)
        return ""
    }'

# value CLAIM KIND TIME NAME EXPECTED TOLERANCE [limit]: judges a column of the file rows; of `at` the first row of the last time
# (before an event), of `final` the last row
value() {
    awk -F, -v relative="$RELATIVE" -v claim="$1" -v kind="$2" -v at="$3" -v name="$4" -v expected="$5" -v tolerance="$6" \
        -v limit="${7:-}" "$judge"'
        NR == 1 { for (i = 2; i <= NF; i++) if ($i == name) column = i; if ($1 != "time" || !column) exit; next }
        NR == 2 || $1 != time { first = $column }
        { time = $1; last = $column; rows++ }
        END {
            wrong = rows ? judge(time, kind == "at" ? first : last, at, expected, tolerance, limit) : "no column " name " in the results"
            if (wrong != "") print claim ": " wrong
        }' rows
}

# events BUNDLE EXPERIMENT: runs it once; the log is in the file events, its instants in found, the last verdict in said, the
# exit code in code
ran=
events() {
    [ "$ran" != "$1 $2" ] || return 0
    ran="$1 $2"
    code=0
    "$hbg" run "$1/${1##*/}.hbg" -I lib -x "$2" --rtol "$RTOL" --events - --quiet >events 2>messages || code=$?
    instants >found
    said=$(sed -n 's/.*"verdict":"\([a-z-]*\)".*/\1/p' events | tail -n 1)
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
    # a verdict that ends the run, or a warning, is no failure of the run
    if [ "$code" != 0 ] && { [ "$code" != 3 ] || [ -z "$said" ]; }; then
        echo "$claim: the run failed: $(tail -n 3 messages | tr '\n' ' ')"
        return
    fi
    case $3 in
    event)
        awk -v relative="$RELATIVE" -v claim="$claim" -v n="$4" -v expected="$5" -v tolerance="$6" -v limit="${7:-}" "$judge"'
            $1 == n { time = $2 }
            END { if ((wrong = judge("", time == "" ? "none" : time, "", expected, tolerance, limit)) != "") print claim ": " wrong }' found
        ;;
    jump)
        jump "$4" "$5" | awk -v relative="$RELATIVE" -v claim="$claim" -v state="$5" -v before="$6" -v after="$7" \
            -v tolerance="$8" -v limit="${9:-}" "$judge"'
            function tell(when, found, expected,    wrong) {
                if ((wrong = judge("", found, "", expected, tolerance, limit)) != "") print claim ": " state " " when ": " wrong
            }
            { tell("before", $1, before); tell("after", $2, after) }
            END { if (NR != 1) print claim ": " state " does not jump there" }'
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
made=
rows() {
    [ "$made" != "$*" ] || return 0
    made=$*
    list=$(names "$@")
    set -- "$1/${1##*/}.hbg" -I lib -x "$2" --rtol "$RTOL" -o - ${4:+--stop "$4"}
    status=0
    "$hbg" run "$@" --record "$list" >rows 2>messages || status=$?
}

# fact BUNDLE EXPERIMENT KIND [TIME] NAME EXPECTED TOLERANCE [limit]: tries one
fact() {
    bundle=$1 experiment=$2 kind=$3 time=
    shift 3
    [ "$kind" = final ] || { time=$1; shift; }
    claim="$bundle: $experiment${time:+ at $time}: $1 is $2"
    rows "$bundle" "$experiment" "$kind" ${time:+"$time"}
    if [ "$status" != 0 ]; then
        echo "$claim: the run failed: $(tail -n 3 messages | tr '\n' ' ')"
    else
        value "$claim" "$kind" "$time" "$@"
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
