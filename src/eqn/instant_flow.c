/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Time between instants: which relations of guards are watched, on which side they are, and when one that was crossed counts
 * again (semantics, section 5). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eqn/instance_impl.h"

static void watch_active(hbg_rt_instance *run) {
    const hbg_model *model = run->eqn->model;
    memset(run->at.active, 0, (size_t)run->eqn->relations.count);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton_state *state =
            &model->states.items[model->automata.items[i].first_state + run->states[i]];
        if (run->eqn->system.automata[i].every > 0) continue; // looked at on its ticks
        for (int32_t k = 0; k < state->transition_count; k++) {
            const guard_info *guard = &run->eqn->guards[state->first_transition + k];
            for (int32_t m = 0; m < guard->relation_count; m++) run->at.active[guard->relations[m]] = true;
        }
    }
}

static hbg_rt_status watch_values(hbg_rt_instance *run, double t, const double *x) {
    const readout *of = &run->mode->watch;
    hbg_rt_status status = HBG_RT_OK;
    if (run->eqn->ins.count > 0) {
        compiled_mode *mode = run->at.mode;
        double *settled = run->at.settled; // what other modes start from holds in this one
        memcpy(settled, x, (size_t)run->eqn->state_count * sizeof *settled);
        status = run->eqn->system.settle(run, t, settled);
        if (status == HBG_RT_OK) status = hbg_eqn_evaluate_ins(run, run->states, t, settled);
        run->at.mode = mode;
        for (int32_t i = 0; i < run->eqn->model->automata.count; i++)
            *hbg_eqn_home_of(run, VARIABLE_AUTOMATON, i) = run->states[i];
    }
    if (status == HBG_RT_OK) status = hbg_eqn_evaluate(run, t, x);
    if (status == HBG_RT_OK) status = hbg_eqn_execute(run, of->code.code, of->code.count);
    return status;
}

static hbg_rt_status flow(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    compiled_mode *mode;
    hbg_rt_status status = hbg_eqn_find_mode(run, states, &mode);
    if (status != HBG_RT_OK) return status;
    run->mode = mode;
    memset(run->ticks, 0, (size_t)eqn->model->automata.count);
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        *hbg_eqn_home_of(run, VARIABLE_AUTOMATON, i) = states[i];
    hbg_eqn_use_pre(run, run->at.pre_law);
    run->at.any_muted = false;
    hbg_eqn_follow_rest(run);
    watch_active(run);
    status = watch_values(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    for (int32_t k = 0; k < eqn->relations.count; k++) {
        const relation_info *of = &eqn->relations.items[k];
        double difference = run->r[run->mode->watch.reg[k]];
        int op = eqn->terms.nodes.items[of->term].op;
        bool less = op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL;
        bool in_band = fabs(difference) <= HBG_EQN_BAND * run->at.fin_band[k];
        // at equality only the side that can enable a guard is an event; what was crossed waits until it is clear of it
        run->at.muted[k] = in_band && run->at.crossed[k];
        run->at.any_muted |= run->at.muted[k];
        run->at.truth[k] = in_band ? of->polarity == POLARITY_NEGATIVE
                           : less  ? difference < 0
                                   : difference > 0;
    }
    return HBG_RT_OK;
}

/* Positive while the relation keeps its truth. */
hbg_rt_status hbg_eqn_watch(hbg_rt_instance *run, double t, const double *x, double *g) {
    const hbg_eqn *eqn = run->eqn;
    hbg_rt_status status = watch_values(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    for (int32_t k = 0; k < eqn->relations.count; k++) {
        int op = eqn->terms.nodes.items[eqn->relations.items[k].term].op;
        double difference = run->r[run->mode->watch.reg[k]];
        bool less = op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL;
        g[k] = !run->at.active[k] || run->at.muted[k] ? 1
               : less == run->at.truth[k]             ? -difference
                                                      : difference;
    }
    return HBG_RT_OK;
}

/* Relations that have left equality since the instant count again. */
static hbg_rt_status accept(hbg_rt_instance *run, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < eqn->state_count; i++) // bands are shares of what there was in this run
        run->at.state_size[i] = fmax(run->at.state_size[i], fabs(x[i]));
    if (!run->at.any_muted) return HBG_RT_OK;
    hbg_rt_status status = watch_values(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    run->at.any_muted = false;
    for (int32_t k = 0; k < eqn->relations.count; k++) {
        int op = eqn->terms.nodes.items[eqn->relations.items[k].term].op;
        bool less = op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL;
        double difference = run->r[run->mode->watch.reg[k]];
        if (!run->at.muted[k]) continue;
        run->at.muted[k] = fabs(difference) <= HBG_EQN_BAND * run->at.fin_band[k];
        run->at.any_muted |= run->at.muted[k];
        if (!run->at.muted[k]) run->at.truth[k] = less ? difference < 0 : difference > 0;
    }
    return HBG_RT_OK;
}

void hbg_eqn_flow_functions(hbg_rt_system *system) {
    system->flow = flow;
    system->accept = accept;
}
