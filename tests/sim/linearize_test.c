/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linearization of systems written by hand, whose matrices are known. */
#include "sim/systems_impl.h"

/* A pendulum with friction, driven by input 0, and its position as a further output:
 *     x0' = x1, x1' = -9 sin x0 - x1/2 + u,  y = sin x0 + 3 u */
static void pendulum_rates(hand *h, double t, const double *x, double *dx) {
    (void)t;
    dx[0] = x[1];
    dx[1] = -9 * sin(x[0]) - 0.5 * x[1] + h->input[0];
}

static void pendulum_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t;
    dense[1] = 1;
    dense[2] = -9 * cos(x[0]);
    dense[3] = -0.5;
}

static void pendulum_output(hand *h, double t, const double *x, double *y) {
    (void)t;
    y[0] = sin(x[0]) + 3 * h->input[0];
}

static const recipe pendulum = {.n = 2,
                                .rates = pendulum_rates,
                                .jacobian = pendulum_jacobian,
                                .output = pendulum_output,
                                .output_count = 1,
                                .input_count = 1};

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hand h;
} fixture;

static fixture *fixture_new(const recipe *r) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    hbg_base_arena_init(&f->arena, &f->memory);
    hand_init(&f->h, r);
    return f;
}

static void fixture_free(fixture *f) {
    hbg_base_arena_fini(&f->arena);
    assert_int_equal(f->memory.used, 0);
    hand_fini(&f->h);
    free(f);
}

static void a_pendulum_has_the_matrices_of_its_derivatives(void **state) {
    (void)state;
    fixture *f = fixture_new(&pendulum);
    const double x[] = {0.5, -2};
    f->h.input[0] = 0.25;
    const hbg_sim_knob knob = {false, 0, 0.25};
    hbg_sim_linear linear;
    assert_int_equal(
        hbg_sim_linearize(&f->arena, &f->h.system, hand_instance(&f->h), 0, x, &knob, 1, &linear), HBG_RT_OK);
    assert_int_equal(linear.state_count, 2);
    const double a[] = {0, 1, -9 * cos(0.5), -0.5};
    for (int i = 0; i < 4; i++) assert_true(linear.a[i] == a[i]);
    assert_near(linear.b[0], 0, 1e-10);
    assert_near(linear.b[1], 1, 1e-10);
    assert_int_equal(linear.output_count, 3); // the states, then the output
    assert_near(linear.c[2 * 2], cos(0.5), 1e-7);
    assert_near(linear.c[2 * 2 + 1], 0, 1e-10);
    assert_near(linear.d[2], 3, 1e-9);
    assert_true(linear.error < 1e-5);
    assert_true(f->h.input[0] == 0.25);
    fixture_free(f);
}

/* If a value has no natural size the width has to be found: sin(1e6·x) at 0. */
static void fast_rates(hand *h, double t, const double *x, double *dx) {
    (void)t, (void)x;
    dx[0] = sin(1e6 * h->input[0]);
}

static void widths_shrink_until_they_agree(void **state) {
    (void)state;
    static const recipe fast = {.n = 1, .rates = fast_rates, .input_count = 1};
    fixture *f = fixture_new(&fast);
    const double x[] = {0};
    const hbg_sim_knob knob = {false, 0, 0};
    hbg_sim_linear linear;
    assert_int_equal(
        hbg_sim_linearize(&f->arena, &f->h.system, hand_instance(&f->h), 0, x, &knob, 1, &linear), HBG_RT_OK);
    assert_near(linear.b[0], 1e6, 1e1);
    fixture_free(f);
}

/* The second state follows the first: x1 = 2·x0. */
static hbg_rt_status follow(void *self, double t, double *x) {
    (void)self, (void)t;
    x[1] = 2 * x[0];
    return HBG_RT_OK;
}

static void dependent_rates(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -3 * x[0];
    dx[1] = -6 * x[0];
    dx[2] = x[0] - x[2];
}

static void dependent_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = -3;
    dense[3] = -6;
    dense[6] = 1;
    dense[8] = -1;
}

static void dependent_states_are_left_out(void **state) {
    (void)state;
    static const recipe dependent = {.n = 3, .rates = dependent_rates, .jacobian = dependent_jacobian};
    fixture *f = fixture_new(&dependent);
    f->h.table.settle = follow;
    const double x[] = {1, 2, 0};
    hbg_sim_linear linear;
    assert_int_equal(hbg_sim_linearize(&f->arena, &f->h.system, hand_instance(&f->h), 0, x, NULL, 0, &linear),
                     HBG_RT_OK);
    assert_int_equal(linear.state_count, 2);
    assert_int_equal(linear.states[0], 0);
    assert_int_equal(linear.states[1], 2);
    const double a[] = {-3, 0, 1, -1};
    for (int i = 0; i < 4; i++) assert_true(linear.a[i] == a[i]);
    assert_near(linear.c[1 * 2], 2, 1e-9); // the dependent one as an output
    fixture_free(f);
}

static void failures_come_back(void **state) {
    (void)state;
    recipe failing = pendulum;
    failing.fails_after = 1;
    fixture *f = fixture_new(&failing);
    const double x[] = {0.5, -2};
    hbg_sim_linear linear;
    assert_int_equal(hbg_sim_linearize(&f->arena, &f->h.system, hand_instance(&f->h), 2, x, NULL, 0, &linear),
                     HBG_RT_SINGULAR);
    fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_has_the_matrices_of_its_derivatives),
        cmocka_unit_test(widths_shrink_until_they_agree),
        cmocka_unit_test(dependent_states_are_left_out),
        cmocka_unit_test(failures_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
