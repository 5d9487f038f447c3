/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg hypa: the model as a process, as text, LaTeX or JSON. */
#include "tool/tool_impl.h"

#include <string.h>

static bool ends_in(const char *path, const char *end) {
    size_t size = strlen(path), own = strlen(end);
    return size > own && strcmp(path + size - own, end) == 0;
}

/* Whether the ending selects another form than text. */
static bool is_made(const char *path) {
    return ends_in(path, ".json") || ends_in(path, ".tex");
}

static int print(hbg_session *session, const hbg_model *model, const tool_options *options) {
    const char *output = options->output ? options->output : "-";
    hbg_hypa_options hypa = options->hypa;
    hypa.format = options->json || ends_in(output, ".json") ? HBG_PROCESS_JSON
                  : ends_in(output, ".tex")                 ? HBG_PROCESS_LATEX
                                                            : HBG_PROCESS_TEXT;
    hypa.timeout_ms = (int32_t)(1e3 * options->timeout);
    hbg_text text;
    hbg_status status = hbg_hypa(session, model, &hypa, &text);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    int written = hbg_tool_write(session, output, &text);
    if (written == EXIT_FINE && strcmp(output, "-") != 0) hbg_tool_say(stdout, "wrote %s\n", output);
    return written;
}

/* Judges a run of the model by its process. */
static int check(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_run_options run = hbg_run_options_default();
    hbg_answer answer;
    hbg_text text;
    run.experiment = options->load.experiment;
    hbg_status status = hbg_hypa_check(session, model, &run, (int32_t)(1e3 * options->timeout), options->json,
                                       &answer, &text);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    int written = hbg_tool_print(session, &text);
    return written != EXIT_FINE ? written : hbg_answer_exit(answer);
}

/* Compares the process of hbg with what the composition of 003 allows. */
static int compare(hbg_session *session, const hbg_model *model, const tool_options *options) {
    hbg_hypa_options hypa = options->hypa;
    hbg_answer answer;
    hbg_text text;
    hypa.format = options->json ? HBG_PROCESS_JSON : HBG_PROCESS_TEXT;
    hypa.timeout_ms = (int32_t)(1e3 * options->timeout);
    hbg_status status = hbg_hypa_compare(session, model, &hypa, &answer, &text);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    int written = hbg_tool_print(session, &text);
    return written != EXIT_FINE ? written : hbg_answer_exit(answer);
}

/* Reads a text that hypa wrote, and writes it again. */
static int write_again(hbg_session *session, const tool_options *options) {
    const char *path = options->files.values[0];
    hbg_text text, again;
    hbg_status status = hbg_read_file(session, path, &text);
    if (status != HBG_OK) {
        hbg_tool_fail(session, path, status);
        return EXIT_BAD_INPUT;
    }
    status = hbg_hypa_again(session, path, text.data, text.size, &again);
    hbg_text_free(session, &text);
    if (status == HBG_OK) return hbg_tool_write(session, options->output ? options->output : "-", &again);
    hbg_tool_print_diagnostics(session, options);
    if (status != HBG_BAD_MODEL) hbg_tool_fail(session, path, status);
    return EXIT_BAD_INPUT;
}

int hbg_tool_command_hypa(const tool_options *options) {
    const hbg_hypa_options *hypa = &options->hypa;
    bool asks = options->check_only || options->forms.compare;
    const char *wrong =
        options->check_only && options->forms.compare ? "--check and --compare are two questions; ask one"
        : options->forms.parse && options->output && is_made(options->output)
            ? "--parse writes the text again: LaTeX and JSON are made of a model"
        : asks && options->output ? "--check and --compare answer; they write no file"
        : options->output && hbg_tool_is_picture(options->output)
            ? "a process is not a picture: write it to FILE.tex for LaTeX, FILE.json for programs, or as text"
        : asks && (hypa->form || hypa->only || hypa->keep)
            ? "--form, --only and --keep say what is written; --check and --compare answer"
        : !options->check_only && options->load.experiment
            ? "an experiment is for --check: the process is that of the model"
            : NULL;
    if (wrong) {
        hbg_tool_say(stderr, "hbg: %s\n", wrong);
        return EXIT_BAD_INPUT;
    }
    hbg_session *session = hbg_tool_session_new(options);
    bool loads = session && !options->forms.parse;
    hbg_model *model = loads ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = session && options->forms.parse ? write_again(session, options)
                 : !model                        ? EXIT_BAD_INPUT
                 : options->check_only           ? check(session, model, options)
                 : options->forms.compare        ? compare(session, model, options)
                                                 : print(session, model, options);
    hbg_session_free(session);
    return result;
}
