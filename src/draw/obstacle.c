/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Boxes that lines and labels must avoid, in a uniform grid. A box is in the chain of every cell it touches;
 * a query walks the cells that its own bounding box touches. Both are clamped to the grid, so boxes outside
 * meet in the cells at the border. */
#include "draw/draw.h"

#include <math.h>

#define CELL       80.0  /* about the size of a node with its text */
#define MOST_CELLS 65536 /* of one grid: a larger area gets larger cells */
#define LARGE      64    /* cells that a box may be entered in */

typedef struct {
    int32_t left, top, right, bottom; /* cells, inclusive */
} cell_range;

void hbg_draw_obstacles_init(hbg_draw_obstacles *obstacles, hbg_arena *arena, hbg_draw_box area) {
    *obstacles = (hbg_draw_obstacles){.arena = arena, .area = area};
    double width = fmax(area.right - area.left, 1), height = fmax(area.bottom - area.top, 1);
    obstacles->cell = fmax(CELL, sqrt(width / MOST_CELLS * height));
    obstacles->columns = (int32_t)fmin(width / obstacles->cell, MOST_CELLS - 1) + 1;
    obstacles->rows = (int32_t)fmin(height / obstacles->cell, MOST_CELLS - 1) + 1;
    int32_t count = obstacles->columns * obstacles->rows;
    obstacles->cells = HBG_NEW_ARRAY(arena, int32_t, count);
    for (int32_t i = 0; i < count; i++) obstacles->cells[i] = -1;
}

static int32_t clamp_cell(double position, double cell, int32_t count) {
    return (int32_t)fmax(0, fmin(position / cell, count - 1));
}

static cell_range range_of(const hbg_draw_obstacles *obstacles, hbg_draw_box box) {
    const hbg_draw_box *area = &obstacles->area;
    return (cell_range){clamp_cell(box.left - area->left, obstacles->cell, obstacles->columns),
                        clamp_cell(box.top - area->top, obstacles->cell, obstacles->rows),
                        clamp_cell(box.right - area->left, obstacles->cell, obstacles->columns),
                        clamp_cell(box.bottom - area->top, obstacles->cell, obstacles->rows)};
}

void hbg_draw_obstacles_add(hbg_draw_obstacles *obstacles, hbg_draw_box box, int32_t owner) {
    int32_t index = obstacles->items.count;
    HBG_PUSH(obstacles->arena, obstacles->items, (hbg_draw_obstacle){box, owner});
    cell_range range = range_of(obstacles, box);
    if ((int64_t)(range.right - range.left + 1) * (range.bottom - range.top + 1) > LARGE) {
        HBG_PUSH(obstacles->arena, obstacles->large, index);
        return;
    }
    for (int32_t row = range.top; row <= range.bottom; row++) {
        for (int32_t column = range.left; column <= range.right; column++) {
            int32_t *cell = &obstacles->cells[row * obstacles->columns + column];
            HBG_PUSH(obstacles->arena, obstacles->next, *cell);
            HBG_PUSH(obstacles->arena, obstacles->item, index);
            *cell = obstacles->item.count - 1;
        }
    }
}

/* ---- queries --------------------------------------------------------------------------------------- */

typedef struct {
    bool is_line;
    hbg_draw_point a, b;     /* of a line */
    hbg_draw_box box;        /* around it, or the box of the query */
    int32_t except, except2; /* owners */
    const hbg_draw_obstacle *first;
    double at; /* where a line meets the first, as a fraction of it */
} question;

static void look_at(question *question, const hbg_draw_obstacle *obstacle) {
    if (obstacle->owner == question->except || obstacle->owner == question->except2) return;
    double at = 2;
    if (question->is_line)
        at = hbg_draw_box_enter(obstacle->box, question->a, question->b);
    else if (hbg_draw_box_overlap(obstacle->box, question->box))
        at = 0;
    if (at > 1) return;
    /* at equal distance: the one entered first, whatever the order of cells */
    bool nearer = !question->first || at < question->at || (at == question->at && obstacle < question->first);
    if (nearer) {
        question->first = obstacle;
        question->at = at;
    }
}

static void look_everywhere(const hbg_draw_obstacles *obstacles, question *question) {
    for (int32_t i = 0; i < obstacles->large.count; i++)
        look_at(question, &obstacles->items.items[obstacles->large.items[i]]);
    cell_range range = range_of(obstacles, question->box);
    for (int32_t row = range.top; row <= range.bottom; row++) {
        for (int32_t column = range.left; column <= range.right; column++) {
            int32_t entry = obstacles->cells[row * obstacles->columns + column];
            for (; entry >= 0; entry = obstacles->next.items[entry])
                look_at(question, &obstacles->items.items[obstacles->item.items[entry]]);
        }
    }
}

const hbg_draw_obstacle *hbg_draw_obstacles_first(const hbg_draw_obstacles *obstacles, hbg_draw_point a,
                                                  hbg_draw_point b, int32_t except, int32_t except2) {
    question question = {.is_line = true, .a = a, .b = b, .except = except, .except2 = except2};
    question.box = (hbg_draw_box){fmin(a.x, b.x), fmin(a.y, b.y), fmax(a.x, b.x), fmax(a.y, b.y)};
    look_everywhere(obstacles, &question);
    return question.first;
}

bool hbg_draw_obstacles_box_free(const hbg_draw_obstacles *obstacles, hbg_draw_box box) {
    question question = {.box = box, .except = INT32_MIN, .except2 = INT32_MIN};
    look_everywhere(obstacles, &question);
    return question.first == NULL;
}
