/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality of a mode for programs. As in list_json.c, text is made before the value it goes into. */
#include "api/mode_impl.h"

typedef struct {
    hbg_session *session;
    const hbg_mode_causality *causality;
} json_writer;

static void set_text(json_writer *writer, json_t *object, const char *key, const char *text) {
    hbg_json_set(writer->session, object, key, json_string(text));
}

static void set_flag(json_writer *writer, json_t *object, const char *key, bool value) {
    hbg_json_set(writer->session, object, key, json_boolean(value));
}

static const char *path_of(json_writer *writer, hbg_object_kind kind, int32_t index) {
    return hbg_text_path(writer->session, writer->causality->model, (hbg_object){kind, index});
}

static json_t *add_array(json_writer *writer, json_t *object, const char *key) {
    json_t *array = json_array();
    hbg_json_set(writer->session, object, key, array);
    return array;
}

static void list_mode(json_writer *writer, json_t *root) {
    const hbg_model *model = writer->causality->model;
    json_t *mode = json_object();
    hbg_json_set(writer->session, root, "mode", mode);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        if (automaton->state_count == 0) continue;
        const char *name = path_of(writer, HBG_OBJECT_AUTOMATON, i);
        hbg_name state = model->states.items[automaton->first_state + writer->causality->states[i]].name;
        set_text(writer, mode, name, hbg_names_get(model->names, state));
    }
}

/* The determining bonds a junction can ever take. */
static void list_candidates(json_writer *writer, json_t *object, int32_t place) {
    int32_t *bonds, count = hbg_mode_place_candidates(writer->session, writer->causality, place, &bonds);
    json_t *array = add_array(writer, object, "can_determine");
    for (int32_t i = 0; i < count; i++) {
        const char *name = path_of(writer, HBG_OBJECT_BOND, bonds[i]);
        hbg_json_append(writer->session, array, json_string(name));
    }
}

static void list_places(json_writer *writer, json_t *root) {
    const hbg_mode_causality *causality = writer->causality;
    const hbg_causal_structure *structure = causality->structure;
    json_t *array = add_array(writer, root, "junctions");
    for (int32_t i = 0; i < structure->place_count; i++) {
        const char *name = path_of(writer, HBG_OBJECT_ELEMENT, structure->place_element[i]);
        int32_t bond = hbg_causal_determining_bond(causality->assignment, i);
        const char *determining = bond == HBG_NONE ? NULL : path_of(writer, HBG_OBJECT_BOND, bond);
        json_t *object = json_object();
        hbg_json_append(writer->session, array, object);
        set_text(writer, object, "name", name);
        set_text(writer, object, "kind", structure->is_zero[i] ? "0" : "1");
        set_flag(writer, object, "on", causality->on[i]);
        if (determining) set_text(writer, object, "determining", determining);
        set_flag(writer, object, "fixed", hbg_mode_place_fixed(causality, i));
        set_flag(writer, object, "constrained", structure->place_constrained[i]);
        set_flag(writer, object, "forced", causality->forced[i]);
        set_flag(writer, object, "never_reassigns", structure->place_never_reassigns[i]);
        set_flag(writer, object, "floating", hbg_causal_is_floating(causality->assignment, i));
        list_candidates(writer, object, i);
    }
}

static void list_bonds(json_writer *writer, json_t *root) {
    const hbg_causal_structure *structure = writer->causality->structure;
    json_t *array = add_array(writer, root, "bonds");
    for (int32_t i = 0; i < writer->causality->model->bonds.count; i++) {
        const char *name = path_of(writer, HBG_OBJECT_BOND, i);
        int32_t link = structure->bond_link[i];
        json_t *object = json_object();
        hbg_json_append(writer->session, array, object);
        set_text(writer, object, "name", name);
        set_text(writer, object, "stroke",
                 hbg_causal_stroke(writer->causality->assignment, i) ? "to" : "from");
        set_flag(writer, object, "fixed", link != HBG_NONE && structure->link_fixed[link] != HBG_NONE);
    }
}

static void list_dependent(json_writer *writer, json_t *root) {
    const hbg_model *model = writer->causality->model;
    json_t *array = add_array(writer, root, "dependent");
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        if (element->kind != HBG_KIND_C && element->kind != HBG_KIND_I) continue;
        for (int32_t port = 1; port <= element->ports; port++) {
            if (!hbg_causal_is_derivative(writer->causality->assignment, i, port)) continue;
            const char *name = hbg_mode_port_text(writer->session, model, i, port);
            hbg_json_append(writer->session, array, json_string(name));
        }
    }
}

static void list_loops(json_writer *writer, json_t *root) {
    const hbg_causal_loop_members *loops = &writer->causality->loops;
    json_t *array = add_array(writer, root, "loops");
    int32_t next = 0;
    for (int32_t loop = 0; loop < loops->loop_count; loop++) {
        json_t *object = json_object();
        hbg_json_append(writer->session, array, object);
        json_t *junctions = add_array(writer, object, "junctions");
        json_t *resistors = add_array(writer, object, "resistors");
        for (; next < loops->count && loops->items[next].loop == loop; next++) {
            const hbg_causal_loop_member *member = &loops->items[next];
            const char *name =
                hbg_mode_port_text(writer->session, writer->causality->model, member->element, member->port);
            hbg_json_append(writer->session, member->port == 0 ? junctions : resistors, json_string(name));
        }
    }
}

static void list_path(json_writer *writer, json_t *array, const hbg_mode_path_list *list,
                      const hbg_mode_path *path) {
    const hbg_model *model = writer->causality->model;
    const char *from = hbg_mode_port_text(writer->session, model, path->from, path->from_port);
    const char *to = hbg_mode_port_text(writer->session, model, path->to, path->to_port);
    json_t *object = json_object();
    hbg_json_append(writer->session, array, object);
    set_text(writer, object, "from", from);
    set_text(writer, object, "to", to);
    json_t *through = add_array(writer, object, "through");
    for (int32_t i = 0; i < path->step_count; i++) {
        const char *step =
            hbg_mode_step_text(writer->session, model, list->steps.items[path->first_step + i]);
        hbg_json_append(writer->session, through, json_string(step));
    }
}

static void list_paths(json_writer *writer, json_t *root) {
    hbg_mode_path_list list = hbg_mode_paths(writer->session, writer->causality);
    json_t *array = add_array(writer, root, "paths");
    for (int32_t i = 0; i < list.items.count; i++) list_path(writer, array, &list, &list.items.items[i]);
    set_flag(writer, root, "paths_complete", list.complete);
}

static void list_conflict(json_writer *writer, json_t *root) {
    json_t *array = add_array(writer, root, "conflict");
    for (int32_t i = 0; i < writer->causality->conflict.count; i++) {
        const char *name = path_of(writer, HBG_OBJECT_BOND, writer->causality->conflict.bonds[i]);
        hbg_json_append(writer->session, array, json_string(name));
    }
}

hbg_status hbg_causality_json(hbg_session *session, const hbg_model *model,
                              const hbg_causality_options *options, bool *valid, hbg_text *text) {
    *text = (hbg_text){0};
    *valid = false;
    HBG_ENTER(session);
    hbg_mode_causality causality;
    hbg_status status = hbg_mode_causality_find(session, model, options->mode, options->integral, &causality);
    if (status != HBG_OK) return hbg_session_leave(session, status);
    json_writer writer = {session, &causality};
    json_t *root = session->json = hbg_json_new(session, json_object());
    set_text(&writer, root, "model", hbg_model_title(model));
    list_mode(&writer, root);
    *valid = hbg_causal_valid(causality.assignment);
    set_flag(&writer, root, "valid", *valid);
    if (*valid) {
        list_places(&writer, root);
        list_bonds(&writer, root);
        list_dependent(&writer, root);
        list_loops(&writer, root);
        if (options->paths) list_paths(&writer, root);
    } else {
        list_conflict(&writer, root);
    }
    return hbg_session_leave(session, hbg_text_of_json(session, text));
}
