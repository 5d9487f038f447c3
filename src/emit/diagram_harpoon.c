/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The half arrow. Bond graph books write effort above or left of a bond and flow below or right of it; the
 * barb is on the side of the flow. */
#include "emit/diagram_impl.h"

#include <math.h>

#define BARB_COSINE 0.82 /* about 35 degrees between bond and barb */
#define BARB_SINE   0.57

hbg_draw_point hbg_emit_diagram_flow_side(hbg_draw_point direction) {
    hbg_draw_point normal = {-direction.y, direction.x};
    /* nearly upright counts as upright: rounding must not flip a row of equal bonds */
    bool upright = fabs(direction.y) > 8 * fabs(direction.x);
    double side = upright ? normal.x : normal.y;
    if (side < 0) return (hbg_draw_point){-normal.x, -normal.y};
    return normal;
}

void hbg_emit_diagram_harpoon(const hbg_draw_point *points, int32_t count, hbg_draw_point harpoon[3]) {
    hbg_draw_point before = points[count - 2], tip = points[count - 1];
    double length = fmax(hypot(tip.x - before.x, tip.y - before.y), 1e-9);
    hbg_draw_point along = {(tip.x - before.x) / length, (tip.y - before.y) / length};
    hbg_draw_point side = hbg_emit_diagram_flow_side(along);
    harpoon[0] = before;
    harpoon[1] = tip;
    harpoon[2] = (hbg_draw_point){tip.x - HBG_DIAGRAM_BARB * (BARB_COSINE * along.x - BARB_SINE * side.x),
                                  tip.y - HBG_DIAGRAM_BARB * (BARB_COSINE * along.y - BARB_SINE * side.y)};
}
