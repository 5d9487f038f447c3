/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The builder: appends objects to the tables of a model and enters their names. */
#include "model/model_impl.h"

/* Kind and index of an object in one number, for the symbol table. */
#define OBJECT_KINDS 8

int32_t hbg_model_object_code(hbg_object object) {
    return object.index * OBJECT_KINDS + (int32_t)object.kind;
}

hbg_object hbg_model_object_of_code(int32_t code) {
    return (hbg_object){(hbg_object_kind)(code % OBJECT_KINDS), code / OBJECT_KINDS};
}

hbg_model *hbg_model_new(hbg_arena *arena, hbg_names *names, hbg_diagnostics *diagnostics) {
    hbg_model *model = HBG_NEW(arena, hbg_model);
    model->arena = model->scratch = arena;
    model->names = names;
    model->diagnostics = diagnostics;
    model->before.errors = diagnostics->errors;
    model->chosen = HBG_NONE;
    model->before.items = diagnostics->items.count;
    hbg_base_pair_map_init(&model->symbols, arena);
    HBG_PUSH(arena, model->scopes, (hbg_scope){0});
    return model;
}

hbg_object hbg_model_find(const hbg_model *model, int32_t scope, hbg_name name) {
    int32_t code = hbg_base_pair_map_find(&model->symbols, scope, name);
    return code < 0 ? (hbg_object){HBG_OBJECT_NONE, HBG_NONE} : hbg_model_object_of_code(code);
}

/* Enters a name; a name that is taken stays with its first owner, and the second is reported. */
static void enter_name(hbg_model *model, hbg_identity id, hbg_object_kind kind, int32_t index) {
    if (id.name == 0) return;
    int32_t code = hbg_model_object_code((hbg_object){kind, index});
    int32_t owner = hbg_base_pair_map_add(&model->symbols, id.scope, id.name, code);
    if (owner == code) return;
    hbg_diagnostic *report =
        hbg_base_report(model->diagnostics, HBG_E_DUPLICATE, id.span, "`%s` is declared twice",
                        hbg_base_names_get(model->names, id.name));
    const hbg_identity *first = hbg_model_identity(model, hbg_model_object_of_code(owner));
    if (!first) return;
    hbg_base_report_note(model->diagnostics, report, first->span, "it was declared here before");
    if (first->span.start == id.span.start && id.span.end > 0)
        hbg_base_report_fix(model->diagnostics, report,
                            "what a loop repeats needs its variable in the name: `%s[i]`",
                            hbg_base_names_get(model->names, id.name));
}

void hbg_model_add_alias(hbg_model *model, hbg_identity id, hbg_object object) {
    if (object.index >= 0) enter_name(model, id, object.kind, object.index);
}

int32_t hbg_model_add_scope(hbg_model *model, hbg_identity id, hbg_name component, const char *doc) {
    int32_t index = model->scopes.count;
    HBG_PUSH(model->arena, model->scopes, (hbg_scope){id, component, doc, {0}});
    enter_name(model, id, HBG_OBJECT_SCOPE, index);
    return index;
}

int32_t hbg_model_add_param(hbg_model *model, hbg_identity id) {
    int32_t index = model->params.count;
    HBG_PUSH(model->arena, model->params, (hbg_param){.id = id, .value = HBG_NONE, .declared = HBG_NONE});
    enter_name(model, id, HBG_OBJECT_PARAM, index);
    return index;
}

int32_t hbg_model_add_element(hbg_model *model, hbg_identity id, hbg_element_kind form, int32_t ports) {
    int32_t index = model->elements.count;
    hbg_element element = {.id = id,
                           .kind = hbg_model_element_info_get(form)->kind,
                           .form = form,
                           .ports = ports,
                           .control = HBG_NONE,
                           .restitution = HBG_NONE,
                           .net = HBG_NONE};
    HBG_PUSH(model->arena, model->elements, element);
    enter_name(model, id, HBG_OBJECT_ELEMENT, index);
    return index;
}

int32_t hbg_model_add_bond(hbg_model *model, hbg_identity id, hbg_bond_end from, hbg_bond_end to) {
    int32_t index = model->bonds.count;
    hbg_bond bond = {.id = id, .from = from, .to = to, .net = HBG_NONE};
    HBG_PUSH(model->arena, model->bonds, bond);
    enter_name(model, id, HBG_OBJECT_BOND, index);
    return index;
}

int32_t hbg_model_add_port(hbg_model *model, hbg_identity id, hbg_domain domain) {
    int32_t index = model->ports.count;
    HBG_PUSH(model->arena, model->ports, (hbg_port){.id = id, .domain = domain, .bond = HBG_NONE});
    enter_name(model, id, HBG_OBJECT_PORT, index);
    return index;
}

int32_t hbg_model_add_automaton(hbg_model *model, hbg_identity id) {
    int32_t index = model->automata.count;
    HBG_PUSH(model->arena, model->automata, (hbg_automaton){.id = id, .every = HBG_NONE});
    enter_name(model, id, HBG_OBJECT_AUTOMATON, index);
    return index;
}

int32_t hbg_model_add_signal(hbg_model *model, hbg_identity id, hbg_signal_kind kind, hbg_type type) {
    int32_t index = model->signals.count;
    hbg_signal signal = {.id = id,
                         .kind = kind,
                         .type = type,
                         .value = HBG_NONE,
                         .initial = HBG_NONE,
                         .every = HBG_NONE,
                         .noise_mean = HBG_NONE,
                         .noise_variance = HBG_NONE};
    HBG_PUSH(model->arena, model->signals, signal);
    enter_name(model, id, HBG_OBJECT_SIGNAL, index);
    return index;
}

hbg_expr hbg_model_add_number(hbg_model *model, hbg_decimal value, hbg_dimension dimension, hbg_span span) {
    int32_t literal = model->literals.count;
    HBG_PUSH(model->arena, model->literals, ((hbg_literal){.value = value, .dimension = dimension}));
    return hbg_model_add_expr(model, HBG_OP_NUMBER, literal, HBG_NONE, HBG_NONE, span);
}

hbg_expr hbg_model_add_expr(hbg_model *model, hbg_operator op, int32_t a, int32_t b, int32_t c,
                            hbg_span span) {
    int32_t index = model->exprs.count;
    hbg_expr_node node = {(uint16_t)op, a, b, c, 0, span};
    for (int i = 0; i < hbg_model_expr_arity(&node); i++)
        HBG_ASSERT(hbg_model_expr_argument(&node, i) < index);
    if (op == HBG_OP_PARAM && a >= 0) model->params.items[a].used = true;
    HBG_PUSH(model->arena, model->exprs, node);
    return index;
}

int32_t hbg_model_object_count(const hbg_model *model, hbg_object_kind kind) {
    switch (kind) {
    case HBG_OBJECT_SCOPE: return model->scopes.count;
    case HBG_OBJECT_PARAM: return model->params.count;
    case HBG_OBJECT_ELEMENT: return model->elements.count;
    case HBG_OBJECT_BOND: return model->bonds.count;
    case HBG_OBJECT_PORT: return model->ports.count;
    case HBG_OBJECT_AUTOMATON: return model->automata.count;
    case HBG_OBJECT_SIGNAL: return model->signals.count;
    case HBG_OBJECT_NONE: return 0;
    }
    return 0;
}

const hbg_identity *hbg_model_identity(const hbg_model *model, hbg_object object) {
    if (object.index < 0) return NULL;
    switch (object.kind) {
    case HBG_OBJECT_SCOPE: return &model->scopes.items[object.index].id;
    case HBG_OBJECT_PARAM: return &model->params.items[object.index].id;
    case HBG_OBJECT_ELEMENT: return &model->elements.items[object.index].id;
    case HBG_OBJECT_BOND: return &model->bonds.items[object.index].id;
    case HBG_OBJECT_PORT: return &model->ports.items[object.index].id;
    case HBG_OBJECT_AUTOMATON: return &model->automata.items[object.index].id;
    case HBG_OBJECT_SIGNAL: return &model->signals.items[object.index].id;
    case HBG_OBJECT_NONE: return NULL;
    }
    return NULL;
}
