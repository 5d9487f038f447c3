/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_run and hbg_run_results: prepare, run, close the files, draw, report. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/image_impl.h"
#include "api/mode_impl.h"
#include "api/results_impl.h"

hbg_run_options hbg_run_options_default(void) {
    return (hbg_run_options){.ledger = true, .seed = HBG_SEED_USUAL};
}

/* ---- rows --------------------------------------------------------------------------------------------- */

/* One step can have so many rows that Ctrl-C would not be noticed between two steps. */
static bool take_row(void *context, double t, const double *outputs) {
    hbg_run_rows *rows = context;
    const hbg_run_options *options = rows->options;
    if (!hbg_api_run_row(rows, hbg_api_run_tidy(rows, t), outputs)) return false;
    if (rows->count % 4096 != 0 || !options->progress) return true;
    return hbg_api_run_still_wanted(rows);
}

/* ---- pictures ----------------------------------------------------------------------------------------- */

/* The files of pictures, by number; NULL after the last. */
static const char *picture_path(const hbg_run_options *options, int number) {
    if (number == 0) return options->plot;
    return options->plot && number <= options->more_plot_count ? options->more_plots[number - 1] : NULL;
}

/* Fail early if the picture of a run that may take hours cannot be written. */
static hbg_status check_place(hbg_session *session, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *folder = !slash ? "."
                         : slash == path
                             ? "/"
                             : hbg_base_arena_copy(&session->scratch, path, (size_t)(slash - path));
    struct stat found;
    int error = stat(path, &found) == 0 && S_ISDIR(found.st_mode) ? EISDIR
                : access(folder, W_OK) != 0                       ? errno
                                                                  : 0;
    if (error == 0) return HBG_OK;
    return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "the picture cannot be written to `%s`: %s", path,
                                error == ENOENT ? "its folder does not exist" : hbg_base_file_words(error));
}

static hbg_status check_pictures(hbg_session *session, const hbg_run_options *options) {
    const char *path;
    hbg_draw_format format;
    for (int i = 0; (path = picture_path(options, i)) != NULL; i++) {
        if (!hbg_api_plot_format(path, &format))
            return hbg_api_session_fail(
                session, HBG_BAD_ARGUMENT,
                "`%s` is no picture hbg can draw: its name has to end in .svg, .png or .pdf", path);
        for (int k = 0; k < i; k++)
            if (strcmp(picture_path(options, k), path) == 0)
                return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "the picture is to go to `%s` twice",
                                            path);
        HBG_TRY(check_place(session, path));
    }
    return HBG_OK;
}

static const char *title_of(hbg_session *session, const hbg_run_state *state) {
    const hbg_model *model = state->model;
    const char *name = hbg_base_names_get(model->names, model->name);
    if (state->experiment == HBG_NONE) return name;
    return hbg_base_arena_print(
        &session->scratch, "%s: %s", name,
        hbg_base_names_get(model->names, model->experiments.items[state->experiment].name));
}

static hbg_draw_series *list_series(hbg_session *session, const hbg_run_story *story) {
    const hbg_run_state *state = story->state;
    hbg_draw_series *series = HBG_NEW_ARRAY(&session->scratch, hbg_draw_series, state->plot_count + 1);
    for (int32_t i = 0; i < state->plot_count; i++) {
        const hbg_rt_variable *output = &state->system->outputs[state->plots[i]];
        const hbg_run_curve *curve = &story->rows.curves[i];
        series[i] =
            (hbg_draw_series){.name = output->name, .unit = output->unit, .x = curve->x, .y = curve->y};
        series[i].count = curve->count;
        series[i].style = output->is_bool ? HBG_DRAW_STEPS : HBG_DRAW_LINES;
        hbg_api_plot_crop(&session->scratch, &story->rows.look, &series[i]);
    }
    hbg_api_run_put_pinnacles(session, story, series);
    return series;
}

/* The picture of an unfinished run is unfinished too. */
static hbg_status draw_file(hbg_session *session, const hbg_run_story *story,
                            const hbg_draw_figure_spec *figure, const char *path) {
    hbg_buffer picture;
    const char *reason;
    hbg_base_buffer_init(&picture, &session->scratch);
    hbg_draw_format format;
    if (!hbg_api_plot_format(path, &format)) return HBG_BAD_ARGUMENT; // which was reported before the run
    HBG_TRY(hbg_api_plot_figure(session, figure, format, &picture));
    if (story->end != HBG_RUN_FINISHED) path = hbg_base_arena_print(&session->scratch, "%s.partial", path);
    if (hbg_base_file_write(path, picture.data, picture.size, &story->state->patience, &reason) == HBG_OK)
        return HBG_OK;
    return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "the picture cannot be written to `%s`: %s", path,
                                reason);
}

static hbg_status draw(hbg_session *session, hbg_run_story *story) {
    const hbg_run_state *state = story->state;
    const char *path;
    if (!story->options->plot) return HBG_OK;
    hbg_draw_series *series = list_series(session, story);
    hbg_draw_figure_spec figure = hbg_draw_figure_default();
    hbg_draw_panel *panels;
    hbg_draw_strip *strips;
    int32_t left_out;
    figure.title = title_of(session, state);
    figure.strip_count = hbg_api_run_make_strips(session, story, &strips, &left_out);
    figure.strips = strips;
    if (left_out > 0)
        figure.title =
            hbg_base_arena_print(&session->scratch, "%s (%d more %s not shown)", figure.title, left_out,
                                 left_out == 1 ? "automaton switches," : "automata switch,");
    figure.panel_count = hbg_draw_panels_by_unit(&session->scratch, series, state->plot_count, &panels);
    figure.panels = panels;
    figure.x_logarithmic = story->rows.look.log_x;
    for (int32_t i = 0; i < figure.panel_count; i++) panels[i].logarithmic = story->rows.look.log_y;
    bool ends_inside = story->result.t >= story->rows.look.from && story->result.t <= story->rows.look.to;
    if (story->result.verdict != HBG_RT_FINE && ends_inside) { // a line says why there is no more
        figure.mark = hbg_base_arena_print(&session->scratch, "verdict: %s",
                                           hbg_rt_verdict_name(story->result.verdict));
        figure.mark_at = story->result.t;
        figure.mark_to = fmin(story->sim.stop, story->rows.look.to);
    }
    for (; (path = picture_path(story->options, story->pictures)) != NULL; story->pictures++)
        HBG_TRY(draw_file(session, story, &figure, path));
    return HBG_OK;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

/* The warnings about a run that finished; "" if there are none. */
static const char *warning_text(hbg_session *session, const hbg_run_story *story) {
    const hbg_sim_result *result = &story->result;
    const char *first = hbg_api_run_first_warning(session, result);
    int64_t more = result->warnings - result->rests - (result->rests_first ? 0 : 1);
    return result->warnings == 0 || more == 0
               ? first
               : hbg_base_arena_print(&session->scratch, "%s (and %lld times more)", first, (long long)more);
}

/* What went into a pipe exists nowhere else. */
static bool has_partial(const hbg_buffer *text, const char *path) {
    return access(hbg_base_arena_print(text->arena, "%s.partial", path), F_OK) == 0;
}

/* Where the files of a run that did not finish are. */
void hbg_api_run_put_files(hbg_buffer *text, const hbg_run_story *story) {
    const hbg_run_options *options = story->options;
    int partial = 0;
    for (int i = 0; i < options->file_count; i++)
        if (has_partial(text, options->files[i]))
            hbg_base_buffer_print(text, "%s`%s.partial`", partial++ ? ", " : "; the rows so far are in ",
                                  options->files[i]);
    if (options->events && has_partial(text, options->events))
        hbg_base_buffer_print(text, "; the events so far are in `%s.partial`", options->events);
    for (int i = 0; i < story->pictures; i++)
        hbg_base_buffer_print(text, "%s`%s.partial`", i > 0 ? ", " : "; the picture so far is in ",
                              picture_path(options, i));
}

/* What could not be written, if that ended the run: with the reason of the closed file, if it has one. */
static const char *unwritten(hbg_session *session, const hbg_run_story *story, const char *closing) {
    const hbg_run_rows *rows = &story->rows;
    bool events = rows->events && !hbg_api_run_events_fine(rows->events);
    if (rows->refused) return hbg_api_run_refused_text(session, rows);
    if (!events && rows->failed_writer == HBG_NONE) return NULL;
    if (closing) return closing;
    return hbg_base_arena_print(&session->scratch, "%s cannot be written to `%s`",
                                events ? "events" : "results",
                                events ? story->options->events : story->options->files[rows->failed_writer]);
}

/* A missing ground, and sources that contradict each other, end as a loop without a unique solution. */
static void put_ungrounded(hbg_session *session, const hbg_model *model, hbg_buffer *text) {
    hbg_arena *arena = &session->scratch;
    hbg_causal_floating_sets sets = hbg_causal_ungrounded(arena, model);
    if (hbg_api_mode_fighting(arena, hbg_causal_structure_new(arena, model, NULL)).count > 0) {
        hbg_base_buffer_text(text, "sources contradict each other: `hbg check` tells more; ");
        return;
    }
    if (sets.count == 0) return;
    hbg_base_buffer_print(
        text, "the part around `%s` has no ground: `hbg check` tells more; ",
        hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, sets.items[0].nodes.items[0]}));
}

/* The words of the simulation, and where its output can be found. */
static const char *failure_text(hbg_session *session, const hbg_run_story *story, const char *closing) {
    const char *lost = unwritten(session, story, closing);
    hbg_buffer text;
    hbg_base_buffer_init(&text, &session->scratch);
    if (story->end == HBG_RUN_FINISHED) return warning_text(session, story);
    if (story->end == HBG_RUN_NOT_FINISHED && !lost && story->result.verdict == HBG_RT_FINE)
        put_ungrounded(session, story->state->model, &text);
    if (story->end == HBG_RUN_INTERRUPTED)
        hbg_base_buffer_print(&text, "interrupted at t = %.9g s", story->result.t);
    else if (lost)
        hbg_base_buffer_print(&text, "at t = %.9g s: %s", story->result.t, lost);
    else
        hbg_base_buffer_text(&text, story->result.failure);
    if (story->result.verdict != HBG_RT_FINE)
        hbg_base_buffer_print(&text, "; verdict %s (docs/events.md tells the ways out)",
                              hbg_rt_verdict_name(story->result.verdict));
    hbg_api_run_put_files(&text, story);
    return text.data;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

/* What is not a run at all: its status, or HBG_OK. */
static hbg_status judge(hbg_session *session, hbg_rt_status status, hbg_run_story *story) {
    story->end = status == HBG_RT_OK            ? HBG_RUN_FINISHED
                 : status == HBG_RT_INTERRUPTED ? HBG_RUN_INTERRUPTED
                                                : HBG_RUN_NOT_FINISHED;
    story->result.t = hbg_api_run_tidy(&story->rows, story->result.t);
    if (status == HBG_RT_CANNOT_WRITE) { // inside a step, where the books are ahead of the rows
        story->sim.ledger = false;
        story->result.t = fmax(story->result.t, story->rows.time);
    }
    if (story->rows.interrupted) story->end = HBG_RUN_INTERRUPTED;
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    bool never_began = status == HBG_RT_NO_CAUSALITY && story->result.t == 0 && story->result.commits == 0;
    if (status != HBG_RT_BAD_OPTION && !never_began) return HBG_OK;
    hbg_api_run_discard_files(session, story->options);
    hbg_api_run_events_discard(session, story->state);
    return hbg_api_run_refuse(session, status, &story->result);
}

static bool go_on(void *context, double t, double stop) {
    const hbg_run_rows *rows = context;
    hbg_api_run_consider_native(rows->story, t);
    return !rows->options->progress || rows->options->progress(rows->options->context, t, stop);
}

/* A pipe that accepts nothing more may be noticed only as its last rows are written. */
static bool is_finished(hbg_run_story *story) {
    if (story->rows.interrupted) story->end = HBG_RUN_INTERRUPTED;
    return story->end == HBG_RUN_FINISHED;
}

/* Files, then the picture, then words on both. A failure here does not hide why a run did not finish. */
static hbg_status close_all(hbg_session *session, hbg_run_story *story) {
    const char *closing = NULL;
    hbg_status status = hbg_api_run_close_files(session, story->options, story->end == HBG_RUN_FINISHED);
    if (is_finished(story) || status == HBG_NO_MEMORY) HBG_TRY(status);
    if (status != HBG_OK) closing = session->reason;
    status = hbg_api_run_events_close(session, story);
    if (is_finished(story) || status == HBG_NO_MEMORY) HBG_TRY(status);
    if (status != HBG_OK && !closing) closing = session->reason;
    status = draw(session, story);
    if (is_finished(story) || status == HBG_NO_MEMORY) HBG_TRY(status);
    const char *drawing = status == HBG_OK ? NULL : session->reason;
    story->failure = failure_text(session, story, closing);
    if (drawing) story->failure = hbg_base_arena_print(&session->scratch, "%s; %s", story->failure, drawing);
    return HBG_OK;
}

static hbg_status open_outputs(hbg_session *session, hbg_run_story *story) {
    HBG_TRY(hbg_api_run_events_open(session, story));
    hbg_status opened = hbg_api_run_open_files(session, story->options, title_of(session, story->state));
    if (opened != HBG_OK) hbg_api_run_events_discard(session, story->state);
    return opened;
}

/* Nothing could be opened before the user lost patience. */
static hbg_status never_began(hbg_session *session, hbg_run_story *story) {
    story->end = HBG_RUN_INTERRUPTED;
    session->reason = "interrupted before the run began: a pipe it writes to has no reader";
    return HBG_OK;
}

/* `text` NULL: it is not reported in words. */
static hbg_status run(hbg_session *session, const hbg_model *model, hbg_run_story *story, hbg_text *text) {
    const hbg_run_options *options = story->options;
    hbg_run_wish wish = {.experiment = options->experiment,
                         .plots = options->plot != NULL,
                         .time_flows = true,
                         .from_image = true};
    HBG_TRY(check_pictures(session, options));
    HBG_TRY(hbg_api_run_prepare(session, model, &wish));
    story->state = session->run;
    HBG_TRY(hbg_api_run_choose(session, options));
    HBG_TRY(hbg_api_run_sim_options(session, options, NAN, &story->sim));
    hbg_api_run_rows_init(session, &story->rows, options);
    HBG_TRY(hbg_api_plot_read_look(session, &options->look, true, &story->rows.look));
    if (story->rows.look.from >= story->sim.stop)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "nothing of the run is in the window `%s`: it ends at %.9g s",
                                    options->look.window, story->sim.stop);
    HBG_TRY(hbg_api_run_check_strips(session, options));
    story->rows.results = story->results;
    if (story->results) hbg_api_results_begin(story);
    hbg_api_run_add_rulers(&story->rows, &story->sim);
    story->state->patience = (hbg_patience){hbg_api_run_still_wanted, &story->rows};
    HBG_TRY(hbg_api_run_look_at_start(session, story));
    HBG_TRY(hbg_api_run_split(session, &story->sim));
    hbg_api_run_events_init(session, story);
    hbg_status opened = open_outputs(session, story);
    if (story->rows.interrupted) return never_began(session, story);
    HBG_TRY(opened);
    story->sim.progress = go_on;
    story->rows.story = story;
    HBG_TRY(hbg_api_run_compile_native(session, story));
    story->sim.row = take_row;
    if (story->state->watched_count > 0) story->sim.step_end = hbg_api_run_watch_step;
    story->sim.context = &story->rows;
    hbg_api_run_events_start(story);
    const hbg_run_state *state = story->state;
    hbg_rt_status status = state->apart ? hbg_sim_run_parts(&session->scratch, state->system, state->apart,
                                                            state->part_count, &story->sim, &story->result)
                                        : hbg_sim_run(&session->scratch, state->system, state->instance,
                                                      &story->sim, &story->result);
    HBG_TRY(judge(session, status, story));
    if (!hbg_api_run_last_row(session, &story->rows, &story->result)) story->end = HBG_RUN_NOT_FINISHED;
    HBG_TRY(close_all(session, story));
    if (text) HBG_TRY(hbg_api_run_report(session, story, text));
    session->reason = story->failure;
    return HBG_OK;
}

/* For a run with these options. */
static hbg_run_story *begin(hbg_session *session, const hbg_run_options *used) {
    hbg_run_story *story = HBG_NEW(&session->scratch, hbg_run_story);
    story->session = session;
    story->options = used;
    story->end = HBG_RUN_NOT_FINISHED;
    return story;
}

hbg_status hbg_run(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                   hbg_run_end *end, hbg_text *text) {
    *text = (hbg_text){0};
    *end = HBG_RUN_NOT_FINISHED;
    HBG_RUN_ENTER(session);
    hbg_run_options used = hbg_api_run_options(session, model, options);
    hbg_run_story *story = begin(session, &used);
    hbg_status status = run(session, model, story, text);
    *end = story->end;
    return hbg_api_run_leave(session, status);
}

static hbg_status exhausted(hbg_session *session) {
    hbg_api_results_drop(session);
    return hbg_api_run_exhausted(session);
}

hbg_status hbg_run_results(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                           const hbg_results **results) {
    *results = NULL;
    HBG_ENTER_OR(session, exhausted);
    hbg_run_options used = hbg_api_run_options(session, model, options);
    hbg_run_story *story = begin(session, &used);
    story->results = hbg_api_results_new(session);
    hbg_status status = run(session, model, story, NULL);
    status = hbg_api_results_end(session, story, status, results);
    return hbg_api_run_leave(session, status);
}
