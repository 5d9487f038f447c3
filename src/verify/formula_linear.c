/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is left of a formula when every product of symbols is a symbol of its own, of which it is known at most that it is a square. That is
 * linear, and fast to decide; if it cannot be, the formula cannot be either. Most ways of a search end like that: two guards that
 * exclude one another compare the same products. */
#include "verify/formula_impl.h"

#define FACTORS 64 /* of a product */

/* The symbol for a product, or for anything else that is not linear. */
static formula symbol_for(formulas *f, formula a) {
    return hbg_formula_real(f, hbg_arena_print(f->arena, "product'%u", Z3_get_ast_id(f->z3, a)));
}

static bool is_square(formulas *f, const formula *factors, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        unsigned equal = 0;
        for (unsigned k = 0; k < count; k++) equal += factors[k] == factors[i];
        if (equal % 2) return false;
    }
    (void)f;
    return true;
}

/* Factors without number, in order, so that equal products are one. */
static formula abstract_product(formulas *f, formula a, formula *squares) {
    formula factors[FACTORS], number = f->one;
    unsigned count = 0;
    for (unsigned i = 0; i < hbg_formula_argument_count(f, a) && count < FACTORS; i++) {
        formula at = hbg_formula_argument(f, a, i);
        if (hbg_formula_is_number(f, at))
            number = hbg_formula_multiply(f, number, at);
        else
            factors[count++] = at;
    }
    if (count == 1) return hbg_formula_multiply(f, number, hbg_formula_linear(f, factors[0], squares));
    if (count == FACTORS) return symbol_for(f, a);
    formula whole = Z3_simplify(f->z3, Z3_mk_mul(f->z3, count, factors));
    formula symbol = symbol_for(f, whole);
    if (is_square(f, factors, count))
        *squares = hbg_formula_and(f, *squares, hbg_formula_less_equal(f, f->zero, symbol));
    return hbg_formula_multiply(f, number, symbol);
}

formula hbg_formula_linear(formulas *f, formula a, formula *squares) {
    if (!hbg_formula_is_nonlinear(f, a)) return a;
    Z3_decl_kind kind = hbg_formula_kind(f, a);
    if (kind == Z3_OP_MUL) return abstract_product(f, a, squares);
    if (kind == Z3_OP_POWER || kind == Z3_OP_DIV) return symbol_for(f, a);
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), count = (int32_t)hbg_formula_argument_count(f, a);
    formula *to = HBG_NEW_ARRAY(f->arena, formula, count + 1);
    int32_t found = hbg_pair_map_find(&f->linear_of, id, 0);
    if (found >= 0) {
        *squares = hbg_formula_and(f, *squares, f->linear_made.items[found + 1]);
        return f->linear_made.items[found];
    }
    formula own = f->yes;
    for (int32_t i = 0; i < count; i++)
        to[i] = hbg_formula_linear(f, hbg_formula_argument(f, a, (unsigned)i), &own);
    formula made = Z3_update_term(f->z3, a, (unsigned)count, to);
    hbg_pair_map_add(&f->linear_of, id, 0, f->linear_made.count);
    HBG_PUSH(f->arena, f->linear_made, made);
    HBG_PUSH(f->arena, f->linear_made, own);
    *squares = hbg_formula_and(f, *squares, own);
    return made;
}
