/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a drawing shows of a mode: off junctions, dependent storages, the current states, conflicts and what
 * another mode has otherwise; and that the legend explains what occurs and nothing else. */
#include "emit/drawing_impl.h"

enum { SOURCE, SWITCH, NODE, STORE, LOAD, ELEMENTS };
enum { FEED, THROUGH, CHARGE, DRAIN, BONDS };

/* A source that a relay connects to a capacitor with a load beside it. */
static void build_relay(fixture *f) {
    graph *g = &f->graph;
    graph_init(g, "Relay", NULL);
    add(f, SE, "supply", 5);
    junction(f, ONE, "contact");
    junction(f, ZERO, "node");
    add(f, C, "store", 1e-6);
    add(f, R, "load", 100);
    bond(f, SOURCE, SWITCH);
    bond(f, SWITCH, NODE);
    bond(f, NODE, STORE);
    bond(f, NODE, LOAD);
    hbg_expr time = graph_op(g, HBG_OP_TIME, HBG_NONE, HBG_NONE);
    hbg_expr guard = graph_op(g, HBG_OP_GREATER, time, graph_number(g, 1));
    hbg_expr back = graph_op(g, HBG_OP_NOT, guard, HBG_NONE);
    graph_control(g, SWITCH, graph_automaton(g, 0, "relay", "open", "closed", guard, back));
}

static int count_of(const fixture *f, const char *part) {
    int count = 0;
    for (const char *at = f->svg.data; (at = strstr(at, part)) != NULL; at++) count++;
    return count;
}

static void a_drawing_without_a_mode_explains_no_mode(void **state) {
    fixture *f = *state;
    build_relay(f);
    draw(f);
    assert_true(has(f, "controlled junction") && has(f, "start state"));
    assert_false(has(f, "state of this mode") || has(f, "effort arrives at the stroke"));
    f->options.automata = false;
    draw(f);
    assert_false(has(f, "start state"));
}

static void an_off_junction_is_faint_in_a_dashed_ring(void **state) {
    fixture *f = *state;
    build_relay(f);
    bool off[ELEMENTS] = {[SWITCH] = true};
    f->options.off = off;
    draw(f);
    /* the ring in the drawing and the sample in the legend */
    assert_int_equal(count_of(f, "<circle class=\"control off\""), 2);
    assert_int_equal(count_of(f, "class=\"digit faint\""), 1);
    assert_true(has(f, "junction off"));
    assert_false(has(f, "junction on"));
    off[SWITCH] = false;
    draw(f);
    assert_int_equal(count_of(f, "control off"), 0);
    assert_int_equal(count_of(f, "digit faint"), 0);
    assert_true(has(f, "junction on"));
    assert_false(has(f, "junction off"));
}

static void a_dependent_storage_stands_in_a_box_that_is_explained(void **state) {
    fixture *f = *state;
    build_relay(f);
    bool dependent[ELEMENTS] = {[STORE] = true};
    f->options.dependent = dependent;
    draw(f);
    assert_int_equal(count_of(f, "<rect class=\"dependent\""), 2);
    assert_true(has(f, "dependent storage (derivative causality)"));
    assert_non_null(strstr(f->svg.data, "dependent: in derivative causality"));
    hbg_draw_point store = middle_of(f, "C : store");
    bool around = false;
    for (int i = 0; i < f->picture.rect_count; i++) {
        hbg_draw_box box = f->picture.rects[i];
        bool small = box.right - box.left < 120 && box.bottom - box.top < 30;
        around = around || (small && box.left < store.x && store.x < box.right && box.top < store.y &&
                            store.y < box.bottom);
    }
    assert_true(around);
    dependent[STORE] = false;
    draw(f);
    assert_int_equal(count_of(f, "<rect class=\"dependent"), 0);
    assert_false(has(f, "dependent storage (derivative causality)"));
}

static void the_current_state_has_a_heavy_border_and_a_bold_name(void **state) {
    fixture *f = *state;
    build_relay(f);
    const int32_t states[] = {1};
    f->options.states = states;
    draw(f);
    assert_int_equal(count_of(f, "class=\"state on current\""), 1);
    assert_int_equal(count_of(f, "class=\"state\""), 1);
    assert_true(has(f, "state of this mode"));
    int closed = picture_find_text(&f->picture, "closed");
    assert_string_equal(f->picture.texts[closed].class_name, "small bold");
    assert_string_equal(f->picture.texts[picture_find_text(&f->picture, "open")].class_name, "small");
}

static void bonds_in_conflict_stand_out(void **state) {
    fixture *f = *state;
    build_relay(f);
    const bool conflict[BONDS] = {[FEED] = true, [THROUGH] = true};
    f->options.conflict = conflict;
    draw(f);
    assert_non_null(strstr(f->picture.paths[FEED].class_name, "conflict"));
    assert_non_null(strstr(f->picture.paths[THROUGH].class_name, "conflict"));
    assert_null(strstr(f->picture.paths[CHARGE].class_name, "conflict"));
    assert_true(has(f, "contradict each other: no valid causal assignment"));
}

static void sources_in_conflict_and_what_floats_have_words_of_their_own(void **state) {
    fixture *f = *state;
    build_relay(f);
    const bool conflict[BONDS] = {[FEED] = true}, loose[BONDS] = {[THROUGH] = true};
    f->options.conflict = conflict;
    f->options.mythical = true;
    f->options.loose = loose;
    draw(f);
    assert_non_null(strstr(f->picture.paths[THROUGH].class_name, "loose"));
    assert_null(strstr(f->picture.paths[FEED].class_name, "loose"));
    assert_true(has(f, "unbounded: sources in conflict"));
    assert_true(has(f, "floats or shares: parasites decide"));
    assert_false(has(f, "contradict each other: no valid causal assignment"));
}

static void what_another_mode_has_otherwise_has_one_colour(void **state) {
    fixture *f = *state;
    build_relay(f);
    const bool changed[BONDS] = {[CHARGE] = true};
    const bool changed_element[ELEMENTS] = {[SWITCH] = true, [STORE] = true};
    const bool off[ELEMENTS] = {[SWITCH] = true};
    const int32_t here[] = {0}, there[] = {1};
    f->options.off = off;
    f->options.states = here;
    f->options.other = "relay=closed";
    f->options.changed = changed;
    f->options.changed_element = changed_element;
    f->options.other_states = there;
    draw(f);
    assert_string_equal(f->picture.paths[CHARGE].class_name, "bond changed");
    assert_int_equal(count_of(f, "class=\"control off changed\""), 1);
    assert_int_equal(count_of(f, "class=\"free changed\""), 1);
    assert_int_equal(count_of(f, "class=\"state on changed\""), 1);
    assert_true(has(f, "differs in mode relay=closed"));
}

static void modes_that_differ_in_nothing_need_no_legend(void **state) {
    fixture *f = *state;
    build_relay(f);
    const bool changed[BONDS] = {0}, changed_element[ELEMENTS] = {0};
    const int32_t states[] = {0};
    f->options.states = f->options.other_states = states;
    f->options.other = "relay=open";
    f->options.changed = changed;
    f->options.changed_element = changed_element;
    draw(f);
    assert_false(has(f, "differs in mode relay=open"));
}

static void heavy_strokes_are_explained_beside_light_ones(void **state) {
    fixture *f = *state;
    build_relay(f);
    const int8_t stroke[BONDS] = {1, 1, 1, 0};
    const bool fixed[BONDS] = {[FEED] = true};
    f->options.stroke = stroke;
    f->options.fixed = fixed;
    draw(f);
    assert_true(has(f, "the same in every mode") && has(f, "effort arrives at the stroke"));
    /* the stroke and its sample */
    assert_int_equal(count_of(f, "class=\"bond stroke fixed\""), 2);
    f->options.fixed = NULL;
    draw(f);
    assert_false(has(f, "the same in every mode"));
}

static void heavy_strokes_alone_say_what_a_stroke_is(void **state) {
    fixture *f = *state;
    build_relay(f);
    const int8_t stroke[BONDS] = {1, 1, 1, 0};
    const bool fixed[BONDS] = {true, true, true, true};
    f->options.stroke = stroke;
    f->options.fixed = fixed;
    draw(f);
    assert_true(has(f, "effort arrives at the stroke, the same in every mode"));
}

static void a_long_legend_breaks_into_rows(void **state) {
    fixture *f = *state;
    build_relay(f);
    const int8_t stroke[BONDS] = {1, 1, 1, 0};
    const bool fixed[BONDS] = {[FEED] = true}, dependent[ELEMENTS] = {[STORE] = true};
    const int32_t states[] = {0};
    f->options.stroke = stroke;
    f->options.fixed = fixed;
    f->options.dependent = dependent;
    f->options.states = states;
    draw(f);
    double first = middle_of(f, "effort arrives at the stroke").y;
    assert_true(middle_of(f, "start state").y > first + 15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_drawing_without_a_mode_explains_no_mode),
        TEST(an_off_junction_is_faint_in_a_dashed_ring),
        TEST(a_dependent_storage_stands_in_a_box_that_is_explained),
        TEST(the_current_state_has_a_heavy_border_and_a_bold_name),
        TEST(bonds_in_conflict_stand_out),
        TEST(sources_in_conflict_and_what_floats_have_words_of_their_own),
        TEST(what_another_mode_has_otherwise_has_one_colour),
        TEST(modes_that_differ_in_nothing_need_no_legend),
        TEST(heavy_strokes_are_explained_beside_light_ones),
        TEST(heavy_strokes_alone_say_what_a_stroke_is),
        TEST(a_long_legend_breaks_into_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
