/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The parser's frame: what stands at the top of a file, recovery from errors, and settings of the command
 * line. Most messages are pinned by the programs of tests/language/syntax. */
#include "lang/fixture_impl.h"

static void a_file_holds_imports_functions_components_and_models(void **state) {
    fixture *f = *state;
    const syntax_file *file = parse(f, "import \"a.hbg\"; function g(x, y) = x + y;\n"
                                       "component A(p = 1, q [V]) \"doc of A\" { param r = 2; }\n"
                                       "model B \"doc of B\" { } model C { }");
    assert_int_equal(f->diagnostics.errors, 0);
    assert_int_equal(file->imports.count, 1);
    assert_string_equal(file->imports.items[0].path, "a.hbg");
    assert_int_equal(file->functions.count, 1);
    assert_int_equal(file->functions.items[0].function->parameters.count, 2);
    assert_int_equal(file->definitions.count, 3);
    const syntax_definition *component = file->definitions.items[0];
    assert_false(component->is_model);
    assert_string_equal(component->doc, "doc of A");
    assert_int_equal(component->header_count, 2);
    assert_int_equal(component->declarations.count, 3);
    assert_true(file->definitions.items[1]->is_model);
    assert_string_equal(name_of(f, file->definitions.items[2]->name), "C");
    assert_null(file->definitions.items[2]->doc);
}

static void each_wrong_statement_is_told_and_the_good_ones_are_kept(void **state) {
    fixture *f = *state;
    const syntax_file *file = parse(f, "model M {\n"
                                       "    Se a(1);\n"
                                       "    R b(;\n"
                                       "    R c(2);\n"
                                       "    0 ;\n"
                                       "    R d(3);\n"
                                       "    automaton k { off x -> ; on y; }\n"
                                       "    R e(4);\n"
                                       "}\n"
                                       "component { R z(1); }\n"
                                       "component G { R h(5); }\n");
    assert_int_equal(f->diagnostics.errors, 4);
    assert_diagnostic(f, "E0201", 3, "an expression");
    assert_diagnostic(f, "E0201", 5, "the name of the junction");
    assert_diagnostic(f, "E0201", 7, "the state to go to");
    assert_diagnostic(f, "E0201", 10, "the name of the component");
    assert_int_equal(file->definitions.count, 2);
    assert_int_equal(file->definitions.items[0]->declarations.count, 5); // a c d k e
    assert_int_equal(file->definitions.items[1]->declarations.count, 1);
}

static void a_missing_semicolon_costs_no_statement(void **state) {
    fixture *f = *state;
    const syntax_file *file = parse(f, "model M {\n"
                                       "    Se a(1)\n"
                                       "    R b(2);\n"
                                       "    a -> b\n"
                                       "}\n");
    assert_int_equal(f->diagnostics.errors, 2);
    assert_diagnostic(f, "E0201", 2, "put `;` here");
    assert_diagnostic(f, "E0201", 4, "found `}`");
    assert_int_equal(file->definitions.items[0]->declarations.count, 3);
}

static void one_end_of_file_is_one_error(void **state) {
    fixture *f = *state;
    parse(f, "model M {\n    automaton a {\n        off x {\n            -> y when z;");
    assert_int_equal(f->diagnostics.errors, 1);
    const hbg_diagnostic *only = &f->diagnostics.items.items[0];
    hbg_place place;
    assert_int_equal(only->notes.count, 1);
    assert_true(hbg_base_sources_place(&f->sources, only->notes.items[0].span, &place));
    assert_int_equal(place.line, 3);
    assert_int_equal(place.column, 15);
}

static void an_unknown_character_brings_no_second_error(void **state) {
    fixture *f = *state;
    parse(f, "model M {\n    param a = 1 $ 2;\n    R b(1;\n}\n");
    assert_int_equal(f->diagnostics.errors, 2);
    assert_diagnostic(f, "E0101", 2, "`$`");
    assert_diagnostic(f, "E0201", 3, "`)`");
}

static void what_was_found_is_cut_between_characters(void **state) {
    fixture *f = *state;
    // 39 bytes of quote and letters, then a character of two bytes across the limit of 40
    parse(f, "model M { R a(1) \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA4\xC3\xA4\" 5; }");
    const hbg_diagnostic *only = &f->diagnostics.items.items[0];
    assert_int_equal(f->diagnostics.errors, 1);
    for (size_t i = 0; only->text[i];) {
        size_t length = hbg_base_utf8_length(only->text + i, strlen(only->text + i));
        assert_true(length > 0);
        i += length;
    }
}

static void braces_that_end_nothing_are_passed_over(void **state) {
    fixture *f = *state;
    const syntax_file *file = parse(f, "} } ; { { } } model M { }");
    assert_true(f->diagnostics.errors > 0);
    assert_int_equal(file->definitions.count, 1);
}

static bool read_setting(fixture *f, const char *text, syntax_setting *setting) {
    int32_t source = hbg_base_sources_add(&f->sources, "the command line", text, strlen(text));
    return hbg_lang_parser_parse_setting(&f->lang, source, setting);
}

static void a_setting_is_a_path_and_a_value(void **state) {
    fixture *f = *state;
    syntax_setting setting = {0};
    assert_true(read_setting(f, "inverter.L1 = 2*5 [mH]", &setting));
    assert_int_equal(setting.target.count, 2);
    assert_int_equal(setting.value->op, HBG_OP_MULTIPLY);
    static const char *const wrong[] = {"", "R1", "R1=", "=3", "R1=3;", "R1=3 4", "R1==3", "3=R1", "R1=(3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(read_setting(f, wrong[i], &setting));
        assert_int_equal(f->diagnostics.errors, i + 1);
    }
}

static void reserved_words_are_those_of_the_list(void **state) {
    fixture *f = *state;
    static const char *const words[] = {
        "model", "component", "import", "param",    "input",     "output",     "signal",
        "state", "sample",    "sensor", "function", "automaton", "experiment", "verify",
        "port",  "when",      "true",   "false",    "pi",        "time",       "in"};
    static const char *const names[] = {"after",  "every", "off",    "on",   "start", "restitution",
                                        "effort", "der",   "step",   "at",   "stuck", "Sw",
                                        "R",      "sin",   "models", "Model"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        parse(f, hbg_base_arena_print(&f->arena, "model M { 0 %s; }", words[i]));
        assert_int_equal(f->diagnostics.errors, i + 1);
        assert_string_equal(hbg_base_diagnostic_kind_get(f->diagnostics.items.items[i].id)->code, "E0203");
    }
    int64_t errors = f->diagnostics.errors;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        parse(f, hbg_base_arena_print(&f->arena, "model M { 0 %s; }", names[i]));
    assert_int_equal(f->diagnostics.errors, errors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_file_holds_imports_functions_components_and_models),
        TEST(each_wrong_statement_is_told_and_the_good_ones_are_kept),
        TEST(a_missing_semicolon_costs_no_statement),
        TEST(one_end_of_file_is_one_error),
        TEST(an_unknown_character_brings_no_second_error),
        TEST(what_was_found_is_cut_between_characters),
        TEST(braces_that_end_nothing_are_passed_over),
        TEST(a_setting_is_a_path_and_a_value),
        TEST(reserved_words_are_those_of_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
