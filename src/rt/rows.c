/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a run: the observer of its engine. */
#include <math.h>

#include "rt/rows.h"

void hbg_rt_rows_init(hbg_rt_room *room, const hbg_rt_description *system, const hbg_rt_row_options *options,
                      hbg_rt_rows *rows) {
    *rows = (hbg_rt_rows){.options = options, .row_at = NAN};
    rows->looks = hbg_rt_grid_of(options->look ? options->look_every : 0);
    rows->look_last = INFINITY;
    if (rows->looks.step > 0) {
        rows->look_next = fmax(floor(options->look_from / options->look_every), 0);
        rows->look_last = ceil(options->look_to / options->look_every);
    }
    rows->extremes = hbg_rt_extremes_new(room, system, options);
    rows->y = HBG_RT_TAKE(room, double, system->output_count + 1);
    rows->y_after = HBG_RT_TAKE(room, double, system->output_count + 1);
    rows->y_size = HBG_RT_TAKE(room, double, system->output_count + 1);
    rows->energies = hbg_rt_declared_new(room, system);
    if (options->summary) rows->extent = hbg_rt_summary_extent(options->summary);
}

/* ---- steps and instants ------------------------------------------------------------------------------- */

static void declared(void *context, const double *x_plus) {
    hbg_rt_rows_declared(context, x_plus);
}

static hbg_rt_status started(void *context, bool moved) {
    hbg_rt_status status = moved ? hbg_rt_rows_start(context) : HBG_RT_OK;
    return status == HBG_RT_OK ? hbg_rt_rows_end(context) : status;
}

static hbg_rt_status inside(void *context, double end) {
    hbg_rt_status status = hbg_rt_rows_middle(context, end);
    return status == HBG_RT_OK ? hbg_rt_rows_inside(context, end) : status;
}

static hbg_rt_status ended(void *context) {
    return hbg_rt_rows_end(context);
}

static hbg_rt_status passed(void *context) {
    return hbg_rt_rows_instant(context);
}

static void visit(void *context, const hbg_rt_visit *visit) {
    hbg_rt_commits_visit(context, visit);
}

static hbg_rt_status searched(void *context) {
    return hbg_rt_commits_look(context);
}

static void story(void *context, const hbg_rt_story *story) {
    const hbg_rt_rows *rows = context;
    rows->options->event(rows->options->context, story);
}

/* ---- strides ------------------------------------------------------------------------------------------ */

/* The summary begins with the step that was recorded last. */
static bool keeps_up(void *context) {
    const hbg_rt_rows *rows = context;
    const hbg_rt_summary *summary = rows->options->summary;
    return summary->any && summary->time == rows->engine->t;
}

/* The results of a stride; for an observer of every step it is one step long. */
static hbg_rt_status tell_stride(hbg_rt_rows *rows) {
    hbg_rt_engine *engine = rows->engine;
    const hbg_rt_stride *stride = &engine->strides.stride;
    bool told = !rows->options->step_end || stride->done == 0;
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < stride->row_done && status == HBG_RT_OK; i++) {
        const double *outputs = stride->outputs + (size_t)i * (size_t)engine->system->output_count;
        bool at_end = stride->rows[i].time == engine->t;
        if (at_end && !told) status = hbg_rt_rows_told(rows);
        told = told || at_end;
        if (at_end) rows->row_at = engine->t;
        double time = hbg_rt_grid_time(&engine->rows, engine->row_next++);
        if (status == HBG_RT_OK) status = hbg_rt_rows_row(rows, time, outputs, false);
    }
    return status == HBG_RT_OK && !told ? hbg_rt_rows_told(rows) : status;
}

/* Skips recorded instants within a stride that need no rows: their values cannot be computed afterwards. */
static void pass_over(hbg_rt_engine *engine) {
    double step = engine->rows.step, t = engine->t, next = step > 0 ? floor(t / step) - 1 : -1;
    for (; next >= 0; next++) {
        double time = hbg_rt_grid_time(&engine->rows, next);
        if (time > t && !hbg_rt_same_instant(time, t)) break;
    }
    if (next > engine->row_next) engine->row_next = next;
}

static hbg_rt_status strode(void *context, hbg_rt_status status) {
    hbg_rt_rows *rows = context;
    hbg_rt_engine *engine = rows->engine;
    if (!engine->setup->observer.rows) pass_over(engine);
    if (rows->options->summary && engine->strides.stride.done > 0)
        hbg_rt_summary_stand(rows->options->summary, engine->t);
    return status == HBG_RT_OK ? tell_stride(rows) : status;
}

/* ---- the observer ------------------------------------------------------------------------------------- */

void hbg_rt_rows_watch_modes(hbg_rt_rows *rows, hbg_rt_observer *observer) {
    observer->context = rows;
    observer->declared = declared;
    if (!rows->commits) return;
    observer->visit = visit;
    observer->searched = searched;
}

hbg_rt_observer hbg_rt_rows_observer(hbg_rt_rows *rows) {
    const hbg_rt_row_options *options = rows->options;
    hbg_rt_observer observer = {.started = started,
                                .inside = inside,
                                .ended = ended,
                                .passed = passed,
                                .story = options->event ? story : NULL,
                                .no_long_strides = options->step_end != NULL,
                                .rows = options->row != NULL,
                                .rows_every = options->record_every,
                                .extent = options->summary ? &rows->extent : NULL,
                                .keeps_up = keeps_up,
                                .strode = strode};
    observer.no_strides = (options->event && !options->verdicts_only) || options->look ||
                          (options->row && !(options->record_every > 0));
    hbg_rt_rows_watch_modes(rows, &observer);
    return observer;
}
