/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Paths of objects. */
#include "fixture_impl.h"

static void a_path_names_the_instances(void **state) {
    fixture *f = *state;
    int32_t inverter = hbg_model_add_scope(f->model, id(f, "inverter"), name(f, "Inverter"), NULL);
    int32_t boost = hbg_model_add_scope(f->model, (hbg_identity){inverter, name(f, "boost"), place(f)},
                                        name(f, "Boost"), NULL);
    int32_t coil =
        hbg_model_add_element(f->model, (hbg_identity){boost, name(f, "L1"), place(f)}, HBG_KIND_I, 1);
    assert_string_equal(path_of(f, HBG_OBJECT_ELEMENT, coil), "inverter.boost.L1");
    assert_string_equal(path_of(f, HBG_OBJECT_SCOPE, boost), "inverter.boost");
    assert_string_equal(path_of(f, HBG_OBJECT_SCOPE, 0), "M");
}

static void an_unnamed_bond_is_called_after_its_ends(void **state) {
    fixture *f = *state;
    int32_t a = junction(f, HBG_KIND_ONE, "a"), b = junction(f, HBG_KIND_ZERO, "b");
    int32_t first = bond(f, a, b), second = bond(f, a, b), back = bond(f, b, a);
    hbg_model_check(f->model);
    assert_string_equal(path_of(f, HBG_OBJECT_BOND, first), "a>b");
    assert_string_equal(path_of(f, HBG_OBJECT_BOND, second), "a>b#2");
    assert_string_equal(path_of(f, HBG_OBJECT_BOND, back), "b>a");
}

static void a_named_bond_does_not_count_among_the_unnamed(void **state) {
    fixture *f = *state;
    int32_t a = junction(f, HBG_KIND_ONE, "a"), b = junction(f, HBG_KIND_ZERO, "b");
    hbg_bond_end from = {a, 0, place(f)}, to = {b, 0, place(f)};
    int32_t named = hbg_model_add_bond(f->model, id(f, "b7"), from, to);
    int32_t unnamed = bond(f, a, b);
    hbg_model_check(f->model);
    assert_string_equal(path_of(f, HBG_OBJECT_BOND, named), "b7");
    assert_string_equal(path_of(f, HBG_OBJECT_BOND, unnamed), "a>b");
}

static void deep_instances_are_printed_whole(void **state) {
    fixture *f = *state;
    int32_t scope = 0;
    for (int i = 0; i < 500; i++)
        scope = hbg_model_add_scope(f->model, (hbg_identity){scope, name(f, "x"), place(f)}, 0, NULL);
    assert_int_equal(strlen(path_of(f, HBG_OBJECT_SCOPE, scope)), 500 + 499);
}

static void a_broken_bond_has_a_path_too(void **state) {
    fixture *f = *state;
    hbg_bond_end nowhere = {HBG_NONE, 0, {0, 0}};
    int32_t b = hbg_model_add_bond(f->model, (hbg_identity){0, 0, {0, 0}}, nowhere, nowhere);
    assert_string_equal(path_of(f, HBG_OBJECT_BOND, b), "?>?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_path_names_the_instances),
        TEST(an_unnamed_bond_is_called_after_its_ends),
        TEST(a_named_bond_does_not_count_among_the_unnamed),
        TEST(deep_instances_are_printed_whole),
        TEST(a_broken_bond_has_a_path_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
