/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language server: files as URIs, places as lines and columns of UTF-16. */
#include "studio/lsp_impl.h"

#include <stdlib.h>
#include <string.h>

/* ---- URIs ---------------------------------------------------------------------------------------------- */

static int hex_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The path of file:///…, with %20 and the like decoded; another URI is used as a name. */
char *hbg_studio_lsp_path(const char *uri) {
    if (strncmp(uri, "file://", 7) != 0) return strdup(uri);
    const char *from = strchr(uri + 7, '/'); // after the host, which is this one
    char *path = strdup(from ? from : "/"), *to = path;
    if (!path || !from) return path;
    while (*from) {
        int high = from[0] == '%' ? hex_of(from[1]) : -1, low = high < 0 ? -1 : hex_of(from[2]);
        bool coded = low >= 0 && high * 16 + low != 0;
        *to++ = coded ? (char)(high * 16 + low) : *from;
        from += coded ? 3 : 1;
    }
    *to = 0;
    return path;
}

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("/-_.~", c) != NULL;
}

json_t *hbg_studio_lsp_uri(hbg_lsp *lsp, const char *path) {
    for (int i = 0; i < lsp->document_count; i++) // as the client writes it
        if (strcmp(lsp->documents[i].path, path) == 0) return json_string(lsp->documents[i].uri);
    if (path[0] != '/') {
        char *real = realpath(path, NULL);
        if (!real) return hbg_studio_lsp_text(path);
        json_t *uri = hbg_studio_lsp_uri(lsp, real);
        free(real);
        return uri;
    }
    static const char digits[] = "0123456789ABCDEF";
    char *uri = malloc(8 + 3 * strlen(path)), *to = uri;
    if (!uri) return NULL;
    memcpy(to, "file://", 7);
    to += 7;
    for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
        if (is_plain((char)*c)) {
            *to++ = (char)*c;
        } else {
            *to++ = '%';
            *to++ = digits[*c >> 4];
            *to++ = digits[*c & 15];
        }
    }
    json_t *value = json_stringn(uri, (size_t)(to - uri));
    free(uri);
    return value;
}

json_t *hbg_studio_lsp_text(const char *text) {
    json_t *value = json_string(text ? text : "");
    if (value) return value;
    char *copy = strdup(text ? text : ""); // it is not UTF-8
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    value = copy ? json_string(copy) : NULL;
    free(copy);
    return value;
}

/* ---- places -------------------------------------------------------------------------------------------- */

static json_t *position(hbg_lsp *lsp, const char *path, size_t offset) {
    uint32_t line, column;
    if (hbg_service_position(lsp->service, path, offset, &line, &column) != HBG_OK) line = column = 0;
    return json_pack("{s:I,s:I}", "line", (json_int_t)line, "character", (json_int_t)column);
}

json_t *hbg_studio_lsp_range(hbg_lsp *lsp, const hbg_service_place *place) {
    return json_pack("{s:o,s:o}", "start", position(lsp, place->path, place->start), "end",
                     position(lsp, place->path, place->end));
}

json_t *hbg_studio_lsp_location(hbg_lsp *lsp, const hbg_service_place *place) {
    return json_pack("{s:o,s:o}", "uri", hbg_studio_lsp_uri(lsp, place->path), "range",
                     hbg_studio_lsp_range(lsp, place));
}

json_t *hbg_studio_lsp_edits(hbg_lsp *lsp, const hbg_service_edit *edits, int32_t count) {
    json_t *changes = json_object();
    for (int32_t i = 0; i < count; i++) {
        json_t *uri = hbg_studio_lsp_uri(lsp, edits[i].place.path);
        const char *key = uri ? json_string_value(uri) : NULL;
        json_t *list = key ? json_object_get(changes, key) : NULL;
        if (key && !list) {
            list = json_array();
            json_object_set_new(changes, key, list);
        }
        if (list)
            json_array_append_new(list,
                                  json_pack("{s:o,s:o}", "range", hbg_studio_lsp_range(lsp, &edits[i].place),
                                            "newText", hbg_studio_lsp_text(edits[i].text)));
        json_decref(uri);
    }
    return json_pack("{s:o}", "changes", changes);
}

/* ---- requests ------------------------------------------------------------------------------------------ */

bool hbg_studio_lsp_offset(hbg_lsp *lsp, const char *path, const json_t *position, size_t *offset) {
    const json_t *line = json_object_get(position, "line"), *column = json_object_get(position, "character");
    if (!json_is_integer(line) || !json_is_integer(column)) return false;
    json_int_t row = json_integer_value(line), place = json_integer_value(column);
    if (row < 0 || place < 0) return false;
    uint32_t most = UINT32_MAX;
    return hbg_service_offset(lsp->service, path, row > most ? most : (uint32_t)row,
                              place > most ? most : (uint32_t)place, offset) == HBG_OK;
}

const lsp_document *hbg_studio_lsp_find(const hbg_lsp *lsp, const char *uri) {
    for (int i = 0; uri && i < lsp->document_count; i++)
        if (strcmp(lsp->documents[i].uri, uri) == 0) return &lsp->documents[i];
    return NULL;
}

bool hbg_studio_lsp_locate(lsp_request *request, bool placed) {
    const json_t *text = json_object_get(request->params, "textDocument");
    const char *uri = json_string_value(json_object_get(text, "uri"));
    const lsp_document *document = hbg_studio_lsp_find(request->lsp, uri);
    if (!document) {
        hbg_studio_lsp_fail(request, LSP_INVALID_PARAMS, "the document is not open");
        return false;
    }
    request->path = document->path;
    if (!placed || hbg_studio_lsp_offset(request->lsp, request->path,
                                         json_object_get(request->params, "position"), &request->offset))
        return true;
    hbg_studio_lsp_fail(request, LSP_INVALID_PARAMS, "there is no position in the request");
    return false;
}
