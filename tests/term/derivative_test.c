/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "terms_impl.h"

static double slope_of(const algebra *a, hbg_term term, const double *at, int32_t by) {
    double values[END_PARAM], h = 1e-5 * fmax(1, fabs(at[by]));
    memcpy(values, at, sizeof values);
    values[by] = at[by] + h;
    double up = value_of(a, term, values);
    values[by] = at[by] - h;
    return (up - value_of(a, term, values)) / (2 * h);
}

static void assert_slope(const algebra *a, hbg_term partial, hbg_term term, const double *at, int32_t by) {
    double exact = value_of(a, partial, at), slope = slope_of(a, term, at, by);
    if (!(fabs(exact - slope) <= 1e-8 * fmax(1, fabs(exact))))
        fail_msg("%.12g, differences give %.12g", exact, slope);
}

static void every_operator_has_the_slope_of_central_differences(void **state) {
    algebra *a = *state;
    static const struct {
        int op;
        double x, y;
    } points[] = {
        {HBG_OP_ADD, 0.7, 0.3},
        {HBG_OP_SUBTRACT, 0.7, 0.3},
        {HBG_OP_MULTIPLY, 0.7, -0.3},
        {HBG_OP_DIVIDE, 0.7, -0.3},
        {HBG_OP_NEGATE, 0.7, 0},
        {HBG_OP_POWER_OF, 0.7, 2.3},
        {HBG_OP_POW, 1.9, -1.5},
        {HBG_OP_SIN, 0.7, 0},
        {HBG_OP_COS, 0.7, 0},
        {HBG_OP_TAN, 0.7, 0},
        {HBG_OP_ASIN, 0.7, 0},
        {HBG_OP_ACOS, -0.7, 0},
        {HBG_OP_ATAN, 1.7, 0},
        {HBG_OP_ATAN2, 0.7, -0.3},
        {HBG_OP_ATAN2, -0.7, 0.3},
        {HBG_OP_SINH, 0.7, 0},
        {HBG_OP_COSH, 0.7, 0},
        {HBG_OP_TANH, 0.7, 0},
        {HBG_OP_EXP, -0.7, 0},
        {HBG_OP_LOG, 0.7, 0},
        {HBG_OP_LOG10, 0.7, 0},
        {HBG_OP_SQRT, 0.7, 0},
        {HBG_OP_CBRT, -0.7, 0},
        {HBG_OP_HYPOT, 0.7, -0.3},
        {HBG_OP_ABS, 0.7, 0},
        {HBG_OP_ABS, -0.7, 0},
        {HBG_OP_MIN, 0.7, 0.3},
        {HBG_OP_MIN, 0.3, 0.7},
        {HBG_OP_MAX, 0.7, 0.3},
        {HBG_OP_MAX, 0.3, 0.7},
        {HBG_OP_REMAINDER, 7.3, 2.1},
        {HBG_OP_REMAINDER, -7.3, 2.1},
        {HBG_OP_SIGN, 0.7, 0},
        {HBG_OP_FLOOR, 0.7, 0},
        {HBG_OP_CEIL, 0.7, 0},
        {HBG_OP_LESS, 0.7, 0.3},
        {HBG_OP_EQUAL, 0.7, 0.3},
        {HBG_OP_NOT_EQUAL, 0.7, 0.3},
        {HBG_OP_LESS_EQUAL, 0.7, 0.3},
        {HBG_OP_GREATER, 0.7, 0.3},
        {HBG_OP_GREATER_EQUAL, 0.7, 0.3},
        {HBG_OP_OR, 0.7, 0.3},
        {HBG_OP_AND, 0.7, 0.3},
        {HBG_OP_NOT, 0.7, 0},
    };
    bool seen[HBG_OP_COUNT] = {[HBG_OP_SELECT] = true}; // below
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        double at[END_PARAM] = {points[i].x, points[i].y};
        int arity = hbg_model_operator_info_get((hbg_operator)points[i].op)->arity;
        seen[points[i].op] = true;
        hbg_term term = apply(a, points[i].op, variable(a, 0), arity > 1 ? variable(a, 1) : HBG_NONE);
        for (int k = 0; k < arity; k++) assert_slope(a, hbg_term_partial(&a->terms, term, k), term, at, k);
    }
    for (int op = HBG_OP_OR; op < HBG_OP_TABLE; op++)
        if (!seen[op]) fail_msg("no point for `%s`", hbg_model_operator_info_get((hbg_operator)op)->text);
}

static void a_choice_has_the_slope_of_what_is_chosen(void **state) {
    algebra *a = *state;
    hbg_term x = variable(a, 0), y = variable(a, 1);
    hbg_term choice = hbg_term_make(&a->terms, HBG_OP_SELECT, apply(a, HBG_OP_LESS, x, y), x, y);
    assert_true(value_of(a, hbg_term_partial(&a->terms, choice, 1), (double[END_PARAM]){1, 2}) == 1);
    assert_true(value_of(a, hbg_term_partial(&a->terms, choice, 2), (double[END_PARAM]){1, 2}) == 0);
    assert_true(value_of(a, hbg_term_partial(&a->terms, choice, 2), (double[END_PARAM]){2, 1}) == 1);
    assert_true(hbg_term_is_zero(&a->terms, hbg_term_partial(&a->terms, choice, 0)));
}

/* The branches the interpreter takes at equality: abs of 0 is on the side of +, min and max take the second. */
static void at_a_kink_the_slope_is_that_of_the_branch_taken(void **state) {
    algebra *a = *state;
    hbg_term x = variable(a, 0), y = variable(a, 1);
    const double zero[END_PARAM] = {0}, equal[END_PARAM] = {2, 2};
    assert_true(value_of(a, hbg_term_partial(&a->terms, apply(a, HBG_OP_ABS, x, HBG_NONE), 0), zero) == 1);
    for (int op = HBG_OP_MIN; op <= HBG_OP_MAX; op++) {
        assert_true(value_of(a, hbg_term_partial(&a->terms, apply(a, op, x, y), 0), equal) == 0);
        assert_true(value_of(a, hbg_term_partial(&a->terms, apply(a, op, x, y), 1), equal) == 1);
    }
}

static void derivatives_have_the_form_one_writes_by_hand(void **state) {
    algebra *a = *state;
    hbg_terms *t = &a->terms;
    hbg_term x = variable(a, 0), y = variable(a, 1), two = number(a, 2), three = number(a, 3);
    hbg_term cube = apply(a, HBG_OP_POWER_OF, x, three), quotient = hbg_term_divide(t, x, y);
    assert_int_equal(hbg_term_partial(t, cube, 0),
                     hbg_term_multiply(t, three, apply(a, HBG_OP_POWER_OF, x, two)));
    assert_int_equal(hbg_term_partial(t, apply(a, HBG_OP_POWER_OF, x, two), 0), hbg_term_multiply(t, two, x));
    assert_int_equal(hbg_term_partial(t, apply(a, HBG_OP_POWER_OF, x, number(a, 0.5)), 0),
                     hbg_term_multiply(t, number(a, 0.5), apply(a, HBG_OP_POWER_OF, x, number(a, -0.5))));
    assert_int_equal(hbg_term_partial(t, quotient, 0), hbg_term_divide(t, number(a, 1), y));
    assert_int_equal(hbg_term_partial(t, quotient, 1), hbg_term_negate(t, hbg_term_divide(t, quotient, y)));
    assert_int_equal(hbg_term_partial(t, apply(a, HBG_OP_SIN, x, HBG_NONE), 0),
                     apply(a, HBG_OP_COS, x, HBG_NONE));
    hbg_term grown = apply(a, HBG_OP_EXP, x, HBG_NONE);
    assert_int_equal(hbg_term_partial(t, grown, 0), grown);
}

static hbg_term part_of(const gradient *parts, int32_t of) {
    for (int32_t i = 0; i < parts->count; i++)
        if (parts->items[i].variable == of) return parts->items[i].partial;
    return HBG_NONE;
}

/* x·y + p·x: y + p and x; parameters have no part, and what cancels is left out. */
static void a_gradient_has_a_part_for_each_variable_that_counts(void **state) {
    algebra *a = *state;
    hbg_terms *t = &a->terms;
    gradient parts = {0};
    hbg_term x = variable(a, 0), y = variable(a, 1), p = variable(a, FIRST_PARAM);
    hbg_term sum = hbg_term_add(t, hbg_term_multiply(t, x, y), hbg_term_multiply(t, p, x));
    hbg_term_gradient(t, &a->scratch, sum, &parts);
    assert_int_equal(parts.count, 2);
    assert_int_equal(part_of(&parts, 1), x);
    const double at[END_PARAM] = {3, 5, [FIRST_PARAM] = 7};
    assert_true(value_of(a, part_of(&parts, 0), at) == 12);
    hbg_term switched = hbg_term_add(t, apply(a, HBG_OP_FLOOR, x, HBG_NONE), y);
    hbg_term_gradient(t, &a->scratch, switched, &parts);
    assert_int_equal(parts.count, 1);
    assert_int_equal(part_of(&parts, 1), number(a, 1));
}

static void a_gradient_rounds_a_quotient_once(void **state) {
    algebra *a = *state;
    hbg_terms *t = &a->terms;
    gradient parts = {0};
    hbg_term x = variable(a, 0), y = variable(a, 1), three = number(a, 3);
    hbg_term_gradient(t, &a->scratch, hbg_term_divide(t, hbg_term_multiply(t, x, y), three), &parts);
    // the adjoint of x·y is 1/3, that of x is 1/3·y; y/3 as such cannot be had in reverse order
    const double at[END_PARAM] = {3, 5};
    assert_true(value_of(a, part_of(&parts, 0), at) == 1.0 / 3 * 5);
    hbg_term_gradient(t, &a->scratch, hbg_term_divide(t, hbg_term_divide(t, x, three), y), &parts);
    assert_true(value_of(a, part_of(&parts, 0), at) == 1.0 / 5 / 3);
}

static void gradients_of_random_terms_are_central_differences(void **state) {
    algebra *a = *state;
    static const int ops[] = {HBG_OP_ADD, HBG_OP_SUBTRACT, HBG_OP_MULTIPLY, HBG_OP_SIN,
                              HBG_OP_COS, HBG_OP_TANH,     HBG_OP_ATAN,     HBG_OP_NEGATE};
    const double at[END_PARAM] = {0.7, -1.3, 0.9, 0.2, -0.4, 0.6};
    test_random random = {11};
    int compared = 0;
    for (int i = 0; i < 3000; i++) {
        random_term_plan plan = {ops, sizeof ops / sizeof *ops, at, 0, false};
        hbg_term term = random_term(a, &random, &plan, 5);
        gradient parts = {0};
        hbg_term_gradient(&a->terms, &a->scratch, term, &parts);
        for (int32_t v = 0; v < 6; v++) {
            hbg_term part = part_of(&parts, v);
            assert_slope(a, part == HBG_NONE ? number(a, 0) : part, term, at, v);
            compared += part != HBG_NONE;
        }
    }
    assert_true(compared > 3000);
}

/* 2^60 paths lead from the root to x; the gradient has about as many terms as the term itself. */
static void the_gradient_of_shared_terms_does_not_grow(void **state) {
    algebra *a = *state;
    gradient parts = {0};
    hbg_term term = variable(a, 0);
    for (int i = 0; i < 60; i++)
        term = apply(a, HBG_OP_SIN, hbg_term_multiply(&a->terms, term, term), HBG_NONE);
    int32_t before = a->terms.nodes.count;
    hbg_term_gradient(&a->terms, &a->scratch, term, &parts);
    assert_int_equal(parts.count, 1);
    assert_true(a->terms.nodes.count < before + 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_operator_has_the_slope_of_central_differences),
        TEST(a_choice_has_the_slope_of_what_is_chosen),
        TEST(at_a_kink_the_slope_is_that_of_the_branch_taken),
        TEST(derivatives_have_the_form_one_writes_by_hand),
        TEST(a_gradient_has_a_part_for_each_variable_that_counts),
        TEST(a_gradient_rounds_a_quotient_once),
        TEST(gradients_of_random_terms_are_central_differences),
        TEST(the_gradient_of_shared_terms_does_not_grow),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
