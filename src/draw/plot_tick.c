/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ticks. Steps of 1, 2 and 5 times a power of ten (and of 15 to 720 for angles in degrees) are tried from the
 * smallest on until the numbers at them do not crowd; all ticks are whole multiples of the step, printed from
 * integers, so they are exact. A logarithmic axis has powers of ten, with 2 and 5 between them if there is
 * room. */
#include "draw/plot_impl.h"

#include <math.h>
#include <stdlib.h>

#define MOST_TICKS    100 /* of one try */
#define MOST_TRIES    60
#define CLOSEST       10.0 /* px between ticks of the first try */
#define LEAST_GAP     4.0  /* px between numbers if more would leave fewer than two */
#define CLOSEST_LINES 5.0  /* px between grid lines without a number */
#define MINUS         "−"
#define PLAIN_FROM    -3 /* powers of ten in between are written as numbers if all of an axis are */
#define PLAIN_TO      4

typedef HBG_VEC(hbg_draw_tick) tick_list;

/* ---- numbers --------------------------------------------------------------------------------------- */

/* number · 10^exponent in plain figures. Zero has no decimals, others have as many as the exponent
 * implies. */
static const char *plain_number(hbg_arena *arena, int64_t number, int exponent) {
    if (number == 0) return "0";
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    if (number < 0) hbg_base_buffer_text(&out, MINUS);
    char digits[64];
    int size = 0;
    for (int64_t rest = llabs(number); rest > 0 && size < 20; rest /= 10)
        digits[size++] = (char)('0' + rest % 10);
    int point = exponent < 0 ? -exponent : 0;
    while (size <= point && size < 60) digits[size++] = '0';
    for (int i = size - 1; i >= 0; i--) {
        hbg_base_buffer_char(&out, digits[i]);
        if (i == point && i > 0) hbg_base_buffer_char(&out, '.');
    }
    for (int i = 0; i < exponent; i++) hbg_base_buffer_char(&out, '0');
    return out.data;
}

static const char *power_number(hbg_arena *arena, int mantissa, int exponent) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    if (mantissa != 1) hbg_base_buffer_print(&out, "%d·", mantissa);
    hbg_draw_power_of_ten(&out, exponent);
    return out.data;
}

/* ---- room ------------------------------------------------------------------------------------------ */

/* Whether all texts keep their distance from their neighbours. Ticks are in order. */
static bool fits(const hbg_draw_axis *axis, const hbg_draw_tick *ticks, int32_t count, double gap,
                 bool horizontal) {
    for (int32_t i = 1; i < count; i++) {
        double between =
            fabs(hbg_draw_axis_place(axis, ticks[i].value) - hbg_draw_axis_place(axis, ticks[i - 1].value));
        double room = HBG_PLOT_SMALL;
        if (horizontal)
            room = (hbg_draw_text_width(ticks[i].text, HBG_PLOT_SMALL, false) +
                    hbg_draw_text_width(ticks[i - 1].text, HBG_PLOT_SMALL, false)) /
                   2;
        if (between < room + gap) return false;
    }
    return true;
}

static void keep(hbg_arena *arena, hbg_draw_axis *axis, const hbg_draw_tick *ticks, int32_t count) {
    for (int32_t i = 0; i < count; i++) HBG_PUSH(arena, axis->ticks, ticks[i]);
}

/* ---- linear ---------------------------------------------------------------------------------------- */

typedef struct {
    int mantissa, exponent;
} tick_step;

/* The steps in order of size; number 0 is one. */
static tick_step step_number(int number, bool degrees) {
    static const int angles[] = {15, 45, 90, 180, 360, 720};
    static const int mantissas[] = {1, 2, 5};
    if (degrees && number >= 3 && number <= 8) return (tick_step){angles[number - 3], 0};
    int power = number >= 0 ? number / 3 : -((2 - number) / 3);
    int place = number - 3 * power;
    HBG_ASSERT(place >= 0 && place < 3);
    return (tick_step){mantissas[place], power};
}

/* The ticks of one step; false if there are too many. */
static bool try_step(hbg_arena *arena, const hbg_draw_axis *axis, tick_step step, tick_list *ticks) {
    ticks->count = 0;
    double scale = pow(10, axis->exponent) * axis->per;
    double size = step.mantissa * pow(10, step.exponent);
    double first = ceil((axis->low - axis->offset) / scale / size - 1e-9);
    double last = floor((axis->high - axis->offset) / scale / size + 1e-9);
    if (!(last - first < MOST_TICKS && fabs(first) < 1e12)) return false;
    for (int64_t i = (int64_t)first; i <= (int64_t)last; i++) {
        // for powers below one, dividing by an exact power is more accurate than multiplying by a rounded one
        double value = (double)(i * step.mantissa);
        value = step.exponent < 0 ? value / pow(10, -step.exponent) : value * pow(10, step.exponent);
        value = axis->exponent < 0 ? value / pow(10, -axis->exponent) * axis->per : value * scale;
        hbg_draw_tick tick = {axis->offset + value, plain_number(arena, i * step.mantissa, step.exponent)};
        HBG_PUSH(arena, *ticks, tick);
    }
    return true;
}

static tick_list find_linear(hbg_arena *arena, const hbg_draw_axis *axis, double gap, bool horizontal) {
    double length = fmax(fabs(axis->end - axis->start), 1);
    double smallest = (axis->high - axis->low) / pow(10, axis->exponent) / axis->per * CLOSEST / length;
    int number = 3 * (int)floor(log10(smallest));
    bool degrees = hbg_draw_unit_is_degree(axis->unit) && axis->exponent == 0 && axis->offset == 0;
    tick_list ticks = {0};
    for (int i = 0; i < MOST_TRIES; i++) {
        if (!try_step(arena, axis, step_number(number + i, degrees), &ticks)) continue;
        if (fits(axis, ticks.items, ticks.count, gap, horizontal)) return ticks;
    }
    ticks.count = 0;
    return ticks;
}

static void make_linear(hbg_arena *arena, hbg_draw_axis *axis, double gap, bool horizontal) {
    tick_list ticks = find_linear(arena, axis, gap, horizontal);
    if (ticks.count < 2) ticks = find_linear(arena, axis, LEAST_GAP, horizontal);
    keep(arena, axis, ticks.items, ticks.count);
}

/* ---- logarithmic ----------------------------------------------------------------------------------- */

typedef struct {
    int first, last; /* powers of ten in the range */
    bool plain;
} decades;

static void add_decade(hbg_arena *arena, const hbg_draw_axis *axis, decades range, tick_step step,
                       tick_list *ticks) {
    double value = step.mantissa * pow(10, step.exponent);
    if (value < axis->low * (1 - 1e-9) || value > axis->high * (1 + 1e-9)) return;
    hbg_draw_tick tick = {value, range.plain ? plain_number(arena, step.mantissa, step.exponent)
                                             : power_number(arena, step.mantissa, step.exponent)};
    HBG_PUSH(arena, *ticks, tick);
}

/* Lines between the numbers: at 2 … 9 times the powers, or at the powers that have no number. */
static void add_lines(hbg_arena *arena, hbg_draw_axis *axis, decades range, int stride) {
    double decade = fabs(axis->factor);
    int mantissas = stride == 1 && decade * log10(10.0 / 9) >= CLOSEST_LINES / 2 ? 9 : 1;
    if (decade < CLOSEST_LINES) return;
    for (int power = range.first - 1; power <= range.last; power++) {
        for (int mantissa = 1; mantissa <= mantissas; mantissa++) {
            double value = mantissa * pow(10, power);
            if (value > axis->low && value < axis->high)
                HBG_PUSH(arena, axis->ticks, (hbg_draw_tick){value, NULL});
        }
    }
}

static void make_logarithmic(hbg_arena *arena, hbg_draw_axis *axis, double gap, bool horizontal) {
    static const int strides[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};
    decades range = {(int)ceil(log10(axis->low)), (int)floor(log10(axis->high)), false};
    range.plain = range.first >= PLAIN_FROM && range.last <= PLAIN_TO;
    tick_list ticks = {0};
    for (int power = range.first - 1; power <= range.last; power++)
        for (int i = 0; i < 3; i++) add_decade(arena, axis, range, step_number(3 * power + i, false), &ticks);
    int stride = 1;
    bool all = fits(axis, ticks.items, ticks.count, gap, horizontal);
    for (int i = 0; !all && i < (int)(sizeof strides / sizeof *strides); i++) {
        ticks.count = 0;
        stride = strides[i];
        for (int power = range.first; power <= range.last; power++)
            if (power % stride == 0) add_decade(arena, axis, range, (tick_step){1, power}, &ticks);
        if (fits(axis, ticks.items, ticks.count, gap, horizontal)) break;
    }
    add_lines(arena, axis, range, stride);
    keep(arena, axis, ticks.items, ticks.count);
}

void hbg_draw_axis_make_ticks(hbg_arena *arena, hbg_draw_axis *axis, double gap, bool horizontal) {
    axis->ticks.count = 0;
    if (axis->empty) return;
    if (hbg_draw_axis_has_decades(axis))
        make_logarithmic(arena, axis, gap, horizontal);
    else
        make_linear(arena, axis, gap, horizontal);
}
