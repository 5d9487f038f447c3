/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values at an instant: finite parts and areas of the islands that something happens in, in the mode considered and in other states,
 * and what of them is kept for `pre` (semantics, sections 2 and 5). */
#include <math.h>
#include <string.h>

#include "eqn/instance_impl.h"

double *hbg_eqn_home_of(hbg_rt_instance *run, variable_kind kind, int32_t index) {
    return &run->r[run->eqn->home[run->eqn->first[kind] + index]];
}

/* ---- islands ------------------------------------------------------------------------------------------ */

void hbg_eqn_activate(hbg_rt_instance *run, int32_t island) {
    if (island == HBG_NONE || run->is_active[island]) return;
    run->is_active[island] = true;
    run->active[run->active_count++] = island;
}

void hbg_eqn_activate_all(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->island_count; i++) hbg_eqn_activate(run, i);
}

void hbg_eqn_rest_islands(hbg_rt_instance *run) {
    while (run->active_count > 0) run->is_active[run->active[--run->active_count]] = false;
}

static void set_old(hbg_rt_instance *run, int32_t state, double value) {
    instant_data *at = &run->at;
    int32_t home = run->eqn->home[run->eqn->first[VARIABLE_OLD] + state];
    run->r[home] = value;
    at->state_size[state] = fmax(at->state_size[state], fabs(value));
    if (home < at->size_capacity) at->size[home] = at->state_size[state];
}

/* One for whom something happens; finite parts and areas in the mode the run is in. */
static hbg_rt_status run_island(hbg_rt_instance *run, int32_t number, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    const island *of = &eqn->islands.items[number];
    const event_variant *event = run->event[number];
    instant_data *at = &run->at;
    for (int32_t i = 0; i < event->old_count; i++) set_old(run, event->olds[i], x[event->olds[i]]);
    hbg_rt_program code = hbg_rt_program_at(run->image, event->code);
    hbg_rt_status status = hbg_eqn_execute(run, code.code, code.count);
    for (int32_t i = 0; i < of->asked.count; i++)
        at->event_register[of->asked.items[i]] = event->registers[i];
    return status;
}

hbg_rt_status hbg_eqn_run_events(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = hbg_eqn_ready_events(run);
    located_use used = run->located;
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    run->at.t = t;
    run->located = LOCATED_DIRECT;
    status = hbg_eqn_set_time(run, t);
    for (int32_t i = 0; i < run->active_count && status == HBG_RT_OK; i++)
        status = run_island(run, run->active[i], x);
    run->located = used;
    return status == HBG_RT_OK ? status : hbg_eqn_failed(run, t, status);
}

/* How large what contributed is. */
static void measure(hbg_rt_instance *run, const event_variant *event) {
    for (int32_t i = 0; i < event->input_count; i++)
        run->at.size[event->inputs[i]] = fabs(run->r[event->inputs[i]]);
    hbg_rt_program code = hbg_rt_program_at(run->image, event->code);
    hbg_eqn_measure(run, code.code, code.count);
}

/* Finite parts and areas in the mode of the states, entered with x. */
hbg_rt_status hbg_eqn_values_in(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    hbg_rt_status status = hbg_eqn_set_mode(run, states);
    if (status == HBG_RT_OK) status = hbg_eqn_ready_events(run);
    if (status == HBG_RT_OK) status = hbg_eqn_instant_room(run);
    if (status == HBG_RT_OK) status = hbg_eqn_run_events(run, t, x);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < run->active_count; i++) measure(run, run->event[run->active[i]]);
    hbg_eqn_new_values(run);
    for (int32_t n = 0; n < run->active_count; n++) {
        const event_variant *event = run->event[run->active[n]];
        for (int32_t i = 0; i < event->check_count; i++) {
            int32_t area = event->checks[i].area;
            if (fabs(run->r[area]) <= HBG_EQN_BAND * run->at.size[area]) continue;
            run->at.refused = event->checks[i].term;
            return hbg_eqn_refuse(run);
        }
    }
    return HBG_RT_OK;
}

instant_value hbg_eqn_walk_at(hbg_rt_instance *run, const term_walk *walk) {
    return hbg_eqn_value_at(run, walk->terms[walk->count - 1], walk->terms, walk->count);
}

static void give_in(hbg_rt_instance *run, int32_t i) {
    const hbg_eqn *eqn = run->eqn;
    *hbg_eqn_home_of(run, VARIABLE_IN, i) = run->in_values[i].fin;
    run->r[eqn->home[eqn->first[VARIABLE_IN] + i + LAYER_AREA * eqn->base_count]] = run->in_values[i].area;
}

instant_value hbg_eqn_difference(hbg_rt_instance *run, int32_t relation) {
    const relation_info *of = &run->eqn->relations.items[relation];
    run->at.a_priori = true;
    return hbg_eqn_value_at(run, of->difference, of->walk, of->walk_count);
}

/* An area that is rounding is none: beside it finite parts would not count. */
static instant_value without_rounding(hbg_rt_instance *run, int32_t i, instant_value value) {
    double *size = &run->at.in_area[i];
    *size = fmax(*size, value.area_size);
    value.area_size = *size;
    if (fabs(value.area) <= 1e-13 * *size) value.area = 0;
    return value;
}

/* A junction that would come on bounces, as it will when it does. */
void hbg_eqn_ready_bounces(hbg_rt_instance *run, const bool *off) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t n = 0; n < run->active_count; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        for (int32_t i = 0; i < of->restitution.count && of->ins.count > 0; i++) {
            int32_t element = of->restitution.items[i];
            bool came = off ? off[element] : !hbg_eqn_is_on(run, element);
            bool bounces = came && run->at.resting[element] == REST_NONE;
            run->at.in_bounce[element] = bounces ? hbg_eqn_bounce_of(run, element) : 0;
        }
    }
}

static void record_left(hbg_rt_instance *run, const island *of) {
    instant_data *at = &run->at;
    for (int32_t i = 0; i < of->variables.count; i++) {
        int32_t variable = of->variables.items[i];
        int32_t place = at->left_of[variable];
        instant_value value = hbg_eqn_variable_at(run, variable);
        at->left[place] = value.fin;
        at->left_size[place] = fmax(at->left_size[place], fabs(value.fin));
        at->left_share[place] = value.fin_size; // near a pole for a moment only: not kept
    }
}

/* What is before an instant that other states would make of this moment: pre is the present there. */
hbg_rt_status hbg_eqn_record_sums(hbg_rt_instance *run, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    bool there = false, a_priori = run->at.a_priori;
    for (int32_t n = 0; n < run->active_count && !there; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        there = of->restitution.count > 0 && of->ins.count > 0;
    }
    if (!there) return HBG_RT_OK;
    hbg_rt_status status = hbg_eqn_values_in(run, run->states, t, x);
    if (status != HBG_RT_OK) return status;
    run->at.a_priori = false;
    for (int32_t n = 0; n < run->active_count; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        record_left(run, of);
        for (int32_t i = 0; i < of->pres.count; i++) {
            int32_t pre = of->pres.items[i];
            run->at.pre_used[pre] = *hbg_eqn_home_of(run, VARIABLE_PRE, pre);
            *hbg_eqn_home_of(run, VARIABLE_PRE, pre) = hbg_eqn_walk_at(run, &eqn->pre_walks[pre]).fin;
        }
    }
    hbg_eqn_ready_bounces(run, NULL);
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *pres = &eqn->islands.items[run->active[n]].pres;
        for (int32_t i = 0; i < pres->count; i++)
            *hbg_eqn_home_of(run, VARIABLE_PRE, pres->items[i]) = run->at.pre_used[pres->items[i]];
    }
    run->at.a_priori = a_priori;
    return HBG_RT_OK;
}

/* Those that are off in a state do not read theirs. */
static void swap_bounces(hbg_rt_instance *run) {
    for (int32_t n = 0; n < run->active_count; n++) {
        const island *of = &run->eqn->islands.items[run->active[n]];
        for (int32_t i = 0; i < of->restitution.count && of->ins.count > 0; i++) {
            int32_t element = of->restitution.items[i];
            double *home = hbg_eqn_home_of(run, VARIABLE_BOUNCE, element), kept = *home;
            *home = run->at.in_bounce[element];
            run->at.in_bounce[element] = kept;
        }
    }
}

/* in(automaton.state, …): the same energies in the other state, the jump included; nothing else changes. */
static hbg_rt_status find_ins(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    hbg_eqn *eqn = run->eqn;
    bool a_priori = run->at.a_priori;
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t n = 0; n < run->active_count && status == HBG_RT_OK; n++) {
        const int32_map *ins = &eqn->islands.items[run->active[n]].ins;
        for (int32_t k = 0; k < ins->count && status == HBG_RT_OK; k++) {
            const in_info *in = &eqn->ins.items[ins->items[k]];
            const in_info *last = k > 0 ? &eqn->ins.items[ins->items[k - 1]] : NULL;
            bool same = last && last->automaton == in->automaton && last->state == in->state;
            int32_t *changed = run->other_states;
            memcpy(changed, states, (size_t)eqn->model->automata.count * sizeof *changed);
            changed[in->automaton] = in->state;
            if (!same) status = hbg_eqn_values_in(run, changed, t, x);
            if (status != HBG_RT_OK) return status;
            run->at.a_priori = false;
            run->in_values[ins->items[k]] =
                without_rounding(run, ins->items[k], hbg_eqn_walk_at(run, &eqn->in_walks[ins->items[k]]));
            run->at.a_priori = a_priori;
        }
    }
    return status;
}

hbg_rt_status hbg_eqn_evaluate_ins(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    swap_bounces(run);
    hbg_rt_status status = find_ins(run, states, t, x);
    swap_bounces(run);
    if (status != HBG_RT_OK) return status;
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *ins = &eqn->islands.items[run->active[n]].ins;
        for (int32_t k = 0; k < ins->count; k++) give_in(run, ins->items[k]);
    }
    return hbg_eqn_set_mode(run, states);
}

hbg_rt_status hbg_eqn_begin_ders(hbg_rt_instance *run, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    hbg_rt_status status = HBG_RT_OK;
    bool there = false, a_priori = run->at.a_priori;
    for (int32_t n = 0; n < run->active_count && !there; n++)
        there = eqn->islands.items[run->active[n]].pres.count > 0;
    if (there) status = hbg_eqn_values_in(run, run->states, t, x);
    run->at.a_priori = false;
    for (int32_t n = 0; n < run->active_count && there && status == HBG_RT_OK; n++) {
        const int32_map *pres = &eqn->islands.items[run->active[n]].pres;
        for (int32_t i = 0; i < pres->count; i++)
            if (eqn->der_terms[pres->items[i]] != HBG_NONE)
                *hbg_eqn_home_of(run, VARIABLE_PRE, pres->items[i]) =
                    hbg_eqn_walk_at(run, &eqn->pre_walks[pres->items[i]]).fin;
    }
    run->at.a_priori = a_priori;
    *hbg_eqn_home_of(run, VARIABLE_LIVE, 0) = 1;
    return status;
}

double hbg_eqn_record_pre(hbg_rt_instance *run, int32_t pre) {
    instant_value value = hbg_eqn_walk_at(run, &run->eqn->pre_walks[pre]);
    run->at.pre_size[pre] = fmax(run->at.pre_size[pre], value.fin_size);
    return value.fin;
}

/* The derivative of pre(…) is 0: what der(…) compares its argument with has the pre(…) in it that counts from now on, too. */
void hbg_eqn_record_ders(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    double *kept = run->at.pre_used;
    if (!eqn->has_ders_of_pre) return;
    for (int32_t i = 0; i < eqn->pre.count; i++) kept[i] = *hbg_eqn_home_of(run, VARIABLE_PRE, i);
    hbg_eqn_use_pre(run, run->pre_next);
    hbg_eqn_new_values(run);
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *pres = &eqn->islands.items[run->active[n]].pres;
        for (int32_t i = 0; i < pres->count; i++)
            if (eqn->der_terms[pres->items[i]] != HBG_NONE)
                run->pre_next[pres->items[i]] = hbg_eqn_record_pre(run, pres->items[i]);
    }
    hbg_eqn_use_pre(run, kept);
}

/* Keeps the finite values guards read, and those of pre. */
void hbg_eqn_record(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    at->a_priori = false;
    at->without_pulses = true;
    hbg_eqn_new_values(run);
    for (int32_t n = 0; n < run->active_count; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        record_left(run, of);
        for (int32_t i = 0; i < of->pres.count; i++)
            run->pre_next[of->pres.items[i]] = hbg_eqn_record_pre(run, of->pres.items[i]);
    }
    hbg_eqn_record_ders(run);
    at->without_pulses = false;
    hbg_eqn_new_values(run);
}

void hbg_eqn_use_pre(hbg_rt_instance *run, const double *values) {
    for (int32_t i = 0; i < run->eqn->pre.count; i++) *hbg_eqn_home_of(run, VARIABLE_PRE, i) = values[i];
}

/* What stands in laws of islands in which something became real; those of the others stay. */
void hbg_eqn_keep_pre(const hbg_rt_instance *run, double *values) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *pres = &eqn->islands.items[run->active[n]].pres;
        for (int32_t i = 0; i < pres->count; i++)
            values[pres->items[i]] = run->r[eqn->home[eqn->first[VARIABLE_PRE] + pres->items[i]]];
    }
}
