/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters that jump during a run: exactly at their time, with their work in the ledger. */
#include "sim/systems_impl.h"

/* C = 1 + parameter 0, discharged by 1 Ω: q' = −q/C. */
static double capacitance(const hand *h) {
    return 1 + h->input[0];
}

static void discharge(hand *h, double t, const double *x, double *dx) {
    (void)t;
    dx[0] = -x[0] / capacitance(h);
}

static void discharge_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)t, (void)x;
    dense[0] = -1 / capacitance(h);
}

static void discharge_power(hand *h, double t, const double *x, double *power) {
    (void)t;
    double i = x[0] / capacitance(h);
    power[0] = i * i;
}

static void discharge_energy(hand *h, double t, const double *x, double *energy) {
    (void)t;
    energy[0] = x[0] * x[0] / 2 / capacitance(h);
}

static const recipe discharging = {.n = 1,
                                   .start = {1},
                                   .rates = discharge,
                                   .jacobian = discharge_jacobian,
                                   .power_count = 1,
                                   .powers = {{"resistor", HBG_RT_DISSIPATED}},
                                   .storage_count = 1,
                                   .power = discharge_power,
                                   .energy = discharge_energy};

/* The capacitance doubles at 0.3 s and is 1 F again from 0.7 s on. */
static void a_parameter_jumps_at_its_time_and_does_work(void **state) {
    (void)state;
    static const hbg_sim_override overrides[] = {{.time = 0.3, .kind = HBG_RT_SET_PARAM, .value = 1},
                                                 {.time = 0.7, .kind = HBG_RT_SET_PARAM, .value = 0}};
    for (int solver = HBG_SIM_AUTO; solver <= HBG_SIM_TRAPEZOIDAL; solver++) {
        trial t;
        trial_init(&t, &discharging, (hbg_sim_solver)solver, 1);
        t.h.system.param_count = 1;
        t.options.step = 1e-3;
        t.options.overrides = overrides;
        t.options.override_count = 2;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        double error = solver == HBG_SIM_EULER ? 1e-3 : 5e-5;
        assert_near(t.result.state[0], exp(-0.3 - 0.2 - 0.3), error);
        double first = exp(-0.6), second = exp(-1);
        assert_near(t.result.by_parameters, -first / 4 + second / 4, error);
        assert_near(t.result.residual, 0, error);
        assert_true(t.result.lost_in_jumps == 0);
        trial_fini(&t);
    }
}

static void a_parameter_at_the_start_keeps_what_is_declared(void **state) {
    (void)state;
    static const hbg_sim_override overrides[] = {{.kind = HBG_RT_SET_PARAM, .value = 1}};
    trial t;
    trial_init(&t, &discharging, HBG_SIM_ERK, 1);
    t.h.system.param_count = 1;
    t.options.overrides = overrides;
    t.options.override_count = 1;
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_OK);
    assert_near(t.result.state[0], exp(-0.5), 1e-6);
    assert_near(t.result.stored_at_start[0], 0.5, 0);
    assert_near(t.result.by_parameters, -0.25, 1e-15);
    trial_fini(&t);
}

static void overrides_of_what_is_not_there_are_refused(void **state) {
    (void)state;
    static const struct {
        hbg_sim_override list[2];
        const char *words;
    } cases[] = {
        {{{.time = 1, .kind = HBG_RT_SET_PARAM}, {.time = 0.5}}, "in order of time"},
        {{{.time = NAN}, {.time = 1}}, "in order of time"},
        {{{.index = 1}, {.time = 1}}, "does not exist"},
        {{{.index = -1}, {.time = 1}}, "does not exist"},
        {{{.kind = HBG_RT_HOLD}, {.time = 1}}, "does not exist"},
        {{{.kind = HBG_RT_SENSE}, {.time = 1}}, "does not exist"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial t;
        trial_init(&t, &discharging, HBG_SIM_ERK, 1);
        t.h.system.param_count = 1;
        t.options.overrides = cases[i].list;
        t.options.override_count = 2;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_BAD_OPTION);
        assert_non_null(strstr(t.result.failure, cases[i].words));
        trial_fini(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parameter_jumps_at_its_time_and_does_work),
        cmocka_unit_test(a_parameter_at_the_start_keeps_what_is_declared),
        cmocka_unit_test(overrides_of_what_is_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
