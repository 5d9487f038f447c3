/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Double arrows in the phase space: where no mode can stay as it is, from where an instant begins to the
 * energies after the first real mode. */
#include <math.h>
#include <string.h>

#include "api/verify_plot_impl.h"

enum { ARROWS_X = 7, ARROWS_Y = 5 };
#define SHORTEST 14.0 /* px of an arrow */

static double jump_to(phase_plot *p, const hbg_phase_jump *jump, const plot_quantity *axis) {
    const hbg_condition *to = axis->part == HBG_POINT_STATE ? jump->to[axis->index] : NULL;
    return to ? hbg_verify_condition_value(to, &p->point) : *axis->value;
}

static void put_head(phase_plot *p, hbg_draw_point tip, double dx, double dy) {
    hbg_draw_point points[4] = {tip,
                                {tip.x - 7 * dx - 3.2 * dy, tip.y - 7 * dy + 3.2 * dx},
                                {tip.x - 7 * dx + 3.2 * dy, tip.y - 7 * dy - 3.2 * dx},
                                tip};
    hbg_draw_polyline(p->out, "head", points, 4);
}

/* How much of the way from a to b is inside, along one axis. */
static double inside(double a, double b, double low, double high) {
    if (b > high) return (high - a) / (b - a);
    return b < low ? (low - a) / (b - a) : 1;
}

/* Two heads: it takes no time. A line that leaves the frame ends at its edge, without heads. */
static void put_arrow(phase_plot *p, double x, double y, double to_x, double to_y) {
    const hbg_draw_range *range_x = &p->map.x, *range_y = &p->map.y;
    double share =
        fmin(inside(x, to_x, range_x->low, range_x->high), inside(y, to_y, range_y->low, range_y->high));
    hbg_draw_point a = hbg_draw_map_place(&p->map, x, y);
    hbg_draw_point b = hbg_draw_map_place(&p->map, x + share * (to_x - x), y + share * (to_y - y));
    double length = hypot(b.x - a.x, b.y - a.y);
    if (length < SHORTEST) return;
    double dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
    double short_of = share < 1 ? 0 : 4;
    hbg_draw_circle(p->out, "head", a, 2.2);
    hbg_draw_line(p->out, "jump", a, (hbg_draw_point){b.x - short_of * dx, b.y - short_of * dy});
    p->arrows++;
    if (share < 1) return;
    put_head(p, b, dx, dy);
    put_head(p, (hbg_draw_point){b.x - 5 * dx, b.y - 5 * dy}, dx, dy);
}

static bool changes_mode(const phase_plot *p, const hbg_phase_jump *jump) {
    size_t size = (size_t)p->report->model->automata.count * sizeof *jump->start;
    return memcmp(jump->start, jump->states, size) != 0;
}

/* Whether a jump begins in these states at the point and moves it. */
static bool moves_from(phase_plot *p, const int32_t *states) {
    size_t size = (size_t)p->report->model->automata.count * sizeof *states;
    for (int32_t i = 0; i < p->group->jump_count; i++) {
        const hbg_phase_jump *jump = &p->group->jumps[i];
        if (memcmp(jump->start, states, size) == 0 && hbg_verify_condition_holds(jump->when, &p->point))
            return true;
    }
    return false;
}

/* Some discrete state is real at the point: time advances there, and a jump needs an unusual start. */
static bool can_stay(phase_plot *p) {
    for (int32_t i = 0; i < p->group->phase_count; i++)
        if (!hbg_api_plot_is_departed(p, i) && !moves_from(p, p->group->phases[i].states)) return true;
    return false;
}

/* The first jump that begins there with a change of mode; if no mode changes, of energies that do not fit the
 * mode. */
static void put_jump(phase_plot *p, double x, double y) {
    bool some = false;
    for (int32_t i = 0; i < p->group->jump_count; i++) some |= changes_mode(p, &p->group->jumps[i]);
    hbg_api_plot_set(p, x, y);
    if (can_stay(p)) return;
    for (int32_t i = 0; i < p->group->jump_count; i++) {
        const hbg_phase_jump *jump = &p->group->jumps[i];
        if ((some && !changes_mode(p, jump)) || !hbg_verify_condition_holds(jump->when, &p->point)) continue;
        double to_x = jump_to(p, jump, &p->all.items[p->x]), to_y = jump_to(p, jump, &p->all.items[p->y]);
        if (!isfinite(to_x) || !isfinite(to_y) || (to_x == x && to_y == y)) continue;
        put_arrow(p, x, y, to_x, to_y);
        return;
    }
}

static double between(hbg_draw_range range, double share) {
    return range.low + (range.high - range.low) * share;
}

/* Rows and columns are shifted slightly, so that arrows along an axis do not overlap. */
void hbg_api_plot_put_jumps(phase_plot *p) {
    for (int row = 0; row < ARROWS_Y; row++)
        for (int column = 0; column < ARROWS_X; column++)
            put_jump(p, between(p->map.x, (column + 0.35 + 0.3 * row / ARROWS_Y) / ARROWS_X),
                     between(p->map.y, (row + 0.2 + 0.6 * column / ARROWS_X) / ARROWS_Y));
}
