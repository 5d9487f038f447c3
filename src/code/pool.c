/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pools of an image under construction: they grow by chunks, and their items never move. */
#include <string.h>

#include "code/code_impl.h"

/* The pointer to a chunk of any type. */
static char *chunk_at(const void *chunks, int32_t number) {
    char *chunk;
    memcpy(&chunk, (const char *)chunks + (size_t)number * sizeof chunk, sizeof chunk);
    return chunk;
}

static void make_chunk(hbg_arena *arena, hbg_code_pool_parts of, int32_t number) {
    size_t count = (size_t)1 << (*of.shift + (number > 0 ? number - 1 : 0));
    char *made = hbg_base_arena_alloc_array(arena, count, of.size);
    memcpy((char *)of.chunks + (size_t)number * sizeof made, &made, sizeof made);
}

/* Makes room for a range, which lies within one chunk: if it would not fit, it begins with the next. */
int32_t hbg_code_pool_room(hbg_arena *arena, hbg_code_pool_parts of, int32_t count) {
    if (!chunk_at(of.chunks, 0)) *of.shift = of.first_shift;
    int32_t first = *of.count, chunk = hbg_rt_chunk_of(*of.shift, first);
    while (count > 0 && first + count > hbg_rt_chunk_first(*of.shift, chunk + 1)) {
        if (!chunk_at(of.chunks, chunk)) make_chunk(arena, of, chunk);
        first = hbg_rt_chunk_first(*of.shift, ++chunk);
        if (*of.shift + chunk >= 30) hbg_base_memory_exhausted(arena->memory);
    }
    if (!chunk_at(of.chunks, chunk)) make_chunk(arena, of, chunk);
    *of.count = first + count;
    return first;
}

int32_t hbg_code_add_ints(hbg_code *code, const int32_t *items, int32_t count) {
    int32_t first = HBG_POOL_ROOM(code->arena, code->image.pool.ints, count);
    if (count > 0) memcpy(HBG_RT_AT(code->image.pool.ints, first), items, (size_t)count * sizeof *items);
    return first;
}

void hbg_code_add_located(hbg_code *code, const int32_map *located, hbg_rt_range *by_reading) {
    for (int r = 0; r < HBG_RT_LOCATING; r++)
        by_reading[r] =
            (hbg_rt_range){hbg_code_add_ints(code, located[r].items, located[r].count), located[r].count};
}

static int32_t hash_program(const hbg_rt_instruction *instructions, int32_t count) {
    uint32_t hash = (uint32_t)count;
    for (int32_t i = 0; i < count; i++) {
        uint32_t words[sizeof *instructions / sizeof(uint32_t)];
        memcpy(words, &instructions[i], sizeof words);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            hash = (hash ^ words[k]) * 0x9E3779B1u;
            hash ^= hash >> 15;
        }
    }
    return (int32_t)(hash >> 1);
}

static bool is_program(const hbg_code *code, int32_t program, const hbg_rt_instruction *instructions,
                       int32_t count) {
    hbg_rt_range range = *HBG_RT_AT(code->image.pool.programs, program);
    if (range.count != count) return false;
    return count == 0 || memcmp(HBG_RT_AT(code->image.pool.instructions, range.first), instructions,
                                (size_t)count * sizeof *instructions) == 0;
}

/* Adds a program. Local modes have much in common: equal programs are stored once. */
int32_t hbg_code_add_program(hbg_code *code, const hbg_rt_instruction *instructions, int32_t count) {
    hbg_rt_pools *pool = &code->image.pool;
    int32_t hash = hash_program(instructions, count), others = 0;
    if (!code->programs.arena) hbg_base_pair_map_init(&code->programs, code->arena);
    for (int32_t found; (found = hbg_base_pair_map_find(&code->programs, hash, others)) >= 0; others++)
        if (is_program(code, found, instructions, count)) return found;
    hbg_rt_range range = {HBG_POOL_ROOM(code->arena, pool->instructions, count), count};
    if (count > 0)
        memcpy(HBG_RT_AT(pool->instructions, range.first), instructions,
               (size_t)count * sizeof *instructions);
    HBG_POOL_ADD(code->arena, pool->programs, range);
    return hbg_base_pair_map_add(&code->programs, hash, others, HBG_POOL_LAST(pool->programs));
}

int32_t hbg_code_add_text(hbg_code *code, const char *text) {
    if (!text) return HBG_NONE;
    int32_t size = (int32_t)strlen(text) + 1,
            first = HBG_POOL_ROOM(code->arena, code->image.pool.texts, size);
    memcpy(HBG_RT_AT(code->image.pool.texts, first), text, (size_t)size);
    return first;
}

hbg_rt_mark hbg_code_mark(const hbg_code *code) {
    const hbg_rt_pools *pool = &code->image.pool;
    hbg_rt_mark mark = code->image.code.mark;
    mark.constants = pool->constants.count;
    mark.prologue = pool->prologue.count;
    mark.located = pool->located.count;
    mark.loops = pool->loops.count;
    return mark;
}
