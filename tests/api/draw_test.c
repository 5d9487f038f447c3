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

/* Two capacitors that a relay joins, and a second relay that would put a source across the first. */
static const char capacitors[] =
    "model Two { Se source(5); C c1(1); C c2(1); 0 left; 0 right; 1 bridge when relay; 1 feed when other;\n"
    "  1 again when other; Se second(4); left -> c1; right -> c2; left -> bridge -> right;\n"
    "  source -> feed; feed -> left; second -> again; again -> left;\n"
    "  automaton relay { off open -> closed when time > 1; on closed -> open when time < 0; }\n"
    "  automaton other { off no -> yes when time > 2; on yes -> no when time < 0; } }\n";

/* Two sources on a node, which is switched: while it is on nothing is between them. And a node between two switches. */
static const char sources[] =
    "model M { Se v(1); Se w(2); R r(1); 0 n when x; v -> n -> r; w -> n; Se u(3); 0 far; 0 mid; 0 near; Se "
    "t(4);\n"
    "  1 s when y; 1 k when y; u -> far -> s -> mid -> k -> near; t -> near;\n"
    "  automaton x { off no -> yes when time > 1; on yes -> no when time > 2; }\n"
    "  automaton y { off open -> shut when time > 1; on shut -> open when time > 2; } }\n";

/* The SVG of a mode of a model, kept until the next call. */
static const char *draw_of(small_model *small, const char *text, const char *mode, const char *compare) {
    static char svg[100000];
    hbg_draw_options options = hbg_draw_options_default();
    options.mode = mode;
    options.compare = compare;
    hbg_text picture;
    assert_int_equal(hbg_load_text(small->session, "two.hbg", text, strlen(text), NULL, &small->model),
                     HBG_OK);
    assert_int_equal(hbg_draw(small->session, small->model, &options, &picture), HBG_OK);
    assert_true(picture.size < sizeof svg);
    memcpy(svg, picture.data, picture.size + 1);
    hbg_text_free(small->session, &picture);
    return svg;
}

static const char *draw_mode(small_model *small, const char *mode, const char *compare) {
    return draw_of(small, capacitors, mode, compare);
}

static void a_mode_marks_its_dependent_storage_and_states(void **state) {
    const char *svg = draw_mode(*state, "relay=closed", NULL);
    assert_non_null(strstr(svg, "Mode relay=closed,other=no<"));
    assert_non_null(strstr(svg, "<rect class=\"dependent\""));
    assert_non_null(strstr(svg, "class=\"state on current\""));
    svg = draw_mode(*state, NULL, NULL);
    assert_null(strstr(svg, "<rect class=\"dependent"));
    assert_null(strstr(svg, "class=\"state on current\""));
}

static void a_mode_without_an_assignment_shows_the_conflict(void **state) {
    const char *svg = draw_of(*state, sources, "x=yes", NULL);
    assert_non_null(strstr(svg, "no valid causal assignment<"));
    assert_non_null(strstr(svg, "class=\"bond conflict\""));
    assert_null(strstr(svg, "stroke at-to\""));
    assert_null(strstr(svg, "stroke at-from\""));
    assert_null(strstr(draw_mode(*state, NULL, NULL), "class=\"bond conflict\""));
}

/* It has strokes, as any mode that a search passes through. */
static void sources_in_conflict_stand_out_with_their_loop(void **state) {
    const char *svg = draw_mode(*state, "other=yes", NULL);
    assert_non_null(strstr(svg, "other=yes: mythical only, unless its sources agree<"));
    assert_non_null(strstr(svg, "unbounded: sources in conflict<"));
    assert_non_null(strstr(svg, "class=\"bond conflict stroke"));
    assert_null(strstr(svg, "bond loose"));
    int marked = 0; // source, feed, second and again: two bonds each, and the legend
    for (const char *at = svg; (at = strstr(at, "class=\"bond conflict\"")) != NULL; at++) marked++;
    assert_int_equal(marked, 5);
}

static void what_floats_is_dashed(void **state) {
    const char *svg = draw_of(*state, sources, NULL, NULL);
    assert_non_null(strstr(svg, ": parts of it float or share<"));
    assert_non_null(strstr(svg, "floats or shares: parasites decide<"));
    int marked = 0; // both sides of the node, and the legend
    for (const char *at = svg; (at = strstr(at, "class=\"bond loose\"")) != NULL; at++) marked++;
    assert_int_equal(marked, 3);
}

static void a_comparison_marks_what_changes(void **state) {
    const char *svg = draw_mode(*state, "relay=closed", "relay=open");
    assert_non_null(strstr(svg, "compared with mode relay=open,other=no<"));
    assert_non_null(strstr(svg, "class=\"bond changed\""));
    assert_non_null(strstr(svg, "class=\"control changed\""));
    assert_non_null(strstr(svg, "class=\"dependent changed\""));
    assert_non_null(strstr(svg, "class=\"state changed\""));
    svg = draw_mode(*state, NULL, "relay=open");
    assert_null(strstr(svg, "class=\"bond changed\""));
    svg = draw_of(*state, sources, NULL, "x=yes");
    assert_non_null(strstr(svg, "compared with mode x=yes,y=open"));
    assert_non_null(strstr(svg, "which has no"));
    assert_non_null(strstr(svg, "class=\"control off changed\""));
}

/* ---- marks without a drawing ---------------------------------------------------------------------------- */

/* Whether the part of the text up to `end` holds the word. */
static bool holds(const char *text, const char *end, const char *word) {
    const char *found = strstr(text, word);
    return found && found < end;
}

/* By bond: what the drawing of the mode shows, and what its marks say. */
static void compare_marks(small_model *small, const char *mode, const char *compare) {
    const char *svg = draw_mode(small, mode, compare);
    hbg_draw_options options = hbg_draw_options_default();
    options.mode = mode;
    options.compare = compare;
    hbg_text marks;
    assert_int_equal(hbg_draw_marks_json(small->session, small->model, &options, &marks), HBG_OK);
    static const char *const bonds[] = {"left>c1",     "right>c2",  "left>bridge",  "bridge>right",
                                        "source>feed", "feed>left", "second>again", "again>left"};
    for (size_t i = 0; i < sizeof bonds / sizeof *bonds; i++) {
        char said[64], drawn[64], name[32];
        snprintf(name, sizeof name, "%s", bonds[i]);
        char *sign = strchr(name, '>');
        *sign = 0;
        snprintf(said, sizeof said, "{\"bond\":\"%s\"", bonds[i]);
        snprintf(drawn, sizeof drawn, "data-bond=\"%s&gt;%s\"", name, sign + 1);
        const char *mark = strstr(marks.data, said), *group = strstr(svg, drawn);
        if (!mark || !group) fail_msg("%s", bonds[i]);
        const char *mark_end = strchr(mark, '}'), *group_end = strstr(group, "</g>");
        assert_int_equal(holds(mark, mark_end, "\"stroke\":\"to\""), holds(group, group_end, "at-to\""));
        assert_int_equal(holds(mark, mark_end, "\"stroke\":\"from\""), holds(group, group_end, "at-from\""));
        assert_int_equal(holds(mark, mark_end, "\"fixed\":true"), holds(group, group_end, " fixed"));
        assert_int_equal(holds(mark, mark_end, "\"conflict\":true"), holds(group, group_end, " conflict"));
        assert_int_equal(holds(mark, mark_end, "\"changed\":true"), holds(group, group_end, " changed"));
    }
    hbg_text_free(small->session, &marks);
}

static void marks_say_what_the_drawing_shows(void **state) {
    compare_marks(*state, NULL, NULL);
    compare_marks(*state, "relay=closed", "relay=open");
    compare_marks(*state, "other=yes", NULL);
}

static void marks_name_states_and_what_is_off(void **state) {
    small_model *small = *state;
    draw_mode(small, "relay=closed", "relay=open");
    hbg_draw_options options = hbg_draw_options_default();
    options.mode = "relay=closed";
    options.compare = "relay=open";
    hbg_text marks;
    assert_int_equal(hbg_draw_marks_json(small->session, small->model, &options, &marks), HBG_OK);
    static const char *const said[] = {"\"valid\":true", "\"mode\":\"relay=closed,other=no\"",
                                       "{\"path\":\"bridge\",\"off\":false,\"changed\":true}",
                                       "{\"path\":\"feed\",\"off\":true}",
                                       ("{\"path\":\"relay\",\"state\":\"closed\",\"on\":true,\"other\":"
                                        "\"open\",\"states\":[\"open\",\"closed\"]}")};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strstr(marks.data, said[i])) fail_msg("%s not in %s", said[i], marks.data);
    hbg_text_free(small->session, &marks);
    options.mode = "relay=ajar";
    assert_int_equal(hbg_draw_marks_json(small->session, small->model, &options, &marks), HBG_NOT_FOUND);
}

static void components_that_are_not_there_are_named(void **state) {
    small_model *small = *state;
    draw_mode(small, NULL, NULL);
    static const char *const wrong[] = {"pump", "c1", "c1.x", "", "a..b"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hbg_draw_options options = hbg_draw_options_default();
        options.focus = wrong[i];
        hbg_text picture;
        assert_int_equal(hbg_draw(small->session, small->model, &options, &picture), HBG_NOT_FOUND);
        assert_non_null(strstr(hbg_session_reason(small->session), "component"));
        options.focus = NULL;
        options.closed = wrong[i];
        hbg_status status = wrong[i][0] ? HBG_NOT_FOUND : HBG_OK;
        assert_int_equal(hbg_draw(small->session, small->model, &options, &picture), status);
        hbg_text_free(small->session, &picture);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_svg_is_well_formed),
        TEST(a_png_starts_as_a_png),
        TEST(dot_is_text_for_graphviz),
        TEST(svg_is_the_default),
        TEST(large_models_ask_to_be_forced),
        TEST(a_missing_program_is_named),
        TEST(a_mode_marks_its_dependent_storage_and_states),
        TEST(a_mode_without_an_assignment_shows_the_conflict),
        TEST(sources_in_conflict_stand_out_with_their_loop),
        TEST(what_floats_is_dashed),
        TEST(a_comparison_marks_what_changes),
        TEST(marks_say_what_the_drawing_shows),
        TEST(marks_name_states_and_what_is_off),
        TEST(components_that_are_not_there_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
