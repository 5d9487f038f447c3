/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality over all modes: the verdict, its witness, and the storages that some mode makes dependent. */
#include "causality_fixture_impl.h"

#include <jansson.h>

static void expect_all(const char *model, bool integral, hbg_answer expected, const char *part) {
    causality_fixture fixture = fixture_load(model);
    hbg_causality_all_options options = {integral, false};
    hbg_text text;
    hbg_answer answer;
    assert_int_equal(hbg_causality_all(fixture.session, fixture.model, &options, &answer, &text), HBG_OK);
    if (answer != expected || !strstr(text.data, part)) print_message("%s\n", text.data);
    assert_int_equal(answer, expected);
    assert_non_null(strstr(text.data, part));
    hbg_text_free(fixture.session, &text);
    hbg_session_free(fixture.session);
}

/* While the node is on nothing is between the two sources. */
#define TWO_SOURCES                                                                                          \
    "model M { Se v(1); Se w(2); R r(1); 0 n when x; v -> n -> r; w -> n;"                                   \
    " automaton x { off no -> yes when time > 1; on yes -> no when time > 2; } }"

static void mode_with_two_sources_on_one_node_is_found(void **state) {
    (void)state;
    expect_all(TWO_SOURCES, false, HBG_VIOLATED, "mode x=yes has no valid causal assignment; these bonds");
}

/* Sources that switches set against each other: the mode is only passed through. */
static void mode_that_is_mythical_only_violates_nothing(void **state) {
    (void)state;
    expect_all(TWO_CAPACITORS, false, HBG_PROVED,
               "every mode that can exist has a valid causal assignment, if only as a limit: proved\n  mode "
               "relay=open,other=yes,cell.gate=shut is mythical only, unless its sources agree");
    expect_all(TWO_CAPACITORS, true, HBG_VIOLATED, "has no valid causal assignment");
}

static void storages_that_a_mode_makes_dependent_are_found(void **state) {
    (void)state;
    expect_all(TWO_CAPACITORS, false, HBG_PROVED, "storages that no mode makes dependent: 0 of 2");
}

static void switch_before_a_resistor_is_proved_valid(void **state) {
    (void)state;
    expect_all("model M { Se s(1); R r(1); C c(1); 1 j when a; 0 n; s -> j; j -> r; j -> n; n -> c;"
               " automaton a { off o -> c when true; on c -> o when false; } }",
               false, HBG_PROVED, "storages that no mode makes dependent: 1 of 1");
}

static void the_mode_of_a_model_without_automata_is_the_only_one(void **state) {
    (void)state;
    expect_all("model M { Se a(1 [V]); Se b(2 [V]); 0 n; a -> n; b -> n; }", false, HBG_VIOLATED,
               "\n  the only mode has no valid causal assignment; these bonds contradict each other:\n");
    expect_all("model M { Se a(1 [V]); Se b(2 [V]); a -> b; }", false, HBG_VIOLATED,
               "the two ends of this bond contradict each other:\n    a>b\n");
    expect_all("model M { C a(1 [F]); C b(1 [F]); R r(1 [Ohm]); 0 n; n -> a; n -> b; n -> r; }", false,
               HBG_PROVED, "\n    a is dependent in the only mode\n");
}

static void answer_is_json_on_request(void **state) {
    (void)state;
    causality_fixture fixture = fixture_load(TWO_CAPACITORS);
    hbg_causality_all_options options = {false, true};
    hbg_text text;
    hbg_answer answer;
    assert_int_equal(hbg_causality_all(fixture.session, fixture.model, &options, &answer, &text), HBG_OK);
    json_t *root = json_loads(text.data, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(root, "verdict")), "proved");
    const json_t *limit = json_object_get(root, "as_limit");
    assert_string_equal(json_string_value(json_object_get(limit, "limit")), "mythical only");
    assert_string_equal(json_string_value(json_object_get(limit, "mode")),
                        "relay=open,other=yes,cell.gate=shut");
    assert_int_equal(json_array_size(json_object_get(root, "dependent")), 2);
    json_decref(root);
    hbg_text_free(fixture.session, &text);
    hbg_session_free(fixture.session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mode_with_two_sources_on_one_node_is_found),
        cmocka_unit_test(mode_that_is_mythical_only_violates_nothing),
        cmocka_unit_test(storages_that_a_mode_makes_dependent_are_found),
        cmocka_unit_test(switch_before_a_resistor_is_proved_valid),
        cmocka_unit_test(the_mode_of_a_model_without_automata_is_the_only_one),
        cmocka_unit_test(answer_is_json_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
