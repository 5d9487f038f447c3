/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg list: the contents of a model, or the library. */
#include "tool/tool_impl.h"

static int list_library(const tool_options *options) {
    hbg_session *session = hbg_tool_session_new(options);
    if (!session) return EXIT_BAD_INPUT;
    hbg_text text;
    const char *const *words = options->files.values;
    hbg_status status = options->json ? hbg_library_json(session, words, options->files.count, &text)
                                      : hbg_library_text(session, words, options->files.count, &text);
    int result =
        status == HBG_OK ? hbg_tool_print(session, &text) : hbg_tool_fail(session, "library", status);
    hbg_session_free(session);
    return result;
}

int hbg_tool_command_list(const tool_options *options) {
    if (options->library) return list_library(options);
    const char *path = options->files.values[0];
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, path) : NULL;
    int result = EXIT_BAD_INPUT;
    if (model) {
        hbg_text text;
        hbg_status status =
            options->json ? hbg_list_json(session, model, &text) : hbg_list_text(session, model, &text);
        result = status == HBG_OK ? hbg_tool_print(session, &text) : hbg_tool_fail(session, path, status);
    }
    hbg_session_free(session);
    return result;
}
