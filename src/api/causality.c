/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality of a mode for people: determining bonds, dependent storages, loops, and what holds in every mode.
 */
#include "api/mode_impl.h"

#include <string.h>

/* ---- finding it --------------------------------------------------------------------------------------- */

hbg_status hbg_mode_causality_find(hbg_session *session, const hbg_model *model, const char *mode,
                                   bool integral, hbg_mode_causality *result) {
    hbg_arena *arena = &session->scratch;
    *result = (hbg_mode_causality){.model = model};
    HBG_TRY(hbg_mode_read(session, model, mode, &result->states));
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
    result->loop = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    result->loop_count = hbg_causal_loops(arena, result->assignment, result->loop);
    return HBG_OK;
}

bool hbg_mode_place_fixed(const hbg_mode_causality *causality, int32_t place) {
    const hbg_causal_structure *structure = causality->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
        if (structure->link_fixed[structure->place_links[i] >> 1] == HBG_NONE) return false;
    return true;
}

const char *hbg_mode_place_words(hbg_session *session, const hbg_mode_causality *causality, int32_t place) {
    hbg_buffer words;
    hbg_buffer_init(&words, &session->scratch);
    const struct {
        bool holds;
        const char *word;
    } all[] = {
        {hbg_mode_place_fixed(causality, place), "fixed"},
        {causality->structure->place_constrained[place], "constrained"},
        {causality->on[place] && causality->forced[place], "forced"},
        {causality->structure->place_never_reassigns[place], "switches without reassignment"},
        {hbg_causal_is_floating(causality->assignment, place), "floating: reads 0"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].holds) hbg_buffer_print(&words, "%s%s", words.size ? ", " : "", all[i].word);
    return words.data;
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

static const char *determining(causality_writer *writer, int32_t place) {
    int32_t bond = hbg_causal_determining_bond(writer->causality->assignment, place);
    return bond == HBG_NONE ? "-" : name_of(writer, HBG_OBJECT_BOND, bond);
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
    for (int32_t i = 0; i < structure->place_count; i++)
        hbg_buffer_print(&writer->out, "  %s %-*s  %-3s  %-*s  %s\n", structure->is_zero[i] ? "0" : "1",
                         width, name_of(writer, HBG_OBJECT_ELEMENT, structure->place_element[i]),
                         writer->causality->on[i] ? "on" : "off", bond_width, determining(writer, i),
                         hbg_mode_place_words(writer->session, writer->causality, i));
}

static void put_storages(causality_writer *writer) {
    const hbg_model *model = writer->causality->model;
    int32_t dependent = hbg_causal_derivative_count(writer->causality->assignment);
    hbg_buffer_print(&writer->out, "\n  storages: %s\n", dependent ? "" : "all in integral causality");
    for (int32_t i = 0; i < model->elements.count && dependent > 0; i++) {
        const hbg_element *element = &model->elements.items[i];
        bool storage = element->kind == HBG_KIND_C || element->kind == HBG_KIND_I;
        for (int32_t port = 1; storage && port <= element->ports; port++) {
            if (!hbg_causal_is_derivative(writer->causality->assignment, i, port)) continue;
            hbg_buffer_print(&writer->out, "    %s %s is dependent (derivative causality)\n",
                             hbg_element_info_get(element->kind)->text,
                             name_of(writer, HBG_OBJECT_ELEMENT, i));
        }
    }
}

static void put_loops(causality_writer *writer) {
    const hbg_mode_causality *causality = writer->causality;
    if (causality->loop_count == 0) hbg_buffer_text(&writer->out, "  algebraic loops: none\n");
    for (int32_t loop = 0; loop < causality->loop_count; loop++) {
        hbg_buffer_print(&writer->out, "  algebraic loop %d: through", loop + 1);
        for (int32_t i = 0; i < causality->structure->place_count; i++)
            if (causality->loop[i] == loop)
                hbg_buffer_print(&writer->out, " %s",
                                 name_of(writer, HBG_OBJECT_ELEMENT, causality->structure->place_element[i]));
        hbg_buffer_char(&writer->out, '\n');
    }
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
    hbg_buffer_text(&writer->out, "\n  no valid causal assignment; these bonds contradict each other:\n");
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
    } else {
        put_conflict(&writer);
    }
    return hbg_session_leave(session, hbg_text_of(session, writer.out.data, writer.out.size, text));
}

/* ---- the start mode ----------------------------------------------------------------------------------- */

hbg_status hbg_check_start_mode(hbg_session *session, const hbg_model *model) {
    HBG_ENTER(session);
    hbg_mode_causality causality;
    hbg_status status = hbg_mode_causality_find(session, model, NULL, false, &causality);
    if (status == HBG_OK && causality.conflict.count > 0) {
        const hbg_bond *first = &model->bonds.items[causality.conflict.bonds[0]];
        const char *mode = hbg_mode_text(session, model, causality.states);
        hbg_diagnostic *report =
            hbg_report(&session->diagnostics, HBG_E_CAUSALITY, first->id.span,
                       "the start mode%s%s has no valid causal assignment: %d bonds contradict each other",
                       mode[0] ? " " : "", mode, causality.conflict.count);
        for (int32_t i = 0; i < causality.conflict.count && i < 20; i++) {
            const hbg_bond *bond = &model->bonds.items[causality.conflict.bonds[i]];
            hbg_report_note(
                &session->diagnostics, report, bond->id.span, "bond `%s`",
                hbg_text_path(session, model, (hbg_object){HBG_OBJECT_BOND, causality.conflict.bonds[i]}));
        }
        hbg_report_fix(&session->diagnostics, report,
                       "look for two sources that fight over one junction, or a junction nothing determines");
        status = HBG_BAD_MODEL;
    }
    return hbg_session_leave(session, status);
}
