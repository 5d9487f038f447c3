/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Growth of HBG_VEC: doubling, counted in int32 because objects are int32 ids. */
#include "base/arena_impl.h"

void *hbg_vec_grow(hbg_arena *arena, void *items, int32_t count, int32_t *capacity, size_t size) {
    if (*capacity == INT32_MAX) hbg_memory_exhausted(arena->memory);
    int32_t wanted = *capacity < 4 ? 4 : *capacity > INT32_MAX / 2 ? INT32_MAX : *capacity * 2;
    if ((size_t)wanted > SIZE_MAX / size) hbg_memory_exhausted(arena->memory);
    HBG_ASSERT(count == *capacity);
    void *grown = hbg_arena_regrow(arena, items, (size_t)count * size, (size_t)wanted * size);
    *capacity = wanted;
    return grown;
}
