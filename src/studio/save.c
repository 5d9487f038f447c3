/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files made by the studio: results of a run, which is repeated with the same bits, and exports. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hbg/export.h"
#include "studio/studio_impl.h"

/* ---- a folder for temporary files ---------------------------------------------------------------------- */

bool hbg_studio_scratch(char folder[PATH_MAX]) {
    const char *parent = getenv("TMPDIR");
    if (!parent || !parent[0] || strlen(parent) > PATH_MAX / 2) parent = "/tmp";
    (void)snprintf(folder, PATH_MAX, "%s/hbg-studio-XXXXXX", parent);
    return mkdtemp(folder) != NULL;
}

void hbg_studio_scratch_remove(const char *folder) {
    DIR *opened = opendir(folder);
    const struct dirent *entry;
    while (opened && (entry = readdir(opened)) != NULL) {
        char path[PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            (void)unlink(path);
    }
    if (opened) closedir(opened);
    (void)rmdir(folder);
}

/* ---- results ------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *type;
    bool picture;
} formats[] = {{"csv", "text/csv", false},
               {"h5", "application/x-hdf5", false},
               {"mat", "application/octet-stream", false},
               {"svg", "image/svg+xml", true},
               {"png", "image/png", true}};

/* The run that is saved ends with the studio, or with its page. */
typedef struct {
    hbg_studio *studio;
    const char *page;
    bool known; /* the page has a stream, so its end is noticed */
    double looked;
} saving;

static bool is_wanted(void *context, double t, double stop) {
    (void)t, (void)stop;
    saving *of = context;
    double now = hbg_studio_now();
    if (now - of->looked < 0.05) return true;
    of->looked = now;
    pthread_mutex_lock(&of->studio->lock);
    bool ending = of->studio->ending;
    pthread_mutex_unlock(&of->studio->lock);
    return !ending && (!of->known || hbg_studio_page_is_known(of->studio, of->page));
}

static void put_file(hbg_studio_answer *answer, hbg_session *session, const char *path, const char *type) {
    hbg_text text;
    hbg_status status = hbg_read_file(session, path, &text);
    if (status != HBG_OK) {
        hbg_studio_refuse(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, "%s", hbg_session_reason(session));
        return;
    }
    hbg_studio_put_text(&answer->body, session, &text);
    answer->type = type;
}

static void refuse_failure(hbg_studio_answer *answer, hbg_session *session, hbg_status status) {
    answer->status = MHD_HTTP_UNPROCESSABLE_CONTENT;
    hbg_studio_text_put(&answer->body, "{");
    hbg_studio_put_failure(&answer->body, session, status);
    hbg_studio_text_put(&answer->body, "}");
}

static void save(hbg_studio_question *question, hbg_studio_answer *answer, hbg_studio_loaded *loaded,
                 size_t format) {
    char folder[PATH_MAX], path[PATH_MAX + 32];
    const char *file = path;
    hbg_run_options options = hbg_studio_run_options(question->asked, loaded);
    saving wanted = {question->studio, question->page,
                     hbg_studio_page_is_known(question->studio, question->page), 0};
    hbg_run_end end;
    hbg_text text = {0};
    options.progress = is_wanted;
    options.context = &wanted;
    if (!hbg_studio_scratch(folder)) {
        hbg_studio_refuse(answer, MHD_HTTP_INTERNAL_SERVER_ERROR,
                          "no folder for temporary files can be made");
        return;
    }
    (void)snprintf(path, sizeof path, "%s/results.%s", folder, formats[format].name);
    if (formats[format].picture) {
        options.plot = path;
    } else {
        options.files = &file;
        options.file_count = 1;
    }
    hbg_status status = hbg_run(loaded->session, loaded->model, &options, &end, &text);
    if (status == HBG_OK) hbg_text_free(loaded->session, &text);
    if (status != HBG_OK) {
        refuse_failure(answer, loaded->session, status);
    } else {
        if (end != HBG_RUN_FINISHED) strcat(path, ".partial"); // the incomplete file
        put_file(answer, loaded->session, path, formats[format].type);
    }
    hbg_studio_scratch_remove(folder);
}

void hbg_studio_answer_save(hbg_studio_question *question, hbg_studio_answer *answer) {
    const char *name = hbg_studio_asked_text(question, "format");
    size_t format = 0, count = sizeof formats / sizeof *formats;
    hbg_studio_loaded loaded;
    while (format < count && (!name || strcmp(formats[format].name, name) != 0)) format++;
    if (format == count) {
        hbg_studio_refuse(answer, MHD_HTTP_BAD_REQUEST, "results are saved as csv, h5, mat, svg or png");
        return;
    }
    if (!hbg_studio_load(question->studio, question->asked, &loaded, answer)) return;
    if (loaded.model)
        save(question, answer, &loaded, format);
    else
        refuse_failure(answer, loaded.session, loaded.status);
    hbg_studio_unload(&loaded);
}

/* ---- exports ------------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_studio *studio;
    const hbg_studio_question *question;
    const hbg_studio_loaded *loaded;
    hbg_run_options run;
    const char *place, *name;
} exporting;

static hbg_status export_c(const exporting *of, hbg_text *text) {
    hbg_export_options how = {.folder = of->place, .name = of->name, .sources = of->studio->sources};
    return hbg_export_c(of->loaded->session, of->loaded->model, &of->run, &how, text);
}

static hbg_status export_fmu(const exporting *of, hbg_text *text) {
    hbg_export_fmu_options how = {.file = of->place,
                                  .name = of->name,
                                  .sources = of->studio->sources,
                                  .engine = of->studio->engine,
                                  .version = hbg_studio_asked_number(of->question, "fmi") == 3 ? 3 : 2,
                                  .exchange = hbg_studio_asked_yes(of->question, "me"),
                                  .steps = hbg_studio_asked_yes(of->question, "cs"),
                                  .no_binary = hbg_studio_asked_yes(of->question, "no binary")};
    return hbg_export_fmu(of->loaded->session, of->loaded->model, &of->run, &how, text);
}

static hbg_status export_spaceex(const exporting *of, hbg_text *text) {
    hbg_export_options how = {.folder = of->place, .name = of->name};
    return hbg_export_spaceex(of->loaded->session, of->loaded->model, &of->run, &how, text);
}

static hbg_status export_blocks(const exporting *of, hbg_text *text) {
    const char *to = hbg_studio_asked_text(of->question, "as");
    hbg_export_blocks_options how = {.file = of->place, .name = of->name, .to = to ? to : "json"};
    return hbg_export_blocks(of->loaded->session, of->loaded->model, &of->run, &how, text);
}

static hbg_status compile(const exporting *of, hbg_text *text) {
    *text = (hbg_text){0};
    return hbg_compile(of->loaded->session, of->loaded->model, &of->run, of->place);
}

static const struct {
    const char *name;
    const char *ending; /* of the file; "": a folder */
    bool sources;       /* it needs the sources of the engine */
    hbg_status (*export)(const exporting *of, hbg_text *text);
} targets[] = {{"c", "", true, export_c},
               {"fmu", ".fmu", true, export_fmu},
               {"spaceex", ".xml", false, export_spaceex},
               {"blocks", "", false, export_blocks},
               {"image", ".hbi", false, compile}};

static bool ends_with(const char *text, const char *ending) {
    size_t size = strlen(text), length = strlen(ending);
    return size > length && strcmp(text + size - length, ending) == 0;
}

static void export(hbg_studio_question *question, hbg_studio_answer *answer, size_t target,
                   const char *place) {
    const char *name = hbg_studio_asked_text(question, "name");
    hbg_studio_loaded loaded;
    hbg_text text = {0};
    if (!hbg_studio_load(question->studio, question->asked, &loaded, answer)) return;
    exporting of = {question->studio,
                    question,
                    &loaded,
                    hbg_studio_run_options(question->asked, &loaded),
                    place,
                    name && name[0] ? name : NULL};
    const char *input = loaded.model ? hbg_input_at(loaded.session, loaded.model, place) : NULL;
    hbg_status status = loaded.model && !input ? targets[target].export(&of, &text) : loaded.status;
    if (input)
        hbg_studio_refuse(answer, MHD_HTTP_CONFLICT, "`%s` is read for this model, and would be lost", input);
    else if (status != HBG_OK)
        refuse_failure(answer, loaded.session, status);
    else {
        hbg_studio_text_put(&answer->body, "{\"told\":");
        hbg_studio_text_json(&answer->body, text.data ? text.data : "");
        hbg_studio_text_put(&answer->body, "}");
        hbg_text_free(loaded.session, &text);
    }
    hbg_studio_unload(&loaded);
}

void hbg_studio_answer_export(hbg_studio_question *question, hbg_studio_answer *answer) {
    const char *name = hbg_studio_asked_text(question, "to"), *why;
    size_t target = 0, count = sizeof targets / sizeof *targets;
    char place[PATH_MAX];
    while (target < count && (!name || strcmp(targets[target].name, name) != 0)) target++;
    if (target == count)
        hbg_studio_refuse(answer, MHD_HTTP_BAD_REQUEST,
                          "models are exported as c, fmu, spaceex, blocks or image");
    else if (!hbg_studio_resolve(question->studio, hbg_studio_asked_text(question, "place"), place, &why))
        hbg_studio_refuse(answer, MHD_HTTP_FORBIDDEN, "%s", why);
    else if (targets[target].ending[0] && !ends_with(place, targets[target].ending))
        hbg_studio_refuse(answer, MHD_HTTP_BAD_REQUEST, "the name has to end in %s", targets[target].ending);
    else if (ends_with(place, ".hbg"))
        hbg_studio_refuse(answer, MHD_HTTP_BAD_REQUEST, "that would be the name of a model");
    else if (targets[target].sources && !question->studio->sources)
        hbg_studio_refuse(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, "the sources of the engine are not found");
    else
        export(question, answer, target, place);
}
