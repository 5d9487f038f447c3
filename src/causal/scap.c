/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * SCAP, the Sequential Causality Assignment Procedure: sources first, then storages in integral causality,
 * then resistors, then the rest, each choice followed by all its implications. Where implications collide, an
 * alternating path repairs it afterwards (repair.c), so that as many storages as possible are integral. */
#include "causal/causal_impl.h"

#include <string.h>

#define UNKNOWN 2 /* a mark not chosen yet */

typedef struct {
    hbg_causal_assignment *assignment;
    int32_t region;
    int32_t *unknown; /* by place: links not chosen yet */
    int32_t *count;   /* by place: links that determine it so far */
    int32_t *queue;   /* places to visit */
    bool *queued;
    int32_t queued_count;
    uint8_t *mark; /* by slot */
} sequence;

static bool is_ours(const sequence *s, int32_t place) {
    return s->assignment->structure->place_region[place] == s->region;
}

static void enqueue(sequence *s, int32_t place) {
    if (s->queued[place]) return;
    s->queued[place] = true;
    s->queue[s->queued_count++] = place;
}

static void note(sequence *s, int32_t slot, uint8_t mark) {
    s->mark[slot] = mark;
    int32_t place = causal_place(s->assignment->structure, slot);
    if (place == HBG_NONE || !is_ours(s, place)) return;
    s->unknown[place]--;
    s->count[place] += mark;
    enqueue(s, place);
}

static bool is_relaxed(const sequence *s, int32_t slot) {
    return s->assignment->relaxed && s->assignment->relaxed[slot >> 1];
}

static void choose(sequence *s, int32_t slot, uint8_t mark) {
    if (s->mark[slot] != UNKNOWN) return;
    note(s, slot, mark);
    if (is_relaxed(s, slot)) return;
    note(s, slot ^ 1, causal_partner(s->assignment->structure, slot, mark));
}

/* A place with its determining link has no other; a place with one link left takes that. */
static void imply(sequence *s, int32_t place) {
    const hbg_causal_structure *structure = s->assignment->structure;
    if (s->unknown[place] == 0 || !s->assignment->on[place]) return;
    if (s->count[place] == 0 && s->unknown[place] > 1) return;
    uint8_t mark = s->count[place] == 0;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
        choose(s, structure->place_links[i], mark);
}

static void propagate(sequence *s) {
    while (s->queued_count > 0) {
        int32_t place = s->queue[--s->queued_count];
        s->queued[place] = false;
        imply(s, place);
    }
}

/* ---- the steps ---------------------------------------------------------------------------------------- */

/* Elements of one kind of demand choose what they want. */
static void choose_elements(sequence *s, int32_t place, hbg_causal_demand demand) {
    const hbg_causal_structure *structure = s->assignment->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i] ^ 1;
        const hbg_causal_end *end = &structure->links[slot >> 1].end[slot & 1];
        if (end->place != HBG_NONE || end->demand != demand || s->mark[slot] != UNKNOWN) continue;
        choose(s, slot, end->wants_effort);
        if (demand == HBG_DEMAND_PREFER) propagate(s);
    }
}

/* An off junction sets zero on all its links; between two of them each sets its own end. */
static void choose_off(sequence *s, int32_t place) {
    const hbg_causal_structure *structure = s->assignment->structure;
    if (s->assignment->on[place]) return;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], there = causal_place(structure, slot ^ 1);
        if (there != HBG_NONE && !s->assignment->on[there])
            note(s, slot, structure->dual_off[place]);
        else
            choose(s, slot, structure->dual_off[place]);
    }
}

static void choose_fixed(sequence *s, int32_t place) {
    const hbg_causal_structure *structure = s->assignment->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        int8_t fixed = structure->link_fixed[slot >> 1];
        if (fixed == HBG_NONE) continue;
        bool arrives = hbg_causal_arrives(&structure->links[slot >> 1], slot & 1, fixed);
        choose(s, slot, structure->is_zero[place] ? arrives : !arrives);
    }
}

/* A place still undetermined takes a resistor, else any remaining link. */
static void choose_rest(sequence *s, int32_t place, bool resistors_only) {
    const hbg_causal_structure *structure = s->assignment->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        bool resistor = causal_place(structure, slot ^ 1) == HBG_NONE || is_relaxed(s, slot);
        if (s->mark[slot] != UNKNOWN || (resistors_only && !resistor)) continue;
        choose(s, slot, s->assignment->on[place] && s->count[place] == 0);
        propagate(s);
    }
}

static bool next_place(const sequence *s, int32_t *index, int32_t *place) {
    const hbg_causal_structure *structure = s->assignment->structure;
    int32_t at = structure->region_start[s->region] + *index;
    if (at >= structure->region_start[s->region + 1]) return false;
    *place = structure->region_places[at];
    (*index)++;
    return true;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static void run_steps(sequence *s) {
    int32_t place;
    for (int32_t i = 0; next_place(s, &i, &place);) choose_off(s, place);
    for (int32_t i = 0; next_place(s, &i, &place);) choose_fixed(s, place);
    for (int32_t i = 0; next_place(s, &i, &place);) choose_elements(s, place, HBG_DEMAND_MUST);
    propagate(s);
    for (int32_t i = 0; next_place(s, &i, &place);) choose_elements(s, place, HBG_DEMAND_PREFER);
    for (int32_t i = 0; next_place(s, &i, &place);) choose_rest(s, place, true);
    for (int32_t i = 0; next_place(s, &i, &place);) choose_rest(s, place, false);
}

/* Links between two elements, without a junction: the source decides, then the storage. */
void hbg_causal_assign_bare(hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    assignment->tally.bad_total -= assignment->tally.bad_in[structure->region_count];
    assignment->tally.bad_in[structure->region_count] = 0;
    for (int32_t link = 0; link < structure->link_count; link++) {
        const hbg_causal_end *end = structure->links[link].end;
        if (end[0].place != HBG_NONE || end[1].place != HBG_NONE) continue;
        if (assignment->relaxed && assignment->relaxed[link]) continue;
        int stronger = end[1].demand > end[0].demand ? 1 : 0;
        int32_t slot = 2 * link + stronger;
        hbg_causal_set_one(assignment, slot, end[stronger].wants_effort);
        hbg_causal_set_one(assignment, slot ^ 1, causal_partner(structure, slot, assignment->mark[slot]));
        const hbg_causal_end *weaker = &end[1 - stronger];
        if (weaker->demand == HBG_DEMAND_MUST && assignment->mark[slot ^ 1] != weaker->wants_effort) {
            assignment->tally.bad_in[structure->region_count]++;
            assignment->tally.bad_total++;
        }
    }
}

/* Clears all choices and earlier results of the region. */
static void forget(sequence *s) {
    hbg_causal_assignment *assignment = s->assignment;
    const hbg_causal_structure *structure = assignment->structure;
    int32_t place;
    for (int32_t k = 0; next_place(s, &k, &place);) {
        s->unknown[place] = structure->place_start[place + 1] - structure->place_start[place];
        s->count[place] = 0;
        assignment->floating[place] = assignment->dead[place] = false;
        hbg_causal_note_change(assignment, place);
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i];
            s->mark[slot] = s->mark[slot ^ 1] = UNKNOWN;
            assignment->waived[slot >> 1] = false;
        }
    }
    assignment->tally.waived_in[s->region] = 0;
    assignment->tally.bad_total -= assignment->tally.bad_in[s->region];
    assignment->tally.bad_in[s->region] = 0;
}

/* The marks chosen become those of the assignment. */
static void write_marks(sequence *s) {
    const hbg_causal_structure *structure = s->assignment->structure;
    int32_t place;
    for (int32_t k = 0; next_place(s, &k, &place);) {
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i];
            hbg_causal_set_one(s->assignment, slot, s->mark[slot]);
            bool element = causal_place(structure, slot ^ 1) == HBG_NONE;
            if (element && s->mark[slot ^ 1] != UNKNOWN)
                hbg_causal_set_one(s->assignment, slot ^ 1, s->mark[slot ^ 1]);
        }
        hbg_causal_push(s->assignment, place);
    }
}

void hbg_causal_sequence(hbg_causal_assignment *assignment, int32_t region) {
    // the memory of a search serves here as well
    sequence s = {assignment,
                  region,
                  assignment->search.parent,
                  assignment->search.base,
                  assignment->search.queue,
                  assignment->scap.queued,
                  0,
                  assignment->scap.chosen};
    hbg_causal_cache_leave(assignment, region);
    forget(&s);
    run_steps(&s);
    write_marks(&s);
}

bool hbg_causal_assign(hbg_causal_assignment *assignment, const bool *on) {
    const hbg_causal_structure *structure = assignment->structure;
    size_t size = (size_t)structure->place_count * sizeof *on;
    hbg_causal_forget_changes(assignment);
    memcpy(assignment->on, on, size);
    memset(assignment->dead, 0, size);
    hbg_causal_cache_reset(assignment);
    memset(assignment->region_state, REGION_ANEW, (size_t)structure->region_count);
    for (int32_t region = 0; region < structure->region_count; region++)
        hbg_causal_sequence(assignment, region);
    hbg_causal_assign_bare(assignment);
    hbg_causal_settle(assignment);
    memset(assignment->region_state, REGION_QUIET, (size_t)structure->region_count);
    return hbg_causal_valid(assignment);
}
