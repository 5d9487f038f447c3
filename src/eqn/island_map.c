/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The map from which islands are made: which variables may pulse in some mode, what each reads at an instant,
 * which of them are lively, and which lively ones belong together. */
#include <string.h>

#include "eqn/island_impl.h"

/* ---- what may pulse ----------------------------------------------------------------------------------- */

/* Finds the variables that may pulse. Pulses come from the rates of dependent storages and from der(…), and
 * spread to equations that read them. */
static void find_pulses(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    sorted_equations sorted;
    int32_map targets = {0};
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++) {
        if (eqn->pres.der_terms[i] == HBG_NONE) continue;
        map->pulses[eqn->first[VARIABLE_DER] + i] = true;
        HBG_PUSH(map->arena, targets, eqn->first[VARIABLE_DER] + i);
    }
    if (eqn->dependents.count == 0 && targets.count == 0) return;
    for (int32_t i = 0; i < eqn->first[VARIABLE_SIGNAL + 1]; i++) HBG_PUSH(map->arena, targets, i);
    hbg_eqn_equations_sort(&map->all, targets.items, targets.count, NULL, &sorted);
    for (int32_t i = 0; i < sorted.variable_count;) {
        int32_t component = sorted.component[i], end = i;
        bool pulse = false;
        for (; end < sorted.variable_count && sorted.component[end] == component; end++) {
            if (sorted.variables[end] >= eqn->base_count) continue;
            for (int32_t k = sorted.start[end]; k < sorted.start[end + 1]; k++) {
                int32_t read = sorted.variables[sorted.heads[k]];
                pulse |= read >= eqn->base_count || map->pulses[read];
            }
        }
        for (; i < end; i++)
            if (pulse && sorted.variables[i] < eqn->base_count &&
                hbg_eqn_kind_of(eqn, sorted.variables[i]) != VARIABLE_STATE)
                map->pulses[sorted.variables[i]] = true;
    }
}

/* ---- what is read at an instant ------------------------------------------------------------------------ */

static void read_variable(island_map *map, int32_t variable) {
    HBG_PUSH(map->arena, map->reads, variable);
}

void hbg_eqn_island_read_term(island_map *map, hbg_term term) {
    hbg_terms *terms = &map->eqn->terms;
    if (term == HBG_NONE) return;
    hbg_term_walk_variables(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++)
        read_variable(map, terms->nodes.items[terms->walk.items[i]].a);
}

bool hbg_eqn_island_can_pulse(const island_map *map, int32_t variable) {
    return variable < map->eqn->base_count && map->pulses[variable];
}

/* Adds variables read by a term, and their pulses. */
void hbg_eqn_island_look_at_term(island_map *map, hbg_term term) {
    int32_t from = map->reads.count;
    hbg_eqn_island_read_term(map, term);
    for (int32_t i = from, count = map->reads.count; i < count; i++)
        if (hbg_eqn_island_can_pulse(map, map->reads.items[i]))
            read_variable(map, map->reads.items[i] + LAYER_AREA * map->eqn->base_count);
}

/* Whether a state may jump. Reads its value before and what pulses into it, or what it depends on. */
bool hbg_eqn_island_state_jumps(island_map *map, int32_t state) {
    if (map->eqn->varies.may_dependent[state]) return true;
    map->reads.count = 0;
    hbg_eqn_island_read_term(map, hbg_eqn_equations_rate_term(&map->all, state));
    for (int32_t i = 0; i < map->reads.count; i++)
        if (hbg_eqn_island_can_pulse(map, map->reads.items[i])) return true;
    return false;
}

static void read_state(island_map *map, int32_t state) {
    hbg_eqn *eqn = map->eqn;
    int32_t from = map->reads.count, kept = from;
    if (eqn->varies.may_integral[state])
        hbg_eqn_island_read_term(map, hbg_eqn_equations_rate_term(&map->all, state));
    for (int32_t i = from; i < map->reads.count; i++)
        if (hbg_eqn_island_can_pulse(map, map->reads.items[i]))
            map->reads.items[kept++] = map->reads.items[i] + LAYER_AREA * eqn->base_count;
    map->reads.count = kept;
    if (eqn->varies.may_dependent[state])
        hbg_eqn_island_read_term(
            map, hbg_eqn_storage_state(eqn, eqn->states[state].element, eqn->states[state].port).term);
}

static void read_area(island_map *map, int32_t variable) {
    hbg_eqn *eqn = map->eqn;
    int32_t from = map->reads.count;
    hbg_eqn_equations_reads(&map->all, variable, &map->reads);
    for (int32_t i = from, count = map->reads.count; i < count; i++) {
        int32_t read = map->reads.items[i];
        if (hbg_eqn_island_can_pulse(map, read)) read_variable(map, read + LAYER_AREA * eqn->base_count);
        if (read >= eqn->base_count && hbg_eqn_kind_of(eqn, read) == VARIABLE_STATE)
            read_variable(map, read % eqn->base_count); // a rate has the area of its jump
    }
}

void hbg_eqn_island_read_bounce(island_map *map, int32_t junction) {
    const hbg_model *model = map->eqn->model;
    const hbg_element *element = &model->elements.items[junction];
    variable_kind summed = element->kind == HBG_KIND_ZERO ? VARIABLE_FLOW : VARIABLE_EFFORT;
    if (element->ports != 0 || element->restitution == HBG_NONE) return;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++)
        read_variable(map, map->eqn->first[summed] + model->incidence[k]);
    hbg_eqn_island_read_term(map, map->eqn->expr_term[element->restitution]);
}

static void read_for(island_map *map, int32_t variable) {
    hbg_eqn *eqn = map->eqn;
    int32_t base = variable % eqn->base_count, layer = variable / eqn->base_count;
    variable_kind kind = hbg_eqn_kind_of(eqn, base);
    int32_t index = base - eqn->first[kind];
    switch (kind) {
    case VARIABLE_PRE: hbg_eqn_island_look_at_term(map, eqn->pres.terms[index]); return;
    case VARIABLE_IN:
        if (index >= eqn->in.list.count) return;
        if (layer != LAYER_VALUE) { // its pulse is found with its value
            read_variable(map, base);
            return;
        }
        hbg_eqn_island_look_at_term(map, eqn->in.list.items[index].term);
        read_variable(map, eqn->first[VARIABLE_AUTOMATON] + eqn->in.list.items[index].automaton);
        return;
    case VARIABLE_BOUNCE: hbg_eqn_island_read_bounce(map, index); return;
    case VARIABLE_DER:
        if (layer == LAYER_AREA) {
            hbg_eqn_island_look_at_term(map, eqn->pres.terms[index]);
            read_variable(map, eqn->first[VARIABLE_PRE] + index);
            return;
        }
        break;
    case VARIABLE_STATE:
        if (layer == LAYER_VALUE) {
            read_state(map, index);
            return;
        }
        break;
    case VARIABLE_EFFORT:
    case VARIABLE_FLOW:
    case VARIABLE_PARASITE:
    case VARIABLE_CONFLICT:
    case VARIABLE_SIGNAL: break;
    default: return;
    }
    if (layer == LAYER_AREA)
        read_area(map, base);
    else
        hbg_eqn_equations_reads(&map->all, variable, &map->reads);
}

/* ---- the graph ---------------------------------------------------------------------------------------- */

static int32_t node_of(island_map *map, int32_t variable) {
    if (map->number[variable] == 0) {
        HBG_PUSH(map->arena, map->nodes, variable);
        map->number[variable] = map->nodes.count;
    }
    return map->number[variable] - 1;
}

/* Adds nodes of a variable and, if it may pulse, of its area. */
static void meet(island_map *map, int32_t variable) {
    node_of(map, variable);
    if (hbg_eqn_island_can_pulse(map, variable)) node_of(map, variable + LAYER_AREA * map->eqn->base_count);
}

static void meet_term(island_map *map, hbg_term term) {
    map->reads.count = 0;
    hbg_eqn_island_read_term(map, term);
    for (int32_t i = 0; i < map->reads.count; i++) meet(map, map->reads.items[i]);
}

static void meet_all(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < eqn->model->automata.count; i++) node_of(map, eqn->first[VARIABLE_AUTOMATON] + i);
    for (int32_t i = 0; i < eqn->instants.variables.count; i++) meet(map, eqn->instants.variables.items[i]);
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++) node_of(map, eqn->first[VARIABLE_PRE] + i);
    for (int32_t i = 0; i < eqn->in.list.count; i++) node_of(map, eqn->first[VARIABLE_IN] + i);
    for (int32_t i = 0; i < eqn->instants.restitution.count; i++)
        node_of(map, eqn->first[VARIABLE_BOUNCE] + eqn->instants.restitution.items[i]);
    for (int32_t i = 0; i < eqn->state_count; i++)
        if (hbg_eqn_island_state_jumps(map, i)) node_of(map, eqn->first[VARIABLE_STATE] + i);
    for (int32_t i = 0; i < eqn->first[VARIABLE_FLOW + 1]; i++)
        if (map->pulses[i]) node_of(map, i + LAYER_AREA * eqn->base_count);
    for (int32_t i = 0; i < eqn->outline.power_count; i++) meet_term(map, eqn->readouts.works[i]);
    for (int32_t i = 0; i < map->nodes.count; i++) {
        HBG_PUSH(map->arena, map->start, map->heads.count);
        map->reads.count = 0;
        read_for(map, map->nodes.items[i]);
        for (int32_t k = 0; k < map->reads.count; k++)
            HBG_PUSH(map->arena, map->heads, node_of(map, map->reads.items[k]));
    }
    HBG_PUSH(map->arena, map->start, map->heads.count);
}

/* ---- lively ones, joined ------------------------------------------------------------------------------ */

/* Whether an instant can change a variable by itself, or a commit can. */
static bool is_origin(island_map *map, int32_t variable) {
    hbg_eqn *eqn = map->eqn;
    if (hbg_eqn_varies(eqn, variable)) return true;
    switch (hbg_eqn_kind_of(eqn, variable)) {
    case VARIABLE_ON:
    case VARIABLE_AUTOMATON:
    case VARIABLE_IN:
    case VARIABLE_BOUNCE: return true;
    case VARIABLE_STATE:
        return variable < eqn->base_count &&
               hbg_eqn_island_state_jumps(map, variable - eqn->first[VARIABLE_STATE]);
    default: return variable / eqn->base_count == LAYER_AREA;
    }
}

static void find_lively(island_map *map) {
    int32_t count = map->nodes.count, filled = 0;
    int32_t *readers_start = HBG_NEW_ARRAY(map->arena, int32_t, count + 2);
    int32_t *readers = HBG_NEW_ARRAY(map->arena, int32_t, map->heads.count + 1);
    int32_t *queue = HBG_NEW_ARRAY(map->arena, int32_t, count + 1);
    for (int32_t k = 0; k < map->heads.count; k++) readers_start[map->heads.items[k] + 2]++;
    for (int32_t i = 0; i < count; i++) readers_start[i + 2] += readers_start[i + 1];
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = map->start.items[i]; k < map->start.items[i + 1]; k++)
            readers[readers_start[map->heads.items[k] + 1]++] = i;
    map->lively = HBG_NEW_ARRAY(map->arena, bool, count + 1);
    for (int32_t i = 0; i < count; i++)
        if (is_origin(map, map->nodes.items[i])) {
            map->lively[i] = true;
            queue[filled++] = i;
        }
    for (int32_t i = 0; i < filled; i++)
        for (int32_t k = readers_start[queue[i]]; k < readers_start[queue[i] + 1]; k++)
            if (!map->lively[readers[k]]) {
                map->lively[readers[k]] = true;
                queue[filled++] = readers[k];
            }
}

int32_t hbg_eqn_island_find(island_map *map, int32_t node) {
    while (map->parent[node] != node) node = map->parent[node] = map->parent[map->parent[node]];
    return node;
}

static void join(island_map *map, int32_t a, int32_t b) {
    if (a < 0 || b < 0 || !map->lively[a] || !map->lively[b]) return;
    if (map->noted) map->noted(map->noting, a, b);
    int32_t x = hbg_eqn_island_find(map, a), y = hbg_eqn_island_find(map, b);
    if (x < y) map->parent[y] = x;
    if (y < x) map->parent[x] = y;
}

static void join_place(island_map *map, int32_t automaton, int32_t place) {
    hbg_eqn *eqn = map->eqn;
    const hbg_model *model = eqn->model;
    int32_t junction = eqn->structure->place_element[place];
    int32_t own = map->number[eqn->first[VARIABLE_AUTOMATON] + automaton] - 1;
    join(map, own, map->number[eqn->first[VARIABLE_ON] + place] - 1);
    join(map, own, map->number[eqn->first[VARIABLE_BOUNCE] + junction] - 1);
    if (eqn->varies.select[place]) return;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++)
        for (int32_t layer = 0; layer < LAYER_COUNT; layer++) {
            int32_t shift = layer * eqn->base_count + model->incidence[k];
            join(map, own, map->number[eqn->first[VARIABLE_EFFORT] + shift] - 1);
            join(map, own, map->number[eqn->first[VARIABLE_FLOW] + shift] - 1);
        }
}

/* Joins automata that together can make a mode without a valid causal assignment. */
static void join_contested(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    int32_t *first = HBG_NEW_ARRAY(map->arena, int32_t, eqn->structure->place_count + 1);
    for (int32_t i = 0; i < eqn->structure->place_count; i++) first[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        for (int32_t k = 0; k < eqn->automaton_places[i].count; k++) {
            int32_t number = map->contested[eqn->automaton_places[i].items[k]];
            if (number == HBG_NONE) continue;
            int32_t own = map->number[eqn->first[VARIABLE_AUTOMATON] + i] - 1;
            if (first[number] == HBG_NONE) first[number] = own;
            join(map, first[number], own);
        }
}

void hbg_eqn_island_join_all(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    map->parent = HBG_NEW_ARRAY(map->arena, int32_t, map->nodes.count + 1);
    for (int32_t i = 0; i < map->nodes.count; i++) map->parent[i] = i;
    for (int32_t i = 0; i < map->nodes.count; i++)
        for (int32_t k = map->start.items[i]; k < map->start.items[i + 1]; k++)
            join(map, i, map->heads.items[k]);
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        for (int32_t k = 0; k < eqn->automaton_places[i].count; k++)
            join_place(map, i, eqn->automaton_places[i].items[k]);
    if (map->contested) join_contested(map);
    for (int32_t i = 0; i < eqn->model->transitions.count; i++) {
        int32_t own = map->number[eqn->first[VARIABLE_AUTOMATON] + eqn->guards[i].automaton] - 1;
        map->reads.count = 0;
        hbg_eqn_island_look_at_term(map, eqn->guards[i].condition);
        for (int32_t k = 0; k < map->reads.count; k++) join(map, own, map->number[map->reads.items[k]] - 1);
    }
    for (int32_t i = 0, first = HBG_NONE; i < map->nodes.count && map->whole; i++) {
        if (map->lively[i] && first == HBG_NONE) first = i;
        join(map, first, i);
    }
}

/* Draws the graph of variables that may be read at an instant, and marks the lively ones. */
void hbg_eqn_island_draw_map(island_map *map, const hbg_causal_assignment *assignment) {
    hbg_eqn *eqn = map->eqn;
    map->pulses = HBG_NEW_ARRAY(map->arena, bool, eqn->base_count + 1);
    map->number = HBG_NEW_ARRAY(map->arena, int32_t, (size_t)eqn->base_count * LAYER_COUNT);
    hbg_eqn_equations_init(&map->all, map->arena, eqn, assignment, PURPOSE_FIELD);
    map->all.in_any_mode = eqn->varies.any;
    find_pulses(map);
    meet_all(map);
    find_lively(map);
}
