/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Growth of HBG_VEC: doubling at first, counted in int32 because objects are int32 ids. */
#include "base/arena_impl.h"

#define LARGE 65536 /* bytes: above this a vector grows by half, so less of it is unused */

/* Most vectors stay short: they start with about 32 bytes. */
static int32_t first_capacity(size_t size) {
    return size <= 8 ? 4 : size <= 16 ? 2 : 1;
}

void *hbg_base_vec_grow(hbg_arena *arena, void *items, int32_t count, int32_t *capacity, size_t size) {
    if (*capacity == INT32_MAX) hbg_base_memory_exhausted(arena->memory);
    int32_t step = *capacity > LARGE / (int32_t)size ? *capacity / 2 : *capacity;
    int32_t wanted = *capacity == 0                 ? first_capacity(size)
                     : *capacity > INT32_MAX - step ? INT32_MAX
                                                    : *capacity + step;
    if ((size_t)wanted > SIZE_MAX / size) hbg_base_memory_exhausted(arena->memory);
    HBG_ASSERT(count == *capacity);
    void *grown = hbg_base_arena_regrow(arena, items, (size_t)count * size, (size_t)wanted * size);
    *capacity = wanted;
    return grown;
}
