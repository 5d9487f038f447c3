/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rings of junctions whose equations contradict each other though strokes match: elements give way. */
#include "fixture_impl.h"

/* How many storages are dependent. */
static void check(const char *body, int32_t derivative) {
    char text[1024];
    fixture f;
    snprintf(text, sizeof text, "model M { %s }", body);
    fixture_open(&f, text, false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    if (!hbg_causal_valid(assignment)) fail_msg("no assignment: %s", body);
    if (hbg_causal_derivative_count(assignment) != derivative)
        fail_msg("%d dependent instead of %d: %s", hbg_causal_derivative_count(assignment), derivative, body);
    fixture_close(&f);
}

#define NODES "0 a; 0 c; 1 b; 1 d; R r(1); R s(1); a -> r; c -> s; "

/* Between two nodes that resistors hold, whichever way the bonds are drawn: efforts in a ring add up to 0. */
static void of_capacitors_in_parallel_one_is_dependent(void **state) {
    (void)state;
    check(NODES "a -> b -> c; a -> d -> c; C x(1); C y(1); b -> x; d -> y;", 1);
    check(NODES "a -> b -> c; c -> d -> a; C x(1); C y(1); b -> x; d -> y;", 1);
    check(NODES "a -> b -> c; a -> d -> c; 1 e; a -> e -> c; C x(1); C y(1); C z(1); b -> x; d -> y; e -> z;",
          2);
    check(NODES "a -> b -> c; a -> d -> c; C x(1); R y(1); b -> x; d -> y;", 0);
    check(NODES "a -> b -> c; a -> d -> c; C x(1); I y(1); b -> x; d -> y;", 0);
    check(NODES "a -> b -> c; a -> d -> c; C x(1); Se y(1); b -> x; y -> d;", 1);
}

/* The dual: junctions exchanged, and inertias for capacitors. */
static void of_inertias_one_is_dependent_likewise(void **state) {
    (void)state;
    check("1 a; 1 c; 0 b; 0 d; R r(1); R s(1); a -> r; c -> s; a -> b -> c; a -> d -> c; I x(1); I y(1); b "
          "-> x; d -> y;",
          1);
}

/* A ring of three nodes: the third capacitor is one too many. */
static void a_larger_ring_ties_as_much(void **state) {
    (void)state;
    check("0 a; 0 b; 0 c; R r(1); R s(1); R t(1); a -> r; b -> s; c -> t; 1 x; 1 y; 1 z; a -> x -> b -> y -> "
          "c -> z -> a;"
          "C u(1); C v(1); C w(1); x -> u; y -> v; z -> w;",
          1);
}

/* What runs round is turned over by a gyrator, and scaled by transformers whose moduli differ: nothing is tied. */
static void rings_that_do_not_cancel_tie_nothing(void **state) {
    (void)state;
    check(NODES "TF t(2); a -> b -> t -> c; a -> d -> c; C x(1); C y(1); b -> x; d -> y;", 0);
    check(NODES "TF t(2); TF u(2); a -> b -> t -> c; a -> d -> u -> c; C x(1); C y(1); b -> x; d -> y;", 1);
}

/* Two opposite bonds between a 0- and a 1-junction add nothing to either balance: the effort of the C is 0. */
static void opposite_bonds_cancel(void **state) {
    (void)state;
    check("0 n; 1 j; R r(1); C c(1); n -> j; j -> n; n -> r; j -> c;", 1);
    check("0 n; 0 m; 1 j; R r(1); C c(1); n -> j; j -> m; n -> m; n -> r; j -> c;", 1);
    check("0 n; 1 j; R r(1); C c(1); R s(1); n -> j; j -> n; n -> r; j -> c; j -> s;", 0);
    check("1 n; 0 j; R r(1); I c(1); n -> j; j -> n; n -> r; j -> c;", 1);
}

/* A switch closes the ring: as many are dependent as when it was assigned from nothing. */
static void a_switch_closes_a_ring(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { " AUTOMATON("w") "0 a; 0 c; 1 b; 1 d when w; R r(1); R s(1); a -> r; c -> s; a "
                                             "-> b -> c; a -> d -> c; C x(1); C y(1); b -> x; d -> y; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    for (int i = 0; i < 4; i++) {
        assert_true(FLIP(&f, assignment, "d"));
        int32_t place = f.structure->element_place[fixture_element(&f, "d")];
        assert_int_equal(hbg_causal_derivative_count(assignment), hbg_causal_is_on(assignment, place));
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_capacitors_in_parallel_one_is_dependent),
        cmocka_unit_test(of_inertias_one_is_dependent_likewise),
        cmocka_unit_test(a_larger_ring_ties_as_much),
        cmocka_unit_test(rings_that_do_not_cancel_tie_nothing),
        cmocka_unit_test(opposite_bonds_cancel),
        cmocka_unit_test(a_switch_closes_a_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
