/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Crossings that are none. Between equality and a guard that comes to it for ever, like the current into a capacitor that is nearly full,
 * there is soon less than states are exact: the polynomial of a step may go through 0 there although the model does not. To switch would
 * be an event that the model does not have, or, since the field in the other mode says the same, one without an end.
 *
 * A crossing is one if it goes farther, in this step, than the errors that states may have, or if it is certain: at the root the field takes
 * the guard on as the polynomial does, and the difference of the two, which is the error of the step as the guard sees it, is no more than
 * that. What is neither is left alone. The guard stays on its side, and is wide of its threshold from then on: it crosses where it goes
 * farther than the errors, and is on its side again where it is clear of them. Time, steps and integrator are not troubled with it.
 *
 * Where fast components are made to follow slow ones, errors of states say little of what a guard reads, and the field little but the
 * direction. There a guard crosses where the field goes on as the polynomial does; where it does not, and what sets the two apart is no more
 * than the error states may have, the run goes on in its mode from there, with the guard at equality. Where that is no headway it is asked
 * again a little later, and each time later by more until a step passes without it. */
#include <string.h>

#include "rt/roots_impl.h"

enum { TURNS = 3 };
static const double most = 0.1;  /* of the step: not farther */
static const double share = 0.1; /* of the way of the polynomial: less is not going on */
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
    double errors_of = s->polish ? 1 : lived_with * sqrt(fmin(field->n, shared));
    memset(errors, 0, (size_t)roots->count * sizeof *errors);
    for (int turn = 0; turn < (s->polish ? 2 : TURNS); turn++) {
        for (int32_t i = 0; i < field->n; i++) {
            random = random * 1664525u + 1013904223u;
            double share_of = (s->polish ? 0.5 : 0.75) + (double)(random >> 8) / (1 << 25);
            double error = share_of * hbg_rt_field_tolerance(field, i, fabs(x[i]));
            roots->x[i] = x[i] + (random >> 31 ? error : -error);
        }
        hbg_rt_status status = hbg_rt_indicators(field->instance, t, roots->x, roots->now);
        if (status != HBG_RT_OK) return status;
        for (int32_t k = roots->guard_first; k < roots->count; k++)
            errors[k] = fmax(errors[k], errors_of * fabs(roots->now[k] - g[k]));
    }
    return HBG_RT_OK;
}

/* Values at the times reached from x at t, by the polynomial and by the field, into the first inner samples. */
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

/* Whether the field takes a guard on, `ahead` of the step long, as the polynomial does. Where fast components follow slow ones the field
 * tells the direction alone, and only beside a fall that is more than rounding. */
static bool is_certain(const hbg_rt_roots *roots, int32_t k, double ahead, bool fast) {
    double fall = roots->before[k] - roots->sample[1][k], own = roots->before[k] - roots->sample[2][k];
    double way = fmax(roots->excursion[k], fabs(own) / ahead);
    if (fast)
        return own >= share * fall || fall <= hbg_rt_root_rounding(roots, k) ||
               fall - own > roots->sample[3][k];
    return fabs(fall - own) <= fabs(own) && way > hbg_rt_root_rounding(roots, k);
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

typedef bool (*judge)(const hbg_rt_roots *roots, int32_t k, double ahead, bool fast);

static bool goes_far(const hbg_rt_roots *roots, int32_t k, double ahead, bool fast) {
    (void)ahead;
    return !fast && roots->excursion[k] > roots->sample[3][k];
}

/* Whether that is so of one of those that cross. */
static bool any_of(const hbg_rt_roots *roots, judge holds, double ahead, bool fast) {
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (!roots->beside[roots->crossed[i]] && holds(roots, roots->crossed[i], ahead, fast)) return true;
    return false;
}

/* Values at the crossing into roots->before; those a little later, and errors, into the inner samples. */
static hbg_rt_status compare(hbg_rt_root_search *s, double t, bool *crosses) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_field *field = s->field;
    double h = s->stepper->t1 - s->stepper->t0, ahead = HBG_RT_FOLLOWED;
    hbg_rt_status status = hbg_rt_root_values(s, t, roots->before);
    memcpy(roots->dx, roots->x, (size_t)field->n * sizeof *roots->x);
    if (status == HBG_RT_OK) status = look_ahead(s, t, ahead * h);
    while (status == HBG_RT_OK && ahead < most && !is_clear(roots))
        status = look_ahead(s, t, (ahead *= 10) * h);
    if (status == HBG_RT_OK) status = find_errors(s, t, roots->dx, roots->before, roots->sample[3]);
    if (status != HBG_RT_OK) return status;
    *crosses = any_of(roots, goes_far, ahead, s->polish) || any_of(roots, is_certain, ahead, s->polish);
    return *crosses || s->polish ? HBG_RT_OK : find_jumps(s, t, crosses);
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
    double h = stepper->t1 - stepper->t0, wait = fmin(ldexp(HBG_RT_SHORTLY, roots->pace.doubted), 1) * h;
    bool stays = t - stepper->t0 < HBG_RT_SHORTLY * h;
    roots->pace.doubted += stays;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        roots->armed[k] = roots->begun[k] = false;
        if (s.polish && stays) roots->not_before[k] = t + wait;
        if (!s.polish)
            roots->wide[k] = roots->beside[k] ? 0 : roots->sample[3][k] + hbg_rt_root_band(roots, k);
    }
    memcpy(roots->sample[HBG_RT_SAMPLES - 1], roots->before, (size_t)roots->count * sizeof *roots->before);
    roots->crossed_count = 0;
    return HBG_RT_OK;
}
