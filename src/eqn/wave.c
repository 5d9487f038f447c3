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

void hbg_code_find_waves(hbg_eqn *eqn) {
    int32_map waves = {0};
    hbg_eqn_begin_work(eqn);
    hbg_code_stage *stage = hbg_code_stage_new(&eqn->scratch, eqn, &eqn->start_temps, false);
    stage->side = SIDE_PARAM;
    for (int32_t i = 0, count = eqn->terms.nodes.count; i < count; i++) {
        term_node node = eqn->terms.nodes.items[i];
        hbg_term period = node.level == LEVEL_RUN ? period_of(eqn, &node) : HBG_NONE;
        if (period == HBG_NONE || eqn->terms.nodes.items[period].level == LEVEL_RUN) continue;
        hbg_term rate = rate_of(eqn, node.a);
        if (rate == HBG_NONE) continue;
        int32_t reg = hbg_code_stage_term(stage, hbg_term_divide(&eqn->terms, rate, period));
        HBG_PUSH(&eqn->scratch, waves, reg);
    }
    eqn->image.code.waves = (hbg_rt_range){hbg_code_add_ints(eqn, waves.items, waves.count), waves.count};
    hbg_code_stage_end(stage);
    hbg_eqn_end_work(eqn);
}
