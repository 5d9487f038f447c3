/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards with poles: what a relation was for a moment does not make it blind behind it. At a pole of odd order its truth changes
 * without a root of its difference: that is an event too. `x` is time as a state. */
#include "sim/known_roots_impl.h"

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

/* 1/(x − c) comes out of its pole at c and falls to 100 at c + 0.01; 1/(c − x) rises to 100 at c − 0.01 and goes into it. */
static void a_pole_of_odd_order_is_an_event(void **state) {
    const double out[] = {2.1234, 2.1334}, into[] = {2.1134, 2.1234};
    (void)state;
    assert_moves(MODEL(CLOCK, "1/(x - 2.1234) > 100", "1/(x - 2.1234) < 100"), 5, 0, out, 2, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "1/(2.1234 - x) > 100", "1/(2.1234 - x) < 100"), 5, 0, into, 2, 0, 1e-11);
    assert_moves(MODEL(CLOCK, "1/(2.1234 - x) > 100", "1/(2.1234 - x) < -100"), 5, 0, into, 2, 0, 1e-11);
}

/* The third relation is asked for the first time where the second has its pole. */
static void a_relation_may_begin_at_a_pole(void **state) {
    const double times[] = {0.75, 1, 1.5};
    (void)state;
    assert_moves(
        "model M { state x = 1 : der = -1; automaton a { off u -> v when 1/x > 4; on v -> w when 1/x < -4;"
        " off w -> u when 1/x > -2; } }",
        1.9, 0, times, 3, 0, 1e-11);
}

/* ln|x − c| goes to −∞ at c: below −10 it is for as long as 2·e⁻¹⁰ only. */
static void a_logarithm_that_dives_is_seen(void **state) {
    const double times[] = {2.1 - exp(-10), 2.1 + exp(-10)};
    (void)state;
    assert_moves(MODEL(CLOCK, "log(abs(x - 2.1)) < -10", "log(abs(x - 2.1)) > -10"), 5, 0, times, 2, 0,
                 1e-12);
}

/* What states bear out is not forgotten: y falls from 1e9 to 1e-9 of that, where its differences are rounding. w is y on another way,
 * so that y − w is 0 but for the tolerance, which is no event within 1e-10 of what they were. */
static void what_states_have_been_is_remembered(void **state) {
    (void)state;
    assert_moves("model M { state y = 1e9 : der = -20*y; state w = 1e9 : der = -20*w + 1e-3;"
                 " automaton a { off o -> n when w - y > 1e-2; on n; } }",
                 2, 0, NULL, 0, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tangent_is_followed_from_pole_to_pole),
        cmocka_unit_test(a_pole_of_even_order_is_no_event),
        cmocka_unit_test(a_pole_of_odd_order_is_an_event),
        cmocka_unit_test(a_relation_may_begin_at_a_pole),
        cmocka_unit_test(a_logarithm_that_dives_is_seen),
        cmocka_unit_test(what_states_have_been_is_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
