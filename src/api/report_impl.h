/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The report of a command, as one tree. It is built once from a result and printed as text or as JSON: fields
 * and lists are for programs, sentences for people, and each printer skips what is for the other. Nodes live
 * in scratch memory, or where the root was begun, and borrow the strings they are given. */
#ifndef HBG_API_REPORT_IMPL_H
#define HBG_API_REPORT_IMPL_H

#include "api/api_impl.h"

typedef enum {
    HBG_REPORT_OBJECT,
    HBG_REPORT_LIST,
    HBG_REPORT_TEXT,
    HBG_REPORT_NUMBER,
    HBG_REPORT_COUNT,
    HBG_REPORT_FLAG,
    HBG_REPORT_NULL,
    HBG_REPORT_NUMBERS, /* a list of them in one node: a matrix has millions */
    HBG_REPORT_JSON,    /* a text that is JSON already */
    HBG_REPORT_WORDS    /* for people */
} hbg_report_kind;

typedef struct hbg_api_report {
    hbg_session *session;
    hbg_arena *arena;
    hbg_report_kind kind;
    const char *key; /* in its object; NULL in a list */
    union {
        const char *text;
        double number;
        int64_t count;
        bool flag;
        hbg_buffer *words;
        struct {
            const double *values;
            int32_t value_count;
        };
    };
    struct hbg_api_report *first, *last, *next; /* parts; the next part of its owner */
} hbg_api_report;

/* The root, an object. */
hbg_api_report *hbg_api_report_new(hbg_session *session);
/* Likewise, of nodes that do not outlive this arena. */
hbg_api_report *hbg_api_report_begin(hbg_session *session, hbg_arena *arena);

/* A field of an object; with NULL as its key an entry of a list. */
hbg_api_report *hbg_api_object(hbg_api_report *in, const char *key);
hbg_api_report *hbg_api_list(hbg_api_report *in, const char *key);
void hbg_api_text(hbg_api_report *in, const char *key, const char *text); /* NULL: null */
void hbg_api_number(hbg_api_report *in, const char *key, double value);   /* null if it is not finite */
void hbg_api_count(hbg_api_report *in, const char *key, int64_t value);
void hbg_api_flag(hbg_api_report *in, const char *key, bool value);
void hbg_api_json(hbg_api_report *in, const char *key, const char *json); /* NULL: null */
hbg_api_report *hbg_api_numbers(hbg_api_report *in, const char *key, const double *values, int32_t count);
/* A list of texts, and one of the lines of a text. */
hbg_api_report *hbg_api_texts(hbg_api_report *in, const char *key, const char *const *texts, int32_t count);
hbg_api_report *hbg_api_lines(hbg_api_report *in, const char *key, const char *lines);

/* A part that was built separately, as a report, becomes the last. */
void hbg_api_adopt(hbg_api_report *in, hbg_api_report *part);
/* From now on its texts are its own: the originals may be freed. */
void hbg_api_own(hbg_api_report *node);

/* Words for people, appended to the earlier ones; and the buffer in which they are put together. */
void hbg_api_say(hbg_api_report *in, const char *format, ...) HBG_PRINTF(2, 3);
hbg_buffer *hbg_api_words(hbg_api_report *in);

/* Prints the report for the caller of a public function. */
HBG_MUST_CHECK hbg_status hbg_api_report_print(const hbg_api_report *report, bool json, hbg_text *text);
void hbg_api_report_put_words(const hbg_api_report *report, hbg_buffer *out); /* for people, into a text */
/* report_line.c: for programs, as one line of JSON without blanks. */
void hbg_api_report_put_line(const hbg_api_report *report, hbg_buffer *out);
/* report_json.c */
HBG_MUST_CHECK hbg_status hbg_api_report_json(const hbg_api_report *report, hbg_text *text);

#endif
