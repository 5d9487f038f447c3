/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What samples and sensors that read each other take at a tick. Rates of integrators show it. */
#include "fixture_impl.h"

/* Declared last to first: c is 3, b is 2·time, a is b + 1. */
static void those_that_read_come_behind_what_they_read(void **state) {
    fixture f;
    const int32_t all[] = {0, 1, 2};
    (void)state;
    fixture_begin(
        &f,
        "model M { sample a every 1 = s + 1; signal s = b; sample b every 1 = c*time; sensor c = 3 every 1;"
        "  state x = 0 : der = a + 100*b + 10000*c; }");
    assert_fine(&f, hbg_rt_tick(f.run, 0, f.x, all, 3));
    assert_exact(rate_of(&f, "x"), 30001);
    assert_fine(&f, hbg_rt_tick(f.run, 4, f.x, all, 3));
    assert_exact(rate_of(&f, "x"), 31213);
    fixture_close(&f);
}

static void one_that_does_not_tick_shows_what_it_holds(void **state) {
    fixture f;
    const int32_t both[] = {0, 1}, second[] = {1};
    (void)state;
    fixture_begin(
        &f, "model M { sample a every 2 = time; sample b every 1 = a + 100*time; state x = 0 : der = b; }");
    assert_fine(&f, hbg_rt_tick(f.run, 2, f.x, both, 2));
    assert_exact(rate_of(&f, "x"), 202);
    assert_fine(&f, hbg_rt_tick(f.run, 3, f.x, second, 1));
    assert_exact(rate_of(&f, "x"), 302);
    fixture_close(&f);
}

/* A sensor that is stuck shows its value to others at the same tick. */
static void faults_of_sensors_are_read(void **state) {
    fixture f;
    const int32_t both[] = {0, 1};
    const hbg_rt_sensor stuck = {.is_stuck = true, .stuck = 7};
    (void)state;
    fixture_begin(&f, "model M { sample a every 1 = 2*m; sensor m = time every 1; state x = 0 : der = a; }");
    assert_fine(&f, hbg_rt_set_sensor(f.run, 1, &stuck));
    assert_fine(&f, hbg_rt_tick(f.run, 1, f.x, both, 2));
    assert_exact(rate_of(&f, "x"), 14);
    fixture_close(&f);
}

/* The source is still at 0 when the sensor reads the current through it; the sample that the source follows is not. */
static void elements_stand_as_before_the_tick(void **state) {
    fixture f;
    const int32_t all[] = {0, 1, 2};
    (void)state;
    fixture_begin(&f, "model M { Se s(u); R r(2); s -> r; sample u every 1 = 6; sensor i = r.f every 1; "
                      "  sample y every 1 = u + 10*r.f + 100*i; state x = 0 : der = y; }");
    assert_fine(&f, hbg_rt_tick(f.run, 0, f.x, all, 3));
    assert_exact(rate_of(&f, "x"), 6);
    assert_fine(&f, hbg_rt_tick(f.run, 1, f.x, all, 3));
    assert_exact(rate_of(&f, "x"), 336);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_read_come_behind_what_they_read),
        cmocka_unit_test(one_that_does_not_tick_shows_what_it_holds),
        cmocka_unit_test(faults_of_sensors_are_read),
        cmocka_unit_test(elements_stand_as_before_the_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
