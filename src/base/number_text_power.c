/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Powers of ten to 126 bits and more. Every 27th is a constant, cut off below; the power of five that is
 * missing has 61 bits at most and is exact. So a power costs two multiplications and the tables stay
 * small. */
#include "base/number_text_impl.h"

#define STEP 27

static const struct {
    uint64_t high, low;
} steps[] = {
    {0x8049a4ac0c5811ae, 0x205b896d777d6278}, /* 10^-351 */
    {0xcf42894a5dce35ea, 0x52064cac828675b9}, /* 10^-324 */
    {0xa76c582338ed2621, 0xaf2af2b80af6f24e}, /* 10^-297 */
    {0x873e4f75e2224e68, 0x5a7744a6e804a291}, /* 10^-270 */
    {0xda7f5bf590966848, 0xaf39a475506a899e}, /* 10^-243 */
    {0xb080392cc4349dec, 0xbd8d794d96aacfb3}, /* 10^-216 */
    {0x8e938662882af53e, 0x547eb47b7282ee9c}, /* 10^-189 */
    {0xe65829b3046b0afa, 0x0cb4a5a3112a5112}, /* 10^-162 */
    {0xba121a4650e4ddeb, 0x92f34d62616ce413}, /* 10^-135 */
    {0x964e858c91ba2655, 0x3a6a07f8d510f86f}, /* 10^-108 */
    {0xf2d56790ab41c2a2, 0xfae27299423fb9c3}, /* 10^-81 */
    {0xc428d05aa4751e4c, 0xaa97e14c3c26b886}, /* 10^-54 */
    {0x9e74d1b791e07e48, 0x775ea264cf55347d}, /* 10^-27 */
    {0x8000000000000000, 0x0000000000000000}, /* 10^0 */
    {0xcecb8f27f4200f3a, 0x0000000000000000}, /* 10^27 */
    {0xa70c3c40a64e6c51, 0x999090b65f67d924}, /* 10^54 */
    {0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3}, /* 10^81 */
    {0xda01ee641a708de9, 0xe80e6f4820cc9495}, /* 10^108 */
    {0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f}, /* 10^135 */
    {0x8e41ade9fbebc27d, 0x14588f13be847307}, /* 10^162 */
    {0xe5d3ef282a242e81, 0x8f1668c8a86da5fa}, /* 10^189 */
    {0xb9a74a0637ce2ee1, 0x6d953e2bd7173692}, /* 10^216 */
    {0x95f83d0a1fb69cd9, 0x4abdaf101564f98e}, /* 10^243 */
    {0xf24a01a73cf2dccf, 0xbc633b39673c8cec}, /* 10^270 */
    {0xc3b8358109e84f07, 0x0a862f80ec4700c8}, /* 10^297 */
    {0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1}, /* 10^324 */
};

static const uint64_t fives[STEP] = {1,
                                     5,
                                     25,
                                     125,
                                     625,
                                     3125,
                                     15625,
                                     78125,
                                     390625,
                                     1953125,
                                     9765625,
                                     48828125,
                                     244140625,
                                     1220703125,
                                     6103515625,
                                     30517578125,
                                     152587890625,
                                     762939453125,
                                     3814697265625,
                                     19073486328125,
                                     95367431640625,
                                     476837158203125,
                                     2384185791015625,
                                     11920928955078125,
                                     59604644775390625,
                                     298023223876953125,
                                     1490116119384765625};

/* The greatest e with 2^e ≤ 10^power, for |power| ≤ 400. */
static int32_t floor_log2(int32_t power) {
    return (power * 1741647) >> 19;
}

hbg_power hbg_power_of_ten(int32_t power) {
    int32_t index = (power - HBG_POWER_LEAST) / STEP;
    int32_t rest = (power - HBG_POWER_LEAST) % STEP;
    uint64_t five = fives[rest] << __builtin_clzll(fives[rest]);
    hbg_wide low = (hbg_wide)steps[index].low * five;
    hbg_wide product = (hbg_wide)steps[index].high * five + (uint64_t)(low >> 64);
    /* both factors have their first bit set, so at most one bit of the product is missing at the top */
    if (product >> 127 == 0) product = product << 1 | (uint64_t)low >> 63;
    /* 5^55 is the last that has no more than 128 bits */
    return (hbg_power){
        .value = product, .exponent = floor_log2(power) - 127, .exact = power >= 0 && power <= 55};
}
