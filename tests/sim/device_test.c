/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs whose strides go to a device, here one that can be made to have little memory or to fail: each gets
 * the results it would get alone, whatever the device does; launches continue where the last one ended;
 * strides that are too short do not go there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/lanes_impl.h"

enum { RUNS = 100, ODD = 700, PART = 150, COUNTS_AT = 1, COLUMNS = COUNTS_AT + HBG_RT_DEVICE_COUNTS };

/* Settings and counts of the device. */
static struct {
    int32_t most, fail_at, launches, lanes;
    int64_t steps, alone;
} device;

/* A "run" counts its steps in x, on the processor and on the device; there a step to a multiple of ODD is
 * none. */
static void stride(const double *r, hbg_rt_native_stride *of) {
    (void)r;
    of->x[0] += (double)of->count;
    of->done = of->looks = of->count;
    of->commits = of->moves = 2 * of->count;
    for (; of->row < of->row_count && of->rows[of->row].step < of->base + of->count; of->row++) {
    }
    device.alone += of->count;
}

typedef struct {
    double *cells;
    int32_t lanes;
} bank;

static int begin(char *why, /* NOLINT(readability-non-const-parameter): a device may say why not */
                 size_t size) {
    (void)why, (void)size;
    return 0;
}

static int share(const double *uniform, char *why, /* NOLINT(readability-non-const-parameter): likewise */
                 size_t size) {
    (void)uniform, (void)why, (void)size;
    return 0;
}

static int make(int32_t lanes, void **made, double **cells, char *why, size_t size) {
    if (lanes > device.most) {
        snprintf(why, size, "out of memory");
        return HBG_RT_DEVICE_NO_MEMORY;
    }
    bank *b = calloc(1, sizeof *b);
    b->cells = malloc(sizeof(double) * COLUMNS * (size_t)lanes);
    memset(b->cells, 0x7f, sizeof(double) * COLUMNS * (size_t)lanes); // memory of a device is not zeroed
    *made = b, *cells = b->cells;
    device.lanes = b->lanes = lanes;
    return 0;
}

static int take(void *of, int32_t count, char *why, size_t size) {
    bank *b = of;
    assert_in_range(count, 1, b->lanes);
    bool fails = ++device.launches == device.fail_at;
    for (int32_t i = 0; i < count; i++) {
        double *x = b->cells + i, *counts = b->cells + (size_t)COUNTS_AT * (size_t)b->lanes + i;
#define COUNT(name) counts[(size_t)HBG_RT_DEVICE_##name * (size_t)b->lanes]
        for (int32_t k = 0; k < PART && COUNT(DONE) < COUNT(STEPS) && COUNT(ODD) == 0; k++) {
            COUNT(ODD) = ((int64_t)*x + 1) % ODD == 0;
            if (COUNT(ODD) != 0) break;
            ++*x, COUNT(DONE)++, COUNT(LOOKS)++, COUNT(COMMITS) += 2, COUNT(MOVES) += 2, device.steps++;
        }
        if (fails) *x = -1e9;
    }
    if (fails) snprintf(why, size, "it fell off the bus");
    return fails;
}

static void drop(void *of) {
    bank *b = of;
    if (b) free(b->cells);
    free(b);
}

typedef struct {
    hbg_sim_lane *lane;
    int64_t count; /* steps of a stride */
    int strides;
    double x;
    int64_t done, commits, looks, rows;
} journey;

static void travel(void *context) {
    journey *j = context;
    hbg_rt_strider strider = hbg_sim_lane_strider(j->lane);
    for (int i = 0; i < j->strides; i++) {
        const hbg_rt_row rows[] = {{j->count / 2, 0}};
        hbg_rt_native_stride of = {.count = j->count, .x = &j->x, .rows = rows, .row_count = i % 2};
        strider.take(strider.context, &j->x, &of);
        j->done += of.done, j->commits += of.commits, j->looks += of.looks, j->rows += of.row;
    }
}

static void rest(void *context) {
    (void)context;
}

/* Makes all runs; returns the message of the device at the end. */
static const char *go(int64_t count, int32_t most, int32_t fail_at, char trouble[400]) {
    static const int32_t none[] = {0};
    static int32_t at[HBG_RT_DEVICE_COLUMNS + 1];
    for (int i = 0; i <= HBG_RT_DEVICE_COLUMNS; i++)
        at[i] = i == HBG_RT_DEVICE_x ? 0 : i <= HBG_RT_DEVICE_counts ? COUNTS_AT : COLUMNS;
    const hbg_rt_native_device of = {
        HBG_RT_DEVICE_VERSION, 0, 0, none, none, at, "a device", begin, share, make, take, drop};
    static const hbg_rt_native_table table = {.stride = stride};
    static journey j[RUNS];
    void *contexts[RUNS];
    hbg_memory memory = {0};
    hbg_arena arena;
    memset(j, 0, sizeof j);
    memset(&device, 0, sizeof device);
    device.most = most, device.fail_at = fail_at;
    hbg_base_arena_init(&arena, &memory);
    hbg_sim_device *made = hbg_sim_device_new(&arena, &of);
    hbg_sim_gang *gang = hbg_sim_gang_new(&arena, &table, made, RUNS);
    for (int i = 0; i < RUNS; i++) {
        j[i] = (journey){.lane = hbg_sim_gang_lane(gang, i), .count = count, .strides = 3 + i % 5};
        contexts[i] = &j[i];
    }
    assert_true(hbg_sim_gang_run(gang, travel, contexts, rest, NULL));
    for (int i = 0; i < RUNS; i++) {
        int64_t steps = j[i].count * j[i].strides;
        assert_true(j[i].x == (double)steps);
        assert_int_equal(j[i].done, steps);
        assert_int_equal(j[i].looks, steps);
        assert_int_equal(j[i].commits, 2 * steps);
        assert_int_equal(j[i].rows, j[i].strides / 2);
    }
    const char *why = hbg_sim_device_trouble(made);
    snprintf(trouble, 400, "%s", why ? why : "");
    hbg_sim_gang_end(gang);
    hbg_sim_device_free(made);
    hbg_base_arena_fini(&arena);
    return trouble;
}

/* RUNS runs of 3 to 7 strides: 5 * RUNS strides. */
static void most_steps_are_made_on_the_device(void **state) {
    char why[400];
    (void)state;
    assert_string_equal(go(1000, 1000, 0, why), "");
    assert_true(device.steps > 5 * RUNS * 1000 * 9 / 10);
    assert_int_equal(device.steps + device.alone, 5 * RUNS * 1000);
    assert_int_equal(device.lanes, RUNS);
}

static void too_few_steps_do_not_go_there(void **state) {
    char why[400];
    (void)state;
    assert_string_equal(go(20, 1000, 0, why), "");
    assert_int_equal(device.launches, 0);
}

static void little_memory_gives_fewer_places(void **state) {
    char why[400];
    (void)state;
    assert_string_equal(go(1000, 60, 0, why), "out of memory");
    assert_int_equal(device.lanes, RUNS / 2);
    assert_true(device.steps > 5 * RUNS * 1000 * 9 / 10);
}

static void without_memory_the_processor_makes_all(void **state) {
    char why[400];
    (void)state;
    assert_string_equal(go(1000, 10, 0, why), "out of memory");
    assert_int_equal(device.launches, 0);
    assert_int_equal(device.alone, 5 * RUNS * 1000);
}

/* At any launch, in the middle of strides or at their ends. */
static void a_device_that_fails_leaves_all_to_the_processor(void **state) {
    char why[400];
    (void)state;
    for (int32_t launch = 1; launch <= 20; launch++) {
        assert_string_equal(go(1000, 1000, launch, why), "it fell off the bus");
        assert_int_equal(device.launches, launch);
        assert_true(device.alone > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_steps_are_made_on_the_device),
        cmocka_unit_test(too_few_steps_do_not_go_there),
        cmocka_unit_test(little_memory_gives_fewer_places),
        cmocka_unit_test(without_memory_the_processor_makes_all),
        cmocka_unit_test(a_device_that_fails_leaves_all_to_the_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
