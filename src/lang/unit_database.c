/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names that our table lacks, from the database of udunits2. Only its lookup of whole names is used, never
 * its parser: the grammar and the prefixes are ours, so a text cannot reach its clocks, logarithms and shifts
 * of origin. Its definition is taken apart by a visitor. Scales come as doubles that were multiplied up;
 * where the unit is a row of our table, by symbol or but for rounding (inch, turn), the exact row is taken.
 *
 * The database is a set of XML files that cost some milliseconds, so they are read when first needed. */
#include "lang/unit_parts_impl.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <udunits2.h>

struct hbg_units {
    ut_system *system; /* NULL: not read, or unreadable */
    bool tried;
};

hbg_units *hbg_lang_units_new(void) {
    return calloc(1, sizeof(hbg_units));
}

void hbg_lang_units_free(hbg_units *units) {
    if (units == NULL) return;
    if (units->system != NULL) ut_free_system(units->system);
    free(units);
}

static void load(hbg_units *units) {
    if (units->tried) return;
    units->tried = true;
    /* the handler belongs to the whole process: udunits2 has no other way to be quiet */
    ut_set_error_message_handler(ut_ignore);
    /* the numbers in the files have a decimal point, whatever the caller's locale */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) return;
    locale_t before = uselocale(plain);
    units->system = ut_read_xml(NULL);
    uselocale(before);
    freelocale(plain);
}

/* ---- a definition taken apart ------------------------------------------------------------------- */

/* Plain numbers only, so that nothing of udunits2 is held while the arena allocates. */
typedef struct {
    hbg_dimension dimension;
    double scale, offset; /* value in SI = (value + offset) · scale */
    bool logarithmic;
    char symbol[HBG_UNIT_ATOM_LIMIT + 1]; /* the symbol that udunits2 prefers for it; "" if none */
} unit_definition;

static ut_status add_base(unit_definition *definition, const ut_unit *base, int power) {
    static const char *const SYMBOLS[HBG_BASE_UNITS] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    const char *symbol = ut_get_symbol(base, UT_UTF8);
    for (int i = 0; symbol != NULL && i < HBG_BASE_UNITS; i++) {
        if (strcmp(symbol, SYMBOLS[i]) != 0) continue;
        if (power > HBG_UNIT_POWER_LIMIT || power < -HBG_UNIT_POWER_LIMIT) return UT_VISIT_ERROR;
        definition->dimension.exponent[i] = (int8_t)(power * HBG_DIMENSION_DENOMINATOR);
        return UT_SUCCESS;
    }
    /* the radian is a base unit there and a pure number here */
    return ut_is_dimensionless(base) ? UT_SUCCESS : UT_VISIT_ERROR;
}

static ut_status visit_basic(const ut_unit *unit, void *argument) {
    return add_base(argument, unit, 1);
}

static ut_status visit_product(const ut_unit *unit, int count, const ut_unit *const *bases, const int *powers,
                               void *argument) {
    (void)unit;
    ut_status status = UT_SUCCESS;
    for (int i = 0; i < count && status == UT_SUCCESS; i++) status = add_base(argument, bases[i], powers[i]);
    return status;
}

static ut_status visit_any(const ut_unit *unit, unit_definition *definition);

static ut_status visit_galilean(const ut_unit *unit, double scale, const ut_unit *underlying, double offset,
                                void *argument) {
    (void)unit;
    unit_definition *definition = argument;
    /* an offset below another does not occur: udunits2 merges them */
    if (definition->offset != 0) return UT_VISIT_ERROR;
    definition->scale *= scale;
    definition->offset = offset;
    return visit_any(underlying, definition);
}

static ut_status visit_timestamp(const ut_unit *unit, const ut_unit *time, double origin, void *argument) {
    (void)unit, (void)time, (void)origin, (void)argument;
    return UT_VISIT_ERROR;
}

static ut_status visit_logarithmic(const ut_unit *unit, double base, const ut_unit *reference,
                                   void *argument) {
    (void)unit, (void)base, (void)reference;
    ((unit_definition *)argument)->logarithmic = true;
    return UT_SUCCESS;
}

static ut_status visit_any(const ut_unit *unit, unit_definition *definition) {
    const ut_visitor visitor = {visit_basic, visit_product, visit_galilean, visit_timestamp,
                                visit_logarithmic};
    return ut_accept_visitor(unit, &visitor, definition);
}

/* Names in any case, symbols as they are. */
static bool look_up(const hbg_units *units, const char *name, bool names_only, unit_definition *result) {
    ut_unit *unit = ut_get_unit_by_name(units->system, name);
    if (unit == NULL && !names_only) unit = ut_get_unit_by_symbol(units->system, name);
    if (unit == NULL) return false;
    *result = (unit_definition){.dimension = {.known = true}, .scale = 1};
    bool fine = visit_any(unit, result) == UT_SUCCESS;
    const char *symbol = ut_get_symbol(unit, UT_UTF8);
    size_t size = symbol != NULL ? strlen(symbol) : 0;
    if (size < sizeof result->symbol) memcpy(result->symbol, symbol != NULL ? symbol : "", size);
    ut_free(unit);
    return fine && isfinite(result->scale) && result->scale != 0 && isfinite(result->offset);
}

/* ---- an atom ------------------------------------------------------------------------------------ */

static bool make_unit(hbg_arena *arena, const char *atom, const unit_definition *found, hbg_unit *result,
                      const char **reason) {
    if (found->logarithmic) {
        *reason =
            hbg_base_arena_print(arena, "`%s` is a logarithmic unit; the only one of these is dB", atom);
        return false;
    }
    /* by symbol if our value is a different one (electronvolt), by size if there is none (inch) */
    if (hbg_lang_unit_table_find(arena, found->symbol, result)) return true;
    if (hbg_lang_unit_table_match(arena, found->dimension, found->scale, found->offset, result)) return true;
    *result = hbg_lang_unit_one;
    result->dimension = found->dimension;
    result->factor = hbg_base_decimal_of_double(arena, found->scale);
    result->offset = hbg_base_decimal_of_double(arena, found->offset);
    return true;
}

bool hbg_lang_unit_database_find(hbg_units *units, hbg_arena *arena, const char *atom, hbg_unit *result,
                                 const char **reason) {
    load(units);
    if (units->system == NULL) {
        *reason = hbg_base_arena_print(arena,
                                       "there is no unit `%s` of our own, and the database of udunits2 "
                                       "with more of them cannot be read",
                                       atom);
        return false;
    }
    unit_definition found;
    if (look_up(units, atom, false, &found)) return make_unit(arena, atom, &found, result, reason);

    const hbg_unit_prefix *prefix;
    for (int i = 0; (prefix = hbg_lang_unit_table_prefix(i)) != NULL; i++) {
        const char *rest = hbg_lang_unit_table_after(prefix, atom);
        if (rest == NULL || !look_up(units, rest, prefix->is_name, &found) || found.offset != 0) continue;
        if (!make_unit(arena, atom, &found, result, reason)) return false;
        result->factor.exponent += prefix->exponent;
        return true;
    }
    *reason = hbg_base_arena_print(arena, "there is no unit `%s`", atom);
    return false;
}
