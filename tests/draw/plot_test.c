/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Figures read back: whatever is plotted, no text touches another, numbers are round and at their places. */
#include "draw/plot_picture_impl.h"

#include <float.h>

#define SAMPLES 200

static hbg_draw_series wave(fixture *f, const char *name, const char *unit, double size, double phase) {
    double *x = HBG_NEW_ARRAY(&f->arena, double, SAMPLES), *y = HBG_NEW_ARRAY(&f->arena, double, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        x[i] = 2.0 * i / (SAMPLES - 1);
        y[i] = size * sin(5 * x[i] + phase);
    }
    return (hbg_draw_series){.name = name, .unit = unit, .x = x, .y = y, .count = SAMPLES};
}

static picture draw(fixture *f, const hbg_draw_figure_spec *spec) {
    hbg_base_buffer_init(&f->out, &f->arena);
    hbg_draw_figure(&f->out, spec);
    picture picture = read_picture(f, f->out.data);
    assert_texts_apart(&picture);
    return picture;
}

static picture draw_series(fixture *f, const hbg_draw_series *series, int32_t count, double width) {
    hbg_draw_figure_spec spec = hbg_draw_figure_default();
    hbg_draw_panel *panels;
    spec.title = "A figure";
    spec.width = width;
    spec.panel_count = hbg_draw_panels_by_unit(&f->arena, series, count, &panels);
    spec.panels = panels;
    return draw(f, &spec);
}

static bool has_text(const picture *picture, const char *text) {
    for (int32_t i = 0; i < picture->texts.count; i++)
        if (strcmp(picture->texts.items[i].text, text) == 0) return true;
    return false;
}

/* ---- panels ---------------------------------------------------------------------------------------- */

static void series_of_one_unit_share_a_panel(void **state) {
    fixture *f = *state;
    const hbg_draw_series series[] = {{.name = "a", .unit = "V"},  {.name = "b", .unit = "A"},
                                      {.name = "c", .unit = NULL}, {.name = "d", .unit = "V"},
                                      {.name = "e", .unit = ""},   {.name = "f", .unit = "V"}};
    hbg_draw_panel *panels;
    assert_int_equal(hbg_draw_panels_by_unit(&f->arena, series, 6, &panels), 3);
    assert_string_equal(panels[0].unit, "V");
    assert_int_equal(panels[0].series_count, 3);
    assert_string_equal(panels[0].series[0].name, "a");
    assert_string_equal(panels[0].series[1].name, "d");
    assert_string_equal(panels[0].series[2].name, "f");
    assert_string_equal(panels[1].unit, "A");
    assert_int_equal(panels[1].series_count, 1);
    assert_string_equal(panels[2].unit, "");
    assert_int_equal(panels[2].series_count, 2);
    assert_string_equal(panels[2].series[1].name, "e");
    assert_int_equal(hbg_draw_panels_by_unit(&f->arena, NULL, 0, &panels), 0);
}

static void axes_have_units_with_prefixes(void **state) {
    fixture *f = *state;
    hbg_draw_series series[] = {wave(f, "coil.e", "V", 0.012, 0), wave(f, "coil.f", "A", 3e4, 1)};
    for (int i = 0; i < SAMPLES; i++) ((double *)series[0].x)[i] /= 1000;
    for (int i = 0; i < SAMPLES; i++) ((double *)series[1].x)[i] /= 1000;
    picture picture = draw_series(f, series, 2, 800);
    assert_true(has_text(&picture, "mV"));
    assert_true(has_text(&picture, "kA"));
    assert_true(has_text(&picture, "time [ms]"));
    assert_true(has_text(&picture, "coil.e"));
    assert_true(has_text(&picture, "coil.f"));
    assert_true(has_text(&picture, "2.0"));
    assert_true(has_text(&picture, "−10"));
}

static void numbers_stand_at_their_places(void **state) {
    fixture *f = *state;
    const double x[] = {0, 10}, y[] = {0, 100};
    hbg_draw_series series = {.name = "ramp", .unit = "V", .x = x, .y = y, .count = 2};
    picture picture = draw_series(f, &series, 1, 800);
    path_points line = read_path(f, f->out.data, "curve");
    double x0 = line.items[0].x, x1 = line.items[1].x, y0 = line.items[0].y, y1 = line.items[1].y;
    int across = 0, down = 0;
    for (int32_t i = 0; i < picture.texts.count; i++) {
        const text_place *text = &picture.texts.items[i];
        if (strcmp(text->class_name, "number") != 0) continue;
        double number = tick_number(text->text);
        double middle_x = (text->box.left + text->box.right) / 2;
        double baseline = text->box.bottom - 0.22 * 11;
        if (text->box.top > y0) { /* below the panel */
            assert_float_equal(middle_x, x0 + (x1 - x0) * number / 10, 0.1);
            across++;
        } else { /* the middle of a figure is 4 px above its baseline */
            assert_float_equal(baseline - 4, y0 + (y1 - y0) * number / 100, 0.1);
            down++;
        }
    }
    assert_in_range(across, 5, 11);
    assert_in_range(down, 5, 11);
}

/* ---- texts do not touch ---------------------------------------------------------------------------- */

static void any_number_of_series_at_any_width_has_texts_apart(void **state) {
    fixture *f = *state;
    static const int32_t counts[] = {1, 2, 3, 5, 8, 9, 12, 24, 25, 60, 200};
    static const double widths[] = {1, 220, 320, 439, 441, 800, 1600, 5000};
    hbg_draw_series series[200];
    for (int32_t i = 0; i < 200; i++)
        series[i] = wave(f, hbg_base_arena_print(&f->arena, "tank%d.level", i), "m", 1 + i % 3, i % 4);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t k = 0; k < sizeof widths / sizeof *widths; k++)
            draw_series(f, series, counts[i], widths[k]);
}

static void every_name_stands_in_the_figure(void **state) {
    fixture *f = *state;
    hbg_draw_series series[12];
    for (int32_t i = 0; i < 12; i++)
        series[i] = wave(f, hbg_base_arena_print(&f->arena, "tank%d.level", i), "m", 1, 0);
    for (double width = 400; width <= 800; width += 400) {
        picture picture = draw_series(f, series, 12, width);
        for (int32_t i = 0; i < 12; i++) assert_true(has_text(&picture, series[i].name));
    }
}

static void names_stand_at_the_ends_of_their_lines(void **state) {
    fixture *f = *state;
    const double x[] = {0, 1}, up[] = {0, 10}, down[] = {10, 0};
    const hbg_draw_series series[] = {{.name = "up", .unit = "V", .x = x, .y = up, .count = 2},
                                      {.name = "down", .unit = "V", .x = x, .y = down, .count = 2}};
    picture picture = draw_series(f, series, 2, 800);
    for (int32_t k = 0; k < 2; k++) {
        path_points line = read_path(f, f->out.data, k ? "curve line1" : "curve line0");
        double end_x = line.items[1].x, end_y = line.items[1].y;
        for (int32_t i = 0; i < picture.texts.count; i++) {
            const text_place *text = &picture.texts.items[i];
            if (strcmp(text->text, series[k].name) != 0) continue;
            assert_true(text->box.left > end_x && text->box.left < end_x + 30);
            assert_true(text->box.top < end_y && text->box.bottom > end_y);
        }
    }
}

static void many_panels_have_texts_apart(void **state) {
    fixture *f = *state;
    hbg_draw_series series[30];
    for (int32_t i = 0; i < 30; i++)
        series[i] =
            wave(f, "signal", hbg_base_arena_print(&f->arena, "u%c%d", 'a' + i, i), pow(10, i - 15), i);
    for (int32_t count = 1; count <= 30; count++) draw_series(f, series, count, 800);
    hbg_draw_figure_spec spec = hbg_draw_figure_default();
    hbg_draw_panel *panels;
    spec.panel_count = hbg_draw_panels_by_unit(&f->arena, series, 30, &panels);
    spec.panels = panels;
    spec.height = 300; /* far too little */
    picture picture = draw(f, &spec);
    assert_true(picture.height > 300);
}

static void a_height_asked_for_is_kept(void **state) {
    fixture *f = *state;
    hbg_draw_series series[] = {wave(f, "a", "V", 1, 0), wave(f, "b", "A", 1, 0)};
    hbg_draw_figure_spec spec = hbg_draw_figure_default();
    hbg_draw_panel *panels;
    spec.panel_count = hbg_draw_panels_by_unit(&f->arena, series, 2, &panels);
    spec.panels = panels;
    for (spec.height = 240; spec.height <= 1200; spec.height += 80) {
        picture picture = draw(f, &spec);
        assert_float_equal(picture.height, spec.height, 2);
        assert_float_equal(picture.width, 800, 0);
    }
}

static void long_and_hostile_texts_stay_in_the_page(void **state) {
    fixture *f = *state;
    char *longest = hbg_base_arena_alloc(&f->arena, 3001);
    memset(longest, 'W', 3000);
    const char *names[] = {longest, "</text><script>", "\xff\xfe", "", NULL, "line\nend", "😀😀😀"};
    for (int i = 0; i < 7; i++) {
        hbg_draw_series series[] = {wave(f, names[i], names[i], 1, 0), wave(f, "b", names[i], 1, 2)};
        hbg_draw_panel *panels,
            own = {.label = names[i], .unit = names[6 - i], .series = series, .series_count = 2};
        hbg_draw_band band = {0, 1, names[i], i, false};
        hbg_draw_strip strip = {names[6 - i], &band, 1};
        hbg_draw_figure_spec spec = {
            .title = names[i], .x_label = names[i], .x_unit = names[i], .strips = &strip, .strip_count = 1};
        spec.panel_count = hbg_draw_panels_by_unit(&f->arena, series, 2, &panels);
        for (int own_panel = 0; own_panel < 2; own_panel++) {
            spec.panels = own_panel ? &own : panels;
            for (spec.width = 200; spec.width < 1000; spec.width += 300) draw(f, &spec);
        }
    }
}

/* ---- odd data -------------------------------------------------------------------------------------- */

static void nothing_to_show_is_a_figure_too(void **state) {
    fixture *f = *state;
    hbg_draw_figure_spec spec = hbg_draw_figure_default();
    picture picture = draw(f, &spec);
    assert_true(has_text(&picture, "no data"));
    hbg_draw_figure_spec bare = {0};
    draw(f, &bare);
    hbg_draw_series empty = {.name = "empty", .unit = "V"};
    picture = draw_series(f, &empty, 1, 800);
    assert_true(has_text(&picture, "empty (no data)"));
}

static void hostile_numbers_do_no_harm(void **state) {
    fixture *f = *state;
    static const double odd[] = {
        NAN,  INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, 1e308, 5e-324,          -5e-324, 0,
        -0.0, 1,        -1,        1e300,   1e-300,   1e15,  1 + DBL_EPSILON, 1e-9,    3};
    uint64_t seed = 11;
    for (int round = 0; round < 800; round++) {
        double x[6], y[6];
        hbg_draw_point pinnacle = {odd[next_random(&seed) % 18], odd[next_random(&seed) % 18]};
        for (int i = 0; i < 6; i++) {
            x[i] = odd[next_random(&seed) % 18];
            y[i] = odd[next_random(&seed) % 18];
        }
        hbg_draw_series series = {.name = "odd",
                                  .unit = round % 3 ? "V" : "",
                                  .x = x,
                                  .y = y,
                                  .count = next_random(&seed) % 7,
                                  .style = (hbg_draw_style)(round % 3),
                                  .pinnacles = &pinnacle,
                                  .pinnacle_count = round % 2};
        hbg_draw_panel panel = {"", series.unit, &series, 1, round % 5 == 0};
        hbg_draw_band bands[] = {{x[0], x[1], "one", INT32_MIN, true}, {x[1], x[2], "two", INT32_MAX, false}};
        hbg_draw_strip strip = {"modes", bands, 2};
        hbg_draw_figure_spec spec = hbg_draw_figure_default();
        spec.panels = &panel;
        spec.panel_count = 1;
        spec.strips = &strip;
        spec.strip_count = round % 2;
        spec.x_logarithmic = round % 7 == 0;
        spec.width = round % 11 ? 500 : odd[next_random(&seed) % 18];
        spec.height = round % 13 ? 0 : odd[next_random(&seed) % 18];
        draw(f, &spec);
        assert_null(strstr(f->out.data, "nan"));
        assert_null(strstr(f->out.data, "inf"));
    }
}

static void a_bode_plot_has_two_panels_over_powers_of_ten(void **state) {
    fixture *f = *state;
    double w[SAMPLES], magnitude[SAMPLES], phase[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        w[i] = pow(10, -1 + 6.0 * i / (SAMPLES - 1));
        magnitude[i] = -10 * log10(1 + w[i] * w[i] / 1e4);
        phase[i] = -atan(w[i] / 100) * 57.29577951308232;
    }
    hbg_draw_series a = {.name = "y", .x = w, .y = magnitude, .count = SAMPLES};
    hbg_draw_series b = {.name = "y", .x = w, .y = phase, .count = SAMPLES};
    hbg_draw_panel panels[] = {{"magnitude", "dB", &a, 1, false}, {"phase", "deg", &b, 1, false}};
    hbg_draw_figure_spec spec = {.x_label = "angular frequency",
                                 .x_unit = "rad/s",
                                 .x_logarithmic = true,
                                 .panels = panels,
                                 .panel_count = 2};
    picture picture = draw(f, &spec);
    assert_true(has_text(&picture, "magnitude [dB]"));
    assert_true(has_text(&picture, "phase [°]"));
    assert_true(has_text(&picture, "angular frequency [rad/s]"));
    assert_true(has_text(&picture, "10⁻¹") && has_text(&picture, "10⁵"));
    assert_true(has_text(&picture, "−45") && has_text(&picture, "−90"));
}

static void numbers_at_the_ends_of_an_axis_stay_in_the_page(void **state) {
    fixture *f = *state;
    const double x[] = {1e-12, 5e-11}, y[] = {0, 1};
    // a name too long to stand beside the panel, which would leave room there
    const char *name = "admittance of the load as the source sees it through the line";
    hbg_draw_series series = {.name = name, .x = x, .y = y, .count = 2};
    hbg_draw_panel panel = {"", "", &series, 1, false};
    hbg_draw_figure_spec spec = {.x_logarithmic = true, .panels = &panel, .panel_count = 1, .width = 1000};
    picture picture = draw(f, &spec);
    assert_true(has_text(&picture, "5·10⁻¹¹"));
}

/* A figure of one panel below one strip. */
static hbg_draw_figure_spec one_strip(const hbg_draw_panel *panel, const hbg_draw_strip *strip) {
    hbg_draw_figure_spec spec = hbg_draw_figure_default();
    spec.panels = panel;
    spec.panel_count = 1;
    spec.strips = strip;
    spec.strip_count = 1;
    return spec;
}

/* ---- modes ----------------------------------------------------------------------------------------- */

static void bands_have_names_inside_or_in_a_key(void **state) {
    fixture *f = *state;
    hbg_draw_series series = wave(f, "ball.v", "m/s", 1, 0);
    const hbg_draw_band bands[] = {
        {0, 1, "flying", 1, false}, {1, 1, "contact", 2, true}, {1, 2, "resting", 3, true}};
    const hbg_draw_strip strip = {"ground", bands, 3};
    hbg_draw_panel panel = {NULL, "m/s", &series, 1, false};
    hbg_draw_figure_spec spec = one_strip(&panel, &strip);
    for (spec.width = 300; spec.width <= 900; spec.width += 300) {
        picture picture = draw(f, &spec);
        assert_true(has_text(&picture, "flying") && has_text(&picture, "contact"));
        assert_true(has_text(&picture, "resting") && has_text(&picture, "ground"));
        assert_int_equal(count_of(f->out.data, "class=\"band1\""), 1);
        assert_int_equal(count_of(f->out.data, "class=\"strong2\""), 2); /* its band and the key */
        assert_int_equal(count_of(f->out.data, "class=\"change\""), 1);
    }
}

static void a_state_that_is_on_is_not_taken_for_one_that_is_off(void **state) {
    fixture *f = *state;
    hbg_draw_series series = wave(f, "u", "V", 1, 0);
    const hbg_draw_band bands[] = {
        {0, 1, "off_", 0, false}, {1, 1.0001, "on_", 0, true}, {1.0001, 2, "off_", 0, false}};
    const hbg_draw_strip strip = {"switch", bands, 3};
    hbg_draw_panel panel = {NULL, "V", &series, 1, false};
    hbg_draw_figure_spec spec = one_strip(&panel, &strip);
    picture picture = draw(f, &spec);
    assert_true(has_text(&picture, "on_")); /* in the key: the band is too narrow */
    assert_int_equal(count_of(f->out.data, "class=\"band0\""), 2);
    assert_int_equal(count_of(f->out.data, "class=\"strong0\""), 2);
}

static void modes_that_change_a_hundred_thousand_times_make_a_small_picture(void **state) {
    fixture *f = *state;
    hbg_draw_series series = wave(f, "u", "V", 1, 0);
    hbg_draw_band *bands = HBG_NEW_ARRAY(&f->arena, hbg_draw_band, 100000);
    for (int32_t i = 0; i < 100000; i++)
        bands[i] = (hbg_draw_band){i * 2e-5, (i + 1) * 2e-5, i % 2 ? "on" : "off", 0, i % 2 != 0};
    const hbg_draw_strip strip = {"switch", bands, 100000};
    hbg_draw_panel panel = {NULL, "V", &series, 1, false};
    hbg_draw_figure_spec spec = one_strip(&panel, &strip);
    picture picture = draw(f, &spec);
    assert_true(f->out.size < 20000);
    assert_int_equal(count_of(f->out.data, "class=\"strong0 share4\""),
                     2); // half of the time; and in the key
    assert_int_equal(count_of(f->out.data, "class=\"change\""), 0);
    assert_true(has_text(&picture, "on") && has_text(&picture, "off"));
    assert_true(has_text(&picture, "changes too close to tell apart, shaded by the share of time"));
}

/* Pulses of a period of 1.5 px or so: what is on for 98 % of the time must not be hidden by the gaps. */
static void fast_pulses_are_shaded_by_their_share_of_time(void **state) {
    fixture *f = *state;
    hbg_draw_series series = wave(f, "u", "V", 1, 0);
    static const struct {
        double duty;
        const char *look;
    } cases[] = {{0.98, "class=\"strong0 share7\""},
                 {0.75, "class=\"strong0 share6\""},
                 {0.02, "class=\"strong0 share1\""}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        hbg_draw_band *bands = HBG_NEW_ARRAY(&f->arena, hbg_draw_band, 1200);
        for (int32_t i = 0; i < 600; i++) {
            double from = i / 300.0, off = from + cases[n].duty / 300;
            bands[2 * i] = (hbg_draw_band){from, off, "on", 0, true};
            bands[2 * i + 1] = (hbg_draw_band){off, (i + 1) / 300.0, "off", 0, false};
        }
        const hbg_draw_strip strip = {"switch", bands, 1200};
        hbg_draw_panel panel = {NULL, "V", &series, 1, false};
        hbg_draw_figure_spec spec = one_strip(&panel, &strip);
        draw(f, &spec);
        assert_true(f->out.size < 60000);
        assert_true(count_of(f->out.data, cases[n].look) > 0);
        int widened = count_of(f->out.data, cases[n].duty > 0.5 ? "class=\"band0\"" : "class=\"strong0\"");
        assert_true(widened <= 3); // what is below the stretch, in the key, and at an end
    }
}

/* A run that ended at 2 of 8: a line in both panels, its words, and an axis that goes on. */
static void a_mark_goes_through_all_panels_and_says_why(void **state) {
    fixture *f = *state;
    hbg_draw_series series[] = {wave(f, "u", "V", 1, 0), wave(f, "i", "A", 1, 0)};
    hbg_draw_panel panels[] = {{NULL, "V", &series[0], 1, false}, {NULL, "A", &series[1], 1, false}};
    hbg_draw_figure_spec spec = hbg_draw_figure_default();
    spec.panels = panels;
    spec.panel_count = 2;
    spec.mark = "verdict: zeno";
    spec.mark_at = 2;
    spec.mark_to = 8;
    for (int round = 0; round < 2; round++) {
        picture picture = draw(f, &spec);
        assert_true(has_text(&picture, "verdict: zeno"));
        assert_int_equal(count_of(f->out.data, "class=\"mark\""), 2);
        const char *words = strstr(f->out.data, "class=\"why\"");
        assert_non_null(words); // in front of the line where there is no room behind it
        assert_int_equal(strstr(words, "text-anchor=\"end\"") < strchr(words, '>') &&
                             strstr(words, "text-anchor=\"end\"") != NULL,
                         round);
        spec.mark_to = 2;
    }
    spec.mark = NULL;
    draw(f, &spec);
    assert_int_equal(count_of(f->out.data, "class=\"mark\""), 0);
}

/* ---- lines on one another ---------------------------------------------------------------------------- */

static void a_line_under_another_is_wider(void **state) {
    fixture *f = *state;
    double x[101], y[4][101];
    for (int i = 0; i <= 100; i++) {
        x[i] = i;
        y[0][i] = i < 50 ? 0 : i - 50; /* on the second for the first half */
        y[1][i] = 0;
        y[2][i] = 30 + i % 3;
        y[3][i] = 0; /* on the second all the time */
    }
    hbg_draw_series series[4];
    for (int i = 0; i < 4; i++)
        series[i] = (hbg_draw_series){.name = "a", .unit = "V", .x = x, .y = y[i], .count = 101};
    hbg_draw_panel panel = {NULL, "V", series, 4, false};
    hbg_draw_figure_spec spec = hbg_draw_figure_default();
    spec.panels = &panel;
    spec.panel_count = 1;
    draw(f, &spec);
    assert_int_equal(count_of(f->out.data, "class=\"curve line0 dash0 wide2\""), 1);
    assert_int_equal(count_of(f->out.data, "class=\"curve line1 dash0 wide1\""), 1);
    assert_int_equal(count_of(f->out.data, " wide"), 2); /* the third lies on none, the last on top */
    panel.series_count = 1;
    draw(f, &spec);
    assert_int_equal(count_of(f->out.data, " wide"), 0);
}

/* ---- colours --------------------------------------------------------------------------------------- */

typedef struct {
    double r, g, b;
} colour;

/* Of a rule of the style, linear. */
static colour rule_colour(const char *svg, const char *rule) {
    const char *at = strstr(svg, rule);
    assert_non_null(at);
    unsigned long hex = strtoul(at + strlen(rule), NULL, 16);
    double parts[3] = {(double)(hex >> 16 & 255), (double)(hex >> 8 & 255), (double)(hex & 255)};
    for (int i = 0; i < 3; i++)
        parts[i] = parts[i] <= 10 ? parts[i] / 255 / 12.92 : pow((parts[i] / 255 + 0.055) / 1.055, 2.4);
    return (colour){parts[0], parts[1], parts[2]};
}

static colour style_colour(const char *svg, int look) {
    char rule[40];
    snprintf(rule, sizeof rule, ".line%d{stroke:#", look);
    return rule_colour(svg, rule);
}

static colour class_colour(const char *svg, const char *name, int look) {
    char rule[40];
    snprintf(rule, sizeof rule, ".%s%d{fill:#", name, look);
    return rule_colour(svg, rule);
}

static double cube(double t) {
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* Distance of two colours in CIELAB, D65. */
static double distance(colour p, colour q) {
    double lab[2][3];
    const colour both[2] = {p, q};
    for (int i = 0; i < 2; i++) {
        colour c = both[i];
        double x = cube((0.4124 * c.r + 0.3576 * c.g + 0.1805 * c.b) / 0.9505);
        double y = cube(0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b);
        double z = cube((0.0193 * c.r + 0.1192 * c.g + 0.9505 * c.b) / 1.089);
        lab[i][0] = 116 * y - 16;
        lab[i][1] = 500 * (x - y);
        lab[i][2] = 200 * (y - z);
    }
    return sqrt(pow(lab[0][0] - lab[1][0], 2) + pow(lab[0][1] - lab[1][1], 2) +
                pow(lab[0][2] - lab[1][2], 2));
}

/* What eyes without one kind of cones see, after Machado, Oliveira and Fernandes (2009). */
static colour seen(colour c, int lacking) {
    static const double m[4][9] = {
        {1, 0, 0, 0, 1, 0, 0, 0, 1},
        {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
        {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
        {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}};
    double out[3];
    for (int i = 0; i < 3; i++) {
        const double *row = &m[lacking][3 * i];
        out[i] = fmax(0, fmin(row[0] * c.r + row[1] * c.g + row[2] * c.b, 1));
    }
    return (colour){out[0], out[1], out[2]};
}

/* Black 0, white 100. */
static double lightness(colour c) {
    return 116 * cube(0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b) - 16;
}

static void what_is_on_is_darker_than_what_is_off_and_modes_differ(void **state) {
    fixture *f = *state;
    hbg_draw_figure_spec spec = hbg_draw_figure_default();
    draw(f, &spec);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++) {
            colour on = class_colour(f->out.data, "strong", i), off = class_colour(f->out.data, "band", k);
            assert_true(lightness(off) - lightness(on) > 10); /* of 100 */
            if (i == k) continue;
            assert_true(distance(on, class_colour(f->out.data, "strong", k)) > 10);
            assert_true(distance(off, class_colour(f->out.data, "band", i)) > 5);
        }
}

static void colours_can_be_told_apart_by_all_eyes(void **state) {
    fixture *f = *state;
    hbg_draw_figure_spec spec = hbg_draw_figure_default();
    draw(f, &spec);
    for (int lacking = 0; lacking < 4; lacking++)
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < i; k++)
                assert_true(distance(seen(style_colour(f->out.data, i), lacking),
                                     seen(style_colour(f->out.data, k), lacking)) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(series_of_one_unit_share_a_panel, setup, teardown),
        cmocka_unit_test_setup_teardown(axes_have_units_with_prefixes, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_stand_at_their_places, setup, teardown),
        cmocka_unit_test_setup_teardown(any_number_of_series_at_any_width_has_texts_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(every_name_stands_in_the_figure, setup, teardown),
        cmocka_unit_test_setup_teardown(names_stand_at_the_ends_of_their_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(many_panels_have_texts_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(a_height_asked_for_is_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(long_and_hostile_texts_stay_in_the_page, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_to_show_is_a_figure_too, setup, teardown),
        cmocka_unit_test_setup_teardown(hostile_numbers_do_no_harm, setup, teardown),
        cmocka_unit_test_setup_teardown(a_bode_plot_has_two_panels_over_powers_of_ten, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_at_the_ends_of_an_axis_stay_in_the_page, setup, teardown),
        cmocka_unit_test_setup_teardown(bands_have_names_inside_or_in_a_key, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_on_is_darker_than_what_is_off_and_modes_differ, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_state_that_is_on_is_not_taken_for_one_that_is_off, setup, teardown),
        cmocka_unit_test_setup_teardown(a_line_under_another_is_wider, setup, teardown),
        cmocka_unit_test_setup_teardown(a_mark_goes_through_all_panels_and_says_why, setup, teardown),
        cmocka_unit_test_setup_teardown(fast_pulses_are_shaded_by_their_share_of_time, setup, teardown),
        cmocka_unit_test_setup_teardown(modes_that_change_a_hundred_thousand_times_make_a_small_picture,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(colours_can_be_told_apart_by_all_eyes, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
