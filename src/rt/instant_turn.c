/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Crossings that the field contradicts (semantics, section 5). A crossing shows where a value goes in the
 * mode in which it was located; but it was located with the errors of steps, and energies may have jumped
 * since. If a search comes back to its beginning, the rates of that mode show which way the value moves from
 * here. Example: a diode that has just blocked at a voltage of 0, with capacitors that are 1e-7 V off,
 * conducts for an instant and blocks again. Its voltage falls afterwards, and its relation counts as not
 * crossed. */
#include <math.h>
#include <string.h>

#include "rt/bands.h"
#include "rt/run_impl.h"

/* How far ahead the direction of a value is checked: no state moves by more than a share of its size. */
static double ahead_of(const hbg_rt_instance *run, double longest) {
    double pace = 0;
    for (int32_t i = 0; i < run->system->state_count; i++)
        if (run->at.state_size[i] > 0) pace = fmax(pace, fabs(run->at.settled[i]) / run->at.state_size[i]);
    return pace * longest > HBG_RT_SLIDE_REACH ? HBG_RT_SLIDE_REACH / pace : longest;
}

/* Whether the direction of a relation makes a difference: not if equality alone changes its truth. */
static bool is_asked(const hbg_rt_instance *run, int32_t relation) {
    const instant_data *at = &run->at;
    int op = run->image->instants.guards.relations[relation].op;
    return at->crossed[relation] == CROSSED && at->watch.watched[relation] && !at->watch.by_area[relation] &&
           !hbg_rt_guard_is_planned(run, relation) && !hbg_rt_is_equality(op) &&
           hbg_rt_at_equality(op) == at->watch.truth[relation];
}

/* Whether the difference goes back to the side that the relation was on before. A difference beyond its band,
 * because of the errors of states alone, counts as equal at this instant; after that it counts as on its old
 * side until it is clear of that distance. */
static hbg_rt_status goes_back(hbg_rt_instance *run, int32_t relation, double t, const double *x,
                               const hbg_rt_outlook *outlook, double ahead, bool *back) {
    double here, there, *place = run->at.limits.earlier;
    hbg_rt_status status = hbg_rt_difference_at(run, relation, t, x, &here);
    for (int32_t i = 0; i < run->system->state_count; i++) place[i] = x[i] + ahead * run->at.settled[i];
    if (status == HBG_RT_OK) status = hbg_rt_difference_at(run, relation, t + ahead, place, &there);
    if (status != HBG_RT_OK) return status;
    double size = run->at.fin_band[relation];
    double error = fmin(outlook->error, HBG_RT_TURNED_MOST);
    bool at_equality = fabs(here) <= fmax(HBG_RT_TURNED, error) * size;
    bool moves = fabs(there - here) > HBG_RT_ROUNDING * size;
    *back =
        at_equality && moves && hbg_rt_side_of(run, relation, there - here) == run->at.watch.truth[relation];
    bool beyond = *back && fabs(here) > HBG_RT_BAND * size;
    double within = fmax(HBG_RT_TURNED * size, 2 * fabs(here));
    if (*back) run->at.near[relation] = within;
    if (beyond && run->at.watch.doubts) run->at.watch.doubts[relation] = within;
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_turn_back(hbg_rt_instance *run, const int32_t *states, double t, const double *x,
                               const hbg_rt_outlook *outlook, bool *any) {
    *any = false;
    if (run->by_hand || !(outlook->ahead > 0)) return HBG_RT_OK;
    int32_t count = run->image->instants.counts.relations, asked = 0;
    for (int32_t i = 0; i < count; i++) asked += is_asked(run, i);
    if (asked == 0) return HBG_RT_OK;
    double live = run->r[run->image->instants.outside.live];
    run->r[run->image->instants.outside.live] = 0;
    hbg_rt_keep_judged(run, false); // crossings are judged differently from here on
    hbg_rt_status status = hbg_rt_set_mode(run, states);
    if (status == HBG_RT_OK) status = hbg_rt_ready_blocks(run);
    if (status == HBG_RT_OK) status = hbg_rt_rates(run, t, x, run->at.settled);
    double ahead = ahead_of(run, outlook->ahead);
    for (int32_t i = 0; i < count && status == HBG_RT_OK; i++) {
        bool back = false;
        if (!is_asked(run, i)) continue;
        status = goes_back(run, i, t, x, outlook, ahead, &back);
        if (!back) continue;
        run->at.crossed[i] = TURNED;
        *any = true;
    }
    run->r[run->image->instants.outside.live] = live;
    return status;
}

const int32_t *hbg_rt_opened(const hbg_rt_instance *run) {
    return run->by_hand ? NULL : run->at.answers.opened;
}
