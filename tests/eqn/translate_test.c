/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

/* ---- energy ------------------------------------------------------------------------------------------- */

static void linear_storages_hold_half_x_times_z(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c(2, q = 6); I m(4, p = 6); c -> m; experiment e { stop 1; record "
                      "c.energy, m.energy; } }");
    assert_exact(output_of(&f, "c.energy"), 9);
    assert_exact(output_of(&f, "m.energy"), 4.5);
    fixture_close(&f);
}

/* Efforts 1, −1 and 2 have charges M·e; the energy is ½ eᵀMe = ½ (2 + 3 + 16 + 2·(−0.5 − 2)) = 8. */
static void fields_hold_the_energy_of_their_matrix(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c[3]([[2, 0.5, 0], [0.5, 3, 1], [0, 1, 4]], e[1] = 1, e[2] = -1, e[3] = "
                      "2); R a(1); R b(1); R d(1);"
                      "c[1] -> a; c[2] -> b; c[3] -> d; experiment e { stop 1; record c.energy; } }");
    assert_close(output_of(&f, "c.energy"), 8);
    fixture_close(&f);
    fixture_begin(
        &f,
        "model M { I w[2]([[2, 0.5], [0.5, 3]], f[1] = 1, f[2] = -1); R a(1); R b(1); w[1] -> a; w[2] -> b;"
        "experiment e { stop 1; record w.energy; } }");
    assert_close(output_of(&f, "w.energy"), 2);
    fixture_close(&f);
}

/* ∫ (2·q + 3·q³) dq at q = 2 is 4 + 12; ∫ sinh p dp at 1.5; ∫ q1·q2² … along any way is ½·q1²·q2² + q1²/2 + q2². */
static void laws_hold_the_work_of_charging_them(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f,
                  "model M { C c(q = 2) : e = 2*q + 3*q^3; I m(p = 1.5) : f = sinh(p); 1 j; j -> c; j -> m;"
                  "C g[2](q[1] = 2, q[2] = 3) : e[1] = q[1] + q[1]*q[2]^2, e[2] = 2*q[2] + q[1]^2*q[2]; R "
                  "r(1); R s(1); g[1] -> r; g[2] -> s;"
                  "experiment e { stop 1; record c.energy, m.energy, g.energy; } }");
    assert_close(output_of(&f, "c.energy"), 16);
    assert_close(output_of(&f, "m.energy"), cosh(1.5) - 1);
    assert_close(output_of(&f, "g.energy"), 0.5 * 4 * 9 + 2 + 9);
    fixture_close(&f);
}

static void heat_is_energy_by_itself(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "model M { C c(2 [J/K], e = 300 [K]); R r(1 [K/W]); Se out(290 [K]); 1 j; c -> j; j -> r; out -> j;"
        "experiment e { stop 1; record c.energy, r.power, r.f; } }");
    assert_close(output_of(&f, "c.energy"), 600);
    assert_close(output_of(&f, "r.power"), output_of(&f, "r.f")); // a thermal flow is a power
    fixture_close(&f);
}

/* The law of `spring` stands behind the source that reads its energy. */
static void an_energy_may_be_read_before_its_law_is_written(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se a(1*spring.energy); R r(1); C spring(q = 2) : e = 3*q^3; 1 j; a -> j; j "
                      "-> r; j -> spring;"
                      "experiment e { stop 1; record a.e; } }");
    assert_close(output_of(&f, "a.e"), 12);
    assert_close(rate_of(&f, "spring.q"), 12 - 24);
    fixture_close(&f);
}

/* ---- other readings ----------------------------------------------------------------------------------- */

static void power_counts_as_the_element_does(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(6); R r(3); 1 j; b: j -> s; r -> j; experiment e { stop 1; record "
                      "s.power, r.power, b.power, j.f; } }");
    assert_close(output_of(&f, "s.power"), 12);
    assert_close(output_of(&f, "r.power"), 12);
    assert_close(output_of(&f, "b.power"), -12);
    assert_close(output_of(&f, "j.f"), 2);
    fixture_close(&f);
}

/* e = 6 − 3·f, f = p/2, p' = e: der(e) = −3·e/2; twice 9/4·e. */
static void derivatives_in_time_are_exact(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(6); R r(3); I m(2, p = 1); 1 j; s -> j; j -> r; j -> m;"
                      "experiment e { stop 1; record der(m.e), der(der(m.e)), der(m.p), der(m.p^2); } }");
    assert_close(output_of(&f, "der(m.p)"), 4.5);
    assert_close(output_of(&f, "der(m.p^2)"), 9);
    assert_close(output_of(&f, "der(m.e)"), -6.75);
    assert_close(output_of(&f, "der(der(m.e))"), 10.125);
    fixture_close(&f);
}

static void states_of_automata_are_booleans(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(a ? 5 : 2); R r(a.slow ? 10 : 1); s -> r;"
                      "automaton a { start slow; off idle -> fast when false; on fast -> slow when false; on "
                      "slow -> idle when false; }"
                      "experiment e { stop 1; record s.e, r.f; } }");
    assert_exact(output_of(&f, "s.e"), 5);
    assert_exact(output_of(&f, "r.f"), 0.5);
    assert_fine(&f, hbg_rt_enter(f.run, (const int32_t[]){0}));
    assert_exact(output_of(&f, "s.e"), 2);
    assert_exact(output_of(&f, "r.f"), 2);
    fixture_close(&f);
}

static void a_third_derivative_is_refused_and_breaks_nothing(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { Se s(1*der(der(der(c.e)))); C c(1, q = 1); R r(1); 0 n; n -> c; n -> r; R "
                     "w(1); s -> w; }");
    assert_non_null(f.eqn->refused);
    assert_int_equal(hbg_rt_enter(f.run, NULL), HBG_RT_UNDEFINED);
    assert_words(hbg_rt_failed(f.run)->text, f.eqn->refused);
    fixture_close(&f);
}

/* a's law reads b's energy and b's law a's: neither has a formula. */
static void energies_that_read_each_other_are_refused(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { C a(q = 1) : e = q*(1 + b.energy); C b(q = 1) : e = q*(1 + a.energy); R "
                     "r(1); R s(1); a -> r; b -> s; }");
    assert_non_null(f.eqn->refused);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_storages_hold_half_x_times_z),
        cmocka_unit_test(fields_hold_the_energy_of_their_matrix),
        cmocka_unit_test(laws_hold_the_work_of_charging_them),
        cmocka_unit_test(heat_is_energy_by_itself),
        cmocka_unit_test(an_energy_may_be_read_before_its_law_is_written),
        cmocka_unit_test(power_counts_as_the_element_does),
        cmocka_unit_test(derivatives_in_time_are_exact),
        cmocka_unit_test(states_of_automata_are_booleans),
        cmocka_unit_test(a_third_derivative_is_refused_and_breaks_nothing),
        cmocka_unit_test(energies_that_read_each_other_are_refused),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
