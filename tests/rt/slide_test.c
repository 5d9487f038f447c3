/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The field along a surface, against solutions in closed form, with every solver that locates relations. */
#include "slide_fixture_impl.h"

/* share·(−2, 1.5) + (1 − share)·(2, −3) keeps x − y for share = 10/17: both move at −6/17. They meet at t =
 * 1/3.5. */
static void both_of_a_pair_move_as_one(void **state) {
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        outcome end = run_model("model M { state x = 1 : der = x > y ? -2 : 2; state y = 0 : der = y > x ? "
                                "-3 : 1.5; }",
                                sliding(solvers[i], 3));
        double meet = 1 / 3.5, x = 1 - 2 * meet - 6.0 / 17 * (3 - meet);
        assert_int_equal(end.status, HBG_RT_OK);
        assert_near(end.x[0], x, 1e-8);
        assert_near(end.x[1], x, 1e-8);
        assert_int_equal(end.count, 1);
        assert_near(end.told[0], meet, 1e-8);
    }
}

/* A pump of 3 that keeps a tank at 4: the flow through 2 to a tank that empties through 1 brings that to 4/3.
 * The mean of the pump is the outflow of the first, (4 − 4/3)/2. */
static void a_relay_keeps_a_level(void **state) {
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        outcome end = run_model(
            "model M { C a(1, q = 2); C b(1, q = 1); R r(2); R out(1); Sf pump(p.on_ ? 3 : 0); 0 ja; 0 jb; 1 "
            "jr; pump -> ja -> a; ja -> jr -> jb -> b; jr -> r; jb -> out;"
            "automaton p { on on_ -> off_ when a.q > 4; off off_ -> on_ when a.q < 4; } }",
            sliding(solvers[i], 30));
        assert_int_equal(end.status, HBG_RT_OK);
        assert_near(end.x[0], 4, 1e-7);
        assert_near(end.x[1], 4.0 / 3, 1e-7);
        assert_int_equal(end.count, 1);
        assert_tiny(end.residual, 1e-7 * end.scale);
    }
}

/* Outwards inside the unit circle, inwards outside of it, and turning with 1 rad/s: from 1/2 to the circle in
 * ln 2, then on it. */
static void a_curved_surface_is_followed(void **state) {
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        outcome end = run_model("model M { signal s = x^2 + y^2 < 1 ? 1 : -1; state x = 0.5 : der = s*x - y;"
                                "state y = 0 : der = s*y + x; }",
                                sliding(solvers[i], 7));
        assert_int_equal(end.status, HBG_RT_OK);
        assert_near(end.told[0], log(2), 1e-7);
        assert_near(end.x[0], cos(7), 1e-7);
        assert_near(end.x[1], sin(7), 1e-7);
        assert_near(end.x[0] * end.x[0] + end.x[1] * end.x[1], 1, 1e-8);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_of_a_pair_move_as_one),
                                       cmocka_unit_test(a_relay_keeps_a_level),
                                       cmocka_unit_test(a_curved_surface_is_followed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
