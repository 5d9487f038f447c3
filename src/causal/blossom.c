/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Alternating paths. Choosing determining bonds is a matching: every place that is on is matched to one of
 * its links. Vertices are the places and those links that determine exactly one of the two places they join
 * (two junctions of one kind, or of unlike kind across a gyrator); all other links between places are edges.
 * A vertex that has lost its partner takes a new one from a neighbour, whose partner searches for another in
 * turn, and so on, until the path ends where a change is absorbed: at a resistor, at a storage, or at a place
 * that had none or one too many. This generalises "an R element absorbs the causal change" (001, section 5)
 * to an R further away. Breadth first gives a short path, so changes stay local.
 *
 * In a cycle with an odd number of gyrators a search can meet a vertex both as one that takes (outer) and as
 * one that is taken from (inner). The odd cycle, a blossom, is then contracted to its base and searched on as
 * one outer vertex (J. Edmonds, Paths, trees, and flowers, 1965): the search finds a path if there is one. If
 * it finds none, no path leads out of the vertices it has met, so later searches need not enter them. */
#include "causal/causal_impl.h"

#include <string.h>

typedef struct {
    hbg_causal_assignment *assignment;
    const hbg_causal_structure *structure;
    int32_t root;
    int32_t head, tail; /* of the queue of outer vertices */
    int32_t met;
    int best_gain;       /* of the best end found so far */
    int32_t best_vertex; /* its vertex */
    int32_t best_slot;   /* the link end that the vertex takes or drops there; or HBG_NONE */
    bool best_takes;
    bool may_leave; /* a place may be left without a determining link */
} path_search;

bool hbg_causal_passable(const hbg_causal_assignment *assignment, int32_t link) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t here = structure->links[link].end[0].place, there = structure->links[link].end[1].place;
    if (here == HBG_NONE || there == HBG_NONE || !assignment->on[here] || !assignment->on[there])
        return false; // an off place absorbs nothing
    if (assignment->relaxed && assignment->relaxed[link]) return false;
    return !assignment->rigid[link] && !assignment->waived[link] && structure->link_fixed[link] == HBG_NONE;
}

int hbg_causal_gain(const hbg_causal_assignment *assignment, int32_t slot) {
    const hbg_causal_end *end = &assignment->structure->links[slot >> 1].end[slot & 1];
    if (assignment->rigid[slot >> 1]) return GAIN_NONE;
    if (end->demand == HBG_DEMAND_FREE) return GAIN_ZERO;
    bool wants = (!assignment->mark[slot]) == end->wants_effort;
    if (end->demand == HBG_DEMAND_MUST) return wants ? GAIN_ZERO : GAIN_NONE;
    if (wants) return 1;
    bool cheap = causal_worth(assignment->structure, slot >> 1) < assignment->worth_limit;
    return cheap ? GAIN_LOSS : GAIN_NONE;
}

/* ---- vertices ----------------------------------------------------------------------------------------- */

static bool is_place(const path_search *search, int32_t vertex) {
    return vertex < search->structure->place_count;
}

/* The vertex at the other end of an edge that starts with this link end at a place. */
static int32_t across(const path_search *search, int32_t slot) {
    int32_t own = search->structure->link_vertex[slot >> 1];
    return own != HBG_NONE ? own : causal_place(search->structure, slot ^ 1);
}

/* The end at which such a link determines. */
static int32_t marked_end(const path_search *search, int32_t vertex) {
    int32_t slot = 2 * search->structure->vertex_link[vertex];
    return search->assignment->mark[slot] ? slot : slot ^ 1;
}

/* The partner of a vertex that has one. */
static int32_t partner(const path_search *search, int32_t vertex) {
    if (is_place(search, vertex)) return across(search, search->assignment->determining[vertex]);
    return causal_place(search->structure, marked_end(search, vertex));
}

static void meet(path_search *search, int32_t vertex) {
    causal_search *notes = &search->assignment->search;
    if (notes->outer[vertex] == notes->number || notes->inner[vertex] == notes->number) return;
    notes->met[search->met++] = vertex;
    notes->base[vertex] = vertex;
}

/* Of two storages that would become derivative, the one of less worth is cheaper. */
static bool is_cheaper(const path_search *search, int32_t slot, int gain) {
    const hbg_causal_structure *structure = search->structure;
    return gain == GAIN_LOSS && search->best_gain == GAIN_LOSS &&
           causal_worth(structure, slot >> 1) < causal_worth(structure, search->best_slot >> 1);
}

static void offer_end(path_search *search, int32_t vertex, int32_t slot, bool takes, int gain) {
    if (gain < search->best_gain) return;
    if (gain == search->best_gain && !is_cheaper(search, slot, gain)) return;
    search->best_gain = gain;
    search->best_vertex = vertex;
    search->best_slot = slot;
    search->best_takes = takes;
}

static void make_outer(path_search *search, int32_t vertex) {
    causal_search *notes = &search->assignment->search;
    if (notes->outer[vertex] == notes->number) return;
    meet(search, vertex);
    notes->outer[vertex] = notes->number;
    notes->queue[search->tail++] = vertex;
    if (search->may_leave && is_place(search, vertex) && vertex != search->root)
        offer_end(search, vertex, HBG_NONE, true, GAIN_DEFICIT);
}

/* ---- blossoms ----------------------------------------------------------------------------------------- */

/* The outer vertex two steps closer to the root, from a base. */
static int32_t climb(const path_search *search, int32_t vertex) {
    return search->assignment->search.base[search->assignment->search.parent[partner(search, vertex)]];
}

static int32_t common_base(path_search *search, int32_t a, int32_t b) {
    causal_search *notes = &search->assignment->search;
    int32_t stamp = ++notes->stamped, root = notes->base[search->root];
    for (a = notes->base[a];; a = climb(search, a)) {
        notes->stamp[a] = stamp;
        if (a == root) break;
    }
    for (b = notes->base[b]; notes->stamp[b] != stamp; b = climb(search, b)) continue;
    return b;
}

/* Stamps the blossoms from a vertex down to the base, and gives the vertices that had only a way to the root
 * the way round the cycle, over `child`. */
static void turn_round(path_search *search, int32_t vertex, int32_t base, int32_t child, int32_t slot) {
    causal_search *notes = &search->assignment->search;
    while (notes->base[vertex] != base) {
        int32_t mate = partner(search, vertex);
        notes->stamp[notes->base[vertex]] = notes->stamped;
        notes->stamp[notes->base[mate]] = notes->stamped;
        notes->parent[vertex] = child;
        notes->parent_slot[vertex] = slot;
        child = mate;
        slot = notes->parent_slot[mate];
        vertex = notes->parent[mate];
    }
}

/* Two outer vertices are neighbours over a link: contracts the odd cycle. */
static void draw_together(path_search *search, int32_t a, int32_t b, int32_t slot) {
    causal_search *notes = &search->assignment->search;
    int32_t base = common_base(search, a, b);
    notes->stamped++;
    turn_round(search, a, base, b, slot);
    turn_round(search, b, base, a, slot);
    int32_t met = search->met;
    for (int32_t i = 0; i < met; i++) {
        int32_t vertex = notes->met[i];
        if (notes->stamp[notes->base[vertex]] != notes->stamped) continue;
        notes->base[vertex] = base;
        make_outer(search, vertex);
    }
}

/* ---- the search --------------------------------------------------------------------------------------- */

/* A failed earlier search, which could end wherever this one can, has met the vertex. */
static bool is_closed(const hbg_causal_assignment *assignment, int32_t vertex) {
    return assignment->search.closing && assignment->search.closed[vertex] == assignment->search.round &&
           assignment->search.closed_limit[vertex] >= assignment->worth_limit;
}

static void close_all(const path_search *search) {
    hbg_causal_assignment *assignment = search->assignment;
    causal_search *notes = &assignment->search;
    for (int32_t i = 0; i < search->met; i++) {
        notes->closed[notes->met[i]] = notes->round;
        notes->closed_limit[notes->met[i]] = assignment->worth_limit;
    }
}

/* An inner vertex passes its need on to its partner, or ends the path. */
static void hand_on(path_search *search, int32_t vertex) {
    hbg_causal_assignment *assignment = search->assignment;
    int32_t mate, end = HBG_NONE;
    if (is_place(search, vertex)) {
        if (assignment->count[vertex] == 0) offer_end(search, vertex, HBG_NONE, false, GAIN_ZERO);
        if (assignment->count[vertex] != 1) return; // one too many is for another path to repair
        int32_t slot = assignment->determining[vertex];
        if (assignment->relaxed && assignment->relaxed[slot >> 1])
            offer_end(search, vertex, slot, false, GAIN_ZERO);
        else if (causal_place(search->structure, slot ^ 1) == HBG_NONE)
            offer_end(search, vertex, slot, false, hbg_causal_gain(assignment, slot ^ 1));
        if (!hbg_causal_passable(assignment, slot >> 1)) return;
        mate = across(search, slot);
        end = slot;
    } else {
        mate = partner(search, vertex);
    }
    if (is_place(search, mate) && assignment->count[mate] > 1) // it has another link
        offer_end(search, vertex, end, false, GAIN_ZERO);
    else if (!is_closed(assignment, mate))
        make_outer(search, mate);
}

/* An outer vertex could take another over a link end. */
static void reach(path_search *search, int32_t from, int32_t to, int32_t slot) {
    hbg_causal_assignment *assignment = search->assignment;
    causal_search *notes = &assignment->search;
    if (is_closed(assignment, to)) return;
    bool outer = notes->outer[to] == notes->number;
    bool inner = notes->inner[to] == notes->number;
    if ((outer || inner) && notes->base[from] == notes->base[to]) return;
    if (outer) {
        draw_together(search, from, to, slot);
    } else if (!inner) {
        meet(search, to);
        notes->inner[to] = notes->number;
        notes->parent[to] = from;
        notes->parent_slot[to] = slot;
        hand_on(search, to);
    }
}

static void look_around(path_search *search, int32_t vertex) {
    hbg_causal_assignment *assignment = search->assignment;
    const hbg_causal_structure *structure = search->structure;
    if (!is_place(search, vertex)) {
        int32_t slot = marked_end(search, vertex) ^ 1;
        reach(search, vertex, causal_place(structure, slot), slot);
        return;
    }
    for (int32_t i = structure->place_start[vertex]; i < structure->place_start[vertex + 1]; i++) {
        int32_t slot = structure->place_links[i];
        if (assignment->mark[slot]) continue;
        if (assignment->relaxed && assignment->relaxed[slot >> 1])
            offer_end(search, vertex, slot, true, GAIN_ZERO);
        else if (causal_place(structure, slot ^ 1) == HBG_NONE)
            offer_end(search, vertex, slot, true, hbg_causal_gain(assignment, slot ^ 1));
        else if (hbg_causal_passable(assignment, slot >> 1))
            reach(search, vertex, across(search, slot), slot);
    }
}

/* ---- the path ----------------------------------------------------------------------------------------- */

/* Flips the links from the end of the path back to its root. The flips are listed first, since the earlier
 * marks give the partners on the way. */
static void apply(path_search *search) {
    hbg_causal_assignment *assignment = search->assignment;
    causal_search *notes = &assignment->search;
    int32_t *path = notes->path, count = 0, vertex = search->best_vertex;
    if (search->best_slot != HBG_NONE) path[count++] = 2 * search->best_slot + search->best_takes;
    bool outer = search->best_takes;
    for (;;) {
        if (!outer) { // takes its parent
            path[count++] = 2 * notes->parent_slot[vertex] + 1;
            vertex = notes->parent[vertex];
        }
        outer = false;
        if (vertex == search->root) break;
        // an edge is given up; a link that is a vertex changes its end when it is taken
        int32_t mate = partner(search, vertex);
        if (is_place(search, vertex) && is_place(search, mate))
            path[count++] = 2 * assignment->determining[vertex];
        vertex = mate;
    }
    for (int32_t i = 0; i < count; i++) hbg_causal_set(assignment, path[i] >> 1, path[i] & 1);
}

void hbg_causal_begin_search(hbg_causal_assignment *assignment) {
    size_t size = (size_t)(assignment->structure->vertex_count + 1) * sizeof(int32_t);
    if (assignment->search.number == INT32_MAX) { // numbers run out
        assignment->search.number = 0;
        memset(assignment->search.outer, 0, size);
        memset(assignment->search.inner, 0, size);
    }
    if (assignment->search.stamped > INT32_MAX / 2) {
        assignment->search.stamped = 0;
        memset(assignment->search.stamp, 0, size);
    }
    assignment->search.number++;
}

void hbg_causal_begin_round(hbg_causal_assignment *assignment) {
    if (assignment->search.round == INT32_MAX) {
        assignment->search.round = 0;
        memset(assignment->search.closed, 0,
               (size_t)(assignment->structure->vertex_count + 1) * sizeof(int32_t));
    }
    assignment->search.round++;
    assignment->search.closing = true;
}

void hbg_causal_end_round(hbg_causal_assignment *assignment) {
    assignment->search.closing = false;
}

bool hbg_causal_find_partner(hbg_causal_assignment *assignment, int32_t vertex, int least) {
    path_search search = {.assignment = assignment,
                          .structure = assignment->structure,
                          .root = vertex,
                          .best_gain = GAIN_NONE,
                          .may_leave = least <= GAIN_DEFICIT};
    if (is_closed(assignment, vertex)) return false;
    hbg_causal_begin_search(assignment);
    make_outer(&search, vertex);
    while (search.head < search.tail && search.best_gain < 0)
        look_around(&search, assignment->search.queue[search.head++]);
    if (search.best_gain >= least)
        apply(&search);
    else if (assignment->search.closing)
        close_all(&search);
    return search.best_gain >= least;
}
