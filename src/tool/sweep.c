/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg sweep: many runs of one model, with a table of their results. */
#include "tool/tool_impl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 10000 }; /* more runs are announced before they start */

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

/* ---- on a cluster -------------------------------------------------------------------------------------- */

static bool slurm_progress(void *context, const hbg_slurm_progress *state) {
    tool_watch *watch = &((sweep_watch *)context)->watch;
    double left;
    if (hbg_tool_watch_due(watch, (double)state->done / state->shards, &left)) {
        fprintf(stderr, "\r%d of %d shards; %d running", state->done, state->shards, state->running);
        hbg_tool_watch_left(left);
    }
    return !hbg_tool_interrupted();
}

/* Without a terminal there is nobody to ask: the shards continue, and --resume finds them again. */
static bool slurm_cancels(void *context) {
    tool_watch *watch = &((sweep_watch *)context)->watch;
    char answer[16] = "";
    hbg_tool_watch_end(watch);
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) return false;
    fprintf(stderr, "Cancel the shards that wait or run? Else they go on. [y/N] ");
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

static const char *own_path(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0) return "hbg";
    path[length] = '\0';
    return path;
}

/* Finds errors here, before the cluster gets the job. */
static hbg_status look(hbg_session *session, const hbg_model *model, const tool_options *options,
                       hbg_text *sum) {
    hbg_sweep_options sweep = options->sweep;
    hbg_run_end end;
    sweep.look_only = true;
    sweep.threads = 1;
    sweep.run.engine = HBG_ENGINE_INTERPRETER;
    return hbg_sweep(session, model, &sweep, &end, sum);
}

static int run_on_slurm(hbg_session *session, const hbg_model *model, const tool_options *options) {
    sweep_watch watch = {.quiet = options->quiet};
    hbg_run_end end;
    hbg_text text, sum;
    char path[4096];
    hbg_slurm_options slurm = options->cluster.slurm;
    const char **words = calloc((size_t)options->cluster.words.count + 2, sizeof *words);
    if (!words) return EXIT_BAD_INPUT;
    words[0] = own_path(path, sizeof path);
    words[1] = "sweep";
    for (int i = 0; i < options->cluster.words.count; i++) words[2 + i] = options->cluster.words.values[i];
    slurm.words = words;
    slurm.word_count = 2 + options->cluster.words.count;
    slurm.model = options->files.values[0];
    slurm.file = options->sweep.file;
    slurm.resume = options->sweep.resume;
    slurm.progress = slurm_progress;
    slurm.cancels = slurm_cancels;
    slurm.context = &watch;
    hbg_tool_watch_begin(&watch.watch, options->quiet);
    hbg_status status = look(session, model, options, &sum);
    bool looked = status == HBG_OK;
    slurm.sum = sum.data;
    if (looked) status = hbg_sweep_slurm(session, &slurm, &end, &text);
    hbg_tool_watch_end(&watch.watch);
    free(words);
    hbg_text_free(session, &sum);
    if (status != HBG_OK && !looked) return hbg_tool_refuse(session, options, status);
    if (status != HBG_OK) return hbg_tool_fail(session, slurm.file, status);
    if (!options->quiet && end != HBG_RUN_INTERRUPTED)
        hbg_tool_say_lines(stdout, "%swrote %s\n", text.data, slurm.file);
    hbg_text_free(session, &text);
    if (end == HBG_RUN_INTERRUPTED) hbg_tool_say_why(slurm.file, hbg_session_reason(session));
    return hbg_tool_run_exit(end);
}

/* ---- shares -------------------------------------------------------------------------------------------- */

static int merge(const tool_options *options) {
    hbg_run_end end;
    hbg_text text;
    const char *file = options->sweep.file;
    bool to_output = strcmp(file, "-") == 0;
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
    if (options->cluster.slurm.request &&
        (options->cluster.merge || options->sweep.shard || options->sweep.traces)) {
        fprintf(stderr, "hbg: --slurm makes the shards and merges them: it goes with neither --shard, "
                        "--merge nor --trace\n");
        return EXIT_BAD_INPUT;
    }
    if (options->cluster.merge) return merge(options);
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = !model                           ? EXIT_BAD_INPUT
                 : options->cluster.slurm.request ? run_on_slurm(session, model, options)
                                                  : run(session, model, options);
    hbg_session_free(session);
    return result;
}
