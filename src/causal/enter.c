/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modes without a history. Hybrid SCAP takes the causality of a mode from the mode before, so its result
 * depends on the path. Code that is compiled once for each local mode must not: here every local mode of a
 * region is reached from home, the mode that the assignment began with. Junctions of the region that differ
 * from home switch, in the order of the region, and its previous marks are forgotten. So most of a region
 * keeps in all modes the causality that it has at home. A region without valid marks at home is assigned from
 * nothing in each of its local modes. */
#include "causal/causal_impl.h"

#include <string.h>

bool hbg_causal_begin(hbg_causal_assignment *assignment, const bool *on) {
    const hbg_causal_structure *structure = assignment->structure;
    hbg_arena *arena = assignment->arena;
    size_t places = (size_t)structure->place_count, links = (size_t)structure->link_count;
    bool valid = hbg_causal_assign(assignment, on);
    if (!assignment->home.on) {
        assignment->home.on = HBG_NEW_ARRAY(arena, bool, places + 1);
        assignment->home.mark = HBG_NEW_ARRAY(arena, uint8_t, 2 * links + 1);
        assignment->home.waived = HBG_NEW_ARRAY(arena, bool, links + 1);
        assignment->home.bad = HBG_NEW_ARRAY(arena, bool, structure->region_count + 1);
        assignment->home.differ = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    }
    memcpy(assignment->home.on, assignment->on, places * sizeof *assignment->on);
    memcpy(assignment->home.mark, assignment->mark, 2 * links * sizeof *assignment->mark);
    memcpy(assignment->home.waived, assignment->waived, links * sizeof *assignment->waived);
    for (int32_t i = 0; i < structure->region_count; i++)
        assignment->home.bad[i] = assignment->tally.bad_in[i] > 0;
    return valid;
}

/* ---- from home to a mode ------------------------------------------------------------------------------- */

/* Restores the marks of home at a place; also at the other end of a link if that is an element. */
static void bring_home(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    assignment->floating[place] = assignment->dead[place] = false;
    hbg_causal_note_change(assignment, place);
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], there = causal_place(structure, slot ^ 1);
        hbg_causal_write(assignment, slot, assignment->home.mark[slot]);
        if (there == HBG_NONE)
            hbg_causal_write(assignment, slot ^ 1, assignment->home.mark[slot ^ 1]);
        else if (structure->place_region[there] == structure->place_region[place])
            hbg_causal_set_waived(assignment, slot >> 1, assignment->home.waived[slot >> 1]);
    }
}

/* Leads a region from home to its present local mode. None of its places is pending yet, so they are balanced
 * in the region's own order. */
static void lead(hbg_causal_assignment *assignment, int32_t region) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t first = structure->region_start[region], end = structure->region_start[region + 1], count = 0;
    int32_t *differ = assignment->home.differ;
    hbg_causal_cache_leave(assignment, region);
    for (int32_t k = first; k < end; k++) {
        int32_t place = structure->region_places[k];
        bring_home(assignment, place);
        if (assignment->on[place] != assignment->home.on[place]) differ[count++] = place;
    }
    for (int on = 0; on < 2; on++)
        for (int32_t i = 0; i < count; i++)
            if (assignment->on[differ[i]] == on) hbg_causal_turn(assignment, differ[i]);
    for (int32_t i = 0; i < count; i++) hbg_causal_question(assignment, differ[i]);
    for (int32_t k = first; k < end; k++) { // also those that float at home: here they may not
        int32_t place = structure->region_places[k];
        if (assignment->on[place] && assignment->count[place] == 0) hbg_causal_push(assignment, place);
    }
}

/* ---- a change of mode ---------------------------------------------------------------------------------- */

static void enter_region(hbg_causal_assignment *assignment, int32_t region) {
    const hbg_causal_structure *structure = assignment->structure;
    if (assignment->region_state[region] != REGION_QUIET) return;
    if (assignment->tally.bad_in[region] > 0) hbg_causal_cache_leave(assignment, region);
    assignment->tally.bad_total -= assignment->tally.bad_in[region];
    assignment->tally.bad_in[region] = 0;
    assignment->region_state[region] = REGION_RECALLED;
    if (hbg_causal_recall(assignment, region)) return;
    assignment->region_state[region] = REGION_SEARCHED;
    if (assignment->home.bad[region])
        hbg_causal_sequence(assignment, region);
    else
        lead(assignment, region);
    for (int32_t k = structure->region_start[region]; k < structure->region_start[region + 1]; k++)
        hbg_causal_wake(assignment, structure->region_places[k]);
}

/* Enters bad regions, too, wherever they are: their bad places may have been cut off from their sources
 * meanwhile. True if there are any. */
static bool enter_bad(hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    if (assignment->tally.bad_total == assignment->tally.bad_in[structure->region_count]) return false;
    for (int32_t region = 0; region < structure->region_count; region++)
        if (assignment->tally.bad_in[region] > 0) enter_region(assignment, region);
    return true;
}

static void finish_region(hbg_causal_assignment *assignment, int32_t region) {
    if (assignment->region_state[region] == REGION_SEARCHED && assignment->tally.bad_in[region] == 0)
        hbg_causal_remember(assignment, region);
    assignment->region_state[region] = REGION_QUIET;
}

bool hbg_causal_enter(hbg_causal_assignment *assignment, const int32_t *places, int32_t count) {
    const hbg_causal_structure *structure = assignment->structure;
    hbg_causal_forget_changes(assignment);
    for (int32_t i = 0; i < count; i++) {
        assignment->on[places[i]] = !assignment->on[places[i]];
        hbg_causal_note_change(assignment, places[i]);
        hbg_causal_cache_switch(assignment, places[i]);
    }
    bool some_bad = enter_bad(assignment);
    for (int32_t i = 0; i < count; i++) enter_region(assignment, structure->place_region[places[i]]);
    for (int32_t i = 0; i < count; i++) hbg_causal_wake(assignment, places[i]);
    hbg_causal_settle(assignment);
    for (int32_t i = 0; i < count; i++) finish_region(assignment, structure->place_region[places[i]]);
    for (int32_t region = 0; some_bad && region < structure->region_count; region++)
        finish_region(assignment, region);
    return hbg_causal_valid(assignment);
}
