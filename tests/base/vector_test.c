/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Growing arrays. */
#include "fixture_impl.h"

static void pushed_items_stay_in_order(void **state) {
    fixture *f = *state;
    HBG_VEC(int32_t) left = {0};
    HBG_VEC(double) right = {0};
    /* two that grow in turn cannot widen where they stand */
    for (int32_t i = 0; i < 100000; i++) {
        HBG_PUSH(&f->arena, left, i);
        HBG_PUSH(&f->arena, right, -i);
    }
    assert_int_equal(left.count, 100000);
    for (int32_t i = 0; i < left.count; i++) {
        assert_int_equal(left.items[i], i);
        assert_true(right.items[i] == -i);
    }
    assert_true(f->memory.calls < 60);
}

static void a_grown_vector_leaves_no_old_copies_behind(void **state) {
    fixture *f = *state;
    HBG_VEC(int64_t) numbers = {0};
    for (int32_t i = 0; i < 1000000; i++) HBG_PUSH(&f->arena, numbers, i);
    /* 8 MB of items, at most half as much again lying idle, and the small copies of the beginning */
    assert_true(f->memory.used < 12100000);
    /* while it moves, the old and the new place exist together */
    assert_true(f->memory.peak < 22000000);
}

static void structures_with_commas_can_be_pushed(void **state) {
    fixture *f = *state;
    HBG_VEC(hbg_span) spans = {0};
    HBG_PUSH(&f->arena, spans, (hbg_span){1, 2});
    HBG_PUSH(&f->arena, spans, (hbg_span){3, 4});
    assert_int_equal(spans.items[0].end, 2);
    assert_int_equal(spans.items[1].start, 3);
}

static void an_item_of_the_vector_itself_can_be_pushed(void **state) {
    fixture *f = *state;
    HBG_VEC(int) numbers = {0};
    HBG_PUSH(&f->arena, numbers, 42);
    for (int i = 0; i < 100; i++) HBG_PUSH(&f->arena, numbers, numbers.items[0]);
    for (int i = 0; i < numbers.count; i++) assert_int_equal(numbers.items[i], 42);
}

static void growth_beyond_int32_is_exhaustion(void **state) {
    fixture *f = *state;
    static char item;
    int32_t capacity = INT32_MAX;
    jmp_buf guard;
    if (HBG_GUARD(&f->memory, guard)) {
        assert_int_equal(f->memory.calls, 0);
        return;
    }
    hbg_base_vec_grow(&f->arena, &item, INT32_MAX, &capacity, 1);
    fail_msg("a vector grew beyond INT32_MAX");
}

static void exhaustion_leaves_the_vector_as_it_was(void **state) {
    fixture *f = *state;
    static HBG_VEC(int64_t) numbers;
    jmp_buf guard;
    f->memory.fail_at = 3;
    if (HBG_GUARD(&f->memory, guard)) {
        assert_true(numbers.count > 4);
        assert_int_equal(numbers.capacity, numbers.count);
        for (int32_t i = 0; i < numbers.count; i++) assert_int_equal(numbers.items[i], i);
        return;
    }
    for (;;) HBG_PUSH(&f->arena, numbers, numbers.count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(pushed_items_stay_in_order),           TEST(a_grown_vector_leaves_no_old_copies_behind),
        TEST(structures_with_commas_can_be_pushed), TEST(an_item_of_the_vector_itself_can_be_pushed),
        TEST(growth_beyond_int32_is_exhaustion),    TEST(exhaustion_leaves_the_vector_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
