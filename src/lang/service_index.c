/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: what the texts declare, under the name of its owner. Of two with one name the first
 * counts. */
#include "lang/service_impl.h"

#include <stdlib.h>
#include <string.h>

static int32_t add(hbg_lang_reading *reading, service_symbol symbol) {
    int32_t index = reading->symbols.count;
    HBG_PUSH(reading->arena, reading->symbols, symbol);
    if (symbol.name == 0) return index;
    int32_t known = hbg_base_pair_map_add(&reading->members, symbol.owner, symbol.name, index);
    hbg_lang_service_occurs(reading, symbol.span, index, true);
    return known;
}

void hbg_lang_service_occurs(hbg_lang_reading *reading, hbg_span span, int32_t symbol, bool declares) {
    if (span.end == 0) return;
    service_occurrence occurrence = {span, symbol, declares};
    HBG_PUSH(reading->arena, reading->occurrences, occurrence);
}

static hbg_service_kind kind_of(const syntax_declaration *declaration) {
    switch (declaration->kind) {
    case DECLARE_TEXT:
    case DECLARE_PARAM: return HBG_SERVICE_PARAMETER;
    case DECLARE_ELEMENT: return HBG_SERVICE_ELEMENT;
    case DECLARE_JUNCTION: return HBG_SERVICE_JUNCTION;
    case DECLARE_CHAIN: return HBG_SERVICE_BOND;
    case DECLARE_AUTOMATON: return HBG_SERVICE_AUTOMATON;
    case DECLARE_SIGNAL:
        return declaration->signal->direction == PORT_NOT ? HBG_SERVICE_SIGNAL : HBG_SERVICE_PORT;
    case DECLARE_PORT: return HBG_SERVICE_PORT;
    case DECLARE_INSTANCE: return HBG_SERVICE_INSTANCE;
    case DECLARE_FUNCTION: return HBG_SERVICE_FUNCTION;
    case DECLARE_FOR:
    case DECLARE_IF: break; // what is inside has symbols
    }
    return HBG_SERVICE_SIGNAL;
}

static void index_function(hbg_lang_reading *reading, int32_t owner, const syntax_declaration *declaration) {
    const syntax_function *function = declaration->function;
    service_symbol symbol = {HBG_SERVICE_FUNCTION,
                             declaration->name,
                             declaration->span,
                             declaration->statement,
                             owner,
                             NULL,
                             declaration,
                             NULL,
                             0};
    int32_t index = add(reading, symbol);
    for (int32_t i = 0; i < function->parameters.count; i++) {
        const syntax_segment *parameter = &function->parameters.items[i];
        service_symbol argument = {.kind = HBG_SERVICE_ARGUMENT, .name = parameter->name, .owner = index};
        argument.span = argument.whole = parameter->span;
        argument.declaration = declaration;
        argument.index = i;
        add(reading, argument);
    }
}

static void index_automaton(hbg_lang_reading *reading, int32_t automaton,
                            const syntax_declaration *declaration) {
    const syntax_automaton *syntax = declaration->automaton;
    for (int32_t i = 0; i < syntax->states.count; i++) {
        const syntax_state *state = &syntax->states.items[i];
        service_symbol symbol = {.kind = HBG_SERVICE_STATE, .name = state->name, .owner = automaton};
        symbol.span = symbol.whole = state->span;
        symbol.declaration = declaration;
        symbol.index = i;
        add(reading, symbol);
    }
}

static void index_declarations(hbg_lang_reading *reading, int32_t owner,
                               const syntax_declarations *declarations);

static void index_declaration(hbg_lang_reading *reading, int32_t owner,
                              const syntax_declaration *declaration) {
    if (declaration->kind == DECLARE_FOR || declaration->kind == DECLARE_IF) {
        index_declarations(reading, owner, &declaration->block->body);
        index_declarations(reading, owner, &declaration->block->otherwise);
        return;
    }
    if (declaration->kind == DECLARE_FUNCTION) {
        index_function(reading, owner, declaration);
        return;
    }
    const char *name = hbg_lang_service_name(reading, declaration->name);
    if ((declaration->kind == DECLARE_AUTOMATON || declaration->kind == DECLARE_PARAM) && strchr(name, '.'))
        return; // a timer, or the threshold in a band: its name is not in the text
    service_symbol symbol = {.kind = kind_of(declaration),
                             .name = declaration->name,
                             .span = declaration->span,
                             .whole = declaration->whole,
                             .owner = owner,
                             .declaration = declaration};
    if (declaration->kind == DECLARE_CHAIN && declaration->name == 0) symbol.span = (hbg_span){0, 0};
    int32_t index = add(reading, symbol);
    if (declaration->kind == DECLARE_AUTOMATON) index_automaton(reading, index, declaration);
}

static void index_declarations(hbg_lang_reading *reading, int32_t owner,
                               const syntax_declarations *declarations) {
    for (int32_t i = 0; i < declarations->count; i++)
        index_declaration(reading, owner, &declarations->items[i]);
}

static void index_definition(hbg_lang_reading *reading, const syntax_definition *definition) {
    service_symbol own = {.kind = definition->is_model ? HBG_SERVICE_MODEL : HBG_SERVICE_COMPONENT,
                          .name = definition->name,
                          .span = definition->span,
                          .whole = definition->statement,
                          .owner = HBG_NONE,
                          .definition = definition};
    int32_t owner = reading->symbols.count;
    add(reading, own);
    index_declarations(reading, owner, &definition->declarations);
    for (int32_t i = 0; i < definition->experiments.count; i++) {
        const syntax_experiment *experiment = &definition->experiments.items[i];
        service_symbol symbol = {.kind = HBG_SERVICE_EXPERIMENT,
                                 .span = experiment->span,
                                 .whole = experiment->statement,
                                 .owner = owner,
                                 .experiment = experiment};
        // an experiment may have the name of an object: it is no member
        hbg_lang_service_occurs(reading, symbol.span, reading->symbols.count, true);
        HBG_PUSH(reading->arena, reading->symbols, symbol);
        reading->symbols.items[reading->symbols.count - 1].name = experiment->name;
    }
}

static int by_place(const void *a, const void *b) {
    const service_occurrence *x = a, *y = b;
    if (x->span.start != y->span.start) return x->span.start < y->span.start ? -1 : 1;
    return x->declares == y->declares ? 0 : x->declares ? -1 : 1;
}

void hbg_lang_service_index(hbg_lang_reading *reading) {
    hbg_base_pair_map_init(&reading->members, reading->arena);
    for (int32_t f = 0; f < reading->elaborator.files.count; f++) {
        const syntax_file *file = reading->elaborator.files.items[f].syntax;
        for (int32_t i = 0; file && i < file->definitions.count; i++)
            index_definition(reading, file->definitions.items[i]);
        for (int32_t i = 0; file && i < file->functions.count; i++)
            index_function(reading, HBG_NONE, &file->functions.items[i]);
    }
    hbg_lang_service_walk(reading);
    if (reading->occurrences.count > 1)
        qsort(reading->occurrences.items, (size_t)reading->occurrences.count,
              sizeof *reading->occurrences.items, by_place);
}

/* ---- looking up --------------------------------------------------------------------------------------- */

int32_t hbg_lang_service_member(const hbg_lang_reading *reading, int32_t owner, hbg_name name) {
    return name <= 0 ? HBG_NONE : hbg_base_pair_map_find(&reading->members, owner, name);
}

int32_t hbg_lang_service_find(const hbg_lang_reading *reading, int32_t owner, const char *name) {
    return hbg_lang_service_member(reading, owner, hbg_base_names_find(&reading->names, name, strlen(name)));
}

int32_t hbg_lang_service_component(const hbg_lang_reading *reading, int32_t instance) {
    const service_symbol *symbol = &reading->symbols.items[instance];
    if (symbol->kind != HBG_SERVICE_INSTANCE) return HBG_NONE;
    int32_t found = hbg_lang_service_member(reading, HBG_NONE, symbol->declaration->instance->component);
    return found >= 0 && reading->symbols.items[found].kind == HBG_SERVICE_COMPONENT ? found : HBG_NONE;
}

int32_t hbg_lang_service_occurrence(const hbg_lang_reading *reading, size_t offset) {
    if (offset > reading->source->size) return HBG_NONE;
    uint32_t at = hbg_lang_service_at(reading, offset);
    int32_t low = 0, high = reading->occurrences.count;
    while (low < high) { // the first that begins after the place
        int32_t middle = low + (high - low) / 2;
        if (reading->occurrences.items[middle].span.start <= at)
            low = middle + 1;
        else
            high = middle;
    }
    for (int32_t i = low - 1; i >= 0 && i >= low - 2; i--) {
        // a place directly after a name still belongs to it
        if (at > reading->occurrences.items[i].span.end) continue;
        while (i > 0 &&
               reading->occurrences.items[i - 1].span.start == reading->occurrences.items[i].span.start)
            i--;
        return i;
    }
    return HBG_NONE;
}

int32_t hbg_lang_service_definition_at(const hbg_lang_reading *reading, size_t offset) {
    uint32_t at = hbg_lang_service_at(reading, offset);
    for (int32_t i = 0; i < reading->symbols.count; i++) {
        const service_symbol *symbol = &reading->symbols.items[i];
        if (symbol->definition && symbol->whole.start <= at && at <= symbol->whole.end) return i;
    }
    return HBG_NONE;
}

int32_t hbg_lang_service_definition(const hbg_lang_reading *reading, const char *name) {
    const hbg_source *source = reading->source;
    for (int32_t i = 0; i < reading->symbols.count; i++) {
        const service_symbol *symbol = &reading->symbols.items[i];
        if (!symbol->definition || symbol->span.start < source->base ||
            symbol->span.start > source->base + source->size)
            continue;
        if (name ? strcmp(hbg_lang_service_name_of(reading, i), name) == 0 : symbol->definition->is_model)
            return i;
    }
    return HBG_NONE;
}

int32_t hbg_lang_service_same(const hbg_lang_reading *reading, int32_t symbol, const hbg_lang_reading *next) {
    const service_symbol *own = &reading->symbols.items[symbol];
    int32_t owner = own->owner == HBG_NONE ? HBG_NONE : hbg_lang_service_same(reading, own->owner, next);
    if (own->owner != HBG_NONE && owner == HBG_NONE) return HBG_NONE;
    int32_t found = hbg_lang_service_find(next, owner, hbg_lang_service_name(reading, own->name));
    return found >= 0 && next->symbols.items[found].kind == own->kind ? found : HBG_NONE;
}
