/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What remains of the steps of a run when rows are not kept. */
#include <math.h>
#include <string.h>

#include "sim/sim_impl.h"

void hbg_sim_summary_init(hbg_arena *arena, hbg_sim_summary *summary, int32_t count) {
    *summary = (hbg_sim_summary){.count = count};
    summary->final = HBG_NEW_ARRAY(arena, double, count + 1);
    summary->low = HBG_NEW_ARRAY(arena, double, count + 1);
    summary->high = HBG_NEW_ARRAY(arena, double, count + 1);
    summary->mean = HBG_NEW_ARRAY(arena, double, count + 1);
    summary->area = HBG_NEW_ARRAY(arena, double, count + 1);
    summary->middle = HBG_NEW_ARRAY(arena, double, count + 1);
    hbg_sim_summary_begin(summary);
}

void hbg_sim_summary_begin(hbg_sim_summary *summary) {
    summary->any = false;
    summary->begin = summary->time = 0;
    summary->middle_time = NAN;
    for (int32_t i = 0; i < summary->count; i++) {
        summary->final[i] = summary->low[i] = summary->high[i] = summary->mean[i] = NAN;
        summary->area[i] = 0;
    }
}

/* A middle belongs to a step only if it is there: one that is cut short by an event has its own. */
static bool has_middle(const hbg_sim_summary *summary, double t) {
    double width = t - summary->time, off = summary->middle_time - (summary->time + width / 2);
    return fabs(off) <= 1e-6 * width; // false for NaN
}

static void add_areas(hbg_sim_summary *summary, double t, const double *outputs) {
    double width = t - summary->time;
    bool simpson = has_middle(summary, t);
    for (int32_t i = 0; i < summary->count; i++) {
        double ends = summary->final[i] + outputs[i];
        summary->area[i] += simpson ? width * (ends + 4 * summary->middle[i]) / 6 : width * ends / 2;
    }
}

void hbg_sim_summary_step(hbg_sim_summary *summary, double t, const double *outputs, bool inside) {
    for (int32_t i = 0; i < summary->count; i++) {
        summary->low[i] = fmin(summary->low[i], outputs[i]); // NaN at first, which gives way
        summary->high[i] = fmax(summary->high[i], outputs[i]);
    }
    if (inside) {
        memcpy(summary->middle, outputs, (size_t)summary->count * sizeof *outputs);
        summary->middle_time = t;
        return;
    }
    if (summary->any && t > summary->time) add_areas(summary, t, outputs);
    memcpy(summary->final, outputs, (size_t)summary->count * sizeof *outputs);
    if (!summary->any) summary->begin = t;
    summary->time = t;
    summary->middle_time = NAN;
    summary->any = true;
}

void hbg_sim_summary_end(hbg_sim_summary *summary) {
    double length = summary->time - summary->begin;
    for (int32_t i = 0; i < summary->count; i++)
        summary->mean[i] = length > 0 ? summary->area[i] / length : summary->final[i];
}
