/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Small text next to bonds: names, and the numbers of ports unless the drawing shows them by other means.
 * Places along the bond are tried, on the effort side first (above, left), until one touches neither text nor
 * line, be it a bond or the border of a component. If there is none, a name may lie on lines, since its
 * background is white, but never on other text; failing that, only the tooltip has it. */
#include "emit/diagram_route_impl.h"

#include <math.h>

#define DISTANCE     3.0 /* between text and its bond */
#define LINE_HALF    1.5 /* what a line takes on each side */
#define LABEL_HEIGHT 13.0
#define PORT_STEP    9.0 /* along the bond, between places tried for the number of a port */
#define PORT_TRIES   3

static bool place_beside(hbg_diagram_router *router, hbg_draw_point at, hbg_draw_point direction,
                         const char *text, bool on_lines) {
    hbg_diagram *diagram = router->diagram;
    double half_width = hbg_draw_text_width(text, HBG_DIAGRAM_SMALL, false) / 2,
           half_height = LABEL_HEIGHT / 2;
    hbg_draw_point normal = hbg_emit_diagram_flow_side(direction);
    /* far enough that the nearest corner of the text keeps its distance */
    double away = half_width * fabs(normal.x) + half_height * fabs(normal.y) + DISTANCE;
    for (int side = -1; side <= 1; side += 2) {
        hbg_draw_point middle = {at.x + side * away * normal.x, at.y + side * away * normal.y};
        hbg_draw_box box = {middle.x - half_width, middle.y - half_height, middle.x + half_width,
                            middle.y + half_height};
        if (!hbg_draw_obstacles_box_free(&router->texts, box)) continue;
        if (!on_lines && !hbg_draw_obstacles_box_free(&router->lines, box)) continue;
        hbg_draw_obstacles_add(&router->texts, box, HBG_NONE);
        HBG_PUSH(diagram->arena, diagram->labels, (hbg_diagram_label){text, box});
        return true;
    }
    return false;
}

static double distance(hbg_draw_point a, hbg_draw_point b) {
    return hypot(b.x - a.x, b.y - a.y);
}

static hbg_draw_point direction_of(hbg_draw_point a, hbg_draw_point b) {
    double length = fmax(distance(a, b), 1e-9);
    return (hbg_draw_point){(b.x - a.x) / length, (b.y - a.y) / length};
}

static bool place_along(hbg_diagram_router *router, hbg_draw_point a, hbg_draw_point b, const char *text,
                        bool on_lines) {
    static const double fractions[] = {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9};
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++) {
        hbg_draw_point at = {a.x + fractions[i] * (b.x - a.x), a.y + fractions[i] * (b.y - a.y)};
        if (place_beside(router, at, direction_of(a, b), text, on_lines)) return true;
    }
    return false;
}

/* A name goes next to the longest piece of its bond, or next to another. */
static void place_name(hbg_diagram_router *router, const hbg_diagram_bond *bond) {
    const hbg_draw_point *points = router->diagram->points.items + bond->first_point;
    int32_t longest = 0;
    for (int32_t i = 1; i + 1 < bond->point_count; i++)
        if (distance(points[i], points[i + 1]) > distance(points[longest], points[longest + 1])) longest = i;
    for (int on_lines = 0; on_lines < 2; on_lines++) {
        if (place_along(router, points[longest], points[longest + 1], bond->name, on_lines)) return;
        for (int32_t i = 0; i + 1 < bond->point_count; i++)
            if (place_along(router, points[i], points[i + 1], bond->name, on_lines)) return;
    }
}

/* The number of a port goes near the end of the bond: `end` is the last point, `before` the one before it. */
static void place_port(hbg_diagram_router *router, hbg_draw_point end, hbg_draw_point before, int32_t port) {
    hbg_draw_point direction = direction_of(end, before);
    const char *text = hbg_base_arena_print(router->diagram->arena, "%d", (int)port);
    for (int i = 1; i <= PORT_TRIES; i++) {
        hbg_draw_point at = {end.x + i * PORT_STEP * direction.x, end.y + i * PORT_STEP * direction.y};
        if (place_beside(router, at, direction, text, false)) return;
    }
}

/* Whether arrows leave open which port is which: at fields, and at two-ports with both bonds in or out. */
static bool *find_numbered(const hbg_diagram *diagram) {
    bool *numbered = HBG_NEW_ARRAY(diagram->arena, bool, diagram->thing_count + 1);
    for (int32_t i = 0; i < diagram->thing_count; i++) {
        const hbg_element *element = hbg_emit_diagram_element(diagram, i);
        if (!element || element->ports < 2) continue;
        numbered[i] = element->kind != HBG_KIND_TF && element->kind != HBG_KIND_GY;
        for (int32_t k = diagram->incidence_start[i]; k < diagram->incidence_start[i + 1]; k++) {
            const hbg_bond *bond = hbg_emit_diagram_bond_of(diagram, diagram->incidence[k]);
            if (diagram->links[diagram->incidence[k]].to == i && bond->to.port == 2) numbered[i] = true;
            if (diagram->links[diagram->incidence[k]].from == i && bond->from.port == 1) numbered[i] = true;
        }
    }
    return numbered;
}

static void add_bond_lines(hbg_diagram_router *router) {
    hbg_diagram *diagram = router->diagram;
    for (int32_t i = 0; i < diagram->link_count; i++) {
        const hbg_diagram_bond *bond = &diagram->bonds[i];
        const hbg_draw_point *points = diagram->points.items + bond->first_point;
        for (int32_t k = 0; k + 1 < bond->point_count; k++)
            hbg_emit_diagram_add_line(&router->lines, points[k], points[k + 1], LINE_HALF, HBG_NONE);
        hbg_draw_point tip[3];
        hbg_emit_diagram_harpoon(points, bond->point_count, tip);
        hbg_emit_diagram_add_line(&router->lines, tip[1], tip[2], LINE_HALF, HBG_NONE);
    }
}

/* The borders of components are lines too. */
static void add_borders(hbg_diagram_router *router) {
    const hbg_draw_layout *layout = &router->diagram->layout;
    for (int32_t i = 0; i < layout->cluster_count; i++) {
        hbg_draw_box box = layout->clusters[i].box;
        if (box.right < box.left) continue;
        const hbg_draw_point corners[5] = {{box.left, box.top},
                                           {box.right, box.top},
                                           {box.right, box.bottom},
                                           {box.left, box.bottom},
                                           {box.left, box.top}};
        for (int k = 0; k < 4; k++)
            hbg_emit_diagram_add_line(&router->lines, corners[k], corners[k + 1], LINE_HALF, HBG_NONE);
    }
}

void hbg_emit_diagram_place_labels(hbg_diagram_router *router) {
    hbg_diagram *diagram = router->diagram;
    bool *numbered = find_numbered(diagram);
    add_bond_lines(router);
    add_borders(router);
    for (int32_t i = 0; i < diagram->link_count; i++)
        if (diagram->bonds[i].name) place_name(router, &diagram->bonds[i]);
    for (int32_t i = 0; i < diagram->link_count; i++) {
        const hbg_bond *bond = hbg_emit_diagram_bond_of(diagram, i);
        const hbg_draw_point *points = diagram->points.items + diagram->bonds[i].first_point;
        int32_t count = diagram->bonds[i].point_count;
        if (numbered[diagram->links[i].from]) place_port(router, points[0], points[1], bond->from.port);
        if (numbered[diagram->links[i].to])
            place_port(router, points[count - 1], points[count - 2], bond->to.port);
    }
}
