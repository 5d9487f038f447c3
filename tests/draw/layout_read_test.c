/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reader of layouts: takes what dot prints, refuses everything else, survives any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "draw/layout_impl.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_draw_node nodes[2];
    hbg_draw_edge edges[1];
    hbg_draw_cluster clusters[1];
    hbg_draw_layout layout;
} fixture;

static void reset(fixture *f) {
    f->layout = (hbg_draw_layout){.nodes = f->nodes,
                                  .edges = f->edges,
                                  .clusters = f->clusters,
                                  .node_count = 2,
                                  .edge_count = 1,
                                  .cluster_count = 1};
}

static int setup(void **state) {
    static fixture f;
    memset(&f, 0, sizeof f);
    hbg_base_arena_init(&f.arena, &f.memory);
    reset(&f);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hbg_base_arena_fini(&f->arena);
    return f->memory.used == 0 ? 0 : -1;
}

static const char good[] =
    "digraph {\n"
    "\tgraph [bb=\"0,0,200,100\",\n\t\trankdir=LR\n\t];\n"
    "\tnode [label=\"\"];\n\tedge [arrowhead=none];\n"
    "\tsubgraph cluster0 {\n\t\tgraph [bb=\"8,8,92,92.5\",\n\t\t\tlabel=<<TABLE><TR><TD>]</TD>"
    "</TR></TABLE>>\n\t\t];\n"
    "\t\tn0\t[height=1,\n\t\t\tpos=\"50,30\",\n\t\t\twidth=1];\n\t}\n"
    "\tn1\t[pos=\"1.5e+02,-2\"];\n"
    "\tn0:e -> n1:w\t[id=0,\n\t\tlp=\"75,50\",\n"
    "\t\tpos=\"60,30 60,30 100,80 100,80 100,80 140,98 140,98\"];\n}\n";

static void positions_are_read_with_y_turned_downwards(void **state) {
    fixture *f = *state;
    assert_true(hbg_draw_layout_read(&f->arena, &f->layout, good, true));
    assert_true(f->layout.width == 200 && f->layout.height == 100);
    assert_true(f->nodes[0].at.x == 50 && f->nodes[0].at.y == 70);
    assert_true(f->nodes[1].at.x == 150 && f->nodes[1].at.y == 102);
    hbg_draw_box box = f->clusters[0].box;
    assert_true(box.left == 8 && box.top == 7.5 && box.right == 92 && box.bottom == 92);
    assert_true(f->edges[0].label.x == 75 && f->edges[0].label.y == 50);
}

static void corners_given_three_times_count_once(void **state) {
    fixture *f = *state;
    assert_true(hbg_draw_layout_read(&f->arena, &f->layout, good, true));
    assert_int_equal(f->edges[0].point_count, 3);
    const hbg_draw_point *points = f->layout.points.items + f->edges[0].first_point;
    assert_true(points[1].x == 100 && points[1].y == 20);
}

static void answers_that_lack_or_invent_something_are_refused(void **state) {
    fixture *f = *state;
    static const char *const bad[] = {
        "",
        "graph {}",
        "digraph {}",
        "digraph",
        "digraph {",
        "digraph { graph [bb=\"0,0,1,1\"]; }",
        /* a node too many, a node before the size, an edge without number, with a wrong one, twice */
        "digraph { graph [bb=\"0,0,9,9\"]; n0 [pos=\"1,1\"]; n1 [pos=\"1,1\"]; n2 [pos=\"1,1\"]; }",
        "digraph { n0 [pos=\"1,1\"]; graph [bb=\"0,0,9,9\"]; }",
        "digraph { graph [bb=\"0,0,9,9\"]; n0 [pos=\"1,1\"]; n1 [pos=\"1,1\"]; n0 -> n1 [pos=\"1,1\"]; }",
        "digraph { graph [bb=\"0,0,9,9\"]; n0 [pos=\"1,1\"]; n1 [pos=\"1,1\"]; n0 -> n1 [id=1,pos=\"1,1\"]; "
        "}",
        "digraph { graph [bb=\"0,0,9,9\"]; n0 [pos=\"1,1\"]; n1 [pos=\"1,1\"]; n0 -> n1 [id=0,pos=\"1,1\"]; "
        "n0 -> n1 "
        "[id=0,pos=\"1,1\"]; }",
        "digraph { graph [bb=\"0,0,9,nan\"]; }",
        "digraph { graph [bb=\"0,0,9\"]; }",
        "digraph { graph [bb=\"0,0,9,9,9\"]; }",
        "digraph { graph [bb=\"",
        "digraph { graph [label=<<a>",
        "digraph { subgraph cluster0 { subgraph cluster0 { subgraph cluster0 { subgraph cluster0 {",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        reset(f);
        if (hbg_draw_layout_read(&f->arena, &f->layout, bad[i], true)) fail_msg("accepted: %s", bad[i]);
    }
}

static void edges_without_routes_become_straight(void **state) {
    fixture *f = *state;
    static const char plain[] =
        "digraph { graph [bb=\"0,0,200,100\"]; n0 [pos=\"50,30\"]; n1 [pos=\"150,80\"]; n0:e -> "
        "n1:w [id=0]; }";
    f->nodes[0].width = 20;
    f->nodes[1].width = 40;
    f->nodes[1].anchor = 5;
    f->edges[0] = (hbg_draw_edge){.from = 0, .to = 1};
    assert_false(hbg_draw_layout_read(&f->arena, &f->layout, plain, true));
    assert_true(hbg_draw_layout_read(&f->arena, &f->layout, plain, false));
    assert_int_equal(f->edges[0].point_count, 2);
    const hbg_draw_point *points = f->layout.points.items + f->edges[0].first_point;
    assert_true(points[0].x == 60 && points[0].y == 70 && points[1].x == 130 && points[1].y == 25);
}

/* Every beginning of a good answer, and every answer with one byte changed: refused or read, never worse. */
static void damaged_answers_are_survived(void **state) {
    fixture *f = *state;
    static const char bytes[] = "\"<>{}[];,=: \\9-e\x80";
    char text[sizeof good];
    int refused = 0;
    for (size_t i = 0; i + 1 < sizeof good; i++) {
        memcpy(text, good, i);
        text[i] = '\0';
        reset(f);
        /* all but the line end may not be missing */
        bool complete = i + 2 >= sizeof good;
        assert_int_equal(hbg_draw_layout_read(&f->arena, &f->layout, text, true), complete);
        for (size_t k = 0; k + 1 < sizeof bytes; k++) {
            memcpy(text, good, sizeof good);
            text[i] = bytes[k];
            reset(f);
            refused += !hbg_draw_layout_read(&f->arena, &f->layout, text, true);
        }
    }
    assert_true(refused > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(positions_are_read_with_y_turned_downwards, setup, teardown),
        cmocka_unit_test_setup_teardown(corners_given_three_times_count_once, setup, teardown),
        cmocka_unit_test_setup_teardown(answers_that_lack_or_invent_something_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(edges_without_routes_become_straight, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged_answers_are_survived, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
