/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Groups: islands without parts that nothing reads, for proofs; and why the automata of a group belong
 * together, in words (semantics, section 8). */
#include <string.h>

#include "eqn/island_impl.h"

/* ---- groups ------------------------------------------------------------------------------------------- */

/* Keeps only useful nodes lively: those on which a guard, a jump or a rebound depends. A node that reads from
 * two islands but is not read itself, such as the ledger's line of a source that feeds both, joins
 * nothing. */
static void keep_useful(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    bool *useful = HBG_NEW_ARRAY(map->arena, bool, map->nodes.count + 1);
    int32_map queue = {0};
    map->reads.count = 0;
    for (int32_t i = 0; i < eqn->model->transitions.count; i++)
        hbg_eqn_island_look_at_term(map, eqn->guards[i].condition);
    for (int32_t i = 0; i < map->reads.count; i++) {
        int32_t node = map->number[map->reads.items[i]] - 1;
        if (node >= 0) HBG_PUSH(map->arena, queue, node);
    }
    for (int32_t i = 0; i < map->nodes.count; i++) {
        variable_kind kind = hbg_eqn_kind_of(eqn, map->nodes.items[i]);
        bool root = kind == VARIABLE_AUTOMATON || kind == VARIABLE_BOUNCE ||
                    (kind == VARIABLE_STATE && map->nodes.items[i] < eqn->base_count);
        if (root) HBG_PUSH(map->arena, queue, i);
    }
    for (int32_t i = 0; i < queue.count; i++) useful[queue.items[i]] = true;
    for (int32_t i = 0; i < queue.count; i++)
        for (int32_t k = map->start.items[queue.items[i]]; k < map->start.items[queue.items[i] + 1]; k++) {
            int32_t read = map->heads.items[k];
            if (useful[read]) continue;
            useful[read] = true;
            HBG_PUSH(map->arena, queue, read);
        }
    for (int32_t i = 0; i < map->nodes.count; i++) map->lively[i] = map->lively[i] && useful[i];
}

/* Finds the groups from which a node reads, through nodes that nothing else reads. */
static int32_t find_readers(island_map *map, int32_t start, int32_map *found) {
    int32_map queue = {0};
    bool *met = HBG_NEW_ARRAY(map->arena, bool, map->nodes.count + 1);
    HBG_PUSH(map->arena, queue, start);
    met[start] = true;
    for (int32_t i = 0; i < queue.count; i++) {
        int32_t node = queue.items[i],
                group = map->lively[node] ? map->island_of[hbg_eqn_island_find(map, node)] : HBG_NONE;
        bool known = false;
        for (int32_t k = 0; k < found->count; k++) known |= found->items[k] == group;
        if (group != HBG_NONE && !known) HBG_PUSH(map->arena, *found, group);
        if (group != HBG_NONE) continue;
        for (int32_t k = map->start.items[node]; k < map->start.items[node + 1]; k++) {
            int32_t read = map->heads.items[k];
            if (!met[read]) HBG_PUSH(map->arena, queue, read);
            met[read] = true;
        }
    }
    return found->count;
}

/* A source that feeds one group belongs to it; one that feeds several belongs to none, and their energies
 * cannot be separated. */
static void share_powers(island_map *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < eqn->islands.count; i++) eqn->islands.items[i].powers.count = 0;
    for (int32_t i = 0; i < eqn->outline.power_count; i++) {
        int32_map found = {0}, areas = {0};
        map->reads.count = 0;
        hbg_eqn_island_read_term(map, eqn->readouts.works[i]);
        for (int32_t k = 0; k < map->reads.count; k++) {
            int32_t read = map->reads.items[k];
            bool area =
                read / eqn->base_count == LAYER_AREA && hbg_eqn_island_can_pulse(map, read % eqn->base_count);
            if (area && map->number[read] > 0) HBG_PUSH(map->arena, areas, map->number[read] - 1);
        }
        for (int32_t k = 0; k < areas.count; k++) find_readers(map, areas.items[k], &found);
        for (int32_t k = 0; k < found.count; k++) {
            island *of = &eqn->islands.items[found.items[k]];
            of->shares_source |= found.count > 1;
            HBG_PUSH(eqn->arena, of->powers, i);
        }
    }
    for (int32_t i = 0; i < eqn->islands.count; i++)
        if (eqn->islands.items[i].shares_source) eqn->islands.items[i].powers.count = 0;
}

/* Takes all pre(…) and der(…): modes of the whole model read the values from which der(…) jumps even if no
 * guard does. */
static void take_pres(hbg_eqn *eqn, island *of) {
    of->pres.count = 0;
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++) HBG_PUSH(eqn->arena, of->pres, i);
}

/* Makes groups like islands, but finer; the islands of runs stay the same. */
void hbg_eqn_make_groups(hbg_eqn *eqn, const hbg_causal_assignment *assignment) {
    island_map map = {
        .eqn = eqn, .arena = &eqn->scratch, .contested = eqn->proof.contested, .whole = eqn->proof.whole};
    hbg_eqn kept = *eqn;
    memset(&eqn->islands, 0, sizeof eqn->islands);
    hbg_eqn_island_make_room(eqn);
    hbg_eqn_island_draw_map(&map, assignment);
    keep_useful(&map);
    hbg_eqn_island_fill_all(&map);
    share_powers(&map);
    hbg_eqn_equations_end(&map.all);
    if (eqn->proof.whole && eqn->islands.count == 0)
        HBG_PUSH(eqn->arena, eqn->islands, (island){.shares_source = false}); // nothing switches or jumps
    for (int32_t i = 0; i < eqn->islands.count && eqn->proof.whole; i++)
        take_pres(eqn, &eqn->islands.items[i]);
    eqn->proof.groups = eqn->islands.items;
    eqn->proof.group_count = eqn->islands.count;
    eqn->proof.automaton_group = eqn->island_of.automaton;
    eqn->islands = kept.islands;
    eqn->island_of.automaton = kept.island_of.automaton;
    eqn->island_of.state = kept.island_of.state;
    eqn->island_of.bond = kept.island_of.bond;
    eqn->island_of.relation = kept.island_of.relation;
}

/* A rebound does not concern automata that it cannot influence at the instant, even if a source or a rate
 * reads from both: guards are judged on the values before in its group only. */
void hbg_eqn_make_throws(hbg_eqn *eqn, const hbg_causal_assignment *assignment) {
    island *groups = eqn->proof.groups;
    int32_t count = eqn->proof.group_count, *automaton_group = eqn->proof.automaton_group;
    const int32_t *contested = eqn->proof.contested;
    if (eqn->instants.restitution.count == 0) return;
    bool whole = eqn->proof.whole;
    eqn->proof.contested = NULL;
    eqn->proof.whole = false;
    hbg_eqn_make_groups(eqn, assignment);
    eqn->throws.automaton = eqn->proof.automaton_group;
    eqn->throws.junction = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->model->elements.count + 1);
    eqn->throws.count = eqn->proof.group_count;
    for (int32_t i = 0; i < eqn->proof.group_count; i++)
        for (int32_t k = 0; k < eqn->proof.groups[i].restitution.count; k++)
            eqn->throws.junction[eqn->proof.groups[i].restitution.items[k]] = i;
    eqn->proof.groups = groups;
    eqn->proof.group_count = count;
    eqn->proof.automaton_group = automaton_group;
    eqn->proof.contested = contested;
    eqn->proof.whole = whole;
}

/* ---- reasons ------------------------------------------------------------------------------------------ */

typedef struct { /* the lively arcs, in both directions, of the graph and of what join_all adds to it */
    island_map *map;
    int32_map *near; /* by node */
    int32_t *before; /* by node: the one it was reached from; HBG_NONE: not reached */
} reasoning;

static void note_join(void *context, int32_t a, int32_t b) {
    reasoning *why = context;
    if (a < 0 || b < 0 || !why->map->lively[a] || !why->map->lively[b]) return;
    HBG_PUSH(why->map->arena, why->near[a], b);
    HBG_PUSH(why->map->arena, why->near[b], a);
}

/* The shortest chains from an automaton to those that come after it and have no chain yet. */
static void tell_chains(reasoning *why, const island *of, int32_t from, bool *told,
                        void (*tell)(void *context, int32_t from, int32_t to, const int32_t *variables,
                                     int32_t count),
                        void *context) {
    island_map *map = why->map;
    hbg_eqn *eqn = map->eqn;
    int32_map queue = {0}, chain = {0};
    int32_t start = map->number[eqn->first[VARIABLE_AUTOMATON] + of->automata.items[from]] - 1;
    for (int32_t i = 0; i < map->nodes.count; i++) why->before[i] = HBG_NONE;
    why->before[start] = start;
    HBG_PUSH(map->arena, queue, start);
    for (int32_t i = 0; i < queue.count; i++) {
        int32_t node = queue.items[i];
        bool automaton = hbg_eqn_kind_of(eqn, map->nodes.items[node]) == VARIABLE_AUTOMATON;
        if (automaton && node != start) continue; // chains beyond another automaton are that one's
        for (int32_t k = 0; k < why->near[node].count; k++) {
            int32_t next = why->near[node].items[k];
            if (why->before[next] != HBG_NONE) continue;
            why->before[next] = node;
            HBG_PUSH(map->arena, queue, next);
        }
    }
    for (int32_t to = 0; to < of->automata.count; to++) {
        int32_t node = map->number[eqn->first[VARIABLE_AUTOMATON] + of->automata.items[to]] - 1;
        if (told[to] || to == from || why->before[node] == HBG_NONE) continue;
        told[to] = true;
        chain.count = 0;
        for (node = why->before[node]; node != start; node = why->before[node])
            HBG_PUSH(map->arena, chain, map->nodes.items[node]);
        tell(context, of->automata.items[from], of->automata.items[to], chain.items, chain.count);
    }
}

/* Reports the first automaton that has no chain yet: it belongs because of a mode without a valid causal
 * assignment. */
static void tell_contested(const island *of, bool *told, int32_map *open, hbg_arena *arena,
                           void (*tell)(void *context, int32_t from, int32_t to, const int32_t *variables,
                                        int32_t count),
                           void *context) {
    int32_t next = 0;
    while (next < of->automata.count && told[next]) next++;
    if (next == of->automata.count) return;
    told[next] = true;
    tell(context, of->automata.items[0], of->automata.items[next], NULL, HBG_NONE);
    HBG_PUSH(arena, *open, next);
}

void hbg_eqn_explain_island(hbg_eqn *eqn, const hbg_causal_assignment *assignment, const island *of,
                            void (*tell)(void *context, int32_t from, int32_t to, const int32_t *variables,
                                         int32_t count),
                            void *context) {
    island_map map = {.eqn = eqn, .arena = &eqn->scratch};
    hbg_eqn_island_draw_map(&map, assignment);
    keep_useful(&map);
    reasoning why = {.map = &map};
    why.near = HBG_NEW_ARRAY(map.arena, int32_map, map.nodes.count + 1);
    why.before = HBG_NEW_ARRAY(map.arena, int32_t, map.nodes.count + 1);
    map.noted = note_join;
    map.noting = &why;
    hbg_eqn_island_join_all(&map);
    bool *told = HBG_NEW_ARRAY(map.arena, bool, of->automata.count + 1);
    int32_map open = {0};
    if (of->automata.count > 0) told[0] = true;
    HBG_PUSH(map.arena, open, 0);
    for (int32_t i = 0; i < of->automata.count; i++) {
        if (i == open.count) tell_contested(of, told, &open, map.arena, tell, context);
        if (i == open.count) break;
        bool *before = HBG_NEW_ARRAY(map.arena, bool, of->automata.count + 1);
        memcpy(before, told, (size_t)of->automata.count);
        tell_chains(&why, of, open.items[i], told, tell, context);
        for (int32_t k = 0; k < of->automata.count; k++)
            if (told[k] && !before[k]) HBG_PUSH(map.arena, open, k);
    }
    hbg_eqn_equations_end(&map.all);
}
