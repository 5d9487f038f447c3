/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Crossings that only rounding makes. A loop may amplify rounding far beyond the band: a current of 1e-8 A
 * through a leak of 1e8 Ω is the difference of two voltages over a diode of 1 mΩ, and wrong by 1e-13 A. The
 * guard that reads it changes its sign before the current does, and the guard that leads back, which reads
 * the voltage of the leak, leads back at once. So where rounding is more than the band of all that answers in
 * the present mode, a guard lags: it crosses where it is beyond 0 by more than rounding, which is late by no
 * more than rounding divided by its slope. */
#include <string.h>

#include "rt/roots_impl.h"

/* Whether one of those that cross does so by more than rounding, or lags already. */
static bool any_exceeds(const hbg_rt_roots *roots, const double *rounding) {
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        if (!roots->beside[k] && 2 * roots->lag[k] >= rounding[k]) return true;
    }
    return false;
}

hbg_rt_status hbg_rt_roots_exceed_rounding(hbg_rt_root_search *s, double t, bool *exceed) {
    hbg_rt_roots *roots = s->roots;
    double *rounding = roots->sample[3];
    *exceed = true;
    if (!hbg_rt_solves_loops(s->field->instance)) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_indicator_sizes(s->field->instance, t, roots->dx, roots->told, rounding);
    if (status != HBG_RT_OK) return status;
    *exceed = any_exceeds(roots, rounding);
    for (int32_t i = 0; i < roots->crossed_count && !*exceed; i++) {
        int32_t k = roots->crossed[i];
        if (!roots->beside[k]) roots->lag[k] = rounding[k];
    }
    return HBG_RT_OK;
}
