/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Choices: an interval has to be increasing and contain its value without a decision, a restitution stays
 * between 0 and 1, and elements stay valid for every choice. */
#include <math.h>

#include "model/model_impl.h"

static bool value_of(const hbg_model *model, hbg_expr expr, double *value) {
    return hbg_model_constant(model, expr, value) && isfinite(*value);
}

const hbg_choice *hbg_model_choice_of(const hbg_model *model, hbg_object target) {
    for (int32_t i = 0; i < model->choices.count; i++) {
        const hbg_choice *choice = &model->choices.items[i];
        if (choice->target.kind == target.kind && choice->target.index == target.index) return choice;
    }
    return NULL;
}

bool hbg_model_loses_energy(const hbg_model *model, int32_t junction) {
    const hbg_choice *choice = hbg_model_choice_of(model, (hbg_object){HBG_OBJECT_ELEMENT, junction});
    return choice && choice->loss == HBG_LOSS_ENERGY;
}

bool hbg_model_choice_ends(const hbg_model *model, const hbg_choice *choice, double *low, double *high) {
    double from, to;
    if (!value_of(model, choice->low, &from) || !value_of(model, choice->high, &to)) return false;
    bool share = choice->loss == HBG_LOSS_SHARE;
    *low = share ? sqrt(1 - to) : from;
    *high = share ? sqrt(1 - from) : to;
    return isfinite(*low) && isfinite(*high);
}

static void report_reversed(hbg_check *check, const hbg_choice *choice) {
    if (!hbg_model_check_first(check, HBG_E_VALUE, choice->span)) return;
    const char *low = hbg_model_check_expr(check, choice->low);
    const char *high = hbg_model_check_expr(check, choice->high);
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_VALUE, choice->span,
        "there is nothing in this interval: it begins at `%s`, above its end `%s`", low, high);
    hbg_base_report_fix(check->diagnostics, report, "write the smaller value first: `%s .. %s`", high, low);
}

static bool check_end(hbg_check *check, const hbg_choice *choice, hbg_expr end) {
    hbg_span span = hbg_model_check_span(check, end, choice->span);
    double value;
    char text[HBG_DOUBLE_TEXT];
    bool energy = choice->loss == HBG_LOSS_ENERGY;
    if (!value_of(check->model, end, &value) ||
        hbg_model_bounces_by(check->model, choice->target.index, value))
        return true;
    if (!hbg_model_check_first(check, HBG_E_VALUE, span)) return false;
    hbg_base_double_print(text, value);
    if (energy) {
        hbg_base_report(
            check->diagnostics, HBG_E_VALUE, span,
            "the loss of `%s` may become %s J, but has to be at least 0: below, a collision would "
            "give energy",
            hbg_model_check_path(check, choice->target.kind, choice->target.index), text);
        return false;
    }
    hbg_base_report(check->diagnostics, HBG_E_VALUE, span,
                    "the %s of `%s` may become %s, but has to be between 0 and 1: %s",
                    choice->loss ? "loss" : "restitution",
                    hbg_model_check_path(check, choice->target.kind, choice->target.index), text,
                    choice->loss ? "it is a share of what is lost where bodies stay together"
                    : value < 0  ? "below 0 bodies would pass through each other"
                                 : "above 1 a collision would give energy");
    return false;
}

void hbg_model_check_outside(hbg_check *check, int32_t param, double value, hbg_span span) {
    const hbg_choice *choice = hbg_model_choice_of(check->model, (hbg_object){HBG_OBJECT_PARAM, param});
    double low, high;
    if (!choice || !hbg_model_choice_ends(check->model, choice, &low, &high)) return;
    if ((value >= low && value <= high) || !hbg_model_check_first(check, HBG_W_OUTSIDE, span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_PARAM, param);
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_W_OUTSIDE, span,
                        "this is outside of the interval that `%s` is declared with: %s .. %s", path,
                        hbg_model_check_expr(check, choice->low), hbg_model_check_expr(check, choice->high));
    hbg_base_report_note(check->diagnostics, report, choice->span, "the interval is here");
}

/* A value that `-p` or an instance gives is a decision, which may lie outside. */
static void check_default(hbg_check *check, const hbg_choice *choice, double low, double high) {
    const hbg_param *param = &check->model->params.items[choice->target.index];
    double value;
    if (param->overridden || param->asked || !value_of(check->model, param->value, &value)) return;
    if (value >= low && value <= high) return;
    hbg_span span = hbg_model_check_span(check, hbg_model_check_source(check, param->value), choice->span);
    if (!hbg_model_check_first(check, HBG_E_VALUE, span)) return;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_VALUE, span, "`%s` is outside of the interval that `%s` is chosen from",
        hbg_model_check_expr(check, param->value),
        hbg_model_check_path(check, HBG_OBJECT_PARAM, choice->target.index));
    hbg_base_report_note(check->diagnostics, report, choice->span, "the interval is here");
}

static void check_structural(hbg_check *check, const hbg_choice *choice) {
    if (!check->model->params.items[choice->target.index].structural) return;
    if (!hbg_model_check_first(check, HBG_E_EXPRESSION, choice->span)) return;
    hbg_base_report(check->diagnostics, HBG_E_EXPRESSION, choice->span,
                    "`%s` decides what parts the model has: a run cannot choose it",
                    hbg_model_check_path(check, HBG_OBJECT_PARAM, choice->target.index));
}

/* Nothing is chosen anew where nothing moves. */
static void check_movers(hbg_check *check, const hbg_choice *choice) {
    if (!choice->anew || check->model->automata.count > 0) return;
    if (!hbg_model_check_first(check, HBG_E_EXPRESSION, choice->span)) return;
    const char *name = hbg_model_check_path(check, HBG_OBJECT_PARAM, choice->target.index);
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_EXPRESSION, choice->span,
                        "`%s` would be chosen anew whenever an automaton moves, but there is none", name);
    hbg_base_report_fix(check->diagnostics, report,
                        "a value that is chosen once for a run is `param %s in … .. …;`", name);
}

/* A run may have any value of the interval: its ends are judged like requested values. */
static void check_what_if(hbg_check *check, hbg_what_if *what_if, const hbg_choice *choice) {
    const hbg_expr ends[] = {choice->low, choice->high};
    int32_t param = choice->target.index;
    for (int i = 0; i < 2; i++) {
        double value;
        hbg_lost lost;
        if (value_of(check->model, ends[i], &value) && hbg_model_what_if_param(what_if, param, value, &lost))
            hbg_model_what_if_report(what_if, param, &lost,
                                     hbg_model_check_span(check, ends[i], choice->span));
    }
}

/* in(…) of a collision would depend on its rebound, which is known only in the collision. */
static void check_in(hbg_check *check, const hbg_choice *choice) {
    const hbg_model *model = check->model;
    for (int32_t i = 0; choice->loss == HBG_LOSS_ENERGY && i < model->exprs.count; i++) {
        if (model->exprs.items[i].op != HBG_OP_IN) continue;
        if (!hbg_model_check_first(check, HBG_E_EXPRESSION, choice->span)) return;
        hbg_diagnostic *report =
            hbg_base_report(check->diagnostics, HBG_E_EXPRESSION, choice->span,
                            "a loss in joules does not go together with `in(…)` yet: what a collision would "
                            "make of values is not known beforehand");
        hbg_base_report_note(check->diagnostics, report, model->exprs.items[i].span, "it is read here");
        hbg_base_report_fix(check->diagnostics, report,
                            "write a share, `loss 10 .. 60 [%%]`, or a restitution");
        return;
    }
}

static bool reads_params(const hbg_check *check, hbg_expr expr) {
    return expr >= 0 && (check->flags[expr] & HBG_EXPR_NOT_LITERAL);
}

/* Whether a period, a wait or an interval is more than a number: only then parameters are followed to
 * them. */
static bool has_built_in(const hbg_check *check) {
    const hbg_model *model = check->model;
    bool found = false;
    for (int32_t i = 0; i < model->signals.count; i++)
        found |= reads_params(check, model->signals.items[i].every);
    for (int32_t i = 0; i < model->automata.count; i++)
        found |= reads_params(check, model->automata.items[i].every);
    for (int32_t i = 0; i < model->transitions.count; i++)
        found |= reads_params(check, model->transitions.items[i].after);
    for (int32_t i = 0; i < model->choices.count; i++)
        found |= reads_params(check, model->choices.items[i].low) ||
                 reads_params(check, model->choices.items[i].high);
    return found;
}

void hbg_model_check_choices(hbg_check *check) {
    const hbg_model *model = check->model;
    bool built_in = has_built_in(check);
    hbg_what_if what_if;
    if (model->choices.count > 0) hbg_model_what_if_init(&what_if, check, NULL);
    for (int32_t i = 0; i < model->choices.count; i++) {
        const hbg_choice *choice = &model->choices.items[i];
        bool impact = choice->target.kind == HBG_OBJECT_ELEMENT;
        double low, high;
        if (!value_of(model, choice->low, &low) || !value_of(model, choice->high, &high)) continue;
        if (impact && (!check_end(check, choice, choice->low) || !check_end(check, choice, choice->high)))
            continue;
        if (low > high)
            report_reversed(check, choice);
        else if (!impact)
            check_default(check, choice, low, high);
        if (impact) {
            check_in(check, choice);
            continue;
        }
        check_structural(check, choice);
        check_movers(check, choice);
        if (low <= high) check_what_if(check, &what_if, choice);
        if (built_in) hbg_model_check_chosen(check, choice->target.index, choice->span);
    }
}
