/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The equations of a mode, for people and for programs. */
#include <string.h>

#include "api/mode_impl.h"
#include "api/run_impl.h"

typedef struct {
    hbg_session *session;
    const hbg_equations_options *options;
    const char *mode; /* in words; "" where nothing switches */
} equations_writer;

/* Lines of a text as an array. */
static json_t *lines_of(hbg_session *session, json_t *array, const char *text) {
    while (*text) {
        size_t size = strcspn(text, "\n");
        hbg_json_append(session, array,
                        hbg_json_text(session, hbg_arena_copy(&session->scratch, text, size)));
        text += size + (text[size] == '\n');
    }
    return array;
}

static void set_states(hbg_session *session, json_t *root, const hbg_rt_system *system) {
    json_t *states = json_array();
    hbg_json_set(session, root, "states", states);
    for (int32_t i = 0; i < system->state_count; i++) {
        json_t *object = json_object();
        hbg_json_append(session, states, object);
        hbg_json_set(session, object, "name", hbg_json_text(session, system->states[i].name));
        hbg_json_set(session, object, "unit", hbg_run_json_unit(session, system->states[i].unit));
    }
}

static hbg_status tell(equations_writer *writer, const char *equations, bool valid, hbg_text *text) {
    hbg_session *session = writer->session;
    const hbg_run_state *state = session->run;
    const char *title = hbg_names_get(state->model->names, state->model->name);
    if (writer->options->json) {
        json_t *root = session->json = hbg_json_new(session, json_object());
        hbg_json_set(session, root, "model", hbg_json_text(session, title));
        hbg_json_set(session, root, "mode", hbg_json_text(session, writer->mode));
        hbg_json_set(session, root, "valid", json_boolean(valid));
        set_states(session, root, state->system);
        json_t *array = json_array();
        hbg_json_set(session, root, "equations", array);
        lines_of(session, array, equations);
        return hbg_text_of_json(session, text);
    }
    hbg_buffer out;
    hbg_buffer_init(&out, &session->scratch);
    hbg_buffer_print(&out, "%s%s%s\n\n", title, writer->mode[0] ? " in mode " : "", writer->mode);
    while (*equations) {
        size_t size = strcspn(equations, "\n");
        hbg_buffer_print(&out, "  %.*s\n", (int)size, equations);
        equations += size + (equations[size] == '\n');
    }
    return hbg_text_of(session, out.data, out.size, text);
}

hbg_status hbg_equations(hbg_session *session, const hbg_model *model, const hbg_equations_options *options,
                         bool *valid, hbg_text *text) {
    *text = (hbg_text){0};
    *valid = false;
    HBG_RUN_ENTER(session);
    hbg_run_wish wish = {.mode = options->mode};
    hbg_status status = hbg_run_compile(session, model, &wish);
    if (status != HBG_OK) return hbg_run_leave(session, status);
    const hbg_run_state *state = session->run;
    hbg_buffer equations;
    int32_t *states;
    hbg_buffer_init(&equations, &session->scratch);
    *valid = hbg_eqn_print(state->eqn, NULL, &equations);
    status = hbg_mode_read(session, state->model, NULL, &states, NULL);
    equations_writer writer = {session, options, ""};
    if (status == HBG_OK && state->model->automata.count > 0)
        writer.mode = hbg_mode_text(session, state->model, states);
    if (status == HBG_OK) status = tell(&writer, equations.data, *valid, text);
    return hbg_run_leave(session, status);
}
