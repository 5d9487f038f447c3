/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Areas of a map as polygons. The frame is scanned line by line; a line is a sequence of stretches, each of
 * one kind, whose ends are found by bisection. As long as the sequence stays the same, its stretches continue
 * as bands from line to line; where it changes, the height of the change is found by bisection, and new bands
 * begin. Collinear points are left out, so straight borders have two. */
#include "draw/draw.h"

#include <math.h>

enum { LINES = 200, COLUMNS = 260, HALVINGS = 22, HEIGHT_HALVINGS = 14, MOST_ENDS = 264, MOST_CHANGES = 8 };
#define STRAIGHT 0.08    /* px: tolerance of a collinear point */
#define STEP     0.02    /* of the width: an end that moves further between two lines may have jumped */
#define INSIDE   1e-4    /* of the frame: borders of the range itself are left alone */
#define LOOKS    4000000 /* evaluations, after which nothing is bisected: borders are everywhere */

typedef struct {
    int32_t count;
    int32_t kind[MOST_ENDS];
    double end[MOST_ENDS]; /* right end of the stretch, as a share of the width */
} scan_line;

typedef struct {
    hbg_arena *arena;
    hbg_buffer *out;
    const hbg_draw_map *map;
    hbg_draw_kind kind_at;
    void *context;
    const char *const *classes;
    HBG_VEC(scan_line) lines; /* of the open bands */
    HBG_VEC(double) heights;  /* of them, as shares from the top */
    int64_t looks;
} area_scan;

static int32_t look(area_scan *s, double across, double down) {
    const hbg_draw_range *x = &s->map->x, *y = &s->map->y;
    s->looks++;
    return s->kind_at(s->context, x->low + (x->high - x->low) * across, y->high - (y->high - y->low) * down);
}

/* ---- one line --------------------------------------------------------------------------------------- */

static void add_end(scan_line *line, int32_t kind, double end) {
    bool same = line->count > 0 && line->kind[line->count - 1] == kind;
    bool full = line->count == MOST_ENDS; // finer than visible
    if (!same && !full) line->kind[line->count++] = kind;
    line->end[line->count - 1] = end;
}

/* All changes between two places of a line, from the left. */
static void find_ends(area_scan *s, double down, double from, double to, int32_t last, scan_line *line) {
    int32_t kind = line->kind[line->count - 1];
    for (int i = 0; i < MOST_CHANGES && kind != last; i++) {
        double low = from, high = to;
        int32_t found = last;
        for (int k = 0; k < HALVINGS && s->looks < LOOKS; k++) {
            double middle = (low + high) / 2;
            int32_t there = look(s, middle, down);
            if (there == kind) {
                low = middle;
            } else {
                high = middle;
                found = there;
            }
        }
        add_end(line, kind, high);
        kind = found;
        from = high;
        add_end(line, kind, high);
    }
    add_end(line, last, to);
}

static scan_line scan(area_scan *s, double down) {
    scan_line line = {0};
    double before = INSIDE;
    add_end(&line, look(s, INSIDE, down), INSIDE);
    for (int i = 1; i <= COLUMNS; i++) {
        // a little off round numbers, where borders often are
        double across = i == COLUMNS ? 1 - INSIDE : (i + 0.37) / (COLUMNS + 0.41);
        find_ends(s, down, before, across, look(s, across, down), &line);
        before = across;
    }
    line.end[line.count - 1] = 1;
    return line;
}

static bool is_alike(const scan_line *a, const scan_line *b) {
    if (a->count != b->count) return false;
    for (int32_t i = 0; i < a->count; i++)
        if (a->kind[i] != b->kind[i]) return false;
    return true;
}

/* Whether a line is more like the first of two than like the second. */
static bool is_of_first(const scan_line *line, const scan_line *first, const scan_line *second) {
    if (!is_alike(line, first)) return false;
    if (!is_alike(first, second)) return true;
    for (int32_t i = 0; i < line->count; i++)
        if (fabs(line->end[i] - first->end[i]) > fabs(line->end[i] - second->end[i])) return false;
    return true;
}

/* Whether the end of a stretch jumps, instead of moving gradually, between two lines with equal sequences. */
static bool jumps(area_scan *s, const scan_line *a, double from, const scan_line *b, double to) {
    double most = 0;
    for (int32_t i = 0; i < a->count; i++) most = fmax(most, fabs(a->end[i] - b->end[i]));
    if (most < STEP) return false;
    scan_line middle = scan(s, (from + to) / 2);
    if (!is_alike(&middle, a)) return true;
    for (int32_t i = 0; i < a->count; i++) {
        double share = (middle.end[i] - a->end[i]) / (b->end[i] - a->end[i]);
        if (fabs(a->end[i] - b->end[i]) >= STEP && (share < 0.1 || share > 0.9)) return true;
    }
    return false;
}

/* ---- bands ------------------------------------------------------------------------------------------ */

typedef HBG_VEC(hbg_draw_point) point_list;

static double distance(hbg_draw_point p, hbg_draw_point a, hbg_draw_point b) {
    double length = hypot(b.x - a.x, b.y - a.y);
    if (length == 0) return hypot(p.x - a.x, p.y - a.y);
    return fabs((b.x - a.x) * (a.y - p.y) - (a.x - p.x) * (b.y - a.y)) / length;
}

/* Adds the points of a border, without collinear ones. */
static void add_border(const area_scan *s, const hbg_draw_point *points, int32_t count, point_list *into) {
    int32_t from = 0;
    HBG_PUSH(s->arena, *into, points[0]);
    for (int32_t to = 2; to < count; to++) {
        bool straight = true;
        for (int32_t i = from + 1; i < to && straight; i++)
            straight = distance(points[i], points[from], points[to]) <= STRAIGHT;
        if (straight) continue;
        from = to - 1;
        HBG_PUSH(s->arena, *into, points[from]);
    }
    if (count > 1) HBG_PUSH(s->arena, *into, points[count - 1]);
}

static hbg_draw_point point_at(const area_scan *s, double across, double down) {
    const hbg_draw_box *box = &s->map->box;
    return (hbg_draw_point){box->left + across * (box->right - box->left),
                            box->top + down * (box->bottom - box->top)};
}

static void put_band(const area_scan *s, int32_t stretch) {
    int32_t count = s->lines.count;
    hbg_draw_point *border = HBG_NEW_ARRAY(s->arena, hbg_draw_point, count + 1);
    point_list outline = {0};
    for (int32_t i = 0; i < count; i++)
        border[i] = point_at(s, stretch > 0 ? s->lines.items[i].end[stretch - 1] : 0, s->heights.items[i]);
    add_border(s, border, count, &outline);
    for (int32_t i = 0; i < count; i++)
        border[i] = point_at(s, s->lines.items[count - 1 - i].end[stretch], s->heights.items[count - 1 - i]);
    add_border(s, border, count, &outline);
    HBG_PUSH(s->arena, outline, outline.items[0]);
    hbg_draw_polyline(s->out, s->classes[s->lines.items[0].kind[stretch]], outline.items, outline.count);
}

static void add_line(area_scan *s, const scan_line *line, double height) {
    HBG_PUSH(s->arena, s->lines, *line);
    HBG_PUSH(s->arena, s->heights, height);
}

/* Ends the open bands there. */
static void end_bands(area_scan *s, double height) {
    scan_line last = s->lines.items[s->lines.count - 1];
    if (height > s->heights.items[s->heights.count - 1]) add_line(s, &last, height);
    for (int32_t i = 0; i < last.count; i++)
        if (last.kind[i] != 0) put_band(s, i);
    s->lines.count = s->heights.count = 0;
}

/* From the last line of the bands to one below, through all changes between them. */
static void go_on(area_scan *s, const scan_line *next, double height) {
    for (int i = 0; i < MOST_CHANGES && s->looks < LOOKS; i++) {
        const scan_line first = s->lines.items[s->lines.count - 1];
        scan_line last = first, below = *next;
        double low = s->heights.items[s->heights.count - 1], high = height;
        if (is_alike(&first, next) && !jumps(s, &first, low, next, high)) break;
        for (int k = 0; k < HEIGHT_HALVINGS; k++) {
            double middle = (low + high) / 2;
            scan_line there = scan(s, middle);
            bool above = is_of_first(&there, &first, next);
            *(above ? &low : &high) = middle;
            *(above ? &last : &below) = there;
        }
        add_line(s, &last, low);
        end_bands(s, high);
        add_line(s, &below, high);
    }
    if (!is_alike(&s->lines.items[s->lines.count - 1], next)) end_bands(s, height);
    add_line(s, next, height);
}

void hbg_draw_map_areas(hbg_arena *arena, hbg_buffer *out, const hbg_draw_map *map, hbg_draw_kind kind_at,
                        void *context, const char *const *classes) {
    area_scan s = {
        .arena = arena, .out = out, .map = map, .kind_at = kind_at, .context = context, .classes = classes};
    scan_line first = scan(&s, INSIDE);
    add_line(&s, &first, 0);
    for (int i = 1; i <= LINES; i++) {
        double down = i == LINES ? 1 - INSIDE : (i + 0.29) / (LINES + 0.37);
        scan_line next = scan(&s, down);
        go_on(&s, &next, i == LINES ? 1 : down);
    }
    end_bands(&s, 1);
}
