/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parallel coordinates: an axis for each variable, a line for each run, coloured by the fifth of the last
 * axis that it reaches. Equal pieces of lines are drawn once, stronger; with many runs the places on an axis
 * are rounded, so the document stays small. */
#include "draw/spread_impl.h"

#include <math.h>
#include <stdlib.h>

enum { COLOURS = 5, SHADES = 3, FINE = 1000, COARSE = 64, EXACT_RUNS = 2000 };
#define AXIS_GAP    170.0
#define AXIS_HEIGHT 330.0
#define SIDE        70.0 /* next to the first and the last axis, for names and numbers */
#define TOP         76.0 /* of the axes */
#define BOTTOM      30.0
#define TICK        4.0

static const char *const shades[SHADES] = {"few", "some", "many"};

typedef struct {
    hbg_arena *arena;
    hbg_buffer *out;
    const hbg_draw_variable *variables;
    int32_t count;
    int64_t runs;
    hbg_draw_axis *axes;
    int32_t levels; /* distinct places on an axis */
} parallel;

static double axis_x(int32_t axis) {
    return SIDE + AXIS_GAP * axis;
}

/* The place on an axis, from 0 at the foot to levels - 1; -1 if there is none. */
static int32_t level_at(const parallel *p, int32_t axis, int64_t run) {
    const hbg_draw_axis *of = &p->axes[axis];
    double value = hbg_draw_axis_clean(of, p->variables[axis].values[run]);
    if (isnan(value)) return -1;
    return (int32_t)lround((value - of->low) / (of->high - of->low) * (p->levels - 1));
}

static double level_y(const parallel *p, int32_t level) {
    return TOP + AXIS_HEIGHT - AXIS_HEIGHT * level / (p->levels - 1);
}

static int32_t colour_of(const parallel *p, int64_t run) {
    int32_t level = level_at(p, p->count - 1, run);
    return level < 0 ? -1 : level * COLOURS / p->levels;
}

/* ---- pieces between two axes --------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

/* Pieces as numbers, colour first: equal ones are adjacent once sorted. */
static int64_t gather(const parallel *p, int32_t axis, uint32_t *pieces) {
    int64_t count = 0;
    for (int64_t run = 0; run < p->runs; run++) {
        int32_t from = level_at(p, axis, run), to = level_at(p, axis + 1, run), colour = colour_of(p, run);
        if (from < 0 || to < 0 || colour < 0) continue;
        pieces[count++] = (uint32_t)((colour * p->levels + from) * p->levels + to);
    }
    qsort(pieces, (size_t)count, sizeof *pieces, by_number);
    return count;
}

static int32_t shade_of(const parallel *p, int64_t same) {
    if (p->runs <= EXACT_RUNS) return p->runs <= 100 || same > 4 ? 2 : same > 1 ? 1 : 0;
    double share = (double)same * p->levels / (double)p->runs;
    return share > 1 ? 2 : share > 0.2 ? 1 : 0;
}

static void put_pieces(const parallel *p, int32_t axis, uint32_t *pieces) {
    HBG_VEC(hbg_draw_point) points[COLOURS][SHADES] = {0};
    int64_t count = gather(p, axis, pieces), same;
    uint32_t levels = (uint32_t)p->levels;
    for (int64_t i = 0; i < count; i += same) {
        for (same = 1; i + same < count && pieces[i + same] == pieces[i];) same++;
        uint32_t to = pieces[i] % levels, from = pieces[i] / levels % levels,
                 colour = pieces[i] / levels / levels;
        int32_t shade = shade_of(p, same);
        hbg_draw_point a = {axis_x(axis), level_y(p, (int32_t)from)};
        hbg_draw_point b = {axis_x(axis + 1), level_y(p, (int32_t)to)};
        HBG_PUSH(p->arena, points[colour][shade], a);
        HBG_PUSH(p->arena, points[colour][shade], b);
    }
    for (int32_t shade = 0; shade < SHADES; shade++)
        for (int32_t colour = 0; colour < COLOURS; colour++) {
            const char *look = hbg_base_arena_print(p->arena, "run run%d %s", colour, shades[shade]);
            hbg_draw_strokes(p->out, look, points[colour][shade].items, points[colour][shade].count / 2);
        }
}

/* ---- axes ---------------------------------------------------------------------------------------------- */

static void put_axis(const parallel *p, int32_t number) {
    const hbg_draw_axis *axis = &p->axes[number];
    double x = axis_x(number);
    hbg_draw_group_begin(p->out, "coordinate", p->variables[number].name);
    hbg_draw_line(p->out, "axis", (hbg_draw_point){x, TOP}, (hbg_draw_point){x, TOP + AXIS_HEIGHT});
    for (int32_t i = 0; i < axis->ticks.count; i++) {
        double y = hbg_draw_axis_place(axis, axis->ticks.items[i].value);
        hbg_draw_line(p->out, "axis", (hbg_draw_point){x - TICK, y}, (hbg_draw_point){x, y});
        if (axis->ticks.items[i].text)
            hbg_draw_text(p->out, "tick over", (hbg_draw_point){x - TICK - 3, y + 4}, HBG_DRAW_END,
                          axis->ticks.items[i].text);
    }
    bool unit = axis->unit_text[0];
    const char *name = hbg_base_arena_print(p->arena, "%s%s%s%s", p->variables[number].name, unit ? " [" : "",
                                            axis->unit_text, unit ? "]" : "");
    double room = number == 0 || number == p->count - 1 ? 2 * SIDE - 8 : AXIS_GAP - 10;
    hbg_draw_text(p->out, "name", (hbg_draw_point){x, TOP - 14}, HBG_DRAW_MIDDLE,
                  hbg_draw_text_fit(p->arena, name, HBG_PLOT_HEADING, true, room));
    hbg_draw_group_end(p->out);
}

static void make_axis(const parallel *p, int32_t number) {
    hbg_draw_axis *axis = &p->axes[number];
    hbg_draw_range range = hbg_draw_spread_range(&p->variables[number], p->runs, 0);
    hbg_draw_axis_begin(axis, range.unit, false);
    hbg_draw_axis_include(axis, range.low);
    hbg_draw_axis_include(axis, range.high);
    hbg_draw_axis_settle(axis, 0);
    hbg_draw_axis_scale(p->arena, axis);
    hbg_draw_axis_span(axis, TOP + AXIS_HEIGHT, TOP);
    hbg_draw_axis_make_ticks(p->arena, axis, 24, false);
}

void hbg_draw_parallel(hbg_buffer *out, const char *title, const hbg_draw_variable *variables, int32_t count,
                       int64_t runs) {
    hbg_arena *arena = out->arena;
    parallel p = {arena,
                  out,
                  variables,
                  count,
                  runs,
                  HBG_NEW_ARRAY(arena, hbg_draw_axis, count),
                  runs <= EXACT_RUNS ? FINE : COARSE};
    uint32_t *pieces = HBG_NEW_ARRAY(arena, uint32_t, runs + 1);
    for (int32_t i = 0; i < count; i++) make_axis(&p, i);
    hbg_draw_spread_begin(out, 2 * SIDE + AXIS_GAP * (count - 1), TOP + AXIS_HEIGHT + BOTTOM, title);
    for (int32_t i = 0; i + 1 < count; i++) put_pieces(&p, i, pieces);
    for (int32_t i = 0; i < count; i++) put_axis(&p, i);
    hbg_draw_spread_end(out);
}
