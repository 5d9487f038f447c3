/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs as a whole, over every solver: rows at the right places and times, actions, clocks, breaks, jumps,
 * interruption, failures, options. */
#include "support/linear_fields.h"

static const hbg_sim_solver solvers[] = {HBG_SIM_AUTO, HBG_SIM_BDF,   HBG_SIM_ADAMS,
                                         HBG_SIM_ERK,  HBG_SIM_EULER, HBG_SIM_HEUN,
                                         HBG_SIM_ODE3, HBG_SIM_RK4,   HBG_SIM_TRAPEZOIDAL};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static bool is_fixed(hbg_sim_solver solver) {
    return solver >= HBG_SIM_EULER;
}

/* x' = u, also the output */
static void follow(hand *h, double t, const double *x, double *dx) {
    (void)t, (void)x;
    dx[0] = h->input[0];
}

static void show_input(hand *h, double t, const double *x, double *y) {
    (void)t, (void)x;
    y[0] = h->input[0];
}

static const recipe following = {
    .n = 1, .start = {0}, .rates = follow, .output = show_input, .output_count = 1, .input_count = 1};

/* ---- rows --------------------------------------------------------------------------------------------- */

static void recorded_instants_are_exact_multiples(void **state) {
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &decaying, solvers[s], 1);
        if (is_fixed(solvers[s])) t.options.step = 0.0007;
        t.options.record_every = 0.1;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_int_equal(t.rows.count, 11);
        double error = solvers[s] == HBG_SIM_EULER ? 2e-4 : 3e-5;
        for (int32_t k = 0; k < 11; k++) {
            assert_true(t.rows.time[k] == k / 10.0);
            assert_near(row_value(&t, k, 0), exp(-k * 0.1), error);
        }
        trial_fini(&t);
    }
}

static void without_an_interval_every_step_is_a_row(void **state) {
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &decaying, solvers[s], 1);
        if (is_fixed(solvers[s])) t.options.step = 0.01;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_int_equal(t.rows.count, t.result.steps + 1);
        assert_true(t.rows.time[0] == 0 && t.rows.time[t.rows.count - 1] == 1);
        for (int32_t k = 1; k < t.rows.count; k++) assert_true(t.rows.time[k] > t.rows.time[k - 1]);
        if (is_fixed(solvers[s])) assert_int_equal(t.result.steps, 100);
        trial_fini(&t);
    }
}

static void a_run_of_no_length_has_one_row(void **state) {
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &decaying, solvers[s], 0);
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_int_equal(t.rows.count, 1);
        assert_true(t.rows.time[0] == 0 && row_value(&t, 0, 0) == 1 && t.result.t == 0);
        trial_fini(&t);
    }
}

static void output_of_time(hand *h, double t, const double *x, double *y) {
    (void)h, (void)x;
    y[0] = sin(t);
}

static void a_system_without_states_runs(void **state) {
    (void)state;
    const recipe r = {.n = 0, .output = output_of_time, .output_count = 1};
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &r, solvers[s], 10);
        if (is_fixed(solvers[s])) t.options.step = 0.01;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_true(t.rows.count >= 1000);
        for (int32_t k = 0; k < t.rows.count; k++) assert_true(row_value(&t, k, 0) == sin(t.rows.time[k]));
        trial_fini(&t);
    }
}

/* ---- instants ----------------------------------------------------------------------------------------- */

/* u = 2 from 0.3, −1 from 0.7: x(1) = 2·0.4 − 0.3 = 0.5, with a row before and after each */
static void actions_happen_exactly_then(void **state) {
    (void)state;
    const hbg_sim_action actions[] = {{0.3, 0, 2}, {0.7, 0, -1}};
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &following, solvers[s], 1);
        if (is_fixed(solvers[s])) t.options.step = 0.07; /* no multiple of it is an instant */
        t.options.actions = actions;
        t.options.action_count = 2;
        t.options.record_every = 0.5;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_near(t.result.state[0], 0.5, 1e-8);
        const double times[] = {0, 0.3, 0.3, 0.5, 0.7, 0.7, 1}, inputs[] = {0, 0, 2, 2, 2, -1, -1};
        assert_int_equal(t.rows.count, 7);
        for (int32_t k = 0; k < 7; k++) {
            assert_true(t.rows.time[k] == times[k]);
            assert_true(row_value(&t, k, 1) == inputs[k]);
        }
        trial_fini(&t);
    }
}

static void an_action_at_the_start_is_in_the_first_row(void **state) {
    (void)state;
    const hbg_sim_action actions[] = {{0, 0, 3}};
    trial t;
    trial_init(&t, &following, HBG_SIM_AUTO, 1);
    t.options.actions = actions;
    t.options.action_count = 1;
    t.options.record_every = 1;
    trial_run(&t);
    assert_int_equal(t.rows.count, 2);
    assert_true(row_value(&t, 0, 1) == 3);
    assert_near(t.result.state[0], 3, 1e-9);
    trial_fini(&t);
}

/* The integrator's input is x at the last tick: x' = −held, x_{k+1} = x_k·(1 − T) */
static void held_decay(hand *h, double t, const double *x, double *dx) {
    (void)t, (void)x;
    dx[0] = -h->held[0];
}

static void hold(hand *h, double t, const double *x, int32_t clock) {
    (void)t;
    h->held[clock] = x[0];
}

static void show_held(hand *h, double t, const double *x, double *y) {
    (void)t, (void)x;
    y[0] = h->held[0];
}

static void clocks_tick_at_multiples_of_their_periods(void **state) {
    (void)state;
    const recipe r = {.n = 1,
                      .start = {1},
                      .rates = held_decay,
                      .tick = hold,
                      .clock_count = 2,
                      .clocks = {{"control", 0.1}, {"slow", 0.25}},
                      .output = show_held,
                      .output_count = 1};
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &r, solvers[s], 1);
        if (is_fixed(solvers[s])) t.options.step = 0.03;
        t.options.record_every = 10;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_int_equal(t.h.ticks, 11 + 5);
        assert_near(t.result.state[0], pow(0.9, 10), 1e-8);
        /* one row at the start, then two at each tick that changed what is held */
        assert_int_equal(t.rows.count, 1 + 2 * 10);
        for (int32_t k = 1; k <= 10; k++) {
            assert_near(t.rows.time[2 * k], k * 0.1, 1e-15);
            assert_true(t.rows.time[2 * k] == t.rows.time[2 * k - 1]);
            assert_near(row_value(&t, 2 * k - 1, 1), pow(0.9, k - 1), 1e-8);
            assert_near(row_value(&t, 2 * k, 1), pow(0.9, k), 1e-8);
        }
        trial_fini(&t);
    }
}

static void ticks_and_rows_at_one_instant_share_it(void **state) {
    (void)state;
    /* 3·0.1 is not 0.3 in binary: the row has the time of the grid, and there is no third one */
    const recipe r = {.n = 1,
                      .start = {1},
                      .rates = held_decay,
                      .tick = hold,
                      .clock_count = 1,
                      .clocks = {{"control", 0.3}},
                      .output = show_held,
                      .output_count = 1};
    trial t;
    trial_init(&t, &r, HBG_SIM_ERK, 0.5);
    t.options.record_every = 0.1;
    trial_run(&t);
    assert_int_equal(t.rows.count, 7);
    assert_true(t.rows.time[3] == 0.3 && t.rows.time[4] == 0.3);
    assert_near(row_value(&t, 3, 1), 1, 1e-12);
    assert_near(row_value(&t, 4, 1), 0.7, 1e-8);
    trial_fini(&t);
}

/* A square wave of period 1 over time: slopes +1 and −1, breaks at every half; x is a triangle. */
static bool is_up(double t) {
    return t - floor(t) < 0.5;
}

static void triangle(hand *h, double t, const double *x, double *dx) {
    /* while frozen the side is the one at the last break */
    dx[0] = holds(h, 0, t, x) ? 1 : -1;
}

static double half_times(hand *h, double t) {
    (void)h;
    return (floor(2 * t) + 1) / 2;
}

static void triangle_side(hand *h, double t, const double *x, double *g) {
    (void)h, (void)x;
    g[0] = is_up(t) ? 1 : -1;
}

static void breaks_of_inputs_are_stopped_at(void **state) {
    (void)state;
    const recipe r = {
        .n = 1, .rates = triangle, .next_break = half_times, .relations = triangle_side, .relation_count = 1};
    for (int s = HBG_SIM_BDF; s <= HBG_SIM_ERK; s++) {
        trial t;
        trial_init(&t, &r, (hbg_sim_solver)s, 10.25);
        t.options.record_every = 0.25;
        /* the side is frozen with the rest, as in equations of a model */
        t.h.system.root_count = 0; // and is not located
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_int_equal(t.rows.count, 42);
        for (int32_t k = 0; k < 42; k++) {
            const double wanted[] = {0, 0.25, 0.5, 0.25};
            assert_near(row_value(&t, k, 0), wanted[k % 4], 1e-9);
        }
        trial_fini(&t);
    }
}

/* Two joined capacitors, 1 F and 3 F, one charged: each takes its share of 4 C. */
static void share_charge(hand *h, double t, const double *x, double *x_plus) {
    (void)h, (void)t;
    x_plus[0] = (x[0] + x[1]) / 4;
    x_plus[1] = 3 * (x[0] + x[1]) / 4;
}

static void capacitor_energies(hand *h, double t, const double *x, double *energy) {
    (void)h, (void)t;
    energy[0] = x[0] * x[0] / 2;
    energy[1] = x[1] * x[1] / 6;
}

static void nothing_moves(hand *h, double t, const double *x, double *dx) {
    (void)t, (void)x;
    memset(dx, 0, (size_t)h->r->n * sizeof *dx);
}

static void a_jump_at_the_start_has_a_row_before_and_after(void **state) {
    (void)state;
    const recipe r = {.n = 2,
                      .start = {4, 0},
                      .rates = nothing_moves,
                      .jump = share_charge,
                      .energy = capacitor_energies,
                      .storage_count = 2};
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &r, solvers[s], 1);
        if (is_fixed(solvers[s])) t.options.step = 0.25;
        t.options.record_every = 1;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_int_equal(t.rows.count, 3);
        assert_true(t.rows.time[0] == 0 && t.rows.time[1] == 0 && t.rows.time[2] == 1);
        assert_true(row_value(&t, 0, 0) == 4 && row_value(&t, 1, 0) == 1 && row_value(&t, 1, 1) == 3);
        /* 8 J before; after ½ + 3/2 J: 6 J are lost */
        assert_near(t.result.lost_in_jumps, 6, 1e-14);
        assert_near(t.result.residual, 0, 1e-14);
        trial_fini(&t);
    }
}

/* Two joined capacitors, 4 C on the first: the voltages they share are 1 V, whatever the declaration. */
static void show_voltages(hand *h, double t, const double *x, double *y) {
    (void)h, (void)t;
    y[0] = x[0];
    y[1] = x[1] / 3;
}

static void before_the_first_jump_energies_are_declared_and_all_else_is_behind_it(void **state) {
    (void)state;
    const recipe r = {.n = 2,
                      .start = {4, 0},
                      .rates = nothing_moves,
                      .jump = share_charge,
                      .output = show_voltages,
                      .output_count = 2};
    const double before[] = {4, 0, 1, 1}, after[] = {1, 3, 1, 1};
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &r, solvers[s], 1);
        if (is_fixed(solvers[s])) t.options.step = 0.25;
        t.options.record_every = 1;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        for (int32_t k = 0; k < 4; k++) {
            assert_true(row_value(&t, 0, k) == before[k]);
            assert_true(row_value(&t, 1, k) == after[k]);
        }
        trial_fini(&t);
    }
}

/* The second state is twice the first, whatever its slot holds: so it is at the end of a run. */
static void depend(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -x[0];
    dx[1] = -2 * x[0];
}

static void depend_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = -1;
    dense[2] = -2;
}

static void settle_double(hand *h, double t, double *x) {
    (void)h, (void)t;
    x[1] = 2 * x[0];
}

static void dependent_states_are_settled_at_the_end(void **state) {
    (void)state;
    const recipe r = {
        .n = 2, .start = {1, 2}, .rates = depend, .jacobian = depend_jacobian, .settle = settle_double};
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &r, solvers[s], 1);
        if (is_fixed(solvers[s])) t.options.step = 0.1;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_true(t.result.state[1] == 2 * t.result.state[0]);
        trial_fini(&t);
    }
}

/* ---- what ends a run ---------------------------------------------------------------------------------- */

static void progress_may_end_a_run(void **state) {
    (void)state;
    trial t;
    trial_init(&t, &decaying, HBG_SIM_EULER, 1e9);
    t.options.step = 1e-3;
    t.options.row = NULL;
    t.options.progress = look;
    t.rows.stops_at = 3;
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_INTERRUPTED);
    assert_int_equal(t.rows.looks, 3);
    assert_true(t.result.t > 0 && t.result.t < 1e9);
    assert_non_null(strstr(t.result.failure, "interrupted"));
    trial_fini(&t);
}

static void a_row_that_cannot_be_written_ends_a_run(void **state) {
    (void)state;
    trial t;
    trial_init(&t, &decaying, HBG_SIM_BDF, 1);
    t.rows.fails_at = 4;
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_CANNOT_WRITE);
    assert_int_equal(t.rows.count, 3);
    assert_int_equal(t.result.steps, 3);
    trial_fini(&t);
}

static void the_limit_of_steps_ends_a_run(void **state) {
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &decaying, solvers[s], 1);
        t.options.step = 0.001;
        t.options.step_limit = 10;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_TOO_MANY_STEPS);
        assert_int_equal(t.result.steps, 10);
        trial_fini(&t);
    }
}

/* x' = x², x(0) = 1: infinite at t = 1 */
static void explode(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = x[0] * x[0];
}

static void explode_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t;
    dense[0] = 2 * x[0];
}

static void an_explosion_is_told_with_time_state_and_rate(void **state) {
    (void)state;
    const recipe r = {.n = 1, .start = {1}, .rates = explode, .jacobian = explode_jacobian};
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &r, solvers[s], 10);
        if (is_fixed(solvers[s])) t.options.step = 1e-3;
        t.options.step_limit = 1000000;
        t.options.row = NULL;
        trial_run(&t);
        assert_true(t.status != HBG_RT_OK && t.status != HBG_RT_TOO_MANY_STEPS);
        assert_near(t.result.t, 1, 0.05);
        assert_non_null(strstr(t.result.failure, "at t = "));
        assert_non_null(strstr(t.result.failure, t.result.solver));
        trial_fini(&t);
    }
}

static void a_refusal_of_the_system_is_told_in_its_words(void **state) {
    (void)state;
    recipe r = decaying;
    r.fails_after = 0.5;
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &r, solvers[s], 1);
        if (is_fixed(solvers[s])) t.options.step = 0.01;
        trial_run(&t);
        assert_true(t.status == HBG_RT_STEP_TOO_SMALL || t.status == HBG_RT_SINGULAR);
        assert_near(t.result.t, 0.5, 0.011);
        assert_near(t.result.state[0], exp(-t.result.t), 4e-3);
        assert_non_null(strstr(t.result.failure, "the loop of bridge.e cannot be solved"));
        trial_fini(&t);
    }
}

/* ---- what is not finite ------------------------------------------------------------------------------- */

/* √(½ − t) has no value after 0.5 s */
static void root_of_time(hand *h, double t, const double *x, double *y) {
    (void)h, (void)x;
    y[0] = sqrt(0.5 - t);
}

static void root_of_time_power(hand *h, double t, const double *x, double *power) {
    (void)h, (void)x;
    power[0] = sqrt(0.5 - t);
}

static void infinite_energy(hand *h, double t, const double *x, double *energy) {
    (void)h, (void)x;
    energy[0] = t < 0.5 ? 1 : INFINITY;
}

/* A decay with a separate output, which is always finite. */
static recipe decay_with_output(void) {
    recipe r = decaying;
    r.output = show_held;
    r.output_count = 1;
    return r;
}

static void assert_not_finite(const recipe *r, const char *words) {
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, r, solvers[s], 1);
        t.options.step = 0.01;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_NOT_FINITE);
        if (strstr(t.result.failure, words) == NULL) fail_msg("no `%s` in: %s", words, t.result.failure);
        assert_true(t.result.t >= 0.48 && t.result.t <= 1);
        for (int32_t k = 0; k < t.rows.count; k++) assert_true(isfinite(row_value(&t, k, r->n)));
        trial_fini(&t);
    }
}

static void an_output_that_is_no_number_ends_a_run_and_is_named(void **state) {
    (void)state;
    recipe r = decaying;
    r.output = root_of_time;
    r.output_count = 1;
    assert_not_finite(&r, "s: a value is not a finite number");
    assert_not_finite(&r, "; y is not a number");
}

static void a_power_that_is_no_number_ends_a_run_and_is_named(void **state) {
    (void)state;
    recipe r = decay_with_output();
    r.power = root_of_time_power;
    r.power_count = 1;
    r.powers[0] = (hbg_rt_power){"damper", HBG_RT_DISSIPATED};
    assert_not_finite(&r, "; the power of damper is not a number");
}

static void an_energy_that_is_infinite_at_the_end_is_named(void **state) {
    (void)state;
    recipe r = decay_with_output();
    r.energy = infinite_energy;
    r.storage_count = 1;
    assert_not_finite(&r, "; the energy of store is infinite");
}

/* x' = 1/(1 − t)³ for t ≠ 1: infinite there, and NaN afterwards because of the √ */
static void pole(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)x;
    dx[0] = pow(1 - t, -1.5);
}

static void rates_without_a_value_are_told_with_the_state(void **state) {
    (void)state;
    const recipe r = {.n = 1, .start = {0}, .rates = pole};
    for (int s = 0; s < SOLVERS; s++) {
        trial t;
        trial_init(&t, &r, solvers[s], 2);
        if (is_fixed(solvers[s])) t.options.step = 0.03;
        trial_run(&t);
        assert_int_not_equal(t.status, HBG_RT_OK);
        assert_true(t.result.t <= 1.0001 && t.result.t > 0.9);
        if (strstr(t.result.failure, "store0.q") == NULL) fail_msg("no state in: %s", t.result.failure);
        trial_fini(&t);
    }
}

static void options_out_of_range_are_refused(void **state) {
    (void)state;
    const hbg_sim_action late_first[] = {{1, 0, 0}, {0.5, 0, 0}}, elsewhere[] = {{0, 7, 0}};
    for (int i = 0; i < 10; i++) {
        trial t;
        trial_init(&t, &following, HBG_SIM_AUTO, 1);
        switch (i) {
        case 0: t.options.stop = -1; break;
        case 1: t.options.stop = NAN; break;
        case 2: t.options.stop = INFINITY; break;
        case 3: t.options.solver = HBG_SIM_RK4; break;
        case 4: t.options.rtol = 1; break;
        case 5: t.options.atol = -1; break;
        case 6: t.options.record_every = NAN; break;
        case 7: t.options.solver = (hbg_sim_solver)77; break;
        case 8: t.options.actions = late_first, t.options.action_count = 2; break;
        default: t.options.actions = elsewhere, t.options.action_count = 1; break;
        }
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_BAD_OPTION);
        assert_true(t.result.failure[0] != '\0');
        assert_int_equal(t.rows.count, 0);
        trial_fini(&t);
    }
}

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Whether the run reached its end although the allocation with this number fails. */
static bool survives(hbg_sim_solver solver, int64_t fail_at) {
    trial t;
    jmp_buf guard;
    trial_init(&t, &decaying, solver, 0.1);
    t.options.step = 0.01;
    t.memory.fail_at = fail_at;
    if (HBG_GUARD(&t.memory, guard)) {
        trial_fini(&t);
        return false;
    }
    trial_run(&t);
    HBG_GUARD_END(&t.memory);
    bool survived = t.memory.calls < fail_at;
    assert_int_equal(t.status, survived ? HBG_RT_OK : HBG_RT_NO_MEMORY); // the engine reports missing memory
    trial_fini(&t);
    return survived;
}

static void exhausted_memory_leaks_nothing(void **state) {
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        int64_t fail_at = 1;
        while (!survives(solvers[s], fail_at)) fail_at++;
        assert_true(fail_at > 1);
    }
}

static void a_run_is_repeated_to_the_bit(void **state) {
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        trial a, b;
        trial_init(&a, &decaying, solvers[s], 3);
        trial_init(&b, &decaying, solvers[s], 3);
        a.options.step = b.options.step = 0.01;
        trial_run(&a);
        trial_run(&b);
        assert_int_equal(a.rows.count, b.rows.count);
        assert_memory_equal(a.rows.time, b.rows.time, (size_t)a.rows.count * sizeof(double));
        assert_memory_equal(a.rows.value, b.rows.value, (size_t)a.rows.count * sizeof(double));
        trial_fini(&a);
        trial_fini(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_instants_are_exact_multiples),
        cmocka_unit_test(without_an_interval_every_step_is_a_row),
        cmocka_unit_test(a_run_of_no_length_has_one_row),
        cmocka_unit_test(a_system_without_states_runs),
        cmocka_unit_test(actions_happen_exactly_then),
        cmocka_unit_test(an_action_at_the_start_is_in_the_first_row),
        cmocka_unit_test(clocks_tick_at_multiples_of_their_periods),
        cmocka_unit_test(ticks_and_rows_at_one_instant_share_it),
        cmocka_unit_test(breaks_of_inputs_are_stopped_at),
        cmocka_unit_test(a_jump_at_the_start_has_a_row_before_and_after),
        cmocka_unit_test(before_the_first_jump_energies_are_declared_and_all_else_is_behind_it),
        cmocka_unit_test(dependent_states_are_settled_at_the_end),
        cmocka_unit_test(an_output_that_is_no_number_ends_a_run_and_is_named),
        cmocka_unit_test(a_power_that_is_no_number_ends_a_run_and_is_named),
        cmocka_unit_test(an_energy_that_is_infinite_at_the_end_is_named),
        cmocka_unit_test(rates_without_a_value_are_told_with_the_state),
        cmocka_unit_test(progress_may_end_a_run),
        cmocka_unit_test(a_row_that_cannot_be_written_ends_a_run),
        cmocka_unit_test(the_limit_of_steps_ends_a_run),
        cmocka_unit_test(an_explosion_is_told_with_time_state_and_rate),
        cmocka_unit_test(a_refusal_of_the_system_is_told_in_its_words),
        cmocka_unit_test(options_out_of_range_are_refused),
        cmocka_unit_test(exhausted_memory_leaks_nothing),
        cmocka_unit_test(a_run_is_repeated_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
