/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Zeros that off junctions set: one is enough for a place, the others are waived, and speak again when they are
 * needed (semantics, section 3: a repeated zero is no error). */
#include "fixture_impl.h"
#include "judge_impl.h"

static void assert_good(fixture *f, const hbg_causal_assignment *assignment) {
    assert_true(hbg_causal_valid(assignment));
    assert_true(judge_accepts(&f->arena, f->structure, assignment));
}

static int repeated(const fixture *f, const hbg_causal_assignment *assignment) {
    int count = 0;
    for (int32_t link = 0; link < f->structure->link_count; link++)
        count += hbg_causal_is_repeated(assignment, link);
    return count;
}

/* Two shorts on one node; a third node behind it is shorted too. */
static const char shorts[] =
    "model M { " AUTOMATON("a") AUTOMATON("b") "0 s when a; 0 t when b; 0 n; 0 m; R r(1); C c(1);\n"
                                               "x: s -> n; y: t -> n; z: n -> m; m -> r; n -> c; }";

static void a_second_short_on_a_node_says_nothing(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, shorts, false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_good(&f, assignment);
    assert_int_equal(repeated(&f, assignment), 0);
    assert_int_equal(hbg_causal_derivative_count(assignment), 0);
    assert_true(FLIP(&f, assignment, "s", "t"));
    assert_good(&f, assignment);
    assert_int_equal(repeated(&f, assignment), 1);
    assert_determines(&f, assignment, "m", "z"); // the zero is handed on
    assert_int_equal(hbg_causal_derivative_count(assignment), 1);
    fixture_close(&f);
}

static void the_other_short_speaks_when_the_first_opens(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        fixture f;
        fixture_open(&f, shorts, false);
        hbg_causal_assignment *assignment = fixture_assign(&f);
        assert_true(FLIP(&f, assignment, "s", "t"));
        assert_true(FLIP(&f, assignment, first ? "s" : "t"));
        assert_good(&f, assignment);
        assert_int_equal(repeated(&f, assignment), 0);
        assert_determines(&f, assignment, "n", first ? "y" : "x");
        assert_true(FLIP(&f, assignment, first ? "t" : "s"));
        assert_good(&f, assignment);
        assert_int_equal(hbg_causal_derivative_count(assignment), 0);
        fixture_close(&f);
    }
}

/* A bond between two that are off. */
static void a_bond_between_two_shorts_repeats_a_zero(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { " AUTOMATON("a") AUTOMATON("b") "0 s when a; 0 t when b; R r(1); R u(1);\n"
                                                            "x: s -> t; s -> r; t -> u; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(FLIP(&f, assignment, "s", "t"));
    assert_good(&f, assignment);
    assert_true(hbg_causal_is_repeated(assignment, fixture_link(&f, "x")));
    assert_true(FLIP(&f, assignment, "s"));
    assert_good(&f, assignment);
    assert_false(hbg_causal_is_repeated(assignment, fixture_link(&f, "x")));
    assert_determines(&f, assignment, "s", "x");
    fixture_close(&f);
}

/* Unlike junctions that are off fit together: one sets effort, the other flow. */
static void an_open_switch_beside_a_short_repeats_nothing(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { " AUTOMATON("a") AUTOMATON("b") "0 s when a; 1 t when b; R r(1); R u(1);\n"
                                                            "x: s -> t; s -> r; t -> u; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(FLIP(&f, assignment, "s", "t"));
    assert_good(&f, assignment);
    assert_int_equal(repeated(&f, assignment), 0);
    fixture_close(&f);
}

static void a_source_does_not_agree_with_a_short(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { " AUTOMATON("a") "0 s when a; 0 n; 0 m; R r(1); Se v(1); x: s -> n; y: n -> m;\n"
                                             "n -> r; z: v -> m; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_good(&f, assignment);
    assert_false(FLIP(&f, assignment, "s"));
    assert_true(FLIP(&f, assignment, "s"));
    assert_good(&f, assignment);
    fixture_close(&f);
}

/* A zero is handed on through a gyrator, from a flow to an effort; the dual kinds set the other variable. */
static void zeros_pass_gyrators_and_come_from_dual_junctions(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { " AUTOMATON("a")
                     AUTOMATON("b") "1 s when a; GY g(1); 0 n; 1 t when b off effort; R r(1);\n"
                                    "R u(1); R w(1); s -> g; x: g -> n; y: n -> t; n -> r;\n"
                                    "s -> u; t -> w; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(FLIP(&f, assignment, "s"));
    assert_good(&f, assignment);
    assert_determines(&f, assignment, "n", "x");
    assert_true(FLIP(&f, assignment, "t"));
    assert_good(&f, assignment);
    assert_int_equal(repeated(&f, assignment), 1);
    assert_true(FLIP(&f, assignment, "s"));
    assert_good(&f, assignment);
    assert_determines(&f, assignment, "n", "y");
    fixture_close(&f);
}

/* A ring of nodes, shorted: every node has its zero from the short, none from round the ring. */
static void a_shorted_ring_takes_its_zeros_from_the_short(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "model M { " AUTOMATON("a") "0 s when a; 0 i; 0 j; 0 k; TF t(2); R r(1); x: s -> i; p: i -> j;\n"
                                    "q: j -> k; k -> t; o: t -> i; s -> r; }",
        false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(FLIP(&f, assignment, "s"));
    assert_good(&f, assignment);
    assert_determines(&f, assignment, "i", "x");
    assert_int_equal(repeated(&f, assignment), 1);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_short_on_a_node_says_nothing),
        cmocka_unit_test(the_other_short_speaks_when_the_first_opens),
        cmocka_unit_test(a_bond_between_two_shorts_repeats_a_zero),
        cmocka_unit_test(an_open_switch_beside_a_short_repeats_nothing),
        cmocka_unit_test(a_source_does_not_agree_with_a_short),
        cmocka_unit_test(zeros_pass_gyrators_and_come_from_dual_junctions),
        cmocka_unit_test(a_shorted_ring_takes_its_zeros_from_the_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
