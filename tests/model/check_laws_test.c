/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values, laws, initial values, switching junctions. */
#include "fixture_impl.h"

#define E HBG_VARIABLE_EFFORT
#define F HBG_VARIABLE_FLOW
#define Q HBG_VARIABLE_DISPLACEMENT
#define P HBG_VARIABLE_MOMENTUM

/* An element without a value, joined to a resistor. */
static int32_t lone(fixture *f, hbg_element_kind kind) {
    int32_t x = bare_element(f, kind, "x", 1);
    bond(f, x, element(f, HBG_KIND_R, "load", number(f, 1)));
    return x;
}

static void an_element_without_value_or_law_is_reported(void **state) {
    fixture *f = *state;
    lone(f, HBG_KIND_C);
    assert_error(f, HBG_E_LAW);
    assert_fix(f, HBG_E_LAW, "`C x : e = …;`");
}

static void a_source_needs_a_value(void **state) {
    fixture *f = *state;
    lone(f, HBG_KIND_SF);
    assert_error(f, HBG_E_LAW);
    assert_says(f, HBG_E_LAW, "a flow source without a value");
}

static void a_value_and_a_law_are_one_too_many(void **state) {
    fixture *f = *state;
    int32_t x = lone(f, HBG_KIND_R);
    give(f, x, number(f, 1));
    law(f, x, E, 1, op(f, HBG_OP_FLOW, x, 1));
    assert_error(f, HBG_E_LAW);
    assert_says(f, HBG_E_LAW, "both");
}

static void a_matrix_has_ports_squared_values(void **state) {
    fixture *f = *state;
    int32_t w = bare_element(f, HBG_KIND_R, "w", 2);
    for (int i = 0; i < 3; i++) give(f, w, number(f, 1));
    bond_ports(f, w, 1, element(f, HBG_KIND_R, "a", number(f, 1)), 1);
    bond_ports(f, w, 2, element(f, HBG_KIND_R, "b", number(f, 1)), 1);
    assert_error(f, HBG_E_LAW);
    assert_says(f, HBG_E_LAW, "4 in all, not 3");
}

static void laws_are_for_variables_the_element_has(void **state) {
    (void)state;
    const struct {
        hbg_element_kind kind;
        hbg_variable variable;
        bool fits;
    } cases[] = {{HBG_KIND_R, E, true},  {HBG_KIND_R, F, true},  {HBG_KIND_R, Q, false},
                 {HBG_KIND_C, E, true},  {HBG_KIND_C, Q, false}, {HBG_KIND_C, F, false},
                 {HBG_KIND_I, F, true},  {HBG_KIND_I, E, false}, {HBG_KIND_I, P, false},
                 {HBG_KIND_SE, E, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        fixture_init(&f);
        law(&f, lone(&f, cases[i].kind), cases[i].variable, 1, number(&f, 1));
        hbg_model_check(f.model);
        assert_int_equal(count_of(&f, HBG_E_LAW), !cases[i].fits);
        hbg_base_arena_fini(&f.arena);
    }
}

static void a_resistor_may_have_both_laws(void **state) {
    fixture *f = *state;
    int32_t x = lone(f, HBG_KIND_R);
    law(f, x, E, 1, op(f, HBG_OP_FLOW, x, 1));
    law(f, x, F, 1, op(f, HBG_OP_EFFORT, x, 1));
    assert_clean(f);
}

static void two_laws_for_one_variable_are_reported(void **state) {
    fixture *f = *state;
    int32_t x = lone(f, HBG_KIND_R);
    law(f, x, E, 1, op(f, HBG_OP_FLOW, x, 1));
    law(f, x, E, 1, op(f, HBG_OP_FLOW, x, 1));
    assert_error(f, HBG_E_TWICE);
    assert_note_at(f, HBG_E_TWICE, f->model->bindings.items[0].span);
}

static void a_law_does_not_use_what_it_gives(void **state) {
    (void)state;
    const hbg_element_kind kinds[] = {HBG_KIND_R, HBG_KIND_C, HBG_KIND_I};
    for (int i = 0; i < 3; i++) {
        fixture f;
        fixture_init(&f);
        int32_t x = lone(&f, kinds[i]);
        bool inertia = kinds[i] == HBG_KIND_I;
        hbg_expr own = op(&f, inertia ? HBG_OP_FLOW : HBG_OP_EFFORT, x, 1);
        law(&f, x, inertia ? F : E, 1, op(&f, HBG_OP_ADD, number(&f, 1), op(&f, HBG_OP_SIN, own, HBG_NONE)));
        assert_error(&f, HBG_E_LAW);
        assert_says(&f, HBG_E_LAW, inertia ? "`x.f`" : "`x.e`");
        hbg_base_arena_fini(&f.arena);
    }
}

static void a_law_may_use_the_same_variable_of_another(void **state) {
    fixture *f = *state;
    int32_t x = lone(f, HBG_KIND_R);
    law(f, x, E, 1, op(f, HBG_OP_EFFORT, hbg_model_find(f->model, 0, name(f, "load")).index, 1));
    assert_clean(f);
}

static int32_t field(fixture *f, hbg_element_kind kind) {
    int32_t w = bare_element(f, kind, "w", 2);
    bond_ports(f, w, 1, element(f, HBG_KIND_R, "a", number(f, 1)), 1);
    bond_ports(f, w, 2, element(f, HBG_KIND_R, "b", number(f, 1)), 1);
    return w;
}

static void a_field_needs_a_law_for_each_port(void **state) {
    fixture *f = *state;
    int32_t w = field(f, HBG_KIND_C);
    law(f, w, E, 1, op(f, HBG_OP_DISPLACEMENT, w, 2));
    assert_error(f, HBG_E_LAW);
    assert_says(f, HBG_E_LAW, "each port needs one");
}

static void a_field_by_laws_is_fine_and_may_mix_directions(void **state) {
    fixture *f = *state;
    int32_t w = field(f, HBG_KIND_R);
    law(f, w, E, 1, op(f, HBG_OP_EFFORT, w, 2)); // e of port 2 is given to the field there
    law(f, w, F, 2, op(f, HBG_OP_NEGATE, op(f, HBG_OP_FLOW, w, 1), HBG_NONE));
    assert_clean(f);
}

static void a_field_law_does_not_use_what_another_gives(void **state) {
    fixture *f = *state;
    int32_t w = field(f, HBG_KIND_R);
    law(f, w, E, 1, op(f, HBG_OP_FLOW, w, 1));
    law(f, w, E, 2, op(f, HBG_OP_EFFORT, w, 1));
    assert_error(f, HBG_E_LAW);
}

static void storages_start_from_their_variables(void **state) {
    (void)state;
    const struct {
        hbg_element_kind kind;
        hbg_variable variable;
        bool fits;
    } cases[] = {{HBG_KIND_C, Q, true},  {HBG_KIND_C, E, true},  {HBG_KIND_C, P, false},
                 {HBG_KIND_I, P, true},  {HBG_KIND_I, F, true},  {HBG_KIND_I, Q, false},
                 {HBG_KIND_R, E, false}, {HBG_KIND_SE, E, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        fixture_init(&f);
        int32_t x = lone(&f, cases[i].kind);
        give(&f, x, number(&f, 1));
        initial(&f, x, cases[i].variable, 1, number(&f, 0));
        hbg_model_check(f.model);
        assert_int_equal(count_of(&f, HBG_E_LAW), !cases[i].fits);
        hbg_base_arena_fini(&f.arena);
    }
}

static void a_port_starts_from_one_value(void **state) {
    fixture *f = *state;
    int32_t x = lone(f, HBG_KIND_C);
    give(f, x, number(f, 1));
    initial(f, x, Q, 1, number(f, 0));
    initial(f, x, E, 1, number(f, 0));
    assert_error(f, HBG_E_TWICE);
    assert_note_at(f, HBG_E_TWICE, f->model->bindings.items[0].span);
}

static void junctions_switch_with_automata_only(void **state) {
    fixture *f = *state;
    int32_t a = automaton(f, "a", "01");
    transition(f, a, 0, 1, op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE));
    hbg_expr active = op(f, HBG_OP_ACTIVE, a, 1);
    switched(f, HBG_KIND_ONE, "good", op(f, HBG_OP_OR, op(f, HBG_OP_NOT, follow(f, a), HBG_NONE), active));
    hbg_expr compare = op(f, HBG_OP_GREATER, op(f, HBG_OP_TIME, HBG_NONE, HBG_NONE), number(f, 1));
    switched(f, HBG_KIND_ONE, "bad", op(f, HBG_OP_AND, follow(f, a), compare));
    assert_error(f, HBG_E_JUNCTION);
    assert_says(f, HBG_E_JUNCTION, "`bad`");
    assert_says(f, HBG_E_JUNCTION, "`time > 1`");
}

static void restitution_needs_a_switch(void **state) {
    fixture *f = *state;
    int32_t n = switched(f, HBG_KIND_ZERO, "n", HBG_NONE);
    f->model->elements.items[n].restitution = number(f, 0.8);
    assert_error(f, HBG_E_JUNCTION);
    assert_says(f, HBG_E_JUNCTION, "restitution");
}

static void the_dual_off_behaviour_needs_a_switch(void **state) {
    fixture *f = *state;
    int32_t n = switched(f, HBG_KIND_ZERO, "n", HBG_NONE);
    f->model->elements.items[n].dual_off = true;
    assert_error(f, HBG_E_JUNCTION);
    assert_says(f, HBG_E_JUNCTION, "off");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_element_without_value_or_law_is_reported),
        TEST(a_source_needs_a_value),
        TEST(a_value_and_a_law_are_one_too_many),
        TEST(a_matrix_has_ports_squared_values),
        TEST(laws_are_for_variables_the_element_has),
        TEST(a_resistor_may_have_both_laws),
        TEST(two_laws_for_one_variable_are_reported),
        TEST(a_law_does_not_use_what_it_gives),
        TEST(a_law_may_use_the_same_variable_of_another),
        TEST(a_field_needs_a_law_for_each_port),
        TEST(a_field_by_laws_is_fine_and_may_mix_directions),
        TEST(a_field_law_does_not_use_what_another_gives),
        TEST(storages_start_from_their_variables),
        TEST(a_port_starts_from_one_value),
        TEST(junctions_switch_with_automata_only),
        TEST(restitution_needs_a_switch),
        TEST(the_dual_off_behaviour_needs_a_switch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
