/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Assignments remembered by local mode: the on/off bits of the controlled places of a region. A local mode
 * seen before costs a look-up and a copy of the region's marks; nothing is searched and nothing allocated. */
#include "causal/causal_impl.h"

#include <string.h>

#define REGION_LIMIT   4096 /* bytes of a snapshot: a larger region is reassigned incrementally instead */
#define SNAPSHOT_LIMIT 4096 /* local modes remembered for a region */

typedef struct {
    int32_t bytes, words; /* of a snapshot of the region, of its key */
} region_size;

static region_size size_of(const hbg_causal_structure *structure, int32_t region) {
    region_size size = {0, 0};
    int32_t bits = 0;
    for (int32_t k = structure->region_start[region]; k < structure->region_start[region + 1]; k++) {
        int32_t place = structure->region_places[k];
        size.bytes += 1 + structure->place_start[place + 1] - structure->place_start[place];
        bits += structure->controlled[place];
        if (size.bytes > REGION_LIMIT) break;
    }
    size.words = (bits + 63) / 64;
    return size;
}

static uint64_t hash_of(const uint64_t *key, int32_t words) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int32_t i = 0; i < words; i++) {
        hash = (hash ^ key[i]) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
    }
    return hash;
}

static uint64_t make_key(const hbg_causal_assignment *assignment, int32_t region, uint64_t *key,
                         int32_t words) {
    const hbg_causal_structure *structure = assignment->structure;
    memset(key, 0, (size_t)words * sizeof *key);
    int32_t bit = 0;
    for (int32_t k = structure->region_start[region]; k < structure->region_start[region + 1]; k++) {
        int32_t place = structure->region_places[k];
        if (!structure->controlled[place]) continue;
        if (assignment->on[place]) key[bit >> 6] |= (uint64_t)1 << (bit & 63);
        bit++;
    }
    return hash_of(key, words);
}

/* The slot of the hash table where the key is or would go. */
static int32_t *find_slot(const causal_cache *cache, const uint64_t *key, int32_t words, uint64_t hash) {
    for (uint64_t i = hash;; i++) {
        int32_t *slot = &cache->slots[i & (uint64_t)(cache->slot_count - 1)];
        if (*slot == HBG_NONE) return slot;
        if (memcmp(cache->keys + (size_t)*slot * (size_t)words, key, (size_t)words * sizeof *key) == 0)
            return slot;
    }
}

/* ---- snapshots ---------------------------------------------------------------------------------------- */

/* For each place a byte that says whether it floats, then a byte for each of its slots: the mark there, the
 * mark at the other end, waived. */
enum { BIT_MARK = 1, BIT_OTHER = 2, BIT_WAIVED = 4 };

static void save(const hbg_causal_assignment *assignment, int32_t region, uint8_t *bytes) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t k = structure->region_start[region]; k < structure->region_start[region + 1]; k++) {
        int32_t place = structure->region_places[k];
        *bytes++ = assignment->floating[place];
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i];
            *bytes++ = (uint8_t)((assignment->mark[slot] ? BIT_MARK : 0) |
                                 (assignment->mark[slot ^ 1] ? BIT_OTHER : 0) |
                                 (assignment->waived[slot >> 1] ? BIT_WAIVED : 0));
        }
    }
}

/* Whether a place floats is not only the region's own business: that is judged again. */
static void restore(hbg_causal_assignment *assignment, int32_t region, const uint8_t *bytes) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t k = structure->region_start[region]; k < structure->region_start[region + 1]; k++) {
        int32_t place = structure->region_places[k];
        bool floating = *bytes++;
        if (floating || assignment->floating[place]) hbg_causal_push(assignment, place);
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++, bytes++) {
            int32_t slot = structure->place_links[i], there = causal_place(structure, slot ^ 1);
            hbg_causal_write(assignment, slot, (*bytes & BIT_MARK) != 0);
            if (there == HBG_NONE)
                hbg_causal_write(assignment, slot ^ 1, (*bytes & BIT_OTHER) != 0);
            else if (structure->place_region[there] == region)
                hbg_causal_set_waived(assignment, slot >> 1, (*bytes & BIT_WAIVED) != 0);
        }
    }
}

/* ---- look-up ------------------------------------------------------------------------------------------ */

bool hbg_causal_recall(hbg_causal_assignment *assignment, int32_t region) {
    causal_cache *cache = &assignment->caches[region];
    if (cache->slot_count == 0) return false;
    uint64_t key[REGION_LIMIT / 64 + 1];
    uint64_t hash = make_key(assignment, region, key, cache->words);
    int32_t entry = *find_slot(cache, key, cache->words, hash);
    if (entry == HBG_NONE) return false;
    restore(assignment, region, cache->snapshots[entry]);
    return true;
}

static void grow(hbg_causal_assignment *assignment, causal_cache *cache) {
    hbg_arena *arena = assignment->arena;
    int32_t capacity = cache->capacity ? 2 * cache->capacity : 4;
    uint64_t *keys =
        HBG_NEW_ARRAY(arena, uint64_t, (size_t)capacity * (size_t)(cache->words ? cache->words : 1));
    uint8_t **snapshots = HBG_NEW_ARRAY(arena, uint8_t *, capacity);
    if (cache->count > 0) {
        memcpy(keys, cache->keys, (size_t)cache->count * (size_t)cache->words * sizeof *keys);
        memcpy(snapshots, cache->snapshots, (size_t)cache->count * sizeof *snapshots);
    }
    cache->keys = keys;
    cache->snapshots = snapshots;
    cache->capacity = capacity;
    cache->slot_count = 4 * capacity;
    cache->slots = HBG_NEW_ARRAY(arena, int32_t, cache->slot_count);
    for (int32_t i = 0; i < cache->slot_count; i++) cache->slots[i] = HBG_NONE;
}

/* Enters all remembered keys into the hash table again. */
static void rehash(causal_cache *cache) {
    for (int32_t i = 0; i < cache->count; i++) {
        const uint64_t *key = cache->keys + (size_t)i * (size_t)cache->words;
        *find_slot(cache, key, cache->words, hash_of(key, cache->words)) = i;
    }
}

void hbg_causal_remember(hbg_causal_assignment *assignment, int32_t region) {
    causal_cache *cache = &assignment->caches[region];
    if (cache->refused || cache->count >= SNAPSHOT_LIMIT) return;
    if (cache->slot_count == 0) {
        region_size size = size_of(assignment->structure, region);
        cache->refused = size.bytes > REGION_LIMIT;
        cache->size = size.bytes;
        cache->words = size.words;
        if (cache->refused) return;
    }
    if (cache->count == cache->capacity) {
        grow(assignment, cache);
        rehash(cache);
    }
    uint64_t key[REGION_LIMIT / 64 + 1];
    uint64_t hash = make_key(assignment, region, key, cache->words);
    int32_t *slot = find_slot(cache, key, cache->words, hash);
    if (*slot != HBG_NONE) return;
    *slot = cache->count;
    memcpy(cache->keys + (size_t)cache->count * (size_t)cache->words, key,
           (size_t)cache->words * sizeof *key);
    cache->snapshots[cache->count] = HBG_NEW_ARRAY(assignment->arena, uint8_t, cache->size + 1);
    save(assignment, region, cache->snapshots[cache->count]);
    cache->count++;
}
