/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The equations of a mode, for people and for programs. */
#include "api/mode_impl.h"
#include "api/run_impl.h"

static hbg_api_report *report_of(hbg_session *session, const char *mode, const char *equations, bool valid) {
    const hbg_run_state *state = session->run;
    const hbg_rt_description *system = state->system;
    const char *title = hbg_base_names_get(state->model->names, state->model->name);
    hbg_api_report *report = hbg_api_report_new(session);
    hbg_api_text(report, "model", title);
    hbg_api_text(report, "mode", mode);
    hbg_api_flag(report, "valid", valid);
    hbg_api_report *states = hbg_api_list(report, "states");
    for (int32_t i = 0; i < system->state_count; i++) {
        hbg_api_report *object = hbg_api_object(states, NULL);
        hbg_api_text(object, "name", system->states[i].name);
        hbg_api_text(object, "unit", system->states[i].unit);
    }
    hbg_api_say(report, "%s%s%s\n\n", title, mode[0] ? " in mode " : "", mode);
    const hbg_api_report *lines = hbg_api_lines(report, "equations", equations);
    for (const hbg_api_report *line = lines->first; line; line = line->next)
        hbg_api_say(report, "  %s\n", line->text);
    return report;
}

hbg_status hbg_equations(hbg_session *session, const hbg_model *model, const hbg_equations_options *options,
                         bool *valid, hbg_text *text) {
    *text = (hbg_text){0};
    *valid = false;
    HBG_RUN_ENTER(session);
    hbg_run_wish wish = {.mode = options->mode};
    hbg_status status = hbg_api_run_compile(session, model, &wish);
    if (status != HBG_OK) return hbg_api_run_leave(session, status);
    const hbg_run_state *state = session->run;
    const char *mode = ""; // where nothing switches
    hbg_buffer equations;
    int32_t *states;
    hbg_base_buffer_init(&equations, &session->scratch);
    *valid = hbg_eqn_print(hbg_code_equations(state->code), NULL, &equations);
    status = hbg_api_mode_read(session, state->model, NULL, &states, NULL);
    if (status == HBG_OK && state->model->automata.count > 0)
        mode = hbg_api_mode_text(session, state->model, states);
    if (status == HBG_OK)
        status = hbg_api_report_print(report_of(session, mode, equations.data, *valid), options->json, text);
    return hbg_api_run_leave(session, status);
}
