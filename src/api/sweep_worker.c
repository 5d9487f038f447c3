/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One run of a sweep after the other, in one thread: values into the worker's constants, a fresh instance
 * of the compiled model that all workers share, the run, its row. The memory of a run is given back at its
 * end. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/sweep_impl.h"

/* ---- the compiled model -------------------------------------------------------------------------------- */

static hbg_status compile(hbg_session *session, const hbg_model *model, const hbg_sweep_options *options,
                          hbg_session *own) {
    hbg_run_wish wish = {.experiment = options->run.experiment, .time_flows = true, .from_image = true};
    own->origins = session->origins; // only read
    hbg_status status = hbg_api_run_compile(own, model, &wish);
    if (status == HBG_OK) status = hbg_api_run_inputs_given(session, own->run);
    if (status != HBG_OK)
        session->reason = hbg_base_arena_copy(&session->scratch, own->reason, strlen(own->reason));
    return status;
}

hbg_status hbg_api_sweep_compile(hbg_session *session, const hbg_model *model,
                                 const hbg_sweep_options *options, hbg_session **compiled) {
    hbg_session_options own = hbg_session_options_default();
    jmp_buf guard;
    own.memory_limit = session->memory.limit;
    hbg_status status = hbg_session_new(&own, compiled);
    if (status != HBG_OK) return status;
    if (HBG_GUARD(&(*compiled)->memory, guard)) return HBG_NO_MEMORY;
    status = compile(session, model, options, *compiled);
    HBG_GUARD_END(&(*compiled)->memory);
    return status;
}

void hbg_api_sweep_compiled_free(hbg_session *compiled) {
    if (!compiled) return;
    hbg_api_run_release(compiled);
    hbg_session_free(compiled);
}

/* ---- a worker ----------------------------------------------------------------------------------------- */

static void *copy(hbg_session *session, const void *of, size_t size) {
    void *made = hbg_base_arena_alloc(&session->scratch, size + 1);
    return size > 0 ? memcpy(made, of, size) : made;
}

/* The model with the worker's values: parameters, constants, and start states, which an experiment sets. */
static void copy_model(hbg_session *session, hbg_sweep_worker *worker) {
    const hbg_model *shared = worker->compiled->run->model;
    hbg_model *own = &worker->model;
    *own = *shared;
    size_t params = (size_t)shared->params.count, exprs = (size_t)shared->exprs.count;
    size_t automata = (size_t)shared->automata.count;
    own->param_values = copy(session, shared->param_values, params * sizeof *own->param_values);
    own->expr_values = copy(session, shared->expr_values, exprs * sizeof *own->expr_values);
    own->automata.items = copy(session, shared->automata.items, automata * sizeof *own->automata.items);
    worker->plan = *worker->compiled->run->plan;
    worker->plan.model = own;
    worker->state = *worker->compiled->run;
    worker->state.model = own;
    worker->state.plan = &worker->plan;
}

/* By axis: the parameter in the compiled model, whose order differs. */
static hbg_status find_params(hbg_session *session, hbg_sweep_worker *worker) {
    const hbg_model *model = &worker->model;
    int32_t most = worker->list->axis_count + model->choices.count;
    worker->params = HBG_NEW_ARRAY(&session->scratch, int32_t, most + 1);
    worker->param_count = worker->list->axis_count;
    for (int32_t i = 0; i < worker->list->axis_count; i++) {
        const char *wanted = worker->list->axes[i].name;
        int32_t param = 0;
        while (param < model->params.count &&
               strcmp(hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_PARAM, param}), wanted) != 0)
            param++;
        if (param == model->params.count)
            return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no parameter `%s`", wanted);
        worker->params[i] = param;
    }
    return HBG_OK;
}

/* Parameters that a run chooses come after those that are swept. */
static hbg_status find_chosen(hbg_session *session, hbg_sweep_worker *worker) {
    hbg_run_state *state = &worker->state;
    if (worker->options->run.choose_count == 0 || worker->guide) return HBG_OK;
    HBG_TRY(hbg_api_run_open_choices(session, state, &worker->options->run, worker->params,
                                     worker->list->axis_count));
    for (int32_t i = 0; state->choices && i < state->choices->param_count; i++)
        worker->params[worker->param_count++] = state->choices->params[i];
    state->choices = NULL; // each run has its own
    return HBG_OK;
}

/* Faults that are in every run: all but those of the table, which come last in the plan. */
static void list_always(hbg_session *session, hbg_sweep_worker *worker) {
    const hbg_fault_plan *plan = &worker->plan;
    int32_t count = 0;
    for (int32_t i = 0; i < plan->fault_count; i++) count += !plan->faults[i].from_table;
    worker->chosen = HBG_NEW_ARRAY(&session->scratch, int32_t, count + 2);
    for (int32_t i = 0; i < plan->fault_count; i++)
        if (!plan->faults[i].from_table) worker->chosen[worker->always++] = i;
    worker->choice.faults = worker->chosen;
    worker->state.choice = &worker->choice;
}

/* Elements that depend on what is swept, and their properties as declared. */
static void find_judged(hbg_session *session, hbg_sweep_worker *worker) {
    hbg_model *model = &worker->model;
    const hbg_run_state *state = &worker->state;
    bool *swept = HBG_NEW_ARRAY(&session->scratch, bool, model->exprs.count + 1);
    for (int32_t i = 0; i < worker->constants.expr_count; i++) swept[worker->constants.exprs[i]] = true;
    worker->state.recheck = hbg_model_recheck_new(
        &session->scratch, model, (const int32_t[]){state->experiment, state->request}, swept);
    worker->passives = hbg_model_passives_new(&session->scratch, model, false);
    worker->judged = HBG_NEW_ARRAY(&session->scratch, int32_t, model->elements.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++)
        if (hbg_model_passive_hangs(&worker->passives, i, swept)) worker->judged[worker->judged_count++] = i;
    worker->room = HBG_NEW_ARRAY(&session->scratch, double, hbg_model_passive_room(&worker->passives));
    worker->nominal =
        HBG_NEW_ARRAY(&session->scratch, double, (size_t)worker->judged_count *HBG_PASSIVE_DRAWS + 1);
    for (int32_t i = 0; i < worker->judged_count; i++)
        hbg_model_passive_nominal(&worker->passives, worker->judged[i], worker->room,
                                  hbg_model_value_in_array, model->expr_values,
                                  worker->nominal + (size_t)i * HBG_PASSIVE_DRAWS);
}

/* What follows from model and list alone; similar workers only read it. */
static hbg_status find_all(hbg_session *session, hbg_sweep_worker *worker) {
    HBG_TRY(find_params(session, worker));
    HBG_TRY(find_chosen(session, worker));
    hbg_api_run_find_constants(session, &worker->state, worker->params, worker->param_count,
                               &worker->constants);
    find_judged(session, worker);
    return HBG_OK;
}

/* A device has a worker for each of its many lanes: they do not look anything up again. */
static void take_all(hbg_session *session, hbg_sweep_worker *worker, const hbg_sweep_worker *first) {
    worker->params = first->params;
    worker->param_count = first->param_count;
    worker->constants = first->constants;
    worker->passives = first->passives;
    worker->judged = first->judged;
    worker->judged_count = first->judged_count;
    worker->nominal = first->nominal;
    worker->state.recheck = first->state.recheck;
    worker->room = HBG_NEW_ARRAY(&session->scratch, double, hbg_model_passive_room(&worker->passives));
}

hbg_status hbg_api_sweep_worker_init(hbg_session *session, hbg_sweep_worker *worker,
                                     const hbg_sweep_worker *first) {
    copy_model(session, worker);
    list_always(session, worker);
    hbg_sim_summary_init(&session->scratch, &worker->summary, worker->state.record_count);
    worker->context.run = &worker->state;
    if (first)
        take_all(session, worker, first);
    else
        HBG_TRY(find_all(session, worker));
    worker->values = HBG_NEW_ARRAY(&session->scratch, double, worker->param_count + 1);
    return HBG_OK;
}

void hbg_api_sweep_worker_fini(hbg_sweep_worker *worker) {
    hbg_base_arena_fini(&worker->context.scratch);
}

static void keep_reason(hbg_sweep_worker *worker, const char *reason) {
    snprintf(worker->reason, sizeof worker->reason, "%s", reason ? reason : "");
}

/* ---- what the values make of the elements -------------------------------------------------------------- */

/* What is wrong with an element, by its number among those judged, or NULL. */
static const char *element_fault(hbg_sweep_worker *worker, int32_t number) {
    hbg_session *context = &worker->context;
    const hbg_model *model = &worker->model;
    hbg_lost lost;
    if (!hbg_model_passive_lost(&worker->passives, worker->judged[number], worker->room,
                                hbg_model_value_in_array, model->expr_values,
                                worker->nominal + (size_t)number * HBG_PASSIVE_DRAWS, &lost))
        return NULL;
    const char *path = hbg_api_text_path(context, model, (hbg_object){HBG_OBJECT_ELEMENT, lost.element});
    return hbg_base_arena_print(&context->scratch, "the parameters make %s",
                                hbg_model_lost_text(&context->scratch, model, &lost, path, ""));
}

static void open_context(hbg_sweep_worker *worker) {
    hbg_session *context = &worker->context;
    size_t size = 0;
    void *room = worker->lane ? hbg_sim_lane_room(worker->lane, &size) : NULL;
    context->memory = (hbg_memory){.limit = worker->compiled->memory.limit};
    if (room) hbg_base_memory_lend(&context->memory, room, size);
    context->reason = "";
    hbg_base_arena_init(&context->scratch, &context->memory);
    hbg_base_diagnostics_init(&context->diagnostics, &context->scratch);
}

static void close_context(hbg_sweep_worker *worker) {
    hbg_session *context = &worker->context;
    hbg_run_state *state = context->run;
    const char *ignored;
    for (int32_t i = 0; i < state->writer_count; i++)
        if (state->writers[i]) (void)hbg_sim_writer_close(state->writers[i], false, &ignored);
    state->writers = NULL;
    state->writer_count = 0;
    if (state->instance) hbg_rt_free(state->instance);
    state->instance = NULL;
    state->choices = NULL;
    hbg_base_arena_fini(&context->scratch);
    if (context->memory.lent) hbg_base_memory_take_back(&context->memory);
}

/* An instance in the memory of the run. */
static hbg_status make_instance(hbg_sweep_worker *worker) {
    hbg_run_state *state = &worker->state;
    state->instance = hbg_code_run_new(state->code, &worker->context.memory);
    if (!state->instance) return HBG_NO_MEMORY;
    if (worker->lane) hbg_rt_lend_strider(state->instance, hbg_sim_lane_strider(worker->lane));
    return HBG_OK;
}

/* The choices of a run, with its own seed: parameters get their values with those that are swept. What is
 * wrong with it, or NULL. */
static const char *open_choices(hbg_sweep_worker *worker, int64_t run) {
    hbg_session *context = &worker->context;
    hbg_run_state *state = context->run;
    hbg_run_options options = worker->options->run;
    int32_t axes = worker->list->axis_count;
    if (state->model->choices.count == 0) return NULL;
    const char *fault = hbg_api_run_choices_fault(context, state->model);
    if (fault || worker->guide || options.choose_count == 0) return fault;
    options.seed = worker->list->seed + (uint64_t)run;
    if (hbg_api_run_open_choices(context, state, &options, worker->params, axes) != HBG_OK)
        return context->reason;
    for (int32_t i = axes; i < worker->param_count; i++) worker->values[i] = state->choices->values[i - axes];
    if (worker->param_count > axes)
        hbg_api_run_vary(context, state, &worker->constants, worker->params, worker->values,
                         worker->param_count);
    return NULL;
}

/* Values of a run in the model; what is wrong with them, or NULL. */
static const char *vary(hbg_sweep_worker *worker, int64_t run) {
    hbg_session *context = &worker->context;
    hbg_run_state *state = context->run;
    if (worker->guide)
        worker->guide->values(worker->guide->context, run, worker->values);
    else
        hbg_api_sweep_values(context, worker->list, run, worker->values);
    if (worker->list->axis_count > 0)
        hbg_api_run_vary(context, state, &worker->constants, worker->params, worker->values,
                         worker->list->axis_count);
    const char *refused = open_choices(worker, run);
    if (refused) return refused;
    for (int32_t i = 0; i < worker->constants.param_count; i++) {
        int32_t param = worker->constants.params[i];
        if (isfinite(state->model->param_values[param])) continue;
        return hbg_base_arena_print(
            &context->scratch, "the value of `%s` is not a finite number",
            hbg_api_text_path(context, state->model, (hbg_object){HBG_OBJECT_PARAM, param}));
    }
    for (int32_t i = 0; i < worker->judged_count; i++) {
        const char *fault = element_fault(worker, i);
        if (fault) return fault;
    }
    return NULL;
}

/* The fault of the table for this run. */
static void choose_faults(hbg_sweep_worker *worker, int64_t run) {
    int32_t fault = worker->list->faults[hbg_api_sweep_case(worker->list, run)];
    worker->chosen[worker->always] = fault;
    worker->choice.count = worker->always + (fault != HBG_NONE);
}

/* Why the options of a run were refused, if that is in the diagnostics. */
static const char *refusal(const hbg_session *context) {
    if (context->reason && context->reason[0]) return context->reason;
    return context->diagnostics.items.count > 0 ? context->diagnostics.items.items[0].text : "";
}

/* What is wrong with the times of a run, or with values changed by its faults; or NULL. */
static const char *faulty_values(hbg_sweep_worker *worker, int64_t run) {
    hbg_sim_options sim;
    choose_faults(worker, run);
    hbg_status status = hbg_api_run_sim_options(&worker->context, &worker->options->run, NAN, &sim);
    return status == HBG_BAD_MODEL ? refusal(&worker->context) : NULL;
}

bool hbg_api_sweep_worker_fits(hbg_sweep_worker *worker, int64_t run, const char **why) {
    jmp_buf guard;
    open_context(worker);
    if (HBG_GUARD(&worker->context.memory, guard)) {
        close_context(worker);
        *why = "there is not enough memory";
        return false;
    }
    const char *fault = vary(worker, run);
    if (!fault) fault = faulty_values(worker, run);
    if (fault) keep_reason(worker, fault);
    *why = worker->reason;
    close_context(worker);
    return fault == NULL;
}

/* ---- compiled code -------------------------------------------------------------------------------------- */

/* Steps of all runs together, if that is known: a fixed step. */
static double steps_of(const hbg_sweep_worker *worker, const hbg_sim_options *sim) {
    bool fixed = sim->solver >= HBG_SIM_EULER && sim->step > 0;
    return fixed ? sim->stop / sim->step * (double)(worker->list->end - worker->list->first) : 0;
}

/* How many runs go side by side: the requested number, or as many as fit in a vector if there are as many
 * runs for each thread and compiling pays. */
static int32_t lanes_of(const hbg_sweep_worker *worker, const hbg_sim_options *sim, int32_t threads) {
    int32_t most = hbg_emit_lanes(), asked = worker->options->lanes;
    if (threads == 0) return 0;
    if (asked > 0) {
        while (most > asked) most /= 2;
        return most > 1 ? most : 0;
    }
    if (worker->list->end - worker->list->first < (int64_t)threads * most) return 0;
    return hbg_api_run_pays_native(&worker->state, sim, steps_of(worker, sim) / 2) ? most : 0;
}

/* A sweep that waits for the compiler. */
typedef struct {
    const hbg_sweep_worker *worker;
    bool stopped;
} waiting;

static bool still_wanted(void *context) {
    waiting *who = context;
    const hbg_sweep_options *options = who->worker->options;
    who->stopped = who->stopped || (options->progress &&
                                    !options->progress(options->context, 0,
                                                       who->worker->list->end - who->worker->list->first));
    return !who->stopped;
}

/* By parameter, whether it differs from run to run, or may change in one. */
static const bool *find_varying(hbg_sweep_worker *worker) {
    const hbg_fault_plan *plan = &worker->plan;
    bool *varies = HBG_NEW_ARRAY(&worker->compiled->scratch, bool, worker->model.params.count + 1);
    for (int32_t i = 0; i < worker->list->axis_count; i++) varies[worker->params[i]] = true;
    for (int32_t i = 0; i < worker->constants.param_count; i++) varies[worker->constants.params[i]] = true;
    for (int32_t i = 0; i < plan->fault_count; i++) {
        if (plan->faults[i].target.kind == HBG_OBJECT_PARAM) varies[plan->faults[i].target.index] = true;
        for (int k = 0; k < HBG_FAULT_PLACES; k++)
            if (plan->places[i * HBG_FAULT_PLACES + k] != HBG_NONE)
                varies[plan->places[i * HBG_FAULT_PLACES + k]] = true;
    }
    return varies;
}

/* Whether there is code for a device then; else the worker knows why. */
static bool use_device(hbg_sweep_worker *worker, const hbg_sim_options *sim, hbg_run_waiter waits,
                       hbg_sweep_code *made) {
    const char *why = "";
    if (worker->options->run.engine != HBG_ENGINE_CUDA) return false;
    waits.patient = true;
    hbg_status status = hbg_api_run_load_device(worker->compiled, sim, worker->options->run.cache, &waits,
                                                find_varying(worker), &made->device, &why);
    keep_reason(worker, why);
    return status == HBG_OK;
}

/* A failure leaves its reason in the worker. */
static hbg_status use_native(hbg_sweep_worker *worker, hbg_sweep_code *made) {
    hbg_session *context = &worker->context;
    hbg_run_state *state = &worker->state;
    const hbg_run_options *options = &worker->options->run;
    hbg_sim_options sim;
    (void)vary(worker, 0);
    if (hbg_api_run_sim_options(context, options, NAN, &sim) != HBG_OK) return HBG_OK; // the runs say why
    HBG_TRY(make_instance(worker));
    hbg_rt_status entered = hbg_api_run_set_params(state, state->instance);
    if (entered == HBG_RT_OK) entered = hbg_rt_enter(state->instance, NULL);
    made->run_size = context->memory.used;
    bool asked = options->engine == HBG_ENGINE_NATIVE || options->engine == HBG_ENGINE_CUDA;
    bool wanted = asked || (options->engine == HBG_ENGINE_AUTO &&
                            hbg_api_run_pays_native(state, &sim, steps_of(worker, &sim)));
    if (entered != HBG_RT_OK || !wanted) return HBG_OK;
    const char *why = "";
    sim.summary = &worker->summary;
    waiting who = {.worker = worker};
    hbg_run_waiter waits = {still_wanted, &who, asked, 0};
    if (!use_device(worker, &sim, waits, made)) waits.lanes = lanes_of(worker, &sim, made->threads);
    hbg_status status = HBG_OK;
    if (!who.stopped) status = hbg_api_run_load_native(worker->compiled, &sim, options->cache, &waits, &why);
    made->interrupted = who.stopped;
    if (status != HBG_OK) keep_reason(worker, why);
    return status;
}

hbg_status hbg_api_sweep_worker_native(hbg_session *session, hbg_sweep_worker *worker, hbg_sweep_code *made) {
    jmp_buf guard;
    open_context(worker);
    worker->compiled->memory.exhausted = &guard;
    if (HBG_GUARD(&worker->context.memory, guard)) {
        close_context(worker);
        HBG_GUARD_END(&worker->compiled->memory);
        return HBG_NO_MEMORY;
    }
    hbg_status status = use_native(worker, made);
    close_context(worker);
    HBG_GUARD_END(&worker->compiled->memory);
    if (status != HBG_NO_PROGRAM) return status;
    (void)hbg_code_use_native(worker->state.code, NULL, NULL);
    if (worker->options->run.engine != HBG_ENGINE_NATIVE || made->interrupted) return HBG_OK;
    return hbg_api_session_fail(session, HBG_NO_PROGRAM, "%s; `--engine interpreter` needs no compiler",
                                worker->reason);
}

/* ---- a run --------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_run_rows rows; /* first: the watcher knows of nothing else */
    const atomic_bool *stop;
    hbg_sweep_worker *worker;
    hbg_sweep_slot *slot;
} journey;

static void take_event(void *context, const hbg_sim_event *event) {
    const journey *j = context;
    j->worker->guide->event(j->worker, j->slot, event);
}

static bool goes_on(void *context, double t, double stop) {
    const journey *j = context;
    (void)t, (void)stop;
    return !atomic_load_explicit(j->stop, memory_order_relaxed);
}

/* Asked while a pipe in place of a file of rows accepts no bytes. */
static bool waits(void *context) {
    return goes_on(context, 0, 0);
}

static bool take_row(void *context, double t, const double *outputs) {
    journey *j = context;
    t = hbg_api_run_tidy(&j->rows, t);
    if (!hbg_api_run_row(&j->rows, t, outputs)) return false;
    return j->rows.count % 4096 != 0 || goes_on(context, t, 0);
}

bool hbg_api_sweep_is_traced(const hbg_sweep_worker *worker, int64_t run) {
    if (!worker->trace) return false;
    return !worker->traced || (run < worker->traced_count && worker->traced[run]);
}

const char *hbg_api_sweep_trace_path(hbg_arena *arena, const hbg_sweep_worker *worker, int64_t run) {
    return hbg_base_arena_print(arena, "%s/run-%06lld.csv", worker->trace, (long long)run);
}

/* The options of this one run, with its own noise and its own file. */
static hbg_status prepare(hbg_sweep_worker *worker, int64_t run, hbg_sweep_slot *slot,
                          hbg_run_options *options) {
    hbg_session *context = &worker->context;
    hbg_run_state *state = context->run;
    *options = worker->options->run;
    if (!worker->guide) options->seed = worker->list->seed + (uint64_t)run;
    options->file_count = 0;
    options->plot = options->events = NULL;
    choose_faults(worker, run);
    HBG_TRY(make_instance(worker));
    hbg_rt_status status = hbg_api_run_set_params(state, state->instance);
    for (int32_t i = 0; i < worker->param_count && status == HBG_RT_OK; i++)
        status = hbg_rt_set_param(state->instance, worker->params[i], worker->values[i]);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status != HBG_RT_OK)
        return hbg_api_session_fail(context, HBG_BAD_ARGUMENT, "these values cannot be used: %s",
                                    hbg_rt_status_text(status));
    if (worker->guide) return worker->guide->choose(worker, run, slot);
    if (state->choices) HBG_TRY(hbg_api_run_decide(context, state, NULL));
    if (!hbg_api_sweep_is_traced(worker, run)) return HBG_OK;
    const char **files = HBG_NEW_ARRAY(&context->scratch, const char *, 1);
    files[0] = hbg_api_sweep_trace_path(&context->scratch, worker, run);
    options->files = files;
    options->file_count = 1;
    return hbg_api_run_open_files(context, options, "");
}

static void judge(hbg_rt_status status, const hbg_sim_result *result, hbg_sweep_outcome *of) {
    of->end = result->t;
    of->changes = result->commits;
    of->verdict = status == HBG_RT_OK              ? "finished"
                  : result->verdict != HBG_RT_FINE ? hbg_rt_verdict_name(result->verdict)
                                                   : "not finished";
    of->reason = status == HBG_RT_OK ? "" : result->failure;
}

/* Lets time advance. */
static hbg_status flow(hbg_sweep_worker *worker, const hbg_run_options *options, journey *j,
                       hbg_sweep_outcome *of, bool *interrupted) {
    hbg_session *context = &worker->context;
    hbg_run_state *state = context->run;
    hbg_sim_options sim;
    hbg_sim_result result;
    HBG_TRY(hbg_api_run_sim_options(context, options, NAN, &sim));
    hbg_api_run_rows_init(context, &j->rows, options);
    hbg_api_run_add_rulers(&j->rows, &sim);
    if (options->file_count > 0) sim.row = take_row;
    sim.summary = &worker->summary;
    if (state->watched_count > 0) sim.step_end = hbg_api_run_watch_step;
    sim.progress = goes_on;
    if (worker->guide) sim.event = take_event;
    sim.context = j;
    hbg_rt_status status = hbg_sim_run(&context->scratch, state->system, state->instance, &sim, &result);
    *interrupted = atomic_load_explicit(j->stop, memory_order_relaxed) && status != HBG_RT_OK;
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (j->rows.failed_writer != HBG_NONE && !*interrupted)
        return hbg_api_session_fail(context, HBG_CANNOT_WRITE, "`%s` cannot be written", options->files[0]);
    result.t = hbg_api_run_tidy(&j->rows, result.t);
    if (!*interrupted && !hbg_api_run_last_row(context, &j->rows, &result)) return HBG_CANNOT_WRITE;
    hbg_rt_summary_end(&worker->summary);
    judge(status, &result, of);
    if (options->ledger && result.work) hbg_api_run_balance(state->system, &result, &of->energy);
    if (j->rows.refused) of->reason = hbg_api_run_refused_text(context, &j->rows);
    of->reason = hbg_base_arena_copy(&context->scratch, of->reason, strlen(of->reason));
    return *interrupted ? HBG_OK : hbg_api_run_close_files(context, options, status == HBG_RT_OK);
}

/* The fault of the table that a run has, in words. */
static const char *fault_of(hbg_sweep_worker *worker, int64_t run) {
    int32_t fault = worker->list->faults[hbg_api_sweep_case(worker->list, run)];
    if (fault == HBG_NONE) return "";
    return hbg_api_sweep_sentence(&worker->context.scratch, &worker->model, &worker->plan.faults[fault]);
}

static hbg_status make_run(hbg_sweep_worker *worker, int64_t run, const atomic_bool *stop,
                           hbg_sweep_slot *slot, bool *interrupted) {
    hbg_session *context = &worker->context;
    hbg_sweep_outcome of = {.end = NAN, .energy = hbg_api_run_no_balance, .verdict = "refused", .reason = ""};
    journey *j = HBG_NEW(&context->scratch, journey);
    hbg_run_options options;
    j->stop = stop;
    j->worker = worker;
    j->slot = slot;
    worker->state.patience = (hbg_patience){waits, j};
    hbg_rt_summary_begin(&worker->summary);
    const char *fault = vary(worker, run);
    hbg_status status = fault ? HBG_BAD_MODEL : prepare(worker, run, slot, &options);
    if (status == HBG_OK) status = flow(worker, &options, j, &of, interrupted);
    *interrupted = *interrupted || (status == HBG_CANNOT_WRITE && !waits(j));
    if (*interrupted) return status == HBG_NO_MEMORY ? status : HBG_OK;
    if (status == HBG_NO_MEMORY || status == HBG_CANNOT_WRITE) return status;
    if (status != HBG_OK)
        of.reason = hbg_base_arena_print(&context->scratch, "%.500s", fault ? fault : refusal(context));
    slot->finished = strcmp(of.verdict, "finished") == 0;
    if (worker->guide) {
        worker->guide->end(worker, &of, slot);
        return HBG_OK;
    }
    of.fault = fault_of(worker, run);
    hbg_api_sweep_put_row(worker, run, &of, slot);
    return HBG_OK;
}

hbg_status hbg_api_sweep_worker_run(hbg_sweep_worker *worker, int64_t run, const atomic_bool *stop,
                                    hbg_sweep_slot *slot, bool *interrupted) {
    jmp_buf guard;
    *interrupted = false;
    open_context(worker);
    if (HBG_GUARD(&worker->context.memory, guard)) {
        close_context(worker);
        return HBG_NO_MEMORY;
    }
    hbg_status status = make_run(worker, run, stop, slot, interrupted);
    if (status == HBG_CANNOT_WRITE) keep_reason(worker, worker->context.reason);
    close_context(worker);
    return status;
}
