/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What an experiment sets before a run: parameters, and with them every constant made of them, such as periods and
 * the stop time; start states. Initial energies are the business of the equations. */
#include <math.h>

#include "api/run_impl.h"

static const hbg_experiment *experiment_of(const hbg_run_state *state) {
    return state->experiment == HBG_NONE ? NULL : &state->model->experiments.items[state->experiment];
}

/* ---- constants ---------------------------------------------------------------------------------------- */

/* Of a constant expression whose parts have their new values. */
static double value_again(const hbg_model *model, const hbg_expr_node *node, double old) {
    const double *values = model->expr_values;
    if (node->op == HBG_OP_PARAM) return model->param_values[node->a];
    int arity = node->op > HBG_OP_AUTOMATON ? hbg_operator_info_get((hbg_operator)node->op)->arity : 0;
    if (arity == 0 || node->op >= HBG_OP_TABLE) return old;
    return hbg_operator_evaluate((hbg_operator)node->op, values[node->a], arity > 1 ? values[node->b] : 0,
                                 arity > 2 ? values[node->c] : 0);
}

/* Values of all constants once more. Expressions stand behind their parts, parameters do not: as many rounds as they
 * hang on one another. */
static void find_constants(hbg_model *model, const bool *is_set) {
    bool moved = true;
    for (int32_t round = 0; moved && round <= model->params.count; round++) {
        moved = false;
        for (int32_t i = 0; i < model->exprs.count; i++)
            if (!isnan(model->expr_values[i]))
                model->expr_values[i] = value_again(model, &model->exprs.items[i], model->expr_values[i]);
        for (int32_t i = 0; i < model->params.count; i++) {
            hbg_expr value = model->params.items[i].value;
            if (is_set[i] || value == HBG_NONE || isnan(model->expr_values[value])) continue;
            moved = moved || model->param_values[i] != model->expr_values[value];
            model->param_values[i] = model->expr_values[value];
        }
    }
}

void hbg_run_apply_settings(hbg_session *session, hbg_run_state *state) {
    hbg_model *model = state->model;
    const hbg_experiment *experiment = experiment_of(state);
    if (!experiment || experiment->settings.count == 0) return;
    int32_t count = experiment->settings.count;
    bool *is_set = HBG_NEW_ARRAY(&session->scratch, bool, model->params.count + 1);
    double *values = HBG_NEW_ARRAY(&session->scratch, double, count);
    // all values first: what is set is said in terms of the model as declared
    for (int32_t i = 0; i < count; i++)
        if (!hbg_model_constant(model, experiment->settings.items[i].value, &values[i])) values[i] = NAN;
    bool any = false;
    for (int32_t i = 0; i < count; i++) {
        const hbg_setting *setting = &experiment->settings.items[i];
        if (setting->target.kind == HBG_OBJECT_AUTOMATON)
            model->automata.items[setting->target.index].start = setting->state;
        if (setting->target.kind != HBG_OBJECT_PARAM || isnan(values[i])) continue;
        model->param_values[setting->target.index] = values[i];
        any = is_set[setting->target.index] = true;
    }
    if (any) find_constants(model, is_set);
}

hbg_rt_status hbg_run_set_params(hbg_run_state *state) {
    const hbg_experiment *experiment = experiment_of(state);
    for (int32_t i = 0; experiment && i < experiment->settings.count; i++) {
        const hbg_setting *setting = &experiment->settings.items[i];
        if (setting->target.kind != HBG_OBJECT_PARAM) continue;
        int32_t param = setting->target.index;
        hbg_rt_status status =
            state->system->set_param(state->instance, param, state->model->param_values[param]);
        if (status != HBG_RT_OK) return status;
    }
    return HBG_RT_OK;
}

/* ---- what cannot be run ------------------------------------------------------------------------------- */

static const char *place_text(hbg_session *session, hbg_span span) {
    hbg_place place;
    if (!hbg_sources_place(&session->sources, span, &place)) return "";
    return hbg_arena_print(&session->scratch, "%s:%d:%d: ", place.path, place.line, place.column);
}

hbg_status hbg_run_may_flow(hbg_session *session, const hbg_run_state *state) {
    const hbg_model *model = state->model;
    const hbg_experiment *experiment = experiment_of(state);
    if (experiment && experiment->faults.count > 0)
        return hbg_run_fail(
            session, HBG_BAD_ARGUMENT,
            "%sexperiment `%s` has faults, which runs cannot follow yet; run another experiment "
            "(`-x`), or take them out",
            place_text(session, experiment->faults.items[0].span),
            hbg_names_get(model->names, experiment->name));
    return HBG_OK;
}
