/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the routing of bonds and the placing of their labels. */
#ifndef HBG_EMIT_DIAGRAM_ROUTE_H
#define HBG_EMIT_DIAGRAM_ROUTE_H

#include "emit/diagram_impl.h"

typedef struct {
    hbg_diagram *diagram;
    hbg_draw_obstacles texts; /* text, owned by its element */
    hbg_draw_obstacles lines; /* first bonds of hanging elements, owned by their junction; later all bonds */
    HBG_VEC(hbg_draw_point) way; /* of one bond, from the tail to the tip */
    bool through;                /* foreign components do not block */
    int64_t budget;              /* lines that may still be tried, to bound the time of a drawing */
} hbg_diagram_router;

static inline void hbg_emit_diagram_reverse(hbg_draw_point *points, int32_t count) {
    for (int32_t i = 0, k = count - 1; i < k; i++, k--) {
        hbg_draw_point point = points[i];
        points[i] = points[k];
        points[k] = point;
    }
}

/* Finds the way of a bond, from anchor to anchor. */
void hbg_emit_diagram_find_way(hbg_diagram_router *router, int32_t index);

/* The box that a line meets first; false if it is free. The symbols at the bond's ends do not count if the
 * line starts at the tail's anchor or ends at the tip's. */
typedef struct {
    hbg_draw_point a, b;
    bool at_tail, at_tip;
} hbg_diagram_piece;
bool hbg_emit_diagram_blocked(hbg_diagram_router *router, const hbg_diagram_link *link,
                              hbg_diagram_piece piece, hbg_draw_box *box);
/* A way round all obstacles; false if none was found in reasonable time. */
bool hbg_emit_diagram_detour(hbg_diagram_router *router, int32_t index, hbg_draw_point from,
                             hbg_draw_point to);

/* Enters a line as boxes along it, `half` wide on each side. */
void hbg_emit_diagram_add_line(hbg_draw_obstacles *obstacles, hbg_draw_point a, hbg_draw_point b, double half,
                               int32_t owner);

/* Spreads the bonds that meet at one side of a symbol. */
void hbg_emit_diagram_fan(hbg_diagram *diagram);

/* Finds free places next to the routed bonds for their names and for port numbers. */
void hbg_emit_diagram_place_labels(hbg_diagram_router *router);

#endif
