/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Components closed and opened, one of them in focus, and what a page finds in the drawing. */
#include "emit/drawing_impl.h"

/* Port of a component through which a bond leads. */
static void port(fixture *f, int32_t scope, const char *name, int32_t bond) {
    int32_t index =
        hbg_model_add_port(f->graph.model, graph_id(&f->graph, scope, name), HBG_DOMAIN_ELECTRICAL);
    f->graph.model->ports.items[index].bond = bond;
}

/* source -> [a part: inner with r and c k] -> node with load; bonds 0 and 1 pass the ports, 2 and 3 are inside. */
static void build_part(fixture *f) {
    graph_init(&f->graph, "Whole", NULL);
    int32_t part = graph_scope(&f->graph, 0, "part", "Part");
    int32_t source = add(f, SE, "V", 12), node = junction(f, ZERO, "node");
    int32_t inner = graph_junction(&f->graph, part, ONE, "inner");
    int32_t r = graph_element(&f->graph, part, R, "r", graph_number(&f->graph, 2));
    int32_t c = graph_element(&f->graph, part, C, "c", graph_number(&f->graph, 3));
    port(f, part, "a", bond(f, source, inner));
    port(f, part, "k", bond(f, inner, node));
    bond(f, inner, r);
    bond(f, inner, c);
    bond(f, node, add(f, I, "load", 1));
}

static int count_of(const fixture *f, const char *text) {
    int count = 0;
    for (const char *at = f->svg.data; (at = strstr(at, text)) != NULL; at++) count++;
    return count;
}

static void a_closed_component_is_a_box_and_its_bonds_end_at_ports(void **state) {
    fixture *f = *state;
    build_part(f);
    f->options.depth = 0;
    draw(f);
    assert_true(has(f, "part : Part") && has(f, "a") && has(f, "k") && has(f, "I : load"));
    assert_false(has(f, "R : r") || has(f, "C : c") || has(f, "inner"));
    assert_int_equal(count_of(f, "<g class=\"link\""), 3);
    assert_int_equal(count_of(f, "data-open=\"false\""), 1);
    assert_int_equal(count_of(f, "data-to-port=\"part.a\""), 1);
    assert_int_equal(count_of(f, "data-from-port=\"part.k\""), 1);
    /* where the bond ends there is the port: on the left border, at its height */
    const picture_path *in = &f->picture.paths[0];
    hbg_draw_point tip = in->points[in->count - 2];
    hbg_draw_point name = middle_of(f, "a");
    assert_true(tip.x < name.x && name.x - tip.x < 30 && fabs(tip.y - name.y) < 6);
}

static void depth_opens_components(void **state) {
    fixture *f = *state;
    build_part(f);
    f->options.depth = 1;
    draw(f);
    assert_true(has(f, "R : r") && has(f, "C : c") && has(f, "inner"));
    assert_int_equal(count_of(f, "<g class=\"link\""), 5);
    int8_t closed[2] = {0, -1}, open[2] = {0, 1};
    f->options.open = closed;
    draw(f);
    assert_false(has(f, "R : r"));
    f->options.depth = 0;
    f->options.open = open;
    draw(f);
    assert_true(has(f, "R : r"));
}

static void a_focus_has_its_neighbours_outlined_and_nothing_else(void **state) {
    fixture *f = *state;
    build_part(f);
    f->options.focus = 1;
    draw(f);
    assert_true(has(f, "Whole, part") && has(f, "R : r") && has(f, "Se : V") && has(f, "node"));
    assert_false(has(f, "I : load"));
    assert_int_equal(count_of(f, "<g class=\"node outside\""), 2);
    assert_int_equal(count_of(f, "<g class=\"link outside\""), 2);
    assert_int_equal(count_of(f, "<g class=\"link\""), 2);
}

/* A ring of components with `count` storages each. */
static void build_ring(fixture *f, int parts, int count) {
    graph_init(&f->graph, "Ring", NULL);
    int32_t first = HBG_NONE, before = HBG_NONE;
    for (int i = 0; i < parts; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        int32_t part = graph_scope(&f->graph, 0, name, "Part");
        int32_t node = graph_junction(&f->graph, part, i % 2 ? ZERO : ONE, "node");
        for (int k = 0; k + 1 < count; k++) {
            snprintf(name, sizeof name, "c%d", k);
            bond(f, node, graph_element(&f->graph, part, C, name, graph_number(&f->graph, 1)));
        }
        if (before >= 0) {
            int32_t between = bond(f, before, node);
            port(f, part, "a", between);
            port(f, part - 1, "k", between);
        }
        if (first < 0) first = node;
        before = node;
    }
    port(f, 1, "back", bond(f, before, first));
    port(f, parts, "back", f->graph.model->bonds.count - 1);
}

static void what_is_large_starts_closed(void **state) {
    fixture *f = *state;
    build_ring(f, 4, 15);
    draw(f);
    assert_int_equal(count_of(f, "data-open=\"false\""), 0);
    teardown(state);
    setup(state);
    build_ring(f, 4, 16);
    draw(f);
    assert_int_equal(count_of(f, "data-open=\"false\""), 4);
    assert_int_equal(count_of(f, "<g class=\"link\""), 4);
}

/* Both strokes are there, and one of them is seen: a page moves it by a class. */
static void a_live_drawing_has_a_stroke_at_either_end(void **state) {
    fixture *f = *state;
    build_part(f);
    int8_t strokes[5] = {0, 1, 1, 0, 1};
    f->options.stroke = strokes;
    f->options.live = true;
    draw(f);
    assert_int_equal(count_of(f, "stroke at-from\""), 2);
    assert_int_equal(count_of(f, "stroke at-from hidden\""), 3);
    assert_int_equal(count_of(f, "stroke at-to\""), 3);
    assert_int_equal(count_of(f, "stroke at-to hidden\""), 2);
    assert_int_equal(count_of(f, "<rect class=\"hidden\""), 2); // marks of c and load
}

static void every_object_says_which_one_it_is(void **state) {
    fixture *f = *state;
    build_part(f);
    draw(f);
    static const char *const said[] = {
        "data-path=\"V\" data-kind=\"Se\"", "data-path=\"part\" data-kind=\"component\" data-type=\"Part\"",
        "data-path=\"part.inner\" data-kind=\"1\"", "data-path=\"part.c\" data-kind=\"C\"",
        "data-bond=\"V&gt;part.inner\" data-from=\"V\" data-to=\"part.inner\""};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (count_of(f, said[i]) != 1) fail_msg("%s", said[i]);
}

static void a_mark_inside_a_closed_component_is_seen_at_its_box(void **state) {
    fixture *f = *state;
    build_part(f);
    bool conflict[5] = {false, false, true, false, false};
    f->options.conflict = conflict;
    f->options.depth = 0;
    draw(f);
    assert_int_equal(count_of(f, "<rect class=\"box conflict\""), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_closed_component_is_a_box_and_its_bonds_end_at_ports),
        TEST(depth_opens_components),
        TEST(a_focus_has_its_neighbours_outlined_and_nothing_else),
        TEST(what_is_large_starts_closed),
        TEST(a_live_drawing_has_a_stroke_at_either_end),
        TEST(every_object_says_which_one_it_is),
        TEST(a_mark_inside_a_closed_component_is_seen_at_its_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
