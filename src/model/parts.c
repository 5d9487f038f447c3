/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The independent parts of a model: everything connected by bonds, junction controls, guards, laws, signals
 * and outputs is one part, and no part can observe another one. Inputs that follow time alone, parameters,
 * constants and tables are data, which connect nothing. A part without states goes with the first part that
 * has one: it needs no integration. */
#include "model/model_impl.h"

typedef struct {
    const hbg_model *model;
    int32_t first_automaton, first_signal, count; /* vertices: elements, automata, signals */
    int32_t *above;     /* by vertex: on the way to the representative of its component */
    int32_t *vertex_of; /* by expression: a vertex it reads, or HBG_NONE */
    bool *needed;       /* by expression: a run reads it */
    bool marks;
} connector;

/* ---- what is connected -------------------------------------------------------------------------------- */

static int32_t top_of(const connector *c, int32_t vertex) {
    while (c->above[vertex] != vertex) {
        c->above[vertex] = c->above[c->above[vertex]];
        vertex = c->above[vertex];
    }
    return vertex;
}

/* The smaller number stands for both, so that parts are in the order of their first objects. */
static void connect(const connector *c, int32_t a, int32_t b) {
    if (a < 0 || b < 0) return;
    a = top_of(c, a);
    b = top_of(c, b);
    if (a < b)
        c->above[b] = a;
    else
        c->above[a] = b;
}

/* The vertex that a node names directly, or HBG_NONE. */
static int32_t named_by(const connector *c, const hbg_expr_node *node) {
    switch ((hbg_operator)node->op) {
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
    case HBG_OP_DISPLACEMENT:
    case HBG_OP_MOMENTUM:
    case HBG_OP_ENERGY:
    case HBG_OP_POWER: return node->a;
    case HBG_OP_BOND_EFFORT:
    case HBG_OP_BOND_FLOW:
    case HBG_OP_BOND_POWER: return c->model->bonds.items[node->a].from.element;
    case HBG_OP_ACTIVE:
    case HBG_OP_AUTOMATON: return c->first_automaton + node->a;
    case HBG_OP_IN: return c->first_automaton + node->b;
    default: return HBG_NONE;
    }
}

/* An input connects its readers only if its default reads more than time. */
static int32_t signal_vertex(const connector *c, int32_t signal) {
    const hbg_signal *of = &c->model->signals.items[signal];
    bool is_data = of->kind == HBG_SIGNAL_INPUT && (of->value < 0 || c->vertex_of[of->value] == HBG_NONE);
    return is_data ? HBG_NONE : c->first_signal + signal;
}

/* Expressions come after their arguments; the expression of an input may come after its readers, so signals
 * come second. */
static void read_expressions(const connector *c, bool signals) {
    const hbg_model *model = c->model;
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        if (!c->needed[i]) continue;
        int32_t found = node->op != HBG_OP_SIGNAL                                ? named_by(c, node)
                        : signals                                                ? signal_vertex(c, node->a)
                        : model->signals.items[node->a].kind != HBG_SIGNAL_INPUT ? c->first_signal + node->a
                                                                                 : HBG_NONE;
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr argument = hbg_model_expr_argument(node, k);
            int32_t other = argument < 0 ? HBG_NONE : c->vertex_of[argument];
            connect(c, found, other);
            if (found == HBG_NONE) found = other;
        }
        c->vertex_of[i] = found;
    }
}

/* ---- who reads ---------------------------------------------------------------------------------------- */

/* A first pass marks what is read at all; the second, which knows what each expression reads, connects it
 * with its reader. */
static void read_expr(const connector *c, int32_t vertex, hbg_expr expr) {
    if (expr < 0) return;
    if (c->marks)
        c->needed[expr] = true;
    else
        connect(c, vertex, c->vertex_of[expr]);
}

static void read_elements(const connector *c) {
    const hbg_model *model = c->model;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *of = &model->elements.items[i];
        for (int32_t k = 0; k < of->value_count; k++)
            read_expr(c, i, model->entries.items[of->first_value + k]);
        for (int32_t k = 0; k < of->law_count; k++)
            read_expr(c, i, model->bindings.items[of->first_law + k].value);
        for (int32_t k = 0; k < of->initial_count; k++)
            read_expr(c, i, model->bindings.items[of->first_initial + k].value);
        read_expr(c, i, of->control);
        read_expr(c, i, of->restitution);
    }
}

static void read_automata(const connector *c) {
    const hbg_model *model = c->model;
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *of = &model->automata.items[i];
        read_expr(c, c->first_automaton + i, of->every);
        for (int32_t k = 0; k < of->state_count; k++) {
            const hbg_automaton_state *state = &model->states.items[of->first_state + k];
            for (int32_t n = 0; n < state->transition_count; n++) {
                const hbg_transition *way = &model->transitions.items[state->first_transition + n];
                read_expr(c, c->first_automaton + i, way->guard);
                read_expr(c, c->first_automaton + i, way->after);
            }
        }
    }
}

static void read_signals(const connector *c) {
    for (int32_t i = 0; i < c->model->signals.count; i++) {
        const hbg_signal *of = &c->model->signals.items[i];
        const hbg_expr read[] = {of->value, of->initial, of->every, of->noise_mean, of->noise_variance};
        for (int k = 0; k < 5; k++) read_expr(c, c->first_signal + i, read[k]);
    }
}

static void read_all(const connector *c) {
    read_elements(c);
    read_automata(c);
    read_signals(c);
}

/* What a run does not read, such as records of other experiments, connects nothing. */
static void mark_needed(connector *c, const hbg_record *outputs, int32_t output_count) {
    const hbg_model *model = c->model;
    c->marks = true;
    read_all(c);
    c->marks = false;
    for (int32_t i = 0; i < output_count; i++) c->needed[outputs[i].value] = true;
    for (int32_t i = model->exprs.count - 1; i >= 0; i--)
        for (int k = 0; c->needed[i] && k < hbg_model_expr_arity(&model->exprs.items[i]); k++) {
            hbg_expr argument = hbg_model_expr_argument(&model->exprs.items[i], k);
            if (argument >= 0) c->needed[argument] = true;
        }
}

/* A recorded pre(…) has the value left by the last mode entered, whichever automata moved: it reads all of
 * them. In guards, laws and samples it concerns only its readers. */
static void connect_shown_pre(hbg_arena *arena, const connector *c, const hbg_record *outputs,
                              int32_t output_count) {
    const hbg_model *model = c->model;
    bool *shown = HBG_NEW_ARRAY(arena, bool, model->exprs.count + 1);
    for (int32_t i = 0; i < output_count; i++) shown[outputs[i].value] = true;
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *of = &model->signals.items[i];
        bool formula = of->every < 0 && of->kind != HBG_SIGNAL_STATE && of->kind != HBG_SIGNAL_INPUT;
        if (formula && of->value >= 0) shown[of->value] = true;
    }
    for (int32_t i = model->exprs.count - 1; i >= 0; i--) {
        const hbg_expr_node *node = &model->exprs.items[i];
        for (int k = 0; shown[i] && k < hbg_model_expr_arity(node); k++) {
            hbg_expr argument = hbg_model_expr_argument(node, k);
            if (argument >= 0) shown[argument] = true;
        }
        for (int32_t k = 0; shown[i] && node->op == HBG_OP_PRE && k < model->automata.count; k++)
            connect(c, c->vertex_of[i], c->first_automaton + k);
    }
}

/* ---- states ------------------------------------------------------------------------------------------- */

static bool has_state(const connector *c, int32_t vertex) {
    if (vertex < c->first_automaton) {
        hbg_element_kind kind = c->model->elements.items[vertex].kind;
        return kind == HBG_KIND_C || kind == HBG_KIND_I;
    }
    return vertex >= c->first_signal &&
           c->model->signals.items[vertex - c->first_signal].kind == HBG_SIGNAL_STATE;
}

static void connect_stateless(hbg_arena *arena, const connector *c) {
    bool *alive = HBG_NEW_ARRAY(arena, bool, c->count + 1);
    int32_t first = HBG_NONE;
    for (int32_t i = 0; i < c->count; i++) alive[top_of(c, i)] |= has_state(c, i);
    for (int32_t i = 0; i < c->count && first == HBG_NONE; i++)
        if (alive[top_of(c, i)]) first = i;
    for (int32_t i = 0; i < c->count; i++)
        if (!alive[top_of(c, i)]) connect(c, first == HBG_NONE ? 0 : first, i);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

/* By vertex the number of its part. */
static int32_t *number_parts(hbg_arena *arena, const connector *c, hbg_parts *parts) {
    int32_t *number = HBG_NEW_ARRAY(arena, int32_t, c->count + 1);
    for (int32_t i = 0; i < c->count; i++) {
        int32_t top = top_of(c, i);
        number[i] = top == i ? parts->count++ : number[top];
    }
    return number;
}

static void count_switching(hbg_arena *arena, hbg_parts *parts, const hbg_model *model) {
    bool *switches = HBG_NEW_ARRAY(arena, bool, parts->count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) {
        bool *own = &switches[parts->of_automaton[i]];
        parts->switching += !*own;
        *own = true;
    }
}

hbg_parts hbg_model_parts_find(hbg_arena *arena, const hbg_model *sorted, const hbg_record *outputs,
                               int32_t output_count) {
    hbg_parts parts = {.of_output = HBG_NEW_ARRAY(arena, int32_t, output_count + 1)};
    connector c = {.model = sorted, .first_automaton = sorted->elements.count};
    c.first_signal = c.first_automaton + sorted->automata.count;
    c.count = c.first_signal + sorted->signals.count;
    c.above = HBG_NEW_ARRAY(arena, int32_t, c.count + 1);
    c.vertex_of = HBG_NEW_ARRAY(arena, int32_t, sorted->exprs.count + 1);
    c.needed = HBG_NEW_ARRAY(arena, bool, sorted->exprs.count + 1);
    for (int32_t i = 0; i < c.count; i++) c.above[i] = i;
    for (int32_t i = 0; i < sorted->bonds.count; i++)
        connect(&c, sorted->bonds.items[i].from.element, sorted->bonds.items[i].to.element);
    mark_needed(&c, outputs, output_count);
    read_expressions(&c, false);
    read_expressions(&c, true);
    read_all(&c);
    connect_shown_pre(arena, &c, outputs, output_count);
    connect_stateless(arena, &c);
    int32_t *number = number_parts(arena, &c, &parts);
    parts.of_element = number;
    parts.of_automaton = number + c.first_automaton;
    parts.of_signal = number + c.first_signal;
    for (int32_t i = 0; i < output_count; i++) {
        int32_t vertex = c.vertex_of[outputs[i].value];
        parts.of_output[i] = vertex == HBG_NONE ? 0 : number[vertex];
    }
    for (int32_t i = 0; i < sorted->signals.count; i++)
        if (signal_vertex(&c, i) == HBG_NONE) parts.of_signal[i] = HBG_NONE;
    if (parts.count > 0) count_switching(arena, &parts, sorted);
    return parts;
}
