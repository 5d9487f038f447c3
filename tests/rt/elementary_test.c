/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elementary functions: within a unit in the last place of the result of libm with eleven more bits, for
 * ordinary arguments, large ones, and those where a reduction loses most; exact if the answer is; special
 * values as in libm. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rt/operator.h"

static uint64_t seed;

static double uniform(double low, double high) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

/* In units of the last place of the correct value. */
static double error_of(double found, long double right) {
    int exponent;
    (void)frexpl(right, &exponent);
    if (exponent < DBL_MIN_EXP) exponent = DBL_MIN_EXP;
    return (double)(fabsl((long double)found - right) / ldexpl(1, exponent - DBL_MANT_DIG));
}

static void assert_near(const char *what, double x, double y, double found, long double right, double most) {
    double error = error_of(found, right);
    if (!(error <= most))
        fail_msg("%s of %a, %a is %a: %g units beside %La", what, x, y, found, error, right);
}

enum { TRIALS = 200000 };

static void exp_is_within_a_unit(void **state) {
    (void)state;
    seed = 88172645463325252u;
    for (int i = 0; i < TRIALS; i++) {
        double x = i % 2 ? uniform(-707, 707) : uniform(-2, 2);
        assert_near("exp", x, 0, hbg_rt_exp(x), expl(x), 0.52);
    }
}

static void log_is_within_a_unit(void **state) {
    (void)state;
    seed = 1234567;
    for (int i = 0; i < TRIALS; i++) {
        double x = i % 3 == 0 ? uniform(0, 3) : i % 3 == 1 ? uniform(0.98, 1.02) : exp(uniform(-700, 700));
        assert_near("log", x, 0, hbg_rt_ln(x), logl(x), 0.95);
    }
}

/* powl itself is accurate only to about one of its units, 2^-11 of ours, for moderate results. */
static void pow_is_within_a_unit(void **state) {
    (void)state;
    seed = 987654321;
    for (int i = 0; i < TRIALS; i++) {
        double x = i % 3 == 0 ? uniform(0, 3) : i % 3 == 1 ? uniform(0.99, 1.01) : exp(uniform(-50, 50));
        double y = i % 3 == 0 ? uniform(-4, 4) : i % 3 == 1 ? uniform(-4000, 4000) : uniform(-13, 13);
        long double right = powl(x, y);
        if (right < 1e-300L || right > 1e300L) continue;
        assert_near("pow", x, y, hbg_rt_pow(x, y), right, 0.75);
    }
}

static void sine_and_cosine_are_within_a_unit(void **state) {
    (void)state;
    seed = 5555555;
    for (int i = 0; i < TRIALS; i++) {
        double x = i % 2 ? uniform(-20, 20) : uniform(-1e9, 1e9);
        if (fabs(x) > 1e5 && fabsl(sinl(x)) < 1e-3L) continue; // the other reduces badly there
        if (fabs(x) > 1e5 && fabsl(cosl(x)) < 1e-3L) continue;
        assert_near("sin", x, 0, hbg_rt_sin(x), sinl(x), 0.95);
        assert_near("cos", x, 0, hbg_rt_cos(x), cosl(x), 0.95);
    }
}

/* Next to n·π/2 the sine equals the result of the reduction: x − n·π/2, with π/2 as a sum of three
 * numbers. */
static void next_to_a_zero_the_reduction_is_exact(void **state) {
    static const long double parts[] = {0x1.921fb544p0L, 0x1.0b4611a6p-34L, 0x1.3198a2e037073p-69L};
    (void)state;
    for (int n = 1; n < 3000; n++) {
        double x = n * 1.5707963267948966;
        long double left = ((x - n * parts[0]) - n * parts[1]) - n * parts[2];
        long double right = n % 4 == 1 || n % 4 == 2 ? -left : left;
        double found = n % 2 ? hbg_rt_cos(x) : hbg_rt_sin(x);
        if (fabsl(left) < 1e-16L) continue; // the remainder of the parts matters
        assert_near(n % 2 ? "cos" : "sin", x, 0, found, right, 0.7);
    }
}

static void exact_answers_are_exact(void **state) {
    (void)state;
    assert_true(hbg_rt_exp(0) == 1 && hbg_rt_ln(1) == 0 && hbg_rt_sin(0) == 0 && hbg_rt_cos(0) == 1);
    for (int i = 1; i < 20; i++) {
        assert_true(hbg_rt_pow(i, 0) == 1 && hbg_rt_pow(i, 1) == i && hbg_rt_pow(i, 2) == i * i);
        assert_true(hbg_rt_pow(i * i, 0.5) == i && hbg_rt_pow(2, -i) == ldexp(1, -i));
        assert_true(hbg_rt_pow(1, i * 1.7) == 1);
    }
}

static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void what_is_special_is_as_in_libm(void **state) {
    static const double odd[] = {0,         -0.0,     1,       -1,    2,      -2,   3,      0.5,    -0.5,
                                 DBL_MIN,   4.9e-324, DBL_MAX, 709.8, -745.2, 1e10, 1e300,  -1e300, INFINITY,
                                 -INFINITY, NAN,      708,     -708,  4096,   5000, 0x1p30, 0x1p40};
    int count = (int)(sizeof odd / sizeof *odd);
    (void)state;
    for (int i = 0; i < count; i++) {
        double x = odd[i];
        if (!(fabs(x) < 708)) assert_true(same(hbg_rt_exp(x), exp(x)));
        if (!(x >= DBL_MIN)) assert_true(same(hbg_rt_ln(x), log(x)));
        if (!(fabs(x) < 0x1p30)) assert_true(same(hbg_rt_sin(x), sin(x)) && same(hbg_rt_cos(x), cos(x)));
        for (int k = 0; k < count; k++)
            if (!(x >= DBL_MIN) || !isfinite(odd[k]) || x == 1)
                assert_true(same(hbg_rt_pow(x, odd[k]), pow(x, odd[k])));
    }
    assert_true(isinf(hbg_rt_pow(10, 309)) && hbg_rt_pow(10, -400) == 0);
}

/* From one branch of a function to the next it does not step back by more than a unit. */
static void functions_grow_from_number_to_number(void **state) {
    (void)state;
    for (int i = 1; i < 40000; i++) {
        double x = 0.5 + i * 0x1p-15, next = nextafter(x, 3);
        assert_true(hbg_rt_ln(next) >= nextafter(hbg_rt_ln(x), -1));
        assert_true(hbg_rt_exp(next) >= nextafter(hbg_rt_exp(x), 0));
    }
}

static void their_text_names_them_all(void **state) {
    static const char *const names[] = {"elementary_exp(double x)", "elementary_log(double x)",
                                        "elementary_pow(double x, double y)", "elementary_sin(double x)",
                                        "elementary_cos(double x)"};
    (void)state;
    for (int i = 0; i < 5; i++) assert_non_null(strstr(hbg_rt_elementary_text(), names[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_within_a_unit),
        cmocka_unit_test(log_is_within_a_unit),
        cmocka_unit_test(pow_is_within_a_unit),
        cmocka_unit_test(sine_and_cosine_are_within_a_unit),
        cmocka_unit_test(next_to_a_zero_the_reduction_is_exact),
        cmocka_unit_test(exact_answers_are_exact),
        cmocka_unit_test(what_is_special_is_as_in_libm),
        cmocka_unit_test(functions_grow_from_number_to_number),
        cmocka_unit_test(their_text_names_them_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
