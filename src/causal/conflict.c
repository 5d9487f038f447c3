/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Why a mode has no valid assignment: an irreducible set of bonds. Dropping a bond means that its two ends
 * need not agree. With the bonds in a row, the shortest beginning of the row that is in conflict ends with a
 * bond that every such conflict needs; that bond is kept, the ones after it are dropped, and the search
 * repeats with the shorter row, until the kept bonds alone are in conflict. A step goes back from the end of
 * the row, twice as far each time, and then bisects: a conflict of k bonds in a part of n costs at most about
 * 2·k·log n assignments, and about k if most of the part is in conflict. Conflicts of many thousand bonds are
 * not reduced completely: untested bonds stay in the set. */
#include "causal/causal_impl.h"

#define WORK_LIMIT  50000000 /* links assigned, */
#define LEAST_TESTS 300      /* but always this many tests */

typedef struct {
    hbg_causal_structure plain; /* without the offline analysis, which holds only while no bond is dropped */
    hbg_causal_assignment *assignment;
    int32_t region; /* the region in conflict; no link joins regions of the plain structure */
    int32_t *row;   /* its links */
    int32_t count;
    bool *kept;    /* by link */
    int64_t tests; /* tests made */
} conflict_search;

static void init(conflict_search *search, hbg_arena *arena, const hbg_causal_structure *structure) {
    search->plain = *structure;
    search->plain.region_count = 0;
    search->plain.link_fixed = HBG_NEW_ARRAY(arena, int8_t, structure->link_count + 1);
    for (int32_t i = 0; i < structure->link_count; i++) search->plain.link_fixed[i] = HBG_NONE;
    hbg_causal_find_regions(arena, &search->plain);
    search->assignment = hbg_causal_assignment_new(arena, &search->plain);
    search->assignment->relaxed = HBG_NEW_ARRAY(arena, bool, structure->link_count + 1);
    search->row = HBG_NEW_ARRAY(arena, int32_t, structure->link_count + 1);
    search->kept = HBG_NEW_ARRAY(arena, bool, structure->link_count + 1);
}

/* The region a link belongs to in the plain structure. */
static int32_t region_of(const conflict_search *search, int32_t link) {
    for (int end = 0; end < 2; end++) {
        int32_t place = search->plain.links[link].end[end].place;
        if (place != HBG_NONE) return search->plain.place_region[place];
    }
    return search->plain.region_count;
}

/* Only one region in conflict is examined. */
static void collect(conflict_search *search) {
    int32_t region = 0;
    while (region < search->plain.region_count && search->assignment->tally.bad_in[region] == 0) region++;
    search->region = region;
    search->assignment->region_state[region] = REGION_ANEW;
    for (int32_t link = 0; link < search->plain.link_count; link++)
        if (region_of(search, link) == region) search->row[search->count++] = link;
}

/* Whether the kept links and the first `length` of the row are in conflict. */
static bool in_conflict(conflict_search *search, int32_t length) {
    bool *relaxed = search->assignment->relaxed;
    search->tests++;
    for (int32_t i = 0; i < search->count; i++)
        relaxed[search->row[i]] = i >= length && !search->kept[search->row[i]];
    if (search->region == search->plain.region_count)
        hbg_causal_assign_bare(search->assignment);
    else
        hbg_causal_sequence(search->assignment, search->region);
    hbg_causal_settle(search->assignment);
    return search->assignment->tally.bad_in[search->region] > 0;
}

static bool is_spent(const conflict_search *search) {
    return search->tests > LEAST_TESTS && search->tests * search->count > WORK_LIMIT;
}

/* The shortest beginning of the row, up to `length`, that is in conflict with the kept links; 0 if these
 * alone are. */
static int32_t shortest(conflict_search *search, int32_t length) {
    int32_t low = length, high = length; // in conflict at high
    for (int32_t step = 1; low == high && high > 0; step *= 2) {
        low = high > step ? high - step : 0;
        if (in_conflict(search, low)) high = low;
    }
    while (high - low > 1) { // not in conflict at low
        int32_t middle = low + (high - low) / 2;
        if (in_conflict(search, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void reduce(conflict_search *search) {
    int32_t length = search->count;
    while (length > 0 && !is_spent(search)) {
        length = shortest(search, length);
        if (length > 0) search->kept[search->row[--length]] = true;
    }
    for (int32_t i = 0; i < length; i++) search->kept[search->row[i]] = true;
}

hbg_causal_conflict_set hbg_causal_conflict(hbg_arena *arena, const hbg_causal_structure *structure,
                                            const bool *on) {
    conflict_search search = {0};
    init(&search, arena, structure);
    hbg_causal_conflict_set set = {HBG_NEW_ARRAY(arena, int32_t, structure->model->bonds.count + 1), 0};
    if (hbg_causal_assign(search.assignment, on)) return set;
    collect(&search);
    reduce(&search);
    for (int32_t link = 0; link < structure->link_count; link++)
        for (int32_t i = 0; search.kept[link] && i < structure->links[link].bond_count; i++) {
            int32_t bond = structure->chain[structure->links[link].first_bond + i] >> 2;
            if (structure->bond_link[bond] == link) set.bonds[set.count++] = bond;
        }
    return set;
}
