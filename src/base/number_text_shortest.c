/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The shortest decimal that reads back to a double, with one power of ten and integers. The scale is chosen
 * as in Giulietti's Schubfach: 10^k is the greatest power of ten not wider than the interval that rounds to
 * the value, so this interval contains a multiple of it, and at most one multiple of 10^(k+1), which is then
 * the shortest. Instead of using tables precise enough for every case, the powers have an error, and a
 * comparison too close for it gives up. */
#include <string.h>

#include "base/number_text_impl.h"

#define MANTISSA_BITS 52
#define LEAST_BINARY  (-1074) /* the exponent of the smallest double */
#define SLACK         8       /* more than all errors of a distance, in units of 2^-64 */

#if HBG_HAS_WIDE
/* Numbers in units of 10^k, with 64 bits after the point. */
typedef struct {
    hbg_wide value;
    hbg_wide below, above; /* how far the interval that rounds to the value reaches */
    hbg_wide slack;        /* error of a distance, at most */
    bool closed;           /* the ends round to the value too */
} interval;

typedef enum { OUTSIDE, INSIDE, UNSURE } verdict;

static verdict judge(const interval *i, hbg_wide distance, hbg_wide reach) {
    hbg_wide difference = distance < reach ? reach - distance : distance - reach;
    if (difference <= i->slack && i->slack > 0) return UNSURE;
    if (difference == 0) return i->closed ? INSIDE : OUTSIDE;
    return distance < reach ? INSIDE : OUTSIDE;
}

/* The value is c · 2^q. At a power of two the doubles below are half as far apart. */
static interval scale(uint64_t c, int32_t q, bool at_power, int32_t k) {
    hbg_power power = hbg_base_power_of_ten(-k);
    int shift = -(power.exponent + q) - 64; /* 60 to 63: 2^q/10^k is from 1 to 16 */
    hbg_wide low = (hbg_wide)c * (uint64_t)power.value;
    hbg_wide high = (hbg_wide)c * (uint64_t)(power.value >> 64) + (uint64_t)(low >> 64);
    bool cut = ((uint64_t)low & (((uint64_t)1 << shift) - 1)) != 0 ||
               (power.value & (((hbg_wide)1 << (shift + 2)) - 1)) != 0;
    return (interval){.value = high << (64 - shift) | (uint64_t)low >> shift,
                      .below = power.value >> (at_power ? shift + 2 : shift + 1),
                      .above = power.value >> (shift + 1),
                      .slack = power.exact && !cut ? 0 : SLACK,
                      .closed = c % 2 == 0};
}

/* The multiple of ten inside the interval, if there is one. */
static verdict find_ten(const interval *i, uint64_t *digits) {
    uint64_t down = (uint64_t)(i->value >> 64) / 10 * 10, up = down + 10;
    *digits = down;
    verdict inside = judge(i, i->value - ((hbg_wide)down << 64), i->below);
    if (inside != OUTSIDE) return inside;
    *digits = up;
    return judge(i, ((hbg_wide)up << 64) - i->value, i->above);
}

/* The nearest integer inside; of two equally near, the even one. */
static verdict find_one(const interval *i, uint64_t *digits) {
    uint64_t down = (uint64_t)(i->value >> 64);
    hbg_wide over = (uint64_t)i->value, under = ((hbg_wide)1 << 64) - over;
    hbg_wide difference = over < under ? under - over : over - under;
    if (difference <= 2 * i->slack && i->slack > 0) return UNSURE;
    bool go_up = over > under || (over == under && down % 2 == 1);
    verdict inside = go_up ? judge(i, under, i->above) : judge(i, over, i->below);
    if (inside == OUTSIDE) go_up = !go_up;
    *digits = go_up ? down + 1 : down;
    return inside == UNSURE ? UNSURE : INSIDE;
}

/* Most values: not at a power of two and without a close comparison. Distances have 60 bits after the point,
 * truncated, so two of them may be wrong by CUT together. False: a closer look is needed. */
#define CUT 4
static inline hbg_near find_plainly(uint64_t c, int32_t q, int32_t k) {
    hbg_power power = hbg_base_power_of_ten(-k);
    int shift = -(power.exponent + q) - 64;
    uint64_t low = (uint64_t)((hbg_wide)c * (uint64_t)power.value >> 64);
    hbg_wide high = (hbg_wide)c * (uint64_t)(power.value >> 64) + low;
    uint64_t whole = (uint64_t)(high >> 64) << (64 - shift) | (uint64_t)high >> shift, rest = whole % 10;
    uint64_t part = (uint64_t)high << (64 - shift) >> 4, one = (uint64_t)1 << 60;
    uint64_t reach = (uint64_t)(power.value >> 64) >> (shift - 59); /* up to 8 */
    uint64_t over = (rest << 60) + part, under = 10 * one - over;
    if (over < reach - CUT || under < reach - CUT)
        return (hbg_near){whole - rest + (over < reach ? 0 : 10), k, true};
    uint64_t up = part >> 59; // which of the two is closer is practically random: no branch
    uint64_t nearest = (part ^ -up) + up + (up << 60);
    bool close = (over <= reach + CUT) | (under <= reach + CUT) | (nearest + CUT >= one / 2) |
                 (nearest + CUT >= reach);
    return (hbg_near){whole + up, k, !close};
}

/* The logarithms of 2^q, and of three quarters of it, rounded down. */
static int32_t log10_of(int32_t q) {
    return (q * 1262611) >> 22;
}

static int32_t log10_of_most(int32_t q) {
    return (q * 1262611 - 524031) >> 22;
}

/* All others. */
static __attribute__((noinline, cold)) hbg_near find_closely(uint64_t c, int32_t biased) {
    bool at_power = c == 0 && biased > 1;
    int32_t q = biased > 0 ? LEAST_BINARY + biased - 1 : LEAST_BINARY;
    if (biased > 0) c |= (uint64_t)1 << MANTISSA_BITS;
    int32_t k = at_power ? log10_of_most(q) : log10_of(q);
    interval i = scale(c, q, at_power, k);
    uint64_t multiple = 0;
    verdict found = find_ten(&i, &multiple);
    if (found == OUTSIDE) found = find_one(&i, &multiple);
    return (hbg_near){multiple, k, found == INSIDE};
}

/* Any value but a small integer. */
static hbg_near find(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int32_t biased = (int32_t)(bits >> MANTISSA_BITS), q = LEAST_BINARY + biased - 1;
    uint64_t c = bits & (((uint64_t)1 << MANTISSA_BITS) - 1), hidden = (uint64_t)1 << MANTISSA_BITS;
    if (c != 0 && biased > 0) {
        hbg_near found = find_plainly(c | hidden, q, log10_of(q));
        if (found.known) return found;
    }
    return find_closely(c, biased);
}
#else
static hbg_near find(double value) {
    (void)value;
    return (hbg_near){.known = false};
}
#endif

hbg_near hbg_base_digits_near(double value) {
    /* no other integer up to here, so nothing shorter, rounds to the value */
    if (value < (double)((uint64_t)1 << (MANTISSA_BITS + 1)) && (double)(int64_t)value == value)
        return (hbg_near){(uint64_t)value, 0, true};
    return find(value);
}

bool hbg_base_digits_shortest(double value, uint64_t *digits, int32_t *exponent) {
    hbg_near found = hbg_base_digits_near(value);
    *digits = found.digits;
    *exponent = found.exponent;
    if (!found.known) return false;
    if (*digits % 100000000 == 0) *digits /= 100000000, *exponent += 8;
    while (*digits % 10 == 0) *digits /= 10, ++*exponent;
    return true;
}
