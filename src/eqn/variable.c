/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The variables of a model: their numbers, their names, and the variable of an element's effort or flow. */
#include <string.h>

#include "eqn/eqn_impl.h"

/* ---- numbers ------------------------------------------------------------------------------------------ */

static void number_states(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    HBG_VEC(state_info) states = {0};
    eqn->element_state = HBG_NEW_ARRAY(eqn->arena, int32_t, model->elements.count + 1);
    eqn->signal_state = HBG_NEW_ARRAY(eqn->arena, int32_t, model->signals.count + 1);
    eqn->signal_area = HBG_NEW_ARRAY(eqn->arena, hbg_term, model->signals.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        bool storage = element->kind == HBG_KIND_C || element->kind == HBG_KIND_I;
        eqn->element_state[i] = storage ? states.count : HBG_NONE;
        for (int32_t port = 1; storage && port <= element->ports; port++)
            HBG_PUSH(eqn->arena, states, (state_info){i, port, HBG_NONE});
    }
    for (int32_t i = 0; i < model->signals.count; i++) {
        bool integrator = model->signals.items[i].kind == HBG_SIGNAL_STATE;
        eqn->signal_state[i] = integrator ? states.count : HBG_NONE;
        if (integrator) HBG_PUSH(eqn->arena, states, (state_info){HBG_NONE, 0, i});
    }
    eqn->states = states.items;
    eqn->state_count = states.count;
}

/* The number of values in other states: each in(…), and every part of one that a guard may compare. */
static int32_t count_ins(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    bool *inside = HBG_NEW_ARRAY(&eqn->scratch, bool, model->exprs.count + 1);
    int32_t count = 2 * eqn->in.exprs.count;
    for (int32_t i = model->exprs.count - 1; i >= 0 && eqn->in.exprs.count > 0; i--) {
        const hbg_expr_node *node = &model->exprs.items[i];
        if (!inside[i] && node->op != HBG_OP_IN) continue;
        count += 2;
        for (int k = 0; k < hbg_model_expr_arity(node); k++) inside[hbg_model_expr_argument(node, k)] = true;
    }
    return count;
}

bool hbg_eqn_may_be_undefined(const hbg_eqn *eqn, int32_t element) {
    const hbg_element *of = &eqn->model->elements.items[element];
    return of->ports == 0 && of->dual_off && of->control != HBG_NONE;
}

static bool has_clocks(const hbg_model *model) {
    int32_t i = 0;
    while (i < model->signals.count && model->signals.items[i].every == HBG_NONE) i++;
    return i < model->signals.count;
}

void hbg_eqn_number_variables(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    number_states(eqn);
    eqn->pres.of_expr = HBG_NEW_ARRAY(eqn->arena, int32_t, model->exprs.count + 1);
    eqn->in.of_expr = HBG_NEW_ARRAY(eqn->arena, int32_t, model->exprs.count + 1);
    for (int32_t i = 0; i < model->exprs.count; i++) {
        uint16_t op = model->exprs.items[i].op;
        bool pre = op == HBG_OP_PRE || op == HBG_OP_DER, in = op == HBG_OP_IN;
        eqn->pres.of_expr[i] = pre ? eqn->pres.exprs.count : HBG_NONE;
        eqn->in.of_expr[i] = in ? eqn->in.exprs.count : HBG_NONE;
        if (pre) HBG_PUSH(eqn->arena, eqn->pres.exprs, i);
        if (in) HBG_PUSH(eqn->arena, eqn->in.exprs, i);
    }
    for (int32_t i = 0; i < model->elements.count; i++)
        eqn->has_undefined |= hbg_eqn_may_be_undefined(eqn, i);
    for (int32_t i = 0; i < model->elements.count; i++)
        eqn->has_open |= model->elements.items[i].ports == 0 && model->elements.items[i].control != HBG_NONE;
    int32_t parasites = eqn->limits.clusters.count > 0 ? eqn->structure->place_count : 0;
    const int32_t counts[VARIABLE_KIND_COUNT] = {
#define X(id, count) model->count,
        VARIABLE_LIST(X)
#undef X
            eqn->pres.exprs.count,
        eqn->pres.exprs.count,
        count_ins(eqn),
        model->elements.count,
        eqn->structure->place_count,
        eqn->has_undefined ? model->elements.count : 0,
        eqn->state_count,
        eqn->state_count,
        eqn->state_count,
        eqn->state_count,
        1,
        parasites,
        parasites,
        1,
        has_clocks(model) ? model->signals.count : 0,
        1};
    eqn->pres.der_terms = HBG_NEW_ARRAY(eqn->arena, hbg_term, eqn->pres.exprs.count + 1);
    eqn->pres.der_order = HBG_NEW_ARRAY(eqn->arena, int8_t, eqn->pres.exprs.count + 1);
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++) eqn->pres.der_terms[i] = HBG_NONE;
    eqn->first[0] = 0;
    for (int kind = 0; kind < VARIABLE_KIND_COUNT; kind++)
        eqn->first[kind + 1] = eqn->first[kind] + counts[kind];
    eqn->base_count = eqn->first[VARIABLE_KIND_COUNT];
    eqn->kinds = HBG_NEW_ARRAY(eqn->arena, uint8_t, eqn->base_count + 1);
    for (int kind = 0; kind < VARIABLE_KIND_COUNT; kind++)
        memset(eqn->kinds + eqn->first[kind], kind, (size_t)counts[kind]);
}

variable_kind hbg_eqn_kind_of(const hbg_eqn *eqn, int32_t variable) {
    return (variable_kind)eqn->kinds[variable % eqn->base_count];
}

/* ---- terms of variables ------------------------------------------------------------------------------- */

hbg_term hbg_eqn_var(hbg_eqn *eqn, variable_kind kind, int32_t index) {
    return hbg_term_variable(&eqn->terms, eqn->first[kind] + index);
}

/* Whether the half arrow points the usual way for the element: into R, C, I and port 1, out of sources and
 * port 2. */
static bool is_usual(const hbg_model *model, int32_t element, int32_t port, int32_t bond) {
    const hbg_element *at = &model->elements.items[element];
    const hbg_bond_end *to = &model->bonds.items[bond].to;
    bool points_in = to->element == element && (to->port == port || to->port == 0);
    bool two_port = at->kind == HBG_KIND_TF || at->kind == HBG_KIND_GY;
    bool wants_in = two_port ? port == 1 : at->kind != HBG_KIND_SE && at->kind != HBG_KIND_SF;
    return points_in == wants_in;
}

int32_t hbg_eqn_bond_of(const hbg_model *model, int32_t element, int32_t port) {
    return model->incidence[model->incidence_start[element] + (port > 0 ? port - 1 : 0)];
}

/* The sign of a port: a bond of an element drawn the other way negates the sum of the junction (semantics,
 * section 1). */
int hbg_eqn_sign(const hbg_model *model, int32_t element, int32_t port, hbg_variable variable) {
    int32_t bond = hbg_eqn_bond_of(model, element, port);
    if (is_usual(model, element, port, bond)) return 1;
    const hbg_bond *between = &model->bonds.items[bond];
    bool at_to = between->to.element == element && (between->to.port == port || between->to.port == 0);
    const hbg_element *other = &model->elements.items[at_to ? between->from.element : between->to.element];
    bool one_port = hbg_model_element_info_get(model->elements.items[element].form)->ports == 1;
    bool negates_effort = one_port && other->kind == HBG_KIND_ONE;
    return (variable == HBG_VARIABLE_EFFORT) == negates_effort ? -1 : 1;
}

hbg_term hbg_eqn_port(hbg_eqn *eqn, int32_t element, int32_t port, hbg_variable variable) {
    const hbg_model *model = eqn->model;
    if (model->incidence_start[element] == model->incidence_start[element + 1])
        return hbg_term_integer(&eqn->terms, 0); // a junction without bonds is undetermined
    int32_t bond = hbg_eqn_bond_of(eqn->model, element, port);
    hbg_term term = hbg_eqn_var(eqn, variable == HBG_VARIABLE_EFFORT ? VARIABLE_EFFORT : VARIABLE_FLOW, bond);
    if (eqn->model->elements.items[element].ports == 0) return term; // the common variable of a junction
    return hbg_eqn_sign(eqn->model, element, port, variable) < 0 ? hbg_term_negate(&eqn->terms, term) : term;
}

/* ---- names -------------------------------------------------------------------------------------------- */

static void add_path(hbg_buffer *out, const hbg_model *model, hbg_object_kind kind, int32_t index) {
    hbg_model_path(model, (hbg_object){kind, index}, out);
}

static void add_port_path(hbg_buffer *out, const hbg_model *model, int32_t element, int32_t port) {
    add_path(out, model, HBG_OBJECT_ELEMENT, element);
    if (model->elements.items[element].ports > 1) hbg_base_buffer_print(out, "[%d]", (int)port);
}

/* Appends the name of a bond; a bond at a one-port has the name of the element if both mean the same. */
static void add_bond_name(const hbg_eqn *eqn, int32_t bond, hbg_variable variable, hbg_buffer *out) {
    const hbg_model *model = eqn->model;
    const hbg_bond *of = &model->bonds.items[bond];
    const hbg_bond_end *ends[] = {&of->from, &of->to};
    for (int i = 0; i < 2 && of->id.name == 0; i++) {
        const hbg_element *element = &model->elements.items[ends[i]->element];
        if (hbg_model_element_info_get(element->form)->ports != 1) continue;
        if (hbg_eqn_sign(model, ends[i]->element, ends[i]->port, variable) < 0) continue;
        add_port_path(out, model, ends[i]->element, ends[i]->port);
        hbg_base_buffer_print(out, ".%s", hbg_model_variable_text(variable));
        return;
    }
    add_path(out, model, HBG_OBJECT_BOND, bond);
    hbg_base_buffer_print(out, ".%s", hbg_model_variable_text(variable));
}

static void add_state_name(const hbg_eqn *eqn, int32_t state, hbg_buffer *out) {
    const state_info *info = &eqn->states[state];
    if (info->element == HBG_NONE) {
        add_path(out, eqn->model, HBG_OBJECT_SIGNAL, info->signal);
        return;
    }
    add_port_path(out, eqn->model, info->element, info->port);
    bool capacitor = eqn->model->elements.items[info->element].kind == HBG_KIND_C;
    hbg_base_buffer_text(out, capacitor ? ".q" : ".p");
}

static void add_in_name(const hbg_eqn *eqn, int32_t index, hbg_buffer *out) {
    const in_info *in = &eqn->in.list.items[index];
    const hbg_automaton *of = &eqn->model->automata.items[in->automaton];
    hbg_base_buffer_text(out, "in(");
    add_path(out, eqn->model, HBG_OBJECT_AUTOMATON, in->automaton);
    hbg_base_buffer_print(
        out, ".%s, ",
        hbg_base_names_get(eqn->model->names, eqn->model->states.items[of->first_state + in->state].name));
    hbg_eqn_print_term(eqn, in->term, out);
    hbg_base_buffer_char(out, ')');
}

static void add_base_name(const hbg_eqn *eqn, int32_t base, hbg_buffer *out) {
    variable_kind kind = hbg_eqn_kind_of(eqn, base);
    int32_t index = base - eqn->first[kind];
    switch (kind) {
    case VARIABLE_EFFORT: add_bond_name(eqn, index, HBG_VARIABLE_EFFORT, out); return;
    case VARIABLE_FLOW: add_bond_name(eqn, index, HBG_VARIABLE_FLOW, out); return;
    case VARIABLE_SIGNAL:
    case VARIABLE_TICK:
    case VARIABLE_INPUT: add_path(out, eqn->model, HBG_OBJECT_SIGNAL, index); return;
    case VARIABLE_GIVEN:
        hbg_base_buffer_text(out, "given(");
        add_path(out, eqn->model, HBG_OBJECT_SIGNAL, index);
        hbg_base_buffer_char(out, ')');
        return;
    case VARIABLE_PARAM: add_path(out, eqn->model, HBG_OBJECT_PARAM, index); return;
    case VARIABLE_AUTOMATON: add_path(out, eqn->model, HBG_OBJECT_AUTOMATON, index); return;
    case VARIABLE_PRE:
        hbg_base_buffer_text(out, "pre(");
        hbg_model_print_expr(eqn->model, eqn->model->exprs.items[eqn->pres.exprs.items[index]].a, out);
        hbg_base_buffer_char(out, ')');
        return;
    case VARIABLE_DER: hbg_model_print_expr(eqn->model, eqn->pres.exprs.items[index], out); return;
    case VARIABLE_IN: add_in_name(eqn, index, out); return;
    case VARIABLE_BOUNCE:
        hbg_base_buffer_text(out, "bounce(");
        add_path(out, eqn->model, HBG_OBJECT_ELEMENT, index);
        hbg_base_buffer_char(out, ')');
        return;
    case VARIABLE_PARASITE:
    case VARIABLE_CONFLICT:
        hbg_base_buffer_text(out, kind == VARIABLE_PARASITE ? "parasite(" : "unbounded(");
        add_path(out, eqn->model, HBG_OBJECT_ELEMENT, eqn->structure->place_element[index]);
        hbg_base_buffer_char(out, ')');
        return;
    case VARIABLE_ON:
        hbg_base_buffer_text(out, "on(");
        add_path(out, eqn->model, HBG_OBJECT_ELEMENT, eqn->structure->place_element[index]);
        hbg_base_buffer_char(out, ')');
        return;
    case VARIABLE_UNDEFINED:
        add_path(out, eqn->model, HBG_OBJECT_ELEMENT, index);
        hbg_base_buffer_text(out, eqn->model->elements.items[index].kind == HBG_KIND_ZERO ? ".e" : ".f");
        return;
    case VARIABLE_OPEN: hbg_base_buffer_text(out, "undetermined"); return;
    case VARIABLE_LIVE: hbg_base_buffer_text(out, "live"); return;
    case VARIABLE_TIME: hbg_base_buffer_text(out, "time"); return;
    default: add_state_name(eqn, index, out); return;
    }
}

void hbg_eqn_variable_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out) {
    int32_t base = variable % eqn->base_count;
    variable_kind kind = hbg_eqn_kind_of(eqn, base);
    const char *before = "";
    switch (variable / eqn->base_count) {
    case LAYER_RATE: before = "der("; break;
    case LAYER_AREA: before = "impulse("; break;
    case LAYER_TANGENT: before = "d("; break;
    case LAYER_RATE2: before = "der(der("; break;
    case LAYER_TANGENT_RATE: before = "d(der("; break;
    case LAYER_TANGENT_RATE2: before = "d(der(der("; break;
    default: break;
    }
    hbg_base_buffer_text(out, before);
    if (kind == VARIABLE_OLD) hbg_base_buffer_text(out, "pre(");
    add_base_name(eqn, base, out);
    if (kind == VARIABLE_OLD) hbg_base_buffer_char(out, ')');
    for (const char *c = before; *c; c++)
        if (*c == '(') hbg_base_buffer_char(out, ')');
}

/* Appends a familiar name in place of an unnamed bond: between junctions it is a common variable of one of
 * them, and a bond drawn the other way has the variable of its element, negated. */
static bool add_known_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out) {
    variable_kind kind = variable < eqn->base_count ? hbg_eqn_kind_of(eqn, variable) : VARIABLE_TIME;
    if (kind != VARIABLE_EFFORT && kind != VARIABLE_FLOW) return false;
    const hbg_bond *of = &eqn->model->bonds.items[variable - eqn->first[kind]];
    hbg_variable asked = kind == VARIABLE_EFFORT ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
    hbg_element_kind junction = kind == VARIABLE_EFFORT ? HBG_KIND_ZERO : HBG_KIND_ONE;
    const hbg_bond_end *ends[] = {&of->from, &of->to};
    for (int i = 0; i < 4 && of->id.name == 0; i++) {
        const hbg_bond_end *end = ends[i % 2];
        hbg_element_kind own = eqn->model->elements.items[end->element].kind;
        bool is = i < 2 ? hbg_model_element_info_get(own)->ports == 1 : own == junction;
        if (!is) continue;
        bool turned = i < 2 && hbg_eqn_sign(eqn->model, end->element, end->port, asked) < 0;
        if (turned) hbg_base_buffer_char(out, '-');
        add_port_path(out, eqn->model, end->element, end->port);
        hbg_base_buffer_print(out, ".%s", hbg_model_variable_text(asked));
        return true;
    }
    return false;
}

void hbg_eqn_told_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out) {
    if (!add_known_name(eqn, variable, out)) hbg_eqn_variable_name(eqn, variable, out);
}
