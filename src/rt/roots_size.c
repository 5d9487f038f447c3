/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The size of a root, of which its band is a share: the largest magnitude that it or a contribution to it has
 * had. Contributions are found by perturbing the states a little, so that the rounding of a balanced bridge
 * is not taken for changes of sign.
 *
 * Two sides that are equal for all states, such as x·0.1·10 and x, do not respond to this, and their
 * difference is nothing but rounding: the system computes the size of the sides instead. That is requested if
 * a root seems to be crossed, or to vary too fast, and either states have grown since the last request, or
 * the root is small relative to its size. If all its values are within the rounding of the sides, the root is
 * not clear of 0, and their size is its own from then on.
 *
 * Near a pole, such as that of a tangent, a root may have any size, but only for a moment: with a band of
 * that size it would be blind ever after. So a size that is large relative to the values of a whole interval
 * is doubted: the states are perturbed again, by shares of the largest values they have had, and a size that
 * neither this nor the values nor the sides confirm is dropped. */
#include "rt/roots_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1 };

static const double other =
    10; /* times the values at the last doubt, or a part of them: it is doubted again */

static const double grown = 4; /* times what a state was: sizes of sides may differ much */

/* A branch that holds at one point only may have no values next to it: then it shows nothing. */
static bool shake_by(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x, double by) {
    hbg_rt_field_shake(field, x, field->size, 1, by, roots->x);
    return hbg_rt_indicators(field->instance, t, roots->x, roots->shaken) == HBG_RT_OK;
}

/* Computes the sizes found by perturbing into roots->before; a root that jumps does so to one side only, and
 * is perturbed to the other. */
static bool find_sizes(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x, const double *g) {
    const double usual = 1e3; /* contributions to a root, relative to it */
    bool jumps = false;
    if (!shake_by(roots, field, t, x, HBG_RT_BAND)) return false;
    for (int32_t k = 0; k < roots->count; k++) {
        roots->before[k] = fabs(roots->shaken[k] - g[k]) / HBG_RT_BAND;
        jumps = jumps || roots->before[k] > usual * fmax(roots->size[k], fabs(g[k]));
    }
    if (jumps && !shake_by(roots, field, t, x, -HBG_RT_BAND)) return false;
    for (int32_t k = 0; k < roots->count && jumps; k++)
        roots->before[k] = fmin(roots->before[k], fabs(roots->shaken[k] - g[k]) / HBG_RT_BAND);
    return true;
}

void hbg_rt_roots_shake(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                        const double *g) {
    if (!find_sizes(roots, field, t, x, g)) return;
    for (int32_t k = 0; k < roots->count; k++) hbg_rt_root_take_size(roots, k, roots->before[k]);
}

/* ---- what is compared --------------------------------------------------------------------------------- */

/* The largest value of a root at the samples. */
static double largest_seen(const hbg_rt_roots *roots, int32_t k) {
    double largest = 0;
    for (int i = 0; i <= LAST; i++) largest = fmax(largest, fabs(roots->sample[i][k]));
    return largest;
}

/* Whether states, or time, have grown much since sides were requested. */
static bool have_grown(const hbg_rt_root_search *s) {
    const hbg_rt_roots *roots = s->roots;
    if (s->b > grown * roots->asked.when) return true;
    for (int32_t i = 0; i < s->field->n; i++)
        if (s->field->size[i] > grown * roots->then[i]) return true;
    return false;
}

static bool wants_sides(const hbg_rt_root_search *s, int32_t k) {
    const hbg_rt_roots *roots = s->roots;
    if (roots->asked.here) return false;
    return roots->sides[k] == 0 || largest_seen(roots, k) < HBG_RT_SLIGHT * roots->size[k] || have_grown(s);
}

/* Whether a root of this magnitude may be the rounding of its sides, and has never been clear of their
 * band. */
static bool is_rounding(const hbg_rt_roots *roots, int32_t k, double largest) {
    double sides = roots->told[k];
    return largest <= HBG_RT_ROUNDING * sides && roots->clear[k] <= HBG_RT_BAND * sides;
}

/* Keeps the sizes of sides. Only guards of the current states of automata have sides that can be computed; a
 * root of a law without any counts as known. */
static void keep_sides(hbg_rt_roots *roots, const hbg_rt_field *field, bool anew) {
    for (int32_t k = 0; k < roots->count; k++) {
        if (anew) roots->sides[k] = 0;
        if (k < roots->guard_first) roots->sides[k] = DBL_MIN;
        if (roots->told[k] > 0) roots->sides[k] = roots->told[k];
    }
    for (int32_t i = 0; i < field->n; i++) roots->then[i] = field->size[i];
}

/* Computes the sizes of sides at t and x, where roots have the values g. A root that is only rounding, there
 * and at the samples, is armed once it leaves its new band. */
static void ask_sides(hbg_rt_root_search *s, double t, const double *x, const double *g) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_status status = hbg_rt_indicator_sizes(s->field->instance, t, x, roots->told, NULL);
    s->no_memory = s->no_memory || status == HBG_RT_NO_MEMORY;
    roots->asked.here = true;
    if (status != HBG_RT_OK) return;
    keep_sides(roots, s->field, have_grown(s));
    roots->asked.when = s->b;
    for (int32_t k = 0; k < roots->count; k++) {
        if (!(roots->told[k] > roots->size[k])) continue;
        if (!is_rounding(roots, k, fmax(largest_seen(roots, k), fabs(g[k])))) continue;
        hbg_rt_root_take_size(roots, k, roots->told[k]);
        roots->armed[k] = roots->was_armed[k] = roots->begun[k] = false;
    }
}

bool hbg_rt_root_asks_sides(hbg_rt_root_search *s, int32_t k, double t) {
    hbg_rt_roots *roots = s->roots;
    if (!wants_sides(s, k) || hbg_rt_root_values(s, t, roots->shaken) != HBG_RT_OK) return false;
    ask_sides(s, t, roots->x, roots->shaken);
    return true;
}

/* ---- crossings ---------------------------------------------------------------------------------------- */

/* Whether a margin exceeds rounding. A product of small factors has no more rounding than these, whatever its
 * size is elsewhere: perturbing the states shows it. */
static bool is_below_rounding(hbg_rt_root_search *s, int32_t k, double t, double margin) {
    hbg_rt_roots *roots = s->roots;
    bool comes = k >= roots->guard_first && (roots->armed[k] || roots->begun[k]);
    if (!comes || margin < -hbg_rt_root_rounding(roots, k)) return true;
    if (hbg_rt_root_values(s, t, roots->shaken) != HBG_RT_OK) return true;
    double here = roots->shaken[k];
    bool told = shake_by(roots, s->field, t, roots->x, HBG_RT_VALUE_ROUNDING);
    return !told || -margin > fabs(roots->shaken[k] - here);
}

/* Whether the band is part of the margin. */
static bool has_band(const hbg_rt_roots *roots, int32_t k) {
    return roots->side[k] == 0 || !(roots->armed[k] || roots->begun[k]);
}

bool hbg_rt_root_is_beyond(hbg_rt_root_search *s, int32_t k, double t, double margin) {
    hbg_rt_roots *roots = s->roots;
    if (!(margin < 0) || t < roots->not_before[k]) return false;
    double bare = has_band(roots, k) ? margin - hbg_rt_root_slack(roots, k) : margin;
    if (hbg_rt_root_asks_sides(s, k, t))
        margin = has_band(roots, k) ? bare + hbg_rt_root_slack(roots, k) : bare;
    return margin < 0 && is_below_rounding(s, k, t, margin);
}

/* ---- poles -------------------------------------------------------------------------------------------- */

/* The largest value in the interval after its beginning, which may be the pole. A constant value, like that
 * of a guard that is not watched now, shows nothing about its size: then it is infinite. */
static double largest_of(const hbg_rt_roots *roots, int32_t k) {
    double largest = 0;
    bool varies = false;
    for (int i = 1; i <= LAST; i++) {
        largest = fmax(largest, fabs(roots->sample[i][k]));
        varies = varies || roots->sample[i][k] != roots->sample[1][k];
    }
    return varies ? largest : INFINITY;
}

static bool is_new(const hbg_rt_roots *roots, int32_t k) {
    const hbg_rt_doubt *last = &roots->doubt[k];
    return last->value == 0 || roots->size[k] > other * last->size;
}

static bool is_doubtful(const hbg_rt_roots *roots, int32_t k) {
    const hbg_rt_doubt *last = &roots->doubt[k];
    double least = HBG_RT_DOUBTFUL * roots->size[k];
    if (!(fabs(roots->sample[LAST][k]) < least)) return false;
    double largest = largest_of(roots, k);
    return largest < least &&
           (is_new(roots, k) || largest < last->value / last->apart || largest > last->apart * last->value);
}

/* A size that is confirmed again and again is doubted less and less often. */
static void settle_doubt(hbg_rt_roots *roots, int32_t k, double size) {
    hbg_rt_doubt *last = &roots->doubt[k];
    bool borne_out = !(size < HBG_RT_DOUBTFUL * roots->size[k]);
    last->apart = borne_out && !is_new(roots, k) ? last->apart * other : other;
    last->value = borne_out ? largest_of(roots, k) : 0;
    if (!borne_out) roots->size[k] = size;
    last->size = roots->size[k];
    if (!borne_out) roots->armed[k] = roots->armed[k] || roots->sample[0][k] > hbg_rt_root_band(roots, k);
}

void hbg_rt_roots_forget(hbg_rt_root_search *s) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_integrator *stepper = s->stepper;
    int32_t first = roots->guard_first;
    while (first < roots->count && !is_doubtful(roots, first)) first++;
    if (first == roots->count) return;
    stepper->dense(stepper, s->b, roots->dx);
    const double *x = s->b < stepper->t1 ? roots->dx : stepper->x1;
    bool told = find_sizes(roots, s->field, s->b, x, roots->sample[LAST]);
    ask_sides(s, s->b, x, roots->sample[LAST]);
    for (int32_t k = first; k < roots->count; k++) {
        if (!is_doubtful(roots, k)) continue;
        double size = fmax(fmax(largest_of(roots, k), roots->before[k]), roots->sides[k]);
        settle_doubt(roots, k, told ? size : roots->size[k]);
    }
}
