/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bond graph of a model as a drawing: the stages, one after the other (diagram_impl.h). */
#include "emit/diagram_impl.h"

hbg_diagram_options hbg_emit_diagram_options_default(void) {
    return (hbg_diagram_options){.values = true, .automata = true, .timeout = HBG_DRAW_TIMEOUT};
}

static void find_domains(hbg_diagram *diagram) {
    const hbg_model *model = diagram->model;
    for (int32_t i = 0; i < model->bonds.count; i++)
        if (model->bonds.items[i].net >= 0)
            diagram->domains[model->net_domain[model->bonds.items[i].net]] = true;
    for (int i = 0; i < HBG_DOMAIN_COUNT; i++) diagram->domain_count += diagram->domains[i];
}

hbg_status hbg_emit_diagram_init(hbg_diagram *diagram, const hbg_model *model,
                                 const hbg_diagram_options *options, hbg_arena *arena, const char **reason) {
    HBG_ASSERT(model->frozen);
    int32_t nodes = model->elements.count, bonds = model->bonds.count;
    if ((nodes > HBG_DIAGRAM_NODES || bonds > HBG_DIAGRAM_BONDS) && !options->force) {
        bool many_nodes = nodes > HBG_DIAGRAM_NODES;
        *reason = hbg_base_arena_print(arena, "the drawing has %d %s, more than %d",
                                       (int)(many_nodes ? nodes : bonds), many_nodes ? "nodes" : "bonds",
                                       many_nodes ? HBG_DIAGRAM_NODES : HBG_DIAGRAM_BONDS);
        return HBG_TOO_LARGE;
    }
    *diagram = (hbg_diagram){.model = model, .options = options, .arena = arena};
    diagram->symbols = HBG_NEW_ARRAY(arena, hbg_diagram_symbol, model->elements.count + 1);
    diagram->bonds = HBG_NEW_ARRAY(arena, hbg_diagram_bond, model->bonds.count + 1);
    find_domains(diagram);
    hbg_emit_diagram_describe(diagram);
    return HBG_OK;
}

hbg_status hbg_emit_diagram(const hbg_model *model, const hbg_diagram_options *options, hbg_buffer *out,
                            const char **reason) {
    hbg_diagram diagram;
    HBG_TRY(hbg_emit_diagram_init(&diagram, model, options, out->arena, reason));
    hbg_emit_diagram_hang(&diagram);
    HBG_TRY(hbg_emit_diagram_place(&diagram, reason));
    hbg_emit_diagram_route(&diagram);
    hbg_emit_diagram_paint(&diagram, out);
    return HBG_OK;
}
