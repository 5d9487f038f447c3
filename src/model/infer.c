/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inference of units and domains to its fixed point: see inference_impl.h for the idea. */
#include <math.h>
#include <string.h>

#include "model/inference_impl.h"
#include "rt/bands.h"

hbg_domain hbg_model_inference_domain(const hbg_inference *inference, int32_t net) {
    if (net < 0) return HBG_DOMAIN_ANY;
    hbg_domain_set set = inference->candidates[net];
    for (int d = HBG_DOMAIN_ANY + 1; d < HBG_DOMAIN_COUNT; d++)
        if (set == HBG_DOMAIN_BIT(d)) return d;
    return HBG_DOMAIN_ANY;
}

void hbg_model_inference_narrow(hbg_inference *inference, int32_t net, hbg_domain_set to) {
    if (net < 0) return;
    hbg_domain_set narrowed = inference->candidates[net] & to;
    if (narrowed == 0) {
        inference->conflict[net] = inference->any_conflict = true;
        return;
    }
    if (narrowed == inference->candidates[net]) return;
    inference->candidates[net] = narrowed;
    hbg_model_flow_push_dependents(&inference->check->flow, inference->check->flow.first_net + net);
}

/* ---- dimensions of expressions ------------------------------------------------------------------------ */

static hbg_dimension dimension_at(const hbg_model *model, hbg_expr expr) {
    return expr < 0 ? hbg_model_dimension_any : model->expr_dimension[expr];
}

static hbg_dimension leaf_dimension(const hbg_inference *inference, const hbg_expr_node *node) {
    const hbg_model *model = inference->check->model;
    hbg_quantity quantity;
    switch (node->op) {
    case HBG_OP_NUMBER:
        return node->a < 0 ? hbg_model_dimension_any : model->literals.items[node->a].dimension;
    case HBG_OP_TIME: return hbg_model_dimension_second();
    case HBG_OP_PARAM: return node->a < 0 ? hbg_model_dimension_any : model->params.items[node->a].dimension;
    case HBG_OP_SIGNAL:
        return node->a < 0 ? hbg_model_dimension_any : model->signals.items[node->a].dimension;
    case HBG_OP_TABLE: return node->b < 0 ? hbg_model_dimension_any : model->tables.items[node->b].dimension;
    case HBG_OP_ENERGY: return hbg_model_dimension_joule();
    case HBG_OP_POWER: // also in thermal nets: there it is the flow, which is a power by itself
    case HBG_OP_BOND_POWER: return hbg_model_dimension_watt();
    default: break;
    }
    if (!hbg_model_expr_quantity(node, &quantity)) return hbg_model_dimension_any;
    hbg_domain domain = hbg_model_inference_domain(inference, hbg_model_expr_net(model, node));
    return hbg_model_domain_quantity(domain, quantity);
}

/* base^exponent: an exponent made of literals scales the dimension. */
static hbg_dimension power_dimension(const hbg_inference *inference, const hbg_expr_node *node) {
    const hbg_check *check = inference->check;
    hbg_dimension base = dimension_at(check->model, node->a), result;
    if (hbg_model_dimension_is_pure(base) || !base.known || node->b < 0) return base;
    bool literal =
        !(check->flags[node->b] & HBG_EXPR_NOT_LITERAL) && (check->flags[node->b] & HBG_EXPR_VALUED);
    double sixths = literal ? check->model->expr_values[node->b] * HBG_DIMENSION_DENOMINATOR : NAN;
    if (!(fabs(sixths) <= 1000) || fabs(sixths - round(sixths)) > HBG_RT_WHOLE)
        return hbg_model_dimension_any;
    hbg_model_dimension_power(base, (int)lround(sixths), HBG_DIMENSION_DENOMINATOR, &result);
    return result;
}

static hbg_dimension first_known(const hbg_model *model, const hbg_expr_node *node) {
    for (int k = 0; k < hbg_model_expr_arity(node); k++) {
        hbg_dimension dimension = dimension_at(model, hbg_model_expr_argument(node, k));
        if (dimension.known) return dimension;
    }
    return hbg_model_dimension_any;
}

/* The 1 of `1/x` is a pure number; other bare numbers may be of any unit. */
static bool is_bare_one(const hbg_model *model, hbg_expr expr) {
    const hbg_expr_node *node = expr < 0 ? NULL : &model->exprs.items[expr];
    if (node && node->op == HBG_OP_NEGATE) node = node->a < 0 ? NULL : &model->exprs.items[node->a];
    if (!node || node->op != HBG_OP_NUMBER || node->a < 0) return false;
    const hbg_literal *literal = &model->literals.items[node->a];
    return !literal->dimension.known && literal->value.exponent == 0 && !literal->value.negative &&
           strcmp(literal->value.digits, "1") == 0;
}

hbg_dimension hbg_model_inference_dimension(const hbg_inference *inference, hbg_expr expr) {
    const hbg_model *model = inference->check->model;
    const hbg_expr_node *node = &model->exprs.items[expr];
    hbg_dimension a = hbg_model_dimension_any, b = hbg_model_dimension_any, result = hbg_model_dimension_any;
    if (hbg_model_expr_arity(node) > 0) a = dimension_at(model, node->a);
    if (hbg_model_expr_arity(node) > 1) b = dimension_at(model, node->b);
    switch (hbg_model_operator_info_get((hbg_operator)node->op)->unit_rule) {
    case HBG_UNITS_LEAF: return leaf_dimension(inference, node);
    case HBG_UNITS_SAME: return first_known(model, node);
    case HBG_UNITS_SELECT: return b.known ? b : dimension_at(model, node->c);
    case HBG_UNITS_MULTIPLY: return hbg_model_dimension_multiply(a, b);
    case HBG_UNITS_DIVIDE:
        return hbg_model_dimension_divide(is_bare_one(model, node->a) ? hbg_model_dimension_pure : a, b);
    case HBG_UNITS_POWER: return power_dimension(inference, node);
    case HBG_UNITS_ROOT2: hbg_model_dimension_power(a, 1, 2, &result); return result;
    case HBG_UNITS_ROOT3: hbg_model_dimension_power(a, 1, 3, &result); return result;
    case HBG_UNITS_DER: return hbg_model_dimension_divide(a, hbg_model_dimension_second());
    case HBG_UNITS_AREA: return hbg_model_dimension_multiply(a, hbg_model_dimension_second());
    case HBG_UNITS_NONE:
    case HBG_UNITS_COMPARE:
    case HBG_UNITS_PURE:
    case HBG_UNITS_RATIO:
    case HBG_UNITS_DROP: return hbg_model_dimension_any;
    }
    return hbg_model_dimension_any;
}

/* ---- updates ------------------------------------------------------------------------------------------ */

static bool update_expr(hbg_inference *inference, hbg_expr expr) {
    hbg_dimension *dimension = &inference->check->model->expr_dimension[expr];
    bool found = false;
    if (!dimension->known) {
        *dimension = hbg_model_inference_dimension(inference, expr);
        found = dimension->known;
    }
    hbg_model_inference_demand_arguments(inference, expr);
    return found;
}

static bool update_param(hbg_inference *inference, int32_t index) {
    hbg_param *param = &inference->check->model->params.items[index];
    if (param->dimension.known) return false;
    param->dimension = dimension_at(inference->check->model, param->value);
    return param->dimension.known;
}

static bool update_signal(hbg_inference *inference, int32_t index) {
    hbg_model *model = inference->check->model;
    hbg_signal *signal = &model->signals.items[index];
    hbg_dimension second = hbg_model_dimension_second();
    bool is_state = signal->kind == HBG_SIGNAL_STATE, found = false;
    if (!signal->dimension.known) {
        hbg_dimension value = dimension_at(model, signal->value),
                      start = dimension_at(model, signal->initial);
        if (is_state) value = start.known ? start : hbg_model_dimension_multiply(value, second);
        signal->dimension = value;
        found = value.known;
    }
    if (!signal->dimension.known) return false;
    hbg_dimension wanted =
        is_state ? hbg_model_dimension_divide(signal->dimension, second) : signal->dimension;
    hbg_model_inference_demand(inference, signal->value, wanted, HBG_NONE);
    return found;
}

static void apply_pair(hbg_inference *inference, const hbg_fact *fact, const int32_t nets[2]) {
    hbg_dimension dimension =
        dimension_at(inference->check->model, hbg_model_fact_expr(inference->check, fact));
    if (!dimension.known || nets[0] < 0 || nets[1] < 0) return;
    hbg_domain_set first = HBG_DOMAINS_ALL, second = HBG_DOMAINS_ALL;
    hbg_model_fact_pair_project(inference->check, fact, dimension, &first, &second);
    if (first == 0) return; // fits no domain: it is wrong by itself and does not count for the nets
    first = inference->candidates[nets[0]];
    second = inference->candidates[nets[1]];
    hbg_model_fact_pair_project(inference->check, fact, dimension, &first, &second);
    hbg_model_inference_narrow(inference, nets[0], first);
    hbg_model_inference_narrow(inference, nets[1], second);
}

static void apply_single(hbg_inference *inference, const hbg_fact *fact, int32_t net) {
    hbg_expr expr = hbg_model_fact_expr(inference->check, fact);
    hbg_quantity quantity = hbg_model_fact_quantity(inference->check, fact);
    hbg_dimension dimension = dimension_at(inference->check->model, expr);
    if (dimension.known) {
        hbg_domain_set fitting = hbg_model_quantity_domains(quantity, dimension);
        if (fitting != 0) hbg_model_inference_narrow(inference, net, fitting);
        return;
    }
    hbg_domain domain = hbg_model_inference_domain(inference, net);
    hbg_model_inference_demand(inference, expr, hbg_model_domain_quantity(domain, quantity), HBG_NONE);
}

static void apply_fact(hbg_inference *inference, const hbg_fact *fact) {
    int32_t nets[2];
    hbg_model_fact_nets(inference->check, fact, nets);
    if (nets[0] < 0) return;
    if (fact->kind == HBG_FACT_PORT) {
        hbg_domain domain = inference->check->model->ports.items[fact->object].domain;
        hbg_model_inference_narrow(inference, nets[0], HBG_DOMAIN_BIT(domain));
    } else if (fact->kind == HBG_FACT_MOMENTUM) {
        hbg_domain_set without = HBG_DOMAIN_BIT(HBG_DOMAIN_THERMAL) | HBG_DOMAIN_BIT(HBG_DOMAIN_MAGNETIC);
        hbg_model_inference_narrow(inference, nets[0], HBG_DOMAINS_ALL & (hbg_domain_set)~without);
    } else if (hbg_model_fact_is_pair(inference->check, fact)) {
        apply_pair(inference, fact, nets);
    } else {
        apply_single(inference, fact, nets[0]);
    }
}

static bool update(void *context, int32_t vertex) {
    hbg_inference *inference = context;
    const hbg_flow *flow = &inference->check->flow;
    if (vertex < flow->first_param) return update_expr(inference, vertex);
    if (vertex < flow->first_signal) return update_param(inference, vertex - flow->first_param);
    if (vertex < flow->first_net) return update_signal(inference, vertex - flow->first_signal);
    if (vertex >= flow->first_fact)
        apply_fact(inference, &inference->check->facts.items[vertex - flow->first_fact]);
    return false; // a net that changes tells its dependents at once
}

/* ---- contradictions ----------------------------------------------------------------------------------- */

#define PORT_WEIGHT 1000 /* a declaration outweighs what units suggest */

typedef struct {
    int32_t votes[HBG_DOMAIN_COUNT];
} ballot;

static void vote(ballot *ballots, const bool *conflict, int32_t net, hbg_domain_set set, int32_t weight) {
    if (net < 0 || !conflict[net]) return;
    for (int d = HBG_DOMAIN_ANY + 1; d < HBG_DOMAIN_COUNT; d++)
        if (set & HBG_DOMAIN_BIT(d)) ballots[net].votes[d] += weight;
}

static void count_votes(const hbg_inference *inference, ballot *ballots) {
    const hbg_check *check = inference->check;
    for (int32_t i = 0; i < check->facts.count; i++) {
        const hbg_fact *fact = &check->facts.items[i];
        int32_t nets[2];
        hbg_model_fact_nets(check, fact, nets);
        if (fact->kind == HBG_FACT_PORT) {
            hbg_domain domain = check->model->ports.items[fact->object].domain;
            vote(ballots, inference->conflict, nets[0], HBG_DOMAIN_BIT(domain), PORT_WEIGHT);
        } else if (fact->kind != HBG_FACT_MOMENTUM && !hbg_model_fact_is_pair(check, fact)) {
            hbg_dimension dimension = dimension_at(check->model, hbg_model_fact_expr(check, fact));
            vote(ballots, inference->conflict, nets[0],
                 hbg_model_quantity_domains(hbg_model_fact_quantity(check, fact), dimension), 1);
        }
    }
    for (int32_t i = 0; i < inference->demands.count; i++) {
        const hbg_demand *demand = &inference->demands.items[i];
        const hbg_expr_node *leaf = &check->model->exprs.items[demand->leaf];
        hbg_quantity quantity;
        if (hbg_model_expr_quantity(leaf, &quantity))
            vote(ballots, inference->conflict, hbg_model_expr_net(check->model, leaf),
                 hbg_model_quantity_domains(quantity, demand->dimension), 1);
    }
}

/* The domain that most facts support; ties go to the first in the table. Magnetic units are what slips in
 * electrical nets look like (an R in siemens, a C in henry), so magnetic wins only by declaration or
 * unopposed. */
static hbg_domain winner(const ballot *b, hbg_domain_set candidates) {
    int best = HBG_DOMAIN_ANY;
    for (int d = HBG_DOMAIN_ANY + 1; d < HBG_DOMAIN_COUNT; d++) {
        bool weak = d == HBG_DOMAIN_MAGNETIC && b->votes[best] > 0 && b->votes[d] < PORT_WEIGHT;
        if (b->votes[d] > b->votes[best] && !weak) best = d;
    }
    for (int d = HBG_DOMAIN_ANY + 1; d < HBG_DOMAIN_COUNT && best == HBG_DOMAIN_ANY; d++)
        if (candidates & HBG_DOMAIN_BIT(d)) best = d; // no fact supports any: transformers alone disagree
    return best;
}

static void settle(hbg_inference *inference) {
    int32_t nets = inference->check->model->net_count;
    ballot *ballots = HBG_NEW_ARRAY(inference->check->scratch, ballot, nets + 1);
    count_votes(inference, ballots);
    for (int32_t net = 0; net < nets; net++)
        if (inference->conflict[net])
            inference->frozen[net] = HBG_DOMAIN_BIT(winner(&ballots[net], inference->candidates[net]));
}

/* ---- runs --------------------------------------------------------------------------------------------- */

static void reset(hbg_inference *inference) {
    hbg_model *model = inference->check->model;
    for (int32_t i = 0; i < model->exprs.count; i++) {
        model->expr_dimension[i] = hbg_model_dimension_any;
        inference->check->flags[i] &= (uint8_t)~HBG_EXPR_DEMANDED;
    }
    for (int32_t i = 0; i < model->params.count; i++)
        if (model->params.items[i].inferred) model->params.items[i].dimension = hbg_model_dimension_any;
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].inferred) model->signals.items[i].dimension = hbg_model_dimension_any;
    for (int32_t i = 0; i < model->net_count; i++) {
        inference->candidates[i] = inference->frozen[i] ? inference->frozen[i] : HBG_DOMAINS_ALL;
        inference->conflict[i] = false;
    }
    inference->demands.count = 0;
}

void hbg_model_inference_run(hbg_inference *inference, hbg_check *check) {
    hbg_model *model = check->model;
    *inference = (hbg_inference){.check = check};
    model->expr_dimension = HBG_NEW_ARRAY(model->arena, hbg_dimension, model->exprs.count + 1);
    inference->candidates = HBG_NEW_ARRAY(check->scratch, hbg_domain_set, model->net_count + 1);
    inference->frozen = HBG_NEW_ARRAY(check->scratch, hbg_domain_set, model->net_count + 1);
    inference->conflict = HBG_NEW_ARRAY(check->scratch, bool, model->net_count + 1);
    for (int32_t i = 0; i < model->params.count; i++)
        model->params.items[i].inferred = !model->params.items[i].dimension.known;
    for (int32_t i = 0; i < model->signals.count; i++)
        model->signals.items[i].inferred = !model->signals.items[i].dimension.known;
    reset(inference);
    hbg_model_flow_run(&check->flow, update, inference);
    if (inference->any_conflict) {
        settle(inference);
        reset(inference);
        hbg_model_flow_run(&check->flow, update, inference);
    }
    model->net_domain = HBG_NEW_ARRAY(model->arena, hbg_domain, model->net_count + 1);
    for (int32_t i = 0; i < model->net_count; i++)
        model->net_domain[i] = hbg_model_inference_domain(inference, i);
}
