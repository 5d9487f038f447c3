/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

/* Energies as declared, before any jump. */
static void begin(fixture *f, const char *text) {
    fixture_open(f, text);
    assert_fine(f, hbg_rt_declare(f->run, f->x));
}

static void energies_are_those_declared_and_others_are_0(void **state) {
    fixture f;
    (void)state;
    begin(&f, "model M { C c(2, q = 3); C d(2); I m(4, p = -1); 1 j; j -> c; j -> d; j -> m; }");
    assert_exact(state_of(&f, "c.q"), 3);
    assert_exact(state_of(&f, "d.q"), 0);
    assert_exact(state_of(&f, "m.p"), -1);
    fixture_close(&f);
}

static void efforts_and_flows_give_the_energies_of_linear_storages(void **state) {
    fixture f;
    (void)state;
    begin(&f, "model M { C c(2, e = 5); I m(3, f = 2); c -> m; }");
    assert_exact(state_of(&f, "c.q"), 10);
    assert_exact(state_of(&f, "m.p"), 6);
    fixture_close(&f);
}

#define TWO_PORT "R r[2]([[1, 0], [0, 1]]); c[1] -> r[1]; c[2] -> r[2];"

/* q = [[2, 1], [1, 3]]·e */
static void a_field_takes_efforts_energies_or_both(void **state) {
    fixture f;
    (void)state;
    begin(&f, "model M { C c[2]([[2, 1], [1, 3]], e[1] = 1, e[2] = 5); " TWO_PORT "}");
    assert_exact(state_of(&f, "c[1].q"), 7);
    assert_exact(state_of(&f, "c[2].q"), 16);
    fixture_close(&f);
    begin(&f, "model M { C c[2]([[2, 1], [1, 3]], e[1] = 1, q[2] = 7); " TWO_PORT "}"); // e2 = 2
    assert_close(state_of(&f, "c[1].q"), 4);
    assert_exact(state_of(&f, "c[2].q"), 7);
    fixture_close(&f);
    begin(&f, "model M { C c[2]([[2, 1], [1, 3]], e[2] = 5); " TWO_PORT "}"); // q1 = 0: e1 = −5/2
    assert_exact(state_of(&f, "c[1].q"), 0);
    assert_close(state_of(&f, "c[2].q"), 12.5);
    fixture_close(&f);
}

/* e2 = 5.5/3 from 5 = 0.5·1 + 3·e2 − 1 */
static void a_field_of_three_ports_takes_both_too(void **state) {
    fixture f;
    (void)state;
    begin(&f, "model M { C c[3]([[2, 0.5, 0], [0.5, 3, 1], [0, 1, 4]], e[1] = 1, q[2] = 5, e[3] = -1);"
              "R a(1); R b(1); R d(1); c[1] -> a; c[2] -> b; c[3] -> d; }");
    assert_close(state_of(&f, "c[1].q"), 2 + 0.5 * 5.5 / 3);
    assert_exact(state_of(&f, "c[2].q"), 5);
    assert_close(state_of(&f, "c[3].q"), 5.5 / 3 - 4);
    fixture_close(&f);
}

static void a_nonlinear_law_is_inverted(void **state) {
    fixture f;
    (void)state;
    begin(&f, "model M { C c(e = 10) : e = q + q^3; I m(f = 3) : f = sinh(p); C d(e = 8) : e = q^3; 1 j; j "
              "-> c; j -> m;"
              "j -> d; }");
    assert_close(state_of(&f, "c.q"), 2);
    assert_close(state_of(&f, "m.p"), asinh(3));
    assert_close(state_of(&f, "d.q"), 2); // its slope at 0 is 0
    fixture_close(&f);
}

/* e1 = q1 + q2³, e2 = q2 + 3·q1·q2²: from e1 = 9 and e2 = 14 follow q1 = 1, q2 = 2. */
static void coupled_laws_are_inverted_together(void **state) {
    fixture f;
    (void)state;
    begin(
        &f,
        "model M { C c[2](e[1] = 9, e[2] = 14) : e[1] = q[1] + q[2]^3, e[2] = q[2] + 3*q[1]*q[2]^2; " TWO_PORT
        "}");
    double q1 = state_of(&f, "c[1].q"), q2 = state_of(&f, "c[2].q");
    assert_near(q1 + q2 * q2 * q2, 9, 1e-12);
    assert_near(q2 + 3 * q1 * q2 * q2, 14, 1e-12);
    fixture_close(&f);
}

static void an_experiment_sets_other_energies(void **state) {
    fixture f;
    (void)state;
    begin(&f, "model M { C c(2, q = 3); R r(1); c -> r; experiment e { stop 1; set c.e = 4; } }");
    assert_exact(state_of(&f, "c.q"), 8);
    fixture_close(&f);
}

static void integrators_start_from_their_value(void **state) {
    fixture f;
    (void)state;
    begin(&f, "model M { param a = 3; R r(1); Se s(1); s -> r; state x = a/2 : der = r.f; }");
    assert_exact(state_of(&f, "x"), 1.5);
    set_param(&f, "a", 8);
    assert_fine(&f, hbg_rt_declare(f.run, f.x));
    assert_exact(state_of(&f, "x"), 4);
    fixture_close(&f);
}

/* The capacity 1 + d.q is 3 at the start. */
static void a_modulated_storage_starts_with_what_modulates_it(void **state) {
    fixture f;
    (void)state;
    begin(&f, "model M { C c(1 + d.q, e = 5); C d(1, q = 2); R r(1); R s(1); c -> r; d -> s; }");
    assert_exact(state_of(&f, "c.q"), 15);
    fixture_close(&f);
}

static void an_effort_no_energy_has_is_refused_in_words(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { C c(e = 5) : e = 10 + exp(q); R r(1); c -> r; }");
    assert_int_not_equal(hbg_rt_declare(f.run, f.x), HBG_RT_OK);
    assert_words(hbg_rt_failed(f.run)->text, "c.q");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_are_those_declared_and_others_are_0),
        cmocka_unit_test(efforts_and_flows_give_the_energies_of_linear_storages),
        cmocka_unit_test(a_field_takes_efforts_energies_or_both),
        cmocka_unit_test(a_field_of_three_ports_takes_both_too),
        cmocka_unit_test(a_nonlinear_law_is_inverted),
        cmocka_unit_test(coupled_laws_are_inverted_together),
        cmocka_unit_test(an_experiment_sets_other_energies),
        cmocka_unit_test(integrators_start_from_their_value),
        cmocka_unit_test(a_modulated_storage_starts_with_what_modulates_it),
        cmocka_unit_test(an_effort_no_energy_has_is_refused_in_words),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
