/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modes by name: `relay=closed,breaker.latch=on`. Automata not named are in their start states; `on` and
 * `off` stand for the first such state where no state is called so. */
#include "api/mode_impl.h"

#include <string.h>

typedef struct {
    hbg_session *session;
    const hbg_model *model;
    int32_t *states;
    bool *named; /* by automaton */
} mode_reader;

static hbg_status fail(mode_reader *reader, const char *format, ...) HBG_PRINTF(2, 3);
static hbg_status fail(mode_reader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    reader->session->reason = hbg_base_arena_vprint(&reader->session->scratch, format, arguments);
    va_end(arguments);
    return HBG_NOT_FOUND;
}

hbg_object hbg_api_mode_find_path(const hbg_model *model, const char *path, size_t size) {
    int32_t scope = 0;
    for (;;) {
        const char *dot = memchr(path, '.', size);
        size_t part = dot ? (size_t)(dot - path) : size;
        hbg_name name = hbg_base_names_find(model->names, path, part);
        hbg_object object = name < 0 ? (hbg_object){HBG_OBJECT_NONE, 0} : hbg_model_find(model, scope, name);
        if (!dot) return object;
        if (object.kind != HBG_OBJECT_SCOPE) return (hbg_object){HBG_OBJECT_NONE, 0};
        scope = object.index;
        path = dot + 1;
        size -= part + 1;
    }
}

/* The automaton of that path; HBG_NONE if there is none. */
static int32_t find_automaton(const mode_reader *reader, const char *path, size_t size) {
    const hbg_model *model = reader->model;
    hbg_object object = hbg_api_mode_find_path(model, path, size);
    if (object.kind == HBG_OBJECT_AUTOMATON) return object.index;
    // the timer of an on-delay has a dot in its name, so that a path does not find it: `valve.held`
    for (int32_t i = 0; i < model->automata.count; i++) {
        const char *text = hbg_api_text_path(reader->session, model, (hbg_object){HBG_OBJECT_AUTOMATON, i});
        if (strlen(text) == size && memcmp(text, path, size) == 0) return i;
    }
    return HBG_NONE;
}

static int32_t find_state(const mode_reader *reader, int32_t automaton, const char *text, size_t size) {
    const hbg_model *model = reader->model;
    const hbg_automaton *of = &model->automata.items[automaton];
    hbg_name name = hbg_base_names_find(model->names, text, size);
    for (int32_t i = 0; i < of->state_count; i++)
        if (model->states.items[of->first_state + i].name == name) return i;
    bool on = size == 2 && memcmp(text, "on", 2) == 0;
    if (!on && !(size == 3 && memcmp(text, "off", 3) == 0)) return HBG_NONE;
    for (int32_t i = 0; i < of->state_count; i++)
        if (model->states.items[of->first_state + i].on == on) return i;
    return HBG_NONE;
}

static hbg_status no_automaton(mode_reader *reader, const char *name, int size) {
    hbg_nearest nearest;
    const char *text = hbg_base_arena_print(&reader->session->scratch, "%.*s", size, name);
    hbg_base_nearest_init(&nearest, text);
    for (int32_t i = 0; i < reader->model->automata.count; i++)
        hbg_base_nearest_offer(&nearest, hbg_api_text_path(reader->session, reader->model,
                                                           (hbg_object){HBG_OBJECT_AUTOMATON, i}));
    return nearest.best ? fail(reader, "there is no automaton `%s`; did you mean `%s`?", text, nearest.best)
           : reader->model->automata.count == 0
               ? fail(reader, "there is no automaton `%s`: the model has none, and only one mode", text)
               : fail(reader, "there is no automaton `%s`; `hbg list` shows them", text);
}

static hbg_status no_state(mode_reader *reader, int32_t automaton, const char *state, int size) {
    const hbg_model *model = reader->model;
    const hbg_automaton *of = &model->automata.items[automaton];
    hbg_buffer states;
    hbg_base_buffer_init(&states, &reader->session->scratch);
    for (int32_t i = 0; i < of->state_count; i++)
        hbg_base_buffer_print(
            &states, "%s`%s`", i > 0 ? ", " : "",
            hbg_base_names_get(model->names, model->states.items[of->first_state + i].name));
    return fail(reader, "automaton `%s` has no state `%.*s`; it has %s",
                hbg_api_text_path(reader->session, model, (hbg_object){HBG_OBJECT_AUTOMATON, automaton}),
                size, state, states.data);
}

/* Without blanks around it. */
static const char *trim(const char *text, size_t *size) {
    while (*size > 0 && text[0] == ' ') text++, (*size)--;
    while (*size > 0 && text[*size - 1] == ' ') (*size)--;
    return text;
}

/* One `automaton=state`. */
static hbg_status read_item(mode_reader *reader, const char *text, size_t size) {
    const char *equals = memchr(text, '=', size);
    if (!equals)
        return fail(reader, "a mode is written `automaton=state,…`, not `%.*s`", (int)(size > 60 ? 60 : size),
                    text);
    size_t name_size = (size_t)(equals - text), state_size = size - name_size - 1;
    const char *name = trim(text, &name_size), *wanted = trim(equals + 1, &state_size);
    int32_t automaton = find_automaton(reader, name, name_size);
    if (automaton == HBG_NONE) return no_automaton(reader, name, (int)(name_size > 60 ? 60 : name_size));
    int32_t state = find_state(reader, automaton, wanted, state_size);
    if (state == HBG_NONE)
        return no_state(reader, automaton, wanted, (int)(state_size > 60 ? 60 : state_size));
    if (reader->named[automaton])
        return fail(reader, "automaton `%.*s` is in two states at once: name it once", (int)name_size, name);
    reader->named[automaton] = true;
    reader->states[automaton] = state;
    return HBG_OK;
}

hbg_status hbg_api_mode_read(hbg_session *session, const hbg_model *model, const char *text, int32_t **states,
                             bool **named) {
    mode_reader reader = {session, model,
                          HBG_NEW_ARRAY(&session->scratch, int32_t, model->automata.count + 1),
                          HBG_NEW_ARRAY(&session->scratch, bool, model->automata.count + 1)};
    for (int32_t i = 0; i < model->automata.count; i++) reader.states[i] = model->automata.items[i].start;
    *states = reader.states;
    if (named) *named = reader.named;
    while (text && *text) {
        size_t size = strcspn(text, ","), used = size;
        const char *item = trim(text, &used);
        if (used > 0) HBG_TRY(read_item(&reader, item, used));
        text += size + (text[size] == ',');
    }
    return HBG_OK;
}

const char *hbg_api_mode_text(hbg_session *session, const hbg_model *model, const int32_t *states) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &session->scratch);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        if (automaton->state_count == 0) continue;
        hbg_name state = model->states.items[automaton->first_state + states[i]].name;
        hbg_base_buffer_print(&text, "%s%s=%s", text.size ? "," : "",
                              hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_AUTOMATON, i}),
                              hbg_base_names_get(model->names, state));
    }
    return text.data;
}
