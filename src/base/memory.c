/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The only access to the heap: counts allocated bytes, obeys the limit, fails when a test requests it. */
#include "base/base.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Whether `size` more bytes are allowed. */
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

/* ---- lent memory --------------------------------------------------------------------------------------- */

void hbg_base_memory_lend(hbg_memory *memory, void *place, size_t size) {
    HBG_ASSERT(memory->used == 0 && memory->lent == NULL);
    memory->lent = memory->lent_next = place;
    memory->lent_end = (char *)place + size;
}

void hbg_base_memory_take_back(hbg_memory *memory) {
    HBG_ASSERT(memory->used == 0);
    if (memory->lent != NULL) memset(memory->lent, 0, (size_t)(memory->lent_next - memory->lent));
    memory->lent = memory->lent_next = memory->lent_end = NULL;
}

static bool is_lent(const hbg_memory *memory, const void *block) {
    return memory->lent != NULL && (const char *)block >= memory->lent &&
           (const char *)block < memory->lent_end;
}

static size_t padded(size_t size) {
    const size_t unit = _Alignof(max_align_t);
    return size > 0 ? (size + unit - 1) / unit * unit : unit;
}

/* NULL: there is no room left. */
static void *take_lent(hbg_memory *memory, size_t size) {
    if (memory->lent == NULL || padded(size) > (size_t)(memory->lent_end - memory->lent_next)) return NULL;
    char *block = memory->lent_next;
    memory->lent_next += padded(size);
    return block;
}

/* The newest block grows in place, another one moves. */
static void *extend_lent(hbg_memory *memory, char *block, size_t size, size_t new_size) {
    bool is_newest = block + padded(size) == memory->lent_next;
    if (is_newest && padded(new_size) <= (size_t)(memory->lent_end - block)) {
        memory->lent_next = block + padded(new_size);
        return block;
    }
    void *moved = take_lent(memory, new_size);
    if (moved == NULL) moved = calloc(1, new_size);
    if (moved != NULL) memcpy(moved, block, size);
    return moved;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

void *hbg_base_memory_alloc(hbg_memory *memory, size_t size) {
    if (!may_take(memory, size)) return NULL;
    void *block = take_lent(memory, size);
    if (block == NULL) block = calloc(1, size > 0 ? size : 1);
    if (block != NULL) count(memory, size);
    return block;
}

void *hbg_base_memory_extend(hbg_memory *memory, void *block, size_t size, size_t new_size) {
    HBG_ASSERT(block != NULL && new_size >= size);
    if (!may_take(memory, new_size - size)) return NULL;
    bool lent = is_lent(memory, block);
    char *grown = lent ? extend_lent(memory, block, size, new_size) : realloc(block, new_size);
    if (grown == NULL) return NULL;
    if (!lent) memset(grown + size, 0, new_size - size);
    count(memory, new_size - size);
    return grown;
}

void hbg_base_memory_free(hbg_memory *memory, void *block, size_t size) {
    if (block == NULL) return;
    HBG_ASSERT(memory->used >= size);
    memory->used -= size;
    if (!is_lent(memory, block)) free(block);
}

_Noreturn void hbg_base_memory_exhausted(hbg_memory *memory) {
    HBG_ASSERT(memory->exhausted != NULL);
    /* a guard serves once: what it does to clean up must not land in it again */
    jmp_buf *guard = memory->exhausted;
    memory->exhausted = NULL;
    longjmp(*guard, 1);
}
