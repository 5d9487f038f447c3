/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Roots of states where time alone changes something belong to its instant. */
#include "rt/known_roots_impl.h"

/* z is time: what it crosses at 1.5 happens with the edge there, and is beyond it. */
static void roots_at_a_planned_edge_are_of_its_instant(void **state) {
    const double one[] = {1.5};
    (void)state;
    assert_moves("model M { state z = 0 : der = 1; state x = 1 : der = -x; automaton a { off o -> n when z > "
                 "1.5; on n; }"
                 "automaton c { off o -> n when z >= 1.5; on n; } automaton p { off o -> n when time >= 1.5; "
                 "on n; } }",
                 2, 0, one, 1, 0, 1e-15);
    assert_moves("model M { state z = 0 : der = 1; state x = 1 : der = -x;"
                 "automaton a { off o -> n when time >= 1.5 && z <= 1.5; on n; } }",
                 2, 0, one, 0, 0, 0);
}

/* What has passed by the edge is beyond it, however little. */
static void an_edge_that_has_passed_holds_no_more(void **state) {
    const double one[] = {1};
    (void)state;
    assert_moves("model M { state z = 0 : der = 1; state x = 1 : der = -x; automaton a { off o -> n when "
                 "time >= 1 && z >= 1;"
                 "on n -> d when z > 1.5 && time <= 1.5; on d; } }",
                 2, 0, one, 1, 0, 1e-15);
}

/* Somewhat later is another instant. */
static void roots_behind_a_planned_edge_are_found_there(void **state) {
    const double later[] = {1.5 + 1e-9};
    (void)state;
    assert_moves("model M { state z = -1e-9 : der = 1; state x = 1 : der = -x; automaton a { off o -> n when "
                 "p.n && z > 1.5; on n; }"
                 "automaton p { off o -> n when time >= 1.5; on n; } }",
                 2, 0, later, 1, 0, 2e-10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_at_a_planned_edge_are_of_its_instant),
        cmocka_unit_test(an_edge_that_has_passed_holds_no_more),
        cmocka_unit_test(roots_behind_a_planned_edge_are_found_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
