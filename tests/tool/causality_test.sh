#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg causality: answers and exit codes.
# needs: test
set -u

circuit="$HBG_SOURCE_DIR/examples/running-circuit/running-circuit.hbg"
failures=0 total=0

# expect EXIT TEXT COMMAND...: the command's exit status, and a text that its output contains
expect() {
    wanted=$1 text=$2 total=$((total + 1))
    shift 2
    "$@" >out.txt 2>&1
    status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -qF -- "$text" out.txt; then
        echo "exit $status instead of $wanted, or no \"$text\": $*"
        cat out.txt
        failures=$((failures + 1))
    fi
}

expect 0 'RunningCircuit in mode relay=open,breaker=closed' "$HBG" causality "$circuit"
expect 0 'algebraic loop 1: resistor_1, resistor_2 through j1c, j0d, j1e' "$HBG" causality "$circuit" --mode relay=closed
expect 0 'inductor_2 is dependent' "$HBG" causality "$circuit" --mode breaker=tripped
expect 1 'no valid causal assignment' "$HBG" causality "$circuit" --mode breaker=tripped --integral
expect 0 'constrained to b4, b5, b7' "$HBG" causality "$circuit"
expect 0 'inductor_1 -> v: b3.f, b2.f, b1.f' "$HBG" causality "$circuit" --mode relay=closed --paths
expect 0 '"through"' "$HBG" causality "$circuit" --json --paths
expect 2 'leave --paths or --all out' "$HBG" causality "$circuit" --all --paths
expect 0 '"valid": true' "$HBG" causality "$circuit" --json
expect 0 'proved' "$HBG" causality "$circuit" --all
expect 1 'mode relay=open,breaker=tripped has no valid' "$HBG" causality "$circuit" --all --integral
expect 1 '"verdict": "violated"' "$HBG" causality "$circuit" --all --integral --json
expect 2 'there is no automaton `rely`; did you mean `relay`?' "$HBG" causality "$circuit" --mode rely=open
expect 2 'unknown option `--zero`' "$HBG" causality "$circuit" --zero
expect 2 'leave --mode out' "$HBG" causality "$circuit" --all --mode relay=closed
expect 2 'cannot read' "$HBG" causality nothing.hbg
expect 2 'one model at a time' "$HBG" causality "$circuit" "$circuit"

# A mode that is only passed through is not a violation; a mode without any assignment is.
buck="$HBG_SOURCE_DIR/examples/buck/buck.hbg"
short=switch.lever=shut,diode.conduction=conducting
expect 0 'if only as a limit: proved' "$HBG" causality "$buck" --all
expect 0 '"limit": "mythical only"' "$HBG" causality "$buck" --all --json
expect 0 'the mode is mythical only, unless its sources agree' "$HBG" causality "$buck" --mode "$short"
echo 'model M { Se v(1); Se w(2); R r(1); 0 n when x; v -> n -> r; w -> n; automaton x { off no -> yes when time > 1; on yes; } }' >cut.hbg
expect 1 'mode x=yes has no valid causal assignment' "$HBG" causality cut.hbg --all
expect 1 '"valid": false' "$HBG" causality cut.hbg --mode x=yes --json

printf 'model M { Se a(1); Se b(2); 0 n; R r(1); a -> n; b -> n; n -> r; }\n' >bad.hbg
expect 1 'these bonds contradict each other' "$HBG" causality bad.hbg
expect 2 'error[E0601]' "$HBG" check bad.hbg
printf 'model M { Se a(1); Se b(2); a -> b; }\n' >one.hbg
expect 2 'assignment: the two ends of one bond contradict each other' "$HBG" check one.hbg
expect 1 'the two ends of this bond contradict each other' "$HBG" causality one.hbg
expect 1 'the only mode has no valid causal assignment' "$HBG" causality bad.hbg --all
expect 0 'RunningCircuit in mode relay=closed,breaker=tripped' "$HBG" causality "$circuit" --mode 'relay = closed , breaker=tripped'
expect 2 'is in two states at once' "$HBG" causality "$circuit" --mode relay=closed,relay=open
expect 2 'the model has none, and only one mode' "$HBG" causality one.hbg --mode relay=closed

echo "$((total - failures)) passed, $failures failed"
[ "$failures" -eq 0 ]
