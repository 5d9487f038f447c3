/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lines of the energy balance of a run, with their names: the summary of a run and the table of a sweep have the same. */
#include <math.h>

#include "api/run_impl.h"

const char *const hbg_api_run_energy_names[HBG_RUN_ENERGY_COUNT] = {
#define X(id, text) text,
    HBG_RUN_ENERGY_LIST(X)
#undef X
};

const hbg_run_energy hbg_api_run_no_balance = {{
#define X(id, text) NAN,
    HBG_RUN_ENERGY_LIST(X)
#undef X
}};

static double total(const double *values, int32_t count) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++) sum += values[i];
    return sum;
}

static double total_work(const hbg_rt_description *system, const hbg_sim_result *result,
                         hbg_rt_power_kind kind) {
    double sum = 0;
    for (int32_t i = 0; i < system->power_count; i++)
        sum += system->powers[i].kind == kind ? result->work[i] : 0;
    return sum;
}

void hbg_api_run_balance(const hbg_rt_description *system, const hbg_sim_result *result,
                         hbg_run_energy *energy) {
    double *line = energy->line;
    line[HBG_RUN_STORED_BEFORE] = total(result->stored_at_start, system->storage_count);
    line[HBG_RUN_STORED_AFTER] = total(result->stored_at_end, system->storage_count);
    line[HBG_RUN_SUPPLIED] = total_work(system, result, HBG_RT_SUPPLIED);
    line[HBG_RUN_DISSIPATED] = total_work(system, result, HBG_RT_DISSIPATED);
    line[HBG_RUN_BY_MODULATION] = total_work(system, result, HBG_RT_MODULATED);
    line[HBG_RUN_BY_PARAMETERS] = result->by_parameters;
    line[HBG_RUN_LOST_IN_JUMPS] = result->lost_in_jumps;
    line[HBG_RUN_RESIDUAL] = result->residual;
}
