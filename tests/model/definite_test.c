/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Positive definite matrices, against determinants worked out by hand. */
#include "lang/fixture_impl.h"

#include <math.h>

#include "model/model_impl.h"

static double least_of(const double *matrix, int32_t size) {
    double copy[16];
    for (int32_t i = 0; i < size * size; i++) copy[i] = matrix[i];
    return hbg_model_matrix_least(copy, size);
}

/* The last pivot of [[a, m], [m, b]], scaled, is 1 − m²/(a·b). */
static void two_coils_have_less_coupling_than_all_of_it(void **state) {
    (void)state;
    const double loose[] = {2, 1, 1, 3}, tight[] = {1, 2, 2, 4}, over[] = {1, 2.1, 2.1, 4};
    assert_true(fabs(least_of(loose, 2) - (1 - 1.0 / 6)) < 1e-14);
    assert_true(least_of(tight, 2) == 0);
    assert_true(least_of(over, 2) < 0);
}

/* Henries beside kilograms: what a unit is does not decide. */
static void scaling_a_port_changes_nothing(void **state) {
    (void)state;
    const double plain[] = {2, 1, 1, 3}, scaled[] = {2e12, 1e-3, 1e-3, 3e-18};
    assert_true(fabs(least_of(plain, 2) - least_of(scaled, 2)) < 1e-12);
}

/* Every pair of ports is fine, 0.9² < 1, but not all three: the determinant 1 − 3·0.81 − 2·0.729 is negative. */
static void three_ports_can_be_wrong_together(void **state) {
    (void)state;
    const double wrong[] = {1, -0.9, -0.9, -0.9, 1, -0.9, -0.9, -0.9, 1},
                 fine[] = {4, 1, 1, 1, 4, 1, 1, 1, 4};
    int32_t row, column;
    double limit;
    assert_true(least_of(wrong, 3) < 0);
    assert_false(hbg_model_matrix_culprit(wrong, 3, &row, &column, &limit));
    assert_true(least_of(fine, 3) > 0);
}

/* A gyrator inside a resistive field moves power and makes none; a zero on the diagonal with something beside it does. */
static void only_the_symmetric_part_counts(void **state) {
    (void)state;
    const double gyrator[] = {1, 5, -5, 1}, lossless[] = {0, 5, -5, 0}, wrong[] = {0, 1, 0, 1};
    assert_true(least_of(gyrator, 2) == 1);
    assert_true(least_of(lossless, 2) == 0);
    assert_true(least_of(wrong, 2) < 0);
}

static void what_is_no_number_is_no_matrix(void **state) {
    (void)state;
    const double none[] = {1, NAN, NAN, 1}, endless[] = {INFINITY, 0, 0, 1};
    assert_true(isnan(least_of(none, 2)) && isnan(least_of(endless, 2)));
}

static void what_differs_across_the_diagonal_is_found(void **state) {
    (void)state;
    const double same[] = {1, 0.1 + 0.2, 0.3, 1}, other[] = {1, 2, 2.1, 1};
    int32_t row, column;
    assert_false(hbg_model_matrix_asymmetry(same, 2, &row, &column));
    assert_true(hbg_model_matrix_asymmetry(other, 2, &row, &column) && row == 1 && column == 0);
}

static void the_culprit_is_an_entry_with_its_limit(void **state) {
    (void)state;
    const double diagonal[] = {4, 0, 0, -1}, beside[] = {4, 7, 7, 9};
    int32_t row, column;
    double limit;
    assert_true(hbg_model_matrix_culprit(diagonal, 2, &row, &column, &limit) && row == 1 && column == 1);
    assert_true(hbg_model_matrix_culprit(beside, 2, &row, &column, &limit) && row == 0 && column == 1);
    assert_true(limit == 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_coils_have_less_coupling_than_all_of_it),
        cmocka_unit_test(scaling_a_port_changes_nothing),
        cmocka_unit_test(three_ports_can_be_wrong_together),
        cmocka_unit_test(only_the_symmetric_part_counts),
        cmocka_unit_test(what_is_no_number_is_no_matrix),
        cmocka_unit_test(what_differs_across_the_diagonal_is_found),
        cmocka_unit_test(the_culprit_is_an_entry_with_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
