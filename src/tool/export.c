/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg export: a model for other programs. */
#include "hbg/export.h"

#include <limits.h>
#include <string.h>

#include "tool/tool_impl.h"

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
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    if (options->quiet && !options->json) hbg_text_free(session, &text);
    return options->quiet && !options->json ? EXIT_FINE : hbg_tool_print(session, &text);
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

/* The targets: name, what -o names, whether that may be standard output. */
static const struct {
    const char *name, *place, *output;
    bool to_stdout;
    int (*write)(hbg_session *session, const hbg_model *model, const tool_options *options);
} targets[] = {{"c", "folder", "DIR", false, export_c}, {"blocks", "file", "FILE", true, export_blocks}};

int hbg_tool_command_export(const tool_options *options) {
    const char *name = options->target;
    size_t count = sizeof targets / sizeof *targets, target = 0;
    while (target < count && strcmp(name, targets[target].name) != 0) target++;
    if (target == count) {
        hbg_tool_say(
            stderr,
            "hbg: models are not exported as `%s`; the targets are `c` and `blocks`: `hbg export c MODEL "
            "-o DIR`\n",
            name);
        return EXIT_BAD_INPUT;
    }
    if (!options->output || (strcmp(options->output, "-") == 0 && !targets[target].to_stdout)) {
        fprintf(stderr, "hbg: export needs a %s to write to: `-o %s`\n", targets[target].place,
                targets[target].output);
        return EXIT_BAD_INPUT;
    }
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? targets[target].write(session, model, options) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
