/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gates of junctions at which parasites decide bond by bond (semantics, section 3a). A place Q of the other
 * kind divides the link to such a junction P, and switches with P unless one of them is reversed. For P a
 * 0-junction, with effort and flow exchanged for a 1-junction:
 *
 *     P on, Q on     an ordinary 0-junction
 *     P off, Q off   Q sets the flow of the bond to 0, as a 0/F does; or keeps the effort of a source from P
 *     P off, Q on    the bond is given the effort of P, which its parasite sets
 *     P on, Q off    a source that P cuts has no effect, and others determine P */
#include <string.h>

#include "causal/causal_impl.h"

int32_t hbg_causal_cutting_place(const hbg_causal_structure *structure, int32_t link) {
    const hbg_element *elements = structure->model->elements.items;
    const hbg_causal_link *of = &structure->links[link];
    for (int i = 0; i < 2; i++) {
        int32_t place = of->end[1 - i].place;
        if (!of->end[i].is_source || place == HBG_NONE) continue;
        if (structure->gate_of[place] != HBG_NONE) place = structure->gate_of[place];
        bool gives_effort = (elements[of->end[i].element].kind == HBG_KIND_SE) != of->odd;
        bool dual = elements[structure->place_element[place]].dual_off;
        if (gives_effort == (structure->is_zero[place] != dual)) return place;
    }
    return HBG_NONE;
}

int32_t hbg_causal_gate_at(const hbg_causal_structure *structure, int32_t place, int32_t bond) {
    int32_t link = structure->bond_link[bond];
    for (int i = 0; link != HBG_NONE && i < 2; i++) {
        int32_t gate = structure->links[link].end[i].place;
        if (gate == HBG_NONE || structure->gate_of[gate] != place || structure->gate_bond[gate] != bond)
            continue;
        return gate;
    }
    return HBG_NONE;
}

static bool needs_gate(const hbg_causal_structure *structure, int32_t slot) {
    int32_t place = causal_place(structure, slot);
    if (place == HBG_NONE || !structure->options.gated || !structure->options.gated[place]) return false;
    return structure->dual_off[place] || hbg_causal_cutting_place(structure, slot >> 1) == place;
}

static void *grown(hbg_arena *arena, const void *items, size_t size, size_t count, size_t more) {
    char *copy = HBG_NEW_ARRAY(arena, char, size *(count + more + 1));
    memcpy(copy, items, size * count);
    return copy;
}

static void make_room(hbg_arena *arena, hbg_causal_structure *s, int32_t gates) {
    size_t places = (size_t)s->place_count, links = (size_t)s->link_count, more = (size_t)gates, bonds = 0;
    for (int32_t i = 0; i < s->link_count; i++) bonds += (size_t)s->links[i].bond_count;
    s->place_element = grown(arena, s->place_element, sizeof *s->place_element, places, more);
    s->is_zero = grown(arena, s->is_zero, sizeof *s->is_zero, places, more);
    s->controlled = grown(arena, s->controlled, sizeof *s->controlled, places, more);
    s->dual_off = grown(arena, s->dual_off, sizeof *s->dual_off, places, more);
    s->control_group = grown(arena, s->control_group, sizeof *s->control_group, places, more);
    s->gate_of = grown(arena, s->gate_of, sizeof *s->gate_of, places, more);
    s->gate_bond = grown(arena, s->gate_bond, sizeof *s->gate_bond, places, more);
    s->links = grown(arena, s->links, sizeof *s->links, links, more);
    s->chain = grown(arena, s->chain, sizeof *s->chain, bonds, more);
}

/* The bond of the link at the junction is also the bond of the link from the gate to the junction. */
static void add_gate(hbg_causal_structure *s, int32_t slot, int32_t entry) {
    hbg_causal_link *link = &s->links[slot >> 1], *inner = &s->links[s->link_count];
    int own = slot & 1;
    int32_t place = link->end[own].place, gate = s->place_count++;
    int32_t touching = s->chain[link->first_bond + (own == 0 ? 0 : link->bond_count - 1)];
    s->place_element[gate] = s->place_element[place];
    s->is_zero[gate] = !s->is_zero[place];
    s->controlled[gate] = true;
    s->control_group[gate] = INT32_MAX - gate; // it may be reversed alone
    s->gate_of[gate] = place;
    s->gate_bond[gate] = touching >> 2;
    *inner = (hbg_causal_link){.first_bond = entry, .bond_count = 1};
    inner->end[own] = inner->end[1 - own] = link->end[own];
    inner->end[1 - own].place = link->end[own].place = gate;
    s->chain[entry] = touching & ~2;
    s->link_count++;
}

void hbg_causal_make_gates(hbg_arena *arena, hbg_causal_structure *structure) {
    int32_t places = structure->place_count, slots = 2 * structure->link_count, gates = 0, entry = 0;
    structure->junction_count = places;
    structure->gate_of = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    structure->gate_bond = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    for (int32_t i = 0; i < places; i++) structure->gate_of[i] = structure->gate_bond[i] = HBG_NONE;
    for (int32_t slot = 0; slot < slots; slot++) gates += needs_gate(structure, slot);
    if (gates == 0) return;
    for (int32_t i = 0; i < structure->link_count; i++) entry += structure->links[i].bond_count;
    make_room(arena, structure, gates);
    for (int32_t slot = 0; slot < slots; slot++)
        if (needs_gate(structure, slot)) add_gate(structure, slot, entry++);
    for (int32_t i = 0; i < places; i++)
        if (structure->options.gated[i]) structure->dual_off[i] = false;
}
