/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "terms_impl.h"

static void equal_terms_are_one_term(void **state) {
    algebra *a = *state;
    hbg_term x = variable(a, 0), y = variable(a, 1);
    assert_int_equal(variable(a, 0), x);
    assert_int_equal(apply(a, HBG_OP_MULTIPLY, x, y), apply(a, HBG_OP_MULTIPLY, x, y));
    assert_int_not_equal(apply(a, HBG_OP_SUBTRACT, x, y), apply(a, HBG_OP_SUBTRACT, y, x));
    assert_int_equal(apply(a, HBG_OP_POW, x, y), apply(a, HBG_OP_POWER_OF, x, y)); // two spellings
}

static void numbers_are_one_by_value(void **state) {
    algebra *a = *state;
    assert_int_equal(number(a, 0.1), number(a, 0.1));
    assert_int_equal(hbg_term_integer(&a->terms, 7), number(a, 7));
    assert_int_equal(hbg_term_integer(&a->terms, -1200), number(a, -1200));
    assert_int_equal(number(a, -0.0), number(a, 0)); // zero has no sign
    assert_int_not_equal(number(a, 1), number(a, -1));
    assert_int_not_equal(number(a, 1), number(a, 10));
}

static void what_changes_no_value_is_left_out(void **state) {
    algebra *a = *state;
    hbg_terms *t = &a->terms;
    hbg_term x = variable(a, 0), y = variable(a, 1), zero = number(a, 0), one = number(a, 1),
             minus = number(a, -1);
    assert_int_equal(hbg_term_add(t, x, zero), x);
    assert_int_equal(hbg_term_add(t, zero, x), x);
    assert_int_equal(hbg_term_subtract(t, x, zero), x);
    assert_int_equal(hbg_term_subtract(t, x, x), zero);
    assert_int_equal(hbg_term_multiply(t, one, x), x);
    assert_int_equal(hbg_term_multiply(t, x, zero), zero);
    assert_int_equal(hbg_term_divide(t, x, one), x);
    assert_int_equal(hbg_term_divide(t, zero, x), zero);
    assert_int_equal(hbg_term_negate(t, hbg_term_negate(t, x)), x);
    assert_int_equal(hbg_term_negate(t, one), minus);
    assert_int_equal(hbg_term_multiply(t, minus, x), hbg_term_negate(t, x));
    assert_int_equal(hbg_term_divide(t, x, minus), hbg_term_negate(t, x));
    assert_int_equal(hbg_term_subtract(t, zero, x), hbg_term_negate(t, x));
    assert_int_equal(hbg_term_add(t, x, hbg_term_negate(t, y)), hbg_term_subtract(t, x, y));
    assert_int_equal(hbg_term_add(t, hbg_term_negate(t, x), y), hbg_term_subtract(t, y, x));
    assert_int_equal(hbg_term_subtract(t, x, hbg_term_negate(t, y)), hbg_term_add(t, x, y));
    assert_int_equal(hbg_term_multiply(t, hbg_term_negate(t, x), hbg_term_negate(t, y)),
                     hbg_term_multiply(t, x, y));
    assert_int_equal(apply(a, HBG_OP_POWER_OF, x, one), x);
    assert_int_equal(hbg_term_make(t, HBG_OP_SELECT, x, y, y), y);
    assert_int_equal(hbg_term_make(t, HBG_OP_SELECT, one, x, y), x);
    assert_int_equal(hbg_term_make(t, HBG_OP_SELECT, zero, x, y), y);
}

/* (x + y) − y is not x in floating point. */
static void what_rounds_otherwise_is_kept(void **state) {
    algebra *a = *state;
    hbg_terms *t = &a->terms;
    hbg_term x = variable(a, 0), y = variable(a, 1), tenth = number(a, 0.1);
    assert_int_not_equal(hbg_term_subtract(t, hbg_term_add(t, x, y), y), x);
    assert_int_not_equal(hbg_term_multiply(t, hbg_term_divide(t, x, y), y), x);
    assert_int_not_equal(hbg_term_divide(t, x, x), number(a, 1)); // 0/0
    assert_int_not_equal(hbg_term_multiply(t, tenth, tenth), number(a, 0.01));
    assert_int_not_equal(apply(a, HBG_OP_POWER_OF, x, number(a, 0)), x);
}

static void simplified_terms_have_the_same_value_to_the_last_bit(void **state) {
    algebra *a = *state;
    static const int ops[] = {HBG_OP_ADD,    HBG_OP_SUBTRACT, HBG_OP_MULTIPLY, HBG_OP_DIVIDE,
                              HBG_OP_NEGATE, HBG_OP_SELECT,   HBG_OP_LESS,     HBG_OP_MIN};
    static const double values[] = {0.7, -1.3, 2.9, 1e-3, -17.1, 0.1};
    test_random random = {5};
    int finite = 0;
    for (int i = 0; i < 20000; i++) {
        random_term_plan plan = {ops, sizeof ops / sizeof *ops, values, 0, false};
        hbg_term term = random_term(a, &random, &plan, 6);
        if (plan.lost) continue; // 0·(1/0) is 0 once it is simplified
        finite++;
        double found = value_of(a, term, values);
        if (found != plan.value) fail_msg("%.17g became %.17g", plan.value, found);
    }
    assert_true(finite > 10000);
}

static void levels_say_what_a_term_depends_on(void **state) {
    algebra *a = *state;
    hbg_term x = variable(a, 0), p = variable(a, FIRST_PARAM), two = number(a, 2);
    hbg_term scaled = hbg_term_multiply(&a->terms, two, p), mixed = hbg_term_multiply(&a->terms, scaled, x);
    assert_int_equal(a->terms.nodes.items[two].level, LEVEL_NUMBER);
    assert_int_equal(a->terms.nodes.items[scaled].level, LEVEL_PARAM);
    assert_int_equal(a->terms.nodes.items[hbg_term_negate(&a->terms, scaled)].level, LEVEL_PARAM);
    assert_int_equal(a->terms.nodes.items[mixed].level, LEVEL_RUN);
    assert_int_equal(a->terms.nodes.items[variable(a, END_PARAM)].level, LEVEL_RUN);
}

static void a_walk_lists_each_term_once_and_arguments_first(void **state) {
    algebra *a = *state;
    hbg_term x = variable(a, 0), sum = hbg_term_add(&a->terms, x, number(a, 2));
    for (int i = 0; i < 100; i++) sum = hbg_term_multiply(&a->terms, sum, sum); // 2^100 paths
    hbg_term_walk(&a->terms, sum);
    assert_int_equal(a->terms.walk.count, 103);
    for (int32_t i = 0; i < a->terms.walk.count; i++) {
        const term_node *node = &a->terms.nodes.items[a->terms.walk.items[i]];
        for (int k = 0; k < hbg_term_arity(node); k++) {
            bool before = false;
            for (int32_t j = 0; j < i; j++) before |= a->terms.walk.items[j] == hbg_term_argument(node, k);
            assert_true(before);
        }
    }
}

/* x·p + (y·2 + x)·(z − p): as the whole walk has them, without what parameters decide. */
static void variables_are_walked_in_the_order_of_the_whole(void **state) {
    algebra *a = *state;
    hbg_terms *t = &a->terms;
    hbg_term x = variable(a, 0), y = variable(a, 1), z = variable(a, 2), p = variable(a, FIRST_PARAM);
    hbg_term left = hbg_term_multiply(t, x, p),
             right = hbg_term_multiply(t, hbg_term_add(t, hbg_term_multiply(t, y, number(a, 2)), x),
                                       hbg_term_subtract(t, z, p));
    hbg_term sum = hbg_term_add(t, right, left), expected[3];
    int32_t count = 0;
    hbg_term_walk(t, sum);
    for (int32_t i = 0; i < t->walk.count; i++) {
        const term_node *node = &t->nodes.items[t->walk.items[i]];
        if (node->op != TERM_VARIABLE || node->level != LEVEL_RUN) continue;
        assert_true(count < 3);
        expected[count++] = t->walk.items[i];
    }
    assert_int_equal(count, 3);
    hbg_term_walk_variables(t, sum);
    assert_int_equal(t->walk.count, 3);
    assert_memory_equal(t->walk.items, expected, sizeof expected);
    hbg_term_walk_variables(t, hbg_term_multiply(t, p, p));
    assert_int_equal(t->walk.count, 0);
}

static void substitution_replaces_one_variable_and_simplifies(void **state) {
    algebra *a = *state;
    hbg_terms *t = &a->terms;
    hbg_term x = variable(a, 0), y = variable(a, 1), sum = hbg_term_add(t, hbg_term_multiply(t, x, y), x);
    hbg_replacement with = {0, number(a, 1)};
    assert_int_equal(hbg_term_substitute(t, &a->scratch, sum, hbg_term_replace_one, &with),
                     hbg_term_add(t, y, number(a, 1)));
    with = (hbg_replacement){2, y}; // not there
    assert_int_equal(hbg_term_substitute(t, &a->scratch, sum, hbg_term_replace_one, &with), sum);
    with = (hbg_replacement){0, hbg_term_add(t, x, x)}; // what is put in is not replaced again
    hbg_term twice = hbg_term_substitute(t, &a->scratch, x, hbg_term_replace_one, &with);
    assert_int_equal(twice, hbg_term_add(t, x, x));
}

static void many_terms_stay_one_each(void **state) {
    algebra *a = *state;
    hbg_term sum[3000];
    for (int i = 0; i < 3000; i++) sum[i] = hbg_term_multiply(&a->terms, variable(a, 0), number(a, i + 2));
    int32_t count = a->terms.nodes.count;
    for (int i = 0; i < 3000; i++)
        assert_int_equal(hbg_term_multiply(&a->terms, variable(a, 0), number(a, i + 2)), sum[i]);
    assert_int_equal(a->terms.nodes.count, count);
}

/* What reads as 1 is not left out of a product: a proof would take it for 1. */
static void a_rounded_number_is_no_decimal(void **state) {
    algebra *a = *state;
    hbg_terms *t = &a->terms;
    hbg_decimal one = {"1", 0, false}, minus = {"1", 0, true};
    hbg_term x = variable(a, 0),
             third = hbg_term_divide(t, apply(a, HBG_OP_PI, HBG_NONE, HBG_NONE), number(a, 3));
    hbg_term rounded = hbg_term_rounded(t, one, third);
    assert_int_equal(hbg_term_rounded(t, one, third), rounded);
    assert_int_not_equal(rounded, number(a, 1));
    assert_int_not_equal(hbg_term_multiply(t, rounded, x), x);
    assert_int_equal(hbg_term_negate(t, rounded), hbg_term_rounded(t, minus, hbg_term_negate(t, third)));
    assert_int_equal(hbg_term_negate(t, hbg_term_negate(t, rounded)), rounded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(equal_terms_are_one_term),
        TEST(numbers_are_one_by_value),
        TEST(what_changes_no_value_is_left_out),
        TEST(what_rounds_otherwise_is_kept),
        TEST(simplified_terms_have_the_same_value_to_the_last_bit),
        TEST(levels_say_what_a_term_depends_on),
        TEST(a_walk_lists_each_term_once_and_arguments_first),
        TEST(variables_are_walked_in_the_order_of_the_whole),
        TEST(substitution_replaces_one_variable_and_simplifies),
        TEST(a_rounded_number_is_no_decimal),
        TEST(many_terms_stay_one_each),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
