/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where outputs have extrema between two points of their curves. A step may contain a whole hump, such as the
 * voltage of a converter between two switchings; a picture of the ends of steps would lose it. A cubic
 * through four equidistant values of an interval shows about where an output has an extremum; the values
 * there are computed, so that every point is on the curve. */
#include <math.h>
#include <string.h>

#include "rt/bands.h"
#include "rt/rows.h"

#define CELLS 32 /* of an interval, each with at most one extremum: loses at most 1/256 of a parabola */

struct hbg_rt_extremes {
    double *values[4];   /* at the ends of an interval and at its thirds */
    double at;           /* of values[0]; NaN: unknown */
    double *low, *high;  /* by output of look_at: its range so far */
    double end;          /* of the interval that was searched last */
    double turns[CELLS]; /* in it; INFINITY: none */
    int next;            /* cell */
};

hbg_rt_extremes *hbg_rt_extremes_new(hbg_rt_room *room, const hbg_rt_description *system,
                                     const hbg_rt_row_options *options) {
    if (!options->look || !(options->look_every > 0) || options->look_count == 0) return NULL;
    hbg_rt_extremes *extremes = HBG_RT_TAKE(room, hbg_rt_extremes, 1);
    if (!extremes) return NULL;
    for (int k = 0; k < 4; k++) extremes->values[k] = HBG_RT_TAKE(room, double, system->output_count + 1);
    extremes->low = HBG_RT_TAKE(room, double, options->look_count + 1);
    extremes->high = HBG_RT_TAKE(room, double, options->look_count + 1);
    if (room->is_exhausted) return NULL;
    for (int32_t i = 0; i < options->look_count; i++) {
        extremes->low[i] = INFINITY;
        extremes->high[i] = -INFINITY;
    }
    extremes->at = NAN;
    extremes->end = -INFINITY;
    extremes->next = CELLS;
    return extremes;
}

void hbg_rt_extremes_note(hbg_rt_rows *rows, double t, const double *y) {
    hbg_rt_extremes *extremes = rows->extremes;
    const hbg_rt_row_options *options = rows->options;
    if (!extremes || t < options->look_from || t > options->look_to) return;
    memcpy(extremes->values[0], y, (size_t)rows->engine->system->output_count * sizeof *y);
    extremes->at = t;
    for (int32_t i = 0; i < options->look_count; i++) {
        extremes->low[i] = fmin(extremes->low[i], y[options->look_at[i]]);
        extremes->high[i] = fmax(extremes->high[i], y[options->look_at[i]]);
    }
}

/* Values of the step's polynomial; without polish, which may cost as much as a step. */
static bool probe(const hbg_rt_rows *rows, double t, double *y) {
    const hbg_rt_engine *engine = rows->engine;
    engine->stepper->dense(engine->stepper, t, engine->x_other);
    return hbg_rt_outputs(engine->instance, t, engine->x_other, y) == HBG_RT_OK;
}

/* Where the cubic through values at 0, 1, 2 and 3 has slope 0: how many places. */
static int turns_of(const double y[4], double u[2]) {
    double d1 = y[1] - y[0], d2 = y[2] - 2 * y[1] + y[0], d3 = y[3] - 3 * y[2] + 3 * y[1] - y[0];
    double a = d3 / 2, b = d2 - d3, c = d1 - d2 / 2 + d3 / 3, inside = b * b - 4 * a * c;
    if (!(inside >= 0)) return 0;
    double q = -(b + copysign(sqrt(inside), b)) / 2;
    int count = 0;
    if (a != 0) u[count++] = q / a;
    if (q != 0) u[count++] = c / q;
    return count;
}

static double cubic(const double y[4], double u) {
    double d1 = y[1] - y[0], d2 = y[2] - 2 * y[1] + y[0], d3 = y[3] - 3 * y[2] + 3 * y[1] - y[0];
    return y[0] + u * (d1 + (u - 1) / 2 * (d2 + (u - 2) / 3 * d3));
}

static void find_turns(hbg_rt_extremes *extremes, int32_t output, double range, double begin) {
    const double y[] = {extremes->values[0][output], extremes->values[1][output], extremes->values[2][output],
                        extremes->values[3][output]};
    double u[2], low = fmin(y[0], y[3]) - HBG_RT_SEEN * range, high = fmax(y[0], y[3]) + HBG_RT_SEEN * range;
    for (int k = turns_of(y, u) - 1; k >= 0; k--) {
        if (!(u[k] > 0 && u[k] < 3)) continue;
        double value = cubic(y, u[k]);
        int cell = (int)fmin(u[k] / 3 * CELLS, CELLS - 1);
        bool shows = value < low || value > high;
        if (shows && extremes->turns[cell] == INFINITY)
            extremes->turns[cell] = begin + (extremes->end - begin) * (u[k] / 3);
    }
}

static void search(hbg_rt_rows *rows, double begin) {
    hbg_rt_extremes *extremes = rows->extremes;
    const hbg_rt_row_options *options = rows->options;
    double length = extremes->end - begin;
    if (extremes->at != begin && !probe(rows, begin, extremes->values[0])) return;
    extremes->at = NAN;
    for (int k = 1; k < 4; k++)
        if (!probe(rows, k < 3 ? begin + length * k / 3 : extremes->end, extremes->values[k])) return;
    for (int k = 0; k < CELLS; k++) extremes->turns[k] = INFINITY;
    extremes->next = 0;
    for (int32_t i = 0; i < options->look_count; i++) {
        double range = fmax(extremes->high[i] - extremes->low[i], 0);
        find_turns(extremes, options->look_at[i], range, begin);
    }
}

double hbg_rt_extremes_next(hbg_rt_rows *rows, double begin, double end) {
    hbg_rt_extremes *extremes = rows->extremes;
    if (!extremes || end < rows->options->look_from || begin > rows->options->look_to) return INFINITY;
    if (end > extremes->end) {
        extremes->end = end;
        extremes->next = CELLS;
        bool is_short = hbg_rt_same_instant(begin, begin + (end - begin) / 3);
        if (!is_short) search(rows, begin);
    }
    while (extremes->next < CELLS && extremes->turns[extremes->next] == INFINITY) extremes->next++;
    return extremes->next < CELLS ? extremes->turns[extremes->next] : INFINITY;
}

void hbg_rt_extremes_take(hbg_rt_rows *rows) {
    rows->extremes->next++;
}
