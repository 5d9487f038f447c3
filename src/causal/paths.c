/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causal paths: how far an element's output at a port reaches before the law of another element takes it up.
 * A junction passes on a variable that arrives over its determining link to all the others, and one that
 * arrives over another link, as a part of the sum, to the determining link. The search is breadth first from
 * the port, so paths are short and only reached parts cost time. An off junction passes nothing on: it sets
 * zero whatever arrives. */
#include "causal/causal_impl.h"

typedef struct {
    hbg_arena *arena;
    const hbg_causal_assignment *assignment;
    const hbg_causal_structure *structure;
    HBG_VEC(int32_t) heads; /* by link passed: the link end that it was passed to */
    HBG_VEC(int32_t) lasts; /* by link passed: its last step */
    HBG_VEC(hbg_causal_step) steps;
    hbg_pair_map seen; /* link ends */
} path_walk;

/* Passes a link towards the end named, bond by bond. */
static void pass(path_walk *walk, int32_t slot, int32_t before) {
    const hbg_causal_structure *structure = walk->structure;
    const hbg_causal_link *link = &structure->links[slot >> 1];
    const hbg_causal_end *end = &link->end[slot & 1];
    bool forwards = slot & 1, value = hbg_causal_value(walk->assignment, slot >> 1);
    if (hbg_base_pair_map_add(&walk->seen, slot, 0, walk->heads.count) != walk->heads.count) return;
    for (int32_t i = 0; i < link->bond_count; i++) {
        int32_t entry = structure->chain[link->first_bond + (forwards ? i : link->bond_count - 1 - i)];
        if (structure->bond_link[entry >> 2] != slot >> 1) continue; // from a gate to its junction
        bool towards_start = value != ((entry & 2) != 0);            // where the bond's effort runs
        hbg_causal_step step = {entry >> 2, towards_start != forwards, before, HBG_NONE, 0};
        before = walk->steps.count;
        HBG_PUSH(walk->arena, walk->steps, step);
    }
    if (end->place == HBG_NONE) {
        walk->steps.items[before].element = end->element;
        walk->steps.items[before].port = end->port;
    }
    HBG_PUSH(walk->arena, walk->heads, slot);
    HBG_PUSH(walk->arena, walk->lasts, before);
}

/* Passes on the variable that has arrived over a link end. */
static void hand_on(path_walk *walk, int32_t slot, int32_t before) {
    const hbg_causal_assignment *assignment = walk->assignment;
    const hbg_causal_structure *structure = walk->structure;
    int32_t place = causal_place(structure, slot);
    if (place == HBG_NONE || !assignment->on[place] || assignment->count[place] != 1) return;
    if (assignment->waived[slot >> 1]) return;
    int32_t determining = assignment->determining[place];
    if (slot != determining) {
        pass(walk, determining ^ 1, before);
        return;
    }
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
        if (structure->place_links[i] != slot) pass(walk, structure->place_links[i] ^ 1, before);
}

hbg_causal_path_tree hbg_causal_paths(hbg_arena *arena, const hbg_causal_assignment *assignment,
                                      int32_t element, int32_t port) {
    path_walk walk = {.arena = arena, .assignment = assignment, .structure = assignment->structure};
    int32_t slot = hbg_causal_slot_at(walk.structure, element, port);
    hbg_base_pair_map_init(&walk.seen, arena);
    if (slot != HBG_NONE) pass(&walk, slot ^ 1, HBG_NONE);
    for (int32_t i = 0; i < walk.heads.count; i++) hand_on(&walk, walk.heads.items[i], walk.lasts.items[i]);
    hbg_base_arena_release(arena, walk.heads.items, (size_t)walk.heads.capacity * sizeof *walk.heads.items);
    hbg_base_arena_release(arena, walk.lasts.items, (size_t)walk.lasts.capacity * sizeof *walk.lasts.items);
    hbg_base_arena_release(arena, walk.seen.slots, (size_t)walk.seen.slot_count * sizeof *walk.seen.slots);
    return (hbg_causal_path_tree){walk.steps.items, walk.steps.count};
}

int32_t hbg_causal_path_bonds(hbg_arena *arena, const hbg_causal_path_tree *tree, int32_t step,
                              int32_t **bonds) {
    int32_t count = 0;
    for (int32_t at = step; at != HBG_NONE; at = tree->steps[at].before) count++;
    *bonds = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    for (int32_t at = step, i = count; at != HBG_NONE; at = tree->steps[at].before)
        (*bonds)[--i] = tree->steps[at].bond;
    return count;
}
