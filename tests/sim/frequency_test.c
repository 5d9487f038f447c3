/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Frequency responses against their formulas. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sim.h"

static void assert_near(double complex value, double complex expected) {
    if (!(cabs(value - expected) <= 1e-12 * (cabs(expected) + 1e-300)))
        fail_msg("%.17g%+.17gj, not %.17g%+.17gj", creal(value), cimag(value), creal(expected),
                 cimag(expected));
}

static double complex respond(const hbg_sim_linear *linear, int32_t knob, int32_t output, double omega) {
    hbg_memory memory = {0};
    hbg_arena arena;
    double parts[2];
    double complex value;
    hbg_base_arena_init(&arena, &memory);
    assert_true(hbg_sim_frequency_response(&arena, linear, knob, output, &omega, 1, &parts[0], &parts[1]));
    hbg_base_arena_fini(&arena);
    assert_int_equal(memory.used, 0);
    memcpy(&value, parts, sizeof value); // also if a part is NaN
    return value;
}

/* q' = p/L, p' = u - q/C - (R/L)·p: voltage q/C is 1/(1 - ω²LC + jωRC) of u, in any units. */
static void a_resonant_circuit_follows_its_formula(void **state) {
    (void)state;
    const double L = 10e-3, C = 1e-9, R = 20;
    double a[] = {0, 1 / L, -1 / C, -R / L}, b[] = {0, 1}, c[] = {1 / C, 0}, d[] = {0};
    const hbg_sim_linear linear = {
        .state_count = 2, .knob_count = 1, .output_count = 1, .a = a, .b = b, .c = c, .d = d};
    for (double omega = 1; omega < 1e9; omega *= 7)
        assert_near(respond(&linear, 0, 0, omega), 1 / (1 - omega * omega * L * C + I * omega * R * C));
}

/* A chain of n lags, each fed by the one before: 1/(1 + jω)^n. */
static void a_chain_of_lags_is_a_power(void **state) {
    (void)state;
    enum { N = 30 };
    double *a = calloc(N * N, sizeof *a), b[2 * N] = {0}, c[2 * N] = {0}, d[] = {0, 0, 5, 0};
    assert_non_null(a);
    for (int i = 0; i < N; i++) {
        a[i * N + i] = -1;
        if (i > 0) a[i * N + i - 1] = 1;
    }
    b[1] = 1;         // of two knobs the second drives the first lag
    c[2 * N - 1] = 1; // of two outputs the second reads the last
    const hbg_sim_linear linear = {
        .state_count = N, .knob_count = 2, .output_count = 2, .a = a, .b = b, .c = c, .d = d};
    double complex power = 1;
    for (int i = 0; i < N; i++) power /= 1 + 0.3 * I;
    assert_near(respond(&linear, 1, 1, 0.3), power);
    assert_near(respond(&linear, 0, 1, 0.3), 5);
    free(a);
}

static void without_states_there_is_the_direct_way(void **state) {
    (void)state;
    double none[1] = {0}, d[] = {-2.5};
    const hbg_sim_linear linear = {
        .knob_count = 1, .output_count = 1, .a = none, .b = none, .c = none, .d = d};
    assert_near(respond(&linear, 0, 0, 3), -2.5);
}

static void a_pole_gives_no_number(void **state) {
    (void)state;
    double a[] = {0}, b[] = {1}, c[] = {1}, d[] = {0};
    const hbg_sim_linear linear = {
        .state_count = 1, .knob_count = 1, .output_count = 1, .a = a, .b = b, .c = c, .d = d};
    assert_true(isnan(creal(respond(&linear, 0, 0, 0))));
    assert_near(respond(&linear, 0, 0, 4), 1 / (4 * I));
}

static void a_matrix_with_no_numbers_has_no_response(void **state) {
    (void)state;
    double a[] = {NAN}, b[] = {1}, c[] = {1}, d[] = {0}, omega = 1, real, imaginary;
    const hbg_sim_linear linear = {
        .state_count = 1, .knob_count = 1, .output_count = 1, .a = a, .b = b, .c = c, .d = d};
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    assert_false(hbg_sim_frequency_response(&arena, &linear, 0, 0, &omega, 1, &real, &imaginary));
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resonant_circuit_follows_its_formula),
        cmocka_unit_test(a_chain_of_lags_is_a_power),
        cmocka_unit_test(without_states_there_is_the_direct_way),
        cmocka_unit_test(a_pole_gives_no_number),
        cmocka_unit_test(a_matrix_with_no_numbers_has_no_response),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
