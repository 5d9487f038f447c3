/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The summary of a run: last, least, greatest, and the mean over time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sim/sim.h"

static hbg_memory memory;
static hbg_arena arena;

static hbg_rt_summary of_rows(const double (*rows)[3], int count) {
    hbg_rt_summary summary;
    hbg_sim_summary_init(&arena, &summary, 2);
    for (int i = 0; i < count; i++) hbg_rt_summary_step(&summary, rows[i][0], &rows[i][1], false);
    hbg_rt_summary_end(&summary);
    return summary;
}

/* 0 to 2 in 1 s, then 2 for 3 s: area 1 + 6 over 4 s. */
static void the_mean_is_over_time_and_not_over_rows(void **state) {
    (void)state;
    hbg_rt_summary s = of_rows((const double[][3]){{0, 0, 5}, {1, 2, 5}, {4, 2, -1}}, 3);
    assert_true(s.mean[0] == 7.0 / 4);
    assert_true(s.low[0] == 0 && s.high[0] == 2 && s.final[0] == 2);
    assert_true(s.low[1] == -1 && s.high[1] == 5 && s.final[1] == -1);
}

/* Rows before and after a jump are of one time. */
static void a_jump_has_no_width(void **state) {
    (void)state;
    hbg_rt_summary s = of_rows((const double[][3]){{0, 1, 0}, {1, 1, 0}, {1, 9, 0}, {2, 9, 0}}, 4);
    assert_true(s.mean[0] == 5);
    assert_true(s.low[0] == 1 && s.high[0] == 9);
}

static void one_row_is_its_own_mean_and_none_is_no_number(void **state) {
    (void)state;
    hbg_rt_summary s = of_rows((const double[][3]){{3, 4, 5}}, 1);
    assert_true(s.mean[0] == 4 && s.low[0] == 4 && s.mean[1] == 5);
    s = of_rows(NULL, 0);
    assert_true(isnan(s.mean[0]) && isnan(s.low[0]) && isnan(s.high[0]) && isnan(s.final[0]));
}

static void a_new_run_begins_with_nothing(void **state) {
    (void)state;
    hbg_rt_summary s = of_rows((const double[][3]){{0, -9, 0}, {1, 9, 0}}, 2);
    hbg_rt_summary_begin(&s);
    hbg_rt_summary_step(&s, 0, (double[]){1, 0}, false);
    hbg_rt_summary_step(&s, 2, (double[]){3, 0}, false);
    hbg_rt_summary_end(&s);
    assert_true(s.low[0] == 1 && s.high[0] == 3 && s.mean[0] == 2);
}

/* t² from 0 to 2 has the area 8/3 and 1 in the middle; 4·t·(2 − t) is greatest there. A step that was cut
 * does not use it. */
static void the_middle_of_a_step_counts(void **state) {
    (void)state;
    hbg_rt_summary s = of_rows((const double[][3]){{0, 0, 0}}, 1);
    hbg_rt_summary_step(&s, 1, (double[]){1, 4}, true);
    hbg_rt_summary_step(&s, 2, (double[]){4, 0}, false);
    hbg_rt_summary_end(&s);
    assert_true(fabs(s.mean[0] - 4.0 / 3) < 1e-15 && s.high[1] == 4 && s.low[1] == 0 && s.final[1] == 0);
    hbg_rt_summary_begin(&s);
    hbg_rt_summary_step(&s, 0, (double[]){0, 0}, false);
    hbg_rt_summary_step(&s, 1, (double[]){1, 7}, true);
    hbg_rt_summary_step(&s, 1.5, (double[]){3, 0}, false);
    hbg_rt_summary_end(&s);
    assert_true(s.mean[0] == 1.5 && s.high[1] == 7);
}

static int setup(void **state) {
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    hbg_base_arena_fini(&arena);
    return memory.used == 0 ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_mean_is_over_time_and_not_over_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(a_jump_has_no_width, setup, teardown),
        cmocka_unit_test_setup_teardown(one_row_is_its_own_mean_and_none_is_no_number, setup, teardown),
        cmocka_unit_test_setup_teardown(the_middle_of_a_step_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(a_new_run_begins_with_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
