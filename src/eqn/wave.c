/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Waves and saw-teeth of time: sin, cos, tan, floor, ceil and % of an argument that grows with time at a rate that parameters
 * alone decide. While nothing else moves an integrator would step over whole periods of them without noticing. */
#include "eqn/eqn_impl.h"

/* The column `period` of the list of operators: length of what repeats, in the argument. */
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

static hbg_term period_of(hbg_eqn *eqn, const term_node *node) {
    switch (node->op) {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    case HBG_OP_##id: return period_##period(eqn, node);
        HBG_OPERATOR_LIST(X)
#undef X
    default: return HBG_NONE; // variables, slopes and charges
    }
}

/* How fast the argument grows with time; HBG_NONE where that is not a matter of parameters. */
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
