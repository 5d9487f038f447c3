/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Experiments: settings, actions and faults act on things they can act on, at times inside the experiment,
 * with values the elements can take. */
#include <math.h>

#include "model/model_impl.h"

typedef struct {
    hbg_check *check;
    const hbg_experiment *experiment;
    const char *name;
    int32_t *param_element; /* by parameter: an element whose value it is, or HBG_NONE */
} experiment_check;

static bool value_of(const hbg_check *check, hbg_expr expr, double *value) {
    return hbg_model_constant(check->model, expr, value);
}

static bool first_report(experiment_check *e, hbg_span span) {
    return hbg_check_first(e->check, HBG_E_EXPERIMENT, span);
}

static const char *target_text(experiment_check *e, hbg_object target) {
    return hbg_check_path(e->check, target.kind, target.index);
}

/* ---- what parameters are for -------------------------------------------------------------------------- */

/* Elements whose whole value is one parameter; storages first, since they allow less. */
static int32_t *find_param_elements(hbg_check *check) {
    const hbg_model *model = check->model;
    int32_t *elements = HBG_NEW_ARRAY(check->scratch, int32_t, model->params.count + 1);
    for (int32_t i = 0; i < model->params.count; i++) elements[i] = HBG_NONE;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        hbg_expr value = element->value_count == 1 ? model->entries.items[element->first_value] : HBG_NONE;
        if (value < 0 || model->exprs.items[value].op != HBG_OP_PARAM) continue;
        int32_t param = model->exprs.items[value].a;
        if (param < 0) continue;
        bool storage = element->kind == HBG_KIND_C || element->kind == HBG_KIND_I;
        if (storage || (element->kind == HBG_KIND_R && elements[param] < 0)) elements[param] = i;
    }
    return elements;
}

/* A new value of a parameter against the element it belongs to. */
static void check_new_value(experiment_check *e, int32_t param, double value, hbg_span span) {
    hbg_check *check = e->check;
    int32_t element = e->param_element[param];
    if (element < 0 || !isfinite(value)) return;
    hbg_check_element_value(check, element, value, span);
    double nominal = check->model->param_values[param];
    bool turned = check->model->elements.items[element].kind == HBG_KIND_R && nominal >= 0 && value < 0;
    if (!turned || !hbg_check_first(check, HBG_E_VALUE, span)) return;
    char text[HBG_DOUBLE_TEXT];
    hbg_double_print(text, value);
    hbg_report(check->diagnostics, HBG_E_VALUE, span, "this makes the resistance of `%s` negative: %s",
               hbg_check_path(check, HBG_OBJECT_ELEMENT, element), text);
}

/* ---- settings ----------------------------------------------------------------------------------------- */

static void check_setting(experiment_check *e, const hbg_setting *setting) {
    hbg_check *check = e->check;
    double value;
    if (setting->target.index < 0) return;
    switch (setting->target.kind) {
    case HBG_OBJECT_PARAM:
        if (value_of(check, setting->value, &value))
            check_new_value(e, setting->target.index, value,
                            hbg_check_span(check, setting->value, setting->span));
        return;
    case HBG_OBJECT_ELEMENT: {
        const hbg_element *element = &check->model->elements.items[setting->target.index];
        hbg_variable v = setting->variable;
        bool c = element->kind == HBG_KIND_C && (v == HBG_VARIABLE_DISPLACEMENT || v == HBG_VARIABLE_EFFORT);
        bool i = element->kind == HBG_KIND_I && (v == HBG_VARIABLE_MOMENTUM || v == HBG_VARIABLE_FLOW);
        if (c || i || !first_report(e, setting->span)) return;
        hbg_diagnostic *report =
            hbg_report(check->diagnostics, HBG_E_EXPERIMENT, setting->span, "%s of `%s` is no initial value",
                       hbg_variable_text(v), target_text(e, setting->target));
        hbg_report_fix(check->diagnostics, report, "a C starts from q or e, an I from p or f");
        return;
    }
    case HBG_OBJECT_AUTOMATON: return;
    default: break;
    }
    if (!first_report(e, setting->span)) return;
    hbg_diagnostic *report = hbg_report(check->diagnostics, HBG_E_EXPERIMENT, setting->span,
                                        "`%s` cannot be set before a run", target_text(e, setting->target));
    hbg_report_fix(check->diagnostics, report,
                   "`set` takes parameters, initial q, p, e, f, and start states");
}

/* ---- actions ------------------------------------------------------------------------------------------ */

static void check_action_target(experiment_check *e, const hbg_action *action) {
    hbg_check *check = e->check;
    if (action->signal < 0) return;
    const hbg_signal *signal = &check->model->signals.items[action->signal];
    const char *path = hbg_check_path(check, HBG_OBJECT_SIGNAL, action->signal);
    if (signal->kind != HBG_SIGNAL_INPUT) {
        if (!first_report(e, action->span)) return;
        hbg_diagnostic *report = hbg_report(check->diagnostics, HBG_E_EXPERIMENT, action->span,
                                            "`%s` is %s: an experiment can change inputs only", path,
                                            hbg_check_article(check, hbg_signal_kind_text(signal->kind)));
        hbg_report_note(check->diagnostics, report, signal->id.span, "`%s` is declared here", path);
        return;
    }
    bool event = signal->type == HBG_TYPE_EVENT, has_value = action->value >= 0;
    if (event == !has_value || (check->had_errors && !has_value) || !first_report(e, action->span)) return;
    hbg_diagnostic *report = hbg_report(check->diagnostics, HBG_E_EXPERIMENT, action->span,
                                        event ? "`%s` is an event: it happens and takes no value"
                                              : "`%s` is no event: it needs a value",
                                        path);
    hbg_report_note(check->diagnostics, report, signal->id.span, "`%s` is declared here", path);
    hbg_report_fix(check->diagnostics, report, event ? "write `%s;`" : "write `%s = …;`", path);
}

/* Whether a time lies behind the end of the experiment; reports it. */
static void check_before_stop(experiment_check *e, hbg_expr time, hbg_span span, const char *what) {
    double at, stop;
    if (!value_of(e->check, time, &at) || !value_of(e->check, e->experiment->stop, &stop)) return;
    hbg_span place = hbg_check_span(e->check, time, span);
    if (at <= stop || !first_report(e, place)) return;
    char at_text[HBG_DOUBLE_TEXT], stop_text[HBG_DOUBLE_TEXT];
    hbg_double_print(at_text, at);
    hbg_double_print(stop_text, stop);
    hbg_diagnostic *report = hbg_report(e->check->diagnostics, HBG_E_EXPERIMENT, place,
                                        "%s at %s s comes after experiment `%s` has stopped, at %s s", what,
                                        at_text, e->name, stop_text);
    hbg_report_note(e->check->diagnostics, report,
                    hbg_check_span(e->check, e->experiment->stop, e->experiment->span), "it stops here");
}

/* ---- faults ------------------------------------------------------------------------------------------- */

static bool fault_fits(const hbg_check *check, const hbg_fault *fault) {
    switch (fault->target.kind) {
    case HBG_OBJECT_PARAM:
        return fault->kind == HBG_FAULT_ABRUPT || fault->kind == HBG_FAULT_INCIPIENT ||
               fault->kind == HBG_FAULT_STUCK;
    case HBG_OBJECT_AUTOMATON: return fault->kind == HBG_FAULT_STUCK;
    case HBG_OBJECT_SIGNAL: {
        bool sensor = check->model->signals.items[fault->target.index].kind == HBG_SIGNAL_SENSOR;
        return sensor && fault->kind != HBG_FAULT_ABRUPT && fault->kind != HBG_FAULT_INCIPIENT;
    }
    default: return false;
    }
}

static void report_fault_kind(experiment_check *e, const hbg_fault *fault) {
    hbg_check *check = e->check;
    if (!first_report(e, fault->span)) return;
    const char *path = target_text(e, fault->target);
    const char *what = "something else";
    if (fault->target.kind == HBG_OBJECT_PARAM) what = "a parameter";
    if (fault->target.kind == HBG_OBJECT_AUTOMATON) what = "an automaton";
    if (fault->target.kind == HBG_OBJECT_SIGNAL)
        what = hbg_check_article(check,
                                 hbg_signal_kind_text(check->model->signals.items[fault->target.index].kind));
    hbg_diagnostic *report = hbg_report(check->diagnostics, HBG_E_EXPERIMENT, fault->span,
                                        "`%s` is %s, which cannot have the fault `%s`", path, what,
                                        hbg_fault_kind_text(fault->kind));
    const hbg_identity *id = hbg_model_identity(check->model, fault->target);
    if (id) hbg_report_note(check->diagnostics, report, id->span, "`%s` is declared here", path);
    hbg_report_fix(
        check->diagnostics, report,
        "a parameter can be `abrupt`, `incipient` or `stuck`, an automaton `stuck`, a sensor `bias`, "
        "`drift`, `stuck` or `noise`");
}

static void check_fault_times(experiment_check *e, const hbg_fault *fault) {
    double at, until;
    check_before_stop(e, fault->at, fault->span, "a fault");
    if (!value_of(e->check, fault->at, &at) || !value_of(e->check, fault->until, &until)) return;
    hbg_span span = hbg_check_span(e->check, fault->until, fault->span);
    if (until > at || !hbg_check_first(e->check, HBG_E_VALUE, span)) return;
    hbg_diagnostic *report = hbg_report(
        e->check->diagnostics, HBG_E_VALUE, span, "this fault ends before it begins: `%s` is not after `%s`",
        hbg_check_expr(e->check, fault->until), hbg_check_expr(e->check, fault->at));
    hbg_report_note(e->check->diagnostics, report, hbg_check_span(e->check, fault->at, fault->span),
                    "it begins here");
}

static void check_fault_value(experiment_check *e, const hbg_fault *fault) {
    double value;
    bool constant = fault->target.kind == HBG_OBJECT_PARAM && value_of(e->check, fault->value, &value);
    if (!constant) return;
    double nominal = e->check->model->param_values[fault->target.index];
    hbg_span span = hbg_check_span(e->check, fault->value, fault->span);
    if (fault->kind == HBG_FAULT_ABRUPT)
        check_new_value(e, fault->target.index, fault->relative ? nominal * (1 + value) : nominal + value,
                        span);
    else if (fault->kind == HBG_FAULT_STUCK)
        check_new_value(e, fault->target.index, value, span);
}

static void check_fault(experiment_check *e, const hbg_fault *fault) {
    check_fault_times(e, fault);
    if (fault->target.index < 0) return;
    if (fault_fits(e->check, fault))
        check_fault_value(e, fault);
    else
        report_fault_kind(e, fault);
}

/* ---- experiments -------------------------------------------------------------------------------------- */

static void check_experiment(experiment_check *e) {
    const hbg_experiment *experiment = e->experiment;
    hbg_check *check = e->check;
    if (experiment->stop < 0 && experiment->name != 0 && !check->had_errors &&
        first_report(e, experiment->span)) {
        hbg_diagnostic *report = hbg_report(check->diagnostics, HBG_E_EXPERIMENT, experiment->span,
                                            "experiment `%s` does not say when it stops", e->name);
        hbg_report_fix(check->diagnostics, report, "add `stop 1 [s];`");
    }
    for (int32_t i = 0; i < experiment->settings.count; i++) check_setting(e, &experiment->settings.items[i]);
    for (int32_t i = 0; i < experiment->actions.count; i++) {
        const hbg_action *action = &experiment->actions.items[i];
        check_action_target(e, action);
        check_before_stop(e, action->time, action->span, "an action");
    }
    for (int32_t i = 0; i < experiment->faults.count; i++) check_fault(e, &experiment->faults.items[i]);
}

void hbg_check_experiments(hbg_check *check) {
    const hbg_model *model = check->model;
    if (model->experiments.count == 0) return;
    int32_t *param_element = find_param_elements(check);
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const hbg_experiment *experiment = &model->experiments.items[i];
        experiment_check e = {check, experiment, hbg_names_get(model->names, experiment->name),
                              param_element};
        check_experiment(&e);
    }
}
