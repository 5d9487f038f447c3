/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An image from a file, run by the engine alone: memory of the heap, no compiler, no library. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rt/image_impl.h"

enum { ROOM = 64 };

typedef struct {
    heap heap;
    double work[ROOM], before[ROOM], after[ROOM], state[ROOM];
    int32_t modes[ROOM];
    hbg_rt_setup setup;
    hbg_rt_result result;
    hbg_rt_loaded *loaded;
    hbg_rt_instance *instance;
    hbg_rt_engine *engine;
} bench;

/* Advances to the first moment after the start. */
static void bench_begin(bench *b, const char *name) {
    memset(b, 0, sizeof *b);
    compile_example(name, "model.hbi");
    b->loaded = read_image("model.hbi", &b->heap);
    const hbg_rt_package *package = hbg_rt_loaded_package(b->loaded);
    hbg_rt_action *actions = calloc((size_t)package->action_count + 1, sizeof *actions);
    assert_non_null(actions);
    for (int32_t i = 0; i < package->action_count; i++)
        actions[i] =
            (hbg_rt_action){package->actions[i].time, package->actions[i].input, package->actions[i].value};
    assert_true(package->system->power_count < ROOM && package->system->state_count < ROOM &&
                package->system->storage_count < ROOM && package->system->automaton_count < ROOM);
    b->instance = hbg_rt_loaded_run(b->loaded, heap_memory(&b->heap));
    assert_non_null(b->instance);
    b->setup = (hbg_rt_setup){.memory = heap_memory(&b->heap), .ledger = true};
    b->setup.demand.stop = package->pace.stop;
    b->setup.actions = actions;
    b->setup.action_count = package->action_count;
    b->result = (hbg_rt_result){.solver = "", .why = ""};
    b->result.work = b->work;
    b->result.stored_at_start = b->before;
    b->result.stored_at_end = b->after;
    b->result.state = b->state;
    b->result.modes = b->modes;
    assert_int_equal(hbg_rt_engine_new(package->system, b->instance, &b->setup, &b->result, &b->engine),
                     HBG_RT_OK);
    assert_int_equal(hbg_rt_engine_start(b->engine), HBG_RT_OK);
}

static void bench_end(bench *b) {
    hbg_rt_engine_free(b->engine);
    hbg_rt_free(b->instance);
    hbg_rt_loaded_free(b->loaded);
    free((void *)b->setup.actions);
    assert_int_equal(b->heap.used, 0);
}

/* The coil of 10 mH charges over 100 Ω from 10 V, and is cut off at 500 us: its remaining energy is lost in
 * the diode. */
static void the_engine_runs_an_image_without_anything_else(void **state) {
    bench b;
    (void)state;
    bench_begin(&b, "diode-inductor");
    assert_int_equal(hbg_rt_engine_advance(b.engine), HBG_RT_OK);
    assert_int_equal(hbg_rt_engine_finish(b.engine, HBG_RT_OK), HBG_RT_OK);
    assert_true(b.result.commits >= 2);
    assert_true(fabs(b.result.residual) <= 1e-6 * b.result.scale);
    bench_end(&b);
}

/* How many modes a run of an example has entered; after its start it allocates nothing. */
static int64_t commits_without_memory(const char *name) {
    bench b;
    bench_begin(&b, name);
    int64_t taken = b.heap.calls;
    hbg_rt_status status = hbg_rt_engine_advance(b.engine);
    if (b.heap.calls != taken)
        fail_msg("%s takes memory %lld times", name, (long long)(b.heap.calls - taken));
    (void)hbg_rt_engine_finish(b.engine, status);
    int64_t commits = b.result.commits;
    bench_end(&b);
    return commits;
}

/* Every local mode is in the image, and a run has room for all of them from its start: later it allocates
 * nothing. */
static void a_run_of_an_image_takes_no_memory_after_its_start(void **state) {
    static const char *const models[] = {"diode-inductor", "ball-restitution", "two-capacitors",
                                         "running-circuit", "construct-restitution"};
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        assert_true(commits_without_memory(models[i]) > 0);
}

/* Its law has kinks, which are located, and it has no automata. */
static void nor_does_one_in_which_nothing_switches(void **state) {
    (void)state;
    assert_int_equal(commits_without_memory("bilinear-spring"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_runs_an_image_without_anything_else),
        cmocka_unit_test(a_run_of_an_image_takes_no_memory_after_its_start),
        cmocka_unit_test(nor_does_one_in_which_nothing_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
