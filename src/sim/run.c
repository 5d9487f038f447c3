/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run: the engine of rt with lent memory and integrators, its rows (rt/rows.h), and words if it fails. */
#include <math.h>
#include <stdio.h>

#include "sim/run_impl.h"

hbg_sim_options hbg_sim_options_default(void) {
    return (hbg_sim_options){.solver = HBG_SIM_AUTO, .stop = 1, .ledger = true};
}

/* ---- preparation -------------------------------------------------------------------------------------- */

hbg_rt_setup hbg_sim_setup(hbg_sim_maker *maker) {
    const hbg_sim_options *options = maker->options;
    bool fixed = options->solver >= HBG_SIM_EULER;
    return (hbg_rt_setup){.memory = hbg_sim_memory(maker->arena),
                          .demand = {options->stop, options->step, options->rtol, options->atol},
                          .fixed = fixed,
                          .method = fixed ? (hbg_rt_method)(options->solver - HBG_SIM_EULER) : HBG_RT_EULER,
                          .make = hbg_sim_make,
                          .make_context = maker,
                          .changes_over = options->solver == HBG_SIM_AUTO,
                          .step_limit = options->step_limit,
                          .ledger = options->ledger,
                          .shows = options->row || options->look || options->step_end || options->summary,
                          .strict = options->strict,
                          .zeno_rest = options->zeno_rest,
                          .slides = options->slides,
                          .actions = options->actions,
                          .action_count = options->action_count,
                          .overrides = options->overrides,
                          .override_count = options->override_count,
                          .observer.rows_every = options->record_every};
}

const char *hbg_sim_options_fault(const hbg_rt_description *system, const hbg_sim_options *options) {
    hbg_sim_maker maker = {.options = options};
    if ((int)options->solver < HBG_SIM_AUTO || options->solver > HBG_SIM_TRAPEZOIDAL)
        return "there is no such solver";
    if (!(options->look_every >= 0) || !isfinite(options->look_every))
        return "the time between looks has to be 0 or more";
    hbg_rt_setup setup = hbg_sim_setup(&maker);
    return hbg_rt_setup_fault(system, &setup);
}

void hbg_sim_result_init(hbg_arena *arena, const hbg_rt_description *system, hbg_sim_result *result) {
    result->work = HBG_NEW_ARRAY(arena, double, system->power_count + 1);
    result->stored_at_start = HBG_NEW_ARRAY(arena, double, system->storage_count + 1);
    result->stored_at_end = HBG_NEW_ARRAY(arena, double, system->storage_count + 1);
    result->state = HBG_NEW_ARRAY(arena, double, system->state_count + 1);
    result->modes = HBG_NEW_ARRAY(arena, int32_t, system->automaton_count + 1);
}

/* ---- the run ------------------------------------------------------------------------------------------ */

hbg_rt_status hbg_sim_finish(hbg_rt_engine *engine, hbg_rt_status status) {
    hbg_sim_result *result = engine->result;
    if (status != HBG_RT_OK) {
        const char *solver = engine->stepper != NULL ? engine->stepper->name : "";
        hbg_sim_explain(&engine->field, status, solver, engine->t, engine->x, result);
    }
    hbg_rt_status ended = hbg_rt_engine_finish(engine, status);
    if (status == HBG_RT_OK && ended != HBG_RT_OK)
        hbg_sim_explain(&engine->field, ended, result->solver, engine->t, engine->x, result);
    return ended;
}

/* The context of a run's observer: rows, which come first, and the caller's progress function. */
typedef struct {
    hbg_rt_rows rows;
    hbg_sim_progress progress;
} observed;

static bool goes_on(void *context) {
    return hbg_sim_goes_on(&((observed *)context)->progress);
}

static hbg_rt_status run(const hbg_rt_description *system, hbg_rt_instance *instance,
                         const hbg_rt_setup *setup, observed *by, hbg_sim_result *result) {
    hbg_rt_engine *engine;
    hbg_rt_status status = hbg_rt_engine_new(system, instance, setup, result, &engine);
    if (status != HBG_RT_OK) return status;
    by->rows.engine = engine;
    by->progress.engine = engine;
    status = hbg_rt_engine_start(engine);
    if (status == HBG_RT_OK) status = hbg_rt_engine_advance(engine);
    status = hbg_sim_finish(engine, status);
    hbg_rt_engine_free(engine);
    return status;
}

hbg_rt_status hbg_sim_run(hbg_arena *arena, const hbg_rt_description *system, hbg_rt_instance *instance,
                          const hbg_sim_options *options, hbg_sim_result *result) {
    hbg_sim_maker maker = {.arena = arena, .options = options};
    observed by = {.progress = {.options = options}};
    *result = (hbg_sim_result){.solver = "", .why = ""};
    const char *fault = hbg_sim_options_fault(system, options);
    if (fault != NULL) {
        (void)snprintf(result->failure, sizeof result->failure, "%s", fault);
        return HBG_RT_BAD_OPTION;
    }
    hbg_sim_result_init(arena, system, result);
    hbg_sim_rows_init(arena, system, options, &by.rows);
    bool told = options->row || options->look || options->step_end || options->summary;
    if (system->has_events && told) by.rows.commits = hbg_sim_commits_new(arena, system);
    hbg_rt_setup setup = hbg_sim_setup(&maker);
    setup.observer = hbg_rt_rows_observer(&by.rows);
    if (options->progress) setup.observer.goes_on = goes_on;
    hbg_sim_lent *lent = hbg_sim_lent_new(arena);
    if (lent) setup.solver = hbg_sim_lent_solver(lent);
    hbg_rt_status status = run(system, instance, &setup, &by, result);
    if (lent) hbg_sim_lent_end(lent);
    return status;
}
