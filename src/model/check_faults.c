/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Faults: on valid targets, at times inside the experiment, with values the elements can take for as long as
 * the fault lasts. */
#include <math.h>

#include "model/model_impl.h"

static bool value_of(const hbg_check *check, hbg_expr expr, double *value) {
    return hbg_model_constant(check->model, expr, value);
}

static bool first_report(hbg_check *check, hbg_span span) {
    return hbg_model_check_first(check, HBG_E_EXPERIMENT, span);
}

/* How long it lasts, s; 0 where that is not known. */
static double duration_of(const hbg_check *check, const hbg_experiment *experiment, const hbg_fault *fault) {
    double at, until, stop, end;
    bool ends = value_of(check, fault->until, &until),
         stops = value_of(check, hbg_model_check_stop_of(check, experiment), &stop);
    if (!value_of(check, fault->at, &at) || (!ends && !stops)) return 0;
    end = ends && stops ? fmin(until, stop) : ends ? until : stop;
    return end > at ? end - at : 0;
}

/* ---- targets and values ------------------------------------------------------------------------------- */

static bool fault_fits(const hbg_check *check, const hbg_fault *fault) {
    const hbg_model *model = check->model;
    const hbg_fault_info *info = hbg_model_fault_info_get(fault->kind);
    switch (fault->target.kind) {
    case HBG_OBJECT_PARAM: {
        const hbg_choice *choice = hbg_model_choice_of(model, fault->target);
        return info->on_value && !model->params.items[fault->target.index].structural &&
               !(choice && choice->anew);
    }
    case HBG_OBJECT_ELEMENT:
        return info->on_value && model->elements.items[fault->target.index].value_count == 1;
    case HBG_OBJECT_AUTOMATON: return info->on_automaton;
    case HBG_OBJECT_SIGNAL: {
        const hbg_signal *signal = &model->signals.items[fault->target.index];
        if (signal->kind != HBG_SIGNAL_SENSOR) return false;
        return info->on_sensor && (info->effect != HBG_EFFECT_SHAKES || signal->every != HBG_NONE);
    }
    default: return false;
    }
}

static const char *target_words(hbg_check *check, hbg_object target) {
    switch (target.kind) {
    case HBG_OBJECT_PARAM:
        return check->model->params.items[target.index].structural
                   ? "a parameter that decides what parts there are"
               : hbg_model_choice_of(check->model, target) ? "chosen anew whenever an automaton moves"
                                                           : "a parameter";
    case HBG_OBJECT_ELEMENT: return "an element";
    case HBG_OBJECT_AUTOMATON: return "an automaton";
    case HBG_OBJECT_SIGNAL:
        return hbg_model_check_article(
            check, hbg_model_signal_kind_text(check->model->signals.items[target.index].kind));
    default: return "something else";
    }
}

static void report_kind(hbg_check *check, const hbg_fault *fault) {
    if (!first_report(check, fault->span)) return;
    const char *path = hbg_model_check_path(check, fault->target.kind, fault->target.index);
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_EXPERIMENT, fault->span, "`%s` is %s, which cannot have the fault `%s`",
        path, target_words(check, fault->target), hbg_model_fault_kind_text(fault->kind));
    const hbg_identity *id = hbg_model_identity(check->model, fault->target);
    if (id) hbg_base_report_note(check->diagnostics, report, id->span, "`%s` is declared here", path);
    hbg_base_report_fix(
        check->diagnostics, report,
        "a parameter or an element with one value can be `abrupt`, `incipient` or `stuck`, an "
        "automaton `stuck`, a sensor `bias`, `drift`, `stuck` or, if sampled, `noise`");
}

/* ---- what they make of elements ------------------------------------------------------------------------ */

/* A value on its way: all at once, or with time from `at` on for `lasts`. */
typedef struct {
    hbg_what_if *w;
    const hbg_fault *fault;
    double nominal, last, at, lasts;
} course;

static course course_of(hbg_what_if *w, const hbg_experiment *experiment, const hbg_fault *fault,
                        double nominal, double value) {
    course c = {.w = w, .fault = fault, .nominal = nominal};
    if (!value_of(w->check, fault->at, &c.at)) c.at = 0;
    c.lasts = duration_of(w->check, experiment, fault);
    if (hbg_model_fault_effect_of(fault) != HBG_EFFECT_HOLDS && fault->relative) value *= nominal;
    if (hbg_model_fault_effect_of(fault) == HBG_EFFECT_GROWS) value *= c.lasts;
    c.last = hbg_model_fault_effect_of(fault) == HBG_EFFECT_HOLDS ? value : nominal + value;
    return c;
}

/* Whether an element becomes invalid after this part of the way. */
static bool loses(const course *c, double part, hbg_lost *lost) {
    double value = part < 1 ? c->nominal + (c->last - c->nominal) * part : c->last;
    hbg_object target = c->fault->target;
    if (target.kind == HBG_OBJECT_PARAM) return hbg_model_what_if_param(c->w, target.index, value, lost);
    *lost = (hbg_lost){.kind = HBG_LOST_VALUE, .element = target.index, .value = value, .row = HBG_NONE};
    return isfinite(value) && hbg_model_element_minds(c->w->check->model, target.index, c->nominal, value);
}

/* A straight line between two values of a parameter need not be one for the element: some places between are
 * checked. The part of the way after which it becomes invalid. */
enum { BETWEEN = 15, HALVINGS = 50 };

static bool find_lost(const course *c, hbg_lost *lost, double *part) {
    bool creeps = hbg_model_fault_effect_of(c->fault) == HBG_EFFECT_GROWS, at_last = loses(c, 1, lost);
    hbg_lost there;
    double fine = 0, gone = 1;
    *part = 1;
    if (!creeps) return at_last;
    for (int i = 1; i <= BETWEEN && gone == 1; i++) {
        double here = (double)i / (BETWEEN + 1);
        if (!loses(c, here, &there))
            fine = here;
        else
            gone = here;
    }
    if (gone == 1 && !at_last) return false;
    if (!at_last) *lost = there;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = fine / 2 + gone / 2;
        if (loses(c, middle, &there))
            gone = middle;
        else
            fine = middle;
    }
    *part = gone;
    return true;
}

/* When an incipient fault gets there; an abrupt one needs no mention. */
static void tell_time(const course *c, hbg_diagnostic *report, double part) {
    if (!report || hbg_model_fault_effect_of(c->fault) != HBG_EFFECT_GROWS) return;
    hbg_base_report_fix(c->w->check->diagnostics, report,
                        "it gets there at %.6g s: end the fault before, with `until`, or make it slower",
                        c->at + part * c->lasts);
}

static bool is_swept(const hbg_model *model, int32_t param) {
    for (int32_t i = 0; i < model->experiments.count; i++)
        for (int32_t k = 0; k < model->experiments.items[i].axes.count; k++)
            if (model->experiments.items[i].axes.items[k].param == param) return true;
    return false;
}

/* Percent of 0 are 0, whatever was meant. */
static bool check_share(hbg_check *check, const hbg_fault *fault, double nominal, hbg_span span) {
    bool is_param = fault->target.kind == HBG_OBJECT_PARAM;
    if (!fault->relative || nominal != 0 || (is_param && is_swept(check->model, fault->target.index)))
        return true;
    if (!hbg_model_check_first(check, HBG_E_EXPERIMENT, span)) return false;
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_EXPERIMENT, span,
                        "this has no effect: the nominal value of `%s` is 0, and so are percent of it",
                        hbg_model_check_path(check, fault->target.kind, fault->target.index));
    hbg_base_report_fix(check->diagnostics, report, "write how much it is to become more, in its own unit");
    return false;
}

static void check_param_fault(hbg_what_if *w, const hbg_experiment *experiment, const hbg_fault *fault,
                              double value, hbg_span span) {
    int32_t param = fault->target.index;
    if (!check_share(w->check, fault, hbg_model_what_if_nominal(w, param), span)) return;
    if (hbg_model_what_if_meets(w, param, experiment)) return; // the run checks all of them together
    course c = course_of(w, experiment, fault, hbg_model_what_if_nominal(w, param), value);
    hbg_lost lost;
    double part;
    if (find_lost(&c, &lost, &part)) tell_time(&c, hbg_model_what_if_report(w, param, &lost, span), part);
}

/* A modulated element may have any value: percent of it have its sign. */
static void check_element_fault(hbg_what_if *w, const hbg_experiment *experiment, const hbg_fault *fault,
                                double value, hbg_span span) {
    hbg_check *check = w->check;
    const hbg_model *model = check->model;
    hbg_expr entry = model->entries.items[model->elements.items[fault->target.index].first_value];
    bool known = entry >= 0 && isfinite(w->exprs[entry]);
    if (!known && hbg_model_fault_effect_of(fault) != HBG_EFFECT_HOLDS && !fault->relative) return;
    if (known && !check_share(check, fault, w->exprs[entry], span)) return;
    course c = course_of(w, experiment, fault, known ? w->exprs[entry] : 1, value);
    hbg_lost lost;
    double part;
    if (!find_lost(&c, &lost, &part) || !hbg_model_check_first(check, HBG_E_VALUE, span)) return;
    if (!known && hbg_model_fault_effect_of(fault) != HBG_EFFECT_HOLDS) lost.kind = HBG_LOST_SIGN;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, fault->target.index);
    tell_time(&c,
              hbg_base_report(check->diagnostics, HBG_E_VALUE, span, "this makes %s",
                              hbg_model_lost_text(check->scratch, model, &lost, path, "")),
              part);
}

/* Periods, waits, initial values and times are constants of a run: a parameter used only there cannot have a
 * fault. */
static bool check_effect(hbg_what_if *w, const hbg_fault *fault) {
    hbg_check *check = w->check;
    if (hbg_model_what_if_has_effect(w, fault->target.index)) return true;
    if (check->had_errors || !first_report(check, fault->span)) return false;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_PARAM, fault->target.index);
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_EXPERIMENT, fault->span,
                        "a fault of `%s` has no effect: nothing reads it while time flows", path);
    hbg_base_report_note(check->diagnostics, report, check->model->params.items[fault->target.index].id.span,
                         "`%s` is declared here", path);
    hbg_base_report_fix(
        check->diagnostics, report,
        "waits (`after`), periods (`every`), initial values and times are constants of a run, and what "
        "an experiment sets follows nothing; another value in all of the run is `-p %s=…` or `set %s "
        "= …;`",
        path, path);
    return false;
}

static void check_value(hbg_what_if *w, const hbg_experiment *experiment, const hbg_fault *fault) {
    double value;
    if (!value_of(w->check, fault->value, &value)) return;
    hbg_span span = hbg_model_check_span(w->check, fault->value, fault->span);
    if (fault->target.kind == HBG_OBJECT_PARAM)
        check_param_fault(w, experiment, fault, value, span);
    else if (fault->target.kind == HBG_OBJECT_ELEMENT)
        check_element_fault(w, experiment, fault, value, span);
}

/* An automaton stuck on must have a state that is on. */
static void check_stuck(hbg_check *check, const hbg_fault *fault) {
    const hbg_model *model = check->model;
    const hbg_automaton *automaton = &model->automata.items[fault->target.index];
    if (fault->state >= 0) return;
    for (int32_t i = 0; i < automaton->state_count; i++)
        if (model->states.items[automaton->first_state + i].on == fault->on) return;
    if (!first_report(check, fault->span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_AUTOMATON, fault->target.index);
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_EXPERIMENT, fault->span,
                        "`%s` cannot be stuck %s: it has no such state", path, fault->on ? "on" : "off");
    hbg_base_report_note(check->diagnostics, report, automaton->id.span, "`%s` is declared here", path);
}

/* Beside a sweep values are those of its runs, and judged with them. */
void hbg_model_check_faults(hbg_check *check, hbg_what_if *w, const hbg_experiment *experiment) {
    bool later = experiment->axes.count > 0 || !hbg_model_check_concerns(check, experiment);
    for (int32_t i = 0; i < experiment->faults.count; i++) {
        const hbg_fault *fault = &experiment->faults.items[i];
        hbg_model_check_fault_times(check, experiment, fault);
        if (fault->target.index < 0) continue;
        if (!fault_fits(check, fault))
            report_kind(check, fault);
        else if (fault->target.kind == HBG_OBJECT_AUTOMATON)
            check_stuck(check, fault);
        else if (fault->target.kind != HBG_OBJECT_PARAM || check_effect(w, fault))
            if (!later) check_value(w, experiment, fault);
    }
    double stop;
    if (!later && value_of(check, hbg_model_check_stop_of(check, experiment), &stop))
        hbg_model_check_faults_together(w, experiment, stop);
}
