/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Diagnostics in the form for people:
 *
 *     error[E0301]: nothing here is called `nod`
 *       --> diode.hbg:21:13
 *     21 |     j_sw -> nod;
 *        |             ^^^
 *        = help: did you mean `node`? */
#include "api/report_impl.h"

#include <string.h>

#define TAB_WIDTH  4
#define LINE_SHOWN 160 /* characters of a source line; a longer one is cut around the mark */

typedef struct {
    hbg_session *session;
    hbg_buffer out;
    bool colour;
    const char *last_text; /* the source line shown last, and from which byte on */
    size_t last_from;
} report_writer;

static void paint(report_writer *writer, const char *code) {
    if (writer->colour) hbg_base_buffer_print(&writer->out, "\033[%sm", code);
}

static const char *severity_colour(hbg_severity severity) {
    return severity == HBG_ERROR ? "1;31" : severity == HBG_WARNING ? "1;35" : "1;36";
}

static const char *severity_word(const hbg_diagnostic *diagnostic) {
    static const char *const words[] = {
        [HBG_NOTE] = "note", [HBG_WARNING] = "warning", [HBG_ERROR] = "error"};
    return words[diagnostic->severity];
}

static int digits_of(int32_t number) {
    int digits = 1;
    while (number >= 10) number /= 10, digits++;
    return digits;
}

/* Appends source text, control characters made visible. */
static void put_source(report_writer *writer, const char *text, size_t size) {
    for (size_t i = 0; i < size;) {
        size_t length = hbg_base_utf8_length(text + i, size - i);
        if (text[i] == '\t')
            hbg_base_buffer_add(&writer->out, "    ", TAB_WIDTH);
        else if (length == 0 || hbg_base_utf8_steers(text + i, length))
            hbg_base_buffer_char(&writer->out, '?');
        else
            hbg_base_buffer_add(&writer->out, text + i, length);
        i += length == 0 ? 1 : length;
    }
}

/* How many bytes from `start` make at most `columns` characters, going right. */
static size_t take_characters(const char *text, size_t size, int columns) {
    size_t i = 0;
    while (i < size && columns > 0) {
        i++;
        while (i < size && ((unsigned char)text[i] & 0xC0) == 0x80) i++;
        columns--;
    }
    return i;
}

static void put_gutter(report_writer *writer, int width, const char *number) {
    paint(writer, "1;34");
    hbg_base_buffer_print(&writer->out, "%*s |", width, number);
    paint(writer, "0");
}

/* Which part of a source line is shown: all of it, or of a very long one the part around the mark. */
typedef struct {
    size_t from, size;   /* bytes of the line */
    size_t lead, marked; /* of these: before the mark, and the mark */
} line_view;

static line_view view_of(const hbg_place *place) {
    line_view view = {0};
    if (place->mark > LINE_SHOWN / 2) {
        view.from = place->mark - LINE_SHOWN / 2;
        while (view.from < place->mark && ((unsigned char)place->text[view.from] & 0xC0) == 0x80) view.from++;
    }
    view.size = take_characters(place->text + view.from, place->text_size - view.from, LINE_SHOWN);
    view.lead = place->mark - view.from < view.size ? place->mark - view.from : view.size;
    view.marked = place->mark_size < view.size - view.lead ? place->mark_size : view.size - view.lead;
    return view;
}

static int columns_of(const char *text, size_t size) {
    int columns = 0;
    for (size_t i = 0; i < size;) {
        size_t length = hbg_base_utf8_length(text + i, size - i);
        columns += text[i] == '\t' ? TAB_WIDTH : 1;
        i += length == 0 ? 1 : length;
    }
    return columns;
}

/* The source line, unless it was just shown. */
static void put_line(report_writer *writer, const hbg_place *place, const line_view *view, int width) {
    bool shown = writer->last_text == place->text && writer->last_from == view->from;
    writer->last_text = place->text;
    writer->last_from = view->from;
    if (shown) return;
    put_gutter(writer, width, hbg_base_arena_print(writer->out.arena, "%d", place->line));
    hbg_base_buffer_text(&writer->out, view->from > 0 ? " …" : " ");
    put_source(writer, place->text + view->from, view->size);
    hbg_base_buffer_text(&writer->out, view->from + view->size < place->text_size ? "…\n" : "\n");
}

/* The source line, and below it a mark under the place with its message. */
static void put_place(report_writer *writer, const hbg_place *place, const char *message,
                      hbg_severity severity, int width) {
    line_view view = view_of(place);
    put_line(writer, place, &view, width);
    put_gutter(writer, width, "");
    const char *text = place->text + view.from;
    hbg_base_buffer_print(&writer->out, " %*s", columns_of(text, view.lead) + (view.from > 0), "");
    paint(writer, severity_colour(severity));
    int length = columns_of(text + view.lead, view.marked);
    for (int i = 0; i < (length > 0 ? length : 1); i++)
        hbg_base_buffer_char(&writer->out, severity == HBG_NOTE ? '-' : '^');
    if (message) hbg_base_buffer_print(&writer->out, " %s", message);
    paint(writer, "0");
    hbg_base_buffer_char(&writer->out, '\n');
}

static void put_where(report_writer *writer, const hbg_place *place, int width, const char *arrow) {
    paint(writer, "1;34");
    hbg_base_buffer_print(&writer->out, "%*s%s ", width, "", arrow);
    paint(writer, "0");
    put_source(writer, place->path, strlen(place->path));
    hbg_base_buffer_print(&writer->out, ":%d:%d\n", place->line, place->column);
}

static void put_note(report_writer *writer, const hbg_diagnostic_note *note, const hbg_place *main,
                     int width) {
    hbg_place place;
    if (!hbg_base_sources_place(&writer->session->sources, note->span, &place)) {
        paint(writer, "1;34");
        hbg_base_buffer_print(&writer->out, "%*s = ", width, "");
        paint(writer, "0");
        hbg_base_buffer_print(&writer->out, "note: %s\n", note->text);
        return;
    }
    if (!main || strcmp(main->path, place.path) != 0) put_where(writer, &place, width, " :::");
    put_place(writer, &place, note->text, HBG_NOTE, width);
}

/* The widest line number among the places, so that the bars are aligned. */
static int gutter_width(report_writer *writer, const hbg_diagnostic *diagnostic) {
    hbg_place place;
    int width = 1;
    if (hbg_base_sources_place(&writer->session->sources, diagnostic->span, &place))
        width = digits_of(place.line);
    for (int32_t i = 0; i < diagnostic->notes.count; i++)
        if (hbg_base_sources_place(&writer->session->sources, diagnostic->notes.items[i].span, &place) &&
            digits_of(place.line) > width)
            width = digits_of(place.line);
    return width;
}

static void put_diagnostic(report_writer *writer, const hbg_diagnostic *diagnostic) {
    const hbg_diagnostic_kind *kind = hbg_base_diagnostic_kind_get(diagnostic->id);
    paint(writer, severity_colour(diagnostic->severity));
    hbg_base_buffer_print(&writer->out, "%s[%s]", severity_word(diagnostic), kind->code);
    paint(writer, "0");
    paint(writer, "1");
    hbg_base_buffer_print(&writer->out, ": %s", diagnostic->text);
    paint(writer, "0");
    if (kind->severity == HBG_WARNING) hbg_base_buffer_print(&writer->out, " [%s]", kind->name);
    hbg_base_buffer_char(&writer->out, '\n');
    int width = gutter_width(writer, diagnostic);
    writer->last_text = NULL;
    hbg_place place;
    bool placed = hbg_base_sources_place(&writer->session->sources, diagnostic->span, &place);
    if (placed) {
        put_where(writer, &place, width, "-->");
        put_place(writer, &place, NULL, diagnostic->severity, width);
    }
    for (int32_t i = 0; i < diagnostic->notes.count; i++)
        put_note(writer, &diagnostic->notes.items[i], placed ? &place : NULL, width);
    if (diagnostic->fix) {
        paint(writer, "1;34");
        hbg_base_buffer_print(&writer->out, "%*s = ", width, "");
        paint(writer, "1;32");
        hbg_base_buffer_text(&writer->out, "help: ");
        paint(writer, "0");
        hbg_base_buffer_print(&writer->out, "%s\n", diagnostic->fix);
    }
    hbg_base_buffer_char(&writer->out, '\n');
}

static void put_uncounted(report_writer *writer, int64_t found, int64_t shown, const char *what) {
    if (found > shown)
        hbg_base_buffer_print(&writer->out, "… and %lld more %s\n", (long long)(found - shown), what);
}

static hbg_status write_diagnostics(hbg_session *session, bool colour, bool all, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    hbg_diagnostics *diagnostics = &session->diagnostics;
    hbg_base_diagnostics_sort(diagnostics);
    report_writer writer = {.session = session, .colour = colour};
    hbg_base_buffer_init(&writer.out, &session->scratch);
    int64_t errors = 0, warnings = 0;
    for (int32_t i = 0; i < diagnostics->items.count; i++) {
        hbg_diagnostic *one = &diagnostics->items.items[i];
        if (all || !one->told) put_diagnostic(&writer, one);
        one->told = true;
        errors += one->severity == HBG_ERROR;
        warnings += one->severity == HBG_WARNING;
    }
    put_uncounted(&writer, diagnostics->errors, errors, "errors");
    put_uncounted(&writer, diagnostics->warnings, warnings, "warnings");
    hbg_status status = hbg_api_text_of(session, writer.out.data, writer.out.size, text);
    return hbg_api_session_leave(session, status);
}

hbg_status hbg_diagnostics_text(hbg_session *session, bool colour, hbg_text *text) {
    return write_diagnostics(session, colour, true, text);
}

hbg_status hbg_diagnostics_news(hbg_session *session, bool colour, hbg_text *text) {
    return write_diagnostics(session, colour, false, text);
}

int64_t hbg_error_count(const hbg_session *session) {
    return session->diagnostics.errors;
}

int64_t hbg_warning_count(const hbg_session *session) {
    return session->diagnostics.warnings;
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static void put_span(hbg_api_report *object, hbg_span span) {
    hbg_place place;
    if (!hbg_base_sources_place(&object->session->sources, span, &place)) return;
    hbg_api_text(object, "file", place.path);
    hbg_api_count(object, "line", place.line);
    hbg_api_count(object, "column", place.column);
    hbg_api_count(object, "bytes", (int64_t)(span.end - span.start));
}

static void report_diagnostic(hbg_api_report *list, const hbg_diagnostic *diagnostic) {
    const hbg_diagnostic_kind *kind = hbg_base_diagnostic_kind_get(diagnostic->id);
    hbg_api_report *object = hbg_api_object(list, NULL);
    hbg_api_text(object, "code", kind->code);
    hbg_api_text(object, "severity", severity_word(diagnostic));
    if (kind->name[0]) hbg_api_text(object, "name", kind->name);
    hbg_api_text(object, "message", diagnostic->text);
    put_span(object, diagnostic->span);
    if (diagnostic->fix) hbg_api_text(object, "help", diagnostic->fix);
    if (diagnostic->notes.count == 0) return;
    hbg_api_report *notes = hbg_api_list(object, "notes");
    for (int32_t i = 0; i < diagnostic->notes.count; i++) {
        hbg_api_report *note = hbg_api_object(notes, NULL);
        hbg_api_text(note, "message", diagnostic->notes.items[i].text);
        put_span(note, diagnostic->notes.items[i].span);
    }
}

hbg_status hbg_diagnostics_json(hbg_session *session, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    hbg_diagnostics *diagnostics = &session->diagnostics;
    hbg_base_diagnostics_sort(diagnostics);
    hbg_api_report *report = hbg_api_report_new(session);
    hbg_api_count(report, "errors", diagnostics->errors);
    hbg_api_count(report, "warnings", diagnostics->warnings);
    hbg_api_report *list = hbg_api_list(report, "diagnostics");
    for (int32_t i = 0; i < diagnostics->items.count; i++)
        report_diagnostic(list, &diagnostics->items.items[i]);
    return hbg_api_session_leave(session, hbg_api_report_print(report, true, text));
}
