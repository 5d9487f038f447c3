/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pieces. Over all modes, a row of bodies that may touch is one block and one island, but in one mode only
 * those that touch interact. Whether the links of a block may interact is known from the facts: a junction
 * that is on joins its links, one that is off or floats does not, and connections by signals show when the
 * equations are sorted. Connected links are a piece, which is compiled once for its facts into registers of
 * its own; the code of a mode is that of its pieces, one after the other. So a new mode costs only what is
 * new in it. The facts of the mode alone decide what its pieces are. */
#include <string.h>

#include "code/piece_impl.h"

enum {
    PIECE_WORDS = 3,   /* words of a key for each node; plus one for all nodes */
    REVERSED_FACT = 40 /* bit of the fact of a place (vary.c) */
};

void hbg_code_take_apart(hbg_code *code, int32_t links) {
    code->fewest_links = links;
}

/* ---- connected in every mode --------------------------------------------------------------------------- */

static int32_t number_in(const int32_map *sorted, int32_t item) {
    int32_t low = 0, high = sorted->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (sorted->items[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sorted->count && sorted->items[low] == item ? low : HBG_NONE;
}

/* Lists the links whose facts decide the equation of a variable; conflicts and parasites have none if no
 * place is reversed. */
static void list_links(hbg_code *code, int32_t variable, fact_set *facts) {
    facts->places.count = facts->links.count = facts->clusters.count = 0;
    hbg_eqn_add_facts(code->eqn, &code->eqn->scratch, variable, facts);
}

static void find_ends(piece_set *set, hbg_code *code, const fact_set *facts) {
    const hbg_causal_structure *structure = code->eqn->structure;
    int32_t places = facts->places.count;
    set->end = HBG_NEW_ARRAY(code->arena, int32_t, 2 * set->links + 1);
    set->place_start = HBG_NEW_ARRAY(code->arena, int32_t, places + 2);
    set->place_links = HBG_NEW_ARRAY(code->arena, int32_t, 2 * set->links + 1);
    for (int32_t i = 0; i < 2 * set->links; i++) {
        int32_t place = structure->links[facts->links.items[i / 2]].end[i % 2].place;
        set->end[i] = place == HBG_NONE ? HBG_NONE : number_in(&facts->places, place);
        if (set->end[i] != HBG_NONE) set->place_start[set->end[i] + 2]++;
    }
    for (int32_t i = 0; i < places; i++) set->place_start[i + 2] += set->place_start[i + 1];
    for (int32_t i = 0; i < 2 * set->links; i++)
        if (set->end[i] != HBG_NONE) set->place_links[set->place_start[set->end[i] + 1]++] = i / 2;
}

void hbg_code_pieces_begin(piece_maker *maker, const hbg_causal_assignment *assignment) {
    hbg_code *code = maker->code;
    piece_set *set = maker->set;
    *set = (piece_set){.links = maker->facts->links.count}; // memory may have run out the last time
    find_ends(set, code, maker->facts);
    maker->met = HBG_NEW_ARRAY(&code->eqn->scratch, int32_t, code->eqn->base_count + 1);
    hbg_eqn_equations_init(&maker->all, &code->eqn->scratch, code->eqn, assignment, PURPOSE_FIELD);
}

static void meet(piece_maker *maker, int32_t variable) {
    int32_t base = variable % maker->code->eqn->base_count, own = maker->set->items.count + 1;
    if (maker->met[base] == own) return;
    maker->met[base] = own;
    HBG_PUSH(maker->all.arena, maker->list, base);
}

/* Follows what the equation of a variable reads, if it is the same in every mode: for a state also the
 * variable that it integrates, which may pulse. */
static void follow(piece_maker *maker, int32_t variable) {
    hbg_eqn *eqn = maker->code->eqn;
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    int32_t index = variable - eqn->first[kind];
    maker->reads.count = 0;
    hbg_eqn_equations_reads(&maker->all, variable, &maker->reads);
    if (kind == VARIABLE_STATE)
        hbg_eqn_equations_read_term(&maker->all, hbg_eqn_equations_rate_term(&maker->all, index),
                                    &maker->reads);
    if (kind == VARIABLE_DER) hbg_eqn_equations_read_term(&maker->all, eqn->pres.terms[index], &maker->reads);
    for (int32_t i = 0; i < maker->reads.count; i++) meet(maker, maker->reads.items[i]);
}

void hbg_code_pieces_add(piece_maker *maker, piece_item item, const int32_map *variables) {
    hbg_code *code = maker->code;
    piece_set *set = maker->set;
    int32_t node = set->links;
    fact_set facts = {0};
    if (set->is_whole) return;
    maker->list.count = 0;
    for (int32_t i = 0; i < variables->count; i++) meet(maker, variables->items[i]);
    for (int32_t i = 0; i < maker->list.count; i++) {
        if (!hbg_eqn_varies(code->eqn, maker->list.items[i])) {
            follow(maker, maker->list.items[i]);
            continue;
        }
        list_links(code, maker->list.items[i], &facts);
        for (int32_t k = 0; k < facts.links.count; k++) {
            int32_t link = number_in(&maker->facts->links, facts.links.items[k]);
            if (link == HBG_NONE) set->is_whole = true;
            if (node < set->links && link != node) {
                HBG_PUSH(code->arena, set->joined, node);
                HBG_PUSH(code->arena, set->joined, link);
            }
            node = link;
        }
    }
    HBG_PUSH(code->arena, set->items, item);
    HBG_PUSH(code->arena, set->item_node, node);
}

void hbg_code_pieces_end(piece_maker *maker) {
    hbg_arena *arena = maker->code->arena;
    piece_set *set = maker->set;
    set->is_made = true;
    hbg_eqn_equations_end(&maker->all);
    if (set->is_whole) return;
    int32_t nodes = set->links + 1;
    set->item_start = HBG_NEW_ARRAY(arena, int32_t, nodes + 2);
    set->item_of = HBG_NEW_ARRAY(arena, int32_t, set->items.count + 1);
    for (int32_t i = 0; i < set->items.count; i++) set->item_start[set->item_node.items[i] + 2]++;
    for (int32_t i = 0; i < nodes; i++) set->item_start[i + 2] += set->item_start[i + 1];
    for (int32_t i = 0; i < set->items.count; i++)
        set->item_of[set->item_start[set->item_node.items[i] + 1]++] = i;
    set->temps = HBG_NEW_ARRAY(arena, int32_map, nodes + 1);
    set->parent = HBG_NEW_ARRAY(arena, int32_t, nodes + 1);
    set->next = HBG_NEW_ARRAY(arena, int32_t, nodes + 1);
    set->last = HBG_NEW_ARRAY(arena, int32_t, nodes + 1);
}

/* ---- connected in this mode ---------------------------------------------------------------------------- */

static int32_t find(const piece_set *set, int32_t node) {
    while (set->parent[node] != node) node = set->parent[node] = set->parent[set->parent[node]];
    return node;
}

/* Joins two sets of nodes; the first node represents them. */
static void join(const piece_set *set, int32_t a, int32_t b) {
    int32_t low = find(set, a), high = find(set, b);
    if (low < high) set->parent[high] = low;
    if (high < low) set->parent[low] = high;
}

static bool join_all(const piece_search *search) {
    const piece_set *set = search->set;
    int32_t places = search->facts->places.count;
    for (int32_t i = 0; i < places; i++)
        if (search->fact[i] >> REVERSED_FACT) return false; // everything in conflict decides together
    for (int32_t i = 0; i <= set->links; i++) set->parent[i] = i;
    for (int32_t i = 0; i < set->joined.count; i += 2)
        join(set, set->joined.items[i], set->joined.items[i + 1]);
    for (int32_t i = 0; i < places; i++) {
        if (search->fact[i] < 2) continue; // off, or floating
        for (int32_t k = set->place_start[i] + 1; k < set->place_start[i + 1]; k++)
            join(set, set->place_links[k - 1], set->place_links[k]);
    }
    return true;
}

/* Lists the nodes of a piece in order, after the first. */
static void list_nodes(const piece_set *set) {
    for (int32_t i = 0; i <= set->links; i++) {
        int32_t root = find(set, i);
        set->next[i] = HBG_NONE;
        if (root != i) set->next[set->last[root]] = i;
        set->last[root] = i;
    }
}

static bool has_items(const piece_set *set, int32_t root) {
    for (int32_t node = root; node != HBG_NONE; node = set->next[node])
        if (set->item_start[node] < set->item_start[node + 1]) return true;
    return false;
}

static uint64_t fact_of_end(const piece_search *search, int32_t end) {
    return end == HBG_NONE ? UINT64_MAX : search->fact[end];
}

/* Writes the key of a piece; returns its number of words. */
static int32_t write_key(const piece_search *search, int32_t root) {
    const piece_set *set = search->set;
    uint64_t *key = search->key;
    for (int32_t node = root; node != HBG_NONE; node = set->next[node], key += PIECE_WORDS) {
        bool link = node < set->links;
        uint64_t fact = link ? search->fact[search->facts->places.count + node] : 0;
        key[0] = (uint64_t)node | fact << 32;
        key[1] = link ? fact_of_end(search, set->end[2 * node]) : 0;
        key[2] = link ? fact_of_end(search, set->end[2 * node + 1]) : 0;
    }
    *key++ = search->can_jump;
    return (int32_t)(key - search->key);
}

/* The slot of a key, or the free one where it would go. */
static int32_t *find_slot(const piece_set *set, const uint64_t *key, int32_t words, uint64_t hash) {
    for (uint64_t i = hash;; i++) {
        int32_t *slot = &set->slots[i & (uint64_t)(set->slot_count - 1)];
        const piece *of = *slot == 0 ? NULL : set->known.items[*slot - 1];
        if (!of || (of->hash == hash && of->words == words &&
                    memcmp(of->key, key, (size_t)words * sizeof *key) == 0))
            return slot;
    }
}

static void make_room(hbg_code *code, piece_set *set) {
    if (2 * set->known.count < set->slot_count) return;
    int32_t count = set->slots ? 2 * set->slot_count : 16;
    set->slots = HBG_NEW_ARRAY(code->arena, int32_t, count); // without memory the table stays as it is
    set->slot_count = count;
    for (int32_t i = 0; i < set->known.count; i++) {
        const piece *of = set->known.items[i];
        *find_slot(set, of->key, of->words, of->hash) = i + 1;
    }
}

enum { FEW = 32 };

/* Sorts items. Long lists are marked and read off: numbers of a piece are close together. */
static void sort_items(hbg_arena *scratch, int32_map *items) {
    int32_t low = INT32_MAX, high = -1, count = items->count;
    for (int32_t i = 1; i < count && count <= FEW; i++) {
        int32_t item = items->items[i], k = i;
        for (; k > 0 && items->items[k - 1] > item; k--) items->items[k] = items->items[k - 1];
        items->items[k] = item;
    }
    if (count <= FEW) return;
    for (int32_t i = 0; i < count; i++) {
        low = items->items[i] < low ? items->items[i] : low;
        high = items->items[i] > high ? items->items[i] : high;
    }
    bool *there = HBG_NEW_ARRAY(scratch, bool, high - low + 1);
    for (int32_t i = 0; i < count; i++) there[items->items[i] - low] = true;
    for (int32_t i = low, next = 0; i <= high; i++)
        if (there[i - low]) items->items[next++] = i;
}

int32_map hbg_code_piece_items(const piece_search *search, int32_t root) {
    const piece_set *set = search->set;
    int32_map items = {0};
    for (int32_t node = root; node != HBG_NONE; node = set->next[node])
        for (int32_t i = set->item_start[node]; i < set->item_start[node + 1]; i++)
            HBG_PUSH(&search->code->eqn->scratch, items, set->item_of[i]);
    sort_items(&search->code->eqn->scratch, &items);
    return items;
}

static piece *make_piece(piece_search *search, int32_t root, int32_t words, uint64_t hash) {
    hbg_code *code = search->code;
    int32_map items = hbg_code_piece_items(search, root);
    piece *made = HBG_NEW(code->arena, piece);
    uint64_t *key = HBG_NEW_ARRAY(code->arena, uint64_t, words + 1);
    memcpy(key, search->key, (size_t)words * sizeof *key);
    made->key = key;
    made->words = words;
    made->hash = hash;
    search->make(search, &items, made);
    HBG_PUSH(code->arena, search->set->known, made);
    return made;
}

static piece *find_piece(piece_search *search, int32_t root) {
    piece_set *set = search->set;
    int32_t words = write_key(search, root);
    uint64_t hash = hbg_rt_hash(search->key, words);
    search->root = root;
    make_room(search->code, set);
    int32_t *slot = find_slot(set, search->key, words, hash);
    if (*slot > 0) return set->known.items[*slot - 1];
    piece *made = make_piece(search, root, words, hash);
    *slot = set->known.count;
    return made;
}

/* A piece that reaches beyond itself belongs to the pieces it reaches. */
static void note_needs(piece_search *search, int32_t root, const piece *of) {
    for (int32_t i = 0; i < of->needs.count; i++) {
        HBG_PUSH(&search->code->eqn->scratch, search->joins, root);
        HBG_PUSH(&search->code->eqn->scratch, search->joins, of->needs.items[i]);
    }
}

/* Finds all pieces. Returns false if one is refused. */
static bool find_all(piece_search *search) {
    const piece_set *set = search->set;
    search->found.count = search->roots.count = search->joins.count = 0;
    list_nodes(set);
    for (int32_t i = 0; i <= set->links; i++) {
        if (set->parent[i] != i || !has_items(set, i)) continue;
        piece *of = find_piece(search, i);
        if (of->is_refused) return false;
        note_needs(search, i, of);
        HBG_PUSH(&search->code->eqn->scratch, search->found, of);
        HBG_PUSH(&search->code->eqn->scratch, search->roots, i);
    }
    return true;
}

bool hbg_code_pieces_find(piece_search *search) {
    piece_set *set = search->set;
    if (set->is_whole || !join_all(search)) return false;
    search->key =
        HBG_NEW_ARRAY(&search->code->eqn->scratch, uint64_t, (size_t)PIECE_WORDS * ((size_t)set->links + 2));
    for (;;) {
        if (!find_all(search)) return false;
        if (search->joins.count == 0) return true;
        for (int32_t i = 0; i < search->joins.count; i += 2)
            join(set, search->joins.items[i], search->joins.items[i + 1]);
    }
}

/* ---- for compiling ------------------------------------------------------------------------------------- */

static void need_node(const piece_search *search, piece *made, int32_t node) {
    if (node != HBG_NONE && find(search->set, node) != search->root)
        HBG_PUSH(search->code->arena, made->needs, node);
}

/* A state that jumps is read after the jump, so the node of its jump is needed. */
static void need_state(const piece_search *search, piece *made, int32_t variable) {
    const hbg_eqn *eqn = search->code->eqn;
    int32_t base = variable % eqn->base_count;
    if (search->set->state_node && hbg_eqn_kind_of(eqn, base) == VARIABLE_STATE)
        need_node(search, made, search->set->state_node[base - eqn->first[VARIABLE_STATE]]);
}

bool hbg_code_piece_holds(piece_search *search, piece *made, const int32_map *variables, int32_t from) {
    hbg_code *code = search->code;
    fact_set facts = {0};
    for (int32_t i = from; i < variables->count; i++) {
        need_state(search, made, variables->items[i]);
        list_links(code, variables->items[i], &facts);
        for (int32_t k = 0; k < facts.links.count; k++) {
            int32_t node = number_in(&search->facts->links, facts.links.items[k]);
            made->is_refused |= node == HBG_NONE;
            need_node(search, made, node);
        }
    }
    return !made->is_refused && made->needs.count == 0;
}

void hbg_code_piece_keep(piece_search *search, piece *made, reading_kind reading,
                         const hbg_code_stage *stage) {
    int32_t count = stage->instructions.count;
    instruction *kept = HBG_NEW_ARRAY(search->code->arena, instruction, count + 1);
    if (count > 0) memcpy(kept, stage->instructions.items, (size_t)count * sizeof *kept);
    made->code[reading] = (hbg_rt_program){kept, count};
    made->has_code[reading] = true;
}

int32_t hbg_code_pieces_program(const piece_search *search, reading_kind reading) {
    int32_t count = 0;
    for (int32_t i = 0; i < search->found.count; i++) count += search->found.items[i]->code[reading].count;
    instruction *joined = HBG_NEW_ARRAY(&search->code->eqn->scratch, instruction, count + 1), *to = joined;
    for (int32_t i = 0; i < search->found.count; i++) {
        hbg_rt_program own = search->found.items[i]->code[reading];
        if (own.count > 0) memcpy(to, own.code, (size_t)own.count * sizeof *to);
        to += own.count;
    }
    return hbg_code_add_program(search->code, joined, count);
}
