/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A value that is not finite is named with the operation that made it, wherever it is: in an output, in its
 * field, in a parameter, in a loop, in a jump, in the start. */
#include "eqn/fixture_impl.h"

static void assert_culprit(fixture *f, hbg_rt_status status, double t, const char *text) {
    const hbg_rt_failure *failure = hbg_rt_failed(f->run);
    assert_int_equal(status, HBG_RT_NOT_FINITE);
    assert_int_equal(failure->status, HBG_RT_NOT_FINITE);
    assert_exact(failure->time, t);
    assert_string_equal(failure->text, text);
}

static void an_output_is_told_with_its_own_operation(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f,
                  "model M { C c(2, q = -0.5); R r(1); 0 n; n -> c; n -> r; output o = 3*log(c.q), p = c.q;"
                  "experiment e { stop 1; record p, o; } }");
    assert_culprit(&f, hbg_rt_outputs(f.run, 0.25, f.x, f.y), 0.25, "`o` is not a number: log(-0.5)");
    set_state(&f, "c.q", 1);
    assert_fine(&f, hbg_rt_outputs(f.run, 0.25, f.x, f.y));
    fixture_close(&f);
}

/* A transformer of modulus 0 cannot pass on an effort: with 2 V across it, the resistor after it has no
 * finite current. */
static void a_rate_is_told_with_the_variable_behind_it(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f, "model M { param n = 1; Se s(2); TF t(n); C c(1); R r(1); 1 j; s -> t -> j -> c; j -> r; }");
    set_param(&f, "n", 0);
    assert_culprit(&f, hbg_rt_rates(f.run, 0.5, f.x, f.dx), 0.5,
                   "`der(c.q)` is infinite because of `t>j.e`, for `n` is 0: 2 / 0");
    fixture_close(&f);
}

/* As written, although the run multiplies by the inverse of the parameter. */
static void what_is_divided_by_a_parameter_is_told_as_it_is_written(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f, "model M { param a = 1; C c(1, q = 1); R r(1); 0 n; n -> c; n -> r; state x = 0 : der = c.e*5/a;"
            "output o = 1/a; experiment e { stop 1; record o; } }");
    set_param(&f, "a", 0);
    assert_culprit(&f, hbg_rt_rates(f.run, 0, f.x, f.dx), 0, "`der(x)` is infinite because `a` is 0: 5 / 0");
    assert_culprit(&f, hbg_rt_outputs(f.run, 0, f.x, f.y), 0, "`o` is infinite because `a` is 0: 1 / 0");
    fixture_close(&f);
}

/* A short circuit is reported with the element, also inside a component, not only with its reader. */
static void a_resistor_that_became_0_is_told_by_its_name(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "component Lamp(a = 2) { port p : electrical; R r(2*a - 1); 0 n; p -> n -> r; }"
        "model M { param b = 1; Se s(3); Lamp lamp(a = b); R other(1); 0 j; s -> j; j -> lamp.p; j -> other;"
        "output o = other.f + lamp.r.f; experiment e { stop 1; record o; } }");
    set_param(&f, "b", 0.5);
    assert_culprit(&f, hbg_rt_outputs(f.run, 0, f.x, f.y), 0,
                   "`o` is infinite because the value of `lamp.r` is 0: 3 / 0");
    fixture_close(&f);
}

static void a_parameter_is_followed_to_its_formula(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { param a = 1, b = log(a); Se s(1); R r(1); s -> r; output o = b + r.f;"
                      "experiment e { stop 1; record o; } }");
    set_param(&f, "a", 0);
    assert_culprit(&f, hbg_rt_outputs(f.run, 0, f.x, f.y), 0,
                   "`o` is minus infinity because of `b`: log(a = 0)");
    fixture_close(&f);
}

/* 1/x is infinite at 0, but not chosen there. */
static void what_a_choice_left_aside_is_not_blamed(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c(1, q = 0); R r(1); 0 n; n -> c; n -> r;"
                      "output o = c.q > 1 ? 1/c.q : sqrt(c.q - 4), p = c.q > 1 ? 1/c.q : 7;"
                      "experiment e { stop 1; record p, o; } }");
    assert_culprit(&f, hbg_rt_outputs(f.run, 0, f.x, f.y), 0, "`o` is not a number: sqrt(-4)");
    fixture_close(&f);
    fixture_begin(&f, "model M { C c(1, q = 0); R r(1); 0 n; n -> c; n -> r; output p = c.q > 1 ? 1/c.q : 7;"
                      "experiment e { stop 1; record p; } }");
    assert_exact(output_of(&f, "p"), 7);
    fixture_close(&f);
}

/* The signal outside the domain of a function is named, with its definition. */
static void a_signal_out_of_range_is_told_with_its_words(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c(1, q = -2); R r(3); 0 n; n -> c; n -> r; R w(log(level)); n -> w;"
                      "signal level = c.q + 1 \"below 0 the tank is dry\"; output l = level; }");
    double rates[4];
    assert_int_equal(hbg_rt_rates(f.run, 1, f.x, rates), HBG_RT_NOT_FINITE);
    assert_words(hbg_rt_failed(f.run)->text, "log(level = -1), \"below 0 the tank is dry\"");
    fixture_close(&f);
}

static void powers_and_energies_are_told_by_element(void **state) {
    fixture f;
    double power[4], energy[4];
    (void)state;
    fixture_begin(&f,
                  "model M { C c(1, q = -1); R r(1); 0 n; n -> c; n -> r; Se a(sqrt(c.q)); R b(1); a -> b;"
                  "C k(q = 1) : e = log(q); Sf z(0); z -> k; }");
    assert_int_equal(hbg_rt_powers(f.run, 1, f.x, power), HBG_RT_NOT_FINITE);
    assert_words(hbg_rt_failed(f.run)->text, "`power of a` is not a number");
    assert_words(hbg_rt_failed(f.run)->text, "sqrt(c.e = -1)"); // that is q/1
    set_state(&f, "k.q", -3);
    assert_int_equal(hbg_rt_energies(f.run, 1, f.x, energy), HBG_RT_NOT_FINITE);
    assert_words(hbg_rt_failed(f.run)->text, "`k");
    fixture_close(&f);
}

static void a_start_that_is_no_number_is_told(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { param a = 1; C c(1, q = sqrt(a)); R r(1); 0 n; n -> c; n -> r; }");
    set_param(&f, "a", -9);
    assert_culprit(&f, hbg_rt_declare(f.run, f.x), 0, "`c.q` is not a number: sqrt(-9)");
    fixture_close(&f);
}

/* Energy is counted from 0, where this law has no value. */
static void an_energy_that_is_not_finite_is_told_as_what_it_is(void **state) {
    fixture f;
    double energy[1];
    (void)state;
    fixture_begin(&f, "model M { Sf s(1); C c(q = 2) : e = log(q); 0 n; s -> n -> c; }");
    assert_culprit(&f, hbg_rt_energies(f.run, 0.5, f.x, energy), 0.5,
                   "`c` is not a number: the integral of its law, from 0 to 2");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_output_is_told_with_its_own_operation),
        cmocka_unit_test(an_energy_that_is_not_finite_is_told_as_what_it_is),
        cmocka_unit_test(a_rate_is_told_with_the_variable_behind_it),
        cmocka_unit_test(what_is_divided_by_a_parameter_is_told_as_it_is_written),
        cmocka_unit_test(a_parameter_is_followed_to_its_formula),
        cmocka_unit_test(a_resistor_that_became_0_is_told_by_its_name),
        cmocka_unit_test(what_a_choice_left_aside_is_not_blamed),
        cmocka_unit_test(a_signal_out_of_range_is_told_with_its_words),
        cmocka_unit_test(powers_and_energies_are_told_by_element),
        cmocka_unit_test(a_start_that_is_no_number_is_told),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
