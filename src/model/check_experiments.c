/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Experiments: settings and actions act on things they can act on, at times inside the experiment, with values the
 * elements can take. Faults are in check_faults.c. */
#include <math.h>

#include "model/model_impl.h"

typedef struct {
    hbg_check *check;
    const hbg_experiment *experiment;
    const char *name;
    const int32_t *param_element; /* hbg_check_param_elements */
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

/* ---- settings ----------------------------------------------------------------------------------------- */

static void check_setting(experiment_check *e, const hbg_setting *setting) {
    hbg_check *check = e->check;
    double value;
    if (setting->target.index < 0) return;
    switch (setting->target.kind) {
    case HBG_OBJECT_PARAM:
        if (value_of(check, setting->value, &value))
            hbg_check_param_value(check, e->param_element, setting->target.index, value,
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
        hbg_check_before_stop(check, experiment, action->time, action->span, "an action");
    }
    hbg_check_faults(check, e->param_element, experiment);
    hbg_check_sweeps(check, experiment);
}

void hbg_check_experiments(hbg_check *check) {
    const hbg_model *model = check->model;
    if (model->experiments.count == 0) return;
    const int32_t *param_element = hbg_check_param_elements(check);
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const hbg_experiment *experiment = &model->experiments.items[i];
        experiment_check e = {check, experiment, hbg_names_get(model->names, experiment->name),
                              param_element};
        check_experiment(&e);
    }
}
