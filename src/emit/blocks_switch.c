/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Switches (001, section 7 and Fig. 12). A variable that modes compute differently is read through a switch
 * that the determining bond of its junction drives. Where that bond alone does not decide, the determining
 * bonds of further junctions do, in switches after the first. The determining bonds are looked up by the
 * states of the automata: the results of Hybrid SCAP are stored for every local mode. */
#include <string.h>

#include "emit/blocks_impl.h"

/* ---- lookups ------------------------------------------------------------------------------------------ */

static int32_t states_of(drafting *draft, const int32_map *automata, int32_t *in) {
    for (int32_t i = 0; i < automata->count; i++)
        in[i] =
            hbg_emit_block(draft->d, (block){.kind = BLOCK_AUTOMATON, .of = automata->items[i]}, NULL, NULL);
    return automata->count;
}

static int32_t lookup_of(drafting *draft, block made, const int32_map *automata, const int32_t *table,
                         int32_t modes) {
    int32_t *in = HBG_NEW_ARRAY(draft->arena, int32_t, automata->count + 1);
    made.kind = BLOCK_LOOKUP;
    made.in_count = states_of(draft, automata, in);
    made.data_count = modes;
    if (made.of != HBG_NONE) {
        hbg_buffer name;
        hbg_base_buffer_init(&name, draft->d->arena);
        hbg_model_path(draft->eqn->model,
                       (hbg_object){HBG_OBJECT_ELEMENT, draft->eqn->structure->place_element[made.of]},
                       &name);
        made.name = name.data;
    }
    return hbg_emit_block(draft->d, made, in, table);
}

int32_t hbg_emit_block_on(drafting *draft, int32_t place) {
    const int32_map places = {.items = &place, .count = 1};
    int32_map automata = {0};
    int32_t modes;
    mode_walk walk;
    hbg_emit_modes_init(&walk, draft);
    const char *reason = hbg_emit_modes_find(&walk, &places, &automata, &modes);
    if (reason) return hbg_emit_block_refused(draft->d, reason);
    int32_t *table = HBG_NEW_ARRAY(draft->arena, int32_t, modes + 1);
    for (int32_t mode = 0; mode < modes; mode++) {
        hbg_emit_modes_enter(&walk, &automata, mode);
        table[mode] = hbg_causal_place_mode(draft->eqn->structure, place, walk.states);
    }
    return lookup_of(draft, (block){.of = place, .is_fact = true}, &automata, table, modes);
}

/* ---- switches ----------------------------------------------------------------------------------------- */

enum { INVALID = -1 }; /* in a lookup: the mode has no valid causal assignment */

typedef struct {
    drafting *draft;
    const equation_group *group;
    int32_t member;
    const int32_t *first; /* places that are tried first */
    int32_t first_count;
} merging;

static bool agree(const merging *m, const int32_t *variants, int32_t count) {
    for (int32_t i = 1; i < count; i++)
        if (m->group->variants.items[variants[i]].made[m->member] !=
            m->group->variants.items[variants[0]].made[m->member])
            return false;
    return true;
}

/* What distinguishes variants: the determining bond of a place of the group; after the last place, their
 * number. */
static int32_t answer(const merging *m, int32_t variant, int32_t place) {
    return place < m->group->facts.places.count ? m->group->variants.items[variant].determining[place]
                                                : variant;
}

static int32_t selector_of(const merging *m, int32_t place) {
    const equation_group *group = m->group;
    int32_t *table = HBG_NEW_ARRAY(m->draft->arena, int32_t, group->modes + 1);
    for (int32_t i = 0; i < group->modes; i++)
        table[i] = group->variant_of[i] == HBG_NONE ? INVALID : answer(m, group->variant_of[i], place);
    int32_t of = place < group->facts.places.count ? group->facts.places.items[place] : HBG_NONE;
    return lookup_of(m->draft, (block){.of = of}, &group->automata, table, group->modes);
}

static bool splits(const merging *m, const int32_t *variants, int32_t count, int32_t place) {
    for (int32_t i = 1; i < count; i++)
        if (answer(m, variants[i], place) != answer(m, variants[0], place)) return true;
    return false;
}

/* The place whose determining bond decides: those of the variable first, then the others. */
static int32_t find_split(const merging *m, const int32_t *variants, int32_t count) {
    for (int32_t i = 0; i < m->first_count; i++)
        for (int32_t k = 0; k < m->group->facts.places.count; k++)
            if (m->group->facts.places.items[k] == m->first[i] && splits(m, variants, count, k)) return k;
    for (int32_t k = 0; k < m->group->facts.places.count; k++)
        if (splits(m, variants, count, k)) return k;
    return m->group->facts.places.count;
}

static int32_t merge(const merging *m, const int32_t *variants, int32_t count) {
    hbg_arena *arena = m->draft->arena;
    if (agree(m, variants, count)) return m->group->variants.items[variants[0]].made[m->member];
    int32_t place = find_split(m, variants, count), classes = 0;
    int32_t *in = HBG_NEW_ARRAY(arena, int32_t, count + 2), *cases = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    int32_t *part = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    bool *taken = HBG_NEW_ARRAY(arena, bool, count + 1);
    in[0] = selector_of(m, place);
    for (int32_t i = 0; i < count; i++) {
        int32_t size = 0;
        if (taken[i]) continue;
        for (int32_t k = i; k < count; k++) {
            if (answer(m, variants[k], place) != answer(m, variants[i], place)) continue;
            taken[k] = true;
            part[size++] = variants[k];
        }
        cases[classes] = answer(m, variants[i], place);
        in[1 + classes++] = merge(m, part, size);
    }
    return hbg_emit_block(m->draft->d,
                          (block){.kind = BLOCK_SWITCH, .in_count = classes + 1, .data_count = classes}, in,
                          cases);
}

/* The junctions at a bond, first the one that has the variable in common. */
static int32_t places_of(const hbg_eqn *eqn, int32_t variable, int32_t *places) {
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    int32_t index = variable % eqn->base_count - eqn->first[kind], count = 0;
    if (kind == VARIABLE_STATE && eqn->states[index].element != HBG_NONE) {
        int32_t element = eqn->states[index].element;
        index = eqn->model->incidence[eqn->model->incidence_start[element] + eqn->states[index].port - 1];
    } else if (kind != VARIABLE_EFFORT && kind != VARIABLE_FLOW) {
        return 0;
    }
    const hbg_bond *bond = &eqn->model->bonds.items[index];
    int32_t ends[2] = {eqn->structure->element_place[bond->from.element],
                       eqn->structure->element_place[bond->to.element]};
    for (int own = 1; own >= 0; own--)
        for (int i = 0; i < 2; i++)
            if (ends[i] != HBG_NONE && eqn->structure->is_zero[ends[i]] == ((kind == VARIABLE_EFFORT) == own))
                places[count++] = ends[i];
    return count;
}

int32_t hbg_emit_blocks_merge(drafting *draft, const equation_group *group, int32_t member) {
    int32_t first[2], count = group->variants.count;
    merging m = {.draft = draft, .group = group, .member = member, .first = first};
    m.first_count = places_of(draft->eqn, group->variables[member], first);
    int32_t *all = HBG_NEW_ARRAY(draft->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) all[i] = i;
    if (count == 0) return hbg_emit_block_refused(draft->d, "no mode has a valid causal assignment");
    return merge(&m, all, count);
}
