/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * "No assignment is valid" says something about all assignments; a prover of existence needs one thing to
 * find. That thing is a stuck search. For a set `more` and a set `less` of places that are on, and marks on
 * the links around them, ask that
 *
 *   1. a place in `more` is determined by at most one link, a place in `less` by at least one; at least at
 *      one place, the root, it is 0 or 2 links;
 *   2. turning over a mark 0 at a place in `more`, or a mark 1 at one in `less`, leads on: the link is open,
 *      and the place at its other end is in `more` if that takes a determining link from it, in `less` if it
 *      gives one. It never ends at a resistor or storage, which would give way.
 *
 * Sound: such sets exist only if there is no valid assignment. Add up the determining links of all places in
 * `more`, and take off those of the places in `less`. By 2 the marks reach the largest sum any marks can: a
 * link inside the sets adds the same however it is marked, a link that leads out of them, or to an element,
 * adds as much as it can. By 1 the sum is below |more| - |less|. A valid assignment would make it equal.
 *
 * Complete: where no cycle has an odd number of gyrators, any mode without a valid assignment has such sets.
 * Take marks with as few places out of balance as can be; from one of them the search of alternating paths
 * ends nowhere (Berge), and the places it met, with the need it met them in, are the sets. No place is met in
 * both needs, since that closes an odd cycle.
 *
 * Links that close odd cycles are few. A region with some gets a certificate for each way of holding them,
 * all in one mode, so that no way is left.
 *
 * Harmless cases. Places that are zero (modes_part.c) stand outside the sets like off ones. A part that lacks
 * determining links, but has none too many, is harmless if nothing in it speaks, neither a source nor a storage
 * that stays integral: zero everywhere is a solution. So either `more` is empty, and places have too many; or
 * the part is live. In the latter case the root need not lie just anywhere: turning over the way from the root
 * to another place of the sets makes that one the root, and a way from the sets to what makes the part live
 * begins somewhere. So the root is a place with such an element, or one next to a place that is on and not in
 * the sets. Most searches end there at once. */
#include "verify/verify_impl.h"

#define HELD_LIMIT 3 /* links that close odd cycles: 2^3 certificates at once */

static int32_t odd_count(const hbg_verify_modes *modes, int32_t region) {
    return modes->structure->region_odd_start[region + 1] - modes->structure->region_odd_start[region];
}

bool hbg_verify_has_certificate(const hbg_verify_modes *modes, int32_t region) {
    return odd_count(modes, region) <= HELD_LIMIT;
}

/* The places of the region may be in the sets. */
static void begin_sets(hbg_verify_modes *modes, int32_t region) {
    const hbg_causal_structure *structure = modes->structure;
    verify_clauses *clauses = &modes->clauses;
    for (int32_t i = structure->region_start[region]; i < structure->region_start[region + 1]; i++) {
        int32_t place = structure->region_places[i];
        int32_t more = modes->draft.more[place] = hbg_verify_variable(clauses);
        int32_t less = modes->draft.less[place] = hbg_verify_variable(clauses);
        modes->draft.active[place] = hbg_verify_or(clauses, more, less);
        VERIFY_CLAUSE(clauses, -more, -less);
        VERIFY_CLAUSE(clauses, -modes->draft.active[place], hbg_verify_on(modes, place));
        VERIFY_CLAUSE(clauses, -modes->draft.active[place], -hbg_verify_zero(modes, place));
    }
}

static void add_root(hbg_verify_modes *modes, verify_roots *roots, int32_t place, int32_t root) {
    if (root != LITERAL_FALSE) HBG_PUSH(modes->arena, *roots, (verify_root){root, place});
}

/* The element at the other end speaks, in marks that are stuck. Storages that give way all they can speak if
 * that is what they want; where several certificates have to agree any storage may. */
static int32_t speaks(const hbg_verify_modes *modes, int32_t slot) {
    const hbg_causal_structure *structure = modes->structure;
    const hbg_causal_end *far = &structure->links[slot >> 1].end[1 - (slot & 1)];
    int32_t place = verify_place(structure, slot);
    if (far->demand == HBG_DEMAND_FREE) return LITERAL_FALSE;
    bool certain = verify_is_certain(modes, slot >> 1);
    if (far->demand == HBG_DEMAND_MUST || certain || odd_count(modes, structure->place_region[place]) > 0)
        return LITERAL_TRUE;
    return verify_wanted(structure, slot) ? modes->draft.more[place] : modes->draft.less[place];
}

/* The way to what makes the part live leaves the sets at this place. */
static int32_t leaves_sets(hbg_verify_modes *modes, int32_t place) {
    const hbg_causal_structure *structure = modes->structure;
    verify_clauses *clauses = &modes->clauses;
    int32_t any = LITERAL_FALSE;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], there = verify_place(structure, slot ^ 1);
        int32_t here = LITERAL_FALSE;
        if (there == HBG_NONE)
            here = speaks(modes, slot);
        else if (structure->place_region[there] != structure->place_region[place])
            here = hbg_verify_on(modes, there);
        else
            here = hbg_verify_and(clauses, hbg_verify_on(modes, there), -modes->draft.active[there]);
        any = hbg_verify_or(clauses, any, here);
    }
    return hbg_verify_and(clauses, any, hbg_verify_live(modes, place));
}

/* Where storages may not be derivative, an off junction contradicts those that want to set what it sets. */
static bool denies_storage(const hbg_causal_structure *structure, int32_t place) {
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        const hbg_causal_end *far = &structure->links[slot >> 1].end[1 - (slot & 1)];
        if (far->place == HBG_NONE && far->demand == HBG_DEMAND_MUST && !far->is_source &&
            verify_wanted(structure, slot) != structure->dual_off[place])
            return true;
    }
    return false;
}

static void add_place(hbg_verify_modes *modes, int32_t place, int32_t pure, verify_roots *roots) {
    const hbg_causal_structure *structure = modes->structure;
    verify_clauses *clauses = &modes->clauses;
    int32_t more = modes->draft.more[place], less = modes->draft.less[place];
    modes->draft.determining.count = 0;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], mark = hbg_verify_mark(modes, slot);
        if (mark != 0) hbg_verify_add_step(modes, slot, mark);
        // an element that would give way: it must have given all it can
        HBG_PUSH(modes->arena, modes->draft.determining, mark != 0 ? mark : more);
    }
    verify_count count = hbg_verify_count(modes, more);
    VERIFY_CLAUSE(clauses, -less, count.any);
    VERIFY_CLAUSE(clauses, -pure, -more);
    int32_t stuck = hbg_verify_or(clauses, hbg_verify_and(clauses, more, -count.any),
                                  hbg_verify_and(clauses, less, count.two));
    int32_t harmful = hbg_verify_or(clauses, pure, leaves_sets(modes, place));
    add_root(modes, roots, place, hbg_verify_and(clauses, stuck, harmful));
    add_root(modes, roots, place, hbg_verify_contradicts_zero(modes, place));
    if (denies_storage(structure, place)) add_root(modes, roots, place, -hbg_verify_on(modes, place));
}

static void add_sets(hbg_verify_modes *modes, int32_t region, verify_roots *roots) {
    const hbg_causal_structure *structure = modes->structure;
    hbg_verify_forget_marks(modes);
    begin_sets(modes, region);
    int32_t pure = hbg_verify_variable(&modes->clauses); // `more` is empty
    for (int32_t i = structure->region_start[region]; i < structure->region_start[region + 1]; i++)
        add_place(modes, structure->region_places[i], pure, roots);
}

static void hold(hbg_verify_modes *modes, int32_t region, int32_t choice) {
    int32_t first = modes->structure->region_odd_start[region];
    for (int32_t i = 0; i < odd_count(modes, region); i++)
        modes->draft.held[modes->structure->odd_links[first + i]] = (choice >> i) & 1;
}

static void release(hbg_verify_modes *modes, int32_t region) {
    int32_t first = modes->structure->region_odd_start[region];
    for (int32_t i = 0; i < odd_count(modes, region); i++)
        modes->draft.held[modes->structure->odd_links[first + i]] = HBG_NONE;
}

void hbg_verify_add_certificate(hbg_verify_modes *modes, int32_t region, verify_roots *roots) {
    if (odd_count(modes, region) == 0) {
        add_sets(modes, region, roots);
        return;
    }
    int32_t all = hbg_verify_variable(&modes->clauses); // every way of holding the odd links has a root
    for (int32_t choice = 0; choice < 1 << odd_count(modes, region); choice++) {
        verify_roots own = {0};
        hold(modes, region, choice);
        add_sets(modes, region, &own);
        hbg_verify_literal(&modes->clauses, -all);
        for (int32_t i = 0; i < own.count; i++) hbg_verify_literal(&modes->clauses, own.items[i].literal);
        hbg_verify_clause_end(&modes->clauses);
    }
    release(modes, region);
    int32_t place = modes->structure->region_places[modes->structure->region_start[region]];
    HBG_PUSH(modes->arena, *roots, (verify_root){all, place});
}
