/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drawing: SVG, PNG or Graphviz text of a model. */
#include "draw/draw.h"
#include "api/mode_impl.h"
#include "emit/emit.h"

#define PNG_ZOOM 2 /* pixels a unit of the drawing: crisp on paper and on dense screens */

hbg_draw_options hbg_draw_options_default(void) {
    hbg_diagram_options diagram = hbg_diagram_options_default();
    return (hbg_draw_options){
        .format = HBG_DRAW_SVG, .values = diagram.values, .automata = diagram.automata, .strokes = true};
}

/* Causal strokes of a mode, which of them hold in every mode, which junctions are off. A mode without a valid
 * assignment is drawn without strokes. */
static void show_causality(hbg_session *session, const hbg_mode_causality *causality,
                           hbg_diagram_options *diagram) {
    const hbg_model *model = causality->model;
    const hbg_causal_structure *structure = causality->structure;
    int8_t *stroke = HBG_NEW_ARRAY(&session->scratch, int8_t, model->bonds.count + 1);
    bool *fixed = HBG_NEW_ARRAY(&session->scratch, bool, model->bonds.count + 1);
    bool *off = HBG_NEW_ARRAY(&session->scratch, bool, model->elements.count + 1);
    for (int32_t i = 0; i < model->bonds.count; i++) {
        int32_t link = structure->bond_link[i];
        stroke[i] = (int8_t)hbg_causal_stroke(causality->assignment, i);
        fixed[i] = link != HBG_NONE && structure->link_fixed[link] != HBG_NONE;
    }
    for (int32_t place = 0; place < structure->place_count; place++)
        off[structure->place_element[place]] = !causality->on[place];
    diagram->off = off;
    if (!hbg_causal_valid(causality->assignment)) return;
    diagram->stroke = stroke;
    diagram->fixed = fixed;
}

static void show_changes(hbg_session *session, const hbg_mode_causality *other,
                         hbg_diagram_options *diagram) {
    if (!diagram->stroke || !hbg_causal_valid(other->assignment)) return;
    bool *changed = HBG_NEW_ARRAY(&session->scratch, bool, other->model->bonds.count + 1);
    for (int32_t i = 0; i < other->model->bonds.count; i++)
        changed[i] = diagram->stroke[i] != hbg_causal_stroke(other->assignment, i);
    diagram->changed = changed;
}

/* What the strokes say, for the reader of the picture. */
static const char *mode_note(hbg_session *session, const hbg_mode_causality *causality,
                             const hbg_draw_options *options, const hbg_diagram_options *diagram) {
    const char *mode = hbg_mode_text(session, causality->model, causality->states);
    if (mode[0] == 0) return diagram->stroke ? NULL : "No valid causal assignment: drawn without strokes";
    const char *strokes =
        diagram->stroke ? "heavy strokes are the same in every mode" : "no valid causal assignment";
    if (!diagram->changed) return hbg_arena_print(&session->scratch, "Mode %s; %s", mode, strokes);
    return hbg_arena_print(&session->scratch, "Mode %s; %s; red bonds differ from mode %s", mode, strokes,
                           options->compare);
}

static hbg_status add_causality(hbg_session *session, const hbg_model *model, const hbg_draw_options *options,
                                hbg_diagram_options *diagram) {
    hbg_mode_causality causality, other;
    HBG_TRY(hbg_mode_causality_find(session, model, options->mode, false, &causality));
    show_causality(session, &causality, diagram);
    if (options->compare) {
        HBG_TRY(hbg_mode_causality_find(session, model, options->compare, false, &other));
        show_changes(session, &other, diagram);
    }
    diagram->note = mode_note(session, &causality, options, diagram);
    return HBG_OK;
}

static hbg_status draw(hbg_session *session, const hbg_model *model, const hbg_draw_options *options,
                       hbg_buffer *out) {
    hbg_diagram_options diagram = hbg_diagram_options_default();
    diagram.force = options->force;
    diagram.values = options->values;
    diagram.automata = options->automata;
    bool large =
        model->elements.count > HBG_DIAGRAM_NODES && !options->force; // refused below: no need to look closer
    if (options->strokes && !large) HBG_TRY(add_causality(session, model, options, &diagram));
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
