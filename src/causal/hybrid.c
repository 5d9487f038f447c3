/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hybrid SCAP (001, section 5, Algorithm 4): causality of a new mode from that of the mode before. Its three
 * loops, with the gaps of the published text closed:
 *
 *   1. forced     What follows of itself: a junction that turns off sets zero on its bonds and loses its
 * determining bond; one that turns on asks its sources and fixed bonds. Neighbours whose balance that upsets
 * are noted, directly or through transformers and gyrators, of the same kind or the other, also where several
 * junctions switch at once: nothing is repaired before all of them have switched.
 *   2. kept       What was true before and is not upset stays as it is: places that are in balance are not
 * visited.
 *   3. chosen     Places out of balance are repaired along alternating paths (alternate.c), which end at the
 * nearest resistor or, where there is none, at a storage that becomes derivative; then storages that need not
 * be derivative any longer turn back.
 *
 * A local mode seen before is recalled instead (cache.c). */
#include "causal/causal_impl.h"

/* Loop 1, a junction turns off: zero effort (0/E) or flow (1/F) on every bond, or the dual. */
static void turn_off(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        int32_t there = causal_place(structure, slot ^ 1);
        uint8_t mark = structure->dual_off[place];
        if (assignment->waived[slot >> 1]) hbg_causal_set_waived(assignment, slot >> 1, false);
        // between two off junctions both zeros stand
        if (there != HBG_NONE && !assignment->on[there])
            hbg_causal_set_one(assignment, slot, mark);
        else
            hbg_causal_set(assignment, slot, mark);
    }
}

/* Loop 1, a junction turns on: its sources and fixed bonds speak again, an off neighbour imposes its zero. */
static void turn_on(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        const hbg_causal_end *far = &structure->links[slot >> 1].end[1 - (slot & 1)];
        int8_t fixed = structure->link_fixed[slot >> 1];
        if (far->place != HBG_NONE && !assignment->on[far->place]) {
            hbg_causal_set_one(assignment, slot,
                               causal_partner(structure, slot ^ 1, assignment->mark[slot ^ 1]));
        } else if (far->place == HBG_NONE && far->demand == HBG_DEMAND_MUST) {
            hbg_causal_set(assignment, slot ^ 1, far->wants_effort);
        } else if (fixed != HBG_NONE) {
            bool arrives = hbg_causal_arrives(&structure->links[slot >> 1], slot & 1, fixed);
            hbg_causal_set(assignment, slot, structure->is_zero[place] ? arrives : !arrives);
        } else if (far->place != HBG_NONE) {
            // both are on now: the ends have to agree again
            hbg_causal_set(assignment, slot, assignment->mark[slot]);
        }
    }
    hbg_causal_push(assignment, place);
}

static bool is_odd(const hbg_causal_structure *structure, int32_t region) {
    return structure->region_odd_start[region] < structure->region_odd_start[region + 1];
}

/* Brings a region in order whose places have switched. */
static void reassign(hbg_causal_assignment *assignment, int32_t region, bool was_bad) {
    if (was_bad || is_odd(assignment->structure, region)) {
        while (assignment->pending_count > 0)
            assignment->is_pending[assignment->pending[--assignment->pending_count]] = false;
        hbg_causal_assign_region(assignment, region);
    } else {
        hbg_causal_settle(assignment, region);
    }
    if (assignment->bad_in[region] == 0) hbg_causal_remember(assignment, region);
}

bool hbg_causal_switch(hbg_causal_assignment *assignment, const int32_t *places, int32_t count) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t i = 0; i < count; i++) assignment->on[places[i]] = !assignment->on[places[i]];
    // one region after the other: what switches in one does not reach another
    for (int32_t i = 0; i < count; i++) {
        int32_t region = structure->place_region[places[i]];
        if (assignment->region_done[region]) continue;
        assignment->region_done[region] = true;
        if (assignment->bad_in[region] == 0 && hbg_causal_recall(assignment, region)) continue;
        for (int32_t k = i; k < count; k++)
            if (structure->place_region[places[k]] == region && !assignment->on[places[k]])
                turn_off(assignment, places[k]);
        for (int32_t k = i; k < count; k++)
            if (structure->place_region[places[k]] == region && assignment->on[places[k]])
                turn_on(assignment, places[k]);
        reassign(assignment, region, assignment->bad_in[region] > 0);
    }
    for (int32_t i = 0; i < count; i++) assignment->region_done[structure->place_region[places[i]]] = false;
    return hbg_causal_valid(assignment);
}
