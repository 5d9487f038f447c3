/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A repair as a line to paste: the user's line, or lines, of the transition, with the further condition after
 * its guard. */
#include <string.h>

#include "api/verify_impl.h"

/* Where the line with this byte of the source begins, and where it ends. */
static size_t line_start(const hbg_source *source, size_t at) {
    while (at > 0 && source->text[at - 1] != '\n') at--;
    return at;
}

static size_t line_end(const hbg_source *source, size_t at) {
    while (at < source->size && source->text[at] != '\n') at++;
    return at;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Text of the source; blanks at the beginning of a line, and line ends, become one blank. */
static void put_source(const hbg_source *source, size_t from, size_t to, hbg_buffer *out) {
    for (size_t i = from; i < to; i++) {
        char c = source->text[i];
        bool blank = is_blank(c);
        bool first = out->size == 0 || out->data[out->size - 1] == ' ';
        if (!blank || !first) hbg_base_buffer_char(out, blank ? ' ' : c);
    }
}

static const hbg_source *source_of(const hbg_session *session, hbg_span span) {
    for (int32_t i = 0; i < session->sources.items.count; i++) {
        const hbg_source *source = &session->sources.items.items[i];
        if (span.start >= source->base && span.end <= source->base + source->size) return source;
    }
    return NULL;
}

static bool has_comment(const hbg_source *source, size_t from, size_t to) {
    for (size_t i = from; i + 1 < to; i++)
        if (source->text[i] == '/' && source->text[i + 1] == '/') return true;
    return false;
}

/* The guard with all brackets around it: from after `when` to the semicolon. */
static void find_guard(const hbg_source *source, size_t *from, size_t *to) {
    while (*from > 0 && (is_blank(source->text[*from - 1]) || source->text[*from - 1] == '(')) --*from;
    while (is_blank(source->text[*from])) ++*from;
    while (*to < source->size && source->text[*to] != ';') ++*to;
    while (*to > *from && is_blank(source->text[*to - 1])) --*to;
}

/* Whether the model can still be read with the line in it. Files other than the model's own are not tried:
 * alone they are not a model. */
static bool checks(const verify_report *report, const hbg_source *source, size_t start, size_t end,
                   const char *line) {
    hbg_session *session = report->session;
    hbg_names names;
    hbg_sources sources;
    hbg_diagnostics diagnostics;
    hbg_lang lang = session->lang;
    hbg_lang_options options = {.model = hbg_base_names_get(report->model->names, report->model->name)};
    hbg_buffer text;
    if (source != source_of(session, report->model->span)) return true;
    hbg_base_buffer_init(&text, &session->tried);
    hbg_base_buffer_print(&text, "%.*s%s%s", (int)start, source->text, line, source->text + end);
    hbg_base_names_init(&names, &session->tried);
    hbg_base_sources_init(&sources, &session->tried);
    hbg_base_diagnostics_init(&diagnostics, &session->tried);
    lang.arena = &session->tried;
    lang.scratch = &session->trial;
    lang.names = &names;
    lang.sources = &sources;
    lang.diagnostics = &diagnostics;
    bool can = hbg_lang_read_text(&lang, source->path, text.data, text.size, &options) != NULL;
    hbg_base_arena_fini(&session->trial);
    hbg_base_arena_fini(&session->tried);
    return can;
}

bool hbg_api_verify_repair(const verify_report *report, const hbg_repair *repair, verify_edit *edit) {
    hbg_session *session = report->session;
    const hbg_model *model = report->model;
    hbg_buffer line;
    hbg_place place;
    *edit = (verify_edit){.path = NULL};
    if (!repair->condition) return false;
    const hbg_expr_node *guard = &model->exprs.items[model->transitions.items[repair->transition].guard];
    const hbg_source *source = source_of(session, guard->span);
    if (!source || guard->span.end <= guard->span.start) return false;
    if (!hbg_base_sources_place(&session->sources, guard->span, &place)) return false;
    size_t from = guard->span.start - source->base, to = guard->span.end - source->base;
    find_guard(source, &from, &to);
    size_t start = line_start(source, from), end = line_end(source, to);
    bool brackets = guard->op == HBG_OP_OR || guard->op == HBG_OP_SELECT;
    if (has_comment(source, start, to)) return false; // it would swallow the rest
    hbg_base_buffer_init(&line, &session->scratch);
    put_source(source, start, from, &line);
    if (brackets) hbg_base_buffer_char(&line, '(');
    put_source(source, from, to, &line);
    hbg_base_buffer_print(&line, "%s && %s", brackets ? ")" : "", repair->condition);
    size_t written = line.size;
    put_source(source, to, end, &line);
    if (line.size > written && line.data[line.size - 1] == ' ') line.data[--line.size] = 0;
    edit->refused = !checks(report, source, start, end, line.data);
    if (edit->refused) return false;
    edit->path = place.path;
    edit->line = place.line;
    edit->write = line.data;
    for (size_t i = from; i < to; i++) edit->lines += source->text[i] == '\n';
    edit->lines++;
    return true;
}
