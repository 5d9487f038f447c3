/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * From where to where the drawing unfolds. Bonds lead away from the first source of each connected part, in
 * steps counted by breadth-first search, so that a tree of junctions is laid out from left to right without
 * crossings; half arrows may point either way. */
#include "emit/diagram_impl.h"

#define FEW_BRANCHES 2
#define MUCH_LONGER  3 /* steps */

typedef struct {
    hbg_diagram *diagram;
    int32_t *distance;   /* by element: bonds from the root of its part, -1 if not reached yet */
    int32_t *reached_by; /* by element: the bond that reached it first, HBG_NONE for roots */
    int32_t *order;      /* elements as they were reached */
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
    const hbg_model *model = search->diagram->model;
    int32_t head = search->count;
    reach(search, root, HBG_NONE, 0);
    while (head < search->count) {
        int32_t element = search->order[head++];
        for (int32_t i = model->incidence_start[element]; i < model->incidence_start[element + 1]; i++) {
            const hbg_bond *bond = &model->bonds.items[model->incidence[i]];
            if (!hbg_emit_diagram_in_skeleton(search->diagram, bond)) continue;
            reach(search, hbg_emit_diagram_other_end(bond, element), model->incidence[i],
                  search->distance[element] + 1);
        }
    }
}

/* Bonds lead away from the root; between equals, from the smaller number to the larger: no cycle. */
static void direct_bond(search *search, int32_t index) {
    const hbg_bond *bond = &search->diagram->model->bonds.items[index];
    if (!hbg_emit_diagram_in_skeleton(search->diagram, bond)) return;
    int32_t from = bond->from.element, to = bond->to.element;
    int32_t step = search->distance[to] - search->distance[from];
    bool turned = step < 0 || (step == 0 && to < from);
    search->diagram->bonds[index].turned = turned;
    search->diagram->symbols[turned ? to : from].out_count++;
    search->diagram->symbols[turned ? from : to].in_count++;
}

/* From every element the bond behind which the graph reaches furthest becomes the spine, which is kept
 * straight. An element with more than two branches stands in the middle of them, unless one is much longer
 * than the others. */
static void find_spines(search *search) {
    hbg_diagram *diagram = search->diagram;
    int32_t count = diagram->model->elements.count;
    int32_t *furthest = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1); /* steps behind the element */
    int32_t *second = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1);   /* along another of its bonds */
    int32_t *spine = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) spine[i] = HBG_NONE;
    for (int32_t i = search->count - 1; i >= 0; i--) {
        int32_t element = search->order[i], bond = search->reached_by[element];
        if (bond < 0) continue;
        int32_t parent = hbg_emit_diagram_other_end(&diagram->model->bonds.items[bond], element),
                steps = furthest[element] + 1;
        /* this goes backwards: of equals the first reached is the last seen */
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
    const hbg_model *model = diagram->model;
    int32_t count = model->elements.count;
    search search = {.diagram = diagram,
                     .distance = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1),
                     .reached_by = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1),
                     .order = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1)};
    for (int32_t i = 0; i < count; i++) search.distance[i] = -1;
    /* where power comes from is where reading starts */
    for (int32_t i = 0; i < count; i++)
        if (hbg_emit_diagram_is_source(model, i)) search_from(&search, diagram->symbols[i].host);
    for (int32_t i = 0; i < count; i++) search_from(&search, diagram->symbols[i].host);
    for (int32_t i = 0; i < model->bonds.count; i++) direct_bond(&search, i);
    find_spines(&search);
}
