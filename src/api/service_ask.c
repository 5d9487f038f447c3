/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language service of the public header: its questions, passed on to the language, and places as editors
 * count them. */
#include "api/service_impl.h"

#include <string.h>

/* Opens a question about a document. */
#define ASK(service, path)                                                                                   \
    HBG_ENTER_SERVICE(service);                                                                              \
    service_document *document = hbg_api_service_read(service, path);                                        \
    if (!document) return hbg_api_service_leave(service, HBG_NOT_FOUND)
#define ANSWER(service, found) return hbg_api_service_leave(service, (found) ? HBG_OK : HBG_NOT_FOUND)

hbg_status hbg_service_diagnose(hbg_service *service, const char *path, hbg_service_diagnostics *found) {
    *found = (hbg_service_diagnostics){0};
    ASK(service, path);
    hbg_lang_service_diagnose(document->now.reading, &service->answer, found);
    return hbg_api_service_leave(service, HBG_OK);
}

hbg_status hbg_service_hover_at(hbg_service *service, const char *path, size_t offset,
                                hbg_service_hover *hover) {
    *hover = (hbg_service_hover){0};
    ASK(service, path);
    ANSWER(service, hbg_lang_service_hover(document->now.reading, document->good.reading, &service->answer,
                                           offset, hover));
}

hbg_status hbg_service_definition(hbg_service *service, const char *path, size_t offset,
                                  hbg_service_place *place) {
    *place = (hbg_service_place){0};
    ASK(service, path);
    ANSWER(service, hbg_lang_service_declared(document->now.reading, offset, place));
}

hbg_status hbg_service_references(hbg_service *service, const char *path, size_t offset,
                                  hbg_service_places *places) {
    *places = (hbg_service_places){0};
    ASK(service, path);
    ANSWER(service, hbg_lang_service_references(document->now.reading, &service->answer, offset, places));
}

hbg_status hbg_service_can_rename(hbg_service *service, const char *path, size_t offset,
                                  hbg_service_place *word) {
    *word = (hbg_service_place){0};
    ASK(service, path);
    const char *reason = "";
    hbg_status status =
        hbg_lang_service_can_rename(document->now.reading, &service->answer, offset, word, &reason);
    service->reason = reason;
    return hbg_api_service_leave(service, status);
}

hbg_status hbg_service_rename(hbg_service *service, const char *path, size_t offset, const char *name,
                              hbg_service_edits *edits) {
    *edits = (hbg_service_edits){.name = ""};
    ASK(service, path);
    const char *reason = "";
    hbg_status status =
        hbg_lang_service_rename(document->now.reading, &service->answer, offset, name, edits, &reason);
    service->reason = reason;
    return hbg_api_service_leave(service, status);
}

hbg_status hbg_service_complete(hbg_service *service, const char *path, size_t offset,
                                hbg_service_completions *found) {
    *found = (hbg_service_completions){0};
    ASK(service, path);
    hbg_lang_service_complete(document->now.reading, document->good.reading, &service->answer, offset, found);
    return hbg_api_service_leave(service, HBG_OK);
}

hbg_status hbg_service_signature_at(hbg_service *service, const char *path, size_t offset,
                                    hbg_service_signature *signature) {
    *signature = (hbg_service_signature){0};
    ASK(service, path);
    ANSWER(service, hbg_lang_service_signature(document->now.reading, &service->answer, offset, signature));
}

hbg_status hbg_service_outline(hbg_service *service, const char *path, hbg_service_symbols *symbols) {
    *symbols = (hbg_service_symbols){0};
    ASK(service, path);
    hbg_lang_service_outline(document->now.reading, &service->answer, symbols);
    return hbg_api_service_leave(service, HBG_OK);
}

hbg_status hbg_service_tokens_of(hbg_service *service, const char *path, hbg_service_tokens *tokens) {
    *tokens = (hbg_service_tokens){0};
    ASK(service, path);
    hbg_lang_service_tokens(document->now.reading, &service->answer, tokens);
    return hbg_api_service_leave(service, HBG_OK);
}

hbg_status hbg_service_palette(hbg_service *service, const char *path, hbg_service_pieces *pieces) {
    *pieces = (hbg_service_pieces){0};
    ASK(service, path);
    hbg_lang_service_palette(document->now.reading, &service->answer, pieces);
    return hbg_api_service_leave(service, HBG_OK);
}

hbg_status hbg_service_gesture(hbg_service *service, const char *path, const hbg_gesture *gesture,
                               hbg_service_edits *edits) {
    *edits = (hbg_service_edits){.name = ""};
    ASK(service, path);
    const char *reason = "";
    hbg_status status =
        hbg_lang_service_gesture(document->now.reading, &service->answer, gesture, edits, &reason);
    service->reason = reason;
    return hbg_api_service_leave(service, status);
}

/* ---- the canonical form ---------------------------------------------------------------------------------- */

/* One edit, of the difference: from the first differing line to the last. */
static void put_difference(hbg_service *service, const service_document *document,
                           const hbg_buffer *formatted, hbg_service_edits *edits) {
    size_t start = 0, end = 0, size = document->size, made = formatted->size;
    while (start < size && start < made && document->text[start] == formatted->data[start]) start++;
    if (start == size && start == made) return;
    while (start > 0 && document->text[start - 1] != '\n') start--;
    while (end < size - start && end < made - start &&
           document->text[size - end - 1] == formatted->data[made - end - 1])
        end++;
    while (end > 0 && document->text[size - end - 1] != '\n') end--;
    hbg_service_edit *edit = HBG_NEW(&service->answer, hbg_service_edit);
    edit->place = (hbg_service_place){document->path, start, size - end};
    edit->text = hbg_base_arena_copy(&service->answer, formatted->data + start, made - end - start);
    *edits = (hbg_service_edits){edit, 1, ""};
}

hbg_status hbg_service_format(hbg_service *service, const char *path, hbg_service_edits *edits) {
    *edits = (hbg_service_edits){.name = ""};
    ASK(service, path);
    hbg_arena *arena = &service->answer;
    hbg_names names;
    hbg_sources sources;
    hbg_diagnostics diagnostics;
    hbg_base_names_init(&names, arena);
    hbg_base_sources_init(&sources, arena);
    hbg_base_diagnostics_init(&diagnostics, arena);
    hbg_lang lang = {
        .arena = arena, .scratch = arena, .names = &names, .sources = &sources, .diagnostics = &diagnostics};
    hbg_buffer formatted;
    hbg_base_buffer_init(&formatted, arena);
    if (!hbg_lang_format(&lang, path, document->text, document->size, &formatted)) {
        service->reason = diagnostics.items.count > 0 ? diagnostics.items.items[0].text : "";
        return hbg_api_service_leave(service, HBG_BAD_MODEL);
    }
    put_difference(service, document, &formatted, edits);
    return hbg_api_service_leave(service, HBG_OK);
}

/* ---- places ---------------------------------------------------------------------------------------------- */

/* A text that is open, or that of a file. */
static hbg_status find_text(hbg_service *service, const char *path, const char **text, size_t *size) {
    *text = hbg_service_text(service, path, size);
    if (*text) return HBG_OK;
    char *read;
    hbg_status status =
        hbg_base_file_read(&service->answer, path, HBG_LANG_FILE_LIMIT, &read, size, &service->reason);
    *text = read;
    return status;
}

/* Units of UTF-16 of the character there, and its number of bytes; what is not UTF-8 counts byte by byte. */
static uint32_t units_at(const char *text, size_t left, size_t *bytes) {
    size_t length = hbg_base_utf8_length(text, left);
    *bytes = length == 0 ? 1 : length;
    return length == 4 ? 2 : 1;
}

static void count_position(const char *text, size_t size, size_t offset, uint32_t *line, uint32_t *column) {
    if (offset > size) offset = size;
    size_t begin = 0;
    for (const char *end; (end = memchr(text + begin, '\n', offset - begin)) != NULL; (*line)++)
        begin = (size_t)(end - text) + 1;
    for (size_t bytes; begin < offset; begin += bytes)
        *column += units_at(text + begin, size - begin, &bytes);
}

hbg_status hbg_service_position(hbg_service *service, const char *path, size_t offset, uint32_t *line,
                                uint32_t *column) {
    const char *text;
    size_t size;
    *line = *column = 0;
    HBG_ENTER_SERVICE(service);
    hbg_status status = find_text(service, path, &text, &size);
    if (status == HBG_OK) count_position(text, size, offset, line, column);
    return hbg_api_service_leave(service, status);
}

static size_t find_offset(const char *text, size_t size, uint32_t line, uint32_t column) {
    size_t at = 0;
    for (; line > 0 && at < size; line--) {
        const char *end = memchr(text + at, '\n', size - at);
        at = end ? (size_t)(end - text) + 1 : size;
    }
    for (size_t bytes; line == 0 && column > 0 && at < size && text[at] != '\n'; at += bytes) {
        uint32_t units = units_at(text + at, size - at, &bytes);
        column = column > units ? column - units : 0;
    }
    // before the end of a line as DOS has it
    if (line == 0 && at > 0 && at < size && text[at] == '\n' && text[at - 1] == '\r') at--;
    return at;
}

hbg_status hbg_service_offset(hbg_service *service, const char *path, uint32_t line, uint32_t column,
                              size_t *offset) {
    const char *text;
    size_t size;
    *offset = 0;
    HBG_ENTER_SERVICE(service);
    hbg_status status = find_text(service, path, &text, &size);
    if (status == HBG_OK) *offset = find_offset(text, size, line, column);
    return hbg_api_service_leave(service, status);
}
