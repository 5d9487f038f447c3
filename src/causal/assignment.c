/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The state of an assignment: marks, their sums at each place, and queries. */
#include "causal/causal_impl.h"

#include <string.h>

/* A storage's end whose mark is not the one it prefers. */
static bool is_derivative(const hbg_causal_end *end, uint8_t mark) {
    return end->place == HBG_NONE && end->demand == HBG_DEMAND_PREFER && mark != end->wants_effort;
}

/* The region in which a link end is counted: an element's end in that of the place at the other end. */
static int32_t region_of_slot(const hbg_causal_structure *structure, int32_t slot) {
    int32_t place = causal_place(structure, slot);
    if (place == HBG_NONE) place = causal_place(structure, slot ^ 1);
    return place == HBG_NONE ? structure->region_count : structure->place_region[place];
}

/* ---- lifetime ----------------------------------------------------------------------------------------- */

static causal_search new_search(hbg_arena *arena, int32_t vertices, int32_t places) {
    return (causal_search){
        .outer = HBG_NEW_ARRAY(arena, int32_t, vertices),
        .inner = HBG_NEW_ARRAY(arena, int32_t, vertices),
        .parent = HBG_NEW_ARRAY(arena, int32_t, vertices),
        .parent_slot = HBG_NEW_ARRAY(arena, int32_t, vertices),
        .base = HBG_NEW_ARRAY(arena, int32_t, vertices),
        .stamp = HBG_NEW_ARRAY(arena, int32_t, vertices),
        .met = HBG_NEW_ARRAY(arena, int32_t, vertices),
        .queue = HBG_NEW_ARRAY(arena, int32_t, (size_t)vertices + (size_t)places),
        .path = HBG_NEW_ARRAY(arena, int32_t, 2 * (size_t)vertices),
        .closed = HBG_NEW_ARRAY(arena, int32_t, vertices),
        .closed_limit = HBG_NEW_ARRAY(arena, int32_t, vertices),
    };
}

static causal_place_set new_set(hbg_arena *arena, int32_t places) {
    return (causal_place_set){
        .items = HBG_NEW_ARRAY(arena, int32_t, places),
        .has = HBG_NEW_ARRAY(arena, bool, places),
    };
}

/* False if the place is already in the set. */
static bool add_place(causal_place_set *set, int32_t place) {
    if (set->has[place]) return false;
    set->has[place] = true;
    set->items[set->count++] = place;
    return true;
}

static void init_scratch(hbg_arena *arena, hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t places = structure->place_count + 1, vertices = structure->vertex_count + 1;
    hbg_causal_begin_rings(arena, assignment);
    assignment->search = new_search(arena, vertices, places);
    assignment->pending = new_set(arena, places);
    assignment->touched = new_set(arena, places);
    assignment->changed = new_set(arena, places);
    assignment->is_grounded = HBG_NEW_ARRAY(arena, bool, places);
    assignment->candidates = HBG_NEW_ARRAY(arena, int32_t, structure->link_count + 1);
    assignment->scap.queued = HBG_NEW_ARRAY(arena, bool, places);
    assignment->scap.chosen = HBG_NEW_ARRAY(arena, uint8_t, 2 * (size_t)structure->link_count + 1);
}

hbg_causal_assignment *hbg_causal_assignment_new(hbg_arena *arena, const hbg_causal_structure *structure) {
    hbg_causal_assignment *assignment = HBG_NEW(arena, hbg_causal_assignment);
    int32_t places = structure->place_count + 1, links = structure->link_count + 1;
    int32_t regions = structure->region_count + 1;
    assignment->structure = structure;
    assignment->arena = arena;
    assignment->worth_limit = INT32_MAX;
    assignment->on = HBG_NEW_ARRAY(arena, bool, places);
    assignment->reversed = HBG_NEW_ARRAY(arena, bool, places);
    assignment->mark = HBG_NEW_ARRAY(arena, uint8_t, 2 * links);
    assignment->count = HBG_NEW_ARRAY(arena, int32_t, places);
    assignment->determining = HBG_NEW_ARRAY(arena, int32_t, places);
    assignment->waived = HBG_NEW_ARRAY(arena, bool, links);
    assignment->floating = HBG_NEW_ARRAY(arena, bool, places);
    assignment->dead = HBG_NEW_ARRAY(arena, bool, places);
    assignment->rigid = HBG_NEW_ARRAY(arena, bool, links);
    assignment->tally.derivative_in = HBG_NEW_ARRAY(arena, int32_t, regions);
    assignment->tally.waived_in = HBG_NEW_ARRAY(arena, int32_t, regions);
    assignment->tally.bad_in = HBG_NEW_ARRAY(arena, int32_t, regions);
    assignment->caches = HBG_NEW_ARRAY(arena, causal_cache, regions);
    assignment->region_state = HBG_NEW_ARRAY(arena, uint8_t, regions);
    init_scratch(arena, assignment);
    // all marks are 0: storages that want effort count as derivative until a mode is assigned
    for (int32_t slot = 0; slot < 2 * structure->link_count; slot++) {
        if (!is_derivative(&structure->links[slot >> 1].end[slot & 1], 0)) continue;
        assignment->tally.derivative_in[region_of_slot(structure, slot)]++;
        assignment->tally.derivative_total++;
    }
    return assignment;
}

#define COPY(field, type, size)                                                                              \
    (copy->field = HBG_NEW_ARRAY(arena, type, size),                                                         \
     memcpy(copy->field, assignment->field, (size_t)(size) * sizeof(type)))

hbg_causal_assignment *hbg_causal_assignment_copy(hbg_arena *arena, const hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    hbg_causal_assignment *copy = HBG_NEW(arena, hbg_causal_assignment);
    int32_t places = structure->place_count + 1, links = structure->link_count + 1;
    int32_t regions = structure->region_count + 1;
    *copy = *assignment;
    copy->arena = arena;
    COPY(on, bool, places);
    COPY(reversed, bool, places);
    COPY(mark, uint8_t, 2 * links);
    COPY(count, int32_t, places);
    COPY(determining, int32_t, places);
    COPY(waived, bool, links);
    COPY(floating, bool, places);
    COPY(dead, bool, places);
    COPY(rigid, bool, links);
    COPY(tally.derivative_in, int32_t, regions);
    COPY(tally.waived_in, int32_t, regions);
    COPY(tally.bad_in, int32_t, regions);
    copy->caches = NULL;
    memset(&copy->trail.flips, 0, sizeof copy->trail.flips);
    init_scratch(arena, copy);
    return copy;
}

/* ---- marks -------------------------------------------------------------------------------------------- */

void hbg_causal_push(hbg_causal_assignment *assignment, int32_t place) {
    if (add_place(&assignment->pending, place)) add_place(&assignment->touched, place);
}

void hbg_causal_calm(hbg_causal_assignment *assignment) {
    assignment->pending.count = 0;
    while (assignment->touched.count > 0) {
        int32_t place = assignment->touched.items[--assignment->touched.count];
        assignment->pending.has[place] = assignment->touched.has[place] = assignment->is_grounded[place] =
            false;
    }
}

void hbg_causal_note_change(hbg_causal_assignment *assignment, int32_t place) {
    if (place != HBG_NONE) add_place(&assignment->changed, place);
}

void hbg_causal_forget_changes(hbg_causal_assignment *assignment) {
    while (assignment->changed.count > 0)
        assignment->changed.has[assignment->changed.items[--assignment->changed.count]] = false;
}

const int32_t *hbg_causal_changed(const hbg_causal_assignment *assignment, int32_t *count) {
    *count = assignment->changed.count;
    return assignment->changed.items;
}

void hbg_causal_write(hbg_causal_assignment *assignment, int32_t slot, uint8_t mark) {
    if (assignment->mark[slot] == mark) return;
    assignment->mark[slot] = mark;
    hbg_causal_note_change(assignment, causal_place(assignment->structure, slot));
    hbg_causal_note_change(assignment, causal_place(assignment->structure, slot ^ 1));
    const hbg_causal_end *end = &assignment->structure->links[slot >> 1].end[slot & 1];
    if (end->place != HBG_NONE) {
        // the sum may wrap around at a place with many links: it is right again when one link is left
        uint32_t sum = (uint32_t)assignment->determining[end->place];
        assignment->count[end->place] += mark ? 1 : -1;
        assignment->determining[end->place] = (int32_t)(mark ? sum + (uint32_t)slot : sum - (uint32_t)slot);
    } else if (end->demand == HBG_DEMAND_PREFER) {
        int change = is_derivative(end, mark) ? 1 : -1;
        assignment->tally.derivative_in[region_of_slot(assignment->structure, slot)] += change;
        assignment->tally.derivative_total += change;
    }
}

void hbg_causal_set_one(hbg_causal_assignment *assignment, int32_t slot, uint8_t mark) {
    uint8_t old = assignment->mark[slot];
    if (old == mark) return;
    if (assignment->trail.on)
        HBG_PUSH(assignment->arena, assignment->trail.flips, (causal_change){slot, old});
    hbg_causal_write(assignment, slot, mark);
    hbg_causal_cache_leave(assignment, region_of_slot(assignment->structure, slot));
    int32_t place = causal_place(assignment->structure, slot);
    if (place != HBG_NONE) hbg_causal_push(assignment, place);
}

void hbg_causal_set(hbg_causal_assignment *assignment, int32_t slot, uint8_t mark) {
    hbg_causal_set_one(assignment, slot, mark);
    if (assignment->relaxed && assignment->relaxed[slot >> 1]) return;
    hbg_causal_set_one(assignment, slot ^ 1, causal_partner(assignment->structure, slot, mark));
}

void hbg_causal_set_waived(hbg_causal_assignment *assignment, int32_t link, bool waived) {
    if (assignment->waived[link] == waived) return;
    assignment->waived[link] = waived;
    assignment->tally.waived_in[region_of_slot(assignment->structure, 2 * link)] += waived ? 1 : -1;
    for (int end = 0; end < 2; end++)
        hbg_causal_note_change(assignment, causal_place(assignment->structure, 2 * link + end));
    for (int end = 0; end < 2; end++)
        hbg_causal_cache_leave(assignment, region_of_slot(assignment->structure, 2 * link + end));
}

void hbg_causal_undo(hbg_causal_assignment *assignment) {
    assignment->trail.on = false;
    while (assignment->trail.flips.count > 0) {
        causal_change change = assignment->trail.flips.items[--assignment->trail.flips.count];
        hbg_causal_set_one(assignment, change.slot, change.mark);
    }
    hbg_causal_calm(assignment);
}

/* ---- queries ------------------------------------------------------------------------------------------ */

bool hbg_causal_valid(const hbg_causal_assignment *assignment) {
    return assignment->tally.bad_total == 0;
}

bool hbg_causal_is_on(const hbg_causal_assignment *assignment, int32_t place) {
    return assignment->on[place] != assignment->reversed[place];
}

void hbg_causal_set_reversed(hbg_causal_assignment *assignment, int32_t place, bool reversed) {
    assignment->reversed[place] = reversed;
}

bool hbg_causal_is_reversed(const hbg_causal_assignment *assignment, int32_t place) {
    return assignment->reversed[place];
}

bool hbg_causal_value(const hbg_causal_assignment *assignment, int32_t link) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t place = causal_place(structure, 2 * link), there = causal_place(structure, 2 * link + 1);
    uint8_t mark = assignment->mark[2 * link];
    // where an off junction repeats a zero its own end is right, although it has no effect
    if (assignment->waived[link] && !assignment->on[there])
        mark = causal_partner(structure, 2 * link + 1, assignment->mark[2 * link + 1]);
    return place == HBG_NONE || structure->is_zero[place] ? mark : !mark;
}

int32_t hbg_causal_determining_bond(const hbg_causal_assignment *assignment, int32_t place) {
    if (!assignment->on[place] || assignment->count[place] != 1) return HBG_NONE;
    int32_t slot = assignment->determining[place];
    const hbg_causal_link *link = &assignment->structure->links[slot >> 1];
    int32_t at = (slot & 1) == 0 ? 0 : link->bond_count - 1; // the bond of the chain that touches the place
    return assignment->structure->chain[link->first_bond + at] >> 2;
}

int hbg_causal_stroke_of(const hbg_causal_structure *structure, int32_t bond, bool value) {
    int32_t entry = structure->chain[structure->bond_entry[bond]];
    bool towards_start = value != ((entry & 2) != 0); // effort runs towards end 0
    bool from_is_start = (entry & 1) == 0;
    return towards_start == from_is_start ? 0 : 1;
}

int hbg_causal_stroke(const hbg_causal_assignment *assignment, int32_t bond) {
    int32_t link = assignment->structure->bond_link[bond];
    if (link == HBG_NONE) return 0;
    return hbg_causal_stroke_of(assignment->structure, bond, hbg_causal_value(assignment, link));
}

int32_t hbg_causal_slot_at(const hbg_causal_structure *structure, int32_t element, int32_t port) {
    const hbg_model *model = structure->model;
    if (port < 1 || port > model->incidence_start[element + 1] - model->incidence_start[element])
        return HBG_NONE;
    int32_t link = structure->bond_link[model->incidence[model->incidence_start[element] + port - 1]];
    for (int end = 0; link != HBG_NONE && end < 2; end++) {
        const hbg_causal_end *at = &structure->links[link].end[end];
        if (at->place == HBG_NONE && at->element == element && at->port == port) return 2 * link + end;
    }
    return HBG_NONE;
}

bool hbg_causal_is_derivative(const hbg_causal_assignment *assignment, int32_t element, int32_t port) {
    int32_t slot = hbg_causal_slot_at(assignment->structure, element, port);
    if (slot == HBG_NONE) return false;
    return is_derivative(&assignment->structure->links[slot >> 1].end[slot & 1], assignment->mark[slot]);
}

int32_t hbg_causal_derivative_count(const hbg_causal_assignment *assignment) {
    return assignment->tally.derivative_total;
}

int32_t hbg_causal_region_derivatives(const hbg_causal_assignment *assignment, int32_t region) {
    return assignment->tally.derivative_in[region];
}

bool hbg_causal_region_valid(const hbg_causal_assignment *assignment, int32_t region) {
    return assignment->tally.bad_in[region] == 0;
}

bool hbg_causal_is_floating(const hbg_causal_assignment *assignment, int32_t place) {
    return assignment->floating[place];
}

bool hbg_causal_is_repeated(const hbg_causal_assignment *assignment, int32_t link) {
    const hbg_causal_end *end = assignment->structure->links[link].end;
    if (assignment->waived[link]) return true;
    if (end[0].place == HBG_NONE || end[1].place == HBG_NONE) return false;
    uint8_t other = causal_partner(assignment->structure, 2 * link, assignment->mark[2 * link]);
    return other != assignment->mark[2 * link + 1]; // two off places that set the same
}
