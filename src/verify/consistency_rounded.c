/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constants that are no fractions, sqrt(2) or pi, are taken as a fraction next to them. What is found then has to be so for the constant
 * too: values that fulfil it only by less than the difference, between sqrt(2) and the fraction, are none. Every inequality in which such
 * a number may take part has to hold with some distance. */
#include <math.h>

#include "verify/region_impl.h"

#define DISTANCE    1e-9 /* of the sides of an inequality, as a share of what they are made of */
#define LONG_DIGITS 8    /* of a fraction: from so many on it may stand for something else */

typedef struct {
    formulas *f;
    hbg_pair_map long_in; /* by Z3's number: 1 if a long fraction is in it */
    hbg_pair_map place;   /* (Z3's number, positive) -> in `made` */
    HBG_VEC(formula) made;
} firm_walk;

/* ---- numbers ------------------------------------------------------------------------------------------------- */

static bool is_long(formulas *f, formula number) {
    const char *text = Z3_get_numeral_string(f->z3, number);
    return strchr(text, '/') && strlen(text) > LONG_DIGITS;
}

static bool has_long(firm_walk *walk, formula a) {
    formulas *f = walk->f;
    if (hbg_formula_is_number(f, a)) return is_long(f, a);
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), known = hbg_pair_map_find(&walk->long_in, id, 0);
    if (known >= 0) return known == 1;
    bool found = false;
    for (unsigned i = 0; i < hbg_formula_argument_count(f, a) && !found; i++)
        found = has_long(walk, hbg_formula_argument(f, a, i));
    hbg_pair_map_add(&walk->long_in, id, 0, found);
    return found;
}

/* The largest that its parts can make of it, with the values found last. */
static double size_of(formulas *f, formula a) {
    if (hbg_formula_is_number(f, a)) return fabs(hbg_formula_to_double(f, a));
    Z3_decl_kind kind = hbg_formula_kind(f, a);
    unsigned count = hbg_formula_argument_count(f, a);
    double size = kind == Z3_OP_MUL ? 1 : 0;
    if (kind == Z3_OP_ADD || kind == Z3_OP_SUB || kind == Z3_OP_UMINUS || kind == Z3_OP_MUL) {
        for (unsigned i = 0; i < count; i++) {
            double part = size_of(f, hbg_formula_argument(f, a, i));
            size = kind == Z3_OP_MUL ? size * part : size + part;
        }
        return size;
    }
    formula value = hbg_formula_in_model(f, a);
    size = value ? fabs(hbg_formula_to_double(f, value)) : 0;
    return isfinite(size) ? size : 0;
}

/* ---- inequalities -------------------------------------------------------------------------------------------- */

static formula firm(firm_walk *walk, formula a, bool positive);

static formula firm_relation(firm_walk *walk, formula a, bool less, bool positive) {
    formulas *f = walk->f;
    formula low = hbg_formula_argument(f, a, less ? 0 : 1), high = hbg_formula_argument(f, a, less ? 1 : 0);
    double distance = DISTANCE * (size_of(f, low) + size_of(f, high));
    if (!positive) {
        formula kept = low;
        low = high;
        high = kept;
    }
    return hbg_formula_less_equal(f, hbg_formula_add(f, low, hbg_formula_double(f, distance)), high);
}

static formula firm_parts(firm_walk *walk, formula a, bool all, bool positive) {
    formulas *f = walk->f;
    formula made = all ? f->yes : f->no;
    for (unsigned i = 0; i < hbg_formula_argument_count(f, a); i++) {
        formula part = firm(walk, hbg_formula_argument(f, a, i), positive);
        made = all ? hbg_formula_and(f, made, part) : hbg_formula_or(f, made, part);
    }
    return made;
}

static formula make_firm(firm_walk *walk, formula a, bool positive) {
    formulas *f = walk->f;
    Z3_decl_kind kind = hbg_formula_kind(f, a);
    switch (kind) {
    case Z3_OP_NOT: return firm(walk, hbg_formula_argument(f, a, 0), !positive);
    case Z3_OP_AND:
    case Z3_OP_OR: return firm_parts(walk, a, (kind == Z3_OP_AND) == positive, positive);
    case Z3_OP_LE:
    case Z3_OP_LT:
    case Z3_OP_GE:
    case Z3_OP_GT:
        if (has_long(walk, a)) return firm_relation(walk, a, kind == Z3_OP_LE || kind == Z3_OP_LT, positive);
        break;
    default: break;
    }
    return positive ? a : hbg_formula_not(f, a);
}

static formula firm(firm_walk *walk, formula a, bool positive) {
    formulas *f = walk->f;
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), found = hbg_pair_map_find(&walk->place, id, positive);
    if (found >= 0) return walk->made.items[found];
    formula made = make_firm(walk, a, positive);
    HBG_PUSH(f->arena, walk->made, made);
    hbg_pair_map_add(&walk->place, id, positive, walk->made.count - 1);
    return made;
}

bool hbg_group_is_firm(group_proof *proof, formula found) {
    formulas *f = &proof->f;
    if (proof->rounded.count == 0) return true;
    firm_walk walk = {.f = f};
    hbg_pair_map_init(&walk.long_in, proof->arena);
    hbg_pair_map_init(&walk.place, proof->arena);
    return hbg_formulas_check(f, firm(&walk, found, true)) == ANSWER_FOUND;
}

void hbg_group_note_rounded(group_proof *proof, const char *text) {
    for (int32_t i = 0; i < proof->rounded.count; i++)
        if (strcmp(proof->rounded.items[i], text) == 0) return;
    HBG_PUSH(proof->arena, proof->rounded, text);
}
