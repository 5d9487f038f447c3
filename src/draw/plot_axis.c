/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The range of an axis and the place of a value on it; its ticks are in plot_tick.c. Values that hardly
 * differ are relative to a round number close to them, so ticks stay short. */
#include "draw/plot_impl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST       4e307  /* above, the difference of two values could overflow */
#define SMALLEST      1e-290 /* below, powers of ten lose digits; also the least on a logarithmic axis */
#define SAME          1e-9   /* a relative difference below this is noise and not shown */
#define ZERO_IS_NEAR  0.35   /* of the range from zero: may stay empty to show zero */
#define OFFSET_FROM   1e4    /* largest value over range: above, ticks would be long */
#define MOST_DIGITS   15     /* of an offset */
#define OFFSET_WITHIN 2.0    /* ranges from the middle */

void hbg_draw_axis_begin(hbg_draw_axis *axis, const char *unit, bool logarithmic) {
    *axis = (hbg_draw_axis){.unit = unit ? unit : "",
                            .logarithmic = logarithmic,
                            .low = INFINITY,
                            .high = -INFINITY,
                            .per = 1,
                            .unit_text = ""};
}

double hbg_draw_axis_clean(const hbg_draw_axis *axis, double value) {
    double size = fabs(value);
    if (!(size <= DBL_MAX) || (axis->logarithmic && value <= 0)) return NAN;
    if (size > LARGEST) return copysign(LARGEST, value);
    if (size < SMALLEST) return axis->logarithmic ? SMALLEST : 0;
    return value;
}

void hbg_draw_axis_include(hbg_draw_axis *axis, double value) {
    axis->cut |= fabs(value) > LARGEST && fabs(value) <= DBL_MAX;
    value = hbg_draw_axis_clean(axis, value);
    if (value < axis->low) axis->low = value;
    if (value > axis->high) axis->high = value;
}

static void settle_logarithmic(hbg_draw_axis *axis, double margin) {
    if (axis->high <= axis->low * (1 + SAME)) {
        axis->low /= 3;
        axis->high *= 3;
        return;
    }
    double more = pow(10, fmin(margin * (log10(axis->high) - log10(axis->low)), 1));
    axis->low /= more;
    axis->high = fmin(axis->high * more, 4 * LARGEST);
}

void hbg_draw_axis_settle(hbg_draw_axis *axis, double margin) {
    axis->empty = !(axis->low <= axis->high);
    if (axis->empty) {
        axis->low = axis->logarithmic ? 1 : 0;
        axis->high = axis->logarithmic ? 10 : 1;
        return;
    }
    if (axis->logarithmic) {
        settle_logarithmic(axis, margin);
        return;
    }
    double size = fmax(fabs(axis->low), fabs(axis->high));
    if (axis->high - axis->low <= SAME * size) {
        double middle = (axis->low + axis->high) / 2;
        axis->low = middle - (size > 0 ? size / 2 : 1);
        axis->high = middle + (size > 0 ? size / 2 : 1);
        return;
    }
    double low = axis->low, high = axis->high;
    bool from_zero = margin > 0 && low > 0 && low < ZERO_IS_NEAR * high;
    bool to_zero = margin > 0 && high < 0 && high > ZERO_IS_NEAR * low;
    double more = margin * (high - low);
    axis->low = from_zero && low > more ? 0 : low - more;
    axis->high = to_zero && high < -more ? 0 : high + more;
}

/* A value with few digits near the middle of the range. */
static double round_offset(const hbg_draw_axis *axis) {
    double middle = (axis->low + axis->high) / 2, range = axis->high - axis->low;
    int power = (int)floor(log10(fabs(middle)));
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        int last = power - digits + 1; /* power of ten of the last digit */
        double unit = pow(10, abs(last));
        double value = last > 0 ? round(middle / unit) * unit : round(middle * unit) / unit;
        if (fabs(value - middle) <= OFFSET_WITHIN * range) return value;
    }
    return middle;
}

/* Whether ticks are powers of ten; if the range has fewer than two, they are as on a linear axis. */
bool hbg_draw_axis_has_decades(const hbg_draw_axis *axis) {
    return axis->logarithmic && floor(log10(axis->high)) - ceil(log10(axis->low)) >= 1;
}

/* Long times are read in minutes, hours or days. */
static bool scale_time(hbg_draw_axis *axis) {
    static const struct {
        double from, seconds;
        const char *name;
    } units[] = {{4 * 86400.0, 86400, "d"}, {7200, 3600, "h"}, {600, 60, "min"}};
    if (!axis->unit || strcmp(axis->unit, "s") != 0 || axis->low < 0 || axis->offset != 0) return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (axis->high < units[i].from || axis->high >= 1e4 * units[i].seconds) continue;
        axis->per = units[i].seconds;
        axis->unit_text = units[i].name;
        return true;
    }
    return false;
}

static void scale(hbg_arena *arena, hbg_draw_axis *axis) {
    if (axis->empty || hbg_draw_axis_has_decades(axis)) {
        axis->unit_text = hbg_draw_unit_text(arena, axis->unit, 0);
        return;
    }
    double size = fmax(fabs(axis->low), fabs(axis->high)), range = axis->high - axis->low;
    if (!axis->logarithmic && size > OFFSET_FROM * range) axis->offset = round_offset(axis);
    if (scale_time(axis)) return;
    size = fmax(fabs(axis->low - axis->offset), fabs(axis->high - axis->offset));
    axis->exponent = hbg_draw_unit_exponent(axis->unit, size);
    axis->unit_text = hbg_draw_unit_text(arena, axis->unit, axis->exponent);
    if (axis->offset == 0) return;
    char offset[HBG_DOUBLE_TEXT];
    hbg_base_double_print(offset, axis->offset);
    const char *unit = hbg_draw_unit_text(arena, axis->unit, 0);
    axis->unit_text = hbg_base_arena_print(arena, "%s%sfrom %s%s%s", axis->unit_text,
                                           *axis->unit_text ? ", " : "", offset, *unit ? " " : "", unit);
}

void hbg_draw_axis_scale(hbg_arena *arena, hbg_draw_axis *axis) {
    scale(arena, axis);
    if (axis->cut)
        axis->unit_text = hbg_base_arena_print(arena, "%s%scut at %g", axis->unit_text,
                                               *axis->unit_text ? ", " : "", LARGEST);
}

void hbg_draw_axis_span(hbg_draw_axis *axis, double start, double end) {
    double low = axis->logarithmic ? log10(axis->low) : axis->low;
    double high = axis->logarithmic ? log10(axis->high) : axis->high;
    axis->start = start;
    axis->end = end;
    axis->zero = low;
    axis->factor = (end - start) / (high - low);
}

double hbg_draw_axis_place(const hbg_draw_axis *axis, double value) {
    double place = axis->logarithmic ? log10(value) : value;
    place = axis->start + (place - axis->zero) * axis->factor;
    if (axis->start < axis->end) return fmax(axis->start, fmin(place, axis->end));
    return fmax(axis->end, fmin(place, axis->start));
}
