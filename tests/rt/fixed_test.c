/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fixed-step runs: their orders, the grid of steps, the cubic between two ends, a large implicit system
 * by KLU. */
#include "support/linear_fields.h"

static double error_with(hbg_sim_solver solver, double step) {
    trial t;
    trial_init(&t, &swinging, solver, 1);
    t.options.step = step;
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_OK);
    double error = hypot(t.result.state[0] - cos(1), t.result.state[1] + sin(1));
    trial_fini(&t);
    return error;
}

static void runs_converge_with_the_order_of_the_method(void **state) {
    (void)state;
    const double order[] = {1, 2, 3, 4, 2};
    for (int solver = HBG_SIM_EULER; solver <= HBG_SIM_TRAPEZOIDAL; solver++) {
        double coarse = error_with((hbg_sim_solver)solver, 1.0 / 64);
        double fine = error_with((hbg_sim_solver)solver, 1.0 / 128);
        assert_near(log2(coarse / fine), order[solver - HBG_SIM_EULER], 0.05);
    }
}

/* The trapezoidal rule keeps x² + v² exactly: no drift over 10⁴ periods. */
static void trapezoidal_keeps_a_quadratic_energy(void **state) {
    (void)state;
    trial t;
    trial_init(&t, &swinging, HBG_SIM_TRAPEZOIDAL, 1e4);
    t.options.step = 0.1;
    t.options.row = NULL;
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_OK);
    assert_near(hypot(t.result.state[0], t.result.state[1]), 1, 1e-9);
    trial_fini(&t);
}

static void steps_end_on_multiples_and_at_the_stop(void **state) {
    (void)state;
    trial t;
    trial_init(&t, &swinging, HBG_SIM_RK4, 1.05);
    t.options.step = 0.1;
    trial_run(&t);
    assert_int_equal(t.rows.count, 12);
    for (int32_t k = 0; k < 11; k++) assert_true(t.rows.time[k] == k / 10.0);
    assert_true(t.rows.time[11] == 1.05);
    trial_fini(&t);
}

/* Rows between the ends of rk4 steps are as good as a cubic: h⁴/384·max|x⁗| */
static void rows_inside_a_step_are_on_the_cubic(void **state) {
    (void)state;
    trial t;
    trial_init(&t, &swinging, HBG_SIM_RK4, 1);
    t.options.step = 0.1;
    t.options.record_every = 0.025;
    trial_run(&t);
    assert_int_equal(t.rows.count, 41);
    for (int32_t k = 0; k < 41; k++) assert_near(row_value(&t, k, 0), cos(k * 0.025), 1e-4 / 384 + 1e-6);
    trial_fini(&t);
}

enum { CELLS = 200 };

static void diffuse(hand *h, double t, const double *x, double *dx) {
    int n = h->r->n;
    (void)t;
    for (int i = 0; i < n; i++) dx[i] = (i > 0 ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < n ? x[i + 1] : 0);
}

static void diffuse_values(hand *h, double t, const double *x, double *values) {
    const hbg_rt_pattern *p = &h->r->pattern;
    (void)t, (void)x;
    for (int32_t j = 0; j < p->count; j++)
        for (int32_t k = p->start[j]; k < p->start[j + 1]; k++) values[k] = p->row[k] == j ? -2 : 1;
}

static void half_wave(hand *h, double *x) {
    for (int i = 0; i < h->r->n; i++) x[i] = sin(acos(-1) * (i + 1) / (h->r->n + 1));
}

/* A half wave over the chain is a mode: a step multiplies it by (1 − a)/(1 + a), a = h/2·4·sin²(π/2/(n +
 * 1)). */
static void a_large_implicit_system_is_solved_sparsely(void **state) {
    (void)state;
    int32_t start[CELLS + 1], row[3 * CELLS], k = 0;
    for (int32_t j = 0; j < CELLS; j++) {
        start[j] = k;
        for (int32_t i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < CELLS) row[k++] = i;
    }
    start[CELLS] = k;
    const recipe r = {.n = CELLS,
                      .start_at = half_wave,
                      .rates = diffuse,
                      .jacobian_values = diffuse_values,
                      .pattern = {CELLS, start, row}};
    trial t;
    trial_init(&t, &r, HBG_SIM_TRAPEZOIDAL, 1000);
    t.options.step = 100;
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_OK);
    double rate = 2 * sin(acos(-1) / 2 / (CELLS + 1)), a = 50 * rate * rate,
           factor = pow((1 - a) / (1 + a), 10);
    for (int i = 0; i < CELLS; i++)
        assert_near(t.result.state[i], factor * sin(acos(-1) * (i + 1) / (CELLS + 1)), 1e-11);
    trial_fini(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_converge_with_the_order_of_the_method),
        cmocka_unit_test(trapezoidal_keeps_a_quadratic_energy),
        cmocka_unit_test(steps_end_on_multiples_and_at_the_stop),
        cmocka_unit_test(rows_inside_a_step_are_on_the_cubic),
        cmocka_unit_test(a_large_implicit_system_is_solved_sparsely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
