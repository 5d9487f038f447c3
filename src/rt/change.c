/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values that are held until they are changed: inputs, samples and parameters, with their values before. */
#include "rt/run_impl.h"

hbg_rt_status hbg_rt_follow_params(hbg_rt_instance *run) {
    run->loops.version++; // factors of constant loops belong to the old parameters
    return hbg_rt_run_prologue(run, 0);
}

/* Sets a value that is held until it changes again; the next instant begins with its value before. */
void hbg_rt_change(hbg_rt_instance *run, int32_t reg, double value) {
    instant_data *at = &run->at;
    int32_t k = 0;
    while (k < at->change.changed_count && at->change.changed[k] != reg) k++;
    if (k == at->change.changed_count && k < run->image->instants.outside.most_held) {
        at->change.changed[k] = reg;
        at->change.before[k] = run->r[reg];
        at->change.changed_count++;
    }
    run->r[reg] = value;
}

void hbg_rt_change_param(hbg_rt_instance *run, int32_t reg, double value) {
    if (run->has_mode)
        hbg_rt_change(run, reg, value);
    else
        run->r[reg] = value;
}

void hbg_rt_change_rate(hbg_rt_instance *run, int32_t param, double rate) {
    hbg_rt_change_param(run, run->image->instants.outside.params[param].rate, rate);
}

/* Inputs, samples and parameters as they were before their change, and back. */
hbg_rt_status hbg_rt_swap_changed(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->at.change.changed_count; i++) {
        double *now = &run->r[run->at.change.changed[i]], kept = *now;
        *now = run->at.change.before[i];
        run->at.change.before[i] = kept;
    }
    run->lines.wait =
        !run->lines.wait && run->at.change.params_changed; // the way that led here is no longer known
    return run->at.change.params_changed ? hbg_rt_follow_params(run) : HBG_RT_OK;
}
