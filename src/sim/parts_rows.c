/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a run in parts. The whole has an engine without states whose outputs are gathered from the parts:
 * each is known from the beginning of its last step to the end, and rows are written at times within all of
 * these. */
#include <math.h>
#include <string.h>

#include "sim/parts_impl.h"

/* Replaces a time that equals a recorded one by that one. */
static double recorded_time(const hbg_sim_schedule *schedule, double t) {
    return hbg_rt_on_grid(&schedule->whole.rows, t);
}

/* The state of a part at a time; its own end replaces *t if the two are the same instant. A part that has
 * arrived is there already. */
static const double *state_at(hbg_rt_engine *engine, bool pending, double *t) {
    hbg_rt_integrator *stepper = engine->stepper;
    if (!pending) {
        *t = engine->t;
        return engine->x;
    }
    if (*t >= engine->end || hbg_rt_same_instant(*t, engine->end)) {
        *t = engine->end;
        hbg_rt_engine_state_at_end(engine, engine->x_other);
        return engine->x_other;
    }
    stepper->dense(stepper, *t, engine->x_other);
    if (stepper->polish) stepper->polish(stepper, *t, engine->x_other);
    return engine->x_other;
}

static void scatter(const hbg_sim_part *part, const double *own, double *y) {
    for (int32_t i = 0; i < part->system->output_count; i++) y[part->outputs[i]] = own[i];
}

/* Outputs of a part, in `own`. */
static hbg_rt_status ask(hbg_sim_schedule *schedule, hbg_sim_part_run *part, double t, double *own) {
    hbg_rt_engine *engine = part->engine;
    const hbg_rt_description *system = engine->system;
    const double *x = state_at(engine, part->pending, &t);
    hbg_rt_status status = hbg_rt_outputs(engine->instance, t, x, own);
    status = hbg_rt_field_checked(&engine->field, status, t, system->output_count, own, system->outputs, "");
    if (status != HBG_RT_OK) schedule->current = part;
    return status;
}

hbg_rt_status hbg_sim_gather(hbg_sim_schedule *schedule, double t, double *y) {
    const int32_t *list = schedule->has_gathered ? schedule->now : schedule->with_outputs;
    int32_t count = schedule->has_gathered ? schedule->now_count : schedule->with_output_count;
    size_t size = (size_t)schedule->system->output_count * sizeof *y;
    t = recorded_time(schedule, t);
    for (int32_t i = 0; i < count; i++) {
        hbg_sim_part_run *part = &schedule->parts[list[i]];
        if (part->map->system->output_count == 0) continue;
        hbg_rt_status status = ask(schedule, part, t, part->rows.y_after);
        if (status != HBG_RT_OK) return status;
        scatter(part->map, part->rows.y_after, schedule->gathered);
    }
    memcpy(y, schedule->gathered, size);
    return HBG_RT_OK;
}

/* ---- around an instant -------------------------------------------------------------------------------- */

hbg_rt_status hbg_sim_gather_left(hbg_sim_schedule *schedule) {
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < schedule->now_count && status == HBG_RT_OK; i++) {
        hbg_sim_part_run *part = &schedule->parts[schedule->now[i]];
        if (part->map->system->output_count > 0) status = ask(schedule, part, part->engine->t, part->rows.y);
    }
    return status;
}

hbg_rt_status hbg_sim_gather_change(hbg_sim_schedule *schedule, bool *changed) {
    const hbg_rt_engine *whole = &schedule->whole;
    hbg_rt_rows *rows = &schedule->rows;
    *changed = hbg_rt_commits_count(rows) > 1;
    for (int32_t i = 0; i < schedule->now_count && !*changed; i++) {
        hbg_sim_part_run *part = &schedule->parts[schedule->now[i]];
        int32_t count = part->map->system->output_count;
        if (count == 0) continue;
        hbg_rt_status status = ask(schedule, part, part->engine->t, part->rows.y_after);
        if (status != HBG_RT_OK) return status;
        for (int32_t k = 0; k < count; k++)
            *changed = *changed || hbg_rt_has_jumped(part->rows.y[k], part->rows.y_after[k],
                                                     rows->y_size[part->map->outputs[k]]);
    }
    if (!*changed) return HBG_RT_OK;
    hbg_rt_status status = hbg_sim_gather(schedule, whole->t, rows->y);
    schedule->has_gathered = true;
    for (int32_t i = 0; i < schedule->now_count; i++)
        scatter(schedule->parts[schedule->now[i]].map, schedule->parts[schedule->now[i]].rows.y, rows->y);
    return status;
}

/* ---- the whole as an engine --------------------------------------------------------------------------- */

static hbg_rt_status outputs(void *self, double t, const double *x, double *y) {
    (void)x;
    return hbg_sim_gather(self, t, y);
}

static void dense(hbg_rt_integrator *stepper, double t,
                  double *x) { /* NOLINT(readability-non-const-parameter): a stepper's */
    (void)stepper, (void)t, (void)x;
}

void hbg_sim_gather_prepare(hbg_sim_schedule *schedule) {
    hbg_arena *arena = schedule->arena;
    hbg_rt_engine *whole = &schedule->whole;
    schedule->face = *schedule->system;
    schedule->face.state_count = 0;
    schedule->by_hand =
        (hbg_rt_by_hand){.description = &schedule->face, .self = schedule, .outputs = outputs};
    schedule->inside.dense = dense;
    whole->system = &schedule->face;
    whole->instance = hbg_rt_by_hand_new(&schedule->by_hand, hbg_sim_memory(arena));
    if (!whole->instance) hbg_base_memory_exhausted(arena->memory);
    whole->stepper = &schedule->inside;
    hbg_sim_rows_init(arena, &schedule->face, schedule->options, &schedule->rows);
    schedule->rows.engine = whole;
    whole->field = (hbg_rt_field){.system = &schedule->face, .instance = whole->instance, .reason = ""};
    schedule->gathered = HBG_NEW_ARRAY(arena, double, schedule->system->output_count + 1);
    schedule->with_outputs = HBG_NEW_ARRAY(arena, int32_t, schedule->count + 1);
    for (int32_t i = 0; i < schedule->count; i++)
        if (schedule->parts[i].map->system->output_count > 0)
            schedule->with_outputs[schedule->with_output_count++] = i;
}

/* ---- committed modes ---------------------------------------------------------------------------------- */

void hbg_sim_gather_commits(hbg_sim_schedule *schedule, hbg_sim_part_run *part) {
    hbg_rt_commits *all = schedule->rows.commits;
    int32_t outputs = schedule->system->output_count, count = hbg_rt_commits_count(&part->rows);
    if (!all || part->map->system->output_count == 0) return;
    for (int32_t i = 0; i < count; i++) {
        double *y = hbg_rt_commits_add(all, i, outputs);
        const double *own = i < count - 1 ? hbg_rt_commits_outputs(part->rows.commits, i) : NULL;
        if (y && own) scatter(part->map, own, y);
        if (y && !own && i < count - 1) hbg_rt_commits_drop(all, i);
    }
}

/* A part that went through fewer modes stays in its last one; so do all others. */
hbg_rt_status hbg_sim_complete_commits(hbg_sim_schedule *schedule) {
    hbg_rt_rows *rows = &schedule->rows;
    int32_t outputs = schedule->system->output_count, count = hbg_rt_commits_count(rows);
    if (count < 2) return HBG_RT_OK;
    hbg_rt_status status = hbg_sim_gather(schedule, schedule->whole.t, rows->y_after);
    for (int32_t k = 0; k < count - 1 && status == HBG_RT_OK; k++) {
        double *y = hbg_rt_commits_add(rows->commits, k, outputs);
        for (int32_t i = 0; i < outputs; i++)
            if (isnan(y[i])) y[i] = rows->y_after[i];
    }
    return status;
}

hbg_rt_status hbg_sim_gather_start(hbg_sim_schedule *schedule) {
    hbg_rt_rows *rows = &schedule->rows;
    bool moved = false;
    for (int32_t i = 0; i < schedule->count; i++) moved = moved || schedule->parts[i].moved;
    hbg_rt_status status = HBG_RT_OK;
    if (moved) status = hbg_sim_gather(schedule, 0, rows->y);
    for (int32_t i = 0; i < schedule->with_output_count && moved && status == HBG_RT_OK; i++) {
        hbg_sim_part_run *part = &schedule->parts[schedule->with_outputs[i]];
        if (!part->rows.has_declared) hbg_rt_rows_declared(&part->rows, part->engine->x);
        if (part->rows.has_declared) scatter(part->map, part->rows.y, rows->y);
    }
    rows->has_declared = moved;
    if (status == HBG_RT_OK && moved) status = hbg_sim_complete_commits(schedule);
    if (status == HBG_RT_OK && moved) status = hbg_rt_rows_start(rows);
    hbg_rt_commits_forget(rows);
    return status == HBG_RT_OK ? hbg_rt_rows_end(rows) : status;
}
