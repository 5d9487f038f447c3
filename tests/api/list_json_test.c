/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a model holds, as JSON: read back and looked into. */
#include <jansson.h>

#include "api/small_model_impl.h"

static json_t *list_of(small_model *small) {
    hbg_text text;
    assert_int_equal(hbg_list_json(small->session, small->model, &text), HBG_OK);
    json_error_t error;
    json_t *json = json_loads(text.data, 0, &error);
    if (!json) fail_msg("line %d: %s", error.line, error.text);
    assert_int_equal(text.data[text.size - 1], '\n');
    hbg_text_free(small->session, &text);
    return json;
}

/* The object of that name in a list of the model. */
static const json_t *named(const json_t *json, const char *list, const char *name) {
    size_t index;
    const json_t *object;
    json_array_foreach(json_object_get(json, list), index, object) {
        const char *own = json_string_value(json_object_get(object, "name"));
        if (own && strcmp(own, name) == 0) return object;
    }
    fail_msg("no %s in %s", name, list);
    return NULL;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    if (!text) fail_msg("no text %s", key);
    return text;
}

static void lists_are_as_long_as_the_model(void **state) {
    json_t *json = list_of(*state);
    assert_string_equal(text_of(json, "model"), "Small");
    assert_string_equal(text_of(json, "doc"), "something of everything");
    static const struct {
        const char *list;
        size_t size;
    } lists[] = {{"elements", 10},  {"bonds", 10},  {"automata", 1},
                 {"parameters", 4}, {"signals", 7}, {"experiments", 1}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        assert_int_equal(json_array_size(json_object_get(json, lists[i].list)), lists[i].size);
    json_decref(json);
}

static void elements_have_place_kind_and_value(void **state) {
    json_t *json = list_of(*state);
    const json_t *c = named(json, "elements", "c");
    assert_string_equal(text_of(c, "kind"), "C");
    assert_string_equal(text_of(c, "file"), "small.hbg");
    assert_int_equal(json_integer_value(json_object_get(c, "line")), 9);
    assert_string_equal(json_string_value(json_array_get(json_object_get(c, "values"), 0)), "0.0001");
    const json_t *initial = json_array_get(json_object_get(c, "initial"), 0);
    assert_string_equal(text_of(initial, "variable"), "q");
    assert_true(json_real_value(json_object_get(initial, "number")) == 1e-3);
    assert_string_equal(text_of(initial, "unit"), "C");
    const json_t *n = named(json, "elements", "n");
    assert_string_equal(text_of(n, "when"), "!k");
    assert_string_equal(text_of(n, "off"), "flow");
    assert_int_equal(json_array_size(json_object_get(named(json, "elements", "w"), "values")), 4);
    json_decref(json);
}

static void values_are_numbers_with_units_where_they_are_constant(void **state) {
    json_t *json = list_of(*state);
    const json_t *c = named(json, "elements", "c");
    assert_true(json_real_value(json_array_get(json_object_get(c, "numbers"), 0)) == 1e-4);
    assert_string_equal(json_string_value(json_array_get(json_object_get(c, "units"), 0)), "F");
    const json_t *s = named(json, "elements", "s"); // V + u: an input
    assert_true(json_is_null(json_array_get(json_object_get(s, "numbers"), 0)));
    assert_string_equal(json_string_value(json_array_get(json_object_get(s, "units"), 0)), "V");
    assert_true(
        json_real_value(json_array_get(json_object_get(named(json, "elements", "w"), "numbers"), 3)) == 2);
    json_decref(json);
}

static void reals_are_as_short_as_they_can_be(void **state) {
    (void)state;
    static const char text[] = "model M { param a = 0.1, b = 1/3, c = 3, d = 7.5 [us], e = -2.5e-300,\n"
                               "  f = 1e22 \"1.10 and 0.30\"; Se s(1); R r(1); s -> r; }";
    hbg_session *session;
    hbg_model *model;
    hbg_text json;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    assert_int_equal(hbg_load_text(session, "m.hbg", text, strlen(text), NULL, &model), HBG_OK);
    assert_int_equal(hbg_list_json(session, model, &json), HBG_OK);
    static const char *const parts[] = {"\"value\": 0.1,",       "\"value\": 0.3333333333333333,",
                                        "\"value\": 3.0,",       "\"value\": 7.5e-06,",
                                        "\"value\": -2.5e-300,", "\"value\": 1e+22,",
                                        "1.10 and 0.30"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(json.data, parts[i])) fail_msg("no %s in %s", parts[i], json.data);
    hbg_text_free(session, &json);
    hbg_session_free(session);
}

static void bonds_have_ends_and_domain(void **state) {
    json_t *json = list_of(*state);
    const json_t *bond = named(json, "bonds", "n>load.r");
    assert_string_equal(text_of(bond, "from"), "n");
    assert_string_equal(text_of(bond, "to"), "load.r");
    assert_string_equal(text_of(bond, "domain"), "electrical");
    assert_string_equal(text_of(named(json, "bonds", "n>w#2"), "to"), "w[2]");
    json_decref(json);
}

static void parameters_have_value_and_unit(void **state) {
    json_t *json = list_of(*state);
    const json_t *v = named(json, "parameters", "V");
    assert_true(json_real_value(json_object_get(v, "value")) == 5);
    assert_string_equal(text_of(v, "unit"), "V");
    assert_string_equal(text_of(v, "doc"), "supply");
    assert_true(json_real_value(json_object_get(named(json, "parameters", "load.R0"), "value")) == 20);
    assert_true(json_real_value(json_object_get(named(json, "parameters", "half"), "value")) == 2.5);
    json_decref(json);
}

static void a_file_with_an_odd_name_is_listed(void **state) {
    small_model *small = *state;
    static const char text[] = "model M { Se s(1 [V]); R r(1 [Ohm]); s -> r; }";
    assert_int_equal(hbg_load_text(small->session,
                                   "od\xFF"
                                   "d.hbg",
                                   text, strlen(text), NULL, &small->model),
                     HBG_OK);
    json_t *json = list_of(small);
    assert_string_equal(text_of(named(json, "elements", "s"), "file"), "od?d.hbg");
    json_decref(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(lists_are_as_long_as_the_model),
        TEST(elements_have_place_kind_and_value),
        TEST(values_are_numbers_with_units_where_they_are_constant),
        TEST(reals_are_as_short_as_they_can_be),
        TEST(bonds_have_ends_and_domain),
        TEST(parameters_have_value_and_unit),
        TEST(a_file_with_an_odd_name_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
