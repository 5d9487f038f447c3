/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the mode chooses: code of a block or an island, and whether a region of the structure has a valid
 * causal assignment. The marks of a region follow from which of its own junctions are on (causal/enter.c),
 * and in a valid mode a junction floats exactly if nothing determines it. So the facts of a block follow from
 * the junctions of the regions they are in. Whether a region is valid may depend on more: an undetermined
 * junction has to be cut off from all junctions that would determine it. Junctions that switch by a select
 * choose nothing. */
#include <string.h>

#include "code/code_impl.h"

/* Choices with more answers than this are compiled again each time. */
enum { MOST_ANSWERS = 65536 };

/* ---- answers ------------------------------------------------------------------------------------------ */

/* Puts an answer into a free slot for its key. */
static void put_answer(hbg_rt_slots *slots, const uint64_t *key, int32_t words, int32_t answer,
                       memory_order order) {
    uint64_t i = hbg_rt_hash(key, words), mask = (uint64_t)(slots->count - 1);
    while (atomic_load_explicit(&slots->slot[i & mask], memory_order_relaxed) != 0) i++;
    atomic_store_explicit(&slots->slot[i & mask], answer + 1, order);
}

/* Makes a table of twice the size with the answers of the old one, and publishes it when it is complete. */
static hbg_rt_slots *make_larger(hbg_code *code, hbg_rt_lookup *lookup, int32_t words) {
    hbg_rt_slots *old = atomic_load_explicit(&lookup->slots, memory_order_relaxed);
    int32_t count = old ? 2 * old->count : 4;
    hbg_rt_slots *made =
        hbg_base_arena_alloc(code->arena, sizeof *made + (size_t)count * sizeof made->slot[0]);
    made->count = count;
    for (int32_t i = 0; i < count; i++) atomic_init(&made->slot[i], 0);
    for (int32_t i = 0; old && i < old->count; i++) {
        int32_t answer = atomic_load_explicit(&old->slot[i], memory_order_relaxed) - 1;
        if (answer < 0) continue;
        int32_t key = HBG_RT_AT(code->image.pool.answers, answer)->key;
        put_answer(made, HBG_RT_AT(code->image.pool.keys, key), words, answer, memory_order_relaxed);
    }
    atomic_store_explicit(&lookup->slots, made, memory_order_release);
    return made;
}

void hbg_code_choice_answer(hbg_code *code, int32_t choice, const uint64_t *on, int32_t answer) {
    hbg_rt_pools *pool = &code->image.pool;
    hbg_rt_lookup *lookup = HBG_RT_AT(pool->lookups, choice);
    if (lookup->used >= MOST_ANSWERS) return;
    int32_t words = hbg_rt_key_of(&code->image, choice, on, code->mode.choice_key);
    hbg_rt_answer made = {choice, HBG_POOL_ROOM(code->arena, pool->keys, words), answer};
    if (words > 0)
        memcpy(HBG_RT_AT(pool->keys, made.key), code->mode.choice_key,
               (size_t)words * sizeof *code->mode.choice_key);
    HBG_POOL_ADD(code->arena, pool->answers, made);
    hbg_rt_slots *slots = atomic_load_explicit(&lookup->slots, memory_order_relaxed);
    if (!slots || 2 * lookup->used >= slots->count) slots = make_larger(code, lookup, words);
    lookup->used++;
    put_answer(slots, code->mode.choice_key, words, HBG_POOL_LAST(pool->answers), memory_order_release);
}

/* ---- junctions that choose ----------------------------------------------------------------------------- */

/* A set of regions in which something switches; `in_set` of the model is clear between two sets. */
typedef struct {
    hbg_code *code;
    int32_map regions;
} region_set;

static void add_region(region_set *set, int32_t region) {
    hbg_code *code = set->code;
    if (code->regions.in_set[region] || code->regions.switching[region].count == 0) return;
    code->regions.in_set[region] = true;
    HBG_PUSH(&code->eqn->scratch, set->regions, region);
}

static void copy_places(const region_set *set, int32_t *places) {
    for (int32_t i = 0; i < set->regions.count; i++) {
        const int32_map *switching = &set->code->regions.switching[set->regions.items[i]];
        for (int32_t k = 0; k < switching->count; k++) *places++ = switching->items[k];
    }
}

/* Makes a choice by the junctions of these regions; each region lists the number of what is chosen. Empties
 * the set. */
static int32_t choose_by(region_set *set, int32_map *listed, int32_t number) {
    hbg_code *code = set->code;
    hbg_rt_pools *pool = &code->image.pool;
    int32_t count = 0;
    for (int32_t i = 0; i < set->regions.count; i++) {
        int32_t region = set->regions.items[i];
        count += code->regions.switching[region].count;
        HBG_PUSH(code->arena, listed[region], number);
        code->regions.in_set[region] = false;
    }
    hbg_rt_choice made = {{0, count}};
    if (set->regions.count == 1) { // all choices of a region share its list
        int32_t *first = &code->regions.places[set->regions.items[0]];
        if (*first == HBG_NONE)
            *first = hbg_code_add_ints(code, code->regions.switching[set->regions.items[0]].items, count);
        made.places.first = *first;
    } else if (set->regions.count > 1) {
        made.places.first = HBG_POOL_ROOM(code->arena, pool->ints, count);
        copy_places(set, HBG_RT_AT(pool->ints, made.places.first));
    }
    set->regions.count = 0;
    HBG_POOL_ADD(code->arena, pool->choices, made);
    (void)HBG_POOL_ROOM(code->arena, pool->lookups, 1);
    return HBG_POOL_LAST(pool->choices);
}

int32_t hbg_code_choice_by_facts(hbg_code *code, const fact_set *facts, int32_map *listed, int32_t number) {
    region_set set = {.code = code};
    for (int32_t i = 0; i < facts->places.count; i++)
        add_region(&set, code->eqn->structure->place_region[facts->places.items[i]]);
    return choose_by(&set, listed, number);
}

/* ---- regions ------------------------------------------------------------------------------------------- */

/* Places around those of a region which may float. */
typedef struct {
    int32_t *met; /* by place: 1 + the region from which it was met last */
    int32_map queue;
} surroundings;

static void meet(hbg_eqn *eqn, surroundings *around, region_set *set, int32_t place, int32_t region) {
    if (around->met[place] == region + 1) return;
    around->met[place] = region + 1;
    add_region(set, eqn->structure->place_region[place]);
    if (eqn->limits.cluster_of[place] != HBG_NONE) { // together they decide which of them are reversed
        const int32_map *cluster = &eqn->limits.clusters.items[eqn->limits.cluster_of[place]].places;
        for (int32_t i = 0; i < cluster->count; i++)
            add_region(set, eqn->structure->place_region[cluster->items[i]]);
    }
    // while an alive place is on it determines others; while it is off nothing beyond it does
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

static void choose_regions(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    int32_t regions = eqn->structure->region_count;
    region_set set = {.code = code};
    surroundings around = {HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->structure->place_count + 1), {0}};
    code->regions.choices = HBG_NEW_ARRAY(code->arena, int32_map, regions + 1);
    code->regions.has_choice = HBG_NEW_ARRAY(code->arena, bool, regions + 1);
    region_choice rest = {.region = HBG_NONE, .choice = choose_by(&set, code->regions.choices, 0)};
    HBG_PUSH(code->arena, code->regions.judged, rest);
    for (int32_t region = 0; region < regions; region++) {
        region_choice made = {.region = region};
        add_region(&set, region);
        look_around(eqn, &around, &set, region);
        code->regions.has_choice[region] = set.regions.count > 0;
        if (set.regions.count == 0) continue;
        made.choice = choose_by(&set, code->regions.choices, code->regions.judged.count);
        HBG_PUSH(code->arena, code->regions.judged, made);
    }
}

void hbg_code_make_choices(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    const hbg_causal_structure *structure = eqn->structure;
    code->regions.switching = HBG_NEW_ARRAY(code->arena, int32_map, structure->region_count + 1);
    for (int32_t k = 0; k < structure->place_count; k++) {
        int32_t place = structure->region_places[k];
        if (structure->controlled[place] && !eqn->varies.select[place])
            HBG_PUSH(code->arena, code->regions.switching[structure->place_region[place]], place);
    }
    code->regions.places = HBG_NEW_ARRAY(code->arena, int32_t, structure->region_count + 1);
    for (int32_t i = 0; i < structure->region_count; i++) code->regions.places[i] = HBG_NONE;
    code->regions.in_set = HBG_NEW_ARRAY(code->arena, bool, structure->region_count + 1);
    int32_t most_facts = structure->place_count + structure->link_count;
    code->mode.fact_key = HBG_NEW_ARRAY(code->arena, uint64_t, most_facts + 1);
    code->mode.words = (structure->place_count + 63) / 64;
    code->mode.choice_key = HBG_NEW_ARRAY(code->arena, uint64_t, code->mode.words + 1);
    choose_regions(code);
    code->image.modes.words = code->mode.words;
    code->image.modes.regions = structure->region_count;
    hbg_rt_range *judged = &code->image.modes.judged;
    *judged = (hbg_rt_range){HBG_POOL_ROOM(code->arena, code->image.pool.ints, code->regions.judged.count),
                             code->regions.judged.count};
    for (int32_t i = 0; i < judged->count; i++)
        *HBG_RT_AT(code->image.pool.ints, judged->first + i) = code->regions.judged.items[i].choice;
}

void hbg_code_choose_islands(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    int32_t count = eqn->islands.count;
    code->regions.islands = HBG_NEW_ARRAY(code->arena, int32_map, eqn->structure->region_count + 1);
    hbg_rt_range *choices = &code->image.modes.islands;
    *choices = (hbg_rt_range){HBG_POOL_ROOM(code->arena, code->image.pool.ints, count), count};
    for (int32_t n = 0; n < count; n++)
        *HBG_RT_AT(code->image.pool.ints, choices->first + n) =
            hbg_code_choice_by_facts(code, &eqn->islands.items[n].facts, code->regions.islands, n);
}

static hbg_rt_range range_of(hbg_code *code, const int32_map *map) {
    return (hbg_rt_range){hbg_code_add_ints(code, map->items, map->count), map->count};
}

void hbg_code_list_regions(hbg_code *code) {
    for (int32_t i = 0; i < code->eqn->structure->region_count; i++) {
        hbg_rt_region made = {range_of(code, &code->regions.segments[i]),
                              range_of(code, &code->regions.islands[i]),
                              range_of(code, &code->regions.choices[i])};
        HBG_POOL_ADD(code->arena, code->image.pool.regions, made);
    }
}
