/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is left of a formula when every product of symbols is a separate symbol, of which at most it is known
 * that it is a square. That is linear, and fast to decide; if it is impossible, so is the formula. Most ways
 * of a search end like that: two guards that exclude one another compare the same products. */
#include "verify/formula_impl.h"

#define FACTORS 64 /* of a product */

/* The symbol for a product, or for anything else that is not linear. */
static formula symbol_for(formulas *f, formula a) {
    return hbg_verify_formula_real(f, hbg_base_arena_print(f->arena, "product'%u", Z3_get_ast_id(f->z3, a)));
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

/* The term is its factor times a number between two others: a line on either side of 0. */
static void bound_share(formulas *f, formula share, interval factor, formula of, formula *known) {
    if (!hbg_verify_interval_is_known(factor)) return;
    formula low = hbg_verify_formula_multiply(f, factor.low, of),
            high = hbg_verify_formula_multiply(f, factor.high, of);
    formula up = hbg_verify_formula_and(f, hbg_verify_formula_less_equal(f, low, share),
                                        hbg_verify_formula_less_equal(f, share, high));
    formula down = hbg_verify_formula_and(f, hbg_verify_formula_less_equal(f, high, share),
                                          hbg_verify_formula_less_equal(f, share, low));
    formula positive = hbg_verify_formula_less_equal(f, f->zero, of);
    *known = hbg_verify_formula_and(f, *known, hbg_verify_formula_choose(f, positive, up, down));
}

static formula abstract_factors(formulas *f, const formula *factors, unsigned count, formula *squares) {
    if (count == 0) return f->one;
    if (count == 1) return hbg_verify_formula_linear(f, factors[0], squares);
    formula symbol = symbol_for(f, Z3_simplify(f->z3, Z3_mk_mul(f->z3, count, factors)));
    if (is_square(f, factors, count))
        *squares = hbg_verify_formula_and(f, *squares, hbg_verify_formula_less_equal(f, f->zero, symbol));
    return symbol;
}

/* Constants are known between bounds, and so is a product with them. */
static void bound_product(formulas *f, formula symbol, const formula *factors, unsigned count,
                          formula *squares) {
    formula others[FACTORS], constants[FACTORS];
    unsigned rest = 0, closed = 0;
    for (unsigned i = 0; i < count; i++) {
        if (hbg_verify_formula_is_closed(f, factors[i]))
            constants[closed++] = factors[i];
        else
            others[rest++] = factors[i];
    }
    if (closed == 0) return;
    formula product = closed == 1 ? constants[0] : Z3_mk_mul(f->z3, closed, constants);
    interval constant = hbg_verify_formula_enclose(f, product);
    bound_share(f, symbol, constant, abstract_factors(f, others, rest, squares), squares);
}

/* Factors without number, in order, so that equal products are one. */
static formula abstract_product(formulas *f, formula a, formula *squares) {
    formula factors[FACTORS], number = f->one;
    unsigned count = 0;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a) && count < FACTORS; i++) {
        formula at = hbg_verify_formula_argument(f, a, i);
        if (hbg_verify_formula_is_number(f, at))
            number = hbg_verify_formula_multiply(f, number, at);
        else
            factors[count++] = at;
    }
    if (count == 1)
        return hbg_verify_formula_multiply(f, number, hbg_verify_formula_linear(f, factors[0], squares));
    if (count == FACTORS) return symbol_for(f, a);
    formula symbol = abstract_factors(f, factors, count, squares);
    if (f->bounds.all.count > 0) bound_product(f, symbol, factors, count, squares);
    return hbg_verify_formula_multiply(f, number, symbol);
}

/* A quotient by a constant, or a power of one. */
static formula abstract_other(formulas *f, formula a, formula *squares) {
    formula symbol = symbol_for(f, a);
    if (f->bounds.all.count == 0) return symbol;
    formula down = hbg_verify_formula_argument(f, a, 1), of = hbg_verify_formula_argument(f, a, 0);
    interval one = hbg_verify_interval_point(f->one);
    if (hbg_verify_formula_is_closed(f, a))
        bound_share(f, symbol, hbg_verify_formula_enclose(f, a), f->one, squares);
    else if (hbg_verify_formula_kind(f, a) == Z3_OP_DIV && hbg_verify_formula_is_closed(f, down))
        bound_share(f, symbol, hbg_verify_interval_divide(f, one, hbg_verify_formula_enclose(f, down)),
                    hbg_verify_formula_linear(f, of, squares), squares);
    return symbol;
}

formula hbg_verify_formula_linear(formulas *f, formula a, formula *squares) {
    if (!hbg_verify_formula_is_nonlinear(f, a)) return a;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (kind == Z3_OP_MUL) return abstract_product(f, a, squares);
    if (kind == Z3_OP_POWER || kind == Z3_OP_DIV) return abstract_other(f, a, squares);
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), count = (int32_t)hbg_verify_formula_argument_count(f, a);
    formula *to = HBG_NEW_ARRAY(f->arena, formula, count + 1);
    int32_t found = hbg_base_pair_map_find(&f->memo.linear_of, id, 0);
    if (found >= 0) {
        *squares = hbg_verify_formula_and(f, *squares, f->memo.linear_made.items[found + 1]);
        return f->memo.linear_made.items[found];
    }
    formula own = f->yes;
    for (int32_t i = 0; i < count; i++)
        to[i] = hbg_verify_formula_linear(f, hbg_verify_formula_argument(f, a, (unsigned)i), &own);
    formula made = Z3_update_term(f->z3, a, (unsigned)count, to);
    hbg_base_pair_map_add(&f->memo.linear_of, id, 0, f->memo.linear_made.count);
    HBG_PUSH(f->arena, f->memo.linear_made, made);
    HBG_PUSH(f->arena, f->memo.linear_made, own);
    *squares = hbg_verify_formula_and(f, *squares, own);
    return made;
}
