/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rounding in states: states that are nothing but rounding are not followed, and small ones are as exact as
 * others. */
#include <float.h>

#include "rt/field_bench_impl.h"

/* Two bodies that fall side by side in air, a spring between them, and a state that depends on it: x = p₁,
 * p₂, q, u. */
static void fall(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = 1.1 * 9.81 - 0.1 * x[0] - 1000 * x[2];
    dx[1] = 3.3 * 9.81 - 0.1 * x[1] + 1000 * x[2];
    dx[2] = x[0] / 1.1 - x[1] / 3.3;
    dx[3] = 1000 / 0.7 * x[2] - x[3];
}

static void fall_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = dense[5] = -0.1;
    dense[2] = -1000;
    dense[6] = 1000;
    dense[8] = 1 / 1.1;
    dense[9] = -1 / 3.3;
    dense[14] = 1000 / 0.7;
    dense[15] = -1;
}

static const recipe falling = {.n = 4, .rates = fall, .jacobian = fall_jacobian};

/* Both have 98.1·(1 − e^(−t/10)) m/s, and nothing happens between them. */
static void what_stays_at_rounding_is_not_followed(void **state) {
    const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
    (void)state;
    for (int solver = HBG_SIM_AUTO; solver <= HBG_SIM_ERK; solver++)
        for (size_t r = 0; r < 4; r++) {
            trial t;
            trial_init(&t, &falling, (hbg_sim_solver)solver, 10);
            t.options.rtol = tolerances[r];
            t.options.step_limit = 4000;
            trial_run(&t);
            if (t.status != HBG_RT_OK)
                fail_msg("solver %d, rtol %g: %s", solver, tolerances[r], t.result.failure);
            assert_near(t.result.state[0] / 1.1, 98.1 * (1 - exp(-1)), 62 * 100 * tolerances[r]);
            assert_near(t.result.state[1] / 3.3, t.result.state[0] / 1.1, 1e-9);
            assert_near(t.result.state[2], 0, 1e-10);
            trial_fini(&t);
        }
}

/* A kilovolt and, after a kilohm, a picofarad: its charge, 1e-9 of the other, is an exponential with a
 * nanosecond. And a separate picofarad, at a microvolt. */
static void charge(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -x[0];
    dx[1] = (x[0] - x[1] / 1e-12) / 1e3;
    dx[2] = (1e-6 - x[2] / 1e-12) / 2e3;
}

static void charge_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = -1;
    dense[3] = 1e-3;
    dense[4] = -1e9;
    dense[8] = -5e8;
}

static void small_states_are_as_exact_as_ever(void **state) {
    const recipe r = {.n = 3, .start = {1000}, .rates = charge, .jacobian = charge_jacobian};
    const double tolerances[] = {1e-6, 1e-10}, stop = 3e-9;
    (void)state;
    for (int solver = HBG_SIM_AUTO; solver <= HBG_SIM_ERK; solver++)
        for (size_t i = 0; i < 2; i++) {
            trial t;
            trial_init(&t, &r, (hbg_sim_solver)solver, stop);
            t.options.rtol = tolerances[i];
            trial_run(&t);
            assert_int_equal(t.status, HBG_RT_OK);
            double slow = 1e-9 / (1 - 1e-9), both = slow * (exp(-stop) - exp(-3.0));
            assert_near(t.result.state[1], both, 1e-9 * 100 * tolerances[i]);
            assert_near(t.result.state[2], 1e-18 * (1 - exp(-1.5)), 1e-18 * 100 * tolerances[i]);
            trial_fini(&t);
        }
}

/* ---- what is found ------------------------------------------------------------------------------------ */

static void note(field_bench *b, const hbg_rt_integrator *stepper, const double *x, int times) {
    for (int i = 0; i < times; i++) hbg_rt_rounding_note(&b->field, stepper, 0, x);
}

/* From 1000 and 1 the rate of the third has the rounding of 1000; the picofarad has its share of the
 * kilovolt, for a nanosecond. */
static void a_rate_has_the_rounding_of_what_it_is_made_of(void **state) {
    const recipe r = {.n = 3, .rates = charge, .jacobian = charge_jacobian};
    const double x[] = {1000, 1e-9, 1e-18}, grain = 16 * DBL_EPSILON;
    hbg_rt_integrator explicit_one = {.name = "explicit"},
                      implicit_one = {.name = "implicit", .implicit = true};
    field_bench b;
    (void)state;
    field_bench_init(&b, &r, 1e-10, 1, 0);
    hbg_rt_field_size_update(&b.field, x);
    b.field.step = 1e-10;
    note(&b, &explicit_one, x, 63);
    assert_true(hbg_rt_rounding_of(&b.field, 1) == 0);
    note(&b, &explicit_one, x, 1);
    double brought = hbg_rt_rounding_of(&b.field, 1) / (grain * 1e-10);

    assert_true(brought > 0.4 && brought < 2.1); /* two contributions of 1 A */
    assert_true(hbg_rt_rounding_of(&b.field, 2) < grain * 1e-18);
    assert_true(hbg_rt_field_tolerance(&b.field, 1, 0) >= hbg_rt_rounding_of(&b.field, 1));
    b.field.step = 1; /* far longer than the nanosecond */
    note(&b, &implicit_one, x, 64);
    brought = hbg_rt_rounding_of(&b.field, 1) / (grain * 1e-9);
    assert_true(brought > 0.4 && brought < 4);
    field_bench_fini(&b);
}

/* A state that depends on the spring has the rounding of the bodies, which the spring passes on. */
static void rounding_is_handed_on(void **state) {
    const double x[] = {110, 330, 0, 0};
    hbg_rt_integrator stepper = {.name = "explicit"};
    field_bench b;
    (void)state;
    field_bench_init(&b, &falling, 1e-10, 1, 0);
    hbg_rt_field_size_update(&b.field, x);
    b.field.step = 0.01;
    note(&b, &stepper, x, 64);
    double spring = hbg_rt_rounding_of(&b.field, 2), hung = hbg_rt_rounding_of(&b.field, 3);
    assert_true(spring > 0.1 * 16 * DBL_EPSILON * 100 * 0.01);
    assert_true(hung > 0.1 * spring * 1000 / 0.7 * 0.01);
    field_bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_at_rounding_is_not_followed),
        cmocka_unit_test(small_states_are_as_exact_as_ever),
        cmocka_unit_test(a_rate_has_the_rounding_of_what_it_is_made_of),
        cmocka_unit_test(rounding_is_handed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
