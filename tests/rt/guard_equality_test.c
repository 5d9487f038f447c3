/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that compare for equality, that begin at equality, and that read cells of floor, % and tables: each
 * event is located once. `x` is time as a state. */
#include "rt/known_roots_impl.h"

static void assert_once(const char *before, const char *guard, double at, double error) {
    char text[400];
    snprintf(text, sizeof text, "model M { %s automaton a { off o -> n when %s; on n; } }", before, guard);
    assert_moves(text, 2.5, 0, &at, 1, 0, error);
}

static void equality_is_found_from_both_sides(void **state) {
    (void)state;
    assert_once(CLOCK, "x == 1", 1, 1e-12);
    assert_once(CLOCK, "!(x != 1)", 1, 1e-12);
    assert_once(CLOCK, "1 == x", 1, 1e-12);
    assert_once(CLOCK, "!(1 != x)", 1, 1e-12);
    assert_once(CLOCK, "(x - 1)^2 == 0", 1, 1e-7);
    assert_once(CLOCK, "-(x - 1)^2 == 0", 1, 1e-7);
}

/* Equality is left where the value is distinct from 0. */
static void equality_is_left_to_both_sides(void **state) {
    (void)state;
    assert_once(CLOCK, "x != 0", 0, 1e-9);
    assert_once(CLOCK, "-x != 0", 0, 1e-9);
    assert_once(CLOCK, "!(x == 0)", 0, 1e-9);
    assert_once(CLOCK, "!(-x == 0)", 0, 1e-9);
    assert_once(CLOCK, "x^2 - x != 0", 0, 1e-9);
    assert_once(CLOCK, "max(x - 1, 0) != 0", 1, 1e-9);
    assert_once(CLOCK, "!(min(1 - x, 0) == 0)", 1, 1e-9);
}

/* If one guard waits for a relation and another one for its negation, neither hides the other. */
static void a_guard_and_its_negation_begin_at_equality(void **state) {
    const char *wait = CLOCK "input bool b = false; signal busy = a.n;"
                             "automaton w { off o -> n when -x >= 0 && b && a.o; on n; }";
    (void)state;
    char text[400];
    double at = 0;
    snprintf(text, sizeof text, "model M { automaton a { off o -> n when !(-x >= 0); on n; } %s }", wait);
    assert_moves(text, 2, 0, &at, 1, 0, 1e-9);
}

/* Back and forth with every step: 0.05, 0.1, … up to 0.45. */
static void cells_of_time_are_counted(void **state) {
    double times[9];
    (void)state;
    for (int k = 0; k < 9; k++) times[k] = 0.05 * (k + 1);
    assert_moves("model M { automaton a { on n -> o when floor(time/0.05) % 2 >= 1;"
                 " off o -> n when floor(time/0.05) % 2 < 1; } }",
                 0.49, 0, times, 9, 0, 1e-11);
    assert_moves("model M { automaton a { on n -> o when !(floor(time/0.05) % 2 < 1);"
                 " off o -> n when floor(time/0.05) % 2 < 1; } }",
                 0.49, 0, times, 9, 0, 1e-11);
    assert_moves(
        "model M { automaton a { on n -> o when time % 0.1 >= 0.05; off o -> n when time % 0.1 < 0.05; } }",
        0.49, 0, times, 9, 0, 1e-11);
    assert_moves("model M { " CLOCK " automaton a { on n -> o when ceil(20*x) % 2 < 1 && x > 0.04;"
                 " off o -> n when ceil(20*x) % 2 >= 1; } }",
                 0.49, 0, times, 9, 0, 1e-9);
    double falling[10]; /* 50, which it begins with, is left at once */
    for (int k = 0; k < 10; k++) falling[k] = 0.05 * k;
    assert_moves("model M { state x = 2.5 : der = -1; automaton a { on n -> o when floor(20*x) % 2 >= 1;"
                 " off o -> n when floor(20*x) % 2 < 1; } }",
                 0.49, 0, falling, 10, 0, 1e-9);
}

/* At a border, rounding decides which cell a value is in, sometimes differently from compiled code. */
static void rounding_at_a_border_counts_no_cell_twice(void **state) {
    static const char *const clocks[] = {"time", "y"}; // that of time is planned, that of a state is located
    (void)state;
    for (int i = 0; i < 2; i++) {
        fixture f;
        moves told;
        char text[320];
        snprintf(text, sizeof text,
                 "model M { param d = 0.05; state y = 0 : der = 1; automaton a { off o -> n when floor(%s/d) "
                 "%% 2 < 1;"
                 " on n -> o when floor(%s/d) %% 2 >= 1; } state x = 0 : der = a.n ? 1 : 0; }",
                 clocks[i], clocks[i]);
        fixture_open(&f, text);
        run_model(&f, HBG_SIM_AUTO, 1e-6, 10.02, 0, &told);
        assert_int_equal(told.count, 201);
        for (int k = 0; k < 201; k++) assert_true(fabs(told.times[k] - 0.05 * k) < 1e-11);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equality_is_found_from_both_sides),
        cmocka_unit_test(equality_is_left_to_both_sides),
        cmocka_unit_test(a_guard_and_its_negation_begin_at_equality),
        cmocka_unit_test(cells_of_time_are_counted),
        cmocka_unit_test(rounding_at_a_border_counts_no_cell_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
