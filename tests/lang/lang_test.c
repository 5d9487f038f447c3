/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * From text to model: which model of a text is taken, and how the texts of one session keep apart. */
#include "lang/fixture_impl.h"

static const char two[] = "component A { }\nmodel First { param p = 1; signal s = p; }\nmodel Second { param "
                          "q = 2; signal s = q; }";

static void the_first_model_is_taken(void **state) {
    fixture *f = *state;
    assert_string_equal(name_of(f, read_good(f, two)->name), "First");
}

static void another_model_is_taken_by_name(void **state) {
    fixture *f = *state;
    hbg_lang_options options = {.model = "Second"};
    assert_string_equal(name_of(f, read_with(f, two, &options)->name), "Second");
    options.model = "Secnd";
    assert_null(read_with(f, two, &options));
    assert_diagnostic(f, "E0306", 0, "did you mean `Second`?");
    options.model = "A"; // a component is no model
    assert_null(read_with(f, two, &options));
    assert_diagnostic(f, "E0306", 0, "there is no model `A`");
    assert_diagnostic(f, "E0306", 0, "there are `First`, `Second`");
}

static void models_not_asked_for_are_parsed_only(void **state) {
    fixture *f = *state;
    read_good(f, "model First { param p = 1; signal s = p; }\nmodel Second { signal s = unknown; }");
    assert_null(read_any(f, "model First { param p = 1; signal s = p; }\nmodel Second { signal s = ; }"));
}

static void errors_of_one_text_do_not_hinder_the_next(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "model M { signal s = unknown; }"));
    assert_non_null(read_any(f, two));
    assert_null(read_any(f, "model M {"));
    assert_non_null(read_any(f, two));
    assert_int_equal(f->diagnostics.errors, 2);
}

static void errors_of_names_types_and_units_come_together(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "model M {\n"
                            "    param when = 3;\n"
                            "    Se s(unknown);\n"
                            "    R r(1 [Ohm]);\n"
                            "    s -> r;\n"
                            "    signal a = 1 [V] + 1 [A];\n"
                            "    signal b = !3;\n"
                            "    param c = time;\n"
                            "    experiment e { stop 1 [s]; stop 2 [s]; }\n"
                            "}"));
    assert_int_equal(f->diagnostics.errors, 6);
    assert_diagnostic(f, "E0203", 2, "");
    assert_diagnostic(f, "E0301", 3, "");
    assert_diagnostic(f, "E0403", 6, "");
    assert_diagnostic(f, "E0401", 7, "");
    assert_diagnostic(f, "E0405", 8, "");
    assert_diagnostic(f, "E0204", 9, "");
}

static void errors_of_syntax_come_alone(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "model M {\n    Se s(unknown);\n    R r(;\n}"));
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0201", 3, "");
}

static void a_text_without_a_model_says_so(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {"", "// nothing", "component A { }", "function g(x) = x;"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_null(read_any(f, texts[i]));
    assert_int_equal(f->diagnostics.errors, 1); // the same words, nowhere: told once
    assert_diagnostic(f, "E0306", 0, "declares no model");
}

static void a_file_that_is_not_there_may_be_asked_for_twice(void **state) {
    fixture *f = *state;
    for (int i = 0; i < 2; i++) assert_null(hbg_lang_read_file(&f->lang, "nowhere.hbg", NULL));
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0001", 0, "does not exist");
}

static void a_warning_as_error_refuses_the_model(void **state) {
    fixture *f = *state;
    f->diagnostics.warnings_are_errors = true;
    assert_null(read_any(f, "function g(x); model M { param p = 1; }"));
    assert_int_equal(f->diagnostics.errors, 1); // of what errors may have left unused nothing is said
    assert_diagnostic(f, "W0702", 1, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_first_model_is_taken),
        TEST(another_model_is_taken_by_name),
        TEST(models_not_asked_for_are_parsed_only),
        TEST(errors_of_one_text_do_not_hinder_the_next),
        TEST(errors_of_names_types_and_units_come_together),
        TEST(errors_of_syntax_come_alone),
        TEST(a_text_without_a_model_says_so),
        TEST(a_file_that_is_not_there_may_be_asked_for_twice),
        TEST(a_warning_as_error_refuses_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
