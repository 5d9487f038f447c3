/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bonds, ports, nets. */
#include "fixture_impl.h"

static int32_t resistor(fixture *f, const char *text) {
    return element(f, HBG_KIND_R, text, number(f, 1));
}

static void a_source_and_a_resistor_are_a_model(void **state) {
    fixture *f = *state;
    int32_t s = element(f, HBG_KIND_SE, "s", number(f, 10)), r = resistor(f, "r");
    bond(f, s, r);
    assert_clean(f);
    assert_true(f->model->frozen);
    assert_int_equal(f->model->net_count, 1);
}

static void an_element_without_a_bond_is_reported(void **state) {
    fixture *f = *state;
    resistor(f, "r");
    assert_error(f, HBG_E_UNBONDED);
    assert_says(f, HBG_E_UNBONDED, "`r`");
    assert_fix(f, HBG_E_UNBONDED, "-> r");
}

static void two_bonds_at_a_one_port_name_both(void **state) {
    fixture *f = *state;
    int32_t j = junction(f, HBG_KIND_ONE, "j"), k = junction(f, HBG_KIND_ONE, "k"), r = resistor(f, "r");
    bond(f, j, k);
    int32_t first = bond(f, j, r);
    bond(f, k, r);
    assert_error(f, HBG_E_PORT);
    assert_says(f, HBG_E_PORT, "`j>r` and `k>r`");
    assert_note_at(f, HBG_E_PORT, f->model->bonds.items[first].id.span);
}

static void fields_have_one_bond_to_a_port_in_any_order(void **state) {
    fixture *f = *state;
    int32_t w = bare_element(f, HBG_KIND_R, "w", 2);
    for (int i = 0; i < 4; i++) give(f, w, number(f, 1));
    int32_t a = resistor(f, "a"), b = resistor(f, "b");
    int32_t second = bond_ports(f, b, 1, w, 2), first = bond_ports(f, w, 1, a, 1);
    assert_clean(f);
    const hbg_model *model = f->model;
    assert_int_equal(model->incidence[model->incidence_start[w]], first);
    assert_int_equal(model->incidence[model->incidence_start[w] + 1], second);
    assert_int_equal(model->net_count, 2);
    assert_int_equal(model->elements.items[w].net, model->bonds.items[first].net);
    assert_int_equal(hbg_model_net(model, w, 2), model->bonds.items[second].net);
}

static void a_field_port_without_bond_is_named(void **state) {
    fixture *f = *state;
    int32_t w = bare_element(f, HBG_KIND_R, "w", 3);
    for (int i = 0; i < 9; i++) give(f, w, number(f, 1));
    bond_ports(f, w, 1, resistor(f, "a"), 1);
    bond_ports(f, w, 3, resistor(f, "b"), 1);
    assert_error(f, HBG_E_UNBONDED);
    assert_says(f, HBG_E_UNBONDED, "port 2 of `w`");
}

static void a_field_port_with_two_bonds_is_named(void **state) {
    fixture *f = *state;
    int32_t w = bare_element(f, HBG_KIND_R, "w", 2);
    for (int i = 0; i < 4; i++) give(f, w, number(f, 1));
    bond_ports(f, w, 1, resistor(f, "a"), 1);
    bond_ports(f, w, 1, resistor(f, "b"), 1);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_PORT), 1);
    assert_says(f, HBG_E_PORT, "port 1 of `w`");
}

static void port_numbers_have_to_exist(void **state) {
    fixture *f = *state;
    int32_t r = resistor(f, "r"), n = junction(f, HBG_KIND_ZERO, "n");
    bond_ports(f, n, 0, r, 3);
    bond(f, n, resistor(f, "q"));
    assert_error(f, HBG_E_PORT);
    assert_says(f, HBG_E_PORT, "no port 3");
}

static void a_junction_has_no_numbered_ports(void **state) {
    fixture *f = *state;
    int32_t n = junction(f, HBG_KIND_ZERO, "n");
    bond_ports(f, n, 1, resistor(f, "r"), 1);
    bond(f, n, resistor(f, "q"));
    assert_error(f, HBG_E_PORT);
    assert_says(f, HBG_E_PORT, "junction");
}

static int32_t gear(fixture *f) {
    return element(f, HBG_KIND_TF, "gear", number(f, 2));
}

static void port_one_of_a_transformer_points_in(void **state) {
    fixture *f = *state;
    int32_t g = gear(f), a = resistor(f, "a"), b = resistor(f, "b");
    int32_t out = bond(f, g, b), in = bond(f, a, g);
    assert_clean(f);
    assert_int_equal(f->model->bonds.items[in].to.port, 1);
    assert_int_equal(f->model->bonds.items[out].from.port, 2);
    assert_int_equal(f->model->incidence[f->model->incidence_start[g]], in);
    assert_int_not_equal(f->model->bonds.items[in].net, f->model->bonds.items[out].net);
}

static void two_bonds_in_without_numbers_are_ambiguous(void **state) {
    fixture *f = *state;
    int32_t g = gear(f);
    int32_t first = bond(f, resistor(f, "a"), g);
    bond(f, resistor(f, "b"), g);
    assert_error(f, HBG_E_DIRECTION);
    assert_says(f, HBG_E_DIRECTION, "point in");
    assert_fix(f, HBG_E_DIRECTION, "`gear[1]` and `gear[2]`");
    assert_note_at(f, HBG_E_DIRECTION, f->model->bonds.items[first].id.span);
}

static void two_bonds_out_without_numbers_are_ambiguous(void **state) {
    fixture *f = *state;
    int32_t g = gear(f);
    bond(f, g, resistor(f, "a"));
    bond(f, g, resistor(f, "b"));
    assert_error(f, HBG_E_DIRECTION);
    assert_says(f, HBG_E_DIRECTION, "point out");
}

static void one_number_decides_the_other(void **state) {
    fixture *f = *state;
    int32_t g = gear(f);
    int32_t first = bond_ports(f, resistor(f, "a"), 1, g, 2),
            second = bond_ports(f, resistor(f, "b"), 1, g, 0);
    assert_clean(f);
    assert_int_equal(f->model->bonds.items[first].to.port, 2);
    assert_int_equal(f->model->bonds.items[second].to.port, 1);
}

static void the_same_number_twice_is_reported(void **state) {
    fixture *f = *state;
    int32_t g = gear(f);
    bond_ports(f, resistor(f, "a"), 1, g, 2);
    bond_ports(f, g, 2, resistor(f, "b"), 1);
    assert_error(f, HBG_E_PORT);
    assert_says(f, HBG_E_PORT, "port 2 of `gear`");
}

static void a_transformer_with_one_bond_is_unbonded(void **state) {
    fixture *f = *state;
    bond(f, resistor(f, "a"), gear(f));
    assert_error(f, HBG_E_UNBONDED);
    assert_says(f, HBG_E_UNBONDED, "two ports");
}

static void a_transformer_with_three_bonds_is_reported(void **state) {
    fixture *f = *state;
    int32_t g = gear(f);
    bond(f, resistor(f, "a"), g);
    bond(f, g, resistor(f, "b"));
    bond(f, g, resistor(f, "c"));
    assert_error(f, HBG_E_PORT);
}

static void a_bond_to_itself_is_reported(void **state) {
    fixture *f = *state;
    int32_t n = junction(f, HBG_KIND_ZERO, "n");
    bond(f, n, n);
    assert_error(f, HBG_E_BOND);
    assert_says(f, HBG_E_BOND, "`n`");
}

static void a_junction_with_one_bond_is_lonely(void **state) {
    fixture *f = *state;
    bond(f, junction(f, HBG_KIND_ZERO, "n"), resistor(f, "r"));
    junction(f, HBG_KIND_ONE, "m");
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_W_LONELY), 2);
    assert_int_equal(f->diagnostics.errors, 0);
}

static void an_open_port_is_a_warning(void **state) {
    fixture *f = *state;
    int32_t inner = hbg_model_add_scope(f->model, id(f, "d1"), name(f, "Diode"), NULL);
    hbg_model_add_port(f->model, (hbg_identity){inner, name(f, "a"), place(f)}, HBG_DOMAIN_ELECTRICAL);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_W_OPEN_PORT), 1);
    assert_says(f, HBG_W_OPEN_PORT, "`d1.a`");
}

static void junctions_join_nets_and_transformers_part_them(void **state) {
    fixture *f = *state;
    int32_t n = junction(f, HBG_KIND_ZERO, "n"), m = junction(f, HBG_KIND_ONE, "m"), g = gear(f);
    int32_t a = bond(f, n, resistor(f, "a")), b = bond(f, n, m), c = bond(f, m, g);
    int32_t d = bond(f, g, resistor(f, "d"));
    assert_clean(f);
    const hbg_bond *bonds = f->model->bonds.items;
    assert_int_equal(bonds[a].net, bonds[b].net);
    assert_int_equal(bonds[b].net, bonds[c].net);
    assert_int_not_equal(bonds[c].net, bonds[d].net);
    assert_int_equal(f->model->elements.items[n].net, bonds[a].net);
    assert_int_equal(f->model->net_count, 2);
}

static void bonds_lost_in_the_front_end_are_not_asked_for(void **state) {
    fixture *f = *state;
    resistor(f, "r");
    hbg_base_report(&f->diagnostics, HBG_E_UNKNOWN, place(f), "nothing is called `nood`");
    hbg_model_check(f->model);
    assert_int_equal(f->diagnostics.errors, 1);
}

static void a_mistake_of_a_component_is_reported_once(void **state) {
    fixture *f = *state;
    hbg_identity same = id(f, "x");
    for (int i = 0; i < 5; i++) {
        same.scope = hbg_model_add_scope(f->model, (hbg_identity){0, 0, place(f)}, 0, NULL);
        hbg_model_add_element(f->model, same, HBG_KIND_ONE, 0);
    }
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_W_LONELY), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_source_and_a_resistor_are_a_model),
        TEST(an_element_without_a_bond_is_reported),
        TEST(two_bonds_at_a_one_port_name_both),
        TEST(fields_have_one_bond_to_a_port_in_any_order),
        TEST(a_field_port_without_bond_is_named),
        TEST(a_field_port_with_two_bonds_is_named),
        TEST(port_numbers_have_to_exist),
        TEST(a_junction_has_no_numbered_ports),
        TEST(port_one_of_a_transformer_points_in),
        TEST(two_bonds_in_without_numbers_are_ambiguous),
        TEST(two_bonds_out_without_numbers_are_ambiguous),
        TEST(one_number_decides_the_other),
        TEST(the_same_number_twice_is_reported),
        TEST(a_transformer_with_one_bond_is_unbonded),
        TEST(a_transformer_with_three_bonds_is_reported),
        TEST(a_bond_to_itself_is_reported),
        TEST(a_junction_with_one_bond_is_lonely),
        TEST(an_open_port_is_a_warning),
        TEST(junctions_join_nets_and_transformers_part_them),
        TEST(bonds_lost_in_the_front_end_are_not_asked_for),
        TEST(a_mistake_of_a_component_is_reported_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
