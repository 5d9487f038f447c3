/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Boxes, and whether a line meets one (the slab method of Kay and Kajiya). */
#include "draw/draw.h"

#include <math.h>

const hbg_draw_box hbg_draw_box_empty = {.left = 1, .top = 1, .right = 0, .bottom = 0};

hbg_draw_box hbg_draw_box_grow(hbg_draw_box box, double by) {
    return (hbg_draw_box){box.left - by, box.top - by, box.right + by, box.bottom + by};
}

hbg_draw_box hbg_draw_box_move(hbg_draw_box box, double dx, double dy) {
    return (hbg_draw_box){box.left + dx, box.top + dy, box.right + dx, box.bottom + dy};
}

hbg_draw_box hbg_draw_box_join(hbg_draw_box a, hbg_draw_box b) {
    if (a.right < a.left) return b;
    if (b.right < b.left) return a;
    return (hbg_draw_box){fmin(a.left, b.left), fmin(a.top, b.top), fmax(a.right, b.right),
                          fmax(a.bottom, b.bottom)};
}

bool hbg_draw_box_overlap(hbg_draw_box a, hbg_draw_box b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/* Narrows *enter…*leave to the part of the way between low and high; false if there is none. */
static bool clip_slab(double from, double step, double low, double high, double *enter, double *leave) {
    if (step == 0) return from > low && from < high;
    double first = (low - from) / step, last = (high - from) / step;
    *enter = fmax(*enter, fmin(first, last));
    *leave = fmin(*leave, fmax(first, last));
    return *enter < *leave;
}

double hbg_draw_box_enter(hbg_draw_box box, hbg_draw_point a, hbg_draw_point b) {
    double enter = 0, leave = 1;
    if (!clip_slab(a.x, b.x - a.x, box.left, box.right, &enter, &leave)) return 2;
    if (!clip_slab(a.y, b.y - a.y, box.top, box.bottom, &enter, &leave)) return 2;
    return enter;
}
