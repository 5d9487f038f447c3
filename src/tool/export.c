/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg export: a model for other programs. */
#include "hbg/export.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "tool/tool_impl.h"

/* For people, and for programs if JSON was requested. */
static int refuse(hbg_session *session, const tool_options *options, hbg_status status, hbg_text *text) {
    int exit = hbg_tool_refuse(session, options, status);
    if (text->data) (void)hbg_tool_print(session, text);
    return exit;
}

/* Prints the report of the files written, or why there are none. */
static int finish(hbg_session *session, const tool_options *options, hbg_status status, hbg_text *text) {
    if (status != HBG_OK) return refuse(session, options, status, text);
    if (options->quiet && !options->json) hbg_text_free(session, text);
    return options->quiet && !options->json ? EXIT_FINE : hbg_tool_print(session, text);
}

static bool find_sources(char *sources, size_t size) {
    if (hbg_tool_find_data("src", "rt/rt.h", sources, size)) return true;
    fprintf(stderr,
            "hbg: the sources of the engine are not found: neither ../share/hbg/src nor src is there, "
            "seen from the program\n");
    return false;
}

static int export_c(hbg_session *session, const hbg_model *model, const tool_options *options) {
    char sources[PATH_MAX];
    hbg_text text;
    hbg_export_options how = {.folder = options->output,
                              .name = options->name,
                              .sources = sources,
                              .breakable = options->ship.breakable,
                              .json = options->json};
    if (!find_sources(sources, sizeof sources)) return EXIT_BAD_INPUT;
    hbg_status status = hbg_export_c(session, model, &options->sweep.run, &how, &text);
    return finish(session, options, status, &text);
}

static int export_spaceex(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_text text;
    hbg_export_options how = {.folder = options->output, .json = options->json};
    hbg_status status = hbg_export_spaceex(session, model, &options->sweep.run, &how, &text);
    return finish(session, options, status, &text);
}

static int export_blocks(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_text text;
    hbg_export_blocks_options how = {
        .file = options->output, .to = options->ship.to, .name = options->name, .json = options->json};
    hbg_status status = hbg_export_blocks(session, model, &options->sweep.run, &how, &text);
    if (status != HBG_OK) return refuse(session, options, status, &text);
    bool told = !options->quiet || options->json || strcmp(options->output, "-") == 0;
    if (!told) hbg_text_free(session, &text);
    return told ? hbg_tool_print(session, &text) : EXIT_FINE;
}

/* ---- FMUs ---------------------------------------------------------------------------------------------- */

static bool take_version(const tool_options *options, hbg_export_fmu_options *how) {
    const char *asked = options->ship.fmi ? options->ship.fmi : "2";
    how->version = strcmp(asked, "2") == 0 || strcmp(asked, "2.0") == 0   ? 2
                   : strcmp(asked, "3") == 0 || strcmp(asked, "3.0") == 0 ? 3
                                                                          : 0;
    if (how->version == 0)
        hbg_tool_say(stderr, "hbg: there is no FMI `%s` here; `--fmi` takes 2 or 3\n", options->ship.fmi);
    return how->version != 0;
}

static bool take_interface(const tool_options *options, hbg_export_fmu_options *how) {
    const char *asked = options->ship.interface ? options->ship.interface : "me,cs";
    how->exchange = strcmp(asked, "me") == 0 || strcmp(asked, "me,cs") == 0 || strcmp(asked, "cs,me") == 0;
    how->steps = strcmp(asked, "me") != 0 && (how->exchange || strcmp(asked, "cs") == 0);
    if (!how->exchange && !how->steps)
        hbg_tool_say(stderr, "hbg: `--interface` takes me, cs or me,cs, not `%s`\n", asked);
    return how->exchange || how->steps;
}

/* The compiled engine is next to the program, or where it is installed; without it the engine is compiled
 * each time. */
const char *hbg_tool_find_engine(char *engine, size_t size) {
    static const char *const places[] = {"lib/hbg", "."};
    static const char *const name = "libhbg_engine.a";
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char folder[PATH_MAX];
        if (!hbg_tool_find_data(places[i], name, folder, sizeof folder)) continue;
        if (snprintf(engine, size, "%s/%s", folder, name) < (int)size) return engine;
    }
    return NULL;
}

/* Shows progress while the binary is compiled. */
static bool compiles(void *context, double t, double stop) {
    tool_watch *watch = context;
    double left;
    (void)t, (void)stop;
    if (hbg_tool_watch_due(watch, 0, &left)) {
        fprintf(stderr, "\rcompiling the binary, %.0f s", hbg_tool_watch_spent(watch));
        hbg_tool_watch_left(NAN);
    }
    return !hbg_tool_interrupted();
}

static int export_fmu(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_run_options run = options->sweep.run;
    tool_watch watch;
    char sources[PATH_MAX], engine[2 * PATH_MAX];
    hbg_text text;
    hbg_export_fmu_options how = {.file = options->output,
                                  .name = options->name,
                                  .sources = sources,
                                  .engine = hbg_tool_find_engine(engine, sizeof engine),
                                  .no_binary = options->ship.no_binary,
                                  .breakable = options->ship.breakable,
                                  .json = options->json};
    if (!take_version(options, &how) || !take_interface(options, &how)) return EXIT_BAD_INPUT;
    if (!find_sources(sources, sizeof sources)) return EXIT_BAD_INPUT;
    run.progress = compiles;
    run.context = &watch;
    hbg_tool_watch_begin(&watch, options->quiet);
    hbg_status status = hbg_export_fmu(session, model, &run, &how, &text);
    hbg_tool_watch_end(&watch);
    int exit = finish(session, options, status, &text);
    return status != HBG_OK && hbg_tool_interrupted() ? hbg_tool_run_exit(HBG_RUN_INTERRUPTED) : exit;
}

/* ---- targets ------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name, *place, *what; /* the place to write to, as typed, and its kind */
    bool to_stdout;                  /* the place may be `-` */
    int (*export)(hbg_session *session, const hbg_model *model, const tool_options *options);
} target;

static const target targets[] = {
    {"c", "DIR", "a folder", false, export_c},
    {"fmu", "FILE.fmu", "a file", false, export_fmu},
    {"spaceex", "FILE.xml", "a file", false, export_spaceex},
    {"blocks", "FILE", "a file", true, export_blocks},
};
enum { TARGETS = sizeof targets / sizeof *targets };

static const target *find_target(const char *name) {
    for (int i = 0; i < TARGETS; i++)
        if (strcmp(targets[i].name, name) == 0) return &targets[i];
    hbg_tool_say(stderr, "hbg: models are not exported as `%s`; the targets are", name);
    for (int i = 0; i < TARGETS; i++)
        hbg_tool_say(stderr, "%s `%s`", i == 0 ? "" : i + 1 == TARGETS ? " and" : ",", targets[i].name);
    hbg_tool_say(stderr, ": `hbg export c MODEL -o DIR`\n");
    return NULL;
}

/* Options that are only for other targets. */
static bool has_strange_option(const tool_options *options, const target *to) {
    const struct {
        const char *option, *targets; /* with blanks around */
        bool given;
    } special[] = {
        {"--fmi", " fmu ", options->ship.fmi != NULL},
        {"--interface", " fmu ", options->ship.interface != NULL},
        {"--no-binary", " fmu ", options->ship.no_binary},
        {"--breakable", " c fmu ", options->ship.breakable},
        {"--to", " blocks ", options->ship.to != NULL},
        {"--name", " c fmu blocks ", options->name != NULL},
    };
    char word[20];
    (void)snprintf(word, sizeof word, " %s ", to->name);
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        if (!special[i].given || strstr(special[i].targets, word)) continue;
        fprintf(stderr, "hbg: `%s` has no meaning for `export %s`; it is for%.*s\n", special[i].option,
                to->name, (int)strlen(special[i].targets) - 1, special[i].targets);
        return true;
    }
    return false;
}

/* Reports errors of a model that was not loaded, for programs. */
static int end_unread(hbg_session *session, const tool_options *options) {
    hbg_text text;
    if (session && options->json && hbg_diagnostics_json(session, &text) == HBG_OK)
        (void)hbg_tool_print(session, &text);
    return EXIT_BAD_INPUT;
}

int hbg_tool_command_export(const tool_options *options) {
    const target *to = find_target(options->target);
    if (!to || has_strange_option(options, to)) return EXIT_BAD_INPUT;
    if (!options->output || (strcmp(options->output, "-") == 0 && !to->to_stdout)) {
        fprintf(stderr, "hbg: export needs %s to write to: `-o %s`\n", to->what, to->place);
        return EXIT_BAD_INPUT;
    }
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? to->export(session, model, options) : end_unread(session, options);
    hbg_session_free(session);
    return result;
}
