/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Unit brackets in models: their labels as written, their dimensions, and errors at each place they occur. */
#include "lang/fixture_impl.h"

static void labels_are_as_written_without_blanks_around(void **state) {
    fixture *f = *state;
    hbg_model *m =
        read_good(f, "model M { param a = 5 [ mH ], b [kg.m2/s2] = 3, c = 4, d [V] = 2 [mV];\n"
                     "signal s [ A ] = 1, t = 2; output o = a/(1 [H]) + b/(1 [J]) + c + d/(1 [V]); }");
    assert_string_equal(m->params.items[0].unit, "mH");
    assert_string_equal(m->params.items[1].unit, "kg.m2/s2");
    assert_null(m->params.items[2].unit);
    assert_string_equal(m->params.items[3].unit, "V"); // declared, not of the value
    assert_string_equal(m->signals.items[0].unit, "A");
    assert_null(m->signals.items[1].unit);
}

static void a_declared_unit_is_a_dimension(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "model M { param a [V] = 1, b [1] = 2, c = 3; signal s = a, t = b + c; }");
    hbg_dimension volt = hbg_model_domain_dimension(HBG_DOMAIN_ELECTRICAL, HBG_VARIABLE_EFFORT);
    assert_true(m->params.items[0].dimension.known);
    assert_true(hbg_model_dimension_agree(m->params.items[0].dimension, volt));
    assert_true(m->params.items[1].dimension.known);
    assert_false(hbg_model_dimension_agree(m->params.items[1].dimension, volt));
}

static void a_wrong_unit_is_told_at_every_place(void **state) {
    fixture *f = *state;
    assert_null(read_any(
        f, "model M {\nparam a = 1 [Vv];\nparam b = 2 [Vv];\nparam c [Vv] = 3;\nsignal s = a + b + c;\n}"));
    assert_int_equal(f->diagnostics.errors, 3);
    for (int line = 2; line <= 4; line++) assert_diagnostic(f, "E0402", line, "did you mean `[V]`?");
}

static void a_wrong_unit_marks_its_brackets(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "model M { param a = 1 [Vv]; signal s = a; }"));
    hbg_place place;
    assert_true(hbg_base_sources_place(&f->sources, f->diagnostics.items.items[0].span, &place));
    assert_int_equal(place.mark_size, 4);
    assert_memory_equal(place.text + place.mark, "[Vv]", 4);
}

static void percent_of_a_fault_is_relative(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(
        f, "model M { param R1 = 1 [Ohm]; Se s(1 [V]); R r(R1); s -> r;\n"
           "experiment e { stop 1 [s]; fault at 0: R1 abrupt -30 [%]; fault at 0: R1 abrupt 30 [ % ];\n"
           "fault at 0: R1 abrupt 3 [Ohm]; fault at 0: R1 abrupt 0.3; } }");
    static const bool relative[] = {true, true, false, false};
    for (int i = 0; i < 4; i++)
        assert_int_equal(m->experiments.items[0].faults.items[i].relative, relative[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(labels_are_as_written_without_blanks_around),
        TEST(a_declared_unit_is_a_dimension),
        TEST(a_wrong_unit_is_told_at_every_place),
        TEST(a_wrong_unit_marks_its_brackets),
        TEST(percent_of_a_fault_is_relative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
