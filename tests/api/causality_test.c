/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality of a mode in words, and the check of the start mode. */
#include <stdio.h>

#include "causality_fixture_impl.h"

static void expect_of(const char *model, hbg_causality_options options, bool is_valid,
                      const char *const *parts) {
    causality_fixture fixture = fixture_load(model);
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

static void expect_text(const char *mode, bool integral, bool is_valid, const char *const *parts) {
    expect_of(TWO_CAPACITORS, (hbg_causality_options){.mode = mode, .integral = integral}, is_valid, parts);
}

static void open_relay_leaves_both_capacitors_independent(void **state) {
    (void)state;
    expect_text(
        NULL, false, true,
        (const char *[]){"left>c1", "right>c2", "all in integral causality", "algebraic loops: none", NULL});
}

static void closed_relay_makes_one_capacitor_dependent(void **state) {
    (void)state;
    expect_text("relay=closed", false, true,
                (const char *[]){"storages: 1 of 2 in derivative causality", "is dependent", NULL});
}

static void integral_causality_alone_is_refused_by_the_closed_relay(void **state) {
    (void)state;
    expect_text("relay=closed", true, false, (const char *[]){"no valid causal assignment", "left>c1", NULL});
}

static void two_sources_on_one_node_are_a_conflict_of_their_bonds(void **state) {
    (void)state;
    expect_of("model M { Se v(1); Se w(2); R r(1); 0 n when x; v -> n -> r; w -> n;"
              " automaton x { off no -> yes when time > 1; on yes -> no when time > 2; } }",
              (hbg_causality_options){.mode = "x=yes"}, false,
              (const char *[]){"no valid causal assignment; these bonds contradict each other", "v>n", "w>n",
                               NULL});
}

static void sources_that_switches_set_against_each_other_are_mythical_only(void **state) {
    (void)state;
    expect_text("other=yes,cell.gate=shut", false, true,
                (const char *[]){
                    "the mode is mythical only, unless its sources agree",
                    "short-circuited around: source>second, second>left, cell.s>cell.join, cell.join>left",
                    "decided by its parasite", NULL});
}

/* The capacitor always sets the effort of its bond, so it never sets the flow of its 1-junction. */
static void constrained_junction_names_the_bonds_that_can_determine_it(void **state) {
    (void)state;
    expect_of(CONSTRAINED, (hbg_causality_options){0}, true,
              (const char *[]){"constrained to n>j, j>b, j>d", NULL});
}

/* Off or on, the flow of the switched junction is what its resistor says. */
static void junction_that_never_reassigns_is_marked(void **state) {
    (void)state;
    expect_of(SWITCHED_RC, (hbg_causality_options){0}, true,
              (const char *[]){"off  -                 switches without reassignment", NULL});
    expect_of(SWITCHED_RC, (hbg_causality_options){.mode = "k=shut"}, true,
              (const char *[]){"forced; switches without reassignment", NULL});
}

static void loop_names_its_resistors_and_junctions(void **state) {
    (void)state;
    expect_of(TWO_RESISTORS, (hbg_causality_options){0}, true,
              (const char *[]){"algebraic loop 1: a, b through j, n", NULL});
}

static void paths_are_listed_when_asked_for(void **state) {
    (void)state;
    const hbg_causality_options paths = {.mode = "k=shut", .paths = true};
    expect_of(SWITCHED_RC, paths, true,
              (const char *[]){"causal paths\n", "    s -> r: s>j.e, j>r.e\n", "    r -> s: j>r.f, s>j.f\n",
                               "    r -> c: j>r.f, j>c.f\n", "    c -> r: j>c.e, j>r.e\n", NULL});
    causality_fixture fixture = fixture_load(SWITCHED_RC);
    hbg_text text;
    bool valid;
    assert_int_equal(
        hbg_causality_text(fixture.session, fixture.model, &(hbg_causality_options){0}, &valid, &text),
        HBG_OK);
    assert_null(strstr(text.data, "causal paths"));
    hbg_text_free(fixture.session, &text);
    hbg_session_free(fixture.session);
}

/* A mass at the end of a thousand junctions, sixty resistors at the other end: 120 paths of a thousand bonds. */
static void paths_beyond_reading_are_cut(void **state) {
    (void)state;
    static char text[60000];
    int size = snprintf(text, sizeof text, "model Long { 1 j0; I m(1);\n");
    for (int i = 0; i < 60; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, "R r%d(1); j0 -> r%d;\n", i, i);
    for (int i = 1; i <= 1000; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, "%d j%d; j%d -> j%d;\n", (i + 1) % 2, i,
                         i - 1, i);
    snprintf(text + size, sizeof text - (size_t)size, "j1000 -> m; }\n");
    const hbg_causality_options paths = {.paths = true};
    expect_of(text, paths, true,
              (const char *[]){"    m -> r0: j1000>m.f, j999>j1000.f,", "    … and more: too many to list\n",
                               NULL});
}

static void ports_of_a_field_are_named_by_number(void **state) {
    (void)state;
    expect_of("model F { Sf a(1); Sf b(1); I w[2]([[2, 1], [1, 2]]); 1 p; 1 q; a -> p; b -> q;\n"
              "  p -> w[1]; q -> w[2]; }",
              (hbg_causality_options){0}, true,
              (const char *[]){"2 of 2 in derivative", "I w[1] is dependent", "I w[2] is dependent", NULL});
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
        cmocka_unit_test(sources_that_switches_set_against_each_other_are_mythical_only),
        cmocka_unit_test(constrained_junction_names_the_bonds_that_can_determine_it),
        cmocka_unit_test(junction_that_never_reassigns_is_marked),
        cmocka_unit_test(loop_names_its_resistors_and_junctions),
        cmocka_unit_test(paths_are_listed_when_asked_for),
        cmocka_unit_test(paths_beyond_reading_are_cut),
        cmocka_unit_test(ports_of_a_field_are_named_by_number),
        cmocka_unit_test(invalid_start_mode_is_an_error_with_its_bonds),
        cmocka_unit_test(valid_start_mode_is_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
