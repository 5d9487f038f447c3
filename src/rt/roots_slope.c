/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Slopes of guards at a point: by the programs of their slopes; for a guard without one, since it reads
 * values in another state or is written by hand in C, by values a little to both sides. */
#include "rt/roots_impl.h"

/* Values at the point `ahead` of this one, along time and dx. */
static hbg_rt_status look_aside(hbg_rt_root_search *s, double t, const double *x, const double *dx,
                                double ahead, double *g) {
    double *aside = s->field->work[2];
    for (int32_t i = 0; i < s->field->n; i++) aside[i] = x[i] + ahead * dx[i];
    return hbg_rt_indicators(s->field->instance, t + ahead, aside, g);
}

static bool lacks_some(const hbg_rt_roots *roots, const double *slope) {
    for (int32_t k = roots->guard_first; k < roots->count; k++)
        if (isnan(slope[k])) return true;
    return false;
}

hbg_rt_status hbg_rt_root_slopes(hbg_rt_root_search *s, double t, const double *x, const double *dx,
                                 double *slope) {
    hbg_rt_roots *roots = s->roots;
    double moment = fmax(HBG_RT_BESIDE * (s->stepper->t1 - s->stepper->t0), HBG_RT_MOMENT * fabs(t));
    hbg_rt_status status = hbg_rt_guard_slopes(s->field->instance, t, x, dx, slope);
    if (status != HBG_RT_OK || !lacks_some(roots, slope)) return status;
    status = look_aside(s, t, x, dx, -moment, roots->now);
    if (status == HBG_RT_OK) status = look_aside(s, t, x, dx, moment, roots->shaken);
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++)
        if (isnan(slope[k])) slope[k] = (roots->shaken[k] - roots->now[k]) / (2 * moment);
    return status;
}
