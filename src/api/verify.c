/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The consistency of a model's switching. The proofs are in src/verify; experiments set nothing here. */
#include <string.h>

#include "api/verify_impl.h"

#define GROUP_MS    (1000 * HBG_TIMEOUT_USUAL) /* computing time for a group, unless said otherwise */
#define QUESTION_MS 5000                       /* for one question to the prover at most */

/* Proofs need equations; a picture shows the values a run starts from, which takes code. */
static hbg_status prepare(hbg_session *session, const hbg_model *model, bool runs) {
    hbg_run_state *state = HBG_NEW(&session->scratch, hbg_run_state);
    session->run = state; // in any case the compiled model is given back
    state->model = hbg_model_sorted(&session->scratch, model);
    state->experiment = state->request = HBG_NONE;
    hbg_eqn_options options = {.experiment = HBG_NONE};
    if (runs) {
        state->code = hbg_code_new(&session->scratch, state->model, &options);
        if (!state->code) return HBG_BAD_MODEL;
        state->system = hbg_code_system(state->code);
    }
    state->eqn =
        runs ? hbg_code_equations(state->code) : hbg_eqn_new(&session->scratch, state->model, &options);
    if (!state->eqn) return HBG_BAD_MODEL;
    if (!session->prover) session->prover = hbg_verify_prover_new(&session->memory);
    return session->prover ? HBG_OK : HBG_NO_MEMORY;
}

/* A question may take an eighth of the time for its group. */
static hbg_verify_options limits_of(int32_t timeout_ms) {
    hbg_verify_options limits = hbg_verify_options_default();
    limits.group_ms = timeout_ms > 0 ? timeout_ms : GROUP_MS;
    limits.timeout_ms = limits.group_ms / 8 + 1;
    if (timeout_ms <= 0) limits.timeout_ms = QUESTION_MS;
    return limits;
}

/* ---- pictures ---------------------------------------------------------------------------------------------- */

static hbg_status draw_phases(hbg_session *session, const hbg_verify_plot_options *options,
                              hbg_answer *answer, hbg_buffer *picture) {
    const hbg_run_state *state = session->run;
    hbg_verify_options limits = limits_of(options->timeout_ms);
    verify_report report = {
        .session = session, .model = state->model, .system = hbg_eqn_outline_of(state->eqn)};
    verify_plot_request request = {options->axes, options->at, options->at_count};
    HBG_TRY(hbg_api_verify_check_plot(&report, &request)); // before minutes are spent on a proof
    limits.bare = limits.jumps = true;
    limits.progress = options->progress;
    limits.context = options->context;
    hbg_consistency_result result =
        hbg_verify_consistency(&session->scratch, session->prover, state->eqn, state->model, &limits);
    *answer = result.verdict;
    report.result = &result;
    if (result.interrupted) return hbg_api_session_fail(session, HBG_NO_PROGRAM, "it was interrupted");
    hbg_buffer svg;
    const char *reason = NULL;
    hbg_base_buffer_init(&svg, &session->scratch);
    HBG_TRY(hbg_api_verify_put_phases(&report, &request, &svg));
    hbg_status status = HBG_OK;
    if (options->format == HBG_DRAW_PNG)
        status = hbg_draw_png(svg.data, svg.size, 2, picture, &reason);
    else if (options->format == HBG_DRAW_PDF)
        status = hbg_draw_pdf(svg.data, svg.size, picture, &reason);
    else
        *picture = svg;
    return status == HBG_OK ? status : hbg_api_session_fail(session, status, "%s", reason);
}

hbg_status hbg_verify_plot(hbg_session *session, const hbg_model *model,
                           const hbg_verify_plot_options *options, hbg_answer *answer, hbg_text *picture) {
    *picture = (hbg_text){0};
    *answer = HBG_NOT_DECIDED;
    HBG_RUN_ENTER(session);
    hbg_buffer drawn;
    hbg_status status = prepare(session, model, true);
    hbg_base_buffer_init(&drawn, &session->scratch);
    if (status == HBG_OK) status = draw_phases(session, options, answer, &drawn);
    if (status == HBG_OK) status = hbg_api_text_of(session, drawn.data, drawn.size, picture);
    return hbg_api_run_leave(session, status);
}

/* ---- the report -------------------------------------------------------------------------------------------- */

hbg_status hbg_verify_model(hbg_session *session, const hbg_model *model,
                            const hbg_verify_model_options *options, hbg_answer *answer, hbg_text *text) {
    *text = (hbg_text){0};
    *answer = HBG_NOT_DECIDED;
    HBG_RUN_ENTER(session);
    hbg_status status = prepare(session, model, false);
    if (status != HBG_OK) return hbg_api_run_leave(session, status);
    const hbg_run_state *state = session->run;
    hbg_verify_options limits = limits_of(options->timeout_ms);
    limits.progress = options->progress;
    limits.context = options->context;
    verify_report report = {
        .session = session, .model = state->model, .system = hbg_eqn_outline_of(state->eqn)};
    limits.each = hbg_api_verify_list_group;
    limits.listener = &report;
    hbg_consistency_result result =
        hbg_verify_consistency(&session->scratch, session->prover, state->eqn, state->model, &limits);
    report.result = &result;
    *answer = result.verdict;
    return hbg_api_run_leave(session,
                             hbg_api_report_print(hbg_api_verify_report(&report), options->json, text));
}
