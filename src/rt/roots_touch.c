/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The time at which a guard touches 0. Near its minimum a smooth guard is flat, so its values give the time
 * to half the digits only; the zero of its slope gives it to all of them. */
#include <math.h>

#include "rt/roots_impl.h"

enum { LOOKS = 20 };

/* The slope of a guard at a time of the step. Where fast components are made to follow slow ones, guards do
 * not move along the polynomial: values a little to both sides give their slope. */
static hbg_rt_status slope_at(hbg_rt_root_search *s, int32_t k, double t, double *slope) {
    hbg_rt_roots *roots = s->roots;
    double *rates = s->field->work[0];
    double moment = HBG_RT_BESIDE * (s->stepper->t1 - s->stepper->t0), before;
    if (!s->polish) {
        hbg_rt_status status = hbg_rt_root_values(s, t, roots->now);
        s->stepper->slope(s->stepper, t, rates);
        if (status == HBG_RT_OK) status = hbg_rt_root_slopes(s, t, roots->x, rates, roots->told);
        *slope = roots->told[k];
        return status;
    }
    hbg_rt_status status = hbg_rt_root_values(s, t - moment, roots->now);
    before = roots->now[k];
    if (status == HBG_RT_OK) status = hbg_rt_root_values(s, t + moment, roots->now);
    *slope = (roots->now[k] - before) / (2 * moment);
    return status;
}

/* Locates the zero of a slope that is negative at a and positive at b: by secants that keep both ends
 * moving. */
static hbg_rt_status find_turn(hbg_rt_root_search *s, int32_t k, double a, double fa, double b, double fb,
                               double *t) {
    hbg_rt_status status = HBG_RT_OK;
    double least = HBG_RT_LOCATED * fabs(b);
    for (int i = 0, same = 0; i < LOOKS && status == HBG_RT_OK && b - a > least; i++) {
        double at = i % 4 == 3 ? a + (b - a) / 2 : b - fb * (b - a) / (fb - fa), f;
        *t = fmin(fmax(at, a + least / 2), b - least / 2);
        status = slope_at(s, k, *t, &f);
        if (status != HBG_RT_OK || !(f != 0)) break;
        if (f > 0) {
            b = *t, fb = f, same = same > 0 ? 2 : 1;
            if (same == 2) fa /= 2;
        } else {
            a = *t, fa = f, same = same < 0 ? -2 : -1;
            if (same == -2) fb /= 2;
        }
    }
    return status;
}

hbg_rt_status hbg_rt_touch_time(hbg_rt_root_search *s, int32_t k, double *t) {
    const hbg_rt_integrator *stepper = s->stepper;
    hbg_rt_roots *roots = s->roots;
    double apart = HBG_RT_TOUCH * (stepper->t1 - stepper->t0), at = *t, fa, fb;
    double a = fmax(*t - apart, fmax(stepper->t0, s->a)), b = fmin(*t + apart, stepper->t1);
    hbg_rt_status known = s->field->status, status = hbg_rt_root_values(s, *t, roots->now);
    double before = hbg_rt_root_margin(roots, k, roots->now[k]);
    if (status != HBG_RT_OK) return status;
    status = slope_at(s, k, a, &fa);
    if (status == HBG_RT_OK) status = slope_at(s, k, b, &fb);
    bool turns = status == HBG_RT_OK && fa < 0 && fb > 0;
    if (turns) status = find_turn(s, k, a, fa, b, fb, &at);
    if (turns && status == HBG_RT_OK) status = hbg_rt_root_values(s, at, roots->now);
    double after = hbg_rt_root_margin(roots, k, roots->now[k]);
    if (turns && status == HBG_RT_OK && after <= fmax(before, hbg_rt_root_band(roots, k))) *t = at;
    s->field->status = known; // if values there cannot be computed, the time stays
    return HBG_RT_OK;
}
