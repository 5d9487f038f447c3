/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory for an engine that counts allocations, and can be made to fail. */
#ifndef HBG_TESTS_RT_HEAP_IMPL_H
#define HBG_TESTS_RT_HEAP_IMPL_H

#include <stdlib.h>

#include "rt/room.h"

typedef struct {
    int64_t calls, fail_at; /* the call with this number fails; 0: none */
    size_t used;
} heap;

static void *heap_allocate(void *context, size_t size) {
    heap *h = context;
    if (++h->calls == h->fail_at) return NULL;
    h->used += size;
    return calloc(1, size);
}

static void heap_release(void *context, void *block, size_t size) {
    heap *h = context;
    h->used -= size;
    free(block);
}

static inline hbg_rt_memory heap_memory(heap *h) {
    return (hbg_rt_memory){h, heap_allocate, heap_release};
}

#endif
