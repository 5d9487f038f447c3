/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "eqn/fixture_impl.h"

static int count_of(hbg_rt_program code, int op) {
    int count = 0;
    for (int32_t i = 0; i < code.count; i++) count += code.code[i].op == op;
    return count;
}

static hbg_rt_program field_of(fixture *f) {
    assert_fine(f, hbg_rt_enter(f->run, NULL));
    assert_int_equal(f->code->segments.count, 1); // nothing switches
    return hbg_rt_program_at(&f->code->image, HBG_RT_AT(f->code->image.pool.blocks, 0)->code[HBG_RT_FIELD]);
}

static void equal_terms_are_computed_once(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { state x = 1 : der = sin(x*y) + y; state y = 2 : der = sin(x*y) - x; signal "
                     "again = sin(x*y); }");
    assert_int_equal(count_of(field_of(&f), HBG_OP_SIN), 1);
    assert_int_equal(count_of(field_of(&f), HBG_OP_MULTIPLY), 1);
    fixture_close(&f);
}

/* What only renames costs nothing: x' = c.f = r.f = r.e/2. */
static void a_variable_that_is_another_has_no_code(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { C c(4); R r(2); 0 n; n -> c; n -> r; }");
    assert_int_equal(field_of(&f).count, 3); // q/4, e/2, its negation
    fixture_close(&f);
}

static void what_parameters_decide_is_computed_when_they_change(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { param a = 2, b = 3*a; state x = 1 : der = exp(a*b)*x; }");
    assert_int_equal(field_of(&f).count, 1);
    fixture_start(&f);
    assert_close(rate_of(&f, "x"), exp(12));
    set_param(&f, "a", 1); // b follows
    assert_close(rate_of(&f, "x"), exp(3));
    set_param(&f, "b", 0.5);
    assert_close(rate_of(&f, "x"), exp(0.5));
    set_param(&f, "a", 2); // and follows no longer
    assert_close(rate_of(&f, "x"), exp(1));
    fixture_close(&f);
}

/* Parameters that read one another, in any order of declaration. */
static void parameters_are_settled_in_the_order_they_need(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { param a = b + 1, b = 2*c, c = d^2, d = 3; state x = 0 : der = a; }");
    assert_exact(rate_of(&f, "x"), 19);
    set_param(&f, "d", 1);
    assert_exact(rate_of(&f, "x"), 3);
    fixture_close(&f);
}

static void small_powers_are_products_and_roots(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f,
                 "model M { state x = -3 : der = x^2 + x^3; state y = 4 : der = y^0.5 + y^(-1) + y^1.5; }");
    hbg_rt_program field = field_of(&f);
    assert_int_equal(count_of(field, HBG_OP_POWER_OF), 1);
    assert_int_equal(count_of(field, HBG_OP_MULTIPLY), 2); // the square is there once
    assert_int_equal(count_of(field, HBG_OP_SQRT), 1);
    assert_int_equal(count_of(field, HBG_OP_DIVIDE), 1);
    fixture_start(&f);
    assert_exact(rate_of(&f, "x"), 9 - 27);
    assert_exact(rate_of(&f, "y"), 2 + 0.25 + 8);
    fixture_close(&f);
}

/* x/(−k·(u/v)) is (−x·v/k)/u: one quotient. A divisor that has a name keeps it: others may read it. */
static void divisors_are_turned_over(void **state) {
    static const char *const texts[] = {
        "model M { param k = 4; state u = 2 : der = 1; state v = 8 : der = 1; state x = 3 : der = "
        "x/(-(k*(u/v))); }",
        "model M { param k = 4; state u = 2 : der = 1; state v = 8 : der = 1; signal share = -(k*(u/v));"
        "state x = 3 : der = x/share; }"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        fixture f;
        fixture_open(&f, texts[i]);
        assert_int_equal(count_of(field_of(&f), HBG_OP_DIVIDE), 1 + i);
        fixture_start(&f);
        assert_exact(rate_of(&f, "x"), -3);
        set_param(&f, "k", 2);
        assert_exact(rate_of(&f, "x"), -6);
        fixture_close(&f);
    }
}

static void what_a_number_is_taken_from_twice_is_itself(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { state x = 3 : der = 1 - charged; signal charged = 1 - x*x; }");
    assert_int_equal(count_of(field_of(&f), HBG_OP_SUBTRACT), 1); // the name is not needed, its term was met
    fixture_start(&f);
    assert_exact(rate_of(&f, "x"), 9);
    fixture_close(&f);
}

static void operators_with_branches_are_located_in_the_field_and_in_what_is_read(void **state) {
    fixture f;
    (void)state;
    fixture_open(
        &f,
        "model M { state x = 1 : der = abs(x) + min(x, 2) + (x > 3 ? 1 : 2) + floor(x); signal s = max(x, 7);"
        "experiment e { stop 1; record s; } }");
    field_of(&f);
    assert_int_equal(f.code->image.pool.located.count, 5);
    assert_int_equal(f.code->located[READ_FIELD].count, 4);
    assert_int_equal(f.code->located[READ_OUTPUTS].count, 1);
    assert_int_equal(f.code->located[READ_POWERS].count, 0);
    fixture_close(&f);
}

/* A loop's Jacobian reads sign, slope or relation of what the loop reads: no root of its own. */
static void a_derivative_shares_the_branch_of_its_operator(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { state x = 1 : der = r.f; Se s(1*x); R r : e = f + abs(f) + max(f, 0.5) + "
                      "min(2*f, 3); s -> r; }");
    assert_int_equal(f.code->image.pool.located.count, 3);
    hbg_rt_jacobian_pattern(f.run);
    assert_int_equal(f.code->image.pool.located.count, 3);
    fixture_close(&f);
}

static void a_parameter_alone_is_never_located(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { param a = -2; state x = 1 : der = abs(a)*x; }");
    assert_int_equal(f.code->image.pool.located.count, 0);
    assert_exact(rate_of(&f, "x"), 2);
    set_param(&f, "a", 5);
    assert_exact(rate_of(&f, "x"), 5);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_terms_are_computed_once),
        cmocka_unit_test(a_variable_that_is_another_has_no_code),
        cmocka_unit_test(what_parameters_decide_is_computed_when_they_change),
        cmocka_unit_test(parameters_are_settled_in_the_order_they_need),
        cmocka_unit_test(small_powers_are_products_and_roots),
        cmocka_unit_test(divisors_are_turned_over),
        cmocka_unit_test(what_a_number_is_taken_from_twice_is_itself),
        cmocka_unit_test(operators_with_branches_are_located_in_the_field_and_in_what_is_read),
        cmocka_unit_test(a_derivative_shares_the_branch_of_its_operator),
        cmocka_unit_test(a_parameter_alone_is_never_located),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
