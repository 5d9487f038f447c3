/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Models for drawings, built in few words. */
#ifndef HBG_TEST_GRAPH_H
#define HBG_TEST_GRAPH_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "emit/emit.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_names names;
    hbg_diagnostics diagnostics;
    hbg_model *model;
    const char *reason;
} graph;

#define NOWHERE ((hbg_span){0, 0})

static inline void graph_init(graph *g, const char *name, const char *doc) {
    *g = (graph){0};
    hbg_base_arena_init(&g->arena, &g->memory);
    hbg_base_names_init(&g->names, &g->arena);
    hbg_base_diagnostics_init(&g->diagnostics, &g->arena);
    g->model = hbg_model_new(&g->arena, &g->names, &g->diagnostics);
    g->model->name = hbg_base_names_add(&g->names, name, strlen(name));
    g->model->doc = doc;
}

static inline void graph_fini(graph *g) {
    hbg_base_arena_fini(&g->arena);
}

static inline hbg_identity graph_id(graph *g, int32_t scope, const char *name) {
    return (hbg_identity){scope, hbg_base_names_add(&g->names, name, strlen(name)), NOWHERE};
}

static inline int32_t graph_scope(graph *g, int32_t parent, const char *name, const char *component) {
    hbg_name type = hbg_base_names_add(&g->names, component, strlen(component));
    return hbg_model_add_scope(g->model, graph_id(g, parent, name), type, "a part");
}

static inline hbg_expr graph_number(graph *g, double value) {
    return hbg_model_add_number(g->model, hbg_base_decimal_of_double(&g->arena, value),
                                hbg_model_dimension_any, NOWHERE);
}

static inline hbg_expr graph_op(graph *g, hbg_operator op, int32_t a, int32_t b) {
    return hbg_model_add_expr(g->model, op, a, b, HBG_NONE, NOWHERE);
}

static inline int32_t graph_element(graph *g, int32_t scope, hbg_element_kind kind, const char *name,
                                    hbg_expr value) {
    int32_t ports = hbg_model_element_info_get(kind)->ports;
    int32_t index = hbg_model_add_element(g->model, graph_id(g, scope, name), kind, ports);
    if (value < 0) return index;
    g->model->elements.items[index].first_value = g->model->entries.count;
    g->model->elements.items[index].value_count = 1;
    HBG_PUSH(&g->arena, g->model->entries, value);
    return index;
}

static inline int32_t graph_junction(graph *g, int32_t scope, hbg_element_kind kind, const char *name) {
    return graph_element(g, scope, kind, name, HBG_NONE);
}

/* A bond with a name, or "" for none; ports as given, 0 at junctions. */
static inline int32_t graph_bond_at(graph *g, const char *name, int32_t from, int32_t from_port, int32_t to,
                                    int32_t to_port) {
    int32_t scope = g->model->elements.items[from].id.scope;
    return hbg_model_add_bond(g->model, graph_id(g, scope, name), (hbg_bond_end){from, from_port, NOWHERE},
                              (hbg_bond_end){to, to_port, NOWHERE});
}

/* Port 1 at one-ports, by direction at two-ports, 0 at junctions. */
static inline int32_t graph_bond(graph *g, const char *name, int32_t from, int32_t to) {
    int32_t out = g->model->elements.items[from].ports, in = g->model->elements.items[to].ports > 0;
    return graph_bond_at(g, name, from, out, to, in);
}

/* An automaton off -> on -> off, both ways under the guard; index of the automaton. */
static inline int32_t graph_automaton(graph *g, int32_t scope, const char *name, const char *off,
                                      const char *on, hbg_expr guard, hbg_expr back) {
    hbg_model *model = g->model;
    int32_t index = hbg_model_add_automaton(model, graph_id(g, scope, name));
    model->automata.items[index].first_state = model->states.count;
    model->automata.items[index].state_count = 2;
    const char *names[2] = {off, on};
    hbg_expr guards[2] = {guard, back};
    for (int i = 0; i < 2; i++) {
        hbg_automaton_state state = {.name = hbg_base_names_add(&g->names, names[i], strlen(names[i])),
                                     .on = i == 1,
                                     .first_transition = model->transitions.count,
                                     .transition_count = 1};
        HBG_PUSH(&g->arena, model->states, state);
        HBG_PUSH(&g->arena, model->transitions,
                 (hbg_transition){.target = 1 - i, .guard = guards[i], .after = HBG_NONE});
    }
    return index;
}

/* Makes a junction controlled by an automaton. */
static inline void graph_control(graph *g, int32_t junction, int32_t automaton) {
    g->model->elements.items[junction].control = graph_op(g, HBG_OP_AUTOMATON, automaton, HBG_NONE);
}

/* An energy port that gives the bond a domain. */
static inline void graph_domain(graph *g, int32_t bond, hbg_domain domain) {
    char name[32];
    snprintf(name, sizeof name, "port%d", (int)g->model->ports.count);
    int32_t port = hbg_model_add_port(g->model, graph_id(g, 0, name), domain);
    g->model->ports.items[port].bond = bond;
}

#endif
