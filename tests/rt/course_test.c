/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards whose crossings are invisible in samples of a step: pulses that are far shorter than the step, fast
 * functions that look slow, kinks and cells inside others; and hard ones with visible crossings: many
 * crossings in a step, apexes that pass, equal or miss a threshold by 1e-8, carriers that beat, chirps,
 * poles, gains on rounding. Times have closed forms; `x` is time as a state, whose steps are as long as they
 * may be. Every method that locates finds each, once, at every tolerance. */
#include "rt/known_roots_impl.h"

/* Above a level and below it again. */
static void assert_pulse(const char *expression, double level, const double *times, int count, double stop,
                         double error) {
    char text[1000];
    snprintf(text, sizeof text, MODEL(CLOCK, "%s > %.17g", "%s < %.17g"), expression, level, expression,
             level);
    assert_moves(text, stop, 0, times, count, 0, error);
}

static const double widths[] = {1e-3, 1e-4, 1e-6};
enum { WIDTHS = 3 };

/* exp(−u²) is ½ at u² = ln 2, 1/(1 + u²) at u² = 1, 1 − |u| at |u| = ½. */
static void a_pulse_is_found_however_short_it_is(void **state) {
    (void)state;
    for (int i = 0; i < WIDTHS; i++) {
        double w = widths[i], half = w * sqrt(log(2));
        char text[200];
        snprintf(text, sizeof text, "exp(-((x - 0.7)/%g)^2)", w);
        assert_pulse(text, 0.5, (const double[]){0.7 - half, 0.7 + half}, 2, 2, 1e-12);
        snprintf(text, sizeof text, "1/(1 + ((x - 0.7)/%g)^2)", w);
        assert_pulse(text, 0.5, (const double[]){0.7 - w, 0.7 + w}, 2, 2, 1e-12);
        snprintf(text, sizeof text, "max(0, 1 - abs(x - 0.7)/%g)", w);
        assert_pulse(text, 0.5, (const double[]){0.7 - w / 2, 0.7 + w / 2}, 2, 2, 1e-12);
    }
}

/* tanh(u + 1) − tanh(u − 1) = sinh 2/(cosh(2u)/2 + cosh(2)/2) is 1 at cosh(2u) = 2·sinh 2 − cosh 2. Together
 * with another moving term. */
static void a_pulse_beside_others_is_found(void **state) {
    (void)state;
    for (int i = 0; i < WIDTHS; i++) {
        double w = widths[i], half = w * acosh(2 * sinh(2) - cosh(2)) / 2;
        char text[300];
        snprintf(text, sizeof text, "tanh((x - 0.7)/%g + 1) - tanh((x - 0.7)/%g - 1)", w, w);
        assert_pulse(text, 1, (const double[]){0.7 - half, 0.7 + half}, 2, 2, 1e-11);
        // from −3 + 0.7 up to 1.3: a ramp, and a peak of 5 on it, which is at 1 where 5·(1 − |u|) = 3.3 − (x
        // − 0.7)
        snprintf(text, sizeof text, "x - 3 + 5*max(0, 1 - abs(x - 0.7)/%g)", w);
        double up = w * (5 - 3.3) / (5 + w), down = w * (5 - 3.3) / (5 - w);
        assert_pulse(text, 1, (const double[]){0.7 - up, 0.7 + down}, 2, 2, 1e-12);
    }
}

/* One cell of thousands, and a gate. */
static void a_short_cell_is_found(void **state) {
    (void)state;
    assert_pulse("(floor(1e3*x) == 700 ? 1 : 0)", 0.5, (const double[]){0.7, 0.701}, 2, 2, 1e-11);
    assert_pulse("(x > 0.7 ? 1 : 0)*(x < 0.700001 ? 1 : 0)", 0.5, (const double[]){0.7, 0.700001}, 2, 2,
                 1e-11);
}

/* A pulse as fast that never reaches the threshold is not an event, and gives no verdict. */
static void what_stays_short_of_its_threshold_is_no_event(void **state) {
    (void)state;
    assert_pulse("exp(-((x - 0.7)/1e-4)^2)", 1.000001, NULL, 0, 2, 0);
    assert_pulse("max(0, 1 - abs(x - 0.7)/1e-4)", 1.000001, NULL, 0, 2, 0);
    assert_pulse("1/(1 + ((x - 0.7)/1e-6)^2)", 1.000001, NULL, 0, 2, 0);
}

/* sin(100·x)·sin(101·x) changes its sign at multiples of π/100 and of π/101, at first 3e-4 apart. */
static void carriers_that_beat_are_told_apart(void **state) {
    const double pi = acos(-1);
    double times[100];
    int count = 0;
    (void)state;
    for (int k = 1; k * pi / 101 < 1; k++) {
        times[count++] = k * pi / 101;
        if (k * pi / 100 < 1) times[count++] = k * pi / 100;
    }
    assert_moves(MODEL(CLOCK, "sin(100*x)*sin(101*x) < 0", "sin(100*x)*sin(101*x) > 0"), 1, 0, times, count,
                 0, 1e-11);
}

/* sin(50·x²) passes ½ at √((π/6 + 2πk)/50) and √((5π/6 + 2πk)/50). */
static void a_chirp_is_followed(void **state) {
    const double pi = acos(-1);
    double times[200];
    int count = 0;
    (void)state;
    for (int k = 0; sqrt((pi / 6 + 2 * pi * k) / 50) < 3; k++)
        for (int way = 0; way < 2; way++) {
            double at = sqrt(((way ? 5 : 1) * pi / 6 + 2 * pi * k) / 50);
            if (at < 3) times[count++] = at;
        }
    assert_pulse("sin(50*x^2)", 0.5, times, count, 3, 1e-11);
}

/* The ninth polynomial of Chebyshev has nine roots between −1 and 1. */
static void nine_roots_are_found_one_by_one(void **state) {
    const char *polynomial = "256*(x-1)^9 - 576*(x-1)^7 + 432*(x-1)^5 - 120*(x-1)^3 + 9*(x-1)";
    double times[9];
    (void)state;
    for (int k = 0; k < 9; k++) times[k] = 1 - cos((2 * k + 1) * acos(-1) / 18);
    assert_pulse(polynomial, 0, times, 9, 2.2, 1e-12);
}

/* 1 − (x − 1)² and sin x by their apexes. */
static void an_apex_passes_equals_or_misses(void **state) {
    const double w = 1e-4, d = acos(1 - 1e-8), top = acos(-1) / 2, one = 1;
    (void)state;
    assert_pulse("1 - (x - 1)^2", 1 - 1e-8, (const double[]){1 - w, 1 + w}, 2, 2.7, 1e-10);
    assert_pulse("1 - (x - 1)^2", 1 + 1e-8, NULL, 0, 2.7, 0);
    assert_pulse("sin(x)", 1 - 1e-8, (const double[]){top - d, top + d}, 2, 2.7, 1e-10);
    assert_pulse("sin(x)", 1 + 1e-8, NULL, 0, 2.7, 0);
    assert_moves(MODEL(CLOCK, "1 - (x - 1)^2 >= 1", "x < -1"), 2.7, 0, &one, 1, 0, 1e-8);
    assert_moves(MODEL(CLOCK, "sin(x) >= 1", "x < -1"), 2.7, 0, &top, 1, 0, 1e-8);
}

/* tan(5·x) is 10 at (atan 10 + kπ)/5 and has its poles at (π/2 + kπ)/5; 1/(x − 1) is above 100 from 1 to
 * 1.01. */
static void poles_end_what_they_end(void **state) {
    const double pi = acos(-1);
    double times[8];
    int count = 0;
    (void)state;
    for (int k = 0; k < 3; k++) {
        times[count++] = (atan(10) + k * pi) / 5;
        times[count++] = (pi / 2 + k * pi) / 5;
    }
    assert_pulse("tan(5*x)", 10, times, count, 2, 1e-11);
    assert_pulse("1/(x - 1)", 100, (const double[]){1, 1.01}, 2, 2, 1e-11);
}

/* x·x·… in two orders differs only by rounding, whatever its factor. */
static void rounding_is_no_event(void **state) {
    static const char *const guards[] = {"x*0.1*10 > x", "1e12*((x + 1) - 1 - x) > 0",
                                         "(x + y)^2 - x^2 - 2*x*y - y^2 > 0"};
    (void)state;
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
        char text[300];
        snprintf(text, sizeof text, MODEL(CLOCK "state y = 3 : der = -0.3;", "%s", "x < -1"), guards[i]);
        assert_moves(text, 20, 0, NULL, 0, 0, 0);
    }
}

/* 10·x has its cells of three, x % 0.1 its cells of 0.03. */
static void cells_of_cells_are_found(void **state) {
    (void)state;
    assert_moves(MODEL(CLOCK, "floor(10*x) % 3 >= 2", "floor(10*x) % 3 < 2"), 1, 0,
                 (const double[]){0.2, 0.3, 0.5, 0.6, 0.8, 0.9}, 6, 0, 1e-12);
    assert_moves(MODEL(CLOCK, "(x % 0.1) % 0.03 > 0.02", "(x % 0.1) % 0.03 < 0.02"), 0.1, 0,
                 (const double[]){0.02, 0.03, 0.05, 0.06, 0.08, 0.09}, 6, 0, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulse_is_found_however_short_it_is),
        cmocka_unit_test(a_pulse_beside_others_is_found),
        cmocka_unit_test(a_short_cell_is_found),
        cmocka_unit_test(what_stays_short_of_its_threshold_is_no_event),
        cmocka_unit_test(carriers_that_beat_are_told_apart),
        cmocka_unit_test(a_chirp_is_followed),
        cmocka_unit_test(nine_roots_are_found_one_by_one),
        cmocka_unit_test(an_apex_passes_equals_or_misses),
        cmocka_unit_test(poles_end_what_they_end),
        cmocka_unit_test(rounding_is_no_event),
        cmocka_unit_test(cells_of_cells_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
