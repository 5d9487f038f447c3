/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Zeno: infinitely many events before a finite time. Shrinking intervals between crossings of one relation
 * add up to an end, which lies no later than the slowest shrinking of the last few predicts. As long as they
 * shrink by one ratio the end is estimated again at each crossing, and events accumulate once the time left
 * is a ten-thousandth of the time since the intervals began to shrink: the absolute time does not matter. The
 * shortest intervals are as inexact as the states and may lose their ratio: then the last estimate stands,
 * and if crossings continue up to it, much closer to one another than when it was made, it was right. Events
 * that become faster and faster without an end have intervals of at least 1/e of those then. Collisions that
 * continue past an end that was a thousandth away have accumulated too, however close they are: the solver
 * keeps them going. So it does where a relation leads to one collision after another and in between is never
 * farther from equality than the accuracy of the states. Each relation is judged by itself: switching
 * elsewhere in the model does not matter.
 *
 * A fixed step does not resolve anything shorter. There collisions accumulate when a relation leads to many
 * of them in a row, a few steps apart: such steps do not reproduce the model. A method of low order gains at
 * every bounce, so an interval is a share of the one before plus some steps, and the intervals stop shrinking
 * there. But the share alone, fitted to intervals that shrink to a third, predicts an end: collisions that
 * continue past it with intervals of that length are kept going by the steps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/advance_impl.h"

static const double closer = 0.25; /* of the intervals then: short enough to believe in the end */
static const double few = 4.5;     /* steps between collisions that are too close */
static const double hop = 40.5;    /* likewise, if the distance stays the same */
static const double gained = 3;    /* steps that a method adds to an interval, at most */
static const double third = 0.3;   /* of the longest interval: short enough to know the share */
enum { FITTED = 8 };               /* intervals to fit it to */
enum { TOO_CLOSE = 8 };            /* this many in a row accumulate */
enum { HOPS = 2 };                 /* times the steps of a hop: hops of the same length */
enum { PAST = 16 };                /* collisions after the end */

/* The time left after the last event if intervals continue to shrink at least as they did; NaN if they do not
 * shrink. Two successive ones are taken together: they may alternate. `*regular`: they shrink by one
 * ratio. */
static double left_of(const double *times, bool *regular) {
    double low = INFINITY, high = 0;
    const double *last = times + HBG_RT_ZENO_TIMES - 1;
    for (const double *t = times + 4; t <= last; t++) {
        double ratio = (t[0] - t[-2]) / (t[-2] - t[-4]);
        low = fmin(low, ratio);
        high = fmax(high, ratio);
    }
    *regular = high - low <= 2 * HBG_RT_ZENO_STEADY * high;
    return high < 1 ? (last[0] - last[-2]) * high / (1 - high) : NAN;
}

static void take_time(hbg_rt_zeno *zeno, double t) {
    double *times = zeno->times;
    if (zeno->count == HBG_RT_ZENO_TIMES) {
        memmove(times, times + 1, (HBG_RT_ZENO_TIMES - 1) * sizeof *times);
        zeno->count--;
    }
    times[zeno->count++] = t;
}

/* An interval that is longer than it should be ends the accumulation so far. */
static void begin_anew(hbg_rt_zeno *zeno) {
    const double *last = zeno->times + zeno->count - 1;
    double interval = last[0] - last[-1];
    bool longer = zeno->interval > 0
                      ? interval > (1 + HBG_RT_ZENO_STEADY) * zeno->interval
                      : zeno->count < 3 || interval > (1 + HBG_RT_ZENO_STEADY) * (last[-1] - last[-2]);
    if (!longer) return;
    zeno->begin = last[-1];
    zeno->interval = zeno->sure = 0;
    zeno->past = 0;
}

/* Collisions continue past an end that was close: they are as small as the errors of states. */
static bool is_past(hbg_rt_zeno *zeno, double t, double *end) {
    if (!(zeno->sure > 0) || t <= zeno->sure) return false;
    *end = zeno->sure;
    return ++zeno->past >= PAST;
}

/* Whether the relation stayed closer to 0 than a run can resolve at this size: the error a state at 0 may
 * have, over some steps. With absolute tolerances this is unknown. */
static bool is_small(const hbg_rt_engine *engine, int32_t k) {
    const hbg_rt_field *field = &engine->field;
    return field->atol == 0 && engine->roots->reach[k] <= HBG_RT_WRONG_STEPS * HBG_RT_ATOL_SHARE *
                                                              field->rtol * engine->roots->size[k];
}

/* The same from the last three intervals, if each is at most half of the one before: such bounces soon become
 * too small to see. */
static double left_of_brisk(const hbg_rt_zeno *zeno) {
    const double *last = zeno->times + zeno->count - 1;
    if (zeno->count < 4) return NAN;
    double interval = last[0] - last[-1], before = last[-1] - last[-2];
    double ratio = fmax(interval / before, before / (last[-2] - last[-3]));
    return ratio <= 0.5 ? interval * ratio / (1 - ratio) : NAN;
}

/* The end estimated from the last crossing; false if there is none. */
static bool reckon(hbg_rt_zeno *zeno, double t, bool collided) {
    bool regular = false, sure = false;
    double left = zeno->count == HBG_RT_ZENO_TIMES ? left_of(zeno->times, &regular) : NAN;
    double soon = t + fmin(left, left_of_brisk(zeno)); // the one that is a number
    if (collided && soon - t <= HBG_RT_ZENO_LIKELY * (soon - zeno->begin))
        sure = zeno->sure == 0 || soon < zeno->sure;
    if (sure) zeno->sure = soon;
    regular = regular && !isnan(left);
    if (!regular && !(sure && zeno->interval == 0)) return false;
    zeno->end = regular ? t + left : soon;
    zeno->interval = t - zeno->times[zeno->count - 2];
    return regular;
}

static bool add(hbg_rt_zeno *zeno, double t, bool collided, double *end) {
    take_time(zeno, t);
    if (zeno->count < 2) return false;
    begin_anew(zeno);
    bool reckoned = reckon(zeno, t, collided);
    *end = t;
    if ((collided && is_past(zeno, t, end)) || zeno->small >= PAST) return true;
    if (!(zeno->interval > 0) || zeno->end - t > HBG_RT_ZENO_NEAR * (zeno->end - zeno->begin)) return false;
    *end = fmax(zeno->end, t);
    return reckoned || t - zeno->times[zeno->count - 2] <= closer * zeno->interval;
}

static void begin_fit(hbg_rt_zeno *zeno, double longest) {
    zeno->begin = longest;
    zeno->sure = 0;
    memset(&zeno->fit, 0, sizeof zeno->fit);
}

static void add_to_fit(hbg_rt_zeno *zeno, double before, double interval) {
    zeno->fit.count++;
    zeno->fit.x += before;
    zeno->fit.y += interval;
    zeno->fit.xx += before * before;
    zeno->fit.xy += before * interval;
}

/* Whether collisions continue past the end that the share predicts, only because of what steps add. */
static bool outlive(hbg_rt_zeno *zeno, double t, double interval, double step) {
    double n = zeno->fit.count, x = zeno->fit.x, y = zeno->fit.y;
    double share = (n * zeno->fit.xy - x * y) / (n * zeno->fit.xx - x * x), gain = (y - share * x) / n;
    bool fits = n >= FITTED && share > 0 && share < 1 && fabs(gain) <= gained * step;
    if (fits && zeno->sure == 0 && interval <= third * zeno->begin)
        zeno->sure = t + interval * share / (1 - share);
    return fits && zeno->sure > 0 && t > zeno->sure && interval * (1 - share) <= gained * step;
}

/* Whether a method of low order adds to every bounce what the bounce takes away: hops of a few steps with
 * constant length, after longer ones that shrank gradually. */
static bool hops(hbg_rt_zeno *zeno, double interval, double step) {
    double before = zeno->interval, slack = 1.5 * step;
    bool gradual = interval <= before + slack && interval >= 0.4 * before;
    if (!gradual) begin_fit(zeno, interval);
    if (gradual) add_to_fit(zeno, before, interval);
    bool same = interval < hop * step && fabs(interval - zeno->end) < slack;
    zeno->past = same ? zeno->past + 1 : 0;
    if (!same) zeno->end = interval; // the first of the same length
    zeno->interval = interval;
    return zeno->past >= HOPS * interval / step && zeno->begin > 4 * interval;
}

/* Of a fixed-step run with a collision here. */
static bool add_step(hbg_rt_zeno *zeno, double t, double step, double *end) {
    double interval = zeno->count > 0 ? t - zeno->times[0] : INFINITY;
    zeno->count = interval < few * step ? zeno->count + 1 : 1;
    zeno->times[0] = *end = t;
    if (zeno->count >= TOO_CLOSE || !isfinite(interval)) return zeno->count >= TOO_CLOSE;
    return hops(zeno, interval, step) || outlive(zeno, t, interval, step);
}

bool hbg_rt_zeno_add(hbg_rt_engine *engine, double *end) {
    bool accumulate = false, fixed = engine->stepper->fixed;
    int32_t first = engine->roots->guard_first;
    if (fixed && engine->search.pinnacles == 0) return false;
    for (int32_t i = 0; i < engine->roots->crossed_count; i++) {
        double own = INFINITY;
        int32_t k = engine->roots->crossed[i];
        if (k < first) continue;
        hbg_rt_zeno *zeno = &engine->zenos[k - first];
        bool collided = engine->search.pinnacles > 0;
        zeno->small = collided && !fixed && is_small(engine, k) ? zeno->small + 1 : 0;
        engine->roots->reach[k] = 0;
        if (!(fixed ? add_step(zeno, engine->t, engine->setup->demand.step, &own)
                    : add(zeno, engine->t, collided, &own)))
            continue;
        *end = accumulate ? fmin(*end, own) : own;
        accumulate = true;
    }
    return accumulate;
}

int32_t hbg_rt_zeno_root(const hbg_rt_engine *engine) {
    const hbg_rt_roots *roots = engine->roots;
    int32_t found = roots->crossed[0];
    int most = 0;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        int32_t k = roots->crossed[i];
        int count = k < roots->guard_first ? 0 : engine->zenos[k - roots->guard_first].count;
        if (count <= most) continue;
        most = count;
        found = k;
    }
    return found;
}

void hbg_rt_note_rest(hbg_rt_result *result, const char *contacts, double t) {
    size_t used = strlen(result->rested), size = sizeof result->rested;
    bool told = result->rests++ == 0 && result->rests_first; // the warning states the time
    char *end = result->rested + used;
    const char *between = used > 0 ? "; " : "";
    if (told)
        (void)snprintf(end, size - used, "%s", contacts);
    else if (used + strlen(contacts) + 40 < size)
        (void)snprintf(end, size - used, "%s%s from t = %.9g s on", between, contacts, t);
    else if (used + 8 < size && strcmp(end - strlen("…"), "…") != 0)
        (void)snprintf(end, size - used, "; …");
}

void hbg_rt_zeno_rest(hbg_rt_engine *engine) {
    int32_t first = engine->roots->guard_first;
    for (int32_t i = 0; i < engine->roots->crossed_count; i++)
        if (engine->roots->crossed[i] >= first)
            engine->zenos[engine->roots->crossed[i] - first] = (hbg_rt_zeno){0};
}
