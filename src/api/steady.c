/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A point where nothing moves, found from where a run would start. */
#include <string.h>

#include "api/mode_impl.h"
#include "api/steady_impl.h"

typedef struct {
    hbg_run_state *state;
    double t, *x, *y;
    const char *mode;       /* it is found in; "": the model has only one */
    hbg_steady_exits exits; /* what does not let it last */
    const char *failure;    /* NULL: found */
    char words[640];
} operating_point;

static hbg_status find(hbg_session *session, operating_point *point) {
    hbg_run_state *state = point->state;
    const hbg_rt_system *system = state->system;
    hbg_sim_result run;
    HBG_TRY(hbg_run_hold_mode(session, true));
    HBG_TRY(hbg_run_to_point(session, &point->failure, &run));
    if (point->failure) return HBG_OK;
    point->t = run.t;
    point->x = run.state;
    point->y = HBG_NEW_ARRAY(&session->scratch, double, system->output_count + 1);
    system->thaw(state->instance);
    hbg_rt_status status = hbg_sim_steady(&session->scratch, system, state->instance, point->t, point->x,
                                          point->words, sizeof point->words);
    if (status == HBG_RT_OK) status = system->settle(state->instance, point->t, point->x);
    if (status == HBG_RT_OK && system->output_count > 0)
        status = system->outputs_at(state->instance, point->t, point->x, point->y);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status != HBG_RT_OK) {
        point->failure = point->words[0] ? point->words : hbg_rt_status_text(status);
        return HBG_OK;
    }
    point->mode = hbg_mode_text(session, state->model, run.modes);
    HBG_TRY(hbg_run_hold_mode(session, false));
    return hbg_steady_find_exits(session, point->t, point->x, run.modes, &point->exits);
}

/* ---- telling ------------------------------------------------------------------------------------------ */

static void put_values(hbg_session *session, hbg_buffer *out, const char *title,
                       const hbg_rt_variable *variables, const double *values, int32_t count) {
    int width = 12;
    for (int32_t i = 0; i < count; i++) {
        int size = (int)strlen(variables[i].name);
        if (size > width && size <= 40) width = size;
    }
    if (count > 0) hbg_buffer_print(out, "\n  %s\n", title);
    for (int32_t i = 0; i < count; i++)
        hbg_buffer_print(out, "    %-*s  %s\n", width, variables[i].name,
                         variables[i].is_bool ? (values[i] != 0 ? "true" : "false")
                                              : hbg_run_value_text(session, values[i], variables[i].unit));
}

static void set_values(hbg_session *session, json_t *root, const char *key, const hbg_rt_variable *variables,
                       const double *values, int32_t count) {
    json_t *array = json_array();
    hbg_json_set(session, root, key, array);
    for (int32_t i = 0; i < count; i++) {
        json_t *object = json_object();
        hbg_json_append(session, array, object);
        hbg_json_set(session, object, "name", hbg_json_text(session, variables[i].name));
        hbg_json_set(session, object, "unit", hbg_run_json_unit(session, variables[i].unit));
        hbg_json_set(session, object, "value",
                     variables[i].is_bool ? json_boolean(values[i] != 0) : hbg_run_json_number(values[i]));
    }
}

static void set_exits(hbg_session *session, json_t *root, const operating_point *point) {
    static const char *const kinds[] = {[HBG_EXIT_GUARD] = "guard",
                                        [HBG_EXIT_WAIT] = "wait",
                                        [HBG_EXIT_SAMPLE] = "sample",
                                        [HBG_EXIT_TIME] = "time"};
    json_t *array = json_array();
    hbg_json_set(session, root, "ended_by", array);
    for (int32_t i = 0; i < point->exits.count; i++) {
        const hbg_steady_exit *one = &point->exits.items[i];
        json_t *object = json_object();
        hbg_json_append(session, array, object);
        hbg_json_set(session, object, "kind", json_string(kinds[one->kind]));
        hbg_json_set(session, object, "name", hbg_json_text(session, one->what));
        hbg_json_set(session, object, "text", hbg_json_text(session, one->text));
    }
}

static hbg_status tell_json(hbg_session *session, const operating_point *point, hbg_text *text) {
    const hbg_run_state *state = point->state;
    json_t *root = session->json = hbg_json_new(session, json_object());
    const char *name = hbg_names_get(state->model->names, state->model->name);
    int32_t known = point->failure ? 0 : 1;
    hbg_json_set(session, root, "model", hbg_json_text(session, name));
    hbg_json_set(session, root, "found", json_boolean(!point->failure));
    hbg_json_set(session, root, "mode", point->mode ? hbg_json_text(session, point->mode) : json_null());
    hbg_json_set(session, root, "lasts", json_boolean(!point->failure && point->exits.count == 0));
    set_exits(session, root, point);
    set_values(session, root, "states", state->system->states, point->x, known * state->system->state_count);
    set_values(session, root, "outputs", state->system->outputs, point->y, known * state->record_count);
    hbg_json_set(session, root, "failure",
                 point->failure ? hbg_json_text(session, point->failure) : json_null());
    return hbg_text_of_json(session, text);
}

static hbg_status tell(hbg_session *session, const operating_point *point, hbg_text *text) {
    const hbg_run_state *state = point->state;
    hbg_buffer out;
    hbg_buffer_init(&out, &session->scratch);
    hbg_buffer_print(&out, "%s: %s", hbg_names_get(state->model->names, state->model->name),
                     point->failure            ? "no point was found where nothing moves"
                     : point->exits.count == 0 ? "nothing moves here"
                                               : "storages stand still here");
    if (point->mode && point->mode[0]) hbg_buffer_print(&out, " in mode %s", point->mode);
    hbg_buffer_text(&out, point->exits.count > 0 ? ", but it does not last\n" : "\n");
    if (point->exits.count > 0) hbg_buffer_text(&out, "\n  what ends it\n");
    for (int32_t i = 0; i < point->exits.count; i++)
        hbg_buffer_print(&out, "    %s\n", point->exits.items[i].text);
    if (!point->failure) {
        put_values(session, &out, "states", state->system->states, point->x, state->system->state_count);
        put_values(session, &out, "outputs", state->system->outputs, point->y, state->record_count);
    }
    return hbg_text_of(session, out.data, out.size, text);
}

hbg_status hbg_steady(hbg_session *session, const hbg_model *model, const hbg_steady_options *options,
                      bool *found, hbg_text *text) {
    *text = (hbg_text){0};
    *found = false;
    HBG_RUN_ENTER(session);
    hbg_run_wish wish = {.experiment = options->experiment, .mode = options->mode};
    operating_point *point = HBG_NEW(&session->scratch, operating_point);
    hbg_status status = hbg_run_prepare(session, model, &wish);
    point->state = session->run;
    if (status == HBG_OK) status = find(session, point);
    if (status == HBG_OK)
        status = options->json ? tell_json(session, point, text) : tell(session, point, text);
    *found = status == HBG_OK && !point->failure;
    if (status == HBG_OK && point->failure) session->reason = point->failure;
    return hbg_run_leave(session, status);
}
