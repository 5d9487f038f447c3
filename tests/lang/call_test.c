/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Calls: arguments are shared, names inside a function are its own, and what unfolds without end is refused. */
#include "lang/fixture_impl.h"

static int count_nodes(const hbg_model *m, hbg_operator op) {
    int count = 0;
    for (int32_t i = 0; i < m->exprs.count; i++) count += m->exprs.items[i].op == op;
    return count;
}

static void an_argument_used_twice_is_one_node(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "function square(x) = x*x; function quad(x) = square(square(x));\n"
                                "model M { input real a = 1, b = 2; signal s = quad(a + b); }");
    assert_int_equal(count_nodes(m, HBG_OP_ADD), 1);
    assert_int_equal(count_nodes(m, HBG_OP_MULTIPLY), 2);
    assert_string_equal(expr_of(f, m, m->signals.items[2].value), "(a + b)*(a + b)*((a + b)*(a + b))");
}

static void arguments_come_before_what_uses_them(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "function g(x, y) = x > y ? x - y : max(x, y, 2);\n"
                                "model M { input real a = 1; signal s = -g(a^2, g(a, 3)); }");
    for (int32_t i = 0; i < m->exprs.count; i++) {
        const hbg_expr_node *node = &m->exprs.items[i];
        int arity = hbg_model_expr_arity(node);
        for (int k = 0; k < arity; k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            assert_true(part >= 0 && part < i);
        }
    }
}

static void names_inside_a_function_mean_its_arguments_first(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "function top(a) = 10*a;\n"
                                "model M { param a = 1, b = 2; function own(a) = a + b;\n"
                                "param x = top(b), y = own(5), z = own(top(a)); signal s = x + y + z; }");
    assert_true(value_of(f, m, "x") == 20);
    assert_true(value_of(f, m, "y") == 7);
    assert_true(value_of(f, m, "z") == 12);
}

static void a_function_of_the_model_hides_one_of_the_file(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "function g(x) = 1; function h(x) = g(x);\n"
                                "model M { function g(x) = 2; param a = g(0), b = h(0); signal s = a + b; }");
    assert_true(value_of(f, m, "a") == 2);
    assert_true(value_of(f, m, "b") == 1); // h knows the file only
}

static void an_empty_function_is_zero(void **state) {
    fixture *f = *state;
    hbg_model *m = read_any(f, "function g(x); model M { param a = g(5) + 3; signal s = a; }");
    assert_non_null(m);
    assert_true(value_of(f, m, "a") == 3);
    assert_diagnostic(f, "W0702", 1, "`g`");
}

static void minimum_and_maximum_take_any_number(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "model M { param a = min(5, 4, 3, 2, 1), b = max(1, 2); signal s = a + b; }");
    assert_true(value_of(f, m, "a") == 1);
    assert_int_equal(count_nodes(m, HBG_OP_MIN), 4);
}

static void calls_that_do_not_fit_are_told(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "function g(x, y) = x + y;\n"
                            "model M {\n"
                            "signal a = g(1);\n"
                            "signal b = sin(1, 2);\n"
                            "signal c = h(1);\n"
                            "signal d = in(1, 2);\n"
                            "signal e = \"text\";\n"
                            "}"));
    assert_int_equal(f->diagnostics.errors, 5);
    assert_diagnostic(f, "E0304", 3, "takes 2 arguments, not 1");
    assert_diagnostic(f, "E0304", 4, "takes 1 argument, not 2");
    assert_diagnostic(f, "E0301", 5, "no function `h`");
    assert_diagnostic(f, "E0304", 6, "a state of an automaton");
    assert_diagnostic(f, "E0401", 7, "a text is no value");
}

static void functions_that_call_themselves_are_told(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "function a(x) = b(x); function b(x) = c(x);\nfunction c(x) = a(x);\n"
                            "model M { signal s = a(1); }"));
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0305", 2, "`a` calls itself");
}

/* Functions f0 … fn, each with the one before it put into `shape`, and a model that calls the last. */
static const char *tower(fixture *f, int levels, const char *before, const char *after) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_text(&text, "function f0(x) = x + 1;\n");
    for (int i = 1; i <= levels; i++)
        hbg_base_buffer_print(&text, "function f%d(x) = %sf%d(x)%s;\n", i, before, i - 1, after);
    hbg_base_buffer_print(&text, "model M { signal s = f%d(time/(1 [s])); }\n", levels);
    return text.data;
}

static void towers_of_functions_are_bounded(void **state) {
    fixture *f = *state;
    read_good(f, tower(f, 99, "", ""));
    assert_null(read_any(f, tower(f, 100, "", "")));
    assert_diagnostic(f, "E0202", 0, "deeper than 100 calls");
}

static void depth_of_functions_and_expressions_adds_up(void **state) {
    fixture *f = *state;
    hbg_buffer signs;
    hbg_base_buffer_init(&signs, &f->arena);
    for (int i = 0; i < 150; i++) hbg_base_buffer_char(&signs, '-');
    read_good(f, tower(f, 9, signs.data, ""));
    assert_null(read_any(f, tower(f, 60, signs.data, "")));
    assert_diagnostic(f, "E0202", 0, "with its functions unfolded");
}

static void functions_that_multiply_are_bounded(void **state) {
    fixture *f = *state;
    read_good(f, tower(f, 12, "2*", " + f0(x)"));
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_text(&text, "function f0(x) = x + 1;\n");
    for (int i = 1; i <= 60; i++)
        hbg_base_buffer_print(&text, "function f%d(x) = f%d(x) + f%d(-x);\n", i, i - 1, i - 1);
    hbg_base_buffer_text(&text, "model M { signal s = f60(1); }");
    assert_null(read_any(f, text.data));
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0004", 61, "function `f60` unfolds");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_argument_used_twice_is_one_node),
        TEST(arguments_come_before_what_uses_them),
        TEST(names_inside_a_function_mean_its_arguments_first),
        TEST(a_function_of_the_model_hides_one_of_the_file),
        TEST(an_empty_function_is_zero),
        TEST(minimum_and_maximum_take_any_number),
        TEST(calls_that_do_not_fit_are_told),
        TEST(functions_that_call_themselves_are_told),
        TEST(towers_of_functions_are_bounded),
        TEST(depth_of_functions_and_expressions_adds_up),
        TEST(functions_that_multiply_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
