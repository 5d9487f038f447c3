/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The state of an assignment and the questions about it: strokes along chains, determining bonds, ports of
 * fields, and flips taken back. */
#include "fixture_impl.h"

static void strokes_follow_a_chain_through_transformers_and_gyrators(void **state) {
    (void)state;
    fixture f;
    // the source's effort passes the transformer, becomes a flow in the gyrator: the 1-junction is determined
    fixture_open(
        &f, "model M { Se v(1); R r(1); TF t(2); GY g(3); 1 j; a: v -> t; b: t -> g; c: g -> j; d: j -> r; }",
        false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(hbg_causal_valid(assignment));
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "a")), 1);
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "b")), 1);
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "c")), 0); // effort comes back
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "d")),
                     0); // the resistor answers with one
    assert_determines(&f, assignment, "j", "c");
    fixture_close(&f);
}

static void strokes_do_not_depend_on_half_arrows_within_a_chain(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { Se v(1); R r(1); TF t(2); 0 j; a: v -> t[1]; b: j -> t[2]; c: j -> r; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "a")), 1);
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "b")), 0); // at j, where the bond begins
    fixture_close(&f);
}

static void ports_of_a_field_are_derivative_one_by_one(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "model M { Sf s(1); I w[2]([[2, 1], [1, 2]]); 1 j; 1 k; R r(1); s -> j; j -> w[1]; k -> w[2];\n"
        "k -> r; }",
        false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    int32_t field = fixture_element(&f, "w");
    assert_true(hbg_causal_is_derivative(assignment, field, 1));
    assert_false(hbg_causal_is_derivative(assignment, field, 2));
    assert_int_equal(hbg_causal_derivative_count(assignment), 1);
    fixture_close(&f);
}

static void an_off_junction_has_no_determining_bond(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { " AUTOMATON("a") "Se v(1); R r(1); 1 j when a; v -> j; b: j -> r; }", false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_determines(&f, assignment, "j", "b");
    assert_true(FLIP(&f, assignment, "j"));
    assert_false(hbg_causal_is_on(assignment, fixture_place(&f, "j")));
    assert_determines(&f, assignment, "j", "");
    fixture_close(&f);
}

/* A dual junction that is off leaves all its bonds to the others: 0/F sets flow. */
static void a_dual_junction_sets_the_other_variable(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { " AUTOMATON("a") "C c(1); R r(1); 0 j when a off flow; b: j -> c; d: j -> r; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(FLIP(&f, assignment, "j"));
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "b")),
                     0); // effort arrives at the junction
    assert_int_equal(hbg_causal_stroke(assignment, fixture_bond(&f, "d")), 0);
    assert_int_equal(hbg_causal_derivative_count(assignment), 0);
    fixture_close(&f);
}

static void flips_are_taken_back(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { " AUTOMATON("a") "C c(1); R r(1); 0 j when a; b: j -> c; d: j -> r; }",
                 false);
    hbg_causal_assignment *assignment = hbg_causal_assignment_copy(&f.arena, fixture_assign(&f));
    int32_t place = fixture_place(&f, "j"), link = fixture_link(&f, "d");
    assignment->trail.on = true;
    hbg_causal_set(assignment, 2 * link, 1);
    assert_int_equal(assignment->count[place], 2);
    hbg_causal_set(assignment, 2 * fixture_link(&f, "b"), 0);
    assert_int_equal(hbg_causal_derivative_count(assignment), 1);
    assert_determines(&f, assignment, "j", "d");
    hbg_causal_undo(assignment);
    assert_determines(&f, assignment, "j", "b");
    assert_int_equal(hbg_causal_derivative_count(assignment), 0);
    assert_int_equal(assignment->trail.flips.count, 0);
    fixture_close(&f);
}

static void a_copy_does_not_touch_the_original(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { " AUTOMATON("a") "C c(1); R r(1); 0 j when a; b: j -> c; d: j -> r; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    hbg_causal_assignment *copy = hbg_causal_assignment_copy(&f.arena, assignment);
    hbg_causal_set(copy, 2 * fixture_link(&f, "b"), 0);
    assert_int_equal(hbg_causal_derivative_count(copy), 1);
    assert_int_equal(hbg_causal_derivative_count(assignment), 0);
    assert_determines(&f, assignment, "j", "b");
    fixture_close(&f);
}

/* Off, a dual junction is determined by all of its bonds at once: the sum of their numbers is beyond 32 bits. */
static void a_junction_may_have_very_many_bonds(void **state) {
    (void)state;
    enum { COUNT = 70000 };
    static char memory[1 << 22];
    graph_text text = {memory, 0, sizeof memory};
    fixture f;
    text_add(&text, "model M { " AUTOMATON("a") "0 j when a off flow; Se v(1); b: v -> j;\n");
    for (int i = 0; i < COUNT; i++) text_add(&text, "R r%d(1); j -> r%d;\n", i, i);
    text_add(&text, "}");
    fixture_open(&f, memory, false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_determines(&f, assignment, "j", "b");
    assert_true(FLIP(&f, assignment, "j"));
    assert_int_equal(assignment->count[0], COUNT + 1);
    assert_true(FLIP(&f, assignment, "j"));
    assert_determines(&f, assignment, "j", "b");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strokes_follow_a_chain_through_transformers_and_gyrators),
        cmocka_unit_test(strokes_do_not_depend_on_half_arrows_within_a_chain),
        cmocka_unit_test(ports_of_a_field_are_derivative_one_by_one),
        cmocka_unit_test(an_off_junction_has_no_determining_bond),
        cmocka_unit_test(a_dual_junction_sets_the_other_variable),
        cmocka_unit_test(flips_are_taken_back),
        cmocka_unit_test(a_copy_does_not_touch_the_original),
        cmocka_unit_test(a_junction_may_have_very_many_bonds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
