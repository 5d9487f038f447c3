/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_load_image: the text in an image tells what things are called and what a run can be asked for; its code is what runs. The options
 * it was compiled with apply first; those of the present call override them. */
#include <stdlib.h>
#include <string.h>

#include "api/image_impl.h"

enum { IMAGE_LIMIT = 1 << 30 }; /* bytes */

/* ---- origins ------------------------------------------------------------------------------------------ */

const hbg_origin *hbg_api_origin_of(const hbg_session *session, const hbg_model *model) {
    const hbg_origin *of = session->origins;
    while (of && of->model != model) of = of->next;
    return of;
}

static const char *copy(hbg_session *session, const char *text) {
    return text ? hbg_base_arena_copy(&session->arena, text, strlen(text)) : NULL;
}

static const char *const *copy_list(hbg_session *session, const char *const *list, int count) {
    const char **made = HBG_NEW_ARRAY(&session->arena, const char *, count + 1);
    for (int i = 0; i < count; i++) made[i] = copy(session, list[i]);
    return made;
}

static hbg_origin *add_origin(hbg_session *session, const hbg_model *model, const char *path) {
    hbg_origin *made = HBG_NEW(&session->arena, hbg_origin);
    made->model = model;
    made->path = copy(session, path);
    made->next = session->origins;
    return session->origins = made;
}

void hbg_api_origin_add(hbg_session *session, const hbg_model *model, const char *path,
                        const hbg_load_options *options) {
    hbg_origin *made = add_origin(session, model, path);
    if (!options) return;
    hbg_load_options *to = &made->options;
    *to = *options;
    to->model = copy(session, options->model);
    to->parameters = copy_list(session, options->parameters, options->parameter_count);
    to->records = copy(session, options->records);
    to->stop = copy(session, options->stop);
    to->step = copy(session, options->step);
    to->every = copy(session, options->every);
    to->faults = copy_list(session, options->faults, options->fault_count);
    to->fault_table = copy(session, options->fault_table);
    to->experiment = copy(session, options->experiment);
    to->sweeps = copy_list(session, options->sweeps, options->sweep_count);
}

hbg_run_options hbg_api_run_options(const hbg_session *session, const hbg_model *model,
                                    const hbg_run_options *options) {
    const hbg_origin *of = hbg_api_origin_of(session, model);
    hbg_run_options used = *options;
    if (!of || !of->image.bytes) return used;
    if (!used.experiment) used.experiment = of->options.experiment;
    if (!used.solver) used.solver = of->solver;
    if (!(used.rtol > 0)) used.rtol = of->rtol;
    if (!(used.atol > 0)) used.atol = of->atol;
    return used;
}

/* ---- notes -------------------------------------------------------------------------------------------- */

/* What an image holds beside its code. */
typedef struct {
    hbg_session *session;
    hbg_rt_bundle bundle;
    hbg_lang_file *files;
    const char **folders, **parameters, **faults;
    hbg_lang_shelf shelf;
    int32_t folder_count;
    hbg_origin *origin;
} notes;

/* The text of an item, terminated. */
static const char *text_of(const notes *n, hbg_rt_bundle_item item, size_t from) {
    size_t size = item.size > from ? item.size - from : 0;
    return hbg_base_arena_copy(&n->session->arena, (const char *)item.bytes + (size ? from : 0), size);
}

static bool take_file(notes *n, hbg_rt_bundle_item item) {
    const char *bytes = item.bytes, *end = memchr(bytes, 0, item.size);
    if (!end) return false;
    size_t path = (size_t)(end - bytes) + 1;
    n->files[n->shelf.count++] = (hbg_lang_file){bytes, bytes + path, item.size - path};
    return true;
}

static bool take_option(notes *n, hbg_rt_bundle_item item) {
    hbg_load_options *to = &n->origin->options;
    const char *text = text_of(n, item, 1);
    switch (item.size > 0 ? *(const char *)item.bytes : 0) {
    case 'm': to->model = text; return true;
    case 'p': n->parameters[to->parameter_count++] = text; return true;
    case 'r': to->records = text; return true;
    case 'e': to->stop = text; return true;
    case 's': to->step = text; return true;
    case 'v': to->every = text; return true;
    case 'f': n->faults[to->fault_count++] = text; return true;
    case 't': to->fault_table = text; return true;
    case 'x': to->experiment = text; return true;
    case 'X': n->origin->experiment = text; return true;
    case 'S': n->origin->solver = text; return true;
    case 'R': n->origin->rtol = strtod(text, NULL); return true;
    case 'A': n->origin->atol = strtod(text, NULL); return true;
    default: return false;
    }
}

static hbg_status take_notes(notes *n, int extra_parameters, int extra_faults) {
    hbg_arena *arena = &n->session->arena;
    size_t most = (size_t)n->bundle.count + 1;
    n->files = HBG_NEW_ARRAY(arena, hbg_lang_file, most);
    n->folders = HBG_NEW_ARRAY(arena, const char *, most);
    n->parameters = HBG_NEW_ARRAY(arena, const char *, most + (size_t)extra_parameters);
    n->faults = HBG_NEW_ARRAY(arena, const char *, most + (size_t)extra_faults);
    for (int32_t i = 0; i < n->bundle.count; i++) {
        hbg_rt_bundle_item item = hbg_rt_bundle_at(&n->bundle, i);
        bool fine = true;
        if (item.kind == HBG_RT_BUNDLE_FILE) fine = take_file(n, item);
        if (item.kind == HBG_RT_BUNDLE_FOLDER) n->folders[n->folder_count++] = text_of(n, item, 0);
        if (item.kind == HBG_RT_BUNDLE_OPTION) fine = take_option(n, item);
        if (!fine)
            return hbg_api_session_fail(n->session, HBG_BAD_ARGUMENT,
                                        "this is no image that hbg can run: its note %d makes no sense",
                                        (int)i);
    }
    n->shelf.files = n->files;
    if (n->shelf.count > 0) return HBG_OK;
    return hbg_api_session_fail(n->session, HBG_BAD_ARGUMENT,
                                "this is no image that hbg can run: the text of its model is not there");
}

/* ---- what is asked for -------------------------------------------------------------------------------- */

/* How much of "R1=3" or "R1 = 3" names a parameter. */
static size_t name_size(const char *parameter) {
    size_t size = strcspn(parameter, "=~");
    while (size > 0 && parameter[size - 1] == ' ') size--;
    return size;
}

/* Parameters that have a new value lose the one they were compiled with. */
static void drop_parameter(notes *n, const char *asked) {
    hbg_load_options *to = &n->origin->options;
    int kept = 0;
    size_t size = name_size(asked);
    for (int i = 0; i < to->parameter_count; i++)
        if (name_size(n->parameters[i]) != size || strncmp(n->parameters[i], asked, size) != 0)
            n->parameters[kept++] = n->parameters[i];
    to->parameter_count = kept;
}

/* A table of faults that was asked for is on the disk, and not the one of the image. */
static void drop_fault_table(notes *n) {
    const char *old = n->origin->options.fault_table;
    int32_t kept = 0;
    for (int32_t i = 0; i < n->shelf.count; i++)
        if (!old || i == 0 || strcmp(n->files[i].path, old) != 0) n->files[kept++] = n->files[i];
    n->shelf.count = kept;
}

static hbg_status add_asked(notes *n, const hbg_load_options *asked) {
    hbg_load_options *to = &n->origin->options;
    const char *experiment = n->origin->experiment ? n->origin->experiment : "";
    if (asked->experiment && !experiment[0])
        return hbg_api_session_fail(n->session, HBG_BAD_ARGUMENT,
                                    "the image holds no experiment: compile a model that has `%s`",
                                    asked->experiment);
    if (asked->experiment && strcmp(asked->experiment, experiment) != 0)
        return hbg_api_session_fail(n->session, HBG_BAD_ARGUMENT,
                                    "an image holds one experiment, `%s`: compile the model with `-x %s`",
                                    experiment, asked->experiment);
    if (asked->experiment) to->experiment = asked->experiment;
    if (asked->model && (!to->model || strcmp(asked->model, to->model) != 0))
        return hbg_api_session_fail(n->session, HBG_BAD_ARGUMENT,
                                    "an image holds one model: compile `%s` for itself", asked->model);
    for (int i = 0; i < asked->parameter_count; i++) drop_parameter(n, asked->parameters[i]);
    for (int i = 0; i < asked->sweep_count; i++) drop_parameter(n, asked->sweeps[i]);
    for (int i = 0; i < asked->parameter_count; i++)
        n->parameters[to->parameter_count++] = asked->parameters[i];
    for (int i = 0; i < asked->fault_count; i++) n->faults[to->fault_count++] = asked->faults[i];
    if (asked->fault_table) drop_fault_table(n);
    if (asked->fault_table) to->fault_table = asked->fault_table;
    if (asked->records) to->records = asked->records;
    if (asked->stop) to->stop = asked->stop;
    if (asked->step) to->step = asked->step;
    if (asked->every) to->every = asked->every;
    to->sweeps = asked->sweeps;
    to->sweep_count = asked->sweep_count;
    to->faults_apart = asked->faults_apart;
    return HBG_OK;
}

static hbg_status load(hbg_session *session, const char *path, const hbg_load_options *asked, notes *n) {
    char *bytes;
    size_t size;
    const char *why;
    char *reason = hbg_base_arena_alloc(&session->arena, 240);
    if (hbg_base_file_read(&session->arena, path, IMAGE_LIMIT, &bytes, &size, &why) != HBG_OK)
        return hbg_api_session_fail(session, HBG_CANNOT_READ, "the image cannot be read: %s", why);
    if (!hbg_rt_bundle_read(&n->bundle, bytes, size, reason, 240))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "this is no image that hbg can run: %s",
                                    reason);
    n->origin = add_origin(session, NULL, path);
    HBG_TRY(take_notes(n, asked->parameter_count, asked->fault_count));
    HBG_TRY(add_asked(n, asked));
    n->origin->options.parameters = n->parameters;
    n->origin->options.faults = n->faults;
    n->origin->options.one_experiment = asked->one_experiment;
    return HBG_OK;
}

/* With the files and the folders of the image, and none of the disk. */
static hbg_model *read_text(const notes *n) {
    hbg_lang lang = n->session->lang;
    hbg_lang_options used = hbg_api_lang_options(&n->origin->options);
    lang.shelf = &n->shelf;
    lang.search = n->folders;
    lang.search_count = n->folder_count;
    return hbg_lang_read_file(&lang, n->files[0].path, &used);
}

hbg_status hbg_load_image(hbg_session *session, const char *path, const hbg_load_options *options,
                          hbg_model **model) {
    static const hbg_load_options nothing = {0};
    *model = NULL;
    HBG_ENTER(session);
    notes n = {.session = session};
    hbg_status status = load(session, path, options ? options : &nothing, &n);
    if (status != HBG_OK) return hbg_api_session_leave(session, status);
    *model = read_text(&n);
    n.origin->model = *model;
    n.origin->image = n.bundle;
    return hbg_api_session_leave(session, *model ? HBG_OK : HBG_BAD_MODEL);
}
