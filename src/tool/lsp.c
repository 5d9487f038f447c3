/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg lsp: the language server for editors, over standard input and output. */
#include "tool/tool_impl.h"

#include <unistd.h>

#include "hbg/lsp.h"

int hbg_tool_command_lsp(const tool_options *options) {
    tool_search search;
    hbg_tool_find_search(&search, options);
    hbg_service_options asked = hbg_service_options_default();
    asked.search = search.folders;
    asked.search_count = search.count;
    hbg_lsp *lsp;
    hbg_status status = hbg_lsp_new(&asked, &lsp);
    if (status != HBG_OK) return hbg_tool_fail(NULL, "cannot start the language server", status);
    bool fine = hbg_lsp_serve(lsp, STDIN_FILENO, STDOUT_FILENO);
    hbg_lsp_free(lsp);
    return fine ? EXIT_FINE : EXIT_VIOLATED;
}
