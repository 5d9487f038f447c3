/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg run: runs an experiment, shows its progress, and ends cleanly on a signal. */
#include "tool/tool_impl.h"

#include <string.h>
#include <unistd.h>

/* ---- during a run ------------------------------------------------------------------------------------- */

static bool progress(void *context, double t, double stop) {
    tool_watch *w = context;
    double left;
    if (hbg_tool_watch_due(w, stop > 0 ? t / stop : 0, &left)) {
        fprintf(stderr, "\r%3.0f %%, t = %.4g s", stop > 0 ? 100 * t / stop : 0, t);
        hbg_tool_watch_left(left);
    }
    return !hbg_tool_interrupted();
}

/* ---- the request -------------------------------------------------------------------------------------- */

static bool has_ending(const char *path, const char *ending) {
    size_t size = strlen(path), length = strlen(ending);
    return size > length && strcmp(path + size - length, ending) == 0;
}

/* Whether rows or events go to the standard output, where the report would go. */
static bool rows_to_output(const tool_options *options) {
    if (options->sweep.run.events && strcmp(options->sweep.run.events, "-") == 0) return true;
    for (int i = 0; i < options->outputs.count; i++)
        if (strcmp(options->outputs.values[i], "-") == 0) return true;
    return false;
}

/* Exploring writes neither rows nor events; and its options are not for a single run. */
static bool fits_exploring(const tool_options *options) {
    const hbg_run_options *run = &options->sweep.run;
    bool single = options->outputs.count > 0 || options->plots.count > 0 || run->events ||
                  run->explain != 0 || run->every_element;
    if (options->explores && single)
        fprintf(stderr, "hbg: --explore makes many runs and writes none of them: `hbg run --choose …` makes "
                        "one of those again, with -o, --plot, --events, --explain or --ledger\n");
    if (options->explores) return !single;
    bool many = options->sweep.runs > 0 || options->sweep.threads > 0 || options->explore.depth > 0 ||
                options->explore.points >= 0;
    if (many) fprintf(stderr, "hbg: --runs, --depth, --points and --jobs are for `hbg run --explore`\n");
    return !many;
}

static bool makes_sense(const tool_options *options) {
    if (!fits_exploring(options)) return false;
    for (int i = 0; i < options->outputs.count; i++) {
        const char *path = options->outputs.values[i];
        if (!has_ending(path, ".svg") && !has_ending(path, ".png")) continue;
        hbg_tool_say(stderr, "hbg: results are not a picture; write `--plot %s` to draw them\n", path);
        return false;
    }
    if (options->json && rows_to_output(options)) {
        fprintf(stderr,
                "hbg: --json and `-o -` both want the standard output: write the results to a file\n");
        return false;
    }
    for (int i = 0; options->sweep.run.events && i < options->outputs.count; i++) {
        if (strcmp(options->outputs.values[i], options->sweep.run.events) != 0) continue;
        hbg_tool_say(stderr, "hbg: results and events are both to go to `%s`\n", options->sweep.run.events);
        return false;
    }
    for (int i = 0; options->sweep.run.events && i < options->plots.count; i++) {
        if (strcmp(options->plots.values[i], options->sweep.run.events) != 0) continue;
        hbg_tool_say(stderr, "hbg: a picture and events are both to go to `%s`\n", options->sweep.run.events);
        return false;
    }
    if (options->sweep.run.every_element && !options->sweep.run.ledger) {
        fprintf(stderr, "hbg: --ledger and --no-ledger contradict each other\n");
        return false;
    }
    return true;
}

/* ---- reporting ---------------------------------------------------------------------------------------- */

static void name_files(FILE *out, const tool_options *options) {
    for (int i = 0; i < options->outputs.count; i++)
        if (strcmp(options->outputs.values[i], "-") != 0)
            hbg_tool_say(out, "wrote %s\n", options->outputs.values[i]);
    if (options->sweep.run.events && strcmp(options->sweep.run.events, "-") != 0)
        hbg_tool_say(out, "wrote %s\n", options->sweep.run.events);
    for (int i = 0; i < options->plots.count; i++) hbg_tool_say(out, "wrote %s\n", options->plots.values[i]);
}

static int tell(hbg_session *session, const tool_options *options, hbg_run_end end, hbg_text *text,
                double seconds) {
    FILE *out = rows_to_output(options) ? stderr : stdout;
    bool words = !options->quiet || options->json;
    if (text->size > 0) fwrite(text->data, 1, text->size, out);
    if (words && !options->json && end == HBG_RUN_FINISHED) name_files(out, options);
    if (words && !options->json && isatty(STDERR_FILENO)) fprintf(stderr, "%.3g s\n", seconds);
    hbg_text_free(session, text);
    if (end != HBG_RUN_FINISHED)
        hbg_tool_say_why(options->files.values[0], hbg_session_reason(session));
    else if (hbg_session_reason(session)[0]) {
        hbg_tool_say(stderr, "hbg: %s: warning: ", options->files.values[0]);
        hbg_tool_say_lines(stderr, "%s\n", hbg_session_reason(session));
    }
    return hbg_tool_run_exit(end);
}

static int run(hbg_session *session, const hbg_model *model, const tool_options *options) {
    tool_watch w;
    hbg_run_options run_options = options->sweep.run;
    run_options.progress = progress;
    run_options.context = &w;
    hbg_run_end end;
    hbg_text text;
    hbg_tool_watch_begin(&w, options->quiet || options->json);
    hbg_status status = hbg_run(session, model, &run_options, &end, &text);
    hbg_tool_watch_end(&w);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    return tell(session, options, end, &text, hbg_tool_watch_spent(&w));
}

static bool explore_progress(void *context, int64_t done, int64_t runs) {
    double left;
    if (hbg_tool_watch_due(context, (double)done / (double)runs, &left))
        fprintf(stderr, "\r%lld runs, at most %lld", (long long)done, (long long)runs);
    return !hbg_tool_interrupted();
}

static int explore(hbg_session *session, const hbg_model *model, const tool_options *options) {
    tool_watch w;
    hbg_explore_options explore = options->explore;
    explore.progress = explore_progress;
    explore.context = &w;
    hbg_run_end end;
    hbg_text text;
    hbg_tool_watch_begin(&w, options->quiet || options->json);
    hbg_status status = hbg_explore(session, model, &explore, &end, &text);
    hbg_tool_watch_end(&w);
    if (status != HBG_OK) return hbg_tool_refuse(session, options, status);
    if (text.size > 0) fwrite(text.data, 1, text.size, stdout);
    hbg_text_free(session, &text);
    if (end == HBG_RUN_INTERRUPTED) hbg_tool_say_why(options->files.values[0], hbg_session_reason(session));
    return hbg_tool_run_exit(end);
}

int hbg_tool_command_run(const tool_options *options) {
    if (!makes_sense(options)) return EXIT_BAD_INPUT;
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = !model              ? EXIT_BAD_INPUT
                 : options->explores ? explore(session, model, options)
                                     : run(session, model, options);
    hbg_session_free(session);
    return result;
}
