/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bond graph of a model as a drawing: the stages, one after the other (diagram_impl.h). */
#include "emit/diagram_impl.h"

hbg_diagram_options hbg_emit_diagram_options_default(void) {
    return (hbg_diagram_options){.depth = -1, .values = true, .automata = true, .timeout = HBG_DRAW_TIMEOUT};
}

static void find_domains(hbg_diagram *diagram) {
    for (int32_t i = 0; i < diagram->link_count; i++) {
        int32_t net = hbg_emit_diagram_bond_of(diagram, i)->net;
        if (net >= 0) diagram->domains[diagram->model->net_domain[net]] = true;
    }
    for (int i = 0; i < HBG_DOMAIN_COUNT; i++) diagram->domain_count += diagram->domains[i];
}

hbg_status hbg_emit_diagram_fits(const hbg_model *model, const hbg_diagram_options *options, hbg_arena *arena,
                                 const char **reason) {
    hbg_diagram diagram = {.model = model, .options = options, .arena = arena};
    return hbg_emit_diagram_view(&diagram, reason);
}

hbg_status hbg_emit_diagram_init(hbg_diagram *diagram, const hbg_model *model,
                                 const hbg_diagram_options *options, hbg_arena *arena, const char **reason) {
    HBG_ASSERT(model->frozen);
    *diagram = (hbg_diagram){.model = model, .options = options, .arena = arena};
    HBG_TRY(hbg_emit_diagram_view(diagram, reason));
    diagram->symbols = HBG_NEW_ARRAY(arena, hbg_diagram_symbol, diagram->thing_count + 1);
    diagram->bonds = HBG_NEW_ARRAY(arena, hbg_diagram_bond, diagram->link_count + 1);
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
