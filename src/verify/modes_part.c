/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The harmless cases (semantics, section 3) as literals, so that a search does not stop at each of them.
 *
 * Zero: a place that is on and whose variable an off junction makes zero, next to it or along links that hand
 * the zero on. Such a place is as good as off: its links determine no other place, or hand the zero on, and a
 * second zero arriving there only repeats the first.
 *
 * Live: a place that is on and joined through places that are on to a source or a storage. Where there are
 * only resistors, all variables may be zero, which contradicts nothing.
 *
 * Both are reached step by step, so they are made in layers, one for each step; what equals the previous
 * layer is not made again. Long ways are cut off on the safe side: fewer places known to be zero, more taken
 * as live. That can only add modes to be judged. */
#include "verify/verify_impl.h"

#define ZERO_LAYERS   12
#define LIVE_LITERALS 30000 /* for a part that demands nothing; at least a few layers in any case */
#define LIVE_LAYERS   4

/* ---- groups ----------------------------------------------------------------------------------------------
 */

typedef bool (*joins)(const hbg_verify_modes *modes, int32_t link, int32_t a, int32_t b);

static bool hands_on(const hbg_verify_modes *modes, int32_t link, int32_t a, int32_t b) {
    (void)a, (void)b;
    return !verify_determines_both(modes->structure, link);
}

static bool both_steady(const hbg_verify_modes *modes, int32_t link, int32_t a, int32_t b) {
    (void)link;
    return !modes->structure->controlled[a] && !modes->structure->controlled[b];
}

static bool both_idle(const hbg_verify_modes *modes, int32_t link, int32_t a, int32_t b) {
    (void)link;
    return !modes->always.steady_demands[modes->always.steady.group[a]] &&
           !modes->always.steady_demands[modes->always.steady.group[b]];
}

/* The first place of the group that this one was put into so far; shortens the way for the next. */
static int32_t leader(int32_t *parent, int32_t place) {
    while (parent[place] != place) place = parent[place] = parent[parent[place]];
    return place;
}

static void number_groups(hbg_arena *arena, verify_groups *groups, int32_t *parent, int32_t places) {
    groups->group = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    for (int32_t place = 0; place < places; place++) {
        int32_t first = leader(parent, place); // never after its members
        groups->group[place] = first == place ? groups->count++ : groups->group[first];
    }
    groups->start = HBG_NEW_ARRAY(arena, int32_t, groups->count + 2);
    groups->members = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    for (int32_t place = 0; place < places; place++) groups->start[groups->group[place] + 2]++;
    for (int32_t i = 2; i <= groups->count + 1; i++) groups->start[i] += groups->start[i - 1];
    for (int32_t place = 0; place < places; place++)
        groups->members[groups->start[groups->group[place] + 1]++] = place;
}

static verify_groups make_groups(hbg_verify_modes *modes, joins together) {
    const hbg_causal_structure *structure = modes->structure;
    int32_t places = structure->place_count;
    int32_t *parent = HBG_NEW_ARRAY(modes->arena, int32_t, places + 1);
    for (int32_t i = 0; i < places; i++) parent[i] = i;
    for (int32_t link = 0; link < structure->link_count; link++) {
        int32_t a = verify_place(structure, 2 * link), b = verify_place(structure, 2 * link + 1);
        if (a == HBG_NONE || b == HBG_NONE || !together(modes, link, a, b)) continue;
        a = leader(parent, a);
        b = leader(parent, b);
        if (a < b)
            parent[b] = a;
        else
            parent[a] = b;
    }
    verify_groups groups = {0};
    number_groups(modes->arena, &groups, parent, places);
    return groups;
}

void hbg_verify_groups_init(hbg_verify_modes *modes) {
    const hbg_causal_structure *structure = modes->structure;
    modes->always.handing = make_groups(modes, hands_on);
    modes->always.steady = make_groups(modes, both_steady);
    modes->always.steady_demands = HBG_NEW_ARRAY(modes->arena, bool, modes->always.steady.count + 1);
    for (int32_t slot = 0; slot < 2 * structure->link_count; slot++) {
        int32_t place = verify_place(structure, slot);
        const hbg_causal_end *far = &structure->links[slot >> 1].end[1 - (slot & 1)];
        if (place != HBG_NONE && far->place == HBG_NONE && far->demand != HBG_DEMAND_FREE)
            modes->always.steady_demands[modes->always.steady.group[place]] = true;
    }
    modes->always.idle = make_groups(modes, both_idle);
}

/* ---- zero ------------------------------------------------------------------------------------------------
 */

/* A junction that is off next to the place makes it zero. */
static int32_t zero_from_next(hbg_verify_modes *modes, int32_t place) {
    const hbg_causal_structure *structure = modes->structure;
    int32_t any = LITERAL_FALSE;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], there = verify_place(structure, slot ^ 1);
        if (there == HBG_NONE || there == place || !verify_brings_zero(structure, slot)) continue;
        any = hbg_verify_or(&modes->clauses, any, -hbg_verify_on(modes, there));
    }
    return hbg_verify_and(&modes->clauses, any, hbg_verify_on(modes, place));
}

/* A place next to it, zero itself, hands its zero on. */
static int32_t zero_handed_on(hbg_verify_modes *modes, int32_t place, const int32_t *before) {
    const hbg_causal_structure *structure = modes->structure;
    int32_t any = LITERAL_FALSE;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], there = verify_place(structure, slot ^ 1);
        if (there == HBG_NONE || there == place || verify_determines_both(structure, slot >> 1)) continue;
        any = hbg_verify_or(&modes->clauses, any, before[there]);
    }
    return hbg_verify_and(&modes->clauses, any, hbg_verify_on(modes, place));
}

/* One more step within a group; false if no zero can get anywhere. */
static bool add_zero_layer(hbg_verify_modes *modes, const int32_t *members, int32_t count) {
    int32_t *zero = modes->literals.zero;
    bool spreads = false;
    modes->layer.count = 0;
    for (int32_t i = 0; i < count; i++)
        HBG_PUSH(modes->arena, modes->layer, zero_handed_on(modes, members[i], zero));
    for (int32_t i = 0; i < count; i++) {
        spreads = spreads || modes->layer.items[i] != LITERAL_FALSE;
        zero[members[i]] = hbg_verify_or(&modes->clauses, zero[members[i]], modes->layer.items[i]);
    }
    return spreads;
}

int32_t hbg_verify_zero(hbg_verify_modes *modes, int32_t place) {
    if (modes->literals.zero[place] != 0) return modes->literals.zero[place];
    int32_t group = modes->always.handing.group[place];
    const int32_t *members = modes->always.handing.members + modes->always.handing.start[group];
    int32_t count = modes->always.handing.start[group + 1] - modes->always.handing.start[group];
    HBG_PUSH(modes->arena, modes->literals.groups_made, group);
    for (int32_t i = 0; i < count; i++) modes->literals.zero[members[i]] = zero_from_next(modes, members[i]);
    int32_t layers = count - 1 < ZERO_LAYERS ? count - 1 : ZERO_LAYERS;
    while (layers-- > 0 && add_zero_layer(modes, members, count)) continue;
    return modes->literals.zero[place];
}

/* ---- live ------------------------------------------------------------------------------------------------
 */

/* Adds to the clause under construction what makes a steady group live at its next step. */
static void add_ways_on(hbg_verify_modes *modes, int32_t group) {
    const hbg_causal_structure *structure = modes->structure;
    for (int32_t k = modes->always.steady.start[group]; k < modes->always.steady.start[group + 1]; k++) {
        int32_t place = modes->always.steady.members[k];
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t there = verify_place(structure, structure->place_links[i] ^ 1);
            if (there == HBG_NONE || modes->always.steady.group[there] == group) continue;
            int32_t next = modes->always.steady.group[there];
            HBG_PUSH(modes->arena, modes->ways,
                     modes->always.steady_demands[next] ? hbg_verify_on(modes, there)
                                                        : modes->literals.live[next]);
        }
    }
}

/* One more step from a group: a literal that can be true only if the group is on and goes on to live ones. */
static int32_t live_next(hbg_verify_modes *modes, int32_t group) {
    verify_clauses *clauses = &modes->clauses;
    modes->ways.count = 0;
    add_ways_on(modes, group);
    bool any = false;
    for (int32_t i = 0; i < modes->ways.count; i++) any = any || modes->ways.items[i] != LITERAL_FALSE;
    int32_t on = hbg_verify_on(modes, modes->always.steady.members[modes->always.steady.start[group]]);
    if (!any || on == LITERAL_FALSE) return LITERAL_FALSE;
    int32_t live = hbg_verify_variable(clauses);
    VERIFY_CLAUSE(clauses, -live, on);
    hbg_verify_literal(clauses, -live);
    for (int32_t i = 0; i < modes->ways.count; i++) hbg_verify_literal(clauses, modes->ways.items[i]);
    hbg_verify_clause_end(clauses);
    return live;
}

/* Makes the literals of all steady groups of an idle part, which modes->live_made lists from `first` on. */
static void make_live(hbg_verify_modes *modes, int32_t first) {
    int32_t count = modes->literals.live_made.count - first;
    int32_t layers = LIVE_LITERALS / count > LIVE_LAYERS ? LIVE_LITERALS / count : LIVE_LAYERS;
    for (int32_t i = 0; i < count; i++) {
        int32_t group = modes->literals.live_made.items[first + i];
        int32_t place = modes->always.steady.members[modes->always.steady.start[group]];
        modes->literals.live[group] = layers < count ? hbg_verify_on(modes, place) : LITERAL_FALSE;
    }
    for (int32_t layer = 0; layer < layers && layer < count; layer++) {
        modes->layer.count = 0;
        for (int32_t i = 0; i < count; i++)
            HBG_PUSH(modes->arena, modes->layer,
                     live_next(modes, modes->literals.live_made.items[first + i]));
        for (int32_t i = 0; i < count; i++)
            modes->literals.live[modes->literals.live_made.items[first + i]] = modes->layer.items[i];
    }
}

int32_t hbg_verify_live(hbg_verify_modes *modes, int32_t place) {
    int32_t group = modes->always.steady.group[place];
    if (modes->always.steady_demands[group]) return hbg_verify_on(modes, place);
    if (modes->literals.live[group] != 0) return modes->literals.live[group];
    int32_t first = modes->literals.live_made.count, part = modes->always.idle.group[place];
    for (int32_t i = modes->always.idle.start[part]; i < modes->always.idle.start[part + 1]; i++) {
        int32_t member = modes->always.idle.members[i], own = modes->always.steady.group[member];
        if (modes->always.steady.members[modes->always.steady.start[own]] == member)
            HBG_PUSH(modes->arena, modes->literals.live_made, own);
    }
    make_live(modes, first);
    return modes->literals.live[group];
}
