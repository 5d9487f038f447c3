/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a process of HyPA. A text that is refused says why; what is written of one that is read is a
 * process again, and written once more the same text. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbg/hbg.h"

#define MEMORY_LIMIT ((size_t)256 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition, const char *claim) {
    if (condition) return;
    fprintf(stderr, "does not hold: %s\n", claim);
    abort();
}

/* A bracket around a negative number may be one too many: what is written can be nested deeper than what was read. */
static bool is_nested_too_deep(hbg_session *session) {
    hbg_text report;
    expect(hbg_diagnostics_text(session, false, &report) == HBG_OK, "what is wrong is told");
    bool deep = strstr(report.data, "not nested so deep") != NULL;
    hbg_text_free(session, &report);
    return deep;
}

static void write_twice(hbg_session *session, const hbg_text *once) {
    hbg_text twice;
    hbg_status status = hbg_hypa_again(session, "once", once->data, once->size, &twice);
    if (status == HBG_NO_MEMORY || (status == HBG_BAD_MODEL && is_nested_too_deep(session))) return;
    expect(status == HBG_OK, "what was written can be read");
    bool same = once->size == twice.size && memcmp(once->data, twice.data, once->size) == 0;
    expect(same, "what was written is written again as it is");
    hbg_text_free(session, &twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hbg_session_options options = hbg_session_options_default();
    options.memory_limit = MEMORY_LIMIT;
    hbg_session *session = NULL;
    expect(hbg_session_new(&options, &session) == HBG_OK, "a session can be made");
    hbg_text once;
    hbg_status status = hbg_hypa_again(session, "fuzz", (const char *)data, size, &once);
    expect(status == HBG_OK || status == HBG_BAD_MODEL || status == HBG_NO_MEMORY,
           "a text is a process or is not");
    expect(status != HBG_BAD_MODEL || hbg_error_count(session) > 0, "a text that is refused has an error");
    if (status == HBG_OK) {
        write_twice(session, &once);
        hbg_text_free(session, &once);
    }
    hbg_session_free(session);
    return 0;
}
