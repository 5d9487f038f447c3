/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * From groups to places: junctions with everything that hangs there, transformers, gyrators and fields become
 * the nodes of a layered layout, components its clusters. */
#include "emit/diagram_impl.h"

#include <math.h>

#define LAYER_GAP      30.0
#define FAN_GAP        7.0  /* more for every bond beyond two on one side, */
#define MOST_FAN_GAP   56.0 /* but at most this */
#define NODE_GAP       12.0
#define BOX_GAP        20.0 /* likewise with closed components */
#define CAPTION_HEIGHT 16.0
#define LABEL_PADDING  10.0
#define SPINE_WEIGHT   500 /* more than the 128 with which dot pulls clusters together */
#define MOST_NESTED    32  /* components deeper inside are drawn as part of the one at this depth */

/* ---- clusters -------------------------------------------------------------------------------------- */

/* Components that have an element somewhere inside become clusters. */
static void make_clusters(hbg_diagram *diagram) {
    const hbg_model *model = diagram->model;
    int32_t scopes = model->scopes.count;
    bool *full = HBG_NEW_ARRAY(diagram->arena, bool, scopes + 1);
    int32_t *depth = HBG_NEW_ARRAY(diagram->arena, int32_t, scopes + 1);
    for (int32_t i = 0; i < diagram->thing_count; i++)
        if (!diagram->things[i].outside) full[diagram->things[i].scope] = true;
    /* parents come before their children */
    for (int32_t i = scopes - 1; i > 0; i--)
        if (full[i]) full[model->scopes.items[i].id.scope] = true;

    diagram->cluster_of_scope = HBG_NEW_ARRAY(diagram->arena, int32_t, scopes + 1);
    diagram->scope_of_cluster = HBG_NEW_ARRAY(diagram->arena, int32_t, scopes + 1);
    hbg_draw_cluster *clusters = HBG_NEW_ARRAY(diagram->arena, hbg_draw_cluster, scopes + 1);
    int32_t count = 0;
    diagram->cluster_of_scope[0] = HBG_NONE;
    for (int32_t i = 1; i < scopes; i++) {
        int32_t parent = model->scopes.items[i].id.scope;
        depth[i] = depth[parent] + 1;
        diagram->cluster_of_scope[i] = diagram->cluster_of_scope[parent];
        if (!full[i] || !diagram->shown[i] || depth[i] > MOST_NESTED) continue;
        double width = hbg_draw_text_width(hbg_emit_diagram_caption(diagram, i), HBG_DIAGRAM_TEXT, true);
        clusters[count] = (hbg_draw_cluster){.parent = diagram->cluster_of_scope[parent],
                                             .label_width = width,
                                             .label_height = CAPTION_HEIGHT};
        diagram->scope_of_cluster[count] = i;
        diagram->cluster_of_scope[i] = count++;
    }
    diagram->layout.clusters = clusters;
    diagram->layout.cluster_count = count;
    diagram->origins = HBG_NEW_ARRAY(diagram->arena, hbg_draw_point, count + 1);
}

/* ---- nodes and edges ------------------------------------------------------------------------------- */

static void make_nodes(hbg_diagram *diagram) {
    hbg_draw_layout *layout = &diagram->layout;
    layout->nodes = HBG_NEW_ARRAY(diagram->arena, hbg_draw_node, diagram->thing_count + 1);
    for (int32_t i = 0; i < diagram->thing_count; i++) {
        const hbg_diagram_thing *thing = &diagram->things[i];
        hbg_diagram_symbol *symbol = &diagram->symbols[i];
        if (symbol->host != i) continue;
        symbol->node = layout->node_count;
        layout->nodes[layout->node_count++] =
            (hbg_draw_node){.width = symbol->group.right - symbol->group.left,
                            .height = symbol->group.bottom - symbol->group.top,
                            .anchor = -(symbol->group.top + symbol->group.bottom) / 2,
                            .cluster = thing->outside ? HBG_NONE : diagram->cluster_of_scope[thing->scope]};
    }
}

static void make_edges(hbg_diagram *diagram) {
    hbg_draw_layout *layout = &diagram->layout;
    layout->edges = HBG_NEW_ARRAY(diagram->arena, hbg_draw_edge, diagram->link_count + 1);
    for (int32_t i = 0; i < diagram->link_count; i++) {
        const hbg_diagram_link *link = &diagram->links[i];
        hbg_diagram_bond *drawn = &diagram->bonds[i];
        const hbg_diagram_symbol *from = &diagram->symbols[link->from];
        const hbg_diagram_symbol *to = &diagram->symbols[link->to];
        drawn->edge = HBG_NONE;
        if (!hbg_emit_diagram_in_skeleton(diagram, link)) continue;
        const hbg_diagram_symbol *tail = drawn->turned ? to : from, *head = drawn->turned ? from : to;
        double fan = fmin(FAN_GAP * (tail->out_count - 2), MOST_FAN_GAP);
        layout->layer_gap = fmax(layout->layer_gap, LAYER_GAP + fan);
        drawn->edge = layout->edge_count;
        layout->edges[layout->edge_count++] =
            (hbg_draw_edge){.from = tail->node,
                            .to = head->node,
                            .weight = drawn->spine ? SPINE_WEIGHT : 1,
                            .label_width = drawn->name ? drawn->name_width + LABEL_PADDING : 0,
                            .label_height = drawn->name ? HBG_DIAGRAM_SMALL + 4 : 0};
    }
}

hbg_status hbg_emit_diagram_place(hbg_diagram *diagram, const char **reason) {
    hbg_draw_layout *layout = &diagram->layout;
    *layout = (hbg_draw_layout){.layer_gap = LAYER_GAP,
                                .node_gap = diagram->boxes ? BOX_GAP : NODE_GAP,
                                .timeout = diagram->options->timeout};
    make_clusters(diagram);
    make_nodes(diagram);
    make_edges(diagram);
    HBG_TRY(hbg_draw_layout_run(diagram->arena, layout, reason));

    for (int32_t i = 0; i < diagram->thing_count; i++) {
        hbg_diagram_symbol *symbol = &diagram->symbols[i];
        if (symbol->host != i) continue;
        const hbg_draw_node *node = &layout->nodes[symbol->node];
        symbol->at = (hbg_draw_point){node->at.x - (symbol->group.left + symbol->group.right) / 2,
                                      node->at.y + node->anchor};
    }
    for (int32_t i = 0; i < diagram->thing_count; i++) {
        hbg_diagram_symbol *symbol = &diagram->symbols[i];
        hbg_draw_point host = diagram->symbols[symbol->host].at;
        if (symbol->host != i)
            symbol->at = (hbg_draw_point){host.x + symbol->offset.x, host.y + symbol->offset.y};
    }
    hbg_emit_diagram_settle(diagram);
    return HBG_OK;
}
