/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hybrid SCAP (001, section 5, Algorithm 4): causality of a new mode from that of the mode before. Its three
 * loops, with the gaps of the published text closed:
 *
 *   1. forced     Direct consequences: a junction that turns off sets zero on its bonds and loses its
 * determining bond; one that turns on takes one from its sources and fixed bonds. Neighbours whose balance
 * that upsets are noted, directly or through transformers and gyrators, of the same kind or the other, also
 * where several junctions switch at once: nothing is repaired before all of them have switched.
 *   2. kept       Causality that is not upset is kept: places that are in balance are not visited.
 *   3. chosen     Places out of balance are repaired along alternating paths (alternate.c), which end at the
 * nearest resistor or, without one, at a storage that becomes derivative; then storages that need not be
 * derivative any longer turn back.
 *
 * A mode change affects the regions of the junctions that switch (regions.c), and of parts that floated
 * before and are joined to something now. A local mode seen before is recalled instead (cache.c). */
#include "causal/causal_impl.h"

/* Loop 1, a junction turns off: zero effort (0/E) or flow (1/F) on every bond, or the dual. */
static void turn_off(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    hbg_causal_push(assignment, place);
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

/* Loop 1, a junction turns on: its sources and fixed bonds have effect again, an off neighbour imposes its
 * zero. */
static void turn_on(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    hbg_causal_push(assignment, place);
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        const hbg_causal_end *far = &structure->links[slot >> 1].end[1 - (slot & 1)];
        int8_t fixed = structure->link_fixed[slot >> 1];
        if (assignment->waived[slot >> 1]) hbg_causal_set_waived(assignment, slot >> 1, false);
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
}

void hbg_causal_turn(hbg_causal_assignment *assignment, int32_t place) {
    if (assignment->on[place])
        turn_on(assignment, place);
    else
        turn_off(assignment, place);
}

/* Bad regions are assigned anew, wherever they are: their bad places may have been cut off from their sources
 * meanwhile. */
static bool assign_bad_anew(hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    if (assignment->tally.bad_total == assignment->tally.bad_in[structure->region_count]) return false;
    for (int32_t region = 0; region < structure->region_count; region++) {
        if (assignment->tally.bad_in[region] == 0) continue;
        assignment->region_state[region] = REGION_ANEW;
        for (int32_t k = structure->region_start[region]; k < structure->region_start[region + 1]; k++)
            hbg_causal_wake(assignment, structure->region_places[k]);
        hbg_causal_sequence(assignment, region);
    }
    return true;
}

/* Loop 1. All offs come before all ons. */
static void turn(hbg_causal_assignment *assignment, const int32_t *places, int32_t count) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int on = 0; on < 2; on++)
        for (int32_t i = 0; i < count; i++) {
            uint8_t state = assignment->region_state[structure->place_region[places[i]]];
            if (state == REGION_SEARCHED && assignment->on[places[i]] == on)
                hbg_causal_turn(assignment, places[i]);
        }
}

void hbg_causal_question(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t region = structure->place_region[place];
    if (assignment->tally.waived_in[region] == 0) return;
    if (assignment->on[place]) hbg_causal_unground(assignment, place);
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t there = causal_place(structure, structure->place_links[i] ^ 1);
        if (there != HBG_NONE && assignment->on[there] && assignment->tally.waived_in[region] > 0)
            hbg_causal_unground(assignment, there);
    }
}

/* The marks of the new mode are final: regions that found theirs by a search remember them. */
static void finish(hbg_causal_assignment *assignment, const int32_t *places, int32_t count, bool anew) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t region = 0; anew && region < structure->region_count; region++) {
        if (assignment->region_state[region] != REGION_ANEW) continue;
        if (assignment->tally.bad_in[region] == 0) hbg_causal_remember(assignment, region);
        assignment->region_state[region] = REGION_QUIET;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t region = structure->place_region[places[i]];
        if (assignment->region_state[region] == REGION_SEARCHED && assignment->tally.bad_in[region] == 0)
            hbg_causal_remember(assignment, region);
        assignment->region_state[region] = REGION_QUIET;
    }
}

bool hbg_causal_switch(hbg_causal_assignment *assignment, const int32_t *places, int32_t count) {
    const hbg_causal_structure *structure = assignment->structure;
    hbg_causal_forget_changes(assignment);
    for (int32_t i = 0; i < count; i++) { // remember the marks before the first switch, too
        int32_t region = structure->place_region[places[i]];
        if (assignment->caches[region].count == 0 && assignment->tally.bad_in[region] == 0)
            hbg_causal_remember(assignment, region);
    }
    for (int32_t i = 0; i < count; i++) {
        assignment->on[places[i]] = !assignment->on[places[i]];
        hbg_causal_note_change(assignment, places[i]);
        hbg_causal_cache_switch(assignment, places[i]);
    }
    bool anew = assign_bad_anew(assignment);
    for (int32_t i = 0; i < count; i++) {
        int32_t region = structure->place_region[places[i]];
        if (assignment->region_state[region] != REGION_QUIET) continue;
        assignment->region_state[region] =
            hbg_causal_recall(assignment, region) ? REGION_RECALLED : REGION_SEARCHED;
    }
    turn(assignment, places, count);
    for (int32_t i = 0; i < count; i++) {
        hbg_causal_wake(assignment, places[i]);
        if (assignment->region_state[structure->place_region[places[i]]] == REGION_SEARCHED)
            hbg_causal_question(assignment, places[i]);
    }
    hbg_causal_settle(assignment);
    finish(assignment, places, count, anew);
    return hbg_causal_valid(assignment);
}
