/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Demands: in `node.e <= -0.6 [V]` the right side determines the unit of the left side. A demand goes down
 * through sums, signs and plain signals to the observables at the ends, whose nets it decides. Each
 * expression gets one demand: its unit is known after that, so a second, different demand shows as units that
 * do not agree. */
#include "model/inference_impl.h"

static void push(hbg_inference *inference, hbg_expr expr, hbg_dimension dimension, hbg_expr origin) {
    if (expr < 0 || !dimension.known) return;
    HBG_PUSH(inference->check->scratch, inference->steps, (hbg_demand_step){expr, origin, dimension});
}

static void demand_leaf(hbg_inference *inference, hbg_demand_step step, const hbg_expr_node *node) {
    const hbg_model *model = inference->check->model;
    hbg_quantity quantity;
    if (node->op == HBG_OP_SIGNAL && node->a >= 0) {
        const hbg_signal *signal = &model->signals.items[node->a];
        bool plain = signal->kind != HBG_SIGNAL_STATE && signal->kind != HBG_SIGNAL_INPUT;
        if (plain && !signal->dimension.known) push(inference, signal->value, step.dimension, step.origin);
        return;
    }
    int32_t net = hbg_model_expr_net(model, node);
    if (net < 0 || !hbg_model_expr_quantity(node, &quantity)) return;
    HBG_PUSH(inference->check->scratch, inference->demands,
             (hbg_demand){step.expr, step.origin, step.dimension});
    hbg_domain_set fitting = hbg_model_quantity_domains(quantity, step.dimension);
    if (fitting != 0) hbg_model_inference_narrow(inference, net, fitting);
}

static void hand_down(hbg_inference *inference, hbg_demand_step step) {
    const hbg_expr_node *node = &inference->check->model->exprs.items[step.expr];
    hbg_dimension second = hbg_model_dimension_second();
    switch (hbg_model_operator_info_get((hbg_operator)node->op)->unit_rule) {
    case HBG_UNITS_LEAF:
        if (node->op != HBG_OP_TABLE) demand_leaf(inference, step, node);
        break;
    case HBG_UNITS_SAME:
        for (int k = hbg_model_expr_arity(node) - 1; k >= 0; k--)
            push(inference, hbg_model_expr_argument(node, k), step.dimension, step.origin);
        break;
    case HBG_UNITS_SELECT:
        push(inference, node->c, step.dimension, step.origin);
        push(inference, node->b, step.dimension, step.origin);
        break;
    case HBG_UNITS_DER:
        push(inference, node->a, hbg_model_dimension_multiply(step.dimension, second), step.origin);
        break;
    case HBG_UNITS_AREA:
        push(inference, node->a, hbg_model_dimension_divide(step.dimension, second), step.origin);
        break;
    default: break; // products and functions: nothing follows for a single factor
    }
}

void hbg_model_inference_demand(hbg_inference *inference, hbg_expr expr, hbg_dimension dimension,
                                hbg_expr origin) {
    hbg_check *check = inference->check;
    inference->steps.count = 0;
    push(inference, expr, dimension, origin);
    while (inference->steps.count > 0) {
        hbg_demand_step step = inference->steps.items[--inference->steps.count];
        bool asked = check->flags[step.expr] & HBG_EXPR_DEMANDED;
        if (asked || check->model->expr_dimension[step.expr].known) continue;
        check->flags[step.expr] |= HBG_EXPR_DEMANDED;
        hand_down(inference, step);
    }
}

void hbg_model_inference_demand_arguments(hbg_inference *inference, hbg_expr expr) {
    const hbg_model *model = inference->check->model;
    const hbg_expr_node *node = &model->exprs.items[expr];
    hbg_unit_rule rule = hbg_model_operator_info_get((hbg_operator)node->op)->unit_rule;
    if (node->op == HBG_OP_TABLE && node->b >= 0)
        hbg_model_inference_demand(inference, node->a, model->tables.items[node->b].argument_dimension, expr);
    int first = rule == HBG_UNITS_SELECT ? 1 : 0;
    if (first == 0 && rule != HBG_UNITS_SAME && rule != HBG_UNITS_COMPARE && rule != HBG_UNITS_RATIO) return;
    hbg_dimension known = hbg_model_dimension_any;
    int arity = hbg_model_expr_arity(node), unknown = 0;
    for (int k = first; k < arity; k++) {
        hbg_expr argument = hbg_model_expr_argument(node, k);
        hbg_dimension dimension = argument < 0 ? hbg_model_dimension_any : model->expr_dimension[argument];
        if (!dimension.known) unknown++;
        if (dimension.known && !known.known) known = dimension;
    }
    if (!known.known || unknown == 0) return;
    for (int k = first; k < arity; k++)
        hbg_model_inference_demand(inference, hbg_model_expr_argument(node, k), known, expr);
}
