/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bonds as lines. A half arrow looks best on a straight bond, so each is drawn straight from anchor to anchor
 * if no text and no foreign component is in the way. If something is, the route of the layout program is
 * taken, which goes round all nodes, and its corners are cut as far as the way stays free: the taut string
 * through the route. Lines end where they meet the boxes of their own two symbols. */
#include "emit/diagram_route_impl.h"

#include <math.h>

#define CLEARANCE     4.0  /* between a bond and foreign text */
#define END_GAP       4.5  /* between the end of a bond and its own symbol */
#define PARALLEL_GAP  13.0 /* between bonds that join the same two elements */
#define MOST_PARALLEL 2.5  /* of these gaps away from the middle: further ones share the last */
#define LEVEL         2.0  /* points of a route within this are on one level */
#define LOOP          26.0 /* size of a bond from an element to itself */

/* ---- obstacles ------------------------------------------------------------------------------------------
 */

static void add_symbol(hbg_diagram_router *router, int32_t index) {
    const hbg_diagram_symbol *symbol = &router->diagram->symbols[index];
    hbg_draw_box boxes[2] = {symbol->glyph, symbol->text};
    for (int k = 0; k < 2; k++) {
        if (boxes[k].right < boxes[k].left) continue;
        hbg_draw_box box = hbg_draw_box_move(boxes[k], symbol->at.x, symbol->at.y);
        hbg_draw_obstacles_add(&router->texts, hbg_draw_box_grow(box, CLEARANCE), index);
    }
}

/* The bonds of hanging elements are in the way of others, but not of those that meet them at the junction. */
static void add_hanging(hbg_diagram_router *router, int32_t index) {
    const hbg_diagram_symbol *symbol = &router->diagram->symbols[index];
    const hbg_diagram_symbol *host = &router->diagram->symbols[symbol->host];
    if (symbol->host != index) hbg_diagram_add_line(&router->texts, host->at, symbol->at, 2, symbol->host);
}

static void add_captions(hbg_diagram_router *router) {
    const hbg_draw_layout *layout = &router->diagram->layout;
    for (int32_t i = 0; i < layout->cluster_count; i++)
        if (layout->clusters[i].box.right > layout->clusters[i].box.left)
            hbg_draw_obstacles_add(&router->texts, hbg_diagram_caption_box(router->diagram, i), HBG_NONE);
}

void hbg_diagram_add_line(hbg_draw_obstacles *obstacles, hbg_draw_point a, hbg_draw_point b, double half,
                          int32_t owner) {
    double length = hypot(b.x - a.x, b.y - a.y);
    int pieces = (int)fmin(fmax(length / 4, 1), 4096);
    /* along an axis one box is exact */
    if (a.x == b.x || a.y == b.y) pieces = 1;
    for (int i = 0; i < pieces; i++) {
        double s = (double)i / pieces, t = (double)(i + 1) / pieces;
        hbg_draw_point p = {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
        hbg_draw_point q = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        hbg_draw_box box = {fmin(p.x, q.x), fmin(p.y, q.y), fmax(p.x, q.x), fmax(p.y, q.y)};
        hbg_draw_obstacles_add(obstacles, hbg_draw_box_grow(box, half), owner);
    }
}

/* Whether the cluster holds the scope. */
static bool holds(const hbg_diagram *diagram, int32_t cluster, int32_t scope) {
    int32_t at = diagram->cluster_of_scope[scope];
    while (at > cluster) at = diagram->layout.clusters[at].parent;
    return at == cluster;
}

static bool clusters_free(const hbg_diagram *diagram, hbg_draw_point a, hbg_draw_point b,
                          const hbg_bond *bond) {
    const hbg_draw_layout *layout = &diagram->layout;
    for (int32_t i = 0; i < layout->cluster_count; i++) {
        if (hbg_draw_box_enter(layout->clusters[i].box, a, b) > 1) continue;
        if (holds(diagram, i, diagram->model->elements.items[bond->from.element].id.scope)) continue;
        if (!holds(diagram, i, diagram->model->elements.items[bond->to.element].id.scope)) return false;
    }
    return true;
}

static bool way_free(const hbg_diagram_router *router, hbg_draw_point a, hbg_draw_point b,
                     const hbg_bond *bond) {
    return hbg_draw_obstacles_line_free(&router->texts, a, b, bond->from.element, bond->to.element) &&
           clusters_free(router->diagram, a, b, bond);
}

/* ---- parallel bonds -------------------------------------------------------------------------------------
 */

/* Numbers the bonds between the same two elements, so that they can be drawn side by side. */
static void find_parallel(hbg_diagram *diagram) {
    const hbg_model *model = diagram->model;
    hbg_pair_map first;
    hbg_pair_map_init(&first, diagram->arena);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < model->bonds.count; i++) {
            int32_t a = model->bonds.items[i].from.element, b = model->bonds.items[i].to.element;
            int32_t leader = hbg_pair_map_add(&first, a < b ? a : b, a < b ? b : a, i);
            if (pass == 0)
                diagram->bonds[i].parallel = diagram->bonds[leader].parallel_count++;
            else
                diagram->bonds[i].parallel_count = diagram->bonds[leader].parallel_count;
        }
    }
}

/* How far this bond is moved sideways, seen from the lower to the higher element number. */
static hbg_draw_point sideways(const hbg_diagram *diagram, const hbg_bond *bond,
                               const hbg_diagram_bond *drawn) {
    double steps = drawn->parallel - (drawn->parallel_count - 1) / 2.0;
    steps = fmax(-MOST_PARALLEL, fmin(steps, MOST_PARALLEL)) * PARALLEL_GAP;
    bool up = bond->from.element < bond->to.element;
    hbg_draw_point a = diagram->symbols[up ? bond->from.element : bond->to.element].at;
    hbg_draw_point b = diagram->symbols[up ? bond->to.element : bond->from.element].at;
    double length = fmax(hypot(b.x - a.x, b.y - a.y), 1);
    return (hbg_draw_point){-(b.y - a.y) / length * steps, (b.x - a.x) / length * steps};
}

/* ---- lines ----------------------------------------------------------------------------------------------
 */

static void reverse(hbg_draw_point *points, int32_t count) {
    for (int32_t i = 0, k = count - 1; i < k; i++, k--) {
        hbg_draw_point point = points[i];
        points[i] = points[k];
        points[k] = point;
    }
}

/* Moves the points that lie level with the first one up or down by `shift`. */
static void shift_start(hbg_draw_point *points, int32_t count, double shift) {
    double level = points[0].y;
    for (int32_t i = 0; i < count && fabs(points[i].y - level) < LEVEL; i++) points[i].y += shift;
}

/* The layout's route with its ends spread, from the left to the right; false if that would hit something. */
static bool spread_route(hbg_diagram_router *router, hbg_draw_point *points, int32_t count, int32_t index) {
    const hbg_diagram_bond *drawn = &router->diagram->bonds[index];
    const hbg_bond *bond = &router->diagram->model->bonds.items[index];
    bool level = true;
    for (int32_t i = 1; i < count; i++) level = level && fabs(points[i].y - points[0].y) < LEVEL;
    if (level) return true;
    shift_start(points, count, drawn->out_shift);
    reverse(points, count);
    shift_start(points, count, drawn->in_shift);
    reverse(points, count);
    for (int32_t i = 0; i + 1 < count; i++)
        if (!way_free(router, points[i], points[i + 1], bond)) return false;
    return true;
}

/* Anchor, the layout's route, anchor: a way that is known to be free, from the tail to the tip. */
static void full_route(hbg_diagram_router *router, int32_t index) {
    const hbg_diagram *diagram = router->diagram;
    const hbg_bond *bond = &diagram->model->bonds.items[index];
    const hbg_diagram_bond *drawn = &diagram->bonds[index];
    hbg_draw_point shift = sideways(diagram, bond, drawn);
    hbg_draw_point from = diagram->symbols[bond->from.element].at, to = diagram->symbols[bond->to.element].at;
    router->way.count = 0;
    HBG_PUSH(diagram->arena, router->way, (hbg_draw_point){from.x + shift.x, from.y + shift.y});
    if (drawn->edge >= 0) {
        const hbg_draw_edge *edge = &diagram->layout.edges[drawn->edge];
        const hbg_draw_point *points = diagram->layout.points.items + edge->first_point;
        for (int32_t i = 0; i < edge->point_count; i++) HBG_PUSH(diagram->arena, router->way, points[i]);
        hbg_draw_point *copy = router->way.items + 1;
        if (!spread_route(router, copy, edge->point_count, index))
            for (int32_t i = 0; i < edge->point_count; i++) copy[i] = points[i];
        if (drawn->turned) reverse(copy, edge->point_count);
    }
    HBG_PUSH(diagram->arena, router->way, (hbg_draw_point){to.x + shift.x, to.y + shift.y});
}

/* Keeps only the corners that are needed: from each kept one, the furthest that can be reached straight. */
static void pull_taut(hbg_diagram_router *router, const hbg_bond *bond) {
    int32_t kept = 1;
    for (int32_t at = 0; at < router->way.count - 1;) {
        int32_t next = router->way.count - 1;
        while (next > at + 1 && !way_free(router, router->way.items[at], router->way.items[next], bond))
            next--;
        at = next;
        /* the place written is never beyond the one read */
        router->way.items[kept++] = router->way.items[at];
    }
    router->way.count = kept;
}

/* The first place on the way from outside towards the anchor that touches the symbol, as a fraction. */
static double meet(const hbg_diagram_symbol *symbol, hbg_draw_point outside, hbg_draw_point inside) {
    hbg_draw_box boxes[2] = {symbol->glyph, symbol->text};
    double first = 2;
    for (int k = 0; k < 2; k++) {
        if (boxes[k].right < boxes[k].left) continue;
        hbg_draw_box box =
            hbg_draw_box_grow(hbg_draw_box_move(boxes[k], symbol->at.x, symbol->at.y), END_GAP);
        first = fmin(first, hbg_draw_box_enter(box, outside, inside));
    }
    return first;
}

static hbg_draw_point between(hbg_draw_point a, hbg_draw_point b, double fraction) {
    return (hbg_draw_point){a.x + fraction * (b.x - a.x), a.y + fraction * (b.y - a.y)};
}

/* Cuts off what lies inside the symbol at the end of `points`; how many points are left (at least two). */
static int32_t cut_end(hbg_draw_point *points, int32_t count, const hbg_diagram_symbol *symbol) {
    while (count > 2 && meet(symbol, points[count - 2], points[count - 1]) == 0) count--;
    double fraction = meet(symbol, points[count - 2], points[count - 1]);
    if (fraction > 0 && fraction <= 1)
        points[count - 1] = between(points[count - 2], points[count - 1], fraction);
    return count;
}

/* A bond from an element to itself: a small corner below it. */
static void make_loop(hbg_diagram_router *router, const hbg_diagram_symbol *symbol) {
    router->way.count = 0;
    hbg_draw_point corners[] = {{-LOOP / 2, 0}, {-LOOP / 2, LOOP}, {LOOP / 2, LOOP}, {LOOP / 2, 0}};
    for (int i = 0; i < 4; i++)
        HBG_PUSH(router->diagram->arena, router->way,
                 (hbg_draw_point){symbol->at.x + corners[i].x, symbol->at.y + corners[i].y});
}

static void route_bond(hbg_diagram_router *router, int32_t index) {
    hbg_diagram *diagram = router->diagram;
    const hbg_bond *bond = &diagram->model->bonds.items[index];
    if (bond->from.element == bond->to.element) {
        make_loop(router, &diagram->symbols[bond->from.element]);
    } else {
        full_route(router, index);
        pull_taut(router, bond);
    }
    int32_t count = cut_end(router->way.items, router->way.count, &diagram->symbols[bond->to.element]);
    reverse(router->way.items, count);
    count = cut_end(router->way.items, count, &diagram->symbols[bond->from.element]);
    reverse(router->way.items, count);
    diagram->bonds[index].first_point = diagram->points.count;
    diagram->bonds[index].point_count = count;
    for (int32_t i = 0; i < count; i++) HBG_PUSH(diagram->arena, diagram->points, router->way.items[i]);
}

/* ---- all ------------------------------------------------------------------------------------------------
 */

static void measure(hbg_diagram *diagram) {
    hbg_draw_box extent = hbg_draw_box_empty;
    for (int32_t i = 0; i < diagram->model->elements.count; i++) {
        const hbg_diagram_symbol *symbol = &diagram->symbols[i];
        hbg_draw_box box = hbg_draw_box_join(symbol->glyph, symbol->text);
        extent = hbg_draw_box_join(extent, hbg_draw_box_move(box, symbol->at.x, symbol->at.y));
    }
    for (int32_t i = 0; i < diagram->layout.cluster_count; i++)
        extent = hbg_draw_box_join(extent, diagram->layout.clusters[i].box);
    for (int32_t i = 0; i < diagram->points.count; i++) {
        hbg_draw_point p = diagram->points.items[i];
        hbg_draw_box point = {p.x, p.y, p.x, p.y};
        extent = hbg_draw_box_join(extent, hbg_draw_box_grow(point, HBG_DIAGRAM_BARB));
    }
    for (int32_t i = 0; i < diagram->labels.count; i++)
        extent = hbg_draw_box_join(extent, diagram->labels.items[i].box);
    diagram->extent = extent;
}

void hbg_diagram_route(hbg_diagram *diagram) {
    hbg_diagram_router router = {.diagram = diagram};
    hbg_draw_box area = {0, 0, diagram->layout.width, diagram->layout.height};
    hbg_draw_obstacles_init(&router.texts, diagram->arena, area);
    for (int32_t i = 0; i < diagram->model->elements.count; i++) {
        add_symbol(&router, i);
        add_hanging(&router, i);
    }
    add_captions(&router);
    find_parallel(diagram);
    hbg_diagram_fan(diagram);
    for (int32_t i = 0; i < diagram->model->bonds.count; i++) route_bond(&router, i);
    hbg_diagram_place_labels(&router);
    measure(diagram);
}
