/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Formulas: exact numbers, simplification, questions on levels, polynomials. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include <math.h>

#include "verify/formula_impl.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_verify_prover *prover;
    formulas f;
    formula x, y;
} fixture;

static void open_fixture(fixture *t) {
    hbg_verify_options options = hbg_verify_options_default();
    memset(t, 0, sizeof *t);
    hbg_arena_init(&t->arena, &t->memory);
    t->prover = hbg_verify_prover_new(&t->memory);
    assert_non_null(t->prover);
    assert_true(hbg_formulas_begin(&t->f, t->prover, &t->arena, &options));
    t->x = hbg_formula_real(&t->f, "x");
    t->y = hbg_formula_real(&t->f, "y");
}

static void close_fixture(fixture *t) {
    hbg_formulas_end(&t->f);
    hbg_verify_prover_free(t->prover);
    hbg_arena_fini(&t->arena);
    assert_int_equal(t->memory.used, 0);
}

static formula decimal(fixture *t, const char *text) {
    hbg_decimal value;
    assert_true(hbg_decimal_parse(&t->arena, text, strlen(text), &value));
    return hbg_formula_decimal(&t->f, value);
}

static void a_third_of_three_is_one_and_a_tenth_three_times_is_not_rounded(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula third = hbg_formula_divide(f, f->one, hbg_formula_integer(f, 3));
    assert_ptr_equal(hbg_formula_multiply(f, third, hbg_formula_integer(f, 3)), f->one);
    formula tenth = decimal(&t, "0.1"), sum = hbg_formula_add(f, hbg_formula_add(f, tenth, tenth), tenth);
    assert_ptr_equal(sum, decimal(&t, "0.3"));
    assert_ptr_not_equal(hbg_formula_double(f, 0.1), tenth); // the double is another number
    assert_true(hbg_formula_to_double(f, hbg_formula_double(f, 0.1)) == 0.1);
    assert_true(hbg_formula_to_double(f, hbg_formula_double(f, -6.5e-40)) == -6.5e-40);
    assert_true(isnan(hbg_formula_to_double(f, t.x)));
    close_fixture(&t);
}

static void what_cancels_is_gone_and_what_is_settled_is_no_choice(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula sum = hbg_formula_add(f, t.x, t.y);
    assert_ptr_equal(hbg_formula_subtract(f, sum, t.y), t.x);
    assert_ptr_equal(hbg_formula_choose(f, f->yes, t.x, t.y), t.x);
    assert_ptr_equal(hbg_formula_less(f, f->zero, f->one), f->yes);
    assert_ptr_equal(hbg_formula_and(f, f->no, hbg_formula_less(f, t.x, t.y)), f->no);
    assert_true(hbg_formula_reads(f, sum, &t.y, 1));
    assert_false(hbg_formula_reads(f, hbg_formula_multiply(f, t.x, t.x), &t.y, 1));
    formula two = hbg_formula_integer(f, 2);
    assert_ptr_equal(hbg_formula_replace(f, sum, 1, &t.y, &two), hbg_formula_add(f, t.x, two));
    close_fixture(&t);
}

static void what_is_asserted_holds_until_its_level_is_left(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    hbg_formulas_push(f);
    hbg_formulas_assert(f, hbg_formula_less(f, t.x, f->zero));
    assert_int_equal(hbg_formulas_check(f, hbg_formula_less(f, f->one, t.x)), ANSWER_NONE);
    assert_int_equal(hbg_formulas_check(f, hbg_formula_less(f, f->one, t.y)), ANSWER_FOUND);
    assert_true(hbg_formula_to_double(f, hbg_formula_in_model(f, t.x)) < 0);
    assert_true(hbg_formula_to_double(f, hbg_formula_in_model(f, t.y)) > 1);
    hbg_formulas_pop(f);
    assert_int_equal(hbg_formulas_check(f, hbg_formula_less(f, f->one, t.x)), ANSWER_FOUND);
    f->question_limit = f->questions;
    assert_int_equal(hbg_formulas_check(f, hbg_formula_less(f, t.x, t.y)), ANSWER_UNKNOWN);
    assert_true(hbg_formulas_spent(f));
    close_fixture(&t);
}

static void a_circle_and_a_line_meet_where_they_do(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula circle = hbg_formula_equal(
        f, hbg_formula_add(f, hbg_formula_multiply(f, t.x, t.x), hbg_formula_multiply(f, t.y, t.y)), f->one);
    assert_true(hbg_formula_is_nonlinear(f, circle));
    assert_false(hbg_formula_is_nonlinear(f, hbg_formula_less(f, t.x, t.y)));
    hbg_formulas_push(f);
    hbg_formulas_assert(f, circle);
    assert_int_equal(hbg_formulas_check(f, hbg_formula_equal(f, t.x, t.y)), ANSWER_FOUND);
    assert_true(fabs(fabs(hbg_formula_to_double(f, hbg_formula_in_model(f, t.x))) - sqrt(0.5)) < 1e-9);
    assert_int_equal(hbg_formulas_check(f, hbg_formula_less(f, f->one, t.x)), ANSWER_NONE);
    hbg_formulas_pop(f);
    close_fixture(&t);
}

/* (x − y)² and (x − 1)² + y² are squares; xy and x² − 2x are not. */
static void sums_of_squares_are_known_as_such(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula square_x = hbg_formula_multiply(f, t.x, t.x), square_y = hbg_formula_multiply(f, t.y, t.y);
    formula difference = hbg_formula_subtract(f, t.x, t.y), less = hbg_formula_subtract(f, t.x, f->one);
    assert_true(hbg_formula_is_square_sum(f, hbg_formula_multiply(f, difference, difference)));
    assert_true(
        hbg_formula_is_square_sum(f, hbg_formula_add(f, hbg_formula_multiply(f, less, less), square_y)));
    assert_false(hbg_formula_is_square_sum(f, hbg_formula_multiply(f, t.x, t.y)));
    assert_false(hbg_formula_is_square_sum(
        f, hbg_formula_subtract(f, square_x, hbg_formula_multiply(f, hbg_formula_integer(f, 2), t.x))));
    assert_false(
        hbg_formula_is_square_sum(f, hbg_formula_multiply(f, square_x, square_y))); // of fourth degree
    assert_false(hbg_formula_is_square_sum(f, hbg_formula_integer(f, -1)));
    assert_true(hbg_formula_is_square_sum(f, f->zero));
    close_fixture(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_third_of_three_is_one_and_a_tenth_three_times_is_not_rounded),
        cmocka_unit_test(what_cancels_is_gone_and_what_is_settled_is_no_choice),
        cmocka_unit_test(what_is_asserted_holds_until_its_level_is_left),
        cmocka_unit_test(a_circle_and_a_line_meet_where_they_do),
        cmocka_unit_test(sums_of_squares_are_known_as_such)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
