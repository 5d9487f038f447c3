/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is told of modes that have equations as limits only (semantics, section 3a): those that are passed through, and those that float. */
#include "causality_fixture_impl.h"

#include <jansson.h>

/* Two supplies, each behind a switch, on one node. */
#define TWO_SUPPLIES                                                                                         \
    "model M { Se v(24); Se w(12); 0 n; R r(1); 1 a when x; 1 b when y; v -> a -> n -> r; w -> b -> n;"      \
    " automaton x { off open -> shut when time > 1; on shut; }"                                              \
    " automaton y { off open -> shut when time > 2; on shut; } }"

/* A node between two switches. */
#define HALF_BRIDGE                                                                                          \
    "model M { Se v(24); Se w(12); 0 n; 0 c; 1 a when x; 1 b when y; R r(1); v -> a -> n -> b -> c; w -> "   \
    "c; c -> r;"                                                                                             \
    " automaton x { off open -> shut when time > 1; on shut; }"                                              \
    " automaton y { off open -> shut when time > 2; on shut; } }"

static json_t *json_of(const char *model, const char *mode, bool *valid) {
    causality_fixture fixture = fixture_load(model);
    hbg_causality_options options = {.mode = mode};
    hbg_text text;
    assert_int_equal(hbg_causality_json(fixture.session, fixture.model, &options, valid, &text), HBG_OK);
    json_t *root = json_loads(text.data, 0, NULL);
    assert_non_null(root);
    hbg_text_free(fixture.session, &text);
    hbg_session_free(fixture.session);
    return root;
}

static void expect_list(const json_t *root, const char *key, const char *wanted) {
    char found[200] = "";
    const json_t *list = json_object_get(root, key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%s", used ? " " : "",
                 json_string_value(json_array_get(list, i)));
    }
    assert_string_equal(found, wanted);
}

static void shorted_mode_is_valid_and_mythical_only(void **state) {
    bool valid;
    (void)state;
    json_t *root = json_of(TWO_SUPPLIES, "x=shut,y=shut", &valid);
    assert_true(valid);
    assert_string_equal(json_string_value(json_object_get(root, "limit")), "mythical only");
    expect_list(root, "loop", "v>a a>n w>b b>n");
    assert_null(json_object_get(root, "cut_set"));
    json_decref(root);
    root = json_of(TWO_SUPPLIES, "x=shut,y=open", &valid);
    assert_true(valid);
    assert_null(json_object_get(root, "limit"));
    json_decref(root);
}

static void floating_mode_is_valid_and_says_where(void **state) {
    bool valid;
    (void)state;
    json_t *root = json_of(HALF_BRIDGE, NULL, &valid);
    assert_true(valid);
    assert_string_equal(json_string_value(json_object_get(root, "limit")), "floats");
    expect_list(root, "by_parasites", "a>n n>b");
    json_decref(root);
}

/* Two sources on one junction, without a switch between them, are an error whenever it is on. */
static void mode_without_any_assignment_is_told_from_these(void **state) {
    bool valid;
    (void)state;
    json_t *root = json_of("model M { Se v(1); Se w(2); R r(1); 0 n when x; v -> n -> r; w -> n;"
                           " automaton x { off no -> yes when time > 1; on yes; } }",
                           "x=yes", &valid);
    assert_false(valid);
    assert_null(json_object_get(root, "limit"));
    expect_list(root, "conflict", "v>n w>n");
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shorted_mode_is_valid_and_mythical_only),
        cmocka_unit_test(floating_mode_is_valid_and_says_where),
        cmocka_unit_test(mode_without_any_assignment_is_told_from_these),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
