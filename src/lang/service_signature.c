/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: what belongs between the parentheses around a place: arguments of a function, of a
 * component, of an element. */
#include "lang/service_impl.h"

#include <string.h>

typedef struct hbg_service_parameter parameter;

typedef struct {
    hbg_arena *arena;
    hbg_buffer text;
    HBG_VEC(parameter) parameters;
} signature;

static void put(signature *s, const char *text, const char *document) {
    if (s->parameters.count > 0) hbg_base_buffer_text(&s->text, ", ");
    parameter parameter = {s->text.size, s->text.size + strlen(text), document ? document : ""};
    hbg_base_buffer_text(&s->text, text);
    HBG_PUSH(s->arena, s->parameters, parameter);
}

static void put_component(signature *s, const hbg_lang_reading *reading, int32_t component, hbg_name named,
                          int32_t *active) {
    const syntax_definition *definition = reading->symbols.items[component].definition;
    int32_t wanted = *active;
    if (named) *active = -1;
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        const syntax_declaration *declaration = &definition->declarations.items[i];
        if (!hbg_lang_elaborate_takes_argument(definition, i)) continue;
        if (named == declaration->name) *active = s->parameters.count;
        hbg_span span = declaration->whole;
        bool parameter = declaration->kind == DECLARE_PARAM || declaration->kind == DECLARE_TEXT;
        if (!parameter) span = declaration->span;
        // without its text
        if (parameter && declaration->param && declaration->doc) {
            const syntax_expr *value = declaration->param;
            span.end = value->kind == SYNTAX_NUMBER && value->unit.end ? value->unit.end : value->span.end;
        }
        put(s, hbg_lang_service_copy(reading, s->arena, span, true), declaration->doc);
    }
    if (!named) *active = wanted < s->parameters.count ? wanted : -1;
}

static void put_element(signature *s, const hbg_element_info *info, const char *named, int32_t *active) {
    const char *letters = info->kind == HBG_KIND_C ? "qe" : info->kind == HBG_KIND_I ? "pf" : "";
    const char *unit = info->quantity == HBG_QUANTITY_NONE
                           ? NULL
                           : hbg_model_domain_unit(HBG_DOMAIN_ELECTRICAL, info->quantity);
    if (named[0]) *active = -1;
    put(s, unit ? hbg_base_arena_print(s->arena, "value [%s]", unit) : "ratio", "an expression");
    for (; *letters; letters++) {
        const char text[] = {*letters, 0};
        if (strcmp(text, named) == 0) *active = s->parameters.count;
        put(s, hbg_base_arena_print(s->arena, "%s = …", text), "at the start");
    }
    if (*active >= s->parameters.count) *active = -1;
}

/* A function by the name before the parenthesis. */
static bool put_function(signature *s, const hbg_lang_reading *reading, const service_context *context,
                         const hbg_token *name, hbg_service_signature *result) {
    const char *text = hbg_lang_service_name(reading, name->name);
    int32_t symbol = HBG_NONE;
    if (context->definition != HBG_NONE)
        symbol = hbg_lang_service_member(reading, context->definition, name->name);
    if (symbol == HBG_NONE) symbol = hbg_lang_service_member(reading, HBG_NONE, name->name);
    hbg_base_buffer_print(&s->text, "%s(", text);
    if (symbol != HBG_NONE && reading->symbols.items[symbol].kind == HBG_SERVICE_FUNCTION) {
        const syntax_declaration *declaration = reading->symbols.items[symbol].declaration;
        for (int32_t i = 0; i < declaration->function->parameters.count; i++)
            put(s, hbg_lang_service_name(reading, declaration->function->parameters.items[i].name), "");
        result->document = declaration->doc ? declaration->doc : "";
    } else {
        hbg_operator op = hbg_model_operator_find_function(text, strlen(text));
        if (op == HBG_OP_COUNT) return false;
        int arity = hbg_model_operator_info_get(op)->arity;
        static const char *const names[] = {"x", "y", "z"};
        for (int i = 0; i < arity && i < 3; i++) put(s, names[i], "");
        result->document = "function of the language";
    }
    if (result->active >= s->parameters.count) result->active = -1;
    return true;
}

/* `TYPE NAME (`, where the parenthesis is the third token of its statement, or the fourth after an index. */
static bool put_object(signature *s, const hbg_lang_reading *reading, const service_context *context,
                       hbg_name named, hbg_service_signature *result) {
    const hbg_token *tokens = reading->file->tokens.items;
    const char *type = hbg_lang_service_copy(reading, s->arena, tokens[context->first].span, true);
    const char *name = hbg_lang_service_copy(reading, s->arena, tokens[context->first + 1].span, true);
    hbg_base_buffer_print(&s->text, "%s %s(", type, name);
    for (int form = 0; form < HBG_KIND_COUNT; form++) {
        const hbg_element_info *info = hbg_model_element_info_get(form);
        if (strcmp(info->text, type) != 0) continue;
        put_element(s, info, named ? hbg_lang_service_name(reading, named) : "", &result->active);
        result->document = info->name;
        return true;
    }
    int32_t component = hbg_lang_service_find(reading, HBG_NONE, type);
    if (component == HBG_NONE || reading->symbols.items[component].kind != HBG_SERVICE_COMPONENT)
        return false;
    put_component(s, reading, component, named, &result->active);
    result->document = hbg_lang_service_doc(reading, component);
    return true;
}

bool hbg_lang_service_signature(const hbg_lang_reading *reading, hbg_arena *arena, size_t offset,
                                hbg_service_signature *result) {
    service_context context = hbg_lang_service_context(reading, offset);
    signature s = {.arena = arena};
    hbg_name named;
    if (context.in_comment) return false;
    *result = (hbg_service_signature){.document = ""};
    int32_t paren = hbg_lang_service_open_paren(reading, &context, &result->active, &named);
    if (paren == HBG_NONE || paren == context.first) return false;
    const hbg_token *before = &reading->file->tokens.items[paren - 1];
    hbg_base_buffer_init(&s.text, arena);
    bool declares = context.block == CONTEXT_BODY && paren == context.first + 2 &&
                    before->kind == TOKEN_NAME &&
                    !hbg_lang_service_token_is(reading, context.first, "function");
    bool found = declares                     ? put_object(&s, reading, &context, named, result)
                 : before->kind == TOKEN_NAME ? put_function(&s, reading, &context, before, result)
                                              : false;
    if (!found) return false;
    hbg_base_buffer_char(&s.text, ')');
    result->text = s.text.data;
    result->parameters = s.parameters.items;
    result->count = s.parameters.count;
    return true;
}
