#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The facts of examples, the conservation in their jumps and the roots of guards are shown to catch a broken build. A line of a
# source file is changed, the file compiled and linked in front of the library, and the test has to fail by its own judgement.
# Without a change the same road leads to a test that passes.
set -euo pipefail

flags=(-std=gnu17 -O1 -w -ffp-contract=off -I"$HBG_SOURCE_DIR/src" -I"$HBG_SOURCE_DIR/include"
    -I"$HBG_SOURCE_DIR/tests" -DHBG_SOURCE_DIR="\"$HBG_SOURCE_DIR\"")
libraries=$(sed -n 's/^Libs: .* -lhbg //p' "$HBG_BUILD_DIR/hbg.pc")
export CMOCKA_TEST_ABORT=1 ASAN_OPTIONS=detect_leaks=0:handle_abort=0
export HBG_FACTS="two-capacitors diode-inductor bullet-and-block ball-restitution three-masses-bouncing inconsistent-relay capacitor-on-source bang-bang-oven"

# make_program NAME TEST [OBJECT]: links the test, or for `facts` the command, with the object in front of the library
make_program() {
    local name=$1 test=$2
    shift 2
    local objects=("$test.o")
    [ "$test" != facts ] || objects=(command/*.o)
    # shellcheck disable=SC2086 # options, one per word
    gcc -fsanitize=address,undefined "${objects[@]}" "$@" "$HBG_BUILD_DIR/libhbg.a" -lcmocka $libraries -o "$name"
}

# run PROGRAM TEST: its output goes to PROGRAM.log
run() {
    mkdir -p "$1.dir"
    if [ "$2" = facts ]; then
        (cd "$1.dir" && HBG=$PWD/../$1 timeout 300 sh "$HBG_SOURCE_DIR/tests/examples/run_facts_test.sh") >"$1.log" 2>&1
    else
        { (ulimit -c 0; cd "$1.dir" && timeout 300 "../$1") >"$1.log" 2>&1; } 2>/dev/null
    fi
}

# mutate NAME FILE TEST PATTERN TEXT WORDS: replaces the pattern, which has to occur, by the text; the test has to fail and say so
mutate() {
    local name=$1 source=$HBG_SOURCE_DIR/src/$2 test=$3 pattern=$4 text=$5 words=$6
    sed "s#$pattern#$text#" "$source" >"$name.c"
    if cmp -s "$name.c" "$source"; then
        echo "$name: nothing in $2 matches: $pattern"
        return 1
    fi
    gcc "${flags[@]}" -c "$name.c" -o "$name.o"
    make_program "$name.run" "$test" "$name.o"
    if run "$name.run" "$test"; then
        echo "$name: $test passes with a broken $2"
        return 1
    fi
    if ! grep -q -- "$words" "$name.run.log"; then
        echo "$name: $test does not say \"$words\":"
        tail -n 5 "$name.run.log"
        return 1
    fi
    echo "$name: $(grep -m 1 -- "$words" "$name.run.log" | cut -c 1-160)"
    rm -rf "$name.run" "$name.o" "$name.run.dir"
}

mkdir -p command
for file in "$HBG_SOURCE_DIR"/src/tool/*.c; do
    gcc "${flags[@]}" -c "$file" -o "command/$(basename "$file" .c).o"
done
gcc "${flags[@]}" -c "$HBG_SOURCE_DIR/tests/sim/guard_roots_test.c" -o guard_roots.o
gcc "${flags[@]}" -c "$HBG_SOURCE_DIR/tests/sim/roots_touch_test.c" -o roots_touch.o
gcc "${flags[@]}" -c "$HBG_SOURCE_DIR/tests/api/run_conservation_test.c" -o conservation.o
for test in facts conservation guard_roots roots_touch; do
    make_program "$test.run" "$test"
    run "$test.run" "$test" || { echo "$test fails without a change"; tail -n 20 "$test.run.log"; exit 1; }
done

# facts: energies behind a jump, rebounds, modes, verdicts, times
mutate kept eqn/instant.c facts 'x_plus\[i\] = run->r\[reg\];' 'x_plus[i] = x[i];' 'two-capacitors'
mutate rebound eqn/instant.c facts 'return coefficient \* sum;' 'return -coefficient * sum;' 'ball-restitution'
mutate finite eqn/value.c facts 'area = a.area - b.area, fin' 'area = 0, fin' 'diode-inductor: .* modes'
mutate allowed rt/search.c facts 'return end_with(search, HBG_RT_FORBIDDEN_GUARD);' '{}' 'inconsistent-relay: .* verdict'
mutate late sim/roots.c facts 'double least = fmax(32 \* DBL_EPSILON' 'double least = 1e-6 + fmax(32 * DBL_EPSILON' 'event'

# and that events accumulate, or make no headway
mutate endless sim/run_instant.c facts 'if (changed \&\& accumulates(engine)) status = HBG_RT_VERDICT;' '' 'ball-restitution: .* verdict'
mutate settled sim/run_zeno.c facts 'double near = 1e-4;' 'double near = 1;' 'ball-restitution'
mutate muddled sim/run_instant.c facts 'search->verdict = HBG_RT_CHATTERING;' 'search->verdict = HBG_RT_ZENO;' 'bang-bang-oven: .* verdict'

# conservation: areas that are not what was gained, energy that is not what is missing
mutate halved eqn/instant.c conservation '\*flow = f == HBG_NONE || isnan(run->r\[f\]) ? 0 : run->r\[f\];' \
    '*flow = f == HBG_NONE ? 0 : run->r[f] / 2;' 'with a pulse of'
mutate unbalanced eqn/instant.c conservation '\*effort = e == HBG_NONE || isnan(run->r\[e\]) ? 0 : run->r\[e\];' \
    '*effort = e == HBG_NONE || isnan(run->r[e]) || bond % 2 ? 0 : run->r[e];' 'areas at junction'
mutate forgotten rt/search.c conservation 'before - after + supplied' 'before - after' 'Failure!'
mutate doubled rt/search.c conservation 'before - after + supplied' '2 * (before - after + supplied)' 'J are lost'

# roots: not late, not passed over, not missed where they only touch
mutate coarse sim/roots.c guard_roots 'double least = fmax(32 \* DBL_EPSILON' 'double least = 1e-3 + fmax(32 * DBL_EPSILON' 'move .* at'
mutate passed sim/roots_dip.c guard_roots '^\(hbg_rt_status hbg_sim_roots_dip(.*) {\)$' '\1 return HBG_RT_OK;' 'moves, not'
mutate untouched sim/roots.c guard_roots '^static void list_touching(hbg_sim_roots \*roots, int32_t first) {' \
    'static void list_touching(hbg_sim_roots *roots, int32_t first) { roots->crossed_count = 0; return;' 'Failure!'
mutate blurred sim/roots_touch.c guard_roots 'near \&\& status == HBG_RT_OK \&\& after <= fmax(before, band)' 'false' 'move .* at'
mutate alone sim/roots.c roots_touch 'if (roots->beside\[k\]) roots->crossed' 'if (false) roots->crossed' 'Failure!'
