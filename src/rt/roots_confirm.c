/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Crossings that are none. Between equality and a guard that comes to it for ever, like the current into a capacitor that is nearly full,
 * there is soon less than states are exact: the polynomial of a step may go through 0 there although the field, asked where it does so,
 * does not go on. To switch would be an event that the model does not have, or, since the field in the other mode says the same, one
 * without an end. So a guard crosses only where the field goes on as the polynomial does; where it does not, and what sets the two apart
 * is no more than the error states may have, the run goes on in its mode from there, with the guard at equality. Where that is no
 * headway it is asked again a little later, and each time later by more until a step passes without it. */
#include <string.h>

#include "rt/roots_impl.h"

static const double most = 0.1;  /* of the step: not farther */
static const double share = 0.1; /* of the way of the polynomial: less is not going on */

/* How far the errors that states may have move guards, at t and x where these have the values g. Their signs and shares differ, and
 * twice, so that they do not cancel. */
static hbg_rt_status find_errors(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                                 const double *g, double *errors) {
    uint32_t random = 1;
    memset(errors, 0, (size_t)roots->count * sizeof *errors);
    for (int turn = 0; turn < 2; turn++) {
        for (int32_t i = 0; i < field->n; i++) {
            random = random * 1664525u + 1013904223u;
            double share_of = 0.5 + (double)(random >> 8) / (1 << 25);
            double error = share_of * hbg_rt_field_tolerance(field, i, fabs(x[i]));
            roots->x[i] = x[i] + (random >> 31 ? error : -error);
        }
        hbg_rt_status status = hbg_rt_indicators(field->instance, t, roots->x, roots->now);
        if (status != HBG_RT_OK) return status;
        for (int32_t k = 0; k < roots->count; k++) errors[k] = fmax(errors[k], fabs(roots->now[k] - g[k]));
    }
    return HBG_RT_OK;
}

/* Values at the times reached from x at t, by the polynomial and by the field, into the inner samples. */
static hbg_rt_status look_ahead(hbg_rt_root_search *s, double t, double ahead) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_field *field = s->field;
    const double *x = roots->dx;
    double *rates = field->work[0];
    hbg_rt_status status = hbg_rt_root_values(s, t + ahead, roots->sample[1]);
    if (status == HBG_RT_OK) status = hbg_rt_field_rates(field, t, x, rates);
    for (int32_t i = 0; i < field->n && status == HBG_RT_OK; i++) roots->x[i] = x[i] + ahead * rates[i];
    if (status != HBG_RT_OK) return status;
    return hbg_rt_indicators(field->instance, t + ahead, roots->x, roots->sample[2]);
}

/* Whether the polynomial has taken all guards that cross farther than rounding does. */
static bool is_clear(const hbg_rt_roots *roots) {
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        double way = fabs(roots->before[k] - roots->sample[1][k]);
        if (!roots->beside[k] && way <= hbg_rt_root_rounding(roots, k)) return false;
    }
    return true;
}

/* Values at the crossing into roots->before; those a little later, and errors, into the inner samples. */
static hbg_rt_status compare(hbg_rt_root_search *s, double t) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_field *field = s->field;
    double h = s->stepper->t1 - s->stepper->t0, ahead = HBG_RT_FOLLOWED;
    hbg_rt_status status = hbg_rt_root_values(s, t, roots->before);
    memcpy(roots->dx, roots->x, (size_t)field->n * sizeof *roots->x);
    if (status == HBG_RT_OK) status = look_ahead(s, t, ahead * h);
    while (status == HBG_RT_OK && ahead < most && !is_clear(roots))
        status = look_ahead(s, t, (ahead *= 10) * h);
    if (status != HBG_RT_OK) return status;
    return find_errors(roots, field, t, roots->dx, roots->before, roots->sample[3]);
}

static bool goes_on(const hbg_rt_roots *roots, int32_t k) {
    double fall = roots->before[k] - roots->sample[1][k], own = roots->before[k] - roots->sample[2][k];
    return !(fall > hbg_rt_root_rounding(roots, k)) || own >= share * fall ||
           fall - own > roots->sample[3][k];
}

hbg_rt_status hbg_rt_roots_confirm(hbg_rt_roots *roots, hbg_rt_field *field, hbg_rt_integrator *stepper,
                                   double t, bool *crosses) {
    hbg_rt_root_search s = {
        .roots = roots, .field = field, .stepper = stepper, .polish = stepper->polish != NULL};
    hbg_rt_status before = field->status;
    *crosses = true;
    if (roots->touched) return HBG_RT_OK;
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (roots->crossed[i] < roots->guard_first) return HBG_RT_OK;
    hbg_rt_status status = compare(&s, t);
    field->status = before; // what is not to be had there says nothing
    if (status != HBG_RT_OK) return status == HBG_RT_NO_MEMORY ? status : HBG_RT_OK;
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (!roots->beside[roots->crossed[i]] && goes_on(roots, roots->crossed[i])) return HBG_RT_OK;
    double h = stepper->t1 - stepper->t0, wait = fmin(ldexp(HBG_RT_SHORTLY, roots->doubted), 1) * h;
    bool stays = t - stepper->t0 < HBG_RT_SHORTLY * h;
    roots->doubted += stays;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        roots->armed[k] = roots->begun[k] = false;
        if (stays) roots->not_before[k] = t + wait;
    }
    memcpy(roots->sample[HBG_RT_SAMPLES - 1], roots->before, (size_t)roots->count * sizeof *roots->before);
    roots->crossed_count = 0;
    *crosses = false;
    return HBG_RT_OK;
}
