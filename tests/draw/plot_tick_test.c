/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ticks: round, exact, inside, apart. */
#include "draw/plot_picture_impl.h"

typedef struct {
    const char *unit;
    double low, high, length, gap;
    bool logarithmic;
} wish;

static hbg_draw_axis make(fixture *f, wish wish) {
    hbg_draw_axis axis;
    hbg_draw_axis_begin(&axis, wish.unit, wish.logarithmic);
    hbg_draw_axis_include(&axis, wish.low);
    hbg_draw_axis_include(&axis, wish.high);
    hbg_draw_axis_settle(&axis, 0);
    hbg_draw_axis_scale(&f->arena, &axis);
    hbg_draw_axis_span(&axis, 0, wish.length);
    hbg_draw_axis_make_ticks(&f->arena, &axis, wish.gap, true);
    return axis;
}

/* The numbers of an axis, one after the other. */
static const char *texts(fixture *f, wish wish) {
    hbg_draw_axis axis = make(f, wish);
    hbg_buffer out;
    hbg_base_buffer_init(&out, &f->arena);
    for (int32_t i = 0; i < axis.ticks.count; i++) {
        if (!axis.ticks.items[i].text) continue;
        if (out.size > 0) hbg_base_buffer_char(&out, ' ');
        hbg_base_buffer_text(&out, axis.ticks.items[i].text);
    }
    return out.data;
}

static void linear_ticks_are_multiples_of_one_two_or_five(void **state) {
    fixture *f = *state;
    assert_string_equal(texts(f, (wish){"V", 0, 1, 500, 60, false}), "0 0.2 0.4 0.6 0.8 1.0");
    assert_string_equal(texts(f, (wish){"V", -7, 7, 400, 60, false}), "−5 0 5");
    assert_string_equal(texts(f, (wish){"V", 0, 0.05, 500, 60, false}), "0 10 20 30 40 50"); /* mV */
    assert_string_equal(texts(f, (wish){"V", 0.3, 0.62, 400, 60, false}), "0.3 0.4 0.5 0.6");
    assert_string_equal(texts(f, (wish){"V", 1000, 1002, 300, 60, false}), "1000 1001 1002");
}

static void angles_have_ticks_of_parts_of_a_circle(void **state) {
    fixture *f = *state;
    assert_string_equal(texts(f, (wish){"deg", -180, 0, 300, 30, false}), "−180 −135 −90 −45 0");
    assert_string_equal(texts(f, (wish){"°", 0, 360, 300, 30, false}), "0 90 180 270 360");
    assert_string_equal(texts(f, (wish){"deg", 0, 8, 300, 40, false}), "0 2 4 6 8");
}

static void logarithmic_ticks_are_powers_of_ten(void **state) {
    fixture *f = *state;
    assert_string_equal(texts(f, (wish){"", 0.01, 100, 400, 40, true}), "0.01 0.1 1 10 100");
    assert_string_equal(texts(f, (wish){"", 1e-6, 1e6, 700, 60, true}), "10⁻⁶ 10⁻⁴ 10⁻² 10⁰ 10² 10⁴ 10⁶");
    // with 2 and 5 between them where there is room
    assert_string_equal(texts(f, (wish){"", 1, 100, 900, 30, true}), "1 2 5 10 20 50 100");
    // less than two powers: round numbers as on a linear axis
    assert_string_equal(texts(f, (wish){"", 2, 8, 500, 30, true}), "2 3 4 5 6 7 8");
}

static void lines_without_numbers_stand_between_powers_of_ten(void **state) {
    fixture *f = *state;
    hbg_draw_axis axis = make(f, (wish){"", 1, 1000, 300, 40, true});
    int32_t lines = 0;
    for (int32_t i = 0; i < axis.ticks.count; i++) lines += !axis.ticks.items[i].text;
    assert_true(lines >= 24); /* eight in each of three decades */
}

static void assert_step_is_round(double step) {
    double mantissa = step / pow(10, floor(log10(step) + 1e-9));
    if (fabs(mantissa - 1) > 1e-6 && fabs(mantissa - 2) > 1e-6 && fabs(mantissa - 5) > 1e-6)
        fail_msg("a step of %g", step);
}

static void assert_ticks(const hbg_draw_axis *axis, const wish *wish) {
    const hbg_draw_tick *ticks = axis->ticks.items;
    double slack = 1e-8 * (axis->high - axis->low);
    for (int32_t i = 0; i < axis->ticks.count; i++) {
        double number = tick_number(ticks[i].text);
        // the text says the value
        double value = axis->offset + number * pow(10, axis->exponent) * axis->per;
        assert_float_equal(value, ticks[i].value, slack);
        assert_true(value >= axis->low - slack && value <= axis->high + slack);
        assert_true(strlen(ticks[i].text) <= 12);
        if (i == 0) continue;
        double before = tick_number(ticks[i - 1].text);
        if (i == 1) assert_step_is_round(number - before);
        double room = (hbg_draw_text_width(ticks[i].text, HBG_PLOT_SMALL, false) +
                       hbg_draw_text_width(ticks[i - 1].text, HBG_PLOT_SMALL, false)) /
                      2;
        double apart =
            hbg_draw_axis_place(axis, ticks[i].value) - hbg_draw_axis_place(axis, ticks[i - 1].value);
        assert_true(apart >= room + fmin(wish->gap, 4) - 1e-6);
    }
}

static void ticks_of_any_range_are_round_exact_inside_and_apart(void **state) {
    fixture *f = *state;
    static const char *const units[] = {"V", "", "m^2", "s", "kg"};
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        double size = pow(10, random_between(&seed, -40, 40)),
               range = pow(10, random_between(&seed, -8, 0.5));
        double low = random_between(&seed, -1, 1) * size;
        wish wish = {units[i % 5],
                     low,
                     low + range * size,
                     random_between(&seed, 220, 2000),
                     random_between(&seed, 4, 40),
                     false};
        hbg_draw_axis axis = make(f, wish);
        assert_true(axis.ticks.count >= 2);
        assert_ticks(&axis, &wish);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(linear_ticks_are_multiples_of_one_two_or_five, setup, teardown),
        cmocka_unit_test_setup_teardown(angles_have_ticks_of_parts_of_a_circle, setup, teardown),
        cmocka_unit_test_setup_teardown(logarithmic_ticks_are_powers_of_ten, setup, teardown),
        cmocka_unit_test_setup_teardown(lines_without_numbers_stand_between_powers_of_ten, setup, teardown),
        cmocka_unit_test_setup_teardown(ticks_of_any_range_are_round_exact_inside_and_apart, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
