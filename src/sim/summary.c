/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What remains of the rows of a run when the rows are not kept. */
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
    hbg_sim_summary_begin(summary);
}

void hbg_sim_summary_begin(hbg_sim_summary *summary) {
    summary->any = false;
    summary->begin = summary->time = 0;
    for (int32_t i = 0; i < summary->count; i++) {
        summary->final[i] = summary->low[i] = summary->high[i] = summary->mean[i] = NAN;
        summary->area[i] = 0;
    }
}

void hbg_sim_summary_row(hbg_sim_summary *summary, double t, const double *outputs) {
    double width = summary->any ? t - summary->time : 0;
    for (int32_t i = 0; i < summary->count; i++) {
        double value = outputs[i];
        if (width > 0) summary->area[i] += width * (summary->final[i] + value) / 2;
        summary->low[i] = summary->any ? fmin(summary->low[i], value) : value;
        summary->high[i] = summary->any ? fmax(summary->high[i], value) : value;
    }
    memcpy(summary->final, outputs, (size_t)summary->count * sizeof *outputs);
    if (!summary->any) summary->begin = t;
    summary->time = t;
    summary->any = true;
}

void hbg_sim_summary_end(hbg_sim_summary *summary) {
    double length = summary->time - summary->begin;
    for (int32_t i = 0; i < summary->count; i++)
        summary->mean[i] = length > 0 ? summary->area[i] / length : summary->final[i];
}
