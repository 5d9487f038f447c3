/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The ledger against energies by hand: a charge through a resistor, an oscillator over many periods, work in
 * jumps, and a residual that shows a wrong power. */
#include "sim/systems_impl.h"

/* Se 2 V – R 3 Ω – C 0.5 F: q' = (2 − q/0.5)/3 */
static double current(const double *x) {
    return (2 - x[0] / 0.5) / 3;
}

static void charge(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = current(x);
}

static void charge_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = -1 / (0.5 * 3);
}

static void charge_power(hand *h, double t, const double *x, double *power) {
    (void)t;
    power[0] = 2 * current(x);
    power[1] = 3 * current(x) * current(x) * h->r->parameter[0];
}

static void charge_energy(hand *h, double t, const double *x, double *energy) {
    (void)h, (void)t;
    energy[0] = x[0] * x[0] / 2 / 0.5;
}

static const recipe charging = {.n = 1,
                                .rates = charge,
                                .jacobian = charge_jacobian,
                                .power_count = 2,
                                .powers = {{"source", HBG_RT_SUPPLIED}, {"resistor", HBG_RT_DISSIPATED}},
                                .storage_count = 1,
                                .power = charge_power,
                                .energy = charge_energy,
                                .parameter = {1}};

/* After T: q = 1 − e, e = exp(−T/1.5); supplied 2·q, stored q², dissipated 2q − q² */
static void charging_through_a_resistor_is_booked(void **state) {
    (void)state;
    for (int solver = HBG_SIM_AUTO; solver <= HBG_SIM_TRAPEZOIDAL; solver++) {
        trial t;
        trial_init(&t, &charging, (hbg_sim_solver)solver, 1.5);
        t.options.step = 1e-3;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        double q = 1 - exp(-1), error = solver == HBG_SIM_EULER ? 2e-3 : 1e-5;
        assert_near(t.result.work[0], 2 * q, error);
        assert_near(t.result.work[1], 2 * q - q * q, error);
        assert_true(t.result.stored_at_start[0] == 0);
        assert_near(t.result.stored_at_end[0], q * q, error);
        assert_near(t.result.residual, 0, solver == HBG_SIM_EULER ? 1e-3 : 2e-5);
        assert_near(t.result.scale, 2 * q, error);
        trial_fini(&t);
    }
}

/* The residual is booked from powers and states, so a resistor that reports a tenth too much shows up: by a
 * tenth of its work. */
static void a_wrong_power_is_seen_in_the_residual(void **state) {
    (void)state;
    recipe wrong = charging;
    wrong.parameter[0] = 1.1;
    trial t;
    trial_init(&t, &wrong, HBG_SIM_ERK, 1.5);
    trial_run(&t);
    double q = 1 - exp(-1);
    assert_near(t.result.residual, 0.1 * (2 * q - q * q), 1e-6);
    trial_fini(&t);
}

/* A damped swing at tight tolerance: the balance holds to the tolerance over a hundred periods. */
static void damped(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = x[1];
    dx[1] = -x[0] - 0.01 * x[1];
}

static void damped_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[1] = 1;
    dense[2] = -1;
    dense[3] = -0.01;
}

static void damped_power(hand *h, double t, const double *x, double *power) {
    (void)h, (void)t;
    power[0] = 0.01 * x[1] * x[1];
}

static void damped_energy(hand *h, double t, const double *x, double *energy) {
    (void)h, (void)t;
    energy[0] = x[0] * x[0] / 2;
    energy[1] = x[1] * x[1] / 2;
}

static void the_residual_of_a_long_swing_is_within_the_tolerance(void **state) {
    (void)state;
    const recipe r = {.n = 2,
                      .start = {1, 0},
                      .rates = damped,
                      .jacobian = damped_jacobian,
                      .power_count = 1,
                      .powers = {{"damper", HBG_RT_DISSIPATED}},
                      .storage_count = 2,
                      .power = damped_power,
                      .energy = damped_energy};
    for (int solver = HBG_SIM_BDF; solver <= HBG_SIM_ERK; solver++) {
        trial t;
        trial_init(&t, &r, (hbg_sim_solver)solver, 600);
        t.options.rtol = 1e-8;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_near(t.result.residual / t.result.scale, 0, solver == HBG_SIM_ERK ? 1e-6 : 1e-5);
        assert_near(t.result.work[0], 0.5, 2e-3);
        trial_fini(&t);
    }
}

/* A capacitor of 1 F put on a source of 2 V: 4 J supplied in the jump, 2 J stored, 2 J lost. */
static void put_on_source(hand *h, double t, const double *x, double *x_plus) {
    (void)t;
    h->held[0] = 2 - x[0];
    x_plus[0] = 2;
}

static void source_work(hand *h, double *work) {
    work[0] = 2 * h->held[0];
}

static void rest(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t, (void)x;
    dx[0] = 0;
}

static void no_power(hand *h, double t, const double *x, double *power) {
    (void)h, (void)t, (void)x;
    power[0] = 0;
}

static void farad(hand *h, double t, const double *x, double *energy) {
    (void)h, (void)t;
    energy[0] = x[0] * x[0] / 2;
}

static void work_of_a_source_in_a_jump_is_booked(void **state) {
    (void)state;
    const recipe r = {.n = 1,
                      .rates = rest,
                      .jump = put_on_source,
                      .jump_work = source_work,
                      .power_count = 1,
                      .powers = {{"source", HBG_RT_SUPPLIED}},
                      .power = no_power,
                      .storage_count = 1,
                      .energy = farad};
    trial t;
    trial_init(&t, &r, HBG_SIM_ERK, 1);
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_OK);
    assert_near(t.result.work[0], 4, 1e-15);
    assert_near(t.result.lost_in_jumps, 2, 1e-15);
    assert_near(t.result.stored_at_end[0], 2, 1e-15);
    assert_near(t.result.residual, 0, 1e-15);
    trial_fini(&t);
}

static void nothing_moves(hand *h, double t, const double *x,
                          double *dx) { /* NOLINT(readability-non-const-parameter): a recipe's */
    (void)h, (void)t, (void)x, (void)dx;
}

/* 3·t² W: 1 J after a second, of which heun misses h²/2 and euler 3·h/2 */
static void rising_power(hand *h, double t, const double *x, double *power) {
    (void)h, (void)x;
    power[0] = 3 * t * t;
}

static void a_system_without_states_is_booked(void **state) {
    (void)state;
    const recipe r = {.rates = nothing_moves,
                      .power_count = 1,
                      .powers = {{"source", HBG_RT_SUPPLIED}},
                      .power = rising_power};
    for (int solver = HBG_SIM_AUTO; solver <= HBG_SIM_TRAPEZOIDAL; solver++) {
        trial t;
        trial_init(&t, &r, (hbg_sim_solver)solver, 1);
        t.options.step = 1e-2;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        double missed = solver == HBG_SIM_EULER ? 1.5e-2 : solver == HBG_SIM_HEUN ? -5e-5 : 0;
        assert_near(t.result.work[0], 1 - missed, solver == HBG_SIM_EULER ? 1e-4 : 1e-9);
        trial_fini(&t);
    }
}

static void without_a_ledger_no_power_is_asked_for(void **state) {
    (void)state;
    recipe blind = charging;
    blind.power = NULL; /* a call would fail the test */
    trial t;
    trial_init(&t, &blind, HBG_SIM_ERK, 1);
    t.options.ledger = false;
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_OK);
    trial_fini(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charging_through_a_resistor_is_booked),
        cmocka_unit_test(a_wrong_power_is_seen_in_the_residual),
        cmocka_unit_test(the_residual_of_a_long_swing_is_within_the_tolerance),
        cmocka_unit_test(work_of_a_source_in_a_jump_is_booked),
        cmocka_unit_test(a_system_without_states_is_booked),
        cmocka_unit_test(without_a_ledger_no_power_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
