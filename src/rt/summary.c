/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A summary of the steps of a run, instead of rows. */
#include <math.h>
#include <string.h>

#include "rt/bands.h"
#include "rt/rows.h"

void hbg_rt_summary_begin(hbg_rt_summary *summary) {
    summary->any = false;
    summary->begin = summary->time = 0;
    summary->middle_time = NAN;
    for (int32_t i = 0; i < summary->count; i++) {
        summary->final[i] = summary->low[i] = summary->high[i] = summary->mean[i] = NAN;
        summary->area[i] = 0;
    }
}

/* A middle belongs to a step only if it is in its middle: a step that an event cuts short has another one. */
static bool has_middle(const hbg_rt_summary *summary, double t) {
    double width = t - summary->time, off = summary->middle_time - (summary->time + width / 2);
    return fabs(off) <= HBG_RT_MIDDLE * width; // false for NaN
}

hbg_rt_extent hbg_rt_summary_extent(const hbg_rt_summary *summary) {
    return (hbg_rt_extent){summary->count, summary->final, summary->low, summary->high, summary->area};
}

void hbg_rt_summary_stand(hbg_rt_summary *summary, double t) {
    summary->time = t;
    summary->middle_time = NAN;
}

static void add_areas(hbg_rt_summary *summary, double t, const double *outputs) {
    double width = t - summary->time;
    for (int32_t i = 0; i < summary->count; i++)
        summary->area[i] += width * (summary->final[i] + outputs[i] + 4 * summary->middle[i]) / 6;
}

/* What is noted first is all there is. */
static void begin(hbg_rt_summary *summary, double t, const double *outputs) {
    size_t size = (size_t)summary->count * sizeof *outputs;
    memcpy(summary->final, outputs, size);
    memcpy(summary->low, outputs, size);
    memcpy(summary->high, outputs, size);
    summary->begin = summary->time = t;
    summary->any = true;
}

static void keep_middle(hbg_rt_summary *summary, double t, const double *outputs) {
    for (int32_t i = 0; i < summary->count; i++) {
        summary->low[i] = outputs[i] < summary->low[i] ? outputs[i] : summary->low[i];
        summary->high[i] = outputs[i] > summary->high[i] ? outputs[i] : summary->high[i];
        summary->middle[i] = outputs[i];
    }
    summary->middle_time = t;
}

void hbg_rt_summary_step(hbg_rt_summary *summary, double t, const double *outputs, bool inside) {
    hbg_rt_extent extent = hbg_rt_summary_extent(summary);
    if (!summary->any) begin(summary, t, outputs);
    if (inside) {
        keep_middle(summary, t, outputs);
        return;
    }
    bool simpson = t > summary->time && has_middle(summary, t);
    if (simpson) add_areas(summary, t, outputs);
    hbg_rt_extent_step(&extent, t > summary->time && !simpson ? t - summary->time : 0, outputs);
    hbg_rt_summary_stand(summary, t);
}

void hbg_rt_summary_end(hbg_rt_summary *summary) {
    double length = summary->time - summary->begin;
    for (int32_t i = 0; i < summary->count; i++)
        summary->mean[i] = length > 0 ? summary->area[i] / length : summary->final[i];
}
