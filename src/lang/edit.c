/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gestures as edits: what all of them need. An edit changes as little of the text as it can: unrelated
 * comments, blank lines and order stay. */
#include "lang/edit_impl.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text around a place --------------------------------------------------------------------------- */

/* Blanks at the start of the line of a position; also whether nothing else is before the position. */
const char *hbg_lang_edit_indent(const service_editing *editing, uint32_t position, bool *first) {
    const hbg_source *source = hbg_lang_service_source(editing->reading, position);
    uint32_t at = position - source->base, line = at;
    while (line > 0 && source->text[line - 1] != '\n') line--;
    uint32_t end = line;
    while (end < at && (source->text[end] == ' ' || source->text[end] == '\t')) end++;
    *first = end == at;
    return hbg_base_arena_copy(editing->arena, source->text + line, end - line);
}

/* How many bytes after a position are blank, or a comment, up to the end of the line; -1 if something else
 * follows. */
static int rest_of_line(const hbg_source *source, uint32_t at) {
    uint32_t end = at;
    while (end < source->size && source->text[end] != '\n') end++;
    for (uint32_t i = at; i < end; i++) {
        char c = source->text[i];
        if (c == ' ' || c == '\t' || c == '\r') continue;
        if (c == '/' && i + 1 < end && source->text[i + 1] == '/') break;
        return -1;
    }
    if (end > at && source->text[end - 1] == '\r') end--;
    return (int)(end - at);
}

const syntax_file *hbg_lang_edit_file(const hbg_lang_reading *reading, uint32_t position) {
    const hbg_source *source = hbg_lang_service_source(reading, position);
    for (int32_t i = 0; i < reading->elaborator.files.count; i++) {
        const syntax_file *file = reading->elaborator.files.items[i].syntax;
        if (file && &reading->sources.items.items[file->source] == source) return file;
    }
    return reading->file;
}

/* ---- edits --------------------------------------------------------------------------------------------- */

void hbg_lang_edit_refuse(service_editing *editing, hbg_status status, const char *format, ...) {
    if (editing->reason) return;
    va_list arguments;
    va_start(arguments, format);
    editing->reason = hbg_base_arena_vprint(editing->arena, format, arguments);
    va_end(arguments);
    editing->status = status;
}

void hbg_lang_edit_replace(service_editing *editing, hbg_span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = hbg_base_arena_vprint(editing->arena, format, arguments);
    va_end(arguments);
    hbg_service_edit edit = {hbg_lang_service_place(editing->reading, span), text};
    HBG_PUSH(editing->arena, editing->edits, edit);
}

void hbg_lang_edit_remove(service_editing *editing, hbg_span statement) {
    const hbg_source *source = hbg_lang_service_source(editing->reading, statement.start);
    bool first;
    const char *indent = hbg_lang_edit_indent(editing, statement.start, &first);
    uint32_t at = statement.end - source->base;
    uint32_t blank = at;
    while (blank < source->size &&
           (source->text[blank] == ' ' || source->text[blank] == '\t' || source->text[blank] == '\r'))
        blank++;
    bool last = blank >= source->size || source->text[blank] == '\n';
    if (first && last) { // the whole line
        statement.start -= (uint32_t)strlen(indent);
        statement.end = source->base + (blank < source->size ? blank + 1 : blank);
    } else if (!first) { // with the blanks before it
        while (statement.start > source->base && source->text[statement.start - source->base - 1] == ' ')
            statement.start--;
    } else {
        statement.end = source->base + blank;
    }
    hbg_lang_edit_replace(editing, statement, "%s", "");
}

/* Of lines inserted one by one at the same place, later ones come after earlier ones. */
static void insert(service_editing *editing, uint32_t at, const char *text) {
    hbg_service_place place = hbg_lang_service_place(editing->reading, (hbg_span){at, at});
    for (int32_t i = 0; i < editing->edits.count; i++) {
        hbg_service_edit *edit = &editing->edits.items[i];
        if (edit->place.start != place.start || edit->place.end != place.end ||
            edit->place.path != place.path)
            continue;
        edit->text = hbg_base_arena_print(editing->arena, "%s%s", edit->text, text);
        return;
    }
    hbg_service_edit edit = {place, text};
    HBG_PUSH(editing->arena, editing->edits, edit);
}

/* Every line of the text after the first, with the indentation. */
static const char *indented(service_editing *editing, const char *indent, const char *text) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, editing->arena);
    for (const char *c = text; *c; c++) {
        hbg_base_buffer_char(&out, *c);
        if (*c == '\n' && c[1] != '\n' && c[1] != 0) hbg_base_buffer_text(&out, indent);
    }
    return out.size ? out.data : "";
}

void hbg_lang_edit_insert_after(service_editing *editing, hbg_span statement, const char *line) {
    const hbg_source *source = hbg_lang_service_source(editing->reading, statement.start);
    bool first;
    const char *indent = hbg_lang_edit_indent(editing, statement.start, &first);
    int rest = rest_of_line(source, statement.end - source->base);
    if (rest < 0 && !first) { // among others on one line
        insert(editing, statement.end, hbg_base_arena_print(editing->arena, " %s", line));
        return;
    }
    uint32_t at = statement.end + (uint32_t)(rest > 0 ? rest : 0);
    insert(editing, at,
           hbg_base_arena_print(editing->arena, "\n%s%s", indent, indented(editing, indent, line)));
}

void hbg_lang_edit_insert_last(service_editing *editing, hbg_span body, hbg_span last, const char *line) {
    if (last.end > 0) {
        hbg_lang_edit_insert_after(editing, last, line);
        return;
    }
    const hbg_source *source = hbg_lang_service_source(editing->reading, body.start);
    bool first;
    const char *outer = hbg_lang_edit_indent(editing, body.start, &first);
    uint32_t open = body.start + 1, rest = (uint32_t)(open - source->base);
    while (rest < source->size &&
           (source->text[rest] == ' ' || source->text[rest] == '\t' || source->text[rest] == '\r'))
        rest++;
    const char *inner = hbg_base_arena_print(editing->arena, "%s    ", outer);
    bool closes = rest < source->size && source->text[rest] == '}';
    if (closes) { // `{ }`: the blanks between are removed
        hbg_span blanks = {open, source->base + rest};
        hbg_lang_edit_replace(editing, blanks, "\n%s%s\n%s", inner, indented(editing, inner, line), outer);
        return;
    }
    int comment = rest_of_line(source, open - source->base);
    uint32_t at = open + (uint32_t)(comment > 0 ? comment : 0);
    const char *end = comment < 0 ? hbg_base_arena_print(editing->arena, "\n%s", inner) : "";
    insert(editing, at,
           hbg_base_arena_print(editing->arena, "\n%s%s%s", inner, indented(editing, inner, line), end));
}

static int by_place(const void *a, const void *b) {
    const hbg_service_edit *x = a, *y = b;
    int paths = strcmp(x->place.path, y->place.path);
    if (paths != 0) return paths;
    if (x->place.start != y->place.start) return x->place.start < y->place.start ? -1 : 1;
    return x->place.end < y->place.end ? -1 : x->place.end > y->place.end;
}

void hbg_lang_edit_sort(service_editing *editing) {
    if (editing->edits.count > 1)
        qsort(editing->edits.items, (size_t)editing->edits.count, sizeof *editing->edits.items, by_place);
}

/* ---- names --------------------------------------------------------------------------------------------- */

int32_t hbg_lang_edit_find(service_editing *editing, int32_t definition, const char *path, int32_t *owner) {
    const hbg_lang_reading *reading = editing->reading;
    int32_t found = HBG_NONE;
    *owner = definition;
    for (const char *from = path ? path : ""; *from || from == path;) {
        size_t size = strcspn(from, ".");
        size_t name = strcspn(from, ".[");
        if (found != HBG_NONE) *owner = hbg_lang_service_component(reading, found);
        found =
            *owner == HBG_NONE
                ? HBG_NONE
                : hbg_lang_service_member(reading, *owner, hbg_base_names_find(&reading->names, from, name));
        if (found == HBG_NONE) break;
        from += size;
        if (*from == '.') from++;
        if (!*from) return found;
    }
    hbg_lang_edit_refuse(editing, HBG_NOT_FOUND, "nothing is called `%s` in `%s`", path ? path : "",
                         hbg_lang_service_name_of(reading, definition));
    return HBG_NONE;
}

bool hbg_lang_edit_may(service_editing *editing, int32_t symbol) {
    const hbg_lang_reading *reading = editing->reading;
    const char *path = hbg_lang_service_place(reading, reading->symbols.items[symbol].span).path;
    char real[PATH_MAX], folder[PATH_MAX];
    if (strcmp(path, reading->path) == 0 || !realpath(path, real)) return true;
    for (int i = 0; i < reading->workspace->search_count; i++) {
        if (!realpath(reading->workspace->search[i], folder)) continue;
        size_t size = strlen(folder);
        if (strncmp(real, folder, size) != 0 || real[size] != '/') continue;
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT,
                             "`%s` is declared in `%s`, which is part of the library",
                             hbg_lang_service_name_of(reading, symbol), path);
        return false;
    }
    return true;
}

bool hbg_lang_edit_is_name(const char *name) {
    static const char *const constants[] = {"true", "false", "pi", "time", "in"};
    static const char *const reserved[] = {
#define X(word) #word,
        HBG_RESERVED_LIST(X)
#undef X
    };
    size_t size = strlen(name);
    if (size == 0 || size > HBG_LEXER_NAME_LIMIT || (name[0] >= '0' && name[0] <= '9')) return false;
    for (size_t i = 0; i < size; i++) {
        char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strcmp(constants[i], name) == 0) return false;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(reserved[i], name) == 0) return false;
    return true;
}

typedef struct {
    const hbg_lang_reading *reading;
    int32_t definition;
} edit_names;

static bool is_taken(const void *context, const char *name) {
    const edit_names *names = context;
    return !hbg_lang_edit_is_name(name) ||
           hbg_lang_service_find(names->reading, names->definition, name) != HBG_NONE;
}

const char *hbg_lang_edit_fresh(service_editing *editing, int32_t definition, const char *stem) {
    edit_names names = {editing->reading, definition};
    return hbg_lang_elaborate_fresh(editing->arena, stem, is_taken, &names);
}

/* ---- words that come with a gesture ---------------------------------------------------------------------- */

/* A front end for a few words, independent of the rest. */
static int32_t words_source(service_editing *editing, hbg_lang *lang, const char *text) {
    hbg_arena *arena = editing->arena;
    hbg_names *names = HBG_NEW(arena, hbg_names);
    hbg_sources *sources = HBG_NEW(arena, hbg_sources);
    hbg_diagnostics *diagnostics = HBG_NEW(arena, hbg_diagnostics);
    hbg_base_names_init(names, arena);
    hbg_base_sources_init(sources, arena);
    hbg_base_diagnostics_init(diagnostics, arena);
    *lang = (hbg_lang){
        .arena = arena, .scratch = arena, .names = names, .sources = sources, .diagnostics = diagnostics};
    int32_t source = hbg_base_sources_add(sources, "", text, strlen(text));
    if (source >= 0 && hbg_lang_lexer_check_text(lang, &sources->items.items[source])) return source;
    return HBG_NONE;
}

static bool refuse_words(service_editing *editing, const hbg_lang *lang, const char *text, const char *what) {
    const char *why =
        lang->diagnostics->items.count > 0 ? lang->diagnostics->items.items[0].text : "it is too long";
    hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%.100s` is no %s: %s", text, what, why);
    return false;
}

bool hbg_lang_edit_is_expression(service_editing *editing, const char *text) {
    hbg_lang lang;
    syntax_expr_list list = {0};
    int32_t source = words_source(editing, &lang, text);
    if (source == HBG_NONE || !hbg_lang_parser_parse_list(&lang, source, &list) || list.count != 1 ||
        lang.diagnostics->errors > 0 || strchr(text, '\n') || strstr(text, "//"))
        return refuse_words(editing, &lang, text, "value");
    return true;
}

/* Parses `before text after` as a file; NULL with a refusal unless it is one without errors. */
const syntax_file *hbg_lang_edit_parse(service_editing *editing, const char *before, const char *text,
                                       const char *after, const char *what) {
    hbg_lang lang;
    const char *whole = hbg_base_arena_print(editing->arena, "%s%s%s", before, text, after);
    int32_t source = words_source(editing, &lang, whole);
    const syntax_file *file = source == HBG_NONE ? NULL : hbg_lang_parser_parse(&lang, source, false);
    if (file && lang.diagnostics->errors == 0 && !strstr(text, "//") && !strchr(text, '\n')) return file;
    refuse_words(editing, &lang, text, what);
    return NULL;
}
