/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language server: commands. `hbg.gesture` takes one object,
 *     {"uri": …, "gesture": "connect", "model": "Buck", "object": "coil", "other": "node", …}
 * with the fields of hbg_gesture (x and y for a position), and answers {"name": …, "edit": a WorkspaceEdit};
 * with "apply": true it asks the client to apply the edit. `hbg.palette` takes {"uri": …} and lists what can be
 * added. */
#include "studio/lsp_impl.h"

#include <stdlib.h>
#include <string.h>

static const char *field(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static hbg_gesture_kind kind_of(const char *name) {
    for (int kind = 0; name && kind < HBG_GESTURE_COUNT; kind++)
        if (strcmp(hbg_gesture_text(kind), name) == 0) return kind;
    return HBG_GESTURE_COUNT;
}

/* Reads the given fields of a gesture; the caller frees the list of objects. */
static hbg_gesture read_gesture(const json_t *given, const char ***objects) {
    hbg_gesture gesture = {.kind = kind_of(field(given, "gesture")),
                           .model = field(given, "model"),
                           .object = field(given, "object"),
                           .other = field(given, "other"),
                           .name = field(given, "name"),
                           .what = field(given, "what"),
                           .text = field(given, "text")};
    const json_t *x = json_object_get(given, "x"), *y = json_object_get(given, "y");
    gesture.placed = json_is_number(x) && json_is_number(y);
    gesture.x = json_number_value(x);
    gesture.y = json_number_value(y);
    const json_t *list = json_object_get(given, "objects");
    size_t count = json_array_size(list);
    *objects = calloc(count + 1, sizeof **objects);
    for (size_t i = 0; *objects && i < count; i++) {
        const char *object = json_string_value(json_array_get(list, i));
        if (object) (*objects)[gesture.object_count++] = object;
    }
    gesture.objects = *objects;
    return gesture;
}

static void do_gesture(lsp_request *request, const json_t *given) {
    const char **objects;
    hbg_gesture gesture = read_gesture(given, &objects);
    hbg_service_edits edits;
    hbg_status status = gesture.kind == HBG_GESTURE_COUNT
                            ? HBG_BAD_ARGUMENT
                            : hbg_service_gesture(request->lsp->service, request->path, &gesture, &edits);
    free(objects);
    if (gesture.kind == HBG_GESTURE_COUNT) {
        hbg_studio_lsp_fail(request, LSP_INVALID_PARAMS, "there is no such gesture");
        return;
    }
    if (status != HBG_OK) {
        const char *reason = hbg_service_reason(request->lsp->service);
        hbg_studio_lsp_fail(request, LSP_REQUEST_FAILED, reason[0] ? reason : hbg_status_text(status));
        return;
    }
    json_t *edit = hbg_studio_lsp_edits(request->lsp, edits.items, edits.count);
    if (json_is_true(json_object_get(given, "apply")))
        hbg_studio_lsp_send(request->lsp, json_pack("{s:s,s:I,s:s,s:{s:O}}", "jsonrpc", "2.0", "id",
                                                    (json_int_t)++request->lsp->requests, "method",
                                                    "workspace/applyEdit", "params", "edit", edit));
    request->result = json_pack("{s:o,s:o}", "name", hbg_studio_lsp_text(edits.name), "edit", edit);
}

static void list_palette(lsp_request *request) {
    hbg_service_pieces found;
    if (hbg_service_palette(request->lsp->service, request->path, &found) != HBG_OK) return;
    request->result = json_array();
    for (int32_t i = 0; i < found.count; i++) {
        const hbg_service_piece *piece = &found.items[i];
        json_array_append_new(
            request->result,
            json_pack("{s:s,s:o,s:o,s:o,s:o}", "kind", hbg_service_kind_text(piece->kind), "name",
                      hbg_studio_lsp_text(piece->name), "title", hbg_studio_lsp_text(piece->title), "file",
                      hbg_studio_lsp_text(piece->file), "ports", hbg_studio_lsp_text(piece->ports)));
    }
}

void hbg_studio_lsp_command(lsp_request *request) {
    const char *command = field(request->params, "command");
    const json_t *given = json_array_get(json_object_get(request->params, "arguments"), 0);
    const lsp_document *document = hbg_studio_lsp_find(request->lsp, field(given, "uri"));
    bool gesture = command && strcmp(command, "hbg.gesture") == 0;
    bool palette = command && strcmp(command, "hbg.palette") == 0;
    if (!gesture && !palette) {
        hbg_studio_lsp_fail(request, LSP_INVALID_PARAMS, "there is no such command");
        return;
    }
    if (!document) {
        hbg_studio_lsp_fail(request, LSP_INVALID_PARAMS, "the document is not open");
        return;
    }
    request->path = document->path;
    if (gesture)
        do_gesture(request, given);
    else
        list_palette(request);
}
