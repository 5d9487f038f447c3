/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values of constant expressions as readers of the model get them. */
#include "fixture_impl.h"

static void literals_have_values_before_the_check(void **state) {
    fixture *f = *state;
    double value;
    hbg_expr sum = op(f, HBG_OP_ADD, number(f, 1.5), op(f, HBG_OP_MULTIPLY, number(f, 2), number(f, 3)));
    assert_true(hbg_model_constant(f->model, sum, &value));
    assert_true(value == 7.5);
    assert_false(hbg_model_constant(f->model, use(f, param(f, "p", number(f, 1))), &value));
}

static void a_far_argument_is_not_looked_for_before_the_check(void **state) {
    fixture *f = *state;
    double value;
    hbg_expr first = number(f, 1);
    for (int i = 0; i < 200; i++) number(f, 2);
    hbg_expr far = op(f, HBG_OP_ADD, first, number(f, 1));
    assert_false(hbg_model_constant(f->model, far, &value));
    hbg_model_check(f->model);
    assert_true(hbg_model_constant(f->model, far, &value));
    assert_true(value == 2);
}

static void parameters_have_values_after_the_check(void **state) {
    fixture *f = *state;
    double value;
    hbg_expr twice = op(f, HBG_OP_MULTIPLY, number(f, 2), use(f, param(f, "p", number(f, 7.5e-6))));
    hbg_expr pi = op(f, HBG_OP_PI, HBG_NONE, HBG_NONE);
    hbg_expr varying = op(f, HBG_OP_ADD, twice, op(f, HBG_OP_TIME, HBG_NONE, HBG_NONE));
    hbg_expr infinite = op(f, HBG_OP_DIVIDE, number(f, 1), number(f, 0));
    hbg_model_check(f->model);
    assert_true(hbg_model_constant(f->model, twice, &value) && value == 15e-6);
    assert_true(hbg_model_constant(f->model, pi, &value) && value == acos(-1));
    assert_false(hbg_model_constant(f->model, varying, &value));
    assert_false(hbg_model_constant(f->model, infinite, &value));
    assert_false(hbg_model_constant(f->model, HBG_NONE, &value));
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(literals_have_values_before_the_check),
                                       TEST(a_far_argument_is_not_looked_for_before_the_check),
                                       TEST(parameters_have_values_after_the_check)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
