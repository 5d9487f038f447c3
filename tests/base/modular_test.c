/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic modulo a prime. */
#include "fixture_impl.h"

static uint64_t of(fixture *f, const char *text) {
    hbg_decimal number;
    assert_true(hbg_base_decimal_parse(&f->arena, text, strlen(text), &number));
    return hbg_base_modular_decimal(number);
}

static void fractions_are_what_their_product_with_the_denominator_says(void **state) {
    fixture *f = *state;
    assert_int_equal(hbg_base_modular_multiply(of(f, "0.125"), 8), 1);
    assert_int_equal(hbg_base_modular_multiply(of(f, "-0.2"), 5), hbg_base_modular_negate(1));
    assert_int_equal(hbg_base_modular_multiply(hbg_base_modular_invert(3), 21), 7);
    assert_int_equal(of(f, "1e3"), 1000);
    assert_int_equal(hbg_base_modular_add(of(f, "-7"), 7), 0);
    assert_int_equal(hbg_base_modular_negate(0), 0);
}

static void what_is_drawn_depends_on_the_seed_alone(void **state) {
    (void)state;
    assert_int_equal(hbg_base_modular_draw(5), hbg_base_modular_draw(5));
    assert_int_not_equal(hbg_base_modular_draw(5), hbg_base_modular_draw(6));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fractions_are_what_their_product_with_the_denominator_says, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_is_drawn_depends_on_the_seed_alone, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
