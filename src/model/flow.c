/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The dependency graph, and a first-in-first-out worklist over it. Parameters and signals may be used before
 * they are declared and nets decide units that decide other nets, so one loop over the tables is not enough,
 * and repeated loops would be quadratic. */
#include "model/model_impl.h"

typedef struct {
    hbg_flow *flow;
    bool counting; /* first pass: start[v+1] counts edges; second: start[v] is where the next edge goes */
} edge_writer;

static void edge(edge_writer *writer, int32_t from, int32_t to) {
    hbg_flow *flow = writer->flow;
    if (writer->counting)
        flow->start[from + 1]++;
    else
        flow->target[flow->start[from]++] = to;
}

static void expr_edges(const hbg_check *check, edge_writer *writer) {
    const hbg_model *model = check->model;
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr argument = hbg_model_expr_argument(node, k);
            if (argument >= 0) edge(writer, argument, i);
        }
        if (node->op == HBG_OP_PARAM && node->a >= 0) edge(writer, check->flow.first_param + node->a, i);
        if (node->op == HBG_OP_SIGNAL && node->a >= 0) edge(writer, check->flow.first_signal + node->a, i);
        int32_t net = hbg_model_expr_net(model, node);
        if (net >= 0) edge(writer, check->flow.first_net + net, i);
    }
}

static void object_edges(const hbg_check *check, edge_writer *writer) {
    const hbg_model *model = check->model;
    for (int32_t i = 0; i < model->params.count; i++)
        if (model->params.items[i].value >= 0)
            edge(writer, model->params.items[i].value, check->flow.first_param + i);
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        if (signal->value >= 0) edge(writer, signal->value, check->flow.first_signal + i);
        if (signal->initial >= 0) edge(writer, signal->initial, check->flow.first_signal + i);
    }
    for (int32_t i = 0; i < check->facts.count; i++) {
        int32_t nets[2];
        hbg_model_fact_nets(check, &check->facts.items[i], nets);
        hbg_expr expr = hbg_model_fact_expr(check, &check->facts.items[i]);
        if (expr >= 0) edge(writer, expr, check->flow.first_fact + i);
        for (int k = 0; k < 2; k++)
            if (nets[k] >= 0) edge(writer, check->flow.first_net + nets[k], check->flow.first_fact + i);
    }
}

void hbg_model_flow_build(hbg_check *check) {
    hbg_flow *flow = &check->flow;
    flow->first_param = check->model->exprs.count;
    flow->first_signal = flow->first_param + check->model->params.count;
    flow->first_net = flow->first_signal + check->model->signals.count;
    flow->first_fact = flow->first_net + check->model->net_count;
    flow->vertex_count = flow->first_fact + check->facts.count;
    flow->start = HBG_NEW_ARRAY(check->scratch, int32_t, flow->vertex_count + 1);
    flow->queue = HBG_NEW_ARRAY(check->scratch, int32_t, flow->vertex_count + 1);
    flow->queued = HBG_NEW_ARRAY(check->scratch, bool, flow->vertex_count + 1);

    edge_writer writer = {flow, true};
    expr_edges(check, &writer);
    object_edges(check, &writer);
    for (int32_t v = 0; v < flow->vertex_count; v++) flow->start[v + 1] += flow->start[v];
    flow->target = HBG_NEW_ARRAY(check->scratch, int32_t, flow->start[flow->vertex_count] + 1);
    writer.counting = false;
    expr_edges(check, &writer);
    object_edges(check, &writer);
    // every start has moved to the start of the next vertex
    for (int32_t v = flow->vertex_count; v > 0; v--) flow->start[v] = flow->start[v - 1];
    flow->start[0] = 0;
}

void hbg_model_flow_push(hbg_flow *flow, int32_t vertex) {
    if (flow->queued[vertex]) return;
    flow->queued[vertex] = true;
    int32_t tail = flow->head + flow->waiting++;
    if (tail >= flow->vertex_count || tail < 0) tail -= flow->vertex_count;
    flow->queue[tail] = vertex;
}

void hbg_model_flow_push_dependents(hbg_flow *flow, int32_t vertex) {
    for (int32_t i = flow->start[vertex]; i < flow->start[vertex + 1]; i++)
        hbg_model_flow_push(flow, flow->target[i]);
}

void hbg_model_flow_run(hbg_flow *flow, bool (*update)(void *context, int32_t vertex), void *context) {
    flow->head = flow->waiting = 0;
    for (int32_t v = 0; v < flow->vertex_count; v++) hbg_model_flow_push(flow, v);
    while (flow->waiting > 0) {
        int32_t vertex = flow->queue[flow->head];
        flow->head = flow->head + 1 == flow->vertex_count ? 0 : flow->head + 1;
        flow->waiting--;
        flow->queued[vertex] = false;
        if (update(context, vertex)) hbg_model_flow_push_dependents(flow, vertex);
    }
}
