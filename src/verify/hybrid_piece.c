/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A region as convex pieces. Values that fulfil it choose one side wherever it, or a law, leaves a choice;
 * what remains is a conjunction of inequalities, which is excluded before the next values are sought. */
#include "verify/hybrid_impl.h"

#define PIECE_LIMIT 64 /* of one region */

static formula all_of(formulas *f, const region_cube *cube) {
    formula all = f->yes;
    for (int32_t i = 0; i < cube->count; i++) all = hbg_verify_formula_and(f, all, cube->items[i]);
    return all;
}

/* Leaves out what the others imply. */
static void drop_implied(formulas *f, formula known, region_cube *cube) {
    int32_t kept = 0;
    for (int32_t i = 0; i < cube->count; i++) {
        formula rest = hbg_verify_formula_and(f, known, hbg_verify_formula_not(f, cube->items[i]));
        for (int32_t k = 0; k < cube->count; k++)
            if (k < kept || k > i) rest = hbg_verify_formula_and(f, rest, cube->items[k]);
        if (hbg_verify_formulas_check(f, rest) != ANSWER_NONE) cube->items[kept++] = cube->items[i];
    }
    cube->count = kept;
}

static bool refuse(hybrid_map *map, const hybrid_terms *of, formula a) {
    formulas *f = &map->proof->f;
    hbg_buffer text;
    hbg_base_buffer_init(&text, f->arena);
    hbg_verify_region_print_literal(map->proof, a, &text);
    hbg_verify_hybrid_refuse(map, map->proof->model->span, "%s of %s is not affine: %s", of->what,
                             hbg_verify_paths_mode_text(map->proof, of->states), text.data);
    return false;
}

/* Where a term is not affine: its argument. */
static bool refuse_term(hybrid_map *map, const hybrid_terms *of, int32_t term) {
    const hbg_hybrid_variable *variable = &map->made->variables.items[term];
    hbg_span place = map->proof->model->span;
    const char *name =
        variable->kind == HBG_HYBRID_STATE ? map->proof->system->states[variable->of].name : "";
    if (variable->kind == HBG_HYBRID_HELD) place = map->proof->model->signals.items[variable->of].id.span;
    hbg_verify_hybrid_refuse(map, place, "%s of %s is not affine: what becomes of `%s`", of->what,
                             hbg_verify_paths_mode_text(map->proof, of->states), name);
    return false;
}

static bool make_piece(hybrid_map *map, const region_cube *cube, const hybrid_terms *of,
                       hybrid_piece *piece) {
    formulas *f = &map->proof->f;
    piece->closed = f->yes;
    for (int32_t i = 0; i < cube->count; i++) {
        hbg_hybrid_bound bound;
        formula closed;
        if (!hbg_verify_hybrid_bound(map, cube->items[i], &bound, &closed))
            return refuse(map, of, cube->items[i]);
        HBG_PUSH(map->proof->arena, piece->bounds, bound);
        piece->closed = hbg_verify_formula_and(f, piece->closed, closed);
    }
    piece->sums = HBG_NEW_ARRAY(map->proof->arena, hbg_hybrid_sum, of->term_count + 1);
    for (int32_t i = 0; i < of->term_count; i++)
        if (!hbg_verify_hybrid_sum(map, piece->values[i], &piece->sums[i])) return refuse_term(map, of, i);
    return true;
}

bool hbg_verify_hybrid_pieces(hybrid_map *map, formula known, formula region, const hybrid_terms *of,
                              hybrid_pieces *pieces) {
    formulas *f = &map->proof->f;
    formula left = hbg_verify_formula_and(f, known, region);
    *pieces = (hybrid_pieces){0};
    for (verify_answer answer; (answer = hbg_verify_formulas_check(f, left)) != ANSWER_NONE;) {
        if (answer == ANSWER_UNKNOWN || pieces->count == PIECE_LIMIT) {
            hbg_verify_hybrid_refuse(map, map->proof->model->span,
                                     answer == ANSWER_UNKNOWN ? "%s of %s: the prover found no answer"
                                                              : "%s of %s has more than 64 convex pieces",
                                     of->what, hbg_verify_paths_mode_text(map->proof, of->states));
            return false;
        }
        region_cube cube = {0}, chosen = {0};
        hybrid_piece piece = {.values = HBG_NEW_ARRAY(f->arena, formula, of->term_count + 1)};
        for (int32_t i = 0; i < of->term_count; i++)
            piece.values[i] = hbg_verify_region_chosen(f, of->terms[i], &chosen);
        hbg_verify_region_cube(f, region, &cube);
        hbg_verify_region_widen(f, known, region, &cube);
        for (int32_t i = 0; i < chosen.count; i++) HBG_PUSH(f->arena, cube, chosen.items[i]);
        if (chosen.count > 0) drop_implied(f, known, &cube);
        if (!make_piece(map, &cube, of, &piece)) return false;
        HBG_PUSH(f->arena, *pieces, piece);
        left = hbg_verify_formula_and(f, left, hbg_verify_formula_not(f, all_of(f, &cube)));
    }
    return true;
}
