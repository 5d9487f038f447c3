/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg export: a model for other programs. */
#include "hbg/export.h"

#include <limits.h>
#include <string.h>

#include "tool/tool_impl.h"

/* Prints the report of what was written, or why nothing was. */
static int finish(hbg_session *session, const tool_options *options, hbg_status status, hbg_text *text) {
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    if (options->quiet && !options->json) hbg_text_free(session, text);
    return options->quiet && !options->json ? EXIT_FINE : hbg_tool_print(session, text);
}

static int export_c(hbg_session *session, const hbg_model *model, const tool_options *options) {
    char sources[PATH_MAX];
    hbg_text text;
    hbg_export_options how = {
        .folder = options->output, .name = options->name, .sources = sources, .json = options->json};
    if (!hbg_tool_find_data("src", "rt/rt.h", sources, sizeof sources)) {
        fprintf(stderr,
                "hbg: the sources of the engine are not found: neither ../share/hbg/src nor src is there, "
                "seen from the program\n");
        return EXIT_BAD_INPUT;
    }
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
        .file = options->output, .to = options->to, .name = options->name, .json = options->json};
    hbg_status status = hbg_export_blocks(session, model, &options->sweep.run, &how, &text);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    bool told = !options->quiet || options->json || strcmp(options->output, "-") == 0;
    if (!told) hbg_text_free(session, &text);
    return told ? hbg_tool_print(session, &text) : EXIT_FINE;
}

typedef struct {
    const char *name, *place, *what; /* the place to write to, as one would type it, and what that is */
    bool to_stdout;                  /* the place may be `-` */
    int (*export)(hbg_session *session, const hbg_model *model, const tool_options *options);
} target;

static const target targets[] = {
    {"c", "DIR", "a folder", false, export_c},
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

int hbg_tool_command_export(const tool_options *options) {
    const target *to = find_target(options->target);
    if (!to) return EXIT_BAD_INPUT;
    if (!options->output || (strcmp(options->output, "-") == 0 && !to->to_stdout)) {
        fprintf(stderr, "hbg: export needs %s to write to: `-o %s`\n", to->what, to->place);
        return EXIT_BAD_INPUT;
    }
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? to->export(session, model, options) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
