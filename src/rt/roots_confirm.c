/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Crossings that are none. Between equality and a guard that comes to it for ever, like the current into a capacitor that is nearly full,
 * there is soon less than states are exact: the polynomial of a step may go through 0 there although the model does not. To switch would
 * be an event that the model does not have, or, since the field in the other mode says the same, one without an end.
 *
 * A crossing is one if it goes farther, in this step, than the errors that states may have, or if it is certain: at the root the field takes
 * the guard on as the polynomial does, and the difference of the two slopes, which is the error of the step as the guard sees it, is no more
 * than that of the field. What is neither is left alone. The guard stays on its side, and is wide of its threshold from then on: it crosses
 * where it goes farther than the errors, and is on its side again where it is clear of them. Time, steps and integrator are not troubled
 * with it.
 *
 * Where fast components are made to follow slow ones their errors follow, too: a state that is off by its tolerance is taken to where
 * the field wants it before the guard is looked at. */
#include <string.h>

#include "rt/roots_impl.h"

enum { TURNS = 3 };
/* In tolerances: at the border of stability a method lives with errors of 1 to 3. */
static const double lived_with = 4;
/* So many states one may have the error of: their mean is what a step is judged by. */
static const double shared = 16;

/* How far the errors that states may have move guards, at t and x where these have the values g. Their signs and shares differ, each
 * time, so that they do not cancel. */
static hbg_rt_status find_errors(hbg_rt_root_search *s, double t, const double *x, const double *g,
                                 double *errors) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_field *field = s->field;
    uint32_t random = 1;
    double errors_of = lived_with * sqrt(fmin(field->n, shared));
    memset(errors, 0, (size_t)roots->count * sizeof *errors);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int32_t i = 0; i < field->n; i++) {
            random = random * 1664525u + 1013904223u;
            double share_of = 0.75 + (double)(random >> 8) / (1 << 25);
            double error = share_of * hbg_rt_field_tolerance(field, i, fabs(x[i]));
            roots->x[i] = x[i] + (random >> 31 ? error : -error);
        }
        if (s->polish) s->stepper->polish(s->stepper, t, roots->x);
        hbg_rt_status status = hbg_rt_indicators(field->instance, t, roots->x, roots->now);
        if (status != HBG_RT_OK) return status;
        for (int32_t k = roots->guard_first; k < roots->count; k++)
            errors[k] = fmax(errors[k], errors_of * fabs(roots->now[k] - g[k]));
    }
    return HBG_RT_OK;
}

/* Slopes at x and t along the polynomial and along the field, into the first inner samples. */
static hbg_rt_status find_slopes(hbg_rt_root_search *s, double t, const double *x) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_field *field = s->field;
    double *rates = field->work[0];
    s->stepper->slope(s->stepper, t, rates);
    hbg_rt_status status = hbg_rt_root_slopes(s, t, x, rates, roots->sample[1]);
    if (status == HBG_RT_OK) status = hbg_rt_field_rates(field, t, x, rates);
    return status == HBG_RT_OK ? hbg_rt_root_slopes(s, t, x, rates, roots->sample[2]) : status;
}

/* Whether the field takes a guard on as the polynomial does, and farther in a step than rounding. What is within its band yet has to go
 * on; behind a pole a guard is far beyond 0 and comes back. */
static bool is_certain(const hbg_rt_root_search *s, int32_t k) {
    const hbg_rt_roots *roots = s->roots;
    double own = roots->sample[2][k], apart = fabs(roots->sample[1][k] - own);
    double way = fmax(roots->excursion[k], fabs(own) * (s->stepper->t1 - s->stepper->t0));
    bool goes = own < 0 || roots->before[k] < -hbg_rt_root_band(roots, k);
    return goes && apart <= fabs(own) && way > hbg_rt_root_rounding(roots, k);
}

/* A guard that was far from 0 a moment before has jumped there, or passed a pole: errors of states tell nothing of that. */
static hbg_rt_status find_jumps(hbg_rt_root_search *s, double t, bool *jumps) {
    const hbg_rt_roots *roots = s->roots;
    double moment = 4 * HBG_RT_LOCATED * fabs(t);
    hbg_rt_status status = hbg_rt_root_values(s, fmax(t - moment, s->stepper->t0), roots->now);
    *jumps = false;
    for (int32_t i = 0; i < roots->crossed_count && status == HBG_RT_OK; i++) {
        int32_t k = roots->crossed[i];
        *jumps |=
            !roots->beside[k] && !(fabs(roots->now[k] - roots->before[k]) <= HBG_RT_SLIGHT * roots->size[k]);
    }
    return status;
}

typedef bool (*judge)(const hbg_rt_root_search *s, int32_t k);

static bool goes_far(const hbg_rt_root_search *s, int32_t k) {
    return s->roots->excursion[k] > s->roots->sample[3][k];
}

/* Whether that is so of one of those that cross. */
static bool any_of(const hbg_rt_root_search *s, judge holds) {
    const hbg_rt_roots *roots = s->roots;
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (!roots->beside[roots->crossed[i]] && holds(s, roots->crossed[i])) return true;
    return false;
}

/* Values at the crossing into roots->before; slopes and errors there into the inner samples. */
static hbg_rt_status compare(hbg_rt_root_search *s, double t, bool *crosses) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_field *field = s->field;
    hbg_rt_status status = hbg_rt_root_values(s, t, roots->before);
    memcpy(roots->dx, roots->x, (size_t)field->n * sizeof *roots->x);
    if (status == HBG_RT_OK) status = find_slopes(s, t, roots->dx);
    *crosses = status == HBG_RT_OK && any_of(s, is_certain);
    if (status != HBG_RT_OK || *crosses) return status;
    status = find_errors(s, t, roots->dx, roots->before, roots->sample[3]);
    *crosses = status == HBG_RT_OK && any_of(s, goes_far);
    return *crosses || status != HBG_RT_OK ? status : find_jumps(s, t, crosses);
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
    hbg_rt_status status = compare(&s, t, crosses);
    field->status = before; // what is not to be had there says nothing
    if (status == HBG_RT_NO_MEMORY) return status;
    if (status != HBG_RT_OK) *crosses = true;
    if (*crosses) return HBG_RT_OK;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        roots->armed[k] = roots->begun[k] = false;
        roots->wide[k] = roots->beside[k] ? 0 : roots->sample[3][k] + hbg_rt_root_band(roots, k);
    }
    memcpy(roots->sample[HBG_RT_SAMPLES - 1], roots->before, (size_t)roots->count * sizeof *roots->before);
    roots->crossed_count = 0;
    return HBG_RT_OK;
}
