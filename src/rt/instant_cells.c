/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Cells of floor, ceil, % and tables in guards. If a guard changes because a cell begins, the instant is at
 * the border of that cell to the resolution of time, and rounding decides which cell a value is in. Root
 * finding saw the new cell; values at instants are rounded differently from compiled code, and may still be
 * in the old one. The whole instant uses the cell that root finding saw. */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"

static bool is_found(const hbg_rt_instance *run, int32_t relation) {
    return run->at.crossed[relation] != 0 && run->image->instants.guards.relations[relation].reads_borders &&
           !hbg_rt_guard_is_planned(run, relation);
}

hbg_rt_status hbg_rt_see_cells(hbg_rt_instance *run, double t, const double *x, const int32_t *crossed,
                               int32_t count) {
    const hbg_rt_instants *instants = &run->image->instants;
    instant_data *at = &run->at;
    if (at->any_across) memset(at->across, 0, (size_t)instants->counts.borders * sizeof *at->across);
    at->any_across = at->sees_cells = false;
    for (int32_t i = 0; i < count && !at->sees_cells; i++) {
        int32_t relation = (crossed[i] < 0 ? ~crossed[i] : crossed[i]) - run->system->guard_first;
        at->sees_cells = relation >= 0 && is_found(run, relation);
    }
    if (!at->sees_cells) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_run_reading(run, t, x, HBG_RT_WATCH);
    for (int32_t k = 0; k < instants->counts.relations && status == HBG_RT_OK; k++)
        at->seen[k] = run->r[instants->guards.relations[k].watch];
    return status;
}

/* Whether the values of the instant agree with those that root finding saw. */
static bool is_as_seen(hbg_rt_instance *run, int32_t relation) {
    hbg_rt_new_values(run);
    double own = hbg_rt_difference_of(run, relation).fin, seen = run->at.seen[relation];
    return fabs(own - seen) <= HBG_RT_AS_SEEN * fmax(fabs(own), fabs(seen));
}

static bool has_borders(const hbg_rt_judgement *at) {
    return at->op < HBG_RT_JUDGE_LOAD && at->note != HBG_RT_NONE;
}

/* Moves arguments across borders until the values agree with those seen; only arguments at a border are
 * affected. An argument may be exactly at a border, such as a whole number that % divides: so operators are
 * tried one at a time, arguments first, and all together only if none explains the values alone. */
static void take_across(hbg_rt_instance *run, int32_t relation) {
    const hbg_rt_values *values = &run->image->instants.values;
    hbg_rt_range range = values->judged[run->image->instants.guards.relations[relation].difference].code;
    const hbg_rt_judgement *code = values->judgements + range.first;
    bool *across = run->at.across, found = false;
    run->at.any_across = true;
    for (int32_t i = 0; i < range.count && !found; i++) {
        if (!has_borders(&code[i]) || across[code[i].note]) continue;
        across[code[i].note] = true;
        found = is_as_seen(run, relation);
        across[code[i].note] = found;
    }
    for (int32_t i = 0; i < range.count && !found; i++)
        if (has_borders(&code[i])) across[code[i].note] = true;
}

void hbg_rt_match_cells(hbg_rt_instance *run) {
    instant_data *at = &run->at;
    bool a_priori = at->a_priori;
    for (int32_t k = 0; k < run->image->instants.counts.relations && at->sees_cells; k++)
        if (is_found(run, k) && !is_as_seen(run, k)) take_across(run, k);
    at->a_priori = a_priori;
    if (at->any_across) hbg_rt_new_values(run);
}
