/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs. Rows and events are kept until the page fetches them, and are dropped when it confirms how many it
 * has. */
#include <stdlib.h>
#include <string.h>

#include "studio/studio_impl.h"

/* ---- during a run -------------------------------------------------------------------------------------- */

static void take_columns(void *context, const char *const *names, const char *const *units, int32_t count) {
    hbg_studio_job *job = context;
    hbg_studio_text made = {0};
    hbg_studio_text_put(&made, "[");
    for (int32_t i = 0; i < count; i++) {
        hbg_studio_text_put(&made, i > 0 ? ",{\"name\":" : "{\"name\":");
        hbg_studio_text_json(&made, names[i]);
        hbg_studio_text_put(&made, ",\"unit\":");
        hbg_studio_text_json(&made, units[i]);
        hbg_studio_text_put(&made, "}");
    }
    hbg_studio_text_put(&made, "]");
    pthread_mutex_lock(&job->studio->lock);
    job->columns = made;
    job->column_count = count;
    pthread_mutex_unlock(&job->studio->lock);
}

static bool make_room(hbg_studio_job *job) {
    size_t row = (size_t)job->column_count * sizeof(double);
    if (job->row_count < job->row_room) return true;
    int64_t room = job->row_room == 0 ? 512 : 2 * job->row_room;
    double *larger =
        (size_t)room * row > HBG_STUDIO_ROWS_MOST ? NULL : realloc(job->rows, (size_t)room * row);
    if (!larger) return false;
    job->rows = larger;
    job->row_room = room;
    return true;
}

static bool take_row(void *context, const double *values) {
    hbg_studio_job *job = context;
    pthread_mutex_lock(&job->studio->lock);
    bool fits = make_room(job);
    if (fits)
        memcpy(job->rows + job->row_count++ * job->column_count, values,
               (size_t)job->column_count * sizeof *values);
    else
        job->full = true;
    pthread_mutex_unlock(&job->studio->lock);
    return fits;
}

#define EVENTS_MOST 200000 /* waiting for their page */

static void take_event(void *context, const char *json, const char *words) {
    hbg_studio_job *job = context;
    hbg_studio_text made = {0};
    hbg_studio_text_put(&made, "{\"event\":");
    hbg_studio_text_put(&made, json);
    hbg_studio_text_put(&made, ",\"words\":");
    hbg_studio_text_json(&made, words);
    hbg_studio_text_put(&made, "}");
    pthread_mutex_lock(&job->studio->lock);
    if (job->event_count == job->event_room && job->event_room < EVENTS_MOST) {
        int64_t room = job->event_room == 0 ? 64 : 2 * job->event_room;
        char **larger = realloc((void *)job->events, (size_t)room * sizeof *larger);
        if (larger) {
            job->events = larger;
            job->event_room = room;
        }
    }
    bool fits = !made.failed && job->event_count < job->event_room;
    if (fits) job->events[job->event_count++] = made.data;
    pthread_mutex_unlock(&job->studio->lock);
    if (!fits) hbg_studio_text_free(&made);
}

static bool progress(void *context, double t, double stop) {
    return hbg_studio_job_progress(context, t, stop);
}

/* ---- the run ------------------------------------------------------------------------------------------- */

static void run_model(hbg_studio_job *job, hbg_studio_loaded *loaded, hbg_studio_text *result) {
    hbg_run_options options = hbg_studio_run_options(job->asked, loaded);
    hbg_run_listener listener = {take_columns, take_row, take_event, job};
    hbg_run_end end;
    hbg_text text = {0};
    options.listener = &listener;
    options.progress = progress;
    options.context = job;
    hbg_status status = hbg_run(loaded->session, loaded->model, &options, &end, &text);
    hbg_studio_text_put(result, "{");
    if (status == HBG_OK) {
        hbg_studio_text_print(result, "\"end\":\"%s\",\"reason\":", hbg_run_end_text(end));
        hbg_studio_text_json(
            result, job->full ? "the run has more rows than the page has fetched: record fewer, with `every`"
                              : hbg_session_reason(loaded->session));
        hbg_studio_text_put(result, ",\"report\":");
        if (text.size > 0)
            hbg_studio_put_text(result, loaded->session, &text);
        else
            hbg_studio_text_put(result, "null");
    } else {
        hbg_studio_put_failure(result, loaded->session, status);
    }
    hbg_studio_text_put(result, "}");
}

static void work(hbg_studio_job *job, hbg_studio_text *result) {
    hbg_studio_loaded loaded;
    hbg_studio_answer answer = {0};
    if (!hbg_studio_load(job->studio, job->asked, &loaded, &answer)) {
        *result = answer.body;
        return;
    }
    if (loaded.model) {
        run_model(job, &loaded, result);
    } else {
        hbg_studio_text_put(result, "{");
        hbg_studio_put_failure(result, loaded.session, loaded.status);
        hbg_studio_text_put(result, "}");
    }
    hbg_studio_unload(&loaded);
}

void hbg_studio_answer_run(hbg_studio_question *question, hbg_studio_answer *answer) {
    hbg_studio_job_begin(question, answer, work);
}

/* ---- answers to the page ------------------------------------------------------------------------------- */

/* Drops what the page has. */
static void forget(hbg_studio_job *job, int64_t rows, int64_t events) {
    int64_t gone = rows - job->row_first;
    if (gone > 0 && gone <= job->row_count) {
        job->row_count -= gone;
        job->row_first = rows;
        memmove(job->rows, job->rows + gone * job->column_count,
                (size_t)(job->row_count * job->column_count) * sizeof *job->rows);
    }
    gone = events - job->event_first;
    if (gone > 0 && gone <= job->event_count) {
        for (int64_t i = 0; i < gone; i++) free(job->events[i]);
        job->event_count -= gone;
        job->event_first = events;
        memmove((void *)job->events, (void *)(job->events + gone),
                (size_t)job->event_count * sizeof *job->events);
    }
}

/* A line of JSON, padded with blanks to a multiple of 8 bytes, then the rows: doubles in the byte order of
 * this machine. */
static void put_rows(const hbg_studio_job *job, hbg_studio_text *out) {
    hbg_studio_text_print(out, "{\"first\":%lld,\"count\":%lld,\"done\":%s,\"columns\":",
                          (long long)job->row_first, (long long)job->row_count, job->done ? "true" : "false");
    hbg_studio_text_put(out, job->columns.size > 0 ? job->columns.data : "[]");
    hbg_studio_text_print(out, ",\"first event\":%lld,\"events\":[", (long long)job->event_first);
    for (int64_t i = 0; i < job->event_count; i++) {
        if (i > 0) hbg_studio_text_put(out, ",");
        hbg_studio_text_put(out, job->events[i]);
    }
    hbg_studio_text_put(out, "]}");
    while (out->size % 8 != 7 && !out->failed) hbg_studio_text_put(out, " ");
    hbg_studio_text_put(out, "\n");
    hbg_studio_text_add(out, job->rows, (size_t)(job->row_count * job->column_count) * sizeof *job->rows);
}

void hbg_studio_answer_rows(hbg_studio_question *question, hbg_studio_answer *answer) {
    hbg_studio *studio = question->studio;
    pthread_mutex_lock(&studio->lock);
    hbg_studio_job *job =
        hbg_studio_job_find(studio, (int64_t)hbg_studio_asked_number(question, "job"), question->page);
    if (job) {
        forget(job, (int64_t)hbg_studio_asked_number(question, "rows"),
               (int64_t)hbg_studio_asked_number(question, "events"));
        put_rows(job, &answer->body);
        answer->type = "application/octet-stream";
        if (job->done && job->row_count == 0 && job->event_count == 0) {
            hbg_studio_job **at = &studio->jobs;
            while (*at != job) at = &(*at)->next;
            *at = job->next;
            hbg_studio_job_free(job);
        }
    }
    pthread_mutex_unlock(&studio->lock);
    if (!job) hbg_studio_refuse(answer, MHD_HTTP_NOT_FOUND, "there is no such run any more");
}
