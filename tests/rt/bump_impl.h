/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory for an instance of a system by hand, in a struct of the test: it need not be freed. */
#ifndef HBG_TESTS_RT_BUMP_IMPL_H
#define HBG_TESTS_RT_BUMP_IMPL_H

#include <stddef.h>

#include "rt/rt.h"

typedef struct { /* zeroed before use */
    _Alignas(max_align_t) char room[16384];
    size_t used;
} bump;

static void *bump_allocate(void *context, size_t size) {
    bump *b = context;
    size_t whole = (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
    if (b->used + whole > sizeof b->room) return NULL;
    b->used += whole;
    return b->room + b->used - whole;
}

static void bump_release(void *context, void *block, size_t size) {
    (void)context, (void)block, (void)size;
}

static inline hbg_rt_memory bump_memory(bump *b) {
    return (hbg_rt_memory){b, bump_allocate, bump_release};
}

#endif
