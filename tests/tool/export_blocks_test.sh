#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg export blocks: its report and files; refusals, with the reason, before anything is written. Values of
# diagrams are tested in tests/emit/blocks_test.c.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models
examples=$HBG_SOURCE_DIR/examples
export HBG_PATH="$HBG_SOURCE_DIR/lib"
circuit=$examples/running-circuit/running-circuit.hbg
fixed='--solver rk4 --step 100us'

# ---- what is refused: each with its reason, and nothing written ------------------------------------------------------

# refuses REASON MODEL OPTION...
refuses() {
    reason=$1
    shift
    # shellcheck disable=SC2086
    run 2 export blocks "$@" -o out.file
    says err "$reason"
    absent out.file
}
refuses 'needs an explicit solver of a fixed step: euler, heun, ode3 or rk4; write `--solver rk4' "$circuit"
refuses 'needs an explicit solver of a fixed step' "$circuit" --solver trapezoidal --step 1ms
refuses 'is not written as `xml`; there are `json`, `xcos` and `simulink`' "$circuit" --to xml --solver rk4 --step 1ms
refuses 'rk4 has a fixed step and is not told which' "$circuit" --solver rk4
refuses 'there is no experiment `nowhere`' "$circuit" -x nowhere --solver rk4 --step 1ms
refuses 'names in C cannot begin with' "$circuit" --name 'a"b' --solver rk4 --step 1ms
refuses 'wrong.hbg' wrong.hbg --solver rk4 --step 1ms
refuses 'the junction `contact` has restitution' "$examples/ball-restitution/ball-restitution.hbg" --solver rk4 --step 1ms
refuses 'on entry to the mode diode=blocking,manual=open `b7.e` pulses, and a guard reads it' \
    "$examples/diode-inductor/diode-inductor.hbg" --solver rk4 --step 1us
refuses 'in the mode s1.lever=shut,s2.lever=shut,s3.lever=shut,s4.lever=shut sources are in conflict' \
    "$examples/switched-capacitor/switched-capacitor.hbg" --solver rk4 --step 1us
refuses '`u` is sampled' "$examples/sampled-positioning/sampled-positioning.hbg" --solver rk4 --step 1ms
refuses 'the automaton `cutoff` looks at its guards at samples only' "$examples/construct-every/construct-every.hbg" --solver rk4 --step 1ms
refuses 'the experiment has faults or noise' "$examples/adapt-experiment-1/adapt-experiment-1.hbg" -x faulty
refuses 'switch junctions whose equations belong together, and have more than 4096 local modes' \
    "$examples/adapt-testbed/adapt-testbed.hbg" --solver rk4 --step 10us
refuses '`inductor_1.p` jumps, and a Simulink integrator cannot be reset' "$circuit" --to simulink --solver rk4 --step 1ms
refuses 'a table has a jump' "$examples/table-input/table-input.hbg" --to simulink --solver rk4 --step 1ms
run 2 export blocks "$circuit" --solver rk4 --step 1ms -o missing/out.json
says err 'cannot be written to `missing/out.json`'
run 2 export blocks "$circuit" --solver rk4 --step 1ms -o /proc/out.json # where not even root makes files
says err 'the system lets no file be made in its folder'
run 2 export blocks "$circuit"
says err 'export needs a file to write to: `-o FILE`'
awk 'BEGIN {
    print "model Many { Se s(1 [V]); 0 n; s -> n;"
    for (i = 1; i <= 100000; i++) printf "R r%d(1 [ohm]); n -> r%d;\n", i, i
    print "output f = r1.f; experiment e { stop 1 [s]; record f; } }" }' >many.hbg
refuses 'it has 100002 elements, and no block diagram of more than 30000 is of use' many.hbg --solver rk4 --step 1ms

# ---- what is written -------------------------------------------------------------------------------------------------

# shellcheck disable=SC2086
run 0 export blocks "$circuit" $fixed -o circuit.json
says out 'wrote circuit.json: '
says out '4 are integrators (2 with a reset)'
says out 'algebraic loops are left, which have to be solved in every step, for `b3.e`'
says circuit.json '"gives": "its determining bond", "junction": "j0d"'
# shellcheck disable=SC2086
run 0 export blocks "$circuit" $fixed -o - --to json
cmp out circuit.json || fail 'standard output has another diagram than the file'
# shellcheck disable=SC2086
run 0 export blocks "$circuit" $fixed --to xcos --quiet -o circuit.sce
silent out
says circuit.sce 'scilab-cli -nb -f FILE'
# shellcheck disable=SC2086
run 0 export blocks "$circuit" $fixed --json -o circuit.json
says out '"target": "blocks"'
says out '"resets": 2'
says out '"constraints": 2'
run 0 export blocks "$examples/thermostat-oven/thermostat-oven.hbg" --to simulink --solver rk4 --step 9s --name oven -o oven.m
says oven.m "sys = 'oven';"
# an experiment may record any expression: its text is a name in the script
run 0 export blocks good.hbg --to xcos --stop 1ms --step 1us --solver rk4 --record 'coil.f > 1 ? 2 : 3' -o good.sce
says good.sce '"coil.f > 1 ? 2 : 3"'
cat >hostile.hbg <<'END'
model Hostile "<b>of</b> & 'all' kinds \ %d // */ `id` $HOME" {
    C c(1 [F], e = 1 [V]); R r(2 [ohm]) "it's"; 0 n; n -> c; n -> r;
    experiment e "'); exit" { stop 1 [s]; solver rk4 step 0.25 [s]; record n.e, n.e < 1 [V] && r.f > 0 [A] ? 2 : 3; }
}
END
for to in json xcos simulink; do
    run 0 export blocks hostile.hbg -q --to $to -o hostile.$to
    ! grep -E "it's|'all'|exit\"" hostile.$to || fail "a description is in the $to"
done
python3 -m json.tool hostile.json >loaded || fail 'hostile.json is no JSON'
# 1 V/2 ohm, with another resistance 1 V/4 ohm
says hostile.json '"kind": "gain", '
grep -o '"factor": -\?0.5' hostile.json >/dev/null || fail 'the factor of 2 ohm'
sed 's/model Hostile/&/; s/r(2 \[ohm\])/r(k)/; s/    C c/    param k = 2 [ohm]; C c/' hostile.hbg >given.hbg
run 0 export blocks given.hbg -q -p 'k=4 [ohm]' -o given.json
grep -o '"factor": -\?0.25' given.json >/dev/null || fail 'the factor of 4 ohm'
# the same diagram every time
# shellcheck disable=SC2086
run 0 export blocks "$circuit" $fixed -q -o again.json
cmp again.json circuit.json || fail 'the second time it is another diagram'
finish
