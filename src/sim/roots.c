/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Located relations: where in the last step, on the integrator's own polynomial, a relation first changes its value.
 *
 * A root stands on a side of 0, the one its branch belongs to. It is armed once it has been clear of 0 there by more than a
 * band, 1e-10 of the largest value it or what contributes to it has had (the latter is found by shaking the states a
 * little, so that the rounding of a balanced bridge is not taken for signs): what was just crossed is not found again, and nothing is lost since an
 * unarmed root that leaves the band on the wrong side has crossed back. A root that is 0 and stays so (side 0) waits until it
 * leaves the band on any side. All three are one rule: the margin of a root is negative.
 *
 * Each step is sampled at five times. Where a margin is negative the place is found by the Illinois rule with bisection as
 * its safeguard. Where none is, a root may still dip through 0 and back between two samples: if the quartic through
 * its samples comes near 0 the true minimum is looked for. A root that touches 0 and does not pass it changes
 * no branch and is no crossing. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/sim_impl.h"

enum { LAST = HBG_SIM_SAMPLES - 1, FINE = 16, CHATTER = 64 };

static const double band_share = 1e-10;

typedef struct { /* a search in one step */
    hbg_sim_roots *roots;
    hbg_sim_field *field;
    hbg_sim_stepper *stepper;
} search;

void hbg_sim_roots_init(hbg_sim_roots *roots, hbg_arena *arena, const hbg_sim_field *field) {
    int32_t count = field->system->root_count;
    *roots = (hbg_sim_roots){.count = count};
    roots->guard_first = field->system->has_events ? field->system->guard_first : count;
    for (int i = 0; i < HBG_SIM_SAMPLES; i++) roots->sample[i] = HBG_NEW_ARRAY(arena, double, count);
    roots->now = HBG_NEW_ARRAY(arena, double, count);
    roots->before = HBG_NEW_ARRAY(arena, double, count);
    roots->size = HBG_NEW_ARRAY(arena, double, count);
    roots->side = HBG_NEW_ARRAY(arena, int8_t, count);
    roots->armed = HBG_NEW_ARRAY(arena, bool, count);
    roots->returns = HBG_NEW_ARRAY(arena, int32_t, count);
    roots->crossed = HBG_NEW_ARRAY(arena, int32_t, count);
    roots->x = HBG_NEW_ARRAY(arena, double, field->n);
    roots->dx = HBG_NEW_ARRAY(arena, double, field->n);
}

static double band(const hbg_sim_roots *roots, int32_t k) {
    return band_share * roots->size[k];
}

/* Negative where the root is beyond its branch. */
static double margin(const hbg_sim_roots *roots, int32_t k, double g) {
    if (roots->side[k] == 0) return band(roots, k) - fabs(g);
    double inside = roots->side[k] * g;
    return roots->armed[k] ? inside : inside + band(roots, k);
}

static hbg_rt_status values_at(search *s, double t, double *g) {
    hbg_sim_field *field = s->field;
    s->stepper->dense(s->stepper, t, s->roots->x);
    hbg_rt_status status = field->system->roots_at(field->instance, t, s->roots->x, g);
    if (status != HBG_RT_OK) field->status = status;
    return status;
}

static double sample_time(const search *s, int i) {
    double t0 = s->stepper->t0, t1 = s->stepper->t1;
    return i == LAST ? t1 : t0 + (t1 - t0) * i / LAST;
}

/* ---- branches ----------------------------------------------------------------------------------------- */

static void take_sides(hbg_sim_roots *roots, const double *g) {
    for (int32_t k = 0; k < roots->count; k++) {
        roots->size[k] = fmax(roots->size[k], fabs(g[k]));
        roots->side[k] = (int8_t)((g[k] > 0) - (g[k] < 0));
        if (k >= roots->guard_first) roots->side[k] = 1; // the system turns them so
        roots->armed[k] = fabs(g[k]) > band(roots, k);
    }
}

static bool is_undecided(const hbg_sim_roots *roots) {
    for (int32_t k = 0; k < roots->guard_first; k++)
        if (!roots->armed[k]) return true;
    return false;
}

/* What changes of the states by their bands do to a root counts as its own band. The shares differ, so that
 * contributions do not cancel. */
static hbg_rt_status shake(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x,
                           const double *g) {
    uint32_t random = 1;
    for (int32_t i = 0; i < field->n; i++) {
        random = random * 1664525u + 1013904223u;
        double share = 0.5 + (double)(random >> 8) / (1 << 25);
        roots->x[i] = x[i] + (random >> 31 ? share : -share) * band_share * field->size[i];
    }
    hbg_rt_status status = field->system->roots_at(field->instance, t, roots->x, roots->now);
    for (int32_t k = 0; status == HBG_RT_OK && k < roots->count; k++)
        roots->size[k] = fmax(roots->size[k], fabs(roots->now[k] - g[k]) / band_share);
    return status;
}

/* A root at 0 belongs to the side it is about to be on: branches are taken a moment later. */
static hbg_rt_status peek(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x) {
    const hbg_rt_system *system = field->system;
    double moment = fmax(1e-9 * field->max_step, 64 * DBL_EPSILON * fabs(t));
    hbg_rt_status status = hbg_sim_rates(field, t, x, roots->dx);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < field->n; i++) roots->x[i] = x[i] + moment * roots->dx[i];
    status = system->freeze(field->instance, t + moment, roots->x, NULL, 0);
    if (status == HBG_RT_OK) status = system->roots_at(field->instance, t + moment, roots->x, roots->now);
    if (status != HBG_RT_OK) return status;
    for (int32_t k = 0; k < roots->guard_first; k++)
        roots->side[k] = (int8_t)((roots->now[k] > 0) - (roots->now[k] < 0));
    return HBG_RT_OK;
}

hbg_rt_status hbg_sim_roots_freeze(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x) {
    const hbg_rt_system *system = field->system;
    hbg_rt_status status = system->freeze(field->instance, t, x, NULL, 0);
    if (status != HBG_RT_OK || roots->count == 0) return status;
    status = system->roots_at(field->instance, t, x, roots->sample[LAST]);
    if (status == HBG_RT_OK) status = shake(roots, field, t, x, roots->sample[LAST]);
    if (status != HBG_RT_OK) return status;
    take_sides(roots, roots->sample[LAST]);
    memset(roots->returns, 0, (size_t)roots->count * sizeof *roots->returns);
    return is_undecided(roots) ? peek(roots, field, t, x) : HBG_RT_OK;
}

hbg_rt_status hbg_sim_roots_cross(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x) {
    const hbg_rt_system *system = field->system;
    bool woken = false;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        woken = woken || roots->side[k] == 0;
        roots->returns[k] = roots->armed[k] ? 0 : roots->returns[k] + 1;
        if (k < roots->guard_first) roots->side[k] = (int8_t)-roots->side[k];
        roots->armed[k] = false;
    }
    if (woken) return hbg_sim_roots_freeze(roots, field, t, x);
    hbg_rt_status status = system->freeze(field->instance, t, x, roots->crossed, roots->crossed_count);
    if (status == HBG_RT_OK) status = system->roots_at(field->instance, t, x, roots->sample[LAST]);
    return status;
}

hbg_rt_status hbg_sim_roots_refresh(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x) {
    double *g = roots->sample[LAST];
    hbg_rt_status status = field->system->roots_at(field->instance, t, x, g);
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++) {
        roots->side[k] = 1;
        roots->size[k] = fmax(roots->size[k], fabs(g[k]));
        roots->armed[k] = fabs(g[k]) > band(roots, k);
    }
    return status;
}

hbg_rt_status hbg_sim_roots_sample(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x) {
    hbg_rt_status status = field->system->roots_at(field->instance, t, x, roots->now);
    roots->crossed_count = 0;
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++)
        if (roots->now[k] < 0) roots->crossed[roots->crossed_count++] = k;
    return status;
}

int32_t hbg_sim_roots_chattering(const hbg_sim_roots *roots) {
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (roots->returns[roots->crossed[i]] > CHATTER) return roots->crossed[i];
    return -1;
}

/* ---- one root ----------------------------------------------------------------------------------------- */

/* A time strictly between, by the secant through the margins, or the middle where that is no use. */
static double next_guess(double a, double fa, double b, double fb, bool halve, double least) {
    double t = halve || fa == 0 ? a + (b - a) / 2 : b - fb * (b - a) / (fb - fa);
    if (!(t > a && t < b)) t = a + (b - a) / 2;
    return fmin(fmax(t, a + least / 2), b - least / 2);
}

/* Shrinks [a, b], margin not negative at a and negative at b, to the resolution of time; *b is the end, and the values
 * there are in roots->before. */
static hbg_rt_status locate(search *s, int32_t k, double a, double fa, double *b, double fb) {
    hbg_sim_roots *roots = s->roots;
    double least = fmax(32 * DBL_EPSILON * fabs(*b), DBL_EPSILON * (s->stepper->t1 - s->stepper->t0));
    double width = *b - a;
    int same = 0; /* times the same end moved, by sign */
    for (int i = 0; i < 200 && *b - a > least; i++) {
        bool halve = i % 3 == 2 && *b - a > width / 2;
        if (i % 3 == 2) width = *b - a;
        double t = next_guess(a, fa, *b, fb, halve, least);
        hbg_rt_status status = values_at(s, t, roots->now);
        if (status != HBG_RT_OK) return status;
        double f = margin(roots, k, roots->now[k]);
        if (f < 0) {
            *b = t;
            fb = f;
            memcpy(roots->before, roots->now, (size_t)roots->count * sizeof *roots->before);
            same = same > 0 ? same + 1 : 1;
            if (same > 1) fa /= 2;
        } else {
            a = t;
            fa = f;
            same = same < 0 ? same - 1 : -1;
            if (same < -1) fb /= 2;
        }
    }
    return HBG_RT_OK;
}

/* A root not yet armed was found where it leaves its band. If it has been clear on its side halfway there, that was no
 * immediate return, and the crossing is at 0 proper. */
static hbg_rt_status sharpen(search *s, int32_t k, double a, double *b) {
    hbg_sim_roots *roots = s->roots;
    double middle = a + (*b - a) / 2;
    if (roots->armed[k] || roots->side[k] == 0) return HBG_RT_OK;
    hbg_rt_status status = values_at(s, middle, roots->now);
    double inside = roots->side[k] * roots->now[k];
    if (status != HBG_RT_OK || !(inside > band(roots, k))) return status;
    roots->armed[k] = true;
    return locate(s, k, middle, inside, b, margin(roots, k, roots->before[k]));
}

/* The first of all crossings in [a, b], where values are those given and some root is beyond its branch at b. */
static hbg_rt_status locate_first(search *s, double a, const double *at_a, double *b) {
    hbg_sim_roots *roots = s->roots;
    for (int32_t k = 0; k < roots->count; k++) {
        double fb = margin(roots, k, roots->before[k]);
        if (!(fb < 0)) continue;
        double fa = fmax(margin(roots, k, at_a[k]), 0);
        hbg_rt_status status = locate(s, k, a, fa, b, fb);
        if (status == HBG_RT_OK) status = sharpen(s, k, a, b);
        if (status != HBG_RT_OK) return status;
    }
    roots->crossed_count = 0;
    for (int32_t k = 0; k < roots->count; k++)
        if (margin(roots, k, roots->before[k]) < 0) roots->crossed[roots->crossed_count++] = k;
    return HBG_RT_OK;
}

/* ---- a step ------------------------------------------------------------------------------------------- */

static bool is_beyond(const hbg_sim_roots *roots, const double *g) {
    for (int32_t k = 0; k < roots->count; k++)
        if (margin(roots, k, g[k]) < 0) return true;
    return false;
}

static void arm(hbg_sim_roots *roots, const double *g) {
    for (int32_t k = 0; k < roots->count; k++) {
        double size = fabs(g[k]);
        roots->size[k] = size > roots->size[k] ? size : roots->size[k];
        if (roots->armed[k] || roots->side[k] * g[k] <= band(roots, k)) continue;
        roots->armed[k] = true;
        roots->returns[k] = 0;
    }
}

/* Samples the step up to the first time with a root beyond its branch: *last is that sample, or the end. */
static hbg_rt_status take_samples(search *s, int *last, bool *beyond) {
    hbg_sim_roots *roots = s->roots;
    double *start = roots->sample[LAST]; /* the values at the end of the step before */
    roots->sample[LAST] = roots->sample[0];
    roots->sample[0] = start;
    *beyond = false;
    for (int i = 1; i <= LAST && !*beyond; i++) {
        hbg_rt_status status;
        if (i < LAST) {
            status = values_at(s, sample_time(s, i), roots->sample[i]);
        } else {
            status = s->field->system->roots_at(s->field->instance, s->stepper->t1, s->stepper->x1,
                                                roots->sample[LAST]);
        }
        if (status != HBG_RT_OK) return status;
        *last = i;
        *beyond = is_beyond(roots, roots->sample[i]);
        if (!*beyond) arm(roots, roots->sample[i]);
    }
    return HBG_RT_OK;
}

/* The quartic through five evenly spaced values, at `at` in 0…4, by Newton's differences. */
static double quartic(const double f[HBG_SIM_SAMPLES], double at) {
    double d[HBG_SIM_SAMPLES], sum;
    memcpy(d, f, sizeof d);
    for (int order = 1; order <= LAST; order++)
        for (int i = LAST; i >= order; i--) d[i] = (d[i] - d[i - 1]) / order;
    sum = d[LAST];
    for (int i = LAST - 1; i >= 0; i--) sum = d[i] + sum * (at - i);
    return sum;
}

/* Where, in sixteenths of the step, a root might dip to 0; -1 if its samples speak against it. */
static int suspect(const hbg_sim_roots *roots, int32_t k) {
    const double near = 1e-4 * LAST;
    double f[HBG_SIM_SAMPLES], least = INFINITY, most = -INFINITY, lowest = INFINITY;
    int place = -1;
    for (int i = 0; i <= LAST; i++) {
        f[i] = margin(roots, k, roots->sample[i][k]);
        least = fmin(least, f[i]);
        most = fmax(most, f[i]);
    }
    if (!(least < most - least)) return -1;
    for (int i = 0; i <= FINE; i++) {
        double value = quartic(f, (double)i * LAST / FINE);
        if (value >= lowest) continue;
        lowest = value;
        place = i;
    }
    if (!(lowest < 0.1 * (most - least))) return -1;
    /* at an end of the step only if the way into the step goes down */
    if (place == 0) return quartic(f, near) < f[0] ? 1 : -1;
    if (place == FINE) return quartic(f, LAST - near) < f[LAST] ? FINE - 1 : -1;
    return place;
}

/* Looks for a negative margin of root k between a and b by golden section, parabolas where they help. True leaves the time
 * in *t and all values there in roots->before. */
static hbg_rt_status dip(search *s, int32_t k, double a, double b, bool *found, double *t) {
    hbg_sim_roots *roots = s->roots;
    double times[3] = {a, a + 0.5 * (b - a), b}, f[3];
    *found = false;
    for (int i = 0; i < 3 && !*found; i++) {
        hbg_rt_status status = values_at(s, times[i], roots->before);
        if (status != HBG_RT_OK) return status;
        f[i] = margin(roots, k, roots->before[k]);
        *t = times[i];
        *found = f[i] < 0;
    }
    double least = 1e-7 * (b - a);
    for (int i = 0; i < 60 && !*found && times[2] - times[0] > least; i++) {
        double left = times[1] - times[0], right = times[2] - times[1];
        double p = left * left * (f[1] - f[2]) - right * right * (f[1] - f[0]);
        double q = 2 * (left * (f[1] - f[2]) + right * (f[1] - f[0]));
        double trial = q != 0 ? times[1] - p / q : times[1];
        bool useful =
            i % 3 != 2 && trial > times[0] && trial < times[2] && fabs(trial - times[1]) > 1e-3 * least;
        if (!useful) trial = left > right ? times[1] - 0.382 * left : times[1] + 0.382 * right;
        hbg_rt_status status = values_at(s, trial, roots->before);
        if (status != HBG_RT_OK) return status;
        double value = margin(roots, k, roots->before[k]);
        *t = trial;
        *found = value < 0;
        int better = value<f[1], after = trial> times[1];
        int replaced = better ? (after ? 0 : 2) : (after ? 2 : 0);
        if (better) {
            times[replaced] = times[1], f[replaced] = f[1];
            times[1] = trial, f[1] = value;
        } else {
            times[replaced] = trial, f[replaced] = value;
        }
    }
    return HBG_RT_OK;
}

/* The first root that dips through 0 between samples. */
static hbg_rt_status find_dip(search *s, bool *found, double *t) {
    hbg_sim_roots *roots = s->roots;
    double t0 = s->stepper->t0, h = s->stepper->t1 - t0, first = INFINITY;
    for (int32_t k = 0; k < roots->count; k++) {
        int place = suspect(roots, k);
        if (place < 0) continue;
        bool here;
        double when;
        hbg_rt_status status =
            dip(s, k, t0 + h * (place - 1) / FINE, t0 + h * (place + 1) / FINE, &here, &when);
        if (status != HBG_RT_OK) return status;
        if (here && when < first) first = when;
    }
    *found = first < INFINITY;
    if (!*found) return HBG_RT_OK;
    *t = first;
    return values_at(s, first, roots->before);
}

hbg_rt_status hbg_sim_roots_find(hbg_sim_roots *roots, hbg_sim_field *field, hbg_sim_stepper *stepper,
                                 bool *found, double *t) {
    search s = {.roots = roots, .field = field, .stepper = stepper};
    int last = 0;
    *found = false;
    roots->crossed_count = 0;
    if (roots->count == 0) return HBG_RT_OK;
    hbg_rt_status status = take_samples(&s, &last, found);
    if (status != HBG_RT_OK) return status;
    if (*found) {
        *t = sample_time(&s, last);
        memcpy(roots->before, roots->sample[last], (size_t)roots->count * sizeof *roots->before);
        status = locate_first(&s, sample_time(&s, last - 1), roots->sample[last - 1], t);
    } else {
        status = find_dip(&s, found, t);
        if (status != HBG_RT_OK || !*found) return status;
        int before = (int)floor((*t - stepper->t0) / (stepper->t1 - stepper->t0) * LAST);
        status = locate_first(&s, sample_time(&s, before), roots->sample[before], t);
    }
    return status;
}
