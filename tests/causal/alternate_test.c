/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The moves: finding a determining link, giving one up, turning a storage integral, each at the price allowed.
 */
#include "fixture_impl.h"

typedef struct {
    fixture f;
    hbg_causal_assignment *assignment;
} moves;

/* Opens a model, all on and assigned. */
static void open_moves(moves *m, const char *text) {
    fixture_open(&m->f, text, false);
    m->assignment = fixture_assign(&m->f);
    assert_true(hbg_causal_valid(m->assignment));
}

static void close_moves(moves *m) {
    hbg_causal_calm(m->assignment);
    fixture_close(&m->f);
}

/* Sets the mark of a bond's link at a place. */
static void mark(moves *m, const char *place, const char *bond, uint8_t value) {
    int32_t slot = 2 * fixture_link(&m->f, bond);
    if (causal_place(m->f.structure, slot) != fixture_place(&m->f, place)) slot++;
    hbg_causal_set(m->assignment, slot, value);
}

static bool alternate(moves *m, const char *place, int least) {
    return hbg_causal_alternate(m->assignment, fixture_place(&m->f, place), least);
}

static void a_resistor_next_door_absorbs_the_change(void **state) {
    (void)state;
    moves m;
    open_moves(&m, "model M { " AUTOMATON(
                       "a") "1 j when a; R r(1); R s(1); Se v(1); v -> j; b: j -> r; d: j -> s; }");
    int32_t place = fixture_place(&m.f, "j");
    bool first = hbg_causal_determining_bond(m.assignment, place) == fixture_bond(&m.f, "b");
    mark(&m, "j", first ? "b" : "d", 0);
    m.assignment->rigid[fixture_link(&m.f, first ? "b" : "d")] = true;
    assert_true(alternate(&m, "j", GAIN_ZERO));
    assert_determines(&m.f, m.assignment, "j", first ? "d" : "b");
    close_moves(&m);
}

/* j1 n1 j2 n2 j3: the resistor that can absorb the change is at the far end. */
static void a_resistor_far_away_absorbs_the_change(void **state) {
    (void)state;
    moves m;
    open_moves(&m, "model M { " AUTOMATON(
                       "a") "0 n when a; 1 j1; 0 n1; 1 j2; 0 n2; 1 j3; R r(1); R s(1);\n"
                            "b0: n -> j1; b1: j1 -> n1; b2: n1 -> j2; b3: j2 -> n2; b4: n2 -> j3;\n"
                            "c: j3 -> r; d: n -> s; }");
    // s determines n, and then the pairs are (j1 n1) (j2 n2), r for j3; or n takes b0 and all shift
    mark(&m, "n", "d", 0);
    m.assignment->rigid[fixture_link(&m.f, "d")] = true;
    assert_true(alternate(&m, "n", GAIN_ZERO));
    assert_determines(&m.f, m.assignment, "n", "b0");
    assert_determines(&m.f, m.assignment, "j1", "b0");
    assert_determines(&m.f, m.assignment, "n1", "b2");
    assert_determines(&m.f, m.assignment, "n2", "b4");
    assert_determines(&m.f, m.assignment, "j3", "b4");
    close_moves(&m);
}

static void a_storage_pays_only_if_that_is_allowed(void **state) {
    (void)state;
    moves m;
    open_moves(&m, "model M { " AUTOMATON(
                       "a") "1 j when a; R r(1); C c(1); Se v(1); v -> j; b: j -> r; d: j -> c; }");
    mark(&m, "j", "b", 0);
    m.assignment->rigid[fixture_link(&m.f, "b")] = true;
    assert_false(alternate(&m, "j", GAIN_ZERO));
    assert_int_equal(m.assignment->count[fixture_place(&m.f, "j")], 0);
    assert_true(alternate(&m, "j", GAIN_LOSS));
    assert_determines(&m.f, m.assignment, "j", "d");
    assert_int_equal(hbg_causal_derivative_count(m.assignment), 1);
    close_moves(&m);
}

static void a_place_with_two_gives_up_the_cheaper_one(void **state) {
    (void)state;
    moves m;
    open_moves(&m, "model M { " AUTOMATON("a") "0 j when a; R r(1); C c(1); b: j -> r; d: j -> c; }");
    assert_determines(&m.f, m.assignment, "j", "d");
    mark(&m, "j", "b", 1);
    assert_true(alternate(&m, "j", GAIN_LOSS));
    assert_determines(&m.f, m.assignment, "j", "d"); // the capacitor stays integral
    close_moves(&m);
}

static void a_place_that_cannot_be_helped_is_left_alone(void **state) {
    (void)state;
    moves m;
    open_moves(&m, "model M { " AUTOMATON("a") "0 j when a; Se v(1); I m(1); b: v -> j; d: j -> m; }");
    mark(&m, "j", "d", 1); // the inertia is made derivative on top of the source
    m.assignment->rigid[fixture_link(&m.f, "d")] = true;
    assert_false(alternate(&m, "j", GAIN_DEFICIT));
    assert_int_equal(m.assignment->count[fixture_place(&m.f, "j")], 2);
    close_moves(&m);
}

static int32_t storage_slot(const moves *m, const char *bond) {
    int32_t slot = 2 * fixture_link(&m->f, bond);
    return causal_place(m->f.structure, slot) == HBG_NONE ? slot : slot + 1;
}

static void a_derivative_storage_becomes_integral_where_none_has_to_pay(void **state) {
    (void)state;
    moves m;
    open_moves(&m, "model M { " AUTOMATON("a") "0 j when a; R r(1); C c(1); b: j -> r; d: j -> c; }");
    mark(&m, "j", "d", 0);
    mark(&m, "j", "b", 1);
    assert_int_equal(hbg_causal_derivative_count(m.assignment), 1);
    assert_true(hbg_causal_improve(m.assignment, storage_slot(&m, "d")));
    assert_int_equal(hbg_causal_derivative_count(m.assignment), 0);
    assert_determines(&m.f, m.assignment, "j", "d");
    close_moves(&m);
}

static void a_derivative_storage_stays_where_another_would_have_to_pay(void **state) {
    (void)state;
    moves m;
    open_moves(&m, "model M { " AUTOMATON("a") "0 j when a; C c(1); C e(1); b: j -> e; d: j -> c; }");
    int32_t place = fixture_place(&m.f, "j");
    int32_t bond = hbg_causal_determining_bond(m.assignment, place);
    const char *other = bond == fixture_bond(&m.f, "b") ? "d" : "b";
    assert_false(hbg_causal_improve(m.assignment, storage_slot(&m, other)));
    assert_int_equal(hbg_causal_determining_bond(m.assignment, place), bond);
    assert_int_equal(hbg_causal_derivative_count(m.assignment), 1);
    close_moves(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resistor_next_door_absorbs_the_change),
        cmocka_unit_test(a_resistor_far_away_absorbs_the_change),
        cmocka_unit_test(a_storage_pays_only_if_that_is_allowed),
        cmocka_unit_test(a_place_with_two_gives_up_the_cheaper_one),
        cmocka_unit_test(a_place_that_cannot_be_helped_is_left_alone),
        cmocka_unit_test(a_derivative_storage_becomes_integral_where_none_has_to_pay),
        cmocka_unit_test(a_derivative_storage_stays_where_another_would_have_to_pay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
