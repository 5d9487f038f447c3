/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drawing through the public header: the formats, the limit, and programs that are missing. What pictures
 * look like is tested in tests/emit and tests/draw. */
#include <stdio.h>
#include <stdlib.h>

#include "api/small_model_impl.h"
#include "support/xml.h"

static hbg_text draw(small_model *small, hbg_draw_format format) {
    hbg_draw_options options = hbg_draw_options_default();
    options.format = format;
    hbg_text picture;
    hbg_status status = hbg_draw(small->session, small->model, &options, &picture);
    if (status != HBG_OK) fail_msg("%s: %s", hbg_status_text(status), hbg_session_reason(small->session));
    return picture;
}

static void an_svg_is_well_formed(void **state) {
    small_model *small = *state;
    hbg_text picture = draw(small, HBG_DRAW_SVG);
    const char *problem = hbg_test_xml_parse(picture.data, NULL, NULL);
    if (problem) fail_msg("%s", problem);
    assert_non_null(strstr(picture.data, "<svg"));
    hbg_text_free(small->session, &picture);
}

static void a_png_starts_as_a_png(void **state) {
    small_model *small = *state;
    hbg_text picture = draw(small, HBG_DRAW_PNG);
    assert_true(picture.size > 1000);
    assert_memory_equal(picture.data, "\x89PNG\r\n\x1A\n", 8);
    hbg_text_free(small->session, &picture);
}

static void dot_is_text_for_graphviz(void **state) {
    small_model *small = *state;
    hbg_text picture = draw(small, HBG_DRAW_DOT);
    assert_non_null(strstr(picture.data, "graph"));
    assert_non_null(strstr(picture.data, "load"));
    hbg_text_free(small->session, &picture);
}

static void svg_is_the_default(void **state) {
    small_model *small = *state;
    hbg_text picture;
    assert_int_equal(hbg_draw(small->session, small->model, NULL, &picture), HBG_OK);
    assert_non_null(strstr(picture.data, "<svg"));
    hbg_text_free(small->session, &picture);
}

static void large_models_ask_to_be_forced(void **state) {
    small_model *small = *state;
    static char text[200000];
    int size = snprintf(text, sizeof text, "model Large {\n0 n0;\n");
    for (int i = 1; i <= 2100; i++)
        size +=
            snprintf(text + size, sizeof text - (size_t)size, "%d n%d;\nn%d -> n%d;\n", i % 2, i, i - 1, i);
    snprintf(text + size, sizeof text - (size_t)size, "}\n");
    hbg_draw_options options = hbg_draw_options_default();
    options.format = HBG_DRAW_DOT;
    hbg_text picture;
    assert_int_equal(hbg_load_text(small->session, "l.hbg", text, strlen(text), NULL, &small->model), HBG_OK);
    assert_int_equal(hbg_draw(small->session, small->model, &options, &picture), HBG_TOO_LARGE);
    assert_null(picture.data);
    assert_non_null(strstr(hbg_session_reason(small->session), "2000"));
    options.force = true;
    assert_int_equal(hbg_draw(small->session, small->model, &options, &picture), HBG_OK);
    hbg_text_free(small->session, &picture);
}

static void a_missing_program_is_named(void **state) {
    small_model *small = *state;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    hbg_text picture;
    assert_int_equal(hbg_draw(small->session, small->model, NULL, &picture), HBG_NO_PROGRAM);
    assert_null(picture.data);
    assert_non_null(strstr(hbg_session_reason(small->session), "dot"));
    setenv("PATH", path, 1);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_svg_is_well_formed), TEST(a_png_starts_as_a_png),         TEST(dot_is_text_for_graphviz),
        TEST(svg_is_the_default),    TEST(large_models_ask_to_be_forced), TEST(a_missing_program_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
