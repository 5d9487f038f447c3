/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Forced causality (001, Definition 4): a place is forced in a mode if it can have only one determining bond
 * there. Storages that are not fixed count as free here, since nothing propagates from a preference; links in
 * fixed causality stay as they are. A place that is off is forced, as in Algorithm 4; a place that floats has
 * no determining bond and is not forced.
 *
 * A place has another determining bond in some assignment exactly if the link it has now lies on an
 * alternating cycle, or on an alternating path between two ends that give way: resistors, storages, places
 * that float. Let the ends that give way be one node; draw an arc from a vertex that has lost its partner to
 * the one that loses its partner when the first takes a neighbour. The place is free exactly if its node is
 * on a cycle of arcs, so the strong components decide for all places at once. If links close cycles with an
 * odd number of gyrators, a cycle of arcs may cross itself and not be a path; there each candidate place is
 * tested by itself: forbid its determining bond and see whether the rest can be balanced. */
#include "causal/causal_impl.h"
#include "graph/graph.h"

/* ---- testing one place -------------------------------------------------------------------------------- */

static bool balance(hbg_causal_assignment *assignment, int32_t place) {
    if (place == HBG_NONE || !assignment->on[place]) return true;
    for (int32_t tries = 0; assignment->count[place] != 1; tries++)
        if (tries > 3 || !hbg_causal_alternate(assignment, place, GAIN_LOSS)) return false;
    return true;
}

/* Whether the place can do without its determining link. */
static bool has_another(hbg_causal_assignment *assignment, int32_t place) {
    int32_t slot = assignment->determining[place], link = slot >> 1;
    int32_t there = causal_place(assignment->structure, slot ^ 1);
    assignment->trail.on = true;
    hbg_causal_set(assignment, slot, 0);
    assignment->rigid[link] = true;
    bool possible = balance(assignment, place) && balance(assignment, there) && balance(assignment, place);
    assignment->rigid[link] = false;
    hbg_causal_undo(assignment);
    return possible;
}

/* ---- the arcs ----------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_causal_assignment *assignment; /* links that may not change are rigid */
    const hbg_causal_structure *structure;
    int32_t *start, *heads;
    bool *own; /* by node: an arc leads back to it at once */
    bool counting;
} arc_graph;

static void arc(arc_graph *graph, int32_t from, int32_t to) {
    if (from == HBG_NONE || to == HBG_NONE) return;
    if (from == to) graph->own[from] = true;
    if (graph->counting)
        graph->start[from + 2]++;
    else
        graph->heads[graph->start[from + 1]++] = to;
}

/* The node of all ends that give way. */
static int32_t giving_way(const arc_graph *graph) {
    return graph->structure->vertex_count;
}

/* The node that loses its partner when this place is taken; HBG_NONE if it cannot be taken. */
static int32_t loser(const arc_graph *graph, int32_t place) {
    const hbg_causal_assignment *assignment = graph->assignment;
    if (assignment->count[place] == 0) return giving_way(graph); // it floats, and had no partner
    if (assignment->count[place] > 1) return HBG_NONE;           // the mode is bad
    int32_t slot = assignment->determining[place], there = causal_place(graph->structure, slot ^ 1);
    if (there == HBG_NONE)
        return hbg_causal_gain(assignment, slot ^ 1) > GAIN_NONE ? giving_way(graph) : HBG_NONE;
    if (!hbg_causal_passable(assignment, slot >> 1)) return HBG_NONE;
    int32_t own = graph->structure->link_vertex[slot >> 1];
    return own != HBG_NONE ? own : there;
}

/* Arcs of a link that determines one of two places: the other place takes it, or it takes the other place. */
static void add_link(arc_graph *graph, int32_t vertex) {
    int32_t slot = 2 * graph->structure->vertex_link[vertex];
    if (!hbg_causal_passable(graph->assignment, slot >> 1)) return;
    if (!graph->assignment->mark[slot]) slot ^= 1;
    int32_t has = causal_place(graph->structure, slot), other = causal_place(graph->structure, slot ^ 1);
    arc(graph, other, has);
    arc(graph, vertex, loser(graph, other));
    if (graph->assignment->count[other] == 0) arc(graph, giving_way(graph), has);
}

static void add_place(arc_graph *graph, int32_t place) {
    const hbg_causal_structure *structure = graph->structure;
    const hbg_causal_assignment *assignment = graph->assignment;
    int32_t left = loser(graph, place);
    if (left == giving_way(graph) && assignment->count[place] == 1) arc(graph, left, place);
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], there = causal_place(structure, slot ^ 1);
        if (assignment->mark[slot]) continue;
        if (there == HBG_NONE) {
            if (hbg_causal_gain(assignment, slot ^ 1) == GAIN_NONE) continue;
            arc(graph, place, giving_way(graph));
            arc(graph, giving_way(graph), left);
        } else if (structure->link_vertex[slot >> 1] == HBG_NONE &&
                   hbg_causal_passable(assignment, slot >> 1)) {
            arc(graph, place, loser(graph, there));
            if (assignment->count[there] == 0) arc(graph, giving_way(graph), left);
        }
    }
}

static void add_arcs(arc_graph *graph) {
    for (int32_t place = 0; place < graph->structure->place_count; place++)
        if (graph->assignment->on[place]) add_place(graph, place);
    for (int32_t vertex = graph->structure->place_count; vertex < graph->structure->vertex_count; vertex++)
        add_link(graph, vertex);
}

/* By node: it is on a cycle of arcs. */
static bool *find_cycles(hbg_arena *arena, const hbg_causal_assignment *assignment) {
    int32_t nodes = assignment->structure->vertex_count + 1;
    arc_graph graph = {.assignment = assignment, .structure = assignment->structure, .counting = true};
    graph.start = HBG_NEW_ARRAY(arena, int32_t, nodes + 2);
    graph.own = HBG_NEW_ARRAY(arena, bool, nodes);
    add_arcs(&graph);
    for (int32_t i = 2; i <= nodes + 1; i++) graph.start[i] += graph.start[i - 1];
    graph.heads = HBG_NEW_ARRAY(arena, int32_t, graph.start[nodes + 1] + 1);
    graph.counting = false;
    add_arcs(&graph);
    int32_t *component = HBG_NEW_ARRAY(arena, int32_t, nodes);
    int32_t count = hbg_graph_strong_components(arena, nodes, graph.start, graph.heads, component);
    int32_t *size = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    for (int32_t i = 0; i < nodes; i++) size[component[i]]++;
    for (int32_t i = 0; i < nodes; i++) graph.own[i] = graph.own[i] || size[component[i]] > 1;
    return graph.own;
}

/* ---- all places --------------------------------------------------------------------------------------- */

/* A source, an off junction or the offline analysis dictates the determining link. */
static bool is_told(const hbg_causal_assignment *assignment, int32_t place) {
    int32_t slot = assignment->determining[place];
    const hbg_causal_end *far = &assignment->structure->links[slot >> 1].end[1 - (slot & 1)];
    if (assignment->rigid[slot >> 1]) return true;
    return far->place == HBG_NONE ? far->demand == HBG_DEMAND_MUST : !assignment->on[far->place];
}

void hbg_causal_forced(hbg_arena *arena, const hbg_causal_assignment *assignment, bool *forced) {
    const hbg_causal_structure *structure = assignment->structure;
    hbg_causal_assignment *trial = hbg_causal_assignment_copy(arena, assignment);
    for (int32_t link = 0; link < structure->link_count; link++)
        trial->rigid[link] = structure->link_fixed[link] != HBG_NONE || assignment->waived[link];
    const bool *cycles = find_cycles(arena, trial);
    for (int32_t place = 0; place < structure->place_count; place++) {
        int32_t region = structure->place_region[place];
        bool odd = structure->region_odd_start[region] < structure->region_odd_start[region + 1];
        forced[place] = !trial->on[place];
        if (forced[place] || trial->count[place] != 1) continue;
        forced[place] = is_told(trial, place) || !cycles[place] || (odd && !has_another(trial, place));
    }
}
