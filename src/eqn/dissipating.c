/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sources that are part of a switch: the power they take is dissipated, not negative supply (semantics,
 * section 7). Friction slips in the direction given by the automaton that switches its junction. The forward
 * drop of a diode is the value with which its guard compares, and its current flows in one direction only. */
#include "eqn/eqn_impl.h"

typedef bool (*node_question)(const hbg_model *model, const hbg_expr_node *node, int32_t about);

/* The first node of an expression for which the question holds, or NULL. */
static const hbg_expr_node *find_node(hbg_eqn *eqn, hbg_expr expr, node_question asked, int32_t about) {
    HBG_VEC(hbg_expr) left = {0};
    if (expr >= 0) HBG_PUSH(&eqn->scratch, left, expr);
    while (left.count > 0) {
        const hbg_expr_node *node = &eqn->model->exprs.items[left.items[--left.count]];
        if (asked(eqn->model, node, about)) return node;
        if (node->op == HBG_OP_ACTIVE || node->op == HBG_OP_AUTOMATON) continue;
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr argument = hbg_model_expr_argument(node, k);
            if (argument >= 0) HBG_PUSH(&eqn->scratch, left, argument);
        }
    }
    return NULL;
}

static bool is_state_of(const hbg_model *model, const hbg_expr_node *node, int32_t automaton) {
    (void)model;
    bool state = node->op == HBG_OP_ACTIVE || node->op == HBG_OP_AUTOMATON;
    return state && (automaton == HBG_NONE || node->a == automaton);
}

static bool is_parameter(const hbg_model *model, const hbg_expr_node *node, int32_t param) {
    (void)model;
    return node->op == HBG_OP_PARAM && (param == HBG_NONE || node->a == param);
}

static bool is_flow_at(const hbg_model *model, const hbg_expr_node *node, int32_t junction) {
    if (node->op == HBG_OP_FLOW) return node->a == junction;
    if (node->op != HBG_OP_BOND_FLOW || node->a < 0) return false;
    const hbg_bond *bond = &model->bonds.items[node->a];
    return bond->from.element == junction || bond->to.element == junction;
}

/* Whether the question holds for a guard on the way into an on state, or out of one. */
static bool guards_read(hbg_eqn *eqn, int32_t automaton, bool into, node_question asked, int32_t about) {
    const hbg_model *model = eqn->model;
    const hbg_automaton *of = &model->automata.items[automaton];
    for (int32_t s = 0; s < of->state_count; s++) {
        const hbg_automaton_state *state = &model->states.items[of->first_state + s];
        for (int32_t t = 0; t < state->transition_count; t++) {
            const hbg_transition *way = &model->transitions.items[state->first_transition + t];
            bool fits = into ? model->states.items[of->first_state + way->target].on : state->on;
            if (fits && find_node(eqn, way->guard, asked, about)) return true;
        }
    }
    return false;
}

/* Whether an element is a forward drop: its value is a negated parameter, since a source drives its junction
 * with its value whichever way its bond points, and its automaton has the guards of a diode. */
static bool is_drop(hbg_eqn *eqn, int32_t element, int32_t junction, int32_t automaton) {
    const hbg_model *model = eqn->model;
    const hbg_element *of = &model->elements.items[element];
    const hbg_expr_node *value = &model->exprs.items[model->entries.items[of->first_value]];
    if (of->kind != HBG_KIND_SE || model->elements.items[junction].kind != HBG_KIND_ONE) return false;
    if (value->op != HBG_OP_NEGATE) return false;
    value = &model->exprs.items[value->a];
    return value->op == HBG_OP_PARAM && guards_read(eqn, automaton, true, is_parameter, value->a) &&
           guards_read(eqn, automaton, false, is_flow_at, junction);
}

bool hbg_eqn_dissipates(hbg_eqn *eqn, int32_t element) {
    const hbg_model *model = eqn->model;
    const hbg_element *of = &model->elements.items[element];
    const hbg_bond *bond = &model->bonds.items[hbg_eqn_bond_of(model, element, 1)];
    int32_t at = bond->from.element == element ? bond->to.element : bond->from.element;
    const hbg_expr_node *state = find_node(eqn, model->elements.items[at].control, is_state_of, HBG_NONE);
    if (!state || of->value_count != 1) return false;
    return find_node(eqn, model->entries.items[of->first_value], is_state_of, state->a) ||
           is_drop(eqn, element, at, state->a);
}
