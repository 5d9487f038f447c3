/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What was taken from a memory, to be given back together. */
#ifndef HBG_RT_ROOM_H
#define HBG_RT_ROOM_H

#include "rt/rt.h"

/* A failure is remembered: a maker of many things asks once, after the last of them, and touches none before. */
typedef struct {
    hbg_rt_memory memory;
    struct hbg_rt_taken *blocks;
    bool is_exhausted;
} hbg_rt_room;

#define HBG_RT_TAKE(room, type, count) ((type *)hbg_rt_room_take((room), (size_t)(count), sizeof(type)))
/* Zeroed, never NULL unless memory is exhausted, not even where the count is 0. */
void *hbg_rt_room_take(hbg_rt_room *room, size_t count, size_t size);
/* Gives one thing back before the others; NULL is nothing. */
void hbg_rt_room_return(hbg_rt_room *room, void *place);
void hbg_rt_room_end(hbg_rt_room *room);

#endif
