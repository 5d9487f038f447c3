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

void hbg_digits_of_double(double value, char digits[18], int32_t *exponent) {
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

size_t hbg_digits_layout(char *text, bool negative, const char *digits, int32_t exponent) {
    char *at = text;
    int32_t size = (int32_t)strlen(digits);
    int64_t scale = (int64_t)size + exponent - 1; /* power of ten of the first digit */
    if (negative) *at++ = '-';

    if (scale < -4 || scale > 15) {
        *at++ = digits[0];
        if (size > 1) *at++ = '.';
        memcpy(at, digits + 1, (size_t)size - 1);
        at += size - 1;
        at += snprintf(at, 16, "e%c%02lld", scale < 0 ? '-' : '+', (long long)(scale < 0 ? -scale : scale));
        return (size_t)(at - text);
    }

    int32_t whole = scale < 0 ? 0 : (int32_t)scale + 1; /* digits before the point */
    if (whole == 0) *at++ = '0';
    for (int32_t i = 0; i < whole; i++) *at++ = i < size ? digits[i] : '0';
    if (whole < size) *at++ = '.';
    for (int64_t i = scale + 1; i < 0; i++) *at++ = '0';
    for (int32_t i = whole; i < size; i++) *at++ = digits[i];
    *at = '\0';
    return (size_t)(at - text);
}

int hbg_double_print(char text[HBG_DOUBLE_TEXT], double value) {
    if (isnan(value)) return snprintf(text, HBG_DOUBLE_TEXT, "nan");
    if (isinf(value)) return snprintf(text, HBG_DOUBLE_TEXT, "%s", value < 0 ? "-inf" : "inf");
    if (value == 0) return snprintf(text, HBG_DOUBLE_TEXT, "%s", signbit(value) ? "-0" : "0");
    char digits[18];
    int32_t exponent;
    hbg_digits_of_double(fabs(value), digits, &exponent);
    return (int)hbg_digits_layout(text, value < 0, digits, exponent);
}
