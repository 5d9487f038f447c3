/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Multiples of a step: against the text of the product, which is a whole number and a power of ten. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>

#include "rt/grid.h"

/* The step is digits·10^-places. */
static void assert_multiples(int64_t digits, int places, int64_t count) {
    char text[64];
    snprintf(text, sizeof text, "%llde-%d", (long long)digits, places);
    hbg_rt_grid grid = hbg_rt_grid_of(strtod(text, NULL));
    for (int64_t n = 0; n <= count; n++) {
        snprintf(text, sizeof text, "%llde-%d", (long long)(n * digits), places);
        if (hbg_rt_grid_time(&grid, (double)n) != strtod(text, NULL))
            fail_msg("%lld times: %s", (long long)n, text);
    }
}

static void multiples_of_a_decimal_are_decimals(void **state) {
    (void)state;
    assert_multiples(1, 6, 20000);
    assert_multiples(25, 7, 20000);
    assert_multiples(75, 7, 20000);
    assert_multiples(1, 1, 1000);
    assert_multiples(7, 4, 1000);
    assert_multiples(3600, 0, 1000);
    assert_multiples(123456789, 12, 1000);
    assert_true(5 * 1e-6 != 5e-6); // a product is not the same
}

static void multiples_of_one_over_a_whole_number_meet_the_seconds(void **state) {
    hbg_rt_grid grid = hbg_rt_grid_of(1.0 / 48000);
    (void)state;
    for (double n = 0; n < 100; n++) {
        assert_true(hbg_rt_grid_time(&grid, 48000 * n) == n);
        assert_true(hbg_rt_grid_time(&grid, 16000 * n) == n / 3);
    }
}

/* Neither a short decimal nor the inverse of a whole number; and one whose products would be rounded. */
static void other_multiples_are_products(void **state) {
    const double step = 0.3183098861837907, fine = 0.123456789012345;
    hbg_rt_grid grid = hbg_rt_grid_of(step), narrow = hbg_rt_grid_of(fine);
    (void)state;
    for (double n = 0; n < 1000; n++) assert_true(hbg_rt_grid_time(&grid, n) == n * step);
    for (double n = 0; n < 1000; n++) {
        assert_true(hbg_rt_grid_time(&narrow, n + 1) > hbg_rt_grid_time(&narrow, n));
        assert_true(n <= narrow.most || hbg_rt_grid_time(&narrow, n) == n * fine);
    }
    assert_true(narrow.most < 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiples_of_a_decimal_are_decimals),
        cmocka_unit_test(multiples_of_one_over_a_whole_number_meet_the_seconds),
        cmocka_unit_test(other_multiples_are_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
