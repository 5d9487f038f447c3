/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drawing: SVG, PNG or Graphviz text of a model. */
#include "draw/draw.h"
#include "api/draw_impl.h"
#include "api/image_impl.h"
#include "emit/emit.h"

#include <string.h>

#define PNG_ZOOM 2 /* pixels per unit of the drawing: crisp on paper and on dense screens */

hbg_draw_options hbg_draw_options_default(void) {
    hbg_diagram_options diagram = hbg_emit_diagram_options_default();
    return (hbg_draw_options){.format = HBG_DRAW_SVG,
                              .values = diagram.values,
                              .automata = diagram.automata,
                              .strokes = true,
                              .depth = -1};
}

/* The parts of a mode that a drawing shows. */
static void show_mode(const hbg_draw_mode *mode, hbg_diagram_options *diagram) {
    diagram->stroke = mode->stroke;
    diagram->fixed = mode->fixed;
    diagram->conflict = mode->conflict;
    diagram->mythical = mode->mythical;
    diagram->loose = mode->loose;
    diagram->dependent = mode->dependent;
    diagram->off = mode->off;
    diagram->states = mode->states;
    diagram->other = mode->other;
    diagram->changed = mode->changed;
    diagram->changed_element = mode->changed_element;
    diagram->other_states = mode->other_states;
    diagram->note = mode->note;
}

/* ---- open and closed ------------------------------------------------------------------------------------- */

static hbg_status find_scope(hbg_session *session, const hbg_model *model, const char *path, size_t size,
                             int32_t *scope) {
    hbg_object object = hbg_api_mode_find_path(model, path, size);
    if (object.kind == HBG_OBJECT_SCOPE) {
        *scope = object.index;
        return HBG_OK;
    }
    hbg_nearest nearest;
    const char *text = hbg_base_arena_print(&session->scratch, "%.*s", (int)size, path);
    hbg_base_nearest_init(&nearest, text);
    for (int32_t i = 1; i < model->scopes.count; i++)
        hbg_base_nearest_offer(&nearest,
                               hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_SCOPE, i}));
    if (object.kind != HBG_OBJECT_NONE)
        return hbg_api_session_fail(session, HBG_NOT_FOUND, "`%s` is no component that could be opened",
                                    text);
    return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no component `%s`%s%s%s", text,
                                nearest.best ? "; did you mean `" : "", nearest.best ? nearest.best : "",
                                nearest.best ? "`?" : "");
}

/* Every component of a comma-separated list of paths. */
static hbg_status mark_scopes(hbg_session *session, const hbg_model *model, const char *list, int8_t mark,
                              int8_t *marks) {
    while (list && *list) {
        size_t size = strcspn(list, ",");
        int32_t scope = HBG_NONE;
        HBG_TRY(find_scope(session, model, list, size, &scope));
        marks[scope] = mark;
        list += size + (list[size] == ',');
    }
    return HBG_OK;
}

static hbg_status choose_scopes(hbg_session *session, const hbg_model *model, const hbg_draw_options *options,
                                hbg_diagram_options *diagram) {
    int8_t *marks = HBG_NEW_ARRAY(&session->scratch, int8_t, model->scopes.count + 1);
    HBG_TRY(mark_scopes(session, model, options->open, 1, marks));
    HBG_TRY(mark_scopes(session, model, options->closed, -1, marks));
    diagram->open = marks;
    diagram->depth = options->depth;
    if (!options->focus) return HBG_OK;
    return find_scope(session, model, options->focus, strlen(options->focus), &diagram->focus);
}

/* `live`: strokes can be set in the drawing, also where it has none itself. */
static hbg_status draw(hbg_session *session, const hbg_model *model, const hbg_draw_options *options,
                       bool live, hbg_buffer *out) {
    hbg_diagram_options diagram = hbg_emit_diagram_options_default();
    diagram.force = options->force;
    diagram.values = options->values;
    diagram.automata = options->automata;
    diagram.live = live;
    diagram.earlier = options->earlier;
    diagram.bare = options->bare;
    HBG_TRY(choose_scopes(session, model, options, &diagram));
    HBG_TRY(hbg_emit_diagram_fits(model, &diagram, &session->scratch, &session->reason));
    hbg_draw_mode mode = {0};
    if (options->strokes) HBG_TRY(hbg_api_draw_mode_find(session, model, options, &mode));
    show_mode(&mode, &diagram);
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
    hbg_status status = draw(session, model, &used, used.strokes, &out);
    if (status == HBG_OK) status = hbg_api_text_of(session, out.data, out.size, picture);
    return hbg_api_session_leave(session, status);
}

hbg_status hbg_draw_draft(hbg_session *session, const char *path, const char *text, size_t size,
                          const hbg_load_options *load, const hbg_draw_options *options, hbg_text *picture) {
    *picture = (hbg_text){0};
    HBG_ENTER(session);
    int64_t errors = session->diagnostics.errors;
    hbg_draw_options used = options ? *options : hbg_draw_options_default();
    hbg_lang_options read = hbg_api_lang_options(load);
    read.draft = true;
    hbg_model *model = hbg_lang_read_text(&session->lang, path, text, size, &read);
    bool live = used.strokes;
    if (session->diagnostics.errors > errors) used.strokes = used.automata = false;
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    hbg_status status = model ? draw(session, model, &used, live, &out) : HBG_BAD_MODEL;
    if (status == HBG_OK) status = hbg_api_text_of(session, out.data, out.size, picture);
    return hbg_api_session_leave(session, status);
}
