/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gestures as edits: a selection becomes a component and an instance of it. A bond across the border gets a
 * port; a parameter that the selection reads becomes one of the component; names from outside into the
 * selection now lead into the instance. */
#include "lang/edit_impl.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    service_editing *editing;
    int32_t definition;
    const syntax_definition *syntax;
    bool *chosen; /* by symbol */
    bool *read;   /* parameters the selection reads, by symbol */
    const char *instance;
    hbg_buffer ports, bonds, outside; /* texts: of the component, and bonds that stay */
    HBG_VEC(const char *) port_names;
    hbg_span last_chain;
} wrapping;

static bool is_chosen(const wrapping *w, const syntax_path *end) {
    int32_t symbol = hbg_lang_service_member(w->editing->reading, w->definition, end->segments[0].name);
    return symbol != HBG_NONE && w->chosen[symbol];
}

/* ---- what the selection reads ------------------------------------------------------------------------------ */

static bool may_be_chosen(hbg_service_kind kind) {
    return kind == HBG_SERVICE_ELEMENT || kind == HBG_SERVICE_JUNCTION || kind == HBG_SERVICE_INSTANCE ||
           kind == HBG_SERVICE_AUTOMATON;
}

static void choose(wrapping *w, const char *path) {
    int32_t owner, symbol = hbg_lang_edit_find(w->editing, w->definition, path, &owner);
    if (symbol == HBG_NONE) return;
    if (owner != w->definition || !may_be_chosen(w->editing->reading->symbols.items[symbol].kind))
        hbg_lang_edit_refuse(
            w->editing, HBG_BAD_ARGUMENT,
            "`%s` cannot be wrapped: choose elements, junctions, components and automata of `%s`", path,
            hbg_lang_service_name_of(w->editing->reading, w->definition));
    else
        w->chosen[symbol] = true;
}

/* The chosen symbol whose declaration contains a place; HBG_NONE outside all. */
static int32_t inside_of(const wrapping *w, hbg_span span) {
    const hbg_lang_reading *reading = w->editing->reading;
    for (int32_t i = 0; i < reading->symbols.count; i++)
        if (w->chosen[i] && reading->symbols.items[i].whole.start <= span.start &&
            span.end <= reading->symbols.items[i].whole.end)
            return i;
    return HBG_NONE;
}

static bool in_chain(const wrapping *w, hbg_span span) {
    for (int32_t i = 0; i < w->syntax->declarations.count; i++) {
        const syntax_declaration *declaration = &w->syntax->declarations.items[i];
        if (declaration->kind == DECLARE_CHAIN && declaration->statement.start <= span.start &&
            span.end <= declaration->statement.end)
            return true;
    }
    return false;
}

/* Names that the chosen read must go with them, or be parameters. Names of the chosen elsewhere are found in
 * the instance. */
static void follow_names(wrapping *w) {
    const hbg_lang_reading *reading = w->editing->reading;
    for (int32_t i = 0; i < reading->occurrences.count; i++) {
        const service_occurrence *occurrence = &reading->occurrences.items[i];
        const service_symbol *symbol = &reading->symbols.items[occurrence->symbol];
        if (symbol->owner != w->definition || occurrence->declares) continue;
        int32_t inside = inside_of(w, occurrence->span);
        bool own = w->chosen[occurrence->symbol];
        if (inside != HBG_NONE && !own && symbol->kind == HBG_SERVICE_PARAMETER)
            w->read[occurrence->symbol] = true;
        else if (inside != HBG_NONE && !own)
            hbg_lang_edit_refuse(w->editing, HBG_BAD_ARGUMENT,
                                 "`%s` reads `%s`, which is not chosen: choose both or neither",
                                 hbg_lang_service_name_of(reading, inside),
                                 hbg_lang_service_name_of(reading, occurrence->symbol));
        else if (inside == HBG_NONE && own && !in_chain(w, occurrence->span))
            hbg_lang_edit_replace(w->editing, (hbg_span){occurrence->span.start, occurrence->span.start},
                                  "%s.", w->instance);
    }
}

/* ---- bonds ----------------------------------------------------------------------------------------------- */

static const char *domain_at(wrapping *w, const syntax_path *end) {
    const hbg_lang_reading *reading = w->editing->reading;
    int32_t symbol = hbg_lang_service_member(reading, w->definition, end->segments[0].name);
    if (symbol == HBG_NONE) return "any";
    const service_symbol *own = &reading->symbols.items[symbol];
    int32_t component = hbg_lang_service_component(reading, symbol);
    if (component != HBG_NONE && end->count > 1) {
        int32_t port = hbg_lang_service_member(reading, component, end->segments[1].name);
        if (port != HBG_NONE && reading->symbols.items[port].declaration->kind == DECLARE_PORT)
            return hbg_lang_service_name(reading, reading->symbols.items[port].declaration->domain.name);
    }
    bool single = own->kind == HBG_SERVICE_JUNCTION ||
                  (own->kind == HBG_SERVICE_ELEMENT && own->declaration->element->ports == 1);
    if (!reading->model || !single) return "any";
    return hbg_model_domain_name(
        hbg_lang_service_domain(reading->model, hbg_lang_service_object(reading, symbol)));
}

/* A port named after its outside connection. */
static const char *new_port(wrapping *w, const syntax_path *inner, const syntax_path *outer) {
    const hbg_lang_reading *reading = w->editing->reading;
    const char *stem = hbg_lang_service_name(reading, outer->segments[0].name), *name = stem;
    for (int number = 2;; number++) {
        bool taken =
            hbg_lang_service_find(reading, w->definition, name) != HBG_NONE && strcmp(name, stem) != 0;
        int32_t chosen = hbg_lang_service_find(reading, w->definition, name);
        taken = taken || (chosen != HBG_NONE && (w->chosen[chosen] || w->read[chosen]));
        for (int32_t i = 0; i < w->port_names.count; i++)
            taken = taken || strcmp(w->port_names.items[i], name) == 0;
        if (!taken) break;
        name = hbg_base_arena_print(w->editing->arena, "%s%d", stem, number);
    }
    HBG_PUSH(w->editing->arena, w->port_names, name);
    const char *domain = domain_at(w, inner);
    if (strcmp(domain, "any") == 0) domain = domain_at(w, outer);
    hbg_base_buffer_print(&w->ports, "    port %s : %s;\n", name, domain);
    return name;
}

static void put_bond(hbg_buffer *to, const char *indent, const char *from, const char *end) {
    hbg_base_buffer_print(to, "%s%s -> %s;", indent, from, end);
}

/* One bond of a chain that touches the selection. */
static void split_bond(wrapping *w, const syntax_path *from, const syntax_path *to, const char *indent) {
    bool a = is_chosen(w, from), b = is_chosen(w, to);
    const char *from_text = hbg_lang_edit_end_text(w->editing, from),
               *to_text = hbg_lang_edit_end_text(w->editing, to);
    if (!a && !b) {
        put_bond(&w->outside, w->outside.size ? indent : "", from_text, to_text);
        return;
    }
    const char *port = a && b ? NULL : new_port(w, a ? from : to, a ? to : from);
    put_bond(&w->bonds, "    ", !a ? port : from_text, !b ? port : to_text);
    hbg_base_buffer_char(&w->bonds, '\n');
    if (a && b) return;
    const char *path = hbg_base_arena_print(w->editing->arena, "%s.%s", w->instance, port);
    put_bond(&w->outside, w->outside.size ? indent : "", a ? path : from_text, b ? path : to_text);
}

static void split_chain(wrapping *w, const syntax_declaration *declaration) {
    const syntax_chain *chain = declaration->chain;
    bool any = false, first;
    for (int32_t k = 0; k < chain->count; k++) any = any || is_chosen(w, &chain->ends[k]);
    if (!any) return;
    if (declaration->name != 0) {
        hbg_lang_edit_refuse(w->editing, HBG_BAD_ARGUMENT,
                             "bond `%s` has a name, which it would lose in the component",
                             hbg_lang_service_name(w->editing->reading, declaration->name));
        return;
    }
    const char *indent = hbg_base_arena_print(
        w->editing->arena, "\n%s", hbg_lang_edit_indent(w->editing, declaration->statement.start, &first));
    w->outside.size = 0;
    for (int32_t k = 0; k + 1 < chain->count; k++)
        split_bond(w, &chain->ends[k], &chain->ends[k + 1], indent);
    if (w->outside.size > 0)
        hbg_lang_edit_replace(w->editing, declaration->statement, "%.*s", (int)w->outside.size,
                              w->outside.data);
    else
        hbg_lang_edit_remove(w->editing, declaration->statement);
}

/* ---- the component ----------------------------------------------------------------------------------------- */

/* `(R1 = 330 [Ohm], L = 5 [mH])`, and what the instance gives them: `(R1 = R1, L = L)`. */
static void put_parameters(wrapping *w, hbg_buffer *header, hbg_buffer *given) {
    const hbg_lang_reading *reading = w->editing->reading;
    for (int32_t i = 0; i < reading->symbols.count; i++) {
        if (!w->read[i]) continue;
        const char *name = hbg_lang_service_name_of(reading, i);
        hbg_base_buffer_print(header, "%s%s", header->size ? ", " : "(", name);
        const syntax_expr *value = reading->symbols.items[i].declaration->param;
        if (value && value->kind == SYNTAX_NUMBER) // others may read what the component lacks
            hbg_base_buffer_print(header, " = %s",
                                  hbg_lang_service_copy(reading, w->editing->arena,
                                                        hbg_base_span_join(value->span, value->unit), true));
        hbg_base_buffer_print(given, "%s%s = %s", given->size ? ", " : "(", name, name);
    }
    if (header->size) hbg_base_buffer_char(header, ')');
    if (given->size) hbg_base_buffer_char(given, ')');
}

static void move_declarations(wrapping *w, hbg_buffer *body) {
    const hbg_lang_reading *reading = w->editing->reading;
    for (int32_t i = 0; i < reading->symbols.count; i++) {
        if (!w->chosen[i]) continue;
        hbg_span statement = reading->symbols.items[i].declaration->statement;
        hbg_base_buffer_print(body, "    %s\n",
                              hbg_lang_service_copy(reading, w->editing->arena, statement, false));
        hbg_lang_edit_remove(w->editing, statement);
    }
}

static bool begin(wrapping *w, const hbg_gesture *gesture) {
    const hbg_lang_reading *reading = w->editing->reading;
    const char *name = gesture->name ? gesture->name : "";
    w->syntax = reading->symbols.items[w->definition].definition;
    w->chosen = HBG_NEW_ARRAY(w->editing->arena, bool, reading->symbols.count + 1);
    w->read = HBG_NEW_ARRAY(w->editing->arena, bool, reading->symbols.count + 1);
    hbg_base_buffer_init(&w->ports, w->editing->arena);
    hbg_base_buffer_init(&w->bonds, w->editing->arena);
    hbg_base_buffer_init(&w->outside, w->editing->arena);
    for (int32_t i = 0; i < gesture->object_count; i++) choose(w, gesture->objects[i]);
    if (gesture->object_count == 0) hbg_lang_edit_refuse(w->editing, HBG_BAD_ARGUMENT, "choose what to wrap");
    if (!hbg_lang_edit_is_name(name))
        hbg_lang_edit_refuse(w->editing, HBG_BAD_ARGUMENT, "`%.60s` cannot be the name of a component", name);
    else if (hbg_lang_service_find(reading, HBG_NONE, name) != HBG_NONE)
        hbg_lang_edit_refuse(w->editing, HBG_BAD_ARGUMENT,
                             "there is already a model or component called `%s`", name);
    char *stem = hbg_base_arena_copy(w->editing->arena, name, strlen(name));
    stem[0] = (char)tolower((unsigned char)stem[0]);
    w->instance = w->editing->reason ? "" : hbg_lang_edit_fresh(w->editing, w->definition, stem);
    return !w->editing->reason;
}

void hbg_lang_edit_wrap(service_editing *editing, int32_t definition, const hbg_gesture *gesture) {
    wrapping w = {.editing = editing, .definition = definition};
    hbg_buffer header, given, body;
    if (!begin(&w, gesture)) return;
    hbg_base_buffer_init(&header, editing->arena);
    hbg_base_buffer_init(&given, editing->arena);
    hbg_base_buffer_init(&body, editing->arena);
    follow_names(&w);
    for (int32_t i = 0; i < w.syntax->declarations.count && !editing->reason; i++)
        if (w.syntax->declarations.items[i].kind == DECLARE_CHAIN)
            split_chain(&w, &w.syntax->declarations.items[i]);
    if (editing->reason) return;
    move_declarations(&w, &body);
    put_parameters(&w, &header, &given);
    const char *comma = w.ports.size && body.size ? "\n" : "";
    hbg_span top = {w.syntax->statement.start, w.syntax->statement.start};
    hbg_lang_edit_replace(editing, top, "component %s%s {\n%s%s%s%s%s}\n\n", gesture->name,
                          header.size ? header.data : "", w.ports.size ? w.ports.data : "", comma, body.data,
                          w.bonds.size ? "\n" : "", w.bonds.size ? w.bonds.data : "");
    hbg_lang_edit_insert_last(editing, w.syntax->body, (hbg_span){0, 0},
                              hbg_base_arena_print(editing->arena, "%s %s%s;", gesture->name, w.instance,
                                                   given.size ? given.data : ""));
    editing->name = w.instance;
}
