/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The operator table. */
#include "fixture_impl.h"

static void names_of_functions_are_unique(void **state) {
    (void)state;
    for (int a = 0; a < HBG_OP_COUNT; a++) {
        const hbg_operator_info *info = hbg_model_operator_info_get(a);
        if (info->precedence != 0) continue;
        assert_int_equal(hbg_model_operator_find_function(info->text, strlen(info->text)), a);
    }
}

static void leaves_and_operators_are_no_functions(void **state) {
    (void)state;
    const char *const texts[] = {"e", "+", "pi", "number", "sine", "si", ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(hbg_model_operator_find_function(texts[i], strlen(texts[i])), HBG_OP_COUNT);
    assert_int_equal(hbg_model_operator_find_function("sinh(", 3), HBG_OP_SIN);
}

static void precedence_is_that_of_c_with_power_above_unary(void **state) {
    (void)state;
    const hbg_operator order[] = {HBG_OP_SELECT, HBG_OP_OR,       HBG_OP_AND,    HBG_OP_EQUAL,   HBG_OP_LESS,
                                  HBG_OP_ADD,    HBG_OP_MULTIPLY, HBG_OP_NEGATE, HBG_OP_POWER_OF};
    for (size_t i = 1; i < sizeof order / sizeof *order; i++)
        assert_true(hbg_model_operator_info_get(order[i - 1])->precedence <
                    hbg_model_operator_info_get(order[i])->precedence);
    assert_int_equal(hbg_model_operator_info_get(HBG_OP_NOT)->precedence,
                     hbg_model_operator_info_get(HBG_OP_NEGATE)->precedence);
    assert_int_equal(hbg_model_operator_info_get(HBG_OP_SUBTRACT)->precedence,
                     hbg_model_operator_info_get(HBG_OP_ADD)->precedence);
}

static void arity_fits_the_place_in_the_table(void **state) {
    (void)state;
    for (int op_index = 0; op_index < HBG_OP_COUNT; op_index++) {
        const hbg_operator_info *info = hbg_model_operator_info_get(op_index);
        assert_int_equal(info->arity == 0, info->precedence == 100);
        assert_in_range(info->arity, 0, 3);
        assert_true(info->text[0] != 0);
        if (info->type_rule == HBG_TYPES_SELECT) assert_int_equal(info->arity, 3);
        if (info->type_rule == HBG_TYPES_EQUAL) assert_int_equal(info->arity, 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_functions_are_unique),
        cmocka_unit_test(leaves_and_operators_are_no_functions),
        cmocka_unit_test(precedence_is_that_of_c_with_power_above_unary),
        cmocka_unit_test(arity_fits_the_place_in_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
