/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The ranges of the axes of a phase space: as far as a range of the model, else as far as something changes
 * along them, searched over many decades. A border through the origin, which depends on the other axis,
 * follows the range of that. */
#include <math.h>

#include "api/verify_plot_impl.h"

#define LEAST   1e-14 /* values nearer to 0 are not examined */
#define DECADES 24    /* from there on */
#define STEPS   4     /* in a decade */
#define NEAR    1e-20 /* of a scale: so that borders through the origin are below LEAST */
#define WIDEST  400.0 /* borders that are farther apart do not fit in one picture */
#define TURNS   6.3   /* rad of an angle to either side: a turn */
enum { MOST_BORDERS = 512, HALVINGS = 24 };

typedef struct {
    double at[MOST_BORDERS];
    int32_t count;
    bool zero;
} border_list;

static uint64_t look_at(phase_plot *p, bool along_x, double value, double other) {
    hbg_api_plot_set(p, along_x ? value : other, along_x ? other : value);
    return hbg_api_plot_look(p);
}

static void find_border(phase_plot *p, bool along_x, double low, double high, double other,
                        border_list *found) {
    uint64_t before = look_at(p, along_x, low, other);
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (look_at(p, along_x, middle, other) == before)
            low = middle;
        else
            high = middle;
    }
    if (found->count < MOST_BORDERS) found->at[found->count++] = high;
}

static void find_borders(phase_plot *p, bool along_x, double other, border_list *found) {
    uint64_t side[2];
    bool from_zero = p->all.items[along_x ? p->x : p->y].part == HBG_POINT_TIME; // runs begin there
    for (int sign = 0; sign < (from_zero ? 1 : 2); sign++) {
        double last = (sign ? -1 : 1) * LEAST;
        uint64_t before = side[sign] = look_at(p, along_x, last, other);
        for (int step = 1; step <= DECADES * STEPS; step++) {
            double value = (sign ? -1 : 1) * LEAST * pow(10, (double)step / STEPS);
            uint64_t now = look_at(p, along_x, value, other);
            if (now != before) find_border(p, along_x, last, value, other, found);
            before = now;
            last = value;
        }
    }
    found->zero |= !from_zero && side[0] != side[1];
}

/* To three digits: numbers at the ends of the axes are round, too. */
static double rounded(double value) {
    double unit = value == 0 ? 1 : pow(10, floor(log10(fabs(value))) - 2);
    return round(value / unit) * unit;
}

/* Borders out of all proportion to the rest are left out; 0 is shown unless all borders are far from it. */
static void frame_borders(const plot_quantity *axis, const border_list *found, hbg_draw_range *range) {
    double smallest = INFINITY, low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < found->count; i++) smallest = fmin(smallest, fabs(found->at[i]));
    for (int32_t i = 0; i < found->count; i++) {
        if (fabs(found->at[i]) > WIDEST * smallest) continue;
        low = fmin(low, found->at[i]);
        high = fmax(high, found->at[i]);
    }
    if (found->count == 0) low = high = axis->nominal != 0 && !found->zero ? axis->nominal : 0;
    double size = fmax(fabs(low), fabs(high)), spread = high - low;
    if (size == 0) size = axis->nominal != 0 ? fabs(axis->nominal) : 1;
    if (spread < 1e-6 * size) spread = 0; // one border, seen from neighbouring lines
    range->high = rounded(1.6 * size);
    range->low = -range->high;
    if (found->zero || low * high <= 0) return;
    if (spread > 0 && spread < 0.25 * size) { // far from 0, near to one another
        range->low = low - 1.5 * spread;
        range->high = high + 1.5 * spread;
    } else if (low > 0) {
        range->low = -rounded(0.3 * size);
    } else {
        range->high = rounded(0.3 * size);
    }
}

/* An angle that guards read by its sine: its pattern repeats with every turn. */
static bool is_angle(const phase_plot *p, const plot_quantity *axis) {
    const hbg_group_result *group = p->group;
    if (axis->part == HBG_POINT_TIME) return false; // it has no turns of its own
    for (int32_t i = 0; i < group->phase_count; i++)
        if (hbg_verify_condition_turns(group->phases[i].departed, axis->part, axis->index)) return true;
    for (int32_t i = 0; i < group->finding_count; i++)
        for (int32_t k = 0; k < group->findings[i].where_count; k++)
            if (hbg_verify_condition_turns(group->findings[i].where[k].where, axis->part, axis->index))
                return true;
    return false;
}

static double scale_of(const plot_quantity *axis) {
    return axis->nominal != 0 ? fabs(axis->nominal) : 1;
}

/* Where the other axis is 0, or hardly anything else: a change there has its own scale. */
static bool choose_by_axis(phase_plot *p, bool along_x, hbg_draw_range *range) {
    const plot_quantity *axis = &p->all.items[along_x ? p->x : p->y];
    const plot_quantity *other = &p->all.items[along_x ? p->y : p->x];
    double near = NEAR * scale_of(other);
    border_list found = {.count = 0};
    if (axis->has_range && axis->low < axis->high) {
        range->low = axis->low;
        range->high = axis->high;
        return true;
    }
    if (is_angle(p, axis)) {
        range->low = -TURNS;
        range->high = TURNS;
        return true;
    }
    for (int i = -1; i <= 1; i++) {
        double middle = other->has_range ? (other->low + other->high) / 2 : 0;
        find_borders(p, along_x, middle + i * near, &found);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < found.count; i++) {
        if (fabs(found.at[i]) > 10 * LEAST)
            found.at[kept++] = found.at[i];
        else
            found.zero = true; // it depends on the other axis
    }
    found.count = kept;
    frame_borders(axis, &found, range);
    return kept > 0;
}

/* On lines across the range of the other axis. */
static void choose_across(phase_plot *p, bool along_x, const hbg_draw_range *across, hbg_draw_range *range) {
    static const double shares[] = {0.2, 0.35, 0.65, 0.8};
    border_list found = {.count = 0};
    for (int i = 0; i < 4; i++)
        find_borders(p, along_x, across->low + shares[i] * (across->high - across->low), &found);
    frame_borders(&p->all.items[along_x ? p->x : p->y], &found, range);
}

void hbg_api_plot_choose_ranges(phase_plot *p) {
    hbg_draw_range *x = &p->map.x, *y = &p->map.y;
    bool has_x = choose_by_axis(p, true, x), has_y = choose_by_axis(p, false, y);
    if (!has_x && !has_y) { // nothing tells their size: as where a run begins
        double size = 1.6 * scale_of(&p->all.items[p->y]);
        y->low = -size;
        y->high = size;
    }
    if (!has_x) choose_across(p, true, y, x);
    if (!has_y && has_x) choose_across(p, false, x, y);
    if (p->all.items[p->x].part == HBG_POINT_TIME) x->low = 0; // runs begin there
    if (p->all.items[p->y].part == HBG_POINT_TIME) y->low = 0;
}
