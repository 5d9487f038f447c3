/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Layout by the real `dot`: what its promises are worth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "draw/draw.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    const char *reason;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){0};
    hbg_base_arena_init(&f.arena, &f.memory);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hbg_base_arena_fini(&f->arena);
    return f->memory.used == 0 ? 0 : -1;
}

#define NODE(w, h, c)                                                                                        \
    { .width = (w), .height = (h), .cluster = (c) }
#define COUNT(array) ((int32_t)(sizeof(array) / sizeof *(array)))

static hbg_draw_box node_box(const hbg_draw_node *node) {
    return (hbg_draw_box){node->at.x - node->width / 2, node->at.y - node->height / 2,
                          node->at.x + node->width / 2, node->at.y + node->height / 2};
}

static bool inside(hbg_draw_box inner, hbg_draw_box outer) {
    return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top &&
           inner.bottom <= outer.bottom;
}

static void assert_sound(const hbg_draw_layout *layout) {
    hbg_draw_box page = {-1, -1, layout->width + 1, layout->height + 1};
    for (int32_t i = 0; i < layout->node_count; i++) {
        hbg_draw_box box = node_box(&layout->nodes[i]);
        assert_true(inside(box, page));
        for (int32_t k = 0; k < i; k++) assert_false(hbg_draw_box_overlap(box, node_box(&layout->nodes[k])));
    }
    for (int32_t c = 0; c < layout->cluster_count; c++) {
        assert_true(inside(layout->clusters[c].box, page));
        for (int32_t i = 0; i < layout->node_count; i++) {
            int32_t at = layout->nodes[i].cluster;
            while (at > c) at = layout->clusters[at].parent;
            bool member = at == c;
            if (member)
                assert_true(inside(node_box(&layout->nodes[i]), layout->clusters[c].box));
            else
                assert_false(hbg_draw_box_overlap(node_box(&layout->nodes[i]), layout->clusters[c].box));
        }
    }
    for (int32_t i = 0; i < layout->edge_count; i++) {
        const hbg_draw_edge *edge = &layout->edges[i];
        const hbg_draw_point *points = layout->points.items + edge->first_point;
        hbg_draw_box from = node_box(&layout->nodes[edge->from]), to = node_box(&layout->nodes[edge->to]);
        assert_true(edge->point_count >= 2);
        /* within the rounding of what dot prints */
        assert_true(abs((int)(points[0].x - from.right)) <= 2);
        assert_true(abs((int)(points[edge->point_count - 1].x - to.left)) <= 2);
    }
}

static void chain_goes_from_left_to_right_in_one_row(void **state) {
    fixture *f = *state;
    hbg_draw_node nodes[] = {NODE(30, 20, -1), NODE(60, 80, -1), NODE(20, 20, -1)};
    hbg_draw_edge edges[] = {{.from = 0, .to = 1, .weight = 1}, {.from = 1, .to = 2, .weight = 1}};
    hbg_draw_layout layout = {.nodes = nodes, .edges = edges, .node_count = 3, .edge_count = 2};
    layout.layer_gap = 40;
    layout.node_gap = 10;
    layout.timeout = 20;
    assert_int_equal(hbg_draw_layout_run(&f->arena, &layout, &f->reason), HBG_OK);
    assert_sound(&layout);
    assert_true(nodes[0].at.x < nodes[1].at.x && nodes[1].at.x < nodes[2].at.x);
    assert_true(nodes[0].at.y == nodes[1].at.y && nodes[1].at.y == nodes[2].at.y);
    assert_true(layout.height >= 80 && layout.height < 100);
}

/* The first meets its edge 15 above its middle, the second 20 below. */
static void edges_meet_anchors_on_one_level(void **state) {
    fixture *f = *state;
    hbg_draw_node nodes[] = {NODE(30, 60, -1), NODE(60, 80, -1), NODE(20, 20, -1)};
    hbg_draw_edge edges[] = {{.from = 0, .to = 1, .weight = 1}, {.from = 1, .to = 2, .weight = 1}};
    nodes[0].anchor = -15;
    nodes[1].anchor = 20;
    hbg_draw_layout layout = {.nodes = nodes,
                              .edges = edges,
                              .node_count = 3,
                              .edge_count = 2,
                              .layer_gap = 40,
                              .node_gap = 10,
                              .timeout = 20};
    assert_int_equal(hbg_draw_layout_run(&f->arena, &layout, &f->reason), HBG_OK);
    assert_sound(&layout);
    assert_true(nodes[0].at.y - 15 == nodes[2].at.y && nodes[1].at.y + 20 == nodes[2].at.y);
    for (int i = 0; i < 2; i++) {
        const hbg_draw_point *points = layout.points.items + edges[i].first_point;
        assert_true(points[0].y == nodes[2].at.y && points[edges[i].point_count - 1].y == nodes[2].at.y);
    }
}

static void nested_clusters_enclose_their_nodes_and_keep_room_for_captions(void **state) {
    fixture *f = *state;
    hbg_draw_cluster clusters[] = {{.parent = -1, .label_width = 200, .label_height = 16},
                                   {.parent = 0, .label_width = 100, .label_height = 16},
                                   {.parent = 1, .label_width = 30, .label_height = 16},
                                   {.parent = 0, .label_width = 30, .label_height = 16}};
    hbg_draw_node nodes[] = {NODE(30, 20, -1), NODE(20, 20, 0), NODE(20, 20, 1),
                             NODE(20, 20, 2),  NODE(20, 20, 3), NODE(20, 20, 3)};
    hbg_draw_edge edges[] = {{.from = 0, .to = 1, .weight = 1},
                             {.from = 1, .to = 2, .weight = 1},
                             {.from = 2, .to = 3, .weight = 1},
                             {.from = 1, .to = 4, .weight = 1},
                             {.from = 4, .to = 5, .weight = 1, .label_width = 50, .label_height = 14}};
    hbg_draw_layout layout = {.nodes = nodes,
                              .edges = edges,
                              .clusters = clusters,
                              .node_count = COUNT(nodes),
                              .edge_count = COUNT(edges),
                              .cluster_count = COUNT(clusters),
                              .layer_gap = 30,
                              .node_gap = 10,
                              .timeout = 20};
    assert_int_equal(hbg_draw_layout_run(&f->arena, &layout, &f->reason), HBG_OK);
    assert_sound(&layout);
    for (int i = 0; i < COUNT(clusters); i++) {
        hbg_draw_box box = clusters[i].box;
        assert_true(box.right - box.left >= clusters[i].label_width);
        for (int k = 0; k < COUNT(nodes); k++)
            if (nodes[k].cluster == i) assert_true(nodes[k].at.y - 10 >= box.top + 16);
    }
    assert_true(inside(clusters[1].box, clusters[0].box));
    assert_true(inside(clusters[2].box, clusters[1].box));
    assert_true(inside(clusters[3].box, clusters[0].box));
    /* the room for the label lies between the two nodes */
    assert_true(edges[4].label.x > nodes[4].at.x && edges[4].label.x < nodes[5].at.x);
}

static void parallel_edges_each_get_a_route(void **state) {
    fixture *f = *state;
    hbg_draw_node nodes[] = {NODE(30, 20, -1), NODE(30, 20, -1)};
    hbg_draw_edge edges[] = {{.from = 0, .to = 1, .weight = 1},
                             {.from = 0, .to = 1, .weight = 1},
                             {.from = 0, .to = 1, .weight = 1}};
    hbg_draw_layout layout = {.nodes = nodes,
                              .edges = edges,
                              .node_count = 2,
                              .edge_count = 3,
                              .layer_gap = 40,
                              .node_gap = 10,
                              .timeout = 20};
    assert_int_equal(hbg_draw_layout_run(&f->arena, &layout, &f->reason), HBG_OK);
    assert_sound(&layout);
}

static void empty_graph_and_empty_cluster_are_laid_out(void **state) {
    fixture *f = *state;
    hbg_draw_layout empty = {.timeout = 20};
    assert_int_equal(hbg_draw_layout_run(&f->arena, &empty, &f->reason), HBG_OK);
    hbg_draw_node node = {.width = 10, .height = 10, .cluster = -1};
    hbg_draw_cluster cluster = {.parent = -1};
    hbg_draw_layout layout = {
        .nodes = &node, .clusters = &cluster, .node_count = 1, .cluster_count = 1, .timeout = 20};
    assert_int_equal(hbg_draw_layout_run(&f->arena, &layout, &f->reason), HBG_OK);
    assert_true(cluster.box.right < cluster.box.left);
}

static void missing_dot_is_named_with_its_package(void **state) {
    fixture *f = *state;
    hbg_draw_node node = {.width = 10, .height = 10, .cluster = -1};
    hbg_draw_layout layout = {.nodes = &node, .node_count = 1, .timeout = 20};
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    hbg_status status = hbg_draw_layout_run(&f->arena, &layout, &f->reason);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, HBG_NO_PROGRAM);
    assert_string_equal(f->reason, "the program `dot` is missing: install the package graphviz");
}

/* Answer number one and answer number two are the same to the last bit. */
static void layout_is_repeatable(void **state) {
    fixture *f = *state;
    enum { NODES = 60 };
    hbg_draw_node nodes[2][NODES];
    hbg_draw_edge edges[2][NODES - 1];
    for (int run = 0; run < 2; run++) {
        uint32_t seed = 3;
        for (int i = 0; i < NODES; i++) {
            seed = seed * 1664525u + 1013904223u;
            nodes[run][i] = (hbg_draw_node){.width = 20 + (seed >> 20) % 50, .height = 20, .cluster = -1};
            if (i == 0) continue;
            edges[run][i - 1] =
                (hbg_draw_edge){.from = (int32_t)((seed >> 8) % (uint32_t)i), .to = i, .weight = 1};
        }
        hbg_draw_layout layout = {.nodes = nodes[run],
                                  .edges = edges[run],
                                  .node_count = NODES,
                                  .edge_count = NODES - 1,
                                  .layer_gap = 30,
                                  .node_gap = 10,
                                  .timeout = 20};
        assert_int_equal(hbg_draw_layout_run(&f->arena, &layout, &f->reason), HBG_OK);
        assert_sound(&layout);
    }
    for (int i = 0; i < NODES; i++)
        assert_memory_equal(&nodes[0][i].at, &nodes[1][i].at, sizeof nodes[0][i].at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(chain_goes_from_left_to_right_in_one_row, setup, teardown),
        cmocka_unit_test_setup_teardown(edges_meet_anchors_on_one_level, setup, teardown),
        cmocka_unit_test_setup_teardown(nested_clusters_enclose_their_nodes_and_keep_room_for_captions, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(parallel_edges_each_get_a_route, setup, teardown),
        cmocka_unit_test_setup_teardown(empty_graph_and_empty_cluster_are_laid_out, setup, teardown),
        cmocka_unit_test_setup_teardown(missing_dot_is_named_with_its_package, setup, teardown),
        cmocka_unit_test_setup_teardown(layout_is_repeatable, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
