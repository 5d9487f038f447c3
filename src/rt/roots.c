/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Located relations: when a relation first changes its value in the last step, on the integrator's own
 * polynomial.
 *
 * The branch of a root belongs to one side of 0. A root is armed once it has been clear of 0 on that side by
 * more than a band, a share of its size (roots_size.c): a crossing just found is not found again, and none is
 * lost, since an unarmed root that leaves the band on the wrong side has crossed back. A root that is 0 and
 * stays so (side 0) waits until it leaves the band on any side. One rule covers all three cases: a root
 * crosses where its margin is negative. The guard that leads back may be crossed again inside the band, if
 * two roots of a flat curve are close to each other: it counts as soon as it has been on its side by more
 * than rounding.
 *
 * Each step is sampled at five times, or in parts if five do not show how a root varies: see roots_pace.c.
 * Where a margin is negative, the crossing is located: see roots_locate.c. Between two samples a root may
 * still dip through 0 and back, or touch it: see roots_dip.c. A touch of 0 changes no branch of a law. It may
 * enable a guard whose relation holds at equality, and the event iteration decides. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "rt/roots_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1 };

hbg_rt_roots *hbg_rt_roots_new(hbg_rt_room *room, const hbg_rt_field *field) {
    int32_t count = field->system->root_count;
    hbg_rt_roots *roots = HBG_RT_TAKE(room, hbg_rt_roots, 1);
    if (roots == NULL) return NULL;
    *roots = (hbg_rt_roots){.count = count, .pace.hurried = -1};
    roots->guard_first = field->system->has_events ? field->system->guard_first : count;
    for (int i = 0; i < HBG_RT_SAMPLES; i++) roots->sample[i] = HBG_RT_TAKE(room, double, count);
    roots->now = HBG_RT_TAKE(room, double, count);
    roots->shaken = HBG_RT_TAKE(room, double, count);
    roots->before = HBG_RT_TAKE(room, double, count);
    roots->size = HBG_RT_TAKE(room, double, count);
    roots->size_before = HBG_RT_TAKE(room, double, count);
    roots->reach = HBG_RT_TAKE(room, double, count);
    roots->clear = HBG_RT_TAKE(room, double, count);
    roots->sides = HBG_RT_TAKE(room, double, count);
    roots->told = HBG_RT_TAKE(room, double, count);
    roots->then = HBG_RT_TAKE(room, double, field->n);
    roots->doubt = HBG_RT_TAKE(room, hbg_rt_doubt, count);
    roots->side = HBG_RT_TAKE(room, int8_t, count);
    roots->armed = HBG_RT_TAKE(room, bool, count);
    roots->was_armed = HBG_RT_TAKE(room, bool, count);
    roots->wide = HBG_RT_TAKE(room, double, count);
    roots->lag = HBG_RT_TAKE(room, double, count);
    roots->excursion = HBG_RT_TAKE(room, double, count);
    roots->begun = HBG_RT_TAKE(room, bool, count);
    roots->came = HBG_RT_TAKE(room, double, count);
    roots->beside = HBG_RT_TAKE(room, bool, count);
    roots->beyond = HBG_RT_TAKE(room, bool, count);
    roots->tip = HBG_RT_TAKE(room, double, count);
    roots->not_before = HBG_RT_TAKE(room, double, count);
    roots->lost = HBG_RT_TAKE(room, double, count);
    roots->returns = HBG_RT_TAKE(room, int32_t, count);
    roots->tries = HBG_RT_TAKE(room, int32_t, count);
    roots->rest = HBG_RT_TAKE(room, double, count);
    roots->crossed = HBG_RT_TAKE(room, int32_t, count);
    roots->carried = HBG_RT_TAKE(room, int32_t, count);
    roots->x = HBG_RT_TAKE(room, double, field->n);
    roots->dx = HBG_RT_TAKE(room, double, field->n);
    roots->course = hbg_rt_course_new(room, field->instance);
    if (room->is_exhausted) return NULL;
    for (int32_t k = 0; k < count; k++)
        roots->not_before[k] = -INFINITY, roots->came[k] = roots->lost[k] = NAN;
    return roots;
}

/* ---- branches ----------------------------------------------------------------------------------------- */

static void take_sides(hbg_rt_roots *roots, const double *g) {
    for (int32_t k = 0; k < roots->count; k++) {
        hbg_rt_root_take_size(roots, k, g[k]);
        roots->side[k] = (int8_t)((g[k] > 0) - (g[k] < 0));
        if (k >= roots->guard_first) roots->side[k] = 1; // the system gives guards this sign
        roots->armed[k] = fabs(g[k]) > hbg_rt_root_band(roots, k);
        roots->begun[k] = false;
        roots->clear[k] = 0;
    }
}

static bool is_undecided(const hbg_rt_roots *roots) {
    for (int32_t k = 0; k < roots->guard_first; k++)
        if (!roots->armed[k]) return true;
    return false;
}

/* A root at 0 belongs to the side to which it moves: branches are chosen from values a moment later. */
static hbg_rt_status peek(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x) {
    double moment = fmax(HBG_RT_PEEK * field->max_step, HBG_RT_MOMENT * fabs(t));
    hbg_rt_status status = hbg_rt_field_rates(field, t, x, roots->dx);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < field->n; i++) roots->x[i] = x[i] + moment * roots->dx[i];
    status = hbg_rt_freeze(field->instance, t + moment, roots->x, NULL, 0);
    if (status == HBG_RT_OK) status = hbg_rt_indicators(field->instance, t + moment, roots->x, roots->now);
    if (status != HBG_RT_OK) return status;
    for (int32_t k = 0; k < roots->guard_first; k++)
        roots->side[k] = (int8_t)((roots->now[k] > 0) - (roots->now[k] < 0));
    return HBG_RT_OK;
}

static void note_arrivals(hbg_rt_roots *roots, const double *g) {
    for (int32_t k = roots->guard_first; k < roots->count; k++)
        roots->came[k] = roots->armed[k] && fabs(g[k]) <= hbg_rt_root_band(roots, k) ? g[k] : NAN;
}

/* Whether a guard came to equality on its present side. A relation that held until equality may fail there
 * and be turned: then it has come from the other side. */
static bool has_come(const hbg_rt_roots *roots, int32_t k, double g) {
    return roots->came[k] * g >= 0 && fabs(g) <= hbg_rt_root_band(roots, k);
}

static hbg_rt_status freeze(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                            bool planned) {
    hbg_rt_status status = hbg_rt_freeze(field->instance, t, x, NULL, 0);
    if (status != HBG_RT_OK || roots->count == 0) return status;
    status = hbg_rt_indicators(field->instance, t, x, roots->sample[LAST]);
    if (status != HBG_RT_OK) return status;
    hbg_rt_roots_shake(roots, field, t, x, roots->sample[LAST]);
    if (planned) note_arrivals(roots, roots->sample[LAST]);
    take_sides(roots, roots->sample[LAST]);
    memset(roots->returns, 0, (size_t)roots->guard_first * sizeof *roots->returns);
    if (is_undecided(roots)) status = peek(roots, field, t, x);
    if (status == HBG_RT_OK) hbg_rt_roots_rest_again(roots, field);
    return status;
}

hbg_rt_status hbg_rt_roots_freeze(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x) {
    return freeze(roots, field, t, x, false);
}

hbg_rt_status hbg_rt_roots_meet(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x) {
    return freeze(roots, field, t, x, true);
}

hbg_rt_status hbg_rt_roots_cross(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x) {
    int32_t woken = 0;
    bool wakes_all = false; // the field has its branches anew where one of its relations wakes
    bool carries = false;   // guards are taken as they are behind the instant
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        carries = carries || k < roots->guard_first;
        if (hbg_rt_is_planned(field->instance, k)) continue; // its root does not change
        if (roots->side[k] == 0) roots->carried[woken++] = k;
        wakes_all = wakes_all || (roots->side[k] == 0 && !hbg_rt_is_aside(field->instance, k));
        roots->returns[k] = roots->armed[k] || roots->touched ? 0 : roots->returns[k] + 1;
        if (k < roots->guard_first) roots->side[k] = (int8_t)-roots->side[k];
        roots->armed[k] = roots->begun[k] = false;
        roots->wide[k] = 0;
    }
    if (wakes_all) return hbg_rt_roots_freeze(roots, field, t, x);
    hbg_rt_status status = carries ? hbg_rt_indicators(field->instance, t, x, roots->now) : HBG_RT_OK;
    if (status == HBG_RT_OK)
        status = hbg_rt_freeze(field->instance, t, x, roots->crossed, roots->crossed_count);
    if (status != HBG_RT_OK || !carries) return status;
    if (woken > 0) status = hbg_rt_freeze_anew(field->instance, t, x, roots->carried, woken, roots->side);
    if (status == HBG_RT_OK) status = hbg_rt_indicators(field->instance, t, x, roots->sample[LAST]);
    return status == HBG_RT_OK ? hbg_rt_roots_carry(roots, field, t, x) : status;
}

/* A guard may be beyond its branch although the instant did not find it so: a value it reads, such as a
 * divisor, counts as equal there and is not. It is checked again a little later, and each time after a longer
 * wait, until it is clear. */
static void put_off(hbg_rt_roots *roots, int32_t k, double t, double g) {
    bool beyond = g < -hbg_rt_root_slack(roots, k);
    roots->not_before[k] = beyond ? t + ldexp(HBG_RT_MOMENT * fabs(t), 2 * roots->returns[k]) : -INFINITY;
}

hbg_rt_status hbg_rt_roots_refresh(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                                   bool is_frozen) {
    double *g = roots->sample[LAST];
    bool is_known = is_frozen && !is_undecided(roots); // else laws have taken other branches since
    hbg_rt_status status = is_known ? HBG_RT_OK : hbg_rt_indicators(field->instance, t, x, g);
    hbg_rt_course_forget(roots->course);
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++) {
        roots->side[k] = 1;
        roots->lag[k] = 0;
        hbg_rt_root_take_size(roots, k, g[k]);
        if (fabs(g[k]) > roots->wide[k]) roots->wide[k] = 0;
        roots->armed[k] = g[k] > hbg_rt_root_slack(roots, k);
        put_off(roots, k, t, g[k]);
        if (roots->has_tips && isfinite(roots->tip[k])) roots->armed[k] = false; // it counts as at 0
        roots->begun[k] = has_come(roots, k, g[k]);
        roots->came[k] = NAN;
    }
    roots->has_tips = false;
    return status;
}

/* ---- the first of several ----------------------------------------------------------------------------- */

/* Lists guards that are at equality where others cross: they may turn there, and belong to the instant
 * too. */
static void list_beside(hbg_rt_roots *roots) {
    for (int32_t k = roots->guard_first; k < roots->count; k++) {
        bool equal = fabs(roots->before[k]) <= hbg_rt_root_equality(roots, k);
        roots->beside[k] = roots->armed[k] && equal && !hbg_rt_root_is_crossed(roots, k);
        if (roots->beside[k]) roots->crossed[roots->crossed_count++] = k;
    }
}

/* Marks the roots that are beyond their branch at t. */
static void list_beyond(hbg_rt_root_search *s, double t) {
    hbg_rt_roots *roots = s->roots;
    for (int32_t k = 0; k < roots->count; k++)
        roots->beyond[k] = hbg_rt_root_is_beyond(s, k, t, hbg_rt_root_margin(roots, k, roots->before[k]));
}

/* Locates the first of all crossings before *b, where some root is beyond its branch, starting at the given
 * sample. A root that is beyond only by rounding there was on its branch at an earlier sample. */
static hbg_rt_status locate_first(hbg_rt_root_search *s, int sample, double *b) {
    hbg_rt_roots *roots = s->roots;
    list_beyond(s, *b);
    for (int32_t k = 0; k < roots->count; k++) {
        double fb = hbg_rt_root_margin(roots, k, roots->before[k]), fa;
        if (!roots->beyond[k] || !(fb < 0)) continue;
        int from = sample;
        while ((fa = hbg_rt_root_margin(roots, k, roots->sample[from][k])) < 0 && from > 0) from--;
        double a = fmax(hbg_rt_root_sample_time(s, from), roots->not_before[k]);
        hbg_rt_status status = hbg_rt_root_locate(s, k, a, fmax(fa, 0), b, fb);
        // an unarmed root has been so since the beginning of the search
        if (status == HBG_RT_OK) status = hbg_rt_root_sharpen(s, k, s->from, b);
        if (status != HBG_RT_OK) return status;
    }
    roots->crossed_count = 0;
    for (int32_t k = 0; k < roots->count; k++)
        if (roots->beyond[k] && hbg_rt_root_margin(roots, k, roots->before[k]) < 0)
            roots->crossed[roots->crossed_count++] = k;
    hbg_rt_status status = hbg_rt_roots_company(s, b);
    list_beside(roots);
    return status;
}

/* ---- a step ------------------------------------------------------------------------------------------- */

static bool is_beyond(hbg_rt_root_search *s, int sample) {
    const hbg_rt_roots *roots = s->roots;
    for (int32_t k = 0; k < roots->count; k++) {
        double margin = hbg_rt_root_margin(roots, k, roots->sample[sample][k]);
        if (margin < 0 && hbg_rt_root_is_beyond(s, k, hbg_rt_root_sample_time(s, sample), margin))
            return true;
    }
    return false;
}

/* Notes how far from 0 a root has been. A constant value does not count: that of a guard of an inactive state
 * never changes. */
static inline void note_distance(hbg_rt_roots *roots, int32_t k, double g) {
    double away = fabs(g);
    if (away <= roots->clear[k] || g == roots->sample[0][k]) return;
    roots->clear[k] = away;
    if (away > roots->reach[k]) roots->reach[k] = away;
}

void hbg_rt_roots_arm(hbg_rt_roots *roots, const double *g) {
    for (int32_t k = 0; k < roots->count; k++) {
        hbg_rt_root_take_size(roots, k, g[k]);
        note_distance(roots, k, g[k]);
        double begun = fmax(HBG_RT_BEGUN * hbg_rt_root_band(roots, k), roots->wide[k]);
        roots->begun[k] |= k >= roots->guard_first && g[k] > begun;
        if (roots->armed[k] || roots->side[k] * g[k] <= hbg_rt_root_slack(roots, k)) continue;
        roots->armed[k] = true;
        roots->returns[k] = 0;
    }
}

/* Takes all samples after the first; *count is the number of samples up to one that cannot be computed. */
static hbg_rt_status take_samples(hbg_rt_root_search *s, int *count) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_status status = HBG_RT_OK;
    *count = 1;
    for (int i = 1; i <= LAST && status == HBG_RT_OK; i++) {
        if (i < LAST || s->b < s->stepper->t1)
            status = hbg_rt_root_values(s, hbg_rt_root_sample_time(s, i), roots->sample[i]);
        else
            status = hbg_rt_indicators(s->field->instance, s->b, s->stepper->x1, roots->sample[LAST]);
        *count += status == HBG_RT_OK;
    }
    return status;
}

/* Finds the first sample with a root beyond its branch; if there is none, *last is the last sample. */
static bool look_at_samples(hbg_rt_root_search *s, int count, int *last) {
    hbg_rt_roots *roots = s->roots;
    for (*last = 1; *last < count; ++*last) {
        if (is_beyond(s, *last)) return true;
        hbg_rt_roots_arm(roots, roots->sample[*last]);
    }
    *last = count - 1;
    return false;
}

/* The first crossing before a time between samples at which some root is beyond its branch. */
static hbg_rt_status locate_dip(hbg_rt_root_search *s, double *t) {
    int before = LAST - 1;
    while (before > 0 && !(hbg_rt_root_sample_time(s, before) < *t)) before--;
    hbg_rt_roots *roots = s->roots;
    hbg_rt_status status = hbg_rt_root_values(s, *t, roots->before);
    if (status != HBG_RT_OK) return status;
    for (int32_t k = 0; k < roots->count; k++)
        roots->excursion[k] = fmax(-roots->side[k] * roots->before[k], 0);
    return locate_first(s, before, t);
}

/* The first crossing before a sample at which some root is beyond its branch. */
static hbg_rt_status locate_sample(hbg_rt_root_search *s, int last, double *t) {
    hbg_rt_roots *roots = s->roots;
    *t = hbg_rt_root_sample_time(s, last);
    memcpy(roots->before, roots->sample[last], (size_t)roots->count * sizeof *roots->before);
    memset(roots->excursion, 0, (size_t)roots->count * sizeof *roots->excursion);
    return locate_first(s, last - 1, t);
}

/* Lists the guards at equality at the time of a touch. */
static void list_touching(hbg_rt_roots *roots, int32_t first) {
    roots->crossed_count = 0;
    roots->touched = true;
    memset(roots->beside, 0, (size_t)roots->count * sizeof *roots->beside);
    for (int32_t k = roots->guard_first; k < roots->count; k++) {
        bool equal = roots->armed[k] && fabs(roots->before[k]) <= hbg_rt_root_equality(roots, k);
        if (equal || k == first) roots->crossed[roots->crossed_count++] = k;
    }
}

/* Whether two times differ only by rounding. */
static bool is_one_instant(const hbg_rt_root_search *s, double a, double b) {
    double least = HBG_RT_MOMENT * fabs(a) + HBG_RT_ONE_INSTANT * (s->stepper->t1 - s->stepper->t0);
    return fabs(a - b) <= least;
}

/* A guard that touches 0 where others touch or cross it belongs to the same instant. Values do not show this
 * for a cusp. */
static void join(hbg_rt_roots *roots, int32_t k) {
    if (hbg_rt_root_is_crossed(roots, k)) return;
    roots->beside[k] = true;
    roots->crossed[roots->crossed_count++] = k;
}

static void join_cusps(const hbg_rt_root_search *s, double t) {
    hbg_rt_roots *roots = s->roots;
    for (int32_t k = roots->guard_first; k < roots->count; k++) {
        bool here = fabs(roots->tip[k] - t) <= HBG_RT_TIP * (s->b - s->a);
        if (here) join(roots, k);
        if (!here) roots->tip[k] = INFINITY;
    }
}

/* Takes a touch of 0 before which nothing else happens. */
static hbg_rt_status take_touch(hbg_rt_root_search *s, int32_t k, double t) {
    hbg_rt_status status = hbg_rt_root_values(s, t, s->roots->before);
    if (status == HBG_RT_OK) list_touching(s->roots, k);
    return status;
}

/* Notes how far guards crossed at t are beyond 0 at the samples after it. */
static void note_excursions(const hbg_rt_root_search *s, int count, double t) {
    hbg_rt_roots *roots = s->roots;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        for (int n = 1; n < count; n++)
            if (hbg_rt_root_sample_time(s, n) > t)
                roots->excursion[k] = fmax(roots->excursion[k], -roots->side[k] * roots->sample[n][k]);
    }
}

/* Notes how far from 0 guards were halfway to their crossing, which may be before the first sample: the
 * quartic is accurate enough for that. */
static void note_course(const hbg_rt_root_search *s, double t) {
    hbg_rt_roots *roots = s->roots;
    double f[HBG_RT_SAMPLES], middle = LAST * (t - s->a) / (s->b - s->a) / 2;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        if (k < roots->guard_first || roots->reach[k] > HBG_RT_FAR * roots->size[k]) continue; // far enough
        for (int n = 0; n <= LAST; n++) f[n] = roots->sample[n][k];
        hbg_rt_quartic through = hbg_rt_quartic_through(f);
        double away = s->whole ? fabs(hbg_rt_quartic_at(&through, middle)) : INFINITY;
        if (away > roots->reach[k]) roots->reach[k] = away;
    }
}

/* Finds the first crossing in an interval whose samples have been taken. */
static hbg_rt_status find(hbg_rt_root_search *s, int count, bool *found, double *t) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_dip dip = {.when = INFINITY, .touch = INFINITY};
    int last;
    hbg_rt_status status = HBG_RT_OK;
    s->whole = count == HBG_RT_SAMPLES;
    memcpy(roots->was_armed, roots->armed, (size_t)roots->count * sizeof *roots->armed);
    *found = look_at_samples(s, count, &last);
    if (count == HBG_RT_SAMPLES) status = hbg_rt_roots_dip(s, hbg_rt_root_sample_time(s, last), &dip);
    if (status != HBG_RT_OK) return status;
    if (dip.when < INFINITY) {
        *t = dip.when;
        *found = true;
        status = locate_dip(s, t);
    } else if (*found) {
        status = locate_sample(s, last, t);
    }
    if (status != HBG_RT_OK) return status;
    if (*found && is_one_instant(s, *t, dip.touch)) {
        join(roots, dip.root);
    } else if (dip.touch < (*found ? *t : INFINITY)) {
        *found = true;
        *t = dip.touch;
        status = take_touch(s, dip.root, *t);
    }
    if (*found) note_course(s, *t);
    if (*found) note_excursions(s, count, *t);
    roots->has_tips = dip.cusps && *found;
    if (roots->has_tips) join_cusps(s, *t);
    return status;
}

/* Finds the first crossing in the interval from s->a on, or in the part of it that samples describe: s->b is
 * its end then. Values that cannot be computed beyond a crossing are no failure. */
static hbg_rt_status find_in_part(hbg_rt_root_search *s, bool *found, double *t) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_status before = s->field->status, status, lacking;
    int count;
    *found = false;
    do lacking = take_samples(s, &count);
    while (lacking == HBG_RT_OK && !s->polish && !hbg_rt_roots_resolved(s));
    roots->crossed_count = 0;
    roots->touched = false;
    if (lacking == HBG_RT_OK) hbg_rt_roots_forget(s);
    status = find(s, count, found, t);
    if (status == HBG_RT_OK && s->no_memory) s->field->status = status = HBG_RT_NO_MEMORY;
    if (status != HBG_RT_OK || lacking == HBG_RT_OK) return status;
    if (*found) s->field->status = before;
    return *found ? HBG_RT_OK : lacking;
}

/* Between the ends of a step, fast components are accurate only to the tolerance, and a small resistance
 * makes a large current of the error. So an apparent crossing is located again with fast components that
 * follow the slow ones. */
static hbg_rt_status find_polished(hbg_rt_root_search *s, bool *found, double *t) {
    hbg_rt_status status = find_in_part(s, found, t);
    if (status != HBG_RT_OK || !*found || s->stepper->polish == NULL) return status;
    s->polish = true;
    memcpy(s->roots->armed, s->roots->was_armed, (size_t)s->roots->count * sizeof *s->roots->armed);
    status = find_in_part(s, found, t);
    s->polish = false;
    return status;
}

/* Notes the guards that became NaN in the interval, and when, as far as its samples show. */
static void note_lost(const hbg_rt_root_search *s) {
    hbg_rt_roots *roots = s->roots;
    for (int32_t k = roots->guard_first; k < roots->count; k++) {
        if (!isnan(roots->sample[LAST][k])) roots->lost[k] = NAN;
        if (!isnan(roots->sample[LAST][k]) || !isnan(roots->lost[k])) continue;
        int first = LAST;
        while (first > 0 && isnan(roots->sample[first - 1][k])) first--;
        roots->lost[k] = hbg_rt_root_sample_time(s, first);
    }
}

hbg_rt_status hbg_rt_roots_find(hbg_rt_roots *roots, hbg_rt_field *field, hbg_rt_integrator *stepper,
                                double from, bool *found, double *t) {
    hbg_rt_root_search s = {
        .roots = roots, .field = field, .stepper = stepper, .from = from, .end = *t, .b = from};
    *found = false;
    roots->crossed_count = roots->pace.intervals = 0;
    roots->touched = roots->has_tips = roots->pace.cut = false;
    s.polish = stepper->polish != NULL;
    hbg_rt_status narrowed = s.polish && from == stepper->t0 ? hbg_rt_roots_narrow(&s) : HBG_RT_OK;
    s.polish = false;
    if (narrowed != HBG_RT_OK) return narrowed;
    while (roots->count > 0 && s.b < s.end && !*found) {
        double *start = roots->sample[LAST]; /* the values at the end of the interval before */
        roots->sample[LAST] = roots->sample[0];
        roots->sample[0] = start;
        memcpy(roots->size_before, roots->size, (size_t)roots->count * sizeof *roots->size);
        for (int32_t k = roots->guard_first; k < roots->count; k++)
            if (roots->armed[k]) roots->wide[k] = 0; // its doubtful crossing is past
        roots->asked.here = false;
        s.a = s.b;
        s.b = hbg_rt_roots_ahead(&s);
        hbg_rt_status status = find_polished(&s, found, t);
        if (status != HBG_RT_OK) return status;
        note_lost(&s);
    }
    if (!*found) *t = s.end; // the apparent crossing was spurious
    return HBG_RT_OK;
}
