/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality of a mode for people: determining bonds, dependent storages, loops, and what holds in every mode.
 */
#include "api/mode_impl.h"

#include <string.h>

#define MOST_CANDIDATES 8 /* bonds named at a junction in constrained causality */

/* ---- finding it --------------------------------------------------------------------------------------- */

hbg_status hbg_mode_causality_find(hbg_session *session, const hbg_model *model, const char *mode,
                                   bool integral, hbg_mode_causality *result) {
    hbg_arena *arena = &session->scratch;
    *result = (hbg_mode_causality){.model = model};
    HBG_TRY(hbg_mode_read(session, model, mode, &result->states, NULL));
    hbg_causal_options options = {.integral = integral};
    result->structure = hbg_causal_structure_new(arena, model, &options);
    result->assignment = hbg_causal_assignment_new(arena, result->structure);
    int32_t places = result->structure->place_count;
    result->on = HBG_NEW_ARRAY(arena, bool, places + 1);
    hbg_causal_mode(arena, result->structure, result->states, result->on);
    if (!hbg_causal_assign(result->assignment, result->on)) {
        result->conflict = hbg_causal_conflict(arena, result->structure, result->on);
        return HBG_OK;
    }
    result->forced = HBG_NEW_ARRAY(arena, bool, places + 1);
    hbg_causal_forced(arena, result->assignment, result->forced);
    result->loops = hbg_causal_loops_with_members(arena, result->assignment);
    return HBG_OK;
}

bool hbg_mode_place_fixed(const hbg_mode_causality *causality, int32_t place) {
    const hbg_causal_structure *structure = causality->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
        if (structure->link_fixed[structure->place_links[i] >> 1] == HBG_NONE) return false;
    return true;
}

int32_t hbg_mode_place_candidates(hbg_session *session, const hbg_mode_causality *causality, int32_t place,
                                  int32_t **bonds) {
    const hbg_model *model = causality->model;
    int32_t element = causality->structure->place_element[place], count = 0;
    int32_t first = model->incidence_start[element], end = model->incidence_start[element + 1];
    *bonds = HBG_NEW_ARRAY(&session->scratch, int32_t, end - first + 1);
    for (int32_t i = first; i < end; i++)
        if (hbg_causal_can_determine(causality->structure, place, model->incidence[i]))
            (*bonds)[count++] = model->incidence[i];
    return count;
}

/* ---- text --------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_session *session;
    const hbg_mode_causality *causality;
    hbg_buffer out;
} causality_writer;

static const char *name_of(causality_writer *writer, hbg_object_kind kind, int32_t index) {
    return hbg_text_path(writer->session, writer->causality->model, (hbg_object){kind, index});
}

/* Adds a name to a list of them: `a, b, c`. */
static void put_name(hbg_buffer *out, bool first, const char *name) {
    hbg_buffer_print(out, "%s%s", first ? "" : ", ", name);
}

static const char *determining(causality_writer *writer, int32_t place) {
    int32_t bond = hbg_causal_determining_bond(writer->causality->assignment, place);
    return bond == HBG_NONE ? "-" : name_of(writer, HBG_OBJECT_BOND, bond);
}

/* "constrained to b4, b5, b7": the determining bonds the junction can ever take. */
static const char *constrained_words(causality_writer *writer, int32_t place) {
    hbg_buffer words;
    hbg_buffer_init(&words, &writer->session->scratch);
    int32_t *bonds, count = hbg_mode_place_candidates(writer->session, writer->causality, place, &bonds);
    hbg_buffer_text(&words, "constrained to ");
    for (int32_t i = 0; i < count && i < MOST_CANDIDATES; i++)
        put_name(&words, i == 0, name_of(writer, HBG_OBJECT_BOND, bonds[i]));
    if (count > MOST_CANDIDATES) hbg_buffer_print(&words, " and %d more", count - MOST_CANDIDATES);
    return words.data;
}

static const char *place_words(causality_writer *writer, int32_t place) {
    const hbg_mode_causality *causality = writer->causality;
    const hbg_causal_structure *structure = causality->structure;
    hbg_buffer words;
    hbg_buffer_init(&words, &writer->session->scratch);
    bool constrained = structure->place_constrained[place];
    const struct {
        bool holds;
        const char *word;
    } all[] = {
        {hbg_mode_place_fixed(causality, place), "fixed"},
        {constrained, constrained ? constrained_words(writer, place) : ""},
        {causality->on[place] && causality->forced[place], "forced"},
        {structure->place_never_reassigns[place], "switches without reassignment"},
        {hbg_causal_is_floating(causality->assignment, place), "floating: reads 0"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].holds) hbg_buffer_print(&words, "%s%s", words.size ? "; " : "", all[i].word);
    return words.data;
}

static void put_places(causality_writer *writer) {
    const hbg_causal_structure *structure = writer->causality->structure;
    int width = 8, bond_width = 16;
    for (int32_t i = 0; i < structure->place_count; i++) {
        int name = (int)strlen(name_of(writer, HBG_OBJECT_ELEMENT, structure->place_element[i]));
        int bond = (int)strlen(determining(writer, i));
        if (name > width && name < 40) width = name;
        if (bond > bond_width && bond < 40) bond_width = bond;
    }
    hbg_buffer_print(&writer->out, "\n  %-*s  %-3s  %-*s  causality\n", width + 2, "junction", "", bond_width,
                     "determining bond");
    for (int32_t i = 0; i < structure->place_count; i++) {
        const char *words = place_words(writer, i);
        hbg_buffer_print(&writer->out, "  %s %-*s  %-3s  %-*s%s%s\n", structure->is_zero[i] ? "0" : "1",
                         width, name_of(writer, HBG_OBJECT_ELEMENT, structure->place_element[i]),
                         writer->causality->on[i] ? "on" : "off", words[0] ? bond_width : 0,
                         determining(writer, i), words[0] ? "  " : "", words);
    }
}

static int32_t count_storages(const hbg_model *model) {
    int32_t count = 0;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        if (element->kind == HBG_KIND_C || element->kind == HBG_KIND_I) count += element->ports;
    }
    return count;
}

static void put_storages(causality_writer *writer) {
    const hbg_model *model = writer->causality->model;
    int32_t dependent = hbg_causal_derivative_count(writer->causality->assignment);
    if (dependent == 0) {
        hbg_buffer_text(&writer->out, "\n  storages: all in integral causality\n");
        return;
    }
    hbg_buffer_print(&writer->out, "\n  storages: %d of %d in derivative causality\n", dependent,
                     count_storages(model));
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        bool storage = element->kind == HBG_KIND_C || element->kind == HBG_KIND_I;
        for (int32_t port = 1; storage && port <= element->ports; port++) {
            if (!hbg_causal_is_derivative(writer->causality->assignment, i, port)) continue;
            hbg_buffer_print(&writer->out, "    %s %s is dependent\n",
                             hbg_element_info_get(element->kind)->text,
                             hbg_mode_port_text(writer->session, model, i, port));
        }
    }
}

/* Of the members of a loop, from one on, those that are junctions, or those that are not; where the next loop
 * begins. */
static int32_t put_members(causality_writer *writer, int32_t first, bool junctions) {
    const hbg_causal_loop_members *loops = &writer->causality->loops;
    int32_t i = first, count = 0;
    for (; i < loops->count && loops->items[i].loop == loops->items[first].loop; i++) {
        const hbg_causal_loop_member *member = &loops->items[i];
        if ((member->port == 0) != junctions) continue;
        const char *name =
            hbg_mode_port_text(writer->session, writer->causality->model, member->element, member->port);
        put_name(&writer->out, count++ == 0, name);
    }
    return i;
}

static void put_loops(causality_writer *writer) {
    const hbg_causal_loop_members *loops = &writer->causality->loops;
    if (loops->loop_count == 0) hbg_buffer_text(&writer->out, "  algebraic loops: none\n");
    for (int32_t at = 0; at < loops->count;) {
        hbg_buffer_print(&writer->out, "  algebraic loop %d: ", loops->items[at].loop + 1);
        put_members(writer, at, false);
        hbg_buffer_text(&writer->out, " through ");
        at = put_members(writer, at, true);
        hbg_buffer_char(&writer->out, '\n');
    }
}

static void put_paths(causality_writer *writer) {
    hbg_session *session = writer->session;
    const hbg_model *model = writer->causality->model;
    hbg_mode_path_list list = hbg_mode_paths(session, writer->causality);
    hbg_buffer_print(&writer->out, "\n  causal paths%s\n", list.items.count ? "" : ": none");
    for (int32_t i = 0; i < list.items.count; i++) {
        const hbg_mode_path *path = &list.items.items[i];
        hbg_buffer_print(&writer->out, "    %s -> ",
                         hbg_mode_port_text(session, model, path->from, path->from_port));
        hbg_buffer_print(&writer->out, "%s: ", hbg_mode_port_text(session, model, path->to, path->to_port));
        for (int32_t k = 0; k < path->step_count; k++)
            put_name(&writer->out, k == 0,
                     hbg_mode_step_text(session, model, list.steps.items[path->first_step + k]));
        hbg_buffer_char(&writer->out, '\n');
    }
    if (!list.complete) hbg_buffer_text(&writer->out, "    … and more: too many to list\n");
}

static void put_fixed(causality_writer *writer) {
    const hbg_causal_structure *structure = writer->causality->structure;
    int32_t fixed = 0, bonds = writer->causality->model->bonds.count;
    for (int32_t i = 0; i < bonds; i++) {
        int32_t link = structure->bond_link[i];
        fixed += link != HBG_NONE && structure->link_fixed[link] != HBG_NONE;
    }
    hbg_buffer_print(&writer->out, "  bonds in fixed causality: %d of %d\n", fixed, bonds);
}

static void put_conflict(causality_writer *writer) {
    const hbg_causal_conflict_set *conflict = &writer->causality->conflict;
    hbg_buffer_print(&writer->out, "\n  no valid causal assignment; %s:\n",
                     conflict->count == 1 ? "the two ends of this bond contradict each other"
                                          : "these bonds contradict each other");
    for (int32_t i = 0; i < conflict->count; i++)
        hbg_buffer_print(&writer->out, "    %s\n", name_of(writer, HBG_OBJECT_BOND, conflict->bonds[i]));
}

hbg_status hbg_causality_text(hbg_session *session, const hbg_model *model,
                              const hbg_causality_options *options, bool *valid, hbg_text *text) {
    *text = (hbg_text){0};
    *valid = false;
    HBG_ENTER(session);
    hbg_mode_causality causality;
    hbg_status status = hbg_mode_causality_find(session, model, options->mode, options->integral, &causality);
    if (status != HBG_OK) return hbg_session_leave(session, status);
    causality_writer writer = {.session = session, .causality = &causality};
    hbg_buffer_init(&writer.out, &session->scratch);
    hbg_buffer_print(&writer.out, "%s%s%s\n", hbg_model_title(model),
                     model->automata.count ? " in mode " : "",
                     hbg_mode_text(session, model, causality.states));
    *valid = hbg_causal_valid(causality.assignment);
    if (*valid) {
        put_places(&writer);
        put_storages(&writer);
        put_loops(&writer);
        put_fixed(&writer);
        if (options->paths) put_paths(&writer);
    } else {
        put_conflict(&writer);
    }
    return hbg_session_leave(session, hbg_text_of(session, writer.out.data, writer.out.size, text));
}

/* ---- the start mode ----------------------------------------------------------------------------------- */

/* "`a`, `b` and `c`", the first few. */
static const char *junctions_text(hbg_session *session, const hbg_model *model, const int32_t *junctions,
                                  int32_t count) {
    enum { MOST = 5 };
    hbg_buffer text;
    hbg_buffer_init(&text, &session->scratch);
    for (int32_t i = 0; i < count && i < MOST; i++)
        hbg_buffer_print(&text, "%s`%s`",
                         i == 0           ? ""
                         : i + 1 == count ? " and "
                                          : ", ",
                         hbg_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, junctions[i]}));
    if (count > MOST) hbg_buffer_text(&text, ", …");
    return text.data;
}

/* What is cut off floats: told with what cuts it off. */
static void report_floating(hbg_session *session, const hbg_mode_causality *causality,
                            const hbg_causal_floating_set *set) {
    const hbg_model *model = causality->model;
    hbg_diagnostic *report =
        hbg_report(&session->diagnostics, HBG_E_CAUSALITY, model->elements.items[set->nodes.items[0]].id.span,
                   "nothing determines the effort of %s while %s %s off: the start mode, %s, has no valid "
                   "causal assignment",
                   junctions_text(session, model, set->nodes.items, set->nodes.count),
                   junctions_text(session, model, set->cuts.items, set->cuts.count),
                   set->cuts.count == 1 ? "is" : "are", hbg_mode_text(session, model, causality->states));
    hbg_report_fix(&session->diagnostics, report,
                   "give `%s` a way to the rest that is never off, such as a large resistance beside `%s`, "
                   "or a small capacity",
                   hbg_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, set->nodes.items[0]}),
                   hbg_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, set->cuts.items[0]}));
}

static void report_conflict(hbg_session *session, const hbg_mode_causality *causality) {
    const hbg_model *model = causality->model;
    const hbg_causal_conflict_set *conflict = &causality->conflict;
    const char *mode = hbg_mode_text(session, model, causality->states);
    hbg_causal_floating_set floating = {0};
    if (hbg_causal_floating(&session->scratch, causality->structure, causality->on, conflict, &floating)) {
        report_floating(session, causality, &floating);
        return;
    }
    hbg_diagnostic *report =
        hbg_report(&session->diagnostics, HBG_E_CAUSALITY, model->bonds.items[conflict->bonds[0]].id.span,
                   "the start mode%s%s has no valid causal assignment: %s", mode[0] ? " " : "", mode,
                   conflict->count == 1 ? "the two ends of one bond contradict each other"
                                        : hbg_arena_print(&session->scratch, "%d bonds contradict each other",
                                                          conflict->count));
    for (int32_t i = 0; i < conflict->count && i < 20; i++)
        hbg_report_note(&session->diagnostics, report, model->bonds.items[conflict->bonds[i]].id.span,
                        "bond `%s`",
                        hbg_text_path(session, model, (hbg_object){HBG_OBJECT_BOND, conflict->bonds[i]}));
    hbg_report_fix(&session->diagnostics, report,
                   "look for two sources that fight over one junction, or a junction nothing determines");
}

hbg_status hbg_check_start_mode(hbg_session *session, const hbg_model *model) {
    HBG_ENTER(session);
    hbg_mode_causality causality;
    hbg_status status = hbg_mode_causality_find(session, model, NULL, false, &causality);
    if (status == HBG_OK && causality.conflict.count > 0) {
        report_conflict(session, &causality);
        status = HBG_BAD_MODEL;
    }
    return hbg_session_leave(session, status);
}
