/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Prints the tree of a report for programs, by jansson. Its memory is not that of the session: a value is
 * attached to session->json as soon as it exists, so that exhaustion halfway loses nothing. */
#include "api/report_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* ---- values ------------------------------------------------------------------------------------------- */

/* The name of a file may not be UTF-8, which JSON needs: such bytes become question marks. */
static json_t *string_of(hbg_session *session, const char *text) {
    size_t size = strlen(text);
    char *copy = NULL; // made at the first bad byte
    for (size_t i = 0; i < size;) {
        size_t length = hbg_base_utf8_length(text + i, size - i);
        if (length == 0) {
            if (!copy) copy = hbg_base_arena_copy(&session->scratch, text, size);
            copy[i] = '?';
        }
        i += length == 0 ? 1 : length;
    }
    return json_string(copy ? copy : text);
}

static json_t *value_of(const hbg_api_report *node) {
    switch (node->kind) {
    case HBG_REPORT_OBJECT: return json_object();
    case HBG_REPORT_LIST:
    case HBG_REPORT_NUMBERS: return json_array();
    case HBG_REPORT_TEXT: return string_of(node->session, node->text);
    case HBG_REPORT_NUMBER: return json_real(node->number);
    case HBG_REPORT_COUNT: return json_integer(node->count);
    case HBG_REPORT_FLAG: return json_boolean(node->flag);
    case HBG_REPORT_JSON: return json_loads(node->text, 0, NULL);
    case HBG_REPORT_NULL:
    case HBG_REPORT_WORDS: break;
    }
    return json_null();
}

/* In an object with a key, else in an array. */
static void attach(hbg_memory *memory, json_t *in, const char *key, json_t *value) {
    int failed = -1;
    if (value) failed = key ? json_object_set_new(in, key, value) : json_array_append_new(in, value);
    if (failed) hbg_base_memory_exhausted(memory);
}

static void fill(json_t *value, const hbg_api_report *node) {
    hbg_memory *memory = &node->session->memory;
    for (int32_t i = 0; node->kind == HBG_REPORT_NUMBERS && i < node->value_count; i++)
        attach(memory, value, NULL, isfinite(node->values[i]) ? json_real(node->values[i]) : json_null());
    for (const hbg_api_report *part = node->first; part; part = part->next) {
        if (part->kind == HBG_REPORT_WORDS) continue;
        json_t *made = value_of(part);
        attach(memory, value, part->key, made);
        fill(made, part);
    }
}

/* ---- text --------------------------------------------------------------------------------------------- */

/* A real as short as it reads back to the same number; with a point, so that it stays a real. */
static void put_real(hbg_buffer *out, const char *text, size_t size) {
    hbg_decimal decimal;
    char digits[HBG_DOUBLE_TEXT];
    if (!hbg_base_decimal_parse(out->arena, text, size, &decimal)) {
        hbg_base_buffer_add(out, text, size);
        return;
    }
    hbg_base_double_print(digits, hbg_base_decimal_to_double(decimal));
    hbg_base_buffer_print(out, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
}

static bool in_number(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static bool starts_number(char c) {
    return (c >= '0' && c <= '9') || c == '-';
}

/* The length of the string, number, or other token that begins there. The text may break off anywhere: if
 * memory runs out, jansson does not always report it. */
static size_t token_size(const char *text) {
    size_t size = 1;
    if (*text == '"') {
        for (; text[size] && text[size] != '"'; size++) size += text[size] == '\\' && text[size + 1];
        return size + (text[size] != 0);
    }
    bool number = starts_number(*text);
    while (text[size] && (number ? in_number(text[size]) : text[size] != '"' && !starts_number(text[size])))
        size++;
    return size;
}

/* Copies JSON text with its reals shortened: jansson writes 0.1 as 0.10000000000000001. */
static void put_json(hbg_buffer *out, const char *text) {
    for (size_t size; *text; text += size) {
        size = token_size(text);
        bool number = starts_number(*text);
        if (number && (memchr(text, '.', size) || memchr(text, 'e', size)))
            put_real(out, text, size);
        else
            hbg_base_buffer_add(out, text, size);
    }
}

hbg_status hbg_api_report_json(const hbg_api_report *report, hbg_text *text) {
    hbg_session *session = report->session;
    session->json = json_object();
    if (!session->json) return HBG_NO_MEMORY;
    fill(session->json, report);
    session->printed = json_dumps(session->json, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(session->json);
    session->json = NULL;
    if (!session->printed) return HBG_NO_MEMORY;
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    put_json(&out, session->printed);
    free(session->printed);
    session->printed = NULL;
    // a line end after the last brace, for terminals
    hbg_base_buffer_char(&out, '\n');
    return hbg_api_text_of(session, out.data, out.size, text);
}
