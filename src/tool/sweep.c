/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg sweep: many runs of one model, with a table of what became of them. */
#include "tool/tool_impl.h"

#include <string.h>

enum { MANY = 10000 }; /* runs that are worth a word before they are made */

typedef struct {
    tool_watch watch;
    bool quiet, told;
} sweep_watch;

static bool progress(void *context, int64_t done, int64_t runs) {
    sweep_watch *sweep = context;
    tool_watch *watch = &sweep->watch;
    double left;
    if (!sweep->told && !sweep->quiet && runs - done >= MANY)
        fprintf(stderr, "%lld runs; Ctrl-C ends them\n", (long long)runs);
    sweep->told = true;
    if (hbg_tool_watch_due(watch, (double)done / (double)runs, &left)) {
        fprintf(stderr, "\r%lld of %lld runs", (long long)done, (long long)runs);
        hbg_tool_watch_left(left);
    }
    return !hbg_tool_interrupted();
}

static int run(hbg_session *session, const hbg_model *model, const tool_options *options) {
    sweep_watch watch = {.quiet = options->quiet};
    hbg_run_end end;
    hbg_text text;
    hbg_sweep_options sweep = options->sweep;
    sweep.progress = progress;
    sweep.context = &watch;
    bool to_output = strcmp(sweep.file, "-") == 0;
    hbg_tool_watch_begin(&watch.watch, options->quiet);
    hbg_status status = hbg_sweep(session, model, &sweep, &end, &text);
    hbg_tool_watch_end(&watch.watch);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    if (!options->quiet && end != HBG_RUN_INTERRUPTED) {
        hbg_tool_say_lines(to_output ? stderr : stdout, "%s", text.data);
        if (!to_output) hbg_tool_say(stdout, "wrote %s\n", sweep.file);
    }
    hbg_text_free(session, &text);
    if (end == HBG_RUN_INTERRUPTED) hbg_tool_say_why(options->files.values[0], hbg_session_reason(session));
    return hbg_tool_run_exit(end);
}

/* What shards were made with is in them: nothing else is asked for. */
static bool asks_for_runs(const tool_options *options) {
    const hbg_sweep_options *sweep = &options->sweep;
    return options->parameters.count > 0 || options->faults.count > 0 || options->load.fault_table ||
           sweep->shard || sweep->resume || sweep->traces || sweep->runs > 0;
}

static int merge(const tool_options *options) {
    hbg_run_end end;
    hbg_text text;
    const char *file = options->sweep.file;
    bool to_output = strcmp(file, "-") == 0;
    if (asks_for_runs(options)) {
        fprintf(stderr, "hbg: --merge makes no runs: it takes the tables of the shards, and `-o FILE`\n");
        return EXIT_BAD_INPUT;
    }
    hbg_session *session = hbg_tool_session_new(options);
    if (!session) return EXIT_BAD_INPUT;
    hbg_status status =
        hbg_sweep_merge(session, options->files.values, options->files.count, file, &end, &text);
    int result = EXIT_BAD_INPUT;
    if (status != HBG_OK) {
        hbg_tool_say(stderr, "hbg: %s\n", hbg_session_reason(session));
    } else {
        result = hbg_tool_run_exit(end);
        if (!options->quiet) hbg_tool_say_lines(to_output ? stderr : stdout, "%s", text.data);
        if (!options->quiet && !to_output) hbg_tool_say(stdout, "wrote %s\n", file);
        hbg_text_free(session, &text);
    }
    hbg_session_free(session);
    return result;
}

int hbg_tool_command_sweep(const tool_options *options) {
    if (options->outputs.count > 1) {
        fprintf(stderr, "hbg: a sweep writes one table, not %d\n", options->outputs.count);
        return EXIT_BAD_INPUT;
    }
    if (options->merge) return merge(options);
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? run(session, model, options) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
