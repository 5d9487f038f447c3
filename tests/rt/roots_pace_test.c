/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that are fast functions of slow states: all their crossings are located, once each and in order,
 * although the states would allow steps of hundreds of periods; functions that cannot be followed are
 * reported; and slow ones cost nothing. `x` is time as a state, which every method integrates exactly. */
#include "eqn/fixture_impl.h"
#include "sim/sim.h"

static const hbg_sim_solver solvers[] = {HBG_SIM_ERK, HBG_SIM_BDF, HBG_SIM_ADAMS};
static const double tolerances[] = {1e-4, 1e-7, 1e-10};
enum { SOLVERS = 3, TOLERANCES = 3 };

#define MODEL(states, there, back)                                                                           \
    "model M { " states " automaton a { off o -> n when " there "; on n -> o when " back "; } }"

typedef struct {
    int64_t count;
    double worst; /* distance of a move from its exact time */
    double (*root)(int64_t number);
} track;

static void take(void *context, const hbg_sim_event *event) {
    track *at = context;
    if (event->visit_count == 0 || event->t == 0) return;
    at->worst = fmax(at->worst, fabs(event->t - at->root(at->count)));
    at->count++;
}

static void assert_all_found(const char *text, double stop, int64_t count, double (*root)(int64_t)) {
    for (int s = 0; s < SOLVERS; s++)
        for (int r = 0; r < TOLERANCES; r++) {
            fixture f;
            hbg_arena arena;
            hbg_sim_result result;
            track at = {.root = root};
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = solvers[s];
            options.rtol = tolerances[r];
            options.stop = stop;
            options.event = take;
            options.context = &at;
            fixture_open(&f, text);
            hbg_base_arena_init(&arena, &f.memory);
            assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
            if (at.count != count || !(at.worst < 1e-8 * stop))
                fail_msg("%d moves, not %d, off by %g; solver %d, rtol %g, of\n%s", (int)at.count, (int)count,
                         at.worst, s, tolerances[r], text);
            hbg_base_arena_fini(&arena);
            fixture_close(&f);
        }
}

/* sin y passes ½ upwards at π/6 and downwards at 5π/6, in each of its periods. */
static double phase(int64_t number) {
    const double pi = acos(-1);
    return (number % 2 ? 5 * pi / 6 : pi / 6) + 2 * pi * (double)(number / 2);
}

static double root_of_fast(int64_t number) {
    return phase(number) / (2 * acos(-1));
}

static double root_of_chirp(int64_t number) {
    return sqrt(phase(number) / (2 * acos(-1)));
}

/* One period in a second: steps of 10 s would end at the same phase every time. */
static void a_fast_function_of_a_slow_state_is_followed(void **state) {
    (void)state;
    assert_all_found(MODEL("state x = 0 : der = 1;", "sin(2*pi*x) > 0.5", "sin(2*pi*x) < 0.5"), 300, 600,
                     root_of_fast);
}

static void a_guard_that_becomes_faster_is_followed(void **state) {
    (void)state;
    assert_all_found(MODEL("state x = 0 : der = 1;", "sin(2*pi*x^2) > 0.5", "sin(2*pi*x^2) < 0.5"), 20, 800,
                     root_of_chirp);
}

/* 3 − 2·cos 100x is below 1.5 only for a part of each period. */
static double root_of_ripple(int64_t number) {
    double a = acos(0.75), period = 2 * acos(-1);
    // cos y > ¾ from −a to a: it begins true at 0 and is left at a
    return (number % 2 ? period * (double)(number / 2 + 1) - a : period * (double)(number / 2) + a) / 100;
}

static void dips_far_from_the_mean_are_found(void **state) {
    (void)state;
    // in n from t = 0 on, since 3 − 2·cos 0 is 1
    assert_all_found(MODEL("state x = 0 : der = 1;", "3 - 2*cos(100*x) < 1.5", "3 - 2*cos(100*x) > 1.5"), 20,
                     637, root_of_ripple);
}

/* 10⁹ periods in a run are too many to examine, but the run does not claim that there are none. */
static void what_cannot_be_followed_is_told(void **state) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    hbg_sim_options options = hbg_sim_options_default();
    (void)state;
    options.stop = 1;
    fixture_open(&f, MODEL("state x = 0 : der = 1;", "sin(1e9*x) > 1.5", "x < -1"));
    hbg_base_arena_init(&arena, &f.memory);
    assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
    assert_int_equal(result.warnings, 1);
    assert_non_null(strstr(result.warning, "varies too fast"));
    assert_int_equal(result.verdict, HBG_RT_FINE);
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
}

static int64_t looks; /* of the last run at the roots */

/* The linker inserts the first between the engine and the second. */
hbg_rt_status __wrap_hbg_rt_indicators(hbg_rt_instance *run, double t, const double *x, double *g);
hbg_rt_status __real_hbg_rt_indicators(hbg_rt_instance *run, double t, const double *x, double *g);

hbg_rt_status __wrap_hbg_rt_indicators(hbg_rt_instance *run, double t, const double *x, double *g) {
    looks++;
    return __real_hbg_rt_indicators(run, t, x, g);
}

/* Runs the model and counts the looks at its roots. */
static hbg_sim_result run_counted(const char *text, double stop) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = HBG_SIM_ERK;
    options.stop = stop;
    fixture_open(&f, text);
    looks = 0;
    hbg_base_arena_init(&arena, &f.memory);
    assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
    return result;
}

/* An oscillation: four looks at each step, some to locate its crossings, and almost none to check that four
 * are enough. */
static void what_is_slow_costs_nothing(void **state) {
    (void)state;
    hbg_sim_result result =
        run_counted(MODEL("state q = 1 : der = v; state v = 0 : der = -q;", "q < -2", "v < -2"), 600);
    assert_true(result.steps > 500);
    assert_true((double)looks < 4.05 * (double)result.steps + 20);
}

/* Contacts of two masses between walls: while one is at equality its guard waits, and comes back from far
 * away. Such a root does not vary fast. */
static void a_guard_that_has_waited_costs_nothing(void **state) {
    (void)state;
    hbg_sim_result result = run_counted(
        "model M { Sf left(0); Sf right(0); 1 a; I m(1, f = -0.8); a -> m; state x = 1 : der = a.f;"
        "1 b; I n(1, f = 0.6); b -> n; state y = 2 : der = b.f;"
        "0 c when touch restitution 1; left -> c -> a; 0 d when meet restitution 1; a -> d -> b;"
        "0 e when hit restitution 1; b -> e -> right;"
        "automaton touch { off i -> o when x <= 0 && 0 > a.f; on o -> i when 0 < a.f; }"
        "automaton meet { off i -> o when y - x <= 0 && a.f > b.f; on o -> i when a.f < b.f; }"
        "automaton hit { off i -> o when 3 - y <= 0 && b.f > 0; on o -> i when b.f < 0; } }",
        100);
    assert_true(result.commits > 100);
    assert_true((double)looks < 40 * (double)result.steps);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_function_of_a_slow_state_is_followed),
        cmocka_unit_test(a_guard_that_becomes_faster_is_followed),
        cmocka_unit_test(dips_far_from_the_mean_are_found),
        cmocka_unit_test(what_cannot_be_followed_is_told),
        cmocka_unit_test(what_is_slow_costs_nothing),
        cmocka_unit_test(a_guard_that_has_waited_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
