/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Thresholds that are approached for ever: a state comes closer and closer to its limit, and a strict guard
 * on the limit never holds, whatever the errors of a step. A real crossing is still located, even a very slow
 * one, or one after such an approach. */
#include "rt/known_roots_impl.h"

enum { TEXT = 400, MODELS = 12 };

static double random_of(uint32_t *seed, double low, double high) {
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(*seed >> 8) / (1 << 24);
}

/* States that come to their limit from below, monotonously: alone, second order with real roots, a sum, a
 * cascade. */
static double write_settling(char *text, const char *more, uint32_t *seed, int kind) {
    double k = pow(10, random_of(seed, -1, 2)), limit = pow(10, random_of(seed, -2, 3));
    double begin = limit * random_of(seed, -2, 0.9), other = k * pow(10, random_of(seed, 0.2, 1));
    char states[TEXT / 2];
    if (kind == 0)
        snprintf(states, sizeof states, "state x = %.17g : der = k*(a - x); signal g = x > a;", begin);
    else if (kind == 1)
        snprintf(states, sizeof states,
                 "state x = %.17g : der = v; state v = 0 : der = -(k + c)*v - k*c*(x - a); signal g = x > a;",
                 begin);
    else if (kind == 2)
        snprintf(
            states, sizeof states,
            "state x = %.17g : der = k*(a - x); state y = %.17g : der = c*(a - y); signal g = x + y > 2*a;",
            begin, begin);
    else
        snprintf(states, sizeof states,
                 "state y = %.17g : der = k*(a - y); state x = %.17g : der = c*(y - x); signal g = x > a;",
                 begin, begin);
    snprintf(
        text, TEXT,
        "model M { param k = %.17g, a = %.17g, c = %.17g; %s %s automaton m { off o -> n when g; on n; } }",
        k, limit, other, states, more);
    return pow(10, random_of(seed, 1, 2.5)) / k;
}

static void assert_never(const char *text, double stop) {
    static const hbg_sim_solver methods[] = {HBG_SIM_ERK, HBG_SIM_ADAMS, HBG_SIM_BDF};
    for (int s = 0; s < 3; s++)
        for (int r = 0; r < TOLERANCES; r++) {
            fixture f;
            moves told;
            fixture_open(&f, text);
            run_model(&f, methods[s], tolerances[r], stop, 0, &told);
            if (told.count != 0)
                fail_msg("%d moves, solver %d, rtol %g, the last at %.17g, of\n%s", told.count, methods[s],
                         tolerances[r], told.times[told.count - 1], text);
            fixture_close(&f);
        }
}

static void a_threshold_approached_for_ever_is_never_crossed(void **state) {
    uint32_t seed = 20;
    char text[TEXT];
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        double stop = write_settling(text, "", &seed, i % 4);
        assert_never(text, stop);
    }
}

/* Nor if a planned instant evaluates all guards. */
static void samples_on_the_way_do_not_cross_it(void **state) {
    uint32_t seed = 40;
    char text[TEXT];
    (void)state;
    for (int i = 0; i < 4; i++) {
        double stop = write_settling(text, "sample s every 0.3/k = x;", &seed, i % 4);
        assert_never(text, fmin(stop, 50));
    }
}

/* x = 1 − exp(−t) passes 1 − 1e-3 at ln 1000, where it moves by 1e-3 a second. */
static void a_slow_crossing_is_one(void **state) {
    const double time = log(1000);
    (void)state;
    assert_moves(MODEL("state x = 0 : der = 1 - x;", "x > 0.999", "x < -1"), 20, 0, &time, 1, 4e3, 1e-9);
}

/* x has reached 1 up to exp(−30); then its limit becomes 2. */
static void what_leaves_the_threshold_behind_an_approach_crosses_it(void **state) {
    const double time = 30;
    (void)state;
    assert_moves(MODEL("state x = 0 : der = (time < 30 ? 1 : 2) - x;", "x > 1", "x < -1"), 40, 0, &time, 1,
                 20, 1e-9);
}

/* A state follows cos t with the rate L, driven by L·(cos t − x), a difference that is L times the error of a
 * state. With L large it is −sin t·(1 − e^(−L·t)) up to 1/L, and so passes 0 at k·π + atan(1/L). */
static void what_a_fast_component_reads_crosses_where_it_does_and_only_there(void **state) {
    static const double rates[] = {1e3, 1e6}, errors[] = {1, 500};
    (void)state;
    for (int l = 0; l < 2; l++)
        for (int r = 0; r < 3; r++) {
            fixture f;
            moves told;
            char text[TEXT];
            snprintf(text, TEXT,
                     "model M { param L = %g; state x = 1 : der = L*(cos(time) - x); automaton m {"
                     "on n -> o when L*(cos(time) - x) > 0; off o -> n when L*(cos(time) - x) < 0; } }",
                     rates[l]);
            fixture_open(&f, text);
            run_model(&f, HBG_SIM_BDF, tolerances[r], 7, 0, &told);
            assert_int_equal(told.count, 2);
            for (int i = 0; i < 2; i++)
                assert_true(fabs(told.times[i] - (i + 1) * acos(-1) - atan(1 / rates[l])) <=
                            errors[l] * tolerances[r] + 1e-7);
            fixture_close(&f);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_threshold_approached_for_ever_is_never_crossed),
        cmocka_unit_test(samples_on_the_way_do_not_cross_it),
        cmocka_unit_test(a_slow_crossing_is_one),
        cmocka_unit_test(what_leaves_the_threshold_behind_an_approach_crosses_it),
        cmocka_unit_test(what_a_fast_component_reads_crosses_where_it_does_and_only_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
