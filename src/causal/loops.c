/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Algebraic loops: signals that depend on themselves without a storage between. Along each link run two
 * signals, one each way; a place makes its outgoing ones from the arriving ones, a resistor turns its
 * arriving one round. The strong components of that graph in which a signal depends on itself are the loops. */
#include "causal/causal_impl.h"
#include "graph/graph.h"

typedef struct {
    const hbg_causal_assignment *assignment;
    int32_t *start, *heads;
    bool *own; /* by node: it depends on itself at once, over a link that leads back to its place */
    bool counting;
} signal_graph;

/* Node `slot` is the signal that arrives at that end; the one that leaves it arrives at the other end. */
static void arc(signal_graph *graph, int32_t from, int32_t to) {
    if (graph->counting)
        graph->start[from + 2]++;
    else
        graph->heads[graph->start[from + 1]++] = to;
    if (from == to) graph->own[from] = true;
}

static void add_place(signal_graph *graph, int32_t place) {
    const hbg_causal_structure *structure = graph->assignment->structure;
    if (!graph->assignment->on[place] || graph->assignment->count[place] != 1) return;
    int32_t determining = graph->assignment->determining[place];
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        if (slot == determining) continue;
        arc(graph, determining, slot ^ 1); // the common variable goes out on the others
        arc(graph, slot, determining ^ 1); // their sum goes out on the determining one
    }
}

static void add_arcs(signal_graph *graph) {
    const hbg_causal_structure *structure = graph->assignment->structure;
    for (int32_t place = 0; place < structure->place_count; place++) add_place(graph, place);
    for (int32_t slot = 0; slot < 2 * structure->link_count; slot++) {
        const hbg_causal_end *end = &structure->links[slot >> 1].end[slot & 1];
        if (end->place == HBG_NONE && end->demand == HBG_DEMAND_FREE) arc(graph, slot, slot ^ 1);
    }
}

int32_t hbg_causal_loops(hbg_arena *arena, const hbg_causal_assignment *assignment, int32_t *loop) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t nodes = 2 * structure->link_count;
    signal_graph graph = {.assignment = assignment, .counting = true};
    graph.start = HBG_NEW_ARRAY(arena, int32_t, nodes + 3);
    graph.own = HBG_NEW_ARRAY(arena, bool, nodes + 1);
    add_arcs(&graph);
    for (int32_t i = 2; i <= nodes + 1; i++) graph.start[i] += graph.start[i - 1];
    graph.heads = HBG_NEW_ARRAY(arena, int32_t, graph.start[nodes + 1] + 1);
    graph.counting = false;
    add_arcs(&graph);
    int32_t *component = HBG_NEW_ARRAY(arena, int32_t, nodes + 1);
    int32_t components = hbg_graph_strong_components(arena, nodes, graph.start, graph.heads, component);
    int32_t *size = HBG_NEW_ARRAY(arena, int32_t, components + 1);
    int32_t *number = HBG_NEW_ARRAY(arena, int32_t, components + 1);
    for (int32_t i = 0; i < nodes; i++) size[component[i]] += graph.own[i] ? 2 : 1;
    int32_t loops = 0;
    for (int32_t i = 0; i < components; i++) number[i] = size[i] > 1 ? loops++ : HBG_NONE;
    for (int32_t place = 0; place < structure->place_count; place++) {
        loop[place] = HBG_NONE;
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
            if (number[component[structure->place_links[i]]] != HBG_NONE)
                loop[place] = number[component[structure->place_links[i]]];
    }
    return loops;
}
