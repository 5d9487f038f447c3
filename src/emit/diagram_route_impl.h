/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What routing of bonds and placing of their labels share. */
#ifndef HBG_EMIT_DIAGRAM_ROUTE_H
#define HBG_EMIT_DIAGRAM_ROUTE_H

#include "emit/diagram_impl.h"

typedef struct {
    hbg_diagram *diagram;
    hbg_draw_obstacles texts; /* what is written, and bonds of hanging elements; owned by their elements */
    HBG_VEC(hbg_draw_point) way;
} hbg_diagram_router;

/* Enters a line as boxes along it, `half` wide on each side. */
void hbg_diagram_add_line(hbg_draw_obstacles *obstacles, hbg_draw_point a, hbg_draw_point b, double half,
                          int32_t owner);

/* Spreads the bonds that meet at one side of a symbol. */
void hbg_diagram_fan(hbg_diagram *diagram);

/* Finds free places beside the routed bonds for their names and for port numbers. */
void hbg_diagram_place_labels(hbg_diagram_router *router);

#endif
