/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Units at operators and at sites. */
#include "fixture_impl.h"

static void volts_and_amperes_do_not_add(void **state) {
    fixture *f = *state;
    hbg_expr a = quantity(f, 1, VOLT), b = quantity(f, 2, AMPERE);
    signal(f, HBG_SIGNAL_SIGNAL, "x", op(f, HBG_OP_ADD, a, b));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "`1 [V]` is in V, but `2 [A]` is in A");
    assert_note_at(f, HBG_E_UNIT, f->model->exprs.items[a].span);
    assert_note_at(f, HBG_E_UNIT, f->model->exprs.items[b].span);
}

static void a_guard_does_not_compare_a_force_with_a_velocity(void **state) {
    fixture *f = *state;
    int32_t mass = element(f, HBG_KIND_I, "mass", quantity(f, 1, KILOGRAM));
    int32_t b = hang(f, mass);
    hang(f, element(f, HBG_KIND_R, "r", number(f, 1)));
    int32_t a = automaton(f, "a", "01");
    hbg_expr force = op(f, HBG_OP_BOND_EFFORT, b, HBG_NONE), speed = op(f, HBG_OP_FLOW, mass, 1);
    transition(f, a, 0, 1, op(f, HBG_OP_GREATER, force, speed));
    switched(f, HBG_KIND_ONE, "j", follow(f, a));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "is in N, but `mass.f` is in m/s");
}

static void operators_that_need_one_unit_are_checked(void **state) {
    (void)state;
    const hbg_operator ops[] = {HBG_OP_SUBTRACT, HBG_OP_REMAINDER, HBG_OP_MIN,   HBG_OP_MAX,
                                HBG_OP_HYPOT,    HBG_OP_ATAN2,     HBG_OP_EQUAL, HBG_OP_LESS_EQUAL};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        fixture f;
        fixture_init(&f);
        signal(&f, HBG_SIGNAL_SIGNAL, "x", op(&f, ops[i], quantity(&f, 1, METRE), quantity(&f, 1, SECOND)));
        signal(&f, HBG_SIGNAL_SIGNAL, "y", op(&f, ops[i], quantity(&f, 1, METRE), number(&f, 1)));
        assert_error(&f, HBG_E_UNIT);
        hbg_base_arena_fini(&f.arena);
    }
}

static void both_values_of_a_choice_have_one_unit(void **state) {
    fixture *f = *state;
    hbg_expr truth = op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE);
    signal(f, HBG_SIGNAL_SIGNAL, "x",
           op3(f, HBG_OP_SELECT, truth, quantity(f, 1, METRE), quantity(f, 1, hbg_model_dimension_pure)));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "`1` is a pure number");
}

static void functions_of_pure_numbers_warn(void **state) {
    fixture *f = *state;
    signal(f, HBG_SIGNAL_SIGNAL, "x", op(f, HBG_OP_EXP, quantity(f, 1, METRE), HBG_NONE));
    signal(f, HBG_SIGNAL_SIGNAL, "y", op(f, HBG_OP_EXP, quantity(f, 1, hbg_model_dimension_pure), HBG_NONE));
    signal(f, HBG_SIGNAL_SIGNAL, "z", op(f, HBG_OP_EXP, number(f, 1), HBG_NONE));
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_W_PURE), 1);
    assert_int_equal(f->diagnostics.errors, 0);
}

static void exponents_are_pure_numbers(void **state) {
    fixture *f = *state;
    signal(f, HBG_SIGNAL_SIGNAL, "x", op(f, HBG_OP_POWER_OF, number(f, 2), quantity(f, 1, METRE)));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "an exponent is a pure number");
}

static void the_exponent_of_a_quantity_is_a_literal(void **state) {
    fixture *f = *state;
    int32_t n = param(f, "n", number(f, 2));
    signal(f, HBG_SIGNAL_SIGNAL, "x", op(f, HBG_OP_POWER_OF, quantity(f, 2, METRE), use(f, n)));
    signal(f, HBG_SIGNAL_SIGNAL, "y", op(f, HBG_OP_POWER_OF, number(f, 2), use(f, n)));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "`n`");
}

static void a_declared_unit_is_compared_with_the_value(void **state) {
    fixture *f = *state;
    int32_t p = param(f, "p", quantity(f, 1, AMPERE));
    f->model->params.items[p].dimension = VOLT;
    int32_t s = signal(f, HBG_SIGNAL_OUTPUT, "s", quantity(f, 1, AMPERE));
    f->model->signals.items[s].dimension = VOLT;
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_UNIT), 2);
    assert_says(f, HBG_E_UNIT, "parameter `p` is in V, but `1 [A]` is in A");
}

static void the_derivative_of_a_state_is_per_second(void **state) {
    fixture *f = *state;
    int32_t x = signal(f, HBG_SIGNAL_STATE, "x", quantity(f, 1, METRE));
    f->model->signals.items[x].initial = quantity(f, 1, METRE);
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "the derivative of `x` is in m/s, but `1 [m]` is in m");
}

static void times_are_in_seconds(void **state) {
    fixture *f = *state;
    int32_t u = signal(f, HBG_SIGNAL_SAMPLE, "u", number(f, 1));
    f->model->signals.items[u].every = quantity(f, 1, METRE);
    int32_t a = automaton(f, "a", "01");
    int32_t t = transition(f, a, 0, 1, HBG_NONE);
    f->model->transitions.items[t].after = quantity(f, 1, VOLT);
    f->model->automata.items[a].every = quantity(f, 1, SECOND);
    switched(f, HBG_KIND_ONE, "j", follow(f, a));
    experiment(f, "e", quantity(f, 1, AMPERE));
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_UNIT), 3);
}

static void experiments_give_values_in_the_unit_of_their_target(void **state) {
    fixture *f = *state;
    int32_t p = param(f, "p", quantity(f, 1, OHM));
    int32_t c = element(f, HBG_KIND_C, "c", quantity(f, 1, FARAD));
    hang(f, c);
    hang(f, element(f, HBG_KIND_R, "r", use(f, p)));
    int32_t index = experiment(f, "e", number(f, 10));
    hbg_experiment *e = &f->model->experiments.items[index];
    hbg_setting settings[] = {{.target = {HBG_OBJECT_PARAM, p}, .value = quantity(f, 2, SIEMENS)},
                              {.target = {HBG_OBJECT_ELEMENT, c},
                               .variable = HBG_VARIABLE_DISPLACEMENT,
                               .port = 1,
                               .value = quantity(f, 2, VOLT)}};
    for (int i = 0; i < 2; i++) HBG_PUSH(&f->arena, e->settings, settings[i]);
    hbg_fault slope = {.target = {HBG_OBJECT_PARAM, p}, .kind = HBG_FAULT_INCIPIENT, .state = HBG_NONE};
    slope.at = number(f, 1);
    slope.until = slope.value2 = HBG_NONE;
    slope.value = quantity(f, 1, OHM); // has to be per second
    HBG_PUSH(&f->arena, e->faults, slope);
    slope.value = quantity(f, 0.1, hbg_model_dimension_pure);
    slope.relative = true;
    HBG_PUSH(&f->arena, e->faults, slope);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_UNIT), 3);
}

static void noise_has_the_unit_of_its_sensor(void **state) {
    fixture *f = *state;
    int32_t s = signal(f, HBG_SIGNAL_SENSOR, "s", quantity(f, 1, VOLT));
    f->model->signals.items[s].noise_mean = quantity(f, 1, AMPERE);
    f->model->signals.items[s].noise_variance = quantity(f, 1, VOLT);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_UNIT), 2);
}

static void the_argument_of_a_table_has_its_unit(void **state) {
    fixture *f = *state;
    hbg_table table = {.file = "t.csv", .column = "x", .argument_dimension = SECOND, .dimension = VOLT};
    HBG_PUSH(&f->arena, f->model->tables, table);
    hbg_expr good = op(f, HBG_OP_TABLE, op(f, HBG_OP_TIME, HBG_NONE, HBG_NONE), 0);
    signal(f, HBG_SIGNAL_SIGNAL, "x", good);
    signal(f, HBG_SIGNAL_SIGNAL, "y", op(f, HBG_OP_TABLE, quantity(f, 1, METRE), 0));
    assert_error(f, HBG_E_UNIT);
    assert_string_equal(text_of_dimension(f, f->model->expr_dimension[good]), "V");
}

static void restitution_is_a_pure_number(void **state) {
    fixture *f = *state;
    int32_t a = automaton(f, "a", "01");
    transition(f, a, 0, 1, op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE));
    int32_t j = switched(f, HBG_KIND_ZERO, "j", follow(f, a));
    f->model->elements.items[j].restitution = quantity(f, 0.8, METRE);
    assert_error(f, HBG_E_UNIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(volts_and_amperes_do_not_add),
        TEST(a_guard_does_not_compare_a_force_with_a_velocity),
        TEST(operators_that_need_one_unit_are_checked),
        TEST(both_values_of_a_choice_have_one_unit),
        TEST(functions_of_pure_numbers_warn),
        TEST(exponents_are_pure_numbers),
        TEST(the_exponent_of_a_quantity_is_a_literal),
        TEST(a_declared_unit_is_compared_with_the_value),
        TEST(the_derivative_of_a_state_is_per_second),
        TEST(times_are_in_seconds),
        TEST(experiments_give_values_in_the_unit_of_their_target),
        TEST(noise_has_the_unit_of_its_sensor),
        TEST(the_argument_of_a_table_has_its_unit),
        TEST(restitution_is_a_pure_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
