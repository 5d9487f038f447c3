/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the rows of a run go: results files, curves for a plot, the last values for the summary. Nothing here
 * allocates once the run has begun. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/results_impl.h"
#include "rt/bands.h"

#define CURVE_POINTS 16384 /* more than a plot can show; odd, as thinning leaves it */

/* ---- curves ------------------------------------------------------------------------------------------- */

/* Halves the points: of those in one stretch of time the lowest and the highest stay, so that the picture
 * does not change; all stretches have the same length, however often the early ones were thinned before. The
 * first point always stays. */
static void thin(hbg_run_curve *curve) {
    double first_time = curve->x[0], width = (curve->x[curve->count - 1] - first_time) / (CURVE_POINTS / 4);
    int32_t kept = 1;
    for (int32_t first = 1, end; first < curve->count; first = end) {
        double border = first_time + width * (floor((curve->x[first] - first_time) / width) + 1);
        int32_t low = first, high = first;
        for (end = first; end < curve->count && (end == first || curve->x[end] < border); end++) {
            if (curve->y[end] < curve->y[low]) low = end;
            if (curve->y[end] >= curve->y[high]) high = end;
        }
        const int32_t stay[] = {low < high ? low : high, low < high ? high : low};
        for (int k = stay[0] == stay[1]; k < 2; k++, kept++) {
            curve->x[kept] = curve->x[stay[k]];
            curve->y[kept] = curve->y[stay[k]];
        }
    }
    curve->count = kept;
}

/* Of the points before the window the last is kept, of those after it the first: the curve goes through its
 * borders. */
static void add_point(hbg_run_curve *curve, const hbg_api_look *look, double x, double y) {
    if (curve->count > 0 && curve->x[curve->count - 1] > look->to) return;
    if (curve->count > 0 && x < look->from) curve->count = 0;
    if (curve->count == CURVE_POINTS) thin(curve);
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

void hbg_api_run_rows_init(hbg_session *session, hbg_run_rows *rows, const hbg_run_options *options) {
    hbg_arena *arena = &session->scratch;
    hbg_run_state *state = session->run;
    int32_t most = 0;
    *rows = (hbg_run_rows){.state = state, .options = options, .failed_writer = HBG_NONE};
    rows->look = (hbg_api_look){.from = -INFINITY, .to = INFINITY};
    rows->row = HBG_NEW_ARRAY(arena, double, state->record_count + 1);
    rows->last = HBG_NEW_ARRAY(arena, double, state->output_count + 1);
    rows->largest = HBG_NEW_ARRAY(arena, double, state->watched_count + 1);
    for (int32_t i = 0; i < state->watched_count; i++) {
        int32_t count = state->model->elements.items[state->plan->watched[i].element].value_count;
        if (count > most) most = count;
    }
    rows->room = HBG_NEW_ARRAY(arena, double, most + 1);
    if (!options->plot) return;
    rows->curves = HBG_NEW_ARRAY(arena, hbg_run_curve, state->plot_count + 1);
    rows->before = HBG_NEW_ARRAY(arena, double, state->plot_count + 1);
    rows->size = HBG_NEW_ARRAY(arena, double, state->plot_count + 1);
    for (int32_t i = 0; i < state->plot_count; i++) {
        rows->curves[i].x = HBG_NEW_ARRAY(arena, double, CURVE_POINTS);
        rows->curves[i].y = HBG_NEW_ARRAY(arena, double, CURVE_POINTS);
    }
}

bool hbg_api_run_still_wanted(void *context) {
    hbg_run_rows *rows = context;
    const hbg_run_options *options = rows->options;
    if (options->progress && !options->progress(options->context, rows->time, rows->stop))
        rows->interrupted = true;
    return !rows->interrupted;
}

bool hbg_api_run_row(void *context, double t, const double *outputs) {
    hbg_run_rows *rows = context;
    const hbg_run_state *state = rows->state;
    rows->count++;
    rows->time = t;
    memcpy(rows->last, outputs, (size_t)state->output_count * sizeof *outputs);
    rows->row[0] = t;
    memcpy(rows->row + 1, outputs, (size_t)state->record_count * sizeof *outputs);
    for (int32_t i = 0; i < state->writer_count; i++) {
        if (hbg_sim_writer_row(state->writers[i], rows->row)) continue;
        rows->failed_writer = i;
        return false;
    }
    if (rows->results && !hbg_api_results_row(rows->results, rows->row)) return false;
    const hbg_run_listener *listener = rows->options->listener;
    if (listener && listener->row && !listener->row(listener->context, rows->row)) rows->interrupted = true;
    if (rows->interrupted) return false;
    return !rows->events || hbg_api_run_events_fine(rows->events);
}

bool hbg_api_run_last_row(hbg_session *session, hbg_run_rows *rows, const hbg_sim_result *result) {
    hbg_run_state *state = rows->state;
    if (!result->state || rows->count == 0 || !(rows->time < result->t)) return true;
    if (state->apart) return !result->outputs || hbg_api_run_row(rows, result->t, result->outputs);
    double *y = HBG_NEW_ARRAY(&session->scratch, double, state->output_count + 1);
    if (hbg_rt_outputs(state->instance, result->t, result->state, y) != HBG_RT_OK) return true;
    return hbg_api_run_row(rows, result->t, y);
}

void hbg_api_run_look(void *context, double t, const double *outputs, bool for_an_instant) {
    hbg_run_rows *rows = context;
    const hbg_run_state *state = rows->state;
    for (int32_t i = 0; i < state->plot_count; i++) {
        double value = outputs[state->plots[i]];
        rows->size[i] = fmax(rows->size[i], fabs(value));
        // a curve begins after the jump of the start: the declared values may never have existed
        if (t <= 0 && !for_an_instant) rows->curves[i].count = 0;
        add_point(&rows->curves[i], &rows->look, t, value);
        if (!for_an_instant)
            rows->before[i] = value;
        else if (fabs(value - rows->before[i]) > HBG_RT_CURVE_JUMP * rows->size[i])
            hbg_api_run_add_pinnacle(rows->events, i, t, value);
    }
}

/* ---- times ------------------------------------------------------------------------------------------- */

static void add_ruler(hbg_run_rows *rows, double step) {
    for (int i = 0; i < rows->ruler_count; i++)
        if (rows->rulers[i].step == step) return;
    if (step > 0 && rows->ruler_count < HBG_RUN_RULERS)
        rows->rulers[rows->ruler_count++] = hbg_base_ruler_of(step);
}

/* What happens at regular times. */
void hbg_api_run_add_rulers(hbg_run_rows *rows, const hbg_sim_options *sim) {
    const hbg_rt_description *system = rows->state->system;
    add_ruler(rows, sim->record_every);
    if (sim->solver >= HBG_SIM_EULER) add_ruler(rows, sim->step);
    for (int32_t i = 0; i < system->clock_count; i++) add_ruler(rows, system->clocks[i].period);
    for (int32_t i = 0; i < system->automaton_count; i++) add_ruler(rows, system->automata[i].every);
    rows->stop = sim->stop;
}

/* A time in readable form: the third row of `every 0.1` is at 0.3. */
double hbg_api_run_tidy(const hbg_run_rows *rows, double t) {
    double mark = t;
    for (int i = 0; i < rows->ruler_count && mark == t; i++) mark = hbg_base_ruler_snap(&rows->rulers[i], t);
    return mark;
}

/* ---- files -------------------------------------------------------------------------------------------- */

static hbg_status find_double(hbg_session *session, const hbg_run_options *options) {
    for (int i = 0; i < options->file_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(options->files[k], options->files[i]) == 0)
                return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "the results are to go to `%s` twice",
                                            options->files[i]);
    return HBG_OK;
}

void hbg_api_run_discard_files(hbg_session *session, const hbg_run_options *options) {
    hbg_run_state *state = session->run;
    for (int32_t i = 0; i < state->writer_count; i++) {
        const char *path = options->files[i], *ignored;
        hbg_sim_writer *writer = state->writers[i];
        state->writers[i] = NULL;
        if (!hbg_sim_writer_close(writer, false, &ignored) || strcmp(path, "-") == 0) continue;
        remove(hbg_base_arena_print(&session->scratch, "%s.partial", path));
    }
}

static void tell_columns(hbg_session *session, const hbg_run_listener *listener,
                         const hbg_sim_column *columns, int32_t count) {
    if (!listener || !listener->columns) return;
    const char **names = HBG_NEW_ARRAY(&session->scratch, const char *, count);
    const char **units = HBG_NEW_ARRAY(&session->scratch, const char *, count);
    for (int32_t i = 0; i < count; i++) {
        names[i] = columns[i].name;
        units[i] = columns[i].unit;
    }
    listener->columns(listener->context, names, units, count);
}

hbg_status hbg_api_run_open_files(hbg_session *session, const hbg_run_options *options, const char *title) {
    hbg_run_state *state = session->run;
    hbg_arena *arena = &session->scratch;
    hbg_sim_column *columns = HBG_NEW_ARRAY(arena, hbg_sim_column, state->record_count + 1);
    columns[0] = (hbg_sim_column){"time", "s", options->units};
    for (int32_t i = 0; i < state->record_count; i++)
        columns[i + 1] = (hbg_sim_column){state->system->outputs[i].name, state->system->outputs[i].unit,
                                          options->units || state->outputs[i].unit != NULL};
    tell_columns(session, options->listener, columns, state->record_count + 1);
    HBG_TRY(find_double(session, options));
    state->writers = HBG_NEW_ARRAY(arena, hbg_sim_writer *, options->file_count + 1);
    for (int i = 0; i < options->file_count; i++) {
        const char *reason;
        state->writers[i] = hbg_sim_writer_open(arena, options->files[i], &state->patience, columns,
                                                state->record_count + 1, title, &reason);
        if (!state->writers[i]) {
            hbg_api_run_discard_files(session, options);
            return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "results cannot be written to `%s`: %s",
                                        options->files[i], reason);
        }
        state->writer_count = i + 1;
    }
    return HBG_OK;
}

hbg_status hbg_api_run_close_files(hbg_session *session, const hbg_run_options *options, bool complete) {
    hbg_run_state *state = session->run;
    hbg_status status = HBG_OK;
    for (int32_t i = 0; i < state->writer_count; i++) {
        const char *reason;
        hbg_sim_writer *writer = state->writers[i];
        state->writers[i] = NULL;
        if (hbg_sim_writer_close(writer, complete, &reason) || status != HBG_OK) continue;
        status = hbg_api_session_fail(session, HBG_CANNOT_WRITE, "results cannot be written to `%s`: %s",
                                      options->files[i], reason);
    }
    return status;
}
