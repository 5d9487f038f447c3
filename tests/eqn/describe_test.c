/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

static void names_and_units_are_those_of_the_model(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model Circuit { param Rs = 330 [Ohm]; input real u [V] = 10; input bool go = false; Se "
                     "s(u); R r(Rs); I coil(5 [mH]); C c(1 [uF]);"
                     "1 j; s -> j; j -> r; j -> coil; j -> c; signal rest = s.e - c.e; state n = 0 : der = 1;"
                     "experiment e { stop 1; record coil.f, rest, c.q, go, n; } }");
    const hbg_rt_description *s = f.system;
    assert_string_equal(s->name, "Circuit");
    assert_int_equal(s->state_count, 3);
    assert_string_equal(s->states[0].name, "c.q");
    assert_string_equal(s->states[0].unit, "C");
    assert_string_equal(s->states[1].name, "coil.p");
    assert_string_equal(s->states[1].unit, "Wb");
    assert_string_equal(s->states[2].name, "n");
    assert_int_equal(s->output_count, 5);
    assert_string_equal(s->outputs[0].name, "coil.f");
    assert_string_equal(s->outputs[0].unit, "A");
    assert_string_equal(s->outputs[1].name, "rest");
    assert_string_equal(s->outputs[1].unit, "V");
    assert_false(s->outputs[2].is_bool);
    assert_true(s->outputs[3].is_bool);
    assert_int_equal(s->input_count, 2);
    assert_string_equal(s->inputs[0].name, "go");
    assert_true(s->inputs[0].is_bool);
    assert_string_equal(s->inputs[1].name, "u");
    assert_string_equal(s->inputs[1].unit, "V");
    assert_int_equal(s->param_count, 1);
    assert_string_equal(s->params[0].name, "Rs");
    assert_string_equal(s->params[0].unit, "Ohm");
    fixture_close(&f);
}

/* The dimension alone would call them 1/s and J. */
static void speeds_and_torques_of_what_turns_are_called_so(void **state) {
    fixture f;
    (void)state;
    fixture_open(
        &f,
        "model M { I a(1 [kg.m2]); I b(1 [kg.m2]); R r(1 [N.m.s/rad]); 1 i; 1 j; 0 n; 1 k; i -> a; i -> n "
        "-> j -> b; n -> k -> r; signal slip = i.f - j.f;"
        "experiment e { stop 1; record a.f, slip, r.e, r.e*r.f; } }");
    const char *const units[] = {"rad/s", "rad/s", "N·m", "W"};
    for (int i = 0; i < 4; i++) assert_string_equal(f.system->outputs[i].unit, units[i]);
    fixture_close(&f);
}

static void sampled_signals_are_clocks(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { param T = 2 [ms]; C c(1); R r(1); c -> r; sample a every T = c.e; sensor b = "
                     "c.e every 5 [ms]; }");
    assert_int_equal(f.system->clock_count, 2);
    assert_string_equal(f.system->clocks[0].name, "a");
    assert_exact(f.system->clocks[0].period, 2e-3);
    assert_string_equal(f.system->clocks[1].name, "b");
    assert_exact(f.system->clocks[1].period, 5e-3);
    fixture_close(&f);
}

/* ---- the ledger --------------------------------------------------------------------------------------- */

static double power_of(fixture *f, const char *name, hbg_rt_power_kind kind) {
    double power[16];
    assert_true(f->system->power_count <= 16);
    assert_fine(f, hbg_rt_powers(f->run, 0, f->x, power));
    for (int32_t i = 0; i < f->system->power_count; i++)
        if (strcmp(f->system->powers[i].name, name) == 0 && f->system->powers[i].kind == kind)
            return power[i];
    fail_msg("no line %s", name);
    return NAN;
}

static void sources_and_resistors_have_lines(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "model M { Se s(12); R r(3); C c(0.5, q = 2); I l(4, p = 6); 1 j; s -> j; j -> r; j -> c; j -> l; }");
    assert_int_equal(f.system->power_count, 2);
    assert_close(power_of(&f, "s", HBG_RT_SUPPLIED), 18);
    assert_close(power_of(&f, "r", HBG_RT_DISSIPATED), 6.75);
    assert_int_equal(f.system->storage_count, 2);
    assert_string_equal(f.system->storages[0].name, "c");
    fixture_close(&f);
}

/* What slips forward with 2 m/s against 5 N loses 10 W, and what pushes it with 1 N, whatever its state, supplies 2 W. */
static void friction_that_follows_its_automaton_is_dissipated(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f,
                  "model M { I m(3, p = 6); 1 v when slip; Se friction(slip.forward ? -5 : 5); Se push(1);"
                  "v -> m; friction -> v; push -> v;"
                  "automaton slip { on forward -> stuck when m.f < 0; off stuck; } }");
    assert_int_equal(f.system->power_count, 2);
    assert_close(power_of(&f, "friction", HBG_RT_DISSIPATED), 10);
    assert_close(power_of(&f, "push", HBG_RT_SUPPLIED), 2);
    fixture_close(&f);
}

/* A field's power is that of all its ports: 2·1 + 2·1·2 + 3·4 with f = 1 and 2. */
static void a_field_is_one_line(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { R r[2]([[2, 1], [1, 3]]); Sf a(1); Sf b(2); a -> r[1]; b -> r[2]; }");
    assert_close(power_of(&f, "r", HBG_RT_DISSIPATED), 2 + 4 + 12);
    assert_int_equal(f.system->power_count, 3);
    fixture_close(&f);
}

/* A plate capacitor with x = 1 + 2·t: H = q²·x/2, so that moving the plates does q²/2·2 while q·e flows in. */
static void modulating_a_storage_does_work(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c(1/(1 + 2*time), q = 3); R r(4); c -> r; }");
    assert_int_equal(f.system->power_count, 2);
    assert_close(power_of(&f, "c", HBG_RT_MODULATED), 9);
    assert_close(power_of(&f, "r", HBG_RT_DISSIPATED), 2.25);
    fixture_close(&f);
    fixture_begin(&f, "model M { state x = 1 : der = 2; C c(q = 3) : e = q*x; R r(4); c -> r; }");
    assert_close(power_of(&f, "c", HBG_RT_MODULATED), 9);
    fixture_close(&f);
}

/* Heat that flows through a resistance is not lost. */
static void a_thermal_resistance_is_no_line(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { C c(2 [J/K], e = 300 [K]); R r(1 [K/W]); Se out(290 [K]); 1 j; c -> j; j -> "
                     "r; out -> j; }");
    assert_int_equal(f.system->power_count, 1);
    assert_string_equal(f.system->powers[0].name, "out");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_units_are_those_of_the_model),
        cmocka_unit_test(speeds_and_torques_of_what_turns_are_called_so),
        cmocka_unit_test(sampled_signals_are_clocks),
        cmocka_unit_test(sources_and_resistors_have_lines),
        cmocka_unit_test(friction_that_follows_its_automaton_is_dissipated),
        cmocka_unit_test(a_field_is_one_line),
        cmocka_unit_test(modulating_a_storage_does_work),
        cmocka_unit_test(a_thermal_resistance_is_no_line),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
