/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Exact decimals: literals and unit factors keep every digit until the very end, so that 7.5 [us] becomes
 * the double nearest to 7.5e-6 and proofs see the rational the user wrote. Products are schoolbook in
 * base 10^9, sums digit by digit. */
#include "base/base.h"

#include <math.h>
#include <string.h>

#include "base/number_text_impl.h"

#define LIMB       1000000000U
#define LIMB_SIZE  9
#define LIMB_COUNT ((HBG_DECIMAL_DIGITS + LIMB_SIZE - 1) / LIMB_SIZE)

/* Makes the canonical decimal of digits[0…size) · 10^exponent; false if it exceeds the limits. */
static bool canonical(hbg_arena *arena, const char *digits, size_t size, int64_t exponent, bool negative,
                      hbg_decimal *result) {
    while (size > 0 && *digits == '0') digits++, size--;
    while (size > 0 && digits[size - 1] == '0') size--, exponent++;
    *result = (hbg_decimal){.digits = "0"};
    if (size == 0) return true;
    if (size > HBG_DECIMAL_DIGITS) return false;
    if (exponent > HBG_DECIMAL_EXPONENT || exponent < -HBG_DECIMAL_EXPONENT) return false;
    result->digits = hbg_base_arena_copy(arena, digits, size);
    result->exponent = (int32_t)exponent;
    result->negative = negative;
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Digits around an optional point: the span of the significant ones, and where the point stands. */
typedef struct {
    const char *first, *last; /* first and last digit other than 0, or NULL */
    const char *point;        /* the point, or its implied place */
    const char *end;
    bool any; /* a digit at all */
} mantissa;

static mantissa mantissa_scan(const char *text, const char *end) {
    mantissa scan = {0};
    const char *at = text;
    for (; at < end; at++) {
        if (*at == '.' && scan.point == NULL) {
            scan.point = at;
        } else if (is_digit(*at)) {
            scan.any = true;
            if (*at != '0' && scan.first == NULL) scan.first = at;
            if (*at != '0') scan.last = at;
        } else {
            break;
        }
    }
    scan.end = at;
    if (scan.point == NULL) scan.point = at;
    return scan;
}

/* "e-6" up to the end of the text; an empty text is exponent 0. A huge exponent stops growing. */
static bool exponent_scan(const char *at, const char *end, int64_t *exponent) {
    *exponent = 0;
    if (at == end) return true;
    if (*at != 'e' && *at != 'E') return false;
    at++;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end) return false;
    for (; at < end; at++) {
        if (!is_digit(*at)) return false;
        if (*exponent < INT64_MAX / 100) *exponent = *exponent * 10 + (*at - '0');
    }
    if (negative) *exponent = -*exponent;
    return true;
}

bool hbg_base_decimal_parse(hbg_arena *arena, const char *text, size_t size, hbg_decimal *result) {
    *result = (hbg_decimal){.digits = "0"};
    const char *end = text + size;
    bool negative = size > 0 && *text == '-';
    if (size > 0 && (*text == '-' || *text == '+')) text++;
    mantissa scan = mantissa_scan(text, end);
    int64_t exponent;
    if (!scan.any || !exponent_scan(scan.end, end, &exponent)) return false;
    if (scan.first == NULL) return true;

    /* close the gap of the point inside the significant digits */
    char digits[HBG_DECIMAL_DIGITS];
    bool inside = scan.first < scan.point && scan.point < scan.last;
    size_t count = (size_t)(scan.last - scan.first) + (inside ? 0 : 1);
    if (count > sizeof digits) return false;
    size_t head = inside ? (size_t)(scan.point - scan.first) : count;
    memcpy(digits, scan.first, head);
    if (inside) memcpy(digits + head, scan.point + 1, count - head);

    /* the power of ten of the last digit */
    exponent += scan.last < scan.point ? scan.point - scan.last - 1 : scan.point - scan.last;
    return canonical(arena, digits, count, exponent, negative, result);
}

/* Limbs of a digit text, lowest first. */
static size_t limbs_of(const char *digits, size_t size, uint32_t *limbs) {
    size_t count = 0;
    while (size > 0) {
        size_t step = size < LIMB_SIZE ? size : LIMB_SIZE;
        uint32_t limb = 0;
        for (size_t i = size - step; i < size; i++) limb = limb * 10 + (uint32_t)(digits[i] - '0');
        limbs[count++] = limb;
        size -= step;
    }
    return count;
}

bool hbg_base_decimal_multiply(hbg_arena *arena, hbg_decimal a, hbg_decimal b, hbg_decimal *result) {
    uint32_t left[LIMB_COUNT], right[LIMB_COUNT], product[2 * LIMB_COUNT] = {0};
    char digits[2 * LIMB_COUNT * LIMB_SIZE];
    size_t a_size = strlen(a.digits), b_size = strlen(b.digits);
    HBG_ASSERT(a_size <= HBG_DECIMAL_DIGITS && b_size <= HBG_DECIMAL_DIGITS);
    size_t a_count = limbs_of(a.digits, a_size, left);
    size_t b_count = limbs_of(b.digits, b_size, right);
    for (size_t i = 0; i < a_count; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < b_count; j++) {
            carry += product[i + j] + (uint64_t)left[i] * right[j];
            product[i + j] = (uint32_t)(carry % LIMB);
            carry /= LIMB;
        }
        product[i + b_count] = (uint32_t)carry;
    }

    size_t size = (a_count + b_count) * LIMB_SIZE;
    for (size_t place = size, i = 0; place > 0; i++)
        for (int k = 0; k < LIMB_SIZE; k++, product[i] /= 10) digits[--place] = (char)('0' + product[i] % 10);
    int64_t exponent = (int64_t)a.exponent + b.exponent;
    return canonical(arena, digits, size, exponent, a.negative != b.negative, result);
}

static bool is_zero(hbg_decimal decimal) {
    return decimal.digits[0] == '0';
}

/* The power of ten just above the first digit. */
static int64_t top(hbg_decimal decimal) {
    return (int64_t)strlen(decimal.digits) + decimal.exponent;
}

static int compare_magnitude(hbg_decimal a, hbg_decimal b) {
    if (is_zero(a) || is_zero(b)) return is_zero(b) - is_zero(a);
    if (top(a) != top(b)) return top(a) < top(b) ? -1 : 1;
    /* canonical digits have no zeros at their end, so the order of texts is that of numbers */
    int order = strcmp(a.digits, b.digits);
    return (order > 0) - (order < 0);
}

int hbg_base_decimal_compare(hbg_decimal a, hbg_decimal b) {
    int order = compare_magnitude(a, b);
    if (a.negative == b.negative) return a.negative ? -order : order;
    return a.negative ? -1 : 1;
}

bool hbg_base_decimal_add(hbg_arena *arena, hbg_decimal a, hbg_decimal b, hbg_decimal *result) {
    if (is_zero(a) || is_zero(b)) {
        hbg_decimal same = is_zero(a) ? b : a;
        return canonical(arena, same.digits, strlen(same.digits), same.exponent, same.negative, result);
    }
    if (compare_magnitude(a, b) < 0) {
        hbg_decimal swapped = a;
        a = b;
        b = swapped;
    }

    /* Digits at the top cancel only if the tops are next to each other, and then both numbers lie within
     * HBG_DECIMAL_DIGITS + 1 places: anything wider has too many digits. */
    int32_t low = a.exponent < b.exponent ? a.exponent : b.exponent;
    int64_t width = top(a) - low;
    *result = (hbg_decimal){.digits = "0"};
    if (width > HBG_DECIMAL_DIGITS + 1) return false;

    /* b is added to or subtracted from a, from the lowest place up, with one more place for the carry */
    char digits[HBG_DECIMAL_DIGITS + 2];
    size_t size = (size_t)width + 1;
    memset(digits, '0', size);
    memcpy(digits + 1, a.digits, strlen(a.digits));
    int sign = a.negative == b.negative ? 1 : -1;
    int carry = 0;
    int64_t b_low = b.exponent - low, b_high = top(b) - low;
    for (int64_t place = b_low; place < width + 1; place++) {
        if (place >= b_high && carry == 0) break;
        int digit = place < b_high ? b.digits[b_high - 1 - place] - '0' : 0;
        char *cell = &digits[(int64_t)size - 1 - place];
        int sum = *cell - '0' + sign * digit + carry;
        carry = sum > 9 ? 1 : sum < 0 ? -1 : 0;
        *cell = (char)('0' + sum - 10 * carry);
    }
    return canonical(arena, digits, size, low, a.negative, result);
}

hbg_decimal hbg_base_decimal_of_double(hbg_arena *arena, double value) {
    HBG_ASSERT(isfinite(value));
    hbg_decimal result = {.digits = "0"};
    if (value == 0 || !isfinite(value)) return result;
    char digits[18];
    hbg_base_digits_of_double(fabs(value), digits, &result.exponent);
    result.digits = hbg_base_arena_copy(arena, digits, strlen(digits));
    result.negative = value < 0;
    return result;
}

double hbg_base_decimal_to_double(hbg_decimal decimal) {
    double magnitude = hbg_base_digits_to_double(decimal.digits, decimal.exponent);
    return decimal.negative ? -magnitude : magnitude;
}

void hbg_base_decimal_print(hbg_buffer *buffer, hbg_decimal decimal) {
    char text[HBG_DECIMAL_DIGITS + HBG_LAYOUT_EXTRA];
    HBG_ASSERT(strlen(decimal.digits) <= HBG_DECIMAL_DIGITS);
    size_t size = hbg_base_digits_layout(text, decimal.negative, decimal.digits, decimal.exponent);
    hbg_base_buffer_add(buffer, text, size);
}
