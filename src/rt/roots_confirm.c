/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rejects spurious crossings. A guard may approach equality for ever, like the current into a capacitor that
 * is nearly full. Soon its distance is less than the errors of states: the polynomial of a step may pass
 * through 0 although the model does not. Switching there would be an event that the model does not have, or,
 * since the field in the other mode leads back, an endless sequence of events.
 *
 * A crossing is real if it goes farther, in this step, than the errors that states may have. It is also real
 * if it is certain: at the root, the field moves the guard on as the polynomial does, and the difference of
 * the two, which is the error of the step as the guard sees it, is no larger than this movement. Any other
 * crossing is ignored. The guard stays on its side, and its threshold is widened: it crosses where it goes
 * farther than the errors, and is on its side again where it is clear of them. Time, steps and integrator are
 * not affected.
 *
 * Where fast components are made to follow slow ones, errors of states say little about the values a guard
 * reads, and the field shows little but the direction. There a crossing is real if the field goes on as the
 * polynomial does. If it does not, and the difference is within the errors of states, the run continues in
 * its mode from there, with the guard at equality. If that makes no headway, the guard is checked again a
 * little later, and each time after a longer wait, until a step passes without it. This also applies where
 * errors of states are large relative to the distance that the guard has ever had. Where they are small, and
 * the fast components that the guard reads have come to rest, these follow the slow ones within their
 * tolerance: their error is what remains after they have followed, and a crossing is judged by it as above,
 * without cutting the step. */
#include <string.h>

#include "rt/roots_impl.h"

enum { TURNS = 3 };
static const double most = 0.1;  /* of the step: the farthest that the field is followed */
static const double share = 0.1; /* of the movement along the polynomial: less is no continuation */
/* In tolerances: at the limit of stability a method works with errors of 1 to 3. */
static const double lived_with = 4;
/* One state may have the error of so many: steps are judged by the mean of all. */
static const double shared = 16;

/* Times the errors of states: what polynomials of high order make of them between the ends of a step. */
static const double bends = 6;
/* Of the largest distance a guard has had: if the errors of the method's states move it by more, a small
 * resistance turns them into a large current. Such errors say nothing about the error that remains after that
 * current has settled. */
static const double blurred = 0.1;
/* Of the step: the distance from the root at which the slope of a guard is measured. */
static const double aside = 0.1;

/* The largest error of one state, in tolerances. */
static double most_errors(const hbg_rt_field *field) {
    return lived_with * sqrt(fmin(field->n, shared));
}

/* How far possible errors of states move guards, at t and x, where guards have the values g. Signs and shares
 * of the errors differ from round to round, so that they do not cancel. */
static hbg_rt_status find_errors(hbg_rt_root_search *s, double t, const double *x, const double *g,
                                 double *errors) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_field *field = s->field;
    uint32_t random = 1;
    double errors_of = s->polish ? 1 : most_errors(field);
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

/* Computes values `ahead` of t, along the polynomial and along the field from x, into the first inner
 * samples. */
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

/* Whether the polynomial moves all guards that cross by more than rounding. */
static bool is_clear(const hbg_rt_roots *roots) {
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        double way = fabs(roots->before[k] - roots->sample[1][k]);
        if (!roots->beside[k] && way <= hbg_rt_root_rounding(roots, k)) return false;
    }
    return true;
}

/* Whether the field moves a guard on as the polynomial does, over the share `ahead` of the step. Where fast
 * components follow slow ones the field shows only the direction, and only if the fall exceeds rounding. */
static bool is_certain(const hbg_rt_roots *roots, int32_t k, double ahead, bool fast) {
    double fall = roots->before[k] - roots->sample[1][k], own = roots->before[k] - roots->sample[2][k];
    double way = fmax(roots->excursion[k], fabs(own) / ahead);
    if (fast)
        return own >= share * fall || fall <= hbg_rt_root_rounding(roots, k) ||
               fall - own > roots->sample[3][k];
    return fabs(fall - own) <= fabs(own) && way > hbg_rt_root_rounding(roots, k);
}

/* A guard that was far from 0 a moment before has jumped, or passed a pole: errors of states have no part in
 * that. */
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

/* Whether this holds for one of the guards that cross. */
static bool any_of(const hbg_rt_roots *roots, judge holds, double ahead, bool fast) {
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (!roots->beside[roots->crossed[i]] && holds(roots, roots->crossed[i], ahead, fast)) return true;
    return false;
}

/* Puts the state at the crossing into roots->dx. The values there are in roots->before already, unless states
 * are polished. */
static hbg_rt_status take_crossing(hbg_rt_root_search *s, double t) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_status status = HBG_RT_OK;
    if (s->polish) status = hbg_rt_root_values(s, t, roots->before);
    if (s->polish) memcpy(roots->dx, roots->x, (size_t)s->field->n * sizeof *roots->x);
    if (!s->polish) s->stepper->dense(s->stepper, t, roots->dx);
    return status;
}

/* Decides by values and errors. Values a little later than the crossing, and the errors, go into the inner
 * samples. */
static hbg_rt_status compare(hbg_rt_root_search *s, double t, bool *crosses) {
    hbg_rt_roots *roots = s->roots;
    double h = s->stepper->t1 - s->stepper->t0, ahead = HBG_RT_FOLLOWED;
    hbg_rt_status status = look_ahead(s, t, ahead * h);
    while (status == HBG_RT_OK && ahead < most && !is_clear(roots))
        status = look_ahead(s, t, (ahead *= 10) * h);
    *crosses = status == HBG_RT_OK && !s->polish && any_of(roots, is_certain, ahead, false);
    if (status != HBG_RT_OK || *crosses) return status; // errors say nothing of what is certain
    status = find_errors(s, t, roots->dx, roots->before, roots->sample[3]);
    if (status != HBG_RT_OK) return status;
    *crosses = any_of(roots, goes_far, ahead, s->polish) || any_of(roots, is_certain, ahead, s->polish);
    return *crosses || s->polish ? HBG_RT_OK : find_jumps(s, t, crosses);
}

/* ---- fast components that follow ---------------------------------------------------------------------- */

/* Whether one of the guards that cross goes so far that errors of states cannot be the cause, however much of
 * them remains. */
static bool goes_very_far(const hbg_rt_root_search *s) {
    const hbg_rt_roots *roots = s->roots;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        if (!roots->beside[k] &&
            roots->excursion[k] > 2 * bends * most_errors(s->field) * roots->sample[3][k])
            return true;
    }
    return false;
}

/* Computes the errors of guards at t that remain of errors of states after fast components have followed. */
static hbg_rt_status find_left(hbg_rt_root_search *s, double t, double *left) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_field *field = s->field;
    double errors_of = bends * most_errors(field);
    uint32_t random = 1;
    hbg_rt_status status = hbg_rt_root_values(s, t, roots->before);
    s->stepper->dense(s->stepper, t, roots->dx);
    memset(left, 0, (size_t)roots->count * sizeof *left);
    for (int turn = 0; turn < TURNS && status == HBG_RT_OK; turn++) {
        for (int32_t i = 0; i < field->n; i++) {
            random = random * 1664525u + 1013904223u;
            double error = (0.75 + (double)(random >> 8) / (1 << 25)) *
                           hbg_rt_field_tolerance(field, i, fabs(roots->dx[i]));
            roots->x[i] = roots->dx[i] + (random >> 31 ? error : -error);
        }
        s->stepper->polish(s->stepper, t, roots->x);
        status = hbg_rt_indicators(field->instance, t, roots->x, roots->now);
        for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++)
            left[k] = fmax(left[k], errors_of * fabs(roots->now[k] - roots->before[k]));
    }
    return status;
}

/* How far guards would fall in a step at their rate near t, into excursions. */
static hbg_rt_status find_falls(hbg_rt_root_search *s, double t) {
    hbg_rt_roots *roots = s->roots;
    double h = s->stepper->t1 - s->stepper->t0;
    double a = fmax(t - aside * h, s->stepper->t0), b = fmin(t + aside * h, s->stepper->t1);
    hbg_rt_status status = hbg_rt_root_values(s, a, roots->now);
    if (status == HBG_RT_OK) status = hbg_rt_root_values(s, b, roots->shaken);
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++)
        roots->excursion[k] = fmax(roots->excursion[k], (roots->now[k] - roots->shaken[k]) * h / (b - a));
    return status;
}

/* Computes slopes at the state of the step itself, along the polynomial and along the field, into the first
 * inner samples. At a state that fast components have followed to, the field agrees with the polynomial in
 * any case. */
static hbg_rt_status find_slopes(hbg_rt_root_search *s, double t) {
    hbg_rt_roots *roots = s->roots;
    double *rates = s->field->work[0];
    s->stepper->dense(s->stepper, t, roots->dx);
    s->stepper->slope(s->stepper, t, rates);
    hbg_rt_status status = hbg_rt_root_slopes(s, t, roots->dx, rates, roots->sample[1]);
    if (status == HBG_RT_OK) status = hbg_rt_field_rates(s->field, t, roots->dx, rates);
    return status == HBG_RT_OK ? hbg_rt_root_slopes(s, t, roots->dx, rates, roots->sample[2]) : status;
}

/* Whether errors of states say nothing about a guard that crosses. */
static bool is_blurred(const hbg_rt_root_search *s, int32_t k) {
    const hbg_rt_roots *roots = s->roots;
    double errors = most_errors(s->field) * roots->sample[3][k], reach = roots->reach[k];
    return errors > blurred * reach && roots->told[k] < fmin(errors, reach);
}

/* Whether a guard that crosses goes farther than the remaining errors, or the two slopes are about the
 * same. */
static bool is_more(const hbg_rt_root_search *s, int32_t k) {
    const hbg_rt_roots *roots = s->roots;
    double along = roots->sample[1][k], own = roots->sample[2][k];
    bool goes = own < 0 || roots->before[k] < -hbg_rt_root_band(roots, k);
    return roots->excursion[k] > roots->told[k] ||
           (goes && fabs(along - own) <= fmin(fabs(along), fabs(own)));
}

/* Whether a crossing exceeds the remaining errors of states. If they say nothing about it, the earlier
 * decision stands, and a spurious crossing cuts the step. */
static hbg_rt_status compare_left(hbg_rt_root_search *s, double t, bool *crosses, bool *cuts) {
    hbg_rt_roots *roots = s->roots;
    bool tells = true, more = false;
    *cuts = !*crosses;
    if (*crosses && goes_very_far(s)) return HBG_RT_OK;
    hbg_rt_status status = find_falls(s, t);
    if (status == HBG_RT_OK) status = find_left(s, t, roots->told);
    if (status == HBG_RT_OK) status = find_slopes(s, t);
    for (int32_t i = 0; i < roots->crossed_count && status == HBG_RT_OK; i++) {
        int32_t k = roots->crossed[i];
        tells = tells && (roots->beside[k] || !is_blurred(s, k));
        more = more || (!roots->beside[k] && is_more(s, k));
    }
    if (status != HBG_RT_OK || !tells) return status;
    *crosses = more;
    *cuts = false;
    memcpy(roots->sample[3], roots->told, (size_t)roots->count * sizeof *roots->told);
    return *crosses ? HBG_RT_OK : find_jumps(s, t, crosses);
}

/* Errors depend on the length of steps: in longer ones fast components follow better, and thresholds are
 * widened less. */
hbg_rt_status hbg_rt_roots_narrow(hbg_rt_root_search *s) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_status before = s->field->status;
    bool any = false;
    for (int32_t k = roots->guard_first; k < roots->count && !any; k++) any = roots->wide[k] > 0;
    if (!any) return HBG_RT_OK;
    double t = s->stepper->t0 + (s->stepper->t1 - s->stepper->t0) / 2;
    hbg_rt_status status = find_left(s, t, roots->told);
    s->field->status = before;
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++)
        if (roots->wide[k] > 0)
            roots->wide[k] = fmin(roots->wide[k], roots->told[k] + hbg_rt_root_band(roots, k));
    return status == HBG_RT_NO_MEMORY ? status : HBG_RT_OK;
}

/* ---- what becomes of it ------------------------------------------------------------------------------- */

/* The search goes on from where values are in roots->before. */
static void go_on(hbg_rt_roots *roots) {
    memcpy(roots->sample[HBG_RT_SAMPLES - 1], roots->before, (size_t)roots->count * sizeof *roots->before);
    roots->crossed_count = 0;
}

/* By rounding, then by the errors of states, which may cut the step. */
static hbg_rt_status doubt(hbg_rt_root_search *s, double t, bool *crosses, bool *exceeds, bool *cuts) {
    hbg_rt_status status = take_crossing(s, t);
    if (status == HBG_RT_OK) status = hbg_rt_roots_exceed_rounding(s, t, exceeds);
    *crosses = *exceeds;
    if (status == HBG_RT_OK && *exceeds) status = compare(s, t, crosses);
    if (status == HBG_RT_OK && *exceeds && s->polish) status = compare_left(s, t, crosses, cuts);
    return status;
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
    bool cuts = false, exceeds = true;
    hbg_rt_status status = doubt(&s, t, crosses, &exceeds, &cuts);
    cuts = cuts && !*crosses;
    roots->pace.cut = cuts;
    field->status = before; // a failure there has no meaning
    if (status == HBG_RT_NO_MEMORY) return status;
    if (status != HBG_RT_OK) *crosses = true;
    if (!*crosses && !exceeds) go_on(roots);
    if (*crosses || !exceeds) return HBG_RT_OK;
    double h = stepper->t1 - stepper->t0, wait = fmin(ldexp(HBG_RT_SHORTLY, roots->pace.doubted), 1) * h;
    bool stays = t - stepper->t0 < HBG_RT_SHORTLY * h;
    roots->pace.doubted += cuts && stays;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        roots->armed[k] = roots->begun[k] = false;
        if (cuts && stays) roots->not_before[k] = t + wait;
        if (!cuts) roots->wide[k] = roots->beside[k] ? 0 : roots->sample[3][k] + hbg_rt_root_band(roots, k);
    }
    go_on(roots);
    return HBG_RT_OK;
}
