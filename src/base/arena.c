/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arenas: many objects with one lifetime. Space is cut from shared blocks of 4 KiB to 1 MiB, each an eighth
 * of the arena's size, so little is unused. A large object gets its own block, which is freed when the object
 * outgrows it or is released. Blocks are zeroed when allocated and each byte is given out only once, so
 * objects start zeroed without being cleared.
 *
 * Built with the address sanitizer, all unused space is poisoned and objects are kept apart, so an overrun
 * inside a block is caught like one between heap objects. */
#include "base/arena_impl.h"

#include <stdio.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISONS 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISONS 1
#endif

#if defined(ARENA_POISONS)
#include <sanitizer/asan_interface.h>
#define POISON(place, size)   ASAN_POISON_MEMORY_REGION((place), (size))
#define UNPOISON(place, size) ASAN_UNPOISON_MEMORY_REGION((place), (size))
#define RED_ZONE              16
#else
#define POISON(place, size)   ((void)(place), (void)(size))
#define UNPOISON(place, size) ((void)(place), (void)(size))
#define RED_ZONE              0
#endif

#define ALIGNMENT   _Alignof(max_align_t)
#define BLOCK_LEAST ((size_t)4096)
#define BLOCK_MOST  ((size_t)1 << 20)
#define OWN_BLOCK   ((size_t)2048) /* a larger object has its own block, which can be freed */

struct hbg_arena_block {
    hbg_arena_block *next, *previous;
    size_t size; /* including this head */
    max_align_t start[];
};

void hbg_base_arena_init(hbg_arena *arena, hbg_memory *memory) {
    *arena = (hbg_arena){.memory = memory};
}

void hbg_base_arena_fini(hbg_arena *arena) {
    hbg_arena_block *block = arena->blocks;
    while (block != NULL) {
        hbg_arena_block *next = block->next;
        UNPOISON(block, block->size);
        hbg_base_memory_free(arena->memory, block, block->size);
        block = next;
    }
    hbg_base_arena_init(arena, arena->memory);
}

static hbg_arena_block *block_new(hbg_arena *arena, size_t size) {
    hbg_arena_block *block = hbg_base_memory_alloc(arena->memory, size);
    if (block == NULL) hbg_base_memory_exhausted(arena->memory);
    block->size = size;
    POISON(block->start, size - sizeof *block);
    return block;
}

static void link_block(hbg_arena *arena, hbg_arena_block *block) {
    block->next = arena->blocks;
    if (block->next != NULL) block->next->previous = block;
    arena->blocks = block;
}

static void *own_new(hbg_arena *arena, size_t need) {
    hbg_arena_block *block = block_new(arena, sizeof *block + need);
    link_block(arena, block);
    return block->start;
}

static void own_free(hbg_arena *arena, void *place) {
    hbg_arena_block *block = (hbg_arena_block *)((char *)place - offsetof(hbg_arena_block, start));
    if (block->next != NULL) block->next->previous = block->previous;
    if (block->previous != NULL)
        block->previous->next = block->next;
    else
        arena->blocks = block->next;
    UNPOISON(block, block->size);
    hbg_base_memory_free(arena->memory, block, block->size);
}

/* Extends an object's own block, in place if there is room after it. */
static void *own_extend(hbg_arena *arena, void *place, size_t need) {
    hbg_arena_block *block = (hbg_arena_block *)((char *)place - offsetof(hbg_arena_block, start));
    size_t size = block->size, new_size = sizeof *block + need;
    UNPOISON(block, size);
    hbg_arena_block *grown = hbg_base_memory_extend(arena->memory, block, size, new_size);
    if (grown == NULL) hbg_base_memory_exhausted(arena->memory);
    grown->size = new_size;
    if (grown->next != NULL) grown->next->previous = grown;
    if (grown->previous != NULL)
        grown->previous->next = grown;
    else
        arena->blocks = grown;
    POISON(grown->start, new_size - sizeof *grown);
    return grown->start;
}

/* Space for `need` bytes in a new shared block when the newest is full. */
static char *refill(hbg_arena *arena, size_t need) {
    size_t size = arena->shared / 8 / ALIGNMENT * ALIGNMENT;
    size = size < BLOCK_LEAST ? BLOCK_LEAST : size > BLOCK_MOST ? BLOCK_MOST : size;
    hbg_arena_block *block = block_new(arena, size);
    link_block(arena, block);
    arena->shared += size;
    arena->next = (char *)block->start + need;
    arena->end = (char *)block + size;
    return (char *)block->start;
}

static size_t padded(size_t size) {
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return (rounded > 0 ? rounded : ALIGNMENT) + RED_ZONE;
}

void *hbg_base_arena_alloc(hbg_arena *arena, size_t size) {
    if (size > SIZE_MAX / 4) hbg_base_memory_exhausted(arena->memory);
    size_t need = padded(size);
    char *place = arena->next;
    if (need > OWN_BLOCK)
        place = own_new(arena, need);
    else if (need <= (size_t)(arena->end - arena->next))
        arena->next += need;
    else
        place = refill(arena, need);
    UNPOISON(place, size);
    return place;
}

void *hbg_base_arena_alloc_array(hbg_arena *arena, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) hbg_base_memory_exhausted(arena->memory);
    return hbg_base_arena_alloc(arena, count * size);
}

void hbg_base_arena_release(hbg_arena *arena, void *place, size_t size) {
    if (place == NULL) return;
    if (padded(size) > OWN_BLOCK) {
        own_free(arena, place);
        return;
    }
    POISON(place, size);
}

void *hbg_base_arena_regrow(hbg_arena *arena, void *old, size_t old_size, size_t new_size) {
    if (old == NULL || old_size == 0) return hbg_base_arena_alloc(arena, new_size);

    /* the newest object of the shared block can take the free space after it */
    if (RED_ZONE == 0 && new_size <= OWN_BLOCK - ALIGNMENT && (char *)old + padded(old_size) == arena->next) {
        size_t grown = padded(new_size) - padded(old_size);
        if (grown <= (size_t)(arena->end - arena->next)) {
            arena->next += grown;
            return old;
        }
    }

    if (padded(old_size) > OWN_BLOCK && new_size <= SIZE_MAX / 4) {
        void *grown = own_extend(arena, old, padded(new_size));
        UNPOISON(grown, new_size);
        return grown;
    }

    void *fresh = hbg_base_arena_alloc(arena, new_size);
    memcpy(fresh, old, old_size);
    hbg_base_arena_release(arena, old, old_size);
    return fresh;
}

char *hbg_base_arena_copy(hbg_arena *arena, const char *text, size_t size) {
    if (size == SIZE_MAX) hbg_base_memory_exhausted(arena->memory);
    char *copy = hbg_base_arena_alloc(arena, size + 1);
    if (size > 0) memcpy(copy, text, size);
    return copy;
}

char *hbg_base_arena_vprint(hbg_arena *arena, const char *format, va_list arguments) {
    /* most texts are short: format once, into a buffer of fixed size */
    char text[512];
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(text, sizeof text, format, arguments);
    char *result = NULL;
    if (size >= 0 && (size_t)size < sizeof text) {
        result = hbg_base_arena_copy(arena, text, (size_t)size);
    } else if (size >= 0) {
        result = hbg_base_arena_alloc(arena, (size_t)size + 1);
        vsnprintf(result, (size_t)size + 1, format, again);
    }
    va_end(again);
    /* a text of more than INT_MAX bytes */
    if (result == NULL) hbg_base_memory_exhausted(arena->memory);
    return result;
}

char *hbg_base_arena_print(hbg_arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = hbg_base_arena_vprint(arena, format, arguments);
    va_end(arguments);
    return text;
}
