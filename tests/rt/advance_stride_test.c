/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs in strides compared with the same runs one step at a time: an observer of events prevents strides.
 * Rows, times, states and modes have the same bits; works are the same sums in another order, which rows do
 * not affect. */
#include "eqn/fixture_impl.h"
#include "sim/sim.h"

/* A capacitor that a two-point controller keeps between 4 and 5 V, and a contactor that an input works. */
#define CONVERTER                                                                                            \
    "model M { input bool u = true; Se s(10); R r(1); 1 j when a; 0 n; C c(0.01, q = 0); R load(5);"         \
    "s -> j; j -> r; j -> n; n -> c; n -> load; state z = 0 : der = c.e; param extra = 0; Sf more(extra);"   \
    "more -> n; R big(50); 1 h when b; n -> h; h -> big; output y = c.e, w = z;"                             \
    "experiment e { stop 1; record y, w; }"                                                                  \
    "automaton a { on shut -> open when c.e >= 5; off open -> shut when c.e <= 4; }"                         \
    "automaton b { on up -> down when !u && z <= 0.9; off down -> up when u || z > 0.95; } }"
/* The same capacitor, joined once to another one: charge jumps. */
#define JUMPING                                                                                              \
    "model M { Se s(10); R r(1); 1 j when a; 0 n; C c(0.01, q = 0); R load(5); s -> j; j -> r; j -> n;"      \
    "n -> c; n -> load; C d(0.02, q = 0); 0 k; k -> d; R leak(9); k -> leak; 1 h when b; n -> h -> k;"       \
    "state z = 0 : der = c.e; output y = c.e, w = z; experiment e { stop 1; record y, w; }"                  \
    "automaton a { on shut -> open when c.e >= 5; off open -> shut when c.e <= 4; }"                         \
    "automaton b { off apart -> joined when z >= 0.2 && z < 0.39; on joined -> apart when z >= 0.4; } }"
#define SMOOTH                                                                                               \
    "model M { I m(1, p = 1); C c(0.1); R r : e = f*abs(f); 1 v; v -> m; v -> c; v -> r; Se s(sin(3*time));" \
    "s -> v; output y = m.f, w = c.e; experiment e { stop 1; record y, w; } }"

enum { ROWS = 20000 };

typedef struct {
    double rows[ROWS][3];
    int count;
    int events;
    int progress, interrupt_at;
    hbg_rt_status status;
    hbg_sim_result result;
    double state[4], work[8], stored[8];
    int32_t states, powers;
} story;

static bool take_row(void *context, double t, const double *outputs) {
    story *s = context;
    if (s->count == ROWS) return false;
    memcpy(s->rows[s->count], (double[]){t, outputs[0], outputs[1]}, sizeof s->rows[0]);
    s->count++;
    return true;
}

static void take_event(void *context, const hbg_sim_event *event) {
    (void)event;
    ((story *)context)->events++;
}

static bool go_on(void *context, double t, double stop) {
    story *s = context;
    (void)t, (void)stop;
    return ++s->progress != s->interrupt_at;
}

static void run(story *s, const char *text, hbg_sim_options options, bool listens) {
    static fixture f;
    int interrupt_at = s->interrupt_at;
    memset(s, 0, sizeof *s);
    s->interrupt_at = interrupt_at;
    fixture_open(&f, text);
    options.event = listens ? take_event : NULL;
    options.context = s;
    s->status = hbg_sim_run(&f.arena, f.system, f.run, &options, &s->result);
    s->states = f.system->state_count;
    s->powers = f.system->power_count;
    assert_true(s->states <= 4 && s->powers <= 8 && f.system->storage_count <= 8);
    memcpy(s->state, s->result.state, (size_t)s->states * sizeof *s->state);
    memcpy(s->work, s->result.work, (size_t)s->powers * sizeof *s->work);
    fixture_close(&f);
}

static hbg_sim_options fixed(hbg_sim_solver solver, double step, double every) {
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = solver;
    options.step = step;
    options.stop = 1;
    options.record_every = every;
    options.row = take_row;
    options.ledger = true;
    return options;
}

static story strides, steps;

/* `rows`: at least so many. */
static void compare(const char *text, hbg_sim_options options, int rows) {
    run(&strides, text, options, false);
    run(&steps, text, options, true);
    assert_int_equal(strides.status, steps.status);
    assert_int_equal(strides.count, steps.count);
    for (int i = 0; i < steps.count; i++)
        for (int k = 0; k < 3; k++)
            if (memcmp(&strides.rows[i][k], &steps.rows[i][k], sizeof(double)) != 0)
                fail_msg("row %d, column %d: %.17g in strides, %.17g in steps", i, k, strides.rows[i][k],
                         steps.rows[i][k]);
    assert_true(steps.count >= rows);
    assert_memory_equal(strides.state, steps.state, sizeof steps.state);
    assert_memory_equal(&strides.result.t, &steps.result.t, sizeof(double));
    assert_int_equal(strides.result.steps, steps.result.steps);
    assert_int_equal(strides.result.commits, steps.result.commits);
    assert_int_equal(strides.result.verdict, steps.result.verdict);
    assert_string_equal(strides.result.failure, steps.result.failure);
    for (int32_t i = 0; i < steps.powers; i++) assert_near(strides.work[i], steps.work[i], 1e-12);
    assert_near(strides.result.lost_in_jumps, steps.result.lost_in_jumps, 1e-12);
}

static const hbg_sim_solver methods[] = {HBG_SIM_EULER, HBG_SIM_HEUN, HBG_SIM_ODE3, HBG_SIM_RK4};

static void strides_have_the_rows_of_single_steps(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        compare(CONVERTER, fixed(methods[i], 1e-4, 0.01), 101);
        assert_true(steps.result.commits > 50); // it switches all the time
        assert_true(strides.result.rates <
                    steps.result.rates); // which are not computed again at each of them
        compare(SMOOTH, fixed(methods[i], 1e-3, 0.01), 101);
        compare(JUMPING, fixed(methods[i], 1e-4, 0.01), 103); // and rows around the jumps
        assert_true(steps.result.lost_in_jumps > 0);
    }
}

/* More rows in a step than may wait for its end. */
static void steps_full_of_rows_are_done_alone(void **state) {
    (void)state;
    hbg_sim_options options = fixed(HBG_SIM_HEUN, 0.02, 0.0002);
    compare(SMOOTH, options, 5000);
    options.record_every = 0.02 / 63;
    compare(SMOOTH, options, 3150);
}

/* Works are the same however rows divide the steps. */
static void works_do_not_depend_on_rows(void **state) {
    static const double paces[] = {0.01, 0.0123456, 2};
    double work[8];
    (void)state;
    hbg_sim_options options = fixed(HBG_SIM_ODE3, 1e-5, 1); // more steps than are booked at once
    run(&strides, CONVERTER, options, false);
    memcpy(work, strides.work, sizeof work);
    for (int i = 0; i < 3; i++) {
        options.record_every = paces[i];
        run(&strides, CONVERTER, options, false);
        assert_memory_equal(strides.work, work, sizeof work);
    }
}

/* ---- what remains of steps ---------------------------------------------------------------------------- */

static hbg_rt_summary told; /* one step at a time */

static bool take_step(void *context, double t, const double *outputs, bool inside) {
    (void)context;
    hbg_rt_summary_step(&told, t, outputs, inside);
    return true;
}

static bool same_bits(const double *a, const double *b) {
    return memcmp(a, b, 2 * sizeof *a) == 0;
}

/* With rows or without, one step at a time or many. */
static void a_summary_is_what_every_step_tells(void **state) {
    static const char *const texts[] = {CONVERTER, JUMPING, SMOOTH};
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_rt_summary kept;
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    hbg_sim_summary_init(&arena, &told, 2);
    hbg_sim_summary_init(&arena, &kept, 2);
    for (int i = 0; i < 24; i++) {
        hbg_sim_options options = fixed(i % 8 == 7 ? HBG_SIM_ERK : methods[i % 4], 1e-4, i % 2 ? 0.0123 : 0);
        if (i % 2 == 0) options.row = NULL;
        hbg_rt_summary_begin(&told);
        hbg_rt_summary_begin(&kept);
        options.step_end = take_step;
        run(&steps, texts[i / 8], options, true);
        options.step_end = NULL;
        options.summary = &kept;
        run(&strides, texts[i / 8], options, false);
        hbg_rt_summary_end(&told);
        hbg_rt_summary_end(&kept);
        assert_true(same_bits(kept.final, told.final) && same_bits(kept.mean, told.mean));
        assert_true(same_bits(kept.low, told.low) && same_bits(kept.high, told.high));
        assert_true(kept.low[0] < kept.mean[0] && kept.mean[0] < kept.high[0]);
    }
    hbg_base_arena_fini(&arena);
}

/* Rows on the grid of steps, off it, inside steps, and no rows. */
static void any_pace_of_rows_will_do(void **state) {
    static const double paces[] = {1e-4, 3e-4, 1.5e-4, 0.7e-4, 0.0123456, 0.3333, 2};
    (void)state;
    for (int i = 0; i < 7; i++) {
        compare(CONVERTER, fixed(HBG_SIM_ODE3, 1e-4, paces[i]), paces[i] < 1 ? 3 : 1);
        compare(JUMPING, fixed(HBG_SIM_EULER, 1e-4, paces[i]), paces[i] < 1 ? 3 : 1);
    }
    hbg_sim_options options = fixed(HBG_SIM_ODE3, 1e-4, 0);
    options.row = NULL;
    compare(CONVERTER, options, 0);
    compare(CONVERTER, fixed(HBG_SIM_ODE3, 1e-4, 0), 10000); // every step: no strides
}

static void a_stop_beside_the_grid_is_met(void **state) {
    static const double stops[] = {0.12345678, 1e-4, 0.5e-4, 0.3, 0.30000000000000004, 0.1 + 0.2 + 1e-5};
    (void)state;
    for (int i = 0; i < 6; i++) {
        hbg_sim_options options = fixed(HBG_SIM_RK4, 1e-4, 1e-3);
        options.stop = stops[i];
        compare(CONVERTER, options, 1);
        assert_near(strides.result.t, stops[i], 1e-15);
    }
}

/* Inputs and parameters change on the grid, off it, twice in a step, and at a row. */
static void planned_instants_cut_strides(void **state) {
    static const hbg_sim_action actions[] = {{0.1, 0, 0},     {0.2, 0, 1},     {0.25005, 0, 0},
                                             {0.30001, 0, 1}, {0.30003, 0, 0}, {0.77777, 0, 1}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        hbg_sim_override overrides[] = {
            {.time = 0.15, .kind = HBG_RT_SET_PARAM, .value = 0.3},
            {.time = 0.2, .kind = HBG_RT_SET_PARAM, .value = 0.1, .is_line = true, .slope = 1},
            {.time = 0.400123, .kind = HBG_RT_SET_PARAM, .value = -0.2, .is_line = true},
            {.time = 0.5, .kind = HBG_RT_HOLD},
            {.time = 0.6, .kind = HBG_RT_HOLD, .state = HBG_RT_HOLD_NOT},
        };
        hbg_sim_options options = fixed(methods[i], 1e-4, 0.01);
        options.actions = actions;
        options.action_count = 6;
        options.overrides = overrides;
        options.override_count = 5;
        compare(CONVERTER, options, 101);
    }
}

static void a_limit_of_steps_is_kept(void **state) {
    static const int64_t limits[] = {1, 2, 99, 1000, 9999};
    (void)state;
    for (int i = 0; i < 5; i++) {
        hbg_sim_options options = fixed(HBG_SIM_EULER, 1e-4, 0.01);
        options.step_limit = limits[i];
        compare(CONVERTER, options, 0);
        assert_int_equal(strides.status, HBG_RT_TOO_MANY_STEPS);
        assert_int_equal(strides.result.steps, limits[i]);
    }
}

/* x' = x³ from 1: infinite at 1/2. A stride does not check the rates at its end, so it may end a step
 * later. */
static void what_is_not_finite_is_told_as_ever(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        static const char *const text = "model M { state x = 1 : der = x^3; state y = 0 : der = x;"
                                        "output a = x, b = y; experiment e { stop 1; record a, b; } }";
        run(&strides, text, fixed(methods[i], 1e-3, 0.01), false);
        run(&steps, text, fixed(methods[i], 1e-3, 0.01), true);
        assert_int_equal(strides.status, HBG_RT_NOT_FINITE);
        assert_int_equal(steps.status, HBG_RT_NOT_FINITE);
        assert_words(strides.result.failure, "x");
        assert_true(strides.result.t >= steps.result.t && strides.result.t <= steps.result.t + 1.5e-3);
        assert_true(steps.count > 40 && strides.count >= steps.count);
        assert_memory_equal(strides.rows, steps.rows, (size_t)steps.count * sizeof *steps.rows);
    }
}

/* The balance of a run that switches and jumps. */
static void the_ledger_of_strides_balances(void **state) {
    (void)state;
    run(&strides, JUMPING, fixed(HBG_SIM_RK4, 1e-5, 0.01), false);
    if (strides.status != HBG_RT_OK) fail_msg("%s", strides.result.failure);
    assert_true(fabs(strides.result.residual) < 1e-7 * strides.result.scale);
    hbg_sim_options options = fixed(HBG_SIM_RK4, 1e-4, 0.01);
    options.ledger = false;
    compare(JUMPING, options, 100);
}

/* However long strides are and wherever they end, the run calls its progress function. */
static void a_run_in_strides_can_be_interrupted(void **state) {
    (void)state;
    hbg_sim_options options = fixed(HBG_SIM_EULER, 1e-7, 7e-7);
    options.row = NULL;
    options.stop = 100;
    options.progress = go_on;
    strides.interrupt_at = 3;
    run(&strides, SMOOTH, options, false);
    assert_int_equal(strides.status, HBG_RT_INTERRUPTED);
    assert_int_equal(strides.progress, 3);
    strides.interrupt_at = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_have_the_rows_of_single_steps),
        cmocka_unit_test(any_pace_of_rows_will_do),
        cmocka_unit_test(steps_full_of_rows_are_done_alone),
        cmocka_unit_test(works_do_not_depend_on_rows),
        cmocka_unit_test(a_summary_is_what_every_step_tells),
        cmocka_unit_test(a_stop_beside_the_grid_is_met),
        cmocka_unit_test(planned_instants_cut_strides),
        cmocka_unit_test(a_limit_of_steps_is_kept),
        cmocka_unit_test(what_is_not_finite_is_told_as_ever),
        cmocka_unit_test(the_ledger_of_strides_balances),
        cmocka_unit_test(a_run_in_strides_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
