/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Histograms. The width of a bar follows from the quartiles and the number of runs by the rule of Freedman
 * and Diaconis, which a few outliers do not disturb; if half of the values are equal, it follows from the
 * number of runs alone (Sturges). */
#include "draw/spread_impl.h"

#include <math.h>

enum { MOST_COLUMNS = 4, MOST_BARS = 60 };
#define HEADROOM   1.08 /* above the highest bar */
#define LEAST_RUNS 8.0  /* least end of the axis: marks are whole numbers then */

typedef struct {
    double *values; /* without NaN, sorted */
    int64_t count;
    int32_t bars;
    int64_t runs[MOST_BARS];
} histogram;

static double quantile(const histogram *of, double share) {
    return hbg_base_quantile(of->values, of->count, share);
}

static int32_t bars_for(const histogram *of) {
    double range = of->values[of->count - 1] - of->values[0];
    double width = 2 * (quantile(of, 0.75) - quantile(of, 0.25)) / cbrt((double)of->count);
    double bars = width > 0 ? ceil(range / width) : 1 + ceil(log2((double)of->count));
    return range > 0 ? (int32_t)fmax(1, fmin(bars, MOST_BARS)) : 1;
}

static void count_runs(hbg_arena *arena, const hbg_draw_variable *variable, int64_t runs, histogram *of) {
    *of = (histogram){.values = HBG_NEW_ARRAY(arena, double, runs + 1)};
    hbg_draw_axis axis;
    hbg_draw_axis_begin(&axis, variable->unit, false);
    for (int64_t i = 0; i < runs; i++) {
        double value = hbg_draw_axis_clean(&axis, variable->values[i]);
        if (!isnan(value)) of->values[of->count++] = value;
    }
    if (of->count == 0) return;
    hbg_base_sort_numbers(of->values, of->count);
    of->bars = bars_for(of);
    double low = of->values[0], range = of->values[of->count - 1] - low;
    for (int64_t i = 0; i < of->count; i++) {
        double bar = range > 0 ? floor((of->values[i] - low) / range * of->bars) : 0;
        of->runs[(int32_t)fmin(bar, of->bars - 1)]++; // the greatest belongs to the last bar
    }
}

static void put_bars(hbg_buffer *out, const hbg_draw_map *map, const histogram *of) {
    double low = of->values[0], high = of->values[of->count - 1];
    if (of->bars == 1 && low == high) { // a narrow one around the only value
        double half = (map->x.high - map->x.low) / 40;
        low -= half;
        high += half;
    }
    for (int32_t i = 0; i < of->bars; i++) {
        if (of->runs[i] == 0) continue;
        double from = low + (high - low) * i / of->bars, to = low + (high - low) * (i + 1) / of->bars;
        hbg_draw_point top = hbg_draw_map_place(map, from, (double)of->runs[i]);
        hbg_draw_point foot = hbg_draw_map_place(map, to, 0);
        hbg_draw_rect(out, "bar", (hbg_draw_box){top.x, top.y, foot.x, foot.y}, 0);
    }
}

static void put_line(hbg_buffer *out, const hbg_draw_map *map, const char *class_name, double value) {
    hbg_draw_line(out, class_name, hbg_draw_map_place(map, value, map->y.low),
                  hbg_draw_map_place(map, value, map->y.high));
}

/* With as many digits as there is room for: a truncated number would be wrong. */
static const char *note_for(hbg_arena *arena, const histogram *of, double width) {
    const char *note = "";
    for (int digits = 4; digits > 1; digits--) {
        note = hbg_base_arena_print(arena, "5, 50, 95 %%: %.*g, %.*g, %.*g", digits, quantile(of, 0.05),
                                    digits, quantile(of, 0.5), digits, quantile(of, 0.95));
        if (hbg_draw_text_width(note, HBG_PLOT_SMALL, false) <= width) return note;
    }
    note = hbg_base_arena_print(arena, "50 %%: %.2g", quantile(of, 0.5));
    return hbg_draw_text_fit(arena, note, HBG_PLOT_SMALL, false, width);
}

static void put_histogram(hbg_buffer *out, const hbg_draw_variable *variable, int64_t runs,
                          hbg_draw_box box) {
    histogram of;
    count_runs(out->arena, variable, runs, &of);
    int64_t most = 0;
    for (int32_t i = 0; i < of.bars; i++) most = of.runs[i] > most ? of.runs[i] : most;
    hbg_draw_map map = {.box = box,
                        .name = variable->name,
                        .x = hbg_draw_spread_range(variable, runs, 0.03),
                        .y = {"runs", "", 0, fmax((double)most * HEADROOM, LEAST_RUNS)}};
    hbg_draw_group_begin(out, "map", variable->name);
    if (of.count > 0) {
        put_bars(out, &map, &of);
        put_line(out, &map, "tail", quantile(&of, 0.05));
        put_line(out, &map, "median", quantile(&of, 0.5));
        put_line(out, &map, "tail", quantile(&of, 0.95));
    }
    hbg_draw_map_frame(out->arena, out, &map);
    const char *shown = of.count == 0 ? "no numbers" : note_for(out->arena, &of, box.right - box.left - 28);
    hbg_draw_text(out, "note", (hbg_draw_point){box.right, box.top - 8}, HBG_DRAW_END, shown);
    hbg_draw_group_end(out);
}

void hbg_draw_histograms(hbg_buffer *out, const char *title, const hbg_draw_variable *variables,
                         int32_t count, int64_t runs) {
    int32_t columns = count < MOST_COLUMNS ? count : MOST_COLUMNS;
    hbg_spread_page page = hbg_draw_spread_page((count + columns - 1) / columns, columns);
    hbg_draw_spread_begin(out, page.width, page.height, title);
    for (int32_t i = 0; i < count; i++)
        put_histogram(out, &variables[i], runs, hbg_draw_spread_box(&page, i / columns, i % columns));
    hbg_draw_spread_end(out);
}
