/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expressions: precedence and associativity, by what the parsed expression is printed as with no more
 * parentheses than it needs, and by the values of constant ones. */
#include <math.h>

#include "lang/fixture_impl.h"

/* A model in which a, b, c are numbers and p, q, r booleans. */
static hbg_model *model_of(fixture *f, const char *expression) {
    const char *text = hbg_base_arena_print(&f->arena,
                                            "model M {\n"
                                            "    input real a = 0, b = 0, c = 0;\n"
                                            "    input bool p = true, q = true, r = true;\n"
                                            "    signal x = %s;\n"
                                            "}\n",
                                            expression);
    return read_good(f, text);
}

static const char *printed(fixture *f, const char *expression) {
    hbg_model *model = model_of(f, expression);
    return expr_of(f, model, model->signals.items[6].value);
}

static void what_needs_no_parentheses_is_printed_without(void **state) {
    fixture *f = *state;
    static const char *const same[] = {
        "a - b - c",
        "a - (b - c)",
        "a/b/c",
        "a/(b/c)",
        "a*b + c",
        "a*(b + c)",
        "-a^2",
        "(-a)^2",
        "a^b^c",
        "(a^b)^c",
        "a^(-b)",
        "-a*b",
        "-(a*b)",
        "a - -b",
        "p && q || r",
        "p && (q || r)",
        "!p && q",
        "!(p && q)",
        "a < b == b < c",
        "(p == q) == r",
        "p == (q == r)",
        "p ? a : q ? b : c",
        "(p ? q : r) ? a : b",
        "a % b*c",
        "a*(b % c)",
        "a + (b + c)",
        "min(a, b)*2",
        "sin(-a)",
        "p ? a + b : -c",
        "a < b != p",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) assert_string_equal(printed(f, same[i]), same[i]);
}

static void what_needs_none_loses_its_parentheses(void **state) {
    fixture *f = *state;
    static const char *const pairs[][2] = {
        {"(a - b) - c", "a - b - c"},
        {"(a)", "a"},
        {"((a*b))+c", "a*b + c"},
        {"-(a^2)", "-a^2"},
        {"a^(b^c)", "a^b^c"},
        {"(p && q) || r", "p && q || r"},
        {"+a", "a"},
        {"(a < b) == (b < c)", "a < b == b < c"},
        {"p ? a : (q ? b : c)", "p ? a : q ? b : c"},
        {"(-a)*b", "-a*b"},
        {"!(!(p))", "!!p"},
        {"- -a", "-(-a)"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_string_equal(printed(f, pairs[i][0]), pairs[i][1]);
}

static void constants_have_the_value_of_the_textbook(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^3^2", 512},
        {"(2^3)^2", 64},
        {"2^-1", 0.5},
        {"7 - 2 - 1", 4},
        {"8/4/2", 1},
        {"2 + 3*4", 14},
        {"(2 + 3)*4", 20},
        {"7 % 4", 3},
        {"-7 % 4", -3},
        {"1 < 2 ? 10 : 20", 10},
        {"false ? 1 : true ? 2 : 3", 2},
        {"max(1, 5, 3)", 5},
        {"min(4, 2, 3)", 2},
        {"hypot(3, 4)", 5},
        {"pow(2, 10)", 1024},
        {"sqrt(81) + cbrt(27)", 12},
        {"abs(-3) + sign(-5)", 2},
        {"floor(2.7) + ceil(2.2)", 5},
        {"1 < 2 == 3 > 2 ? 1 : 0", 1},
        {"!(1 > 2) && 2 >= 2 && 1 != 2 ? 1 : 0", 1},
        {"true || false && false ? 1 : 0", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text =
            hbg_base_arena_print(&f->arena, "model M { param x = %s; signal s = x; }", cases[i].text);
        hbg_model *model = read_good(f, text);
        assert_true(value_of(f, model, "x") == cases[i].value);
    }
}

static void paths_carry_indices_and_calls_do_not(void **state) {
    fixture *f = *state;
    const char *text = "model M { signal x = a.b[2].c + g(h[1], 2) - t.e; }";
    const syntax_file *file = parse(f, text);
    assert_int_equal(f->diagnostics.errors, 0);
    const syntax_expr *sum = file->definitions.items[0]->declarations.items[0].signal->value->arguments[0];
    assert_int_equal(sum->op, HBG_OP_ADD);
    const syntax_expr *path = sum->arguments[0];
    assert_int_equal(path->kind, SYNTAX_PATH);
    assert_int_equal(path->path.count, 3);
    assert_int_equal(path->path.segments[0].index, HBG_NONE);
    assert_int_equal(path->path.segments[1].index, 2);
    const syntax_expr *call = sum->arguments[1];
    assert_int_equal(call->kind, SYNTAX_CALL);
    assert_int_equal(call->argument_count, 2);
    assert_int_equal(call->arguments[0]->path.segments[0].index, 1);
}

static const char *nested(fixture *f, const char *open, int count, const char *close) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_text(&text, "model M { param x = ");
    for (int i = 0; i < count; i++) hbg_base_buffer_text(&text, open);
    hbg_base_buffer_text(&text, "1");
    for (int i = 0; i < count; i++) hbg_base_buffer_text(&text, close);
    hbg_base_buffer_text(&text, "; signal s = x; }");
    return text.data;
}

static void nesting_is_bounded_and_said_to_be(void **state) {
    fixture *f = *state;
    read_good(f, nested(f, "(", 199, ")"));
    read_good(f, nested(f, "-", 199, ""));
    read_good(f, nested(f, "1^", 199, ""));
    static const char *const deep[][2] = {{"(", ")"}, {"-", ""},  {"!", ""},
                                          {"+", ""},  {"2^", ""}, {"sin(", ")"}};
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        int64_t before = f->diagnostics.errors;
        assert_null(read_any(f, nested(f, deep[i][0], 201, deep[i][1])));
        assert_int_equal(f->diagnostics.errors, before + 1);
    }
    assert_diagnostic(f, "E0202", 1, "deeper than 200");
}

static void a_long_sum_is_not_nested(void **state) {
    fixture *f = *state;
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_text(&text, "model M { param x = 1");
    for (int i = 0; i < 5000; i++) hbg_base_buffer_text(&text, i % 2 ? " - 1" : " + 2");
    hbg_base_buffer_text(&text, "; signal s = x; }");
    assert_true(value_of(f, read_good(f, text.data), "x") == 2501);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_needs_no_parentheses_is_printed_without),
        TEST(what_needs_none_loses_its_parentheses),
        TEST(constants_have_the_value_of_the_textbook),
        TEST(paths_carry_indices_and_calls_do_not),
        TEST(nesting_is_bounded_and_said_to_be),
        TEST(a_long_sum_is_not_nested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
