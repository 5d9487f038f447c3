/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gestures as edits: another value, and sentences of experiments. */
#include "lang/edit_impl.h"

#include <string.h>

/* ---- values ---------------------------------------------------------------------------------------------- */

/* The value after the first `=` of a span, up to its end or a text that documents it; {0,0} if there is no
 * `=`. */
static hbg_span value_span(const service_editing *editing, hbg_span whole) {
    const syntax_file *file = hbg_lang_edit_file(editing->reading, whole.start);
    hbg_span value = {0, 0};
    for (int32_t i = 0; i < file->tokens.count; i++) {
        const hbg_token *token = &file->tokens.items[i];
        if (token->span.start < whole.start || token->span.end > whole.end) continue;
        bool first = value.end == 0 && i > 0 && file->tokens.items[i - 1].kind == TOKEN_ASSIGN &&
                     file->tokens.items[i - 1].span.start >= whole.start;
        if (first) value = token->span;
        if (value.end > 0 && token->kind != TOKEN_STRING && token->kind != TOKEN_SEMICOLON)
            value.end = token->span.end;
    }
    return value;
}

/* A missing argument: after the last, or in new parentheses. */
static void add_argument(service_editing *editing, const syntax_arguments *arguments, hbg_span parentheses,
                         hbg_span name, const char *argument, const char *text, bool first) {
    const char *words = argument ? hbg_base_arena_print(editing->arena, "%s = %s", argument, text) : text;
    if (parentheses.end == 0) {
        hbg_lang_edit_replace(editing, (hbg_span){name.end, name.end}, "(%s)", words);
    } else if (arguments->count == 0) {
        uint32_t at = parentheses.start + 1;
        hbg_lang_edit_replace(editing, (hbg_span){at, at}, "%s", words);
    } else if (first) {
        uint32_t at = arguments->items[0].whole.start;
        hbg_lang_edit_replace(editing, (hbg_span){at, at}, "%s, ", words);
    } else {
        uint32_t at = arguments->items[arguments->count - 1].whole.end;
        hbg_lang_edit_replace(editing, (hbg_span){at, at}, ", %s", words);
    }
}

/* The name with the brackets after it, as in `winding[2]`. */
static hbg_span name_with_index(const service_editing *editing, const syntax_declaration *declaration) {
    const syntax_file *file = hbg_lang_edit_file(editing->reading, declaration->span.start);
    hbg_span span = declaration->span;
    for (int32_t i = 0; i + 3 < file->tokens.count; i++)
        if (file->tokens.items[i].span.start == span.start &&
            file->tokens.items[i + 1].kind == TOKEN_LEFT_BRACKET)
            span.end = file->tokens.items[i + 3].span.end;
    return span;
}

static void set_argument(service_editing *editing, const syntax_declaration *declaration,
                         const syntax_arguments *arguments, hbg_span parentheses, const char *name,
                         const char *text) {
    for (int32_t i = 0; i < arguments->count; i++) {
        const syntax_argument *argument = &arguments->items[i];
        const char *own = argument->name ? hbg_lang_service_name(editing->reading, argument->name) : NULL;
        bool right = name ? own && strcmp(own, name) == 0 : !own;
        if (!right) continue;
        hbg_span span = own ? value_span(editing, argument->whole) : argument->whole;
        hbg_lang_edit_replace(editing, span, "%s", text);
        return;
    }
    add_argument(editing, arguments, parentheses, name_with_index(editing, declaration), name, text, !name);
}

/* Of an element by its letter, or its value; of a component by the name of the parameter, else its first. */
static void set_instance(service_editing *editing, int32_t symbol, const char *name, const char *text) {
    const hbg_lang_reading *reading = editing->reading;
    const syntax_declaration *declaration = reading->symbols.items[symbol].declaration;
    int32_t component = hbg_lang_service_component(reading, symbol);
    const syntax_definition *definition =
        component == HBG_NONE ? NULL : reading->symbols.items[component].definition;
    const syntax_instance *instance = declaration->instance;
    for (int32_t i = 0; definition && i < definition->declarations.count; i++) {
        if (!hbg_lang_elaborate_takes_argument(definition, i)) continue;
        const char *own = hbg_lang_service_name(reading, definition->declarations.items[i].name);
        if (name && strcmp(own, name) != 0) continue;
        set_argument(editing, declaration, &instance->arguments, instance->parentheses, own, text);
        return;
    }
    hbg_lang_edit_refuse(editing, HBG_NOT_FOUND, "`%s` takes no argument%s%s",
                         hbg_lang_service_name_of(reading, symbol), name ? " " : "", name ? name : "");
}

static void set_element(service_editing *editing, int32_t symbol, const char *name, const char *text) {
    const syntax_declaration *declaration = editing->reading->symbols.items[symbol].declaration;
    const syntax_element *element = declaration->element;
    if (!name && element->matrix) {
        hbg_lang_edit_replace(editing, element->matrix->span, "%s", text);
        return;
    }
    if (!name && element->laws.count == 1) {
        hbg_lang_edit_replace(editing, value_span(editing, element->laws.items[0].whole), "%s", text);
        return;
    }
    set_argument(editing, declaration, &element->arguments, element->parentheses, name, text);
}

static void set_declared(service_editing *editing, int32_t symbol, const char *text) {
    const syntax_declaration *declaration = editing->reading->symbols.items[symbol].declaration;
    hbg_span value = value_span(editing, declaration->whole);
    uint32_t at = declaration->unit.end > 0 ? declaration->unit.end : declaration->span.end;
    if (value.end > 0)
        hbg_lang_edit_replace(editing, value, "%s", text);
    else
        hbg_lang_edit_replace(editing, (hbg_span){at, at}, " = %s", text);
}

void hbg_lang_edit_value(service_editing *editing, int32_t definition, const hbg_gesture *gesture) {
    const hbg_lang_reading *reading = editing->reading;
    int32_t owner, symbol = hbg_lang_edit_find(editing, definition, gesture->object, &owner);
    const char *text = gesture->text ? gesture->text : "", *name = gesture->other;
    if (symbol == HBG_NONE || !hbg_lang_edit_may(editing, symbol)) return;
    const service_symbol *own = &reading->symbols.items[symbol];
    bool matrix = own->kind == HBG_SERVICE_ELEMENT && !name && own->declaration->element->matrix;
    if (matrix) {
        if (!hbg_lang_edit_parse(editing, "model M { R r[2](", text, "); }", "matrix")) return;
    } else if (!hbg_lang_edit_is_expression(editing, text)) {
        return;
    }
    switch (own->kind) {
    case HBG_SERVICE_ELEMENT: set_element(editing, symbol, name, text); break;
    case HBG_SERVICE_INSTANCE: set_instance(editing, symbol, name, text); break;
    case HBG_SERVICE_PARAMETER:
    case HBG_SERVICE_SIGNAL: set_declared(editing, symbol, text); break;
    default:
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%s` is a %s, which has no value", gesture->object,
                             hbg_lang_service_facts(reading, NULL, editing->arena, symbol).what);
    }
    editing->name = hbg_lang_service_name_of(reading, symbol);
}

/* ---- sentences ------------------------------------------------------------------------------------------- */

static const syntax_experiment *find_experiment(const service_editing *editing,
                                                const syntax_definition *definition, const char *name) {
    for (int32_t i = 0; i < definition->experiments.count; i++) {
        const syntax_experiment *experiment = &definition->experiments.items[i];
        if (!name || strcmp(hbg_lang_service_name(editing->reading, experiment->name), name) == 0)
            return experiment;
    }
    return NULL;
}

/* A sentence that may occur only once replaces the earlier one. */
static bool replace_sentence(service_editing *editing, const syntax_experiment *experiment,
                             const char *sentence) {
    static const char *const single[] = {"stop", "solver"};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        size_t size = strlen(single[i]);
        if (strncmp(sentence, single[i], size) != 0 || sentence[size] != ' ') continue;
        for (int32_t k = 0; k < experiment->sentences.count; k++) {
            const char *own =
                hbg_lang_service_copy(editing->reading, editing->arena, experiment->sentences.items[k], true);
            if (strncmp(own, single[i], size) != 0 || own[size] != ' ') continue;
            hbg_lang_edit_replace(editing, experiment->sentences.items[k], "%s", sentence);
            return true;
        }
    }
    return false;
}

static void new_experiment(service_editing *editing, const syntax_definition *definition, const char *name,
                           const char *sentence) {
    bool stops = strncmp(sentence, "stop ", 5) == 0;
    hbg_span last = {0, 0};
    HBG_ASSERT(definition->experiments.items || definition->experiments.count == 0);
    if (definition->experiments.count > 0)
        last = definition->experiments.items[definition->experiments.count - 1].statement;
    for (int32_t i = definition->header_count; i < definition->declarations.count; i++)
        if (definition->declarations.items[i].statement.end > last.end)
            last = definition->declarations.items[i].statement;
    hbg_lang_edit_insert_last(editing, definition->body, last,
                              hbg_base_arena_print(editing->arena, "experiment %s {%s\n    %s\n}", name,
                                                   stops ? "" : "\n    stop 1 [s];", sentence));
    editing->name = name;
}

/* Trimmed of blanks and semicolon, then with the semicolon. */
static const char *as_sentence(service_editing *editing, const hbg_gesture *gesture) {
    const char *text = gesture->text ? gesture->text : "";
    bool fault = gesture->kind == HBG_GESTURE_FAULT && strncmp(text, "fault", 5) != 0;
    size_t size = strlen(text);
    while (size > 0 && strchr(" \t\n;", text[size - 1])) size--;
    while (size > 0 && *text == ' ') text++, size--;
    return hbg_base_arena_print(editing->arena, "%s%.*s;", fault ? "fault " : "", (int)size, text);
}

void hbg_lang_edit_sentence(service_editing *editing, int32_t definition, const hbg_gesture *gesture) {
    const syntax_definition *syntax = editing->reading->symbols.items[definition].definition;
    const char *sentence = as_sentence(editing, gesture);
    const syntax_file *file = hbg_lang_edit_parse(editing, "model M { experiment x { ", sentence, " } }",
                                                  "sentence of an experiment");
    if (!file) return;
    const syntax_experiment *parsed =
        file->definitions.count == 1 && file->definitions.items[0]->experiments.count == 1
            ? &file->definitions.items[0]->experiments.items[0]
            : NULL;
    if (!parsed || parsed->sentences.count != 1 ||
        (gesture->kind == HBG_GESTURE_FAULT && parsed->faults.count != 1)) {
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%.100s` is not one sentence", sentence);
        return;
    }
    const char *name = gesture->other && gesture->other[0] ? gesture->other : NULL;
    const syntax_experiment *experiment = find_experiment(editing, syntax, name);
    if (!experiment) {
        if (name && !hbg_lang_edit_is_name(name))
            hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%.60s` cannot be a name", name);
        else
            new_experiment(editing, syntax,
                           name ? hbg_base_arena_copy(editing->arena, name, strlen(name)) : "run", sentence);
        return;
    }
    editing->name = hbg_lang_service_name(editing->reading, experiment->name);
    if (replace_sentence(editing, experiment, sentence)) return;
    hbg_span last = experiment->sentences.count > 0
                        ? experiment->sentences.items[experiment->sentences.count - 1]
                        : (hbg_span){0, 0};
    hbg_lang_edit_insert_last(editing, experiment->body, last, sentence);
}
