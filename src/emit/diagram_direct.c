/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The direction in which the drawing unfolds. Bonds lead away from the first source of each connected part,
 * in steps counted by breadth-first search, so a tree of junctions is laid out from left to right without
 * crossings; half arrows may point either way. Closed components have sides for power in and out: a drawing
 * with such boxes unfolds along its half arrows. */
#include "emit/diagram_impl.h"

#define FEW_BRANCHES 2
#define MUCH_LONGER  3 /* steps */

typedef struct {
    hbg_diagram *diagram;
    int32_t *distance;   /* by thing: bonds from the root of its part, -1 if not reached yet */
    int32_t *reached_by; /* by thing: the bond that reached it first, HBG_NONE for roots */
    int32_t *order;      /* things as they were reached */
    int32_t count;
} search;

static void reach(search *search, int32_t element, int32_t bond, int32_t distance) {
    if (search->distance[element] >= 0) return;
    search->distance[element] = distance;
    search->reached_by[element] = bond;
    search->order[search->count++] = element;
}

/* Breadth-first from a host, along bonds in both directions. */
static void search_from(search *search, int32_t root) {
    const hbg_diagram *diagram = search->diagram;
    int32_t head = search->count;
    reach(search, root, HBG_NONE, 0);
    while (head < search->count) {
        int32_t element = search->order[head++];
        for (int32_t i = diagram->incidence_start[element]; i < diagram->incidence_start[element + 1]; i++) {
            const hbg_diagram_link *link = &diagram->links[diagram->incidence[i]];
            if (!hbg_emit_diagram_in_skeleton(diagram, link)) continue;
            reach(search, hbg_emit_diagram_other_end(link, element), diagram->incidence[i],
                  search->distance[element] + 1);
        }
    }
}

/* ---- along half arrows ------------------------------------------------------------------------------- */

static bool has_incoming(const hbg_diagram *diagram, int32_t thing) {
    for (int32_t i = diagram->incidence_start[thing]; i < diagram->incidence_start[thing + 1]; i++) {
        const hbg_diagram_link *link = &diagram->links[diagram->incidence[i]];
        if (link->to == thing && hbg_emit_diagram_in_skeleton(diagram, link)) return true;
    }
    return false;
}

typedef struct {
    hbg_diagram *diagram;
    int8_t *state;  /* by thing: 0 not met, 1 on the way, 2 done */
    int32_t *stack; /* things on the way */
    int32_t *next;  /* by thing: where to continue in its incidence */
    int32_t depth;
} walk;

static void enter(walk *walk, int32_t thing) {
    if (walk->state[thing]) return;
    walk->state[thing] = 1;
    walk->next[thing] = walk->diagram->incidence_start[thing];
    walk->stack[walk->depth++] = thing;
}

/* Depth-first along the arrows: one that leads back to the present path is turned, so none closes a cycle. */
static void walk_from(walk *walk, int32_t root) {
    hbg_diagram *diagram = walk->diagram;
    enter(walk, root);
    while (walk->depth > 0) {
        int32_t thing = walk->stack[walk->depth - 1], at = walk->next[thing]++;
        if (at == diagram->incidence_start[thing + 1]) {
            walk->state[thing] = 2;
            walk->depth--;
            continue;
        }
        int32_t index = diagram->incidence[at];
        const hbg_diagram_link *link = &diagram->links[index];
        if (link->from != thing || !hbg_emit_diagram_in_skeleton(diagram, link)) continue;
        if (walk->state[link->to] == 1) diagram->bonds[index].turned = true;
        enter(walk, link->to);
    }
}

static void follow_arrows(hbg_diagram *diagram) {
    int32_t count = diagram->thing_count;
    walk walk = {.diagram = diagram,
                 .state = HBG_NEW_ARRAY(diagram->arena, int8_t, count + 1),
                 .stack = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1),
                 .next = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1)};
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < count; i++)
            if (diagram->symbols[i].host == i && (pass == 1 || !has_incoming(diagram, i)))
                walk_from(&walk, i);
}

/* ---- bonds --------------------------------------------------------------------------------------------- */

/* Bonds lead away from the root; between equals, from the smaller number to the larger: no cycle. */
static void direct_bond(search *search, int32_t index) {
    const hbg_diagram_link *link = &search->diagram->links[index];
    if (!hbg_emit_diagram_in_skeleton(search->diagram, link)) return;
    int32_t from = link->from, to = link->to;
    int32_t step = search->distance[to] - search->distance[from];
    bool turned = step < 0 || (step == 0 && to < from);
    if (search->diagram->boxes) turned = search->diagram->bonds[index].turned;
    search->diagram->bonds[index].turned = turned;
    search->diagram->symbols[turned ? to : from].out_count++;
    search->diagram->symbols[turned ? from : to].in_count++;
}

/* From every element the bond after which the graph reaches furthest becomes the spine, which is kept
 * straight. An element with more than two branches is in the middle of them, unless one is much longer than
 * the others. */
static void find_spines(search *search) {
    hbg_diagram *diagram = search->diagram;
    int32_t count = diagram->thing_count;
    int32_t *furthest = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1); /* steps after the element */
    int32_t *second = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1);   /* along another of its bonds */
    int32_t *spine = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) spine[i] = HBG_NONE;
    for (int32_t i = search->count - 1; i >= 0; i--) {
        int32_t element = search->order[i], bond = search->reached_by[element];
        if (bond < 0) continue;
        int32_t parent = hbg_emit_diagram_other_end(&diagram->links[bond], element),
                steps = furthest[element] + 1;
        /* this goes backwards: of equal ones the first reached is seen last */
        if (steps >= furthest[parent]) {
            second[parent] = furthest[parent];
            furthest[parent] = steps;
            spine[parent] = bond;
        } else if (steps > second[parent])
            second[parent] = steps;
    }
    for (int32_t i = 0; i < count; i++) {
        bool clear = diagram->symbols[i].out_count <= FEW_BRANCHES || furthest[i] >= second[i] + MUCH_LONGER;
        if (spine[i] >= 0 && clear) diagram->bonds[spine[i]].spine = true;
    }
}

void hbg_emit_diagram_direct(hbg_diagram *diagram) {
    int32_t count = diagram->thing_count;
    search search = {.diagram = diagram,
                     .distance = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1),
                     .reached_by = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1),
                     .order = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1)};
    for (int32_t i = 0; i < count; i++) search.distance[i] = -1;
    if (diagram->boxes) follow_arrows(diagram);
    /* where power comes from is where reading starts */
    for (int32_t i = 0; i < count; i++)
        if (diagram->boxes ? diagram->symbols[i].host == i && !has_incoming(diagram, i)
                           : hbg_emit_diagram_is_source(diagram, i))
            search_from(&search, diagram->symbols[i].host);
    for (int32_t i = 0; i < count; i++) search_from(&search, diagram->symbols[i].host);
    for (int32_t i = 0; i < diagram->link_count; i++) direct_bond(&search, i);
    find_spines(&search);
}
