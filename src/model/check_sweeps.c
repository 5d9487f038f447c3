/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps: axes that have values, of parameters that a run can still be given. Periods and waits are built into the compiled model
 * that all runs of a sweep share, so what decides them cannot be swept. */
#include <math.h>
#include <string.h>

#include "model/model_impl.h"

static const double most_points = 1e9; /* of one grid */

static bool number(const hbg_check *check, const hbg_experiment *experiment, const hbg_axis *axis,
                   int32_t index, double *value) {
    return index < axis->count &&
           hbg_model_constant(check->model, experiment->settings.items[axis->first + index].value, value);
}

static hbg_span place(const hbg_check *check, const hbg_experiment *experiment, const hbg_axis *axis,
                      int32_t index) {
    if (index >= axis->count) return axis->span;
    const hbg_setting *setting = &experiment->settings.items[axis->first + index];
    return hbg_check_span(check, setting->value, setting->span);
}

static void check_grid(hbg_check *check, const hbg_experiment *experiment, const hbg_axis *axis) {
    double from, to, step;
    if (!number(check, experiment, axis, 0, &from) || !number(check, experiment, axis, 1, &to) ||
        !number(check, experiment, axis, 2, &step))
        return;
    hbg_span span = place(check, experiment, axis, 2);
    if (!(step > 0)) {
        if (!hbg_check_first(check, HBG_E_VALUE, span)) return;
        hbg_diagnostic *report =
            hbg_report(check->diagnostics, HBG_E_VALUE, span, "the step of a grid has to be positive");
        hbg_report_fix(check->diagnostics, report, "a grid that goes down has its larger end first");
    } else if (fabs(to - from) / step > most_points && hbg_check_first(check, HBG_E_VALUE, span)) {
        hbg_report(check->diagnostics, HBG_E_VALUE, span, "this grid has more than %g values", most_points);
    }
}

static void check_draw(hbg_check *check, const hbg_experiment *experiment, const hbg_axis *axis) {
    double first, second;
    if (!number(check, experiment, axis, 0, &first)) return;
    hbg_span span = place(check, experiment, axis, axis->count - 1);
    const char *wrong = NULL, *fix = NULL;
    if (axis->kind == HBG_AXIS_LOGNORMAL && !(first > 0)) {
        wrong = "the median of a lognormal distribution has to be positive";
    } else if (axis->kind == HBG_AXIS_NORMAL && number(check, experiment, axis, 1, &second) &&
               !(second > 0)) {
        wrong = "the deviation of a normal distribution has to be positive";
    } else if (axis->kind == HBG_AXIS_UNIFORM && number(check, experiment, axis, 1, &second) &&
               !(first < second)) {
        wrong = "the lower end of a uniform distribution has to be below the upper one";
        fix = "write the smaller number first";
    }
    if (!wrong || !hbg_check_first(check, HBG_E_VALUE, span)) return;
    hbg_diagnostic *report = hbg_report(check->diagnostics, HBG_E_VALUE, span, "%s", wrong);
    if (fix) hbg_report_fix(check->diagnostics, report, "%s", fix);
}

/* ---- what cannot be swept ----------------------------------------------------------------------------- */

static bool hangs(const bool *hanging, hbg_expr expr) {
    return expr >= 0 && hanging[expr];
}

static void report_built_in(hbg_check *check, const hbg_axis *axis, hbg_object_kind kind, int32_t index,
                            const char *what) {
    if (!hbg_check_first(check, HBG_E_EXPERIMENT, axis->span)) return;
    const char *param = hbg_check_path(check, HBG_OBJECT_PARAM, axis->param);
    hbg_diagnostic *report =
        hbg_report(check->diagnostics, HBG_E_EXPERIMENT, axis->span,
                   "`%s` cannot be swept: it decides %s of `%s`, which all runs of a sweep have in common",
                   param, what, hbg_check_path(check, kind, index));
    const hbg_identity *id = hbg_model_identity(check->model, (hbg_object){kind, index});
    if (id) hbg_report_note(check->diagnostics, report, id->span, "that is declared here");
    bool waits = strcmp(what, "a wait") == 0;
    hbg_report_fix(
        check->diagnostics, report, "give `%s` one value, `-p %s=…`, in a sweep for each%s", param, param,
        waits ? "; or let guards look at the time, `when time%Ts < D*Ts`, which can be swept" : "");
}

static void check_built_in(hbg_check *check, const hbg_axis *axis) {
    const hbg_model *model = check->model;
    const bool *hanging = hbg_check_hanging(check, axis->param, NULL);
    for (int32_t i = 0; i < model->signals.count; i++)
        if (hangs(hanging, model->signals.items[i].every))
            report_built_in(check, axis, HBG_OBJECT_SIGNAL, i, "the period");
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        bool every = hangs(hanging, automaton->every), waits = false;
        for (int32_t k = 0; k < automaton->state_count; k++) {
            const hbg_automaton_state *state = &model->states.items[automaton->first_state + k];
            for (int32_t t = 0; t < state->transition_count; t++)
                waits |= hangs(hanging, model->transitions.items[state->first_transition + t].after);
        }
        if (every || waits)
            report_built_in(check, axis, HBG_OBJECT_AUTOMATON, i, every ? "the period" : "a wait");
    }
}

void hbg_check_sweeps(hbg_check *check, const hbg_experiment *experiment) {
    for (int32_t i = 0; i < experiment->axes.count; i++) {
        const hbg_axis *axis = &experiment->axes.items[i];
        if (axis->kind == HBG_AXIS_GRID) check_grid(check, experiment, axis);
        if (axis->kind > HBG_AXIS_LIST) check_draw(check, experiment, axis);
        check_built_in(check, axis);
    }
}
