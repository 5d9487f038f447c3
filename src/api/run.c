/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_run: prepares, runs, closes the files, draws, tells. */
#include <math.h>
#include <string.h>

#include "api/run_impl.h"

hbg_run_options hbg_run_options_default(void) {
    return (hbg_run_options){.ledger = true};
}

/* ---- the jump at the start ---------------------------------------------------------------------------- */

static const double jump_share = 1e-10; /* of the larger of the two: less is rounding */

bool hbg_run_started_otherwise(const hbg_run_story *story, int32_t state) {
    if (!story->declared) return false;
    double before = story->declared[state], after = story->started[state];
    return fabs(after - before) > jump_share * fmax(fabs(before), fabs(after));
}

static double sum(const double *values, int32_t count) {
    double total = 0;
    for (int32_t i = 0; i < count; i++) total += values[i];
    return total;
}

/* What was stored before, plus what sources gave in the jump, less what is stored now. */
static double lost_at_start(hbg_session *session, const hbg_run_story *story) {
    hbg_run_state *state = story->state;
    const hbg_rt_system *system = state->system;
    double *energies = HBG_NEW_ARRAY(&session->scratch, double, system->storage_count + 1);
    double *work = HBG_NEW_ARRAY(&session->scratch, double, system->power_count + 1);
    double given = 0;
    if (system->jump_work && system->jump_work(state->instance, work) == HBG_RT_OK)
        for (int32_t i = 0; i < system->power_count; i++)
            given += system->powers[i].kind == HBG_RT_SUPPLIED ? work[i] : 0;
    if (system->energies_at(state->instance, 0, story->declared, energies) != HBG_RT_OK) return NAN;
    double before = sum(energies, system->storage_count);
    if (system->energies_at(state->instance, 0, story->started, energies) != HBG_RT_OK) return NAN;
    return before + given - sum(energies, system->storage_count);
}

/* Looks at the start before the run does, which begins there again: whether declared energies fit each other. What
 * fails here fails there too, and is told there. Where automata may switch at once the start mode says nothing. */
static hbg_status look_at_start(hbg_session *session, hbg_run_story *story) {
    hbg_run_state *state = story->state;
    const hbg_rt_system *system = state->system;
    hbg_rt_instance *instance = state->instance;
    if (system->has_events) return HBG_OK;
    double *declared = HBG_NEW_ARRAY(&session->scratch, double, system->state_count + 1);
    double *started = HBG_NEW_ARRAY(&session->scratch, double, system->state_count + 1);
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < story->sim.action_count && story->sim.actions[i].time <= 0; i++)
        if (status == HBG_RT_OK)
            status = system->set_input(instance, story->sim.actions[i].input, story->sim.actions[i].value);
    if (status == HBG_RT_OK) status = system->start(instance, declared);
    if (status == HBG_RT_OK) status = system->enter(instance, NULL);
    if (status == HBG_RT_OK) status = system->jump(instance, 0, declared, started);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status != HBG_RT_OK) return HBG_OK;
    story->declared = declared;
    story->started = started;
    bool any = false;
    for (int32_t i = 0; i < system->state_count; i++) any = any || hbg_run_started_otherwise(story, i);
    if (any)
        story->lost_at_start = lost_at_start(session, story);
    else
        story->declared = story->started = NULL;
    return HBG_OK;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

static bool ends_with(const char *text, const char *ending) {
    size_t size = strlen(text), length = strlen(ending);
    return size > length && strcmp(text + size - length, ending) == 0;
}

static hbg_status check_plot(hbg_session *session, const char *path) {
    if (!path || ends_with(path, ".svg") || ends_with(path, ".png")) return HBG_OK;
    return hbg_run_fail(session, HBG_BAD_ARGUMENT,
                        "`%s` is no picture hbg can draw: its name has to end in .svg or .png", path);
}

static const char *title_of(hbg_session *session, const hbg_run_state *state) {
    const hbg_model *model = state->model;
    const char *name = hbg_names_get(model->names, model->name);
    if (state->experiment == HBG_NONE) return name;
    return hbg_arena_print(&session->scratch, "%s: %s", name,
                           hbg_names_get(model->names, model->experiments.items[state->experiment].name));
}

/* The picture of an unfinished run is unfinished too. */
static hbg_status draw(hbg_session *session, const hbg_run_story *story) {
    const char *path = story->options->plot;
    const hbg_run_state *state = story->state;
    if (!path) return HBG_OK;
    hbg_draw_series *series = HBG_NEW_ARRAY(&session->scratch, hbg_draw_series, state->plot_count + 1);
    for (int32_t i = 0; i < state->plot_count; i++) {
        const hbg_rt_variable *output = &state->system->outputs[state->plots[i]];
        const hbg_run_curve *curve = &story->rows.curves[i];
        series[i] =
            (hbg_draw_series){.name = output->name, .unit = output->unit, .x = curve->x, .y = curve->y};
        series[i].count = curve->count;
        series[i].style = output->is_bool ? HBG_DRAW_STEPS : HBG_DRAW_LINES;
    }
    hbg_run_put_pinnacles(session, story, series);
    hbg_draw_figure_spec figure = hbg_draw_figure_default();
    hbg_draw_panel *panels;
    hbg_draw_strip *strips;
    int32_t left_out;
    figure.title = title_of(session, state);
    figure.strip_count = hbg_run_make_strips(session, story, &strips, &left_out);
    figure.strips = strips;
    if (left_out > 0)
        figure.title = hbg_arena_print(&session->scratch, "%s (%d more %s not shown)", figure.title, left_out,
                                       left_out == 1 ? "automaton switches," : "automata switch,");
    figure.panel_count = hbg_draw_panels_by_unit(&session->scratch, series, state->plot_count, &panels);
    figure.panels = panels;
    hbg_buffer picture;
    hbg_buffer_init(&picture, &session->scratch);
    HBG_TRY(hbg_plot_figure(session, &figure, ends_with(path, ".png"), &picture));
    if (story->end != HBG_RUN_FINISHED) path = hbg_arena_print(&session->scratch, "%s.partial", path);
    const char *reason;
    if (hbg_file_write(path, picture.data, picture.size, &reason) == HBG_OK) return HBG_OK;
    return hbg_run_fail(session, HBG_CANNOT_WRITE, "the picture cannot be written to `%s`: %s", path, reason);
}

/* What a run that finished is to be warned of; "" if nothing. */
static const char *warning_text(hbg_session *session, const hbg_run_story *story) {
    const hbg_sim_result *result = &story->result;
    if (result->warnings == 0) return "";
    if (result->warnings == 1) return result->warning;
    return hbg_arena_print(&session->scratch, "%s (and %lld times more)", result->warning,
                           (long long)result->warnings - 1);
}

/* The words of the simulation, and where what it has done can be found. */
static const char *failure_text(hbg_session *session, const hbg_run_story *story) {
    const hbg_run_options *options = story->options;
    const hbg_run_rows *rows = &story->rows;
    hbg_buffer text;
    hbg_buffer_init(&text, &session->scratch);
    if (story->end == HBG_RUN_FINISHED) return warning_text(session, story);
    if (story->end == HBG_RUN_INTERRUPTED)
        hbg_buffer_print(&text, "interrupted at t = %.9g s", story->result.t);
    else
        hbg_buffer_text(&text, story->result.failure);
    if (story->result.verdict != HBG_RT_FINE)
        hbg_buffer_print(&text, "; verdict %s (docs/events.md tells the ways out)",
                         hbg_rt_verdict_name(story->result.verdict));
    if (rows->events && !hbg_run_events_fine(rows->events))
        hbg_buffer_print(&text, "; events cannot be written to `%s`", options->events);
    if (rows->failed_writer != HBG_NONE)
        hbg_buffer_print(&text, "; results cannot be written to `%s`", options->files[rows->failed_writer]);
    int partial = 0;
    for (int i = 0; i < options->file_count; i++)
        if (strcmp(options->files[i], "-") != 0)
            hbg_buffer_print(&text, "%s`%s.partial`", partial++ ? ", " : "; the rows so far are in ",
                             options->files[i]);
    if (options->events && strcmp(options->events, "-") != 0)
        hbg_buffer_print(&text, "; the events so far are in `%s.partial`", options->events);
    return text.data;
}

static hbg_status tell(hbg_session *session, const hbg_run_story *story, hbg_text *text) {
    if (story->options->json) {
        hbg_run_json(session, story);
        return hbg_text_of_json(session, text);
    }
    hbg_buffer out;
    hbg_buffer_init(&out, &session->scratch);
    if (!story->options->no_summary) hbg_run_print(session, story, &out);
    hbg_run_put_story(story, &out);
    return hbg_text_of(session, out.data, out.size, text);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

/* What is no run at all: the status for it, or HBG_OK. */
static hbg_status judge(hbg_session *session, hbg_rt_status status, hbg_run_story *story) {
    story->end = status == HBG_RT_OK            ? HBG_RUN_FINISHED
                 : status == HBG_RT_INTERRUPTED ? HBG_RUN_INTERRUPTED
                                                : HBG_RUN_NOT_FINISHED;
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status != HBG_RT_BAD_OPTION && status != HBG_RT_NO_CAUSALITY) return HBG_OK;
    hbg_run_discard_files(session, story->options);
    hbg_run_events_discard(session, story->state);
    return hbg_run_fail(session, HBG_BAD_ARGUMENT, "%s", story->result.failure);
}

static bool go_on(void *context, double t, double stop) {
    const hbg_run_rows *rows = context;
    return rows->options->progress(rows->options->context, t, stop);
}

/* Where rows have their own pace the end falls between two of them; it is of interest in any case. */
static void add_last_row(hbg_session *session, hbg_run_story *story) {
    hbg_run_state *state = story->state;
    double t = story->result.t;
    if (!story->result.state || story->rows.count == 0 || !(story->rows.time < t)) return;
    double *y = HBG_NEW_ARRAY(&session->scratch, double, state->output_count + 1);
    if (state->system->outputs_at(state->instance, t, story->result.state, y) != HBG_RT_OK) return;
    if (!hbg_run_row(&story->rows, t, y)) story->end = HBG_RUN_NOT_FINISHED;
}

static hbg_status run(hbg_session *session, const hbg_model *model, hbg_run_story *story, hbg_text *text) {
    const hbg_run_options *options = story->options;
    hbg_run_wish wish = {
        .experiment = options->experiment, .plots = options->plot != NULL, .time_flows = true};
    HBG_TRY(check_plot(session, options->plot));
    HBG_TRY(hbg_run_prepare(session, model, &wish));
    story->state = session->run;
    HBG_TRY(hbg_run_sim_options(session, options, NAN, &story->sim));
    hbg_run_rows_init(session, &story->rows, options);
    HBG_TRY(look_at_start(session, story));
    hbg_run_events_init(session, story);
    HBG_TRY(hbg_run_events_open(session, story));
    hbg_status opened = hbg_run_open_files(session, options, title_of(session, story->state));
    if (opened != HBG_OK) hbg_run_events_discard(session, story->state);
    HBG_TRY(opened);
    if (options->progress) story->sim.progress = go_on;
    story->sim.row = hbg_run_row;
    story->sim.context = &story->rows;
    hbg_rt_status status = hbg_sim_run(&session->scratch, story->state->system, story->state->instance,
                                       &story->sim, &story->result);
    HBG_TRY(judge(session, status, story));
    add_last_row(session, story);
    hbg_status closed = hbg_run_close_files(session, options, story->end == HBG_RUN_FINISHED);
    if (story->end == HBG_RUN_FINISHED) HBG_TRY(closed);
    closed = hbg_run_events_close(session, story);
    if (story->end == HBG_RUN_FINISHED || closed == HBG_NO_MEMORY) HBG_TRY(closed);
    story->failure = failure_text(session, story);
    HBG_TRY(draw(session, story));
    HBG_TRY(tell(session, story, text));
    session->reason = story->failure;
    return HBG_OK;
}

hbg_status hbg_run(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                   hbg_run_end *end, hbg_text *text) {
    *text = (hbg_text){0};
    *end = HBG_RUN_NOT_FINISHED;
    HBG_ENTER(session);
    hbg_run_story *story = HBG_NEW(&session->scratch, hbg_run_story);
    story->options = options;
    story->end = HBG_RUN_NOT_FINISHED;
    hbg_status status = run(session, model, story, text);
    *end = story->end;
    return hbg_run_leave(session, status);
}
