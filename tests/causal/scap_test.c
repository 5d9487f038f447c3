/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * SCAP: sources first, then storages in integral causality, then resistors; derivative causality where the
 * structure leaves nothing else. */
#include "fixture_impl.h"

/* Derivative storages of the model with everything on; -1 if that has no valid assignment. */
static int32_t derivative_in(const char *text, bool integral) {
    fixture f;
    fixture_open(&f, text, integral);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    int32_t count = hbg_causal_valid(assignment) ? hbg_causal_derivative_count(assignment) : -1;
    fixture_close(&f);
    return count;
}

static void a_source_determines_its_junction(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { Se v(1); C c(1); R r(1); R s(1); 0 j; 1 k; a: v -> j; b: j -> r; c1: j -> k;\n"
                 "d: k -> c; e: k -> s; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(hbg_causal_valid(assignment));
    assert_determines(&f, assignment, "j", "a");
    assert_determines(&f, assignment, "k", "e");
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "a")), 1); // effort arrives at the node
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "b")), 1); // and at the resistor
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "d")), 0); // the capacitor gives effort
    fixture_close(&f);
}

static void buffers_coupled_to_buffers_are_dependent(void **state) {
    (void)state;
    assert_int_equal(derivative_in("model M { C c(1); C d(1); 0 j; j -> c; j -> d; }", false), 1);
    assert_int_equal(derivative_in("model M { C c(1); C d(1); 0 j; j -> c; j -> d; }", true), -1);
    assert_int_equal(derivative_in("model M { I c(1); I d(1); 0 j; 1 k; j -> c; j -> k; k -> d; }", false),
                     1);
}

static void buffers_coupled_to_sources_are_dependent(void **state) {
    (void)state;
    assert_int_equal(derivative_in("model M { Se v(1); C c(1); 0 j; v -> j -> c; }", false), 1);
    assert_int_equal(derivative_in("model M { Sf v(1); I c(1); 1 j; v -> j -> c; }", false), 1);
    assert_int_equal(derivative_in("model M { Se v(1); C c(1); 0 j; v -> j -> c; }", true), -1);
}

static void a_resistance_between_keeps_them_apart(void **state) {
    (void)state;
    assert_int_equal(derivative_in("model M { Se v(1); C c(1); R r(1); 1 j; v -> j; j -> c; j -> r; }", true),
                     0);
    assert_int_equal(
        derivative_in("model M { C c(1); C d(1); R r(1); 0 i; 1 j; 0 k; i -> c; i -> j -> k -> d; j -> r; }",
                      true),
        0);
}

static void a_ring_of_capacitors_and_inertias_is_integral(void **state) {
    (void)state;
    const char *text =
        "model M { 0 i; 0 j; 1 k; 1 l; C c(1); C d(1); I m(1); I n(1); i -> c; j -> d; k -> m;\n"
        "l -> n; i -> k; k -> j; j -> l; l -> i; }";
    assert_int_equal(derivative_in(text, false), 0);
}

static void elements_may_be_joined_without_a_junction(void **state) {
    (void)state;
    assert_int_equal(derivative_in("model M { Se v(1); R r(1); v -> r; }", false), 0);
    assert_int_equal(derivative_in("model M { Se v(1); I m(1); v -> m; }", false), 0);
    assert_int_equal(derivative_in("model M { Se v(1); C c(1); v -> c; }", false), 1);
    assert_int_equal(derivative_in("model M { Se v(1); C c(1); v -> c; }", true), -1);
    assert_int_equal(derivative_in("model M { Se v(1); C c(1); GY g(1); v -> g; g -> c; }", true), 0);
    assert_int_equal(derivative_in("model M { C c(1); C d(1); c -> d; }", false), 1);
    assert_int_equal(derivative_in("model M { Se v(1); Sf w(1); v -> w; }", false), 0);
    assert_int_equal(derivative_in("model M { Se v(1); Se w(1); v -> w; }", false), -1);
    assert_int_equal(derivative_in("model M { Se v(1); Se w(1); GY g(1); v -> g; g -> w; }", false), 0);
}

static void a_second_call_starts_from_nothing(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { " AUTOMATON(
                     "a") "Se v(1); Se w(1); 0 j when a; v -> j; w -> j; Se x(1); Se y(1); x -> y; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_int_equal(assignment->tally.bad_total, 2);
    hbg_causal_assign(assignment, f.on);
    assert_int_equal(assignment->tally.bad_total, 2);
    fixture_state(&f, "a", 1);
    hbg_causal_assign(assignment, f.on);
    assert_int_equal(assignment->tally.bad_total, 1); // both are cut; the bare pair stays in conflict
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_determines_its_junction),
        cmocka_unit_test(buffers_coupled_to_buffers_are_dependent),
        cmocka_unit_test(buffers_coupled_to_sources_are_dependent),
        cmocka_unit_test(a_resistance_between_keeps_them_apart),
        cmocka_unit_test(a_ring_of_capacitors_and_inertias_is_integral),
        cmocka_unit_test(elements_may_be_joined_without_a_junction),
        cmocka_unit_test(a_second_call_starts_from_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
