/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * When a guard touches 0. Near its lowest place a smooth guard is flat, so that the values there tell the time to half the digits
 * only; values at some distance to both sides tell it to nearly all of them. */
#include <math.h>

#include "rt/roots_impl.h"

static hbg_rt_status margin_at(hbg_rt_root_search *s, int32_t k, double t, double *f) {
    hbg_rt_status status = hbg_rt_root_values(s, t, s->roots->now);
    *f = hbg_rt_root_margin(s->roots, k, s->roots->now[k]);
    return status;
}

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

hbg_rt_status hbg_rt_touch_time(hbg_rt_root_search *s, int32_t k, double *t) {
    const hbg_rt_integrator *stepper = s->stepper;
    double f[5], apart = HBG_RT_TOUCH * (stepper->t1 - stepper->t0);
    double middle = fmin(fmax(*t, stepper->t0 + 2 * apart), stepper->t1 - 2 * apart);
    double band = hbg_rt_root_band(s->roots, k), before, after;
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
