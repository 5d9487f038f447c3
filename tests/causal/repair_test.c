/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is left when nothing more can be balanced: parts cut off from everything that has a say float, a live
 * part without a determining bond is an error (semantics, sections 3 and 3a). */
#include "fixture_impl.h"
#include "judge_impl.h"

/* Two switches around a part that is put between them. */
#define BETWEEN(part)                                                                                        \
    "model M { " AUTOMATON("a") "1 s when a; 1 t when a; 0 n; 0 m; 1 j; Se v(1); R q(1); R u(1);\n"          \
                                "v -> s; s -> q; s -> n; n -> j; j -> m; m -> t; t -> u; " part " }"

/* Whether the mode with both switches open is valid. */
static bool opens_well(const char *text, bool integral, int32_t *derivative) {
    fixture f;
    fixture_open(&f, text, integral);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(hbg_causal_valid(assignment));
    bool valid = FLIP(&f, assignment, "s", "t");
    if (derivative) *derivative = hbg_causal_derivative_count(assignment);
    if (valid) assert_true(judge_accepts(&f.arena, f.structure, assignment));
    hbg_causal_assignment *fresh = fixture_assign(&f);
    for (int32_t i = 0; i < f.structure->place_count; i++) f.on[i] = hbg_causal_is_on(assignment, i);
    assert_int_equal(hbg_causal_assign(fresh, f.on), valid);
    fixture_close(&f);
    return valid;
}

static void a_wire_between_open_switches_floats(void **state) {
    (void)state;
    assert_true(opens_well(BETWEEN("R r(1); j -> r;"), false, NULL));
}

/* Its current is held at zero; which of the two nodes reads 0 is arbitrary. */
static void an_inertia_between_open_switches_floats_and_is_dependent(void **state) {
    (void)state;
    int32_t derivative;
    assert_true(opens_well(BETWEEN("I l(1); j -> l;"), false, &derivative));
    assert_int_equal(derivative, 1);
    assert_false(opens_well(BETWEEN("I l(1); j -> l; R r(1); j -> r;"), true, NULL));
}

/* Its charge stands, so the nodes on both sides cannot both read 0. */
static void a_capacitor_between_open_switches_does_not_float(void **state) {
    (void)state;
    assert_false(opens_well(BETWEEN("C c(1); j -> c; R r(1); j -> r;"), false, NULL));
}

static void a_source_between_open_switches_does_not_float(void **state) {
    (void)state;
    assert_false(opens_well(BETWEEN("Se w(1); w -> j; R r(1); j -> r;"), false, NULL));
}

static void a_node_with_a_resistor_needs_not_float(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, BETWEEN("R r(1); j -> r; R w(1); m -> w; R x(1); n -> x;"), false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(FLIP(&f, assignment, "s", "t"));
    for (int32_t i = 0; i < f.structure->place_count; i++)
        assert_false(hbg_causal_is_floating(assignment, i));
    fixture_close(&f);
}

/* n is cut off or not by a switch in another region: the fixed bond of the source's node lies between. */
static void what_floats_is_joined_again_from_far_away(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { " AUTOMATON("a")
                     AUTOMATON("b") "Se v(1); 0 s when a; 1 k; 0 n; 1 t when b; R r(1);\n"
                                    "v -> s; s -> k; k -> n; n -> t; t -> r; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    int32_t n = fixture_place(&f, "n");
    assert_true(hbg_causal_valid(assignment));
    assert_true(FLIP(&f, assignment, "t"));
    assert_false(hbg_causal_is_floating(assignment, n)); // the source holds it
    assert_true(FLIP(&f, assignment, "s"));
    assert_true(judge_accepts(&f.arena, f.structure, assignment));
    assert_true(FLIP(&f, assignment, "s"));
    assert_true(judge_accepts(&f.arena, f.structure, assignment));
    assert_false(hbg_causal_is_floating(assignment, n));
    fixture_close(&f);
}

static void storages_turn_back_when_they_can(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "model M { " AUTOMATON("a") "0 s when a; 0 n; C c(1); R r(1); s -> n; n -> c; n -> r; s -> c2;\n"
                                    "R c2(1); }",
        false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    for (int i = 0; i < 4; i++) {
        assert_true(FLIP(&f, assignment, "s"));
        assert_int_equal(hbg_causal_derivative_count(assignment), i % 2 == 0);
    }
    fixture_close(&f);
}

/* A capacitor on a node that is shorted is in derivative causality, which 001 rules out. */
static void an_integral_storage_refuses_a_short(void **state) {
    (void)state;
    for (int integral = 0; integral < 2; integral++) {
        fixture f;
        fixture_open(&f, "model M { " AUTOMATON("a") "0 s when a; C c(1); R r(1); s -> c; s -> r; }",
                     integral);
        hbg_causal_assignment *assignment = fixture_assign(&f);
        assert_true(hbg_causal_valid(assignment));
        assert_int_equal(FLIP(&f, assignment, "s"), !integral);
        assert_true(FLIP(&f, assignment, "s"));
        fixture_close(&f);
    }
}

static void a_source_on_a_short_is_cut(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { " AUTOMATON("a") "0 s when a; Se v(1); R r(1); v -> s; s -> r; }", true);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(FLIP(&f, assignment, "s"));
    fixture_close(&f);
}

/* A bad part gets well when a switch elsewhere cuts it off, and is bad again when it is joined. */
static void a_bad_part_gets_well_from_elsewhere(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { " AUTOMATON("a") "Se v(1); 0 s when a; 1 t; v -> s -> t; }", false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_int_not_equal(f.structure->place_region[fixture_place(&f, "s")],
                         f.structure->place_region[fixture_place(&f, "t")]);
    assert_false(hbg_causal_valid(assignment));
    assert_true(FLIP(&f, assignment, "s"));
    assert_true(hbg_causal_is_floating(assignment, fixture_place(&f, "t")));
    assert_false(FLIP(&f, assignment, "s"));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wire_between_open_switches_floats),
        cmocka_unit_test(an_inertia_between_open_switches_floats_and_is_dependent),
        cmocka_unit_test(a_capacitor_between_open_switches_does_not_float),
        cmocka_unit_test(a_source_between_open_switches_does_not_float),
        cmocka_unit_test(a_node_with_a_resistor_needs_not_float),
        cmocka_unit_test(what_floats_is_joined_again_from_far_away),
        cmocka_unit_test(storages_turn_back_when_they_can),
        cmocka_unit_test(an_integral_storage_refuses_a_short),
        cmocka_unit_test(a_source_on_a_short_is_cut),
        cmocka_unit_test(a_bad_part_gets_well_from_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
