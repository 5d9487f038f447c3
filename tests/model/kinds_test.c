/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The tables made from the lists of kinds. */
#include "fixture_impl.h"

static void elements_know_their_ports(void **state) {
    (void)state;
    assert_string_equal(hbg_model_element_info_get(HBG_KIND_SE)->text, "Se");
    assert_int_equal(hbg_model_element_info_get(HBG_KIND_SE)->ports, 1);
    assert_int_equal(hbg_model_element_info_get(HBG_KIND_TF)->ports, 2);
    assert_int_equal(hbg_model_element_info_get(HBG_KIND_ZERO)->ports, 0);
    assert_true(hbg_model_element_info_get(HBG_KIND_I)->field);
    assert_false(hbg_model_element_info_get(HBG_KIND_GY)->field);
}

static void a_basic_kind_is_its_own(void **state) {
    (void)state;
    for (int i = 0; i < HBG_KIND_COUNT; i++) {
        hbg_element_kind kind = hbg_model_element_info_get(i)->kind;
        assert_int_equal(hbg_model_element_info_get(kind)->kind, kind);
        assert_int_equal(hbg_model_element_info_get(i)->ports, hbg_model_element_info_get(kind)->ports);
    }
}

static void every_kind_has_a_text(void **state) {
    (void)state;
    for (int i = 0; i < HBG_KIND_COUNT; i++) assert_true(hbg_model_element_info_get(i)->name[0] != 0);
    assert_string_equal(hbg_model_variable_text(HBG_VARIABLE_MOMENTUM), "p");
    assert_string_equal(hbg_model_variable_text(HBG_VARIABLE_DISPLACEMENT), "q");
    assert_string_equal(hbg_model_signal_kind_text(HBG_SIGNAL_SENSOR), "sensor");
    assert_string_equal(hbg_model_fault_kind_text(HBG_FAULT_INCIPIENT), "incipient");
    assert_string_equal(hbg_model_solver_text(HBG_SOLVER_ODE3), "ode3");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(elements_know_their_ports),
                                       cmocka_unit_test(a_basic_kind_is_its_own),
                                       cmocka_unit_test(every_kind_has_a_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
