/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is freed as a whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rt/heap_impl.h"

static void things_are_zeroed_apart_and_given_back_in_any_order(void **state) {
    (void)state;
    heap h = {0};
    hbg_rt_room room = {.memory = heap_memory(&h)};
    double *things[5];
    for (int i = 0; i < 5; i++) {
        things[i] = HBG_RT_TAKE(&room, double, 10);
        for (int k = 0; k < 10; k++) assert_true(things[i][k] == 0);
        assert_int_equal((uintptr_t)things[i] % _Alignof(max_align_t), 0);
        memset(things[i], 0xff, 10 * sizeof(double));
    }
    size_t all = h.used;
    hbg_rt_room_return(&room, things[2]); // one in the middle, the newest, the oldest
    hbg_rt_room_return(&room, things[4]);
    hbg_rt_room_return(&room, things[0]);
    hbg_rt_room_return(&room, NULL);
    assert_int_equal(h.used, all / 5 * 2);
    hbg_rt_room_end(&room);
    assert_int_equal(h.used, 0);
    hbg_rt_room_end(&room); // nothing is left
}

static void nothing_is_a_thing_too(void **state) {
    (void)state;
    heap h = {0};
    hbg_rt_room room = {.memory = heap_memory(&h)};
    assert_non_null(HBG_RT_TAKE(&room, double, 0));
    assert_false(room.is_exhausted);
    hbg_rt_room_end(&room);
    assert_int_equal(h.used, 0);
}

static void a_failure_is_remembered(void **state) {
    (void)state;
    heap h = {.fail_at = 2};
    hbg_rt_room room = {.memory = heap_memory(&h)};
    assert_non_null(HBG_RT_TAKE(&room, int32_t, 3));
    assert_null(HBG_RT_TAKE(&room, int32_t, 3));
    assert_non_null(HBG_RT_TAKE(&room, int32_t, 3));
    assert_true(room.is_exhausted);
    hbg_rt_room_end(&room);
    assert_int_equal(h.used, 0);
}

static void what_no_memory_can_hold_is_not_asked_for(void **state) {
    (void)state;
    heap h = {0};
    hbg_rt_room room = {.memory = heap_memory(&h)};
    assert_null(HBG_RT_TAKE(&room, double, SIZE_MAX / 4));
    assert_true(room.is_exhausted);
    assert_int_equal(h.calls, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_are_zeroed_apart_and_given_back_in_any_order),
        cmocka_unit_test(nothing_is_a_thing_too),
        cmocka_unit_test(a_failure_is_remembered),
        cmocka_unit_test(what_no_memory_can_hold_is_not_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
