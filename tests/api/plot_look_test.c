/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parts of curves, and how a plot is to look, in words. */
#include "api/run_fixture_impl.h"

#include "api/plot_impl.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
} look_fixture;

static void crop(look_fixture *f, hbg_draw_series *series, double from, double to) {
    memset(f, 0, sizeof *f);
    hbg_base_arena_init(&f->arena, &f->memory);
    hbg_api_look look = {.from = from, .to = to};
    hbg_api_plot_crop(&f->arena, &look, series);
}

static const double times[] = {0, 1, 2, 2, 3}, values[] = {0, 10, 20, 40, 30};

/* A line from 0 to 20, a jump to 40 at 2, and down to 30 at 3. */
static void a_window_cuts_lines_where_it_begins_and_ends(void **state) {
    (void)state;
    look_fixture f;
    hbg_draw_series series = {.x = times, .y = values, .count = 5};
    crop(&f, &series, 0.5, 2.5);
    static const double x[] = {0.5, 1, 2, 2, 2.5}, y[] = {5, 10, 20, 40, 35};
    assert_int_equal(series.count, 5);
    for (int i = 0; i < 5; i++) assert_true(series.x[i] == x[i] && series.y[i] == y[i]);
    hbg_base_arena_fini(&f.arena);
}

static void a_window_inside_of_one_line_has_two_points(void **state) {
    (void)state;
    look_fixture f;
    hbg_draw_series series = {.x = times, .y = values, .count = 5};
    crop(&f, &series, 0.25, 0.5);
    assert_int_equal(series.count, 2);
    assert_true(series.y[0] == 2.5 && series.y[1] == 5);
    hbg_base_arena_fini(&f.arena);
}

static void steps_keep_their_value_up_to_the_window(void **state) {
    (void)state;
    look_fixture f;
    hbg_draw_series series = {.x = times, .y = values, .count = 5, .style = HBG_DRAW_STEPS};
    crop(&f, &series, 0.5, 1.5);
    assert_int_equal(series.count, 3);
    assert_true(series.y[0] == 0 && series.y[1] == 10 && series.y[2] == 10);
    hbg_base_arena_fini(&f.arena);
}

static void nothing_is_left_outside_of_the_curve(void **state) {
    (void)state;
    look_fixture f;
    hbg_draw_series series = {.x = times, .y = values, .count = 5};
    crop(&f, &series, 4, 5);
    assert_int_equal(series.count, 0);
    hbg_base_arena_fini(&f.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_cuts_lines_where_it_begins_and_ends),
        cmocka_unit_test(a_window_inside_of_one_line_has_two_points),
        cmocka_unit_test(steps_keep_their_value_up_to_the_window),
        cmocka_unit_test(nothing_is_left_outside_of_the_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
