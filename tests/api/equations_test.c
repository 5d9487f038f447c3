/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations of a mode through the public header. */
#include "api/run_fixture_impl.h"

#define SWITCHED                                                                                             \
    "model S { Se s(1 [V]); R r(2 [Ohm]); C c(3 [F]); 1 j when k; s -> j; j -> r; j -> c;\n"                 \
    "  automaton k { off open -> shut when time > 1 [s]; on shut -> open when time > 2 [s]; } }\n"

static void equations_come_in_the_order_they_are_computed(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_equations_options options = {0};
    hbg_text text;
    bool valid;
    assert_int_equal(hbg_equations(f.session, f.model, &options, &valid, &text), HBG_OK);
    assert_true(valid);
    assert_int_equal(strncmp(text.data, "Rc\n\n", 4), 0);
    const char *effort = strstr(text.data, "  cap.e = cap.q/C1\n"),
               *rate = strstr(text.data, "  der(cap.q) = ");
    assert_non_null(effort);
    assert_non_null(rate);
    assert_true(effort < rate);
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void a_mode_has_its_own(void **state) {
    (void)state;
    run_fixture f = fixture_load(SWITCHED, NULL);
    hbg_equations_options options = {.mode = "k=shut"};
    hbg_text text;
    bool valid;
    assert_int_equal(hbg_equations(f.session, f.model, &options, &valid, &text), HBG_OK);
    assert_non_null(strstr(text.data, "S in mode k=shut\n"));
    assert_non_null(strstr(text.data, "r.f = "));
    hbg_text_free(f.session, &text);
    options.mode = "k=shutt";
    assert_int_equal(hbg_equations(f.session, f.model, &options, &valid, &text), HBG_NOT_FOUND);
    assert_non_null(strstr(hbg_session_reason(f.session), "`shutt`"));
    fixture_free(&f);
}

static void a_mode_without_an_assignment_says_which_bonds(void **state) {
    (void)state;
    run_fixture f = fixture_load("model W { Se a(1 [V]); Se b(2 [V]); 0 n; a -> n; b -> n; }\n", NULL);
    hbg_equations_options options = {0};
    hbg_text text;
    bool valid;
    assert_int_equal(hbg_equations(f.session, f.model, &options, &valid, &text), HBG_OK);
    assert_false(valid);
    assert_non_null(strstr(text.data, "`a>n`"));
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void json_has_states_and_lines(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_equations_options options = {.json = true};
    hbg_text text;
    bool valid;
    assert_int_equal(hbg_equations(f.session, f.model, &options, &valid, &text), HBG_OK);
    json_t *json = read_json(&f, &text);
    assert_true(json_is_true(json_object_get(json, "valid")));
    assert_string_equal(
        json_string_value(json_object_get(named(json_object_get(json, "states"), "cap.q"), "unit")), "C");
    const json_t *lines = json_object_get(json, "equations");
    assert_true(json_array_size(lines) >= 5);
    bool found = false;
    for (size_t i = 0; i < json_array_size(lines); i++)
        found |= strncmp(json_string_value(json_array_get(lines, i)), "der(cap.q) = ", 13) == 0;
    assert_true(found);
    json_decref(json);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_come_in_the_order_they_are_computed),
        cmocka_unit_test(a_mode_has_its_own),
        cmocka_unit_test(a_mode_without_an_assignment_says_which_bonds),
        cmocka_unit_test(json_has_states_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
