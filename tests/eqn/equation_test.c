/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

/* ---- integral causality ------------------------------------------------------------------------------- */

/* q' = f, p' = u − R·f − q/C */
static void a_series_circuit_has_the_rates_of_the_textbook(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f, "model M { Se s(12); R r(3); C c(0.5, q = 2); I l(4, p = 6); 1 j; s -> j; j -> r; j -> c; j -> l;"
            "experiment e { stop 1; record s.power, r.power, c.power, l.power, j.f; } }");
    assert_close(rate_of(&f, "c.q"), 1.5);
    assert_close(rate_of(&f, "l.p"), 12 - 3 * 1.5 - 4);
    assert_close(output_of(&f, "j.f"), 1.5);
    assert_close(output_of(&f, "s.power"), 18);
    assert_close(output_of(&f, "r.power"), 6.75);
    assert_close(output_of(&f, "c.power"), 6);
    assert_close(output_of(&f, "l.power"), 5.25);
    fixture_close(&f);
}

/* The bond of every element turned round; what it stores and loses is the same. */
static void the_direction_of_a_bond_changes_no_physics(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(12); R r(3); C c(0.5, q = 2); I l(4, p = 6); 1 j; b: j -> s; k: r -> "
                      "j; c -> j; l -> j;"
                      "experiment e { stop 1; record s.e, s.f, r.e, r.f, b.e, b.f, k.e, k.f; } }");
    assert_close(rate_of(&f, "c.q"), 1.5);
    assert_close(rate_of(&f, "l.p"), 3.5);
    assert_close(output_of(&f, "s.e"), 12);
    assert_close(output_of(&f, "s.f"), 1.5);
    assert_close(output_of(&f, "r.e"), 4.5);
    assert_close(output_of(&f, "b.e"), -12); // a 1-junction sums efforts
    assert_close(output_of(&f, "b.f"), 1.5);
    assert_close(output_of(&f, "k.e"), -4.5);
    fixture_close(&f);
}

/* e1 = n·e2, f2 = n·f1; e1 = r·f2, e2 = r·f1 */
static void transformers_and_gyrators_scale_as_defined(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "model M { Se s(12); TF t(4); R r(3); s -> t -> r; Se u(12); GY g(4); R w(3); u -> g -> w;"
        "experiment e { stop 1; record t[1].e, t[1].f, t[2].e, t[2].f, g[1].e, g[1].f, g[2].e, g[2].f; } }");
    assert_close(output_of(&f, "t[2].e"), 3);
    assert_close(output_of(&f, "t[2].f"), 1);
    assert_close(output_of(&f, "t[1].f"), 0.25);
    assert_close(output_of(&f, "g[2].f"), 3);
    assert_close(output_of(&f, "g[2].e"), 9);
    assert_close(output_of(&f, "g[1].f"), 2.25);
    fixture_close(&f);
}

/* ---- derivative causality ----------------------------------------------------------------------------- */

/* A motor of inertia 2 with a gear of 5 (load turns a fifth as fast): (2 + 50/25)·ω' = 8 − 1·ω. */
static void a_gear_adds_its_load_to_the_inertia(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f,
                  "model M { Se s(8); I rotor(2, f = 3); R bearing(1); TF gear(0.2); I load(50); 1 j; 1 k;"
                  "s -> j; j -> rotor; j -> bearing; j -> gear -> k; k -> load; experiment e { stop 1; "
                  "record load.f; } }");
    double speed = state_of(&f, "rotor.p") / 2; // the start shares the momentum: 6/4
    assert_close(speed, 1.5);
    assert_close(output_of(&f, "load.f"), 0.3);
    assert_close(rate_of(&f, "rotor.p"), 2 * (8 - speed) / 4);
    assert_close(rate_of(&f, "load.p"), 50 * 0.2 * (8 - speed) / 4);
    fixture_close(&f);
}

static void a_capacitor_on_a_source_follows_its_slope(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "model M { Se s(5 + 2*time + sin(3*time)); C c(4); s -> c; experiment e { stop 1; record s.f; } }");
    assert_close(rate_at(&f, "c.q", 0.5), 4 * (2 + 3 * cos(1.5)));
    assert_close(output_at(&f, "s.f", 0.5), 4 * (2 + 3 * cos(1.5)));
    fixture_close(&f);
}

static void an_input_that_is_set_stands_still(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { input real u = 5 + 2*time; Se s(u); C c(4); s -> c; }");
    assert_close(rate_of(&f, "c.q"), 8);
    set_input(&f, "u", 7);
    assert_exact(rate_of(&f, "c.q"), 0);
    assert_fine(&f, hbg_rt_settle(f.run, 0, f.x));
    assert_exact(state_of(&f, "c.q"), 28);
    fixture_close(&f);
}

/* x = 3·sin θ, y = −2·cos θ on an ellipse: M(θ) = J + m·(9·cos² + 4·sin²); M·θ'' + M'/2·θ'² = −2·m·g·sin θ. */
static void a_moving_modulus_gives_centripetal_terms(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "model M { I J(0.5, f = 2); I mx(1.5); I my(1.5); Se weight(-1.5*9.8);"
        "state angle = 0.7 : der = J.f; TF tx(3*cos(angle)); TF ty(2*sin(angle));"
        "1 turn; 1 x; 1 y; turn -> J; turn -> tx -> x; x -> mx; turn -> ty -> y; y -> my; weight -> y; }");
    double angle = 0.7, c = cos(angle), s = sin(angle), M = 0.5 + 1.5 * (9 * c * c + 4 * s * s);
    double w = state_of(&f, "J.p") / 0.5;
    assert_close(w, 2 * 0.5 / M); // shared with the masses at rest
    double a = (-1.5 * 9.8 * 2 * s - 1.5 * (4 - 9) * s * c * w * w) / M;
    assert_near(rate_of(&f, "J.p"), 0.5 * a, 1e-12);
    assert_near(rate_of(&f, "mx.p"), 1.5 * (3 * c * a - 3 * s * w * w), 1e-12);
    assert_near(rate_of(&f, "my.p"), 1.5 * (2 * s * a + 2 * c * w * w), 1e-12);
    fixture_close(&f);
}

/* q = u = t³, its flow 3·t² drives a mass of 2: p = 6·t², p' = 12·t. */
static void a_dependent_flow_may_drive_another_dependent_storage(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(1*time^3); C c(1); s -> c; Sf v(c.f); I m(2); v -> m; experiment e { "
                      "stop 1; record m.e; } }");
    assert_fine(&f, hbg_rt_settle(f.run, 2, f.x));
    assert_close(state_of(&f, "m.p"), 24);
    assert_close(rate_at(&f, "m.p", 2), 24);
    assert_close(output_at(&f, "m.e", 2), 24);
    fixture_close(&f);
}

/* A dependent nonlinear spring: e = q³ on a source 8 + 12·t has q = 2 and q' = 12/(3·4). */
static void a_nonlinear_storage_may_be_dependent(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(8 + 12*time); C c : e = q^3; s -> c; }");
    assert_close(state_of(&f, "c.q"), 2);
    assert_close(rate_of(&f, "c.q"), 1);
    fixture_close(&f);
}

/* ---- signals ------------------------------------------------------------------------------------------ */

/* u = 10 − 2·f and f = u/3 */
static void a_source_may_read_what_it_drives(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { signal u = 10 - 2*r.f; Se s(u); R r(3); s -> r; experiment e { stop 1; "
                      "record r.f, u; } }");
    assert_close(output_of(&f, "r.f"), 2);
    assert_close(output_of(&f, "u"), 6);
    fixture_close(&f);
}

static void an_integrator_has_the_rate_written(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(6); R r(3); s -> r; state x = 2 : der = x*r.f + 1*time; }");
    assert_close(rate_at(&f, "x", 5), 9);
    fixture_close(&f);
}

static void time_moves_with_rate_1(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(der(sin(2*time)) + der(3*time)); R r(1); s -> r; experiment e { stop "
                      "1; record s.e; } }");
    assert_close(output_at(&f, "s.e", 0.4), 2 * cos(0.8) + 3);
    fixture_close(&f);
}

/* ---- switched off ------------------------------------------------------------------------------------- */

/* An Sf at an off 1-junction carries nothing; the C behind the off 0-junction is shorted. */
/* With a linear resistor the junction is a select, with a law that is written out it is assigned anew. */
static void sources_at_junctions_that_are_off_are_cut(void **state) {
    static const char *const resistors[][2] = {{"R r(2)", "R w(2)"}, {"R r : e = 2*f", "R w : f = e/2"}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[500];
        fixture f;
        snprintf(text, sizeof text,
                 "model M { Sf i(3); %s; 1 j when a; i -> j; j -> r; Se u(5); %s; 0 n when a; u -> n; n -> w;"
                 "automaton a { off cut -> joined when false; on joined -> cut when false; }"
                 "experiment e { stop 1; record i.e, i.f, u.e, u.f, r.f, w.e; } }",
                 resistors[k][0], resistors[k][1]);
        fixture_begin(&f, text);
        const char *const zeros[] = {"i.e", "i.f", "u.e", "u.f", "r.f", "w.e"};
        for (int i = 0; i < 6; i++) assert_exact(output_of(&f, zeros[i]), 0);
        assert_fine(&f, hbg_rt_enter(f.run, (const int32_t[]){1}));
        assert_exact(output_of(&f, "i.f"), 3);
        assert_exact(output_of(&f, "i.e"), 6);
        assert_exact(output_of(&f, "u.f"), 2.5);
        fixture_close(&f);
    }
}

/* Behind a gyrator a flow source sets an effort: an off 0-junction cuts it, and all that lies between. */
static void sources_behind_two_ports_are_cut_too(void **state) {
    fixture f;
    static const char *const zeros[] = {"i.e", "i.f", "g[1].e", "g[2].f", "u.e", "t[1].f", "t[2].e"};
    (void)state;
    fixture_begin(
        &f, "model M { Sf i(3); GY g(2); R r(4); 0 n when a; i -> g -> n; n -> r; Se u(5); TF t(2); R w(1); "
            "0 m when a;"
            "u -> t -> m; m -> w; automaton a { off cut -> joined when false; on joined -> cut when false; }"
            "experiment e { stop 1; record i.e, i.f, g[1].e, g[2].f, u.e, t[1].f, t[2].e, r.f, w.f; } }");
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) assert_exact(output_of(&f, zeros[i]), 0);
    assert_fine(&f, hbg_rt_enter(f.run, (const int32_t[]){1}));
    assert_exact(output_of(&f, "r.f"), 1.5);
    assert_exact(output_of(&f, "i.e"), 3);
    assert_exact(output_of(&f, "w.f"), 2.5);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_series_circuit_has_the_rates_of_the_textbook),
        cmocka_unit_test(the_direction_of_a_bond_changes_no_physics),
        cmocka_unit_test(transformers_and_gyrators_scale_as_defined),
        cmocka_unit_test(a_gear_adds_its_load_to_the_inertia),
        cmocka_unit_test(a_capacitor_on_a_source_follows_its_slope),
        cmocka_unit_test(an_input_that_is_set_stands_still),
        cmocka_unit_test(a_moving_modulus_gives_centripetal_terms),
        cmocka_unit_test(a_dependent_flow_may_drive_another_dependent_storage),
        cmocka_unit_test(a_nonlinear_storage_may_be_dependent),
        cmocka_unit_test(a_source_may_read_what_it_drives),
        cmocka_unit_test(an_integrator_has_the_rate_written),
        cmocka_unit_test(time_moves_with_rate_1),
        cmocka_unit_test(sources_at_junctions_that_are_off_are_cut),
        cmocka_unit_test(sources_behind_two_ports_are_cut_too),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
