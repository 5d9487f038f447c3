#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What the tests of independent parts claim is shown to catch a broken build. A line of a source file is
# changed, the file compiled and linked in front of the library, and the test has to fail by an assertion of
# its own. Without a change the tests pass in the same way.
set -euo pipefail

flags=(-std=gnu17 -O1 -w -ffp-contract=off -I"$HBG_SOURCE_DIR/src" -I"$HBG_SOURCE_DIR/include"
    -I"$HBG_SOURCE_DIR/tests" -DHBG_SOURCE_DIR="\"$HBG_SOURCE_DIR\"")
libraries=$(sed -n 's/^Libs.private: //p' "$HBG_BUILD_DIR/hbg.pc")
export CMOCKA_TEST_ABORT=1 ASAN_OPTIONS=detect_leaks=0:handle_abort=0 # the first failure is enough

# make_program NAME TEST OBJECT...: links the test with the objects in front of the library
make_program() {
    local name=$1 test=$2
    shift 2
    # shellcheck disable=SC2086 # options, one per word
    gcc -fuse-ld=lld -fsanitize=address,undefined "$test.o" "$@" "$HBG_BUILD_DIR/libhbg.a" -lcmocka $libraries -o "$name"
}

# run PROGRAM [CASES]: its output goes to PROGRAM.log; in a separate folder, for the files it writes
run() {
    mkdir -p "$1.dir"
    { (ulimit -c 0; cd "$1.dir"; HBG_TEST_CASES=${2:-*} timeout 150 "../$1") >"$1.log" 2>&1; } 2>/dev/null
}

# mutate NAME FILE TEST:CASES PATTERN TEXT: replaces the pattern, which has to occur, by the text; the test has to fail
mutate() {
    local name=$1 file=$HBG_SOURCE_DIR/src/$2 test=${3%%:*} cases=${3#*:} pattern=$4 text=$5
    sed "s#$pattern#$text#" "$file" >"$name.c"
    if cmp -s "$name.c" "$file"; then
        echo "$name: nothing in $2 matches: $pattern"
        return 1
    fi
    gcc "${flags[@]}" -c "$name.c" -o "$name.o"
    make_program "$name.run" "$test" "$name.o"
    if run "$name.run" "$cases"; then
        echo "$name: $test:$cases passes with a broken $2"
        return 1
    fi
    if ! grep -q 'Failure!' "$name.run.log"; then
        echo "$name: $test does not fail but break off:"
        tail -n 5 "$name.run.log"
        return 1
    fi
    rm -rf "$name.run" "$name.o" "$name.run.dir"
}

for test in model/parts sim/parts api/run_parts; do
    gcc "${flags[@]}" -c "$HBG_SOURCE_DIR/tests/${test}_test.c" -o "${test%/*}.o"
done
for test in model sim; do
    make_program unchanged "$test"
    run unchanged || { cat unchanged.log; exit 1; }
done

# which objects belong together
mutate driven model/parts.c 'model:bonds_*' 'read_expr(c, i, of->control);' ''
mutate guarded model/parts.c 'model:bonds_*' 'read_expr(c, c->first_automaton + i, way->guard);' ''
mutate unread model/parts.c 'model:what_a_run_*' 'if (!c->needed\[i\]) continue;' ''
mutate shared model/parts.c 'model:data_*' 'is_data ? HBG_NONE : c->first_signal + signal' 'c->first_signal + signal'
mutate kept model/parts_copy.c 'model:a_part_*' 'if (part == 0) take_unused(c, HBG_OBJECT_PARAM' 'if (part == 1) take_unused(c, HBG_OBJECT_PARAM'
# in order of time, with all parts known there
mutate order sim/parts.c 'sim:instants_*' 'return one < other' 'return one > other'
mutate whose sim/parts_rows.c 'sim:instants_*' 'y\[part->outputs\[i\]\] = own\[i\]' 'y[i] = own[i]'
mutate behind sim/parts_rows.c 'sim:rows_*' 'stepper->dense(stepper, \*t, engine->x_other);' 'hbg_rt_engine_state_at_end(engine, engine->x_other);'
mutate late sim/parts_result.c 'sim:a_verdict_*' 'stepper->dense(stepper, t, engine->x);' 'hbg_rt_engine_state_at_end(engine, engine->x);'
# one moment, one event
mutate apart sim/parts_events.c 'sim:what_happens_*' 'own->index > index' 'own->index != index'
mutate faulty sim/parts_share.c 'sim:a_fault_*' 'made->index = of->own\[k\];' ''
# as alone, to the last bit
mutate rounded sim/parts_rows.c 'api:models_*' 'return hbg_rt_on_grid(&schedule->whole.rows, t);' 'return t;'
mutate together sim/parts.c 'api:models_*' 'hbg_rt_status status = hbg_rt_engine_step(engine);' \
    'engine->schedule.limit = fmin(engine->schedule.limit, schedule->parts[0].engine->schedule.limit); hbg_rt_status status = hbg_rt_engine_step(engine);'
