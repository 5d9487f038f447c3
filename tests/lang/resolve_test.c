/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names: paths through instances, and what is said about those that lead nowhere. */
#include "lang/fixture_impl.h"

static void paths_lead_through_instances(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(
        f, "component A { param p = 1; signal s = 2*p; automaton k { off x -> y when s > 3; on y; } }\n"
           "component B { A inner; signal t = inner.s; }\n"
           "model M { B b; signal u = b.inner.p + b.t, v = b.inner.k.y; }");
    assert_string_equal(expr_of(f, m, m->signals.items[0].value), "b.inner.p + b.t");
    assert_string_equal(expr_of(f, m, m->signals.items[1].value), "b.inner.k.y");
}

static void names_of_the_outside_are_not_seen_inside(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "component A {\nsignal s = outer;\n}\nmodel M { param outer = 1; A a; }"));
    assert_diagnostic(f, "E0301", 2, "nothing is called `outer` in `a`");
}

static void the_nearest_name_is_offered(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "model M { param voltage = 1, current = 2;\n"
                            "signal a = voltgae;\n"
                            "signal b = Current;\n"
                            "signal c = zebra;\n"
                            "signal d = tme;\n"
                            "}"));
    assert_diagnostic(f, "E0301", 2, "did you mean `voltage`?");
    assert_diagnostic(f, "E0301", 3, "did you mean `current`?");
    assert_null(find_diagnostic(f, "E0301", 4, "did you mean"));
    assert_diagnostic(f, "E0301", 5, "did you mean `time`?");
}

static void a_state_that_is_none_is_told_with_its_automaton(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "model M {\nautomaton gate { off shut -> wide when time > 1 [s]; on wide; }\n"
                            "signal s = gate.wde;\n}"));
    const hbg_diagnostic *found = find_diagnostic(f, "E0301", 3, "automaton `gate` has no state `wde`");
    assert_non_null(found);
    assert_string_equal(found->fix, "did you mean `wide`?");
    hbg_place place;
    assert_true(hbg_base_sources_place(&f->sources, found->notes.items[0].span, &place));
    assert_int_equal(place.line, 2);
}

static void a_bond_that_was_not_made_brings_no_second_error(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "model M { Se s(1 [V]); R r(1 [Ohm]);\nb1: s -> q;\nsignal x = b1.e;\n}"));
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0301", 2, "`q`");
}

static void bonds_end_at_no_bond(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "model M { Se s(1 [V]); R r(1 [Ohm]); 0 n; b1: s -> n;\nb1 -> r;\n}"));
    assert_diagnostic(f, "E0504", 2, "`b1` is a bond");
}

static void after_a_million_comparisons_no_name_is_offered(void **state) {
    fixture *f = *state;
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_text(&text, "model M {\n");
    for (int i = 0; i < 20000; i++) hbg_base_buffer_print(&text, "param name%d = 1;\n", i);
    for (int i = 0; i < 500; i++) hbg_base_buffer_print(&text, "signal s%d = nmae%d;\n", i, i);
    hbg_base_buffer_text(&text, "}\n");
    assert_null(read_any(f, text.data));
    assert_int_equal(f->diagnostics.errors, 500);
    int offered = 0;
    for (int32_t i = 0; i < f->diagnostics.items.count; i++)
        offered += f->diagnostics.items.items[i].fix != NULL;
    // 20500 names each time
    assert_int_equal(offered, HBG_LANG_SUGGESTIONS / 20500);
}

static void articles_suit_their_nouns(void **state) {
    (void)state;
    assert_string_equal(hbg_lang_elaborate_article("effort source"), "an");
    assert_string_equal(hbg_lang_elaborate_article("inertia"), "an");
    assert_string_equal(hbg_lang_elaborate_article("resistor"), "a");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(paths_lead_through_instances),
        TEST(names_of_the_outside_are_not_seen_inside),
        TEST(the_nearest_name_is_offered),
        TEST(a_state_that_is_none_is_told_with_its_automaton),
        TEST(a_bond_that_was_not_made_brings_no_second_error),
        TEST(bonds_end_at_no_bond),
        TEST(after_a_million_comparisons_no_name_is_offered),
        TEST(articles_suit_their_nouns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
