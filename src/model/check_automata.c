/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Automata: states that exist and can be reached, on and off in turn, something that refers to them; and
 * parameters that nothing uses. */
#include "model/model_impl.h"

static const char *state_name(const hbg_check *check, const hbg_automaton *automaton, int32_t state) {
    return hbg_base_names_get(check->model->names,
                              check->model->states.items[automaton->first_state + state].name);
}

static bool is_target(const hbg_automaton *automaton, int32_t target) {
    return target >= 0 && target < automaton->state_count;
}

/* ---- reachable states --------------------------------------------------------------------------------- */

/* Marks, by model state, where an experiment starts an automaton or a fault puts it. */
static bool *find_set_states(hbg_check *check) {
    const hbg_model *model = check->model;
    bool *reached = HBG_NEW_ARRAY(check->scratch, bool, model->states.count + 1);
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const hbg_experiment *experiment = &model->experiments.items[i];
        for (int32_t k = 0; k < experiment->settings.count; k++) {
            const hbg_setting *setting = &experiment->settings.items[k];
            bool names_state = setting->target.kind == HBG_OBJECT_AUTOMATON && setting->target.index >= 0;
            const hbg_automaton *automaton =
                names_state ? &model->automata.items[setting->target.index] : NULL;
            if (automaton && is_target(automaton, setting->state))
                reached[automaton->first_state + setting->state] = true;
        }
        for (int32_t k = 0; k < experiment->faults.count; k++) {
            const hbg_fault *fault = &experiment->faults.items[k];
            bool names_state = fault->target.kind == HBG_OBJECT_AUTOMATON && fault->target.index >= 0;
            const hbg_automaton *automaton = names_state ? &model->automata.items[fault->target.index] : NULL;
            if (automaton && is_target(automaton, fault->state))
                reached[automaton->first_state + fault->state] = true;
        }
    }
    return reached;
}

/* Follows transitions from the states marked; `queue` has room for all states of the automaton. */
static void reach(const hbg_model *model, const hbg_automaton *automaton, bool *reached, int32_t *queue) {
    int32_t count = 0;
    for (int32_t s = 0; s < automaton->state_count; s++)
        if (reached[automaton->first_state + s]) queue[count++] = s;
    for (int32_t next = 0; next < count; next++) {
        const hbg_automaton_state *state = &model->states.items[automaton->first_state + queue[next]];
        for (int32_t t = 0; t < state->transition_count; t++) {
            int32_t target = model->transitions.items[state->first_transition + t].target;
            if (!is_target(automaton, target) || reached[automaton->first_state + target]) continue;
            reached[automaton->first_state + target] = true;
            queue[count++] = target;
        }
    }
}

static void check_reachable(hbg_check *check, int32_t index, bool *reached, int32_t *queue) {
    const hbg_automaton *automaton = &check->model->automata.items[index];
    if (is_target(automaton, automaton->start)) reached[automaton->first_state + automaton->start] = true;
    reach(check->model, automaton, reached, queue);
    for (int32_t s = 0; s < automaton->state_count; s++) {
        const hbg_automaton_state *state = &check->model->states.items[automaton->first_state + s];
        if (reached[automaton->first_state + s] || check->had_errors) continue;
        if (!hbg_model_check_first(check, HBG_W_UNREACHABLE, state->span)) continue;
        hbg_diagnostic *report = hbg_base_report(
            check->diagnostics, HBG_W_UNREACHABLE, state->span, "no transition leads to state `%s` of `%s`",
            state_name(check, automaton, s), hbg_model_check_path(check, HBG_OBJECT_AUTOMATON, index));
        hbg_base_report_note(
            check->diagnostics, report, automaton->id.span, "`%s` starts in `%s`",
            hbg_model_check_path(check, HBG_OBJECT_AUTOMATON, index),
            is_target(automaton, automaton->start) ? state_name(check, automaton, automaton->start) : "?");
    }
}

/* ---- on and off in turn ------------------------------------------------------------------------------- */

/* Marks automata that a junction follows directly, upright or inverted. */
static bool *find_followed(hbg_check *check) {
    const hbg_model *model = check->model;
    bool *followed = HBG_NEW_ARRAY(check->scratch, bool, model->automata.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++) {
        hbg_expr control = model->elements.items[i].control;
        while (control >= 0 && model->exprs.items[control].op == HBG_OP_NOT)
            control = model->exprs.items[control].a;
        if (control < 0 || model->exprs.items[control].op != HBG_OP_AUTOMATON) continue;
        if (model->exprs.items[control].a >= 0) followed[model->exprs.items[control].a] = true;
    }
    return followed;
}

static void check_alternation(hbg_check *check, int32_t index) {
    const hbg_automaton *automaton = &check->model->automata.items[index];
    for (int32_t s = 0; s < automaton->state_count; s++) {
        const hbg_automaton_state *state = &check->model->states.items[automaton->first_state + s];
        for (int32_t t = 0; t < state->transition_count; t++) {
            const hbg_transition *transition = &check->model->transitions.items[state->first_transition + t];
            if (!is_target(automaton, transition->target)) continue;
            bool on = check->model->states.items[automaton->first_state + transition->target].on;
            if (on != state->on || !hbg_model_check_first(check, HBG_W_ALTERNATE, transition->span)) continue;
            hbg_base_report(check->diagnostics, HBG_W_ALTERNATE, transition->span,
                            "`%s` and `%s` of `%s` are both %s: this transition does not switch its junction",
                            state_name(check, automaton, s), state_name(check, automaton, transition->target),
                            hbg_model_check_path(check, HBG_OBJECT_AUTOMATON, index), on ? "on" : "off");
        }
    }
}

void hbg_model_check_automata(hbg_check *check) {
    const hbg_model *model = check->model;
    if (model->automata.count == 0) return;
    bool *followed = find_followed(check);
    bool *reached = find_set_states(check);
    int32_t *queue = HBG_NEW_ARRAY(check->scratch, int32_t, model->states.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        bool empty = automaton->state_count == 0;
        if (empty && !check->had_errors && hbg_model_check_first(check, HBG_E_AUTOMATON, automaton->id.span))
            hbg_base_report(check->diagnostics, HBG_E_AUTOMATON, automaton->id.span,
                            "automaton `%s` has no states",
                            hbg_model_check_path(check, HBG_OBJECT_AUTOMATON, i));
        check_reachable(check, i, reached, queue);
        if (followed[i]) check_alternation(check, i);
    }
}

/* ---- unused things ------------------------------------------------------------------------------------ */

static void check_unused_automata(hbg_check *check) {
    const hbg_model *model = check->model;
    bool *used = HBG_NEW_ARRAY(check->scratch, bool, model->automata.count + 1);
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        int32_t automaton = HBG_NONE;
        if (node->op == HBG_OP_AUTOMATON || node->op == HBG_OP_ACTIVE) automaton = node->a;
        if (node->op == HBG_OP_IN) automaton = node->b;
        if (automaton >= 0) used[automaton] = true;
    }
    for (int32_t i = 0; i < model->automata.count; i++) {
        hbg_span span = model->automata.items[i].id.span;
        if (used[i] || !hbg_model_check_first(check, HBG_W_UNUSED_AUTOMATON, span)) continue;
        hbg_diagnostic *report = hbg_base_report(check->diagnostics, HBG_W_UNUSED_AUTOMATON, span,
                                                 "nothing refers to automaton `%s`",
                                                 hbg_model_check_path(check, HBG_OBJECT_AUTOMATON, i));
        hbg_base_report_fix(check->diagnostics, report, "let a junction follow it: `1 j when %s;`",
                            hbg_model_check_path(check, HBG_OBJECT_AUTOMATON, i));
    }
}

void hbg_model_check_unused(hbg_check *check) {
    const hbg_model *model = check->model;
    if (check->had_errors) return; // their uses may have been lost
    for (int32_t i = 0; i < model->params.count; i++) {
        const hbg_param *param = &model->params.items[i];
        if (param->used || !hbg_model_check_first(check, HBG_W_UNUSED_PARAMETER, param->id.span)) continue;
        hbg_base_report(check->diagnostics, HBG_W_UNUSED_PARAMETER, param->id.span,
                        "parameter `%s` is never used", hbg_model_check_path(check, HBG_OBJECT_PARAM, i));
    }
    if (model->automata.count > 0) check_unused_automata(check);
}
