/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of units and values in SI: exact where decimals can be, nearest double elsewhere. */
#include "lang/unit_parts_impl.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
} unit_fixture;

static int set_up(void **state) {
    static unit_fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    hbg_base_arena_init(&fixture.arena, &fixture.memory);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state) {
    unit_fixture *fixture = *state;
    hbg_base_arena_fini(&fixture->arena);
    return fixture->memory.used != 0;
}

static hbg_decimal decimal(void **state, const char *text) {
    unit_fixture *fixture = *state;
    hbg_decimal result;
    bool negative = *text == '-';
    assert_true(hbg_base_decimal_parse(&fixture->arena, text + negative, strlen(text + negative), &result));
    result.negative = negative;
    return result;
}

/* A pure unit of the given size. */
static hbg_unit size(void **state, const char *factor, const char *divisor, int pi_power) {
    hbg_unit unit = hbg_lang_unit_one;
    unit.factor = decimal(state, factor);
    unit.divisor = decimal(state, divisor);
    unit.factor.exponent -= unit.divisor.exponent;
    unit.divisor.exponent = 0;
    unit.pi_power = pi_power;
    return unit;
}

static hbg_decimal si(void **state, hbg_unit unit, const char *value) {
    unit_fixture *fixture = *state;
    hbg_decimal result;
    assert_true(hbg_lang_unit_to_si(&fixture->arena, unit, decimal(state, value), &result));
    return result;
}

static void is(void **state, hbg_decimal have, const char *expected) {
    hbg_decimal want = decimal(state, expected);
    assert_string_equal(have.digits, want.digits);
    assert_int_equal(have.exponent, want.exponent);
    assert_int_equal(have.negative, want.negative);
}

static void is_double(hbg_decimal have, double expected) {
    assert_true(hbg_base_decimal_to_double(have) == expected);
}

static void quotients_that_end_are_exact(void **state) {
    hbg_unit km_per_h = size(state, "1000", "3600", 0);
    is(state, si(state, km_per_h, "36"), "10");
    is(state, si(state, km_per_h, "-36"), "-10");
    is(state, si(state, km_per_h, "9"), "2.5");
    is(state, si(state, km_per_h, "0"), "0");
    is(state, si(state, size(state, "1", "8", 0), "1"), "0.125");
    is(state, si(state, size(state, "1", "3", 0), "123456789123456789123456789e30"),
       "41152263041152263041152263e30");
}

static void quotients_without_end_are_nearest(void **state) {
    is_double(si(state, size(state, "1", "3", 0), "1"), 1.0 / 3.0);
    is_double(si(state, size(state, "1", "3", 0), "-2"), -2.0 / 3.0);
    is_double(si(state, size(state, "1000", "3600", 0), "1"), 10.0 / 36.0);
    is(state, si(state, size(state, "1", "3", 0), "1"), "0.3333333333333333");
}

static void quotients_of_long_numbers_are_nearest(void **state) {
    char ones[121];
    memset(ones, '1', sizeof ones - 1);
    ones[sizeof ones - 1] = '\0';
    is_double(si(state, size(state, "1", "7", 0), ones), 1.587301587301587301587301587e118);
}

static void quotients_beside_a_tie_round_to_their_side(void **state) {
    /* 2^53 + 1 lies halfway between two doubles; a third of 1e-30 beyond decides */
    is_double(si(state, size(state, "1", "3", 0), "27021597764222979000000000000000000000000000001e-30"),
              9007199254740994.0);
    is_double(si(state, size(state, "1", "3", 0), "27021597764222978999999999999999999999999999999e-30"),
              9007199254740992.0);
    /* also where it is behind the last digit of the quotient that is kept */
    char text[150];
    snprintf(text, sizeof text, "27021597764222979.%0110d", 1);
    is_double(si(state, size(state, "1", "3", 0), text), 9007199254740994.0);
}

static void powers_of_pi_are_nearest(void **state) {
    is_double(si(state, size(state, "1", "180", 1), "180"), 3.14159265358979323846);
    is_double(si(state, size(state, "1", "1", 1), "2"), 6.28318530717958647693);
    is_double(si(state, size(state, "1", "1", 2), "1"), 9.86960440108935861883);
    is_double(si(state, size(state, "1", "1", 3), "1"), 31.0062766802998201755);
    is_double(si(state, size(state, "1", "1", 4), "1"), 97.4090910340024372364);
    is_double(si(state, size(state, "1", "1", -1), "1"), 0.318309886183790671538);
    is_double(si(state, size(state, "1", "1", -2), "1"), 0.101321183642337771444);
    is_double(si(state, size(state, "1", "1", -3), "1"), 0.0322515344331994891844);
    is_double(si(state, size(state, "1", "1", -4), "1"), 0.0102659822546843351892);
    is(state, si(state, size(state, "1", "180", 1), "180"), "3.141592653589793");
}

static void offset_comes_before_the_scale(void **state) {
    hbg_unit fahrenheit = size(state, "5", "9", 0);
    fahrenheit.offset = decimal(state, "459.67");
    is(state, si(state, fahrenheit, "32"), "273.15");
    is(state, si(state, fahrenheit, "212"), "373.15");
    is(state, si(state, fahrenheit, "-459.67"), "0");
    is_double(si(state, fahrenheit, "0"), 255.37222222222222222);
}

static void decibels_are_a_ratio(void **state) {
    hbg_unit decibel = hbg_lang_unit_one;
    decibel.logarithmic = true;
    is(state, si(state, decibel, "0"), "1");
    is(state, si(state, decibel, "20"), "10");
    is(state, si(state, decibel, "-40"), "0.01");
    is_double(si(state, decibel, "6"), pow(10, 0.3));
    unit_fixture *fixture = *state;
    hbg_decimal result;
    assert_false(hbg_lang_unit_to_si(&fixture->arena, decibel, decimal(state, "1e6"), &result));
}

static void beyond_the_range_is_refused(void **state) {
    unit_fixture *fixture = *state;
    hbg_decimal result;
    assert_false(
        hbg_lang_unit_to_si(&fixture->arena, size(state, "1e300", "3", 0), decimal(state, "1e100"), &result));
    /* the product would have more digits than decimals may have */
    char digits[HBG_DECIMAL_DIGITS + 1];
    memset(digits, '7', sizeof digits);
    digits[HBG_DECIMAL_DIGITS] = '\0';
    assert_false(
        hbg_lang_unit_to_si(&fixture->arena, size(state, "77", "1", 0), decimal(state, digits), &result));
}

static void powers_of_ten_leave_the_divisor(void **state) {
    unit_fixture *fixture = *state;
    const char *reason;
    hbg_unit milli = size(state, "1e-3", "1", 0), inverse;
    assert_true(hbg_lang_unit_power(&fixture->arena, &milli, -1, &inverse, &reason));
    is(state, inverse.factor, "1000");
    is(state, inverse.divisor, "1");
    hbg_unit hour = size(state, "3600", "1", 0);
    assert_true(hbg_lang_unit_power(&fixture->arena, &hour, -2, &inverse, &reason));
    is(state, inverse.factor, "1e-4");
    is(state, inverse.divisor, "1296");
}

static void sign_stays_in_the_factor(void **state) {
    unit_fixture *fixture = *state;
    const char *reason;
    hbg_unit west = size(state, "-2", "1", 1), result;
    assert_true(hbg_lang_unit_power(&fixture->arena, &west, -1, &result, &reason));
    is(state, result.factor, "-1");
    is(state, result.divisor, "2");
    assert_int_equal(result.pi_power, -1);
    assert_true(hbg_lang_unit_power(&fixture->arena, &west, -2, &result, &reason));
    is(state, result.factor, "1");
    is(state, result.divisor, "4");
    assert_int_equal(result.pi_power, -2);
}

static void exponents_never_overflow(void **state) {
    unit_fixture *fixture = *state;
    const char *reason = NULL;
    hbg_unit metre = hbg_lang_unit_one, result;
    metre.dimension.exponent[0] = 6;
    assert_true(hbg_lang_unit_power(&fixture->arena, &metre, 20, &result, &reason));
    assert_int_equal(result.dimension.exponent[0], 120);
    assert_false(hbg_lang_unit_multiply(&fixture->arena, &result, &metre, &result, &reason));
    assert_string_equal(reason, "exponent out of range");
    assert_true(hbg_lang_unit_power(&fixture->arena, &metre, -20, &result, &reason));
    assert_int_equal(result.dimension.exponent[0], -120);
    assert_false(hbg_lang_unit_power(&fixture->arena, &metre, 21, &result, &reason));
    assert_false(hbg_lang_unit_power(&fixture->arena, &metre, -21, &result, &reason));
    hbg_unit half_turn = size(state, "1", "1", 1);
    assert_true(hbg_lang_unit_power(&fixture->arena, &half_turn, 4, &result, &reason));
    assert_false(hbg_lang_unit_power(&fixture->arena, &half_turn, 5, &result, &reason));
}

static void divisor_fits_the_long_division(void **state) {
    unit_fixture *fixture = *state;
    const char *reason = NULL;
    hbg_unit unit, inverse;
    assert_true(
        hbg_lang_unit_of_number(decimal(state, "999999999999999999999999999999999999"), &unit, &reason));
    assert_true(hbg_lang_unit_power(&fixture->arena, &unit, -1, &inverse, &reason));
    is(state, si(state, inverse, "999999999999999999999999999999999999"), "1");
    is(state, si(state, inverse, "1999999999999999999999999999999999998"), "2");
    assert_true(
        hbg_lang_unit_of_number(decimal(state, "1000000000000000000000000000000000001"), &unit, &reason));
    assert_false(hbg_lang_unit_power(&fixture->arena, &unit, -1, &inverse, &reason));
    assert_string_equal(reason, "its scale is out of range");
}

static void zero_and_huge_numbers_are_no_units(void **state) {
    hbg_unit unit;
    const char *reason = NULL;
    assert_false(hbg_lang_unit_of_number(decimal(state, "0.0"), &unit, &reason));
    assert_string_equal(reason, "a unit cannot be zero");
    assert_false(hbg_lang_unit_of_number(decimal(state, "1e1001"), &unit, &reason));
    assert_false(hbg_lang_unit_of_number(decimal(state, "1e-1001"), &unit, &reason));
    assert_true(hbg_lang_unit_of_number(decimal(state, "1e1000"), &unit, &reason));
}

static void a_multiple_of_pi_is_known_before_it_is_rounded(void **state) {
    unit_fixture *fixture = *state;
    hbg_multiple made;
    hbg_unit degree = size(state, "1", "180", 1);
    assert_true(hbg_lang_unit_multiple(&fixture->arena, degree, decimal(state, "-120"), &made));
    is(state, made.times, "-12"); // powers of ten have left the divisor
    is(state, made.divisor, "18");
    assert_int_equal(made.pi_power, 1);
}

static void no_multiple_of_pi_is_made_without_it(void **state) {
    unit_fixture *fixture = *state;
    hbg_multiple made;
    assert_false(
        hbg_lang_unit_multiple(&fixture->arena, size(state, "1", "36", 0), decimal(state, "1"), &made));
    assert_false(
        hbg_lang_unit_multiple(&fixture->arena, size(state, "1", "180", 1), decimal(state, "0"), &made));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(quotients_that_end_are_exact),
        TEST(quotients_without_end_are_nearest),
        TEST(quotients_of_long_numbers_are_nearest),
        TEST(quotients_beside_a_tie_round_to_their_side),
        TEST(powers_of_pi_are_nearest),
        TEST(a_multiple_of_pi_is_known_before_it_is_rounded),
        TEST(no_multiple_of_pi_is_made_without_it),
        TEST(offset_comes_before_the_scale),
        TEST(decibels_are_a_ratio),
        TEST(beyond_the_range_is_refused),
        TEST(powers_of_ten_leave_the_divisor),
        TEST(sign_stays_in_the_factor),
        TEST(exponents_never_overflow),
        TEST(divisor_fits_the_long_division),
        TEST(zero_and_huge_numbers_are_no_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
