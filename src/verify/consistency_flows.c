/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * With which energies a state of an automaton is left once it was entered: those it was entered with, as far
 * as they stand still there, and any others. A guard that needs other energies can fire only in a run that
 * begins there. */
#include "verify/paths_impl.h"

/* A transition, and the state of its automaton that it leaves. */
typedef struct {
    const path_explorer *explored;
    int32_t *const *states;
    int32_t count, automaton, transition;
    int32_t source; /* of the transition */
    bool *stands;   /* by state of the system: its value does not change while the automaton is there */
} leaving;

static bool is_known(group_proof *proof, formula a) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i < f->symbols.count; i++)
        if (!f->symbols.items[i].constant && hbg_verify_formula_reads(f, a, &f->symbols.items[i].symbol, 1))
            return false;
    for (int32_t i = 0; i < proof->unknowns.count; i++)
        if (hbg_verify_formula_reads(f, a, &proof->unknowns.items[i].symbol, 1)) return false;
    return true;
}

/* ---- another instant ----------------------------------------------------------------------------------------- */

/* What may be different at another instant, and symbols for it there. */
typedef struct {
    HBG_VEC(formula) from, to;
} renaming;

static void rename_one(group_proof *proof, renaming *names, formula symbol) {
    formulas *f = &proof->f;
    if (!symbol || hbg_verify_formula_is_number(f, symbol) || symbol == f->yes || symbol == f->no) return;
    const char *name = hbg_base_arena_print(proof->arena, "entered'%d", f->fresh++);
    bool truth = Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, symbol)) == Z3_BOOL_SORT;
    HBG_PUSH(proof->arena, names->from, symbol);
    HBG_PUSH(proof->arena, names->to,
             truth ? hbg_verify_formula_truth(f, name) : hbg_verify_formula_real(f, name));
}

static renaming rename_all(group_proof *proof) {
    const hbg_model *model = proof->model;
    renaming names = {0};
    rename_one(proof, &names, proof->time);
    for (int32_t i = 0; i < proof->system->state_count; i++) rename_one(proof, &names, proof->x[i]);
    for (int32_t i = 0; i < model->signals.count; i++)
        for (int before = 0; before < 2; before++) {
            rename_one(proof, &names, proof->signals.input[before][i].fin);
            rename_one(proof, &names, proof->signals.held[before][i].fin);
            rename_one(proof, &names, proof->signals.given[before][i].fin);
        }
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        rename_one(proof, &names, proof->law_pre[proof->of.pres[i]]);
    for (int32_t i = 0; i < proof->timing.clocks.count; i++)
        rename_one(proof, &names, proof->timing.clocks.items[i].ticks);
    for (int32_t i = 0; i < model->transitions.count; i++) rename_one(proof, &names, proof->timing.waited[i]);
    return names;
}

static formula renamed(group_proof *proof, const renaming *names, formula a) {
    return hbg_verify_formula_replace(&proof->f, a, names->from.count, names->from.items, names->to.items);
}

/* ---- energies that stand still ------------------------------------------------------------------------------- */

/* Energies that move while time advances in these states do not. */
static void find_moving(const leaving *of, const int32_t *states) {
    group_proof *proof = of->explored->proof;
    formulas *f = &proof->f;
    exact_past past = {.before = false};
    hbg_verify_formulas_push(f);
    if (hbg_verify_paths_open(proof, states, &past)) {
        hbg_verify_formulas_assert(f, proof->instant.flowed);
        past.before = true;
        past.first_pass = false;
        hbg_verify_paths_ins(proof, states, &past, NULL);
        const formula *rates = hbg_verify_paths_rates(proof, states, &past);
        for (int32_t i = 0; i < proof->system->state_count; i++) {
            if (!of->stands[i] || rates[i] == f->zero) continue;
            formula moves =
                rates[i] ? hbg_verify_formula_not(f, hbg_verify_formula_equal(f, rates[i], f->zero)) : f->yes;
            of->stands[i] = hbg_verify_formulas_check(f, moves) == ANSWER_NONE;
        }
    }
    hbg_verify_formulas_pop(f);
}

static void find_standing(const leaving *of) {
    group_proof *proof = of->explored->proof;
    for (int32_t i = 0; i < proof->system->state_count; i++) of->stands[i] = true;
    for (int32_t i = 0; i < of->count; i++)
        if (of->states[i][of->automaton] == of->source) find_moving(of, of->states[i]);
    for (int32_t i = 0; i < of->explored->flows.count; i++) {
        const path_jump *flow = &of->explored->flows.items[i];
        if (flow->start[of->automaton] != of->source || flow->states[of->automaton] != of->source) continue;
        for (int32_t k = 0; k < proof->system->state_count; k++)
            of->stands[k] = of->stands[k] && flow->x_plus[k] == proof->x[k];
    }
}

/* ---- all of it ----------------------------------------------------------------------------------------------- */

/* The energies now are those of some instant that has led to the state; false if that cannot be expressed. */
static bool was_entered(const leaving *of, formula *entered) {
    group_proof *proof = of->explored->proof;
    formulas *f = &proof->f;
    renaming names = rename_all(proof);
    *entered = f->no;
    for (int32_t i = 0; i < of->explored->flows.count; i++) {
        const path_jump *flow = &of->explored->flows.items[i];
        if (flow->start[of->automaton] == of->source || flow->states[of->automaton] != of->source) continue;
        formula one = flow->condition;
        if (!is_known(proof, one)) return false;
        one = renamed(proof, &names, one);
        for (int32_t k = 0; k < proof->system->state_count; k++) {
            if (!of->stands[k]) continue;
            if (!is_known(proof, flow->x_plus[k])) return false;
            formula then = renamed(proof, &names, flow->x_plus[k]);
            one = hbg_verify_formula_and(f, one, hbg_verify_formula_equal(f, proof->x[k], then));
        }
        *entered = hbg_verify_formula_or(f, *entered, one);
    }
    return *entered != f->no;
}

static bool leaves_from(const leaving *of, const int32_t *states, formula entered) {
    group_proof *proof = of->explored->proof;
    formulas *f = &proof->f;
    const hbg_automaton *automaton = &proof->model->automata.items[of->automaton];
    const hbg_automaton_state *state = &proof->model->states.items[automaton->first_state + of->source];
    path_search search = {.start = states};
    bool found = false;
    hbg_verify_formulas_push(f);
    if (hbg_verify_paths_open(proof, states, &search.past)) {
        hbg_verify_formulas_assert(f, hbg_verify_formula_and(f, proof->instant.flowed, entered));
        hbg_verify_paths_ins(proof, states, &search.past, NULL);
        const exact_values *values =
            hbg_verify_group_values(proof, hbg_verify_group_state(proof, states), &search.past);
        exact_scope scope;
        formula *taken = HBG_NEW_ARRAY(proof->arena, formula, state->transition_count + 1);
        hbg_verify_scope_init(&scope, proof, values, &search.past, false);
        hbg_verify_paths_guards(proof, &scope, &search, of->automaton, states, taken);
        found = hbg_verify_formulas_check(f, taken[of->transition - state->first_transition]) == ANSWER_FOUND;
    }
    hbg_verify_formulas_pop(f);
    return found;
}

bool hbg_verify_flows_leave(const path_explorer *explored, int32_t *const *states, int32_t count,
                            int32_t automaton, int32_t transition) {
    group_proof *proof = explored->proof;
    const hbg_automaton *of = &proof->model->automata.items[automaton];
    leaving leave = {explored, states, count, automaton, transition, 0, NULL};
    formula entered;
    for (int32_t i = 0; i < of->state_count; i++) {
        const hbg_automaton_state *state = &proof->model->states.items[of->first_state + i];
        int32_t place = transition - state->first_transition;
        if (place >= 0 && place < state->transition_count) leave.source = i;
    }
    if (leave.source == of->start || explored->flows.count == HBG_FLOWS) return true;
    leave.stands = HBG_NEW_ARRAY(proof->arena, bool, proof->system->state_count + 1);
    find_standing(&leave);
    if (!was_entered(&leave, &entered)) return true;
    for (int32_t i = 0; i < count; i++)
        if (states[i][automaton] == leave.source && leaves_from(&leave, states[i], entered)) return true;
    return false;
}
