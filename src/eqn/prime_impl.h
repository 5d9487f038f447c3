/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers modulo a prime of 61 bits: whether a formula is 0 is told by its value there, with numbers drawn by lot in place of what it
 * reads; wrong with a probability of 1e-18. */
#ifndef HBG_EQN_PRIME_IMPL_H
#define HBG_EQN_PRIME_IMPL_H

#include <stdint.h>

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static inline uint64_t times(uint64_t a, uint64_t b) {
    return (uint64_t)((unsigned __int128)a * b % prime);
}

static inline uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = times(base, base))
        if (exponent & 1) result = times(result, base);
    return result;
}

static inline uint64_t inverse(uint64_t a) {
    return power(a, prime - 2);
}

static inline uint64_t plus(uint64_t a, uint64_t b) {
    return (a + b) % prime;
}

static inline uint64_t minus(uint64_t a) {
    return a == 0 ? 0 : prime - a;
}

#endif
