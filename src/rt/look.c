/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards evaluated without a search, at the end of a fixed step: relations of calm automata (calm.c) have one
 * truth in all their states, so two passes over booleans find their moves. Anything less simple is left to
 * the search: a value close to equality, a relation of another automaton that has changed, a second move at
 * the same instant. */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"

static double difference_of(const hbg_rt_instance *run, int32_t relation) {
    return run->r[run->image->instants.guards.relations[relation].watch];
}

/* Bands are shares of the largest contributions in this run: those of calm relations are measured now and
 * then. */
hbg_rt_status hbg_rt_remeasure(hbg_rt_instance *run, double t, const double *x) {
    const hbg_rt_switching *switching = &run->image->instants.switching;
    const hbg_rt_calm *calm = &run->image->instants.calm;
    hbg_rt_rest_islands(run);
    for (int32_t i = 0; i < calm->islands.count; i++)
        hbg_rt_activate(run, hbg_rt_list(run, calm->islands)[i]);
    run->at.a_priori = false;
    hbg_rt_status status = hbg_rt_values_in(run, run->states, t, x);
    for (int32_t n = 0; n < calm->automata.count && status == HBG_RT_OK; n++) {
        hbg_rt_range states = switching->automata[hbg_rt_list(run, calm->automata)[n]].states;
        for (int32_t i = states.first; i < states.first + states.count; i++) {
            hbg_rt_range own = switching->discretes[i].transitions;
            for (int32_t k = own.first; k < own.first + own.count; k++)
                if (run->image->instants.guards.guards[k].condition != HBG_RT_NONE)
                    (void)hbg_rt_judge(run, run->image->instants.guards.guards[k].condition);
        }
    }
    hbg_rt_rest_islands(run);
    return status;
}

/* ---- conditions --------------------------------------------------------------------------------------- */

static bool holds(hbg_rt_instance *run, hbg_rt_range steps) {
    const hbg_rt_guard_step *step = run->image->instants.guards.steps + steps.first;
    double *value = run->at.look.step;
    for (int32_t i = 0; i < steps.count; i++) {
        const hbg_rt_guard_step *at = &step[i];
        switch (at->op) {
        case HBG_RT_STEP_RELATION: value[i] = hbg_rt_side_of(run, at->a, difference_of(run, at->a)); break;
        case HBG_RT_STEP_REGISTER: value[i] = run->r[at->a]; break;
        case HBG_RT_STEP_NUMBER: value[i] = at->number; break;
        default:
            value[i] = hbg_rt_evaluate((hbg_operator)at->op, value[at->a], at->b < 0 ? 0 : value[at->b],
                                       at->c < 0 ? 0 : value[at->c]);
        }
    }
    return value[steps.count - 1] != 0;
}

/* The target of an automaton from the state given: HBG_RT_NONE if it stays. */
static int32_t target_of(hbg_rt_instance *run, int32_t automaton, int32_t from) {
    const hbg_rt_switching *switching = &run->image->instants.switching;
    hbg_rt_range own = switching->discretes[switching->automata[automaton].states.first + from].transitions;
    if (run->outside.held[automaton] != HBG_RT_NONE) return HBG_RT_NONE;
    for (int32_t k = own.first; k < own.first + own.count; k++)
        if (holds(run, run->image->instants.guards.guards[k].steps)) return switching->transitions[k].target;
    return HBG_RT_NONE;
}

/* Calm automata with an enabled transition, into at.look.movers; their targets into at.look.next. */
static void find_moves(hbg_rt_instance *run, const int32_t *states) {
    hbg_rt_range automata = run->image->instants.calm.automata;
    run->at.look.mover_count = 0;
    for (int32_t n = 0; n < automata.count; n++) {
        int32_t i = hbg_rt_list(run, automata)[n], target = target_of(run, i, states[i]);
        if (target == HBG_RT_NONE) continue;
        run->at.look.next[i] = target;
        run->at.look.movers[run->at.look.mover_count++] = i;
    }
}

/* Whether any of them would move again from its new state. Others may read these states. */
static bool moves_on(hbg_rt_instance *run, const int32_t *states) {
    const hbg_rt_automaton_data *automata = run->image->instants.switching.automata;
    const hbg_rt_calm *calm = &run->image->instants.calm;
    bool any = false;
    for (int32_t n = 0; n < run->at.look.mover_count; n++) {
        int32_t i = run->at.look.movers[n];
        run->r[automata[i].reg] = run->at.look.next[i];
    }
    for (int32_t n = 0; n < run->at.look.mover_count && !any; n++)
        any =
            target_of(run, run->at.look.movers[n], run->at.look.next[run->at.look.movers[n]]) != HBG_RT_NONE;
    for (int32_t n = 0, m = 0; n < calm->automata.count && calm->read_states && !any; n++) {
        int32_t i = hbg_rt_list(run, calm->automata)[n];
        bool moved = m < run->at.look.mover_count && run->at.look.movers[m] == i;
        m += moved;
        any = !moved && target_of(run, i, states[i]) != HBG_RT_NONE;
    }
    for (int32_t n = 0; n < run->at.look.mover_count; n++) {
        int32_t i = run->at.look.movers[n];
        run->r[automata[i].reg] = states[i];
    }
    return any;
}

/* ---- the look ----------------------------------------------------------------------------------------- */

static bool is_clear(const hbg_rt_instance *run, int32_t relation) {
    return fabs(difference_of(run, relation)) > HBG_RT_NEAR * run->at.fin_band[relation];
}

/* Whether truths can be found without a search. */
static bool is_plain(const hbg_rt_instance *run) {
    const hbg_rt_calm *calm = &run->image->instants.calm;
    for (int32_t i = 0; i < calm->relations.count; i++)
        if (!is_clear(run, hbg_rt_list(run, calm->relations)[i])) return false;
    for (int32_t i = 0; i < calm->others.count; i++) {
        int32_t k = hbg_rt_list(run, calm->others)[i];
        if (run->at.watch.watched[k] == 0) continue;
        if (!is_clear(run, k) || hbg_rt_side_of(run, k, difference_of(run, k)) != run->at.watch.truth[k])
            return false;
    }
    return true;
}

static void take_sides(hbg_rt_instance *run) {
    hbg_rt_range relations = run->image->instants.calm.relations;
    for (int32_t i = 0; i < relations.count; i++) {
        int32_t k = hbg_rt_list(run, relations)[i];
        run->at.watch.truth[k] = hbg_rt_side_of(run, k, difference_of(run, k));
    }
}

/* The cost of a move depends on the automata that move, not on how many there are. */
static hbg_rt_status take_moves(hbg_rt_instance *run, int32_t *states) {
    for (int32_t n = 0; n < run->at.look.mover_count; n++) {
        int32_t i = run->at.look.movers[n];
        states[i] = run->states[i] = run->at.look.next[i];
        hbg_rt_follow_guards(run, run->image->instants.kept.automaton_island[i]);
    }
    return hbg_rt_change_mode(run, run->at.look.movers, run->at.look.mover_count, run->states);
}

hbg_rt_status hbg_rt_look_at_guards(hbg_rt_instance *run, double t, const double *x, hbg_rt_look *of) {
    if (run->by_hand) return hbg_rt_hand_look(run, t, x, of);
    hbg_rt_status status = HBG_RT_OK;
    of->moves = 0;
    of->end = HBG_RT_LOOK_SEARCH;
    if (!run->image->instants.calm.possible || run->at.watch.any_muted || hbg_rt_draws(run)) return HBG_RT_OK;
    if (hbg_rt_measures(run->at.look.looks++)) status = hbg_rt_remeasure(run, t, x);
    if (status == HBG_RT_OK) status = hbg_rt_run_reading(run, t, x, HBG_RT_WATCH);
    if (status != HBG_RT_OK || !is_plain(run)) return status;
    find_moves(run, of->states);
    if (run->at.look.mover_count > 0 && moves_on(run, of->states)) return HBG_RT_OK;
    take_sides(run);
    of->moves = run->at.look.mover_count;
    of->end = of->moves > 0 ? HBG_RT_LOOK_MOVED : HBG_RT_LOOK_QUIET;
    return of->moves > 0 ? take_moves(run, of->states) : HBG_RT_OK;
}

bool hbg_rt_keeps_outputs(hbg_rt_instance *run) {
    return run->image->instants.calm.possible && run->image->instants.calm.keeps_outputs &&
           !hbg_rt_draws(run);
}
