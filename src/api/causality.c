/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Finds the causality of a mode, and checks that the start mode has one. */
#include "api/mode_impl.h"

/* ---- finding it --------------------------------------------------------------------------------------- */

/* Where sources are in conflict, or something floats, parasites decide at some junctions. */
static bool assign(hbg_arena *arena, hbg_mode_causality *of) {
    int32_t places = of->structure->place_count;
    bool *causality = HBG_NEW_ARRAY(arena, bool, places + 1);
    for (int32_t i = 0; i < places; i++) {
        bool reversed = of->limit.reversed && of->limit.reversed[i];
        causality[i] = of->on[i] != reversed;
        hbg_causal_set_reversed(of->assignment, i, reversed);
    }
    return hbg_causal_assign(of->assignment, causality);
}

/* What prevents an assignment, if anything does. */
static bool find(hbg_arena *arena, hbg_mode_causality *result) {
    bool found = assign(arena, result);
    if (!found) result->conflict = hbg_causal_conflict(arena, result->structure, result->on);
    return found;
}

static void tell_more(hbg_arena *arena, hbg_mode_causality *result) {
    result->forced = HBG_NEW_ARRAY(arena, bool, result->structure->place_count + 1);
    hbg_causal_forced(arena, result->assignment, result->forced);
    result->loops = hbg_causal_loops_with_members(arena, result->assignment);
}

static void begin(hbg_arena *arena, hbg_mode_causality *result, const hbg_causal_structure *structure) {
    result->structure = structure;
    result->assignment = hbg_causal_assignment_new(arena, structure);
    result->on = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    hbg_causal_mode(arena, structure, result->states, result->on);
}

typedef struct {
    hbg_arena *arena;
    hbg_mode_causality *result;
    bool start; /* only reports about the start mode are needed */
} question;

static void ask(void *context, hbg_eqn *eqn) {
    question *of = context;
    hbg_mode_causality *result = of->result;
    begin(of->arena, result, hbg_eqn_exact_structure(eqn));
    result->limit = hbg_eqn_mark_mode(eqn, of->arena, result->states);
    bool found = find(of->arena, result);
    if (!found) result->limit = hbg_eqn_judge_mode(eqn, of->arena, result->states);
    if (of->start) result->shared = hbg_eqn_find_shared(eqn, of->arena);
    if (!of->start && found) tell_more(of->arena, result);
}

/* Where derivative causality is refused, nothing is a limit. */
static void find_integral(hbg_arena *arena, hbg_mode_causality *result) {
    hbg_causal_options options = {.integral = true};
    begin(arena, result, hbg_causal_structure_new(arena, result->model, &options));
    if (find(arena, result)) tell_more(arena, result);
}

hbg_status hbg_api_mode_causality_find(hbg_session *session, const hbg_model *model, const char *mode,
                                       hbg_mode_wish wish, hbg_mode_causality *result) {
    hbg_arena *arena = &session->scratch;
    *result = (hbg_mode_causality){.model = model};
    HBG_TRY(hbg_api_mode_read(session, model, mode, &result->states, NULL));
    question of = {arena, result, wish == HBG_MODE_START};
    if (wish == HBG_MODE_INTEGRAL)
        find_integral(arena, result);
    else
        hbg_eqn_ask_modes(arena, model, ask, &of);
    return HBG_OK;
}

bool hbg_api_mode_place_fixed(const hbg_mode_causality *causality, int32_t place) {
    const hbg_causal_structure *structure = causality->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
        if (structure->link_fixed[structure->place_links[i] >> 1] == HBG_NONE) return false;
    return true;
}

int32_t hbg_api_mode_place_candidates(hbg_session *session, const hbg_mode_causality *causality,
                                      int32_t place, int32_t **bonds) {
    const hbg_model *model = causality->model;
    int32_t element = causality->structure->place_element[place], count = 0;
    int32_t first = model->incidence_start[element], end = model->incidence_start[element + 1];
    *bonds = HBG_NEW_ARRAY(&session->scratch, int32_t, end - first + 1);
    for (int32_t i = first; i < end; i++)
        if (hbg_causal_can_determine(causality->structure, place, model->incidence[i]))
            (*bonds)[count++] = model->incidence[i];
    return count;
}

/* ---- the start mode ----------------------------------------------------------------------------------- */

/* "`a`, `b` and `c`", the first few elements. */
static const char *elements_text(hbg_session *session, const hbg_model *model, const int32_t *elements,
                                 int32_t count) {
    enum { MOST = 5 };
    hbg_buffer text;
    hbg_base_buffer_init(&text, &session->scratch);
    for (int32_t i = 0; i < count && i < MOST; i++)
        hbg_base_buffer_print(
            &text, "%s`%s`",
            i == 0           ? ""
            : i + 1 == count ? " and "
                             : ", ",
            hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, elements[i]}));
    if (count > MOST) hbg_base_buffer_text(&text, ", …");
    return text.data;
}

/* What is cut off floats: reported with what cuts it off. */
static void report_floating(hbg_session *session, const hbg_mode_causality *causality,
                            const hbg_causal_floating_set *set) {
    const hbg_model *model = causality->model;
    hbg_diagnostic *report = hbg_base_report(
        &session->diagnostics, HBG_E_CAUSALITY, model->elements.items[set->nodes.items[0]].id.span,
        "nothing determines the effort of %s while %s %s off: the start mode, %s, has no valid "
        "causal assignment",
        elements_text(session, model, set->nodes.items, set->nodes.count),
        elements_text(session, model, set->cuts.items, set->cuts.count), set->cuts.count == 1 ? "is" : "are",
        hbg_api_mode_text(session, model, causality->states));
    hbg_base_report_fix(
        &session->diagnostics, report,
        "give `%s` a way to the rest that is never off, such as a large resistance beside `%s`, "
        "or a small capacity",
        hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, set->nodes.items[0]}),
        hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, set->cuts.items[0]}));
}

static void report_conflict(hbg_session *session, const hbg_mode_causality *causality) {
    const hbg_model *model = causality->model;
    const hbg_causal_conflict_set *conflict = &causality->conflict;
    const char *mode = hbg_api_mode_text(session, model, causality->states);
    hbg_causal_floating_set floating = {0};
    if (hbg_causal_floating(&session->scratch, causality->structure, causality->on, conflict, &floating)) {
        report_floating(session, causality, &floating);
        return;
    }
    hbg_diagnostic *report = hbg_base_report(
        &session->diagnostics, HBG_E_CAUSALITY, model->bonds.items[conflict->bonds[0]].id.span,
        "the start mode%s%s has no valid causal assignment: %s", mode[0] ? " " : "", mode,
        conflict->count == 1
            ? "the two ends of one bond contradict each other"
            : hbg_base_arena_print(&session->scratch, "%d bonds contradict each other", conflict->count));
    for (int32_t i = 0; i < conflict->count && i < 20; i++)
        hbg_base_report_note(
            &session->diagnostics, report, model->bonds.items[conflict->bonds[i]].id.span, "bond `%s`",
            hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_BOND, conflict->bonds[i]}));
    hbg_base_report_fix(
        &session->diagnostics, report,
        "look for two sources that fight over one junction, or a junction nothing determines");
}

/* Reports sources that contradict each other though strokes can be drawn; false: no sources do. */
static bool report_fighting(hbg_session *session, const hbg_model *model,
                            const hbg_causal_structure *structure) {
    hbg_causal_conflict_set set = hbg_api_mode_fighting(&session->scratch, structure);
    if (set.count == 0) return false;
    int32_t *sources = HBG_NEW_ARRAY(&session->scratch, int32_t, set.count);
    for (int32_t i = 0; i < set.count; i++) {
        const hbg_bond *bond = &model->bonds.items[set.bonds[i]];
        sources[i] =
            model->elements.items[bond->from.element].ports > 0 ? bond->from.element : bond->to.element;
    }
    hbg_diagnostic *report = hbg_base_report(
        &session->diagnostics, HBG_E_CAUSALITY, model->elements.items[sources[0]].id.span,
        "%s contradict%s in every mode: nothing but junctions, transformers and gyrators lies between, and "
        "there is no valid "
        "causal assignment",
        elements_text(session, model, sources, set.count), set.count == 1 ? "s itself" : " each other");
    hbg_base_report_fix(
        &session->diagnostics, report,
        "add what is there in the real thing, such as the resistance of `%s`, or leave one of them out",
        hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, sources[0]}));
    return true;
}

/* A missing ground is no contradiction, so causality often does not notice it, and a run ends with a loop
 * that has no unique solution. Where causality does notice, that is the cause. Returns how many parts
 * float. */
static int32_t report_ungrounded(hbg_session *session, const hbg_model *model, bool refused) {
    hbg_causal_floating_sets sets = hbg_causal_ungrounded(&session->scratch, model);
    for (int32_t i = 0; i < sets.count; i++) {
        const hbg_causal_floating_set *set = &sets.items[i];
        const char *words = elements_text(session, model, set->nodes.items, set->nodes.count);
        hbg_diagnostic *report =
            hbg_base_report(&session->diagnostics, refused ? HBG_E_CAUSALITY : HBG_W_FLOATING,
                            model->elements.items[set->nodes.items[0]].id.span,
                            "nothing determines the effort of %s: the part floats, all of it can be raised "
                            "by the same amount%s",
                            words, refused ? ", and the start mode has no valid causal assignment" : "");
        hbg_base_report_fix(
            &session->diagnostics, report,
            "tie one of them to a reference, as `Ground` of the library or `Se ground(0)` at `%s` does",
            hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, set->nodes.items[0]}));
    }
    return sets.count;
}

hbg_status hbg_check_start_mode(hbg_session *session, const hbg_model *model) {
    HBG_ENTER(session);
    hbg_mode_causality causality;
    const char *mode = hbg_api_mode_first(session, model);
    hbg_status status = hbg_api_mode_causality_find(session, model, mode, HBG_MODE_START, &causality);
    bool refused = causality.limit.kind == HBG_EQN_MODE_NONE;
    if (status == HBG_OK && causality.conflict.count > 0 && refused) {
        if (report_ungrounded(session, model, true) == 0) report_conflict(session, &causality);
        status = HBG_BAD_MODEL;
    }
    if (status == HBG_OK && report_fighting(session, model, causality.structure)) status = HBG_BAD_MODEL;
    if (status == HBG_OK) report_ungrounded(session, model, false);
    if (status == HBG_OK) hbg_api_mode_tell_shared(session, model, &causality.shared);
    bool contested = status == HBG_OK && causality.limit.kind == HBG_EQN_MODE_CONTESTED;
    status = hbg_api_session_leave(session, status);
    return contested ? hbg_api_mode_tell_start(session, model) : status;
}
