/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The one door to the heap: counts what is held, obeys the limit, fails where a test asks it to. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Whether so much more may be had. */
static bool may_take(hbg_memory *memory, size_t size) {
    memory->calls++;
    if (memory->calls == memory->fail_at) return false;
    if (size > SIZE_MAX / 2 - memory->used) return false;
    return memory->limit == 0 || memory->used + size <= memory->limit;
}

static void count(hbg_memory *memory, size_t size) {
    memory->used += size;
    if (memory->used > memory->peak) memory->peak = memory->used;
}

void *hbg_base_memory_alloc(hbg_memory *memory, size_t size) {
    if (!may_take(memory, size)) return NULL;
    void *block = calloc(1, size > 0 ? size : 1);
    if (block != NULL) count(memory, size);
    return block;
}

void *hbg_base_memory_extend(hbg_memory *memory, void *block, size_t size, size_t new_size) {
    HBG_ASSERT(block != NULL && new_size >= size);
    if (!may_take(memory, new_size - size)) return NULL;
    char *grown = realloc(block, new_size);
    if (grown == NULL) return NULL;
    memset(grown + size, 0, new_size - size);
    count(memory, new_size - size);
    return grown;
}

void hbg_base_memory_free(hbg_memory *memory, void *block, size_t size) {
    if (block == NULL) return;
    HBG_ASSERT(memory->used >= size);
    memory->used -= size;
    free(block);
}

_Noreturn void hbg_base_memory_exhausted(hbg_memory *memory) {
    HBG_ASSERT(memory->exhausted != NULL);
    /* a guard serves once: what it does to clean up must not land in it again */
    jmp_buf *guard = memory->exhausted;
    memory->exhausted = NULL;
    longjmp(*guard, 1);
}
