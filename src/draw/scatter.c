/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Points of runs over two variables. Points at one place are merged and darker: the size of the drawing
 * depends on the pixels, not on the number of runs. */
#include "draw/spread_impl.h"

#include <math.h>

#define PLACES 2.0 /* in a pixel */

enum { SHADES = 3 };
static const char *const shades[SHADES] = {"dot few", "dot some", "dot many"};
static const int32_t shade_from[SHADES] = {1, 2, 5}; /* runs at a place */

typedef struct {
    int32_t *runs; /* by place */
    int32_t columns, rows;
} place_grid;

static place_grid count_places(hbg_arena *arena, const hbg_draw_map *map, const double *x, const double *y,
                               int64_t runs) {
    const hbg_draw_box *box = &map->box;
    place_grid grid = {.columns = (int32_t)((box->right - box->left) * PLACES) + 1,
                       .rows = (int32_t)((box->bottom - box->top) * PLACES) + 1};
    grid.runs = HBG_NEW_ARRAY(arena, int32_t, grid.columns * grid.rows);
    for (int64_t i = 0; i < runs; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) continue;
        hbg_draw_point at = hbg_draw_map_place(map, x[i], y[i]);
        int32_t column = (int32_t)lround(fmax(0, fmin((at.x - box->left) * PLACES, grid.columns - 1)));
        int32_t row = (int32_t)lround(fmax(0, fmin((at.y - box->top) * PLACES, grid.rows - 1)));
        grid.runs[row * grid.columns + column]++;
    }
    return grid;
}

static int32_t shade_of(int32_t runs) {
    int32_t shade = SHADES - 1;
    while (shade > 0 && runs < shade_from[shade]) shade--;
    return shade;
}

static void put_points(hbg_buffer *out, const hbg_draw_map *map, const place_grid *grid) {
    int32_t places = grid->columns * grid->rows;
    for (int32_t shade = 0; shade < SHADES; shade++) {
        HBG_VEC(hbg_draw_point) points = {0};
        for (int32_t i = 0; i < places; i++) {
            if (grid->runs[i] == 0 || shade_of(grid->runs[i]) != shade) continue;
            hbg_draw_point at = {map->box.left + i % grid->columns / PLACES,
                                 map->box.top + i / grid->columns / PLACES};
            HBG_PUSH(out->arena, points, at);
            HBG_PUSH(out->arena, points, at);
        }
        hbg_draw_strokes(out, shades[shade], points.items, points.count / 2);
    }
}

static void put_pair(hbg_buffer *out, const hbg_draw_variable *across, const hbg_draw_variable *up,
                     int64_t runs, hbg_draw_box box, const char *note) {
    const char *name = hbg_base_arena_print(out->arena, "%s over %s", up->name, across->name);
    hbg_draw_map map = {.box = box,
                        .name = name,
                        .x = hbg_draw_spread_range(across, runs, 0.04),
                        .y = hbg_draw_spread_range(up, runs, 0.06)};
    hbg_draw_group_begin(out, "map", name);
    place_grid grid = count_places(out->arena, &map, across->values, up->values, runs);
    put_points(out, &map, &grid);
    hbg_draw_map_frame(out->arena, out, &map);
    if (note) hbg_draw_text(out, "note", (hbg_draw_point){box.right, box.top - 8}, HBG_DRAW_END, note);
    hbg_draw_group_end(out);
}

void hbg_draw_scatter(hbg_buffer *out, const char *title, const hbg_draw_variable *across,
                      int32_t across_count, const hbg_draw_variable *up, int32_t up_count, int64_t runs,
                      const char *const *notes) {
    hbg_spread_page page = hbg_draw_spread_page(up_count, across_count);
    hbg_draw_spread_begin(out, page.width, page.height, title);
    for (int32_t row = 0; row < up_count; row++)
        for (int32_t column = 0; column < across_count; column++)
            put_pair(out, &across[column], &up[row], runs, hbg_draw_spread_box(&page, row, column),
                     notes[row * across_count + column]);
    hbg_draw_spread_end(out);
}
