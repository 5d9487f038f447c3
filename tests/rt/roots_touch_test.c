/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that touch their threshold at known times: functions of time and of a state as good as time; several
 * at one instant; at the start and the end of a run, at rows and where an input changes. With states that are
 * exact only to the tolerance a run gets past the touch, and a guard that comes close without touching is not
 * found. */
#include "rt/known_roots_impl.h"

#define SWING "I l(1, f = 1); C c(1); 1 j; l -> j -> c;" /* q = sin t, f = cos t */

/* Half waves have their turning points at these times: first, first + apart, … */
static int turning_points(double first, double apart, double stop, double *times) {
    int count = 0;
    for (double t = first; t < stop; t += apart) times[count++] = t;
    return count;
}

/* ---- states ------------------------------------------------------------------------------------------- */

/* How often the automaton of a model moves until a time. */
static int moves_until(const char *text, int solver, double rtol, double stop) {
    fixture f;
    moves told;
    fixture_open(&f, text);
    run_model(&f, solver, rtol, stop, 0, &told);
    fixture_close(&f);
    return told.count;
}

/* Errors may or may not take a state to the threshold it touches; the run continues in both cases, after one
 * event or none. */
static void a_touch_by_a_state_does_not_hold_up_the_run(void **state) {
    static const char *const models[] = {
        MODEL(SWING, "c.q > 1", "c.q < -5"),
        MODEL(SWING, "time > 100 && c.q >= 1", "c.q < -5"),
        MODEL("state h = 0 : der = v; state v = 10 : der = -10;", "h > 5", "h < -99"),
        MODEL("state h = 0 : der = v; state v = 10 : der = -10;", "h > 5.000001", "h < -99"),
        MODEL("state x = 1 : der = 2*(time - 1);", "x < 0", "x < -5"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (int r = 0; r < TOLERANCES; r++)
            for (int s = 0; s < SOLVERS; s++)
                assert_in_range(moves_until(models[i], solvers[s], tolerances[r], 3), 0, 1);
}

/* Parabolas, which these methods integrate exactly up to rounding: rounding that takes the state below its
 * threshold is not a crossing, and a guard that holds at equality is located there. */
static void rounding_at_a_touch_is_no_crossing(void **state) {
    static const char *const strict[] = {
        MODEL("state x = 1 : der = 2*(time - 1);", "x < 0", "x < -5"),
        MODEL("state h = 0 : der = v; state v = 5 : der = -10;", "h > 1.25", "h < -99"),
        MODEL("state h = 0 : der = v; state v = 3 : der = -10;", "h > 0.45", "h < -99"),
    };
    static const hbg_sim_solver methods[] = {HBG_SIM_AUTO, HBG_SIM_ERK, HBG_SIM_HEUN,
                                             HBG_SIM_ODE3, HBG_SIM_RK4, HBG_SIM_TRAPEZOIDAL};
    static const double rtols[] = {1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
    (void)state;
    for (size_t i = 0; i < sizeof strict / sizeof *strict; i++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            for (size_t r = 0; r < sizeof rtols / sizeof *rtols; r++) {
                fixture f;
                moves told;
                fixture_open(&f, strict[i]);
                run_model(&f, methods[m], rtols[r], 1.5, methods[m] < HBG_SIM_EULER ? 0 : 0.05, &told);
                if (told.count != 0) fail_msg("method %d, rtol %g, of\n%s", methods[m], rtols[r], strict[i]);
                fixture_close(&f);
            }
}

/* A value that stays away by more than its errors is not found, however large it has been. */
static void a_state_that_misses_its_threshold_is_not_found(void **state) {
    (void)state;
    for (int r = 0; r < TOLERANCES; r++)
        for (int s = 0; s < SOLVERS; s++) {
            char text[300];
            bool one_step = solvers[s] == HBG_SIM_ERK || solvers[s] == HBG_SIM_AUTO;
            snprintf(text, sizeof text, MODEL(SWING, "c.q >= %.17g", "c.q < -5"),
                     1 + (one_step ? 10 : 100) * tolerances[r]);
            assert_int_equal(moves_until(text, solvers[s], tolerances[r], 10), 0);
            assert_int_equal(moves_until(MODEL("state y = 1000 : der = -5*(y - sin(time));",
                                               "y >= 0.9816 && time > 10", "y < -5"),
                                         solvers[s], tolerances[r], 40),
                             0);
        }
}

/* Functions of time, and of a state that is as good as time, do not depend on errors of states. */
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
            hbg_base_arena_init(&arena, &f.memory);
            assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
            double error = may.root * sqrt(tolerances[r]) + may.error;
            for (int k = 0; k < 3; k++)
                if (told.moves[k] != 1 || !(fabs(told.first[k] - when) <= error))
                    fail_msg("automaton %d: %d moves, the first at %.17g, solver %d, rtol %g", k,
                             told.moves[k], told.first[k], s, tolerances[r]);
            hbg_base_arena_fini(&arena);
            fixture_close(&f);
        }
}

#define ONCE(name, guard) " automaton " name " { off o -> n when " guard "; on n; } "

/* A parabola, a kink and a cosine; then a parabola and two that cross. */
static void guards_that_touch_and_cross_at_one_instant_are_all_found(void **state) {
    (void)state;
    assert_all_once("model M { " CLOCK SWING ONCE("a", "(x - 2)^2 <= 0") ONCE("b", "abs(x - 2) <= 0")
                        ONCE("d", "cos(pi*x) >= 1 && x > 1") "}",
                    3, 2, (allowance){.error = 1e-9});
    assert_all_once("model M { " CLOCK ONCE("a", "(x - 2)^2 <= 0") ONCE("b", "x >= 2")
                        ONCE("d", "x^2 >= 4") "}",
                    3, 2, (allowance){.error = 1e-9});
}

/* ---- where something else is -------------------------------------------------------------------------- */

/* At the start a guard that holds fires at once; at the end, at rows and at changes of inputs a touch counts
 * as elsewhere. */
static void a_touch_is_found_at_the_ends_at_rows_and_at_changes(void **state) {
    const double pi = acos(-1), at_start[] = {0, pi, 2 * pi}, three = 3;
    (void)state;
    assert_moves(MODEL(CLOCK, "cos(x) >= 1", "cos(x) <= -1"), 7, 0, at_start, 3, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "(x - 3)^2 <= 0", "x < -1"), 3, 0, &three, 1, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "sqrt((x - 3)^2) <= 0", "x < -1"), 3, 0, &three, 1, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "x >= 3", "x < -1"), 3, 0, &three, 1, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "x > 3", "x < -1"), 3, 0, NULL, 0, 0, 0);
    assert_moves(MODEL(CLOCK " input real u = time < 3 ? 0 : 1;", "(x - 3)^2 <= 0", "x < -1"), 4, 0, &three,
                 1, 0, 1e-11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_touch_by_a_state_does_not_hold_up_the_run),
        cmocka_unit_test(rounding_at_a_touch_is_no_crossing),
        cmocka_unit_test(a_state_that_misses_its_threshold_is_not_found),
        cmocka_unit_test(what_time_drives_is_found_exactly_or_not_at_all),
        cmocka_unit_test(guards_that_touch_and_cross_at_one_instant_are_all_found),
        cmocka_unit_test(a_touch_is_found_at_the_ends_at_rows_and_at_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
