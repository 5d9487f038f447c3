/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A map from two int32 to one: open addressing with linear probing, at most three quarters full. */
#include "base/base.h"

#define FIRST_SLOTS 16
#define LAST_SLOTS  ((int32_t)1 << 30)

/* Both numbers are usually small and dense; the multiplications spread them over all bits. */
static uint32_t mix(int32_t first, int32_t second) {
    uint64_t key = (uint64_t)(uint32_t)first << 32 | (uint32_t)second;
    key = (key ^ key >> 29) * 0x9fb21c651e98df25U;
    key = (key ^ key >> 32) * 0xd6e8feb86659fd93U;
    return (uint32_t)(key >> 32);
}

static struct hbg_pair_slot *slot_of(const hbg_pair_map *map, int32_t first, int32_t second) {
    uint32_t mask = (uint32_t)map->slot_count - 1;
    uint32_t place = mix(first, second) & mask;
    for (;; place = (place + 1) & mask) {
        struct hbg_pair_slot *slot = &map->slots[place];
        if (slot->next == 0 || (slot->first == first && slot->second == second)) return slot;
    }
}

static void grow(hbg_pair_map *map) {
    if (map->slot_count == LAST_SLOTS) hbg_base_memory_exhausted(map->arena->memory);
    hbg_pair_map grown = *map;
    grown.slot_count = map->slot_count == 0 ? FIRST_SLOTS : map->slot_count * 2;
    grown.slots = HBG_NEW_ARRAY(map->arena, struct hbg_pair_slot, grown.slot_count);
    for (int32_t i = 0; i < map->slot_count; i++) {
        const struct hbg_pair_slot *slot = &map->slots[i];
        if (slot->next != 0) *slot_of(&grown, slot->first, slot->second) = *slot;
    }
    hbg_base_arena_release(map->arena, map->slots, (size_t)map->slot_count * sizeof *map->slots);
    *map = grown;
}

void hbg_base_pair_map_init(hbg_pair_map *map, hbg_arena *arena) {
    *map = (hbg_pair_map){.arena = arena};
}

int32_t hbg_base_pair_map_add(hbg_pair_map *map, int32_t first, int32_t second, int32_t value) {
    if (map->count >= map->slot_count / 4 * 3) grow(map);
    struct hbg_pair_slot *slot = slot_of(map, first, second);
    if (slot->next != 0) return slot->next - 1;
    HBG_ASSERT(value >= 0 && value < INT32_MAX);
    *slot = (struct hbg_pair_slot){first, second, value + 1};
    map->count++;
    return value;
}

int32_t hbg_base_pair_map_find(const hbg_pair_map *map, int32_t first, int32_t second) {
    if (map->slot_count == 0) return -1;
    const struct hbg_pair_slot *slot = slot_of(map, first, second);
    return slot->next - 1;
}
