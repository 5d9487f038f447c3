/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Curves: few points with all extremes, jumps that are vertical, gaps that are gaps. The axes of most tests
 * are 100 px a unit across and 10 px a unit upwards from y = 200, so that places can be told by hand. */
#include "draw/plot_picture_impl.h"

#include <math.h>

#define MOST_A_COLUMN 12 /* four a piece, two breaks */

typedef struct {
    hbg_draw_axis x, y;
    hbg_draw_curve curve;
} stage;

static stage make_stage(double x_high, double y_low, double y_high) {
    stage stage;
    hbg_draw_axis_begin(&stage.x, "s", false);
    hbg_draw_axis_begin(&stage.y, "V", false);
    hbg_draw_axis_include(&stage.x, 0);
    hbg_draw_axis_include(&stage.x, x_high);
    hbg_draw_axis_include(&stage.y, y_low);
    hbg_draw_axis_include(&stage.y, y_high);
    hbg_draw_axis_settle(&stage.x, 0);
    hbg_draw_axis_settle(&stage.y, 0);
    return stage;
}

static const char *paint(fixture *f, stage *stage, const hbg_draw_series *series, double width) {
    hbg_draw_axis_span(&stage->x, 0, width);
    hbg_draw_axis_span(&stage->y, 200, 0);
    stage->curve = (hbg_draw_curve){&stage->x, &stage->y, {0, 0, width, 200}, {0, 0}, NULL};
    hbg_base_buffer_init(&f->out, &f->arena);
    hbg_draw_curve_paint(&f->out, &stage->curve, series, "line0");
    return f->out.data;
}

/* The series over 0…4 s and 0…20 V, on 400 by 200 px. */
static const char *paint_plain(fixture *f, const double *x, const double *y, int64_t count,
                               hbg_draw_style style) {
    stage stage = make_stage(4, 0, 20);
    return paint(f, &stage, &(hbg_draw_series){.name = "a", .x = x, .y = y, .count = count, .style = style},
                 400);
}

static void a_line_is_where_its_samples_are(void **state) {
    fixture *f = *state;
    const double x[] = {0, 1, 2.5, 4}, y[] = {0, 10, 20, 5};
    assert_string_equal(paint_plain(f, x, y, 4, HBG_DRAW_LINES),
                        "<path class=\"curve line0\" d=\"M0 200L100 100L250 0L400 150\"/>\n");
}

static void steps_hold_their_values(void **state) {
    fixture *f = *state;
    const double x[] = {0, 1, 3}, y[] = {0, 10, 5};
    assert_string_equal(paint_plain(f, x, y, 3, HBG_DRAW_STEPS),
                        "<path class=\"curve line0\" d=\"M0 200L100 200L100 100L300 100L300 150\"/>\n");
}

static void a_jump_is_vertical_and_not_part_of_the_line(void **state) {
    fixture *f = *state;
    const double x[] = {0, 1, 1, 4}, y[] = {2, 2, 12, 12};
    assert_string_equal(paint_plain(f, x, y, 4, HBG_DRAW_LINES),
                        "<path class=\"jump line0\" d=\"M100 180L100 80\"/>\n"
                        "<path class=\"curve line0\" d=\"M0 180L100 180M100 80L400 80\"/>\n");
}

static void an_instant_without_change_is_no_jump(void **state) {
    fixture *f = *state;
    const double x[] = {0, 1, 1, 1, 4}, y[] = {2, 2, 2, 2, 12};
    assert_string_equal(paint_plain(f, x, y, 5, HBG_DRAW_LINES),
                        "<path class=\"curve line0\" d=\"M0 180L100 180L400 80\"/>\n");
}

static void a_value_of_one_instant_is_a_ring(void **state) {
    fixture *f = *state;
    const double x[] = {0, 1, 1, 1, 4}, y[] = {2, 2, 20, 12, 12};
    assert_string_equal(paint_plain(f, x, y, 5, HBG_DRAW_LINES),
                        "<path class=\"jump line0\" d=\"M100 180L100 0M100 0L100 80\"/>\n"
                        "<path class=\"curve line0\" d=\"M0 180L100 180M100 80L400 80\"/>\n"
                        "<circle class=\"ring line0\" cx=\"100\" cy=\"0\" r=\"3\"/>\n");
}

static void a_value_that_stays_behind_its_instant_is_a_ring_too(void **state) {
    fixture *f = *state;
    const double x[] = {0, 1, 1, 1, 1, 4}, y[] = {2, 2, 2, 12, 12, 12}; // the second is where the first is
    assert_string_equal(paint_plain(f, x, y, 6, HBG_DRAW_LINES),
                        "<path class=\"jump line0\" d=\"M100 180L100 80\"/>\n"
                        "<path class=\"curve line0\" d=\"M0 180L100 180M100 80L400 80\"/>\n"
                        "<circle class=\"ring line0\" cx=\"100\" cy=\"80\" r=\"3\"/>\n");
}

static void rings_that_are_told_are_the_only_ones(void **state) {
    fixture *f = *state;
    stage stage = make_stage(4, 0, 20);
    const double x[] = {0, 1, 1, 1, 4}, y[] = {2, 2, 20, 12, 12};
    const hbg_draw_point none = {0, 0};
    hbg_draw_series series = {.x = x, .y = y, .count = 5, .pinnacles = &none};
    assert_null(strstr(paint(f, &stage, &series, 400), "circle"));
}

static void a_smooth_line_has_few_points_and_is_nowhere_far_from_its_samples(void **state) {
    fixture *f = *state;
    static double x[4001], y[4001];
    for (int i = 0; i <= 4000; i++) {
        x[i] = i / 1000.0;
        y[i] = 10 + 9 * sin(2 * x[i]);
    }
    path_points points = read_path(f, paint_plain(f, x, y, 4001, HBG_DRAW_LINES), "curve");
    assert_in_range(points.count, 20, 200); // of 4001
    int32_t next = 1;
    for (int i = 0; i <= 4000; i++) {
        double px = 100 * x[i], py = 200 - 10 * y[i];
        while (next + 1 < points.count && points.items[next].x < px) next++;
        path_point a = points.items[next - 1], b = points.items[next];
        double drawn = a.y + (b.y - a.y) * (px - a.x) / (b.x - a.x);
        if (!(fabs(drawn - py) < 0.3)) fail_msg("%g px beside it at %g", drawn - py, px);
    }
}

static void what_is_no_number_breaks_the_line(void **state) {
    fixture *f = *state;
    const double x[] = {0, 1, 2, 3, 4}, y[] = {2, 2, NAN, 4, 4};
    assert_string_equal(paint_plain(f, x, y, 5, HBG_DRAW_LINES),
                        "<path class=\"curve line0\" d=\"M0 180L100 180M300 160L400 160\"/>\n");
    const double infinite[] = {2, 2, -INFINITY, 4, 4};
    paint_plain(f, x, infinite, 5, HBG_DRAW_LINES);
    assert_non_null(strstr(f->out.data, "L100 180M300 160"));
}

static void a_single_sample_is_a_dot(void **state) {
    fixture *f = *state;
    const double x[] = {0, 1, 2}, y[] = {NAN, 10, NAN};
    assert_string_equal(paint_plain(f, x, y, 3, HBG_DRAW_LINES),
                        "<path class=\"dots line0\" d=\"M100 100h0\"/>\n");
    assert_string_equal(paint_plain(f, x, y, 0, HBG_DRAW_LINES), "");
    assert_string_equal(paint_plain(f, x, y, 1, HBG_DRAW_LINES), "");
}

static void samples_that_go_back_are_left_out(void **state) {
    fixture *f = *state;
    const double x[] = {0, 2, 1, 0.5, 4}, y[] = {0, 10, 20, 20, 10};
    assert_string_equal(paint_plain(f, x, y, 5, HBG_DRAW_LINES),
                        "<path class=\"curve line0\" d=\"M0 200L200 100L400 100\"/>\n");
}

static void the_last_sample_is_where_the_name_goes(void **state) {
    fixture *f = *state;
    const double x[] = {0, 1, 2}, y[] = {0, 10, NAN};
    stage stage = make_stage(4, 0, 20);
    paint(f, &stage, &(hbg_draw_series){.x = x, .y = y, .count = 3}, 400);
    assert_float_equal(stage.curve.last.x, 100, 1e-9);
    assert_float_equal(stage.curve.last.y, 100, 1e-9);
    paint(f, &stage, &(hbg_draw_series){.x = x, .y = y, .count = 0}, 400);
    assert_true(isnan(stage.curve.last.x));
}

/* ---- many samples ----------------------------------------------------------------------------------- */

#define MANY 1000000

typedef struct {
    double x[MANY], y[MANY];
} samples;

static samples *make_samples(fixture *f, uint64_t seed) {
    samples *s = HBG_NEW(&f->arena, samples);
    for (int32_t i = 0; i < MANY; i++) {
        s->x[i] = 4.0 * i / (MANY - 1);
        s->y[i] = random_between(&seed, 5, 15);
    }
    return s;
}

static void a_peak_of_one_sample_among_a_million_is_seen(void **state) {
    fixture *f = *state;
    samples *s = make_samples(f, 1);
    s->y[345678] = 20;
    s->y[800001] = 0;
    path_points points = read_path(f, paint_plain(f, s->x, s->y, MANY, HBG_DRAW_LINES), "curve");
    bool top = false, bottom = false;
    for (int32_t i = 0; i < points.count; i++) {
        if (points.items[i].y == 0) top = fabs(points.items[i].x - 345678e-6 * 400) < 0.1;
        if (points.items[i].y == 200) bottom = fabs(points.items[i].x - 800001e-6 * 400) < 0.1;
    }
    assert_true(top && bottom);
}

typedef struct {
    double first, last, low, high;
    int32_t count;
} column;

static void gather(column *columns, double x, double y) {
    column *c = &columns[(int)floor(x)];
    if (c->count++ == 0) *c = (column){y, y, y, y, 1};
    c->last = y;
    c->low = fmin(c->low, y);
    c->high = fmax(c->high, y);
}

static void every_column_keeps_first_last_lowest_and_highest(void **state) {
    fixture *f = *state;
    samples *s = make_samples(f, 2);
    // samples in the middles of tenths of a pixel: rounding to hundredths does not carry one into the next column
    for (int32_t i = 0; i < MANY; i++) s->x[i] = (floor(s->x[i] * 999.9) + 0.5) / 1000 + i * 1e-13;
    static column data[401], drawn[401];
    memset(data, 0, sizeof data);
    memset(drawn, 0, sizeof drawn);
    path_points points = read_path(f, paint_plain(f, s->x, s->y, MANY, HBG_DRAW_LINES), "curve");
    for (int32_t i = 0; i < MANY; i++) gather(data, s->x[i] * 100, 200 - s->y[i] * 10);
    for (int32_t i = 0; i < points.count; i++) gather(drawn, points.items[i].x, points.items[i].y);
    for (int i = 0; i < 400; i++) {
        assert_in_range(drawn[i].count, 2, 4);
        assert_float_equal(drawn[i].first, data[i].first, 0.0051);
        assert_float_equal(drawn[i].last, data[i].last, 0.0051);
        assert_float_equal(drawn[i].low, data[i].low, 0.0051);
        assert_float_equal(drawn[i].high, data[i].high, 0.0051);
    }
}

static void assert_small(fixture *f, const samples *s, hbg_draw_style style) {
    paint_plain(f, s->x, s->y, MANY, style);
    assert_true(f->out.size < 200000);
    path_points points = read_path(f, f->out.data, "curve");
    static column drawn[401];
    memset(drawn, 0, sizeof drawn);
    for (int32_t i = 0; i < points.count; i++) gather(drawn, points.items[i].x, points.items[i].y);
    /* rounding can carry the points of one column into the next */
    for (int i = 0; i < 400; i++) assert_in_range(drawn[i].count, 0, 2 * MOST_A_COLUMN);
}

static void a_million_samples_of_any_kind_make_a_small_picture(void **state) {
    fixture *f = *state;
    samples *s = make_samples(f, 3);
    assert_small(f, s, HBG_DRAW_STEPS);
    assert_small(f, s, HBG_DRAW_POINTS);
    // a jump at every second sample
    for (int32_t i = 1; i < MANY; i += 2) s->x[i] = s->x[i - 1];
    assert_small(f, s, HBG_DRAW_LINES);
    // a gap at every third
    for (int32_t i = 0; i < MANY; i += 3) s->y[i] = NAN;
    assert_small(f, s, HBG_DRAW_LINES);
    // all at one instant
    for (int32_t i = 0; i < MANY; i++) s->x[i] = 2;
    assert_small(f, s, HBG_DRAW_LINES);
    // back and forth
    for (int32_t i = 0; i < MANY; i++) s->x[i] = i % 2 ? 1 : 3;
    assert_small(f, s, HBG_DRAW_LINES);
}

static void a_level_line_of_a_million_samples_has_two_points(void **state) {
    fixture *f = *state;
    samples *s = make_samples(f, 4);
    for (int32_t i = 0; i < MANY; i++) s->y[i] = 10;
    assert_string_equal(paint_plain(f, s->x, s->y, MANY, HBG_DRAW_LINES),
                        "<path class=\"curve line0\" d=\"M0 100L400 100\"/>\n");
}

static void pinnacles_are_rings_and_few(void **state) {
    fixture *f = *state;
    stage stage = make_stage(4, 0, 20);
    hbg_draw_point *at = HBG_NEW_ARRAY(&f->arena, hbg_draw_point, 100000);
    for (int32_t i = 0; i < 100000; i++) at[i] = (hbg_draw_point){2, 10};
    at[7] = (hbg_draw_point){NAN, 1};
    at[8] = (hbg_draw_point){3, INFINITY};
    at[9] = (hbg_draw_point){1, 20};
    hbg_draw_series series = {.pinnacles = at, .pinnacle_count = 100000};
    assert_string_equal(paint(f, &stage, &series, 400),
                        "<circle class=\"ring line0\" cx=\"200\" cy=\"100\" r=\"3\"/>\n"
                        "<circle class=\"ring line0\" cx=\"100\" cy=\"0\" r=\"3\"/>\n");
}

/* Two curves with a ring at one place: the second goes around the first, and does not hide it. */
static void a_ring_where_another_is_goes_around_it(void **state) {
    fixture *f = *state;
    const double x[] = {0, 2, 2, 2, 4}, y[] = {0, 0, 10, 5, 5};
    hbg_draw_series series = {.name = "a", .x = x, .y = y, .count = 5};
    stage stage = make_stage(4, 0, 20);
    assert_non_null(strstr(paint(f, &stage, &series, 400), "class=\"ring line0\""));
    hbg_draw_curve_paint(&f->out, &stage.curve, &series, "line1");
    assert_non_null(strstr(f->out.data, "class=\"ring line1\" style=\"fill:none\""));
    assert_non_null(strstr(f->out.data, "r=\"5.5\""));
}

/* A sine of 80 px over waves of 200 px turns by at most 80*(2*pi/200)^2 = 0.079 rad a pixel. A chord that is nowhere 0.02 px beside it is
 * at most 1.43 px long, and two of them meet at 0.113 rad at most; places to 0.01 px add 2*0.007/1.43 = 0.01 each. With places to 0.1 px
 * corners of three times that were seen at four times the size. */
static void a_curve_has_no_corners_at_four_times_the_size(void **state) {
    fixture *f = *state;
    enum { COUNT = 1600 };
    double *x = HBG_NEW_ARRAY(&f->arena, double, COUNT), *y = HBG_NEW_ARRAY(&f->arena, double, COUNT);
    for (int i = 0; i < COUNT; i++)
        x[i] = 4.0 * i / (COUNT - 1), y[i] = 10 + 8 * sin(2 * 3.14159265358979 * x[i] / 2);
    const char *at = strstr(paint_plain(f, x, y, COUNT, HBG_DRAW_LINES), "d=\"M") + 4;
    double place[2], before[2] = {0, 0}, direction = 0, sharpest = 0, farthest = 0;
    int points = 0;
    for (int size; sscanf(at, "%lf %lf%n", &place[0], &place[1], &size) == 2; points++) {
        farthest = fmax(farthest, fabs(place[1] - (100 - 80 * sin(2 * 3.14159265358979 * place[0] / 200))));
        double now = atan2(place[1] - before[1], place[0] - before[0]);
        if (points > 1) sharpest = fmax(sharpest, fabs(now - direction));
        direction = now, before[0] = place[0], before[1] = place[1];
        at += size;
        if (*at++ != 'L') break;
    }
    assert_true(points > 200 && points < COUNT);
    assert_true(sharpest < 0.15);
    assert_true(farthest < 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_line_is_where_its_samples_are, setup, teardown),
        cmocka_unit_test_setup_teardown(a_ring_where_another_is_goes_around_it, setup, teardown),
        cmocka_unit_test_setup_teardown(steps_hold_their_values, setup, teardown),
        cmocka_unit_test_setup_teardown(a_jump_is_vertical_and_not_part_of_the_line, setup, teardown),
        cmocka_unit_test_setup_teardown(an_instant_without_change_is_no_jump, setup, teardown),
        cmocka_unit_test_setup_teardown(a_value_of_one_instant_is_a_ring, setup, teardown),
        cmocka_unit_test_setup_teardown(a_value_that_stays_behind_its_instant_is_a_ring_too, setup, teardown),
        cmocka_unit_test_setup_teardown(rings_that_are_told_are_the_only_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(a_smooth_line_has_few_points_and_is_nowhere_far_from_its_samples,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_curve_has_no_corners_at_four_times_the_size, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_number_breaks_the_line, setup, teardown),
        cmocka_unit_test_setup_teardown(a_single_sample_is_a_dot, setup, teardown),
        cmocka_unit_test_setup_teardown(samples_that_go_back_are_left_out, setup, teardown),
        cmocka_unit_test_setup_teardown(the_last_sample_is_where_the_name_goes, setup, teardown),
        cmocka_unit_test_setup_teardown(a_peak_of_one_sample_among_a_million_is_seen, setup, teardown),
        cmocka_unit_test_setup_teardown(every_column_keeps_first_last_lowest_and_highest, setup, teardown),
        cmocka_unit_test_setup_teardown(a_million_samples_of_any_kind_make_a_small_picture, setup, teardown),
        cmocka_unit_test_setup_teardown(a_level_line_of_a_million_samples_has_two_points, setup, teardown),
        cmocka_unit_test_setup_teardown(pinnacles_are_rings_and_few, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
