/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sums with constants: multiples of one another are one formula, signs stay. Relations that ask for the direction of an angle only: which
 * they are, and that a linear answer to them is the answer. */
#include "formula_fixture_impl.h"

static formula scaled(fixture *t, formula sum) {
    return hbg_verify_formula_scaled(&t->f, sum);
}

/* √3·x + 3·y = √3·(x + √3·y), and with π before it a multiple of that. */
static void multiples_by_constants_are_one_formula(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula root = add_constant(&t, HBG_OP_SQRT, "3", 1.73, 1.74),
            pi = add_constant(&t, HBG_OP_PI, NULL, 3.1, 3.2);
    formula three = hbg_verify_formula_integer(f, 3);
    formula plain = hbg_verify_formula_add(f, t.x, hbg_verify_formula_multiply(f, root, t.y));
    formula turned = hbg_verify_formula_add(f, hbg_verify_formula_multiply(f, root, t.x),
                                            hbg_verify_formula_multiply(f, three, t.y));
    formula faster = hbg_verify_formula_multiply(f, turned, pi);
    assert_ptr_equal(scaled(&t, plain), plain);
    assert_ptr_equal(scaled(&t, turned), plain);
    assert_ptr_equal(scaled(&t, faster), plain);
    assert_ptr_equal(scaled(&t, hbg_verify_formula_multiply(f, pi, t.y)), t.y);
    close_fixture(&t);
}

/* -2·√3·x is below 0 where x is above it; of a constant whose sign is not known nothing is taken out. */
static void the_sign_stays(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula root = add_constant(&t, HBG_OP_SQRT, "3", 1.73, 1.74);
    formula below = add_constant(&t, HBG_OP_EXP, NULL, -2, -1),
            either = add_constant(&t, HBG_OP_LOG, NULL, -1, 1);
    formula minus = hbg_verify_formula_integer(f, -2), opposite = hbg_verify_formula_negate(f, t.x);
    formula product = hbg_verify_formula_multiply(f, hbg_verify_formula_multiply(f, minus, root), t.x);
    assert_ptr_equal(scaled(&t, product), opposite);
    assert_ptr_equal(scaled(&t, hbg_verify_formula_multiply(f, below, t.x)), opposite);
    formula open = hbg_verify_formula_multiply(f, either, t.x);
    assert_ptr_equal(scaled(&t, open), open);
    close_fixture(&t);
}

/* π·x + y is no multiple of a sum without π; x·y·√3 is no sum of shares. */
static void what_is_no_multiple_stays_as_it_is(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    formula root = add_constant(&t, HBG_OP_SQRT, "3", 1.73, 1.74),
            pi = add_constant(&t, HBG_OP_PI, NULL, 3.1, 3.2);
    formula sum = hbg_verify_formula_add(f, hbg_verify_formula_multiply(f, pi, t.x), t.y);
    formula product = hbg_verify_formula_multiply(f, root, hbg_verify_formula_multiply(f, t.x, t.y));
    assert_ptr_equal(scaled(&t, sum), sum);
    assert_ptr_equal(scaled(&t, product), product);
    close_fixture(&t);
}

typedef struct {
    fixture t;
    formula sine, cosine, root;
} angle;

/* Sine and cosine of x, with what is known of them. */
static void open_angle(angle *a) {
    open_fixture(&a->t);
    formulas *f = &a->t.f;
    formula *made[] = {&a->sine, &a->cosine};
    a->root = add_constant(&a->t, HBG_OP_SQRT, "3", 1.7320508, 1.7320509);
    HBG_PUSH(f->arena, f->bounds.all,
             hbg_verify_formula_equal(f, hbg_verify_formula_multiply(f, a->root, a->root),
                                      hbg_verify_formula_integer(f, 3)));
    for (int i = 0; i < 2; i++) {
        exact_symbol symbol = {.op = i ? HBG_OP_COS : HBG_OP_SIN, .argument = a->t.x, .exact = true};
        symbol.symbol = *made[i] = hbg_verify_formula_real(f, i ? "cosine" : "sine");
        HBG_PUSH(f->arena, f->symbols, symbol);
    }
    f->has_angles = f->has_free_angles = true;
    formula squares = hbg_verify_formula_add(f, Z3_mk_mul(f->z3, 2, (Z3_ast[]){a->sine, a->sine}),
                                             Z3_mk_mul(f->z3, 2, (Z3_ast[]){a->cosine, a->cosine}));
    formula law = hbg_verify_formula_equal(f, squares, f->one);
    hbg_verify_formula_is_circle(f, law);
    HBG_PUSH(f->arena, f->axioms.all, law);
    formula level = hbg_verify_formula_equal(f, a->sine, f->zero),
            upright = hbg_verify_formula_equal(f, a->cosine, f->zero);
    HBG_PUSH(f->arena, f->axioms.all, hbg_verify_formula_not(f, hbg_verify_formula_and(f, level, upright)));
}

/* s + k·√3·c */
static formula phase(angle *a, int64_t k) {
    formulas *f = &a->t.f;
    formula share = hbg_verify_formula_multiply(f, a->root, a->cosine);
    return hbg_verify_formula_add(f, a->sine,
                                  hbg_verify_formula_multiply(f, hbg_verify_formula_integer(f, k), share));
}

static void relations_between_phases_are_about_a_direction(void **state) {
    (void)state;
    angle a;
    open_angle(&a);
    formulas *f = &a.t.f;
    formula ahead = hbg_verify_formula_less(f, phase(&a, 1), f->zero);
    formula half = hbg_verify_formula_divide(f, f->one, hbg_verify_formula_integer(f, 2));
    formula other = hbg_verify_formula_less(f, hbg_verify_formula_add(f, a.sine, a.cosine), f->zero);
    assert_true(hbg_verify_formula_is_cone(f, ahead));
    assert_true(hbg_verify_formula_is_cone(f, hbg_verify_formula_less(f, a.cosine, f->zero)));
    assert_true(hbg_verify_formula_is_cone(f, hbg_verify_formula_less(f, a.t.y, f->one)));
    assert_false(hbg_verify_formula_is_cone(f, hbg_verify_formula_less(f, a.sine, half))); // a length counts
    assert_false(
        hbg_verify_formula_is_cone(f, hbg_verify_formula_less(f, phase(&a, 1), a.t.y))); // or another number
    assert_false(hbg_verify_formula_is_cone(f, other)); // the cosine has two factors
    formula square = Z3_mk_mul(f->z3, 2, (Z3_ast[]){a.t.y, a.t.y});
    assert_false(hbg_verify_formula_is_cone(f, hbg_verify_formula_less(f, square, f->one)));
    close_fixture(&a.t);
}

/* s + √3·c = 0 and s - √3·c = 0 meet in (0, 0) only, which is not on the circle; each alone is met there, and so is s > 0 with it. */
static void a_linear_answer_is_the_answer(void **state) {
    (void)state;
    angle a;
    open_angle(&a);
    formulas *f = &a.t.f;
    formula one = hbg_verify_formula_equal(f, phase(&a, 1), f->zero),
            two = hbg_verify_formula_equal(f, phase(&a, -1), f->zero);
    hbg_verify_formulas_push(f);
    hbg_verify_formulas_assert(f, one);
    assert_int_equal(hbg_verify_formulas_try(f, NULL), ANSWER_FOUND);
    assert_int_equal(hbg_verify_formulas_try(f, two), ANSWER_NONE);
    assert_int_equal(hbg_verify_formulas_check(f, two), ANSWER_NONE);
    formula up = hbg_verify_formula_less(f, f->zero, a.sine),
            right = hbg_verify_formula_less(f, f->zero, a.cosine);
    assert_int_equal(hbg_verify_formulas_try(f, up), ANSWER_FOUND);
    assert_int_equal(hbg_verify_formulas_check(f, up), ANSWER_FOUND);
    assert_int_equal(hbg_verify_formulas_try(f, hbg_verify_formula_and(f, up, right)), ANSWER_NONE);
    // there s is √3/2: whether it is above 0.9 is no matter of direction
    formula high = hbg_verify_formula_less(f, decimal(&a.t, "0.9"), a.sine);
    assert_int_equal(hbg_verify_formulas_try(f, high), ANSWER_NONE);
    hbg_verify_formulas_pop(f);
    close_fixture(&a.t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(multiples_by_constants_are_one_formula),
                                       cmocka_unit_test(the_sign_stays),
                                       cmocka_unit_test(what_is_no_multiple_stays_as_it_is),
                                       cmocka_unit_test(relations_between_phases_are_about_a_direction),
                                       cmocka_unit_test(a_linear_answer_is_the_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
