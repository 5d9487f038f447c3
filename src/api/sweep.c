/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_sweep: many runs of one model. It is compiled once; then workers make runs of it in threads of their own, and rows come in
 * the order of the runs. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/image_impl.h"
#include "api/sweep_impl.h"

#define MOST_CHECKED  100000   /* runs whose values are checked before the first begins: so many, */
#define MOST_VALUES   1000000  /* as many as have this many values together, */
#define LEAST_CHECKED 1000     /* or so many of a large model */
#define MOST_TRACED   10000000 /* the largest number of a run whose rows are kept */
#define TRACE_ENDING  "-traces"

/* A sweep on its way. */
struct hbg_sweep_state {
    const hbg_sweep_options *options;
    hbg_sweep_list list;
    hbg_sweep_crew crew;
    hbg_sweep_slot *slots;
    int32_t slot_count;
    hbg_sweep_table table;
    int64_t unfinished; /* rows of runs that did not get to their end */
    atomic_bool interrupted;
    bool watched;  /* the calling thread asks whether to continue, while others make runs and write rows */
    int unwritten; /* why not, as errno; 0: all was */
};

hbg_sweep_options hbg_sweep_options_default(void) {
    return (hbg_sweep_options){.run = hbg_run_options_default(), .file = "-"};
}

/* Gives back the resources of a sweep under way. */
static void release(hbg_session *session) {
    struct hbg_sweep_state *state = session->sweep;
    const char *ignored;
    session->sweep = NULL;
    if (!state) return;
    hbg_api_sweep_crew_free(&state->crew);
    if (state->table.lines) (void)hbg_sim_lines_close(state->table.lines, false, &ignored);
}

static hbg_status exhausted(hbg_session *session) {
    release(session);
    return hbg_api_session_exhausted(session);
}

/* ---- rows that are kept ------------------------------------------------------------------------------- */

static hbg_status no_list(hbg_session *session, const char *text) {
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                "`--trace %s` does not list runs: write `--trace 0,3,10-20` or `--trace all`",
                                text);
}

/* One number or one range; *at is then after it. */
static bool read_range(const char **at, int64_t *from, int64_t *to) {
    char *end;
    if (!isdigit((unsigned char)**at)) return false;
    errno = 0;
    *from = *to = strtoll(*at, &end, 10);
    if (*end == '-' && isdigit((unsigned char)end[1])) *to = strtoll(end + 1, &end, 10);
    *at = end;
    return errno == 0 && *from <= *to;
}

static hbg_status list_traced(hbg_session *session, const hbg_sweep_list *list, const char *text,
                              bool **traced, int64_t *count) {
    int64_t from, to;
    *count = list->runs < MOST_TRACED ? list->runs : MOST_TRACED;
    *traced = HBG_NEW_ARRAY(&session->scratch, bool, *count + 1);
    for (const char *at = text; *at; at += *at == ',') {
        if (!read_range(&at, &from, &to) || (*at && *at != ',')) return no_list(session, text);
        if (to >= list->runs)
            return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                        "`--trace %s` names run %lld, but there are %lld, numbered from 0",
                                        text, (long long)to, (long long)list->runs);
        if (to >= *count)
            return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                        "rows can be kept of the first %d runs only", MOST_TRACED);
        for (int64_t i = from; i <= to; i++) (*traced)[i] = true;
    }
    return text[0] ? HBG_OK : no_list(session, text);
}

/* The folder for rows, made if it is not there. */
static hbg_status make_folder(hbg_session *session, const hbg_sweep_options *options, const char **folder) {
    struct stat about;
    const char *slash = strrchr(options->file, '/'), *dot = strrchr(slash ? slash : options->file, '.');
    int size = dot ? (int)(dot - options->file) : (int)strlen(options->file);
    *folder = options->trace_folder;
    if (!*folder && strcmp(options->file, "-") == 0)
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "--trace needs a folder: write `--trace-folder FOLDER`, or the table to `-o FILE`");
    if (!*folder) *folder = hbg_base_arena_print(&session->scratch, "%.*s" TRACE_ENDING, size, options->file);
    int error = mkdir(*folder, 0777) == 0 ? 0 : errno;
    if (error == 0 || (stat(*folder, &about) == 0 && S_ISDIR(about.st_mode))) return HBG_OK;
    return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "the folder `%s` cannot be made: %s", *folder,
                                error == EEXIST ? "something else has this name"
                                                : hbg_base_file_words(error));
}

static hbg_status prepare_traces(hbg_session *session, struct hbg_sweep_state *state) {
    const hbg_sweep_options *options = state->options;
    const char *folder;
    bool *traced = NULL;
    int64_t count = 0;
    if (!options->traces) return HBG_OK;
    if (strcmp(options->traces, "all") != 0)
        HBG_TRY(list_traced(session, &state->list, options->traces, &traced, &count));
    HBG_TRY(make_folder(session, options, &folder));
    for (int32_t i = 0; i < state->crew.count; i++) {
        state->crew.workers[i].trace = folder;
        state->crew.workers[i].traced = traced;
        state->crew.workers[i].traced_count = count;
    }
    return HBG_OK;
}

/* Runs that an earlier sweep made are not repeated: their rows exist, or never will. */
static hbg_status check_traces(hbg_session *session, const struct hbg_sweep_state *state) {
    const hbg_sweep_worker *worker = &state->crew.workers[0];
    for (int64_t run = state->list.first; worker->trace && run < state->table.done; run++) {
        if (worker->traced && run >= worker->traced_count) break;
        if (!hbg_api_sweep_is_traced(worker, run)) continue;
        const char *path = hbg_api_sweep_trace_path(&session->scratch, worker, run);
        if (access(path, F_OK) == 0) continue;
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "run %lld was made before, without keeping its rows in `%s`, and --resume does not make "
            "it again: leave it out of --trace, or start anew without --resume",
            (long long)run, path);
    }
    return HBG_OK;
}

/* ---- before it begins --------------------------------------------------------------------------------- */

/* The axis to blame for a value: one that made it not positive, else the first. */
static const hbg_sweep_axis *culprit(hbg_session *session, const hbg_sweep_list *list, int64_t run,
                                     bool *positive) {
    double *values = HBG_NEW_ARRAY(&session->scratch, double, list->axis_count + 1);
    hbg_api_sweep_values(session, list, run, values);
    *positive = false;
    for (int32_t i = 0; i < list->axis_count; i++)
        if (values[i] <= 0) return &list->axes[i];
    *positive = true;
    return &list->axes[0];
}

/* A check evaluates expressions; a shard on another machine checks, too, at no other cost beside its runs. */
static int64_t looks_of(const struct hbg_sweep_state *state) {
    int64_t size = state->crew.workers[0].context.run->model->exprs.count, most = MOST_VALUES / (size + 1);
    return most > MOST_CHECKED ? MOST_CHECKED : most < LEAST_CHECKED ? LEAST_CHECKED : most;
}

/* A wrong value is reported before anything runs, as far as that can be checked in reasonable time: of very
 * many runs some are checked, from the first to the last, the same by every shard. Errors in others are
 * reported in their rows. */
static hbg_status check_values(hbg_session *session, struct hbg_sweep_state *state) {
    const hbg_sweep_list *list = &state->list;
    const char *why;
    int64_t most = looks_of(state), looks = list->axis_count == 0 ? 0 : list->runs < most ? list->runs : most;
    for (int64_t i = 0; i < looks; i++) {
        int64_t run = looks < list->runs ? i * (list->runs - 1) / (looks - 1) : i;
        if (hbg_api_sweep_worker_fits(&state->crew.workers[0], run, &why)) continue;
        bool positive;
        const hbg_sweep_axis *axis = culprit(session, list, run, &positive);
        hbg_diagnostic *report = hbg_base_report(&session->diagnostics, HBG_E_VALUE, axis->axis->span,
                                                 "in run %lld %s", (long long)run, why);
        if (axis->axis->kind == HBG_AXIS_NORMAL && !positive)
            hbg_base_report_fix(
                &session->diagnostics, report,
                "a lognormal distribution has positive values only: `%s~lognormal(MEDIAN, SPREAD)`",
                axis->name);
        return HBG_BAD_MODEL;
    }
    return HBG_OK;
}

static hbg_status make_workers(hbg_session *session, const hbg_model *model, struct hbg_sweep_state *state) {
    state->crew.options = state->options;
    state->crew.list = &state->list;
    HBG_TRY(hbg_api_sweep_crew_compile(session, model, &state->crew));
    HBG_TRY(hbg_api_sweep_crew_make(session, &state->crew, state->list.end - state->list.first));
    HBG_TRY(check_values(session, state));
    HBG_TRY(hbg_api_sweep_crew_widen(session, &state->crew));
    state->interrupted = state->crew.code.interrupted;
    state->slot_count = (state->crew.device ? 2 : HBG_SWEEP_SLOTS) * state->crew.count;
    size_t limit = hbg_api_sweep_row_limit(&state->crew.workers[0]);
    state->slots = HBG_NEW_ARRAY(&session->scratch, hbg_sweep_slot, state->slot_count);
    for (int32_t i = 0; i < state->slot_count; i++)
        state->slots[i] =
            (hbg_sweep_slot){.row = hbg_base_arena_alloc(&session->scratch, limit), .capacity = limit};
    return HBG_OK;
}

/* ---- while it goes on --------------------------------------------------------------------------------- */

static bool work(void *context, int32_t worker, int32_t slot, int64_t run, const atomic_bool *stop) {
    struct hbg_sweep_state *state = context;
    bool interrupted;
    state->crew.workers[worker].lane = state->crew.lane[worker];
    state->crew.failed[worker] =
        hbg_api_sweep_worker_run(&state->crew.workers[worker], run, stop, &state->slots[slot], &interrupted);
    return state->crew.failed[worker] == HBG_OK && !interrupted;
}

static bool deliver(void *context, int32_t slot, int64_t run) {
    struct hbg_sweep_state *state = context;
    const hbg_sweep_slot *of = &state->slots[slot];
    (void)run;
    state->unfinished += !of->finished;
    errno = 0;
    bool fine =
        hbg_sim_lines_write(state->table.lines, of->row, of->size) && hbg_sim_lines_flush(state->table.lines);
    if (!fine && !state->unwritten && !state->interrupted) state->unwritten = errno > 0 ? errno : EIO;
    return fine;
}

static bool progress(void *context, int64_t done) {
    struct hbg_sweep_state *state = context;
    const hbg_sweep_options *options = state->options;
    const hbg_sweep_list *list = &state->list;
    int64_t made = done > list->first ? done - list->first : 0;
    if (options->progress && !options->progress(options->context, made, list->end - list->first))
        state->interrupted = true;
    return !state->interrupted;
}

/* Whether a table that is a pipe still has a reader. */
static bool still_wanted(void *context) {
    struct hbg_sweep_state *state = context;
    return state->watched ? !state->interrupted : progress(state, 0);
}

/* ---- the end ------------------------------------------------------------------------------------------ */

/* What ended it early, other than the user. */
static hbg_status failure(hbg_session *session, const struct hbg_sweep_state *state, int64_t done) {
    HBG_TRY(hbg_api_sweep_crew_failure(session, &state->crew, done));
    if (state->unwritten)
        return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "the table cannot be written to `%s`: %s",
                                    state->options->file, hbg_base_file_words(state->unwritten));
    return HBG_OK;
}

static void tell(hbg_session *session, const struct hbg_sweep_state *state, int64_t done, hbg_buffer *out) {
    const hbg_sweep_options *options = state->options;
    const hbg_sweep_list *list = &state->list;
    bool complete = done == list->end;
    long long runs = (long long)(list->end - list->first);
    hbg_base_buffer_print(out, "%lld run%s", runs, runs == 1 ? "" : "s");
    if (list->shards > 0)
        hbg_base_buffer_print(out, " of %lld, shard %lld of %lld", (long long)list->runs,
                              (long long)list->shard, (long long)list->shards);
    if (state->table.done > list->first)
        hbg_base_buffer_print(out, ", %lld of them earlier", (long long)(state->table.done - list->first));
    hbg_base_buffer_print(out, "; %lld did not get to the end\n", (long long)state->unfinished);
    const char *why = state->table.missing ? "there was no `%s.partial` to go on with"
                      : state->table.anew  ? "`%s.partial` had no rows to go on with"
                                           : NULL;
    if (why)
        hbg_base_buffer_print(
            out, "%s: all runs were made anew\n",
            hbg_base_utf8_clean(hbg_base_arena_print(&session->scratch, why, options->file), false));
    hbg_api_sweep_crew_tell(&state->crew, out);
    if (complete) return;
    hbg_buffer reason;
    hbg_base_buffer_init(&reason, &session->scratch);
    hbg_base_buffer_print(&reason, "interrupted after %lld of %lld runs",
                          (long long)(done > list->first ? done - list->first : 0), runs);
    if (state->table.key_path)
        hbg_base_buffer_print(
            &reason, "; the rows so far are in `%s.partial`, and --resume goes on with them", options->file);
    session->reason = reason.data;
}

/* Other formats of results have no place for the result of a run in words. */
static hbg_status check_format(hbg_session *session, const char *file) {
    static const char *const others[] = {".h5", ".hdf5", ".mat", ".json", ".svg", ".png"};
    size_t size = strlen(file);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t length = strlen(others[i]);
        if (size <= length || strcmp(file + size - length, others[i]) != 0) continue;
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "the table of a sweep is CSV: write `-o %.*s.csv`", (int)(size - length),
                                    file);
    }
    return HBG_OK;
}

/* Before its first run: an earlier one's files stay as they are. */
static hbg_status interrupt(hbg_session *session, const struct hbg_sweep_state *state, hbg_run_end *end,
                            hbg_buffer *out) {
    *end = HBG_RUN_INTERRUPTED;
    tell(session, state, 0, out);
    return HBG_OK;
}

static hbg_status sweep(hbg_session *session, const hbg_model *model, struct hbg_sweep_state *state,
                        hbg_run_end *end, hbg_buffer *out) {
    const hbg_sweep_options *options = state->options;
    hbg_buffer head;
    HBG_TRY(check_format(session, options->file));
    HBG_TRY(hbg_api_sweep_list_init(session, model, options, &state->list));
    HBG_TRY(make_workers(session, model, state));
    if (options->look_only) {
        hbg_base_buffer_print(out, "%016" PRIx64,
                              hbg_api_sweep_key(session, model, state->crew.workers[0].state.experiment,
                                                options, &state->list));
        *end = HBG_RUN_FINISHED;
        return HBG_OK;
    }
    if (state->interrupted) return interrupt(session, state, end, out); // while its code was compiled
    hbg_base_buffer_init(&head, &session->scratch);
    uint64_t key =
        hbg_api_sweep_key(session, model, state->crew.workers[0].state.experiment, options, &state->list);
    hbg_api_sweep_shard_put(&state->list, key, &head);
    hbg_api_sweep_put_head(&state->crew.workers[0], &head);
    HBG_TRY(prepare_traces(session, state));
    hbg_patience patience = {still_wanted, state};
    state->table.first = state->list.first;
    hbg_status opened = hbg_api_sweep_table_open(session, options, head.data, key, &patience, &state->table);
    if (state->interrupted) return interrupt(session, state, end, out);
    HBG_TRY(opened);
    HBG_TRY(check_traces(session, state));
    hbg_sim_ensemble ensemble = {.first = state->table.done,
                                 .count = state->list.end,
                                 .threads = state->crew.threads,
                                 .lanes = state->crew.lanes,
                                 .table = hbg_code_native_table(state->crew.compiled->run->code),
                                 .device = state->crew.device,
                                 .lane = state->crew.lane,
                                 .slots = state->slot_count,
                                 .work = work,
                                 .deliver = deliver,
                                 .progress = progress,
                                 .context = state};
    state->watched = true;
    int64_t done = hbg_sim_ensemble_run(&session->scratch, &ensemble);
    hbg_status status = failure(session, state, done);
    bool complete = status == HBG_OK && done == state->list.end;
    hbg_status closed = hbg_api_sweep_table_close(session, options, &state->table, complete);
    HBG_TRY(status);
    if (!state->interrupted) HBG_TRY(closed);
    *end = !complete ? HBG_RUN_INTERRUPTED : state->unfinished > 0 ? HBG_RUN_NOT_FINISHED : HBG_RUN_FINISHED;
    tell(session, state, done, out);
    return HBG_OK;
}

hbg_status hbg_sweep(hbg_session *session, const hbg_model *model, const hbg_sweep_options *options,
                     hbg_run_end *end, hbg_text *text) {
    hbg_sweep_options used = options ? *options : hbg_sweep_options_default();
    *text = (hbg_text){0};
    *end = HBG_RUN_NOT_FINISHED;
    HBG_ENTER_OR(session, exhausted);
    if (!used.file) used.file = "-";
    used.run = hbg_api_run_options(session, model, &used.run);
    struct hbg_sweep_state *state = HBG_NEW(&session->scratch, struct hbg_sweep_state);
    hbg_buffer out;
    state->options = &used;
    session->sweep = state;
    hbg_base_buffer_init(&out, &session->scratch);
    hbg_status status = sweep(session, model, state, end, &out);
    if (status == HBG_OK) status = hbg_api_text_of(session, out.data, out.size, text);
    release(session);
    return hbg_api_session_leave(session, status);
}
