/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Discrete states an instant may begin in. If there are few combinations, all of them; else those that
 * instants lead to from where runs start. */
#include "verify/paths_impl.h"

#define STATE_LIMIT 4096      /* discrete states of a group in which an instant begins */
#define REACH_LIMIT (1 << 24) /* combinations that are searched for reached ones */

/* States that transitions, whatever their guards, lead to from the start or from where an experiment starts. */
static void mark_reached(hbg_arena *arena, const hbg_model *model, int32_t automaton, int32_t state,
                         bool *can_be) {
    const hbg_automaton *of = &model->automata.items[automaton];
    HBG_VEC(int32_t) queue = {0};
    HBG_PUSH(arena, queue, state);
    for (int32_t i = 0; i < queue.count; i++) {
        int32_t at = of->first_state + queue.items[i];
        if (can_be[at]) continue;
        can_be[at] = true;
        for (int32_t k = 0; k < model->states.items[at].transition_count; k++)
            HBG_PUSH(arena, queue,
                     model->transitions.items[model->states.items[at].first_transition + k].target);
    }
}

void hbg_verify_group_possible(hbg_arena *arena, const hbg_model *model, bool *can_be) {
    for (int32_t i = 0; i < model->automata.count; i++)
        mark_reached(arena, model, i, model->automata.items[i].start, can_be);
    for (int32_t i = 0; i < model->experiments.count; i++)
        for (int32_t k = 0; k < model->experiments.items[i].settings.count; k++) {
            const hbg_setting *setting = &model->experiments.items[i].settings.items[k];
            if (setting->target.kind == HBG_OBJECT_AUTOMATON)
                mark_reached(arena, model, setting->target.index, setting->state, can_be);
        }
}

/* The next combination of states; false after the last. */
static bool next_states(const group_proof *proof, const bool *can_be, int32_t *states) {
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        int32_t automaton = proof->of.automata[i];
        const hbg_automaton *of = &proof->model->automata.items[automaton];
        int32_t at = states[automaton] + 1;
        while (at < of->state_count && !can_be[of->first_state + at]) at++;
        if (at < of->state_count) {
            states[automaton] = at;
            return true;
        }
        at = 0;
        while (!can_be[of->first_state + at]) at++;
        states[automaton] = at;
    }
    return false;
}

/* The first of them. */
static int32_t *first_states(const group_proof *proof, const bool *can_be) {
    const hbg_model *model = proof->model;
    int32_t *states = HBG_NEW_ARRAY(proof->arena, int32_t, model->automata.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) states[i] = model->automata.items[i].start;
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        const hbg_automaton *of = &model->automata.items[proof->of.automata[i]];
        states[proof->of.automata[i]] = 0;
        while (!can_be[of->first_state + states[proof->of.automata[i]]]) states[proof->of.automata[i]]++;
    }
    return states;
}

static double count_states(const group_proof *proof, const bool *can_be) {
    double product = 1;
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        const hbg_automaton *of = &proof->model->automata.items[proof->of.automata[i]];
        int32_t count = 0;
        for (int32_t k = 0; k < of->state_count; k++) count += can_be[of->first_state + k];
        product *= count;
    }
    return product;
}

/* ---- those that are reached ---------------------------------------------------------------------------------- */

/* The number of a combination. */
static int64_t number_of(const group_proof *proof, const int32_t *states) {
    int64_t number = 0;
    for (int32_t i = 0; i < proof->of.automaton_count; i++)
        number = number * proof->model->automata.items[proof->of.automata[i]].state_count +
                 states[proof->of.automata[i]];
    return number;
}

static int32_t *copy_of(const group_proof *proof, const int32_t *states) {
    size_t count = (size_t)proof->model->automata.count;
    int32_t *own = HBG_NEW_ARRAY(proof->arena, int32_t, count + 1);
    memcpy(own, states, count * sizeof *own);
    return own;
}

void hbg_verify_paths_reached(path_explorer *e, const int32_t *states) {
    if (!e->follows) return;
    int64_t number = number_of(e->proof, states);
    int32_t high = (int32_t)(number >> 31), low = (int32_t)(number & INT32_MAX);
    if (hbg_base_pair_map_find(&e->met, high, low) >= 0) return;
    hbg_base_pair_map_add(&e->met, high, low, 0);
    HBG_PUSH(e->proof->arena, e->reached, copy_of(e->proof, states));
}

static bool is_own(const group_proof *proof, int32_t automaton) {
    for (int32_t i = 0; i < proof->of.automaton_count; i++)
        if (proof->of.automata[i] == automaton) return true;
    return false;
}

/* Where a run of the model, or of an experiment, starts. */
static void add_starts(path_explorer *e) {
    group_proof *proof = e->proof;
    const hbg_model *model = proof->model;
    int32_t *states = HBG_NEW_ARRAY(proof->arena, int32_t, model->automata.count + 1);
    for (int32_t i = -1; i < model->experiments.count; i++) {
        for (int32_t k = 0; k < model->automata.count; k++) states[k] = model->automata.items[k].start;
        for (int32_t k = 0; i >= 0 && k < model->experiments.items[i].settings.count; k++) {
            const hbg_setting *setting = &model->experiments.items[i].settings.items[k];
            if (setting->target.kind == HBG_OBJECT_AUTOMATON && is_own(proof, setting->target.index))
                states[setting->target.index] = setting->state;
        }
        hbg_verify_paths_reached(e, states);
    }
}

bool hbg_verify_paths_begin(path_explorer *e, int32_t most) {
    group_proof *proof = e->proof;
    const hbg_model *model = proof->model;
    bool *can_be = HBG_NEW_ARRAY(proof->arena, bool, model->states.count + 1);
    hbg_verify_group_possible(proof->arena, model, can_be);
    bool all = count_states(proof, can_be) <= most;
    add_starts(e);
    if (!all) return false;
    int32_t *states = first_states(proof, can_be);
    do {
        hbg_verify_paths_reached(e, states);
    } while (next_states(proof, can_be, states));
    return true;
}

/* From each state to those in which time advances after an instant, until there are no new ones. */
static void explore_reached(path_explorer *e) {
    group_proof *proof = e->proof;
    e->follows = true;
    hbg_base_pair_map_init(&e->met, proof->arena);
    add_starts(e);
    for (int32_t i = 0; i < e->reached.count && !hbg_verify_formulas_spent(&proof->f); i++) {
        if (i == STATE_LIMIT && !e->open)
            e->open = hbg_base_arena_print(proof->arena, "more than %d combinations of states are reached",
                                           STATE_LIMIT);
        if (i == STATE_LIMIT) return;
        hbg_verify_paths_explore(e, e->reached.items[i]);
    }
}

/* ---- all of them ----------------------------------------------------------------------------------------------- */

static bool has_events(const group_proof *proof) {
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        if (proof->model->signals.items[i].type == HBG_TYPE_EVENT) return true;
    return false;
}

static bool has_waits(const group_proof *proof) {
    for (int32_t i = 0; i < proof->model->transitions.count; i++)
        if (proof->timing.waited[i]) return true;
    return false;
}

/* Whether a search continues from a state like one that begins in it, with any energies: nothing else of the
 * past matters. */
static bool can_share(group_proof *proof) {
    return proof->forgets && !has_waits(proof) && !has_events(proof) && proof->timing.clocks.count == 0 &&
           !hbg_verify_paths_assume_computed(proof);
}

/* Each state leaves what follows an earlier state to that state: a loop of states is found from the first of
 * them. What a transition has read of a storage that jumped is examined at the end of its way. */
bool hbg_verify_paths_is_shared(const path_explorer *e, const path_search *search, const int32_t *states) {
    return e->shares && !search->alone && search->commits == 0 && search->suspects.count == 0 &&
           number_of(e->proof, states) < number_of(e->proof, search->start);
}

static void explore_all(path_explorer *e) {
    for (int32_t i = 0; i < e->reached.count && !hbg_verify_formulas_spent(&e->proof->f); i++)
        hbg_verify_paths_explore(e, e->reached.items[i]);
}

/* What was found is forgotten. */
static void begin_again(path_explorer *e) {
    e->shares = e->has_ray = e->cut = false;
    e->order = NULL;
    e->findings.count = e->jumps.count = e->flows.count = 0;
    e->begun = e->excluded = e->ways = e->longest_chain = e->rays_tried = 0;
    e->open = NULL;
}

/* ---- both ------------------------------------------------------------------------------------------------------ */

static void explore_every(path_explorer *e, const bool *can_be) {
    group_proof *proof = e->proof;
    int32_t *states = first_states(proof, can_be);
    do {
        HBG_PUSH(proof->arena, e->reached, copy_of(proof, states));
    } while (next_states(proof, can_be, states));
    e->shares = !proof->words.jumps && !proof->plainly && can_share(proof);
    if (e->shares) hbg_verify_driven_find(e, e->reached.items[0]);
    explore_all(e);
    if (!e->shares || e->findings.count == 0) return;
    begin_again(e); // now with every way to the finding
    explore_all(e);
}

void hbg_verify_group_explore(path_explorer *e, const bool *can_be, hbg_group_result *result) {
    group_proof *proof = e->proof;
    double count = count_states(proof, can_be);
    result->real_mode = HBG_VERDICT_UNDECIDED;
    if (count > REACH_LIMIT) {
        e->open = hbg_base_arena_print(proof->arena,
                                       "%d automata may influence one another at an instant, and their %.0f "
                                       "combinations of states are more than %d",
                                       proof->of.automaton_count, count, REACH_LIMIT);
        return;
    }
    if (count > STATE_LIMIT)
        explore_reached(e);
    else
        explore_every(e, can_be);
    result->states = e->reached.count;
    e->starts = e->reached.items;
    e->start_count = e->reached.count;
    if (e->begun == 0 && e->excluded > 0 && !hbg_verify_formulas_spent(&proof->f) &&
        !proof->doubts.impossible)
        proof->doubts.impossible =
            "nothing satisfies the assumptions: they contradict one another, or the model";
    bool spent = hbg_verify_formulas_spent(&proof->f);
    if (spent && !e->open) e->open = hbg_verify_formulas_why_spent(&proof->f);
    hbg_verify_group_phases(proof, e->reached.items, e->reached.count, result);
    if (!spent && !(e->follows && e->open)) hbg_verify_group_real_modes(proof, result);
    if (e->follows &&
        result->real_mode == HBG_VERDICT_WITNESS) { // a state that was not examined may be real there
        result->real_mode = HBG_VERDICT_UNDECIDED;
        result->never_real_count = 0;
    }
}
