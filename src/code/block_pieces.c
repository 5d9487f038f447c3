/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiles a block in a local mode as the pieces into which it divides. */
#include "code/piece_impl.h"

static void make_set(hbg_code *code, segment *of, const hbg_causal_assignment *assignment) {
    piece_maker maker = {.code = code, .set = &of->pieces, .facts = &of->facts};
    hbg_code_pieces_begin(&maker, assignment);
    for (int r = READ_FIELD; r < READ_TANGENT; r++)
        for (int32_t i = 0; i < of->exports[r].count; i++) {
            int32_map variable = {&of->exports[r].items[i], 1, 1};
            hbg_code_pieces_add(&maker, (piece_item){r, of->exports[r].items[i]}, &variable);
        }
    hbg_code_pieces_end(&maker);
}

/* Lists the results of a reading among these items. */
static int32_map list_values(const piece_search *search, const int32_map *items, reading_kind reading) {
    int32_map values = {0};
    for (int32_t i = 0; i < items->count; i++) {
        piece_item item = search->set->items.items[items->items[i]];
        if (item.kind == (int32_t)reading) HBG_PUSH(&search->code->eqn->scratch, values, item.index);
    }
    return values;
}

/* Makes the code of a reading. Returns false if it reaches beyond the piece; with `made` NULL this is known
 * not to happen. */
static bool make_reading(piece_search *search, equations *all, piece *made, const int32_map *values,
                         hbg_code_stage *stage) {
    sorted_equations sorted;
    int32_t before = all->made.count;
    hbg_eqn_equations_sort(all, values->items, values->count, stage->var_register, &sorted);
    if (made && !hbg_code_piece_holds(search, made, &all->made, before)) return false;
    hbg_code_stage_add(stage, all, &sorted);
    for (int32_t i = 0; i < values->count; i++) hbg_code_stage_export(stage, values->items[i]);
    return true;
}

static void add_all(hbg_arena *arena, const int32_map *from, int32_map *to) {
    for (int32_t i = 0; i < from->count; i++) HBG_PUSH(arena, *to, from->items[i]);
}

static void make_block(piece_search *search, const int32_map *items, piece *made) {
    hbg_code *code = search->code;
    segment *of = search->of;
    int32_map located[HBG_RT_LOCATING] = {{0}};
    bool holds = true;
    equations all;
    hbg_code_block_begin(code, search->assignment, false, &all);
    all.no_limits = true;
    for (int r = READ_FIELD; r < READ_TANGENT && holds; r++) {
        int32_map values = list_values(search, items, (reading_kind)r);
        made->has_code[r] = true;
        if (values.count == 0) continue;
        hbg_code_stage *stage =
            hbg_code_block_stage(code, of, &all, &search->set->temps[search->root], located, (reading_kind)r);
        int32_t imported = stage->set_variables.count;
        holds = make_reading(search, &all, made, &values, stage);
        hbg_code_piece_keep(search, made, (reading_kind)r, stage);
        if (r == READ_FIELD) hbg_code_block_names(code->arena, stage, imported, &made->names);
        hbg_code_stage_end(stage);
    }
    for (int r = 0; r < HBG_RT_LOCATING; r++) add_all(code->arena, &located[r], &made->located[r]);
    made->is_refused = made->is_refused || all.refused;
    hbg_eqn_equations_end(&all);
}

static bool find_pieces(piece_search *search, hbg_code *code, segment *of,
                        const hbg_causal_assignment *assignment) {
    if (code->eqn->is_doubted || of->facts.links.count < code->fewest_links) return false;
    if (!of->pieces.is_made) make_set(code, of, assignment);
    *search = (piece_search){.code = code,
                             .set = &of->pieces,
                             .assignment = assignment,
                             .facts = &of->facts,
                             .fact = code->mode.fact_key,
                             .of = of,
                             .make = make_block};
    return hbg_code_pieces_find(search);
}

/* Lists the names of the imports of the block, which are known in every mode. */
static void name_imports(hbg_code *code, const segment *of, int32_map *names) {
    for (int32_t i = 0; i < of->imports.count; i++) {
        int32_t variable = of->imports.items[i];
        if (variable >= code->eqn->base_count || code->where[variable] == HBG_NONE) continue;
        HBG_PUSH(&code->eqn->scratch, *names, variable);
        HBG_PUSH(&code->eqn->scratch, *names, code->where[variable]);
    }
}

bool hbg_code_block_pieces(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                           hbg_rt_variant *made) {
    piece_search search;
    int32_map located[HBG_RT_LOCATING] = {{0}}, names = {0};
    if (!find_pieces(&search, code, of, assignment)) return false;
    for (int r = READ_FIELD; r < READ_TANGENT; r++)
        made->code[r] = hbg_code_pieces_program(&search, (reading_kind)r);
    name_imports(code, of, &names);
    for (int32_t i = 0; i < search.found.count; i++) {
        for (int r = 0; r < HBG_RT_LOCATING; r++)
            add_all(&code->eqn->scratch, &search.found.items[i]->located[r], &located[r]);
        add_all(&code->eqn->scratch, &search.found.items[i]->names, &names);
    }
    made->names = (hbg_rt_range){hbg_code_add_ints(code, names.items, names.count), names.count};
    hbg_code_add_located(code, located, made->located);
    return true;
}

/* ---- tangents ------------------------------------------------------------------------------------------ */

static void make_tangents(piece_search *search, const tangent_plan *plan, reading_kind kind, int32_t root,
                          piece *made) {
    hbg_code *code = search->code;
    segment *of = search->of;
    int32_map items = hbg_code_piece_items(search, root), located[HBG_RT_LOCATING] = {{0}};
    int32_map values = list_values(search, &items, plan->reading);
    equations all;
    made->has_code[kind] = true;
    if (values.count == 0) return;
    search->root = root;
    hbg_code_block_begin(code, search->assignment, false, &all);
    all.no_limits = true;
    hbg_code_stage *stage =
        hbg_code_block_stage(code, of, &all, &search->set->temps[root], located, plan->reading);
    (void)make_reading(search, &all, NULL, &values, stage);
    hbg_code_block_tangents(stage, &all, of, plan, &values);
    hbg_code_piece_keep(search, made, kind, stage);
    hbg_code_stage_end(stage);
    hbg_eqn_equations_end(&all);
}

bool hbg_code_tangent_pieces(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                             const tangent_plan *plan, int32_t *program) {
    reading_kind kind = plan->reading == READ_FIELD ? READ_TANGENT : READ_SLOPES;
    piece_search search;
    hbg_eqn_read_facts(assignment, &of->facts, code->mode.fact_key);
    if (!find_pieces(&search, code, of, assignment)) return false;
    for (int32_t i = 0; i < search.found.count; i++)
        if (!search.found.items[i]->has_code[kind])
            make_tangents(&search, plan, kind, search.roots.items[i], search.found.items[i]);
    *program = hbg_code_pieces_program(&search, kind);
    return true;
}
