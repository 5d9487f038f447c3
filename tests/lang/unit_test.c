/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Units between brackets: what they mean, what their values are in SI, and what is refused and why. */
#include "lang/unit_impl.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_units *units;
} unit_fixture;

static int set_up(void **state) {
    static unit_fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    hbg_base_arena_init(&fixture.arena, &fixture.memory);
    fixture.units = hbg_lang_units_new();
    *state = &fixture;
    return fixture.units == NULL;
}

static int tear_down(void **state) {
    unit_fixture *fixture = *state;
    hbg_lang_units_free(fixture->units);
    hbg_base_arena_fini(&fixture->arena);
    return fixture->memory.used != 0;
}

static hbg_unit parse(void **state, const char *text) {
    unit_fixture *fixture = *state;
    hbg_unit unit;
    const char *reason, *near;
    if (!hbg_lang_units_parse(fixture->units, &fixture->arena, text, strlen(text), &unit, &reason, &near))
        fail_msg("[%s]: %s", text, reason);
    assert_true(unit.dimension.known);
    return unit;
}

/* The reason why a text of that size is no unit; *near may be NULL if of no interest. */
static const char *refused_bytes(void **state, const char *text, size_t size, const char **near) {
    unit_fixture *fixture = *state;
    hbg_unit unit;
    const char *reason = NULL, *offer = "";
    /* a copy of the exact size shows any byte read behind the end */
    char *copy = malloc(size + 1);
    memcpy(copy, text, size);
    copy = realloc(copy, size > 0 ? size : 1);
    if (hbg_lang_units_parse(fixture->units, &fixture->arena, copy, size, &unit, &reason, &offer))
        fail_msg("[%.*s] is taken for a unit", (int)size, text);
    free(copy);
    assert_non_null(reason);
    assert_true(reason[0] != '\0');
    if (near != NULL) *near = offer;
    return reason;
}

static void refused(void **state, const char *text, const char *part_of_reason) {
    const char *reason = refused_bytes(state, text, strlen(text), NULL);
    if (strstr(reason, part_of_reason) == NULL) fail_msg("[%s]: %s", text, reason);
}

/* Same size and dimension. */
static void same(void **state, const char *a_text, const char *b_text) {
    hbg_unit a = parse(state, a_text), b = parse(state, b_text);
    if (memcmp(a.dimension.exponent, b.dimension.exponent, sizeof a.dimension.exponent) != 0)
        fail_msg("[%s] and [%s] differ in dimension", a_text, b_text);
    unit_fixture *fixture = *state;
    hbg_decimal left, right; /* a/b = c/d as a·d = b·c */
    assert_true(hbg_base_decimal_multiply(&fixture->arena, a.factor, b.divisor, &left));
    assert_true(hbg_base_decimal_multiply(&fixture->arena, b.factor, a.divisor, &right));
    if (hbg_base_decimal_compare(left, right) != 0 || a.pi_power != b.pi_power)
        fail_msg("[%s] and [%s] differ in size", a_text, b_text);
    assert_int_equal(hbg_base_decimal_compare(a.offset, b.offset), 0);
    assert_int_equal(a.logarithmic, b.logarithmic);
}

/* Exponents of m kg s A K mol cd. */
static void dimension_is(void **state, const char *text, const int8_t expected[HBG_BASE_UNITS]) {
    hbg_unit unit = parse(state, text);
    for (int i = 0; i < HBG_BASE_UNITS; i++) {
        if (unit.dimension.exponent[i] != 6 * expected[i])
            fail_msg("[%s] has exponent %d/6 of base unit %d", text, unit.dimension.exponent[i], i);
    }
}
#define DIMENSION(...) ((const int8_t[HBG_BASE_UNITS]){__VA_ARGS__})

static double si(void **state, const char *number, const char *unit) {
    unit_fixture *fixture = *state;
    hbg_decimal value, result;
    bool negative = *number == '-';
    assert_true(
        hbg_base_decimal_parse(&fixture->arena, number + negative, strlen(number + negative), &value));
    value.negative = negative;
    assert_true(hbg_lang_unit_to_si(&fixture->arena, parse(state, unit), value, &result));
    return hbg_base_decimal_to_double(result);
}

static void is(void **state, const char *number, const char *unit, double expected) {
    double value = si(state, number, unit);
    if (value != expected) fail_msg("%s [%s] is %.17g, not %.17g", number, unit, value, expected);
}

static void decimal_prefixes_give_nearest_double(void **state) {
    is(state, "7.5", "us", 7.5e-6);
    is(state, "7.5", "\u00B5s", 7.5e-6);
    is(state, "7.5", "\u03BCs", 7.5e-6);
    is(state, "5", "mH", 5e-3);
    is(state, "0.1", "uF", 1e-7);
    is(state, "33", "pF", 33e-12);
    is(state, "4.7", "kOhm", 4700);
    is(state, "2.2", "M\u03A9", 2.2e6);
    is(state, "2.2", "M\u2126", 2.2e6);
    is(state, "3", "mm^2", 3e-6);
    is(state, "3", "mm^3", 3e-9);
    is(state, "1.1", "1/ms", 1100);
    is(state, "1", "kg", 1);
    is(state, "250", "g", 0.25);
}

static void engineers_units_give_nearest_double(void **state) {
    is(state, "2", "Ah", 7200);
    is(state, "1", "kWh", 3.6e6);
    is(state, "1", "mAh", 3.6);
    is(state, "1", "km/h", 10.0 / 36.0);
    is(state, "36", "km/h", 10);
    is(state, "180", "deg", 3.14159265358979323846);
    is(state, "60", "rpm", 6.28318530717958647693);
    is(state, "1500", "rpm", 157.079632679489661923);
    is(state, "1", "rev/s", 6.28318530717958647693);
    is(state, "25", "degC", 298.15);
    is(state, "-273.15", "\u00B0C", 0);
    is(state, "212", "degF", 373.15);
    is(state, "0", "\u2103", 273.15);
    is(state, "1", "in", 0.0254);
    is(state, "3", "inch", 0.0762);
    is(state, "10", "feet", 3.048);
    /* 4.4482216152605 N over (0.0254 m)^2 is 6894.757293168361336722673445… Pa */
    is(state, "1", "psi", 6894.7572931683613367);
    is(state, "1", "lbf/in^2", 6894.7572931683613367);
    is(state, "1", "bar", 1e5);
    is(state, "6", "l/min", 1e-4);
    is(state, "1", "L/min", 1.0 / 60000.0);
    is(state, "50", "%", 0.5);
    is(state, "20", "dB", 10);
    is(state, "-20", "dB", 0.1);
    is(state, "1", "eV", 1.602176634e-19);
    is(state, "2", "d", 172800);
}

static void km_per_h_is_a_quotient_of_decimals(void **state) {
    hbg_unit unit = parse(state, "km/h");
    assert_string_equal(unit.factor.digits, "1");
    assert_int_equal(unit.factor.exponent, 1);
    assert_string_equal(unit.divisor.digits, "36");
    assert_int_equal(unit.divisor.exponent, 0);
}

static void derived_units_have_their_dimension(void **state) {
    dimension_is(state, "N", DIMENSION(1, 1, -2));
    dimension_is(state, "V", DIMENSION(2, 1, -3, -1));
    dimension_is(state, "Ohm", DIMENSION(2, 1, -3, -2));
    dimension_is(state, "ohms", DIMENSION(2, 1, -3, -2));
    dimension_is(state, "S", DIMENSION(-2, -1, 3, 2));
    dimension_is(state, "s", DIMENSION(0, 0, 1));
    dimension_is(state, "C", DIMENSION(0, 0, 1, 1));
    dimension_is(state, "F", DIMENSION(-2, -1, 4, 2));
    dimension_is(state, "H", DIMENSION(2, 1, -2, -2));
    dimension_is(state, "Wb", DIMENSION(2, 1, -2, -1));
    dimension_is(state, "T", DIMENSION(0, 1, -2, -1));
    dimension_is(state, "J/K", DIMENSION(2, 1, -2, 0, -1));
    dimension_is(state, "W/K", DIMENSION(2, 1, -3, 0, -1));
    dimension_is(state, "Pa.s/m3", DIMENSION(-4, 1, -1));
    dimension_is(state, "N\u00B7m\u00B7s/rad", DIMENSION(2, 1, -1));
    dimension_is(state, "V/(rad/s)", DIMENSION(2, 1, -2, -1));
    dimension_is(state, "mol/m^3", DIMENSION(-3, 0, 0, 0, 0, 1));
    dimension_is(state, "lx", DIMENSION(-2, 0, 0, 0, 0, 0, 1));
    dimension_is(state, "1/s", DIMENSION(0, 0, -1));
    dimension_is(state, "rad/s", DIMENSION(0, 0, -1));
    dimension_is(state, "%", DIMENSION(0));
    dimension_is(state, "dB", DIMENSION(0));
    dimension_is(state, "1", DIMENSION(0));
}

static void products_have_many_signs(void **state) {
    same(state, "N*m", "Nm");
    same(state, "N.m", "Nm");
    same(state, "N m", "Nm");
    same(state, "N\u00B7m", "Nm");
    same(state, "N\u22C5m", "Nm");
    same(state, " N * m ", "Nm");
    same(state, "N\t.m", "Nm");
    same(state, "kg m s^-2 m", "J");
    same(state, "% m", "cm");
}

static void a_slash_divides_by_one_factor(void **state) {
    same(state, "kg/m.s", "kg.s/m");
    same(state, "kg/m s", "kg s/m");
    same(state, "kg/m/s", "Pa.s");
    same(state, "kg/(m.s)", "Pa.s");
    same(state, "m / s / s", "m/s^2");
    same(state, "V/(rad/s)", "V s/rad");
    same(state, "1/(1/s)", "s");
    same(state, "(((m)))", "m");
}

static void powers_have_many_forms(void **state) {
    same(state, "m2", "m.m");
    same(state, "m^2", "m.m");
    same(state, "m**2", "m.m");
    same(state, "m\u00B2", "m.m");
    same(state, "m^+2", "m.m");
    same(state, "m\u00B3", "m.m.m");
    same(state, "s-2", "1/s/s");
    same(state, "s^-2", "1/s/s");
    same(state, "s**-2", "1/s/s");
    same(state, "s\u207B\u00B2", "1/s/s");
    same(state, "s\u22122", "1/s/s"); /* minus sign */
    same(state, "m\u00B9\u2070/m9", "m");
    same(state, "kg.m2/s3", "W");
    same(state, "(m/s)^2", "m2/s2");
    same(state, "(m/s)\u00B2", "m2/s2");
    same(state, "(km/h)^-1", "h/km");
    same(state, "m^0", "1");
    same(state, "s^-1", "Hz");
    same(state, "m1", "m");
}

static void numbers_are_exact_factors(void **state) {
    same(state, "60 s", "min");
    same(state, "60s", "min");
    same(state, "60*s", "min");
    same(state, "2.5 m", "250 cm");
    same(state, ".5 m", "50cm");
    same(state, "1e3 m", "km");
    same(state, "1E-3m", "mm");
    same(state, "10^3 m", "km");
    same(state, "10\u207B\u2076 m", "um");
    same(state, "2.s", "2 s");
    same(state, "2eV", "2 eV");
    same(state, "m/60", "m/(60)");
    same(state, "100 km/h", "100*km/h");
    same(state, "1/60 s", "s/60");
    same(state, "360 deg", "rev");
    same(state, "1", "m/m");
    is(state, "1", "0.1 mm", 1e-4);
}

static void torque_and_energy_words_are_one_unit(void **state) {
    same(state, "Nm", "J");
    same(state, "mNm", "mJ");
    same(state, "Nms", "J.s");
    same(state, "VA", "W");
    same(state, "kvar", "kW");
    same(state, "Vs", "Wb");
    same(state, "As", "C");
    same(state, "Wh", "3600 J");
    same(state, "nm", "1e-9 m"); /* not newtons */
    same(state, "min", "60 s");  /* not thousandths of an inch */
    same(state, "Pa", "N/m2");   /* not a billion million years */
}

static void names_of_udunits_mix_with_ours(void **state) {
    same(state, "newton.meter", "Nm");
    same(state, "Volt/Ampere", "Ohm");
    same(state, "kilometers/hour", "km/h");
    same(state, "degrees/s", "deg/s");
    same(state, "celsius", "degC");
    same(state, "60 \u2033", "arcmin");
    same(state, "kiloElectronvolts", "keV");
    same(state, "cmH2O/kPa", "98.0665/1000");
    same(state, "mi/hour", "mph");
}

static void unknown_names_are_named(void **state) {
    const char *near;
    const char *reason = refused_bytes(state, "Ohn", 3, &near);
    assert_string_equal(reason, "there is no unit `Ohn`");
    assert_string_equal(near, "Ohm");
    reason = refused_bytes(state, "m/khz^2", 7, &near);
    assert_string_equal(reason, "there is no unit `khz`");
    assert_string_equal(near, "m/kHz^2");
    reason = refused_bytes(state, "banana", 6, &near);
    assert_string_equal(reason, "there is no unit `banana`");
    assert_null(near);
    refused(state, "m2s", "there is no unit `m2s`");
    refused(state, "\u00E4\u00F6\u00FC", "there is no unit `\u00E4\u00F6\u00FC`");
    refused(state, "x_1", "there is no unit `x_`");
}

static void names_run_together_are_offered_apart(void **state) {
    static const char *const cases[][2] = {{"Ns/m", "N s/m"},   {"kgm2", "kg m2"},    {"Pas", "Pa s"},
                                           {"m/Ns2", "m/N/s2"}, {"rad/ Nms/A", NULL}, {"W/(kgm)", "W/(kg m)"},
                                           {"m/ Ns", "m/ N/s"}, {"1/s Js", "1/s J s"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *near;
        if (!cases[i][1]) {
            parse(state, cases[i][0]);
            continue;
        }
        refused_bytes(state, cases[i][0], strlen(cases[i][0]), &near);
        assert_non_null(near);
        assert_string_equal(near, cases[i][1]);
        parse(state, near); // what is offered is a unit
    }
}

static void temperature_scales_stand_alone(void **state) {
    const char *near;
    assert_non_null(strstr(refused_bytes(state, "J/degC", 6, &near), "stands alone"));
    assert_string_equal(near, "J/K");
    refused(state, "degC/s", "stands alone");
    refused(state, "2 degC", "stands alone");
    refused(state, "degC^2", "stands alone");
    refused(state, "degC2", "stands alone");
    refused(state, "(degF)", "stands alone");
    refused(state, "1/fahrenheit", "stands alone");
    same(state, " degC ", "degC^1");
    assert_false(hbg_base_decimal_to_double(parse(state, "degC").offset) == 0);
}

static void logarithms_stand_alone_and_are_decibels(void **state) {
    refused(state, "dB/s", "stands alone");
    refused(state, "dB^2", "stands alone");
    refused(state, "mW.dB", "stands alone");
    refused(state, "dBm", "logarithmic");
    assert_true(parse(state, "dB").logarithmic);
}

static void malformed_texts_say_what_is_wrong(void **state) {
    refused(state, "", "nothing between the brackets");
    refused(state, "   ", "nothing between the brackets");
    refused(state, "/s", "`/` stands where a unit should follow");
    refused(state, "m/", "it ends where a unit should follow");
    refused(state, "m//s", "`/` stands where a unit should follow");
    refused(state, "m*", "it ends where a unit should follow");
    refused(state, "m^", "it ends where a whole number as power should follow");
    refused(state, "m^x", "`x` stands where a whole number as power should follow");
    refused(state, "m**", "it ends where a whole number as power should follow");
    refused(state, "m\u207B", "it ends where a whole number as power should follow");
    refused(state, "m^2^2", "`^` stands where");
    refused(state, "m^2.5", "a number stands before its unit");
    refused(state, "m 2", "a number stands before its unit");
    refused(state, "m.2", "a number stands before its unit");
    refused(state, "kg-m", "`-` stands where");
    refused(state, "(m", "it ends where `)` should follow");
    refused(state, "m)", "`)` stands where the end should follow");
    refused(state, "()", "`)` stands where a unit should follow");
    refused(state, "(m)s", "`s` stands where");
    refused(state, "m(s)", "`(` stands where");
    refused(state, "-1 m", "`-` stands where a unit should follow");
    refused(state, "0 m", "a unit cannot be zero");
    refused(state, "m/0", "a unit cannot be zero");
    refused(state, "m%", "`%` stands where");
    refused(state, "%%", "`%` stands where");
    refused(state, "m\u00D7s", "`\u00D7` stands where");
    refused(state, "\u20AC", "`\u20AC` stands where a unit should follow");
}

static void quotes_and_control_characters_are_refused(void **state) {
    refused(state, "\"", "`\"` stands where a unit should follow");
    refused(state, "m\"s", "`\"` stands where");
    refused(state, "'", "`'` stands where a unit should follow");
    refused(state, "`", "stands where a unit should follow");
    refused(state, "m\ns", "control character");
    refused(state, "m\x7F", "control character");
    assert_non_null(strstr(refused_bytes(state, "m\0s", 3, NULL), "control character"));
    assert_non_null(strstr(refused_bytes(state, "\0", 1, NULL), "control character"));
}

static void invalid_utf8_is_refused(void **state) {
    const char *const texts[] = {
        "\x80",             /* begins within a character */
        "m\xC2",            /* ends within one */
        "\xCE m",           /* broken off */
        "\xC1\x81",         /* longer than needed */
        "\xE0\x80\xB5",     /* longer than needed */
        "\xED\xA0\x80",     /* half of a surrogate pair */
        "\xF4\x90\x80\x80", /* beyond the last code point */
        "\xFE\xFF",
        "s\xE2\x81",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) refused(state, texts[i], "not UTF-8");
}

static void powers_are_limited(void **state) {
    dimension_is(state, "m20", DIMENSION(20));
    refused(state, "m21", "exponent out of range");
    refused(state, "m^-21", "exponent out of range");
    refused(state, "m^99999999999999999999999999", "exponent out of range");
    refused(state, "m-99999999999999999999999999", "exponent out of range");
    refused(state, "(m^20)^20", "exponent out of range");
    refused(state, "m10.m11", "exponent out of range");
    refused(state, "1/m20/m", "exponent out of range");
    refused(state, "(((m^4)^4)^4)", "exponent out of range");
    refused(state, "deg^5", "exponent out of range");
}

static void scales_are_limited(void **state) {
    refused(state, "1e1001 m", "scale is out of range");
    refused(state, "1e99999999999999999999 m", "scale is out of range");
    refused(state, "(1e1000)^20 m", "scale is out of range");
    refused(state, "1/7777777777777777777777777777777777777", "scale is out of range"); /* 37 digits */
    refused(state, "(77777777777777777777777777777777777777777777777777777)^20", "scale is out of range");
    same(state, "1e1000 m/1e1000", "m");
}

static void nesting_is_limited(void **state) {
    char text[200];
    for (int depth = 32; depth <= 99; depth++) {
        memset(text, '(', (size_t)depth);
        text[depth] = 'm';
        memset(text + depth + 1, ')', (size_t)depth);
        text[2 * depth + 1] = '\0';
        if (depth == 32)
            same(state, text, "m");
        else
            refused(state, text, "nested more than 32 deep");
    }
}

static void length_is_limited(void **state) {
    enum { SIZE = 100000 };
    const char fillings[] = {'m', '(', '*', ' ', '1', '\xC2', '^', 'e', '_'};
    char *text = malloc(SIZE);
    for (size_t i = 0; i < sizeof fillings; i++) {
        memset(text, fillings[i], SIZE);
        refused_bytes(state, text, SIZE, NULL);
        refused_bytes(state, text, HBG_UNIT_TEXT_LIMIT + 1, NULL);
        if (fillings[i] == '1') continue; /* a number, if a long one */
        refused_bytes(state, text, HBG_UNIT_TEXT_LIMIT, NULL);
    }
    memset(text, 'm', SIZE);
    assert_non_null(strstr(refused_bytes(state, text, HBG_UNIT_TEXT_LIMIT + 1, NULL), "too long"));
    assert_non_null(strstr(refused_bytes(state, text, 65, NULL), "a name of 65 bytes"));
    assert_non_null(strstr(refused_bytes(state, text, 64, NULL), "there is no unit `mmm"));
    free(text);
}

/* Any mixture of the pieces of the grammar ends in a unit or a reason. */
static void mixtures_never_crash(void **state) {
    static const char *const PIECES[] = {"m",    "kg",   "(",  ")",    "/",      "*",    "**",   "^",
                                         "-",    "2",    "20", "1e9",  ".",      " ",    "deg",  "degC",
                                         "dB",   "\xC2", "%",  "\xB0", "\u00B2", "volt", "\xE2", "\u207B",
                                         "inch", "e",    "_",  "0",    "psi",    "+",    "9",    "turn"};
    unit_fixture *fixture = *state;
    uint32_t random = 1;
    int units = 0;
    for (int i = 0; i < 20000; i++) {
        char text[200] = "";
        size_t size = 0;
        random = random * 1664525u + 1013904223u;
        for (uint32_t left = random >> 28; left > 0; left--) {
            random = random * 1664525u + 1013904223u;
            size += (size_t)snprintf(text + size, sizeof text - size, "%s", PIECES[random >> 27]);
        }
        hbg_arena arena;
        hbg_base_arena_init(&arena, &fixture->memory);
        hbg_unit unit;
        hbg_decimal value;
        const char *reason = NULL, *near;
        if (hbg_lang_units_parse(fixture->units, &arena, text, size, &unit, &reason, &near)) {
            units++;
            assert_true(strlen(unit.divisor.digits) <= HBG_UNIT_DIVISOR_DIGITS);
            hbg_lang_unit_to_si(&arena, unit, unit.factor, &value);
        } else {
            assert_non_null(reason);
        }
        hbg_base_arena_fini(&arena);
    }
    assert_true(units > 500 && units < 10000); /* both ends are met */
}

static void exhausted_memory_leaks_nothing(void **state) {
    unit_fixture *fixture = *state;
    const char *const text = "furlong.kWh/(60 turn)^2.khz";
    parse(state, "furlong"); /* the database is read */
    for (int64_t fail_at = 1;; fail_at++) {
        hbg_memory memory = {.fail_at = fail_at, .limit = 1 << 20};
        hbg_arena arena;
        hbg_base_arena_init(&arena, &memory);
        jmp_buf guard;
        hbg_unit unit;
        const char *reason, *near;
        if (!HBG_GUARD(&memory, guard)) {
            assert_false(
                hbg_lang_units_parse(fixture->units, &arena, text, strlen(text), &unit, &reason, &near));
            HBG_GUARD_END(&memory);
            assert_string_equal(near, "furlong.kWh/(60 turn)^2.kHz");
            hbg_base_arena_fini(&arena);
            assert_int_equal(memory.used, 0);
            assert_true(fail_at > 1);
            return;
        }
        hbg_base_arena_fini(&arena);
        assert_int_equal(memory.used, 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(decimal_prefixes_give_nearest_double),
        TEST(engineers_units_give_nearest_double),
        TEST(km_per_h_is_a_quotient_of_decimals),
        TEST(derived_units_have_their_dimension),
        TEST(products_have_many_signs),
        TEST(a_slash_divides_by_one_factor),
        TEST(powers_have_many_forms),
        TEST(numbers_are_exact_factors),
        TEST(torque_and_energy_words_are_one_unit),
        TEST(names_of_udunits_mix_with_ours),
        TEST(unknown_names_are_named),
        TEST(names_run_together_are_offered_apart),
        TEST(temperature_scales_stand_alone),
        TEST(logarithms_stand_alone_and_are_decibels),
        TEST(malformed_texts_say_what_is_wrong),
        TEST(quotes_and_control_characters_are_refused),
        TEST(invalid_utf8_is_refused),
        TEST(powers_are_limited),
        TEST(scales_are_limited),
        TEST(nesting_is_limited),
        TEST(length_is_limited),
        TEST(mixtures_never_crash),
        TEST(exhausted_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
