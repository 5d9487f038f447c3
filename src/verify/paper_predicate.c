/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Predicates out of guards. A continuous phase includes its ends, so the point at which a guard begins to
 * hold belongs to the phase before it: strict relations are relaxed. The condition for entering a state is
 * weakened: it does not depend on what a jump can change. */
#include "verify/paper_impl.h"

/* ---- constants ------------------------------------------------------------------------------------------------------- */

hbg_term hbg_verify_paper_truth(paper_work *work, bool value) {
    return hbg_term_integer(&work->made->process.terms, value);
}

bool hbg_verify_paper_is(paper_work *work, hbg_term term, bool value) {
    return term == hbg_verify_paper_truth(work, value);
}

/* Whether one of the arguments of an operator is the term: a && (a || b) is a. */
static bool has(const paper_work *work, hbg_term in, int op, hbg_term term) {
    const term_node *node = &work->made->process.terms.nodes.items[in];
    return node->op == op && (node->a == term || node->b == term);
}

hbg_term hbg_verify_paper_both(paper_work *work, hbg_term a, hbg_term b) {
    if (hbg_verify_paper_is(work, a, true) || hbg_verify_paper_is(work, b, false) || a == b) return b;
    if (hbg_verify_paper_is(work, b, true) || hbg_verify_paper_is(work, a, false)) return a;
    if (has(work, b, HBG_OP_OR, a)) return a;
    if (has(work, a, HBG_OP_OR, b)) return b;
    return hbg_term_make(&work->made->process.terms, HBG_OP_AND, a, b, HBG_NONE);
}

hbg_term hbg_verify_paper_either(paper_work *work, hbg_term a, hbg_term b) {
    if (hbg_verify_paper_is(work, a, false) || hbg_verify_paper_is(work, b, true) || a == b) return b;
    if (hbg_verify_paper_is(work, b, false) || hbg_verify_paper_is(work, a, true)) return a;
    if (has(work, b, HBG_OP_AND, a)) return a;
    if (has(work, a, HBG_OP_AND, b)) return b;
    return hbg_term_make(&work->made->process.terms, HBG_OP_OR, a, b, HBG_NONE);
}

void hbg_verify_paper_conjuncts(paper_work *work, hbg_term term, hbg_process_all *into) {
    const term_node node = work->made->process.terms.nodes.items[term];
    if (hbg_verify_paper_is(work, term, true)) return;
    if (node.op == HBG_OP_AND) {
        hbg_verify_paper_conjuncts(work, node.a, into);
        hbg_verify_paper_conjuncts(work, node.b, into);
    } else {
        HBG_PUSH(work->arena, *into, term);
    }
}

/* ---- atoms ------------------------------------------------------------------------------------------------------------- */

/* Whether something it reads is on the list, or can be changed by a jump. */
static bool reads(paper_work *work, hbg_term term, bool changing) {
    hbg_process *of = &work->made->process;
    hbg_term_walk(&of->terms, term);
    for (int32_t i = 0; i < of->terms.walk.count; i++) {
        const term_node *node = &of->terms.nodes.items[of->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE) continue;
        int32_t variable = hbg_process_variable_of(node->a);
        hbg_process_role role = of->variables.items[variable].role;
        bool fixed = role == HBG_PROCESS_PARAM || role == HBG_PROCESS_TIME;
        if (changing && !fixed && (role != HBG_PROCESS_ENERGY || work->may_jump[variable])) return true;
        for (int32_t k = 0; k < work->unclear.count && !changing; k++)
            if (work->unclear.items[k] == variable) return true;
    }
    return false;
}

static int negated(int op) {
    switch (op) {
    case HBG_OP_LESS: return HBG_OP_GREATER_EQUAL;
    case HBG_OP_LESS_EQUAL: return HBG_OP_GREATER;
    case HBG_OP_GREATER: return HBG_OP_LESS_EQUAL;
    case HBG_OP_GREATER_EQUAL: return HBG_OP_LESS;
    case HBG_OP_EQUAL: return HBG_OP_NOT_EQUAL;
    default: return HBG_OP_EQUAL;
    }
}

static int relaxed(int op) {
    return op == HBG_OP_LESS ? HBG_OP_LESS_EQUAL : op == HBG_OP_GREATER ? HBG_OP_GREATER_EQUAL : op;
}

static int tightened(int op) {
    return op == HBG_OP_LESS_EQUAL ? HBG_OP_LESS : op == HBG_OP_GREATER_EQUAL ? HBG_OP_GREATER : op;
}

static bool is_relation(int op) {
    return op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL || op == HBG_OP_GREATER ||
           op == HBG_OP_GREATER_EQUAL || op == HBG_OP_EQUAL || op == HBG_OP_NOT_EQUAL;
}

bool hbg_verify_paper_is_truth(const paper_work *work, hbg_term term) {
    const hbg_process *of = &work->made->process;
    const term_node *node = &of->terms.nodes.items[term];
    if (node->op == TERM_VARIABLE) return of->variables.items[hbg_process_variable_of(node->a)].is_truth;
    return is_relation(node->op) || node->op == HBG_OP_AND || node->op == HBG_OP_OR || node->op == HBG_OP_NOT;
}

static hbg_term atom(paper_work *work, hbg_term term, paper_predicate *how) {
    hbg_terms *terms = &work->made->process.terms;
    const term_node node = terms->nodes.items[term];
    if (reads(work, term, false)) {
        how->unclear = true;
        return hbg_verify_paper_truth(work, true);
    }
    if (how->weaken && reads(work, term, true)) {
        how->weakened = true;
        return hbg_verify_paper_truth(work, true);
    }
    if (!is_relation(node.op) || hbg_verify_paper_is_truth(work, node.a))
        return how->negate ? hbg_term_make(terms, HBG_OP_NOT, term, HBG_NONE, HBG_NONE) : term;
    int op = how->negate ? negated(node.op) : node.op;
    int own = how->relax ? relaxed(op) : how->tighten ? tightened(op) : op;
    how->relaxed = how->relaxed || (how->relax && (own != op || op == HBG_OP_NOT_EQUAL));
    if (how->relax && op == HBG_OP_NOT_EQUAL) return hbg_verify_paper_truth(work, true);
    return hbg_term_make(terms, own, node.a, node.b, HBG_NONE);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------ */

hbg_term hbg_verify_paper_predicate(paper_work *work, hbg_term term, paper_predicate *how) {
    hbg_terms *terms = &work->made->process.terms;
    const term_node node = terms->nodes.items[term];
    if (node.op == HBG_OP_NUMBER)
        return hbg_verify_paper_truth(work, hbg_verify_paper_is(work, term, false) == how->negate);
    if (node.op == HBG_OP_NOT) {
        how->negate = !how->negate;
        hbg_term made = hbg_verify_paper_predicate(work, node.a, how);
        how->negate = !how->negate;
        return made;
    }
    if (node.op == HBG_OP_SELECT) {
        hbg_term other = hbg_term_make(terms, HBG_OP_NOT, node.a, HBG_NONE, HBG_NONE);
        return hbg_verify_paper_predicate(work,
                                          hbg_verify_paper_either(work,
                                                                  hbg_verify_paper_both(work, node.a, node.b),
                                                                  hbg_verify_paper_both(work, other, node.c)),
                                          how);
    }
    if (node.op != HBG_OP_AND && node.op != HBG_OP_OR) return atom(work, term, how);
    hbg_term a = hbg_verify_paper_predicate(work, node.a, how);
    hbg_term b = hbg_verify_paper_predicate(work, node.b, how);
    return (node.op == HBG_OP_AND) != how->negate ? hbg_verify_paper_both(work, a, b)
                                                  : hbg_verify_paper_either(work, a, b);
}

/* The guards of transitions of a state; to HBG_NONE: to any other. Waiting has no counterpart. */
static hbg_term guards(paper_work *work, int32_t automaton, int32_t from, int32_t to, hbg_process_view view,
                       paper_predicate *how) {
    const hbg_automaton *of = &work->model->automata.items[automaton];
    const hbg_automaton_state *state = &work->model->states.items[of->first_state + from];
    hbg_term any = hbg_verify_paper_truth(work, how->negate);
    for (int32_t i = 0; i < state->transition_count; i++) {
        const hbg_transition *at = &work->model->transitions.items[state->first_transition + i];
        if (at->target == from || (to != HBG_NONE && at->target != to)) continue;
        bool waits = at->after != HBG_NONE || of->every != HBG_NONE;
        hbg_term own =
            at->guard == HBG_NONE
                ? hbg_verify_paper_truth(work, !how->negate)
                : hbg_verify_paper_predicate(work, hbg_verify_paper_expression(work, at->guard, view), how);
        how->unclear = how->unclear || waits;
        if (waits && how->negate) own = hbg_verify_paper_truth(work, true); // as long as it has not waited
        any = how->negate ? hbg_verify_paper_both(work, any, own) : hbg_verify_paper_either(work, any, own);
    }
    return any;
}

hbg_term hbg_verify_paper_stay(paper_work *work, int32_t automaton, int32_t state, hbg_process_view view,
                               paper_predicate *how) {
    how->negate = true;
    hbg_term made = guards(work, automaton, state, HBG_NONE, view, how);
    how->negate = false;
    return made;
}

hbg_term hbg_verify_paper_enter(paper_work *work, int32_t automaton, int32_t from, int32_t to,
                                hbg_process_view view, paper_predicate *how) {
    how->negate = false;
    return guards(work, automaton, from, to, view, how);
}
