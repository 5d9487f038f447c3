/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Maps: a point is where its values say; areas cover what they are of and nothing else, with few points; any names and ranges give
 * a well-formed picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/draw.h"
#include "support/xml.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_buffer out;
    hbg_draw_map map;
} fixture;

static const char *const classes[] = {"", "one", "two"};

static int setup(void **state) {
    static fixture f;
    f = (fixture){0};
    hbg_base_arena_init(&f.arena, &f.memory);
    hbg_base_buffer_init(&f.out, &f.arena);
    f.map = (hbg_draw_map){
        .box = {100, 50, 300, 150}, .name = "a=b", .x = {"x", "m", -2, 2}, .y = {"y", "", 0, 10}};
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hbg_base_arena_fini(&f->arena);
    return f->memory.used == 0 ? 0 : -1;
}

/* How many polygons of the class a place is inside of. */
static int covers(const char *svg, const char *class_name, double x, double y) {
    char wanted[40];
    int count = 0;
    snprintf(wanted, sizeof wanted, "<path class=\"%s\" d=\"", class_name);
    for (const char *at = svg; (at = strstr(at, wanted));) {
        hbg_draw_point last = {0, 0};
        bool inside = false, first = true;
        at += strlen(wanted);
        while (*at == 'M' || *at == 'L') {
            char *end;
            hbg_draw_point now = {strtod(at + 1, &end), 0};
            now.y = strtod(end, &end);
            at = end;
            if (!first && (last.y > y) != (now.y > y) &&
                x < last.x + (y - last.y) / (now.y - last.y) * (now.x - last.x))
                inside = !inside;
            last = now;
            first = false;
        }
        count += inside;
    }
    return count;
}

static int count_of(const char *text, const char *what) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, what)); at++) count++;
    return count;
}

static void a_point_is_where_its_values_are(void **state) {
    fixture *f = *state;
    hbg_draw_point at = hbg_draw_map_place(&f->map, -2, 0);
    assert_true(at.x == 100 && at.y == 150);
    at = hbg_draw_map_place(&f->map, 1, 7.5);
    assert_true(at.x == 250 && at.y == 75);
}

static int32_t half(void *context, double x, double y) {
    (void)context;
    return y > 5 + 2 * x ? 1 : 0;
}

/* One band above the slanted border, one where it is cut by the frame: few points, whatever the resolution. */
static void a_straight_border_has_few_points(void **state) {
    fixture *f = *state;
    hbg_draw_map_areas(&f->arena, &f->out, &f->map, half, NULL, classes);
    assert_true(count_of(f->out.data, "<path") <= 3);
    assert_true(count_of(f->out.data, "L") <= 12);
    for (double x = -1.9; x < 2; x += 0.23)
        for (double y = 0.1; y < 10; y += 0.53) {
            hbg_draw_point at = hbg_draw_map_place(&f->map, x, y);
            if (fabs(y - 5 - 2 * x) < 0.05) continue;
            assert_int_equal(covers(f->out.data, "one", at.x, at.y), half(NULL, x, y));
        }
}

/* A ring: its outside, the ring and the disc in it follow one another on a line in several ways. */
static int32_t ring(void *context, double x, double y) {
    (void)context;
    double r = hypot(x, (y - 5) / 2.5);
    return r > 1.6 ? 0 : r > 0.7 ? 1 : 2;
}

static void areas_cover_what_they_are_of_and_nothing_else(void **state) {
    fixture *f = *state;
    hbg_draw_map_areas(&f->arena, &f->out, &f->map, ring, NULL, classes);
    for (double x = -1.95; x < 2; x += 0.17)
        for (double y = 0.07; y < 10; y += 0.37) {
            hbg_draw_point at = hbg_draw_map_place(&f->map, x, y);
            double r = hypot(x, (y - 5) / 2.5);
            if (fabs(r - 1.6) < 0.02 || fabs(r - 0.7) < 0.02) continue;
            assert_int_equal(covers(f->out.data, "one", at.x, at.y), ring(NULL, x, y) == 1);
            assert_int_equal(covers(f->out.data, "two", at.x, at.y), ring(NULL, x, y) == 2);
        }
}

/* The same kinds from left to right, above and below: the border between them has a step. */
static int32_t step(void *context, double x, double y) {
    (void)context;
    return x < (y > 6.2 ? -1 : 0.5) ? 1 : 0;
}

static void a_step_of_a_border_is_a_right_angle(void **state) {
    fixture *f = *state;
    hbg_draw_map_areas(&f->arena, &f->out, &f->map, step, NULL, classes);
    for (double x = -0.95; x < 0.5; x += 0.1) {
        hbg_draw_point above = hbg_draw_map_place(&f->map, x, 6.22),
                       below = hbg_draw_map_place(&f->map, x, 6.18);
        assert_int_equal(covers(f->out.data, "one", above.x, above.y), 0);
        assert_int_equal(covers(f->out.data, "one", below.x, below.y), 1);
    }
    assert_int_equal(count_of(f->out.data, "<path"), 2);
}

static int32_t nothing(void *context, double x, double y) {
    (void)context;
    return x < INFINITY && y < INFINITY ? 0 : 1;
}

static int32_t everything(void *context, double x, double y) {
    return 2 - nothing(context, x, y);
}

static void an_empty_map_has_no_areas_and_a_full_one_one(void **state) {
    fixture *f = *state;
    hbg_draw_map_areas(&f->arena, &f->out, &f->map, nothing, NULL, classes);
    assert_int_equal(f->out.size, 0);
    hbg_draw_map_areas(&f->arena, &f->out, &f->map, everything, NULL, classes);
    assert_string_equal(f->out.data, "<path class=\"two\" d=\"M100 50L100 150L300 150L300 50L100 50\"/>\n");
}

static int32_t noise(void *context, double x, double y) {
    (void)context;
    return (int32_t)(fabs(sin(1e4 * x) * sin(1e4 * y)) * 3) % 3;
}

/* What has no areas, but a different thing everywhere, ends and stays inside of the frame. */
static void what_changes_everywhere_comes_to_an_end(void **state) {
    fixture *f = *state;
    hbg_draw_svg_begin(&f->out, 400, 200, "noise", NULL);
    hbg_draw_map_areas(&f->arena, &f->out, &f->map, noise, NULL, classes);
    hbg_draw_svg_end(&f->out);
    assert_null(hbg_test_xml_parse(f->out.data, NULL, NULL));
}

static void a_frame_has_round_numbers_and_its_names(void **state) {
    fixture *f = *state;
    f->map.x = (hbg_draw_range){"coil.p", "Wb", -0.0048, 0.0048};
    f->map.name =
        "a <b> & a name that is much too long to fit above a frame of this width, whatever one does";
    hbg_draw_svg_begin(&f->out, 400, 200, "frame", NULL);
    hbg_draw_map_frame(&f->arena, &f->out, &f->map);
    hbg_draw_svg_end(&f->out);
    assert_null(hbg_test_xml_parse(f->out.data, NULL, NULL));
    assert_non_null(strstr(f->out.data, ">coil.p [mWb]<"));
    assert_non_null(strstr(f->out.data, ">−4<"));
    assert_non_null(strstr(f->out.data, "a &lt;b&gt; &amp; a name"));
    assert_non_null(strstr(f->out.data, "…"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_point_is_where_its_values_are, setup, teardown),
        cmocka_unit_test_setup_teardown(a_straight_border_has_few_points, setup, teardown),
        cmocka_unit_test_setup_teardown(areas_cover_what_they_are_of_and_nothing_else, setup, teardown),
        cmocka_unit_test_setup_teardown(a_step_of_a_border_is_a_right_angle, setup, teardown),
        cmocka_unit_test_setup_teardown(an_empty_map_has_no_areas_and_a_full_one_one, setup, teardown),
        cmocka_unit_test_setup_teardown(what_changes_everywhere_comes_to_an_end, setup, teardown),
        cmocka_unit_test_setup_teardown(a_frame_has_round_numbers_and_its_names, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
