/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language server: shared by its files. A JSON value that a function here makes belongs to its caller,
 * who puts it into another one; a function that is passed a value takes it over, also when memory runs out:
 * then the result is NULL. */
#ifndef HBG_STUDIO_LSP_IMPL_H
#define HBG_STUDIO_LSP_IMPL_H

#include <jansson.h>

#include "hbg/lsp.h"

/* Errors of JSON-RPC and of the protocol. */
enum {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_INTERNAL_ERROR = -32603,
    LSP_NOT_INITIALIZED = -32002,
    LSP_REQUEST_FAILED = -32803
};

typedef struct {
    char *uri, *path;
} lsp_document;

struct hbg_lsp {
    hbg_service *service;
    lsp_document *documents;
    int document_count;
    char **replies;
    int reply_count, reply_room;
    bool initialized, shut_down, ended;
    bool snippets; /* the client understands placeholders */
    bool exhausted;
    int64_t requests; /* sent to the client */
};

/* A request being answered. */
typedef struct {
    hbg_lsp *lsp;
    const json_t *params;
    const char *path; /* of its document, or NULL */
    size_t offset;    /* of its place there */
    json_t *result;   /* NULL: null */
    int error;        /* 0: none */
    const char *why;
} lsp_request;

void hbg_studio_lsp_fail(lsp_request *request, int error, const char *why);
/* Sends a message, which is taken over. */
void hbg_studio_lsp_send(hbg_lsp *lsp, json_t *message);
void hbg_studio_lsp_notify(hbg_lsp *lsp, const char *method, json_t *params);

/* lsp_place.c */
char *hbg_studio_lsp_path(const char *uri); /* of a URI; to be freed, NULL: no memory */
json_t *hbg_studio_lsp_uri(hbg_lsp *lsp, const char *path);
json_t *hbg_studio_lsp_text(const char *text); /* whatever bytes it has */
json_t *hbg_studio_lsp_range(hbg_lsp *lsp, const hbg_service_place *place);
json_t *hbg_studio_lsp_location(hbg_lsp *lsp, const hbg_service_place *place);
json_t *hbg_studio_lsp_edits(hbg_lsp *lsp, const hbg_service_edit *edits,
                             int32_t count); /* as a WorkspaceEdit */
/* The offset of a position of the protocol; false if it is invalid. */
bool hbg_studio_lsp_offset(hbg_lsp *lsp, const char *path, const json_t *position, size_t *offset);
const lsp_document *hbg_studio_lsp_find(const hbg_lsp *lsp, const char *uri);
/* The document and, if `placed`, the position of a request; false with an error. */
bool hbg_studio_lsp_locate(lsp_request *request, bool placed);

/* lsp_document.c: notifications about documents */
void hbg_studio_lsp_opened(lsp_request *request);
void hbg_studio_lsp_changed(lsp_request *request);
void hbg_studio_lsp_closed(lsp_request *request);
void hbg_studio_lsp_saved(lsp_request *request);
json_t *hbg_studio_lsp_diagnostic(hbg_lsp *lsp, const hbg_service_diagnostic *diagnostic);

/* lsp_name.c, lsp_text.c, lsp_command.c: requests */
void hbg_studio_lsp_hover(lsp_request *request);
void hbg_studio_lsp_definition(lsp_request *request);
void hbg_studio_lsp_references(lsp_request *request);
void hbg_studio_lsp_prepare_rename(lsp_request *request);
void hbg_studio_lsp_rename(lsp_request *request);
void hbg_studio_lsp_complete(lsp_request *request);
void hbg_studio_lsp_signature(lsp_request *request);
void hbg_studio_lsp_symbols(lsp_request *request);
void hbg_studio_lsp_format(lsp_request *request);
void hbg_studio_lsp_tokens(lsp_request *request);
void hbg_studio_lsp_hints(lsp_request *request);
void hbg_studio_lsp_actions(lsp_request *request);
void hbg_studio_lsp_command(lsp_request *request);
json_t *hbg_studio_lsp_legend(void); /* of the colours */

#endif
