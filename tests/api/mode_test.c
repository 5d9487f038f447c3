/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modes named by automata and states. */
#include "causality_fixture_impl.h"

/* The heading that a mode gets, or the reason why there is none such. */
static void expect_mode(const char *mode, const char *heading) {
    causality_fixture fixture = fixture_load(TWO_CAPACITORS);
    hbg_causality_options options = {.mode = mode};
    hbg_text text;
    bool valid;
    hbg_status status = hbg_causality_text(fixture.session, fixture.model, &options, &valid, &text);
    const char *words = status == HBG_OK ? text.data : hbg_session_reason(fixture.session);
    if (!strstr(words, heading)) print_message("%s\n", words);
    assert_non_null(strstr(words, heading));
    if (status == HBG_OK) hbg_text_free(fixture.session, &text);
    hbg_session_free(fixture.session);
}

static void automata_not_named_are_in_their_start_states(void **state) {
    (void)state;
    expect_mode(NULL, "Two in mode relay=open,other=no,cell.gate=open\n");
    expect_mode("", "Two in mode relay=open,other=no,cell.gate=open\n");
    expect_mode("relay=closed", "Two in mode relay=closed,other=no,cell.gate=open\n");
}

static void automata_inside_components_are_named_by_path(void **state) {
    (void)state;
    expect_mode("cell.gate=shut", "cell.gate=shut\n");
}

static void on_and_off_stand_for_the_first_such_state(void **state) {
    (void)state;
    expect_mode("relay=on, other=off", "relay=closed,other=no");
}

static void unknown_automata_and_states_are_told_with_what_there_is(void **state) {
    (void)state;
    expect_mode("rely=open", "there is no automaton `rely`; did you mean `relay`?");
    expect_mode("relay=shut", "automaton `relay` has no state `shut`; it has `open`, `closed`");
    expect_mode("cell=shut", "there is no automaton `cell`");
    expect_mode("cell.gate.x=shut", "there is no automaton `cell.gate.x`");
    expect_mode("relay", "a mode is written `automaton=state,…`, not `relay`");
}

static void blanks_around_names_mean_nothing(void **state) {
    (void)state;
    expect_mode(" relay = closed ,  other=yes , ", "Two in mode relay=closed,other=yes,");
}

static void an_automaton_named_twice_is_refused(void **state) {
    (void)state;
    expect_mode("relay=open,other=yes,relay=closed", "automaton `relay` is in two states at once");
    expect_mode("cell.gate=shut, cell.gate = shut", "automaton `cell.gate` is in two states at once");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(automata_not_named_are_in_their_start_states),
        cmocka_unit_test(automata_inside_components_are_named_by_path),
        cmocka_unit_test(on_and_off_stand_for_the_first_such_state),
        cmocka_unit_test(unknown_automata_and_states_are_told_with_what_there_is),
        cmocka_unit_test(blanks_around_names_mean_nothing),
        cmocka_unit_test(an_automaton_named_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
