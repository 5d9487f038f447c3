/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pages and their streams: server-sent events, kept until the page has them. A stream sleeps while there is
 * nothing to send; keep-alive messages detect when its page is gone. The jobs of a page end some time after
 * it has gone. */
#include <stdlib.h>
#include <string.h>

#include "studio/studio_impl.h"

static hbg_studio_page *find(hbg_studio *studio, const char *id) {
    hbg_studio_page *page = studio->pages;
    while (page && strcmp(page->id, id) != 0) page = page->next;
    return page;
}

static void wake(const hbg_studio *studio, hbg_studio_page *page) {
    if (!page->connection || !page->asleep) return;
    page->asleep = false;
    studio->http.MHD_resume_connection(page->connection);
}

static hbg_studio_page *add(hbg_studio *studio, const char *id, const char **why) {
    hbg_studio_page *page = studio->page_count < HBG_STUDIO_PAGES_MOST ? calloc(1, sizeof *page) : NULL;
    *why = "too many pages are open";
    if (!page) return NULL;
    strcpy(page->id, id);
    page->next = studio->pages;
    studio->pages = page;
    studio->page_count++;
    return page;
}

bool hbg_studio_page_is_known(hbg_studio *studio, const char *page) {
    pthread_mutex_lock(&studio->lock);
    bool known = find(studio, page) != NULL;
    pthread_mutex_unlock(&studio->lock);
    return known;
}

/* ---- streams ------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_studio *studio;
    hbg_studio_page *page;
    struct MHD_Connection *connection;
} stream;

/* Called by the serving thread. The page lives as long as its connection. */
static ssize_t send_some(void *context, uint64_t position, char *room, size_t size) {
    (void)position;
    stream *of = context;
    hbg_studio_page *page = of->page;
    ssize_t sent = 0;
    pthread_mutex_lock(&of->studio->lock);
    bool replaced = page->connection != of->connection; // the page has opened another
    if (!replaced && page->waiting.size > 0) {
        sent = (ssize_t)(page->waiting.size < size ? page->waiting.size : size);
        memcpy(room, page->waiting.data, (size_t)sent);
        page->waiting.size -= (size_t)sent;
        memmove(page->waiting.data, page->waiting.data + sent, page->waiting.size);
    } else if (replaced || of->studio->ending) {
        sent = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        page->asleep = true;
        of->studio->http.MHD_suspend_connection(page->connection);
    }
    pthread_mutex_unlock(&of->studio->lock);
    return sent;
}

static void forget(void *context) {
    free(context);
}

/* The greeting names the jobs in progress: a page that waits for another one has missed its end. */
static void greet(const hbg_studio *studio, hbg_studio_page *page) {
    const char *between = "";
    hbg_studio_text_print(&page->waiting,
                          "event: hello\ndata: {\"server\":\"%s\",\"version\":\"%s\",\"jobs\":[", studio->id,
                          hbg_version());
    for (const hbg_studio_job *job = studio->jobs; job; job = job->next)
        if (!job->done && strcmp(job->page, page->id) == 0) {
            hbg_studio_text_print(&page->waiting, "%s%lld", between, (long long)job->id);
            between = ",";
        }
    hbg_studio_text_put(&page->waiting, "]}\n\n");
}

enum MHD_Result hbg_studio_stream_open(hbg_studio_question *question, const char **why) {
    hbg_studio *studio = question->studio;
    stream *of = calloc(1, sizeof *of);
    *why = "there is no memory";
    if (!of) return MHD_NO;
    struct MHD_Response *response =
        studio->http.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 32768, send_some, of, forget);
    if (!response) {
        free(of);
        return MHD_NO;
    }
    pthread_mutex_lock(&studio->lock);
    hbg_studio_page *page = find(studio, question->page);
    if (!page) page = add(studio, question->page, why);
    if (page) {
        struct MHD_Connection *before = page->asleep ? page->connection : NULL;
        page->connection = question->connection;
        page->asleep = page->left = false;
        *of = (stream){studio, page, question->connection};
        question->stream = page;
        if (before) studio->http.MHD_resume_connection(before); // it ends
        greet(studio, page);
    }
    pthread_mutex_unlock(&studio->lock);
    enum MHD_Result result = MHD_NO;
    if (page) {
        (void)studio->http.MHD_add_response_header(response, "Content-Type", "text/event-stream");
        (void)studio->http.MHD_add_response_header(response, "Cache-Control", "no-store");
        (void)studio->http.MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
        result = studio->http.MHD_queue_response(question->connection, MHD_HTTP_OK, response);
    }
    studio->http.MHD_destroy_response(response);
    return result;
}

void hbg_studio_stream_closed(hbg_studio *studio, hbg_studio_page *page, struct MHD_Connection *connection) {
    pthread_mutex_lock(&studio->lock);
    if (page->connection == connection) {
        page->connection = NULL;
        page->asleep = false;
        page->away = hbg_studio_now();
    }
    pthread_mutex_unlock(&studio->lock);
}

void hbg_studio_tell(hbg_studio *studio, const char *id, const char *name, const char *json) {
    hbg_studio_page *page = find(studio, id);
    if (!page || page->waiting.size > HBG_STUDIO_STREAM_MOST) return;
    hbg_studio_text_print(&page->waiting, "event: %s\ndata: ", name);
    hbg_studio_text_put(&page->waiting, json);
    hbg_studio_text_put(&page->waiting, "\n\n");
    wake(studio, page);
}

void hbg_studio_answer_leave(hbg_studio_question *question, hbg_studio_answer *answer) {
    pthread_mutex_lock(&question->studio->lock);
    hbg_studio_page *page = find(question->studio, question->page);
    if (page) page->left = true;
    pthread_mutex_unlock(&question->studio->lock);
    hbg_studio_text_put(&answer->body, "{}");
}

/* ---- lifetime ------------------------------------------------------------------------------------------ */

static void drop(hbg_studio_page *page) {
    hbg_studio_text_free(&page->waiting);
    free(page);
}

void hbg_studio_pages_tick(hbg_studio *studio) {
    double now = hbg_studio_now();
    for (hbg_studio_page **at = &studio->pages, *page; (page = *at) != NULL;) {
        double patience = page->left ? HBG_STUDIO_PATIENCE_LEFT : HBG_STUDIO_PATIENCE;
        if (page->connection) {
            if (page->waiting.size == 0) hbg_studio_text_put(&page->waiting, ":\n\n");
            wake(studio, page);
        } else if (now - page->away > patience) {
            hbg_studio_jobs_leave(studio, page->id);
            *at = page->next;
            studio->page_count--;
            drop(page);
            continue;
        }
        at = &page->next;
    }
}

void hbg_studio_pages_wake(hbg_studio *studio) {
    for (hbg_studio_page *page = studio->pages; page; page = page->next) wake(studio, page);
}

void hbg_studio_pages_free(hbg_studio *studio) {
    for (hbg_studio_page *page = studio->pages, *next; page; page = next) {
        next = page->next;
        drop(page);
    }
}
