/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that touch 0: when, and whether they do. Near its lowest place a smooth guard is flat, so that the values there tell the time
 * to half the digits only; values at some distance to both sides tell it to nearly all of them. A guard over states that are
 * themselves exact to the tolerance only may turn a little before 0, or behind it: how near it has to come follows from how it
 * depends on each state, to first order. A function of time, or of a state that is as good as time, does not depend on their
 * errors at its lowest place, and there nothing is conceded. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/roots_impl.h"

enum { PARTS = 64 }; /* of the states, varied together: so many evaluations at most */

static hbg_rt_status margin_at(hbg_sim_search *s, int32_t k, double t, double *f) {
    hbg_rt_status status = hbg_sim_root_values(s, t, s->roots->now);
    *f = hbg_sim_root_margin(s->roots, k, s->roots->now[k]);
    return status;
}

/* ---- when --------------------------------------------------------------------------------------------- */

/* The quartic through five values at distance 1: where, from its middle on, its derivative is 0. Newton's way from a place near. */
static double lowest_of_quartic(const double *f, double at) {
    double first = (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / 12;
    double second = (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / 12;
    double third = (-f[0] + 2 * f[1] - 2 * f[3] + f[4]) / 2;
    double fourth = f[0] - 4 * f[1] + 6 * f[2] - 4 * f[3] + f[4];
    for (int i = 0; i < 4; i++) {
        double slope = first + at * (second + at * (third / 2 + at * fourth / 6));
        double bend = second + at * (third + at * fourth / 2);
        if (!(bend > 0)) return NAN;
        at -= slope / bend;
    }
    return at;
}

/* A parabola bends alike near and far, and on both sides; a kink does not, nor what is flatter. */
static bool is_parabola(const double *f) {
    double near = f[1] - 2 * f[2] + f[3], far = (f[0] - 2 * f[2] + f[4]) / 4;
    double odd = (-f[0] + 2 * f[1] - 2 * f[3] + f[4]) / 2;
    return near > 0 && fabs(far - near) < 0.1 * near && fabs(odd) < 0.2 * near;
}

hbg_rt_status hbg_sim_touch_time(hbg_sim_search *s, int32_t k, double *t) {
    const hbg_sim_stepper *stepper = s->stepper;
    double f[5], apart = 1e-2 * (stepper->t1 - stepper->t0);
    double middle = fmin(fmax(*t, stepper->t0 + 2 * apart), stepper->t1 - 2 * apart);
    double band = hbg_sim_root_band(s->roots, k), before, after;
    hbg_rt_status known = s->field->status, status = margin_at(s, k, *t, &before);
    if (status != HBG_RT_OK) return status;
    for (int i = 0; i < 5 && status == HBG_RT_OK; i++)
        status = margin_at(s, k, middle + (i - 2) * apart, &f[i]);
    double at = middle + apart * (status == HBG_RT_OK ? lowest_of_quartic(f, (*t - middle) / apart) : NAN);
    bool near = status == HBG_RT_OK && is_parabola(f) && fabs(at - *t) < 4 * apart && at >= s->a;
    if (near) status = margin_at(s, k, at, &after);
    if (near && status == HBG_RT_OK && after <= fmax(before, band)) *t = at;
    s->field->status = known; // where there is nothing to see the time stands
    return HBG_RT_OK;
}

/* ---- whether ------------------------------------------------------------------------------------------ */

/* Errors of the states, as a share of their size. A step errs by less than the tolerance, and errors of steps add up; those of a
 * one-step method are much smaller. What has gone on for longer is nobody's guess. */
static double error_share(const hbg_sim_search *s) {
    double steps = (double)s->roots->steps;
    double errors = s->stepper->solver == HBG_SIM_ERK ? fmin(1 + steps / 10, 10) : fmin(steps, 100);
    return errors * s->field->rtol;
}

double hbg_sim_root_reach(const hbg_sim_search *s, int32_t k) {
    return 2 * error_share(s) * s->roots->size[k];
}

/* How much the root changes with a part of the states, each changed by a share of its size. */
static bool vary_part(hbg_sim_search *s, int32_t k, double t, int32_t part, double *change) {
    const double share = 1e-6;
    hbg_sim_roots *roots = s->roots;
    hbg_sim_field *field = s->field;
    double g[2];
    for (int side = 0; side < 2; side++) {
        memcpy(roots->x, roots->dx, (size_t)field->n * sizeof *roots->x);
        for (int32_t i = part; i < field->n; i += PARTS)
            roots->x[i] += (side ? share : -share) * field->size[i];
        if (field->system->roots_at(field->instance, t, roots->x, roots->now) != HBG_RT_OK) return false;
        g[side] = roots->now[k];
    }
    *change = fabs(g[1] - g[0]) / (2 * share);
    return true;
}

/* Whether the guard goes farther from 0 in the step than it is where it is lowest. What comes to it for good does not, and then errors of
 * the states would only make it seem to turn. */
static hbg_rt_status goes_away(hbg_sim_search *s, int32_t k, double margin, bool *does) {
    double first, last;
    hbg_rt_status status = margin_at(s, k, s->stepper->t0, &first);
    if (status == HBG_RT_OK) status = margin_at(s, k, s->stepper->t1, &last);
    *does = status == HBG_RT_OK && fmax(first, last) > 2 * margin;
    return status;
}

hbg_rt_status hbg_sim_root_in_reach(hbg_sim_search *s, int32_t k, double t, double margin, bool *is) {
    hbg_sim_roots *roots = s->roots;
    double sum = 0, change, share = error_share(s);
    *is = false;
    if (!roots->away[k] || !(margin <= hbg_sim_root_reach(s, k))) return HBG_RT_OK;
    bool turns;
    hbg_rt_status status = goes_away(s, k, margin, &turns);
    if (status == HBG_RT_OK) status = hbg_sim_root_values(s, t, roots->now);
    if (status != HBG_RT_OK || !turns) return status;
    memcpy(roots->dx, roots->x, (size_t)s->field->n * sizeof *roots->x);
    for (int32_t part = 0; part < PARTS && part < s->field->n && share * sum < margin; part++) {
        if (!vary_part(s, k, t, part, &change)) return HBG_RT_OK; // beside the states there is nothing
        sum += change;
    }
    *is = share * sum >= margin;
    return HBG_RT_OK;
}

/* A guard that is much lower a little earlier or later, before a kink say, is not at its lowest place. */
hbg_rt_status hbg_sim_root_is_lowest(hbg_sim_search *s, int32_t k, double t, double margin, bool *is) {
    double first = s->stepper->t0, last = s->stepper->t1, there;
    hbg_rt_status status = HBG_RT_OK;
    *is = true;
    for (double little = 0.03 * (last - first); little > 1e-7 * (last - first) && *is; little /= 8)
        for (int side = -1; side <= 1 && status == HBG_RT_OK; side += 2) {
            status = margin_at(s, k, fmin(fmax(t + side * little, first), last), &there);
            *is = *is && status == HBG_RT_OK && there > 0.9 * margin;
        }
    return status;
}

hbg_rt_status hbg_sim_list_in_reach(hbg_sim_search *s, double t) {
    hbg_sim_roots *roots = s->roots;
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t k = roots->guard_first; k < roots->count && status == HBG_RT_OK; k++) {
        double margin = hbg_sim_root_margin(roots, k, roots->before[k]);
        bool in_reach = false, lowest = false;
        if (!roots->armed[k] || !(margin > hbg_sim_root_band(roots, k)) || hbg_sim_is_crossed(roots, k))
            continue;
        status = hbg_sim_root_in_reach(s, k, t, margin, &in_reach);
        if (status == HBG_RT_OK && in_reach) status = hbg_sim_root_is_lowest(s, k, t, margin, &lowest);
        if (!lowest) continue;
        roots->beside[k] = true;
        roots->crossed[roots->crossed_count++] = k;
    }
    return status;
}
