/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Why a mode has no valid causal assignment, for one reason that is easily explained: 0-junctions that only
 * junctions in state off join to the rest. If nothing among them holds an effort relative to the outside, all
 * their efforts can be raised by the same amount, and every equation still holds: a bridge of diodes floats
 * while all of them block. 1-junctions bonded to each other are one loop, as components in series are. A
 * circuit without a ground floats in every mode, for the same reason. */
#include "causal/causal_impl.h"

typedef struct {
    hbg_arena *arena;
    const hbg_model *model;
    const hbg_causal_structure *structure;
    const bool *on;           /* by place; NULL: all are on */
    bool *seen;               /* by element */
    int32_t *loop;            /* by 1-junction: another one of its loop, or itself */
    int32_t *balance;         /* by 1-junction: bonds of 0-junctions in, less those out */
    HBG_VEC(int32_t) waiting; /* junctions of the island whose bonds are still to be followed */
    hbg_causal_floating_set found;
} walker;

static bool is_junction(const walker *walk, int32_t element) {
    return walk->model->elements.items[element].ports == 0;
}

static bool is_zero(const walker *walk, int32_t element) {
    return walk->model->elements.items[element].kind == HBG_KIND_ZERO;
}

static bool is_on(const walker *walk, int32_t element) {
    if (!walk->on) return true;
    int32_t place = walk->structure->element_place[element];
    return place == HBG_NONE || walk->on[place];
}

static void visit(walker *walk, int32_t junction) {
    if (walk->seen[junction]) return;
    walk->seen[junction] = true;
    walk->loop[junction] = junction;
    HBG_PUSH(walk->arena, walk->waiting, junction);
    if (is_zero(walk, junction)) HBG_PUSH(walk->arena, walk->found.nodes, junction);
}

static int32_t loop_of(const walker *walk, int32_t junction) {
    while (walk->loop[junction] != junction) junction = walk->loop[junction];
    return junction;
}

/* Follows a bond of a junction. False: something holds its effort, or the case is more complex. */
static bool follow_bond(walker *walk, int32_t junction, const hbg_bond *bond) {
    const hbg_element *elements = walk->model->elements.items;
    bool zero = is_zero(walk, junction), in = bond->to.element == junction;
    int32_t other = in ? bond->from.element : bond->to.element;
    if (!is_junction(walk, other)) return !zero; // in a loop it sees only differences, also a transformer
    if (!is_on(walk, other)) {
        if (!zero || is_zero(walk, other) || elements[other].dual_off) return false;
        if (!walk->seen[other]) HBG_PUSH(walk->arena, walk->found.cuts, other);
        walk->seen[other] = true;
        return true;
    }
    visit(walk, other);
    if (!zero && is_zero(walk, other)) walk->balance[junction] += in ? 1 : -1;
    if (!zero && !is_zero(walk, other)) walk->loop[loop_of(walk, other)] = loop_of(walk, junction);
    return true;
}

static bool follow(walker *walk, int32_t junction) {
    const hbg_model *model = walk->model;
    bool open = true;
    for (int32_t i = model->incidence_start[junction]; i < model->incidence_start[junction + 1]; i++)
        open = follow_bond(walk, junction, &model->bonds.items[model->incidence[i]]) && open;
    return open;
}

/* A loop with as many nodes in as out only compares efforts, and still holds if all are raised. */
static bool only_compares(walker *walk) {
    for (int32_t i = 0; i < walk->waiting.count; i++) {
        int32_t junction = walk->waiting.items[i], loop = loop_of(walk, junction);
        if (loop == junction) continue;
        walk->balance[loop] += walk->balance[junction];
        walk->balance[junction] = 0;
    }
    for (int32_t i = 0; i < walk->waiting.count; i++)
        if (walk->balance[walk->waiting.items[i]] != 0) return false;
    return true;
}

bool hbg_causal_floating(hbg_arena *arena, const hbg_causal_structure *structure, const bool *on,
                         const hbg_causal_conflict_set *conflict, hbg_causal_floating_set *found) {
    const hbg_model *model = structure->model;
    walker walk = {.arena = arena, .model = model, .structure = structure, .on = on};
    walk.seen = HBG_NEW_ARRAY(arena, bool, model->elements.count + 1);
    walk.loop = HBG_NEW_ARRAY(arena, int32_t, model->elements.count + 1);
    walk.balance = HBG_NEW_ARRAY(arena, int32_t, model->elements.count + 1);
    for (int32_t i = 0; i < conflict->count && walk.waiting.count == 0; i++) {
        const hbg_bond *bond = &model->bonds.items[conflict->bonds[i]];
        const int32_t ends[] = {bond->from.element, bond->to.element};
        for (int k = 0; k < 2; k++)
            if (is_junction(&walk, ends[k]) && is_on(&walk, ends[k])) visit(&walk, ends[k]);
    }
    for (int32_t i = 0; i < walk.waiting.count; i++)
        if (!follow(&walk, walk.waiting.items[i])) return false;
    *found = walk.found;
    return found->nodes.count > 0 && found->cuts.count > 0 && only_compares(&walk);
}

/* A junction that is off sets efforts to 0, so it holds them. */
static bool may_hold(const walker *walk, int32_t junction) {
    const hbg_element *of = &walk->model->elements.items[junction];
    return of->control >= 0 && (is_zero(walk, junction) || of->dual_off);
}

/* Walks the whole part around a 0-junction, even if something holds it, so it is not visited again. */
static bool is_ungrounded(walker *walk, int32_t node) {
    bool open = true;
    walk->waiting.count = walk->found.nodes.count = 0;
    visit(walk, node);
    for (int32_t i = 0; i < walk->waiting.count; i++) {
        int32_t junction = walk->waiting.items[i];
        open = follow(walk, junction) && !may_hold(walk, junction) && open;
    }
    return open && only_compares(walk);
}

hbg_causal_floating_sets hbg_causal_ungrounded(hbg_arena *arena, const hbg_model *model) {
    hbg_causal_floating_sets sets = {0};
    walker walk = {.arena = arena, .model = model};
    walk.seen = HBG_NEW_ARRAY(arena, bool, model->elements.count + 1);
    walk.loop = HBG_NEW_ARRAY(arena, int32_t, model->elements.count + 1);
    walk.balance = HBG_NEW_ARRAY(arena, int32_t, model->elements.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++) {
        bool node = is_junction(&walk, i) && is_zero(&walk, i) && !walk.seen[i];
        if (!node || !is_ungrounded(&walk, i)) continue;
        HBG_PUSH(arena, sets, walk.found);
        walk.found = (hbg_causal_floating_set){0}; // the set keeps its nodes
    }
    return sets;
}
