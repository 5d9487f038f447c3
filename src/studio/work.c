/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The pool: some threads answer questions, others do jobs, so a long run does not delay the drawing of the
 * page. Another one is the clock. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "studio/studio_impl.h"

#define TICK 1 /* s */

double hbg_studio_now(void) {
    struct timespec time;
    return clock_gettime(CLOCK_MONOTONIC, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec : 0;
}

/* ---- questions ----------------------------------------------------------------------------------------- */

bool hbg_studio_work_ask(hbg_studio *studio, hbg_studio_question *question) {
    pthread_mutex_lock(&studio->lock);
    bool open = !studio->ending;
    if (open) {
        hbg_studio_question *last = studio->questions.last;
        studio->http.MHD_suspend_connection(question->connection);
        *(last ? &last->next : &studio->questions.first) = question;
        studio->questions.last = question;
        pthread_cond_signal(&studio->questions_come);
    }
    pthread_mutex_unlock(&studio->lock);
    return open;
}

/* Once its connection is awake the question belongs to the serving thread, which frees it. */
static void answer(hbg_studio *studio, hbg_studio_question *question) {
    question->answerer(question, &question->answer);
    if (question->answer.body.failed) {
        hbg_studio_text_free(&question->answer.body);
        hbg_studio_refuse(&question->answer, MHD_HTTP_INTERNAL_SERVER_ERROR, "there is no memory");
    }
    pthread_mutex_lock(&studio->lock);
    question->answered = true;
    studio->http.MHD_resume_connection(question->connection);
    pthread_mutex_unlock(&studio->lock);
}

static void *answer_questions(void *context) {
    hbg_studio *studio = context;
    pthread_mutex_lock(&studio->lock);
    for (;;) {
        hbg_studio_question *question = studio->questions.first;
        if (question) {
            studio->questions.first = question->next;
            if (!question->next) studio->questions.last = NULL;
            pthread_mutex_unlock(&studio->lock);
            answer(studio, question);
            pthread_mutex_lock(&studio->lock);
        } else if (studio->ending) {
            break;
        } else {
            pthread_cond_wait(&studio->questions_come, &studio->lock);
        }
    }
    pthread_mutex_unlock(&studio->lock);
    return NULL;
}

/* ---- jobs ---------------------------------------------------------------------------------------------- */

hbg_studio_job *hbg_studio_job_find(hbg_studio *studio, int64_t id, const char *page) {
    hbg_studio_job *job = studio->jobs;
    while (job && (job->id != id || strcmp(job->page, page) != 0)) job = job->next;
    return job;
}

void hbg_studio_job_free(hbg_studio_job *job) {
    for (int64_t i = 0; i < job->event_count; i++) free(job->events[i]);
    free((void *)job->events);
    free(job->rows);
    hbg_studio_text_free(&job->columns);
    json_decref(job->asked);
    free(job);
}

static void unlink_job(hbg_studio *studio, const hbg_studio_job *job) {
    hbg_studio_job **at = &studio->jobs;
    while (*at && *at != job) at = &(*at)->next;
    if (*at) *at = job->next;
}

void hbg_studio_jobs_leave(hbg_studio *studio, const char *page) {
    for (hbg_studio_job **at = &studio->jobs, *job; (job = *at) != NULL;) {
        bool meant = !page || strcmp(job->page, page) == 0;
        if (meant) job->left = true;
        if (meant) atomic_store(&job->stopped, true);
        if (meant && job->done) {
            *at = job->next;
            hbg_studio_job_free(job);
        } else {
            at = &job->next;
        }
    }
}

static int count_of(const hbg_studio *studio, const char *page) {
    int count = 0;
    for (const hbg_studio_job *job = studio->jobs; job; job = job->next)
        count += strcmp(job->page, page) == 0;
    return count;
}

void hbg_studio_job_begin(hbg_studio_question *question, hbg_studio_answer *answer,
                          void (*work)(hbg_studio_job *job, hbg_studio_text *result)) {
    hbg_studio *studio = question->studio;
    hbg_studio_job *job = calloc(1, sizeof *job);
    if (!job) {
        answer->body.failed = true;
        return;
    }
    strcpy(job->page, question->page);
    job->studio = studio;
    job->asked = json_incref(question->asked);
    job->work = work;
    pthread_mutex_lock(&studio->lock);
    bool fits = count_of(studio, job->page) < HBG_STUDIO_JOBS_MOST && !studio->ending && job->page[0];
    int64_t id = job->id = ++studio->last_job;
    if (fits) {
        job->next = studio->jobs;
        studio->jobs = job;
        if (studio->jobs_waiting.last)
            studio->jobs_waiting.last->next_waiting = job;
        else
            studio->jobs_waiting.first = job;
        studio->jobs_waiting.last = job;
        pthread_cond_signal(&studio->jobs_come);
    }
    pthread_mutex_unlock(&studio->lock);
    if (fits) {
        hbg_studio_text_print(&answer->body, "{\"job\":%lld}", (long long)id);
    } else {
        hbg_studio_job_free(job);
        hbg_studio_refuse(answer, MHD_HTTP_SERVICE_UNAVAILABLE,
                          "too much is under way: stop something first");
    }
}

bool hbg_studio_job_progress(hbg_studio_job *job, double t, double stop) {
    double now = hbg_studio_now();
    if (now - job->told > 0.05) {
        char json[160];
        pthread_mutex_lock(&job->studio->lock);
        (void)snprintf(json, sizeof json, "{\"job\":%lld,\"t\":%.17g,\"stop\":%.17g,\"rows\":%lld}",
                       (long long)job->id, t, stop, (long long)job->row_first + (long long)job->row_count);
        hbg_studio_tell(job->studio, job->page, "progress", json);
        pthread_mutex_unlock(&job->studio->lock);
        job->told = now;
    }
    return !atomic_load(&job->stopped);
}

void hbg_studio_answer_stop(hbg_studio_question *question, hbg_studio_answer *answer) {
    hbg_studio *studio = question->studio;
    pthread_mutex_lock(&studio->lock);
    hbg_studio_job *job =
        hbg_studio_job_find(studio, (int64_t)hbg_studio_asked_number(question, "job"), question->page);
    if (job) atomic_store(&job->stopped, true);
    pthread_mutex_unlock(&studio->lock);
    hbg_studio_text_print(&answer->body, "{\"stopped\":%s}", job ? "true" : "false");
}

/* Reports the end. A job with remaining rows stays until the page has fetched them. */
static void finish(hbg_studio *studio, hbg_studio_job *job, hbg_studio_text *result) {
    hbg_studio_text told = {0};
    hbg_studio_text_print(&told,
                          "{\"job\":%lld,\"rows\":%lld,\"events\":%lld,\"result\":", (long long)job->id,
                          (long long)job->row_first + (long long)job->row_count,
                          (long long)job->event_first + (long long)job->event_count);
    hbg_studio_text_put(&told, result->failed || result->size == 0 ? "{\"error\":\"there is no memory\"}"
                                                                   : result->data);
    hbg_studio_text_put(&told, "}");
    for (char *c = told.data; c && *c; c++) // one line
        if (*c == '\n' || *c == '\r') *c = ' ';
    hbg_studio_tell(studio, job->page, "done",
                    told.failed ? "{\"result\":{\"error\":\"there is no memory\"}}" : told.data);
    hbg_studio_text_free(&told);
    job->done = true;
    if ((job->row_count > 0 || job->event_count > 0) && !job->left) return;
    unlink_job(studio, job);
    hbg_studio_job_free(job);
}

static void *do_jobs(void *context) {
    hbg_studio *studio = context;
    pthread_mutex_lock(&studio->lock);
    for (;;) {
        hbg_studio_job *job = studio->jobs_waiting.first;
        if (job) {
            hbg_studio_text result = {0};
            studio->jobs_waiting.first = job->next_waiting;
            if (!job->next_waiting) studio->jobs_waiting.last = NULL;
            pthread_mutex_unlock(&studio->lock);
            if (atomic_load(&job->stopped))
                hbg_studio_text_put(&result, "{\"end\":\"interrupted\"}");
            else
                job->work(job, &result);
            pthread_mutex_lock(&studio->lock);
            finish(studio, job, &result);
            hbg_studio_text_free(&result);
        } else if (studio->ending) {
            break;
        } else {
            pthread_cond_wait(&studio->jobs_come, &studio->lock);
        }
    }
    pthread_mutex_unlock(&studio->lock);
    return NULL;
}

/* ---- the clock ----------------------------------------------------------------------------------------- */

static void *keep_time(void *context) {
    hbg_studio *studio = context;
    pthread_mutex_lock(&studio->lock);
    while (!studio->ending) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += TICK;
        pthread_cond_timedwait(&studio->tick, &studio->lock, &until);
        hbg_studio_pages_tick(studio);
    }
    pthread_mutex_unlock(&studio->lock);
    return NULL;
}

/* ---- starting and stopping ----------------------------------------------------------------------------- */

static bool start(hbg_studio *studio, void *(*work)(void *)) {
    if (pthread_create(&studio->threads[studio->thread_count], NULL, work, studio) != 0) return false;
    studio->thread_count++;
    return true;
}

bool hbg_studio_work_begin(hbg_studio *studio) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int each = processors < 2 ? 2 : processors > 8 ? 8 : (int)processors;
    studio->threads = calloc(2 * (size_t)each + 1, sizeof *studio->threads);
    if (!studio->threads || !start(studio, keep_time)) return false;
    for (int i = 0; i < each; i++)
        if (!start(studio, answer_questions) || !start(studio, do_jobs)) return false;
    return true;
}

void hbg_studio_work_end(hbg_studio *studio) {
    pthread_mutex_lock(&studio->lock);
    studio->ending = true;
    hbg_studio_jobs_leave(studio, NULL);
    pthread_cond_broadcast(&studio->questions_come);
    pthread_cond_broadcast(&studio->jobs_come);
    pthread_cond_broadcast(&studio->tick);
    pthread_mutex_unlock(&studio->lock);
    for (int i = 0; i < studio->thread_count; i++) pthread_join(studio->threads[i], NULL);
    free(studio->threads);
    pthread_mutex_lock(&studio->lock);
    hbg_studio_jobs_leave(studio, NULL);
    hbg_studio_pages_wake(studio);
    pthread_mutex_unlock(&studio->lock);
}
