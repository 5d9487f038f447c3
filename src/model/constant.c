/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values of constant expressions, for readers of a model. The check has found them all; before it, only small
 * expressions of literals can be evaluated, since parts may be shared without limit. */
#include <math.h>

#include "model/model_impl.h"

#define NODES 64

/* Evaluates the few nodes below `expr`, found in order of their numbers. */
static bool evaluate_literals(const hbg_model *model, hbg_expr expr, double *value) {
    hbg_expr first = expr >= NODES ? expr - NODES + 1 : 0;
    double values[NODES];
    for (hbg_expr i = first; i <= expr; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        double arguments[3] = {0};
        bool known = (node->op >= HBG_OP_OR && node->op < HBG_OP_TABLE) || node->op == HBG_OP_NUMBER;
        for (int k = 0; k < hbg_model_expr_arity(node) && known; k++) {
            hbg_expr argument = hbg_model_expr_argument(node, k);
            arguments[k] = argument >= first ? values[argument - first] : NAN;
            known = !isnan(arguments[k]);
        }
        values[i - first] = NAN;
        if (!known) continue;
        values[i - first] =
            node->op == HBG_OP_NUMBER
                ? hbg_base_decimal_to_double(model->literals.items[node->a].value)
                : hbg_rt_evaluate((hbg_operator)node->op, arguments[0], arguments[1], arguments[2]);
    }
    *value = values[expr - first];
    return isfinite(*value);
}

bool hbg_model_constant(const hbg_model *model, hbg_expr expr, double *value) {
    if (expr < 0 || expr >= model->exprs.count) return false;
    if (!model->expr_values) return evaluate_literals(model, expr, value);
    *value = model->expr_values[expr];
    return isfinite(*value);
}

double hbg_model_value_again(const hbg_expr_node *node, const double *exprs, const double *params,
                             double old) {
    if (node->op == HBG_OP_PARAM) return node->a >= 0 ? params[node->a] : old;
    int arity = node->op > HBG_OP_AUTOMATON ? hbg_model_expr_arity(node) : 0;
    if (arity == 0 || node->op >= HBG_OP_TABLE) return old;
    return hbg_rt_evaluate((hbg_operator)node->op, exprs[node->a], arity > 1 ? exprs[node->b] : 0,
                           arity > 2 ? exprs[node->c] : 0);
}
