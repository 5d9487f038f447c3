/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that cross together with others. Equal parts of a circuit switch at one time, and only rounding
 * separates their crossings: a guard that is at equality where another one crosses, and crosses it too,
 * belongs to the same instant (semantics, section 6). After a loop, rounding may far exceed the band given by
 * the values a guard has had, as with a leak of 1e6 Ohm next to 1 mOhm; if a guard is near 0, the system
 * computes it. The time of a crossing is known no better than this rounding divided by the slope: guards that
 * cross meanwhile belong to the instant too. */
#include <string.h>

#include "rt/roots_impl.h"

/* Whether one of the guards that cross has been at equality and leaves it now. */
static bool is_departure(const hbg_rt_roots *roots) {
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (roots->crossed[i] >= roots->guard_first && !roots->armed[roots->crossed[i]]) return true;
    return false;
}

/* Guards that are near 0 where others cross, but outside the band given by their values: rounding through
 * loops may be larger. */
static bool is_near(const hbg_rt_roots *roots, int32_t k) {
    double away = fabs(roots->before[k]);
    bool slight = away > hbg_rt_root_band(roots, k) && away <= HBG_RT_SLIGHT * roots->size[k];
    return slight && roots->armed[k] && !hbg_rt_root_is_crossed(roots, k);
}

/* Computes the sizes of the values compared at t into roots->told, if some guard is near; otherwise they are
 * 0. */
static hbg_rt_status tell_sizes(hbg_rt_root_search *s, double t) {
    hbg_rt_roots *roots = s->roots;
    bool any = false;
    memset(roots->told, 0, (size_t)roots->count * sizeof *roots->told);
    for (int32_t k = roots->guard_first; k < roots->count && !any; k++) any = is_near(roots, k);
    if (!any) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_root_values(s, t, roots->now);
    return status == HBG_RT_OK ? hbg_rt_indicator_sizes(s->field->instance, t, roots->x, roots->told, NULL)
                               : status;
}

/* How fast a guard has fallen to its present value, a root of the interval being at t. */
static double fall_of(const hbg_rt_root_search *s, int32_t k, double t) {
    return (s->roots->sample[0][k] - s->roots->before[k]) / (t - s->a);
}

/* The uncertainty of the time of the crossings, by the rounding of the values compared. */
static double find_doubt(const hbg_rt_root_search *s, double t) {
    const hbg_rt_roots *roots = s->roots;
    double doubt = 0;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        double fall = fall_of(s, k, t);
        if (k >= roots->guard_first && roots->armed[k] && fall > 0)
            doubt = fmax(doubt, HBG_RT_BAND * roots->told[k] / fall);
    }
    return doubt;
}

/* Guards that come to 0 within this uncertainty belong to the instant. It moves to the time of the last of
 * them: the more accurate times decide. */
static hbg_rt_status wait_for_others(hbg_rt_root_search *s, double *t) {
    hbg_rt_roots *roots = s->roots;
    double doubt = find_doubt(s, *t), wait = 0;
    for (int32_t k = roots->guard_first; k < roots->count && doubt > 0; k++) {
        double due = is_near(roots, k) ? roots->before[k] / fall_of(s, k, *t) : 0;
        if (due > wait && due <= doubt) wait = due;
    }
    double later = *t + 2 * wait, most = HBG_RT_COMPANY * (s->stepper->t1 - s->stepper->t0);
    if (wait == 0 || 2 * wait > most || later > s->stepper->t1) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_root_values(s, later, roots->now);
    int32_t first = roots->crossed_count;
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++)
        if (is_near(roots, k) && roots->now[k] < 0) roots->crossed[roots->crossed_count++] = k;
    if (status != HBG_RT_OK || roots->crossed_count == first) return status;
    memcpy(roots->before, roots->now, (size_t)roots->count * sizeof *roots->before);
    *t = later;
    return status;
}

/* How long a guard at equality takes to be clear of it on the other side, at its present rate; 0: it does not
 * cross. A guard that has been at equality too joins those that depart. */
static double time_to_clear(const hbg_rt_root_search *s, int32_t k, double t, bool departure) {
    const hbg_rt_roots *roots = s->roots;
    double band = fmax(hbg_rt_root_band(roots, k), HBG_RT_BAND * roots->told[k]), g = roots->before[k];
    double fall = fall_of(s, k, t);
    bool comes = roots->armed[k] && !hbg_rt_root_is_crossed(roots, k),
         leaves = departure && !roots->armed[k] && !roots->begun[k];
    if (!(comes || leaves) || !(fabs(g) <= band) || !(fall > 0)) return 0;
    double wait = 4 * band / fall;
    return wait < HBG_RT_COMPANY * (s->stepper->t1 - s->stepper->t0) ? wait : 0;
}

/* Guards that are at equality where others cross, and cross it too, belong to the same instant: only rounding
 * separates them. */
hbg_rt_status hbg_rt_roots_company(hbg_rt_root_search *s, double *instant) {
    hbg_rt_roots *roots = s->roots;
    bool departure = is_departure(roots);
    hbg_rt_status status = tell_sizes(s, *instant);
    if (status == HBG_RT_OK) status = wait_for_others(s, instant);
    double t = *instant, wait = 0;
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++)
        wait = fmax(wait, time_to_clear(s, k, t, departure));
    if (status != HBG_RT_OK || wait == 0 || t + wait > s->stepper->t1) return status;
    status = hbg_rt_root_values(s, t + wait, roots->now);
    int32_t count = roots->crossed_count;
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++)
        if (time_to_clear(s, k, t, departure) > 0 && hbg_rt_root_margin(roots, k, roots->now[k]) < 0)
            roots->carried[count++ - roots->crossed_count] = k;
    memcpy(roots->crossed + roots->crossed_count, roots->carried,
           (size_t)(count - roots->crossed_count) * sizeof *roots->crossed);
    roots->crossed_count = count;
    return status;
}
