/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the two halves of the layout: the scale, and the reader of the answer of `dot`. */
#ifndef HBG_DRAW_LAYOUT_H
#define HBG_DRAW_LAYOUT_H

#include "draw/draw.h"

#define HBG_DRAW_PER_INCH 72.0 /* dot takes sizes in inches and answers in points: one point is our pixel */

/* Reads a graph as `dot -Tdot` prints it and fills in the layout's results, y already downwards. False if it
 * is not a valid answer of dot to our request. Without `routed`, edges have no route and become straight. */
bool hbg_draw_layout_read(hbg_arena *arena, hbg_draw_layout *layout, const char *text, bool routed);

#endif
