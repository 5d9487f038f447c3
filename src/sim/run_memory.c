/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An arena as the memory of an engine. Arenas jump if memory is exhausted; engines get a status. */
#include "sim/sim_impl.h"

static void *allocate(void *context, size_t size) {
    hbg_arena *arena = context;
    hbg_memory *memory = arena->memory;
    jmp_buf guard, *outer = memory->exhausted;
    if (HBG_GUARD(memory, guard)) {
        memory->exhausted = outer;
        return NULL;
    }
    void *block = hbg_base_arena_alloc(arena, size);
    memory->exhausted = outer;
    return block;
}

static void release(void *context, void *block, size_t size) {
    hbg_base_arena_release(context, block, size);
}

hbg_rt_memory hbg_sim_memory(hbg_arena *arena) {
    return (hbg_rt_memory){arena, allocate, release};
}
