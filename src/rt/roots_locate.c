/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Locates one crossing between a time before it and a time after it: by the Illinois rule safeguarded by
 * bisection, after some Newton steps on the quartic through the samples. */
#include <string.h>

#include "rt/roots_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1, STRAIGHT = 5 };

/* A time strictly between, by the secant through the margins, or the middle if the secant is useless. */
static double next_guess(double a, double fa, double b, double fb, bool halve) {
    double t = halve || fa == 0 ? a + (b - a) / 2 : b - fb * (b - a) / (fb - fa);
    if (!(t > a && t < b)) t = a + (b - a) / 2;
    return t;
}

/* A forecast of the root by the samples: first the root of their quartic, then its slope. Newton steps with
 * such a slope need half as many evaluations as secants, and each evaluation computes all roots. */
typedef struct {
    hbg_rt_quartic margin;
    double t, f; /* evaluated last */
} forecast;

enum { FORECASTS = 6 }; /* evaluations by the forecast; then by secants */

static bool make_forecast(const hbg_rt_root_search *s, int32_t k, forecast *of) {
    double f[HBG_RT_SAMPLES];
    if (!s->whole || s->roots->side[k] == 0) return false;
    for (int i = 0; i <= LAST; i++) f[i] = hbg_rt_root_margin(s->roots, k, s->roots->sample[i][k]);
    of->margin = hbg_rt_quartic_through(f);
    return true;
}

/* NAN if the forecast lies outside. */
static double forecast_time(const hbg_rt_root_search *s, const forecast *of, int look, double a, double b) {
    double scale = (s->b - s->a) / LAST;
    if (look == 0)
        return s->a + scale * hbg_rt_quartic_root(&of->margin, (a - s->a) / scale, (b - s->a) / scale);
    double t = of->t - scale * of->f / hbg_rt_quartic_slope(&of->margin, (of->t - s->a) / scale);
    return t >= a && t <= b ? t : NAN;
}

hbg_rt_status hbg_rt_root_locate(hbg_rt_root_search *s, int32_t k, double a, double fa, double *b,
                                 double fb) {
    hbg_rt_roots *roots = s->roots;
    double least = fmax(HBG_RT_LOCATED * fabs(*b), DBL_EPSILON * (s->stepper->t1 - s->stepper->t0));
    double width = *b - a;
    int same = 0; /* times in a row that the same end moved, by sign */
    forecast ahead = {0};
    int forecasts = make_forecast(s, k, &ahead) ? FORECASTS : 0;
    for (int i = 0; i < 200 && *b - a > least; i++) {
        bool halve = i % 3 == 2 && *b - a > width / 2;
        if (i % 3 == 2) width = *b - a;
        double t = i < forecasts ? forecast_time(s, &ahead, i, a, *b) : NAN;
        if (isnan(t)) t = next_guess(a, fa, *b, fb, halve && i >= forecasts);
        t = fmin(fmax(t, a + least / 2), *b - least / 2);
        hbg_rt_status status = hbg_rt_root_values(s, t, roots->now);
        if (status != HBG_RT_OK) return status;
        double f = hbg_rt_root_margin(roots, k, roots->now[k]);
        ahead.t = t, ahead.f = f;
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

/* An unarmed root was located where it leaves its band. If it has been on its side before, by more than
 * rounding, it did not return at once, and the crossing is at 0 itself. It was on its side at the beginning,
 * if at all: halving finds that. */
hbg_rt_status hbg_rt_root_sharpen(hbg_rt_root_search *s, int32_t k, double a, double *b) {
    hbg_rt_roots *roots = s->roots;
    double rounding = HBG_RT_SURE_ROUNDING * roots->size[k], width = *b - a, last = 0;
    int halved = 0; /* times in a row that half the distance gave half the value: rounding does not do that */
    if (roots->armed[k] || roots->begun[k] || roots->side[k] == 0) return HBG_RT_OK;
    for (int i = 0; i < 30; i++) {
        width /= 2;
        hbg_rt_status status = hbg_rt_root_values(s, a + width, roots->now);
        double inside = roots->side[k] * roots->now[k];
        if (status != HBG_RT_OK) return status;
        halved = inside > 0.45 * last && inside < 0.55 * last ? halved + 1 : 0;
        last = inside;
        if (!(inside > rounding || halved >= STRAIGHT)) continue;
        roots->begun[k] = true;
        return hbg_rt_root_locate(s, k, a + width, inside, b, hbg_rt_root_margin(roots, k, roots->before[k]));
    }
    return HBG_RT_OK;
}
