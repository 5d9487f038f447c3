/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg plot: a picture of a results file. */
#include "tool/tool_impl.h"

#include <string.h>

bool hbg_tool_is_picture(const char *path) {
    size_t size = strlen(path);
    const char *ending = size > 4 ? path + size - 4 : "";
    return strcmp(ending, ".svg") == 0 || strcmp(ending, ".png") == 0 || strcmp(ending, ".pdf") == 0;
}

bool hbg_tool_plot_format(const char *path, hbg_draw_format *format) {
    size_t size = strlen(path);
    const char *ending = size > 4 ? path + size - 4 : "";
    *format = strcmp(ending, ".png") == 0   ? HBG_DRAW_PNG
              : strcmp(ending, ".pdf") == 0 ? HBG_DRAW_PDF
                                            : HBG_DRAW_SVG;
    if (*format != HBG_DRAW_SVG || strcmp(ending, ".svg") == 0 || strcmp(path, "-") == 0) return true;
    hbg_tool_say(stderr,
                 "hbg: `%s` is not a plot that hbg can draw: the name has to end in .svg, .png or .pdf\n",
                 path);
    return false;
}

int hbg_tool_command_plot(const tool_options *options) {
    hbg_plot_options plot = options->plot;
    plot.look = options->sweep.run.look;
    plot.more = options->files.values + 1;
    plot.more_count = options->files.count - 1;
    size_t size = strlen(options->files.values[0]);
    const char *ending = size > 4 ? options->files.values[0] + size - 4 : "";
    bool is_model = strcmp(ending, ".hbg") == 0 || strcmp(ending, ".hbi") == 0; // which the library refuses
    if (!options->output && !is_model) {
        fprintf(stderr, "hbg: where to? Write `-o plot.svg`, `-o plot.png` or `-o plot.pdf`\n");
        return EXIT_BAD_INPUT;
    }
    if (!is_model && !hbg_tool_plot_format(options->output, &plot.format)) return EXIT_BAD_INPUT;
    hbg_session *session = hbg_tool_session_new(options);
    hbg_text picture;
    if (!session) return EXIT_BAD_INPUT;
    hbg_status status = hbg_plot(session, options->files.values[0], &plot, &picture);
    int result = status == HBG_OK ? hbg_tool_write(session, options->output, &picture)
                                  : hbg_tool_fail(session, options->files.values[0], status);
    if (result == EXIT_FINE && options->output && strcmp(options->output, "-") != 0)
        hbg_tool_say(stdout, "wrote %s\n", options->output);
    hbg_session_free(session);
    return result;
}
