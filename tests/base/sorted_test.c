/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers in order, and shares of them. */
#include "fixture_impl.h"

static void numbers_are_put_in_order(void **state) {
    (void)state;
    double values[] = {3, -1, 2.5, -1, 0};
    static const double wanted[] = {-1, -1, 0, 2.5, 3};
    hbg_base_sort_numbers(values, 5);
    assert_memory_equal(values, wanted, sizeof wanted);
    hbg_base_sort_numbers(NULL, 0);
}

static void a_quantile_lies_between_its_neighbours(void **state) {
    (void)state;
    static const double sorted[] = {1, 2, 4, 8};
    // places 0, 0.75, 1.5, 3 of 0 … 3
    assert_true(hbg_base_quantile(sorted, 4, 0) == 1);
    assert_true(hbg_base_quantile(sorted, 4, 0.25) == 1.75);
    assert_true(hbg_base_quantile(sorted, 4, 0.5) == 3);
    assert_true(hbg_base_quantile(sorted, 4, 1) == 8);
    assert_true(hbg_base_quantile(sorted, 1, 0.5) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_put_in_order),
        cmocka_unit_test(a_quantile_lies_between_its_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
