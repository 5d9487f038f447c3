/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language server: requests about a place in a document. */
#include "studio/lsp_impl.h"

#include <stdlib.h>
#include <string.h>

static json_t *markdown(const char *text) {
    return json_pack("{s:s,s:o}", "kind", "markdown", "value", hbg_studio_lsp_text(text));
}

void hbg_studio_lsp_hover(lsp_request *request) {
    hbg_service_hover hover;
    if (!hbg_studio_lsp_locate(request, true) ||
        hbg_service_hover_at(request->lsp->service, request->path, request->offset, &hover) != HBG_OK)
        return;
    request->result = json_pack("{s:o,s:o}", "contents", markdown(hover.markdown), "range",
                                hbg_studio_lsp_range(request->lsp, &hover.place));
}

void hbg_studio_lsp_definition(lsp_request *request) {
    hbg_service_place place;
    if (hbg_studio_lsp_locate(request, true) &&
        hbg_service_definition(request->lsp->service, request->path, request->offset, &place) == HBG_OK)
        request->result = hbg_studio_lsp_location(request->lsp, &place);
}

void hbg_studio_lsp_references(lsp_request *request) {
    hbg_service_places places;
    if (!hbg_studio_lsp_locate(request, true)) return;
    request->result = json_array();
    if (hbg_service_references(request->lsp->service, request->path, request->offset, &places) != HBG_OK)
        return;
    for (int32_t i = 0; i < places.count; i++)
        json_array_append_new(request->result, hbg_studio_lsp_location(request->lsp, &places.items[i]));
}

/* Reports why a request cannot be fulfilled. */
static void refuse(lsp_request *request, hbg_status status) {
    const char *reason = hbg_service_reason(request->lsp->service);
    hbg_studio_lsp_fail(request, LSP_REQUEST_FAILED, reason[0] ? reason : hbg_status_text(status));
}

void hbg_studio_lsp_prepare_rename(lsp_request *request) {
    hbg_service_place word;
    if (!hbg_studio_lsp_locate(request, true)) return;
    hbg_status status = hbg_service_can_rename(request->lsp->service, request->path, request->offset, &word);
    if (status == HBG_OK)
        request->result = hbg_studio_lsp_range(request->lsp, &word);
    else if (status != HBG_NOT_FOUND)
        refuse(request, status);
}

void hbg_studio_lsp_rename(lsp_request *request) {
    const char *name = json_string_value(json_object_get(request->params, "newName"));
    hbg_service_edits edits;
    if (!hbg_studio_lsp_locate(request, true)) return;
    if (!name) {
        hbg_studio_lsp_fail(request, LSP_INVALID_PARAMS, "there is no newName");
        return;
    }
    hbg_status status =
        hbg_service_rename(request->lsp->service, request->path, request->offset, name, &edits);
    if (status == HBG_OK)
        request->result = hbg_studio_lsp_edits(request->lsp, edits.items, edits.count);
    else
        refuse(request, status);
}

/* ---- completion ---------------------------------------------------------------------------------------- */

static int completion_kind(hbg_service_kind kind) {
    switch (kind) {
    case HBG_SERVICE_MODEL:
    case HBG_SERVICE_COMPONENT: return 7; /* Class */
    case HBG_SERVICE_FUNCTION: return 3;
    case HBG_SERVICE_PARAMETER: return 21; /* Constant */
    case HBG_SERVICE_PORT:
    case HBG_SERVICE_VARIABLE: return 10;  /* Property */
    case HBG_SERVICE_STATE: return 20;     /* EnumMember */
    case HBG_SERVICE_AUTOMATON: return 13; /* Enum */
    case HBG_SERVICE_KEYWORD: return 14;
    case HBG_SERVICE_KIND:
    case HBG_SERVICE_DOMAIN: return 25; /* TypeParameter */
    case HBG_SERVICE_UNIT: return 11;
    case HBG_SERVICE_FILE: return 17;
    default: return 6; /* Variable */
    }
}

/* Placeholders are `$1` to the end of the digits; plain text is the rest without them. */
static json_t *insertion(const hbg_service_completion *item, bool snippets) {
    if (snippets) return hbg_studio_lsp_text(item->insert);
    char *text = strdup(item->insert), *to = text;
    for (const char *from = item->insert; text && *from; from++) {
        if (*from == '$' && from[1] >= '0' && from[1] <= '9')
            from++;
        else
            *to++ = *from;
    }
    if (text) *to = 0;
    json_t *value = text ? hbg_studio_lsp_text(text) : NULL;
    free(text);
    return value;
}

static json_t *completion(lsp_request *request, const hbg_service_completion *item, const json_t *range) {
    hbg_lsp *lsp = request->lsp;
    bool snippet = lsp->snippets && strchr(item->insert, '$');
    char sort[16];
    snprintf(sort, sizeof sort, "%03d", (int)item->rank);
    json_t *value =
        json_pack("{s:o,s:i,s:o,s:s,s:i,s:{s:O,s:o}}", "label", hbg_studio_lsp_text(item->label), "kind",
                  completion_kind(item->kind), "detail", hbg_studio_lsp_text(item->detail), "sortText", sort,
                  "insertTextFormat", snippet ? 2 : 1, "textEdit", "range", range, "newText",
                  insertion(item, lsp->snippets));
    if (value && item->document[0]) json_object_set_new(value, "documentation", markdown(item->document));
    if (value && item->also)
        json_object_set_new(value, "additionalTextEdits",
                            json_pack("[{s:o,s:o}]", "range", hbg_studio_lsp_range(lsp, &item->also->place),
                                      "newText", hbg_studio_lsp_text(item->also->text)));
    return value;
}

void hbg_studio_lsp_complete(lsp_request *request) {
    hbg_service_completions found;
    if (!hbg_studio_lsp_locate(request, true) ||
        hbg_service_complete(request->lsp->service, request->path, request->offset, &found) != HBG_OK)
        return;
    json_t *range = found.count > 0 ? hbg_studio_lsp_range(request->lsp, &found.place) : NULL;
    json_t *items = json_array();
    for (int32_t i = 0; i < found.count && range; i++) {
        json_t *item = completion(request, &found.items[i], range);
        if (item) json_array_append_new(items, item);
    }
    json_decref(range);
    request->result = json_pack("{s:b,s:o}", "isIncomplete", 0, "items", items);
}

void hbg_studio_lsp_signature(lsp_request *request) {
    hbg_service_signature found;
    if (!hbg_studio_lsp_locate(request, true) ||
        hbg_service_signature_at(request->lsp->service, request->path, request->offset, &found) != HBG_OK)
        return;
    json_t *parameters = json_array();
    for (int32_t i = 0; i < found.count; i++) {
        size_t size = found.parameters[i].end - found.parameters[i].start;
        char *label = strndup(found.text + found.parameters[i].start, size);
        json_t *parameter = json_pack("{s:o}", "label", hbg_studio_lsp_text(label));
        if (parameter && found.parameters[i].document[0])
            json_object_set_new(parameter, "documentation",
                                hbg_studio_lsp_text(found.parameters[i].document));
        json_array_append_new(parameters, parameter);
        free(label);
    }
    json_t *signature = json_pack("{s:o,s:o,s:o}", "label", hbg_studio_lsp_text(found.text), "documentation",
                                  hbg_studio_lsp_text(found.document), "parameters", parameters);
    request->result = json_pack("{s:[o],s:i}", "signatures", signature, "activeSignature", 0);
    if (request->result && found.active >= 0)
        json_object_set_new(request->result, "activeParameter", json_integer(found.active));
}
