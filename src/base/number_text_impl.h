/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Digits and their layout, shared by doubles and exact decimals. */
#ifndef HBG_NUMBER_TEXT_IMPL_H
#define HBG_NUMBER_TEXT_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/double_text_impl.h"

/* Reads digits · 10^exponent to the nearest double, in any locale. At most HBG_DECIMAL_DIGITS digits. */
double hbg_base_digits_to_double(const char *digits, int32_t exponent);

/* Shortest digits, without needless zeros, that read back to the value, which is positive and finite; among
 * those the nearest. Returns their number; a NUL follows them. */
int hbg_base_digits_of_double(double value, char digits[18], int32_t *exponent);

/* Room that hbg_base_digits_layout needs in addition to the digits. */
#define HBG_LAYOUT_EXTRA 32

/* Writes ±digits · 10^exponent in readable form: plain if that is short, otherwise with an exponent as in
 * 7.5e-06. Returns the length. */
size_t hbg_base_digits_layout(char *text, bool negative, const char *digits, int32_t exponent);

/* ---- fast methods, which detect when they fail ------------------------------------------------------ */

/* Range of powers of ten. */
#define HBG_POWER_LEAST (-351)
#define HBG_POWER_MOST  350
#define HBG_POWER_ERROR 4

/* number_text_power.c: 10^(HBG_POWER_LEAST + HBG_POWER_STEP·i), and 5^i, without their exponents */
typedef struct {
    uint64_t high, low;
} hbg_power_step;
enum { HBG_POWER_STEP = 27, HBG_POWER_STEPS = 26, HBG_POWER_SMALL = 32 };
extern const hbg_power_step hbg_base_power_steps[HBG_POWER_STEPS];
extern const uint64_t hbg_base_power_fives[HBG_POWER_STEP];
extern const hbg_power_step hbg_base_power_small[HBG_POWER_SMALL]; /* from 10^0 on, exact */

/* They need whole numbers of 128 bits. Machines without them use the slow method with the same digits. */
#if defined(__SIZEOF_INT128__)
#define HBG_HAS_WIDE 1
__extension__ typedef unsigned __int128 hbg_wide;

/* value · 2^exponent, value at least 2^127, is 10^power or less than it by at most HBG_POWER_ERROR units of
 * value; equal to it if `exact`. */
typedef struct {
    hbg_wide value;
    int32_t exponent;
    bool exact;
} hbg_power;

/* From HBG_POWER_LEAST to HBG_POWER_MOST. Rows of numbers are written with it: it is here to be inlined. */
static inline hbg_power hbg_base_power_of_ten(int32_t power) {
    /* the greatest e with 2^e ≤ 10^power, for |power| ≤ 400 */
    int32_t exponent = ((power * 1741647) >> 19) - 127;
    if ((uint32_t)power < HBG_POWER_SMALL) {
        const hbg_power_step *small = &hbg_base_power_small[power];
        return (hbg_power){(hbg_wide)small->high << 64 | small->low, exponent, true};
    }
    uint32_t place = (uint32_t)(power - HBG_POWER_LEAST);
    const hbg_power_step *step = &hbg_base_power_steps[place / HBG_POWER_STEP];
    uint64_t five = hbg_base_power_fives[place % HBG_POWER_STEP];
    hbg_wide low = (hbg_wide)step->low * five;
    hbg_wide product = (hbg_wide)step->high * five + (uint64_t)(low >> 64);
    /* both factors have their first bit set, so at most one bit of the product is missing at the top */
    if (product >> 127 == 0) product = product << 1 | (uint64_t)low >> 63;
    /* 5^55 is the last that has no more than 128 bits */
    return (hbg_power){.value = product, .exponent = exponent, .exact = power >= 0 && power <= 55};
}
#else
#define HBG_HAS_WIDE 0
#endif

/* digits · 10^exponent is the shortest that reads back to the value, which is positive and finite; among
 * those the nearest. The digits do not end in 0. False, very rarely: the precision does not suffice. */
bool hbg_base_digits_shortest(double value, uint64_t *digits, int32_t *exponent);
/* The same digits, 17 at most, possibly with zeros at their end. */
typedef struct {
    uint64_t digits;
    int32_t exponent;
    bool known;
} hbg_near;
hbg_near hbg_base_digits_near(double value);

/* This many digits always fit 64 bits. */
#define HBG_SHORT_DIGITS 19

/* The double nearest to digits · 10^exponent. False: not known, which is rare for common numbers. */
bool hbg_base_digits_nearest(uint64_t digits, int64_t exponent, double *value);

#endif
