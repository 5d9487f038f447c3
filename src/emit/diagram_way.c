/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The way of one bond. It is straight if nothing is in between, at its heights in the fans at its ends, so
 * bonds from nearly the same direction do not end at one point. Else it follows the route of the layout
 * program, pulled taut, if that is free; it may not be, since the program does not know about captions of
 * components. Else it goes round corners (diagram_detour.c), first round foreign components too, then through
 * them. If all fails, it is the unchanged route. */
#include "emit/diagram_route_impl.h"

#include <math.h>

#define PARALLEL_GAP  13.0 /* between bonds of the same two elements */
#define MOST_PARALLEL 2.5  /* of these gaps away from the middle: further ones share the last */
#define LEVEL         2.0  /* points of a route within this are on one level */
#define MOST_LEVEL    13.0 /* from the middle of a symbol: its half height and the gap before it */

/* ---- obstacles ------------------------------------------------------------------------------------- */

/* Whether the cluster holds the thing. */
static bool holds(const hbg_diagram *diagram, int32_t cluster, int32_t thing) {
    const hbg_diagram_thing *held = &diagram->things[thing];
    int32_t at = held->outside ? HBG_NONE : diagram->cluster_of_scope[held->scope];
    while (at > cluster) at = diagram->layout.clusters[at].parent;
    return at == cluster;
}

/* The foreign component that a line meets first; false if there is none. */
static bool cluster_blocks(const hbg_diagram *diagram, const hbg_diagram_link *link, hbg_draw_point a,
                           hbg_draw_point b, hbg_draw_box *box) {
    const hbg_draw_layout *layout = &diagram->layout;
    double first = 2;
    for (int32_t i = 0; i < layout->cluster_count; i++) {
        double at = hbg_draw_box_enter(layout->clusters[i].box, a, b);
        if (at > 1 || at >= first) continue;
        if (holds(diagram, i, link->from) || holds(diagram, i, link->to)) continue;
        first = at;
        *box = layout->clusters[i].box;
    }
    return first <= 1;
}

bool hbg_emit_diagram_blocked(hbg_diagram_router *router, const hbg_diagram_link *link,
                              hbg_diagram_piece piece, hbg_draw_box *box) {
    int32_t tail = piece.at_tail ? link->from : INT32_MIN;
    int32_t tip = piece.at_tip ? link->to : INT32_MIN;
    router->budget--;
    const hbg_draw_obstacle *obstacle = hbg_draw_obstacles_first(&router->texts, piece.a, piece.b, tail, tip);
    if (!obstacle) obstacle = hbg_draw_obstacles_first(&router->lines, piece.a, piece.b, tail, tip);
    if (obstacle) *box = obstacle->box;
    if (obstacle || router->through) return obstacle != NULL;
    return cluster_blocks(router->diagram, link, piece.a, piece.b, box);
}

/* Whether the straight line between two points of the way is free. */
static bool reaches(hbg_diagram_router *router, const hbg_diagram_link *link, int32_t from, int32_t to) {
    hbg_draw_box box;
    hbg_diagram_piece piece = {.a = router->way.items[from],
                               .b = router->way.items[to],
                               .at_tail = from == 0,
                               .at_tip = to == router->way.count - 1};
    return !hbg_emit_diagram_blocked(router, link, piece, &box);
}

static bool way_free(hbg_diagram_router *router, const hbg_diagram_link *link) {
    for (int32_t i = 0; i + 1 < router->way.count; i++)
        if (!reaches(router, link, i, i + 1)) return false;
    return true;
}

/* ---- the route of the layout program --------------------------------------------------------------- */

/* How far this bond is moved sideways, seen from the lower to the higher element number. */
static hbg_draw_point sideways(const hbg_diagram *diagram, const hbg_diagram_link *link,
                               const hbg_diagram_bond *drawn) {
    double steps = drawn->parallel - (drawn->parallel_count - 1) / 2.0;
    steps = fmax(-MOST_PARALLEL, fmin(steps, MOST_PARALLEL)) * PARALLEL_GAP;
    bool up = link->from < link->to;
    hbg_draw_point a = diagram->symbols[up ? link->from : link->to].at;
    hbg_draw_point b = diagram->symbols[up ? link->to : link->from].at;
    double length = fmax(hypot(b.x - a.x, b.y - a.y), 1);
    return (hbg_draw_point){-(b.y - a.y) / length * steps, (b.x - a.x) / length * steps};
}

/* Moves the points that lie level with the first one up or down by `shift`. */
static void shift_start(hbg_draw_point *points, int32_t count, double shift) {
    double level = points[0].y;
    for (int32_t i = 0; i < count && fabs(points[i].y - level) < LEVEL; i++) points[i].y += shift;
}

static double level(double shift) {
    return fmax(-MOST_LEVEL, fmin(shift, MOST_LEVEL));
}

/* The point in a symbol that a bond aims at: at its height in the fan on that side. Bonds that would lie
 * above or below the symbol aim past its middle instead, the outer ones further: they arrive steeper. */
static hbg_draw_point aim(const hbg_diagram_symbol *symbol, hbg_draw_point anchor, double shift,
                          bool right_side) {
    if (symbol->is_box)
        return (hbg_draw_point){anchor.x + (right_side ? symbol->glyph.right + HBG_DIAGRAM_STUB
                                                       : symbol->glyph.left - HBG_DIAGRAM_STUB),
                                anchor.y + shift};
    double beyond = fmin(fmax(fabs(shift) - MOST_LEVEL, 0), MOST_LEVEL);
    return (hbg_draw_point){anchor.x + (right_side ? -beyond : beyond), anchor.y + level(shift)};
}

/* Anchor, the layout's route, anchor. With `spread`, the bond leaves and reaches its symbols at its heights
 * in their fans, so it does not meet a straight one. */
static void take_route(hbg_diagram_router *router, int32_t index, hbg_draw_point from, hbg_draw_point to,
                       bool spread) {
    const hbg_diagram *diagram = router->diagram;
    const hbg_diagram_bond *drawn = &diagram->bonds[index];
    const hbg_draw_edge *edge = &diagram->layout.edges[drawn->edge];
    const hbg_draw_point *points = diagram->layout.points.items + edge->first_point;
    int32_t count = edge->point_count;
    router->way.count = 0;
    HBG_PUSH(diagram->arena, router->way, drawn->turned ? to : from);
    for (int32_t i = 0; i < count; i++) HBG_PUSH(diagram->arena, router->way, points[i]);
    HBG_PUSH(diagram->arena, router->way, drawn->turned ? from : to);
    const hbg_diagram_link *link = &diagram->links[index];
    const hbg_diagram_symbol *out = &diagram->symbols[drawn->turned ? link->to : link->from];
    const hbg_diagram_symbol *in = &diagram->symbols[drawn->turned ? link->from : link->to];
    hbg_draw_point *way = router->way.items;
    double out_shift = drawn->turned ? drawn->tip_shift : drawn->tail_shift;
    double in_shift = drawn->turned ? drawn->tail_shift : drawn->tip_shift;
    if (spread && !out->is_box) way[0] = aim(out, way[0], out_shift, true);
    if (spread && !in->is_box) way[count + 1] = aim(in, way[count + 1], in_shift, false);
    if (spread || out->is_box) shift_start(way + 1, count, out_shift);
    hbg_emit_diagram_reverse(way + 1, count);
    if (spread || in->is_box) shift_start(way + 1, count, in_shift);
    hbg_emit_diagram_reverse(way + 1, count);
    if (drawn->turned) hbg_emit_diagram_reverse(router->way.items, count + 2);
}

/* Keeps only the corners that are needed: from each kept one, the furthest that can be reached straight. */
static void pull_taut(hbg_diagram_router *router, const hbg_diagram_link *link) {
    hbg_draw_point *way = router->way.items;
    int32_t kept = 1, last = router->way.count - 1;
    for (int32_t at = 0; at < last;) {
        int32_t next = last;
        while (next > at + 1 && !reaches(router, link, at, next)) next--;
        at = next;
        /* never writes past the place read */
        way[kept++] = way[at];
    }
    router->way.count = kept;
}

/* ---- all ways -------------------------------------------------------------------------------------- */

static void take_straight(hbg_diagram_router *router, hbg_draw_point from, hbg_draw_point to) {
    router->way.count = 0;
    HBG_PUSH(router->diagram->arena, router->way, from);
    HBG_PUSH(router->diagram->arena, router->way, to);
}

void hbg_emit_diagram_find_way(hbg_diagram_router *router, int32_t index) {
    const hbg_diagram *diagram = router->diagram;
    const hbg_diagram_link *link = &diagram->links[index];
    hbg_draw_point shift = sideways(diagram, link, &diagram->bonds[index]);
    hbg_draw_point from = diagram->symbols[link->from].at, to = diagram->symbols[link->to].at;
    from = (hbg_draw_point){from.x + shift.x, from.y + shift.y};
    to = (hbg_draw_point){to.x + shift.x, to.y + shift.y};

    const hbg_diagram_bond *drawn = &diagram->bonds[index];
    const hbg_diagram_symbol *tail = &diagram->symbols[link->from], *tip = &diagram->symbols[link->to];
    hbg_draw_point middle_from = from, middle_to = to;
    if (drawn->edge >= 0 && drawn->parallel_count == 1) {
        from = aim(tail, from, drawn->tail_shift, drawn->tail_right);
        to = aim(tip, to, drawn->tip_shift, drawn->tip_right);
    }
    /* a port does not move */
    if (tail->is_box) middle_from = from;
    if (tip->is_box) middle_to = to;
    take_straight(router, from, to);
    if ((drawn->edge < 0 && !drawn->straight) || way_free(router, link)) return;
    take_straight(router, middle_from, middle_to);
    if (way_free(router, link)) return;
    for (int spread = 1; spread >= 0 && !drawn->straight; spread--) {
        take_route(router, index, middle_from, middle_to, spread);
        if (!way_free(router, link)) continue;
        pull_taut(router, link);
        return;
    }
    for (int through = 0; through < 2; through++) {
        router->through = through;
        bool found = hbg_emit_diagram_detour(router, index, from, to);
        router->through = false;
        if (found) return;
    }
    if (drawn->straight)
        take_straight(router, from, to);
    else
        take_route(router, index, middle_from, middle_to, true);
}
