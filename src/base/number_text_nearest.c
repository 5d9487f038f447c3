/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The double nearest to an integer times a power of ten. If both are doubles, one machine operation rounds
 * correctly (Clinger); otherwise the product is taken to 128 bits, whose error rarely matters (Eisel and
 * Lemire); where it could, this gives up. */
#include <string.h>

#include "base/number_text_impl.h"

#define MANTISSA_BITS 52
#define EXACT_POWERS  22 /* 10^22 is the last power of ten that is a double */
#define MOST_BIASED   2046
#define SLACK         (2 * HBG_POWER_ERROR) /* more than the error of the product's upper 128 bits */

static const double powers[EXACT_POWERS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

#if HBG_HAS_WIDE
/* value · 2^exponent, with the first bit of value set, to a normal double. */
static bool round_wide(hbg_wide value, int32_t exponent, double *result) {
    int dropped = 127 - MANTISSA_BITS;
    hbg_wide half = (hbg_wide)1 << (dropped - 1);
    hbg_wide rest = value & (2 * half - 1);
    uint64_t mantissa = (uint64_t)(value >> dropped);
    if ((rest < half ? half - rest : rest - half) <= SLACK) return false;
    if (rest > half) mantissa++;

    /* a mantissa that was rounded up to 2^53 carries into the exponent, as it should */
    int32_t biased = exponent + 127 + 1023;
    if (biased < 1 || biased >= MOST_BIASED) return false;
    uint64_t bits = ((uint64_t)(biased - 1) << MANTISSA_BITS) + mantissa;
    memcpy(result, &bits, sizeof bits);
    return true;
}

/* digits · 10^exponent, neither of them 0 nor small. */
static bool multiply(uint64_t digits, int32_t exponent, double *value) {
    hbg_power power = hbg_base_power_of_ten(exponent);
    int zeros = __builtin_clzll(digits);
    uint64_t factor = digits << zeros;
    hbg_wide low = (hbg_wide)factor * (uint64_t)power.value;
    hbg_wide product = (hbg_wide)factor * (uint64_t)(power.value >> 64) + (uint64_t)(low >> 64);
    int32_t binary = power.exponent - zeros + 64;
    if (product >> 127 == 0) {
        product = product << 1 | (uint64_t)low >> 63;
        binary--;
    }
    return round_wide(product, binary, value);
}
#else
static bool multiply(uint64_t digits, int32_t exponent, double *value) {
    (void)digits, (void)exponent, (void)value;
    return false;
}
#endif

bool hbg_base_digits_nearest(uint64_t digits, int64_t exponent, double *value) {
    *value = 0;
    if (digits == 0) return true;
    if (digits >> (MANTISSA_BITS + 1) == 0 && exponent >= -EXACT_POWERS && exponent <= EXACT_POWERS) {
        *value = exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
        return true;
    }
    if (exponent < HBG_POWER_LEAST || exponent > HBG_POWER_MOST) return false;
    return multiply(digits, (int32_t)exponent, value);
}
