/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Interned names: a table of texts in the order of insertion, and an open-addressed index over it that is at
 * most three quarters full. Names are compared by size and bytes, so a text with NUL bytes is a distinct
 * name. */
#include "base/base.h"

#include <string.h>

#define FIRST_SLOTS 64
#define LAST_SLOTS  ((int32_t)1 << 30)

/* The first eight bytes of so many, or all of them. */
static uint64_t word_of(const char *text, size_t size) {
    uint64_t word = 0;
    if (size >= sizeof word)
        memcpy(&word, text, sizeof word); // of known size: no call
    else
        for (size_t i = size; i-- > 0;) word = word << 8 | (unsigned char)text[i];
    return word;
}

uint64_t hbg_base_text_sum(uint64_t sum, const char *text, size_t size) {
    sum ^= size;
    for (; size > 0; size -= size < 8 ? size : 8, text += 8) {
        sum = (sum ^ word_of(text, size)) * 0xd6e8feb86659fd93U;
        sum ^= sum >> 32;
    }
    return sum * 0xd6e8feb86659fd93U;
}

static uint32_t hash_text(const char *text, size_t size) {
    return (uint32_t)(hbg_base_text_sum(0x8f1bbcdcbfa53e0bU, text, size) >> 32);
}

/* The slot that holds the name, or the free one for it. */
static int32_t slot_of(const hbg_names *names, const char *text, size_t size, uint32_t hash) {
    uint32_t mask = (uint32_t)names->slot_count - 1;
    for (uint32_t slot = hash & mask;; slot = (slot + 1) & mask) {
        int32_t name = names->slots[slot];
        if (name < 0) return (int32_t)slot;
        if (names->hashes.items[name] != hash || names->sizes.items[name] != size) continue;
        if (size == 0 || memcmp(names->texts.items[name], text, size) == 0) return (int32_t)slot;
    }
}

static void index_grow(hbg_names *names) {
    if (names->slot_count == LAST_SLOTS) hbg_base_memory_exhausted(names->arena->memory);
    int32_t slot_count = names->slot_count == 0 ? FIRST_SLOTS : names->slot_count * 2;
    int32_t *slots = HBG_NEW_ARRAY(names->arena, int32_t, slot_count);
    memset(slots, 0xff, (size_t)slot_count * sizeof *slots);
    uint32_t mask = (uint32_t)slot_count - 1;
    for (int32_t name = 0; name < names->texts.count; name++) {
        uint32_t slot = names->hashes.items[name] & mask;
        while (slots[slot] >= 0) slot = (slot + 1) & mask;
        slots[slot] = name;
    }
    hbg_base_arena_release(names->arena, names->slots, (size_t)names->slot_count * sizeof *names->slots);
    names->slots = slots;
    names->slot_count = slot_count;
}

void hbg_base_names_init(hbg_names *names, hbg_arena *arena) {
    *names = (hbg_names){.arena = arena};
    index_grow(names);
    hbg_name empty = hbg_base_names_add(names, "", 0);
    HBG_ASSERT(empty == 0);
    (void)empty;
}

hbg_name hbg_base_names_add(hbg_names *names, const char *text, size_t size) {
    uint32_t hash = hash_text(text, size);
    int32_t slot = slot_of(names, text, size, hash);
    if (names->slots[slot] >= 0) return names->slots[slot];

    if (names->texts.count >= names->slot_count / 4 * 3) {
        index_grow(names);
        slot = slot_of(names, text, size, hash);
    }
    if (size > UINT32_MAX) hbg_base_memory_exhausted(names->arena->memory);
    const char *copy = hbg_base_arena_copy(names->arena, text, size);
    /* an addition interrupted by exhaustion may have left entries without a text */
    names->hashes.count = names->sizes.count = names->texts.count;
    HBG_PUSH(names->arena, names->hashes, hash);
    HBG_PUSH(names->arena, names->sizes, (uint32_t)size);
    HBG_PUSH(names->arena, names->texts, copy);
    names->slots[slot] = names->texts.count - 1;
    return names->texts.count - 1;
}

hbg_name hbg_base_names_find(const hbg_names *names, const char *text, size_t size) {
    return names->slots[slot_of(names, text, size, hash_text(text, size))];
}

const char *hbg_base_names_get(const hbg_names *names, hbg_name name) {
    HBG_ASSERT(name >= 0 && name < names->texts.count);
    return names->texts.items[name];
}
