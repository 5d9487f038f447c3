/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that are hard to locate, with times in closed form: cases that course_test.c, roots_*_test.c and
 * guard_*_test.c leave out. Every method that locates finds the same moves of one automaton, at tolerances
 * from 1e-4 to 1e-10. `x` is time as a state. */
#include "rt/known_roots_impl.h"

enum { MOST_TIMES = 64 };

/* Above a level and below it again. */
static void assert_between(const char *expression, double level, double stop, const double *times, int count,
                           double error) {
    char text[600];
    snprintf(text, sizeof text, MODEL(CLOCK, "%s > %.17g", "%s < %.17g"), expression, level, expression,
             level);
    assert_moves(text, stop, 0, times, count, 0, error);
}

/* It holds at one time, and not again. */
static void assert_once(const char *states, const char *guard, double stop, double time, double error) {
    char text[600];
    snprintf(text, sizeof text, MODEL("%s", "%s", "time < -1"), states, guard);
    assert_moves(text, stop, 0, &time, 1, 0, error);
}

static void roots_of_one_step_are_told_apart(void **state) {
    (void)state;
    assert_between("(x - 1)*(x - 1.001)*(x - 1.002)", 0, 2, (const double[]){1, 1.001, 1.002}, 3, 1e-8);
    assert_between("(1 - x)*(x - 1.0001)", 0, 2, (const double[]){1, 1.0001}, 2, 1e-6);
    assert_between("tanh(1e6*(x - 0.7))", 0.5, 2, (const double[]){0.7 + atanh(0.5) / 1e6}, 1, 1e-12);
    assert_between("exp(20*x)", exp(20), 2, (const double[]){1}, 1, 1e-12);
}

/* exp(−t/10)·sin(10·t) is 0 at multiples of π/10. */
static void a_ringing_state_is_followed_to_its_end(void **state) {
    double times[30];
    (void)state;
    for (int k = 0; k < 30; k++) times[k] = (k + 1) * acos(-1) / 10;
    assert_moves(MODEL("state x = 0 : der = v; state v = 10 : der = -0.2*v - 100.01*x;", "x < 0", "x > 0"),
                 9.5, 0, times, 30, 100, 1e-9);
}

/* The angle of a rotor that coasts is 200·(1 − exp(−t/10)); three times it passes π/6 + 2πk and 5π/6 +
 * 2πk. */
static void a_rotor_that_coasts_is_followed(void **state) {
    const double pi = acos(-1);
    double times[MOST_TIMES];
    int count = 0;
    (void)state;
    for (int k = 0; k < 24; k++)
        for (int way = 0; way < 2; way++)
            times[count++] = -10 * log(1 - ((way ? 5 : 1) * pi / 6 + 2 * pi * k) / 600);
    assert_moves(MODEL("state w = 20 : der = -0.1*w; state phi = 0 : der = w;", "sin(3*phi) > 0.5",
                       "sin(3*phi) < 0.5"),
                 times[count - 1] + 0.01, 0, times, count, 1e3, 1e-8);
}

/* A room that tends to 30 degrees heated and to 10 unheated, with a time constant of 10. */
static void a_thermostat_keeps_its_rhythm(void **state) {
    double times[20], t = 10 * log(9.5 / 9);
    (void)state;
    for (int k = 0; k < 20; t += 10 * log(k++ % 2 ? 10.0 / 9 : 11.0 / 10)) times[k] = t;
    assert_moves("model M { automaton a { on h -> w when T > 21; off w -> h when T < 20; }"
                 "state T = 20.5 : der = ((a.h ? 30 : 10) - T)/10; }",
                 times[19] + 0.1, 0, times, 20, 1e3, 1e-7);
}

/* A third root has its tips, and is steepest, where its level is nearly reached. */
static void cusps_that_pass_a_level_do_so_on_both_sides(void **state) {
    const double pi = acos(-1), half = asin(0.125), third = asin(1e-6);
    (void)state;
    assert_between("abs(sin(x))^(1/3)", 0.5, 7,
                   (const double[]){half, pi - half, pi + half, 2 * pi - half, 2 * pi + half}, 5, 1e-9);
    assert_between("-abs(sin(x))^(1/3)", -0.01, 4, (const double[]){0, third, pi - third, pi + third}, 4,
                   1e-9);
    assert_between("1 - abs(x - 1)", 1 - 1e-8, 2, (const double[]){1 - 1e-8, 1 + 1e-8}, 2, 1e-10);
    assert_between("1 - sqrt(abs(x - 1))", 1 - 1e-4, 2, (const double[]){1 - 1e-8, 1 + 1e-8}, 2, 1e-10);
}

static void kinks_touch_where_two_courses_meet(void **state) {
    const double low = acos(sqrt(0.5) + 1e-6), high = asin(sqrt(0.5) + 1e-6);
    (void)state;
    assert_once(CLOCK, "min(x, 2 - x) >= 1", 2, 1, 1e-9);
    assert_between("-max(sin(x), cos(x))", -sqrt(0.5) - 1e-6, 1.5, (const double[]){low, high}, 2, 1e-9);
}

/* A power n is within the band of 0, 1e-10, at 1e-10^(1/n) from its root. */
static void flat_roots_are_found_as_far_as_they_can_be_told(void **state) {
    (void)state;
    assert_once(CLOCK, "(x - 1)^3 > 0", 2, 1, 1e-3);
    assert_once(CLOCK, "(x - 1)^5 > 0", 2, 1, 2e-2);
    assert_once(CLOCK, "(x - 1)^4 <= 0", 2, 1, 1e-2);
}

static void domains_and_poles_begin_where_they_begin(void **state) {
    (void)state;
    assert_once("state x = 0.25 : der = 1;", "log(x) > 0", 2, 0.75, 1e-12);
    assert_once(CLOCK, "1/(x - 1) > 0", 2, 1, 1e-12);
    assert_once(CLOCK, "sqrt(max(0, x - 1)) > 0.5", 2, 1.25, 1e-12);
    assert_once(CLOCK, "floor(x*x) >= 2", 2, sqrt(2), 1e-12);
}

static void cells_of_a_remainder_are_counted(void **state) {
    (void)state;
    assert_moves("model M { " CLOCK
                 " automaton a { on n -> o when x % 0.3 > 0.1; off o -> n when x % 0.3 < 0.1; } }",
                 1, 0, (const double[]){0.1, 0.3, 0.4, 0.6, 0.7, 0.9}, 6, 0, 1e-12);
}

/* A crossing of a value that a law turns back is located on its way down, and an instant planned at the same
 * time changes nothing. */
static void laws_and_samples_do_not_hide_it(void **state) {
    (void)state;
    assert_once(CLOCK "state y = 0.5 : der = x > 1 ? -1 : 1;", "y < 0", 4, 2.5, 1e-9);
    assert_once(CLOCK "sample s every 0.25 = x;", "x >= 1", 2, 1, 1e-12);
    assert_once(CLOCK "sample s every 0.25 = x;", "x > 1", 2, 1, 1e-12);
}

/* A body at rest is lifted from 1 s on: its height is (t − 1)²/2, and clear of equality where that exceeds
 * the resolution. */
static void a_contact_is_left_from_rest(void **state) {
    const double time = 1;
    (void)state;
    assert_moves_within(
        MODEL("state y = 0 : der = v; state v = 0 : der = time > 1 ? 1 : 0;", "y > 0", "y < -1"), 3, 0, &time,
        1, (allowance){.root = 3, .error = 1e-4});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_of_one_step_are_told_apart),
        cmocka_unit_test(a_ringing_state_is_followed_to_its_end),
        cmocka_unit_test(a_rotor_that_coasts_is_followed),
        cmocka_unit_test(a_thermostat_keeps_its_rhythm),
        cmocka_unit_test(cusps_that_pass_a_level_do_so_on_both_sides),
        cmocka_unit_test(kinks_touch_where_two_courses_meet),
        cmocka_unit_test(flat_roots_are_found_as_far_as_they_can_be_told),
        cmocka_unit_test(domains_and_poles_begin_where_they_begin),
        cmocka_unit_test(cells_of_a_remainder_are_counted),
        cmocka_unit_test(laws_and_samples_do_not_hide_it),
        cmocka_unit_test(a_contact_is_left_from_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
