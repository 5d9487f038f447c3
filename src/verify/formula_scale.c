/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sums brought to one measure. Sources that are phases of one angle, and their derivatives, are sums of sine and cosine with factors
 * such as √3/2 and 2π·50. Divided by the factor of its first symbol, √3·s + 3·c and s + √3·c are one formula, and all that such sources
 * are compared by is linear in s and the product √3·c. */
#include "verify/formula_impl.h"

#define TERMS     32 /* of a sum that is looked at */
#define CONSTANTS 16 /* of a product */

typedef struct {
    formula number;
    formula constants[CONSTANTS];
    int constant_count;
    formula symbol; /* what it is a share of; NULL: nothing */
} share;

typedef struct {
    share items[TERMS];
    int count;
} shares;

/* The fraction that the square of a constant is; NULL: it is no root. */
static formula square_of(formulas *f, formula constant) {
    const exact_symbol *of = hbg_verify_formula_symbol(f, constant);
    return of->op == HBG_OP_SQRT && hbg_verify_formula_is_number(f, of->argument) ? of->argument : NULL;
}

static int place_of(const share *of, formula constant) {
    for (int i = 0; i < of->constant_count; i++)
        if (of->constants[i] == constant) return i;
    return -1;
}

static void take_out(share *of, int place) {
    of->constants[place] = of->constants[--of->constant_count];
}

/* A root that comes twice is a fraction. False: there are too many. */
static bool add_constant(formulas *f, share *to, formula constant) {
    formula square = square_of(f, constant);
    int place = square ? place_of(to, constant) : -1;
    if (place < 0) {
        if (to->constant_count == CONSTANTS) return false;
        to->constants[to->constant_count++] = constant;
        return true;
    }
    take_out(to, place);
    to->number = hbg_verify_formula_multiply(f, to->number, square);
    return true;
}

/* False where it is no product of numbers, constants and at most one symbol. */
static bool read_share(formulas *f, formula a, share *made) {
    formula_product all = {.whole = true};
    *made = (share){.number = f->one};
    hbg_verify_formula_factors(f, &all, a);
    for (unsigned i = 0; i < all.count; i++) {
        formula at = all.factors[i];
        const exact_symbol *of = hbg_verify_formula_symbol(f, at);
        if (hbg_verify_formula_is_number(f, at))
            made->number = hbg_verify_formula_multiply(f, made->number, at);
        else if (of && of->constant && add_constant(f, made, at))
            continue;
        else if (!(of && of->constant) && !made->symbol && hbg_verify_formula_is_name(f, at))
            made->symbol = at;
        else
            return false;
    }
    return all.whole;
}

static bool read_shares(formulas *f, formula a, shares *made) {
    bool is_sum = hbg_verify_formula_kind(f, a) == Z3_OP_ADD;
    unsigned count = is_sum ? hbg_verify_formula_argument_count(f, a) : 1;
    bool closed = false;
    if (count > TERMS) return false;
    made->count = (int)count;
    for (unsigned i = 0; i < count; i++) {
        formula part = is_sum ? hbg_verify_formula_argument(f, a, i) : a;
        if (!read_share(f, part, &made->items[i])) return false;
        closed |= made->items[i].constant_count > 0;
        for (unsigned k = 0; k < i; k++)
            if (made->items[k].symbol == made->items[i].symbol) return false;
    }
    return closed;
}

/* The first of its symbols that was made. */
static share *find_first(formulas *f, shares *of) {
    share *first = NULL;
    for (int i = 0; i < of->count; i++) {
        share *at = &of->items[i];
        if (at->symbol && (!first || Z3_get_ast_id(f->z3, at->symbol) < Z3_get_ast_id(f->z3, first->symbol)))
            first = at;
    }
    return first;
}

static bool all_have(const shares *of, formula constant) {
    for (int i = 0; i < of->count; i++)
        if (place_of(&of->items[i], constant) < 0) return false;
    return true;
}

/* Divides all by a constant of the first one. False: that would leave a quotient, or its sign is not known. */
static bool divide_by(formulas *f, shares *of, formula constant) {
    int sign = hbg_verify_interval_sign(f, hbg_verify_formula_symbol(f, constant)->between);
    formula square = square_of(f, constant);
    bool common = all_have(of, constant);
    if (sign == 0 || (!common && !square)) return false;
    for (int i = 0; i < of->count; i++)
        if (of->items[i].constant_count == CONSTANTS) return false;
    for (int i = 0; i < of->count; i++) {
        share *at = &of->items[i];
        if (common) {
            take_out(at, place_of(at, constant));
        } else { // 1/√n is √n/n
            add_constant(f, at, constant);
            at->number = hbg_verify_formula_divide(f, at->number, square);
        }
        if (sign < 0) at->number = hbg_verify_formula_negate(f, at->number);
    }
    return true;
}

static formula write(formulas *f, const shares *of) {
    formula sum[TERMS];
    for (int i = 0; i < of->count; i++) {
        const share *at = &of->items[i];
        sum[i] = at->symbol ? hbg_verify_formula_multiply(f, at->number, at->symbol) : at->number;
        for (int k = 0; k < at->constant_count; k++)
            sum[i] = hbg_verify_formula_multiply(f, sum[i], at->constants[k]);
    }
    return hbg_verify_formula_sum(f, of->count, sum);
}

formula hbg_verify_formula_scaled(formulas *f, formula a) {
    shares all;
    share *first = f->bounds.all.count > 0 && read_shares(f, a, &all) ? find_first(f, &all) : NULL;
    if (!first) return a;
    for (int i = 0; i < first->constant_count;)
        if (!divide_by(f, &all, first->constants[i])) i++;
    formula size = first->number;
    if (hbg_verify_formula_less(f, size, f->zero) == f->yes) size = hbg_verify_formula_negate(f, size);
    for (int i = 0; i < all.count; i++)
        all.items[i].number = hbg_verify_formula_divide(f, all.items[i].number, size);
    return write(f, &all);
}
