/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg linearize: matrices and eigenvalues at a point of a run, or a Bode plot. */
#include "tool/tool_impl.h"

#include <string.h>

static int draw(hbg_session *session, const hbg_model *model, const tool_options *options,
                const hbg_linearize_options *linearize, hbg_draw_format format) {
    hbg_text picture;
    hbg_status status = hbg_bode(session, model, linearize, options->bode.input, format, &picture);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    int result = hbg_tool_write(session, options->output, &picture);
    if (result == EXIT_FINE && strcmp(options->output, "-") != 0)
        hbg_tool_say(stdout, "wrote %s\n", options->output);
    return result;
}

static int linearize(hbg_session *session, const hbg_model *model, const tool_options *options,
                     hbg_draw_format format) {
    hbg_linearize_options linearize_options = {.experiment = options->load.experiment,
                                               .mode = options->mode,
                                               .json = options->json,
                                               .steady = hbg_tool_at_steady(options)};
    if (options->bode.input) return draw(session, model, options, &linearize_options, format);
    hbg_text text;
    hbg_status status = hbg_linearize(session, model, &linearize_options, &text);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    return hbg_tool_print(session, &text);
}

static bool makes_sense(const tool_options *options, hbg_draw_format *format) {
    *format = HBG_DRAW_SVG;
    if (options->bode.input && !options->output) {
        fprintf(stderr, "hbg: where should the Bode plot go? Write `-o bode.svg` or `-o bode.png`\n");
        return false;
    }
    if (options->output && !options->bode.input) {
        fprintf(stderr, "hbg: -o is for a Bode plot: write `--bode INPUT OUTPUT` too\n");
        return false;
    }
    if (options->bode.input && options->load.records) {
        fprintf(stderr, "hbg: --bode names what is drawn: leave --record out\n");
        return false;
    }
    return !options->output || hbg_tool_plot_format(options->output, format);
}

int hbg_tool_command_linearize(const tool_options *options) {
    hbg_draw_format format;
    if (!makes_sense(options, &format)) return EXIT_BAD_INPUT;
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? linearize(session, model, options, format) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
