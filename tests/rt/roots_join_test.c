/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Roots of states at an instant planned by time belong to that instant. */
#include "rt/known_roots_impl.h"

/* z is time: its crossing at 1.5 is part of the edge there, and z is past it. */
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

/* A relation that has passed by the time of the edge is past it, by however little. */
static void an_edge_that_has_passed_holds_no_more(void **state) {
    const double one[] = {1};
    (void)state;
    assert_moves("model M { state z = 0 : der = 1; state x = 1 : der = -x; automaton a { off o -> n when "
                 "time >= 1 && z >= 1;"
                 "on n -> d when z > 1.5 && time <= 1.5; on d; } }",
                 2, 0, one, 1, 0, 1e-15);
}

/* A little later is another instant. */
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
