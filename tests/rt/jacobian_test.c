/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The pattern with its diagonal, values in their places, and the pace of a system in any units. */
#include "rt/field_bench_impl.h"

enum { N = 17 }; /* more than dense recipes hold, so that the pattern is ours */

static void no_rates(hand *h, double t, const double *x, double *dx) {
    (void)t, (void)x;
    memset(dx, 0, (size_t)h->r->n * sizeof *dx);
}

/* Value 10·row + column, all different. */
static void tell_place(hand *h, double t, const double *x, double *values) {
    const hbg_rt_pattern *p = &h->r->pattern;
    (void)t, (void)x;
    for (int32_t j = 0; j < p->count; j++)
        for (int32_t k = p->start[j]; k < p->start[j + 1]; k++) values[k] = 100 * p->row[k] + j + 1;
}

static void the_diagonal_is_added_where_it_is_missing(void **state) {
    (void)state;
    /* column 0: rows 1, 2; column 1: rows 0, 1; column 2: rows 0, 1; the others empty */
    int32_t start[N + 1] = {0, 2, 4}, row[] = {1, 2, 0, 1, 0, 1};
    for (int32_t j = 3; j <= N; j++) start[j] = 6;
    const recipe r = {.n = N, .rates = no_rates, .jacobian_values = tell_place, .pattern = {N, start, row}};
    field_bench b;
    double x[N] = {0};
    field_bench_init(&b, &r, 0, 1, 0);
    const hbg_rt_jacobian_matrix *jacobian = &b.field.jacobian;
    assert_int_equal(jacobian->nonzeros, 6 + (N - 1));
    const int32_t rows[] = {0, 1, 2, 0, 1, 0, 1, 2, 3};
    assert_memory_equal(jacobian->row, rows, sizeof rows);
    assert_int_equal(hbg_rt_jacobian_at(&b.field, 0, x, jacobian->values), HBG_RT_OK);
    const double values[] = {0, 101, 201, 2, 102, 3, 103, 0, 0};
    assert_memory_equal(jacobian->values, values, sizeof values);
    for (int32_t j = 0; j < N; j++) assert_int_equal(jacobian->row[jacobian->diagonal[j]], j);
    field_bench_fini(&b);
}

/* Modes that use row 1 of column 0 and row 2 of column 1: the second is new, then both stay. */
static void a_pattern_that_holds_all_modes_grows_once(void **state) {
    (void)state;
    int32_t first_start[] = {0, 1, 1, 1}, first_row[] = {1}, second_start[] = {0, 0, 1, 1},
            second_row[] = {2};
    const hbg_rt_pattern first = {3, first_start, first_row}, second = {3, second_start, second_row};
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_rt_jacobian_matrix jacobian = {0};
    hbg_base_arena_init(&arena, &memory);
    hbg_rt_room room = {.memory = hbg_sim_memory(&arena)};
    assert_int_equal(hbg_rt_jacobian_widen(&jacobian, &room, first), HBG_RT_OK);
    assert_int_equal(jacobian.nonzeros, 4);
    assert_false(hbg_rt_jacobian_take(&jacobian, second));
    assert_int_equal(hbg_rt_jacobian_widen(&jacobian, &room, second), HBG_RT_OK);
    const int32_t start[] = {0, 2, 4, 5}, row[] = {0, 1, 1, 2, 2};
    assert_memory_equal(jacobian.start, start, sizeof start);
    assert_memory_equal(jacobian.row, row, sizeof row);
    assert_int_equal(jacobian.place[0], 3);
    int64_t calls = memory.calls;
    for (int i = 0; i < 100; i++) {
        assert_true(hbg_rt_jacobian_take(&jacobian, i % 2 == 0 ? first : second));
        assert_int_equal(jacobian.given_count, 1);
        assert_int_equal(jacobian.place[0], i % 2 == 0 ? 1 : 3);
    }
    assert_int_equal(memory.calls, calls);
    hbg_base_arena_fini(&arena);
    assert_int_equal(memory.used, 0);
}

/* A swing at 5 rad/s, one state in nano-units, beside a decay of 3/s: 5, and 7 with a decay of 7. */
static void swing(hand *h, double t, const double *x, double *dense) {
    (void)t, (void)x;
    dense[1] = 5e9;
    dense[3] = -5e-9;
    dense[8] = -h->r->parameter[0];
    dense[2] = 1e20; /* one way only: of no effect */
}

static void the_pace_is_that_of_the_fastest_pair_or_decay(void **state) {
    (void)state;
    for (int decay = 3; decay <= 7; decay += 4) {
        const recipe r = {.n = 3, .rates = no_rates, .jacobian = swing, .parameter = {decay}};
        field_bench b;
        double x[3] = {0};
        field_bench_init(&b, &r, 0, 1, 0);
        assert_int_equal(hbg_rt_jacobian_at(&b.field, 0, x, b.field.jacobian.values), HBG_RT_OK);
        double pace = hbg_rt_jacobian_pace(&b.field.jacobian, b.field.jacobian.values, NULL);
        assert_near(pace, decay == 7 ? 7 : 5, 1e-14);
        field_bench_fini(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_diagonal_is_added_where_it_is_missing),
        cmocka_unit_test(a_pattern_that_holds_all_modes_grows_once),
        cmocka_unit_test(the_pace_is_that_of_the_fastest_pair_or_decay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
