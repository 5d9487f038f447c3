/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Layout by `dot`: the request. Nodes are boxes of fixed size without text, called n0, n1, …; edges carry
 * their number in the attribute `id`; clusters are called cluster0, …. Captions are passed as tables of fixed
 * size, so the layout does not depend on fonts. */
#include "draw/layout_impl.h"

#include <math.h>
#include <time.h>

#define CLUSTER_MARGIN 10

static void inches(hbg_buffer *out, const char *name, double pixels) {
    hbg_base_buffer_text(out, name);
    /* rounded up to hundredths, which the number printer keeps */
    hbg_draw_number(out, pixels / HBG_DRAW_PER_INCH + 0.005);
}

static void room(hbg_buffer *out, double width, double height) {
    hbg_base_buffer_print(
        out, "label=<<TABLE BORDER=\"0\" CELLSPACING=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"%d\">",
        (int)width + 1, (int)height + 1);
    hbg_base_buffer_text(out, "<TR><TD></TD></TR></TABLE>>");
}

/* First child and next sibling of every cluster, by number; the last entry is the child of the whole. */
typedef struct {
    int32_t *first_child, *next_sibling; /* clusters; first_child has one more for the top */
    int32_t *first_node, *next_node;     /* likewise for the nodes directly inside */
} family;

static family make_family(hbg_arena *arena, const hbg_draw_layout *layout) {
    int32_t top = layout->cluster_count;
    family family = {HBG_NEW_ARRAY(arena, int32_t, top + 1), HBG_NEW_ARRAY(arena, int32_t, top + 1),
                     HBG_NEW_ARRAY(arena, int32_t, top + 1),
                     HBG_NEW_ARRAY(arena, int32_t, layout->node_count + 1)};
    for (int32_t i = 0; i <= top; i++) family.first_child[i] = family.first_node[i] = -1;
    /* from the last to the first, so that the lists are in order */
    for (int32_t i = top - 1; i >= 0; i--) {
        int32_t parent = layout->clusters[i].parent < 0 ? top : layout->clusters[i].parent;
        family.next_sibling[i] = family.first_child[parent];
        family.first_child[parent] = i;
    }
    for (int32_t i = layout->node_count - 1; i >= 0; i--) {
        int32_t cluster = layout->nodes[i].cluster < 0 ? top : layout->nodes[i].cluster;
        family.next_node[i] = family.first_node[cluster];
        family.first_node[cluster] = i;
    }
    return family;
}

static void cell(hbg_buffer *out, const char *port, int width, int height) {
    hbg_base_buffer_print(out, "<TR><TD%s FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"%d\"></TD></TR>", port,
                          width, height);
}

/* Height of the row next to the one that edges meet; 0 if they meet the node in its middle. */
static int other_row(const hbg_draw_node *node) {
    int rest = (int)(2 * fabs(node->anchor));
    return rest < (int)node->height ? rest : 0;
}

/* A node that edges meet away from its middle is a table of two rows; edges go to the middle of one of
 * them. */
static void write_anchor(hbg_buffer *out, const hbg_draw_node *node) {
    int width = (int)node->width, height = (int)node->height, rest = other_row(node);
    if (rest == 0) {
        hbg_base_buffer_text(out, ",label=\"\"");
        return;
    }
    hbg_base_buffer_text(out,
                         ",label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\">");
    if (node->anchor > 0) cell(out, "", width, rest);
    cell(out, " PORT=\"p\"", width, height - rest);
    if (node->anchor < 0) cell(out, "", width, rest);
    hbg_base_buffer_text(out, "</TABLE>>");
}

static void write_nodes(hbg_buffer *out, const hbg_draw_layout *layout, const family *family,
                        int32_t cluster) {
    for (int32_t i = family->first_node[cluster]; i >= 0; i = family->next_node[i]) {
        hbg_base_buffer_print(out, "n%d [", i);
        inches(out, "width=", layout->nodes[i].width);
        inches(out, ",height=", layout->nodes[i].height);
        write_anchor(out, &layout->nodes[i]);
        hbg_base_buffer_text(out, "];\n");
    }
}

/* Clusters inside clusters, without recursion: down to the first child, along the siblings, up again. */
static void write_clusters(hbg_buffer *out, const hbg_draw_layout *layout, const family *family) {
    int32_t top = layout->cluster_count;
    int32_t at = family->first_child[top];
    while (at >= 0) {
        const hbg_draw_cluster *cluster = &layout->clusters[at];
        hbg_base_buffer_print(out, "subgraph cluster%d {\nmargin=%d; labeljust=l; ", at, CLUSTER_MARGIN);
        room(out, cluster->label_width, cluster->label_height);
        hbg_base_buffer_text(out, ";\n");
        write_nodes(out, layout, family, at);
        if (family->first_child[at] >= 0) {
            at = family->first_child[at];
            continue;
        }
        hbg_base_buffer_text(out, "}\n");
        while (at >= 0 && family->next_sibling[at] < 0) {
            at = layout->clusters[at].parent;
            if (at >= 0) hbg_base_buffer_text(out, "}\n");
        }
        if (at >= 0) at = family->next_sibling[at];
    }
}

static void write_edges(hbg_buffer *out, const hbg_draw_layout *layout) {
    for (int32_t i = 0; i < layout->edge_count; i++) {
        const hbg_draw_edge *edge = &layout->edges[i];
        const char *from = other_row(&layout->nodes[edge->from]) > 0 ? ":p:e" : ":e";
        const char *to = other_row(&layout->nodes[edge->to]) > 0 ? ":p:w" : ":w";
        hbg_base_buffer_print(out, "n%d%s -> n%d%s [id=%d,weight=%d", edge->from, from, edge->to, to, i,
                              edge->weight);
        if (edge->label_width > 0) {
            hbg_base_buffer_char(out, ',');
            room(out, edge->label_width, edge->label_height);
        }
        hbg_base_buffer_text(out, "];\n");
    }
}

static void write_question(hbg_buffer *out, hbg_arena *arena, const hbg_draw_layout *layout, bool routed) {
    family family = make_family(arena, layout);
    hbg_base_buffer_print(out, "digraph {\ngraph [rankdir=LR,splines=%s,newrank=true,linelength=0",
                          routed ? "polyline" : "none");
    inches(out, ",ranksep=", layout->layer_gap);
    inches(out, ",nodesep=", layout->node_gap);
    hbg_base_buffer_text(out, "];\nnode [shape=box,fixedsize=true];\nedge [arrowhead=none];\n");
    write_nodes(out, layout, &family, layout->cluster_count);
    write_clusters(out, layout, &family);
    write_edges(out, layout);
    hbg_base_buffer_text(out, "}\n");
}

static hbg_status ask(hbg_arena *arena, hbg_draw_layout *layout, bool routed, double timeout,
                      const char **reason) {
    hbg_buffer question, answer;
    hbg_base_buffer_init(&question, arena);
    hbg_base_buffer_init(&answer, arena);
    write_question(&question, arena, layout, routed);
    hbg_draw_command command = {.arguments = (const char *const[]){"dot", "-Tdot", NULL},
                                .package = "graphviz",
                                .input = question.data,
                                .input_size = question.size,
                                .timeout = timeout,
                                .output_limit = HBG_DRAW_OUTPUT_LIMIT};
    HBG_TRY(hbg_draw_run(&command, &answer, reason));
    layout->points.count = 0;
    if (hbg_draw_layout_read(arena, layout, answer.data, routed)) return HBG_OK;
    *reason = "the program `dot` gave an invalid layout";
    return HBG_NO_PROGRAM;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

hbg_status hbg_draw_layout_run(hbg_arena *arena, hbg_draw_layout *layout, const char **reason) {
    for (int32_t i = 0; i < layout->cluster_count; i++) layout->clusters[i].box = hbg_draw_box_empty;
    layout->width = layout->height = 0;
    if (layout->node_count == 0) return HBG_OK;

    /* on some graphs dot places all nodes and then fails to route an edge round them: do without routes */
    double deadline = now() + layout->timeout;
    hbg_status status = ask(arena, layout, true, layout->timeout, reason);
    double left = deadline - now();
    if (status != HBG_NO_PROGRAM || left <= 0) return status;
    return ask(arena, layout, false, left, reason);
}
