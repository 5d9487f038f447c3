/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg equations: the equations of a mode, in the order of computation. */
#include "tool/tool_impl.h"

static int print(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_equations_options equations = {options->mode, options->json};
    hbg_text text;
    bool valid;
    hbg_status status = hbg_equations(session, model, &equations, &valid, &text);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    int printed = hbg_tool_print(session, &text);
    return printed != EXIT_FINE ? printed : valid ? EXIT_FINE : EXIT_VIOLATED;
}

int hbg_tool_command_equations(const tool_options *options) {
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? print(session, model, options) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
