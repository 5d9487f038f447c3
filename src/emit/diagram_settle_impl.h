/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Places that are known before the layout. */
#ifndef HBG_EMIT_DIAGRAM_SETTLE_H
#define HBG_EMIT_DIAGRAM_SETTLE_H

#include "emit/diagram_impl.h"

typedef struct {
    hbg_draw_point at;
    hbg_draw_point origin; /* of an open component: what places inside count from */
    bool alone;            /* no bond led to it */
} hbg_diagram_earlier_place;

typedef struct {
    hbg_arena *arena;
    hbg_names names;    /* paths */
    hbg_pair_map index; /* (0, path): in places */
    HBG_VEC(hbg_diagram_earlier_place) places;
} hbg_diagram_earlier;

/* The places in an earlier drawing; none if it is NULL. */
void hbg_emit_diagram_earlier_read(hbg_diagram_earlier *earlier, hbg_arena *arena, const char *svg);
const hbg_diagram_earlier_place *hbg_emit_diagram_earlier_find(const hbg_diagram_earlier *earlier,
                                                               const char *path);

#endif
