/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sums of terms: numbers and constants times symbols.
 *
 * They are normalised. Sources that are phases of one angle, and their derivatives, are sums of sine and
 * cosine with factors such as √3/2 and 2π·50. Divided by the factor of its first symbol, √3·s + 3·c and s +
 * √3·c are one formula, and every comparison of such sources is linear in s and the product √3·c.
 *
 * Some depend on the direction of an angle only. Where sine and cosine are compared with nothing but each
 * other, s + √3·c < 0, what holds for some (s, c) beside (0, 0) holds on the circle too: it may be made
 * longer or shorter. A linear answer, with √3·c for a symbol, is then the whole answer. Next to others each
 * of the two has to have one factor wherever it occurs; alone against 0 it may have any. */
#include "verify/formula_impl.h"

#define TERMS     32 /* of a sum that is examined */
#define CONSTANTS 16 /* of a product */

typedef struct {
    formula number;
    formula constants[CONSTANTS];
    int constant_count;
    formula symbol; /* the factor of this term; NULL: nothing */
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

/* The product of two equal roots is a fraction. False: there are too many. */
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

/* False if it is not a product of numbers, constants and at most one symbol. */
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

/* The symbol made first of those in it. */
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

/* Divides all by a constant of the first one. False: that would leave a quotient, or its sign is not
 * known. */
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

/* ---- directions --------------------------------------------------------------------------------------------- */

typedef struct {
    int32_t angles;
    formula argument;               /* of the angle */
    bool plain;                     /* all is linear, and constants occur only as factors of an angle */
    bool level;                     /* nothing is added to these terms */
    formula symbols[2], factors[2]; /* shares of the angle */
} cone_sum;

static void add_share(formulas *f, cone_sum *to, formula a) {
    share own;
    to->plain = to->plain && read_share(f, a, &own);
    if (!to->plain) return;
    const exact_symbol *of = own.symbol ? hbg_verify_formula_symbol(f, own.symbol) : NULL;
    if (!of || (of->op != HBG_OP_SIN && of->op != HBG_OP_COS)) {
        to->plain = own.constant_count == 0;
        to->level = to->level && a == f->zero;
        return;
    }
    to->plain = to->angles < 2 && (to->angles == 0 || to->argument == of->argument);
    if (!to->plain) return;
    formula factor = f->one;
    for (int i = 0; i < own.constant_count; i++)
        factor = hbg_verify_formula_multiply(f, factor, own.constants[i]);
    to->argument = of->argument;
    to->symbols[to->angles] = own.symbol;
    to->factors[to->angles++] = factor;
}

static void add_side(formulas *f, cone_sum *to, formula a) {
    if (hbg_verify_formula_kind(f, a) != Z3_OP_ADD) {
        add_share(f, to, a);
        return;
    }
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++)
        add_share(f, to, hbg_verify_formula_argument(f, a, i));
}

/* The factor that a symbol has next to others is the first it was met with. */
static bool has_its_factor(formulas *f, formula symbol, formula factor) {
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, symbol), own = (int32_t)Z3_get_ast_id(f->z3, factor);
    int32_t found = hbg_base_pair_map_find(&f->memo.factors, id, 0);
    if (found < 0) found = hbg_base_pair_map_add(&f->memo.factors, id, 0, own);
    return found == own;
}

static bool is_cone_relation(formulas *f, formula a) {
    cone_sum sum = {.plain = true, .level = true};
    for (unsigned i = 0; i < 2; i++) add_side(f, &sum, hbg_verify_formula_argument(f, a, i));
    if (!sum.plain || sum.angles == 0) return sum.plain;
    if (!sum.level) return false;
    for (int i = 0; i < sum.angles && sum.angles > 1; i++)
        if (!has_its_factor(f, sum.symbols[i], sum.factors[i])) return false;
    return true;
}

static bool is_cone(formulas *f, formula a) {
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (hbg_verify_formula_argument_count(f, a) == 0) return true;
    bool relation =
        kind == Z3_OP_EQ || kind == Z3_OP_LE || kind == Z3_OP_GE || kind == Z3_OP_LT || kind == Z3_OP_GT;
    Z3_sort sort = Z3_get_sort(f->z3, hbg_verify_formula_argument(f, a, 0));
    if (relation && Z3_get_sort_kind(f->z3, sort) == Z3_REAL_SORT) return is_cone_relation(f, a);
    if (!relation && kind != Z3_OP_AND && kind != Z3_OP_OR && kind != Z3_OP_NOT && kind != Z3_OP_ITE)
        return false;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++)
        if (!hbg_verify_formula_is_cone(f, hbg_verify_formula_argument(f, a, i))) return false;
    return true;
}

bool hbg_verify_formula_is_cone(formulas *f, formula a) {
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), found = hbg_base_pair_map_find(&f->memo.cones, id, 0);
    if (found < 0) found = hbg_base_pair_map_add(&f->memo.cones, id, 0, is_cone(f, a));
    return found > 0;
}

void hbg_verify_formula_is_circle(formulas *f, formula a) {
    hbg_base_pair_map_add(&f->memo.cones, (int32_t)Z3_get_ast_id(f->z3, a), 0, 1);
}
