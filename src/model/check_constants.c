/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constants: values of parameters and of all constant expressions, circles of parameters, and values outside
 * the range that their place allows. */
#include <math.h>

#include "model/model_impl.h"
#include "rt/bands.h"

/* ---- values ------------------------------------------------------------------------------------------- */

static bool is_valued(const hbg_check *check, hbg_expr expr) {
    return expr >= 0 && (check->flags[expr] & HBG_EXPR_VALUED);
}

/* The value of a node whose arguments have theirs; false while they do not. */
static bool node_value(const hbg_check *check, hbg_expr expr, double *value) {
    const hbg_model *model = check->model;
    const hbg_expr_node *node = &model->exprs.items[expr];
    if (check->flags[expr] & (HBG_EXPR_VARIES | HBG_EXPR_BROKEN)) return false;
    switch (node->op) {
    case HBG_OP_NUMBER:
        *value = hbg_base_decimal_to_double(model->literals.items[node->a].value);
        return true;
    case HBG_OP_TRUE: *value = 1; return true;
    case HBG_OP_FALSE: *value = 0; return true;
    case HBG_OP_PI: *value = 3.14159265358979323846; return true;
    case HBG_OP_PARAM: {
        hbg_expr source = model->params.items[node->a].value;
        if (!is_valued(check, source)) return false;
        *value = model->expr_values[source];
        return true;
    }
    default: break;
    }
    double arguments[3] = {0};
    for (int k = 0; k < hbg_model_expr_arity(node); k++) {
        hbg_expr argument = hbg_model_expr_argument(node, k);
        if (!is_valued(check, argument)) return false;
        arguments[k] = model->expr_values[argument];
    }
    *value = hbg_rt_evaluate((hbg_operator)node->op, arguments[0], arguments[1], arguments[2]);
    return true;
}

static bool update_value(void *context, int32_t vertex) {
    hbg_check *check = context;
    hbg_model *model = check->model;
    if (vertex < check->flow.first_param) {
        double value;
        if (is_valued(check, vertex) || !node_value(check, vertex, &value)) return false;
        model->expr_values[vertex] = value;
        check->flags[vertex] |= HBG_EXPR_VALUED;
        return true;
    }
    if (vertex >= check->flow.first_signal) return false;
    int32_t param = vertex - check->flow.first_param;
    hbg_expr value = model->params.items[param].value;
    if (!is_valued(check, value)) return false;
    model->param_values[param] = model->expr_values[value];
    return true; // pushed only when its value was found, so this is the first time
}

/* ---- circles ------------------------------------------------------------------------------------------ */

/* A parameter without a value that this expression waits for. */
static int32_t awaited_param(const hbg_check *check, hbg_expr expr) {
    while (expr >= 0) {
        const hbg_expr_node *node = &check->model->exprs.items[expr];
        if (node->op == HBG_OP_PARAM) return node->a;
        hbg_expr next = HBG_NONE;
        for (int k = 0; k < hbg_model_expr_arity(node) && next < 0; k++) {
            hbg_expr argument = hbg_model_expr_argument(node, k);
            if (argument >= 0 && !is_valued(check, argument)) next = argument;
        }
        expr = next;
    }
    return HBG_NONE;
}

/* Whether the parameter waits for others: it is constant and whole, but has no value. */
static bool waits(const hbg_check *check, int32_t param) {
    hbg_expr value = check->model->params.items[param].value;
    if (value < 0 || is_valued(check, value)) return false;
    return !(check->flags[value] & (HBG_EXPR_VARIES | HBG_EXPR_BROKEN));
}

static void report_circle(hbg_check *check, int32_t first) {
    const hbg_model *model = check->model;
    const hbg_param *param = &model->params.items[first];
    hbg_diagnostic *report = hbg_base_report(check->diagnostics, HBG_E_CYCLE, param->id.span,
                                             "the value of parameter `%s` depends on itself",
                                             hbg_model_check_path(check, HBG_OBJECT_PARAM, first));
    int shown = 0;
    for (int32_t p = first; shown < 8; shown++) {
        int32_t next = awaited_param(check, model->params.items[p].value);
        hbg_base_report_note(check->diagnostics, report, model->params.items[p].id.span, "`%s` uses `%s`",
                             hbg_model_check_path(check, HBG_OBJECT_PARAM, p),
                             hbg_model_check_path(check, HBG_OBJECT_PARAM, next));
        p = next;
        if (p == first) break;
    }
}

/* Follows waiting parameters; each walk ends at an older one, at one that waits for what was reported, or in
 * a new circle. */
static void check_circles(hbg_check *check) {
    const hbg_model *model = check->model;
    int32_t *walk = HBG_NEW_ARRAY(check->scratch, int32_t, model->params.count + 1);
    for (int32_t i = 0; i < model->params.count; i++) {
        int32_t p = i;
        while (p >= 0 && walk[p] == 0 && waits(check, p)) {
            walk[p] = i + 1;
            p = awaited_param(check, model->params.items[p].value);
        }
        bool circle = p >= 0 && walk[p] == i + 1 && waits(check, p);
        if (circle && hbg_model_check_first(check, HBG_E_CYCLE, model->params.items[p].id.span))
            report_circle(check, p);
    }
}

/* ---- ranges of sites ---------------------------------------------------------------------------------- */

static void check_literals(hbg_check *check) {
    const hbg_model *model = check->model;
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        if (node->op != HBG_OP_NUMBER || isfinite(model->expr_values[i]) || !is_valued(check, i)) continue;
        if (hbg_model_check_first(check, HBG_E_VALUE, node->span))
            hbg_base_report(check->diagnostics, HBG_E_VALUE, node->span,
                            "this number is too large: a double ends at 1.8e308");
    }
}

void hbg_model_check_site_value(hbg_check *check, const hbg_site *site) {
    double value = check->model->expr_values[site->expr];
    hbg_site_bound bound = hbg_model_site_info_get(site->kind)->bound;
    bool low = (bound == HBG_BOUND_POSITIVE && value <= 0) || (bound == HBG_BOUND_NOT_NEGATIVE && value < 0);
    if (isfinite(value) && !low) return;
    hbg_span span = hbg_model_check_span(check, site->expr, site->span);
    if (!hbg_model_check_first(check, HBG_E_VALUE, span)) return;
    const char *what = hbg_model_site_text(check, site);
    if (!isfinite(value)) {
        hbg_base_report(check->diagnostics, HBG_E_VALUE, span, "%s is not a finite number: `%s` is %s", what,
                        hbg_model_check_expr(check, site->expr), isnan(value) ? "undefined" : "infinite");
        return;
    }
    char text[HBG_DOUBLE_TEXT];
    hbg_base_double_print(text, value);
    hbg_base_report(check->diagnostics, HBG_E_VALUE, span, "%s is %s, but has to be %s", what, text,
                    bound == HBG_BOUND_POSITIVE ? "positive" : "0 or more");
}

/* What depends on a sweep is checked with the values of each run; but its own numbers exist before. */
static bool is_later(hbg_check *check, const hbg_site *site) {
    if (!check->swept || !check->swept[site->expr]) return false;
    if (site->experiment == HBG_NONE) return true;
    const hbg_experiment *experiment = &check->model->experiments.items[site->experiment];
    if (site->kind == HBG_SITE_SPREAD) return hbg_model_check_axis_follows(check, experiment, site->item);
    if (site->kind != HBG_SITE_SETTING || experiment->name != 0) return true;
    return hbg_model_check_number_follows(check, experiment, site->item);
}

static void check_site(hbg_check *check, const hbg_site *site) {
    if (!is_valued(check, site->expr) || is_later(check, site)) return;
    if (site->experiment != HBG_NONE &&
        !hbg_model_check_concerns(check, &check->model->experiments.items[site->experiment]))
        return;
    hbg_model_check_site_value(check, site);
}

/* ---- temperatures ------------------------------------------------------------------------------------- */

static const hbg_literal *literal_at(const hbg_model *model, hbg_expr expr) {
    if (expr < 0 || model->exprs.items[expr].op != HBG_OP_NUMBER) return NULL;
    return model->exprs.items[expr].a < 0 ? NULL : &model->literals.items[model->exprs.items[expr].a];
}

/* 20 [degC] + 5 [degC] is 571.3 K, and 2*20 [degC] is 586.3 K: hardly ever intended. */
static void check_scale(hbg_check *check, hbg_expr expr) {
    const hbg_expr_node *node = &check->model->exprs.items[expr];
    bool sum = node->op == HBG_OP_ADD, product = node->op == HBG_OP_MULTIPLY || node->op == HBG_OP_DIVIDE;
    if (!sum && !product) return;
    const hbg_literal *a = literal_at(check->model, node->a), *b = literal_at(check->model, node->b);
    bool meant =
        !a || !b ||
        (sum ? !a->scale || !b->scale : a->scale == b->scale || a->dimension.known == b->dimension.known);
    if (meant || !hbg_model_check_first(check, HBG_W_SCALE, node->span)) return;
    double left = hbg_base_decimal_to_double(a->value), right = hbg_base_decimal_to_double(b->value);
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_W_SCALE, node->span,
        "this is computed in kelvin, %.6g %s %.6g: a scale of temperature counts from a zero of its own",
        left, hbg_model_operator_info_get((hbg_operator)node->op)->text, right);
    hbg_base_report_fix(check->diagnostics, report,
                        sum ? "a difference of temperatures is in K: write `5 [K]`, not `5 [degC]`"
                            : "write the temperature that is meant, or one in K");
}

static void check_scales(hbg_check *check) {
    for (int32_t i = 0; i < check->model->exprs.count; i++) check_scale(check, i);
}

/* ---- elements ----------------------------------------------------------------------------------------- */

/* Computed at the first resistance of 0, for all: a chain of components has as many as instances. */
static void find_parts(hbg_check *check) {
    const hbg_model *model = check->model;
    if (check->hangs_on) return;
    check->hangs_on = HBG_NEW_ARRAY(check->scratch, int32_t, model->elements.count + 1);
    check->parts = HBG_NEW_ARRAY(check->scratch, int32_t, model->scopes.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++) {
        check->hangs_on[i] = HBG_NONE;
        check->parts[model->elements.items[i].id.scope] += model->elements.items[i].ports > 0;
    }
    for (int32_t i = model->bonds.count - 1; i >= 0; i--) { // the first one counts
        int32_t from = model->bonds.items[i].from.element, to = model->bonds.items[i].to.element;
        if (from == HBG_NONE || to == HBG_NONE) continue;
        check->hangs_on[from] = model->elements.items[to].ports == 0 ? to : HBG_NONE;
        check->hangs_on[to] = model->elements.items[from].ports == 0 ? from : HBG_NONE;
    }
}

/* Whether it is one of several elements of a component, in series, and has its value from a parameter: 0
 * makes the component ideal there, and its user cannot leave it out. */
static bool is_parasitic(hbg_check *check, int32_t element) {
    const hbg_model *model = check->model;
    const hbg_element *e = &model->elements.items[element];
    if (e->id.scope == 0 || e->value_count != 1) return false;
    hbg_expr value = model->entries.items[e->first_value];
    if (value < 0 || model->exprs.items[value].op != HBG_OP_PARAM) return false;
    find_parts(check);
    int32_t junction = check->hangs_on[element];
    return junction != HBG_NONE && model->elements.items[junction].kind == HBG_KIND_ONE &&
           check->parts[e->id.scope] > 1;
}

/* In series it can be left out; where the effort is common it holds that at 0, and without it nothing
 * would. */
static void warn_of_zero(hbg_check *check, int32_t element, hbg_span span) {
    const hbg_model *model = check->model;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, element);
    find_parts(check);
    int32_t junction = check->hangs_on[element];
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_W_ZERO_RESISTOR, span, "the resistance of `%s` is 0", path);
    if (junction != HBG_NONE && model->elements.items[junction].kind == HBG_KIND_ZERO)
        hbg_base_report_fix(check->diagnostics, report,
                            "it holds the effort of `%s` at 0: if that is meant, say so with `Se %s(0)`",
                            hbg_model_check_path(check, HBG_OBJECT_ELEMENT, junction),
                            hbg_base_names_get(model->names, model->elements.items[element].id.name));
    else if (junction != HBG_NONE)
        hbg_base_report_fix(check->diagnostics, report,
                            "leave `%s` out: without it the bonds are joined directly", path);
}

void hbg_model_check_element_value(hbg_check *check, int32_t element, double value, hbg_span span) {
    const hbg_element *e = &check->model->elements.items[element];
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, element);
    if (e->kind == HBG_KIND_R && value == 0 && !is_parasitic(check, element) &&
        hbg_model_check_first(check, HBG_W_ZERO_RESISTOR, span))
        warn_of_zero(check, element, span);
    if (e->kind == HBG_KIND_R && value < 0 && hbg_model_check_first(check, HBG_W_NEGATIVE_RESISTOR, span)) {
        hbg_diagnostic *report =
            hbg_base_report(check->diagnostics, HBG_W_NEGATIVE_RESISTOR, span,
                            "the resistance of `%s` is negative: it gives out energy, from nowhere", path);
        hbg_base_report_fix(
            check->diagnostics, report,
            "turn the sign round; where it is meant, `-W no-negative-resistor` is silent about it");
    }
    bool storage = e->kind == HBG_KIND_C || e->kind == HBG_KIND_I;
    if (!storage || !(value <= 0) || !hbg_model_check_first(check, HBG_E_VALUE, span)) return;
    char text[HBG_DOUBLE_TEXT];
    hbg_base_double_print(text, value);
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_VALUE, span,
                        "the value of `%s` is %s: %s stores energy and needs a positive one", path, text,
                        e->kind == HBG_KIND_I ? "an inertia" : "a capacitor");
    hbg_expr given =
        e->id.scope != 0 && e->value_count == 1 ? check->model->entries.items[e->first_value] : HBG_NONE;
    if (given >= 0 && check->model->exprs.items[given].op == HBG_OP_PARAM)
        hbg_base_report_fix(
            check->diagnostics, report, "give `%s` a small value where it is to count for nothing",
            hbg_model_check_path(check, HBG_OBJECT_PARAM, check->model->exprs.items[given].a));
    else if (value == 0)
        hbg_base_report_fix(check->diagnostics, report, "leave `%s` out", path);
}

static bool check_symmetry(hbg_check *check, int32_t element) {
    bool fine = true;
    const hbg_model *model = check->model;
    const hbg_element *e = &model->elements.items[element];
    const hbg_expr *entries = &model->entries.items[e->first_value];
    for (int32_t i = 0; i < e->ports; i++) {
        for (int32_t j = 0; j < i; j++) {
            hbg_expr lower = entries[i * e->ports + j], upper = entries[j * e->ports + i];
            if (!is_valued(check, lower) || !is_valued(check, upper)) continue;
            double a = model->expr_values[lower], b = model->expr_values[upper];
            if (!(fabs(a - b) > HBG_RT_MEANT * fmax(fabs(a), fabs(b)))) continue;
            hbg_span span = hbg_model_check_span(check, lower, e->id.span);
            fine = false;
            if (!hbg_model_check_first(check, HBG_E_VALUE, span)) continue;
            char text_a[HBG_DOUBLE_TEXT], text_b[HBG_DOUBLE_TEXT];
            hbg_base_double_print(text_a, a);
            hbg_base_double_print(text_b, b);
            hbg_diagnostic *report = hbg_base_report(
                check->diagnostics, HBG_E_VALUE, span,
                "the matrix of `%s` is not symmetric: entry %d,%d is %s, but entry %d,%d is %s",
                hbg_model_check_path(check, HBG_OBJECT_ELEMENT, element), (int)i + 1, (int)j + 1, text_a,
                (int)j + 1, (int)i + 1, text_b);
            hbg_base_report_note(check->diagnostics, report, hbg_model_check_span(check, upper, e->id.span),
                                 "the other entry");
            hbg_base_report_fix(check->diagnostics, report,
                                "a field that stores energy has a symmetric matrix");
        }
    }
    return fine;
}

/* A storage of constants that would hold negative energy for some efforts or flows. Diagonals alone are
 * reported already. */
static void check_definite(hbg_check *check, int32_t element) {
    const hbg_model *model = check->model;
    const hbg_element *e = &model->elements.items[element];
    size_t count = (size_t)e->value_count;
    double *matrix = HBG_NEW_ARRAY(check->scratch, double, 2 * count);
    for (size_t i = 0; i < count; i++) {
        hbg_expr entry = model->entries.items[(size_t)e->first_value + i];
        if (!is_valued(check, entry)) return;
        matrix[i] = matrix[count + i] = model->expr_values[entry];
    }
    double least = hbg_model_matrix_least(matrix, e->ports);
    hbg_lost lost = {.kind = HBG_LOST_MATRIX, .element = element, .row = HBG_NONE};
    if (isnan(least) || least > 0) return;
    if (!hbg_model_matrix_culprit(matrix + count, e->ports, &lost.row, &lost.column, &lost.limit))
        lost.row = HBG_NONE;
    if (lost.row != HBG_NONE) lost.value = matrix[count + (size_t)(lost.row * e->ports + lost.column)];
    int32_t culprit = lost.row == HBG_NONE ? 0 : lost.row * e->ports + lost.column;
    hbg_span span = hbg_model_check_span(
        check, hbg_model_check_source(check, model->entries.items[e->first_value + culprit]), e->id.span);
    if (lost.row == lost.column && lost.row != HBG_NONE) return;
    if (!hbg_model_check_first(check, HBG_E_VALUE, span)) return;
    hbg_diagnostic *report = hbg_base_report(check->diagnostics, HBG_E_VALUE, span,
                                             "the matrix of `%s` is not positive definite: %s",
                                             hbg_model_check_path(check, HBG_OBJECT_ELEMENT, element),
                                             hbg_model_lost_matrix_text(check->scratch, &lost, e->kind));
    hbg_base_report_fix(check->diagnostics, report,
                        "a field that stores energy has a positive definite matrix");
}

static void check_element(hbg_check *check, int32_t element) {
    const hbg_model *model = check->model;
    const hbg_element *e = &model->elements.items[element];
    if (e->value_count == 0 || e->ports < 1 || e->value_count != (int64_t)e->ports * e->ports) return;
    for (int32_t i = 0; i < e->ports; i++) {
        hbg_expr entry = model->entries.items[e->first_value + i * (e->ports + 1)];
        bool diagonal_only = e->kind == HBG_KIND_R && e->ports > 1; // a field may well have zeros there
        if (!is_valued(check, entry) || diagonal_only) continue;
        hbg_model_check_element_value(
            check, element, model->expr_values[entry],
            hbg_model_check_span(check, hbg_model_check_source(check, entry), e->id.span));
    }
    if (e->ports == 1 || (e->kind != HBG_KIND_C && e->kind != HBG_KIND_I)) return;
    if (check_symmetry(check, element)) check_definite(check, element);
}

static void check_ranges(hbg_check *check) {
    const hbg_model *model = check->model;
    for (int32_t i = 0; i < model->ranges.count; i++) {
        const hbg_range *range = &model->ranges.items[i];
        if (!is_valued(check, range->low) || !is_valued(check, range->high)) continue;
        if (!(model->expr_values[range->low] > model->expr_values[range->high])) continue;
        if (hbg_model_check_first(check, HBG_E_VALUE, range->span))
            hbg_base_report(
                check->diagnostics, HBG_E_VALUE, range->span, "this range is empty: `%s` is above `%s`",
                hbg_model_check_expr(check, range->low), hbg_model_check_expr(check, range->high));
    }
}

void hbg_model_check_constants(hbg_check *check) {
    hbg_model *model = check->model;
    model->expr_values = HBG_NEW_ARRAY(model->arena, double, model->exprs.count + 1);
    model->param_values = HBG_NEW_ARRAY(model->arena, double, model->params.count + 1);
    for (int32_t i = 0; i < model->exprs.count; i++) model->expr_values[i] = NAN;
    for (int32_t i = 0; i < model->params.count; i++) model->param_values[i] = NAN;
    hbg_model_flow_run(&check->flow, update_value, check);
    check_literals(check);
    check_scales(check);
    check_circles(check);
    hbg_model_sites_each(check, check_site);
    for (int32_t i = 0; i < model->elements.count; i++) check_element(check, i);
    check_ranges(check);
}
