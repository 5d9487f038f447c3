/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The door: one run of an image with its experiment. What is set during the run happens at a separate
 * instant, so that left limits are the values before. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/door_impl.h"

/* ---- failures ----------------------------------------------------------------------------------------- */

/* Findings about switching so far are in the failure of every status. */
static void note_finding(hbg_rt_run *run) {
    run->failure.verdict = (int32_t)run->result.verdict;
    run->failure.warnings = run->result.warnings;
    run->failure.warning = run->result.warning;
}

hbg_rt_status hbg_rt_run_note(hbg_rt_run *run, hbg_rt_status status) {
    const hbg_rt_engine *engine = run->engine;
    const hbg_rt_failure *own = hbg_rt_failed(run->instance);
    note_finding(run);
    if (status == HBG_RT_OK) return status;
    const char *words = status == HBG_RT_VERDICT ? engine->search.words
                        : own->status == status  ? own->text
                                                 : engine->field.words;
    run->failure = (hbg_rt_failure){.status = status, .time = engine->t};
    snprintf(run->failure.text, sizeof run->failure.text, "%.470s",
             words[0] ? words : hbg_rt_status_text(status));
    note_finding(run);
    return status;
}

hbg_rt_status hbg_rt_run_refuse(hbg_rt_run *run, const char *why) {
    run->failure = (hbg_rt_failure){.status = HBG_RT_BAD_OPTION, .time = run->engine->t};
    snprintf(run->failure.text, sizeof run->failure.text, "%s", why);
    note_finding(run);
    return HBG_RT_BAD_OPTION;
}

const hbg_rt_failure *hbg_rt_run_failed(const hbg_rt_run *run) {
    return &run->failure;
}

/* ---- the image ---------------------------------------------------------------------------------------- */

hbg_rt_status hbg_rt_image_read(const void *bytes, size_t size, hbg_rt_memory memory, hbg_rt_loaded **loaded,
                                char *reason, size_t reason_size) {
    hbg_rt_bundle bundle;
    *loaded = NULL;
    if (!hbg_rt_bundle_read(&bundle, bytes, size, reason, reason_size)) return HBG_RT_BAD_IMAGE;
    bool has_image = bundle.count > 0 && hbg_rt_bundle_at(&bundle, 0).kind == HBG_RT_BUNDLE_IMAGE;
    if (!has_image) snprintf(reason, reason_size, "the file does not begin with an image");
    if (!has_image) return HBG_RT_BAD_IMAGE;
    hbg_rt_bundle_item first = hbg_rt_bundle_at(&bundle, 0);
    return hbg_rt_package_read(first.bytes, first.size, memory, loaded, reason, reason_size);
}

/* ---- the beginning ------------------------------------------------------------------------------------ */

/* After the room for what is set: the actions of the experiment. */
static void take_experiment(hbg_rt_run *run, const hbg_rt_package *package) {
    const hbg_rt_description *system = run->system;
    int32_t inputs = system->input_count,
            others = 2 * system->param_count + system->automaton_count + system->clock_count;
    run->sensor_count = package->sensor_count;
    run->sensors = HBG_RT_TAKE(&run->room, hbg_rt_sensor, run->sensor_count);
    run->actions = HBG_RT_TAKE(&run->room, hbg_rt_action, inputs + package->action_count);
    run->overrides = HBG_RT_TAKE(&run->room, hbg_rt_override, others + package->override_count);
    if (run->room.is_exhausted) return;
    for (int32_t i = 0; i < package->sensor_count; i++) {
        const hbg_rt_package_sensor *of = &package->sensors[i];
        run->sensors[i] =
            (hbg_rt_sensor){of->scale,     of->scale_rate,    of->bias,  of->bias_rate, of->mean,
                            of->deviation, of->is_stuck != 0, of->stuck, of->seed,      of->key};
    }
    for (int32_t i = 0; i < package->action_count; i++) {
        const hbg_rt_package_action *of = &package->actions[i];
        run->actions[inputs + i] = (hbg_rt_action){of->time, of->input, of->value};
    }
    for (int32_t i = 0; i < package->override_count; i++) {
        const hbg_rt_package_override *of = &package->overrides[i];
        run->overrides[others + i] =
            (hbg_rt_override){.time = of->time,
                              .kind = (hbg_rt_override_kind)of->kind,
                              .index = of->index,
                              .value = of->value,
                              .state = of->state,
                              .sensor = of->sensor < 0 ? NULL : &run->sensors[of->sensor],
                              .cause = of->cause,
                              .is_line = of->is_line != 0,
                              .slope = of->slope};
    }
    run->setup.actions = run->actions + inputs;
    run->setup.action_count = package->action_count;
    run->setup.overrides = run->overrides + others;
    run->setup.override_count = package->override_count;
}

static void take_result(hbg_rt_run *run) {
    const hbg_rt_description *system = run->system;
    run->result = (hbg_rt_result){.solver = "", .why = ""};
    run->result.work = HBG_RT_TAKE(&run->room, double, system->power_count);
    run->result.stored_at_start = HBG_RT_TAKE(&run->room, double, system->storage_count);
    run->result.stored_at_end = HBG_RT_TAKE(&run->room, double, system->storage_count);
    run->result.state = HBG_RT_TAKE(&run->room, double, system->state_count);
    run->result.modes = HBG_RT_TAKE(&run->room, int32_t, system->automaton_count);
}

/* From here on the engine knows of the room in front. */
static void open_room(hbg_rt_run *run) {
    run->engine->schedule.action = (int32_t)(run->setup.actions - run->actions);
    run->engine->schedule.override = (int32_t)(run->setup.overrides - run->overrides);
    run->setup.action_count += run->engine->schedule.action;
    run->setup.override_count += run->engine->schedule.override;
    run->setup.actions = run->actions;
    run->setup.overrides = run->overrides;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

static bool take_row(void *context, double t, const double *outputs) {
    hbg_rt_run *run = context;
    run->row_time = t;
    return run->options.row(run->options.row_context, t, outputs);
}

static void take_rows(hbg_rt_run *run) {
    const hbg_rt_description *system = run->system;
    run->row_time = NAN;
    if (!run->options.row) return;
    run->row_options =
        (hbg_rt_row_options){.record_every = run->options.every, .row = take_row, .context = run};
    hbg_rt_rows_init(&run->room, system, &run->row_options, &run->rows);
    if (system->has_events) run->rows.commits = hbg_rt_commits_new(&run->room, system);
    run->last = HBG_RT_TAKE(&run->room, double, system->output_count + 1);
    run->setup.observer = hbg_rt_rows_observer(&run->rows);
}

/* If rows have an interval the end falls between two of them; it is recorded in any case. */
static hbg_rt_status add_last_row(hbg_rt_run *run) {
    const hbg_rt_result *result = &run->result;
    if (!(run->row_time < result->t)) return HBG_RT_OK; // no rows, or it is there
    if (hbg_rt_outputs(run->instance, result->t, result->state, run->last) != HBG_RT_OK) return HBG_RT_OK;
    return take_row(run, result->t, run->last) ? HBG_RT_OK : HBG_RT_CANNOT_WRITE;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static hbg_rt_status make(hbg_rt_run *run, const hbg_rt_loaded *loaded, const hbg_rt_package *package) {
    take_experiment(run, package);
    take_result(run);
    take_rows(run);
    if (!run->room.is_exhausted) run->instance = hbg_rt_loaded_run(loaded, run->room.memory);
    if (!run->instance) return HBG_RT_NO_MEMORY;
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < package->setting_count && status == HBG_RT_OK; i++)
        status = hbg_rt_set_param(run->instance, package->settings[i].param, package->settings[i].value);
    if (status == HBG_RT_OK)
        status = hbg_rt_engine_new(run->system, run->instance, &run->setup, &run->result, &run->engine);
    if (status == HBG_RT_OK) run->rows.engine = run->engine;
    if (status == HBG_RT_OK) open_room(run);
    return status == HBG_RT_OK && run->options.reserves ? hbg_rt_reserve(run->instance) : status;
}

hbg_rt_status hbg_rt_run_new(const hbg_rt_loaded *loaded, const hbg_rt_options *options, hbg_rt_run **run) {
    return hbg_rt_run_with(loaded, hbg_rt_loaded_package(loaded), options, NULL, run);
}

hbg_rt_status hbg_rt_run_with(const hbg_rt_loaded *loaded, const hbg_rt_package *experiment,
                              const hbg_rt_options *options, const hbg_rt_setup *more, hbg_rt_run **run) {
    hbg_rt_room room = {.memory = options->memory};
    hbg_rt_run *made = HBG_RT_TAKE(&room, hbg_rt_run, 1);
    *run = NULL;
    if (!made) return HBG_RT_NO_MEMORY;
    made->room = room;
    made->system = hbg_rt_loaded_description(loaded);
    hbg_rt_package_head head;
    memcpy(&head, loaded->bytes, sizeof head);
    made->image_sum = head.sum;
    made->setup = (hbg_rt_setup){.memory = options->memory,
                                 .demand = {options->stop, options->step, options->rtol, options->atol},
                                 .fixed = options->fixed,
                                 .stiffness = options->stiffness,
                                 .method = options->method,
                                 .ledger = options->ledger,
                                 .shows = options->row || options->tries,
                                 .strict = options->strict,
                                 .zeno_rest = options->zeno_rest,
                                 .slides = options->slides};
    made->options = *options;
    if (more) {
        made->setup.observer = more->observer;
        made->setup.solver = more->solver;
    }
    hbg_rt_status status = make(made, loaded, experiment);
    if (status == HBG_RT_OK)
        *run = made;
    else
        hbg_rt_run_free(made);
    return status;
}

void hbg_rt_run_free(hbg_rt_run *run) {
    if (!run) return;
    hbg_rt_room room = run->room;
    hbg_rt_engine_free(run->engine);
    hbg_rt_free(run->instance);
    hbg_rt_room_end(&room);
}

/* ---- what is set -------------------------------------------------------------------------------------- */

static int32_t count_of(const hbg_rt_description *system, hbg_rt_set_kind kind) {
    switch (kind) {
    case HBG_RT_INPUT: return system->input_count;
    case HBG_RT_PARAM:
    case HBG_RT_LINE: return system->param_count;
    case HBG_RT_AUTOMATON: return system->has_events ? system->automaton_count : 0;
    case HBG_RT_SENSOR: return system->clock_count;
    default: return 0;
    }
}

/* Each input is set once at a time: the last value counts. */
static void set_input(hbg_rt_run *run, const hbg_rt_set *what) {
    hbg_rt_schedule *schedule = &run->engine->schedule;
    hbg_rt_action *at = run->actions + schedule->action, *end = at + run->actions_set;
    while (at < end && at->input != what->index) at++;
    if (at == end) {
        at = run->actions + --schedule->action;
        run->actions_set++;
    }
    *at = (hbg_rt_action){run->engine->t, what->index, what->value};
}

static void set_other(hbg_rt_run *run, const hbg_rt_set *what) {
    hbg_rt_schedule *schedule = &run->engine->schedule;
    hbg_rt_override_kind kind = what->kind == HBG_RT_AUTOMATON ? HBG_RT_HOLD
                                : what->kind == HBG_RT_SENSOR  ? HBG_RT_SENSE
                                                               : HBG_RT_SET_PARAM;
    hbg_rt_override *at = run->overrides + schedule->override, *end = at + run->overrides_set;
    while (at < end && (at->kind != kind || at->index != what->index)) at++;
    if (at == end) {
        at = run->overrides + --schedule->override;
        run->overrides_set++;
    }
    *at = (hbg_rt_override){.time = run->engine->t,
                            .kind = kind,
                            .index = what->index,
                            .value = what->value,
                            .state = what->state,
                            .sensor = what->sensor,
                            .cause = -1,
                            .is_line = what->kind == HBG_RT_LINE,
                            .slope = what->slope};
}

/* The run may continue to this time, if it is later than its stop. */
static hbg_rt_status set_stop(hbg_rt_run *run, double stop) {
    if (isnan(stop)) return hbg_rt_run_refuse(run, "the stop is not a number");
    if (stop <= run->setup.demand.stop) return HBG_RT_OK;
    run->setup.demand.stop = run->options.stop = stop;
    if (run->is_started && !run->engine->search.is_open)
        hbg_rt_engine_pause_at(run->engine, run->engine->pause);
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_run_set(hbg_rt_run *run, const hbg_rt_set *what) {
    if (what->kind == HBG_RT_STOP) return set_stop(run, what->value);
    if (what->index < 0 || what->index >= count_of(run->system, what->kind))
        return hbg_rt_run_refuse(run, "there is nothing with this number to set");
    if (what->kind == HBG_RT_AUTOMATON &&
        (what->state < HBG_RT_HOLD_OFF || what->state >= run->system->automata[what->index].state_count))
        return hbg_rt_run_refuse(run, "the automaton has no such state");
    if (what->kind < HBG_RT_AUTOMATON && !(isfinite(what->value) && isfinite(what->slope)))
        return hbg_rt_run_refuse(run, "the value to set is not a finite number");
    if (what->kind == HBG_RT_PARAM && !run->is_started) // declared energies may depend on it
        return hbg_rt_run_note(run, hbg_rt_set_param(run->instance, what->index, what->value));
    if (what->kind == HBG_RT_INPUT)
        set_input(run, what);
    else
        set_other(run, what);
    return HBG_RT_OK;
}

/* ---- on the way --------------------------------------------------------------------------------------- */

/* What was set happens now. */
static hbg_rt_status catch_up(hbg_rt_run *run) {
    hbg_rt_engine *engine = run->engine;
    if (!run->is_started) return hbg_rt_run_refuse(run, "the run has not been started");
    if (run->is_finished) return hbg_rt_run_refuse(run, "the run is over");
    if (engine->search.is_open) return hbg_rt_run_refuse(run, "the instant has not come to its end");
    if (run->actions_set == 0 && run->overrides_set == 0) return HBG_RT_OK;
    run->actions_set = run->overrides_set = 0;
    engine->moment.is_instant = true;
    engine->moment.crossed = engine->moment.cut = engine->moment.turned = engine->moment.aside = false;
    engine->schedule.limit = engine->schedule.given = engine->t;
    hbg_rt_status status = hbg_rt_engine_instant(engine);
    return hbg_rt_run_note(run, status == HBG_RT_OK ? hbg_rt_engine_go_on(engine) : status);
}

hbg_rt_status hbg_rt_run_start(hbg_rt_run *run) {
    if (run->is_started) return hbg_rt_run_refuse(run, "the run has been started before");
    run->actions_set = run->overrides_set = 0;
    hbg_rt_status status = hbg_rt_run_note(run, hbg_rt_engine_start(run->engine));
    run->is_started = status == HBG_RT_OK;
    return status;
}

hbg_rt_status hbg_rt_run_advance(hbg_rt_run *run, double t) {
    hbg_rt_status status = catch_up(run);
    if (status != HBG_RT_OK) return status;
    if (!(t >= run->engine->t)) return hbg_rt_run_refuse(run, "a run does not go back");
    hbg_rt_engine_pause_at(run->engine, t);
    return hbg_rt_run_note(run, hbg_rt_engine_advance(run->engine));
}

hbg_rt_status hbg_rt_run_finish(hbg_rt_run *run, hbg_rt_status status) {
    if (run->is_finished) return hbg_rt_run_refuse(run, "the run is over");
    hbg_rt_status ended = hbg_rt_engine_finish(run->engine, status);
    note_finding(run);
    if (ended != status) (void)hbg_rt_run_note(run, ended);
    run->is_finished = true;
    hbg_rt_status written = add_last_row(run);
    return ended == HBG_RT_OK ? hbg_rt_run_note(run, written) : ended;
}

static hbg_rt_status read_work(hbg_rt_run *run, double *work) {
    const hbg_rt_ledger *ledger = run->engine->ledger;
    hbg_rt_engine_stride_book(run->engine);
    for (int32_t k = 0; k < run->system->power_count; k++) work[k] = ledger->work[k] + ledger->rest[k];
    return HBG_RT_OK;
}

/* What was set and has not happened yet does not count. */
static hbg_rt_status read_params(const hbg_rt_run *run, double *values) {
    const hbg_rt_outside *outside = &run->instance->image->instants.outside;
    for (int32_t i = 0; i < outside->param_count; i++) values[i] = run->instance->r[outside->params[i].value];
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_run_read(hbg_rt_run *run, hbg_rt_what what, double *values) {
    if (what == HBG_RT_READ_PARAMS) return read_params(run, values);
    hbg_rt_status status = run->is_finished ? HBG_RT_OK : catch_up(run);
    const hbg_rt_engine *engine = run->engine;
    if (status != HBG_RT_OK) return status;
    switch (what) {
    case HBG_RT_READ_TIME: values[0] = engine->t; break;
    case HBG_RT_READ_NEXT:
        values[0] = engine->schedule.limit;
        if (run->options.tries) values[0] = fmin(values[0], engine->schedule.flip);
        break;
    case HBG_RT_READ_KNOWN: values[0] = engine->schedule.horizon; break;
    case HBG_RT_READ_STATES: memcpy(values, engine->x, (size_t)engine->field.n * sizeof *values); break;
    case HBG_RT_READ_SIZES:
        memcpy(values, engine->field.size, (size_t)engine->field.n * sizeof *values);
        break;
    case HBG_RT_READ_RATES: status = hbg_rt_rates(run->instance, engine->t, engine->x, values); break;
    case HBG_RT_READ_OUTPUTS: status = hbg_rt_outputs(run->instance, engine->t, engine->x, values); break;
    case HBG_RT_READ_POWERS: status = hbg_rt_powers(run->instance, engine->t, engine->x, values); break;
    case HBG_RT_READ_ENERGIES: status = hbg_rt_energies(run->instance, engine->t, engine->x, values); break;
    case HBG_RT_READ_WORK: status = read_work(run, values); break;
    case HBG_RT_READ_MODES:
        for (int32_t i = 0; i < run->system->automaton_count; i++) values[i] = engine->search.states[i];
        break;
    case HBG_RT_READ_COMMITS: values[0] = (double)run->result.commits; break;
    default: return hbg_rt_run_refuse(run, "there is nothing of this kind to read");
    }
    return hbg_rt_run_note(run, status);
}
