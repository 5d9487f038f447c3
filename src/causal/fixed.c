/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The offline analysis (001, section 4): which links have the same causality in every mode, which junctions
 * are in constrained causality, which switch without any reassignment (001, section 6).
 *
 * Fixed causality starts at sources and spreads (Algorithm 1, DetermineFixedCausality). 001 starts at
 * storages too, because it rules derivative causality out; here a storage counts only if no mode can make it
 * dependent, which is shown locally: any other link that determines its place could leave that to the storage
 * without making another one derivative. The pass is sound but may miss some; the verifier gives the exact
 * answer for each storage. */
#include "causal/causal_impl.h"

typedef struct {
    hbg_causal_structure *structure;
    int8_t *mark;   /* by slot: fixed mark at a place, or HBG_NONE */
    bool *alive;    /* by place: while it is on it does not float */
    int32_t *queue; /* places to visit */
    bool *queued;
    int32_t count;
    bool bold; /* every storage counts */
} spread;

static const hbg_causal_end *far_end(const hbg_causal_structure *structure, int32_t slot) {
    return &structure->links[slot >> 1].end[1 - (slot & 1)];
}

/* The mark at this place that the element at the other end wants. */
static int8_t wanted_mark(const hbg_causal_structure *structure, int32_t slot) {
    return causal_partner(structure, slot ^ 1, far_end(structure, slot)->wants_effort);
}

/* ---- storages that are never dependent ---------------------------------------------------------------- */

/* An element at the place can take over from a link without loss: a resistor, a source, a storage that
 * prefers it. */
static bool absorbs(const hbg_causal_structure *structure, int32_t place, int32_t except) {
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        const hbg_causal_end *far = far_end(structure, slot);
        if (far->place != HBG_NONE || slot == except) continue;
        if (far->demand == HBG_DEMAND_FREE || wanted_mark(structure, slot)) return true;
    }
    return false;
}

/* The storage would determine its place: no other element there demands it, in any mode. */
static bool always_determines(const hbg_causal_structure *structure, int32_t place, int32_t own) {
    if (structure->controlled[place]) return false;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        const hbg_causal_end *far = far_end(structure, slot);
        if (slot == own) continue;
        if (far->place == HBG_NONE) {
            if (far->demand != HBG_DEMAND_FREE && wanted_mark(structure, slot)) return false;
            continue;
        }
        bool both_or_none = causal_partner(structure, slot, 1) == 1;
        if (!both_or_none || structure->dual_off[far->place] || !absorbs(structure, far->place, HBG_NONE))
            return false;
        if (far->place == place) return false;
    }
    return true;
}

static bool never_dependent(const hbg_causal_structure *structure, int32_t slot) {
    int32_t place = causal_place(structure, slot);
    if (wanted_mark(structure, slot)) return always_determines(structure, place, slot);
    return !structure->dual_off[place] && absorbs(structure, place, slot);
}

/* ---- places that do not float ------------------------------------------------------------------------- */

/* The place has a source, or a storage that is never dependent. */
static bool has_say(const spread *s, int32_t place) {
    const hbg_causal_structure *structure = s->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        const hbg_causal_end *far = far_end(structure, slot);
        if (far->place != HBG_NONE || far->demand == HBG_DEMAND_FREE) continue;
        if (far->demand == HBG_DEMAND_MUST || s->bold || never_dependent(structure, slot)) return true;
    }
    return false;
}

static void enliven(spread *s, int32_t place) {
    if (place == HBG_NONE || s->alive[place]) return;
    s->alive[place] = true;
    if (!s->structure->controlled[place]) s->queue[s->count++] = place;
}

/* Finds places that must have a determining bond, since they cannot float (repair.c): in every mode junctions
 * that are always on join them to a source or a storage that is never dependent. */
static void find_alive(spread *s) {
    const hbg_causal_structure *structure = s->structure;
    for (int32_t place = 0; place < structure->place_count; place++)
        if (has_say(s, place)) enliven(s, place);
    while (s->count > 0) {
        int32_t place = s->queue[--s->count];
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
            enliven(s, causal_place(structure, structure->place_links[i] ^ 1));
    }
}

/* ---- spreading ---------------------------------------------------------------------------------------- */

static void enqueue(spread *s, int32_t place) {
    if (place == HBG_NONE || s->queued[place]) return;
    s->queued[place] = true;
    s->queue[s->count++] = place;
}

/* A link between two places can be fixed only if its mark is the same while either is off, and if the zero
 * that an off one sets then does not determine its neighbour: another junction may repeat it, and one of the
 * two is waived.
 * */
static bool holds_while_off(const hbg_causal_structure *structure, int32_t here, uint8_t mark, int32_t there,
                            uint8_t other) {
    if (structure->controlled[here] && (mark != structure->dual_off[here] || other)) return false;
    return !structure->controlled[there] || (other == structure->dual_off[there] && !mark);
}

/* Fixes a mark at a place and its consequence at the other end. */
static void fix(spread *s, int32_t slot, uint8_t mark) {
    const hbg_causal_structure *structure = s->structure;
    if (s->mark[slot] != HBG_NONE) return;
    int32_t here = causal_place(structure, slot), there = causal_place(structure, slot ^ 1);
    uint8_t other = causal_partner(structure, slot, mark);
    if (there != HBG_NONE && !holds_while_off(structure, here, mark, there, other)) return;
    s->mark[slot] = (int8_t)mark;
    s->mark[slot ^ 1] = (int8_t)other;
    enqueue(s, here);
    enqueue(s, there);
}

typedef struct {
    int32_t determining; /* the slot fixed as the determining one, or HBG_NONE */
    int32_t open;        /* how many are not fixed */
    int32_t last_open;
} place_view;

static place_view view(const spread *s, int32_t place) {
    place_view v = {HBG_NONE, 0, HBG_NONE};
    for (int32_t i = s->structure->place_start[place]; i < s->structure->place_start[place + 1]; i++) {
        int32_t slot = s->structure->place_links[i];
        if (s->mark[slot] == 1) v.determining = slot;
        if (s->mark[slot] != HBG_NONE) continue;
        v.open++;
        v.last_open = slot;
    }
    return v;
}

static void fix_others(spread *s, int32_t place, int32_t except) {
    for (int32_t i = s->structure->place_start[place]; i < s->structure->place_start[place + 1]; i++)
        if (s->structure->place_links[i] != except) fix(s, s->structure->place_links[i], 0);
}

/* The link shared by two junctions of different kind on one condition that determines both while they are on
 * (001, case 4): its end at the other place, or HBG_NONE. */
static int32_t shared_link(const spread *s, int32_t place, const place_view *v) {
    const hbg_causal_structure *structure = s->structure;
    if (!structure->controlled[place] || structure->dual_off[place]) return HBG_NONE;
    if (v->determining != HBG_NONE || v->open != 1) return HBG_NONE;
    int32_t other = v->last_open ^ 1, there = causal_place(structure, other);
    if (there == HBG_NONE || there == place || structure->dual_off[there]) return HBG_NONE;
    if (structure->control_group[there] != structure->control_group[place]) return HBG_NONE;
    return causal_partner(structure, v->last_open, 1) == 1 ? other : HBG_NONE;
}

/* Function 2, PropagateFixedCausality. */
static void look_at(spread *s, int32_t place) {
    const hbg_causal_structure *structure = s->structure;
    place_view v = view(s, place);
    if (v.open == 0) return;
    if (v.determining != HBG_NONE) { // while off it sets 0 on the others too, or is dual and does not
        if (!structure->controlled[place] || !structure->dual_off[place]) fix_others(s, place, v.determining);
        return;
    }
    if (!s->alive[place]) return;
    if (!structure->controlled[place] && v.open == 1) fix(s, v.last_open, 1);
    int32_t shared = shared_link(s, place, &v);
    if (shared != HBG_NONE) fix_others(s, causal_place(structure, shared), shared);
}

static void start_at_elements(spread *s) {
    const hbg_causal_structure *structure = s->structure;
    for (int32_t place = 0; place < structure->place_count; place++)
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i];
            const hbg_causal_end *far = far_end(structure, slot);
            if (far->place != HBG_NONE || far->demand == HBG_DEMAND_FREE) continue;
            bool counts = far->demand == HBG_DEMAND_MUST || s->bold || never_dependent(structure, slot);
            if (!counts) continue;
            fix(s, slot, wanted_mark(structure, slot));
        }
}

/* Algorithm 1, DetermineFixedCausality. */
static spread spread_fixed(hbg_arena *arena, hbg_causal_structure *structure, bool bold) {
    int32_t slots = 2 * structure->link_count;
    spread s = {.structure = structure, .bold = bold};
    s.mark = HBG_NEW_ARRAY(arena, int8_t, slots + 1);
    s.queue = HBG_NEW_ARRAY(arena, int32_t, structure->place_count + 1);
    s.queued = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    s.alive = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    for (int32_t i = 0; i < slots; i++) s.mark[i] = HBG_NONE;
    find_alive(&s);
    start_at_elements(&s);
    while (s.count > 0) {
        int32_t place = s.queue[--s.count];
        s.queued[place] = false;
        look_at(&s, place);
    }
    return s;
}

/* ---- where every storage is integral in every mode ----------------------------------------------------- */

/* Storages at the place have their preference, and it has one determining link while it is on: a fixed one,
 * or the only possible one of a junction that switches, which ends at an element or at its partner. */
static bool is_settled(const spread *s, int32_t place) {
    const hbg_causal_structure *structure = s->structure;
    int32_t determining = 0, open = 0, last = HBG_NONE;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        const hbg_causal_end *far = far_end(structure, slot);
        bool element = far->place == HBG_NONE && far->demand != HBG_DEMAND_FREE;
        if (s->mark[slot] != HBG_NONE && element && s->mark[slot] != wanted_mark(structure, slot))
            return false;
        determining += s->mark[slot] == 1;
        open += s->mark[slot] == HBG_NONE;
        if (s->mark[slot] != 0) last = slot;
    }
    if (!structure->controlled[place]) return determining == 1 && open == 0;
    if (structure->dual_off[place] || determining + open != 1) return false;
    const hbg_causal_end *far = far_end(structure, last);
    if (far->place == HBG_NONE)
        return true; // it takes any value while the junction is off, without consequences
    place_view other = view(s, far->place);
    return structure->control_group[far->place] == structure->control_group[place] &&
           !structure->dual_off[far->place] && causal_partner(structure, last, 1) == 1 &&
           other.determining == HBG_NONE && other.open == 1 && other.last_open == (last ^ 1);
}

/* A storage that determines a junction loses that when the junction goes off. */
static bool flips(const spread *s, int32_t link) {
    for (int32_t slot = 2 * link; slot <= 2 * link + 1; slot++) {
        int32_t place = causal_place(s->structure, slot);
        if (place == HBG_NONE || !s->structure->controlled[place] || s->mark[slot] != 1) continue;
        if (far_end(s->structure, slot)->demand == HBG_DEMAND_PREFER) return true;
    }
    return false;
}

/* Finds groups of places, joined by links, that are all settled: their marks hold in every mode, except at
 * storages that a junction makes dependent while it is off. */
static void find_settled(hbg_arena *arena, const spread *s, bool *found) {
    const hbg_causal_structure *structure = s->structure;
    int32_t *queue = HBG_NEW_ARRAY(arena, int32_t, structure->place_count + 1);
    bool *met = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    for (int32_t first = 0; first < structure->place_count; first++) {
        int32_t count = 0;
        bool all = true;
        if (met[first]) continue;
        met[first] = true;
        queue[count++] = first;
        for (int32_t i = 0; i < count; i++) {
            all = all && is_settled(s, queue[i]);
            for (int32_t k = structure->place_start[queue[i]]; k < structure->place_start[queue[i] + 1];
                 k++) {
                int32_t there = causal_place(structure, structure->place_links[k] ^ 1);
                if (there == HBG_NONE || met[there]) continue;
                met[there] = true;
                queue[count++] = there;
            }
        }
        for (int32_t i = 0; i < count; i++) found[queue[i]] = all;
    }
}

void hbg_causal_find_fixed(hbg_arena *arena, hbg_causal_structure *structure) {
    spread sure = spread_fixed(arena, structure, false), bold = spread_fixed(arena, structure, true);
    bool *settled = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    find_settled(arena, &bold, settled);
    structure->place_alive = sure.alive;
    structure->link_fixed = HBG_NEW_ARRAY(arena, int8_t, structure->link_count + 1);
    for (int32_t link = 0; link < structure->link_count; link++) {
        int32_t place = causal_place(structure, 2 * link), there = causal_place(structure, 2 * link + 1);
        bool known = (place != HBG_NONE && settled[place]) || (there != HBG_NONE && settled[there]);
        int8_t mark = !known ? sure.mark[2 * link] : flips(&bold, link) ? HBG_NONE : bold.mark[2 * link];
        if (mark == HBG_NONE || place == HBG_NONE || structure->is_zero[place])
            structure->link_fixed[link] = mark;
        else
            structure->link_fixed[link] = !mark;
    }
}

/* ---- results ------------------------------------------------------------------------------------------ */

static int fixed_mark(const hbg_causal_structure *structure, int32_t slot) {
    int8_t fixed = structure->link_fixed[slot >> 1];
    if (fixed == HBG_NONE) return HBG_NONE;
    bool arrives = hbg_causal_arrives(&structure->links[slot >> 1], slot & 1, fixed);
    return structure->is_zero[causal_place(structure, slot)] ? arrives : !arrives;
}

bool hbg_causal_can_determine(const hbg_causal_structure *structure, int32_t place, int32_t bond) {
    int32_t link = structure->bond_link[bond];
    for (int32_t slot = 2 * link; link != HBG_NONE && slot <= 2 * link + 1; slot++)
        if (causal_place(structure, slot) == place && fixed_mark(structure, slot) != 0) return true;
    return false;
}

/* The only link that can ever determine a place, all others being fixed in the opposite way; HBG_NONE if
 * there is a choice. */
static int32_t only_determining(const hbg_causal_structure *structure, int32_t place) {
    int32_t only = HBG_NONE;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        if (fixed_mark(structure, slot) == 0) continue;
        if (only != HBG_NONE) return HBG_NONE;
        only = slot;
    }
    return only;
}

/* 001, section 6: the switching place always takes the same determining bond and nothing else changes with
 * it. */
static bool never_reassigns(const hbg_causal_structure *structure, int32_t place) {
    int32_t slot = only_determining(structure, place);
    if (slot == HBG_NONE || !structure->controlled[place] || structure->dual_off[place]) return false;
    const hbg_causal_end *far = far_end(structure, slot);
    if (far->place == HBG_NONE) // a resistor gets 0 either way; a source is cut
        return far->demand == HBG_DEMAND_FREE || far->is_source;
    return structure->control_group[far->place] == structure->control_group[place] &&
           !structure->dual_off[far->place] && causal_partner(structure, slot, 1) == 1 &&
           only_determining(structure, far->place) == (slot ^ 1);
}

static bool constrained(const hbg_causal_structure *structure, int32_t place) {
    int32_t degree = structure->place_start[place + 1] - structure->place_start[place], out = 0;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int mark = fixed_mark(structure, structure->place_links[i]);
        if (mark == 1) return false;
        out += mark == 0;
    }
    return degree > 2 && out >= 1 && out <= degree - 2;
}

/* A bond between two elements is the same in all modes. */
static bool joins_elements(const hbg_causal_structure *structure, int32_t link) {
    const hbg_causal_end *end = structure->links[link].end;
    return end[0].place == HBG_NONE && end[1].place == HBG_NONE;
}

/* Whether a link is not fixed and belongs to a region that no switching junction reaches, or to none. */
static bool has_unreached(const hbg_causal_structure *structure, const bool *reached) {
    for (int32_t link = 0; link < structure->link_count; link++) {
        int32_t place = causal_place(structure, 2 * link);
        if (place == HBG_NONE) place = causal_place(structure, 2 * link + 1);
        if (place == HBG_NONE) return true;
        if (structure->link_fixed[link] == HBG_NONE && !reached[structure->place_region[place]]) return true;
    }
    return false;
}

/* Regions that no switching junction reaches keep one assignment in all modes: their links are fixed as well.
 */
static void fix_unreached(hbg_arena *arena, hbg_causal_structure *structure) {
    bool *on = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    bool *reached = HBG_NEW_ARRAY(arena, bool, structure->region_count + 1);
    for (int32_t place = 0; place < structure->place_count; place++) {
        on[place] = true;
        if (structure->controlled[place]) reached[structure->place_region[place]] = true;
    }
    if (!has_unreached(structure, reached)) return;
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(arena, structure);
    hbg_causal_assign(assignment, on);
    for (int32_t link = 0; link < structure->link_count; link++)
        if (joins_elements(structure, link)) structure->link_fixed[link] = hbg_causal_value(assignment, link);
    for (int32_t place = 0; place < structure->place_count; place++) {
        int32_t region = structure->place_region[place];
        if (assignment->tally.bad_in[region] > 0 || reached[region]) continue;
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t link = structure->place_links[i] >> 1;
            if (structure->link_fixed[link] == HBG_NONE)
                structure->link_fixed[link] = hbg_causal_value(assignment, link);
        }
    }
}

void hbg_causal_find_never(hbg_arena *arena, hbg_causal_structure *structure) {
    fix_unreached(arena, structure);
    structure->place_constrained = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    structure->place_never_reassigns = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    for (int32_t place = 0; place < structure->place_count; place++) {
        structure->place_constrained[place] = constrained(structure, place);
        structure->place_never_reassigns[place] = never_reassigns(structure, place);
    }
}
