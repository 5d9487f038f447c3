/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether a storage is dependent in some mode: derivative in an assignment with as few derivative storages as
 * can be. Again one thing must be found: a valid assignment of the part around the storage with the storage
 * derivative, and a stuck search for something better. As in causality_certificate.c, sets `more` and `less`
 * are closed under turning links over, only that the search begins with the storage's own link (its place has
 * to give one, or take one) and that it may end at a storage that is integral and would have to pay.
 *
 * Sound: let M be these marks and N a best assignment in which the storage is integral. Where M and N differ,
 * paths and cycles of links lead from one to the other. The path that begins at the storage stays in the sets,
 * and all it can end at is a storage integral in M and derivative in N. Turned over in N it gives an
 * assignment with the first storage derivative and the other integral, as good as N. So the storage is
 * derivative in a best assignment, too.
 *
 * A part without sources may lack determining links: it is zero then, and harmless, if none of its storages can
 * be integral at all. The argument above does not need the places outside the sets to be in balance.
 *
 * Complete: in a best assignment with the storage derivative, the search from it finds no end that costs
 * nothing; the places it met are the sets. No place is met in both needs if the region has no cycle with an
 * odd number of gyrators. Regions with such cycles have their modes judged one by one.
 *
 * All this is about strokes. Where elements give way to the equations of a ring (src/causal/rings.c) other storages, or more of them, are
 * dependent in a run. */
#include "verify/verify_impl.h"

typedef struct {
    int32_t slot; /* the place's end of the storage's link */
    int32_t place, region;
    bool wanted;    /* mark at the place while the storage is integral */
    bool undecided; /* a single mode could not be judged */
    int32_t quiet;  /* literal: nothing in the part speaks, and its places may lack a determining link */
    int32_t element, port;
} storage;

/* ---- the part around the storage -------------------------------------------------------------------------
 */

/* An element that may have either causality, and what is gained if it gives way. */
static int32_t element_mark(hbg_verify_modes *modes, const storage *s, int32_t place, int32_t slot) {
    const hbg_causal_structure *structure = modes->structure;
    verify_clauses *clauses = &modes->clauses;
    int32_t mark = hbg_verify_open_mark(modes, slot);
    if (slot == s->slot) mark = s->wanted ? LITERAL_FALSE : LITERAL_TRUE;
    // a zero place is determined by nothing else
    VERIFY_CLAUSE(clauses, -modes->draft.part[place], -hbg_verify_zero(modes, place), -mark);
    if (slot == s->slot) return mark;
    bool is_free = structure->links[slot >> 1].end[1 - (slot & 1)].demand == HBG_DEMAND_FREE;
    bool wanted = verify_wanted(structure, slot);
    // the search ends here if that costs nothing: it must not
    if (is_free || wanted) VERIFY_CLAUSE(clauses, -modes->draft.more[place], mark);
    if (is_free || !wanted) VERIFY_CLAUSE(clauses, -modes->draft.less[place], -mark);
    if (is_free) return mark;
    int32_t derivative = wanted ? -mark : mark;
    VERIFY_CLAUSE(clauses, -s->quiet, -modes->draft.part[place], derivative);
    hbg_verify_limit_literal(clauses, derivative);
    return mark;
}

/* The place has a source, or a storage that is integral in every mode. */
static bool speaks(const hbg_verify_modes *modes, int32_t place) {
    const hbg_causal_structure *structure = modes->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], link = slot >> 1;
        const hbg_causal_end *far = &structure->links[link].end[1 - (slot & 1)];
        if (far->place != HBG_NONE || far->demand == HBG_DEMAND_FREE) continue;
        if (far->demand == HBG_DEMAND_MUST) return true;
        if (verify_is_certain(modes, link) &&
            verify_mark_of_value(structure, slot, structure->link_fixed[link]) ==
                verify_wanted(structure, slot))
            return true;
    }
    return false;
}

/* Asks for a valid assignment at a place while it is in the part. */
static void add_place(hbg_verify_modes *modes, const storage *s, int32_t place) {
    const hbg_causal_structure *structure = modes->structure;
    verify_clauses *clauses = &modes->clauses;
    int32_t part = modes->draft.part[place];
    modes->draft.determining.count = 0;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], mark = hbg_verify_mark(modes, slot);
        int32_t there = verify_place(structure, slot ^ 1);
        if (mark == 0) mark = element_mark(modes, s, place, slot);
        HBG_PUSH(modes->arena, modes->draft.determining, mark);
        if (there == HBG_NONE || verify_is_certain(modes, slot >> 1)) continue;
        VERIFY_CLAUSE(clauses, -part, -hbg_verify_on(modes, there), modes->draft.part[there]);
        hbg_verify_add_step(modes, slot, mark);
    }
    verify_count count = hbg_verify_count(modes, modes->draft.active[place]);
    VERIFY_CLAUSE(clauses, -modes->draft.active[place], count.any, s->quiet);
    VERIFY_CLAUSE(clauses, -modes->draft.more[place], count.any);
    VERIFY_CLAUSE(clauses, -modes->draft.less[place], count.any);
    VERIFY_CLAUSE(clauses, -part, -hbg_verify_contradicts_zero(modes, place));
    if (speaks(modes, place)) VERIFY_CLAUSE(clauses, -s->quiet, -part);
}

static void add_places(hbg_verify_modes *modes, const storage *s) {
    const hbg_causal_structure *structure = modes->structure;
    for (int32_t i = structure->region_start[s->region]; i < structure->region_start[s->region + 1]; i++) {
        int32_t place = structure->region_places[i];
        if (modes->draft.part[place] != LITERAL_FALSE) add_place(modes, s, place);
    }
}

/* ---- one mode --------------------------------------------------------------------------------------------
 */

/* Whether all that is on around the storage has a valid assignment in this mode. */
static bool is_part_valid(hbg_verify_modes *modes, const storage *s) {
    modes->queue[0] = s->place;
    int32_t count = hbg_verify_part(modes, 1, false);
    hbg_verify_part_end(modes, count);
    for (int32_t i = 0; i < count; i++)
        if (hbg_causal_determining_bond(modes->assignment, modes->queue[i]) == HBG_NONE &&
            !hbg_causal_is_floating(modes->assignment, modes->queue[i]))
            return false;
    return true;
}

/* Derivative storages among the places in the queue, except those that are derivative in every mode. */
static int32_t derivatives_in(const hbg_verify_modes *modes, int32_t count) {
    const hbg_causal_structure *structure = modes->structure;
    int32_t derivatives = 0;
    for (int32_t k = 0; k < count; k++) {
        int32_t place = modes->queue[k];
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i];
            const hbg_causal_end *far = &structure->links[slot >> 1].end[1 - (slot & 1)];
            if (far->place == HBG_NONE && far->demand == HBG_DEMAND_PREFER &&
                !verify_is_certain(modes, slot >> 1))
                derivatives += hbg_causal_is_derivative(modes->assignment, far->element, far->port);
        }
    }
    return derivatives;
}

/* Whether another assignment of the part, with the storage derivative, has no more derivative storages than
 * this one. */
static bool can_exchange(hbg_verify_modes *modes, storage *s) {
    const hbg_causal_structure *structure = modes->structure;
    modes->queue[0] = s->place;
    int32_t count = hbg_verify_part(modes, 1, true);
    hbg_verify_part_end(modes, count);
    int32_t derivatives = derivatives_in(modes, count);
    if (derivatives == 0) return false;
    hbg_verify_modes *inner = hbg_verify_modes_inner(modes);
    hbg_verify_begin(inner, modes->on);
    for (int32_t i = structure->region_start[s->region]; i < structure->region_start[s->region + 1]; i++) {
        int32_t place = structure->region_places[i];
        inner->draft.part[place] = inner->draft.active[place] = inner->draft.more[place] =
            inner->draft.less[place] = LITERAL_FALSE;
    }
    for (int32_t i = 0; i < count; i++) {
        inner->draft.part[modes->queue[i]] = LITERAL_TRUE;
        inner->draft.active[modes->queue[i]] = -hbg_verify_zero(inner, modes->queue[i]);
    }
    s->quiet = LITERAL_FALSE;
    add_places(inner, s);
    hbg_verify_limit_end(&inner->clauses, derivatives - 1); // this includes the storage itself
    bool *values = HBG_NEW_ARRAY(modes->arena, bool, inner->clauses.variables + 1);
    inner->budget.deadline_ms = modes->budget.deadline_ms;
    verify_answer answer = hbg_verify_search(inner, values);
    modes->budget.searches++;
    hbg_base_arena_release(modes->arena, values, (size_t)(inner->clauses.variables + 1) * sizeof *values);
    s->undecided = s->undecided || answer == ANSWER_UNKNOWN;
    return answer == ANSWER_FOUND;
}

/* Judges the mode of modes->states: the storage is dependent there. */
static bool is_dependent(hbg_verify_modes *modes, void *context) {
    storage *s = context;
    hbg_verify_judge(modes);
    bool derivative = hbg_causal_is_derivative(modes->assignment, s->element, s->port);
    if (!modes->on[s->place]) return derivative;
    return is_part_valid(modes, s) && (derivative || can_exchange(modes, s));
}

/* ---- searches --------------------------------------------------------------------------------------------
 */

/* The certificate; true literal: the storage is derivative in a best assignment. */
static int32_t add_certificate(hbg_verify_modes *modes, storage *s) {
    const hbg_causal_structure *structure = modes->structure;
    verify_clauses *clauses = &modes->clauses;
    for (int32_t i = structure->region_start[s->region]; i < structure->region_start[s->region + 1]; i++) {
        int32_t place = structure->region_places[i];
        int32_t part = modes->draft.part[place] = hbg_verify_variable(clauses);
        int32_t more = modes->draft.more[place] = hbg_verify_variable(clauses);
        int32_t less = modes->draft.less[place] = hbg_verify_variable(clauses);
        modes->draft.active[place] = hbg_verify_and(clauses, part, -hbg_verify_zero(modes, place));
        VERIFY_CLAUSE(clauses, -part, hbg_verify_on(modes, place));
        VERIFY_CLAUSE(clauses, -more, -less);
        VERIFY_CLAUSE(clauses, -more, modes->draft.active[place]);
        VERIFY_CLAUSE(clauses, -less, modes->draft.active[place]);
    }
    s->quiet = hbg_verify_variable(clauses);
    add_places(modes, s);
    clauses->limited.count = 0; // the number of derivative storages does not matter: the search is stuck
    int32_t zero = s->wanted ? hbg_verify_zero(modes, s->place) : LITERAL_FALSE;
    int32_t stuck = s->wanted ? modes->draft.less[s->place] : modes->draft.more[s->place];
    return hbg_verify_and(clauses, modes->draft.part[s->place], hbg_verify_or(clauses, zero, stuck));
}

static hbg_verdict find_mode(hbg_verify_modes *modes, storage *s) {
    for (;;) {
        if (hbg_verify_is_spent(modes)) return HBG_VERDICT_UNDECIDED;
        bool *values = HBG_NEW_ARRAY(modes->arena, bool, modes->clauses.variables + 1);
        size_t size = (size_t)(modes->clauses.variables + 1) * sizeof *values;
        verify_answer answer = hbg_verify_search(modes, values);
        if (answer == ANSWER_NONE) return HBG_VERDICT_PROVED;
        if (answer == ANSWER_UNKNOWN) return HBG_VERDICT_UNDECIDED;
        hbg_verify_read_states(modes, values);
        hbg_base_arena_release(modes->arena, values, size);
        if (is_dependent(modes, s)) return HBG_VERDICT_WITNESS;
        if (s->undecided) return HBG_VERDICT_UNDECIDED;
        hbg_verify_exclude_part(modes, &s->place, 1);
    }
}

/* While its junction is off: its zero may be what the storage would set. */
static hbg_verdict search_off(hbg_verify_modes *modes, storage *s) {
    if (!modes->structure->controlled[s->place] || modes->structure->dual_off[s->place] == s->wanted)
        return HBG_VERDICT_PROVED;
    hbg_verify_begin(modes, NULL);
    VERIFY_CLAUSE(&modes->clauses, -hbg_verify_on(modes, s->place));
    return find_mode(modes, s);
}

static hbg_verdict search_on(hbg_verify_modes *modes, storage *s) {
    const hbg_causal_structure *structure = modes->structure;
    bool odd = structure->region_odd_start[s->region] < structure->region_odd_start[s->region + 1];
    hbg_verify_begin(modes, NULL);
    int32_t goal = odd ? hbg_verify_on(modes, s->place) : add_certificate(modes, s);
    VERIFY_CLAUSE(&modes->clauses, goal);
    return find_mode(modes, s);
}

/* ---- the question ----------------------------------------------------------------------------------------
 */

/* A bond directly to another element: the same in every mode. If two storages cannot both be integral, both
 * are dependent. */
static bool is_dependent_bare(const hbg_causal_link *link, int end) {
    const hbg_causal_end *own = &link->end[end], *other = &link->end[1 - end];
    bool effort_there = link->odd ? own->wants_effort : !own->wants_effort;
    return other->demand != HBG_DEMAND_FREE && other->wants_effort != effort_there;
}

static hbg_verdict answer(hbg_verify_modes *modes, storage *s) {
    const hbg_causal_structure *structure = modes->structure;
    const hbg_model *model = structure->model;
    memcpy(modes->states, modes->always.start, (size_t)model->automata.count * sizeof *modes->states);
    int32_t bond = model->incidence[model->incidence_start[s->element] + s->port - 1];
    int32_t link = structure->bond_link[bond];
    const hbg_causal_link *at = &structure->links[link];
    int end = at->end[0].element == s->element && at->end[0].port == s->port ? 0 : 1;
    if (at->end[end].demand != HBG_DEMAND_PREFER) return HBG_VERDICT_PROVED;
    s->slot = 2 * link + 1 - end;
    s->place = verify_place(structure, s->slot);
    if (s->place == HBG_NONE) return is_dependent_bare(at, end) ? HBG_VERDICT_WITNESS : HBG_VERDICT_PROVED;
    s->region = structure->place_region[s->place];
    s->wanted = verify_wanted(structure, s->slot);
    // fixed causality is the same in every mode, also at junctions that are off
    if (verify_is_certain(modes, link) &&
        verify_mark_of_value(structure, s->slot, structure->link_fixed[link]) == s->wanted)
        return HBG_VERDICT_PROVED;
    hbg_verdict off = search_off(modes, s);
    hbg_verdict verdict = off == HBG_VERDICT_WITNESS ? off : search_on(modes, s);
    if (verdict == HBG_VERDICT_WITNESS) hbg_verify_simplify(modes, is_dependent, s);
    return verdict == HBG_VERDICT_PROVED ? off : verdict;
}

hbg_verify_result hbg_verify_dependence(hbg_verify_modes *modes, int32_t element, int32_t port) {
    hbg_verify_result result = hbg_verify_question_begin(modes);
    storage s = {.element = element, .port = port};
    hbg_verify_conclude(modes, &result, answer(modes, &s));
    return result;
}
