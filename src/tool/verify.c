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

int command_verify(const tool_options *options) {
    hbg_session *session = tool_session_new(options);
    hbg_model *model = session ? tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? print(session, model, options) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
