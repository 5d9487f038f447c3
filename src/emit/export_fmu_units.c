/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Units by their base units. All values are in coherent SI units, so a unit has only exponents: no factor, no
 * offset. A unit is read as hbg prints it: `kg·m^2/(s^3·A)`, `Pa·s/m^3`, `1/(N·m)`, `Wb/s`, `(m/s^2)/s`. */
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

/* One symbol with its power; *at is moved past it. */
static bool take_symbol(const char **at, int sign, int exponents[HBG_EMIT_BASE_UNITS]) {
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

/* Signs of the open parts, the innermost last; units are nested only a few deep. */
typedef struct {
    int sign[8], depth;
} nesting;

/* One factor, with brackets that open before it and close after it. `sign`: of the factor in its part. */
static bool take_factor(const char **at, int sign, nesting *in, int exponents[HBG_EMIT_BASE_UNITS]) {
    for (; **at == '('; ++*at, sign = 1) {
        if (in->depth + 1 == sizeof in->sign / sizeof *in->sign) return false;
        in->sign[in->depth + 1] = in->sign[in->depth] * sign;
        in->depth++;
    }
    if (!take_symbol(at, in->sign[in->depth] * sign, exponents)) return false;
    for (; **at == ')'; ++*at)
        if (in->depth-- == 0) return false;
    return true;
}

/* A quotient ends with its first factor: kg·m/s·A is (kg·m/s)·A. */
bool hbg_emit_unit_exponents(const char *unit, int exponents[HBG_EMIT_BASE_UNITS]) {
    static const char dot[] = "·";
    nesting in = {.sign = {1}};
    int sign = 1;
    memset(exponents, 0, HBG_EMIT_BASE_UNITS * sizeof *exponents);
    for (const char *at = unit;;) {
        if (!take_factor(&at, sign, &in, exponents)) return false;
        if (*at == 0) return in.depth == 0;
        bool product = strncmp(at, dot, sizeof dot - 1) == 0;
        if (!product && *at != '/') return false;
        at += product ? sizeof dot - 1 : 1;
        sign = product ? 1 : -1;
    }
}
