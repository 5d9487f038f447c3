/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Forced causality (001, Definition 4): a place is forced in a mode if it can have only one determining bond
 * there. Asked place by place: forbid the determining bond it has and see whether the rest can be balanced.
 * Storages that are not fixed count as free here, since nothing propagates from a preference; links in fixed
 * causality stay as they are. A place that is off is forced, as Algorithm 4 labels it; one that floats has no
 * determining bond and is not. */
#include "causal/causal_impl.h"

static bool balance(hbg_causal_assignment *assignment, int32_t place) {
    if (place == HBG_NONE || !assignment->on[place]) return true;
    for (int32_t tries = 0; assignment->count[place] != 1; tries++)
        if (tries > 3 || !hbg_causal_alternate(assignment, place, GAIN_LOSS)) return false;
    return true;
}

/* Whether the place can do without its determining link. */
static bool has_another(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t slot = assignment->determining[place], link = slot >> 1;
    const hbg_causal_end *far = &structure->links[link].end[1 - (slot & 1)];
    if (far->place == HBG_NONE && far->demand == HBG_DEMAND_MUST) return false;
    if (far->place != HBG_NONE && !assignment->on[far->place]) return false;
    if (structure->link_fixed[link] != HBG_NONE) return false;
    assignment->tracing = true;
    hbg_causal_set(assignment, slot, 0);
    assignment->rigid[link] = true;
    bool possible =
        balance(assignment, place) && balance(assignment, far->place) && balance(assignment, place);
    assignment->rigid[link] = false;
    hbg_causal_undo(assignment);
    return possible;
}

void hbg_causal_forced(hbg_arena *arena, const hbg_causal_assignment *assignment, bool *forced) {
    const hbg_causal_structure *structure = assignment->structure;
    hbg_causal_assignment *trial = hbg_causal_assignment_copy(arena, assignment);
    for (int32_t link = 0; link < structure->link_count; link++)
        trial->rigid[link] = structure->link_fixed[link] != HBG_NONE || assignment->waived[link];
    for (int32_t place = 0; place < structure->place_count; place++)
        forced[place] = !trial->on[place] || (trial->count[place] == 1 && !has_another(trial, place));
}
