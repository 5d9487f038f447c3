/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gestures as edits: a new element, junction or component instance, and positions. */
#include "lang/edit_impl.h"

#include "lang/service_complete_impl.h"

#include <ctype.h>
#include <string.h>

hbg_span hbg_lang_edit_neighbour(const syntax_definition *definition, syntax_declaration_kind kind) {
    static const syntax_declaration_kind order[] = {DECLARE_PARAM,    DECLARE_PORT,    DECLARE_SIGNAL,
                                                    DECLARE_INSTANCE, DECLARE_ELEMENT, DECLARE_JUNCTION,
                                                    DECLARE_CHAIN};
    int place = 0;
    while (order[place] != kind) place++;
    for (; place >= 0; place--) {
        hbg_span last = {0, 0};
        for (int32_t i = definition->header_count; i < definition->declarations.count; i++) {
            const syntax_declaration *declaration = &definition->declarations.items[i];
            // outputs and sensors read what comes before them: no part of the structure goes after these
            if (declaration->kind != order[place] ||
                (declaration->kind == DECLARE_SIGNAL && declaration->signal->kind != HBG_SIGNAL_INPUT))
                continue;
            last = declaration->statement;
        }
        if (last.end > 0) return last;
    }
    return (hbg_span){0, 0};
}

/* ---- names --------------------------------------------------------------------------------------------- */

static const char *stem_of(service_editing *editing, const char *what) {
    static const struct {
        const char *what, *stem;
    } stems[] = {{"Se", "source"},  {"Sf", "source"}, {"0", "node"},    {"1", "loop"},
                 {"Sw", "contact"}, {"TF", "gear"},   {"GY", "gyrator"}};
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (strcmp(stems[i].what, what) == 0) return stems[i].stem;
    char *stem = hbg_base_arena_copy(editing->arena, what, strlen(what));
    bool capitals = true; // `DCMotor` becomes `dcMotor`
    for (size_t i = 0; stem[i] && capitals; i++) {
        capitals = isupper((unsigned char)stem[i]) != 0;
        bool next_small = stem[i] && stem[i + 1] && !isupper((unsigned char)stem[i + 1]);
        if (i > 0 && next_small) break;
        if (capitals) stem[i] = (char)tolower((unsigned char)stem[i]);
    }
    return stem;
}

static const char *name_for(service_editing *editing, int32_t definition, const hbg_gesture *gesture) {
    if (!gesture->name || !gesture->name[0])
        return hbg_lang_edit_fresh(editing, definition, stem_of(editing, gesture->what));
    if (!hbg_lang_edit_is_name(gesture->name))
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%.60s` cannot be a name", gesture->name);
    else if (hbg_lang_service_find(editing->reading, definition, gesture->name) != HBG_NONE)
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "there is already something called `%s`",
                             gesture->name);
    return hbg_base_arena_copy(editing->arena, gesture->name, strlen(gesture->name));
}

/* ---- what is added --------------------------------------------------------------------------------------- */

/* An element of the language; *kind is where it goes. NULL: it is not one. */
static const char *element_text(service_editing *editing, const char *what, const char *text,
                                syntax_declaration_kind *kind) {
    if (strcmp(what, "Sw") == 0) {
        *kind = DECLARE_JUNCTION;
        return hbg_base_arena_print(editing->arena, " when %s", text ? text : "true");
    }
    for (int form = 0; form < HBG_KIND_COUNT; form++) {
        const hbg_element_info *info = hbg_model_element_info_get(form);
        if (strcmp(info->text, what) != 0) continue;
        *kind = info->ports == 0 ? DECLARE_JUNCTION : DECLARE_ELEMENT;
        if (info->ports == 0) return text ? hbg_base_arena_print(editing->arena, " when %s", text) : "";
        return hbg_base_arena_print(editing->arena, "(%s)", text ? text : "1");
    }
    return NULL;
}

/* Makes sure that the component is known, by an import from the library if need be. */
static bool know_component(service_editing *editing, const char *what) {
    const hbg_lang_reading *reading = editing->reading;
    int32_t known = hbg_lang_service_find(reading, HBG_NONE, what);
    if (known != HBG_NONE && reading->symbols.items[known].kind == HBG_SERVICE_COMPONENT) return true;
    service_library library = {0};
    hbg_lang_service_library(reading, editing->arena, &library);
    for (int32_t i = 0; i < library.count && known == HBG_NONE; i++) {
        if (strcmp(hbg_lang_service_name_of(library.items[i].reading, library.items[i].symbol), what) != 0)
            continue;
        hbg_service_edit import = hbg_lang_service_import(reading, editing->arena, library.items[i].file);
        HBG_PUSH(editing->arena, editing->edits, import);
        return true;
    }
    hbg_lang_edit_refuse(editing, HBG_NOT_FOUND, "there is no element or component `%.60s`", what);
    return false;
}

static const char *position_text(service_editing *editing, const hbg_gesture *gesture) {
    char x[HBG_DOUBLE_TEXT], y[HBG_DOUBLE_TEXT];
    hbg_base_double_print(x, gesture->x);
    hbg_base_double_print(y, gesture->y);
    return gesture->placed ? hbg_base_arena_print(editing->arena, " @ (%s, %s)", x, y) : "";
}

void hbg_lang_edit_add(service_editing *editing, int32_t definition, const hbg_gesture *gesture) {
    const syntax_definition *syntax = editing->reading->symbols.items[definition].definition;
    syntax_declaration_kind kind = DECLARE_INSTANCE;
    if (!gesture->what) {
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "say what to add, as `R` or `Resistor`");
        return;
    }
    const char *given = gesture->text && gesture->text[0] ? gesture->text : NULL;
    const char *arguments = element_text(editing, gesture->what, given, &kind);
    if (!arguments) {
        if (!know_component(editing, gesture->what)) return;
        arguments = given ? hbg_base_arena_print(editing->arena, "(%s)", given) : "";
    }
    const char *name = name_for(editing, definition, gesture);
    const char *line = hbg_base_arena_print(editing->arena, "%s %s%s%s;", gesture->what, name, arguments,
                                            position_text(editing, gesture));
    const syntax_file *file =
        editing->reason ? NULL : hbg_lang_edit_parse(editing, "model M { ", line, " }", "declaration");
    if (!file) return;
    if (file->definitions.count != 1 || file->definitions.items[0]->declarations.count != 1) {
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%.100s` is no declaration: it is more than one",
                             line);
        return;
    }
    hbg_lang_edit_insert_last(editing, syntax->body, hbg_lang_edit_neighbour(syntax, kind), line);
    editing->name = name;
}

void hbg_lang_edit_place(service_editing *editing, int32_t definition, const hbg_gesture *gesture) {
    const hbg_lang_reading *reading = editing->reading;
    int32_t owner, symbol = hbg_lang_edit_find(editing, definition, gesture->object, &owner);
    if (symbol == HBG_NONE || !hbg_lang_edit_may(editing, symbol)) return;
    const service_symbol *own = &reading->symbols.items[symbol];
    bool drawn = own->kind == HBG_SERVICE_ELEMENT || own->kind == HBG_SERVICE_JUNCTION ||
                 own->kind == HBG_SERVICE_INSTANCE;
    if (!drawn || own->declaration->place_span.start == 0) {
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%s` has no position of its own", gesture->object);
        return;
    }
    hbg_span span = own->declaration->place_span;
    const hbg_source *source = hbg_lang_service_source(reading, span.start);
    // the blank before it belongs to it
    while (span.start > source->base && source->text[span.start - source->base - 1] == ' ') span.start--;
    hbg_lang_edit_replace(
        editing, span, "%s%s", position_text(editing, gesture),
        span.end < source->base + source->size && source->text[span.end - source->base] == '"' ? " " : "");
    editing->name = hbg_lang_service_name_of(reading, symbol);
}
