/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An engine alone, on the heap, over a system written by hand. */
#ifndef HBG_TESTS_RT_ENGINE_BENCH_IMPL_H
#define HBG_TESTS_RT_ENGINE_BENCH_IMPL_H

#include "rt/engine.h"
#include "rt/heap_impl.h"
#include "sim/systems_impl.h"

typedef struct {
    heap heap;
    hand h;
    hbg_rt_setup setup;
    hbg_rt_result result;
    double work[4], stored_at_start[4], stored_at_end[4], state[HAND_STATES];
    int32_t modes[1];
    hbg_rt_engine *engine;
} engine_bench;

static inline void engine_bench_init(engine_bench *b, const recipe *r, double stop) {
    memset(b, 0, sizeof *b);
    hand_init(&b->h, r);
    b->setup.memory = heap_memory(&b->heap);
    b->setup.demand.stop = stop;
    b->setup.ledger = true;
    b->result = (hbg_rt_result){.solver = "", .why = ""};
    b->result.work = b->work;
    b->result.stored_at_start = b->stored_at_start;
    b->result.stored_at_end = b->stored_at_end;
    b->result.state = b->state;
    b->result.modes = b->modes;
}

static inline hbg_rt_status engine_bench_run(engine_bench *b) {
    hbg_rt_status status =
        hbg_rt_engine_new(&b->h.system, hand_instance(&b->h), &b->setup, &b->result, &b->engine);
    if (status != HBG_RT_OK) return status;
    status = hbg_rt_engine_start(b->engine);
    if (status == HBG_RT_OK) status = hbg_rt_engine_advance(b->engine);
    status = hbg_rt_engine_finish(b->engine, status);
    hbg_rt_engine_free(b->engine);
    return status;
}

static inline void engine_bench_fini(engine_bench *b) {
    hand_fini(&b->h);
    assert_int_equal(b->heap.used, 0);
}

#endif
