/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gates: junctions that give way bond by bond, or without a source they cut. */
#include "fixture_impl.h"

/* The structure with gates at one junction. */
static hbg_causal_assignment *gate(fixture *f, const char *text, const char *junction) {
    fixture_open(f, text, false);
    bool *gated = HBG_NEW_ARRAY(&f->arena, bool, f->structure->place_count + 1);
    gated[fixture_place(f, junction)] = true;
    hbg_causal_options options = {.gated = gated};
    f->structure = hbg_causal_structure_new(&f->arena, f->model, &options);
    f->on = HBG_NEW_ARRAY(&f->arena, bool, f->structure->place_count + 1);
    return hbg_causal_assignment_new(&f->arena, f->structure);
}

static int32_t gate_of(const fixture *f, const char *junction, const char *bond) {
    int32_t of = fixture_object(f, bond, HBG_OBJECT_BOND).index;
    return hbg_causal_gate_at(f->structure, fixture_place(f, junction), of);
}

static int stroke(const fixture *f, const hbg_causal_assignment *assignment, const char *bond) {
    return hbg_causal_stroke(assignment, fixture_object(f, bond, HBG_OBJECT_BOND).index);
}

/* Assigns the state of the automata, with one place reversed. */
static bool assign(fixture *f, hbg_causal_assignment *assignment, int32_t reversed) {
    hbg_causal_mode(&f->arena, f->structure, f->states, f->on);
    for (int32_t i = 0; i < f->structure->place_count; i++) {
        hbg_causal_set_reversed(assignment, i, i == reversed);
        f->on[i] = f->on[i] != (i == reversed);
    }
    return hbg_causal_assign(assignment, f->on);
}

/* A current has nowhere to go while the node is off: the junction gives an effort at this bond, and holds the flow of the other. */
static void a_junction_off_the_other_way_gives_way_at_one_bond(void **state) {
    (void)state;
    fixture f;
    hbg_causal_assignment *assignment = gate(
        &f,
        "model M { Sf i(1); 1 j; 0 k when a off flow; R r(1); g: i -> j; b: j -> k; c: k -> r; " AUTOMATON(
            "a") "}",
        "k");
    assert_int_equal(f.structure->junction_count, 2);
    assert_int_equal(f.structure->place_count, 4);
    assert_false(f.structure->dual_off[fixture_place(&f, "k")]);
    assert_true(assign(&f, assignment, HBG_NONE));
    assert_int_equal(hbg_causal_determining_bond(assignment, fixture_place(&f, "k")),
                     fixture_object(&f, "c", HBG_OBJECT_BOND).index);
    f.states[0] = 1;
    assert_false(assign(&f, assignment, HBG_NONE)); // both the source and the junction set the flow
    assert_true(assign(&f, assignment, gate_of(&f, "k", "b")));
    assert_int_equal(stroke(&f, assignment, "b"), 0); // effort arrives at j
    assert_int_equal(stroke(&f, assignment, "c"), 0); // and flow, which is 0, at r
    f.states[0] = 0;
    assert_true(assign(&f, assignment,
                       fixture_place(&f, "k"))); // on, its parasite sets what the bonds have in common
    assert_int_equal(stroke(&f, assignment, "b"), 0);
    assert_int_equal(stroke(&f, assignment, "c"), 1);
    fixture_close(&f);
}

/* Off, the 1-junction cuts the current source; where it gives way, the other bond tells its flow, and the source stays cut. */
static void a_junction_gives_way_without_the_source_it_cuts(void **state) {
    (void)state;
    fixture f;
    hbg_causal_assignment *assignment = gate(
        &f,
        "model M { Sf i(1); Sf k(2); 1 s when a; 0 n; g: i -> s; b: s -> n; c: k -> n; " AUTOMATON("a") "}",
        "s");
    int32_t place = fixture_place(&f, "s");
    assert_int_equal(f.structure->place_count, 3);
    assert_int_equal(gate_of(&f, "s", "b"), HBG_NONE);
    assert_int_equal(hbg_causal_cutting_place(
                         f.structure, f.structure->bond_link[fixture_object(&f, "g", HBG_OBJECT_BOND).index]),
                     place);
    f.states[0] = 1;
    assert_false(assign(&f, assignment, HBG_NONE)); // nothing determines the effort of n
    assert_true(assign(&f, assignment, place));
    assert_int_equal(hbg_causal_determining_bond(assignment, place),
                     fixture_object(&f, "b", HBG_OBJECT_BOND).index);
    assert_int_equal(stroke(&f, assignment, "b"), 1);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_junction_off_the_other_way_gives_way_at_one_bond),
        cmocka_unit_test(a_junction_gives_way_without_the_source_it_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
