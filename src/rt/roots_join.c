/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that cross their threshold where time alone changes something: a step ends there to the last bit, and so may before the root
 * that belongs to the same instant (semantics, section 6). One that is at 0 but for rounding, and beyond it a moment later, is crossed. */
#include <math.h>

#include "rt/roots_impl.h"

/* Before its root by no more than the resolution of time, seen from its slope. */
static bool is_there(double now, double later, double moment, double t, double size) {
    double slope = (later - now) / moment;
    return later < 0 && slope < 0 && fabs(now) <= HBG_RT_LOCATED * fabs(t * slope) + HBG_RT_SHARP * size;
}

hbg_rt_status hbg_rt_roots_join(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x) {
    double moment = fmax(HBG_RT_PEEK * field->max_step, HBG_RT_MOMENT * fabs(t));
    int32_t count = roots->crossed_count;
    bool any = false;
    for (int32_t k = roots->guard_first; k < roots->count && !any; k++)
        any = roots->armed[k] && !hbg_rt_is_planned(field->instance, k);
    if (!any) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_field_rates(field, t, x, roots->dx);
    for (int32_t i = 0; i < field->n; i++) roots->x[i] = x[i] + moment * roots->dx[i];
    if (status == HBG_RT_OK) status = hbg_rt_indicators(field->instance, t + moment, roots->x, roots->now);
    if (status == HBG_RT_OK) status = hbg_rt_indicators(field->instance, t, x, roots->before);
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++) {
        bool found = false;
        for (int32_t i = 0; i < count && !found; i++) found = roots->crossed[i] == k;
        if (found || !roots->armed[k] || hbg_rt_is_planned(field->instance, k)) continue;
        if (!is_there(roots->before[k], roots->now[k], moment, t, hbg_rt_root_band(roots, k) / HBG_RT_BAND))
            continue;
        roots->beside[k] = false;
        roots->crossed[roots->crossed_count++] = k;
    }
    return status;
}
