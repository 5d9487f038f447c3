/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Roots that go through 0 and back between two samples of an interval, or touch it. The quartic through the five samples of a root
 * tells where it has its minima; where one of them comes near 0 the true minimum is looked for on the integrator's
 * polynomial, by parabolas with golden section as their safeguard. A guard whose minimum is within the band of 0 touches
 * it. Nothing here is certain for a root that varies faster than a quartic over the interval does: see roots_pace.c. */
#include <math.h>

#include "sim/roots_impl.h"

enum { LAST = HBG_SIM_SAMPLES - 1, FINE = 16 };

typedef struct {
    double f[HBG_SIM_SAMPLES];          /* margins */
    double difference[HBG_SIM_SAMPLES]; /* Newton's, divided */
    double fine[FINE + 1];              /* the quartic at sixteenths of the interval */
    double range;
} shape;

static double quartic(const shape *of, double at) {
    double sum = of->difference[LAST];
    for (int i = LAST - 1; i >= 0; i--) sum = of->difference[i] + sum * (at - hbg_sim_root_nodes[i]);
    return sum;
}

/* False if the root stays so far from 0 that nothing is to be expected of it. */
static bool find_shape(const hbg_sim_roots *roots, int32_t k, shape *of) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i <= LAST; i++) {
        double f = hbg_sim_root_margin(roots, k, roots->sample[i][k]);
        of->f[i] = of->difference[i] = f;
        least = fmin(least, f);
        most = fmax(most, f);
    }
    of->range = most - least;
    if (!(least < of->range)) return false;
    for (int order = 1; order <= LAST; order++)
        for (int i = LAST; i >= order; i--)
            of->difference[i] = (of->difference[i] - of->difference[i - 1]) /
                                (hbg_sim_root_nodes[i] - hbg_sim_root_nodes[i - order]);
    for (int i = 0; i <= FINE; i++) of->fine[i] = quartic(of, (double)i * LAST / FINE);
    return true;
}

/* Whether there is a minimum near 0 about a sixteenth; at the ends of the interval only if the way into it goes down. */
static bool is_suspect(const shape *of, int i) {
    const double near = 1e-4 * LAST;
    if (!(of->fine[i] < 0.1 * of->range)) return false;
    if (i == 0) return quartic(of, near) < of->f[0] && of->fine[0] <= of->fine[1];
    if (i == FINE) return quartic(of, LAST - near) < of->f[LAST] && of->fine[FINE] <= of->fine[FINE - 1];
    return of->fine[i] <= of->fine[i - 1] && of->fine[i] < of->fine[i + 1];
}

/* ---- one minimum -------------------------------------------------------------------------------------- */

typedef struct {
    hbg_sim_search *s;
    int32_t root;
    double depth;          /* a margin less than minus this is a crossing */
    double times[3], f[3]; /* around a minimum, the middle one lowest as soon as it is found */
} bracket;

static hbg_rt_status look(bracket *b, double t, double *f) {
    hbg_sim_roots *roots = b->s->roots;
    hbg_rt_status status = hbg_sim_root_values(b->s, t, roots->before);
    *f = hbg_sim_root_margin(roots, b->root, roots->before[b->root]);
    return status;
}

/* The time to look at next: the vertex of the parabola, now and then the golden section of the longer side. */
static double next_time(const bracket *b, bool golden, double least) {
    const double *times = b->times, *f = b->f;
    double left = times[1] - times[0], right = times[2] - times[1];
    double p = left * left * (f[1] - f[2]) - right * right * (f[1] - f[0]);
    double q = 2 * (left * (f[1] - f[2]) + right * (f[1] - f[0]));
    double t = q != 0 ? times[1] - p / q : times[1];
    bool useful = !golden && t > times[0] && t < times[2] && fabs(t - times[1]) > 1e-3 * least;
    if (useful) return t;
    return left > right ? times[1] - 0.382 * left : times[1] + 0.382 * right;
}

static void narrow(bracket *b, double t, double f) {
    bool better = f<b->f[1], after = t> b->times[1];
    int replaced = better == after ? 0 : 2;
    double out_time = better ? b->times[1] : t, out = better ? b->f[1] : f;
    b->times[replaced] = out_time;
    b->f[replaced] = out;
    if (!better) return;
    b->times[1] = t;
    b->f[1] = f;
}

/* Looks for a negative margin; true leaves the time in *t. The lowest place found is in the middle of the bracket. */
static hbg_rt_status dive(bracket *b, bool *found, double *t) {
    double least = 1e-7 * (b->times[2] - b->times[0]);
    *found = false;
    for (int i = 0; i < 3 && !*found; i++) {
        hbg_rt_status status = look(b, b->times[i], &b->f[i]);
        if (status != HBG_RT_OK) return status;
        *t = b->times[i];
        *found = b->f[i] < -b->depth;
    }
    for (int i = 0; i < 60 && !*found && b->times[2] - b->times[0] > least; i++) {
        double value;
        *t = next_time(b, i % 3 == 2, least);
        hbg_rt_status status = look(b, *t, &value);
        if (status != HBG_RT_OK) return status;
        *found = value < -b->depth;
        narrow(b, *t, value);
    }
    return HBG_RT_OK;
}

/* ---- a step ------------------------------------------------------------------------------------------- */

static bool may_touch(const hbg_sim_roots *roots, int32_t k) {
    return k >= roots->guard_first && roots->armed[k];
}

/* A root that leaves 0 with this step has to dive below its band: rounding alone takes it a little to either side. */
static double depth_of(const hbg_sim_roots *roots, int32_t k, const shape *of) {
    double band = hbg_sim_root_band(roots, k);
    return fabs(of->f[0]) <= band ? band : 0;
}

static hbg_rt_status try_minimum(hbg_sim_search *s, int32_t k, const shape *of, int place, double end,
                                 hbg_sim_dip *dip) {
    double t0 = s->a, h = s->b - t0, when;
    int low = place > 0 ? place - 1 : 0, high = place < FINE ? place + 1 : FINE;
    double a = t0 + h * low / FINE, c = high == FINE ? s->b : t0 + h * high / FINE;
    bracket b = {.s = s, .root = k, .depth = depth_of(s->roots, k, of), .times = {a, a + (c - a) / 2, c}};
    bool found;
    hbg_rt_status status = dive(&b, &found, &when);
    if (status != HBG_RT_OK) return status;
    bool inside = b.f[1] <= b.f[0] && b.f[1] <= b.f[2];
    if (found && when < end) dip->when = fmin(dip->when, when);
    if (!found && inside && may_touch(s->roots, k) && b.times[1] < end &&
        b.f[1] <= hbg_sim_root_band(s->roots, k))
        dip->touch = fmin(dip->touch, b.times[1]);
    return HBG_RT_OK;
}

/* A guard that stands at 0 at the end of the step, and is not on its way down, touches it there. */
static bool ends_at_zero(const hbg_sim_roots *roots, int32_t k, const shape *of) {
    return may_touch(roots, k) && of->f[LAST] >= 0 && of->f[LAST] <= hbg_sim_root_band(roots, k) &&
           quartic(of, LAST - 1e-4) <= of->f[LAST];
}

hbg_rt_status hbg_sim_roots_dip(hbg_sim_search *s, double end, hbg_sim_dip *dip) {
    shape of;
    for (int32_t k = 0; k < s->roots->count; k++) {
        if (!find_shape(s->roots, k, &of)) continue;
        double t0 = s->a, h = s->b - t0;
        for (int i = 0; i <= FINE && t0 + h * (i - 1) / FINE < fmin(end, dip->when); i++) {
            hbg_rt_status status = is_suspect(&of, i) ? try_minimum(s, k, &of, i, end, dip) : HBG_RT_OK;
            if (status != HBG_RT_OK) return status;
        }
        if (end == s->b && ends_at_zero(s->roots, k, &of)) dip->touch = fmin(dip->touch, end);
    }
    return HBG_RT_OK;
}
