/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The rates of guards, by the programs of their slopes: along time and a direction of the states, on the
 * branches that values take. */
#include <math.h>

#include "rt/run_impl.h"

/* Of the difference that decides a relation while time advances: areas are found, not computed. */
static double of_difference(const hbg_rt_instance *run, int32_t relation) {
    const hbg_rt_relation *of = &run->image->instants.guards.relations[relation];
    const hbg_rt_readout *slopes = &run->image->code.finals[HBG_RT_SLOPES];
    int32_t reg = hbg_rt_readout_registers(run->image, slopes)[relation];
    bool by_area =
        run->at.watch.by_area[relation] || (of->watch_area != HBG_RT_NONE && run->r[of->watch_area] != 0);
    return reg == HBG_RT_NONE || by_area ? NAN : run->r[reg];
}

/* With the sign of the relation's root (hbg_rt_watch_guards). */
static double of_root(const hbg_rt_instance *run, int32_t relation) {
    if (!run->at.watch.watched[relation] || hbg_rt_guard_is_planned(run, relation)) return 0;
    double slope = of_difference(run, relation);
    double value = run->r[run->image->instants.guards.relations[relation].watch];
    bool positive = hbg_rt_side_of(run, relation, 1);
    uint8_t muted = run->at.watch.muted[relation];
    double to_true = positive ? slope : -slope;
    if (!muted) return positive == run->at.watch.truth[relation] ? slope : -slope;
    if ((muted & MUTED_UNLESS_TRUE) && (muted & MUTED_UNLESS_FALSE)) return value < 0 ? slope : -slope;
    if (muted & MUTED_UNLESS_TRUE) return -to_true;
    return muted & MUTED_UNLESS_FALSE ? to_true : 0;
}

static void seed(hbg_rt_instance *run, const double *dx) {
    hbg_rt_range seeds = run->image->layout.seed;
    const int32_t *reg = hbg_rt_ints(run->image, seeds.first);
    for (int32_t i = 0; i < seeds.count; i++) run->r[reg[i]] = dx[i];
}

static hbg_rt_status run_slopes(hbg_rt_instance *run, double t, const double *x, const double *dx) {
    hbg_rt_status status = hbg_rt_ready_slopes(run);
    if (status == HBG_RT_OK) status = hbg_rt_watch_values(run, t, x);
    if (status != HBG_RT_OK) return status;
    seed(run, dx);
    status = hbg_rt_run_segments(run, HBG_RT_SLOPES);
    return status == HBG_RT_OK ? hbg_rt_run_program(run, run->image->code.finals[HBG_RT_SLOPES].code)
                               : status;
}

/* An image may lack those of a mode; then nothing is known. */
hbg_rt_status hbg_rt_guard_slopes(hbg_rt_instance *run, double t, const double *x, const double *dx,
                                  double *slope) {
    int32_t count = run->system->root_count, first = run->system->guard_first;
    for (int32_t k = 0; k < count; k++) slope[k] = NAN;
    if (run->by_hand || !run->image->instants.has_events) return HBG_RT_OK;
    hbg_rt_status status = run_slopes(run, t, x, dx);
    for (int32_t k = first; k < count && status == HBG_RT_OK; k++) slope[k] = of_root(run, k - first);
    return status == HBG_RT_NO_MEMORY ? status : HBG_RT_OK;
}
