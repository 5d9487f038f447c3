/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Relations of laws that jump because they read another one, onto their threshold or far past it. A state
 * grows by the law; the automaton shows when it reaches a level, which follows by arithmetic. */
#include "rt/known_roots_impl.h"

/* The rate is the law; `level` is reached at that time. */
static void assert_reaches(const char *before, const char *law, const char *level, double at) {
    char text[400];
    snprintf(text, sizeof text,
             "model M { %s state y = 0 : der = %s; automaton a { off o -> n when y >= %s; on n; } }", before,
             law, level);
    assert_moves(text, 5, 0, &at, 1, 0, 1e-11);
}

/* 1 in the first second, then 5, or vice versa. */
static void what_jumps_onto_its_threshold_is_at_equality(void **state) {
    const char *up = "signal s = time < 1 ? 0 : 2;", *down = "signal s = time < 1 ? 4 : 2;";
    (void)state;
    assert_reaches(up, "s >= 2 ? 5 : 1", "6", 2);
    assert_reaches(up, "s < 2 ? 1 : 5", "6", 2);
    assert_reaches(up, "s > 2 ? 5 : 1", "3", 3);
    assert_reaches(down, "s <= 2 ? 5 : 1", "6", 2);
    assert_reaches(down, "s > 2 ? 1 : 5", "6", 2);
    assert_reaches(down, "s < 2 ? 5 : 1", "3", 3);
    assert_reaches("signal s = time < 1 ? -1 : 0;", "2 + sign(s)", "5", 3);
}

/* 0.1·7 and 3·(1000/3) differ slightly from the compared values. */
static void rounding_does_not_take_it_off(void **state) {
    (void)state;
    assert_reaches("", "0.1*floor(time/0.1) >= 0.7 ? 1 : 0", "1", 1.7);
    assert_reaches("", "0.1*floor(time/0.1) >= 0.6 ? 1 : 0", "1", 1.6);
    assert_reaches("state x = 0 : der = 1; signal s = x < 1 ? 0 : 0.1*3*10;", "floor(s)", "6", 3);
    assert_reaches("state x = 0 : der = 1; signal s = x < 1 ? 0 : (0.1 + 0.7)*10;", "floor(s)", "16", 3);
}

/* Cells of cells: floor(8·t)/2 reaches a whole number with every second step; ∫floor(4·t) is 2·n² − n/2 at t
 * = n seconds, at 3 s 16.5. */
static void cells_of_cells_are_counted(void **state) {
    (void)state;
    assert_reaches("", "floor(time/0.1) % 2", "0.25", 0.55);
    assert_reaches("", "floor(floor(8*time)/2)", "16.5", 3);
    assert_reaches("signal s = time < 1 ? 0 : 1000;", "floor(s)", "2000", 3);
    assert_reaches("signal s = time < 1 ? 0 : -7;", "-(s % 3)", "2", 3);
}

/* The flow of a source that steps. */
static void laws_of_a_circuit_follow(void **state) {
    (void)state;
    assert_reaches("Se s(floor(4*time)); R r(1); 1 j; s -> j -> r;", "r.f >= 2 ? 5 : 1", "5.5", 1.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_jumps_onto_its_threshold_is_at_equality),
        cmocka_unit_test(rounding_does_not_take_it_off),
        cmocka_unit_test(cells_of_cells_are_counted),
        cmocka_unit_test(laws_of_a_circuit_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
