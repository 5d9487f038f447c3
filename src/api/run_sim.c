/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The experiment, and what was asked for instead, as options of the simulation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/mode_impl.h"
#include "api/run_impl.h"

/* ---- times -------------------------------------------------------------------------------------------- */

static double value_of(const hbg_model *model, hbg_expr expr, double otherwise) {
    double value;
    return expr != HBG_NONE && hbg_model_constant(model, expr, &value) ? value : otherwise;
}

/* The requested time, else that of the experiment. */
static double time_of(const hbg_model *model, hbg_expr asked, hbg_expr said, double otherwise) {
    return value_of(model, asked != HBG_NONE ? asked : said, otherwise);
}

static const hbg_experiment nothing = {.stop = HBG_NONE, .step = HBG_NONE, .record_every = HBG_NONE};

static const hbg_experiment *experiment_at(const hbg_run_state *state, int32_t index) {
    return index == HBG_NONE ? &nothing : &state->model->experiments.items[index];
}

/* ---- the solver --------------------------------------------------------------------------------------- */

_Static_assert((int)HBG_SIM_TRAPEZOIDAL == (int)HBG_SOLVER_TRAPEZOIDAL &&
                   (int)HBG_SIM_EULER == (int)HBG_SOLVER_EULER && (int)HBG_SIM_AUTO == (int)HBG_SOLVER_AUTO,
               "the language and the simulation number the solvers alike");

hbg_status hbg_api_run_find_solver(hbg_session *session, const char *name, hbg_sim_solver *solver) {
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, name);
    for (int i = 0; i < HBG_SOLVER_COUNT; i++) {
        *solver = (hbg_sim_solver)i;
        if (strcmp(hbg_model_solver_text((hbg_solver)i), name) == 0) return HBG_OK;
        hbg_base_nearest_offer(&nearest, hbg_model_solver_text((hbg_solver)i));
    }
    if (nearest.best)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "there is no solver `%s`; did you mean `%s`?",
                                    name, nearest.best);
    hbg_buffer names;
    hbg_base_buffer_init(&names, &session->scratch);
    for (int i = 0; i < HBG_SOLVER_COUNT; i++)
        hbg_base_buffer_print(&names, "%s`%s`", i > 0 ? ", " : "", hbg_model_solver_text((hbg_solver)i));
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "there is no solver `%s`; there are %s", name,
                                names.data);
}

/* ---- actions ------------------------------------------------------------------------------------------ */

typedef struct {
    hbg_sim_action action;
    int32_t order; /* as written: later ones win */
} ordered_action;

static int by_time(const void *a, const void *b) {
    const ordered_action *first = a, *second = b;
    if (first->action.time != second->action.time) return first->action.time < second->action.time ? -1 : 1;
    return (first->order > second->order) - (first->order < second->order);
}

/* By signal: its number among the inputs. */
static int32_t *number_inputs(hbg_session *session, const hbg_model *model) {
    int32_t *numbers = HBG_NEW_ARRAY(&session->scratch, int32_t, model->signals.count + 1), count = 0;
    for (int32_t i = 0; i < model->signals.count; i++)
        numbers[i] = model->signals.items[i].kind == HBG_SIGNAL_INPUT ? count++ : HBG_NONE;
    return numbers;
}

/* An event is an input that is true in the first pass of its instant. */
static hbg_status list_actions(hbg_session *session, hbg_run_state *state, hbg_sim_options *sim) {
    state->unreached = 0;
    if (state->experiment == HBG_NONE) return HBG_OK;
    const hbg_model *model = state->model;
    const hbg_experiment *experiment = &model->experiments.items[state->experiment];
    int32_t *inputs = number_inputs(session, model), count = 0;
    ordered_action *list = HBG_NEW_ARRAY(&session->scratch, ordered_action, experiment->actions.count + 1);
    for (int32_t i = 0; i < experiment->actions.count; i++) {
        const hbg_action *action = &experiment->actions.items[i];
        hbg_sim_action made = {value_of(model, action->time, NAN), inputs[action->signal],
                               action->value == HBG_NONE ? 1 : value_of(model, action->value, NAN)};
        if (!isfinite(made.time) || !isfinite(made.value)) // what is swept may make it so
            return hbg_api_session_fail(
                session, HBG_BAD_ARGUMENT, "%s of an action on `%s` is not a finite number",
                isfinite(made.time) ? "the value" : "the time",
                hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_SIGNAL, action->signal}));
        if (made.time <= sim->stop) list[count++] = (ordered_action){made, i};
    }
    qsort(list, (size_t)count, sizeof *list, by_time);
    hbg_sim_action *actions = HBG_NEW_ARRAY(&session->scratch, hbg_sim_action, count + 1);
    for (int32_t i = 0; i < count; i++) actions[i] = list[i].action;
    sim->actions = actions;
    sim->action_count = count;
    state->unreached = experiment->actions.count - count;
    return HBG_OK;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

/* Faults with the values of this run: an element that they make invalid. */
static hbg_status check_faults(hbg_session *session, const hbg_run_state *state, double stop) {
    const hbg_model *model = state->model;
    hbg_fault_finding found;
    if (!hbg_fault_find_refused(&session->scratch, state->plan, &state->schedule, stop, &found))
        return HBG_OK;
    const hbg_fault *fault = found.fault == HBG_NONE ? NULL : &state->plan->faults[found.fault];
    const char *path =
        hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, found.lost.element});
    const char *when = hbg_base_arena_print(&session->scratch, " at %.6g s", found.time);
    hbg_base_report(&session->diagnostics, HBG_E_VALUE, fault ? fault->span : (hbg_span){0, 0},
                    "the fault `%s` makes %s", fault && fault->text ? fault->text : "",
                    hbg_model_lost_text(&session->scratch, model, &found.lost, path, when));
    return HBG_BAD_MODEL;
}

/* Times and variances with the values of this run. */
static hbg_status check_times(hbg_session *session, const hbg_run_state *state) {
    const hbg_fault_choice *choice = state->choice;
    bool fits = hbg_model_recheck_fits(state->recheck, state->model, choice ? choice->faults : NULL,
                                       choice ? choice->count : 0, &session->scratch, &session->diagnostics);
    return fits ? HBG_OK : HBG_BAD_MODEL;
}

hbg_status hbg_api_run_sim_options(hbg_session *session, const hbg_run_options *options, double stop,
                                   hbg_sim_options *sim) {
    hbg_run_state *state = session->run;
    HBG_TRY(check_times(session, state));
    const hbg_experiment *asked = experiment_at(state, state->request);
    const hbg_experiment *said = experiment_at(state, state->experiment);
    *sim = hbg_sim_options_default();
    sim->solver = (hbg_sim_solver)said->solver;
    if (options->solver) HBG_TRY(hbg_api_run_find_solver(session, options->solver, &sim->solver));
    sim->policy = options->policy;
    if (!(options->rtol > 0)) sim->rtol = said->tolerance;
    sim->stop = isnan(stop) ? time_of(state->model, asked->stop, said->stop, NAN)
                            : value_of(state->model, asked->stop, stop);
    sim->step = time_of(state->model, asked->step, said->step, 0);
    sim->record_every = time_of(state->model, asked->record_every, said->record_every, 0);
    if (isnan(sim->stop))
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "the model has no experiment that says when to stop; write `--stop '1 [s]'`, or "
            "`experiment NAME { stop 1 [s]; }` in the model");
    if (sim->solver >= HBG_SIM_EULER && sim->step == 0 && sim->stop > 0)
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "%s has a fixed step and is not told which; write `--step '1 [ms]'`, or `solver %s step "
            "1 [ms];` in the experiment",
            hbg_model_solver_text((hbg_solver)sim->solver), hbg_model_solver_text((hbg_solver)sim->solver));
    HBG_TRY(hbg_api_run_check_limits(session, options, asked, said, sim->stop));
    HBG_TRY(list_actions(session, state, sim));
    if (!state->plan) return HBG_OK;
    state->schedule =
        hbg_fault_schedule_new(&session->scratch, state->plan, sim->stop, options->seed, state->choice);
    sim->overrides = state->schedule.overrides;
    sim->override_count = state->schedule.override_count;
    return check_faults(session, state, sim->stop);
}

hbg_status hbg_api_run_refuse(hbg_session *session, hbg_rt_status status, const hbg_sim_result *result) {
    const hbg_run_state *state = session->run;
    if (state->apart && status == HBG_RT_NO_CAUSALITY) // the whole reports it as always
        (void)hbg_rt_enter(state->instance, NULL);
    const hbg_rt_failure *said = status == HBG_RT_NO_CAUSALITY ? hbg_rt_failed(state->instance) : NULL;
    if (!said || !said->text[0])
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "%s", result->failure);
    const char *mode = hbg_api_mode_text(session, state->model, said->states);
    return mode[0] ? hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                          "%s; way out: %s; `hbg causality --mode %s` shows the mode",
                                          said->text, said->way_out, mode)
                   : hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "%s; `hbg check` marks these bonds",
                                          said->text);
}

typedef struct {
    hbg_run_state *state;
    hbg_run_follower follower;
} way;

static void note_switching(void *context, const hbg_sim_event *event) {
    const way *to_point = context;
    for (int32_t i = 0; i < event->visit_count; i++)
        if (event->visits[i].kind != HBG_RT_MYTHICAL) to_point->state->switched_at = event->t;
}

static bool goes_on(void *context, double t, double stop) {
    const hbg_run_follower *follower = &((const way *)context)->follower;
    return follower->progress(follower->context, t, stop);
}

hbg_status hbg_api_run_to_point(hbg_session *session, hbg_run_follower follower, const char **failure,
                                hbg_sim_result *result) {
    hbg_run_state *state = session->run;
    way to_point = {state, follower};
    hbg_run_options options = hbg_run_options_default();
    hbg_sim_options sim;
    options.ledger = false;
    *failure = NULL;
    HBG_TRY(hbg_api_run_sim_options(session, &options, 0, &sim));
    state->switched_at = NAN;
    sim.event = note_switching;
    if (follower.progress) sim.progress = goes_on;
    sim.context = &to_point;
    hbg_rt_status status = hbg_sim_run(&session->scratch, state->system, state->instance, &sim, result);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status == HBG_RT_BAD_OPTION || status == HBG_RT_NO_CAUSALITY)
        return hbg_api_run_refuse(session, status, result);
    // the result may be freed before the session: the text belongs to the session
    if (status != HBG_RT_OK) *failure = hbg_base_arena_print(&session->scratch, "%s", result->failure);
    if (status == HBG_RT_INTERRUPTED) *failure = "it was interrupted";
    return HBG_OK;
}
