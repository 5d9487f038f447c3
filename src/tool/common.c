/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the commands: sessions, search folders, messages, output. */
#include "tool/tool_impl.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- search path of imports --------------------------------------------------------------------------- */

static void add_folder(tool_search *search, const char *folder) {
    if (search->count < LIST_LIMIT && folder[0]) search->folders[search->count++] = folder;
}

static void add_environment(tool_search *search) {
    const char *path = getenv("HBG_PATH");
    if (!path) return;
    if (strlen(path) >= sizeof search->environment) {
        fprintf(stderr, "hbg: HBG_PATH is longer than %zu characters and is not used\n",
                sizeof search->environment - 1);
        return;
    }
    strcpy(search->environment, path);
    char *rest = search->environment;
    for (char *folder = strsep(&rest, ":"); folder; folder = strsep(&rest, ":")) add_folder(search, folder);
}

/* Data files of an installed program are in ../share/hbg relative to it; in a build tree they are in the
 * folder of the sources. */
bool hbg_tool_find_data(const char *folder, const char *file, char *place, size_t size) {
    static const char *const tops[] = {"../share/hbg", "..", "../..", "."};
    char program[PATH_MAX], found[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return false;
    program[length] = 0;
    char *slash = strrchr(program, '/');
    if (!slash) return false;
    *slash = 0;
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        char probe[PATH_MAX * 2];
        snprintf(probe, sizeof probe, "%s/%s/%s/%s", program, tops[i], folder, file);
        if (access(probe, R_OK) != 0) continue;
        snprintf(probe, sizeof probe, "%s/%s/%s", program, tops[i], folder);
        if (!realpath(probe, found) || strlen(found) >= size) return false;
        strcpy(place, found);
        return true;
    }
    return false;
}

static void add_library(tool_search *search) {
    if (hbg_tool_find_data("lib", "electrical.hbg", search->library, sizeof search->library))
        add_folder(search, search->library);
}

void hbg_tool_find_search(tool_search *search, const tool_options *options) {
    search->count = 0;
    for (int i = 0; i < options->include.count; i++) add_folder(search, options->include.values[i]);
    add_environment(search);
    add_library(search);
}

/* ---- sessions ----------------------------------------------------------------------------------------- */

static bool use_warning(hbg_session *session, const char *word) {
    if (strcmp(word, "error") == 0) return true; // taken with the session's options
    if (strncmp(word, "no-", 3) == 0 && hbg_session_disable_warning(session, word + 3) == HBG_OK) return true;
    hbg_tool_say(stderr, "hbg: `-W %s` is unknown; `hbg help check` lists the warnings\n", word);
    return false;
}

hbg_session *hbg_tool_session_new(const tool_options *options) {
    tool_search search;
    hbg_tool_find_search(&search, options);
    hbg_session_options session_options = hbg_session_options_default();
    session_options.search = search.folders;
    session_options.search_count = search.count;
    for (int i = 0; i < options->warning.count; i++)
        if (strcmp(options->warning.values[i], "error") == 0) session_options.warnings_are_errors = true;
    hbg_session *session;
    hbg_status status = hbg_session_new(&session_options, &session);
    if (status != HBG_OK) {
        hbg_tool_say(stderr, "hbg: %s\n", hbg_status_text(status));
        return NULL;
    }
    for (int i = 0; i < options->warning.count; i++) {
        if (use_warning(session, options->warning.values[i])) continue;
        hbg_session_free(session);
        return NULL;
    }
    return session;
}

static bool in_colour(const tool_options *options) {
    if (strcmp(options->colour, "auto") != 0) return strcmp(options->colour, "always") == 0;
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0;
}

void hbg_tool_print_diagnostics(hbg_session *session, const tool_options *options) {
    hbg_text text;
    hbg_status status = hbg_diagnostics_news(session, in_colour(options), &text); // each once
    if (status != HBG_OK) {
        hbg_tool_fail(session, "cannot show the diagnostics", status);
        return;
    }
    fwrite(text.data, 1, text.size, stderr);
    hbg_text_free(session, &text);
}

/* Whether the output would overwrite one of its inputs. */
static bool keeps_input(const hbg_session *session, const hbg_model *model, const char *output) {
    const char *input = output && strcmp(output, "-") != 0 ? hbg_input_at(session, model, output) : NULL;
    if (input)
        hbg_tool_say(stderr, "hbg: `%s` is read for this model, and would be lost: write to another file\n",
                     input);
    return !input;
}

static bool keeps_inputs(const hbg_session *session, const hbg_model *model, const tool_options *options) {
    bool keeps = keeps_input(session, model, options->sweep.run.events);
    for (int i = 0; i < options->outputs.count; i++)
        keeps = keeps_input(session, model, options->outputs.values[i]) && keeps;
    for (int i = 0; options->command == COMMAND_run && i < options->plots.count; i++)
        keeps = keeps_input(session, model, options->plots.values[i]) && keeps;
    return keeps;
}

static bool is_image(const char *path) {
    size_t size = strlen(path);
    return size > 4 && strcmp(path + size - 4, ".hbi") == 0;
}

bool hbg_tool_at_steady(const tool_options *options) {
    return options->command == COMMAND_linearize && options->load.stop &&
           strcmp(options->load.stop, "steady") == 0;
}

/* A program that requested JSON gets it also without a model: as from `hbg check --json`. */
static void print_json(hbg_session *session) {
    hbg_text text;
    hbg_status status = hbg_diagnostics_json(session, &text);
    if (status == HBG_OK)
        (void)hbg_tool_print(session, &text);
    else
        (void)hbg_tool_fail(session, "cannot write JSON", status);
}

hbg_model *hbg_tool_load(hbg_session *session, const tool_options *options, const char *path) {
    hbg_load_options load = options->load;
    if (options->bode.output) load.records = options->bode.output;
    if (hbg_tool_at_steady(options)) load.stop = NULL;
    bool checking = options->command == COMMAND_check;
    hbg_model *model = NULL;
    bool takes_images = options->command == COMMAND_run || options->command == COMMAND_sweep ||
                        options->command == COMMAND_export;
    bool image = takes_images && is_image(path);
    hbg_status status =
        image ? hbg_load_image(session, path, &load, &model) : hbg_load_file(session, path, &load, &model);
    if (status == HBG_OK && checking) status = hbg_check_start_mode(session, model);
    bool refused = image && status != HBG_OK && status != HBG_BAD_MODEL;
    if (refused) return hbg_tool_fail(session, path, status), NULL; // the reason is valid until the next call
    if (!options->json || !checking) hbg_tool_print_diagnostics(session, options);
    if (options->json && !checking && status == HBG_BAD_MODEL) print_json(session);
    if (status != HBG_OK && status != HBG_BAD_MODEL) hbg_tool_fail(session, path, status);
    return status == HBG_OK && keeps_inputs(session, model, options) ? model : NULL;
}

/* ---- output ------------------------------------------------------------------------------------------- */

static void put_clean(FILE *out, bool lines, const char *format, va_list values) {
    va_list again;
    va_copy(again, values);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (!text) return;
    (void)vsnprintf(text, (size_t)size + 1, format, values);
    bool ends = size > 0 && text[size - 1] == '\n';
    if (ends) text[size - 1] = '\0';
    fputs(hbg_text_clean(text, lines), out);
    if (ends) fputc('\n', out);
    free(text);
}

void hbg_tool_say(FILE *out, const char *format, ...) {
    va_list values;
    va_start(values, format);
    put_clean(out, false, format, values);
    va_end(values);
}

void hbg_tool_say_lines(FILE *out, const char *format, ...) {
    va_list values;
    va_start(values, format);
    put_clean(out, true, format, values);
    va_end(values);
}

void hbg_tool_say_why(const char *what, const char *reason) {
    hbg_tool_say(stderr, "hbg: %s: ", what);
    hbg_tool_say_lines(stderr, "%s\n", reason);
}

int hbg_tool_fail(hbg_session *session, const char *what, hbg_status status) {
    const char *reason = session ? hbg_session_reason(session) : "";
    hbg_tool_say_why(what, reason[0] ? reason : hbg_status_text(status));
    return EXIT_BAD_INPUT;
}

int hbg_tool_refuse(hbg_session *session, const tool_options *options, hbg_status status) {
    if (status != HBG_BAD_MODEL) return hbg_tool_fail(session, options->files.values[0], status);
    hbg_tool_print_diagnostics(session, options);
    return EXIT_BAD_INPUT;
}

int hbg_tool_print(hbg_session *session, hbg_text *text) {
    fwrite(text->data, 1, text->size, stdout);
    hbg_text_free(session, text);
    if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_FINE;
    fprintf(stderr, "hbg: cannot write to standard output\n");
    return EXIT_BAD_INPUT;
}

int hbg_tool_write(hbg_session *session, const char *path, hbg_text *text) {
    if (strcmp(path, "-") == 0) return hbg_tool_print(session, text);
    hbg_status status = hbg_write_file(session, path, text->data, text->size);
    hbg_text_free(session, text);
    return status == HBG_OK ? EXIT_FINE : hbg_tool_fail(session, path, status);
}
