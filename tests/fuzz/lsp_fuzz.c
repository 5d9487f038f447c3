/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as messages to the language server, one a line; before them the client has begun and opened a document. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbg/lsp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void say(hbg_lsp *lsp, const char *message, size_t size) {
    hbg_lsp_messages replies;
    if (hbg_lsp_handle(lsp, message, size, &replies) != HBG_OK) return;
    for (int i = 0; i < replies.count; i++)
        if (replies.items[i][0] != '{') abort(); // an answer is an object
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char begin[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}";
    static const char open[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/"
        "didOpen\",\"params\":{\"textDocument\":{\"uri\":\"u\",\"text\":"
        "\"model M { Se s(5 [V]); R r(1); 1 j; s -> j -> r; automaton a { off x -> y when j.f > 1; } }\"}}}";
    hbg_service_options options = hbg_service_options_default();
    options.memory_limit = (size_t)256 << 20;
    options.folder = "/nonexistent";
    hbg_lsp *lsp;
    if (hbg_lsp_new(&options, &lsp) != HBG_OK) return 0;
    say(lsp, begin, sizeof begin - 1);
    say(lsp, open, sizeof open - 1);
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - data) - at : size - at;
        say(lsp, (const char *)data + at, length);
        at += length + 1;
    }
    hbg_lsp_free(lsp);
    return 0;
}
