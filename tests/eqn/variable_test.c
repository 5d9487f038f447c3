/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

static const char *name_of(fixture *f, variable_kind kind, int32_t index, variable_layer layer) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, &f->arena);
    hbg_eqn_variable_name(f->eqn, f->eqn->first[kind] + index + (int32_t)layer * f->eqn->base_count, &out);
    return out.data;
}

static int32_t bond_of(const fixture *f, const char *path) {
    for (int32_t i = 0; i < f->model->bonds.count; i++) {
        hbg_buffer out;
        hbg_base_buffer_init(&out, (hbg_arena *)&f->arena);
        hbg_model_path(f->model, (hbg_object){HBG_OBJECT_BOND, i}, &out);
        if (strcmp(out.data, path) == 0) return i;
    }
    fail_msg("no bond %s", path);
    return -1;
}

/* Where bond and element mean the same the element's name is shorter. */
static void a_bond_is_called_after_its_element_where_both_mean_the_same(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { Se s(1); R r(1); R t(1); R w[2]([[1, 0], [0, 1]]); 1 j; 0 n; s -> j; j -> r; "
                     "t -> j; j -> n; n -> w[1]; j -> w[2]; }");
    assert_string_equal(name_of(&f, VARIABLE_EFFORT, bond_of(&f, "j>r"), LAYER_VALUE), "r.e");
    assert_string_equal(name_of(&f, VARIABLE_FLOW, bond_of(&f, "s>j"), LAYER_VALUE), "s.f");
    assert_string_equal(name_of(&f, VARIABLE_EFFORT, bond_of(&f, "t>j"), LAYER_VALUE), "t>j.e"); // −t.e
    assert_string_equal(name_of(&f, VARIABLE_FLOW, bond_of(&f, "t>j"), LAYER_VALUE), "t.f");
    assert_string_equal(name_of(&f, VARIABLE_FLOW, bond_of(&f, "j>n"), LAYER_VALUE), "j>n.f");
    assert_string_equal(name_of(&f, VARIABLE_FLOW, bond_of(&f, "n>w"), LAYER_VALUE), "w[1].f");
    fixture_close(&f);
}

static const char *told_name(fixture *f, variable_kind kind, const char *bond) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, &f->arena);
    hbg_eqn_told_name(f->eqn, f->eqn->first[kind] + bond_of(f, bond), &out);
    return out.data;
}

/* In what is told nobody meets the bond of a junction that stands for its common variable. */
static void people_are_told_names_they_know(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { Se s(1); R r(1); R t(1); R u(1); 1 j; 0 n; s -> j; t -> j; j -> n; n -> r; "
                     "1 k; n -> k; way: k -> u; }");
    assert_string_equal(told_name(&f, VARIABLE_FLOW, "j>n"), "j.f");
    assert_string_equal(told_name(&f, VARIABLE_EFFORT, "j>n"), "n.e");
    assert_string_equal(told_name(&f, VARIABLE_EFFORT, "t>j"), "-t.e");
    assert_string_equal(told_name(&f, VARIABLE_FLOW, "t>j"), "t.f");
    assert_string_equal(told_name(&f, VARIABLE_EFFORT, "n>r"), "r.e");
    assert_string_equal(told_name(&f, VARIABLE_EFFORT, "way"), "way.e");
    fixture_close(&f);
}

static void layers_have_names_of_their_own(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { C c(1); R r(1); c -> r; state x = 0 : der = c.e; }");
    assert_string_equal(name_of(&f, VARIABLE_STATE, 0, LAYER_VALUE), "c.q");
    assert_string_equal(name_of(&f, VARIABLE_STATE, 1, LAYER_VALUE), "x");
    assert_string_equal(name_of(&f, VARIABLE_STATE, 0, LAYER_RATE), "der(c.q)");
    assert_string_equal(name_of(&f, VARIABLE_EFFORT, 0, LAYER_RATE2), "der(der(c.e))");
    assert_string_equal(name_of(&f, VARIABLE_EFFORT, 0, LAYER_AREA), "impulse(c.e)");
    assert_string_equal(name_of(&f, VARIABLE_OLD, 0, LAYER_VALUE), "pre(c.q)");
    assert_string_equal(name_of(&f, VARIABLE_TIME, 0, LAYER_VALUE), "time");
    fixture_close(&f);
}

/* Storages in the order of their paths, their ports, then integrators. */
static void states_are_in_the_order_of_paths(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { state a = 0 : der = 1; I z(1); C m[2]([[1, 0], [0, 1]]); C b(1); 1 j; j -> "
                     "z; j -> m[2]; j -> m[1]; j -> b; }");
    static const char *const names[] = {"b.q", "m[1].q", "m[2].q", "z.p", "a"};
    assert_int_equal(f.system->state_count, 5);
    for (int i = 0; i < 5; i++) assert_string_equal(f.system->states[i].name, names[i]);
    fixture_close(&f);
}

static int sign_of(const fixture *f, const char *element, hbg_variable variable) {
    hbg_name name = hbg_base_names_find(f->model->names, element, strlen(element));
    return hbg_eqn_sign(f->model, hbg_model_find(f->model, 0, name).index, 1, variable);
}

/* Into R, C, I and out of sources; the other way a 1-junction negates efforts, a 0-junction and a two-port flows. */
static void the_other_way_round_negates_what_the_junction_sums(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { Se s(1); R r(1); C c(1); I l(1); 1 j; s -> j; r -> j; j -> c; l -> j;"
                     "Sf i(1); R g(1); R h(1); 0 n; n -> i; n -> g; h -> n; TF t(2); R behind(1); n -> t[1]; "
                     "behind -> t[2]; }");
    const struct {
        const char *element;
        int effort, flow;
    } signs[] = {{"s", 1, 1}, {"r", -1, 1}, {"c", 1, 1},       {"l", -1, 1}, {"i", 1, -1},
                 {"g", 1, 1}, {"h", 1, -1}, {"behind", 1, -1}, {"t", 1, 1}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        assert_int_equal(sign_of(&f, signs[i].element, HBG_VARIABLE_EFFORT), signs[i].effort);
        assert_int_equal(sign_of(&f, signs[i].element, HBG_VARIABLE_FLOW), signs[i].flow);
    }
    fixture_close(&f);
}

static void every_number_has_its_kind(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { param a = 1; C c(a); R r(1); c -> r; signal s = c.e; }");
    for (int kind = 0; kind < VARIABLE_KIND_COUNT; kind++)
        for (int32_t v = f.eqn->first[kind]; v < f.eqn->first[kind + 1]; v++)
            for (int layer = 0; layer < LAYER_COUNT; layer++)
                assert_int_equal(hbg_eqn_kind_of(f.eqn, v + layer * f.eqn->base_count), kind);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bond_is_called_after_its_element_where_both_mean_the_same),
        cmocka_unit_test(people_are_told_names_they_know),
        cmocka_unit_test(layers_have_names_of_their_own),
        cmocka_unit_test(states_are_in_the_order_of_paths),
        cmocka_unit_test(the_other_way_round_negates_what_the_junction_sums),
        cmocka_unit_test(every_number_has_its_kind),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
