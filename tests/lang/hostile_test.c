/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inputs meant to hurt: deep, long and wide. Each ends in a model or a clear error, within seconds and with
 * memory in proportion to the text, also with sanitizers on. hostile_many_test.c goes on with many errors,
 * things that multiply, and what is no text. */
#include "lang/hostile_impl.h"

/* ---- deep --------------------------------------------------------------------------------------------- */

static void nested_expressions_are_refused(void **state) {
    (void)state;
    static const char *const shapes[][2] = {{"(", ")"},          {"-", ""},        {"!", ""},
                                            {"2^", ""},          {"sin(", ")"},    {"true ? 1 : ", ""},
                                            {"true ? ", " : 1"}, {"max(1, ", ")"}, {"1 + (", ")"}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        growing text = begin();
        add(&text, "model M {\n    param x = ");
        repeat(&text, shapes[i][0], scaled(1000000));
        add(&text, "1");
        repeat(&text, shapes[i][1], scaled(1000000));
        add(&text, ";\n    signal s = x;\n}\n");
        expect_refusal(&text, 1, "E0202");
    }
}

static void nested_braces_are_refused(void **state) {
    (void)state;
    static const char *const shapes[] = {"{",  "model M {",     "automaton a { off x {", "component A(",
                                         "[[", "experiment e {"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        growing text = begin();
        add(&text, "model M {");
        repeat(&text, shapes[i], 100000);
        expect_refusal(&text, 0, "E0201");
    }
}

static void closing_braces_without_end_are_refused(void **state) {
    (void)state;
    growing text = begin();
    repeat(&text, "}", 300000);
    expect_refusal(&text, 0, "E0201");
}

/* ---- long --------------------------------------------------------------------------------------------- */

static void a_sum_of_a_million_terms_is_a_model(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n    param a = 1;\n    signal s = a");
    repeat(&text, " + a", 1000000);
    add(&text, ";\n}\n");
    end(&text);
    hbg_session *session;
    hbg_model *model;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    assert_int_equal(hbg_load_text(session, "sum.hbg", text.data, text.size, NULL, &model), HBG_OK);
    hbg_session_free(session);
    free(text.data);
}

static void a_long_sum_can_be_looked_at(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n    param a = 1;\n    signal s = a");
    repeat(&text, " + a", scaled(1000000));
    add(&text, ";\n}\n");
    expect_model(&text);
}

static void a_chain_of_comparisons_and_products_is_a_model(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n    param a = 1;\n    signal s = a");
    repeat(&text, "*a/a", scaled(100000));
    add(&text, ", t = true");
    repeat(&text, " && true || false", scaled(100000));
    add(&text, ";\n}\n");
    expect_model(&text);
}

static void a_long_name_is_refused(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n    param ");
    repeat(&text, "n", 1000000);
    add(&text, " = 1;\n    signal s = ");
    repeat(&text, "n", 1000000);
    add(&text, ";\n}\n");
    expect_refusal(&text, 2, "this name has 1000000 characters");
    growing longest = begin();
    add(&longest, "model M {\n    param ");
    repeat(&longest, "n", 255);
    add(&longest, " = 1;\n    signal s = ");
    repeat(&longest, "n", 255);
    add(&longest, ";\n}\n");
    expect_model(&longest);
}

static void long_numbers_are_refused_or_read(void **state) {
    (void)state;
    growing digits = begin();
    add(&digits, "model M {\n    param x = ");
    repeat(&digits, "7", 100000);
    add(&digits, ";\n    signal s = x;\n}\n");
    expect_refusal(&digits, 0, "E0102");
    static const char *const numbers[] = {"1e999999", "1e99999999999999999999", "1e-999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        growing text = begin();
        add(&text, "model M { param x = %s; signal s = x; }", numbers[i]);
        expect_refusal(&text, 0, "E0102");
    }
    growing infinite = begin();
    add(&infinite, "model M { param x = 1e400; signal s = x; }");
    expect_refusal(&infinite, 0, "E0406");
    growing zeros = begin();
    add(&zeros, "model M { param x = 0.");
    repeat(&zeros, "0", 500);
    add(&zeros, "1; signal s = x; }");
    expect_model(&zeros);
}

static void a_line_of_a_million_characters_is_shown_in_part(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M { signal s = 1");
    repeat(&text, " + 1", scaled(500000));
    add(&text, " + unknown");
    repeat(&text, " + 1", scaled(500000));
    add(&text, "; }");
    end(&text);
    outcome result = use(text.data, text.size, NULL);
    assert_int_equal(result.status, HBG_BAD_MODEL);
    assert_true(strlen(result.text) < 2000);
    free(result.text);
    free(text.data);
}

static void calls_with_a_hundred_thousand_arguments_are_read(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n    signal s = max(1");
    repeat(&text, ", 2", 100000);
    add(&text, ");\n}\n");
    expect_model(&text);
}

static void a_chain_of_very_many_bonds_is_read(void **state) {
    (void)state;
    int count = scaled(50000);
    growing text = begin();
    add(&text, "model M {\n    Se s(1 [V]);\n    R r(1 [Ohm]);\n");
    for (int i = 0; i < count; i++) add(&text, "    0 a%d;\n    1 b%d;\n", i, i);
    add(&text, "    s");
    for (int i = 0; i < count; i++) add(&text, " -> a%d -> b%d", i, i);
    add(&text, " -> r;\n}\n");
    expect_model(&text);
}

/* ---- wide --------------------------------------------------------------------------------------------- */

static void very_many_parameters_and_arguments_are_read(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "component A(p0 = 0");
    for (int i = 1; i < count; i++) add(&text, ", p%d = %d", i, i);
    add(&text, ") {\n    signal s = p0");
    for (int i = 1; i < count; i++) add(&text, " + p%d", i);
    add(&text, ";\n}\nmodel M {\n    A a(p0 = 1");
    for (int i = 1; i < count; i++) add(&text, ", p%d = 1", i);
    add(&text, ");\n}\n");
    expect_model(&text);
}

static void very_many_wrong_arguments_are_counted(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "component A(p0 = 0");
    for (int i = 1; i < count; i++) add(&text, ", parameter%d = %d", i, i);
    add(&text, ") { }\nmodel M {\n    A a(p0 = 1");
    for (int i = 1; i < count; i++) add(&text, ", paramter%d = 1", i);
    add(&text, ");\n}\n");
    char words[32];
    snprintf(words, sizeof words, "%d more errors", count - 1001);
    expect_refusal(&text, count - 1, words);
}

static void an_automaton_of_very_many_states_is_read(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "model M {\n    signal s = a;\n    automaton a {\n");
    for (int i = 0; i < count; i++)
        add(&text, "        %s s%d -> s%d when time > %d [s];\n", i % 2 ? "on" : "off", i, (i + 1) % count,
            i);
    add(&text, "    }\n}\n");
    expect_model(&text);
}

static void one_state_of_very_many_transitions_is_read(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "model M {\n    signal s = a;\n    automaton a {\n        on y -> x when time > 0 [s];\n      "
               "  off x {\n");
    for (int i = 0; i < count; i++)
        add(&text, "            -> y when time < %d [s] && time > %d [s];\n", i, i);
    add(&text, "        }\n    }\n}\n");
    end(&text);
    outcome result = use(text.data, text.size, NULL);
    assert_true(result.status == HBG_OK);
    free(result.text);
    free(text.data);
}

static void very_many_wrong_states_are_counted(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "model M {\n    automaton a {\n");
    for (int i = 0; i < count; i++) add(&text, "        off state%d -> stat%d when time > 1 [s];\n", i, i);
    add(&text, "    }\n}\n");
    char words[32];
    snprintf(words, sizeof words, "%d more errors", count - 1000);
    expect_refusal(&text, count, words);
}

static void ports_without_number_are_refused(void **state) {
    (void)state;
    static const char *const elements[] = {
        "I w[101]([[1]]);", "I w[99999999999](1);", "I w[4294967297](1);", "R w[2147483648] : e[1] = f[1];",
        "TF w[3](1);",      "I w[0](1);",           "I w[-1](1);"};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        growing text = begin();
        add(&text, "model M { %s }", elements[i]);
        expect_refusal(&text, 0, "error[E0");
    }
    growing good = begin();
    add(&good, "model M {\n    0 n;\n    Se s(1 [V]);\n    s -> n;\n    R w[100] : e[1] = f[1]*(1 [Ohm])");
    for (int i = 2; i <= 100; i++) add(&good, ", e[%d] = f[%d]*(1 [Ohm])", i, i);
    add(&good, ";\n");
    for (int i = 1; i <= 100; i++) add(&good, "    n -> w[%d];\n", i);
    add(&good, "}\n");
    expect_model(&good);
}

static void names_that_all_collide_are_told(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n");
    repeat(&text, "    param p = 1;\n", scaled(200000));
    add(&text, "}\n");
    expect_refusal(&text, scaled(200000) - 1, "declared twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_expressions_are_refused),
        cmocka_unit_test(nested_braces_are_refused),
        cmocka_unit_test(closing_braces_without_end_are_refused),
        cmocka_unit_test(a_sum_of_a_million_terms_is_a_model),
        cmocka_unit_test(a_long_sum_can_be_looked_at),
        cmocka_unit_test(a_chain_of_comparisons_and_products_is_a_model),
        cmocka_unit_test(a_long_name_is_refused),
        cmocka_unit_test(long_numbers_are_refused_or_read),
        cmocka_unit_test(a_line_of_a_million_characters_is_shown_in_part),
        cmocka_unit_test(calls_with_a_hundred_thousand_arguments_are_read),
        cmocka_unit_test(a_chain_of_very_many_bonds_is_read),
        cmocka_unit_test(very_many_parameters_and_arguments_are_read),
        cmocka_unit_test(very_many_wrong_arguments_are_counted),
        cmocka_unit_test(an_automaton_of_very_many_states_is_read),
        cmocka_unit_test(one_state_of_very_many_transitions_is_read),
        cmocka_unit_test(very_many_wrong_states_are_counted),
        cmocka_unit_test(ports_without_number_are_refused),
        cmocka_unit_test(names_that_all_collide_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
