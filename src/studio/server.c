/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requests: the page's own files, the streams of pages, and questions that the pool answers. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "studio/studio_impl.h"

/* ---- answers ------------------------------------------------------------------------------------------- */

/* The page loads from and connects to this server only, and cannot be framed. The editor makes style sheets
 * at run time, which carry a nonce. */
static void add_headers(const hbg_studio *studio, struct MHD_Response *response, const char *type,
                        const char *nonce) {
    char policy[400];
    (void)snprintf(
        policy, sizeof policy,
        "default-src 'none'; script-src 'self'; style-src 'self'%s%s%s; img-src 'self' blob: data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        nonce ? " 'nonce-" : "", nonce ? nonce : "", nonce ? "'" : "");
    const char *const headers[][2] = {{"Content-Type", type},
                                      {"Content-Security-Policy", policy},
                                      {"X-Content-Type-Options", "nosniff"},
                                      {"X-Frame-Options", "DENY"},
                                      {"Referrer-Policy", "no-referrer"},
                                      {"Cross-Origin-Resource-Policy", "same-origin"},
                                      {"Cross-Origin-Opener-Policy", "same-origin"},
                                      {"Cache-Control", "no-store"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        (void)studio->http.MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

static enum MHD_Result reply(const hbg_studio *studio, struct MHD_Connection *connection, unsigned status,
                             const char *type, const void *data, size_t size, const char *nonce) {
    struct MHD_Response *response =
        studio->http.MHD_create_response_from_buffer(size, (void *)(uintptr_t)data, MHD_RESPMEM_MUST_COPY);
    if (!response) return MHD_NO;
    add_headers(studio, response, type, nonce);
    enum MHD_Result result = studio->http.MHD_queue_response(connection, status, response);
    studio->http.MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(const hbg_studio *studio, struct MHD_Connection *connection, unsigned status,
                              const char *why) {
    hbg_studio_answer answer = {0};
    hbg_studio_refuse(&answer, status, "%s", why);
    enum MHD_Result result =
        reply(studio, connection, status, "application/json", answer.body.data, answer.body.size, NULL);
    hbg_studio_text_free(&answer.body);
    return result;
}

static bool random_digits(char *digits, size_t count) {
    unsigned char bytes[64];
    if (count / 2 > sizeof bytes || getrandom(bytes, count / 2, 0) != (ssize_t)(count / 2)) return false;
    for (size_t i = 0; i < count / 2; i++) (void)snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static const char nonce_mark[] = "@nonce@";

static enum MHD_Result reply_index(const hbg_studio *studio, struct MHD_Connection *connection,
                                   const hbg_studio_asset *asset) {
    char nonce[HBG_STUDIO_ID + 1];
    hbg_studio_text page = {0};
    if (!random_digits(nonce, HBG_STUDIO_ID))
        return refuse(studio, connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "no randomness");
    const char *rest = (const char *)asset->data, *mark;
    for (; (mark = strstr(rest, nonce_mark)) != NULL; rest = mark + sizeof nonce_mark - 1) {
        hbg_studio_text_add(&page, rest, (size_t)(mark - rest));
        hbg_studio_text_put(&page, nonce);
    }
    hbg_studio_text_put(&page, rest);
    enum MHD_Result result =
        page.failed ? MHD_NO
                    : reply(studio, connection, MHD_HTTP_OK, asset->type, page.data, page.size, nonce);
    hbg_studio_text_free(&page);
    return result;
}

static enum MHD_Result reply_asset(const hbg_studio *studio, struct MHD_Connection *connection,
                                   const char *url) {
    for (int i = 0; i < hbg_studio_asset_count; i++) {
        const hbg_studio_asset *asset = &hbg_studio_assets[i];
        if (strcmp(asset->path, url) != 0) continue;
        if (strcmp(url, "/") == 0) return reply_index(studio, connection, asset);
        return reply(studio, connection, MHD_HTTP_OK, asset->type, asset->data, asset->size, NULL);
    }
    return refuse(studio, connection, MHD_HTTP_NOT_FOUND, "there is no such page");
}

/* ---- questions ----------------------------------------------------------------------------------------- */

static hbg_studio_answerer *find_answerer(const char *url) {
    static const struct {
        const char *name;
        hbg_studio_answerer *answerer;
    } table[] = {
#define X(name) {"/api/" #name, hbg_studio_answer_##name},
        HBG_STUDIO_QUESTION_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, url) == 0) return table[i].answerer;
    return NULL;
}

/* The page identifies itself by random digits of its own choice. */
static void take_page(hbg_studio_question *question) {
    const char *page = question->studio->http.MHD_lookup_connection_value(question->connection,
                                                                          MHD_HEADER_KIND, "X-Hbg-Page");
    if (page && strlen(page) == HBG_STUDIO_ID && strspn(page, "0123456789abcdef") == HBG_STUDIO_ID)
        strcpy(question->page, page);
}

static enum MHD_Result ask(hbg_studio_question *question) {
    json_error_t error;
    json_t *asked =
        question->body.size > 0 ? json_loadb(question->body.data, question->body.size, 0, &error) : NULL;
    if (!json_is_object(asked)) {
        json_decref(asked);
        return refuse(question->studio, question->connection, MHD_HTTP_BAD_REQUEST,
                      "the question is not a JSON object");
    }
    question->asked = asked;
    question->asleep = true;
    if (hbg_studio_work_ask(question->studio, question)) return MHD_YES;
    return refuse(question->studio, question->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                  "the studio is being closed");
}

static enum MHD_Result reply_answer(hbg_studio_question *question) {
    const hbg_studio_answer *answer = &question->answer;
    return reply(question->studio, question->connection, answer->status ? answer->status : MHD_HTTP_OK,
                 answer->type ? answer->type : "application/json", answer->body.data ? answer->body.data : "",
                 answer->body.size, NULL);
}

static enum MHD_Result open_stream(hbg_studio_question *question) {
    const char *why = "a page has to say who it is";
    if (question->page[0] && hbg_studio_stream_open(question, &why) == MHD_YES) return MHD_YES;
    return refuse(question->studio, question->connection, MHD_HTTP_BAD_REQUEST, why);
}

/* ---- requests ------------------------------------------------------------------------------------------ */

static hbg_studio_question *begin(hbg_studio *studio, struct MHD_Connection *connection, const char *url,
                                  const char *method) {
    hbg_studio_question *question = calloc(1, sizeof *question);
    if (!question) return NULL;
    question->studio = studio;
    question->connection = connection;
    question->refused = hbg_studio_guard(studio, connection, method, url, &question->why);
    if (question->refused || strncmp(url, "/api/", 5) != 0) return question;
    take_page(question);
    question->is_stream = strcmp(url, "/api/stream") == 0;
    question->answerer = find_answerer(url);
    if (!question->is_stream && !question->answerer) {
        question->refused = MHD_HTTP_NOT_FOUND;
        question->why = "there is no such question";
    }
    return question;
}

static enum MHD_Result serve(void *context, struct MHD_Connection *connection, const char *url,
                             const char *method, const char *version, const char *data, size_t *size,
                             void **state) {
    (void)version;
    hbg_studio *studio = context;
    hbg_studio_question *question = *state;
    if (!question) {
        *state = question = begin(studio, connection, url, method);
        if (!question) return MHD_NO;
        return question->refused ? refuse(studio, connection, question->refused, question->why) : MHD_YES;
    }
    if (*size > 0) {
        if (question->body.size + *size > HBG_STUDIO_BODY_MOST)
            question->refused = MHD_HTTP_CONTENT_TOO_LARGE;
        else
            hbg_studio_text_add(&question->body, data, *size);
        *size = 0;
        return MHD_YES;
    }
    if (question->refused) return refuse(studio, connection, question->refused, "the question is too large");
    if (question->answered) return reply_answer(question);
    if (question->asleep) return MHD_YES;
    if (question->is_stream) return open_stream(question);
    if (!question->answerer) return reply_asset(studio, connection, url);
    return question->body.failed ? MHD_NO : ask(question);
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code) {
    (void)code;
    hbg_studio_question *question = *state;
    if (!question) return;
    if (question->stream) hbg_studio_stream_closed(context, question->stream, connection);
    hbg_studio_text_free(&question->body);
    hbg_studio_text_free(&question->answer.body);
    json_decref(question->asked);
    free(question);
    *state = NULL;
}

/* ---- the server ---------------------------------------------------------------------------------------- */

bool hbg_studio_has_page(void) {
    return hbg_studio_asset_count > 0;
}

const char *hbg_studio_address(const hbg_studio *studio) {
    return studio->address;
}

static bool is_token(const char *token) {
    size_t size = strspn(token, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~");
    return size >= 1 && size < sizeof((hbg_studio *)0)->token && !token[size];
}

static const char *take_options(hbg_studio *studio, const hbg_studio_options *options) {
    char resolved[PATH_MAX];
    const char *why;
    if (!realpath(options->folder, studio->folder)) return "the folder is not there";
    if (options->token && !is_token(options->token))
        return "a token is up to 127 letters, digits, or - _ . ~";
    if (options->token)
        strcpy(studio->token, options->token);
    else if (!random_digits(studio->token, HBG_STUDIO_ID))
        return "this machine has no random numbers";
    if (!random_digits(studio->id, HBG_STUDIO_ID)) return "this machine has no random numbers";
    if (options->file && !hbg_studio_resolve(studio, options->file, resolved, &why)) return why;
    if (options->file) strcpy(studio->file, options->file);
    studio->search = calloc((size_t)options->search_count + 1, sizeof *studio->search);
    if (!studio->search) return "there is no memory";
    for (int i = 0; i < options->search_count; i++)
        if (!(studio->search[studio->search_count++] = strdup(options->search[i])))
            return "there is no memory";
    studio->sources = options->sources ? strdup(options->sources) : NULL;
    studio->engine = options->engine ? strdup(options->engine) : NULL;
    return NULL;
}

/* Like hbg_base_library_load (base/library.c), which is not exported to a studio. */
static bool load_http(hbg_studio *studio) {
    void *library = dlopen(HBG_LIBRARY_microhttpd, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
#define X(name)                                                                                              \
    if (!library || !(*(void **)&studio->http.name = dlsym(library, #name))) return false;
    HBG_STUDIO_HTTP_LIST(X)
#undef X
    return true;
}

static const char *listen_at(hbg_studio *studio, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    studio->daemon = studio->http.MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, (uint16_t)port, NULL, NULL, serve, studio,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, completed, studio,
        MHD_OPTION_CONNECTION_LIMIT, 256u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)65536, MHD_OPTION_END);
    if (!studio->daemon)
        return "the port is taken, or not allowed: `--port` takes another, and 0 any that is free";
    const union MHD_DaemonInfo *info =
        studio->http.MHD_get_daemon_info(studio->daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (info) port = info->port;
    (void)snprintf(studio->address, sizeof studio->address, "http://127.0.0.1:%d/?token=%s", port,
                   studio->token);
    return NULL;
}

hbg_status hbg_studio_new(const hbg_studio_options *options, hbg_studio **made, char *reason, size_t size) {
    hbg_studio *studio = calloc(1, sizeof *studio);
    *made = NULL;
    if (!studio) return HBG_NO_MEMORY;
    pthread_mutex_init(&studio->lock, NULL);
    pthread_mutex_init(&studio->writing, NULL);
    pthread_cond_init(&studio->questions_come, NULL);
    pthread_cond_init(&studio->jobs_come, NULL);
    pthread_cond_init(&studio->tick, NULL);
    char text[400];
    const char *why = take_options(studio, options);
    if (!why && !load_http(studio)) {
        (void)snprintf(text, sizeof text,
                       "a library cannot be loaded: %s; install the package libmicrohttpd-dev", dlerror());
        why = text;
    }
    if (!why && !hbg_studio_work_begin(studio)) why = "no thread can be made";
    if (!why) why = listen_at(studio, options->port);
    if (!why) {
        *made = studio;
        return HBG_OK;
    }
    (void)snprintf(reason, size, "%s", why);
    hbg_studio_free(studio);
    return HBG_BAD_ARGUMENT;
}

void hbg_studio_free(hbg_studio *studio) {
    if (!studio) return;
    MHD_socket listening =
        studio->daemon ? studio->http.MHD_quiesce_daemon(studio->daemon) : MHD_INVALID_SOCKET;
    hbg_studio_work_end(studio);
    if (studio->daemon) studio->http.MHD_stop_daemon(studio->daemon);
    if (listening != MHD_INVALID_SOCKET) close(listening);
    hbg_studio_pages_free(studio);
    for (int i = 0; i < studio->search_count; i++) free(studio->search[i]);
    free((void *)studio->search);
    free(studio->sources);
    free(studio->engine);
    pthread_cond_destroy(&studio->questions_come);
    pthread_cond_destroy(&studio->jobs_come);
    pthread_cond_destroy(&studio->tick);
    pthread_mutex_destroy(&studio->writing);
    pthread_mutex_destroy(&studio->lock);
    free(studio);
}
