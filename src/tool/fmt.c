/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg fmt: files in the canonical form, in place unless -o says otherwise. A file that does not parse is left
 * alone. */
#include "tool/tool_impl.h"

#include <string.h>

static int put(hbg_session *session, const tool_options *options, const char *path, bool same,
               hbg_text *formatted) {
    if (options->check_only) {
        if (!same) hbg_tool_say(stdout, "%s is not in canonical form\n", path);
        hbg_text_free(session, formatted);
        return same ? EXIT_FINE : EXIT_VIOLATED;
    }
    if (options->output) return hbg_tool_write(session, options->output, formatted);
    if (same) {
        hbg_text_free(session, formatted);
        return EXIT_FINE;
    }
    int result = hbg_tool_write(session, path, formatted);
    if (result == EXIT_FINE) hbg_tool_say(stdout, "formatted %s\n", path);
    return result;
}

static int format(const tool_options *options, const char *path) {
    hbg_session *session = hbg_tool_session_new(options);
    if (!session) return EXIT_BAD_INPUT;
    hbg_text text, formatted;
    int result = EXIT_BAD_INPUT;
    hbg_status status = hbg_read_file(session, path, &text);
    if (status != HBG_OK) {
        hbg_tool_fail(session, path, status);
    } else {
        status = hbg_format(session, path, text.data, text.size, &formatted);
        if (status == HBG_OK) {
            bool same = text.size == formatted.size && memcmp(text.data, formatted.data, text.size) == 0;
            result = put(session, options, path, same, &formatted);
        } else {
            hbg_tool_print_diagnostics(session, options);
            if (status != HBG_BAD_MODEL) hbg_tool_fail(session, path, status);
        }
        hbg_text_free(session, &text);
    }
    hbg_session_free(session);
    return result;
}

int hbg_tool_command_fmt(const tool_options *options) {
    if (options->output && options->files.count > 1) {
        fprintf(stderr, "hbg: -o takes one file at a time\n");
        return EXIT_BAD_INPUT;
    }
    int worst = EXIT_FINE;
    for (int i = 0; i < options->files.count; i++) {
        int result = format(options, options->files.values[i]);
        worst = result > worst ? result : worst;
    }
    return worst;
}
