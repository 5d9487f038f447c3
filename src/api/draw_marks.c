/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strokes, conflicts and states of a mode, and the differences in another one. */
#include "api/draw_impl.h"

#define FEW_AUTOMATA 8 /* longer names of modes are shortened */

/* What a drawing shows of a mode, by bond and by element. */
typedef struct {
    int8_t *stroke;
    bool *fixed, *conflict;
    bool *loose; /* NULL: none is */
    bool *off, *dependent;
} mode_marks;

/* Conflicting parts are marked like bonds that contradict each other. */
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

/* A mode with no valid assignment has no strokes: the bonds that contradict each other stand out instead. */
static void show_mode(const hbg_mode_causality *causality, const mode_marks *marks, hbg_draw_mode *mode) {
    const hbg_causal_structure *structure = causality->structure;
    bool switches = false;
    for (int32_t place = 0; place < structure->place_count; place++)
        switches = switches || structure->controlled[place];
    mode->off = marks->off;
    mode->states = causality->states;
    mode->conflict = marks->conflict;
    mode->mythical = causality->limit.kind == HBG_EQN_MODE_CONTESTED;
    mode->loose = marks->loose;
    mode->valid = hbg_causal_valid(causality->assignment);
    if (!mode->valid) return;
    mode->stroke = marks->stroke;
    mode->dependent = marks->dependent;
    if (switches) mode->fixed = marks->fixed;
}

/* A mode of few automata in full; of many, those that are not in their start states. */
static const char *short_mode(hbg_session *session, const hbg_model *model, const int32_t *states) {
    if (model->automata.count <= FEW_AUTOMATA) return hbg_api_mode_text(session, model, states);
    hbg_buffer text;
    hbg_base_buffer_init(&text, &session->scratch);
    int32_t others = 0;
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        if (states[i] == automaton->start) {
            others++;
            continue;
        }
        hbg_name state = model->states.items[automaton->first_state + states[i]].name;
        hbg_base_buffer_print(&text, "%s%s=%s", text.size ? "," : "",
                              hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_AUTOMATON, i}),
                              hbg_base_names_get(model->names, state));
    }
    if (text.size == 0)
        return hbg_base_arena_print(&session->scratch, "at the start (%d automata)", (int)others);
    hbg_base_buffer_print(&text, ", %d automata in their start states", (int)others);
    return text.data;
}

/* The differences in another mode: junctions and automata always, strokes and storages if it has a valid
 * assignment too. */
static void show_changes(hbg_session *session, const hbg_mode_causality *causality, const mode_marks *here,
                         const hbg_mode_causality *other, hbg_draw_mode *mode) {
    const hbg_model *model = other->model;
    mode_marks there = make_marks(session, other);
    bool *changed = HBG_NEW_ARRAY(&session->scratch, bool, model->bonds.count + 1);
    bool *changed_element = HBG_NEW_ARRAY(&session->scratch, bool, model->elements.count + 1);
    bool valid = hbg_causal_valid(causality->assignment) && hbg_causal_valid(other->assignment);
    for (int32_t i = 0; valid && i < model->bonds.count; i++) changed[i] = here->stroke[i] != there.stroke[i];
    for (int32_t i = 0; i < model->elements.count; i++)
        changed_element[i] =
            here->off[i] != there.off[i] || (valid && here->dependent[i] != there.dependent[i]);
    mode->changed = changed;
    mode->changed_element = changed_element;
    mode->other_states = other->states;
    mode->other = short_mode(session, model, other->states);
}

static const char *mode_note(hbg_session *session, const hbg_mode_causality *causality,
                             const hbg_mode_causality *other, const hbg_draw_mode *shown) {
    hbg_buffer note;
    hbg_base_buffer_init(&note, &session->scratch);
    const char *mode = short_mode(session, causality->model, causality->states);
    if (mode[0]) hbg_base_buffer_print(&note, "Mode %s", mode);
    if (!shown->stroke)
        hbg_base_buffer_text(&note, mode[0] ? ": no valid causal assignment" : "No valid causal assignment");
    if (shown->mythical)
        hbg_base_buffer_text(&note, mode[0] ? ": mythical only, unless its sources agree"
                                            : "Mythical only, unless its sources agree");
    else if (shown->loose)
        hbg_base_buffer_text(&note, mode[0] ? ": parts of it float or share" : "Parts of it float or share");
    if (!other) return note.size ? note.data : NULL;
    hbg_base_buffer_print(&note, "; compared with mode %s", shown->other);
    if (!hbg_causal_valid(other->assignment))
        hbg_base_buffer_text(&note, ", which has no valid causal assignment");
    return note.data;
}

hbg_status hbg_api_draw_mode_find(hbg_session *session, const hbg_model *model,
                                  const hbg_draw_options *options, hbg_draw_mode *mode) {
    hbg_mode_causality causality, other;
    *mode = (hbg_draw_mode){0};
    HBG_TRY(hbg_api_mode_causality_find(session, model, options->mode, HBG_MODE_PLAIN, &causality));
    mode_marks marks = make_marks(session, &causality);
    show_mode(&causality, &marks, mode);
    if (options->compare)
        HBG_TRY(hbg_api_mode_causality_find(session, model, options->compare, HBG_MODE_PLAIN, &other));
    bool compare = options->compare && model->automata.count > 0;
    if (compare) show_changes(session, &causality, &marks, &other, mode);
    mode->note = mode_note(session, &causality, compare ? &other : NULL, mode);
    return HBG_OK;
}

/* ---- for a page that has the drawing --------------------------------------------------------------------- */

static const char *path_of(hbg_session *session, const hbg_model *model, hbg_object_kind kind,
                           int32_t index) {
    return hbg_api_text_path(session, model, (hbg_object){kind, index});
}

static void put_bonds(hbg_api_report *report, const hbg_model *model, const hbg_draw_mode *mode) {
    hbg_api_report *list = hbg_api_list(report, "bonds");
    for (int32_t i = 0; i < model->bonds.count; i++) {
        hbg_api_report *bond = hbg_api_object(list, NULL);
        hbg_api_text(bond, "bond", path_of(report->session, model, HBG_OBJECT_BOND, i));
        if (mode->stroke) hbg_api_text(bond, "stroke", mode->stroke[i] ? "to" : "from");
        if (mode->fixed && mode->fixed[i]) hbg_api_flag(bond, "fixed", true);
        if (mode->conflict[i]) hbg_api_flag(bond, "conflict", true);
        if (mode->loose && mode->loose[i]) hbg_api_flag(bond, "loose", true);
        if (mode->changed && mode->changed[i]) hbg_api_flag(bond, "changed", true);
    }
}

/* Junctions that are switched, and storages: all that can look different in another mode. */
static void put_elements(hbg_api_report *report, const hbg_model *model, const hbg_draw_mode *mode) {
    hbg_api_report *list = hbg_api_list(report, "objects");
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        bool storage = element->kind == HBG_KIND_C || element->kind == HBG_KIND_I;
        if (!storage && element->control < 0) continue;
        hbg_api_report *object = hbg_api_object(list, NULL);
        hbg_api_text(object, "path", path_of(report->session, model, HBG_OBJECT_ELEMENT, i));
        if (!storage) hbg_api_flag(object, "off", mode->off[i]);
        if (storage) hbg_api_flag(object, "dependent", mode->dependent && mode->dependent[i]);
        if (mode->changed_element && mode->changed_element[i]) hbg_api_flag(object, "changed", true);
    }
}

static void put_automata(hbg_api_report *report, const hbg_model *model, const hbg_draw_mode *mode) {
    hbg_api_report *list = hbg_api_list(report, "automata");
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        const hbg_automaton_state *states = &model->states.items[automaton->first_state];
        hbg_api_report *object = hbg_api_object(list, NULL);
        hbg_api_text(object, "path", path_of(report->session, model, HBG_OBJECT_AUTOMATON, i));
        hbg_api_text(object, "state", hbg_base_names_get(model->names, states[mode->states[i]].name));
        hbg_api_flag(object, "on", states[mode->states[i]].on);
        if (mode->other_states)
            hbg_api_text(object, "other",
                         hbg_base_names_get(model->names, states[mode->other_states[i]].name));
        hbg_api_report *all = hbg_api_list(object, "states");
        for (int32_t k = 0; k < automaton->state_count; k++)
            hbg_api_text(all, NULL, hbg_base_names_get(model->names, states[k].name));
    }
}

hbg_status hbg_draw_marks_json(hbg_session *session, const hbg_model *model, const hbg_draw_options *options,
                               hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    hbg_draw_options used = options ? *options : hbg_draw_options_default();
    hbg_draw_mode mode;
    hbg_status status = hbg_api_draw_mode_find(session, model, &used, &mode);
    if (status != HBG_OK) return hbg_api_session_leave(session, status);
    hbg_api_report *report = hbg_api_report_new(session);
    hbg_api_flag(report, "valid", mode.valid);
    hbg_api_flag(report, "mythical", mode.mythical);
    hbg_api_text(report, "mode", hbg_api_mode_text(session, model, mode.states));
    hbg_api_text(report, "note", mode.note ? mode.note : "");
    put_bonds(report, model, &mode);
    put_elements(report, model, &mode);
    put_automata(report, model, &mode);
    hbg_buffer line;
    hbg_base_buffer_init(&line, &session->scratch);
    hbg_api_report_put_line(report, &line);
    return hbg_api_session_leave(session, hbg_api_text_of(session, line.data, line.size, text));
}
