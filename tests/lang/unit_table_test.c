/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Our table of units against the database of udunits2, read here by its own parser: a name that both know
 * means the same. And what is offered in place of a name that neither knows. */
#include "lang/unit_parts_impl.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <udunits2.h>

#include <cmocka.h>

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    ut_system *system;
} unit_fixture;

static int set_up(void **state) {
    static unit_fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    hbg_base_arena_init(&fixture.arena, &fixture.memory);
    ut_set_error_message_handler(ut_ignore);
    fixture.system = ut_read_xml(NULL);
    *state = &fixture;
    return fixture.system == NULL;
}

static int tear_down(void **state) {
    unit_fixture *fixture = *state;
    ut_free_system(fixture->system);
    hbg_base_arena_fini(&fixture->arena);
    return fixture->memory.used != 0;
}

/* The unit of a dimension as a text for udunits2. */
static void base_text(hbg_dimension dimension, char text[200]) {
    static const char *const SYMBOLS[HBG_BASE_UNITS] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    size_t at = (size_t)sprintf(text, "1");
    for (int i = 0; i < HBG_BASE_UNITS; i++)
        at += (size_t)sprintf(text + at, " %s^%d", SYMBOLS[i],
                              dimension.exponent[i] / HBG_DIMENSION_DENOMINATOR);
}

/* 1 if udunits2 knows the name and agrees with us, 0 if it does not know it. */
static int compare(unit_fixture *fixture, const char *name) {
    hbg_unit unit;
    assert_true(hbg_lang_unit_table_find(&fixture->arena, name, &unit));
    ut_unit *theirs = unit.logarithmic ? NULL : ut_parse(fixture->system, name, UT_UTF8);
    if (theirs == NULL) return 0;

    char text[200];
    base_text(unit.dimension, text);
    ut_unit *base = ut_parse(fixture->system, text, UT_UTF8);
    assert_non_null(base);
    /* a quotient without dimension, as convertible units may also be reciprocal */
    ut_unit *quotient = ut_divide(theirs, base);
    if (!ut_is_dimensionless(quotient)) fail_msg("%s has another dimension in udunits2", name);
    cv_converter *converter = ut_get_converter(theirs, base);
    double scale = cv_convert_double(converter, 1) - cv_convert_double(converter, 0);
    double ours = hbg_base_decimal_to_double(unit.factor) / hbg_base_decimal_to_double(unit.divisor) *
                  pow(M_PI, unit.pi_power);
    if (fabs(scale / ours - 1) > 1e-6) fail_msg("%s is %.17g, in udunits2 %.17g", name, ours, scale);
    double zero = hbg_base_decimal_to_double(unit.offset) * ours;
    assert_true(fabs(cv_convert_double(converter, 0) - zero) <= 1e-10);
    cv_free(converter);
    ut_free(quotient);
    ut_free(base);
    ut_free(theirs);
    return 1;
}

static void table_agrees_with_udunits(void **state) {
    const char *name;
    bool prefixed;
    int known = 0;
    for (int i = 0; (name = hbg_lang_unit_table_name(i, &prefixed)) != NULL; i++) {
        /* miles per hour, not thousandths of a phot */
        if (strcmp(name, "mph") != 0) known += compare(*state, name);
    }
    assert_true(known > 60);
}

static void table_agrees_with_udunits_under_every_prefix(void **state) {
    const char *name;
    const hbg_unit_prefix *prefix;
    bool prefixed;
    int known = 0;
    for (int i = 0; (name = hbg_lang_unit_table_name(i, &prefixed)) != NULL; i++) {
        for (int j = 0; prefixed && (prefix = hbg_lang_unit_table_prefix(j)) != NULL; j++) {
            char text[HBG_UNIT_ATOM_LIMIT + 1];
            snprintf(text, sizeof text, "%s%s", prefix->text, name);
            if (!prefix->is_name) known += compare(*state, text);
        }
    }
    assert_true(known > 600);
}

static void near(void **state, const char *atom, const char *expected) {
    unit_fixture *fixture = *state;
    hbg_unit unit;
    assert_false(hbg_lang_unit_table_find(&fixture->arena, atom, &unit));
    const char *offer = hbg_lang_unit_table_near(&fixture->arena, atom);
    if (expected == NULL) {
        assert_null(offer);
    } else {
        assert_non_null(offer);
        assert_string_equal(offer, expected);
        assert_true(hbg_lang_unit_table_find(&fixture->arena, offer, &unit));
    }
}

static void near_prefers_a_difference_in_case(void **state) {
    near(state, "hz", "Hz");
    near(state, "KHz", "kHz");
    near(state, "khz", "kHz");
    near(state, "OHM", "Ohm");
    near(state, "kv", "kV");
    near(state, "KWh", "kWh");
    near(state, "v", "V");
    near(state, "DegC", "degC");
}

static void near_finds_a_slip_of_the_pen(void **state) {
    near(state, "Ohn", "Ohm");
    near(state, "kOhn", "kOhm");
    near(state, "degg", "deg");
    near(state, "kWhh", "kWh");
}

static void split(void **state, const char *atom, const char *first, const char *second) {
    unit_fixture *fixture = *state;
    const char *rest = NULL, *found = hbg_lang_unit_table_split(&fixture->arena, atom, &rest);
    if (first == NULL) {
        if (found) fail_msg("%s is taken apart into %s and %s", atom, found, rest);
        return;
    }
    if (!found) fail_msg("%s is not taken apart", atom);
    assert_string_equal(found, first);
    assert_string_equal(rest, second);
}

static void two_names_run_together_are_taken_apart(void **state) {
    split(state, "Ns", "N", "s");
    split(state, "kgm", "kg", "m");
    split(state, "mPas", "mPa", "s");
    split(state, "Nrad", "N", "rad");
}

static void slips_in_one_name_are_not_taken_apart(void **state) {
    static const char *const atoms[] = {"KWh", "Km", "Cm", "degg",    "kWhh", "Ohmm",
                                        "s",   "m",  "",   "bananas", "xm"};
    for (size_t i = 0; i < sizeof atoms / sizeof *atoms; i++) split(state, atoms[i], NULL, NULL);
}

static void near_is_silent_for_another_word(void **state) {
    near(state, "banana", NULL);
    near(state, "zzzzzzzz", NULL);
    near(state, "x", NULL);
}

static void names_of_prefixes_need_names_of_units(void **state) {
    unit_fixture *fixture = *state;
    hbg_unit unit;
    assert_false(hbg_lang_unit_table_find(&fixture->arena, "exam", &unit));
    assert_false(hbg_lang_unit_table_find(&fixture->arena, "kiloV", &unit));
}

static void a_prefix_alone_is_no_unit(void **state) {
    unit_fixture *fixture = *state;
    hbg_unit unit;
    assert_false(hbg_lang_unit_table_find(&fixture->arena, "k", &unit));
    assert_false(hbg_lang_unit_table_find(&fixture->arena, "da", &unit));
    assert_false(hbg_lang_unit_table_find(&fixture->arena, "kmm", &unit));
    assert_false(hbg_lang_unit_table_find(&fixture->arena, "", &unit));
}

static void deca_is_longer_than_deci(void **state) {
    unit_fixture *fixture = *state;
    hbg_unit unit;
    assert_true(hbg_lang_unit_table_find(&fixture->arena, "daN", &unit));
    assert_string_equal(unit.factor.digits, "1");
    assert_int_equal(unit.factor.exponent, 1);
    assert_true(hbg_lang_unit_table_find(&fixture->arena, "dAs", &unit));
    assert_int_equal(unit.factor.exponent, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(table_agrees_with_udunits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(table_agrees_with_udunits_under_every_prefix, set_up, tear_down),
        cmocka_unit_test_setup_teardown(near_prefers_a_difference_in_case, set_up, tear_down),
        cmocka_unit_test_setup_teardown(near_finds_a_slip_of_the_pen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(near_is_silent_for_another_word, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_names_run_together_are_taken_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slips_in_one_name_are_not_taken_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_of_prefixes_need_names_of_units, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_prefix_alone_is_no_unit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(deca_is_longer_than_deci, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
