/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the mode chooses: code of a block or an island, and whether a region of the structure has a valid causal assignment. The
 * marks of a region follow from which of its own junctions are on (causal/enter.c), and in a valid mode a junction floats exactly
 * if nothing determines it. So the facts of a block follow from the junctions of the regions they are in. Whether a region is
 * valid may hang on more: what nothing determines has to be cut off from everything that has a say. Junctions that switch by a
 * select choose nothing. */
#include "eqn/eqn_impl.h"

/* Beyond so many answers of a choice the compiler is asked again each time. */
enum { MOST_ANSWERS = 65536 };

/* ---- answers ------------------------------------------------------------------------------------------ */

static int32_t key_of(const choice *of, const uint64_t *on, uint64_t *key) {
    int32_t words = (of->count + 63) / 64;
    for (int32_t i = 0; i < words; i++) key[i] = 0;
    for (int32_t i = 0; i < of->count; i++)
        key[i >> 6] |= (uint64_t)hbg_eqn_bit(on, of->places[i]) << (i & 63);
    return words;
}

void *hbg_choice_find(const choice *of, const uint64_t *on, uint64_t *key) {
    int32_t words = key_of(of, on, key);
    return hbg_variants_find(&of->answers, key, words);
}

void hbg_choice_answer(hbg_arena *arena, choice *of, const uint64_t *on, uint64_t *key, void *answer) {
    int32_t words = key_of(of, on, key);
    if (of->answers.variants.count >= MOST_ANSWERS) return;
    hbg_variants_add(arena, &of->answers, key, words, answer);
}

/* ---- junctions that choose ------------------------------------------------------------------------------ */

/* Regions in which something switches, each once; `in_set` of the model is clean between two sets. */
typedef struct {
    hbg_eqn *eqn;
    int32_map regions;
} region_set;

static void add_region(region_set *set, int32_t region) {
    hbg_eqn *eqn = set->eqn;
    if (eqn->in_set[region] || eqn->region_switching[region].count == 0) return;
    eqn->in_set[region] = true;
    HBG_PUSH(&eqn->scratch, set->regions, region);
}

static void copy_places(const region_set *set, int32_t *places) {
    for (int32_t i = 0; i < set->regions.count; i++) {
        const int32_map *switching = &set->eqn->region_switching[set->regions.items[i]];
        for (int32_t k = 0; k < switching->count; k++) *places++ = switching->items[k];
    }
}

/* The junctions of these regions choose, and each region lists the choice. Empties the set. */
static void choose_by(region_set *set, choice *of, int32_map *listed, int32_t number) {
    hbg_eqn *eqn = set->eqn;
    for (int32_t i = 0; i < set->regions.count; i++) {
        int32_t region = set->regions.items[i];
        of->count += eqn->region_switching[region].count;
        HBG_PUSH(eqn->arena, listed[region], number);
        eqn->in_set[region] = false;
    }
    if (set->regions.count == 1) { // all choices of a region share its list
        of->places = eqn->region_switching[set->regions.items[0]].items;
    } else if (set->regions.count > 1) {
        int32_t *places = HBG_NEW_ARRAY(eqn->arena, int32_t, of->count);
        copy_places(set, places);
        of->places = places;
    }
    set->regions.count = 0;
}

void hbg_choice_by_facts(hbg_eqn *eqn, const fact_set *facts, choice *of, int32_map *listed, int32_t number) {
    region_set set = {.eqn = eqn};
    for (int32_t i = 0; i < facts->places.count; i++)
        add_region(&set, eqn->structure->place_region[facts->places.items[i]]);
    choose_by(&set, of, listed, number);
}

/* ---- regions -------------------------------------------------------------------------------------------- */

/* Places around those of a region that may float. */
typedef struct {
    int32_t *met; /* by place: the region it was met from last, plus 1 */
    int32_map queue;
} surroundings;

static void meet(hbg_eqn *eqn, surroundings *around, region_set *set, int32_t place, int32_t region) {
    if (around->met[place] == region + 1) return;
    around->met[place] = region + 1;
    add_region(set, eqn->structure->place_region[place]);
    // while an alive one is on it has a say, and while it is off nothing beyond it has
    if (!eqn->structure->place_alive[place]) HBG_PUSH(&eqn->scratch, around->queue, place);
}

static void look_around(hbg_eqn *eqn, surroundings *around, region_set *set, int32_t region) {
    const hbg_causal_structure *structure = eqn->structure;
    around->queue.count = 0;
    for (int32_t k = structure->region_start[region]; k < structure->region_start[region + 1]; k++)
        meet(eqn, around, set, structure->region_places[k], region);
    for (int32_t head = 0; head < around->queue.count; head++) {
        int32_t place = around->queue.items[head];
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i];
            int32_t there = structure->links[slot >> 1].end[1 - (slot & 1)].place;
            if (there != HBG_NONE) meet(eqn, around, set, there, region);
        }
    }
}

static void choose_regions(hbg_eqn *eqn) {
    int32_t regions = eqn->structure->region_count;
    region_set set = {.eqn = eqn};
    surroundings around = {HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->structure->place_count + 1), {0}};
    eqn->region_choices = HBG_NEW_ARRAY(eqn->arena, int32_map, regions + 1);
    eqn->has_choice = HBG_NEW_ARRAY(eqn->arena, bool, regions + 1);
    HBG_PUSH(eqn->arena, eqn->regions, (region_choice){.region = HBG_NONE});
    for (int32_t region = 0; region < regions; region++) {
        region_choice made = {.region = region};
        add_region(&set, region);
        look_around(eqn, &around, &set, region);
        choose_by(&set, &made.choice, eqn->region_choices, eqn->regions.count);
        eqn->has_choice[region] = made.choice.count > 0;
        if (made.choice.count > 0) HBG_PUSH(eqn->arena, eqn->regions, made);
    }
}

void hbg_eqn_make_choices(hbg_eqn *eqn) {
    const hbg_causal_structure *structure = eqn->structure;
    eqn->region_switching = HBG_NEW_ARRAY(eqn->arena, int32_map, structure->region_count + 1);
    for (int32_t k = 0; k < structure->place_count; k++) {
        int32_t place = structure->region_places[k];
        if (structure->controlled[place] && !eqn->varies.select[place])
            HBG_PUSH(eqn->arena, eqn->region_switching[structure->place_region[place]], place);
    }
    eqn->in_set = HBG_NEW_ARRAY(eqn->arena, bool, structure->region_count + 1);
    int32_t most_facts = structure->place_count + structure->link_count;
    eqn->fact_key = HBG_NEW_ARRAY(eqn->arena, uint64_t, most_facts + 1);
    eqn->mode_words = (structure->place_count + 63) / 64;
    eqn->choice_key = HBG_NEW_ARRAY(eqn->arena, uint64_t, eqn->mode_words + 1);
    choose_regions(eqn);
}
