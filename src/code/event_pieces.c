/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiles the code of an instant for an island in a local mode as the pieces into which the island
 * divides. */
#include "code/piece_impl.h"

/* Results of a piece: a variable, the work of a power line, a state after the jump. */
enum { ITEM_ASKED, ITEM_WORK, ITEM_STATE };

static void read_term(hbg_eqn *eqn, hbg_term term, int32_map *variables) {
    variables->count = 0;
    hbg_term_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN)
            HBG_PUSH(&eqn->scratch, *variables, node->a);
    }
}

static void make_set(hbg_code *code, const island *of, piece_set *set,
                     const hbg_causal_assignment *assignment) {
    hbg_eqn *eqn = code->eqn;
    piece_maker maker = {.code = code, .set = set, .facts = &of->facts};
    int32_map variables = {0};
    hbg_code_pieces_begin(&maker, assignment);
    for (int32_t i = 0; i < of->asked.count; i++) {
        int32_map asked = {&of->asked.items[i], 1, 1};
        hbg_code_pieces_add(&maker, (piece_item){ITEM_ASKED, i}, &asked);
    }
    for (int32_t i = 0; i < of->powers.count; i++) {
        read_term(eqn, eqn->readouts.works[of->powers.items[i]], &variables);
        hbg_code_pieces_add(&maker, (piece_item){ITEM_WORK, i}, &variables);
    }
    set->state_node = HBG_NEW_ARRAY(code->arena, int32_t, eqn->state_count + 1);
    for (int32_t i = 0; i < eqn->state_count; i++) set->state_node[i] = HBG_NONE;
    for (int32_t i = 0; i < of->states.count && !set->is_whole; i++) {
        int32_t state = eqn->first[VARIABLE_STATE] + of->states.items[i];
        hbg_code_pieces_add(&maker, (piece_item){ITEM_STATE, i}, &(int32_map){&state, 1, 1});
        set->state_node[of->states.items[i]] = set->item_node.items[set->item_node.count - 1];
    }
    hbg_code_pieces_end(&maker);
}

/* Makes an island of these items; lists the cells and power lines it computes for the whole. */
static island part_of(const piece_search *search, const int32_map *items, int32_map *asked,
                      int32_map *powers) {
    hbg_arena *scratch = &search->code->eqn->scratch;
    const island *of = search->of;
    island part = {.pres = of->pres};
    for (int32_t i = 0; i < items->count; i++) {
        piece_item item = search->set->items.items[items->items[i]];
        if (item.kind == ITEM_ASKED) {
            HBG_PUSH(scratch, part.asked, of->asked.items[item.index]);
            HBG_PUSH(scratch, *asked, item.index);
        } else if (item.kind == ITEM_WORK) {
            HBG_PUSH(scratch, part.powers, of->powers.items[item.index]);
            HBG_PUSH(scratch, *powers, item.index);
        } else {
            HBG_PUSH(scratch, part.states, of->states.items[item.index]);
        }
    }
    return part;
}

static void add_pair(piece_search *search, int32_map *pairs, int32_t first, int32_t second) {
    HBG_PUSH(search->code->arena, *pairs, first);
    HBG_PUSH(search->code->arena, *pairs, second);
}

static void add_all(hbg_arena *arena, const int32_map *from, int32_map *to) {
    for (int32_t i = 0; i < from->count; i++) HBG_PUSH(arena, *to, from->items[i]);
}

static void compile(piece_search *search, const island *part, const int32_map *asked, const int32_map *powers,
                    equations *all, const sorted_equations *sorted, piece *made) {
    hbg_code *code = search->code;
    hbg_eqn *eqn = code->eqn;
    int32_map inputs, olds;
    hbg_code_stage *stage = hbg_code_stage_new(&eqn->scratch, code, &search->set->temps[search->root], false);
    hbg_code_stage_add(stage, all, sorted);
    for (int32_t k = 0; k < powers->count; k++)
        add_pair(search, &made->work, powers->items[k],
                 hbg_code_stage_term(stage, eqn->readouts.works[part->powers.items[k]]));
    hbg_code_event_checks(code->arena, all, stage, &made->checks);
    hbg_code_piece_keep(search, made, READ_FIELD, stage);
    int32_t *registers = HBG_NEW_ARRAY(&eqn->scratch, int32_t, part->asked.count + 1);
    for (int32_t i = 0; i < part->asked.count; i++) {
        registers[i] = stage->var_register[part->asked.items[i]];
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is one for each in the part
        add_pair(search, &made->reg, asked->items[i], registers[i]);
    }
    hbg_code_stage_end(stage);
    hbg_code_event_inputs(code, part, registers, made->code[READ_FIELD], &inputs, &olds);
    add_all(code->arena, &inputs, &made->inputs);
    add_all(code->arena, &olds, &made->olds);
}

static void make_event(piece_search *search, const int32_map *items, piece *made) {
    hbg_eqn *eqn = search->code->eqn;
    int32_map asked = {0}, powers = {0};
    island_piece piece = {.can_jump = search->can_jump};
    static const int32_map no_more = {0};
    equations all;
    sorted_equations sorted;
    island part = part_of(search, items, &asked, &powers);
    part.piece = &piece;
    hbg_eqn_sort_event(eqn, &part, search->assignment, &no_more, &all, &sorted);
    made->is_refused = all.refused || all.dependences;
    if (!made->is_refused && hbg_code_piece_holds(search, made, &piece.decisive, 0) &&
        hbg_code_piece_holds(search, made, &all.made, 0))
        compile(search, &part, &asked, &powers, &all, &sorted, made);
    hbg_eqn_equations_end(&all);
}

/* ---- put together -------------------------------------------------------------------------------------- */

/* The registers of all pieces, by place in the list of the whole. */
static hbg_rt_range place_all(const piece_search *search, int32_t count, bool work) {
    hbg_code *code = search->code;
    hbg_rt_range range = {HBG_POOL_ROOM(code->arena, code->image.pool.ints, count), count};
    if (count == 0) return range;
    int32_t *to = HBG_RT_AT(code->image.pool.ints, range.first);
    for (int32_t i = 0; i < search->found.count; i++) {
        const piece *of = search->found.items[i];
        const int32_map *pairs = work ? &of->work : &of->reg;
        for (int32_t k = 0; k < pairs->count; k += 2) to[pairs->items[k]] = pairs->items[k + 1];
    }
    return range;
}

static hbg_rt_range join_checks(const piece_search *search) {
    int32_map checks = {0};
    for (int32_t i = 0; i < search->found.count; i++)
        add_all(&search->code->eqn->scratch, &search->found.items[i]->checks, &checks);
    return (hbg_rt_range){hbg_code_add_ints(search->code, checks.items, checks.count), checks.count};
}

/* The input registers of all pieces, each once. */
static hbg_rt_range join_inputs(const piece_search *search) {
    hbg_code *code = search->code;
    uint8_t *seen = hbg_code_seen(code);
    int32_map inputs = {0};
    for (int32_t i = 0; i < search->found.count; i++) {
        const int32_map *own = &search->found.items[i]->inputs;
        for (int32_t k = 0; k < own->count; k++) {
            if (seen[own->items[k]]) continue;
            seen[own->items[k]] = 1;
            HBG_PUSH(&code->eqn->scratch, inputs, own->items[k]);
        }
    }
    for (int32_t i = 0; i < inputs.count; i++) seen[inputs.items[i]] = 0;
    return (hbg_rt_range){hbg_code_add_ints(code, inputs.items, inputs.count), inputs.count};
}

/* The states that any piece starts from, each once. */
static hbg_rt_range join_olds(const piece_search *search) {
    hbg_code *code = search->code;
    bool *listed = HBG_NEW_ARRAY(&code->eqn->scratch, bool, code->eqn->state_count + 1);
    int32_map olds = {0};
    for (int32_t i = 0; i < search->found.count; i++) {
        const int32_map *own = &search->found.items[i]->olds;
        for (int32_t k = 0; k < own->count; k++) {
            if (listed[own->items[k]]) continue;
            listed[own->items[k]] = true;
            HBG_PUSH(&code->eqn->scratch, olds, own->items[k]);
        }
    }
    return (hbg_rt_range){hbg_code_add_ints(code, olds.items, olds.count), olds.count};
}

bool hbg_code_event_pieces(hbg_code *code, int32_t number, const hbg_causal_assignment *assignment,
                           hbg_rt_event *made) {
    island *of = &code->eqn->islands.items[number];
    piece_set *set = &code->island_code[number].pieces;
    piece_search search = {.code = code,
                           .set = set,
                           .assignment = assignment,
                           .facts = &of->facts,
                           .fact = code->mode.fact_key,
                           .of = of,
                           .make = make_event};
    if (code->eqn->is_doubted || of->facts.links.count < code->fewest_links) return false;
    if (!set->is_made) make_set(code, of, set, assignment);
    search.can_jump = hbg_eqn_can_jump(code->eqn, of, assignment);
    if (!hbg_code_pieces_find(&search)) return false;
    made->code = hbg_code_pieces_program(&search, READ_FIELD);
    made->reg = place_all(&search, of->asked.count, false);
    made->work = place_all(&search, of->powers.count, true);
    made->checks = join_checks(&search);
    made->inputs = join_inputs(&search);
    made->olds = join_olds(&search);
    made->limit = made->refused = HBG_NONE;
    made->far = made->conflicts = (hbg_rt_range){0, 0};
    return true;
}
