/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg causality: determining bonds, dependent storages and loops of a mode. */
#include "tool/tool_impl.h"

static int print_mode(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_causality_options causality = {options->mode, options->integral, options->paths};
    hbg_text text;
    bool valid;
    hbg_status status = options->json ? hbg_causality_json(session, model, &causality, &valid, &text)
                                      : hbg_causality_text(session, model, &causality, &valid, &text);
    if (status != HBG_OK) return hbg_tool_fail(session, options->files.values[0], status);
    int printed = hbg_tool_print(session, &text);
    return printed != EXIT_FINE ? printed : valid ? EXIT_FINE : EXIT_VIOLATED;
}

static int print_all(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_causality_all_options all = {options->integral, options->json};
    hbg_text text;
    hbg_answer answer;
    hbg_status status = hbg_causality_all(session, model, &all, &answer, &text);
    if (status != HBG_OK) return hbg_tool_fail(session, options->files.values[0], status);
    int printed = hbg_tool_print(session, &text);
    return printed != EXIT_FINE ? printed : hbg_answer_exit(answer);
}

static int print(hbg_session *session, const hbg_model *model, const tool_options *options) {
    return options->all ? print_all(session, model, options) : print_mode(session, model, options);
}

int hbg_tool_command_causality(const tool_options *options) {
    if (options->all && options->mode) {
        fprintf(stderr, "hbg: --all is about every mode: leave --mode out\n");
        return EXIT_BAD_INPUT;
    }
    if (options->all && options->paths) {
        fprintf(stderr, "hbg: causal paths are those of one mode: leave --paths or --all out\n");
        return EXIT_BAD_INPUT;
    }
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? print(session, model, options) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
