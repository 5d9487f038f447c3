/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The one door to the heap: counts what is held, obeys the limit, fails where a test asks it to. */
#include "base/base.h"

#include <stdlib.h>

void *hbg_base_memory_alloc(hbg_memory *memory, size_t size) {
    memory->calls++;
    if (memory->calls == memory->fail_at) return NULL;
    if (size > SIZE_MAX / 2 - memory->used) return NULL;
    if (memory->limit != 0 && memory->used + size > memory->limit) return NULL;
    void *block = calloc(1, size > 0 ? size : 1);
    if (block == NULL) return NULL;
    memory->used += size;
    if (memory->used > memory->peak) memory->peak = memory->used;
    return block;
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
