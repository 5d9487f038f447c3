/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Zeno: infinitely many events before a finite time. Intervals between crossings of one relation that shrink by one ratio add up
 * to an end in sight; once the end is nearer than a ten-thousandth of the time gone, and the ratio has been steady, events
 * accumulate. Each relation is looked at by itself: what switches elsewhere in the model has nothing to do with it. */
#include <math.h>
#include <string.h>

#include "sim/run_impl.h"

static const double steady = 1e-2; /* relative spread of the ratios */
static const double near = 1e-4;   /* time left, of the time gone */
enum {
    EXACT = 8
}; /* of the times kept, the oldest: the shortest intervals are as inexact as the states are */

/* Ratios of the intervals between the exact times; NaN if they are not all the same. */
static double ratio_of(const double *times) {
    double low = INFINITY, high = 0;
    for (int i = 2; i < EXACT; i++) {
        double ratio = (times[i] - times[i - 1]) / (times[i - 1] - times[i - 2]);
        low = fmin(low, ratio);
        high = fmax(high, ratio);
    }
    return high < 1 && high - low <= steady * high ? high : NAN;
}

static bool add(hbg_sim_zeno *zeno, double t, double *end) {
    double *times = zeno->times;
    if (zeno->count == HBG_SIM_ZENO_TIMES) {
        memmove(times, times + 1, (HBG_SIM_ZENO_TIMES - 1) * sizeof *times);
        zeno->count--;
    }
    times[zeno->count++] = t;
    if (zeno->count < HBG_SIM_ZENO_TIMES) return false;
    double ratio = ratio_of(times), interval = times[EXACT - 1] - times[EXACT - 2];
    if (isnan(ratio)) return false;
    *end = times[EXACT - 1] + interval * ratio / (1 - ratio);
    for (int i = EXACT; i < zeno->count;
         i++) { // the others need not be exact, but they have to go on shrinking
        interval *= ratio;
        if (times[i] - times[i - 1] > 2 * interval) return false;
    }
    *end = fmax(*end, t);
    return *end - t <= near * *end;
}

bool hbg_sim_zeno_add(hbg_sim_engine *engine, double *end) {
    bool accumulate = false;
    int32_t first = engine->roots.guard_first;
    for (int32_t i = 0; i < engine->roots.crossed_count; i++) {
        double own;
        int32_t k = engine->roots.crossed[i];
        if (k < first || !add(&engine->zenos[k - first], engine->t, &own)) continue;
        *end = accumulate ? fmin(*end, own) : own;
        accumulate = true;
    }
    return accumulate;
}

void hbg_sim_zeno_rest(hbg_sim_engine *engine) {
    int32_t first = engine->roots.guard_first;
    for (int32_t i = 0; i < engine->roots.crossed_count; i++)
        if (engine->roots.crossed[i] >= first) engine->zenos[engine->roots.crossed[i] - first].count = 0;
}
