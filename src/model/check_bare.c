/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers without a unit where the model knows the unit: `Sf s(3000)` on a shaft is 3000 rad/s, and its
 * writer may have meant 3000 rpm. A model without any units has no domains, and nothing is reported about it.
 * Nor about 0, which is the same in every unit that counts from it, about 1, which is common for normalised
 * values, and about seconds. */
#include <string.h>

#include "model/inference_impl.h"

enum { DEEP = 8 }; /* nested sums and choices of numbers that are examined: deeper ones are left alone */

typedef struct {
    hbg_check *check;
    const hbg_literal *scale; /* the first temperature unit with a separate zero, or NULL */
} bare_check;

static const hbg_literal *literal_at(const hbg_model *model, hbg_expr expr) {
    const hbg_expr_node *node = expr < 0 ? NULL : &model->exprs.items[expr];
    return !node || node->op != HBG_OP_NUMBER || node->a < 0 ? NULL : &model->literals.items[node->a];
}

static bool is_other(const hbg_display *display, hbg_dimension dimension) {
    bool si = display->scale == 1 && display->offset == 0;
    return display->unit && !si && display->dimension.known &&
           hbg_model_dimension_agree(display->dimension, dimension);
}

/* NULL: numbers of this dimension have none with a separate zero. */
static const hbg_literal *scale_of(const bare_check *bare, hbg_dimension dimension) {
    bool scaled = bare->scale && hbg_model_dimension_agree(bare->scale->dimension, dimension);
    return scaled ? bare->scale : NULL;
}

/* The unit of parameters and outputs of this dimension, if it is not SI; else NULL. */
static const char *written_otherwise(const bare_check *bare, hbg_dimension dimension) {
    const hbg_model *model = bare->check->model;
    for (int32_t i = 0; i < model->params.count; i++)
        if (is_other(&model->params.items[i].display, dimension)) return model->params.items[i].unit;
    for (int32_t i = 0; i < model->signals.count; i++)
        if (is_other(&model->signals.items[i].display, dimension))
            return model->signals.items[i].display.unit;
    const hbg_literal *scale = scale_of(bare, dimension);
    return scale ? scale->unit : NULL;
}

/* Whether such a number is hardly ever misread. Beside a scale with a separate zero every one can be. */
static bool is_clear(const bare_check *bare, const hbg_literal *literal, hbg_dimension dimension) {
    bool one = literal->value.exponent == 0 && strcmp(literal->value.digits, "1") == 0;
    bool zero = strcmp(literal->value.digits, "0") == 0;
    return (one || zero) && !scale_of(bare, dimension);
}

static void tell(bare_check *bare, hbg_expr expr, hbg_dimension dimension, const char *unit) {
    hbg_diagnostics *diagnostics = bare->check->diagnostics;
    const hbg_model *model = bare->check->model;
    const hbg_literal *literal = literal_at(model, expr);
    hbg_span span = model->exprs.items[expr].span;
    if (literal->dimension.known || span.end == 0 || is_clear(bare, literal, dimension)) return;
    if (!hbg_model_check_first(bare->check, HBG_W_BARE, span)) return;
    char number[HBG_DOUBLE_TEXT];
    hbg_base_double_print(number, hbg_base_decimal_to_double(literal->value));
    bool wanted = hbg_base_report_wanted(diagnostics, HBG_WARNING);
    hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_W_BARE, span, "%s without a unit is %s %s here",
                                             number, number, unit);
    const char *other = wanted ? written_otherwise(bare, dimension) : NULL;
    if (other)
        hbg_base_report_fix(diagnostics, report, "write `%s [%s]` if that is meant, else perhaps `%s [%s]`",
                            number, unit, number, other);
    else
        hbg_base_report_fix(diagnostics, report, "write `%s [%s]`, or the unit that is meant", number, unit);
    hbg_base_report_edit(diagnostics, report, span, "%s [%s]", number, unit);
}

/* The numbers that an expression in this unit is, or chooses from. */
static void look(bare_check *bare, hbg_expr expr, hbg_dimension dimension, const char *unit, int depth) {
    const hbg_model *model = bare->check->model;
    if (expr < 0 || depth > DEEP) return;
    if (literal_at(model, expr)) {
        tell(bare, expr, dimension, unit);
        return;
    }
    const hbg_expr_node *node = &model->exprs.items[expr];
    if (node->op == HBG_OP_PARAM && node->a >= 0) {
        const hbg_param *param = &model->params.items[node->a];
        // a component may leave the unit open; but a temperature beside degC has a unit, whatever it is given
        // to
        bool open = param->id.scope != 0 && !scale_of(bare, dimension);
        if (param->unit || param->asked || open) return;
        const hbg_choice *choice = hbg_model_choice_of(model, (hbg_object){HBG_OBJECT_PARAM, node->a});
        if (choice) look(bare, choice->low, dimension, unit, depth + 1);
        if (choice) look(bare, choice->high, dimension, unit, depth + 1);
        look(bare, param->value, dimension, unit, depth + 1);
        return;
    }
    hbg_unit_rule rule = hbg_model_operator_info_get((hbg_operator)node->op)->unit_rule;
    if (rule != HBG_UNITS_SAME && rule != HBG_UNITS_SELECT) return;
    for (int k = rule == HBG_UNITS_SELECT ? 1 : 0; k < hbg_model_expr_arity(node); k++)
        look(bare, hbg_model_expr_argument(node, k), dimension, unit, depth + 1);
}

static void check_fact(bare_check *bare, const hbg_fact *fact) {
    const hbg_check *check = bare->check;
    int32_t nets[2];
    if (fact->kind != HBG_FACT_VALUE && fact->kind != HBG_FACT_INITIAL) return;
    if (hbg_model_fact_is_pair(check, fact)) return;
    hbg_model_fact_nets(check, fact, nets);
    if (nets[0] < 0) return;
    hbg_quantity quantity = hbg_model_fact_quantity(check, fact);
    hbg_domain domain = check->model->net_domain[nets[0]];
    const char *unit = quantity == HBG_QUANTITY_NONE ? NULL : hbg_model_domain_unit(domain, quantity);
    if (!unit) return;
    look(bare, hbg_model_fact_expr(check, fact), hbg_model_domain_quantity(domain, quantity), unit, 0);
}

/* The settings of experiments give storages a start, as their own text does. */
static void check_setting(bare_check *bare, const hbg_setting *setting) {
    if (setting->target.kind != HBG_OBJECT_ELEMENT || setting->target.index < 0) return;
    const hbg_model *model = bare->check->model;
    int32_t net = hbg_model_net(model, setting->target.index, setting->port);
    if (net < 0) return;
    hbg_domain domain = model->net_domain[net];
    hbg_quantity quantity = (hbg_quantity)setting->variable;
    const char *unit = hbg_model_domain_unit(domain, quantity);
    if (unit) look(bare, setting->value, hbg_model_domain_quantity(domain, quantity), unit, 0);
}

/* Beside something that has a unit: `air.e > 21`. */
static void check_beside(bare_check *bare, hbg_expr expr) {
    const hbg_model *model = bare->check->model;
    const hbg_expr_node *node = &model->exprs.items[expr];
    hbg_unit_rule rule = hbg_model_operator_info_get((hbg_operator)node->op)->unit_rule;
    bool agree = rule == HBG_UNITS_SAME || rule == HBG_UNITS_COMPARE || rule == HBG_UNITS_SELECT;
    hbg_expr known = HBG_NONE;
    bool number = false;
    for (int k = rule == HBG_UNITS_SELECT ? 1 : 0; agree && k < hbg_model_expr_arity(node); k++) {
        hbg_expr argument = hbg_model_expr_argument(node, k);
        if (argument < 0) continue;
        if (known == HBG_NONE && model->expr_dimension[argument].known) known = argument;
        number |= !model->expr_dimension[argument].known;
    }
    if (known == HBG_NONE || !number) return;
    hbg_dimension dimension = model->expr_dimension[known], second = hbg_model_dimension_second();
    if (hbg_model_dimension_is_pure(dimension) || memcmp(&dimension, &second, sizeof second) == 0) return;
    const char *unit = hbg_model_expr_unit(bare->check->scratch, model, known);
    for (int k = rule == HBG_UNITS_SELECT ? 1 : 0; k < hbg_model_expr_arity(node); k++) {
        hbg_expr argument = hbg_model_expr_argument(node, k);
        if (argument != known) look(bare, argument, dimension, unit, 0);
    }
}

void hbg_model_check_bare(hbg_check *check) {
    const hbg_model *model = check->model;
    bare_check bare = {check, NULL};
    for (int32_t i = 0; i < model->literals.count && !bare.scale; i++)
        if (model->literals.items[i].scale) bare.scale = &model->literals.items[i];
    for (int32_t i = 0; i < check->facts.count; i++) check_fact(&bare, &check->facts.items[i]);
    for (int32_t i = 0; i < model->exprs.count; i++) check_beside(&bare, i);
    for (int32_t i = 0; i < model->experiments.count; i++)
        for (int32_t k = 0; k < model->experiments.items[i].settings.count; k++)
            check_setting(&bare, &model->experiments.items[i].settings.items[k]);
}
