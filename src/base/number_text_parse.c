/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Text to double without allocation, for long columns of numbers. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/number_text_impl.h"

#define EXPONENT_MOST ((int64_t)1 << 40) /* larger than needed, and far from overflow */

typedef struct {
    uint64_t integer; /* of the significant digits, while they fit */
    char digits[HBG_DECIMAL_DIGITS + 1];
    size_t count;     /* of significant digits */
    int64_t exponent; /* of the last of them */
    bool any;
} mantissa;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void add_digit(mantissa *m, char digit) {
    m->any = true;
    if (m->count == 0 && digit == '0') return;
    if (m->count < HBG_DECIMAL_DIGITS) {
        m->digits[m->count++] = digit;
        m->integer = m->integer * 10 + (uint64_t)(digit - '0');
        return;
    }
    /* the middle between two doubles has fewer digits: for the others it matters only whether all are 0 */
    m->exponent++;
    if (digit != '0') m->digits[m->count - 1] |= 1;
}

static const char *scan_mantissa(const char *at, const char *end, mantissa *m) {
    for (; at < end && is_digit(*at); at++) add_digit(m, *at);
    if (at == end || *at != '.') return at;
    for (at++; at < end && is_digit(*at); at++) {
        add_digit(m, *at);
        m->exponent--;
    }
    return at;
}

static bool scan_exponent(const char *at, const char *end, int64_t *exponent) {
    if (at == end) return true;
    if (*at != 'e' && *at != 'E') return false;
    at++;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end) return false;
    int64_t magnitude = 0;
    for (; at < end; at++) {
        if (!is_digit(*at)) return false;
        if (magnitude < EXPONENT_MOST) magnitude = magnitude * 10 + (*at - '0');
    }
    *exponent += negative ? -magnitude : magnitude;
    return true;
}

/* Whether the text is the word, in upper or lower case. */
static bool is_word(const char *text, size_t size, const char *word) {
    if (size != strlen(word)) return false;
    for (size_t i = 0; i < size; i++)
        if ((text[i] | 0x20) != word[i]) return false;
    return true;
}

static double nearest(mantissa *m) {
    double value;
    if (m->count <= HBG_SHORT_DIGITS && hbg_base_digits_nearest(m->integer, m->exponent, &value))
        return value;
    m->digits[m->count] = '\0';
    /* within these limits the exponent alone decides nothing, and it fits the type */
    int64_t limit = 10 * HBG_DECIMAL_DIGITS;
    int64_t exponent = m->exponent < -limit ? -limit : m->exponent > limit ? limit : m->exponent;
    return hbg_base_digits_to_double(m->digits, (int32_t)exponent);
}

bool hbg_base_double_parse(const char *text, size_t size, double *value) {
    const char *end = text + size;
    bool negative = size > 0 && *text == '-';
    if (size > 0 && (*text == '-' || *text == '+')) text++;
    size_t rest = (size_t)(end - text);

    mantissa m;
    m.integer = 0, m.count = 0, m.exponent = 0, m.any = false; /* the digits need not be cleared */
    const char *at = scan_mantissa(text, end, &m);
    if (m.any && scan_exponent(at, end, &m.exponent))
        *value = nearest(&m);
    else if (is_word(text, rest, "inf") || is_word(text, rest, "infinity"))
        *value = HUGE_VAL;
    else if (is_word(text, rest, "nan"))
        *value = (double)NAN;
    else
        return false;
    if (negative) *value = -*value;
    return true;
}
