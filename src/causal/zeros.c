/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Repeated zeros (semantics, section 3). An off junction sets zero on its bonds, whatever its neighbours do.
 * If that is the neighbour's common variable, the neighbour is grounded, and so are the places that its
 * variable is passed on to: a bundle, joined by links that always determine one of their two ends. In a
 * grounded bundle every variable is zero, so a second zero that arrives there contradicts nothing: its link
 * is waived, it determines neither end. The links that remain are a tree from the off junctions outwards. */
#include "causal/causal_impl.h"

typedef struct {
    hbg_causal_assignment *assignment;
    const hbg_causal_structure *structure;
    int32_t *members; /* places of the bundle */
    int32_t count;
} bundle;

/* A member's link passes variables on: to or from another place that is on. */
static bool joins(const bundle *b, int32_t slot) {
    const hbg_causal_assignment *assignment = b->assignment;
    if (b->structure->link_vertex[slot >> 1] == HBG_NONE) return false;
    if (assignment->relaxed && assignment->relaxed[slot >> 1]) return false;
    return assignment->on[causal_place(b->structure, slot ^ 1)];
}

/* An off junction at the other end sets the variable of the place at this end. */
static bool is_ground(const bundle *b, int32_t slot) {
    const hbg_causal_assignment *assignment = b->assignment;
    int32_t there = causal_place(b->structure, slot ^ 1);
    if (there == HBG_NONE || assignment->on[there]) return false;
    if (assignment->relaxed && assignment->relaxed[slot >> 1]) return false;
    return causal_partner(b->structure, slot ^ 1, b->structure->dual_off[there]) == 1;
}

static void add_member(bundle *b, int32_t place) {
    if (b->assignment->search.outer[place] == b->assignment->search.number) return;
    b->assignment->search.outer[place] = b->assignment->search.number;
    b->members[b->count++] = place;
}

static bundle collect(hbg_causal_assignment *assignment, int32_t place) {
    bundle b = {assignment, assignment->structure, assignment->search.met, 0};
    hbg_causal_begin_search(assignment);
    add_member(&b, place);
    for (int32_t k = 0; k < b.count; k++) {
        int32_t at = b.members[k];
        for (int32_t i = b.structure->place_start[at]; i < b.structure->place_start[at + 1]; i++) {
            int32_t slot = b.structure->place_links[i];
            if (joins(&b, slot)) add_member(&b, causal_place(b.structure, slot ^ 1));
        }
    }
    return b;
}

/* Lets the link bring its zero to the place at this end. */
static void speak(bundle *b, int32_t slot) {
    hbg_causal_set_waived(b->assignment, slot >> 1, false);
    hbg_causal_set_one(b->assignment, slot, 1);
    if (joins(b, slot)) hbg_causal_set_one(b->assignment, slot ^ 1, 0);
}

static void waive(bundle *b, int32_t slot) {
    hbg_causal_set_waived(b->assignment, slot >> 1, true);
    hbg_causal_set_one(b->assignment, slot, 0);
    if (joins(b, slot)) hbg_causal_set_one(b->assignment, slot ^ 1, 0);
}

/* The place now has its zero, over this link end, and can pass it on. */
static void supply(bundle *b, int32_t slot, int32_t *tail) {
    int32_t place = causal_place(b->structure, slot);
    speak(b, slot);
    b->assignment->search.inner[place] = b->assignment->search.number;
    b->assignment->search.parent_slot[place] = slot;
    b->assignment->search.queue[(*tail)++] = place;
}

static bool is_supplied(const bundle *b, int32_t place) {
    return b->assignment->search.inner[place] == b->assignment->search.number;
}

/* Keeps the first of the zeros that off junctions bring to the place itself. */
static void supply_from_off(bundle *b, int32_t place, int32_t *tail) {
    for (int32_t i = b->structure->place_start[place]; i < b->structure->place_start[place + 1]; i++) {
        int32_t slot = b->structure->place_links[i];
        if (!is_ground(b, slot)) continue;
        if (is_supplied(b, place))
            waive(b, slot);
        else
            supply(b, slot, tail);
    }
}

static void hand_on(bundle *b, int32_t place, int32_t *tail) {
    for (int32_t i = b->structure->place_start[place]; i < b->structure->place_start[place + 1]; i++) {
        int32_t slot = b->structure->place_links[i];
        if (!joins(b, slot) || slot == b->assignment->search.parent_slot[place]) continue;
        if (!is_supplied(b, causal_place(b->structure, slot ^ 1)))
            supply(b, slot ^ 1, tail);
        else if (slot >> 1 != b->assignment->search.parent_slot[causal_place(b->structure, slot ^ 1)] >> 1)
            waive(b, slot);
    }
}

bool hbg_causal_ground(hbg_causal_assignment *assignment, int32_t place) {
    if (assignment->is_grounded[place]) return false;
    bundle b = collect(assignment, place);
    int32_t tail = 0;
    for (int32_t k = 0; k < b.count; k++) {
        hbg_causal_push(assignment, b.members[k]);
        assignment->is_grounded[b.members[k]] = true;
    }
    for (int32_t k = 0; k < b.count; k++) supply_from_off(&b, b.members[k], &tail);
    for (int32_t k = 0; k < tail; k++) hand_on(&b, assignment->search.queue[k], &tail);
    return tail > 0;
}

void hbg_causal_unground(hbg_causal_assignment *assignment, int32_t place) {
    bundle b = collect(assignment, place);
    for (int32_t k = 0; k < b.count; k++)
        for (int32_t i = b.structure->place_start[b.members[k]];
             i < b.structure->place_start[b.members[k] + 1]; i++) {
            int32_t slot = b.structure->place_links[i];
            if (assignment->waived[slot >> 1]) speak(&b, slot); // the end does not matter yet
        }
}
