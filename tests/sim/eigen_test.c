/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Eigenvalues known by hand, in any units; matrices that are not finite have none. */
#include "sim/systems_impl.h"

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void eigenvalues_of_small_matrices_are_found(void **state) {
    (void)state;
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    double triangle[] = {-1, 5, 7, 0, -100, 3, 0, 0, -1e6}, real[3], imaginary[3];
    assert_true(hbg_sim_eigenvalues(&arena, 3, triangle, real, imaginary));
    qsort(real, 3, sizeof *real, by_size);
    assert_near(real[0], -1e6, 1e-6);
    assert_near(real[1], -100, 1e-10);
    assert_near(real[2], -1, 1e-12);
    /* x'' + 2·x' + 5·x: −1 ± 2i, with the first state in units of 1e-9 */
    double swing[] = {0, 1e9, -5e-9, -2};
    assert_true(hbg_sim_eigenvalues(&arena, 2, swing, real, imaginary));
    assert_near(real[0], -1, 1e-14);
    assert_near(fabs(imaginary[0]), 2, 1e-14);
    assert_near(imaginary[0] + imaginary[1], 0, 1e-14);
    hbg_base_arena_fini(&arena);
}

static void what_is_not_finite_has_no_eigenvalues(void **state) {
    (void)state;
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    double bad[] = {1, NAN, 0, 1}, vast[] = {1, INFINITY, 0, 1}, real[2], imaginary[2];
    assert_false(hbg_sim_eigenvalues(&arena, 2, bad, real, imaginary));
    assert_false(hbg_sim_eigenvalues(&arena, 2, vast, real, imaginary));
    assert_true(hbg_sim_eigenvalues(&arena, 0, NULL, NULL, NULL));
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_of_small_matrices_are_found),
        cmocka_unit_test(what_is_not_finite_has_no_eigenvalues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
