/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The server of the studio. One thread serves requests (server.c) and computes nothing: each question goes to
 * a pool of threads (work.c), and its connection sleeps until the answer is ready. Long work (runs, proofs,
 * campaigns) is a job: it reports to the page that began it through the page's stream of events (pages.c),
 * and can be stopped.
 *
 * Locks: `studio.lock` guards the lists of pages and jobs and all that is in them. It is not held during
 * computations or file access. */
#ifndef HBG_STUDIO_IMPL_H
#define HBG_STUDIO_IMPL_H

#include <jansson.h>
#include <limits.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "hbg/studio.h"

#define HBG_STUDIO_ID 32 /* of pages and servers: 16 random bytes as digits */

/* ---- sizes --------------------------------------------------------------------------------------------- */

#define HBG_STUDIO_BODY_MOST     ((size_t)16 << 20)  /* bytes of a question */
#define HBG_STUDIO_FILE_MOST     ((size_t)4 << 20)   /* bytes of a file that is read or written */
#define HBG_STUDIO_SESSION_MOST  ((size_t)4 << 30)   /* bytes of memory of one piece of work */
#define HBG_STUDIO_ROWS_MOST     ((size_t)512 << 20) /* bytes of rows waiting for their page */
#define HBG_STUDIO_STREAM_MOST   ((size_t)8 << 20)   /* bytes of events waiting for their page */
#define HBG_STUDIO_PAGES_MOST    64
#define HBG_STUDIO_JOBS_MOST     64   /* in progress or waiting, of one page */
#define HBG_STUDIO_FILES_MOST    2000 /* that are listed */
#define HBG_STUDIO_PATIENCE      20   /* s that a page may be away before its work ends */
#define HBG_STUDIO_PATIENCE_LEFT 2    /* s, if it said good-bye */

/* ---- HTTP ---------------------------------------------------------------------------------------------- */

#define HBG_STUDIO_HTTP_LIST(X)                                                                              \
    X(MHD_add_response_header)                                                                               \
    X(MHD_create_response_from_buffer)                                                                       \
    X(MHD_create_response_from_callback)                                                                     \
    X(MHD_destroy_response)                                                                                  \
    X(MHD_get_daemon_info)                                                                                   \
    X(MHD_lookup_connection_value)                                                                           \
    X(MHD_queue_response)                                                                                    \
    X(MHD_quiesce_daemon)                                                                                    \
    X(MHD_resume_connection)                                                                                 \
    X(MHD_start_daemon)                                                                                      \
    X(MHD_stop_daemon)                                                                                       \
    X(MHD_suspend_connection)

/* Functions of libmicrohttpd, which is loaded when a studio begins: with its dependencies it takes longer to
 * load than a small run. */
typedef struct {
#define X(name) __typeof__(name) *name;
    HBG_STUDIO_HTTP_LIST(X)
#undef X
} hbg_studio_http;

/* ---- texts that grow ----------------------------------------------------------------------------------- */

typedef struct {
    char *data; /* NUL after it, once it is not empty */
    size_t size, room;
    bool failed; /* no memory */
} hbg_studio_text;

void hbg_studio_text_add(hbg_studio_text *text, const void *data, size_t size);
void hbg_studio_text_put(hbg_studio_text *text, const char *words);
void hbg_studio_text_print(hbg_studio_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hbg_studio_text_json(hbg_studio_text *text, const char *words); /* as a string of JSON; NULL: null */
void hbg_studio_text_free(hbg_studio_text *text);

/* ---- questions and answers ----------------------------------------------------------------------------- */

typedef struct hbg_studio_question hbg_studio_question;

typedef struct {
    hbg_studio_text body;
    unsigned status;  /* of HTTP; 0: 200 */
    const char *type; /* NULL: JSON */
} hbg_studio_answer;

/* Answers a question, in a thread of the pool. */
typedef void hbg_studio_answerer(hbg_studio_question *question, hbg_studio_answer *answer);

struct hbg_studio_question {
    hbg_studio *studio;
    struct MHD_Connection *connection;
    hbg_studio_answerer *answerer;
    hbg_studio_text body;
    json_t *asked;                /* the body, an object */
    char page[HBG_STUDIO_ID + 1]; /* the page that asks; "" if it is not a page */
    hbg_studio_answer answer;
    unsigned refused;                 /* status of HTTP; 0: not refused */
    const char *why;                  /* reason if refused */
    bool asleep, answered, is_stream; /* its progress */
    struct hbg_studio_page *stream;   /* it is the stream of this page */
    hbg_studio_question *next;        /* in the queue of the pool */
};

/* Fields of a question: NULL, 0 or false if they are missing, or of another type. */
const char *hbg_studio_asked_text(const hbg_studio_question *question, const char *key);
double hbg_studio_asked_number(const hbg_studio_question *question, const char *key);
bool hbg_studio_asked_yes(const hbg_studio_question *question, const char *key);
/* An error as the answer: {"error": …}. */
void hbg_studio_refuse(hbg_studio_answer *answer, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The questions: path after /api/, function that answers. */
#define HBG_STUDIO_QUESTION_LIST(X)                                                                          \
    X(files)                                                                                                 \
    X(read)                                                                                                  \
    X(write)                                                                                                 \
    X(check)                                                                                                 \
    X(lsp)                                                                                                   \
    X(draw)                                                                                                  \
    X(causality)                                                                                             \
    X(run)                                                                                                   \
    X(rows)                                                                                                  \
    X(save)                                                                                                  \
    X(campaign)                                                                                              \
    X(verify)                                                                                                \
    X(phase)                                                                                                 \
    X(export)                                                                                                \
    X(stop)                                                                                                  \
    X(leave)

#define X(name) hbg_studio_answerer hbg_studio_answer_##name;
HBG_STUDIO_QUESTION_LIST(X)
#undef X

/* ---- the page's files ---------------------------------------------------------------------------------- */

typedef struct {
    const char *path, *type; /* "/studio.js" */
    const unsigned char *data;
    size_t size;
} hbg_studio_asset;

extern const hbg_studio_asset hbg_studio_assets[]; /* made from web/ by web/build.mjs */
extern const int hbg_studio_asset_count;

/* ---- pages --------------------------------------------------------------------------------------------- */

typedef struct hbg_studio_page {
    char id[HBG_STUDIO_ID + 1];
    struct MHD_Connection *connection; /* of its stream; NULL: it is away */
    bool asleep;                       /* the connection is */
    hbg_studio_text waiting;           /* events to be sent */
    double away;                       /* since when, s */
    bool left;                         /* it said good-bye */
    struct hbg_studio_page *next;
} hbg_studio_page;

/* ---- jobs ---------------------------------------------------------------------------------------------- */

typedef struct hbg_studio_job hbg_studio_job;
struct hbg_studio_job {
    int64_t id;
    char page[HBG_STUDIO_ID + 1];
    hbg_studio *studio;
    json_t *asked; /* its task */
    void (*work)(hbg_studio_job *job, hbg_studio_text *result);
    atomic_bool stopped;
    bool done;
    bool left; /* its page is gone: its rows will not be fetched */
    /* Of a run: rows not yet fetched by the page. */
    double *rows;
    int64_t row_first, row_count,
        row_room; /* the number of the first one kept, their count, and for how many there is room */
    int32_t column_count;
    hbg_studio_text columns; /* JSON */
    char **events;           /* JSON */
    int64_t event_first, event_count, event_room;
    bool full; /* the page does not fetch its rows */
    double told, t, stop;
    hbg_studio_job *next;         /* of all */
    hbg_studio_job *next_waiting; /* in the queue of the pool */
};

/* Begins a job for the page that asks, and answers with its number. */
void hbg_studio_job_begin(hbg_studio_question *question, hbg_studio_answer *answer,
                          void (*work)(hbg_studio_job *job, hbg_studio_text *result));
hbg_studio_job *hbg_studio_job_find(hbg_studio *studio, int64_t id,
                                    const char *page); /* with the lock held */
void hbg_studio_job_free(hbg_studio_job *job);
/* Reports the progress now and then; false: it has to end. */
bool hbg_studio_job_progress(hbg_studio_job *job, double t, double stop);
/* With the lock held: a page, or every page for NULL, is gone; its jobs have to end. */
void hbg_studio_jobs_leave(hbg_studio *studio, const char *page);

/* ---- the pool ------------------------------------------------------------------------------------------ */

typedef struct {
    hbg_studio_question *first, *last;
} hbg_studio_question_line;

typedef struct {
    hbg_studio_job *first, *last;
} hbg_studio_job_line;

struct hbg_studio {
    char folder[PATH_MAX], file[PATH_MAX];
    char token[128], address[256], id[HBG_STUDIO_ID + 1];
    char **search;
    int search_count;
    char *sources, *engine;
    hbg_studio_http http;
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock;
    pthread_mutex_t writing; /* held while a file is compared and replaced */
    pthread_cond_t questions_come, jobs_come, tick;
    hbg_studio_question_line questions;
    hbg_studio_job_line jobs_waiting;
    hbg_studio_job *jobs;
    hbg_studio_page *pages;
    int page_count;
    int64_t last_job;
    bool ending;
    pthread_t *threads;
    int thread_count;
};

HBG_MUST_CHECK bool hbg_studio_work_begin(hbg_studio *studio);
void hbg_studio_work_end(hbg_studio *studio); /* waits until all work has ended */
/* The connection sleeps until the question is answered; false: questions are not answered any more. */
bool hbg_studio_work_ask(hbg_studio *studio, hbg_studio_question *question);
double hbg_studio_now(void); /* s */

/* pages.c */
/* Opens the stream of a page, or says why not in *why. */
enum MHD_Result hbg_studio_stream_open(hbg_studio_question *question, const char **why);
void hbg_studio_stream_closed(hbg_studio *studio, hbg_studio_page *page, struct MHD_Connection *connection);
/* Sends an event to a page; `json` is one line. With the lock held. */
void hbg_studio_tell(hbg_studio *studio, const char *id, const char *name, const char *json);
bool hbg_studio_page_is_known(hbg_studio *studio,
                              const char *page); /* it has, or had a moment ago, a stream */
void hbg_studio_pages_tick(hbg_studio *studio);  /* with the lock held: keep-alive, absent pages */
void hbg_studio_pages_wake(hbg_studio *studio);  /* with the lock held */
void hbg_studio_pages_free(hbg_studio *studio);

/* ---- access control (guard.c) -------------------------------------------------------------------------- */

/* Status of HTTP and why a request is refused; 0: it is not. */
unsigned hbg_studio_guard(const hbg_studio *studio, struct MHD_Connection *connection, const char *method,
                          const char *url, const char **why);
bool hbg_studio_is_local(const char *host); /* "localhost:8080" */
bool hbg_studio_same_secret(const char *said, const char *secret);

/* ---- files of the folder (folder.c) -------------------------------------------------------------------- */

/* The real path of a file below the folder, which may be new; false and a reason if it would be elsewhere. */
bool hbg_studio_resolve(const hbg_studio *studio, const char *path, char real[PATH_MAX], const char **why);

/* ---- models (model.c) ---------------------------------------------------------------------------------- */

typedef struct {
    hbg_session *session;
    hbg_model *model;  /* NULL: it has errors */
    hbg_status status; /* of loading */
    char path[PATH_MAX];
    const char *lists[4][256]; /* targets of pointers in options */
} hbg_studio_loaded;

/* Reads the text of the question, with its options of hbg_load_options. Unless false, a session exists on
 * return. */
bool hbg_studio_load(hbg_studio *studio, json_t *asked, hbg_studio_loaded *loaded, hbg_studio_answer *answer);
void hbg_studio_unload(hbg_studio_loaded *loaded);
hbg_run_options hbg_studio_run_options(json_t *asked, hbg_studio_loaded *loaded);
hbg_draw_options hbg_studio_draw_options(const hbg_studio_question *question);
/* A failure: the reason and the diagnostics, as fields of an object of JSON, without braces. */
void hbg_studio_put_failure(hbg_studio_text *out, hbg_session *session, hbg_status status);
void hbg_studio_put_diagnostics(hbg_studio_text *out, hbg_session *session);
/* A text of the library as a field; it is freed. */
void hbg_studio_put_text(hbg_studio_text *out, hbg_session *session, hbg_text *text);

/* A folder for temporary files, made and removed with its contents. */
bool hbg_studio_scratch(char folder[PATH_MAX]);
void hbg_studio_scratch_remove(const char *folder);

#endif
