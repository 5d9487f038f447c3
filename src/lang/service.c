/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: a document is read with all it imports, its names are indexed, and its first model is checked. */
#include "lang/service_impl.h"

#include "lang/parser_impl.h"

#include <string.h>

static void prepare(hbg_lang_reading *reading) {
    hbg_arena *arena = reading->arena;
    const hbg_lang_workspace *workspace = reading->workspace;
    hbg_base_names_init(&reading->names, arena);
    hbg_base_sources_init(&reading->sources, arena);
    hbg_base_diagnostics_init(&reading->diagnostics, arena);
    reading->lang = (hbg_lang){.arena = arena,
                               .scratch = arena,
                               .names = &reading->names,
                               .sources = &reading->sources,
                               .diagnostics = &reading->diagnostics,
                               .units = workspace->units,
                               .search = workspace->search,
                               .search_count = workspace->search_count,
                               .overlays = workspace->overlays,
                               .overlay_count = workspace->overlay_count,
                               .tolerant = true};
    hbg_lang_elaborate_init(&reading->elaborator, &reading->lang, NULL);
}

/* A text that cannot be read is an empty one; the diagnostics say why. */
static void stand_in(hbg_lang_reading *reading) {
    reading->unreadable = true;
    if (reading->sources.items.count == 0)
        (void)hbg_base_sources_add(&reading->sources, reading->path, "", 0);
    int32_t source = hbg_base_sources_add(&reading->sources, reading->path, "", 0);
    reading->file = hbg_lang_parser_parse(&reading->lang, source < 0 ? 0 : source, true);
}

hbg_lang_reading *hbg_lang_reading_new(hbg_arena *arena, const hbg_lang_workspace *workspace,
                                       const char *path, const char *text, size_t size, bool check) {
    hbg_lang_reading *reading = HBG_NEW(arena, hbg_lang_reading);
    reading->arena = arena;
    reading->workspace = workspace;
    reading->path = hbg_base_arena_copy(arena, path, strlen(path));
    prepare(reading);
    hbg_lang_elaborate_load_text(&reading->elaborator, reading->path, text, size);
    if (reading->elaborator.files.count > 0) reading->file = reading->elaborator.files.items[0].syntax;
    if (!reading->file) stand_in(reading);
    reading->source = &reading->sources.items.items[0];
    hbg_lang_service_index(reading);
    if (check && !reading->unreadable) reading->model = hbg_lang_elaborate(&reading->elaborator, NULL);
    reading->source = &reading->sources.items.items[0]; // tables are sources too, and the list may have moved
    return reading;
}

const hbg_model *hbg_lang_reading_model(const hbg_lang_reading *reading) {
    return reading->model;
}

/* ---- texts and places --------------------------------------------------------------------------------- */

const char *hbg_lang_service_name(const hbg_lang_reading *reading, hbg_name name) {
    return hbg_base_names_get(&reading->names, name);
}

const char *hbg_lang_service_name_of(const hbg_lang_reading *reading, int32_t symbol) {
    return hbg_lang_service_name(reading, reading->symbols.items[symbol].name);
}

const hbg_source *hbg_lang_service_source(const hbg_lang_reading *reading, uint32_t position) {
    const hbg_source *found = &reading->sources.items.items[0];
    for (int32_t i = 1; i < reading->sources.items.count; i++)
        if (reading->sources.items.items[i].base <= position) found = &reading->sources.items.items[i];
    return found;
}

hbg_service_place hbg_lang_service_place(const hbg_lang_reading *reading, hbg_span span) {
    const hbg_source *source = hbg_lang_service_source(reading, span.start);
    size_t start = span.start < source->base ? 0 : span.start - source->base;
    size_t end = span.end < span.start ? start : start + (span.end - span.start);
    if (start > source->size) start = source->size;
    if (end > source->size) end = source->size;
    return (hbg_service_place){source->path, start, end};
}

hbg_service_place hbg_lang_reading_place(const hbg_lang_reading *reading, hbg_span span) {
    return span.end == 0 ? (hbg_service_place){0} : hbg_lang_service_place(reading, span);
}

const char *hbg_lang_service_copy(const hbg_lang_reading *reading, hbg_arena *arena, hbg_span span,
                                  bool line) {
    const hbg_source *source = hbg_lang_service_source(reading, span.start);
    hbg_service_place place = hbg_lang_service_place(reading, span);
    const char *text = source->text + place.start;
    if (!line) return hbg_base_arena_copy(arena, text, place.end - place.start);
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, arena);
    for (size_t i = 0; i < place.end - place.start; i++) {
        bool blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n';
        if (!blank)
            hbg_base_buffer_char(&buffer, text[i]);
        else if (buffer.size > 0 && buffer.data[buffer.size - 1] != ' ')
            hbg_base_buffer_char(&buffer, ' ');
    }
    return buffer.size > 0 ? buffer.data : "";
}
