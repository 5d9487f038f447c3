/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hybrid SCAP where the published text leaves gaps: neighbours behind transformers, neighbours of one kind,
 * neighbours that turn off together, derivative causality, and what does not have to change. */
#include "fixture_impl.h"
#include "judge_impl.h"

static void open_mode(fixture *f, hbg_causal_assignment **assignment, const char *text) {
    fixture_open(f, text, false);
    *assignment = fixture_assign(f);
    assert_true(hbg_causal_valid(*assignment));
}

static void assert_good(fixture *f, const hbg_causal_assignment *assignment) {
    assert_true(hbg_causal_valid(assignment));
    assert_true(judge_accepts(&f->arena, f->structure, assignment));
}

static void a_change_passes_a_chain_of_transformers(void **state) {
    (void)state;
    fixture f;
    hbg_causal_assignment *assignment;
    open_mode(
        &f, &assignment,
        "model M { " AUTOMATON("a") "Se v(1); 1 j when a; TF t(2); TF u(2); 0 n; R r(1); v -> j; x: j -> t;\n"
                                    "t -> u; y: u -> n; z: n -> r; }");
    assert_determines(&f, assignment, "j", "x");
    assert_determines(&f, assignment, "n", "y");
    assert_true(FLIP(&f, assignment, "j"));
    assert_determines(&f, assignment, "n", "z");
    assert_good(&f, assignment);
    fixture_close(&f);
}

static void a_change_passes_a_gyrator(void **state) {
    (void)state;
    fixture f;
    hbg_causal_assignment *assignment;
    open_mode(&f, &assignment,
              "model M { " AUTOMATON(
                  "a") "Se v(1); 1 j when a; R r(1); GY g(2); 1 n; R s(1); R w(1); v -> j; j -> r;\n"
                       "x: j -> g; y: g -> n; n -> s; n -> w; }");
    assert_true(FLIP(&f, assignment, "j"));
    assert_good(&f, assignment);
    assert_true(FLIP(&f, assignment, "j"));
    assert_good(&f, assignment);
    fixture_close(&f);
}

/* A 0-junction that turns off next to another gives it one determining bond too many. */
static void a_neighbour_of_the_same_kind_gives_one_up(void **state) {
    (void)state;
    fixture f;
    hbg_causal_assignment *assignment;
    open_mode(&f, &assignment,
              "model M { " AUTOMATON("a") "0 s when a; 0 n; R r(1); C c(1); x: s -> n; s -> r; y: n -> c; }");
    assert_determines(&f, assignment, "n", "y");
    assert_determines(&f, assignment, "s", "x");
    assert_true(FLIP(&f, assignment, "s"));
    assert_determines(&f, assignment, "n", "x");
    assert_int_equal(hbg_causal_derivative_count(assignment), 1);
    assert_true(FLIP(&f, assignment, "s"));
    assert_determines(&f, assignment, "n", "y");
    assert_int_equal(hbg_causal_derivative_count(assignment), 0);
    assert_good(&f, assignment);
    fixture_close(&f);
}

static void neighbours_turn_off_and_on_together(void **state) {
    (void)state;
    fixture f;
    hbg_causal_assignment *assignment;
    open_mode(&f, &assignment,
              "model M { " AUTOMATON("a")
                  AUTOMATON("b") "Se v(1); 1 i when a; 0 j when b; 1 k when a; 0 n; R r(1); R s(1);\n"
                                 "R t(1); I l(1); v -> i; i -> r; x: i -> j; y: j -> k; k -> s;\n"
                                 "z: k -> n; n -> t; j -> l; }");
    assert_true(FLIP(&f, assignment, "i", "j", "k"));
    assert_good(&f, assignment);
    assert_true(FLIP(&f, assignment, "k", "j", "i"));
    assert_good(&f, assignment);
    assert_true(FLIP(&f, assignment, "i", "j"));
    assert_good(&f, assignment);
    assert_true(FLIP(&f, assignment, "j", "k")); // one turns on as the other turns off
    assert_good(&f, assignment);
    fixture_close(&f);
}

static void what_is_in_balance_is_kept(void **state) {
    (void)state;
    fixture f;
    hbg_causal_assignment *assignment;
    open_mode(&f, &assignment,
              "model M { " AUTOMATON("a")
                  AUTOMATON("b") "Se v(1); 1 i when a; R r1(1); R r2(1); 0 n; 1 j when b; R r3(1);\n"
                                 "R r4(1); v -> i; p: i -> r1; q: i -> r2; i -> n; n -> j;\n"
                                 "x: j -> r3; y: j -> r4; }");
    fixture_state(&f, "b", 1);
    assignment = fixture_assign(&f);
    int32_t i = fixture_place(&f, "i"), before = hbg_causal_determining_bond(assignment, i);
    assert_true(FLIP(&f, assignment, "j")); // a resistor of its own absorbs the change
    assert_int_equal(hbg_causal_determining_bond(assignment, i), before);
    fixture_close(&f);
}

static void switching_nothing_changes_nothing(void **state) {
    (void)state;
    fixture f;
    hbg_causal_assignment *assignment;
    open_mode(&f, &assignment,
              "model M { " AUTOMATON("a") "Se v(1); 1 j when a; R r(1); v -> j; x: j -> r; }");
    assert_true(hbg_causal_switch(assignment, NULL, 0));
    assert_determines(&f, assignment, "j", "x");
    fixture_close(&f);
}

/* Thousands of junctions at once, each in a part of its own: the cost is that of each, not of each with each. */
static void any_number_may_switch_at_once(void **state) {
    (void)state;
    enum { COUNT = 4000 };
    static char memory[1 << 20];
    graph_text text = {memory, 0, sizeof memory};
    fixture f;
    text_add(&text, "model M { " AUTOMATON("a"));
    for (int i = 0; i < COUNT; i++)
        text_add(&text, "Se v%d(1); 1 j%d when a; R r%d(1); R s%d(1); v%d -> j%d; j%d -> r%d; j%d -> s%d;\n",
                 i, i, i, i, i, i, i, i, i, i);
    text_add(&text, "}");
    fixture_open(&f, memory, false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_int_equal(f.structure->region_count, COUNT);
    for (int round = 0; round < 50; round++) {
        fixture_state(&f, "a", 1 - round % 2);
        assert_true(fixture_switch(&f, assignment));
        assert_int_equal(hbg_causal_is_on(assignment, COUNT - 1), round % 2);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_passes_a_chain_of_transformers),
        cmocka_unit_test(a_change_passes_a_gyrator),
        cmocka_unit_test(a_neighbour_of_the_same_kind_gives_one_up),
        cmocka_unit_test(neighbours_turn_off_and_on_together),
        cmocka_unit_test(what_is_in_balance_is_kept),
        cmocka_unit_test(switching_nothing_changes_nothing),
        cmocka_unit_test(any_number_may_switch_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
