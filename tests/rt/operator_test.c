/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values of operators on numbers. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>

#include "rt/operator.h"

static double on(hbg_operator op_index, double a, double b) {
    return hbg_rt_evaluate(op_index, a, b, 0);
}

/* Leaves except pi refer to objects of a model; so do tables, der and in. */
static void every_operator_on_numbers_has_a_value(void **state) {
    (void)state;
    for (int op = HBG_OP_OR; op < HBG_OP_TABLE; op++)
        assert_true(isfinite(hbg_rt_evaluate(op, 0.5, 0.25, 2)));
    assert_true(hbg_rt_evaluate(HBG_OP_PI, 0, 0, 0) == acos(-1));
}

static void arithmetic_is_that_of_c(void **state) {
    (void)state;
    assert_true(on(HBG_OP_ADD, 2, 3) == 5 && on(HBG_OP_SUBTRACT, 2, 3) == -1);
    assert_true(on(HBG_OP_MULTIPLY, 2, 3) == 6 && on(HBG_OP_DIVIDE, 3, 2) == 1.5);
    assert_true(on(HBG_OP_REMAINDER, -7, 3) == -1 && on(HBG_OP_REMAINDER, 7.5, 2) == 1.5);
    // multiples up to rounding: 10·1e-6 is below 1e-5, and 5 times the double next to 1e-5 is above 5e-5
    assert_true(on(HBG_OP_REMAINDER, 10 * 1e-6, 1e-5) == 0 && on(HBG_OP_REMAINDER, 5e-5, 1e-5) == 0);
    assert_true(on(HBG_OP_REMAINDER, -10 * 1e-6, 1e-5) == 0 && on(HBG_OP_REMAINDER, -5e-5, -1e-5) == 0);
    assert_true(on(HBG_OP_REMAINDER, 1e-5 * (1 - 1e-14), 1e-5) == 1e-5 * (1 - 1e-14));
    assert_true(isnan(on(HBG_OP_REMAINDER, 1, 0)) && on(HBG_OP_REMAINDER, 0, 2) == 0);
    assert_true(on(HBG_OP_POWER_OF, 2, 10) == 1024 && on(HBG_OP_POW, 2, -1) == 0.5);
    assert_true(on(HBG_OP_NEGATE, 2, 0) == -2 && on(HBG_OP_HYPOT, 3, 4) == 5);
    assert_true(isinf(on(HBG_OP_DIVIDE, 1, 0)) && isnan(on(HBG_OP_SQRT, -1, 0)));
    assert_true(on(HBG_OP_FLOOR, -1.5, 0) == -2 && on(HBG_OP_CEIL, -1.5, 0) == -1);
    assert_true(fabs(on(HBG_OP_CBRT, -27, 0) + 3) < 1e-15 && fabs(on(HBG_OP_LOG10, 1000, 0) - 3) < 1e-15);
}

static void sign_of_zero_is_zero(void **state) {
    (void)state;
    assert_true(on(HBG_OP_SIGN, 0, 0) == 0 && on(HBG_OP_SIGN, -3, 0) == -1 && on(HBG_OP_SIGN, 0.1, 0) == 1);
}

static void booleans_are_zero_and_one(void **state) {
    (void)state;
    assert_true(on(HBG_OP_AND, 1, 0) == 0 && on(HBG_OP_AND, 1, 1) == 1 && on(HBG_OP_OR, 0, 1) == 1);
    assert_true(on(HBG_OP_NOT, 0, 0) == 1 && on(HBG_OP_NOT, 1, 0) == 0);
    assert_true(on(HBG_OP_LESS, 1, 1) == 0 && on(HBG_OP_LESS_EQUAL, 1, 1) == 1);
    assert_true(on(HBG_OP_GREATER, 2, 1) == 1 && on(HBG_OP_GREATER_EQUAL, 1, 2) == 0);
    assert_true(on(HBG_OP_EQUAL, 2, 2) == 1 && on(HBG_OP_NOT_EQUAL, 2, 2) == 0);
    assert_true(hbg_rt_evaluate(HBG_OP_SELECT, 1, 5, 7) == 5);
    assert_true(hbg_rt_evaluate(HBG_OP_SELECT, 0, 5, 7) == 7);
}

static void min_and_max_ignore_nan(void **state) {
    (void)state;
    assert_true(on(HBG_OP_MIN, 1, 2) == 1 && on(HBG_OP_MAX, 1, 2) == 2);
    assert_true(on(HBG_OP_MIN, NAN, 2) == 2 && on(HBG_OP_MAX, 1, NAN) == 1);
}

static void a_number_has_no_pulse(void **state) {
    (void)state;
    assert_true(on(HBG_OP_PRE, 3, 0) == 3 && on(HBG_OP_FINITE, 3, 0) == 3 && on(HBG_OP_IMPULSE, 3, 0) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_on_numbers_has_a_value),
        cmocka_unit_test(arithmetic_is_that_of_c),
        cmocka_unit_test(sign_of_zero_is_zero),
        cmocka_unit_test(booleans_are_zero_and_one),
        cmocka_unit_test(min_and_max_ignore_nan),
        cmocka_unit_test(a_number_has_no_pulse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
