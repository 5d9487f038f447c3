/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expressions as text. */
#include "fixture_impl.h"

static hbg_expr x(fixture *f, const char *text) {
    hbg_object found = hbg_model_find(f->model, 0, name(f, text));
    if (found.kind == HBG_OBJECT_PARAM) return use(f, found.index);
    return use(f, param(f, text, number(f, 1)));
}

#define A x(f, "a")
#define B x(f, "b")
#define C x(f, "c")

static void sums_and_products_need_few_parentheses(void **state) {
    fixture *f = *state;
    assert_string_equal(text_of(f, op(f, HBG_OP_ADD, op(f, HBG_OP_ADD, A, B), C)), "a + b + c");
    assert_string_equal(text_of(f, op(f, HBG_OP_ADD, A, op(f, HBG_OP_ADD, B, C))), "a + (b + c)");
    assert_string_equal(text_of(f, op(f, HBG_OP_SUBTRACT, A, op(f, HBG_OP_SUBTRACT, B, C))), "a - (b - c)");
    assert_string_equal(text_of(f, op(f, HBG_OP_MULTIPLY, op(f, HBG_OP_ADD, A, B), C)), "(a + b)*c");
    assert_string_equal(text_of(f, op(f, HBG_OP_ADD, op(f, HBG_OP_MULTIPLY, A, B), C)), "a*b + c");
    assert_string_equal(text_of(f, op(f, HBG_OP_DIVIDE, A, op(f, HBG_OP_MULTIPLY, B, C))), "a/(b*c)");
    assert_string_equal(text_of(f, op(f, HBG_OP_REMAINDER, A, B)), "a % b");
}

static void power_goes_to_the_right_and_above_minus(void **state) {
    fixture *f = *state;
    assert_string_equal(text_of(f, op(f, HBG_OP_POWER_OF, A, op(f, HBG_OP_POWER_OF, B, C))), "a^b^c");
    assert_string_equal(text_of(f, op(f, HBG_OP_POWER_OF, op(f, HBG_OP_POWER_OF, A, B), C)), "(a^b)^c");
    assert_string_equal(text_of(f, op(f, HBG_OP_NEGATE, op(f, HBG_OP_POWER_OF, A, B), HBG_NONE)), "-a^b");
    assert_string_equal(text_of(f, op(f, HBG_OP_POWER_OF, op(f, HBG_OP_NEGATE, A, HBG_NONE), B)), "(-a)^b");
    assert_string_equal(text_of(f, op(f, HBG_OP_POWER_OF, A, op(f, HBG_OP_NEGATE, B, HBG_NONE))), "a^(-b)");
    assert_string_equal(text_of(f, op(f, HBG_OP_POWER_OF, number(f, -2), number(f, 2))), "(-2)^2");
}

static void signs_never_meet(void **state) {
    fixture *f = *state;
    assert_string_equal(text_of(f, op(f, HBG_OP_NEGATE, op(f, HBG_OP_NEGATE, A, HBG_NONE), HBG_NONE)),
                        "-(-a)");
    assert_string_equal(text_of(f, op(f, HBG_OP_NEGATE, number(f, -5), HBG_NONE)), "-(-5)");
    assert_string_equal(text_of(f, op(f, HBG_OP_SUBTRACT, A, number(f, -5))), "a - -5");
    assert_string_equal(text_of(f, op(f, HBG_OP_NOT, op(f, HBG_OP_NOT, A, HBG_NONE), HBG_NONE)), "!!a");
}

static void logic_binds_as_in_c(void **state) {
    fixture *f = *state;
    hbg_expr less = op(f, HBG_OP_LESS, A, B), more = op(f, HBG_OP_GREATER_EQUAL, B, C);
    assert_string_equal(text_of(f, op(f, HBG_OP_AND, less, more)), "a < b && b >= c");
    assert_string_equal(text_of(f, op(f, HBG_OP_AND, op(f, HBG_OP_OR, less, more), less)),
                        "(a < b || b >= c) && a < b");
    assert_string_equal(text_of(f, op(f, HBG_OP_NOT, less, HBG_NONE)), "!(a < b)");
    assert_string_equal(text_of(f, op(f, HBG_OP_LESS, less, C)), "(a < b) < c");
    hbg_expr choice = op3(f, HBG_OP_SELECT, less, A, B);
    assert_string_equal(text_of(f, op3(f, HBG_OP_SELECT, more, choice, choice)),
                        "b >= c ? a < b ? a : b : a < b ? a : b");
    assert_string_equal(text_of(f, op(f, HBG_OP_ADD, choice, C)), "(a < b ? a : b) + c");
    assert_string_equal(text_of(f, op3(f, HBG_OP_SELECT, op3(f, HBG_OP_SELECT, less, less, more), A, B)),
                        "(a < b ? a < b : b >= c) ? a : b");
}

static void leaves_are_named_as_the_user_wrote_them(void **state) {
    fixture *f = *state;
    int32_t winding = bare_element(f, HBG_KIND_I, "winding", 2),
            coil = bare_element(f, HBG_KIND_I, "coil", 1);
    int32_t node = junction(f, HBG_KIND_ZERO, "node"), gear = bare_element(f, HBG_KIND_TF, "gear", 2);
    int32_t latch = automaton(f, "latch", "01");
    assert_string_equal(text_of(f, op(f, HBG_OP_EFFORT, winding, 2)), "winding[2].e");
    assert_string_equal(text_of(f, op(f, HBG_OP_FLOW, coil, 1)), "coil.f");
    assert_string_equal(text_of(f, op(f, HBG_OP_MOMENTUM, coil, 1)), "coil.p");
    assert_string_equal(text_of(f, op(f, HBG_OP_EFFORT, node, 0)), "node.e");
    assert_string_equal(text_of(f, op(f, HBG_OP_FLOW, gear, 1)), "gear[1].f");
    assert_string_equal(text_of(f, op(f, HBG_OP_ENERGY, winding, HBG_NONE)), "winding.energy");
    assert_string_equal(text_of(f, op(f, HBG_OP_ACTIVE, latch, 1)), "latch.s1");
    assert_string_equal(text_of(f, follow(f, latch)), "latch");
    assert_string_equal(text_of(f, op(f, HBG_OP_PI, HBG_NONE, HBG_NONE)), "pi");
    assert_string_equal(text_of(f, op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE)), "true");
    assert_string_equal(text_of(f, quantity(f, 0.005, HENRY)), "0.005");
}

static void functions_bring_their_parentheses(void **state) {
    fixture *f = *state;
    int32_t slip = automaton(f, "slip", "01");
    HBG_PUSH(&f->arena, f->model->tables, (hbg_table){.file = "load.csv", .column = "current"});
    hbg_expr time = op(f, HBG_OP_TIME, HBG_NONE, HBG_NONE);
    assert_string_equal(text_of(f, op(f, HBG_OP_SIN, op(f, HBG_OP_ADD, A, B), HBG_NONE)), "sin(a + b)");
    assert_string_equal(text_of(f, op(f, HBG_OP_MAX, A, op(f, HBG_OP_MIN, B, C))), "max(a, min(b, c))");
    assert_string_equal(text_of(f, op3(f, HBG_OP_IN, A, slip, 1)), "in(slip.s1, a)");
    assert_string_equal(text_of(f, op(f, HBG_OP_PRE, A, HBG_NONE)), "pre(a)");
    assert_string_equal(text_of(f, op(f, HBG_OP_TABLE, time, 0)), "table(\"load.csv\", \"current\")");
    assert_string_equal(text_of(f, op(f, HBG_OP_TABLE, A, 0)), "table(\"load.csv\", \"current\", a)");
}

static void a_long_sum_needs_no_stack(void **state) {
    fixture *f = *state;
    hbg_expr sum = A;
    for (int i = 1; i < 200000; i++) sum = op(f, HBG_OP_ADD, sum, A);
    const char *text = text_of(f, sum);
    assert_int_equal(strlen(text), 200000 + 3 * 199999);
    assert_memory_equal(text, "a + a + a", 9);
    hbg_expr nested = A;
    for (int i = 1; i < 200000; i++) nested = op(f, HBG_OP_ADD, A, nested);
    assert_int_equal(strlen(text_of(f, nested)), 200000 + 3 * 199999 + 2 * 199998);
}

static void shared_parts_do_not_print_without_end(void **state) {
    fixture *f = *state;
    hbg_expr doubled = A;
    for (int i = 0; i < 200; i++) doubled = op(f, HBG_OP_ADD, doubled, doubled);
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_print_expr_short(f->model, doubled, 60, &buffer);
    assert_true(buffer.size < 200);
    assert_non_null(strstr(buffer.data, "…"));
}

static void a_short_text_shows_units(void **state) {
    fixture *f = *state;
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_print_expr_short(f->model, op(f, HBG_OP_LESS, A, quantity(f, 0.6, VOLT)), 60, &buffer);
    assert_string_equal(buffer.data, "a < 0.6 [V]");
}

static void what_was_not_understood_is_a_question_mark(void **state) {
    fixture *f = *state;
    assert_string_equal(text_of(f, op(f, HBG_OP_ADD, A, HBG_NONE)), "a + ?");
    assert_string_equal(text_of(f, HBG_NONE), "?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(sums_and_products_need_few_parentheses),
        TEST(power_goes_to_the_right_and_above_minus),
        TEST(signs_never_meet),
        TEST(logic_binds_as_in_c),
        TEST(leaves_are_named_as_the_user_wrote_them),
        TEST(functions_bring_their_parentheses),
        TEST(a_long_sum_needs_no_stack),
        TEST(shared_parts_do_not_print_without_end),
        TEST(a_short_text_shows_units),
        TEST(what_was_not_understood_is_a_question_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
