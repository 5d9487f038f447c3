/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Samples and sensors that read each other: at an instant at which both tick, one takes its value after the
 * other. So a sample may not read itself, even by way of signals and other samples, except by pre(…), which
 * reads the value before the tick. Elements in between are no such way: the bond graph follows when all
 * samples are taken. */
#include "graph/graph.h"
#include "model/model_impl.h"

typedef struct {
    int32_t *start, *heads; /* of expressions, then of signals */
    bool counting;          /* first the arcs of each are counted, then they are written */
} arcs;

static void arc(arcs *to, int32_t from, int32_t read) {
    if (to->counting)
        to->start[from + 1]++;
    else
        to->heads[to->start[from]++] = read;
}

/* What it reads at the instant itself. */
static void expr_arcs(const hbg_model *model, int32_t expr, arcs *to) {
    const hbg_expr_node *node = &model->exprs.items[expr];
    if (node->op == HBG_OP_PRE || node->op == HBG_OP_DER || node->op == HBG_OP_IN) return;
    if (node->op == HBG_OP_SIGNAL && node->a >= 0) arc(to, expr, model->exprs.count + node->a);
    for (int k = 0; k < hbg_model_expr_arity(node); k++)
        if (hbg_model_expr_argument(node, k) >= 0) arc(to, expr, hbg_model_expr_argument(node, k));
}

static void all_arcs(const hbg_model *model, arcs *to) {
    for (int32_t i = 0; i < model->exprs.count; i++) expr_arcs(model, i, to);
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        bool reads = signal->kind != HBG_SIGNAL_STATE && signal->value >= 0; // of a state that is the rate
        if (reads) arc(to, model->exprs.count + i, signal->value);
    }
}

/* By vertex: the circle it is in. Other components have a single vertex. */
static int32_t *find_circles(hbg_check *check) {
    const hbg_model *model = check->model;
    int32_t count = model->exprs.count + model->signals.count;
    arcs all = {.start = HBG_NEW_ARRAY(check->scratch, int32_t, count + 1), .counting = true};
    all_arcs(model, &all);
    for (int32_t v = 0; v < count; v++) all.start[v + 1] += all.start[v];
    all.heads = HBG_NEW_ARRAY(check->scratch, int32_t, all.start[count] + 1);
    all.counting = false;
    all_arcs(model, &all);
    for (int32_t v = count; v > 0; v--) all.start[v] = all.start[v - 1]; // each has moved to the next
    all.start[0] = 0;
    int32_t *circle = HBG_NEW_ARRAY(check->scratch, int32_t, count + 1);
    hbg_graph_strong_components(check->scratch, count, all.start, all.heads, circle);
    return circle;
}

static bool is_sampled(const hbg_signal *signal) {
    return signal->every != HBG_NONE;
}

static void report(hbg_check *check, int32_t first, const int32_t *circle) {
    enum { MOST = 8 };
    const hbg_model *model = check->model;
    const hbg_signal *of = &model->signals.items[first];
    if (!hbg_model_check_first(check, HBG_E_CYCLE, of->id.span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_SIGNAL, first);
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_CYCLE, of->id.span,
                        "what `%s` takes at a tick depends on itself; to read what it was "
                        "before the tick, write `pre(%s)`",
                        path, path);
    const int32_t *of_signal = circle + model->exprs.count;
    for (int32_t i = 0, shown = 0; i < model->signals.count && shown < MOST; i++) {
        if (i == first || of_signal[i] != of_signal[first]) continue;
        hbg_base_report_note(check->diagnostics, report, model->signals.items[i].id.span,
                             "`%s` is in the circle", hbg_model_check_path(check, HBG_OBJECT_SIGNAL, i));
        shown++;
    }
}

void hbg_model_check_samples(hbg_check *check) {
    const hbg_model *model = check->model;
    const int32_t *circle = NULL;
    bool *told = NULL;
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        if (!is_sampled(signal) || signal->value < 0) continue;
        if (!circle) {
            circle = find_circles(check);
            told = HBG_NEW_ARRAY(check->scratch, bool, model->exprs.count + model->signals.count + 1);
        }
        int32_t own = circle[model->exprs.count + i];
        if (circle[signal->value] != own || told[own]) continue; // not in a circle, or a known one
        told[own] = true;
        report(check, i, circle);
    }
}
