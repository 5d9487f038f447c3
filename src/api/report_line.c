/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Prints the tree of a report for programs, as one line of JSON: every line of an event log is a report.
 * Numbers are the shortest that read back. */
#include "api/report_impl.h"

#include <math.h>

static void put_string(const char *text, hbg_buffer *out) {
    hbg_base_buffer_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') hbg_base_buffer_char(out, '\\');
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            hbg_base_buffer_print(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            hbg_base_buffer_char(out, *text);
    }
    hbg_base_buffer_char(out, '"');
}

static void put_number(double value, hbg_buffer *out) {
    char text[HBG_DOUBLE_TEXT];
    if (isfinite(value))
        hbg_base_buffer_add(out, text, (size_t)hbg_base_double_print(text, value));
    else
        hbg_base_buffer_text(out, "null");
}

static void put_numbers(const hbg_api_report *node, hbg_buffer *out) {
    hbg_base_buffer_char(out, '[');
    for (int32_t i = 0; i < node->value_count; i++) {
        if (i > 0) hbg_base_buffer_char(out, ',');
        put_number(node->values[i], out);
    }
    hbg_base_buffer_char(out, ']');
}

static void put_parts(const hbg_api_report *node, char open, char close, hbg_buffer *out) {
    int count = 0;
    hbg_base_buffer_char(out, open);
    for (const hbg_api_report *part = node->first; part; part = part->next) {
        if (part->kind == HBG_REPORT_WORDS) continue;
        if (count++ > 0) hbg_base_buffer_char(out, ',');
        if (part->key) put_string(part->key, out);
        if (part->key) hbg_base_buffer_char(out, ':');
        hbg_api_report_put_line(part, out);
    }
    hbg_base_buffer_char(out, close);
}

void hbg_api_report_put_line(const hbg_api_report *report, hbg_buffer *out) {
    switch (report->kind) {
    case HBG_REPORT_OBJECT: put_parts(report, '{', '}', out); return;
    case HBG_REPORT_LIST: put_parts(report, '[', ']', out); return;
    case HBG_REPORT_TEXT: put_string(report->text, out); return;
    case HBG_REPORT_NUMBER: put_number(report->number, out); return;
    case HBG_REPORT_COUNT: hbg_base_buffer_print(out, "%lld", (long long)report->count); return;
    case HBG_REPORT_FLAG: hbg_base_buffer_text(out, report->flag ? "true" : "false"); return;
    case HBG_REPORT_JSON: hbg_base_buffer_text(out, report->text); return;
    case HBG_REPORT_NUMBERS: put_numbers(report, out); return;
    case HBG_REPORT_NULL:
    case HBG_REPORT_WORDS: hbg_base_buffer_text(out, "null"); return;
    }
}
