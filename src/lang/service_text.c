/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: the whole text at once: outline, colours, and inferred facts that are not written. */
#include "lang/service_impl.h"

#include <stdlib.h>
#include <string.h>

static bool is_own(const hbg_lang_reading *reading, hbg_span span) {
    return span.end > 0 && span.start >= reading->source->base &&
           span.start <= reading->source->base + reading->source->size;
}

/* ---- outline ------------------------------------------------------------------------------------------- */

void hbg_lang_service_outline(const hbg_lang_reading *reading, hbg_arena *arena,
                              hbg_service_symbols *symbols) {
    HBG_VEC(hbg_service_symbol) found = {0};
    int32_t *places = HBG_NEW_ARRAY(arena, int32_t, reading->symbols.count + 1);
    for (int32_t i = 0; i < reading->symbols.count; i++) {
        const service_symbol *symbol = &reading->symbols.items[i];
        places[i] = HBG_NONE;
        if (symbol->name == 0 || symbol->kind == HBG_SERVICE_ARGUMENT || !is_own(reading, symbol->span))
            continue;
        hbg_service_symbol item = {.kind = symbol->kind, .name = hbg_lang_service_name_of(reading, i)};
        int32_t component = hbg_lang_service_component(reading, i);
        item.detail = component != HBG_NONE ? hbg_lang_service_name_of(reading, component)
                                            : hbg_lang_service_facts(reading, NULL, arena, i).what;
        item.place = hbg_lang_service_place(reading, symbol->span);
        item.whole = hbg_lang_service_place(reading, symbol->whole);
        if (item.whole.start > item.place.start || item.whole.end < item.place.end) item.whole = item.place;
        item.parent = symbol->owner == HBG_NONE ? -1 : places[symbol->owner];
        places[i] = found.count;
        HBG_PUSH(arena, found, item);
    }
    *symbols = (hbg_service_symbols){found.items, found.count};
}

/* ---- colours ------------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_lang_reading *reading;
    hbg_arena *arena;
    int32_t next; /* occurrence */
    HBG_VEC(hbg_service_token) found;
} colouring;

static void put(colouring *c, uint32_t start, uint32_t end, hbg_service_kind kind, bool declares) {
    uint32_t base = c->reading->source->base;
    if (start < base || end <= start || end > base + c->reading->source->size) return;
    hbg_service_token token = {start - base, end - base, kind, declares};
    HBG_PUSH(c->arena, c->found, token);
}

static void put_comments(colouring *c, uint32_t from, uint32_t to) {
    const char *begin = c->reading->source->text;
    const char *text = begin + (from - c->reading->source->base),
               *end = begin + (to - c->reading->source->base);
    while (text < end) {
        if (text[0] == '/' && text + 1 < end && (text[1] == '/' || text[1] == '*')) {
            const char *stop = text[1] == '/' ? memchr(text, '\n', (size_t)(end - text))
                                              : hbg_lang_lexer_comment_end(text + 2, end);
            if (!stop) stop = end;
            put(c, c->reading->source->base + (uint32_t)(text - begin),
                c->reading->source->base + (uint32_t)(stop - begin), HBG_SERVICE_COMMENT, false);
            text = stop;
        } else {
            text++;
        }
    }
}

/* A word that names nothing: of the language, an element, a variable, a domain. */
static hbg_service_kind word_kind(const colouring *c, int32_t token) {
    const hbg_token *tokens = c->reading->file->tokens.items;
    const char *text = hbg_lang_service_name(c->reading, tokens[token].name);
    bool dotted = token > 0 && tokens[token - 1].kind == TOKEN_DOT;
    bool called = token + 1 < c->reading->file->tokens.count && tokens[token + 1].kind == TOKEN_LEFT_PAREN;
    for (int form = 0; form < HBG_KIND_COUNT && !dotted; form++)
        if (strcmp(hbg_model_element_info_get(form)->text, text) == 0) return HBG_SERVICE_KIND;
    if (dotted) return HBG_SERVICE_VARIABLE;
    if (called && hbg_model_operator_find_function(text, strlen(text)) != HBG_OP_COUNT)
        return HBG_SERVICE_FUNCTION;
    const service_word *word = hbg_lang_service_find_word(text, strlen(text));
    if (word) return word->kind;
    if (hbg_model_domain_find(text, strlen(text)) != HBG_DOMAIN_COUNT) return HBG_SERVICE_DOMAIN;
    for (int i = 0; i < HBG_SOLVER_COUNT; i++)
        if (strcmp(hbg_model_solver_text(i), text) == 0) return HBG_SERVICE_KEYWORD;
    for (int i = 0; i < HBG_FAULT_COUNT; i++)
        if (strcmp(hbg_model_fault_kind_text(i), text) == 0) return HBG_SERVICE_KEYWORD;
    return HBG_SERVICE_VARIABLE;
}

static void put_name(colouring *c, int32_t token) {
    const hbg_token *own = &c->reading->file->tokens.items[token];
    while (c->next < c->reading->occurrences.count &&
           c->reading->occurrences.items[c->next].span.start < own->span.start)
        c->next++;
    if (c->next < c->reading->occurrences.count) {
        const service_occurrence *occurrence = &c->reading->occurrences.items[c->next];
        if (occurrence->span.start == own->span.start) {
            put(c, own->span.start, own->span.end, c->reading->symbols.items[occurrence->symbol].kind,
                occurrence->declares);
            return;
        }
    }
    put(c, own->span.start, own->span.end, word_kind(c, token), false);
}

static void put_token(colouring *c, int32_t token) {
    const hbg_token *own = &c->reading->file->tokens.items[token];
    bool begins = token == 0 || own[-1].kind == TOKEN_SEMICOLON || own[-1].kind == TOKEN_LEFT_BRACE ||
                  own[-1].kind == TOKEN_RIGHT_BRACE;
    switch (own->kind) {
    case TOKEN_NAME: put_name(c, token); break;
    case TOKEN_NUMBER: // `0 node;` and `1 loop;` begin with the kind of a junction
        put(c, own->span.start, own->span.end, begins ? HBG_SERVICE_KIND : HBG_SERVICE_NUMBER, false);
        break;
    case TOKEN_STRING: put(c, own->span.start, own->span.end, HBG_SERVICE_TEXT, false); break;
    case TOKEN_UNIT: put(c, own->span.start, own->span.end, HBG_SERVICE_UNIT, false); break;
    case TOKEN_ARROW: put(c, own->span.start, own->span.end, HBG_SERVICE_OPERATOR, false); break;
    default: break;
    }
}

void hbg_lang_service_tokens(const hbg_lang_reading *reading, hbg_arena *arena, hbg_service_tokens *tokens) {
    colouring c = {.reading = reading, .arena = arena};
    uint32_t at = reading->source->base;
    for (int32_t i = 0; i < reading->file->tokens.count && !reading->unreadable; i++) {
        hbg_span span = reading->file->tokens.items[i].span;
        put_comments(&c, at, span.start);
        put_token(&c, i);
        at = span.end;
    }
    if (!reading->unreadable) put_comments(&c, at, reading->source->base + reading->source->size);
    *tokens = (hbg_service_tokens){c.found.items, c.found.count};
}

/* ---- hints --------------------------------------------------------------------------------------------- */

static const char *hint_of(const hbg_lang_reading *reading, hbg_arena *arena, int32_t symbol,
                           const char **document) {
    const service_symbol *own = &reading->symbols.items[symbol];
    hbg_object object = hbg_lang_service_object(reading, symbol);
    *document = "";
    if (object.kind == HBG_OBJECT_PARAM || object.kind == HBG_OBJECT_SIGNAL) {
        bool param = object.kind == HBG_OBJECT_PARAM;
        bool inferred = param ? reading->model->params.items[object.index].inferred
                              : reading->model->signals.items[object.index].inferred;
        if (!inferred || own->declaration->unit.end > 0) return NULL;
        const syntax_expr *value = param ? own->declaration->param : own->declaration->signal->value;
        if (value && value->kind == SYNTAX_NUMBER && value->unit.end > 0) return NULL; // it exists to be seen
        const char *unit = hbg_model_object_unit(arena, reading->model, object);
        *document = "unit found from its value and its uses";
        return unit[0] ? hbg_base_arena_print(arena, " [%s]", unit) : NULL;
    }
    if (own->kind != HBG_SERVICE_JUNCTION || object.kind != HBG_OBJECT_ELEMENT) return NULL;
    hbg_domain domain = hbg_lang_service_domain(reading->model, object);
    *document = "domain found from the units in its net";
    return domain == HBG_DOMAIN_ANY ? NULL
                                    : hbg_base_arena_print(arena, " %s", hbg_model_domain_name(domain));
}

static int by_offset(const void *a, const void *b) {
    const hbg_service_hint *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void hbg_lang_service_hints(const hbg_lang_reading *reading, hbg_arena *arena, hbg_service_hints *hints) {
    HBG_VEC(hbg_service_hint) found = {0};
    for (int32_t i = 0; reading->model && i < reading->symbols.count; i++) {
        const service_symbol *symbol = &reading->symbols.items[i];
        const char *document;
        if (!symbol->declaration || !is_own(reading, symbol->span)) continue;
        const char *text = hint_of(reading, arena, i, &document);
        if (!text) continue;
        hbg_service_hint hint = {hbg_lang_service_place(reading, symbol->span).end, text, document};
        HBG_PUSH(arena, found, hint);
    }
    if (found.count > 1) qsort(found.items, (size_t)found.count, sizeof *found.items, by_offset);
    *hints = (hbg_service_hints){found.items, found.count};
}
