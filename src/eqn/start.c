/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Declared energies: by q or p, or by the effort or flow with which a storage starts; 0 if not declared.
 * Energies of storages that depend on one another need not fit: the jump at the start settles that by
 * conservation (semantics, section 4). */
#include "eqn/eqn_impl.h"

static void declare(hbg_eqn *eqn, int32_t element, hbg_variable variable, int32_t port, hbg_expr value) {
    if (eqn->element_state[element] == HBG_NONE) return;
    int32_t state = eqn->element_state[element] + (port > 0 ? port - 1 : 0);
    eqn->start.value[state] = value;
    eqn->start.variable[state] = variable;
}

/* Declares bindings of the elements, then those of the experiment. */
void hbg_eqn_declare_start(hbg_eqn *eqn, int32_t experiment) {
    const hbg_model *model = eqn->model;
    eqn->start.value = HBG_NEW_ARRAY(eqn->arena, hbg_expr, eqn->state_count + 1);
    eqn->start.variable = HBG_NEW_ARRAY(eqn->arena, hbg_variable, eqn->state_count + 1);
    for (int32_t i = 0; i < eqn->state_count; i++) {
        eqn->start.value[i] = HBG_NONE;
        eqn->start.variable[i] = HBG_VARIABLE_DISPLACEMENT;
        if (eqn->states[i].element == HBG_NONE)
            eqn->start.value[i] = model->signals.items[eqn->states[i].signal].initial;
    }
    for (int32_t i = 0; i < model->elements.count; i++)
        for (int32_t k = 0; k < model->elements.items[i].initial_count; k++) {
            const hbg_binding *initial = &model->bindings.items[model->elements.items[i].first_initial + k];
            declare(eqn, i, initial->variable, initial->port, initial->value);
        }
    eqn->start.state = HBG_NEW_ARRAY(eqn->arena, int32_t, model->automata.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) eqn->start.state[i] = model->automata.items[i].start;
    if (experiment == HBG_NONE) return;
    const hbg_experiment *of = &model->experiments.items[experiment];
    for (int32_t i = 0; i < of->settings.count; i++) {
        const hbg_setting *setting = &of->settings.items[i];
        if (setting->target.kind == HBG_OBJECT_ELEMENT)
            declare(eqn, setting->target.index, setting->variable, setting->port, setting->value);
        if (setting->target.kind == HBG_OBJECT_AUTOMATON)
            eqn->start.state[setting->target.index] = setting->state;
    }
}

/* A substitution: states of this storage become the declared ones. */
typedef struct {
    hbg_eqn *eqn;
    int32_t element;
} storage;

static hbg_term declared_state(void *context, int32_t variable) {
    storage *of = context;
    int32_t state = variable - of->eqn->first[VARIABLE_STATE];
    if (state < 0 || state >= of->eqn->state_count || of->eqn->states[state].element != of->element)
        return HBG_NONE;
    return hbg_eqn_var(of->eqn, VARIABLE_START, state);
}

static bool is_energy(hbg_variable variable) {
    return variable == HBG_VARIABLE_DISPLACEMENT || variable == HBG_VARIABLE_MOMENTUM;
}

static bool is_given_by_output(const hbg_eqn *eqn, int32_t state) {
    return eqn->start.value[state] != HBG_NONE && !is_energy(eqn->start.variable[state]);
}

/* Whether every port of the storage starts from an effort or flow. */
static bool outputs_are_given(const hbg_eqn *eqn, int32_t element) {
    for (int32_t k = 0; k < eqn->model->elements.items[element].ports; k++)
        if (!is_given_by_output(eqn, eqn->element_state[element] + k)) return false;
    return true;
}

/* Row of the matrix times the declared efforts or flows. */
static hbg_term matrix_row(hbg_eqn *eqn, const state_info *info) {
    const hbg_element *of = &eqn->model->elements.items[info->element];
    hbg_term sum = hbg_term_integer(&eqn->terms, 0);
    for (int32_t k = 0; k < of->ports; k++) {
        int32_t state = eqn->element_state[info->element] + k;
        hbg_term entry =
            eqn->expr_term[eqn->model->entries.items[of->first_value + (info->port - 1) * of->ports + k]];
        hbg_term share = hbg_term_multiply(&eqn->terms, entry, eqn->expr_term[eqn->start.value[state]]);
        sum = hbg_term_add(&eqn->terms, sum, share);
    }
    return sum;
}

/* The state whose law gives the declared effort or flow, with the other states of the storage as declared. */
static equation inverse_of_law(equations *all, const state_info *info, hbg_term value) {
    hbg_eqn *eqn = all->eqn;
    storage of = {eqn, info->element};
    hbg_term law = hbg_eqn_storage_law(eqn, info->element, info->port);
    if (law == HBG_NONE) {
        all->refused = eqn->refused = "a field this large that starts partly from efforts or flows";
        return (equation){EQUATION_ASSIGN, hbg_term_integer(&eqn->terms, 0)};
    }
    law = hbg_term_substitute(&eqn->terms, all->arena, law, declared_state, &of);
    return (equation){EQUATION_IMPLICIT, hbg_term_subtract(&eqn->terms, law, value)};
}

equation hbg_eqn_start_equation(equations *all, int32_t state) {
    hbg_eqn *eqn = all->eqn;
    const state_info *info = &eqn->states[state];
    if (eqn->start.value[state] == HBG_NONE)
        return (equation){EQUATION_ASSIGN, hbg_term_integer(&eqn->terms, 0)};
    hbg_term value = eqn->expr_term[eqn->start.value[state]];
    if (info->element == HBG_NONE || is_energy(eqn->start.variable[state]))
        return (equation){EQUATION_ASSIGN, value};
    if (hbg_eqn_is_linear(&eqn->model->elements.items[info->element]) &&
        outputs_are_given(eqn, info->element))
        return (equation){EQUATION_ASSIGN, matrix_row(eqn, info)};
    return inverse_of_law(all, info, value);
}
