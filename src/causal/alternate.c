/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Alternating paths. Choosing determining bonds is a matching: every place that is on is matched to one of
 * its links. A place with none (it needs one more) or two (it needs one less) is brought into balance by
 * turning over one of its links; that moves the imbalance to the place at the other end, and so on, until the
 * path ends where a change is absorbed: at a resistor, at a storage, or at a place that is out of balance the
 * other way. This is what "an R element absorbs the causal change" (001, section 5) comes to when the R is
 * not next door. Berge: if no path exists the place cannot be balanced; breadth first gives a shortest one,
 * so what changes stays local.
 *
 * The search is exact where no cycle holds an odd number of gyrators; odd.c deals with the rest. */
#include "causal/causal_impl.h"

typedef struct {
    hbg_causal_assignment *assignment;
    int32_t head, tail; /* of the queue */
    int32_t best_node;  /* where the best end found so far is */
    int32_t best_slot;
    int best_gain; /* storages it turns integral (+1) or derivative (-1) */
} path_search;

#define NO_END (-2) /* below every gain */

static int32_t node_of(int32_t place, int need) {
    return 2 * place + need;
}

static void visit(path_search *search, int32_t place, int need, int32_t slot, int32_t from) {
    hbg_causal_assignment *assignment = search->assignment;
    int32_t node = node_of(place, need);
    if (assignment->seen[node] == assignment->search) return;
    assignment->seen[node] = assignment->search;
    assignment->reached[node] = slot;
    assignment->from[node] = from;
    assignment->queue[search->tail++] = node;
}

static void offer_end(path_search *search, int32_t node, int32_t slot, int gain) {
    if (gain <= search->best_gain) return;
    search->best_gain = gain;
    search->best_node = node;
    search->best_slot = slot;
}

/* What turning the link over means to the element at its other end; NO_END if that may not be. */
static int gain_at_element(const hbg_causal_assignment *assignment, int32_t slot) {
    const hbg_causal_end *end = &assignment->structure->links[slot >> 1].end[slot & 1];
    if (end->demand == HBG_DEMAND_FREE) return 0;
    bool wants = (!assignment->mark[slot]) == end->wants_effort;
    if (end->demand == HBG_DEMAND_MUST) return wants ? 0 : NO_END;
    return wants ? 1 : -1;
}

/* Tries to go on over one link of a place: `slot` is the link's end there. */
static void step(path_search *search, int32_t node, int32_t slot) {
    hbg_causal_assignment *assignment = search->assignment;
    const hbg_causal_structure *structure = assignment->structure;
    int32_t link = slot >> 1;
    if (assignment->rigid[link]) return;
    if (assignment->relaxed && assignment->relaxed[link]) {
        offer_end(search, node, slot, 0);
        return;
    }
    int32_t there = causal_place(structure, slot ^ 1);
    if (there == HBG_NONE) {
        offer_end(search, node, slot, gain_at_element(assignment, slot ^ 1));
        return;
    }
    if (assignment->waived[link]) { // it said nothing; now it determines this place and nothing changes there
        if (!assignment->mark[slot]) offer_end(search, node, slot, 0);
        return;
    }
    // an off place does not give way, and a fixed link leads out of the region
    if (!assignment->on[there] || structure->link_fixed[link] != HBG_NONE) return;
    bool gives = !assignment->mark[slot ^ 1]; // after the change the link determines the other place
    int32_t count = assignment->count[there];
    if (gives ? count == 0 : count > 1)
        offer_end(search, node, slot, 0);
    else
        visit(search, there, gives ? NEED_ONE_LESS : NEED_ONE_MORE, slot, node);
}

/* Turns over the links from the end of the path back to its start. */
static void apply(path_search *search) {
    hbg_causal_assignment *assignment = search->assignment;
    int32_t slot = search->best_slot;
    for (int32_t node = search->best_node;; node = assignment->from[node]) {
        if (assignment->waived[slot >> 1]) {
            hbg_causal_set_waived(assignment, slot >> 1, false);
            hbg_causal_set_one(assignment, slot, 1);
        } else {
            hbg_causal_set(assignment, slot, !assignment->mark[slot]);
        }
        slot = assignment->reached[node];
        if (assignment->from[node] == HBG_NONE) break;
    }
}

/* Runs the search from the nodes in the queue. Ends early at an end that costs nothing. */
static bool run(path_search *search, int least_gain) {
    hbg_causal_assignment *assignment = search->assignment;
    const hbg_causal_structure *structure = assignment->structure;
    while (search->head < search->tail && search->best_gain < 0) {
        int32_t node = assignment->queue[search->head++];
        int32_t place = node >> 1;
        uint8_t turned = (node & 1) == NEED_ONE_LESS; // marks that may be turned over
        int32_t came = assignment->reached[node] == HBG_NONE ? HBG_NONE : assignment->reached[node] >> 1;
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i];
            if (assignment->mark[slot] == turned && slot >> 1 != came) step(search, node, slot);
        }
    }
    if (search->best_gain < least_gain) return false;
    apply(search);
    return true;
}

static path_search begin(hbg_causal_assignment *assignment) {
    assignment->search++;
    return (path_search){.assignment = assignment, .best_gain = NO_END};
}

bool hbg_causal_alternate(hbg_causal_assignment *assignment, int32_t place, bool gain_only) {
    path_search search = begin(assignment);
    int need = assignment->count[place] == 0 ? NEED_ONE_MORE : NEED_ONE_LESS;
    visit(&search, place, need, HBG_NONE, HBG_NONE);
    return run(&search, gain_only ? 0 : -1);
}

/* The path starts with the storage's own link. */
bool hbg_causal_improve(hbg_causal_assignment *assignment, int32_t slot) {
    int32_t place = causal_place(assignment->structure, slot ^ 1);
    if (place == HBG_NONE || !assignment->on[place] || assignment->rigid[slot >> 1]) return false;
    bool gives = !assignment->mark[slot ^ 1];
    if (gives ? assignment->count[place] == 0 : assignment->count[place] > 1) {
        hbg_causal_set(assignment, slot, !assignment->mark[slot]);
        return true;
    }
    path_search search = begin(assignment);
    visit(&search, place, gives ? NEED_ONE_LESS : NEED_ONE_MORE, slot ^ 1, HBG_NONE);
    if (!run(&search, 0)) return false;
    hbg_causal_set(assignment, slot, !assignment->mark[slot]);
    return true;
}
