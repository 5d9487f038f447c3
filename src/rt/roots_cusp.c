/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards that touch 0 at a cusp, like √|x − 2|. Their slope there is unbounded: one rounding of the time away
 * from the tip they are at 1e-8, far outside the band, and no evaluation ever meets 0. But on either side of
 * its tip such a guard varies like a power of the distance, and three evaluations at distances that grow by
 * one factor give its limit (Aitken's rule); a fourth shows how accurate that is. */
#include "rt/roots_impl.h"

enum { LOOKS = 5 };

static const double factor = 4;     /* from one distance to the next */
static const double straight = 0.9; /* of it: differences that grow by more belong to a kink or a parabola */

/* The limit of a power of the distance, by values f[0], f[1], f[2]; NaN if they do not follow a power. */
static double tip_of(const double *f, double least, double most) {
    double ratio = (f[2] - f[1]) / (f[1] - f[0]);
    return ratio > least && ratio < most ? f[0] - (f[1] - f[0]) / (ratio - 1) : NAN;
}

/* The limit of values on one side, and its uncertainty. The power is followed by a higher one, which the rule
 * removes when it is applied again to its own results. */
static double tip_of_side(const double *f, double *doubt) {
    double tip[3];
    for (int i = 0; i < 3; i++) tip[i] = tip_of(f + i, 1.01, straight * factor);
    double better = tip_of(tip, 1.5, factor * factor * factor);
    *doubt = isnan(better) ? fabs(tip[2] - tip[0]) : 0.03 * fabs(better - tip[0]);
    return f[1] > f[0] ? (isnan(better) ? tip[0] : better) : NAN;
}

/* Whether the limit on one side is 0, up to its uncertainty. */
static hbg_rt_status leads_to_zero(hbg_rt_root_search *s, int32_t k, double t, double first, bool *does) {
    double f[LOOKS], away = first, doubt;
    *does = false;
    for (int i = 0; i < LOOKS; i++, away *= factor) {
        hbg_rt_status status = hbg_rt_root_values(s, t + away, s->roots->now);
        if (status != HBG_RT_OK) return status;
        f[i] = hbg_rt_root_margin(s->roots, k, s->roots->now[k]);
    }
    double tip = tip_of_side(f, &doubt);
    doubt += f[0] * HBG_RT_SAME_INSTANT * fabs(t) / fabs(first); // by the time of the tip
    *does = doubt < HBG_RT_CUSP_KNOWN * f[0] && fabs(tip) <= hbg_rt_root_band(s->roots, k) + doubt;
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_roots_cusp(hbg_rt_root_search *s, int32_t k, double t, bool *touches) {
    const hbg_rt_integrator *stepper = s->stepper;
    double first = HBG_RT_CUSP * fmax(fabs(t), stepper->t1 - stepper->t0), reach = first * 256;
    bool before = t - reach >= stepper->t0; // the step covers it
    hbg_rt_status status = HBG_RT_OK;
    *touches = true;
    if (before) status = leads_to_zero(s, k, t, -first, touches);
    if (*touches && status == HBG_RT_OK) status = leads_to_zero(s, k, t, first, touches);
    return status;
}
