/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values of the command line: in place of what the model says, with the marks errors get in a file. */
#include "lang/fixture_impl.h"

#define CIRCUIT                                                                                              \
    "model M { param V = 10 [V]; Se s(V); I coil(1 [H]); R r(1 [Ohm]); 1 j; s -> j -> coil; j -> r; }\n"

static void values_of_the_command_line_are_checked_like_the_rest(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text, *code, *words;
    } cases[] = {
        {"V=3 [A]", "E0403", "V"},
        {"V=", "E0201", "an expression"},
        {"v=3", "E0301", "did you mean `V`"},
        {"coil=3", "E0303", "is not a parameter"},
        {"coli=3", "E0301", "`coli`"},
        {"V=unknown", "E0301", "`unknown`"},
        {"V=3 [Vv]", "E0402", "`[V]`"},
        {"V=coil.f", "E0405", "constant"},
        {"V=\xFF", "E0105", "0xFF"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hbg_lang_options options = {.parameters = &cases[i].text, .parameter_count = 1};
        assert_null(read_with(f, CIRCUIT, &options));
        assert_diagnostic(f, cases[i].code, 1, cases[i].words);
    }
    /* what is no parameter was not meant */
    assert_null(find_diagnostic(f, "E0301", 1, "did you mean `coil`"));
    const char *const twice[] = {"V=1 [V]", "V=2 [V]"};
    hbg_lang_options options = {.parameters = twice, .parameter_count = 2};
    assert_null(read_with(f, CIRCUIT, &options));
    assert_diagnostic(f, "E0204", 1, "given twice");
}

static void values_of_the_command_line_may_stand_without_brackets(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"C1=1nF", 1e-9}, {"C1=2.5 uF", 2.5e-6}, {"C1= 3e-3F", 3e-3}, {"C1=1 [mF]", 1e-3}, {"C1=4", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hbg_lang_options options = {.parameters = &cases[i].text, .parameter_count = 1};
        hbg_model *m =
            read_with(f, "model M { param C1 = 1 [uF]; C c(C1); R r(1 [Ohm]); c -> r; }", &options);
        if (!m) fail_msg("%s is refused", cases[i].text);
        if (m->param_values[0] != cases[i].value) fail_msg("%s is %.17g", cases[i].text, m->param_values[0]);
    }
}

static void a_number_the_lexer_refuses_is_told_once(void **state) {
    fixture *f = *state;
    const char *text = "C1=4k";
    hbg_lang_options options = {.parameters = &text, .parameter_count = 1};
    assert_null(read_with(f, "model M { param C1 = 1 [uF]; C c(C1); R r(1 [Ohm]); c -> r; }", &options));
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0102", 1, "a prefix belongs to a unit");
}

static hbg_model *read_given(fixture *f, const char *text, const char *given) {
    hbg_lang_options options = {.parameters = &given, .parameter_count = 1};
    return read_with(f, text, &options);
}

static void what_the_model_says_is_kept_beside_it(void **state) {
    fixture *f = *state;
    hbg_model *m = read_given(f, CIRCUIT, "V=2*6 [V]");
    assert_non_null(m);
    const hbg_param *v = &m->params.items[0];
    assert_true(v->asked && v->overridden);
    assert_true(m->param_values[0] == 12 && m->param_declared[0] == 10);
    assert_string_equal(expr_of(f, m, v->declared), "10");
}

static void the_default_says_which_unit_is_meant(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {
        "model M { param a = 3 [V], b = a; output y = b; }", "model M { param b = -2 [V]; output y = b; }",
        "component P(b = 2 [V]) { output y = b; } model M { P p(b = 4 [V]); output y = p.y; }"};
    for (size_t i = 0; i < 3; i++) {
        const char *wrong = i == 2 ? "p.b=3 [A]" : "b=3 [A]", *right = i == 2 ? "p.b=3 [V]" : "b=3 [V]";
        assert_null(read_given(f, texts[i], wrong));
        assert_diagnostic(f, "E0403", 1, "");
        assert_non_null(read_given(f, texts[i], right));
    }
}

static void a_parameter_without_a_default_is_given_one(void **state) {
    fixture *f = *state;
    hbg_model *m = read_given(f, "model M { param a [mH]; output y = a; }", "a=3 [mH]");
    assert_non_null(m);
    assert_true(m->param_values[0] == 3e-3);
    assert_int_equal(m->params.items[0].declared, HBG_NONE);
}

static void a_bare_number_behind_a_unit_is_refused(void **state) {
    fixture *f = *state;
    assert_null(read_given(f, "model M { param a [mH] = 1 [mH]; output y = a; }", "a=3"));
    assert_diagnostic(f, "E0403", 1, "declared in [mH]");
    assert_non_null(read_given(f, "model M { param a [H] = 1; output y = a; }", "a=3"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(values_of_the_command_line_are_checked_like_the_rest),
        TEST(values_of_the_command_line_may_stand_without_brackets),
        TEST(a_number_the_lexer_refuses_is_told_once),
        TEST(what_the_model_says_is_kept_beside_it),
        TEST(the_default_says_which_unit_is_meant),
        TEST(a_parameter_without_a_default_is_given_one),
        TEST(a_bare_number_behind_a_unit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
