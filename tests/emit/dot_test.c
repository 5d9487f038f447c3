/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Graphviz text: what it says, and that `dot` reads it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/draw.h"
#include "emit/graph_impl.h"

typedef struct {
    graph graph;
    hbg_diagram_options options;
    hbg_buffer out;
} fixture;

static int setup(void **state) {
    static fixture f;
    memset(&f, 0, sizeof f);
    f.options = hbg_emit_diagram_options_default();
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    graph_fini(&f->graph);
    return f->graph.memory.used == 0 ? 0 : -1;
}

static void build(fixture *f, const char *doc) {
    graph *g = &f->graph;
    graph_init(g, "Pump", doc);
    int32_t outer = graph_scope(g, 0, "outer", "Outer"), inner = graph_scope(g, outer, "inner", "Inner");
    int32_t last = graph_scope(g, 0, "last", "Last");
    int32_t source = graph_element(g, 0, HBG_KIND_SE, "s", graph_number(g, 2));
    int32_t one = graph_junction(g, inner, HBG_KIND_ONE, "j");
    int32_t tank = graph_element(g, last, HBG_KIND_C, "tank", graph_number(g, 0.5));
    hbg_expr time = graph_op(g, HBG_OP_TIME, HBG_NONE, HBG_NONE);
    hbg_expr guard = graph_op(g, HBG_OP_GREATER, time, graph_number(g, 1));
    hbg_expr back = graph_op(g, HBG_OP_NOT, guard, HBG_NONE);
    graph_control(g, one, graph_automaton(g, inner, "valve", "shut", "open", guard, back));
    graph_bond(g, "feed", source, one);
    graph_bond(g, "", one, tank);
}

static void emit(fixture *f) {
    hbg_model_check(f->graph.model);
    hbg_base_buffer_init(&f->out, &f->graph.arena);
    assert_int_equal(hbg_emit_dot(f->graph.model, &f->options, &f->out, &f->graph.reason), HBG_OK);
}

static void whole_graph_is_written_in_order(void **state) {
    fixture *f = *state;
    build(f, "moves water");
    emit(f);
    assert_string_equal(
        f->out.data,
        "digraph \"Pump\" {\n"
        "  graph [rankdir=LR, labelloc=t, label=\"Pump\\nmoves water\"];\n"
        "  node [shape=plaintext];\n"
        "  \"s\" [label=\"Se : s\\n2\", tooltip=\"s: effort source, 2\\nvalue: 2\"];\n"
        "  subgraph \"cluster_outer\" {\n"
        "    label=\"outer : Outer\";\n"
        "    subgraph \"cluster_outer.inner\" {\n"
        "      label=\"inner : Inner\";\n"
        "      \"outer.inner.j\" [label=\"1 j\\nwhen valve\", shape=box, style=\"rounded,filled\", "
        "fillcolor=\"#ffe7ad\", tooltip=\"outer.inner.j: controlled 1-junction\\non when "
        "outer.inner.valve\\noff: no "
        "flow\"];\n"
        "    }\n"
        "  }\n"
        "  subgraph \"cluster_last\" {\n"
        "    label=\"last : Last\";\n"
        "    \"last.tank\" [label=\"C : tank\\n0.5\", tooltip=\"last.tank: capacitor, 0.5\\nvalue: 0.5\"];\n"
        "  }\n"
        "  \"s\" -> \"outer.inner.j\" [arrowhead=lvee, label=\"feed\"];\n"
        "  \"outer.inner.j\" -> \"last.tank\" [arrowhead=lvee];\n"
        "}\n");
}

static void causal_strokes_are_bars_at_the_ends(void **state) {
    fixture *f = *state;
    build(f, NULL);
    static const int8_t strokes[] = {1, 0};
    f->options.stroke = strokes;
    emit(f);
    assert_non_null(strstr(f->out.data, "\"s\" -> \"outer.inner.j\" [arrowhead=teelvee, label=\"feed\"];"));
    assert_non_null(
        strstr(f->out.data, "\"outer.inner.j\" -> \"last.tank\" [arrowhead=lvee, dir=both, arrowtail=tee];"));
}

static void dot_reads_the_text_whatever_the_description_holds(void **state) {
    fixture *f = *state;
    static const char *const docs[] = {"plain", "\"];} digraph {", "back\\slash\\", "<b>&amp;\n\t",
                                       "\\N\\G Ω"};
    for (size_t i = 0; i < sizeof docs / sizeof *docs; i++) {
        build(f, docs[i]);
        emit(f);
        hbg_buffer answer;
        hbg_base_buffer_init(&answer, &f->graph.arena);
        const char *const arguments[] = {"dot", "-Tplain", NULL};
        hbg_draw_command command = {.arguments = arguments,
                                    .package = "graphviz",
                                    .input = f->out.data,
                                    .input_size = f->out.size,
                                    .timeout = 20,
                                    .output_limit = 1000000};
        hbg_status status = hbg_draw_run(&command, &answer, &f->graph.reason);
        if (status != HBG_OK) fail_msg("%s", f->graph.reason);
        int nodes = 0, edges = 0;
        for (const char *p = answer.data; (p = strchr(p, '\n')); p++) {
            nodes += strncmp(p, "\nnode ", 6) == 0;
            edges += strncmp(p, "\nedge ", 6) == 0;
        }
        assert_int_equal(nodes, 3);
        assert_int_equal(edges, 2);
        graph_fini(&f->graph);
    }
}

static void more_than_two_thousand_nodes_need_force(void **state) {
    fixture *f = *state;
    graph_init(&f->graph, "Big", NULL);
    int32_t hub = graph_junction(&f->graph, 0, HBG_KIND_ZERO, "hub");
    for (int i = 0; i < HBG_DIAGRAM_NODES; i++) {
        const char *name = hbg_base_arena_print(&f->graph.arena, "r%d", i);
        int32_t load = graph_element(&f->graph, 0, HBG_KIND_R, name, graph_number(&f->graph, 1));
        graph_bond(&f->graph, "", hub, load);
    }
    hbg_model_check(f->graph.model);
    hbg_base_buffer_init(&f->out, &f->graph.arena);
    assert_int_equal(hbg_emit_dot(f->graph.model, &f->options, &f->out, &f->graph.reason), HBG_TOO_LARGE);
    assert_int_equal(f->out.size, 0);
    f->options.force = true;
    emit(f);
    assert_non_null(strstr(f->out.data, "\"r1999\""));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static void marks_of_a_mode_are_styles(void **state) {
    fixture *f = *state;
    build(f, NULL);
    bool off[3] = {false, true, false}, dependent[3] = {false, false, true};
    const bool conflict[2] = {true, false}, changed[2] = {false, true};
    f->options.off = off;
    f->options.dependent = dependent;
    f->options.conflict = conflict;
    f->options.changed = changed;
    f->options.note = "Mode valve=shut";
    emit(f);
    assert_non_null(strstr(f->out.data, "style=\"rounded,dashed\""));
    assert_non_null(strstr(f->out.data, "fillcolor=\"#e6daf5\""));
    assert_non_null(strstr(f->out.data, "label=\"feed\", color=\"#d6336c\", penwidth=3]"));
    assert_non_null(strstr(f->out.data, "[arrowhead=lvee, color=\"#d6336c\"]"));
    assert_non_null(strstr(f->out.data, "Mode valve=shut"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(whole_graph_is_written_in_order),
        TEST(causal_strokes_are_bars_at_the_ends),
        TEST(dot_reads_the_text_whatever_the_description_holds),
        TEST(more_than_two_thousand_nodes_need_force),
        TEST(marks_of_a_mode_are_styles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
