/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The report on the causality of a mode: determining bonds, dependent storages, loops, and what holds in
 * every mode. */
#include "api/mode_impl.h"

#include <string.h>

#define MOST_CANDIDATES 8 /* bonds named at a junction in constrained causality */

typedef struct {
    hbg_session *session;
    const hbg_mode_causality *causality;
    hbg_api_report *report;
} writer;

static const char *name_of(const writer *w, hbg_object_kind kind, int32_t index) {
    return hbg_api_text_path(w->session, w->causality->model, (hbg_object){kind, index});
}

/* Adds a name to a list of them: `a, b, c`. */
static void put_name(hbg_buffer *out, bool first, const char *name) {
    hbg_base_buffer_print(out, "%s%s", first ? "" : ", ", name);
}

/* ---- the mode ----------------------------------------------------------------------------------------- */

static void put_mode(const writer *w) {
    const hbg_model *model = w->causality->model;
    const int32_t *states = w->causality->states;
    hbg_api_text(w->report, "model", hbg_model_title(model));
    hbg_api_say(w->report, "%s%s%s\n", hbg_model_title(model), model->automata.count ? " in mode " : "",
                hbg_api_mode_text(w->session, model, states));
    hbg_api_report *mode = hbg_api_object(w->report, "mode");
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        if (automaton->state_count == 0) continue;
        hbg_name state = model->states.items[automaton->first_state + states[i]].name;
        hbg_api_text(mode, name_of(w, HBG_OBJECT_AUTOMATON, i), hbg_base_names_get(model->names, state));
    }
}

/* ---- junctions ---------------------------------------------------------------------------------------- */

/* The bond that determines a place; NULL: none does. */
static const char *determining(const writer *w, int32_t place) {
    int32_t bond = hbg_causal_determining_bond(w->causality->assignment, place);
    return bond == HBG_NONE ? NULL : name_of(w, HBG_OBJECT_BOND, bond);
}

/* The determining bonds a junction can ever take, and the first few in words: "constrained to b4, b5, b7". */
static const char *put_candidates(const writer *w, hbg_api_report *object, int32_t place) {
    hbg_buffer words;
    hbg_base_buffer_init(&words, &w->session->scratch);
    int32_t *bonds, count = hbg_api_mode_place_candidates(w->session, w->causality, place, &bonds);
    hbg_api_report *list = hbg_api_list(object, "can_determine");
    hbg_base_buffer_text(&words, "constrained to ");
    for (int32_t i = 0; i < count; i++) {
        const char *name = name_of(w, HBG_OBJECT_BOND, bonds[i]);
        hbg_api_text(list, NULL, name);
        if (i < MOST_CANDIDATES) put_name(&words, i == 0, name);
    }
    if (count > MOST_CANDIDATES) hbg_base_buffer_print(&words, " and %d more", count - MOST_CANDIDATES);
    return words.data;
}

/* Fills in an entry of the list; returns its text. */
static const char *put_place(const writer *w, hbg_api_report *object, int32_t place, const char *name,
                             const char *bond) {
    const hbg_mode_causality *causality = w->causality;
    const hbg_causal_structure *structure = causality->structure;
    hbg_api_text(object, "name", name);
    hbg_api_text(object, "kind", structure->is_zero[place] ? "0" : "1");
    hbg_api_flag(object, "on", causality->on[place]);
    if (bond) hbg_api_text(object, "determining", bond);
    bool fixed = hbg_api_mode_place_fixed(causality, place),
         constrained = structure->place_constrained[place];
    bool stays = structure->place_never_reassigns[place];
    bool floats = hbg_causal_is_floating(causality->assignment, place);
    hbg_api_flag(object, "fixed", fixed);
    hbg_api_flag(object, "constrained", constrained);
    hbg_api_flag(object, "forced", causality->forced[place]);
    hbg_api_flag(object, "never_reassigns", stays);
    bool reversed = hbg_causal_is_reversed(causality->assignment, place);
    hbg_api_flag(object, "floating", floats);
    hbg_api_flag(object, "by_parasite", reversed);
    const char *candidates = put_candidates(w, object, place);
    const char *const told[] = {fixed ? "fixed" : NULL,
                                constrained ? candidates : NULL,
                                causality->on[place] && causality->forced[place] && !reversed ? "forced"
                                                                                              : NULL,
                                stays ? "switches without reassignment" : NULL,
                                reversed ? "decided by its parasite" : NULL,
                                floats ? "floating: reads 0" : NULL};
    hbg_buffer words;
    hbg_base_buffer_init(&words, &w->session->scratch);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i]) hbg_base_buffer_print(&words, "%s%s", words.size ? "; " : "", told[i]);
    return words.data;
}

static void put_places(const writer *w) {
    const hbg_causal_structure *structure = w->causality->structure;
    int width = 8, bond_width = 16;
    for (int32_t i = 0; i < structure->junction_count; i++) {
        const char *bond = determining(w, i);
        int name = (int)strlen(name_of(w, HBG_OBJECT_ELEMENT, structure->place_element[i]));
        int size = bond ? (int)strlen(bond) : 0;
        if (name > width && name < 40) width = name;
        if (size > bond_width && size < 40) bond_width = size;
    }
    hbg_api_report *list = hbg_api_list(w->report, "junctions");
    hbg_api_say(list, "\n  %-*s  %-3s  %-*s  causality\n", width + 2, "junction", "", bond_width,
                "determining bond");
    for (int32_t i = 0; i < structure->junction_count; i++) {
        const char *name = name_of(w, HBG_OBJECT_ELEMENT, structure->place_element[i]);
        const char *bond = determining(w, i);
        hbg_api_report *object = hbg_api_object(list, NULL);
        const char *words = put_place(w, object, i, name, bond);
        hbg_api_say(object, "  %s %-*s  %-3s  %-*s%s%s\n", structure->is_zero[i] ? "0" : "1", width, name,
                    w->causality->on[i] ? "on" : "off", words[0] ? bond_width : 0, bond ? bond : "-",
                    words[0] ? "  " : "", words);
    }
}

/* ---- bonds, storages, loops --------------------------------------------------------------------------- */

/* Returns how many are in fixed causality. */
static int32_t put_bonds(const writer *w) {
    const hbg_causal_structure *structure = w->causality->structure;
    hbg_api_report *list = hbg_api_list(w->report, "bonds");
    int32_t count = 0;
    for (int32_t i = 0; i < w->causality->model->bonds.count; i++) {
        int32_t link = structure->bond_link[i];
        bool fixed = link != HBG_NONE && structure->link_fixed[link] != HBG_NONE;
        hbg_api_report *object = hbg_api_object(list, NULL);
        hbg_api_text(object, "name", name_of(w, HBG_OBJECT_BOND, i));
        hbg_api_text(object, "stroke", hbg_causal_stroke(w->causality->assignment, i) ? "to" : "from");
        hbg_api_flag(object, "fixed", fixed);
        count += fixed;
    }
    return count;
}

static bool is_storage(const hbg_element *element) {
    return element->kind == HBG_KIND_C || element->kind == HBG_KIND_I;
}

static void put_storages(const writer *w) {
    const hbg_model *model = w->causality->model;
    int32_t dependent = hbg_causal_derivative_count(w->causality->assignment), count = 0;
    for (int32_t i = 0; i < model->elements.count; i++)
        if (is_storage(&model->elements.items[i])) count += model->elements.items[i].ports;
    hbg_api_report *list = hbg_api_list(w->report, "dependent");
    if (dependent == 0)
        hbg_api_say(list, "\n  storages: all in integral causality\n");
    else
        hbg_api_say(list, "\n  storages: %d of %d in derivative causality\n", dependent, count);
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        for (int32_t port = 1; is_storage(element) && port <= element->ports; port++) {
            if (!hbg_causal_is_derivative(w->causality->assignment, i, port)) continue;
            const char *name = hbg_api_mode_port_text(w->session, model, i, port);
            hbg_api_text(list, NULL, name);
            hbg_api_say(list, "    %s %s is dependent\n", hbg_model_element_info_get(element->form)->text,
                        name);
        }
    }
}

static void put_loops(const writer *w) {
    const hbg_causal_loop_members *loops = &w->causality->loops;
    hbg_api_report *list = hbg_api_list(w->report, "loops");
    if (loops->loop_count == 0) hbg_api_say(list, "  algebraic loops: none\n");
    for (int32_t loop = 0, next = 0; loop < loops->loop_count; loop++) {
        hbg_api_report *object = hbg_api_object(list, NULL);
        hbg_api_report *junctions = hbg_api_list(object, "junctions");
        hbg_api_report *resistors = hbg_api_list(object, "resistors");
        hbg_buffer through, of;
        hbg_base_buffer_init(&through, &w->session->scratch);
        hbg_base_buffer_init(&of, &w->session->scratch);
        for (; next < loops->count && loops->items[next].loop == loop; next++) {
            const hbg_causal_loop_member *member = &loops->items[next];
            const char *name =
                hbg_api_mode_port_text(w->session, w->causality->model, member->element, member->port);
            hbg_buffer *words = member->port == 0 ? &through : &of;
            hbg_api_text(member->port == 0 ? junctions : resistors, NULL, name);
            put_name(words, words->size == 0, name);
        }
        hbg_api_say(object, "  algebraic loop %d: %s through %s\n", loop + 1, of.data, through.data);
    }
}

/* ---- paths -------------------------------------------------------------------------------------------- */

static void put_paths(const writer *w) {
    hbg_session *session = w->session;
    const hbg_model *model = w->causality->model;
    hbg_mode_path_list paths = hbg_api_mode_paths(session, w->causality);
    hbg_api_report *list = hbg_api_list(w->report, "paths");
    hbg_api_say(list, "\n  causal paths%s\n", paths.items.count ? "" : ": none");
    for (int32_t i = 0; i < paths.items.count; i++) {
        const hbg_mode_path *path = &paths.items.items[i];
        const char *from = hbg_api_mode_port_text(session, model, path->from, path->from_port);
        const char *to = hbg_api_mode_port_text(session, model, path->to, path->to_port);
        hbg_api_report *object = hbg_api_object(list, NULL);
        hbg_api_text(object, "from", from);
        hbg_api_text(object, "to", to);
        hbg_api_report *through = hbg_api_list(object, "through");
        hbg_api_say(through, "    %s -> %s: ", from, to);
        for (int32_t k = 0; k < path->step_count; k++) {
            const char *step =
                hbg_api_mode_step_text(session, model, paths.steps.items[path->first_step + k]);
            hbg_api_text(through, NULL, step);
            hbg_api_say(through, "%s%s", k == 0 ? "" : ", ", step);
        }
        hbg_api_say(through, "\n");
    }
    hbg_api_flag(w->report, "paths_complete", paths.complete);
    if (!paths.complete) hbg_api_say(w->report, "    … and more: too many to list\n");
}

/* ---- no causality ------------------------------------------------------------------------------------- */

const char *hbg_api_mode_conflict_words(const hbg_causal_conflict_set *conflict) {
    return conflict->count == 1 ? "the two ends of this bond contradict each other"
                                : "these bonds contradict each other";
}

void hbg_api_mode_put_conflict(hbg_api_report *report, const hbg_model *model,
                               const hbg_causal_conflict_set *conflict) {
    hbg_api_report *list = hbg_api_list(report, "conflict");
    for (int32_t i = 0; i < conflict->count; i++) {
        const char *name =
            hbg_api_text_path(report->session, model, (hbg_object){HBG_OBJECT_BOND, conflict->bonds[i]});
        hbg_api_text(list, NULL, name);
        hbg_api_say(list, "    %s\n", name);
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static void put_all(const writer *w, bool valid, bool paths) {
    put_mode(w);
    hbg_api_flag(w->report, "valid", valid);
    if (!valid) {
        hbg_api_say(w->report, "\n  no valid causal assignment; %s:\n",
                    hbg_api_mode_conflict_words(&w->causality->conflict));
        hbg_api_mode_put_conflict(w->report, w->causality->model, &w->causality->conflict);
        return;
    }
    hbg_api_mode_put_limit(w->report, w->causality->model, &w->causality->limit, "\n  the mode");
    put_places(w);
    int32_t fixed = put_bonds(w);
    put_storages(w);
    put_loops(w);
    hbg_api_say(w->report, "  bonds in fixed causality: %d of %d\n", fixed, w->causality->model->bonds.count);
    if (paths) put_paths(w);
}

static hbg_status tell(hbg_session *session, const hbg_model *model, const hbg_causality_options *options,
                       bool json, bool *valid, hbg_text *text) {
    *text = (hbg_text){0};
    *valid = false;
    HBG_ENTER(session);
    hbg_mode_causality causality;
    hbg_status status = hbg_api_mode_causality_find(
        session, model, options->mode, options->integral ? HBG_MODE_INTEGRAL : HBG_MODE_PLAIN, &causality);
    if (status != HBG_OK) return hbg_api_session_leave(session, status);
    writer w = {session, &causality, hbg_api_report_new(session)};
    *valid = hbg_causal_valid(causality.assignment);
    put_all(&w, *valid, options->paths);
    return hbg_api_session_leave(session, hbg_api_report_print(w.report, json, text));
}

hbg_status hbg_causality_text(hbg_session *session, const hbg_model *model,
                              const hbg_causality_options *options, bool *valid, hbg_text *text) {
    return tell(session, model, options, false, valid, text);
}

hbg_status hbg_causality_json(hbg_session *session, const hbg_model *model,
                              const hbg_causality_options *options, bool *valid, hbg_text *text) {
    return tell(session, model, options, true, valid, text);
}
