/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How much of an energy lost in a jump is rounding: E = x² of two storages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/sim.h"

static double doubt(const double *x, const double *x_plus, const double *size) {
    const double *states[] = {x, x_plus, size};
    double energy[3][2];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) energy[k][i] = states[k][i] * states[k][i];
    return hbg_sim_loss_rounding(2, energy[0], energy[1], energy[2]);
}

static void a_storage_that_keeps_its_energy_hides_no_loss(void **state) {
    (void)state;
    double beside = doubt((double[]){1, 1e6}, (double[]){0.5, 1e6}, (double[]){1, 1e6});
    double alone = doubt((double[]){1, 0}, (double[]){0.5, 0}, (double[]){1, 0});
    assert_true(alone > 0 && alone < 1e-11);
    assert_true(beside < 2e-3 && beside - alone < 1e12 * 1e-15); // the rounding of the sum itself
}

static void the_size_a_state_has_had_counts_by_its_root(void **state) {
    (void)state;
    double now = doubt((double[]){1, 0}, (double[]){0, 0}, (double[]){1, 0});
    double once = doubt((double[]){1, 0}, (double[]){0, 0}, (double[]){1e3, 0});
    assert_true(once > 100 * now && once < 2000 * now);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_storage_that_keeps_its_energy_hides_no_loss),
                                       cmocka_unit_test(the_size_a_state_has_had_counts_by_its_root)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
