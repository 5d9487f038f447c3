/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of dimensions, and their names. */
#include <string.h>

#include "model/model_impl.h"

#define SIXTH HBG_DIMENSION_DENOMINATOR

const hbg_dimension hbg_model_dimension_any = {{0}, false};
const hbg_dimension hbg_model_dimension_pure = {{0}, true};

hbg_dimension hbg_model_dimension_second(void) {
    return (hbg_dimension){{[2] = SIXTH}, true};
}

hbg_dimension hbg_model_dimension_joule(void) {
    return (hbg_dimension){{2 * SIXTH, SIXTH, -2 * SIXTH}, true};
}

hbg_dimension hbg_model_dimension_watt(void) {
    return (hbg_dimension){{2 * SIXTH, SIXTH, -3 * SIXTH}, true};
}

static bool same(hbg_dimension a, hbg_dimension b) {
    return memcmp(a.exponent, b.exponent, sizeof a.exponent) == 0;
}

bool hbg_model_dimension_agree(hbg_dimension a, hbg_dimension b) {
    return !a.known || !b.known || same(a, b);
}

bool hbg_model_dimension_is_pure(hbg_dimension a) {
    return a.known && same(a, hbg_model_dimension_pure);
}

/* a + sign·b in the exponents; a unit outside the range of an exponent is unknown. */
static hbg_dimension combine(hbg_dimension a, hbg_dimension b, int sign) {
    if (!a.known || !b.known) return hbg_model_dimension_any;
    hbg_dimension result = hbg_model_dimension_pure;
    for (int i = 0; i < HBG_BASE_UNITS; i++) {
        int exponent = a.exponent[i] + sign * b.exponent[i];
        if (exponent < INT8_MIN || exponent > INT8_MAX) return hbg_model_dimension_any;
        result.exponent[i] = (int8_t)exponent;
    }
    return result;
}

hbg_dimension hbg_model_dimension_multiply(hbg_dimension a, hbg_dimension b) {
    return combine(a, b, 1);
}

hbg_dimension hbg_model_dimension_divide(hbg_dimension a, hbg_dimension b) {
    return combine(a, b, -1);
}

bool hbg_model_dimension_power(hbg_dimension a, int numerator, int denominator, hbg_dimension *result) {
    *result = hbg_model_dimension_any;
    if (denominator == 0) return false;
    if (!a.known) return true;
    hbg_dimension power = hbg_model_dimension_pure;
    for (int i = 0; i < HBG_BASE_UNITS; i++) {
        int64_t scaled = (int64_t)a.exponent[i] * numerator;
        if (scaled % denominator != 0) return false;
        int64_t exponent = scaled / denominator;
        if (exponent < INT8_MIN || exponent > INT8_MAX) return false;
        power.exponent[i] = (int8_t)exponent;
    }
    *result = power;
    return true;
}

/* Coherent units with names, first match wins: m kg s A K. */
static const struct {
    int8_t exponent[5];
    const char *name;
} named[] = {
    {{1, 0, 0, 0, 0}, "m"},          {{0, 1, 0, 0, 0}, "kg"},        {{0, 0, 1, 0, 0}, "s"},
    {{0, 0, 0, 1, 0}, "A"},          {{0, 0, 0, 0, 1}, "K"},         {{2, 1, -3, -1, 0}, "V"},
    {{2, 1, -3, -2, 0}, "Ohm"},      {{-2, -1, 3, 2, 0}, "S"},       {{-2, -1, 4, 2, 0}, "F"},
    {{2, 1, -2, -2, 0}, "H"},        {{2, 1, -2, -1, 0}, "Wb"},      {{0, 1, -2, -1, 0}, "T"},
    {{0, 0, 1, 1, 0}, "C"},          {{1, 1, -2, 0, 0}, "N"},        {{2, 1, -2, 0, 0}, "J"},
    {{2, 1, -3, 0, 0}, "W"},         {{-1, 1, -2, 0, 0}, "Pa"},      {{1, 0, -1, 0, 0}, "m/s"},
    {{1, 0, -2, 0, 0}, "m/s^2"},     {{1, 1, -1, 0, 0}, "N·s"},      {{0, 1, -2, 0, 0}, "N/m"},
    {{0, 1, -1, 0, 0}, "N·s/m"},     {{0, -1, 2, 0, 0}, "m/N"},      {{2, 1, -1, 0, 0}, "N·m·s"},
    {{2, 1, 0, 0, 0}, "kg·m^2"},     {{-2, -1, 2, 0, 0}, "1/(N·m)"}, {{-1, 1, -1, 0, 0}, "Pa·s"},
    {{-4, 1, -1, 0, 0}, "Pa·s/m^3"}, {{4, -1, 2, 0, 0}, "m^3/Pa"},   {{-4, 1, 0, 0, 0}, "kg/m^4"},
    {{-2, -1, 3, 0, 1}, "K/W"},      {{2, 1, -2, 0, -1}, "J/K"},     {{2, 1, -3, 0, -1}, "W/K"},
    {{1, 1, -3, -1, 0}, "V/m"},      {{2, 1, -4, -1, 0}, "V/s"},
};

static const char *find_name(hbg_dimension dimension) {
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        bool equal = dimension.exponent[5] == 0 && dimension.exponent[6] == 0;
        for (int k = 0; k < 5 && equal; k++) equal = dimension.exponent[k] == SIXTH * named[i].exponent[k];
        if (equal) return named[i].name;
    }
    return NULL;
}

/* The factors whose exponent has this sign, joined by dots; their number. */
static int print_factors(hbg_buffer *buffer, hbg_dimension dimension, int sign) {
    static const char *const base[HBG_BASE_UNITS] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    static const int order[HBG_BASE_UNITS] = {1, 0, 2, 3, 4, 5, 6}; // kg·m, as engineers write it
    int count = 0;
    for (int i = 0; i < HBG_BASE_UNITS; i++) {
        int exponent = sign * dimension.exponent[order[i]];
        if (exponent <= 0) continue;
        if (count++ > 0) hbg_base_buffer_text(buffer, "·");
        hbg_base_buffer_text(buffer, base[order[i]]);
        if (exponent == SIXTH) continue;
        int divisor = exponent % 6 == 0 ? 6 : exponent % 3 == 0 ? 3 : exponent % 2 == 0 ? 2 : 1;
        if (divisor == SIXTH)
            hbg_base_buffer_print(buffer, "^%d", exponent / SIXTH);
        else
            hbg_base_buffer_print(buffer, "^(%d/%d)", exponent / divisor, SIXTH / divisor);
    }
    return count;
}

void hbg_model_dimension_print(hbg_buffer *buffer, hbg_dimension dimension) {
    if (!dimension.known) {
        hbg_base_buffer_text(buffer, "a bare number");
        return;
    }
    if (hbg_model_dimension_is_pure(dimension)) {
        hbg_base_buffer_text(buffer, "a pure number");
        return;
    }
    const char *name = find_name(dimension);
    if (name) {
        hbg_base_buffer_text(buffer, name);
        return;
    }
    const char *rate = find_name(hbg_model_dimension_multiply(dimension, hbg_model_dimension_second()));
    if (rate && dimension.exponent[2] != 0) { // a rate of change: Ohm/s, as one would write it
        hbg_base_buffer_print(buffer, strchr(rate, '/') ? "(%s)/s" : "%s/s", rate);
        return;
    }
    hbg_dimension root;
    const char *squared = hbg_model_dimension_power(dimension, 1, 2, &root) ? find_name(root) : NULL;
    if (squared && !strpbrk(squared, "/·^")) { // a variance: V^2
        hbg_base_buffer_print(buffer, "%s^2", squared);
        return;
    }
    int below = 0;
    for (int i = 0; i < HBG_BASE_UNITS; i++) below += dimension.exponent[i] < 0;
    if (print_factors(buffer, dimension, 1) == 0) hbg_base_buffer_text(buffer, "1");
    if (below == 0) return;
    hbg_base_buffer_text(buffer, below > 1 ? "/(" : "/");
    print_factors(buffer, dimension, -1);
    if (below > 1) hbg_base_buffer_text(buffer, ")");
}
