/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The result of a run in parts: the parts at the time it ended, their sums, and which methods they had. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/parts_impl.h"

/* ---- methods ------------------------------------------------------------------------------------------ */

/* How many parts have the method of this one, and whether it is the first of them. */
static int32_t alike(const hbg_sim_schedule *schedule, int32_t part, bool *first) {
    const char *name = schedule->parts[part].result.solver;
    int32_t count = 0;
    *first = true;
    for (int32_t i = 0; i < schedule->count; i++) {
        if (strcmp(schedule->parts[i].result.solver, name) != 0) continue;
        count++;
        *first = *first && i >= part;
    }
    return count;
}

enum { TOLD = 8 }; /* more than there are methods */

static int32_t list_methods(const hbg_sim_schedule *schedule, int32_t *parts, int32_t *counts) {
    int32_t count = 0, told = 0;
    for (int32_t i = 0; i < schedule->count && told < schedule->count && count < TOLD; i++) {
        bool first;
        int32_t n = alike(schedule, i, &first);
        if (!first) continue;
        parts[count] = i;
        counts[count++] = n;
        told += n;
    }
    return count;
}

void hbg_sim_result_name_solvers(hbg_sim_schedule *schedule) {
    hbg_sim_result *result = schedule->whole.result;
    int32_t parts[TOLD], counts[TOLD], count = list_methods(schedule, parts, counts);
    bool chosen = schedule->options->solver == HBG_SIM_AUTO;
    hbg_buffer names, why;
    hbg_base_buffer_init(&names, schedule->arena);
    hbg_base_buffer_init(&why, schedule->arena);
    hbg_base_buffer_print(&why, "%d independent parts with steps of their own", (int)schedule->count);
    for (int32_t i = 0; i < count; i++) {
        const hbg_sim_result *own = &schedule->parts[parts[i]].result;
        hbg_base_buffer_print(&names, "%s%s", i > 0 ? "; " : "", own->solver);
        if (count > 1)
            hbg_base_buffer_print(&names, " (%d of %d parts)", (int)counts[i], (int)schedule->count);
        if (chosen && count > 1) hbg_base_buffer_print(&why, "; %s: %s", own->solver, own->why);
        if (chosen && count == 1) hbg_base_buffer_print(&why, "; %s", own->why);
    }
    result->solver = names.data;
    result->why = why.data;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

/* A part within a step stops where the run does. */
static void cut(hbg_sim_part_run *part, double t) {
    hbg_rt_engine *engine = part->engine;
    if (!part->pending || !(t > engine->t)) return;
    hbg_rt_integrator *stepper = engine->stepper;
    bool ends = t >= engine->end || hbg_rt_same_instant(t, engine->end);
    double end = ends ? engine->end : t;
    (void)hbg_rt_engine_book(engine, end);
    if (ends) {
        hbg_rt_engine_state_at_end(engine, engine->x);
    } else {
        stepper->dense(stepper, t, engine->x);
        if (stepper->polish) stepper->polish(stepper, t, engine->x);
    }
    engine->t = end;
    part->pending = false;
}

static void add_part(hbg_sim_result *sum, const hbg_sim_part_run *part) {
    const hbg_sim_result *own = &part->result;
    const hbg_sim_part *map = part->map;
    sum->rejected += own->rejected;
    sum->rates += own->rates;
    sum->jacobians += own->jacobians;
    sum->crossings += own->crossings;
    sum->commits += own->commits;
    sum->lost_in_jumps += own->lost_in_jumps;
    sum->by_parameters += own->by_parameters;
    sum->residual += own->residual;
    sum->scale += own->scale;
    for (int32_t i = 0; i < map->system->power_count; i++) sum->work[map->powers[i]] = own->work[i];
    for (int32_t i = 0; i < map->system->storage_count; i++) {
        sum->stored_at_start[map->storages[i]] = own->stored_at_start[i];
        sum->stored_at_end[map->storages[i]] = own->stored_at_end[i];
    }
    for (int32_t i = 0; i < map->system->state_count; i++) sum->state[map->states[i]] = own->state[i];
}

/* Outputs at the end, as far as every part got there. */
static void look_at_end(hbg_sim_schedule *schedule, bool flowed) {
    hbg_sim_part_run *current = schedule->current;
    hbg_sim_result *result = schedule->whole.result;
    if (!flowed || hbg_sim_gather(schedule, result->t, result->outputs) != HBG_RT_OK) result->outputs = NULL;
    schedule->current = current;
}

hbg_rt_status hbg_sim_result_sum(hbg_sim_schedule *schedule, hbg_rt_status status) {
    hbg_sim_result *result = schedule->whole.result;
    hbg_sim_part_run *culprit = schedule->current;
    bool flowed = true;
    hbg_sim_result_init(schedule->arena, schedule->system, result);
    result->modes = NULL;
    result->outputs = HBG_NEW_ARRAY(schedule->arena, double, schedule->system->output_count + 1);
    result->t = schedule->whole.t;
    for (int32_t i = 0; i < schedule->count; i++) {
        cut(&schedule->parts[i], result->t);
        flowed = flowed && schedule->parts[i].engine && schedule->parts[i].engine->stepper != NULL;
    }
    look_at_end(schedule, flowed);
    for (int32_t i = 0; i < schedule->count; i++) {
        hbg_sim_part_run *part = &schedule->parts[i];
        if (!part->engine) continue; // the start of another one failed before
        bool entered = part->engine->field.jacobian.start != NULL;
        hbg_rt_status own = part == culprit || !entered ? status : HBG_RT_OK;
        own = hbg_sim_finish(part->engine, own);
        if (part->lent) hbg_sim_lent_end(part->lent);
        if (status == HBG_RT_OK && own != HBG_RT_OK) {
            status = own;
            culprit = part;
        }
        add_part(result, part);
    }
    if (!flowed) result->commits = 0; // an unfinished start does not count
    if (status != HBG_RT_OK) {
        memcpy(result->failure, culprit->result.failure, sizeof result->failure);
        result->verdict = culprit->result.verdict;
    }
    return status;
}
