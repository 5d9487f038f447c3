/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A series as shapes. However many samples there are, a column of pixels gets few points: the first, the
 * lowest, the highest and the last of the samples in it, in their order, so every peak is kept and the line
 * enters and leaves each column at the right place. Jumps and gaps divide the line into pieces; more than a
 * few in one column, which could not be distinguished, are joined. */
#include "draw/plot_impl.h"

#include <math.h>

#define MOST_BREAKS   2    /* jumps and gaps in one column of pixels */
#define LEAST_JUMP    0.75 /* px; less is invisible */
#define CELL          3.0  /* px: of points in one square of this side one is drawn */
#define PINNACLE_SIZE 3.0
#define PINNACLE_MORE 2.5   /* px: each ring around others is larger by this */
#define STRAIGHT      0.02  /* px: error of a line at a sample, invisible at four times the size */
#define PLACES        100.0 /* of a pixel: coarser ones would be visible as corners */
#define NEAR          0.5   /* px between two points of a path */
#define STEEP         8.0   /* where lines oscillate within few pixels every point counts */

typedef struct {
    double x, y;
    int64_t order; /* of its sample */
} placed;

typedef struct {
    hbg_buffer line, jumps, dots, rings;
    const char *look;

    double column;                      /* whose samples are being gathered */
    placed first, lowest, highest, end; /* of the column, since the last break */
    int64_t gathered;                   /* samples; 0: the four are not set */
    int breaks;                         /* in the column */

    hbg_draw_point written, pending; /* of the piece; pending is decided by the next one */
    int32_t piece_points;            /* 0, 1: only pending, 2: written as well */
    double steepest, flattest;       /* slopes from written on which all points up to pending lie */
    bool after_jump;                 /* how the piece began */
    int64_t orders;
} pen;

/* ---- pieces of a line ------------------------------------------------------------------------------- */

static void add_point(hbg_buffer *out, char command, hbg_draw_point point) {
    hbg_base_buffer_char(out, command);
    hbg_draw_number(out, point.x);
    hbg_base_buffer_char(out, ' ');
    hbg_draw_number(out, point.y);
}

/* Whether a line from the last point written to this one passes through all those between them. */
static bool is_straight_on(const pen *pen, hbg_draw_point point) {
    double dx = point.x - pen->written.x, dy = point.y - pen->written.y;
    return dx > 0 && fabs(dy) <= STEEP * dx && dy <= pen->steepest * dx && dy >= pen->flattest * dx;
}

static void narrow(pen *pen, hbg_draw_point point) {
    double dx = point.x - pen->written.x, dy = point.y - pen->written.y;
    if (!(dx > 0)) { // vertical: no straight continuation
        pen->steepest = -INFINITY;
        return;
    }
    pen->steepest = fmin(pen->steepest, (dy + STRAIGHT) / dx);
    pen->flattest = fmax(pen->flattest, (dy - STRAIGHT) / dx);
}

static void put_point(pen *pen, double x, double y) {
    hbg_draw_point point = {round(x * PLACES) / PLACES, round(y * PLACES) / PLACES};
    if (pen->piece_points == 0) {
        pen->pending = point;
        pen->piece_points = 1;
        return;
    }
    hbg_draw_point before = pen->pending;
    if (before.x == point.x && before.y == point.y) return;
    // points on a straight line are not needed
    if (pen->piece_points == 1 || !is_straight_on(pen, point)) {
        add_point(&pen->line, pen->piece_points == 1 ? 'M' : 'L', before);
        pen->written = before;
        pen->piece_points = 2;
        pen->steepest = INFINITY;
        pen->flattest = -INFINITY;
    }
    narrow(pen, point);
    pen->pending = point;
}

/* A piece of one point is a dot, except between two jumps, where a ring may be. */
static void end_piece(pen *pen, bool before_jump) {
    if (pen->piece_points == 2) add_point(&pen->line, 'L', pen->pending);
    if (pen->piece_points == 1 && !(pen->after_jump && before_jump)) {
        add_point(&pen->dots, 'M', pen->pending);
        hbg_base_buffer_text(&pen->dots, "h0");
    }
    pen->piece_points = 0;
    pen->after_jump = before_jump;
}

/* ---- columns of pixels ------------------------------------------------------------------------------ */

static void end_column(pen *pen) {
    if (pen->gathered == 0) return;
    bool down = pen->highest.order < pen->lowest.order;
    placed a = down ? pen->highest : pen->lowest, b = down ? pen->lowest : pen->highest;
    put_point(pen, pen->first.x, pen->first.y);
    put_point(pen, a.x, a.y);
    put_point(pen, b.x, b.y);
    put_point(pen, pen->end.x, pen->end.y);
    pen->gathered = 0;
}

static void add_sample(pen *pen, double x, double y) {
    if (floor(x) != pen->column) {
        end_column(pen);
        pen->column = floor(x);
        pen->breaks = 0;
    }
    placed sample = {x, y, pen->orders++};
    if (pen->gathered++ == 0) pen->first = pen->lowest = pen->highest = sample;
    if (y > pen->lowest.y) pen->lowest = sample;
    if (y < pen->highest.y) pen->highest = sample;
    pen->end = sample;
}

static void add_gap(pen *pen) {
    if (pen->breaks >= MOST_BREAKS) return;
    pen->breaks++;
    end_column(pen);
    end_piece(pen, false);
}

static void add_jump(pen *pen, double x, double from, double to) {
    if (pen->breaks >= MOST_BREAKS || fabs(to - from) < LEAST_JUMP) return;
    pen->breaks++;
    end_column(pen);
    end_piece(pen, true);
    x = round(x * PLACES) / PLACES;
    add_point(&pen->jumps, 'M', (hbg_draw_point){x, round(from * PLACES) / PLACES});
    add_point(&pen->jumps, 'L', (hbg_draw_point){x, round(to * PLACES) / PLACES});
}

/* ---- samples ---------------------------------------------------------------------------------------- */

static void draw_line(pen *pen, hbg_draw_curve *curve, const hbg_draw_series *series) {
    double before_x = -INFINITY, before_y = NAN;
    bool broken = true;
    for (int64_t i = 0; i < series->count; i++) {
        double x = hbg_draw_axis_clean(curve->x, series->x[i]);
        double y = hbg_draw_axis_clean(curve->y, series->y[i]);
        if (x < before_x) continue;
        if (isnan(x) || isnan(y)) {
            if (!broken) add_gap(pen);
            broken = true;
            continue;
        }
        hbg_draw_point at = {hbg_draw_axis_place(curve->x, x), hbg_draw_axis_place(curve->y, y)};
        if (!broken && x == before_x)
            add_jump(pen, at.x, before_y, at.y);
        else if (!broken && series->style == HBG_DRAW_STEPS)
            add_sample(pen, at.x, before_y);
        add_sample(pen, at.x, at.y);
        before_x = x;
        before_y = at.y;
        broken = false;
        curve->last = at;
    }
    end_column(pen);
    end_piece(pen, false);
}

/* Goes through all samples in their order; those that could not be distinguished from the one before are
 * skipped. */
static void draw_path(pen *pen, hbg_draw_curve *curve, const hbg_draw_series *series) {
    hbg_draw_point before = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < series->count; i++) {
        double x = hbg_draw_axis_clean(curve->x, series->x[i]);
        double y = hbg_draw_axis_clean(curve->y, series->y[i]);
        if (isnan(x) || isnan(y)) {
            end_piece(pen, false);
            continue;
        }
        hbg_draw_point at = {hbg_draw_axis_place(curve->x, x), hbg_draw_axis_place(curve->y, y)};
        bool last = i == series->count - 1, near = hypot(at.x - before.x, at.y - before.y) < NEAR;
        curve->last = at;
        if (near && !last && pen->piece_points > 0) continue;
        put_point(pen, at.x, at.y);
        before = at;
    }
    end_piece(pen, false);
}

typedef struct {
    hbg_draw_box box;
    int64_t columns, rows;
    uint8_t *taken;
} cell_grid;

static cell_grid make_grid(hbg_arena *arena, hbg_draw_box box) {
    cell_grid grid = {box, (int64_t)((box.right - box.left) / CELL) + 1,
                      (int64_t)((box.bottom - box.top) / CELL) + 1, NULL};
    grid.taken = HBG_NEW_ARRAY(arena, uint8_t, grid.columns * grid.rows);
    return grid;
}

static uint8_t *cell_at(const cell_grid *grid, hbg_draw_point at) {
    int64_t column = (int64_t)((at.x - grid->box.left) / CELL),
            row = (int64_t)((at.y - grid->box.top) / CELL);
    column = column < 0 ? 0 : column >= grid->columns ? grid->columns - 1 : column;
    row = row < 0 ? 0 : row >= grid->rows ? grid->rows - 1 : row;
    return &grid->taken[row * grid->columns + column];
}

static bool take_cell(cell_grid *grid, hbg_draw_point at) {
    uint8_t *cell = cell_at(grid, at);
    bool free = *cell == 0;
    *cell = 1;
    return free;
}

static void draw_points(pen *pen, hbg_draw_curve *curve, const hbg_draw_series *series) {
    cell_grid grid = make_grid(pen->dots.arena, curve->box);
    for (int64_t i = 0; i < series->count; i++) {
        double x = hbg_draw_axis_clean(curve->x, series->x[i]);
        double y = hbg_draw_axis_clean(curve->y, series->y[i]);
        if (isnan(x) || isnan(y)) continue;
        curve->last = (hbg_draw_point){hbg_draw_axis_place(curve->x, x), hbg_draw_axis_place(curve->y, y)};
        if (!take_cell(&grid, curve->last)) continue;
        add_point(&pen->dots, 'M', curve->last);
        hbg_base_buffer_text(&pen->dots, "h0");
    }
}

/* Unlike others it is not filled, so its inside stays visible. */
static void draw_open_ring(pen *pen, hbg_draw_point at, double size) {
    hbg_base_buffer_print(&pen->rings, "<circle class=\"%s\" style=\"fill:none\" cx=\"", pen->look);
    hbg_draw_number(&pen->rings, at.x);
    hbg_base_buffer_text(&pen->rings, "\" cy=\"");
    hbg_draw_number(&pen->rings, at.y);
    hbg_base_buffer_text(&pen->rings, "\" r=\"");
    hbg_draw_number(&pen->rings, size);
    hbg_base_buffer_text(&pen->rings, "\"/>\n");
}

/* Curves may meet at an instant: a ring at the place of others goes around them. */
static void draw_ring(pen *pen, hbg_draw_curve *curve, hbg_draw_point at) {
    cell_grid grid = {curve->box, (int64_t)((curve->box.right - curve->box.left) / CELL) + 1,
                      (int64_t)((curve->box.bottom - curve->box.top) / CELL) + 1, curve->rings};
    if (!grid.taken) grid = make_grid(pen->dots.arena, curve->box);
    curve->rings = grid.taken;
    uint8_t *others = cell_at(&grid, at);
    double size = PINNACLE_SIZE + PINNACLE_MORE * *others;
    if (*others == 0) hbg_draw_circle(&pen->rings, pen->look, at, size);
    if (*others > 0) draw_open_ring(pen, at, size);
    *others = *others < 4 ? *others + 1 : 4;
}

/* Draws the samples with one x between the first and the last, if they differ from the first. */
static void draw_instants(pen *pen, hbg_draw_curve *curve, const hbg_draw_series *series) {
    cell_grid grid = {.taken = NULL};
    double first = NAN;
    for (int64_t i = 0; i + 1 < series->count; i++) {
        double x = series->x[i],
               y = hbg_draw_axis_place(curve->y, hbg_draw_axis_clean(curve->y, series->y[i]));
        if (i == 0 || series->x[i - 1] != x) first = y;
        bool between = i > 0 && series->x[i - 1] == x && series->x[i + 1] == x;
        hbg_draw_point at = {hbg_draw_axis_place(curve->x, hbg_draw_axis_clean(curve->x, x)), y};
        if (!between || isnan(at.x) || !(fabs(y - first) >= LEAST_JUMP)) continue;
        if (!grid.taken) grid = make_grid(pen->dots.arena, curve->box);
        if (take_cell(&grid, at)) draw_ring(pen, curve, at);
    }
}

static void draw_pinnacles(pen *pen, hbg_draw_curve *curve, const hbg_draw_series *series) {
    if (!series->pinnacles) {
        if (series->style != HBG_DRAW_POINTS) draw_instants(pen, curve, series);
        return;
    }
    cell_grid grid = make_grid(pen->dots.arena, curve->box);
    for (int64_t i = 0; i < series->pinnacle_count; i++) {
        double x = hbg_draw_axis_clean(curve->x, series->pinnacles[i].x);
        double y = hbg_draw_axis_clean(curve->y, series->pinnacles[i].y);
        if (isnan(x) || isnan(y)) continue;
        hbg_draw_point at = {hbg_draw_axis_place(curve->x, x), hbg_draw_axis_place(curve->y, y)};
        if (take_cell(&grid, at)) draw_ring(pen, curve, at);
    }
}

/* ---- shapes ----------------------------------------------------------------------------------------- */

static void add_path(hbg_buffer *out, const char *class_name, const char *look, const hbg_buffer *path) {
    if (path->size == 0) return;
    hbg_base_buffer_print(out, "<path class=\"%s %s\" d=\"", class_name, look);
    hbg_base_buffer_add(out, path->data, path->size);
    hbg_base_buffer_text(out, "\"/>\n");
}

void hbg_draw_curve_paint(hbg_buffer *out, hbg_draw_curve *curve, const hbg_draw_series *series,
                          const char *look) {
    pen pen = {.column = -1};
    pen.look = hbg_base_arena_print(out->arena, "ring %s", look);
    hbg_base_buffer_init(&pen.line, out->arena);
    hbg_base_buffer_init(&pen.jumps, out->arena);
    hbg_base_buffer_init(&pen.dots, out->arena);
    hbg_base_buffer_init(&pen.rings, out->arena);
    curve->last = (hbg_draw_point){NAN, NAN};
    if (series->style == HBG_DRAW_POINTS)
        draw_points(&pen, curve, series);
    else if (series->style == HBG_DRAW_PATH)
        draw_path(&pen, curve, series);
    else
        draw_line(&pen, curve, series);
    if (series->style != HBG_DRAW_PATH) draw_pinnacles(&pen, curve, series);
    add_path(out, "jump", look, &pen.jumps);
    add_path(out, "curve", look, &pen.line);
    add_path(out, "dots", look, &pen.dots);
    if (pen.rings.size > 0) hbg_base_buffer_add(out, pen.rings.data, pen.rings.size);
}
