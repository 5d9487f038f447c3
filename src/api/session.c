/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sessions: memory, guard, texts for the caller. */
#include "api/api_impl.h"
#include "verify/verify.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

const char *hbg_version(void) {
    return TEXT(HBG_VERSION_MAJOR) "." TEXT(HBG_VERSION_MINOR) "." TEXT(HBG_VERSION_PATCH);
}

hbg_session_options hbg_session_options_default(void) {
    return (hbg_session_options){.memory_limit = (size_t)8 << 30};
}

/* Copies the search list, which the caller may forget. */
static void copy_search(hbg_session *session, const hbg_session_options *options) {
    const char **search = HBG_NEW_ARRAY(&session->arena, const char *, options->search_count + 1);
    for (int i = 0; i < options->search_count; i++)
        search[i] = hbg_base_arena_copy(&session->arena, options->search[i], strlen(options->search[i]));
    session->lang.search = search;
    session->lang.search_count = options->search_count;
}

static hbg_status fill(hbg_session *session, const hbg_session_options *options) {
    HBG_ENTER(session);
    hbg_base_names_init(&session->names, &session->arena);
    hbg_base_sources_init(&session->sources, &session->arena);
    hbg_base_diagnostics_init(&session->diagnostics, &session->arena);
    session->diagnostics.warnings_are_errors = options->warnings_are_errors;
    session->lang.arena = &session->arena;
    session->lang.scratch = &session->scratch;
    session->lang.names = &session->names;
    session->lang.sources = &session->sources;
    session->lang.diagnostics = &session->diagnostics;
    session->lang.units = hbg_lang_units_new();
    if (!session->lang.units) hbg_base_memory_exhausted(&session->memory);
    copy_search(session, options);
    return hbg_api_session_leave(session, HBG_OK);
}

hbg_status hbg_session_new(const hbg_session_options *options, hbg_session **session) {
    hbg_session_options used = options ? *options : hbg_session_options_default();
    *session = NULL;
    hbg_session *made = calloc(1, sizeof *made);
    if (!made) return HBG_NO_MEMORY;
    made->memory.limit = used.memory_limit;
    made->memory.fail_at = used.fail_at;
    hbg_base_arena_init(&made->arena, &made->memory);
    hbg_base_arena_init(&made->scratch, &made->memory);
    hbg_base_arena_init(&made->trial, &made->memory);
    hbg_base_arena_init(&made->tried, &made->memory);
    hbg_status status = fill(made, &used);
    if (status != HBG_OK) {
        hbg_session_free(made);
        return status;
    }
    *session = made;
    return HBG_OK;
}

void hbg_session_free(hbg_session *session) {
    if (!session) return;
    json_decref(session->json);
    if (session->prover) hbg_verify_prover_free(session->prover);
    hbg_lang_units_free(session->lang.units);
    hbg_base_arena_fini(&session->trial);
    hbg_base_arena_fini(&session->tried);
    hbg_base_arena_fini(&session->scratch);
    hbg_base_arena_fini(&session->arena);
    free(session);
}

hbg_status hbg_api_session_leave(hbg_session *session, hbg_status status) {
    HBG_GUARD_END(&session->memory);
    // a reason may have been worded in scratch memory: keep it
    if (!session->reason) session->reason = "";
    if (session->reason[0] != 0) {
        size_t size = strlen(session->reason);
        jmp_buf guard;
        const char *reason = session->reason;
        session->reason = "out of memory";
        if (!HBG_GUARD(&session->memory, guard))
            session->reason = hbg_base_arena_copy(&session->arena, reason, size);
        HBG_GUARD_END(&session->memory);
    }
    hbg_base_arena_fini(&session->trial);
    hbg_base_arena_fini(&session->tried);
    hbg_base_arena_fini(&session->scratch);
    hbg_base_arena_init(&session->scratch, &session->memory);
    return status;
}

hbg_status hbg_api_session_exhausted(hbg_session *session) {
    json_decref(session->json);
    session->json = NULL;
    free(session->printed);
    session->printed = NULL;
    session->reason = "";
    return hbg_api_session_leave(session, HBG_NO_MEMORY);
}

hbg_status hbg_api_session_fail(hbg_session *session, hbg_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    session->reason = hbg_base_arena_vprint(&session->scratch, format, arguments);
    va_end(arguments);
    return status;
}

const char *hbg_session_reason(const hbg_session *session) {
    return session->reason;
}

size_t hbg_session_peak_memory(const hbg_session *session) {
    return session->memory.peak;
}

hbg_status hbg_session_disable_warning(hbg_session *session, const char *name) {
    hbg_diagnostic_id id = hbg_base_diagnostic_find_warning(name);
    if (id == HBG_DIAGNOSTIC_COUNT) return HBG_NOT_FOUND;
    session->diagnostics.disabled[id] = true;
    return HBG_OK;
}

const char *hbg_warning_name(int number, const char **summary) {
    for (int id = 0; id < HBG_DIAGNOSTIC_COUNT; id++) {
        const hbg_diagnostic_kind *kind = hbg_base_diagnostic_kind_get(id);
        if (kind->severity != HBG_WARNING || number-- > 0) continue;
        if (summary) *summary = kind->summary;
        return kind->name;
    }
    return NULL;
}

/* ---- texts -------------------------------------------------------------------------------------------- */

hbg_status hbg_api_text_of(hbg_session *session, const char *data, size_t size, hbg_text *text) {
    text->data = hbg_base_memory_alloc(&session->memory, size + 1);
    text->size = 0;
    if (!text->data) return HBG_NO_MEMORY;
    if (size > 0) memcpy(text->data, data, size);
    text->data[size] = 0;
    text->size = size;
    return HBG_OK;
}

char *hbg_text_clean(char *text, bool lines) {
    return hbg_base_utf8_clean(text, lines);
}

void hbg_text_free(hbg_session *session, hbg_text *text) {
    if (text->data) hbg_base_memory_free(&session->memory, text->data, text->size + 1);
    *text = (hbg_text){0};
}

const char *hbg_api_text_path(hbg_session *session, const hbg_model *model, hbg_object object) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &session->scratch);
    hbg_model_path(model, object, &buffer);
    return buffer.data;
}

const char *hbg_api_text_expr(hbg_session *session, const hbg_model *model, hbg_expr expr) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &session->scratch);
    hbg_model_print_expr(model, expr, &buffer);
    return buffer.data;
}

const char *hbg_api_text_unit(hbg_session *session, hbg_dimension dimension) {
    return hbg_model_dimension_unit(&session->scratch, dimension);
}

const char *hbg_api_text_expr_unit(hbg_session *session, const hbg_model *model, hbg_expr expr) {
    return hbg_model_expr_unit(&session->scratch, model, expr);
}

const char *hbg_api_text_object_unit(hbg_session *session, const hbg_model *model, hbg_object object) {
    return hbg_model_object_unit(&session->scratch, model, object);
}
