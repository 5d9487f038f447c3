/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Waves and sawtooth functions of time: sin, cos, tan, floor, ceil and % of an argument that grows with time
 * at a rate that depends on parameters alone. If nothing else moves, an integrator would step over whole
 * periods of them without noticing. Waves that only guards read do not matter here: root finding follows
 * them, or they are planned. */
#include "eqn/eqn_impl.h"

/* The column `period` of the list of operators: the period in the argument. */
static hbg_term period_none(hbg_eqn *eqn, const term_node *node) {
    (void)eqn, (void)node;
    return HBG_NONE;
}

static hbg_term period_turn(hbg_eqn *eqn, const term_node *node) {
    (void)node;
    return hbg_term_double(&eqn->terms, 6.283185307179586);
}

static hbg_term period_one(hbg_eqn *eqn, const term_node *node) {
    (void)node;
    return hbg_term_integer(&eqn->terms, 1);
}

static hbg_term period_second(hbg_eqn *eqn, const term_node *node) {
    (void)eqn;
    return node->b;
}

typedef hbg_term (*period_function)(hbg_eqn *eqn, const term_node *node);

static const period_function periods[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = period_##period,
    HBG_OPERATOR_LIST(X)
#undef X
};

static hbg_term period_of(hbg_eqn *eqn, const term_node *node) {
    return node->op < HBG_OP_COUNT ? periods[node->op](eqn, node) : HBG_NONE; // variables, slopes and charges
}

/* The rate of the argument with time; HBG_NONE if it does not depend on parameters alone. */
static hbg_term rate_of(hbg_eqn *eqn, hbg_term argument) {
    gradient parts = {0};
    hbg_term_gradient(&eqn->terms, &eqn->scratch, hbg_eqn_written_out(eqn, argument), &parts);
    for (int32_t i = 0; i < parts.count; i++)
        if (parts.items[i].variable == eqn->first[VARIABLE_TIME])
            return eqn->terms.nodes.items[parts.items[i].partial].level < LEVEL_RUN ? parts.items[i].partial
                                                                                    : HBG_NONE;
    return HBG_NONE;
}

hbg_term hbg_eqn_wave(hbg_eqn *eqn, hbg_term term) {
    term_node node = eqn->terms.nodes.items[term];
    hbg_term period = node.level == LEVEL_RUN ? period_of(eqn, &node) : HBG_NONE;
    if (period == HBG_NONE || eqn->terms.nodes.items[period].level == LEVEL_RUN) return HBG_NONE;
    hbg_term rate = rate_of(eqn, node.a);
    return rate == HBG_NONE ? HBG_NONE : hbg_term_divide(&eqn->terms, rate, period);
}

/* ---- what the integrator sees -------------------------------------------------------------------------- */

typedef struct {
    hbg_eqn *eqn;
    bool *is_read; /* by term */
    HBG_VEC(hbg_term) open;
} readers;

/* Marks formulas of guards and of signals: they count only if something else reads them. */
static void mark_expressions(hbg_eqn *eqn, hbg_expr root, bool *marked) {
    HBG_VEC(hbg_expr) left = {0};
    if (root != HBG_NONE) HBG_PUSH(&eqn->scratch, left, root);
    while (left.count > 0) {
        hbg_expr expr = left.items[--left.count];
        const hbg_expr_node *node = &eqn->model->exprs.items[expr];
        const hbg_expr arguments[] = {node->a, node->b, node->c};
        marked[expr] = true;
        for (int i = 0; i < hbg_model_expr_arity(node) && i < 3; i++)
            HBG_PUSH(&eqn->scratch, left, arguments[i]);
    }
}

static void read_term(readers *of, hbg_term term) {
    if (term != HBG_NONE && !of->is_read[term]) HBG_PUSH(&of->eqn->scratch, of->open, term);
}

static void read_arguments(readers *of, hbg_term term) {
    const hbg_eqn *eqn = of->eqn;
    const term_node *node = &eqn->terms.nodes.items[term];
    of->is_read[term] = true;
    for (int i = 0; i < hbg_term_arity(node); i++) read_term(of, hbg_term_argument(node, i));
    if (node->op != TERM_VARIABLE || hbg_eqn_kind_of(eqn, node->a) != VARIABLE_SIGNAL) return;
    hbg_expr formula =
        eqn->model->signals.items[node->a % eqn->base_count - eqn->first[VARIABLE_SIGNAL]].value;
    if (formula != HBG_NONE) read_term(of, eqn->expr_term[formula]);
}

const bool *hbg_eqn_read_but_by_guards(hbg_eqn *eqn, hbg_term count) {
    const hbg_model *model = eqn->model;
    readers of = {.eqn = eqn, .is_read = HBG_NEW_ARRAY(&eqn->scratch, bool, count + 1)};
    bool *marked = HBG_NEW_ARRAY(&eqn->scratch, bool, model->exprs.count + 1);
    for (int32_t i = 0; i < model->transitions.count; i++)
        mark_expressions(eqn, model->transitions.items[i].guard, marked);
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].kind == HBG_SIGNAL_SIGNAL)
            mark_expressions(eqn, model->signals.items[i].value, marked);
    for (hbg_expr i = 0; i < model->exprs.count; i++)
        if (!marked[i]) read_term(&of, eqn->expr_term[i]);
    for (int32_t i = 0; i < eqn->outline.output_count; i++) read_term(&of, eqn->readouts.outputs[i]);
    while (of.open.count > 0) read_arguments(&of, of.open.items[--of.open.count]);
    return of.is_read;
}
