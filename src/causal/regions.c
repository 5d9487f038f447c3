/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Regions: parts of the structure joined by links that are not in fixed causality. A reassignment never
 * leaves its region, so the cost of a mode change is a matter of the region, not of the model, and the
 * assignments of a region can be remembered by its own local mode. */
#include "causal/causal_impl.h"

/* A link between two places that may change: it joins their regions. */
static bool joins(const hbg_causal_structure *structure, int32_t link) {
    const hbg_causal_end *end = structure->links[link].end;
    return end[0].place != HBG_NONE && end[1].place != HBG_NONE && structure->link_fixed[link] == HBG_NONE;
}

/* Turning a link over passes the need on: one that determines both places or none turns "one more" into "one
 * less". */
static bool turns_need(const hbg_causal_structure *structure, int32_t link) {
    return causal_partner(structure, 2 * link, 1) == 1;
}

typedef struct {
    hbg_causal_structure *structure;
    int32_t *queue;
    int8_t *colour; /* by place: the need it is met with, 0 or 1 */
    HBG_VEC(int32_t) odd;
    hbg_arena *arena;
    bool *is_odd; /* by link */
} region_maker;

/* Breadth first over a region; links that contradict the colours close an odd cycle. */
static void collect(region_maker *maker, int32_t start, int32_t region, int32_t *filled) {
    hbg_causal_structure *structure = maker->structure;
    int32_t head = *filled;
    structure->place_region[start] = region;
    structure->region_places[(*filled)++] = start;
    while (head < *filled) {
        int32_t place = structure->region_places[head++];
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i], link = slot >> 1;
            if (!joins(structure, link)) continue;
            int32_t there = causal_place(structure, slot ^ 1);
            int8_t colour = maker->colour[place] ^ (turns_need(structure, link) ? 1 : 0);
            if (structure->place_region[there] == HBG_NONE) {
                structure->place_region[there] = region;
                maker->colour[there] = colour;
                structure->region_places[(*filled)++] = there;
            } else if (maker->colour[there] != colour && !maker->is_odd[link]) {
                maker->is_odd[link] = true;
                HBG_PUSH(maker->arena, maker->odd, link);
            }
        }
    }
}

void hbg_causal_find_regions(hbg_arena *arena, hbg_causal_structure *structure) {
    int32_t places = structure->place_count;
    region_maker maker = {.structure = structure, .arena = arena};
    maker.colour = HBG_NEW_ARRAY(arena, int8_t, places + 1);
    maker.is_odd = HBG_NEW_ARRAY(arena, bool, structure->link_count + 1);
    structure->place_region = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    structure->region_places = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    structure->region_start = HBG_NEW_ARRAY(arena, int32_t, places + 2);
    structure->region_odd_start = HBG_NEW_ARRAY(arena, int32_t, places + 2);
    for (int32_t i = 0; i < places; i++) structure->place_region[i] = HBG_NONE;
    int32_t filled = 0;
    for (int32_t i = 0; i < places; i++) {
        if (structure->place_region[i] != HBG_NONE) continue;
        structure->region_start[structure->region_count] = filled;
        structure->region_odd_start[structure->region_count] = maker.odd.count;
        collect(&maker, i, structure->region_count, &filled);
        structure->region_count++;
    }
    structure->region_start[structure->region_count] = filled;
    structure->region_odd_start[structure->region_count] = maker.odd.count;
    structure->odd_links = maker.odd.items;
}
