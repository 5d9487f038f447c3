/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that cross their threshold where time alone changes something. A step ends there to the last bit,
 * and so perhaps just before a root that belongs to the same instant (semantics, section 6). A guard that is
 * at 0 up to rounding, and beyond it a moment later, counts as crossed. */
#include <math.h>

#include "rt/roots_impl.h"

/* Whether a guard is before its root by no more than the resolution of time, by its slope. */
static bool is_there(double value, double slope, double t, double size) {
    return slope < 0 && fabs(value) <= HBG_RT_LOCATED * fabs(t * slope) + HBG_RT_SHARP * size;
}

/* Whether a guard may join: it is on its side, and time alone does not decide it. */
static bool may_join(const hbg_rt_roots *roots, const hbg_rt_field *field, int32_t k) {
    return roots->armed[k] && !hbg_rt_is_planned(field->instance, k);
}

hbg_rt_status hbg_rt_roots_join(hbg_rt_roots *roots, hbg_rt_field *field, hbg_rt_integrator *stepper,
                                double t, const double *x) {
    hbg_rt_root_search s = {.roots = roots, .field = field, .stepper = stepper};
    double *slope = roots->told;
    bool any = false;
    for (int32_t k = roots->guard_first; k < roots->count && !any; k++) any = may_join(roots, field, k);
    if (!any) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_field_rates(field, t, x, roots->dx);
    if (status == HBG_RT_OK) status = hbg_rt_root_slopes(&s, t, x, roots->dx, slope);
    if (status == HBG_RT_OK) status = hbg_rt_indicators(field->instance, t, x, roots->before);
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++) {
        if (!may_join(roots, field, k) || hbg_rt_root_is_crossed(roots, k)) continue;
        if (!is_there(roots->before[k], slope[k], t, hbg_rt_root_band(roots, k) / HBG_RT_BAND)) continue;
        roots->beside[k] = false;
        roots->crossed[roots->crossed_count++] = k;
    }
    return status;
}
