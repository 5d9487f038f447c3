/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_hypa: a model as a process. Independent parts are separate, parallel processes; each follows from the
 * ways through an instant that src/verify finds. */
#include <string.h>

#include "api/hypa_impl.h"

#define CLAUSE_LIMIT 1024 /* of one part */

static hbg_status refuse(hypa_work *work, const char *why) {
    return hbg_api_session_fail(work->session, HBG_TOO_LARGE, "it cannot be written as a process: %s", why);
}

/* ---- names ---------------------------------------------------------------------------------------------- */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Of a part: after its first automaton, else by number. */
static const char *name_part(const hypa_work *work, const hbg_model *part, int32_t number) {
    hbg_arena *arena = &work->session->scratch;
    if (work->part_count == 1) return work->name;
    if (part->automata.count == 0) return hbg_base_arena_print(arena, "%s_%d", work->name, (int)number + 1);
    hbg_buffer text;
    hbg_base_buffer_init(&text, arena);
    hbg_base_buffer_print(&text, "%s_%s", work->name,
                          hbg_api_text_path(work->session, part, (hbg_object){HBG_OBJECT_AUTOMATON, 0}));
    for (char *at = text.data; *at; at++)
        if (!is_letter(*at)) *at = '_';
    return text.data;
}

/* ---- parts ---------------------------------------------------------------------------------------------- */

/* The settings of the run's experiment in a part. */
static const bool *fixed_of(const hypa_work *work, hbg_model *part) {
    const hbg_run_state *state = work->session->run;
    bool *fixed = HBG_NEW_ARRAY(&work->session->scratch, bool, part->params.count + 1);
    for (int32_t i = 0; i < part->params.count; i++) {
        const char *name = hbg_api_text_path(work->session, part, (hbg_object){HBG_OBJECT_PARAM, i});
        for (int32_t k = 0; k < state->model->params.count && state->experiment != HBG_NONE; k++) {
            if (!hbg_api_run_sets_param(state, k)) continue;
            const char *own =
                hbg_api_text_path(work->session, state->model, (hbg_object){HBG_OBJECT_PARAM, k});
            if (strcmp(own, name) != 0) continue;
            fixed[i] = true;
            part->param_values[i] = state->model->param_values[k];
        }
    }
    return fixed;
}

static hbg_status make_part(hypa_work *work, hbg_model *model, int32_t experiment, int32_t number) {
    hbg_session *session = work->session;
    hbg_verify_options limits = hbg_api_hypa_limits(work);
    hbg_eqn_options options = {.experiment = experiment};
    hbg_process_request request = {.clause_limit = work->limit > 0 ? work->limit : CLAUSE_LIMIT,
                                   .fixed = fixed_of(work, model),
                                   .chooses = work->chooses};
    if (work->visited) {
        request.modes = work->visited[number].items;
        request.mode_count = request.clause_limit = work->visited[number].count;
    }
    hbg_eqn *eqn = hbg_eqn_new(&session->scratch, model, &options);
    session->run->eqn = eqn; // whatever the result, it is given back
    if (!eqn) return HBG_BAD_MODEL;
    work->parts[number] =
        hbg_verify_process(&session->scratch, session->prover, eqn, model, &request, &limits);
    hbg_eqn_free(eqn); // its result stays
    session->run->eqn = NULL;
    const char *reason = work->parts[number].reason;
    return reason ? refuse(work, reason) : HBG_OK;
}

hbg_status hbg_api_hypa_split(hypa_work *work, hbg_model *model, int32_t experiment) {
    hbg_session *session = work->session;
    hbg_arena *arena = &session->scratch;
    work->name = hbg_base_names_get(model->names, model->name);
    hbg_parts parts = hbg_model_parts_find(arena, model, NULL, 0);
    bool split = parts.count > 1;
    hbg_part *models = split ? hbg_model_parts_copy(arena, model, &parts, experiment, NULL, 0) : NULL;
    work->experiment = split && experiment != HBG_NONE ? 0 : experiment;
    work->part_count = split ? parts.count : 1;
    work->names = HBG_NEW_ARRAY(arena, const char *, work->part_count);
    work->models = HBG_NEW_ARRAY(arena, hbg_model *, work->part_count);
    for (int32_t i = 0; i < work->part_count; i++) {
        work->models[i] = split ? models[i].model : model;
        work->names[i] = name_part(work, work->models[i], i);
    }
    if (!session->prover) session->prover = hbg_verify_prover_new(&session->memory);
    return session->prover ? HBG_OK : HBG_NO_MEMORY;
}

hbg_status hbg_api_hypa_exact(hypa_work *work) {
    work->parts = HBG_NEW_ARRAY(&work->session->scratch, hbg_process, work->part_count);
    for (int32_t i = 0; i < work->part_count; i++)
        HBG_TRY(make_part(work, work->models[i], work->experiment, i));
    return HBG_OK;
}

hbg_status hbg_api_hypa_begin(hypa_work *work, const hbg_model *given) {
    hbg_arena *arena = &work->session->scratch;
    const hbg_origin *origin = hbg_api_origin_of(work->session, given);
    if (origin && origin->image.bytes)
        return hbg_api_session_fail(work->session, HBG_BAD_ARGUMENT,
                                    "this is an image: a process is made of the model it was compiled from");
    hbg_run_state *state = HBG_NEW(arena, hbg_run_state);
    work->session->run = state;
    state->model = hbg_model_sorted(arena, given);
    state->experiment = state->request = HBG_NONE;
    return hbg_api_hypa_split(work, state->model, HBG_NONE);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static hbg_status print(hypa_work *work, hbg_process_format format, hbg_text *text) {
    hbg_buffer out;
    hbg_emit_process of = {.model = work->name,
                           .version = hbg_version(),
                           .parts = work->parts,
                           .names = work->names,
                           .part_count = work->part_count};
    if (format == HBG_PROCESS_JSON) return hbg_api_report_print(hbg_api_hypa_report(work), true, text);
    hbg_base_buffer_init(&out, &work->session->scratch);
    if (format == HBG_PROCESS_LATEX)
        hbg_emit_process_latex(&of, &out);
    else
        hbg_emit_process_text(&of, &out);
    return hbg_api_text_of(work->session, out.data, out.size, text);
}

static bool is_exact(const hypa_work *work) {
    return work->asked->form && strcmp(work->asked->form, "exact") == 0;
}

static hbg_status make(hypa_work *work, const hbg_model *model, hbg_text *text) {
    HBG_TRY(hbg_api_hypa_options(work));
    HBG_TRY(hbg_api_hypa_begin(work, model));
    if (!is_exact(work)) return hbg_api_hypa_paper(work, text);
    HBG_TRY(hbg_api_hypa_exact(work));
    return print(work, work->asked->format, text);
}

hbg_status hbg_hypa(hbg_session *session, const hbg_model *model, const hbg_hypa_options *options,
                    hbg_text *text) {
    *text = (hbg_text){0};
    HBG_RUN_ENTER(session);
    hypa_work *work = HBG_NEW(&session->scratch, hypa_work);
    work->session = session;
    work->asked = options;
    work->limit = options->limit;
    work->timeout_ms = options->timeout_ms;
    work->chooses = true;
    return hbg_api_run_leave(session, make(work, model, text));
}

hbg_status hbg_hypa_again(hbg_session *session, const char *path, const char *text, size_t size,
                          hbg_text *again) {
    *again = (hbg_text){0};
    HBG_ENTER(session);
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    int32_t source = hbg_base_sources_add(&session->sources, path, text, size);
    hbg_status status = source < 0 ? HBG_TOO_LARGE : HBG_BAD_MODEL;
    if (source >= 0 && hbg_emit_process_again(&session->scratch, &session->diagnostics,
                                              &session->sources.items.items[source], &out))
        status = hbg_api_text_of(session, out.data, out.size, again);
    return hbg_api_session_leave(session, status);
}
