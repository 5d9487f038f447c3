/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Types: finds the type of every expression and signal, then checks operators and sites, and that constants
 * stand where constants are needed. */
#include "model/model_impl.h"

/* ---- finding types ------------------------------------------------------------------------------------ */

static hbg_type type_at(const hbg_model *model, hbg_expr expr) {
    return expr < 0 ? HBG_TYPE_UNKNOWN : model->expr_type[expr];
}

static hbg_type leaf_type(const hbg_model *model, const hbg_expr_node *node) {
    switch (node->op) {
    case HBG_OP_TRUE:
    case HBG_OP_FALSE:
    case HBG_OP_ACTIVE:
    case HBG_OP_AUTOMATON: return HBG_TYPE_BOOL;
    case HBG_OP_SIGNAL: {
        hbg_type type = node->a < 0 ? HBG_TYPE_UNKNOWN : model->signals.items[node->a].type;
        return type == HBG_TYPE_EVENT ? HBG_TYPE_BOOL : type; // true in the first pass of its instant
    }
    default: return HBG_TYPE_REAL;
    }
}

static hbg_type result_type(const hbg_model *model, const hbg_expr_node *node) {
    switch (hbg_model_operator_info_get((hbg_operator)node->op)->type_rule) {
    case HBG_TYPES_LEAF: return leaf_type(model, node);
    case HBG_TYPES_REAL: return HBG_TYPE_REAL;
    case HBG_TYPES_COMPARE:
    case HBG_TYPES_EQUAL:
    case HBG_TYPES_BOOL: return HBG_TYPE_BOOL;
    case HBG_TYPES_SELECT: {
        hbg_type type = type_at(model, node->b);
        return type != HBG_TYPE_UNKNOWN ? type : type_at(model, node->c);
    }
    case HBG_TYPES_SAME: return type_at(model, node->a);
    }
    return HBG_TYPE_UNKNOWN;
}

static bool update_type(void *context, int32_t vertex) {
    hbg_check *check = context;
    hbg_model *model = check->model;
    if (vertex < check->flow.first_param) {
        if (model->expr_type[vertex] != HBG_TYPE_UNKNOWN) return false;
        model->expr_type[vertex] = result_type(model, &model->exprs.items[vertex]);
        return model->expr_type[vertex] != HBG_TYPE_UNKNOWN;
    }
    if (vertex < check->flow.first_signal || vertex >= check->flow.first_net) return false;
    hbg_signal *signal = &model->signals.items[vertex - check->flow.first_signal];
    if (signal->type != HBG_TYPE_UNKNOWN) return false;
    signal->type = type_at(model, signal->value);
    return signal->type != HBG_TYPE_UNKNOWN;
}

/* Only inputs, states and ports of type bool or event declare their type; the rest take their expression's.
 */
static void forget_default_types(hbg_model *model) {
    for (int32_t i = 0; i < model->signals.count; i++) {
        hbg_signal *signal = &model->signals.items[i];
        bool declares = signal->kind == HBG_SIGNAL_INPUT || signal->kind == HBG_SIGNAL_STATE || signal->unit;
        if (!declares && signal->type == HBG_TYPE_REAL) signal->type = HBG_TYPE_UNKNOWN;
    }
}

/* ---- operators ---------------------------------------------------------------------------------------- */

static const char *type_text(hbg_type type) {
    return type == HBG_TYPE_REAL ? "a number" : "a boolean";
}

static bool is_relation(const hbg_model *model, hbg_expr expr) {
    if (expr < 0) return false;
    uint16_t op = model->exprs.items[expr].op;
    return hbg_model_operator_info_get((hbg_operator)op)->type_rule == HBG_TYPES_COMPARE;
}

/* `a < b < c` compares a boolean with c: what was meant needs `&&`. */
static bool offer_chain(hbg_check *check, hbg_diagnostic *report, const hbg_expr_node *node) {
    const hbg_model *model = check->model;
    bool relation = hbg_model_operator_info_get((hbg_operator)node->op)->type_rule == HBG_TYPES_COMPARE;
    if (!relation || !is_relation(model, node->a)) return false;
    const hbg_expr_node *inner = &model->exprs.items[node->a];
    hbg_base_report_fix(check->diagnostics, report, "write `%s && %s %s %s`",
                        hbg_model_check_expr(check, node->a), hbg_model_check_expr(check, inner->b),
                        hbg_model_operator_info_get((hbg_operator)node->op)->text,
                        hbg_model_check_expr(check, node->b));
    return true;
}

/* Argument `index` of the node has to have the type. */
static void want(hbg_check *check, hbg_expr expr, int index, hbg_type wanted) {
    const hbg_expr_node *node = &check->model->exprs.items[expr];
    hbg_expr argument = hbg_model_expr_argument(node, index);
    hbg_type found = type_at(check->model, argument);
    if (found == HBG_TYPE_UNKNOWN || found == wanted) return;
    hbg_span span = hbg_model_check_span(check, argument, node->span);
    if (!hbg_model_check_first(check, HBG_E_TYPE, span)) return;
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_TYPE, span, "`%s` needs %s here, but `%s` is %s",
                        hbg_model_operator_info_get((hbg_operator)node->op)->text, type_text(wanted),
                        hbg_model_check_expr(check, argument), type_text(found));
    hbg_base_report_note(check->diagnostics, report, node->span, "in `%s`",
                         hbg_model_check_expr(check, expr));
    if (offer_chain(check, report, node)) return;
    if (wanted == HBG_TYPE_REAL)
        hbg_base_report_fix(check->diagnostics, report, "write `%s ? 1 : 0` to make a number of it",
                            hbg_model_check_expr(check, argument));
    else
        hbg_base_report_fix(check->diagnostics, report, "compare it with something: `%s > 0`",
                            hbg_model_check_expr(check, argument));
}

/* Two arguments must have one type. */
static void want_equal(hbg_check *check, hbg_expr expr, hbg_expr a, hbg_expr b) {
    const hbg_expr_node *node = &check->model->exprs.items[expr];
    hbg_type type_a = type_at(check->model, a), type_b = type_at(check->model, b);
    if (type_a == type_b || type_a == HBG_TYPE_UNKNOWN || type_b == HBG_TYPE_UNKNOWN) return;
    if (!hbg_model_check_first(check, HBG_E_TYPE, node->span)) return;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_TYPE, node->span, "`%s` is %s, but `%s` is %s",
        hbg_model_check_expr(check, a), type_text(type_a), hbg_model_check_expr(check, b), type_text(type_b));
    hbg_base_report_note(check->diagnostics, report, hbg_model_check_span(check, a, node->span), "%s",
                         type_text(type_a));
    hbg_base_report_note(check->diagnostics, report, hbg_model_check_span(check, b, node->span), "%s",
                         type_text(type_b));
}

static void check_node(hbg_check *check, hbg_expr expr) {
    const hbg_expr_node *node = &check->model->exprs.items[expr];
    const hbg_operator_info *info = hbg_model_operator_info_get((hbg_operator)node->op);
    switch (info->type_rule) {
    case HBG_TYPES_LEAF: // of these only a table has an argument
    case HBG_TYPES_REAL:
    case HBG_TYPES_COMPARE:
        for (int k = 0; k < info->arity; k++) want(check, expr, k, HBG_TYPE_REAL);
        break;
    case HBG_TYPES_BOOL:
        for (int k = 0; k < info->arity; k++) want(check, expr, k, HBG_TYPE_BOOL);
        break;
    case HBG_TYPES_EQUAL: want_equal(check, expr, node->a, node->b); break;
    case HBG_TYPES_SELECT:
        want(check, expr, 0, HBG_TYPE_BOOL);
        want_equal(check, expr, node->b, node->c);
        break;
    case HBG_TYPES_SAME: break;
    }
}

/* ---- sites -------------------------------------------------------------------------------------------- */

static hbg_type wanted_type(const hbg_check *check, const hbg_site *site) {
    switch (hbg_model_site_info_get(site->kind)->type) {
    case HBG_WANT_REAL: return HBG_TYPE_REAL;
    case HBG_WANT_BOOL: return HBG_TYPE_BOOL;
    case HBG_WANT_ANY: return HBG_TYPE_UNKNOWN;
    case HBG_WANT_OWN: break;
    }
    hbg_type own =
        site->owner.index < 0 ? HBG_TYPE_UNKNOWN : check->model->signals.items[site->owner.index].type;
    return own == HBG_TYPE_EVENT ? HBG_TYPE_BOOL : own;
}

static void check_site_type(hbg_check *check, const hbg_site *site) {
    hbg_type wanted = wanted_type(check, site);
    hbg_type found = type_at(check->model, site->expr);
    if (wanted == HBG_TYPE_UNKNOWN || found == HBG_TYPE_UNKNOWN || wanted == found) return;
    hbg_span span = hbg_model_check_span(check, site->expr, site->span);
    if (!hbg_model_check_first(check, HBG_E_TYPE, span)) return;
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_TYPE, span, "%s has to be %s, but `%s` is %s",
                        hbg_model_site_text(check, site), type_text(wanted),
                        hbg_model_check_expr(check, site->expr), type_text(found));
    if (wanted == HBG_TYPE_BOOL && check->model->exprs.items[site->expr].op == HBG_OP_NUMBER)
        hbg_base_report_fix(check->diagnostics, report, "write `true` or `false`");
    else if (wanted == HBG_TYPE_BOOL)
        hbg_base_report_fix(check->diagnostics, report, "compare it with something: `%s > 0`",
                            hbg_model_check_expr(check, site->expr));
    else
        hbg_base_report_fix(check->diagnostics, report, "write `%s ? 1 : 0` to make a number of it",
                            hbg_model_check_expr(check, site->expr));
}

static void check_site_constant(hbg_check *check, const hbg_site *site) {
    if (!(check->flags[site->expr] & HBG_EXPR_VARIES)) return;
    hbg_expr offender = hbg_model_check_offender(check, site->expr, HBG_EXPR_VARIES);
    bool event = check->model->exprs.items[offender].op >= HBG_OP_PRE;
    hbg_span span = hbg_model_check_span(check, offender, site->span);
    hbg_diagnostic_id id = event ? HBG_E_EXPRESSION : HBG_E_NOT_CONSTANT;
    if (!hbg_model_check_first(check, id, span)) return;
    const char *what = hbg_model_site_text(check, site);
    hbg_diagnostic *report =
        event ? hbg_base_report(check->diagnostics, id, span,
                                "%s is fixed before the run, where `%s` has no meaning", what,
                                hbg_model_check_expr(check, offender))
              : hbg_base_report(check->diagnostics, id, span, "%s has to be constant, but `%s` is not", what,
                                hbg_model_check_expr(check, offender));
    if (site->span.end > 0) hbg_base_report_note(check->diagnostics, report, site->span, "%s", what);
    hbg_base_report_fix(check->diagnostics, report, "use numbers and parameters%s",
                        site->kind == HBG_SITE_PARAM ? "; what changes during the run is a `signal`" : "");
}

static void check_site(hbg_check *check, const hbg_site *site) {
    check_site_type(check, site);
    if (hbg_model_site_info_get(site->kind)->constant) check_site_constant(check, site);
}

void hbg_model_check_types(hbg_check *check) {
    hbg_model *model = check->model;
    model->expr_type = HBG_NEW_ARRAY(model->arena, hbg_type, model->exprs.count + 1);
    for (int32_t i = 0; i < model->exprs.count; i++) model->expr_type[i] = HBG_TYPE_UNKNOWN;
    forget_default_types(model);
    hbg_model_flow_run(&check->flow, update_type, check);
    for (int32_t i = 0; i < model->exprs.count; i++) check_node(check, i);
    hbg_model_sites_each(check, check_site);
    // signals whose type nothing shows: defined by themselves, or lost
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].type == HBG_TYPE_UNKNOWN) model->signals.items[i].type = HBG_TYPE_REAL;
}
