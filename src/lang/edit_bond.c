/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gestures as edits: bonds are made and reversed. A bond to a port of a component runs like the one
 * within. */
#include "lang/edit_impl.h"

#include <stdlib.h>
#include <string.h>

const char *hbg_lang_edit_end_text(service_editing *editing, const syntax_path *path) {
    return hbg_lang_service_copy(editing->reading, editing->arena, hbg_lang_path_span(path), true);
}

/* ---- ends of a new bond ---------------------------------------------------------------------------------- */

/* Bonds of the definition that end at this member, or at its port if one is named. */
static int32_t bonds_at(const syntax_definition *definition, hbg_name member, hbg_name port, int32_t index) {
    int32_t count = 0;
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        const syntax_declaration *declaration = &definition->declarations.items[i];
        if (declaration->kind != DECLARE_CHAIN) continue;
        for (int32_t k = 0; k < declaration->chain->count; k++) {
            const syntax_path *end = &declaration->chain->ends[k];
            bool here = end->segments[0].name == member &&
                        (port == 0 || (end->count > 1 && end->segments[1].name == port)) &&
                        (index == HBG_NONE || end->segments[0].index == index);
            bool inner = k > 0 && k + 1 < declaration->chain->count; // bonded on both sides
            if (here) count += inner ? 2 : 1;
        }
    }
    return count;
}

/* The first energy port of an instance that has no bond yet; NULL with a refusal. */
static const char *free_port(service_editing *editing, const syntax_definition *definition,
                             int32_t instance) {
    const hbg_lang_reading *reading = editing->reading;
    int32_t component = hbg_lang_service_component(reading, instance);
    const char *name = hbg_lang_service_name_of(reading, instance);
    const syntax_definition *syntax =
        component == HBG_NONE ? NULL : reading->symbols.items[component].definition;
    for (int32_t i = 0; syntax && i < syntax->declarations.count; i++) {
        const syntax_declaration *port = &syntax->declarations.items[i];
        if (port->kind == DECLARE_PORT &&
            bonds_at(definition, reading->symbols.items[instance].name, port->name, HBG_NONE) == 0)
            return hbg_base_arena_print(editing->arena, "%s.%s", name,
                                        hbg_lang_service_name(reading, port->name));
    }
    hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%s` has no port without a bond", name);
    return NULL;
}

static const char *element_end(service_editing *editing, const syntax_definition *definition, int32_t symbol,
                               const char *path) {
    const service_symbol *own = &editing->reading->symbols.items[symbol];
    const char *name = hbg_lang_service_name_of(editing->reading, symbol);
    const char *bracket = strchr(path, '[');
    int32_t index = bracket ? (int32_t)strtol(bracket + 1, NULL, 10) : HBG_NONE;
    int32_t ports = own->declaration->element->ports;
    int32_t there = bonds_at(definition, own->name, 0, index);
    if (index != HBG_NONE && (index < 1 || index > ports)) {
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%s` has %d port%s", name, ports,
                             ports == 1 ? "" : "s");
        return NULL;
    }
    if (there >= (index == HBG_NONE ? ports : 1)) {
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT,
                             "every port of `%s` has its bond already: join several bonds in a junction",
                             name);
        return NULL;
    }
    return index == HBG_NONE ? name : hbg_base_arena_print(editing->arena, "%s[%d]", name, index);
}

/* The end as it is written in the chain; NULL with a refusal. */
static const char *end_for(service_editing *editing, int32_t definition, const char *path) {
    const hbg_lang_reading *reading = editing->reading;
    const syntax_definition *syntax = reading->symbols.items[definition].definition;
    int32_t owner, symbol = hbg_lang_edit_find(editing, definition, path, &owner);
    if (symbol == HBG_NONE) return NULL;
    const service_symbol *own = &reading->symbols.items[symbol];
    const char *name = hbg_lang_service_name_of(reading, symbol);
    bool port = own->kind == HBG_SERVICE_PORT && own->declaration->kind == DECLARE_PORT;
    if (owner != definition && !port) {
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT,
                             "`%s` is inside a component: give the component a port and bond to that", path);
        return NULL;
    }
    if (port && owner != definition) {
        if (strchr(strchr(path, '.') + 1, '.'))
            hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT,
                                 "`%s` is inside a component: lead it out through a port", path);
        const char *dot = strchr(path, '.');
        hbg_name member = hbg_base_names_find(&reading->names, path, (size_t)(dot - path));
        if (bonds_at(syntax, member, own->name, HBG_NONE) > 0)
            hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT,
                                 "port `%s` has a bond already: join several bonds in a junction", path);
        return hbg_base_arena_copy(editing->arena, path, strlen(path));
    }
    switch (own->kind) {
    case HBG_SERVICE_INSTANCE: return free_port(editing, syntax, symbol);
    case HBG_SERVICE_ELEMENT: return element_end(editing, syntax, symbol, path);
    case HBG_SERVICE_JUNCTION: return name;
    case HBG_SERVICE_PORT:
        if (port) return name;
        break;
    default: break;
    }
    hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%s` is a %s: it cannot take a bond", name,
                         hbg_lang_service_facts(reading, NULL, editing->arena, symbol).what);
    return NULL;
}

static hbg_domain domain_of(service_editing *editing, int32_t definition, const char *path) {
    int32_t owner, symbol = hbg_lang_edit_find(editing, definition, path, &owner);
    const hbg_lang_reading *reading = editing->reading;
    if (symbol == HBG_NONE) return HBG_DOMAIN_ANY;
    const service_symbol *own = &reading->symbols.items[symbol];
    if (own->kind == HBG_SERVICE_PORT && own->declaration->kind == DECLARE_PORT) {
        const char *name = hbg_lang_service_name(reading, own->declaration->domain.name);
        hbg_domain domain = hbg_model_domain_find(name, strlen(name));
        if (domain != HBG_DOMAIN_COUNT && domain != HBG_DOMAIN_ANY) return domain;
    }
    bool single = own->kind == HBG_SERVICE_JUNCTION ||
                  (own->kind == HBG_SERVICE_ELEMENT && own->declaration->element->ports == 1);
    if (!reading->model || !single) return HBG_DOMAIN_ANY;
    return hbg_lang_service_domain(reading->model, hbg_lang_service_object(reading, symbol));
}

/* How a bond has to run at an end: like the one within the component, where it is a port of one. */
typedef enum { EITHER_WAY, ARRIVES, LEAVES } edit_way;

static edit_way way_within(const syntax_declarations *declarations, hbg_name port) {
    edit_way way = EITHER_WAY;
    for (int32_t i = 0; i < declarations->count && way == EITHER_WAY; i++) {
        const syntax_declaration *declaration = &declarations->items[i];
        if (declaration->kind == DECLARE_FOR || declaration->kind == DECLARE_IF) {
            way = way_within(&declaration->block->body, port);
            if (way == EITHER_WAY) way = way_within(&declaration->block->otherwise, port);
        }
        if (declaration->kind != DECLARE_CHAIN) continue;
        const syntax_path *first = &declaration->chain->ends[0],
                          *last = &declaration->chain->ends[declaration->chain->count - 1];
        if (first->count == 1 && first->segments[0].name == port) way = ARRIVES;
        if (last->count == 1 && last->segments[0].name == port) way = LEAVES;
    }
    return way;
}

static edit_way way_at(service_editing *editing, int32_t definition, const char *path) {
    const hbg_lang_reading *reading = editing->reading;
    int32_t owner, symbol = hbg_lang_edit_find(editing, definition, path, &owner);
    if (symbol == HBG_NONE || owner == definition || owner == HBG_NONE) return EITHER_WAY;
    const syntax_definition *component = reading->symbols.items[owner].definition;
    return component ? way_within(&component->declarations, reading->symbols.items[symbol].name) : EITHER_WAY;
}

/* Two ports that power enters, or leaves, meet in a new junction. */
static void connect_by_junction(service_editing *editing, int32_t definition, const char *from,
                                const char *to, hbg_domain domain, bool arrives) {
    const syntax_definition *syntax = editing->reading->symbols.items[definition].definition;
    const char *node = hbg_lang_edit_fresh(editing, definition, "node");
    hbg_lang_edit_insert_last(editing, syntax->body, hbg_lang_edit_neighbour(syntax, DECLARE_CHAIN),
                              hbg_base_arena_print(editing->arena, "%c %s;\n%s -> %s;\n%s -> %s;",
                                                   hbg_lang_elaborate_joining(domain), node,
                                                   arrives ? node : from, arrives ? from : node,
                                                   arrives ? node : to, arrives ? to : node));
    editing->name = node;
}

void hbg_lang_edit_connect(service_editing *editing, int32_t definition, const hbg_gesture *gesture) {
    const syntax_definition *syntax = editing->reading->symbols.items[definition].definition;
    const char *from = end_for(editing, definition, gesture->object);
    const char *to = from ? end_for(editing, definition, gesture->other) : NULL;
    if (!to || editing->reason) return;
    if (strcmp(from, to) == 0) {
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "a bond joins two things, not `%s` with itself",
                             from);
        return;
    }
    hbg_domain a = domain_of(editing, definition, from), b = domain_of(editing, definition, to);
    if (a != HBG_DOMAIN_ANY && b != HBG_DOMAIN_ANY && a != b) {
        hbg_lang_edit_refuse(
            editing, HBG_BAD_ARGUMENT,
            "`%s` is %s and `%s` is %s: domains are joined by a transformer (TF) or gyrator (GY)", from,
            hbg_model_domain_name(a), to, hbg_model_domain_name(b));
        return;
    }
    edit_way here = way_at(editing, definition, from), there = way_at(editing, definition, to);
    if (here != EITHER_WAY && here == there) {
        connect_by_junction(editing, definition, from, to, a, here == ARRIVES);
        return;
    }
    if (here == ARRIVES || there == LEAVES) { // pulled against the half arrow
        const char *end = from;
        from = to;
        to = end;
    }
    hbg_lang_edit_insert_last(editing, syntax->body, hbg_lang_edit_neighbour(syntax, DECLARE_CHAIN),
                              hbg_base_arena_print(editing->arena, "%s -> %s;", from, to));
    editing->name = hbg_base_arena_print(editing->arena, "%s>%s", from, to);
}

/* ---- bonds that are there -------------------------------------------------------------------------------- */

/* Whether an end of a chain is what a path of the flat model stands for: the same words, or, for a port,
 * something in the same instance. */
static int likeness(service_editing *editing, const syntax_path *end, const char *path, size_t size) {
    const char *written = hbg_lang_edit_end_text(editing, end);
    if (strlen(written) == size && memcmp(written, path, size) == 0) return 3;
    size_t first = strcspn(path, ".[>");
    const char *name = hbg_lang_service_name(editing->reading, end->segments[0].name);
    bool same = first <= size && strlen(name) == first && memcmp(name, path, first) == 0;
    if (same && first == size) return 2; // `gear` for `gear[1]`
    return same && end->count > 1 && path[first] == '.' ? 1 : 0;
}

bool hbg_lang_edit_find_bond(service_editing *editing, int32_t definition, const char *path,
                             edit_bond *bond) {
    const syntax_definition *syntax = editing->reading->symbols.items[definition].definition;
    const char *arrow = path ? strchr(path, '>') : NULL, *sharp = arrow ? strchr(arrow, '#') : NULL;
    long ordinal = sharp ? strtol(sharp + 1, NULL, 10) : 1;
    size_t to_size = !arrow ? 0 : sharp ? (size_t)(sharp - arrow - 1) : strlen(arrow + 1);
    int best = 0;
    for (int wanted = 6; wanted > 0 && best == 0; wanted--) {
        long left = ordinal;
        for (int32_t i = 0; path && i < syntax->declarations.count; i++) {
            const syntax_declaration *declaration = &syntax->declarations.items[i];
            if (declaration->kind != DECLARE_CHAIN) continue;
            bool named = !arrow && declaration->name != 0 &&
                         strcmp(hbg_lang_service_name(editing->reading, declaration->name), path) == 0;
            if (named) return *bond = (edit_bond){declaration, 0}, true;
            for (int32_t k = 0; arrow && k + 1 < declaration->chain->count; k++) {
                int a = likeness(editing, &declaration->chain->ends[k], path, (size_t)(arrow - path));
                int b = likeness(editing, &declaration->chain->ends[k + 1], arrow + 1, to_size);
                if (a == 0 || b == 0 || a + b != wanted || --left > 0) continue;
                return *bond = (edit_bond){declaration, k}, true;
            }
        }
    }
    hbg_lang_edit_refuse(editing, HBG_NOT_FOUND, "there is no bond `%s` in `%s`", path ? path : "",
                         hbg_lang_service_name_of(editing->reading, definition));
    return false;
}

void hbg_lang_edit_reverse(service_editing *editing, int32_t definition, const hbg_gesture *gesture) {
    edit_bond bond;
    if (!hbg_lang_edit_find_bond(editing, definition, gesture->object, &bond)) return;
    const syntax_chain *chain = bond.declaration->chain;
    const syntax_path *from = &chain->ends[bond.segment], *to = &chain->ends[bond.segment + 1];
    const char *a = hbg_lang_edit_end_text(editing, from), *b = hbg_lang_edit_end_text(editing, to);
    editing->name = hbg_base_arena_print(editing->arena, "%s>%s", b, a);
    if (chain->count == 2) { // the words are exchanged; the text between them stays
        hbg_lang_edit_replace(editing, hbg_lang_path_span(from), "%s", b);
        hbg_lang_edit_replace(editing, hbg_lang_path_span(to), "%s", a);
        return;
    }
    bool first;
    const char *indent = hbg_lang_edit_indent(editing, bond.declaration->statement.start, &first);
    hbg_span span = {hbg_lang_path_span(from).start, hbg_lang_path_span(to).end};
    const char *before = bond.segment > 0 ? hbg_base_arena_print(editing->arena, "%s;\n%s", a, indent) : "";
    const char *after =
        bond.segment + 2 < chain->count ? hbg_base_arena_print(editing->arena, ";\n%s%s", indent, b) : "";
    hbg_lang_edit_replace(editing, span, "%s%s -> %s%s", before, b, a, after);
}
