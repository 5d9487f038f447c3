/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Makes a model ready to run: a sorted copy with the settings of the experiment, its equations, an instance. */
#include <string.h>

#include "api/image_impl.h"
#include "api/mode_impl.h"
#include "api/run_impl.h"

/* ---- which experiment --------------------------------------------------------------------------------- */

static hbg_status no_experiment(hbg_session *session, const hbg_model *model, const char *wanted) {
    hbg_nearest nearest;
    hbg_buffer names;
    hbg_base_buffer_init(&names, &session->scratch);
    hbg_base_nearest_init(&nearest, wanted);
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const char *name = hbg_base_names_get(model->names, model->experiments.items[i].name);
        if (!name[0]) continue;
        hbg_base_nearest_offer(&nearest, name);
        hbg_base_buffer_print(&names, "%s`%s`", names.size ? ", " : "", name);
    }
    if (names.size == 0)
        return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no experiment `%s`: the model has none",
                                    wanted);
    if (nearest.best)
        return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no experiment `%s`; did you mean `%s`?",
                                    wanted, nearest.best);
    return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no experiment `%s`; the model has %s",
                                wanted, names.data);
}

static hbg_status find_experiment(hbg_session *session, hbg_run_state *state, const char *wanted) {
    const hbg_model *model = state->model;
    state->experiment = state->request = HBG_NONE;
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const char *name = hbg_base_names_get(model->names, model->experiments.items[i].name);
        if (!name[0])
            state->request = i;
        else if (state->experiment == HBG_NONE && (!wanted || strcmp(name, wanted) == 0))
            state->experiment = i;
    }
    if (wanted && state->experiment == HBG_NONE) return no_experiment(session, model, wanted);
    return HBG_OK;
}

/* ---- ready -------------------------------------------------------------------------------------------- */

static hbg_status read_mode(hbg_session *session, hbg_run_state *state, const char *mode) {
    int32_t *states;
    if (!mode) return HBG_OK;
    HBG_TRY(hbg_api_mode_read(session, state->model, mode, &states, &state->named));
    for (int32_t i = 0; i < state->model->automata.count; i++)
        state->model->automata.items[i].start = states[i];
    return HBG_OK;
}

hbg_eqn_options hbg_api_run_eqn_options(const hbg_run_state *state) {
    return (hbg_eqn_options){state->experiment, state->outputs, state->output_count,
                             state->plan && state->plan->holds, state->plan && state->plan->lines};
}

static hbg_status compile(hbg_session *session, const hbg_model *model, const hbg_run_wish *wish) {
    hbg_run_state *state = HBG_NEW(&session->scratch, hbg_run_state);
    const hbg_origin *origin = wish->from_image ? hbg_api_origin_of(session, model) : NULL;
    session->run = state;
    if (origin) state->image = &origin->image;
    state->model = hbg_model_sorted(&session->scratch, model);
    HBG_TRY(find_experiment(session, state, wish->experiment));
    hbg_api_run_apply_settings(session, state);
    HBG_TRY(read_mode(session, state, wish->mode));
    if (wish->time_flows) {
        const int32_t experiments[] = {state->experiment, state->request};
        state->plan = hbg_fault_plan_ready(&session->scratch, state->model, experiments, 2, wish->ready);
        state->model = state->plan->model;
    }
    state->recheck = hbg_model_recheck_new(&session->scratch, state->model,
                                           (const int32_t[]){state->experiment, state->request}, NULL);
    hbg_api_run_choose_outputs(session, model, state, wish);
    hbg_eqn_options options = hbg_api_run_eqn_options(state);
    HBG_TRY(hbg_api_run_make_code(session, state, state->model, &options, &state->code));
    state->system = hbg_code_system(state->code);
    return HBG_OK;
}

/* Whether there are faults on parameters, for which an image has separate code, with a place in every
 * parameter. */
static bool needs_all_places(const hbg_run_state *state) {
    if (!state->image || state->code || !state->plan) return false;
    for (int32_t i = 0; i < state->plan->fault_count; i++)
        if (state->plan->faults[i].target.kind == HBG_OBJECT_PARAM) return true;
    return false;
}

hbg_status hbg_api_run_compile(hbg_session *session, const hbg_model *model, const hbg_run_wish *wish) {
    hbg_run_wish other = *wish;
    hbg_status status = compile(session, model, wish);
    if (status != HBG_BAD_ARGUMENT || !needs_all_places(session->run)) return status;
    other.ready.params = other.ready.jumps = true;
    hbg_api_run_release(session);
    return compile(session, model, &other);
}

hbg_status hbg_api_run_prepare(hbg_session *session, const hbg_model *model, const hbg_run_wish *wish) {
    HBG_TRY(hbg_api_run_compile(session, model, wish));
    hbg_run_state *state = session->run;
    HBG_TRY(hbg_api_run_inputs_given(session, state));
    state->instance = hbg_code_run(state->code);
    if (!state->instance) return HBG_NO_MEMORY;
    hbg_rt_status status = hbg_api_run_set_params(state, state->instance);
    if (status == HBG_RT_OK) return HBG_OK;
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                "the settings of the experiment cannot be used: %s",
                                hbg_rt_status_text(status));
}

/* Where nothing ever moves there is nothing to hold. */
hbg_status hbg_api_run_hold_mode(hbg_session *session, bool hold) {
    const hbg_run_state *state = session->run;
    hbg_rt_status status = HBG_RT_OK;
    if (!state->named || !state->system->has_events) return HBG_OK;
    for (int32_t i = 0; i < state->system->automaton_count && status == HBG_RT_OK; i++)
        if (state->named[i])
            status = hbg_rt_hold_automaton(state->instance, i,
                                           hold ? state->system->start_states[i] : HBG_RT_HOLD_NOT);
    return status == HBG_RT_OK ? HBG_OK : HBG_NO_MEMORY;
}

void hbg_api_run_release(hbg_session *session) {
    hbg_run_state *state = session->run;
    const char *ignored;
    session->run = NULL;
    if (!state) return;
    for (int32_t i = 0; i < state->writer_count; i++)
        if (state->writers[i] && !hbg_sim_writer_close(state->writers[i], false, &ignored)) continue;
    hbg_api_run_events_release(state);
    if (state->probe) hbg_rt_free(state->probe);
    if (state->instance) hbg_rt_free(state->instance);
    hbg_api_run_release_parts(state);
    bool inside = state->code && state->eqn == hbg_code_equations(state->code);
    if (state->eqn && !inside) hbg_eqn_free(state->eqn);
    hbg_code_free(state->code);
    hbg_emit_unload(state->library);
}

hbg_status hbg_api_run_leave(hbg_session *session, hbg_status status) {
    hbg_api_run_release(session);
    return hbg_api_session_leave(session, status);
}

hbg_status hbg_api_run_exhausted(hbg_session *session) {
    hbg_api_run_release(session);
    return hbg_api_session_exhausted(session);
}
