/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Simulations that are stepped from outside: a run by the engine's interface (rt/rt.h), of the image that the
 * model came from or of one that is made here. All that it needs lives in a separate session; once made, it
 * does not use the model's. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/image_impl.h"
#include "api/results_impl.h"

enum { VALUES = HBG_VALUES_PARAMETERS + 1 };

struct hbg_simulation {
    hbg_session *own;      /* with the run that the code belongs to */
    hbg_rt_loaded *loaded; /* the image */
    bool owns_image;       /* it is no file's */
    hbg_rt_package experiment;
    hbg_rt_options demand;
    hbg_rt_setup setup; /* observer and solver of large loops */
    hbg_sim_lent *lent;
    hbg_rt_run *run;
    bool begun, failed;
    double time;
    const hbg_value_info *names[VALUES];
    int32_t counts[VALUES];
    const hbg_automaton_info *automata;
    hbg_simulation_options options;
    atomic_bool stopping;
    double deadline; /* by the clock, of the advance that is under way; 0: it has none */
    char reason[1000];
};

hbg_simulation_options hbg_simulation_options_default(void) {
    return (hbg_simulation_options){.ledger = true, .seed = HBG_SEED_USUAL};
}

/* ---- the observer --------------------------------------------------------------------------------------- */

static void tell(void *context, const hbg_rt_story *story) {
    const hbg_simulation *simulation = context;
    hbg_event_mode modes[HBG_RESULTS_MODES];
    hbg_event event = hbg_api_results_told(story, modes);
    simulation->options.event(simulation->options.context, &event);
}

static double now(void) {
    struct timespec time;
    return clock_gettime(CLOCK_MONOTONIC, &time) == 0 ? (double)time.tv_sec + (double)time.tv_nsec / 1e9 : 0;
}

static bool goes_on(void *context) {
    const hbg_simulation *simulation = context;
    if (atomic_load_explicit(&simulation->stopping, memory_order_relaxed)) return false;
    return simulation->deadline == 0 || now() < simulation->deadline;
}

void hbg_simulation_stop(hbg_simulation *simulation) {
    atomic_store_explicit(&simulation->stopping, true, memory_order_relaxed);
}

/* ---- names ---------------------------------------------------------------------------------------------- */

static void list_names(hbg_simulation *s, hbg_values of, const hbg_rt_variable *variables, int32_t count) {
    hbg_value_info *made = HBG_NEW_ARRAY(&s->own->arena, hbg_value_info, count + 1);
    for (int32_t i = 0; i < count; i++) made[i] = hbg_api_results_info(&s->own->arena, &variables[i]);
    s->names[of] = made;
    s->counts[of] = count;
}

/* Outputs without a unit get one. */
static void list_others(hbg_simulation *s, hbg_values of, const char *unit, int32_t count,
                        const char *(*name_of)(const hbg_rt_description *system, int32_t i)) {
    const hbg_rt_description *system = hbg_rt_loaded_description(s->loaded);
    hbg_value_info *made = HBG_NEW_ARRAY(&s->own->arena, hbg_value_info, count + 1);
    for (int32_t i = 0; i < count; i++)
        made[i] = hbg_api_results_info(&s->own->arena, &(hbg_rt_variable){name_of(system, i), unit, false});
    s->names[of] = made;
    s->counts[of] = count;
}

static const char *state_name(const hbg_rt_description *system, int32_t i) {
    return system->states[i].name;
}
static const char *power_name(const hbg_rt_description *system, int32_t i) {
    return system->powers[i].name;
}
static const char *storage_name(const hbg_rt_description *system, int32_t i) {
    return system->storages[i].name;
}
static const char *automaton_name(const hbg_rt_description *system, int32_t i) {
    return system->automata[i].name;
}

static void list_all(hbg_simulation *s) {
    const hbg_rt_description *system = hbg_rt_loaded_description(s->loaded);
    list_names(s, HBG_VALUES_STATES, system->states, system->state_count);
    list_names(s, HBG_VALUES_OUTPUTS, system->outputs, system->output_count);
    list_names(s, HBG_VALUES_INPUTS, system->inputs, system->input_count);
    list_names(s, HBG_VALUES_PARAMETERS, system->params, system->param_count);
    list_others(s, HBG_VALUES_RATES, NULL, system->state_count, state_name);
    list_others(s, HBG_VALUES_POWERS, "W", system->power_count, power_name);
    list_others(s, HBG_VALUES_WORK, "J", system->power_count, power_name);
    list_others(s, HBG_VALUES_ENERGIES, "J", system->storage_count, storage_name);
    list_others(s, HBG_VALUES_MODES, "", system->automaton_count, automaton_name);
    s->automata = hbg_api_results_automata(&s->own->arena, system);
}

const hbg_value_info *hbg_simulation_names(const hbg_simulation *simulation, hbg_values of, int32_t *count) {
    bool known = (unsigned)of < VALUES;
    *count = known ? simulation->counts[of] : 0;
    return known ? simulation->names[of] : NULL;
}

int32_t hbg_simulation_find(const hbg_simulation *simulation, hbg_values of, const char *name) {
    int32_t count, found = 0;
    const hbg_value_info *names = hbg_simulation_names(simulation, of, &count);
    while (found < count && strcmp(names[found].name, name) != 0) found++;
    return found < count ? found : -1;
}

const hbg_automaton_info *hbg_simulation_automata(const hbg_simulation *simulation, int32_t *count) {
    *count = simulation->counts[HBG_VALUES_MODES];
    return simulation->automata;
}

/* ---- making one ----------------------------------------------------------------------------------------- */

static hbg_status fail(hbg_simulation *s, hbg_status status, const char *words) {
    snprintf(s->reason, sizeof s->reason, "%s", words);
    return status;
}

static hbg_status refuse(hbg_simulation *s, hbg_rt_status status, const char *words) {
    if (status == HBG_RT_NO_MEMORY) return fail(s, HBG_NO_MEMORY, "");
    return fail(s, HBG_BAD_ARGUMENT, words[0] ? words : hbg_rt_status_text(status));
}

/* A run at the beginning of the experiment. */
static hbg_status begin_anew(hbg_simulation *s) {
    hbg_rt_run_free(s->run);
    s->run = NULL;
    s->begun = s->failed = false;
    s->time = 0;
    hbg_rt_status status = hbg_rt_run_with(s->loaded, &s->experiment, &s->demand, &s->setup, &s->run);
    return status == HBG_RT_OK ? HBG_OK : refuse(s, status, "");
}

static hbg_status ask_solver(const hbg_simulation *s, const hbg_sim_options *sim, hbg_rt_options *demand) {
    bool fixed = sim->solver >= HBG_SIM_EULER;
    bool lent = sim->solver == HBG_SIM_BDF || sim->solver == HBG_SIM_ADAMS;
    if (s->options.solver && lent)
        return hbg_api_session_fail(s->own, HBG_BAD_ARGUMENT,
                                    "a simulation is stepped with `erk` or with a fixed step, not with `%s`",
                                    s->options.solver);
    *demand = (hbg_rt_options){.memory = hbg_code_memory(&s->own->memory),
                               .stop = sim->stop,
                               .fixed = fixed,
                               .method = fixed ? (hbg_rt_method)(sim->solver - HBG_SIM_EULER) : HBG_RT_EULER,
                               .step = sim->step,
                               .rtol = sim->rtol,
                               .strict = sim->strict,
                               .zeno_rest = sim->zeno_rest,
                               .slides = sim->slides,
                               .atol = sim->atol,
                               .ledger = sim->ledger};
    return HBG_OK;
}

/* The image of the run: that of the file, or one that is made and read back. */
static hbg_status take_image(hbg_simulation *s, const hbg_sim_options *sim) {
    hbg_session *own = s->own;
    const void *bytes;
    size_t size;
    hbg_api_compile_describe(own, sim, &s->experiment);
    s->loaded = *hbg_code_loaded(own->run->code);
    if (s->loaded) return HBG_OK;
    hbg_rt_package package = s->experiment;
    HBG_TRY(hbg_api_compile_run(own, sim, &package, &bytes, &size));
    hbg_rt_status status = hbg_rt_package_read(bytes, size, hbg_code_memory(&own->memory), &s->loaded,
                                               s->reason, sizeof s->reason);
    s->owns_image = status == HBG_RT_OK;
    return status == HBG_RT_OK ? HBG_OK
           : status == HBG_RT_NO_MEMORY
               ? HBG_NO_MEMORY
               : hbg_api_session_fail(own, HBG_BAD_ARGUMENT, "the image cannot be run: %s", s->reason);
}

/* In a separate session, whose scratch memory lasts as long as the simulation does. */
static hbg_status make(hbg_simulation *s, const hbg_model *model) {
    hbg_session *own = s->own;
    const hbg_simulation_options *options = &s->options;
    hbg_run_wish wish = {.experiment = options->experiment, .time_flows = true, .from_image = true};
    hbg_run_options asked = hbg_run_options_default();
    hbg_sim_options sim;
    asked.solver = options->solver;
    asked.policy = options->policy;
    asked.seed = options->seed;
    asked = hbg_api_run_options(own, model, &asked);
    HBG_TRY(hbg_api_run_prepare(own, model, &wish));
    HBG_TRY(hbg_api_run_sim_options(own, &asked, options->stop > 0 ? options->stop : NAN, &sim));
    HBG_TRY(ask_solver(s, &sim, &s->demand));
    HBG_TRY(take_image(s, &sim));
    list_all(s);
    s->lent = hbg_sim_lent_new(&own->scratch);
    s->setup = (hbg_rt_setup){.observer = {.context = s, .goes_on = goes_on},
                              .solver = hbg_sim_lent_solver(s->lent)};
    if (options->event) s->setup.observer.story = tell;
    hbg_status status = begin_anew(s);
    if (status == HBG_BAD_ARGUMENT) return hbg_api_session_fail(own, status, "%s", s->reason);
    return status;
}

/* Why it could not be made; errors of the model were reported in the session that ends. */
static const char *words_of(const hbg_session *own) {
    return own->diagnostics.items.count > 0 ? own->diagnostics.items.items[0].text : own->reason;
}

static void end(hbg_session *own, hbg_simulation *s) {
    if (s) {
        hbg_rt_run_free(s->run);
        if (s->lent) hbg_sim_lent_end(s->lent);
        if (s->owns_image) hbg_rt_loaded_free(s->loaded);
    }
    hbg_api_run_release(own);
    hbg_session_free(own);
}

static hbg_status exhausted(hbg_session *session) {
    if (session->making) end(session->making, session->making->simulation);
    session->making = NULL;
    return hbg_api_session_exhausted(session);
}

/* Memory of either session may run out on the way. */
static hbg_status make_guarded(hbg_session *session, const hbg_model *model,
                               const hbg_simulation_options *options) {
    hbg_session *own = session->making;
    jmp_buf guard;
    if (HBG_GUARD(&own->memory, guard)) return HBG_NO_MEMORY;
    hbg_simulation *made = HBG_NEW(&own->arena, hbg_simulation);
    own->simulation = made;
    own->origins = session->origins; // only read
    made->own = own;
    made->options = *options;
    atomic_init(&made->stopping, false);
    own->reason = "";
    hbg_status status = make(made, model);
    made->options.experiment = made->options.solver = NULL; // borrowed for the call
    HBG_GUARD_END(&own->memory);
    return status;
}

hbg_status hbg_simulation_new(hbg_session *session, const hbg_model *model,
                              const hbg_simulation_options *options, hbg_simulation **simulation) {
    const hbg_simulation_options usual = hbg_simulation_options_default();
    hbg_session_options limits = hbg_session_options_default();
    *simulation = NULL;
    HBG_ENTER_OR(session, exhausted);
    limits.memory_limit = session->memory.limit;
    limits.fail_at = session->memory.fail_at;
    hbg_status status = hbg_session_new(&limits, &session->making);
    if (status == HBG_OK) status = make_guarded(session, model, options ? options : &usual);
    hbg_session *own = session->making;
    if (status == HBG_OK) {
        *simulation = own->simulation;
    } else if (own) {
        const char *words = status == HBG_NO_MEMORY ? "" : words_of(own);
        session->reason = hbg_base_arena_copy(&session->scratch, words, strlen(words));
        end(own, own->simulation);
    }
    session->making = NULL;
    return hbg_api_session_leave(session, status);
}

void hbg_simulation_free(hbg_simulation *simulation) {
    if (simulation) end(simulation->own, simulation);
}

/* ---- on the way ----------------------------------------------------------------------------------------- */

const char *hbg_simulation_reason(const hbg_simulation *simulation) {
    return simulation->reason;
}

double hbg_simulation_time(const hbg_simulation *simulation) {
    return simulation->time;
}

static void note_time(hbg_simulation *s) {
    double time;
    if (hbg_rt_run_read(s->run, HBG_RT_READ_TIME, &time) == HBG_RT_OK) s->time = time;
}

/* The status of a call that moves the run. */
static hbg_status judge(hbg_simulation *s, hbg_rt_status status, hbg_run_end *end) {
    const hbg_rt_failure *failure = hbg_rt_run_failed(s->run);
    *end = status == HBG_RT_OK            ? HBG_RUN_FINISHED
           : status == HBG_RT_INTERRUPTED ? HBG_RUN_INTERRUPTED
                                          : HBG_RUN_NOT_FINISHED;
    if (status == HBG_RT_INTERRUPTED) // the request is done; a call that ended before leaves it to the next
        atomic_store_explicit(&s->stopping, false, memory_order_relaxed);
    if (status == HBG_RT_OK || status == HBG_RT_INTERRUPTED) {
        note_time(s);
        return HBG_OK;
    }
    if (status == HBG_RT_BAD_OPTION) return fail(s, HBG_BAD_ARGUMENT, failure->text);
    s->failed = true;
    s->time = failure->time;
    snprintf(s->reason, sizeof s->reason, "at t = %.9g s: %s", failure->time, failure->text);
    return status == HBG_RT_NO_MEMORY ? HBG_NO_MEMORY : HBG_OK;
}

static hbg_status begin(hbg_simulation *s, hbg_run_end *end) {
    *end = HBG_RUN_FINISHED;
    if (s->failed) *end = HBG_RUN_NOT_FINISHED;
    if (s->failed || s->begun) return HBG_OK;
    s->begun = true;
    return judge(s, hbg_rt_run_start(s->run), end);
}

hbg_status hbg_simulation_set(hbg_simulation *simulation, hbg_values of, int32_t number, double value) {
    bool input = of == HBG_VALUES_INPUTS;
    hbg_rt_set what = {.kind = input ? HBG_RT_INPUT : HBG_RT_PARAM, .index = number, .value = value};
    simulation->reason[0] = 0;
    if (!input && of != HBG_VALUES_PARAMETERS)
        return fail(simulation, HBG_BAD_ARGUMENT, "inputs and parameters can be set, and nothing else");
    hbg_rt_status status = hbg_rt_run_set(simulation->run, &what);
    if (status == HBG_RT_OK) return HBG_OK;
    return refuse(simulation, status, hbg_rt_run_failed(simulation->run)->text);
}

hbg_status hbg_simulation_advance(hbg_simulation *simulation, double t, hbg_run_end *end) {
    double patience = simulation->options.patience;
    if (!simulation->failed) simulation->reason[0] = 0;
    hbg_status status = begin(simulation, end);
    if (status != HBG_OK || *end != HBG_RUN_FINISHED) return status;
    simulation->deadline = patience > 0 ? now() + patience : 0;
    return judge(simulation, hbg_rt_run_advance(simulation->run, t), end);
}

hbg_status hbg_simulation_read(hbg_simulation *simulation, hbg_values of, double *values) {
    static const hbg_rt_what what[] = {
        [HBG_VALUES_STATES] = HBG_RT_READ_STATES,   [HBG_VALUES_RATES] = HBG_RT_READ_RATES,
        [HBG_VALUES_OUTPUTS] = HBG_RT_READ_OUTPUTS, [HBG_VALUES_POWERS] = HBG_RT_READ_POWERS,
        [HBG_VALUES_WORK] = HBG_RT_READ_WORK,       [HBG_VALUES_ENERGIES] = HBG_RT_READ_ENERGIES,
        [HBG_VALUES_MODES] = HBG_RT_READ_MODES};
    hbg_run_end end;
    if (!simulation->failed) simulation->reason[0] = 0;
    if ((unsigned)of > HBG_VALUES_MODES)
        return fail(simulation, HBG_BAD_ARGUMENT, "inputs and parameters can be set, not read");
    HBG_TRY(begin(simulation, &end));
    if (end != HBG_RUN_FINISHED) return HBG_BAD_ARGUMENT; // the reason stands
    if (of == HBG_VALUES_WORK && !simulation->demand.ledger) {
        for (int32_t i = 0; i < simulation->counts[of]; i++) values[i] = 0;
        return HBG_OK;
    }
    hbg_rt_status status = hbg_rt_run_read(simulation->run, what[of], values);
    if (status == HBG_RT_OK) return HBG_OK;
    return refuse(simulation, status, hbg_rt_run_failed(simulation->run)->text);
}

/* ---- saved and restored --------------------------------------------------------------------------------- */

size_t hbg_simulation_save(hbg_simulation *simulation, void *bytes, size_t size) {
    return simulation->begun && !simulation->failed ? hbg_rt_run_save(simulation->run, bytes, size) : 0;
}

/* Bytes that are refused at once leave the run unchanged; others may have been read halfway. */
hbg_status hbg_simulation_restore(hbg_simulation *simulation, const void *bytes, size_t size) {
    double time;
    simulation->reason[0] = 0;
    hbg_rt_status status = hbg_rt_run_restore(simulation->run, bytes, size);
    if (status == HBG_RT_OK) {
        simulation->begun = true;
        simulation->failed = false;
        note_time(simulation);
        return HBG_OK;
    }
    hbg_status told = refuse(simulation, status, hbg_rt_run_failed(simulation->run)->text);
    if (!simulation->begun) HBG_TRY(begin_anew(simulation));
    if (simulation->begun && hbg_rt_run_read(simulation->run, HBG_RT_READ_TIME, &time) != HBG_RT_OK)
        simulation->failed = true;
    return told;
}

hbg_status hbg_simulation_reset(hbg_simulation *simulation) {
    simulation->reason[0] = 0;
    atomic_store_explicit(&simulation->stopping, false, memory_order_relaxed);
    return begin_anew(simulation);
}
