/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sources laid end to end in one space of positions, and the map from a position to file, line and column.
 * Position 0 is nowhere; after each source one position stays free, so the end of a file is a distinct place.
 * Columns count characters; a byte that is not UTF-8 counts as one. */
#include "base/base.h"

#include <string.h>

void hbg_base_sources_init(hbg_sources *sources, hbg_arena *arena) {
    *sources = (hbg_sources){.arena = arena};
    sources->last.source = -1;
}

int32_t hbg_base_sources_add(hbg_sources *sources, const char *path, const char *text, size_t size) {
    uint64_t base = 1;
    if (sources->items.count > 0) {
        const hbg_source *before = &sources->items.items[sources->items.count - 1];
        base = (uint64_t)before->base + before->size + 1;
    }
    if (size > UINT32_MAX || base + size >= UINT32_MAX) return -1;

    hbg_source source = {.size = (uint32_t)size, .base = (uint32_t)base};
    source.path = hbg_base_arena_copy(sources->arena, path, strlen(path));
    source.text = hbg_base_arena_copy(sources->arena, text, size);
    HBG_PUSH(sources->arena, sources->items, source);
    return sources->items.count - 1;
}

/* The last source that begins at or before the position, or -1. */
static int32_t source_at(const hbg_sources *sources, uint32_t position) {
    int32_t low = 0, high = sources->items.count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (sources->items.items[middle].base <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

static void lines_build(hbg_sources *sources, hbg_source *target) {
    /* in a copy: exhaustion must not leave half a table */
    hbg_source built = *target, *source = &built;
    /* a byte order mark is not part of the first line */
    bool marked = source->size >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0;
    HBG_PUSH(sources->arena, source->lines, marked ? 3U : 0U);
    const char *end = source->text + source->size;
    const char *next = source->text;
    while ((next = memchr(next, '\n', (size_t)(end - next))) != NULL) {
        next++;
        HBG_PUSH(sources->arena, source->lines, (uint32_t)(next - source->text));
    }
    *target = built;
}

static uint32_t line_at(const hbg_source *source, uint32_t offset) {
    int32_t low = 1, high = source->lines.count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (source->lines.items[middle] <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low - 1;
}

/* Bytes of the line without its end, which is LF or CR LF. */
static uint32_t line_size(const hbg_source *source, uint32_t line) {
    uint32_t start = source->lines.items[line];
    bool last = line + 1 == (uint32_t)source->lines.count;
    uint32_t end = last ? source->size : source->lines.items[line + 1] - 1;
    if (!last && end > start && source->text[end - 1] == '\r') end--;
    return end - start;
}

static uint32_t character_size(const char *text, uint32_t left) {
    unsigned char first = (unsigned char)text[0];
    uint32_t size = 1;
    if (first >= 0xC2 && first < 0xE0) size = 2;
    if (first >= 0xE0 && first < 0xF0) size = 3;
    if (first >= 0xF0 && first < 0xF5) size = 4;
    if (size > left) return 1;
    for (uint32_t i = 1; i < size; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80) return 1;
    return size;
}

/* Marks the characters that bytes [start, end) of the line touch, and returns the column of the first. */
static uint32_t mark(hbg_sources *sources, hbg_place *place, uint32_t start, uint32_t end) {
    uint32_t at = 0;
    uint32_t column = 1;
    bool resumes = sources->last.line + 1 == (uint32_t)place->line && sources->last.mark <= start;
    if (resumes && sources->last.source >= 0) {
        at = sources->last.mark;
        column = sources->last.column;
    }
    while (at < start) {
        uint32_t size = character_size(place->text + at, place->text_size - at);
        if (at + size > start) break;
        at += size;
        column++;
    }
    place->mark = at;
    place->column = column < INT32_MAX ? (int32_t)column : INT32_MAX;

    uint32_t stop = at;
    if (stop < place->text_size) stop += character_size(place->text + at, place->text_size - at);
    if (stop < end) stop = end;
    /* an end inside a character moves to its end */
    for (int i = 0; i < 3 && stop < place->text_size; i++)
        if (((unsigned char)place->text[stop] & 0xC0) == 0x80) stop++;
    place->mark_size = stop - at;
    return column;
}

bool hbg_base_sources_place(hbg_sources *sources, hbg_span span, hbg_place *place) {
    *place = (hbg_place){0};
    int32_t index = span.start == 0 ? -1 : source_at(sources, span.start);
    if (index < 0) return false;
    hbg_source *source = &sources->items.items[index];
    uint32_t start = span.start - source->base;
    if (start > source->size) return false;
    if (source->lines.count == 0) lines_build(sources, source);

    uint32_t line = line_at(source, start);
    uint32_t line_start = source->lines.items[line];
    place->path = source->path;
    place->line = (int32_t)line + 1;
    place->text = source->text + line_start;
    place->text_size = line_size(source, line);

    /* both ends as bytes of the line: one inside the line end or the byte order mark moves to the line */
    uint32_t end = span.end > span.start ? span.end - source->base : start;
    start = start > line_start ? start - line_start : 0;
    end = end > line_start ? end - line_start : 0;
    if (start > place->text_size) start = place->text_size;
    if (end > place->text_size) end = place->text_size;

    if (sources->last.source != index) sources->last.source = -1;
    sources->last.column = mark(sources, place, start, end);
    sources->last.source = index;
    sources->last.line = line;
    sources->last.mark = place->mark;
    return true;
}

hbg_span hbg_base_span_join(hbg_span a, hbg_span b) {
    if (a.start == 0) return b;
    if (b.start == 0) return a;
    return (hbg_span){a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}
