/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a run: at multiples of record_every, exactly, on the integrator's polynomial; or at the end of
 * every step. At an instant one row before and one for each committed mode, same time. Pictures have more
 * points than that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rt/bands.h"
#include "rt/rows.h"

static hbg_rt_status outputs(hbg_rt_rows *rows, double t, const double *x, double *y) {
    const hbg_rt_description *system = rows->engine->system;
    if (system->output_count == 0) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_outputs(rows->engine->instance, t, x, y);
    return hbg_rt_field_checked(&rows->engine->field, status, t, system->output_count, y, system->outputs,
                                "");
}

static void look(hbg_rt_rows *rows, double t, const double *y, bool for_an_instant) {
    if (!rows->options->look) return;
    rows->options->look(rows->options->context, t, y, for_an_instant);
    hbg_rt_extremes_note(rows, t, y);
}

static bool wants_steps(const hbg_rt_rows *rows) {
    return rows->options->step_end || rows->options->summary;
}

static hbg_rt_status tell_step(const hbg_rt_rows *rows, double t, const double *y, bool inside) {
    const hbg_rt_row_options *options = rows->options;
    if (options->summary) hbg_rt_summary_step(options->summary, t, y, inside);
    if (!options->step_end || options->step_end(options->context, t, y, inside)) return HBG_RT_OK;
    return HBG_RT_CANNOT_WRITE;
}

hbg_rt_status hbg_rt_rows_row(hbg_rt_rows *rows, double t, const double *y, bool for_an_instant) {
    for (int32_t i = 0; i < rows->engine->system->output_count; i++) {
        double size = fabs(y[i]);
        if (size > rows->y_size[i]) rows->y_size[i] = size;
    }
    look(rows, t, y, for_an_instant);
    hbg_rt_status status = for_an_instant ? tell_step(rows, t, y, false) : HBG_RT_OK;
    if (status != HBG_RT_OK) return status;
    if (rows->options->row == NULL || rows->options->row(rows->options->context, t, y)) return HBG_RT_OK;
    return HBG_RT_CANNOT_WRITE;
}

/* ---- the start ---------------------------------------------------------------------------------------- */

struct hbg_rt_declared {
    const char *name;
    double value;
};

static int by_name(const void *a, const void *b) {
    return strcmp(((const hbg_rt_declared *)a)->name, ((const hbg_rt_declared *)b)->name);
}

hbg_rt_declared *hbg_rt_declared_new(hbg_rt_room *room, const hbg_rt_description *system) {
    return HBG_RT_TAKE(room, hbg_rt_declared, system->state_count + 1);
}

void hbg_rt_rows_declared(hbg_rt_rows *rows, const double *x_plus) {
    const hbg_rt_description *system = rows->engine->system;
    size_t count = (size_t)system->state_count;
    hbg_rt_declared *declared = rows->energies;
    if (system->output_count == 0) return;
    if (hbg_rt_outputs(rows->engine->instance, 0, x_plus, rows->y) != HBG_RT_OK) return;
    for (size_t i = 0; i < count; i++)
        declared[i] = (hbg_rt_declared){system->states[i].name, rows->engine->result->state[i]};
    if (count > 0) qsort(declared, count, sizeof *declared, by_name);
    for (int32_t i = 0; i < system->output_count && count > 0; i++) {
        hbg_rt_declared wanted = {system->outputs[i].name, 0};
        const hbg_rt_declared *found = bsearch(&wanted, declared, count, sizeof *declared, by_name);
        if (found != NULL) rows->y[i] = found->value;
    }
    rows->has_declared = true;
}

hbg_rt_status hbg_rt_rows_start(hbg_rt_rows *rows) {
    if (!rows->has_declared) hbg_rt_rows_declared(rows, rows->engine->x);
    hbg_rt_status status = rows->has_declared ? tell_step(rows, 0, rows->y, false) : HBG_RT_OK;
    if (status == HBG_RT_OK && rows->has_declared) status = hbg_rt_rows_row(rows, 0, rows->y, false);
    if (status == HBG_RT_OK) status = hbg_rt_commits_record(rows);
    hbg_rt_commits_forget(rows);
    return status;
}

/* ---- during the run ----------------------------------------------------------------------------------- */

/* The next multiple; INFINITY if there are none. */
static double next_time(double number, const hbg_rt_grid *grid) {
    return grid->step > 0 ? hbg_rt_grid_time(grid, number) : INFINITY;
}

static double next_glance(const hbg_rt_rows *rows) {
    return rows->look_next <= rows->look_last ? next_time(rows->look_next, &rows->looks) : INFINITY;
}

static void state_inside(hbg_rt_engine *engine, double t) {
    hbg_rt_integrator *stepper = engine->stepper;
    stepper->dense(stepper, t, engine->x_other);
    if (stepper->polish) stepper->polish(stepper, t, engine->x_other);
}

/* Outputs inside a step without a requested row: whether they exist. */
static bool has_outputs(const hbg_rt_rows *rows, double t) {
    const hbg_rt_engine *engine = rows->engine;
    if (hbg_rt_outputs(engine->instance, t, engine->x_other, rows->y_after) != HBG_RT_OK) return false;
    for (int32_t i = 0; i < engine->system->output_count; i++)
        if (!isfinite(rows->y_after[i])) return false;
    return true;
}

hbg_rt_status hbg_rt_rows_middle(hbg_rt_rows *rows, double end) {
    hbg_rt_engine *engine = rows->engine;
    double t = engine->t + (end - engine->t) / 2;
    if (!wants_steps(rows) || engine->stepper->fixed || engine->system->output_count == 0) return HBG_RT_OK;
    state_inside(engine, t);
    return has_outputs(rows, t) ? tell_step(rows, t, rows->y_after, true) : HBG_RT_OK;
}

/* Passes extrema of outputs in part of the step, up to a time, to `look`. */
static void look_at_extremes(hbg_rt_rows *rows, double begin, double end, double until) {
    for (double t; (t = hbg_rt_extremes_next(rows, begin, end)) < until; hbg_rt_extremes_take(rows)) {
        state_inside(rows->engine, t);
        if (has_outputs(rows, t)) look(rows, t, rows->y_after, false);
    }
}

hbg_rt_status hbg_rt_rows_inside(hbg_rt_rows *rows, double end) {
    hbg_rt_engine *engine = rows->engine;
    for (double stretch = engine->t;;) {
        double row = next_time(engine->row_next, &engine->rows), glance = next_glance(rows);
        bool is_row = row <= glance || hbg_rt_same_instant(row, glance);
        double t = is_row ? row : glance;
        look_at_extremes(rows, stretch, fmin(glance, end), fmin(t, end));
        if (t >= end || hbg_rt_same_instant(t, end)) return HBG_RT_OK;
        state_inside(engine, t);
        hbg_rt_status status = outputs(rows, t, engine->x_other, rows->y_after);
        if (status == HBG_RT_OK && is_row) status = hbg_rt_rows_row(rows, t, rows->y_after, false);
        if (status != HBG_RT_OK) return status;
        if (!is_row) look(rows, t, rows->y_after, false);
        if (glance <= t || hbg_rt_same_instant(glance, t)) {
            rows->look_next++;
            stretch = t;
        }
        if (is_row) engine->row_next++;
    }
}

hbg_rt_status hbg_rt_rows_end(hbg_rt_rows *rows) {
    hbg_rt_engine *engine = rows->engine;
    double t = engine->t, glance = next_glance(rows);
    bool paced = engine->rows.step > 0;
    if (glance <= t || hbg_rt_same_instant(glance, t)) rows->look_next++;
    rows->written = !paced || hbg_rt_same_instant(next_time(engine->row_next, &engine->rows), t);
    bool told = rows->options->look || wants_steps(rows);
    if (!rows->written && !engine->moment.is_instant && !told) return HBG_RT_OK;
    hbg_rt_status status = outputs(rows, t, engine->x, rows->y);
    if (status == HBG_RT_OK) status = tell_step(rows, t, rows->y, false);
    if (rows->row_at == t && t > 0) { // a stride ended here with its row
        rows->written = true;
        return status;
    }
    if (status == HBG_RT_OK && !rows->written) look(rows, t, rows->y, false);
    if (status != HBG_RT_OK || !rows->written) return status;
    rows->row_at = t;
    if (paced) t = next_time(engine->row_next++, &engine->rows);
    return hbg_rt_rows_row(rows, t, rows->y, false);
}

hbg_rt_status hbg_rt_rows_told(hbg_rt_rows *rows) {
    hbg_rt_status status = outputs(rows, rows->engine->t, rows->engine->x, rows->y);
    return status == HBG_RT_OK ? tell_step(rows, rows->engine->t, rows->y, false) : status;
}

bool hbg_rt_has_jumped(double before, double after, double size) {
    return fabs(after - before) > HBG_RT_BAND * fmax(size, fmax(fabs(before), fabs(after)));
}

static bool has_jumped(const hbg_rt_rows *rows) {
    for (int32_t i = 0; i < rows->engine->system->output_count; i++)
        if (hbg_rt_has_jumped(rows->y[i], rows->y_after[i], rows->y_size[i])) return true;
    return false;
}

static hbg_rt_status record_instant(hbg_rt_rows *rows) {
    int32_t commits = hbg_rt_commits_count(rows);
    bool at_every_step = !(rows->options->record_every > 0);
    hbg_rt_status status = outputs(rows, rows->engine->t, rows->engine->x, rows->y_after);
    bool matters = commits > 1 || (commits > 0 && at_every_step) || (status == HBG_RT_OK && has_jumped(rows));
    if (status != HBG_RT_OK || !matters) {
        if (status == HBG_RT_OK) status = tell_step(rows, rows->engine->t, rows->y_after, false);
        return status;
    }
    if (!rows->written) status = hbg_rt_rows_row(rows, rows->engine->t, rows->y, false);
    if (status == HBG_RT_OK) status = hbg_rt_commits_record(rows);
    if (status == HBG_RT_OK) status = tell_step(rows, rows->engine->t, rows->y_after, false);
    if (status == HBG_RT_OK) status = hbg_rt_rows_row(rows, rows->engine->t, rows->y_after, false);
    return status;
}

hbg_rt_status hbg_rt_rows_instant(hbg_rt_rows *rows) {
    hbg_rt_status status = record_instant(rows);
    hbg_rt_commits_forget(rows);
    return status;
}
