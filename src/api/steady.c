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
    hbg_steady_stability stability;
    const char *failure; /* NULL: found */
} operating_point;

enum { WORDS = 640 };

hbg_status hbg_api_steady_settle(hbg_session *session, double t, double *x, const char **failure) {
    const hbg_run_state *state = session->run;
    char *words = HBG_NEW_ARRAY(&session->scratch, char, WORDS);
    hbg_rt_thaw(state->instance);
    hbg_rt_status status =
        hbg_sim_steady(&session->scratch, state->system, state->instance, t, x, words, WORDS);
    if (status == HBG_RT_OK) status = hbg_rt_settle(state->instance, t, x);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    *failure = status == HBG_RT_OK ? NULL : words[0] ? words : hbg_rt_status_text(status);
    return HBG_OK;
}

static hbg_status find(hbg_session *session, operating_point *point) {
    hbg_run_state *state = point->state;
    const hbg_rt_description *system = state->system;
    hbg_sim_result run;
    HBG_TRY(hbg_api_run_hold_mode(session, true));
    HBG_TRY(hbg_api_run_to_point(session, (hbg_run_follower){0}, &point->failure, &run));
    if (point->failure) return HBG_OK;
    point->t = run.t;
    point->x = run.state;
    point->y = HBG_NEW_ARRAY(&session->scratch, double, system->output_count + 1);
    HBG_TRY(hbg_api_steady_settle(session, point->t, point->x, &point->failure));
    if (point->failure) return HBG_OK;
    hbg_rt_status status =
        system->output_count == 0 ? HBG_RT_OK : hbg_rt_outputs(state->instance, point->t, point->x, point->y);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status != HBG_RT_OK) {
        point->failure = hbg_rt_status_text(status);
        return HBG_OK;
    }
    point->mode = hbg_api_mode_text(session, state->model, run.modes);
    HBG_TRY(hbg_api_steady_find_stability(session, point->t, point->x, &point->stability));
    HBG_TRY(hbg_api_run_hold_mode(session, false));
    return hbg_api_steady_find_exits(session, point->t, point->x, run.modes, &point->exits);
}

/* ---- the report --------------------------------------------------------------------------------------- */

static void put_values(hbg_api_report *report, const char *key, const hbg_rt_variable *variables,
                       const double *values, int32_t count) {
    hbg_api_report *list = hbg_api_run_put_table(report, key, count);
    int width = 12;
    for (int32_t i = 0; i < count; i++) {
        int size = (int)strlen(variables[i].name);
        if (size > width && size <= 40) width = size;
    }
    for (int32_t i = 0; i < count; i++) hbg_api_run_put_value(list, &variables[i], values[i], width);
}

static void put_exits(hbg_api_report *report, const operating_point *point) {
    static const char *const kinds[] = {[HBG_EXIT_GUARD] = "guard",
                                        [HBG_EXIT_WAIT] = "wait",
                                        [HBG_EXIT_SAMPLE] = "sample",
                                        [HBG_EXIT_TIME] = "time"};
    hbg_api_report *list = hbg_api_list(report, "ended_by");
    if (point->exits.count > 0) hbg_api_say(list, "\n  what ends it\n");
    for (int32_t i = 0; i < point->exits.count; i++) {
        const hbg_steady_exit *one = &point->exits.items[i];
        hbg_api_report *object = hbg_api_object(list, NULL);
        hbg_api_text(object, "kind", kinds[one->kind]);
        hbg_api_text(object, "name", one->what);
        hbg_api_text(object, "text", one->text);
        hbg_api_say(object, "    %s\n", one->text);
    }
}

static hbg_api_report *report_of(hbg_session *session, const operating_point *point) {
    const hbg_run_state *state = point->state;
    const char *name = hbg_base_names_get(state->model->names, state->model->name);
    int32_t known = point->failure ? 0 : 1;
    bool ends = point->exits.count > 0;
    hbg_api_report *report = hbg_api_report_new(session);
    hbg_api_text(report, "model", name);
    hbg_api_flag(report, "found", known);
    hbg_api_text(report, "mode", point->mode);
    hbg_api_flag(report, "lasts", known && !ends);
    hbg_api_say(report, "%s: %s", name,
                !known  ? "no point was found where nothing moves"
                : !ends ? "nothing moves here"
                        : "storages stand still here");
    if (point->mode && point->mode[0]) hbg_api_say(report, " in mode %s", point->mode);
    hbg_api_say(report, ends ? ", but it does not last\n" : "\n");
    hbg_api_steady_put_stability(report, &point->stability);
    put_exits(report, point);
    put_values(report, "states", state->system->states, point->x, known * state->system->state_count);
    put_values(report, "outputs", state->system->outputs, point->y, known * state->record_count);
    hbg_api_text(report, "failure", point->failure);
    return report;
}

hbg_status hbg_steady(hbg_session *session, const hbg_model *model, const hbg_steady_options *options,
                      bool *found, hbg_text *text) {
    *text = (hbg_text){0};
    *found = false;
    HBG_RUN_ENTER(session);
    hbg_run_wish wish = {.experiment = options->experiment, .mode = options->mode};
    operating_point *point = HBG_NEW(&session->scratch, operating_point);
    hbg_status status = hbg_api_run_prepare(session, model, &wish);
    point->state = session->run;
    if (status == HBG_OK) status = find(session, point);
    if (status == HBG_OK) status = hbg_api_report_print(report_of(session, point), options->json, text);
    *found = status == HBG_OK && !point->failure;
    if (status == HBG_OK && point->failure) session->reason = point->failure;
    return hbg_api_run_leave(session, status);
}
