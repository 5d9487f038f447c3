/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * PNG by the real `rsvg-convert`: size, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/draw.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_buffer svg, png;
    const char *reason;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){0};
    hbg_base_arena_init(&f.arena, &f.memory);
    hbg_base_buffer_init(&f.svg, &f.arena);
    hbg_base_buffer_init(&f.png, &f.arena);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hbg_base_arena_fini(&f->arena);
    return f->memory.used == 0 ? 0 : -1;
}

static hbg_status convert(fixture *f, double width, double height, double zoom) {
    hbg_draw_svg_begin(&f->svg, width, height, "t", NULL);
    hbg_draw_svg_end(&f->svg);
    return hbg_draw_png(f->svg.data, f->svg.size, zoom, &f->png, &f->reason);
}

/* Width and height stand in bytes 16 to 23 of a PNG, high byte first. */
static uint32_t png_number(const fixture *f, size_t at) {
    const unsigned char *p = (const unsigned char *)f->png.data + at;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void picture_is_zoomed(void **state) {
    fixture *f = *state;
    assert_int_equal(convert(f, 120, 50, 2), HBG_OK);
    assert_true(f->png.size > 24);
    assert_memory_equal(f->png.data, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(png_number(f, 16), 240);
    assert_int_equal(png_number(f, 20), 100);
}

/* 512/2048 of each side, and never larger than it is */
static void icon_has_a_longest_side(void **state) {
    fixture *f = *state;
    hbg_draw_svg_begin(&f->svg, 2048, 1024, "t", NULL);
    hbg_draw_svg_end(&f->svg);
    assert_int_equal(hbg_draw_icon(f->svg.data, f->svg.size, 512, &f->png, &f->reason), HBG_OK);
    assert_int_equal(png_number(f, 16), 512);
    assert_int_equal(png_number(f, 20), 256);
    f->png.size = 0;
    assert_int_equal(hbg_draw_icon(f->svg.data, f->svg.size, 4000, &f->png, &f->reason), HBG_OK);
    assert_int_equal(png_number(f, 16), 2048);
    assert_int_equal(hbg_draw_icon("<svg>", 5, 512, &f->png, &f->reason), HBG_BAD_ARGUMENT);
}

/* 32000 / 20000 = 1.6 */
static void wide_picture_is_drawn_smaller_than_asked(void **state) {
    fixture *f = *state;
    assert_int_equal(convert(f, 20000, 10, 2), HBG_OK);
    assert_int_equal(png_number(f, 16), 32000);
}

static void picture_beyond_all_limits_is_refused_in_words(void **state) {
    fixture *f = *state;
    assert_int_equal(convert(f, 100000, 10, 2), HBG_TOO_LARGE);
    assert_string_equal(f->reason,
                        "the drawing has 100000 by 10 pixels, more than a readable PNG can hold: write it "
                        "as SVG");
    assert_int_equal(f->png.size, 0);
}

static void text_without_a_size_is_refused(void **state) {
    fixture *f = *state;
    assert_int_equal(hbg_draw_png("<svg>", 5, 2, &f->png, &f->reason), HBG_BAD_ARGUMENT);
    assert_int_equal(hbg_draw_png("width=\"7\"", 9, 2, &f->png, &f->reason), HBG_BAD_ARGUMENT);
}

/* The program would draw boxes for letters and say nothing. */
static void text_without_any_font_is_refused_in_words(void **state) {
    fixture *f = *state;
    static const char text[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">"
                               "<text x=\"2\" y=\"16\">text</text></svg>";
    FILE *file = fopen("no_fonts.conf", "w");
    assert_non_null(file);
    fputs("<?xml version=\"1.0\"?><fontconfig><dir>/nowhere</dir></fontconfig>", file);
    assert_int_equal(fclose(file), 0);
    char path[4096];
    assert_non_null(realpath("no_fonts.conf", path));
    assert_int_equal(setenv("FONTCONFIG_FILE", path, 1), 0);
    hbg_status refused = hbg_draw_png(text, strlen(text), 1, &f->png, &f->reason);
    hbg_status wordless = convert(f, 120, 50, 2);
    unsetenv("FONTCONFIG_FILE");
    assert_int_equal(refused, HBG_NO_PROGRAM);
    assert_non_null(strstr(f->reason, "no font is installed"));
    assert_int_equal(wordless, HBG_OK); // nothing would be missing
    assert_int_equal(hbg_draw_png(text, strlen(text), 1, &f->png, &f->reason), HBG_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(picture_is_zoomed, setup, teardown),
        cmocka_unit_test_setup_teardown(icon_has_a_longest_side, setup, teardown),
        cmocka_unit_test_setup_teardown(wide_picture_is_drawn_smaller_than_asked, setup, teardown),
        cmocka_unit_test_setup_teardown(picture_beyond_all_limits_is_refused_in_words, setup, teardown),
        cmocka_unit_test_setup_teardown(text_without_a_size_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(text_without_any_font_is_refused_in_words, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
