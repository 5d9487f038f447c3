/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which storages are better integral if not all can be. A transformer whose modulus varies, e1 = n·e2 and f2
 * = n·f1, multiplies while flow runs from port 1 to port 2 and effort back; in the other direction it
 * divides, and n = 0 is not rare: an arm hangs straight down, a crank is at its dead centre. A gyrator, e1 =
 * r·f2 and e2 = r·f1, multiplies while flow enters it on both sides.
 *
 * So every place gets a height such that flow is best given from high places and effort from low ones: port 1
 * of such a transformer lies one higher than port 2; the heights at the two ports of a gyrator add up to 1 if
 * its modulus varies, else to 0, since it turns flow into effort. The worth of an I is then its height and
 * that of a C its depth, and flipping a path between two storages gains the number of transformers it turns
 * from dividing to multiplying. The sets of storages that can be integral at once are a matroid
 * (alternate.c): if a storage always replaces only the one of least worth that it can be exchanged with, the
 * set ends up with the greatest worth, and is no smaller. Where cycles contradict each other, the height
 * found first counts. */
#include "causal/causal_impl.h"

#include <math.h>

static bool is_varying(const hbg_model *model, const hbg_element *two_port) {
    if (two_port->value_count == 0) return false;
    return isnan(model->expr_values[model->entries.items[two_port->first_value]]);
}

/* The height on the other side of a transformer or gyrator that a bond leads to. */
static int32_t cross(const hbg_model *model, int32_t element, int32_t bond, int32_t height) {
    const hbg_element *two_port = &model->elements.items[element];
    int32_t step = is_varying(model, two_port);
    if (two_port->kind == HBG_KIND_GY) return step - height;
    bool from_first = model->incidence[model->incidence_start[element]] == bond;
    return from_first ? height - step : height + step;
}

/* The height at the other end of a link. */
static int32_t follow(const hbg_causal_structure *structure, int32_t slot, int32_t height) {
    const hbg_causal_link *link = &structure->links[slot >> 1];
    bool forwards = (slot & 1) == 0;
    for (int32_t i = 0; i < link->bond_count - 1; i++) {
        int32_t at = link->first_bond + (forwards ? i : link->bond_count - 1 - i);
        int32_t entry = structure->chain[at], bond = entry >> 2;
        bool along = ((entry & 1) == 0) == forwards; // with the half arrow
        const hbg_bond *passed = &structure->model->bonds.items[bond];
        height = cross(structure->model, along ? passed->to.element : passed->from.element, bond, height);
    }
    return height;
}

/* Spreads heights over everything joined to a place; places without one have UNSEEN. */
#define UNSEEN INT32_MIN
static void spread(const hbg_causal_structure *structure, int32_t start, int32_t *queue, int32_t *height) {
    int32_t tail = 0;
    height[start] = 0;
    queue[tail++] = start;
    for (int32_t head = 0; head < tail; head++) {
        int32_t place = queue[head];
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i], there = causal_place(structure, slot ^ 1);
            if (there == HBG_NONE || height[there] != UNSEEN) continue;
            height[there] = follow(structure, slot, height[place]);
            queue[tail++] = there;
        }
    }
}

static bool has_varying(const hbg_model *model) {
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        bool two_port = element->kind == HBG_KIND_TF || element->kind == HBG_KIND_GY;
        if (two_port && is_varying(model, element)) return true;
    }
    return false;
}

void hbg_causal_find_worth(hbg_arena *arena, hbg_causal_structure *structure) {
    if (!has_varying(structure->model)) return; // all are equal
    int32_t places = structure->place_count;
    int32_t *queue = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    int32_t *height = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    for (int32_t i = 0; i < places; i++) height[i] = UNSEEN;
    for (int32_t i = 0; i < places; i++)
        if (height[i] == UNSEEN) spread(structure, i, queue, height);
    structure->link_worth = HBG_NEW_ARRAY(arena, int32_t, structure->link_count + 1);
    for (int32_t slot = 0; slot < 2 * structure->link_count; slot++) {
        const hbg_causal_end *end = &structure->links[slot >> 1].end[slot & 1];
        int32_t place = causal_place(structure, slot ^ 1);
        if (end->demand != HBG_DEMAND_PREFER || place == HBG_NONE) continue;
        int32_t at = follow(structure, slot ^ 1, height[place]);
        structure->link_worth[slot >> 1] = end->wants_effort ? at : -at;
    }
}
