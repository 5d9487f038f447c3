/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The sparse solver lent to systems. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>

#include "sim/sim.h"

static const int32_t start[] = {0, 2, 4, 5}, row[] = {0, 2, 0, 1, 2};

/* [2 1 0; 0 4 0; 1 0 5]·x = b */
static void loops_keep_their_factors_apart(void **unused) {
    hbg_memory memory = {0};
    hbg_arena arena;
    const double first[] = {2, 1, 1, 4, 5}, second[] = {4, 2, 2, 8, 10};
    double b[] = {4, 8, 16}, c[] = {4, 8, 16};
    (void)unused;
    hbg_base_arena_init(&arena, &memory);
    hbg_sim_lent *lent = hbg_sim_lent_new(&arena);
    const hbg_rt_solver *solver = hbg_sim_lent_solver(lent);
    hbg_rt_pattern pattern = {3, start, row};
    assert_true(solver->factor(solver->context, 0, pattern, first));
    assert_true(solver->factor(solver->context, 9, pattern, second));
    solver->solve(solver->context, 0, b);
    solver->solve(solver->context, 9, c);
    const double x[] = {1, 2, 3}; // 2 + 2 = 4, 8, 1 + 15 = 16
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(b[i] - x[i]) < 1e-15);
        assert_true(fabs(c[i] - x[i] / 2) < 1e-15);
    }
    hbg_sim_lent_end(lent);
    hbg_base_arena_fini(&arena);
    assert_int_equal(memory.used, 0);
}

static void a_singular_matrix_is_refused_and_a_later_one_is_not(void **unused) {
    hbg_memory memory = {0};
    hbg_arena arena;
    const double bad[] = {0, 0, 1, 4, 5}, good[] = {2, 1, 1, 4, 5};
    (void)unused;
    hbg_base_arena_init(&arena, &memory);
    hbg_sim_lent *lent = hbg_sim_lent_new(&arena);
    const hbg_rt_solver *solver = hbg_sim_lent_solver(lent);
    hbg_rt_pattern pattern = {3, start, row};
    assert_false(solver->factor(solver->context, 0, pattern, bad));
    assert_true(solver->factor(solver->context, 0, pattern, good));
    hbg_sim_lent_end(lent);
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_keep_their_factors_apart),
        cmocka_unit_test(a_singular_matrix_is_refused_and_a_later_one_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
