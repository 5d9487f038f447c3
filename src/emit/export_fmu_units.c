/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Units by their base units. All values are in coherent SI units, so that exponents are all there is: no factor, no offset. A unit is read
 * as hbg prints it: `kg·m^2/(s^3·A)`, `Pa·s/m^3`, `1/(N·m)`, `Wb/s`. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emit/export_fmu_impl.h"

const char *const hbg_emit_base_units[HBG_EMIT_BASE_UNITS] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

static const struct {
    const char *name;
    int8_t exponents[HBG_EMIT_BASE_UNITS]; /* kg m s A K mol cd rad */
} named[] = {
    {"1", {0}},
    {"kg", {1}},
    {"m", {0, 1}},
    {"s", {0, 0, 1}},
    {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}},
    {"mol", {0, 0, 0, 0, 0, 1}},
    {"cd", {0, 0, 0, 0, 0, 0, 1}},
    {"rad", {0, 0, 0, 0, 0, 0, 0, 1}},
    {"Hz", {0, 0, -1}},
    {"N", {1, 1, -2}},
    {"Pa", {1, -1, -2}},
    {"J", {1, 2, -2}},
    {"W", {1, 2, -3}},
    {"V", {1, 2, -3, -1}},
    {"Ohm", {1, 2, -3, -2}},
    {"S", {-1, -2, 3, 2}},
    {"F", {-1, -2, 4, 2}},
    {"H", {1, 2, -2, -2}},
    {"Wb", {1, 2, -2, -1}},
    {"T", {1, 0, -2, -1}},
    {"C", {0, 0, 1, 1}},
};

/* One symbol with its power; *at is behind it. */
static bool take_factor(const char **at, int sign, int exponents[HBG_EMIT_BASE_UNITS]) {
    size_t size = 0;
    long power = 1;
    while (isalnum((unsigned char)(*at)[size])) size++;
    size_t i = 0;
    while (i < sizeof named / sizeof *named &&
           (strlen(named[i].name) != size || memcmp(named[i].name, *at, size) != 0))
        i++;
    if (size == 0 || i == sizeof named / sizeof *named) return false;
    *at += size;
    if (**at == '^') {
        char *end;
        power = strtol(*at + 1, &end, 10);
        if (end == *at + 1 || power < -99 || power > 99) return false;
        *at = end;
    }
    for (int k = 0; k < HBG_EMIT_BASE_UNITS; k++) exponents[k] += sign * (int)power * named[i].exponents[k];
    return true;
}

bool hbg_emit_unit_exponents(const char *unit, int exponents[HBG_EMIT_BASE_UNITS]) {
    static const char dot[] = "·";
    int sign = 1, inside = 0;
    memset(exponents, 0, HBG_EMIT_BASE_UNITS * sizeof *exponents);
    for (const char *at = unit;;) {
        if (*at == '(') at++, inside++;
        if (!take_factor(&at, sign, exponents)) return false;
        if (*at == ')' && inside > 0) at++, inside--, sign = 1;
        if (*at == 0) return inside == 0;
        if (strncmp(at, dot, sizeof dot - 1) == 0) {
            at += sizeof dot - 1;
            if (inside == 0) sign = 1; // a quotient ends with its first factor
        } else if (*at == '/' && inside == 0) {
            at++;
            sign = -1;
        } else {
            return false;
        }
    }
}
