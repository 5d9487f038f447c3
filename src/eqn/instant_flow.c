/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Time between instants: which relations of guards are watched, on which side they are, and when one that was crossed counts
 * again (semantics, section 5). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eqn/instance_impl.h"

static void count_guards(hbg_rt_instance *run, int32_t automaton, int32_t state, int change) {
    const hbg_model *model = run->eqn->model;
    if (state == HBG_NONE || run->eqn->system.automata[automaton].every > 0) return; // looked at on its ticks
    const hbg_automaton_state *of =
        &model->states.items[model->automata.items[automaton].first_state + state];
    for (int32_t k = 0; k < of->transition_count; k++) {
        const guard_info *guard = &run->eqn->guards[of->first_transition + k];
        for (int32_t m = 0; m < guard->relation_count; m++) {
            run->at.watched[guard->relations[m]] += change;
            if (guard->enables[m] & ENABLES_TRUE) run->at.watched_positive[guard->relations[m]] += change;
            if (guard->enables[m] & ENABLES_FALSE) run->at.watched_negative[guard->relations[m]] += change;
        }
    }
}

/* Relations of guards that can be taken are watched. */
void hbg_eqn_follow_guards(hbg_rt_instance *run, const island *of) {
    for (int32_t n = 0; n < of->automata.count; n++) {
        int32_t i = of->automata.items[n];
        int32_t *old = &run->at.watched_state[i];
        int32_t now = run->held[i] == HBG_NONE ? run->states[i] : HBG_NONE; // stuck: none can be taken
        if (*old == now) continue;
        count_guards(run, i, *old, -1);
        count_guards(run, i, now, 1);
        *old = now;
    }
}

/* in(…) looks at all islands that have it, and leaves those active as they are. */
static hbg_rt_status watch_ins(hbg_rt_instance *run, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    double *settled = run->at.settled; // what other modes start from holds in this one
    memcpy(settled, x, (size_t)eqn->state_count * sizeof *settled);
    hbg_rt_status status = eqn->system.settle(run, t, settled);
    if (status != HBG_RT_OK) return status;
    hbg_eqn_rest_islands(run);
    for (int32_t i = 0; i < run->island_count; i++)
        if (eqn->islands.items[i].ins.count > 0) hbg_eqn_activate(run, i);
    status = hbg_eqn_record_sums(run, t, settled);
    if (status == HBG_RT_OK) status = hbg_eqn_begin_ders(run, t, settled);
    if (status == HBG_RT_OK) status = hbg_eqn_evaluate_ins(run, run->states, t, settled);
    *hbg_eqn_home_of(run, VARIABLE_LIVE, 0) = 0;
    hbg_eqn_rest_islands(run);
    return status;
}

/* At an instant what is considered has its own. */
hbg_rt_status hbg_eqn_refresh_ins(hbg_rt_instance *run, double t, const double *x, reading_kind reading) {
    bool wanted = run->eqn->ins_read >> reading & 1;
    if (!wanted || run->at.in_others || run->active_count > 0) return HBG_RT_OK;
    run->at.in_others = true;
    hbg_rt_status status = watch_ins(run, t, x);
    run->at.in_others = false;
    return status;
}

static hbg_rt_status watch_values(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = run->eqn->ins.count > 0 ? watch_ins(run, t, x) : HBG_RT_OK;
    return status == HBG_RT_OK ? hbg_eqn_read(run, t, x, READ_WATCH) : status;
}

/* At the instant guards were judged with the relation as if it had been crossed; only those that lead back to where an automaton came
 * from were not. */
static uint8_t mute(const hbg_rt_instance *run, int32_t relation, bool moved) {
    const instant_data *at = &run->at;
    int op = run->eqn->terms.nodes.items[run->eqn->relations.items[relation].term].op;
    bool judged = at->crossed[relation] == TOUCHED ? hbg_eqn_at_equality(op) : !at->truth[relation];
    bool when_true = at->watched_positive[relation] > 0 && (moved || !judged);
    bool when_false = at->watched_negative[relation] > 0 && (moved || judged);
    return (uint8_t)(MUTED | (when_true ? MUTED_UNLESS_TRUE : 0) | (when_false ? MUTED_UNLESS_FALSE : 0));
}

/* == and != are other than at equality on both sides of it: there each of them is an event where that may enable a guard. */
static uint8_t mute_equality(const hbg_rt_instance *run, int32_t relation) {
    const instant_data *at = &run->at;
    bool equal = run->eqn->relations.items[relation].op == HBG_OP_EQUAL;
    bool leaves = (equal ? at->watched_negative : at->watched_positive)[relation] > 0;
    return MUTED | (leaves ? MUTED_UNLESS_TRUE | MUTED_UNLESS_FALSE : 0);
}

/* At equality only a side that can enable a guard is an event; where both can, the one on which it is not what it is now. */
static bool truth_at_equality(const hbg_rt_instance *run, int32_t relation) {
    const instant_data *at = &run->at;
    if (at->watched_positive[relation] > 0 && at->watched_negative[relation] > 0)
        return hbg_eqn_at_equality(run->eqn->relations.items[relation].op);
    return at->watched_positive[relation] == 0;
}

/* The side a relation is on when time flows on: by its area, or by its finite value where it has none. An area that was just
 * crossed is about to be one again. */
static void take_side(hbg_rt_instance *run, int32_t relation, bool moved, instant_value difference) {
    instant_data *at = &run->at;
    at->area_band[relation] = fmax(at->area_band[relation], difference.area_size);
    bool has_area = fabs(difference.area) > HBG_EQN_BAND * at->area_band[relation];
    bool by_area = has_area || (at->crossed[relation] && at->by_area[relation]);
    double value = by_area ? difference.area : difference.fin;
    double band = by_area ? at->area_band[relation] : at->fin_band[relation];
    bool in_band = fabs(value) <= HBG_EQN_BAND * band;
    bool equality = hbg_eqn_is_equality(run->eqn->relations.items[relation].op);
    at->by_area[relation] = by_area;
    at->muted[relation] = 0;
    if (in_band && equality) at->muted[relation] = mute_equality(run, relation);
    if (in_band && !equality && at->crossed[relation]) // it waits until it is clear of it
        at->muted[relation] = mute(run, relation, moved);
    at->any_muted |= at->muted[relation] != 0;
    at->truth[relation] =
        in_band ? truth_at_equality(run, relation) : hbg_eqn_side(run->eqn, relation, value);
}

/* Islands nothing happened in go on as before. */
static hbg_rt_status flow(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    hbg_rt_status status = hbg_eqn_set_mode(run, states);
    (void)t;
    (void)x;
    if (status != HBG_RT_OK) return status;
    memset(run->ticks, 0, (size_t)eqn->model->automata.count);
    hbg_eqn_follow_rest(run);
    for (int32_t n = 0; n < run->active_count; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        bool moved = false; // on a relation that was found
        for (int32_t i = 0; i < of->automata.count; i++)
            moved |= run->at.came_from[of->automata.items[i]] != HBG_NONE;
        hbg_eqn_follow_guards(run, of);
        // what reads relations reads them as they were judged, before they take their sides
        for (int32_t i = 0; i < of->relations.count; i++)
            if (eqn->relations.items[of->relations.items[i]].reads_relations)
                (void)hbg_eqn_difference(run, of->relations.items[i]);
        for (int32_t i = 0; i < of->relations.count; i++)
            take_side(run, of->relations.items[i], moved, hbg_eqn_difference(run, of->relations.items[i]));
    }
    hbg_eqn_use_pre(run, run->at.pre_law);
    *hbg_eqn_home_of(run, VARIABLE_LIVE, 0) = 0;
    hbg_eqn_rest_islands(run);
    return hbg_eqn_ready(run);
}

/* Registers of what is watched. */
static const int32_t *watched(const hbg_rt_instance *run) {
    return hbg_eqn_registers(run->image, &run->image->code.finals[READ_WATCH]);
}

static double area_of(const hbg_rt_instance *run, int32_t relation) {
    int32_t place = run->eqn->relations.items[relation].area_place;
    return place == HBG_NONE ? 0 : run->r[watched(run)[place]];
}

/* An area comes up where there was none. Roots are looked for among values around these, 1e-10 away. */
static bool area_begins(const hbg_rt_instance *run, int32_t relation, double area) {
    return fabs(area) > 10 * HBG_EQN_BAND * run->at.area_band[relation];
}

/* The difference that decides a relation while time flows: of the areas, as large beside its band as the finite parts are beside
 * theirs, or of the finite parts. Which of them does so changes with accepted steps only, so that it is smooth inside. */
static double deciding(const hbg_rt_instance *run, int32_t relation) {
    const instant_data *at = &run->at;
    double area = area_of(run, relation), fin = run->r[watched(run)[relation]];
    if (area == 0) return fin;
    bool scaled = at->fin_band[relation] > 0 && at->area_band[relation] > 0;
    if (at->by_area[relation])
        return scaled ? area * (at->fin_band[relation] / at->area_band[relation]) : area;
    return area_begins(run, relation, area) ? copysign(fmax(fabs(fin), fabs(area)), area) : fin;
}

/* Of a relation that was crossed and is at equality: negative where it has left that to a side on which it may enable a guard, and
 * is clear of the band. */
static double clear_of_equality(const hbg_rt_instance *run, int32_t relation, double difference) {
    uint8_t muted = run->at.muted[relation];
    double band = 2 * HBG_EQN_BAND * run->at.fin_band[relation];
    double to_true = hbg_eqn_side(run->eqn, relation, 1) ? difference : -difference;
    if ((muted & MUTED_UNLESS_TRUE) && (muted & MUTED_UNLESS_FALSE)) return band - fabs(difference);
    if (muted & MUTED_UNLESS_TRUE) return band - to_true;
    return muted & MUTED_UNLESS_FALSE ? band + to_true : 1;
}

/* Positive while the relation keeps its truth. */
hbg_rt_status hbg_eqn_watch(hbg_rt_instance *run, double t, const double *x, double *g) {
    const hbg_eqn *eqn = run->eqn;
    hbg_rt_status status = watch_values(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    for (int32_t k = 0; k < eqn->relations.count; k++) {
        g[k] = 1;
        if (!run->at.watched[k]) continue;
        double difference = deciding(run, k);
        if (eqn->has_open && isnan(difference)) continue; // decided without it
        bool upwards =
            hbg_eqn_side(eqn, k, 1) == run->at.truth[k]; // the side it is on is that of positive differences
        g[k] = upwards ? difference : -difference;
        if (run->at.muted[k]) g[k] = clear_of_equality(run, k, difference);
    }
    return HBG_RT_OK;
}

/* A relation that was crossed and has left equality counts again; to a side that is an event it does so there. */
static void unmute(hbg_rt_instance *run, int32_t relation) {
    instant_data *at = &run->at;
    double difference = deciding(run, relation);
    bool to_true = hbg_eqn_side(run->eqn, relation, difference);
    bool still = fabs(difference) <= HBG_EQN_BAND * at->fin_band[relation] ||
                 (at->muted[relation] & (to_true ? MUTED_UNLESS_TRUE : MUTED_UNLESS_FALSE));
    at->any_muted |= still;
    if (still) return;
    at->muted[relation] = 0;
    at->truth[relation] = to_true;
}

/* An accepted step: bands are shares of what there was in this run; areas begin and end to count. */
static hbg_rt_status accept(hbg_rt_instance *run, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    for (int32_t i = 0; i < eqn->state_count; i++) {
        double size = fabs(x[i]);
        if (size > at->state_size[i]) at->state_size[i] = size;
    }
    if (!at->any_muted && eqn->ins.count == 0) return HBG_RT_OK;
    hbg_rt_status status = watch_values(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    at->any_muted = false;
    for (int32_t k = 0; k < eqn->relations.count; k++) {
        double area = area_of(run, k);
        at->by_area[k] = at->by_area[k] ? area != 0 : area_begins(run, k, area);
        if (at->muted[k]) unmute(run, k);
    }
    return HBG_RT_OK;
}

void hbg_eqn_flow_functions(hbg_rt_system *system) {
    system->flow = flow;
    system->accept = accept;
}
