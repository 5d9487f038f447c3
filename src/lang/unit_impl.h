/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Units as written in brackets: `5 [mH]`, `[m/s^2]`, `[kg.m2]`, `[degC]`. */
#ifndef HBG_LANG_UNIT_IMPL_H
#define HBG_LANG_UNIT_IMPL_H

#include "lang/lang.h"

/* value in SI = (value + offset) · factor / divisor · pi^pi_power; for a logarithmic unit (dB) the ratio
 * 10^(value/20). Offset, factor and divisor are exact; the offset comes first because only then it is a
 * decimal for degF, whose size is 5/9 K. */
typedef struct {
    hbg_dimension dimension; /* always known */
    hbg_decimal factor;
    hbg_decimal divisor; /* positive, exponent 0, at most HBG_UNIT_DIVISOR_DIGITS: km/h is 10/36 */
    int pi_power;
    hbg_decimal offset; /* degC: 273.15 */
    bool logarithmic;
    int percents; /* power of `%` in it: the only mark of a value given in % */
} hbg_unit;

#define HBG_UNIT_TEXT_LIMIT     256 /* bytes between the brackets */
#define HBG_UNIT_DIVISOR_DIGITS 36

/* Parses the text between the brackets. Failure: *reason says why and *near (may stay NULL) is the likely
 * intended text; both live in the arena or are constant. */
bool hbg_lang_units_parse(hbg_units *units, hbg_arena *arena, const char *text, size_t size, hbg_unit *result,
                          const char **reason, const char **near);

/* The value in SI: exact where it is a decimal (7.5 [us], 36 [km/h]), else the shortest decimal that reads as
 * the double nearest to it (180 [deg], 1 [km/h]). False: too many digits, or no decimal and beyond the range
 * of a double. The digits of the result may be those of the value or the unit. */
bool hbg_lang_unit_to_si(hbg_arena *arena, hbg_unit unit, hbg_decimal value, hbg_decimal *result);
/* What to_si rounds because pi is a factor; false: it is not, or there are too many digits. */
bool hbg_lang_unit_multiple(hbg_arena *arena, hbg_unit unit, hbg_decimal value, hbg_multiple *result);

#endif
