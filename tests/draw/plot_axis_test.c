/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What axes show: ranges, offsets, places. */
#include "draw/plot_picture_impl.h"

#include <float.h>

static hbg_draw_axis axis_of(double low, double high, double margin) {
    hbg_draw_axis axis;
    hbg_draw_axis_begin(&axis, "V", false);
    hbg_draw_axis_include(&axis, low);
    hbg_draw_axis_include(&axis, high);
    hbg_draw_axis_settle(&axis, margin);
    return axis;
}

static void assert_range(hbg_draw_axis axis, double low, double high) {
    double near = 1e-12 * fmax(fabs(low), fabs(high));
    assert_float_equal(axis.low, low, near);
    assert_float_equal(axis.high, high, near);
}

static void a_range_gets_its_margin(void **state) {
    (void)state;
    assert_range(axis_of(-2, 8, 0.1), -3, 9);
    assert_range(axis_of(-2, 8, 0), -2, 8);
}

static void zero_is_shown_where_it_is_near(void **state) {
    (void)state;
    assert_range(axis_of(2, 10, 0.1), 0, 10.8);
    assert_range(axis_of(-10, -2, 0.1), -10.8, 0);
    assert_range(axis_of(5, 10, 0.1), 4.5, 10.5);
    // values that nearly touch zero keep their margin, or their line would lie on the frame
    assert_range(axis_of(0.2, 10.2, 0.1), -0.8, 11.2);
    // time is not stretched
    assert_range(axis_of(2, 10, 0), 2, 10);
}

static void one_value_is_in_the_middle(void **state) {
    (void)state;
    assert_range(axis_of(5, 5, 0.1), 2.5, 7.5);
    assert_range(axis_of(-5, -5, 0.1), -7.5, -2.5);
    assert_range(axis_of(0, 0, 0.1), -1, 1);
    // so is one with the noise of rounding
    assert_range(axis_of(5, 5 + 1e-14, 0.1), 2.5, 7.5);
    assert_range(axis_of(5e-324, 0, 0.1), -1, 1);
}

static void what_is_cut_off_is_told(void **state) {
    fixture *f = *state;
    hbg_draw_axis axis = axis_of(-1e308, 1e308, 0.1), fine = axis_of(-4e307, 4e307, 0.1);
    hbg_draw_axis_scale(&f->arena, &axis);
    hbg_draw_axis_scale(&f->arena, &fine);
    assert_non_null(strstr(axis.unit_text, "cut at 4e+307"));
    assert_null(strstr(fine.unit_text, "cut at"));
}

static void long_times_are_in_minutes_hours_and_days(void **state) {
    fixture *f = *state;
    static const struct {
        double high;
        const char *unit;
        double per;
    } cases[] = {
        {500, "s", 1}, {600, "min", 60}, {7200, "h", 3600}, {43200, "h", 3600}, {864000, "d", 86400}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hbg_draw_axis axis;
        hbg_draw_axis_begin(&axis, "s", false);
        hbg_draw_axis_include(&axis, 0);
        hbg_draw_axis_include(&axis, cases[i].high);
        hbg_draw_axis_settle(&axis, 0);
        hbg_draw_axis_scale(&f->arena, &axis);
        hbg_draw_axis_span(&axis, 0, 700);
        hbg_draw_axis_make_ticks(&f->arena, &axis, 30, true);
        assert_string_equal(axis.unit_text, cases[i].unit);
        // the numbers are round in their unit, and stand where they belong
        const hbg_draw_tick *second = &axis.ticks.items[1];
        assert_float_equal(second->value, strtod(second->text, NULL) * cases[i].per, 1e-9);
    }
}

static void nothing_is_an_empty_axis(void **state) {
    fixture *f = *state;
    hbg_draw_axis axis;
    hbg_draw_axis_begin(&axis, "V", false);
    hbg_draw_axis_include(&axis, NAN);
    hbg_draw_axis_include(&axis, INFINITY);
    hbg_draw_axis_include(&axis, -INFINITY);
    hbg_draw_axis_settle(&axis, 0.1);
    assert_true(axis.empty);
    hbg_draw_axis_scale(&f->arena, &axis);
    hbg_draw_axis_span(&axis, 0, 100);
    hbg_draw_axis_make_ticks(&f->arena, &axis, 10, true);
    assert_int_equal(axis.ticks.count, 0);
    assert_string_equal(axis.unit_text, "V");
}

static void logarithmic_axes_take_positive_values_only(void **state) {
    (void)state;
    hbg_draw_axis axis;
    hbg_draw_axis_begin(&axis, "V", true);
    assert_true(isnan(hbg_draw_axis_clean(&axis, 0)));
    assert_true(isnan(hbg_draw_axis_clean(&axis, -1)));
    hbg_draw_axis_include(&axis, -1);
    hbg_draw_axis_include(&axis, 0);
    hbg_draw_axis_include(&axis, 1);
    hbg_draw_axis_include(&axis, 1000);
    hbg_draw_axis_settle(&axis, 0);
    assert_range(axis, 1, 1000);
    hbg_draw_axis_span(&axis, 0, 300);
    assert_float_equal(hbg_draw_axis_place(&axis, 10), 100, 1e-9);
    assert_float_equal(hbg_draw_axis_place(&axis, 100), 200, 1e-9);
}

static void values_that_hardly_differ_are_counted_from_a_round_one(void **state) {
    fixture *f = *state;
    hbg_draw_axis axis = axis_of(5 - 1e-6, 5 + 1e-6, 0);
    hbg_draw_axis_scale(&f->arena, &axis);
    assert_float_equal(axis.offset, 5, 0);
    assert_int_equal(axis.exponent, -6);
    assert_string_equal(axis.unit_text, "µV, from 5 V");
    axis = axis_of(101325.001, 101325.003, 0);
    hbg_draw_axis_scale(&f->arena, &axis);
    assert_float_equal(axis.offset, 101325, 0);
    assert_string_equal(axis.unit_text, "mV, from 101325 V");
    // where they differ more their own digits suffice
    axis = axis_of(1000, 1001, 0);
    hbg_draw_axis_scale(&f->arena, &axis);
    assert_float_equal(axis.offset, 0, 0);
}

static void places_are_between_the_ends(void **state) {
    (void)state;
    hbg_draw_axis axis = axis_of(0, 10, 0);
    hbg_draw_axis_span(&axis, 200, 100); /* y axes go upwards */
    assert_float_equal(hbg_draw_axis_place(&axis, 0), 200, 1e-12);
    assert_float_equal(hbg_draw_axis_place(&axis, 2.5), 175, 1e-12);
    assert_float_equal(hbg_draw_axis_place(&axis, 10), 100, 1e-12);
    assert_float_equal(hbg_draw_axis_place(&axis, 11), 100, 1e-12);
}

static void the_ends_of_doubles_do_not_overflow(void **state) {
    fixture *f = *state;
    const double values[] = {DBL_MAX, -DBL_MAX, 1e308, DBL_MIN, 5e-324, -5e-324, 0, 1, 1e-290, 1e300};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
                hbg_draw_axis axis;
                hbg_draw_axis_begin(&axis, "V", logarithmic);
                hbg_draw_axis_include(&axis, values[i]);
                hbg_draw_axis_include(&axis, values[k]);
                hbg_draw_axis_settle(&axis, 0.06);
                hbg_draw_axis_scale(&f->arena, &axis);
                hbg_draw_axis_span(&axis, 100, 0);
                hbg_draw_axis_make_ticks(&f->arena, &axis, 10, false);
                assert_true(isfinite(axis.low) && isfinite(axis.high) && axis.low < axis.high);
                assert_true(isfinite(axis.factor) && axis.factor != 0);
                assert_true(axis.empty || axis.ticks.count > 0);
                double clean = hbg_draw_axis_clean(&axis, values[i]);
                double place = isnan(clean) ? 50 : hbg_draw_axis_place(&axis, clean);
                assert_true(place >= 0 && place <= 100);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_range_gets_its_margin, setup, teardown),
        cmocka_unit_test_setup_teardown(zero_is_shown_where_it_is_near, setup, teardown),
        cmocka_unit_test_setup_teardown(one_value_is_in_the_middle, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_cut_off_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_an_empty_axis, setup, teardown),
        cmocka_unit_test_setup_teardown(long_times_are_in_minutes_hours_and_days, setup, teardown),
        cmocka_unit_test_setup_teardown(logarithmic_axes_take_positive_values_only, setup, teardown),
        cmocka_unit_test_setup_teardown(values_that_hardly_differ_are_counted_from_a_round_one, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(places_are_between_the_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(the_ends_of_doubles_do_not_overflow, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
