/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reports of values and ports that contradict the domain of their net. */
#include "fixture_impl.h"

static int32_t port(fixture *f, const char *text, hbg_domain domain, int32_t bond_index) {
    int32_t index = hbg_model_add_port(f->model, id(f, text), domain);
    f->model->ports.items[index].bond = bond_index;
    return index;
}

static void a_henry_on_a_capacitor_names_both_units_and_places(void **state) {
    fixture *f = *state;
    hbg_expr volts = quantity(f, 10, VOLT);
    hang(f, element(f, HBG_KIND_SE, "supply", volts));
    hang(f, element(f, HBG_KIND_C, "c", quantity(f, 0.005, HENRY)));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "`c` is a C in an electrical net: its value is in F, but `0.005 [H]` is in H");
    assert_note_at(f, HBG_E_UNIT, f->model->exprs.items[volts].span);
    assert_fix(f, HBG_E_UNIT, "`I c`");
}

static void a_siemens_is_not_an_ohm(void **state) {
    fixture *f = *state;
    hang(f, element(f, HBG_KIND_R, "r", quantity(f, 5, SIEMENS)));
    hang(f, element(f, HBG_KIND_SE, "s", quantity(f, 10, VOLT)));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "Ohm");
    assert_fix(f, HBG_E_UNIT, "1/");
}

static void a_siemens_is_not_an_ohm_among_bare_numbers_either(void **state) {
    fixture *f = *state;
    hang(f, element(f, HBG_KIND_R, "r", quantity(f, 5, SIEMENS)));
    hang(f, element(f, HBG_KIND_SE, "s", number(f, 10)));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "nothing else says that `r` is magnetic");
}

static void a_magnetic_net_is_believed_with_support(void **state) {
    (void)state;
    for (int support = 0; support < 3; support++) {
        fixture f;
        fixture_init(&f);
        int32_t b = hang(&f, element(&f, HBG_KIND_C, "gap", quantity(&f, 1e-6, HENRY)));
        hang(&f, element(&f, HBG_KIND_SE, "mmf", support == 0 ? quantity(&f, 5, AMPERE) : number(&f, 5)));
        if (support == 1) port(&f, "p", HBG_DOMAIN_MAGNETIC, b);
        if (support == 2) {
            int32_t coil = element(&f, HBG_KIND_GY, "coil", number(&f, 100));
            hang(&f, coil);
            bond(&f, coil, element(&f, HBG_KIND_R, "far", number(&f, 1)));
        }
        assert_clean(&f);
        hbg_base_arena_fini(&f.arena);
    }
}

static void a_value_that_fits_no_domain_lists_what_does(void **state) {
    fixture *f = *state;
    hang(f, element(f, HBG_KIND_R, "r", quantity(f, 5, SECOND)));
    hang(f, element(f, HBG_KIND_SE, "s", number(f, 10)));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "Ohm, N·s/m, N·m·s/rad, Pa·s/m^3, K/W or A/V");
}

static void laws_and_initial_values_are_checked(void **state) {
    fixture *f = *state;
    hang(f, element(f, HBG_KIND_SE, "s", quantity(f, 10, VOLT)));
    int32_t r = bare_element(f, HBG_KIND_R, "r", 1);
    law(f, r, HBG_VARIABLE_EFFORT, 1, op(f, HBG_OP_FLOW, r, 1));
    hang(f, r);
    int32_t c = element(f, HBG_KIND_C, "c", number(f, 1));
    initial(f, c, HBG_VARIABLE_DISPLACEMENT, 1, quantity(f, 1, METRE));
    hang(f, c);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_UNIT), 2);
    assert_says(f, HBG_E_UNIT, "its law gives e, which is in V, but `r.f` is in A");
}

static void ports_of_two_domains_are_a_domain_error(void **state) {
    fixture *f = *state;
    int32_t b =
        bond(f, element(f, HBG_KIND_SE, "s", number(f, 1)), element(f, HBG_KIND_R, "r", number(f, 1)));
    int32_t first = port(f, "wire", HBG_DOMAIN_ELECTRICAL, b),
            second = port(f, "pipe", HBG_DOMAIN_HYDRAULIC, b);
    assert_error(f, HBG_E_DOMAIN);
    assert_says(f, HBG_E_DOMAIN, "a hydraulic port, `pipe`, is bonded to an electrical one, `wire`");
    assert_note_at(f, HBG_E_DOMAIN, f->model->ports.items[first].id.span);
    assert_note_at(f, HBG_E_DOMAIN, f->model->ports.items[second].id.span);
    assert_int_equal(first_of(f, HBG_E_DOMAIN)->span.start, f->model->bonds.items[b].id.span.start);
}

static void a_declared_port_outweighs_units(void **state) {
    fixture *f = *state;
    hang(f, element(f, HBG_KIND_SE, "s", quantity(f, 10, PASCAL)));
    hang(f, element(f, HBG_KIND_SE, "t", quantity(f, 10, PASCAL)));
    int32_t b = hang(f, element(f, HBG_KIND_R, "r", number(f, 1)));
    port(f, "wire", HBG_DOMAIN_ELECTRICAL, b);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_UNIT), 2);
    assert_int_equal(count_of(f, HBG_E_DOMAIN), 0);
}

static void there_is_no_thermal_momentum(void **state) {
    fixture *f = *state;
    hang(f, element(f, HBG_KIND_SE, "hot", quantity(f, 300, KELVIN)));
    hang(f, element(f, HBG_KIND_I, "i", number(f, 1)));
    assert_error(f, HBG_E_DOMAIN);
    assert_says(f, HBG_E_DOMAIN, "no thermal momentum");
}

static void a_modulus_that_does_not_fit_names_both_domains(void **state) {
    fixture *f = *state;
    int32_t gear = element(f, HBG_KIND_TF, "gear", quantity(f, 2, METRE));
    bond(f, element(f, HBG_KIND_SE, "s", quantity(f, 1, VOLT)), gear);
    bond(f, gear, element(f, HBG_KIND_I, "m", quantity(f, 1, KILOGRAM)));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "couples an electrical net to a translational one: this value is in V/N, but");
}

static void a_modulus_no_two_domains_fit_is_reported(void **state) {
    fixture *f = *state;
    int32_t gear = element(f, HBG_KIND_TF, "gear", quantity(f, 2, dim(0, 0, 0, 0, 5)));
    bond(f, element(f, HBG_KIND_SE, "s", number(f, 1)), gear);
    bond(f, gear, element(f, HBG_KIND_R, "r", number(f, 1)));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "no two domains");
}

static void transformers_that_disagree_are_an_error(void **state) {
    fixture *f = *state;
    // the middle net is fixed from both sides, differently, by transformers alone
    int32_t left = element(f, HBG_KIND_TF, "left", quantity(f, 1, hbg_model_dimension_pure));
    int32_t right = element(f, HBG_KIND_TF, "right", quantity(f, 1, hbg_model_dimension_pure));
    bond(f, element(f, HBG_KIND_SE, "s", quantity(f, 1, VOLT)), left);
    bond(f, left, right);
    bond(f, right, element(f, HBG_KIND_R, "r", quantity(f, 1, dim(-4, 1, -1, 0, 0))));
    hbg_model_check(f->model);
    assert_true(count_of(f, HBG_E_UNIT) >= 1);
}

static void a_modulus_of_a_thermal_pseudo_bond_may_be_read_either_way(void **state) {
    fixture *f = *state;
    int32_t tf = element(f, HBG_KIND_TF, "tf", quantity(f, 1, hbg_model_dimension_divide(VOLT, KELVIN)));
    bond(f, element(f, HBG_KIND_SE, "s", quantity(f, 1, VOLT)), tf);
    bond(f, tf, element(f, HBG_KIND_SE, "hot", quantity(f, 1, KELVIN)));
    assert_clean(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_henry_on_a_capacitor_names_both_units_and_places),
        TEST(a_siemens_is_not_an_ohm),
        TEST(a_siemens_is_not_an_ohm_among_bare_numbers_either),
        TEST(a_magnetic_net_is_believed_with_support),
        TEST(a_value_that_fits_no_domain_lists_what_does),
        TEST(laws_and_initial_values_are_checked),
        TEST(ports_of_two_domains_are_a_domain_error),
        TEST(a_declared_port_outweighs_units),
        TEST(there_is_no_thermal_momentum),
        TEST(a_modulus_that_does_not_fit_names_both_domains),
        TEST(a_modulus_no_two_domains_fit_is_reported),
        TEST(transformers_that_disagree_are_an_error),
        TEST(a_modulus_of_a_thermal_pseudo_bond_may_be_read_either_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
