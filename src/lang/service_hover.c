/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: the meaning of the word at a place. */
#include "lang/service_impl.h"

#include <string.h>

static void put_markdown(hbg_arena *arena, hbg_service_hover *hover) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    if (hover->line[0]) hbg_base_buffer_print(&out, "```hbg\n%s\n```\n", hover->line);
    hbg_base_buffer_print(&out, "%s", hover->what);
    if (hover->domain[0]) hbg_base_buffer_print(&out, ", %s", hover->domain);
    if (hover->value[0])
        hbg_base_buffer_print(&out, ": `%s`", hover->value);
    else if (hover->unit[0])
        hbg_base_buffer_print(&out, ", in `%s`", hover->unit);
    hbg_base_buffer_char(&out, '\n');
    if (hover->document[0]) hbg_base_buffer_print(&out, "\n%s\n", hover->document);
    if (hover->declared.path) {
        const char *slash = strrchr(hover->declared.path, '/');
        hbg_base_buffer_print(&out, "\ndeclared in %s\n", slash ? slash + 1 : hover->declared.path);
    }
    hover->markdown = out.data;
}

static void hover_symbol(const hbg_lang_reading *reading, const hbg_lang_reading *good, hbg_arena *arena,
                         int32_t symbol, hbg_service_hover *hover) {
    service_facts facts = hbg_lang_service_facts(reading, good, arena, symbol);
    hover->kind = reading->symbols.items[symbol].kind;
    hover->name = hbg_lang_service_name_of(reading, symbol);
    hover->what = facts.what;
    hover->unit = facts.unit;
    hover->domain = facts.domain;
    hover->value = facts.value;
    hover->line = hbg_lang_service_line(reading, arena, symbol);
    hover->document = hbg_lang_service_doc(reading, symbol);
    hover->declared = hbg_lang_service_place(reading, reading->symbols.items[symbol].span);
    int32_t component =
        hover->kind == HBG_SERVICE_COMPONENT ? symbol : hbg_lang_service_component(reading, symbol);
    if (component == HBG_NONE) return;
    const char *ports = hbg_lang_service_ports(reading, arena, component);
    if (ports[0])
        hover->document = hbg_base_arena_print(arena, "%s%sports: %s", hover->document,
                                               hover->document[0] ? "\n\n" : "", ports);
}

/* ---- what the language has ----------------------------------------------------------------------------- */

static bool hover_kind(const char *text, hbg_service_hover *hover) {
    for (int form = 0; form < HBG_KIND_COUNT; form++) {
        const hbg_element_info *info = hbg_model_element_info_get(form);
        if (strcmp(info->text, text) != 0) continue;
        hover->kind = HBG_SERVICE_KIND;
        hover->what = info->name;
        return true;
    }
    return false;
}

/* `.e` after an element, junction, port or bond. */
static bool hover_variable(const char *text, hbg_service_hover *hover) {
    static const struct {
        const char *name, *what;
    } variables[] = {{"e", "effort"},
                     {"f", "flow"},
                     {"q", "displacement: the integral of the flow"},
                     {"p", "momentum: the integral of the effort"},
                     {"power", "power: effort times flow"},
                     {"energy", "stored energy"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        if (strcmp(variables[i].name, text) != 0) continue;
        hover->kind = HBG_SERVICE_VARIABLE;
        hover->what = variables[i].what;
        return true;
    }
    return false;
}

static bool hover_language(const hbg_lang_reading *reading, hbg_arena *arena, int32_t token,
                           hbg_service_hover *hover) {
    const hbg_token *tokens = reading->file->tokens.items;
    const char *text = hbg_lang_service_copy(reading, arena, tokens[token].span, true);
    bool dotted = token > 0 && tokens[token - 1].kind == TOKEN_DOT;
    hbg_domain domain = hbg_model_domain_find(text, strlen(text));
    const service_word *word = hbg_lang_service_find_word(text, strlen(text));
    hover->name = text;
    bool begins = token == 0 || tokens[token - 1].kind == TOKEN_SEMICOLON ||
                  tokens[token - 1].kind == TOKEN_LEFT_BRACE || tokens[token - 1].kind == TOKEN_RIGHT_BRACE;
    if (dotted) return hover_variable(text, hover);
    if (begins && hover_kind(text, hover)) return true;
    if (tokens[token].kind != TOKEN_NAME) return false;
    bool called = token + 1 < reading->file->tokens.count && tokens[token + 1].kind == TOKEN_LEFT_PAREN;
    if (called && hbg_model_operator_find_function(text, strlen(text)) != HBG_OP_COUNT) {
        hover->kind = HBG_SERVICE_FUNCTION;
        hover->what = "function of the language";
        return true;
    }
    if (word) {
        hover->kind = word->kind;
        hover->what = word->what;
        return true;
    }
    if (domain != HBG_DOMAIN_COUNT && token > 0 && tokens[token - 1].kind == TOKEN_COLON) {
        hover->kind = HBG_SERVICE_DOMAIN;
        hover->what = "physical domain";
        return true;
    }
    return hover_kind(text, hover) || hover_variable(text, hover);
}

static bool hover_unit(const hbg_lang_reading *reading, hbg_arena *arena, hbg_span span,
                       hbg_service_hover *hover) {
    const char *text = hbg_lang_service_copy(reading, arena, span, true), *reason, *near = NULL;
    size_t size = strlen(text);
    hbg_unit unit;
    if (size < 2 ||
        !hbg_lang_units_parse(reading->workspace->units, arena, text + 1, size - 2, &unit, &reason, &near))
        return false;
    const char *name = hbg_model_dimension_unit(arena, unit.dimension);
    hover->kind = HBG_SERVICE_UNIT;
    hover->name = text;
    hover->what = hbg_base_arena_print(arena, "unit; in SI: %s", name[0] ? name : "a pure number");
    return true;
}

static int32_t token_at(const hbg_lang_reading *reading, uint32_t at) {
    for (int32_t i = 0; i < reading->file->tokens.count; i++) {
        hbg_span span = reading->file->tokens.items[i].span;
        if (span.start <= at && at < span.end) return i;
        if (span.start > at) break;
    }
    return HBG_NONE;
}

bool hbg_lang_service_hover(const hbg_lang_reading *reading, const hbg_lang_reading *good, hbg_arena *arena,
                            size_t offset, hbg_service_hover *hover) {
    *hover = (hbg_service_hover){.name = "",
                                 .what = "",
                                 .line = "",
                                 .unit = "",
                                 .domain = "",
                                 .value = "",
                                 .document = "",
                                 .markdown = ""};
    int32_t occurrence = hbg_lang_service_occurrence(reading, offset);
    if (occurrence != HBG_NONE) {
        hover->place = hbg_lang_service_place(reading, reading->occurrences.items[occurrence].span);
        hover_symbol(reading, good, arena, reading->occurrences.items[occurrence].symbol, hover);
    } else {
        int32_t token = token_at(reading, hbg_lang_service_at(reading, offset));
        if (token == HBG_NONE) return false;
        hbg_span span = reading->file->tokens.items[token].span;
        hover->place = hbg_lang_service_place(reading, span);
        bool known = reading->file->tokens.items[token].kind == TOKEN_UNIT
                         ? hover_unit(reading, arena, span, hover)
                         : hover_language(reading, arena, token, hover);
        if (!known) return false;
    }
    put_markdown(arena, hover);
    return true;
}

bool hbg_lang_service_declared(const hbg_lang_reading *reading, size_t offset, hbg_service_place *place) {
    int32_t occurrence = hbg_lang_service_occurrence(reading, offset);
    if (occurrence != HBG_NONE) {
        int32_t symbol = reading->occurrences.items[occurrence].symbol;
        *place = hbg_lang_service_place(reading, reading->symbols.items[symbol].span);
        return true;
    }
    uint32_t at = hbg_lang_service_at(reading, offset);
    for (int32_t i = 0; i < reading->file->imports.count; i++) { // an import leads to its file
        const syntax_import *import = &reading->file->imports.items[i];
        if (at < import->span.start || at > import->span.end) continue;
        const char *wanted = strrchr(import->path, '/');
        wanted = wanted ? wanted + 1 : import->path;
        for (int32_t k = 1; k < reading->elaborator.files.count; k++) {
            const char *path = reading->elaborator.files.items[k].path, *slash = strrchr(path, '/');
            if (strcmp(slash ? slash + 1 : path, wanted) != 0) continue;
            *place = (hbg_service_place){path, 0, 0};
            return true;
        }
    }
    return false;
}
