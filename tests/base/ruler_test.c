/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Multiples of a decimal step are the doubles nearest to the decimal products. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fixture_impl.h"

/* k·digits·10^exponent, read by the C library from its decimal text. */
static double decimal_product(long long digits, int exponent, long long k) {
    char text[64];
    snprintf(text, sizeof text, "%llde%d", digits * k, exponent);
    return strtod(text, NULL);
}

static void marks_of_decimal_steps_are_nearest_doubles(void **state) {
    (void)state;
    static const struct {
        double step;
        long long digits;
        int exponent;
    } cases[] = {{0.1, 1, -1},
                 {0.001, 1, -3},
                 {7.5e-6, 75, -7},
                 {1e-9, 1, -9},
                 {0.03, 3, -2},
                 {2, 2, 0},
                 {1e-22, 1, -22},
                 {3.3e-5, 33, -6},
                 {1.25e3, 1250, 0},
                 {600e-6, 6, -4},
                 {0.123456789, 123456789, -9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hbg_ruler ruler = hbg_base_ruler_of(cases[i].step);
        for (long long k = 0; k < 20000; k += 1 + k / 100) {
            double expected = decimal_product(cases[i].digits, cases[i].exponent, k);
            double mark = hbg_base_ruler_mark(&ruler, (double)k);
            if (mark != expected)
                fail_msg("%lld times %g: %.17g, not %.17g", k, cases[i].step, mark, expected);
        }
    }
}

static void a_step_that_is_no_short_decimal_is_multiplied(void **state) {
    (void)state;
    static const double steps[] = {1.0 / 3, 1e-30, 0.1234567890123456789, 1e300, 5e-324};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        hbg_ruler ruler = hbg_base_ruler_of(steps[i]);
        for (int k = 0; k < 100; k++) assert_true(hbg_base_ruler_mark(&ruler, k) == k * steps[i]);
    }
}

static void a_product_beyond_whole_numbers_is_still_right(void **state) {
    (void)state;
    hbg_ruler ruler = hbg_base_ruler_of(0.123456789012345);
    double mark = hbg_base_ruler_mark(&ruler, 1e6);
    assert_true(fabs(mark - 123456.789012345) <= 2e-11);
}

static void a_value_snaps_to_its_mark_but_for_rounding_only(void **state) {
    (void)state;
    hbg_ruler ruler = hbg_base_ruler_of(0.1);
    assert_true(3 * 0.1 != 0.3);
    assert_true(hbg_base_ruler_snap(&ruler, 3 * 0.1) == 0.3);
    assert_true(hbg_base_ruler_snap(&ruler, 0.3) == 0.3);
    assert_true(hbg_base_ruler_snap(&ruler, 0) == 0);
    assert_true(hbg_base_ruler_snap(&ruler, 0.3 * (1 + 1e-14)) == 0.3 * (1 + 1e-14));
    assert_true(hbg_base_ruler_snap(&ruler, 0.35) == 0.35);
}

static void without_a_step_nothing_snaps(void **state) {
    (void)state;
    static const double steps[] = {0, -1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        hbg_ruler ruler = hbg_base_ruler_of(steps[i]);
        assert_true(hbg_base_ruler_snap(&ruler, 3 * 0.1) == 3 * 0.1);
    }
    hbg_ruler tiny = hbg_base_ruler_of(1e-300);
    assert_true(hbg_base_ruler_snap(&tiny, 1e10) == 1e10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_of_decimal_steps_are_nearest_doubles),
        cmocka_unit_test(a_step_that_is_no_short_decimal_is_multiplied),
        cmocka_unit_test(a_product_beyond_whole_numbers_is_still_right),
        cmocka_unit_test(a_value_snaps_to_its_mark_but_for_rounding_only),
        cmocka_unit_test(without_a_step_nothing_snaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
