/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language server: one message in, the messages that answer it out. */
#include "studio/lsp_impl.h"

#include <stdlib.h>
#include <string.h>

#include "hbg/hbg.h"

/* ---- messages out -------------------------------------------------------------------------------------- */

void hbg_studio_lsp_send(hbg_lsp *lsp, json_t *message) {
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    if (text && lsp->reply_count == lsp->reply_room) {
        int room = lsp->reply_room * 2 + 4;
        char **replies = realloc(lsp->replies, (size_t)room * sizeof *replies);
        if (replies) {
            lsp->replies = replies;
            lsp->reply_room = room;
        } else {
            free(text);
            text = NULL;
        }
    }
    if (text)
        lsp->replies[lsp->reply_count++] = text;
    else
        lsp->exhausted = true;
}

void hbg_studio_lsp_notify(hbg_lsp *lsp, const char *method, json_t *params) {
    hbg_studio_lsp_send(lsp,
                        json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

void hbg_studio_lsp_fail(lsp_request *request, int error, const char *why) {
    request->error = error;
    request->why = why;
}

static void send_error(hbg_lsp *lsp, const json_t *id, int error, const char *why) {
    json_t *key = id ? json_incref((json_t *)id) : json_null();
    hbg_studio_lsp_send(lsp, json_pack("{s:s,s:o,s:{s:i,s:o}}", "jsonrpc", "2.0", "id", key, "error", "code",
                                       error, "message", hbg_studio_lsp_text(why)));
}

/* ---- the client ---------------------------------------------------------------------------------------- */

hbg_status hbg_lsp_new(const hbg_service_options *options, hbg_lsp **lsp) {
    *lsp = calloc(1, sizeof **lsp);
    if (!*lsp) return HBG_NO_MEMORY;
    hbg_status status = hbg_service_new(options, &(*lsp)->service);
    if (status == HBG_OK) return HBG_OK;
    free(*lsp);
    *lsp = NULL;
    return status;
}

static void forget_replies(hbg_lsp *lsp) {
    for (int i = 0; i < lsp->reply_count; i++) free(lsp->replies[i]);
    lsp->reply_count = 0;
}

void hbg_lsp_free(hbg_lsp *lsp) {
    if (!lsp) return;
    forget_replies(lsp);
    free(lsp->replies);
    for (int i = 0; i < lsp->document_count; i++) {
        free(lsp->documents[i].uri);
        free(lsp->documents[i].path);
    }
    free(lsp->documents);
    hbg_service_free(lsp->service);
    free(lsp);
}

bool hbg_lsp_ended(const hbg_lsp *lsp, bool *properly) {
    *properly = lsp->shut_down;
    return lsp->ended;
}

hbg_service *hbg_lsp_service(hbg_lsp *lsp) {
    return lsp->service;
}

/* ---- lifetime ------------------------------------------------------------------------------------------ */

static void initialize(lsp_request *request) {
    const json_t *capabilities = json_object_get(request->params, "capabilities");
    const json_t *text = json_object_get(capabilities, "textDocument");
    const json_t *item = json_object_get(json_object_get(text, "completion"), "completionItem");
    request->lsp->snippets = json_is_true(json_object_get(item, "snippetSupport"));
    request->lsp->initialized = true;
    json_t *promises = json_pack(
        "{s:s, s:{s:b,s:i,s:b}, s:{s:[s,s,s,s]}, s:b, s:b, s:b, s:{s:b}, s:b, s:{s:[s,s]}, s:b, s:{s:o,s:b}, "
        "s:b, s:{s:[s]}, "
        "s:{s:[s,s]}}",
        "positionEncoding", "utf-16", "textDocumentSync", "openClose", 1, "change", 2, "save", 1,
        "completionProvider", "triggerCharacters", ".", "[", ">", "(", "hoverProvider", 1,
        "definitionProvider", 1, "referencesProvider", 1, "renameProvider", "prepareProvider", 1,
        "documentSymbolProvider", 1, "signatureHelpProvider", "triggerCharacters", "(", ",",
        "documentFormattingProvider", 1, "semanticTokensProvider", "legend", hbg_studio_lsp_legend(), "full",
        1, "inlayHintProvider", 1, "codeActionProvider", "codeActionKinds", "quickfix",
        "executeCommandProvider", "commands", "hbg.gesture", "hbg.palette");
    request->result = json_pack("{s:o,s:{s:s,s:s}}", "capabilities", promises, "serverInfo", "name", "hbg",
                                "version", hbg_version());
}

static void shut_down(lsp_request *request) {
    request->lsp->shut_down = true;
}

static void leave(lsp_request *request) {
    request->lsp->ended = true;
}

static void ignore(lsp_request *request) {
    (void)request;
}

/* ---- messages in --------------------------------------------------------------------------------------- */

typedef struct {
    const char *method;
    void (*answer)(lsp_request *request);
    bool request; /* it is answered; otherwise it is a notification */
} method;

static const method methods[] = {
    {"initialize", initialize, true},
    {"initialized", ignore, false},
    {"shutdown", shut_down, true},
    {"exit", leave, false},
    {"$/cancelRequest", ignore, false},
    {"$/setTrace", ignore, false},
    {"textDocument/didOpen", hbg_studio_lsp_opened, false},
    {"textDocument/didChange", hbg_studio_lsp_changed, false},
    {"textDocument/didClose", hbg_studio_lsp_closed, false},
    {"textDocument/didSave", hbg_studio_lsp_saved, false},
    {"workspace/didChangeWatchedFiles", hbg_studio_lsp_saved, false},
    {"workspace/didChangeConfiguration", ignore, false},
    {"textDocument/completion", hbg_studio_lsp_complete, true},
    {"textDocument/hover", hbg_studio_lsp_hover, true},
    {"textDocument/definition", hbg_studio_lsp_definition, true},
    {"textDocument/references", hbg_studio_lsp_references, true},
    {"textDocument/prepareRename", hbg_studio_lsp_prepare_rename, true},
    {"textDocument/rename", hbg_studio_lsp_rename, true},
    {"textDocument/documentSymbol", hbg_studio_lsp_symbols, true},
    {"textDocument/signatureHelp", hbg_studio_lsp_signature, true},
    {"textDocument/formatting", hbg_studio_lsp_format, true},
    {"textDocument/semanticTokens/full", hbg_studio_lsp_tokens, true},
    {"textDocument/inlayHint", hbg_studio_lsp_hints, true},
    {"textDocument/codeAction", hbg_studio_lsp_actions, true},
    {"workspace/executeCommand", hbg_studio_lsp_command, true},
};

static const method *find_method(const char *name) {
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].method, name) == 0) return &methods[i];
    return NULL;
}

static void answer(hbg_lsp *lsp, const method *found, const json_t *id, const json_t *params) {
    lsp_request request = {.lsp = lsp, .params = params};
    found->answer(&request);
    if (!id) {
        json_decref(request.result);
    } else if (request.error != 0) {
        json_decref(request.result);
        send_error(lsp, id, request.error, request.why);
    } else {
        json_t *result = request.result ? request.result : json_null();
        hbg_studio_lsp_send(lsp, json_pack("{s:s,s:O,s:o}", "jsonrpc", "2.0", "id", id, "result", result));
    }
}

static void take_message(hbg_lsp *lsp, const json_t *message) {
    const json_t *id = json_object_get(message, "id");
    const char *name = json_string_value(json_object_get(message, "method"));
    if (!json_is_object(message) ||
        (id && !json_is_integer(id) && !json_is_string(id) && !json_is_null(id))) {
        send_error(lsp, NULL, LSP_INVALID_REQUEST, "a message is an object with a method");
        return;
    }
    if (!name) { // an answer to a request to the client
        if (!json_object_get(message, "result") && !json_object_get(message, "error"))
            send_error(lsp, id, LSP_INVALID_REQUEST, "a message has a method");
        return;
    }
    const method *found = find_method(name);
    bool early = found && found->answer != initialize && found->answer != leave && !lsp->initialized;
    if (!found && id)
        send_error(lsp, id, LSP_METHOD_NOT_FOUND, "this server has no such method");
    else if (early && id)
        send_error(lsp, id, LSP_NOT_INITIALIZED, "the first request is `initialize`");
    else if (found && !early && lsp->shut_down && id)
        send_error(lsp, id, LSP_INVALID_REQUEST, "the server was shut down");
    else if (found && !early && (id || !found->request))
        answer(lsp, found, found->request ? id : NULL, json_object_get(message, "params"));
}

hbg_status hbg_lsp_handle(hbg_lsp *lsp, const char *message, size_t size, hbg_lsp_messages *replies) {
    json_error_t error;
    forget_replies(lsp);
    lsp->exhausted = false;
    json_t *value = json_loadb(message, size, JSON_REJECT_DUPLICATES, &error);
    if (!value)
        send_error(lsp, NULL, LSP_PARSE_ERROR, error.text);
    else
        take_message(lsp, value);
    json_decref(value);
    *replies = (hbg_lsp_messages){(const char *const *)lsp->replies, lsp->reply_count};
    return lsp->exhausted ? HBG_NO_MEMORY : HBG_OK;
}
