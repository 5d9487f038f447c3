/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Units on axes: prefixes where they mean what they say, powers of ten elsewhere. */
#include "draw/plot_picture_impl.h"

static void prefixes_wait_until_numbers_are_long(void **state) {
    (void)state;
    assert_int_equal(hbg_draw_unit_exponent("V", 12), 0);
    assert_int_equal(hbg_draw_unit_exponent("V", 0.1), 0);
    assert_int_equal(hbg_draw_unit_exponent("V", 0.05), -3);
    assert_int_equal(hbg_draw_unit_exponent("V", 9999), 0);
    assert_int_equal(hbg_draw_unit_exponent("V", 12e3), 3);
    assert_int_equal(hbg_draw_unit_exponent("V", 5e-8), -9);
    assert_int_equal(hbg_draw_unit_exponent("s", 86400), 0);
    assert_int_equal(hbg_draw_unit_exponent("V", 0), 0);
    assert_int_equal(hbg_draw_unit_exponent("V", NAN), 0);
    // powers of ten wait longer
    assert_int_equal(hbg_draw_unit_exponent("", 50e3), 0);
    assert_int_equal(hbg_draw_unit_exponent("", 5e5), 3);
    assert_int_equal(hbg_draw_unit_exponent(NULL, 0.02), 0);
    assert_int_equal(hbg_draw_unit_exponent("m^2", 0.002), -3);
}

static void assert_unit(fixture *f, const char *unit, int exponent, const char *expected) {
    assert_string_equal(hbg_draw_unit_text(&f->arena, unit, exponent), expected);
}

static void units_that_can_have_a_prefix_get_it(void **state) {
    fixture *f = *state;
    assert_unit(f, "V", -3, "mV");
    assert_unit(f, "A", -6, "µA");
    assert_unit(f, "m/s", 3, "km/s");
    assert_unit(f, "N.m", 3, "kN·m");
    assert_unit(f, "Ohm", 3, "kΩ");
    assert_unit(f, "mol", -3, "mmol");
    assert_unit(f, "Pa·s/m^3", 9, "GPa·s/m³");
    assert_unit(f, "V", 24, "YV");
}

static void a_prefix_that_is_there_is_changed(void **state) {
    fixture *f = *state;
    assert_unit(f, "mm", 3, "m");
    assert_unit(f, "kg", -3, "g");
    assert_unit(f, "kg·m/s", -6, "mg·m/s");
    assert_unit(f, "kPa", 3, "MPa");
    assert_unit(f, "µs", -3, "ns");
}

static void units_that_cannot_have_one_get_a_power_of_ten(void **state) {
    fixture *f = *state;
    assert_unit(f, "m^2", 3, "10³ m²");
    assert_unit(f, "m²", 3, "10³ m²");
    assert_unit(f, "m3/s", -6, "10⁻⁶ m³/s");
    assert_unit(f, "1/s", 12, "10¹² 1/s");
    assert_unit(f, "kg", 3, "10³ kg");
    assert_unit(f, "min", 3, "10³ min");
    assert_unit(f, "V", 306, "10³⁰⁶ V");
    assert_unit(f, "", 3, "10³");
    assert_unit(f, "a pure number", -3, "10⁻³");
}

static void units_are_set_as_in_print(void **state) {
    fixture *f = *state;
    assert_unit(f, "kg.m2/s2", 0, "kg·m²/s²");
    assert_unit(f, "kg·m/s^3", 0, "kg·m/s³");
    assert_unit(f, "s^-1", 0, "s⁻¹");
    assert_unit(f, "W/(m^2*K)", 0, "W/(m²·K)");
    assert_unit(f, "deg", 0, "°");
    assert_unit(f, "%", 0, "%");
    assert_unit(f, "", 0, "");
    assert_unit(f, NULL, 0, "");
}

static void any_bytes_are_taken(void **state) {
    fixture *f = *state;
    static const char bytes[] = "mk^-.*/1290 \xc2\xb7\xce\xa9\xff\xe2(";
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        char unit[12] = {0};
        int size = (int)(next_random(&seed) % 11);
        for (int k = 0; k < size; k++) unit[k] = bytes[next_random(&seed) % (sizeof bytes - 1)];
        int exponent = 3 * (int)(next_random(&seed) % 200) - 300;
        const char *text = hbg_draw_unit_text(&f->arena, unit, exponent);
        assert_true(strlen(text) < 64);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(prefixes_wait_until_numbers_are_long, setup, teardown),
        cmocka_unit_test_setup_teardown(units_that_can_have_a_prefix_get_it, setup, teardown),
        cmocka_unit_test_setup_teardown(a_prefix_that_is_there_is_changed, setup, teardown),
        cmocka_unit_test_setup_teardown(units_that_cannot_have_one_get_a_power_of_ten, setup, teardown),
        cmocka_unit_test_setup_teardown(units_are_set_as_in_print, setup, teardown),
        cmocka_unit_test_setup_teardown(any_bytes_are_taken, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
