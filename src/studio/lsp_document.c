/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language server: documents open, change and close, and their diagnostics are published. */
#include "studio/lsp_impl.h"

#include <stdlib.h>
#include <string.h>

/* ---- diagnostics --------------------------------------------------------------------------------------- */

static json_t *related(hbg_lsp *lsp, const hbg_service_diagnostic *diagnostic) {
    json_t *list = json_array();
    for (int32_t i = 0; i < diagnostic->note_count; i++) {
        const hbg_service_note *note = &diagnostic->notes[i];
        if (note->place.path)
            json_array_append_new(list, json_pack("{s:o,s:o}", "location",
                                                  hbg_studio_lsp_location(lsp, &note->place), "message",
                                                  hbg_studio_lsp_text(note->text)));
    }
    return list;
}

/* The message, followed by the help: editors have no other place for that. */
static json_t *message_of(const hbg_service_diagnostic *diagnostic) {
    if (!diagnostic->help) return hbg_studio_lsp_text(diagnostic->text);
    size_t size = strlen(diagnostic->text) + strlen(diagnostic->help) + 2;
    char *text = malloc(size);
    if (!text) return NULL;
    strcpy(text, diagnostic->text);
    strcat(text, "\n");
    strcat(text, diagnostic->help);
    json_t *value = hbg_studio_lsp_text(text);
    free(text);
    return value;
}

json_t *hbg_studio_lsp_diagnostic(hbg_lsp *lsp, const hbg_service_diagnostic *diagnostic) {
    json_t *value = json_pack("{s:o,s:i,s:s,s:s,s:o}", "range", hbg_studio_lsp_range(lsp, &diagnostic->place),
                              "severity", diagnostic->error ? 1 : 2, "code", diagnostic->code, "source",
                              "hbg", "message", message_of(diagnostic));
    if (value && diagnostic->note_count > 0)
        json_object_set_new(value, "relatedInformation", related(lsp, diagnostic));
    if (value && strncmp(diagnostic->name, "unused", 6) == 0)
        json_object_set_new(value, "tags", json_pack("[i]", 1)); // shown faded
    return value;
}

static void publish(hbg_lsp *lsp, const lsp_document *document) {
    hbg_service_diagnostics found;
    if (hbg_service_diagnose(lsp->service, document->path, &found) != HBG_OK) return;
    json_t *list = json_array();
    for (int32_t i = 0; i < found.count; i++) {
        json_t *item = hbg_studio_lsp_diagnostic(lsp, &found.items[i]);
        if (item) json_array_append_new(list, item);
    }
    hbg_studio_lsp_notify(lsp, "textDocument/publishDiagnostics",
                          json_pack("{s:s,s:o}", "uri", document->uri, "diagnostics", list));
}

/* ---- documents ----------------------------------------------------------------------------------------- */

static lsp_document *add(hbg_lsp *lsp, const char *uri) {
    lsp_document *documents = realloc(lsp->documents, ((size_t)lsp->document_count + 1) * sizeof *documents);
    if (!documents) return NULL;
    lsp->documents = documents;
    lsp_document *made = &documents[lsp->document_count];
    *made = (lsp_document){strdup(uri), hbg_studio_lsp_path(uri)};
    if (!made->uri || !made->path) {
        free(made->uri);
        free(made->path);
        return NULL;
    }
    lsp->document_count++;
    return made;
}

void hbg_studio_lsp_opened(lsp_request *request) {
    hbg_lsp *lsp = request->lsp;
    const json_t *document = json_object_get(request->params, "textDocument");
    const char *uri = json_string_value(json_object_get(document, "uri"));
    const json_t *text = json_object_get(document, "text");
    if (!uri || !json_is_string(text)) {
        hbg_studio_lsp_fail(request, LSP_INVALID_PARAMS, "a document has a uri and a text");
        return;
    }
    const lsp_document *found = hbg_studio_lsp_find(lsp, uri);
    if (!found) found = add(lsp, uri);
    hbg_status status =
        found ? hbg_service_open(lsp->service, found->path, json_string_value(text), json_string_length(text))
              : HBG_NO_MEMORY;
    if (status == HBG_OK)
        publish(lsp, found);
    else
        hbg_studio_lsp_fail(request, LSP_REQUEST_FAILED, hbg_status_text(status));
}

/* One change: of a range, or of the whole text. */
static bool change(lsp_request *request, const lsp_document *document, const json_t *change) {
    hbg_service *service = request->lsp->service;
    const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
    if (!json_is_string(text)) return false;
    const char *bytes = json_string_value(text);
    size_t size = json_string_length(text), start, end;
    if (!range) return hbg_service_open(service, document->path, bytes, size) == HBG_OK;
    return hbg_studio_lsp_offset(request->lsp, document->path, json_object_get(range, "start"), &start) &&
           hbg_studio_lsp_offset(request->lsp, document->path, json_object_get(range, "end"), &end) &&
           hbg_service_change(service, document->path, start, end, bytes, size) == HBG_OK;
}

void hbg_studio_lsp_changed(lsp_request *request) {
    if (!hbg_studio_lsp_locate(request, false)) return;
    const json_t *document = json_object_get(request->params, "textDocument");
    const lsp_document *found =
        hbg_studio_lsp_find(request->lsp, json_string_value(json_object_get(document, "uri")));
    const json_t *changes = json_object_get(request->params, "contentChanges");
    size_t i;
    json_t *one;
    json_array_foreach((json_t *)changes, i, one) {
        if (change(request, found, one)) continue;
        hbg_studio_lsp_fail(request, LSP_INVALID_PARAMS, "this is not a change of the text");
        return;
    }
    publish(request->lsp, found);
}

void hbg_studio_lsp_closed(lsp_request *request) {
    hbg_lsp *lsp = request->lsp;
    if (!hbg_studio_lsp_locate(request, false)) return;
    for (int i = 0; i < lsp->document_count; i++) {
        lsp_document *document = &lsp->documents[i];
        if (strcmp(document->path, request->path) != 0) continue;
        hbg_studio_lsp_notify(lsp, "textDocument/publishDiagnostics",
                              json_pack("{s:s,s:[]}", "uri", document->uri, "diagnostics"));
        hbg_service_close(lsp->service, document->path);
        free(document->uri);
        free(document->path);
        *document = lsp->documents[--lsp->document_count];
        return;
    }
}

/* Files have changed: diagnostics of every document may appear or disappear. */
void hbg_studio_lsp_saved(lsp_request *request) {
    hbg_lsp *lsp = request->lsp;
    hbg_service_touch(lsp->service);
    for (int i = 0; i < lsp->document_count; i++) publish(lsp, &lsp->documents[i]);
}
