/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where an exported model exchanges power with the outside: at its sources that follow an input. The input is
 * one variable of the bond, and the other one is an output if it is recorded, under any name. */
#include "api/export_impl.h"

typedef struct {
    const hbg_run_state *state;
    const hbg_model *model;
    int32_t element;
    const hbg_bond *bond; /* of the element */
} source;

/* Through names of signals to their meaning. */
static const hbg_expr_node *resolve(const hbg_model *model, hbg_expr expr) {
    const hbg_expr_node *node = &model->exprs.items[expr];
    for (int32_t i = 0; node->op == HBG_OP_SIGNAL && i <= model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[node->a];
        bool is_name = signal->kind == HBG_SIGNAL_SIGNAL || signal->kind == HBG_SIGNAL_OUTPUT;
        if (!is_name || signal->value == HBG_NONE) return node;
        node = &model->exprs.items[signal->value];
    }
    return node;
}

/* Inputs are numbered among themselves. */
static int32_t input_of(const hbg_model *model, const hbg_element *element) {
    if (element->value_count != 1) return -1;
    const hbg_expr_node *node = resolve(model, model->entries.items[element->first_value]);
    if (node->op != HBG_OP_SIGNAL || model->signals.items[node->a].kind != HBG_SIGNAL_INPUT ||
        model->signals.items[node->a].type != HBG_TYPE_REAL)
        return -1;
    int32_t number = 0;
    for (int32_t i = 0; i < node->a; i++) number += model->signals.items[i].kind == HBG_SIGNAL_INPUT;
    return number;
}

static const hbg_bond *bond_of(const hbg_model *model, int32_t element) {
    for (int32_t i = 0; i < model->bonds.count; i++)
        if (model->bonds.items[i].from.element == element || model->bonds.items[i].to.element == element)
            return &model->bonds.items[i];
    return NULL;
}

/* An effort is also that of the 0-junction at the other end of the bond. */
static bool is_variable(const source *of, const hbg_expr_node *node, bool is_effort) {
    int32_t bond = (int32_t)(of->bond - of->model->bonds.items);
    int32_t other = of->bond->from.element == of->element ? of->bond->to.element : of->bond->from.element;
    if (node->op == (is_effort ? HBG_OP_BOND_EFFORT : HBG_OP_BOND_FLOW)) return node->a == bond;
    if (node->op != (is_effort ? HBG_OP_EFFORT : HBG_OP_FLOW)) return false;
    bool common = is_effort && of->model->elements.items[other].kind == HBG_KIND_ZERO;
    return node->a == of->element || (common && node->a == other);
}

static int32_t output_of(const source *of, bool is_effort) {
    for (int32_t i = 0; i < of->state->record_count; i++)
        if (is_variable(of, resolve(of->model, of->state->outputs[i].value), is_effort)) return i;
    return -1;
}

void hbg_api_export_find_terminals(hbg_session *session, hbg_emit_fmu *of) {
    const hbg_model *model = session->run->model;
    HBG_VEC(hbg_emit_fmu_terminal) found = {0};
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        bool is_effort = element->kind == HBG_KIND_SE;
        int32_t input = is_effort || element->kind == HBG_KIND_SF ? input_of(model, element) : -1;
        source at = {session->run, model, i, input < 0 ? NULL : bond_of(model, i)};
        if (!at.bond) continue;
        hbg_emit_fmu_terminal made = {
            .name = hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, i}),
            .description = hbg_model_domain_name(model->net_domain[at.bond->net]),
            .is_effort = is_effort,
            .flows_in = at.bond->from.element == i,
            .input = input,
            .output = output_of(&at, !is_effort)};
        HBG_PUSH(&session->scratch, found, made);
    }
    of->terminals = found.items;
    of->terminal_count = found.count;
}
