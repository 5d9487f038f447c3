/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Relations aside: outputs or powers read them, and no rate does. A pulse on a resistance and the rectified voltage that is recorded have
 * edges and kinks that integrals over time and rows have to meet, as laws have; but nothing of the model follows them. Where the field
 * reads a relation too, it is the field's. */
#include <math.h>

#include "rt/run_impl.h"

void hbg_rt_locate_aside(hbg_rt_instance *run, bool outputs, bool powers) {
    run->branches.reads =
        (uint8_t)(outputs << HBG_RT_OUTPUTS | powers << HBG_RT_POWERS | run->branches.shared);
}

bool hbg_rt_is_aside(const hbg_rt_instance *run, int32_t root) {
    if (run->by_hand || root >= run->mark.located) return false;
    unsigned met = run->branches.met[root];
    return met != 0 && !(met & 1U << HBG_RT_FIELD);
}

double hbg_rt_plan_aside(const hbg_rt_instance *run) {
    double next = INFINITY;
    if (run->by_hand || !run->at.watch.plan.on) return next;
    for (int32_t i = 0; i < run->mark.located; i++)
        if (hbg_rt_is_aside(run, i)) next = fmin(next, run->at.watch.plan.law_turn[i]);
    return next;
}

/* ---- recording ----------------------------------------------------------------------------------------- */

static void close_listed(hbg_rt_instance *run, hbg_rt_range list) {
    const int32_t *located = hbg_rt_ints(run->image, list.first);
    for (int32_t i = 0; i < list.count; i++) run->branches.crossed[located[i]] = LISTED_DONE;
}

/* What has been recorded in a reading stays as it is in the others, which may round otherwise. */
static void close_reading(hbg_rt_instance *run, int reading) {
    close_listed(run, run->image->code.located[reading]);
    for (int32_t i = 0; i < run->variants.segment_count; i++)
        if (run->variants.variant[i]) close_listed(run, run->variants.variant[i]->located[reading]);
}

hbg_rt_status hbg_rt_record_aside(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = HBG_RT_OK;
    int last = HBG_RT_FIELD;
    for (int r = HBG_RT_FIELD + 1; r < HBG_RT_LOCATING && status != HBG_RT_NO_MEMORY; r++) {
        if (!hbg_rt_locates(run, (hbg_rt_reading)r)) continue;
        close_reading(run, last);
        status = hbg_rt_run_reading(run, t, x, (hbg_rt_reading)r);
        last = r;
    }
    return status == HBG_RT_NO_MEMORY ? status : HBG_RT_OK;
}

/* ---- looks --------------------------------------------------------------------------------------------- */

/* Readings with a relation that time alone does not decide, as bits. */
static unsigned find_asked(const hbg_rt_instance *run) {
    unsigned asked = 0;
    for (int32_t i = 0; i < run->mark.located; i++) {
        unsigned in = hbg_rt_located_in(run, i);
        if (in & ~asked && !hbg_rt_law_is_planned(run, i)) asked |= in;
    }
    return asked;
}

hbg_rt_status hbg_rt_look_aside(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = HBG_RT_OK;
    if (!hbg_rt_locates(run, HBG_RT_OUTPUTS) && !hbg_rt_locates(run, HBG_RT_POWERS)) return status;
    unsigned asked = find_asked(run);
    for (int r = HBG_RT_FIELD + 1; r < HBG_RT_LOCATING && status != HBG_RT_NO_MEMORY; r++)
        if (asked & 1U << r) status = hbg_rt_run_reading(run, t, x, (hbg_rt_reading)r);
    return status == HBG_RT_NO_MEMORY ? status : HBG_RT_OK;
}
