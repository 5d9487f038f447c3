/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names that only udunits2 knows: taken apart, exact where our table has the size, read late. */
#include "lang/unit_parts_impl.h"

#include <setjmp.h>
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
    unsetenv("UDUNITS2_XML_PATH");
    return fixture->memory.used != 0;
}

static hbg_unit find(void **state, const char *atom) {
    unit_fixture *fixture = *state;
    hbg_unit unit;
    const char *reason = NULL;
    if (!hbg_lang_unit_database_find(fixture->units, &fixture->arena, atom, &unit, &reason))
        fail_msg("%s: %s", atom, reason);
    assert_true(unit.dimension.known);
    return unit;
}

static const char *refused(void **state, const char *atom) {
    unit_fixture *fixture = *state;
    hbg_unit unit;
    const char *reason = NULL;
    assert_false(hbg_lang_unit_database_find(fixture->units, &fixture->arena, atom, &unit, &reason));
    assert_non_null(reason);
    return reason;
}

static void scale_is(hbg_unit unit, const char *digits, int exponent, const char *divisor, int pi_power) {
    assert_string_equal(unit.factor.digits, digits);
    assert_int_equal(unit.factor.exponent, exponent);
    assert_string_equal(unit.divisor.digits, divisor);
    assert_int_equal(unit.divisor.exponent, 0);
    assert_int_equal(unit.pi_power, pi_power);
}

/* Exponents of m kg s A K mol cd. */
static void dimension_is(hbg_unit unit, const int8_t expected[HBG_BASE_UNITS]) {
    for (int i = 0; i < HBG_BASE_UNITS; i++) assert_int_equal(unit.dimension.exponent[i], 6 * expected[i]);
}
#define DIMENSION(...) ((const int8_t[HBG_BASE_UNITS]){__VA_ARGS__})

static void names_are_read_in_any_case(void **state) {
    dimension_is(find(state, "volt"), DIMENSION(2, 1, -3, -1));
    dimension_is(find(state, "VOLTS"), DIMENSION(2, 1, -3, -1));
    dimension_is(find(state, "Newton"), DIMENSION(1, 1, -2));
    dimension_is(find(state, "meter"), DIMENSION(1));
}

static void siemens_is_not_ohm(void **state) {
    dimension_is(find(state, "siemens"), DIMENSION(-2, -1, 3, 2));
    dimension_is(find(state, "ohms"), DIMENSION(2, 1, -3, -2));
}

static void radian_is_a_pure_number(void **state) {
    dimension_is(find(state, "radian"), DIMENSION(0));
    dimension_is(find(state, "steradian"), DIMENSION(0));
}

static void a_size_of_our_table_is_exact(void **state) {
    scale_is(find(state, "inches"), "254", -4, "1", 0);
    scale_is(find(state, "feet"), "3048", -4, "1", 0);
    scale_is(find(state, "revolution"), "2", 0, "1", 1);
    scale_is(find(state, "degree"), "1", -1, "18", 1); /* 0.1/18 pi is pi/180 */
    scale_is(find(state, "percent"), "1", -2, "1", 0);
    scale_is(find(state, "kt"), "1852", -2, "36", 0); /* knots: 1852/3600 */
    scale_is(find(state, "hours"), "36", 2, "1", 0);
}

static void a_scale_is_the_shortest_decimal(void **state) {
    scale_is(find(state, "kgf"), "980665", -5, "1", 0);
    scale_is(find(state, "cal"), "41868", -4, "1", 0);
    scale_is(find(state, "week"), "6048", 2, "1", 0); /* 7 · 86400 */
    scale_is(find(state, "\u00C5"), "1", -10, "1", 0);
}

static void electronvolt_is_that_of_si(void **state) {
    scale_is(find(state, "Electronvolts"), "1602176634", -28, "1", 0);
}

static void prefixes_are_exact(void **state) {
    scale_is(find(state, "kcal"), "41868", -1, "1", 0);
    scale_is(find(state, "kilovolt"), "1", 3, "1", 0);
    scale_is(find(state, "MilliHenries"), "1", -3, "1", 0);
    scale_is(find(state, "\u00B5volt"), "1", -6, "1", 0);
    scale_is(find(state, "microinch"), "254", -10, "1", 0);
}

static void fahrenheit_has_offset_before_scale(void **state) {
    hbg_unit unit = find(state, "fahrenheit");
    scale_is(unit, "5", 0, "9", 0);
    assert_string_equal(unit.offset.digits, "45967");
    assert_int_equal(unit.offset.exponent, -2);
    assert_true(hbg_lang_unit_alone(&unit));
}

static void digits_within_a_name_are_part_of_it(void **state) {
    hbg_unit unit = find(state, "cmH2O");
    dimension_is(unit, DIMENSION(-1, 1, -2));
    scale_is(unit, "980665", -4, "1", 0);
}

static void logarithms_are_refused(void **state) {
    assert_non_null(strstr(refused(state, "dBm"), "logarithmic"));
    assert_non_null(strstr(refused(state, "BZ"), "logarithmic"));
}

static void a_prefix_before_an_offset_is_refused(void **state) {
    assert_non_null(strstr(refused(state, "mdegC"), "there is no unit `mdegC`"));
}

static void grammar_of_udunits_is_out_of_reach(void **state) {
    const char *const texts[] = {"per",
                                 "m2",
                                 "m s",
                                 "lg(re 1 mW)",
                                 "s since 2000-01-01",
                                 "K @ 2",
                                 "m/s",
                                 "1",
                                 "",
                                 " ",
                                 "m ",
                                 "m^2",
                                 "\xFF",
                                 "'",
                                 "\"",
                                 "-"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        unit_fixture *fixture = *state;
        hbg_unit unit;
        const char *reason = NULL;
        bool found = hbg_lang_unit_database_find(fixture->units, &fixture->arena, texts[i], &unit, &reason);
        /* the signs of minute and second of arc are names there */
        assert_int_equal(found, texts[i][0] == '\'' || texts[i][0] == '"');
    }
}

static void unreadable_database_says_so(void **state) {
    setenv("UDUNITS2_XML_PATH", "/nonexistent/units.xml", 1);
    const char *reason = refused(state, "furlong");
    assert_non_null(strstr(reason, "there is no unit `furlong`"));
    assert_non_null(strstr(reason, "cannot be read"));
    /* and is not tried again */
    unsetenv("UDUNITS2_XML_PATH");
    assert_non_null(strstr(refused(state, "furlong"), "cannot be read"));
}

static void our_table_needs_no_database(void **state) {
    unit_fixture *fixture = *state;
    setenv("UDUNITS2_XML_PATH", "/nonexistent/units.xml", 1);
    hbg_unit unit;
    const char *reason, *near, *text = "kWh.Nm/(mOhm.degR)";
    assert_true(
        hbg_lang_units_parse(fixture->units, &fixture->arena, text, strlen(text), &unit, &reason, &near));
    /* the first foreign name reads it: only then the path matters */
    unsetenv("UDUNITS2_XML_PATH");
    dimension_is(find(state, "furlong"), DIMENSION(1));
}

static void two_systems_live_side_by_side(void **state) {
    unit_fixture *fixture = *state;
    hbg_units *second = hbg_lang_units_new();
    hbg_unit unit;
    const char *reason;
    assert_true(hbg_lang_unit_database_find(second, &fixture->arena, "furlong", &unit, &reason));
    find(state, "furlong");
    hbg_lang_units_free(second);
    find(state, "fathom");
}

static void free_takes_null(void **state) {
    (void)state;
    hbg_lang_units_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(names_are_read_in_any_case),
        TEST(siemens_is_not_ohm),
        TEST(radian_is_a_pure_number),
        TEST(a_size_of_our_table_is_exact),
        TEST(a_scale_is_the_shortest_decimal),
        TEST(electronvolt_is_that_of_si),
        TEST(prefixes_are_exact),
        TEST(fahrenheit_has_offset_before_scale),
        TEST(digits_within_a_name_are_part_of_it),
        TEST(logarithms_are_refused),
        TEST(a_prefix_before_an_offset_is_refused),
        TEST(grammar_of_udunits_is_out_of_reach),
        TEST(unreadable_database_says_so),
        TEST(our_table_needs_no_database),
        TEST(two_systems_live_side_by_side),
        TEST(free_takes_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
