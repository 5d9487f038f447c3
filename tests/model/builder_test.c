/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The builder and its names. */
#include "fixture_impl.h"

static void a_new_model_has_its_own_scope(void **state) {
    fixture *f = *state;
    assert_int_equal(f->model->scopes.count, 1);
    assert_int_equal(hbg_model_find(f->model, 0, name(f, "x")).kind, HBG_OBJECT_NONE);
}

static void objects_are_found_under_scope_and_name(void **state) {
    fixture *f = *state;
    int32_t inner = hbg_model_add_scope(f->model, id(f, "inner"), name(f, "Diode"), NULL);
    int32_t outer_r = bare_element(f, HBG_KIND_R, "r", 1);
    int32_t inner_r =
        hbg_model_add_element(f->model, (hbg_identity){inner, name(f, "r"), place(f)}, HBG_KIND_R, 1);
    assert_int_equal(hbg_model_find(f->model, 0, name(f, "r")).index, outer_r);
    assert_int_equal(hbg_model_find(f->model, inner, name(f, "r")).index, inner_r);
    assert_int_equal(hbg_model_find(f->model, 0, name(f, "inner")).kind, HBG_OBJECT_SCOPE);
    assert_int_equal(f->diagnostics.errors, 0);
}

static void every_kind_of_object_has_an_identity(void **state) {
    fixture *f = *state;
    param(f, "p", number(f, 1));
    bare_element(f, HBG_KIND_R, "r", 1);
    automaton(f, "a", "0");
    signal(f, HBG_SIGNAL_INPUT, "s", HBG_NONE);
    hbg_model_add_port(f->model, id(f, "t"), HBG_DOMAIN_ANY);
    const char *const names[] = {"p", "r", "a", "s", "t"};
    for (int i = 0; i < 5; i++) {
        hbg_object found = hbg_model_find(f->model, 0, name(f, names[i]));
        assert_string_equal(hbg_base_names_get(&f->names, hbg_model_identity(f->model, found)->name),
                            names[i]);
    }
    assert_null(hbg_model_identity(f->model, (hbg_object){HBG_OBJECT_NONE, HBG_NONE}));
    assert_null(hbg_model_identity(f->model, (hbg_object){HBG_OBJECT_PARAM, HBG_NONE}));
}

static void a_name_taken_is_reported_with_both_places(void **state) {
    fixture *f = *state;
    int32_t first = bare_element(f, HBG_KIND_R, "x", 1);
    param(f, "x", number(f, 1));
    assert_int_equal(count_of(f, HBG_E_DUPLICATE), 1);
    assert_says(f, HBG_E_DUPLICATE, "`x`");
    assert_note_at(f, HBG_E_DUPLICATE, f->model->elements.items[first].id.span);
    assert_int_equal(hbg_model_find(f->model, 0, name(f, "x")).kind, HBG_OBJECT_ELEMENT);
}

static void an_alias_is_a_second_name(void **state) {
    fixture *f = *state;
    int32_t r = bare_element(f, HBG_KIND_R, "r", 1), c = bare_element(f, HBG_KIND_C, "c", 1);
    int32_t b = bond(f, r, c);
    hbg_model_add_alias(f->model, id(f, "b1"), (hbg_object){HBG_OBJECT_BOND, b});
    assert_int_equal(hbg_model_find(f->model, 0, name(f, "b1")).kind, HBG_OBJECT_BOND);
    assert_int_equal(hbg_model_find(f->model, 0, name(f, "b1")).index, b);
}

static void using_a_parameter_marks_it(void **state) {
    fixture *f = *state;
    int32_t p = param(f, "p", number(f, 1)), q = param(f, "q", number(f, 1));
    use(f, p);
    assert_true(f->model->params.items[p].used);
    assert_false(f->model->params.items[q].used);
}

static void new_objects_have_nothing(void **state) {
    fixture *f = *state;
    int32_t e = bare_element(f, HBG_KIND_ZERO, "n", 0);
    assert_int_equal(f->model->elements.items[e].control, HBG_NONE);
    assert_int_equal(f->model->elements.items[e].restitution, HBG_NONE);
    int32_t s = hbg_model_add_signal(f->model, id(f, "s"), HBG_SIGNAL_STATE, HBG_TYPE_REAL);
    assert_int_equal(f->model->signals.items[s].value, HBG_NONE);
    assert_int_equal(f->model->signals.items[s].noise_variance, HBG_NONE);
    int32_t a = hbg_model_add_automaton(f->model, id(f, "a"));
    assert_int_equal(f->model->automata.items[a].every, HBG_NONE);
    int32_t p = hbg_model_add_param(f->model, id(f, "p"));
    assert_int_equal(f->model->params.items[p].value, HBG_NONE);
    assert_false(f->model->params.items[p].dimension.known);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_new_model_has_its_own_scope),
        TEST(objects_are_found_under_scope_and_name),
        TEST(every_kind_of_object_has_an_identity),
        TEST(a_name_taken_is_reported_with_both_places),
        TEST(an_alias_is_a_second_name),
        TEST(using_a_parameter_marks_it),
        TEST(new_objects_have_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
