/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Thresholds that time alone reaches: time >= 5 [us], time % T < D*T, floor(time/T), in signals and laws. If
 * they lie on a step or a tick, both sides are rounded, and half a unit in the last place decides whether
 * they come one step late. So equality has the slack of that rounding: a relation that holds at equality
 * holds there, another does not. The difference moves at its rate in time, so the rounding of time moves it
 * by that rate times that rounding. Guards have a wider band of their own. */
#include <math.h>

#include "eqn/eqn_impl.h"
#include "rt/bands.h"

enum { PASSES = 64 }; /* depth of signals that read signals */

/* What may move a term: time and parameters alone; or also values held between instants. */
typedef struct {
    bool *follows; /* by term: nothing else moves it */
    bool held;
} followers;

/* Whether a variable follows time. Signals are replaced by their formulas; an integrator has a past. */
static bool variable_follows_time(const hbg_eqn *eqn, followers of, int32_t variable) {
    if (variable >= eqn->base_count) return false;
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    bool held = kind == VARIABLE_INPUT || kind == VARIABLE_GIVEN || kind == VARIABLE_AUTOMATON;
    if (kind != VARIABLE_SIGNAL) return kind == VARIABLE_TIME || (of.held && held);
    const hbg_signal *signal = &eqn->model->signals.items[variable - eqn->first[VARIABLE_SIGNAL]];
    if (signal->every != HBG_NONE || signal->kind == HBG_SIGNAL_INPUT) return of.held;
    return signal->kind != HBG_SIGNAL_STATE && of.follows[eqn->expr_term[signal->value]];
}

static bool term_follows_time(const hbg_eqn *eqn, followers of, hbg_term term) {
    const term_node *node = &eqn->terms.nodes.items[term];
    const bool *follows = of.follows;
    if (node->level < LEVEL_RUN) return true;
    if (node->op == TERM_VARIABLE) return variable_follows_time(eqn, of, node->a);
    if (node->op > HBG_OP_COUNT) return false;
    for (int i = 0; i < hbg_term_arity(node); i++)
        if (!follows[hbg_term_argument(node, i)]) return false;
    return true;
}

/* Finds the terms that follow time. Arguments come first, signals need not. */
static bool *find_followers(hbg_eqn *eqn, bool held) {
    int32_t count = eqn->terms.nodes.count;
    bool *follows = HBG_NEW_ARRAY(&eqn->scratch, bool, count + 1), more = true;
    followers of = {follows, held};
    for (int pass = 0; pass < PASSES && more; pass++) {
        more = false;
        for (int32_t i = 0; i < count; i++) {
            if (follows[i] || !term_follows_time(eqn, of, i)) continue;
            follows[i] = true;
            more |= eqn->terms.nodes.items[i].op != HBG_OP_NUMBER;
        }
    }
    return follows;
}

/* The rate of a term with time. */
static hbg_term rate_of(hbg_eqn *eqn, hbg_term term) {
    gradient parts = {0};
    hbg_term_gradient(&eqn->terms, &eqn->scratch, hbg_eqn_written_out(eqn, term), &parts);
    for (int32_t i = 0; i < parts.count; i++)
        if (parts.items[i].variable == eqn->first[VARIABLE_TIME]) return parts.items[i].partial;
    return hbg_term_integer(&eqn->terms, 0);
}

static hbg_term square(hbg_eqn *eqn, hbg_term term) {
    return hbg_term_multiply(&eqn->terms, term, term);
}

/* The slack, as a root of squares, which has no branches. */
static hbg_term slack_of(hbg_eqn *eqn, term_node node) {
    hbg_terms *terms = &eqn->terms;
    bool two = hbg_term_arity(&node) == 2;
    hbg_term difference = two ? hbg_term_subtract(terms, node.a, node.b) : node.a;
    hbg_term moves = hbg_term_multiply(terms, rate_of(eqn, difference),
                                       hbg_term_variable(terms, eqn->first[VARIABLE_TIME]));
    hbg_term sum = hbg_term_add(terms, square(eqn, moves), square(eqn, node.a));
    if (two) sum = hbg_term_add(terms, sum, square(eqn, node.b));
    hbg_term root = hbg_term_make(terms, HBG_OP_SQRT, sum, HBG_NONE, HBG_NONE);
    return hbg_term_multiply(terms, hbg_term_double(terms, HBG_RT_SLACK), root);
}

static bool jumps(int op) {
    hbg_rt_branch kind = hbg_rt_branch_of(op);
    return kind == BRANCH_BELOW || kind == BRANCH_ABOVE || kind == BRANCH_FLOOR || kind == BRANCH_CEIL;
}

void hbg_eqn_find_thresholds(hbg_eqn *eqn) {
    int32_t count = eqn->terms.nodes.count;
    const bool *follows = find_followers(eqn, false);
    for (int32_t i = 0; i < count; i++) {
        term_node node = eqn->terms.nodes.items[i];
        if (node.level < LEVEL_RUN || !jumps(node.op) || !follows[i]) continue;
        while (eqn->instants.slacks.count <= i) HBG_PUSH(eqn->arena, eqn->instants.slacks, HBG_NONE);
        eqn->instants.slacks.items[i] = slack_of(eqn, node);
    }
}

/* Finds operators with branches that time alone switches, between instants: a run plans them (rt/plan.c). */
void hbg_eqn_find_plans(hbg_eqn *eqn) {
    int32_t count = eqn->terms.nodes.count;
    const bool *follows = find_followers(eqn, true);
    for (int32_t i = 0; i < count; i++) {
        term_node node = eqn->terms.nodes.items[i];
        if (node.level < LEVEL_RUN || !follows[i] || hbg_rt_branch_of(node.op) == BRANCH_NONE) continue;
        term_walk walk = hbg_eqn_walk_of(eqn, hbg_eqn_written_out(eqn, i));
        HBG_PUSH(eqn->arena, eqn->instants.plans, ((term_plan){i, walk}));
    }
}

bool hbg_eqn_is_threshold(const hbg_eqn *eqn, hbg_term term) {
    return term < eqn->instants.slacks.count && eqn->instants.slacks.items[term] != HBG_NONE;
}

term_node hbg_eqn_slackened(hbg_eqn *eqn, hbg_term term) {
    term_node node = eqn->terms.nodes.items[term];
    if (!hbg_eqn_is_threshold(eqn, term)) return node;
    hbg_term slack = eqn->instants.slacks.items[term];
    bool up = node.op == HBG_OP_GREATER_EQUAL || node.op == HBG_OP_LESS || node.op == HBG_OP_FLOOR;
    node.a = up ? hbg_term_add(&eqn->terms, node.a, slack) : hbg_term_subtract(&eqn->terms, node.a, slack);
    return node;
}
