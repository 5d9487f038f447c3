/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: names that fit at a place: objects of the definition, ports and outputs of components,
 * states, functions. */
#include "lang/service_complete_impl.h"

#include <string.h>

static bool fits(const service_symbol *symbol, service_want want) {
    const syntax_declaration *declaration = symbol->declaration;
    switch (want) {
    case WANT_VALUE:
        return symbol->kind != HBG_SERVICE_EXPERIMENT && symbol->kind != HBG_SERVICE_FUNCTION &&
               symbol->kind != HBG_SERVICE_STATE && symbol->kind != HBG_SERVICE_ARGUMENT;
    case WANT_BOND:
        return symbol->kind == HBG_SERVICE_ELEMENT || symbol->kind == HBG_SERVICE_JUNCTION ||
               symbol->kind == HBG_SERVICE_INSTANCE ||
               (symbol->kind == HBG_SERVICE_PORT && declaration->kind == DECLARE_PORT);
    case WANT_SETTING:
        return symbol->kind == HBG_SERVICE_PARAMETER || symbol->kind == HBG_SERVICE_AUTOMATON ||
               symbol->kind == HBG_SERVICE_INSTANCE ||
               (symbol->kind == HBG_SERVICE_ELEMENT &&
                (hbg_model_element_info_get(declaration->element->form)->kind == HBG_KIND_C ||
                 hbg_model_element_info_get(declaration->element->form)->kind == HBG_KIND_I));
    case WANT_INPUT:
        return symbol->kind == HBG_SERVICE_INSTANCE ||
               (symbol->kind == HBG_SERVICE_SIGNAL && declaration->signal->kind == HBG_SIGNAL_INPUT);
    case WANT_TARGET:
        return symbol->kind == HBG_SERVICE_PARAMETER || symbol->kind == HBG_SERVICE_ELEMENT ||
               symbol->kind == HBG_SERVICE_AUTOMATON || symbol->kind == HBG_SERVICE_INSTANCE ||
               (symbol->kind == HBG_SERVICE_SIGNAL && declaration->signal->kind == HBG_SIGNAL_SENSOR);
    }
    return false;
}

/* "resistor, electrical: 330 Ohm" */
static const char *detail_of(completing *c, int32_t symbol) {
    service_facts facts = hbg_lang_service_facts(c->reading, c->good, c->arena, symbol);
    int32_t component = hbg_lang_service_component(c->reading, symbol);
    if (component != HBG_NONE)
        return hbg_base_arena_print(c->arena, "%s (%s)", hbg_lang_service_name_of(c->reading, component),
                                    hbg_lang_service_ports(c->reading, c->arena, component));
    const char *last = facts.value[0] ? facts.value : facts.unit;
    return hbg_base_arena_print(c->arena, "%s%s%s%s%s", facts.what, facts.domain[0] ? ", " : "", facts.domain,
                                last[0] ? ": " : "", last);
}

static void offer_members(completing *c, int32_t owner, service_want want, int32_t rank) {
    for (int32_t i = owner + 1; i < c->reading->symbols.count; i++) {
        const service_symbol *symbol = &c->reading->symbols.items[i];
        if (symbol->definition) break; // the members of a definition follow it
        if (symbol->owner != owner || symbol->name == 0 || !fits(symbol, want)) continue;
        const char *name = hbg_lang_service_name_of(c->reading, i);
        hbg_lang_complete_offer(c, symbol->kind, name, name, detail_of(c, i), rank);
    }
}

static void offer_functions(completing *c) {
    for (int32_t i = 0; i < c->reading->symbols.count; i++) {
        const service_symbol *symbol = &c->reading->symbols.items[i];
        if (symbol->kind != HBG_SERVICE_FUNCTION ||
            (symbol->owner != HBG_NONE && symbol->owner != c->context.definition))
            continue;
        const char *name = hbg_lang_service_name_of(c->reading, i);
        hbg_lang_complete_offer(c, HBG_SERVICE_FUNCTION, name,
                                hbg_base_arena_print(c->arena, "%s($1)$0", name),
                                hbg_lang_service_line(c->reading, c->arena, i), 2);
    }
    for (int op = 0; op < HBG_OP_COUNT; op++) {
        const hbg_operator_info *info = hbg_model_operator_info_get(op);
        if (hbg_model_operator_find_function(info->text, strlen(info->text)) != (hbg_operator)op) continue;
        hbg_lang_complete_offer(c, HBG_SERVICE_FUNCTION, info->text,
                                hbg_base_arena_print(c->arena, "%s($1)$0", info->text),
                                "function of the language", 4);
    }
}

/* The arguments of the function whose value is being written. */
static void offer_own_arguments(completing *c) {
    const hbg_token *tokens = c->reading->file->tokens.items;
    if (!hbg_lang_service_token_is(c->reading, c->context.first, "function") ||
        c->context.first + 1 >= c->context.end)
        return;
    int32_t function =
        hbg_lang_service_member(c->reading, c->context.definition, tokens[c->context.first + 1].name);
    if (function == HBG_NONE || c->reading->symbols.items[function].kind != HBG_SERVICE_FUNCTION) return;
    const syntax_function *syntax = c->reading->symbols.items[function].declaration->function;
    for (int32_t i = 0; i < syntax->parameters.count; i++) {
        const char *name = hbg_lang_service_name(c->reading, syntax->parameters.items[i].name);
        hbg_lang_complete_offer(c, HBG_SERVICE_ARGUMENT, name, name, "argument", 0);
    }
}

void hbg_lang_complete_names(completing *c, service_want want) {
    static const char *const constants[] = {"time", "pi", "true", "false"};
    if (want == WANT_VALUE) offer_own_arguments(c);
    if (c->context.definition != HBG_NONE) offer_members(c, c->context.definition, want, 1);
    if (want != WANT_VALUE) return;
    offer_functions(c);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        hbg_lang_complete_offer(c, HBG_SERVICE_KEYWORD, constants[i], constants[i],
                                hbg_lang_service_find_word(constants[i], strlen(constants[i]))->what, 3);
}

void hbg_lang_complete_states(completing *c, int32_t automaton) {
    if (automaton == HBG_NONE) return;
    const syntax_automaton *syntax = c->reading->symbols.items[automaton].declaration->automaton;
    for (int32_t i = 0; i < syntax->states.count; i++) {
        const char *name = hbg_lang_service_name(c->reading, syntax->states.items[i].name);
        hbg_lang_complete_offer(c, HBG_SERVICE_STATE, name, name,
                                syntax->states.items[i].on ? "state that is on" : "state that is off", 0);
    }
}

/* ---- paths --------------------------------------------------------------------------------------------- */

int32_t hbg_lang_complete_resolve(completing *c, int32_t end) {
    const hbg_token *tokens = c->reading->file->tokens.items;
    hbg_name names[32];
    int count = 0;
    for (int32_t i = end - 1; i >= c->context.first && count < 32; i -= 2) {
        while (i >= c->context.first + 2 && tokens[i].kind == TOKEN_RIGHT_BRACKET) i -= 3; // `gear[1]`
        if (i < c->context.first || tokens[i].kind != TOKEN_NAME) return HBG_NONE;
        names[count++] = tokens[i].name;
        if (i <= c->context.first || tokens[i - 1].kind != TOKEN_DOT) break;
    }
    int32_t found = HBG_NONE, owner = c->context.definition;
    while (count > 0) {
        if (owner == HBG_NONE) return HBG_NONE;
        found = hbg_lang_service_member(c->reading, owner, names[--count]);
        if (found == HBG_NONE) return HBG_NONE;
        owner = c->reading->symbols.items[found].kind == HBG_SERVICE_AUTOMATON
                    ? found
                    : hbg_lang_service_component(c->reading, found);
    }
    return found;
}

static void offer_variables(completing *c, const char *letters, bool power, bool energy) {
    static const struct {
        char letter;
        const char *text, *what;
    } variables[] = {
        {'e', "e", "effort"}, {'f', "f", "flow"}, {'q', "q", "displacement"}, {'p', "p", "momentum"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (strchr(letters, variables[i].letter))
            hbg_lang_complete_offer(c, HBG_SERVICE_VARIABLE, variables[i].text, variables[i].text,
                                    variables[i].what, 0);
    if (power) hbg_lang_complete_offer(c, HBG_SERVICE_VARIABLE, "power", "power", "effort times flow", 1);
    if (energy) hbg_lang_complete_offer(c, HBG_SERVICE_VARIABLE, "energy", "energy", "stored energy", 1);
}

static void offer_element(completing *c, const syntax_element *element, service_want want) {
    hbg_element_kind kind = hbg_model_element_info_get(element->form)->kind;
    bool c_like = kind == HBG_KIND_C, i_like = kind == HBG_KIND_I;
    if (want == WANT_SETTING)
        offer_variables(c, c_like ? "qe" : i_like ? "pf" : "", false, false);
    else
        offer_variables(c, c_like ? "efq" : i_like ? "efp" : "ef", true, c_like || i_like);
}

void hbg_lang_complete_path(completing *c, service_want want) {
    int32_t found = hbg_lang_complete_resolve(c, c->context.end - 1);
    if (found == HBG_NONE) return;
    const service_symbol *symbol = &c->reading->symbols.items[found];
    switch (symbol->kind) {
    case HBG_SERVICE_INSTANCE: {
        int32_t component = hbg_lang_service_component(c->reading, found);
        if (component == HBG_NONE) return;
        if (want != WANT_BOND) {
            offer_members(c, component, want, 1);
            return;
        }
        for (int32_t i = component + 1; i < c->reading->symbols.count; i++) { // only ports can be bonded
            const service_symbol *port = &c->reading->symbols.items[i];
            if (port->definition) break;
            if (port->kind != HBG_SERVICE_PORT || port->declaration->kind != DECLARE_PORT) continue;
            const char *name = hbg_lang_service_name_of(c->reading, i);
            hbg_lang_complete_offer(c, HBG_SERVICE_PORT, name, name, detail_of(c, i), 0);
        }
        break;
    }
    case HBG_SERVICE_AUTOMATON: hbg_lang_complete_states(c, found); break;
    case HBG_SERVICE_ELEMENT: offer_element(c, symbol->declaration->element, want); break;
    case HBG_SERVICE_JUNCTION:
        offer_variables(c, symbol->declaration->junction->kind == HBG_KIND_ZERO ? "e" : "f", false, false);
        break;
    case HBG_SERVICE_BOND: offer_variables(c, "ef", true, false); break;
    case HBG_SERVICE_PORT:
        if (symbol->declaration->kind == DECLARE_PORT) offer_variables(c, "ef", true, false);
        break;
    default: break;
    }
}

/* ---- components ------------------------------------------------------------------------------------------ */

static void offer_component(completing *c, const hbg_lang_reading *from, int32_t symbol, const char *file) {
    const syntax_definition *definition = from->symbols.items[symbol].definition;
    const char *name = hbg_lang_service_name_of(from, symbol);
    bool arguments = false;
    for (int32_t i = 0; i < definition->declarations.count; i++)
        arguments = arguments || hbg_lang_elaborate_takes_argument(definition, i);
    const char *insert = hbg_base_arena_print(c->arena, arguments ? "%s $1($2);$0" : "%s $1;$0", name);
    const char *ports = hbg_lang_service_ports(from, c->arena, symbol);
    const char *detail = hbg_base_arena_print(c->arena, "%s%s%s", ports, file ? " — " : "", file ? file : "");
    if (c->items.count >= HBG_SERVICE_COMPLETIONS) return;
    hbg_lang_complete_offer(c, HBG_SERVICE_COMPONENT, name, insert, detail, file ? 4 : 2);
    hbg_service_completion *item = &c->items.items[c->items.count - 1];
    item->document =
        definition->doc ? hbg_base_arena_copy(c->arena, definition->doc, strlen(definition->doc)) : "";
    if (!file) return;
    hbg_service_edit *import = HBG_NEW(c->arena, hbg_service_edit);
    *import = hbg_lang_service_import(c->reading, c->arena, file);
    item->also = import;
}

void hbg_lang_complete_components(completing *c) {
    for (int32_t i = 0; i < c->reading->symbols.count; i++)
        if (c->reading->symbols.items[i].kind == HBG_SERVICE_COMPONENT && i != c->context.definition &&
            c->reading->symbols.items[i].name != 0)
            offer_component(c, c->reading, i, NULL);
    service_library library = {0};
    hbg_lang_service_library(c->reading, c->arena, &library);
    for (int32_t i = 0; i < library.count; i++)
        offer_component(c, library.items[i].reading, library.items[i].symbol, library.items[i].file);
}
