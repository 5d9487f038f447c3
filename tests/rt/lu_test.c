/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Dense LU: solutions known by hand, residuals of random systems, and singular ones. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <string.h>

#include "rt/linear.h"

enum { N = 12 };

static double next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) / (double)(1u << 30) - 1;
}

static void two_equations_with_a_zero_pivot_are_solved(void **state) {
    (void)state;
    /* 0·a + 2·b = 4, 3·a + 1·b = 5: b = 2, a = 1 */
    double matrix[] = {0, 2, 3, 1}, b[] = {4, 5};
    int32_t pivot[2];
    assert_true(hbg_rt_lu_factor(2, matrix, pivot, NULL));
    hbg_rt_lu_solve(2, matrix, pivot, b);
    assert_true(b[0] == 1 && b[1] == 2);
}

static void random_systems_leave_residuals_of_rounding(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int trial = 0; trial < 200; trial++) {
        double matrix[N * N], factors[N * N], b[N], x[N];
        int32_t pivot[N];
        for (int i = 0; i < N * N; i++) matrix[i] = factors[i] = next_random(&random);
        for (int i = 0; i < N; i++) b[i] = x[i] = next_random(&random);
        assert_true(hbg_rt_lu_factor(N, factors, pivot, NULL));
        hbg_rt_lu_solve(N, factors, pivot, x);
        for (int i = 0; i < N; i++) {
            double sum = -b[i], size = fabs(b[i]);
            for (int j = 0; j < N; j++) {
                sum += matrix[i * N + j] * x[j];
                size += fabs(matrix[i * N + j] * x[j]);
            }
            assert_true(fabs(sum) <= 1e-13 * size);
        }
    }
}

static void rows_in_small_units_are_no_worse(void **state) {
    (void)state;
    /* the first row times 1e-12 would never be a pivot if rows were not scaled: x = (1, 1) to the last
     * digits */
    double matrix[] = {1e-12, 1e-24, 1, 1}, b[] = {1e-12 + 1e-24, 2};
    int32_t pivot[2];
    assert_true(hbg_rt_lu_factor(2, matrix, pivot, NULL));
    assert_int_equal(pivot[0], 0);
    hbg_rt_lu_solve(2, matrix, pivot, b);
    assert_true(fabs(b[0] - 1) <= 1e-15 && fabs(b[1] - 1) <= 1e-15);
}

static void a_column_in_small_units_is_not_singular(void **state) {
    (void)state;
    /* a + 1e-20·b = 2, a + 3e-20·b = 4: b = 1e20, a = 1 */
    double matrix[] = {1, 1e-20, 1, 3e-20}, b[] = {2, 4};
    int32_t pivot[2];
    assert_true(hbg_rt_lu_factor(2, matrix, pivot, NULL));
    hbg_rt_lu_solve(2, matrix, pivot, b);
    assert_true(fabs(b[0] - 1) <= 1e-15 && fabs(b[1] - 1e20) <= 1e5);
}

static void dependent_rows_are_singular_though_rounding_hides_it(void **state) {
    (void)state;
    double matrix[] = {0.1, 0.3, 0.7, 0.2, 0.6, 1.4, 1, 2, 4};
    int32_t pivot[3], column = -1;
    assert_false(hbg_rt_lu_factor(3, matrix, pivot, &column));
    assert_int_equal(column, 2);
}

static void zeros_and_values_that_are_no_numbers_are_singular(void **state) {
    (void)state;
    double zero[] = {0, 0, 0, 0}, bad[] = {NAN, 1, NAN, 1}, vast[] = {INFINITY, 1, INFINITY, 2};
    int32_t pivot[2], column = -1;
    assert_false(hbg_rt_lu_factor(2, zero, pivot, &column));
    assert_int_equal(column, 0);
    assert_false(hbg_rt_lu_factor(2, bad, pivot, NULL));
    assert_false(hbg_rt_lu_factor(2, vast, pivot, NULL));
}

static void nothing_is_solved_for_nothing(void **state) {
    (void)state;
    assert_true(hbg_rt_lu_factor(0, NULL, NULL, NULL));
    hbg_rt_lu_solve(0, NULL, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_equations_with_a_zero_pivot_are_solved),
        cmocka_unit_test(random_systems_leave_residuals_of_rounding),
        cmocka_unit_test(rows_in_small_units_are_no_worse),
        cmocka_unit_test(a_column_in_small_units_is_not_singular),
        cmocka_unit_test(dependent_rows_are_singular_though_rounding_hides_it),
        cmocka_unit_test(zeros_and_values_that_are_no_numbers_are_singular),
        cmocka_unit_test(nothing_is_solved_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
