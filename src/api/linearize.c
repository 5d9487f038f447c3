/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linearizes a model at a point of a run. */
#include "api/linearize_impl.h"
#include "api/mode_impl.h"

#include <math.h>
#include <string.h>

/* ---- knobs -------------------------------------------------------------------------------------------- */

static void list_inputs(const hbg_run_state *state, hbg_linear_model *result) {
    const hbg_rt_description *system = state->system;
    for (int32_t i = 0; i < state->input_count; i++) {
        result->knobs[i] = (hbg_sim_knob){false, state->inputs[i], result->y[result->output_count + i]};
        result->names[i] = system->inputs[state->inputs[i]];
    }
}

/* An input that is a number is among the knobs already. */
static hbg_status add_parameter(hbg_session *session, const char *name, hbg_linear_model *result,
                                int32_t *count) {
    const hbg_rt_description *system = result->state->system;
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, name);
    for (int32_t i = 0; i < *count; i++) {
        if (strcmp(result->names[i].name, name) == 0) return HBG_OK;
        hbg_base_nearest_offer(&nearest, result->names[i].name);
    }
    for (int32_t i = 0; i < system->param_count; i++) {
        hbg_base_nearest_offer(&nearest, system->params[i].name);
        if (strcmp(system->params[i].name, name) != 0) continue;
        result->names[*count] = system->params[i];
        result->knobs[(*count)++] = (hbg_sim_knob){true, i, result->state->model->param_values[i]};
        return HBG_OK;
    }
    if (nearest.best)
        return hbg_api_session_fail(session, HBG_NOT_FOUND,
                                    "there is no input or parameter `%s`; did you mean `%s`?", name,
                                    nearest.best);
    return hbg_api_session_fail(session, HBG_NOT_FOUND,
                                "there is no input or parameter `%s` that is a number", name);
}

/* ---- at a point --------------------------------------------------------------------------------------- */

static hbg_status failed(hbg_session *session, hbg_rt_status status) {
    const hbg_run_state *state = session->run;
    const hbg_rt_failure *said = hbg_rt_failed(state->instance);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    const char *words = said ? said->text : "";
    if (status == HBG_RT_SINGULAR && *words) // the guards, and their automata
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "there is no linearization at this point: %s",
                                    words);
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "there is no linearization at this point: %s%s%s",
                                hbg_rt_status_text(status), *words ? "; " : "", words);
}

/* Slowest first: what matters longest. */
static void sort_eigenvalues(hbg_linear_model *result) {
    for (int32_t i = 1; i < result->linear.state_count; i++) {
        double real = result->real[i], imaginary = result->imaginary[i];
        int32_t k = i;
        for (; k > 0; k--) {
            double before = hypot(result->real[k - 1], result->imaginary[k - 1]),
                   size = hypot(real, imaginary);
            bool later = before > size || (before == size && result->imaginary[k - 1] < imaginary);
            if (!later) break;
            result->real[k] = result->real[k - 1];
            result->imaginary[k] = result->imaginary[k - 1];
        }
        result->real[k] = real;
        result->imaginary[k] = imaginary;
    }
}

static hbg_status find_eigenvalues(hbg_session *session, hbg_linear_model *result) {
    size_t n = (size_t)result->linear.state_count;
    double *copy = HBG_NEW_ARRAY(&session->scratch, double, n *n + 1);
    memcpy(copy, result->linear.a, n * n * sizeof *copy);
    result->real = HBG_NEW_ARRAY(&session->scratch, double, n + 1);
    result->imaginary = HBG_NEW_ARRAY(&session->scratch, double, n + 1);
    if (!hbg_sim_eigenvalues(&session->scratch, (int32_t)n, copy, result->real, result->imaginary))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "the eigenvalues of A were not found");
    sort_eigenvalues(result);
    return HBG_OK;
}

static hbg_status linearize(hbg_session *session, const char *parameter, hbg_linear_model *result) {
    hbg_arena *arena = &session->scratch;
    hbg_run_state *state = result->state;
    const hbg_rt_description *system = state->system;
    int32_t count = state->input_count;
    result->output_count = state->output_count - state->input_count;
    result->y = HBG_NEW_ARRAY(arena, double, system->output_count + 1);
    result->knobs = HBG_NEW_ARRAY(arena, hbg_sim_knob, count + 2);
    result->names = HBG_NEW_ARRAY(arena, hbg_rt_variable, count + 2);
    hbg_rt_thaw(state->instance);
    hbg_rt_status status = system->output_count == 0
                               ? HBG_RT_OK
                               : hbg_rt_outputs(state->instance, result->t, result->x, result->y);
    if (status != HBG_RT_OK) return failed(session, status);
    list_inputs(state, result);
    if (parameter) HBG_TRY(add_parameter(session, parameter, result, &count));
    status = hbg_sim_linearize(arena, system, state->instance, result->t, result->x, result->knobs, count,
                               &result->linear);
    return status == HBG_RT_OK ? find_eigenvalues(session, result) : failed(session, status);
}

hbg_status hbg_api_linearize_at(hbg_session *session, const hbg_model *model,
                                const hbg_linearize_options *options, const char *parameter,
                                hbg_linear_model *result) {
    hbg_run_wish wish = {
        .experiment = options->experiment, .mode = options->mode, .inputs = true, .time_flows = true};
    hbg_sim_result run;
    const char *failure;
    HBG_TRY(hbg_api_run_prepare(session, model, &wish));
    *result = (hbg_linear_model){.state = session->run};
    if (result->state->system->state_count > HBG_LINEARIZE_STATES)
        return hbg_api_session_fail(session, HBG_TOO_LARGE,
                                    "there are %d states, but matrices are made of %d at most",
                                    result->state->system->state_count, HBG_LINEARIZE_STATES);
    HBG_TRY(hbg_api_run_hold_mode(session, true));
    HBG_TRY(hbg_api_run_to_point(session, (hbg_run_follower){options->progress, options->context}, &failure,
                                 &run));
    if (failure)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "the run does not get to this point: %s",
                                    failure);
    if (options->steady) HBG_TRY(hbg_api_steady_settle(session, run.t, run.state, &failure));
    if (failure)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "no point where nothing moves was found from here: %s", failure);
    result->steady = options->steady;
    result->t = run.t;
    result->x = run.state;
    result->mode = hbg_api_mode_text(session, result->state->model, run.modes);
    result->switched = run.t > 0 && result->state->switched_at == run.t;
    HBG_TRY(linearize(session, parameter, result));
    if (!result->state->named && !options->steady) return HBG_OK;
    HBG_TRY(hbg_api_run_hold_mode(session, false));
    return hbg_api_steady_find_guards(session, result->t, result->x, run.modes, &result->exits);
}
