/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a model holds, for programs. Text that takes memory of the session is made before the JSON value it
 * goes into, and a value is attached as soon as it exists, so that running out of memory loses nothing. */
#include "api/api_impl.h"

#include <math.h>

typedef struct {
    hbg_session *session;
    const hbg_model *model;
} json_writer;

static void set_text(json_writer *writer, json_t *object, const char *key, const char *text) {
    if (text) hbg_json_set(writer->session, object, key, hbg_json_text(writer->session, text));
}

static void set_number(json_writer *writer, json_t *object, const char *key, int64_t value) {
    hbg_json_set(writer->session, object, key, json_integer(value));
}

static void set_expr(json_writer *writer, json_t *object, const char *key, hbg_expr expr) {
    if (expr != HBG_NONE) set_text(writer, object, key, hbg_text_expr(writer->session, writer->model, expr));
}

static void set_unit(json_writer *writer, json_t *object, const char *key, const char *unit) {
    if (unit[0]) set_text(writer, object, key, unit);
}

static json_t *add_object(json_writer *writer, json_t *array) {
    json_t *object = json_object();
    hbg_json_append(writer->session, array, object);
    return object;
}

static json_t *add_array(json_writer *writer, json_t *object, const char *key) {
    json_t *array = json_array();
    hbg_json_set(writer->session, object, key, array);
    return array;
}

/* An object with its path and where it was declared. */
static json_t *add_named(json_writer *writer, json_t *array, hbg_object_kind kind, int32_t index) {
    const char *path = hbg_text_path(writer->session, writer->model, (hbg_object){kind, index});
    hbg_span span = hbg_model_identity(writer->model, (hbg_object){kind, index})->span;
    hbg_place place;
    bool placed = hbg_sources_place(&writer->session->sources, span, &place);
    json_t *object = add_object(writer, array);
    set_text(writer, object, "name", path);
    if (!placed) return object;
    set_text(writer, object, "file", place.path);
    set_number(writer, object, "line", place.line);
    return object;
}

static const char *letter(hbg_variable variable) {
    static const char *const letters[] = {
#define X(id, text) text,
        HBG_VARIABLE_LIST(X)
#undef X
    };
    return letters[variable];
}

/* A constant in SI; null for what is computed while time flows. */
static json_t *number_of(const hbg_model *model, hbg_expr expr) {
    double value;
    bool constant = hbg_model_constant(model, expr, &value) && isfinite(value);
    return constant ? json_real(value) : json_null();
}

static void list_bindings(json_writer *writer, json_t *object, const char *key, int32_t first,
                          int32_t count) {
    if (count == 0) return;
    json_t *array = add_array(writer, object, key);
    for (int32_t i = 0; i < count; i++) {
        const hbg_binding *binding = &writer->model->bindings.items[first + i];
        json_t *entry = add_object(writer, array);
        set_text(writer, entry, "variable", letter(binding->variable));
        set_number(writer, entry, "port", binding->port);
        set_expr(writer, entry, "value", binding->value);
        double number;
        if (!hbg_model_constant(writer->model, binding->value, &number)) continue;
        hbg_json_set(writer->session, entry, "number", number_of(writer->model, binding->value));
        set_unit(writer, entry, "unit", hbg_text_expr_unit(writer->session, writer->model, binding->value));
    }
}

/* The values of an element: as written, as numbers, and their units, in three lists of one length. */
static void list_values(json_writer *writer, json_t *object, const hbg_element *element) {
    const hbg_model *model = writer->model;
    json_t *values = add_array(writer, object, "values");
    json_t *numbers = add_array(writer, object, "numbers");
    json_t *units = add_array(writer, object, "units");
    for (int32_t i = 0; i < element->value_count; i++) {
        hbg_expr entry = model->entries.items[element->first_value + i];
        const char *text = hbg_text_expr(writer->session, model, entry);
        const char *unit = hbg_text_expr_unit(writer->session, model, entry);
        hbg_json_append(writer->session, values, json_string(text));
        hbg_json_append(writer->session, numbers, number_of(model, entry));
        hbg_json_append(writer->session, units, unit[0] ? json_string(unit) : json_null());
    }
}

static void list_elements(json_writer *writer, json_t *array) {
    const hbg_model *model = writer->model;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        json_t *object = add_named(writer, array, HBG_OBJECT_ELEMENT, i);
        set_text(writer, object, "kind", hbg_element_info_get(element->kind)->text);
        if (element->ports > 0) set_number(writer, object, "ports", element->ports);
        if (element->value_count > 0) list_values(writer, object, element);
        list_bindings(writer, object, "laws", element->first_law, element->law_count);
        list_bindings(writer, object, "initial", element->first_initial, element->initial_count);
        set_expr(writer, object, "when", element->control);
        set_expr(writer, object, "restitution", element->restitution);
        if (element->dual_off)
            set_text(writer, object, "off", element->kind == HBG_KIND_ZERO ? "flow" : "effort");
    }
}

static void set_end(json_writer *writer, json_t *object, const char *key, const hbg_bond_end *end) {
    const char *path =
        hbg_text_path(writer->session, writer->model, (hbg_object){HBG_OBJECT_ELEMENT, end->element});
    if (writer->model->elements.items[end->element].ports > 1)
        path = hbg_arena_print(&writer->session->scratch, "%s[%d]", path, end->port);
    set_text(writer, object, key, path);
}

static void list_bonds(json_writer *writer, json_t *array) {
    const hbg_model *model = writer->model;
    for (int32_t i = 0; i < model->bonds.count; i++) {
        const hbg_bond *bond = &model->bonds.items[i];
        json_t *object = add_named(writer, array, HBG_OBJECT_BOND, i);
        set_end(writer, object, "from", &bond->from);
        set_end(writer, object, "to", &bond->to);
        set_text(writer, object, "domain", hbg_domain_name(model->net_domain[bond->net]));
    }
}

static void list_transitions(json_writer *writer, json_t *object, const hbg_automaton *automaton,
                             const hbg_automaton_state *state) {
    const hbg_model *model = writer->model;
    json_t *array = add_array(writer, object, "transitions");
    for (int32_t i = 0; i < state->transition_count; i++) {
        const hbg_transition *transition = &model->transitions.items[state->first_transition + i];
        json_t *entry = add_object(writer, array);
        hbg_name target = model->states.items[automaton->first_state + transition->target].name;
        set_text(writer, entry, "to", hbg_names_get(model->names, target));
        set_expr(writer, entry, "when", transition->guard);
        set_expr(writer, entry, "after", transition->after);
    }
}

static void list_automata(json_writer *writer, json_t *array) {
    const hbg_model *model = writer->model;
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        json_t *object = add_named(writer, array, HBG_OBJECT_AUTOMATON, i);
        set_expr(writer, object, "every", automaton->every);
        if (automaton->state_count > 0)
            set_text(writer, object, "start",
                     hbg_names_get(model->names,
                                   model->states.items[automaton->first_state + automaton->start].name));
        json_t *states = add_array(writer, object, "states");
        for (int32_t k = 0; k < automaton->state_count; k++) {
            const hbg_automaton_state *state = &model->states.items[automaton->first_state + k];
            json_t *entry = add_object(writer, states);
            set_text(writer, entry, "name", hbg_names_get(model->names, state->name));
            hbg_json_set(writer->session, entry, "on", json_boolean(state->on));
            list_transitions(writer, entry, automaton, state);
        }
    }
}

static void list_params(json_writer *writer, json_t *array) {
    const hbg_model *model = writer->model;
    for (int32_t i = 0; i < model->params.count; i++) {
        const hbg_param *param = &model->params.items[i];
        json_t *object = add_named(writer, array, HBG_OBJECT_PARAM, i);
        hbg_json_set(writer->session, object, "value", json_real(model->param_values[i]));
        set_unit(writer, object, "unit",
                 hbg_text_object_unit(writer->session, model, (hbg_object){HBG_OBJECT_PARAM, i}));
        set_text(writer, object, "written_unit", param->unit);
        set_expr(writer, object, "expression", param->value);
        set_text(writer, object, "doc", param->doc);
    }
}

static void list_signals(json_writer *writer, json_t *array) {
    static const char *const kinds[] = {
#define X(id, text) text,
        HBG_SIGNAL_LIST(X)
#undef X
    };
    static const char *const types[] = {"real", "bool", "event"};
    const hbg_model *model = writer->model;
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        json_t *object = add_named(writer, array, HBG_OBJECT_SIGNAL, i);
        set_text(writer, object, "kind", kinds[signal->kind]);
        set_text(writer, object, "type", types[signal->type]);
        set_unit(writer, object, "unit",
                 hbg_text_object_unit(writer->session, model, (hbg_object){HBG_OBJECT_SIGNAL, i}));
        set_expr(writer, object, signal->kind == HBG_SIGNAL_STATE ? "der" : "value", signal->value);
        set_expr(writer, object, "initial", signal->initial);
        set_expr(writer, object, "every", signal->every);
        set_text(writer, object, "doc", signal->doc);
    }
}

static void list_experiments(json_writer *writer, json_t *array) {
    const hbg_model *model = writer->model;
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const hbg_experiment *experiment = &model->experiments.items[i];
        if (experiment->name == 0) continue; // what a run was asked for
        json_t *object = add_object(writer, array);
        set_text(writer, object, "name", hbg_names_get(model->names, experiment->name));
        set_expr(writer, object, "stop", experiment->stop);
        set_number(writer, object, "actions", experiment->actions.count);
        set_number(writer, object, "faults", experiment->faults.count);
        set_text(writer, object, "doc", experiment->doc);
    }
}

hbg_status hbg_list_json(hbg_session *session, const hbg_model *model, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    json_writer writer = {session, model};
    json_t *root = session->json = hbg_json_new(session, json_object());
    set_text(&writer, root, "model", hbg_model_title(model));
    set_text(&writer, root, "doc", model->doc);
    list_elements(&writer, add_array(&writer, root, "elements"));
    list_bonds(&writer, add_array(&writer, root, "bonds"));
    list_automata(&writer, add_array(&writer, root, "automata"));
    list_params(&writer, add_array(&writer, root, "parameters"));
    list_signals(&writer, add_array(&writer, root, "signals"));
    list_experiments(&writer, add_array(&writer, root, "experiments"));
    return hbg_session_leave(session, hbg_text_of_json(session, text));
}
