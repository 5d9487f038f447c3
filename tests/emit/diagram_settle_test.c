/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drawings that stay as they were under small edits, and things that the language places. */
#include "emit/drawing_impl.h"

#define MOST_MOVED 0.02 /* pixels: places are written with two digits */

/* `data-at` of a path in a drawing. */
static hbg_draw_point place_in(const char *svg, const char *path) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "data-path=\"%s\"", path);
    const char *tag = strstr(svg, wanted), *at = tag ? strstr(tag, "data-at=\"") : NULL;
    if (!at) fail_msg("no %s", path);
    char *end;
    double x = strtod(at + strlen("data-at=\""), &end);
    return (hbg_draw_point){x, strtod(end + 1, NULL)};
}

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* A tree of junctions with one-ports, some of it inside a component, all by the seed; `extra`: one element and one junction more. */
static void build_tree(fixture *f, uint32_t seed, int junctions, bool extra) {
    graph_init(&f->graph, "Tree", NULL);
    int32_t part = graph_scope(&f->graph, 0, "part", "Part");
    int32_t nodes[16];
    for (int i = 0; i < junctions; i++) {
        char name[16];
        snprintf(name, sizeof name, "j%d", i);
        nodes[i] = graph_junction(&f->graph, i >= junctions / 2 ? part : 0, i % 2 ? ZERO : ONE, name);
        if (i > 0) bond(f, nodes[next_random(&seed) % (uint32_t)i], nodes[i]);
        for (uint32_t k = next_random(&seed) % 3; k > 0; k--) {
            snprintf(name, sizeof name, "e%d_%u", i, (unsigned)k);
            bond(f, nodes[i],
                 graph_element(&f->graph, i >= junctions / 2 ? part : 0, k % 2 ? R : C, name,
                               graph_number(&f->graph, 1)));
        }
    }
    bond(f, add(f, SE, "source", 1), nodes[0]);
    if (!extra) return;
    int32_t at = nodes[next_random(&seed) % (uint32_t)junctions];
    int32_t more = junction(f, ZERO, "more");
    bond(f, at, more);
    bond(f, more, add(f, I, "new_one", 2));
}

static void an_edit_moves_nothing_that_was_there(void **state) {
    fixture *f = *state;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        build_tree(f, seed, 9, false);
        draw(f);
        char *earlier = strdup(f->svg.data);
        picture_free(&f->picture);
        graph_fini(&f->graph);
        setup(state);
        build_tree(f, seed, 9, true);
        f->options.earlier = earlier;
        draw(f); // refuses texts that overlap, or that a line strikes
        for (int32_t i = 0; i < f->graph.model->elements.count - 2; i++) {
            hbg_buffer path;
            hbg_base_buffer_init(&path, &f->graph.arena);
            hbg_model_path(f->graph.model, (hbg_object){HBG_OBJECT_ELEMENT, i}, &path);
            hbg_draw_point before = place_in(earlier, path.data), now = place_in(f->svg.data, path.data);
            if (hypot(before.x - now.x, before.y - now.y) > MOST_MOVED)
                fail_msg("seed %u: %s has moved", (unsigned)seed, path.data);
        }
        assert_true(has(f, "I : new_one"));
        free(earlier);
        picture_free(&f->picture);
        graph_fini(&f->graph);
        setup(state);
    }
}

/* A drawing of a source, a junction and a resistor with the first so many of their bonds, after an earlier one or NULL. */
static char *draw_lamp(void **state, int bonds, const char *earlier) {
    fixture *f = *state;
    graph_init(&f->graph, "Lamp", NULL);
    int32_t battery = add(f, SE, "battery", 12), loop = junction(f, ONE, "loop"),
            bulb = add(f, R, "bulb", 10);
    if (bonds > 0) bond(f, battery, loop);
    if (bonds > 1) bond(f, loop, bulb);
    f->options.earlier = earlier;
    draw(f);
    char *svg = strdup(f->svg.data);
    picture_free(&f->picture);
    graph_fini(&f->graph);
    setup(state);
    return svg;
}

static bool has_moved(const char *from, const char *to, const char *path) {
    hbg_draw_point before = place_in(from, path), now = place_in(to, path);
    return hypot(before.x - now.x, before.y - now.y) > MOST_MOVED;
}

/* Where things are that no bond leads to says nothing: the first bond places them. A bond that is gone for a while moves nothing. */
static void what_had_no_bond_is_placed_by_its_first(void **state) {
    char *apart = draw_lamp(state, 0, NULL), *still = draw_lamp(state, 0, apart),
         *fresh = draw_lamp(state, 2, NULL), *half = draw_lamp(state, 1, still),
         *joined = draw_lamp(state, 2, still), *broken = draw_lamp(state, 1, joined),
         *mended = draw_lamp(state, 2, broken);
    static const char *const paths[] = {"battery", "loop", "bulb"};
    for (int i = 0; i < 3; i++) {
        assert_false(has_moved(apart, still, paths[i]));
        assert_false(has_moved(fresh, joined, paths[i]));
        assert_false(has_moved(joined, broken, paths[i]));
        assert_false(has_moved(joined, mended, paths[i]));
    }
    assert_true(has_moved(apart, fresh, "loop") || has_moved(apart, fresh, "bulb"));
    assert_false(has_moved(apart, half, "bulb"));
    char *all[] = {apart, still, fresh, half, joined, broken, mended};
    for (int i = 0; i < 7; i++) free(all[i]);
}

static void what_has_a_place_is_there(void **state) {
    fixture *f = *state;
    build_tree(f, 3, 5, false);
    hbg_model *model = f->graph.model;
    model->elements.items[0].place = (hbg_drawn_at){true, 400, -100};
    model->elements.items[model->elements.count - 1].place = (hbg_drawn_at){true, 400, -180};
    draw(f);
    hbg_draw_point first = place_in(f->svg.data, "j0"), source = place_in(f->svg.data, "source");
    assert_true(first.x == 400 && first.y == -100 && source.x == 400 && source.y == -180);
    hbg_draw_point digit = middle_of(f, "1"), text = middle_of(f, "Se : source");
    assert_true(fabs(text.x - digit.x) < 1 && fabs(digit.y - text.y - 80) < 3);
}

/* Inside a component places count from its corner, wherever it is. */
static void a_component_takes_along_what_is_inside(void **state) {
    fixture *f = *state;
    hbg_draw_point inside[2];
    for (int i = 0; i < 2; i++) {
        build_tree(f, 5, 6, false);
        if (i) f->graph.model->scopes.items[1].place = (hbg_drawn_at){true, 1000, 700};
        draw(f);
        hbg_draw_point a = place_in(f->svg.data, "part.j3"), b = place_in(f->svg.data, "part.j5");
        inside[i] = (hbg_draw_point){a.x - b.x, a.y - b.y};
        if (i) {
            hbg_draw_point part = place_in(f->svg.data, "part");
            assert_true(fabs(part.x - 1000) < 1 && fabs(part.y - 700) < 1);
        }
        picture_free(&f->picture);
        graph_fini(&f->graph);
        setup(state);
    }
    assert_true(fabs(inside[0].x - inside[1].x) < 0.1 && fabs(inside[0].y - inside[1].y) < 0.1);
}

/* Whatever is handed in as an earlier drawing, a drawing comes out. */
static void an_earlier_drawing_may_be_anything(void **state) {
    fixture *f = *state;
    static const char *const earlier[] = {
        "",
        "<g ",
        "<g data-path=\"j0\" data-at=\"",
        "<g data-path=\"j0\" data-at=\"1\">",
        "<g data-path=\"j0\" data-at=\"nan,1\"><g data-path=\"j1\" data-at=\"1e300,-1e300\">",
        ("<g data-path=\"j0\" data-at=\"5,5\"><g data-path=\"j1\" data-at=\"5,5\"><g data-path=\"j2\" "
         "data-at=\"5,5\">"),
        "<g data-path=\"part\" data-at=\"5,5\" data-origin=\"x\"><g data-path=\"\" data-at=\"1,2\">"};
    for (size_t i = 0; i < sizeof earlier / sizeof *earlier; i++) {
        build_tree(f, 7, 5, false);
        f->options.earlier = earlier[i];
        draw(f);
        picture_free(&f->picture);
        graph_fini(&f->graph);
        setup(state);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_edit_moves_nothing_that_was_there),
        TEST(what_had_no_bond_is_placed_by_its_first),
        TEST(what_has_a_place_is_there),
        TEST(a_component_takes_along_what_is_inside),
        TEST(an_earlier_drawing_may_be_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
