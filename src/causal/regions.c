/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Regions: parts of the structure joined by links that are not in fixed causality, or that pass the variable
 * of one place on to the other. Marks never change outside the regions of switching junctions, and a zero
 * that off junctions repeat does not spread out of them either, so the cost of a mode change depends on the
 * region, not on the model, and the assignments of a region can be remembered by its own local mode. */
#include "causal/causal_impl.h"

/* A link between two places that a search may flip. */
static bool is_open(const hbg_causal_structure *structure, int32_t link) {
    const hbg_causal_end *end = structure->links[link].end;
    return end[0].place != HBG_NONE && end[1].place != HBG_NONE && structure->link_fixed[link] == HBG_NONE;
}

typedef struct {
    hbg_causal_structure *structure;
    int8_t *colour; /* by place: the need with which a search meets it, one more or one less */
    HBG_VEC(int32_t) odd;
    hbg_arena *arena;
    bool *is_odd; /* by link */
    int32_t wide; /* in region_places: from here on fixed links were not visited */
    int32_t next; /* how many of its links were visited */
} region_maker;

/* Breadth first over links that may change; flipping a link passes the need on unchanged or, if it determines
 * both places or none, reversed. Links that contradict the colours close an odd cycle. */
static void collect_open(region_maker *maker, int32_t head, int32_t region, int32_t *filled) {
    hbg_causal_structure *structure = maker->structure;
    while (head < *filled) {
        int32_t place = structure->region_places[head++];
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i], link = slot >> 1;
            if (!is_open(structure, link)) continue;
            int32_t there = causal_place(structure, slot ^ 1);
            int8_t colour = maker->colour[place] ^ (structure->link_vertex[link] == HBG_NONE ? 1 : 0);
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

/* Adds one place to or from which a fixed link passes a variable on. Only one at a time, so places that can
 * be reached from it over links that may change get their colours from it. */
static bool add_handed(region_maker *maker, int32_t region, int32_t *filled) {
    hbg_causal_structure *structure = maker->structure;
    for (; maker->wide < *filled; maker->wide++, maker->next = 0) {
        int32_t place = structure->region_places[maker->wide];
        while (structure->place_start[place] + maker->next < structure->place_start[place + 1]) {
            int32_t slot = structure->place_links[structure->place_start[place] + maker->next++];
            int32_t there = causal_place(structure, slot ^ 1);
            if (structure->link_vertex[slot >> 1] == HBG_NONE || structure->place_region[there] != HBG_NONE)
                continue;
            structure->place_region[there] = region;
            structure->region_places[(*filled)++] = there;
            return true;
        }
    }
    return false;
}

static void collect(region_maker *maker, int32_t start, int32_t region, int32_t *filled) {
    int32_t head = *filled;
    maker->structure->place_region[start] = region;
    maker->structure->region_places[(*filled)++] = start;
    maker->wide = head;
    maker->next = 0;
    for (bool more = true; more; more = add_handed(maker, region, filled)) {
        collect_open(maker, head, region, filled);
        head = *filled;
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
    structure->place_bit = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    for (int32_t k = 0, region = HBG_NONE, bit = 0; k < places; k++) {
        int32_t place = structure->region_places[k];
        if (structure->place_region[place] != region) bit = 0;
        region = structure->place_region[place];
        if (structure->controlled[place]) structure->place_bit[place] = bit++;
    }
}
