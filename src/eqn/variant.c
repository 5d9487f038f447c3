/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Code by its key, facts or on bits: a hash table that is only ever added to. Looking something up takes no lock: an entry is complete before its
 * slot shows it, a larger table is complete before it takes the place of the old one, and neither goes away while the model is
 * there. Who adds has the lock. */
#include <string.h>

#include "eqn/eqn_impl.h"

static uint64_t hash_of(const uint64_t *key, int32_t length) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int32_t i = 0; i < length; i++) {
        hash = (hash ^ key[i]) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* The entry with the key, or the slot where it would go. */
static const variant_entry *find_entry(variant_slots *slots, const uint64_t *key, int32_t length,
                                       const variant_entry *_Atomic **place) {
    for (uint64_t i = hash_of(key, length);; i++) {
        const variant_entry *_Atomic *slot = &slots->entries[i & (uint64_t)(slots->count - 1)];
        const variant_entry *entry = atomic_load_explicit(slot, memory_order_acquire);
        *place = slot;
        if (!entry || memcmp(entry->key, key, (size_t)length * sizeof *key) == 0) return entry;
    }
}

void *hbg_variants_find(const variant_table *table, const uint64_t *key, int32_t length) {
    variant_slots *slots = atomic_load_explicit(&table->slots, memory_order_acquire);
    const variant_entry *_Atomic *place;
    const variant_entry *found = slots ? find_entry(slots, key, length, &place) : NULL;
    return found ? found->variant : NULL;
}

/* Twice as large, with the entries of the old one; not shown yet. */
static variant_slots *larger(hbg_arena *arena, variant_slots *old, int32_t length) {
    int32_t count = old ? 2 * old->count : 4;
    variant_slots *made =
        hbg_arena_alloc(arena, sizeof *made + (size_t)count * sizeof(const variant_entry *));
    made->count = count;
    for (int32_t i = 0; i < count; i++) atomic_init(&made->entries[i], NULL);
    for (int32_t i = 0; old && i < old->count; i++) {
        const variant_entry *entry = atomic_load_explicit(&old->entries[i], memory_order_relaxed);
        const variant_entry *_Atomic *place;
        if (!entry) continue;
        (void)find_entry(made, entry->key, length, &place);
        atomic_store_explicit(place, entry, memory_order_relaxed);
    }
    return made;
}

void hbg_variants_add(hbg_arena *arena, variant_table *table, const uint64_t *key, int32_t length,
                      void *variant) {
    uint64_t *own = HBG_NEW_ARRAY(arena, uint64_t, length + 1);
    variant_entry *entry = HBG_NEW(arena, variant_entry);
    memcpy(own, key, (size_t)length * sizeof *key);
    *entry = (variant_entry){own, variant};
    variant_slots *slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
    if (!slots || 2 * table->variants.count >= slots->count) {
        slots = larger(arena, slots, length);
        atomic_store_explicit(&table->slots, slots, memory_order_release);
    }
    HBG_PUSH(arena, table->variants, variant);
    const variant_entry *_Atomic *place;
    (void)find_entry(slots, own, length, &place);
    atomic_store_explicit(place, entry, memory_order_release);
}
