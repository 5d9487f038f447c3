/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic modulo the prime 2^61 - 1: exact elimination without fractions that grow. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

uint64_t hbg_base_modular_add(uint64_t a, uint64_t b) {
    return (a + b) % prime;
}

uint64_t hbg_base_modular_negate(uint64_t a) {
    return a == 0 ? 0 : prime - a;
}

uint64_t hbg_base_modular_multiply(uint64_t a, uint64_t b) {
    return (uint64_t)((unsigned __int128)a * b % prime);
}

static uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = hbg_base_modular_multiply(base, base))
        if (exponent & 1) result = hbg_base_modular_multiply(result, base);
    return result;
}

uint64_t hbg_base_modular_invert(uint64_t a) {
    if (a == 1 || a == prime - 1) return a; // the usual values
    return power(a, prime - 2);
}

uint64_t hbg_base_modular_decimal(hbg_decimal number) {
    uint64_t sum = 0;
    for (const char *digit = number.digits; *digit; digit++)
        sum = hbg_base_modular_add(hbg_base_modular_multiply(sum, 10), (uint64_t)(*digit - '0'));
    uint64_t ten = number.exponent < 0 ? hbg_base_modular_invert(10) : 10;
    uint64_t size = (uint64_t)(number.exponent < 0 ? -(int64_t)number.exponent : number.exponent);
    sum = hbg_base_modular_multiply(sum, power(ten, size));
    return number.negative ? hbg_base_modular_negate(sum) : sum;
}

uint64_t hbg_base_modular_double(double number) {
    int exponent;
    int64_t digits = (int64_t)ldexp(frexp(number, &exponent), 53);
    uint64_t size = (uint64_t)(digits < 0 ? -digits : digits) % prime;
    uint64_t two = exponent < 53 ? hbg_base_modular_invert(2) : 2;
    uint64_t value = hbg_base_modular_multiply(size, power(two, (uint64_t)abs(exponent - 53)));
    return digits < 0 ? hbg_base_modular_negate(value) : value;
}

uint64_t hbg_base_modular_draw(uint64_t seed) {
    uint64_t a = (seed + 1) * 0x9e3779b97f4a7c15u; // splitmix64
    a = (a ^ (a >> 30)) * 0xbf58476d1ce4e5b9u;
    a = (a ^ (a >> 27)) * 0x94d049bb133111ebu;
    return (a ^ (a >> 31)) % prime;
}
