/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Assignments remembered by local mode: the on/off bits of the controlled places of a region. A local mode
 * seen before costs a look-up; nothing is searched and nothing allocated. The marks of a region that was
 * remembered or recalled are those of a snapshot, so the next snapshot is compared with it word by word and
 * only differences are written. */
#include "causal/causal_impl.h"

#include <string.h>

#define REGION_LIMIT   4096 /* bytes of a snapshot: a larger region is reassigned incrementally instead */
#define SNAPSHOT_LIMIT 4096 /* local modes remembered for a region */

/* ---- keys --------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const uint64_t *key, int32_t words) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int32_t i = 0; i < words; i++) {
        hash = (hash ^ key[i]) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
    }
    return hash;
}

static void make_key(const hbg_causal_assignment *assignment, int32_t region, causal_cache *cache) {
    const hbg_causal_structure *structure = assignment->structure;
    memset(cache->key, 0, (size_t)cache->words * sizeof *cache->key);
    for (int32_t k = structure->region_start[region]; k < structure->region_start[region + 1]; k++) {
        int32_t place = structure->region_places[k], bit = structure->place_bit[place];
        if (!structure->controlled[place]) continue;
        if (assignment->on[place]) cache->key[bit >> 6] |= (uint64_t)1 << (bit & 63);
    }
    cache->keyed = true;
}

/* The slot of a key in the hash table, or the free one for it. */
static int32_t *find_slot(const causal_cache *cache, const uint64_t *key) {
    size_t size = (size_t)cache->words * sizeof *key;
    for (uint64_t i = hash_of(key, cache->words);; i++) {
        int32_t *slot = &cache->slots[i & (uint64_t)(cache->slot_count - 1)];
        if (*slot == HBG_NONE) return slot;
        if (memcmp(cache->keys + (size_t)*slot * (size_t)cache->words, key, size) == 0) return slot;
    }
}

void hbg_causal_cache_switch(hbg_causal_assignment *assignment, int32_t place) {
    const hbg_causal_structure *structure = assignment->structure;
    causal_cache *cache = &assignment->caches[structure->place_region[place]];
    int32_t bit = structure->place_bit[place];
    if (cache->keyed) cache->key[bit >> 6] ^= (uint64_t)1 << (bit & 63);
}

void hbg_causal_cache_leave(hbg_causal_assignment *assignment, int32_t region) {
    if (assignment->caches) assignment->caches[region].current = HBG_NONE;
}

void hbg_causal_cache_reset(hbg_causal_assignment *assignment) {
    for (int32_t region = 0; assignment->caches && region < assignment->structure->region_count; region++) {
        assignment->caches[region].current = HBG_NONE;
        assignment->caches[region].keyed = false;
    }
}

/* ---- snapshots ---------------------------------------------------------------------------------------- */

/* For a place a byte that says whether it floats; for a link end the mark there, the mark at the other end,
 * and whether it is waived. */
enum { BIT_MARK = 1, BIT_OTHER = 2, BIT_WAIVED = 4 };

static void save(const hbg_causal_assignment *assignment, const causal_cache *cache, uint8_t *bytes) {
    for (int32_t i = 0; i < cache->size; i++) {
        int32_t slot = cache->meaning[i];
        if (slot < 0)
            bytes[i] = assignment->floating[-1 - slot];
        else
            bytes[i] = (uint8_t)((assignment->mark[slot] ? BIT_MARK : 0) |
                                 (assignment->mark[slot ^ 1] ? BIT_OTHER : 0) |
                                 (assignment->waived[slot >> 1] ? BIT_WAIVED : 0));
    }
}

/* Whether a place floats does not depend on the region alone: that is judged again. */
static void restore_byte(hbg_causal_assignment *assignment, int32_t region, int32_t slot, uint8_t byte) {
    const hbg_causal_structure *structure = assignment->structure;
    if (slot < 0) {
        if (byte || assignment->floating[-1 - slot]) hbg_causal_push(assignment, -1 - slot);
        return;
    }
    int32_t there = causal_place(structure, slot ^ 1);
    hbg_causal_write(assignment, slot, (byte & BIT_MARK) != 0);
    if (there == HBG_NONE)
        hbg_causal_write(assignment, slot ^ 1, (byte & BIT_OTHER) != 0);
    else if (structure->place_region[there] == region)
        hbg_causal_set_waived(assignment, slot >> 1, (byte & BIT_WAIVED) != 0);
}

static void restore(hbg_causal_assignment *assignment, int32_t region, const uint8_t *bytes) {
    const causal_cache *cache = &assignment->caches[region];
    for (int32_t i = 0; i < cache->size; i++) restore_byte(assignment, region, cache->meaning[i], bytes[i]);
}

/* The same, if the present marks are those of another snapshot. Snapshots end on a whole word. */
static void restore_from(hbg_causal_assignment *assignment, int32_t region, const uint8_t *old,
                         const uint8_t *bytes) {
    const causal_cache *cache = &assignment->caches[region];
    for (int32_t i = 0; i < cache->size; i += (int32_t)sizeof(uint64_t)) {
        uint64_t a, b;
        memcpy(&a, old + i, sizeof a);
        memcpy(&b, bytes + i, sizeof b);
        if (a == b) continue;
        for (int32_t k = i; k < i + (int32_t)sizeof(uint64_t) && k < cache->size; k++)
            if (old[k] != bytes[k]) restore_byte(assignment, region, cache->meaning[k], bytes[k]);
    }
}

/* ---- look-up ------------------------------------------------------------------------------------------ */

bool hbg_causal_recall(hbg_causal_assignment *assignment, int32_t region) {
    causal_cache *cache = &assignment->caches[region];
    if (cache->slot_count == 0) return false;
    if (!cache->keyed) make_key(assignment, region, cache);
    int32_t entry = *find_slot(cache, cache->key);
    if (entry != HBG_NONE && cache->current == HBG_NONE)
        restore(assignment, region, cache->snapshots[entry]);
    else if (entry != HBG_NONE)
        restore_from(assignment, region, cache->snapshots[cache->current], cache->snapshots[entry]);
    cache->current = entry;
    return entry != HBG_NONE;
}

/* Measures the region on its first use, and lists the meaning of the bytes of a snapshot. */
static void open_cache(hbg_causal_assignment *assignment, int32_t region, causal_cache *cache) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t first = structure->region_start[region], end = structure->region_start[region + 1], bits = 0;
    int32_t size = 0;
    for (int32_t k = first; k < end && size <= REGION_LIMIT; k++) {
        int32_t place = structure->region_places[k];
        size += 1 + structure->place_start[place + 1] - structure->place_start[place];
        bits += structure->controlled[place];
    }
    cache->size = size;
    cache->refused = size > REGION_LIMIT;
    if (cache->refused) return;
    cache->words = (bits + 63) / 64;
    cache->key = HBG_NEW_ARRAY(assignment->arena, uint64_t, cache->words + 1);
    int32_t *meaning = cache->meaning = HBG_NEW_ARRAY(assignment->arena, int32_t, cache->size + 1);
    for (int32_t k = first; k < end; k++) {
        int32_t place = structure->region_places[k];
        *meaning++ = -1 - place;
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
            *meaning++ = structure->place_links[i];
    }
}

/* Makes room for twice as many entries and enters their keys into a larger hash table. */
static void grow(hbg_causal_assignment *assignment, causal_cache *cache) {
    hbg_arena *arena = assignment->arena;
    int32_t capacity = cache->capacity ? 2 * cache->capacity : 4;
    size_t words = (size_t)cache->words;
    uint64_t *keys = HBG_NEW_ARRAY(arena, uint64_t, (size_t)capacity * words + 1);
    uint8_t **snapshots = HBG_NEW_ARRAY(arena, uint8_t *, capacity);
    if (cache->count > 0) {
        memcpy(keys, cache->keys, (size_t)cache->count * words * sizeof *keys);
        memcpy(snapshots, cache->snapshots, (size_t)cache->count * sizeof *snapshots);
    }
    cache->keys = keys;
    cache->snapshots = snapshots;
    cache->capacity = capacity;
    cache->slots = HBG_NEW_ARRAY(arena, int32_t, 4 * (size_t)capacity);
    cache->slot_count = 4 * capacity;
    for (int32_t i = 0; i < cache->slot_count; i++) cache->slots[i] = HBG_NONE;
    for (int32_t i = 0; i < cache->count; i++) *find_slot(cache, keys + (size_t)i * words) = i;
}

void hbg_causal_remember(hbg_causal_assignment *assignment, int32_t region) {
    causal_cache *cache = &assignment->caches[region];
    if (cache->size == 0) open_cache(assignment, region, cache);
    hbg_causal_cache_leave(assignment, region);
    if (cache->refused || cache->count >= SNAPSHOT_LIMIT) return;
    if (cache->count == cache->capacity) grow(assignment, cache);
    if (!cache->keyed) make_key(assignment, region, cache);
    int32_t *slot = find_slot(cache, cache->key);
    if (*slot != HBG_NONE) return;
    size_t words = (size_t)cache->words;
    uint8_t *bytes = HBG_NEW_ARRAY(assignment->arena, uint8_t, (size_t)cache->size + sizeof(uint64_t));
    save(assignment, cache, bytes);
    memcpy(cache->keys + (size_t)cache->count * words, cache->key, words * sizeof *cache->key);
    cache->snapshots[cache->count] = bytes;
    *slot = cache->current = cache->count++;
}
