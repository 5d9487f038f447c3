/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A field over a system written by hand, for tests of the parts of a run. */
#ifndef HBG_TESTS_FIELD_BENCH_IMPL_H
#define HBG_TESTS_FIELD_BENCH_IMPL_H

#include "sim/sim_impl.h"
#include "sim/systems_impl.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_rt_room room;
    hand h;
    hbg_rt_field field;
} field_bench;

static inline void field_bench_init(field_bench *b, const recipe *r, double rtol, double stop, double step) {
    memset(b, 0, sizeof *b);
    hbg_base_arena_init(&b->arena, &b->memory);
    hand_init(&b->h, r);
    b->room.memory = hbg_sim_memory(&b->arena);
    hbg_rt_demand demand = {.stop = stop, .step = step, .rtol = rtol};
    hbg_rt_instance *instance = hand_instance(&b->h);
    hbg_rt_field_init(&b->field, &b->room, &b->h.system, instance, &demand);
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(instance);
    assert_int_equal(hbg_rt_jacobian_widen(&b->field.jacobian, &b->room, pattern), HBG_RT_OK);
}

static inline void field_bench_fini(field_bench *b) {
    hand_fini(&b->h);
    hbg_base_arena_fini(&b->arena);
    assert_int_equal(b->memory.used, 0);
}

#endif
