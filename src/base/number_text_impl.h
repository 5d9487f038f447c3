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
 * those the nearest. digits has room for 18 bytes. */
void hbg_digits_of_double(double value, char digits[18], int32_t *exponent);

/* Room that hbg_digits_layout needs beyond the digits themselves. */
#define HBG_LAYOUT_EXTRA 32

/* Writes ±digits · 10^exponent the way people write numbers: plain where that is short, otherwise with an
 * exponent as in 7.5e-06. Returns the length. */
size_t hbg_digits_layout(char *text, bool negative, const char *digits, int32_t exponent);

#endif
