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

int hbg_tool_command_export(const tool_options *options) {
    const char *target = options->target;
    if (strcmp(target, "c") != 0) {
        hbg_tool_say(stderr,
                     "hbg: models are not exported as `%s`; the target is `c`: `hbg export c MODEL -o DIR`\n",
                     target);
        return EXIT_BAD_INPUT;
    }
    if (!options->output || strcmp(options->output, "-") == 0) {
        fprintf(stderr, "hbg: export needs a folder to write to: `-o DIR`\n");
        return EXIT_BAD_INPUT;
    }
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? export_c(session, model, options) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
