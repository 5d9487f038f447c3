/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Doubles as text. */
#include "fixture_impl.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "base/number_text_impl.h"

static void check_text(double value, const char *expected) {
    char text[HBG_DOUBLE_TEXT];
    memset(text, '#', sizeof text);
    int size = hbg_base_double_print(text, value);
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
        int size = hbg_base_double_print(text, value);
        assert_true(size > 0 && size < HBG_DOUBLE_TEXT);
        assert_true(strtod(text, NULL) == value);
        int digits = count_digits(text);
        if (digits < 2) continue;
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        assert_true(strtod(shorter, NULL) != value);
    }
}

/* ---- both ways ---------------------------------------------------------------------------------------- */

static double parse(const char *text) {
    double value = -77;
    assert_true(hbg_base_double_parse(text, strlen(text), &value));
    return value;
}

static void check_same_bits(double value) {
    char text[HBG_DOUBLE_TEXT];
    int size = hbg_base_double_print(text, value);
    double back;
    assert_true(hbg_base_double_parse(text, (size_t)size, &back));
    assert_memory_equal(&back, &value, sizeof value);
    assert_true(strtod(text, NULL) == value);
}

/* every binary exponent: the power of two, whose neighbours are not alike, and both of these */
static void every_power_of_two_and_its_neighbours_come_back(void **state) {
    (void)state;
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double power = ldexp(1, exponent);
        check_same_bits(power);
        check_same_bits(nextafter(power, HUGE_VAL));
        check_same_bits(-nextafter(power, 0));
    }
    check_same_bits(0.0);
    check_same_bits(-0.0);
    check_same_bits(HUGE_VAL);
    check_same_bits(-HUGE_VAL);
    assert_true(isnan(parse("nan")));
}

/* The text as printf makes it: as few digits as read back, laid out by hand. */
static void reference_text(double value, char *text) {
    char digits[40], *at = text;
    int count = 1, size = 0;
    do snprintf(digits, sizeof digits, "%.*e", count - 1, fabs(value));
    while (strtod(digits, NULL) != fabs(value) && count++ < 17);
    int scale = atoi(strchr(digits, 'e') + 1);
    char plain[20] = {0};
    for (const char *from = digits; *from != 'e'; from++)
        if (*from != '.') plain[size++] = *from;
    if (value < 0) *at++ = '-';
    if (scale < -4 || scale > 15) {
        sprintf(at, size > 1 ? "%c.%se%+03d" : "%c%se%+03d", plain[0], plain + 1, scale);
        return;
    }
    for (int i = 0; i < -scale; i++) at += sprintf(at, i == 0 ? "0." : "0");
    for (int i = 0; i < size || i <= scale; i++) {
        *at++ = i < size ? plain[i] : '0';
        if (i == scale && i + 1 < size) *at++ = '.';
    }
    *at = '\0';
}

/* Everywhere between 1e-6 and 1e18, with few digits and with many. Powers of two, whose neighbours below are nearer, have tests of
 * their own. */
static void every_layout_has_the_characters_of_printf(void **state) {
    fixture *f = *state;
    for (int round = 0; round < 60000; round++) {
        char expected[64], text[32];
        int scale = random_below(f, 25) - 6, digits = 1 + random_below(f, 18);
        snprintf(text, sizeof text, "%d.%.*de%d", 1 + random_below(f, 9), digits < 9 ? digits : 9,
                 random_below(f, 1000000000), scale);
        double value =
            digits < 12 ? strtod(text, NULL) : (1 + random_below(f, 1 << 30) * 0x1p-30) * pow(10, scale) / 3;
        if (round % 7 == 0) value = floor(value);
        if (value == 0) continue;
        if (round % 2) value = -value;
        reference_text(value, expected);
        check_text(value, expected);
    }
}

/* The same product by the way of others. */
static void small_powers_are_whole_numbers(void **state) {
    (void)state;
    hbg_wide whole = 1;
    for (int power = 0; power < HBG_POWER_SMALL; power++, whole *= 10) {
        hbg_power of = hbg_base_power_of_ten(power);
        assert_true(of.exact && of.value >> -of.exponent == whole && of.value << (128 + of.exponent) == 0);
    }
}

/* Above 2^53 the ends of what rounds to a double are integers, where shorter texts may lie:
 * 9007199254740995 is in the middle of …994 and …996, and goes to the latter, whose last bit is 0. */
static void ends_that_are_integers_are_judged_exactly(void **state) {
    (void)state;
    assert_true(parse("9007199254740993") == 9007199254740992.0);
    assert_true(parse("9007199254740995") == 9007199254740996.0);
    /* from 2^57 on doubles are 32 apart, so the odd multiples of 16 are ends, and every fifth is one of 10 */
    for (int k = 0; k < 5000; k++) check_same_bits(144115188075855872.0 + 32 * k);
    for (int k = 0; k < 5000; k++) check_same_bits(18014398509481984.0 + 4 * k);
    check_text(1e22, "1e+22");
    check_text(1e23, "1e+23");
    check_text(123456789e15, "1.23456789e+23");
}

static void texts_of_any_length_read_as_by_the_library(void **state) {
    fixture *f = *state;
    for (int round = 0; round < 50000; round++) {
        char text[64];
        snprintf(text, sizeof text, "%.*e", random_below(f, 30), random_double(f));
        assert_true(parse(text) == strtod(text, NULL));
    }
    /* 1 + 2^-53 is in the middle and goes to 1; one more digit, however late, and it goes up */
    char text[3000] = "1.00000000000000011102230246251565404236316680908203125";
    assert_true(parse(text) == 1);
    size_t size = strlen(text);
    memset(text + size, '0', 2900);
    text[2950] = '\0';
    assert_true(parse(text) == 1);
    text[2949] = '1';
    assert_true(parse(text) == nextafter(1, 2));
    memset(text, '1', 2000);
    text[2000] = '\0';
    assert_true(parse(text) == HUGE_VAL);
    memcpy(text + 2000, "e-1999", 7);
    assert_true(parse(text) == 1.1111111111111111);
}

static void what_is_no_number_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"",    "-",     "+",   ".",   "e5",   "1e",  "1e+",  "1.2.3", "0x10",
                                        "1,5", " 1",    "1 ",  "--1", "1e5.", "in",  "infi", "nanx",  "na",
                                        "1f",  "1e5e5", "+-1", "1_0", "٣",    "1e ", "-.e1"};
    double value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(hbg_base_double_parse(texts[i], strlen(texts[i]), &value));
    assert_false(hbg_base_double_parse("1\0", 2, &value));
    assert_true(parse("1.") == 1 && parse(".5") == 0.5 && parse("+1E2") == 100 && parse("007") == 7);
    assert_true(parse("1e999999999999999999999") == HUGE_VAL && parse("-1e309") == -HUGE_VAL);
    assert_true(parse("1e-999999999999999999999") == 0 && signbit(parse("-0e5")));
    assert_true(parse("-Infinity") == -HUGE_VAL && parse("INF") == HUGE_VAL && isnan(parse("NaN")));
}

static void a_locale_with_a_comma_changes_nothing(void **state) {
    fixture *f = *state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) skip();
    char probe[16];
    snprintf(probe, sizeof probe, "%.1f", 0.5);
    assert_string_equal(probe, "0,5");
    check_common_texts();
    assert_true(parse("0.1234567890123456789012345") == strtod("0,1234567890123456789012345", NULL));
    hbg_decimal decimal;
    assert_true(hbg_base_decimal_parse(&f->arena, "7.5e-6", 6, &decimal));
    assert_true(hbg_base_decimal_to_double(decimal) == 7.5e-6);
    decimal = hbg_base_decimal_of_double(&f->arena, 0.125);
    assert_string_equal(decimal.digits, "125");
    setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(common_numbers_read_as_people_write_them),
        TEST(numbers_that_are_none_have_names),
        TEST(the_smallest_and_the_largest_are_short),
        TEST(a_power_of_two_takes_the_digit_above),
        TEST(texts_read_back_and_are_shortest),
        TEST(a_locale_with_a_comma_changes_nothing),
        TEST(every_power_of_two_and_its_neighbours_come_back),
        TEST(every_layout_has_the_characters_of_printf),
        TEST(small_powers_are_whole_numbers),
        TEST(ends_that_are_integers_are_judged_exactly),
        TEST(texts_of_any_length_read_as_by_the_library),
        TEST(what_is_no_number_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
