/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: what surrounds a place. Only tokens are examined, since text being typed is seldom
 * correct. */
#include "lang/service_impl.h"

#include <string.h>

#define BLOCKS_LIMIT 16 /* braces in braces; the language has three */

bool hbg_lang_service_token_is(const hbg_lang_reading *reading, int32_t token, const char *word) {
    if (token < 0 || token >= reading->file->tokens.count) return false;
    const hbg_token *found = &reading->file->tokens.items[token];
    return found->kind == TOKEN_NAME && strcmp(hbg_lang_service_name(reading, found->name), word) == 0;
}

/* How many tokens begin before the position. */
static int32_t tokens_before(const hbg_lang_reading *reading, uint32_t at) {
    int32_t low = 0, high = reading->file->tokens.count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (reading->file->tokens.items[middle].span.start < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const char *text_at(const hbg_lang_reading *reading, uint32_t position) {
    return reading->source->text + (position - reading->source->base);
}

/* Whether a comment is open at the end of a gap between tokens. */
static bool ends_in_comment(const char *text, const char *end) {
    while (text < end) {
        if (text[0] == '/' && text + 1 < end && (text[1] == '/' || text[1] == '*')) {
            const char *stop = text[1] == '/' ? memchr(text, '\n', (size_t)(end - text))
                                              : hbg_lang_lexer_comment_end(text + 2, end);
            if (!stop) return true;
            text = stop;
        } else {
            text++;
        }
    }
    return false;
}

/* `5 [m`: a bracket that is open on this line, after a number or after the name that a declaration
 * declares. */
static bool opens_unit(const hbg_lang_reading *reading, const service_context *context, uint32_t at,
                       hbg_span *word) {
    const char *line = text_at(reading, at), *begin = reading->source->text;
    while (line > begin && line[-1] != '\n' && line[-1] != '[' && line[-1] != ']' && line[-1] != ';') line--;
    if (line == begin || line[-1] != '[') return false;
    uint32_t bracket = reading->source->base + (uint32_t)(line - 1 - begin);
    int32_t before = tokens_before(reading, bracket) - 1;
    if (before < 0) return false;
    hbg_token_kind kind = reading->file->tokens.items[before].kind;
    static const char *const declare[] = {"param", "choice", "signal", "input", "output",
                                          "state", "sample", "sensor", "port"};
    bool declared = false;
    for (size_t i = 0; i < sizeof declare / sizeof *declare && kind == TOKEN_NAME; i++)
        declared = declared || hbg_lang_service_token_is(reading, context->first, declare[i]);
    if (kind != TOKEN_NUMBER && !declared) return false;
    *word = (hbg_span){bracket + 1, at};
    return true;
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

typedef struct {
    service_block block;
    int32_t definition, automaton;
} open_block;

static open_block inside(const hbg_lang_reading *reading, open_block outer, int32_t first) {
    const hbg_token *tokens = reading->file->tokens.items;
    bool named = first + 1 < reading->file->tokens.count && tokens[first + 1].kind == TOKEN_NAME;
    open_block inner = outer;
    if (hbg_lang_service_token_is(reading, first, "model") ||
        hbg_lang_service_token_is(reading, first, "component")) {
        inner = (open_block){CONTEXT_BODY, HBG_NONE, HBG_NONE};
        if (named) inner.definition = hbg_lang_service_member(reading, HBG_NONE, tokens[first + 1].name);
        if (inner.definition != HBG_NONE && !reading->symbols.items[inner.definition].definition)
            inner.definition = HBG_NONE;
    } else if (hbg_lang_service_token_is(reading, first, "automaton")) {
        inner.block = CONTEXT_AUTOMATON;
        if (named && outer.definition != HBG_NONE)
            inner.automaton = hbg_lang_service_member(reading, outer.definition, tokens[first + 1].name);
        if (inner.automaton != HBG_NONE &&
            reading->symbols.items[inner.automaton].kind != HBG_SERVICE_AUTOMATON)
            inner.automaton = HBG_NONE;
    } else if (hbg_lang_service_token_is(reading, first, "experiment")) {
        inner.block = CONTEXT_EXPERIMENT;
    } else if (hbg_lang_service_token_is(reading, first, "verify")) {
        inner.block = CONTEXT_VERIFY;
    } else if (outer.block == CONTEXT_AUTOMATON) {
        inner.block = CONTEXT_STATE;
    }
    return inner;
}

static void find_block(const hbg_lang_reading *reading, service_context *context) {
    open_block stack[BLOCKS_LIMIT] = {{CONTEXT_TOP, HBG_NONE, HBG_NONE}};
    int depth = 0;
    int32_t first = 0;
    for (int32_t i = 0; i < context->end; i++) {
        hbg_token_kind kind = reading->file->tokens.items[i].kind;
        if (kind == TOKEN_LEFT_BRACE && depth + 1 < BLOCKS_LIMIT) {
            stack[depth + 1] = inside(reading, stack[depth], first);
            depth++;
        }
        if (kind == TOKEN_RIGHT_BRACE && depth > 0) depth--;
        if (kind == TOKEN_LEFT_BRACE || kind == TOKEN_RIGHT_BRACE || kind == TOKEN_SEMICOLON) first = i + 1;
    }
    context->block = stack[depth].block;
    context->definition = stack[depth].definition;
    context->automaton = stack[depth].automaton;
    context->first = first;
}

service_context hbg_lang_service_context(const hbg_lang_reading *reading, size_t offset) {
    uint32_t at = hbg_lang_service_at(reading, offset);
    service_context context = {.definition = HBG_NONE, .automaton = HBG_NONE, .word = {at, at}};
    context.end = tokens_before(reading, at);
    HBG_ASSERT(context.end == 0 || reading->file->tokens.items);
    const hbg_token *last = context.end > 0 ? &reading->file->tokens.items[context.end - 1] : NULL;
    if (last && last->span.end >= at) {
        if (last->kind == TOKEN_NAME) {
            context.word = last->span;
            context.end--;
        } else if (last->kind == TOKEN_STRING && (last->span.end > at || text_at(reading, at)[-1] != '"')) {
            context.in_text = true;
            context.word = last->span;
            context.end--;
        } else if (last->kind == TOKEN_UNIT && last->span.end > at) {
            context.in_unit = true;
            context.word = (hbg_span){last->span.start + 1, last->span.end - 1};
            context.end--;
        }
    } else {
        const char *gap = last ? text_at(reading, last->span.end) : reading->source->text;
        context.in_comment = ends_in_comment(gap, text_at(reading, at));
    }
    find_block(reading, &context);
    hbg_span word;
    if (!context.in_unit && !context.in_text && !context.in_comment &&
        opens_unit(reading, &context, at, &word)) {
        context.in_unit = true;
        context.word = word;
        while (context.end > context.first &&
               reading->file->tokens.items[context.end - 1].span.start + 1 >= word.start)
            context.end--;
    }
    return context;
}

int32_t hbg_lang_service_open_paren(const hbg_lang_reading *reading, const service_context *context,
                                    int32_t *commas, hbg_name *named) {
    const hbg_token *tokens = reading->file->tokens.items;
    int depth = 0;
    *commas = 0;
    *named = 0;
    for (int32_t i = context->end - 1; i >= context->first; i--) {
        switch (tokens[i].kind) {
        case TOKEN_RIGHT_PAREN:
        case TOKEN_RIGHT_BRACKET: depth++; break;
        case TOKEN_LEFT_BRACKET: depth--; break;
        case TOKEN_COMMA: *commas += depth == 0; break;
        case TOKEN_ASSIGN:
            if (depth == 0 && *commas == 0 && i > context->first && tokens[i - 1].kind == TOKEN_NAME)
                *named = tokens[i - 1].name;
            break;
        case TOKEN_LEFT_PAREN:
            if (depth == 0) return i;
            depth--;
            break;
        default: break;
        }
    }
    return HBG_NONE;
}
