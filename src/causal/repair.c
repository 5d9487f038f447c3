/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Balance after a change. Every place that a change touched gets its one determining link, along alternating
 * paths; zeros that off junctions repeat are waived; storages that need not be derivative any more are turned
 * back. A place then still without a determining link floats if everything joined to it, through junctions
 * that are on, reads 0 without a contradiction (semantics, section 3); else the mode is bad. */
#include "causal/causal_impl.h"

/* ---- parts that read 0 -------------------------------------------------------------------------------- */

static void meet(hbg_causal_assignment *assignment, int32_t place, int32_t *tail) {
    if (!assignment->on[place] || assignment->search.outer[place] == assignment->search.number) return;
    assignment->search.outer[place] = assignment->search.number;
    assignment->search.queue[(*tail)++] = place;
}

/* An element that gives a variable of its own: a source, a storage in integral causality. */
static bool speaks(const hbg_causal_assignment *assignment, int32_t slot) {
    const hbg_causal_end *end = &assignment->structure->links[slot >> 1].end[slot & 1];
    if (end->demand == HBG_DEMAND_FREE) return false;
    return end->demand == HBG_DEMAND_MUST || assignment->mark[slot] == end->wants_effort;
}

/* Whether the part around a place, joined through places that are on, is without sources and without storages
 * that are independent: then all its variables are zero. It is marked as dead, so it is walked only once. */
static bool is_dead(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    if (assignment->dead[place]) return true;
    int32_t tail = 0;
    hbg_causal_begin_search(assignment);
    meet(assignment, place, &tail);
    for (int32_t head = 0; head < tail; head++) {
        int32_t at = assignment->search.queue[head];
        for (int32_t i = structure->place_start[at]; i < structure->place_start[at + 1]; i++) {
            int32_t slot = structure->place_links[i] ^ 1, there = causal_place(structure, slot);
            if (assignment->relaxed && assignment->relaxed[slot >> 1]) continue;
            if (there == HBG_NONE && speaks(assignment, slot)) return false;
            if (there != HBG_NONE) meet(assignment, there, &tail);
        }
    }
    for (int32_t i = 0; i < tail; i++) assignment->dead[assignment->search.queue[i]] = true;
    return true;
}

static void meet_dead(hbg_causal_assignment *assignment, int32_t place, int32_t *tail) {
    if (place == HBG_NONE || !assignment->dead[place]) return;
    assignment->dead[place] = false;
    assignment->search.queue[(*tail)++] = place;
}

void hbg_causal_wake(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t tail = 0;
    meet_dead(assignment, place, &tail);
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
        meet_dead(assignment, causal_place(structure, structure->place_links[i] ^ 1), &tail);
    for (int32_t head = 0; head < tail; head++) {
        int32_t at = assignment->search.queue[head];
        if (assignment->floating[at]) {
            assignment->floating[at] = false;
            hbg_causal_note_change(assignment, at);
            hbg_causal_push(assignment, at);
        }
        for (int32_t i = structure->place_start[at]; i < structure->place_start[at + 1]; i++)
            meet_dead(assignment, causal_place(structure, structure->place_links[i] ^ 1), &tail);
    }
}

/* ---- balance ------------------------------------------------------------------------------------------ */

/* Relieves the places pending; true if that helped any of them. */
static bool relieve_pending(hbg_causal_assignment *assignment) {
    bool helped = false;
    while (assignment->pending.count > 0) {
        int32_t place = assignment->pending.items[--assignment->pending.count];
        assignment->pending.has[place] = false;
        if (!assignment->on[place]) continue; // its settings are rigid; the places around it are pending
        int32_t before = assignment->count[place];
        if (before > 1) hbg_causal_alternate(assignment, place, GAIN_DEFICIT);
        helped = helped || assignment->count[place] < before;
    }
    return helped;
}

/* Puts the places with too many determining links back on the list; true if there are any. */
static bool push_overdetermined(hbg_causal_assignment *assignment) {
    for (int32_t i = 0; i < assignment->touched.count; i++) {
        int32_t place = assignment->touched.items[i];
        if (assignment->on[place] && assignment->count[place] > 1) hbg_causal_push(assignment, place);
    }
    return assignment->pending.count > 0;
}

static bool ground_pending(hbg_causal_assignment *assignment) {
    bool helped = false;
    for (int32_t i = 0; i < assignment->pending.count; i++)
        if (hbg_causal_ground(assignment, assignment->pending.items[i])) helped = true;
    return helped;
}

/* Places with too many determining links come first. No path leads through them until they are in order, so a
 * place without a solution gets another chance after others had one; then repeated zeros are handled. */
static void relieve_all(hbg_causal_assignment *assignment) {
    bool helped = true;
    while (helped) {
        helped = relieve_pending(assignment);
        if (!push_overdetermined(assignment)) return;
        if (!helped) helped = ground_pending(assignment);
    }
}

/* Places without one: a search that fails once always fails. No path upsets a place that is in order. */
static void supply_all(hbg_causal_assignment *assignment) {
    for (int32_t i = 0; i < assignment->touched.count; i++) {
        int32_t place = assignment->touched.items[i];
        if (assignment->on[place] && assignment->count[place] == 0)
            hbg_causal_alternate(assignment, place, GAIN_LOSS);
    }
}

/* ---- derivative storages ------------------------------------------------------------------------------ */

/* A storage can become integral only along a path through a changed place, since there was no path before.
 * Walked backwards, such a path leads from a changed place, with either need. Nodes of the walk are place*2 +
 * need: one more, one less. Exact paths are found later, so walks may cross themselves. */
typedef struct {
    hbg_causal_assignment *assignment;
    int32_t tail;  /* of the queue */
    int32_t count; /* of the candidates */
} walk;

static bool is_derivative(const hbg_causal_assignment *assignment, int32_t slot) {
    const hbg_causal_end *end = &assignment->structure->links[slot >> 1].end[slot & 1];
    return end->demand == HBG_DEMAND_PREFER && assignment->mark[slot] != end->wants_effort;
}

static void visit(walk *w, int32_t place, bool less) {
    hbg_causal_assignment *assignment = w->assignment;
    int32_t *seen = less ? &assignment->search.inner[place] : &assignment->search.outer[place];
    if (*seen == assignment->search.number) return;
    *seen = assignment->search.number;
    assignment->search.queue[w->tail++] = 2 * place + less;
}

static void step(walk *w, int32_t slot) {
    hbg_causal_assignment *assignment = w->assignment;
    const hbg_causal_structure *structure = assignment->structure;
    const hbg_causal_end *far = &structure->links[slot >> 1].end[1 - (slot & 1)];
    if (far->place == HBG_NONE) {
        if (is_derivative(assignment, slot ^ 1)) assignment->candidates[w->count++] = slot ^ 1;
    } else if (hbg_causal_passable(assignment, slot >> 1)) {
        visit(w, far->place, !assignment->mark[slot ^ 1]);
    }
}

static void improve(hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    walk w = {.assignment = assignment};
    hbg_causal_begin_search(assignment);
    for (int32_t i = 0; i < assignment->touched.count; i++) {
        int32_t place = assignment->touched.items[i];
        if (!assignment->on[place] || assignment->tally.derivative_in[structure->place_region[place]] == 0)
            continue;
        if (structure->place_in_ring[place] && causal_is_settled(assignment, place))
            continue; // an element that gave way to a ring would have to do so again
        visit(&w, place, false);
        visit(&w, place, true);
    }
    for (int32_t head = 0; head < w.tail; head++) {
        int32_t node = assignment->search.queue[head], place = node >> 1;
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
            if (assignment->mark[structure->place_links[i]] == (node & 1))
                step(&w, structure->place_links[i]);
    }
    for (int32_t i = 0; i < w.count; i++) // an improvement may end at another candidate
        if (is_derivative(assignment, assignment->candidates[i]))
            hbg_causal_improve(assignment, assignment->candidates[i]);
}

/* ---- judging ------------------------------------------------------------------------------------------ */

static void set_bad(hbg_causal_assignment *assignment, int32_t place) {
    assignment->tally.bad_in[assignment->structure->place_region[place]]++;
    assignment->tally.bad_total++;
}

/* If derivative causality is refused, an off junction may not set a variable that a storage has to give. */
static bool denies_storage(const hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    if (!structure->options.integral) return false;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i] ^ 1;
        const hbg_causal_end *end = &structure->links[slot >> 1].end[slot & 1];
        if (end->place != HBG_NONE || end->demand != HBG_DEMAND_MUST || end->is_source) continue;
        if (assignment->relaxed && assignment->relaxed[slot >> 1]) continue;
        if (assignment->mark[slot] != end->wants_effort) return true;
    }
    return false;
}

static void judge(hbg_causal_assignment *assignment, int32_t place) {
    bool on = assignment->on[place];
    bool floats = on && assignment->count[place] == 0 && is_dead(assignment, place);
    if (floats != assignment->floating[place]) hbg_causal_note_change(assignment, place);
    assignment->floating[place] = floats;
    bool good = on ? floats || assignment->count[place] == 1 : !denies_storage(assignment, place);
    if (!good) set_bad(assignment, place);
}

void hbg_causal_settle(hbg_causal_assignment *assignment) {
    relieve_all(assignment);
    hbg_causal_begin_round(assignment);
    supply_all(assignment);
    if (assignment->tally.derivative_total > 0) improve(assignment);
    hbg_causal_end_round(assignment);
    if (assignment->rings.is_needed) hbg_causal_solve_rings(assignment);
    for (int32_t i = 0; i < assignment->touched.count; i++) judge(assignment, assignment->touched.items[i]);
    hbg_causal_calm(assignment);
}
