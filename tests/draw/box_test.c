/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Boxes: joining, overlapping, and where a line meets one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/draw.h"

static void a_line_enters_a_box_where_it_meets_it(void **state) {
    (void)state;
    hbg_draw_box box = {10, 10, 20, 20};
    assert_true(hbg_draw_box_enter(box, (hbg_draw_point){0, 15}, (hbg_draw_point){40, 15}) == 0.25);
    assert_true(hbg_draw_box_enter(box, (hbg_draw_point){15, 40}, (hbg_draw_point){15, 0}) == 0.5);
    assert_true(hbg_draw_box_enter(box, (hbg_draw_point){15, 15}, (hbg_draw_point){40, 15}) == 0);
    assert_true(hbg_draw_box_enter(box, (hbg_draw_point){0, 0}, (hbg_draw_point){9, 30}) == 2);
    assert_true(hbg_draw_box_enter(box, (hbg_draw_point){0, 25}, (hbg_draw_point){40, 25}) == 2);
    /* along an edge is beside */
    assert_true(hbg_draw_box_enter(box, (hbg_draw_point){0, 10}, (hbg_draw_point){40, 10}) == 2);
}

static void boxes_join_and_overlap(void **state) {
    (void)state;
    hbg_draw_box a = {0, 0, 10, 10}, b = {10, 5, 20, 30}, c = {9, 9, 12, 12};
    assert_false(hbg_draw_box_overlap(a, b));
    assert_true(hbg_draw_box_overlap(a, c));
    assert_true(hbg_draw_box_overlap(c, b));
    hbg_draw_box joined = hbg_draw_box_join(hbg_draw_box_empty, hbg_draw_box_join(a, b));
    assert_true(joined.left == 0 && joined.top == 0 && joined.right == 20 && joined.bottom == 30);
}

static void growing_and_moving_change_all_sides(void **state) {
    (void)state;
    hbg_draw_box box = hbg_draw_box_move(hbg_draw_box_grow((hbg_draw_box){1, 2, 3, 4}, 0.5), 10, 20);
    assert_true(box.left == 10.5 && box.top == 21.5 && box.right == 13.5 && box.bottom == 24.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_enters_a_box_where_it_meets_it),
        cmocka_unit_test(boxes_join_and_overlap),
        cmocka_unit_test(growing_and_moving_change_all_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
