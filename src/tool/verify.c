/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg verify: whether the switching of a model is consistent. */
#include "tool/tool_impl.h"

static int print(hbg_session *session, const hbg_model *model, const tool_options *options) {
    static const int exits[] = {
        [HBG_PROVED] = EXIT_FINE, [HBG_VIOLATED] = EXIT_VIOLATED, [HBG_NOT_DECIDED] = EXIT_NOT_DECIDED};
    hbg_verify_model_options verify = {.json = options->json};
    hbg_text text;
    hbg_answer answer;
    hbg_status status = hbg_verify_model(session, model, &verify, &answer, &text);
    if (status != HBG_OK) return tool_refuse(session, options, status);
    int printed = tool_print(session, &text);
    return printed != EXIT_FINE ? printed : exits[answer];
}

static int draw(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_verify_plot_options plot = {.axes = options->plots.values[0]};
    hbg_text picture;
    if (!options->output) {
        fprintf(stderr, "hbg: say where the phase space goes: -o FILE.svg\n");
        return EXIT_BAD_INPUT;
    }
    if (!tool_plot_format(options->output, &plot.format)) return EXIT_BAD_INPUT;
    hbg_status status = hbg_verify_plot(session, model, &plot, &picture);
    if (status != HBG_OK) return tool_refuse(session, options, status);
    return tool_write(session, options->output, &picture);
}

int command_verify(const tool_options *options) {
    hbg_session *session = tool_session_new(options);
    hbg_model *model = session ? tool_load(session, options, options->files.values[0]) : NULL;
    int result = !model                     ? EXIT_BAD_INPUT
                 : options->plots.count > 0 ? draw(session, model, options)
                                            : print(session, model, options);
    hbg_session_free(session);
    return result;
}
