/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language server for the page: POST /api/lsp with {"path", "text", "method", "params"} asks what an
 * editor would ask about the present text. "params" need not name the document. The answer is {"uri",
 * "result"} or {"uri", "error"}, as in the protocol. Nothing is kept between questions: each contains the
 * text. */
#include <stdlib.h>
#include <string.h>

#include "studio/lsp_impl.h"
#include "studio/studio_impl.h"

/* Sends a message, which is taken over; returns the reply to it, or NULL. */
static json_t *say(hbg_lsp *lsp, json_t *message) {
    hbg_lsp_messages replies = {NULL, 0};
    json_error_t error;
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    bool asks = json_object_get(message, "id") != NULL;
    json_decref(message);
    hbg_status status = text ? hbg_lsp_handle(lsp, text, strlen(text), &replies) : HBG_NO_MEMORY;
    free(text);
    // the reply comes last: notifications come before it
    return status == HBG_OK && asks && replies.count > 0
               ? json_loads(replies.items[replies.count - 1], 0, &error)
               : NULL;
}

static json_t *reply_to(hbg_lsp *lsp, const char *path, const hbg_studio_question *question, json_t **uri) {
    const char *text = hbg_studio_asked_text(question, "text"),
               *method = hbg_studio_asked_text(question, "method");
    json_t *params = json_deep_copy(json_object_get(question->asked, "params"));
    if (!json_is_object(params)) {
        json_decref(params);
        params = json_object();
    }
    *uri = hbg_studio_lsp_uri(lsp, path);
    json_decref(say(lsp, json_pack("{s:s,s:i,s:s,s:{s:{s:{s:{s:{s:b}}}}}}", "jsonrpc", "2.0", "id", 1,
                                   "method", "initialize", "params", "capabilities", "textDocument",
                                   "completion", "completionItem", "snippetSupport", 1)));
    json_decref(
        say(lsp, json_pack("{s:s,s:s,s:{s:{s:O,s:s}}}", "jsonrpc", "2.0", "method", "textDocument/didOpen",
                           "params", "textDocument", "uri", *uri, "text", text)));
    json_object_set_new(params, "textDocument", json_pack("{s:O}", "uri", *uri));
    json_t *given = json_array_get(json_object_get(params, "arguments"), 0);
    if (json_is_object(given)) json_object_set(given, "uri", *uri); // of a command
    return say(lsp,
               json_pack("{s:s,s:i,s:s,s:o}", "jsonrpc", "2.0", "id", 2, "method", method, "params", params));
}

static void put_reply(hbg_studio_answer *answer, json_t *reply, json_t *uri) {
    const char *key = json_object_get(reply, "error") ? "error" : "result";
    json_t *all = json_pack("{s:O,s:O}", "uri", uri, key, json_object_get(reply, key));
    char *text = all ? json_dumps(all, JSON_COMPACT) : NULL;
    if (text)
        hbg_studio_text_put(&answer->body, text);
    else
        answer->body.failed = true;
    free(text);
    json_decref(all);
}

void hbg_studio_answer_lsp(hbg_studio_question *question, hbg_studio_answer *answer) {
    hbg_studio *studio = question->studio;
    const char *why, *method = hbg_studio_asked_text(question, "method");
    char path[PATH_MAX];
    if (!method || !hbg_studio_asked_text(question, "text")) {
        hbg_studio_refuse(answer, MHD_HTTP_BAD_REQUEST, "a question about a text has a text and a method");
        return;
    }
    if (!hbg_studio_resolve(studio, hbg_studio_asked_text(question, "path"), path, &why)) {
        hbg_studio_refuse(answer, MHD_HTTP_FORBIDDEN, "%s", why);
        return;
    }
    hbg_service_options options = hbg_service_options_default();
    options.search = (const char *const *)studio->search;
    options.search_count = studio->search_count;
    options.folder = studio->folder;
    options.memory_limit = HBG_STUDIO_SESSION_MOST;
    hbg_lsp *lsp;
    if (hbg_lsp_new(&options, &lsp) != HBG_OK) {
        answer->body.failed = true;
        return;
    }
    json_t *uri = NULL, *reply = reply_to(lsp, path, question, &uri);
    if (reply)
        put_reply(answer, reply, uri);
    else
        answer->body.failed = true;
    json_decref(reply);
    json_decref(uri);
    hbg_lsp_free(lsp);
}
