/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Relations inside laws at which a run comes to rest. A tank that empties through an orifice, −sign(h)·√|h|,
 * ends at the border of both branches, and is led back to it from either side. Changing from one branch to
 * the other again and again would never end, and is useless, since the field is the same on both. If nothing
 * else moves it, the tank is empty from then on: its sign counts as 0 while the level stays within the errors
 * of states, so that not even an explicit method takes short steps there. Vessels that feed one another come
 * to rest together or one by one.
 *
 * Other such relations are left as they are, and errors are judged by the step as for any other law. Where
 * the field jumps, as with dry friction written with sign(f), the run cannot continue: the contribution of a
 * law has to vanish on the way to its border. */
#include "rt/roots_impl.h"

enum { CHATTER = 64 };

int32_t hbg_rt_roots_chattering(const hbg_rt_roots *roots) {
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (roots->crossed[i] < roots->guard_first && roots->returns[roots->crossed[i]] > CHATTER)
            return roots->crossed[i]; // guards that chatter are handled by the event iteration
    return -1;
}

/* ---- rest --------------------------------------------------------------------------------------------- */

enum { FAR = 16 }; /* in widths: the farther of two distances; the nearer is 1 */
static const double vanishes =
    0.6; /* of its contribution there: a law with a power of 1/5 or more leaves less */

/* How far from 0 a root may be and still count as 0 for the run. */
static double width_of(const hbg_rt_roots *roots, const hbg_rt_field *field, int32_t k) {
    return fmax(HBG_RT_BAND, HBG_RT_WRONG_STEPS * HBG_RT_ATOL_SHARE * field->rtol) * roots->size[k];
}

/* Whether a root is one of those in question, g being their values: those equal to `one` in magnitude, such
 * as sign and magnitude of a flow; or, if `one` is −1, all that count as 0 for the run. */
static bool is_asked(const hbg_rt_roots *roots, const hbg_rt_field *field, const double *g, int32_t one,
                     int32_t k) {
    if (roots->rest[k] != 0) return false; // it has been decided already
    return one < 0 ? fabs(g[k]) <= width_of(roots, field, k) : fabs(g[k]) == fabs(g[one]);
}

static void hold(const hbg_rt_roots *roots, hbg_rt_field *field, const double *g, int32_t one,
                 hbg_rt_hold how) {
    for (int32_t k = 0; k < roots->guard_first; k++)
        if (is_asked(roots, field, g, one, k)) (void)hbg_rt_loosen(field->instance, k, how);
}

/* Computes the contribution of laws at their border to the rates at a state into roots->dx: rates with the
 * laws as they are, minus rates with the laws at 0. Returns its maximum in sizes of the states; NaN if it
 * cannot be computed. */
static double find_part(hbg_rt_roots *roots, hbg_rt_field *field, const double *g, int32_t one, double t,
                        const double *x) {
    double *own = field->work[0], *without = field->work[1], most = 0;
    hold(roots, field, g, one, HBG_RT_AS_IT_IS);
    if (hbg_rt_field_rates(field, t, x, own) != HBG_RT_OK) return NAN;
    hold(roots, field, g, one, HBG_RT_AT_ZERO);
    if (hbg_rt_field_rates(field, t, x, without) != HBG_RT_OK) return NAN;
    for (int32_t i = 0; i < field->n; i++) {
        roots->dx[i] = own[i] - without[i];
        most = fmax(most, fabs(roots->dx[i]) / fmax(field->size[i], field->floor));
    }
    return most;
}

/* The same at a state that the contribution leads back, so many widths away. */
static double part_away(hbg_rt_roots *roots, hbg_rt_field *field, const double *g, int32_t one, double t,
                        const double *x, double widths) {
    double part = find_part(roots, field, g, one, t, x);
    double away = widths * fmax(HBG_RT_BAND, HBG_RT_WRONG_STEPS * HBG_RT_ATOL_SHARE * field->rtol) / part;
    for (int32_t i = 0; i < field->n; i++) roots->x[i] = x[i] - away * roots->dx[i];
    return find_part(roots, field, g, one, t, roots->x);
}

/* Whether the contribution vanishes on the way to the border. */
static bool vanish(hbg_rt_roots *roots, hbg_rt_field *field, const double *g, int32_t one, double t,
                   const double *x) {
    return part_away(roots, field, g, one, t, x, 1) < vanishes * part_away(roots, field, g, one, t, x, FAR);
}

/* Whether relations that count as 0 stay there: nothing else moves them away. */
static bool stay(hbg_rt_roots *roots, hbg_rt_field *field, const double *g, int32_t one, double t,
                 const double *x) {
    const double *dx = field->work[0];
    if (hbg_rt_field_rates(field, t, x, field->work[0]) != HBG_RT_OK) return false;
    for (int32_t i = 0; i < field->n; i++) roots->x[i] = x[i] + field->max_step * dx[i];
    if (hbg_rt_indicators(field->instance, t, roots->x, roots->shaken) != HBG_RT_OK) return false;
    for (int32_t k = 0; k < roots->guard_first; k++)
        if (is_asked(roots, field, g, one, k) && fabs(roots->shaken[k]) > width_of(roots, field, k))
            return false;
    return true;
}

static void settle(hbg_rt_roots *roots, const hbg_rt_field *field, const double *g, int32_t one) {
    for (int32_t k = 0; k < roots->guard_first; k++) {
        if (!is_asked(roots, field, g, one, k)) continue;
        roots->rest[k] = width_of(roots, field, k);
        roots->side[k] = 0;
        roots->armed[k] = false;
        roots->returns[k] = roots->tries[k] = 0;
    }
}

/* A root that is crossed again and again is checked less and less often, unless it stays so small that it
 * counts as 0 for the run. */
static bool is_due(hbg_rt_roots *roots, const hbg_rt_field *field, int32_t k) {
    bool small = roots->clear[k] <= width_of(roots, field, k);
    int32_t times = ++roots->tries[k];
    roots->clear[k] = 0;
    return small || (times & (times - 1)) == 0;
}

hbg_rt_status hbg_rt_roots_rest(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                                bool *rests) {
    hbg_rt_status before = field->status;
    double *g = roots->before;
    int32_t due = -1;
    *rests = false;
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (roots->crossed[i] < roots->guard_first &&
            !hbg_rt_is_planned(field->instance, roots->crossed[i]) && is_due(roots, field, roots->crossed[i]))
            due = roots->crossed[i];
    if (due < 0 || !hbg_rt_loosens(field->instance)) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_indicators(field->instance, t, x, g);
    if (status != HBG_RT_OK) return status;
    for (int turn = 0; turn < 2 && !*rests; turn++) {
        int32_t one = turn == 0 ? -1 : due;
        *rests = vanish(roots, field, g, one, t, x) && stay(roots, field, g, one, t, x);
        if (*rests) settle(roots, field, g, one);
        if (!*rests) hold(roots, field, g, one, HBG_RT_FROZEN);
    }
    field->status = before; // a law that cannot be evaluated is not at rest
    return hbg_rt_indicators(field->instance, t, x, roots->sample[HBG_RT_SAMPLES - 1]);
}

void hbg_rt_roots_rest_again(hbg_rt_roots *roots, hbg_rt_field *field) {
    const double *g = roots->sample[HBG_RT_SAMPLES - 1];
    for (int32_t k = 0; k < roots->guard_first; k++) {
        if (roots->rest[k] == 0) continue;
        bool stays = fabs(g[k]) <= roots->rest[k] && // a relation left as it is no longer rests
                     hbg_rt_loosen(field->instance, k, HBG_RT_AT_ZERO);
        if (!stays) roots->rest[k] = 0;
        if (stays) roots->side[k] = 0, roots->armed[k] = false;
    }
}

/* ---- relations left as they are ----------------------------------------------------------------------- */

/* Whether the rates are practically the same on both sides of the relations crossed. */
static hbg_rt_status compare_sides(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                                   bool *alike) {
    double *before = field->work[0], *beyond = field->work[1];
    *alike = false;
    hbg_rt_status status = hbg_rt_field_rates(field, t, x, before);
    if (status == HBG_RT_OK)
        status = hbg_rt_freeze(field->instance, t, x, roots->crossed, roots->crossed_count);
    if (status == HBG_RT_OK) status = hbg_rt_field_rates(field, t, x, beyond);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < field->n; i++)
        if (fabs(beyond[i] - before[i]) * field->max_step > HBG_RT_SAME_RATES * field->size[i])
            return HBG_RT_OK;
    *alike = true;
    return HBG_RT_OK;
}

/* Whether the contribution of a law vanishes at its border, which is one of the relations crossed: then both
 * sides agree there. */
static hbg_rt_status find_vanishing(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                                    bool *does) {
    hbg_rt_status known = field->status;
    int32_t root = hbg_rt_roots_chattering(roots);
    hbg_rt_status status = hbg_rt_indicators(field->instance, t, x, roots->before);
    *does = status == HBG_RT_OK && root >= 0 && vanish(roots, field, roots->before, root, t, x);
    if (root >= 0) hold(roots, field, roots->before, root, HBG_RT_FROZEN);
    field->status = known;
    return status;
}

hbg_rt_status hbg_rt_roots_loosen(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                                  bool *loose) {
    bool alike;
    *loose = false;
    if (!hbg_rt_loosens(field->instance)) return HBG_RT_OK;
    hbg_rt_status status = find_vanishing(roots, field, t, x, &alike);
    if (status == HBG_RT_OK && !alike) status = compare_sides(roots, field, t, x, &alike);
    if (status != HBG_RT_OK || !alike) return status;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        if (roots->crossed[i] >= roots->guard_first) continue;
        if (!hbg_rt_loosen(field->instance, roots->crossed[i], HBG_RT_AS_IT_IS)) return HBG_RT_OK;
        roots->returns[roots->crossed[i]] = 0;
        roots->rest[roots->crossed[i]] = -1;
    }
    *loose = true;
    return HBG_RT_OK;
}
