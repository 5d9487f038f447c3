/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A number with a unit outside of a model, as options have it: `3ms`, `3 [ms]`, `0.003`. */
#include <string.h>

#include "lang/lang.h"
#include "lang/unit_impl.h"

/* The bytes of the number at the beginning of a text. */
static size_t number_size(const char *text, size_t size) {
    size_t at = 0;
    while (at < size && strchr("+-", text[at])) at++;
    while (at < size && strchr("0123456789.", text[at])) at++;
    size_t exponent = at + 1;
    if (at == size || (text[at] != 'e' && text[at] != 'E')) return at;
    if (exponent < size && strchr("+-", text[exponent])) exponent++;
    if (exponent == size || !strchr("0123456789", text[exponent])) return at;
    while (exponent < size && strchr("0123456789", text[exponent])) exponent++;
    return exponent;
}

static void trim(const char **text, size_t *size) {
    while (*size > 0 && strchr(" \t", **text)) (*text)++, (*size)--;
    while (*size > 0 && strchr(" \t", (*text)[*size - 1])) (*size)--;
}

bool hbg_lang_quantity(hbg_units *units, hbg_arena *arena, const char *text, size_t size, double *value,
                       hbg_dimension *dimension, const char **reason) {
    trim(&text, &size);
    size_t digits = number_size(text, size);
    const char *unit = text + digits, *near = NULL;
    size_t unit_size = size - digits;
    hbg_decimal number, si;
    hbg_unit of;
    *reason = "a number is expected, perhaps with a unit: `3ms`";
    if (!hbg_base_decimal_parse(arena, text, digits, &number)) return false;
    trim(&unit, &unit_size);
    if (unit_size >= 2 && unit[0] == '[' && unit[unit_size - 1] == ']') unit++, unit_size -= 2;
    *value = hbg_base_decimal_to_double(number);
    *dimension = hbg_model_dimension_any;
    if (unit_size == 0) return true;
    if (!hbg_lang_units_parse(units, arena, unit, unit_size, &of, reason, &near)) return false;
    *reason = "it is beyond all numbers";
    if (!hbg_lang_unit_to_si(arena, of, number, &si)) return false;
    *value = hbg_base_decimal_to_double(si);
    *dimension = of.dimension;
    return true;
}
