/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pages of pictures of many runs: style, places of maps, the range of a variable. */
#include "draw/spread_impl.h"

#include <math.h>

#define ONE_WIDTH  620.0 /* of a single map on a page */
#define ONE_HEIGHT 320.0
#define MAP_WIDTH  230.0
#define MAP_HEIGHT 150.0

static const char style[] =
    "text{font-size:11px;fill:#26292c}.title{font-size:15px;font-weight:bold}.name{font-size:12px;font-"
    "weight:bold}.tick{fill:#4a5057}.label{fill:#4a5057}.note{fill:#4a5057}"
    ".page{fill:#fff}.frame{fill:none;stroke:#aab3bc;stroke-width:1}.grid{stroke:#aab3bc;stroke-width:.8}"
    ".bar{fill:#7fb2e5;stroke:#fff;stroke-width:.6}"
    ".median{stroke:#26292c;stroke-width:1.2}.tail{stroke:#26292c;stroke-width:1;stroke-dasharray:3 3}"
    ".dot{stroke:#1c62ad;stroke-width:3.4;stroke-linecap:round;fill:none}"
    ".few{stroke-opacity:.5}.some{stroke-opacity:.7}.many{stroke-opacity:.95}"
    ".over{paint-order:stroke;stroke:#fff;stroke-width:3;stroke-opacity:.85}"
    ".axis{stroke:#26292c;stroke-width:1.2}"
    ".run{fill:none;stroke-width:1}"
    ".run0{stroke:#3b1f6b}.run1{stroke:#2f6fae}.run2{stroke:#2a9d8f}.run3{stroke:#e0a010}.run4{stroke:#"
    "d1495b}";

hbg_spread_page hbg_draw_spread_page(int32_t rows, int32_t columns) {
    bool one = rows == 1 && columns == 1;
    hbg_spread_page page = {.rows = rows,
                            .columns = columns,
                            .map_width = one ? ONE_WIDTH : MAP_WIDTH,
                            .map_height = one ? ONE_HEIGHT : MAP_HEIGHT};
    page.width = 2 * HBG_SPREAD_MARGIN + columns * (HBG_DRAW_MAP_LEFT + page.map_width) +
                 (columns - 1) * HBG_SPREAD_GAP;
    page.height = HBG_SPREAD_HEAD + HBG_SPREAD_MARGIN +
                  rows * (HBG_DRAW_MAP_TOP + page.map_height + HBG_DRAW_MAP_BOTTOM);
    return page;
}

hbg_draw_box hbg_draw_spread_box(const hbg_spread_page *page, int32_t row, int32_t column) {
    double left = HBG_SPREAD_MARGIN + HBG_DRAW_MAP_LEFT +
                  column * (HBG_DRAW_MAP_LEFT + page->map_width + HBG_SPREAD_GAP);
    double top = HBG_SPREAD_HEAD + HBG_DRAW_MAP_TOP +
                 row * (HBG_DRAW_MAP_TOP + page->map_height + HBG_DRAW_MAP_BOTTOM);
    return (hbg_draw_box){left, top, left + page->map_width, top + page->map_height};
}

void hbg_draw_spread_begin(hbg_buffer *out, double width, double height, const char *title) {
    hbg_draw_svg_begin(out, width, height, title, style);
    hbg_draw_rect(out, "page", (hbg_draw_box){0, 0, width, height}, 0);
    const char *shown =
        hbg_draw_text_fit(out->arena, title, HBG_PLOT_TITLE, true, width - 2 * HBG_SPREAD_MARGIN);
    hbg_draw_text(out, "title", (hbg_draw_point){HBG_SPREAD_MARGIN, 26}, HBG_DRAW_START, shown);
}

void hbg_draw_spread_end(hbg_buffer *out) {
    hbg_draw_svg_end(out);
}

hbg_draw_range hbg_draw_spread_range(const hbg_draw_variable *variable, int64_t runs, double margin) {
    hbg_draw_axis axis;
    hbg_draw_axis_begin(&axis, variable->unit, false);
    for (int64_t i = 0; i < runs; i++) {
        double value = hbg_draw_axis_clean(&axis, variable->values[i]);
        if (!isnan(value)) hbg_draw_axis_include(&axis, value);
    }
    double low = axis.low, high = axis.high;
    hbg_draw_axis_settle(&axis, 0);
    if (axis.low == low && axis.high == high) { // more than one value
        axis.low -= margin * (high - low);
        axis.high += margin * (high - low);
    }
    return (hbg_draw_range){.label = variable->name, .unit = axis.unit, .low = axis.low, .high = axis.high};
}
