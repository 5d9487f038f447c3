/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the folders for imports offer: each component with its line, the comment before it, its ports and its
 * parameters. */
#include "lang/service_complete_impl.h"

#include <string.h>

typedef struct {
    const hbg_lang_reading *reading;
    hbg_arena *arena;
    HBG_VEC(hbg_lang_catalog_entry) ports, parameters;
} catalog_reader;

static const char *text_of(const char *text) {
    return text ? text : "";
}

/* The source of a span in one line; without brackets around a unit. */
static const char *source_of(const catalog_reader *r, hbg_span span, bool unit) {
    if (span.end <= span.start) return "";
    if (unit) span = (hbg_span){span.start + 1, span.end - 1};
    return hbg_lang_service_copy(r->reading, r->arena, span, true);
}

/* The value of a declaration as written, with its unit: from where it begins to the text that documents it, or the end. */
static const char *value_of(const catalog_reader *r, const syntax_declaration *of, const syntax_expr *value) {
    if (!value) return "";
    const hbg_source *source = hbg_lang_service_source(r->reading, value->span.start);
    const char *start = source->text + (value->span.start - source->base);
    const char *end = source->text + (of->whole.end - source->base);
    const char *after = start + (value->kind == SYNTAX_STRING ? value->span.end - value->span.start : 0);
    const char *doc = memchr(after, '"', (size_t)(end - after));
    if (doc) end = doc;
    while (end > start && strchr(" \n;,", end[-1])) end--;
    uint32_t size = (uint32_t)(end - start);
    return source_of(r, (hbg_span){value->span.start, value->span.start + size}, false);
}

/* ---- the comment in front ------------------------------------------------------------------------------ */

/* Where the line begins whose line end is at `end`. */
static size_t line_start(const char *text, size_t end) {
    while (end > 0 && text[end - 1] != '\n') end--;
    return end;
}

/* One line of a comment without its marks, and without the indentation of the first. */
static void put_line(hbg_buffer *out, const char *line, size_t size, size_t indented) {
    if (strspn(line, " ") < indented) indented = strspn(line, " ");
    while (size > 0 && (line[size - 1] == ' ' || line[size - 1] == '\n')) size--;
    if (indented > size) indented = size;
    line += indented, size -= indented;
    bool marked = size >= 2 && (memcmp(line, "//", 2) == 0 || memcmp(line, "/*", 2) == 0);
    if (size >= 2 && memcmp(line + size - 2, "*/", 2) == 0) size -= 2;
    size_t blanks = marked && size >= 2 ? 2 : 0;
    while (blanks < size && blanks < 3 && line[blanks] == ' ') blanks++;
    while (size > blanks && line[size - 1] == ' ') size--;
    if (out->size > 0) hbg_base_buffer_char(out, '\n');
    hbg_base_buffer_print(out, "%.*s", (int)(size - blanks), line + blanks);
}

/* Whether a comment begins after something else on the line. */
static bool opens_within(const char *line, size_t size) {
    for (size_t i = 0; i + 1 < size; i++)
        if (line[i] == '/' && line[i + 1] == '*') return true;
    return false;
}

/* Whether a line is part of a comment that ends right below it: `in_block` while a block comment is open,
 * reading upwards. A heading, `// ---- switches ---`, is not. */
static bool is_remark(const char *line, size_t size, bool *in_block) {
    while (size > 0 && *line == ' ') line++, size--;
    while (size > 0 && line[size - 1] == ' ') size--;
    if (*in_block) {
        *in_block = !(size >= 2 && memcmp(line, "/*", 2) == 0);
        return true;
    }
    bool ends = size >= 2 && memcmp(line + size - 2, "*/", 2) == 0;
    bool begins = size >= 2 && memcmp(line, "/*", 2) == 0;
    if (ends && !begins && opens_within(line, size)) return false;
    *in_block = ends && !begins;
    return ends || (size >= 2 && memcmp(line, "//", 2) == 0 && !(size >= 5 && memcmp(line, "// --", 5) == 0));
}

static const char *remark_of(const catalog_reader *r, hbg_span statement) {
    const hbg_source *source = hbg_lang_service_source(r->reading, statement.start);
    size_t below = line_start(source->text, statement.start - source->base), first = below;
    bool in_block = false;
    while (first > 0) {
        size_t start = line_start(source->text, first - 1);
        if (!is_remark(source->text + start, first - 1 - start, &in_block)) break;
        first = start;
    }
    hbg_buffer out;
    hbg_base_buffer_init(&out, r->arena);
    for (size_t at = first; at < below;) {
        const char *end = memchr(source->text + at, '\n', below - at);
        size_t next = (size_t)(end - source->text) + 1;
        put_line(&out, source->text + at, next - at, strspn(source->text + first, " "));
        at = next;
    }
    return hbg_base_arena_print(r->arena, "%.*s", (int)out.size, out.size > 0 ? out.data : "");
}

/* ---- ports and parameters ------------------------------------------------------------------------------ */

static const char *type_of(const syntax_signal *signal) {
    switch (signal->type) {
    case HBG_TYPE_BOOL: return " bool";
    case HBG_TYPE_EVENT: return " event";
    default: return "";
    }
}

static bool has_port(const catalog_reader *r, const char *name) {
    for (int32_t i = 0; i < r->ports.count; i++)
        if (strcmp(r->ports.items[i].name, name) == 0) return true;
    return false;
}

static void add_port(catalog_reader *r, const syntax_declaration *of) {
    hbg_lang_catalog_entry port = {hbg_lang_service_name(r->reading, of->name), "",
                                   source_of(r, of->unit, true), "", text_of(of->doc)};
    if (of->kind == DECLARE_PORT) {
        port.what = hbg_lang_service_name(r->reading, of->domain.name);
    } else {
        bool in = of->signal->direction == PORT_IN;
        port.what = hbg_base_arena_print(r->arena, "%s%s", in ? "in" : "out", type_of(of->signal));
        if (in) port.value = value_of(r, of, of->signal->value);
    }
    if (!has_port(r, port.name))
        HBG_PUSH(r->arena, r->ports, port); // both branches of a condition may have it
}

static void add_ports(catalog_reader *r, const syntax_declarations *declarations) {
    for (int32_t i = 0; i < declarations->count; i++) {
        const syntax_declaration *of = &declarations->items[i];
        bool signal = of->kind == DECLARE_SIGNAL && of->signal->direction != PORT_NOT;
        if (signal || of->kind == DECLARE_PORT) add_port(r, of);
        if (of->kind != DECLARE_IF && of->kind != DECLARE_FOR) continue;
        add_ports(r, &of->block->body);
        add_ports(r, &of->block->otherwise);
    }
}

static void add_parameter(catalog_reader *r, const syntax_declaration *of) {
    hbg_lang_catalog_entry parameter = {hbg_lang_service_name(r->reading, of->name), "",
                                        source_of(r, of->unit, true), value_of(r, of, of->param),
                                        text_of(of->doc)};
    HBG_PUSH(r->arena, r->parameters, parameter);
}

static hbg_lang_catalog_item read_item(const hbg_lang_reading *reading, hbg_arena *arena, int32_t symbol,
                                       const char *file) {
    const syntax_definition *of = reading->symbols.items[symbol].definition;
    catalog_reader r = {.reading = reading, .arena = arena};
    for (int32_t i = 0; i < of->header_count; i++) add_parameter(&r, &of->declarations.items[i]);
    add_ports(&r, &of->declarations);
    return (hbg_lang_catalog_item){.file = file,
                                   .name = hbg_lang_service_name_of(reading, symbol),
                                   .doc = text_of(of->doc),
                                   .remark = remark_of(&r, of->statement),
                                   .ports = r.ports.items,
                                   .port_count = r.ports.count,
                                   .parameters = r.parameters.items,
                                   .parameter_count = r.parameters.count};
}

/* Whether an earlier folder has a file of that name with such a component: an import takes that one. */
static bool is_hidden(const service_library *library, int32_t item) {
    const service_library_item *of = &library->items[item];
    const char *name = hbg_lang_service_name_of(of->reading, of->symbol);
    for (int32_t i = 0; i < item; i++) {
        const service_library_item *other = &library->items[i];
        if (other->reading != of->reading && strcmp(other->file, of->file) == 0 &&
            strcmp(hbg_lang_service_name_of(other->reading, other->symbol), name) == 0)
            return true;
    }
    return false;
}

hbg_lang_catalog hbg_lang_catalog_read(const hbg_lang_workspace *workspace, hbg_arena *arena) {
    // into an empty document everything could be imported
    const hbg_lang_reading *reading = hbg_lang_reading_new(arena, workspace, "", "", 0, false);
    service_library library = {0};
    hbg_lang_service_library(reading, arena, &library);
    HBG_VEC(hbg_lang_catalog_item) items = {0};
    for (int32_t i = 0; i < library.count; i++) {
        const service_library_item *of = &library.items[i];
        if (is_hidden(&library, i)) continue;
        hbg_lang_catalog_item item = read_item(of->reading, arena, of->symbol, of->file);
        HBG_PUSH(arena, items, item);
    }
    return (hbg_lang_catalog){items.items, items.count};
}
