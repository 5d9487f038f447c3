/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards looked at without a search, at the end of a fixed step: relations of calm automata (calm.c) have one truth in all
 * their states, so that two passes over booleans tell where they go. Whatever is less simple is left to the search: a value
 * near equality, a relation of another automaton that has changed, a second move at the same instant. */
#include <math.h>
#include <string.h>

#include "eqn/instance_impl.h"

bool hbg_eqn_side(const hbg_eqn *eqn, int32_t relation, double difference) {
    switch (eqn->terms.nodes.items[eqn->relations.items[relation].term].op) {
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL: return difference < 0;
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: return difference > 0;
    case HBG_OP_NOT_EQUAL: return true;
    default: return false;
    }
}

static double difference_of(const hbg_rt_instance *run, int32_t relation) {
    return run->r[run->eqn->finals[READ_WATCH].reg[relation]];
}

/* Bands are shares of the largest contributions in this run: those of calm relations are looked at now and then. */
hbg_rt_status hbg_eqn_remeasure(hbg_rt_instance *run, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    const hbg_model *model = eqn->model;
    hbg_eqn_rest_islands(run);
    for (int32_t i = 0; i < eqn->calm.islands.count; i++) hbg_eqn_activate(run, eqn->calm.islands.items[i]);
    run->at.a_priori = false;
    hbg_rt_status status = hbg_eqn_values_in(run, run->states, t, x);
    for (int32_t n = 0; n < eqn->calm.automata.count && status == HBG_RT_OK; n++) {
        const hbg_automaton *of = &model->automata.items[eqn->calm.automata.items[n]];
        const hbg_automaton_state *states = &model->states.items[of->first_state];
        for (int32_t i = 0; i < of->state_count; i++)
            for (int32_t k = 0; k < states[i].transition_count; k++) {
                const guard_info *guard = &eqn->guards[states[i].first_transition + k];
                (void)hbg_eqn_value_at(run, guard->condition, guard->walk, guard->walk_count);
            }
    }
    hbg_eqn_rest_islands(run);
    return status;
}

/* ---- conditions --------------------------------------------------------------------------------------- */

static bool holds(hbg_rt_instance *run, const guard_info *guard) {
    double *value = run->at.step;
    for (int32_t i = 0; i < guard->steps.count; i++) {
        const condition_step *at = &guard->steps.items[i];
        switch (at->op) {
        case CONDITION_RELATION: value[i] = hbg_eqn_side(run->eqn, at->a, difference_of(run, at->a)); break;
        case CONDITION_REGISTER: value[i] = run->r[at->a]; break;
        case CONDITION_NUMBER: value[i] = at->number; break;
        default:
            value[i] = hbg_operator_evaluate((hbg_operator)at->op, value[at->a], at->b < 0 ? 0 : value[at->b],
                                             at->c < 0 ? 0 : value[at->c]);
        }
    }
    return value[guard->steps.count - 1] != 0;
}

/* All calm automata with an enabled transition move; how many did. States are read from their registers. */
static int32_t move_calm(hbg_rt_instance *run, const int32_t *states, int32_t *next) {
    const hbg_eqn *eqn = run->eqn;
    const hbg_model *model = eqn->model;
    int32_t moves = 0;
    for (int32_t n = 0; n < eqn->calm.automata.count; n++) {
        int32_t i = eqn->calm.automata.items[n];
        const hbg_automaton_state *state =
            &model->states.items[model->automata.items[i].first_state + states[i]];
        next[i] = states[i];
        for (int32_t k = 0; k < state->transition_count && run->held[i] == HBG_NONE; k++) {
            if (!holds(run, &eqn->guards[state->first_transition + k])) continue;
            next[i] = model->transitions.items[state->first_transition + k].target;
            moves++;
            break;
        }
    }
    return moves;
}

static void show_states(hbg_rt_instance *run, const int32_t *states) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t n = 0; n < eqn->calm.automata.count; n++) {
        int32_t i = eqn->calm.automata.items[n];
        *hbg_eqn_home_of(run, VARIABLE_AUTOMATON, i) = states[i];
    }
}

/* ---- the look ----------------------------------------------------------------------------------------- */

static bool is_clear(const hbg_rt_instance *run, int32_t relation) {
    return fabs(difference_of(run, relation)) > HBG_EQN_NEAR * run->at.fin_band[relation];
}

/* Whether truths can be told without a search. */
static bool is_plain(const hbg_rt_instance *run) {
    const calm_plan *plan = &run->eqn->calm;
    for (int32_t i = 0; i < plan->relations.count; i++)
        if (!is_clear(run, plan->relations.items[i])) return false;
    for (int32_t i = 0; i < plan->others.count; i++) {
        int32_t k = plan->others.items[i];
        if (run->at.watched[k] == 0) continue;
        if (!is_clear(run, k) || hbg_eqn_side(run->eqn, k, difference_of(run, k)) != run->at.truth[k])
            return false;
    }
    return true;
}

hbg_rt_status hbg_eqn_settle_look(hbg_rt_instance *run, const int32_t *states, bool moved) {
    const hbg_eqn *eqn = run->eqn;
    const calm_plan *plan = &eqn->calm;
    for (int32_t i = 0; i < plan->relations.count; i++) {
        int32_t k = plan->relations.items[i];
        run->at.truth[k] = hbg_eqn_side(eqn, k, difference_of(run, k));
    }
    if (!moved) return HBG_RT_OK;
    for (int32_t n = 0; n < plan->automata.count; n++)
        run->states[plan->automata.items[n]] = states[plan->automata.items[n]];
    for (int32_t i = 0; i < plan->islands.count; i++)
        hbg_eqn_follow_guards(run, &eqn->islands.items[plan->islands.items[i]]);
    return hbg_eqn_set_mode(run, run->states);
}

static hbg_rt_status look(hbg_rt_instance *run, double t, const double *x, hbg_rt_look *of) {
    const calm_plan *plan = &run->eqn->calm;
    hbg_rt_status status = HBG_RT_OK;
    of->moves = 0;
    of->end = HBG_RT_LOOK_SEARCH;
    if (!plan->possible || run->at.any_muted) return HBG_RT_OK;
    if (run->at.looks++ % HBG_EQN_LOOKS == 0) status = hbg_eqn_remeasure(run, t, x);
    if (status == HBG_RT_OK) status = hbg_eqn_read(run, t, x, READ_WATCH);
    if (status != HBG_RT_OK || !is_plain(run)) return status;
    of->moves = move_calm(run, of->states, run->at.next);
    if (of->moves == 0) {
        of->end = HBG_RT_LOOK_QUIET;
        return hbg_eqn_settle_look(run, of->states, false);
    }
    show_states(run, run->at.next);
    int32_t again = move_calm(run, run->at.next, run->other_states);
    show_states(run, of->states);
    if (again > 0) {
        of->moves = 0;
        return HBG_RT_OK;
    }
    for (int32_t n = 0; n < plan->automata.count; n++)
        of->states[plan->automata.items[n]] = run->at.next[plan->automata.items[n]];
    of->end = HBG_RT_LOOK_MOVED;
    return hbg_eqn_settle_look(run, of->states, true);
}

static bool keeps_outputs(hbg_rt_instance *run) {
    return run->eqn->calm.possible && run->eqn->calm.keeps_outputs;
}

void hbg_eqn_look_functions(hbg_rt_system *system) {
    system->look = look;
    system->keeps_outputs = keeps_outputs;
}
