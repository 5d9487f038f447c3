/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How long an interval of five samples may be. An integrator takes steps as long as the states allow; a root
 * may be a fast function of slow states, like a comparator of the sine of an angle. Differences of the
 * samples show how well they describe a root. If they do not, and the root may reach 0 meanwhile, only a part
 * of the interval is sampled. Later intervals are as long as that part, and grow as soon as they can. For
 * roots that vary no faster than the states this costs a few products each. The code of a root shows
 * variations that leave no trace in samples: see course.c. */
#include <math.h>

#include "rt/roots_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1 };
enum { MOST = 1 << 14, FEW = 64 }; /* intervals of a step; the same after a step needed too many */

static const double resolved = 0.02; /* of its range: the error up to which samples describe a root */
static const double safety = 8;      /* times the estimated error: a bound elsewhere */
static const double slower = 5;      /* intervals grow by this at most if nothing was fast */
static const double careful = 1.5; /* and by this after something was, once some intervals describe it well */
static const double well = 0.05;   /* of the error a root may have: a small one */
static const double swing = 0.1;   /* of its range: a smaller change is not a turn */
enum { SOME = 4 };

/* The largest error of all roots as a multiple of the error allowed, and that of the roots for which it
 * matters. */
typedef struct {
    double all, near;
    int32_t root;    /* the root with that error */
    int32_t unknown; /* a guard that swings by less than its band; -1: none */
} excess;

/* How often a root turns between samples; a jump does not turn. */
static int turns_of(const hbg_rt_roots *roots, int32_t k) {
    double low = INFINITY, high = -INFINITY, way = 0;
    int turns = 0;
    for (int i = 0; i <= LAST; i++) {
        low = fmin(low, roots->sample[i][k]);
        high = fmax(high, roots->sample[i][k]);
    }
    for (int i = 1; i <= LAST; i++) {
        double next = roots->sample[i][k] - roots->sample[i - 1][k];
        if (!(fabs(next) > swing * (high - low))) continue;
        turns += next * way < 0;
        way = next;
    }
    return turns;
}

static void add_excess(const hbg_rt_root_search *s, int32_t k, excess *most) {
    const hbg_rt_roots *roots = s->roots;
    double f[HBG_RT_SAMPLES], low = INFINITY, high = -INFINITY;
    for (int i = 0; i <= LAST; i++) {
        f[i] = roots->sample[i][k];
        low = f[i] < low ? f[i] : low;
        high = f[i] > high ? f[i] : high;
    }
    if (low == high) return;
    double error = hbg_rt_root_error(f);
    if (!(error > HBG_RT_NOISE * s->field->rtol * roots->size[k])) {
        if (k >= roots->guard_first && high - low < hbg_rt_root_band(roots, k) && turns_of(roots, k) > 1)
            most->unknown = k;
        return;
    }
    double own = error / (resolved * (high - low));
    most->all = fmax(most->all, own);
    bool may_be_zero = fmax(low, -high) < safety * error;
    if (!may_be_zero || !(own > most->near)) return;
    most->near = own;
    most->root = k;
}

static excess find_excess(const hbg_rt_root_search *s) {
    excess most = {.root = -1, .unknown = -1};
    for (int32_t k = 0; k < s->roots->count; k++) add_excess(s, k, &most);
    return most;
}

/* Whether the value of such a guard is undetermined: it varies by as much as the values compared, which
 * states as accurate as numbers can be leave open. A guard at equality up to rounding varies by far less. */
static bool is_unknown(hbg_rt_root_search *s, int32_t k) {
    const hbg_rt_roots *roots = s->roots;
    double way = 0;
    (void)hbg_rt_root_asks_sides(s, k, s->b);
    for (int i = 1; i <= LAST; i++) way = fmax(way, fabs(roots->sample[i][k] - roots->sample[i - 1][k]));
    return roots->sides[k] > 0 && way > swing * roots->sides[k];
}

/* A guard that is known to be too fast is not followed any more. */
static bool may_divide(const hbg_rt_roots *roots) {
    return roots->pace.intervals < (roots->pace.hurried < 0 ? MOST : FEW);
}

/* An interval of full length was short enough: the next may be longer. A fast root may look like a slow one
 * by chance: after one was met, more is required. */
static void lengthen(const hbg_rt_root_search *s, double length, double error) {
    hbg_rt_roots *roots = s->roots;
    roots->pace.calm = error <= well ? roots->pace.calm + 1 : 0;
    if (!roots->pace.nervous) roots->pace.longest = fmin(fmax(0.9 / sqrt(sqrt(error)), 1), slower) * length;
    if (!roots->pace.nervous || roots->pace.calm < SOME) return;
    roots->pace.calm = 0;
    roots->pace.longest = careful * length;
    if (roots->pace.longest > s->field->max_step) roots->pace.nervous = false;
}

static void state_at(void *context, double t, double *x) {
    const hbg_rt_root_search *s = context;
    s->stepper->dense(s->stepper, t, x);
}

static bool is_rough(const hbg_rt_roots *roots, int32_t k) {
    double f[HBG_RT_SAMPLES], low = INFINITY, high = -INFINITY;
    for (int i = 0; i <= LAST; i++) {
        f[i] = roots->sample[i][k];
        low = fmin(low, f[i]);
        high = fmax(high, f[i]);
    }
    bool near = fmax(low, -high) < HBG_RT_CUSP_REACH * (high - low);
    return near && hbg_rt_root_error(f) > HBG_RT_ROUGH * (high - low);
}

/* Whether samples follow the values that guards read; if not, the interval ends sooner. */
static bool is_followed(hbg_rt_root_search *s) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_way way = {.state = state_at, .context = s, .x = roots->x, .a = s->a, .b = s->b};
    way.step = s->stepper->t1 - s->stepper->t0;
    way.rough = roots->beyond + roots->guard_first;
    for (int32_t k = roots->guard_first; k < roots->count; k++) roots->beyond[k] = is_rough(roots, k);
    double end = s->b;
    int32_t fast;
    hbg_rt_status status = hbg_rt_course_end(roots->course, &way, &end, &fast);
    s->no_memory = s->no_memory || status == HBG_RT_NO_MEMORY;
    if (status != HBG_RT_OK || !(end < s->b)) return true;
    if (roots->pace.intervals >= MOST && fast >= 0) roots->pace.hurried = roots->guard_first + fast;
    if (roots->pace.intervals >= MOST) return true;
    roots->pace.intervals++;
    s->b = end;
    if (fast >= 0) roots->pace.longest = end - s->a;
    return false;
}

bool hbg_rt_roots_resolved(hbg_rt_root_search *s) {
    hbg_rt_roots *roots = s->roots;
    double length = s->b - s->a, step = s->stepper->t1 - s->stepper->t0;
    excess most = find_excess(s);
    // the polynomial of a step does not begin exactly where the last one ended; and a guard that had to wait
    // there, far from changing meanwhile, has been evaluated since
    bool begins = s->a == s->stepper->t0 || s->stepper->polish;
    if (most.near > 1 && begins && hbg_rt_root_values(s, s->a, roots->sample[0]) == HBG_RT_OK)
        most = find_excess(s);
    if (most.near > 1 && hbg_rt_root_asks_sides(s, most.root, s->b))
        most = find_excess(s); // it may be rounding
    if (most.unknown >= 0 && roots->pace.hurried < 0 && is_unknown(s, most.unknown))
        roots->pace.hurried = most.unknown;
    if (most.near <= 1) {
        if (!is_followed(s)) return false;
        if (length >= 0.99 * roots->pace.longest) lengthen(s, length, most.all);
        return true;
    }
    roots->pace.calm = 0;
    roots->pace.nervous = true;
    bool shortest = length * MOST < step;
    if (roots->pace.intervals >= MOST || (shortest && turns_of(roots, most.root) > 0))
        roots->pace.hurried = most.root;
    if (!may_divide(roots) || shortest) return true; // a jump has no pace
    roots->pace.intervals++;
    roots->pace.longest = fmax(0.9 / sqrt(sqrt(most.near)), 0.1) * length;
    s->b = s->a + roots->pace.longest;
    return false;
}

double hbg_rt_roots_ahead(const hbg_rt_root_search *s) {
    hbg_rt_roots *roots = s->roots;
    double left = s->end - s->a;
    if (roots->pace.longest == 0) roots->pace.longest = left; // the first step of all is a short one
    if (!may_divide(roots) || left <= 1.1 * roots->pace.longest) return s->end;
    roots->pace.intervals++;
    return s->a + fmin(roots->pace.longest, left / 2);
}
