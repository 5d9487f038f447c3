/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the tests with inputs meant to hurt: texts that grow, and everything that can be asked about one,
 * with a bound on time and memory. */
#ifndef HBG_LANG_HOSTILE_IMPL_H
#define HBG_LANG_HOSTILE_IMPL_H

#include <time.h>

#include "hbg/hbg.h"
#include "lang/fixture_impl.h"
#include "support/soak.h"

#define SECONDS      8.0 /* of processor time that no case may take, on a slow machine with sanitizers */
#define TIMES        80 /* or this often the time of an ordinary model, where all is slower, as under valgrind */
#define MEMORY_LIMIT ((size_t)2 << 30)

/* Processor time: other work on the machine does not count. */
static inline double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* `full` in `make soak`, a twentieth of it in `make test`. */
static inline int scaled(int full) {
    return trials(full / 20, full);
}

/* ---- texts -------------------------------------------------------------------------------------------- */

typedef struct {
    char *data;
    size_t size;
    FILE *stream;
} growing;

static inline growing begin(void) {
    growing text = {0};
    return text;
}

static void add(growing *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void add(growing *text, const char *format, ...) {
    if (!text->stream) text->stream = open_memstream(&text->data, &text->size);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(text->stream, format, arguments);
    va_end(arguments);
}

static inline void repeat(growing *text, const char *piece, int count) {
    if (!text->stream) text->stream = open_memstream(&text->data, &text->size);
    for (int i = 0; i < count; i++) fputs(piece, text->stream);
}

static inline void end(growing *text) {
    add(text, "%s", "");
    fclose(text->stream);
}

/* ---- what comes of them ------------------------------------------------------------------------------- */

typedef struct {
    hbg_status status;
    int64_t errors;
    char *text;    /* the diagnostics */
    size_t memory; /* peak */
} outcome;

static inline void take(hbg_session *session, hbg_status status, hbg_text *text) {
    assert_int_equal(status, HBG_OK);
    hbg_text_free(session, text);
}

/* Seconds that a case may take. */
static inline double seconds_allowed(void) {
    static double allowed;
    if (allowed > 0) return allowed;
    growing text = begin();
    add(&text, "model Ordinary {\n");
    for (int i = 0; i < 10000; i++) add(&text, "    0 n%d;\n", i);
    add(&text, "}\n");
    end(&text);
    double start = seconds_now();
    hbg_session *session;
    hbg_model *model;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    assert_int_equal(hbg_load_text(session, "ordinary.hbg", text.data, text.size, NULL, &model), HBG_OK);
    hbg_session_free(session);
    free(text.data);
    allowed = TIMES * (seconds_now() - start);
    if (allowed < SECONDS) allowed = SECONDS;
    return allowed;
}

/* All that can be asked about a text: whether it is a model, what it holds, its canonical form. */
static inline outcome use(const char *data, size_t size, const hbg_load_options *options) {
    double allowed = seconds_allowed(), start = seconds_now();
    hbg_session_options session_options = hbg_session_options_default();
    session_options.memory_limit = MEMORY_LIMIT;
    hbg_session *session;
    hbg_text text;
    assert_int_equal(hbg_session_new(&session_options, &session), HBG_OK);
    hbg_model *model;
    outcome result = {.status = hbg_load_text(session, "hostile.hbg", data, size, options, &model)};
    if (result.status == HBG_OK) {
        take(session, hbg_list_text(session, model, &text), &text);
        take(session, hbg_list_json(session, model, &text), &text);
        take(session, hbg_dump_text(session, model, &text), &text);
    }
    result.errors = hbg_error_count(session);
    take(session, hbg_diagnostics_json(session, &text), &text);
    assert_int_equal(hbg_diagnostics_text(session, true, &text), HBG_OK);
    result.text = strdup(text.data);
    hbg_text_free(session, &text);
    result.memory = hbg_session_peak_memory(session);
    if (hbg_format(session, "hostile.hbg", data, size, &text) == HBG_OK) hbg_text_free(session, &text);
    hbg_session_free(session);
    double seconds = seconds_now() - start;
    if (seconds > allowed) fail_msg("took %.1f s, more than %.1f", seconds, allowed);
    return result;
}

static inline void expect_model(growing *text) {
    end(text);
    outcome result = use(text->data, text->size, NULL);
    if (result.status != HBG_OK) fail_msg("no model: %.300s", result.text);
    free(result.text);
    free(text->data);
}

/* The text is refused with `errors` errors (0: any number) and these words among what is told. */
static inline void expect_refusal(growing *text, int64_t errors, const char *words) {
    end(text);
    outcome result = use(text->data, text->size, NULL);
    if (result.status != HBG_BAD_MODEL) fail_msg("status %d", result.status);
    if (!strstr(result.text, words)) fail_msg("`%s` is not told, but: %.500s", words, result.text);
    if (errors > 0) assert_int_equal(result.errors, errors);
    free(result.text);
    free(text->data);
}

#endif
