/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Doubles to text and back, in any locale: neither direction lets the C library write or read a decimal
 * point, whose shape depends on the locale. */
#include "base/number_text_impl.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

double hbg_digits_to_double(const char *digits, int32_t exponent) {
    char text[HBG_DECIMAL_DIGITS + 16];
    size_t size = strnlen(digits, HBG_DECIMAL_DIGITS);
    HBG_ASSERT(digits[size] == '\0');
    if (size <= HBG_SHORT_DIGITS) {
        uint64_t integer = 0;
        double value;
        for (size_t i = 0; i < size; i++) integer = integer * 10 + (uint64_t)(digits[i] - '0');
        if (hbg_digits_nearest(integer, exponent, &value)) return value;
    }
    memcpy(text, digits, size);
    snprintf(text + size, sizeof text - size, "e%d", (int)exponent);
    return strtod(text, NULL);
}

/* The digits of the value rounded to `count` of them. */
static void rounded_digits(double value, int count, char digits[18], int32_t *exponent) {
    char text[64];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    int size = 0;
    const char *at = text;
    for (; *at != 'e'; at++)
        if (*at >= '0' && *at <= '9') digits[size++] = *at;
    *exponent = (int32_t)strtol(at + 1, NULL, 10) - (size - 1);
    digits[size] = '\0';
}

static void zeros_drop(char *digits, int32_t *exponent) {
    size_t size = strlen(digits);
    for (; size > 1 && digits[size - 1] == '0'; size--) ++*exponent;
    digits[size] = '\0';
}

/* The next number of as many digits; false where a carry would lengthen it. */
static bool step_up(char *digits) {
    size_t place = strlen(digits);
    while (place > 0 && digits[place - 1] == '9') digits[--place] = '0';
    if (place == 0) return false;
    digits[place - 1]++;
    return true;
}

/* For the few values where the fast way gives up: by trying. */
static void find_digits(double value, char digits[18], int32_t *exponent) {
    /* every text of 15 digits survives a double, so fewer are found by dropping zeros; below the normal
     * range doubles are coarser */
    for (int count = value < DBL_MIN ? 1 : 15; count <= 17; count++) {
        rounded_digits(value, count, digits, exponent);
        if (hbg_digits_to_double(digits, *exponent) == value) break;
        /* above a power of two doubles lie twice as far apart as below: the upper neighbour may do */
        if (step_up(digits) && hbg_digits_to_double(digits, *exponent) == value) break;
    }
    zeros_drop(digits, exponent);
}

/* All eight, zeros in front too: in one word, halves first, then quarters, then digits, each beside the others. */
static inline void eight_print(char *digits, uint32_t integer) {
    uint64_t fours = integer / 10000 | (uint64_t)(integer % 10000) << 32;
    uint64_t hundreds = fours * 10486 >> 20 & 0x0000007f0000007fU;
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = twos * 103 >> 10 & 0x000f000f000f000fU;
    uint64_t all = (tens | (twos - 10 * tens) << 8) | 0x3030303030303030U;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    all = __builtin_bswap64(all);
#endif
    memcpy(digits, &all, sizeof all);
}

/* Returns how many digits there are, 17 at most. Most numbers that are computed have 16 or 17. */
static int integer_print(char digits[18], uint64_t integer) {
    char *at = digits;
    uint32_t high = (uint32_t)(integer < 100000000 ? integer : integer / 100000000);
    if (high >= 100000000) {
        *at++ = (char)('0' + high / 100000000);
        high %= 100000000;
    }
    if (at > digits || high >= 10000000) {
        eight_print(at, high);
        at += 8;
    } else {
        uint32_t power = 1;
        while (high / power >= 10) power *= 10;
        for (; power > 0; power /= 10) *at++ = (char)('0' + high / power % 10);
    }
    if (integer >= 100000000) {
        eight_print(at, (uint32_t)(integer % 100000000));
        at += 8;
    }
    *at = '\0';
    return (int)(at - digits);
}

int hbg_digits_of_double(double value, char digits[18], int32_t *exponent) {
    uint64_t integer;
    if (hbg_digits_shortest(value, &integer, exponent)) return integer_print(digits, integer);
    find_digits(value, digits, exponent);
    return (int)strlen(digits);
}

/* "e-06", at least two digits. Returns the end. */
static char *exponent_print(char *at, int64_t scale) {
    char digits[18];
    *at++ = 'e';
    *at++ = scale < 0 ? '-' : '+';
    uint64_t magnitude = (uint64_t)(scale < 0 ? -scale : scale);
    if (magnitude < 10) *at++ = '0';
    int size = integer_print(digits, magnitude);
    memcpy(at, digits, (size_t)size);
    return at + size;
}

static size_t layout(char *text, bool negative, const char *digits, int32_t size, int32_t exponent) {
    char *at = text;
    int64_t scale = (int64_t)size + exponent - 1; /* power of ten of the first digit */
    if (negative) *at++ = '-';

    if (scale < -4 || scale > 15) {
        *at++ = digits[0];
        if (size > 1) *at++ = '.';
        memcpy(at, digits + 1, (size_t)size - 1);
        at = exponent_print(at + size - 1, scale);
        *at = '\0';
        return (size_t)(at - text);
    }

    int32_t whole = scale < 0 ? 0 : (int32_t)scale + 1; /* digits before the point */
    int32_t taken = whole < size ? whole : size;
    if (whole == 0) *at++ = '0';
    memcpy(at, digits, (size_t)taken);
    at += taken;
    for (int32_t i = taken; i < whole; i++) *at++ = '0';
    if (whole < size) *at++ = '.';
    for (int64_t i = scale + 1; i < 0; i++) *at++ = '0';
    memcpy(at, digits + taken, (size_t)(size - taken));
    at += size - taken;
    *at = '\0';
    return (size_t)(at - text);
}

size_t hbg_digits_layout(char *text, bool negative, const char *digits, int32_t exponent) {
    return layout(text, negative, digits, (int32_t)strlen(digits), exponent);
}

static int copy_word(char text[HBG_DOUBLE_TEXT], const char *word) {
    size_t size = strlen(word);
    memcpy(text, word, size + 1);
    return (int)size;
}

/* Most numbers: digits on both sides of the point, `whole` of them before it. Copies are of one length, which costs less than to
 * look for the right one; what they bring along is overwritten. */
#define POINT_LAST 12
static int point_print(char text[HBG_DOUBLE_TEXT], bool negative, const char digits[18 + POINT_LAST],
                       int size, int whole) {
    char *at = text;
    *at = '-';
    at += negative;
    memcpy(at, digits, POINT_LAST);
    at[whole] = '.';
    memcpy(at + whole + 1, digits + whole, 18); // the NUL too
    return (int)(at - text) + size + 1;
}

int hbg_double_print(char text[HBG_DOUBLE_TEXT], double value) {
    if (!isfinite(value)) return copy_word(text, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    if (value == 0) return copy_word(text, signbit(value) ? "-0" : "0");
    char digits[18 + POINT_LAST] = {0};
    uint64_t integer;
    int32_t exponent;
    int size = hbg_digits_shortest(fabs(value), &integer, &exponent)
                   ? integer_print(digits, integer)
                   : hbg_digits_of_double(fabs(value), digits, &exponent);
    if (size + exponent > 0 && exponent < 0 && size + exponent <= POINT_LAST)
        return point_print(text, value < 0, digits, size, size + exponent);
    return (int)layout(text, value < 0, digits, size, exponent);
}
