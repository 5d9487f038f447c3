/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of dimensions, and their names. */
#include "fixture_impl.h"

static void unknown_agrees_with_everything(void **state) {
    (void)state;
    assert_true(hbg_model_dimension_agree(hbg_model_dimension_any, VOLT));
    assert_true(hbg_model_dimension_agree(VOLT, hbg_model_dimension_any));
    assert_true(hbg_model_dimension_agree(VOLT, VOLT));
    assert_false(hbg_model_dimension_agree(VOLT, AMPERE));
    assert_false(hbg_model_dimension_agree(VOLT, hbg_model_dimension_pure));
}

static void product_and_quotient_add_exponents(void **state) {
    (void)state;
    assert_memory_equal(hbg_model_dimension_divide(VOLT, AMPERE).exponent, OHM.exponent, HBG_BASE_UNITS);
    assert_memory_equal(hbg_model_dimension_multiply(VOLT, SECOND).exponent, WEBER.exponent, HBG_BASE_UNITS);
    assert_false(hbg_model_dimension_multiply(VOLT, hbg_model_dimension_any).known);
    assert_false(hbg_model_dimension_divide(hbg_model_dimension_any, VOLT).known);
}

static void product_beyond_the_range_is_unknown(void **state) {
    (void)state;
    hbg_dimension high = dim(20, 0, 0, 0, 0);
    assert_false(hbg_model_dimension_multiply(high, high).known);
    assert_true(hbg_model_dimension_multiply(high, METRE).known);
}

static void power_keeps_to_sixths(void **state) {
    (void)state;
    hbg_dimension result;
    assert_true(hbg_model_dimension_power(dim(2, 0, -2, 0, 0), 1, 2, &result));
    assert_true(result.known && hbg_model_dimension_agree(result, SPEED));
    assert_true(hbg_model_dimension_power(METRE, 1, 3, &result));
    assert_int_equal(result.exponent[0], 2);
    assert_false(hbg_model_dimension_power(METRE, 1, 5, &result));
    assert_false(hbg_model_dimension_power(METRE, 100, 1, &result));
    assert_false(hbg_model_dimension_power(METRE, 1, 0, &result));
    assert_true(hbg_model_dimension_power(hbg_model_dimension_any, 1, 7, &result));
    assert_false(result.known);
}

static void named_units_come_first(void **state) {
    fixture *f = *state;
    const struct {
        hbg_dimension dimension;
        const char *text;
    } cases[] = {{VOLT, "V"},
                 {OHM, "Ohm"},
                 {SIEMENS, "S"},
                 {FARAD, "F"},
                 {HENRY, "H"},
                 {WEBER, "Wb"},
                 {COULOMB, "C"},
                 {NEWTON, "N"},
                 {PASCAL, "Pa"},
                 {SPEED, "m/s"},
                 {dim(0, 1, -1, 0, 0), "N·s/m"},
                 {dim(2, 1, 0, 0, 0), "kg·m^2"},
                 {hbg_model_dimension_pure, "a pure number"},
                 {hbg_model_dimension_any, "a bare number"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(text_of_dimension(f, cases[i].dimension), cases[i].text);
}

static void other_units_are_written_in_base_units(void **state) {
    fixture *f = *state;
    assert_string_equal(text_of_dimension(f, dim(0, 0, -1, 0, 0)), "1/s");
    assert_string_equal(text_of_dimension(f, dim(2, 1, -4, -2, 0)),
                        "Ohm/s"); // but for what changes with time
    assert_string_equal(text_of_dimension(f, dim(-2, -1, 2, 0, 1)), "(K/W)/s");
    assert_string_equal(text_of_dimension(f, dim(3, 0, -1, 0, 0)), "m^3/s");
    assert_string_equal(text_of_dimension(f, dim(1, 2, -3, -2, 0)), "kg^2·m/(s^3·A^2)");
    hbg_dimension root = hbg_model_dimension_pure;
    root.exponent[0] = 3;
    root.exponent[2] = -9;
    assert_string_equal(text_of_dimension(f, root), "m^(1/2)/s^(3/2)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(unknown_agrees_with_everything),
        TEST(product_and_quotient_add_exponents),
        TEST(product_beyond_the_range_is_unknown),
        TEST(power_keeps_to_sixths),
        TEST(named_units_come_first),
        TEST(other_units_are_written_in_base_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
