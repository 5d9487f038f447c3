/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards looked at without a search, at the end of a fixed step: relations of calm automata (calm.c) have one truth in all
 * their states, so that two passes over booleans tell where they go. Whatever is less simple is left to the search: a value
 * near equality, a relation of another automaton that has changed, a second move at the same instant. */
#include <math.h>
#include <string.h>

#include "eqn/instance_impl.h"

static double difference_of(const hbg_rt_instance *run, int32_t relation) {
    return run->r[hbg_eqn_registers(run->image, &run->image->code.finals[READ_WATCH])[relation]];
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
            value[i] = hbg_rt_evaluate((hbg_operator)at->op, value[at->a], at->b < 0 ? 0 : value[at->b],
                                       at->c < 0 ? 0 : value[at->c]);
        }
    }
    return value[guard->steps.count - 1] != 0;
}

/* Where an automaton goes from the state given: HBG_NONE if nowhere. */
static int32_t target_of(hbg_rt_instance *run, int32_t automaton, int32_t from) {
    const hbg_model *model = run->eqn->model;
    const hbg_automaton_state *state =
        &model->states.items[model->automata.items[automaton].first_state + from];
    if (run->held[automaton] != HBG_NONE) return HBG_NONE;
    for (int32_t k = 0; k < state->transition_count; k++)
        if (holds(run, &run->eqn->guards[state->first_transition + k]))
            return model->transitions.items[state->first_transition + k].target;
    return HBG_NONE;
}

/* Calm automata with an enabled transition, into at.movers; their targets into at.next. */
static void find_moves(hbg_rt_instance *run, const int32_t *states) {
    const calm_plan *plan = &run->eqn->calm;
    run->at.mover_count = 0;
    for (int32_t n = 0; n < plan->automata.count; n++) {
        int32_t i = plan->automata.items[n], target = target_of(run, i, states[i]);
        if (target == HBG_NONE) continue;
        run->at.next[i] = target;
        run->at.movers[run->at.mover_count++] = i;
    }
}

/* Whether any of them would move again from where they have moved to. Others may read where that is. */
static bool moves_on(hbg_rt_instance *run, const int32_t *states) {
    const calm_plan *plan = &run->eqn->calm;
    bool any = false;
    for (int32_t n = 0; n < run->at.mover_count; n++) {
        int32_t i = run->at.movers[n];
        *hbg_eqn_home_of(run, VARIABLE_AUTOMATON, i) = run->at.next[i];
    }
    for (int32_t n = 0; n < run->at.mover_count && !any; n++)
        any = target_of(run, run->at.movers[n], run->at.next[run->at.movers[n]]) != HBG_NONE;
    for (int32_t n = 0, m = 0; n < plan->automata.count && plan->read_states && !any; n++) {
        int32_t i = plan->automata.items[n];
        bool moved = m < run->at.mover_count && run->at.movers[m] == i;
        m += moved;
        any = !moved && target_of(run, i, states[i]) != HBG_NONE;
    }
    for (int32_t n = 0; n < run->at.mover_count; n++)
        *hbg_eqn_home_of(run, VARIABLE_AUTOMATON, run->at.movers[n]) = states[run->at.movers[n]];
    return any;
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

static void take_sides(hbg_rt_instance *run) {
    const calm_plan *plan = &run->eqn->calm;
    for (int32_t i = 0; i < plan->relations.count; i++) {
        int32_t k = plan->relations.items[i];
        run->at.truth[k] = hbg_eqn_side(run->eqn, k, difference_of(run, k));
    }
}

/* What a move costs depends on who moves, not on how many there are. */
static hbg_rt_status take_moves(hbg_rt_instance *run, int32_t *states) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t n = 0; n < run->at.mover_count; n++) {
        int32_t i = run->at.movers[n];
        states[i] = run->states[i] = run->at.next[i];
        hbg_eqn_follow_guards(run, &eqn->islands.items[eqn->automaton_island[i]]);
    }
    return hbg_eqn_change_mode(run, run->at.movers, run->at.mover_count, run->states);
}

static hbg_rt_status look(hbg_rt_instance *run, double t, const double *x, hbg_rt_look *of) {
    hbg_rt_status status = HBG_RT_OK;
    of->moves = 0;
    of->end = HBG_RT_LOOK_SEARCH;
    if (!run->eqn->calm.possible || run->at.any_muted) return HBG_RT_OK;
    if (run->at.looks++ % HBG_EQN_LOOKS == 0) status = hbg_eqn_remeasure(run, t, x);
    if (status == HBG_RT_OK) status = hbg_eqn_read(run, t, x, READ_WATCH);
    if (status != HBG_RT_OK || !is_plain(run)) return status;
    find_moves(run, of->states);
    if (run->at.mover_count > 0 && moves_on(run, of->states)) return HBG_RT_OK;
    take_sides(run);
    of->moves = run->at.mover_count;
    of->end = of->moves > 0 ? HBG_RT_LOOK_MOVED : HBG_RT_LOOK_QUIET;
    return of->moves > 0 ? take_moves(run, of->states) : HBG_RT_OK;
}

static bool keeps_outputs(hbg_rt_instance *run) {
    return run->eqn->calm.possible && run->eqn->calm.keeps_outputs;
}

void hbg_eqn_look_functions(hbg_rt_system *system) {
    system->look = look;
    system->keeps_outputs = keeps_outputs;
}
