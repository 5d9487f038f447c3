/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs side by side: each gets from its strides the results it would get alone, in whatever order the others
 * come and go, and runs with strides to make make them together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sim/lanes_impl.h"

enum { LANES = 3, ODD = 40 };

/* A "run" counts its steps in x; a step after which x is a multiple of ODD differs from the others, and one
 * that reaches *r ends its stride. */
static struct { int64_t together, alone, rests; } made;

static void stride(const double *r, hbg_rt_native_stride *of) {
    of->done = 0;
    of->end = 0;
    while (of->done < of->count && of->x[0] < *r) {
        of->x[0]++;
        of->done++;
        of->row += of->row < of->row_count && of->rows[of->row].step == of->base + of->done - 1;
        made.alone++;
    }
    if (of->done < of->count) of->end = 1;
    of->looks = of->done;
    of->commits = of->moves = 2 * of->done;
}

static bool is_odd(const double *r, const hbg_rt_native_stride *of) {
    return ((int64_t)of->x[0] + 1) % ODD == 0 || of->x[0] >= *r;
}

static uint32_t lanes(int32_t count, const double *const *r, hbg_rt_native_stride *const *of, int64_t steps,
                      int64_t *done) {
    uint32_t odd = 0;
    for (*done = 0; *done < steps && !odd; *done += !odd) {
        for (int32_t i = 0; i < count; i++) odd |= (uint32_t)is_odd(r[i], of[i]) << i;
        for (int32_t i = 0; i < count && !odd; i++) {
            assert_false(of[i]->row < of[i]->row_count &&
                         of[i]->rows[of[i]->row].step == of[i]->base + of[i]->done);
            of[i]->x[0]++;
            of[i]->done++;
            of[i]->looks++;
            of[i]->commits += 2;
            of[i]->moves += 2;
            made.together++;
        }
    }
    return odd;
}

typedef struct {
    hbg_sim_lane *lane;
    double limit; /* where its strides end before their time */
    int strides, waits;
    double x;
    int64_t looks, rows;
    bool ended;
} journey;

static void travel(void *context) {
    journey *j = context;
    hbg_rt_strider strider = hbg_sim_lane_strider(j->lane);
    for (int i = 0; i < j->waits; i++) hbg_sim_lane_wait(j->lane);
    for (int i = 0; i < j->strides && !j->ended; i++) {
        const hbg_rt_row rows[] = {{3, 0}, {47, 0}};
        hbg_rt_native_stride of = {.count = 57, .x = &j->x, .looked = i % 2, .rows = rows, .row_count = 2};
        strider.take(strider.context, &j->limit, &of);
        assert_int_equal(of.commits, 2 * of.done);
        j->looks += of.looks;
        j->rows += of.row;
        j->ended = of.end != 0;
    }
}

static void rest(void *context) {
    (void)context;
    made.rests++;
}

static void every_run_gets_what_it_would_get_alone(void **state) {
    static const hbg_rt_native_table table = {.stride = stride, .width = 4, .lanes = lanes};
    journey j[LANES] = {{.limit = 1e9, .strides = 4},
                        {.limit = 100, .strides = 9, .waits = 2},
                        {.limit = 1e9, .strides = 7, .waits = 1}};
    void *contexts[LANES];
    hbg_memory memory = {0};
    hbg_arena arena;
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    memset(&made, 0, sizeof made);
    hbg_sim_gang *gang = hbg_sim_gang_new(&arena, &table, NULL, LANES);
    for (int i = 0; i < LANES; i++) {
        j[i].lane = hbg_sim_gang_lane(gang, i);
        contexts[i] = &j[i];
    }
    assert_true(hbg_sim_gang_run(gang, travel, contexts, rest, NULL));
    const double steps[LANES] = {4 * 57, 100, 7 * 57};
    for (int i = 0; i < LANES; i++) {
        assert_true(j[i].x == steps[i]);
        assert_int_equal(j[i].looks, (int64_t)steps[i]);
        assert_int_equal(j[i].ended, i == 1);
    }
    assert_int_equal(j[0].rows, 4 * 2);
    assert_int_equal(j[2].rows, 7 * 2);
    assert_int_equal(made.together + made.alone, (int64_t)(steps[0] + steps[1] + steps[2]));
    assert_true(made.together > (made.together + made.alone) / 3); // the last one is alone
    assert_int_equal(made.rests, 0);                               // there was always one that continued
    hbg_base_arena_fini(&arena);
}

static void where_all_wait_the_thread_rests(void **state) {
    static const hbg_rt_native_table table = {.stride = stride, .width = 2, .lanes = lanes};
    journey j[2] = {{.limit = 1e9, .strides = 1, .waits = 2}, {.limit = 1e9, .strides = 1, .waits = 2}};
    void *contexts[2] = {&j[0], &j[1]};
    hbg_memory memory = {0};
    hbg_arena arena;
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    memset(&made, 0, sizeof made);
    hbg_sim_gang *gang = hbg_sim_gang_new(&arena, &table, NULL, 2);
    for (int i = 0; i < 2; i++) j[i].lane = hbg_sim_gang_lane(gang, i);
    assert_true(hbg_sim_gang_run(gang, travel, contexts, rest, NULL));
    assert_int_equal(made.rests, 2);
    assert_true(j[0].x == 57 && j[1].x == 57);
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_gets_what_it_would_get_alone),
        cmocka_unit_test(where_all_wait_the_thread_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
