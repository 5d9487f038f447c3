/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Plots of results files through the public header. */
#include "api/run_fixture_impl.h"

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The picture of a file with this text, or the reason why there is none; for the caller to free. */
static char *plot(const char *text, const char *columns, hbg_draw_format format, hbg_status expected) {
    hbg_session *session;
    hbg_text picture;
    hbg_plot_options options = {.columns = columns, .format = format};
    write_file("plot_test.csv", text);
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    hbg_status status = hbg_plot(session, "plot_test.csv", &options, &picture);
    if (status != expected) fail_msg("%s", hbg_session_reason(session));
    char *copy = strdup(status == HBG_OK ? picture.data : hbg_session_reason(session));
    if (status == HBG_OK) hbg_text_free(session, &picture);
    hbg_session_free(session);
    remove("plot_test.csv");
    return copy;
}

static void says(char *found, const char *words, bool expected) {
    if ((strstr(found, words) != NULL) != expected) fail_msg("\"%s\" in\n%.2000s", words, found);
}

static void columns_with_units_share_a_panel(void **state) {
    (void)state;
    char *svg = plot("time,a [V],b [V],c [m]\n0,1,2,3\n1,2,3,4\n", NULL, HBG_DRAW_SVG, HBG_OK);
    says(svg, "plot_test.csv", true);
    says(svg, ">a<", true);
    says(svg, ">c<", true);
    says(svg, ">V<", true);
    free(svg);
}

static void columns_can_be_chosen(void **state) {
    (void)state;
    char *svg = plot("time,first,\"max(a, b)\"\n0,1,2\n1,2,3\n", "max(a, b)", HBG_DRAW_SVG, HBG_OK);
    says(svg, "max(a, b)", true);
    says(svg, "first", false);
    free(svg);
    svg = plot("time,first,second\n0,1,2\n1,2,3\n", " second , first", HBG_DRAW_SVG, HBG_OK);
    says(svg, "first", true);
    free(svg);
}

static int count_of(const char *text, const char *words) {
    int count = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) count++;
    return count;
}

static void columns_without_units_share_a_panel_if_only_a_number_tells_them_apart(void **state) {
    (void)state;
    char *svg =
        plot("time,v_1,v_2,mass1.p,mass2.p,x,2\n0,1,2,3,4,5,6\n1,2,3,4,5,6,7\n", NULL, HBG_DRAW_SVG, HBG_OK);
    assert_int_equal(count_of(svg, "class=\"panel\""), 4);
    says(svg, ">v</text>", true); // headings
    says(svg, ">mass.p</text>", true);
    says(svg, ">v_2</text>", true); // names of curves
    free(svg);
}

static void very_many_columns_without_units_are_grouped_by_their_ending(void **state) {
    (void)state;
    char *svg =
        plot("time,a.e,b.e,c.e,d.e,a.f,b.f,c.f,d.f,x,y\n0,1,2,3,4,5,6,7,8,9,0\n1,1,2,3,4,5,6,7,8,9,0\n", NULL,
             HBG_DRAW_SVG, HBG_OK);
    assert_int_equal(count_of(svg, "class=\"panel\""), 3);
    says(svg, ">e</text>", true);
    says(svg, ">f</text>", true);
    free(svg);
}

static void a_semicolon_begins_a_panel(void **state) {
    (void)state;
    char *svg = plot("time,a,b,c\n0,1,2,3\n1,2,3,4\n", "a, b; c", HBG_DRAW_SVG, HBG_OK);
    assert_int_equal(count_of(svg, "class=\"panel\""), 2);
    free(svg);
    svg = plot("time,a [V],b [V],c [m]\n0,1,2,3\n1,2,3,4\n", "a; b, c", HBG_DRAW_SVG, HBG_OK);
    assert_int_equal(count_of(svg, "class=\"panel\""), 2);
    says(svg, ">V<", true);
    says(svg, ">m<", false); // of two units none is that of the panel
    free(svg);
}

static void what_is_not_there_is_told(void **state) {
    (void)state;
    char *words = plot("time,first\n0,1\n", "frist", HBG_DRAW_SVG, HBG_NOT_FOUND);
    says(words, "there is no column `frist`; did you mean `first`?", true);
    free(words);
    words = plot("time,first\n0,1\n", "x", HBG_DRAW_SVG, HBG_NOT_FOUND);
    says(words, "the file has `first`", true);
    free(words);
    words = plot("time\n0\n", NULL, HBG_DRAW_SVG, HBG_BAD_ARGUMENT);
    says(words, "one column only", true);
    free(words);
}

static void a_png_is_one(void **state) {
    (void)state;
    char *png = plot("time,first\n0,1\n1,5\n", NULL, HBG_DRAW_PNG, HBG_OK);
    assert_memory_equal(png, "\x89PNG", 4);
    free(png);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_with_units_share_a_panel),
        cmocka_unit_test(columns_can_be_chosen),
        cmocka_unit_test(columns_without_units_share_a_panel_if_only_a_number_tells_them_apart),
        cmocka_unit_test(very_many_columns_without_units_are_grouped_by_their_ending),
        cmocka_unit_test(a_semicolon_begins_a_panel),
        cmocka_unit_test(what_is_not_there_is_told),
        cmocka_unit_test(a_png_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
