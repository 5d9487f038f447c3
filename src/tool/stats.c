/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg stats: statistics of the table of a sweep. */
#include "tool/tool_impl.h"

int hbg_tool_command_stats(const tool_options *options) {
    const char *path = options->files.values[0];
    hbg_text text;
    hbg_session *session = hbg_tool_session_new(options);
    if (!session) return EXIT_BAD_INPUT;
    hbg_status status = hbg_stats(session, path, &options->stats, &text);
    int result = status == HBG_OK ? hbg_tool_print(session, &text) : hbg_tool_fail(session, path, status);
    hbg_session_free(session);
    return result;
}
