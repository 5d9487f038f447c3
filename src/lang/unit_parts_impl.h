/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files of units share: single names (unit_table.c, unit_database.c) and the arithmetic that makes
 * compound units of them (unit_value.c). An atom is one name without power: `mH`, `degC`, `furlong`. */
#ifndef HBG_LANG_UNIT_PARTS_IMPL_H
#define HBG_LANG_UNIT_PARTS_IMPL_H

#include "lang/unit_impl.h"

#define HBG_UNIT_ATOM_LIMIT     64   /* bytes of one name */
#define HBG_UNIT_POWER_LIMIT    20   /* of a base unit: in sixths it still fits an int8 */
#define HBG_UNIT_PI_LIMIT       4    /* power of pi, as in deg^4 */
#define HBG_UNIT_EXPONENT_LIMIT 1000 /* power of ten of a factor */

/* ---- arithmetic; never on units that stand alone (see hbg_lang_unit_alone) --------------------------- */

extern const hbg_unit hbg_lang_unit_one;
bool hbg_lang_unit_alone(const hbg_unit *unit); /* has an offset or is logarithmic: no part of a product */
bool hbg_lang_unit_of_number(hbg_decimal number, hbg_unit *result, const char **reason);
bool hbg_lang_unit_multiply(hbg_arena *arena, const hbg_unit *a, const hbg_unit *b, hbg_unit *result,
                            const char **reason);
bool hbg_lang_unit_power(hbg_arena *arena, const hbg_unit *a, int power, hbg_unit *result,
                         const char **reason);

/* ---- our own table ------------------------------------------------------------------------------ */

typedef struct {
    const char *text;
    int exponent; /* of ten */
    bool is_name; /* "kilo", not "k" */
} hbg_unit_prefix;

/* The prefix at `index`, names first; NULL after the last. */
const hbg_unit_prefix *hbg_lang_unit_table_prefix(int index);
/* What follows the prefix in the atom; NULL if it does not begin with it or nothing follows. */
const char *hbg_lang_unit_table_after(const hbg_unit_prefix *prefix, const char *atom);
/* The name of the row at `index` and whether it takes prefixes; NULL after the last. */
const char *hbg_lang_unit_table_name(int index, bool *prefixed);

/* The atom from our table, with or without prefix. */
bool hbg_lang_unit_table_find(hbg_arena *arena, const char *atom, hbg_unit *result);
/* The row that is (value + offset) · scale in a dimension, up to rounding of the doubles. */
bool hbg_lang_unit_table_match(hbg_arena *arena, hbg_dimension dimension, double scale, double offset,
                               hbg_unit *result);
/* Two names of our table run together, as in `Ns`: the first, and the second in *second; NULL for any other
 * atom. */
const char *hbg_lang_unit_table_split(hbg_arena *arena, const char *atom, const char **second);
/* The likely intended name in our table, or NULL. */
const char *hbg_lang_unit_table_near(hbg_arena *arena, const char *atom);

/* ---- udunits2 ----------------------------------------------------------------------------------- */

/* The atom from the database of udunits2, which is read now if it was not yet. */
bool hbg_lang_unit_database_find(hbg_units *units, hbg_arena *arena, const char *atom, hbg_unit *result,
                                 const char **reason);

#endif
