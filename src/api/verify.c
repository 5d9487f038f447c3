/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The consistency of a model's switching. The proofs are those of src/verify; experiments set nothing here. */
#include "api/verify_impl.h"

static hbg_status compile(hbg_session *session, const hbg_model *model) {
    hbg_run_state *state = HBG_NEW(&session->scratch, hbg_run_state);
    session->run = state; // whatever comes of it, the compiled model is given back
    state->model = hbg_model_sorted(&session->scratch, model);
    state->experiment = state->request = HBG_NONE;
    hbg_eqn_options options = {.experiment = HBG_NONE};
    state->eqn = hbg_eqn_new(&session->scratch, state->model, &options);
    if (!state->eqn) return HBG_BAD_MODEL;
    state->system = hbg_eqn_system(state->eqn);
    if (!session->prover) session->prover = hbg_verify_prover_new(&session->memory);
    return session->prover ? HBG_OK : HBG_NO_MEMORY;
}

static hbg_answer answer_of(hbg_verdict verdict) {
    static const hbg_answer answers[] = {[HBG_VERDICT_PROVED] = HBG_PROVED,
                                         [HBG_VERDICT_WITNESS] = HBG_VIOLATED,
                                         [HBG_VERDICT_UNDECIDED] = HBG_NOT_DECIDED};
    return answers[verdict];
}

hbg_status hbg_verify_model(hbg_session *session, const hbg_model *model,
                            const hbg_verify_model_options *options, hbg_answer *answer, hbg_text *text) {
    *text = (hbg_text){0};
    *answer = HBG_NOT_DECIDED;
    HBG_ENTER(session);
    hbg_status status = compile(session, model);
    if (status != HBG_OK) return hbg_run_leave(session, status);
    const hbg_run_state *state = session->run;
    hbg_verify_options limits = hbg_verify_options_default();
    limits.timeout_ms = options->timeout_ms > 0 ? options->timeout_ms : 2000;
    hbg_consistency_result result =
        hbg_verify_consistency(&session->scratch, session->prover, state->eqn, state->model, &limits);
    verify_report report = {session, state->model, state->system, &result};
    *answer = answer_of(result.verdict);
    if (options->json) {
        hbg_verify_put_json(&report);
        return hbg_run_leave(session, hbg_text_of_json(session, text));
    }
    hbg_buffer out;
    hbg_buffer_init(&out, &session->scratch);
    hbg_verify_put_text(&report, &out);
    status = hbg_text_of(session, out.data, out.size, text);
    return hbg_run_leave(session, status);
}
