/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Everything that changes in an instance, as one list that is written or read. Code of local modes, room and
 * lists that follow from the mode are found again before the rest is read. */
#include <math.h>
#include <string.h>

#include "rt/door_impl.h"

static void keep_branches(hbg_rt_instance *run, hbg_rt_archive *archive) {
    run_branches *of = &run->branches;
    int32_t count = run->mark.located;
    HBG_RT_KEEP_ARRAY(archive, of->branch, count);
    HBG_RT_KEEP_ARRAY(archive, of->root, count);
    HBG_RT_KEEP_ARRAY(archive, of->crossed, count);
    HBG_RT_KEEP_ARRAY(archive, of->side, count);
    HBG_RT_KEEP_ARRAY(archive, of->loose, count);
    HBG_RT_KEEP_ARRAY(archive, of->met, count);
    HBG_RT_KEEP(archive, of->met_count);
    HBG_RT_KEEP(archive, of->reads);
    HBG_RT_KEEP(archive, of->shared);
    HBG_RT_KEEP(archive, of->keeps_branches);
    HBG_RT_KEEP(archive, run->located);
}

static void keep_outside(hbg_rt_instance *run, hbg_rt_archive *archive) {
    const hbg_rt_instants *instants = &run->image->instants;
    int32_t automata = instants->counts.automata, params = instants->outside.param_count;
    HBG_RT_KEEP_ARRAY(archive, run->outside.overridden, params);
    HBG_RT_KEEP_ARRAY(archive, run->outside.held, automata);
    HBG_RT_KEEP_ARRAY(archive, run->outside.ticks, automata);
    HBG_RT_KEEP_ARRAY(archive, run->outside.ticked,
                      instants->outside.clock_count + instants->outside.tick_pre_count);
    HBG_RT_KEEP(archive, run->outside.inputs_changed);
    HBG_RT_KEEP_ARRAY(archive, run->lines.value, params);
    HBG_RT_KEEP_ARRAY(archive, run->lines.slope, params);
    HBG_RT_KEEP_ARRAY(archive, run->lines.moving, params);
    HBG_RT_KEEP(archive, run->lines.count);
    HBG_RT_KEEP(archive, run->lines.at);
    HBG_RT_KEEP(archive, run->lines.use);
    HBG_RT_KEEP(archive, run->lines.wait);
    if (archive->from) run->lines.known = -1; // the code that follows them is listed again
    if (archive->from && run->lines.count > 0) run->lines.at = NAN;
}

/* Single numbers of instants; their arrays are in another list. */
static void keep_numbers(hbg_rt_instance *run, hbg_rt_archive *archive) {
    instant_data *at = &run->at;
    HBG_RT_KEEP(archive, at->t);
    HBG_RT_KEEP(archive, at->a_priori);
    HBG_RT_KEEP(archive, at->bounce.struck);
    HBG_RT_KEEP(archive, at->resumed);
    HBG_RT_KEEP(archive, at->first_pass);
    HBG_RT_KEEP(archive, at->limits.before_branches);
    HBG_RT_KEEP(archive, at->limits.branches);
    HBG_RT_KEEP(archive, at->watch.any_muted);
    HBG_RT_KEEP(archive, at->change.changed_count);
    HBG_RT_KEEP(archive, at->change.params_changed);
    HBG_RT_KEEP(archive, at->look.looks);
    HBG_RT_KEEP(archive, at->look.mover_count);
    HBG_RT_KEEP(archive, at->unanswered);
    HBG_RT_KEEP(archive, at->without_pulses);
    HBG_RT_KEEP(archive, at->any_across);
    HBG_RT_KEEP(archive, at->sees_cells);
    HBG_RT_KEEP(archive, at->held_back);
    HBG_RT_KEEP(archive, at->refused);
    HBG_RT_KEEP(archive, at->undefined);
    HBG_RT_KEEP(archive, at->watch.in_others);
}

void hbg_rt_instance_keep(hbg_rt_instance *run, hbg_rt_archive *archive) {
    const hbg_rt_instant_counts *counts = &run->image->instants.counts;
    HBG_RT_KEEP_ARRAY(archive, run->r, run->mark.registers);
    HBG_RT_KEEP_ARRAY(archive, run->loops.reach, run->mark.registers);
    HBG_RT_KEEP_ARRAY(archive, run->loops.kept, run->mark.registers);
    keep_branches(run, archive);
    keep_outside(run, archive);
    HBG_RT_KEEP_ARRAY(archive, run->other_states, counts->automata);
    HBG_RT_KEEP_ARRAY(archive, run->entered, counts->automata);
    HBG_RT_KEEP_ARRAY(archive, run->pre_next, counts->pres);
    HBG_RT_KEEP_ARRAY(archive, run->in_values, counts->ins);
    HBG_RT_KEEP_ARRAY(archive, run->at.bouncing, run->island_count);
    HBG_RT_KEEP_ARRAY(archive, run->at.moved, run->island_count);
    HBG_RT_KEEP_ARRAY(archive, run->at.throws, run->throw_count);
    keep_numbers(run, archive);
    hbg_rt_instant_keep(run, archive);
    if (!archive->from) return;
    hbg_rt_new_values(run);
    if (run->at.watch.plan.kind) hbg_rt_plan_prepare(run);
    run->loops.version++;        // factors are computed again
    run->stride.is_laid = false; // and so is what strides need to know of the mode
}
