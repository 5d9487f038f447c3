/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The trapezoidal rule: stiff decay, nonlinear equations solved to the end, states at 0, rounding, a lent
 * solver. */
#include "sim/systems_impl.h"

static hbg_rt_status one_step(const recipe *r, double length, double *x, double *dx,
                              const hbg_rt_linear *linear) {
    hand h;
    double scratch[128];
    hand_init(&h, r);
    hbg_rt_stepper stepper = {.system = &h.system,
                              .instance = hand_instance(&h),
                              .method = HBG_RT_TRAPEZOIDAL,
                              .linear = linear,
                              .scratch = scratch};
    assert_true(hbg_rt_step_scratch(&stepper) <= 128);
    assert_int_equal(hbg_rt_rates(hand_instance(&h), 0, x, dx), HBG_RT_OK);
    return hbg_rt_step(&stepper, 0, length, x, dx);
}

static void decay(hand *h, double t, const double *x, double *dx) {
    (void)t;
    dx[0] = -h->r->parameter[0] * x[0];
}

static void decay_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)t, (void)x;
    dense[0] = -h->r->parameter[0];
}

/* A stiff step reverses the sign and stays bounded: (1 − a)/(1 + a) with a = h·λ/2. */
static void stiff_decay_stays_bounded(void **state) {
    (void)state;
    const recipe r = {.n = 1, .rates = decay, .jacobian = decay_jacobian, .parameter = {1e6}};
    double x = 1, dx;
    assert_int_equal(one_step(&r, 1, &x, &dx, NULL), HBG_RT_OK);
    assert_near(x, (1 - 5e5) / (1 + 5e5), 1e-15);
}

/* x' = −x³, h = 2: y + y³ = x − x³; with x = 2: y³ + y + 6 = 0 */
static void cube(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -x[0] * x[0] * x[0];
}

static void cube_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t;
    dense[0] = -3 * x[0] * x[0];
}

static void a_nonlinear_step_is_solved_to_ten_digits(void **state) {
    (void)state;
    const recipe r = {.n = 1, .rates = cube, .jacobian = cube_jacobian};
    double x = 2, dx;
    assert_int_equal(one_step(&r, 2, &x, &dx, NULL), HBG_RT_OK);
    assert_near(x * x * x + x + 6, 0, 1e-10);
    assert_near(dx, -x * x * x, 1e-14);
}

/* Without a real solution, y = x + (x² + y²)·h/2 with h = 2, x = 1 — y² − y + 2 = 0 — the step reports it. */
static void square(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = x[0] * x[0];
}

static void square_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t;
    dense[0] = 2 * x[0];
}

static void a_step_without_solution_is_refused(void **state) {
    (void)state;
    const recipe r = {.n = 1, .rates = square, .jacobian = square_jacobian};
    double x = 1, dx;
    hbg_rt_status status = one_step(&r, 2, &x, &dx, NULL);
    assert_true(status != HBG_RT_OK);
    assert_true(x == 1);
}

/* Position at rest, pushed: velocity h, position h²/2 exactly. */
static void push(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = x[1];
    dx[1] = 1;
}

static void push_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[1] = 1;
}

static void states_at_rest_are_moved(void **state) {
    (void)state;
    const recipe r = {.n = 2, .rates = push, .jacobian = push_jacobian};
    double x[2] = {0, 0}, dx[2];
    assert_int_equal(one_step(&r, 0.5, x, dx, NULL), HBG_RT_OK);
    assert_near(x[0], 0.125, 1e-16);
    assert_near(x[1], 0.5, 1e-16);
}

/* A balanced bridge: the second state is only rounding of a difference of large ones, and no digit of it
 * converges. */
static void bridge(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -x[0];
    dx[1] = (x[0] * 1e8 / 3 + x[1]) - x[0] * (1e8 / 3) - 1e3 * x[1];
}

static void bridge_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = -1;
    dense[3] = -999;
}

static void rounding_does_not_stop_the_iteration(void **state) {
    (void)state;
    const recipe r = {.n = 2, .rates = bridge, .jacobian = bridge_jacobian};
    for (int i = 1; i < 50; i++) {
        double x[2] = {1e6 + 0.1 * i, 0}, dx[2];
        assert_int_equal(one_step(&r, 0.01, x, dx, NULL), HBG_RT_OK);
    }
}

/* A lent solver is called with I − h/2·J and solves it or reports that it cannot. */
typedef struct {
    double scale;
    int factors;
    hbg_rt_status answer;
} lender;

static hbg_rt_status lend_factor(void *context, double t, const double *x, double scale) {
    lender *l = context;
    (void)t, (void)x;
    l->scale = scale;
    l->factors++;
    return l->answer;
}

static void lend_solve(void *context, double *b) {
    lender *l = context;
    b[0] /= 1 + l->scale * 3;
}

static void a_lent_solver_is_used(void **state) {
    (void)state;
    const recipe r = {.n = 1, .rates = decay, .jacobian = decay_jacobian, .parameter = {3}};
    lender l = {.answer = HBG_RT_OK};
    hbg_rt_linear linear = {.context = &l, .factor = lend_factor, .solve = lend_solve};
    double x = 1, dx;
    assert_int_equal(one_step(&r, 0.5, &x, &dx, &linear), HBG_RT_OK);
    assert_near(x, (1 - 0.75) / (1 + 0.75), 1e-15);
    assert_near(l.scale, 0.25, 0);
    assert_int_equal(l.factors, 1);
    l.answer = HBG_RT_SINGULAR;
    x = 1;
    assert_int_equal(one_step(&r, 0.5, &x, &dx, &linear), HBG_RT_SINGULAR);
    assert_true(x == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_decay_stays_bounded),
        cmocka_unit_test(a_nonlinear_step_is_solved_to_ten_digits),
        cmocka_unit_test(a_step_without_solution_is_refused),
        cmocka_unit_test(states_at_rest_are_moved),
        cmocka_unit_test(rounding_does_not_stop_the_iteration),
        cmocka_unit_test(a_lent_solver_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
