/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sensors: noise that is normal, white and the same everywhere; bias, drift, a value they are stuck at. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>

#include "rt/sensor.h"

enum { SAMPLES = 1 << 20 };

/* The definition with the functions of the C library, which are accurate to about an ulp. */
static double by_definition(uint64_t seed, uint64_t key, uint64_t sample) {
    uint64_t parts[] = {seed + UINT64_C(0x9E3779B97F4A7C15), key, UINT64_C(0x9E3779B97F4A7C15) * (sample + 1),
                        UINT64_C(0x9E3779B97F4A7C15)};
    uint64_t bits = 0, radius = 0;
    for (int i = 0; i < 4; i++) {
        bits = i == 1 ? bits ^ parts[i] : bits + parts[i];
        bits = (bits ^ bits >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        bits = (bits ^ bits >> 27) * UINT64_C(0x94D049BB133111EB);
        bits ^= bits >> 31;
        if (i == 2) radius = bits;
    }
    double u = ldexp((double)((radius >> 11) + 1), -53), v = ldexp((double)(bits >> 11), -53);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

static void noise_is_box_and_mullers(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        double value = hbg_rt_gauss(i % 7, i * i, i), expected = by_definition(i % 7, i * i, i);
        assert_true(fabs(value - expected) <= 4e-15 * fmax(1, fabs(expected)));
    }
}

/* Numbers from the definition in arithmetic with 50 digits, to 15 of them: all machines have to give the same
 * bits. */
static void noise_is_the_same_on_every_machine(void **state) {
    (void)state;
    assert_true(fabs(hbg_rt_gauss(1, 0, 0) - -1.00268023772176233) < 1e-15);
    assert_true(fabs(hbg_rt_gauss(1, 0, 1) - -0.33699522516627365) < 1e-15);
    assert_true(fabs(hbg_rt_gauss(42, hbg_rt_sensor_key("v_bat"), 1000) - 1.04931756871112123) < 1e-15);
}

static void noise_is_normal(void **state) {
    (void)state;
    double sum = 0, square = 0, fourth = 0;
    int beyond[4] = {0};
    for (int i = 0; i < SAMPLES; i++) {
        double x = hbg_rt_gauss(1, hbg_rt_sensor_key("v"), (uint64_t)i);
        sum += x;
        square += x * x;
        fourth += x * x * x * x;
        for (int k = 1; k < 4; k++) beyond[k] += fabs(x) > k;
    }
    double n = SAMPLES;
    assert_true(fabs(sum / n) < 5 / sqrt(n));
    assert_true(fabs(square / n - 1) < 5 * sqrt(2 / n));
    assert_true(fabs(fourth / n - 3) < 5 * sqrt(96 / n));
    for (int k = 1; k < 4; k++) {
        double expected = erfc(k / sqrt(2));
        assert_true(fabs(beyond[k] / n - expected) < 5 * sqrt(expected / n));
    }
}

/* Samples, sensors and seeds are independent of one another. */
static void noise_is_white(void **state) {
    (void)state;
    double n = SAMPLES / 4, next = 0, sensors = 0, seeds = 0;
    uint64_t a = hbg_rt_sensor_key("a"), b = hbg_rt_sensor_key("b");
    for (uint64_t i = 0; i < SAMPLES / 4; i++) {
        double x = hbg_rt_gauss(1, a, i);
        next += x * hbg_rt_gauss(1, a, i + 1);
        sensors += x * hbg_rt_gauss(1, b, i);
        seeds += x * hbg_rt_gauss(2, a, i);
    }
    assert_true(fabs(next / n) < 5 / sqrt(n));
    assert_true(fabs(sensors / n) < 5 / sqrt(n));
    assert_true(fabs(seeds / n) < 5 / sqrt(n));
}

static void a_sensor_without_faults_shows_the_truth(void **state) {
    (void)state;
    hbg_rt_sensor sensor = {.scale = 1};
    assert_true(hbg_rt_sensor_read(&sensor, 3, 0.3, 0.1) == 0.1);
}

static void faults_of_a_sensor_add_up(void **state) {
    (void)state;
    hbg_rt_sensor sensor = {.scale = 1.25, .scale_rate = 0.5, .bias = 3, .bias_rate = -2, .mean = 8};
    assert_true(hbg_rt_sensor_read(&sensor, 0, 0.5, 4) == 4 * 1.5 + 2 + 8);
    sensor.deviation = 2;
    sensor.seed = 5;
    sensor.key = 9;
    assert_true(hbg_rt_sensor_read(&sensor, 7, 0.5, 4) == 16 + 2 * hbg_rt_gauss(5, 9, 7));
    sensor.is_stuck = true;
    sensor.stuck = -1;
    assert_true(hbg_rt_sensor_read(&sensor, 7, 0.5, 4) == -1);
}

/* Mean 1/2, variance 1/12, each within five standard deviations of the sample; none outside. */
static void uniform_numbers_fill_their_range_evenly(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        double x = hbg_rt_uniform(1, hbg_rt_sensor_key("R1"), i);
        assert_true(x >= 0 && x < 1);
        sum += x;
        squares += (x - 0.5) * (x - 0.5);
    }
    assert_true(fabs(sum / COUNT - 0.5) < 5 * sqrt(1.0 / 12 / COUNT));
    assert_true(fabs(squares / COUNT - 1.0 / 12) < 5 * sqrt(1.0 / 180 / COUNT));
    assert_true(hbg_rt_uniform(1, 2, 3) != hbg_rt_uniform(2, 2, 3) &&
                hbg_rt_uniform(1, 2, 3) != hbg_rt_uniform(1, 3, 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_numbers_fill_their_range_evenly),
        cmocka_unit_test(noise_is_box_and_mullers),
        cmocka_unit_test(noise_is_the_same_on_every_machine),
        cmocka_unit_test(noise_is_normal),
        cmocka_unit_test(noise_is_white),
        cmocka_unit_test(a_sensor_without_faults_shows_the_truth),
        cmocka_unit_test(faults_of_a_sensor_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
