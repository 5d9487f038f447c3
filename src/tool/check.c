/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg check: reads models and reports all their errors and warnings. */
#include "tool/tool_impl.h"

static int print_json(hbg_session *session) {
    hbg_text text;
    hbg_status status = hbg_diagnostics_json(session, &text);
    return status == HBG_OK ? hbg_tool_print(session, &text)
                            : hbg_tool_fail(session, "cannot write JSON", status);
}

static void print_counts(hbg_session *session, const char *path) {
    long long errors = (long long)hbg_error_count(session), warnings = (long long)hbg_warning_count(session);
    hbg_tool_say(stderr, "%s: %lld error%s", path, errors, errors == 1 ? "" : "s");
    if (warnings > 0) fprintf(stderr, ", %lld warning%s", warnings, warnings == 1 ? "" : "s");
    fputc('\n', stderr);
}

static int print_summary(hbg_session *session, const hbg_model *model, const char *path) {
    hbg_text text;
    hbg_status status = hbg_summary_text(session, model, &text);
    if (status != HBG_OK) return hbg_tool_fail(session, path, status);
    long long warnings = (long long)hbg_warning_count(session);
    if (warnings > 0)
        hbg_tool_say(stdout, "%s: no errors, %lld warning%s\n", path, warnings, warnings == 1 ? "" : "s");
    else
        hbg_tool_say(stdout, "%s: fine\n", path);
    fputs("  ", stdout);
    return hbg_tool_print(session, &text);
}

static int check(const tool_options *options, const char *path) {
    hbg_session *session = hbg_tool_session_new(options);
    if (!session) return EXIT_BAD_INPUT;
    hbg_model *model = hbg_tool_load(session, options, path);
    int result = model ? EXIT_FINE : EXIT_BAD_INPUT;
    if (options->json) {
        int printed = print_json(session);
        result = result == EXIT_FINE ? printed : result;
    } else if (model) {
        result = print_summary(session, model, path);
    } else {
        print_counts(session, path);
    }
    hbg_session_free(session);
    return result;
}

int hbg_tool_command_check(const tool_options *options) {
    if (options->json && options->files.count > 1) {
        fprintf(stderr, "hbg: --json takes one model at a time\n");
        return EXIT_BAD_INPUT;
    }
    int worst = EXIT_FINE;
    for (int i = 0; i < options->files.count; i++) {
        int result = check(options, options->files.values[i]);
        worst = result > worst ? result : worst;
    }
    return worst;
}
