/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Doubles as text. */
#include "fixture_impl.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

static void check_text(double value, const char *expected) {
    char text[HBG_DOUBLE_TEXT];
    memset(text, '#', sizeof text);
    int size = hbg_double_print(text, value);
    assert_string_equal(text, expected);
    assert_int_equal(size, strlen(expected));
}

static void check_common_texts(void) {
    check_text(0.1, "0.1");
    check_text(330, "330");
    check_text(1e-6, "1e-06");
    check_text(7.5e-6, "7.5e-06");
    check_text(0.0001, "0.0001");
    check_text(-0.00012345, "-0.00012345");
    check_text(1.0 / 3, "0.3333333333333333");
    check_text(2.0 / 3, "0.6666666666666666");
    check_text(0.1 + 0.2, "0.30000000000000004");
    check_text(1e15, "1000000000000000");
    check_text(1e16, "1e+16");
    check_text(1.5e300, "1.5e+300");
    check_text(123456789.125, "123456789.125");
    check_text(9007199254740993.0, "9007199254740992");
}

static void common_numbers_read_as_people_write_them(void **state) {
    (void)state;
    check_common_texts();
}

static void numbers_that_are_none_have_names(void **state) {
    (void)state;
    check_text(0.0, "0");
    check_text(-0.0, "-0");
    check_text((double)NAN, "nan");
    check_text(-(double)NAN, "nan");
    check_text(HUGE_VAL, "inf");
    check_text(-HUGE_VAL, "-inf");
}

static void the_smallest_and_the_largest_are_short(void **state) {
    (void)state;
    check_text(0x1p-1074, "5e-324");
    check_text(0x1p-1022, "2.2250738585072014e-308");
    check_text(-0x1.fffffffffffffp1023, "-1.7976931348623157e+308");
}

/* 2^-44 is 5.684341886080801486…e-14. Of 16 digits …801 is nearer, but misses by 4.9e-30 below, where half
 * the gap to the next double is 3.2e-30; …802 misses by 5.1e-30 above, where half the gap is 6.3e-30. */
static void a_power_of_two_takes_the_digit_above(void **state) {
    (void)state;
    check_text(0x1p-44, "5.684341886080802e-14");
}

static double random_double(fixture *f) {
    uint64_t bits = next_random(f);
    if (random_below(f, 4) == 0) bits &= ~(uint64_t)0 << random_below(f, 53);
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 1;
}

static int count_digits(const char *text) {
    int count = 0, zeros = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && count == 0)) continue;
        count += 1;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

static void texts_read_back_and_are_shortest(void **state) {
    fixture *f = *state;
    for (int round = 0; round < 50000; round++) {
        double value = random_double(f);
        char text[HBG_DOUBLE_TEXT], shorter[64];
        int size = hbg_double_print(text, value);
        assert_true(size > 0 && size < HBG_DOUBLE_TEXT);
        assert_true(strtod(text, NULL) == value);
        int digits = count_digits(text);
        if (digits < 2) continue;
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        assert_true(strtod(shorter, NULL) != value);
    }
}

static void a_locale_with_a_comma_changes_nothing(void **state) {
    fixture *f = *state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) skip();
    char probe[16];
    snprintf(probe, sizeof probe, "%.1f", 0.5);
    assert_string_equal(probe, "0,5");
    check_common_texts();
    hbg_decimal decimal;
    assert_true(hbg_decimal_parse(&f->arena, "7.5e-6", 6, &decimal));
    assert_true(hbg_decimal_to_double(decimal) == 7.5e-6);
    decimal = hbg_decimal_of_double(&f->arena, 0.125);
    assert_string_equal(decimal.digits, "125");
    setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(common_numbers_read_as_people_write_them), TEST(numbers_that_are_none_have_names),
        TEST(the_smallest_and_the_largest_are_short),   TEST(a_power_of_two_takes_the_digit_above),
        TEST(texts_read_back_and_are_shortest),         TEST(a_locale_with_a_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
