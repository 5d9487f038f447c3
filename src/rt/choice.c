/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a mode chooses, found by its key without a lock. */
#include "rt/image.h"

uint64_t hbg_rt_hash(const uint64_t *key, int32_t words) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int32_t i = 0; i < words; i++) {
        hash = (hash ^ key[i]) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
    }
    return hash;
}

int32_t hbg_rt_key_of(const hbg_rt_image *image, int32_t choice, const uint64_t *mode, uint64_t *key) {
    hbg_rt_range range = HBG_RT_AT(image->pool.choices, choice)->places;
    const int32_t *places = hbg_rt_ints(image, range.first);
    int32_t words = (range.count + 63) / 64;
    for (int32_t word = 0; word < words; word++) {
        int32_t first = 64 * word, end = range.count < first + 64 ? range.count : first + 64;
        uint64_t bits = 0;
        for (int32_t i = first; i < end; i++) bits |= (uint64_t)hbg_rt_bit(mode, places[i]) << (i - first);
        key[word] = bits;
    }
    return words;
}

static bool is_key(const uint64_t *known, const uint64_t *key, int32_t words) {
    int32_t i = 0;
    while (i < words && known[i] == key[i]) i++;
    return i == words;
}

int32_t hbg_rt_answer_of(const hbg_rt_image *image, int32_t choice, const uint64_t *mode, uint64_t *key) {
    const hbg_rt_lookup *lookup = HBG_RT_AT(image->pool.lookups, choice);
    hbg_rt_slots *slots = atomic_load_explicit(&lookup->slots, memory_order_acquire);
    if (!slots) return -1;
    int32_t words = hbg_rt_key_of(image, choice, mode, key);
    for (uint64_t i = hbg_rt_hash(key, words);; i++) {
        int32_t found =
            atomic_load_explicit(&slots->slot[i & (uint64_t)(slots->count - 1)], memory_order_acquire);
        if (found == 0) return -1;
        const hbg_rt_answer *answer = HBG_RT_AT(image->pool.answers, found - 1);
        if (words == 0 || is_key(HBG_RT_AT(image->pool.keys, answer->key), key, words)) return found - 1;
    }
}

int32_t hbg_rt_choose(const hbg_rt_image *image, int32_t choice, const uint64_t *mode, uint64_t *key) {
    int32_t answer = hbg_rt_answer_of(image, choice, mode, key);
    return answer < 0 ? -1 : HBG_RT_AT(image->pool.answers, answer)->value;
}
