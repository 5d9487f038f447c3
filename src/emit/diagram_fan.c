/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The layout program lets all bonds of one side of a node start at the same point, and may lead them along
 * the same line. Here each gets its own height, in the order in which they turn up or down, so they open like
 * a fan and do not cross where they meet. Bonds between the same two elements are numbered, to be drawn side
 * by side. */
#include "emit/diagram_route_impl.h"

#include <math.h>
#include <stdlib.h>

#define STEP     13.0 /* between neighbours: more than a causal stroke is long, */
#define REACH    26.0 /* but at most this far up or down: there the rows of hanging elements begin */
#define LEVEL    2.0
#define STRAIGHT 0.02 /* an angle */

typedef struct {
    int32_t thing;
    int32_t bond;
    bool tail;  /* the end of the bond that is here */
    bool right; /* the side of the thing */
    double angle;
} arm;

/* The direction of the route where it leaves its first level: an angle, growing downwards. */
static double turning(const hbg_draw_point *points, int32_t count, int32_t step) {
    hbg_draw_point start = points[0];
    for (int32_t i = 1; i < count; i++) {
        hbg_draw_point point = points[i * step];
        if (fabs(point.y - start.y) < LEVEL && i + 1 < count) continue;
        return atan2(point.y - start.y, fabs(point.x - start.x));
    }
    return 0;
}

static int compare_arms(const void *a, const void *b) {
    const arm *x = a, *y = b;
    if (x->thing != y->thing) return x->thing < y->thing ? -1 : 1;
    if (x->right != y->right) return x->right ? -1 : 1;
    if (x->angle != y->angle) return x->angle < y->angle ? -1 : 1;
    return x->bond < y->bond ? -1 : x->bond > y->bond;
}

/* Heights around the arm that goes straight on, if there is one, else around the middle. */
static void spread(hbg_diagram *diagram, const arm *arms, int32_t count, const hbg_diagram_symbol *symbol) {
    double step = count > 1 ? fmin(STEP, 2 * REACH / (count - 1)) : 0;
    double middle = (count - 1) / 2.0;
    if (symbol->is_box) step = fmin(HBG_DIAGRAM_PORT_ROW, symbol->rows * HBG_DIAGRAM_PORT_ROW / count);
    for (int32_t i = 0; i < count && !symbol->is_box; i++)
        if (fabs(arms[i].angle) < STRAIGHT) middle = i;
    for (int32_t i = 0; i < count; i++) {
        double shift = (i - middle) * step;
        if (arms[i].tail)
            diagram->bonds[arms[i].bond].tail_shift = shift;
        else
            diagram->bonds[arms[i].bond].tip_shift = shift;
    }
}

/* Numbers the bonds between the same two elements, so that they can be drawn side by side. */
static void find_parallel(hbg_diagram *diagram) {
    hbg_pair_map first;
    hbg_base_pair_map_init(&first, diagram->arena);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < diagram->link_count; i++) {
            int32_t a = diagram->links[i].from, b = diagram->links[i].to;
            if (diagram->symbols[a].is_box || diagram->symbols[b].is_box) {
                diagram->bonds[i].parallel_count = 1; /* ports keep them apart */
                continue;
            }
            int32_t leader = hbg_base_pair_map_add(&first, a < b ? a : b, a < b ? b : a, i);
            if (pass == 0)
                diagram->bonds[i].parallel = diagram->bonds[leader].parallel_count++;
            else
                diagram->bonds[i].parallel_count = diagram->bonds[leader].parallel_count;
        }
    }
}

/* A bond without a route comes from its other end; only ports have sides then. */
static void aim_straight(hbg_diagram *diagram, int32_t index, arm *arms, int32_t *count) {
    const hbg_diagram_link *link = &diagram->links[index];
    hbg_diagram_bond *bond = &diagram->bonds[index];
    const hbg_diagram_symbol *tail = &diagram->symbols[link->from], *tip = &diagram->symbols[link->to];
    double dx = tip->at.x - tail->at.x, dy = tip->at.y - tail->at.y;
    bond->tail_right = dx >= 0;
    bond->tip_right = dx < 0;
    if (tail->is_box)
        arms[(*count)++] = (arm){link->from, index, true, bond->tail_right, atan2(dy, fabs(dx))};
    if (tip->is_box) arms[(*count)++] = (arm){link->to, index, false, bond->tip_right, atan2(-dy, fabs(dx))};
}

void hbg_emit_diagram_fan(hbg_diagram *diagram) {
    find_parallel(diagram);
    const hbg_draw_layout *layout = &diagram->layout;
    arm *arms = HBG_NEW_ARRAY(diagram->arena, arm, 2 * (size_t)layout->edge_count + 1);
    int32_t count = 0;
    for (int32_t i = 0; i < diagram->link_count; i++) {
        if (diagram->bonds[i].edge < 0) continue;
        const hbg_draw_edge *edge = &layout->edges[diagram->bonds[i].edge];
        const hbg_draw_point *points = layout->points.items + edge->first_point;
        int32_t last = edge->point_count - 1;
        const hbg_diagram_link *link = &diagram->links[i];
        hbg_diagram_bond *bond = &diagram->bonds[i];
        bond->tail_right = !bond->turned;
        bond->tip_right = bond->turned;
        double start = turning(points, edge->point_count, 1),
               end = turning(points + last, edge->point_count, -1);
        if (bond->straight) {
            aim_straight(diagram, i, arms, &count);
            continue;
        }
        arms[count++] = (arm){link->from, i, true, bond->tail_right, bond->turned ? end : start};
        arms[count++] = (arm){link->to, i, false, bond->tip_right, bond->turned ? start : end};
    }
    qsort(arms, (size_t)count, sizeof *arms, compare_arms);
    for (int32_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count; end++)
            if (arms[end].thing != arms[start].thing || arms[end].right != arms[start].right) break;
        spread(diagram, arms + start, end - start, &diagram->symbols[arms[start].thing]);
    }
}
