/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names in the log and the story are those of the model. The system knows bonds and calls a relation by them; who wrote
 * `j.f < hold` wants to read that, and of a pulse the element that takes it. */
#include <string.h>

#include "api/run_events_impl.h"

/* ---- bonds -------------------------------------------------------------------------------------------- */

static const hbg_element *element_at(const hbg_model *model, const hbg_bond_end *end) {
    return &model->elements.items[end->element];
}

/* Storages first, then what else has one port: 0 to 3. */
static int32_t rank_of(const hbg_model *model, const hbg_bond *bond, const hbg_bond_end **named) {
    const hbg_bond_end *ends[] = {&bond->from, &bond->to};
    int32_t rank = bond->id.name != 0 ? 2 : 3;
    *named = NULL;
    for (int i = 0; i < 2; i++) {
        hbg_element_kind kind = element_at(model, ends[i])->kind;
        bool storage = kind == HBG_KIND_C || kind == HBG_KIND_I;
        bool one_port = hbg_element_info_get(kind)->ports == 1;
        int32_t own = storage ? 0 : one_port && bond->id.name == 0 ? 1 : 3;
        if (own >= rank) continue;
        rank = own;
        *named = ends[i];
    }
    return rank;
}

/* Variables of an element are positive into storages and resistors and out of sources; a bond drawn the other way has the
 * negative of what its junction sums. */
static double sign_of(const hbg_model *model, const hbg_bond *bond, const hbg_bond_end *end, int side) {
    hbg_element_kind kind = element_at(model, end)->kind;
    bool usual = (end == &bond->to) == (kind != HBG_KIND_SE && kind != HBG_KIND_SF);
    bool summed_is_effort =
        element_at(model, end == &bond->to ? &bond->from : &bond->to)->kind == HBG_KIND_ONE;
    return usual || summed_is_effort == (side == 1) ? 1 : -1;
}

static void name_bonds(hbg_session *session, hbg_run_events *events) {
    hbg_arena *arena = &session->scratch;
    const hbg_model *model = events->state->model;
    int32_t count = events->state->system->bond_count;
    events->bonds = HBG_NEW_ARRAY(arena, hbg_run_bond, count + 1);
    for (int32_t i = 0; i < count; i++) {
        const hbg_bond *bond = &model->bonds.items[i];
        const hbg_bond_end *end;
        hbg_run_bond *of = &events->bonds[i];
        *of = (hbg_run_bond){events->state->system->bonds[i].name, rank_of(model, bond, &end), {1, 1}};
        if (!end) continue;
        hbg_buffer name;
        hbg_buffer_init(&name, arena);
        hbg_model_path(model, (hbg_object){HBG_OBJECT_ELEMENT, end->element}, &name);
        if (element_at(model, end)->ports > 1) hbg_buffer_print(&name, "[%d]", (int)end->port);
        of->name = name.data;
        for (int side = 0; side < 2; side++) of->sign[side] = sign_of(model, bond, end, side);
    }
}

double hbg_run_event_area(const hbg_run_events *events, const hbg_sim_visit *visit, int side, int32_t bond) {
    return events->bonds[bond].sign[side] * (side ? visit->flow[bond] : visit->effort[bond]);
}

/* ---- relations ---------------------------------------------------------------------------------------- */

/* As the system calls the common variable of a junction: by its first bond, and that by its one-port. */
static const char *system_name(hbg_session *session, const hbg_model *model, const hbg_expr_node *node) {
    int32_t index = model->incidence[model->incidence_start[node->a]];
    const hbg_bond *bond = &model->bonds.items[index];
    const hbg_bond_end *ends[] = {&bond->from, &bond->to};
    int side = node->op == HBG_OP_FLOW;
    hbg_object object = {HBG_OBJECT_BOND, index};
    hbg_buffer name;
    hbg_buffer_init(&name, &session->scratch);
    for (int i = 1; i >= 0 && bond->id.name == 0; i--)
        if (hbg_element_info_get(element_at(model, ends[i])->kind)->ports == 1 &&
            element_at(model, ends[i])->ports == 1 && sign_of(model, bond, ends[i], side) > 0)
            object = (hbg_object){HBG_OBJECT_ELEMENT, ends[i]->element};
    hbg_model_path(model, object, &name);
    hbg_buffer_print(&name, ".%s", side ? "f" : "e");
    return name.data;
}

static bool is_of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '>' || c == '[';
}

/* The text with a name replaced where it stands alone. */
static const char *replace(hbg_session *session, const char *text, const char *name, const char *by) {
    size_t size = strlen(name);
    hbg_buffer out;
    hbg_buffer_init(&out, &session->scratch);
    for (const char *at = text; *at;) {
        bool starts = at == text || !is_of_name(at[-1]);
        if (starts && strncmp(at, name, size) == 0 && !is_of_name(at[size])) {
            hbg_buffer_text(&out, by);
            at += size;
        } else
            hbg_buffer_char(&out, *at++);
    }
    return out.data;
}

typedef HBG_VEC(hbg_expr) expr_stack;

static void push_arguments(hbg_session *session, expr_stack *stack, const hbg_expr_node *node) {
    const hbg_expr arguments[] = {node->a, node->b, node->c};
    for (int i = hbg_operator_info_get((hbg_operator)node->op)->arity - 1; i >= 0; i--)
        HBG_PUSH(&session->scratch, *stack, arguments[i]);
}

/* A relation as it was written, and as the system has it. */
static void add_relation(hbg_session *session, hbg_run_events *events, hbg_expr relation) {
    const hbg_model *model = events->state->model;
    expr_stack stack = {0};
    hbg_run_relation of = {.written = hbg_text_expr(session, model, relation)};
    of.known = of.written;
    HBG_PUSH(&session->scratch, stack, relation);
    while (stack.count > 0) {
        hbg_expr expr = stack.items[--stack.count];
        const hbg_expr_node *node = &model->exprs.items[expr];
        bool variable = node->op == HBG_OP_EFFORT || node->op == HBG_OP_FLOW;
        if (variable && model->elements.items[node->a].ports == 0)
            of.known = replace(session, of.known, hbg_text_expr(session, model, expr),
                               system_name(session, model, node));
        else
            push_arguments(session, &stack, node);
    }
    HBG_PUSH(&session->scratch, events->relations, of);
}

static void add_relations(hbg_session *session, hbg_run_events *events, hbg_expr guard) {
    const hbg_model *model = events->state->model;
    expr_stack stack = {0};
    HBG_PUSH(&session->scratch, stack, guard);
    while (stack.count > 0) {
        hbg_expr expr = stack.items[--stack.count];
        const hbg_expr_node *node = &model->exprs.items[expr];
        if (node->op >= HBG_OP_EQUAL && node->op <= HBG_OP_GREATER_EQUAL)
            add_relation(session, events, expr);
        else if (node->op == HBG_OP_AND || node->op == HBG_OP_OR || node->op == HBG_OP_NOT)
            push_arguments(session, &stack, node);
    }
}

void hbg_run_events_prepare_names(hbg_session *session, hbg_run_events *events) {
    const hbg_model *model = events->state->model;
    name_bonds(session, events);
    for (int32_t i = 0; i < model->transitions.count; i++)
        if (model->transitions.items[i].guard != HBG_NONE)
            add_relations(session, events, model->transitions.items[i].guard);
}

/* The only automaton that the instant moved first, or HBG_NONE. */
static int32_t first_to_move(const hbg_run_events *events, const hbg_sim_event *event) {
    int32_t found = HBG_NONE;
    for (int32_t i = 0; event->visit_count > 0 && i < events->state->system->automaton_count; i++) {
        if (event->visits[0].before[i] == event->visits[0].states[i]) continue;
        if (found != HBG_NONE) return HBG_NONE;
        found = i;
    }
    return found;
}

void hbg_run_event_relation(const hbg_run_events *events, hbg_run_notes *notes, const hbg_sim_event *event,
                            int32_t root) {
    char name[200];
    const hbg_rt_system *system = events->state->system;
    system->root_name(events->state->instance, event->roots[root], name, sizeof name);
    for (int32_t i = 0; i < events->relations.count; i++) {
        if (strcmp(events->relations.items[i].known, name) != 0) continue;
        hbg_run_note(notes, events->relations.items[i].written);
        return;
    }
    int32_t automaton = first_to_move(events, event);
    if (automaton == HBG_NONE || event->root_count > 1 || event->roots[root] < system->guard_first)
        hbg_run_note(notes, name);
    else // signals have been written out in it: the guard says what was meant
        hbg_run_event_guard(events, notes, automaton, event->visits[0].before[automaton],
                            event->visits[0].states[automaton]);
}
