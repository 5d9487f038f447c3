/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that touch their threshold at a cusp, with any slope: once each, where their tips are, and not where
 * these stay away from it. `x` is time as a state. */
#include "rt/known_roots_impl.h"

static void assert_touch(const char *guard, double at, double error) {
    char text[300];
    snprintf(text, sizeof text, "model M { " CLOCK " automaton a { off o -> n when %s; on n; } }", guard);
    assert_moves(text, 5, 0, &at, 1, 0, error);
}

static void a_tip_that_touches_is_found(void **state) {
    (void)state;
    assert_touch("sqrt(abs(x - 2)) <= 0", 2, 1e-12);
    assert_touch("1 - sqrt(abs(x - 2.3)) >= 1", 2.3, 1e-12);
    assert_touch("cbrt((x - 2.7)^2) <= 0", 2.7, 1e-12);
    assert_touch("abs(x - 1.3)^0.3 <= 0", 1.3, 1e-12);
    assert_touch("sqrt(abs(x^3 - 8)) <= 0", 2, 1e-12);
    assert_touch("sqrt(abs(x - 1)) + sqrt(abs(x - 3)) <= sqrt(2)", 1, 1e-12);
}

/* At each multiple of π, there and back in turn. */
static void every_tip_is_found_once(void **state) {
    const double pi = acos(-1);
    double times[6];
    (void)state;
    for (int k = 0; k < 6; k++) times[k] = pi * (k + 1);
    assert_moves(MODEL(CLOCK, "x > 1 && sqrt(abs(sin(x))) <= 0", "sqrt(abs(sin(x))) <= 0"), 20, 0, times, 6,
                 0, 1e-12);
    assert_moves(MODEL(CLOCK, "x > 1 && abs(sin(x))^0.3 <= 0", "abs(sin(x))^0.3 <= 0"), 20, 0, times, 6, 0,
                 1e-12);
}

static void a_tip_short_of_the_threshold_is_no_event(void **state) {
    static const char *const guards[] = {"sqrt(abs(x - 2)) + 1e-6 <= 0", "sqrt(abs(x - 2)) + 1e-8 <= 0",
                                         "sqrt(abs(x - 2)) < 0", "sqrt(abs(x^3 - 8)) + 3e-8 <= 0"};
    (void)state;
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
        char text[300];
        snprintf(text, sizeof text, "model M { " CLOCK " automaton a { off o -> n when %s; on n; } }",
                 guards[i]);
        assert_moves(text, 5, 0, NULL, 0, 0, 0);
    }
}

/* max(0.1, √|x − 3|) is 0.1 from 2.99 to 3.01, all of it inside one step: it holds from 2.99 on. */
static void a_short_plateau_begins_where_it_begins(void **state) {
    (void)state;
    assert_touch("max(0.1, sqrt(abs(x - 3))) <= 0.1", 2.99, 1e-10);
    assert_touch("max(0, abs(x - 2) - 1e-3) <= 0", 1.999, 1e-12);
}

/* A limited value holds at its limit from where it reaches it, not from where it enters the band. */
static void a_limit_is_reached_where_it_is_reached(void **state) {
    (void)state;
    assert_touch("min(max(x - 1, 0), 1) >= 1", 2, 1e-13);
    assert_touch("!(min(x, 2) < 2)", 2, 1e-13);
    assert_touch("max(2 - x, 0) <= 0", 2, 1e-13);
    assert_touch("min(x, 1.7)*3 >= 5.1", 1.7, 1e-13);
}

/* A sample at 2 ends the step at the tip. */
static void a_tip_where_a_step_ends_is_found(void **state) {
    const double at = 2;
    (void)state;
    assert_moves("model M { " CLOCK " automaton a { off o -> n when sqrt(abs(x - 2)) <= 0; on n; }"
                 " automaton b every 1 { off o -> n when x > 3.5; on n; } }",
                 3, 0, &at, 1, 0, 1e-12);
}

typedef struct {
    int instants, moves;
} seen;

static void count(void *context, const hbg_sim_event *event) {
    seen *so_far = context;
    if (event->t == 0 || event->visit_count == 0) return;
    so_far->instants++;
    for (int k = 0; k < 5; k++)
        so_far->moves += event->visits[0].before[k] != event->visits[event->visit_count - 1].states[k];
}

/* A crossing, strict or not, a kink, a cusp and a parabola, all at 2. */
static void what_touches_where_others_cross_is_one_instant(void **state) {
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int r = 0; r < TOLERANCES; r++) {
            fixture f;
            hbg_arena arena;
            hbg_sim_result result;
            seen so_far = {0};
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = solvers[s];
            options.rtol = tolerances[r];
            options.stop = 3;
            options.event = count;
            options.context = &so_far;
            fixture_open(&f, "model M { " CLOCK " state y = 4 : der = -1;"
                             "automaton a { off o -> n when x > y; on n; }"
                             "automaton b { off o -> n when y <= x; on n; }"
                             "automaton c { off o -> n when sqrt(abs(x - y)) <= 0; on n; }"
                             "automaton d { off o -> n when (x - y)^2 <= 0; on n; }"
                             "automaton e { off o -> n when abs(x - y) <= 0; on n; } }");
            hbg_base_arena_init(&arena, &f.memory);
            assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
            assert_int_equal(so_far.instants, 1);
            assert_int_equal(so_far.moves, 5);
            hbg_base_arena_fini(&arena);
            fixture_close(&f);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tip_that_touches_is_found),
        cmocka_unit_test(every_tip_is_found_once),
        cmocka_unit_test(a_tip_short_of_the_threshold_is_no_event),
        cmocka_unit_test(a_short_plateau_begins_where_it_begins),
        cmocka_unit_test(a_limit_is_reached_where_it_is_reached),
        cmocka_unit_test(a_tip_where_a_step_ends_is_found),
        cmocka_unit_test(what_touches_where_others_cross_is_one_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
