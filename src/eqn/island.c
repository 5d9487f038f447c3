/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Islands: groups that can influence one another at an instant. Energies do not change while a mode is
 * searched for, so anything that reads only storages that never jump, inputs and time is calm; between two
 * islands everything is calm. An event in one does not concern the others (semantics, section 8, has the same
 * groups). */
#include <string.h>

#include "eqn/island_impl.h"

/* ---- islands ------------------------------------------------------------------------------------------ */

static island *island_at(island_map *map, int32_t variable, int32_t *number) {
    hbg_eqn *eqn = map->eqn;
    int32_t node = map->number[variable] - 1;
    if (node < 0 || !map->lively[node]) return NULL;
    int32_t *found = &map->island_of[hbg_eqn_island_find(map, node)];
    if (*found == HBG_NONE) {
        *found = eqn->islands.count;
        HBG_PUSH(eqn->arena, eqn->islands, (island){0});
    }
    if (number) *number = *found;
    return &eqn->islands.items[*found];
}

/* Adds the variables of a term, each once in an island, and their areas to those requested. */
static void ask_variable(island_map *map, island *of, int32_t *last, int32_t variable) {
    hbg_eqn *eqn = map->eqn;
    int32_t own = (int32_t)(of - eqn->islands.items) + 1;
    if (last[variable] == own) return;
    last[variable] = own;
    HBG_PUSH(eqn->arena, of->asked, variable);
    if (hbg_eqn_island_can_pulse(map, variable))
        ask_variable(map, of, last, variable + LAYER_AREA * eqn->base_count);
}

static void ask_term(island_map *map, island *of, int32_t *last, int32_t *listed, hbg_term term) {
    hbg_eqn *eqn = map->eqn;
    int32_t own = (int32_t)(of - eqn->islands.items) + 1;
    map->reads.count = 0;
    hbg_eqn_island_read_term(map, term);
    for (int32_t i = 0; i < map->reads.count; i++) {
        int32_t variable = map->reads.items[i];
        ask_variable(map, of, last, variable);
        if (listed[variable] == own) continue;
        listed[variable] = own;
        HBG_PUSH(eqn->arena, of->variables, variable);
    }
}

static void fill_states(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < eqn->state_count; i++) {
        eqn->island_of.state[i] = HBG_NONE;
        if (!hbg_eqn_island_state_jumps(map, i)) continue;
        island *of = island_at(map, eqn->first[VARIABLE_STATE] + i, &eqn->island_of.state[i]);
        if (of) HBG_PUSH(eqn->arena, of->states, i);
    }
    for (int32_t i = 0; i < eqn->model->automata.count; i++) {
        island *of = island_at(map, eqn->first[VARIABLE_AUTOMATON] + i, &eqn->island_of.automaton[i]);
        HBG_PUSH(eqn->arena, of->automata, i);
    }
    for (int32_t i = 0; i < eqn->model->bonds.count; i++) {
        int32_t area = LAYER_AREA * eqn->base_count + i;
        eqn->island_of.bond[i] = HBG_NONE;
        for (int kind = VARIABLE_EFFORT; kind <= VARIABLE_FLOW; kind++) {
            if (!map->pulses[eqn->first[kind] + i]) continue;
            island *of = island_at(map, eqn->first[kind] + area, &eqn->island_of.bond[i]);
            if (of) HBG_PUSH(eqn->arena, of->bonds, eqn->first[kind] + i);
        }
    }
    for (int32_t i = 0; i < eqn->instants.restitution.count; i++) {
        island *of = island_at(map, eqn->first[VARIABLE_BOUNCE] + eqn->instants.restitution.items[i], NULL);
        HBG_PUSH(eqn->arena, of->restitution, eqn->instants.restitution.items[i]);
    }
    for (int32_t i = 0; i < eqn->in.list.count; i++) {
        island *of = island_at(map, eqn->first[VARIABLE_IN] + i, NULL);
        if (of) HBG_PUSH(eqn->arena, of->ins, i); // of a group: only if it is read
    }
}

/* A line of the ledger belongs to the island of its area. */
static void fill_powers(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < eqn->outline.power_count; i++) {
        island *of = NULL;
        map->reads.count = 0;
        hbg_eqn_island_read_term(map, eqn->readouts.works[i]);
        for (int32_t k = 0; k < map->reads.count && !of; k++)
            if (map->reads.items[k] / eqn->base_count == LAYER_AREA &&
                hbg_eqn_island_can_pulse(map, map->reads.items[k] % eqn->base_count))
                of = island_at(map, map->reads.items[k], NULL);
        if (of) HBG_PUSH(eqn->arena, of->powers, i);
    }
}

/* A pre(…) of a calm value belongs to all islands that read it, or to all if none reads it at an instant. The
 * value from which der(…) jumps belongs to the island of its area, if any. */
static void fill_pres(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++) {
        bool der = eqn->model->exprs.items[eqn->pres.exprs.items[i]].op == HBG_OP_DER;
        int32_t variable = eqn->first[VARIABLE_PRE] + i;
        if (der) variable = eqn->first[VARIABLE_DER] + i + LAYER_AREA * eqn->base_count;
        island *of = island_at(map, variable, NULL);
        if (of) HBG_PUSH(eqn->arena, of->pres, i);
        for (int32_t k = 0; k < eqn->islands.count && !of && !der; k++)
            HBG_PUSH(eqn->arena, eqn->islands.items[k].pres, i);
    }
}

/* By place: the island of the first automaton that switches it. */
static int32_t *find_islands_of_places(const island_map *map) {
    const hbg_eqn *eqn = map->eqn;
    int32_t places = eqn->structure->place_count;
    int32_t *island_of = HBG_NEW_ARRAY(map->arena, int32_t, places + 1);
    for (int32_t i = 0; i < places; i++) island_of[i] = HBG_NONE;
    for (int32_t i = eqn->model->automata.count - 1; i >= 0; i--)
        for (int32_t k = 0; k < eqn->automaton_places[i].count; k++)
            island_of[eqn->automaton_places[i].items[k]] = eqn->island_of.automaton[i];
    return island_of;
}

/* By island: the places whose conflict is watched. */
static int32_map *list_watched(const island_map *map) {
    const hbg_eqn *eqn = map->eqn;
    int32_map *watched = HBG_NEW_ARRAY(map->arena, int32_map, eqn->islands.count + 1);
    const int32_t *island_of = find_islands_of_places(map);
    for (int32_t i = 0; i < eqn->relations.count; i++) {
        int32_t place = eqn->relations.items[i].place;
        if (place != HBG_NONE && island_of[place] != HBG_NONE)
            HBG_PUSH(map->arena, watched[island_of[place]], place);
    }
    return watched;
}

static void fill_asked(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    size_t variables = (size_t)eqn->base_count * LAYER_COUNT;
    int32_t *last = HBG_NEW_ARRAY(map->arena, int32_t, variables);
    int32_t *listed = HBG_NEW_ARRAY(map->arena, int32_t, variables);
    const int32_map *watched = list_watched(map);
    for (int32_t n = 0; n < eqn->islands.count; n++) {
        island *of = &eqn->islands.items[n];
        for (int32_t i = 0; i < of->states.count; i++)
            ask_variable(map, of, last, eqn->first[VARIABLE_STATE] + of->states.items[i]);
        for (int32_t i = 0; i < of->automata.count; i++) {
            const hbg_automaton *automaton = &eqn->model->automata.items[of->automata.items[i]];
            for (int32_t k = 0; k < automaton->state_count; k++) {
                const hbg_automaton_state *state = &eqn->model->states.items[automaton->first_state + k];
                for (int32_t m = 0; m < state->transition_count; m++)
                    ask_term(map, of, last, listed, eqn->guards[state->first_transition + m].condition);
            }
        }
        for (int32_t i = 0; i < of->pres.count; i++)
            ask_term(map, of, last, listed, eqn->pres.terms[of->pres.items[i]]);
        for (int32_t i = 0; i < of->powers.count; i++) {
            const pulse_source *source = &eqn->readouts.pulse_sources[of->powers.items[i]];
            if (source->own != HBG_NONE)
                ask_term(map, of, last, listed, hbg_term_variable(&eqn->terms, source->other));
        }
        for (int32_t i = 0; i < of->ins.count; i++)
            ask_term(map, of, last, listed, eqn->in.list.items[of->ins.items[i]].term);
        for (int32_t i = 0; i < of->restitution.count; i++) {
            int32_t junction = of->restitution.items[i];
            map->reads.count = 0;
            hbg_eqn_island_read_bounce(map, junction);
            int32_t *items = HBG_NEW_ARRAY(map->arena, int32_t, map->reads.count + 1),
                    count = map->reads.count;
            if (count > 0) memcpy(items, map->reads.items, (size_t)count * sizeof *items);
            for (int32_t k = 0; k < count; k++)
                ask_term(map, of, last, listed, hbg_term_variable(&eqn->terms, items[k]));
        }
        for (int32_t i = 0; i < of->bonds.count; i++)
            ask_variable(map, of, last, of->bonds.items[i] + LAYER_AREA * eqn->base_count);
        for (int32_t i = 0; i < watched[n].count; i++)
            ask_variable(map, of, last, eqn->first[VARIABLE_CONFLICT] + watched[n].items[i]);
    }
}

static void fill_facts(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < map->nodes.count; i++) {
        int32_t found = map->lively[i] ? map->island_of[hbg_eqn_island_find(map, i)] : HBG_NONE;
        if (found != HBG_NONE)
            hbg_eqn_add_facts(eqn, eqn->arena, map->nodes.items[i], &eqn->islands.items[found].facts);
    }
    for (int32_t n = 0; n < eqn->islands.count; n++)
        hbg_eqn_close_facts(eqn, eqn->arena, &eqn->islands.items[n].facts);
    eqn->island_of.relation = HBG_NEW_ARRAY(eqn->arena, int32_map, eqn->relations.count + 1);
    for (int32_t i = 0; i < eqn->model->transitions.count; i++)
        for (int32_t k = 0; k < eqn->guards[i].relation_count; k++) {
            int32_map *of = &eqn->island_of.relation[eqn->guards[i].relations[k]];
            int32_t own = eqn->island_of.automaton[eqn->guards[i].automaton];
            bool there = false;
            for (int32_t m = 0; m < of->count; m++) there |= of->items[m] == own;
            if (there) continue;
            HBG_PUSH(eqn->arena, *of, own);
            HBG_PUSH(eqn->arena, eqn->islands.items[own].relations, eqn->guards[i].relations[k]);
        }
    const int32_t *island_of = find_islands_of_places(map);
    for (int32_t i = 0; i < eqn->relations.count; i++) {
        int32_t place = eqn->relations.items[i].place, own = place == HBG_NONE ? HBG_NONE : island_of[place];
        if (own == HBG_NONE) continue;
        HBG_PUSH(eqn->arena, eqn->island_of.relation[i], own);
        HBG_PUSH(eqn->arena, eqn->islands.items[own].relations, i);
    }
}

void hbg_eqn_island_fill_all(island_map *map) {
    hbg_eqn_island_join_all(map);
    map->island_of = HBG_NEW_ARRAY(map->arena, int32_t, map->nodes.count + 1);
    for (int32_t i = 0; i < map->nodes.count; i++) map->island_of[i] = HBG_NONE;
    fill_states(map);
    fill_powers(map);
    fill_pres(map);
    fill_asked(map);
    fill_facts(map);
}

void hbg_eqn_island_make_room(hbg_eqn *eqn) {
    eqn->island_of.automaton = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->model->automata.count + 1);
    eqn->island_of.state = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->state_count + 1);
    eqn->island_of.bond = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->model->bonds.count + 1);
}

void hbg_eqn_make_islands(hbg_eqn *eqn, const hbg_causal_assignment *assignment) {
    eqn->has_islands = true;
    island_map map = {.eqn = eqn, .arena = &eqn->scratch};
    eqn->islands.count = 0;
    hbg_eqn_island_make_room(eqn);
    hbg_eqn_island_draw_map(&map, assignment);
    hbg_eqn_island_fill_all(&map);
    hbg_eqn_equations_end(&map.all);
    hbg_eqn_make_throws(eqn, assignment);
    eqn->island_of.leader = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->model->automata.count + 1);
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        eqn->island_of.leader[i] = eqn->islands.items[eqn->island_of.automaton[i]].automata.items[0];
}
