/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Variables of the composition, and expressions of the model as terms over them. Signals are written out;
 * what has no counterpart in 003, such as pre(…), becomes a variable that predicates take as true. */
#include <stdarg.h>

#include "verify/paper_impl.h"

#define DEPTH 500 /* of expressions and signals of signals */

/* ---- names -------------------------------------------------------------------------------------------------------- */

void hbg_verify_paper_note(paper_work *work, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = hbg_base_arena_vprint(work->arena, format, arguments);
    va_end(arguments);
    for (int32_t i = 0; i < work->made->notes.count; i++)
        if (strcmp(work->made->notes.items[i], text) == 0) return;
    HBG_PUSH(work->arena, work->made->notes, text);
}

const char *hbg_verify_paper_path(paper_work *work, hbg_object_kind kind, int32_t index) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, work->arena);
    hbg_model_path(work->model, (hbg_object){kind, index}, &text);
    return text.data;
}

/* A bond without a name is named after its element, if it counts like it. */
static const char *bond_name(paper_work *work, int32_t bond) {
    const hbg_bond *of = &work->model->bonds.items[bond];
    const hbg_bond_end *ends[] = {&of->from, &of->to};
    for (int i = 0; i < 2 && of->id.name == 0; i++) {
        const hbg_element *at = &work->model->elements.items[ends[i]->element];
        bool counts = at->ports == 1 &&
                      hbg_eqn_sign(work->model, ends[i]->element, 1, HBG_VARIABLE_EFFORT) > 0 &&
                      hbg_eqn_sign(work->model, ends[i]->element, 1, HBG_VARIABLE_FLOW) > 0;
        if (counts) return hbg_verify_paper_path(work, HBG_OBJECT_ELEMENT, ends[i]->element);
    }
    return hbg_verify_paper_path(work, HBG_OBJECT_BOND, bond);
}

static const char *unit_at(const paper_work *work, int32_t net, hbg_quantity quantity) {
    return net < 0 ? NULL : hbg_model_domain_unit(work->model->net_domain[net], quantity);
}

/* ---- variables ------------------------------------------------------------------------------------------------------ */

static int32_t add(paper_work *work, hbg_process_role role, int32_t of, const char *name, const char *unit) {
    hbg_verify_paper_add(work, (hbg_process_variable){.role = role, .of = of, .name = name, .unit = unit});
    return work->made->process.variables.count - 1;
}

static void add_energies(paper_work *work, int32_t element) {
    const hbg_element *of = &work->model->elements.items[element];
    const char *path = hbg_verify_paper_path(work, HBG_OBJECT_ELEMENT, element);
    bool charge = of->kind == HBG_KIND_C;
    for (int32_t port = 1; port <= of->ports; port++) {
        int32_t net = work->model->bonds.items[hbg_eqn_bond_of(work->model, element, port)].net;
        const char *name =
            of->ports > 1
                ? hbg_base_arena_print(work->arena, "%s[%d].%c", path, (int)port, charge ? 'q' : 'p')
                : hbg_base_arena_print(work->arena, "%s.%c", path, charge ? 'q' : 'p');
        int32_t made = add(work, HBG_PROCESS_ENERGY, element, name,
                           unit_at(work, net, charge ? HBG_QUANTITY_DISPLACEMENT : HBG_QUANTITY_MOMENTUM));
        if (port == 1) work->at.energy[element] = made;
    }
}

static void add_bond(paper_work *work, int32_t bond) {
    hbg_arena *arena = work->arena;
    const char *name = bond_name(work, bond);
    int32_t net = work->model->bonds.items[bond].net;
    const char *effort = hbg_base_arena_print(arena, "%s.e", name),
               *flow = hbg_base_arena_print(arena, "%s.f", name);
    work->at.effort[bond] =
        add(work, HBG_PROCESS_BOND, 2 * bond, effort, unit_at(work, net, HBG_QUANTITY_EFFORT));
    add(work, HBG_PROCESS_BOND, 2 * bond + 1, flow, unit_at(work, net, HBG_QUANTITY_FLOW));
    work->at.pulse_effort[bond] =
        add(work, HBG_PROCESS_PULSE, 2 * bond, hbg_base_arena_print(arena, "impulse(%s)", effort),
            unit_at(work, net, HBG_QUANTITY_MOMENTUM));
    add(work, HBG_PROCESS_PULSE, 2 * bond + 1, hbg_base_arena_print(arena, "impulse(%s)", flow),
        unit_at(work, net, HBG_QUANTITY_DISPLACEMENT));
    work->at.work[bond] =
        add(work, HBG_PROCESS_WORK, bond, hbg_base_arena_print(arena, "work(%s)", name), "J");
}

static void add_signal(paper_work *work, int32_t signal) {
    const hbg_signal *of = &work->model->signals.items[signal];
    bool held = of->kind == HBG_SIGNAL_SAMPLE || of->kind == HBG_SIGNAL_SENSOR;
    if (of->kind != HBG_SIGNAL_INPUT && of->kind != HBG_SIGNAL_STATE && !held) return;
    hbg_process_role role = held                           ? HBG_PROCESS_HELD
                            : of->kind == HBG_SIGNAL_STATE ? HBG_PROCESS_ENERGY
                                                           : HBG_PROCESS_INPUT;
    hbg_verify_paper_add(
        work, (hbg_process_variable){.role = role,
                                     .of = role == HBG_PROCESS_ENERGY ? HBG_NONE : signal,
                                     .name = hbg_verify_paper_path(work, HBG_OBJECT_SIGNAL, signal),
                                     .unit = hbg_model_object_unit(work->arena, work->model,
                                                                   (hbg_object){HBG_OBJECT_SIGNAL, signal}),
                                     .is_truth = of->type != HBG_TYPE_REAL && of->type != HBG_TYPE_UNKNOWN});
    work->at.signal[signal] = work->made->process.variables.count - 1;
    if (of->type == HBG_TYPE_EVENT) HBG_PUSH(work->arena, work->unclear, work->at.signal[signal]);
}

static int32_t *places(paper_work *work, int32_t count) {
    int32_t *made = HBG_NEW_ARRAY(work->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) made[i] = HBG_NONE;
    return made;
}

/* Energies come first, then external values, then bonds. */
void hbg_verify_paper_variables(paper_work *work) {
    const hbg_model *model = work->model;
    paper_places *at = &work->at;
    at->effort = places(work, model->bonds.count);
    at->pulse_effort = places(work, model->bonds.count);
    at->work = places(work, model->bonds.count);
    at->energy = places(work, model->elements.count);
    at->stored = places(work, model->elements.count);
    at->choice = places(work, model->elements.count);
    at->signal = places(work, model->signals.count);
    at->param = places(work, model->params.count);
    at->discrete = places(work, model->states.count);
    at->time = HBG_NONE;
    for (int view = 0; view < HBG_PROCESS_VIEWS; view++)
        work->expressions[view] = HBG_NEW_ARRAY(work->arena, hbg_term, model->exprs.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++)
        if (model->elements.items[i].kind == HBG_KIND_C || model->elements.items[i].kind == HBG_KIND_I)
            add_energies(work, i);
    for (int32_t i = 0; i < model->signals.count; i++) add_signal(work, i);
    for (int32_t i = 0; i < model->bonds.count; i++) add_bond(work, i);
}

int32_t hbg_verify_paper_rate(paper_work *work, int32_t variable) {
    hbg_process *of = &work->made->process;
    for (int32_t i = 0; i < of->variables.count; i++)
        if (of->variables.items[i].role == HBG_PROCESS_RATE && of->variables.items[i].of == variable)
            return i;
    return add(work, HBG_PROCESS_RATE, variable,
               hbg_base_arena_print(work->arena, "der(%s)", of->variables.items[variable].name), NULL);
}

hbg_term hbg_verify_paper_variable(paper_work *work, int32_t variable, hbg_process_view view) {
    hbg_process *of = &work->made->process;
    if (hbg_process_is_plain(of->variables.items[variable].role)) view = HBG_PROCESS_NOW;
    return hbg_term_variable(&of->terms, variable * HBG_PROCESS_VIEWS + (int32_t)view);
}

static hbg_term at_port(paper_work *work, const int32_t *first, int32_t element, int32_t port,
                        hbg_variable variable) {
    int32_t bond = hbg_eqn_bond_of(work->model, element, port);
    bool flow = variable == HBG_VARIABLE_FLOW;
    hbg_term made = hbg_verify_paper_variable(work, first[bond] + flow, HBG_PROCESS_NOW);
    bool turned = work->model->elements.items[element].ports > 0 &&
                  hbg_eqn_sign(work->model, element, port, variable) < 0;
    return turned ? hbg_term_negate(&work->made->process.terms, made) : made;
}

hbg_term hbg_verify_paper_port(paper_work *work, int32_t element, int32_t port, hbg_variable variable) {
    return at_port(work, work->at.effort, element, port, variable);
}

hbg_term hbg_verify_paper_port_pulse(paper_work *work, int32_t element, int32_t port, hbg_variable variable) {
    return at_port(work, work->at.pulse_effort, element, port, variable);
}

/* ---- expressions ------------------------------------------------------------------------------------------------------ */

typedef struct {
    paper_work *work;
    hbg_process_view view;
} viewing;

static hbg_term in_view(void *context, int32_t variable) {
    const viewing *as = context;
    if (hbg_process_view_of(variable) != HBG_PROCESS_NOW) return HBG_NONE;
    return hbg_verify_paper_variable(as->work, hbg_process_variable_of(variable), as->view);
}

hbg_term hbg_verify_paper_seen(paper_work *work, hbg_term term, hbg_process_view view) {
    viewing as = {work, view};
    if (view == HBG_PROCESS_NOW) return term;
    return hbg_term_substitute(&work->made->process.terms, work->arena, term, in_view, &as);
}

/* Something without a counterpart in 003: predicates take it as true. */
static hbg_term unclear(paper_work *work, hbg_expr expr) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, work->arena);
    hbg_model_print_expr(work->model, expr, &text);
    int32_t made = add(work, HBG_PROCESS_HIDDEN, HBG_NONE, text.data, NULL);
    work->made->process.variables.items[made].is_truth = work->model->expr_type[expr] == HBG_TYPE_BOOL;
    HBG_PUSH(work->arena, work->unclear, made);
    return hbg_verify_paper_variable(work, made, HBG_PROCESS_NOW);
}

static int32_t once(paper_work *work, int32_t *place, hbg_process_role role, int32_t of, const char *name,
                    const char *unit, bool truth) {
    if (*place == HBG_NONE) {
        hbg_verify_paper_add(
            work,
            (hbg_process_variable){.role = role, .of = of, .name = name, .unit = unit, .is_truth = truth});
        *place = work->made->process.variables.count - 1;
    }
    return *place;
}

hbg_term hbg_verify_paper_discrete(paper_work *work, int32_t automaton, int32_t state,
                                   hbg_process_view view) {
    const hbg_model *model = work->model;
    int32_t number = model->automata.items[automaton].first_state + state;
    const char *name = hbg_base_arena_print(
        work->arena, "%s.%s", hbg_verify_paper_path(work, HBG_OBJECT_AUTOMATON, automaton),
        hbg_base_names_get(model->names, model->states.items[number].name));
    return hbg_verify_paper_variable(
        work, once(work, &work->at.discrete[number], HBG_PROCESS_DISCRETE, number, name, NULL, true), view);
}

static hbg_term in_on_state(paper_work *work, int32_t automaton) {
    const hbg_automaton *of = &work->model->automata.items[automaton];
    hbg_term any = hbg_verify_paper_truth(work, false);
    for (int32_t i = 0; i < of->state_count; i++)
        if (work->model->states.items[of->first_state + i].on)
            any = hbg_verify_paper_either(work, any,
                                          hbg_verify_paper_discrete(work, automaton, i, HBG_PROCESS_NOW));
    return any;
}

static hbg_term stored(paper_work *work, int32_t element) {
    const char *name = hbg_base_arena_print(work->arena, "%s.energy",
                                            hbg_verify_paper_path(work, HBG_OBJECT_ELEMENT, element));
    return hbg_verify_paper_variable(
        work, once(work, &work->at.stored[element], HBG_PROCESS_STORED, element, name, "J", false),
        HBG_PROCESS_NOW);
}

static hbg_term signal_term(paper_work *work, int32_t signal) {
    const hbg_signal *of = &work->model->signals.items[signal];
    if (work->at.signal[signal] != HBG_NONE)
        return hbg_verify_paper_variable(work, work->at.signal[signal], HBG_PROCESS_NOW);
    return hbg_verify_paper_expression(work, of->value, HBG_PROCESS_NOW);
}

static hbg_term power(paper_work *work, int32_t element, int32_t port) {
    return hbg_term_multiply(&work->made->process.terms,
                             hbg_verify_paper_port(work, element, port, HBG_VARIABLE_EFFORT),
                             hbg_verify_paper_port(work, element, port, HBG_VARIABLE_FLOW));
}

static hbg_term rate(paper_work *work, hbg_expr expr, hbg_term of) {
    const term_node *node = &work->made->process.terms.nodes.items[of];
    if (node->op != TERM_VARIABLE) return unclear(work, expr);
    int32_t variable = hbg_process_variable_of(node->a);
    if (work->made->process.variables.items[variable].role != HBG_PROCESS_ENERGY) return unclear(work, expr);
    return hbg_verify_paper_variable(work, hbg_verify_paper_rate(work, variable), HBG_PROCESS_NOW);
}

static hbg_term param(paper_work *work, int32_t index) {
    const hbg_object of = {HBG_OBJECT_PARAM, index};
    int32_t made = once(work, &work->at.param[index], HBG_PROCESS_PARAM, index,
                        hbg_verify_paper_path(work, of.kind, index),
                        hbg_model_object_unit(work->arena, work->model, of), false);
    return hbg_verify_paper_variable(work, made, HBG_PROCESS_NOW);
}

static hbg_term leaf(paper_work *work, const hbg_expr_node *node) {
    hbg_terms *terms = &work->made->process.terms;
    switch (node->op) {
    case HBG_OP_NUMBER: return hbg_term_number(terms, work->model->literals.items[node->a].value);
    case HBG_OP_TRUE: return hbg_verify_paper_truth(work, true);
    case HBG_OP_FALSE: return hbg_verify_paper_truth(work, false);
    case HBG_OP_TIME:
        return hbg_verify_paper_variable(
            work, once(work, &work->at.time, HBG_PROCESS_TIME, 0, "time", "s", false), HBG_PROCESS_NOW);
    case HBG_OP_PARAM: return param(work, node->a);
    case HBG_OP_SIGNAL: return signal_term(work, node->a);
    case HBG_OP_EFFORT: return hbg_verify_paper_port(work, node->a, node->b, HBG_VARIABLE_EFFORT);
    case HBG_OP_FLOW: return hbg_verify_paper_port(work, node->a, node->b, HBG_VARIABLE_FLOW);
    case HBG_OP_DISPLACEMENT:
    case HBG_OP_MOMENTUM:
        return hbg_verify_paper_variable(work, work->at.energy[node->a] + (node->b > 0 ? node->b - 1 : 0),
                                         HBG_PROCESS_NOW);
    case HBG_OP_BOND_EFFORT:
        return hbg_verify_paper_variable(work, work->at.effort[node->a], HBG_PROCESS_NOW);
    case HBG_OP_BOND_FLOW:
        return hbg_verify_paper_variable(work, work->at.effort[node->a] + 1, HBG_PROCESS_NOW);
    case HBG_OP_BOND_POWER:
        return hbg_term_multiply(
            terms, hbg_verify_paper_variable(work, work->at.effort[node->a], HBG_PROCESS_NOW),
            hbg_verify_paper_variable(work, work->at.effort[node->a] + 1, HBG_PROCESS_NOW));
    case HBG_OP_ENERGY: return stored(work, node->a);
    case HBG_OP_POWER: return power(work, node->a, node->b > 0 ? node->b : 1);
    case HBG_OP_ACTIVE: return hbg_verify_paper_discrete(work, node->a, node->b, HBG_PROCESS_NOW);
    case HBG_OP_AUTOMATON: return in_on_state(work, node->a);
    default: return hbg_term_make(terms, node->op, HBG_NONE, HBG_NONE, HBG_NONE); // pi
    }
}

static hbg_term made_of(paper_work *work, hbg_expr expr) {
    const hbg_expr_node node = work->model->exprs.items[expr];
    int arity = hbg_model_expr_arity(&node);
    hbg_term of[3] = {HBG_NONE, HBG_NONE, HBG_NONE};
    if (arity == 0) return leaf(work, &node);
    if (node.op == HBG_OP_PRE || node.op == HBG_OP_IMPULSE || node.op == HBG_OP_IN || node.op == HBG_OP_TABLE)
        return unclear(work, expr);
    for (int i = 0; i < arity; i++)
        of[i] = hbg_verify_paper_expression(work, hbg_model_expr_argument(&node, i), HBG_PROCESS_NOW);
    if (node.op == HBG_OP_FINITE) return of[0];
    if (node.op == HBG_OP_DER) return rate(work, expr, of[0]);
    if (node.op == HBG_OP_AND) return hbg_verify_paper_both(work, of[0], of[1]);
    if (node.op == HBG_OP_OR) return hbg_verify_paper_either(work, of[0], of[1]);
    return hbg_term_make(&work->made->process.terms, node.op, of[0], of[1], of[2]);
}

hbg_term hbg_verify_paper_expression(paper_work *work, hbg_expr expr, hbg_process_view view) {
    hbg_term *place = &work->expressions[view][expr];
    if (*place > 0) return *place - 1;
    if (work->depth > DEPTH) {
        work->refused = "an expression, or a signal that reads others, is nested too deeply";
        return hbg_term_integer(&work->made->process.terms, 0);
    }
    work->depth++;
    hbg_term made =
        view == HBG_PROCESS_NOW
            ? made_of(work, expr)
            : hbg_verify_paper_seen(work, hbg_verify_paper_expression(work, expr, HBG_PROCESS_NOW), view);
    work->depth--;
    work->expressions[view][expr] = made + 1;
    return made;
}
