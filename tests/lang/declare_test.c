/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Declarations become objects: all of them, once per instance, each with its path and its place. */
#include "lang/fixture_impl.h"

static const char *path_of(fixture *f, const hbg_model *model, hbg_object_kind kind, int32_t index) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_path(model, (hbg_object){kind, index}, &buffer);
    return buffer.data;
}

static const char two_levels[] =
    "component Inner(x = 1) \"inside\" { port a : electrical; R r(x*(1 [Ohm])); a -> r; }\n"
    "component Outer { port p : electrical; 0 n; Inner one; Inner two(x = 2) \"own words\";\n"
    "    p -> n; n -> one.a; n -> two.a; }\n"
    "model M \"the model\" { Se s(1 [V]); Outer o; s -> o.p; }";

static void every_instance_has_its_own_objects(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, two_levels);
    assert_int_equal(m->scopes.count, 4);
    assert_int_equal(m->params.count, 2);
    assert_int_equal(m->elements.count, 4);
    assert_int_equal(m->ports.count, 3);
    static const char *const scopes[] = {"M", "o", "o.one", "o.two"};
    for (int32_t i = 1; i < 4; i++) assert_string_equal(path_of(f, m, HBG_OBJECT_SCOPE, i), scopes[i]);
    static const char *const elements[] = {"s", "o.n", "o.one.r", "o.two.r"};
    for (int32_t i = 0; i < 4; i++) assert_string_equal(path_of(f, m, HBG_OBJECT_ELEMENT, i), elements[i]);
}

static void texts_of_instances_come_before_those_of_components(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, two_levels);
    assert_string_equal(m->doc, "the model");
    assert_null(m->scopes.items[1].doc);
    assert_string_equal(m->scopes.items[2].doc, "inside");
    assert_string_equal(m->scopes.items[3].doc, "own words");
    assert_string_equal(name_of(f, m->scopes.items[3].component), "Inner");
}

static void objects_know_their_place(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, two_levels);
    hbg_place place;
    assert_true(hbg_base_sources_place(&f->sources, m->elements.items[3].id.span, &place));
    assert_int_equal(place.line, 1);
    assert_true(hbg_base_sources_place(&f->sources, m->scopes.items[1].id.span, &place));
    assert_int_equal(place.line, 4);
    assert_int_equal(place.mark_size, 1);
}

static void a_switch_is_a_junction_with_a_source(void **state) {
    fixture *f = *state;
    hbg_model *m =
        read_good(f, "model M { input bool c = true; Se s(1 [V]); R r(1 [Ohm]); Sw k when a; 1 j; 0 n;\n"
                     "s -> j -> r; j -> n; n -> k;\n"
                     "automaton a { off o -> x when c; on x -> o when !c; } }");
    assert_int_equal(m->elements.items[2].kind, HBG_KIND_ONE);
    assert_int_equal(m->elements.items[3].kind, HBG_KIND_SE);
    assert_string_equal(path_of(f, m, HBG_OBJECT_ELEMENT, 3), "k.zero");
    double zero = 1;
    assert_true(hbg_model_constant(m, m->entries.items[m->elements.items[3].first_value], &zero));
    assert_true(zero == 0);
}

static void states_belong_to_their_automaton(void **state) {
    fixture *f = *state;
    hbg_model *m = read_any(f, "model M { automaton a { off x -> y when time > 1 [s]; on y; }\n"
                               "automaton b { on x; } signal s = a.y && b.x; }");
    assert_non_null(m);
    assert_int_equal(m->states.count, 3);
    assert_int_equal(m->automata.items[1].first_state, 2);
    assert_int_equal(m->automata.items[1].state_count, 1);
    assert_true(m->states.items[2].on);
}

static void names_are_unique_within_an_instance_only(void **state) {
    fixture *f = *state;
    read_good(f, "component A { port x : electrical; R r(1 [Ohm]); x -> r; }\n"
                 "model M { Se x(1 [V]); A a; A r; 0 n; x -> n; n -> a.x; n -> r.x; }");
    assert_null(read_any(f, "model M {\nSe x(1 [V]);\nR x(1 [Ohm]);\nx -> x; }"));
    assert_diagnostic(f, "E0302", 3, "`x` is declared twice");
}

static void an_instance_of_nothing_is_told_with_the_likely_name(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "component Diode { }\nmodel M {\nDiod d;\nr x(1);\nTransistor t;\n}"));
    assert_diagnostic(f, "E0301", 3, "did you mean `Diode`?");
    assert_diagnostic(f, "E0301", 4, "did you mean `R`?");
    assert_diagnostic(f, "E0301", 5, "import");
}

static void a_component_inside_itself_is_told_where_it_closes(void **state) {
    fixture *f = *state;
    assert_null(
        read_any(f, "component A { B b; }\ncomponent B {\nD d; }\ncomponent D {\nA a; }\nmodel M { A a; }"));
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0305", 5, "`A` contains itself");
}

static void a_hundred_levels_are_enough(void **state) {
    fixture *f = *state;
    for (int levels = 99; levels <= 101; levels++) {
        hbg_buffer text;
        hbg_base_buffer_init(&text, &f->arena);
        hbg_base_buffer_text(&text, "component L0 { param p = 1; signal s = p; }\n");
        for (int i = 1; i <= levels; i++)
            hbg_base_buffer_print(&text, "component L%d { L%d inner; }\n", i, i - 1);
        hbg_base_buffer_print(&text, "model M%d { L%d top; }", levels, levels);
        hbg_model *m = read_any(f, text.data);
        // L0 lies inside `levels` others
        assert_int_equal(m != NULL, levels < 100);
    }
    assert_diagnostic(f, "E0202", 0, "nested deeper than 100");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_instance_has_its_own_objects),
        TEST(texts_of_instances_come_before_those_of_components),
        TEST(objects_know_their_place),
        TEST(a_switch_is_a_junction_with_a_source),
        TEST(states_belong_to_their_automaton),
        TEST(names_are_unique_within_an_instance_only),
        TEST(an_instance_of_nothing_is_told_with_the_likely_name),
        TEST(a_component_inside_itself_is_told_where_it_closes),
        TEST(a_hundred_levels_are_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
