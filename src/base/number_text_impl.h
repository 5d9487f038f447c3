/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Digits and how they are laid out, shared by doubles and exact decimals. */
#ifndef HBG_NUMBER_TEXT_IMPL_H
#define HBG_NUMBER_TEXT_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads digits · 10^exponent to the nearest double, in any locale. At most HBG_DECIMAL_DIGITS digits. */
double hbg_digits_to_double(const char *digits, int32_t exponent);

/* Shortest digits, without needless zeros, that read back to the value, which is positive and finite; among
 * those the nearest. Returns how many there are; a NUL stands behind them. */
int hbg_digits_of_double(double value, char digits[18], int32_t *exponent);

/* Room that hbg_digits_layout needs beyond the digits themselves. */
#define HBG_LAYOUT_EXTRA 32

/* Writes ±digits · 10^exponent the way people write numbers: plain where that is short, otherwise with an
 * exponent as in 7.5e-06. Returns the length. */
size_t hbg_digits_layout(char *text, bool negative, const char *digits, int32_t exponent);

/* ---- fast ways, which know when they do not know ---------------------------------------------------- */

__extension__ typedef unsigned __int128 hbg_wide;

/* value · 2^exponent, value at least 2^127, is 10^power or less than it by no more than HBG_POWER_ERROR units
 * of value; nothing less where it is exact. */
#define HBG_POWER_LEAST (-351)
#define HBG_POWER_MOST  350
#define HBG_POWER_ERROR 4
typedef struct {
    hbg_wide value;
    int32_t exponent;
    bool exact;
} hbg_power;
hbg_power hbg_power_of_ten(int32_t power); /* from HBG_POWER_LEAST to HBG_POWER_MOST */

/* digits · 10^exponent is the shortest that reads back to the value, which is positive and finite; among
 * those the nearest. The digits do not end in 0. False, very rarely: the precision did not suffice. */
bool hbg_digits_shortest(double value, uint64_t *digits, int32_t *exponent);

/* Digits that fit 64 bits whatever they are. */
#define HBG_SHORT_DIGITS 19

/* The double nearest to digits · 10^exponent. False: not known, which is rare for common numbers. */
bool hbg_digits_nearest(uint64_t digits, int64_t exponent, double *value);

#endif
