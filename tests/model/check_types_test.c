/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Types of expressions and signals, and constants where they are needed. */
#include "fixture_impl.h"

static hbg_expr truth(fixture *f) {
    return op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE);
}

static hbg_expr now(fixture *f) {
    return op(f, HBG_OP_TIME, HBG_NONE, HBG_NONE);
}

static void signals_take_the_type_of_their_expression(void **state) {
    fixture *f = *state;
    // used before it is defined: types travel against the order of declaration
    int32_t first = signal(f, HBG_SIGNAL_SIGNAL, "first", HBG_NONE);
    int32_t second = signal(f, HBG_SIGNAL_SIGNAL, "second", op(f, HBG_OP_LESS, now(f), number(f, 1)));
    f->model->signals.items[first].value = op(f, HBG_OP_NOT, read_signal(f, second), HBG_NONE);
    int32_t third = signal(f, HBG_SIGNAL_OUTPUT, "third", op(f, HBG_OP_ADD, now(f), number(f, 1)));
    assert_clean(f);
    assert_int_equal(f->model->signals.items[first].type, HBG_TYPE_BOOL);
    assert_int_equal(f->model->signals.items[second].type, HBG_TYPE_BOOL);
    assert_int_equal(f->model->signals.items[third].type, HBG_TYPE_REAL);
}

static void a_declared_type_is_kept(void **state) {
    fixture *f = *state;
    int32_t s = hbg_model_add_signal(f->model, id(f, "cmd"), HBG_SIGNAL_SIGNAL, HBG_TYPE_BOOL);
    f->model->signals.items[s].value = number(f, 1);
    assert_error(f, HBG_E_TYPE);
    assert_says(f, HBG_E_TYPE, "`cmd` has to be a boolean");
}

static void an_event_is_a_boolean_to_expressions(void **state) {
    fixture *f = *state;
    int32_t e = hbg_model_add_signal(f->model, id(f, "reset"), HBG_SIGNAL_INPUT, HBG_TYPE_EVENT);
    hbg_expr both = op(f, HBG_OP_AND, read_signal(f, e), truth(f));
    signal(f, HBG_SIGNAL_SIGNAL, "x", both);
    assert_clean(f);
    assert_int_equal(f->model->expr_type[both], HBG_TYPE_BOOL);
    assert_int_equal(f->model->signals.items[e].type, HBG_TYPE_EVENT);
}

static void a_chained_comparison_offers_the_repair(void **state) {
    fixture *f = *state;
    hbg_expr inner = op(f, HBG_OP_LESS, number(f, 1), now(f));
    signal(f, HBG_SIGNAL_SIGNAL, "x", op(f, HBG_OP_LESS_EQUAL, inner, number(f, 3)));
    assert_error(f, HBG_E_TYPE);
    assert_says(f, HBG_E_TYPE, "`1 < time` is a boolean");
    assert_fix(f, HBG_E_TYPE, "`1 < time && time <= 3`");
}

static void operators_get_what_they_need(void **state) {
    (void)state;
    const struct {
        hbg_operator op;
        bool first_bool, second_bool, fine;
    } cases[] = {{HBG_OP_ADD, false, false, true},     {HBG_OP_ADD, false, true, false},
                 {HBG_OP_AND, true, true, true},       {HBG_OP_AND, true, false, false},
                 {HBG_OP_LESS, true, false, false},    {HBG_OP_EQUAL, true, true, true},
                 {HBG_OP_EQUAL, true, false, false},   {HBG_OP_NOT_EQUAL, false, false, true},
                 {HBG_OP_SIN, true, false, false},     {HBG_OP_NOT, false, false, false},
                 {HBG_OP_PRE, true, false, true},      {HBG_OP_PRE, false, false, true},
                 {HBG_OP_IMPULSE, true, false, false}, {HBG_OP_DER, true, false, false},
                 {HBG_OP_FINITE, false, false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        fixture_init(&f);
        hbg_expr a = cases[i].first_bool ? truth(&f) : number(&f, 1);
        hbg_expr b = cases[i].second_bool ? truth(&f) : number(&f, 1);
        bool unary = hbg_model_operator_info_get(cases[i].op)->arity == 1;
        signal(&f, HBG_SIGNAL_SIGNAL, "x", op(&f, cases[i].op, a, unary ? HBG_NONE : b));
        hbg_model_check(f.model);
        assert_int_equal(count_of(&f, HBG_E_TYPE) == 0, cases[i].fine);
        hbg_base_arena_fini(&f.arena);
    }
}

static void a_choice_needs_a_boolean_and_two_of_one_type(void **state) {
    fixture *f = *state;
    signal(f, HBG_SIGNAL_SIGNAL, "good", op3(f, HBG_OP_SELECT, truth(f), number(f, 1), number(f, 2)));
    signal(f, HBG_SIGNAL_SIGNAL, "bad", op3(f, HBG_OP_SELECT, number(f, 1), number(f, 1), truth(f)));
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_TYPE), 2);
}

static void guards_are_booleans(void **state) {
    fixture *f = *state;
    int32_t a = automaton(f, "a", "01");
    transition(f, a, 0, 1, number(f, 1));
    switched(f, HBG_KIND_ONE, "j", follow(f, a));
    assert_error(f, HBG_E_TYPE);
    assert_says(f, HBG_E_TYPE, "a guard of `a`");
}

static void values_are_numbers(void **state) {
    fixture *f = *state;
    bond(f, element(f, HBG_KIND_SE, "s", truth(f)), element(f, HBG_KIND_R, "r", number(f, 1)));
    assert_error(f, HBG_E_TYPE);
    assert_says(f, HBG_E_TYPE, "the value of `s`");
}

static void parameters_are_constant(void **state) {
    fixture *f = *state;
    param(f, "p", op(f, HBG_OP_ADD, number(f, 1), op(f, HBG_OP_SIN, now(f), HBG_NONE)));
    assert_error(f, HBG_E_NOT_CONSTANT);
    assert_says(f, HBG_E_NOT_CONSTANT, "`p`");
    assert_says(f, HBG_E_NOT_CONSTANT, "`time`");
}

static void event_operators_have_no_place_in_parameters(void **state) {
    (void)state;
    const hbg_operator ops[] = {HBG_OP_PRE, HBG_OP_IMPULSE, HBG_OP_FINITE, HBG_OP_DER};
    for (int i = 0; i < 4; i++) {
        fixture f;
        fixture_init(&f);
        param(&f, "p", op(&f, ops[i], now(&f), HBG_NONE));
        assert_error(&f, HBG_E_EXPRESSION);
        hbg_base_arena_fini(&f.arena);
    }
}

static void initial_values_and_periods_are_constant(void **state) {
    fixture *f = *state;
    int32_t x = signal(f, HBG_SIGNAL_STATE, "x", number(f, 1));
    f->model->signals.items[x].initial = now(f);
    int32_t u = signal(f, HBG_SIGNAL_SAMPLE, "u", number(f, 1));
    f->model->signals.items[u].every = now(f);
    int32_t c = element(f, HBG_KIND_C, "c", number(f, 1));
    initial(f, c, HBG_VARIABLE_DISPLACEMENT, 1, now(f));
    bond(f, c, element(f, HBG_KIND_R, "r", number(f, 1)));
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_NOT_CONSTANT), 3);
}

static void what_was_lost_is_not_reported_again(void **state) {
    fixture *f = *state;
    hbg_expr broken = op(f, HBG_OP_ADD, HBG_NONE, number(f, 1));
    int32_t s = signal(f, HBG_SIGNAL_SIGNAL, "s", HBG_NONE);
    signal(f, HBG_SIGNAL_SIGNAL, "x",
           op(f, HBG_OP_AND, op(f, HBG_OP_SIGNAL, HBG_NONE, HBG_NONE), read_signal(f, s)));
    param(f, "p", broken);
    hbg_base_report(&f->diagnostics, HBG_E_UNKNOWN, place(f), "before");
    hbg_model_check(f->model);
    assert_int_equal(f->diagnostics.errors, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(signals_take_the_type_of_their_expression),
        TEST(a_declared_type_is_kept),
        TEST(an_event_is_a_boolean_to_expressions),
        TEST(a_chained_comparison_offers_the_repair),
        TEST(operators_get_what_they_need),
        TEST(a_choice_needs_a_boolean_and_two_of_one_type),
        TEST(guards_are_booleans),
        TEST(values_are_numbers),
        TEST(parameters_are_constant),
        TEST(event_operators_have_no_place_in_parameters),
        TEST(initial_values_and_periods_are_constant),
        TEST(what_was_lost_is_not_reported_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
