/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers with units as engineers write them: four digits, a prefix if the unit takes one, Ω for Ohm. */
#include "emit/diagram_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 4

/* Units of one symbol, which take a prefix; the kilogram has one already. */
static bool takes_prefix(const char *unit) {
    static const char *const units[] = {"V", "A", "Ω", "S", "F",  "H", "Wb", "T",
                                        "C", "N", "J", "W", "Pa", "m", "s",  "N·m"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i]) == 0) return true;
    return false;
}

/* The nearest number with four digits. Whole numbers and powers of ten are exact here, so its shortest text
 * has no more digits than that. */
static double rounded(double value) {
    if (value == 0) return 0;
    int exponent = DIGITS - 1 - (int)floor(log10(fabs(value)));
    if (abs(exponent) > 22) return value;
    double scale = pow(10, abs(exponent));
    return exponent >= 0 ? round(value * scale) / scale : round(value / scale) * scale;
}

/* Units as text with the special characters a drawing can show. */
static const char *pretty_unit(hbg_arena *arena, const char *unit) {
    static const struct { const char *plain, *pretty; } signs[] = {{"Ohm", "Ω"}, {"^2", "²"}, {"^3", "³"}};
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, arena);
    while (*unit) {
        size_t taken = 0;
        for (size_t i = 0; i < sizeof signs / sizeof *signs && taken == 0; i++) {
            if (strncmp(unit, signs[i].plain, strlen(signs[i].plain)) != 0) continue;
            hbg_base_buffer_text(&buffer, signs[i].pretty);
            taken = strlen(signs[i].plain);
        }
        if (taken == 0) hbg_base_buffer_char(&buffer, *unit);
        unit += taken > 0 ? taken : 1;
    }
    return buffer.data;
}

/* The digits of an exponent, raised. */
static void raise_number(hbg_buffer *out, int number) {
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (number < 0) hbg_base_buffer_text(out, "⁻");
    number = abs(number);
    for (int scale = 100; scale > 0; scale /= 10)
        if (number >= scale) hbg_base_buffer_text(out, digits[number / scale % 10]);
}

/* Four digits; as a power of ten if there were too many zeros. */
static const char *number_text(hbg_arena *arena, double value) {
    hbg_buffer out;
    char digits[HBG_DOUBLE_TEXT];
    hbg_base_buffer_init(&out, arena);
    double size = rounded(fabs(value));
    if (value < 0) hbg_base_buffer_text(&out, "−");
    int exponent = size > 0 ? (int)floor(log10(size) + 1e-9) : 0;
    bool plain = size == 0 || (exponent >= -3 && exponent <= 4) || exponent > 300 || exponent < -300;
    if (plain) {
        hbg_base_double_print(digits, size);
        hbg_base_buffer_text(&out, digits);
        return out.data;
    }
    hbg_base_double_print(digits,
                          rounded(exponent > 0 ? size / pow(10, exponent) : size * pow(10, -exponent)));
    if (strcmp(digits, "1") != 0) hbg_base_buffer_print(&out, "%s·", digits);
    hbg_base_buffer_text(&out, "10");
    raise_number(&out, exponent);
    return out.data;
}

const char *hbg_emit_diagram_quantity(hbg_arena *arena, double value, const char *unit) {
    static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G"};
    const char *prefix = "";
    unit = pretty_unit(arena, unit);
    bool tenths = fabs(value) >= 0.1 && fabs(value) < 1; /* 0.6 V, not 600 mV */
    if (takes_prefix(unit) && value != 0 && !tenths) {
        int step = (int)floor(log10(fabs(rounded(value))) / 3 + 1e-9);
        if (step < -4) step = -4;
        if (step > 3) step = 3;
        prefix = prefixes[step + 4];
        value = step >= 0 ? value / pow(1000, step) : value * pow(1000, -step);
    }
    return hbg_base_arena_print(arena, *unit ? "%s %s%s" : "%s", number_text(arena, value), prefix, unit);
}
