/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg steady: a point where nothing moves. */
#include "tool/tool_impl.h"

static int print(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_steady_options steady = {options->load.experiment, options->mode, options->json};
    hbg_text text;
    bool found;
    hbg_status status = hbg_steady(session, model, &steady, &found, &text);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    if (!found) hbg_tool_say_why(options->files.values[0], hbg_session_reason(session));
    int printed = hbg_tool_print(session, &text);
    return printed != EXIT_FINE ? printed : found ? EXIT_FINE : EXIT_NOT_FINISHED;
}

int hbg_tool_command_steady(const tool_options *options) {
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? print(session, model, options) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
