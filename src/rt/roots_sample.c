/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards of fixed-step runs, evaluated where a step ends. A guard at 0 there has been touched: it holds if
 * its relation holds at equality. The band of equality is a share of the size of the sides, which values of
 * their difference do not show: time minus a threshold, perhaps after many periods, comes near 0 in one step
 * and is far in the next, and a long stride misses it. So the system computes this size if a guard is near
 * 0. */
#include "rt/roots_impl.h"

static const double grown = 2; /* times what a state, or time, was: sizes are computed again */

static bool is_near(const hbg_rt_roots *roots, int32_t k) {
    return roots->size[k] == 0 || fabs(roots->now[k]) <= HBG_RT_NEAR_GUARD * roots->size[k];
}

static bool has_grown(const hbg_rt_roots *roots, const hbg_rt_field *field, double t, const double *x) {
    if (t > grown * roots->asked.when) return true;
    for (int32_t i = 0; i < field->n; i++)
        if (fabs(x[i]) > grown * roots->then[i]) return true;
    return false;
}

static hbg_rt_status ask_sides(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x) {
    hbg_rt_status status = hbg_rt_indicator_sizes(field->instance, t, x, roots->told, NULL);
    if (status != HBG_RT_OK) return status == HBG_RT_NO_MEMORY ? status : HBG_RT_OK;
    for (int32_t k = roots->guard_first; k < roots->count; k++)
        if (roots->told[k] > roots->sides[k]) roots->sides[k] = roots->told[k];
    for (int32_t i = 0; i < field->n; i++) roots->then[i] = fmax(roots->then[i], fabs(x[i]));
    roots->asked.when = t;
    return HBG_RT_OK;
}

/* The band within which values are equal. */
static double equality(const hbg_rt_roots *roots, int32_t k) {
    return roots->sides[k] > 0 ? HBG_RT_BAND * roots->sides[k] : hbg_rt_root_band(roots, k);
}

hbg_rt_status hbg_rt_roots_sample(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x) {
    hbg_rt_status status = hbg_rt_indicators(field->instance, t, x, roots->now);
    bool asks = false;
    roots->crossed_count = 0;
    roots->touched = true;
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK && !asks; k++)
        asks = is_near(roots, k) && (roots->sides[k] == 0 || has_grown(roots, field, t, x));
    if (asks) status = ask_sides(roots, field, t, x);
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++) {
        hbg_rt_root_take_size(roots, k, roots->now[k]);
        if (roots->now[k] > equality(roots, k)) continue;
        roots->crossed[roots->crossed_count++] = k;
        roots->beside[k] = roots->now[k] >= -equality(roots, k);
        roots->touched = roots->touched && roots->beside[k];
    }
    return status;
}
