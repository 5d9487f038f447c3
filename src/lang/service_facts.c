/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: what is known of a symbol. Its kind is in the text; its unit, its domain and its value
 * come from the checked model, or while the text is wrong, unit and domain from the last valid one. */
#include "lang/service_impl.h"

#include <string.h>

static const char *what_is(const service_symbol *symbol) {
    const syntax_declaration *declaration = symbol->declaration;
    switch (symbol->kind) {
    case HBG_SERVICE_ELEMENT: return hbg_model_element_info_get(declaration->element->form)->name;
    case HBG_SERVICE_JUNCTION:
        return declaration->junction->is_switch
                   ? "switch"
                   : hbg_model_element_info_get(declaration->junction->kind)->name;
    case HBG_SERVICE_SIGNAL: return hbg_model_signal_kind_text(declaration->signal->kind);
    case HBG_SERVICE_PORT:
        if (declaration->kind == DECLARE_PORT) return "port";
        return declaration->signal->direction == PORT_IN ? "signal port in" : "signal port out";
    case HBG_SERVICE_STATE:
        return declaration->automaton->states.items[symbol->index].on ? "state that is on"
                                                                      : "state that is off";
    default: return hbg_lang_service_kind_text(symbol->kind);
    }
}

const char *hbg_lang_service_kind_text(hbg_service_kind kind) {
    static const char *const texts[] = {
#define X(id, text) text,
        HBG_SERVICE_KIND_LIST(X)
#undef X
    };
    return kind >= 0 && kind < HBG_SERVICE_KIND_COUNT ? texts[kind] : "";
}

const char *hbg_lang_service_doc(const hbg_lang_reading *reading, int32_t symbol) {
    const service_symbol *own = &reading->symbols.items[symbol];
    const char *doc = NULL;
    if (own->definition)
        doc = own->definition->doc;
    else if (own->experiment)
        doc = own->experiment->doc;
    else if (own->kind != HBG_SERVICE_STATE && own->kind != HBG_SERVICE_ARGUMENT && own->declaration)
        doc = own->declaration->doc;
    int32_t component = doc ? HBG_NONE : hbg_lang_service_component(reading, symbol);
    if (component != HBG_NONE) doc = reading->symbols.items[component].definition->doc;
    return doc ? doc : "";
}

/* The declaration on one line, without its part in braces. */
const char *hbg_lang_service_line(const hbg_lang_reading *reading, hbg_arena *arena, int32_t symbol) {
    const service_symbol *own = &reading->symbols.items[symbol];
    hbg_span span = own->whole;
    const char *before = "";
    if (own->definition)
        span.end = own->definition->body.start;
    else if (own->experiment)
        span.end = own->experiment->body.start;
    else if (own->kind == HBG_SERVICE_AUTOMATON && own->declaration->automaton->body.end > 0)
        span.end = own->declaration->automaton->body.start;
    else if (own->kind == HBG_SERVICE_STATE)
        before = own->declaration->automaton->states.items[own->index].on ? "on " : "off ";
    else if (own->kind == HBG_SERVICE_PARAMETER)
        before = "param ";
    else if (own->kind == HBG_SERVICE_SIGNAL && own->whole.start == own->span.start)
        before = hbg_base_arena_print(arena, "%s ", what_is(own));
    if (span.end > span.start + 2000) span.end = span.start + 2000;
    const char *text = hbg_lang_service_copy(reading, arena, span, true);
    size_t size = strlen(text);
    while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == ';')) size--;
    return hbg_base_arena_print(arena, "%s%.*s", before, (int)size, text);
}

/* ---- from the model ----------------------------------------------------------------------------------- */

#define SEARCH(table, object_kind)                                                                           \
    for (int32_t i = 0; i < model->table.count; i++)                                                         \
        if (model->table.items[i].id.span.start == span.start && model->table.items[i].id.name == name)      \
            return (hbg_object) {                                                                            \
                object_kind, i                                                                               \
            }

hbg_object hbg_lang_service_object(const hbg_lang_reading *reading, int32_t symbol) {
    const hbg_model *model = reading->model;
    const service_symbol *own = &reading->symbols.items[symbol];
    hbg_span span = own->span;
    hbg_name name = own->name;
    if (!model || name == 0) return (hbg_object){HBG_OBJECT_NONE, HBG_NONE};
    switch (own->kind) {
    case HBG_SERVICE_PARAMETER: SEARCH(params, HBG_OBJECT_PARAM); break;
    case HBG_SERVICE_ELEMENT:
    case HBG_SERVICE_JUNCTION: SEARCH(elements, HBG_OBJECT_ELEMENT); break;
    case HBG_SERVICE_BOND: SEARCH(bonds, HBG_OBJECT_BOND); break;
    case HBG_SERVICE_PORT:
    case HBG_SERVICE_SIGNAL:
        SEARCH(signals, HBG_OBJECT_SIGNAL);
        SEARCH(ports, HBG_OBJECT_PORT);
        break;
    case HBG_SERVICE_AUTOMATON: SEARCH(automata, HBG_OBJECT_AUTOMATON); break;
    default: break;
    }
    return (hbg_object){HBG_OBJECT_NONE, HBG_NONE};
}

hbg_domain hbg_lang_service_domain(const hbg_model *model, hbg_object object) {
    int32_t net = HBG_NONE;
    if (object.kind == HBG_OBJECT_ELEMENT) net = model->elements.items[object.index].net;
    if (object.kind == HBG_OBJECT_BOND) net = model->bonds.items[object.index].net;
    if (object.kind == HBG_OBJECT_PORT) {
        const hbg_port *port = &model->ports.items[object.index];
        if (port->bond != HBG_NONE) net = model->bonds.items[port->bond].net;
        if (net == HBG_NONE) return port->domain;
    }
    return net < 0 || net >= model->net_count ? HBG_DOMAIN_ANY : model->net_domain[net];
}

static const char *value_text(hbg_arena *arena, const hbg_model *model, hbg_expr expr, const char *unit) {
    double value;
    char digits[HBG_DOUBLE_TEXT];
    if (expr == HBG_NONE || !hbg_model_constant(model, expr, &value)) return "";
    hbg_base_double_print(digits, value);
    return hbg_base_arena_print(arena, "%s%s%s", digits, unit[0] ? " " : "", unit);
}

static void take_element(const hbg_model *model, hbg_arena *arena, int32_t index, service_facts *facts) {
    const hbg_element *element = &model->elements.items[index];
    if (element->value_count != 1) return;
    hbg_expr value = model->entries.items[element->first_value];
    facts->unit = hbg_model_expr_unit(arena, model, value);
    facts->value = value_text(arena, model, value, facts->unit);
}

static void take(const hbg_model *model, hbg_arena *arena, hbg_object object, service_facts *facts) {
    hbg_domain domain = hbg_lang_service_domain(model, object);
    if (domain != HBG_DOMAIN_ANY) facts->domain = hbg_model_domain_name(domain);
    if (object.kind == HBG_OBJECT_ELEMENT) take_element(model, arena, object.index, facts);
    if (object.kind == HBG_OBJECT_PARAM) {
        facts->unit = hbg_model_object_unit(arena, model, object);
        double value = model->param_values[object.index];
        char digits[HBG_DOUBLE_TEXT];
        if (value == value) {
            hbg_base_double_print(digits, value);
            facts->value =
                hbg_base_arena_print(arena, "%s%s%s", digits, facts->unit[0] ? " " : "", facts->unit);
        }
    }
    if (object.kind == HBG_OBJECT_SIGNAL) {
        facts->unit = hbg_model_object_unit(arena, model, object);
        facts->value = value_text(arena, model, model->signals.items[object.index].value, facts->unit);
    }
}

service_facts hbg_lang_service_facts(const hbg_lang_reading *reading, const hbg_lang_reading *good,
                                     hbg_arena *arena, int32_t symbol) {
    service_facts facts = {what_is(&reading->symbols.items[symbol]), "", "", ""};
    const service_symbol *own = &reading->symbols.items[symbol];
    if (own->kind == HBG_SERVICE_PORT && own->declaration->kind == DECLARE_PORT)
        facts.domain = hbg_lang_service_name(reading, own->declaration->domain.name);
    if (reading->model) {
        hbg_object object = hbg_lang_service_object(reading, symbol);
        if (object.kind != HBG_OBJECT_NONE) take(reading->model, arena, object, &facts);
        return facts;
    }
    int32_t before = good && good->model ? hbg_lang_service_same(reading, symbol, good) : HBG_NONE;
    hbg_object object =
        before == HBG_NONE ? (hbg_object){HBG_OBJECT_NONE, HBG_NONE} : hbg_lang_service_object(good, before);
    if (object.kind == HBG_OBJECT_NONE) return facts;
    take(good->model, arena, object, &facts);
    facts.value = ""; // of the text as it was
    return facts;
}

const char *hbg_lang_service_ports(const hbg_lang_reading *reading, hbg_arena *arena, int32_t component) {
    const syntax_definition *definition = reading->symbols.items[component].definition;
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, arena);
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        const syntax_declaration *declaration = &definition->declarations.items[i];
        bool energy = declaration->kind == DECLARE_PORT;
        bool signal = declaration->kind == DECLARE_SIGNAL && declaration->signal->direction != PORT_NOT;
        if (!energy && !signal) continue;
        hbg_base_buffer_print(&buffer, "%s%s: %s", buffer.size ? ", " : "",
                              hbg_lang_service_name(reading, declaration->name),
                              energy ? hbg_lang_service_name(reading, declaration->domain.name)
                              : declaration->signal->direction == PORT_IN ? "in"
                                                                          : "out");
    }
    return buffer.size ? buffer.data : "";
}
