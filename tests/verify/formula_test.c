/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Formulas: exact numbers, simplification, questions on levels, polynomials. */
#include "formula_fixture_impl.h"

static void a_third_of_three_is_one_and_a_tenth_three_times_is_not_rounded(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula third = hbg_verify_formula_divide(f, f->one, hbg_verify_formula_integer(f, 3));
    assert_ptr_equal(hbg_verify_formula_multiply(f, third, hbg_verify_formula_integer(f, 3)), f->one);
    formula tenth = decimal(&t, "0.1"),
            sum = hbg_verify_formula_add(f, hbg_verify_formula_add(f, tenth, tenth), tenth);
    assert_ptr_equal(sum, decimal(&t, "0.3"));
    assert_ptr_not_equal(hbg_verify_formula_double(f, 0.1), tenth); // the double is another number
    assert_true(hbg_verify_formula_to_double(f, hbg_verify_formula_double(f, 0.1)) == 0.1);
    assert_true(hbg_verify_formula_to_double(f, hbg_verify_formula_double(f, -6.5e-40)) == -6.5e-40);
    assert_true(isnan(hbg_verify_formula_to_double(f, t.x)));
    close_fixture(&t);
}

static void what_cancels_is_gone_and_what_is_settled_is_no_choice(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula sum = hbg_verify_formula_add(f, t.x, t.y);
    assert_ptr_equal(hbg_verify_formula_subtract(f, sum, t.y), t.x);
    assert_ptr_equal(hbg_verify_formula_choose(f, f->yes, t.x, t.y), t.x);
    assert_ptr_equal(hbg_verify_formula_less(f, f->zero, f->one), f->yes);
    assert_ptr_equal(hbg_verify_formula_and(f, f->no, hbg_verify_formula_less(f, t.x, t.y)), f->no);
    assert_true(hbg_verify_formula_reads(f, sum, &t.y, 1));
    assert_false(hbg_verify_formula_reads(f, hbg_verify_formula_multiply(f, t.x, t.x), &t.y, 1));
    formula two = hbg_verify_formula_integer(f, 2);
    assert_ptr_equal(hbg_verify_formula_replace(f, sum, 1, &t.y, &two), hbg_verify_formula_add(f, t.x, two));
    close_fixture(&t);
}

static void what_is_asserted_holds_until_its_level_is_left(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    hbg_verify_formulas_push(f);
    hbg_verify_formulas_assert(f, hbg_verify_formula_less(f, t.x, f->zero));
    assert_int_equal(hbg_verify_formulas_check(f, hbg_verify_formula_less(f, f->one, t.x)), ANSWER_NONE);
    assert_int_equal(hbg_verify_formulas_check(f, hbg_verify_formula_less(f, f->one, t.y)), ANSWER_FOUND);
    assert_true(hbg_verify_formula_to_double(f, hbg_verify_formula_in_model(f, t.x)) < 0);
    assert_true(hbg_verify_formula_to_double(f, hbg_verify_formula_in_model(f, t.y)) > 1);
    hbg_verify_formulas_pop(f);
    assert_int_equal(hbg_verify_formulas_check(f, hbg_verify_formula_less(f, f->one, t.x)), ANSWER_FOUND);
    f->limits.questions = f->account.questions;
    assert_int_equal(hbg_verify_formulas_check(f, hbg_verify_formula_less(f, t.x, t.y)), ANSWER_UNKNOWN);
    assert_true(hbg_verify_formulas_spent(f));
    close_fixture(&t);
}

static void a_circle_and_a_line_meet_where_they_do(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula circle =
        hbg_verify_formula_equal(f,
                                 hbg_verify_formula_add(f, hbg_verify_formula_multiply(f, t.x, t.x),
                                                        hbg_verify_formula_multiply(f, t.y, t.y)),
                                 f->one);
    assert_true(hbg_verify_formula_is_nonlinear(f, circle));
    assert_false(hbg_verify_formula_is_nonlinear(f, hbg_verify_formula_less(f, t.x, t.y)));
    hbg_verify_formulas_push(f);
    hbg_verify_formulas_assert(f, circle);
    assert_int_equal(hbg_verify_formulas_check(f, hbg_verify_formula_equal(f, t.x, t.y)), ANSWER_FOUND);
    assert_true(fabs(fabs(hbg_verify_formula_to_double(f, hbg_verify_formula_in_model(f, t.x))) - sqrt(0.5)) <
                1e-9);
    assert_int_equal(hbg_verify_formulas_check(f, hbg_verify_formula_less(f, f->one, t.x)), ANSWER_NONE);
    hbg_verify_formulas_pop(f);
    close_fixture(&t);
}

/* (x − y)² and (x − 1)² + y² are squares; xy and x² − 2x are not. */
static void sums_of_squares_are_known_as_such(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula square_x = hbg_verify_formula_multiply(f, t.x, t.x),
            square_y = hbg_verify_formula_multiply(f, t.y, t.y);
    formula difference = hbg_verify_formula_subtract(f, t.x, t.y),
            less = hbg_verify_formula_subtract(f, t.x, f->one);
    assert_true(hbg_verify_formula_is_square_sum(f, hbg_verify_formula_multiply(f, difference, difference)));
    assert_true(hbg_verify_formula_is_square_sum(
        f, hbg_verify_formula_add(f, hbg_verify_formula_multiply(f, less, less), square_y)));
    assert_false(hbg_verify_formula_is_square_sum(f, hbg_verify_formula_multiply(f, t.x, t.y)));
    assert_false(hbg_verify_formula_is_square_sum(
        f, hbg_verify_formula_subtract(
               f, square_x, hbg_verify_formula_multiply(f, hbg_verify_formula_integer(f, 2), t.x))));
    assert_false(hbg_verify_formula_is_square_sum(
        f, hbg_verify_formula_multiply(f, square_x, square_y))); // of fourth degree
    assert_false(hbg_verify_formula_is_square_sum(f, hbg_verify_formula_integer(f, -1)));
    assert_true(hbg_verify_formula_is_square_sum(f, f->zero));
    close_fixture(&t);
}

/* ---- quotients, angles, products ------------------------------------------------------------------------- */

static void a_relation_of_quotients_is_multiplied_out(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula square = hbg_verify_formula_multiply(f, t.y, t.y),
            below = hbg_verify_formula_add(f, f->one, square);
    assert_int_equal(hbg_verify_formula_sign(f, below), 1);
    assert_int_equal(hbg_verify_formula_sign(f, hbg_verify_formula_negate(f, below)), -1);
    assert_int_equal(hbg_verify_formula_sign(f, t.y), 0);
    // x/(1 + y²) < 0 is x < 0
    formula positive = hbg_verify_formula_less(f, hbg_verify_formula_divide(f, t.x, below), f->zero);
    assert_ptr_equal(positive, hbg_verify_formula_less(f, t.x, f->zero));
    // x/y < 1, where y is not 0, is neither x < y nor x > y: x and y have to be told apart by the sign of y
    formula open = hbg_verify_formula_less(f, hbg_verify_formula_divide(f, t.x, t.y), f->one);
    hbg_verify_formulas_push(f);
    hbg_verify_formulas_assert(f, open);
    hbg_verify_formulas_assert(f, hbg_verify_formula_less(f, t.y, f->zero));
    assert_int_equal(hbg_verify_formulas_check(f, hbg_verify_formula_less(f, t.y, t.x)), ANSWER_FOUND);
    assert_int_equal(hbg_verify_formulas_check(f, hbg_verify_formula_less(f, t.x, t.y)), ANSWER_NONE);
    hbg_verify_formulas_pop(f);
    // 1/(1/x) = x
    formula twice = hbg_verify_formula_divide(f, f->one, hbg_verify_formula_divide(f, f->one, t.x));
    formula other = hbg_verify_formula_not(f, hbg_verify_formula_equal(f, twice, t.x));
    hbg_verify_formulas_push(f);
    hbg_verify_formulas_assert(f, hbg_verify_formula_not(f, hbg_verify_formula_equal(f, t.x, f->zero)));
    assert_int_equal(hbg_verify_formulas_check(f, other), ANSWER_NONE);
    hbg_verify_formulas_pop(f);
    close_fixture(&t);
}

static void a_choice_in_a_quotient_is_told_apart(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula size = hbg_verify_formula_choose(f, hbg_verify_formula_less(f, t.x, f->zero),
                                             hbg_verify_formula_negate(f, t.x), t.x);
    formula below = hbg_verify_formula_add(f, f->one, hbg_verify_formula_multiply(f, t.y, t.y));
    formula less =
        hbg_verify_formula_less(f, hbg_verify_formula_divide(f, size, below), f->zero); // |x|/(1 + y²) < 0
    assert_int_equal(hbg_verify_formulas_check(f, less), ANSWER_NONE);
    formula same = hbg_verify_formula_less(f, hbg_verify_formula_divide(f, size, below), f->one);
    assert_int_equal(hbg_verify_formulas_check(f, same), ANSWER_FOUND);
    close_fixture(&t);
}

static void sine_squared_is_written_by_the_cosine(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    HBG_PUSH(f->arena, f->symbols,
             (exact_symbol){.symbol = t.x, .argument = f->one, .op = HBG_OP_SIN, .exact = true});
    HBG_PUSH(f->arena, f->symbols,
             (exact_symbol){.symbol = t.y, .argument = f->one, .op = HBG_OP_COS, .exact = true});
    f->has_angles = true;
    formula s2 = hbg_verify_formula_multiply(f, t.x, t.x), c2 = hbg_verify_formula_multiply(f, t.y, t.y);
    assert_ptr_equal(hbg_verify_formula_add(f, s2, c2), f->one);
    formula s3 = hbg_verify_formula_multiply(f, s2, t.x), sc2 = hbg_verify_formula_multiply(f, t.x, c2);
    assert_ptr_equal(hbg_verify_formula_add(f, s3, sc2), t.x);
    formula s4 = hbg_verify_formula_multiply(f, s2, s2), c4 = hbg_verify_formula_multiply(f, c2, c2);
    assert_ptr_equal(hbg_verify_formula_subtract(f, s4, c4), hbg_verify_formula_subtract(f, s2, c2));
    close_fixture(&t);
}

/* Guards that exclude one another compare the same products: no polynomials are needed to see that. */
static void products_are_symbols_where_that_is_enough(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula product = hbg_verify_formula_multiply(f, t.x, hbg_verify_formula_multiply(f, t.y, t.y)),
            squares = f->yes;
    formula more = hbg_verify_formula_less(f, t.x, product),
            twice = hbg_verify_formula_add(f, product, product);
    formula linear = hbg_verify_formula_linear(f, more, &squares);
    assert_false(hbg_verify_formula_is_nonlinear(f, linear));
    assert_ptr_equal(squares, f->yes);
    formula both = hbg_verify_formula_and(
        f, more, hbg_verify_formula_less(f, twice, hbg_verify_formula_add(f, t.x, t.x)));
    assert_int_equal(hbg_verify_formulas_check(f, both), ANSWER_NONE);
    // 2p + x > 4, p + x < 3 and p > 1, as for p = 2, x = 1/2; without the 2, with or without its sign, there is nothing
    formula above =
        hbg_verify_formula_less(f, hbg_verify_formula_integer(f, 4), hbg_verify_formula_add(f, twice, t.x));
    formula below =
        hbg_verify_formula_less(f, hbg_verify_formula_add(f, product, t.x), hbg_verify_formula_integer(f, 3));
    both = hbg_verify_formula_and(f, hbg_verify_formula_and(f, above, below),
                                  hbg_verify_formula_less(f, f->one, product));
    assert_int_equal(hbg_verify_formulas_check(f, hbg_verify_formula_linear(f, both, &squares)),
                     ANSWER_FOUND);
    assert_int_equal(hbg_verify_formulas_check(f, both), ANSWER_FOUND);
    formula square = hbg_verify_formula_multiply(f, t.x, t.x);
    hbg_verify_formula_linear(f, hbg_verify_formula_less(f, square, t.y), &squares);
    assert_ptr_not_equal(squares, f->yes);
    close_fixture(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_third_of_three_is_one_and_a_tenth_three_times_is_not_rounded),
        cmocka_unit_test(what_cancels_is_gone_and_what_is_settled_is_no_choice),
        cmocka_unit_test(what_is_asserted_holds_until_its_level_is_left),
        cmocka_unit_test(a_circle_and_a_line_meet_where_they_do),
        cmocka_unit_test(sums_of_squares_are_known_as_such),
        cmocka_unit_test(a_relation_of_quotients_is_multiplied_out),
        cmocka_unit_test(a_choice_in_a_quotient_is_told_apart),
        cmocka_unit_test(sine_squared_is_written_by_the_cosine),
        cmocka_unit_test(products_are_symbols_where_that_is_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
