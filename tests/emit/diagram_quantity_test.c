/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers with units as they stand in drawings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "emit/diagram_impl.h"

static void assert_quantity(double value, const char *unit, const char *text) {
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    assert_string_equal(hbg_emit_diagram_quantity(&arena, value, unit), text);
    hbg_base_arena_fini(&arena);
}

static void prefixes_keep_numbers_short(void **state) {
    (void)state;
    assert_quantity(330, "Ohm", "330 Ω");
    assert_quantity(4700, "Ohm", "4.7 kΩ");
    assert_quantity(1e6, "Ohm", "1 MΩ");
    assert_quantity(5e-3, "H", "5 mH");
    assert_quantity(1e-6, "F", "1 µF");
    assert_quantity(2.2e-9, "F", "2.2 nF");
    assert_quantity(1000, "N", "1 kN");
    assert_quantity(7.5e-6, "s", "7.5 µs");
}

static void tenths_have_no_prefix(void **state) {
    (void)state;
    assert_quantity(0.6, "V", "0.6 V");
    assert_quantity(-0.6, "V", "−0.6 V");
    assert_quantity(0.06, "V", "60 mV");
}

static void rounding_up_does_not_leave_a_thousand(void **state) {
    (void)state;
    assert_quantity(999.99, "V", "1 kV");
    assert_quantity(0.00099999, "A", "1 mA");
}

static void four_digits_are_kept(void **state) {
    (void)state;
    assert_quantity(1.23456, "V", "1.235 V");
    assert_quantity(9.80665, "m/s^2", "9.807 m/s²");
    assert_quantity(1234567, "N·s/m", "1.235·10⁶ N·s/m");
    assert_quantity(0.3333333333333333, "", "0.3333");
}

static void units_of_several_symbols_and_the_kilogram_take_no_prefix(void **state) {
    (void)state;
    assert_quantity(5000, "kg", "5000 kg");
    assert_quantity(1e-4, "kg·m^2", "10⁻⁴ kg·m²");
    assert_quantity(2.5e-4, "kg·m^2", "2.5·10⁻⁴ kg·m²");
    assert_quantity(0.001, "kg·m^2", "0.001 kg·m²");
    assert_quantity(-20000, "N·s/m", "−20000 N·s/m");
    assert_quantity(20, "", "20");
}

static void extreme_numbers_are_printed(void **state) {
    (void)state;
    assert_quantity(0, "V", "0 V");
    assert_quantity(1e15, "V", "10⁶ GV");
    assert_quantity(DBL_MAX, "kg", "1.7976931348623157e+308 kg");
    assert_quantity(5e-324, "", "5e-324");
    assert_quantity(3e120, "", "3·10¹²⁰");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefixes_keep_numbers_short),
        cmocka_unit_test(tenths_have_no_prefix),
        cmocka_unit_test(rounding_up_does_not_leave_a_thousand),
        cmocka_unit_test(four_digits_are_kept),
        cmocka_unit_test(units_of_several_symbols_and_the_kilogram_take_no_prefix),
        cmocka_unit_test(extreme_numbers_are_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
