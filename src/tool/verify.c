/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg verify: whether the switching of a model is consistent. */
#include "tool/tool_impl.h"

#include <string.h>

/* Shows, on a terminal, which group is examined; Ctrl-C ends it at once, since there is nothing to save. */
static bool show_group(void *context, int32_t group, int32_t groups) {
    tool_watch *watch = context;
    double left;
    if (hbg_tool_watch_due(watch, 0, &left))
        fprintf(stderr, "\rgroup %d of %d, %.0f s\033[K", (int)group + 1, (int)groups,
                hbg_tool_watch_spent(watch));
    return true;
}

static int print(hbg_session *session, const hbg_model *model, const tool_options *options) {
    tool_watch watch;
    hbg_verify_model_options verify = {.json = options->json,
                                       .timeout_ms = (int32_t)(1e3 * options->timeout),
                                       .progress = show_group,
                                       .context = &watch};
    hbg_text text;
    hbg_answer answer;
    hbg_tool_watch_look(&watch, options->json);
    hbg_status status = hbg_verify_model(session, model, &verify, &answer, &text);
    hbg_tool_watch_end(&watch);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    const char *output = options->output ? options->output : "-";
    int written = hbg_tool_write(session, output, &text);
    if (written == EXIT_FINE && strcmp(output, "-") != 0) hbg_tool_say(stdout, "wrote %s\n", output);
    return written != EXIT_FINE ? written : hbg_answer_exit(answer);
}

static int draw(hbg_session *session, const hbg_model *model, const tool_options *options) {
    static const char *const words[] = {[HBG_PROVED] = "the switching is consistent",
                                        [HBG_VIOLATED] = "the switching is not consistent",
                                        [HBG_NOT_DECIDED] =
                                            "not decided whether the switching is consistent"};
    tool_watch watch;
    hbg_verify_plot_options plot = {.axes = options->plots.values[0],
                                    .at = options->slice.values,
                                    .at_count = options->slice.count,
                                    .timeout_ms = (int32_t)(1e3 * options->timeout),
                                    .progress = show_group,
                                    .context = &watch};
    hbg_text picture;
    hbg_answer answer;
    if (!hbg_tool_plot_format(options->output, &plot.format)) return EXIT_BAD_INPUT;
    hbg_tool_watch_look(&watch, false);
    hbg_status status = hbg_verify_plot(session, model, &plot, &answer, &picture);
    hbg_tool_watch_end(&watch);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    int written = hbg_tool_write(session, options->output, &picture);
    if (written != EXIT_FINE) return written;
    if (strcmp(options->output, "-") != 0)
        hbg_tool_say(stdout, "wrote %s; %s\n", options->output, words[answer]);
    return hbg_answer_exit(answer);
}

/* Contradicting options are refused before anything is read. */
static bool is_sound(const tool_options *options) {
    const char *wrong = NULL;
    if (options->plots.count > 1) wrong = "one picture at a time: --plot X,Y is there twice";
    if (options->plots.count > 0 && options->json) wrong = "--plot draws a picture, not JSON";
    if (options->plots.count > 0 && !options->output) wrong = "say where the phase space goes: -o FILE.svg";
    if (options->plots.count == 0 && options->output && hbg_tool_is_picture(options->output))
        wrong = "the report is not a picture: --plot X,Y draws the phase space";
    if (options->plots.count == 0 && options->slice.count > 0)
        wrong = "--at says where --plot X,Y cuts: there is no --plot";
    if (wrong) hbg_tool_say(stderr, "hbg: %s\n", wrong);
    return !wrong;
}

int hbg_tool_command_verify(const tool_options *options) {
    if (!is_sound(options)) return EXIT_BAD_INPUT;
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = !model                     ? EXIT_BAD_INPUT
                 : options->plots.count > 0 ? draw(session, model, options)
                                            : print(session, model, options);
    hbg_session_free(session);
    return result;
}
