/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a run: at multiples of record_every, exactly, on the integrator's polynomial; or at the end of every step. At an
 * instant one row before and one for each mode that became real, same time. Pictures look more often than that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/run_impl.h"

/* An output that moves less than this, relative to the largest it has been, has not jumped. */
static const double jump_share = 1e-10;

static hbg_rt_status outputs(hbg_sim_engine *engine, double t, const double *x, double *y) {
    const hbg_rt_system *system = engine->system;
    if (system->output_count == 0) return HBG_RT_OK;
    hbg_rt_status status = system->outputs_at(engine->instance, t, x, y);
    return hbg_sim_checked(&engine->field, status, t, system->output_count, y, system->outputs, "");
}

static void look(const hbg_sim_engine *engine, double t, const double *y, bool for_an_instant) {
    if (engine->options->look) engine->options->look(engine->options->context, t, y, for_an_instant);
}

static bool wants_steps(const hbg_sim_engine *engine) {
    return engine->options->step_end || engine->options->summary;
}

static hbg_rt_status tell_step(const hbg_sim_engine *engine, double t, const double *y, bool inside) {
    const hbg_sim_options *options = engine->options;
    if (options->summary) hbg_sim_summary_step(options->summary, t, y, inside);
    if (!options->step_end || options->step_end(options->context, t, y, inside)) return HBG_RT_OK;
    return HBG_RT_CANNOT_WRITE;
}

hbg_rt_status hbg_sim_record_row(hbg_sim_engine *engine, double t, const double *y, bool for_an_instant) {
    for (int32_t i = 0; i < engine->system->output_count; i++) {
        double size = fabs(y[i]);
        if (size > engine->y_size[i]) engine->y_size[i] = size;
    }
    look(engine, t, y, for_an_instant);
    hbg_rt_status status = for_an_instant ? tell_step(engine, t, y, false) : HBG_RT_OK;
    if (status != HBG_RT_OK) return status;
    if (engine->options->row == NULL || engine->options->row(engine->options->context, t, y))
        return HBG_RT_OK;
    return HBG_RT_CANNOT_WRITE;
}

/* ---- the start ---------------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    double value;
} energy;

static int by_name(const void *a, const void *b) {
    return strcmp(((const energy *)a)->name, ((const energy *)b)->name);
}

void hbg_sim_record_declared(hbg_sim_engine *engine, const double *x_plus) {
    const hbg_rt_system *system = engine->system;
    size_t count = (size_t)system->state_count;
    energy *declared = HBG_NEW_ARRAY(engine->arena, energy, count);
    if (system->output_count == 0) return;
    if (system->outputs_at(engine->instance, 0, x_plus, engine->y) != HBG_RT_OK) return;
    for (size_t i = 0; i < count; i++)
        declared[i] = (energy){system->states[i].name, engine->result->state[i]};
    if (count > 0) qsort(declared, count, sizeof *declared, by_name);
    for (int32_t i = 0; i < system->output_count && count > 0; i++) {
        energy wanted = {system->outputs[i].name, 0};
        const energy *found = bsearch(&wanted, declared, count, sizeof *declared, by_name);
        if (found != NULL) engine->y[i] = found->value;
    }
    engine->has_declared = true;
}

hbg_rt_status hbg_sim_record_start(hbg_sim_engine *engine) {
    if (!engine->has_declared) hbg_sim_record_declared(engine, engine->x);
    hbg_rt_status status = engine->has_declared ? tell_step(engine, 0, engine->y, false) : HBG_RT_OK;
    if (status == HBG_RT_OK && engine->has_declared) status = hbg_sim_record_row(engine, 0, engine->y, false);
    if (status == HBG_RT_OK) status = hbg_sim_commits_record(engine);
    hbg_sim_commits_forget(engine);
    return status;
}

/* ---- on the way --------------------------------------------------------------------------------------- */

/* The next multiple; INFINITY where there are none. */
static double next_time(double number, const hbg_rt_grid *grid) {
    return grid->step > 0 ? hbg_rt_grid_time(grid, number) : INFINITY;
}

hbg_rt_status hbg_sim_record_middle(hbg_sim_engine *engine, double end) {
    hbg_sim_stepper *stepper = engine->stepper;
    double t = engine->t + (end - engine->t) / 2;
    if (!wants_steps(engine) || stepper->fixed || engine->system->output_count == 0) return HBG_RT_OK;
    stepper->dense(stepper, t, engine->x_other);
    if (stepper->polish) stepper->polish(stepper, t, engine->x_other);
    if (engine->system->outputs_at(engine->instance, t, engine->x_other, engine->y_after) != HBG_RT_OK)
        return HBG_RT_OK;
    for (int32_t i = 0; i < engine->system->output_count; i++)
        if (!isfinite(engine->y_after[i])) return HBG_RT_OK; // nobody has asked for a row here
    return tell_step(engine, t, engine->y_after, true);
}

hbg_rt_status hbg_sim_record_inside(hbg_sim_engine *engine, double end) {
    for (;;) {
        double row = next_time(engine->record_next, &engine->records),
               glance = next_time(engine->look_next, &engine->looks);
        bool is_row = row <= glance || hbg_sim_same_instant(row, glance);
        double t = is_row ? row : glance;
        if (t >= end || hbg_sim_same_instant(t, end)) return HBG_RT_OK;
        engine->stepper->dense(engine->stepper, t, engine->x_other);
        if (engine->stepper->polish) engine->stepper->polish(engine->stepper, t, engine->x_other);
        hbg_rt_status status = outputs(engine, t, engine->x_other, engine->y_after);
        if (status == HBG_RT_OK && is_row) status = hbg_sim_record_row(engine, t, engine->y_after, false);
        if (status != HBG_RT_OK) return status;
        if (!is_row) look(engine, t, engine->y_after, false);
        if (glance <= t || hbg_sim_same_instant(glance, t)) engine->look_next++;
        if (is_row) engine->record_next++;
    }
}

hbg_rt_status hbg_sim_record_end(hbg_sim_engine *engine, bool *written) {
    double t = engine->t, glance = next_time(engine->look_next, &engine->looks);
    bool paced = engine->records.step > 0;
    if (glance <= t || hbg_sim_same_instant(glance, t)) engine->look_next++;
    *written = !paced || hbg_sim_same_instant(next_time(engine->record_next, &engine->records), t);
    bool told = engine->options->look || wants_steps(engine);
    if (!*written && !engine->is_instant && !told) return HBG_RT_OK;
    hbg_rt_status status = outputs(engine, t, engine->x, engine->y);
    if (status == HBG_RT_OK) status = tell_step(engine, t, engine->y, false);
    if (engine->row_at == t && t > 0) { // a stride ended here with its row
        *written = true;
        return status;
    }
    if (status == HBG_RT_OK && !*written) look(engine, t, engine->y, false);
    if (status != HBG_RT_OK || !*written) return status;
    engine->row_at = t;
    if (paced) t = next_time(engine->record_next++, &engine->records);
    return hbg_sim_record_row(engine, t, engine->y, false);
}

hbg_rt_status hbg_sim_record_told(hbg_sim_engine *engine) {
    hbg_rt_status status = outputs(engine, engine->t, engine->x, engine->y);
    return status == HBG_RT_OK ? tell_step(engine, engine->t, engine->y, false) : status;
}

bool hbg_sim_has_jumped(double before, double after, double size) {
    return fabs(after - before) > jump_share * fmax(size, fmax(fabs(before), fabs(after)));
}

static bool has_jumped(const hbg_sim_engine *engine) {
    for (int32_t i = 0; i < engine->system->output_count; i++)
        if (hbg_sim_has_jumped(engine->y[i], engine->y_after[i], engine->y_size[i])) return true;
    return false;
}

static hbg_rt_status record_instant(hbg_sim_engine *engine, bool written) {
    int32_t commits = hbg_sim_commits_count(engine);
    bool at_every_step = !(engine->options->record_every > 0);
    hbg_rt_status status = outputs(engine, engine->t, engine->x, engine->y_after);
    bool matters =
        commits > 1 || (commits > 0 && at_every_step) || (status == HBG_RT_OK && has_jumped(engine));
    if (status != HBG_RT_OK || !matters) {
        if (status == HBG_RT_OK) status = tell_step(engine, engine->t, engine->y_after, false);
        return status;
    }
    if (!written) status = hbg_sim_record_row(engine, engine->t, engine->y, false);
    if (status == HBG_RT_OK) status = hbg_sim_commits_record(engine);
    if (status == HBG_RT_OK) status = tell_step(engine, engine->t, engine->y_after, false);
    if (status == HBG_RT_OK) status = hbg_sim_record_row(engine, engine->t, engine->y_after, false);
    return status;
}

hbg_rt_status hbg_sim_record_instant(hbg_sim_engine *engine, bool written) {
    hbg_rt_status status = record_instant(engine, written);
    hbg_sim_commits_forget(engine);
    return status;
}
