/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The warning on what only parasites decide names the guard or output, the mode and the fix. */
#include "causality_fixture_impl.h"

static void warning_names_output_guard_mode_and_fix(void **state) {
    (void)state;
    causality_fixture fixture = fixture_load(
        "model M { Sf load(10 [A]); Se ground(0 [V]); 0 node; 0 back; 1 sw when s; 1 body when d; load -> "
        "node -> sw -> back;"
        " node -> body -> back; ground -> back; input bool shut = true;\n"
        " automaton s { off open -> closed when shut; on closed; }\n"
        " automaton d { off blocking -> conducting when node.e - back.e > 0 [V]; on conducting; }\n"
        " automaton fuse { off whole -> blown when body.f > 4 [A]; on blown; }\n"
        " output own = body.f, both = body.f + sw.f; }");
    hbg_text text;
    assert_int_equal(hbg_check_start_mode(fixture.session, fixture.model), HBG_OK);
    assert_int_equal(hbg_diagnostics_text(fixture.session, false, &text), HBG_OK);
    const char *const parts[] = {
        "warning[W0717]: only the ratio of parasites decides a guard of `fuse` in mode s=closed,d=conducting",
        "model.hbg:4:",
        "warning[W0717]: only the ratio of parasites decides the output `own` in mode s=closed,d=conducting",
        "model.hbg:5:15", "the resistance of a closed switch, the leak of an open one"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!strstr(text.data, parts[i])) print_message("%s\n", text.data);
        assert_non_null(strstr(text.data, parts[i]));
    }
    assert_null(strstr(text.data, "`both`"));
    hbg_text_free(fixture.session, &text);
    hbg_session_free(fixture.session);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(warning_names_output_guard_mode_and_fix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
