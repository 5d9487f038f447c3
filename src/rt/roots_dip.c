/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Roots that go through 0 and back between two samples of an interval, or touch it. The quartic through the
 * five samples of a root shows where it has its minima. Where one of them comes near 0, the true minimum is
 * located on the integrator's polynomial, by parabolas safeguarded by golden sections. A guard whose minimum
 * is within the band of 0 touches it. None of this is certain for a root that varies faster than a quartic
 * over the interval: see roots_pace.c. */
#include <float.h>
#include <math.h>

#include "rt/roots_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1, FINE = 16 };

typedef struct {
    double f[HBG_RT_SAMPLES]; /* margins */
    hbg_rt_quartic through;   /* the margins */
    double fine[FINE + 1];    /* the quartic at sixteenths of the interval */
    double range, error;      /* of the margins; the error of the quartic in the middle */
    bool rough;               /* the error is so large that there may be a cusp */
} shape;

static double quartic(const shape *of, double at) {
    return hbg_rt_quartic_at(&of->through, at);
}

/* Returns false if the root stays so far from 0 that no minimum can come near it. */
static bool find_shape(const hbg_rt_root_search *s, int32_t k, shape *of) {
    const hbg_rt_roots *roots = s->roots;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i <= LAST; i++) {
        double f = hbg_rt_root_margin(roots, k, roots->sample[i][k]);
        of->f[i] = f;
        least = f < least ? f : least;
        most = f > most ? f : most;
    }
    of->range = most - least;
    if (!(least < HBG_RT_CUSP_REACH * of->range || least == 0)) return false;
    of->error = hbg_rt_root_error(of->f);
    of->rough = of->error > HBG_RT_ROUGH * of->range;
    if (!(of->rough || least < of->range || least == 0)) return false;
    of->through = hbg_rt_quartic_through(of->f);
    for (int i = 0; i <= FINE; i++) of->fine[i] = quartic(of, (double)i * LAST / FINE);
    return true;
}

/* Whether a guard itself, not its quartic, is lower a little inside an end of the interval: a kink near the
 * end leaves no trace in the quartic. A difference too small to see next to the end, because of rounding,
 * shows farther inside. */
static hbg_rt_status is_lower_inside(hbg_rt_root_search *s, int32_t k, bool at_end, double f, bool *is) {
    static const double shares[] = {HBG_RT_INSIDE_1, HBG_RT_INSIDE_2, HBG_RT_INSIDE_3};
    hbg_rt_status status = HBG_RT_OK;
    *is = false;
    for (int i = 0; i < 3 && status == HBG_RT_OK && !*is; i++) {
        double little = shares[i] * (s->b - s->a);
        status = hbg_rt_root_values(s, at_end ? s->b - little : s->a + little, s->roots->before);
        double inside = hbg_rt_root_margin(s->roots, k, s->roots->before[k]);
        *is = inside < f;
        if (inside > f) break; // it is higher
    }
    return status;
}

/* Whether there is a minimum near 0 at this sixteenth; at the ends of the interval only if it lies inside. */
static hbg_rt_status is_suspect(hbg_rt_root_search *s, int32_t k, const shape *of, int i, bool *is) {
    const double near = HBG_RT_BESIDE * LAST;
    const double *fine = of->fine;
    *is = false;
    double depth = of->rough ? HBG_RT_CUSP_REACH * of->range : 0.1 * of->range + 4 * of->error;
    if (!(fine[i] < depth)) return HBG_RT_OK;
    if (i > 0 && i < FINE) *is = fine[i] <= fine[i - 1] && fine[i] < fine[i + 1];
    if (i == 0) *is = quartic(of, near) < of->f[0] && fine[0] <= fine[1];
    if (i == FINE) *is = quartic(of, LAST - near) < of->f[LAST] && fine[FINE] <= fine[FINE - 1];
    bool end = (i == 0 && fine[0] <= fine[1]) || (i == FINE && fine[FINE] <= fine[FINE - 1]);
    if (i == FINE && end && of->rough && s->b == s->stepper->t1) *is = true; // a cusp may be just there
    const bool *armed = i == 0 ? s->roots->was_armed : s->roots->armed;
    if (*is || !end || !(of->range > 0) || !armed[k]) return HBG_RT_OK;
    return is_lower_inside(s, k, i == FINE, of->f[i == FINE ? LAST : 0], is);
}

/* ---- one minimum -------------------------------------------------------------------------------------- */

typedef struct {
    hbg_rt_root_search *s;
    int32_t root;
    double depth;          /* a margin less than minus this is a crossing */
    int patience;          /* evaluations without progress before it gives up */
    double times[3], f[3]; /* around a minimum; the middle one is lowest once it is found */
} bracket;

static hbg_rt_status look(bracket *b, double t, double *f) {
    hbg_rt_roots *roots = b->s->roots;
    hbg_rt_status status = hbg_rt_root_values(b->s, t, roots->before);
    *f = hbg_rt_root_margin(roots, b->root, roots->before[b->root]);
    return status;
}

/* The next time to evaluate: the vertex of the parabola, sometimes the golden section of the longer side. */
static double next_time(const bracket *b, bool golden, double least) {
    const double *times = b->times, *f = b->f;
    double left = times[1] - times[0], right = times[2] - times[1];
    double p = left * left * (f[1] - f[2]) - right * right * (f[1] - f[0]);
    double q = 2 * (left * (f[1] - f[2]) + right * (f[1] - f[0]));
    double t = q != 0 ? times[1] - p / q : times[1];
    bool useful = !golden && t > times[0] && t < times[2] && fabs(t - times[1]) > HBG_RT_USEFUL * least;
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

static double least_of(const bracket *b) {
    return fmin(b->f[0], fmin(b->f[1], b->f[2]));
}

/* Evaluates the three times of the bracket, and moves the bracket while the lowest is at an end: a kink is
 * not where the quartic has it. */
static hbg_rt_status settle_bracket(bracket *b, double low, double high) {
    hbg_rt_status status = HBG_RT_OK;
    for (int i = 0; i < 3 && status == HBG_RT_OK; i++) status = look(b, b->times[i], &b->f[i]);
    for (int i = 0; i < FINE && status == HBG_RT_OK; i++) {
        double width = b->times[2] - b->times[1];
        bool left = b->f[0] < b->f[1] && b->f[0] <= b->f[2] && b->times[0] > low;
        bool right = b->f[2] < b->f[1] && b->f[2] < b->f[0] && b->times[2] < high;
        if ((!left && !right) || least_of(b) < -b->depth) break;
        int first = left ? 2 : 0, last = left ? 0 : 2;
        b->times[first] = b->times[1];
        b->f[first] = b->f[1];
        b->times[1] = b->times[last];
        b->f[1] = b->f[last];
        b->times[last] = left ? fmax(b->times[1] - width, low) : fmin(b->times[1] + width, high);
        status = look(b, b->times[last], &b->f[last]);
    }
    return status;
}

/* Whether the lowest value may be above 0 only because no evaluation met the tip. */
static bool is_steep(const bracket *b) {
    return b->f[1] < 1e3 * (fmax(b->f[0], b->f[2]) - b->f[1]);
}

/* Whether to continue: the bracket is still wide, or it holds a kink whose tip may be within the band, and is
 * not yet at the resolution of time. */
static bool goes_on(const bracket *b, double least, double band) {
    double width = b->times[2] - b->times[0];
    if (width > least) return true;
    return b->f[1] > band && is_steep(b) && width > HBG_RT_MOMENT * fabs(b->times[1]);
}

static bool is_crossing(const bracket *b, double t, double f) {
    return f < -b->depth && hbg_rt_root_is_beyond(b->s, b->root, t, f);
}

/* Searches for a negative margin; if found, *t is its time. The lowest value is in the middle of the
 * bracket. */
static hbg_rt_status dive(bracket *b, double low, double high, bool *found, double *t) {
    double least = HBG_RT_MINIMUM * (b->times[2] - b->times[0]),
           band = hbg_rt_root_equality(b->s->roots, b->root);
    hbg_rt_status status = settle_bracket(b, low, high);
    *found = false;
    for (int i = 0; i < 3 && status == HBG_RT_OK && !*found; i++) {
        *t = b->times[i];
        *found = is_crossing(b, *t, b->f[i]);
    }
    int calm = goes_on(b, least, band) ? 0 : b->patience;
    for (int i = 0; i < 200 && status == HBG_RT_OK && !*found && calm < b->patience; i++) {
        double value;
        *t = next_time(b, i % 3 == 2 || i > 40 || calm > 0,
                       least); // parabolas do not converge to the tip of a kink
        status = look(b, *t, &value);
        *found = is_crossing(b, *t, value);
        narrow(b, *t, value);
        calm = goes_on(b, least, band) ? 0 : calm + 1;
    }
    return status;
}

/* ---- a step ------------------------------------------------------------------------------------------- */

static bool may_touch(const hbg_rt_root_search *s, int32_t k) {
    const hbg_rt_roots *roots = s->roots;
    return k >= roots->guard_first && roots->armed[k] && hbg_rt_touch_matters(s->field->instance, k);
}

/* Whether a guard has been clear of 0 before a time. */
static bool comes_to(const hbg_rt_root_search *s, int32_t k, const shape *of, double t) {
    bool clear = s->roots->was_armed[k];
    for (int i = 1; i <= LAST && !clear && hbg_rt_root_sample_time(s, i) < t; i++)
        clear = of->f[i] > hbg_rt_root_band(s->roots, k);
    return clear;
}

/* How far below 0 a root has to dip. One that leaves 0 in this step has to dip below its band: rounding alone
 * moves it a little to either side. */
static double depth_of(const hbg_rt_roots *roots, int32_t k, const shape *of) {
    double band = hbg_rt_root_band(roots, k);
    double depth = fabs(of->f[0]) <= band ? band : 0;
    return roots->was_armed[k]
               ? depth
               : fmax(depth, roots->wide[k]); // it may not yet be clear of a doubtful crossing
}

/* Whether a guard that is at 0 from `begin` to `touch` is still at 0 after twice that time. */
static hbg_rt_status stays(hbg_rt_root_search *s, int32_t k, double begin, double touch, bool *does) {
    hbg_rt_roots *roots = s->roots;
    const hbg_rt_integrator *stepper = s->stepper;
    double later = fmin(touch + 2 * (touch - begin), stepper->t1 + 0.1 * (stepper->t1 - stepper->t0));
    hbg_rt_status status = hbg_rt_root_values(s, later, roots->now);
    *does = fabs(hbg_rt_root_margin(roots, k, roots->now[k])) <= hbg_rt_root_band(roots, k);
    return status;
}

/* Whether a guard that is at 0 at two times is at 0 between them: if it only comes to 0 at the second, it has
 * hardly moved shortly after the first. */
static hbg_rt_status is_plateau(hbg_rt_root_search *s, int32_t k, double begin, double touch, bool *is) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_status status = hbg_rt_root_values(s, begin + 0.1 * (touch - begin), roots->now);
    *is = fabs(hbg_rt_root_margin(roots, k, roots->now[k])) <= 0.1 * hbg_rt_root_band(roots, k);
    return status;
}

/* Moves *high to the time at which a guard falls to a level; it is above the level at `low`, below it at
 * *high. */
static hbg_rt_status come_down(hbg_rt_root_search *s, int32_t k, double level, double low, double *high) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_status status = HBG_RT_OK;
    for (int i = 0; i < 60 && status == HBG_RT_OK && *high - low > HBG_RT_LOCATED * fabs(*high); i++) {
        double middle = low + (*high - low) / 2;
        status = hbg_rt_root_values(s, middle, roots->now);
        bool above = hbg_rt_root_margin(roots, k, roots->now[k]) > level;
        *(above ? &low : high) = middle;
    }
    return status;
}

/* A guard that comes or jumps to 0 and stays there touches it where it begins to stay; one that leaves again
 * touches it at its minimum. One that stays at 0 up to rounding begins to stay at 0 itself, not a little
 * earlier, where it enters the band. */
static hbg_rt_status begin_of_touch(hbg_rt_root_search *s, int32_t k, double *touch) {
    hbg_rt_roots *roots = s->roots;
    double band = hbg_rt_root_band(roots, k), rounding = hbg_rt_root_rounding(roots, k), high = *touch;
    bool plateau;
    if (!(hbg_rt_root_margin(roots, k, roots->sample[0][k]) > band)) return HBG_RT_OK;
    hbg_rt_status status = come_down(s, k, band, s->a, &high);
    if (status == HBG_RT_OK) status = is_plateau(s, k, high, *touch, &plateau);
    if (status == HBG_RT_OK && !plateau) status = stays(s, k, high, *touch, &plateau);
    if (status != HBG_RT_OK || !plateau) return status;
    status = hbg_rt_root_values(s, *touch, roots->now);
    if (status == HBG_RT_OK && hbg_rt_root_margin(roots, k, roots->now[k]) <= rounding)
        return come_down(s, k, rounding, high, touch);
    *touch = high;
    return status;
}

static void keep_first(hbg_rt_dip *dip, int32_t k, double touch) {
    if (!(touch < dip->touch)) return;
    dip->touch = touch;
    dip->root = k;
}

/* Notes a touch. A minimum after the interval belongs to the next one, unless that is in another step, which
 * may have another polynomial. A guard at 0 where the step ends touches it there if its minimum is
 * practically there: steps end where an input, a sample or the end of a wait acts, and the touch must not
 * come a rounding before that instant. */
static hbg_rt_status note_touch(hbg_rt_root_search *s, int32_t k, double about, hbg_rt_dip *dip) {
    hbg_rt_roots *roots = s->roots;
    double when = about;
    hbg_rt_status status = hbg_rt_touch_time(s, k, &when);
    bool at_end = hbg_rt_root_margin(roots, k, roots->sample[LAST][k]) <= hbg_rt_root_band(roots, k);
    bool sure = s->b < s->stepper->t1 || at_end, near = fabs(when - s->b) <= HBG_RT_TOUCH_END * (s->b - s->a);
    if (at_end && near) when = s->b;
    if (when > s->b && sure) return status;
    if (when > s->b) when = about;
    if (status == HBG_RT_OK) status = begin_of_touch(s, k, &when);
    keep_first(dip, k, when);
    return status;
}

/* Locates a tip to the resolution of time. */
static hbg_rt_status come_to_tip(bracket *b, double *tip) {
    hbg_rt_status status = HBG_RT_OK;
    double least = HBG_RT_SAME_INSTANT * fabs(*tip);
    for (int i = 0; i < 100 && status == HBG_RT_OK && b->times[2] - b->times[0] > least; i++) {
        double t = next_time(b, true, 0), value;
        status = look(b, t, &value);
        narrow(b, t, value);
    }
    *tip = b->times[1];
    return status;
}

static void keep_tip(hbg_rt_roots *roots, int32_t k, double tip, hbg_rt_dip *dip) {
    for (int32_t i = 0; i < roots->count && !dip->cusps; i++) roots->tip[i] = INFINITY;
    dip->cusps = true;
    roots->tip[k] = fmin(roots->tip[k], tip);
}

/* Takes the minimum of a guard that is clear of the band: a touch if it is the tip of a cusp. It may be at
 * the end of the step. */
static hbg_rt_status try_cusp(bracket *b, double end, hbg_rt_dip *dip) {
    const hbg_rt_root_search *s = b->s;
    bool inside = b->f[1] <= b->f[0] && b->f[1] <= b->f[2], cusp = false;
    bool at_end = !inside && b->f[2] < b->f[1] && b->times[2] == s->stepper->t1 && end == s->b;
    double tip = at_end ? b->times[2] : b->times[1];
    if (!(inside && tip < end) && !at_end) return HBG_RT_OK;
    hbg_rt_status status = is_steep(b) ? hbg_rt_roots_cusp(b->s, b->root, tip, &cusp) : HBG_RT_OK;
    if (!cusp || status != HBG_RT_OK) return status;
    if (inside) status = come_to_tip(b, &tip);
    // a planned instant at the end of a step is judged by values alone: place the tip some roundings before
    // it
    if (at_end) tip -= HBG_RT_LOCATED * fabs(tip);
    keep_first(dip, b->root, tip);
    keep_tip(s->roots, b->root, tip, dip);
    return status;
}

static hbg_rt_status try_minimum(hbg_rt_root_search *s, int32_t k, const shape *of, int place, double end,
                                 hbg_rt_dip *dip) {
    double t0 = s->a, h = s->b - t0, when = t0;
    int low = place > 0 ? place - 1 : 0, high = place < FINE ? place + 1 : FINE;
    double a = t0 + h * low / FINE, c = high == FINE ? s->b : t0 + h * high / FINE;
    bracket b = {.s = s,
                 .root = k,
                 .depth = depth_of(s->roots, k, of),
                 .patience = of->rough ? 4 : 1,
                 .times = {a, a + (c - a) / 2, c}};
    bool found;
    hbg_rt_status status = dive(&b, s->a, s->b, &found, &when);
    if (status != HBG_RT_OK) return status;
    bool inside = b.f[1] <= b.f[0] && b.f[1] <= b.f[2];
    if (found && when < end) dip->when = fmin(dip->when, when);
    if (found || !may_touch(s, k) || !comes_to(s, k, of, b.times[1])) return HBG_RT_OK;
    double equality = hbg_rt_root_equality(s->roots, k);
    if (least_of(&b) > equality) return try_cusp(&b, end, dip);
    bool touches = inside && b.times[1] < end && b.f[1] <= equality;
    return touches ? note_touch(s, k, b.times[1], dip) : HBG_RT_OK;
}

static bool is_at_zero(const hbg_rt_roots *roots, int32_t k, double f) {
    return f >= -hbg_rt_root_rounding(roots, k) && f <= hbg_rt_root_equality(roots, k);
}

/* Finds the first sample at which a guard is at 0 and does not fall on; HBG_RT_SAMPLES if there is none. At
 * the last sample a value a little later decides: a guard still falling belongs to the next interval. */
static hbg_rt_status first_at_zero(hbg_rt_root_search *s, int32_t k, const shape *of, int *sample) {
    hbg_rt_roots *roots = s->roots;
    hbg_rt_status status = HBG_RT_OK;
    int i = 0;
    *sample = HBG_RT_SAMPLES;
    if (!may_touch(s, k)) return HBG_RT_OK;
    bool clear = roots->was_armed[k]; // clear of 0 before
    for (; i < LAST && !(clear && is_at_zero(roots, k, of->f[i]) && of->f[i + 1] >= of->f[i]); i++)
        clear = clear || of->f[i] > hbg_rt_root_band(roots, k);
    if (!clear || !is_at_zero(roots, k, of->f[i])) return HBG_RT_OK;
    double next = of->f[i];
    if (i == LAST && quartic(of, LAST - HBG_RT_BESIDE) > of->f[LAST]) {
        status = hbg_rt_root_values(s, s->b + HBG_RT_BESIDE * (s->b - s->a), roots->now);
        next = hbg_rt_root_margin(roots, k, roots->now[k]);
    }
    if (next >= of->f[i]) *sample = i;
    return status;
}

hbg_rt_status hbg_rt_roots_dip(hbg_rt_root_search *s, double end, hbg_rt_dip *dip) {
    shape of;
    for (int32_t k = 0; k < s->roots->count; k++) {
        if (!find_shape(s, k, &of)) continue;
        double t0 = s->a, h = s->b - t0;
        for (int i = 0; i <= FINE && t0 + h * (i - 1) / FINE < fmin(end, dip->when); i++) {
            bool suspect;
            hbg_rt_status status = is_suspect(s, k, &of, i, &suspect);
            if (status == HBG_RT_OK && suspect) status = try_minimum(s, k, &of, i, end, dip);
            if (status != HBG_RT_OK) return status;
        }
        int sample;
        hbg_rt_status status = first_at_zero(s, k, &of, &sample);
        if (status != HBG_RT_OK) return status;
        double touch = sample <= LAST ? hbg_rt_root_sample_time(s, sample) : INFINITY;
        if (touch > end || (touch == end && end < s->b)) continue;
        status = note_touch(s, k, touch, dip);
        if (status != HBG_RT_OK) return status;
    }
    return HBG_RT_OK;
}
