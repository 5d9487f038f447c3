/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a model: read, elaborate, check, list, draw as dot, explain what is wrong, format. Beyond not
 * crashing, hanging or leaking, what must hold for every text is stated with `expect`. A last line that
 * starts with //-p is also given as a parameter of the command line. */
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

static hbg_session *new_session(void) {
    hbg_session_options options = hbg_session_options_default();
    options.memory_limit = MEMORY_LIMIT;
    hbg_session *session = NULL;
    expect(hbg_session_new(&options, &session) == HBG_OK, "a session can be made");
    return session;
}

static bool refused(hbg_status status) {
    return status == HBG_NO_MEMORY || status == HBG_TOO_LARGE;
}

/* Takes a text that a function made; it has to be there if the function says so. */
static void discard(hbg_session *session, hbg_status status, hbg_text *text) {
    expect(status == HBG_OK || refused(status), "an accepted model can be looked at");
    if (status != HBG_OK) return;
    expect(text->data && strlen(text->data) <= text->size, "a text has its NUL");
    hbg_text_free(session, text);
}

static void look_at(hbg_session *session, const hbg_model *model) {
    hbg_draw_options draw = hbg_draw_options_default();
    draw.format = HBG_DRAW_DOT;
    hbg_text text;
    expect(hbg_model_title(model) != NULL, "a model has a name");
    discard(session, hbg_summary_text(session, model, &text), &text);
    discard(session, hbg_list_text(session, model, &text), &text);
    discard(session, hbg_list_json(session, model, &text), &text);
    discard(session, hbg_draw(session, model, &draw, &text), &text);
}

/* What can be read of a text with errors can be drawn. */
static void look_at_draft(hbg_session *session, const char *data, size_t size) {
    hbg_draw_options draw = hbg_draw_options_default();
    draw.format = HBG_DRAW_DOT;
    hbg_text text;
    hbg_status status = hbg_draw_draft(session, "fuzz.hbg", data, size, NULL, &draw, &text);
    if (status != HBG_BAD_MODEL) discard(session, status, &text);
}

/* Every table of the model, for the caller to free; NULL where memory does not suffice. */
static char *dump_of(hbg_session *session, const hbg_model *model) {
    hbg_text text;
    hbg_status status = hbg_dump_text(session, model, &text);
    expect(status == HBG_OK || refused(status), "an accepted model can be dumped");
    if (status != HBG_OK) return NULL;
    char *copy = strdup(text.data);
    hbg_text_free(session, &text);
    return copy;
}

typedef enum { NO_MODEL, A_MODEL, TOO_MUCH } outcome;

/* Loads the text and looks at everything that comes of it. *dump, if asked for, is the model's. */
static outcome load(const char *data, size_t size, const char *parameter, char **dump) {
    hbg_session *session = new_session();
    hbg_load_options options = {.parameters = &parameter, .parameter_count = parameter ? 1 : 0};
    hbg_model *model = NULL;
    hbg_status status = hbg_load_text(session, "fuzz.hbg", data, size, &options, &model);
    expect(status == HBG_OK || status == HBG_BAD_MODEL || refused(status), "a text is a model or is not");
    expect(status != HBG_OK || hbg_error_count(session) == 0, "an accepted model has no error");
    expect(status != HBG_BAD_MODEL || hbg_error_count(session) > 0, "a refused model has an error");
    if (status == HBG_OK) look_at(session, model);
    if (status == HBG_BAD_MODEL) look_at_draft(session, data, size);
    if (status == HBG_OK && dump) *dump = dump_of(session, model);
    hbg_text text;
    discard(session, hbg_diagnostics_text(session, true, &text), &text);
    discard(session, hbg_diagnostics_json(session, &text), &text);
    hbg_session_free(session);
    return status == HBG_OK ? A_MODEL : refused(status) ? TOO_MUCH : NO_MODEL;
}

/* The canonical form of a model is a model, and the same one. */
static void reload(const char *data, size_t size, const char *dump) {
    char *again = NULL;
    outcome result = load(data, size, NULL, &again);
    expect(result != NO_MODEL, "the canonical form of a model is a model");
    if (again && dump) expect(strcmp(again, dump) == 0, "the canonical form means the same");
    free(again);
}

/* The canonical form is its own canonical form. */
static void format(const char *data, size_t size, outcome loaded, const char *dump) {
    hbg_session *session = new_session();
    hbg_text once, twice;
    hbg_status status = hbg_format(session, "fuzz.hbg", data, size, &once);
    expect(loaded != A_MODEL || status != HBG_BAD_MODEL, "a model can be formatted");
    if (status == HBG_OK) {
        status = hbg_format(session, "once.hbg", once.data, once.size, &twice);
        expect(status == HBG_OK || refused(status), "the canonical form parses");
        if (status == HBG_OK) {
            bool same = once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0;
            expect(same, "the canonical form is its own canonical form");
            hbg_text_free(session, &twice);
        }
        if (loaded == A_MODEL) reload(once.data, once.size, dump);
        hbg_text_free(session, &once);
    }
    hbg_session_free(session);
}

/* Reads the text with one allocation failing, another one for every text. */
static void starve(const char *data, size_t size) {
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < size; i++) hash = (hash ^ (uint8_t)data[i]) * 16777619U;
    hbg_session_options options = hbg_session_options_default();
    options.memory_limit = MEMORY_LIMIT;
    options.fail_at = 1 + hash % 64;
    hbg_session *session = NULL;
    if (hbg_session_new(&options, &session) != HBG_OK) return;
    hbg_model *model = NULL;
    hbg_status status = hbg_load_text(session, "fuzz.hbg", data, size, NULL, &model);
    expect(status == HBG_OK || status == HBG_BAD_MODEL || refused(status), "a failure is told");
    if (status == HBG_OK) look_at(session, model);
    hbg_text text;
    discard(session, hbg_diagnostics_text(session, false, &text), &text);
    hbg_session_free(session);
}

/* What follows //-p on the last line, or NULL. */
static char *parameter_of(const char *data, size_t size) {
    static const char MARK[] = "\n//-p ";
    size_t start = size;
    while (start > 0 && data[start - 1] != '\n') start--;
    size_t mark = sizeof MARK - 2;
    if (start == 0 || size - start < mark || memcmp(data + start, MARK + 1, mark) != 0) return NULL;
    size_t length = size - start - mark;
    char *parameter = calloc(1, length + 1);
    expect(parameter != NULL, "there is memory for a line");
    memcpy(parameter, data + start + mark, length);
    return parameter;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    char *parameter = parameter_of(text, size), *dump = NULL;
    if (parameter) load(text, size, parameter, NULL);
    outcome loaded = load(text, size, NULL, &dump);
    format(text, size, loaded, dump);
    starve(text, size);
    free(parameter);
    free(dump);
    return 0;
}
