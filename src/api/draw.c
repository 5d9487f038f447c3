/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drawing: SVG, PNG or Graphviz text of a model. */
#include "draw/draw.h"
#include "api/api_impl.h"
#include "emit/emit.h"

#define PNG_ZOOM 2 /* pixels a unit of the drawing: crisp on paper and on dense screens */

hbg_draw_options hbg_draw_options_default(void) {
    hbg_diagram_options diagram = hbg_diagram_options_default();
    return (hbg_draw_options){HBG_DRAW_SVG, false, diagram.values, diagram.automata};
}

static hbg_status draw(hbg_session *session, const hbg_model *model, const hbg_draw_options *options,
                       hbg_buffer *out) {
    hbg_diagram_options diagram = hbg_diagram_options_default();
    diagram.force = options->force;
    diagram.values = options->values;
    diagram.automata = options->automata;
    if (options->format == HBG_DRAW_DOT) return hbg_emit_dot(model, &diagram, out, &session->reason);
    if (options->format == HBG_DRAW_SVG) return hbg_emit_diagram(model, &diagram, out, &session->reason);
    hbg_buffer svg;
    hbg_buffer_init(&svg, &session->scratch);
    HBG_TRY(hbg_emit_diagram(model, &diagram, &svg, &session->reason));
    return hbg_draw_png(svg.data, svg.size, PNG_ZOOM, out, &session->reason);
}

hbg_status hbg_draw(hbg_session *session, const hbg_model *model, const hbg_draw_options *options,
                    hbg_text *picture) {
    *picture = (hbg_text){0};
    HBG_ENTER(session);
    hbg_draw_options used = options ? *options : hbg_draw_options_default();
    hbg_buffer out;
    hbg_buffer_init(&out, &session->scratch);
    hbg_status status = draw(session, model, &used, &out);
    if (status == HBG_OK) status = hbg_text_of(session, out.data, out.size, picture);
    return hbg_session_leave(session, status);
}
