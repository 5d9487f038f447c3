/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A frame over two variables: the place of a point, round numbers along both axes, their labels. The areas
 * inside are those of map_area.c. */
#include "draw/plot_impl.h"

#define TICK_GAP   12.0 /* px between numbers */
#define TICK_SIZE  4.0
#define LABEL_SIZE 11.0
#define NAME_SIZE  12.0

hbg_draw_point hbg_draw_map_place(const hbg_draw_map *map, double x, double y) {
    const hbg_draw_box *box = &map->box;
    double across = (x - map->x.low) / (map->x.high - map->x.low);
    double up = (y - map->y.low) / (map->y.high - map->y.low);
    return (hbg_draw_point){box->left + across * (box->right - box->left),
                            box->bottom - up * (box->bottom - box->top)};
}

static hbg_draw_axis make_axis(hbg_arena *arena, hbg_draw_range range, double start, double end,
                               bool horizontal) {
    hbg_draw_axis axis;
    hbg_draw_axis_begin(&axis, range.unit, false);
    hbg_draw_axis_include(&axis, range.low);
    hbg_draw_axis_include(&axis, range.high);
    hbg_draw_axis_settle(&axis, 0);
    hbg_draw_axis_scale(arena, &axis);
    hbg_draw_axis_span(&axis, start, end);
    hbg_draw_axis_make_ticks(arena, &axis, TICK_GAP, horizontal);
    return axis;
}

static const char *label_of(hbg_arena *arena, const hbg_draw_range *range, const hbg_draw_axis *axis) {
    bool unit = axis->unit_text[0];
    return hbg_base_arena_print(arena, "%s%s%s%s", range->label, unit ? " [" : "", axis->unit_text,
                                unit ? "]" : "");
}

static void put_across(hbg_arena *arena, hbg_buffer *out, const hbg_draw_map *map) {
    const hbg_draw_box *box = &map->box;
    hbg_draw_axis axis = make_axis(arena, map->x, box->left, box->right, true);
    for (int32_t i = 0; i < axis.ticks.count; i++) {
        double x = hbg_draw_axis_place(&axis, axis.ticks.items[i].value);
        double top = axis.ticks.items[i].value == 0 ? box->top : box->bottom;
        hbg_draw_line(out, "grid", (hbg_draw_point){x, top}, (hbg_draw_point){x, box->bottom + TICK_SIZE});
        hbg_draw_text(out, "tick", (hbg_draw_point){x, box->bottom + 15}, HBG_DRAW_MIDDLE,
                      axis.ticks.items[i].text);
    }
    const char *label =
        hbg_draw_text_fit(arena, label_of(arena, &map->x, &axis), LABEL_SIZE, false, box->right - box->left);
    hbg_draw_text(out, "label", (hbg_draw_point){box->right, box->bottom + 30}, HBG_DRAW_END, label);
}

static void put_up(hbg_arena *arena, hbg_buffer *out, const hbg_draw_map *map) {
    const hbg_draw_box *box = &map->box;
    hbg_draw_axis axis = make_axis(arena, map->y, box->bottom, box->top, false);
    for (int32_t i = 0; i < axis.ticks.count; i++) {
        double y = hbg_draw_axis_place(&axis, axis.ticks.items[i].value);
        double right = axis.ticks.items[i].value == 0 ? box->right : box->left;
        hbg_draw_line(out, "grid", (hbg_draw_point){box->left - TICK_SIZE, y}, (hbg_draw_point){right, y});
        hbg_draw_text(out, "tick", (hbg_draw_point){box->left - TICK_SIZE - 3, y + 4}, HBG_DRAW_END,
                      axis.ticks.items[i].text);
    }
    double left = box->left - HBG_DRAW_MAP_LEFT + 6;
    const char *label =
        hbg_draw_text_fit(arena, label_of(arena, &map->y, &axis), LABEL_SIZE, false, box->right - left);
    hbg_draw_text(out, "label", (hbg_draw_point){left, box->top - 8}, HBG_DRAW_START, label);
}

void hbg_draw_map_frame(hbg_arena *arena, hbg_buffer *out, const hbg_draw_map *map) {
    put_across(arena, out, map);
    put_up(arena, out, map);
    hbg_draw_rect(out, "frame", map->box, 0);
    double left = map->box.left - HBG_DRAW_MAP_LEFT + 6;
    const char *name = hbg_draw_text_fit(arena, map->name, NAME_SIZE, true, map->box.right - left);
    hbg_draw_text(out, "name", (hbg_draw_point){left, map->box.top - 24}, HBG_DRAW_START, name);
}
