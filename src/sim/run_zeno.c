/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Zeno: infinitely many events before a finite time. Intervals between crossings of one relation that shrink by one ratio add up
 * to an end in sight. As long as the ratio is steady the end is reckoned anew, and events accumulate once what is left is a
 * ten-thousandth of the time since the intervals began to shrink: the clock has no say in it. The shortest intervals are as
 * inexact as the states are, so that the ratio may be lost before: then the end last reckoned stands, and if crossings go on
 * up to it, much closer to one another than when it was reckoned, that was it. What only becomes faster and faster without an end
 * has intervals of at least 1/e of those then. Each relation is looked at by itself: what switches elsewhere in the model has
 * nothing to do with it.
 *
 * A fixed step does not see what is shorter. There collisions accumulate when a relation leads to many of them in a row that are
 * a few steps from each other: what such steps make of them is not what the model says. */
#include <math.h>
#include <string.h>

#include "sim/run_impl.h"

static const double steady = 1e-2; /* relative spread of the ratios */
static const double near = 1e-4;   /* time left, of the time since intervals shrink */
static const double closer = 0.25; /* of the intervals then: those where the end is believed in */
static const double few = 4.5;     /* steps between collisions that are too close */
enum { TOO_CLOSE = 8 };            /* of them in a row accumulate */

/* Ratio of the intervals between the times; NaN if it is not one, or if they do not shrink. */
static double ratio_of(const double *times) {
    double low = INFINITY, high = 0;
    for (int i = 2; i < HBG_SIM_ZENO_TIMES; i++) {
        double ratio = (times[i] - times[i - 1]) / (times[i - 1] - times[i - 2]);
        low = fmin(low, ratio);
        high = fmax(high, ratio);
    }
    return high < 1 && high - low <= steady * high ? high : NAN;
}

static void take_time(hbg_sim_zeno *zeno, double t) {
    double *times = zeno->times;
    if (zeno->count == HBG_SIM_ZENO_TIMES) {
        memmove(times, times + 1, (HBG_SIM_ZENO_TIMES - 1) * sizeof *times);
        zeno->count--;
    }
    times[zeno->count++] = t;
}

/* What it was thought to be leading to is over where an interval is longer than it should be. */
static void begin_anew(hbg_sim_zeno *zeno) {
    const double *last = zeno->times + zeno->count - 1;
    double interval = last[0] - last[-1];
    bool longer = zeno->interval > 0 ? interval > zeno->interval
                                     : zeno->count < 3 || interval > (1 + steady) * (last[-1] - last[-2]);
    if (!longer) return;
    zeno->begin = last[-1];
    zeno->interval = 0;
}

static bool add(hbg_sim_zeno *zeno, double t, double *end) {
    take_time(zeno, t);
    if (zeno->count < 2) return false;
    begin_anew(zeno);
    double interval = t - zeno->times[zeno->count - 2];
    double ratio = zeno->count == HBG_SIM_ZENO_TIMES ? ratio_of(zeno->times) : NAN;
    if (!isnan(ratio)) {
        zeno->end = t + interval * ratio / (1 - ratio);
        zeno->interval = interval;
    }
    if (!(zeno->interval > 0) || zeno->end - t > near * (zeno->end - zeno->begin)) return false;
    *end = fmax(zeno->end, t);
    return !isnan(ratio) || interval <= closer * zeno->interval;
}

/* Of a fixed-step run, where a collision happened. */
static bool add_step(hbg_sim_zeno *zeno, double t, double step, double *end) {
    bool next = zeno->count > 0 && t - zeno->times[0] < few * step;
    zeno->count = next ? zeno->count + 1 : 1;
    zeno->times[0] = *end = t;
    return zeno->count >= TOO_CLOSE;
}

bool hbg_sim_zeno_add(hbg_sim_engine *engine, double *end) {
    bool accumulate = false, fixed = engine->stepper->fixed;
    int32_t first = engine->roots.guard_first;
    if (fixed && engine->search.pinnacles == 0) return false;
    for (int32_t i = 0; i < engine->roots.crossed_count; i++) {
        double own;
        int32_t k = engine->roots.crossed[i];
        if (k < first) continue;
        hbg_sim_zeno *zeno = &engine->zenos[k - first];
        if (!(fixed ? add_step(zeno, engine->t, engine->options->step, &own) : add(zeno, engine->t, &own)))
            continue;
        *end = accumulate ? fmin(*end, own) : own;
        accumulate = true;
    }
    return accumulate;
}

void hbg_sim_zeno_rest(hbg_sim_engine *engine) {
    int32_t first = engine->roots.guard_first;
    for (int32_t i = 0; i < engine->roots.crossed_count; i++)
        if (engine->roots.crossed[i] >= first)
            engine->zenos[engine->roots.crossed[i] - first] = (hbg_sim_zeno){0};
}
