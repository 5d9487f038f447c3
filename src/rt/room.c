/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the caller, kept in a list: objects with one life are freed in one call, and a single object in
 * constant time. */
#include <stddef.h>

#include "rt/room.h"

struct hbg_rt_taken {
    struct hbg_rt_taken *next, *previous;
    size_t size; /* including this head */
    max_align_t start[];
};

void *hbg_rt_room_take(hbg_rt_room *room, size_t count, size_t size) {
    size_t most = (SIZE_MAX / 4 - sizeof(struct hbg_rt_taken)) / (size > 0 ? size : 1);
    size_t whole = sizeof(struct hbg_rt_taken) + (count <= most ? count * size : 0);
    struct hbg_rt_taken *block = count <= most ? room->memory.allocate(room->memory.context, whole) : NULL;
    if (block == NULL) {
        room->is_exhausted = true;
        return NULL;
    }
    block->size = whole;
    block->next = room->blocks;
    if (block->next != NULL) block->next->previous = block;
    room->blocks = block;
    return block->start;
}

void hbg_rt_room_return(hbg_rt_room *room, void *place) {
    if (place == NULL) return;
    struct hbg_rt_taken *block =
        (struct hbg_rt_taken *)(void *)((char *)place - offsetof(struct hbg_rt_taken, start));
    if (block->next != NULL) block->next->previous = block->previous;
    if (block->previous != NULL)
        block->previous->next = block->next;
    else
        room->blocks = block->next;
    room->memory.release(room->memory.context, block, block->size);
}

void hbg_rt_room_end(hbg_rt_room *room) {
    while (room->blocks != NULL) hbg_rt_room_return(room, room->blocks->start);
}
