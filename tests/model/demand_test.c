/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Units asked of observables by what they are compared with. */
#include "fixture_impl.h"

/* A net without units: Se s – R r. */
static int32_t bare_net(fixture *f) {
    int32_t s = element(f, HBG_KIND_SE, "s", number(f, 1));
    bond(f, s, element(f, HBG_KIND_R, "r", number(f, 1)));
    return s;
}

static hbg_domain domain_at(const fixture *f, int32_t element_index) {
    return f->model->net_domain[f->model->elements.items[element_index].net];
}

static void a_comparison_decides_the_net(void **state) {
    fixture *f = *state;
    int32_t s = bare_net(f);
    hbg_expr minus = op(f, HBG_OP_NEGATE, op(f, HBG_OP_EFFORT, s, 1), HBG_NONE);
    signal(f, HBG_SIGNAL_SIGNAL, "x", op(f, HBG_OP_LESS, minus, quantity(f, 1, VOLT)));
    assert_clean(f);
    assert_int_equal(domain_at(f, s), HBG_DOMAIN_ELECTRICAL);
}

static void a_demand_goes_through_sums_choices_and_signals(void **state) {
    fixture *f = *state;
    int32_t s = bare_net(f);
    hbg_expr truth = op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE);
    hbg_expr choice = op3(f, HBG_OP_SELECT, truth, number(f, 1), op(f, HBG_OP_EFFORT, s, 1));
    int32_t inner = signal(f, HBG_SIGNAL_SIGNAL, "inner", op(f, HBG_OP_MAX, number(f, 0), choice));
    hbg_expr sum = op(f, HBG_OP_ADD, number(f, 1), read_signal(f, inner));
    signal(f, HBG_SIGNAL_SIGNAL, "x", op(f, HBG_OP_GREATER, quantity(f, 1, PASCAL), sum));
    assert_clean(f);
    assert_int_equal(domain_at(f, s), HBG_DOMAIN_HYDRAULIC);
}

static void a_derivative_asks_for_the_integral_of_the_unit(void **state) {
    fixture *f = *state;
    int32_t s = bare_net(f);
    hbg_expr der = op(f, HBG_OP_DER, op(f, HBG_OP_FLOW, s, 1), HBG_NONE);
    signal(f, HBG_SIGNAL_SIGNAL, "x", op(f, HBG_OP_LESS, der, quantity(f, 9.8, dim(1, 0, -2, 0, 0))));
    assert_clean(f);
    assert_int_equal(domain_at(f, s), HBG_DOMAIN_TRANSLATIONAL);
}

static void a_declared_signal_asks_its_expression(void **state) {
    fixture *f = *state;
    int32_t s = bare_net(f);
    int32_t y = signal(f, HBG_SIGNAL_OUTPUT, "y", op(f, HBG_OP_FLOW, s, 1));
    f->model->signals.items[y].dimension = AMPERE;
    f->model->signals.items[y].unit = "A";
    assert_clean(f);
    assert_int_equal(domain_at(f, s), HBG_DOMAIN_ELECTRICAL);
}

static void a_state_asks_its_derivative(void **state) {
    fixture *f = *state;
    int32_t s = bare_net(f);
    int32_t x = signal(f, HBG_SIGNAL_STATE, "x", op(f, HBG_OP_FLOW, s, 1));
    f->model->signals.items[x].initial = quantity(f, 1, METRE);
    assert_clean(f);
    assert_int_equal(domain_at(f, s), HBG_DOMAIN_TRANSLATIONAL);
}

static void a_product_is_not_asked(void **state) {
    fixture *f = *state;
    int32_t s = bare_net(f);
    hbg_expr product = op(f, HBG_OP_MULTIPLY, number(f, 2), op(f, HBG_OP_EFFORT, s, 1));
    signal(f, HBG_SIGNAL_SIGNAL, "x", op(f, HBG_OP_LESS, product, quantity(f, 1, VOLT)));
    assert_clean(f);
    assert_int_equal(domain_at(f, s), HBG_DOMAIN_ANY);
}

static void no_domain_has_a_flow_in_newton(void **state) {
    fixture *f = *state;
    int32_t s = bare_net(f);
    signal(f, HBG_SIGNAL_SIGNAL, "x",
           op(f, HBG_OP_GREATER, op(f, HBG_OP_FLOW, s, 1), quantity(f, 3, NEWTON)));
    assert_error(f, HBG_E_UNIT);
    assert_says(f, HBG_E_UNIT, "`s.f` is used as what is in N, but a flow is in A, m/s");
}

static void two_demands_that_differ_are_an_error_in_either_order(void **state) {
    (void)state;
    for (int swap = 0; swap < 2; swap++) {
        fixture f;
        fixture_init(&f);
        int32_t s = bare_net(&f);
        int32_t alias = signal(&f, HBG_SIGNAL_SIGNAL, "alias", op(&f, HBG_OP_EFFORT, s, 1));
        for (int i = 0; i < 2; i++) {
            hbg_expr bound = quantity(&f, 1, (i ^ swap) ? VOLT : PASCAL);
            signal(&f, HBG_SIGNAL_SIGNAL, i ? "x" : "y", op(&f, HBG_OP_LESS, read_signal(&f, alias), bound));
        }
        assert_error(&f, HBG_E_UNIT);
        hbg_base_arena_fini(&f.arena);
    }
}

static void a_decided_net_asks_its_values(void **state) {
    fixture *f = *state;
    int32_t s = bare_net(f);
    int32_t copy = element(f, HBG_KIND_SE, "copy", op(f, HBG_OP_EFFORT, s, 1));
    bond(f, copy, element(f, HBG_KIND_R, "far", quantity(f, 1, OHM)));
    assert_clean(f);
    assert_int_equal(domain_at(f, s), HBG_DOMAIN_ELECTRICAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_comparison_decides_the_net),
        TEST(a_demand_goes_through_sums_choices_and_signals),
        TEST(a_derivative_asks_for_the_integral_of_the_unit),
        TEST(a_declared_signal_asks_its_expression),
        TEST(a_state_asks_its_derivative),
        TEST(a_product_is_not_asked),
        TEST(no_domain_has_a_flow_in_newton),
        TEST(two_demands_that_differ_are_an_error_in_either_order),
        TEST(a_decided_net_asks_its_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
