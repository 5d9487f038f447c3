/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instances and their phases. A run of the engine is made with the instance and started as late as possible:
 * in initialisation the importer may read and set in any order, and setting a value after a start makes
 * another run. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fmu/fmu_impl.h"
#include "rt/bands.h"
#include "rt/search.h"

/* ---- the log ------------------------------------------------------------------------------------------- */

static void say(const hbg_fmu_instance *instance, hbg_fmu_level level, const char *format, va_list values) {
    char text[1200];
    (void)vsnprintf(text, sizeof text, format, values);
    instance->options.log(instance->options.log_context, level, text);
}

void hbg_fmu_say(hbg_fmu_instance *instance, hbg_fmu_level level, const char *format, ...) {
    va_list values;
    va_start(values, format);
    say(instance, level, format, values);
    va_end(values);
}

bool hbg_fmu_fail(hbg_fmu_instance *instance, const char *format, ...) {
    va_list values;
    va_start(values, format);
    say(instance, HBG_FMU_ERROR, format, values);
    va_end(values);
    return false;
}

/* Also reports, once, a verdict that did not end the run. */
bool hbg_fmu_check(hbg_fmu_instance *instance, hbg_rt_status status) {
    const hbg_rt_failure *failure = hbg_rt_run_failed(instance->run);
    if (failure->warnings > 0 && instance->warnings == 0)
        hbg_fmu_say(instance, HBG_FMU_WARNING, "%s", failure->warning);
    instance->warnings = failure->warnings;
    if (status == HBG_RT_OK) return true;
    instance->phase = HBG_FMU_FAILED;
    return hbg_fmu_fail(instance, "at t = %.9g s: %s", failure->time, failure->text);
}

static const char *name_of(hbg_fmu_phase phase) {
    switch (phase) {
    case HBG_FMU_MADE: return "before initialisation";
    case HBG_FMU_INITIALIZING: return "in initialisation mode";
    case HBG_FMU_AT_EVENT: return "in event mode";
    case HBG_FMU_CONTINUOUS: return "in continuous-time mode";
    case HBG_FMU_STEPPING: return "in step mode";
    case HBG_FMU_TERMINATED: return "after it was terminated";
    default: return "after it has failed";
    }
}

bool hbg_fmu_allows(hbg_fmu_instance *instance, const char *call, int phases) {
    if (!instance) return false;
    if (((int)instance->phase & phases) != 0) return true;
    return hbg_fmu_fail(instance, "%s is not allowed %s", call, name_of(instance->phase));
}

hbg_fmu_kind hbg_fmu_kind_of(const hbg_fmu_instance *instance) {
    return instance->options.kind;
}

void hbg_fmu_log_events(hbg_fmu_instance *instance, bool on) {
    instance->options.log_events = on;
}

/* ---- the observer -------------------------------------------------------------------------------------- */

static int32_t count_commits(const hbg_rt_story *story) {
    int32_t commits = 0;
    for (int32_t v = 0; v < story->visit_count; v++) commits += story->visits[v].kind != HBG_RT_MYTHICAL;
    return commits;
}

/* An area of effort is a momentum, one of flow a displacement: an area that is a tiny share of states and
 * areas of its unit is rounding. */
static void take_sizes(hbg_fmu_instance *instance, const hbg_rt_story *story) {
    const int32_t *groups = instance->model->groups;
    int32_t areas = 2 * instance->system->bond_count;
    for (int32_t i = 0; i < areas; i++)
        instance->sizes[groups[i]] = fmax(instance->sizes[groups[i]], fabs(instance->areas[i]));
    for (int32_t i = 0; i < instance->system->state_count && story->sizes; i++)
        instance->sizes[groups[areas + i]] = fmax(instance->sizes[groups[areas + i]], story->sizes[i]);
}

/* Sums of areas over all modes of an instant that became real. */
static void take_areas(hbg_fmu_instance *instance, const hbg_rt_story *story) {
    int32_t bonds = instance->system->bond_count;
    if (count_commits(story) == 0) return;
    memset(instance->areas, 0, 2 * (size_t)bonds * sizeof *instance->areas);
    for (int32_t v = 0; v < story->visit_count; v++) {
        const hbg_rt_story_visit *visit = &story->visits[v];
        if (visit->kind == HBG_RT_MYTHICAL || !visit->effort || !visit->flow) continue;
        int32_t count = visit->bonds ? visit->bond_count : bonds;
        for (int32_t i = 0; i < count; i++) {
            int32_t bond = visit->bonds ? visit->bonds[i] : i;
            instance->areas[bond] += visit->effort[bond];
            instance->areas[bonds + bond] += visit->flow[bond];
        }
    }
    take_sizes(instance, story);
    for (int32_t i = 0; i < 2 * bonds; i++)
        if (fabs(instance->areas[i]) <= HBG_RT_BAND * instance->sizes[instance->model->groups[i]])
            instance->areas[i] = 0;
}

static void tell(void *context, const hbg_rt_story *story) {
    hbg_fmu_instance *instance = context;
    take_areas(instance, story);
    if (!instance->options.log_events) return;
    hbg_fmu_say(instance, HBG_FMU_FINE, "event at t = %.17g s: %d modes became real", story->t,
                (int)count_commits(story));
}

/* A step of co-simulation may end when a mode has become real. */
static bool goes_on(void *context) {
    hbg_fmu_instance *instance = context;
    double commits;
    if (!instance->is_started || instance->phase != HBG_FMU_STEPPING) return true;
    if (hbg_rt_run_read(instance->run, HBG_RT_READ_COMMITS, &commits) != HBG_RT_OK) return true;
    return commits <= instance->commits;
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

static hbg_rt_setup setup_of(hbg_fmu_instance *instance) {
    hbg_rt_setup setup = {.observer = {.context = instance, .story = tell}};
    if (!instance->options.event_mode || !instance->options.early_return) return setup;
    setup.observer.goes_on = goes_on;
    setup.observer.no_long_strides = true;
    return setup;
}

bool hbg_fmu_make_run(hbg_fmu_instance *instance) {
    hbg_rt_options options = instance->model->shipped.options;
    options.tries = instance->options.kind == HBG_FMU_EXCHANGE;
    hbg_rt_setup setup = setup_of(instance);
    options.memory = instance->options.memory;
    if (instance->options.kind == HBG_FMU_EXCHANGE) options.ledger = false;
    if (instance->rtol > 0) options.rtol = instance->rtol;
    hbg_rt_run_free(instance->run);
    instance->run = NULL;
    instance->is_started = false;
    hbg_fmu_forget(instance);
    hbg_rt_status status = hbg_rt_run_with(instance->loaded, hbg_rt_loaded_package(instance->loaded),
                                           &options, &setup, &instance->run);
    if (status != HBG_RT_OK)
        return hbg_fmu_fail(instance, "the run cannot be made: %s", hbg_rt_status_text(status));
    return hbg_fmu_hand_over(instance, true);
}

void hbg_fmu_stop_at(hbg_fmu_instance *instance, double stop) {
    (void)hbg_rt_run_set(instance->run, &(hbg_rt_set){.kind = HBG_RT_STOP, .value = stop});
}

/* So the end of the run is not an event in model exchange. */
void hbg_fmu_extend(hbg_fmu_instance *instance) {
    double stop = instance->stop < INFINITY ? instance->stop : 0;
    if (instance->options.kind == HBG_FMU_EXCHANGE)
        hbg_fmu_stop_at(instance, (1 + HBG_RT_BEYOND) * fmax(instance->model->shipped.options.stop, stop));
}

bool hbg_fmu_begin(hbg_fmu_instance *instance) {
    if (instance->is_started) return true;
    if (!instance->run && !hbg_fmu_make_run(instance)) return false;
    memset(instance->areas, 0, 2 * (size_t)instance->system->bond_count * sizeof *instance->areas);
    if (instance->stop < INFINITY) hbg_fmu_stop_at(instance, instance->stop);
    if (!hbg_fmu_hand_over(instance, false)) return false;
    if (!hbg_fmu_check(instance, hbg_rt_run_start(instance->run))) return false;
    hbg_fmu_extend(instance);
    instance->is_started = true;
    return hbg_fmu_follow(instance) && hbg_fmu_take_branches(instance);
}

void hbg_fmu_forget(hbg_fmu_instance *instance) {
    instance->at.has_outputs = instance->at.has_rates = false;
}

bool hbg_fmu_follow(hbg_fmu_instance *instance) {
    hbg_rt_status status = hbg_rt_run_read(instance->run, HBG_RT_READ_TIME, &instance->at.t);
    if (status == HBG_RT_OK) status = hbg_rt_run_read(instance->run, HBG_RT_READ_STATES, instance->at.x);
    hbg_fmu_forget(instance);
    return hbg_fmu_check(instance, status);
}

/* ---- instances ----------------------------------------------------------------------------------------- */

/* Arrays of an instance; each has one more entry than needed, so none is empty. */
static void take_arrays(hbg_fmu_instance *made) {
    const hbg_rt_description *system = made->system;
    hbg_rt_room *room = &made->room;
    int32_t states = system->state_count + 1, roots = system->root_count + 1;
    made->set.inputs = HBG_RT_TAKE(room, double, system->input_count + 1);
    made->set.params = HBG_RT_TAKE(room, double, system->param_count + 1);
    made->set.holds = HBG_RT_TAKE(room, int32_t, system->automaton_count + 1);
    made->set.mark_count = system->input_count + system->param_count + system->automaton_count;
    made->set.marks = HBG_RT_TAKE(room, uint8_t, made->set.mark_count + 1);
    made->branches.sides = HBG_RT_TAKE(room, int8_t, roots);
    made->branches.sizes = HBG_RT_TAKE(room, double, roots);
    made->branches.bands = HBG_RT_TAKE(room, double, roots);
    made->branches.armed = HBG_RT_TAKE(room, bool, roots);
    made->branches.values = HBG_RT_TAKE(room, double, roots);
    made->branches.crossed = HBG_RT_TAKE(room, int32_t, roots);
    made->at.x = HBG_RT_TAKE(room, double, states);
    made->at.before = HBG_RT_TAKE(room, double, states);
    made->at.rates = HBG_RT_TAKE(room, double, states);
    made->at.outputs = HBG_RT_TAKE(room, double, system->output_count + 1);
    made->params = HBG_RT_TAKE(room, double, system->param_count + 1);
    made->modes = HBG_RT_TAKE(room, double, system->automaton_count + 1);
    made->nominals = HBG_RT_TAKE(room, double, states);
    made->rates_before = HBG_RT_TAKE(room, double, states);
    made->areas = HBG_RT_TAKE(room, double, 2 * system->bond_count + 1);
    made->sizes = HBG_RT_TAKE(room, double, made->model->group_count + 1);
}

/* Resets the instance to the values of the model. */
static void clear(hbg_fmu_instance *instance) {
    memset(instance->set.marks, 0, (size_t)instance->set.mark_count);
    for (int32_t i = 0; i < instance->system->automaton_count; i++) instance->set.holds[i] = HBG_RT_HOLD_NOT;
    memset(instance->at.x, 0, (size_t)instance->system->state_count * sizeof *instance->at.x);
    instance->set.waits = instance->opens = instance->is_open = instance->drifted = false;
    instance->states_changed = instance->nominals_changed = false;
    instance->at.t = 0;
    instance->stop = instance->next = INFINITY;
    instance->rtol = 0;
    memset(instance->sizes, 0, (size_t)instance->model->group_count * sizeof *instance->sizes);
    instance->warnings = 0;
    memset(instance->nominals, 0, (size_t)instance->system->state_count * sizeof *instance->nominals);
    instance->phase = HBG_FMU_MADE;
}

static bool make(hbg_fmu_instance *made) {
    const hbg_rt_shipped *shipped = &made->model->shipped;
    char reason[240] = "";
    hbg_rt_status status = hbg_rt_package_place(shipped->image, shipped->image_size, made->options.memory,
                                                &made->loaded, reason, sizeof reason);
    if (status != HBG_RT_OK) return hbg_fmu_fail(made, "the model cannot be loaded: %s", reason);
    if (shipped->native) hbg_rt_loaded_use(made->loaded, shipped->native);
    made->system = hbg_rt_loaded_description(made->loaded);
    made->layout = hbg_fmu_layout_of(made->system);
    take_arrays(made);
    if (made->room.is_exhausted) return hbg_fmu_fail(made, "out of memory");
    clear(made);
    return hbg_fmu_make_run(made);
}

hbg_fmu_instance *hbg_fmu_new(const hbg_fmu_model *model, const hbg_fmu_options *options) {
    hbg_rt_room room = {.memory = options->memory};
    hbg_fmu_instance *made = HBG_RT_TAKE(&room, hbg_fmu_instance, 1);
    if (!made) {
        options->log(options->log_context, HBG_FMU_ERROR, "out of memory");
        return NULL;
    }
    made->room = room;
    made->model = model;
    made->options = *options;
    if (make(made)) return made;
    hbg_fmu_free(made);
    return NULL;
}

void hbg_fmu_free(hbg_fmu_instance *instance) {
    if (!instance) return;
    hbg_rt_room room = instance->room;
    hbg_rt_run_free(instance->run);
    hbg_rt_loaded_free(instance->loaded);
    hbg_rt_room_end(&room);
}

/* ---- phases -------------------------------------------------------------------------------------------- */

bool hbg_fmu_enter_initialization(hbg_fmu_instance *instance, double start, bool has_stop, double stop) {
    if (start != 0) // declared energies hold at 0
        return hbg_fmu_fail(instance, "a run begins at t = 0 s, not at %.9g s", start);
    if (has_stop && !(stop > 0)) return hbg_fmu_fail(instance, "the stop time has to be more than 0 s");
    instance->stop = has_stop ? stop : INFINITY;
    instance->phase = HBG_FMU_INITIALIZING;
    return true;
}

/* Unreasonable values are ignored. */
bool hbg_fmu_set_tolerance(hbg_fmu_instance *instance, double tolerance) {
    if (!(tolerance > 0 && tolerance < 1)) return true;
    instance->rtol = fmax(tolerance, HBG_RT_LEAST_RTOL);
    return hbg_fmu_make_run(instance);
}

bool hbg_fmu_exit_initialization(hbg_fmu_instance *instance) {
    if (!hbg_fmu_begin(instance)) return false;
    bool events = instance->options.kind == HBG_FMU_EXCHANGE || instance->options.event_mode;
    instance->phase = events ? HBG_FMU_AT_EVENT : HBG_FMU_STEPPING;
    instance->opens = false; // the start included its instant
    return true;
}

void hbg_fmu_terminate(hbg_fmu_instance *instance) {
    instance->phase = HBG_FMU_TERMINATED;
}

bool hbg_fmu_reset(hbg_fmu_instance *instance) {
    clear(instance);
    return hbg_fmu_make_run(instance);
}
