/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The required accuracy of states: sizes grow with the state, a state at 0 gets one by looking ahead, and
 * never too large a one. */
#include "rt/field_bench_impl.h"

static void push(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = x[1];
    dx[1] = 2;
}

static void push_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[1] = 1;
}

static void a_tolerance_is_a_share_of_the_value_and_of_the_size(void **state) {
    (void)state;
    const recipe r = {.n = 2, .start = {3, 0.5}, .rates = push, .jacobian = push_jacobian};
    field_bench b;
    field_bench_init(&b, &r, 1e-4, 1, 0);
    hbg_rt_field_size_update(&b.field, r.start);
    assert_near(hbg_rt_field_tolerance(&b.field, 0, 0), 3e-7, 1e-20);
    assert_near(hbg_rt_field_tolerance(&b.field, 0, 2), 2e-4 + 3e-7, 1e-18);
    const double smaller[] = {1, 0.25}, larger[] = {-6, 1};
    hbg_rt_field_size_update(&b.field, smaller);
    assert_true(b.field.size[0] == 3 && b.field.size[1] == 0.5);
    hbg_rt_field_size_update(&b.field, larger);
    assert_true(b.field.size[0] == 6 && b.field.size[1] == 1);
    b.field.atol = 0.5;
    assert_near(hbg_rt_field_tolerance(&b.field, 0, 2), 0.5 + 2e-4, 1e-15);
    field_bench_fini(&b);
}

/* From rest under a push of 2: in a hundredth of a run of 1 s the velocity reaches 0.02 and the position
 * 0.01·0.02. */
static void states_at_rest_get_a_size_from_what_is_coming(void **state) {
    (void)state;
    const recipe r = {.n = 2, .rates = push, .jacobian = push_jacobian};
    field_bench b;
    field_bench_init(&b, &r, 1e-6, 1, 0);
    assert_int_equal(hbg_rt_field_size_start(&b.field, 0, r.start), HBG_RT_OK);
    assert_near(b.field.size[1], 0.02, 1e-15);
    assert_near(b.field.size[0], 2e-4, 1e-15);
    field_bench_fini(&b);
}

/* x' = 1 − 10⁶·x from 0 rises to 1e-6: the size is a tenth of that, not the 1000 s of the run times its
 * rate. */
static void rise(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = 1 - 1e6 * x[0];
}

static void rise_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = -1e6;
}

static void a_fast_state_is_not_overrated(void **state) {
    (void)state;
    const recipe r = {.n = 1, .rates = rise, .jacobian = rise_jacobian};
    field_bench b;
    field_bench_init(&b, &r, 1e-6, 1000, 0);
    assert_int_equal(hbg_rt_field_size_start(&b.field, 0, r.start), HBG_RT_OK);
    assert_true(b.field.size[0] > 1e-9 && b.field.size[0] <= 1e-6);
    field_bench_fini(&b);
}

/* x' = 1 − 10¹²·x² rises to 1e-6 too, but that is not visible at 0: a look ahead that overshoots is
 * undone. */
static void rise_and_stop(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = 1 - 1e12 * x[0] * x[0];
}

static void rise_and_stop_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t;
    dense[0] = -2e12 * x[0];
}

static void a_nonlinear_state_is_not_overrated(void **state) {
    (void)state;
    const recipe r = {.n = 1, .rates = rise_and_stop, .jacobian = rise_and_stop_jacobian};
    field_bench b;
    field_bench_init(&b, &r, 1e-6, 1000, 0);
    assert_int_equal(hbg_rt_field_size_start(&b.field, 0, r.start), HBG_RT_OK);
    assert_true(b.field.size[0] > 1e-10 && b.field.size[0] <= 1e-6);
    field_bench_fini(&b);
    /* and the run from there is exact: x = 1e-6·tanh(1e6·t) */
    for (int solver = HBG_SIM_AUTO; solver <= HBG_SIM_ERK; solver++) {
        trial t;
        trial_init(&t, &r, (hbg_sim_solver)solver, 3e-6);
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_near(t.result.state[0], 1e-6 * tanh(3), 3e-11);
        trial_fini(&t);
    }
}

static void no_number(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = x[0] > 0 ? sqrt(-x[0]) : 1 / (x[0] * 0);
}

static void rates_that_are_no_numbers_are_failures(void **state) {
    (void)state;
    const recipe r = {.n = 1, .rates = no_number};
    field_bench b;
    double dx, at[] = {1, 0};
    field_bench_init(&b, &r, 1e-6, 1, 0);
    for (int i = 0; i < 2; i++) {
        b.field.status = HBG_RT_OK;
        assert_int_equal(hbg_rt_field_rates(&b.field, 0, &at[i], &dx), HBG_RT_NOT_FINITE);
        assert_int_equal(b.field.status, HBG_RT_NOT_FINITE);
    }
    assert_int_equal(b.field.rates, 2);
    field_bench_fini(&b);
}

static void instants_are_the_same_within_rounding(void **state) {
    (void)state;
    assert_true(hbg_rt_same_instant(0.3, 3 * 0.1));
    assert_true(hbg_rt_same_instant(0, 0));
    assert_false(hbg_rt_same_instant(0, 1e-300));
    assert_false(hbg_rt_same_instant(1, 1 + 1e-14));
    assert_false(hbg_rt_same_instant(1, INFINITY));
}

/* 5000 shortest time constants in the run are stiff; not where 100 instants in its first half make 200
 * restarts likely. */
static void restarts_weigh_against_stiffness(void **state) {
    (void)state;
    field_bench b;
    const recipe r = {.n = 1};
    field_bench_init(&b, &r, 0, 10, 0);
    assert_true(hbg_rt_field_is_stiff(&b.field, 5, 500));
    assert_false(hbg_rt_field_is_stiff(&b.field, 5, 300));
    b.field.instants = 100;
    assert_false(hbg_rt_field_is_stiff(&b.field, 5, 500));
    assert_false(hbg_rt_field_is_stiff(&b.field, 5, 1700));
    assert_true(hbg_rt_field_is_stiff(&b.field, 5, 1800)); /* 18000 > 3300 + 200·70 */
    field_bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restarts_weigh_against_stiffness),
        cmocka_unit_test(a_tolerance_is_a_share_of_the_value_and_of_the_size),
        cmocka_unit_test(states_at_rest_get_a_size_from_what_is_coming),
        cmocka_unit_test(a_fast_state_is_not_overrated),
        cmocka_unit_test(a_nonlinear_state_is_not_overrated),
        cmocka_unit_test(rates_that_are_no_numbers_are_failures),
        cmocka_unit_test(instants_are_the_same_within_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
