/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Algebraic loops: signals that depend on themselves without a storage between. Along each link run two
 * signals, one each way; a place makes its outgoing ones from the arriving ones, a resistor reflects its
 * arriving one, and a resistor with several ports mixes those of all ports. The loops are the strong
 * components of that graph in which a signal depends on itself. */
#include "causal/causal_impl.h"
#include "graph/graph.h"

typedef struct {
    const hbg_causal_assignment *assignment;
    int32_t *start, *heads;
    bool *own; /* by node: it depends on itself directly, over a link that leads back to its place */
    bool counting;
} signal_graph;

/* Node `slot` is the signal that arrives at that end; the one that leaves it arrives at the other end. After
 * the slots there is a node for each element, where a resistor with several ports mixes the arriving
 * signals. */
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
        if (end->place != HBG_NONE || end->demand != HBG_DEMAND_FREE) continue;
        if (structure->model->elements.items[end->element].ports == 1) {
            arc(graph, slot, slot ^ 1);
        } else {
            arc(graph, slot, 2 * structure->link_count + end->element);
            arc(graph, 2 * structure->link_count + end->element, slot ^ 1);
        }
    }
}

/* By slot: the number of the loop that the signal arriving there is on, or HBG_NONE. */
typedef struct {
    int32_t *of;
    int32_t count;
} signal_loops;

static signal_loops number_loops(hbg_arena *arena, const signal_graph *graph, int32_t nodes) {
    signal_loops loops = {HBG_NEW_ARRAY(arena, int32_t, nodes + 1), 0};
    int32_t components = hbg_graph_strong_components(arena, nodes, graph->start, graph->heads, loops.of);
    int32_t *number = HBG_NEW_ARRAY(arena, int32_t, components + 1); // first the size
    for (int32_t i = 0; i < nodes; i++) number[loops.of[i]] += graph->own[i] ? 2 : 1;
    for (int32_t i = 0; i < components; i++) number[i] = number[i] > 1 ? loops.count++ : HBG_NONE;
    for (int32_t i = 0; i < nodes; i++) loops.of[i] = number[loops.of[i]];
    return loops;
}

static signal_loops find_loops(hbg_arena *arena, const hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t nodes = 2 * structure->link_count + structure->model->elements.count;
    signal_graph graph = {.assignment = assignment, .counting = true};
    graph.start = HBG_NEW_ARRAY(arena, int32_t, nodes + 3);
    graph.own = HBG_NEW_ARRAY(arena, bool, nodes + 1);
    add_arcs(&graph);
    for (int32_t i = 2; i <= nodes + 1; i++) graph.start[i] += graph.start[i - 1];
    graph.heads = HBG_NEW_ARRAY(arena, int32_t, graph.start[nodes + 1] + 1);
    graph.counting = false;
    add_arcs(&graph);
    return number_loops(arena, &graph, nodes);
}

/* The loops through a place: that of the signal over its determining link, and that of the sum of the others.
 * HBG_NONE if there is none; the second also if it is the first. */
static void loops_of_place(const signal_loops *loops, const hbg_causal_assignment *assignment, int32_t place,
                           int32_t found[2]) {
    found[0] = found[1] = HBG_NONE;
    if (!assignment->on[place] || assignment->count[place] != 1) return;
    int32_t determining = assignment->determining[place];
    found[0] = loops->of[determining];
    if (loops->of[determining ^ 1] != found[0]) found[1] = loops->of[determining ^ 1];
}

int32_t hbg_causal_loops(hbg_arena *arena, const hbg_causal_assignment *assignment, int32_t *loop) {
    signal_loops loops = find_loops(arena, assignment);
    for (int32_t place = 0; place < assignment->structure->place_count; place++) {
        int32_t found[2];
        loops_of_place(&loops, assignment, place, found);
        loop[place] = found[0] != HBG_NONE ? found[0] : found[1];
    }
    return loops.count;
}

/* ---- members ------------------------------------------------------------------------------------------ */

typedef HBG_VEC(hbg_causal_loop_member) member_list;

static void add_members(hbg_arena *arena, member_list *list, const signal_loops *loops,
                        const hbg_causal_assignment *assignment, int32_t element) {
    const hbg_causal_structure *structure = assignment->structure;
    if (structure->element_place[element] != HBG_NONE) {
        int32_t found[2];
        loops_of_place(loops, assignment, structure->element_place[element], found);
        for (int i = 0; i < 2; i++)
            if (found[i] != HBG_NONE) HBG_PUSH(arena, *list, (hbg_causal_loop_member){found[i], element, 0});
        return;
    }
    if (structure->model->elements.items[element].kind != HBG_KIND_R) return;
    for (int32_t port = 1; port <= structure->model->elements.items[element].ports; port++) {
        int32_t slot = hbg_causal_slot_at(structure, element, port);
        if (slot != HBG_NONE && loops->of[slot] != HBG_NONE)
            HBG_PUSH(arena, *list, (hbg_causal_loop_member){loops->of[slot], element, port});
    }
}

hbg_causal_loop_members hbg_causal_loops_with_members(hbg_arena *arena,
                                                      const hbg_causal_assignment *assignment) {
    signal_loops loops = find_loops(arena, assignment);
    member_list list = {0};
    for (int32_t element = 0; element < assignment->structure->model->elements.count; element++)
        add_members(arena, &list, &loops, assignment, element);
    // in the order of the loops, and within each in the given order
    hbg_causal_loop_members members = {HBG_NEW_ARRAY(arena, hbg_causal_loop_member, list.count + 1),
                                       list.count, loops.count};
    int32_t *next = HBG_NEW_ARRAY(arena, int32_t, loops.count + 2);
    for (int32_t i = 0; i < list.count; i++) next[list.items[i].loop + 1]++;
    for (int32_t i = 1; i <= loops.count; i++) next[i] += next[i - 1];
    for (int32_t i = 0; i < list.count; i++) members.items[next[list.items[i].loop]++] = list.items[i];
    return members;
}
