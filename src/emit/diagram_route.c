/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bonds as lines. A half arrow looks best on a straight bond, so a bond is straight unless text or a foreign
 * component is in the way (diagram_way.c). Its ends are cut at the boxes of its two symbols, and its tip is
 * drawn back until the barb is clear of text. */
#include "emit/diagram_route_impl.h"

#include <math.h>

#define CLEARANCE 4.0     /* between a bond and foreign text */
#define END_GAP   4.5     /* between the end of a bond and its own symbol */
#define MOST_BACK 24.0    /* that a tip is drawn back to clear its barb */
#define SHORTEST  16.0    /* last piece of a bond with corners */
#define BUDGET    4000000 /* lines tried for ways round obstacles */
#define LOOP      26.0    /* size of a bond from an element to itself */

/* ---- obstacles ------------------------------------------------------------------------------------- */

static void add_symbol(hbg_diagram_router *router, int32_t index) {
    const hbg_diagram_symbol *symbol = &router->diagram->symbols[index];
    hbg_draw_box boxes[2] = {symbol->glyph, symbol->text};
    for (int k = 0; k < 2; k++) {
        if (boxes[k].right < boxes[k].left) continue;
        hbg_draw_box box = hbg_draw_box_move(boxes[k], symbol->at.x, symbol->at.y);
        hbg_draw_obstacles_add(&router->texts, hbg_draw_box_grow(box, CLEARANCE), index);
    }
}

/* The bonds of hanging elements are obstacles for other bonds, except for those at the same junction. */
static void add_hanging(hbg_diagram_router *router, int32_t index) {
    const hbg_diagram_symbol *symbol = &router->diagram->symbols[index];
    const hbg_diagram_symbol *host = &router->diagram->symbols[symbol->host];
    if (symbol->host != index)
        hbg_emit_diagram_add_line(&router->lines, host->at, symbol->at, 2, symbol->host);
}

static void add_captions(hbg_diagram_router *router) {
    const hbg_draw_layout *layout = &router->diagram->layout;
    for (int32_t i = 0; i < layout->cluster_count; i++)
        if (layout->clusters[i].box.right > layout->clusters[i].box.left)
            hbg_draw_obstacles_add(&router->texts, hbg_emit_diagram_caption_box(router->diagram, i),
                                   HBG_NONE);
}

void hbg_emit_diagram_add_line(hbg_draw_obstacles *obstacles, hbg_draw_point a, hbg_draw_point b, double half,
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

/* ---- lines ----------------------------------------------------------------------------------------- */

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

/* An end of a line under construction: the last of `points`, at a symbol. */
typedef struct {
    hbg_diagram_router *router;
    const hbg_diagram_link *link;
    const hbg_diagram_symbol *symbol;
    bool tail_inside; /* the first point is still the anchor of the tail */
} line_end;

/* Whether the last `pieces` pieces of a line touch no text. */
static bool end_free(const line_end *end, const hbg_draw_point *points, int32_t count, int32_t pieces) {
    for (int32_t i = count - 1; i > 0 && pieces > 0; i--, pieces--) {
        hbg_draw_box box;
        hbg_diagram_piece piece = {.a = points[i - 1], .b = points[i], .at_tail = i == 1 && end->tail_inside};
        if (hbg_emit_diagram_blocked(end->router, end->link, piece, &box)) return false;
    }
    return true;
}

/* A last piece shorter than its barb would have no visible direction: it is made longer or left out,
 * whichever is free. */
static int32_t mend_end(const line_end *end, hbg_draw_point *points, int32_t count) {
    hbg_draw_point last = points[count - 1], corner = points[count - 2];
    double length = hypot(last.x - corner.x, last.y - corner.y);
    if (count < 3 || length >= SHORTEST) return count;
    /* a piece without a direction leads away from the middle of the symbol */
    double away = last.x < end->symbol->at.x ? -SHORTEST : SHORTEST;
    points[count - 2] =
        length > 1 ? between(last, corner, SHORTEST / length) : (hbg_draw_point){last.x + away, last.y};
    if (end_free(end, points, count, 2)) return count;
    points[count - 2] = last;
    if (end_free(end, points, count - 1, 1)) return count - 1;
    points[count - 2] = corner;
    return count;
}

/* Cuts off what lies inside the symbol at the end of `points`; how many points are left (at least two). */
static int32_t cut_end(const line_end *end, hbg_draw_point *points, int32_t count) {
    if (end->symbol->is_box) return count; /* it leads to a port */
    while (count > 2 && meet(end->symbol, points[count - 2], points[count - 1]) == 0) count--;
    double fraction = meet(end->symbol, points[count - 2], points[count - 1]);
    if (fraction > 0 && fraction <= 1)
        points[count - 1] = between(points[count - 2], points[count - 1], fraction);
    return mend_end(end, points, count);
}

/* Draws the tip back until its barb touches no text. */
static void clear_barb(const hbg_diagram_router *router, hbg_draw_point *points, int32_t count) {
    hbg_draw_point tip = points[count - 1], before = points[count - 2];
    double length = hypot(tip.x - before.x, tip.y - before.y);
    for (double back = 0; back <= MOST_BACK && back < length - SHORTEST; back += 1) {
        hbg_draw_point harpoon[3];
        points[count - 1] = between(tip, before, back / length);
        hbg_emit_diagram_harpoon(points, count, harpoon);
        if (!hbg_draw_obstacles_first(&router->texts, harpoon[1], harpoon[2], INT32_MIN, INT32_MIN)) return;
    }
    points[count - 1] = tip;
}

/* A bond from an element to itself, or between two ports of a component: a small corner below it. */
static void make_loop(hbg_diagram_router *router, const hbg_diagram_symbol *symbol) {
    router->way.count = 0;
    double top = symbol->is_box ? symbol->glyph.bottom + END_GAP : 0, bottom = fmax(top, 0) + LOOP;
    hbg_draw_point corners[] = {{-LOOP / 2, top}, {-LOOP / 2, bottom}, {LOOP / 2, bottom}, {LOOP / 2, top}};
    for (int i = 0; i < 4; i++)
        HBG_PUSH(router->diagram->arena, router->way,
                 (hbg_draw_point){symbol->at.x + corners[i].x, symbol->at.y + corners[i].y});
}

/* Adds a stub from the port to the beginning of the way, if the bond begins at a closed component; likewise
 * at its end. */
static void add_stubs(hbg_diagram_router *router, int32_t index) {
    const hbg_diagram *diagram = router->diagram;
    const hbg_diagram_bond *bond = &diagram->bonds[index];
    const hbg_diagram_symbol *tail = &diagram->symbols[diagram->links[index].from];
    const hbg_diagram_symbol *tip = &diagram->symbols[diagram->links[index].to];
    double length = HBG_DIAGRAM_STUB - END_GAP;
    if (tail->is_box) {
        hbg_draw_point start = router->way.items[0];
        HBG_PUSH(diagram->arena, router->way, start);
        for (int32_t i = router->way.count - 1; i > 0; i--) router->way.items[i] = router->way.items[i - 1];
        router->way.items[0].x += bond->tail_right ? -length : length;
    }
    if (!tip->is_box) return;
    hbg_draw_point end = router->way.items[router->way.count - 1];
    end.x += bond->tip_right ? -length : length;
    HBG_PUSH(diagram->arena, router->way, end);
}

static void route_bond(hbg_diagram_router *router, int32_t index) {
    hbg_diagram *diagram = router->diagram;
    const hbg_diagram_link *link = &diagram->links[index];
    if (link->from == link->to) {
        make_loop(router, &diagram->symbols[link->from]);
    } else {
        hbg_emit_diagram_find_way(router, index);
        add_stubs(router, index);
    }
    line_end tip = {router, link, &diagram->symbols[link->to], true};
    line_end tail = {router, link, &diagram->symbols[link->from], false};
    int32_t count = cut_end(&tip, router->way.items, router->way.count);
    hbg_emit_diagram_reverse(router->way.items, count);
    count = cut_end(&tail, router->way.items, count);
    hbg_emit_diagram_reverse(router->way.items, count);
    clear_barb(router, router->way.items, count);
    diagram->bonds[index].first_point = diagram->points.count;
    diagram->bonds[index].point_count = count;
    for (int32_t i = 0; i < count; i++) HBG_PUSH(diagram->arena, diagram->points, router->way.items[i]);
}

/* ---- all ------------------------------------------------------------------------------------------- */

static void measure(hbg_diagram *diagram) {
    hbg_draw_box extent = hbg_draw_box_empty;
    for (int32_t i = 0; i < diagram->thing_count; i++) {
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

void hbg_emit_diagram_route(hbg_diagram *diagram) {
    hbg_diagram_router router = {.diagram = diagram, .budget = BUDGET};
    hbg_draw_box area = {0, 0, diagram->layout.width, diagram->layout.height};
    hbg_draw_obstacles_init(&router.texts, diagram->arena, area);
    hbg_draw_obstacles_init(&router.lines, diagram->arena, area);
    for (int32_t i = 0; i < diagram->thing_count; i++) {
        add_symbol(&router, i);
        add_hanging(&router, i);
    }
    add_captions(&router);
    hbg_emit_diagram_fan(diagram);
    for (int32_t i = 0; i < diagram->link_count; i++) route_bond(&router, i);
    hbg_emit_diagram_place_labels(&router);
    measure(diagram);
}
