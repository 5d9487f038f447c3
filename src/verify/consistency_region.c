/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * From a condition to readable inequalities. Values that fulfil it choose a branch wherever the condition
 * leaves a choice; what remains is a conjunction. Inequalities it does not need are dropped, it is excluded,
 * and the next values are sought. */
#include "verify/region_impl.h"

#define CUBE_LIMIT 400 /* inequalities of one conjunction */

static bool holds(formulas *f, formula a) {
    formula value = hbg_verify_formula_in_model(f, a);
    return value && Z3_get_bool_value(f->z3, value) == Z3_L_TRUE;
}

/* A choice between numbers inside an inequality, or NULL. */
static formula find_choice(formulas *f, formula a) {
    if (Z3_get_ast_kind(f->z3, a) != Z3_APP_AST) return NULL;
    if (hbg_verify_formula_kind(f, a) == Z3_OP_ITE) return a;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++) {
        formula found = find_choice(f, hbg_verify_formula_argument(f, a, i));
        if (found) return found;
    }
    return NULL;
}

static void add_literal(formulas *f, formula literal, region_cube *cube) {
    if (literal == f->yes || cube->count >= CUBE_LIMIT) return;
    for (int32_t i = 0; i < cube->count; i++)
        if (cube->items[i] == literal) return;
    HBG_PUSH(f->arena, *cube, literal);
}

static void collect(formulas *f, formula a, bool positive, region_cube *cube);

/* An inequality, with the branch taken in place of a choice in it. What remains may be no inequality any more, but several. */
static void collect_atom(formulas *f, formula a, bool positive, region_cube *cube) {
    formula choice = find_choice(f, a);
    if (!choice) {
        add_literal(f, positive ? a : hbg_verify_formula_not(f, a), cube);
        return;
    }
    formula condition = hbg_verify_formula_argument(f, choice, 0);
    bool first = holds(f, condition);
    collect(f, condition, first, cube);
    formula branch = hbg_verify_formula_argument(f, choice, first ? 1 : 2);
    collect(f, hbg_verify_formula_replace(f, a, 1, &choice, &branch), positive, cube);
}

/* Of several that hold, the one with the fewest parts. */
static void collect_one(formulas *f, formula a, bool positive, region_cube *cube) {
    region_cube best = {0};
    bool any = false;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++) {
        formula part = hbg_verify_formula_argument(f, a, i);
        if (holds(f, part) != positive) continue;
        region_cube own = {0};
        collect(f, part, positive, &own);
        if (!any || own.count < best.count) best = own;
        any = true;
    }
    for (int32_t i = 0; i < best.count; i++) add_literal(f, best.items[i], cube);
}

static void collect(formulas *f, formula a, bool positive, region_cube *cube) {
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (cube->count >= CUBE_LIMIT) return;
    if (kind == Z3_OP_NOT) {
        collect(f, hbg_verify_formula_argument(f, a, 0), !positive, cube);
    } else if (kind == Z3_OP_AND || kind == Z3_OP_OR) {
        if ((kind == Z3_OP_AND) != positive) {
            collect_one(f, a, positive, cube);
            return;
        }
        for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++)
            collect(f, hbg_verify_formula_argument(f, a, i), positive, cube);
    } else if (kind == Z3_OP_ITE) {
        bool first = holds(f, hbg_verify_formula_argument(f, a, 0));
        collect(f, hbg_verify_formula_argument(f, a, 0), first, cube);
        collect(f, hbg_verify_formula_argument(f, a, first ? 1 : 2), positive, cube);
    } else if (kind == Z3_OP_EQ &&
               Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, hbg_verify_formula_argument(f, a, 0))) ==
                   Z3_BOOL_SORT) {
        collect(f, hbg_verify_formula_argument(f, a, 0), holds(f, hbg_verify_formula_argument(f, a, 0)),
                cube);
        collect(f, hbg_verify_formula_argument(f, a, 1), holds(f, hbg_verify_formula_argument(f, a, 1)),
                cube);
    } else if ((kind == Z3_OP_EQ && !positive) || (kind == Z3_OP_DISTINCT && positive)) {
        formula less = hbg_verify_formula_less(f, hbg_verify_formula_argument(f, a, 0),
                                               hbg_verify_formula_argument(f, a, 1)); // one side of it
        formula more = hbg_verify_formula_less(f, hbg_verify_formula_argument(f, a, 1),
                                               hbg_verify_formula_argument(f, a, 0));
        collect_atom(f, holds(f, less) ? less : more, true, cube);
    } else {
        collect_atom(f, a, positive, cube);
    }
}

void hbg_verify_region_cube(formulas *f, formula a, region_cube *cube) {
    collect(f, a, true, cube);
}

formula hbg_verify_region_chosen(formulas *f, formula a, region_cube *cube) {
    for (formula choice; (choice = find_choice(f, a)) != NULL;) {
        formula condition = hbg_verify_formula_argument(f, choice, 0);
        bool first = holds(f, condition);
        collect(f, condition, first, cube);
        formula branch = hbg_verify_formula_argument(f, choice, first ? 1 : 2);
        a = hbg_verify_formula_replace(f, a, 1, &choice, &branch);
    }
    return a;
}

static formula without(formulas *f, const region_cube *cube, int32_t left_out) {
    formula all = f->yes;
    for (int32_t i = 0; i < cube->count; i++)
        if (i != left_out && cube->items[i]) all = hbg_verify_formula_and(f, all, cube->items[i]);
    return all;
}

void hbg_verify_region_widen(formulas *f, formula known, formula region, region_cube *cube) {
    formula outside = hbg_verify_formula_and(f, known, hbg_verify_formula_not(f, region));
    int32_t kept = 0;
    for (int32_t i = cube->count - 1; i >= 0; i--) {
        formula rest = hbg_verify_formula_and(f, without(f, cube, i), outside);
        if (hbg_verify_formulas_check(f, rest) == ANSWER_NONE) cube->items[i] = NULL;
    }
    for (int32_t i = 0; i < cube->count; i++)
        if (cube->items[i]) cube->items[kept++] = cube->items[i];
    cube->count = kept;
}

/* ---- alternatives ------------------------------------------------------------------------------------------ */

#define JOIN_LIMIT 8 /* inequalities of alternatives that are merged */

static bool implies(formulas *f, formula a, formula b) {
    return hbg_verify_formulas_check(f, hbg_verify_formula_and(f, a, hbg_verify_formula_not(f, b))) ==
           ANSWER_NONE;
}

static bool is_easy(formulas *f, const region_cube *cube) {
    if (!cube->items || cube->count > JOIN_LIMIT) return false;
    for (int32_t i = 0; i < cube->count; i++)
        if (hbg_verify_formula_is_nonlinear(f, cube->items[i])) return false;
    return true;
}

/* Points that leave `from` on one side and `to` on the other: neither of the two holds where they are
 * equal. */
static formula unequal(formulas *f, formula literal) {
    while (hbg_verify_formula_kind(f, literal) == Z3_OP_NOT)
        literal = hbg_verify_formula_argument(f, literal, 0);
    Z3_decl_kind kind = hbg_verify_formula_kind(f, literal);
    if (kind != Z3_OP_LE && kind != Z3_OP_GE && kind != Z3_OP_LT && kind != Z3_OP_GT) return NULL;
    return hbg_verify_formula_not(f, hbg_verify_formula_equal(f, hbg_verify_formula_argument(f, literal, 0),
                                                              hbg_verify_formula_argument(f, literal, 1)));
}

/* Two alternatives as one, where what both imply is no more than either. */
static bool join(formulas *f, const region_cube *a, const region_cube *b, region_cube *joined) {
    formula first = without(f, a, HBG_NONE), second = without(f, b, HBG_NONE);
    formula either = hbg_verify_formula_or(f, first, second);
    *joined = (region_cube){0};
    for (int32_t i = 0; i < a->count; i++)
        if (implies(f, second, a->items[i])) add_literal(f, a->items[i], joined);
    for (int32_t i = 0; i < b->count; i++)
        if (implies(f, first, b->items[i])) add_literal(f, b->items[i], joined);
    formula all = without(f, joined, HBG_NONE);
    if (implies(f, all, either)) return true;
    for (int32_t i = 0; i < a->count; i++) {
        formula apart = unequal(f, a->items[i]);
        if (!apart || !implies(f, either, apart) ||
            !implies(f, hbg_verify_formula_and(f, all, apart), either))
            continue;
        add_literal(f, apart, joined);
        return true;
    }
    return false;
}

/* -1 <= x < 0 or 0 <= x <= 1 is -1 <= x <= 1. */
static void join_alternatives(formulas *f, region_cube *cubes, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < count; k++) {
            region_cube joined;
            if (k == i || !is_easy(f, &cubes[i]) || !is_easy(f, &cubes[k])) continue;
            if (!join(f, &cubes[i], &cubes[k], &joined)) continue;
            if (joined.count == 0) joined.items = HBG_NEW_ARRAY(f->arena, formula, 1);
            cubes[i] = joined;
            cubes[k].items = NULL;
            k = -1; // the others may be dropped with its present form
        }
}

/* The length of the first inequality of a list: up to a comma outside brackets. */
static size_t first_part(const char *text) {
    size_t size = 0;
    for (int depth = 0; text[size] && !(depth == 0 && text[size] == ','); size++) {
        depth += text[size] == '(' || text[size] == '[';
        depth -= text[size] == ')' || text[size] == ']';
    }
    return size;
}

static bool has_part(const char *list, const char *part, size_t size) {
    while (*list) {
        size_t own = first_part(list);
        if (own == size && strncmp(list, part, size) == 0) return true;
        list += own;
        while (*list == ',' || *list == ' ') list++;
    }
    return false;
}

/* The same inequalities, in any order. */
static bool is_same_list(const char *a, const char *b) {
    if (strlen(a) != strlen(b)) return false;
    for (const char *at = a; *at;) {
        size_t size = first_part(at);
        if (!has_part(b, at, size)) return false;
        at += size;
        while (*at == ',' || *at == ' ') at++;
    }
    return true;
}

/* Leaves out what another alternative contains. */
static void drop_covered(formulas *f, region_cube *cubes, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (!cubes[i].items) continue;
        formula own = without(f, &cubes[i], HBG_NONE);
        for (int32_t k = 0; k < count && cubes[i].items; k++) {
            if (k == i || !cubes[k].items) continue;
            if (implies(f, own, without(f, &cubes[k], HBG_NONE))) cubes[i].items = NULL;
        }
    }
}

region_cubes hbg_verify_region_cubes(formulas *f, const path_region *regions, int32_t count, int32_t most) {
    region_cubes found = {.complete = true};
    HBG_VEC(region_cube) cubes = {0};
    formula any = f->no, whole = f->no;
    for (int32_t i = 0; i < count; i++) {
        any = hbg_verify_formula_or(f, any, regions[i].condition);
        whole = hbg_verify_formula_or(f, whole,
                                      hbg_verify_formula_and(f, regions[i].known, regions[i].condition));
    }
    while (found.complete) {
        verify_answer answer = hbg_verify_formulas_check(f, whole);
        if (answer == ANSWER_NONE) break;
        found.complete = answer == ANSWER_FOUND && cubes.count < most;
        if (!found.complete) break;
        region_cube cube = {0};
        int32_t at = 0;
        while (at < count - 1 && !(holds(f, regions[at].condition) && holds(f, regions[at].known))) at++;
        hbg_verify_region_cube(f, regions[at].condition, &cube);
        hbg_verify_region_widen(f, regions[at].known, any, &cube);
        if (!cube.items) cube.items = HBG_NEW_ARRAY(f->arena, formula, 1); // everywhere
        HBG_PUSH(f->arena, cubes, cube);
        whole = hbg_verify_formula_and(f, whole, hbg_verify_formula_not(f, without(f, &cube, HBG_NONE)));
    }
    join_alternatives(f, cubes.items, cubes.count);
    drop_covered(f, cubes.items, cubes.count);
    for (int32_t i = 0; i < cubes.count; i++)
        if (cubes.items[i].items) cubes.items[found.count++] = cubes.items[i];
    found.items = cubes.items;
    return found;
}

/* In order of their texts, each once. */
region_words hbg_verify_region_words(group_proof *proof, const path_region *regions, int32_t count,
                                     int32_t most) {
    region_cubes cubes = hbg_verify_region_cubes(&proof->f, regions, count, most);
    region_words words = {.complete = cubes.complete};
    words.items = HBG_NEW_ARRAY(proof->arena, const char *, cubes.count + 1);
    for (int32_t i = 0; i < cubes.count; i++) {
        bool told = false;
        hbg_buffer text;
        hbg_base_buffer_init(&text, proof->arena);
        hbg_verify_region_print(proof, &cubes.items[i], &text);
        for (int32_t k = 0; k < words.count && !told; k++) told = is_same_list(words.items[k], text.data);
        if (told) continue; // unknowns of other loops may have the same name
        int32_t place = words.count;
        while (place > 0 && strcmp(words.items[place - 1], text.data) > 0) place--;
        memmove(words.items + place + 1, words.items + place,
                (size_t)(words.count - place) * sizeof *words.items);
        words.items[place] = text.data;
        words.count++;
    }
    return words;
}
