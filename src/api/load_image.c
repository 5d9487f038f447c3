/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_load_image: a model from the tables in an image, which hold the names and what a run can be asked for;
 * its code is what runs. The options it was compiled with apply first, then those of the present call. */
#include <stdlib.h>
#include <string.h>

#include "api/image_impl.h"

enum { IMAGE_LIMIT = 1 << 30 }; /* bytes */

const hbg_origin *hbg_api_origin_of(const hbg_session *session, const hbg_model *model) {
    const hbg_origin *of = session->origins;
    while (of && of->model != model) of = of->next;
    return of;
}

hbg_run_options hbg_api_run_options(const hbg_session *session, const hbg_model *model,
                                    const hbg_run_options *options) {
    const hbg_origin *of = hbg_api_origin_of(session, model);
    hbg_run_options used = *options;
    if (!of) return used;
    if (!used.solver) used.solver = of->solver;
    if (!(used.rtol > 0)) used.rtol = of->rtol;
    if (!(used.atol > 0)) used.atol = of->atol;
    return used;
}

/* ---- notes -------------------------------------------------------------------------------------------- */

static hbg_status refuse(hbg_session *session, const char *reason) {
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "this is no image that hbg can run: %s", reason);
}

static bool take_option(hbg_session *session, hbg_rt_bundle_item item, hbg_origin *to) {
    if (item.size == 0) return false;
    const char *text = hbg_base_arena_copy(&session->arena, (const char *)item.bytes + 1, item.size - 1);
    switch (*(const char *)item.bytes) {
    case 'S': to->solver = text; return true;
    case 'R': to->rtol = strtod(text, NULL); return true;
    case 'A': to->atol = strtod(text, NULL); return true;
    default: return false;
    }
}

/* The options it was compiled with; the tables of its model are left in `tables`. */
static hbg_status take_notes(hbg_session *session, hbg_origin *to, hbg_rt_bundle_item *tables) {
    *tables = (hbg_rt_bundle_item){0};
    for (int32_t i = 0; i < to->image.count; i++) {
        hbg_rt_bundle_item item = hbg_rt_bundle_at(&to->image, i);
        bool twice = item.kind == HBG_RT_BUNDLE_MODEL && tables->bytes;
        if (twice || (item.kind == HBG_RT_BUNDLE_OPTION && !take_option(session, item, to)))
            return refuse(session,
                          hbg_base_arena_print(&session->scratch, "its note %d makes no sense", (int)i));
        if (item.kind == HBG_RT_BUNDLE_MODEL) *tables = item;
    }
    return tables->bytes ? HBG_OK : refuse(session, "the tables of its model are not there");
}

/* ---- what is asked for -------------------------------------------------------------------------------- */

static hbg_status check_asked(hbg_session *session, const hbg_model *model, const hbg_load_options *asked) {
    bool any = model->experiments.count > 0 && model->experiments.items[0].name != 0;
    const char *experiment = any ? hbg_base_names_get(model->names, model->experiments.items[0].name) : NULL;
    const char *name = hbg_base_names_get(model->names, model->name);
    if (asked->experiment && !experiment)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "the image holds no experiment: compile a model that has `%s`",
                                    asked->experiment);
    if (asked->experiment && strcmp(asked->experiment, experiment) != 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "an image holds one experiment, `%s`: compile the model with `-x %s`",
                                    experiment, asked->experiment);
    if (asked->input_count > 0)
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "an image has its inputs as it was compiled: `hbg compile` takes --input, too");
    if (asked->model && strcmp(asked->model, name) != 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "an image holds one model, `%s`: compile `%s` for itself", name,
                                    asked->model);
    return HBG_OK;
}

/* Whether there is text to read: requests are in the language, in terms of the model. */
static bool asks(const hbg_load_options *asked) {
    return asked->parameter_count > 0 || asked->records || asked->stop || asked->step || asked->every ||
           asked->fault_count > 0 || asked->fault_table || asked->sweep_count > 0 || asked->faults_apart;
}

/* The check makes the tables reliable for code and reports, whatever the file contains. Its warnings were
 * reported when the model was compiled. */
static hbg_model *check(hbg_session *session, hbg_model *restored, const hbg_load_options *asked) {
    hbg_diagnostics *diagnostics = &session->diagnostics;
    hbg_lang_options used = hbg_api_lang_options(asked);
    hbg_model *model = restored;
    if (asks(asked)) {
        model = hbg_lang_ask(&session->lang, restored, &used);
    } else {
        restored->scratch = &session->scratch;
        hbg_model_check(restored);
        if (diagnostics->errors > restored->before.errors) model = NULL;
    }
    hbg_base_diagnostics_forget(diagnostics, restored->before.items);
    return model;
}

static hbg_status load(hbg_session *session, const char *path, const hbg_load_options *asked,
                       hbg_model **model) {
    char *bytes;
    size_t size;
    const char *why;
    char *reason = hbg_base_arena_alloc(&session->arena, 240);
    hbg_origin *origin = HBG_NEW(&session->arena, hbg_origin);
    hbg_rt_bundle_item tables;
    if (hbg_base_file_read(&session->arena, path, IMAGE_LIMIT, &bytes, &size, &why) != HBG_OK)
        return hbg_api_session_fail(session, HBG_CANNOT_READ, "the image cannot be read: %s", why);
    if (!hbg_rt_bundle_read(&origin->image, bytes, size, reason, 240)) return refuse(session, reason);
    HBG_TRY(take_notes(session, origin, &tables));
    hbg_model *restored = hbg_model_restore(&session->arena, &session->names, &session->diagnostics,
                                            tables.bytes, tables.size, &why);
    if (!restored) return refuse(session, why);
    HBG_TRY(check_asked(session, restored, asked));
    *model = check(session, restored, asked);
    if (!*model) return HBG_BAD_MODEL;
    origin->model = *model;
    origin->path = hbg_base_arena_copy(&session->arena, path, strlen(path));
    origin->next = session->origins;
    session->origins = origin;
    return HBG_OK;
}

hbg_status hbg_load_image(hbg_session *session, const char *path, const hbg_load_options *options,
                          hbg_model **model) {
    static const hbg_load_options nothing = {0};
    *model = NULL;
    HBG_ENTER(session);
    return hbg_api_session_leave(session, load(session, path, options ? options : &nothing, model));
}
