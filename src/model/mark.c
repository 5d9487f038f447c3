/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Marks of expressions: what they read, hence where they may stand. */
#include "model/model_impl.h"

#define CONTAINED (HBG_EXPR_VARIES | HBG_EXPR_NOT_LITERAL | HBG_EXPR_NOT_CONTROL | HBG_EXPR_BROKEN)

/* The marks of an operator itself. */
static uint8_t own_marks(const hbg_expr_node *node) {
    switch (node->op) {
    case HBG_OP_TRUE:
    case HBG_OP_FALSE:
    case HBG_OP_AND:
    case HBG_OP_OR:
    case HBG_OP_NOT: return 0;
    case HBG_OP_NUMBER:
    case HBG_OP_PI: return HBG_EXPR_NOT_CONTROL;
    case HBG_OP_PARAM: return HBG_EXPR_NOT_LITERAL | HBG_EXPR_NOT_CONTROL;
    case HBG_OP_ACTIVE:
    case HBG_OP_AUTOMATON: return HBG_EXPR_VARIES | HBG_EXPR_NOT_LITERAL;
    case HBG_OP_TABLE:
    case HBG_OP_PRE:
    case HBG_OP_IMPULSE:
    case HBG_OP_FINITE:
    case HBG_OP_DER:
    case HBG_OP_IN: return HBG_EXPR_VARIES | HBG_EXPR_NOT_LITERAL | HBG_EXPR_NOT_CONTROL;
    default: break;
    }
    bool leaf = hbg_model_expr_arity(node) == 0; // time, signals and observables; the rest are functions
    return leaf ? HBG_EXPR_VARIES | HBG_EXPR_NOT_LITERAL | HBG_EXPR_NOT_CONTROL : HBG_EXPR_NOT_CONTROL;
}

/* Whether a leaf lost its reference. */
static bool broken_leaf(const hbg_expr_node *node) {
    switch (node->op) {
    case HBG_OP_TRUE:
    case HBG_OP_FALSE:
    case HBG_OP_PI:
    case HBG_OP_TIME: return false;
    case HBG_OP_TABLE:
    case HBG_OP_IN: return node->b < 0;
    case HBG_OP_ACTIVE: return node->a < 0 || node->b < 0;
    default: return hbg_model_expr_arity(node) == 0 && node->a < 0;
    }
}

void hbg_model_check_marks(hbg_check *check) {
    const hbg_model *model = check->model;
    check->flags = HBG_NEW_ARRAY(check->scratch, uint8_t, model->exprs.count + 1);
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        uint8_t marks = own_marks(node);
        if (broken_leaf(node)) marks |= HBG_EXPR_BROKEN;
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr argument = hbg_model_expr_argument(node, k);
            marks |= argument < 0 ? HBG_EXPR_BROKEN : check->flags[argument] & CONTAINED;
        }
        check->flags[i] = marks;
    }
}

hbg_expr hbg_model_check_offender(const hbg_check *check, hbg_expr expr, uint8_t mark) {
    for (;;) {
        const hbg_expr_node *node = &check->model->exprs.items[expr];
        hbg_expr next = HBG_NONE;
        if (own_marks(node) & mark) return expr;
        for (int k = 0; k < hbg_model_expr_arity(node) && next < 0; k++) {
            hbg_expr argument = hbg_model_expr_argument(node, k);
            if (argument >= 0 && (check->flags[argument] & mark)) next = argument;
        }
        if (next < 0) return expr;
        expr = next;
    }
}
