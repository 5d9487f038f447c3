/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Experiments: settings and actions have valid targets, at times inside the experiment, with values the
 * elements can take. Faults are in check_faults.c. */
#include <math.h>
#include <string.h>

#include "model/model_impl.h"

typedef struct {
    hbg_check *check;
    const hbg_experiment *experiment;
    const char *name;
    hbg_what_if *what_if;
} experiment_check;

static bool value_of(const hbg_check *check, hbg_expr expr, double *value) {
    return hbg_model_constant(check->model, expr, value);
}

static bool first_report(experiment_check *e, hbg_span span) {
    return hbg_model_check_first(e->check, HBG_E_EXPERIMENT, span);
}

static const char *target_text(experiment_check *e, hbg_object target) {
    return hbg_model_check_path(e->check, target.kind, target.index);
}

/* ---- settings ----------------------------------------------------------------------------------------- */

/* The step of a grid and the deviation of a distribution are not values of their parameter. */
static bool is_value(const hbg_experiment *experiment, int32_t setting) {
    for (int32_t i = 0; i < experiment->axes.count; i++) {
        const hbg_axis *axis = &experiment->axes.items[i];
        if ((axis->kind == HBG_AXIS_GRID && setting == axis->first + 2) ||
            (axis->kind == HBG_AXIS_NORMAL && setting == axis->first + 1))
            return false;
    }
    return true;
}

/* A parameter that decided which parts exist cannot change any more. */
static void refuse_structural(experiment_check *e, const hbg_setting *setting) {
    const hbg_param *param = &e->check->model->params.items[setting->target.index];
    if (!first_report(e, setting->span)) return;
    const char *path = target_text(e, setting->target);
    hbg_diagnostic *report = hbg_base_report(
        e->check->diagnostics, HBG_E_EXPERIMENT, setting->span,
        "`%s` decides what parts the model has: neither an experiment nor a sweep can change it", path);
    hbg_base_report_note(e->check->diagnostics, report, param->id.span, "`%s` is declared here", path);
    hbg_base_report_fix(e->check->diagnostics, report, "give it to the command: `-p %s=…`", path);
}

static void check_param(experiment_check *e, const hbg_setting *setting) {
    double value;
    hbg_lost lost;
    int32_t param = setting->target.index;
    if (e->check->model->params.items[param].structural) {
        refuse_structural(e, setting);
        return;
    }
    if (!is_value(e->experiment, (int32_t)(setting - e->experiment->settings.items))) return;
    if (!hbg_model_check_concerns(e->check, e->experiment)) return;
    if (!value_of(e->check, setting->value, &value)) return;
    hbg_model_check_outside(e->check, param, value, setting->span);
    bool axis = e->experiment->name == 0;
    if (axis && hbg_model_check_number_follows(e->check, e->experiment,
                                               (int32_t)(setting - e->experiment->settings.items)))
        return; // it is judged in each run
    // any restitution may be requested: the run has its verdicts
    if (axis ? hbg_model_what_if_param(e->what_if, param, value, &lost) && lost.kind != HBG_LOST_BOUNCE
             : hbg_model_what_if_as_it_is(e->what_if, param, e->check->model->expr_values, &lost))
        hbg_model_what_if_report(e->what_if, param, &lost,
                                 hbg_model_check_span(e->check, setting->value, setting->span));
}

static void check_setting(experiment_check *e, const hbg_setting *setting) {
    hbg_check *check = e->check;
    if (setting->target.index < 0) return;
    switch (setting->target.kind) {
    case HBG_OBJECT_PARAM: check_param(e, setting); return;
    case HBG_OBJECT_ELEMENT: {
        const hbg_element *element = &check->model->elements.items[setting->target.index];
        hbg_variable v = setting->variable;
        bool c = element->kind == HBG_KIND_C && (v == HBG_VARIABLE_DISPLACEMENT || v == HBG_VARIABLE_EFFORT);
        bool i = element->kind == HBG_KIND_I && (v == HBG_VARIABLE_MOMENTUM || v == HBG_VARIABLE_FLOW);
        if (c || i || !first_report(e, setting->span)) return;
        hbg_diagnostic *report = hbg_base_report(check->diagnostics, HBG_E_EXPERIMENT, setting->span,
                                                 "%s of `%s` is no initial value", hbg_model_variable_text(v),
                                                 target_text(e, setting->target));
        hbg_base_report_fix(check->diagnostics, report, "a C starts from q or e, an I from p or f");
        return;
    }
    case HBG_OBJECT_AUTOMATON: return;
    default: break;
    }
    if (!first_report(e, setting->span)) return;
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_EXPERIMENT, setting->span,
                        "`%s` cannot be set before a run", target_text(e, setting->target));
    hbg_base_report_fix(check->diagnostics, report,
                        "`set` takes parameters, initial q, p, e, f, and start states");
}

/* ---- actions ------------------------------------------------------------------------------------------ */

static void check_action_target(experiment_check *e, const hbg_action *action) {
    hbg_check *check = e->check;
    if (action->signal < 0) return;
    const hbg_signal *signal = &check->model->signals.items[action->signal];
    const char *path = hbg_model_check_path(check, HBG_OBJECT_SIGNAL, action->signal);
    if (signal->kind != HBG_SIGNAL_INPUT) {
        if (!first_report(e, action->span)) return;
        hbg_diagnostic *report =
            hbg_base_report(check->diagnostics, HBG_E_EXPERIMENT, action->span,
                            "`%s` is %s: an experiment can change inputs only", path,
                            hbg_model_check_article(check, hbg_model_signal_kind_text(signal->kind)));
        hbg_base_report_note(check->diagnostics, report, signal->id.span, "`%s` is declared here", path);
        return;
    }
    bool event = signal->type == HBG_TYPE_EVENT, has_value = action->value >= 0;
    if (event == !has_value || (check->had_errors && !has_value) || !first_report(e, action->span)) return;
    hbg_diagnostic *report = hbg_base_report(check->diagnostics, HBG_E_EXPERIMENT, action->span,
                                             event ? "`%s` is an event: it happens and takes no value"
                                                   : "`%s` is no event: it needs a value",
                                             path);
    hbg_base_report_note(check->diagnostics, report, signal->id.span, "`%s` is declared here", path);
    hbg_base_report_fix(check->diagnostics, report, event ? "write `%s;`" : "write `%s = …;`", path);
}

/* ---- experiments -------------------------------------------------------------------------------------- */

static void check_experiment(experiment_check *e) {
    const hbg_experiment *experiment = e->experiment;
    hbg_check *check = e->check;
    if (experiment->stop < 0 && experiment->name != 0 && !check->had_errors &&
        first_report(e, experiment->span)) {
        hbg_diagnostic *report = hbg_base_report(check->diagnostics, HBG_E_EXPERIMENT, experiment->span,
                                                 "experiment `%s` does not say when it stops", e->name);
        hbg_base_report_fix(check->diagnostics, report, "add `stop 1 [s];`");
    }
    for (int32_t i = 0; i < experiment->settings.count; i++) check_setting(e, &experiment->settings.items[i]);
    for (int32_t i = 0; i < experiment->actions.count; i++) {
        const hbg_action *action = &experiment->actions.items[i];
        check_action_target(e, action);
        hbg_model_check_before_stop(check, experiment, action->time, action->span, "an action");
    }
    hbg_model_check_faults(check, e->what_if, experiment);
    hbg_model_check_sweeps(check, experiment);
}

/* The values of all expressions without the changes of `-p`; those of parameters stay with the model. */
static const double *without_asked(hbg_check *check) {
    hbg_model *model = check->model;
    hbg_what_if *declared = HBG_NEW(check->scratch, hbg_what_if);
    hbg_model_what_if_init(declared, check, NULL);
    for (int32_t i = 0; i < model->params.count; i++) {
        double value;
        if (value_of(check, model->params.items[i].declared, &value))
            hbg_model_what_if_set(declared, i, value);
    }
    model->param_declared = HBG_NEW_ARRAY(model->arena, double, model->params.count + 1);
    memcpy(model->param_declared, declared->params, (size_t)model->params.count * sizeof *declared->params);
    return declared->exprs;
}

/* The values that `-p` gives parameters, against their declarations. */
static void check_asked(hbg_check *check) {
    const hbg_model *model = check->model;
    hbg_what_if what_if = {0};
    const double *declared = NULL;
    for (int32_t i = 0; i < model->params.count; i++) {
        const hbg_param *param = &model->params.items[i];
        hbg_lost lost;
        if (!param->asked) continue;
        if (!declared) {
            hbg_model_what_if_init(&what_if, check, NULL);
            declared = without_asked(check);
        }
        if (hbg_model_what_if_as_it_is(&what_if, i, declared, &lost))
            hbg_model_what_if_report(&what_if, i, &lost,
                                     hbg_model_check_span(check, param->value, param->id.span));
    }
}

void hbg_model_check_experiments(hbg_check *check) {
    const hbg_model *model = check->model;
    check_asked(check);
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const hbg_experiment *experiment = &model->experiments.items[i];
        hbg_what_if what_if;
        hbg_model_what_if_init(&what_if, check, experiment);
        experiment_check e = {check, experiment, hbg_base_names_get(model->names, experiment->name),
                              &what_if};
        check_experiment(&e);
    }
}
