/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * in(…) inside in(…), also by way of signals: the inner one would be a value in the states of both, which is
 * never computed. */
#include "model/model_impl.h"

/* Whether an expression reads one of those known at the same instant: integrators, samples and pre(…) are from before. */
static bool reads(const hbg_model *model, const bool *known, int32_t expr) {
    const hbg_expr_node *node = &model->exprs.items[expr];
    if (node->op == HBG_OP_PRE) return false;
    for (int k = 0; k < hbg_model_expr_arity(node); k++)
        if (hbg_model_expr_argument(node, k) >= 0 && known[hbg_model_expr_argument(node, k)]) return true;
    if (node->op != HBG_OP_SIGNAL || node->a < 0) return false;
    const hbg_signal *signal = &model->signals.items[node->a];
    bool now = signal->kind != HBG_SIGNAL_STATE && signal->every == HBG_NONE;
    return now && signal->value >= 0 && known[signal->value];
}

static void report(hbg_check *check, int32_t expr) {
    const hbg_expr_node *node = &check->model->exprs.items[expr];
    if (!hbg_model_check_first(check, HBG_E_EXPRESSION, node->span)) return;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_EXPRESSION, node->span,
        "`in` reads a value that is itself one of another state: `in` inside `in` is not evaluated");
    hbg_base_report_fix(check->diagnostics, report,
                        "let one automaton have a state in which all of this is so, and ask for that");
}

void hbg_model_check_ins(hbg_check *check) {
    const hbg_model *model = check->model;
    bool *known = HBG_NEW_ARRAY(check->scratch, bool, model->exprs.count + 1), more = true;
    while (more) { // signals may be declared in any order
        more = false;
        for (int32_t i = 0; i < model->exprs.count; i++) {
            if (known[i] || !(model->exprs.items[i].op == HBG_OP_IN || reads(model, known, i))) continue;
            known[i] = more = true;
        }
    }
    for (int32_t i = 0; i < model->exprs.count; i++)
        if (model->exprs.items[i].op == HBG_OP_IN && reads(model, known, i)) report(check, i);
}
