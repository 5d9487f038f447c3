/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Code by its facts: a hash table of compiled code, by which the compiler recognises in one mode what it made
 * for another. */
#include <string.h>

#include "code/code_impl.h"

/* The slot of the key, or the free one where it would go. */
static int32_t *find_slot(const variant_table *table, const uint64_t *key, int32_t length, uint64_t hash) {
    for (uint64_t i = hash;; i++) {
        int32_t *slot = &table->slots[i & (uint64_t)(table->slot_count - 1)];
        if (*slot == 0) return slot;
        const variant_entry *of = &table->entries.items[*slot - 1];
        if (of->hash == hash && memcmp(of->key, key, (size_t)length * sizeof *key) == 0) return slot;
    }
}

int32_t hbg_code_variants_find(const variant_table *table, const uint64_t *key, int32_t length) {
    int32_t found = table->slots ? *find_slot(table, key, length, hbg_rt_hash(key, length)) : 0;
    return found == 0 ? HBG_NONE : table->entries.items[found - 1].value;
}

static void make_larger(hbg_arena *arena, variant_table *table, int32_t length) {
    int32_t count = table->slots ? 2 * table->slot_count : 4;
    table->slots = HBG_NEW_ARRAY(arena, int32_t, count); // without memory the table stays as it is
    table->slot_count = count;
    for (int32_t i = 0; i < table->entries.count; i++) {
        const variant_entry *of = &table->entries.items[i];
        *find_slot(table, of->key, length, of->hash) = i + 1;
    }
}

void hbg_code_variants_add(hbg_arena *arena, variant_table *table, const uint64_t *key, int32_t length,
                           int32_t value) {
    uint64_t *own = HBG_NEW_ARRAY(arena, uint64_t, length + 1);
    memcpy(own, key, (size_t)length * sizeof *key);
    if (2 * table->entries.count >= table->slot_count) make_larger(arena, table, length);
    uint64_t hash = hbg_rt_hash(own, length);
    int32_t *slot = find_slot(table, own, length, hash);
    HBG_PUSH(arena, table->entries, ((variant_entry){own, hash, value}));
    *slot = table->entries.count;
}
