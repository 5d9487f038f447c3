/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fixed-step methods: single steps against Taylor's series by hand, orders of convergence measured,
 * failures. */
#include "sim/systems_impl.h"

/* x' = x·cos t: x = exp(sin t) */
static void swing(hand *h, double t, const double *x, double *dx) {
    (void)h;
    dx[0] = x[0] * cos(t);
}

static void swing_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)x;
    dense[0] = cos(t);
}

static void grow(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = x[0];
}

static void grow_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = 1;
}

static const recipe swinging = {.n = 1, .start = {1}, .rates = swing, .jacobian = swing_jacobian};
static const recipe growing = {.n = 1, .start = {1}, .rates = grow, .jacobian = grow_jacobian};

/* The error at t = 2 with this many steps. */
static double error_with(hbg_rt_method method, int32_t steps) {
    hand h;
    double x = 1, dx = 1, scratch[16];
    hand_init(&h, &swinging);
    hbg_rt_stepper stepper = {
        .system = &h.system, .instance = hand_instance(&h), .method = method, .scratch = scratch};
    assert_true(hbg_rt_step_scratch(&stepper) <= 16);
    for (int32_t i = 0; i < steps; i++)
        assert_int_equal(hbg_rt_step(&stepper, 2.0 * i / steps, 2.0 * (i + 1) / steps, &x, &dx), HBG_RT_OK);
    assert_near(dx, x * cos(2), 1e-14);
    return fabs(x - exp(sin(2)));
}

static void assert_order(hbg_rt_method method, double order) {
    for (int32_t steps = 200; steps <= 800; steps *= 2) {
        double measured = log2(error_with(method, steps) / error_with(method, 2 * steps));
        assert_near(measured, order, 0.05);
    }
}

static void euler_is_of_order_one(void **state) {
    (void)state;
    assert_order(HBG_RT_EULER, 1);
}

static void heun_is_of_order_two(void **state) {
    (void)state;
    assert_order(HBG_RT_HEUN, 2);
}

static void ode3_is_of_order_three(void **state) {
    (void)state;
    assert_order(HBG_RT_ODE3, 3);
}

static void rk4_is_of_order_four(void **state) {
    (void)state;
    for (int32_t steps = 50; steps <= 200; steps *= 2)
        assert_near(log2(error_with(HBG_RT_RK4, steps) / error_with(HBG_RT_RK4, 2 * steps)), 4, 0.06);
}

static void trapezoidal_is_of_order_two(void **state) {
    (void)state;
    assert_order(HBG_RT_TRAPEZOIDAL, 2);
}

/* On x' = x a step multiplies by the beginning of Taylor's series; the trapezoidal rule by (1 + h/2)/(1 −
 * h/2). */
static void one_step_is_the_series_to_its_order(void **state) {
    (void)state;
    const double h = 0.5;
    const double wanted[] = {1 + h, 1 + h + h * h / 2, 1 + h + h * h / 2 + h * h * h / 6,
                             1 + h + h * h / 2 + h * h * h / 6 + h * h * h * h / 24,
                             (1 + h / 2) / (1 - h / 2)};
    for (int method = HBG_RT_EULER; method <= HBG_RT_TRAPEZOIDAL; method++) {
        hand hand;
        double x = 1, dx = 1, scratch[16];
        hand_init(&hand, &growing);
        hbg_rt_stepper stepper = {.system = &hand.system,
                                  .instance = hand_instance(&hand),
                                  .method = (hbg_rt_method)method,
                                  .scratch = scratch};
        assert_int_equal(hbg_rt_step(&stepper, 0, h, &x, &dx), HBG_RT_OK);
        assert_near(x, wanted[method], 1e-15);
        assert_near(dx, wanted[method], 1e-15);
    }
}

static void a_refused_step_leaves_the_state(void **state) {
    (void)state;
    recipe failing = growing;
    failing.fails_after = 0.9;
    for (int method = HBG_RT_EULER; method <= HBG_RT_TRAPEZOIDAL; method++) {
        hand h;
        double x = 1, dx = 1, scratch[16];
        hand_init(&h, &failing);
        hbg_rt_stepper stepper = {.system = &h.system,
                                  .instance = hand_instance(&h),
                                  .method = (hbg_rt_method)method,
                                  .scratch = scratch};
        assert_int_equal(hbg_rt_step(&stepper, 0, 1, &x, &dx), HBG_RT_SINGULAR);
        assert_true(x == 1);
    }
}

static void a_system_without_states_takes_steps(void **state) {
    (void)state;
    const recipe empty = {.n = 0};
    hand h;
    hand_init(&h, &empty);
    hbg_rt_stepper stepper = {
        .system = &h.system, .instance = hand_instance(&h), .method = HBG_RT_TRAPEZOIDAL};
    assert_int_equal(hbg_rt_step_scratch(&stepper), 0);
    assert_int_equal(hbg_rt_step(&stepper, 0, 1, NULL, NULL), HBG_RT_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(euler_is_of_order_one),
        cmocka_unit_test(heun_is_of_order_two),
        cmocka_unit_test(ode3_is_of_order_three),
        cmocka_unit_test(rk4_is_of_order_four),
        cmocka_unit_test(trapezoidal_is_of_order_two),
        cmocka_unit_test(one_step_is_the_series_to_its_order),
        cmocka_unit_test(a_refused_step_leaves_the_state),
        cmocka_unit_test(a_system_without_states_takes_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
