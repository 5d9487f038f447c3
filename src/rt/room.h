/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Objects allocated from a memory, to be freed together. */
#ifndef HBG_RT_ROOM_H
#define HBG_RT_ROOM_H

#include "rt/rt.h"

/* A failure is recorded: code that makes many objects checks once, after the last of them, and uses none
 * before. */
typedef struct {
    hbg_rt_memory memory;
    struct hbg_rt_taken *blocks;
    bool is_exhausted;
} hbg_rt_room;

#define HBG_RT_TAKE(room, type, count) ((type *)hbg_rt_room_take((room), (size_t)(count), sizeof(type)))
/* Zeroed, never NULL unless memory is exhausted, even if the count is 0. */
void *hbg_rt_room_take(hbg_rt_room *room, size_t count, size_t size);
/* Frees one object before the others; NULL does nothing. */
void hbg_rt_room_return(hbg_rt_room *room, void *place);
void hbg_rt_room_end(hbg_rt_room *room);

#endif
