/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Automata that are driven from outside: their guards read nothing but time, inputs and parameters, which
 * stand still at an instant, and a move takes it to rest. In its first step a search takes all of these to
 * where they stay, and what follows is a search that begins there with the same energies. So where nothing
 * else of the past matters it is enough to follow searches that begin with driven automata at rest:
 * combinations of switches and moments add up instead of multiplying. Of the first step only guards of others
 * remain that read what jumped in the mode it begins in. */
#include <math.h>

#include "verify/paths_impl.h"

/* ---- which automata ------------------------------------------------------------------------------------------ */

static exact_value outside_variable(exact_scope *scope, int32_t variable) {
    return hbg_verify_known_value(scope->proof, scope->past, scope->values->of, variable);
}

static bool reads_outside_only(group_proof *proof, hbg_exact_term root) {
    exact_terms terms = hbg_verify_terms_below(proof, root);
    for (int32_t i = 0; i < terms.count; i++) {
        hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, terms.items[i]);
        if (node.op != HBG_EXACT_VARIABLE) continue;
        hbg_exact_variable of = hbg_eqn_exact_variable(proof->eqn, node.a);
        bool outside = of.role == HBG_EXACT_TIME || of.role == HBG_EXACT_PARAM ||
                       of.role == HBG_EXACT_INPUT || of.role == HBG_EXACT_GIVEN;
        if (!outside || of.view != HBG_EXACT_VALUE) return false;
    }
    return true;
}

/* Conditions under which the transitions of a state are taken, into `taken`; whether one is. False if they
 * read anything else, or have no value somewhere. */
static bool read_state(exact_scope *scope, const hbg_automaton_state *state, formula *taken, formula *any) {
    group_proof *proof = scope->proof;
    formulas *f = &proof->f;
    *any = f->no;
    for (int32_t k = 0; k < state->transition_count; k++) {
        int32_t transition = state->first_transition + k;
        hbg_expr guard = proof->model->transitions.items[transition].guard;
        if (guard == HBG_NONE || !isnan(hbg_eqn_exact_guard(proof->eqn, transition).after)) return false;
        hbg_exact_term term = hbg_eqn_exact_expression(proof->eqn, guard);
        if (!reads_outside_only(proof, term)) return false;
        int32_t asserted = f->levels.asserted.count;
        formula holds = hbg_verify_value_truth(proof, hbg_verify_scope_evaluate(scope, term));
        if (f->levels.asserted.count != asserted) return false;
        taken[k] = hbg_verify_formula_and(f, holds, hbg_verify_formula_not(f, *any));
        *any = hbg_verify_formula_or(f, *any, holds);
    }
    return true;
}

/* Whether no guard is enabled where a transition has led to. */
static bool rests_at_once(exact_scope *scope, const hbg_automaton *of) {
    group_proof *proof = scope->proof;
    const hbg_automaton_state *states = proof->model->states.items + of->first_state;
    formula *any = HBG_NEW_ARRAY(proof->arena, formula, of->state_count + 1);
    formula **taken = HBG_NEW_ARRAY(proof->arena, formula *, of->state_count + 1);
    for (int32_t i = 0; i < of->state_count; i++) {
        taken[i] = HBG_NEW_ARRAY(proof->arena, formula, states[i].transition_count + 1);
        if (!read_state(scope, &states[i], taken[i], &any[i])) return false;
    }
    for (int32_t i = 0; i < of->state_count; i++)
        for (int32_t k = 0; k < states[i].transition_count; k++) {
            int32_t target = proof->model->transitions.items[states[i].first_transition + k].target;
            formula moves_on = hbg_verify_formula_and(&proof->f, taken[i][k], any[target]);
            if (hbg_verify_formulas_try(&proof->f, moves_on) != ANSWER_NONE) return false;
        }
    return true;
}

void hbg_verify_driven_find(path_explorer *e, const int32_t *states) {
    group_proof *proof = e->proof;
    int32_t count = proof->of.automaton_count, first = 0;
    exact_past past = {.before = false};
    exact_values none = {.of = hbg_verify_group_state(proof, states)};
    exact_scope scope;
    hbg_verify_formulas_push(&proof->f);
    hbg_verify_scope_init(&scope, proof, &none, &past, false);
    scope.variable = outside_variable;
    e->driven = HBG_NEW_ARRAY(proof->arena, bool, count + 1);
    e->order = HBG_NEW_ARRAY(proof->arena, int32_t, count + 1);
    e->driven_count = 0;
    for (int32_t i = 0; i < count; i++) {
        e->driven[i] = rests_at_once(&scope, &proof->model->automata.items[proof->of.automata[i]]);
        e->driven_count += e->driven[i];
    }
    hbg_verify_formulas_pop(&proof->f);
    for (int driven = 0; driven < 2; driven++)
        for (int32_t i = 0; i < count; i++)
            if (e->driven[i] == driven) e->order[first++] = i;
}

bool hbg_verify_driven_counts(const path_explorer *e, const path_search *search) {
    return e->shares && e->driven_count > 0 && !e->still && e->steps.count == 1 && search->commits == 0;
}

/* ---- the first step ------------------------------------------------------------------------------------------ */

/* The transitions of an automaton that are taken in these states. */
static const hbg_automaton_state *read_guards(path_explorer *e, exact_scope *scope, const path_search *search,
                                              int32_t place, formula **taken) {
    group_proof *proof = e->proof;
    int32_t automaton = proof->of.automata[place];
    const hbg_automaton *of = &proof->model->automata.items[automaton];
    const hbg_automaton_state *state =
        &proof->model->states.items[of->first_state + search->start[automaton]];
    *taken = HBG_NEW_ARRAY(proof->arena, formula, state->transition_count + 1);
    hbg_verify_paths_guards(proof, scope, search, automaton, search->start, *taken);
    return state;
}

formula hbg_verify_driven_rest(path_explorer *e, exact_scope *scope, const path_search *search) {
    formulas *f = &e->proof->f;
    formula rest = f->yes, *taken;
    for (int32_t i = 0; i < e->proof->of.automaton_count; i++) {
        if (!e->driven[i]) continue;
        const hbg_automaton_state *state = read_guards(e, scope, search, i, &taken);
        for (int32_t k = 0; k < state->transition_count; k++)
            rest = hbg_verify_formula_and(f, rest, hbg_verify_formula_not(f, taken[k]));
    }
    return rest;
}

void hbg_verify_driven_note(path_explorer *e, exact_scope *scope, const path_search *search) {
    group_proof *proof = e->proof;
    formula *taken;
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        const hbg_automaton *of = &proof->model->automata.items[proof->of.automata[i]];
        const hbg_automaton_state *state =
            &proof->model->states.items[of->first_state + search->start[proof->of.automata[i]]];
        bool known = true;
        for (int32_t k = 0; k < state->transition_count; k++) known &= e->fired[state->first_transition + k];
        if (known) continue;
        read_guards(e, scope, search, i, &taken);
        for (int32_t k = 0; k < state->transition_count; k++) {
            int32_t transition = state->first_transition + k;
            if (e->fired[transition] || hbg_verify_formulas_try(&proof->f, taken[k]) == ANSWER_NONE) continue;
            e->fired[transition] = true;
            e->entered[of->first_state + proof->model->transitions.items[transition].target] = true;
        }
    }
}

bool hbg_verify_driven_may_suspect(const path_explorer *e, const exact_values *values,
                                   const path_search *search) {
    group_proof *proof = e->proof;
    formula *x_plus = HBG_NEW_ARRAY(proof->arena, formula, proof->system->state_count + 1);
    hbg_verify_values_energies(proof, values, &search->past, x_plus);
    for (int32_t i = 0; i < proof->of.state_count; i++)
        if (x_plus[proof->of.states[i]] != search->past.x[proof->of.states[i]]) return true;
    return false;
}
