/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A start mode in which sources are in conflict is noted, with what is in conflict and what moves first (semantics, section 3a). */
#include "causality_fixture_impl.h"

/* A buck converter that begins with its switch shut and its diode conducting: 24 V through two closed switches, 12/η. */
#define BUCK(diode, experiment)                                                                              \
    "model M { Se supply(24 [V]); Se ground(0 [V]); Se back(6 [V]); I coil(1 [mH], f = 1 [A]); 1 sw when "   \
    "s; 1 fw when d; 0 node; 1 series; 0 out; supply -> sw -> node; ground -> fw -> node; node -> series "   \
    "-> out; series -> coil; back -> out; automaton s { on shut -> open after 1 [ms]; off open; } "          \
    "automaton d { on conducting -> blocking when " diode "; off blocking; } " experiment " }"

/* What `hbg check` says of it. */
static void expect(const char *model, hbg_status status, int warnings, const char *const *parts) {
    causality_fixture fixture = fixture_load(model);
    hbg_text text;
    assert_int_equal(hbg_check_start_mode(fixture.session, fixture.model), status);
    assert_int_equal(hbg_diagnostics_text(fixture.session, false, &text), HBG_OK);
    assert_int_equal(hbg_warning_count(fixture.session), warnings);
    if (!parts) assert_string_equal(text.data, "");
    for (int i = 0; parts && parts[i]; i++) {
        if (!strstr(text.data, parts[i])) print_message("%s\n", text.data);
        assert_non_null(strstr(text.data, parts[i]));
    }
    hbg_text_free(fixture.session, &text);
    hbg_session_free(fixture.session);
}

static void conflict_that_the_first_search_leaves_is_noted(void **state) {
    (void)state;
    expect(BUCK("fw.f < 0 [A]", ""), HBG_OK, 0,
           (const char *[]){"note[N0801]: the start mode s=shut,d=conducting is only passed through",
                            "`fw`, `ground`, `supply`, `sw`: an unbounded flow of 12/η",
                            "the first search leaves it: `d` from `conducting` to `blocking`", NULL});
}

static void conflict_that_nothing_leaves_is_a_warning(void **state) {
    (void)state;
    expect(BUCK("time > 1 [s]", ""), HBG_OK, 1,
           (const char *[]){
               "warning[W0716]: no guard is enabled in the start mode s=shut,d=conducting, and sources "
               "are short-circuited",
               "12/η", "add the resistance between the sources", NULL});
}

static void flow_that_can_go_nowhere_is_noted(void **state) {
    (void)state;
    expect("model M { Sf feed(2 [A]); 0 node; 0 out; R load(5 [Ohm]); 1 sw when s; feed -> node -> sw -> out "
           "-> load;"
           " automaton s { off open -> shut when node.e - out.e > 0 [V]; on shut; } }",
           HBG_OK, 0,
           (const char *[]){"a flow source has nowhere to go: `feed`, `sw`: an unbounded effort of 2/η",
                            "`s` from `open` to `shut`", NULL});
}

/* The conflict is there, but how large it is and what it does depends on the run. */
static void conflict_of_an_input_without_a_value_has_no_size(void **state) {
    (void)state;
    expect(
        "model M { input real u [V]; Se supply(u); Se ground(0 [V]); R load(1 [Ohm]); 0 n; 1 a when x; 1 b "
        "when y;"
        " supply -> a -> n -> load; ground -> b -> n; automaton x { on shut -> open after 1 [s]; off open; }"
        " automaton y { on shut -> open when b.f < 0 [A]; off open; } }",
        HBG_OK, 0,
        (const char *[]){
            "note[N0801]: the start mode x=shut,y=shut is only passed through: unless its sources "
            "agree, there is a conflict of `supply`, `a`, `ground`, `b`\n",
            NULL});
}

static void nothing_is_said_where_sources_agree_or_a_run_begins_elsewhere(void **state) {
    (void)state;
    expect(BUCK("fw.f < 0 [A]", "experiment e { stop 1 [ms]; set d = blocking; }"), HBG_OK, 0, NULL);
    expect("model M { input level = 5 [V]; Se a(level); Se b(5 [V]); R r(1 [Ohm]); 0 n; 1 s when x; 1 u when "
           "y; a -> s -> n;"
           " b -> u -> n -> r; automaton x { on shut -> open after 1 [s]; off open; }"
           " automaton y { on shut -> open after 1 [s]; off open; } }",
           HBG_OK, 0, NULL);
}

/* The same converter declared blocking, and set conducting by its experiment: 24 V through two closed switches once more. */
static void the_mode_that_the_experiment_sets_is_checked(void **state) {
    (void)state;
    expect("model M { Se supply(24 [V]); Se ground(0 [V]); Se back(6 [V]); I coil(1 [mH], f = 1 [A]); 1 sw "
           "when s; "
           "1 fw when d; 0 node; 1 series; 0 out; supply -> sw -> node; ground -> fw -> node; node -> series "
           "-> out; "
           "series -> coil; back -> out; automaton s { on shut -> open after 1 [ms]; off open; } automaton d "
           "{ off "
           "blocking; on conducting -> blocking when fw.f < 0 [A]; } experiment e { stop 1 [ms]; set d = "
           "conducting; } }",
           HBG_OK, 0,
           (const char *[]){"the start mode s=shut,d=conducting is only passed through", "12/η", NULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conflict_that_the_first_search_leaves_is_noted),
        cmocka_unit_test(conflict_that_nothing_leaves_is_a_warning),
        cmocka_unit_test(flow_that_can_go_nowhere_is_noted),
        cmocka_unit_test(conflict_of_an_input_without_a_value_has_no_size),
        cmocka_unit_test(nothing_is_said_where_sources_agree_or_a_run_begins_elsewhere),
        cmocka_unit_test(the_mode_that_the_experiment_sets_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
