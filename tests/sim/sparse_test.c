/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * KLU for runs: systems known by hand, again with other numbers, singular ones, NaN. */
#include "rt/field_bench_impl.h"

/* [[1, 2], [3, 4]] times a parameter */
static void numbers(hand *h, double t, const double *x, double *dense) {
    (void)t;
    for (int i = 0; i < 4; i++) dense[i] = (i + 1) * x[0] * h->r->parameter[0];
}

static void no_rates(hand *h, double t, const double *x, double *dx) {
    (void)t, (void)x;
    memset(dx, 0, (size_t)h->r->n * sizeof *dx);
}

static void solve_at(double x0, double identity, double scale, hbg_rt_status wanted, const double *solution) {
    const recipe r = {.n = 2, .rates = no_rates, .jacobian = numbers, .parameter = {1}};
    field_bench b;
    field_bench_init(&b, &r, 0, 1, 0);
    hbg_sim_sparse *sparse = hbg_sim_sparse_new(&b.arena, &b.field);
    assert_non_null(sparse);
    const double first[] = {-1, 0};
    double x[2] = {x0, 0}, solved[] = {5, 11};
    /* other numbers first, so that the factors in use are refactored ones */
    assert_int_equal(hbg_sim_sparse_factor(sparse, 0, first, 1, 0.5), HBG_RT_OK);
    assert_int_equal(hbg_sim_sparse_factor(sparse, 0, x, identity, scale), wanted);
    if (wanted == HBG_RT_OK) {
        hbg_sim_sparse_solve(sparse, solved);
        assert_near(solved[0], solution[0], 1e-14);
        assert_near(solved[1], solution[1], 1e-14);
    }
    hbg_sim_sparse_end(sparse);
    field_bench_fini(&b);
}

static void systems_are_solved_in_place(void **state) {
    (void)state;
    /* J·(1, 2) = (5, 11); (I − 2·J)·(a, b): (−1·a − 4·b, −6·a − 7·b) = (5, 11) → a = −9/17, b = −19/17 */
    solve_at(1, 0, -1, HBG_RT_OK, (const double[]){1, 2});
    solve_at(1, 1, 2, HBG_RT_OK, (const double[]){-9.0 / 17, -19.0 / 17});
}

static void singular_systems_are_refused(void **state) {
    (void)state;
    solve_at(0, 0, -1, HBG_RT_SINGULAR, NULL);
}

static void numbers_that_are_none_are_refused(void **state) {
    (void)state;
    solve_at(NAN, 1, 1, HBG_RT_NOT_FINITE, NULL);
    solve_at(INFINITY, 1, 1, HBG_RT_NOT_FINITE, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_are_solved_in_place),
        cmocka_unit_test(singular_systems_are_refused),
        cmocka_unit_test(numbers_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
