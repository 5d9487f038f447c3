/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reading of a sensor: the true value with white Gaussian noise, bias, drift, or a value it is stuck at.
 *
 * Noise has no memory: a sample is a function of seed, sensor and number of the sample, so that runs in any
 * order, on any number of threads, and shortened runs see the same noise. The three are mixed to 64 bits by
 * the finalizer of SplitMix64; two such numbers make a normal one by the method of Box and Muller. Logarithm
 * and cosine are written here with the four operations and the square root, which IEEE 754 defines to the
 * last bit: C libraries differ in theirs. */
#include <math.h>

#include "rt/sensor.h"

static const double pi = 3.14159265358979323846;

/* ---- numbers ------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94D049BB133111EB);
    return bits ^ (bits >> 31);
}

static const uint64_t golden =
    UINT64_C(0x9E3779B97F4A7C15); /* 2^64 over the golden ratio: steps that spread */

/* ln of a number of (0, 1]: m·2^k with m close to 1, and 2·artanh((m − 1)/(m + 1)) of that. */
static double logarithm(double value) {
    static const double ln_2 = 0.693147180559945309417;
    int power;
    double m = frexp(value, &power); // exact
    if (m < 0.70710678118654752) {
        m *= 2;
        power--;
    }
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int k = 23; k >= 1; k -= 2)
        sum = sum * square + 1.0 / k; // |s| < 0.1716: the next term is below 1e-19
    return power * ln_2 + 2 * s * sum;
}

/* cos of 2π·turn for turn of [0, 1). */
static double cosine(double turn) {
    double eighth = turn * 8;                        // exact, like all of the reduction
    double away = eighth <= 4 ? eighth : 8 - eighth; // cos(−x) = cos x
    bool back = away > 2;
    if (back) away = 4 - away; // cos(π − x) = −cos x
    bool sine = away > 1;
    if (sine) away = 2 - away; // cos(π/2 − x) = sin x
    double x = away * (pi / 4), square = x * x, sum = 1;
    for (int k = 18; k >= 2; k -= 2) sum = 1 - sum * square / (double)(sine ? k * (k + 1) : k * (k - 1));
    double value = sine ? x * sum : sum;
    return back ? -value : value;
}

static uint64_t bits_of(uint64_t seed, uint64_t key, uint64_t sample) {
    return mix(mix(mix(seed + golden) ^ key) + golden * (sample + 1));
}

double hbg_rt_uniform(uint64_t seed, uint64_t key, uint64_t sample) {
    return (double)(bits_of(seed, key, sample) >> 11) * 0x1p-53; // exact: 53 bits
}

double hbg_rt_gauss(uint64_t seed, uint64_t key, uint64_t sample) {
    uint64_t bits = bits_of(seed, key, sample);
    double radius = (double)((bits >> 11) + 1) * 0x1p-53;       // exact: (0, 1]
    double turn = (double)(mix(bits + golden) >> 11) * 0x1p-53; // exact: [0, 1)
    return sqrt(-2 * logarithm(radius)) * cosine(turn);
}

/* ---- sensors ------------------------------------------------------------------------------------------ */

uint64_t hbg_rt_sensor_key(const char *name) {
    uint64_t key = UINT64_C(0xCBF29CE484222325); // FNV-1a
    for (; *name; name++) key = (key ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    return key;
}

double hbg_rt_sensor_read(const hbg_rt_sensor *sensor, int64_t sample, double t, double truth) {
    if (sensor->is_stuck) return sensor->stuck;
    double value = truth * (sensor->scale + sensor->scale_rate * t) + (sensor->bias + sensor->bias_rate * t);
    value += sensor->mean;
    if (sensor->deviation > 0)
        value += sensor->deviation * hbg_rt_gauss(sensor->seed, sensor->key, (uint64_t)sample);
    return value;
}
