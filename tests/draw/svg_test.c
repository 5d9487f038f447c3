/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The SVG writer: short numbers, escaped texts, well-formed documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "draw/draw.h"
#include "support/xml.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_buffer out;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){0};
    hbg_base_arena_init(&f.arena, &f.memory);
    hbg_base_buffer_init(&f.out, &f.arena);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hbg_base_arena_fini(&f->arena);
    return f->memory.used == 0 ? 0 : -1;
}

static void assert_number(fixture *f, double value, const char *text) {
    hbg_base_buffer_init(&f->out, &f->arena);
    hbg_draw_number(&f->out, value);
    assert_string_equal(f->out.data, text);
}

static void numbers_have_at_most_two_decimals(void **state) {
    fixture *f = *state;
    assert_number(f, 0, "0");
    assert_number(f, 12, "12");
    assert_number(f, 1.5, "1.5");
    assert_number(f, -0.25, "-0.25");
    assert_number(f, 0.07, "0.07");
    assert_number(f, 3.14159, "3.14");
    assert_number(f, 2.999, "3");
    assert_number(f, -0.001, "0");
    assert_number(f, 1e6, "1000000");
}

static void what_is_no_number_becomes_zero(void **state) {
    fixture *f = *state;
    assert_number(f, NAN, "0");
    assert_number(f, INFINITY, "0");
    assert_number(f, -INFINITY, "0");
    assert_number(f, 1e300, "1000000000000");
}

static void assert_escaped(fixture *f, const char *text, const char *expected) {
    hbg_base_buffer_init(&f->out, &f->arena);
    hbg_draw_escape(&f->out, text);
    assert_string_equal(f->out.data, expected);
}

static void markup_is_escaped(void **state) {
    fixture *f = *state;
    assert_escaped(f, "a < b && \"c\" > 'd'", "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
    assert_escaped(f, "</title><script>", "&lt;/title&gt;&lt;script&gt;");
    assert_escaped(f, "]]>", "]]&gt;");
    assert_escaped(f, "330 Ω → µ 😀\n", "330 Ω → µ 😀\n");
}

static void bytes_that_xml_forbids_are_replaced(void **state) {
    fixture *f = *state;
    assert_escaped(f,
                   "a\x01"
                   "b\x1f",
                   "a\xef\xbf\xbd"
                   "b\xef\xbf\xbd");
    assert_escaped(f, "\xff|", "\xef\xbf\xbd|");
    /* a sequence cut short, an overlong slash, a surrogate, U+FFFF, beyond U+10FFFF */
    assert_escaped(f, "\xe2\x86|", "\xef\xbf\xbd\xef\xbf\xbd|");
    assert_escaped(f, "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd");
    assert_escaped(f, "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_escaped(f, "\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_escaped(f, "\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_escaped(f, "\xf0\x9f", "\xef\xbf\xbd\xef\xbf\xbd");
}

static void document_of_all_shapes_is_well_formed(void **state) {
    fixture *f = *state;
    hbg_draw_svg_begin(&f->out, 100, 50.5, "a & b", ".x>.y{fill:red}");
    hbg_draw_group_begin(&f->out, "x", "tool \"tip\" <1>");
    hbg_draw_line(&f->out, NULL, (hbg_draw_point){0, 0}, (hbg_draw_point){1, 2});
    hbg_draw_polyline(&f->out, "x", (hbg_draw_point[]){{0, 0}, {1.25, 2}, {-3, 4}}, 3);
    hbg_draw_rect(&f->out, "y", (hbg_draw_box){1, 2, 11, 22}, 3);
    hbg_draw_circle(&f->out, "y", (hbg_draw_point){5, 6}, 7);
    hbg_draw_text(&f->out, "\"><script>", (hbg_draw_point){1, 2}, HBG_DRAW_END, "<&>");
    hbg_draw_text_lead(&f->out, NULL, (hbg_draw_point){1, 2}, HBG_DRAW_MIDDLE, "R", " : a");
    hbg_draw_group_end(&f->out);
    hbg_draw_svg_end(&f->out);
    const char *fault = hbg_test_xml_parse(f->out.data, NULL, NULL);
    if (fault) fail_msg("%s in\n%s", fault, f->out.data);
    assert_non_null(strstr(f->out.data, "width=\"100\" height=\"50.5\" viewBox=\"0 0 100 50.5\""));
    assert_non_null(strstr(f->out.data, "<path class=\"x\" d=\"M0 0L1.25 2L-3 4\"/>"));
    assert_non_null(
        strstr(f->out.data, "<rect class=\"y\" x=\"1\" y=\"2\" width=\"10\" height=\"20\" rx=\"3\"/>"));
    assert_null(strstr(f->out.data, "<script>"));
}

/* The checker itself has to find faults, or the claims above mean nothing. */
static void checker_refuses_what_is_not_xml(void **state) {
    (void)state;
    assert_null(hbg_test_xml_parse("<a b=\"1\"><c/>x &lt; y</a>\n", NULL, NULL));
    static const char *const bad[] = {"",
                                      "<a>",
                                      "<a></b>",
                                      "<a b=1/>",
                                      "<a b=\"<\"/>",
                                      "<a>&x;</a>",
                                      "<a>\x01</a>",
                                      "<a/>x",
                                      "<a b=\"1\" b=\"2\"/>",
                                      "<a>\xff</a>",
                                      "<a>&</a>",
                                      "<a><b></a></b>"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!hbg_test_xml_parse(bad[i], NULL, NULL)) fail_msg("accepted: %s", bad[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_have_at_most_two_decimals, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_number_becomes_zero, setup, teardown),
        cmocka_unit_test_setup_teardown(markup_is_escaped, setup, teardown),
        cmocka_unit_test_setup_teardown(bytes_that_xml_forbids_are_replaced, setup, teardown),
        cmocka_unit_test_setup_teardown(document_of_all_shapes_is_well_formed, setup, teardown),
        cmocka_unit_test(checker_refuses_what_is_not_xml),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
