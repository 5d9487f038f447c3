/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What an experiment sets before a run: parameters, and with them every constant made of them, such as
 * periods and the stop time; start states; and whether every input has a value then. Initial energies belong
 * to the equations. */
#include <math.h>

#include "api/run_impl.h"

static const hbg_experiment *experiment_of(const hbg_run_state *state) {
    return state->experiment == HBG_NONE ? NULL : &state->model->experiments.items[state->experiment];
}

/* ---- constants ---------------------------------------------------------------------------------------- */

static bool reads(const hbg_expr_node *node, const bool *params, const bool *exprs) {
    if (node->op == HBG_OP_PARAM) return node->a >= 0 && params[node->a];
    for (int k = 0; k < hbg_model_expr_arity(node); k++) {
        hbg_expr part = hbg_model_expr_argument(node, k);
        if (part >= 0 && exprs[part]) return true;
    }
    return false;
}

static void mark_hanging(const hbg_model *model, bool *params, bool *exprs) {
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < model->exprs.count; i++)
            exprs[i] = reads(&model->exprs.items[i], params, exprs);
        for (int32_t i = 0; i < model->params.count; i++) {
            hbg_expr value = model->params.items[i].value;
            if (params[i] || value == HBG_NONE || !exprs[value]) continue;
            params[i] = more = true;
        }
    }
}

void hbg_api_run_find_constants(hbg_session *session, const hbg_run_state *state, const int32_t *params,
                                int32_t count, hbg_run_constants *found) {
    const hbg_model *model = state->model;
    const hbg_experiment *experiment = experiment_of(state);
    bool *moves = HBG_NEW_ARRAY(&session->scratch, bool, model->params.count + 1);
    bool *hangs = HBG_NEW_ARRAY(&session->scratch, bool, model->exprs.count + 1);
    *found = (hbg_run_constants){HBG_NEW_ARRAY(&session->scratch, int32_t, model->exprs.count + 1), 0,
                                 HBG_NEW_ARRAY(&session->scratch, int32_t, model->params.count + 1), 0};
    for (int32_t i = 0; i < count; i++) moves[params[i]] = true;
    for (int32_t i = 0; experiment && i < experiment->settings.count; i++) {
        hbg_object target = experiment->settings.items[i].target;
        if (target.kind == HBG_OBJECT_PARAM) moves[target.index] = true;
    }
    mark_hanging(model, moves, hangs);
    for (int32_t i = 0; i < model->exprs.count; i++)
        if (hangs[i] && !isnan(model->expr_values[i])) found->exprs[found->expr_count++] = i;
    for (int32_t i = 0; i < model->params.count; i++) {
        hbg_expr value = model->params.items[i].value;
        if (moves[i] && value != HBG_NONE && !isnan(model->expr_values[value]))
            found->params[found->param_count++] = i;
    }
}

/* Values of these constants again. Expressions come after their parts, parameters do not: one round for each
 * level of dependence. */
static void evaluate(hbg_model *model, const hbg_run_constants *of, const bool *is_set) {
    bool moved = true;
    for (int32_t round = 0; moved && round <= of->param_count; round++) {
        moved = false;
        for (int32_t i = 0; i < of->expr_count; i++) {
            double *value = &model->expr_values[of->exprs[i]];
            *value = hbg_model_value_again(&model->exprs.items[of->exprs[i]], model->expr_values,
                                           model->param_values, *value);
        }
        for (int32_t i = 0; i < of->param_count; i++) {
            int32_t param = of->params[i];
            double value = model->expr_values[model->params.items[param].value];
            if (is_set[param]) continue;
            moved = moved || model->param_values[param] != value;
            model->param_values[param] = value;
        }
    }
}

/* The settings of the experiment, beside those already made. */
static void apply(hbg_session *session, hbg_run_state *state, const hbg_run_constants *constants,
                  bool *is_set) {
    hbg_model *model = state->model;
    const hbg_experiment *experiment = experiment_of(state);
    if (!experiment || experiment->settings.count == 0) return;
    int32_t count = experiment->settings.count;
    double *values = HBG_NEW_ARRAY(&session->scratch, double, count);
    // all values first: settings are in terms of the model as declared
    for (int32_t i = 0; i < count; i++)
        if (!hbg_model_constant(model, experiment->settings.items[i].value, &values[i])) values[i] = NAN;
    bool any = false;
    for (int32_t i = 0; i < count; i++) {
        const hbg_setting *setting = &experiment->settings.items[i];
        if (setting->target.kind == HBG_OBJECT_AUTOMATON)
            model->automata.items[setting->target.index].start = setting->state;
        if (setting->target.kind != HBG_OBJECT_PARAM || isnan(values[i])) continue;
        if (model->params.items[setting->target.index].asked || is_set[setting->target.index])
            continue; // `-p` takes precedence, and so does a sweep
        model->param_values[setting->target.index] = values[i];
        any = is_set[setting->target.index] = true;
    }
    if (any) evaluate(model, constants, is_set);
}

void hbg_api_run_apply_settings(hbg_session *session, hbg_run_state *state) {
    hbg_run_constants constants;
    hbg_api_run_find_constants(session, state, NULL, 0, &constants);
    apply(session, state, &constants, HBG_NEW_ARRAY(&session->scratch, bool, state->model->params.count + 1));
}

void hbg_api_run_vary(hbg_session *session, hbg_run_state *state, const hbg_run_constants *constants,
                      const int32_t *params, const double *values, int32_t count) {
    hbg_model *model = state->model;
    bool *is_set = HBG_NEW_ARRAY(&session->scratch, bool, model->params.count + 1);
    for (int32_t i = 0; i < count; i++) {
        model->param_values[params[i]] = values[i];
        is_set[params[i]] = true;
    }
    evaluate(model, constants, is_set);
    apply(session, state, constants, is_set);
}

bool hbg_api_run_sets_param(const hbg_run_state *state, int32_t param) {
    const hbg_experiment *experiment = experiment_of(state);
    if (state->image && state->model->params.items[param].asked) return true;
    for (int32_t i = 0; experiment && i < experiment->settings.count; i++) {
        hbg_object target = experiment->settings.items[i].target;
        if (target.kind == HBG_OBJECT_PARAM && target.index == param) return true;
    }
    return false;
}

hbg_rt_status hbg_api_run_set_params(const hbg_run_state *state, hbg_rt_instance *instance) {
    for (int32_t i = 0; i < state->model->params.count; i++) {
        if (!hbg_api_run_sets_param(state, i)) continue;
        hbg_rt_status status = hbg_rt_set_param(instance, i, state->model->param_values[i]);
        if (status != HBG_RT_OK) return status;
    }
    return HBG_RT_OK;
}

/* ---- inputs ------------------------------------------------------------------------------------------- */

/* Whether the experiment gives the input a value at the start. */
static bool is_given(const hbg_run_state *state, int32_t signal) {
    const hbg_experiment *experiment = experiment_of(state);
    for (int32_t i = 0; experiment && i < experiment->actions.count; i++) {
        const hbg_action *action = &experiment->actions.items[i];
        double time;
        if (action->signal == signal && hbg_model_constant(state->model, action->time, &time) && time <= 0)
            return true;
    }
    return false;
}

static void report_input(hbg_session *session, const hbg_run_state *state, int32_t signal) {
    const hbg_experiment *experiment = experiment_of(state);
    const hbg_signal *input = &state->model->signals.items[signal];
    const char *name = hbg_base_names_get(state->model->names, input->id.name);
    const char *path = hbg_api_text_path(session, state->model, (hbg_object){HBG_OBJECT_SIGNAL, signal});
    const char *value = input->type == HBG_TYPE_BOOL ? "false" : "1";
    bool unit = input->unit && input->unit[0];
    if (unit) value = hbg_base_arena_print(&session->scratch, "1 [%s]", input->unit);
    hbg_diagnostic *report = hbg_base_report(&session->diagnostics, HBG_E_UNASSIGNED, input->id.span,
                                             "input `%s` has no value when the run starts", path);
    if (experiment)
        hbg_base_report_note(&session->diagnostics, report, experiment->span,
                             "nor does experiment `%s` give it one",
                             hbg_base_names_get(state->model->names, experiment->name));
    hbg_base_report_fix(
        &session->diagnostics, report,
        "give it a default where it is declared, `%s = %s`, or write `at 0: %s = %s;` in an experiment", name,
        value, path, value);
}

hbg_status hbg_api_run_inputs_given(hbg_session *session, const hbg_run_state *state) {
    const hbg_model *model = state->model;
    hbg_status status = HBG_OK;
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        bool needs =
            signal->kind == HBG_SIGNAL_INPUT && signal->type != HBG_TYPE_EVENT && signal->value == HBG_NONE;
        if (!needs || is_given(state, i)) continue;
        report_input(session, state, i);
        status = HBG_BAD_MODEL;
    }
    return status;
}
