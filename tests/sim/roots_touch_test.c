/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that touch their threshold at known times: with states that are exact to the tolerance only, with products, squares and
 * integrals of them, with functions of time; several at one instant; at the start and the end of a run, at rows and where an
 * input changes. A guard that comes near without touching is not found. */
#include "sim/known_roots_impl.h"

#define SWING "I l(1, f = 1); C c(1); 1 j; l -> j -> c;" /* q = sin t, f = cos t */

/* Half waves have their turning points at these times: first, first + apart, … */
static int turning_points(double first, double apart, double stop, double *times) {
    int count = 0;
    for (double t = first; t < stop; t += apart) times[count++] = t;
    return count;
}

/* ---- states ------------------------------------------------------------------------------------------- */

/* An error of 100·rtol in the height of a peak is one of √(200·rtol) in the time at which it is reached. */
static const allowance by_states = {.root = 15, .error = 1e-9};

static void a_state_touches_its_largest_value_once_a_swing(void **state) {
    const double pi = acos(-1);
    double times[20];
    (void)state;
    int count = turning_points(pi / 2, pi, 12, times);
    assert_moves_within(MODEL(SWING, "c.q >= 1", "c.q <= -1"), 12, 0, times, count, by_states);
    assert_moves_within(MODEL(SWING " state y = 0 : der = l.f;", "y >= 1", "y <= -1"), 9, 0, times, 3,
                        by_states);
    assert_moves_within(MODEL(CLOCK " state y = 0 : der = cos(x);", "y >= 1", "y <= -1"), 12, 0, times, count,
                        by_states);
}

static void products_and_squares_of_states_touch_too(void **state) {
    const double pi = acos(-1);
    double times[20];
    (void)state;
    int count = turning_points(pi / 4, pi / 2, 8, times);
    assert_moves_within(MODEL(SWING, "c.q*l.f >= 0.5", "c.q*l.f <= -0.5"), 8, 0, times, count, by_states);
    count = turning_points(pi / 2, pi / 2, 10, times);
    assert_moves_within(MODEL(SWING, "c.q^2 >= 1", "c.q^2 <= 0"), 10, 0, times, count, by_states);
    assert_moves_within(MODEL(SWING, "c.energy >= 0.5", "c.energy <= 0"), 10, 0, times, count, by_states);
}

/* A throw: h = t − t²/2, highest at 1. */
static void a_throw_touches_its_summit(void **state) {
    const double one = 1;
    (void)state;
    assert_moves_within(MODEL("state h = 0 : der = v; state v = 1 : der = -1;", "h >= 0.5", "h < -5"), 3, 0,
                        &one, 1, by_states);
}

/* What stays away by more than errors of the states is not found; a one-step method errs much less. */
static void a_state_that_misses_its_threshold_is_not_found(void **state) {
    (void)state;
    for (int r = 0; r < TOLERANCES; r++)
        for (int s = 0; s < SOLVERS; s++) {
            fixture f;
            moves told;
            char text[300];
            bool one_step = solvers[s] == HBG_SIM_ERK || solvers[s] == HBG_SIM_AUTO;
            snprintf(text, sizeof text, MODEL(SWING, "c.q >= %.17g", "c.q < -5"),
                     1 + (one_step ? 25 : 250) * tolerances[r]);
            fixture_open(&f, text);
            run_model(&f, solvers[s], tolerances[r], 10, 0, &told);
            if (told.count != 0) fail_msg("%d moves, solver %d, rtol %g", told.count, s, tolerances[r]);
            fixture_close(&f);
        }
}

/* Functions of time, and of a state that is as good as time, owe nothing to errors of states. */
static void what_time_drives_is_found_exactly_or_not_at_all(void **state) {
    const double pi = acos(-1);
    double times[20];
    (void)state;
    int count = turning_points(pi / 2, pi, 20, times);
    assert_moves(MODEL(CLOCK, "sin(time) >= 1", "sin(time) <= -1"), 20, 0, times, count, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "sin(time) >= 1 + 1e-9", "x < -1"), 20, 0, NULL, 0, 0, 0);
    assert_moves(MODEL(CLOCK, "sin(x) >= 1 + 1e-9", "x < -1"), 20, 0, NULL, 0, 0, 0);
    assert_moves(MODEL(CLOCK, "(time - 1)^2 <= 0", "(time - 3)^2 <= 0"), 20, 0, (const double[]){1, 3}, 2, 0,
                 1e-11);
}

/* ---- at one instant ----------------------------------------------------------------------------------- */

typedef struct {
    double first[3]; /* by automaton: when it moved first */
    int moves[3];
} firsts;

static void take_firsts(void *context, const hbg_sim_event *event) {
    firsts *of = context;
    for (int32_t i = 0; i < event->visit_count; i++)
        for (int k = 0; k < 3; k++)
            if (event->visits[i].before[k] != event->visits[i].states[k] && of->moves[k]++ == 0)
                of->first[k] = event->t;
}

static void assert_all_once(const char *text, double stop, double when, allowance may) {
    for (int s = 0; s < SOLVERS; s++)
        for (int r = 0; r < TOLERANCES; r++) {
            fixture f;
            hbg_arena arena;
            hbg_sim_result result;
            firsts told = {0};
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = solvers[s];
            options.rtol = tolerances[r];
            options.stop = stop;
            options.event = take_firsts;
            options.context = &told;
            fixture_open(&f, text);
            hbg_arena_init(&arena, &f.memory);
            assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
            double error = may.root * sqrt(tolerances[r]) + may.error;
            for (int k = 0; k < 3; k++)
                if (told.moves[k] != 1 || !(fabs(told.first[k] - when) <= error))
                    fail_msg("automaton %d: %d moves, the first at %.17g, solver %d, rtol %g", k,
                             told.moves[k], told.first[k], s, tolerances[r]);
            hbg_arena_fini(&arena);
            fixture_close(&f);
        }
}

#define ONCE(name, guard) " automaton " name " { off o -> n when " guard "; on n; } "

/* A parabola, a kink and a cosine; then a crossing, a kink on it and the top of a swing. */
static void guards_that_touch_and_cross_at_one_instant_are_all_found(void **state) {
    (void)state;
    assert_all_once("model M { " CLOCK SWING ONCE("a", "(x - 2)^2 <= 0") ONCE("b", "abs(x - 2) <= 0")
                        ONCE("d", "cos(pi*x) >= 1 && x > 1") "}",
                    3, 2, (allowance){.error = 1e-9});
    assert_all_once("model M { " SWING ONCE("a", "c.q >= 1") ONCE("b", "l.f <= 0")
                        ONCE("d", "abs(l.f) <= 0") "}",
                    3, acos(-1) / 2, by_states);
}

/* ---- where something else is -------------------------------------------------------------------------- */

/* At the start what holds holds at once; at the end, at rows and at changes of inputs a touch is one as elsewhere. */
static void a_touch_is_found_at_the_ends_at_rows_and_at_changes(void **state) {
    const double pi = acos(-1), at_start[] = {0, pi, 2 * pi}, three = 3;
    (void)state;
    assert_moves(MODEL(CLOCK, "cos(x) >= 1", "cos(x) <= -1"), 7, 0, at_start, 3, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "(x - 3)^2 <= 0", "x < -1"), 3, 0, &three, 1, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "x >= 3", "x < -1"), 3, 0, &three, 1, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "x > 3", "x < -1"), 3, 0, NULL, 0, 0, 0);
    assert_moves(MODEL(CLOCK " input real u = time < 3 ? 0 : 1;", "(x - 3)^2 <= 0", "x < -1"), 4, 0, &three,
                 1, 0, 1e-11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_touches_its_largest_value_once_a_swing),
        cmocka_unit_test(products_and_squares_of_states_touch_too),
        cmocka_unit_test(a_throw_touches_its_summit),
        cmocka_unit_test(a_state_that_misses_its_threshold_is_not_found),
        cmocka_unit_test(what_time_drives_is_found_exactly_or_not_at_all),
        cmocka_unit_test(guards_that_touch_and_cross_at_one_instant_are_all_found),
        cmocka_unit_test(a_touch_is_found_at_the_ends_at_rows_and_at_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
