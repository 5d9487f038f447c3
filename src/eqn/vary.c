/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is the same in every mode. Fixed causality gives fixed equations (001, section 4). A junction that
 * switches without reassignment keeps the causality it has when it is on, and its equations are selected
 * (001, section 6). Everything else varies, and its equations may read everything they read in some mode. */
#include <stdlib.h>
#include <string.h>

#include "eqn/eqn_impl.h"

/* ---- junctions that switch by a select ---------------------------------------------------------------- */

static const hbg_causal_end *far_end(const hbg_causal_structure *structure, int32_t slot) {
    return &structure->links[slot >> 1].end[1 - (slot & 1)];
}

/* An R that determines the junction has to return 0 for 0: linear ones do, others may not. */
static bool gives_zero(const hbg_eqn *eqn, const hbg_causal_end *end) {
    const hbg_element *element = &eqn->model->elements.items[end->element];
    return element->kind != HBG_KIND_R || (element->ports == 1 && hbg_eqn_is_linear(element));
}

static bool switches_by_select(const hbg_eqn *eqn, int32_t place) {
    const hbg_causal_structure *structure = eqn->structure;
    const hbg_element *junction = &eqn->model->elements.items[structure->place_element[place]];
    if (!structure->place_never_reassigns[place] || junction->restitution != HBG_NONE) return false;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        const hbg_causal_end *end = far_end(structure, structure->place_links[i]);
        if (end->place == HBG_NONE && !gives_zero(eqn, end)) return false;
        bool partner =
            end->place != HBG_NONE && structure->control_group[end->place] == structure->control_group[place];
        if (partner && eqn->model->elements.items[end->element].restitution != HBG_NONE) return false;
    }
    return true;
}

/* ---- places, bonds, states ---------------------------------------------------------------------------- */

static bool determines(const hbg_eqn *eqn, int32_t slot) {
    const hbg_causal_structure *structure = eqn->structure;
    const hbg_causal_link *link = &structure->links[slot >> 1];
    bool arrives = hbg_causal_arrives(link, slot & 1, eqn->varies.link_value[slot >> 1]);
    return structure->is_zero[link->end[slot & 1].place] ? arrives : !arrives;
}

/* Fixes the determining link: with selects, the only link of a junction that is not fixed always determines
 * it. */
static void fix_determining(hbg_eqn *eqn, int32_t place) {
    const hbg_causal_structure *structure = eqn->structure;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        int8_t *value = &eqn->varies.link_value[slot >> 1];
        if (*value != HBG_NONE) continue;
        *value = 1;
        if (!determines(eqn, slot)) *value = 0;
    }
}

/* Whether every link of a place is fixed, and one of them determines it. */
static bool is_steady(const hbg_eqn *eqn, int32_t place) {
    const hbg_causal_structure *structure = eqn->structure;
    int32_t determining = 0;
    if (structure->controlled[place] && !eqn->varies.select[place]) return false;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        if (eqn->varies.link_value[slot >> 1] == HBG_NONE) return false;
        determining += determines(eqn, slot);
    }
    return determining == 1;
}

static bool link_varies(const hbg_eqn *eqn, int32_t link) {
    if (link == HBG_NONE) return false; // a ring of transformers
    if (eqn->varies.link_value[link] == HBG_NONE) return true;
    for (int i = 0; i < 2; i++) {
        int32_t place = eqn->structure->links[link].end[i].place;
        if (place != HBG_NONE && !eqn->varies.place_steady[place]) return true;
    }
    return false;
}

static void find_bonds(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    bool *varies = eqn->varies.bond_varies;
    for (int32_t i = 0; i < model->bonds.count; i++)
        varies[i] = link_varies(eqn, eqn->structure->bond_link[i]);
    for (int32_t i = 0; i < model->elements.count;
         i++) { // the equation of one port of a storage depends on the others
        if (eqn->element_state[i] == HBG_NONE || model->elements.items[i].ports < 2) continue;
        bool any = false;
        for (int32_t k = model->incidence_start[i]; k < model->incidence_start[i + 1]; k++)
            any |= varies[model->incidence[k]];
        for (int32_t k = model->incidence_start[i]; k < model->incidence_start[i + 1] && any; k++)
            varies[model->incidence[k]] = true;
    }
    for (int32_t i = 0; i < model->bonds.count; i++) eqn->varies.any |= varies[i];
}

static void find_states(hbg_eqn *eqn) {
    const hbg_causal_structure *structure = eqn->structure;
    for (int32_t i = 0; i < eqn->state_count; i++) {
        const state_info *info = &eqn->states[i];
        eqn->varies.may_integral[i] = true;
        if (info->element == HBG_NONE) continue;
        int32_t link = structure->bond_link[hbg_eqn_bond_of(eqn->model, info->element, info->port)];
        if (link == HBG_NONE) continue;
        eqn->varies.may_dependent[i] = true;
        if (eqn->varies.link_value[link] == HBG_NONE) continue;
        for (int end = 0; end < 2; end++) {
            const hbg_causal_end *at = &structure->links[link].end[end];
            if (at->place != HBG_NONE || at->element != info->element || at->port != info->port) continue;
            bool arrives = hbg_causal_arrives(&structure->links[link], end, eqn->varies.link_value[link]);
            eqn->varies.may_integral[i] = arrives == at->wants_effort;
            eqn->varies.may_dependent[i] = arrives != at->wants_effort;
        }
    }
    for (int32_t i = 0; i < eqn->state_count; i++)
        if (eqn->varies.may_dependent[i]) HBG_PUSH(eqn->arena, eqn->dependents, i);
}

static void find_steady(hbg_eqn *eqn) {
    variation *all = &eqn->varies;
    for (int32_t i = 0; i < eqn->structure->link_count; i++)
        all->link_value[i] = eqn->structure->link_fixed[i];
    for (int32_t i = 0; i < eqn->structure->place_count; i++)
        if (all->select[i]) fix_determining(eqn, i);
    for (int32_t i = 0; i < eqn->structure->place_count; i++) all->place_steady[i] = is_steady(eqn, i);
}

/* Whether a junction may keep the causality of its on state: its neighbours must not depend on its being off,
 * and a partner switches with it. */
static bool fits_neighbours(const hbg_eqn *eqn, int32_t place) {
    const hbg_causal_structure *structure = eqn->structure;
    for (int32_t k = structure->place_start[place]; k < structure->place_start[place + 1]; k++) {
        int32_t there = far_end(structure, structure->place_links[k])->place;
        if (there == HBG_NONE) continue;
        bool partner = structure->control_group[there] == structure->control_group[place];
        if (partner ? !eqn->varies.select[there] : !eqn->varies.place_steady[there]) return false;
    }
    return true;
}

/* Takes the selects that are not barred. */
static void take_selects(hbg_eqn *eqn, const bool *barred) {
    variation *all = &eqn->varies;
    int32_t places = eqn->structure->place_count;
    for (int32_t i = 0; i < places; i++) all->select[i] = !barred[i] && switches_by_select(eqn, i);
    for (bool changed = true; changed;) {
        changed = false;
        find_steady(eqn);
        for (int32_t i = 0; i < places; i++)
            if (all->select[i] && !fits_neighbours(eqn, i)) {
                all->select[i] = false;
                changed = true;
            }
    }
}

/* A junction whose variables can float or be in conflict has a parasite that counts: it gets a causality in
 * each state. */
void hbg_eqn_find_selects(hbg_eqn *eqn) {
    variation *all = &eqn->varies;
    int32_t places = eqn->structure->place_count;
    bool *barred = HBG_NEW_ARRAY(&eqn->scratch, bool, places + 1);
    all->select = HBG_NEW_ARRAY(eqn->arena, bool, places + 1);
    all->place_steady = HBG_NEW_ARRAY(eqn->arena, bool, places + 1);
    all->link_value = HBG_NEW_ARRAY(eqn->arena, int8_t, eqn->structure->link_count + 1);
    do take_selects(eqn, barred);
    while (hbg_eqn_bar_selects(eqn, barred));
}

void hbg_eqn_find_variation(hbg_eqn *eqn) {
    variation *all = &eqn->varies;
    all->bond_varies = HBG_NEW_ARRAY(eqn->arena, bool, eqn->model->bonds.count + 1);
    all->may_integral = HBG_NEW_ARRAY(eqn->arena, bool, eqn->state_count + 1);
    all->may_dependent = HBG_NEW_ARRAY(eqn->arena, bool, eqn->state_count + 1);
    find_bonds(eqn);
    find_states(eqn);
}

bool hbg_eqn_varies(const hbg_eqn *eqn, int32_t variable) {
    int32_t base = variable % eqn->base_count;
    variable_kind kind = hbg_eqn_kind_of(eqn, base);
    int32_t index = base - eqn->first[kind];
    if (kind == VARIABLE_EFFORT || kind == VARIABLE_FLOW) return eqn->varies.bond_varies[index];
    if (kind == VARIABLE_PARASITE || kind == VARIABLE_CONFLICT) return true;
    return kind == VARIABLE_STATE && eqn->varies.may_integral[index] && eqn->varies.may_dependent[index];
}

/* ---- facts -------------------------------------------------------------------------------------------- */

static void add_link_facts(hbg_eqn *eqn, hbg_arena *arena, int32_t link, fact_set *facts) {
    if (link == HBG_NONE) return;
    HBG_PUSH(arena, facts->links, link);
    for (int i = 0; i < 2; i++) {
        int32_t place = eqn->structure->links[link].end[i].place;
        if (place != HBG_NONE) HBG_PUSH(arena, facts->places, place);
    }
}

/* Adds the facts of places that are reversed together. */
static void add_limit_facts(hbg_eqn *eqn, hbg_arena *arena, int32_t place, fact_set *facts) {
    int32_t cluster = eqn->limits.cluster_of[place], count = facts->clusters.count;
    if (cluster == HBG_NONE || (count > 0 && facts->clusters.items[count - 1] == cluster)) return;
    HBG_PUSH(arena, facts->clusters, cluster);
}

void hbg_eqn_add_facts(hbg_eqn *eqn, hbg_arena *arena, int32_t variable, fact_set *facts) {
    const hbg_model *model = eqn->model;
    int32_t base = variable % eqn->base_count;
    variable_kind kind = hbg_eqn_kind_of(eqn, base);
    int32_t index = base - eqn->first[kind];
    if (!hbg_eqn_varies(eqn, variable)) return;
    if (kind == VARIABLE_PARASITE || kind == VARIABLE_CONFLICT) {
        add_limit_facts(eqn, arena, index, facts);
        return;
    }
    if (kind == VARIABLE_STATE)
        index = hbg_eqn_bond_of(model, eqn->states[index].element, eqn->states[index].port);
    const hbg_bond *bond = &model->bonds.items[index];
    add_link_facts(eqn, arena, eqn->structure->bond_link[index], facts);
    for (int i = 0; i < 2; i++) {
        int32_t element = i ? bond->to.element : bond->from.element;
        int32_t place = eqn->structure->element_place[element];
        if (place != HBG_NONE) add_limit_facts(eqn, arena, place, facts);
        if (eqn->element_state[element] == HBG_NONE || model->elements.items[element].ports < 2) continue;
        for (int32_t k = model->incidence_start[element]; k < model->incidence_start[element + 1]; k++)
            add_link_facts(eqn, arena, eqn->structure->bond_link[model->incidence[k]], facts);
    }
}

static int by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void sort_few(int32_map *map) {
    int32_t kept = 0;
    if (map->count > 1) qsort(map->items, (size_t)map->count, sizeof *map->items, by_number);
    for (int32_t i = 0; i < map->count; i++)
        if (i == 0 || map->items[i] != map->items[kept - 1]) map->items[kept++] = map->items[i];
    map->count = kept;
}

/* Sorts numbers below a limit, each once; most of a long list are repeated often. */
static void sort_once(hbg_eqn *eqn, int32_map *map, int32_t limit) {
    if (map->count < limit / 8) {
        sort_few(map);
        return;
    }
    bool *there = HBG_NEW_ARRAY(&eqn->scratch, bool, limit + 1);
    for (int32_t i = 0; i < map->count; i++) there[map->items[i]] = true;
    map->count = 0;
    for (int32_t i = 0; i < limit; i++)
        if (there[i]) map->items[map->count++] = i;
    hbg_base_arena_release(&eqn->scratch, there, (size_t)limit + 1);
}

void hbg_eqn_add_clusters(hbg_eqn *eqn, hbg_arena *arena, fact_set *facts) {
    sort_few(&facts->clusters);
    for (int32_t i = 0; i < facts->clusters.count; i++) {
        const int32_map *places = &eqn->limits.clusters.items[facts->clusters.items[i]].places;
        for (int32_t k = 0; k < places->count; k++) HBG_PUSH(arena, facts->places, places->items[k]);
    }
    facts->clusters.count = 0;
}

void hbg_eqn_close_facts(hbg_eqn *eqn, hbg_arena *arena, fact_set *facts) {
    hbg_eqn_add_clusters(eqn, arena, facts);
    sort_once(eqn, &facts->places, eqn->structure->place_count);
    sort_once(eqn, &facts->links, eqn->structure->link_count);
}

int32_t hbg_eqn_fact_count(const fact_set *facts) {
    return facts->places.count + facts->links.count;
}

void hbg_eqn_read_facts(const hbg_causal_assignment *assignment, const fact_set *facts, uint64_t *key) {
    int32_t count = 0;
    for (int32_t i = 0; i < facts->places.count; i++) {
        int32_t place = facts->places.items[i];
        int32_t bond = hbg_causal_determining_bond(assignment, place);
        bool reversed = hbg_causal_is_reversed(assignment, place);
        uint64_t fact = hbg_causal_is_on(assignment, place) == reversed ? 0
                        : hbg_causal_is_floating(assignment, place)     ? 1
                                                                        : (uint64_t)bond + 2;
        key[count++] = fact | (uint64_t)reversed << 40;
    }
    for (int32_t i = 0; i < facts->links.count; i++) {
        int32_t link = facts->links.items[i];
        key[count++] =
            (uint64_t)(hbg_causal_value(assignment, link) | hbg_causal_is_repeated(assignment, link) << 1);
    }
}
