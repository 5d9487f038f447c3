/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality of a mode as JSON: it parses, and says what the text says. */
#include "causality_fixture_impl.h"

#include <jansson.h>

static json_t *ask_of(const char *model, hbg_causality_options options) {
    causality_fixture fixture = fixture_load(model);
    hbg_text text;
    bool valid;
    assert_int_equal(hbg_causality_json(fixture.session, fixture.model, &options, &valid, &text), HBG_OK);
    json_t *root = json_loads(text.data, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_is_true(json_object_get(root, "valid")), valid);
    hbg_text_free(fixture.session, &text);
    hbg_session_free(fixture.session);
    return root;
}

static json_t *ask(const char *mode, bool integral) {
    return ask_of(TWO_CAPACITORS, (hbg_causality_options){.mode = mode, .integral = integral});
}

/* Whether a list of texts is this one, joined by blanks. */
static void expect_list(const json_t *object, const char *key, const char *expected) {
    char joined[200] = "";
    size_t index;
    const json_t *text;
    json_array_foreach(json_object_get(object, key), index, text) {
        if (index > 0) strcat(joined, " ");
        strcat(joined, json_string_value(text));
    }
    assert_string_equal(joined, expected);
}

static void mode_junctions_and_bonds_are_listed(void **state) {
    (void)state;
    json_t *root = ask(NULL, false);
    assert_string_equal(json_string_value(json_object_get(json_object_get(root, "mode"), "cell.gate")),
                        "open");
    json_t *left = json_array_get(json_object_get(root, "junctions"), 0);
    assert_string_equal(json_string_value(json_object_get(left, "name")), "left");
    assert_string_equal(json_string_value(json_object_get(left, "determining")), "left>c1");
    assert_int_equal(json_array_size(json_object_get(root, "bonds")), 8);
    assert_int_equal(json_array_size(json_object_get(root, "dependent")), 0);
    json_decref(root);
}

static void dependent_storages_are_named(void **state) {
    (void)state;
    json_t *root = ask("relay=closed", false);
    assert_int_equal(json_array_size(json_object_get(root, "dependent")), 1);
    json_decref(root);
}

static void invalid_mode_has_its_conflict(void **state) {
    (void)state;
    json_t *root = ask("relay=closed", true);
    assert_true(json_array_size(json_object_get(root, "conflict")) >= 2);
    json_decref(root);
}

static void junctions_list_what_can_determine_them(void **state) {
    (void)state;
    json_t *root = ask_of(CONSTRAINED, (hbg_causality_options){0});
    const json_t *j = json_array_get(json_object_get(root, "junctions"), 2);
    assert_string_equal(json_string_value(json_object_get(j, "name")), "j");
    assert_true(json_is_true(json_object_get(j, "constrained")));
    expect_list(j, "can_determine", "n>j j>b j>d");
    json_decref(root);
}

static void loops_list_junctions_and_resistors(void **state) {
    (void)state;
    json_t *root = ask_of(TWO_RESISTORS, (hbg_causality_options){0});
    assert_int_equal(json_array_size(json_object_get(root, "loops")), 1);
    const json_t *loop = json_array_get(json_object_get(root, "loops"), 0);
    expect_list(loop, "junctions", "j n");
    expect_list(loop, "resistors", "a b");
    assert_null(json_object_get(root, "paths"));
    json_decref(root);
}

static void paths_have_ends_and_what_they_pass(void **state) {
    (void)state;
    json_t *root = ask_of(SWITCHED_RC, (hbg_causality_options){.mode = "k=shut", .paths = true});
    assert_int_equal(json_array_size(json_object_get(root, "paths")), 4);
    assert_true(json_is_true(json_object_get(root, "paths_complete")));
    const json_t *first = json_array_get(json_object_get(root, "paths"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "from")), "s");
    assert_string_equal(json_string_value(json_object_get(first, "to")), "r");
    expect_list(first, "through", "s>j.e j>r.e");
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mode_junctions_and_bonds_are_listed),
        cmocka_unit_test(dependent_storages_are_named),
        cmocka_unit_test(invalid_mode_has_its_conflict),
        cmocka_unit_test(junctions_list_what_can_determine_them),
        cmocka_unit_test(loops_list_junctions_and_resistors),
        cmocka_unit_test(paths_have_ends_and_what_they_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
