/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Exact decimals. */
#include "fixture_impl.h"

#include <math.h>
#include <stdio.h>

static hbg_decimal parsed(fixture *f, const char *text) {
    hbg_decimal result;
    assert_true(hbg_base_decimal_parse(&f->arena, text, strlen(text), &result));
    return result;
}

static bool refused(fixture *f, const char *text) {
    hbg_decimal result;
    return !hbg_base_decimal_parse(&f->arena, text, strlen(text), &result);
}

static const char *printed(fixture *f, hbg_decimal decimal) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_base_decimal_print(&buffer, decimal);
    return buffer.data;
}

static void check_decimal(hbg_decimal decimal, const char *digits, int exponent, bool negative) {
    assert_string_equal(decimal.digits, digits);
    assert_int_equal(decimal.exponent, exponent);
    assert_int_equal(decimal.negative, negative);
}

static void parsed_decimals_are_canonical(void **state) {
    fixture *f = *state;
    check_decimal(parsed(f, "12"), "12", 0, false);
    check_decimal(parsed(f, "1.5"), "15", -1, false);
    check_decimal(parsed(f, ".5"), "5", -1, false);
    check_decimal(parsed(f, "5."), "5", 0, false);
    check_decimal(parsed(f, "7.5e-6"), "75", -7, false);
    check_decimal(parsed(f, "0012.3400"), "1234", -2, false);
    check_decimal(parsed(f, "1200"), "12", 2, false);
    check_decimal(parsed(f, "100.00E+2"), "1", 4, false);
    check_decimal(parsed(f, "0.00050"), "5", -4, false);
    check_decimal(parsed(f, "10203.0405"), "102030405", -4, false);
    check_decimal(parsed(f, "-2.5"), "25", -1, true);
    check_decimal(parsed(f, "+3"), "3", 0, false);
    check_decimal(parsed(f, "0"), "0", 0, false);
    check_decimal(parsed(f, "-0.00e99999999999999999999"), "0", 0, false);
}

static void what_is_no_number_is_refused(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {"",   ".",  "e5",    "1e",  "1e+",   "1e-",  "1.2.3", "1x",
                                        " 1", "1 ", "0x10",  "--1", "+-1",   "1e5.", "inf",   "nan",
                                        "-",  "+",  "1e5e5", "1,5", "1_000", "1f",   ".e1",   "1e 5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!refused(f, texts[i])) fail_msg("accepted: %s", texts[i]);
    hbg_decimal result;
    assert_false(hbg_base_decimal_parse(&f->arena, "1\0", 2, &result));
    assert_true(hbg_base_decimal_parse(&f->arena, "12x", 2, &result));
}

static void limits_of_literals_are_exact(void **state) {
    fixture *f = *state;
    char text[3100];
    memset(text, '7', 1001);
    text[1000] = '\0';
    assert_int_equal(strlen(parsed(f, text).digits), 1000);
    text[1000] = '7', text[1001] = '\0';
    assert_true(refused(f, text));
    /* zeros at the ends are not significant, nor is the point */
    memset(text, '0', 3000);
    memset(text + 1000, '7', 1000);
    text[1500] = '.', text[2000] = '7', text[3000] = '\0';
    hbg_decimal wide = parsed(f, text);
    assert_int_equal(strlen(wide.digits), 1000);
    assert_int_equal(wide.exponent, -500);

    check_decimal(parsed(f, "1e10000"), "1", 10000, false);
    check_decimal(parsed(f, "1e-10000"), "1", -10000, false);
    check_decimal(parsed(f, "1.5e-9999"), "15", -10000, false);
    assert_true(refused(f, "1e10001"));
    assert_true(refused(f, "10e10000"));
    assert_true(refused(f, "1.5e-10000"));
    assert_true(refused(f, "1e99999999999999999999999999"));
    assert_true(refused(f, "1e-99999999999999999999999999"));
}

static void decimal_microseconds_are_nearest_double(void **state) {
    fixture *f = *state;
    hbg_decimal product;
    assert_true(hbg_base_decimal_multiply(&f->arena, parsed(f, "7.5"), parsed(f, "1e-6"), &product));
    check_decimal(product, "75", -7, false);
    assert_true(hbg_base_decimal_to_double(product) == 7.5e-6);
    /* the product of the doubles is another number: the reason for all this */
    volatile double micro = 1e-6;
    assert_true(7.5 * micro != 7.5e-6);
}

static void doubles_of_random_texts_are_those_of_the_c_library(void **state) {
    fixture *f = *state;
    for (int round = 0; round < 20000; round++) {
        char text[64];
        int size = 0;
        if (random_below(f, 2)) text[size++] = '-';
        for (int i = random_below(f, 20); i >= 0; i--) text[size++] = (char)('0' + random_below(f, 10));
        text[size++] = '.';
        for (int i = random_below(f, 20); i > 0; i--) text[size++] = (char)('0' + random_below(f, 10));
        snprintf(text + size, sizeof text - (size_t)size, "e%d", random_below(f, 700) - 360);
        double expected = strtod(text, NULL);
        assert_true(hbg_base_decimal_to_double(parsed(f, text)) == expected);
    }
}

static void doubles_at_the_ends_of_the_range(void **state) {
    fixture *f = *state;
    assert_true(hbg_base_decimal_to_double(parsed(f, "1e309")) == HUGE_VAL);
    assert_true(hbg_base_decimal_to_double(parsed(f, "-1e10000")) == -HUGE_VAL);
    assert_true(hbg_base_decimal_to_double(parsed(f, "1e-10000")) == 0);
    assert_true(hbg_base_decimal_to_double(parsed(f, "4.9e-324")) == 0x1p-1074);
    assert_true(hbg_base_decimal_to_double(parsed(f, "1.7976931348623157e308")) == 0x1.fffffffffffffp1023);
    /* 1 + 2^-53 lies half way and goes to even; a digit behind it, however far, decides */
    assert_true(hbg_base_decimal_to_double(
                    parsed(f, "1.00000000000000011102230246251565404236316680908203125")) == 1);
    char text[700];
    int size = snprintf(text, sizeof text, "1.00000000000000011102230246251565404236316680908203125");
    memset(text + size, '0', 500);
    strcpy(text + size + 500, "1");
    assert_true(hbg_base_decimal_to_double(parsed(f, text)) == 0x1.0000000000001p0);
}

static void random_products_are_those_of_wide_integers(void **state) {
    fixture *f = *state;
    for (int round = 0; round < 20000; round++) {
        /* all widths up to 18 digits each */
        uint64_t bounds[2];
        for (int k = 0; k < 2; k++) {
            bounds[k] = 10;
            for (int i = random_below(f, 18); i > 0; i--) bounds[k] *= 10;
        }
        uint64_t a = next_random(f) % bounds[0], b = next_random(f) % bounds[1];
        unsigned __int128 product = (unsigned __int128)a * b;
        char left[32], right[32], expected[64], *at = expected + sizeof expected - 1;
        snprintf(left, sizeof left, "%llue-3", (unsigned long long)a);
        snprintf(right, sizeof right, "-%llue5", (unsigned long long)b);
        int exponent = 2;
        while (product != 0 && product % 10 == 0) product /= 10, exponent++;
        for (*at = '\0'; product != 0; product /= 10) *--at = (char)('0' + (int)(product % 10));

        hbg_decimal result;
        assert_true(hbg_base_decimal_multiply(&f->arena, parsed(f, left), parsed(f, right), &result));
        bool zero = *at == '\0';
        check_decimal(result, zero ? "0" : at, zero ? 0 : exponent, !zero);
    }
}

static void random_sums_are_those_of_wide_integers(void **state) {
    fixture *f = *state;
    for (int round = 0; round < 20000; round++) {
        int64_t a = (int64_t)(next_random(f) >> random_below(f, 62) >> 2);
        int64_t b = (int64_t)(next_random(f) >> random_below(f, 62) >> 2);
        if (random_below(f, 2)) a = -a;
        if (random_below(f, 2)) b = -b;
        if (random_below(f, 20) == 0) b = -a;
        char left[32], right[32], total[32];
        snprintf(left, sizeof left, "%lld", (long long)a);
        snprintf(right, sizeof right, "%lld", (long long)b);
        snprintf(total, sizeof total, "%lld", (long long)(a + b));
        hbg_decimal result, expected = parsed(f, total);
        assert_true(hbg_base_decimal_add(&f->arena, parsed(f, left), parsed(f, right), &result));
        check_decimal(result, expected.digits, expected.exponent, expected.negative);
        assert_int_equal(hbg_base_decimal_compare(parsed(f, left), parsed(f, right)), (a > b) - (a < b));
    }
}

/* A number of `size` random digits at a random place. */
static hbg_decimal random_decimal(fixture *f, int size) {
    char text[1100];
    int at = 0;
    if (random_below(f, 2)) text[at++] = '-';
    for (int i = 0; i < size; i++) text[at++] = (char)('0' + (random_below(f, 3) ? random_below(f, 10) : 9));
    snprintf(text + at, sizeof text - (size_t)at, "e%d", random_below(f, 60) - 30);
    return parsed(f, text);
}

static void long_products_distribute_over_sums(void **state) {
    fixture *f = *state;
    for (int round = 0; round < 500; round++) {
        hbg_decimal a = random_decimal(f, 1 + random_below(f, 400));
        hbg_decimal b = random_decimal(f, 1 + random_below(f, 400));
        hbg_decimal c = random_decimal(f, 1 + random_below(f, 400));
        hbg_decimal sum, left, ac, bc, right;
        assert_true(hbg_base_decimal_add(&f->arena, a, b, &sum));
        assert_true(hbg_base_decimal_multiply(&f->arena, sum, c, &left));
        assert_true(hbg_base_decimal_multiply(&f->arena, a, c, &ac));
        assert_true(hbg_base_decimal_multiply(&f->arena, c, b, &bc));
        assert_true(hbg_base_decimal_add(&f->arena, ac, bc, &right));
        check_decimal(left, right.digits, right.exponent, right.negative);
        assert_int_equal(hbg_base_decimal_compare(left, right), 0);
    }
}

static hbg_decimal nines(fixture *f, int count) {
    char text[1001];
    memset(text, '9', sizeof text);
    text[count] = '\0';
    return parsed(f, text);
}

static void products_beyond_the_limits_are_refused(void **state) {
    fixture *f = *state;
    hbg_decimal result;
    /* (10^500 - 1)² = 10^1000 - 2·10^500 + 1: 499 nines, an 8, 499 zeros, a 1 */
    assert_true(hbg_base_decimal_multiply(&f->arena, nines(f, 500), nines(f, 500), &result));
    assert_int_equal(strlen(result.digits), 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(result.digits[i], i < 499 ? '9' : i == 499 ? '8' : i < 999 ? '0' : '1');
    assert_false(hbg_base_decimal_multiply(&f->arena, nines(f, 501), nines(f, 500), &result));
    assert_false(hbg_base_decimal_multiply(&f->arena, nines(f, 1000), nines(f, 1000), &result));
    assert_true(hbg_base_decimal_multiply(&f->arena, parsed(f, "1e6000"), parsed(f, "1e4000"), &result));
    assert_false(hbg_base_decimal_multiply(&f->arena, parsed(f, "1e6000"), parsed(f, "1e4001"), &result));
    assert_false(hbg_base_decimal_multiply(&f->arena, parsed(f, "1e-6000"), parsed(f, "1e-4001"), &result));
    assert_true(hbg_base_decimal_multiply(&f->arena, parsed(f, "1e-6000"), parsed(f, "0"), &result));
    check_decimal(result, "0", 0, false);
}

static void sums_beyond_the_limits_are_refused(void **state) {
    fixture *f = *state;
    hbg_decimal result;
    assert_true(hbg_base_decimal_add(&f->arena, parsed(f, "1e999"), parsed(f, "1"), &result));
    assert_int_equal(strlen(result.digits), 1000);
    assert_false(hbg_base_decimal_add(&f->arena, parsed(f, "1e1000"), parsed(f, "1"), &result));
    assert_true(hbg_base_decimal_add(&f->arena, parsed(f, "1e1000"), parsed(f, "-1"), &result));
    check_decimal(result, nines(f, 1000).digits, 0, false);
    assert_false(hbg_base_decimal_add(&f->arena, parsed(f, "1e1001"), parsed(f, "-1"), &result));
    assert_false(hbg_base_decimal_add(&f->arena, parsed(f, "1e10000"), parsed(f, "1e-10000"), &result));
    /* a carry all the way, and a difference that is nothing but the last digit */
    assert_true(hbg_base_decimal_add(&f->arena, nines(f, 1000), parsed(f, "1"), &result));
    check_decimal(result, "1", 1000, false);
    assert_true(hbg_base_decimal_add(&f->arena, nines(f, 1000), parsed(f, "-1e1000"), &result));
    check_decimal(result, "1", 0, true);
    assert_true(hbg_base_decimal_add(&f->arena, nines(f, 1000), nines(f, 1000), &result) == false);
}

static void results_live_in_the_arena_given(void **state) {
    fixture *f = *state;
    hbg_arena other;
    hbg_base_arena_init(&other, &f->memory);
    hbg_decimal a, zero, sum;
    assert_true(hbg_base_decimal_parse(&other, "125", 3, &a));
    assert_true(hbg_base_decimal_parse(&other, "0", 1, &zero));
    assert_true(hbg_base_decimal_add(&f->arena, a, zero, &sum));
    hbg_base_arena_fini(&other);
    check_decimal(sum, "125", 0, false);
}

static void comparison_is_by_value(void **state) {
    fixture *f = *state;
    static const char *const rising[] = {"-1e5", "-12", "-1.5", "-1.49", "-1e-9", "0",   "1e-9",
                                         "1.49", "1.5", "1.51", "12",    "100",   "101", "1e5"};
    int count = (int)(sizeof rising / sizeof *rising);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            assert_int_equal(hbg_base_decimal_compare(parsed(f, rising[i]), parsed(f, rising[j])),
                             (i > j) - (i < j));
}

static void doubles_become_their_shortest_decimals(void **state) {
    fixture *f = *state;
    check_decimal(hbg_base_decimal_of_double(&f->arena, 0.1), "1", -1, false);
    check_decimal(hbg_base_decimal_of_double(&f->arena, -330), "33", 1, true);
    check_decimal(hbg_base_decimal_of_double(&f->arena, 7.5e-6), "75", -7, false);
    check_decimal(hbg_base_decimal_of_double(&f->arena, -0.0), "0", 0, false);
    check_decimal(hbg_base_decimal_of_double(&f->arena, 0x1p-1074), "5", -324, false);
    for (int round = 0; round < 20000; round++) {
        uint64_t bits = next_random(f);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        assert_true(hbg_base_decimal_to_double(hbg_base_decimal_of_double(&f->arena, value)) == value);
    }
}

static void printed_decimals_are_readable(void **state) {
    fixture *f = *state;
    static const char *const texts[][2] = {
        {"0.005", "0.005"},
        {"7.5e-6", "7.5e-06"},
        {"330", "330"},
        {"-0.1", "-0.1"},
        {"1e-4", "0.0001"},
        {"1e-5", "1e-05"},
        {"12.50", "12.5"},
        {"1e15", "1000000000000000"},
        {"1e16", "1e+16"},
        {"1.25e20", "1.25e+20"},
        {"-0", "0"},
        {"123456.789", "123456.789"},
        {"1e10000", "1e+10000"},
        {"-2e-10000", "-2e-10000"},
        {"1e-100", "1e-100"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(printed(f, parsed(f, texts[i][0])), texts[i][1]);
}

static void printed_decimals_read_back(void **state) {
    fixture *f = *state;
    for (int round = 0; round < 3000; round++) {
        hbg_decimal decimal = random_decimal(f, 1 + random_below(f, round % 10 ? 30 : 1000));
        hbg_decimal again = parsed(f, printed(f, decimal));
        check_decimal(again, decimal.digits, decimal.exponent, decimal.negative);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(parsed_decimals_are_canonical),
        TEST(what_is_no_number_is_refused),
        TEST(limits_of_literals_are_exact),
        TEST(decimal_microseconds_are_nearest_double),
        TEST(doubles_of_random_texts_are_those_of_the_c_library),
        TEST(doubles_at_the_ends_of_the_range),
        TEST(random_products_are_those_of_wide_integers),
        TEST(random_sums_are_those_of_wide_integers),
        TEST(long_products_distribute_over_sums),
        TEST(products_beyond_the_limits_are_refused),
        TEST(sums_beyond_the_limits_are_refused),
        TEST(results_live_in_the_arena_given),
        TEST(comparison_is_by_value),
        TEST(doubles_become_their_shortest_decimals),
        TEST(printed_decimals_are_readable),
        TEST(printed_decimals_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
