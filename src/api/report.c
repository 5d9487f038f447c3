/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Builds the tree of a report, and prints it for people. */
#include "api/report_impl.h"

#include <math.h>
#include <string.h>

/* ---- the tree ----------------------------------------------------------------------------------------- */

void hbg_api_adopt(hbg_api_report *in, hbg_api_report *part) {
    if (in->last)
        in->last->next = part;
    else
        in->first = part;
    in->last = part;
}

static hbg_api_report *add(hbg_api_report *in, const char *key, hbg_report_kind kind) {
    hbg_api_report *node = HBG_NEW(in->arena, hbg_api_report);
    node->session = in->session;
    node->arena = in->arena;
    node->kind = kind;
    node->key = key;
    hbg_api_adopt(in, node);
    return node;
}

void hbg_api_own(hbg_api_report *node) {
    hbg_arena *arena = &node->session->scratch;
    if (node->kind == HBG_REPORT_TEXT || node->kind == HBG_REPORT_JSON)
        node->text = hbg_base_arena_copy(arena, node->text, strlen(node->text));
    if (node->kind == HBG_REPORT_NUMBERS && node->value_count > 0) {
        double *values = HBG_NEW_ARRAY(arena, double, node->value_count);
        memcpy(values, node->values, (size_t)node->value_count * sizeof *values);
        node->values = values;
    }
    for (hbg_api_report *part = node->first; part; part = part->next) hbg_api_own(part);
}

hbg_api_report *hbg_api_report_new(hbg_session *session) {
    return hbg_api_report_begin(session, &session->scratch);
}

hbg_api_report *hbg_api_report_begin(hbg_session *session, hbg_arena *arena) {
    hbg_api_report *root = HBG_NEW(arena, hbg_api_report);
    root->session = session;
    root->arena = arena;
    root->kind = HBG_REPORT_OBJECT;
    return root;
}

hbg_api_report *hbg_api_object(hbg_api_report *in, const char *key) {
    return add(in, key, HBG_REPORT_OBJECT);
}

hbg_api_report *hbg_api_list(hbg_api_report *in, const char *key) {
    return add(in, key, HBG_REPORT_LIST);
}

void hbg_api_text(hbg_api_report *in, const char *key, const char *text) {
    add(in, key, text ? HBG_REPORT_TEXT : HBG_REPORT_NULL)->text = text;
}

void hbg_api_number(hbg_api_report *in, const char *key, double value) {
    add(in, key, isfinite(value) ? HBG_REPORT_NUMBER : HBG_REPORT_NULL)->number = value;
}

void hbg_api_count(hbg_api_report *in, const char *key, int64_t value) {
    add(in, key, HBG_REPORT_COUNT)->count = value;
}

void hbg_api_flag(hbg_api_report *in, const char *key, bool value) {
    add(in, key, HBG_REPORT_FLAG)->flag = value;
}

void hbg_api_json(hbg_api_report *in, const char *key, const char *json) {
    add(in, key, json ? HBG_REPORT_JSON : HBG_REPORT_NULL)->text = json;
}

hbg_api_report *hbg_api_numbers(hbg_api_report *in, const char *key, const double *values, int32_t count) {
    hbg_api_report *node = add(in, key, HBG_REPORT_NUMBERS);
    node->values = values;
    node->value_count = count;
    return node;
}

hbg_api_report *hbg_api_texts(hbg_api_report *in, const char *key, const char *const *texts, int32_t count) {
    hbg_api_report *list = hbg_api_list(in, key);
    for (int32_t i = 0; i < count; i++) hbg_api_text(list, NULL, texts[i]);
    return list;
}

hbg_api_report *hbg_api_lines(hbg_api_report *in, const char *key, const char *lines) {
    hbg_api_report *list = hbg_api_list(in, key);
    while (*lines) {
        size_t size = strcspn(lines, "\n");
        hbg_api_text(list, NULL, hbg_base_arena_copy(in->arena, lines, size));
        lines += size + (lines[size] == '\n');
    }
    return list;
}

/* ---- for people --------------------------------------------------------------------------------------- */

hbg_buffer *hbg_api_words(hbg_api_report *in) {
    if (in->last && in->last->kind == HBG_REPORT_WORDS) return in->last->words;
    hbg_buffer *words = HBG_NEW(in->arena, hbg_buffer);
    hbg_base_buffer_init(words, in->arena);
    add(in, NULL, HBG_REPORT_WORDS)->words = words;
    return words;
}

void hbg_api_say(hbg_api_report *in, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    hbg_base_buffer_text(hbg_api_words(in), hbg_base_arena_vprint(in->arena, format, arguments));
    va_end(arguments);
}

void hbg_api_report_put_words(const hbg_api_report *report, hbg_buffer *out) {
    if (report->kind == HBG_REPORT_WORDS) hbg_base_buffer_add(out, report->words->data, report->words->size);
    for (const hbg_api_report *part = report->first; part; part = part->next)
        hbg_api_report_put_words(part, out);
}

hbg_status hbg_api_report_print(const hbg_api_report *report, bool json, hbg_text *text) {
    if (json) return hbg_api_report_json(report, text);
    hbg_buffer out;
    hbg_base_buffer_init(&out, &report->session->scratch);
    hbg_api_report_put_words(report, &out);
    return hbg_api_text_of(report->session, out.data, out.size, text);
}
