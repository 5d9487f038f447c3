/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the pictures of many runs: one style, pages of maps, values as an axis shows them. */
#ifndef HBG_DRAW_SPREAD_IMPL_H
#define HBG_DRAW_SPREAD_IMPL_H

#include "draw/plot_impl.h"

#define HBG_SPREAD_MARGIN 16.0
#define HBG_SPREAD_HEAD   40.0 /* title, above everything */
#define HBG_SPREAD_GAP    22.0 /* between maps */

/* Maps of one size in rows and columns. */
typedef struct {
    int32_t rows, columns;
    double map_width, map_height;
    double width, height; /* of the document */
} hbg_spread_page;

hbg_spread_page hbg_draw_spread_page(int32_t rows, int32_t columns);
hbg_draw_box hbg_draw_spread_box(const hbg_spread_page *page, int32_t row, int32_t column);
void hbg_draw_spread_begin(hbg_buffer *out, double width, double height, const char *title);
void hbg_draw_spread_end(hbg_buffer *out);

/* From the least value to the greatest, with a little margin. */
hbg_draw_range hbg_draw_spread_range(const hbg_draw_variable *variable, int64_t runs, double margin);

#endif
