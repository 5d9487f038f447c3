/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_sweep_slurm: a sweep as a job array. Each task makes a shard; one that fails or is lost is submitted
 * again, and the tables of all become one. A shard is done when its table exists, since a table gets its name
 * when it is complete: the scheduler only tells which shards need not be submitted again. */
#include <string.h>
#include <time.h>

#include "api/sweep_slurm_impl.h"

#define TRIES         3   /* of a shard */
#define GONE          2   /* consecutive looks without it: a table may appear late on other machines */
#define LEAST_WAIT    0.5 /* s between looks */
#define MOST_WAIT     10.0
#define WAIT_SHARE    0.05  /* of the time so far */
#define SILENCE       300.0 /* s without an answer of the scheduler before giving up */
#define BETWEEN_ASKED 0.1   /* s: whether to go on */

typedef enum { GO_ON, ALL_DONE, STOPPED } course;

static double now(void) {
    struct timespec time;
    return clock_gettime(CLOCK_MONOTONIC, &time) == 0 ? (double)time.tv_sec + (double)time.tv_nsec / 1e9 : 0;
}

static hbg_slurm_progress count(const hbg_slurm_sweep *sweep) {
    hbg_slurm_progress state = {.shards = sweep->shard_count};
    for (int32_t i = 0; i < sweep->shard_count; i++) {
        state.done += sweep->shards[i].done;
        state.running += sweep->shards[i].running && !sweep->shards[i].done;
    }
    return state;
}

static bool goes_on(const hbg_slurm_sweep *sweep) {
    const hbg_slurm_options *options = sweep->options;
    hbg_slurm_progress state = count(sweep);
    return !options->progress || options->progress(options->context, &state);
}

/* Waits, and asks meanwhile whether to continue. */
static bool wait_for(const hbg_slurm_sweep *sweep, double seconds) {
    struct timespec piece = {.tv_nsec = (long)(BETWEEN_ASKED * 1e9)};
    for (double end = now() + seconds; now() < end;) {
        if (!goes_on(sweep)) return false;
        (void)nanosleep(&piece, NULL);
    }
    return goes_on(sweep);
}

/* ---- shards to submit ---------------------------------------------------------------------------------- */

static hbg_status give_up(const hbg_slurm_sweep *sweep, int32_t shard) {
    return hbg_api_session_fail(
        sweep->session, HBG_NO_PROGRAM,
        "shard %d of %d failed %d times; what is done is kept in `%s`, and --resume goes on with it. "
        "The shard said: %s",
        shard + 1, sweep->shard_count, TRIES, sweep->folder, hbg_api_slurm_last_words(sweep, shard));
}

/* Submits what is neither done nor in the queue; before the first time the queue is empty. */
static hbg_status submit_missing(hbg_slurm_sweep *sweep) {
    bool *wanted = sweep->wanted, any = false;
    for (int32_t i = 0; i < sweep->shard_count; i++) {
        hbg_slurm_shard *shard = &sweep->shards[i];
        bool here = shard->done || shard->queued;
        if (!here && shard->absent < GONE) shard->absent++;
        if (here) shard->absent = 0;
        wanted[i] = shard->absent == GONE;
        any = any || wanted[i];
        if (wanted[i] && shard->tries == TRIES) return give_up(sweep, i);
    }
    if (!any) return HBG_OK;
    HBG_TRY(hbg_api_slurm_submit(sweep, wanted));
    for (int32_t i = 0; i < sweep->shard_count; i++) {
        if (!wanted[i]) continue;
        sweep->shards[i].tries++;
        sweep->shards[i].absent = 0;
        sweep->shards[i].queued = true;
    }
    return HBG_OK;
}

/* ---- until all are done -------------------------------------------------------------------------------- */

static hbg_status silent(const hbg_slurm_sweep *sweep) {
    return hbg_api_session_fail(
        sweep->session, HBG_NO_PROGRAM,
        "the scheduler has not answered for %.0f s (%s); shards may go on, and --resume goes on with "
        "what is in `%s`",
        SILENCE, sweep->session->reason, sweep->folder);
}

static hbg_status follow(hbg_slurm_sweep *sweep, course *course) {
    double start = now(), answered = start;
    *course = GO_ON;
    HBG_TRY(hbg_api_slurm_find_done(sweep));
    for (int32_t i = 0; i < sweep->shard_count; i++) sweep->shards[i].absent = GONE; // none was submitted yet
    while (*course == GO_ON) {
        bool answer = hbg_api_slurm_look(sweep);
        HBG_TRY(hbg_api_slurm_find_done(sweep)); // after the look: what left the queue since then is not lost
        if (!goes_on(sweep)) {
            *course = STOPPED;
            break;
        }
        if (answer) answered = now();
        if (!answer && now() - answered > SILENCE) return silent(sweep);
        if (answer) HBG_TRY(submit_missing(sweep));
        double wait = WAIT_SHARE * (now() - start);
        if (count(sweep).done == sweep->shard_count)
            *course = ALL_DONE;
        else if (!wait_for(sweep, wait < LEAST_WAIT ? LEAST_WAIT : wait > MOST_WAIT ? MOST_WAIT : wait))
            *course = STOPPED;
    }
    return HBG_OK;
}

static hbg_status stop(hbg_slurm_sweep *sweep) {
    const hbg_slurm_options *options = sweep->options;
    bool cancel = options->cancels && options->cancels(options->context);
    if (cancel) HBG_TRY(hbg_api_slurm_cancel(sweep));
    (void)hbg_api_session_fail(
        sweep->session, HBG_OK,
        cancel ? "interrupted; the shards were cancelled. What is done is kept in `%s`, and --resume "
                 "goes on with it"
               : "interrupted; the shards go on. --resume follows them again and merges what is in `%s`",
        sweep->folder);
    return HBG_OK;
}

static hbg_status merge(hbg_slurm_sweep *sweep, hbg_run_end *end, hbg_buffer *out) {
    HBG_TRY(hbg_api_sweep_merge(sweep->session, sweep->tables, sweep->shard_count, sweep->options->file, end,
                                out));
    hbg_api_slurm_remove(sweep);
    return HBG_OK;
}

static hbg_status sweep_on_slurm(hbg_slurm_sweep *sweep, hbg_run_end *end, hbg_buffer *out) {
    course course;
    if (strcmp(sweep->options->file, "-") == 0 || strcmp(sweep->options->model, "-") == 0)
        return hbg_api_session_fail(sweep->session, HBG_BAD_ARGUMENT,
                                    "shards on other machines read the model from a file and write files: "
                                    "write `hbg sweep FILE --slurm … -o TABLE.csv`");
    if (strchr(sweep->options->file,
               '\\')) // which ends the pattern in the name of a log, and is left out of it
        return hbg_api_session_fail(
            sweep->session, HBG_BAD_ARGUMENT,
            "`%s` has a backslash: Slurm cannot write logs beside it; write a table of another name",
            sweep->options->file);
    HBG_TRY(hbg_api_slurm_prepare(sweep));
    hbg_status status = follow(sweep, &course);
    bool begun = sweep->jobs.count > 0 || count(sweep).done > 0;
    if (status != HBG_OK && !begun) hbg_api_slurm_remove(sweep); // nothing to go on with
    HBG_TRY(status);
    *end = HBG_RUN_INTERRUPTED;
    return course == ALL_DONE ? merge(sweep, end, out) : stop(sweep);
}

hbg_status hbg_sweep_slurm(hbg_session *session, const hbg_slurm_options *options, hbg_run_end *end,
                           hbg_text *text) {
    *text = (hbg_text){0};
    *end = HBG_RUN_NOT_FINISHED;
    HBG_ENTER(session);
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    hbg_slurm_sweep *sweep = HBG_NEW(&session->scratch, hbg_slurm_sweep);
    sweep->session = session;
    sweep->options = options;
    hbg_status status = sweep_on_slurm(sweep, end, &out);
    if (status == HBG_OK) status = hbg_api_text_of(session, out.data, out.size, text);
    return hbg_api_session_leave(session, status);
}
