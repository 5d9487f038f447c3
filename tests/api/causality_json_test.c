/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality of a mode as JSON: it parses, and says what the text says. */
#include "causality_fixture_impl.h"

#include <jansson.h>

static json_t *ask(const char *mode, bool integral) {
    causality_fixture fixture = fixture_load(TWO_CAPACITORS);
    hbg_causality_options options = {mode, integral};
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mode_junctions_and_bonds_are_listed),
        cmocka_unit_test(dependent_storages_are_named),
        cmocka_unit_test(invalid_mode_has_its_conflict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
