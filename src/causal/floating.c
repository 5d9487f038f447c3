/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Why a mode has no valid causal assignment, where the reason can be told: 0-junctions that only junctions that are off join to the
 * rest. If nothing among them holds an effort against the outside, all their efforts can be raised by the same amount, and no
 * equation notices: a bridge of diodes floats while all of them block. */
#include "api/mode_impl.h"

typedef struct {
    const hbg_mode_causality *causality;
    bool *seen;               /* by element */
    HBG_VEC(int32_t) waiting; /* junctions of the island whose bonds are still to be followed */
    hbg_mode_floating_set found;
} walker;

static bool is_junction(const walker *walk, int32_t element) {
    return walk->causality->model->elements.items[element].ports == 0;
}

static bool is_zero(const walker *walk, int32_t element) {
    return walk->causality->model->elements.items[element].kind == HBG_KIND_ZERO;
}

static bool is_on(const walker *walk, int32_t element) {
    int32_t place = walk->causality->structure->element_place[element];
    return place == HBG_NONE || walk->causality->on[place];
}

static void visit(hbg_arena *arena, walker *walk, int32_t junction) {
    if (walk->seen[junction]) return;
    walk->seen[junction] = true;
    HBG_PUSH(arena, walk->waiting, junction);
    if (is_zero(walk, junction)) HBG_PUSH(arena, walk->found.nodes, junction);
}

/* Follows the bonds of a junction. False: something holds its effort, or it is not as simple as that. */
static bool follow(hbg_arena *arena, walker *walk, int32_t junction) {
    const hbg_model *model = walk->causality->model;
    bool zero = is_zero(walk, junction);
    int32_t balance = 0; // of a 1-junction: bonds of 0-junctions in, less those out
    for (int32_t i = model->incidence_start[junction]; i < model->incidence_start[junction + 1]; i++) {
        const hbg_bond *bond = &model->bonds.items[model->incidence[i]];
        int32_t other = bond->from.element == junction ? bond->to.element : bond->from.element;
        bool joins = is_junction(walk, other), off = joins && !is_on(walk, other);
        bool cuts = off && !is_zero(walk, other) && !model->elements.items[other].dual_off;
        if ((off && (!zero || !cuts)) || (!joins && (zero || model->elements.items[other].ports != 1)))
            return false;
        if (joins && !off && zero == is_zero(walk, other)) return false;
        if (joins && !zero) balance += bond->to.element == junction ? 1 : -1;
        if (joins && !off) visit(arena, walk, other);
        if (off && !walk->seen[other]) HBG_PUSH(arena, walk->found.cuts, other);
        if (off) walk->seen[other] = true;
    }
    return balance == 0;
}

bool hbg_mode_floating(hbg_session *session, const hbg_mode_causality *causality,
                       hbg_mode_floating_set *found) {
    const hbg_model *model = causality->model;
    hbg_arena *arena = &session->scratch;
    walker walk = {.causality = causality};
    walk.seen = HBG_NEW_ARRAY(arena, bool, model->elements.count + 1);
    for (int32_t i = 0; i < causality->conflict.count && walk.waiting.count == 0; i++) {
        const hbg_bond *bond = &model->bonds.items[causality->conflict.bonds[i]];
        const int32_t ends[] = {bond->from.element, bond->to.element};
        for (int k = 0; k < 2; k++)
            if (is_junction(&walk, ends[k]) && is_on(&walk, ends[k])) visit(arena, &walk, ends[k]);
    }
    for (int32_t i = 0; i < walk.waiting.count; i++)
        if (!follow(arena, &walk, walk.waiting.items[i])) return false;
    *found = walk.found;
    return found->nodes.count > 0 && found->cuts.count > 0;
}
