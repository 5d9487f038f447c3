/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The Language Server Protocol over the language service. Messages are texts, so any transport will do: `hbg
 * lsp` uses the standard input and output, a server can get them from a page. */
#ifndef HBG_LSP_H
#define HBG_LSP_H

#include <stdbool.h>
#include <stddef.h>

#include "hbg/service.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hbg_lsp hbg_lsp; /* one client, with the documents it has open */

HBG_MUST_CHECK hbg_status hbg_lsp_new(const hbg_service_options *options, hbg_lsp **lsp);
void hbg_lsp_free(hbg_lsp *lsp); /* NULL does nothing */

typedef struct {
    const char *const *items; /* each is a JSON text, in the order to be sent */
    int count;
} hbg_lsp_messages;

/* Takes one message and answers it: with a reply to a request, and with notifications. They last until the
 * next call. A wrong message gets an error as its reply; a status other than HBG_OK means out of memory. */
HBG_MUST_CHECK hbg_status hbg_lsp_handle(hbg_lsp *lsp, const char *message, size_t size,
                                         hbg_lsp_messages *replies);

/* Whether the client has sent `exit`, and whether it had sent `shutdown` before. */
bool hbg_lsp_ended(const hbg_lsp *lsp, bool *properly);
/* The service that holds the documents of this client, for callers that share them. */
hbg_service *hbg_lsp_service(hbg_lsp *lsp);

/* Serves a client at the other end of two files, until it sends `exit` or hangs up. True: it ended
 * properly. */
bool hbg_lsp_serve(hbg_lsp *lsp, int input, int output);

#ifdef __cplusplus
}
#endif

#endif
