/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg compile: a model and one of its experiments as an image in a file. */
#include "tool/tool_impl.h"

#include <string.h>

static int compile(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_status status = hbg_compile(session, model, &options->sweep.run, options->output);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    if (!options->quiet) hbg_tool_say(stdout, "wrote %s\n", options->output);
    return EXIT_FINE;
}

int hbg_tool_command_compile(const tool_options *options) {
    if (!options->output || strcmp(options->output, "-") == 0) {
        fprintf(stderr, "hbg: compile needs a file to write to: `-o model.hbi`\n");
        return EXIT_BAD_INPUT;
    }
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? compile(session, model, options) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
