/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs on threads: each is made once, results come in order, none runs far ahead, and all end on request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <string.h>

#include "sim/sim.h"

enum { RUNS = 500, SLOTS = 8 };

typedef struct {
    int64_t result[SLOTS];
    atomic_int made[RUNS];
    atomic_int at_work, most_at_work;
    int64_t expected, refuse_at, fail_at;
    _Atomic int64_t delivered;
    bool in_order, too_far;
} record;

static bool work(void *context, int32_t worker, int32_t slot, int64_t run, const atomic_bool *stop) {
    record *r = context;
    (void)worker, (void)stop;
    int now = atomic_fetch_add(&r->at_work, 1) + 1;
    if (now > atomic_load(&r->most_at_work)) atomic_store(&r->most_at_work, now);
    if (run >= atomic_load(&r->delivered) + SLOTS) r->too_far = true;
    // the first of every few takes longest, so that others wait for it
    for (int i = 0; i < (run % 5 == 0 ? 50 : 0); i++) sched_yield();
    atomic_fetch_add(&r->made[run], 1);
    r->result[slot] = run * run;
    atomic_fetch_sub(&r->at_work, 1);
    return run != r->fail_at;
}

static bool deliver(void *context, int32_t slot, int64_t run) {
    record *r = context;
    r->in_order = r->in_order && run == r->expected && r->result[slot] == run * run;
    r->expected++;
    atomic_store(&r->delivered, run + 1);
    return run != r->refuse_at;
}

static int64_t go(record *r, int64_t first, int32_t threads) {
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    r->expected = first;
    r->in_order = true;
    atomic_store(&r->delivered, first);
    hbg_sim_ensemble ensemble = {.first = first,
                                 .count = RUNS,
                                 .threads = threads,
                                 .slots = threads < SLOTS ? SLOTS : threads,
                                 .work = work,
                                 .deliver = deliver,
                                 .context = r};
    int64_t done = hbg_sim_ensemble_run(&arena, &ensemble);
    hbg_base_arena_fini(&arena);
    return done;
}

static void every_run_is_made_once_and_delivered_in_order(void **state) {
    (void)state;
    for (int32_t threads = 1; threads <= SLOTS; threads += 3) {
        static record r;
        memset(&r, 0, sizeof r);
        r.refuse_at = r.fail_at = -1;
        assert_int_equal(go(&r, 0, threads), RUNS);
        assert_true(r.in_order);
        assert_false(r.too_far);
        assert_true(atomic_load(&r.most_at_work) <= threads);
        for (int i = 0; i < RUNS; i++) assert_int_equal(atomic_load(&r.made[i]), 1);
    }
}

static void it_goes_on_where_it_is_told_to(void **state) {
    (void)state;
    static record r;
    memset(&r, 0, sizeof r);
    r.refuse_at = r.fail_at = -1;
    assert_int_equal(go(&r, 333, 3), RUNS);
    assert_true(r.in_order);
    for (int i = 0; i < RUNS; i++) assert_int_equal(atomic_load(&r.made[i]), i >= 333);
    memset(&r, 0, sizeof r);
    assert_int_equal(go(&r, RUNS, 3), RUNS);
}

/* Runs before one that fails, or is refused, are delivered; later ones are not. */
static void a_failure_ends_it(void **state) {
    (void)state;
    static record r;
    memset(&r, 0, sizeof r);
    r.refuse_at = -1;
    r.fail_at = 100;
    assert_int_equal(go(&r, 0, 3), 100);
    assert_true(r.in_order);
    assert_int_equal(r.expected, 100);
    memset(&r, 0, sizeof r);
    r.refuse_at = 100;
    r.fail_at = -1;
    assert_int_equal(go(&r, 0, 3), 100);
    assert_true(r.in_order);
    assert_int_equal(r.expected, 101);
}

static bool endless(void *context, int32_t worker, int32_t slot, int64_t run, const atomic_bool *stop) {
    (void)context, (void)worker, (void)slot, (void)run;
    while (!atomic_load_explicit(stop, memory_order_relaxed)) sched_yield();
    return false;
}

static bool at_once(void *context, int64_t delivered) {
    (void)context, (void)delivered;
    return false;
}

static void runs_on_their_way_hear_that_it_is_over(void **state) {
    (void)state;
    hbg_memory memory = {0};
    hbg_arena arena;
    static record r;
    hbg_base_arena_init(&arena, &memory);
    memset(&r, 0, sizeof r);
    hbg_sim_ensemble ensemble = {.count = RUNS,
                                 .threads = 2,
                                 .slots = SLOTS,
                                 .work = endless,
                                 .deliver = deliver,
                                 .progress = at_once,
                                 .context = &r};
    assert_int_equal(hbg_sim_ensemble_run(&arena, &ensemble), 0);
    assert_int_equal(r.expected, 0);
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_is_made_once_and_delivered_in_order),
        cmocka_unit_test(it_goes_on_where_it_is_told_to),
        cmocka_unit_test(a_failure_ends_it),
        cmocka_unit_test(runs_on_their_way_hear_that_it_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
