/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Units: after inference, every operator and every site is checked against the inferred units of its
 * parts. */
#include "model/inference_impl.h"

static hbg_dimension dimension_at(const hbg_check *check, hbg_expr expr) {
    return expr < 0 ? hbg_model_dimension_any : check->model->expr_dimension[expr];
}

/* Marks one side of a disagreement, and the origin of an observable's unit. */
static void note_side(hbg_inference *inference, hbg_diagnostic *report, hbg_expr expr) {
    hbg_check *check = inference->check;
    const hbg_expr_node *node = &check->model->exprs.items[expr];
    hbg_base_report_note(check->diagnostics, report, node->span, "`%s` %s", hbg_model_check_expr(check, expr),
                         hbg_model_check_expr_is_in(check, expr));
    int32_t net = hbg_model_expr_net(check->model, node);
    if (net >= 0) hbg_model_check_note_domain(inference, report, net);
    if (node->op == HBG_OP_PARAM)
        hbg_base_report_note(check->diagnostics, report, check->model->params.items[node->a].id.span,
                             "the parameter is declared here");
    if (node->op == HBG_OP_SIGNAL)
        hbg_base_report_note(check->diagnostics, report, check->model->signals.items[node->a].id.span,
                             "the signal is declared here");
}

/* ---- operators ---------------------------------------------------------------------------------------- */

static void check_agree(hbg_inference *inference, hbg_expr expr, hbg_expr a, hbg_expr b) {
    hbg_check *check = inference->check;
    const hbg_expr_node *node = &check->model->exprs.items[expr];
    hbg_dimension left = dimension_at(check, a), right = dimension_at(check, b);
    if (hbg_model_dimension_agree(left, right) || !hbg_model_check_first(check, HBG_E_UNIT, node->span))
        return;
    const hbg_operator_info *info = hbg_model_operator_info_get((hbg_operator)node->op);
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_UNIT, node->span, "`%s` needs one unit on both sides: `%s` %s, but `%s` %s",
        info->text, hbg_model_check_expr(check, a), hbg_model_check_expr_is_in(check, a),
        hbg_model_check_expr(check, b), hbg_model_check_expr_is_in(check, b));
    note_side(inference, report, a);
    note_side(inference, report, b);
}

static void check_pure(hbg_check *check, hbg_expr expr) {
    const hbg_expr_node *node = &check->model->exprs.items[expr];
    hbg_dimension found = dimension_at(check, node->a);
    hbg_span span = hbg_model_check_span(check, node->a, node->span);
    if (!found.known || hbg_model_dimension_is_pure(found) || !hbg_model_check_first(check, HBG_W_PURE, span))
        return;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_W_PURE, span, "`%s` is a function of a pure number, but `%s` %s",
        hbg_model_operator_info_get((hbg_operator)node->op)->text, hbg_model_check_expr(check, node->a),
        hbg_model_check_is_in(check, found));
    bool time = hbg_model_dimension_agree(found, hbg_model_dimension_second());
    hbg_base_report_fix(check->diagnostics, report, "divide it by a reference value in the same unit%s",
                        time ? ", or multiply it by a rate, as in `(1 [rad/s])*time`" : "");
}

static void check_power(hbg_inference *inference, hbg_expr expr) {
    hbg_check *check = inference->check;
    const hbg_expr_node *node = &check->model->exprs.items[expr];
    hbg_dimension base = dimension_at(check, node->a), exponent = dimension_at(check, node->b);
    hbg_span span = hbg_model_check_span(check, node->b, node->span);
    if (exponent.known && !hbg_model_dimension_is_pure(exponent)) {
        if (!hbg_model_check_first(check, HBG_E_UNIT, span)) return;
        hbg_diagnostic *report =
            hbg_base_report(check->diagnostics, HBG_E_UNIT, span, "an exponent is a pure number, but `%s` %s",
                            hbg_model_check_expr(check, node->b), hbg_model_check_is_in(check, exponent));
        note_side(inference, report, node->b);
        return;
    }
    bool literal = node->b < 0 || !(check->flags[node->b] & HBG_EXPR_NOT_LITERAL);
    if (literal || !base.known || hbg_model_dimension_is_pure(base)) return;
    if (!hbg_model_check_first(check, HBG_E_UNIT, span)) return;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_UNIT, span,
        "`%s` %s, so its exponent has to be written as a number: with `%s` the result has no unit",
        hbg_model_check_expr(check, node->a), hbg_model_check_is_in(check, base),
        hbg_model_check_expr(check, node->b));
    note_side(inference, report, node->a);
    hbg_base_report_fix(check->diagnostics, report, "divide `%s` by a reference value first",
                        hbg_model_check_expr(check, node->a));
}

static void check_table(hbg_inference *inference, hbg_expr expr) {
    hbg_check *check = inference->check;
    const hbg_expr_node *node = &check->model->exprs.items[expr];
    if (node->op != HBG_OP_TABLE || node->b < 0 || node->a < 0) return;
    const hbg_table *table = &check->model->tables.items[node->b];
    hbg_dimension found = dimension_at(check, node->a);
    hbg_span span = hbg_model_check_span(check, node->a, node->span);
    if (hbg_model_dimension_agree(found, table->argument_dimension) ||
        !hbg_model_check_first(check, HBG_E_UNIT, span))
        return;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_UNIT, span, "the first column of table \"%s\" %s, but `%s` %s", table->file,
        hbg_model_check_is_in(check, table->argument_dimension), hbg_model_check_expr(check, node->a),
        hbg_model_check_is_in(check, found));
    note_side(inference, report, node->a);
}

static void check_expr(hbg_inference *inference, hbg_expr expr) {
    const hbg_expr_node *node = &inference->check->model->exprs.items[expr];
    const hbg_operator_info *info = hbg_model_operator_info_get((hbg_operator)node->op);
    switch (info->unit_rule) {
    case HBG_UNITS_SAME:
    case HBG_UNITS_COMPARE:
    case HBG_UNITS_RATIO:
        if (info->arity == 2) check_agree(inference, expr, node->a, node->b);
        break;
    case HBG_UNITS_SELECT: check_agree(inference, expr, node->b, node->c); break;
    case HBG_UNITS_PURE: check_pure(inference->check, expr); break;
    case HBG_UNITS_POWER: check_power(inference, expr); break;
    case HBG_UNITS_LEAF: check_table(inference, expr); break;
    default: break;
    }
}

/* ---- sites -------------------------------------------------------------------------------------------- */

static hbg_dimension setting_dimension(const hbg_check *check, const hbg_setting *setting) {
    const hbg_model *model = check->model;
    if (setting->target.index < 0) return hbg_model_dimension_any;
    if (setting->target.kind == HBG_OBJECT_PARAM) return model->params.items[setting->target.index].dimension;
    if (setting->target.kind != HBG_OBJECT_ELEMENT) return hbg_model_dimension_any;
    int32_t net = hbg_model_net(model, setting->target.index, setting->port);
    return net < 0 ? hbg_model_dimension_any
                   : hbg_model_domain_dimension(model->net_domain[net], setting->variable);
}

/* The value of an element: by its net, else as written. */
static hbg_dimension element_dimension(const hbg_check *check, int32_t index) {
    const hbg_model *model = check->model;
    const hbg_element *element = &model->elements.items[index];
    int32_t net = hbg_model_net(model, index, 1);
    hbg_quantity quantity = hbg_model_element_info_get(element->form)->quantity;
    if (net >= 0 && quantity != HBG_QUANTITY_NONE)
        return hbg_model_domain_quantity(model->net_domain[net], quantity);
    if (element->value_count != 1) return hbg_model_dimension_any;
    return dimension_at(check, model->entries.items[element->first_value]);
}

/* The dimension of a fault's target: parameter, element or sensor. */
static hbg_dimension target_dimension(const hbg_check *check, hbg_object target) {
    if (target.index < 0) return hbg_model_dimension_any;
    if (target.kind == HBG_OBJECT_PARAM) return check->model->params.items[target.index].dimension;
    if (target.kind == HBG_OBJECT_SIGNAL) return check->model->signals.items[target.index].dimension;
    return hbg_model_dimension_any;
}

static hbg_dimension fault_dimension(const hbg_check *check, const hbg_fault *fault, bool variance) {
    bool element = fault->target.kind == HBG_OBJECT_ELEMENT && fault->target.index >= 0;
    hbg_dimension own = fault->relative ? hbg_model_dimension_pure
                        : element       ? element_dimension(check, fault->target.index)
                                        : target_dimension(check, fault->target);
    if (variance) return hbg_model_dimension_multiply(own, own);
    bool slope = hbg_model_fault_effect_of(fault) == HBG_EFFECT_GROWS;
    // a relative slope written in % means % per second
    hbg_dimension found = fault->relative ? dimension_at(check, fault->value) : hbg_model_dimension_any;
    bool per_second = !fault->relative || (found.known && !hbg_model_dimension_is_pure(found));
    return slope && per_second ? hbg_model_dimension_divide(own, hbg_model_dimension_second()) : own;
}

/* The unit required of a setting or fault of an experiment. */
static hbg_dimension change_dimension(const hbg_check *check, const hbg_site *site) {
    const hbg_experiment *experiment = &check->model->experiments.items[site->experiment];
    if (site->kind == HBG_SITE_SETTING)
        return setting_dimension(check, &experiment->settings.items[site->item]);
    return fault_dimension(check, &experiment->faults.items[site->item],
                           site->kind == HBG_SITE_FAULT_VARIANCE);
}

/* The unit required of the expression at a site; unknown if none is, or facts require it. */
static hbg_dimension site_dimension(const hbg_check *check, const hbg_site *site) {
    const hbg_model *model = check->model;
    if (hbg_model_site_info_get(site->kind)->time) return hbg_model_dimension_second();
    hbg_dimension own = target_dimension(check, site->owner);
    switch (site->kind) {
    case HBG_SITE_PARAM:
    case HBG_SITE_STATE_INITIAL:
    case HBG_SITE_NOISE_MEAN:
    case HBG_SITE_ACTION_VALUE: return own;
    case HBG_SITE_NOISE_VARIANCE: return hbg_model_dimension_multiply(own, own);
    case HBG_SITE_SIGNAL:
        if (model->signals.items[site->owner.index].kind == HBG_SIGNAL_STATE)
            return hbg_model_dimension_divide(own, hbg_model_dimension_second());
        return own;
    case HBG_SITE_SPREAD: return hbg_model_dimension_pure;
    case HBG_SITE_RESTITUTION:
        return hbg_model_loses_energy(model, site->owner.index) ? hbg_model_dimension_joule()
                                                                : hbg_model_dimension_pure;
    case HBG_SITE_LOSS: return hbg_model_dimension_joule();
    case HBG_SITE_CHOICE:
        if (site->owner.kind == HBG_OBJECT_PARAM) return own;
        return model->choices.items[site->item].loss == HBG_LOSS_ENERGY ? hbg_model_dimension_joule()
                                                                        : hbg_model_dimension_pure;
    case HBG_SITE_SETTING:
    case HBG_SITE_FAULT_VALUE:
    case HBG_SITE_FAULT_VARIANCE: return change_dimension(check, site);
    case HBG_SITE_RANGE_BOUND: return dimension_at(check, model->ranges.items[site->item].value);
    default: return hbg_model_dimension_any;
    }
}

static bool is_derivative(const hbg_check *check, const hbg_site *site) {
    if (site->kind != HBG_SITE_SIGNAL) return false;
    return check->model->signals.items[site->owner.index].kind == HBG_SIGNAL_STATE;
}

static const char *site_subject(hbg_check *check, const hbg_site *site) {
    if (!is_derivative(check, site)) return hbg_model_site_text(check, site);
    hbg_buffer *text = hbg_model_check_text(check);
    hbg_base_buffer_text(text, "the derivative of `");
    hbg_model_path(check->model, site->owner, text);
    hbg_base_buffer_char(text, '`');
    return text->data;
}

static const char *wanted_is_in(hbg_check *check, const hbg_site *site, hbg_dimension wanted) {
    bool signal = site->owner.kind == HBG_OBJECT_SIGNAL, param = site->owner.kind == HBG_OBJECT_PARAM;
    const char *written = signal  ? check->model->signals.items[site->owner.index].unit
                          : param ? check->model->params.items[site->owner.index].unit
                                  : NULL;
    const char *unit = hbg_model_dimension_spoken(wanted, written);
    if (!unit) return hbg_model_check_is_in(check, wanted);
    hbg_buffer *text = hbg_model_check_text(check);
    hbg_base_buffer_print(text, "is in %s", unit);
    return text->data;
}

static void check_site(hbg_check *check, const hbg_site *site) {
    hbg_dimension wanted = site_dimension(check, site), found = dimension_at(check, site->expr);
    if (hbg_model_dimension_agree(wanted, found)) return;
    hbg_span span = hbg_model_check_span(check, site->expr, site->span);
    if (!hbg_model_check_first(check, HBG_E_UNIT, span)) return;
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_UNIT, span, "%s %s, but `%s` %s", site_subject(check, site),
                        wanted_is_in(check, site, wanted), hbg_model_check_expr(check, site->expr),
                        hbg_model_check_expr_is_in(check, site->expr));
    const hbg_identity *owner = hbg_model_identity(check->model, site->owner);
    if (owner && site->owner.kind != HBG_OBJECT_SCOPE && !hbg_model_site_info_get(site->kind)->time)
        hbg_base_report_note(check->diagnostics, report, owner->span, "`%s` is declared here",
                             hbg_model_check_path(check, site->owner.kind, site->owner.index));
}

/* ---- units to be read in ------------------------------------------------------------------------------ */

static void check_display(hbg_check *check, int32_t index) {
    const hbg_signal *signal = &check->model->signals.items[index];
    if (!signal->display.unit || signal->value < 0) return;
    bool number = check->model->expr_type[signal->value] == HBG_TYPE_REAL;
    hbg_dimension found = dimension_at(check, signal->value);
    if (number && hbg_model_dimension_agree(signal->display.dimension, found)) return;
    if (!hbg_model_check_first(check, HBG_E_UNIT, signal->display_span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_SIGNAL, index);
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_UNIT, signal->display_span, "`%s` cannot be shown in [%s]: `%s` %s", path,
        signal->display.unit, hbg_model_check_expr(check, signal->value),
        number ? hbg_model_check_expr_is_in(check, signal->value) : "is no number");
    hbg_base_report_note(check->diagnostics, report, signal->id.span, "`%s` is declared here", path);
}

/* ---- inputs given by hand ----------------------------------------------------------------------------- */

static void look_everywhere(hbg_inference *inference, hbg_check *check) {
    hbg_model_inference_run(inference, check);
    hbg_model_check_facts(inference);
    for (int32_t i = 0; i < check->model->exprs.count; i++) check_expr(inference, i);
    hbg_model_sites_each(check, check_site);
    for (int32_t i = 0; i < check->model->signals.count; i++) check_display(check, i);
}

static void forget_found(hbg_model *model) {
    for (int32_t i = 0; i < model->params.count; i++)
        if (model->params.items[i].inferred) model->params.items[i].dimension = hbg_model_dimension_any;
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].inferred) model->signals.items[i].dimension = hbg_model_dimension_any;
}

/* Whether all units agree. If not, `place` is the first disagreement. Nothing is reported. */
static bool agrees(hbg_check *check, hbg_span *place) {
    hbg_inference inference;
    hbg_diagnostics *diagnostics = check->diagnostics, heard;
    hbg_pair_map reported = check->reported;
    hbg_base_diagnostics_init(&heard, check->scratch);
    hbg_base_pair_map_init(&check->reported, check->scratch);
    check->diagnostics = &heard;
    look_everywhere(&inference, check);
    check->diagnostics = diagnostics;
    check->reported = reported;
    forget_found(check->model);
    for (int32_t i = heard.items.count - 1; i >= 0; i--)
        if (heard.items.items[i].severity == HBG_ERROR) *place = heard.items.items[i].span;
    return heard.errors == 0;
}

/* The number with a unit that `--input` gives an input declared without one; NULL for others. */
static hbg_literal *given_literal(const hbg_model *model, int32_t index) {
    const hbg_signal *signal = &model->signals.items[index];
    if (!signal->asked || signal->dimension.known || signal->value < 0) return NULL;
    const hbg_expr_node *node = &model->exprs.items[signal->value];
    if (node->op == HBG_OP_NEGATE && node->a >= 0) node = &model->exprs.items[node->a];
    if (node->op != HBG_OP_NUMBER || node->a < 0) return NULL;
    hbg_literal *literal = &model->literals.items[node->a];
    return literal->dimension.known ? literal : NULL;
}

/* An input takes its unit from the given value, and if that is wrong, so does everything that reads it. The
 * mistake was typed: it is reported, and counts as a number without a unit in the rest of the check. */
static void check_given(hbg_check *check, int32_t index, hbg_literal *literal) {
    hbg_span place = {0, 0}, other;
    hbg_dimension given = literal->dimension;
    if (agrees(check, &place)) return;
    literal->dimension = hbg_model_dimension_any;
    if (!agrees(check, &other)) {
        literal->dimension = given;
        return;
    }
    hbg_span span = check->model->exprs.items[check->model->signals.items[index].value].span;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_UNIT, span, "`%s` cannot be in %s: what reads it does not fit that",
        hbg_model_check_path(check, HBG_OBJECT_SIGNAL, index), literal->unit);
    hbg_base_report_note(check->diagnostics, report, place, "with it, units would not agree here");
    hbg_base_report_note(check->diagnostics, report, check->model->signals.items[index].id.span,
                         "the input is declared here, without a unit");
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

void hbg_model_check_units(hbg_check *check) {
    hbg_inference inference;
    int64_t errors = check->diagnostics->errors;
    for (int32_t i = 0; i < check->model->signals.count; i++) {
        hbg_literal *literal = given_literal(check->model, i);
        if (literal) check_given(check, i, literal);
    }
    look_everywhere(&inference, check);
    if (check->diagnostics->errors == check->model->before.errors) hbg_model_check_bare(check);
    // every contradiction shows at some fact or operator; if one does not, it must still be reported
    if (inference.any_conflict && check->diagnostics->errors == errors)
        hbg_base_report(check->diagnostics, HBG_E_UNIT, check->model->span,
                        "the units of this model contradict each other");
}
