/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards with known roots: each is found once, at its time, for relative tolerances from 1e-4 to 1e-10 and
 * every method that locates. Simple crossings, guards that touch their threshold, two crossings inside one
 * step, crossings close to each other. `x` is time as a state, which every method integrates exactly; the
 * steps are as long as they may be. */
#include "rt/known_roots_impl.h"

/* ---- simple crossings --------------------------------------------------------------------------------- */

/* sin x passes ½ upwards at π/6 + 2πk and downwards at 5π/6 + 2πk; strict or not makes no difference. */
static void simple_crossings_are_found_once(void **state) {
    const double pi = acos(-1);
    double times[6];
    (void)state;
    for (int k = 0; k < 3; k++) {
        times[2 * k] = pi / 6 + 2 * pi * k;
        times[2 * k + 1] = 5 * pi / 6 + 2 * pi * k;
    }
    assert_moves(MODEL(CLOCK, "sin(x) > 0.5", "sin(x) < 0.5"), 18, 0, times, 6, 0, 1e-12);
    assert_moves(MODEL(CLOCK, "sin(x) >= 0.5", "sin(x) <= 0.5"), 18, 0, times, 6, 0, 1e-12);
}

/* An oscillator by its states: q = cos t passes 0 at odd multiples of π/2, within the tolerance. */
static void crossings_of_a_swing_are_found_once(void **state) {
    const double pi = acos(-1);
    double times[6];
    (void)state;
    for (int k = 0; k < 6; k++) times[k] = pi / 2 + pi * k;
    assert_moves(MODEL("state q = 1 : der = v; state v = 0 : der = -q;", "q < 0", "q > 0"), 18, 0, times, 6,
                 200, 1e-9);
}

/* A guard and its negation, early in a run whose steps grow: a value clear of its band at the start of a step
 * is not back at 0 because the band has grown with the step. */
static void an_early_guard_is_found_once_beside_its_negation(void **state) {
    const double shares[] = {1e-4, 3e-4, 1e-3, 1.3e-3, 2e-3, 5e-3, 1e-2};
    static const char *const guards[] = {"time > t0", "x > t0", "time % 0.5 > t0 && time < 0.4", "time >= t0",
                                         "!(time <= t0)"};
    (void)state;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        for (size_t g = 0; g < sizeof guards / sizeof *guards; g++) {
            const double times[] = {shares[i], 0.4};
            bool ends = strstr(guards[g], "&&") != NULL;
            char text[300];
            snprintf(text, sizeof text,
                     "model M { param t0 = %.17g; " CLOCK " state z = 1 : der = -z; signal late = %s;"
                     " automaton a { off o -> n when late; on n -> o when !late; } }",
                     shares[i], guards[g]);
            assert_moves(text, 1, 0, times, ends ? 2 : 1, 0, 1e-13);
        }
}

/* A strict guard reaches its threshold exactly when a sample is taken: it is located there as without the
 * sample, even if the compared values are much larger than their change. */
static void a_sample_does_not_hold_up_a_strict_guard(void **state) {
    const double times[] = {0.5, 1.5};
    static const char *const ticks[] = {
        "", "sample s every 0.5 = 2;", "sample s every 0.1 = x;",
        "sample s every 0.25 = x; state y = 0 : der = s;",
        "automaton z every 0.5 { off p -> q when x > 5; on q -> p when x < 0; }"};
    (void)state;
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model M { " CLOCK " automaton a { off o -> n when x > 0.5 && x < 1; on n -> o when"
                 " x + 1000 > 1001.5; } %s }",
                 ticks[i]);
        assert_moves(text, 2, 0, times, 2, 0, 1e-12);
    }
}

/* x rises to its threshold by 0.5 s, up to rounding, where the sample makes it turn, stand still, or
 * continue. */
static void what_a_sample_turns_back_has_not_crossed(void **state) {
    const double time = 0.5, slopes[] = {1, 0.1, 0.3, 0.7, 1.1, 1.3};
    (void)state;
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++)
        for (int way = -1; way <= 1; way++) {
            char text[300];
            snprintf(
                text, sizeof text,
                "model M { param u = %g; sample s every 0.5 = time > 0.25 ? %d*u : u; state x = 0 : der = s;"
                " automaton a { off o -> n when x > %.17g; on n -> o when x < -9; } }",
                slopes[i], way, slopes[i] / 2);
            assert_moves(text, 1, 0, &time, way > 0, 0, 1e-12);
        }
}

/* A value that has fallen to where it counts as 0 was above 0 all the time; a guard on that does not begin to
 * hold at a sample. */
static void what_fades_out_does_not_begin_to_hold(void **state) {
    (void)state;
    assert_moves(
        "model M { sample s every 2 = time > 1.5 ? 1 : 0; state x = 1 : der = time < 1 ? 1e-12 - 1 : 0;"
        " automaton a { off o -> n when s > 0.5 && x > 0; on n; } }",
        3, 0, NULL, 0, 0, 1e-12);
}

/* ---- touching ----------------------------------------------------------------------------------------- */

/* cos x reaches 1 at 2πk and −1 in between: a relation that holds at equality is enabled there, a strict one
 * never is. */
static void a_touch_enables_what_holds_at_equality(void **state) {
    const double pi = acos(-1);
    double times[6];
    (void)state;
    for (int k = 0; k < 6; k++) times[k] = pi * (k + 1);
    assert_moves(MODEL(CLOCK, "cos(x) <= -1", "cos(x) >= 1"), 20, 0, times, 6, 0, 1e-11);
}

static void a_touch_does_not_enable_what_is_strict(void **state) {
    (void)state;
    assert_moves(MODEL(CLOCK, "cos(x) < -1", "cos(x) > 1"), 20, 0, NULL, 0, 0, 0);
}

/* (x − 1)² reaches 0 at 1, in the middle of a step, at its end (steps of 0.25), and in one of 0.77. */
static void a_touch_is_found_wherever_it_is_in_a_step(void **state) {
    const double times[] = {1};
    (void)state;
    for (double step = 0.1; step < 1; step += 0.073)
        assert_moves(MODEL(CLOCK, "(x - 1)^2 <= 0", "x < -1"), 3, step, times, 1, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "(x - 1)^2 <= 0", "x < -1"), 3, 0.25, times, 1, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "(x - 1)^2 < 0", "x < -1"), 3, 0.25, NULL, 0, 0, 0);
}

/* 1 − (x − 1)² reaches 1 at 1, where both guards hold: the one that leads back waits until the band is left,
 * 1e-5 later. */
static void a_touch_at_which_both_guards_hold_goes_there_and_back(void **state) {
    const double times[] = {1, 1 + 1e-5};
    (void)state;
    assert_moves(MODEL(CLOCK, "1 - (x - 1)^2 >= 1", "1 - (x - 1)^2 <= 1"), 3, 0.77, times, 2, 0, 2e-5);
    assert_moves(MODEL(CLOCK, "1 - (x - 1)^2 >= 1", "1 - (x - 1)^2 >= 1"), 3, 0.77, times, 1, 0, 2e-5);
}

/* ---- what is not smooth ------------------------------------------------------------------------------- */

/* |x − c| has its kink anywhere in a step: it is touched once, and |x − c| < w is entered and left. */
static void a_kink_is_found_wherever_it_is_in_a_step(void **state) {
    const double kinks[] = {0.448, 0.942, 1.05, 1.069, 1.887001329, 2.35, 2.709, 2.992, 3.415};
    (void)state;
    for (size_t i = 0; i < sizeof kinks / sizeof *kinks; i++) {
        double c = kinks[i], pair[] = {c - 1e-4, c + 1e-4};
        char text[300];
        snprintf(text, sizeof text, MODEL(CLOCK, "abs(x - %.17g) <= 0", "x < -1"), c);
        assert_moves(text, 4, 0, &c, 1, 0, 1e-9);
        snprintf(text, sizeof text, MODEL(CLOCK, "1 - abs(x - %.17g) >= 1", "x < -1"), c);
        assert_moves(text, 4, 0.3, &c, 1, 0, 1e-9);
        snprintf(text, sizeof text, MODEL(CLOCK, "abs(x - %.17g) < 1e-4", "abs(x - %.17g) > 1e-4"), c, c);
        assert_moves(text, 4, 0, pair, 2, 0, 1e-12);
    }
}

/* Near the beginning of a short interval a kink may be lower than the end by less than the rounding of the
 * compared values. */
static void a_kink_that_rounding_hides_is_found(void **state) {
    const double time = 0.9723142271273969 / 0.002493931104387926;
    (void)state;
    assert_moves(
        "model M { state x = 0 : der = 0.002493931104387926; automaton a { off o -> n when"
        " 1000 - 0.15621846524922414*abs(x - 0.9723142271273969) >= 1000; on n -> o when x < -1; } }",
        4009.7338624974786, 0, &time, 1, 0, 1e-3);
}

/* A value that jumps to its threshold, or reaches it, and stays there holds from there on; a value that
 * starts there does not cross. */
static void what_stays_at_its_threshold_is_found_where_it_gets_there(void **state) {
    const double one = 1;
    static const char *const guards[] = {"floor(x) >= 1", "floor(x) > 0",      "floor(x) == 1",
                                         "ceil(x) >= 2",  "ceil(x) > 1",       "sign(x-1) >= 0",
                                         "max(x, 1) > 1", "max(1 - x, 0) <= 0"};
    (void)state;
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++)
        for (int steps = 0; steps < 4; steps++) {
            const double longest[] = {0, 0.1, 0.3, 1};
            char text[300];
            snprintf(text, sizeof text, "model M { " CLOCK " automaton a { off o -> n when %s; on n; } }",
                     guards[i]);
            assert_moves(text, 3.5, longest[steps], &one, 1, 0, 1e-9);
        }
}

static void count_instants(void *context, const hbg_sim_event *event) {
    *(int *)context += event->t > 0 && event->visit_count > 0;
}

/* Roots that are equal up to rounding are one instant. */
static void what_crosses_at_once_is_one_instant(void **state) {
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        fixture f;
        hbg_arena arena;
        hbg_sim_result result;
        int instants = 0;
        hbg_sim_options options = hbg_sim_options_default();
        options.solver = solvers[s];
        options.stop = 3;
        options.event = count_instants;
        options.context = &instants;
        fixture_open(&f, "model M { " CLOCK " state y = 3 : der = -1;"
                         "automaton a { off o -> n when x >= 1; on n -> p when x > 2; off p; }"
                         "automaton b { off o -> n when y <= 2; on n -> p when y < 1; off p; }"
                         "automaton c { off o -> n when x - y >= -1; on n -> p when x - y > 1; off p; } }");
        hbg_base_arena_init(&arena, &f.memory);
        assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
        assert_int_equal(instants, 2);
        hbg_base_arena_fini(&arena);
        fixture_close(&f);
    }
}

/* Guards that are evaluated once a step: one at its threshold there holds from then on, together with those
 * that have passed theirs. */
static void a_look_a_step_sees_what_stands_at_its_threshold(void **state) {
    static const char *const guards[] = {"floor(x) >= 1", "floor(x) == 1", "x >= 1", "max(1 - x, 0) <= 0"};
    (void)state;
    for (int solver = HBG_SIM_EULER; solver <= HBG_SIM_TRAPEZOIDAL; solver++)
        for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
            fixture f;
            moves told;
            char text[300];
            snprintf(text, sizeof text, "model M { " CLOCK " automaton a { off o -> n when %s; on n; } }",
                     guards[i]);
            fixture_open(&f, text);
            run_model(&f, (hbg_sim_solver)solver, 0, 3, 0x1p-10, &told); // steps that end at 1
            assert_int_equal(told.count, 1);
            assert_near(told.times[0], 1, 1e-12);
            fixture_close(&f);
        }
}

/* Steps of 0.1 end at 0.3 up to rounding, to either side: a strict guard does not hold there, but one step
 * later. */
static void a_look_within_rounding_is_at_equality(void **state) {
    static const struct {
        const char *guard;
        double at;
    } cases[] = {{"x > 0.3", 0.4},     {"x >= 0.3", 0.3},   {"x > 1", 1.1},
                 {"0.7 - x < 0", 0.8}, {"0.7 <= x", 0.7},   {"1/(x - 1.3)^2 > 100", 1.3},
                 {"x == 0.6", 0.6},    {"!(x <= 0.6)", 0.7}};
    (void)state;
    for (int solver = HBG_SIM_EULER; solver <= HBG_SIM_TRAPEZOIDAL; solver++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            fixture f;
            moves told;
            char text[300];
            snprintf(text, sizeof text, "model M { " CLOCK " automaton a { off o -> n when %s; on n; } }",
                     cases[i].guard);
            fixture_open(&f, text);
            run_model(&f, (hbg_sim_solver)solver, 0, 2, 0.1, &told);
            assert_int_equal(told.count, 1);
            assert_near(told.times[0], cases[i].at, 1e-12);
            fixture_close(&f);
        }
}

/* ---- back at once ------------------------------------------------------------------------------------- */

static hbg_rt_verdict verdict_of(const char *text, double *t) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    hbg_sim_options options = hbg_sim_options_default();
    options.stop = 3;
    options.strict = true;
    fixture_open(&f, text);
    hbg_base_arena_init(&arena, &f.memory);
    assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_VERDICT);
    *t = result.t;
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
    return result.verdict;
}

/* The guard that leads back is the same one, or the negation of the next crossing: neither is lost when
 * equality is left. */
static void what_leads_back_is_seen_when_equality_is_left(void **state) {
    double t;
    (void)state;
    assert_int_equal(verdict_of(MODEL(CLOCK, "x >= 1", "x >= 1"), &t), HBG_RT_DIVERGENCE);
    assert_near(t, 1, 1e-9);
    assert_int_equal(verdict_of(MODEL("state T = 0 : der = a.o ? 1 : -1;", "T > 1", "!(T > 1)"), &t),
                     HBG_RT_CHATTERING);
    assert_near(t, 1, 1e-6);
}

/* ---- two roots inside a step -------------------------------------------------------------------------- */

/* Below 0 between 1 − w and 1 + w, in steps of 0.77; a dip no deeper than the band counts as a touch. */
static void a_pair_inside_a_step_is_found_as_two(void **state) {
    (void)state;
    for (int digits = 1; digits <= 4; digits++) {
        double w = pow(10, -digits);
        double times[] = {1 - w, 1 + w};
        char text[300];
        snprintf(text, sizeof text, MODEL(CLOCK, "(x - 1)^2 < %.17g", "(x - 1)^2 > %.17g"), w * w, w * w);
        assert_moves(text, 3, 0.77, times, 2, 0, 1e-13 / w + 1e-13);
    }
}

/* Two dips in one step: (x − 1)·(x − 1.1)·(x − 1.4)·(x − 1.5); then a dip and a later crossing, without the
 * last factor */
static void all_roots_inside_a_step_are_found_in_order(void **state) {
    const double times[] = {1, 1.1, 1.4, 1.5};
    (void)state;
    assert_moves(MODEL(CLOCK, "(x - 1)*(x - 1.1)*(x - 1.4)*(x - 1.5) < 0",
                       "(x - 1)*(x - 1.1)*(x - 1.4)*(x - 1.5) > 0"),
                 2, 0.8, times, 4, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "(x - 1)*(x - 1.1)*(x - 1.4) > 0", "(x - 1)*(x - 1.1)*(x - 1.4) < 0"), 2, 0.8,
                 times, 3, 0, 1e-11);
}

/* A dip of one guard before the crossing of another one, both in one step. */
static void a_dip_before_a_crossing_of_another_guard_is_not_lost(void **state) {
    const double times[] = {1.01, 1.3};
    (void)state;
    // from 1.01 on, for a moment only; then a sibling of the first guard is crossed
    assert_moves(MODEL(CLOCK, "(x - 1.02)^2 < 1e-4", "x > 1.3"), 3, 0.77, times, 2, 0, 1e-11);
}

/* ---- close together ----------------------------------------------------------------------------------- */

/* Thresholds 1, 1 + 200·rtol and 1 + 400·rtol, passed one after the other. */
static void crossings_close_together_are_told_apart(void **state) {
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int r = 0; r < TOLERANCES; r++) {
            double gap = 200 * tolerances[r];
            char text[300];
            fixture f;
            moves told;
            snprintf(text, sizeof text,
                     "model M { " CLOCK " automaton a { off o -> p when x > 1; off p -> q when x > %.17g;"
                     "off q -> r when x > %.17g; off r -> o when x < 0; } }",
                     1 + gap, 1 + 2 * gap);
            fixture_open(&f, text);
            run_model(&f, solvers[s], tolerances[r], 1.9, 0, &told);
            assert_int_equal(told.count, 3);
            for (int i = 0; i < 3; i++) assert_near(told.times[i], 1 + i * gap, 1e-13);
            fixture_close(&f);
        }
}

static const double shares[] = {110, 150, 200, 300}; /* of the tolerance: the distance of two roots */
static const double all_tolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
enum { SHARES = 4, ALL_TOLERANCES = 7 };

typedef struct {
    const char *text;
    double (*value)(double x);
} curve;

static double cubic(double x) {
    return x * x * x - x;
}

static double decay(double x) {
    return exp(-x);
}

/* One model on all solvers; the moves are those at the times given. */
static void assert_on_all_solvers(const char *text, double rtol, double stop, double step,
                                  const double *times, int count, double error) {
    for (int s = 0; s < SOLVERS; s++) {
        fixture f;
        moves told;
        fixture_open(&f, text);
        run_model(&f, solvers[s], rtol, stop, step, &told);
        if (told.count != count)
            fail_msg("%d moves, not %d, solver %d, rtol %g, of\n%s", told.count, count, solvers[s], rtol,
                     text);
        for (int i = 0; i < count; i++)
            if (!(fabs(told.times[i] - times[i]) <= error))
                fail_msg("move %d at %.17g, not %.17g, solver %d, rtol %g, of\n%s", i, told.times[i],
                         times[i], solvers[s], rtol, text);
        fixture_close(&f);
    }
}

/* A polynomial, a sine and an exponential pass two thresholds one after the other, 110 to 300 times the
 * tolerance apart. */
static void two_thresholds_are_told_apart_on_any_curve(void **state) {
    static const curve curves[] = {{"x^3 - x", cubic}, {"sin(x)", sin}, {"exp(-x)", decay}};
    (void)state;
    for (size_t c = 0; c < sizeof curves / sizeof *curves; c++)
        for (int r = 0; r < ALL_TOLERANCES; r++)
            for (int k = 0; k < SHARES; k++) {
                double gap = shares[k] * all_tolerances[r], first = 1.1, times[] = {first, first + gap};
                const char *sign = curves[c].value(1.2) > curves[c].value(1.1) ? ">" : "<";
                char text[400];
                snprintf(text, sizeof text,
                         "model M { " CLOCK
                         " automaton a { off o -> p when %s %s %.17g; off p -> q when %s %s %.17g;"
                         "off q -> o when x < 0; } }",
                         curves[c].text, sign, curves[c].value(times[0]), curves[c].text, sign,
                         curves[c].value(times[1]));
                assert_on_all_solvers(text, all_tolerances[r], 1.5, 0, times, 2, 1e-12);
            }
}

/* One relation that holds only between two such roots. Its curve is flat there: it differs from its threshold
 * by the square of half the distance, which has to be more than rounding. */
static void two_roots_of_one_relation_are_told_apart_as_far_as_numbers_can(void **state) {
    static const char *const below[] = {"(x - 1)^2 < %.17g", "1 - cos(x - 1) < %.17g",
                                        "exp((x - 1)^2) < %.17g"};
    static const char *const above[] = {"(x - 1)^2 > %.17g", "1 - cos(x - 1) > %.17g",
                                        "exp((x - 1)^2) > %.17g"};
    (void)state;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < ALL_TOLERANCES; r++)
            for (int k = 0; k < SHARES; k++) {
                double half = shares[k] * all_tolerances[r] / 2, times[] = {1 - half, 1 + half};
                double depth = half * half, level = c == 0 ? depth : c == 1 ? 1 - cos(half) : exp(depth);
                char text[400], there[80], back[80];
                if (depth < 2e-13) continue;
                snprintf(there, sizeof there, below[c], level);
                snprintf(back, sizeof back, above[c], level);
                snprintf(text, sizeof text,
                         "model M { " CLOCK " automaton a { off o -> n when %s; on n -> o when %s; } }",
                         there, back);
                assert_on_all_solvers(text, all_tolerances[r], 2.9, 0.77, times, 2, 1e-15 / half + 1e-12);
            }
}

/* A product whose factors are exact differences: its sign is right however small it is, and 30 times the
 * tolerance of 1e-10 is enough. Between the roots it is lower than the band of equality by five to seven
 * orders. */
static void flat_roots_of_a_product_are_told_apart(void **state) {
    static const double gaps[] = {1.1e-6, 1.1e-7, 1.1e-8, 3e-9};
    (void)state;
    for (int k = 0; k < 4; k++) {
        double times[] = {1, 1 + gaps[k]};
        char text[400], product[80];
        snprintf(product, sizeof product, "(x - 1)*(x - %.17g)", times[1]);
        snprintf(text, sizeof text,
                 "model M { " CLOCK " automaton a { off o -> n when %s < 0; on n -> o when %s > 0; } }",
                 product, product);
        for (int r = 0; r < ALL_TOLERANCES; r++)
            assert_on_all_solvers(text, all_tolerances[r], 3, 0, times, 2, 1e-13);
        snprintf(text, sizeof text,
                 "model M { " CLOCK
                 " automaton a { off o -> n when (x - 1)^2 < %.17g; on n -> o when (x - 1)^2 > %.17g; } }",
                 gaps[k] * gaps[k], gaps[k] * gaps[k]);
        times[0] = 1 - gaps[k];
        assert_on_all_solvers(text, 1e-10, 3, 0, times, 2, 1e-13);
    }
}

/* ---- values in other states --------------------------------------------------------------------------- */

#define HELD(push, guard)                                                                                    \
    "model A { 1 ball; I m(1, f = 1); Se push(" push                                                         \
    "); Sf wall(0); 0 c when k; push -> ball -> m; wall -> c; h: c -> ball;"                                 \
    "automaton k { off free -> held when " guard "; on held; } }"

/* Holding the ball takes a pulse −p while it moves, p = 1 − push·t, and then a force as large as the push.
 * However large 0.6 is, a pulse is larger; when it has vanished the force decides. */
static void a_pulse_that_vanishes_leaves_it_to_the_force(void **state) {
    const double two = 2;
    static const char *const held[] = {HELD("-0.5", "in(k.held, abs(h.e)) <= 0.6"),
                                       HELD("-0.5", "in(k.held, max(h.e, -h.e)) <= 0.6"),
                                       HELD("-0.5", "in(k.held, min(-h.e, h.e)) >= -0.6")};
    static const char *const free[] = {HELD("-1", "in(k.held, abs(h.e)) <= 0.6"),
                                       HELD("-1", "in(k.held, max(h.e, -h.e)) <= 0.6"),
                                       HELD("-1", "in(k.held, min(-h.e, h.e)) >= -0.6")};
    (void)state;
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        assert_moves(held[i], 3, 0, &two, 1, 0, 1e-9);
        assert_moves(free[i], 3, 0, NULL, 0, 0, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_crossings_are_found_once),
        cmocka_unit_test(crossings_of_a_swing_are_found_once),
        cmocka_unit_test(an_early_guard_is_found_once_beside_its_negation),
        cmocka_unit_test(a_sample_does_not_hold_up_a_strict_guard),
        cmocka_unit_test(what_a_sample_turns_back_has_not_crossed),
        cmocka_unit_test(what_fades_out_does_not_begin_to_hold),
        cmocka_unit_test(a_touch_enables_what_holds_at_equality),
        cmocka_unit_test(a_touch_does_not_enable_what_is_strict),
        cmocka_unit_test(a_touch_is_found_wherever_it_is_in_a_step),
        cmocka_unit_test(a_touch_at_which_both_guards_hold_goes_there_and_back),
        cmocka_unit_test(what_leads_back_is_seen_when_equality_is_left),
        cmocka_unit_test(a_kink_is_found_wherever_it_is_in_a_step),
        cmocka_unit_test(a_kink_that_rounding_hides_is_found),
        cmocka_unit_test(what_stays_at_its_threshold_is_found_where_it_gets_there),
        cmocka_unit_test(what_crosses_at_once_is_one_instant),
        cmocka_unit_test(a_look_a_step_sees_what_stands_at_its_threshold),
        cmocka_unit_test(a_look_within_rounding_is_at_equality),
        cmocka_unit_test(a_pair_inside_a_step_is_found_as_two),
        cmocka_unit_test(all_roots_inside_a_step_are_found_in_order),
        cmocka_unit_test(a_dip_before_a_crossing_of_another_guard_is_not_lost),
        cmocka_unit_test(crossings_close_together_are_told_apart),
        cmocka_unit_test(two_thresholds_are_told_apart_on_any_curve),
        cmocka_unit_test(two_roots_of_one_relation_are_told_apart_as_far_as_numbers_can),
        cmocka_unit_test(flat_roots_of_a_product_are_told_apart),
        cmocka_unit_test(a_pulse_that_vanishes_leaves_it_to_the_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
