/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drawing: SVG, PNG or Graphviz text of a model. */
#include "draw/draw.h"
#include "api/mode_impl.h"
#include "emit/emit.h"

#define PNG_ZOOM 2 /* pixels a unit of the drawing: crisp on paper and on dense screens */

hbg_draw_options hbg_draw_options_default(void) {
    hbg_diagram_options diagram = hbg_emit_diagram_options_default();
    return (hbg_draw_options){
        .format = HBG_DRAW_SVG, .values = diagram.values, .automata = diagram.automata, .strokes = true};
}

/* What a drawing shows of a mode, by bond and by element. */
typedef struct {
    int8_t *stroke;
    bool *fixed, *conflict;
    bool *loose; /* NULL: none is */
    bool *off, *dependent;
} mode_marks;

/* What is in conflict stands out as bonds that contradict each other do. */
static void mark_limits(hbg_session *session, const hbg_mode_causality *causality, mode_marks *marks) {
    const hbg_eqn_mode_limit *limit = &causality->limit;
    for (int32_t i = 0; limit->bonds && i < causality->model->bonds.count; i++) {
        bool unbounded = limit->bonds[i] & (HBG_EQN_UNBOUNDED_EFFORT | HBG_EQN_UNBOUNDED_FLOW);
        marks->conflict[i] = unbounded;
        if (unbounded || !(limit->bonds[i] & HBG_EQN_BY_PARASITES)) continue;
        if (!marks->loose)
            marks->loose = HBG_NEW_ARRAY(&session->scratch, bool, causality->model->bonds.count + 1);
        marks->loose[i] = true;
    }
}

static void mark_bonds(hbg_session *session, const hbg_mode_causality *causality, mode_marks *marks) {
    const hbg_causal_structure *structure = causality->structure;
    for (int32_t i = 0; i < causality->model->bonds.count; i++) {
        int32_t link = structure->bond_link[i];
        marks->stroke[i] = (int8_t)hbg_causal_stroke(causality->assignment, i);
        marks->fixed[i] = link != HBG_NONE && structure->link_fixed[link] != HBG_NONE;
    }
    mark_limits(session, causality, marks);
    for (int32_t i = 0; i < causality->conflict.count; i++)
        marks->conflict[causality->conflict.bonds[i]] = true;
}

static void mark_elements(const hbg_mode_causality *causality, mode_marks *marks) {
    const hbg_model *model = causality->model;
    const hbg_causal_structure *structure = causality->structure;
    for (int32_t place = 0; place < structure->place_count; place++)
        marks->off[structure->place_element[place]] = !causality->on[place];
    if (!hbg_causal_valid(causality->assignment)) return;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        if (element->kind != HBG_KIND_C && element->kind != HBG_KIND_I) continue;
        for (int32_t port = 1; port <= element->ports; port++)
            if (hbg_causal_is_derivative(causality->assignment, i, port)) marks->dependent[i] = true;
    }
}

static mode_marks make_marks(hbg_session *session, const hbg_mode_causality *causality) {
    hbg_arena *arena = &session->scratch;
    int32_t bonds = causality->model->bonds.count, elements = causality->model->elements.count;
    mode_marks marks = {.stroke = HBG_NEW_ARRAY(arena, int8_t, bonds + 1),
                        .fixed = HBG_NEW_ARRAY(arena, bool, bonds + 1),
                        .conflict = HBG_NEW_ARRAY(arena, bool, bonds + 1),
                        .off = HBG_NEW_ARRAY(arena, bool, elements + 1),
                        .dependent = HBG_NEW_ARRAY(arena, bool, elements + 1)};
    mark_bonds(session, causality, &marks);
    mark_elements(causality, &marks);
    return marks;
}

/* A mode with no valid assignment has no strokes: the bonds that contradict each other stand out instead. Where
 * nothing switches every stroke is fixed, and to say so of each would be noise. */
static void show_mode(const hbg_mode_causality *causality, const mode_marks *marks,
                      hbg_diagram_options *diagram) {
    const hbg_causal_structure *structure = causality->structure;
    bool switches = false;
    for (int32_t place = 0; place < structure->place_count; place++)
        switches = switches || structure->controlled[place];
    diagram->off = marks->off;
    diagram->states = causality->states;
    diagram->conflict = marks->conflict;
    diagram->mythical = causality->limit.kind == HBG_EQN_MODE_CONTESTED;
    diagram->loose = marks->loose;
    if (!hbg_causal_valid(causality->assignment)) return;
    diagram->stroke = marks->stroke;
    diagram->dependent = marks->dependent;
    if (switches) diagram->fixed = marks->fixed;
}

/* What is otherwise in another mode: junctions and automata always, strokes and storages if it has a valid
 * assignment too. */
static void show_changes(hbg_session *session, const hbg_mode_causality *causality, const mode_marks *here,
                         const hbg_mode_causality *other, hbg_diagram_options *diagram) {
    const hbg_model *model = other->model;
    mode_marks there = make_marks(session, other);
    bool *changed = HBG_NEW_ARRAY(&session->scratch, bool, model->bonds.count + 1);
    bool *changed_element = HBG_NEW_ARRAY(&session->scratch, bool, model->elements.count + 1);
    bool valid = hbg_causal_valid(causality->assignment) && hbg_causal_valid(other->assignment);
    for (int32_t i = 0; valid && i < model->bonds.count; i++) changed[i] = here->stroke[i] != there.stroke[i];
    for (int32_t i = 0; i < model->elements.count; i++)
        changed_element[i] =
            here->off[i] != there.off[i] || (valid && here->dependent[i] != there.dependent[i]);
    diagram->changed = changed;
    diagram->changed_element = changed_element;
    diagram->other_states = other->states;
    diagram->other = hbg_api_mode_text(session, model, other->states);
}

static const char *mode_note(hbg_session *session, const hbg_mode_causality *causality,
                             const hbg_mode_causality *other, const hbg_diagram_options *diagram) {
    hbg_buffer note;
    hbg_base_buffer_init(&note, &session->scratch);
    const char *mode = hbg_api_mode_text(session, causality->model, causality->states);
    if (mode[0]) hbg_base_buffer_print(&note, "Mode %s", mode);
    if (!diagram->stroke)
        hbg_base_buffer_text(&note, mode[0] ? ": no valid causal assignment" : "No valid causal assignment");
    if (diagram->mythical)
        hbg_base_buffer_text(&note, mode[0] ? ": mythical only, unless its sources agree"
                                            : "Mythical only, unless its sources agree");
    else if (diagram->loose)
        hbg_base_buffer_text(&note, mode[0] ? ": parts of it float or share" : "Parts of it float or share");
    if (!other) return note.size ? note.data : NULL;
    hbg_base_buffer_print(&note, "; compared with mode %s", diagram->other);
    if (!hbg_causal_valid(other->assignment))
        hbg_base_buffer_text(&note, ", which has no valid causal assignment");
    return note.data;
}

static hbg_status add_causality(hbg_session *session, const hbg_model *model, const hbg_draw_options *options,
                                hbg_diagram_options *diagram) {
    hbg_mode_causality causality, other;
    HBG_TRY(hbg_api_mode_causality_find(session, model, options->mode, false, &causality));
    mode_marks marks = make_marks(session, &causality);
    show_mode(&causality, &marks, diagram);
    if (options->compare)
        HBG_TRY(hbg_api_mode_causality_find(session, model, options->compare, false, &other));
    bool compare = options->compare && model->automata.count > 0;
    if (compare) show_changes(session, &causality, &marks, &other, diagram);
    diagram->note = mode_note(session, &causality, compare ? &other : NULL, diagram);
    return HBG_OK;
}

static hbg_status draw(hbg_session *session, const hbg_model *model, const hbg_draw_options *options,
                       hbg_buffer *out) {
    hbg_diagram_options diagram = hbg_emit_diagram_options_default();
    diagram.force = options->force;
    diagram.values = options->values;
    diagram.automata = options->automata;
    bool large =
        model->elements.count > HBG_DIAGRAM_NODES && !options->force; // refused below: no need to look closer
    if (options->strokes && !large) HBG_TRY(add_causality(session, model, options, &diagram));
    if (options->format == HBG_DRAW_DOT) return hbg_emit_dot(model, &diagram, out, &session->reason);
    if (options->format == HBG_DRAW_SVG) return hbg_emit_diagram(model, &diagram, out, &session->reason);
    hbg_buffer svg;
    hbg_base_buffer_init(&svg, &session->scratch);
    HBG_TRY(hbg_emit_diagram(model, &diagram, &svg, &session->reason));
    return hbg_draw_png(svg.data, svg.size, PNG_ZOOM, out, &session->reason);
}

hbg_status hbg_draw(hbg_session *session, const hbg_model *model, const hbg_draw_options *options,
                    hbg_text *picture) {
    *picture = (hbg_text){0};
    HBG_ENTER(session);
    hbg_draw_options used = options ? *options : hbg_draw_options_default();
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    hbg_status status = draw(session, model, &used, &out);
    if (status == HBG_OK) status = hbg_api_text_of(session, out.data, out.size, picture);
    return hbg_api_session_leave(session, status);
}
