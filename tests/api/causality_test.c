/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality of a mode in words, and the check of the start mode. */
#include "causality_fixture_impl.h"

static void expect_text(const char *mode, bool integral, bool is_valid, const char *const *parts) {
    causality_fixture fixture = fixture_load(TWO_CAPACITORS);
    hbg_causality_options options = {mode, integral};
    hbg_text text;
    bool valid;
    assert_int_equal(hbg_causality_text(fixture.session, fixture.model, &options, &valid, &text), HBG_OK);
    assert_int_equal(valid, is_valid);
    for (; *parts; parts++) {
        if (!strstr(text.data, *parts)) print_message("%s\n", text.data);
        assert_non_null(strstr(text.data, *parts));
    }
    hbg_text_free(fixture.session, &text);
    hbg_session_free(fixture.session);
}

static void open_relay_leaves_both_capacitors_independent(void **state) {
    (void)state;
    expect_text(
        NULL, false, true,
        (const char *[]){"left>c1", "right>c2", "all in integral causality", "algebraic loops: none", NULL});
}

static void closed_relay_makes_one_capacitor_dependent(void **state) {
    (void)state;
    expect_text("relay=closed", false, true, (const char *[]){"is dependent (derivative causality)", NULL});
}

static void integral_causality_alone_is_refused_by_the_closed_relay(void **state) {
    (void)state;
    expect_text("relay=closed", true, false, (const char *[]){"no valid causal assignment", "left>c1", NULL});
}

static void two_sources_on_one_node_are_a_conflict_of_their_bonds(void **state) {
    (void)state;
    expect_text("other=yes,cell.gate=shut", false, false,
                (const char *[]){"source>second", "second>left", "cell.s>cell.join", "cell.join>left", NULL});
}

static void invalid_start_mode_is_an_error_with_its_bonds(void **state) {
    (void)state;
    causality_fixture fixture =
        fixture_load("model M { Se a(1); Se b(2); 0 n; R r(1); a -> n; b -> n; n -> r; }");
    assert_int_equal(hbg_check_start_mode(fixture.session, fixture.model), HBG_BAD_MODEL);
    assert_int_equal(hbg_error_count(fixture.session), 1);
    hbg_text text;
    assert_int_equal(hbg_diagnostics_text(fixture.session, false, &text), HBG_OK);
    assert_non_null(
        strstr(text.data, "error[E0601]: the start mode has no valid causal assignment: 2 bonds"));
    assert_non_null(strstr(text.data, "bond `a>n`"));
    assert_non_null(strstr(text.data, "bond `b>n`"));
    hbg_text_free(fixture.session, &text);
    hbg_session_free(fixture.session);
}

static void valid_start_mode_is_silent(void **state) {
    (void)state;
    causality_fixture fixture = fixture_load(TWO_CAPACITORS);
    assert_int_equal(hbg_check_start_mode(fixture.session, fixture.model), HBG_OK);
    assert_int_equal(hbg_error_count(fixture.session), 0);
    hbg_session_free(fixture.session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_relay_leaves_both_capacitors_independent),
        cmocka_unit_test(closed_relay_makes_one_capacitor_dependent),
        cmocka_unit_test(integral_causality_alone_is_refused_by_the_closed_relay),
        cmocka_unit_test(two_sources_on_one_node_are_a_conflict_of_their_bonds),
        cmocka_unit_test(invalid_start_mode_is_an_error_with_its_bonds),
        cmocka_unit_test(valid_start_mode_is_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
