/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Units of an axis. Numbers from 0.1 to 9999 are not scaled; others take a prefix (mV, km/s) if the first
 * factor of the unit is a symbol that can have one, and a power of ten (10³ m²) if not: a prefix before m²
 * would mean something else. */
#include "draw/plot_impl.h"

#include <math.h>
#include <string.h>

#define LARGEST_PREFIX 24

static const char *const prefixes[] = {"y", "z", "a", "f", "p", "n", "µ", "m", "",
                                       "k", "M", "G", "T", "P", "E", "Z", "Y"};
static const char *const symbols[] = {"m",  "g",  "s",  "A",   "K",   "mol", "cd",  "rad", "sr", "Hz",
                                      "N",  "Pa", "J",  "W",   "C",   "V",   "F",   "Ω",   "S",  "Wb",
                                      "T",  "H",  "lm", "lx",  "Bq",  "Gy",  "Ohm", "ohm", "Nm", "eV",
                                      "VA", "Ah", "Wh", "bar", "var", "cal", "l",   "L"};
static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

/* The first factor of a unit: prefix, symbol, rest. */
typedef struct {
    int exponent;       /* of the prefix it has */
    const char *symbol; /* one of the table, NULL if no prefix may stand before it */
    const char *rest;
} first_factor;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_pure(const char *unit) {
    return !unit || !*unit || strcmp(unit, "1") == 0 || strcmp(unit, "a pure number") == 0;
}

static const char *find_symbol(const char *text, size_t size) {
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (strlen(symbols[i]) == size && memcmp(symbols[i], text, size) == 0) return symbols[i];
    return NULL;
}

/* Bytes of letters, also of µ, Ω and raised figures, but not of the point of a product. */
static size_t word_length(const char *text) {
    size_t size = 0;
    while (is_letter(text[size]) ||
           ((unsigned char)text[size] >= 0x80 && strncmp(text + size, "·", strlen("·")) != 0))
        size++;
    return size;
}

static first_factor split(const char *unit) {
    size_t size = word_length(unit);
    first_factor first = {0, find_symbol(unit, size), unit + size};
    if (*first.rest == '^' || *first.rest == '-' || is_digit(*first.rest))
        return (first_factor){0, NULL, unit};
    for (int i = 0; !first.symbol && i < (int)(sizeof prefixes / sizeof *prefixes); i++) {
        size_t length = strlen(prefixes[i]);
        if (length >= size || strncmp(unit, prefixes[i], length) != 0) continue;
        first.symbol = find_symbol(unit + length, size - length);
        first.exponent = 3 * i - LARGEST_PREFIX;
    }
    return first;
}

/* Whether 10^exponent of the unit has a usual name. A tonne is not called a megagram. */
static bool has_name(first_factor first, int exponent) {
    int sum = first.exponent + exponent;
    if (!first.symbol || sum < -LARGEST_PREFIX || sum > LARGEST_PREFIX) return false;
    return strcmp(first.symbol, "g") != 0 || sum <= 3;
}

int hbg_draw_unit_exponent(const char *unit, double largest) {
    if (!(largest > 0)) return 0;
    int exponent = 3 * (int)floor(log10(largest) / 3);
    bool named = !is_pure(unit) && has_name(split(unit), exponent);
    // a power of ten is harder to read than a prefix, and kiloseconds are unusual: these are used only for
    // longer numbers
    double from = named ? 0.1 : 0.01, to = named && strcmp(unit, "s") != 0 ? 1e4 : 1e5;
    if (largest >= from && largest < to) return 0;
    return exponent;
}

bool hbg_draw_unit_is_degree(const char *unit) {
    return unit && (strcmp(unit, "deg") == 0 || strcmp(unit, "°") == 0 || strcmp(unit, "degree") == 0);
}

static void add_raised(hbg_buffer *out, const char *digits, size_t size) {
    for (size_t i = 0; i < size; i++)
        hbg_base_buffer_text(out, digits[i] == '-' ? "⁻" : raised[digits[i] - '0']);
}

void hbg_draw_power_of_ten(hbg_buffer *out, int exponent) {
    char digits[16];
    size_t size = 0;
    if (exponent < 0) digits[size++] = '-';
    int rest = exponent < 0 ? -exponent : exponent;
    int unit = 1;
    while (unit <= rest / 10) unit *= 10;
    for (; unit > 0; unit /= 10) digits[size++] = (char)('0' + rest / unit % 10);
    hbg_base_buffer_text(out, "10");
    add_raised(out, digits, size);
}

/* The unit as it is set in print: kg·m/s², Ω. */
static void add_pretty(hbg_buffer *out, const char *unit) {
    while (*unit) {
        size_t size = word_length(unit);
        if (size == 3 && (memcmp(unit, "Ohm", 3) == 0 || memcmp(unit, "ohm", 3) == 0))
            hbg_base_buffer_text(out, "Ω");
        else if (size == 4 && memcmp(unit, "deg", 3) == 0 && (unit[3] == 'C' || unit[3] == 'F'))
            hbg_base_buffer_print(out, "°%c", unit[3]);
        else
            hbg_base_buffer_add(out, unit, size);
        unit += size;
        // an exponent, with ^ or directly after its symbol
        size_t sign = *unit == '^' ? 1 : 0;
        size_t digits = sign;
        if ((sign || size > 0) && unit[digits] == '-') digits++;
        size_t end = digits;
        while ((sign || size > 0) && is_digit(unit[end])) end++;
        if (end > digits) {
            add_raised(out, unit + sign, end - sign);
            unit += end;
        } else if (*unit == '*' || (*unit == '.' && !is_digit(unit[1]))) {
            hbg_base_buffer_text(out, "·");
            unit++;
        } else if (*unit && word_length(unit) == 0) {
            size_t length = hbg_base_utf8_length(unit, strnlen(unit, 4));
            hbg_base_buffer_add(out, unit, length > 0 ? length : 1);
            unit += length > 0 ? length : 1;
        }
    }
}

const char *hbg_draw_unit_text(hbg_arena *arena, const char *unit, int exponent) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    bool pure = is_pure(unit);
    first_factor first = pure ? (first_factor){0} : split(unit);
    if (exponent != 0 && !pure && has_name(first, exponent)) {
        hbg_base_buffer_text(&out, prefixes[(first.exponent + exponent + LARGEST_PREFIX) / 3]);
        add_pretty(&out, first.symbol);
        add_pretty(&out, first.rest);
        return out.data;
    }
    if (exponent != 0) hbg_draw_power_of_ten(&out, exponent);
    if (exponent != 0 && !pure) hbg_base_buffer_char(&out, ' ');
    if (hbg_draw_unit_is_degree(unit))
        hbg_base_buffer_text(&out, "°");
    else if (!pure)
        add_pretty(&out, unit);
    return out.data;
}
