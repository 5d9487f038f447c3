/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Doubles to text and back, in any locale: neither direction lets the C library write or read a decimal
 * point, whose shape depends on the locale. */
#include "base/number_text_impl.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZEROS 0x3030303030303030U /* eight times '0' */

double hbg_base_digits_to_double(const char *digits, int32_t exponent) {
    char text[HBG_DECIMAL_DIGITS + 16];
    size_t size = strlen(digits);
    assert(size <= HBG_DECIMAL_DIGITS);
    if (size <= HBG_SHORT_DIGITS) {
        uint64_t integer = 0;
        double value;
        for (size_t i = 0; i < size; i++) integer = integer * 10 + (uint64_t)(digits[i] - '0');
        if (hbg_base_digits_nearest(integer, exponent, &value)) return value;
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

/* The next number with the same count of digits; false if a carry would lengthen it. */
static bool step_up(char *digits) {
    size_t place = strlen(digits);
    while (place > 0 && digits[place - 1] == '9') digits[--place] = '0';
    if (place == 0) return false;
    digits[place - 1]++;
    return true;
}

/* By trial, for the few values for which the fast method gives up. */
static void find_digits(double value, char digits[18], int32_t *exponent) {
    /* every text of 15 digits survives a double, so fewer are found by dropping zeros; below the normal
     * range doubles are coarser */
    for (int count = value < DBL_MIN ? 1 : 15; count <= 17; count++) {
        rounded_digits(value, count, digits, exponent);
        if (hbg_base_digits_to_double(digits, *exponent) == value) break;
        /* above a power of two doubles are twice as far apart as below: the upper neighbour may be the one */
        if (step_up(digits) && hbg_base_digits_to_double(digits, *exponent) == value) break;
    }
    zeros_drop(digits, exponent);
}

/* All eight, with leading zeros, the first in the lowest byte: halves first, then quarters, then digits,
 * computed in parallel. */
static inline uint64_t eight_digits(uint32_t integer) {
    uint64_t fours = integer / 10000 | (uint64_t)(integer % 10000) << 32;
    uint64_t hundreds = fours * 10486 >> 20 & 0x0000007f0000007fU;
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = twos * 103 >> 10 & 0x000f000f000f000fU;
    return (tens | (twos - 10 * tens) << 8) | ZEROS;
}

/* Eight characters, the first in the lowest byte. */
static inline void word_print(char *text, uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(text, &word, sizeof word);
}

static inline void eight_print(char *digits, uint32_t integer) {
    word_print(digits, eight_digits(integer));
}

/* Returns the number of digits, at most 17. Most computed numbers have 16 or 17. */
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

int hbg_base_digits_of_double(double value, char digits[18], int32_t *exponent) {
    uint64_t integer;
    if (hbg_base_digits_shortest(value, &integer, exponent)) return integer_print(digits, integer);
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

size_t hbg_base_digits_layout(char *text, bool negative, const char *digits, int32_t exponent) {
    return layout(text, negative, digits, (int32_t)strlen(digits), exponent);
}

static int copy_word(char text[HBG_DOUBLE_TEXT], const char *word) {
    size_t size = strlen(word);
    memcpy(text, word, size + 1);
    return (int)size;
}

/* ---- the common case ----------------------------------------------------------------------------------- */

static const uint64_t powers_of_ten[] = {1,
                                         10,
                                         100,
                                         1000,
                                         10000,
                                         100000,
                                         1000000,
                                         10000000,
                                         100000000,
                                         1000000000,
                                         10000000000,
                                         100000000000,
                                         1000000000000,
                                         10000000000000,
                                         100000000000000,
                                         1000000000000000,
                                         10000000000000000,
                                         100000000000000000};

static inline int digit_count(uint64_t integer) {
    int about = ((64 - __builtin_clzll(integer)) * 1233) >> 12; // log10 2, rounded down: exact or one less
    return about + (integer >= powers_of_ten[about]);
}

/* Seventeen digits, padded with zeros: two words and one more. */
typedef struct {
    uint64_t first, second;
    uint32_t last;
    int size; /* without zeros at the end */
} digit_words;

static inline digit_words words_of(uint64_t integer) {
    uint64_t rest = integer % 1000000000;
    digit_words of = {.first = eight_digits((uint32_t)(integer / 1000000000)),
                      .second = eight_digits((uint32_t)(rest / 10)),
                      .last = (uint32_t)(rest % 10)};
    /* the last character other than zero, counted in whole bytes */
    bool short_one = of.second == ZEROS;
    uint64_t tail = (short_one ? of.first : of.second) ^ ZEROS;
    int of_two = (short_one ? 8 : 16) - (int)((unsigned)__builtin_clzll(tail) / 8);
    of.size = of.last != 0 ? 17 : of_two;
    return of;
}

/* A point before character `place` of a word. The last one is pushed out. */
static inline uint64_t with_point(uint64_t word, int place) {
    uint64_t below = ((uint64_t)1 << 8 * place) - 1;
    return (word & below) | (uint64_t)'.' << 8 * place | (word & ~below) << 8;
}

/* ±integer · 10^exponent without an exponent, from words, so nothing that was just written is read again. 0:
 * it has to be written differently. Writes up to 32 characters. */
static inline int plain_print(char text[HBG_DOUBLE_TEXT], bool negative, uint64_t integer, int32_t exponent) {
    int count = digit_count(integer), scale = count + exponent - 1;
    if (scale < -4 || scale > 14) return 0;
    digit_words of = words_of(integer * powers_of_ten[17 - count]);
    char *at = text;
    *at = '-';
    at += negative;
    if (scale < 0) {
        memcpy(at, "0.000000", 8);
        at += 1 - scale;
        word_print(at, of.first);
        word_print(at + 8, of.second);
        word_print(at + 16, '0' + of.last);
        at[of.size] = '\0';
        return (int)(at - text) + of.size;
    }
    int whole = scale + 1;
    bool in_second = whole > 7, no_point = of.size <= whole;
    uint64_t first = in_second || no_point ? of.first : with_point(of.first, whole);
    uint64_t second = no_point    ? of.second
                      : in_second ? with_point(of.second, whole - 8)
                                  : of.second << 8 | of.first >> 56;
    word_print(at, first);
    word_print(at + 8, second);
    word_print(at + 16, (uint64_t)('0' + of.last) << 8 | of.second >> 56);
    int size = no_point ? whole : of.size + 1;
    at[size] = '\0';
    return (int)(at - text) + size;
}

static __attribute__((noinline, cold)) int print_otherwise(char text[HBG_DOUBLE_TEXT], double value) {
    char digits[18] = "";
    int32_t exponent;
    if (!isfinite(value)) return copy_word(text, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    if (value == 0) return copy_word(text, signbit(value) ? "-0" : "0");
    int size = hbg_base_digits_of_double(fabs(value), digits, &exponent);
    return (int)layout(text, value < 0, digits, size, exponent);
}

int hbg_base_double_print(char text[HBG_DOUBLE_TEXT], double value) {
    double size = fabs(value);
    if (!(size > 0 && size <= DBL_MAX)) return print_otherwise(text, value);
    hbg_near found = hbg_base_digits_near(size);
    int length = found.known ? plain_print(text, value < 0, found.digits, found.exponent) : 0;
    return length > 0 ? length : print_otherwise(text, value);
}
