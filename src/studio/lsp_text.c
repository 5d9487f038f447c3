/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language server: requests about a whole document: outline, canonical form, colours, hints, repairs. */
#include "studio/lsp_impl.h"

#include <stdlib.h>
#include <string.h>

/* ---- outline ------------------------------------------------------------------------------------------- */

static int symbol_kind(hbg_service_kind kind) {
    switch (kind) {
    case HBG_SERVICE_MODEL:
    case HBG_SERVICE_COMPONENT: return 5;  /* Class */
    case HBG_SERVICE_PARAMETER: return 14; /* Constant */
    case HBG_SERVICE_PORT: return 11;      /* Interface */
    case HBG_SERVICE_FUNCTION: return 12;
    case HBG_SERVICE_AUTOMATON: return 10;  /* Enum */
    case HBG_SERVICE_STATE: return 22;      /* EnumMember */
    case HBG_SERVICE_INSTANCE: return 19;   /* Object */
    case HBG_SERVICE_JUNCTION: return 20;   /* Key */
    case HBG_SERVICE_EXPERIMENT: return 24; /* Event */
    case HBG_SERVICE_SIGNAL: return 13;
    default: return 8; /* Field */
    }
}

void hbg_studio_lsp_symbols(lsp_request *request) {
    hbg_service_symbols found;
    if (!hbg_studio_lsp_locate(request, false) ||
        hbg_service_outline(request->lsp->service, request->path, &found) != HBG_OK)
        return;
    json_t *top = json_array();
    json_t **children = calloc((size_t)found.count + 1, sizeof *children); // borrowed
    for (int32_t i = 0; children && i < found.count; i++) {
        const hbg_service_symbol *symbol = &found.items[i];
        children[i] = json_array();
        json_t *in = symbol->parent >= 0 ? children[symbol->parent] : top;
        json_array_append_new(
            in, json_pack("{s:o,s:o,s:i,s:o,s:o,s:o}", "name", hbg_studio_lsp_text(symbol->name), "detail",
                          hbg_studio_lsp_text(symbol->detail), "kind", symbol_kind(symbol->kind), "range",
                          hbg_studio_lsp_range(request->lsp, &symbol->whole), "selectionRange",
                          hbg_studio_lsp_range(request->lsp, &symbol->place), "children", children[i]));
    }
    free(children);
    request->result = top;
}

/* ---- canonical form ------------------------------------------------------------------------------------ */

void hbg_studio_lsp_format(lsp_request *request) {
    hbg_service_edits edits;
    if (!hbg_studio_lsp_locate(request, false)) return;
    hbg_status status = hbg_service_format(request->lsp->service, request->path, &edits);
    if (status != HBG_OK) {
        hbg_studio_lsp_fail(request, LSP_REQUEST_FAILED, "the text has errors: it cannot be formatted");
        return;
    }
    request->result = json_array();
    for (int32_t i = 0; i < edits.count; i++)
        json_array_append_new(request->result,
                              json_pack("{s:o,s:o}", "range",
                                        hbg_studio_lsp_range(request->lsp, &edits.items[i].place), "newText",
                                        hbg_studio_lsp_text(edits.items[i].text)));
}

/* ---- colours ------------------------------------------------------------------------------------------- */

/* Kinds as types of tokens that every editor has colours for, in the order of HBG_SERVICE_KIND_LIST. */
static const char *const token_types[] = {
    [HBG_SERVICE_MODEL] = "class",         [HBG_SERVICE_COMPONENT] = "class",
    [HBG_SERVICE_PARAMETER] = "parameter", [HBG_SERVICE_ELEMENT] = "variable",
    [HBG_SERVICE_JUNCTION] = "namespace",  [HBG_SERVICE_BOND] = "variable",
    [HBG_SERVICE_PORT] = "interface",      [HBG_SERVICE_SIGNAL] = "variable",
    [HBG_SERVICE_AUTOMATON] = "enum",      [HBG_SERVICE_STATE] = "enumMember",
    [HBG_SERVICE_INSTANCE] = "struct",     [HBG_SERVICE_FUNCTION] = "function",
    [HBG_SERVICE_ARGUMENT] = "parameter",  [HBG_SERVICE_EXPERIMENT] = "event",
    [HBG_SERVICE_VARIABLE] = "property",   [HBG_SERVICE_KEYWORD] = "keyword",
    [HBG_SERVICE_KIND] = "type",           [HBG_SERVICE_DOMAIN] = "typeParameter",
    [HBG_SERVICE_UNIT] = "macro",          [HBG_SERVICE_NUMBER] = "number",
    [HBG_SERVICE_TEXT] = "string",         [HBG_SERVICE_COMMENT] = "comment",
    [HBG_SERVICE_OPERATOR] = "operator",   [HBG_SERVICE_FILE] = "string"};

json_t *hbg_studio_lsp_legend(void) {
    json_t *types = json_array();
    for (int i = 0; i < HBG_SERVICE_KIND_COUNT; i++)
        json_array_append_new(types, json_string(token_types[i]));
    return json_pack("{s:o,s:[s]}", "tokenTypes", types, "tokenModifiers", "declaration");
}

/* Walks through the text once: tokens are in the order of the text. */
typedef struct {
    const char *text;
    size_t size, at;
    json_int_t line, column;           /* of `at` */
    json_int_t last_line, last_column; /* of the token before */
    json_t *data;
} token_writer;

static void step(token_writer *w) {
    unsigned char c = (unsigned char)w->text[w->at++];
    if (c == '\n') {
        w->line++;
        w->column = 0;
    } else if (c < 0x80 || c >= 0xC0) {
        w->column += c >= 0xF0 ? 2 : 1; // beyond the first plane: two units
    }
}

static void put_piece(token_writer *w, json_int_t line, json_int_t column, json_int_t length,
                      const hbg_service_token *token) {
    if (length <= 0) return;
    json_int_t numbers[] = {line - w->last_line, line == w->last_line ? column - w->last_column : column,
                            length, (json_int_t)token->kind, token->declares ? 1 : 0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_array_append_new(w->data, json_integer(numbers[i]));
    w->last_line = line;
    w->last_column = column;
}

/* A token over several lines becomes one for each. */
static void put_token(token_writer *w, const hbg_service_token *token) {
    while (w->at < token->start) step(w);
    json_int_t line = w->line, column = w->column;
    while (w->at < token->end) {
        json_int_t before = w->column;
        step(w);
        if (w->line == line) continue;
        put_piece(w, line, column, before - column, token);
        line = w->line;
        column = 0;
    }
    put_piece(w, line, column, w->column - column, token);
}

void hbg_studio_lsp_tokens(lsp_request *request) {
    hbg_service_tokens found;
    if (!hbg_studio_lsp_locate(request, false) ||
        hbg_service_tokens_of(request->lsp->service, request->path, &found) != HBG_OK)
        return;
    token_writer w = {.data = json_array()};
    w.text = hbg_service_text(request->lsp->service, request->path, &w.size);
    for (int32_t i = 0; w.text && i < found.count; i++)
        if (found.items[i].end <= w.size && found.items[i].start >= w.at) put_token(&w, &found.items[i]);
    request->result = json_pack("{s:o}", "data", w.data);
}

/* ---- hints --------------------------------------------------------------------------------------------- */

void hbg_studio_lsp_hints(lsp_request *request) {
    hbg_service_hints found;
    if (!hbg_studio_lsp_locate(request, false)) return;
    const json_t *range = json_object_get(request->params, "range");
    size_t start = 0, end = SIZE_MAX;
    (void)hbg_studio_lsp_offset(request->lsp, request->path, json_object_get(range, "start"), &start);
    if (!hbg_studio_lsp_offset(request->lsp, request->path, json_object_get(range, "end"), &end))
        end = SIZE_MAX;
    if (hbg_service_hints_of(request->lsp->service, request->path, &found) != HBG_OK) return;
    request->result = json_array();
    for (int32_t i = 0; i < found.count; i++) {
        const hbg_service_hint *hint = &found.items[i];
        if (hint->offset < start || hint->offset > end) continue;
        hbg_service_place place = {request->path, hint->offset, hint->offset};
        json_t *at = hbg_studio_lsp_range(request->lsp, &place);
        json_array_append_new(request->result,
                              json_pack("{s:O,s:o,s:o}", "position", json_object_get(at, "start"), "label",
                                        hbg_studio_lsp_text(hint->text), "tooltip",
                                        hbg_studio_lsp_text(hint->document)));
        json_decref(at);
    }
}

/* ---- repairs ------------------------------------------------------------------------------------------- */

void hbg_studio_lsp_actions(lsp_request *request) {
    hbg_service_diagnostics found;
    size_t start, end;
    if (!hbg_studio_lsp_locate(request, false)) return;
    const json_t *range = json_object_get(request->params, "range");
    if (!hbg_studio_lsp_offset(request->lsp, request->path, json_object_get(range, "start"), &start) ||
        !hbg_studio_lsp_offset(request->lsp, request->path, json_object_get(range, "end"), &end)) {
        hbg_studio_lsp_fail(request, LSP_INVALID_PARAMS, "there is no range in the request");
        return;
    }
    if (hbg_service_diagnose(request->lsp->service, request->path, &found) != HBG_OK) return;
    request->result = json_array();
    for (int32_t i = 0; i < found.count; i++) {
        const hbg_service_diagnostic *item = &found.items[i];
        if (!item->edit || item->place.start > end || item->place.end < start) continue;
        json_array_append_new(request->result,
                              json_pack("{s:o,s:s,s:b,s:[o],s:o}", "title", hbg_studio_lsp_text(item->help),
                                        "kind", "quickfix", "isPreferred", 1, "diagnostics",
                                        hbg_studio_lsp_diagnostic(request->lsp, item), "edit",
                                        hbg_studio_lsp_edits(request->lsp, item->edit, 1)));
    }
}
