/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sums with constants: multiples of one another are one formula, signs stay. */
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(multiples_by_constants_are_one_formula),
                                       cmocka_unit_test(the_sign_stays),
                                       cmocka_unit_test(what_is_no_multiple_stays_as_it_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
