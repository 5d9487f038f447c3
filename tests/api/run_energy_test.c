/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lines of the energy balance: sums over what the ledger has of each element, and their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "api/run_impl.h"

static void lines_are_sums_by_kind(void **state) {
    (void)state;
    const hbg_rt_power powers[] = {{.name = "s", .kind = HBG_RT_SUPPLIED},
                                   {.name = "r", .kind = HBG_RT_DISSIPATED},
                                   {.name = "t", .kind = HBG_RT_SUPPLIED},
                                   {.name = "c", .kind = HBG_RT_MODULATED}};
    hbg_rt_description system = {.powers = powers, .power_count = 4, .storage_count = 2};
    double work[] = {1, 2, 4, 8}, before[] = {16, 32}, after[] = {64, 128};
    hbg_sim_result result = {.work = work, .stored_at_start = before, .stored_at_end = after};
    result.lost_in_jumps = 256;
    result.by_parameters = 512;
    result.residual = 1024;
    hbg_run_energy energy;
    hbg_api_run_balance(&system, &result, &energy);
    const double wanted[] = {48, 192, 5, 2, 8, 512, 256, 1024};
    for (int i = 0; i < HBG_RUN_ENERGY_COUNT; i++) assert_true(energy.line[i] == wanted[i]);
}

static void every_line_has_a_name_and_none_has_a_value_without_a_ledger(void **state) {
    (void)state;
    for (int i = 0; i < HBG_RUN_ENERGY_COUNT; i++) {
        assert_true(hbg_api_run_energy_names[i][0] != 0);
        assert_true(isnan(hbg_api_run_no_balance.line[i]));
    }
    assert_string_equal(hbg_api_run_energy_names[HBG_RUN_LOST_IN_JUMPS], "lost in jumps");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_sums_by_kind),
        cmocka_unit_test(every_line_has_a_name_and_none_has_a_value_without_a_ledger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
