/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Our own table of units: SI with its prefixes, and what engineers write that udunits2 lacks, rounds, or
 * knows with values from before SI fixed them (eV). All sizes are exact. A name that udunits2 has too means
 * the same here, which a test checks by going through both. */
#include "lang/unit_parts_impl.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Quantities with their exponents of m kg s A K mol cd. */
#define QUANTITY_LIST(X)                                                                                     \
    X(PURE, 0, 0, 0, 0, 0, 0, 0)                                                                             \
    X(LENGTH, 1, 0, 0, 0, 0, 0, 0)                                                                           \
    X(AREA, 2, 0, 0, 0, 0, 0, 0)                                                                             \
    X(VOLUME, 3, 0, 0, 0, 0, 0, 0)                                                                           \
    X(VELOCITY, 1, 0, -1, 0, 0, 0, 0)                                                                        \
    X(MASS, 0, 1, 0, 0, 0, 0, 0)                                                                             \
    X(TIME, 0, 0, 1, 0, 0, 0, 0)                                                                             \
    X(FREQUENCY, 0, 0, -1, 0, 0, 0, 0)                                                                       \
    X(CURRENT, 0, 0, 0, 1, 0, 0, 0)                                                                          \
    X(TEMPERATURE, 0, 0, 0, 0, 1, 0, 0)                                                                      \
    X(AMOUNT, 0, 0, 0, 0, 0, 1, 0)                                                                           \
    X(LIGHT, 0, 0, 0, 0, 0, 0, 1)                                                                            \
    X(ILLUMINANCE, -2, 0, 0, 0, 0, 0, 1)                                                                     \
    X(CATALYSIS, 0, 0, -1, 0, 0, 1, 0)                                                                       \
    X(FORCE, 1, 1, -2, 0, 0, 0, 0)                                                                           \
    X(PRESSURE, -1, 1, -2, 0, 0, 0, 0)                                                                       \
    X(ENERGY, 2, 1, -2, 0, 0, 0, 0)                                                                          \
    X(ACTION, 2, 1, -1, 0, 0, 0, 0)                                                                          \
    X(POWER, 2, 1, -3, 0, 0, 0, 0)                                                                           \
    X(CHARGE, 0, 0, 1, 1, 0, 0, 0)                                                                           \
    X(VOLTAGE, 2, 1, -3, -1, 0, 0, 0)                                                                        \
    X(RESISTANCE, 2, 1, -3, -2, 0, 0, 0)                                                                     \
    X(CONDUCTANCE, -2, -1, 3, 2, 0, 0, 0)                                                                    \
    X(CAPACITANCE, -2, -1, 4, 2, 0, 0, 0)                                                                    \
    X(INDUCTANCE, 2, 1, -2, -2, 0, 0, 0)                                                                     \
    X(FLUX, 2, 1, -2, -1, 0, 0, 0)                                                                           \
    X(FLUX_DENSITY, 0, 1, -2, -1, 0, 0, 0)                                                                   \
    X(DOSE, 2, 0, -2, 0, 0, 0, 0)

typedef enum {
#define QUANTITY_ENUM(name, ...) name,
    QUANTITY_LIST(QUANTITY_ENUM)
#undef QUANTITY_ENUM
} unit_quantity;

static const int8_t EXPONENTS[][HBG_BASE_UNITS] = {
#define QUANTITY_EXPONENTS(name, ...) {__VA_ARGS__},
    QUANTITY_LIST(QUANTITY_EXPONENTS)
#undef QUANTITY_EXPONENTS
};

typedef enum { PLAIN = 0, TAKES_PREFIXES = 1, LOGARITHMIC = 2 } unit_flags;

/* size in SI = factor / divisor · pi^pi_power, decimals as text; NULL is 1, for the offset 0 */
typedef struct {
    const char *name;
    unit_quantity quantity;
    unit_flags flags;
    const char *factor, *divisor;
    int pi_power;
    const char *offset;
} unit_row;

#define ROW(name_, quantity_, flags_) .name = name_, .quantity = quantity_, .flags = flags_

static const unit_row ROWS[] = {
    /* SI */
    {ROW("m", LENGTH, TAKES_PREFIXES)},
    {ROW("g", MASS, TAKES_PREFIXES), .factor = "1e-3"},
    {ROW("s", TIME, TAKES_PREFIXES)},
    {ROW("A", CURRENT, TAKES_PREFIXES)},
    {ROW("K", TEMPERATURE, TAKES_PREFIXES)},
    {ROW("mol", AMOUNT, TAKES_PREFIXES)},
    {ROW("cd", LIGHT, TAKES_PREFIXES)},
    {ROW("rad", PURE, TAKES_PREFIXES)},
    {ROW("sr", PURE, TAKES_PREFIXES)},
    {ROW("Hz", FREQUENCY, TAKES_PREFIXES)},
    {ROW("N", FORCE, TAKES_PREFIXES)},
    {ROW("Pa", PRESSURE, TAKES_PREFIXES)},
    {ROW("J", ENERGY, TAKES_PREFIXES)},
    {ROW("W", POWER, TAKES_PREFIXES)},
    {ROW("C", CHARGE, TAKES_PREFIXES)},
    {ROW("V", VOLTAGE, TAKES_PREFIXES)},
    {ROW("F", CAPACITANCE, TAKES_PREFIXES)},
    {ROW("Ohm", RESISTANCE, TAKES_PREFIXES)},
    {ROW("ohm", RESISTANCE, TAKES_PREFIXES)},
    {ROW("\u03A9", RESISTANCE, TAKES_PREFIXES)}, /* Greek letter */
    {ROW("\u2126", RESISTANCE, TAKES_PREFIXES)}, /* ohm sign */
    {ROW("S", CONDUCTANCE, TAKES_PREFIXES)},
    {ROW("Wb", FLUX, TAKES_PREFIXES)},
    {ROW("T", FLUX_DENSITY, TAKES_PREFIXES)},
    {ROW("H", INDUCTANCE, TAKES_PREFIXES)},
    {ROW("lm", LIGHT, TAKES_PREFIXES)},
    {ROW("lx", ILLUMINANCE, TAKES_PREFIXES)},
    {ROW("Bq", FREQUENCY, TAKES_PREFIXES)},
    {ROW("Gy", DOSE, TAKES_PREFIXES)},
    {ROW("Sv", DOSE, TAKES_PREFIXES)},
    {ROW("kat", CATALYSIS, TAKES_PREFIXES)},

    /* products that are written as one word */
    {ROW("Nm", ENERGY, TAKES_PREFIXES)},
    {ROW("Nms", ACTION, TAKES_PREFIXES)},
    {ROW("As", CHARGE, TAKES_PREFIXES)},
    {ROW("Ah", CHARGE, TAKES_PREFIXES), .factor = "3600"},
    {ROW("Vs", FLUX, TAKES_PREFIXES)},
    {ROW("Ws", ENERGY, TAKES_PREFIXES)},
    {ROW("Wh", ENERGY, TAKES_PREFIXES), .factor = "3600"},
    {ROW("VA", POWER, TAKES_PREFIXES)},
    {ROW("var", POWER, TAKES_PREFIXES)},
    {ROW("rps", FREQUENCY, PLAIN), .factor = "2", .pi_power = 1},
    {ROW("rpm", FREQUENCY, PLAIN), .divisor = "30", .pi_power = 1},
    {ROW("mph", VELOCITY, PLAIN), .factor = "0.44704"},
    {ROW("psi", PRESSURE, PLAIN), .factor = "4.4482216152605", .divisor = "0.00064516"},

    /* time, volume, mass, pressure, energy */
    {ROW("min", TIME, PLAIN), .factor = "60"},
    {ROW("h", TIME, PLAIN), .factor = "3600"},
    {ROW("d", TIME, PLAIN), .factor = "86400"},
    {ROW("l", VOLUME, TAKES_PREFIXES), .factor = "1e-3"},
    {ROW("L", VOLUME, TAKES_PREFIXES), .factor = "1e-3"},
    {ROW("ha", AREA, PLAIN), .factor = "1e4"},
    {ROW("t", MASS, PLAIN), .factor = "1e3"},
    {ROW("bar", PRESSURE, TAKES_PREFIXES), .factor = "1e5"},
    {ROW("atm", PRESSURE, PLAIN), .factor = "101325"},
    {ROW("mmHg", PRESSURE, PLAIN), .factor = "133.322387415"},
    {ROW("e", CHARGE, PLAIN), .factor = "1.602176634e-19"},
    {ROW("eV", ENERGY, TAKES_PREFIXES), .factor = "1.602176634e-19"},

    /* English */
    {ROW("in", LENGTH, PLAIN), .factor = "0.0254"},
    {ROW("ft", LENGTH, PLAIN), .factor = "0.3048"},
    {ROW("yd", LENGTH, PLAIN), .factor = "0.9144"},
    {ROW("mi", LENGTH, PLAIN), .factor = "1609.344"},
    {ROW("lb", MASS, PLAIN), .factor = "0.45359237"},
    {ROW("lbf", FORCE, PLAIN), .factor = "4.4482216152605"},
    {ROW("knot", VELOCITY, PLAIN), .factor = "1852", .divisor = "3600"},

    /* angles */
    {ROW("deg", PURE, TAKES_PREFIXES), .divisor = "180", .pi_power = 1},
    {ROW("\u00B0", PURE, PLAIN), .divisor = "180", .pi_power = 1},
    {ROW("arcmin", PURE, PLAIN), .divisor = "10800", .pi_power = 1},
    {ROW("arcsec", PURE, PLAIN), .divisor = "648000", .pi_power = 1},
    {ROW("gon", PURE, PLAIN), .divisor = "200", .pi_power = 1},
    {ROW("rev", PURE, PLAIN), .factor = "2", .pi_power = 1},
    {ROW("turn", PURE, PLAIN), .factor = "2", .pi_power = 1},
    {ROW("pi", PURE, PLAIN), .pi_power = 1},
    {ROW("\u03C0", PURE, PLAIN), .pi_power = 1},

    /* temperatures with a separate zero */
    {ROW("degC", TEMPERATURE, PLAIN), .offset = "273.15"},
    {ROW("\u00B0C", TEMPERATURE, PLAIN), .offset = "273.15"},
    {ROW("degF", TEMPERATURE, PLAIN), .factor = "5", .divisor = "9", .offset = "459.67"},
    {ROW("\u00B0F", TEMPERATURE, PLAIN), .factor = "5", .divisor = "9", .offset = "459.67"},
    {ROW("degR", TEMPERATURE, PLAIN), .factor = "5", .divisor = "9"},

    /* ratios */
    {ROW("%", PURE, PLAIN), .factor = "0.01"},
    {ROW("ppm", PURE, PLAIN), .factor = "1e-6"},
    {ROW("ppb", PURE, PLAIN), .factor = "1e-9"},
    {ROW("dB", PURE, LOGARITHMIC)},
};

#define ROW_COUNT ((int)(sizeof ROWS / sizeof *ROWS))

/* Names before symbols, as udunits2 has it; `da` before `d`. */
static const hbg_unit_prefix PREFIXES[] = {
    {"quetta", 30, true},  {"ronna", 27, true},   {"yotta", 24, true},   {"zetta", 21, true},
    {"exa", 18, true},     {"peta", 15, true},    {"tera", 12, true},    {"giga", 9, true},
    {"mega", 6, true},     {"kilo", 3, true},     {"hecto", 2, true},    {"deka", 1, true},
    {"deca", 1, true},     {"deci", -1, true},    {"centi", -2, true},   {"milli", -3, true},
    {"micro", -6, true},   {"nano", -9, true},    {"pico", -12, true},   {"femto", -15, true},
    {"atto", -18, true},   {"zepto", -21, true},  {"yocto", -24, true},  {"ronto", -27, true},
    {"quecto", -30, true}, {"da", 1, false},      {"k", 3, false},       {"M", 6, false},
    {"G", 9, false},       {"m", -3, false},      {"u", -6, false},      {"n", -9, false},
    {"p", -12, false},     {"c", -2, false},      {"h", 2, false},       {"d", -1, false},
    {"T", 12, false},      {"P", 15, false},      {"E", 18, false},      {"Z", 21, false},
    {"Y", 24, false},      {"R", 27, false},      {"Q", 30, false},      {"f", -15, false},
    {"a", -18, false},     {"z", -21, false},     {"y", -24, false},     {"r", -27, false},
    {"q", -30, false},     {"\u00B5", -6, false}, {"\u03BC", -6, false}, /* micro sign and Greek mu */
};

#define PREFIX_COUNT ((int)(sizeof PREFIXES / sizeof *PREFIXES))

static const char NEAR_PREFIXES[] = "kMmunpGc"; /* prefixes worth suggesting: rare ones would fit any slip */

const hbg_unit_prefix *hbg_lang_unit_table_prefix(int index) {
    return index < PREFIX_COUNT ? &PREFIXES[index] : NULL;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

const char *hbg_lang_unit_table_after(const hbg_unit_prefix *prefix, const char *atom) {
    /* names are read in any case, as udunits2 reads them; symbols are not: m is not M */
    for (const char *p = prefix->text; *p != '\0'; p++, atom++)
        if (*p != (prefix->is_name ? lower(*atom) : *atom)) return NULL;
    return *atom != '\0' ? atom : NULL;
}

const char *hbg_lang_unit_table_name(int index, bool *prefixed) {
    if (index >= ROW_COUNT) return NULL;
    *prefixed = (ROWS[index].flags & TAKES_PREFIXES) != 0;
    return ROWS[index].name;
}

static hbg_decimal decimal(hbg_arena *arena, const char *text, hbg_decimal otherwise) {
    hbg_decimal result = otherwise;
    bool fine = text == NULL || hbg_base_decimal_parse(arena, text, strlen(text), &result);
    HBG_ASSERT(fine);
    (void)fine;
    return result;
}

static hbg_dimension dimension_of(const unit_row *row) {
    hbg_dimension dimension = {.known = true};
    for (int i = 0; i < HBG_BASE_UNITS; i++)
        dimension.exponent[i] = (int8_t)(EXPONENTS[row->quantity][i] * HBG_DIMENSION_DENOMINATOR);
    return dimension;
}

static hbg_unit unit_of(hbg_arena *arena, const unit_row *row) {
    hbg_unit unit = hbg_lang_unit_one;
    unit.dimension = dimension_of(row);
    unit.factor = decimal(arena, row->factor, unit.factor);
    unit.divisor = decimal(arena, row->divisor, unit.divisor);
    unit.factor.exponent -= unit.divisor.exponent;
    unit.divisor.exponent = 0;
    unit.pi_power = row->pi_power;
    unit.offset = decimal(arena, row->offset, unit.offset);
    unit.logarithmic = (row->flags & LOGARITHMIC) != 0;
    unit.percents = strcmp(row->name, "%") == 0;
    return unit;
}

static const unit_row *find(const char *name) {
    for (int i = 0; i < ROW_COUNT; i++)
        if (strcmp(ROWS[i].name, name) == 0) return &ROWS[i];
    return NULL;
}

bool hbg_lang_unit_table_find(hbg_arena *arena, const char *atom, hbg_unit *result) {
    const unit_row *found = find(atom);
    if (found != NULL) {
        *result = unit_of(arena, found);
        return true;
    }
    for (int i = 0; i < PREFIX_COUNT; i++) {
        if (PREFIXES[i].is_name) continue; /* `kilo` goes with `volt`, not with `V` */
        const char *rest = hbg_lang_unit_table_after(&PREFIXES[i], atom);
        found = rest != NULL ? find(rest) : NULL;
        if (found == NULL || (found->flags & TAKES_PREFIXES) == 0) continue;
        *result = unit_of(arena, found);
        result->factor.exponent += PREFIXES[i].exponent;
        return true;
    }
    return false;
}

static bool about(double a, double b) {
    return fabs(a - b) <= 8 * DBL_EPSILON * fabs(b);
}

bool hbg_lang_unit_table_match(hbg_arena *arena, hbg_dimension dimension, double scale, double offset,
                               hbg_unit *result) {
    for (int i = 0; i < ROW_COUNT; i++) {
        hbg_dimension have = dimension_of(&ROWS[i]);
        if (memcmp(have.exponent, dimension.exponent, sizeof have.exponent) != 0) continue;
        hbg_unit unit = unit_of(arena, &ROWS[i]);
        if (unit.logarithmic || !about(hbg_base_decimal_to_double(unit.offset), offset)) continue;
        double size = hbg_base_decimal_to_double(unit.factor) / hbg_base_decimal_to_double(unit.divisor) *
                      pow(M_PI, unit.pi_power);
        if (!about(scale, size)) continue;
        *result = unit;
        return true;
    }
    return false;
}

/* ---- did you mean ------------------------------------------------------------------------------- */

static bool equal_but_for_case(const char *a, const char *b) {
    while (*a != '\0' && lower(*a) == lower(*b)) a++, b++;
    return *a == *b;
}

static int agreeing(const char *a, const char *b) {
    int count = 0;
    for (; *a && *b; a++, b++) count += *a == *b;
    return count;
}

/* The candidate at `index`: every row without and with each of the prefixes worth suggesting, rows first.
 * NULL after the last, "" where there is none. */
static const char *candidate(int index, char text[HBG_UNIT_ATOM_LIMIT]) {
    int prefix = index / ROW_COUNT;
    const unit_row *row = &ROWS[index % ROW_COUNT];
    if (prefix > (int)strlen(NEAR_PREFIXES)) return NULL;
    if ((unsigned char)row->name[0] >= 0x80) return "";
    if (prefix == 0) return row->name;
    if ((row->flags & TAKES_PREFIXES) == 0) return "";
    snprintf(text, HBG_UNIT_ATOM_LIMIT, "%c%s", NEAR_PREFIXES[prefix - 1], row->name);
    return text;
}

/* Only names that are often the last of a product: `KWh` and `degg` are slips of another kind. `Km` and `Cm` are meant to be
 * km and cm. */
const char *hbg_lang_unit_table_split(hbg_arena *arena, const char *atom, const char **second) {
    static const char *const LAST[] = {"rad", "m", "s"};
    hbg_unit unit;
    size_t size = strlen(atom);
    for (size_t i = 0; i < sizeof LAST / sizeof *LAST; i++) {
        size_t rest = size - strlen(LAST[i]);
        if (size <= strlen(LAST[i]) || strcmp(atom + rest, LAST[i]) != 0) continue;
        const char *first = hbg_base_arena_copy(arena, atom, rest);
        bool doubled = rest > 0 && atom[rest - 1] == LAST[i][0];
        bool slip = strcmp(first, "K") == 0 || strcmp(first, "C") == 0 || doubled;
        *second = LAST[i];
        if (!slip && hbg_lang_unit_table_find(arena, first, &unit)) return first;
    }
    return NULL;
}

/* Short names from data sheets that are quotients: no misspelling leads to them. */
static const char *quotient_meant(const char *atom) {
    static const struct {
        const char *atom, *meant;
    } QUOTIENTS[] = {{"lpm", "L/min"}, {"gpm", "gallon/min"}, {"cfm", "ft^3/min"}, {"mps", "m/s"}};
    for (size_t i = 0; i < sizeof QUOTIENTS / sizeof *QUOTIENTS; i++)
        if (equal_but_for_case(QUOTIENTS[i].atom, atom)) return QUOTIENTS[i].meant;
    return NULL;
}

const char *hbg_lang_unit_table_near(hbg_arena *arena, const char *atom) {
    char text[HBG_UNIT_ATOM_LIMIT];
    const char *offer = quotient_meant(atom);
    if (offer) return offer;
    /* among those that differ only in case, the one that keeps more of the letters: `mv` is mV rather than
     * MV */
    const char *best = NULL;
    for (int i = 0; (offer = candidate(i, text)) != NULL; i++)
        if (equal_but_for_case(offer, atom) && (!best || agreeing(offer, atom) > agreeing(best, atom)))
            best = hbg_base_arena_copy(arena, offer, strlen(offer));
    if (best) return best;
    if (strlen(atom) < 2) return NULL; /* a slip in one letter leaves nothing of it */

    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, atom);
    for (int i = 0; (offer = candidate(i, text)) != NULL; i++) {
        if (*offer == '\0') continue;
        hbg_base_nearest_offer(&nearest, offer);
        if (nearest.best == text) nearest.best = hbg_base_arena_copy(arena, text, strlen(text));
    }
    return nearest.best;
}
