/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether every mode that can exist has a valid causal assignment. A reassignment never leaves its region, so
 * each region is a separate question about the automata that switch in it; small regions share a search. What
 * the prover finds is judged by src/causal: the verdict there is the one that counts, and a mode that turns
 * out harmless is ruled out, together with all others in which the part of the graph is switched alike.
 */
#include "verify/verify_impl.h"

#define SEARCH_PLACES 3000 /* of the regions that share a search */

/* ---- which regions ---------------------------------------------------------------------------------------
 */

/* Regions that can be in conflict in another mode: those with a switch, and those without one that are
 * harmless only as they are, since that depends on their surroundings. The start mode has been judged. */
static bool *find_doubtful(hbg_verify_modes *modes) {
    const hbg_causal_structure *structure = modes->structure;
    bool *doubtful = HBG_NEW_ARRAY(modes->arena, bool, structure->region_count + 1);
    memcpy(doubtful, modes->always.switches_in, (size_t)structure->region_count * sizeof *doubtful);
    for (int32_t i = 0; i < structure->region_count && !modes->is_regular; i++) doubtful[i] = true;
    if (!modes->is_regular) return doubtful;
    for (int32_t place = 0; place < structure->place_count; place++)
        if (hbg_causal_is_floating(modes->assignment, place)) doubtful[structure->place_region[place]] = true;
    for (int32_t link = 0; link < structure->link_count; link++) {
        if (!hbg_causal_is_repeated(modes->assignment, link)) continue;
        for (int end = 0; end < 2; end++) {
            int32_t place = verify_place(structure, 2 * link + end);
            if (place != HBG_NONE) doubtful[structure->place_region[place]] = true;
        }
    }
    return doubtful;
}

static int32_t region_size(const hbg_causal_structure *structure, int32_t region) {
    return structure->region_start[region + 1] - structure->region_start[region];
}

/* ---- searches --------------------------------------------------------------------------------------------
 */

/* Rules out what the prover found if it is harmless: the part around the root, or the whole region if it has
 * odd cycles, whose certificates may have roots in several parts, or if it is valid only as a limit. */
static void exclude(hbg_verify_modes *modes, const verify_roots *roots, const bool *values) {
    const hbg_causal_structure *structure = modes->structure;
    for (int32_t i = 0; i < roots->count; i++) {
        int32_t literal = roots->items[i].literal, place = roots->items[i].place;
        if (!(literal > 0 ? values[literal] : !values[-literal])) continue;
        int32_t region = structure->place_region[place];
        bool odd = structure->region_odd_start[region] < structure->region_odd_start[region + 1];
        if (!odd && modes->is_regular)
            hbg_verify_exclude_part(modes, &place, 1);
        else
            hbg_verify_exclude_part(modes, structure->region_places + structure->region_start[region],
                                    region_size(structure, region));
        return;
    }
}

/* Runs the search under way until it finds a mode without a valid assignment. With `region` every mode found
 * is judged, and rules out those in which the region is switched alike. */
static hbg_verdict find_mode(hbg_verify_modes *modes, const verify_roots *roots, int32_t region) {
    const hbg_causal_structure *structure = modes->structure;
    for (;;) {
        if (hbg_verify_is_spent(modes)) return HBG_VERDICT_UNDECIDED;
        bool *values = HBG_NEW_ARRAY(modes->arena, bool, modes->clauses.variables + 1);
        size_t size = (size_t)(modes->clauses.variables + 1) * sizeof *values;
        verify_answer answer = hbg_verify_search(modes, values);
        if (answer == ANSWER_NONE) return HBG_VERDICT_PROVED;
        if (answer == ANSWER_UNKNOWN) return HBG_VERDICT_UNDECIDED;
        hbg_verify_read_states(modes, values);
        if (!hbg_verify_judge(modes)) return HBG_VERDICT_WITNESS;
        if (region == HBG_NONE)
            exclude(modes, roots, values);
        else
            hbg_verify_exclude_part(modes, structure->region_places + structure->region_start[region],
                                    region_size(structure, region));
        hbg_base_arena_release(modes->arena, values, size);
    }
}

/* Searches regions from `*next` on, as many as go together. */
static hbg_verdict search_some(hbg_verify_modes *modes, const bool *doubtful, int32_t *next) {
    const hbg_causal_structure *structure = modes->structure;
    verify_roots roots = {0};
    hbg_verify_begin(modes, NULL);
    for (int32_t places = 0; *next < structure->region_count && places < SEARCH_PLACES; (*next)++) {
        if (!doubtful[*next] || !hbg_verify_has_certificate(modes, *next)) continue;
        hbg_verify_add_certificate(modes, *next, &roots);
        places += region_size(structure, *next);
    }
    if (roots.count == 0) return HBG_VERDICT_PROVED;
    for (int32_t i = 0; i < roots.count; i++) hbg_verify_literal(&modes->clauses, roots.items[i].literal);
    hbg_verify_clause_end(&modes->clauses);
    return find_mode(modes, &roots, HBG_NONE);
}

/* Where the certificate does not serve, the modes of a region are judged one by one. */
static hbg_verdict search_each(hbg_verify_modes *modes, int32_t region) {
    const hbg_causal_structure *structure = modes->structure;
    hbg_verify_begin(modes, NULL);
    for (int32_t i = structure->region_start[region]; i < structure->region_start[region + 1]; i++)
        hbg_verify_on(modes, structure->region_places[i]);
    return find_mode(modes, NULL, region);
}

static bool is_invalid(hbg_verify_modes *modes, void *context) {
    (void)context;
    return !hbg_verify_judge(modes);
}

/* ---- the question ----------------------------------------------------------------------------------------
 */

static hbg_verdict answer(hbg_verify_modes *modes) {
    const hbg_causal_structure *structure = modes->structure;
    int32_t automata = structure->model->automata.count;
    memcpy(modes->states, modes->always.start, (size_t)automata * sizeof *modes->states);
    if (!hbg_verify_judge(modes)) return HBG_VERDICT_WITNESS;
    const bool *doubtful = find_doubtful(modes);
    hbg_verdict worst = HBG_VERDICT_PROVED;
    for (int32_t next = 0; next < structure->region_count;) {
        hbg_verdict verdict = search_some(modes, doubtful, &next);
        if (verdict == HBG_VERDICT_WITNESS) return verdict;
        if (verdict == HBG_VERDICT_UNDECIDED) worst = verdict;
        if (worst == HBG_VERDICT_UNDECIDED && hbg_verify_is_spent(modes)) return worst;
    }
    for (int32_t region = 0; region < structure->region_count; region++) {
        if (!doubtful[region] || hbg_verify_has_certificate(modes, region)) continue;
        hbg_verdict verdict = search_each(modes, region);
        if (verdict == HBG_VERDICT_WITNESS) return verdict;
        if (verdict == HBG_VERDICT_UNDECIDED) worst = verdict;
    }
    return worst;
}

/* ---- where -----------------------------------------------------------------------------------------------
 */

/* Whether a region by itself has a mode without a valid assignment, or may have one. */
static bool is_contested(hbg_verify_modes *modes, const bool *doubtful, int32_t region) {
    bool *only = HBG_NEW_ARRAY(modes->arena, bool, modes->structure->region_count + 1);
    only[region] = doubtful[region];
    if (!only[region]) return false;
    if (!hbg_verify_has_certificate(modes, region)) return search_each(modes, region) != HBG_VERDICT_PROVED;
    int32_t next = region;
    return search_some(modes, only, &next) != HBG_VERDICT_PROVED;
}

/* Places of the region, and those next to it: a zero may come from there. */
static void mark_region(const hbg_verify_modes *modes, int32_t region, int32_t *contested) {
    const hbg_causal_structure *structure = modes->structure;
    for (int32_t i = structure->region_start[region]; i < structure->region_start[region + 1]; i++) {
        int32_t place = structure->region_places[i];
        contested[place] = region;
        for (int32_t k = structure->place_start[place]; k < structure->place_start[place + 1]; k++) {
            int32_t there = verify_place(structure, structure->place_links[k] ^ 1);
            if (there != HBG_NONE && contested[there] == HBG_NONE) contested[there] = region;
        }
    }
}

int32_t *hbg_verify_contested(hbg_verify_modes *modes) {
    const hbg_causal_structure *structure = modes->structure;
    int32_t *contested = HBG_NEW_ARRAY(modes->arena, int32_t, structure->place_count + 1);
    for (int32_t i = 0; i < structure->place_count; i++) contested[i] = HBG_NONE;
    memcpy(modes->states, modes->always.start,
           (size_t)structure->model->automata.count * sizeof *modes->states);
    if (!hbg_verify_judge(modes)) return contested; // the start is one: no search is needed
    const bool *doubtful = find_doubtful(modes);
    hbg_verify_question_begin(modes);
    for (int32_t region = 0; region < structure->region_count; region++)
        if (is_contested(modes, doubtful, region)) mark_region(modes, region, contested);
    return contested;
}

hbg_verify_result hbg_verify_causality(hbg_verify_modes *modes) {
    hbg_verify_result result = hbg_verify_question_begin(modes);
    hbg_verdict verdict = answer(modes);
    if (verdict == HBG_VERDICT_WITNESS) hbg_verify_simplify(modes, is_invalid, NULL);
    hbg_verify_conclude(modes, &result, verdict);
    return result;
}
