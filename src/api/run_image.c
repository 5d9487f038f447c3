/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_run_image: runs the experiment of an image, without the model it was compiled from. */
#include <math.h>
#include <string.h>

#include "api/report_impl.h"
#include "api/run_impl.h"
#include "rt/package.h"

enum { IMAGE_LIMIT = 1 << 30 }; /* bytes */

static bool take_row(void *context, double t, const double *outputs) {
    hbg_run_rows *rows = context;
    return hbg_run_row(rows, hbg_run_tidy(rows, t), outputs);
}

static bool go_on(void *context, double t, double stop) {
    const hbg_run_rows *rows = context;
    return !rows->options->progress || rows->options->progress(rows->options->context, t, stop);
}

/* Settings of the experiment, in the order it has them. */
static hbg_status make_instance(hbg_session *session, const hbg_rt_loaded *loaded) {
    const hbg_rt_package *package = hbg_rt_loaded_package(loaded);
    hbg_run_state *state = session->run;
    hbg_rt_status status = HBG_RT_OK;
    state->instance = hbg_rt_loaded_run(loaded, hbg_code_memory(&session->memory));
    if (!state->instance) return HBG_NO_MEMORY;
    for (int32_t i = 0; i < package->setting_count && status == HBG_RT_OK; i++)
        status =
            state->system->set_param(state->instance, package->settings[i].param, package->settings[i].value);
    if (status == HBG_RT_OK) return HBG_OK;
    return hbg_session_fail(session, HBG_BAD_ARGUMENT, "the settings of the image cannot be used: %s",
                            hbg_rt_status_text(status));
}

static void list_overrides(hbg_session *session, const hbg_rt_package *package, hbg_sim_options *sim) {
    size_t count = (size_t)package->override_count, sensor_count = (size_t)package->sensor_count;
    hbg_sim_override *made = HBG_NEW_ARRAY(&session->scratch, hbg_sim_override, count + 1);
    hbg_rt_sensor *sensors = HBG_NEW_ARRAY(&session->scratch, hbg_rt_sensor, sensor_count + 1);
    for (size_t i = 0; i < sensor_count; i++) {
        const hbg_rt_package_sensor *of = &package->sensors[i];
        sensors[i] = (hbg_rt_sensor){of->scale,     of->scale_rate,    of->bias,  of->bias_rate, of->mean,
                                     of->deviation, of->is_stuck != 0, of->stuck, of->seed,      of->key};
    }
    for (size_t i = 0; i < count; i++) {
        const hbg_rt_package_override *of = &package->overrides[i];
        made[i] = (hbg_sim_override){.time = of->time,
                                     .kind = (hbg_rt_override_kind)of->kind,
                                     .index = of->index,
                                     .value = of->value,
                                     .state = of->state,
                                     .sensor = of->sensor < 0 ? NULL : &sensors[of->sensor],
                                     .cause = of->cause,
                                     .is_line = of->is_line != 0,
                                     .slope = of->slope};
    }
    sim->overrides = made;
    sim->override_count = package->override_count;
}

static hbg_status choose(hbg_session *session, const hbg_rt_package *package, const hbg_run_options *options,
                         hbg_sim_options *sim) {
    *sim = hbg_sim_options_default();
    sim->solver = (hbg_sim_solver)package->pace.solver;
    if (options->solver) HBG_TRY(hbg_run_find_solver(session, options->solver, &sim->solver));
    sim->rtol = options->rtol > 0 ? options->rtol : package->pace.rtol;
    sim->atol = options->atol > 0 ? options->atol : package->pace.atol;
    sim->ledger = options->ledger;
    sim->strict = options->strict;
    sim->zeno_rest = options->zeno_rest;
    sim->stop = package->pace.stop;
    sim->step = package->pace.step;
    sim->record_every = package->pace.every;
    sim->action_count = package->action_count;
    hbg_sim_action *actions = HBG_NEW_ARRAY(&session->scratch, hbg_sim_action, package->action_count + 1);
    for (int32_t i = 0; i < package->action_count; i++)
        actions[i] =
            (hbg_sim_action){package->actions[i].time, package->actions[i].input, package->actions[i].value};
    sim->actions = actions;
    list_overrides(session, package, sim);
    if (sim->solver >= HBG_SIM_EULER && !(sim->step > 0) && sim->stop > 0)
        return hbg_session_fail(
            session, HBG_BAD_ARGUMENT,
            "the experiment of the image has no fixed step: compile the model with `--step`");
    return HBG_OK;
}

static void say_effort(hbg_api_report *report, const hbg_sim_result *result) {
    hbg_api_report *effort = hbg_api_object(report, "statistics");
    hbg_api_count(effort, "steps", result->steps);
    hbg_api_count(effort, "rejected", result->rejected);
    hbg_api_count(effort, "crossings", result->crossings);
    hbg_api_count(effort, "commits", result->commits);
    hbg_api_count(effort, "rates", result->rates);
    hbg_api_say(report, "\n%lld steps, %lld mode changes, %lld evaluations\n", (long long)result->steps,
                (long long)result->commits, (long long)result->rates);
}

static hbg_status tell(hbg_session *session, const hbg_rt_package *package, const hbg_run_story *story,
                       hbg_text *text) {
    hbg_api_report *report = hbg_api_report_new(session);
    const hbg_rt_variable *outputs = story->state->system->outputs;
    hbg_api_text(report, "model", package->model);
    hbg_api_text(report, "experiment", package->experiment);
    hbg_api_text(report, "compiled_by", package->version);
    hbg_api_say(report, "%s%s%s, compiled by hbg %s\n%s\n", package->model, package->experiment ? ", " : "",
                package->experiment ? package->experiment : "", package->version, story->result.solver);
    hbg_api_text(report, "solver", story->result.solver);
    hbg_api_report *list = hbg_api_list(report, "final");
    hbg_api_say(list, "\n  at %.6g s\n", story->rows.time);
    for (int32_t i = 0; i < story->state->record_count; i++) {
        hbg_api_report *value = hbg_api_object(list, NULL);
        hbg_api_text(value, "name", outputs[i].name);
        hbg_api_number(value, "value", story->rows.last[i]);
        hbg_api_text(value, "unit", outputs[i].unit);
        hbg_api_say(list, "    %s = %.6g %s\n", outputs[i].name, story->rows.last[i],
                    outputs[i].unit ? outputs[i].unit : "");
    }
    say_effort(report, &story->result);
    return hbg_api_report_print(report, story->options->json, text);
}

static const char *failure_of(hbg_session *session, const hbg_run_story *story) {
    const hbg_sim_result *result = &story->result;
    hbg_buffer text;
    if (story->end == HBG_RUN_FINISHED) return result->warnings > 0 ? result->warning : "";
    hbg_buffer_init(&text, &session->scratch);
    if (story->end == HBG_RUN_INTERRUPTED)
        hbg_buffer_print(&text, "interrupted at t = %.9g s", result->t);
    else
        hbg_buffer_text(&text, result->failure);
    if (result->verdict != HBG_RT_FINE)
        hbg_buffer_print(&text, "; verdict %s", hbg_rt_verdict_name(result->verdict));
    hbg_run_put_files(&text, story);
    return text.data;
}

static hbg_status run(hbg_session *session, const hbg_rt_loaded *loaded, hbg_run_story *story,
                      hbg_text *text) {
    const hbg_rt_package *package = hbg_rt_loaded_package(loaded);
    hbg_run_state *state = session->run;
    state->system = package->system;
    state->output_count = package->system->output_count;
    state->record_count =
        package->pace.records < state->output_count ? package->pace.records : state->output_count;
    state->experiment = state->request = HBG_NONE;
    HBG_TRY(make_instance(session, loaded));
    HBG_TRY(choose(session, package, story->options, &story->sim));
    hbg_run_rows_init(session, &story->rows, story->options);
    hbg_run_add_rulers(&story->rows, &story->sim);
    story->state = state;
    state->patience = (hbg_patience){hbg_run_still_wanted, &story->rows};
    hbg_status opened = hbg_run_open_files(session, story->options, package->model);
    if (story->rows.interrupted) return hbg_run_never_began(session, story);
    HBG_TRY(opened);
    story->sim.progress = go_on;
    story->sim.row = take_row;
    story->sim.context = &story->rows;
    hbg_rt_status status =
        hbg_sim_run(&session->scratch, state->system, state->instance, &story->sim, &story->result);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status == HBG_RT_BAD_OPTION) {
        hbg_run_discard_files(session, story->options);
        return hbg_session_fail(session, HBG_BAD_ARGUMENT, "%s", story->result.failure);
    }
    story->end = status == HBG_RT_OK            ? HBG_RUN_FINISHED
                 : status == HBG_RT_INTERRUPTED ? HBG_RUN_INTERRUPTED
                                                : HBG_RUN_NOT_FINISHED;
    if (!hbg_run_last_row(session, &story->rows, &story->result)) story->end = HBG_RUN_NOT_FINISHED;
    hbg_status closed = hbg_run_close_files(session, story->options, story->end == HBG_RUN_FINISHED);
    if (hbg_run_finished(story) || !story->rows.interrupted) HBG_TRY(closed);
    HBG_TRY(tell(session, package, story, text));
    session->reason = failure_of(session, story);
    return HBG_OK;
}

static hbg_status load(hbg_session *session, const char *path, hbg_rt_loaded **loaded) {
    char *bytes, reason[240] = "";
    size_t size;
    const char *why;
    if (hbg_file_read(&session->scratch, path, IMAGE_LIMIT, &bytes, &size, &why) != HBG_OK)
        return hbg_session_fail(session, HBG_CANNOT_READ, "the image cannot be read: %s", why);
    hbg_rt_status status =
        hbg_rt_package_read(bytes, size, hbg_code_memory(&session->memory), loaded, reason, sizeof reason);
    if (status == HBG_RT_OK) return HBG_OK;
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    return hbg_session_fail(session, HBG_BAD_ARGUMENT, "this is no image that hbg can run: %s", reason);
}

hbg_status hbg_run_image(hbg_session *session, const char *path, const hbg_run_options *options,
                         hbg_run_end *end, hbg_text *text) {
    *text = (hbg_text){0};
    *end = HBG_RUN_NOT_FINISHED;
    HBG_RUN_ENTER(session);
    hbg_rt_loaded *loaded = NULL;
    hbg_run_story *story = HBG_NEW(&session->scratch, hbg_run_story);
    session->run = HBG_NEW(&session->scratch, hbg_run_state);
    story->session = session;
    story->options = options;
    story->end = HBG_RUN_NOT_FINISHED;
    hbg_status status = load(session, path, &loaded);
    session->run->image = loaded;
    if (status == HBG_OK) status = run(session, loaded, story, text);
    *end = story->end;
    return hbg_run_leave(session, status);
}
