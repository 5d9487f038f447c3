/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drawings of models made by chance: nothing overlaps, nothing is cut off, nothing is left behind. */
#include "emit/drawing_impl.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>

/* ---- any model ------------------------------------------------------------------------------------- */

typedef struct {
    fixture *fixture;
    uint32_t seed;
    int32_t junctions[2000], count;
    int32_t scopes[8], scope_count;
} generator;

static int32_t next_random(generator *g, int32_t below) {
    g->seed = g->seed * 1664525u + 1013904223u;
    return (int32_t)((g->seed >> 8) % (uint32_t)below);
}

static const char *any_name(generator *g, int32_t number) {
    static const char *const names[] = {
        "a",    "supply_line_of_the_main_bus",
        "R",    "WWWW",
        "iiii", "an_identifier_that_nobody_would_write_but_a_program_might_well_make"};
    return hbg_base_arena_print(&g->fixture->graph.arena, "%s_%d", names[next_random(g, 6)], (int)number);
}

/* A junction at one that is there already, mostly in the same component. */
static void any_junction(generator *g, int32_t number) {
    fixture *f = g->fixture;
    int32_t parent = g->count > 0 ? g->junctions[next_random(g, g->count)] : HBG_NONE;
    hbg_element_kind kind = parent >= 0 && f->graph.model->elements.items[parent].kind == ONE ? ZERO : ONE;
    int32_t scope = parent >= 0 && next_random(g, 3) ? f->graph.model->elements.items[parent].id.scope
                                                     : g->scopes[next_random(g, g->scope_count)];
    int32_t index = graph_junction(&f->graph, scope, kind, any_name(g, number));
    if (parent >= 0 && next_random(g, 2))
        bond(f, parent, index);
    else if (parent >= 0)
        bond(f, index, parent);
    g->junctions[g->count++] = index;
    if (next_random(g, 4) != 0) return;
    hbg_expr time = graph_op(&f->graph, HBG_OP_TIME, HBG_NONE, HBG_NONE);
    hbg_expr guard = graph_op(&f->graph, HBG_OP_GREATER, time, graph_number(&f->graph, 1));
    hbg_expr back = graph_op(&f->graph, HBG_OP_NOT, guard, HBG_NONE);
    const char *name = hbg_base_arena_print(&f->graph.arena, "automaton_%d", (int)number);
    graph_control(&f->graph, index, graph_automaton(&f->graph, scope, name, "off", "on", guard, back));
    f->graph.model->elements.items[index].dual_off = next_random(g, 2);
}

static void any_element(generator *g, int32_t number) {
    static const hbg_element_kind kinds[] = {R, C, I, SE, HBG_KIND_SF};
    fixture *f = g->fixture;
    int32_t at = g->junctions[next_random(g, g->count)];
    hbg_element_kind kind = kinds[next_random(g, 5)];
    int32_t scope = next_random(g, 8) ? f->graph.model->elements.items[at].id.scope : 0;
    hbg_expr value = graph_number(&f->graph, 1e-5 * (1 + next_random(g, 100000)));
    int32_t index = graph_element(&f->graph, scope, kind, any_name(g, number), value);
    bool source = kind == SE || kind == HBG_KIND_SF;
    bond(f, source ? index : at, source ? at : index);
}

static void build_any(fixture *f, uint32_t seed, int32_t size, int32_t components, int32_t loops) {
    generator *g = calloc(1, sizeof *g);
    g->fixture = f;
    g->seed = seed;
    graph_init(&f->graph, "Any", "made by chance");
    g->scope_count = 1;
    for (int32_t i = 0; i < components; i++) {
        int32_t parent = g->scopes[next_random(g, g->scope_count)];
        g->scopes[g->scope_count++] = graph_scope(&f->graph, parent, any_name(g, i), "Part");
    }
    for (int32_t i = 0; i < size; i++) {
        if (g->count == 0 || next_random(g, 5) < 2)
            any_junction(g, i + 100);
        else
            any_element(g, i + 100);
    }
    for (int32_t i = 0; i < loops; i++) {
        int32_t a = g->junctions[next_random(g, g->count)], b = g->junctions[next_random(g, g->count)];
        if (f->graph.model->elements.items[a].kind != f->graph.model->elements.items[b].kind) bond(f, a, b);
    }
    free(g);
}

static void no_text_overlaps_and_no_line_crosses_text_whatever_the_model(void **state) {
    fixture *f = *state;
    for (uint32_t seed = 1; seed <= 24; seed++) {
        build_any(f, seed * 7919u, 5 + (int32_t)(seed % 50), (int32_t)(seed % 6), (int32_t)(seed % 4));
        draw(f);
        int digits = 0, letters = 0;
        for (int i = 0; i < f->picture.text_count; i++) {
            digits += strcmp(f->picture.texts[i].class_name, "digit") == 0;
            letters += strcmp(f->picture.texts[i].class_name, "letters") == 0;
        }
        assert_int_equal(digits + letters, f->graph.model->elements.count);
        /* tail, corners, tip, barb: the piece that carries the barb is longer than it */
        for (int i = 0; i < f->picture.path_count; i++) {
            const picture_path *path = &f->picture.paths[i];
            hbg_draw_point tip = path->points[path->count - 2], before = path->points[path->count - 3];
            assert_true(hypot(tip.x - before.x, tip.y - before.y) > 12);
        }
        graph_fini(&f->graph);
    }
}

/* Three 0-junctions far from one 1-junction: the bonds of two come from nearly the same direction. */
static void bonds_from_one_side_end_apart(void **state) {
    fixture *f = *state;
    graph_init(&f->graph, "Meeting", NULL);
    int32_t meeting = junction(f, ONE, "x");
    for (int i = 0; i < 3; i++) {
        const char *name = hbg_base_arena_print(&f->graph.arena, "a_bond_whose_name_takes_much_room_%d", i);
        int32_t zero = junction(f, ZERO, hbg_base_arena_print(&f->graph.arena, "z%d", i));
        graph_bond(&f->graph, name, zero, meeting);
        bond(f, add(f, SE, hbg_base_arena_print(&f->graph.arena, "s%d", i), 1), zero);
    }
    bond(f, meeting, add(f, I, "m", 1));
    draw(f);
    hbg_draw_point tips[3];
    for (int i = 0; i < 3; i++) {
        const picture_path *path = &f->picture.paths[2 * i];
        tips[i] = path->points[path->count - 2];
        for (int k = 0; k < i; k++) assert_true(hypot(tips[i].x - tips[k].x, tips[i].y - tips[k].y) > 11);
    }
}

/* Whether a text lies across the border of a component. */
static bool lies_across(const fixture *f, const char *text) {
    int found = picture_find_text(&f->picture, text);
    assert_true(found >= 0);
    hbg_draw_box label = f->picture.texts[found].box;
    for (int i = 0; i < f->picture.rect_count; i++) {
        hbg_draw_box box = f->picture.rects[i];
        bool inside = label.left > box.left && label.right < box.right && label.top > box.top &&
                      label.bottom < box.bottom;
        if (!inside && hbg_draw_box_overlap(label, box)) return true;
    }
    return false;
}

/* The longer the name inside, the further right is the border that the named bond passes. */
static void names_of_bonds_keep_off_the_borders_of_components(void **state) {
    fixture *f = *state;
    for (int length = 1; length <= 16; length++) {
        graph_init(&f->graph, "Border", NULL);
        int32_t scope = graph_scope(&f->graph, 0, "part", "Part");
        int32_t inside = graph_junction(&f->graph, scope, ONE, "j"), outside = junction(f, ZERO, "z");
        const char *name = hbg_base_arena_print(&f->graph.arena, "%.*s", length, "mmmmmmmmmmmmmmmm");
        bond(f, inside, graph_element(&f->graph, scope, R, name, graph_number(&f->graph, 1)));
        graph_bond(&f->graph, "outlet", inside, outside);
        bond(f, outside, add(f, C, "tank", 1));
        draw(f);
        if (lies_across(f, "outlet")) fail_msg("across the border with %d letters", length);
        graph_fini(&f->graph);
    }
    graph_init(&f->graph, "", NULL); // for the teardown
}

static void tree_of_two_hundred_nodes_is_drawn(void **state) {
    fixture *f = *state;
    build_any(f, 5, 200, 0, 0);
    draw(f);
}

static void the_same_model_gives_the_same_bytes(void **state) {
    fixture *f = *state;
    char *first = NULL;
    for (int run = 0; run < 2; run++) {
        build_any(f, 77, 60, 4, 3);
        draw(f);
        if (run == 0)
            first = strdup(f->svg.data);
        else
            assert_string_equal(f->svg.data, first);
        graph_fini(&f->graph);
    }
    free(first);
}

/* ---- limits ---------------------------------------------------------------------------------------- */

static void more_than_two_thousand_nodes_need_force(void **state) {
    fixture *f = *state;
    build_any(f, 9, HBG_DIAGRAM_NODES + 1, 0, 0);
    hbg_model_check(f->graph.model);
    hbg_base_buffer_init(&f->svg, &f->graph.arena);
    assert_int_equal(hbg_emit_diagram(f->graph.model, &f->options, &f->svg, &f->graph.reason), HBG_TOO_LARGE);
    assert_string_equal(f->graph.reason, "the drawing has 2001 nodes, more than 2000");
    assert_int_equal(f->svg.size, 0);
    f->options.force = true;
    assert_int_equal(hbg_emit_diagram(f->graph.model, &f->options, &f->svg, &f->graph.reason), HBG_OK);
    assert_null(hbg_test_xml_parse(f->svg.data, NULL, NULL));
}

static void more_than_eight_thousand_bonds_need_force(void **state) {
    fixture *f = *state;
    graph_init(&f->graph, "Cable", NULL);
    int32_t one = junction(f, ONE, "a"), zero = junction(f, ZERO, "b");
    for (int i = 0; i <= HBG_DIAGRAM_BONDS; i++) bond(f, one, zero);
    hbg_model_check(f->graph.model);
    hbg_base_buffer_init(&f->svg, &f->graph.arena);
    assert_int_equal(hbg_emit_diagram(f->graph.model, &f->options, &f->svg, &f->graph.reason), HBG_TOO_LARGE);
    assert_string_equal(f->graph.reason, "the drawing has 8001 bonds, more than 8000");
}

static int open_descriptors(void) {
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;
    while (readdir(directory)) count++;
    closedir(directory);
    return count;
}

/* Draws with the n-th allocation from now failing; whether it got through. */
static bool draw_with_failure(fixture *f, int64_t after) {
    jmp_buf guard;
    hbg_memory *memory = &f->graph.memory;
    memory->fail_at = memory->calls + after;
    if (HBG_GUARD(memory, guard)) return false;
    hbg_status status = hbg_emit_diagram(f->graph.model, &f->options, &f->svg, &f->graph.reason);
    HBG_GUARD_END(memory);
    assert_int_equal(status, HBG_OK);
    return true;
}

/* Every allocation fails once; no child, no descriptor and no memory stays behind. */
static void exhausted_memory_leaves_nothing_behind(void **state) {
    fixture *f = *state;
    int before = open_descriptors(), failures = 0;
    bool done = false;
    for (int64_t after = 1; !done; after++) {
        build_any(f, 3, 30, 2, 1);
        hbg_model_check(f->graph.model);
        hbg_base_buffer_init(&f->svg, &f->graph.arena);
        done = draw_with_failure(f, after);
        failures += !done;
        graph_fini(&f->graph);
        assert_int_equal(f->graph.memory.used, 0);
        assert_int_equal(open_descriptors(), before);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        assert_int_equal(errno, ECHILD);
    }
    assert_true(failures >= 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(no_text_overlaps_and_no_line_crosses_text_whatever_the_model),
        TEST(bonds_from_one_side_end_apart),
        TEST(names_of_bonds_keep_off_the_borders_of_components),
        TEST(tree_of_two_hundred_nodes_is_drawn),
        TEST(the_same_model_gives_the_same_bytes),
        TEST(more_than_two_thousand_nodes_need_force),
        TEST(more_than_eight_thousand_bonds_need_force),
        TEST(exhausted_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
