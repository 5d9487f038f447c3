/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values of parameters, circles, and values out of range. */
#include "fixture_impl.h"

static void parameters_are_evaluated_in_any_order(void **state) {
    fixture *f = *state;
    int32_t a = param(f, "a", HBG_NONE), b = param(f, "b", number(f, 3));
    f->model->params.items[a].value = op(f, HBG_OP_MULTIPLY, use(f, b), number(f, 2));
    assert_clean(f);
    assert_true(f->model->param_values[a] == 6 && f->model->param_values[b] == 3);
}

static void a_long_chain_of_parameters_is_evaluated(void **state) {
    fixture *f = *state;
    enum { LENGTH = 20000 };
    for (int i = 0; i < LENGTH; i++) hbg_model_add_param(f->model, (hbg_identity){0, 0, place(f)});
    for (int i = 0; i + 1 < LENGTH; i++)
        f->model->params.items[i].value = op(f, HBG_OP_ADD, use(f, i + 1), number(f, 1));
    f->model->params.items[LENGTH - 1].value = number(f, 1);
    hbg_model_check(f->model);
    assert_true(f->model->param_values[0] == LENGTH);
}

static void a_circle_of_parameters_is_named(void **state) {
    fixture *f = *state;
    int32_t a = param(f, "a", HBG_NONE), b = param(f, "b", HBG_NONE), c = param(f, "c", HBG_NONE);
    f->model->params.items[a].value = use(f, b);
    f->model->params.items[b].value = op(f, HBG_OP_ADD, number(f, 1), use(f, c));
    f->model->params.items[c].value = use(f, b);
    assert_error(f, HBG_E_CYCLE);
    assert_says(f, HBG_E_CYCLE, "`b`");
    assert_note_at(f, HBG_E_CYCLE, f->model->params.items[c].id.span);
    assert_int_equal(first_of(f, HBG_E_CYCLE)->notes.count, 2);
    assert_true(isnan(f->model->param_values[a]));
}

static void two_circles_are_two_errors(void **state) {
    fixture *f = *state;
    int32_t a = param(f, "a", HBG_NONE), b = param(f, "b", HBG_NONE);
    f->model->params.items[a].value = use(f, a);
    f->model->params.items[b].value = use(f, b);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_CYCLE), 2);
}

static void a_value_that_is_not_finite_is_reported(void **state) {
    fixture *f = *state;
    param(f, "p", op(f, HBG_OP_DIVIDE, number(f, 1), number(f, 0)));
    assert_error(f, HBG_E_VALUE);
    assert_says(f, HBG_E_VALUE, "infinite");
}

static void a_number_beyond_doubles_is_reported(void **state) {
    fixture *f = *state;
    hbg_decimal huge;
    assert_true(hbg_base_decimal_parse(&f->arena, "1e400", 5, &huge));
    hbg_expr number_node = hbg_model_add_number(f->model, huge, hbg_model_dimension_any, place(f));
    signal(f, HBG_SIGNAL_SIGNAL, "x",
           op(f, HBG_OP_MULTIPLY, number_node, op(f, HBG_OP_TIME, HBG_NONE, HBG_NONE)));
    assert_error(f, HBG_E_VALUE);
    assert_says(f, HBG_E_VALUE, "too large");
}

/* One element of the kind with the value, joined to a load. */
static void check_value(hbg_element_kind kind, double value, hbg_diagnostic_id code, int times) {
    fixture f;
    fixture_init(&f);
    bond(&f, element(&f, kind, "x", use(&f, param(&f, "p", number(&f, value)))),
         element(&f, HBG_KIND_SE, "load", number(&f, 1)));
    hbg_model_check(f.model);
    assert_int_equal(count_of(&f, code), times);
    hbg_base_arena_fini(&f.arena);
}

static void storages_need_positive_values(void **state) {
    (void)state;
    check_value(HBG_KIND_C, 0, HBG_E_VALUE, 1);
    check_value(HBG_KIND_C, -1, HBG_E_VALUE, 1);
    check_value(HBG_KIND_I, 0, HBG_E_VALUE, 1);
    check_value(HBG_KIND_I, 1e-12, HBG_E_VALUE, 0);
    check_value(HBG_KIND_R, -1, HBG_E_VALUE, 0);
}

static void a_resistor_of_value_zero_is_a_warning(void **state) {
    (void)state;
    check_value(HBG_KIND_R, 0, HBG_W_ZERO_RESISTOR, 1);
    check_value(HBG_KIND_R, 0.1, HBG_W_ZERO_RESISTOR, 0);
    check_value(HBG_KIND_SE, 0, HBG_W_ZERO_RESISTOR, 0);
}

static void a_parameter_is_blamed_where_it_got_its_value(void **state) {
    fixture *f = *state;
    hbg_expr zero = number(f, 0);
    hbg_expr outer = use(f, param(f, "outer", zero));
    bond(f, element(f, HBG_KIND_R, "r", use(f, param(f, "inner", outer))),
         element(f, HBG_KIND_SE, "s", number(f, 1)));
    hbg_model_check(f->model);
    assert_int_equal(first_of(f, HBG_W_ZERO_RESISTOR)->span.start, f->model->exprs.items[zero].span.start);
}

static void storage_matrices_are_symmetric(void **state) {
    fixture *f = *state;
    int32_t w = bare_element(f, HBG_KIND_I, "w", 2);
    const double values[] = {2, 0.5, 0.25, 2};
    for (int i = 0; i < 4; i++) give(f, w, number(f, values[i]));
    bond_ports(f, w, 1, element(f, HBG_KIND_R, "a", number(f, 1)), 1);
    bond_ports(f, w, 2, element(f, HBG_KIND_R, "b", number(f, 1)), 1);
    assert_error(f, HBG_E_VALUE);
    assert_says(f, HBG_E_VALUE, "entry 2,1 is 0.25, but entry 1,2 is 0.5");
}

static void resistive_matrices_need_not_be(void **state) {
    fixture *f = *state;
    int32_t w = bare_element(f, HBG_KIND_R, "w", 2);
    const double values[] = {0, 1, -1, 0};
    for (int i = 0; i < 4; i++) give(f, w, number(f, values[i]));
    bond_ports(f, w, 1, element(f, HBG_KIND_R, "a", number(f, 1)), 1);
    bond_ports(f, w, 2, element(f, HBG_KIND_R, "b", number(f, 1)), 1);
    assert_clean(f);
}

static void periods_are_positive_and_variances_not_negative(void **state) {
    fixture *f = *state;
    int32_t u = signal(f, HBG_SIGNAL_SAMPLE, "u", number(f, 1));
    f->model->signals.items[u].every = number(f, 0);
    int32_t s = signal(f, HBG_SIGNAL_SENSOR, "s", number(f, 1));
    f->model->signals.items[s].noise_mean = number(f, -1);
    f->model->signals.items[s].noise_variance = number(f, -1);
    int32_t a = automaton(f, "a", "0");
    f->model->automata.items[a].every = number(f, -2);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_VALUE), 3);
}

static void an_experiment_may_stop_at_once_but_not_before(void **state) {
    fixture *f = *state;
    int32_t good = experiment(f, "good", number(f, 0)), bad = experiment(f, "bad", number(f, -1));
    f->model->experiments.items[good].step = number(f, 0.1);
    f->model->experiments.items[bad].step = number(f, 0);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_VALUE), 2);
    assert_says(f, HBG_E_VALUE, "the stop time of experiment `bad`");
}

static void an_empty_range_is_reported(void **state) {
    fixture *f = *state;
    hbg_range range = {number(f, 1), number(f, 3), number(f, 2), place(f)};
    HBG_PUSH(&f->arena, f->model->ranges, range);
    assert_error(f, HBG_E_VALUE);
    assert_says(f, HBG_E_VALUE, "empty");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(parameters_are_evaluated_in_any_order),
        TEST(a_long_chain_of_parameters_is_evaluated),
        TEST(a_circle_of_parameters_is_named),
        TEST(two_circles_are_two_errors),
        TEST(a_value_that_is_not_finite_is_reported),
        TEST(a_number_beyond_doubles_is_reported),
        TEST(storages_need_positive_values),
        TEST(a_resistor_of_value_zero_is_a_warning),
        TEST(a_parameter_is_blamed_where_it_got_its_value),
        TEST(storage_matrices_are_symmetric),
        TEST(resistive_matrices_need_not_be),
        TEST(periods_are_positive_and_variances_not_negative),
        TEST(an_experiment_may_stop_at_once_but_not_before),
        TEST(an_empty_range_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
