/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names in the log and the story are those of the model. The system names bonds, and relations by them; a
 * user who wrote `j.f < hold` expects to read that, and for a pulse the element that takes it. */
#include <string.h>

#include "api/run_events_impl.h"

/* ---- bonds -------------------------------------------------------------------------------------------- */

static const hbg_element *element_at(const hbg_model *model, const hbg_bond_end *end) {
    return &model->elements.items[end->element];
}

/* Storages first, then other one-ports: 0 to 3. */
static int32_t rank_of(const hbg_model *model, const hbg_bond *bond, const hbg_bond_end **named) {
    const hbg_bond_end *ends[] = {&bond->from, &bond->to};
    int32_t rank = bond->id.name != 0 ? 2 : 3;
    *named = NULL;
    for (int i = 0; i < 2; i++) {
        hbg_element_kind kind = element_at(model, ends[i])->kind;
        bool storage = kind == HBG_KIND_C || kind == HBG_KIND_I;
        bool one_port = hbg_model_element_info_get(kind)->ports == 1;
        int32_t own = storage ? 0 : one_port && bond->id.name == 0 ? 1 : 3;
        if (own >= rank) continue;
        rank = own;
        *named = ends[i];
    }
    return rank;
}

/* Variables of an element are positive into storages and resistors and out of sources; a bond drawn in
 * reverse has the negative of what its junction sums. */
static double sign_of(const hbg_model *model, const hbg_bond *bond, const hbg_bond_end *end, int side) {
    hbg_element_kind kind = element_at(model, end)->kind;
    bool usual = (end == &bond->to) == (kind != HBG_KIND_SE && kind != HBG_KIND_SF);
    bool summed_is_effort =
        element_at(model, end == &bond->to ? &bond->from : &bond->to)->kind == HBG_KIND_ONE;
    return usual || summed_is_effort == (side == 1) ? 1 : -1;
}

static void name_bonds(hbg_session *session, hbg_run_events *events) {
    hbg_arena *arena = &session->scratch;
    const hbg_model *model = events->state->model;
    int32_t count = events->state->system->bond_count;
    events->bonds = HBG_NEW_ARRAY(arena, hbg_run_bond, count + 1);
    for (int32_t i = 0; i < count; i++) {
        const hbg_bond *bond = &model->bonds.items[i];
        const hbg_bond_end *end;
        hbg_run_bond *of = &events->bonds[i];
        *of = (hbg_run_bond){events->state->system->bonds[i].name, rank_of(model, bond, &end), {1, 1}};
        if (!end) continue;
        hbg_buffer name;
        hbg_base_buffer_init(&name, arena);
        hbg_model_path(model, (hbg_object){HBG_OBJECT_ELEMENT, end->element}, &name);
        if (element_at(model, end)->ports > 1) hbg_base_buffer_print(&name, "[%d]", (int)end->port);
        of->name = name.data;
        for (int side = 0; side < 2; side++) of->sign[side] = sign_of(model, bond, end, side);
    }
}

double hbg_api_run_event_area(const hbg_run_events *events, const hbg_sim_visit *visit, int side,
                              int32_t bond) {
    return events->bonds[bond].sign[side] * (side ? visit->flow[bond] : visit->effort[bond]);
}

/* ---- relations ---------------------------------------------------------------------------------------- */

/* Relations of a system, from a place in the list on. */
static void name_relations(hbg_session *session, hbg_run_events *events, int32_t first, hbg_code *code) {
    const hbg_rt_description *system = hbg_code_system(code);
    hbg_rt_provider words = hbg_code_provider(code);
    char text[HBG_RT_WORD_SIZE];
    for (int32_t i = system->guard_first; i < system->root_count; i++) {
        words.tell(words.context, HBG_RT_WORD_WRITTEN, i, text, sizeof text);
        if (text[0])
            events->relations[first + i] = hbg_base_arena_copy(&session->scratch, text, strlen(text));
    }
}

void hbg_api_run_events_prepare_names(hbg_session *session, hbg_run_events *events) {
    const hbg_run_state *state = events->state;
    int32_t count = state->system->root_count;
    const hbg_run_part *last = state->apart ? &state->parts[state->part_count - 1] : NULL;
    if (last) count = last->root_first + last->system->root_count;
    name_bonds(session, events);
    events->relations = HBG_NEW_ARRAY(&session->scratch, const char *, count + 1);
    if (!last) name_relations(session, events, 0, state->code);
    for (int32_t i = 0; last && i < state->part_count; i++)
        name_relations(session, events, state->parts[i].root_first, state->parts[i].code);
}

/* The only automaton that the instant moved first, or HBG_NONE. */
static int32_t first_to_move(const hbg_run_events *events, const hbg_sim_event *event) {
    int32_t found = HBG_NONE;
    for (int32_t i = 0; event->visit_count > 0 && i < events->state->system->automaton_count; i++) {
        if (event->visits[0].before[i] == event->visits[0].states[i]) continue;
        if (found != HBG_NONE) return HBG_NONE;
        found = i;
    }
    return found;
}

void hbg_api_run_event_relation(const hbg_run_events *events, hbg_buffer *out, const hbg_sim_event *event,
                                int32_t root) {
    char name[200];
    const hbg_run_state *state = events->state;
    int32_t own = event->roots[root];
    if (events->relations[own]) {
        hbg_base_buffer_text(out, events->relations[own]);
        return;
    }
    const hbg_run_part *part = state->apart ? hbg_api_run_part_of_root(state, &own) : NULL;
    const hbg_rt_description *system = part ? part->system : state->system;
    hbg_rt_indicator_name(part ? part->instance : state->instance, own, name, sizeof name);
    int32_t automaton = first_to_move(events, event);
    if (automaton == HBG_NONE || event->root_count > 1 || own < system->guard_first)
        hbg_base_buffer_text(out, name);
    else // signals have been substituted in it: the guard shows what was meant
        hbg_api_run_event_guard(events, out, automaton, event->visits[0].before[automaton],
                                event->visits[0].states[automaton]);
}
