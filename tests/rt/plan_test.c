/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Events of time alone are reached exactly: times are k·T + c, rounded once, with every method, tolerance and
 * step. */
#include "rt/known_roots_impl.h"

enum { PERIODS = 100000 };

/* Errors do not accumulate over the periods: none is lost, and none is off by an ulp. */
static void edges_of_a_hundred_thousand_periods_are_exact(void **state) {
    const double period = 50e-6, on = 0.3 * 50e-6;
    double t = 0, horizon;
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { param T = 50e-6, D = 0.3; state x = 0 : der = time % T < D*T ? 1 : 0; }");
    hbg_rt_plan_begin(f.run, true);
    hbg_rt_plan_reach(f.run, 0);
    assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, NULL, 0));
    for (int k = 0; k < PERIODS; k++) {
        t = hbg_rt_plan_next(f.run, t, &horizon);
        if (t != fma(k, period, on)) fail_msg("period %d ends its pulse at %.17g", k, t);
        t = hbg_rt_plan_next(f.run, t, &horizon);
        if (t != (k + 1) * period) fail_msg("period %d ends at %.17g", k, t);
    }
    fixture_close(&f);
}

/* Quotients and products of time as well. */
static void borders_of_cells_are_exact(void **state) {
    static const char *const formulas[] = {"floor(time/T)", "ceil(time/T)", "floor(time*20000)",
                                           "-floor(-time/T)"};
    double t, horizon;
    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        char text[160];
        fixture f;
        snprintf(text, sizeof text, "model M { param T = 50e-6; state x = 0 : der = %s; }", formulas[i]);
        fixture_begin(&f, text);
        hbg_rt_plan_begin(f.run, true);
        hbg_rt_plan_reach(f.run, 0);
        assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, NULL, 0));
        t = 0;
        for (int k = 1; k < 1000; k++) {
            double border = i == 2 ? k / 20000.0 : k * 50e-6;
            t = hbg_rt_plan_next(f.run, t, &horizon);
            if (t != border) fail_msg("border %d of %s at %.17g", k, formulas[i], t);
        }
        fixture_close(&f);
    }
}

#define DECAY "state x = 1 : der = -x; "

static void pulses_of_guards_are_exact(void **state) {
    double times[40];
    (void)state;
    for (int k = 0; k < 20; k++) {
        times[2 * k] = fma(k, 1e-3, 3e-4);
        times[2 * k + 1] = (k + 1) * 1e-3;
    }
    times[39] = 0.02;
    assert_moves(MODEL(DECAY, "time % 1e-3 >= 3e-4", "time % 1e-3 < 3e-4"), 0.02, 0, times, 40, 0, 0);
    assert_moves(MODEL(DECAY, "time % 1e-3 > 3e-4", "!(time % 1e-3 > 3e-4)"), 0.02, 0, times, 40, 0, 0);
}

/* A billionth of the period, and of every step. */
static void narrow_pulses_are_found(void **state) {
    double times[9];
    (void)state;
    for (int k = 0; k < 4; k++) {
        times[2 * k] = k == 0 ? 1e-9 : k + 1e-9; // it is on at the start
        times[2 * k + 1] = k + 1;
    }
    times[8] = 4 + 1e-9;
    assert_moves("model M { " DECAY
                 "automaton a { on n -> o when time % 1 >= 1e-9; off o -> n when time % 1 < 1e-9; } }",
                 4.5, 0, times, 9, 0, 0);
}

/* Each changes its truth at both times: forth, and back. */
static void whatever_is_straight_between_breaks_is_planned(void **state) {
    static const struct {
        const char *there, *back;
        double times[2];
    } of[] = {
        {"abs(time - 1) < 0.25", "abs(time - 1) > 0.25", {0.75, 1.25}},
        {"min(time, 2 - time) > 0.5", "min(time, 2 - time) < 0.5", {0.5, 1.5}},
        {"max(time, 1) > 1", "max(2*time, 3) > 3", {1, 1.5}},
        {"ceil(time) > 1.5", "ceil(time) > 2.5", {1, 2}}, // just after a whole number
        {"sign(time - 0.3) > 0", "sign(0.7 - time) < 0", {0.3, 0.7}},
        {"(0.5 - time) % 0.2 < 0", "time >= 1.5", {0.5, 1.5}}, // truncated towards 0
        {"(time < 0.4 ? 0 : time) > 0.1", "(time > 0.6 ? 1 : 0)*time > 0.1", {0.4, 0.6}},
        {"time % 1e-3 < 0 || time >= 0.5", "time % 1e-3 < 0 || time > 1.5", {0.5, 1.5}}, // far ahead
        {"floor(time/0.1)*0.3 > 1", "floor(time/0.1) >= 7", {4 * 0.1, 7 * 0.1}},
        {"ramp > 0.5", "ramp < 0.5", {0.25, 1.75}},
    };
    (void)state;
    FILE *file = fopen("ramp.csv", "w");
    assert_non_null(file);
    assert_true(fputs("t,v\n0,0\n0.5,1\n1.5,1\n2,0\n", file) >= 0 && fclose(file) == 0);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model M { " DECAY "signal ramp = table(\"ramp.csv\", \"v\");"
                 "automaton a { off o -> n when %s; on n -> d when %s; on d; } }",
                 of[i].there, of[i].back);
        assert_moves(text, 2, 0, of[i].times, 2, 0, 0);
    }
}

/* Values held between instants may change at one: samples, states of automata. */
static void what_is_held_is_planned_anew(void **state) {
    const double sampled[] = {0.25, 1.75}, switched[] = {0.5, 1.25};
    (void)state;
    assert_moves("model M { " DECAY "sample t0 every 1 [s] = time;"
                 "automaton a { off o -> n when time - t0 > 0.25; on n -> d when time - t0 > 0.75 && time > "
                 "1; on d; } }",
                 2, 0, sampled, 2, 0, 0);
    assert_moves("model M { " DECAY "automaton a { off o -> n when b.late ? time > 0.5 : time > 1;"
                 "on n -> d when time > (b.late ? 1.25 : 0.75); on d; }"
                 "automaton b { off early -> late after 0.25; off late; } }",
                 2, 0, switched, 2, 0, 0);
}

/* Without a crossing, a strict relation at equality does not hold at the instant, but after it: at the start,
 * and when a sample has just reached equality. */
static void what_begins_at_equality_is_found_as_it_leaves(void **state) {
    const double at_start[] = {0, 0.5}, at_sample[] = {1};
    (void)state;
    assert_moves("model M { " DECAY
                 "automaton a { off o -> n when time > 0; on n -> d when time > 0.5; on d; } }",
                 1, 0, at_start, 2, 0, 1e-12);
    assert_moves("model M { " DECAY
                 "automaton a { off o -> n when -2*time < 0; on n -> d when time > 0.5; on d; } }",
                 1, 0, at_start, 2, 0, 1e-12);
    assert_moves("model M { " DECAY "sample t0 every 1 [s] = time > 0.5 ? time : 5;"
                 "automaton a { off o -> n when time > t0; on n; } }",
                 2, 0, at_sample, 1, 0, 1e-9);
}

/* Steps end where a source jumps: the integral has only rounding errors. */
static void sources_jump_at_their_time(void **state) {
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int r = 0; r < TOLERANCES; r++) {
            fixture f;
            hbg_arena arena;
            hbg_sim_result result;
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = solvers[s];
            options.rtol = tolerances[r];
            options.stop = 1;
            fixture_open(&f, "model M { param T = 0.01; state x = 0 : der = time % T < 0.3*T ? 1 : 0; }");
            hbg_base_arena_init(&arena, &f.memory);
            assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
            if (!is_near(result.state[0], 0.3, 1e-12)) fail_msg("x = %.17g, solver %d", result.state[0], s);
            hbg_base_arena_fini(&arena);
            fixture_close(&f);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_of_a_hundred_thousand_periods_are_exact),
        cmocka_unit_test(borders_of_cells_are_exact),
        cmocka_unit_test(pulses_of_guards_are_exact),
        cmocka_unit_test(narrow_pulses_are_found),
        cmocka_unit_test(whatever_is_straight_between_breaks_is_planned),
        cmocka_unit_test(what_is_held_is_planned_anew),
        cmocka_unit_test(what_begins_at_equality_is_found_as_it_leaves),
        cmocka_unit_test(sources_jump_at_their_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
