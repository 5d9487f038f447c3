/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Time between instants: which relations of guards are watched, on which side they are, and when a relation
 * that was crossed counts again (semantics, section 5). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/run_impl.h"

static void count_guards(hbg_rt_instance *run, int32_t automaton, int32_t state, int change) {
    const hbg_rt_switching *switching = &run->image->instants.switching;
    const hbg_rt_guards *guards = &run->image->instants.guards;
    const hbg_rt_automaton_data *of = &switching->automata[automaton];
    if (state == HBG_RT_NONE || of->every > 0) return; // checked on its ticks
    hbg_rt_range own = switching->discretes[of->states.first + state].transitions;
    for (int32_t k = own.first; k < own.first + own.count; k++) {
        hbg_rt_range relations = guards->guards[k].relations;
        for (int32_t m = relations.first; m < relations.first + relations.count; m++) {
            const hbg_rt_enabling *at = &guards->enablings[m];
            run->at.watch.watched[at->relation] += change;
            if (at->enables & HBG_RT_ENABLES_TRUE) run->at.watch.watched_positive[at->relation] += change;
            if (at->enables & HBG_RT_ENABLES_FALSE) run->at.watch.watched_negative[at->relation] += change;
        }
    }
}

/* Watches the relations of guards of transitions that can be taken. */
void hbg_rt_follow_guards(hbg_rt_instance *run, int32_t island) {
    hbg_rt_range automata = run->image->instants.kept.islands[island].automata;
    for (int32_t n = 0; n < automata.count; n++) {
        int32_t i = hbg_rt_list(run, automata)[n];
        int32_t *old = &run->at.watch.watched_state[i];
        int32_t now = run->outside.held[i] == HBG_RT_NONE ? run->states[i]
                                                          : HBG_RT_NONE; // stuck: no transition can be taken
        if (*old == now) continue;
        count_guards(run, i, *old, -1);
        count_guards(run, i, now, 1);
        *old = now;
    }
}

/* Evaluates in(…) of all islands that have it; afterwards no island is active. */
static hbg_rt_status watch_ins(hbg_rt_instance *run, double t, const double *x) {
    double *settled = run->at.settled; // other modes start from energies that are consistent in this one
    memcpy(settled, x, (size_t)run->image->instants.counts.states * sizeof *settled);
    hbg_rt_status status = hbg_rt_settle(run, t, settled);
    if (status != HBG_RT_OK) return status;
    hbg_rt_rest_islands(run);
    for (int32_t i = 0; i < run->island_count; i++)
        if (run->image->instants.kept.islands[i].ins.count > 0) hbg_rt_activate(run, i);
    status = hbg_rt_record_sums(run, t, settled);
    if (status == HBG_RT_OK) status = hbg_rt_begin_ders(run, t, settled);
    if (status == HBG_RT_OK) status = hbg_rt_evaluate_ins(run, run->states, t, settled);
    run->r[run->image->instants.outside.live] = 0;
    hbg_rt_rest_islands(run);
    return status;
}

/* Evaluates in(…) for a reading while time advances; at an instant, considering a mode evaluates it. */
hbg_rt_status hbg_rt_refresh_ins(hbg_rt_instance *run, double t, const double *x, hbg_rt_reading reading) {
    bool wanted = run->image->instants.ins_read >> reading & 1;
    if (!wanted || run->at.watch.in_others || run->active_count > 0) return HBG_RT_OK;
    run->at.watch.in_others = true;
    hbg_rt_status status = watch_ins(run, t, x);
    run->at.watch.in_others = false;
    return status;
}

hbg_rt_status hbg_rt_watch_values(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = run->image->instants.counts.ins > 0 ? watch_ins(run, t, x) : HBG_RT_OK;
    return status == HBG_RT_OK ? hbg_rt_run_reading(run, t, x, HBG_RT_WATCH) : status;
}

static int op_of(const hbg_rt_instance *run, int32_t relation) {
    return run->image->instants.guards.relations[relation].op;
}

/* Bits that mute a relation until it is clear of equality. At the instant, guards were judged as if the
 * relation had been crossed, except those that lead back to where an automaton came from. */
static uint8_t mute(const hbg_rt_instance *run, int32_t relation, bool moved) {
    const instant_data *at = &run->at;
    int op = op_of(run, relation);
    bool judged = at->crossed[relation] == TOUCHED ? hbg_rt_at_equality(op) : !at->watch.truth[relation];
    bool when_true = at->watch.watched_positive[relation] > 0 && (moved || !judged);
    bool when_false = at->watch.watched_negative[relation] > 0 && (moved || judged);
    return (uint8_t)(MUTED | (when_true ? MUTED_UNLESS_TRUE : 0) | (when_false ? MUTED_UNLESS_FALSE : 0));
}

/* == and != change their truth on both sides of equality: leaving to either side is an event if that may
 * enable a guard. */
static uint8_t mute_equality(const hbg_rt_instance *run, int32_t relation) {
    const instant_data *at = &run->at;
    bool equal = op_of(run, relation) == HBG_OP_EQUAL;
    bool leaves = (equal ? at->watch.watched_negative : at->watch.watched_positive)[relation] > 0;
    return MUTED | (leaves ? MUTED_UNLESS_TRUE | MUTED_UNLESS_FALSE : 0);
}

/* The truth to watch from at equality. Only leaving to a side that can enable a guard is an event; where both
 * can, the side on which the truth differs from the present one. */
static bool truth_at_equality(const hbg_rt_instance *run, int32_t relation) {
    const instant_data *at = &run->at;
    if (at->watch.watched_positive[relation] > 0 && at->watch.watched_negative[relation] > 0)
        return hbg_rt_at_equality(op_of(run, relation));
    return at->watch.watched_positive[relation] == 0;
}

void hbg_rt_tell_doubts(hbg_rt_instance *run, double *within) {
    run->at.watch.doubts = within;
    hbg_rt_keep_judged(run, false); // an instant that continues may be given others
}

bool hbg_rt_is_doubted(const hbg_rt_instance *run, int32_t relation, double difference) {
    const instant_data *at = &run->at;
    bool found = at->crossed[relation] != 0 && at->crossed[relation] != TURNED;
    double within = at->watch.doubts == NULL || found ? 0 : at->watch.doubts[relation];
    return within > 0 && fabs(difference) <= within;
}

bool hbg_rt_touch_matters(const hbg_rt_instance *run, int32_t root) {
    if (run->by_hand) return true;
    int32_t relation = root - run->system->guard_first;
    const instant_watch *watch = &run->at.watch;
    const hbg_rt_relation *of = &run->image->instants.guards.relations[relation];
    bool holds = hbg_rt_at_equality(of->op);
    if (of->always || watch->by_area[relation] || hbg_rt_is_equality(of->op)) return true;
    if (watch->muted[relation] || holds == watch->truth[relation]) return false;
    return (holds ? watch->watched_positive : watch->watched_negative)[relation] > 0;
}

/* Sets the side of a relation when time advances: by its area, or by its finite value if it has no area. An
 * area that was just crossed is about to be nonzero again. */
static void take_side(hbg_rt_instance *run, int32_t relation, bool moved, instant_value difference) {
    instant_data *at = &run->at;
    at->area_band[relation] = fmax(at->area_band[relation], difference.area_size);
    if (run->image->instants.guards.relations[relation].always) // no guard has updated its size
        at->fin_band[relation] = fmax(at->fin_band[relation], difference.fin_size);
    bool has_area = fabs(difference.area) > HBG_RT_BAND * at->area_band[relation];
    bool by_area = has_area || (at->crossed[relation] && at->watch.by_area[relation]);
    double value = by_area ? difference.area : difference.fin;
    double band = by_area ? at->area_band[relation] : at->fin_band[relation];
    bool in_band = fabs(value) <= HBG_RT_BAND * band;
    bool equality = hbg_rt_is_equality(op_of(run, relation));
    at->watch.by_area[relation] = by_area;
    at->watch.muted[relation] = 0;
    if (!by_area && hbg_rt_is_doubted(run, relation, value)) return;
    if (in_band && equality) at->watch.muted[relation] = mute_equality(run, relation);
    if (in_band && !equality && at->crossed[relation]) // it waits until it is clear of equality
        at->watch.muted[relation] = mute(run, relation, moved);
    at->watch.plan.at_border[relation] = false;
    if (hbg_rt_guard_is_planned(run, relation)) {
        bool after = hbg_rt_guard_holds_after(run, relation, at->watch.plan.t);
        at->watch.plan.at_border[relation] =
            in_band && !at->crossed[relation] && after != hbg_rt_at_equality(op_of(run, relation));
        at->watch.muted[relation] = 0;
        at->watch.truth[relation] = after;
        if (!at->watch.plan.at_border[relation]) return;
    }
    at->watch.any_muted |= at->watch.muted[relation] != 0;
    at->watch.truth[relation] =
        in_band ? truth_at_equality(run, relation) : hbg_rt_side_of(run, relation, value);
}

/* Sets the sides of the relations of an island in which something happened. */
static void take_sides(hbg_rt_instance *run, const hbg_rt_island *of) {
    const hbg_rt_relation *relations = run->image->instants.guards.relations;
    const int32_t *automata = hbg_rt_list(run, of->automata), *own = hbg_rt_list(run, of->relations);
    bool moved = false; // on a relation that was found
    for (int32_t i = 0; i < of->automata.count; i++)
        moved |= run->at.came_from[automata[i]] != HBG_RT_NONE ||
                 hbg_rt_is_back(run, automata[i], run->states[automata[i]]);
    // differences that read relations need them as judged, before their sides change
    for (int32_t i = 0; i < of->relations.count; i++)
        if (relations[own[i]].reads_relations) (void)hbg_rt_difference_of(run, own[i]);
    for (int32_t i = 0; i < of->relations.count; i++)
        take_side(run, own[i], moved, hbg_rt_difference_of(run, own[i]));
}

/* A contact at rest that opens will bounce again the next time. */
static void follow_rest(hbg_rt_instance *run) {
    const hbg_rt_restitution *restitution = run->image->instants.kept.restitution;
    for (int32_t i = 0; i < run->image->instants.counts.restitution; i++) {
        uint8_t *kind = &run->at.bounce.resting[i];
        bool on = hbg_rt_is_on(run, restitution[i].place);
        if (*kind == REST_WANTED && on) *kind = REST_ENTERED;
        if (*kind == REST_ENTERED && !on) *kind = REST_NONE;
    }
}

/* Islands in which nothing happened continue as before. */
hbg_rt_status hbg_rt_flow(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    if (run->by_hand) return hbg_rt_hand_flow(run, states);
    hbg_rt_status status = hbg_rt_set_mode(run, states);
    (void)t;
    (void)x;
    if (status != HBG_RT_OK) return status;
    memset(run->outside.ticks, 0, (size_t)run->image->instants.counts.automata);
    hbg_rt_keep_judged(run, false);
    follow_rest(run);
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_follow_guards(run, run->active[n]);
        take_sides(run, hbg_rt_active_island(run, n));
    }
    hbg_rt_use_pre(run, run->at.limits.pre_law);
    run->r[run->image->instants.outside.live] = 0;
    hbg_rt_rest_islands(run);
    return hbg_rt_ready_blocks(run);
}

static double area_of(const hbg_rt_instance *run, int32_t relation) {
    int32_t reg = run->image->instants.guards.relations[relation].watch_area;
    return reg == HBG_RT_NONE ? 0 : run->r[reg];
}

hbg_rt_status hbg_rt_difference_at(hbg_rt_instance *run, int32_t relation, double t, const double *x,
                                   double *value) {
    hbg_rt_status status = hbg_rt_watch_values(run, t, x);
    *value =
        area_of(run, relation) == 0 ? run->r[run->image->instants.guards.relations[relation].watch] : NAN;
    return status == HBG_RT_OK ? status : hbg_rt_note_failure(run, t, status);
}

/* Whether an area appears where there was none. Root finding evaluates values near these, about 1e-10
 * away. */
static bool area_begins(const hbg_rt_instance *run, int32_t relation, double area) {
    return fabs(area) > 10 * HBG_RT_BAND * run->at.area_band[relation];
}

/* The difference that decides a relation while time advances: that of the finite parts, or that of the areas,
 * scaled so that its band is that of the finite parts. It changes from one to the other only between accepted
 * steps, so that it is smooth within a step. */
static double deciding(const hbg_rt_instance *run, int32_t relation) {
    const instant_data *at = &run->at;
    double area = area_of(run, relation), fin = run->r[run->image->instants.guards.relations[relation].watch];
    if (area == 0) return fin;
    bool scaled = at->fin_band[relation] > 0 && at->area_band[relation] > 0;
    if (at->watch.by_area[relation])
        return scaled ? area * (at->fin_band[relation] / at->area_band[relation]) : area;
    return area_begins(run, relation, area) ? copysign(fmax(fabs(fin), fabs(area)), area) : fin;
}

/* For a relation that was crossed and is at equality: negative once it is clear of the band on a side where
 * it may enable a guard. */
static double clear_of_equality(const hbg_rt_instance *run, int32_t relation, double difference) {
    uint8_t muted = run->at.watch.muted[relation];
    double band = 2 * HBG_RT_BAND * run->at.fin_band[relation];
    double to_true = hbg_rt_side_of(run, relation, 1) ? difference : -difference;
    if ((muted & MUTED_UNLESS_TRUE) && (muted & MUTED_UNLESS_FALSE)) return band - fabs(difference);
    if (muted & MUTED_UNLESS_TRUE) return band - to_true;
    return muted & MUTED_UNLESS_FALSE ? band + to_true : 1;
}

/* Positive while the relation keeps its truth. */
hbg_rt_status hbg_rt_watch_guards(hbg_rt_instance *run, double t, const double *x, double *g) {
    const hbg_rt_instants *instants = &run->image->instants;
    hbg_rt_status status = hbg_rt_watch_values(run, t, x);
    if (status != HBG_RT_OK) return hbg_rt_note_failure(run, t, status);
    const hbg_rt_relation *of = instants->guards.relations;
    for (int32_t k = 0; k < instants->counts.relations; k++) {
        g[k] = 1;
        if (!run->at.watch.watched[k] || (of[k].plan != HBG_RT_NONE && hbg_rt_guard_is_planned(run, k)))
            continue;
        double difference = of[k].watch_area == HBG_RT_NONE ? run->r[of[k].watch] : deciding(run, k);
        if (instants->has_open && isnan(difference)) continue; // other parts decide
        bool upwards = hbg_rt_holds_above(of[k].op) ==
                       run->at.watch.truth[k]; // it is on the side of positive differences
        g[k] = upwards ? difference : -difference;
        if (run->at.watch.muted[k]) g[k] = clear_of_equality(run, k, difference);
    }
    return HBG_RT_OK;
}

/* A relation that was crossed counts again once it has left equality, unless leaving to that side is an event
 * itself. */
static void unmute(hbg_rt_instance *run, int32_t relation) {
    instant_data *at = &run->at;
    double difference = deciding(run, relation);
    bool to_true = hbg_rt_side_of(run, relation, difference);
    bool still = fabs(difference) <= HBG_RT_BAND * at->fin_band[relation] ||
                 (at->watch.muted[relation] & (to_true ? MUTED_UNLESS_TRUE : MUTED_UNLESS_FALSE));
    at->watch.any_muted |= still;
    if (still) return;
    at->watch.muted[relation] = 0;
    at->watch.truth[relation] = to_true;
}

/* Follows an accepted step: sizes of states grow, and areas begin or cease to decide. */
hbg_rt_status hbg_rt_accept(hbg_rt_instance *run, double t, const double *x) {
    const hbg_rt_instant_counts *counts = &run->image->instants.counts;
    instant_data *at = &run->at;
    for (int32_t i = 0; i < counts->states; i++) {
        double size = fabs(x[i]);
        if (size > at->state_size[i]) at->state_size[i] = size;
    }
    if (!at->watch.any_muted && counts->ins == 0) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_watch_values(run, t, x);
    if (status != HBG_RT_OK) return hbg_rt_note_failure(run, t, status);
    at->watch.any_muted = false;
    for (int32_t k = 0; k < counts->relations; k++) {
        double area = area_of(run, k);
        at->watch.by_area[k] = at->watch.by_area[k] ? area != 0 : area_begins(run, k, area);
        if (at->watch.muted[k]) unmute(run, k);
    }
    return HBG_RT_OK;
}
