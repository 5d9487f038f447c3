/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of units, and values turned into SI. The size of a unit is kept as a quotient of decimals and a
 * power of pi, so that nothing is rounded before the one rounding to a double at the end: 60 [rpm] is the
 * double nearest to 2 pi, 36 [km/h] is 10.
 *
 * Invariant of every unit made here: the divisor is a positive integer of at most HBG_UNIT_DIVISOR_DIGITS
 * digits and not a multiple of ten, powers of ten being moved into the factor. */
#include "lang/unit_parts_impl.h"

#include <math.h>
#include <string.h>

const hbg_unit hbg_lang_unit_one = {
    .dimension = {.known = true},
    .factor = {.digits = "1"},
    .divisor = {.digits = "1"},
    .offset = {.digits = "0"},
};

static const char *const POWER_TOO_LARGE = "exponent out of range";
static const char *const NUMBER_TOO_LARGE = "its scale is out of range";

static bool is_zero(hbg_decimal decimal) {
    return decimal.digits[0] == '0';
}

static bool is_one(hbg_decimal decimal) {
    return strcmp(decimal.digits, "1") == 0 && decimal.exponent == 0 && !decimal.negative;
}

bool hbg_lang_unit_alone(const hbg_unit *unit) {
    return unit->logarithmic || !is_zero(unit->offset);
}

/* Most scales are 1: saves memory of the arena. */
static bool multiply(hbg_arena *arena, hbg_decimal a, hbg_decimal b, hbg_decimal *result) {
    if (is_one(a) || is_one(b)) {
        *result = is_one(a) ? b : a;
        return true;
    }
    return hbg_base_decimal_multiply(arena, a, b, result);
}

/* Restores the invariant. */
static bool settle(hbg_unit *unit, const char **reason) {
    if (unit->divisor.negative) {
        unit->divisor.negative = false;
        unit->factor.negative = !unit->factor.negative;
    }
    unit->factor.exponent -= unit->divisor.exponent;
    unit->divisor.exponent = 0;
    if (strlen(unit->divisor.digits) <= HBG_UNIT_DIVISOR_DIGITS &&
        unit->factor.exponent <= HBG_UNIT_EXPONENT_LIMIT && unit->factor.exponent >= -HBG_UNIT_EXPONENT_LIMIT)
        return true;
    *reason = NUMBER_TOO_LARGE;
    return false;
}

bool hbg_lang_unit_of_number(hbg_decimal number, hbg_unit *result, const char **reason) {
    if (is_zero(number)) {
        *reason = "a unit cannot be zero";
        return false;
    }
    *result = hbg_lang_unit_one;
    result->factor = number;
    return settle(result, reason);
}

bool hbg_lang_unit_multiply(hbg_arena *arena, const hbg_unit *a, const hbg_unit *b, hbg_unit *result,
                            const char **reason) {
    HBG_ASSERT(!hbg_lang_unit_alone(a) && !hbg_lang_unit_alone(b));
    const int limit = HBG_UNIT_POWER_LIMIT * HBG_DIMENSION_DENOMINATOR;
    hbg_unit product = hbg_lang_unit_one;
    product.pi_power = a->pi_power + b->pi_power;
    product.percents = a->percents + b->percents;
    bool fits = product.pi_power <= HBG_UNIT_PI_LIMIT && product.pi_power >= -HBG_UNIT_PI_LIMIT;
    for (int i = 0; i < HBG_BASE_UNITS; i++) {
        int exponent = a->dimension.exponent[i] + b->dimension.exponent[i];
        fits = fits && exponent <= limit && exponent >= -limit;
        if (fits) product.dimension.exponent[i] = (int8_t)exponent;
    }
    if (!fits) {
        *reason = POWER_TOO_LARGE;
        return false;
    }
    if (!multiply(arena, a->factor, b->factor, &product.factor) ||
        !multiply(arena, a->divisor, b->divisor, &product.divisor)) {
        *reason = NUMBER_TOO_LARGE;
        return false;
    }
    *result = product;
    return settle(result, reason);
}

static bool invert(const hbg_unit *a, hbg_unit *result, const char **reason) {
    hbg_unit inverse = *a;
    inverse.factor = a->divisor;
    inverse.divisor = a->factor;
    inverse.pi_power = -a->pi_power;
    inverse.percents = -a->percents;
    for (int i = 0; i < HBG_BASE_UNITS; i++)
        inverse.dimension.exponent[i] = (int8_t)-a->dimension.exponent[i];
    *result = inverse;
    return settle(result, reason);
}

bool hbg_lang_unit_power(hbg_arena *arena, const hbg_unit *a, int power, hbg_unit *result,
                         const char **reason) {
    if (power == 1) {
        *result = *a;
        return true;
    }
    HBG_ASSERT(!hbg_lang_unit_alone(a));
    if (power > HBG_UNIT_POWER_LIMIT || power < -HBG_UNIT_POWER_LIMIT) {
        *reason = POWER_TOO_LARGE;
        return false;
    }
    hbg_unit product = hbg_lang_unit_one;
    for (int i = 0; i < (power < 0 ? -power : power); i++)
        if (!hbg_lang_unit_multiply(arena, &product, a, &product, reason)) return false;
    *result = product;
    return power >= 0 || invert(&product, result, reason);
}

/* ---- values ------------------------------------------------------------------------------------- */

#define QUOTIENT_DIGITS 100 /* a longer quotient is cut: far more than a double can tell */

/* a / b by long division, b as the invariant has it. *exact: nothing was cut. */
static bool divide(hbg_arena *arena, hbg_decimal a, hbg_decimal b, hbg_decimal *result, bool *exact) {
    __extension__ typedef unsigned __int128 wide; /* ten times a divisor of 36 digits fits */
    wide divisor = 0, rest = 0;
    for (const char *digit = b.digits; *digit != '\0'; digit++) divisor = divisor * 10 + (wide)(*digit - '0');
    HBG_ASSERT(divisor != 0);

    char digits[QUOTIENT_DIGITS + 1];
    int count = 0, taken = 0, size = (int)strlen(a.digits);
    while (count < QUOTIENT_DIGITS && (taken < size || rest != 0)) {
        rest = rest * 10 + (wide)(taken < size ? a.digits[taken] - '0' : 0);
        taken++;
        int digit = (int)(rest / divisor);
        rest %= divisor;
        if (count > 0 || digit != 0) digits[count++] = (char)('0' + digit);
    }
    *exact = rest == 0 && taken >= size;

    /* a digit after the last stands for all that was cut, so that rounding goes in the right direction */
    if (!*exact) {
        digits[count++] = '1';
        taken++;
    }
    const char *text =
        hbg_base_arena_print(arena, "%.*se%lld", count, digits, (long long)a.exponent + size - taken);
    bool fine = hbg_base_decimal_parse(arena, text, strlen(text), result);
    result->negative = a.negative;
    return fine;
}

/* The shortest decimal of the nearest double. */
static bool rounded(hbg_arena *arena, double value, hbg_decimal *result) {
    if (!isfinite(value)) return false;
    *result = hbg_base_decimal_of_double(arena, value);
    return true;
}

/* Powers of pi from -HBG_UNIT_PI_LIMIT to HBG_UNIT_PI_LIMIT: with enough digits that a product with them
 * rounds to the same double as one with pi itself. */
static const char *const PI_POWERS[] = {
    "0.01026598225468433518915278326711869414182780185363826271816803547",
    "0.03225153443319948918442205268856368859306333614747807673458172222",
    "0.1013211836423377714438794632097276389043587746722465488456090319",
    "0.3183098861837906715377675267450287240689192914809128974953346881",
    "1",
    "3.141592653589793238462643383279502884197169399375105820974944592",
    "9.869604401089358618834490999876151135313699407240790626413349376",
    "31.00627668029982017547631506710139520222528856588510769414453810",
    "97.40909103400243723644033268870511124972758567268542169146785939",
};

/* What remains is to divide, and to multiply by a power of pi. */
static bool scale(hbg_arena *arena, hbg_unit unit, hbg_decimal value, hbg_decimal *scaled) {
    *scaled = value;
    if (!is_zero(unit.offset) && !hbg_base_decimal_add(arena, value, unit.offset, scaled)) return false;
    return is_zero(*scaled) || multiply(arena, *scaled, unit.factor, scaled);
}

bool hbg_lang_unit_multiple(hbg_arena *arena, hbg_unit unit, hbg_decimal value, hbg_multiple *result) {
    if (unit.logarithmic || unit.pi_power == 0) return false;
    *result = (hbg_multiple){.divisor = unit.divisor, .pi_power = unit.pi_power};
    return scale(arena, unit, value, &result->times) && !is_zero(result->times);
}

bool hbg_lang_unit_to_si(hbg_arena *arena, hbg_unit unit, hbg_decimal value, hbg_decimal *result) {
    if (unit.logarithmic) return rounded(arena, pow(10, hbg_base_decimal_to_double(value) / 20), result);

    hbg_decimal scaled;
    if (!scale(arena, unit, value, &scaled)) return false;
    *result = scaled;
    if (is_zero(scaled) || (unit.pi_power == 0 && is_one(unit.divisor))) return true;

    if (unit.pi_power != 0) {
        const char *text = PI_POWERS[unit.pi_power + HBG_UNIT_PI_LIMIT];
        hbg_decimal pi_power;
        if (!hbg_base_decimal_parse(arena, text, strlen(text), &pi_power)) return false;
        if (!hbg_base_decimal_multiply(arena, scaled, pi_power, &scaled)) return false;
    }
    hbg_decimal quotient;
    bool exact;
    if (!divide(arena, scaled, unit.divisor, &quotient, &exact)) return false;
    *result = quotient;
    if (exact && unit.pi_power == 0) return true;
    return rounded(arena, hbg_base_decimal_to_double(quotient), result);
}
