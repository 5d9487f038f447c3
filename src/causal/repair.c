/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Balance after a change: every place that a change touched gets its one determining link, by an alternating
 * path, or is found to be one of the harmless cases of the semantics (section 3): a zero that is repeated, a
 * part that floats behind off junctions. Then storages that need not be derivative any more are turned back.
 */
#include "causal/causal_impl.h"

/* ---- repeated zeros ----------------------------------------------------------------------------------- */

/* Whether the common variable of a place is zero because an off junction sets it, perhaps through others that
 * hand the zero on. The chain cannot be longer than there are places. */
static bool is_zero_known(const hbg_causal_assignment *assignment, int32_t place, int32_t *limit) {
    while ((*limit)-- > 0) {
        if (!assignment->on[place]) return true;
        if (assignment->count[place] != 1) return false;
        int32_t slot = assignment->determining[place];
        int32_t from = causal_place(assignment->structure, slot ^ 1);
        // the other end is not determined by the link: it hands its own variable on
        if (from == HBG_NONE || (assignment->on[from] && assignment->mark[slot ^ 1])) return false;
        place = from;
    }
    return false;
}

/* A link that determines the place and comes from a zero. */
static bool brings_zero(const hbg_causal_assignment *assignment, int32_t slot) {
    int32_t from = causal_place(assignment->structure, slot ^ 1);
    if (from == HBG_NONE || !assignment->mark[slot]) return false;
    if (assignment->on[from] && assignment->mark[slot ^ 1]) return false;
    int32_t limit = assignment->structure->place_count + 1;
    return is_zero_known(assignment, from, &limit);
}

/* Where two links bring the same zero to a place, one of them says nothing: it is waived. True if that
 * balanced it. */
static bool waive_repeated(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t kept = HBG_NONE;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        if (!brings_zero(assignment, slot)) continue;
        if (kept == HBG_NONE) {
            kept = slot;
            continue;
        }
        // prefer to keep a zero that comes from an off junction itself: it cannot move
        int32_t drop = assignment->on[causal_place(structure, kept ^ 1)] ? kept : slot;
        kept = drop == kept ? slot : kept;
        hbg_causal_set_one(assignment, drop, 0);
        hbg_causal_set_waived(assignment, drop >> 1, true);
    }
    return hbg_causal_balanced(assignment, place);
}

/* A waived link both of whose ends are no longer zero has to speak again. */
static void review_waived(hbg_causal_assignment *assignment, int32_t region) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t i = structure->region_start[region]; i < structure->region_start[region + 1]; i++) {
        int32_t place = structure->region_places[i];
        for (int32_t k = structure->place_start[place]; k < structure->place_start[place + 1]; k++) {
            int32_t slot = structure->place_links[k];
            if (!assignment->waived[slot >> 1]) continue;
            int32_t limit = structure->place_count + 1;
            int32_t there = causal_place(structure, slot ^ 1);
            if (is_zero_known(assignment, place, &limit)) continue;
            hbg_causal_set_waived(assignment, slot >> 1, false);
            // an off end is not determined, so this one is; otherwise either will do, and the search will
            // choose
            hbg_causal_set_one(assignment, slot,
                               causal_partner(structure, slot ^ 1, assignment->mark[slot ^ 1]));
            hbg_causal_push(assignment, place);
            if (assignment->on[there]) hbg_causal_push(assignment, there);
        }
    }
}

/* ---- floating parts ----------------------------------------------------------------------------------- */

static void set_floating(hbg_causal_assignment *assignment, int32_t place, bool floating) {
    if (assignment->floating[place] == floating) return;
    assignment->floating[place] = floating;
    assignment->floating_in[assignment->structure->place_region[place]] += floating ? 1 : -1;
}

/* Whether the places that are on and joined to this one hold nothing but resistors: then all their variables
 * may be zero, which contradicts nothing. */
static bool may_float(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t head = 0, tail = 0;
    assignment->search++;
    assignment->seen[2 * place] = assignment->search;
    assignment->queue[tail++] = place;
    while (head < tail) {
        int32_t at = assignment->queue[head++];
        for (int32_t i = structure->place_start[at]; i < structure->place_start[at + 1]; i++) {
            int32_t slot = structure->place_links[i];
            const hbg_causal_end *far = &structure->links[slot >> 1].end[1 - (slot & 1)];
            if (far->place == HBG_NONE) {
                if (far->demand != HBG_DEMAND_FREE) return false;
                continue;
            }
            if (!assignment->on[far->place] || assignment->seen[2 * far->place] == assignment->search)
                continue;
            assignment->seen[2 * far->place] = assignment->search;
            assignment->queue[tail++] = far->place;
        }
    }
    return true;
}

/* ---- balance ------------------------------------------------------------------------------------------ */

static void set_bad(hbg_causal_assignment *assignment, int32_t place, int change) {
    assignment->bad_in[assignment->structure->place_region[place]] += change;
    assignment->bad_total += change;
}

static bool balance(hbg_causal_assignment *assignment, int32_t place) {
    int32_t tries =
        assignment->structure->place_start[place + 1] - assignment->structure->place_start[place] + 1;
    while (!hbg_causal_balanced(assignment, place) && tries-- > 0) {
        if (!assignment->on[place]) return true; // what it sets is rigid; the places around it are pending
        if (hbg_causal_alternate(assignment, place, false)) continue;
        if (assignment->count[place] > 1 && waive_repeated(assignment, place)) return true;
        break;
    }
    return hbg_causal_balanced(assignment, place);
}

bool hbg_causal_repair(hbg_causal_assignment *assignment) {
    int32_t before = assignment->bad_total;
    while (assignment->pending_count > 0) {
        int32_t place = assignment->pending[--assignment->pending_count];
        assignment->is_pending[place] = false;
        if (!assignment->on[place]) continue;
        if (balance(assignment, place)) {
            set_floating(assignment, place, false);
        } else if (assignment->count[place] == 0 && may_float(assignment, place)) {
            set_floating(assignment, place, true);
        } else {
            set_bad(assignment, place, 1);
        }
    }
    return assignment->bad_total == before;
}

/* Turns back the derivative storages of a region that need not be. */
static void improve(hbg_causal_assignment *assignment, int32_t region) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t i = structure->region_start[region]; i < structure->region_start[region + 1]; i++) {
        int32_t place = structure->region_places[i];
        for (int32_t k = structure->place_start[place]; k < structure->place_start[place + 1]; k++) {
            int32_t slot = structure->place_links[k] ^ 1;
            const hbg_causal_end *end = &structure->links[slot >> 1].end[slot & 1];
            bool derivative = end->place == HBG_NONE && end->demand == HBG_DEMAND_PREFER &&
                              assignment->mark[slot] != end->wants_effort;
            if (derivative) hbg_causal_improve(assignment, slot);
        }
    }
}

static void retry_floating(hbg_causal_assignment *assignment, int32_t region) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t i = structure->region_start[region]; i < structure->region_start[region + 1]; i++) {
        int32_t place = structure->region_places[i];
        if (!assignment->floating[place]) continue;
        set_floating(assignment, place, false);
        hbg_causal_push(assignment, place);
    }
}

void hbg_causal_settle(hbg_causal_assignment *assignment, int32_t region) {
    if (assignment->waived_in[region] > 0) review_waived(assignment, region);
    if (assignment->floating_in[region] > 0) retry_floating(assignment, region);
    hbg_causal_repair(assignment);
    if (assignment->derivative_in[region] > 0) improve(assignment, region);
    // a path of an improvement leaves every place it passes in balance
    while (assignment->pending_count > 0)
        assignment->is_pending[assignment->pending[--assignment->pending_count]] = false;
}
