/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards with poles: a moment of large values does not make a relation insensitive afterwards. At a pole of
 * odd order its truth changes without a root of its difference: that is an event, too. And relations whose
 * sides are equal: their rounding is not an event. `x` is time as a state. */
#include "rt/known_roots_impl.h"

/* tan x passes 10 at atan 10 + kπ, and is below −10 as soon as it has gone through the pole at π/2 + kπ. */
static void a_tangent_is_followed_from_pole_to_pole(void **state) {
    const double pi = acos(-1);
    double times[12];
    (void)state;
    for (int k = 0; k < 6; k++) {
        times[2 * k] = atan(10) + k * pi;
        times[2 * k + 1] = pi / 2 + k * pi;
    }
    assert_moves(MODEL(CLOCK, "tan(x) > 10", "tan(x) < -10"), 20, 0, times, 12, 0, 1e-12);
    assert_moves(MODEL(CLOCK, "tan(x) >= 10", "tan(x) <= 10"), 20, 0, times, 12, 0, 1e-12);
}

/* 1/(x − 2)² passes 100 at 2 ∓ 0.1. */
static void a_pole_of_even_order_is_no_event(void **state) {
    const double times[] = {1.9, 2.1};
    (void)state;
    assert_moves(MODEL(CLOCK, "1/(x - 2)^2 > 100", "1/(x - 2)^2 < 100"), 5, 0, times, 2, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "1/(x - 2)^2 > 100", "1/(x - 2)^2 < 100"), 5, 0.1, times, 2, 0, 1e-11);
}

/* 1/(x − c) comes out of its pole at c and falls to 100 at c + 0.01; 1/(c − x) rises to 100 at c − 0.01 and
 * goes into it. */
static void a_pole_of_odd_order_is_an_event(void **state) {
    const double out[] = {2.1234, 2.1334}, into[] = {2.1134, 2.1234};
    (void)state;
    assert_moves(MODEL(CLOCK, "1/(x - 2.1234) > 100", "1/(x - 2.1234) < 100"), 5, 0, out, 2, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "1/(2.1234 - x) > 100", "1/(2.1234 - x) < 100"), 5, 0, into, 2, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "1/(2.1234 - x) > 100", "1/(2.1234 - x) < -100"), 5, 0, into, 2, 0, 1e-11);
}

/* The same with the undefined value at the pole excluded: there, as long as the divisor counts as 0, the
 * relation does not hold; afterwards it holds at once. */
static void a_pole_that_is_left_out_is_an_event_all_the_same(void **state) {
    const double times[] = {0.9 / 1.0371, 1 / 1.0371};
    (void)state;
    assert_moves(MODEL("state d = 1 : der = -1.0371;", "(d != 0 ? 1/d : 0) > 10", "(d != 0 ? 1/d : 0) < -10"),
                 2, 0, times, 2, 0, 1e-9);
    assert_moves("model M { state d = 1 : der = -1.0371; signal s = d != 0 ? 1/d : 0;"
                 " automaton k { off o -> n when s > 10; on n -> o when s < -10; } }",
                 2, 0, times, 2, 0, 1e-9);
}

/* The third relation is first evaluated where the second has its pole. */
static void a_relation_may_begin_at_a_pole(void **state) {
    const double times[] = {0.75, 1, 1.5};
    (void)state;
    assert_moves(
        "model M { state x = 1 : der = -1; automaton a { off u -> v when 1/x > 4; on v -> w when 1/x < -4;"
        " off w -> u when 1/x > -2; } }",
        1.9, 0, times, 3, 0, 1e-11);
}

/* ln|x − c| goes to −∞ at c: it is below −10 only for 2·e⁻¹⁰. */
static void a_logarithm_that_dives_is_seen(void **state) {
    const double times[] = {2.1 - exp(-10), 2.1 + exp(-10)};
    (void)state;
    assert_moves(MODEL(CLOCK, "log(abs(x - 2.1)) < -10", "log(abs(x - 2.1)) > -10"), 5, 0, times, 2, 0,
                 1e-12);
}

/* Sizes that states have had are kept: y falls from 1e9 to 1e-9 of that, where its differences are rounding.
 * w is y computed in another way, so y − w is 0 up to the tolerance, which is not an event within 1e-10 of
 * their earlier size. */
static void what_states_have_been_is_remembered(void **state) {
    (void)state;
    assert_moves("model M { state y = 1e9 : der = -20*y; state w = 1e9 : der = -20*w + 1e-3;"
                 " automaton a { off o -> n when w - y > 1e-2; on n; } }",
                 2, 0, NULL, 0, 0, 0);
}

/* Both sides are equal for all x: the rest is rounding, at any size of x, and grows with it. */
static void what_is_equal_but_for_rounding_is_no_event(void **state) {
    const char *const courses[] = {"state x = 1 : der = 1;", "state x = 0 : der = 1;",
                                   "state x = 1 : der = x;", "state x = 1 : der = cos(time);"};
    const char *const pairs[][2] = {{"x*0.1*10 > x", "x*0.1*10 < x"},
                                    {"x - x/3*3 > 0", "x - x/3*3 < 0"},
                                    {"sin(x)^2 + cos(x)^2 > 1", "sin(x)^2 + cos(x)^2 < 1"},
                                    {"(x + 3)*(x - 3) > x*x - 9", "(x + 3)*(x - 3) < x*x - 9"}};
    char text[400];
    (void)state;
    for (int c = 0; c < 4; c++)
        for (int p = 0; p < 4; p++) {
            (void)snprintf(text, sizeof text,
                           "model M { %s automaton a { off o -> n when %s; on n -> o when %s; }"
                           " automaton b { off o -> n when %s; on n -> o when %s; } }",
                           courses[c], pairs[p][0], pairs[p][1], pairs[p][1], pairs[p][0]);
            assert_moves(text, 20, 0, NULL, 0, 0, 0);
        }
}

/* Two circuits that differ only in the order in which their numbers are combined. */
static void twins_are_never_ahead_of_each_other(void **state) {
    (void)state;
    assert_moves("model M { Se s(5 [V]); 1 j; R r(1 [kOhm]); C c(1 [mF], e = 1 [V]); s -> j -> r; j -> c;"
                 " Se u(5 [V]); 1 k; R p(3 [kOhm]/3); C d(0.1*10 [mF], e = 1 [V]); u -> k -> d; k -> p;"
                 " automaton a { off o -> n when c.e > d.e; on n; }"
                 " automaton b { off o -> n when c.e < d.e; on n; }"
                 " automaton g { off o -> n when r.f + c.e/1000 > 5e-3; on n; } }",
                 5, 0, NULL, 0, 0, 0);
}

/* The same relations inside a law: the branch is the one taken at the start, and nothing is too fast to be
 * followed. */
static void a_law_keeps_its_branch_where_it_is_rounding(void **state) {
    (void)state;
    assert_moves("model M { state x = 1 : der = cos(time); state z = 0 : der = x*0.1*10 > x ? 1 : 0;"
                 " automaton a { off o -> n when z > 1e-3; on n; } }",
                 20, 0, NULL, 0, 0, 0);
}

/* Within 1e-4 of 1.3 the left side is 3 up to rounding: it was clear of 3 before, and reaches it. */
static void a_flat_touch_is_not_taken_for_rounding(void **state) {
    const double at = 1.3;
    (void)state;
    assert_moves("model M { " CLOCK " automaton a { off o -> n when 3 - (x - 1.3)^4 >= 3; on n; } }", 3, 0,
                 &at, 1, 0, 4e-3);
}

/* A difference that is small relative to its sides is still an event: 1e6 + x is exact to 1e-10. */
static void a_small_difference_is_an_event(void **state) {
    const double times[] = {1, 2};
    (void)state;
    assert_moves("model M { " CLOCK " automaton a { off o -> n when 1e6 + x > 1e6 + 1;"
                 " on n -> p when 1e6 - x < 1e6 - 2; off p; } }",
                 3, 0, times, 2, 0, 1e-9);
    assert_moves("model M { " CLOCK " automaton a { off o -> n when 1e6 + 1e-2*x > 1e6 + 1e-2;"
                 " on n -> p when 1e6 - 1e-2*x < 1e6 - 2e-2; off p; } }",
                 3, 0, times, 2, 0, 1e-7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tangent_is_followed_from_pole_to_pole),
        cmocka_unit_test(a_pole_of_even_order_is_no_event),
        cmocka_unit_test(a_pole_of_odd_order_is_an_event),
        cmocka_unit_test(a_pole_that_is_left_out_is_an_event_all_the_same),
        cmocka_unit_test(a_relation_may_begin_at_a_pole),
        cmocka_unit_test(a_logarithm_that_dives_is_seen),
        cmocka_unit_test(what_states_have_been_is_remembered),
        cmocka_unit_test(what_is_equal_but_for_rounding_is_no_event),
        cmocka_unit_test(twins_are_never_ahead_of_each_other),
        cmocka_unit_test(a_law_keeps_its_branch_where_it_is_rounding),
        cmocka_unit_test(a_flat_touch_is_not_taken_for_rounding),
        cmocka_unit_test(a_small_difference_is_an_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
